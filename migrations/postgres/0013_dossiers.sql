-- Twin of migrations/sqlite/0013_dossiers.sql.

-- What staff write about an application for each other. Never shown to the applicant.
CREATE TABLE application_notes (
    id             TEXT PRIMARY KEY,
    application_id TEXT NOT NULL REFERENCES applications (id),
    staff_id       TEXT NOT NULL REFERENCES staff (id),
    body           TEXT NOT NULL,
    -- Counts up with every change of the text, from 1
    revision       BIGINT NOT NULL,
    pinned_at      BIGINT,
    created_at     BIGINT NOT NULL,
    edited_at      BIGINT
);
CREATE INDEX application_notes_of ON application_notes (application_id, created_at, id);

-- Who has an application open, as of the last sign of their page.
CREATE TABLE application_viewers (
    application_id TEXT NOT NULL REFERENCES applications (id),
    staff_id       TEXT NOT NULL REFERENCES staff (id),
    seen_at        BIGINT NOT NULL,
    PRIMARY KEY (application_id, staff_id)
);

-- The reason of a decision about a document is the review's, where it can be erased.
ALTER TABLE audit DISABLE TRIGGER audit_no_change;
UPDATE audit SET detail = (detail::jsonb - 'reason')::text WHERE action = 'document.reviewed';
ALTER TABLE audit ENABLE TRIGGER audit_no_change;

-- The end of what is recorded about each subject: whoever adds to it waits here for who adds at the same time.
CREATE TABLE audit_heads (
    subject  TEXT PRIMARY KEY,
    position BIGINT NOT NULL,
    -- Of the last line
    hash     TEXT NOT NULL
);
-- Each line of the record with its place among those of its subject, from 1, and its hash, which the hash before it is part of.
CREATE TABLE audit_chain (
    audit_id TEXT PRIMARY KEY REFERENCES audit (id),
    subject  TEXT NOT NULL,
    position BIGINT NOT NULL,
    hash     TEXT NOT NULL
);
CREATE UNIQUE INDEX audit_chain_position ON audit_chain (subject, position);
CREATE TRIGGER audit_chain_no_change BEFORE UPDATE OR DELETE ON audit_chain
    FOR EACH ROW EXECUTE FUNCTION audit_is_append_only();
CREATE TRIGGER audit_chain_no_truncate BEFORE TRUNCATE ON audit_chain
    FOR EACH STATEMENT EXECUTE FUNCTION audit_is_append_only();
