-- Twin of migrations/postgres/0020_staff_password_resets.sql.

-- Mailed links to a new password for staff. One row for each account, so that only the newest can ever be spent.
CREATE TABLE staff_password_resets (
    staff_id   TEXT PRIMARY KEY REFERENCES staff (id),
    -- SHA-256 of the mailed secret, hexadecimal
    digest     TEXT NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX staff_password_resets_digest ON staff_password_resets (digest);
CREATE INDEX staff_password_resets_expiry ON staff_password_resets (expires_at);
