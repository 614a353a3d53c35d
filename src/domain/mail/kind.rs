//! The mails whose text Owners can change, and the fields of each.

use crate::merging::MergeField;

/// A mail to applicants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum MailKind {
    ApplicationStarted,
    ApplicationImported,
    DraftExpires,
    ApplicationReceived,
    ApplicationReceivedFee,
    ChangesRequested,
    ChangesDropped,
    ChangesReceived,
    ApplicationWithdrawn,
    WithdrawalUndone,
    DocumentAsked,
    DocumentNeededAgain,
    DocumentInOrder,
    ReferenceReceived,
    ReferenceDeclined,
    InterviewBooked,
    InterviewMoved,
    InterviewTomorrow,
    InterviewSoon,
    InterviewCancelled,
    InterviewMissed,
    InterviewMissedAgain,
    Delayed,
    DelayedAgain,
    StatusUpdate,
    Waitlisted,
    OfferReminder,
    OfferAccepted,
    OfferDeclined,
    OfferLapsed,
    OfferReopened,
    Deferred,
    DeferralRefused,
    IntakeReminder,
    Resumed,
    ContractReady,
    ContractReminder,
    ContractSigned,
    ContractComplete,
    ContractExpired,
    ContractVoided,
    Enrolled,
    PaymentReceived,
    PaymentFailed,
    PaymentStopped,
    PaymentDue,
    PaymentOverdue,
    PaymentOverdueLast,
    FeePaid,
    FeePaymentReceived,
    FeeWaived,
    FeeReminder,
    FeeWaiverRefused,
    MessageWritten,
}

struct Row {
    kind: MailKind,
    /// The name under which its setting is stored and addressed.
    name: &'static str,
    title: &'static str,
    /// When it is sent.
    sent: &'static str,
    /// Fields besides those common to all mails; every one is required.
    own: &'static [MergeField],
    /// Must not reveal a decision to somebody who reads it over the applicant's shoulder.
    confidential: bool,
}

const fn row(
    kind: MailKind,
    name: &'static str,
    title: &'static str,
    sent: &'static str,
    own: &'static [MergeField],
) -> Row {
    Row { kind, name, title, sent, own, confidential: false }
}

impl Row {
    const fn confidential(self) -> Row {
        Row { confidential: true, ..self }
    }
}

use MailKind as K;
use MergeField as F;

