//! The list of applications.

use serde::Serialize;

use super::super::super::page::FormState;
use super::{Choice, Undo};

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
    /// `None` for what the client knows: countries, states, and owners.
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
    /// Puts those that are alike in the order of this; `None` where it is what they are alike by.
    pub then_href: Option<String>,
    /// Of the list, where this is what it is in the order of.
    pub order: Option<SortOrder>,
    /// It is what those that are alike are in the order of.
    pub is_second: bool,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ListColumn {
    pub value: &'static str,
    pub label: &'static str,
    pub sort: Option<HeadSort>,
    /// In CSS pixels; as wide as what is in it without one.
    pub width: Option<u16>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ListRow {
    pub id: String,
    pub name: String,
    pub reference: String,
    /// What stands in each of the columns.
    pub cells: Vec<String>,
    pub needs_action: bool,
    pub lacks_documents: bool,
}

/// A view that has a name.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ListViewRow {
    pub id: String,
    pub name: String,
    pub href: String,
    /// Everybody has it.
    pub shared: bool,
    /// It is the one that is shown.
    pub current: bool,
    pub may_change: bool,
    /// How many it has, where it has a tab.
    pub count: Option<String>,
}

/// Views that have a name: one's own, and those of everybody.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ListViews {
    pub all: Vec<ListViewRow>,
    pub may_share: bool,
    /// Of the form, so that a view is not kept twice.
    pub key: String,
    /// The one that is about to be deleted.
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

/// Several applications that are about to be marked, or were.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct BulkStep {
    /// Takes back what was done.
    pub undo: Option<Undo>,
    pub title: String,
    /// The act, as its form names it, and its value.
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
    /// What became of it; nothing before it was done.
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
    /// The view as its form has it, by the fields' names.
    pub values: std::collections::BTreeMap<String, String>,
    /// Countries, states and owners are known without being told: null.
    pub filters: Vec<ListFilter>,
    pub sorts: Vec<Choice>,
    /// Those that are shown, beside name and reference.
    pub columns: Vec<ListColumn>,
    pub name_sort: HeadSort,
    /// In CSS pixels; as wide as what is in it without one.
    pub name_width: Option<u16>,
    pub column_choices: Vec<Choice>,
    /// The view says itself which columns it shows, and no saved one does.
    pub has_own_columns: bool,
    /// Whoever looks has chosen columns of their own.
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
    /// Where this view is, for forms that come back to it.
    pub here: String,
    /// To the page where what this tab is about is done for many.
    pub work: Option<ActiveFilter>,
    /// The view as files; none for who may not save lists.
    pub exports: Vec<FileLink>,
    pub may_assign: bool,
    /// What can be done with the chosen ones on a page of its own.
    pub acts: Vec<ListAct>,
    /// What chooses all of the view at once, if it is more than a page and not too many.
    pub whole: Option<String>,
    pub owners: Vec<Choice>,
    pub tags: Vec<String>,
    pub bulk: Option<BulkStep>,
    pub form: FormState,
}
