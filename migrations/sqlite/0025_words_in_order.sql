-- Words are put in order by their own keys; those that were listed before they had any get them here.
UPDATE listing_terms SET (submitted_at, waiting_since, name_key) = (SELECT l.submitted_at, l.waiting_since, l.name_key
    FROM listings l WHERE l.application_id = listing_terms.application_id)
    WHERE term >= 'w:';
