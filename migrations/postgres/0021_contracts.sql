-- Twin of migrations/sqlite/0021_contracts.sql.

-- Published templates of contracts, version by version. Version 0 is what the product came with and has no row.
CREATE TABLE contract_templates (
    id            TEXT PRIMARY KEY,
    program       TEXT NOT NULL CHECK (program IN ('ba', 'msc')),
    -- Counts up for each program, from 1. The highest one is used.
    version       BIGINT NOT NULL,
    -- Markup, see domain::contract.
    body          TEXT NOT NULL,
    published_at  BIGINT NOT NULL,
    published_by  TEXT NOT NULL REFERENCES staff (id),
    -- The earlier version whose text this is again; 0 for what the product came with.
    restored_from BIGINT
);
CREATE UNIQUE INDEX contract_templates_version ON contract_templates (program, version);

-- The template that is being written for a program, mistakes included.
CREATE TABLE contract_template_drafts (
    program    TEXT PRIMARY KEY CHECK (program IN ('ba', 'msc')),
    revision   BIGINT NOT NULL,
    body       TEXT NOT NULL,
    changed_at BIGINT NOT NULL,
    changed_by TEXT NOT NULL REFERENCES staff (id)
);

CREATE TABLE contracts (
    id                 TEXT PRIMARY KEY,
    application_id     TEXT NOT NULL REFERENCES applications (id),
    -- Counts up for each application, from 1.
    number             BIGINT NOT NULL,
    state              TEXT NOT NULL CHECK (state IN ('draft', 'sent', 'viewed', 'signed', 'countersigned', 'declined',
                                                      'voided', 'expired')),
    -- Counts up with every event, from 1.
    revision           BIGINT NOT NULL,
    -- The secret end of the address at which anybody can check it.
    code               TEXT NOT NULL,
    template_version   BIGINT NOT NULL,
    -- Canonical, and frozen when it is sent; null before.
    body               TEXT,
    -- SHA-256 of it.
    body_hash          TEXT,
    changed_at         BIGINT NOT NULL,
    sent_at            BIGINT,
    -- The first moment at which it cannot be signed any more.
    expires_at         BIGINT,
    consented_at       BIGINT,
    signed_at          BIGINT,
    signed_name        TEXT,
    on_paper           BIGINT NOT NULL CHECK (on_paper IN (0, 1)),
    countersigned_at   BIGINT,
    countersigned_name TEXT,
    -- Declined, voided or expired.
    ended_at           BIGINT,
    end_reason         TEXT,
    -- The signed copy in the storage, and its SHA-256.
    file_object        TEXT,
    file_size          BIGINT,
    file_hash          TEXT
);
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
    position    BIGINT NOT NULL,
    act         TEXT NOT NULL,
    happened_at BIGINT NOT NULL,
    actor       TEXT NOT NULL,
    name        TEXT NOT NULL,
    address     TEXT NOT NULL,
    detail      TEXT NOT NULL,
    text_hash   TEXT NOT NULL,
    hash        TEXT NOT NULL,
    PRIMARY KEY (contract_id, position)
);