/// In the order of the list.
const ROWS: [Row; 54] = [
    row(K::ApplicationStarted, "mail-application-started", "Application started", "When somebody begins one.", &[]),
    row(
        K::ApplicationImported,
        "mail-application-imported",
        "Application imported",
        "When an import brings in a draft or a submission, if applicants are to be told.",
        &[],
    ),
    row(
        K::DraftExpires,
        "mail-draft-expires",
        "Draft about to be deleted",
        "A month before a draft is deleted that nobody goes on with.",
        &[F::Date],
    ),
    row(
        K::ApplicationReceived,
        "mail-application-received",
        "Application received",
        "When an application is submitted.",
        &[F::Reference],
    ),
    row(
        K::ApplicationReceivedFee,
        "mail-application-received-fee",
        "Application received, fee due",
        "When an application is submitted whose fee is still to be paid.",
        &[F::Reference, F::Amount],
    ),
    row(
        K::ChangesRequested,
        "mail-changes-requested",
        "Changes requested",
        "When we ask for changes in what was submitted.",
        &[F::Message, F::Sections, F::Date],
    ),
    row(K::ChangesDropped, "mail-changes-dropped", "Changes not needed", "When we take such a request back.", &[]),
    row(K::ChangesReceived, "mail-changes-received", "Changes received", "When the changes are submitted.", &[]),
    row(
        K::ApplicationWithdrawn,
        "mail-application-withdrawn",
        "Application withdrawn",
        "When an applicant withdraws.",
        &[],
    ),
    row(
        K::WithdrawalUndone,
        "mail-withdrawal-undone",
        "Withdrawal undone",
        "When an applicant undoes a withdrawal.",
        &[],
    ),
    row(
        K::DocumentAsked,
        "mail-document-asked",
        "Document asked for",
        "When we ask several applicants for a document that they have not sent.",
        &[F::Document, F::Message, F::Date],
    ),
    row(
        K::DocumentNeededAgain,
        "mail-document-needed-again",
        "Document needed again",
        "When we do not take a document.",
        &[F::Document, F::Reason],
    ),
    row(
        K::DocumentInOrder,
        "mail-document-in-order",
        "Document not needed again",
        "When we take back that we need a document again.",
        &[F::Document],
    ),
    row(
        K::ReferenceReceived,
        "mail-reference-received",
        "Reference received",
        "When a referee has sent their reference.",
        &[F::Referee],
    ),
    row(
        K::ReferenceDeclined,
        "mail-reference-declined",
        "Reference declined",
        "When a referee tells us that they give no reference.",
        &[F::Referee],
    ),
    row(K::InterviewBooked, "mail-interview-booked", "Interview booked", "With the calendar entry.", &[F::When]),
    row(K::InterviewMoved, "mail-interview-moved", "Interview moved", "With the new calendar entry.", &[F::When]),
    row(
        K::InterviewTomorrow,
        "mail-interview-reminder-day",
        "Interview tomorrow",
        "A day before an interview, to those who want reminders.",
        &[F::When],
    ),
    row(
        K::InterviewSoon,
        "mail-interview-reminder-hour",
        "Interview in an hour",
        "An hour before an interview, to those who want reminders.",
        &[F::When],
    ),
    row(
        K::InterviewCancelled,
        "mail-interview-cancelled",
        "Interview canceled",
        "When an interview does not take place, whoever cancelled it and why ever; also after a decision.",
        &[F::When],
    )
    .confidential(),
    row(
        K::InterviewMissed,
        "mail-interview-missed",
        "Interview missed",
        "When somebody did not come, and can book once more.",
        &[F::When],
    ),
    row(
        K::InterviewMissedAgain,
        "mail-interview-missed-again",
        "Interview missed again",
        "When somebody did not come, and cannot book by themselves any more.",
        &[F::When],
    ),
    row(
        K::Delayed,
        "mail-application-delayed",
        "It takes longer",
        "When somebody waits for us longer than we said.",
        &[],
    ),
    row(
        K::DelayedAgain,
        "mail-application-delayed-again",
        "It still takes longer",
        "When they still wait some days later.",
        &[],
    ),
    row(
        K::StatusUpdate,
        "mail-status-update",
        "There is a decision",
        "When a decision can be read, whichever it is. Only those who log in learn which.",
        &[],
    )
    .confidential(),
    row(
        K::Waitlisted,
        "mail-waitlisted",
        "On the waitlist",
        "When somebody is put on the waitlist. Only those who log in learn that.",
        &[],
    )
    .confidential(),
    row(
        K::OfferReminder,
        "mail-offer-reminder",
        "Reminder to reply",
        "Before the time to reply is over, to those who want reminders.",
        &[F::Date],
    )
    .confidential(),
    row(K::OfferAccepted, "mail-offer-accepted", "Reply received: yes", "When an offer is taken.", &[]).confidential(),
    row(K::OfferDeclined, "mail-offer-declined", "Reply received: no", "When an offer is turned down.", &[])
        .confidential(),
    row(K::OfferLapsed, "mail-offer-lapsed", "Time to reply over", "When nobody has replied in time.", &[])
        .confidential(),
    row(K::OfferReopened, "mail-offer-reopened", "Time to reply again", "When we give more time to reply.", &[])
        .confidential(),
    row(K::Deferred, "mail-deferred", "Start moved", "When we move a start to a later intake.", &[F::Intake]),
    row(
        K::DeferralRefused,
        "mail-deferral-refused",
        "Wish to start later answered",
        "When we do not grant a wish to start later. Only those who log in learn that.",
        &[],
    )
    .confidential(),
    row(
        K::IntakeReminder,
        "mail-intake-reminder",
        "Intake near",
        "60 and 30 days before a moved start, to those who want reminders.",
        &[F::Days, F::Intake],
    ),
    row(K::Resumed, "mail-resumed", "Application goes on", "When an application goes on after a later start.", &[]),
    row(K::ContractReady, "mail-contract-ready", "Contract to sign", "When a contract is sent.", &[F::Date])
        .confidential(),
    row(
        K::ContractReminder,
        "mail-contract-reminder",
        "Reminder to sign",
        "Before the time to sign is over, to those who want reminders.",
        &[F::Date],
    )
    .confidential(),
    row(K::ContractSigned, "mail-contract-signed", "Contract signed", "When an applicant has signed.", &[])
        .confidential(),
    row(
        K::ContractComplete,
        "mail-contract-complete",
        "Contract countersigned",
        "When we have signed, too. The signed copy is on the page that it leads to.",
        &[],
    )
    .confidential(),
    row(K::ContractExpired, "mail-contract-expired", "Time to sign over", "When nobody has signed in time.", &[])
        .confidential(),
    row(K::ContractVoided, "mail-contract-voided", "Contract taken back", "When we take a contract back.", &[])
        .confidential(),
    row(K::Enrolled, "mail-enrolled", "Enrolled", "When everything is there, with the signed contract.", &[]),
    row(
        K::PaymentReceived,
        "mail-payment-received",
        "Payment received",
        "When a payment by card has come.",
        &[F::Amount],
    ),
    row(
        K::PaymentFailed,
        "mail-payment-failed",
        "Card refused",
        "When a saved card was refused that is charged again some days later.",
        &[F::Amount, F::Date],
    ),
    row(
        K::PaymentStopped,
        "mail-payment-stopped",
        "Card refused for good",
        "When a saved card was refused for the last time.",
        &[F::Amount],
    ),
    row(
        K::PaymentDue,
        "mail-payment-due",
        "Payment due soon",
        "Some days before a payment is due that no saved card pays, to those who want reminders.",
        &[F::Amount, F::Date],
    ),
    row(
        K::PaymentOverdue,
        "mail-payment-overdue",
        "Payment overdue",
        "When such a payment is overdue, and once more.",
        &[F::Amount, F::Date],
    ),
    row(
        K::PaymentOverdueLast,
        "mail-payment-overdue-last",
        "Payment overdue, last reminder",
        "When it still is. Finance gets a task with it.",
        &[F::Amount, F::Date],
    ),
    row(
        K::FeePaid,
        "mail-fee-paid",
        "Application fee paid",
        "When the application fee is paid, and the application is read from now on.",
        &[F::Amount],
    ),
    row(
        K::FeePaymentReceived,
        "mail-fee-payment-received",
        "Payment for the application fee received",
        "When a payment by card for the application fee has come, and the application is not read because of it.",
        &[F::Amount],
    ),
    row(
        K::FeeWaived,
        "mail-fee-waived",
        "Application fee waived",
        "When the application fee is waived, and the application is read from now on.",
        &[],
    ),
    row(
        K::FeeReminder,
        "mail-fee-reminder",
        "Application fee due",
        "Some days after the submission while the fee is due, to those who want reminders.",
        &[F::Amount],
    ),
    row(
        K::FeeWaiverRefused,
        "mail-fee-waiver-refused",
        "Waiver of the fee refused",
        "When we do not waive the application fee for somebody who has asked for it.",
        &[F::Amount, F::Message],
    ),
    row(
        K::MessageWritten,
        "mail-message-written",
        "Message to read",
        "When somebody of the office has written in the conversation. Only those who log in learn what.",
        &[],
    ),
];

