//! Demo fees: where an application fee is set, most are waived by a code of the season, and some are still to be paid.

use super::season::End;
use crate::App;
use crate::accounts::sessions::SignedIn;
use crate::error::Error;
use domain::application::{Application, ApplicationKey};
use domain::application_fee::{FeeCode, FeeCodeEntry, NewFeeCode};
use domain::staff::Staff;
use tokio::sync::OnceCell;

impl App {
    /// Waives the fee of an application that was just submitted, if it is due and the application is to get further.
    pub(super) async fn demo_fee(
        &self,
        who: &SignedIn,
        application: Application,
        (end, number): (End, u32),
        (code, owner): (&OnceCell<FeeCode>, &Staff),
    ) -> Result<Application, Error> {
        let is_due = self.fee_of(&application).await?.is_some_and(|view| view.fee.is_due());
        if !is_due || (end == End::Submitted && number.is_multiple_of(2)) {
            return Ok(application);
        }
        let code = code.get_or_try_init(|| self.demo_fee_code(owner)).await?;
        self.use_fee_code(who, &application, &FeeCodeEntry { code: code.code.clone() }).await?;
        let (_, application) = self.find_application(ApplicationKey::Id(&application.id)).await?;
        Ok(application)
    }

    /// A code that nobody guesses, for this season only.
    async fn demo_fee_code(&self, owner: &Staff) -> Result<FeeCode, Error> {
        let asked = NewFeeCode {
            code: format!("DEMO-{:X}", self.random.number()),
            application_type: None,
            note: Some("Demo data".into()),
            most_uses: None,
            expires_on: None,
        };
        self.create_fee_code_by(owner, asked).await
    }

    /// Ends the code, if there is one.
    pub(super) async fn demo_fees_over(&self, code: Option<&FeeCode>, owner: &Staff) -> Result<(), Error> {
        match code {
            Some(code) => self.end_fee_code_by(owner, code).await,
            None => Ok(()),
        }
    }
}
