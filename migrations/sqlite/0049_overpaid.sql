-- Twin of migrations/postgres/0049_overpaid.sql.

-- What was paid too much is a task from now on. Whoever has paid too much already is listed anew, and gets it by that.
UPDATE listings SET has_tasks = 0 WHERE application_id IN (
    SELECT t.application_id FROM ledger_entries e JOIN ledger_transactions t ON t.id = e.transaction_id
    WHERE e.account = 'unapplied' GROUP BY t.application_id HAVING SUM(e.cents) < 0
);
