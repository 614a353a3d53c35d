//! Acts on several applications at once: each is done separately, in its own transaction, with its own result. One that
//! fails does not affect the others, and sending the same form again does nothing twice.

use jiff::civil::Date;
use serde_json::json;

use crate::App;
use crate::documents::matter_at;
use crate::error::{Error, Refusal};
use crate::mails;
use crate::office::dossiers::{Dossier, Letter, letter_subject, letter_text};
use crate::office::listings::not_too_many;
use domain::application::ApplicationKey;
use domain::body;
use domain::body::{Read, day, lines, required, wrong};
use domain::decision::{Decision, Draft, DraftSeen};
use domain::documents::{SlotKind, SlotState, of_answers};
use domain::input::{FieldError, Input};
use domain::merging::{OF_APPLICANT, fill, pieces, words};
use domain::permission::Permission;
use domain::sentence::Sentence;
use domain::staff::StaffSession;
use store::NewMail;

/// Maximum number of characters in a request for a document.
const MAX_ASKING_LENGTH: usize = 1000;

/// The result for one of several applications.
#[derive(Debug)]
pub struct RowResult<T> {
    pub application_id: String,
    pub result: Result<T, Error>,
}

body! {
    /// A letter to several applicants, with merge fields.
    pub struct Mailing {
        /// One line of up to 150 characters. `{firstName}`, `{lastName}`, `{reference}` and `{program}` are replaced by
        /// each applicant's own data.
        #[schema(example = "About {reference}")]
        subject: String = merged(letter_subject),
        /// Up to 5,000 characters, with the same merge fields.
        #[schema(example = "Dear {firstName}, our office is closed on Friday.")]
        text: String = merged(letter_text),
    }
}

/// Reads a text that contains only known merge fields.
fn merged(read: impl Read<String>) -> impl Read<String> {
    move |path: &str, input: Option<&Input>| {
        let text = read(path, input)?;
        match pieces(&text, &OF_APPLICANT) {
            Ok(_) => Ok(text),
            Err((rule, sentence)) => Err(wrong(path, rule, Sentence::plain(sentence))),
        }
    }
}

/// A mail as one of the applicants would get it.
#[derive(Debug, Clone)]
pub struct Sample {
    /// The applicant's name.
    pub name: String,
    pub subject: String,
    pub text: String,
}

body! {
    /// A request to several applicants for a document, with the same text and deadline.
    pub struct DocumentAsked given (today: Date) {
        #[schema(value_type = String, example = "identity")]
        document: SlotKind = document,
        /// What is needed and why: up to 1,000 characters.
        #[schema(example = "Both sides, please.")]
        text: String = required(lines("The text", MAX_ASKING_LENGTH), "Say what is needed, and why."),
        /// A day in the future.
        #[schema(value_type = String, format = Date)]
        due_on: Date = |path: &str, input: Option<&Input>| match day(input) {
            None => Err(wrong(path, "invalid", "Enter a date like 2026-05-31.")),
            Some(day) if day <= today => Err(wrong(path, "past", "Choose a day that is still to come.")),
            Some(day) => Ok(day),
        },
    }
}

fn document(path: &str, input: Option<&Input>) -> Result<SlotKind, FieldError> {
    let slot = match input {
        Some(Input::Text(name)) => of_answers().find(|slot| slot.name() == *name),
        _ => None,
    };
    slot.map(|slot| slot.kind).ok_or_else(|| wrong(path, "required", "Choose the document."))
}

/// Why an applicant is not asked for a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotAsked {
    /// No documents are needed at the application's stage.
    Stage,
    /// The answers do not call for it.
    NotCalledFor,
    /// It was already sent, or is being uploaded. Documents already sent are returned separately, with a reason.
    There,
    Waived,
}

impl NotAsked {
    /// The stable, machine-readable code.
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

/// Checks that the caller has typed the number of applicants to write to.
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

impl Mailing {
    fn letter_to(&self, dossier: &Dossier) -> Letter {
        let value = |field| dossier.merge_value(field);
        let filled =
            |text: &str| words(&fill(text, &OF_APPLICANT, value).expect("every field was looked at by `parse`"));
        Letter { subject: filled(&self.subject), text: filled(&self.text) }
    }
}

impl App {
    /// The mail each of these applicants would get, or why there is none. Nothing is stored.
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

    /// Writes to several applicants; the result says for each whether it was sent by this call. The same `key` writes
    /// to each once.
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

    /// The mail about a document each of these applicants would get, or why they are not asked. Nothing is stored.
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

    /// Asks several applicants for a document they have not sent; the result says for each whether it was sent by this
    /// call. The same `key` asks each once.
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
            let detail = json!({ "slot": asked.document.as_str(), "dueOn": asked.due_on, "mail": mail.id });
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
        let Some(view) = documents.slots.iter().find(|view| view.slot.kind == asked.document) else {
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

    /// The decisions that such drafts would become, with the letter of each. Nothing is stored.
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

    /// Drafts the same decision on several applications. An application with a different draft keeps it.
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
        assert_eq!(parse("", "{nickname}").unwrap_err(), ["subject.required", "text.field"]);
        assert_eq!(parse("{password}", "Dear {firstName").unwrap_err(), ["subject.field", "text.brace"]);
    }
}
