-- Twin of migrations/sqlite/0008_account.sql.

-- What the applicant reads in the product, of a mail with a secret in it; else the mail's own text.
ALTER TABLE outbox ADD COLUMN message_text TEXT;
-- When the applicant first opened it in the product.
ALTER TABLE outbox ADD COLUMN read_at BIGINT;
UPDATE outbox SET message_text = 'The link to reset your password is in the email only.' WHERE template = 'reset-password';
CREATE INDEX outbox_applicant ON outbox (applicant_id, id);
CREATE INDEX outbox_unread ON outbox (applicant_id) WHERE read_at IS NULL;

-- The open change of an account's address: at most one, and it is done when both addresses have confirmed it.
CREATE TABLE email_changes (
    applicant_id     TEXT PRIMARY KEY REFERENCES applicants (id),
    -- The address to be.
    email            TEXT NOT NULL,
    -- SHA-256 of the secrets that were mailed to either address, hexadecimal
    old_digest       TEXT NOT NULL,
    new_digest       TEXT NOT NULL,
    old_confirmed_at BIGINT,
    new_confirmed_at BIGINT,
    created_at       BIGINT NOT NULL,
    expires_at       BIGINT NOT NULL
);
CREATE UNIQUE INDEX email_changes_old ON email_changes (old_digest);
CREATE UNIQUE INDEX email_changes_new ON email_changes (new_digest);
CREATE INDEX email_changes_expiry ON email_changes (expires_at);

-- When reminders were declined; mails that are needed always come.
ALTER TABLE applicants ADD COLUMN reminders_off_at BIGINT;
-- The account is closed: nobody can log in, and what is left is what must be kept.
ALTER TABLE applicants ADD COLUMN closed_at BIGINT;
