//! The built-in texts of mails.

use super::MailKind;
use crate::sentence::Sentence;
use crate::text;

/// The text of one mail. Fields in braces are filled in when it is written.
pub(super) struct Words {
    pub subject: Sentence,
    pub paragraphs: Vec<Sentence>,
    /// Label of the button.
    pub button: Sentence,
}

const VIDEO: Sentence = text!("By video. Your interviewer will email you the link.");
const STANDS: Sentence = text!("See where your application stands");
const DASHBOARD: Sentence = text!("Go to your dashboard");
const PAYMENTS: Sentence = text!("See your payments");

pub(super) fn words(kind: MailKind) -> Words {
    let (subject, paragraphs, button) = match kind {
        MailKind::ApplicationStarted => (
            text!("Application started"),
            vec![
                text!("You have started your application for the {program}."),
                text!("Your answers are saved as you type. You can stop at any time and come back on any device."),
            ],
            text!("Continue your application"),
        ),
        MailKind::ApplicationImported => (
            text!("Your application is now on our new site"),
            vec![
                text!("We have moved your application for the {program} to the site where we now handle all of them."),
                text!(
                    "To see how it is getting on, set a password for your new account there: ask for a link, and we will email it to this address."
                ),
                text!("If you do not know why you are getting this email, write to us at {contactEmail}."),
            ],
            text!("Set your password"),
        ),
        MailKind::DraftExpires => (
            text!("Your application is about to be deleted"),
            vec![
                text!("You have not worked on your application for the {program} for eleven months."),
                text!(
                    "We will keep it until the end of {date}. After that, we will delete your answers and the files that you sent."
                ),
                text!("If you still want to apply, continue it: every change keeps it for another twelve months."),
                text!("If not, you do not need to do anything. You keep your account."),
            ],
            text!("Continue your application"),
        ),
        MailKind::ApplicationReceived => (
            text!("We have your application"),
            vec![
                text!("Your application for the {program} has arrived."),
                text!("Its reference number is {reference}. Please give it when you write to us or call."),
                text!(
                    "Your next step is the interview: choose a time for it whenever you like. In the meantime, we will read what you have sent."
                ),
                text!(
                    "If you want to change something, you can take your application back until an interview is booked."
                ),
            ],
            text!("Book your interview"),
        ),
        MailKind::ApplicationReceivedFee => (
            text!("We have your application"),
            vec![
                text!("Your application for the {program} has arrived."),
                text!("Its reference number is {reference}. Please give it when you write to us or call."),
                text!(
                    "There is an application fee of {amount}. We will read your application, and you can book your interview, once the fee is paid or waived."
                ),
                text!("The page of the fee says how you can pay it, and how it can be waived."),
            ],
            text!("Pay the application fee"),
        ),
        MailKind::ChangesRequested => (
            text!("Please make a change to your application"),
            vec![
                text!("We have read your application for the {program} and ask you to change something."),
                Sentence::new("{message}"),
                text!("You can change these sections: {sections}."),
                text!("Please submit it again by {date}."),
            ],
            text!("Change your application"),
        ),
        MailKind::ChangesDropped => (
            text!("You do not need to change your application"),
            vec![
                text!("We had asked you to change something in your application for the {program}."),
                text!(
                    "That is no longer needed. What you submitted stands as it was, and we will continue reading it."
                ),
            ],
            STANDS,
        ),
        MailKind::ChangesReceived => (
            text!("We have your changes"),
            vec![
                text!("Your updated application for the {program} has arrived. Thank you."),
                text!(
                    "We will continue reading it and write to you about an interview. You do not need to do anything until then."
                ),
            ],
            STANDS,
        ),
        MailKind::ApplicationWithdrawn => (
            text!("You have withdrawn your application"),
            vec![
                text!(
                    "Your application for the {program} has been withdrawn, as you asked. Nothing more will happen with it."
                ),
                text!(
                    "If this was a mistake, you can undo it on your dashboard within 15 minutes. After that, write to us."
                ),
            ],
            DASHBOARD,
        ),
        MailKind::WithdrawalUndone => (
            text!("Your application is back"),
            vec![text!(
                "You have undone the withdrawal of your application for the {program}. It is where it was before."
            )],
            STANDS,
        ),
        MailKind::DocumentAsked => (
            text!("Please send a document"),
            vec![
                text!("We need a document from you: “{document}”."),
                Sentence::new("{message}"),
                text!("Please send it by {date}."),
                text!("You can send it on your documents page, from any device."),
            ],
            text!("Send it"),
        ),
        MailKind::DocumentNeededAgain => (
            text!("Please send a document again"),
            vec![
                text!("We have looked at what you sent as “{document}”, and need another one."),
                Sentence::new("{reason}"),
                text!("You can send it on your documents page, from any device."),
            ],
            text!("Send it again"),
        ),
        MailKind::DocumentInOrder => (
            text!("You do not need to send the document again"),
            vec![
                text!(
                    "We asked you for another file of “{document}”. That was a mistake: we have what you sent before."
                ),
                text!("You do not need to do anything. If you have already sent another file, we will read that one."),
            ],
            text!("See your documents"),
        ),
        MailKind::ReferenceReceived => (
            text!("A reference has arrived"),
            vec![
                text!("{referee} has sent the reference that you asked for."),
                text!("You do not need to do anything about it. The page shows which references we still wait for."),
            ],
            text!("See your references"),
        ),
        MailKind::ReferenceDeclined => (
            text!("A referee cannot give a reference"),
            vec![
                text!("{referee} has told us that they will not give a reference."),
                text!("Please name somebody else on your references page."),
            ],
            text!("See your references"),
        ),
        MailKind::InterviewBooked
        | MailKind::InterviewMoved
        | MailKind::InterviewCancelled
        | MailKind::InterviewMissed
        | MailKind::InterviewMissedAgain
        | MailKind::InterviewTomorrow
        | MailKind::InterviewSoon => interviews(kind),
        MailKind::FeePaid
        | MailKind::FeePaymentReceived
        | MailKind::FeeWaived
        | MailKind::FeeReminder
        | MailKind::FeeWaiverRefused => fees(kind),
        _ => decisions(kind),
    };
    Words { subject, paragraphs, button }
}

