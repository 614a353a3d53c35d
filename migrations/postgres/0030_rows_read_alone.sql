-- Twin of migrations/sqlite/0030_rows_read_alone.sql.

-- A row of the list has all that it shows: a page is read from one table.
ALTER TABLE listings
    ADD COLUMN program      TEXT NOT NULL DEFAULT '',
    ADD COLUMN reference    TEXT,
    ADD COLUMN first_name   TEXT NOT NULL DEFAULT '',
    ADD COLUMN last_name    TEXT NOT NULL DEFAULT '',
    ADD COLUMN email        TEXT NOT NULL DEFAULT '',
    ADD COLUMN phone_number TEXT NOT NULL DEFAULT '',
    -- Who of the staff looks after it.
    ADD COLUMN assigned_to  TEXT REFERENCES staff (id),
    -- Its terms that are no words to search by, one a line.
    ADD COLUMN facets       TEXT NOT NULL DEFAULT '';

UPDATE listings SET program = a.program, reference = a.reference, first_name = p.first_name, last_name = p.last_name,
    email = p.email, phone_number = p.phone_number, assigned_to = a.assigned_to,
    facets = COALESCE((SELECT string_agg(t.term, chr(10) ORDER BY t.term) FROM listing_terms t
        WHERE t.application_id = listings.application_id AND t.term < 'w:'), '')
    FROM applications a JOIN applicants p ON p.id = a.applicant_id
    WHERE a.id = listings.application_id COLLATE "default";
