//! Mails about a decision. None states it: it is only shown after login.

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

/// "There is an update", without saying which.
pub fn status_update(wording: &Wording<'_>, applicant: &Applicant, program: Program) -> NewMail {
    wording.write(applicant, MailKind::StatusUpdate, program, DASHBOARD, [])
}

/// The application is on the waitlist, without saying so.
pub fn waitlisted(wording: &Wording<'_>, applicant: &Applicant, program: Program) -> NewMail {
    wording.write(applicant, MailKind::Waitlisted, program, DASHBOARD, [])
}

/// A reminder to reply to an update, with the last day for it in the institute's time zone.
pub fn reply_reminder(wording: &Wording<'_>, applicant: &Applicant, program: Program, last_day: Date) -> NewMail {
    let own = [(MergeField::Date, moments::loose_date(last_day))];
    wording.write(applicant, MailKind::OfferReminder, program, DASHBOARD, own)
}

/// The confirmation that an offer is accepted.
pub fn offer_accepted(wording: &Wording<'_>, applicant: &Applicant, program: Program) -> NewMail {
    wording.write(applicant, MailKind::OfferAccepted, program, DASHBOARD, [])
}

/// Everything is complete: the applicant is enrolled.
pub fn enrolled(wording: &Wording<'_>, applicant: &Applicant, program: Program) -> NewMail {
    wording.write(applicant, MailKind::Enrolled, program, DASHBOARD, [])
}

/// The confirmation that an offer is declined.
pub fn offer_declined(wording: &Wording<'_>, applicant: &Applicant, program: Program) -> NewMail {
    wording.write(applicant, MailKind::OfferDeclined, program, DASHBOARD, [])
}

/// The time to reply is over.
pub fn offer_lapsed(wording: &Wording<'_>, applicant: &Applicant, program: Program) -> NewMail {
    wording.write(applicant, MailKind::OfferLapsed, program, DASHBOARD, [])
}

/// The applicant can reply again.
pub fn offer_reopened(wording: &Wording<'_>, applicant: &Applicant, program: Program) -> NewMail {
    wording.write(applicant, MailKind::OfferReopened, program, DASHBOARD, [])
}

/// Studies start in a later intake.
pub fn deferred(wording: &Wording<'_>, applicant: &Applicant, program: Program, intake: Intake) -> NewMail {
    let own = [(MergeField::Intake, moments::loose_date(intake.start))];
    wording.write(applicant, MailKind::Deferred, program, DASHBOARD, own)
}

/// A deferral request was refused.
pub fn deferral_refused(wording: &Wording<'_>, applicant: &Applicant, program: Program) -> NewMail {
    wording.write(applicant, MailKind::DeferralRefused, program, DASHBOARD, [])
}

/// The start of a deferred application's intake is near.
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

/// The application takes longer than we said.
pub fn delayed(wording: &Wording<'_>, applicant: &Applicant, program: Program, again: bool) -> NewMail {
    let kind = if again { MailKind::DelayedAgain } else { MailKind::Delayed };
    wording.write(applicant, kind, program, DASHBOARD, [])
}
