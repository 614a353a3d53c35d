//! Contracts: written from a published template, sent, signed, countersigned, and verified by anybody who has the file.
//!
//! Every act on a contract is one [`ContractChange`]: the contract at its next revision, the event at the end of its
//! chain, and everything that belongs to it, in one transaction. If two people act at once, one of them finds another
//! revision and tries again.

mod filling;
mod jobs;
mod office;
mod papers;
mod signing;
mod templates;
mod verification;

use serde_json::json;

use crate::App;
use crate::accounts::sessions::SignedIn;
use crate::error::{Error, Refusal};
use domain::account::Applicant;
use domain::application::Application;
use domain::contract::{Contract, ContractAct, ContractState, Event, Party, decide};
use domain::moments::{DAY, Millis};
use domain::permission::Permission;
use domain::staff::Staff;
use domain::status::Stage;
use domain::task::{Task, TaskKind};
use store::{ContractChange, Db, NewJob, Stored, contract_subject};

pub use office::{ContractPage, Countersignature, OfficeContract, PaperSignature, Prepared};
pub use papers::ContractPdf;
pub use signing::{ContractDecline, ContractSignature};
pub use templates::CurrentTemplate;
pub use verification::{Compared, Verified, parse_hash};

/// Stages at which a contract is prepared, sent and signed. A signed one can be replaced by another.
const STAGES: &[Stage] = &[Stage::Confirmed, Stage::Enrolled];
/// Attempts if somebody else is changing the same contract.
const ATTEMPTS: usize = 5;
/// Contracts read at a time.
const AT_ONCE: i64 = 100;

/// Who acts on a contract, as stated in its chain of events.
#[derive(Debug, Clone)]
struct By {
    party: Party,
    /// `applicant:ID`, `staff:ID` or `system`
    actor: String,
    name: String,
    address: String,
}

impl By {
    fn applicant(who: &SignedIn, address: &str) -> By {
        By {
            party: Party::Applicant,
            actor: format!("applicant:{}", who.applicant.id),
            name: full_name(&who.applicant),
            address: address.to_owned(),
        }
    }

    fn staff(staff: &Staff, address: &str) -> By {
        By {
            party: Party::Staff(staff.role),
            actor: format!("staff:{}", staff.id),
            name: staff.called().to_owned(),
            address: address.to_owned(),
        }
    }

    fn system() -> By {
        By { party: Party::System, actor: "system".into(), name: String::new(), address: String::new() }
    }
}

/// The state that an act leads to.
///
/// # Errors
/// [`Refusal::RoleForbidden`] for staff who may not do it, [`Refusal::ContractClosed`] when the current state does not
/// allow it.
fn next_state(contract: &Contract, act: ContractAct, by: &By) -> Result<ContractState, Refusal> {
    if let Party::Staff(role) = by.party {
        let needed =
            if act == ContractAct::Countersign { Permission::Countersign } else { Permission::ManageContracts };
        if !role.may(needed) {
            return Err(Refusal::RoleForbidden);
        }
    }
    decide(contract.state, act, by.party).ok_or(Refusal::ContractClosed)
}

fn full_name(applicant: &Applicant) -> String {
    format!("{} {}", applicant.profile.first_name, applicant.profile.last_name)
}

impl App {
    /// The change with its event at the end of the chain. The caller adds the rest.
    async fn contract_change(
        &self,
        contract: Contract,
        act: ContractAct,
        by: &By,
        detail: &str,
    ) -> Result<ContractChange, Error> {
        let events = if contract.revision == 1 { Vec::new() } else { self.store.contract_events(&contract.id).await? };
        let before = events.last().map(|event| event.hash.clone()).unwrap_or_default();
        let mut event = Event {
            position: contract.revision,
            act,
            at: contract.changed_at,
            actor: by.actor.clone(),
            name: by.name.clone(),
            address: by.address.clone(),
            detail: detail.to_owned(),
            text_hash: contract.text_hash.clone().unwrap_or_default(),
            hash: String::new(),
        };
        event.hash = event.hash(&contract.id, &before);
        let about = format!("application:{}", contract.application_id);
        // Only ids: names, addresses and reasons are in the contract's own chain.
        let audit_detail = json!({ "contract": contract.id, "number": contract.number, "event": event.hash });
        let audit = self.audit_entry(by.actor.clone(), about, audit_action(act), audit_detail);
        Ok(ContractChange {
            contract,
            stages: &[],
            event,
            audit,
            mails: Vec::new(),
            dropped_jobs: Vec::new(),
            jobs: Vec::new(),
            done_tasks: Vec::new(),
            tasks: Vec::new(),
        })
    }

