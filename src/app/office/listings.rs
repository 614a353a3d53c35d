//! The list of applications: searching it, and recording owners and tags.

use serde_json::json;

use crate::App;
use crate::error::{Error, Refusal};
use domain::clocks::end_of;
use domain::input::FieldError;
use domain::listing::{
    self, Counted, Listing, ListingPage, ListingQuery, Mark, Marked, Order, Tab, View, search_terms,
};
use domain::moments::DAY;
use domain::permission::Permission;
use domain::staff::{Staff, StaffSession, StaffSummary};
use store::StoreError;

/// Maximum number of applications marked at once: a page of the list.
pub const MAX_MARKED: usize = 100;
/// Applications listed per transaction.
const LISTED_AT_ONCE: i64 = 100;
const TASKS_LISTED_AT_ONCE: i64 = 20;
/// Rows of an export per batch.
const EXPORTED_AT_ONCE: i64 = 1000;
/// Number of tags offered for selection.
const TAGS_OFFERED: i64 = 100;

/// A page of a view, and the size of the whole view.
#[derive(Debug, Clone)]
pub struct FoundApplications {
    pub page: ListingPage,
    /// Number of rows in the view, wherever the page starts.
    pub count: Counted,
}

/// The same with the surroundings of the list.
#[derive(Debug, Clone)]
pub struct ListOverview {
    pub found: FoundApplications,
    pub tabs: Vec<(Tab, Counted)>,
    /// Everybody who can own an application.
    pub all_staff: Vec<StaffSummary>,
    pub tags: Vec<String>,
}

/// An authorised export.
#[derive(Debug)]
pub struct Export {
    /// The query for its first rows.
    pub query: ListingQuery,
    pub with_personal_data: bool,
}

/// The result for one marked application.
#[derive(Debug, Clone)]
pub struct MarkResult {
    pub application_id: String,
    pub marked: Marked,
}

/// Parses a view from URL parameters, as far as the caller's role may have it, with errors for what is invalid.
pub fn view_of<'a>(staff: &Staff, query: impl IntoIterator<Item = (&'a str, &'a str)>) -> (View, Vec<FieldError>) {
    let (view, mut errors) = View::parse(query);
    let (view, error) = permitted(staff, view);
    errors.extend(error);
    (view, errors)
}

/// The same from a query string.
pub fn view_of_query(staff: &Staff, query: &str) -> (View, Vec<FieldError>) {
    let pairs: Vec<(String, String)> = url::form_urlencoded::parse(query.as_bytes()).into_owned().collect();
    view_of(staff, pairs.iter().map(|(name, value)| (&**name, &**value)))
}

fn permitted(staff: &Staff, view: View) -> (View, Option<FieldError>) {
    if staff.role.may(Permission::PersonalData) { (view, None) } else { view.without_personal_data() }
}

/// The rows as far as the role may see them.
fn named(who: &StaffSession, rows: Vec<Listing>) -> Vec<Listing> {
    if who.staff.role.may(Permission::PersonalData) {
        return rows;
    }
    rows.into_iter().map(Listing::without_person).collect()
}

/// Checks that this many can be acted on at once.
pub(crate) fn not_too_many(ids: &[String]) -> Result<(), Error> {
    if ids.is_empty() || ids.len() > MAX_MARKED {
        let sentence = "Choose 1 to 100 applications.";
        return Err(Error::Invalid(vec![FieldError::new("id", "id.range", sentence)]));
    }
    Ok(())
}

impl App {
    /// A page of the list for this view.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`]
    pub async fn find_applications(&self, who: &StaffSession, view: &View) -> Result<FoundApplications, Error> {
        who.staff.permit(Permission::Applications)?;
        let query = self.listing_query(who, view);
        let (mut page, count) = self.store.counted_listings(&query).await?;
        page.rows = named(who, page.rows);
        Ok(FoundApplications { page, count })
    }

    /// The same with the tabs and the choices in the list.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`]
    pub async fn list_applications(&self, who: &StaffSession, view: &View) -> Result<ListOverview, Error> {
        Ok(ListOverview {
            found: self.find_applications(who, view).await?,
            tabs: self.store.tab_counts().await?,
            all_staff: self.store.all_staff().await?,
            tags: self.store.tags(TAGS_OFFERED).await?,
        })
    }

    /// The rows of these applications, in list order.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`]
    pub async fn listed_applications(&self, who: &StaffSession, ids: &[String]) -> Result<Vec<Listing>, Error> {
        who.staff.permit(Permission::Applications)?;
        Ok(named(who, self.store.listings_of(&ids[..ids.len().min(MAX_MARKED)]).await?))
    }

