//! Contracts in the office: preparing, sending, recording a signature on paper, countersigning, voiding.

use bytes::Bytes;
use jiff::civil::Date;

use super::{ATTEMPTS, By, STAGES, days_after, full_name, next_state, with_events};
use crate::decisions::drafting::StaffReason;
use crate::documents::CONTRACTS;
use crate::error::{Error, Refusal};
use crate::{App, mails};
use domain::account::Applicant;
use domain::application::{Application, ApplicationKey};
use domain::body;
use domain::body::{filled, ticked, wrong};
use domain::clocks::day;
use domain::contract::{
    Contract, ContractAct, ContractFile, ContractState, Event, LanguageText, ListedContract, fingerprint, is_same_name,
};
use domain::input::{FieldError, Input};
use domain::permission::Permission;
use domain::staff::StaffSession;
use domain::task::TaskKind;
use store::{CONTRACT_EXPIRY, CONTRACT_REMINDER, ContractChange};

/// The reason for voiding a contract that is replaced by another, as its applicant reads it.
const RENEWED: &str = "How tuition is paid has changed. You get a contract that says so.";
/// Contracts per page of the list.
const PAGE: i64 = 50;

/// A contract with its history.
#[derive(Debug, Clone)]
pub struct OfficeContract {
    pub contract: Contract,
    pub events: Vec<Event>,
    /// Whether it is unchanged since it was written.
    pub unchanged: bool,
    /// Whether a later one has replaced it.
    pub superseded: bool,
    /// Whether it is in force, or could still be signed, but its payment terms differ from the current plan.
    pub outdated: bool,
}

/// A draft's text, if it were sent now.
#[derive(Debug, Clone)]
pub struct Prepared {
    pub texts: Vec<LanguageText>,
    /// SHA-256 of the text, which ensures that what is sent is what was seen.
    pub text_hash: String,
    pub template_version: i64,
}

#[derive(Debug, Clone)]
pub struct ContractPage {
    pub rows: Vec<ListedContract>,
    pub counts: Vec<(ContractState, i64)>,
    /// Cursor for the next page, if there is one.
    pub next: Option<String>,
}

body! {
    /// The record of a signature on paper.
    pub struct PaperSignature {
        /// The date on the paper: `2026-05-31`
        #[schema(value_type = String, format = Date)]
        signed_on: Date = day_on_paper,
        /// Confirms that whoever records it has the signed paper at hand.
        pub seen: bool = ticked("Tick that you have the signed paper before you."),
    }
}

fn day_on_paper(path: &str, input: Option<&Input>) -> Result<Date, FieldError> {
    let day = filled("Enter the day on the paper.")(path, input)?;
    day.parse().map_err(|_| wrong(path, "invalid", "Enter the day on the paper, like 2026-05-31."))
}

body! {
    /// The signature of a member of staff on behalf of the institute.
    pub struct Countersignature {
        /// The name of the account, typed as a signature.
        signer_name: String = filled("Type your name."),
        /// Confirms that the contract is read and signed for the institute.
        pub agree: bool = ticked("Tick that you sign for the institute."),
    }
}

impl App {
    /// The contracts of an application, newest first.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`]
    pub async fn contracts_in_office(
        &self,
        who: &StaffSession,
        application_id: &str,
    ) -> Result<Vec<OfficeContract>, Error> {
        who.staff.permit(Permission::Contracts)?;
        let mut found = Vec::new();
        let mut superseded = false;
        for contract in self.store.contracts_of(application_id).await? {
            let (contract, events) = with_events(&self.store, contract).await?;
            let unchanged = contract.text.is_none() || contract.is_unchanged(&events);
            let is_complete = contract.state == ContractState::Countersigned;
            let counts = contract.sent_at.is_some() && contract.ended_at.is_none() && !(superseded && is_complete);
            let outdated = counts && !self.fits_the_plan(&contract).await?;
            found.push(OfficeContract { superseded: superseded && is_complete, contract, events, unchanged, outdated });
            superseded |= is_complete;
        }
        Ok(found)
    }

    /// Contracts of all applications, most recently changed first.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`]
    pub async fn list_contracts(
        &self,
        who: &StaffSession,
        state: Option<ContractState>,
        before: Option<&str>,
    ) -> Result<ContractPage, Error> {
        who.staff.permit(Permission::Contracts)?;
        let mut rows = self.store.list_contracts(state, before, PAGE + 1).await?;
        let is_more = rows.len() as i64 > PAGE;
        rows.truncate(PAGE as usize);
        let next = rows.last().filter(|_| is_more).map(|row| row.id.clone());
        Ok(ContractPage { rows, counts: self.store.contract_counts().await?, next })
    }

