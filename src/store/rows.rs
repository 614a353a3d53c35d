//! Rows, and their conversion to types of the domain. The column lists give every column a unique name, so that rows
//! can be joined.

use sqlx::{ColumnIndex, Decode, FromRow, Row, Type};

use super::error::unreadable;
use super::in_place::{Columns, InPlace, joined_row, row};
use super::outbox::read_attachment;
use crate::{EmailChange, StoreError};
use domain::account::{Applicant, Profile};
use domain::application::{Answers, Application, EndedApplication, Release, Snapshot};
use domain::language::Language;
use domain::mail::{Mail, Message};
use domain::program::Program;
use domain::role::Role;
use domain::session::Session;
use domain::staff::Staff;
use domain::status::{Act, Stage};

/// Columns of `applicants`.
macro_rules! applicant_columns {
    () => {
        "applicants.id AS applicant_id, applicants.email, applicants.first_name, applicants.last_name, \
         applicants.date_of_birth, applicants.phone_number, applicants.country, applicants.state, \
         applicants.time_zone, applicants.password_hash, applicants.code_seed AS applicant_code_seed, \
         applicants.passkeys AS applicant_passkeys, applicants.disabled_at, \
         applicants.created_at AS registered_at, applicants.reminders_off_at, applicants.language, \
         applicants.email_confirmed_at"
    };
}
pub(super) use applicant_columns;

row! {
    pub(super) struct ApplicantRow {
        applicant_id: String,
        email: String,
        first_name: String,
        last_name: String,
        date_of_birth: String,
        phone_number: String,
        country: String,
        state: Option<String>,
        time_zone: String,
        password_hash: String,
        applicant_code_seed: Option<String>,
        applicant_passkeys: i64,
        disabled_at: Option<i64>,
        registered_at: i64,
        reminders_off_at: Option<i64>,
        language: String,
        email_confirmed_at: Option<i64>,
    }
}

impl TryFrom<ApplicantRow> for Applicant {
    type Error = StoreError;

    fn try_from(row: ApplicantRow) -> Result<Self, StoreError> {
        let date_of_birth =
            row.date_of_birth.parse().map_err(|_| unreadable("applicants.date_of_birth", &row.applicant_id))?;
        Ok(Applicant {
            id: row.applicant_id,
            email: row.email,
            profile: Profile {
                first_name: row.first_name,
                last_name: row.last_name,
                date_of_birth,
                phone_number: row.phone_number,
                country: row.country,
                state: row.state,
                time_zone: row.time_zone,
                reminders: row.reminders_off_at.is_none(),
                language: Language::parse(&row.language).unwrap_or_default(),
            },
            password_hash: row.password_hash,
            code_seed: row.applicant_code_seed,
            passkeys: row.applicant_passkeys,
            disabled_at: row.disabled_at,
            created_at: row.registered_at,
            email_confirmed_at: row.email_confirmed_at,
        })
    }
}

/// Columns of `sessions s` or `staff_sessions s`.
macro_rules! session_columns {
    () => {
        "s.id AS session_id, s.created_at AS opened_at, s.last_seen_at, s.expires_at, s.user_agent"
    };
}
pub(super) use session_columns;

row! {
    pub(super) struct SessionRow {
        session_id: String,
        opened_at: i64,
        last_seen_at: i64,
        expires_at: i64,
        user_agent: String,
    }
}

impl From<SessionRow> for Session {
    fn from(row: SessionRow) -> Self {
        Session {
            id: row.session_id,
            created_at: row.opened_at,
            last_seen_at: row.last_seen_at,
            expires_at: row.expires_at,
            user_agent: row.user_agent,
        }
    }
}

/// Columns of `applications`. No alias: SQLite allows none in `RETURNING`.
macro_rules! application_columns {
    () => {
        "applications.id AS application_id, applications.applicant_id AS owner_id, applications.program, \
         applications.stage, applications.answers, applications.revision, applications.reference, \
         applications.created_at AS started_at, applications.updated_at, applications.submitted_at, \
         applications.archived_at, applications.released_at, applications.released_from"
    };
}
pub(super) use application_columns;

row! {
    pub(super) struct ApplicationRow {
        application_id: String,
        owner_id: String,
        program: String,
        stage: String,
        answers: String,
        revision: i64,
        reference: Option<String>,
        started_at: i64,
        updated_at: i64,
        submitted_at: Option<i64>,
        archived_at: Option<i64>,
        released_at: Option<i64>,
        released_from: Option<String>,
    }
}

impl TryFrom<ApplicationRow> for Application {
    type Error = StoreError;

