-- Twin of migrations/postgres/0036_second_person.sql.

-- Refunds, waivers, write-offs and reversals that a second person has to agree to, and what became of them.
CREATE TABLE booking_requests (
    id             TEXT PRIMARY KEY,
    application_id TEXT NOT NULL REFERENCES applications (id),
    -- Of the form or call that asked
    key            TEXT NOT NULL,
    -- refund, waiver, write_off, reversal
    kind           TEXT NOT NULL,
    -- Of a waiver or write-off: instalment-1
    line           TEXT,
    -- The payment that is refunded, or the transaction that is reversed
    about          TEXT,
    cents          INTEGER NOT NULL CHECK (cents > 0),
    reason         TEXT NOT NULL,
    asked_at       INTEGER NOT NULL,
    -- A member of staff
    asked_by       TEXT NOT NULL,
    -- waiting, approved, declined, withdrawn
    state          TEXT NOT NULL,
    settled_at     INTEGER,
    settled_by     TEXT,
    -- Why it was declined
    decline_reason TEXT
) STRICT;
CREATE UNIQUE INDEX booking_requests_key ON booking_requests (application_id, key);
CREATE INDEX booking_requests_waiting ON booking_requests (asked_at, id) WHERE state = 'waiting';
