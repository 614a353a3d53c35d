-- Twin of migrations/sqlite/0028_finance.sql.

-- Finance looks through all applications at once. Money that came for nothing that was owed is rare among entries.
CREATE INDEX ledger_entries_unapplied ON ledger_entries (transaction_id, cents) WHERE account = 'unapplied';
-- Who is handed over to the student system.
CREATE INDEX applications_enrolled ON applications (id) WHERE stage = 'enrolled';
CREATE INDEX staff_tasks_open_kind ON staff_tasks (kind, created_at, id) WHERE done_at IS NULL;
