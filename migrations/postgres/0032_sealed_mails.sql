-- Twin of migrations/sqlite/0032_sealed_mails.sql.

-- What a mail with a secret says, sealed with the program's secret: text and HTML as JSON. NULL once it was sent or given up.
ALTER TABLE outbox ADD COLUMN sealed TEXT;
-- What was sent before.
UPDATE outbox SET message_text = 'The link in this mail was not kept.'
    WHERE message_text IS NULL AND template IN ('staff-invitation', 'staff-reset-password', 'email-change-offered');
UPDATE outbox SET body_text = message_text, body_html = '' WHERE message_text IS NOT NULL AND state IN ('sent', 'failed');
