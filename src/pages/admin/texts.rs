//! The texts of mails and letters to applicants: the lists, and what the page of a text has besides its fields.

use axum::http::StatusCode;
use axum::response::Response;

use super::Office;
use super::settings::{respond, row};
use crate::apply::today;
use crate::page::{FormState, Screen};
use crate::props::office::settings::{AdminTextsProps, TextEditor, TextPart, TextPlace, TextPreview, TextRun};
use crate::{Form, problem};
use domain::decision::Letter;
use domain::language::Language;
use domain::mail::{MailKind, Part};
use domain::merging::{MergeField, Run};
use domain::sentence::Sentence;
use domain::settings::{Setting, Values};

const LANGUAGES: [(Language, &str); 2] = [(Language::En, "English"), (Language::Es, "Spanish")];

/// Mails that cannot be changed: a wrong word in them would cost somebody their account.
const FIXED: [&str; 5] = [
    "Reset your password, and that a password was changed",
    "The change of an email address: asked for, confirmed, stopped",
    "That an account is closed",
    "What somebody of the office writes, which has its own words each time",
    "All emails to colleagues",
];

pub async fn mails(office: Office<'_>, _: &Form) -> Response {
    let intro = "Every email ends with our name and address. What you change is in the next email that is written.";
    list(office, "Emails to applicants", intro, MailKind::all().map(Setting::Mail), FIXED.to_vec()).await
}

pub async fn letters(office: Office<'_>, _: &Form) -> Response {
    let intro = "A letter tells a decision of its own kind and no other. It is written in the applicant’s language when a \
                 decision is drafted: what you change is in the next draft, and drafts and decisions keep their text.";
    list(office, "Letters", intro, Letter::all().map(Setting::Letter), Vec::new()).await
}

async fn list(
    office: Office<'_>,
    title: &'static str,
    intro: &'static str,
    settings: impl Iterator<Item = Setting>,
    fixed: Vec<&'static str>,
) -> Response {
    let now = match office.visit.state.app.settings_now(&office.who.staff).await {
        Ok(now) => now,
        Err(error) => return office.unavailable(&error).await,
    };
    let texts = settings.map(|setting| row(office, &now, setting)).collect();
    office.page(Screen::AdminTexts(AdminTextsProps { title, intro, texts, fixed }), title, StatusCode::OK).await
}

/// Shows what was typed filled in, or sends it as a mail to the user. It stays in the form, and nothing is saved.
pub(super) async fn try_out(
    office: Office<'_>,
    setting: Setting,
    action: &str,
    (typed, seen): (Values, i64),
    form: &Form,
) -> Response {
    let app = &office.visit.state.app;
    let staff = &office.who.staff;
    let tried = match (setting, action) {
        (Setting::Mail(kind), "test:en") => app.send_test_mail(staff, kind, Language::En, &typed).await,
        (Setting::Mail(kind), "test:es") => app.send_test_mail(staff, kind, Language::Es, &typed).await,
        _ => setting.check(today(office.visit), &Values::new(), &typed).map(drop).map_err(Into::into),
    };
    let (state, status) = match tried {
        Ok(()) => {
            let message = match action {
                "preview" => "The preview below is of what you have typed. Nothing is saved yet.".to_owned(),
                _ => format!("A test is on its way to {}. Nothing is saved yet.", staff.email),
            };
            (FormState { message: Some(Sentence::plain(message)), ..FormState::default() }, StatusCode::OK)
        }
        Err(error) => {
            let mut state = form.refused(&error);
            state.values.clear();
            (state, problem::status(&error))
        }
    };
    respond(office, setting, Some((typed, seen)), state, status).await
}

/// Returns what the page of a text has besides its fields, for the values shown; `None` for a setting that is not a
/// text.
pub(super) fn editor(office: Office<'_>, setting: Setting, shown: &Values) -> Option<TextEditor> {
    let app = &office.visit.state.app;
    let checked = || setting.check(today(office.visit), &Values::new(), shown);
    let place = |field: MergeField, needed: bool| TextPlace {
        name: format!("{{{}}}", field.name()),
        meaning: field.meaning(),
        needed,
    };
    match setting {
        Setting::Mail(kind) => Some(TextEditor {
            confidential: kind.is_confidential(),
            fields: kind.fields().into_iter().map(|field| place(field, kind.needs(field))).collect(),
            previews: previews(checked(), |values, language| {
                let written = app.preview_mail(kind, values, language);
                let parts = written.parts.into_iter().map(|part| match part {
                    Part::Words(words) => TextPart { button: false, runs: runs(words) },
                    Part::Button(words) => TextPart { button: true, runs: runs(words) },
                });
                (runs(written.subject), parts.collect())
            }),
            test_to: Some(office.who.staff.email.clone()),
        }),
        Setting::Letter(letter) => Some(TextEditor {
            confidential: false,
            fields: letter.fields().into_iter().map(|field| place(field, letter.needs(field))).collect(),
            previews: previews(checked(), |values, language| {
                let paragraphs = app.preview_letter(letter, values, language).into_iter();
                (Vec::new(), paragraphs.map(|words| TextPart { button: false, runs: runs(words) }).collect())
            }),
            test_to: None,
        }),
        _ => None,
    }
}

/// Returns previews in both languages; none while something is invalid.
fn previews<E>(
    checked: Result<Values, E>,
    written: impl Fn(&Values, Language) -> (Vec<TextRun>, Vec<TextPart>),
) -> Vec<TextPreview> {
    let Ok(values) = checked else { return Vec::new() };
    let preview = |(code, language): (Language, &'static str)| {
        let (subject, parts) = written(&values, code);
        TextPreview { code: code.as_str(), language, subject, parts }
    };
    LANGUAGES.map(preview).into()
}

fn runs(words: Vec<Run>) -> Vec<TextRun> {
    words.into_iter().map(|run| TextRun { text: run.text, sample: run.field.is_some() }).collect()
}
