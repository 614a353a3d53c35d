-- Twin of migrations/sqlite/0040_closed_tasks.sql.

-- How a task was closed: 'stage' by a change of stage, staff:ID by somebody who ticked it off, null by its cause.
ALTER TABLE staff_tasks ADD COLUMN closed_by TEXT;
-- What they said to it.
ALTER TABLE staff_tasks ADD COLUMN note TEXT NOT NULL DEFAULT '';
