//! Reminders of instalments not paid by a saved card. One pass per day over all applicants who pay by themselves; sent
//! reminders are stored, so that another pass repeats none.

use serde_json::json;

use crate::error::Error;
use crate::jobs::Ran;
use crate::{App, mails};
use domain::account::Applicant;
use domain::application::{Application, ApplicationKey};
use domain::funding::{Instalment, Reminder};
use domain::ledger::{Ledger, Line, PaymentReminder};
use domain::mail::MailKind;
use domain::moments::{HOUR, Millis};
use domain::status::Stage;
use domain::task::{Task, TaskKind};

/// Applications per query.
const AT_ONCE: i64 = 100;
/// Time between two passes.
const PAUSE: Millis = 24 * HOUR;

impl App {
    /// [`jobs::PAYMENT_REMINDERS`](crate::jobs::PAYMENT_REMINDERS)
    pub(crate) async fn remind_of_payments(&self) -> Result<Ran, Error> {
        let mut after = String::new();
        loop {
            let ids = self.store.applications_to_remind(&after, AT_ONCE).await?;
            for id in &ids {
                // One failure is made up for in the next pass, and does not hold up the others.
                if let Err(error) = self.remind_of_payments_of(id).await {
                    let error = &error as &dyn std::error::Error;
                    tracing::warn!(application = id, error, "could not be reminded of payments");
                }
            }
            match ids.into_iter().last() {
                Some(last) => after = last,
                None => return Ok(Ran::AgainAt(self.clock.now() + PAUSE)),
            }
        }
    }

    async fn remind_of_payments_of(&self, application_id: &str) -> Result<(), Error> {
        let (applicant, application) = self.find_application(ApplicationKey::Id(application_id)).await?;
        // Nothing is due during a deferral.
        if !matches!(application.stage, Stage::Confirmed | Stage::Enrolled) {
            return Ok(());
        }
        let Some(plan) = self.store.funding_plan(application_id).await? else { return Ok(()) };
        let ledger = self.store.ledger(application_id).await?;
        for line in plan.funding.schedule() {
            self.remind_of(&applicant, &application, line, &ledger).await?;
        }
        Ok(())
    }

    async fn remind_of(
        &self,
        applicant: &Applicant,
        application: &Application,
        instalment: Instalment,
        ledger: &Ledger,
    ) -> Result<(), Error> {
        let (line, book) = (Line::Instalment(instalment.number), ledger.book());
        let rules = self.product_settings().await.payment_reminders;
        let Some(kind) = rules.on(instalment.due, self.today()).filter(|_| !book.is_settled(line)) else {
            return Ok(());
        };
        if kind == Reminder::Before && !applicant.profile.reminders {
            return Ok(());
        }
        let owed = if book.is_charged(line) { book.owed(line) } else { instalment.cents };
        let now = self.clock.now();
        let reminder =
            PaymentReminder { application_id: application.id.clone(), line, kind, due: instalment.due, at: now };
        let mail = mails::payment_reminder(
            &self.wording().await,
            applicant,
            application.program,
            mail_kind(kind),
            (owed, instalment.due),
        );
        let task = (kind == Reminder::OverdueLast).then(|| Task {
            id: self.random.id(),
            kind: TaskKind::Dunning,
            subject: format!("application:{}", application.id),
            detail: json!({ "line": line.to_string(), "due": instalment.due.to_string(), "cents": owed }),
            created_at: now,
            due_at: None,
        });
        self.store.remind_of_payment(&reminder, &mail, task.as_ref()).await?;
        Ok(())
    }
}

fn mail_kind(kind: Reminder) -> MailKind {
    match kind {
        Reminder::Before => MailKind::PaymentDue,
        Reminder::Overdue | Reminder::OverdueAgain => MailKind::PaymentOverdue,
        Reminder::OverdueLast => MailKind::PaymentOverdueLast,
    }
}
