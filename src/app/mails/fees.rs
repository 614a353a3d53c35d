//! Mails about the application fee.

use super::{DASHBOARD, Wording};
use domain::account::Applicant;
use domain::mail::MailKind;
use domain::merging::MergeField;
use domain::money::dollars;
use domain::program::Program;
use domain::sentence::Sentence;
use store::NewMail;

const SCHEDULE: &str = "/schedule";

/// The path of the applicant's page about the fee.
pub fn fee_page(program: Program) -> String {
    format!("/{}/application/fee", program.path())
}

fn amount(cents: i64) -> (MergeField, Sentence) {
    (MergeField::Amount, Sentence::plain(dollars(cents)))
}

/// "We have your application", with its number and the fee that is due.
pub fn application_received_fee(
    wording: &Wording<'_>,
    applicant: &Applicant,
    program: Program,
    reference: &str,
    cents: i64,
) -> NewMail {
    let own = [(MergeField::Reference, Sentence::plain(reference)), amount(cents)];
    wording.write(applicant, MailKind::ApplicationReceivedFee, program, &fee_page(program), own)
}

/// The fee is paid with these cents, and the application is read.
pub fn fee_paid(wording: &Wording<'_>, applicant: &Applicant, program: Program, cents: i64) -> NewMail {
    wording.write(applicant, MailKind::FeePaid, program, SCHEDULE, [amount(cents)])
}

/// The fee is waived, and the application is read.
pub fn fee_waived(wording: &Wording<'_>, applicant: &Applicant, program: Program) -> NewMail {
    wording.write(applicant, MailKind::FeeWaived, program, SCHEDULE, [])
}

/// A payment for the fee that does not settle it, or not now: the applicant may have no page of the fee.
pub fn fee_payment_received(wording: &Wording<'_>, applicant: &Applicant, program: Program, cents: i64) -> NewMail {
    wording.write(applicant, MailKind::FeePaymentReceived, program, DASHBOARD, [amount(cents)])
}

/// These cents of the fee are still due.
pub fn fee_reminder(wording: &Wording<'_>, applicant: &Applicant, program: Program, cents: i64) -> NewMail {
    wording.write(applicant, MailKind::FeeReminder, program, &fee_page(program), [amount(cents)])
}

/// The waiver that the applicant has asked for is refused, in the words of a member of staff.
pub fn fee_waiver_refused(
    wording: &Wording<'_>,
    applicant: &Applicant,
    program: Program,
    cents: i64,
    words: &str,
) -> NewMail {
    let own = [amount(cents), (MergeField::Message, Sentence::plain(words))];
    wording.write(applicant, MailKind::FeeWaiverRefused, program, &fee_page(program), own)
}
