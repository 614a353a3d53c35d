//! Acts of one application, done to several: each by itself, in a transaction of its own, and what became of each. One that
//! cannot be done leaves the others alone, and the same form once more does nothing twice.

use jiff::civil::Date;
use serde_json::json;

use super::App;
use super::documents::matter_at;
use super::dossiers::{Dossier, Letter};
use super::error::{Error, Refusal};
use super::listings::not_too_many;
use super::mails;
use super::ports::{ApplicationKey, Decision, DraftSeen, NewMail, StaffSession};
use crate::domain::body::day;
use crate::domain::decision::Draft;
use crate::domain::documents::{SlotKind, SlotState, of_answers};
use crate::domain::input::{FieldError, Input, several_lines, unknown_fields};
use crate::domain::merging::{OF_APPLICANT, fill, pieces, words};
use crate::domain::permission::Permission;
use crate::domain::sentence::Sentence;

/// Most characters of what is said about a document that is asked for.
const MAX_ASKING_LENGTH: usize = 1000;

/// What became of one application of several.
#[derive(Debug)]
pub struct RowResult<T> {
    pub application_id: String,
    pub result: Result<T, Error>,
}

/// A letter whose fields stand for something of each applicant.
#[derive(Debug, Clone)]
pub struct Mailing(Letter);

/// A mail as one of the applicants would get it.
#[derive(Debug, Clone)]
pub struct Sample {
    /// Whose it is.
    pub name: String,
    pub subject: String,
    pub text: String,
}

/// A document that several applicants are asked for, in the same words and by the same day.
#[derive(Debug, Clone)]
pub struct DocumentAsked {
    slot: SlotKind,
    text: String,
    due_on: Date,
}

/// Why somebody is not asked for a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotAsked {
    /// Nothing is waited for at the application's stage.
    Stage,
    /// The answers do not call for it.
    NotCalledFor,
    /// It was sent, or is being sent. What was sent is returned by itself, with a reason.
    There,
    Waived,
}

impl NotAsked {
    /// Stable and machine-readable.
    pub fn code(self) -> &'static str {
        match self {
            NotAsked::Stage => "document.stage",
            NotAsked::NotCalledFor => "document.not_called_for",
            NotAsked::There => "document.there",
            NotAsked::Waived => "document.waived",
        }
    }

    pub fn sentence(self) -> &'static str {
        match self {
            NotAsked::Stage => "No document is waited for at this stage.",
            NotAsked::NotCalledFor => "The answers do not call for this document.",
            NotAsked::There => "It was sent already: look at it in the application.",
            NotAsked::Waived => "It is waived for this applicant.",
        }
    }
}

/// That somebody has typed how many applicants are written to.
///
/// # Errors
/// `count.other`
pub fn confirmed(ids: &[String], typed: Option<usize>) -> Result<(), FieldError> {
    if typed == Some(ids.len()) {
        return Ok(());
    }
    let sentence = format!("Type {} to confirm how many applicants are written to.", ids.len());
    Err(FieldError::new("count", "count.other", Sentence::plain(sentence)))
}

impl DocumentAsked {
    /// # Errors
    /// `document.required`, `text.required`…, `dueOn.invalid`, `dueOn.past`, unknown fields.
    fn parse(input: &Input, today: Date) -> Result<DocumentAsked, Vec<FieldError>> {
        let entries = input.entries()?;
        let mut errors: Vec<FieldError> = unknown_fields(entries, &["document", "text", "dueOn"]).collect();
        let given = |name: &str| match Input::get(entries, name) {
            Some(Input::Text(text)) => text.as_str(),
            _ => "",
        };
        let slot = of_answers().find(|slot| slot.name() == given("document")).map(|slot| slot.kind);
        if slot.is_none() {
            errors.push(FieldError::new("document", "document.required", "Choose the document."));
        }
        let text = several_lines("text", "The text", Input::get(entries, "text"), MAX_ASKING_LENGTH);
        let required = || FieldError::new("text", "text.required", "Say what is needed, and why.");
        let text = text.and_then(|text| text.ok_or_else(required)).map_err(|error| errors.push(error)).ok();
        let due_on = day(Input::get(entries, "dueOn"));
        match due_on {
            None => errors.push(FieldError::new("dueOn", "dueOn.invalid", "Enter a date like 2026-05-31.")),
            Some(day) if day <= today => {
                errors.push(FieldError::new("dueOn", "dueOn.past", "Choose a day that is still to come."));
            }
            Some(_) => {}
        }
        match (slot, text, due_on) {
            (Some(slot), Some(text), Some(due_on)) if errors.is_empty() => Ok(DocumentAsked { slot, text, due_on }),
            _ => Err(errors),
        }
    }
}

