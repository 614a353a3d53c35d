-- Twin of migrations/sqlite/0005_documents.sql.

-- Files of applicants. Their bytes are in the storage; a row is written after its bytes and removed before them.
CREATE TABLE documents (
    id           TEXT PRIMARY KEY,
    applicant_id TEXT NOT NULL REFERENCES applicants (id),
    -- Which document it is, by the names of src/domain/documents/slots.rs
    slot         TEXT NOT NULL,
    name         TEXT NOT NULL,
    state        TEXT NOT NULL CHECK (state IN ('uploading', 'checking', 'received', 'refused')),
    -- Bytes: announced (null where that is not known), then arrived, then kept.
    size         BIGINT CHECK (size >= 0),
    -- Bytes that are safe in the parts.
    received     BIGINT NOT NULL CHECK (received >= 0),
    -- SHA-256 of what is kept, hexadecimal
    sha256       TEXT,
    -- What is kept, by its name in the storage
    object       TEXT,
    -- The code of why it was refused
    rejection    TEXT,
    -- Until when a process has it for checking
    lease_until  BIGINT NOT NULL,
    created_at   BIGINT NOT NULL,
    updated_at   BIGINT NOT NULL
);
CREATE INDEX documents_applicant ON documents (applicant_id, created_at);
CREATE INDEX documents_state ON documents (state, updated_at);
CREATE UNIQUE INDEX documents_object ON documents (object) WHERE object IS NOT NULL;

-- Pieces of uploads that are not whole or not checked yet.
CREATE TABLE document_parts (
    document_id TEXT NOT NULL REFERENCES documents (id),
    -- Where in the file it begins, and how long it is, in bytes
    start       BIGINT NOT NULL,
    length      BIGINT NOT NULL CHECK (length > 0),
    object      TEXT NOT NULL,
    PRIMARY KEY (document_id, start)
);
CREATE UNIQUE INDEX document_parts_object ON document_parts (object);

-- What staff decided about a document of an application: the latest decision; the audit has all of them.
CREATE TABLE document_reviews (
    application_id TEXT NOT NULL REFERENCES applications (id),
    slot           TEXT NOT NULL,
    decision       TEXT NOT NULL CHECK (decision IN ('accepted', 'replace', 'waived')),
    -- For the applicant; empty where none is needed
    reason         TEXT NOT NULL,
    staff_id       TEXT NOT NULL REFERENCES staff (id),
    decided_at     BIGINT NOT NULL,
    PRIMARY KEY (application_id, slot)
);
