//! Mails around a decision. None tells what it is: that is read after login.

use jiff::civil::Date;

use super::{DASHBOARD, Wording};
use domain::account::Applicant;
use domain::intake::Intake;
use domain::mail::MailKind;
use domain::merging::MergeField;
use domain::moments;
use domain::program::Program;
use domain::sentence::Sentence;
use store::NewMail;

/// "There is an update", and not which.
pub fn status_update(wording: &Wording<'_>, applicant: &Applicant, program: Program) -> NewMail {
    wording.write(applicant, MailKind::StatusUpdate, program, DASHBOARD, [])
}

/// An update that was not answered; the last day on which it can be, in the institute's time zone.
pub fn reply_reminder(wording: &Wording<'_>, applicant: &Applicant, program: Program, last_day: Date) -> NewMail {
    let own = [(MergeField::Date, moments::loose_date(last_day))];
    wording.write(applicant, MailKind::OfferReminder, program, DASHBOARD, own)
}

/// The confirmation that an offer is taken.
pub fn offer_accepted(wording: &Wording<'_>, applicant: &Applicant, program: Program) -> NewMail {
    wording.write(applicant, MailKind::OfferAccepted, program, DASHBOARD, [])
}

/// Everything is there.
pub fn enrolled(wording: &Wording<'_>, applicant: &Applicant, program: Program) -> NewMail {
    wording.write(applicant, MailKind::Enrolled, program, DASHBOARD, [])
}

/// The confirmation that an offer is turned down.
pub fn offer_declined(wording: &Wording<'_>, applicant: &Applicant, program: Program) -> NewMail {
    wording.write(applicant, MailKind::OfferDeclined, program, DASHBOARD, [])
}

/// The time to reply is over.
pub fn offer_lapsed(wording: &Wording<'_>, applicant: &Applicant, program: Program) -> NewMail {
    wording.write(applicant, MailKind::OfferLapsed, program, DASHBOARD, [])
}

/// There is time to reply again.
pub fn offer_reopened(wording: &Wording<'_>, applicant: &Applicant, program: Program) -> NewMail {
    wording.write(applicant, MailKind::OfferReopened, program, DASHBOARD, [])
}

/// The studies start later.
pub fn deferred(wording: &Wording<'_>, applicant: &Applicant, program: Program, intake: Intake) -> NewMail {
    let own = [(MergeField::Intake, moments::loose_date(intake.start))];
    wording.write(applicant, MailKind::Deferred, program, DASHBOARD, own)
}

/// A wish to start later was answered, and not granted.
pub fn deferral_refused(wording: &Wording<'_>, applicant: &Applicant, program: Program) -> NewMail {
    wording.write(applicant, MailKind::DeferralRefused, program, DASHBOARD, [])
}

/// The intake that an application was deferred to is near.
pub fn intake_reminder(
    wording: &Wording<'_>,
    applicant: &Applicant,
    program: Program,
    intake: Intake,
    days: i64,
) -> NewMail {
    let own = [
        (MergeField::Intake, moments::loose_date(intake.start)),
        (MergeField::Days, Sentence::plain(days.to_string())),
    ];
    wording.write(applicant, MailKind::IntakeReminder, program, DASHBOARD, own)
}

/// A deferral is over.
pub fn resumed(wording: &Wording<'_>, applicant: &Applicant, program: Program) -> NewMail {
    wording.write(applicant, MailKind::Resumed, program, DASHBOARD, [])
}

/// This is taking longer than we said.
pub fn delayed(wording: &Wording<'_>, applicant: &Applicant, program: Program, again: bool) -> NewMail {
    let kind = if again { MailKind::DelayedAgain } else { MailKind::Delayed };
    wording.write(applicant, kind, program, DASHBOARD, [])
}
