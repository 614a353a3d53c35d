//! Application fees, and the codes that waive them. What is charged and paid is in the ledger; a fee's row follows it in
//! the same transaction.

use super::Db;
use super::error::unreadable;
use super::in_place::row;
use super::listings::relist;
use super::query::{Tx, args};
use crate::{AuditEntry, NewJob, NewMail, StoreError, Stored};
use domain::application_fee::{ApplicationFee, FeeCode, FeeNeed, FeeRule, FeeState, NeedRefusal, WaivedBy};
use domain::intake::Intake;
use domain::ledger::TransactionDraft;
use domain::moments::Millis;
use domain::program::Program;
use domain::task::{Task, TaskKind};

/// The fee that a submission fixes.
#[derive(Debug, Clone)]
pub struct NewFee {
    pub fee: ApplicationFee,
    /// The transaction that charges it, with its new id; `None` if it is waived from the beginning.
    pub charge: Option<(String, TransactionDraft)>,
}

/// What becomes of a fee because of transactions of its line, and what follows from that.
#[derive(Debug, Clone)]
pub struct FeeChange {
    /// The state that it was decided for.
    pub from: FeeState,
    /// The revision of the application that it was decided for.
    pub revision: i64,
    /// The fee as it is from now on.
    pub fee: ApplicationFee,
    /// The application's owner from now on, unless there is one.
    pub owner: Option<String>,
    /// Kinds of waiting jobs about the application that are dropped before `jobs` are added.
    pub dropped_jobs: Vec<&'static str>,
    pub jobs: Vec<NewJob>,
    /// Kinds of tasks about the application that are closed before `tasks` are added.
    pub done_tasks: Vec<TaskKind>,
    pub tasks: Vec<Task>,
}

row! {
    struct FeeRow {
        application_id: String,
        cents: i64,
        intake: String,
        state: String,
        waived_by: Option<String>,
        rule: Option<String>,
        code_id: Option<String>,
        reason: Option<String>,
        need_statement: Option<String>,
        need_at: Option<i64>,
        need_refusal: Option<String>,
        need_refused_at: Option<i64>,
        need_refused_by: Option<String>,
        decided_at: Option<i64>,
        decided_by: Option<String>,
        created_at: i64,
    }
}

impl TryFrom<FeeRow> for ApplicationFee {
    type Error = StoreError;

    fn try_from(row: FeeRow) -> Result<Self, StoreError> {
        let unreadable = |column: &str| unreadable(column, &row.application_id);
        let refusal = row.need_refused_at.zip(row.need_refused_by);
        let refusal = refusal.map(|(at, by)| NeedRefusal { sentence: row.need_refusal.unwrap_or_default(), at, by });
        let statement = row.need_statement.unwrap_or_default();
        let waived_by =
            row.waived_by.map(|by| WaivedBy::parse(&by).ok_or_else(|| unreadable("application_fees.waived_by")));
        let rule = row.rule.map(|rule| FeeRule::parse(&rule).ok_or_else(|| unreadable("application_fees.rule")));
        Ok(ApplicationFee {
            cents: row.cents,
            intake: Intake::parse(&row.intake).ok_or_else(|| unreadable("application_fees.intake"))?,
            state: FeeState::parse(&row.state).ok_or_else(|| unreadable("application_fees.state"))?,
            waived_by: waived_by.transpose()?,
            rule: rule.transpose()?,
            code_id: row.code_id,
            reason: row.reason,
            need: row.need_at.map(|asked_at| FeeNeed { statement, asked_at, refusal }),
            decided_at: row.decided_at,
            decided_by: row.decided_by,
            created_at: row.created_at,
            application_id: row.application_id,
        })
    }
}

row! {
    struct CodeRow {
        id: String,
        code: String,
        program: Option<String>,
        note: String,
        most_uses: Option<i64>,
        expires_on: Option<String>,
        created_at: i64,
        created_by: String,
        ended_at: Option<i64>,
        uses: i64,
    }
}

/// The columns of a [`CodeRow`], before what chooses the rows.
macro_rules! codes {
    ($which:literal) => {
        concat!(
            "SELECT c.id, c.code, c.program, c.note, c.most_uses, c.expires_on, c.created_at, c.created_by, c.ended_at, \
             (SELECT COUNT(*) FROM application_fees f WHERE f.code_id = c.id) AS uses FROM fee_codes c ",
            $which
        )
    };
}

impl TryFrom<CodeRow> for FeeCode {
    type Error = StoreError;

    fn try_from(row: CodeRow) -> Result<Self, StoreError> {
        let CodeRow { id, code, program, note, most_uses, expires_on, created_at, created_by, ended_at, uses } = row;
        let unreadable = |column: &str| unreadable(column, &id);
        let program = program
            .map(|program| Program::of_application_type(&program).ok_or_else(|| unreadable("fee_codes.program")));
        let expires_on = expires_on.map(|day| day.parse().map_err(|_| unreadable("fee_codes.expires_on")));
        let (program, expires_on) = (program.transpose()?, expires_on.transpose()?);
        Ok(FeeCode { id, code, program, note, most_uses, expires_on, created_at, created_by, ended_at, uses })
    }
}

