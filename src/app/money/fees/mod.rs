//! The application fee: fixed by a submission, and settled by what is written to its line of the ledger, whoever
//! writes it. Until then the application is not read: staff get no task about it, nobody is given it, and no interview
//! can be booked. When it is settled, everything happens that a submission sets off.

mod applicant;
mod office;

use serde_json::{Value, json};

use crate::App;
use crate::error::Error;
use crate::jobs::{self, Ran, subject};
use crate::mails::{self, Wording};
use domain::account::Applicant;
use domain::application::{Application, ApplicationKey};
use domain::application_fee::{ApplicationFee, FeeAhead, FeeRule, FeeState, FeeWriting};
use domain::ledger::{Book, Kind, Ledger, Line, TransactionDraft};
use domain::moments::{DAY, Millis};
use domain::program::Program;
use domain::reference_number::ReferenceNumber;
use domain::status::{Act, Stage};
use domain::task::{Task, TaskKind};
use store::{FeeChange, Job, NewFee, NewJob, NewMail, Stored, Transition};

pub use office::{FeeAct, FeeActInput, OfficeFee};

/// An application's fee, with what can be done about it now.
#[derive(Debug, Clone)]
pub struct FeeView {
    pub fee: ApplicationFee,
    /// Cents still to be paid; 0 once it is settled.
    pub owed: i64,
    /// Whether it is due, and the application goes on.
    pub can_pay: bool,
    /// Whether it can be paid by card.
    pub by_card: bool,
    /// Whether the applicant can ask for a waiver.
    pub can_ask: bool,
    /// The code that waived it.
    pub code: Option<String>,
    /// The ledger's ids of payments for it, which have receipts; oldest first.
    pub receipts: Vec<String>,
}

/// What an act has to know about the fee.
#[derive(Debug, Default)]
pub(crate) struct FeeOfAct {
    kept: Option<ApplicationFee>,
    /// Cents of it still to be paid.
    owed: i64,
    /// The fee that the act fixes, and when applicants are reminded of it.
    new: Option<(FeeAhead, [i64; 2])>,
}

/// What becomes of a fee because of what is written to the ledger.
pub(crate) struct FeeFollows {
    pub change: FeeChange,
    pub mail: Option<NewMail>,
}

impl FeeOfAct {
    /// Whether the fee is due before the act.
    pub fn was_due(&self) -> bool {
        self.kept.as_ref().is_some_and(ApplicationFee::is_due)
    }

    /// Whether an application at this stage is not read because the fee is due after the act.
    pub fn keeps_unread(&self, stage: Stage) -> bool {
        self.due().is_some() && matches!(stage, Stage::Draft | Stage::Submitted | Stage::Changes | Stage::Archived)
    }

    /// Whether the application gets an owner with the act: somebody may read it from now on. It may have had none so
    /// far, because its fee was settled while the applicant changed or had withdrawn it.
    pub fn gives_owner(&self, act: Act, to: Stage) -> bool {
        let may_begin = match act {
            Act::Submit => true,
            Act::Resubmit | Act::DropChanges | Act::UndoWithdraw => self.kept.is_some(),
            _ => false,
        };
        may_begin && to == Stage::Submitted && !self.keeps_unread(to)
    }

    /// The cents that are still to be paid after the act, if the fee is due.
    fn due(&self) -> Option<i64> {
        match (&self.new, &self.kept) {
            (Some((ahead, _)), _) => ahead.waived.is_none().then_some(ahead.cents),
            (None, Some(kept)) => kept.is_due().then_some(self.owed),
            (None, None) => None,
        }
    }

    /// The mail that confirms a submission.
    pub fn received_mail(
        &self,
        wording: &Wording<'_>,
        applicant: &Applicant,
        program: Program,
        reference: &str,
    ) -> NewMail {
        match self.due() {
            Some(cents) => mails::application_received_fee(wording, applicant, program, reference, cents),
            None => mails::application_received(wording, applicant, program, reference),
        }
    }
}

/// Whether a fee can be paid or waived for an application at this stage.
pub(crate) fn goes_on(stage: Stage) -> bool {
    !matches!(stage, Stage::None | Stage::Archived)
}

/// Whether a waiver can be asked for, and taken back, at this stage: the application may not have been read yet.
fn is_early(stage: Stage) -> bool {
    matches!(stage, Stage::Draft | Stage::Submitted | Stage::Changes)
}