    fn try_from(row: ApplicationRow) -> Result<Self, StoreError> {
        let id = row.application_id;
        let released = match (row.released_at, row.released_from.as_deref()) {
            (Some(at), Some(from)) => {
                let from = Stage::parse(from).ok_or_else(|| unreadable("applications.released_from", &id))?;
                Some(Release { at, from })
            }
            _ => None,
        };
        Ok(Application {
            program: Program::of_application_type(&row.program)
                .ok_or_else(|| unreadable("applications.program", &id))?,
            stage: Stage::parse(&row.stage).ok_or_else(|| unreadable("applications.stage", &id))?,
            answers: Answers::from_stored(row.answers).map_err(|_| unreadable("applications.answers", &id))?,
            id,
            applicant_id: row.owner_id,
            revision: row.revision,
            reference: row.reference,
            created_at: row.started_at,
            updated_at: row.updated_at,
            submitted_at: row.submitted_at,
            archived_at: row.archived_at,
            released,
        })
    }
}

row! {
    pub(super) struct SnapshotRow {
        application_id: String,
        number: i64,
        program: String,
        answers: String,
        taken_at: i64,
    }
}

impl TryFrom<SnapshotRow> for Snapshot {
    type Error = StoreError;

    fn try_from(row: SnapshotRow) -> Result<Self, StoreError> {
        let id = row.application_id;
        Ok(Snapshot {
            program: Program::of_application_type(&row.program).ok_or_else(|| unreadable("snapshots.program", &id))?,
            answers: Answers::from_submitted(row.answers).map_err(|_| unreadable("snapshots.answers", &id))?,
            application_id: id,
            number: row.number,
            taken_at: row.taken_at,
        })
    }
}

joined_row! {
    /// An application and its applicant.
    pub(super) struct OwnedRow {
        pub applicant: ApplicantRow,
        pub application: ApplicationRow,
    }
}

row! {
    /// How an application ended.
    pub(super) struct EndRow {
        act: String,
        former_stage: Option<String>,
    }
}

joined_row! {
    pub(super) struct EndedRow {
        application: ApplicationRow,
        end: EndRow,
    }
}

impl TryFrom<EndedRow> for EndedApplication {
    type Error = StoreError;

    fn try_from(row: EndedRow) -> Result<Self, StoreError> {
        let application = Application::try_from(row.application)?;
        let unreadable = |column: &str| unreadable(column, &application.id);
        let former = row.end.former_stage.as_deref();
        Ok(EndedApplication {
            ended_at: application.archived_at.ok_or_else(|| unreadable("applications.archived_at"))?,
            act: Act::parse(&row.end.act).ok_or_else(|| unreadable("stage_changes.act"))?,
            former: former
                .map(|stage| Stage::parse(stage).ok_or_else(|| unreadable("stage_changes.former_stage")))
                .transpose()?,
            application,
        })
    }
}

/// An application from a `LEFT JOIN`.
pub(super) struct JoinedApplication(pub Option<ApplicationRow>);

impl<'r, R: Row> FromRow<'r, R> for JoinedApplication
where
    ApplicationRow: FromRow<'r, R>,
    &'static str: ColumnIndex<R>,
    Option<String>: Decode<'r, R::Database> + Type<R::Database>,
{
    fn from_row(row: &'r R) -> sqlx::Result<Self> {
        let id: Option<String> = row.try_get("application_id")?;
        Ok(JoinedApplication(id.map(|_| ApplicationRow::from_row(row)).transpose()?))
    }
}

impl InPlace for JoinedApplication {
    fn in_place(columns: &mut Columns<'_>) -> sqlite::Result<Self> {
        let found = !columns.is_null()?;
        Ok(JoinedApplication(found.then(|| ApplicationRow::in_place(columns)).transpose()?))
    }
}

/// Columns of `staff m`.
macro_rules! staff_columns {
    () => {
        "m.id AS staff_id, m.name, m.email, m.role, m.password_hash, m.code_seed, m.passkeys, m.suspended_at, \
         m.created_at AS hired_at"
    };
}
pub(super) use staff_columns;

row! {
    pub(super) struct StaffRow {
        staff_id: String,
        name: String,
        email: String,
        role: String,
        password_hash: String,
        code_seed: Option<String>,
        passkeys: i64,
        suspended_at: Option<i64>,
        hired_at: i64,
    }
}

impl TryFrom<StaffRow> for Staff {
    type Error = StoreError;

