//! Rows, and what they are in the product. The column lists give every column a name of its own, so that rows can be
//! joined.

use sqlx::{ColumnIndex, Decode, FromRow, Row, Type};

use super::error::unreadable;
use super::in_place::{Columns, InPlace, joined_row, row};
use crate::app::ports::{Applicant, Application, EndedApplication, Mail, Session, Staff, StoreError};
use crate::domain::account::Profile;
use crate::domain::application::Answers;
use crate::domain::program::Program;
use crate::domain::role::Role;
use crate::domain::status::{Act, Stage};

/// Columns of `applicants`.
macro_rules! applicant_columns {
    () => {
        "applicants.id AS applicant_id, applicants.email, applicants.first_name, applicants.last_name, \
         applicants.date_of_birth, applicants.phone_number, applicants.country, applicants.state, \
         applicants.time_zone, applicants.password_hash, applicants.disabled_at, applicants.created_at AS registered_at"
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
        disabled_at: Option<i64>,
        registered_at: i64,
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
            },
            password_hash: row.password_hash,
            disabled_at: row.disabled_at,
            created_at: row.registered_at,
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

/// Columns of `applications`. No alias: SQLite knows none in `RETURNING`.
macro_rules! application_columns {
    () => {
        "applications.id AS application_id, applications.applicant_id AS owner_id, applications.program, \
         applications.stage, applications.answers, applications.revision, applications.reference, \
         applications.created_at AS started_at, applications.updated_at, applications.submitted_at, \
         applications.archived_at"
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
    }
}

impl TryFrom<ApplicationRow> for Application {
    type Error = StoreError;

    fn try_from(row: ApplicationRow) -> Result<Self, StoreError> {
        let id = row.application_id;
        Ok(Application {
            program: Program::of_application_type(&row.program)
                .ok_or_else(|| unreadable("applications.program", &id))?,
            stage: Stage::parse(&row.stage).ok_or_else(|| unreadable("applications.stage", &id))?,
            answers: Answers::from_stored(&row.answers).map_err(|_| unreadable("applications.answers", &id))?,
            id,
            applicant_id: row.owner_id,
            revision: row.revision,
            reference: row.reference,
            created_at: row.started_at,
            updated_at: row.updated_at,
            submitted_at: row.submitted_at,
            archived_at: row.archived_at,
        })
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

/// An application of a `LEFT JOIN`.
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
    fn in_place(columns: &mut Columns<'_>) -> rusqlite::Result<Self> {
        let found = !columns.is_null()?;
        Ok(JoinedApplication(found.then(|| ApplicationRow::in_place(columns)).transpose()?))
    }
}

/// Columns of `staff m`.
macro_rules! staff_columns {
    () => {
        "m.id AS staff_id, m.email, m.role, m.password_hash, m.suspended_at, m.created_at AS hired_at"
    };
}
pub(super) use staff_columns;

row! {
    pub(super) struct StaffRow {
        staff_id: String,
        email: String,
        role: String,
        password_hash: String,
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
            email: row.email,
            password_hash: row.password_hash,
            suspended_at: row.suspended_at,
            created_at: row.hired_at,
        })
    }
}

/// Columns of `outbox`.
macro_rules! mail_columns {
    () => {
        "id, recipient, subject, body_text, body_html, attempts, state, created_at"
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
        attempts: i64,
        state: String,
        created_at: i64,
    }
}

impl From<MailRow> for Mail {
    fn from(row: MailRow) -> Self {
        Mail {
            id: row.id,
            to: row.recipient,
            subject: row.subject,
            text: row.body_text,
            html: row.body_html,
            attempts: row.attempts,
            state: row.state,
            created_at: row.created_at,
        }
    }
}