impl App {
    /// The application's fee; `None` if it has none.
    ///
    /// # Errors
    /// Store errors.
    pub async fn fee_of(&self, application: &Application) -> Result<Option<FeeView>, Error> {
        let Some(fee) = self.store.application_fee(&application.id).await? else { return Ok(None) };
        let book = self.store.ledger(&application.id).await?.book();
        let owed = if fee.is_due() { book.owed(Line::ApplicationFee) } else { 0 };
        let can_pay = fee.is_due() && goes_on(application.stage);
        let can_ask = can_pay
            && fee.need.is_none()
            && is_early(application.stage)
            && self.product_settings().await.fee(application.program).need;
        let code = match &fee.code_id {
            Some(id) => self.store.fee_code(id).await?.map(|code| code.code),
            None => None,
        };
        let is_payment =
            |draft: &TransactionDraft| draft.kind == Kind::Payment && draft.line == Some(Line::ApplicationFee);
        let payments = book.transactions.iter().filter(|it| is_payment(&it.draft) && !book.is_reversed(&it.id));
        let receipts = payments.map(|it| it.id.clone()).collect();
        let by_card = can_pay && self.cards.is_some();
        Ok(Some(FeeView { fee, owed, can_pay, by_card, can_ask, code, receipts }))
    }

    /// The fee that a submission would fix now; `None` if there is none, or it is fixed already.
    ///
    /// # Errors
    /// Store errors.
    pub async fn fee_ahead(&self, application: &Application) -> Result<Option<FeeAhead>, Error> {
        let fee = self.fee_of_act(application, Act::Submit).await?;
        Ok(fee.new.map(|(ahead, _)| ahead))
    }

    /// Whether the application has a fee that is due.
    pub(crate) async fn is_fee_due(&self, application_id: &str) -> Stored<bool> {
        Ok(self.store.application_fee(application_id).await?.is_some_and(|fee| fee.is_due()))
    }

    /// Looks up what an act has to know about the fee, for the copy that is acted on.
    pub(crate) async fn fee_of_act(&self, current: &Application, act: Act) -> Stored<FeeOfAct> {
        // What is imported is not stored yet, and has no fee.
        if matches!(act, Act::ImportDraft | Act::ImportSubmission | Act::ImportPast) {
            return Ok(FeeOfAct::default());
        }
        let kept = self.store.application_fee(&current.id).await?;
        let owed = match &kept {
            Some(kept) if kept.is_due() => self.store.ledger(&current.id).await?.book().owed(Line::ApplicationFee),
            _ => 0,
        };
        // What was submitted without a fee stays without one, unless it is for the other program now.
        let is_again = current.reference.as_ref().is_some_and(|it| ReferenceNumber::tells(it, current.program));
        if act != Act::Submit || kept.is_some() || current.submitted_at.is_some() && is_again {
            return Ok(FeeOfAct { kept, owed, new: None });
        }
        let product = self.product_settings().await;
        let rules = product.fee(current.program);
        let intake = product.deadlines.next(self.today());
        let ahead = rules.ahead(intake, &current.answers.data().personal_info);
        Ok(FeeOfAct { kept, owed, new: ahead.map(|ahead| (ahead, rules.reminders)) })
    }

    /// Adds the fee that a submission fixes to its transition: it is charged, unless it is waived by a rule.
    pub(crate) fn fix_fee(&self, fee: &FeeOfAct, transition: &mut Transition) {
        transition.fee_state = fee.kept.as_ref().map(|kept| kept.state);
        let Some((ahead, reminders)) = fee.new else { return };
        let FeeAhead { cents, intake, waived } = ahead;
        transition.audit.detail["fee"] =
            json!({ "cents": cents, "intake": intake.code(), "rule": waived.map(FeeRule::as_str) });
        let fixed = ApplicationFee::fixed(&transition.application_id, ahead, transition.at);
        let charge = if fixed.is_due() {
            transition.jobs.extend(self.fee_reminders(&transition.application_id, reminders, transition.at));
            // A fee is charged once, and there was none so far.
            Book::default().charge(Line::ApplicationFee, cents).ok().flatten()
        } else {
            None
        };
        transition.new_fee = Some(NewFee { fee: fixed, charge: charge.map(|draft| (self.random.id(), draft)) });
    }

    /// Tells the office of an application that comes back to it, and whose fee was settled in the meantime, unless the
    /// act has told it already.
    pub(crate) async fn tell_of_settled_fee(
        &self,
        current: &Application,
        fee: &FeeOfAct,
        transition: &mut Transition,
    ) -> Stored<()> {
        let Some(settled_at) = fee.kept.as_ref().and_then(|kept| kept.decided_at) else { return Ok(()) };
        let is_told = transition.tasks.iter().any(|task| task.kind == TaskKind::Alert);
        let since = match transition.act {
            Act::DropChanges => self.store.change_request(&current.id).await?.map(|request| request.created_at),
            Act::UndoWithdraw if transition.to == Stage::Submitted && !is_told => current.archived_at,
            _ => None,
        };
        if since.is_some_and(|since| settled_at > since) {
            transition.tasks.push(self.first_alert(&current.id, transition.at));
        }
        Ok(())
    }

