//! The words of every mail, as text and as HTML made from the same paragraphs. No mail tells an outcome, and every link
//! starts with the configured public URL.

mod decisions;
pub mod interview;

pub use decisions::*;

use jiff::civil::Date;

use super::App;
use super::passwords::RESET_MINUTES;
use super::ports::{Applicant, ChangeRequest, NewMail};
use crate::domain::language::Language;
use crate::domain::moments;
use crate::domain::program::Program;
use crate::domain::sentence::Sentence;
use crate::text;

/// "Your application is started", with the way back to it.
pub fn application_started(app: &App, applicant: &Applicant, program: Program) -> NewMail {
    let url = format!("{}/{}/application", app.settings.public_url, program.path());
    write(
        app,
        applicant,
        "application-started",
        text!("Application started"),
        &[
            text!("Your application for the {name} is started.", name = program.name()),
            text!("Your answers are saved as you type. You can stop at any time and come back on any device."),
        ],
        Some((text!("Go on with your application"), &url)),
    )
}

/// A draft that nobody goes on with is going to be deleted; the last day on which it is there.
pub fn draft_expires(app: &App, applicant: &Applicant, program: Program, last_day: Date) -> NewMail {
    let url = format!("{}/{}/application", app.settings.public_url, program.path());
    let last_day = moments::loose_date(last_day);
    write(
        app,
        applicant,
        "draft-expires",
        text!("Your application is about to be deleted"),
        &[
            text!(
                "You have not gone on with your application for the {name} for eleven months.",
                name = program.name()
            ),
            text!(
                "We keep it until the end of {last_day}. After that we delete your answers and the files that you sent.",
                last_day
            ),
            text!("If you still want to apply, go on with it: every change keeps it for another twelve months."),
            text!("If not, you need not do anything. Your account stays."),
        ],
        Some((text!("Go on with your application"), &url)),
    )
}

/// "We have your application", with its number.
pub fn application_received(app: &App, applicant: &Applicant, program: Program, reference: &str) -> NewMail {
    let url = format!("{}/schedule", app.settings.public_url);
    write(
        app,
        applicant,
        "application-received",
        text!("We have your application"),
        &[
            text!("Your application for the {name} has arrived.", name = program.name()),
            text!("Its reference number is {reference}. Please give it when you write to us or call.", reference),
            text!(
                "Your next step is the interview: choose a time for it whenever you like. We read what you have sent until then."
            ),
            text!("If you want to change something, you can take your application back until an interview is booked."),
        ],
        Some((text!("Book your interview"), &url)),
    )
}

/// What staff ask the applicant to change, and by when.
pub fn changes_requested(app: &App, applicant: &Applicant, program: Program, request: &ChangeRequest) -> NewMail {
    let url = format!("{}/{}/application", app.settings.public_url, program.path());
    let sections = Sentence::list(request.sections.iter().map(|section| section.title()));
    write(
        app,
        applicant,
        "changes-requested",
        text!("Please change something in your application"),
        &[
            text!(
                "We have read your application for the {name} and ask you to change something.",
                name = program.name()
            ),
            Sentence::plain(&request.message),
            text!("You can change these sections: {sections}.", sections),
            text!("Please submit it again by {date}.", date = moments::loose_date(request.due_on)),
        ],
        Some((text!("Change your application"), &url)),
    )
}

/// A request for changes is taken back.
pub fn changes_dropped(app: &App, applicant: &Applicant, program: Program) -> NewMail {
    let url = format!("{}/dashboard", app.settings.public_url);
    write(
        app,
        applicant,
        "changes-dropped",
        text!("You need not change your application"),
        &[
            text!("We had asked you to change something in your application for the {name}.", name = program.name()),
            text!("That is no longer needed. What you submitted stands as it was, and we go on reading it."),
        ],
        Some((text!("See where your application stands"), &url)),
    )
}

/// What somebody of the office wrote, in their own words.
pub fn from_office(app: &App, applicant: &Applicant, subject: &str, text: &str) -> NewMail {
    let url = format!("{}/dashboard/messages", app.settings.public_url);
    let paragraphs: Vec<Sentence> = paragraphs_of(text).collect();
    let link = Some((text!("See your messages"), url.as_str()));
    write(app, applicant, "from-office", Sentence::plain(subject), &paragraphs, link)
}

