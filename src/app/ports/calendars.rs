//! What the office's side of interviews needs of the store: rules, calendars, feeds and score sheets.

use async_trait::async_trait;

use super::{AuditEntry, Millis, NewSlot, Stored};
use domain::availability::Availability;
use domain::interview::{InterviewOutcome, Span};
use domain::rubric::ScoreSheet;

/// When somebody of the staff can be met.
#[derive(Debug, Clone)]
pub struct Rules {
    pub staff_id: String,
    pub availability: Availability,
    /// 0 for rules that were never written.
    pub revision: i64,
}

/// A bookable or booked time in somebody's calendar.
#[derive(Debug, Clone)]
pub struct CalendarSlot {
    pub id: String,
    /// Whom one meets.
    pub staff_id: String,
    pub span: Span,
    /// Somebody is making up their mind about it.
    pub is_held: bool,
    pub booking: Option<Booking>,
}

/// The interview that stands in a slot.
#[derive(Debug, Clone)]
pub struct Booking {
    pub interview_id: String,
    pub application_id: String,
    pub reference: Option<String>,
    pub first_name: String,
    pub last_name: String,
    /// Of the calendar entry.
    pub sequence: i64,
    pub outcome: Option<InterviewOutcome>,
}

/// What an interviewer noted.
#[derive(Debug, Clone)]
pub struct InterviewSheet {
    pub interview_id: String,
    pub sheet: ScoreSheet,
    /// Counts from 1.
    pub revision: i64,
    /// A member of staff, by their id.
    pub written_by: String,
    pub written_at: Millis,
}

#[async_trait]
pub trait Calendars: Send + Sync {
    async fn rules(&self, staff_id: &str) -> Stored<Option<Rules>>;
    /// Everybody who has rules and is not suspended.
    async fn ruled_staff(&self) -> Stored<Vec<String>>;
    /// Writes rules as revision `rules.revision` + 1 in the name of `by`, and renews the slots; false when they are at
    /// another revision.
    async fn save_rules(
        &self,
        rules: &Rules,
        by: &str,
        slots: &[NewSlot],
        now: Millis,
        audit: &AuditEntry,
    ) -> Stored<bool>;
    /// Offers these times and no other ones that come of rules; those that somebody has stay, and nothing is offered that
    /// would come closer to one than the rules' buffer. Nothing happens when the rules are at another revision.
    async fn renew_slots(&self, rules: &Rules, slots: &[NewSlot], now: Millis) -> Stored<()>;
    /// Slots of these people that begin from one moment until before another, in order: what is booked, and what can be.
    async fn calendar(
        &self,
        staff_ids: &[String],
        from: Millis,
        until: Millis,
        now: Millis,
    ) -> Stored<Vec<CalendarSlot>>;
    /// Since when there is a feed.
    async fn feed(&self, staff_id: &str) -> Stored<Option<Millis>>;
    /// Puts a feed with the digest of its secret in the place of the one that there may be, or takes that away.
    async fn save_feed(&self, staff_id: &str, digest: Option<&str>, now: Millis, audit: &AuditEntry) -> Stored<()>;
    /// Whose feed it is; nobody's of who is suspended.
    async fn feed_owner(&self, digest: &str) -> Stored<Option<String>>;
    async fn score_sheet(&self, interview_id: &str) -> Stored<Option<InterviewSheet>>;
    /// Writes a sheet as revision `written.revision` in the place of the one before; false when that is another one.
    async fn save_scores(&self, written: &InterviewSheet, application_id: &str, audit: &AuditEntry) -> Stored<bool>;
}
