//! A person who applied twice, with two accounts: found, reviewed, and merged or told apart.
//!
//! Merging lets one application continue. The other one is withdrawn and links to it; its documents and notes stay in
//! place, so that undoing the merge loses nothing.

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

/// More matches than this cannot be one person.
const MAX: i64 = 20;

/// Another application that may be from the same person.
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
        // Erased records leave nothing to compare.
        if dossier.applicant.email.is_empty() {
            return Ok(Vec::new());
        }
        // The key from the list, by which `listings_of` orders its rows.
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

    /// Lets the application `id` continue for the person, and withdraws the other one. Repeated calls merge once.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`], [`Refusal::ApplicationNotFound`], also when the two are not alike, `other.stage`
    /// when the other one can no longer be withdrawn.
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

    /// Records that two applications are from different people.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`], [`Refusal::ApplicationNotFound`], [`Refusal::ApplicationChanged`] when they are
    /// merged.
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

    /// Undoes the verdict about two applications. An application withdrawn by merging is restored, as with an undone
    /// withdrawal.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`], [`Refusal::ApplicationNotFound`], [`Error::NotAllowed`] when the withdrawn one
    /// cannot be restored.
    pub async fn forget_verdict(&self, who: &StaffSession, id: &str, other: &str) -> Result<(), Error> {
        let (one, duplicate) = self.pair(who, id, other).await?;
        let Some(verdict) = duplicate.verdict else { return Ok(()) };
        let other = self.dossier(who, other).await?;
        let audit = self.about_pair(who, &one, &other, "duplicate.undone");
        let pair = [one.application.id.clone(), other.application.id.clone()];
        if verdict.withdrew {
            let merged = if verdict.kept_id.as_deref() == Some(id) { other } else { one };
            // Somebody may have restored it already.
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

    /// An audit entry for each of the two, naming the other.
    fn about_pair(&self, who: &StaffSession, one: &Dossier, other: &Dossier, action: &'static str) -> [AuditEntry; 2] {
        let line = |about: &Dossier, named: &Dossier| {
            let detail = json!({ "other": named.application.id, "reference": named.application.reference });
            self.about_application(who, &about.application.id, action, detail)
        };
        [line(one, other), line(other, one)]
    }
}
