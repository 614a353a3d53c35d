//! Webhooks: what is sent to programs of the institute when something happens to an application. Events are signed and
//! delivered as Standard Webhooks says: <https://www.standardwebhooks.com>.

use serde::Serialize;
use utoipa::ToSchema;

use crate::moments::{DAY, HOUR, MINUTE, Millis};
use crate::program::ApplicationType;
use crate::status::Act;

/// Prefix of the secret that an endpoint's deliveries are signed with.
pub const SECRET_PREFIX: &str = "whsec_";
/// Maximum number of endpoints.
pub const MAX_ENDPOINTS: i64 = 20;
/// Maximum number of characters in an endpoint's address.
pub const MAX_URL_LENGTH: usize = 500;
/// How long deliveries are signed with the former secret as well.
pub const FORMER_SECRET: Millis = DAY;
/// The pauses after the attempts of a delivery; after the last one it is given up.
pub const PAUSES: [Millis; 9] =
    [5_000, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR];
/// An endpoint that has taken nothing for this long is paused.
pub const PAUSED_AFTER: Millis = 3 * DAY;

macro_rules! events {
    ($($(#[$meta:meta])* $name:ident = $key:literal, $schema:ident, $about:literal;)*) => {
        /// What an event says has happened.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum EventKind {
            $($(#[$meta])* $name,)*
        }

        impl EventKind {
            pub const ALL: &[EventKind] = &[$(EventKind::$name,)*];

            /// Returns its name: `application.submitted`.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(EventKind::$name => $key,)*
                }
            }

            /// Returns what has happened, in a sentence.
            pub fn about(self) -> &'static str {
                match self {
                    $(EventKind::$name => $about,)*
                }
            }

            /// Returns the name of the schema of its `data`.
            pub fn schema(self) -> &'static str {
                match self {
                    $(EventKind::$name => stringify!($schema),)*
                }
            }
        }
    };
}

events! {
    Submitted = "application.submitted", StageEvent, "An application was submitted.";
    Resubmitted = "application.resubmitted", StageEvent, "An application was submitted again, after changes that staff had asked for.";
    Unsubmitted = "application.unsubmitted", StageEvent, "An applicant took their submission back, to go on editing.";
    Waitlisted = "application.waitlisted", StageEvent, "An application was put on the waitlist: it is offered the next place for which its turn comes.";
    DecisionReleased = "decision.released", StageEvent, "A decision was released: the stage is offered or rejected. Sent once it can no longer be recalled, when the applicant learns of it.";
    DecisionReversed = "decision.reversed", StageEvent, "A decision that the applicant knew was reversed.";
    Confirmed = "application.confirmed", StageEvent, "An applicant accepted their offer.";
    Declined = "offer.declined", StageEvent, "An applicant declined their offer.";
    DeclineUndone = "offer.decline_undone", StageEvent, "An applicant took back that they had declined their offer.";
    Lapsed = "offer.lapsed", StageEvent, "An offer was not replied to in time.";
    Reopened = "offer.reopened", StageEvent, "A lapsed offer was opened again.";
    Enrolled = "application.enrolled", StageEvent, "An applicant was enrolled.";
    EnrolmentUndone = "application.enrolment_undone", StageEvent, "An enrollment was undone.";
    Deferred = "application.deferred", StageEvent, "An application was deferred to a later intake.";
    Resumed = "application.resumed", StageEvent, "A deferred application was resumed.";
    Withdrawn = "application.withdrawn", StageEvent, "An application was withdrawn, by the applicant or for them.";
    WithdrawalUndone = "application.withdrawal_undone", StageEvent, "A withdrawal was undone.";
    DocumentReceived = "document.received", DocumentEvent, "A document was uploaded and has passed all checks.";
    ReferenceReceived = "reference.received", ReferenceEvent, "A referee has sent their reference.";
    PaymentReceived = "payment.received", PaymentEvent, "A payment was recorded in the ledger.";
    PaymentRefunded = "payment.refunded", PaymentEvent, "A payment was refunded, in whole or in part.";
    PaymentReversed = "payment.reversed", PaymentEvent, "The record of a payment was reversed: it had not been received.";
    FeeSettled = "fee.settled", FeeEvent, "The application fee was paid or waived: the application can be read.";
    /// Sent to one endpoint on request; nobody subscribes to it.
    Test = "webhook.test", TestEvent, "Staff asked for a test of this endpoint.";
}