impl MailKind {
    /// Iterates over all mails, in the order of the list.
    pub fn all() -> impl Iterator<Item = MailKind> {
        ROWS.iter().map(|row| row.kind)
    }

    fn row(self) -> &'static Row {
        ROWS.iter().find(|row| row.kind == self).expect("every mail has a row")
    }

    /// Returns the name under which its setting is stored and addressed: `mail-application-received`.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// Returns its template name in the outbox.
    pub fn template(self) -> &'static str {
        match self {
            MailKind::InterviewTomorrow | MailKind::InterviewSoon => "interview-reminder",
            MailKind::InterviewMissedAgain => "interview-missed",
            MailKind::DelayedAgain => "application-delayed",
            MailKind::PaymentOverdueLast => "payment-overdue",
            _ => self.name().trim_start_matches("mail-"),
        }
    }

    /// Returns the label for staff.
    pub fn title(self) -> &'static str {
        self.row().title
    }

    /// Describes when it is sent.
    pub fn sent(self) -> &'static str {
        self.row().sent
    }

    /// Whether it must not reveal a decision.
    pub fn is_confidential(self) -> bool {
        self.row().confidential
    }

    /// Returns all fields that its text can contain.
    pub fn fields(self) -> Vec<MergeField> {
        [self.row().own, &[F::FirstName, F::Program, F::Link, F::ContactEmail, F::Institute]].concat()
    }

    /// Whether its text must contain this field.
    pub fn needs(self, field: MergeField) -> bool {
        field == MergeField::Link || self.row().own.contains(&field)
    }
}
