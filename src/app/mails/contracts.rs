//! Mails about a contract. Its content is only shown after login.

use jiff::civil::Date;

use super::Wording;
use domain::account::Applicant;
use domain::mail::MailKind;
use domain::merging::MergeField;
use domain::moments;
use domain::program::Program;
use store::NewMail;

const CONTRACT: &str = "/dashboard/contract";

/// A contract is ready to be signed, and until when.
pub fn contract_ready(wording: &Wording<'_>, applicant: &Applicant, program: Program, last_day: Date) -> NewMail {
    let own = [(MergeField::Date, moments::loose_date(last_day))];
    wording.write(applicant, MailKind::ContractReady, program, CONTRACT, own)
}

/// A contract still awaits the signature.
pub fn contract_reminder(wording: &Wording<'_>, applicant: &Applicant, program: Program, last_day: Date) -> NewMail {
    let own = [(MergeField::Date, moments::loose_date(last_day))];
    wording.write(applicant, MailKind::ContractReminder, program, CONTRACT, own)
}

/// The confirmation of a signature.
pub fn contract_signed(wording: &Wording<'_>, applicant: &Applicant, program: Program) -> NewMail {
    wording.write(applicant, MailKind::ContractSigned, program, CONTRACT, [])
}

/// The institute has signed, too.
pub fn contract_complete(wording: &Wording<'_>, applicant: &Applicant, program: Program) -> NewMail {
    wording.write(applicant, MailKind::ContractComplete, program, CONTRACT, [])
}

/// The time for signing is over.
pub fn contract_expired(wording: &Wording<'_>, applicant: &Applicant, program: Program) -> NewMail {
    wording.write(applicant, MailKind::ContractExpired, program, CONTRACT, [])
}

/// A contract was voided. The reason is only shown after login.
pub fn contract_voided(wording: &Wording<'_>, applicant: &Applicant, program: Program) -> NewMail {
    wording.write(applicant, MailKind::ContractVoided, program, CONTRACT, [])
}