impl EventKind {
    pub fn parse(text: &str) -> Option<EventKind> {
        EventKind::ALL.iter().copied().find(|kind| kind.as_str() == text)
    }

    /// Returns the kinds that an endpoint can subscribe to.
    pub fn subscribable() -> impl Iterator<Item = EventKind> {
        EventKind::ALL.iter().copied().filter(|kind| *kind != EventKind::Test)
    }

    /// Returns the event of a change of stage; `None` for acts that only concern applicant and office.
    pub fn of_act(act: Act) -> Option<EventKind> {
        Some(match act {
            Act::Submit => EventKind::Submitted,
            Act::Resubmit => EventKind::Resubmitted,
            Act::Unsubmit => EventKind::Unsubmitted,
            Act::Offer | Act::Reject => EventKind::DecisionReleased,
            Act::Waitlist => EventKind::Waitlisted,
            Act::Reverse => EventKind::DecisionReversed,
            Act::Accept => EventKind::Confirmed,
            Act::Decline => EventKind::Declined,
            Act::UndoDecline => EventKind::DeclineUndone,
            Act::Lapse => EventKind::Lapsed,
            Act::Reopen => EventKind::Reopened,
            Act::Enrol => EventKind::Enrolled,
            Act::Unenrol => EventKind::EnrolmentUndone,
            Act::Defer => EventKind::Deferred,
            Act::Resume => EventKind::Resumed,
            Act::Withdraw => EventKind::Withdrawn,
            Act::UndoWithdraw => EventKind::WithdrawalUndone,
            // Its next decision is told.
            Act::LeaveWaitlist => return None,
            // A recalled decision was never announced, and neither was its event.
            Act::Recall => return None,
            // Whoever imports knows what they bring in.
            Act::ImportDraft | Act::ImportSubmission | Act::ImportPast | Act::UndoImport => return None,
            Act::Start | Act::DeleteDraft | Act::RequestChanges | Act::DropChanges => return None,
            Act::Book | Act::Move | Act::Cancel | Act::RecordHeld | Act::RecordNoShow | Act::UndoRecord => return None,
        })
    }
}

/// The body of a delivery. It names nobody: the receiver loads what it needs, and may see, with an API key.
#[derive(Debug, Serialize)]
pub struct Event<T> {
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// When it happened.
    pub timestamp: String,
    pub data: T,
}

/// The application that an event is about.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AboutApplication {
    /// Its id, as in `/api/admins/applications/{id}`.
    pub application_id: String,
    /// Its reference number.
    pub reference: String,
    pub application_type: ApplicationType,
}

/// A change of stage.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StageEvent {
    #[serde(flatten)]
    pub about: AboutApplication,
    /// The stage it is at now, as in the API.
    pub stage: &'static str,
    pub previous_stage: &'static str,
}

/// A document that was received.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DocumentEvent {
    #[serde(flatten)]
    pub about: AboutApplication,
    pub document_id: String,
    /// What kind of document it is: `identity`, `transcript`…
    pub slot: String,
}

/// A reference that was received.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReferenceEvent {
    #[serde(flatten)]
    pub about: AboutApplication,
    /// The id of the referee, as in `/api/admins/applications/{id}/references`.
    pub reference_id: String,
}

/// An entry in the ledger about a payment.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PaymentEvent {
    #[serde(flatten)]
    pub about: AboutApplication,
    /// The ledger's id of the entry.
    pub transaction_id: String,
    /// The payment that is refunded or reversed; null for a payment.
    #[schema(required)]
    pub payment_id: Option<String>,
    pub cents: i64,
    /// What it pays: `instalment-1`, `source-employer`…; null if that is not known.
    #[schema(required)]
    pub line: Option<String>,
}

/// The application fee, once it is settled.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FeeEvent {
    #[serde(flatten)]
    pub about: AboutApplication,
    /// `paid` or `waived`
    pub state: &'static str,
    pub cents: i64,
}

/// A test.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TestEvent {
    pub endpoint_id: String,
}

/// Why nothing is delivered to an endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum PauseReason {
    /// Staff paused it.
    Staff,
    /// It took nothing for days.
    Failing,
    /// It answered `410 Gone`.
    Gone,
}

