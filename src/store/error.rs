//! What the databases' errors mean to the use cases.

use sqlx::error::DatabaseError;
use sqlx::sqlite::SqliteError;

use sqlite::ReadError;

/// Why the store failed.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// A unique constraint was violated; the name of the field that is taken.
    #[error("{0} is taken")]
    Taken(&'static str),
    /// The database is unreachable, full or too busy: nothing was changed.
    #[error("the database is unavailable")]
    Unavailable(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// A bug.
    #[error("the database answered unexpectedly")]
    Broken(#[source] Box<dyn std::error::Error + Send + Sync>),
}

pub type Stored<T> = Result<T, StoreError>;

/// Unique constraints that users can run into: the field, the name of the index in PostgreSQL, and of the column in
/// SQLite.
const TAKEN: [(&str, &str, &str); 14] = [
    ("email", "applicants_email", "applicants.email_key"),
    ("staff", "staff_email", "staff.email_key"),
    ("invitation", "staff_invitations_email", "staff_invitations.email_key"),
    ("application", "applications_one_active", "applications.applicant_id"),
    ("reference", "applications_reference", "applications.reference"),
    ("questionnaire", "questionnaires_published", "questionnaires.program"),
    ("questionnaire", "questionnaires_version", "questionnaires.program, questionnaires.version"),
    ("note", "application_notes_pkey", "application_notes.id"),
    ("mail", "outbox_pkey", "outbox.id"),
    ("message", "conversation_messages_pkey", "conversation_messages.id"),
    ("referee", "referees_email", "referees.application_id, referees.email_key"),
    ("former_reference", "imported_applications_reference", "imported_applications.former_reference"),
    ("fee_code", "fee_codes_code", "fee_codes.code"),
    ("slots", "interview_slots_staff", "interview_slots.staff_id, interview_slots.starts_at"),
];

/// Primary result codes of SQLite that say "not now": BUSY, LOCKED, NOMEM, READONLY, INTERRUPT, IOERR, FULL, CANTOPEN,
/// PROTOCOL. <https://www.sqlite.org/rescode.html>
const SQLITE_UNAVAILABLE: [i32; 9] = [5, 6, 7, 8, 9, 10, 13, 14, 15];

/// Classes and codes of PostgreSQL that say "not now": connection, resources (a full disk among them), operator
/// (shutdown, statement timeout), system, rolled back for another transaction, lock not available, a read-only standby,
/// a transaction that was idle. <https://www.postgresql.org/docs/current/errcodes-appendix.html>
const POSTGRES_UNAVAILABLE: [&str; 8] = ["08", "53", "57", "58", "40", "55P03", "25006", "25P03"];

pub(super) fn stored(error: sqlx::Error) -> StoreError {
    let unavailable = match &error {
        sqlx::Error::Database(database) => {
            if let Some(field) = taken(&**database) {
                return StoreError::Taken(field);
            }
            says_not_now(&**database)
        }
        sqlx::Error::Io(_)
        | sqlx::Error::Tls(_)
        | sqlx::Error::PoolTimedOut
        | sqlx::Error::PoolClosed
        | sqlx::Error::WorkerCrashed
        // A proxy accepts the connection and closes it, or answers with something that is not PostgreSQL's protocol.
        | sqlx::Error::Protocol(_)
        // The connection is about to be closed.
        | sqlx::Error::InvalidSavePointStatement
        | sqlx::Error::BeginFailed => true,
        _ => false,
    };
    if unavailable { StoreError::Unavailable(error.into()) } else { StoreError::Broken(error.into()) }
}

/// Converts the error of a read in place.
pub(super) fn read_in_place(error: ReadError) -> StoreError {
    let is_unavailable = match &error {
        ReadError::Closed => true,
        ReadError::Sqlite(error) => {
            error.sqlite_error().is_some_and(|error| SQLITE_UNAVAILABLE.contains(&(error.extended_code & 0xff)))
        }
    };
    if is_unavailable { StoreError::Unavailable(error.into()) } else { StoreError::Broken(error.into()) }
}

fn taken(error: &dyn DatabaseError) -> Option<&'static str> {
    if !error.is_unique_violation() {
        return None;
    }
    let is_it = |index: &str, column: &str| match error.constraint() {
        Some(name) => name == index,
        // SQLite names the column at the end of its message.
        None => error.message().ends_with(&format!(": {column}")),
    };
    TAKEN.iter().find(|(_, index, column)| is_it(index, column)).map(|(field, ..)| *field)
}

fn says_not_now(error: &dyn DatabaseError) -> bool {
    let Some(code) = error.code() else { return false };
    if error.try_downcast_ref::<SqliteError>().is_some() {
        // The extended code's low byte is the primary one.
        code.parse::<i32>().is_ok_and(|code| SQLITE_UNAVAILABLE.contains(&(code & 0xff)))
    } else {
        POSTGRES_UNAVAILABLE.iter().any(|prefix| code.starts_with(prefix))
    }
}

/// A stored value that no version of this program writes.
pub(super) fn unreadable(column: &str, id: &str) -> StoreError {
    StoreError::Broken(format!("cannot read {column} of {id}").into())
}

/// A row that the caller has seen is gone.
pub(super) fn missing(what: &str, id: &str) -> StoreError {
    StoreError::Broken(format!("there is no {what} {id}").into())
}
