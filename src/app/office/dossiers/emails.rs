//! Mails to the applicant, with their delivery status.

use serde_json::json;

use super::Dossier;
use crate::App;
use crate::error::{Error, Refusal};
use crate::mails;
use domain::body;
use domain::body::{lines, required, wrong};
use domain::characters;
use domain::input::{FieldError, Input};
use domain::mail::SentMail;
use domain::permission::Permission;
use domain::staff::StaffSession;
use store::{AuditEntry, NewMail, StoreError};

/// Maximum number of characters in a subject.
const MAX_SUBJECT_LENGTH: usize = 150;
/// Maximum number of characters in a text.
const MAX_TEXT_LENGTH: usize = 5000;
/// Maximum number of mails shown.
const SHOWN: i64 = 200;

body! {
    /// A letter from staff to an applicant.
    pub struct Letter {
        /// One line of up to 150 characters.
        pub(crate) subject: String = letter_subject,
        /// Up to 5,000 characters.
        pub(crate) text: String = letter_text,
    }
}

pub(crate) fn letter_subject(path: &str, input: Option<&Input>) -> Result<String, FieldError> {
    let line = required(lines("The subject", MAX_SUBJECT_LENGTH), "Write a subject.")(path, input)?;
    if line.contains('\n') {
        return Err(wrong(path, "invalid", "The subject must be one line."));
    }
    match characters::refused("The subject", &line) {
        Some(sentence) => Err(wrong(path, "invalid", sentence)),
        None => Ok(line),
    }
}

pub(crate) fn letter_text(path: &str, input: Option<&Input>) -> Result<String, FieldError> {
    required(lines("The text", MAX_TEXT_LENGTH), "Write the text.")(path, input)
}

impl App {
    /// The mails to the applicant, newest first.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`]
    pub async fn mails_to(&self, who: &StaffSession, dossier: &Dossier) -> Result<Vec<SentMail>, Error> {
        who.staff.permit(Permission::WriteToApplicants)?;
        Ok(self.store.mails_to(&dossier.applicant.id, SHOWN).await?)
    }

    /// Writes a letter to the applicant of a dossier. Returns false if the same form already did.
    ///
    /// # Errors
    /// [`Refusal::NobodyToWriteTo`] for a closed account.
    pub(crate) async fn write_letter(
        &self,
        who: &StaffSession,
        dossier: &Dossier,
        key: &str,
        letter: &Letter,
    ) -> Result<bool, Error> {
        if dossier.applicant.email.is_empty() {
            return Err(Refusal::NobodyToWriteTo.into());
        }
        let mail = mails::from_office(self, &dossier.applicant, &letter.subject, &letter.text);
        let mail = NewMail { id: key.to_owned(), ..mail };
        let audit = self.about_application(who, &dossier.application.id, "mail.written", json!({ "mail": mail.id }));
        self.write_once(&mail, &audit).await
    }

    /// Writes a mail. Returns false if one with the same id already exists.
    pub(crate) async fn write_once(&self, mail: &NewMail, audit: &AuditEntry) -> Result<bool, Error> {
        match self.store.write_mail(mail, audit).await {
            Ok(()) => Ok(true),
            Err(StoreError::Taken("mail")) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    /// Resends a mail to the applicant's present address. Mails with a secret are never sent twice, and those being
    /// sent do not need it.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`], [`Refusal::ApplicationNotFound`], [`Refusal::NotToBeResent`],
    /// [`Refusal::AddressUnconfirmed`]
    pub async fn resend_mail(&self, who: &StaffSession, id: &str, mail_id: &str) -> Result<(), Error> {
        who.staff.permit(Permission::WriteToApplicants)?;
        let dossier = self.dossier(who, id).await?;
        let audit = self.about_application(who, id, "mail.resent", json!({ "mail": mail_id }));
        let applicant = &dossier.applicant;
        if applicant.email.is_empty() {
            return Err(Refusal::NobodyToWriteTo.into());
        }
        if applicant.email_confirmed_at.is_none() {
            return Err(Refusal::AddressUnconfirmed.into());
        }
        if self.store.resend_mail(&applicant.id, mail_id, &applicant.email, &audit).await? {
            Ok(())
        } else {
            Err(Refusal::NotToBeResent.into())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_letter_has_a_subject_of_one_line_and_a_text() {
        let parse = |subject: &str, text: &str| {
            Letter::parse(&Input::from(json!({ "subject": subject, "text": text })))
                .map_err(|errors| errors.into_iter().map(|error| error.code).collect::<Vec<_>>())
        };
        let letter = parse(" Your interview ", "One.\r\nTwo.").unwrap();
        assert_eq!((letter.subject.as_str(), letter.text.as_str()), ("Your interview", "One.\nTwo."));
        assert_eq!(parse("", " ").unwrap_err(), ["subject.required", "text.required"]);
        assert_eq!(parse("a\nb", "x").unwrap_err(), ["subject.invalid"]);
        let (long_subject, long_text) = ("a".repeat(MAX_SUBJECT_LENGTH + 1), "a".repeat(MAX_TEXT_LENGTH + 1));
        assert_eq!(parse(&long_subject, &long_text).unwrap_err(), ["subject.too_long", "text.too_long"]);
    }
}