impl PauseReason {
    pub fn as_str(self) -> &'static str {
        match self {
            PauseReason::Staff => "staff",
            PauseReason::Failing => "failing",
            PauseReason::Gone => "gone",
        }
    }

    pub fn parse(text: &str) -> Option<PauseReason> {
        [PauseReason::Staff, PauseReason::Failing, PauseReason::Gone].into_iter().find(|it| it.as_str() == text)
    }
}

/// Where events are delivered to, without its secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Endpoint {
    pub id: String,
    /// What it is for.
    pub name: String,
    pub url: String,
    /// Without any, it gets all.
    pub events: Vec<EventKind>,
    pub created_at: Millis,
    pub paused: Option<(Millis, PauseReason)>,
    /// Since when it has taken nothing; `None` while it takes what is sent.
    pub failing_since: Option<Millis>,
    /// Until when deliveries are signed with the former secret as well.
    pub former_secret_until: Option<Millis>,
    /// Deliveries that are waiting, and that were given up.
    pub waiting: i64,
    pub failed: i64,
}

/// What has become of a delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema, ts_rs::TS)]
#[serde(rename_all = "lowercase")]
#[ts(rename = "WebhookDeliveryState")]
#[schema(as = WebhookDeliveryState)]
pub enum DeliveryState {
    Waiting,
    Delivered,
    /// Given up. Later events of the same application wait until it is sent again or skipped.
    Failed,
    /// Staff gave it up.
    Skipped,
}

impl DeliveryState {
    pub const ALL: [DeliveryState; 4] =
        [DeliveryState::Waiting, DeliveryState::Delivered, DeliveryState::Failed, DeliveryState::Skipped];

    pub fn as_str(self) -> &'static str {
        match self {
            DeliveryState::Waiting => "waiting",
            DeliveryState::Delivered => "delivered",
            DeliveryState::Failed => "failed",
            DeliveryState::Skipped => "skipped",
        }
    }

    pub fn parse(text: &str) -> Option<DeliveryState> {
        DeliveryState::ALL.into_iter().find(|state| state.as_str() == text)
    }
}

/// Staff's change to a delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeliveryChange {
    /// It is attempted again, whatever has become of it.
    Resend,
    /// It is not attempted any more.
    Skip,
}

/// An event on its way to an endpoint.
#[derive(Debug, Clone)]
pub struct EventDelivery {
    pub event_id: String,
    pub kind: EventKind,
    /// The application's id and reference number; `None` for a test.
    pub application: Option<(String, Option<String>)>,
    /// JSON, byte for byte as it is sent.
    pub body: String,
    pub occurred_at: Millis,
    pub state: DeliveryState,
    pub attempts: i64,
    /// When the next attempt is due.
    pub due_at: Millis,
    /// The status code of the last answer.
    pub last_status: Option<i64>,
    /// Why the last attempt failed.
    pub last_error: Option<String>,
    pub finished_at: Option<Millis>,
}

/// Returns how long to wait after attempt number `attempts`; `None` to give up.
pub fn pause_after(attempts: i64) -> Option<Millis> {
    PAUSES.get(usize::try_from(attempts - 1).ok()?).copied()
}

/// Returns how long an endpoint is left alone that takes nothing: as long as it has been failing, within limits.
pub fn rest(failing_for: Millis) -> Millis {
    failing_for.clamp(PAUSES[0], HOUR)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_a_name_of_its_own_that_is_read_back() {
        for kind in EventKind::ALL {
            assert_eq!(EventKind::parse(kind.as_str()), Some(*kind));
        }
        assert_eq!(EventKind::subscribable().count(), EventKind::ALL.len() - 1);
        assert_eq!(EventKind::parse("application.deleted"), None);
    }

    #[test]
    fn deliveries_are_attempted_for_three_days_and_a_few_hours() {
        let pauses: Vec<Millis> = (1..).map_while(pause_after).collect();
        assert_eq!(pauses, PAUSES);
        assert!(pauses.is_sorted());
        assert!(pauses.iter().sum::<Millis>() > PAUSED_AFTER, "by then, an endpoint is paused that takes nothing");
    }

    #[test]
    fn an_endpoint_is_left_alone_for_longer_and_longer() {
        assert_eq!([0, 6_000, 7 * MINUTE, 3 * DAY].map(rest), [5_000, 6_000, 7 * MINUTE, HOUR]);
    }
}
