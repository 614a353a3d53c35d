-- Twin of migrations/postgres/0059_application_fees.sql.

-- Codes that waive the application fee. How often one was used is counted in application_fees.
CREATE TABLE fee_codes (
    id         TEXT PRIMARY KEY,
    -- Upper-case letters, digits and dashes
    code       TEXT NOT NULL,
    -- ba, msc; null for both
    program    TEXT,
    -- What it is for, in the words of staff
    note       TEXT NOT NULL,
    -- Null for as often as one likes
    most_uses  INTEGER CHECK (most_uses > 0),
    -- The last day on which it can be used: YYYY-MM-DD
    expires_on TEXT,
    created_at INTEGER NOT NULL,
    created_by TEXT NOT NULL REFERENCES staff (id),
    ended_at   INTEGER
) STRICT;
CREATE UNIQUE INDEX fee_codes_code ON fee_codes (code);

-- The fee of an application, fixed when it was first submitted; without a row there is none. What is charged, paid and waived is
-- in the ledger, and the state follows from it.
CREATE TABLE application_fees (
    application_id  TEXT PRIMARY KEY REFERENCES applications (id),
    cents           INTEGER NOT NULL CHECK (cents > 0),
    -- 2026-08
    intake          TEXT NOT NULL,
    -- due, paid, waived
    state           TEXT NOT NULL,
    -- rule, code, staff
    waived_by       TEXT,
    -- military, dod, need
    rule            TEXT,
    code_id         TEXT REFERENCES fee_codes (id),
    -- Why staff waived it
    reason          TEXT,
    -- Why the applicant asks for a waiver
    need_statement  TEXT,
    need_at         INTEGER,
    -- Why that was refused, for the applicant
    need_refusal    TEXT,
    need_refused_at INTEGER,
    need_refused_by TEXT,
    -- When it was paid or waived, and by whom: staff:ID, applicant:ID, provider, system
    decided_at      INTEGER,
    decided_by      TEXT,
    created_at      INTEGER NOT NULL
) STRICT;
CREATE INDEX application_fees_code ON application_fees (code_id) WHERE code_id IS NOT NULL;

-- All applications are found by their fee from now on, so they are listed anew.
UPDATE listings SET has_tasks = 0;
