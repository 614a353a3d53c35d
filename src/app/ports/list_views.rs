//! Views of the list that have a name.

use async_trait::async_trait;

use super::{AuditEntry, Stored};

/// A view that somebody named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListView {
    pub id: String,
    /// Who made it.
    pub staff_id: String,
    pub name: String,
    /// The query of its address.
    pub query: String,
    /// Everybody has it.
    pub shared: bool,
}

/// What became of a view that was to be kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ViewSaved {
    Done,
    /// They have another one of that name.
    Taken,
    /// They have as many as one can have.
    Full,
}

/// What became of a view that was to get another name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ViewRenamed {
    Done,
    /// Its maker has another one of that name.
    Taken,
    /// It has another name than the one that was seen, or is gone.
    Otherwise,
}

#[async_trait]
pub trait ListViews: Send + Sync {
    /// Those of one member of staff, then those of everybody that others made.
    async fn list_views(&self, staff_id: &str) -> Stored<Vec<ListView>>;
    /// The same id again changes nothing and is done.
    async fn save_view(&self, view: &ListView, most: i64, audit: &AuditEntry) -> Stored<ViewSaved>;
    async fn rename_view(&self, id: &str, seen: &str, name: &str, audit: &AuditEntry) -> Stored<ViewRenamed>;
    /// What somebody sees of each row unless a view says otherwise: a part of a view's address.
    async fn list_layout(&self, staff_id: &str) -> Stored<Option<String>>;
    /// `None` for the usual one.
    async fn save_list_layout(&self, staff_id: &str, layout: Option<&str>) -> Stored<()>;
    /// Whether it was there.
    async fn delete_view(&self, id: &str, audit: &AuditEntry) -> Stored<bool>;
}
