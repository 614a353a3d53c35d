-- Twin of migrations/postgres/0002_submission.sql.

-- SQLite changes no CHECK, so the table is made anew: an ended application has the status none.
CREATE TABLE applications_new (
    id           TEXT PRIMARY KEY,
    applicant_id TEXT NOT NULL REFERENCES applicants (id),
    program      TEXT NOT NULL CHECK (program IN ('ba', 'msc')),
    -- Follows from the stage; here to be searched by.
    status       TEXT NOT NULL
        CHECK (status IN ('none', 'incomplete', 'scheduled', 'accepted', 'rejected', 'enrolled', 'deferred')),
    stage        TEXT NOT NULL,
    -- JSON object: only what was answered
    answers      TEXT NOT NULL,
    revision     INTEGER NOT NULL CHECK (revision > 0),
    reference    TEXT,
    created_at   INTEGER NOT NULL,
    updated_at   INTEGER NOT NULL,
    -- Withdrawn or declined: the applicant may start another one.
    archived_at  INTEGER,
    -- The latest submission; null until the first.
    submitted_at INTEGER
) STRICT;
INSERT INTO applications_new
    SELECT id, applicant_id, program, status, stage, answers, revision, reference, created_at, updated_at, archived_at, NULL
    FROM applications;
DROP TABLE applications;
ALTER TABLE applications_new RENAME TO applications;
CREATE UNIQUE INDEX applications_one_active ON applications (applicant_id) WHERE archived_at IS NULL;
CREATE UNIQUE INDEX applications_reference ON applications (reference) WHERE reference IS NOT NULL;
CREATE INDEX applications_applicant ON applications (applicant_id, archived_at);

-- The answers as they were at each submission. Rows are added and never changed.
CREATE TABLE snapshots (
    id             TEXT PRIMARY KEY,
    application_id TEXT NOT NULL REFERENCES applications (id),
    -- Counts the submissions of the application, from 1.
    number         INTEGER NOT NULL CHECK (number > 0),
    program        TEXT NOT NULL CHECK (program IN ('ba', 'msc')),
    -- JSON object
    answers        TEXT NOT NULL,
    taken_at       INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX snapshots_number ON snapshots (application_id, number);

-- Every change of stage after the start. Rows are added and never changed.
CREATE TABLE stage_changes (
    id              TEXT PRIMARY KEY,
    application_id  TEXT NOT NULL REFERENCES applications (id),
    -- The application's revision that the change made.
    revision        INTEGER NOT NULL,
    act             TEXT NOT NULL,
    from_stage      TEXT NOT NULL,
    to_stage        TEXT NOT NULL,
    -- The stage to come back to, of changes that keep it.
    former_stage    TEXT,
    -- What the caller named the act by, so that sending it again does nothing twice.
    idempotency_key TEXT,
    happened_at     INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX stage_changes_revision ON stage_changes (application_id, revision);
CREATE UNIQUE INDEX stage_changes_key ON stage_changes (application_id, act, idempotency_key);
