//! Sessions of staff.

use super::Db;
use super::in_place::{joined_row, row};
use super::query::{Tx, args};
use super::rows::{SessionRow, StaffRow, session_columns, staff_columns};
use super::sessions::end_oldest_sessions;
use crate::{AuditEntry, MAX_SESSIONS, NewSession, SessionKey, StoreError, Stored};
use domain::moments::Millis;
use domain::session::Session;
use domain::staff::{SessionProvider, Staff, StaffSession};

/// The session whose `$key` is `$1`, open at the time `$2` and `$waiting` for its code, with its member of staff and
/// the rules for everybody.
macro_rules! staff_session {
    ($key:literal, $waiting:literal) => {
        concat!(
            "SELECT ",
            session_columns!(),
            ", ",
            staff_columns!(),
            ", s.stepped_up_at, r.second_factor_since, p.id AS provider_id, p.name AS provider_name, \
             p.second_factor AS provider_second_factor FROM staff_sessions s JOIN staff m ON m.id = s.staff_id \
             JOIN staff_rules r ON r.id = 1 LEFT JOIN identity_providers p ON p.id = s.provider_id WHERE s.",
            $key,
            " = $1 AND s.revoked_at IS NULL AND s.expires_at > $2 AND s.code_until ",
            $waiting,
            " AND m.suspended_at IS NULL AND m.removed_at IS NULL"
        )
    };
}

row! {
    struct GateRow {
        stepped_up_at: i64,
        second_factor_since: Option<i64>,
        provider_id: Option<String>,
        provider_name: Option<String>,
        provider_second_factor: Option<i64>,
    }
}

joined_row! {
    struct SessionAndStaff {
        session: SessionRow,
        staff: StaffRow,
        gate: GateRow,
    }
}

impl TryFrom<SessionAndStaff> for StaffSession {
    type Error = StoreError;

    fn try_from(row: SessionAndStaff) -> Result<Self, StoreError> {
        Ok(StaffSession {
            session: row.session.into(),
            staff: row.staff.try_into()?,
            stepped_up_at: row.gate.stepped_up_at,
            second_factor_required: row.gate.second_factor_since.is_some(),
            provider: row.gate.provider_id.zip(row.gate.provider_name).map(|(id, name)| SessionProvider {
                id,
                name,
                second_factor: row.gate.provider_second_factor == Some(1),
            }),
            key: None,
        })
    }
}

impl Db {
    /// Opens a session, if the account is active and still has the password that was checked. Returns false otherwise.
    /// With `code_until`, it is open only once the code was given.
    pub async fn create_staff_session(
        &self,
        staff: &Staff,
        session: &NewSession,
        code_until: Option<Millis>,
        audit: &AuditEntry,
    ) -> Stored<bool> {
        let mut tx = self.begin().await?;
        // Changes nothing, but waits for a concurrent change of the account.
        let sql = "UPDATE staff SET password_hash = $2 \
                   WHERE id = $1 AND password_hash = $2 AND suspended_at IS NULL AND removed_at IS NULL";
        if tx.execute(sql, args![&staff.id, &staff.password_hash]).await? == 0 {
            return Ok(false);
        }
        insert_session(&mut tx, &staff.id, session, code_until, None).await?;
        tx.audit(audit).await?;
        tx.commit().await?;
        Ok(true)
    }

    /// Returns the session and its member of staff, unless it is revoked or expired at `now`, or the account is
    /// suspended or removed.
    pub async fn staff_session(&self, key: SessionKey<'_>, now: Millis) -> Stored<Option<StaffSession>> {
        let (sql, key) = match key {
            SessionKey::Cookie(digest) => (staff_session!("cookie_digest", "IS NULL"), digest),
            SessionKey::Id(id) => (staff_session!("id", "IS NULL"), id),
        };
        let row: Option<SessionAndStaff> = self.reserved().fetch_optional(sql, args![key, now]).await?;
        row.map(StaffSession::try_from).transpose()
    }

    /// Returns the same for a session that waits for its code.
    pub async fn unfinished_staff_session(&self, cookie_digest: &str, now: Millis) -> Stored<Option<StaffSession>> {
        let sql = staff_session!("cookie_digest", "> $2");
        let row: Option<SessionAndStaff> = self.fetch_optional(sql, args![cookie_digest, now]).await?;
        row.map(StaffSession::try_from).transpose()
    }

    /// Opens a session that waited for its code. Returns false if it is no longer waiting.
    pub async fn finish_staff_session(
        &self,
        session_id: &str,
        expires_at: Millis,
        now: Millis,
        audit: &AuditEntry,
    ) -> Stored<bool> {
        let mut tx = self.begin().await?;
        let sql = "UPDATE staff_sessions SET code_until = NULL, expires_at = $2, last_seen_at = $3, stepped_up_at = $3 \
                   WHERE id = $1 AND revoked_at IS NULL AND code_until > $3";
        if tx.execute(sql, args![session_id, expires_at, now]).await? == 0 {
            return Ok(false);
        }
        tx.audit(audit).await?;
        tx.commit().await?;
        Ok(true)
    }

