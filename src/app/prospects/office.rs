//! The office's list of prospects.

use serde_json::json;

use crate::App;
use crate::error::{Error, Refusal};
use domain::permission::Permission;
use domain::prospect::{Prospect, ProspectPage, ProspectQuery};
use domain::staff::StaffSession;

/// Prospects per page.
pub const PROSPECTS_PAGE: i64 = 50;

impl App {
    /// A page of the list, newest first.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`], as for all of these.
    pub async fn prospects(&self, who: &StaffSession, query: &ProspectQuery) -> Result<ProspectPage, Error> {
        who.staff.permit(Permission::Prospects)?;
        let mut prospects = self.store.prospects(query, Some(PROSPECTS_PAGE + 1)).await?;
        let page = usize::try_from(PROSPECTS_PAGE).unwrap_or_default();
        let has_more = prospects.len() > page;
        prospects.truncate(page);
        let next = prospects.last().filter(|_| has_more).map(|last| format!("{}~{}", last.created_at, last.id));
        let counts = self.store.prospect_counts(self.clock.now()).await?;
        Ok(ProspectPage { prospects, next, counts })
    }

    /// The whole list, to be saved as a file. The record says who did, and by which filters.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`]
    pub async fn export_prospects(&self, who: &StaffSession, query: &ProspectQuery) -> Result<Vec<Prospect>, Error> {
        who.staff.permit(Permission::Prospects)?;
        who.staff.permit(Permission::Export)?;
        let query = ProspectQuery { after: None, ..query.clone() };
        // The search may be somebody's address.
        let filters = query.to_query().into_iter().filter(|(name, _)| *name != "search");
        let filters: Vec<String> = filters.map(|(name, value)| format!("{name}={value}")).collect();
        let detail = json!({ "view": filters.join("&"), "searched": !query.search.is_empty(), "format": "csv" });
        let by = format!("staff:{}", who.staff.id);
        self.store.note(&self.audit_entry(by, "prospects".into(), "prospects.exported", detail)).await?;
        Ok(self.store.prospects(&query, None).await?)
    }

    /// Deletes a prospect, who gets no more mails.
    ///
    /// # Errors
    /// [`Refusal::ProspectNotFound`]
    pub async fn delete_prospect(&self, who: &StaffSession, id: &str) -> Result<(), Error> {
        who.staff.permit(Permission::Prospects)?;
        let by = format!("staff:{}", who.staff.id);
        let audit = self.audit_entry(by, format!("prospect:{id}"), "prospect.deleted", json!({}));
        if self.store.delete_prospect(id, &audit).await? { Ok(()) } else { Err(Refusal::ProspectNotFound.into()) }
    }
}
