//! Mails about payments by card. Amounts are no decision: they stand in them.

use jiff::civil::Date;

use super::{App, Wording, write_to_staff};
use crate::app::ports::{Applicant, Application, NewMail, Staff};
use crate::domain::ledger::Line;
use crate::domain::mail::MailKind;
use crate::domain::merging::MergeField;
use crate::domain::moments;
use crate::domain::money::dollars;
use crate::domain::program::Program;
use crate::domain::sentence::Sentence;

const PAYMENTS: &str = "/dashboard/payments";

/// Money has come.
pub fn payment_received(wording: &Wording<'_>, applicant: &Applicant, program: Program, cents: i64) -> NewMail {
    let own = [(MergeField::Amount, Sentence::plain(dollars(cents)))];
    wording.write(applicant, MailKind::PaymentReceived, program, PAYMENTS, own)
}

/// The saved card was refused; when it is charged again, if it is.
pub fn payment_failed(
    wording: &Wording<'_>,
    applicant: &Applicant,
    program: Program,
    cents: i64,
    again: Option<Date>,
) -> NewMail {
    let amount = (MergeField::Amount, Sentence::plain(dollars(cents)));
    match again {
        Some(day) => {
            let own = [amount, (MergeField::Date, moments::loose_date(day))];
            wording.write(applicant, MailKind::PaymentFailed, program, PAYMENTS, own)
        }
        None => wording.write(applicant, MailKind::PaymentStopped, program, PAYMENTS, [amount]),
    }
}

/// The same to those who care for money.
pub fn payment_failed_to_staff(
    app: &App,
    application: &Application,
    staff: &Staff,
    line: Line,
    cents: i64,
    again: Option<Date>,
) -> NewMail {
    let url = format!("{}/admin-panel/applications/{}/funding", app.settings.public_url, application.id);
    let reference = application.reference.as_deref().unwrap_or_default();
    let what = format!(
        "The card that {} of the application {reference} is charged to was refused. It is about {}.",
        line.label().to_string().to_lowercase(),
        dollars(cents),
    );
    let next = match again {
        Some(day) => format!("It is charged again on {}.", moments::loose_date(day)),
        None => {
            "It was charged for the last time. Please decide how to go on: nothing is cancelled by itself.".to_owned()
        }
    };
    let greeting = if staff.name.is_empty() { "Hello,".to_owned() } else { format!("Dear {},", staff.name) };
    let mail = write_to_staff(
        app,
        &staff.email,
        &greeting,
        "payment-failed-staff",
        "A card was refused",
        &[&what, &next],
        ("See the payments", &url),
    );
    NewMail { about: Some(application.applicant_id.clone()), ..mail }
}
