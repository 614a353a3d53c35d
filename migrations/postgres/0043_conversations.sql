-- Twin of migrations/sqlite/0043_conversations.sql.

-- What an applicant and the office write to each other about an application.
CREATE TABLE conversation_messages (
    id             TEXT PRIMARY KEY,
    application_id TEXT NOT NULL REFERENCES applications (id),
    -- Who of the office wrote it; null for the applicant
    staff_id       TEXT REFERENCES staff (id),
    body           TEXT NOT NULL,
    created_at     BIGINT NOT NULL,
    -- When the applicant first had what the office wrote before them
    read_at        BIGINT
);
CREATE INDEX conversation_messages_of ON conversation_messages (application_id, created_at, id);
