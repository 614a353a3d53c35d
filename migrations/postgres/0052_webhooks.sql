-- Twin of migrations/sqlite/0052_webhooks.sql.

-- Programs of the institute that are told what happens to applications.
CREATE TABLE webhook_endpoints (
    id                  TEXT COLLATE "C" PRIMARY KEY,
    -- What it is for
    name                TEXT NOT NULL,
    url                 TEXT NOT NULL,
    -- Kinds of events, each with a space after it; empty for all
    events              TEXT NOT NULL,
    -- Both sealed with the program's secret; the former one still signs until the time beside it
    secret              TEXT NOT NULL,
    former_secret       TEXT,
    former_secret_until BIGINT,
    created_at          BIGINT NOT NULL,
    created_by          TEXT COLLATE "C" NOT NULL REFERENCES staff (id),
    paused_at           BIGINT,
    pause_reason        TEXT CHECK (pause_reason IN ('staff', 'failing', 'gone')),
    -- Set while it takes nothing; it is not called again before retry_at
    failing_since       BIGINT,
    retry_at            BIGINT NOT NULL
);

-- What happened. Only written if an endpoint wants it.
CREATE TABLE webhook_events (
    id             TEXT COLLATE "C" PRIMARY KEY,
    -- NULL for a test
    application_id TEXT COLLATE "C" REFERENCES applications (id),
    -- The order of an application's events
    position       BIGINT NOT NULL,
    kind           TEXT NOT NULL,
    -- JSON, byte for byte as it is sent
    body           TEXT NOT NULL,
    occurred_at    BIGINT NOT NULL
);
CREATE INDEX webhook_events_application ON webhook_events (application_id, position);

-- An event on its way to an endpoint.
CREATE TABLE webhook_deliveries (
    endpoint_id TEXT COLLATE "C" NOT NULL REFERENCES webhook_endpoints (id),
    event_id    TEXT COLLATE "C" NOT NULL REFERENCES webhook_events (id),
    -- Deliveries with the same queue are made in the order of position: the application's id, or the event's
    queue       TEXT COLLATE "C" NOT NULL,
    position    BIGINT NOT NULL,
    state       TEXT NOT NULL CHECK (state IN ('waiting', 'delivered', 'failed', 'skipped')),
    attempts    BIGINT NOT NULL,
    due_at      BIGINT NOT NULL,
    last_status BIGINT,
    last_error  TEXT,
    finished_at BIGINT,
    PRIMARY KEY (endpoint_id, event_id)
);
CREATE INDEX webhook_deliveries_queue ON webhook_deliveries (endpoint_id, queue, position);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (endpoint_id, state, due_at);
CREATE INDEX webhook_deliveries_event ON webhook_deliveries (event_id);
