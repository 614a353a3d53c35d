//! Mails about due and received payments. They state amounts, which are no decision.

use jiff::civil::Date;

use super::Wording;
use domain::account::Applicant;
use domain::mail::MailKind;
use domain::merging::MergeField;
use domain::moments;
use domain::money::dollars;
use domain::program::Program;
use domain::sentence::Sentence;
use store::NewMail;

const PAYMENTS: &str = "/dashboard/payments";

/// A payment has arrived.
pub fn payment_received(wording: &Wording<'_>, applicant: &Applicant, program: Program, cents: i64) -> NewMail {
    let own = [(MergeField::Amount, Sentence::plain(dollars(cents)))];
    wording.write(applicant, MailKind::PaymentReceived, program, PAYMENTS, own)
}

/// The saved card was refused, and when it will be charged again, if at all.
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

/// A payment is due soon or overdue, depending on `kind`.
pub fn payment_reminder(
    wording: &Wording<'_>,
    applicant: &Applicant,
    program: Program,
    kind: MailKind,
    (cents, due): (i64, Date),
) -> NewMail {
    let own = [(MergeField::Amount, Sentence::plain(dollars(cents))), (MergeField::Date, moments::loose_date(due))];
    wording.write(applicant, kind, program, PAYMENTS, own)
}