    /// Starts a contract for an application whose offer is accepted. Returns the one already under way, if any.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`], [`Refusal::ApplicationNotFound`], [`Refusal::NoContractYet`].
    pub async fn prepare_contract(
        &self,
        who: &StaffSession,
        application_id: &str,
        address: &str,
    ) -> Result<Contract, Error> {
        who.staff.permit(Permission::ManageContracts)?;
        let (_, application) = self.contract_application(application_id).await?;
        for _ in 0..ATTEMPTS {
            let all = self.store.contracts_of(application_id).await?;
            if let Some(there) = all.iter().find(|contract| contract.state.is_under_way()) {
                return Ok(there.clone());
            }
            let template = self.current_template(application.program).await?;
            let contract = Contract {
                id: self.random.id(),
                application_id: application_id.to_owned(),
                number: all.first().map_or(0, |latest| latest.number) + 1,
                state: ContractState::Draft,
                revision: 1,
                code: self.random.secret(),
                template_version: template.version,
                text: None,
                text_hash: None,
                changed_at: self.clock.now(),
                sent_at: None,
                expires_at: None,
                consented_at: None,
                signed_at: None,
                signed_name: None,
                on_paper: false,
                countersigned_at: None,
                countersigned_name: None,
                ended_at: None,
                end_reason: None,
                file: None,
            };
            let by = By::staff(&who.staff, address);
            let change = self.contract_change(contract, ContractAct::Prepare, &by, "").await?;
            if self.store.change_contract(&ContractChange { stages: STAGES, ..change.clone() }).await? {
                return Ok(change.contract);
            }
            self.contract_application(application_id).await?;
        }
        Err(Refusal::ContractChanged.into())
    }

    /// Returns the text of the draft, if it were sent now.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`], [`Refusal::NoContractYet`], `contract.unfilled`.
    pub async fn preview_contract(&self, who: &StaffSession, application_id: &str) -> Result<Prepared, Error> {
        who.staff.permit(Permission::ManageContracts)?;
        let (applicant, application) = self.contract_application(application_id).await?;
        let current = self.current_template(application.program).await?;
        let sheet = self.planned_cost_sheet(&application).await?;
        let reader = applicant.profile.language;
        let written = self.write_contract(&current.text, &[reader], &applicant, &application, sheet).await?;
        let text_hash = fingerprint(written.text.canonical().as_bytes());
        Ok(Prepared { texts: written.text.texts, text_hash, template_version: current.version })
    }

    /// Sends the contract with the text that was seen: from now on it is frozen. Repeated calls send it once.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`], [`Refusal::ContractNotFound`], [`Refusal::ContractChanged`] when its text would
    /// differ now, and as for preparing.
    pub async fn send_contract(
        &self,
        who: &StaffSession,
        application_id: &str,
        contract_id: &str,
        seen: &str,
        address: &str,
    ) -> Result<Contract, Error> {
        who.staff.permit(Permission::ManageContracts)?;
        let by = By::staff(&who.staff, address);
        for _ in 0..ATTEMPTS {
            let contract = self.contract_of(application_id, contract_id).await?;
            if contract.state != ContractState::Draft && contract.text_hash.as_deref() == Some(seen) {
                return Ok(contract);
            }
            let state = next_state(&contract, ContractAct::Send, &by)?;
            let (applicant, application) = self.contract_application(application_id).await?;
            let current = self.current_template(application.program).await?;
            let sheet = self.planned_cost_sheet(&application).await?;
            let reader = applicant.profile.language;
            let written = self.write_contract(&current.text, &[reader], &applicant, &application, sheet).await?;
            let text = written.text.canonical();
            let text_hash = fingerprint(text.as_bytes());
            if text_hash != seen {
                return Err(Refusal::ContractChanged.into());
            }
            let now = self.clock.now();
            let next = Contract {
                template_version: current.version,
                text: Some(text),
                text_hash: Some(text_hash),
                sent_at: Some(now),
                expires_at: Some(written.expires_at),
                ..contract.after(state, now)
            };
            let mut change = self.contract_change(next, ContractAct::Send, &by, "").await?;
            let next = &change.contract;
            let last_day = day(written.expires_at - 1, &self.settings.time_zone);
            let terms = self.product_settings().await.contracts;
            let reminders = terms.reminders.map(|days| {
                let detail = serde_json::json!({ "days": days });
                self.contract_job(next, CONTRACT_REMINDER, detail, days_after(now, days))
            });
            let expiry = self.contract_job(next, CONTRACT_EXPIRY, serde_json::json!({}), written.expires_at);
            change.mails =
                vec![mails::contract_ready(&self.wording().await, &applicant, application.program, last_day)];
            change.jobs = reminders.into_iter().chain([expiry]).collect();
            change.done_tasks = vec![TaskKind::Contract];
            change.stages = STAGES;
            if self.store.change_contract(&change).await? {
                return Ok(change.contract);
            }
        }
        Err(Refusal::ContractChanged.into())
    }

