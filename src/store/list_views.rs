//! Named views of the list.

use super::Db;
use super::in_place::row;
use super::query::{Tx, args};
use crate::{AuditEntry, Stored};

/// A named view.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListView {
    pub id: String,
    /// The member of staff who made it.
    pub staff_id: String,
    pub name: String,
    /// The query of its URL.
    pub query: String,
    /// Whether all staff have it.
    pub shared: bool,
}

/// The outcome of saving a view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ViewSaved {
    Done,
    /// The member of staff has another one of that name.
    Taken,
    /// The member of staff has as many as allowed.
    Full,
}

/// The outcome of renaming a view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ViewRenamed {
    Done,
    /// Its maker has another one of that name.
    Taken,
    /// It does not have the name that the caller has seen, or is gone.
    Otherwise,
}

row! {
    struct Row {
        id: String,
        staff_id: String,
        name: String,
        query: String,
        shared: i64,
    }
}

/// Whether its maker has another view named `$2` besides the view `$1`.
const IS_TAKEN: &str = "SELECT o.id FROM list_views o JOIN list_views v ON v.staff_id = o.staff_id \
                        WHERE v.id = $1 AND o.name = $2 AND o.id <> $1";

/// Removes views that search for nothing but this applicant's name.
pub(super) async fn erase(tx: &mut Tx, applicant_id: &str) -> Stored<()> {
    let sql = "SELECT first_name || ' ' || last_name FROM applicants WHERE id = $1 AND closed_at IS NOT NULL";
    let names: Vec<(String,)> = tx.fetch_all(sql, args![applicant_id]).await?;
    let names = names.first().map(|(names,)| names.to_lowercase()).unwrap_or_default();
    let views: Vec<(String, String)> =
        tx.fetch_all("SELECT id, query FROM list_views WHERE query LIKE '%q=%'", args![]).await?;
    for (id, query) in &views {
        let search = url::form_urlencoded::parse(query.as_bytes()).find(|(name, _)| name == "q");
        let search = search.map(|(_, search)| search.to_lowercase()).unwrap_or_default();
        let mut words = search.split_whitespace().peekable();
        if words.peek().is_some() && words.all(|word| names.split_whitespace().any(|name| name == word)) {
            tx.execute("DELETE FROM list_views WHERE id = $1", args![id]).await?;
        }
    }
    Ok(())
}

impl Db {
    /// Returns the views of one member of staff, then those that others share.
    pub async fn list_views(&self, staff_id: &str) -> Stored<Vec<ListView>> {
        let sql = "SELECT id, staff_id, name, query, shared FROM list_views WHERE staff_id = $1 OR shared = 1 \
                   ORDER BY CASE staff_id WHEN $1 THEN 0 ELSE 1 END, LOWER(name), id";
        let rows: Vec<Row> = self.fetch_all(sql, args![staff_id]).await?;
        let view =
            |Row { id, staff_id, name, query, shared }| ListView { id, staff_id, name, query, shared: shared == 1 };
        Ok(rows.into_iter().map(view).collect())
    }

    /// Saves a view. Saving the same id again succeeds and changes nothing.
    pub async fn save_view(&self, view: &ListView, most: i64, audit: &AuditEntry) -> Stored<ViewSaved> {
        let mut tx = self.begin().await?;
        // A concurrent view of the same person waits here.
        tx.execute("UPDATE staff SET name = name WHERE id = $1", args![&view.staff_id]).await?;
        let sql = "SELECT id, name FROM list_views WHERE staff_id = $1";
        let there: Vec<(String, String)> = tx.fetch_all(sql, args![&view.staff_id]).await?;
        if there.iter().any(|(id, _)| *id == view.id) {
            return Ok(ViewSaved::Done);
        }
        if there.iter().any(|(_, name)| *name == view.name) {
            return Ok(ViewSaved::Taken);
        }
        if there.len() as i64 >= most {
            return Ok(ViewSaved::Full);
        }
        let sql = "INSERT INTO list_views (id, staff_id, name, query, shared, created_at) VALUES ($1, $2, $3, $4, $5, $6) \
                   ON CONFLICT (id) DO NOTHING";
        let fields = args![&view.id, &view.staff_id, &view.name, &view.query, i64::from(view.shared), audit.at];
        if tx.execute(sql, fields).await? == 0 {
            return Ok(ViewSaved::Taken);
        }
        tx.audit(audit).await?;
        tx.commit().await?;
        Ok(ViewSaved::Done)
    }

    pub async fn rename_view(&self, id: &str, seen: &str, name: &str, audit: &AuditEntry) -> Stored<ViewRenamed> {
        let mut tx = self.begin().await?;
        // A concurrent renaming of the same person's views waits here.
        let sql = "UPDATE staff SET name = name WHERE id = (SELECT staff_id FROM list_views WHERE id = $1)";
        tx.execute(sql, args![id]).await?;
        let taken: Vec<(String,)> = tx.fetch_all(IS_TAKEN, args![id, name]).await?;
        if !taken.is_empty() {
            return Ok(ViewRenamed::Taken);
        }
        let sql = "UPDATE list_views SET name = $3 WHERE id = $1 AND name = $2";
        if tx.execute(sql, args![id, seen, name]).await? == 0 {
            return Ok(ViewRenamed::Otherwise);
        }
        tx.audit(audit).await?;
        tx.commit().await?;
        Ok(ViewRenamed::Done)
    }

    /// Returns what a member of staff sees of each row unless a view says otherwise: part of a view's URL.
    pub async fn list_layout(&self, staff_id: &str) -> Stored<Option<String>> {
        let sql = "SELECT layout FROM list_layouts WHERE staff_id = $1";
        let rows: Vec<(String,)> = self.fetch_all(sql, args![staff_id]).await?;
        Ok(rows.into_iter().next().map(|(layout,)| layout))
    }

    /// Saves the layout of a member of staff; `None` for the usual one.
    pub async fn save_list_layout(&self, staff_id: &str, layout: Option<&str>) -> Stored<()> {
        let mut tx = self.begin().await?;
        match layout {
            Some(layout) => {
                let sql = "INSERT INTO list_layouts (staff_id, layout) VALUES ($1, $2) \
                           ON CONFLICT (staff_id) DO UPDATE SET layout = excluded.layout";
                tx.execute(sql, args![staff_id, layout]).await?;
            }
            None => {
                tx.execute("DELETE FROM list_layouts WHERE staff_id = $1", args![staff_id]).await?;
            }
        }
        tx.commit().await
    }

    /// Deletes a view. Returns whether it existed.
    pub async fn delete_view(&self, id: &str, audit: &AuditEntry) -> Stored<bool> {
        let mut tx = self.begin().await?;
        if tx.execute("DELETE FROM list_views WHERE id = $1", args![id]).await? == 0 {
            return Ok(false);
        }
        tx.audit(audit).await?;
        tx.commit().await?;
        Ok(true)
    }
}