impl Db {
    pub async fn application_fee(&self, application_id: &str) -> Stored<Option<ApplicationFee>> {
        let sql = "SELECT application_id, cents, intake, state, waived_by, rule, code_id, reason, need_statement, \
                   need_at, need_refusal, need_refused_at, need_refused_by, decided_at, decided_by, created_at \
                   FROM application_fees WHERE application_id = $1";
        let row: Option<FeeRow> = self.fetch_optional(sql, args![application_id]).await?;
        row.map(ApplicationFee::try_from).transpose()
    }

    /// Writes that the applicant asks for a waiver. Returns false if the fee is no longer due, or one was asked for
    /// before.
    pub async fn ask_fee_waiver(
        &self,
        application_id: &str,
        statement: &str,
        task: &Task,
        audit: &AuditEntry,
    ) -> Stored<bool> {
        let mut tx = self.begin().await?;
        tx.lock_money(application_id).await?;
        let sql = "UPDATE application_fees SET need_statement = $2, need_at = $3 \
                   WHERE application_id = $1 AND state = 'due' AND need_at IS NULL";
        if tx.execute(sql, args![application_id, statement, audit.at]).await? == 0 {
            return Ok(false);
        }
        tx.audit(audit).await?;
        tx.task(task).await?;
        tx.commit().await?;
        Ok(true)
    }

    /// Writes that the waiver is refused which the applicant has asked for. Returns false if that is answered already.
    pub async fn refuse_fee_waiver(
        &self,
        application_id: &str,
        refusal: &NeedRefusal,
        mail: &NewMail,
        audit: &AuditEntry,
    ) -> Stored<bool> {
        let NeedRefusal { sentence, at, by } = refusal;
        let mut tx = self.begin().await?;
        tx.lock_money(application_id).await?;
        let sql = "UPDATE application_fees SET need_refusal = $2, need_refused_at = $3, need_refused_by = $4 \
                   WHERE application_id = $1 AND state = 'due' AND need_at IS NOT NULL AND need_refused_at IS NULL";
        if tx.execute(sql, args![application_id, sentence, *at, by]).await? == 0 {
            return Ok(false);
        }
        tx.audit(audit).await?;
        tx.mail(mail).await?;
        tx.tasks_done(&format!("application:{application_id}"), TaskKind::FeeWaiver, *at).await?;
        relist(&mut tx, application_id).await?;
        tx.commit().await?;
        Ok(true)
    }

    /// Returns all codes, the newest first.
    pub async fn fee_codes(&self) -> Stored<Vec<FeeCode>> {
        let rows: Vec<CodeRow> = self.fetch_all(codes!("ORDER BY c.created_at DESC, c.id DESC"), args![]).await?;
        rows.into_iter().map(FeeCode::try_from).collect()
    }

    pub async fn fee_code(&self, id: &str) -> Stored<Option<FeeCode>> {
        let row: Option<CodeRow> = self.fetch_optional(codes!("WHERE c.id = $1"), args![id]).await?;
        row.map(FeeCode::try_from).transpose()
    }

    /// Returns the code that reads like this.
    pub async fn fee_code_named(&self, code: &str) -> Stored<Option<FeeCode>> {
        let row: Option<CodeRow> = self.fetch_optional(codes!("WHERE c.code = $1"), args![code]).await?;
        row.map(FeeCode::try_from).transpose()
    }

    /// # Errors
    /// [`StoreError::Taken`]`("fee_code")` if there is this code already.
    pub async fn create_fee_code(&self, new: &FeeCode, audit: &AuditEntry) -> Stored<()> {
        let FeeCode { id, code, program, note, most_uses, expires_on, created_at, created_by, .. } = new;
        let mut tx = self.begin().await?;
        tx.execute(
            "INSERT INTO fee_codes (id, code, program, note, most_uses, expires_on, created_at, created_by) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
            args![
                id,
                code,
                program.map(Program::application_type),
                note,
                *most_uses,
                expires_on.map(|day| day.to_string()).as_deref(),
                *created_at,
                created_by,
            ],
        )
        .await?;
        tx.audit(audit).await?;
        tx.commit().await
    }

    /// Ends a code. Returns false if it is ended already.
    pub async fn end_fee_code(&self, id: &str, audit: &AuditEntry) -> Stored<bool> {
        let mut tx = self.begin().await?;
        let sql = "UPDATE fee_codes SET ended_at = $2 WHERE id = $1 AND ended_at IS NULL";
        if tx.execute(sql, args![id, audit.at]).await? == 0 {
            return Ok(false);
        }
        tx.audit(audit).await?;
        tx.commit().await?;
        Ok(true)
    }
}

