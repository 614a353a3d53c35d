-- Twin of migrations/postgres/0041_work.sql.

-- Whose task it is: the interviewer, whose the application is, or who took it.
ALTER TABLE staff_tasks ADD COLUMN assigned_to TEXT REFERENCES staff (id);
-- The list of tasks: of a kind, and of somebody's of a kind, the most pressing first. What has a day to be done by comes in its
-- order with what has waited since a day.
CREATE INDEX staff_tasks_work ON staff_tasks (kind, (COALESCE(due_at, created_at)), id) WHERE done_at IS NULL;
CREATE INDEX staff_tasks_mine ON staff_tasks (assigned_to, kind, (COALESCE(due_at, created_at)), id) WHERE done_at IS NULL;

-- Whether the tasks that follow from the state of the application were written with the row.
ALTER TABLE listings ADD COLUMN has_tasks INTEGER NOT NULL DEFAULT 0;
CREATE INDEX listings_without_tasks ON listings (application_id) WHERE has_tasks = 0;
