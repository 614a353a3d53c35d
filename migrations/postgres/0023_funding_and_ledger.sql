-- Twin of migrations/sqlite/0023_funding_and_ledger.sql.

-- How the tuition of an application is to be paid: the plan as it is now. The record tells how it came about.
CREATE TABLE funding_plans (
    application_id TEXT PRIMARY KEY REFERENCES applications (id),
    revision       BIGINT NOT NULL CHECK (revision > 0),
    -- Cents, as are all amounts
    tuition        BIGINT NOT NULL CHECK (tuition >= 0),
    up_front       BIGINT NOT NULL CHECK (up_front >= 0),
    monthly        BIGINT NOT NULL CHECK (monthly >= 0),
    -- YYYY-MM-DD, of the first instalment
    first_due      TEXT NOT NULL,
    changed_at     BIGINT NOT NULL,
    -- applicant:ID, staff:ID
    changed_by     TEXT NOT NULL
);

-- Who pays, at most one row for each kind.
CREATE TABLE funding_sources (
    application_id TEXT NOT NULL REFERENCES funding_plans (application_id),
    kind           TEXT NOT NULL
                   CHECK (kind IN ('tuition_assistance', 'gi_bill', 'employer', 'scholarship', 'self_pay')),
    cents          BIGINT NOT NULL CHECK (cents > 0),
    state          TEXT NOT NULL CHECK (state IN ('asked', 'pending', 'confirmed', 'refused')),
    -- Why it was refused
    reason         TEXT,
    decided_by     TEXT REFERENCES staff (id),
    decided_at     BIGINT,
    PRIMARY KEY (application_id, kind)
);

-- What was charged, paid, refunded and forgiven, and what of it was reversed. Written once, never changed: the triggers see to
-- it. The entries come first and the transaction seals them, which it does only if they sum to zero.
CREATE TABLE ledger_entries (
    transaction_id TEXT NOT NULL,
    number         BIGINT NOT NULL,
    account        TEXT NOT NULL CHECK (account IN ('receivable', 'cash', 'clearing', 'income', 'waivers', 'write_offs',
                   'refunds', 'unapplied')),
    -- Positive for a debit, negative for a credit; of US dollars
    cents          BIGINT NOT NULL CHECK (cents <> 0),
    PRIMARY KEY (transaction_id, number)
);

CREATE TABLE ledger_transactions (
    id             TEXT PRIMARY KEY,
    application_id TEXT NOT NULL REFERENCES applications (id),
    -- Counts up from 1 for each application
    position       BIGINT NOT NULL CHECK (position > 0),
    kind           TEXT NOT NULL CHECK (kind IN ('charge', 'payment', 'refund', 'waiver', 'write_off', 'reversal')),
    -- What it is written for, once: charge:instalment-1
    cause          TEXT NOT NULL,
    -- instalment-1, source-gi_bill
    line           TEXT,
    -- The transaction that it refunds or reverses
    about          TEXT REFERENCES ledger_transactions (id),
    method         TEXT CHECK (method IN ('transfer', 'cheque', 'invoice', 'card')),
    note           TEXT NOT NULL,
    recorded_at    BIGINT NOT NULL,
    -- staff:ID, provider, system
    recorded_by    TEXT NOT NULL
);
CREATE UNIQUE INDEX ledger_transactions_position ON ledger_transactions (application_id, position);
CREATE UNIQUE INDEX ledger_transactions_cause ON ledger_transactions (application_id, cause);
CREATE INDEX ledger_transactions_recorded ON ledger_transactions (recorded_at, id);

ALTER TABLE ledger_entries ADD FOREIGN KEY (transaction_id) REFERENCES ledger_transactions (id)
    DEFERRABLE INITIALLY DEFERRED;

CREATE FUNCTION ledger_transaction_balances() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (SELECT COUNT(*) < 2 OR SUM(cents) <> 0 FROM ledger_entries WHERE transaction_id = NEW.id) THEN
        RAISE EXCEPTION 'the entries of a transaction sum to zero';
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER ledger_transactions_balance BEFORE INSERT ON ledger_transactions
    FOR EACH ROW EXECUTE FUNCTION ledger_transaction_balances();

CREATE FUNCTION ledger_transaction_is_open() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT 1 FROM ledger_transactions WHERE id = NEW.transaction_id) THEN
        RAISE EXCEPTION 'the ledger is append-only';
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER ledger_entries_sealed BEFORE INSERT ON ledger_entries
    FOR EACH ROW EXECUTE FUNCTION ledger_transaction_is_open();

CREATE FUNCTION ledger_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the ledger is append-only';
END
$$;
CREATE TRIGGER ledger_entries_no_change BEFORE UPDATE OR DELETE ON ledger_entries
    FOR EACH ROW EXECUTE FUNCTION ledger_is_append_only();
CREATE TRIGGER ledger_entries_no_truncate BEFORE TRUNCATE ON ledger_entries
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_is_append_only();
CREATE TRIGGER ledger_transactions_no_change BEFORE UPDATE OR DELETE ON ledger_transactions
    FOR EACH ROW EXECUTE FUNCTION ledger_is_append_only();
CREATE TRIGGER ledger_transactions_no_truncate BEFORE TRUNCATE ON ledger_transactions
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_is_append_only();
