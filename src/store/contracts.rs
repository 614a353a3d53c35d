//! Contracts and their events.

use super::Db;
use super::error::unreadable;
use super::in_place::row;
use super::listings::relist;
use super::query::{Arg, Tx, args};
use crate::{AuditEntry, NewJob, NewMail, NewTemplate, StoreError, Stored};
use domain::contract::{
    Contract, ContractAct, ContractFile, ContractState, Event, ListedContract, TemplateDraft, TemplateVersion,
};
use domain::moments::Millis;
use domain::program::Program;
use domain::status::Stage;
use domain::task::{Task, TaskKind};

/// The kind of job that reminds of an unsigned contract.
pub const CONTRACT_REMINDER: &str = "contract-reminder";
/// The kind of job that closes a contract that nobody signed in time.
pub const CONTRACT_EXPIRY: &str = "contract-expiry";

/// Returns the subject of jobs and of the record for a contract.
pub fn contract_subject(contract_id: &str) -> String {
    format!("contract:{contract_id}")
}

/// An act on a contract with everything that belongs to it.
#[derive(Debug, Clone)]
pub struct ContractChange {
    /// The new state; its revision is one more than the one the caller has seen, 1 for a new contract.
    pub contract: Contract,
    /// The stages of the application at which this is allowed; any if empty.
    pub stages: &'static [Stage],
    /// Its position is the contract's revision.
    pub event: Event,
    pub audit: AuditEntry,
    pub mails: Vec<NewMail>,
    /// Kinds of jobs about this contract that are dropped before `jobs` are added.
    pub dropped_jobs: Vec<&'static str>,
    pub jobs: Vec<NewJob>,
    /// Kinds of tasks about the application that are closed.
    pub done_tasks: Vec<TaskKind>,
    pub tasks: Vec<Task>,
}

/// Columns of `contracts`, in the order of [`ContractRow`].
macro_rules! contract_columns {
    () => {
        "id, application_id, number, state, revision, code, template_version, body, body_hash, changed_at, sent_at, \
         expires_at, consented_at, signed_at, signed_name, on_paper, countersigned_at, countersigned_name, ended_at, \
         end_reason, file_object, file_size, file_hash"
    };
}

row! {
    struct ContractRow {
        id: String,
        application_id: String,
        number: i64,
        state: String,
        revision: i64,
        code: String,
        template_version: i64,
        body: Option<String>,
        body_hash: Option<String>,
        changed_at: i64,
        sent_at: Option<i64>,
        expires_at: Option<i64>,
        consented_at: Option<i64>,
        signed_at: Option<i64>,
        signed_name: Option<String>,
        on_paper: i64,
        countersigned_at: Option<i64>,
        countersigned_name: Option<String>,
        ended_at: Option<i64>,
        end_reason: Option<String>,
        file_object: Option<String>,
        file_size: Option<i64>,
        file_hash: Option<String>,
    }
}

impl TryFrom<ContractRow> for Contract {
    type Error = StoreError;

    fn try_from(row: ContractRow) -> Result<Self, StoreError> {
        let state = ContractState::parse(&row.state).ok_or_else(|| unreadable("contracts.state", &row.id))?;
        let file = match (row.file_object, row.file_size, row.file_hash) {
            (Some(object), Some(size), Some(hash)) => {
                Some(ContractFile { object, size: u64::try_from(size).unwrap_or_default(), hash })
            }
            _ => None,
        };
        Ok(Contract {
            id: row.id,
            application_id: row.application_id,
            number: row.number,
            state,
            revision: row.revision,
            code: row.code,
            template_version: row.template_version,
            text: row.body,
            text_hash: row.body_hash,
            changed_at: row.changed_at,
            sent_at: row.sent_at,
            expires_at: row.expires_at,
            consented_at: row.consented_at,
            signed_at: row.signed_at,
            signed_name: row.signed_name,
            on_paper: row.on_paper == 1,
            countersigned_at: row.countersigned_at,
            countersigned_name: row.countersigned_name,
            ended_at: row.ended_at,
            end_reason: row.end_reason,
            file,
        })
    }
}

row! {
    struct EventRow {
        position: i64,
        act: String,
        happened_at: i64,
        actor: String,
        name: String,
        address: String,
        detail: String,
        text_hash: String,
        hash: String,
    }
}

