//! Writing to the ledger: a decision about it is written if nobody else has written in the meantime, and otherwise made
//! again.

use serde_json::json;

use crate::App;
use crate::error::{Error, Refusal};
use crate::jobs::{self, Ran};
use domain::application_fee::FeeWriting;
use domain::funding::FundingPlan;
use domain::ledger::{Book, Kind, Ledger, LedgerError, Line, RequestState, TransactionDraft};
use domain::moments::{HOUR, Millis};
use domain::task::{Task, TaskKind};
use store::{NewMail, Posting, RequestEnd, StoreError};

/// Attempts when others keep writing to the same ledger.
pub(crate) const ATTEMPTS: usize = 10;
/// Time between two checks of the ledger.
const CHECK_PAUSE: Millis = 24 * HOUR;

impl From<LedgerError> for Error {
    fn from(error: LedgerError) -> Self {
        Error::Refused(Refusal::Ledger(error))
    }
}

/// Why a booking was not written.
#[derive(Debug)]
pub(crate) enum Unbooked {
    Failed(Error),
    /// This many cents need a second person.
    Waits(i64),
}

impl From<Error> for Unbooked {
    fn from(error: Error) -> Self {
        Unbooked::Failed(error)
    }
}

impl From<StoreError> for Unbooked {
    fn from(error: StoreError) -> Self {
        Unbooked::Failed(error.into())
    }
}

impl From<Refusal> for Unbooked {
    fn from(refusal: Refusal) -> Self {
        Unbooked::Failed(refusal.into())
    }
}

impl From<LedgerError> for Unbooked {
    fn from(error: LedgerError) -> Self {
        Unbooked::Failed(error.into())
    }
}

/// What to write, and what goes with it.
#[derive(Debug, Default)]
pub(crate) struct Writing {
    pub drafts: Vec<TransactionDraft>,
    /// Unless the application fee is settled with it, which has a mail of its own.
    pub mail: Option<NewMail>,
    pub task: Option<Task>,
    /// The id of the code that waives the application fee.
    pub fee_code: Option<String>,
    /// Staff's reason for waiving it.
    pub fee_reason: Option<String>,
}

impl App {
    /// Writes what `decide` returns for the current ledger and plan. Returns the number of transactions written: 0 if
    /// they are all there already.
    pub(crate) async fn write_ledger(
        &self,
        application_id: &str,
        by: &str,
        decide: impl Fn(&Book, Option<&FundingPlan>) -> Result<Writing, Error> + Send + Sync,
    ) -> Result<usize, Error> {
        let decide = |ledger: &Ledger, plan: Option<&FundingPlan>| decide(&ledger.book(), plan);
        self.write_ledger_approved(application_id, by, None, decide).await
    }

