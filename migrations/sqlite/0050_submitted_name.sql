-- Twin of migrations/postgres/0050_submitted_name.sql.

-- A day's applications by name: their keys are read from the index alone.
CREATE INDEX listings_submitted_name ON listings (submitted_at, name_key, application_id);
