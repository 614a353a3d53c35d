//! Mails about what is to be paid.

use jiff::civil::Date;

use super::Wording;
use crate::app::ports::{Applicant, NewMail};
use crate::domain::mail::MailKind;
use crate::domain::merging::MergeField;
use crate::domain::moments;
use crate::domain::money::dollars;
use crate::domain::program::Program;
use crate::domain::sentence::Sentence;

const PAYMENTS: &str = "/dashboard/payments";

/// A payment of so many cents is due soon, or overdue: the mail says which.
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
