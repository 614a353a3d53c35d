//! What staff have to do.

use async_trait::async_trait;

use super::Db;
use super::error::unreadable;
use super::in_place::row;
use super::listings::relist;
use super::query::{Tx, args};
use crate::app::ports::{AuditEntry, Millis, Stored, Task, Tasks};
use crate::domain::status::Stage;
use crate::domain::task::TaskKind;

/// How a task is marked that a change of stage has closed.
const BY_STAGE: &str = "stage";

row! {
    struct TaskRow {
        id: String,
        kind: String,
        subject: String,
        detail: String,
        created_at: i64,
        due_at: Option<i64>,
    }
}

impl TaskRow {
    /// `None` for a kind that this version does not know: a newer one writes it during a rolling upgrade.
    fn known(self) -> Option<Stored<Task>> {
        let TaskRow { id, kind, subject, detail, created_at, due_at } = self;
        let kind = TaskKind::parse(&kind)?;
        let detail = serde_json::from_str(&detail).map_err(|_| unreadable("staff_tasks.detail", &id));
        Some(detail.map(|detail| Task { id, kind, subject, detail, created_at, due_at }))
    }
}

#[async_trait]
impl Tasks for Db {
    async fn has_task(&self, subject: &str, kind: TaskKind) -> Stored<bool> {
        let sql = "SELECT COUNT(*) FROM staff_tasks WHERE subject = $1 AND kind = $2 AND done_at IS NULL";
        let counts: Vec<(i64,)> = self.fetch_all(sql, args![subject, kind.as_str()]).await?;
        Ok(counts.iter().any(|(count,)| *count > 0))
    }

    async fn open_tasks(&self, application_id: &str) -> Stored<Vec<Task>> {
        let sql = "SELECT id, kind, subject, detail, created_at, due_at FROM staff_tasks \
                   WHERE subject = $1 AND done_at IS NULL ORDER BY created_at, id";
        let rows: Vec<TaskRow> = self.fetch_all(sql, args![&subject_of(application_id)]).await?;
        rows.into_iter().filter_map(TaskRow::known).collect()
    }

    async fn finish_tasks(&self, subject: &str, kind: TaskKind, audit: &AuditEntry) -> Stored<bool> {
        let mut tx = self.begin().await?;
        if tx.tasks_done(subject, kind, audit.at).await? == 0 {
            return Ok(false);
        }
        tx.audit(audit).await?;
        if let Some(application_id) = subject.strip_prefix("application:") {
            relist(&mut tx, application_id).await?;
        }
        tx.commit().await?;
        Ok(true)
    }

    async fn tick_off(
        &self,
        application_id: &str,
        task_id: &str,
        by: &str,
        note: &str,
        audit: &AuditEntry,
    ) -> Stored<bool> {
        let mut tx = self.begin().await?;
        let sql = "UPDATE staff_tasks SET done_at = $3, closed_by = $4, note = $5 \
                   WHERE id = $1 AND subject = $2 AND done_at IS NULL";
        if tx.execute(sql, args![task_id, &subject_of(application_id), audit.at, by, note]).await? == 0 {
            return Ok(false);
        }
        tx.audit(audit).await?;
        relist(&mut tx, application_id).await?;
        tx.commit().await?;
        Ok(true)
    }

    async fn close_overtaken_tasks(&self, after: &str, limit: i64, now: Millis) -> Stored<Option<String>> {
        let sql = "SELECT t.id, t.kind, a.id, a.stage FROM staff_tasks t \
                   JOIN applications a ON a.id = SUBSTR(t.subject, 13) \
                   WHERE t.done_at IS NULL AND t.id > $1 AND t.subject LIKE 'application:%' \
                   AND t.created_at < (SELECT MAX(happened_at) FROM stage_changes c WHERE c.application_id = a.id) \
                   ORDER BY t.id LIMIT $2";
        let rows: Vec<(String, String, String, String)> = self.scan(sql, args![after, limit]).await?;
        for (id, kind, application_id, stage) in &rows {
            let stage = Stage::parse(stage).ok_or_else(|| unreadable("applications.stage", application_id))?;
            if TaskKind::parse(kind).is_none_or(|kind| kind.outlives_change_to(stage)) {
                continue;
            }
            let mut tx = self.begin().await?;
            tx.close_by_stage(id, now).await?;
            relist(&mut tx, application_id).await?;
            tx.commit().await?;
        }
        Ok(rows.into_iter().last().map(|(id, ..)| id))
    }
}

fn subject_of(application_id: &str) -> String {
    format!("application:{application_id}")
}

impl Tx {
    /// Closes the tasks of this kind about `subject`; how many those were.
    pub(super) async fn tasks_done(&mut self, subject: &str, kind: TaskKind, now: Millis) -> Stored<u64> {
        let sql = "UPDATE staff_tasks SET done_at = $3 WHERE subject = $1 AND kind = $2 AND done_at IS NULL";
        self.execute(sql, args![subject, kind.as_str(), now]).await
    }

    /// Gives staff something to do, unless they have the very same to do already.
    pub(super) async fn task(&mut self, task: &Task) -> Stored<()> {
        let Task { id, kind, subject, detail, created_at, due_at } = task;
        let detail = detail.to_string();
        let same = "SELECT id FROM staff_tasks WHERE subject = $1 AND kind = $2 AND detail = $3 AND done_at IS NULL";
        let same: Vec<(String,)> = self.fetch_all(same, args![subject, kind.as_str(), &detail]).await?;
        if same.is_empty() {
            self.execute(
                "INSERT INTO staff_tasks (id, kind, subject, detail, created_at, due_at) \
                 VALUES ($1, $2, $3, $4, $5, $6)",
                args![id, kind.as_str(), subject, &detail, *created_at, *due_at],
            )
            .await?;
            if let Some(application_id) = subject.strip_prefix("application:") {
                let sql = "UPDATE listings SET needs_action = 1 WHERE application_id = $1 AND tab <> 'over'";
                self.execute(sql, args![application_id]).await?;
            }
        }
        Ok(())
    }

    /// Closes what a change of stage has overtaken. What is brought back has to do again what it had to do before.
    pub(super) async fn tasks_follow_stage(
        &mut self,
        application_id: &str,
        from: Stage,
        to: Stage,
        at: Millis,
    ) -> Stored<()> {
        let subject = subject_of(application_id);
        let sql = "SELECT id, kind FROM staff_tasks WHERE subject = $1 AND done_at IS NULL";
        let open: Vec<(String, String)> = self.fetch_all(sql, args![&subject]).await?;
        for (id, kind) in open {
            if TaskKind::parse(&kind).is_some_and(|kind| !kind.outlives_change_to(to)) {
                self.close_by_stage(&id, at).await?;
            }
        }
        if from == Stage::Archived {
            let sql = "UPDATE staff_tasks SET done_at = NULL, closed_by = NULL WHERE subject = $1 AND closed_by = $2 \
                       AND done_at = (SELECT MAX(happened_at) FROM stage_changes WHERE application_id = $3 AND to_stage = $4)";
            self.execute(sql, args![&subject, BY_STAGE, application_id, Stage::Archived.as_str()]).await?;
        }
        Ok(())
    }

    async fn close_by_stage(&mut self, id: &str, at: Millis) -> Stored<()> {
        let sql = "UPDATE staff_tasks SET done_at = $2, closed_by = $3 WHERE id = $1 AND done_at IS NULL";
        self.execute(sql, args![id, at, BY_STAGE]).await?;
        Ok(())
    }
}
