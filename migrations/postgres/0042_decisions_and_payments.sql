-- Twin of migrations/sqlite/0042_decisions_and_payments.sql.

-- Why it was decided without the documents that nobody decides without, where some were missing.
ALTER TABLE decisions ADD COLUMN without_documents TEXT;

-- The day on which a payment arrived, where that is not the day on which it was noted: YYYY-MM-DD.
ALTER TABLE ledger_transactions ADD COLUMN received_on TEXT;
CREATE INDEX ledger_transactions_received ON ledger_transactions (received_on) WHERE received_on IS NOT NULL;
