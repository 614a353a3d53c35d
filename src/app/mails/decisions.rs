//! Mails around a decision. None tells what it is: that is read after login.

use jiff::civil::Date;

use super::write;
use crate::app::App;
use crate::app::ports::{Applicant, NewMail};
use crate::domain::intake::Intake;
use crate::domain::moments;
use crate::domain::program::Program;
use crate::domain::sentence::Sentence;
use crate::text;

fn dashboard(app: &App) -> String {
    format!("{}/dashboard", app.settings.public_url)
}

/// `Friday, June 5, 2026`
fn long(date: Date) -> Sentence {
    moments::loose_date(date)
}

/// "There is an update", and not which.
pub fn status_update(app: &App, applicant: &Applicant, program: Program) -> NewMail {
    write(
        app,
        applicant,
        "status-update",
        text!("There is an update to your application"),
        &[
            text!("There is an update to your application for the {name}.", name = program.name()),
            text!("For your privacy we do not write what it is in an email. Log in to read it."),
        ],
        Some((text!("Read the update"), &dashboard(app))),
    )
}

/// An update that was not answered; the last day on which it can be, in the institute's time zone.
pub fn reply_reminder(app: &App, applicant: &Applicant, program: Program, last_day: Date) -> NewMail {
    write(
        app,
        applicant,
        "offer-reminder",
        text!("We wait for your reply"),
        &[
            text!(
                "There is an update to your application for the {name} that waits for your reply.",
                name = program.name()
            ),
            text!("You can reply until the end of {long}, on your dashboard.", long = long(last_day)),
        ],
        Some((text!("Read it and reply"), &dashboard(app))),
    )
}

/// The confirmation of a reply, whichever it is.
pub fn reply_received(app: &App, applicant: &Applicant, template: &'static str, program: Program) -> NewMail {
    let next = match template {
        "offer-declined" => {
            text!("If it was a mistake, you can undo it on your dashboard within 15 minutes. After that, write to us.")
        }
        _ => text!("Your dashboard says what comes next."),
    };
    write(
        app,
        applicant,
        template,
        text!("We have your reply"),
        &[text!("Thank you for your reply about the {name}. We have it on record.", name = program.name()), next],
        Some((text!("To your dashboard"), &dashboard(app))),
    )
}

/// The time to reply is over.
pub fn offer_lapsed(app: &App, applicant: &Applicant, program: Program) -> NewMail {
    write(
        app,
        applicant,
        "offer-lapsed",
        text!("The time to reply is over"),
        &[
            text!("We waited for your reply about the {name}, and the time for it is over now.", name = program.name()),
            text!(
                "Nothing is lost yet. If you still want to reply, write to {contact_email}.",
                contact_email = &app.settings.contact_email
            ),
        ],
        Some((text!("To your dashboard"), &dashboard(app))),
    )
}

/// There is time to reply again.
pub fn offer_reopened(app: &App, applicant: &Applicant, program: Program) -> NewMail {
    write(
        app,
        applicant,
        "offer-reopened",
        text!("You have time to reply again"),
        &[text!("You can reply again about the {name}. Your dashboard says until when.", name = program.name())],
        Some((text!("Read it and reply"), &dashboard(app))),
    )
}

/// The studies start later.
pub fn deferred(app: &App, applicant: &Applicant, program: Program, intake: Intake) -> NewMail {
    write(
        app,
        applicant,
        "deferred",
        text!("Your start is moved"),
        &[
            text!(
                "Your start in the {name} is moved to the intake of {long}.",
                name = program.name(),
                long = long(intake.start)
            ),
            text!("We write to you 60 and 30 days before it. You need not do anything until then."),
        ],
        Some((text!("To your dashboard"), &dashboard(app))),
    )
}

/// A wish to start later was answered, and not granted.
pub fn deferral_refused(app: &App, applicant: &Applicant, program: Program) -> NewMail {
    write(
        app,
        applicant,
        "deferral-refused",
        text!("We have answered your wish to start later"),
        &[
            text!(
                "You asked to start later in the {name}. We have looked at it and written you an answer.",
                name = program.name()
            ),
            text!("For your privacy we do not write it in an email. It is on your dashboard."),
        ],
        Some((text!("Read our answer"), &dashboard(app))),
    )
}

/// The intake that an application was deferred to is near.
pub fn intake_reminder(app: &App, applicant: &Applicant, program: Program, intake: Intake, days: i64) -> NewMail {
    write(
        app,
        applicant,
        "intake-reminder",
        text!("Your intake is near"),
        &[
            text!(
                "The intake of the {name} that you wait for starts in {days} days, on {long}.",
                name = program.name(),
                days,
                long = long(intake.start)
            ),
            text!(
                "We get in touch with you about how to go on. If your plans have changed, write to {contact_email}.",
                contact_email = &app.settings.contact_email
            ),
        ],
        Some((text!("To your dashboard"), &dashboard(app))),
    )
}

/// A deferral is over.
pub fn resumed(app: &App, applicant: &Applicant, program: Program) -> NewMail {
    write(
        app,
        applicant,
        "resumed",
        text!("Your application goes on"),
        &[text!(
            "Your application for the {name} goes on where it was. Your dashboard says what comes next.",
            name = program.name()
        )],
        Some((text!("To your dashboard"), &dashboard(app))),
    )
}

/// It takes longer than we said.
pub fn delayed(app: &App, applicant: &Applicant, program: Program, again: bool) -> NewMail {
    let name = program.name();
    let sorry = if again {
        text!("We still work on your application for the {name}, and it takes longer than we said. We are sorry.", name)
    } else {
        text!("We work on your application for the {name}, and it takes longer than we said. We are sorry.", name)
    };
    write(
        app,
        applicant,
        "application-delayed",
        text!("It takes longer than we said"),
        &[
            sorry,
            text!(
                "You need not do anything, and it says nothing about the outcome. If you have a question, write to {contact_email}.",
                contact_email = &app.settings.contact_email
            ),
        ],
        Some((text!("See where your application stands"), &dashboard(app))),
    )
}
