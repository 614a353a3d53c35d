-- Twin of migrations/sqlite/0003_jobs.sql.

-- Work planned for a time, without anyone waiting for it. A job that was done is removed.
CREATE TABLE jobs (
    id         TEXT PRIMARY KEY,
    kind       TEXT NOT NULL,
    -- What it is about: application:ID, applicant:ID, or the name of recurring work
    subject    TEXT NOT NULL,
    -- JSON object
    detail     TEXT NOT NULL,
    -- Names the plan, so that planning it twice plans it once.
    plan_key   TEXT,
    state      TEXT NOT NULL CHECK (state IN ('waiting', 'parked')),
    -- When it is tried next; the end of the lease while it runs.
    due_at     BIGINT NOT NULL,
    attempts   BIGINT NOT NULL,
    last_error TEXT,
    created_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX jobs_plan ON jobs (plan_key) WHERE plan_key IS NOT NULL;
CREATE INDEX jobs_due ON jobs (due_at, id) WHERE state = 'waiting';
CREATE INDEX jobs_subject ON jobs (subject, kind);

-- What waits for somebody of the office.
CREATE TABLE staff_tasks (
    id         TEXT PRIMARY KEY,
    kind       TEXT NOT NULL,
    -- application:ID
    subject    TEXT NOT NULL,
    -- JSON object
    detail     TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    due_at     BIGINT,
    done_at    BIGINT
);
CREATE INDEX staff_tasks_open ON staff_tasks (created_at, id) WHERE done_at IS NULL;
CREATE INDEX staff_tasks_subject ON staff_tasks (subject, kind);
