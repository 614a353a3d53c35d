-- Twin of migrations/sqlite/0002_submission.sql.

-- An ended application has the status none.
ALTER TABLE applications DROP CONSTRAINT applications_status_check;
ALTER TABLE applications ADD CONSTRAINT applications_status_check
    CHECK (status IN ('none', 'incomplete', 'scheduled', 'accepted', 'rejected', 'enrolled', 'deferred'));
-- The latest submission; null until the first.
ALTER TABLE applications ADD COLUMN submitted_at BIGINT;
CREATE INDEX applications_applicant ON applications (applicant_id, archived_at);

-- The answers as they were at each submission. Rows are added and never changed.
CREATE TABLE snapshots (
    id             TEXT PRIMARY KEY,
    application_id TEXT NOT NULL REFERENCES applications (id),
    -- Counts the submissions of the application, from 1.
    number         BIGINT NOT NULL CHECK (number > 0),
    program        TEXT NOT NULL CHECK (program IN ('ba', 'msc')),
    -- JSON object
    answers        TEXT NOT NULL,
    taken_at       BIGINT NOT NULL
);
CREATE UNIQUE INDEX snapshots_number ON snapshots (application_id, number);

-- Every change of stage after the start. Rows are added and never changed.
CREATE TABLE stage_changes (
    id              TEXT PRIMARY KEY,
    application_id  TEXT NOT NULL REFERENCES applications (id),
    -- The application's revision that the change made.
    revision        BIGINT NOT NULL,
    act             TEXT NOT NULL,
    from_stage      TEXT NOT NULL,
    to_stage        TEXT NOT NULL,
    -- The stage to come back to, of changes that keep it.
    former_stage    TEXT,
    -- What the caller named the act by, so that sending it again does nothing twice.
    idempotency_key TEXT,
    happened_at     BIGINT NOT NULL
);
CREATE UNIQUE INDEX stage_changes_revision ON stage_changes (application_id, revision);
CREATE UNIQUE INDEX stage_changes_key ON stage_changes (application_id, act, idempotency_key);
