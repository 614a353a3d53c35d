//! An application's documents, for staff.

use super::Dossier;
use crate::App;
use crate::documents::Documents;
use crate::error::{Error, Refusal};
use domain::documents::{FileState, StoredDocument};
use domain::permission::Permission;
use domain::staff::StaffSession;

impl App {
    /// Lists what the application calls for, and what was sent.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`]
    pub async fn dossier_documents(&self, who: &StaffSession, dossier: &Dossier) -> Result<Documents, Error> {
        who.staff.permit(Permission::Documents)?;
        self.documents_of(&dossier.applicant.id, &dossier.application).await
    }

    /// A kept file of the applicant, for reading.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`], [`Refusal::ApplicationNotFound`], [`Refusal::DocumentNotFound`]
    pub async fn office_document(
        &self,
        who: &StaffSession,
        application_id: &str,
        file_id: &str,
    ) -> Result<StoredDocument, Error> {
        who.staff.permit(Permission::Documents)?;
        let dossier = self.dossier(who, application_id).await?;
        // All files of the applicant, whichever application they were sent for: the id only has to be among them.
        let files = self.store.documents(&dossier.applicant.id).await?;
        let found = files.into_iter().find(|file| file.id == file_id && file.state == FileState::Received);
        Ok(found.ok_or(Refusal::DocumentNotFound)?)
    }
}
