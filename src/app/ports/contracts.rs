//! Contracts and the templates that they are written from.

use async_trait::async_trait;

use super::{AuditEntry, Millis, NewJob, NewMail, Stored, Task};
use domain::contract::{ContractState, Event, TemplateText};
use domain::program::Program;
use domain::status::Stage;
use domain::task::TaskKind;

/// What jobs and the record call a contract.
pub fn contract_subject(contract_id: &str) -> String {
    format!("contract:{contract_id}")
}

/// A published template of a program.
#[derive(Debug, Clone)]
pub struct TemplateVersion {
    pub id: String,
    pub program: Program,
    /// Counts up for each program, from 1.
    pub version: i64,
    pub text: TemplateText,
    pub published_at: Millis,
    /// What colleagues call who published it.
    pub published_by: String,
    /// The earlier version whose text this is again; 0 for what the product came with.
    pub restored_from: Option<i64>,
}

/// A template to be published.
#[derive(Debug, Clone)]
pub struct NewTemplate {
    /// What the caller names it by: published again under the same id it is there once.
    pub id: String,
    pub program: Program,
    /// One more than the version that it replaces.
    pub version: i64,
    pub text: TemplateText,
    pub at: Millis,
    /// The id of who publishes it.
    pub by: String,
    pub restored_from: Option<i64>,
    /// The revision of the draft that it was, which ends with it.
    pub draft: Option<i64>,
}

/// The template that is being written for a program.
#[derive(Debug, Clone)]
pub struct TemplateDraft {
    pub program: Program,
    /// Counts up with every change, from 1.
    pub revision: i64,
    /// Mistakes included.
    pub text: TemplateText,
    pub changed_at: Millis,
    /// Id and name of who changed it last.
    pub changed_by: (String, String),
}

/// A contract about an application.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contract {
    pub id: String,
    pub application_id: String,
    /// Counts up for each application, from 1.
    pub number: i64,
    pub state: ContractState,
    /// Counts up with every event, from 1.
    pub revision: i64,
    /// The secret end of the address at which anybody can check it.
    pub code: String,
    pub template_version: i64,
    /// Canonical; `None` until it is sent.
    pub text: Option<String>,
    /// SHA-256 of it.
    pub text_hash: Option<String>,
    pub changed_at: Millis,
    pub sent_at: Option<Millis>,
    /// The first moment at which it cannot be signed any more.
    pub expires_at: Option<Millis>,
    /// The applicant agreed to sign electronically.
    pub consented_at: Option<Millis>,
    pub signed_at: Option<Millis>,
    pub signed_name: Option<String>,
    pub on_paper: bool,
    pub countersigned_at: Option<Millis>,
    pub countersigned_name: Option<String>,
    /// Declined, voided or expired.
    pub ended_at: Option<Millis>,
    pub end_reason: Option<String>,
    pub file: Option<ContractFile>,
}

/// The signed copy, as it was made when the contract was countersigned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContractFile {
    /// Its name in the storage.
    pub object: String,
    pub size: u64,
    /// SHA-256, hexadecimal.
    pub hash: String,
}

/// An act on a contract with all that belongs to it.
#[derive(Debug, Clone)]
pub struct ContractChange {
    /// As it is from now on; its revision is one more than the one that was seen, 1 for a new one.
    pub contract: Contract,
    /// The stages of the application at which this may be done; any without one.
    pub stages: &'static [Stage],
    /// At the position of the contract's revision.
    pub event: Event,
    pub audit: AuditEntry,
    pub mails: Vec<NewMail>,
    /// Kinds of jobs about this contract that are not done any more. They go before `jobs` come.
    pub dropped_jobs: Vec<&'static str>,
    pub jobs: Vec<NewJob>,
    /// Kinds of tasks about the application that are done with it.
    pub done_tasks: Vec<TaskKind>,
    pub tasks: Vec<Task>,
}

/// A contract in the list, with whose it is.
#[derive(Debug, Clone)]
pub struct ListedContract {
    pub id: String,
    pub application_id: String,
    pub number: i64,
    pub state: ContractState,
    pub changed_at: Millis,
    pub expires_at: Option<Millis>,
    pub first_name: String,
    pub last_name: String,
    pub reference: Option<String>,
    pub program: Program,
}

#[async_trait]
pub trait Contracts: Send + Sync {
    /// Every published template of a program, newest first.
    async fn template_versions(&self, program: Program) -> Stored<Vec<TemplateVersion>>;
    /// Publishes it, if it is the next version and its draft is there at that revision. If not: false.
    async fn publish_template(&self, new: &NewTemplate, audit: &AuditEntry) -> Stored<bool>;
    async fn template_draft(&self, program: Program) -> Stored<Option<TemplateDraft>>;
    /// Writes the draft at its revision, if the one before it is there; the first is 1. If not: false.
    async fn write_template_draft(&self, draft: &TemplateDraft, audit: &AuditEntry) -> Stored<bool>;
    /// Forgets the draft at this revision. It is not there: false.
    async fn discard_template_draft(&self, program: Program, revision: i64, audit: &AuditEntry) -> Stored<bool>;

    async fn contract(&self, id: &str) -> Stored<Option<Contract>>;
    async fn contract_by_code(&self, code: &str) -> Stored<Option<Contract>>;
    /// Every contract about the application, newest first.
    async fn contracts_of(&self, application_id: &str) -> Stored<Vec<Contract>>;
    /// What happened to a contract, in its order.
    async fn contract_events(&self, contract_id: &str) -> Stored<Vec<Event>>;
    /// Writes the change, if the revision before it is there and the application at one of its stages. If not: false.
    async fn change_contract(&self, change: &ContractChange) -> Stored<bool>;
    /// Up to `limit` contracts in this state (all without one) that changed before the contract `before`, latest first.
    async fn list_contracts(
        &self,
        state: Option<ContractState>,
        before: Option<&str>,
        limit: i64,
    ) -> Stored<Vec<ListedContract>>;
    /// How many contracts are in each state that any is in.
    async fn contract_counts(&self) -> Stored<Vec<(ContractState, i64)>>;
    /// Contracts whose text is frozen, in the order of their ids: up to `limit` behind `after`.
    async fn frozen_contracts(&self, after: &str, limit: i64) -> Stored<Vec<Contract>>;
}