impl EventRow {
    fn event(self, contract_id: &str) -> Stored<Event> {
        let EventRow { position, act, happened_at, actor, name, address, detail, text_hash, hash } = self;
        let act = ContractAct::parse(&act).ok_or_else(|| unreadable("contract_events.act", contract_id))?;
        Ok(Event { position, act, at: happened_at, actor, name, address, detail, text_hash, hash })
    }
}

row! {
    struct ListedRow {
        id: String,
        application_id: String,
        number: i64,
        state: String,
        changed_at: i64,
        expires_at: Option<i64>,
        first_name: String,
        last_name: String,
        reference: Option<String>,
        program: String,
    }
}

impl TryFrom<ListedRow> for ListedContract {
    type Error = StoreError;

    fn try_from(row: ListedRow) -> Result<Self, StoreError> {
        let unreadable = |column| unreadable(column, &row.id);
        Ok(ListedContract {
            state: ContractState::parse(&row.state).ok_or_else(|| unreadable("contracts.state"))?,
            program: Program::of_application_type(&row.program).ok_or_else(|| unreadable("applications.program"))?,
            id: row.id,
            application_id: row.application_id,
            number: row.number,
            changed_at: row.changed_at,
            expires_at: row.expires_at,
            first_name: row.first_name,
            last_name: row.last_name,
            reference: row.reference,
        })
    }
}

/// Contracts with their applicants, latest first, after the contract `$1` if there is one.
macro_rules! listed {
    ($condition:literal) => {
        concat!(
            "SELECT c.id, c.application_id, c.number, c.state, c.changed_at, c.expires_at, p.first_name, p.last_name, \
             a.reference, a.program FROM contracts c JOIN applications a ON a.id = c.application_id \
             JOIN applicants p ON p.id = a.applicant_id WHERE ($1 IS NULL OR (c.changed_at, c.id) < \
             (SELECT changed_at, id FROM contracts WHERE id = $1)) ",
            $condition,
            " ORDER BY c.changed_at DESC, c.id DESC LIMIT $2"
        )
    };
}

const EVENTS: &str = "SELECT position, act, happened_at, actor, name, address, detail, text_hash, hash \
                      FROM contract_events WHERE contract_id = $1 ORDER BY position";

impl Db {
    /// Returns every published template of a program, newest first.
    pub async fn template_versions(&self, program: Program) -> Stored<Vec<TemplateVersion>> {
        self.templates_of(program).await
    }

    /// Publishes a template. Returns false if it is not the next version, or its draft is not at that revision.
    pub async fn publish_template(&self, new: &NewTemplate, audit: &AuditEntry) -> Stored<bool> {
        self.publish(new, audit).await
    }

    pub async fn template_draft(&self, program: Program) -> Stored<Option<TemplateDraft>> {
        self.draft_of(program).await
    }

    /// Writes the draft at its revision; the first is 1. Returns false if the stored one is not at the revision before.
    pub async fn write_template_draft(&self, draft: &TemplateDraft, audit: &AuditEntry) -> Stored<bool> {
        self.write_draft(draft, audit).await
    }

    /// Deletes the draft at this revision. Returns false if there is none.
    pub async fn discard_template_draft(&self, program: Program, revision: i64, audit: &AuditEntry) -> Stored<bool> {
        self.discard_draft_of(program, revision, audit).await
    }

    pub async fn contract(&self, id: &str) -> Stored<Option<Contract>> {
        let sql = concat!("SELECT ", contract_columns!(), " FROM contracts WHERE id = $1");
        let row: Option<ContractRow> = self.fetch_optional(sql, args![id]).await?;
        row.map(Contract::try_from).transpose()
    }

    pub async fn contract_by_code(&self, code: &str) -> Stored<Option<Contract>> {
        let sql = concat!("SELECT ", contract_columns!(), " FROM contracts WHERE code = $1");
        let row: Option<ContractRow> = self.fetch_optional(sql, args![code]).await?;
        row.map(Contract::try_from).transpose()
    }

