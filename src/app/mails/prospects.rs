//! Mails to prospects. All but the first can be ended with one click.

use super::{compose, spoken, with_secret};
use crate::App;
use domain::intake::Intake;
use domain::moments;
use domain::program::Program;
use domain::prospect::{CONFIRMATION_DAYS, Prospect};
use domain::sentence::Sentence;
use domain::text;
use store::{NewInquiry, NewMail};

/// To an address that somebody typed, which may be somebody else's.
pub fn confirm_inquiry(app: &App, inquiry: &NewInquiry, secret: &str) -> NewMail {
    let url = format!("{}/inquiries/confirm?token={secret}", app.settings.public_url);
    let write = |paragraphs: &[Sentence], link| {
        let greeting = greeting(&inquiry.first_name);
        let paragraphs = spoken(inquiry.language, &greeting, paragraphs, link);
        let subject = text!("Confirm your email").in_language(inquiry.language);
        compose(app, &inquiry.email, inquiry.language, "inquiry-confirmation", subject, &paragraphs)
    };
    let asked =
        text!("Somebody asked us to write to this address about the {program}.", program = inquiry.program.name());
    let unknown = text!("If it was not you, you do not need to do anything: we will not write again.");
    let mut wanted = vec![asked.clone()];
    if inquiry.wants.brochure {
        wanted.push(text!("Once it is confirmed, we will send the brochure."));
    }
    if inquiry.wants.openings {
        wanted.push(text!("Once it is confirmed, we will tell you when applications open for the next intake."));
    }
    wanted.push(text!(
        "If it was you, open this link and confirm it. It works for {confirmation_days} days.",
        confirmation_days = CONFIRMATION_DAYS
    ));
    wanted.push(unknown.clone());
    let mail = write(&wanted, Some((text!("Confirm your email"), url.as_str())));
    let redacted = write(&[asked, text!("The link to confirm it is only in the email."), unknown], None);
    with_secret(app, mail, redacted)
}

/// The brochure, as a link to it.
pub fn brochure(app: &App, prospect: &Prospect, token: &str) -> NewMail {
    let (path, language) = (prospect.program.path(), prospect.language);
    let url = format!("{}/{path}/brochure.pdf?lang={}", app.settings.public_url, language.as_str());
    let paragraphs = [
        text!(
            "Here is the brochure that you asked for: {program}. It says what you need to apply, what it costs, and how people pay.",
            program = prospect.program.name()
        ),
        apply(app, prospect.program),
    ];
    let subject = text!("Your brochure: {program}", program = prospect.program.name());
    to_prospect(app, prospect, token, "brochure", subject, &paragraphs, (text!("Open the brochure"), &url))
}

/// The next intake can be applied for.
pub fn openings(app: &App, prospect: &Prospect, token: &str, intake: Intake) -> NewMail {
    let url = format!("{}/{}/apply", app.settings.public_url, prospect.program.path());
    let (start, deadline) = (moments::loose_date(intake.start), moments::loose_date(intake.deadline));
    let paragraphs = [
        text!(
            "Applications are open for the next intake, {intake}: {program}.",
            intake = intake.name(),
            program = prospect.program.name()
        ),
        text!("Studies start on {start}. The deadline is {deadline}.", start, deadline),
        text!("Your answers are saved as you go. Stop at any point and come back from any device."),
    ];
    let subject = text!("Applications are open for {intake}", intake = intake.name());
    to_prospect(app, prospect, token, "openings", subject, &paragraphs, (text!("Apply now"), &url))
}

fn apply(app: &App, program: Program) -> Sentence {
    let page = format!("{}/{}/apply", app.settings.public_url, program.path());
    text!("When you are ready, you can apply here: {page}", page)
}

/// A mail to a prospect, with a link as a button, that says how to end such mails.
fn to_prospect(
    app: &App,
    prospect: &Prospect,
    token: &str,
    template: &'static str,
    subject: Sentence,
    paragraphs: &[Sentence],
    link: (Sentence, &str),
) -> NewMail {
    let language = prospect.language;
    let url = format!("{}/unsubscribe?token={token}", app.settings.public_url);
    let mut paragraphs = spoken(language, &greeting(&prospect.first_name), paragraphs, Some(link));
    let end = text!("You get this because you asked for it. To unsubscribe, open: {url}", url = &url);
    paragraphs.extend(spoken(language, &end, &[], None));
    let mail = compose(app, &prospect.email, language, template, subject.in_language(language), &paragraphs);
    NewMail { unsubscribe_url: Some(url), ..mail }
}

/// A greeting, with the first name if there is one.
pub(super) fn greeting(first_name: &str) -> Sentence {
    match first_name {
        "" => text!("Hello,"),
        name => text!("Dear {firstName},", firstName = name),
    }
}
