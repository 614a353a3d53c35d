-- Twin of migrations/postgres/0030_rows_read_alone.sql.

-- A row of the list has all that it shows: a page is read from one table.
ALTER TABLE listings ADD COLUMN program TEXT NOT NULL DEFAULT '';
ALTER TABLE listings ADD COLUMN reference TEXT;
ALTER TABLE listings ADD COLUMN first_name TEXT NOT NULL DEFAULT '';
ALTER TABLE listings ADD COLUMN last_name TEXT NOT NULL DEFAULT '';
ALTER TABLE listings ADD COLUMN email TEXT NOT NULL DEFAULT '';
ALTER TABLE listings ADD COLUMN phone_number TEXT NOT NULL DEFAULT '';
-- Who of the staff looks after it.
ALTER TABLE listings ADD COLUMN assigned_to TEXT REFERENCES staff (id);
-- Its terms that are no words to search by, one a line.
ALTER TABLE listings ADD COLUMN facets TEXT NOT NULL DEFAULT '';

UPDATE listings SET (program, reference, first_name, last_name, email, phone_number, assigned_to) =
    (SELECT a.program, a.reference, p.first_name, p.last_name, p.email, p.phone_number, a.assigned_to
    FROM applications a JOIN applicants p ON p.id = a.applicant_id WHERE a.id = listings.application_id),
    facets = COALESCE((SELECT group_concat(term, char(10)) FROM (SELECT t.term FROM listing_terms t
    WHERE t.application_id = listings.application_id AND t.term < 'w:' ORDER BY t.term)), '');