    /// Voids a contract, whoever has signed it. The applicant is told, unless they never knew of it.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`], [`Refusal::ContractNotFound`], [`Refusal::ContractClosed`].
    pub async fn void_contract(
        &self,
        who: &StaffSession,
        application_id: &str,
        contract_id: &str,
        reason: &StaffReason,
        address: &str,
    ) -> Result<Contract, Error> {
        who.staff.permit(Permission::ManageContracts)?;
        let by = By::staff(&who.staff, address);
        for _ in 0..ATTEMPTS {
            let contract = self.contract_of(application_id, contract_id).await?;
            let is_done = contract.state == ContractState::Voided;
            if is_done && contract.end_reason.as_deref() == Some(reason.as_str()) {
                return Ok(contract);
            }
            let state = next_state(&contract, ContractAct::Void, &by)?;
            let now = self.clock.now();
            let next = Contract {
                ended_at: Some(now),
                end_reason: Some(reason.as_str().to_owned()),
                ..contract.after(state, now)
            };
            let mut change = self.contract_change(next, ContractAct::Void, &by, reason.as_str()).await?;
            change.dropped_jobs = vec![CONTRACT_REMINDER, CONTRACT_EXPIRY];
            change.done_tasks = vec![TaskKind::Countersign];
            if contract.sent_at.is_some() {
                let found = self.find_application(ApplicationKey::Id(application_id)).await?;
                let (applicant, application) = found;
                let wording = self.wording().await;
                change.mails = vec![mails::contract_voided(&wording, &applicant, application.program)];
            }
            if self.store.change_contract(&change).await? {
                return Ok(change.contract);
            }
        }
        Err(Refusal::ContractChanged.into())
    }

    /// Starts a contract to replace one whose payment terms differ from the current plan. A contract not yet signed by
    /// both parties is voided; one that is signed stays in force until both have signed the next one.
    ///
    /// # Errors
    /// As for [`void_contract`](Self::void_contract) and [`prepare_contract`](Self::prepare_contract).
    pub async fn renew_contract(
        &self,
        who: &StaffSession,
        application_id: &str,
        contract_id: &str,
        address: &str,
    ) -> Result<Contract, Error> {
        who.staff.permit(Permission::ManageContracts)?;
        self.contract_application(application_id).await?;
        let contract = self.contract_of(application_id, contract_id).await?;
        if contract.sent_at.is_some() && contract.state.is_under_way() {
            let reason = StaffReason::parse(Some(&Input::Text(RENEWED.into())))?;
            self.void_contract(who, application_id, contract_id, &reason, address).await?;
        }
        self.prepare_contract(who, application_id, address).await
    }

    /// Records that the applicant has signed on paper, in place of an electronic signature.
    ///
    /// # Errors
    /// `signedOn.range`, [`Refusal::RoleForbidden`], [`Refusal::ContractNotFound`], [`Refusal::ContractClosed`],
    /// [`Refusal::ContractBroken`].
    pub async fn record_paper_signature(
        &self,
        who: &StaffSession,
        application_id: &str,
        contract_id: &str,
        signature: PaperSignature,
        address: &str,
    ) -> Result<Contract, Error> {
        who.staff.permit(Permission::ManageContracts)?;
        let by = By::staff(&who.staff, address);
        for _ in 0..ATTEMPTS {
            let contract = self.contract_of(application_id, contract_id).await?;
            if contract.on_paper && contract.signed_at.is_some() && contract.ended_at.is_none() {
                return Ok(contract);
            }
            let state = next_state(&contract, ContractAct::RecordPaper, &by)?;
            self.expect_unchanged(&contract).await?;
            let (applicant, application) = self.contract_application(application_id).await?;
            let now = self.clock.now();
            let zone = &self.settings.time_zone;
            let sent_on = day(contract.sent_at.unwrap_or(now), zone);
            if signature.signed_on < sent_on || signature.signed_on > day(now, zone) {
                let sentence = "The day must not be before the contract was sent, or in the future.";
                return Err(FieldError::new("signedOn", "signedOn.range", sentence).into());
            }
            let name = full_name(&applicant);
            let detail = format!("{name}, {}", signature.signed_on);
            let next = Contract {
                signed_at: Some(now),
                signed_name: Some(name),
                on_paper: true,
                ..contract.after(state, now)
            };
            let mut change = self.contract_change(next, ContractAct::RecordPaper, &by, &detail).await?;
            self.after_signing(&mut change, &applicant, &application).await;
            if self.store.change_contract(&change).await? {
                return Ok(change.contract);
            }
        }
        Err(Refusal::ContractChanged.into())
    }

