//! Changes that staff request from an applicant after the submission, and cancelling such a request.

use jiff::civil::Date;
use serde_json::json;

use crate::applications::acts::{Actor, Command, Preconditions};
use crate::error::Error;
use crate::{App, mails};
use domain::application::{Application, ApplicationKey, ChangeRequest, Section};
use domain::body;
use domain::body::{day, lines, required, wrong};
use domain::input::{FieldError, Input};
use domain::staff::Staff;
use domain::status::{Act, Facts, Stage};
use store::{Stored, Transition};

/// Maximum number of characters in a request.
const MAX_MESSAGE_LENGTH: usize = 2000;

body! {
    /// A request for changes to an application, with a deadline.
    pub struct ChangesRequest {
        /// The sections to reopen for changes.
        #[schema(value_type = Vec<String>, min_items = 1, example = json!(["education", "employment"]))]
        sections: Vec<Section> = sections,
        /// Up to 2,000 characters.
        #[schema(example = "Please add your last employer.")]
        message: String = message,
        /// The last day for the changes.
        #[schema(value_type = String, format = Date)]
        due_on: Date = |path: &str, input: Option<&Input>| {
            day(input).ok_or_else(|| wrong(path, "invalid", "Enter a date like 2026-05-31."))
        },
    }
}

fn sections(path: &str, input: Option<&Input>) -> Result<Vec<Section>, FieldError> {
    let Some(Input::List(items)) = input.filter(|input| **input != Input::List(Vec::new())) else {
        return Err(wrong(path, "required", "Choose at least one section."));
    };
    let mut sections = Vec::new();
    for item in items {
        let section = match item {
            Input::Text(slug) => Section::parse(slug),
            _ => None,
        };
        let section = section.ok_or_else(|| wrong(path, "unknown", "Choose sections from the list."))?;
        if !sections.contains(&section) {
            sections.push(section);
        }
    }
    Ok(sections)
}

fn message(path: &str, input: Option<&Input>) -> Result<String, FieldError> {
    let text = required(lines("The text", MAX_MESSAGE_LENGTH), "Say what is to be changed.");
    text(path, input.filter(|input| matches!(input, Input::Text(_))))
}

impl App {
    /// Reopens some sections of a submitted application. The snapshot stands until it is submitted again.
    ///
    /// # Errors
    /// [`Error::NotAllowed`] for staff who do not review, a day that is not in the future, or an application that is
    /// not submitted; [`Error::Stale`], [`Refusal::NoApplication`](crate::Refusal::NoApplication).
    pub async fn request_changes(
        &self,
        staff: &Staff,
        key: ApplicationKey<'_>,
        asked: ChangesRequest,
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

    /// Cancels the request: what was submitted stands again, without later changes.
    ///
    /// # Errors
    /// [`Error::NotAllowed`], [`Error::Stale`], [`Refusal::NoApplication`](crate::Refusal::NoApplication).
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

    /// The changes requested from the applicant, if the application awaits them.
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
        let parse = |value: serde_json::Value| ChangesRequest::parse(&Input::from(value));
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
