//! Decisions from the command line, on behalf of a member of staff: for an institute without an office to click in, and
//! for trying things out.

use crate::App;
use crate::applications::acts::Preconditions;
use crate::applications::changes::ChangesRequest;
use crate::decisions::drafting::StaffReason;
use crate::error::{Error, Refusal};
use domain::application::{Application, ApplicationKey};
use domain::decision::{Decision, Draft, DraftSeen};
use domain::input::{FieldError, Input};
use domain::intake::Intake;
use domain::reference_number::ReferenceNumber;
use domain::sentence::Sentence;
use domain::staff::Staff;

/// What to do with an application.
#[derive(Debug, Clone)]
pub enum Order {
    /// The fields of a draft.
    Draft(Input),
    Release,
    Recall,
    Reverse(StaffReason),
    Reopen,
    RequestChanges(ChangesRequest),
    DropChanges,
    Defer(Intake),
    RefuseDeferral(StaffReason),
    Resume,
}

/// The result of an order.
#[derive(Debug)]
pub enum Ordered {
    Drafted(Box<Decision>),
    Changed(Box<Application>),
}

impl App {
    /// Carries out an order by the member of staff with this `email`, for the application with this `reference`.
    ///
    /// # Errors
    /// A bad reference number, `staff.unknown`, and the errors of the order.
    pub async fn order(&self, email: &str, reference: &str, order: Order) -> Result<Ordered, Error> {
        let staff = self.staff_named(email).await?;
        let reference = ReferenceNumber::parse(reference)
            .map_err(|error| FieldError::new("reference", error.code(), Sentence::plain(error.sentence())))?;
        let key = ApplicationKey::Reference(reference.as_str());
        let conditions = Preconditions::default();
        let changed = match order {
            Order::Draft(fields) => {
                let draft = Draft::parse(&fields, &self.product_settings().await.reasons)?;
                return Ok(Ordered::Drafted(Box::new(self.draft_decision(&staff, key, draft, DraftSeen::Any).await?)));
            }
            Order::Release => {
                let (_, application) = self.find_application(key).await?;
                let draft = self.drafted(&application.id).await?.ok_or(Refusal::NoDecision)?;
                self.release_decision(&staff, &draft.id, conditions).await?
            }
            Order::Recall => self.recall_decision(&staff, key, conditions).await?,
            Order::Reverse(reason) => self.reverse_decision(&staff, key, reason, conditions).await?,
            Order::Reopen => self.reopen_offer(&staff, key, conditions).await?,
            Order::RequestChanges(asked) => self.request_changes(&staff, key, asked, conditions).await?,
            Order::DropChanges => self.drop_changes(&staff, key, conditions).await?,
            Order::Defer(intake) => self.defer_application(&staff, key, intake, conditions).await?,
            Order::RefuseDeferral(reason) => self.refuse_deferral(&staff, key, reason).await?,
            Order::Resume => self.resume_application(&staff, key, true, conditions).await?,
        };
        Ok(Ordered::Changed(Box::new(changed)))
    }

    async fn staff_named(&self, email: &str) -> Result<Staff, Error> {
        let staff = self.store.staff_by_email(&email.trim().to_lowercase()).await?;
        let unknown = || FieldError::new("by", "staff.unknown", "There is no member of staff with this email.");
        Ok(staff.filter(|staff| staff.suspended_at.is_none()).ok_or_else(unknown)?)
    }
}