/// The paragraphs of what somebody typed.
fn paragraphs_of(text: &str) -> impl Iterator<Item = Sentence> {
    text.split("\n\n").map(str::trim).filter(|part| !part.is_empty()).map(Sentence::plain)
}

/// The changed application has arrived.
pub fn changes_received(app: &App, applicant: &Applicant, program: Program) -> NewMail {
    let url = format!("{}/dashboard", app.settings.public_url);
    write(
        app,
        applicant,
        "changes-received",
        text!("We have your changes"),
        &[
            text!("Your changed application for the {name} has arrived. Thank you.", name = program.name()),
            text!("We go on reading it and write to you about an interview. You need not do anything until then."),
        ],
        Some((text!("See where your application stands"), &url)),
    )
}

/// The confirmation of a withdrawal, with the way back.
pub fn application_withdrawn(app: &App, applicant: &Applicant, program: Program) -> NewMail {
    let url = format!("{}/dashboard", app.settings.public_url);
    write(
        app,
        applicant,
        "application-withdrawn",
        text!("You have withdrawn your application"),
        &[
            text!(
                "Your application for the {name} is withdrawn, as you asked. Nothing more happens to it.",
                name = program.name()
            ),
            text!(
                "If this was a mistake, you can undo it on your dashboard within 15 minutes. After that, write to us."
            ),
        ],
        Some((text!("To your dashboard"), &url)),
    )
}

/// The confirmation that a withdrawal is undone.
pub fn withdrawal_undone(app: &App, applicant: &Applicant, program: Program) -> NewMail {
    let url = format!("{}/dashboard", app.settings.public_url);
    write(
        app,
        applicant,
        "withdrawal-undone",
        text!("Your application is back"),
        &[text!(
            "You have undone the withdrawal of your application for the {name}. It is where it was before.",
            name = program.name()
        )],
        Some((text!("See where your application stands"), &url)),
    )
}

/// "Please send a document", in the words of somebody of the office, and by when.
pub fn document_asked(app: &App, applicant: &Applicant, document: Sentence, words: &str, due_on: Date) -> NewMail {
    let url = format!("{}/dashboard/documents", app.settings.public_url);
    let mut paragraphs = vec![text!("We need a document from you: “{document}”.", document)];
    paragraphs.extend(paragraphs_of(words));
    paragraphs.push(text!("Please send it by {date}.", date = moments::loose_date(due_on)));
    paragraphs.push(text!("You can send it on your documents page, from any device."));
    write(
        app,
        applicant,
        "document-asked",
        text!("Please send a document"),
        &paragraphs,
        Some((text!("Send it"), &url)),
    )
}

/// "Please send a document again", with the reason.
pub fn document_needed_again(app: &App, applicant: &Applicant, document: Sentence, reason: &str) -> NewMail {
    let url = format!("{}/dashboard/documents", app.settings.public_url);
    write(
        app,
        applicant,
        "document-needed-again",
        text!("Please send a document again"),
        &[
            text!("We have looked at what you sent as “{document}”, and need another one.", document),
            Sentence::plain(reason),
            text!("You can send it on your documents page, from any device."),
        ],
        Some((text!("Send it again"), &url)),
    )
}

/// The link that resets a password.
pub fn reset_password(app: &App, applicant: &Applicant, secret: &str) -> NewMail {
    let url = format!("{}/reset-password?token={secret}", app.settings.public_url);
    let mail = write(
        app,
        applicant,
        "reset-password",
        text!("Reset your password"),
        &[
            text!(
                "Someone asked to reset the password of your account. If it was you, open this link and choose a new one."
            ),
            text!(
                "The link works once and for {reset_minutes} minutes. If a page asks for a code, it is: {secret}",
                reset_minutes = RESET_MINUTES,
                secret
            ),
            text!("If it was not you, you need not do anything: your password stays as it is."),
        ],
        Some((text!("Choose a new password"), &url)),
    );
    let message = [
        text!("Someone asked to reset the password of your account. The link for it is in the email only."),
        text!("If it was not you, you need not do anything: your password stays as it is."),
    ];
    NewMail { message: Some(plain(app, applicant, &message)), ..mail }
}

/// The confirmation after a reset or change.
pub fn password_changed(app: &App, applicant: &Applicant) -> NewMail {
    let url = format!("{}/bachelor/apply?dialog=forgot", app.settings.public_url);
    write(
        app,
        applicant,
        "password-changed",
        text!("Your password was changed"),
        &[
            text!("The password of your account was changed, and every other session was ended."),
            text!(
                "If it was not you, reset your password now and write to {contact_email}.",
                contact_email = &app.settings.contact_email
            ),
        ],
        Some((text!("Reset your password"), &url)),
    )
}

