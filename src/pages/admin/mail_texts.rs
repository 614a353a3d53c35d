//! The texts of mails to applicants: the list, and what the page of one has besides its fields.

use axum::http::StatusCode;
use axum::response::Response;

use super::super::apply::today;
use super::super::page::{FormState, Screen};
use super::super::{Form, problem};
use super::Office;
use super::props::{AdminMailTextsProps, MailEditor, MailField, MailPart, MailPreview, MailRun};
use super::settings::{answer, row};
use crate::domain::language::Language;
use crate::domain::mail::{MailKind, MergeField, Part, Run};
use crate::domain::sentence::Sentence;
use crate::domain::settings::{Setting, Values};

/// Mails that stay as they are: a wrong word in them would cost somebody their account.
const FIXED: [&str; 5] = [
    "Reset your password, and that a password was changed",
    "The change of an email address: asked for, confirmed, stopped",
    "That an account is closed",
    "What somebody of the office writes, which has its own words each time",
    "All emails to colleagues",
];

pub async fn list(office: Office<'_>, _: &Form) -> Response {
    let now = match office.visit.state.app.settings_now(&office.who.staff).await {
        Ok(now) => now,
        Err(error) => return office.unavailable(&error).await,
    };
    let mails = MailKind::all().map(|kind| row(office, &now, Setting::Mail(kind))).collect();
    let props = AdminMailTextsProps { mails, fixed: FIXED.to_vec() };
    office.page(Screen::AdminMailTexts(props), "Emails to applicants", StatusCode::OK).await
}

/// Shows what was typed as a mail, or sends it to whoever has typed it. It stays in the form, and nothing is saved.
pub(super) async fn try_out(
    office: Office<'_>,
    kind: MailKind,
    action: &str,
    (typed, seen): (Values, i64),
    form: &Form,
) -> Response {
    let setting = Setting::Mail(kind);
    let staff = &office.who.staff;
    let tried = match action {
        "test:en" => office.visit.state.app.send_test_mail(staff, kind, Language::En, &typed).await,
        "test:es" => office.visit.state.app.send_test_mail(staff, kind, Language::Es, &typed).await,
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
    answer(office, setting, Some((typed, seen)), state, status).await
}

/// What the page of a mail has besides its fields, for the texts that are shown in them.
pub(super) fn editor(office: Office<'_>, kind: MailKind, shown: &Values) -> MailEditor {
    let app = &office.visit.state.app;
    let previews = match Setting::Mail(kind).check(today(office.visit), &Values::new(), shown) {
        Ok(values) => [(Language::En, "English"), (Language::Es, "Spanish")]
            .map(|(code, language)| {
                let written = app.preview_mail(kind, &values, code);
                let parts = written.parts.into_iter().map(|part| match part {
                    Part::Words(words) => MailPart { button: false, runs: runs(words) },
                    Part::Button(words) => MailPart { button: true, runs: runs(words) },
                });
                let subject = runs(written.subject);
                MailPreview { code: code.as_str(), language, subject, parts: parts.collect() }
            })
            .into(),
        Err(_) => Vec::new(),
    };
    let field = |field: MergeField| MailField {
        name: format!("{{{}}}", field.name()),
        meaning: field.meaning(),
        needed: kind.needs(field),
    };
    MailEditor {
        confidential: kind.is_confidential(),
        fields: kind.fields().map(field).collect(),
        previews,
        test_to: office.who.staff.email.clone(),
    }
}

fn runs(words: Vec<Run>) -> Vec<MailRun> {
    words.into_iter().map(|run| MailRun { text: run.text, sample: run.field.is_some() }).collect()
}
