//! What applicants do with a contract: read it, agree to sign electronically, sign or decline.

use super::{ATTEMPTS, By, STAGES, next_state};
use crate::accounts::passwords::current_password;
use crate::accounts::sessions::SignedIn;
use crate::error::{Error, Refusal};
use crate::{App, Caller};
use domain::application::Application;
use domain::body::{filled, lines, ticked};
use domain::contract::{Contract, ContractAct, ContractState, is_same_name};
use domain::decision::MAX_REASON_LENGTH;
use domain::input::FieldError;
use domain::task::TaskKind;
use domain::{body, text};
use store::{CONTRACT_EXPIRY, CONTRACT_REMINDER};

body! {
    /// The applicant's typed signature.
    pub struct ContractSignature {
        /// The name of the account, typed as a signature.
        signer_name: String = filled(text!("Type your full name. It is your signature.")),
        /// Confirms that the whole contract is read and agreed to.
        pub agree: bool = ticked(text!("Check the box to confirm that you have read the contract and agree to it.")),
        #[schema(format = Password)]
        current_password: String = current_password,
    }
}

body! {
    /// The applicant's refusal of the contract, optionally with a reason.
    pub struct ContractDecline {
        /// Up to 1,000 characters.
        #[schema(nullable = false)]
        decline_reason: Option<String> = lines(text!("The reason"), MAX_REASON_LENGTH),
    }
}

impl App {
    /// The contract that counts for the applicant, if they know of any. `opened` records that they have opened it.
    ///
    /// # Errors
    /// Store errors.
    pub async fn own_contract(
        &self,
        who: &SignedIn,
        application: &Application,
        caller: &Caller,
        opened: bool,
    ) -> Result<Option<Contract>, Error> {
        let Some(contract) = self.contract_for(&application.id).await? else { return Ok(None) };
        if !opened || contract.state != ContractState::Sent || self.is_over(&contract) {
            return Ok(Some(contract));
        }
        let by = By::applicant(who, &caller.address);
        let state = next_state(&contract, ContractAct::View, &by)?;
        let next = contract.after(state, self.clock.now());
        let change = self.contract_change(next, ContractAct::View, &by, "").await?;
        if self.store.change_contract(&change).await? {
            return Ok(Some(change.contract));
        }
        Ok(self.contract_for(&application.id).await?)
    }

    /// Agrees to sign electronically. Repeated calls record it once.
    ///
    /// # Errors
    /// [`Refusal::ContractNotFound`], [`Refusal::ContractClosed`]
    pub async fn consent_to_sign(
        &self,
        who: &SignedIn,
        application: Option<&Application>,
        contract_id: &str,
        caller: &Caller,
    ) -> Result<Contract, Error> {
        let by = By::applicant(who, &caller.address);
        for _ in 0..ATTEMPTS {
            let contract = self.signable(application, contract_id).await?;
            if contract.consented_at.is_some() {
                return Ok(contract);
            }
            let state = self.open_state(&contract, ContractAct::Consent, &by)?;
            let now = self.clock.now();
            let next = Contract { consented_at: Some(now), ..contract.after(state, now) };
            let mut change = self.contract_change(next, ContractAct::Consent, &by, "").await?;
            change.stages = STAGES;
            if self.store.change_contract(&change).await? {
                return Ok(change.contract);
            }
        }
        Err(Refusal::ContractClosed.into())
    }

