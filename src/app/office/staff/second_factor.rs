//! The second factor of staff.

use serde_json::json;

use super::{actor, mails};
use crate::App;
use crate::accounts::second_factor::{Event, SecondFactorProof, Setup};
use crate::error::{Error, Refusal};
use domain::input::Input;
use domain::permission::Permission;
use domain::staff::{Staff, StaffSession};
use store::StaffChanged;

impl App {
    /// Sets up a new authenticator app, or resumes the setup with this seed.
    pub fn staff_second_factor_setup(&self, staff: &Staff, seed: Option<&str>) -> Setup {
        self.setup(staff.holder(), seed)
    }

    /// Turns on the authenticator app, once a code proves that it has the seed. Returns the recovery codes, shown once.
    /// Every other session of the account ends.
    ///
    /// # Errors
    /// `code.required`, `code.wrong`, [`Refusal::SecondFactorThere`].
    pub async fn set_staff_second_factor(&self, who: &StaffSession, input: &Input) -> Result<Vec<String>, Error> {
        let proof = SecondFactorProof::parse(input)?;
        let holder = who.staff.holder();
        let (new, codes) = self.proven(holder, proof)?;
        let audit = self.about_second_factor(holder, Event::On);
        let mail = mails::second_factor_on(self, &who.staff);
        if !self.store.set_second_factor(holder.account, &new, &who.session.id, &audit, &mail).await? {
            return Err(Refusal::SecondFactorThere.into());
        }
        Ok(codes)
    }

    /// Removes the caller's own authenticator app. Every other session of the account ends.
    ///
    /// # Errors
    /// [`Refusal::SecondFactorNeeded`] for the last second factor where everybody must have one.
    pub async fn drop_staff_second_factor(&self, who: &StaffSession) -> Result<(), Error> {
        if who.second_factor_required && who.staff.passkeys == 0 {
            return Err(Refusal::SecondFactorNeeded.into());
        }
        let holder = who.staff.holder();
        let audit = self.about_second_factor(holder, Event::Off);
        let mail = mails::second_factor_off(self, &who.staff);
        self.store.drop_second_factor(holder.account, &who.session.id, &audit, &mail).await?;
        Ok(())
    }

    /// Replaces the recovery codes.
    ///
    /// # Errors
    /// [`Refusal::NoSecondFactor`]
    pub async fn renew_staff_recovery_codes(&self, who: &StaffSession) -> Result<Vec<String>, Error> {
        Ok(self.renewed_codes(who.staff.holder()).await?.ok_or(Refusal::NoSecondFactor)?)
    }

    pub async fn staff_recovery_codes_left(&self, staff: &Staff) -> Result<i64, Error> {
        Ok(self.store.recovery_codes(staff.holder().account).await?)
    }

    /// Removes the second factor of a colleague who has lost it. Their sessions end.
    ///
    /// # Errors
    /// [`Refusal::StaffNotFound`], [`Refusal::NoSecondFactor`], [`Refusal::RoleForbidden`].
    pub async fn reset_staff_second_factor(&self, who: &StaffSession, staff_id: &str) -> Result<(), Error> {
        who.staff.permit(Permission::Staff)?;
        let staff = self.staff_by_id(staff_id).await?;
        let holder = staff.holder();
        let audit = self.second_factor_changed(actor(&who.staff), holder, Event::Reset, json!({}));
        let mail = mails::second_factor_off(self, &staff);
        if self.store.reset_second_factor(holder.account, &audit, &mail).await? {
            Ok(())
        } else {
            Err(Refusal::NoSecondFactor.into())
        }
    }

    /// Sets whether all staff must have a second factor. Those without one have to set it up before anything else.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`]
    pub async fn require_second_factor(&self, who: &StaffSession, required: bool) -> Result<(), Error> {
        who.staff.permit(Permission::Settings)?;
        let before = self.store.second_factor_required().await?;
        if before == required {
            return Ok(());
        }
        let detail = json!({ "from": before, "to": required });
        let audit = self.audit_entry(actor(&who.staff), "office".into(), "office.second_factor_required", detail);
        self.store.require_second_factor(required, &audit).await?;
        Ok(())
    }
}

/// Turns the result of an act on an account into an error.
pub(super) fn outcome(changed: StaffChanged) -> Result<(), Error> {
    match changed {
        StaffChanged::Done => Ok(()),
        StaffChanged::Otherwise => Err(Refusal::StaffChanged.into()),
        StaffChanged::LastOwner => Err(Refusal::LastOwner.into()),
        StaffChanged::NoOwner => Err(Refusal::RoleForbidden.into()),
    }
}