    /// Returns every contract about the application, newest first.
    pub async fn contracts_of(&self, application_id: &str) -> Stored<Vec<Contract>> {
        let sql =
            concat!("SELECT ", contract_columns!(), " FROM contracts WHERE application_id = $1 ORDER BY number DESC");
        let rows: Vec<ContractRow> = self.fetch_all(sql, args![application_id]).await?;
        rows.into_iter().map(Contract::try_from).collect()
    }

    /// Returns the events of a contract, in order.
    pub async fn contract_events(&self, contract_id: &str) -> Stored<Vec<Event>> {
        let rows: Vec<EventRow> = self.fetch_all(EVENTS, args![contract_id]).await?;
        rows.into_iter().map(|row| row.event(contract_id)).collect()
    }

    /// Writes the change. Returns false if the contract is not at the revision before, or the application at none of
    /// its stages.
    pub async fn change_contract(&self, change: &ContractChange) -> Stored<bool> {
        let ContractChange { contract, stages, event, audit, mails, dropped_jobs, jobs, done_tasks, tasks } = change;
        let mut tx = self.begin().await?;
        // A concurrent change of the application's stage waits here.
        let sql = "UPDATE applications SET revision = revision WHERE id = $1 RETURNING stage";
        let found: Vec<(String,)> = tx.fetch_all(sql, args![&contract.application_id]).await?;
        let stage = found.first().map(|(stage,)| stage.as_str());
        if !stages.is_empty() && !stages.iter().any(|one| Some(one.as_str()) == stage) {
            return Ok(false);
        }
        if !write(&mut tx, contract).await? {
            return Ok(false);
        }
        note(&mut tx, &contract.id, event).await?;
        tx.audit(audit).await?;
        for mail in mails {
            tx.mail(mail).await?;
        }
        let subject = contract_subject(&contract.id);
        for kind in dropped_jobs {
            tx.drop_jobs(&subject, kind).await?;
        }
        for job in jobs {
            tx.job(job).await?;
        }
        let about = format!("application:{}", contract.application_id);
        for kind in done_tasks {
            tx.tasks_done(&about, *kind, event.at).await?;
        }
        for task in tasks {
            tx.task(task).await?;
        }
        relist(&mut tx, &contract.application_id).await?;
        tx.commit().await?;
        Ok(true)
    }

    /// Returns up to `limit` contracts in this state (in any, without one) that changed before the contract `before`,
    /// latest first.
    pub async fn list_contracts(
        &self,
        state: Option<ContractState>,
        before: Option<&str>,
        limit: i64,
    ) -> Stored<Vec<ListedContract>> {
        let rows: Vec<ListedRow> = match state {
            Some(state) => self.fetch_all(listed!("AND c.state = $3"), args![before, limit, state.as_str()]).await?,
            None => self.fetch_all(listed!(""), args![before, limit]).await?,
        };
        rows.into_iter().map(ListedContract::try_from).collect()
    }

    /// Counts contracts by state; states without any are left out.
    pub async fn contract_counts(&self) -> Stored<Vec<(ContractState, i64)>> {
        let sql = "SELECT state, COUNT(*) FROM contracts GROUP BY state";
        let rows: Vec<(String, i64)> = self.scan(sql, args![]).await?;
        Ok(rows.into_iter().filter_map(|(state, count)| Some((ContractState::parse(&state)?, count))).collect())
    }

    /// Returns contracts whose text is frozen, in the order of their ids: up to `limit` after `after`.
    pub async fn frozen_contracts(&self, after: &str, limit: i64) -> Stored<Vec<Contract>> {
        let sql = concat!(
            "SELECT ",
            contract_columns!(),
            " FROM contracts WHERE id > $1 AND body IS NOT NULL ORDER BY id LIMIT $2"
        );
        let rows: Vec<ContractRow> = self.scan(sql, args![after, limit]).await?;
        rows.into_iter().map(Contract::try_from).collect()
    }
}

