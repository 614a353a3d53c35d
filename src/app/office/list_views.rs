//! Saved views of the list: each member of staff has their own, and some are shared with everybody.

use serde_json::json;

use crate::App;
use crate::error::{Error, Refusal};
use crate::office::listings::view_of_query;
use domain::body::{Read, wrong};
use domain::characters;
use domain::input::{FieldError, Input};
use domain::listing::{Counted, Layout, View};
use domain::permission::Permission;
use domain::staff::StaffSession;
use store::{ListView, ViewRenamed, ViewSaved};

/// Maximum number of characters in a view's name.
pub(crate) const MAX_NAME_LENGTH: usize = 60;
/// Maximum number of views per person.
pub const MAX_VIEWS: i64 = 50;
/// Number of views shown as tabs of the list, with their counts; the others are in its menu.
const TABS: usize = 6;

impl App {
    /// The caller's own views, then shared ones, by name.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`]
    pub async fn list_views(&self, who: &StaffSession) -> Result<Vec<ListView>, Error> {
        who.staff.permit(Permission::Applications)?;
        let mut views = self.store.list_views(&who.staff.id).await?;
        // What colleagues search for may be somebody's name, and so may a view's name.
        if !who.staff.role.may(Permission::PersonalData) {
            let searches = |view: &ListView| view.query.split('&').any(|part| part.starts_with("q="));
            views.retain(|view| view.staff_id == who.staff.id || !searches(view));
        }
        Ok(views)
    }

    /// The same with the number of applications: for the first [`TABS`], and the one whose query is `shown`.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`]
    pub async fn counted_views(
        &self,
        who: &StaffSession,
        shown: &str,
    ) -> Result<Vec<(ListView, Option<Counted>)>, Error> {
        let mut counted = Vec::new();
        for (index, named) in self.list_views(who).await?.into_iter().enumerate() {
            let has_tab = index < TABS || named.query == shown;
            let count = if has_tab { Some(self.count_view(who, &named).await?) } else { None };
            counted.push((named, count));
        }
        Ok(counted)
    }

    async fn count_view(&self, who: &StaffSession, named: &ListView) -> Result<Counted, Error> {
        let (view, _) = view_of_query(&who.staff, &named.query);
        Ok(self.store.count_listings(&self.listing_query(who, &view)).await?)
    }

    /// Saves a view under a name. `key` comes from the form: sent again with the same one, nothing is saved twice.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`] for a shared view; `viewName.required`, `.length`, `.taken`, `.full`.
    pub async fn save_view(
        &self,
        who: &StaffSession,
        key: &str,
        name: &str,
        view: &View,
        shared: bool,
    ) -> Result<(), Error> {
        who.staff.permit(Permission::Applications)?;
        if shared {
            who.staff.permit(Permission::ShareViews)?;
        }
        let view = ListView {
            id: self.form_id(key),
            staff_id: who.staff.id.clone(),
            name: view_name(name)?,
            query: url::form_urlencoded::Serializer::new(String::new()).extend_pairs(view.to_query()).finish(),
            shared,
        };
        let audit = self.audit_entry(
            format!("staff:{}", who.staff.id),
            format!("view:{}", view.id),
            "view.saved",
            json!({ "shared": shared }),
        );
        match self.store.save_view(&view, MAX_VIEWS, &audit).await? {
            ViewSaved::Done => Ok(()),
            ViewSaved::Taken => Err(taken()),
            ViewSaved::Full => {
                let sentence = "You have 50 views. Delete one of them first.";
                Err(FieldError::new("viewName", "viewName.full", sentence).into())
            }
        }
    }

    /// Renames a view, if it still has the name that was seen.
    ///
    /// # Errors
    /// [`Refusal::NoSuchView`] for a view that does not exist, or that the caller may not change; `viewName.required`,
    /// `.length`, `.taken`, `.changed`.
    pub async fn rename_view(&self, who: &StaffSession, id: &str, seen: &str, name: &str) -> Result<(), Error> {
        let view = self.changeable_view(who, id).await?;
        let name = view_name(name)?;
        let audit = self.audit_entry(
            format!("staff:{}", who.staff.id),
            format!("view:{id}"),
            "view.renamed",
            json!({ "shared": view.shared }),
        );
        match self.store.rename_view(id, seen, &name, &audit).await? {
            ViewRenamed::Done => Ok(()),
            ViewRenamed::Taken => Err(taken()),
            ViewRenamed::Otherwise => {
                let sentence = "Somebody else has changed this view meanwhile. This is how it is now.";
                Err(FieldError::new("viewName", "viewName.changed", sentence).into())
            }
        }
    }

