//! Applicants' sessions.

use super::Db;
use super::in_place::joined_row;
use super::query::{Tx, args};
use super::rows::{
    ApplicantRow, JoinedApplication, SessionRow, applicant_columns, application_columns, session_columns,
};
use crate::{AuditEntry, Stored};
use domain::account::Applicant;
use domain::application::Application;
use domain::moments::{MINUTE, Millis};
use domain::session::Session;

/// Maximum open sessions of an account. Opening another one ends the one that was seen least recently.
pub const MAX_SESSIONS: i64 = 20;

/// A new session of either kind of account.
#[derive(Debug, Clone)]
pub struct NewSession {
    pub id: String,
    /// Digest of the cookie's secret.
    pub cookie_digest: String,
    pub created_at: Millis,
    pub expires_at: Millis,
    pub address: String,
    pub user_agent: String,
}

/// How a session is looked up.
#[derive(Debug, Clone, Copy)]
pub enum SessionKey<'a> {
    /// The digest of the cookie's secret.
    Cookie(&'a str),
    /// The `sid` of a bearer token.
    Id(&'a str),
}

/// The session whose `$key` is `$1`, open at the time `$2` and `$waiting` for its code, with its account.
macro_rules! session {
    ($key:literal, $waiting:literal) => {
        concat!(
            "SELECT ",
            session_columns!(),
            ", ",
            applicant_columns!(),
            " FROM sessions s JOIN applicants ON applicants.id = s.applicant_id WHERE s.",
            $key,
            " = $1 AND s.revoked_at IS NULL AND s.expires_at > $2 AND s.code_until ",
            $waiting
        )
    };
}

/// The open session whose `$key` is `$1` at the time `$2`, with its account and the active application.
macro_rules! open_session_with_application {
    ($key:literal) => {
        concat!(
            "SELECT ",
            session_columns!(),
            ", ",
            applicant_columns!(),
            ", ",
            application_columns!(),
            " FROM sessions s JOIN applicants ON applicants.id = s.applicant_id \
             LEFT JOIN applications ON applications.applicant_id = applicants.id AND archived_at IS NULL WHERE s.",
            $key,
            " = $1 AND s.revoked_at IS NULL AND s.expires_at > $2 AND s.code_until IS NULL"
        )
    };
}

/// Ends all open sessions of the account `$1`, except the `$3` seen last, at the time `$2`.
macro_rules! end_oldest_sessions {
    ($table:literal, $account:literal) => {
        concat!(
            "UPDATE ",
            $table,
            " SET revoked_at = $2 WHERE ",
            $account,
            " = $1 AND revoked_at IS NULL AND expires_at > $2 AND id NOT IN (SELECT id FROM ",
            $table,
            " WHERE ",
            $account,
            " = $1 AND revoked_at IS NULL AND expires_at > $2 ORDER BY last_seen_at DESC, id DESC LIMIT $3)"
        )
    };
}
pub(super) use end_oldest_sessions;

joined_row! {
    struct SessionAndApplicant {
        session: SessionRow,
        applicant: ApplicantRow,
    }
}

joined_row! {
    struct SessionAndAll {
        session: SessionRow,
        applicant: ApplicantRow,
        application: JoinedApplication,
    }
}

impl Db {
    /// Opens a session if the account is not disabled and still has the password that was checked. Returns false
    /// otherwise. With `code_until`, it is open only once the code was given.
    pub async fn create_session(
        &self,
        applicant_id: &str,
        password_hash: &str,
        session: &NewSession,
        code_until: Option<Millis>,
        audit: &AuditEntry,
    ) -> Stored<bool> {
        let mut tx = self.begin().await?;
        // Changes nothing, but waits for a concurrent change of the password, and then finds another hash.
        let sql = "UPDATE applicants SET password_hash = $2 \
                   WHERE id = $1 AND password_hash = $2 AND disabled_at IS NULL AND closed_at IS NULL";
        if tx.execute(sql, args![applicant_id, password_hash]).await? == 0 {
            return Ok(false);
        }
        insert_session(&mut tx, applicant_id, session, code_until).await?;
        tx.audit(audit).await?;
        tx.commit().await?;
        Ok(true)
    }

    /// Returns the session and its account, unless revoked or expired at `now`. Notes the visit, at most once a minute.
    pub async fn session(&self, key: SessionKey<'_>, now: Millis) -> Stored<Option<(Session, Applicant)>> {
        let (sql, key) = match key {
            SessionKey::Cookie(digest) => (session!("cookie_digest", "IS NULL"), digest),
            SessionKey::Id(id) => (session!("id", "IS NULL"), id),
        };
        let row: Option<SessionAndApplicant> = self.reserved().fetch_optional(sql, args![key, now]).await?;
        let Some(row) = row else { return Ok(None) };
        let session = Session::from(row.session);
        self.note_visit(&session, now);
        Ok(Some((session, row.applicant.try_into()?)))
    }

    /// Returns the session, its account and its active application in one query: what a page needs.
    pub async fn session_with_application(
        &self,
        key: SessionKey<'_>,
        now: Millis,
    ) -> Stored<Option<(Session, Applicant, Option<Application>)>> {
        let (sql, key) = match key {
            SessionKey::Cookie(digest) => (open_session_with_application!("cookie_digest"), digest),
            SessionKey::Id(id) => (open_session_with_application!("id"), id),
        };
        let row: Option<SessionAndAll> = self.fetch_optional(sql, args![key, now]).await?;
        let Some(row) = row else { return Ok(None) };
        let session = Session::from(row.session);
        self.note_visit(&session, now);
        let application = row.application.0.map(Application::try_from).transpose()?;
        Ok(Some((session, row.applicant.try_into()?, application)))
    }

    /// Returns a session that waits for its code, and its account.
    pub async fn unfinished_session(&self, cookie_digest: &str, now: Millis) -> Stored<Option<(Session, Applicant)>> {
        let sql = session!("cookie_digest", "> $2");
        let row: Option<SessionAndApplicant> = self.fetch_optional(sql, args![cookie_digest, now]).await?;
        row.map(|row| Ok((row.session.into(), row.applicant.try_into()?))).transpose()
    }

    /// Opens a session that waited for its code. Returns false if it is no longer waiting.
    pub async fn finish_session(
        &self,
        session_id: &str,
        expires_at: Millis,
        now: Millis,
        audit: &AuditEntry,
    ) -> Stored<bool> {
        let mut tx = self.begin().await?;
        let sql = "UPDATE sessions SET code_until = NULL, expires_at = $2, last_seen_at = $3 \
                   WHERE id = $1 AND revoked_at IS NULL AND code_until > $3";
        if tx.execute(sql, args![session_id, expires_at, now]).await? == 0 {
            return Ok(false);
        }
        tx.audit(audit).await?;
        tx.commit().await?;
        Ok(true)
    }

    /// Returns the open sessions of the account, last seen first.
    pub async fn sessions(&self, applicant_id: &str, now: Millis) -> Stored<Vec<Session>> {
        let sql = concat!(
            "SELECT ",
            session_columns!(),
            " FROM sessions s WHERE s.applicant_id = $1 AND s.revoked_at IS NULL AND s.expires_at > $2 \
             AND s.code_until IS NULL ORDER BY s.last_seen_at DESC, s.id DESC"
        );
        let rows: Vec<SessionRow> = self.fetch_all(sql, args![applicant_id, now]).await?;
        Ok(rows.into_iter().map(Session::from).collect())
    }

    /// Ends one session of the account. Returns false if there is no such open session.
    pub async fn end_session(&self, applicant_id: &str, session_id: &str, now: Millis) -> Stored<bool> {
        let sql = "UPDATE sessions SET revoked_at = $3 \
                   WHERE applicant_id = $1 AND id = $2 AND revoked_at IS NULL AND expires_at > $3";
        Ok(self.execute(sql, args![applicant_id, session_id, now]).await? == 1)
    }

    /// Ends every session of the account but `keep`. Returns how many.
    pub async fn end_other_sessions(&self, applicant_id: &str, keep: &str, now: Millis) -> Stored<u64> {
        let sql = "UPDATE sessions SET revoked_at = $3 \
                   WHERE applicant_id = $1 AND id <> $2 AND revoked_at IS NULL AND expires_at > $3";
        self.execute(sql, args![applicant_id, keep, now]).await
    }
}

impl Db {
    /// Notes the visit if the last note is a minute old, in the background: nobody waits for it, and nothing is lost if
    /// it fails.
    fn note_visit(&self, session: &Session, now: Millis) {
        if now - session.last_seen_at < MINUTE {
            return;
        }
        let (db, id) = (self.clone(), session.id.clone());
        tokio::spawn(async move {
            let sql = "UPDATE sessions SET last_seen_at = $2 WHERE id = $1 AND last_seen_at <= $3";
            if let Err(error) = db.execute(sql, args![&id, now, now - MINUTE]).await {
                tracing::warn!(error = &error as &dyn std::error::Error, "a visit was not noted");
            }
        });
    }
}

pub(super) async fn insert_session(
    tx: &mut Tx,
    applicant_id: &str,
    session: &NewSession,
    code_until: Option<Millis>,
) -> Stored<()> {
    let NewSession { id, cookie_digest, created_at, expires_at, address, user_agent } = session;
    tx.execute(end_oldest_sessions!("sessions", "applicant_id"), args![applicant_id, *created_at, MAX_SESSIONS - 1])
        .await?;
    tx.execute(
        "INSERT INTO sessions (id, applicant_id, cookie_digest, created_at, last_seen_at, expires_at, address, \
         user_agent, code_until) VALUES ($1, $2, $3, $4, $4, $5, $6, $7, $8)",
        args![id, applicant_id, cookie_digest, *created_at, *expires_at, address, user_agent, code_until],
    )
    .await?;
    Ok(())
}
