-- Twin of migrations/sqlite/0027_card_payments.sql.

-- Whom the provider of card payments knows for an application, and the card that its later payments are charged to. Neither
-- number nor name of a card comes here: what identifies it means something to the provider alone.
CREATE TABLE payment_cards (
    application_id TEXT PRIMARY KEY REFERENCES applications (id),
    customer       TEXT NOT NULL,
    payment_method TEXT,
    -- Brand and last four digits; empty without a card
    label          TEXT NOT NULL,
    changed_at     BIGINT NOT NULL
);

-- How far an instalment is that is paid by card: one row for each, and one way to pay it at a time.
CREATE TABLE card_charges (
    application_id  TEXT NOT NULL REFERENCES applications (id),
    -- instalment-1
    line            TEXT NOT NULL,
    cents           BIGINT NOT NULL CHECK (cents > 0),
    -- open: the hosted page waits for somebody. charging: the saved card is being charged. failed: it is charged again at
    -- next_at. stopped: staff decide how to go on. closed: neither is under way. paid: it stands in the ledger.
    state           TEXT NOT NULL CHECK (state IN ('open', 'charging', 'failed', 'stopped', 'closed', 'paid')),
    -- Counts up when what the provider was asked for can no longer be paid; part of the idempotency key
    round           BIGINT NOT NULL CHECK (round > 0),
    saves_card      BIGINT NOT NULL CHECK (saves_card IN (0, 1)),
    checkout_id     TEXT,
    checkout_url    TEXT,
    intent_id       TEXT,
    -- Times that the saved card was refused
    failures        BIGINT NOT NULL CHECK (failures >= 0),
    -- What the provider said of the last refusal
    failure         TEXT,
    first_failed_at BIGINT,
    next_at         BIGINT,
    changed_at      BIGINT NOT NULL,
    revision        BIGINT NOT NULL CHECK (revision > 0),
    PRIMARY KEY (application_id, line)
);
CREATE INDEX card_charges_state ON card_charges (state, next_at);

-- Refunds of card payments: written before the provider is asked, so that one that was asked for is never forgotten.
CREATE TABLE card_refunds (
    application_id TEXT NOT NULL REFERENCES applications (id),
    -- The key of the form that asked for it
    key            TEXT NOT NULL,
    -- The payment in the ledger, and as the provider knows it
    payment_id     TEXT NOT NULL REFERENCES ledger_transactions (id),
    intent_id      TEXT NOT NULL,
    cents          BIGINT NOT NULL CHECK (cents > 0),
    reason         TEXT NOT NULL,
    state          TEXT NOT NULL CHECK (state IN ('asked', 'done', 'refused')),
    -- What the provider said of it
    failure        TEXT,
    asked_at       BIGINT NOT NULL,
    asked_by       TEXT NOT NULL,
    PRIMARY KEY (application_id, key)
);
CREATE INDEX card_refunds_state ON card_refunds (state, asked_at);

-- What the provider has told, each once: enough to look it up there, and nothing about the person.
CREATE TABLE provider_events (
    id             TEXT PRIMARY KEY,
    kind           TEXT NOT NULL,
    -- What it is about: pi_…, cs_…
    object_id      TEXT NOT NULL,
    cents          BIGINT,
    application_id TEXT REFERENCES applications (id),
    -- unmatched: money that nobody here can place, until Finance has noted what became of it, which makes it placed
    state          TEXT NOT NULL CHECK (state IN ('applied', 'ignored', 'unmatched', 'placed')),
    note           TEXT NOT NULL,
    told_at        BIGINT NOT NULL,
    received_at    BIGINT NOT NULL
);
CREATE INDEX provider_events_state ON provider_events (state, told_at, id);
-- What the provider tells names its payment, and not whose it is.
CREATE INDEX ledger_transactions_by_cause ON ledger_transactions (cause);