    /// The task that begins the office's work on an application.
    fn first_alert(&self, application_id: &str, at: Millis) -> Task {
        self.fee_task(application_id, TaskKind::Alert, json!({ "act": Act::Submit.as_str() }), at)
    }

    fn fee_task(&self, application_id: &str, kind: TaskKind, detail: Value, at: Millis) -> Task {
        Task {
            id: self.random.id(),
            kind,
            subject: format!("application:{application_id}"),
            detail,
            created_at: at,
            due_at: None,
        }
    }

    /// The reminders of a fee that is due from `at` on.
    fn fee_reminders(&self, application_id: &str, days: [i64; 2], at: Millis) -> [NewJob; 2] {
        days.map(|days| NewJob {
            id: self.random.id(),
            kind: jobs::FEE_REMINDER,
            subject: format!("application:{application_id}"),
            detail: json!({}),
            due_at: at + days * DAY,
            plan_key: None,
            created_at: at,
        })
    }

    /// What becomes of the fee when these transactions are written; `None` if nothing does.
    pub(crate) async fn fee_follows(
        &self,
        application_id: &str,
        ledger: &Ledger,
        drafts: &[TransactionDraft],
        writing: FeeWriting<'_>,
    ) -> Result<Option<FeeFollows>, Error> {
        if drafts.iter().all(|draft| draft.line != Some(Line::ApplicationFee)) {
            return Ok(None);
        }
        let Some(fee) = self.store.application_fee(application_id).await? else { return Ok(None) };
        let mut book = ledger.book();
        drafts.iter().for_each(|draft| book.expect(draft));
        let Some(after) = fee.after(&book, writing) else { return Ok(None) };
        let (applicant, application) = self.find_application(ApplicationKey::Id(application_id)).await?;
        let is_submitted = application.stage == Stage::Submitted;
        let product = self.product_settings().await;
        let mut change = FeeChange {
            from: fee.state,
            revision: application.revision,
            fee: after,
            owner: None,
            dropped_jobs: Vec::new(),
            jobs: Vec::new(),
            done_tasks: vec![TaskKind::FeeWaiver],
            tasks: Vec::new(),
        };
        let program = application.program;
        if is_submitted && !change.fee.is_due() {
            // As if it were submitted now.
            change.owner = self.owner_by_rule(&product.work, program).await?;
            change.tasks.push(self.first_alert(application_id, writing.at));
            let reached = (application.stage, application.revision);
            change.jobs = self.watch_waiting(application_id, reached, writing.at, &product.work);
        }
        let wording = self.wording().await;
        let news = || goes_on(application.stage).then(|| mails::status_update(&wording, &applicant, program));
        let mail = match change.fee.state {
            FeeState::Due => {
                // A payment or a waiver was a mistake.
                if change.fee.need_waits() {
                    change.done_tasks.clear();
                    change.tasks.push(self.fee_task(application_id, TaskKind::FeeWaiver, json!({}), writing.at));
                }
                if is_submitted {
                    let of_reading = [TaskKind::Alert, TaskKind::Changes, TaskKind::Slow, TaskKind::InterviewWishes];
                    change.done_tasks.extend(of_reading);
                    change.dropped_jobs.push(jobs::SLOW);
                }
                change.dropped_jobs.push(jobs::FEE_REMINDER);
                let days = product.fee(program).reminders;
                change.jobs.extend(self.fee_reminders(application_id, days, writing.at));
                news()
            }
            FeeState::Paid if is_submitted => {
                let payments = drafts.iter().filter(|draft| draft.kind == Kind::Payment);
                let cents: i64 = payments.map(TransactionDraft::cents).sum();
                Some(mails::fee_paid(&wording, &applicant, program, cents))
            }
            // The mail of the payment says so.
            FeeState::Paid => None,
            FeeState::Waived if is_submitted => Some(mails::fee_waived(&wording, &applicant, program)),
            FeeState::Waived => news(),
        };
        Ok(Some(FeeFollows { change, mail }))
    }

    /// [`jobs::FEE_REMINDER`]
    pub(crate) async fn remind_of_fee(&self, job: &Job) -> Result<Ran, Error> {
        let Some((applicant, application)) = self.store.application(subject(job)).await? else { return Ok(Ran::Done) };
        let fee = self.store.application_fee(&application.id).await?;
        // Whoever has asked for a waiver waits for us.
        let Some(fee) = fee.filter(|fee| fee.is_due() && !fee.need_waits()) else { return Ok(Ran::Done) };
        if matches!(application.stage, Stage::Submitted | Stage::Changes) && applicant.profile.reminders {
            let owed = self.store.ledger(&fee.application_id).await?.book().owed(Line::ApplicationFee);
            let mail = mails::fee_reminder(&self.wording().await, &applicant, application.program, owed);
            self.store.tell(&[], &[NewMail { id: job.id.clone(), ..mail }]).await?;
        }
        Ok(Ran::Done)
    }
}
