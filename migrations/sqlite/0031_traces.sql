-- Twin of migrations/postgres/0031_traces.sql.

-- The trace of the request that wrote it, which goes on when it is sent or done: https://www.w3.org/TR/trace-context/
ALTER TABLE outbox ADD COLUMN traceparent TEXT;
ALTER TABLE jobs ADD COLUMN traceparent TEXT;
