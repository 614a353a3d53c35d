//! Decisions, offers and deferrals as stored.

use jiff::civil::Date;

use serde::Serialize;
use utoipa::ToSchema;

use super::Ruling;
use crate::clocks::day;
use crate::intake::Intake;
use crate::moments::Millis;
use crate::program::Program;
use crate::status::Stage;

/// A decision on an application.
#[derive(Debug, Clone)]
pub struct Decision {
    pub id: String,
    pub application_id: String,
    pub state: DecisionState,
    pub ruling: Ruling,
    pub intake: Intake,
    /// Why there was no interview, if none was held.
    pub waiver: Option<String>,
    /// Why it was decided without required documents, if any were missing.
    pub without_documents: Option<String>,
    /// The text of the letter.
    pub letter: String,
    /// Ids of members of staff.
    pub drafted_by: String,
    pub drafted_at: Millis,
    pub released_by: Option<String>,
    pub released_at: Option<Millis>,
    /// When a draft is released automatically.
    pub planned: Option<PlannedRelease>,
}

/// A release that a job carries out at a given time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedRelease {
    pub at: Millis,
    /// The member of staff in whose name it is released.
    pub by: String,
}

/// The draft that the user saw when making a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DraftSeen<'a> {
    /// Any draft.
    Any,
    /// No draft.
    None,
    This(&'a str),
}

/// A decision with its application, for the list of pending releases.
#[derive(Debug, Clone)]
pub struct PendingDecision {
    pub decision: Decision,
    pub first_name: String,
    pub last_name: String,
    pub reference: Option<String>,
    pub program: Program,
    pub stage: Stage,
    /// Revision of the application.
    pub revision: i64,
    /// Whether a document is missing that is required for a decision.
    pub lacks_documents: bool,
    /// Whether the application fee is due.
    pub fee_due: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DecisionState {
    Draft,
    /// Superseded by another draft, or discarded.
    Replaced,
    Released,
    /// Taken back before the applicant was notified.
    Recalled,
    /// Taken back after the applicant was notified.
    Reversed,
}

/// A released decision, and the offer if it is an acceptance.
#[derive(Debug, Clone)]
pub struct Decided {
    pub decision: Decision,
    pub offer: Option<Offer>,
}

impl Decided {
    /// Returns the intake for which the applicant has a place: that of the decision, unless a later one was granted.
    pub fn intake(&self, deferral: Option<&Deferral>) -> Intake {
        deferral.filter(|deferral| deferral.granted).map_or(self.decision.intake, |deferral| deferral.intake)
    }
}

/// The offer of a place.
#[derive(Debug, Clone)]
pub struct Offer {
    pub opened_at: Millis,
    /// The first moment at which it can no longer be replied to.
    pub open_until: Millis,
    pub reply: Option<Reply>,
    pub replied_at: Option<Millis>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = OfferAnswer)]
pub enum Reply {
    Accept,
    Decline,
}

/// A later start than offered: requested by the applicant, or granted.
#[derive(Debug, Clone)]
pub struct Deferral {
    pub id: String,
    pub intake: Intake,
    pub reason: Option<String>,
    /// Whether staff granted it; otherwise it is a request that is still open.
    pub granted: bool,
    pub created_at: Millis,
}

/// A request to start later that was refused.
#[derive(Debug, Clone)]
pub struct RefusedDeferral {
    pub intake: Intake,
    /// The reason given to the applicant.
    pub refusal: String,
    pub refused_at: Millis,
}

impl Offer {
    /// Returns the last day on which it can be replied to, in that time zone.
    pub fn last_day(&self, zone: &str) -> Date {
        day(self.open_until - 1, zone)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clocks::end_of;

    #[test]
    fn an_offer_is_open_to_the_end_of_a_day_of_the_institute() {
        let at = 1_777_896_000_000; // 2026-05-04T12:00:00Z
        assert_eq!(day(at, "America/Chicago").to_string(), "2026-05-04");
        // The night in which the clocks go back is an hour longer.
        let last: Date = "2026-10-31".parse().unwrap();
        let (chicago, utc) = (end_of(last, "America/Chicago"), end_of(last, "UTC"));
        assert_eq!(chicago - utc, 5 * 60 * 60 * 1000);
        let offer = Offer { opened_at: at, open_until: chicago, reply: None, replied_at: None };
        assert_eq!(offer.last_day("America/Chicago"), last);
        assert_eq!(offer.last_day("Asia/Tokyo").to_string(), "2026-11-01");
    }
}
