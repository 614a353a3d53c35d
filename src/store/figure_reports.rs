//! Named views of the figures, and who gets them by mail.

use super::Db;
use super::in_place::row;
use super::query::args;
use crate::{AuditEntry, NewMail, Stored, ViewSaved};
use domain::moments::Millis;

/// A named view of the figures, for all staff.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FigureReport {
    pub id: String,
    /// The member of staff who made it.
    pub staff_id: String,
    pub name: String,
    /// The query of its URL.
    pub query: String,
    /// Whether the member of staff who asks gets it by mail.
    pub is_mailed: bool,
}

/// A report that is to be mailed to somebody.
#[derive(Debug, Clone)]
pub struct DueReport {
    pub report_id: String,
    pub name: String,
    pub query: String,
    pub staff_id: String,
    pub email: String,
    pub due_at: Millis,
}

row! {
    struct Row {
        id: String,
        staff_id: String,
        name: String,
        query: String,
        mailed: i64,
    }
}

row! {
    struct DueRow {
        report_id: String,
        name: String,
        query: String,
        staff_id: String,
        email: String,
        due_at: i64,
    }
}

impl Db {
    /// Returns all reports by name, as this member of staff has them.
    pub async fn figure_reports(&self, staff_id: &str) -> Stored<Vec<FigureReport>> {
        let sql = "SELECT r.id, r.staff_id, r.name, r.query, (SELECT COUNT(*) FROM figure_report_mails m \
                   WHERE m.report_id = r.id AND m.staff_id = $1) AS mailed FROM figure_reports r ORDER BY LOWER(r.name), r.id";
        let rows: Vec<Row> = self.fetch_all(sql, args![staff_id]).await?;
        let report = |Row { id, staff_id, name, query, mailed }| FigureReport {
            id,
            staff_id,
            name,
            query,
            is_mailed: mailed > 0,
        };
        Ok(rows.into_iter().map(report).collect())
    }

    /// Saves a report; at most `most` exist in all. Saving the same id again succeeds and changes nothing.
    pub async fn save_figure_report(&self, report: &FigureReport, most: i64, audit: &AuditEntry) -> Stored<ViewSaved> {
        let mut tx = self.begin().await?;
        let there: Vec<(String, String)> = tx.fetch_all("SELECT id, name FROM figure_reports", args![]).await?;
        if there.iter().any(|(id, _)| *id == report.id) {
            return Ok(ViewSaved::Done);
        }
        if there.len() as i64 >= most {
            return Ok(ViewSaved::Full);
        }
        let FigureReport { id, staff_id, name, query, .. } = report;
        // Of concurrent ones with the same name or id, one is kept.
        let sql = "INSERT INTO figure_reports (id, staff_id, name, query, created_at) VALUES ($1, $2, $3, $4, $5) \
                   ON CONFLICT DO NOTHING";
        if tx.execute(sql, args![id, staff_id, name, query, audit.at]).await? == 0 {
            return Ok(ViewSaved::Taken);
        }
        tx.audit(audit).await?;
        tx.commit().await?;
        Ok(ViewSaved::Done)
    }

    /// Deletes a report, which nobody gets by mail any more. Returns whether it existed.
    pub async fn delete_figure_report(&self, id: &str, audit: &AuditEntry) -> Stored<bool> {
        let mut tx = self.begin().await?;
        // A concurrent request for it by mail waits here.
        tx.execute("UPDATE figure_reports SET name = name WHERE id = $1", args![id]).await?;
        tx.execute("DELETE FROM figure_report_mails WHERE report_id = $1", args![id]).await?;
        if tx.execute("DELETE FROM figure_reports WHERE id = $1", args![id]).await? == 0 {
            return Ok(false);
        }
        tx.audit(audit).await?;
        tx.commit().await?;
        Ok(true)
    }

    /// Mails a report to a member of staff from `due_at` on, or stops doing so. Returns whether the report exists.
    pub async fn mail_figure_report(&self, id: &str, staff_id: &str, due_at: Option<Millis>) -> Stored<bool> {
        let mut tx = self.begin().await?;
        if tx.execute("UPDATE figure_reports SET name = name WHERE id = $1", args![id]).await? == 0 {
            return Ok(false);
        }
        match due_at {
            Some(due_at) => {
                let sql = "INSERT INTO figure_report_mails (report_id, staff_id, due_at) VALUES ($1, $2, $3) \
                           ON CONFLICT DO NOTHING";
                tx.execute(sql, args![id, staff_id, due_at]).await?;
            }
            None => {
                let sql = "DELETE FROM figure_report_mails WHERE report_id = $1 AND staff_id = $2";
                tx.execute(sql, args![id, staff_id]).await?;
            }
        }
        tx.commit().await?;
        Ok(true)
    }

    /// Returns the reports that are due, to staff who can still log in.
    pub async fn due_figure_reports(&self, now: Millis, limit: i64) -> Stored<Vec<DueReport>> {
        let sql = "SELECT m.report_id, r.name, r.query, m.staff_id, s.email, m.due_at FROM figure_report_mails m \
                   JOIN figure_reports r ON r.id = m.report_id JOIN staff s ON s.id = m.staff_id \
                   WHERE m.due_at <= $1 AND s.suspended_at IS NULL AND s.removed_at IS NULL \
                   ORDER BY m.due_at, m.report_id, m.staff_id LIMIT $2";
        let rows: Vec<DueRow> = self.fetch_all(sql, args![now, limit]).await?;
        let due = |row: DueRow| DueReport {
            report_id: row.report_id,
            name: row.name,
            query: row.query,
            staff_id: row.staff_id,
            email: row.email,
            due_at: row.due_at,
        };
        Ok(rows.into_iter().map(due).collect())
    }

    /// Writes the mail and when the next one is due, unless that was done or stopped meanwhile.
    pub async fn figure_report_mailed(&self, due: &DueReport, next_at: Millis, mail: &NewMail) -> Stored<()> {
        let mut tx = self.begin().await?;
        let sql = "UPDATE figure_report_mails SET due_at = $4 WHERE report_id = $1 AND staff_id = $2 AND due_at = $3";
        if tx.execute(sql, args![&due.report_id, &due.staff_id, due.due_at, next_at]).await? > 0 {
            tx.mail(mail).await?;
            tx.commit().await?;
        }
        Ok(())
    }
}