    fn contract_job(
        &self,
        contract: &Contract,
        kind: &'static str,
        detail: serde_json::Value,
        due_at: Millis,
    ) -> NewJob {
        NewJob {
            id: self.random.id(),
            kind,
            subject: contract_subject(&contract.id),
            detail,
            due_at,
            plan_key: None,
            created_at: contract.changed_at,
        }
    }

    fn contract_task(&self, contract: &Contract, kind: TaskKind) -> Task {
        Task {
            id: self.random.id(),
            kind,
            subject: format!("application:{}", contract.application_id),
            detail: json!({ "contract": contract.id }),
            created_at: contract.changed_at,
            due_at: None,
        }
    }

    /// The contract that counts for an applicant: the latest they know of.
    pub(crate) async fn contract_for(&self, application_id: &str) -> Stored<Option<Contract>> {
        let all = self.store.contracts_of(application_id).await?;
        Ok(all.into_iter().find(|contract| contract.sent_at.is_some()))
    }

    /// Whether there is what enrolment requires: a contract that both parties have signed, that is in force, and whose
    /// payment terms match the current plan.
    ///
    /// # Errors
    /// Store errors.
    pub async fn is_contract_countersigned(&self, application: &Application) -> Result<bool, Error> {
        let all = self.store.contracts_of(&application.id).await?;
        match all.iter().find(|contract| contract.state == ContractState::Countersigned) {
            Some(contract) => self.fits_the_plan(contract).await,
            None => Ok(false),
        }
    }
}

/// The contract with its events, both at the same revision: somebody may act on it while they are read.
async fn with_events(store: &Db, mut contract: Contract) -> Stored<(Contract, Vec<Event>)> {
    loop {
        let events = store.contract_events(&contract.id).await?;
        if events.last().is_none_or(|last| last.position <= contract.revision) {
            return Ok((contract, events));
        }
        match store.contract(&contract.id).await? {
            Some(newer) if newer.revision > contract.revision => contract = newer,
            _ => return Ok((contract, events)),
        }
    }
}

/// Checks that texts and events of all contracts are unchanged. Returns how many were checked, or the first that was
/// changed.
///
/// # Errors
/// Store errors.
pub async fn check_contracts(store: &Db) -> Stored<Result<usize, String>> {
    let (mut after, mut count) = (String::new(), 0);
    loop {
        let batch = store.frozen_contracts(&after, AT_ONCE).await?;
        if batch.is_empty() {
            return Ok(Ok(count));
        }
        for contract in batch {
            after.clone_from(&contract.id);
            let (contract, events) = with_events(store, contract).await?;
            if !contract.is_unchanged(&events) {
                return Ok(Err(contract.id));
            }
            count += 1;
        }
    }
}

/// The action's name in the record.
fn audit_action(act: ContractAct) -> &'static str {
    match act {
        ContractAct::Prepare => "contract.prepared",
        ContractAct::Send => "contract.sent",
        ContractAct::View => "contract.viewed",
        ContractAct::Consent => "contract.consented",
        ContractAct::Sign => "contract.signed",
        ContractAct::RecordPaper => "contract.signed_on_paper",
        ContractAct::Countersign => "contract.countersigned",
        ContractAct::Decline => "contract.declined",
        ContractAct::Void => "contract.voided",
        ContractAct::Expire => "contract.expired",
    }
}

/// The time this many days after the contract was sent, when a reminder is due.
fn days_after(at: Millis, days: i64) -> Millis {
    at + days * DAY
}
