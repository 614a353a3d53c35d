//! Staff's decisions about documents.

use serde_json::json;

use super::SlotView;
use crate::error::{Error, Refusal};
use crate::{App, mails};
use domain::application::ApplicationKey;
use domain::documents::{Review, ReviewDecision, SlotKind, SlotState};
use domain::input::FieldError;
use domain::moments::Millis;
use domain::permission::Permission;
use domain::sentence::Sentence;
use domain::staff::Staff;
use store::SlotReview;

/// Maximum number of characters in a reason.
const MAX_REASON_LENGTH: usize = 1000;

/// A requested decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReviewVerdict {
    /// The document is what we need: its files stay as they are.
    Accept,
    /// Another one is needed, and the applicant is told why.
    Replace { reason: String },
    /// The document is not needed from this applicant, for a reason kept in the record.
    Waive { reason: String },
}

impl App {
    /// Decides about a document of an application, replacing an earlier decision. `seen` is the view the decision is
    /// based on ([`SlotView::seen`]); without one, the current view is taken.
    ///
    /// # Errors
    /// [`Refusal::ApplicationChanged`] when the view has changed, [`Refusal::RoleForbidden`],
    /// [`Refusal::NoApplication`], [`Refusal::UnknownSlot`], [`Refusal::NothingToReview`] where none was received, a
    /// reason that is missing or too long.
    pub async fn review_document(
        &self,
        staff: &Staff,
        application_id: &str,
        slot: SlotKind,
        verdict: ReviewVerdict,
        seen: Option<&str>,
    ) -> Result<SlotState, Error> {
        staff.permit(Permission::ReviewDocuments)?;
        let found = self.store.application(ApplicationKey::Id(application_id)).await?;
        let (applicant, application) = found.ok_or(Refusal::NoApplication)?;
        let documents = self.documents_of(&applicant.id, &application).await?;
        let view = documents.view(slot).ok_or(Refusal::UnknownSlot)?;
        if seen.is_some_and(|seen| seen != view.seen()) {
            return Err(Refusal::ApplicationChanged.into());
        }
        let SlotView { slot, state, review: before, .. } = view;
        let fits = match (&verdict, state) {
            (ReviewVerdict::Accept, SlotState::Received) => true,
            (ReviewVerdict::Replace { .. }, SlotState::Received | SlotState::Accepted) => true,
            (ReviewVerdict::Waive { .. }, state) => *state != SlotState::Accepted,
            _ => false,
        };
        if !fits {
            return Err(Refusal::NothingToReview.into());
        }
        let (decision, reason) = match verdict {
            ReviewVerdict::Accept => (ReviewDecision::Accepted, String::new()),
            ReviewVerdict::Replace { reason } => (ReviewDecision::Replace, reason_of(&reason)?),
            ReviewVerdict::Waive { reason } => (ReviewDecision::Waived, reason_of(&reason)?),
        };
        let mail = match decision {
            ReviewDecision::Replace => {
                let (program, label) = (application.program, slot.label.clone());
                let wording = self.wording().await;
                Some(mails::document_needed_again(&wording, &applicant, program, label, Sentence::plain(&*reason)))
            }
            // Good news can wait until the next visit; there may be a dozen in an hour.
            ReviewDecision::Accepted | ReviewDecision::Waived => None,
        };
        let detail = json!({ "slot": slot.name(), "decision": decision.as_str(), "was": state.as_str() });
        let subject = format!("application:{application_id}");
        let audit = self.audit_entry(format!("staff:{}", staff.id), subject, "document.reviewed", detail);
        // Later than the previous one, so that the two can be told apart.
        let decided_before = before.as_ref().map(|before| before.at);
        let at = self.clock.now().max(decided_before.map_or(0, |before| before + 1));
        let review = SlotReview {
            application_id: application_id.to_owned(),
            slot: slot.kind,
            review: Review { decision, reason, at },
            staff_id: staff.id.clone(),
        };
        if !self.store.review_slot(&review, decided_before, &audit, mail.as_ref()).await? {
            return Err(Refusal::ApplicationChanged.into());
        }
        Ok(match decision {
            ReviewDecision::Accepted => SlotState::Accepted,
            ReviewDecision::Replace => SlotState::Replace,
            ReviewDecision::Waived => SlotState::Waived,
        })
    }

    /// Takes back the caller's own decision about a document, which is then to be reviewed again. If another one was
    /// requested, the applicant gets a mail that it is not needed. With `at`, it must be the decision made at that
    /// time.
    ///
    /// # Errors
    /// [`Refusal::NothingToTakeBack`] where somebody else has decided since, [`Refusal::RoleForbidden`],
    /// [`Refusal::NoApplication`].
    pub async fn retract_review(
        &self,
        staff: &Staff,
        application_id: &str,
        slot: SlotKind,
        at: Option<Millis>,
    ) -> Result<(), Error> {
        staff.permit(Permission::ReviewDocuments)?;
        let found = self.store.application(ApplicationKey::Id(application_id)).await?;
        let (applicant, application) = found.ok_or(Refusal::NoApplication)?;
        let reviews = self.store.reviews(application_id).await?;
        let is_it =
            |one: &SlotReview| one.slot == slot && one.staff_id == staff.id && at.is_none_or(|at| at == one.review.at);
        let review = reviews.into_iter().find(is_it).ok_or(Refusal::NothingToTakeBack)?;
        let mail = match review.review.decision {
            ReviewDecision::Replace => {
                let documents = self.documents_of(&applicant.id, &application).await?;
                let label = documents.view(slot).map(|view| view.slot.label.clone());
                let wording = self.wording().await;
                label.map(|label| mails::document_in_order(&wording, &applicant, application.program, label))
            }
            ReviewDecision::Accepted | ReviewDecision::Waived => None,
        };
        let detail = json!({ "slot": slot.as_str(), "decision": review.review.decision.as_str() });
        let subject = format!("application:{application_id}");
        let audit = self.audit_entry(format!("staff:{}", staff.id), subject, "document.review_retracted", detail);
        if self.store.retract_review(&review, &audit, mail.as_ref()).await? {
            Ok(())
        } else {
            Err(Refusal::NothingToTakeBack.into())
        }
    }
}

fn reason_of(text: &str) -> Result<String, FieldError> {
    let reason = text.trim().replace("\r\n", "\n");
    let error = |rule: &str, message: Sentence| FieldError::new("reason", format!("reason.{rule}"), message);
    if reason.is_empty() {
        Err(error("required", "Give a reason, in a few words.".into()))
    } else if reason.chars().count() > MAX_REASON_LENGTH {
        Err(error("too_long", Sentence::plain(format!("The reason must be at most {MAX_REASON_LENGTH} characters."))))
    } else if reason.chars().any(|c| c.is_control() && c != '\n') {
        Err(error("invalid", "The reason contains characters that are not allowed.".into()))
    } else {
        Ok(reason)
    }
}
