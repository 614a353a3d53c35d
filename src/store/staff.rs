//! Staff and their sessions.

use async_trait::async_trait;

use super::Db;
use super::in_place::joined_row;
use super::query::args;
use super::rows::{SessionRow, StaffRow, session_columns, staff_columns};
use crate::app::ports::{AuditEntry, Millis, NewSession, Session, SessionKey, Staff, StaffAccounts, Stored};

/// The open session whose `$key` is `$1`, with its member of staff, at the time `$2`.
macro_rules! open_session {
    ($key:literal) => {
        concat!(
            "SELECT ",
            session_columns!(),
            ", ",
            staff_columns!(),
            " FROM staff_sessions s JOIN staff m ON m.id = s.staff_id WHERE s.",
            $key,
            " = $1 AND s.revoked_at IS NULL AND s.expires_at > $2"
        )
    };
}

joined_row! {
    struct SessionAndStaff {
        session: SessionRow,
        staff: StaffRow,
    }
}

#[async_trait]
impl StaffAccounts for Db {
    async fn create_staff(&self, staff: &Staff, audit: &AuditEntry) -> Stored<()> {
        let Staff { id, email, role, password_hash, suspended_at, created_at } = staff;
        let mut tx = self.begin().await?;
        tx.execute(
            "INSERT INTO staff (id, email, email_key, role, password_hash, suspended_at, created_at) \
             VALUES ($1, $2, $3, $4, $5, $6, $7)",
            args![id, email, &email.to_lowercase(), role.as_str(), password_hash, *suspended_at, *created_at],
        )
        .await?;
        tx.audit(audit).await?;
        tx.commit().await
    }

    async fn staff_by_email(&self, email_key: &str) -> Stored<Option<Staff>> {
        let sql = concat!("SELECT ", staff_columns!(), " FROM staff m WHERE m.email_key = $1");
        let row: Option<StaffRow> = self.fetch_optional(sql, args![email_key]).await?;
        row.map(Staff::try_from).transpose()
    }

    async fn staff_count(&self) -> Stored<i64> {
        let counts: Vec<(i64,)> = self.fetch_all("SELECT COUNT(*) FROM staff", args![]).await?;
        Ok(counts.first().copied().unwrap_or_default().0)
    }

    async fn create_staff_session(&self, staff_id: &str, session: &NewSession, audit: &AuditEntry) -> Stored<()> {
        let NewSession { id, cookie_digest, created_at, expires_at, address, user_agent } = session;
        let mut tx = self.begin().await?;
        tx.execute(
            "INSERT INTO staff_sessions (id, staff_id, cookie_digest, created_at, last_seen_at, expires_at, address, \
             user_agent) VALUES ($1, $2, $3, $4, $4, $5, $6, $7)",
            args![id, staff_id, cookie_digest, *created_at, *expires_at, address, user_agent],
        )
        .await?;
        tx.audit(audit).await?;
        tx.commit().await
    }

    async fn staff_session(&self, key: SessionKey<'_>, now: Millis) -> Stored<Option<(Session, Staff)>> {
        let (sql, key) = match key {
            SessionKey::Cookie(digest) => (open_session!("cookie_digest"), digest),
            SessionKey::Id(id) => (open_session!("id"), id),
        };
        let row: Option<SessionAndStaff> = self.fetch_optional(sql, args![key, now]).await?;
        row.map(|row| Ok((row.session.into(), row.staff.try_into()?))).transpose()
    }

    async fn end_staff_session(&self, session_id: &str, now: Millis) -> Stored<()> {
        let sql = "UPDATE staff_sessions SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL";
        self.execute(sql, args![session_id, now]).await?;
        Ok(())
    }
}
