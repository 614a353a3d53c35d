//! Acts of one application, done to several: each by itself, in a transaction of its own, and what became of each. One that
//! cannot be done leaves the others alone, and the same form once more does nothing twice.

use super::App;
use super::dossiers::{Dossier, Letter};
use super::error::{Error, Refusal};
use super::listings::not_too_many;
use super::mails;
use super::ports::{ApplicationKey, Decision, DraftSeen, StaffSession};
use crate::domain::decision::Draft;
use crate::domain::input::{FieldError, Input};
use crate::domain::merging::{MailField, fill};
use crate::domain::permission::Permission;
use crate::domain::sentence::Sentence;

/// Mails that are shown before all are sent.
const SAMPLES: usize = 3;

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

impl Mailing {
    /// # Errors
    /// Those of a [`Letter`], `subject.field`, `text.field` for fields that there are not.
    pub fn parse(input: &Input) -> Result<Mailing, Vec<FieldError>> {
        let letter = Letter::parse(input)?;
        let unknown = |path: &str, text: &str| {
            let name = fill(text, |name| MailField::parse(name).map(|_| String::new())).err()?;
            let name: String = name.chars().take(40).collect();
            let fields = MailField::ALL.map(|field| format!("{{{}}}", field.as_str())).join(", ");
            let sentence = format!("There is no field “{{{name}}}”. There are {fields}.");
            Some(FieldError::new(path, format!("{path}.field"), Sentence::plain(sentence)))
        };
        let errors: Vec<FieldError> =
            [unknown("subject", &letter.subject), unknown("text", &letter.text)].into_iter().flatten().collect();
        if errors.is_empty() { Ok(Mailing(letter)) } else { Err(errors) }
    }

    fn letter_to(&self, dossier: &Dossier) -> Letter {
        let Dossier { applicant, application, .. } = dossier;
        let profile = &applicant.profile;
        let value = |name: &str| {
            Some(match MailField::parse(name)? {
                MailField::FirstName => profile.first_name.clone(),
                MailField::LastName => profile.last_name.clone(),
                MailField::Reference => application.reference.clone().unwrap_or_default(),
                MailField::Program => application.program.name().in_language(profile.language),
            })
        };
        let told = |text: &str| fill(text, value).expect("every field was looked at by `parse`");
        Letter { subject: told(&self.0.subject), text: told(&self.0.text) }
    }
}

impl App {
    /// The mails that the first of these applicants would get. Nothing is kept.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`], more applications than can be acted on at once.
    pub async fn preview_mailing(
        &self,
        who: &StaffSession,
        ids: &[String],
        mailing: &Mailing,
    ) -> Result<Vec<Sample>, Error> {
        who.staff.permit(Permission::WriteToApplicants)?;
        not_too_many(ids)?;
        let mut samples = Vec::new();
        for id in ids {
            let dossier = match self.dossier(who, id).await {
                Ok(dossier) if !dossier.applicant.email.is_empty() => dossier,
                Ok(_) | Err(Error::Refused(Refusal::ApplicationNotFound)) => continue,
                Err(error) => return Err(error),
            };
            let letter = mailing.letter_to(&dossier);
            let mail = mails::from_office(self, &dossier.applicant, &letter.subject, &letter.text);
            samples.push(Sample { name: dossier.name(), subject: mail.subject, text: mail.text });
            if samples.len() == SAMPLES {
                break;
            }
        }
        Ok(samples)
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
    fn a_mailing_has_known_fields_only() {
        let parse = |subject: &str, text: &str| {
            Mailing::parse(&Input::from(json!({ "subject": subject, "text": text })))
                .map_err(|errors| errors.into_iter().map(|error| error.code).collect::<Vec<_>>())
        };
        assert!(parse("About {reference}", "{firstName} {lastName}, {program}").is_ok());
        assert_eq!(parse("", "{nickname}").unwrap_err(), ["subject.required"]);
        assert_eq!(parse("{password}", "Dear {firstName").unwrap_err(), ["subject.field", "text.field"]);
    }
}