    /// The same, which also ends the request it fulfils.
    pub(crate) async fn write_ledger_approved<E: From<Error> + Send>(
        &self,
        application_id: &str,
        by: &str,
        approval: Option<&RequestEnd>,
        decide: impl Fn(&Ledger, Option<&FundingPlan>) -> Result<Writing, E> + Send + Sync,
    ) -> Result<usize, E> {
        let failed = |error: StoreError| E::from(error.into());
        for _ in 0..ATTEMPTS {
            if let Some(approval) = approval {
                self.assert_waits(approval).await?;
            }
            let plan = self.store.funding_plan(application_id).await.map_err(failed)?;
            let ledger = self.store.ledger(application_id).await.map_err(failed)?;
            let Writing { drafts, mail, task, fee_code, fee_reason } = decide(&ledger, plan.as_ref())?;
            let Some(last) = drafts.last() else { return Ok(0) };
            let detail = json!({
                "cents": last.cents(), "line": last.line.map(|line| line.to_string()), "cause": last.cause,
            });
            let action = audit_action(last);
            let audit = self.audit_entry(by.to_owned(), format!("application:{application_id}"), action, detail);
            let (code, reason) = (fee_code.as_deref(), fee_reason.as_deref());
            let writing = FeeWriting { at: audit.at, by, code, reason };
            let (fee, mail) = match self.fee_follows(application_id, &ledger, &drafts, writing).await? {
                Some(follows) => (Some(follows.change), follows.mail.or(mail)),
                None => (None, mail),
            };
            let written = drafts.len();
            let refunds = drafts.iter().any(|draft| draft.kind == Kind::Refund);
            let done_tasks = self.done_with(&ledger, plan.as_ref(), &drafts);
            let posting = Posting {
                application_id: application_id.to_owned(),
                position: ledger.position(),
                plan: plan.map_or(0, |plan| plan.revision),
                transactions: drafts.into_iter().map(|draft| (self.random.id(), draft)).collect(),
                at: audit.at,
                by: by.to_owned(),
                audit,
                mail,
                task,
                done_tasks,
                approval: approval.cloned(),
                fee,
            };
            if self.store.post(&posting).await.map_err(failed)? {
                if refunds && let Err(error) = self.close_refund_when_done(application_id).await {
                    let error = &error as &dyn std::error::Error;
                    tracing::warn!(
                        application = application_id,
                        error,
                        "the task of a refund stays, though it may be done"
                    );
                }
                return Ok(written);
            }
        }
        Err(Error::Unavailable(None).into())
    }

    /// Checks that the request still awaits approval.
    pub(crate) async fn assert_waits(&self, approval: &RequestEnd) -> Result<(), Error> {
        let requests = self.store.booking_requests(&approval.application_id).await?;
        let waits = |id: &str| requests.iter().any(|it| it.id == id && it.state == RequestState::Waiting);
        if waits(&approval.request_id) { Ok(()) } else { Err(Refusal::RequestSettled.into()) }
    }

    /// The tasks closed by these transactions: dunning ends once nothing is overdue.
    fn done_with(&self, ledger: &Ledger, plan: Option<&FundingPlan>, drafts: &[TransactionDraft]) -> Vec<TaskKind> {
        let mut book = ledger.book();
        drafts.iter().for_each(|draft| book.expect(draft));
        let today = self.today();
        let overdue = plan.is_some_and(|plan| {
            let mut lines = plan.funding.schedule().into_iter().filter(|line| line.due < today);
            lines.any(|line| !book.is_settled(Line::Instalment(line.number)))
        });
        if overdue { Vec::new() } else { vec![TaskKind::Dunning] }
    }

    /// [`jobs::CHECK_LEDGER`]
    pub(crate) async fn check_ledger(&self) -> Result<Ran, Error> {
        let faults = self.store.ledger_faults().await?;
        for fault in &faults {
            tracing::error!(transaction = fault.transaction_id, cents = fault.cents, "a transaction does not balance");
        }
        let task = (!faults.is_empty()).then(|| Task {
            id: self.random.id(),
            kind: TaskKind::LedgerFault,
            subject: jobs::CHECK_LEDGER.to_owned(),
            detail: json!({ "transactions": faults.len() }),
            created_at: self.clock.now(),
            due_at: None,
        });
        self.store.tell(task.as_slice(), &[]).await?;
        Ok(Ran::AgainAt(self.clock.now() + CHECK_PAUSE))
    }
}

/// The action's name in the record.
fn audit_action(draft: &TransactionDraft) -> &'static str {
    let is_fee = draft.line == Some(Line::ApplicationFee);
    match draft.kind {
        Kind::Payment if is_fee => "fee.paid",
        Kind::Refund if is_fee => "fee.refunded",
        Kind::Waiver | Kind::WriteOff if is_fee => "fee.waived",
        Kind::Reversal if is_fee => "fee.reversed",
        Kind::Charge => "ledger.charged",
        Kind::Payment => "ledger.paid",
        Kind::Refund => "ledger.refunded",
        Kind::Waiver => "ledger.waived",
        Kind::WriteOff => "ledger.written_off",
        Kind::Reversal => "ledger.reversed",
    }
}
