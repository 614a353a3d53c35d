//! All mails, as text and as HTML made from the same paragraphs. No mail states an outcome, and every link starts with
//! the configured public URL. The wording of most mails to applicants is in `domain::mail`, where Owners can replace
//! it; mails about the security of an account are here and in `account`.

mod account;
mod contracts;
mod decisions;
mod fees;
pub mod interview;
pub mod open_days;
mod payments;
pub mod prospects;
pub mod references;
mod samples;

pub use account::*;
pub use contracts::*;
pub use decisions::*;
pub use fees::*;
pub use payments::*;

use std::sync::Arc;

use jiff::civil::Date;

use crate::accounts::passwords::RESET_MINUTES;
use crate::anchor::Anchor;
use crate::error::Error;
use crate::{App, SealedMail};
use domain::account::Applicant;
use domain::application::ChangeRequest;
use domain::language::Language;
use domain::mail::{Filling, Mail, MailKind, Part};
use domain::merging::{MergeField, words};
use domain::moments;
use domain::program::Program;
use domain::sentence::Sentence;
use domain::settings::ProductSettings;
use domain::text;
use store::NewMail;

/// The current mail texts, required to write any mail.
pub struct Wording<'a> {
    app: &'a App,
    product: Arc<ProductSettings>,
}

impl App {
    /// The latest mails, for the mailbox of a development run.
    pub async fn newest_mails(&self, limit: i64) -> Result<Vec<Mail>, Error> {
        Ok(self.store.newest_mails(limit).await?)
    }

    /// The current mail texts.
    pub(crate) async fn wording(&self) -> Wording<'_> {
        Wording { app: self, product: self.product_settings().await }
    }

    /// Merge fields available in every mail; `path` is where its link leads.
    fn common_filling(&self, first_name: &str, program: Program, path: &str) -> Filling {
        let settings = &self.settings;
        vec![
            (MergeField::FirstName, Sentence::plain(first_name)),
            (MergeField::Program, program.name()),
            (MergeField::Link, Sentence::plain(format!("{}{path}", settings.public_url))),
            (MergeField::ContactEmail, Sentence::plain(&settings.contact_email)),
            (MergeField::Institute, Sentence::plain(&settings.institute)),
        ]
    }
}

impl Wording<'_> {
    /// Writes a mail in the applicant's language, with the merge fields specific to it.
    fn write(
        &self,
        applicant: &Applicant,
        kind: MailKind,
        program: Program,
        path: &str,
        own: impl IntoIterator<Item = (MergeField, Sentence)>,
    ) -> NewMail {
        let app = self.app;
        let mut filling = app.common_filling(&applicant.profile.first_name, program, path);
        filling.extend(own);
        let language = applicant.profile.language;
        let written = self.product.mails.write(kind, language, &filling);
        let paragraphs = paragraphs(written.parts, &format!("{}{path}", app.settings.public_url));
        let mail = compose(app, &applicant.email, language, kind.template(), words(&written.subject), &paragraphs);
        NewMail { applicant_id: Some(applicant.id.clone()), ..mail }
    }
}

/// "Your application is started", with a link to it.
pub fn application_started(wording: &Wording<'_>, applicant: &Applicant, program: Program) -> NewMail {
    wording.write(applicant, MailKind::ApplicationStarted, program, &application(program), [])
}

/// An application was moved here, with a link to set a password.
pub fn application_imported(wording: &Wording<'_>, applicant: &Applicant, program: Program) -> NewMail {
    wording.write(applicant, MailKind::ApplicationImported, program, &set_password(program), [])
}

/// An abandoned draft will be deleted, and until when it can be continued.
pub fn draft_expires(wording: &Wording<'_>, applicant: &Applicant, program: Program, last_day: Date) -> NewMail {
    let own = [(MergeField::Date, moments::loose_date(last_day))];
    wording.write(applicant, MailKind::DraftExpires, program, &application(program), own)
}

/// "We have your application", with its number.
pub fn application_received(
    wording: &Wording<'_>,
    applicant: &Applicant,
    program: Program,
    reference: &str,
) -> NewMail {
    let own = [(MergeField::Reference, Sentence::plain(reference))];
    wording.write(applicant, MailKind::ApplicationReceived, program, "/schedule", own)
}

