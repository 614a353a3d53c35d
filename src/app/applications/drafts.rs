//! Deleting abandoned drafts: applicants are warned, and drafts untouched for 12 months are deleted. Accounts stay.

use jiff::ToSpan;
use serde_json::json;

use crate::accounts::sessions::SignedIn;
use crate::applications::acts::{Actor, Command, Preconditions};
use crate::error::{Error, Refusal};
use crate::jobs::Ran;
use crate::{App, mails};
use domain::account::Applicant;
use domain::application::Application;
use domain::clocks::{day, end_of};
use domain::moments::{DAY, MINUTE};
use domain::status::{Act, Facts, Refused};
use store::Transition;

/// How long a draft is kept after its last change.
const KEPT_MONTHS: i32 = 12;
/// Days before deletion on which the applicant is warned.
const WARNING_DAYS: i32 = 30;
/// Drafts per batch.
const BATCH: i64 = 20;

impl App {
    /// [`DRAFT_EXPIRY`](crate::jobs::DRAFT_EXPIRY)
    pub(crate) async fn expire_drafts(&self) -> Result<Ran, Error> {
        let zone = &self.settings.time_zone;
        let today = day(self.clock.now(), zone);
        let mut more = false;

        // The last day on which applicants warned today can continue.
        let last_day = today.saturating_add(WARNING_DAYS.days());
        let untouched_before = end_of(last_day.saturating_sub(KEPT_MONTHS.months()), zone);
        let untouched = self.store.untouched_drafts(untouched_before, BATCH).await?;
        more |= untouched.len() as i64 == BATCH;
        for (applicant, draft) in untouched {
            let mail = mails::draft_expires(&self.wording().await, &applicant, draft.program, last_day);
            self.store.warn_of_expiry(&draft, &mail, self.clock.now()).await?;
        }

        let told_before = end_of(today.saturating_sub((WARNING_DAYS + 1).days()), zone);
        let expired = self.store.expired_drafts(told_before, BATCH).await?;
        more |= expired.len() as i64 == BATCH;
        for (applicant, draft) in expired {
            self.delete_expired(&applicant, draft).await?;
        }
        Ok(Ran::AgainAt(self.clock.now() + if more { MINUTE } else { DAY }))
    }

    /// Deletes the applicant's own draft, with its answers and uploaded files. A draft that was submitted before stays
    /// on record and can only be withdrawn.
    ///
    /// # Errors
    /// [`Refusal::NoApplication`], [`Error::NotAllowed`], [`Error::Stale`]
    pub async fn delete_draft(
        &self,
        who: &SignedIn,
        known: Option<Application>,
        conditions: Preconditions,
    ) -> Result<Application, Error> {
        let draft = known.ok_or(Refusal::NoApplication)?;
        let objects = self.store.objects_of(&who.applicant.id).await?;
        let facts = |draft: &Application| Facts { never_submitted: draft.submitted_at.is_none(), ..Facts::default() };
        let detail = json!({ "program": draft.program, "lastChange": draft.updated_at });
        let deleted = self.act(draft, Command::own(who, Act::DeleteDraft, &facts, detail, conditions)).await?;
        self.remove_if_unnamed(objects).await;
        Ok(deleted)
    }

    async fn delete_expired(&self, applicant: &Applicant, draft: Application) -> Result<(), Error> {
        let objects = self.store.objects_of(&applicant.id).await?;
        let facts = |draft: &Application| Facts {
            never_submitted: draft.submitted_at.is_none(),
            draft_expired: true,
            ..Facts::default()
        };
        let command = Command {
            act: Act::DeleteDraft,
            actor: Actor::system(),
            applicant,
            facts: &facts,
            detail: json!({ "program": draft.program, "lastChange": draft.updated_at }),
            also: &|_, _: &mut Transition| {},
            conditions: Preconditions { expected: Some(draft.revision), key: None },
        };
        match self.act(draft, command).await.map_err(Error::from) {
            Ok(_) => {}
            // The applicant has continued after all.
            Err(Error::NotAllowed(Refused::NotFrom { .. }) | Error::Stale(_)) => return Ok(()),
            Err(error) => return Err(error),
        }
        self.remove_if_unnamed(objects).await;
        Ok(())
    }
}
