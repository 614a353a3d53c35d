//! Applications that are read and scored by several people.

use super::Db;
use super::error::unreadable;
use super::in_place::row;
use super::listings::relist;
use super::query::args;
use super::sheets::{SheetColumns, stored_lines};
use crate::{AuditEntry, NewMail, StoreError, Stored};
use domain::program::Program;
use domain::reading::{CommitteeEntry, Reading, SentReading};
use domain::rubric::Recommendation;
use domain::status::Stage;
use domain::task::{Task, TaskKind};

/// A reader to be asked, with the task and mail that tell them.
#[derive(Debug, Clone)]
pub struct NewReading {
    pub reading: Reading,
    pub task: Task,
    pub mail: NewMail,
}

row! {
    struct ReadingRow {
        application_id: String,
        reader_id: String,
        asked_by: String,
        asked_at: i64,
        due_on: Option<String>,
        sent_at: Option<i64>,
        scale: Option<i64>,
        points: Option<String>,
        recommendation: Option<String>,
        comment: Option<String>,
    }
}

impl TryFrom<ReadingRow> for Reading {
    type Error = StoreError;

    fn try_from(row: ReadingRow) -> Result<Self, StoreError> {
        let ReadingRow { application_id, reader_id, asked_by, asked_at, due_on, .. } = row;
        let unreadable = |column: &str| unreadable(column, &application_id);
        let sent = match (row.sent_at, row.scale, row.points, row.recommendation) {
            (Some(at), Some(scale), Some(lines), Some(recommendation)) => {
                let columns = SheetColumns { scale, lines, recommendation, comment: row.comment };
                Some(SentReading { at, sheet: columns.sheet("readings", &application_id)? })
            }
            _ => None,
        };
        let due_on = due_on.map(|day| day.parse().map_err(|_| unreadable("readings.due_on"))).transpose()?;
        Ok(Reading { application_id, reader_id, asked_by, asked_at, due_on, sent })
    }
}

row! {
    struct CommitteeRow {
        application_id: String,
        first_name: String,
        last_name: String,
        reference: Option<String>,
        program: String,
        stage: String,
        asked: i64,
        sent: i64,
        total: Option<i64>,
        accept: i64,
        unsure: i64,
        reject: i64,
        blind: i64,
    }
}

impl TryFrom<CommitteeRow> for CommitteeEntry {
    type Error = StoreError;

    fn try_from(row: CommitteeRow) -> Result<Self, StoreError> {
        let unreadable = |column: &str| unreadable(column, &row.application_id);
        Ok(CommitteeEntry {
            program: Program::of_application_type(&row.program).ok_or_else(|| unreadable("listings.program"))?,
            stage: Stage::parse(&row.stage).ok_or_else(|| unreadable("listings.stage"))?,
            application_id: row.application_id,
            first_name: row.first_name,
            last_name: row.last_name,
            reference: row.reference,
            asked: row.asked,
            sent: row.sent,
            score: row.total.filter(|_| row.sent > 0).map(|total| total / row.sent),
            recommended: [row.accept, row.unsure, row.reject],
            is_blind: row.blind > 0,
        })
    }
}

impl Db {
    /// Returns the readings of an application, in the order in which they were asked for.
    pub async fn readings(&self, application_id: &str) -> Stored<Vec<Reading>> {
        let sql = "SELECT application_id, reader_id, asked_by, asked_at, due_on, sent_at, scale, points, recommendation, \
                   comment FROM readings WHERE application_id = $1 ORDER BY asked_at, reader_id";
        let rows: Vec<ReadingRow> = self.fetch_all(sql, args![application_id]).await?;
        rows.into_iter().map(Reading::try_from).collect()
    }

    /// Asks readers who have not been asked already. Returns how many were.
    pub async fn ask_readers(&self, readers: &[NewReading], audit: &AuditEntry) -> Stored<usize> {
        let mut tx = self.begin().await?;
        let mut asked = 0;
        for NewReading { reading, task, mail } in readers {
            let Reading { application_id, reader_id, asked_by, asked_at, due_on, .. } = reading;
            let due_on = due_on.map(|day| day.to_string());
            let sql = "INSERT INTO readings (application_id, reader_id, asked_by, asked_at, due_on) \
                       VALUES ($1, $2, $3, $4, $5) ON CONFLICT (application_id, reader_id) DO NOTHING";
            if tx.execute(sql, args![application_id, reader_id, asked_by, *asked_at, due_on.as_deref()]).await? == 0 {
                continue;
            }
            tx.task(task).await?;
            tx.execute("UPDATE staff_tasks SET assigned_to = $2 WHERE id = $1", args![&task.id, reader_id]).await?;
            tx.mail(mail).await?;
            asked += 1;
        }
        if asked > 0 {
            tx.audit(audit).await?;
            tx.commit().await?;
        }
        Ok(asked)
    }