fn interviews(kind: MailKind) -> (Sentence, Vec<Sentence>, Sentence) {
    let look = text!("See your interview");
    match kind {
        MailKind::InterviewBooked => (
            text!("Interview booked"),
            vec![
                text!("Your interview is booked: {when}"),
                VIDEO,
                text!("The attached file adds it to your calendar."),
                text!(
                    "Has something come up? You can move your interview up to 24 hours before, and cancel it until it begins."
                ),
            ],
            look,
        ),
        MailKind::InterviewMoved => (
            text!("Interview moved"),
            vec![
                text!("Your interview has been moved. It is now: {when}"),
                VIDEO,
                text!("The attached file updates your calendar."),
            ],
            look,
        ),
        MailKind::InterviewCancelled => (
            text!("Interview canceled"),
            vec![
                text!("Your interview has been canceled. It would have been: {when}"),
                text!("The attached file removes it from your calendar."),
                text!("Everything about your application is on your dashboard."),
            ],
            STANDS,
        ),
        MailKind::InterviewMissed => (
            text!("We could not meet for your interview"),
            vec![
                text!("We waited for you, and could not meet you: {when}"),
                text!("These things happen. You can book another time yourself, once."),
                text!("If we did meet, and this is our mistake, please tell us."),
            ],
            text!("Book another time"),
        ),
        MailKind::InterviewMissedAgain => (
            text!("We could not meet for your interview"),
            vec![
                text!("We waited for you, and could not meet you: {when}"),
                text!("Write to {contactEmail} if you still want to meet us, and we will find a time together."),
                text!("If we did meet, and this is our mistake, please tell us."),
            ],
            STANDS,
        ),
        MailKind::InterviewTomorrow => {
            (text!("Your interview is tomorrow"), vec![text!("We look forward to meeting you: {when}"), VIDEO], look)
        }
        _ => (
            text!("Your interview is in an hour"),
            vec![
                text!("We look forward to meeting you: {when}"),
                VIDEO,
                text!("No link yet? Write to {contactEmail}."),
            ],
            look,
        ),
    }
}