    fn try_from(row: StaffRow) -> Result<Self, StoreError> {
        Ok(Staff {
            role: Role::parse(&row.role).ok_or_else(|| unreadable("staff.role", &row.staff_id))?,
            id: row.staff_id,
            name: row.name,
            email: row.email,
            password_hash: row.password_hash,
            code_seed: row.code_seed,
            passkeys: row.passkeys,
            suspended_at: row.suspended_at,
            created_at: row.hired_at,
        })
    }
}

/// The state of a mail as it is shown.
macro_rules! mail_state {
    () => {
        "CASE WHEN held_at IS NULL THEN state ELSE 'held' END"
    };
}
pub(super) use mail_state;

/// Columns of `outbox`.
macro_rules! mail_columns {
    () => {
        "id, recipient, subject, body_text, body_html, attachment, attempts, state, created_at, traceparent, sealed, \
         unsubscribe_url"
    };
}
pub(super) use mail_columns;

row! {
    pub(super) struct MailRow {
        id: String,
        recipient: String,
        subject: String,
        body_text: String,
        body_html: String,
        attachment: Option<String>,
        attempts: i64,
        state: String,
        created_at: i64,
        traceparent: Option<String>,
        sealed: Option<String>,
        unsubscribe_url: Option<String>,
    }
}

impl TryFrom<MailRow> for Mail {
    type Error = StoreError;

    fn try_from(row: MailRow) -> Result<Self, StoreError> {
        let attachment = row
            .attachment
            .as_deref()
            .map(|stored| read_attachment(stored).ok_or_else(|| unreadable("outbox.attachment", &row.id)));
        Ok(Mail {
            attachment: attachment.transpose()?,
            id: row.id,
            to: row.recipient,
            subject: row.subject,
            text: row.body_text,
            html: row.body_html,
            attempts: row.attempts,
            state: row.state,
            created_at: row.created_at,
            traceparent: row.traceparent,
            sealed: row.sealed,
            unsubscribe_url: row.unsubscribe_url,
        })
    }
}

/// Selects the mails of `outbox` that are messages themselves, rather than notices of one in the conversation.
macro_rules! is_message {
    () => {
        "template <> 'message-written'"
    };
}
pub(super) use is_message;

/// Counts the messages that the applicant `$1` has not read: mails, and what staff wrote in the conversation.
macro_rules! unread_messages {
    () => {
        concat!(
            "(SELECT COUNT(*) FROM outbox WHERE applicant_id = $1 AND read_at IS NULL AND ",
            $crate::rows::is_message!(),
            ") + (SELECT COUNT(*) FROM conversation_messages m JOIN applications a ON a.id = m.application_id \
             WHERE a.applicant_id = $1 AND m.staff_id IS NOT NULL AND m.read_at IS NULL)"
        )
    };
}
pub(super) use unread_messages;

/// Columns of `outbox`, as the applicant may read them.
macro_rules! message_columns {
    () => {
        concat!(
            "id, recipient, subject, COALESCE(message_text, body_text) AS message_text, ",
            $crate::rows::mail_state!(),
            " AS state, attempts, created_at, read_at"
        )
    };
}
pub(super) use message_columns;

row! {
    pub(super) struct MessageRow {
        id: String,
        recipient: String,
        subject: String,
        message_text: String,
        state: String,
        attempts: i64,
        created_at: i64,
        read_at: Option<i64>,
    }
}

impl From<MessageRow> for Message {
    fn from(row: MessageRow) -> Self {
        Message {
            id: row.id,
            to: row.recipient,
            subject: row.subject,
            text: row.message_text,
            state: row.state,
            attempts: row.attempts,
            created_at: row.created_at,
            read_at: row.read_at,
        }
    }
}

/// Columns of `email_changes`.
macro_rules! email_change_columns {
    () => {
        "email_changes.applicant_id AS changing_id, email_changes.email AS new_email, old_digest, new_digest, \
         old_confirmed_at, new_confirmed_at, email_changes.created_at AS asked_at, email_changes.expires_at"
    };
}
pub(super) use email_change_columns;

row! {
    pub(super) struct EmailChangeRow {
        changing_id: String,
        new_email: String,
        old_digest: String,
        new_digest: String,
        old_confirmed_at: Option<i64>,
        new_confirmed_at: Option<i64>,
        asked_at: i64,
        expires_at: i64,
    }
}

impl From<EmailChangeRow> for EmailChange {
    fn from(row: EmailChangeRow) -> Self {
        EmailChange {
            applicant_id: row.changing_id,
            email: row.new_email,
            old_digest: row.old_digest,
            new_digest: row.new_digest,
            old_confirmed_at: row.old_confirmed_at,
            new_confirmed_at: row.new_confirmed_at,
            created_at: row.asked_at,
            expires_at: row.expires_at,
        }
    }
}