    /// Deletes a view.
    ///
    /// # Errors
    /// [`Refusal::NoSuchView`] for a view that does not exist, or that the caller may not delete.
    pub async fn delete_view(&self, who: &StaffSession, id: &str) -> Result<(), Error> {
        let view = self.changeable_view(who, id).await?;
        let audit = self.audit_entry(
            format!("staff:{}", who.staff.id),
            format!("view:{id}"),
            "view.deleted",
            json!({ "shared": view.shared }),
        );
        if self.store.delete_view(id, &audit).await? { Ok(()) } else { Err(Refusal::NoSuchView.into()) }
    }

    /// The caller's layout of the list, used unless a view has its own. `None` for the default.
    ///
    /// # Errors
    /// Store errors.
    pub async fn list_layout(&self, who: &StaffSession) -> Result<Option<Layout>, Error> {
        let Some(layout) = self.store.list_layout(&who.staff.id).await? else { return Ok(None) };
        // The role may see less than when this was saved.
        let (view, _) = view_of_query(&who.staff, &layout);
        Ok(Some(view.layout).filter(|layout| !layout.is_usual()))
    }

    /// Saves a view's layout as the caller's own from now on.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`]
    pub async fn keep_list_layout(&self, who: &StaffSession, layout: &Layout) -> Result<(), Error> {
        who.staff.permit(Permission::Applications)?;
        let text = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(layout.to_query()).finish();
        let kept = (!layout.is_usual()).then_some(text.as_str());
        Ok(self.store.save_list_layout(&who.staff.id, kept).await?)
    }

    /// The id of what a form saves: the form's own key, so that it is saved once.
    pub(crate) fn form_id(&self, key: &str) -> String {
        let is_key = (1..=64).contains(&key.len()) && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
        if is_key { key.to_owned() } else { self.random.id() }
    }

    async fn changeable_view(&self, who: &StaffSession, id: &str) -> Result<ListView, Error> {
        let views = self.list_views(who).await?;
        let view = views.into_iter().find(|view| view.id == id && may_change(who, view));
        Ok(view.ok_or(Refusal::NoSuchView)?)
    }
}

/// The caller's own views, and shared ones with the permission.
pub fn may_change(who: &StaffSession, view: &ListView) -> bool {
    view.staff_id == who.staff.id || (view.shared && who.staff.role.may(Permission::ShareViews))
}

fn view_name(typed: &str) -> Result<String, FieldError> {
    named("viewName", "Give the view a name.", typed)
}

/// Reads a required name given by staff; `ask` is the error if it is missing.
pub(crate) fn sent_name(ask: &'static str) -> impl Read<String> {
    move |path: &str, input: Option<&Input>| match input {
        Some(Input::Text(text)) => named(path, ask, text),
        None => named(path, ask, ""),
        Some(_) => Err(wrong(path, "type", "Name must be text.")),
    }
}

/// Parses a name given by staff; `ask` is the error if it is missing.
pub(crate) fn named(field: &str, ask: &'static str, typed: &str) -> Result<String, FieldError> {
    let name = typed.split_whitespace().collect::<Vec<_>>().join(" ");
    if name.is_empty() {
        return Err(FieldError::new(field, format!("{field}.required"), ask));
    }
    if let Some(sentence) = characters::refused("The name", &name) {
        return Err(FieldError::new(field, format!("{field}.invalid"), sentence));
    }
    if name.chars().count() > MAX_NAME_LENGTH {
        return Err(FieldError::new(field, format!("{field}.length"), "Write a name of 1 to 60 characters."));
    }
    Ok(name)
}

fn taken() -> Error {
    FieldError::new("viewName", "viewName.taken", "There is a view of this name already. Choose another one.").into()
}