/// The changes that staff request, with the deadline.
pub fn changes_requested(
    wording: &Wording<'_>,
    applicant: &Applicant,
    program: Program,
    request: &ChangeRequest,
) -> NewMail {
    let own = [
        (MergeField::Message, Sentence::plain(&request.message)),
        (MergeField::Sections, Sentence::list(request.sections.iter().map(|section| section.title()))),
        (MergeField::Date, moments::loose_date(request.due_on)),
    ];
    wording.write(applicant, MailKind::ChangesRequested, program, &application(program), own)
}

/// A request for changes was cancelled.
pub fn changes_dropped(wording: &Wording<'_>, applicant: &Applicant, program: Program) -> NewMail {
    wording.write(applicant, MailKind::ChangesDropped, program, DASHBOARD, [])
}

/// The changed application has arrived.
pub fn changes_received(wording: &Wording<'_>, applicant: &Applicant, program: Program) -> NewMail {
    wording.write(applicant, MailKind::ChangesReceived, program, DASHBOARD, [])
}

/// The confirmation of a withdrawal, with a link to undo it.
pub fn application_withdrawn(wording: &Wording<'_>, applicant: &Applicant, program: Program) -> NewMail {
    wording.write(applicant, MailKind::ApplicationWithdrawn, program, DASHBOARD, [])
}

/// The confirmation that a withdrawal is undone.
pub fn withdrawal_undone(wording: &Wording<'_>, applicant: &Applicant, program: Program) -> NewMail {
    wording.write(applicant, MailKind::WithdrawalUndone, program, DASHBOARD, [])
}

/// "Please send a document", in the words of a member of staff, with the deadline.
pub fn document_asked(
    wording: &Wording<'_>,
    applicant: &Applicant,
    program: Program,
    document: Sentence,
    words: &str,
    due_on: Date,
) -> NewMail {
    let own = [
        (MergeField::Document, document),
        (MergeField::Message, Sentence::plain(words)),
        (MergeField::Date, moments::loose_date(due_on)),
    ];
    wording.write(applicant, MailKind::DocumentAsked, program, "/dashboard/documents", own)
}

/// "Please send a document again", with the reason.
pub fn document_needed_again(
    wording: &Wording<'_>,
    applicant: &Applicant,
    program: Program,
    document: Sentence,
    reason: Sentence,
) -> NewMail {
    let own = [(MergeField::Document, document), (MergeField::Reason, reason)];
    wording.write(applicant, MailKind::DocumentNeededAgain, program, "/dashboard/documents", own)
}

/// A document requested again is not needed after all.
pub fn document_in_order(
    wording: &Wording<'_>,
    applicant: &Applicant,
    program: Program,
    document: Sentence,
) -> NewMail {
    let own = [(MergeField::Document, document)];
    wording.write(applicant, MailKind::DocumentInOrder, program, "/dashboard/documents", own)
}

/// A referee has sent their reference.
pub fn reference_received(wording: &Wording<'_>, applicant: &Applicant, program: Program, referee: &str) -> NewMail {
    let own = [(MergeField::Referee, Sentence::plain(referee))];
    wording.write(applicant, MailKind::ReferenceReceived, program, REFERENCES, own)
}

/// A referee gives no reference.
pub fn reference_declined(wording: &Wording<'_>, applicant: &Applicant, program: Program, referee: &str) -> NewMail {
    let own = [(MergeField::Referee, Sentence::plain(referee))];
    wording.write(applicant, MailKind::ReferenceDeclined, program, REFERENCES, own)
}

/// Staff have written in the conversation.
pub fn message_written(wording: &Wording<'_>, applicant: &Applicant, program: Program) -> NewMail {
    wording.write(applicant, MailKind::MessageWritten, program, "/dashboard/messages", [])
}

const DASHBOARD: &str = "/dashboard";
const REFERENCES: &str = "/dashboard/references";

/// Where somebody asks for a link to set a password.
fn set_password(program: Program) -> String {
    format!("/{}/apply?dialog=forgot", program.path())
}

fn application(program: Program) -> String {
    format!("/{}/application", program.path())
}

