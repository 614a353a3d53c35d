//! The list of applications.

use serde::Serialize;

use super::{Choice, Undo};
use crate::page::FormState;

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ListTab {
    pub label: &'static str,
    pub href: String,
    pub count: String,
    pub current: bool,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ListFilter {
    pub name: &'static str,
    pub label: &'static str,
    /// `None` for what the client knows: countries, states and owners.
    pub options: Option<Vec<Choice>>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ActiveFilter {
    pub label: String,
    pub href: String,
}

/// As in `aria-sort`.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum SortOrder {
    Ascending,
    Descending,
}

/// What a click on a column's head does.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct HeadSort {
    pub href: String,
    /// Makes this the secondary order; `None` if it is the primary one.
    pub then_href: Option<String>,
    /// The order, if the list is sorted by this.
    pub order: Option<SortOrder>,
    /// Whether it is the secondary order.
    pub is_second: bool,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ListColumn {
    pub value: &'static str,
    pub label: &'static str,
    pub sort: Option<HeadSort>,
    /// In CSS pixels; without it, as wide as its content.
    pub width: Option<u16>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ListRow {
    pub id: String,
    pub name: String,
    pub reference: String,
    /// The content of each column.
    pub cells: Vec<String>,
    pub needs_action: bool,
    pub lacks_documents: bool,
    /// Whether its application fee is due.
    pub fee_due: bool,
}

/// A named view.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ListViewRow {
    pub id: String,
    pub name: String,
    pub href: String,
    /// Whether all staff have it.
    pub shared: bool,
    /// Whether it is the one shown.
    pub current: bool,
    pub may_change: bool,
    /// The number of applications, if it has a tab.
    pub count: Option<String>,
}

/// Named views: the user's own, and shared ones.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ListViews {
    pub all: Vec<ListViewRow>,
    pub may_share: bool,
    /// Identifies the form, so that a view is not saved twice.
    pub key: String,
    /// The view about to be deleted.
    pub deleting: Option<String>,
}

/// An act on the chosen applications that takes a page of its own.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ListAct {
    pub label: &'static str,
    pub href: &'static str,
    pub action: &'static str,
}

/// Several applications about to be changed, or just changed.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct BulkStep {
    /// Undoes what was done.
    pub undo: Option<Undo>,
    pub title: String,
    /// The act, by its name in the form, and its value.
    pub action: String,
    pub value: String,
    pub rows: Vec<BulkRow>,
    pub done: bool,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BulkRow {
    pub id: String,
    pub name: String,
    pub reference: String,
    /// The outcome; null before the act was done.
    pub outcome: Option<&'static str>,
    pub failed: bool,
}

/// A view as a file.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FileLink {
    pub label: &'static str,
    pub href: String,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AdminApplicationsProps {
    pub tabs: Vec<ListTab>,
    /// The view as in the form, by field name.
    pub values: std::collections::BTreeMap<String, String>,
    /// Countries, states and owners are known to the client: null.
    pub filters: Vec<ListFilter>,
    pub sorts: Vec<Choice>,
    /// The visible columns, besides name and reference.
    pub columns: Vec<ListColumn>,
    pub name_sort: HeadSort,
    /// In CSS pixels; without it, as wide as its content.
    pub name_width: Option<u16>,
    pub column_choices: Vec<Choice>,
    /// Whether the address sets columns that no saved view has.
    pub has_own_columns: bool,
    /// Whether the user has chosen their own columns.
    pub has_kept_columns: bool,
    pub views: ListViews,
    /// What narrows the view, each with the address without it.
    pub active: Vec<ActiveFilter>,
    pub count_text: String,
    pub rows: Vec<ListRow>,
    /// What follows a row's path, so that the way back leads to this page of the view.
    pub row_query: String,
    pub previous_href: Option<String>,
    pub next_href: Option<String>,
    pub clear_href: String,
    /// Where this view is, for forms that return to it.
    pub here: String,
    /// The page where this tab's applications are worked on in bulk.
    pub work: Option<ActiveFilter>,
    /// The view as files; none for users who may not export lists.
    pub exports: Vec<FileLink>,
    pub may_assign: bool,
    pub may_import: bool,
    /// What can be done with the chosen applications on a page of its own.
    pub acts: Vec<ListAct>,
    /// Chooses all of the view at once, if it is more than a page and not too many.
    pub whole: Option<String>,
    pub owners: Vec<Choice>,
    pub tags: Vec<String>,
    pub bulk: Option<BulkStep>,
    pub form: FormState,
}