    /// Notes the visit.
    pub async fn staff_seen(&self, session_id: &str, now: Millis) -> Stored<()> {
        let sql = "UPDATE staff_sessions SET last_seen_at = $2 WHERE id = $1 AND last_seen_at < $2";
        self.execute(sql, args![session_id, now]).await?;
        Ok(())
    }

    /// Notes that the password (and the code) was given again.
    pub async fn staff_stepped_up(&self, session_id: &str, now: Millis, audit: &AuditEntry) -> Stored<()> {
        let mut tx = self.begin().await?;
        let sql = "UPDATE staff_sessions SET last_seen_at = $2, stepped_up_at = $2 WHERE id = $1";
        tx.execute(sql, args![session_id, now]).await?;
        tx.audit(audit).await?;
        tx.commit().await
    }

    /// Returns the open sessions of the account, last seen first.
    pub async fn staff_sessions(&self, staff_id: &str, now: Millis) -> Stored<Vec<Session>> {
        let sql = concat!(
            "SELECT ",
            session_columns!(),
            " FROM staff_sessions s WHERE s.staff_id = $1 AND s.revoked_at IS NULL AND s.expires_at > $2 \
             AND s.code_until IS NULL ORDER BY s.last_seen_at DESC, s.id DESC"
        );
        let rows: Vec<SessionRow> = self.fetch_all(sql, args![staff_id, now]).await?;
        Ok(rows.into_iter().map(Session::from).collect())
    }

    /// Ends one session of the account. Returns false if there is no such open session.
    pub async fn end_staff_session(
        &self,
        staff_id: &str,
        session_id: &str,
        now: Millis,
        audit: &AuditEntry,
    ) -> Stored<bool> {
        let mut tx = self.begin().await?;
        let sql = "UPDATE staff_sessions SET revoked_at = $3 \
                   WHERE staff_id = $1 AND id = $2 AND revoked_at IS NULL AND expires_at > $3";
        if tx.execute(sql, args![staff_id, session_id, now]).await? == 0 {
            return Ok(false);
        }
        tx.audit(audit).await?;
        tx.commit().await?;
        Ok(true)
    }

    /// Ends every session of the account but `keep`. Returns how many.
    pub async fn end_other_staff_sessions(
        &self,
        staff_id: &str,
        keep: &str,
        now: Millis,
        audit: &AuditEntry,
    ) -> Stored<u64> {
        let mut tx = self.begin().await?;
        let sql = "UPDATE staff_sessions SET revoked_at = $3 \
                   WHERE staff_id = $1 AND id <> $2 AND revoked_at IS NULL AND expires_at > $3";
        let ended = tx.execute(sql, args![staff_id, keep, now]).await?;
        if ended > 0 {
            tx.audit(audit).await?;
        }
        tx.commit().await?;
        Ok(ended)
    }
}

/// The identity provider that opens a session.
#[derive(Debug, Clone, Copy)]
pub(super) struct OpenedBy<'a> {
    pub provider_id: &'a str,
    /// Its own session.
    pub session: Option<&'a str>,
    /// When it last asked who it is.
    pub asked_at: Millis,
}

pub(super) async fn insert_session(
    tx: &mut Tx,
    staff_id: &str,
    session: &NewSession,
    code_until: Option<Millis>,
    provider: Option<OpenedBy<'_>>,
) -> Stored<()> {
    let NewSession { id, cookie_digest, created_at, expires_at, address, user_agent } = session;
    let (provider_id, provider_session) = (provider.map(|it| it.provider_id), provider.and_then(|it| it.session));
    let stepped_up_at = provider.map_or(*created_at, |it| it.asked_at.min(*created_at));
    tx.execute(end_oldest_sessions!("staff_sessions", "staff_id"), args![staff_id, *created_at, MAX_SESSIONS - 1])
        .await?;
    tx.execute(
        "INSERT INTO staff_sessions (id, staff_id, cookie_digest, created_at, last_seen_at, expires_at, address, \
         user_agent, stepped_up_at, code_until, provider_id, provider_session) \
         VALUES ($1, $2, $3, $4, $4, $5, $6, $7, $8, $9, $10, $11)",
        args![
            id,
            staff_id,
            cookie_digest,
            *created_at,
            *expires_at,
            address,
            user_agent,
            stepped_up_at,
            code_until,
            provider_id,
            provider_session
        ],
    )
    .await?;
    Ok(())
}