/// A message from staff, in their own words.
pub fn from_office(app: &App, applicant: &Applicant, subject: &str, text: &str) -> NewMail {
    let url = format!("{}/dashboard/messages", app.settings.public_url);
    let paragraphs: Vec<Sentence> = paragraphs_of(text).collect();
    let link = Some((text!("See your messages"), url.as_str()));
    write(app, applicant, "from-office", Sentence::plain(subject), &paragraphs, link)
}

/// Splits typed text into paragraphs.
fn paragraphs_of(text: &str) -> impl Iterator<Item = Sentence> {
    text.split("\n\n").map(str::trim).filter(|part| !part.is_empty()).map(Sentence::plain)
}

/// The link to reset a password.
pub fn reset_password(app: &App, applicant: &Applicant, secret: &str) -> NewMail {
    let url = format!("{}/reset-password?token={secret}", app.settings.public_url);
    write_with_secret(
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
            text!("If it was not you, you do not need to do anything: your password stays as it is."),
        ],
        (text!("Choose a new password"), &url),
        &[
            text!("Someone asked to reset the password of your account. The link is only in the email."),
            text!("If it was not you, you do not need to do anything: your password stays as it is."),
        ],
    )
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

/// Seals `mail`, which contains a secret, until it is sent. `redacted` is what remains of it and is shown in the
/// product.
pub(crate) fn with_secret(app: &App, mail: NewMail, redacted: NewMail) -> NewMail {
    let sealed = SealedMail { text: mail.text, html: mail.html }.seal(&*app.sealing, &mail.id);
    NewMail {
        message: Some(redacted.text.clone()),
        text: redacted.text,
        html: redacted.html,
        sealed: Some(sealed),
        ..mail
    }
}

/// A mail with a link that works once. `redacted` holds the paragraphs that are kept.
pub(crate) fn write_with_secret(
    app: &App,
    applicant: &Applicant,
    template: &'static str,
    subject: Sentence,
    paragraphs: &[Sentence],
    link: (Sentence, &str),
    redacted: &[Sentence],
) -> NewMail {
    let mail = write(app, applicant, template, subject.clone(), paragraphs, Some(link));
    with_secret(app, mail, write(app, applicant, template, subject, redacted, None))
}

/// A mail with these paragraphs, and a link as a button.
pub(crate) fn write(
    app: &App,
    applicant: &Applicant,
    template: &'static str,
    subject: Sentence,
    paragraphs: &[Sentence],
    link: Option<(Sentence, &str)>,
) -> NewMail {
    let language = applicant.profile.language;
    let paragraphs = spoken(language, &greeting(applicant), paragraphs, link);
    let mail = compose(app, &applicant.email, language, template, subject.in_language(language), &paragraphs);
    NewMail { applicant_id: Some(applicant.id.clone()), ..mail }
}

/// The hash of the ends of the record's chains, for the operator's archive.
pub(crate) fn record_anchored(app: &App, to: &str, anchor: &Anchor, object: &str, hash: &str) -> NewMail {
    let lines: i64 = anchor.ends.iter().map(|end| end.position).sum();
    let (moment, chains) = (anchor.taken_at.strftime("%Y-%m-%d at %H:%M UTC"), anchor.ends.len());
    let what = Sentence::plain(format!(
        "On {moment}, the record of who did what had {lines} lines in {chains} chains. Their ends are in the storage, as {object}."
    ));
    let paragraphs = [
        Sentence::plain(format!("Its SHA-256 is\n{hash}")),
        Sentence::plain(
            "Keep this mail. “matricula doctor --anchor FILE” tells whether any of these lines was lost or written anew since, and \
             the SHA-256 of the file, which must be this one.",
        ),
    ];
    let subject = Sentence::plain(format!("Record of {}", anchor.taken_at.strftime("%Y-%m-%d")));
    let paragraphs = spoken(Language::En, &what, &paragraphs, None);
    compose(app, to, Language::En, "record-anchored", subject.in_language(Language::En), &paragraphs)
}

