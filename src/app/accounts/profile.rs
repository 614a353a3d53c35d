//! An applicant's own profile.

use crate::App;
use crate::accounts::sessions::SignedIn;
use crate::error::Error;
use domain::account::Applicant;
use domain::input::Input;

impl App {
    /// Changes the given fields of the profile and returns the updated account.
    ///
    /// # Errors
    /// Bad fields.
    pub async fn update_profile(&self, who: &SignedIn, input: &Input) -> Result<Applicant, Error> {
        let profile = who.applicant.profile.changed(input, self.today())?;
        let id = &who.applicant.id;
        let fields: Vec<&str> = input.entries()?.iter().map(|(name, _)| name.as_str()).collect();
        let detail = serde_json::json!({ "fields": fields });
        let audit = self.by_applicant(id, format!("applicant:{id}"), "applicant.profile_changed", detail);
        self.store.save_profile(id, &profile, &audit).await?;
        Ok(Applicant { profile, ..who.applicant.clone() })
    }
}
