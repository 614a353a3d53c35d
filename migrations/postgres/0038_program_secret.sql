-- Twin of migrations/sqlite/0038_program_secret.sql.

-- Which secret of the program what is sealed here opens with, so that a changed one is noticed.
CREATE TABLE program_secret (
    id          BIGINT PRIMARY KEY CHECK (id = 1),
    fingerprint TEXT NOT NULL
);
