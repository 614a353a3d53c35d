//! References as staff read them.

use super::Reference;
use crate::App;
use crate::error::{Error, Refusal};
use domain::permission::Permission;
use domain::questionnaire::References;
use domain::referee::{Referee, RefereeState, ReferenceLetter, takes_references};
use domain::staff::StaffSession;

/// An application's references, for staff.
#[derive(Debug, Clone)]
pub struct OfficeReferences {
    /// `None` if the program asks for none.
    pub rules: Option<References>,
    /// In the order in which they were named. Removed ones had been asked.
    pub references: Vec<Reference>,
}

impl OfficeReferences {
    /// How many were received.
    pub fn received(&self) -> i64 {
        self.references.iter().filter(|one| one.referee.state == RefereeState::Received).count() as i64
    }
}

impl App {
    /// The references of an application.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`], [`Refusal::ApplicationNotFound`]
    pub async fn office_references(&self, who: &StaffSession, application_id: &str) -> Result<OfficeReferences, Error> {
        who.staff.permit(Permission::Documents)?;
        let application = self.dossier(who, application_id).await?.application;
        let rules = self.reference_set(&application).await?.references.clone();
        let mut references = Vec::new();
        for referee in self.store.referees(application_id).await? {
            references.push(self.reference(referee, &application).await?);
        }
        Ok(OfficeReferences { rules, references })
    }

    /// The letter of a reference that was received.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`], [`Refusal::ApplicationNotFound`], [`Refusal::RefereeNotFound`]
    pub async fn office_letter(
        &self,
        who: &StaffSession,
        application_id: &str,
        id: &str,
    ) -> Result<ReferenceLetter, Error> {
        who.staff.permit(Permission::Documents)?;
        self.dossier(who, application_id).await?;
        let referee = self.office_referee(application_id, id).await?;
        let letter = referee.letter.filter(|_| referee.state == RefereeState::Received);
        Ok(letter.ok_or(Refusal::RefereeNotFound)?)
    }

    /// Reminds a referee who was asked.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`], [`Refusal::ApplicationNotFound`], [`Refusal::RefereeNotFound`],
    /// [`Refusal::ReferencesClosed`], [`Refusal::RemindedRecently`]
    pub async fn remind_referee(&self, who: &StaffSession, application_id: &str, id: &str) -> Result<(), Error> {
        who.staff.permit(Permission::ReviewDocuments)?;
        self.dossier(who, application_id).await?;
        let referee = self.office_referee(application_id, id).await?;
        let (applicant, application) = self.owner_of(&referee).await?.ok_or(Refusal::ApplicationNotFound)?;
        if referee.state != RefereeState::Asked || !takes_references(application.stage) {
            return Err(Refusal::ReferencesClosed.into());
        }
        let actor = format!("staff:{}", who.staff.id);
        self.remind_by_hand(&referee, &applicant, application.program, actor).await
    }

    async fn office_referee(&self, application_id: &str, id: &str) -> Result<Referee, Error> {
        let referees = self.store.referees(application_id).await?;
        Ok(referees.into_iter().find(|referee| referee.id == id).ok_or(Refusal::RefereeNotFound)?)
    }
}