fn fees(kind: MailKind) -> (Sentence, Vec<Sentence>, Sentence) {
    let reading = text!(
        "We are reading your application now. Your next step is the interview: choose a time for it whenever you like."
    );
    match kind {
        MailKind::FeePaid => (
            text!("We have your payment"),
            vec![
                text!("Your payment of {amount} for the application fee has arrived. Thank you."),
                reading,
                text!("You will find the receipt on the page of the fee, which your dashboard leads to."),
            ],
            text!("Book your interview"),
        ),
        MailKind::FeePaymentReceived => (
            text!("We have your payment"),
            vec![
                text!("Your payment of {amount} for the application fee has arrived. Thank you."),
                text!(
                    "Your dashboard says where your application stands. If you have a question, write to {contactEmail}."
                ),
            ],
            DASHBOARD,
        ),
        MailKind::FeeWaived => (
            text!("Your application fee is waived"),
            vec![text!("You do not have to pay the application fee for the {program}."), reading],
            text!("Book your interview"),
        ),
        MailKind::FeeReminder => (
            text!("Your application is waiting for its fee"),
            vec![
                text!("We have your application for the {program}, and have not received the fee of {amount} yet."),
                text!(
                    "We will read your application once the fee is paid or waived. If you cannot pay it, write to {contactEmail}."
                ),
            ],
            text!("Pay the application fee"),
        ),
        _ => (
            text!("About your request for a waiver"),
            vec![
                text!("You asked us to waive the application fee for the {program}. We have looked at it:"),
                Sentence::new("{message}"),
                text!("The fee of {amount} is still due. We will read your application once it is paid."),
            ],
            text!("Pay the application fee"),
        ),
    }
}

