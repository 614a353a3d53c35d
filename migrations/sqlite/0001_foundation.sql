-- Twin of migrations/postgres/0001_foundation.sql: the same tables and columns, and the same names of indexes.
-- Identifiers are UUIDs as text, times are milliseconds since 1970-01-01 UTC, flags are the time they were set.

CREATE TABLE applicants (
    id            TEXT PRIMARY KEY,
    email         TEXT NOT NULL,
    -- What accounts are compared by: the address in lower case.
    email_key     TEXT NOT NULL,
    first_name    TEXT NOT NULL,
    last_name     TEXT NOT NULL,
    -- YYYY-MM-DD
    date_of_birth TEXT NOT NULL,
    phone_number  TEXT NOT NULL,
    -- ISO 3166-1 alpha-2
    country       TEXT NOT NULL,
    state         TEXT,
    -- IANA name, empty until it is chosen.
    time_zone     TEXT NOT NULL,
    -- PHC string
    password_hash TEXT NOT NULL,
    disabled_at   INTEGER,
    created_at    INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX applicants_email ON applicants (email_key);

CREATE TABLE sessions (
    id            TEXT PRIMARY KEY,
    applicant_id  TEXT NOT NULL REFERENCES applicants (id),
    -- SHA-256 of the cookie's secret, hexadecimal
    cookie_digest TEXT NOT NULL,
    created_at    INTEGER NOT NULL,
    last_seen_at  INTEGER NOT NULL,
    expires_at    INTEGER NOT NULL,
    revoked_at    INTEGER,
    address       TEXT NOT NULL,
    user_agent    TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX sessions_cookie ON sessions (cookie_digest);
CREATE INDEX sessions_applicant ON sessions (applicant_id);
CREATE INDEX sessions_expiry ON sessions (expires_at);

-- The open reset of an account: at most one, and spending it removes it.
CREATE TABLE password_resets (
    applicant_id TEXT PRIMARY KEY REFERENCES applicants (id),
    -- SHA-256 of the mailed secret, hexadecimal
    digest       TEXT NOT NULL,
    expires_at   INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX password_resets_digest ON password_resets (digest);
CREATE INDEX password_resets_expiry ON password_resets (expires_at);

CREATE TABLE applications (
    id           TEXT PRIMARY KEY,
    applicant_id TEXT NOT NULL REFERENCES applicants (id),
    program      TEXT NOT NULL CHECK (program IN ('ba', 'msc')),
    status       TEXT NOT NULL
        CHECK (status IN ('incomplete', 'scheduled', 'accepted', 'rejected', 'enrolled', 'deferred')),
    stage        TEXT NOT NULL,
    -- JSON object: only what was answered
    answers      TEXT NOT NULL,
    revision     INTEGER NOT NULL CHECK (revision > 0),
    reference    TEXT,
    created_at   INTEGER NOT NULL,
    updated_at   INTEGER NOT NULL,
    -- Withdrawn or declined: the applicant may start another one.
    archived_at  INTEGER
) STRICT;
CREATE UNIQUE INDEX applications_one_active ON applications (applicant_id) WHERE archived_at IS NULL;
CREATE UNIQUE INDEX applications_reference ON applications (reference) WHERE reference IS NOT NULL;

CREATE TABLE staff (
    id            TEXT PRIMARY KEY,
    email         TEXT NOT NULL,
    email_key     TEXT NOT NULL,
    role          TEXT NOT NULL
        CHECK (role IN ('viewer', 'interviewer', 'reviewer', 'decider', 'finance', 'owner')),
    password_hash TEXT NOT NULL,
    suspended_at  INTEGER,
    created_at    INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX staff_email ON staff (email_key);

CREATE TABLE staff_sessions (
    id            TEXT PRIMARY KEY,
    staff_id      TEXT NOT NULL REFERENCES staff (id),
    cookie_digest TEXT NOT NULL,
    created_at    INTEGER NOT NULL,
    last_seen_at  INTEGER NOT NULL,
    expires_at    INTEGER NOT NULL,
    revoked_at    INTEGER,
    address       TEXT NOT NULL,
    user_agent    TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX staff_sessions_cookie ON staff_sessions (cookie_digest);
CREATE INDEX staff_sessions_staff ON staff_sessions (staff_id);
CREATE INDEX staff_sessions_expiry ON staff_sessions (expires_at);

-- Who did what. Rows are added and never changed.
CREATE TABLE audit (
    id          TEXT PRIMARY KEY,
    happened_at INTEGER NOT NULL,
    actor       TEXT NOT NULL,
    subject     TEXT NOT NULL,
    action      TEXT NOT NULL,
    -- JSON
    detail      TEXT NOT NULL
) STRICT;
CREATE INDEX audit_subject ON audit (subject, happened_at);

CREATE TRIGGER audit_no_update BEFORE UPDATE ON audit
BEGIN
    SELECT RAISE(ABORT, 'the audit is append-only');
END;
CREATE TRIGGER audit_no_delete BEFORE DELETE ON audit
BEGIN
    SELECT RAISE(ABORT, 'the audit is append-only');
END;

CREATE TABLE outbox (
    id           TEXT PRIMARY KEY,
    applicant_id TEXT REFERENCES applicants (id),
    template     TEXT NOT NULL,
    recipient    TEXT NOT NULL,
    subject      TEXT NOT NULL,
    body_text    TEXT NOT NULL,
    body_html    TEXT NOT NULL,
    state        TEXT NOT NULL CHECK (state IN ('waiting', 'sent', 'kept', 'failed')),
    attempts     INTEGER NOT NULL,
    -- When it may be tried next; while a worker has it, when that worker's lease ends.
    due_at       INTEGER NOT NULL,
    last_error   TEXT,
    created_at   INTEGER NOT NULL,
    finished_at  INTEGER
) STRICT;
CREATE INDEX outbox_due ON outbox (state, due_at);
CREATE INDEX outbox_newest ON outbox (created_at, id);

-- Attempts under a key in the window that ends at ends_at.
CREATE TABLE throttles (
    key      TEXT PRIMARY KEY,
    attempts INTEGER NOT NULL,
    ends_at  INTEGER NOT NULL
) STRICT;
CREATE INDEX throttles_end ON throttles (ends_at);
