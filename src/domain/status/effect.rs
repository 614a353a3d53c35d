//! What a change of stage brings along.

/// What belongs to a change of stage, done in its transaction. An effect on something that is not there does nothing:
/// who withdraws without an interview frees no slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// The draft and its answers are deleted.
    DeleteAnswers,
    /// The answers are frozen as they are.
    Snapshot,
    /// A reference number, unless there is one.
    AssignReference,
    MakePdf,
    /// A mail to the applicant, by its template.
    Mail(&'static str),
    /// A mail to the applicant that waits until the hold is over, and is sent if the application is still there.
    HoldMail(&'static str),
    /// What waits for the end of the hold is never sent.
    DropHeldMail,
    /// Staff see it under what needs action.
    StaffAlert,
    /// The named sections can be edited. The snapshot stands until it is submitted again.
    UnlockSections,
    /// No section can be edited; what was not submitted is no part of the application.
    LockSections,
    /// The chosen slot belongs to the interview.
    TakeSlot,
    /// The slot that the interview had is free, unless it was used.
    FreeSlot,
    /// The slot that was freed is taken again, with a new invitation, when the application is back at booked.
    RetakeSlot,
    /// To applicant and interviewer.
    CalendarInvite,
    /// The same entry with a higher sequence number.
    CalendarUpdate,
    /// Of an interview still ahead. Beside a held mail it waits with the mail, for it would tell as much.
    CalendarCancel,
    /// Reminders are planned. One that is due when the application has moved on is not sent.
    Remind(Reminders),
    ScoreSheet,
    /// A mail with a link to book again. There is one for each application: after a second no-show, staff book.
    RebookLink,
    /// An offer that waits for a reply does so for 30 days from now.
    OpenOffer,
    ContractTask,
    FundingTask,
    VoidContract,
    StopCharges,
    RefundTask,
    PausePlan,
    ResumePlan,
    /// The stage that the application leaves is kept, to come back to.
    KeepFormerState,
}

/// What is reminded of, and when.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reminders {
    /// 24 hours and 1 hour before.
    Interview,
    /// 7, 14, 21 and 28 days after the offer.
    Offer,
    /// 60 and 30 days before the new intake.
    Intake,
}

impl Effect {
    /// In a few words, for the documents.
    pub fn words(self) -> String {
        let words = match self {
            Effect::Mail(template) => return format!("mail `{template}`"),
            Effect::HoldMail(template) => return format!("mail `{template}` after 15 minutes"),
            Effect::DeleteAnswers => "answers deleted",
            Effect::Snapshot => "snapshot",
            Effect::AssignReference => "reference number",
            Effect::MakePdf => "PDF copy",
            Effect::DropHeldMail => "held mail dropped",
            Effect::StaffAlert => "staff alert",
            Effect::UnlockSections => "named sections unlocked",
            Effect::LockSections => "sections locked",
            Effect::TakeSlot => "chosen slot taken",
            Effect::FreeSlot => "old slot freed",
            Effect::RetakeSlot => "slot taken again",
            Effect::CalendarInvite => "calendar invitation",
            Effect::CalendarUpdate => "calendar update",
            Effect::CalendarCancel => "calendar cancellation",
            Effect::Remind(Reminders::Interview) => "reminders 24 hours and 1 hour before",
            Effect::Remind(Reminders::Offer) => "reminders on days 7, 14, 21 and 28",
            Effect::Remind(Reminders::Intake) => "reminders 60 and 30 days before",
            Effect::ScoreSheet => "score sheet",
            Effect::RebookLink => "one link to book again",
            Effect::OpenOffer => "offer open for 30 days",
            Effect::ContractTask => "contract task",
            Effect::FundingTask => "funding task",
            Effect::VoidContract => "contract voided",
            Effect::StopCharges => "charges stopped",
            Effect::RefundTask => "refund task",
            Effect::PausePlan => "payment plan paused",
            Effect::ResumePlan => "payment plan goes on",
            Effect::KeepFormerState => "former stage kept",
        };
        words.to_owned()
    }
}