fn decisions(kind: MailKind) -> (Sentence, Vec<Sentence>, Sentence) {
    let thanks = text!("Thank you for your reply about the {program}. We have it on record.");
    let slow = text!(
        "You do not need to do anything, and this says nothing about the outcome. If you have a question, write to {contactEmail}."
    );
    match kind {
        MailKind::OfferReminder => (
            text!("We are waiting for your reply"),
            vec![
                text!("There is an update to your application for the {program} that is waiting for your reply."),
                text!("You can reply until the end of {date}, on your dashboard."),
            ],
            text!("Read it and reply"),
        ),
        MailKind::OfferAccepted => {
            (text!("We have your reply"), vec![thanks, text!("Your dashboard says what comes next.")], DASHBOARD)
        }
        MailKind::OfferDeclined => (
            text!("We have your reply"),
            vec![
                thanks,
                text!(
                    "If it was a mistake, you can undo it on your dashboard within 15 minutes. After that, write to us."
                ),
            ],
            DASHBOARD,
        ),
        MailKind::OfferLapsed => (
            text!("The deadline to reply has passed"),
            vec![
                text!("We waited for your reply about the {program}, and the deadline has passed."),
                text!("Nothing is lost yet. If you still want to reply, write to {contactEmail}."),
            ],
            DASHBOARD,
        ),
        MailKind::OfferReopened => (
            text!("You have time to reply again"),
            vec![text!("You can reply again about the {program}. Your dashboard shows the deadline.")],
            text!("Read it and reply"),
        ),
        MailKind::Deferred => (
            text!("Your start date has been moved"),
            vec![
                text!("Your start in the {program} has been moved to {intake}."),
                text!("We will write to you 60 and 30 days before it. You do not need to do anything until then."),
            ],
            DASHBOARD,
        ),
        MailKind::DeferralRefused => (
            text!("We have answered your request to start later"),
            vec![
                text!("You asked to start later in the {program}. We have looked at it and written you an answer."),
                text!("For your privacy, we do not put it in an email. It is on your dashboard."),
            ],
            text!("Read our answer"),
        ),
        MailKind::IntakeReminder => (
            text!("Your intake is coming up"),
            vec![
                text!("The intake of the {program} that you are waiting for starts in {days} days, on {intake}."),
                text!(
                    "We will get in touch with you about the next steps. If your plans have changed, write to {contactEmail}."
                ),
            ],
            DASHBOARD,
        ),
        MailKind::Resumed => (
            text!("Your application continues"),
            vec![text!(
                "Your application for the {program} continues where it was. Your dashboard says what comes next."
            )],
            DASHBOARD,
        ),
        MailKind::Delayed => (
            text!("This is taking longer than we said"),
            vec![
                text!(
                    "We are working on your application for the {program}, and it is taking longer than we said. We are sorry."
                ),
                slow,
            ],
            STANDS,
        ),
        MailKind::DelayedAgain => (
            text!("This is taking longer than we said"),
            vec![
                text!(
                    "We are still working on your application for the {program}, and it is taking longer than we said. We are sorry."
                ),
                slow,
            ],
            STANDS,
        ),
        MailKind::ContractReady => (
            text!("Your contract is ready"),
            vec![
                text!(
                    "Your contract for the {program} is on your dashboard. Take your time reading it, then sign it there."
                ),
                text!(
                    "You can sign until the end of {date}. If something is not clear, write to {contactEmail} first."
                ),
            ],
            text!("Read your contract"),
        ),
        MailKind::ContractReminder => (
            text!("Your contract is waiting for you"),
            vec![
                text!(
                    "Your contract for the {program} is waiting on your dashboard. You can sign it until the end of {date}."
                ),
                text!("If something keeps you from signing, write to {contactEmail}."),
            ],
            text!("Read your contract"),
        ),
        MailKind::ContractSigned => (
            text!("You have signed your contract"),
            vec![
                text!("You have signed the contract for the {program}. Next, we will sign it and write to you again."),
                text!("If it was not you who signed, write to {contactEmail} at once."),
            ],
            text!("See your contract"),
        ),
        MailKind::ContractComplete => (
            text!("Your contract has been signed by both sides"),
            vec![text!("We have signed the contract for the {program}, too. Keep the signed copy with your papers.")],
            text!("Get the signed copy"),
        ),
        MailKind::ContractExpired => (
            text!("The deadline to sign your contract has passed"),
            vec![
                text!("We waited for your signature on the contract for the {program}, and the deadline has passed."),
                text!("Nothing is lost yet. If you still want to sign, write to {contactEmail}."),
            ],
            DASHBOARD,
        ),
        MailKind::ContractVoided => (
            text!("We have withdrawn your contract"),
            vec![
                text!("The contract for the {program} that we sent you is no longer valid. You can read why below."),
                text!(
                    "If there is going to be another one, we will send it to you. Questions? Write to {contactEmail}."
                ),
            ],
            text!("Read why"),
        ),
        MailKind::Enrolled => (
            text!("You are enrolled"),
            vec![
                text!("Welcome! We have everything we need, and you are enrolled in the {program}."),
                text!("Your signed contract is on your dashboard, with everything that you need before you start."),
            ],
            DASHBOARD,
        ),
        MailKind::PaymentReceived => (
            text!("We have your payment"),
            vec![
                text!("Your payment of {amount} for the {program} has arrived. Thank you."),
                text!("You will find it on your dashboard under your payments, with a receipt."),
            ],
            PAYMENTS,
        ),
        MailKind::PaymentFailed => (
            text!("Your card was declined"),
            vec![
                text!("A payment of {amount} for the {program} is due, and your card was declined."),
                text!(
                    "We will charge it again on {date}. You can also pay with another card before that, on your dashboard."
                ),
                text!("Your place is safe. Questions? Write to {contactEmail}."),
            ],
            PAYMENTS,
        ),
        MailKind::PaymentStopped => (
            text!("Your card was declined again"),
            vec![
                text!("A payment of {amount} for the {program} is due, and your card was declined several times."),
                text!("We will not charge it again on our own. Please pay with another card on your dashboard."),
                text!(
                    "Nothing will happen to your place before we have talked with you. Write to {contactEmail} if you need time."
                ),
            ],
            PAYMENTS,
        ),
        MailKind::PaymentDue => (
            text!("About your next payment"),
            vec![
                text!("Your next payment for the {program} is {amount}. It is due by {date}."),
                text!("Your dashboard shows how to pay. If you have already paid, you do not need to do anything."),
            ],
            PAYMENTS,
        ),
        MailKind::PaymentOverdue => (
            text!("A reminder of your payment"),
            vec![
                text!("Your payment of {amount} for the {program} was due by {date}, and we have not received it yet."),
                text!(
                    "Please pay it now. If you have already paid, or cannot pay at the moment, write to {contactEmail}: we will find a way together."
                ),
            ],
            PAYMENTS,
        ),
        MailKind::PaymentOverdueLast => (
            text!("Your payment is still outstanding"),
            vec![
                text!("We have reminded you of your payment of {amount} for the {program}, which was due by {date}."),
                text!(
                    "Nothing has been canceled because of this. A colleague will look at it and get in touch with you. You can still pay, or write to {contactEmail}."
                ),
            ],
            PAYMENTS,
        ),
        MailKind::MessageWritten => (
            text!("There is a message for you"),
            vec![
                text!("We have written to you about your application for the {program}."),
                text!("For your privacy, the message is not in this email. Log in to read it and reply."),
            ],
            text!("Read the message"),
        ),
        _ => (
            text!("There is an update to your application"),
            vec![
                text!("There is an update to your application for the {program}."),
                text!("For your privacy, we do not say what it is in an email. Log in to read it."),
            ],
            text!("Read the update"),
        ),
    }
}