    /// Signs for the institute, and creates the signed copy. Repeated calls sign once.
    ///
    /// # Errors
    /// `signerName.other`, [`Refusal::RoleForbidden`], [`Refusal::ContractNotFound`], [`Refusal::ContractClosed`],
    /// [`Refusal::ContractBroken`].
    pub async fn countersign_contract(
        &self,
        who: &StaffSession,
        application_id: &str,
        contract_id: &str,
        signature: &Countersignature,
        address: &str,
    ) -> Result<Contract, Error> {
        who.staff.permit(Permission::Countersign)?;
        if who.staff.name.trim().is_empty() {
            let sentence = "Tell your name in your account first: it stands under the contract.";
            return Err(FieldError::new("signerName", "signerName.unknown", sentence).into());
        }
        if !is_same_name(&signature.signer_name, &who.staff.name, "") {
            let sentence = "Type your name as it is in your account.";
            return Err(FieldError::new("signerName", "signerName.other", sentence).into());
        }
        let by = By { name: signature.signer_name.clone(), ..By::staff(&who.staff, address) };
        for _ in 0..ATTEMPTS {
            let contract = self.contract_of(application_id, contract_id).await?;
            if contract.state == ContractState::Countersigned {
                return Ok(contract);
            }
            let state = next_state(&contract, ContractAct::Countersign, &by)?;
            let mut events = self.expect_unchanged(&contract).await?;
            let (applicant, application) = self.contract_application(application_id).await?;
            self.expect_planned(&contract).await?;
            let now = self.clock.now();
            let next = Contract {
                countersigned_at: Some(now),
                countersigned_name: Some(signature.signer_name.clone()),
                ..contract.after(state, now)
            };
            let mut change = self.contract_change(next, ContractAct::Countersign, &by, "").await?;
            events.push(change.event.clone());
            let bytes = self.signed_copy(&change.contract, &events, &application).await?;
            let object = format!("{CONTRACTS}/{}/{}", contract.id, self.random.id());
            let size = bytes.len() as u64;
            let hash = fingerprint(&bytes);
            // Bytes before the row that names them, as with documents.
            self.storage.put(&object, Bytes::from(bytes)).await?;
            change.audit.detail["file"] = hash.clone().into();
            change.contract.file = Some(ContractFile { object: object.clone(), size, hash });
            let wording = self.wording().await;
            change.mails = vec![mails::contract_complete(&wording, &applicant, application.program)];
            change.done_tasks = vec![TaskKind::Countersign];
            change.stages = STAGES;
            if self.store.change_contract(&change).await? {
                self.enrol_when_complete(application_id).await;
                return Ok(change.contract);
            }
            self.remove_objects([object]).await;
        }
        Err(Refusal::ContractChanged.into())
    }

    /// Adds what follows the applicant's signature: reminders end, and somebody has to countersign.
    pub(super) async fn after_signing(
        &self,
        change: &mut ContractChange,
        applicant: &Applicant,
        application: &Application,
    ) {
        let mail = mails::contract_signed(&self.wording().await, applicant, application.program);
        change.mails = vec![mail];
        change.dropped_jobs = vec![CONTRACT_REMINDER, CONTRACT_EXPIRY];
        change.tasks = vec![self.contract_task(&change.contract, TaskKind::Countersign)];
        change.stages = STAGES;
    }

    /// The events of a contract, after checking that its text is unchanged since it was frozen.
    ///
    /// # Errors
    /// [`Refusal::ContractBroken`]
    pub(super) async fn expect_unchanged(&self, contract: &Contract) -> Result<Vec<Event>, Error> {
        // If it is a newer one, nothing can be written on top of `contract`, and the caller tries again.
        let (contract, events) = with_events(&self.store, contract.clone()).await?;
        if contract.is_unchanged(&events) { Ok(events) } else { Err(Refusal::ContractBroken.into()) }
    }

    /// The id of the application a contract belongs to.
    ///
    /// # Errors
    /// [`Refusal::ContractNotFound`]
    pub async fn application_of_contract(&self, contract_id: &str) -> Result<String, Error> {
        let found = self.store.contract(contract_id).await?;
        Ok(found.ok_or(Refusal::ContractNotFound)?.application_id)
    }

    /// A contract of this application.
    async fn contract_of(&self, application_id: &str, contract_id: &str) -> Result<Contract, Error> {
        let found = self.store.contract(contract_id).await?;
        Ok(found.filter(|found| found.application_id == application_id).ok_or(Refusal::ContractNotFound)?)
    }

    /// An application at a stage with a contract, and its applicant.
    ///
    /// # Errors
    /// [`Refusal::ApplicationNotFound`], [`Refusal::NoContractYet`]
    pub(super) async fn contract_application(&self, id: &str) -> Result<(Applicant, Application), Error> {
        let found = self.find_application(ApplicationKey::Id(id)).await.map_err(Error::for_staff)?;
        if STAGES.contains(&found.1.stage) { Ok(found) } else { Err(Refusal::NoContractYet.into()) }
    }
}