    /// Withdraws a request to a reader. Returns false if they have sent their reading, or were never asked.
    pub async fn unask_reader(&self, application_id: &str, reader_id: &str, audit: &AuditEntry) -> Stored<bool> {
        let mut tx = self.begin().await?;
        let sql = "DELETE FROM readings WHERE application_id = $1 AND reader_id = $2 AND sent_at IS NULL";
        if tx.execute(sql, args![application_id, reader_id]).await? == 0 {
            return Ok(false);
        }
        close_task(&mut tx, application_id, reader_id, audit.at).await?;
        tx.audit(audit).await?;
        tx.commit().await?;
        Ok(true)
    }

    /// Stores a reader's reading. Returns false if it was sent already, or never asked for.
    pub async fn send_reading(
        &self,
        application_id: &str,
        reader_id: &str,
        SentReading { at, sheet }: &SentReading,
        audit: &AuditEntry,
    ) -> Stored<bool> {
        let lines = stored_lines(sheet);
        let mut tx = self.begin().await?;
        let sql = "UPDATE readings SET sent_at = $3, scale = $4, points = $5, score = $6, recommendation = $7, comment = $8 \
                   WHERE application_id = $1 AND reader_id = $2 AND sent_at IS NULL";
        let args = args![
            application_id,
            reader_id,
            *at,
            sheet.scale,
            &lines,
            sheet.score(),
            sheet.recommendation.as_str(),
            sheet.comment.as_deref()
        ];
        if tx.execute(sql, args).await? == 0 {
            return Ok(false);
        }
        close_task(&mut tx, application_id, reader_id, *at).await?;
        tx.audit(audit).await?;
        tx.commit().await?;
        Ok(true)
    }

    /// Returns the undecided applications that somebody is asked to read, best scored first, as `looker` sees them.
    pub async fn committee(&self, program: Option<Program>, looker: &str, limit: i64) -> Stored<Vec<CommitteeEntry>> {
        let recommends = |which: Recommendation| {
            format!("CAST(SUM(CASE WHEN r.recommendation = '{}' THEN 1 ELSE 0 END) AS BIGINT)", which.as_str())
        };
        let stages: Vec<String> =
            Stage::ALL.into_iter().filter(|it| it.is_undecided()).map(|it| format!("'{}'", it.as_str())).collect();
        let sql = format!(
            "SELECT l.application_id, l.first_name, l.last_name, l.reference, l.program, l.stage, COUNT(*) AS asked, \
             COUNT(r.sent_at) AS sent, CAST(SUM(r.score) AS BIGINT) AS total, {} AS accept, {} AS unsure, {} AS reject, \
             CAST(SUM(CASE WHEN r.reader_id = $2 AND r.sent_at IS NULL THEN 1 ELSE 0 END) AS BIGINT) AS blind \
             FROM readings r JOIN listings l ON l.application_id = r.application_id \
             WHERE l.stage IN ({}) AND ($1 IS NULL OR l.program = $1) \
             GROUP BY l.application_id, l.first_name, l.last_name, l.reference, l.program, l.stage, l.name_key \
             ORDER BY COALESCE(SUM(r.score) * 1.0 / NULLIF(COUNT(r.sent_at), 0), -1) DESC, l.name_key, l.application_id \
             LIMIT $3",
            recommends(Recommendation::Accept),
            recommends(Recommendation::Unsure),
            recommends(Recommendation::Reject),
            stages.join(", ")
        );
        let program = program.map(Program::application_type);
        let rows: Vec<CommitteeRow> = self.fetch_built(&sql, args![program, looker, limit]).await?;
        rows.into_iter().map(CommitteeEntry::try_from).collect()
    }
}

/// Closes a reader's task about an application.
async fn close_task(tx: &mut super::query::Tx, application_id: &str, reader_id: &str, at: i64) -> Stored<()> {
    let sql =
        "UPDATE staff_tasks SET done_at = $4 WHERE subject = $1 AND kind = $2 AND assigned_to = $3 AND done_at IS NULL";
    let subject = format!("application:{application_id}");
    tx.execute(sql, args![&subject, TaskKind::Reading.as_str(), reader_id, at]).await?;
    relist(tx, application_id).await
}
