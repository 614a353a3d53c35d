//! Who has an application open. Each page reports its presence when it is loaded, and every few seconds where scripts
//! run; a report counts for a while, whichever process received it.

use super::Dossier;
use crate::App;
use crate::error::Error;
use domain::moments::Millis;
use domain::permission::Permission;
use domain::staff::StaffSession;

/// How long a report counts.
pub const PRESENT: Millis = 30_000;
/// A report is not written again while the last one is this recent: pages ask less often, but people who switch tabs do
/// not.
const NEW: Millis = 5_000;

impl App {
    /// Records that this person is looking at the application, and returns the names of others who are.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`](super::Refusal::RoleForbidden)
    pub async fn look_at(&self, who: &StaffSession, dossier: &Dossier) -> Result<Vec<String>, Error> {
        who.staff.permit(Permission::Applications)?;
        let now = self.clock.now();
        let (id, own) = (&dossier.application.id, &who.staff.id);
        let lookers = self.store.lookers(id, now - PRESENT).await?;
        if !lookers.iter().any(|(looker, at)| looker == own && *at > now - NEW) {
            self.store.look_at(id, own, now).await?;
        }
        let called = |(id, _): &(String, Millis)| {
            let found = dossier.all_staff.iter().find(|one| one.id == *id && id != own);
            found.map(|one| one.called().to_owned())
        };
        Ok(lookers.iter().filter_map(called).collect())
    }

    /// Records that this person has left the application.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`](super::Refusal::RoleForbidden)
    pub async fn look_away(&self, who: &StaffSession, application_id: &str) -> Result<(), Error> {
        who.staff.permit(Permission::Applications)?;
        Ok(self.store.look_away(application_id, &who.staff.id).await?)
    }
}
