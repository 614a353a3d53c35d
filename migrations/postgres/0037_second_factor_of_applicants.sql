-- Twin of migrations/sqlite/0037_second_factor_of_applicants.sql.

-- As staff have it.
ALTER TABLE applicants ADD COLUMN code_seed TEXT;
ALTER TABLE applicants ADD COLUMN code_step BIGINT NOT NULL DEFAULT 0;

-- The password was right, and the code is awaited until then; null for a session that is open.
ALTER TABLE sessions ADD COLUMN code_until BIGINT;

-- Codes for who has lost their authenticator app. Each is removed when it is used.
CREATE TABLE recovery_codes (
    applicant_id TEXT NOT NULL REFERENCES applicants (id),
    -- SHA-256, hexadecimal
    digest       TEXT NOT NULL,
    PRIMARY KEY (applicant_id, digest)
);
