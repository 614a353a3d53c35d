-- Twin of migrations/postgres/0021_contracts.sql.

-- Published templates of contracts, version by version. Version 0 is what the product came with and has no row.
CREATE TABLE contract_templates (
    id            TEXT PRIMARY KEY,
    program       TEXT NOT NULL CHECK (program IN ('ba', 'msc')),
    -- Counts up for each program, from 1. The highest one is used.
    version       INTEGER NOT NULL,
    -- Markup, see domain::contract.
    body          TEXT NOT NULL,
    published_at  INTEGER NOT NULL,
    published_by  TEXT NOT NULL REFERENCES staff (id),
    -- The earlier version whose text this is again; 0 for what the product came with.
    restored_from INTEGER
) STRICT;
CREATE UNIQUE INDEX contract_templates_version ON contract_templates (program, version);

-- The template that is being written for a program, mistakes included.
CREATE TABLE contract_template_drafts (
    program    TEXT PRIMARY KEY CHECK (program IN ('ba', 'msc')),
    revision   INTEGER NOT NULL,
    body       TEXT NOT NULL,
    changed_at INTEGER NOT NULL,
    changed_by TEXT NOT NULL REFERENCES staff (id)
) STRICT;

CREATE TABLE contracts (
    id                 TEXT PRIMARY KEY,
    application_id     TEXT NOT NULL REFERENCES applications (id),
    -- Counts up for each application, from 1.
    number             INTEGER NOT NULL,
    state              TEXT NOT NULL CHECK (state IN ('draft', 'sent', 'viewed', 'signed', 'countersigned', 'declined',
                                                      'voided', 'expired')),
    -- Counts up with every event, from 1.
    revision           INTEGER NOT NULL,
    -- The secret end of the address at which anybody can check it.
    code               TEXT NOT NULL,
    template_version   INTEGER NOT NULL,
    -- Canonical, and frozen when it is sent; null before.
    body               TEXT,
    -- SHA-256 of it.
    body_hash          TEXT,
    changed_at         INTEGER NOT NULL,
    sent_at            INTEGER,
    -- The first moment at which it cannot be signed any more.
    expires_at         INTEGER,
    consented_at       INTEGER,
    signed_at          INTEGER,
    signed_name        TEXT,
    on_paper           INTEGER NOT NULL CHECK (on_paper IN (0, 1)),
    countersigned_at   INTEGER,
    countersigned_name TEXT,
    -- Declined, voided or expired.
    ended_at           INTEGER,
    end_reason         TEXT,
    -- The signed copy in the storage, and its SHA-256.
    file_object        TEXT,
    file_size          INTEGER,
    file_hash          TEXT
) STRICT;
CREATE UNIQUE INDEX contracts_number ON contracts (application_id, number);
CREATE UNIQUE INDEX contracts_under_way ON contracts (application_id)
    WHERE state IN ('draft', 'sent', 'viewed', 'signed');
CREATE UNIQUE INDEX contracts_code ON contracts (code);
CREATE INDEX contracts_state ON contracts (state, changed_at, id);
CREATE INDEX contracts_file ON contracts (file_object);

-- What happened to a contract: a chain of hashes, see domain::contract.
CREATE TABLE contract_events (
    contract_id TEXT NOT NULL REFERENCES contracts (id),
    -- The revision that the contract got by it.
    position    INTEGER NOT NULL,
    act         TEXT NOT NULL,
    happened_at INTEGER NOT NULL,
    actor       TEXT NOT NULL,
    name        TEXT NOT NULL,
    address     TEXT NOT NULL,
    detail      TEXT NOT NULL,
    text_hash   TEXT NOT NULL,
    hash        TEXT NOT NULL,
    PRIMARY KEY (contract_id, position)
) STRICT;