/// A mail of these paragraphs, with a link as a button.
pub(super) fn write(
    app: &App,
    applicant: &Applicant,
    template: &'static str,
    subject: Sentence,
    paragraphs: &[Sentence],
    link: Option<(Sentence, &str)>,
) -> NewMail {
    let language = applicant.profile.language;
    let mail = compose(app, &applicant.email, language, greeting(applicant), template, subject, paragraphs, link);
    NewMail { applicant_id: Some(applicant.id.clone()), ..mail }
}

/// A mail to staff, who are written to in English.
pub(super) fn write_to_staff(
    app: &App,
    to: &str,
    greeting: &str,
    template: &'static str,
    subject: &str,
    paragraphs: &[&str],
    link: (&str, &str),
) -> NewMail {
    let plain = |text: &str| Sentence::plain(text);
    let paragraphs: Vec<Sentence> = paragraphs.iter().map(|paragraph| plain(paragraph)).collect();
    let link = Some((plain(link.0), link.1));
    compose(app, to, Language::En, plain(greeting), template, plain(subject), &paragraphs, link)
}

/// A mail to whatever address.
#[expect(clippy::too_many_arguments, reason = "each is a part of a mail")]
fn compose(
    app: &App,
    to: &str,
    language: Language,
    greeting: Sentence,
    template: &'static str,
    subject: Sentence,
    paragraphs: &[Sentence],
    link: Option<(Sentence, &str)>,
) -> NewMail {
    let told = |sentence: &Sentence| escape(&sentence.in_language(language));
    let mut body = format!("<p>{}</p>", told(&greeting));
    for paragraph in paragraphs {
        body.push_str(&format!("<p>{}</p>", told(paragraph)));
    }
    if let Some((label, url)) = &link {
        let (label, url) = (told(label), escape(url));
        let otherwise = told(&text!("If the button does not work, copy this address into your browser:"));
        body.push_str(&format!(
            "<p><a href=\"{url}\" style=\"display:inline-block;padding:15px 30px;border-radius:2px;\
             background:#48433b;color:#ffffff;text-decoration:none;font-family:sans-serif\">{label}</a></p>\
             <p style=\"font-size:14px\">{otherwise}<br>{url}</p>"
        ));
    }
    let html = format!(
        "<!doctype html><html lang=\"{}\"><head><meta charset=\"utf-8\"><title>{}</title></head>\
         <body style=\"margin:0;padding:32px 16px;background:#f6f2ea;color:#3a4350;font:18px/28px Georgia,serif\">\
         <div style=\"max-width:560px;margin:0 auto\">{body}<p>{}<br>{}</p></div></body></html>",
        language.as_str(),
        told(&subject),
        told(&signature(app)),
        escape(&app.settings.contact_email)
    );
    NewMail {
        id: app.random.id(),
        applicant_id: None,
        about: None,
        template,
        to: to.to_owned(),
        subject: subject.in_language(language),
        text: words(app, language, &greeting, paragraphs, link),
        html,
        attachment: None,
        message: None,
        created_at: app.clock.now(),
    }
}

/// The same as text.
pub(super) fn plain(app: &App, applicant: &Applicant, paragraphs: &[Sentence]) -> String {
    words(app, applicant.profile.language, &greeting(applicant), paragraphs, None)
}

fn words(
    app: &App,
    language: Language,
    greeting: &Sentence,
    paragraphs: &[Sentence],
    link: Option<(Sentence, &str)>,
) -> String {
    let mut text = format!("{}\n", greeting.in_language(language));
    for paragraph in paragraphs {
        text.push_str(&format!("\n{}\n", paragraph.in_language(language)));
    }
    if let Some((label, url)) = link {
        text.push_str(&format!("\n{}:\n{url}\n", label.in_language(language)));
    }
    let signature = signature(app).in_language(language);
    text.push_str(&format!("\n{signature}\n{}\n", app.settings.contact_email));
    text
}

fn greeting(applicant: &Applicant) -> Sentence {
    text!("Dear {first_name},", first_name = &applicant.profile.first_name)
}

fn signature(app: &App) -> Sentence {
    text!("Admissions, {institute}", institute = &app.settings.institute)
}

/// Text as HTML.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
