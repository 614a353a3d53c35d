-- Twin of migrations/sqlite/0025_words_in_order.sql.

UPDATE listing_terms SET (submitted_at, waiting_since, name_key) = (SELECT l.submitted_at, l.waiting_since, l.name_key
    FROM listings l WHERE l.application_id = listing_terms.application_id)
    WHERE term >= 'w:';
