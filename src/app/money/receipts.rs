//! PDF receipts for payments in the ledger, which also state what happened to the payment since.

use std::borrow::Cow;

use crate::App;
use crate::accounts::sessions::SignedIn;
use crate::applications::copy::PdfFile;
use crate::error::{Error, Refusal};
use domain::account::Applicant;
use domain::application::{Application, ApplicationKey};
use domain::clocks::day;
use domain::ledger::{Book, Kind, Ledger, LedgerError, Line, Method, Posted};
use domain::moments;
use domain::money::dollars;
use domain::paper::{Block, Fact, Paper};
use domain::permission::Permission;
use domain::sentence::speaking;
use domain::staff::StaffSession;
use domain::text;

impl App {
    /// The receipt for one of the applicant's own payments, even if the application is over.
    ///
    /// # Errors
    /// [`LedgerError::NotFound`]
    pub async fn own_receipt(&self, who: &SignedIn, payment: &str) -> Result<PdfFile, Error> {
        let unknown = || Error::from(LedgerError::NotFound);
        let id = self.store.application_of_transaction(payment).await?.ok_or_else(unknown)?;
        let (applicant, application) = self.find_application(ApplicationKey::Id(&id)).await?;
        if applicant.id != who.applicant.id {
            return Err(unknown());
        }
        self.receipt(&applicant, &application, payment).await
    }

    /// The same for staff who may see payments.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`], [`Refusal::ApplicationNotFound`], [`LedgerError::NotFound`]
    pub async fn receipt_for_office(&self, who: &StaffSession, id: &str, payment: &str) -> Result<PdfFile, Error> {
        self.office_application(who, id, Permission::Finance).await?;
        let (applicant, application) = self.find_application(ApplicationKey::Id(id)).await.map_err(Error::for_staff)?;
        self.receipt(&applicant, &application, payment).await
    }

    async fn receipt(&self, applicant: &Applicant, application: &Application, payment: &str) -> Result<PdfFile, Error> {
        let ledger = self.store.ledger(&application.id).await?;
        let is_it =
            |posted: &&Posted| posted.transaction.id == payment && posted.transaction.draft.kind == Kind::Payment;
        let posted = ledger.posted.iter().find(is_it).ok_or(Refusal::Ledger(LedgerError::NotFound))?;
        let number = receipt_number(application, &ledger, posted);
        let zone = &self.settings.time_zone;
        let profile = &applicant.profile;
        let name = format!("{} {}", profile.first_name, profile.last_name);
        let date = |at: i64| moments::plain_date(day(at, zone)).spoken();
        let write = || {
            let draft = &posted.transaction.draft;
            let what_for = draft.line.map_or_else(|| text!("Not assigned to a payment yet"), Line::label);
            let mut blocks = vec![
                Block::Paragraph(text!("We have received this payment. Thank you.").spoken().into()),
                Block::Facts(vec![
                    Fact::new(text!("Receipt number").spoken(), number.clone()),
                    Fact::new(text!("Received on").spoken(), moments::plain_date(posted.day(zone)).spoken()),
                    Fact::new(text!("Amount").spoken(), dollars(draft.cents())),
                    Fact::new(
                        text!("Paid by").spoken(),
                        draft.method.map(|method| Method::label(method).spoken()).unwrap_or_default(),
                    ),
                    Fact::new(text!("Purpose").spoken(), what_for.spoken()),
                    Fact::new(text!("Program").spoken(), application.program.name().spoken()),
                    Fact::new(text!("Reference number").spoken(), application.reference.clone().unwrap_or_default()),
                    Fact::new(text!("Name").spoken(), name.clone()),
                    Fact::new(text!("Received by").spoken(), self.settings.institute.clone()),
                ]),
            ];
            let since = since(&ledger, posted, &date);
            if !since.is_empty() {
                blocks.push(Block::Heading(text!("What happened afterward").spoken().into()));
                blocks.push(Block::Facts(since));
            }
            Paper {
                title: text!("Receipt").spoken().into(),
                language: profile.language,
                issuer: self.settings.institute.clone(),
                footer: format!("{number} · {name}"),
                dated: posted.at,
                blocks,
            }
        };
        let paper = speaking(profile.language, write);
        Ok(PdfFile { reference: number, bytes: self.print(paper).await? })
    }
}

/// The application's number, and the payment's position in its ledger, which never changes.
fn receipt_number(application: &Application, ledger: &Ledger, posted: &Posted) -> String {
    let place = ledger.posted.iter().position(|it| it.transaction.id == posted.transaction.id).map_or(0, |at| at + 1);
    format!("{}-R{place}", application.reference.as_deref().unwrap_or(&application.id))
}

/// Refunds or the reversal of a payment, and what is left of it.
fn since(ledger: &Ledger, payment: &Posted, date: &dyn Fn(i64) -> Cow<'static, str>) -> Vec<Fact> {
    let book: Book = ledger.book();
    let id = &payment.transaction.id;
    let about = ledger.posted.iter().filter(|it| it.transaction.draft.about.as_deref() == Some(id));
    let facts = about.filter_map(|it| match it.transaction.draft.kind {
        Kind::Reversal => Some(Fact::new(text!("Reversed: it does not count").spoken(), date(it.at))),
        Kind::Refund if !book.is_reversed(&it.transaction.id) => {
            let cents = dollars(it.transaction.draft.cents());
            Some(Fact::new(text!("Refunded").spoken(), format!("{cents}, {}", date(it.at))))
        }
        _ => None,
    });
    let mut facts: Vec<Fact> = facts.collect();
    if !facts.is_empty() {
        facts.push(Fact::new(
            text!("Remaining from this payment").spoken(),
            dollars(book.refundable(&payment.transaction)),
        ));
    }
    facts
}