impl Mailing {
    /// # Errors
    /// Those of a [`Letter`], `subject.field`, `text.field` for fields that there are not, `subject.brace`, `text.brace`.
    pub fn parse(input: &Input) -> Result<Mailing, Vec<FieldError>> {
        let letter = Letter::parse(input)?;
        let odd = |path: &str, text: &str| {
            let (rule, sentence) = pieces(text, &OF_APPLICANT).err()?;
            Some(FieldError::new(path, format!("{path}.{rule}"), Sentence::plain(sentence)))
        };
        let errors: Vec<FieldError> =
            [odd("subject", &letter.subject), odd("text", &letter.text)].into_iter().flatten().collect();
        if errors.is_empty() { Ok(Mailing(letter)) } else { Err(errors) }
    }

    fn letter_to(&self, dossier: &Dossier) -> Letter {
        let value = |field| dossier.merge_value(field);
        let told = |text: &str| words(&fill(text, &OF_APPLICANT, value).expect("every field was looked at by `parse`"));
        Letter { subject: told(&self.0.subject), text: told(&self.0.text) }
    }
}

impl App {
    /// The mail that each of these applicants would get, or why there is none. Nothing is kept.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`], more applications than can be acted on at once.
    pub async fn preview_mailing(
        &self,
        who: &StaffSession,
        ids: &[String],
        mailing: &Mailing,
    ) -> Result<Vec<RowResult<Sample>>, Error> {
        who.staff.permit(Permission::WriteToApplicants)?;
        each(ids, move |id| async move {
            let dossier = self.dossier(who, id).await?;
            if dossier.applicant.email.is_empty() {
                return Err(Refusal::NobodyToWriteTo.into());
            }
            let letter = mailing.letter_to(&dossier);
            let mail = mails::from_office(self, &dossier.applicant, &letter.subject, &letter.text);
            Ok(Sample { name: dossier.name(), subject: mail.subject, text: mail.text })
        })
        .await
    }

    /// Writes to several applicants; of each, whether it was now. The same `key` writes to each once.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`], more applications than can be acted on at once.
    pub async fn write_to_applicants(
        &self,
        who: &StaffSession,
        ids: &[String],
        key: &str,
        mailing: &Mailing,
    ) -> Result<Vec<RowResult<bool>>, Error> {
        who.staff.permit(Permission::WriteToApplicants)?;
        each(ids, move |id| async move {
            let dossier = self.dossier(who, id).await?;
            self.write_letter(who, &dossier, &format!("{key}-{id}"), &mailing.letter_to(&dossier)).await
        })
        .await
    }

    /// # Errors
    /// `document.required`, `text.required`, `text.too_long`, `dueOn.invalid`, `dueOn.past`…, unknown fields.
    pub fn parse_asking(&self, input: &Input) -> Result<DocumentAsked, Vec<FieldError>> {
        DocumentAsked::parse(input, self.today())
    }

    /// What each of these applicants would be written about a document, or why they are not asked. Nothing is kept.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`], more applications than can be acted on at once.
    pub async fn preview_asking(
        &self,
        who: &StaffSession,
        ids: &[String],
        asked: &DocumentAsked,
    ) -> Result<Vec<RowResult<Result<Sample, NotAsked>>>, Error> {
        who.staff.permit(Permission::ReviewDocuments)?;
        each(ids, move |id| async move {
            let dossier = self.dossier(who, id).await?;
            let mail = self.asking_mail(&dossier, asked).await?;
            Ok(mail.map(|mail| Sample { name: dossier.name(), subject: mail.subject, text: mail.text }))
        })
        .await
    }

    /// Asks several applicants for a document that they have not sent; of each, whether it was now. The same `key` asks
    /// each once.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`], more applications than can be acted on at once.
    pub async fn ask_for_document(
        &self,
        who: &StaffSession,
        ids: &[String],
        key: &str,
        asked: &DocumentAsked,
    ) -> Result<Vec<RowResult<Result<bool, NotAsked>>>, Error> {
        who.staff.permit(Permission::ReviewDocuments)?;
        each(ids, move |id| async move {
            let dossier = self.dossier(who, id).await?;
            let mail = match self.asking_mail(&dossier, asked).await? {
                Ok(mail) => NewMail { id: format!("{key}-{id}"), ..mail },
                Err(why) => return Ok(Err(why)),
            };
            let detail = json!({ "slot": asked.slot.as_str(), "dueOn": asked.due_on, "mail": mail.id });
            let audit = self.about_application(who, id, "document.asked", detail);
            self.write_once(&mail, &audit).await.map(Ok)
        })
        .await
    }