/// Writes the contract over the revision before it. Returns false if that is not the current one.
async fn write(tx: &mut Tx, contract: &Contract) -> Stored<bool> {
    let file = contract.file.as_ref();
    let size = file.map(|file| i64::try_from(file.size).unwrap_or(i64::MAX));
    let values: &[Arg<'_>] = args![
        &contract.id,
        &contract.application_id,
        contract.number,
        contract.state.as_str(),
        contract.revision,
        &contract.code,
        contract.template_version,
        contract.text.as_deref(),
        contract.text_hash.as_deref(),
        contract.changed_at,
        contract.sent_at,
        contract.expires_at,
        contract.consented_at,
        contract.signed_at,
        contract.signed_name.as_deref(),
        i64::from(contract.on_paper),
        contract.countersigned_at,
        contract.countersigned_name.as_deref(),
        contract.ended_at,
        contract.end_reason.as_deref(),
        file.map(|file| file.object.as_str()),
        size,
        file.map(|file| file.hash.as_str()),
    ];
    let sql = if contract.revision == 1 {
        concat!(
            "INSERT INTO contracts (",
            contract_columns!(),
            ") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, \
             $22, $23) ON CONFLICT DO NOTHING"
        )
    } else {
        "UPDATE contracts SET application_id = $2, number = $3, state = $4, revision = $5, code = $6, \
         template_version = $7, body = $8, body_hash = $9, changed_at = $10, sent_at = $11, expires_at = $12, \
         consented_at = $13, signed_at = $14, signed_name = $15, on_paper = $16, countersigned_at = $17, \
         countersigned_name = $18, ended_at = $19, end_reason = $20, file_object = $21, file_size = $22, \
         file_hash = $23 WHERE id = $1 AND revision = $5 - 1"
    };
    Ok(tx.execute(sql, values).await? == 1)
}

async fn note(tx: &mut Tx, contract_id: &str, event: &Event) -> Stored<()> {
    let Event { position, act, at, actor, name, address, detail, text_hash, hash } = event;
    tx.execute(
        "INSERT INTO contract_events (contract_id, position, act, happened_at, actor, name, address, detail, text_hash, \
         hash) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
        args![contract_id, *position, act.as_str(), *at, actor, name, address, detail, text_hash, hash],
    )
    .await?;
    Ok(())
}

/// Voids every contract of an application that is over, signed ones too, within the transaction that ends it.
pub(super) async fn void_all(tx: &mut Tx, application_id: &str, actor: &str, reason: &str, at: Millis) -> Stored<()> {
    let sql = concat!(
        "SELECT ",
        contract_columns!(),
        " FROM contracts WHERE application_id = $1 AND state IN ('draft', 'sent', 'viewed', 'signed', 'countersigned')"
    );
    let rows: Vec<ContractRow> = tx.fetch_all(sql, args![application_id]).await?;
    for row in rows {
        let mut contract = Contract::try_from(row)?;
        let events: Vec<EventRow> = tx.fetch_all(EVENTS, args![&contract.id]).await?;
        let before = events.into_iter().next_back().map(|event| event.hash).unwrap_or_default();
        contract.revision += 1;
        contract.state = ContractState::Voided;
        contract.changed_at = at;
        contract.ended_at = Some(at);
        contract.end_reason = Some(reason.to_owned());
        let mut event = Event {
            position: contract.revision,
            act: ContractAct::Void,
            at,
            actor: actor.to_owned(),
            name: String::new(),
            address: String::new(),
            detail: reason.to_owned(),
            text_hash: contract.text_hash.clone().unwrap_or_default(),
            hash: String::new(),
        };
        event.hash = event.hash(&contract.id, &before);
        write(tx, &contract).await?;
        note(tx, &contract.id, &event).await?;
        let subject = contract_subject(&contract.id);
        for kind in [CONTRACT_REMINDER, CONTRACT_EXPIRY] {
            tx.drop_jobs(&subject, kind).await?;
        }
    }
    let about = format!("application:{application_id}");
    for kind in [TaskKind::Contract, TaskKind::Countersign] {
        tx.tasks_done(&about, kind, at).await?;
    }
    Ok(())
}

/// Removes all contracts of an applicant whose records are no longer kept. The caller removes the bytes of signed
/// copies.
pub(super) async fn erase(tx: &mut Tx, applicant_id: &str) -> Stored<()> {
    for sql in [
        "DELETE FROM contract_events WHERE contract_id IN (SELECT c.id FROM contracts c \
         JOIN applications a ON a.id = c.application_id WHERE a.applicant_id = $1)",
        "DELETE FROM contracts WHERE application_id IN (SELECT id FROM applications WHERE applicant_id = $1)",
    ] {
        tx.execute(sql, args![applicant_id]).await?;
    }
    Ok(())
}
