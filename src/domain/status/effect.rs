//! The effects of a change of stage.

/// An effect of a change of stage, in the same transaction. If it does not apply, it does nothing: a withdrawal without
/// an interview frees no slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// Deletes the draft and its answers.
    DeleteAnswers,
    /// Deletes an imported application, and the account if it was made for it.
    TakeBack,
    /// Freezes the current answers.
    Snapshot,
    /// Assigns a reference number, unless there is one.
    AssignReference,
    MakePdf,
    /// Sends the applicant a mail with this template.
    Mail(&'static str),
    /// Sends the applicant a mail once the hold is over, if the application is still at that stage.
    HoldMail(&'static str),
    /// Discards mails that wait for the end of the hold.
    DropHeldMail,
    /// Shows the application to staff under “Needs action”.
    StaffAlert,
    /// Opens the named sections for editing. The snapshot remains valid until the application is submitted again.
    UnlockSections,
    /// Asks the referees who were only named for their references.
    AskReferees,
    /// Closes all sections; changes that were not submitted are not part of the application.
    LockSections,
    /// Assigns the chosen slot to the interview.
    TakeSlot,
    /// Frees the interview's previous slot, unless it was used.
    FreeSlot,
    /// Takes the freed slot again, with a new invitation, when the application returns to booked.
    RetakeSlot,
    /// Sends an invitation to applicant and interviewer.
    CalendarInvite,
    /// Sends the same entry with a higher sequence number.
    CalendarUpdate,
    /// Cancels an interview that is still ahead. Together with a held mail it waits as well, because it would reveal
    /// just as much.
    CalendarCancel,
    /// Schedules reminders. They are not sent if the application has moved on by then.
    Remind(Reminders),
    ScoreSheet,
    /// Sends a mail with a link to book again. Once per application: after a second no-show, staff book.
    RebookLink,
    /// Takes a place of the intake, if there is one left when it is written.
    TakePlace,
    /// Puts the application at the end of the line of its intake. It leaves the line with the stage, and comes back to
    /// where it was.
    JoinLine,
    /// Keeps an offer that waits for a reply open for 30 days from now.
    OpenOffer,
    ContractTask,
    FundingTask,
    VoidContract,
    StopCharges,
    RefundTask,
    PausePlan,
    ResumePlan,
    /// Remembers the stage that the application leaves, so that it can return to it.
    KeepFormerState,
    /// Remembers the stage that the application had reached in the system it comes from.
    KeepOutcome,
}

/// The reminders to send, and when.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reminders {
    /// 24 hours and 1 hour before the interview.
    Interview,
    /// 7, 14, 21 and 28 days after the offer.
    Offer,
    /// 60 and 30 days before the new intake.
    Intake,
}

impl Effect {
    /// Describes it in a few words, for the documentation.
    pub fn words(self) -> String {
        let words = match self {
            Effect::Mail(template) => return format!("mail `{template}`"),
            Effect::HoldMail(template) => return format!("mail `{template}` after 15 minutes"),
            Effect::DeleteAnswers => "answers deleted",
            Effect::TakeBack => "application deleted, and the account if it was made for it",
            Effect::Snapshot => "snapshot",
            Effect::AssignReference => "reference number",
            Effect::MakePdf => "PDF copy",
            Effect::DropHeldMail => "held mail dropped",
            Effect::StaffAlert => "staff alert",
            Effect::UnlockSections => "named sections unlocked",
            Effect::AskReferees => "referees asked",
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
            Effect::TakePlace => "a place of the intake taken",
            Effect::JoinLine => "last in the line of the intake",
            Effect::OpenOffer => "offer open for 30 days",
            Effect::ContractTask => "contract task",
            Effect::FundingTask => "funding task",
            Effect::VoidContract => "contract voided",
            Effect::StopCharges => "charges stopped",
            Effect::RefundTask => "refund task",
            Effect::PausePlan => "payment plan paused",
            Effect::ResumePlan => "payment plan goes on",
            Effect::KeepFormerState => "former stage kept",
            Effect::KeepOutcome => "how it ended kept",
        };
        words.to_owned()
    }
}
