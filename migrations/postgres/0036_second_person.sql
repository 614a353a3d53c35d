-- Twin of migrations/sqlite/0036_second_person.sql.

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
    cents          BIGINT NOT NULL CHECK (cents > 0),
    reason         TEXT NOT NULL,
    asked_at       BIGINT NOT NULL,
    -- A member of staff
    asked_by       TEXT NOT NULL,
    -- waiting, approved, declined, withdrawn
    state          TEXT NOT NULL,
    settled_at     BIGINT,
    settled_by     TEXT,
    -- Why it was declined
    decline_reason TEXT
);
CREATE UNIQUE INDEX booking_requests_key ON booking_requests (application_id, key);
CREATE INDEX booking_requests_waiting ON booking_requests (asked_at, id) WHERE state = 'waiting';