    /// Marks several applications in the same way, each separately, and returns a result for each.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`], [`Refusal::StaffNotFound`] for an invalid owner; more than [`MAX_MARKED`].
    pub async fn mark_applications(
        &self,
        who: &StaffSession,
        ids: &[String],
        mark: &Mark,
    ) -> Result<Vec<MarkResult>, Error> {
        who.staff.permit(Permission::Assign)?;
        not_too_many(ids)?;
        if let Mark::Owner(Some(owner)) = mark {
            let known = self.store.all_staff().await?;
            let is_active = |staff: &StaffSummary| staff.id == *owner && staff.suspended_at.is_none();
            if !known.iter().any(is_active) {
                return Err(Refusal::StaffNotFound.into());
            }
        }
        let (action, detail) = match mark {
            Mark::Owner(owner) => ("application.assigned", json!({ "owner": owner })),
            Mark::AddTag(tag) => ("application.tagged", json!({ "tag": tag })),
            Mark::RemoveTag(tag) => ("application.untagged", json!({ "tag": tag })),
        };
        let mut results = Vec::with_capacity(ids.len());
        for application_id in ids {
            let subject = format!("application:{application_id}");
            let audit = self.audit_entry(format!("staff:{}", who.staff.id), subject, action, detail.clone());
            let marked = match self.store.mark(application_id, mark, &audit).await {
                Ok(marked) => marked,
                // This one is unchanged; the others continue.
                Err(StoreError::Unavailable(_)) => Marked::Unavailable,
                Err(error) => return Err(error.into()),
            };
            results.push(MarkResult { application_id: application_id.clone(), marked });
        }
        Ok(results)
    }

    /// All applications of a view, in order, if they can be acted on at once.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`], `id.range` for a view with more.
    pub async fn whole_view(&self, who: &StaffSession, view: &View) -> Result<Vec<String>, Error> {
        let view = View { cursor: None, page_size: MAX_MARKED as i64, ..view.clone() };
        let page = self.find_applications(who, &view).await?.page;
        if page.has_after {
            let sentence = "This view has more than 100 applications. Narrow it first, or choose some of them.";
            return Err(Error::Invalid(vec![FieldError::new("id", "id.range", sentence)]));
        }
        Ok(page.rows.into_iter().map(|row| row.application_id).collect())
    }

    /// Normalises a tag.
    ///
    /// # Errors
    /// `newTag.invalid`
    pub fn parse_tag(typed: &str) -> Result<String, FieldError> {
        let sentence = "Write a tag of 1 to 40 letters, digits and spaces.";
        listing::tag(typed).ok_or_else(|| FieldError::new("newTag", "newTag.invalid", sentence))
    }

    /// Starts an export of the view, which is read page by page ([`exported`](Self::exported)). Records who exported
    /// it, and in which format.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`]
    pub async fn begin_export(&self, who: &StaffSession, view: &View, format: &'static str) -> Result<Export, Error> {
        who.staff.permit(Permission::Export)?;
        // The search term may be somebody's name.
        let parts = view.to_query().into_iter().filter(|(name, _)| *name != "q");
        let view_text: Vec<String> = parts.map(|(name, value)| format!("{name}={value}")).collect();
        let audit = self.audit_entry(
            format!("staff:{}", who.staff.id),
            "applications".into(),
            "applications.exported",
            json!({ "view": view_text.join("&"), "searched": view.search.is_some(), "format": format }),
        );
        self.store.note(&audit).await?;
        Ok(Export {
            query: ListingQuery { cursor: None, limit: EXPORTED_AT_ONCE, ..self.listing_query(who, view) },
            with_personal_data: who.staff.role.may(Permission::PersonalData),
        })
    }

    /// The next rows of an export, and the query for reading on.
    ///
    /// # Errors
    /// Store errors.
    pub async fn exported(&self, query: ListingQuery) -> Result<(Vec<Listing>, Option<ListingQuery>), Error> {
        let page = self.store.listings(&query).await?;
        let next = page.rows.last().filter(|_| page.has_after).map(|row| query.order.cursor(row));
        Ok((page.rows, next.map(|cursor| ListingQuery { cursor: Some(cursor), ..query })))
    }

    /// Lists applications submitted before there was a list.
    ///
    /// # Errors
    /// Store errors.
    pub async fn complete_listings(&self) -> Result<(), Error> {
        while self.store.list_missing(LISTED_AT_ONCE).await? > 0 {}
        // Staff may be working on these: small batches keep their waits short.
        let mut after = String::new();
        while let Some(last) = self.store.list_tasks(&after, TASKS_LISTED_AT_ONCE).await? {
            after = last;
        }
        Ok(())
    }

    /// The order of a view's rows.
    pub fn list_order(&self, view: &View) -> Order {
        let View { sort, then, .. } = *view;
        Order { sort, then, zone: self.settings.time_zone.clone(), now: self.clock.now() }
    }

    pub(crate) fn listing_query(&self, who: &StaffSession, view: &View) -> ListingQuery {
        let (view, _) = permitted(&who.staff, view.clone());
        let zone = &self.settings.time_zone;
        let midnight_after = |day| end_of(day, zone);
        ListingQuery {
            tab: view.tab,
            terms: view.facets.iter().map(|(facet, value)| facet.term(value)).collect(),
            prefixes: view.search.as_deref().map(search_terms).unwrap_or_default(),
            interview_from: view.interview_from.and_then(|day| day.yesterday().ok()).map(midnight_after),
            interview_before: view.interview_to.map(midnight_after),
            submitted_from: view.submitted_from.and_then(|day| day.yesterday().ok()).map(midnight_after),
            submitted_before: view.submitted_to.map(midnight_after),
            waiting_since: view.waiting_days.map(|days| self.clock.now() - days * DAY),
            waiting_after: view.waiting_below.map(|days| self.clock.now() - days * DAY),
            has_interview: None,
            order: self.list_order(&view),
            cursor: view.cursor,
            limit: view.page_size,
        }
    }
}
