-- Twin of migrations/postgres/0052_webhooks.sql.

-- Programs of the institute that are told what happens to applications.
CREATE TABLE webhook_endpoints (
    id                  TEXT PRIMARY KEY,
    -- What it is for
    name                TEXT NOT NULL,
    url                 TEXT NOT NULL,
    -- Kinds of events, each with a space after it; empty for all
    events              TEXT NOT NULL,
    -- Both sealed with the program's secret; the former one still signs until the time beside it
    secret              TEXT NOT NULL,
    former_secret       TEXT,
    former_secret_until INTEGER,
    created_at          INTEGER NOT NULL,
    created_by          TEXT NOT NULL REFERENCES staff (id),
    paused_at           INTEGER,
    pause_reason        TEXT CHECK (pause_reason IN ('staff', 'failing', 'gone')),
    -- Set while it takes nothing; it is not called again before retry_at
    failing_since       INTEGER,
    retry_at            INTEGER NOT NULL
) STRICT;

-- What happened. Only written if an endpoint wants it.
CREATE TABLE webhook_events (
    id             TEXT PRIMARY KEY,
    -- NULL for a test
    application_id TEXT REFERENCES applications (id),
    -- The order of an application's events
    position       INTEGER NOT NULL,
    kind           TEXT NOT NULL,
    -- JSON, byte for byte as it is sent
    body           TEXT NOT NULL,
    occurred_at    INTEGER NOT NULL
) STRICT;
CREATE INDEX webhook_events_application ON webhook_events (application_id, position);

-- An event on its way to an endpoint.
CREATE TABLE webhook_deliveries (
    endpoint_id TEXT NOT NULL REFERENCES webhook_endpoints (id),
    event_id    TEXT NOT NULL REFERENCES webhook_events (id),
    -- Deliveries with the same queue are made in the order of position: the application's id, or the event's
    queue       TEXT NOT NULL,
    position    INTEGER NOT NULL,
    state       TEXT NOT NULL CHECK (state IN ('waiting', 'delivered', 'failed', 'skipped')),
    attempts    INTEGER NOT NULL,
    due_at      INTEGER NOT NULL,
    last_status INTEGER,
    last_error  TEXT,
    finished_at INTEGER,
    PRIMARY KEY (endpoint_id, event_id)
) STRICT;
CREATE INDEX webhook_deliveries_queue ON webhook_deliveries (endpoint_id, queue, position);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (endpoint_id, state, due_at);
CREATE INDEX webhook_deliveries_event ON webhook_deliveries (event_id);