    async fn asking_mail(&self, dossier: &Dossier, asked: &DocumentAsked) -> Result<Result<NewMail, NotAsked>, Error> {
        let Dossier { applicant, application, .. } = dossier;
        if applicant.email.is_empty() {
            return Err(Refusal::NobodyToWriteTo.into());
        }
        if !matter_at(application.stage) {
            return Ok(Err(NotAsked::Stage));
        }
        let documents = self.documents_of(&applicant.id, application).await?;
        let Some(view) = documents.slots.iter().find(|view| view.slot.kind == asked.slot) else {
            return Ok(Err(NotAsked::NotCalledFor));
        };
        Ok(match view.state {
            SlotState::Needed | SlotState::Replace => {
                let (program, label) = (application.program, view.slot.label.clone());
                let wording = self.wording().await;
                Ok(mails::document_asked(&wording, applicant, program, label, &asked.text, asked.due_on))
            }
            SlotState::Uploading | SlotState::Checking | SlotState::Received | SlotState::Accepted => {
                Err(NotAsked::There)
            }
            SlotState::Waived => Err(NotAsked::Waived),
        })
    }

    /// The decisions that drafts of the same kind would be, with the letter of each. Nothing is kept.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`], more applications than can be acted on at once.
    pub async fn preview_drafts(
        &self,
        who: &StaffSession,
        ids: &[String],
        draft: &Draft,
    ) -> Result<Vec<RowResult<Decision>>, Error> {
        who.staff.permit(Permission::Decide)?;
        each(ids, move |id| async move {
            self.office_application(who, id, Permission::Decide).await?;
            let decision = self.preview_decision(&who.staff, ApplicationKey::Id(id), draft.clone()).await?;
            let is_free = self.drafted(id).await?.is_none() || self.kept_before(&who.staff, &decision).await?.is_some();
            if is_free { Ok(decision) } else { Err(Refusal::DraftChanged.into()) }
        })
        .await
    }

    /// Drafts the same decision on several applications. One that has another draft keeps it.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`], more applications than can be acted on at once.
    pub async fn draft_decisions(
        &self,
        who: &StaffSession,
        ids: &[String],
        draft: &Draft,
    ) -> Result<Vec<RowResult<Decision>>, Error> {
        who.staff.permit(Permission::Decide)?;
        each(ids, move |id| async move {
            self.office_application(who, id, Permission::Decide).await?;
            self.draft_decision(&who.staff, ApplicationKey::Id(id), draft.clone(), DraftSeen::None).await
        })
        .await
    }
}

async fn each<'a, T, F: Future<Output = Result<T, Error>>>(
    ids: &'a [String],
    act: impl Fn(&'a str) -> F,
) -> Result<Vec<RowResult<T>>, Error> {
    not_too_many(ids)?;
    let mut results = Vec::with_capacity(ids.len());
    for id in ids {
        results.push(RowResult { application_id: id.clone(), result: act(id).await });
    }
    Ok(results)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_document_is_asked_for_with_a_text_and_a_day_to_come() {
        let today = jiff::civil::date(2026, 5, 4);
        let parse = |document: &str, text: &str, due_on: &str| {
            let input = Input::from(json!({ "document": document, "text": text, "dueOn": due_on }));
            let codes = |errors: Vec<FieldError>| errors.into_iter().map(|error| error.code).collect::<Vec<_>>();
            DocumentAsked::parse(&input, today).map_err(codes)
        };
        assert_eq!(parse("identity", " Please. ", "2026-05-05").unwrap().text, "Please.");
        assert_eq!(
            parse("passport", "", "5 May").unwrap_err(),
            ["document.required", "text.required", "dueOn.invalid"]
        );
        let long = "a".repeat(MAX_ASKING_LENGTH + 1);
        assert_eq!(parse("identity", &long, "2026-05-04").unwrap_err(), ["text.too_long", "dueOn.past"]);
        assert_eq!(parse("question-why", "x", "2026-05-05").unwrap_err(), ["document.required"]);
    }

    #[test]
    fn a_mailing_has_known_fields_only() {
        let parse = |subject: &str, text: &str| {
            Mailing::parse(&Input::from(json!({ "subject": subject, "text": text })))
                .map_err(|errors| errors.into_iter().map(|error| error.code).collect::<Vec<_>>())
        };
        assert!(parse("About {reference}", "{firstName} {lastName}, {program}").is_ok());
        assert_eq!(parse("", "{nickname}").unwrap_err(), ["subject.required"]);
        assert_eq!(parse("{password}", "Dear {firstName").unwrap_err(), ["subject.field", "text.brace"]);
    }
}
