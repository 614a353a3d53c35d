//! One person who applied twice, with two accounts: found, looked at, and merged or told apart.
//!
//! Merging lets one application go on. The other one is withdrawn and leads to it; its documents and notes stay where they
//! are, so that taking it back loses nothing.

use serde_json::json;

use super::Dossier;
use crate::App;
use crate::applications::acts::Preconditions;
use crate::decisions::drafting::StaffReason;
use crate::error::{Error, Refusal};
use domain::input::FieldError;
use domain::listing::Listing;
use domain::permission::Permission;
use domain::staff::StaffSession;
use domain::status::{Act, Stage};
use store::{Alike, AuditEntry, DuplicateVerdict, Likeness};

/// More than one page can be looked through at once are not of one person.
const MAX: i64 = 20;

/// Another application that may be of the same person.
#[derive(Debug, Clone)]
pub struct PossibleDuplicate {
    pub listing: Listing,
    pub same_name: bool,
    pub same_phone: bool,
    pub verdict: Option<DuplicateVerdict>,
}

impl App {
    /// Applications of other accounts with the same birth date, and the same name or phone number.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`]
    pub async fn duplicates(&self, who: &StaffSession, dossier: &Dossier) -> Result<Vec<PossibleDuplicate>, Error> {
        who.staff.permit(Permission::Review)?;
        let profile = &dossier.applicant.profile;
        // Of someone whose records were erased nothing is left that could be alike.
        if dossier.applicant.email.is_empty() {
            return Ok(Vec::new());
        }
        // As the list has it: `listings_of` puts rows in order by it.
        let key = &dossier.listing.name_key;
        let like =
            Likeness { date_of_birth: profile.date_of_birth, name_key: key, phone_number: &profile.phone_number };
        let found = self.store.alike(&dossier.application.id, &dossier.applicant.id, like, MAX).await?;
        let ids: Vec<String> = found.iter().map(|alike| alike.application_id.clone()).collect();
        let mut listings = if ids.is_empty() { Vec::new() } else { self.store.listings_of(&ids).await? };
        let duplicate = |Alike { application_id, verdict }| {
            let at = listings.iter().position(|listing| listing.application_id == application_id)?;
            let listing = listings.swap_remove(at);
            let same_name = listing.name_key == *key;
            let same_phone = listing.phone_number == profile.phone_number;
            Some(PossibleDuplicate { listing, same_name, same_phone, verdict })
        };
        Ok(found.into_iter().filter_map(duplicate).collect())
    }

    /// Lets the application `id` go on for the person, and withdraws the other one. Done twice, it is done once.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`], [`Refusal::ApplicationNotFound`] also when the two are not alike, `other.stage` when
    /// the other one is past withdrawing.
    pub async fn merge_duplicate(&self, who: &StaffSession, id: &str, other: &str) -> Result<(), Error> {
        let (kept, duplicate) = self.pair(who, id, other).await?;
        let other = self.dossier(who, other).await?;
        let is_over = matches!(other.application.stage, Stage::Archived | Stage::Rejected);
        let is_merged = duplicate.verdict.as_ref().is_some_and(|verdict| verdict.kept_id.as_deref() == Some(id));
        if is_merged && is_over {
            return Ok(());
        }
        let withdraws = !is_over;
        if withdraws && !other.acts.contains(&Act::Withdraw) {
            let sentence = "The other application is too far to be withdrawn. Merge this one into it instead.";
            return Err(FieldError::new("other", "other.stage", sentence).into());
        }
        let verdict = self.verdict(who, Some(id.to_owned()), withdraws);
        let audit = self.about_pair(who, &kept, &other, "duplicate.merged");
        let pair = [id, other.application.id.as_str()];
        self.store.judge(pair, &verdict, &audit).await?;
        if !withdraws {
            return Ok(());
        }
        let reference = kept.application.reference.clone().unwrap_or_default();
        let reason = StaffReason::of(format!("You applied twice. Your application {reference} goes on."));
        let undone = self.about_pair(who, &kept, &other, "duplicate.undone");
        match self.withdraw_for_applicant(who, other.clone(), &reason, Preconditions::default()).await {
            Ok(_) => Ok(()),
            Err(error) => {
                self.store.forget_verdict(pair, &undone).await?;
                Err(error)
            }
        }
    }

    /// Notes that two applications are of two people.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`], [`Refusal::ApplicationNotFound`], [`Refusal::ApplicationChanged`] when they are merged.
    pub async fn tell_apart(&self, who: &StaffSession, id: &str, other: &str) -> Result<(), Error> {
        let (one, duplicate) = self.pair(who, id, other).await?;
        match duplicate.verdict {
            Some(DuplicateVerdict { kept_id: Some(_), .. }) => Err(Refusal::ApplicationChanged.into()),
            Some(_) => Ok(()),
            None => {
                let other = self.dossier(who, other).await?;
                let audit = self.about_pair(who, &one, &other, "duplicate.different");
                let verdict = self.verdict(who, None, false);
                Ok(self.store.judge([id, &other.application.id], &verdict, &audit).await?)
            }
        }
    }

    /// Takes back what was found out about two applications. What merging withdrew comes back, as an undone withdrawal
    /// does.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`], [`Refusal::ApplicationNotFound`], [`Error::NotAllowed`] when the withdrawn one cannot
    /// come back.
    pub async fn forget_verdict(&self, who: &StaffSession, id: &str, other: &str) -> Result<(), Error> {
        let (one, duplicate) = self.pair(who, id, other).await?;
        let Some(verdict) = duplicate.verdict else { return Ok(()) };
        let other = self.dossier(who, other).await?;
        let audit = self.about_pair(who, &one, &other, "duplicate.undone");
        let pair = [one.application.id.clone(), other.application.id.clone()];
        if verdict.withdrew {
            let merged = if verdict.kept_id.as_deref() == Some(id) { other } else { one };
            // Somebody may have brought it back already.
            if merged.application.stage == Stage::Archived {
                self.undo_withdrawal_for_applicant(who, merged, Preconditions::default()).await?;
            }
        }
        self.store.forget_verdict([&pair[0], &pair[1]], &audit).await?;
        Ok(())
    }

    async fn pair(&self, who: &StaffSession, id: &str, other: &str) -> Result<(Dossier, PossibleDuplicate), Error> {
        let dossier = self.dossier(who, id).await?;
        let duplicates = self.duplicates(who, &dossier).await?;
        let duplicate = duplicates.into_iter().find(|duplicate| duplicate.listing.application_id == other);
        Ok((dossier, duplicate.ok_or(Refusal::ApplicationNotFound)?))
    }

    fn verdict(&self, who: &StaffSession, kept_id: Option<String>, withdrew: bool) -> DuplicateVerdict {
        DuplicateVerdict { kept_id, withdrew, judged_by: who.staff.id.clone(), judged_at: self.clock.now() }
    }

    /// A line for the record of each of the two, which names the other one.
    fn about_pair(&self, who: &StaffSession, one: &Dossier, other: &Dossier, action: &'static str) -> [AuditEntry; 2] {
        let line = |about: &Dossier, named: &Dossier| {
            let detail = json!({ "other": named.application.id, "reference": named.application.reference });
            self.about_application(who, &about.application.id, action, detail)
        };
        [line(one, other), line(other, one)]
    }
}
