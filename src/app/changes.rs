//! What staff ask an applicant to change after the submission, and taking that back.

use jiff::civil::Date;
use serde_json::json;

use super::acts::{Actor, Command, Preconditions};
use super::error::Error;
use super::ports::{Application, ApplicationKey, ChangeRequest, Staff, Stored, Transition};
use super::{App, mails};
use crate::domain::application::Section;
use crate::domain::input::{FieldError, Input, unknown_fields};
use crate::domain::sentence::Sentence;
use crate::domain::status::{Act, Facts, Stage};

/// Most characters of what is asked.
const MAX_MESSAGE_LENGTH: usize = 2000;

/// What is to be changed, and by when.
#[derive(Debug, Clone)]
pub struct ChangesAsked {
    sections: Vec<Section>,
    message: String,
    due_on: Date,
}

impl ChangesAsked {
    /// # Errors
    /// `sections.required`, `sections.unknown`, `message.required`, `message.too_long`, `message.invalid`,
    /// `dueOn.invalid`, unknown fields.
    pub fn parse(input: &Input) -> Result<ChangesAsked, Vec<FieldError>> {
        let entries = input.entries()?;
        let mut errors: Vec<FieldError> = unknown_fields(entries, &["sections", "message", "dueOn"]).collect();
        let mut fail = |path: &str, rule: &str, message: Sentence| {
            errors.push(FieldError::new(path, format!("{path}.{rule}"), message));
        };
        let mut sections = Vec::new();
        match Input::get(entries, "sections") {
            Some(Input::List(items)) if !items.is_empty() => {
                for item in items {
                    let known = match item {
                        Input::Text(slug) => Section::parse(slug),
                        _ => None,
                    };
                    match known {
                        Some(section) if !sections.contains(&section) => sections.push(section),
                        Some(_) => {}
                        None => fail("sections", "unknown", "Choose sections from the list.".into()),
                    }
                }
            }
            _ => fail("sections", "required", "Choose at least one section.".into()),
        }
        let message = match Input::get(entries, "message") {
            Some(Input::Text(text)) => text.trim().replace("\r\n", "\n"),
            _ => String::new(),
        };
        if message.is_empty() {
            fail("message", "required", "Say what is to be changed.".into());
        } else if message.chars().count() > MAX_MESSAGE_LENGTH {
            fail(
                "message",
                "too_long",
                Sentence::plain(format!("The text must be at most {MAX_MESSAGE_LENGTH} characters.")),
            );
        } else if message.chars().any(|c| c.is_control() && c != '\n') {
            fail("message", "invalid", "The text contains characters that are not allowed.".into());
        }
        let due_on = match Input::get(entries, "dueOn") {
            Some(Input::Text(text)) if text.len() == 10 => text.parse::<Date>().ok(),
            _ => None,
        };
        if due_on.is_none() {
            fail("dueOn", "invalid", "Enter a date like 2026-05-31.".into());
        }
        match due_on {
            Some(due_on) if errors.is_empty() => Ok(ChangesAsked { sections, message, due_on }),
            _ => Err(errors),
        }
    }
}

impl App {
    /// Opens some sections of a submitted application again. The snapshot stands until it is submitted again.
    ///
    /// # Errors
    /// [`Error::NotAllowed`] for staff who do not review, a day that has come, or an application that is not submitted;
    /// [`Error::Stale`], [`Refusal::NoApplication`](super::Refusal::NoApplication).
    pub async fn request_changes(
        &self,
        staff: &Staff,
        key: ApplicationKey<'_>,
        asked: ChangesAsked,
        conditions: Preconditions,
    ) -> Result<Application, Error> {
        let (applicant, application) = self.find_application(key).await?;
        let due_date_ahead = asked.due_on > self.today();
        let facts =
            |_: &Application| Facts { sections_named: !asked.sections.is_empty(), due_date_ahead, ..Facts::default() };
        let request = ChangeRequest {
            id: self.random.id(),
            application_id: application.id.clone(),
            sections: asked.sections.clone(),
            message: asked.message.clone(),
            due_on: asked.due_on,
            created_at: self.clock.now(),
        };
        let wording = self.wording().await;
        let also = |application: &Application, transition: &mut Transition| {
            transition.opens = Some(request.clone());
            transition.mails.push(mails::changes_requested(&wording, &applicant, application.program, &request));
        };
        let slugs: Vec<&str> = request.sections.iter().map(|section| section.slug()).collect();
        let detail = json!({ "sections": slugs, "dueOn": request.due_on });
        let command = Command {
            act: Act::RequestChanges,
            actor: Actor::staff(staff),
            applicant: &applicant,
            facts: &facts,
            detail,
            also: &also,
            conditions,
        };
        Ok(self.act(application, command).await?)
    }

    /// Takes the request back: what was submitted stands again, without what was changed since.
    ///
    /// # Errors
    /// [`Error::NotAllowed`], [`Error::Stale`], [`Refusal::NoApplication`](super::Refusal::NoApplication).
    pub async fn drop_changes(
        &self,
        staff: &Staff,
        key: ApplicationKey<'_>,
        conditions: Preconditions,
    ) -> Result<Application, Error> {
        let (applicant, application) = self.find_application(key).await?;
        let wording = self.wording().await;
        let also = |application: &Application, transition: &mut Transition| {
            transition.restores_snapshot = true;
            transition.mails.push(mails::changes_dropped(&wording, &applicant, application.program));
        };
        let command = Command {
            act: Act::DropChanges,
            actor: Actor::staff(staff),
            applicant: &applicant,
            facts: &|_| Facts::default(),
            detail: json!({}),
            also: &also,
            conditions,
        };
        Ok(self.act(application, command).await?)
    }

    /// What the applicant is asked to change, of an application that waits for that.
    pub async fn change_request(&self, application: &Application) -> Stored<Option<ChangeRequest>> {
        match application.stage {
            Stage::Changes => self.store.change_request(&application.id).await,
            _ => Ok(None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_names_sections_a_text_and_a_day() {
        let parse = |value: serde_json::Value| ChangesAsked::parse(&Input::from(value));
        let asked = parse(json!({
            "sections": ["employment", "about-you", "employment"], "message": " Please.\r\nThanks. ", "dueOn": "2026-06-01"
        }));
        let asked = asked.unwrap();
        assert_eq!(asked.sections, [Section::Employment, Section::AboutYou]);
        assert_eq!(asked.message, "Please.\nThanks.");
        let codes: Vec<String> = parse(json!({"sections": ["check"], "dueOn": "tomorrow", "userId": 1}))
            .unwrap_err()
            .into_iter()
            .map(|error| error.code)
            .collect();
        assert_eq!(codes, ["field.unknown", "sections.unknown", "message.required", "dueOn.invalid"]);
        assert_eq!(parse(json!({"sections": []})).unwrap_err()[0].code, "sections.required");
    }
}