    /// Signs the contract. Sent twice, or in two tabs, it is signed once.
    ///
    /// # Errors
    /// `signerName.other`, `consent.required`, `currentPassword.wrong`, too many failures,
    /// [`Refusal::ContractNotFound`], [`Refusal::ContractClosed`], [`Refusal::ContractBroken`],
    /// [`Refusal::ContractOutdated`].
    pub async fn sign_contract(
        &self,
        who: &SignedIn,
        application: Option<&Application>,
        contract_id: &str,
        signature: ContractSignature,
        caller: &Caller,
    ) -> Result<Contract, Error> {
        let contract = self.signable(application, contract_id).await?;
        if is_signed_by_them(&contract) {
            return Ok(contract);
        }
        let by = By { name: signature.signer_name.clone(), ..By::applicant(who, &caller.address) };
        if contract.state.is_open() && contract.consented_at.is_none() {
            let sentence = text!("First agree to sign electronically, or sign on paper.");
            return Err(FieldError::new("consent", "consent.required", sentence).into());
        }
        self.open_state(&contract, ContractAct::Sign, &by)?;
        let profile = &who.applicant.profile;
        if !is_same_name(&signature.signer_name, &profile.first_name, &profile.last_name) {
            let (first, last) = (&profile.first_name, &profile.last_name);
            let sentence = text!("Type your name as it is in your account: {first} {last}.", first, last);
            return Err(FieldError::new("signerName", "signerName.other", sentence).into());
        }
        self.confirm_password(who, signature.current_password, caller).await?;
        for _ in 0..ATTEMPTS {
            let contract = self.signable(application, contract_id).await?;
            if is_signed_by_them(&contract) {
                return Ok(contract);
            }
            let state = self.open_state(&contract, ContractAct::Sign, &by)?;
            self.expect_unchanged(&contract).await?;
            let (applicant, application) = self.contract_application(&contract.application_id).await?;
            self.expect_planned(&contract).await?;
            let now = self.clock.now();
            let next = Contract {
                signed_at: Some(now),
                signed_name: Some(signature.signer_name.clone()),
                ..contract.after(state, now)
            };
            let mut change = self.contract_change(next, ContractAct::Sign, &by, "").await?;
            self.after_signing(&mut change, &applicant, &application).await;
            if self.store.change_contract(&change).await? {
                return Ok(change.contract);
            }
        }
        Err(Refusal::ContractClosed.into())
    }

    /// Declines the contract; staff are told. The application stays as it is.
    ///
    /// # Errors
    /// [`Refusal::ContractNotFound`], [`Refusal::ContractClosed`]
    pub async fn decline_contract(
        &self,
        who: &SignedIn,
        application: Option<&Application>,
        contract_id: &str,
        decline: &ContractDecline,
        caller: &Caller,
    ) -> Result<Contract, Error> {
        let by = By::applicant(who, &caller.address);
        for _ in 0..ATTEMPTS {
            let contract = self.signable(application, contract_id).await?;
            if contract.state == ContractState::Declined {
                return Ok(contract);
            }
            let state = self.open_state(&contract, ContractAct::Decline, &by)?;
            let now = self.clock.now();
            let next = Contract {
                ended_at: Some(now),
                end_reason: decline.decline_reason.clone(),
                ..contract.after(state, now)
            };
            let detail = decline.decline_reason.clone().unwrap_or_default();
            let mut change = self.contract_change(next, ContractAct::Decline, &by, &detail).await?;
            change.dropped_jobs = vec![CONTRACT_REMINDER, CONTRACT_EXPIRY];
            change.tasks = vec![self.contract_task(&change.contract, TaskKind::Contract)];
            if self.store.change_contract(&change).await? {
                return Ok(change.contract);
            }
        }
        Err(Refusal::ContractClosed.into())
    }

    /// A contract of the applicant's own application, once sent to them.
    async fn signable(&self, application: Option<&Application>, contract_id: &str) -> Result<Contract, Error> {
        let application = application.ok_or(Refusal::ContractNotFound)?;
        let found = self.store.contract(contract_id).await?;
        let own = found.filter(|found| found.application_id == application.id && found.sent_at.is_some());
        Ok(own.ok_or(Refusal::ContractNotFound)?)
    }

    /// The state that an act leads to, if the contract has not expired.
    fn open_state(&self, contract: &Contract, act: ContractAct, by: &By) -> Result<ContractState, Refusal> {
        if self.is_over(contract) { Err(Refusal::ContractClosed) } else { next_state(contract, act, by) }
    }

    /// Whether its time for signing is over, even before the job has run.
    pub fn is_over(&self, contract: &Contract) -> bool {
        contract.state.is_open() && contract.expires_at.is_some_and(|until| until <= self.clock.now())
    }
}

fn is_signed_by_them(contract: &Contract) -> bool {
    matches!(contract.state, ContractState::Signed | ContractState::Countersigned)
}