/// A mail to staff, in English.
pub(crate) fn write_to_staff(
    app: &App,
    to: &str,
    greeting: &str,
    template: &'static str,
    subject: &str,
    paragraphs: &[&str],
    link: Option<(&str, &str)>,
) -> NewMail {
    let plain = |text: &str| Sentence::plain(text);
    let paragraphs: Vec<Sentence> = paragraphs.iter().map(|paragraph| plain(paragraph)).collect();
    let paragraphs = spoken(Language::En, &plain(greeting), &paragraphs, link.map(|(label, url)| (plain(label), url)));
    compose(app, to, Language::En, template, subject.to_owned(), &paragraphs)
}

/// A mail's content between subject and signature.
enum Paragraph {
    Words(String),
    Button { label: String, url: String },
}

/// Turns sentences into paragraphs, between a greeting and a link.
fn spoken(
    language: Language,
    greeting: &Sentence,
    paragraphs: &[Sentence],
    link: Option<(Sentence, &str)>,
) -> Vec<Paragraph> {
    let words = |sentence: &Sentence| Paragraph::Words(sentence.in_language(language));
    let button =
        |(label, url): (Sentence, &str)| Paragraph::Button { label: label.in_language(language), url: url.to_owned() };
    std::iter::once(greeting).chain(paragraphs).map(words).chain(link.map(button)).collect()
}

/// Turns filled-in parts into paragraphs.
fn paragraphs(parts: Vec<Part>, url: &str) -> Vec<Paragraph> {
    let paragraph = |part: Part| match part {
        Part::Words(runs) => Paragraph::Words(words(&runs)),
        Part::Button(runs) => Paragraph::Button { label: words(&runs), url: url.to_owned() },
    };
    parts.into_iter().map(paragraph).collect()
}

/// Composes a mail to any address.
fn compose(
    app: &App,
    to: &str,
    language: Language,
    template: &'static str,
    subject: String,
    paragraphs: &[Paragraph],
) -> NewMail {
    let escaped = |sentence: &Sentence| escape(&sentence.in_language(language));
    let mut body = String::new();
    for paragraph in paragraphs {
        match paragraph {
            Paragraph::Words(words) => body.push_str(&format!("<p>{}</p>", escape(words).replace('\n', "<br>"))),
            Paragraph::Button { label, url } => {
                let (label, url) = (escape(label), escape(url));
                let otherwise = escaped(&text!("If the button does not work, copy this address into your browser:"));
                body.push_str(&format!(
                    "<p><a href=\"{url}\" style=\"display:inline-block;padding:15px 30px;border-radius:2px;\
                     background:#48433b;color:#ffffff;text-decoration:none;font-family:sans-serif\">{label}</a></p>\
                     <p style=\"font-size:14px\">{otherwise}<br>{url}</p>"
                ));
            }
        }
    }
    let html = format!(
        "<!doctype html><html lang=\"{}\"><head><meta charset=\"utf-8\"><title>{}</title></head>\
         <body style=\"margin:0;padding:32px 16px;background:#f6f2ea;color:#3a4350;font:18px/28px Georgia,serif\">\
         <div style=\"max-width:560px;margin:0 auto\">{body}<p>{}<br>{}</p></div></body></html>",
        language.as_str(),
        escape(&subject),
        escaped(&signature(app)),
        escape(&app.settings.contact_email)
    );
    NewMail {
        id: app.random.id(),
        applicant_id: None,
        about: None,
        template,
        to: to.to_owned(),
        subject,
        text: as_text(app, language, paragraphs),
        html,
        attachment: None,
        message: None,
        sealed: None,
        unsubscribe_url: None,
        created_at: app.clock.now(),
    }
}

/// The same content as plain text.
fn as_text(app: &App, language: Language, paragraphs: &[Paragraph]) -> String {
    let mut text = String::new();
    for paragraph in paragraphs {
        match paragraph {
            Paragraph::Words(words) => text.push_str(&format!("{words}\n\n")),
            Paragraph::Button { label, url } => text.push_str(&format!("{label}:\n{url}\n\n")),
        }
    }
    let signature = signature(app).in_language(language);
    text.push_str(&format!("{signature}\n{}\n", app.settings.contact_email));
    text
}

fn greeting(applicant: &Applicant) -> Sentence {
    text!("Dear {firstName},", firstName = &applicant.profile.first_name)
}

fn signature(app: &App) -> Sentence {
    text!("Admissions, {institute}", institute = &app.settings.institute)
}

/// Escapes text for HTML.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
