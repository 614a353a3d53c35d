-- Twin of migrations/postgres/0013_dossiers.sql.

-- What staff write about an application for each other. Never shown to the applicant.
CREATE TABLE application_notes (
    id             TEXT PRIMARY KEY,
    application_id TEXT NOT NULL REFERENCES applications (id),
    staff_id       TEXT NOT NULL REFERENCES staff (id),
    body           TEXT NOT NULL,
    -- Counts up with every change of the text, from 1
    revision       INTEGER NOT NULL,
    pinned_at      INTEGER,
    created_at     INTEGER NOT NULL,
    edited_at      INTEGER
) STRICT;
CREATE INDEX application_notes_of ON application_notes (application_id, created_at, id);

-- Who has an application open, as of the last sign of their page.
CREATE TABLE application_viewers (
    application_id TEXT NOT NULL REFERENCES applications (id),
    staff_id       TEXT NOT NULL REFERENCES staff (id),
    seen_at        INTEGER NOT NULL,
    PRIMARY KEY (application_id, staff_id)
) STRICT;

-- The reason of a decision about a document is the review's, where it can be erased.
DROP TRIGGER audit_no_update;
UPDATE audit SET detail = json_remove(detail, '$.reason') WHERE action = 'document.reviewed';
CREATE TRIGGER audit_no_update BEFORE UPDATE ON audit
BEGIN
    SELECT RAISE(ABORT, 'the audit is append-only');
END;

-- The end of what is recorded about each subject: whoever adds to it waits here for who adds at the same time.
CREATE TABLE audit_heads (
    subject  TEXT PRIMARY KEY,
    position INTEGER NOT NULL,
    -- Of the last line
    hash     TEXT NOT NULL
) STRICT;
-- Each line of the record with its place among those of its subject, from 1, and its hash, which the hash before it is part of.
CREATE TABLE audit_chain (
    audit_id TEXT PRIMARY KEY REFERENCES audit (id),
    subject  TEXT NOT NULL,
    position INTEGER NOT NULL,
    hash     TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX audit_chain_position ON audit_chain (subject, position);
CREATE TRIGGER audit_chain_no_update BEFORE UPDATE ON audit_chain
BEGIN
    SELECT RAISE(ABORT, 'the audit is append-only');
END;
CREATE TRIGGER audit_chain_no_delete BEFORE DELETE ON audit_chain
BEGIN
    SELECT RAISE(ABORT, 'the audit is append-only');
END;