impl Tx {
    /// Returns how far the application's fee is, and since when it is settled; `None` without a fee.
    pub(super) async fn fee_state(&mut self, application_id: &str) -> Stored<Option<(FeeState, Option<Millis>)>> {
        let sql = "SELECT state, decided_at FROM application_fees WHERE application_id = $1";
        let rows: Vec<(String, Option<i64>)> = self.fetch_all(sql, args![application_id]).await?;
        let Some((state, decided_at)) = rows.into_iter().next() else { return Ok(None) };
        let state = FeeState::parse(&state).ok_or_else(|| unreadable("application_fees.state", application_id))?;
        Ok(Some((state, decided_at)))
    }

    /// Fixes the fee of an application that is submitted for the first time. The entry of the record with this id tells
    /// of it.
    pub(super) async fn fix_fee(&mut self, new: &NewFee, audit_id: &str) -> Stored<()> {
        let NewFee { fee, charge } = new;
        let (id, at) = (fee.application_id.as_str(), fee.created_at);
        self.execute(
            "INSERT INTO application_fees (application_id, cents, intake, state, waived_by, rule, decided_at, \
             decided_by, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
            args![
                id,
                fee.cents,
                &fee.intake.code(),
                fee.state.as_str(),
                fee.waived_by.map(WaivedBy::as_str),
                fee.rule.map(FeeRule::as_str),
                fee.decided_at,
                fee.decided_by.as_deref(),
                at,
            ],
        )
        .await?;
        if let Some((transaction_id, draft)) = charge {
            let position = self.ledger_position(id).await? + 1;
            self.write_transaction(id, position, (transaction_id, draft), (at, "system")).await?;
        }
        if fee.is_due() { Ok(()) } else { self.fee_event(audit_id, fee, at).await }
    }

    /// Changes a fee, with what follows. Returns false if the fee or the application has changed meanwhile. The caller
    /// has locked the application, and lists it again.
    ///
    /// # Errors
    /// [`StoreError::Taken`]`("fee_code")` if the code is ended, or was used as often as it may be.
    pub(super) async fn change_fee(&mut self, change: &FeeChange, at: Millis, audit_id: &str) -> Stored<bool> {
        let FeeChange { from, revision, fee, owner, dropped_jobs, jobs, done_tasks, tasks } = change;
        let id = fee.application_id.as_str();
        let revisions: Vec<(i64,)> =
            self.fetch_all("SELECT revision FROM applications WHERE id = $1", args![id]).await?;
        if revisions.first().is_none_or(|(current,)| current != revision) {
            return Ok(false);
        }
        if let Some(code_id) = &fee.code_id {
            self.use_fee_code(code_id).await?;
        }
        let sql = "UPDATE application_fees SET state = $3, waived_by = $4, rule = $5, code_id = $6, reason = $7, \
                   decided_at = $8, decided_by = $9 WHERE application_id = $1 AND state = $2";
        let args = args![
            id,
            from.as_str(),
            fee.state.as_str(),
            fee.waived_by.map(WaivedBy::as_str),
            fee.rule.map(FeeRule::as_str),
            fee.code_id.as_deref(),
            fee.reason.as_deref(),
            fee.decided_at,
            fee.decided_by.as_deref(),
        ];
        if self.execute(sql, args).await? == 0 {
            return Ok(false);
        }
        if !fee.is_due() {
            // Nothing is left to pay on a page that is still open.
            let sql = "UPDATE card_charges SET state = 'closed', next_at = NULL, changed_at = $2, \
                       revision = revision + 1 WHERE application_id = $1 AND line = 'application-fee' \
                       AND state IN ('open', 'failed', 'stopped')";
            self.execute(sql, args![id, at]).await?;
            self.fee_event(audit_id, fee, at).await?;
        }
        if let Some(owner) = owner {
            let sql = "UPDATE applications SET assigned_to = $2 WHERE id = $1 AND assigned_to IS NULL";
            self.execute(sql, args![id, owner]).await?;
        }
        let subject = format!("application:{id}");
        for kind in dropped_jobs {
            self.drop_jobs(&subject, kind).await?;
        }
        for job in jobs {
            self.job(job).await?;
        }
        for kind in done_tasks {
            self.tasks_done(&subject, *kind, at).await?;
        }
        for task in tasks {
            self.task(task).await?;
        }
        Ok(true)
    }

    /// Makes others who use the code wait, and makes sure that it can be used once more.
    async fn use_fee_code(&mut self, id: &str) -> Stored<()> {
        let sql = "UPDATE fee_codes SET note = note WHERE id = $1 AND ended_at IS NULL";
        if self.execute(sql, args![id]).await? == 0 {
            return Err(StoreError::Taken("fee_code"));
        }
        // A statement of its own, which sees what those have written who were waited for.
        let sql = "SELECT c.most_uses, (SELECT COUNT(*) FROM application_fees f WHERE f.code_id = c.id) AS uses \
                   FROM fee_codes c WHERE c.id = $1";
        let counts: Vec<(Option<i64>, i64)> = self.fetch_all(sql, args![id]).await?;
        match counts.first() {
            Some((Some(most), uses)) if uses >= most => Err(StoreError::Taken("fee_code")),
            _ => Ok(()),
        }
    }
}
