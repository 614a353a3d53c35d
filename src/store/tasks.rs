//! The tasks of staff.

use super::Db;
use super::error::unreadable;
use super::in_place::{joined_row, row};
use super::listings::relist;
use super::query::{Arg, Tx, args};
use crate::{AuditEntry, Stored};
use domain::listing::{Counted, MAX_COUNTED};
use domain::moments::Millis;
use domain::program::Program;
use domain::status::Stage;
use domain::task::{ListedTask, StandingTask, Task, TaskKind, TaskPlace};

/// Selects whose tasks to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TasksOf<'a> {
    Staff(&'a str),
    Nobody,
    Everybody,
}

/// Selects tasks, the most urgent first.
#[derive(Debug, Clone)]
pub struct TaskQuery<'a> {
    pub of: TasksOf<'a>,
    pub kinds: &'a [TaskKind],
    /// Only those after this one.
    pub after: Option<&'a TaskPlace>,
    /// Excludes those of this application.
    pub except: Option<&'a str>,
    pub limit: i64,
}

/// Marks a task that was closed by a change of stage.
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

row! {
    struct AboutRow {
        application_id: String,
        first_name: String,
        last_name: String,
        reference: Option<String>,
        program: String,
        stage: String,
        owner_id: Option<String>,
        owner_name: Option<String>,
    }
}

joined_row! {
    struct ListedTaskRow {
        task: TaskRow,
        about: AboutRow,
    }
}

impl ListedTaskRow {
    fn known(self) -> Option<Stored<ListedTask>> {
        let ListedTaskRow { task, about } = self;
        let unreadable = |column: &str| unreadable(column, &about.application_id);
        let about = |task| {
            Ok(ListedTask {
                task,
                program: Program::of_application_type(&about.program).ok_or_else(|| unreadable("listings.program"))?,
                stage: Stage::parse(&about.stage).ok_or_else(|| unreadable("listings.stage"))?,
                application_id: about.application_id.clone(),
                first_name: about.first_name.clone(),
                last_name: about.last_name.clone(),
                reference: about.reference.clone(),
                owner: about.owner_id.clone().zip(about.owner_name.clone()),
            })
        };
        Some(task.known()?.and_then(about))
    }
}

/// Selects the open tasks of a kind, in the order of an index.
fn open_of<'a>(of: TasksOf<'a>, kind: TaskKind, args: &mut Vec<Arg<'a>>) -> String {
    let kind = kind.as_str();
    let whose = match of {
        TasksOf::Staff(id) => {
            args.push(id.into());
            format!("assigned_to = ${} AND", args.len())
        }
        TasksOf::Nobody => "assigned_to IS NULL AND".to_owned(),
        TasksOf::Everybody => String::new(),
    };
    format!("FROM staff_tasks WHERE {whose} kind = '{kind}' AND done_at IS NULL")
}

impl TaskRow {
    /// Returns `None` for a kind that this version does not know: a newer one writes it during a rolling upgrade.
    fn known(self) -> Option<Stored<Task>> {
        let TaskRow { id, kind, subject, detail, created_at, due_at } = self;
        let kind = TaskKind::parse(&kind)?;
        let detail = serde_json::from_str(&detail).map_err(|_| unreadable("staff_tasks.detail", &id));
        Some(detail.map(|detail| Task { id, kind, subject, detail, created_at, due_at }))
    }
}

impl Db {
    /// Whether there is an open task of this kind about the subject.
    pub async fn has_task(&self, subject: &str, kind: TaskKind) -> Stored<bool> {
        let sql = "SELECT COUNT(*) FROM staff_tasks WHERE subject = $1 AND kind = $2 AND done_at IS NULL";
        let counts: Vec<(i64,)> = self.fetch_all(sql, args![subject, kind.as_str()]).await?;
        Ok(counts.iter().any(|(count,)| *count > 0))
    }

    /// Returns the open tasks of an application, oldest first.
    pub async fn open_tasks(&self, application_id: &str) -> Stored<Vec<Task>> {
        let sql = "SELECT id, kind, subject, detail, created_at, due_at FROM staff_tasks \
                   WHERE subject = $1 AND done_at IS NULL ORDER BY created_at, id";
        let rows: Vec<TaskRow> = self.fetch_all(sql, args![&subject_of(application_id)]).await?;
        rows.into_iter().filter_map(TaskRow::known).collect()
    }

    /// Closes the tasks of a kind about the subject. Returns false if there was none.
    pub async fn finish_tasks(&self, subject: &str, kind: TaskKind, audit: &AuditEntry) -> Stored<bool> {
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

    /// Closes a task of an application, on behalf of somebody who has looked at it. Returns false if it is already
    /// closed.
    pub async fn tick_off(
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

    /// Reopens a task that `by` has ticked off. Returns false if it was closed otherwise, the stage has changed since,
    /// or the same task is open meanwhile.
    pub async fn untick(&self, application_id: &str, task_id: &str, by: &str, audit: &AuditEntry) -> Stored<bool> {
        let mut tx = self.begin().await?;
        let sql = "UPDATE staff_tasks SET done_at = NULL, closed_by = NULL, note = '' \
                   WHERE id = $1 AND subject = $2 AND closed_by = $3 AND done_at IS NOT NULL \
                   AND NOT EXISTS (SELECT 1 FROM stage_changes c WHERE c.application_id = $4 \
                   AND c.happened_at > staff_tasks.done_at) \
                   AND NOT EXISTS (SELECT 1 FROM staff_tasks o WHERE o.subject = staff_tasks.subject \
                   AND o.kind = staff_tasks.kind AND o.detail = staff_tasks.detail AND o.done_at IS NULL)";
        if tx.execute(sql, args![task_id, &subject_of(application_id), by, application_id]).await? == 0 {
            return Ok(false);
        }
        tx.audit(audit).await?;
        relist(&mut tx, application_id).await?;
        tx.commit().await?;
        Ok(true)
    }

    /// Returns open tasks of all applications.
    pub async fn tasks(&self, query: &TaskQuery<'_>) -> Stored<Vec<ListedTask>> {
        let except = query.except.map(subject_of);
        let mut args: Vec<Arg<'_>> = Vec::new();
        let mut of_kinds = Vec::new();
        // A page of each kind from the index, and the first of all these: however many others there are.
        for kind in query.kinds {
            let mut sql = format!("SELECT * FROM (SELECT * {}", open_of(query.of, *kind, &mut args));
            if let Some(after) = query.after {
                args.extend([Arg::from(after.moment), Arg::from(&after.id)]);
                let (moment, id) = (args.len() - 1, args.len());
                let behind = format!(
                    " AND COALESCE(due_at, created_at) >= ${moment} \
                     AND (COALESCE(due_at, created_at) > ${moment} OR id > ${id})"
                );
                sql.push_str(&behind);
            }
            if let Some(except) = &except {
                args.push(except.into());
                sql.push_str(&format!(" AND subject <> ${}", args.len()));
            }
            args.push(query.limit.into());
            sql.push_str(&format!(" ORDER BY COALESCE(due_at, created_at), id LIMIT ${}) k", args.len()));
            of_kinds.push(sql);
        }
        if of_kinds.is_empty() {
            return Ok(Vec::new());
        }
        args.push(query.limit.into());
        let sql = format!(
            "SELECT t.id, t.kind, t.subject, t.detail, t.created_at, t.due_at, l.application_id, l.first_name, \
             l.last_name, l.reference, l.program, l.stage, m.id AS owner_id, m.name AS owner_name FROM ({}) t \
             JOIN listings l ON l.application_id = SUBSTR(t.subject, 13) LEFT JOIN staff m ON m.id = t.assigned_to \
             ORDER BY COALESCE(t.due_at, t.created_at), t.id LIMIT ${}",
            of_kinds.join(" UNION ALL "),
            args.len()
        );
        let rows: Vec<ListedTaskRow> = self.fetch_built(&sql, &args).await?;
        rows.into_iter().filter_map(ListedTaskRow::known).collect()
    }

    /// Counts the open tasks of each kind.
    pub async fn count_tasks(&self, of: TasksOf<'_>, kinds: &[TaskKind]) -> Stored<Vec<(TaskKind, Counted)>> {
        let mut args: Vec<Arg<'_>> = Vec::new();
        let mut of_kinds = Vec::new();
        for kind in kinds {
            let open = open_of(of, *kind, &mut args);
            let (kind, limit) = (kind.as_str(), MAX_COUNTED + 1);
            of_kinds.push(format!(
                "SELECT '{kind}' AS kind, (SELECT COUNT(*) FROM (SELECT 1 {open} LIMIT {limit}) o) AS number"
            ));
        }
        if of_kinds.is_empty() {
            return Ok(Vec::new());
        }
        let rows: Vec<(String, i64)> = self.fetch_built(&of_kinds.join(" UNION ALL "), &args).await?;
        let counted = |(kind, number): (String, i64)| {
            let counted = Counted { number: number.min(MAX_COUNTED), is_all: number <= MAX_COUNTED };
            TaskKind::parse(&kind).map(|kind| (kind, counted))
        };
        Ok(rows.into_iter().filter_map(counted).filter(|(_, counted)| counted.number > 0).collect())
    }

    /// Reassigns an open task. Returns false if it was reassigned or closed meanwhile.
    pub async fn give_task(
        &self,
        task_id: &str,
        from: Option<&str>,
        to: Option<&str>,
        audit: &AuditEntry,
    ) -> Stored<bool> {
        let mut tx = self.begin().await?;
        let sql = "UPDATE staff_tasks SET assigned_to = $3 \
                   WHERE id = $1 AND COALESCE(assigned_to, '') = COALESCE($2, '') AND done_at IS NULL";
        if tx.execute(sql, args![task_id, from, to]).await? == 0 {
            return Ok(false);
        }
        tx.audit(audit).await?;
        tx.commit().await?;
        Ok(true)
    }

    /// Closes up to `limit` open tasks, in the order of their ids after `after`, that a later change of stage should
    /// have closed. Returns the id of the last one that was looked at, `None` at the end.
    pub async fn close_overtaken_tasks(&self, after: &str, limit: i64, now: Millis) -> Stored<Option<String>> {
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
    /// Closes the tasks of this kind about `subject`. Returns how many.
    pub(super) async fn tasks_done(&mut self, subject: &str, kind: TaskKind, now: Millis) -> Stored<u64> {
        let sql = "UPDATE staff_tasks SET done_at = $3 WHERE subject = $1 AND kind = $2 AND done_at IS NULL";
        self.execute(sql, args![subject, kind.as_str(), now]).await
    }

    /// Gives staff a task, unless the same one is open already.
    pub(super) async fn task(&mut self, task: &Task) -> Stored<()> {
        let Task { id, kind, subject, detail, created_at, due_at } = task;
        let detail = detail.to_string();
        let same = "SELECT id FROM staff_tasks WHERE subject = $1 AND kind = $2 AND detail = $3 AND done_at IS NULL";
        let same: Vec<(String,)> = self.fetch_all(same, args![subject, kind.as_str(), &detail]).await?;
        if same.is_empty() {
            // Assigned to whoever held the last interview, or to the owner of the application.
            let sql = "INSERT INTO staff_tasks (id, kind, subject, detail, created_at, due_at, assigned_to) \
                       VALUES ($1, $2, $3, $4, $5, $6, CASE WHEN $7 = 1 \
                       THEN (SELECT s.staff_id FROM interviews i JOIN interview_slots s ON s.id = i.slot_id \
                       WHERE i.application_id = SUBSTR($3, 13) ORDER BY i.booked_at DESC, i.id DESC LIMIT 1) \
                       ELSE (SELECT a.assigned_to FROM applications a WHERE a.id = SUBSTR($3, 13)) END)";
            let is_of_interviewer = i64::from(kind.is_of_interviewer());
            self.execute(sql, args![id, kind.as_str(), subject, &detail, *created_at, *due_at, is_of_interviewer])
                .await?;
            if let Some(application_id) = subject.strip_prefix("application:") {
                let sql = "UPDATE listings SET needs_action = 1 WHERE application_id = $1 AND tab <> 'over'";
                self.execute(sql, args![application_id]).await?;
            }
        }
        Ok(())
    }

    /// Closes tasks that a change of stage has made obsolete. An application that is brought back gets its former tasks
    /// again.
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
            // A request for a waiver may have got its answer in the meantime.
            let sql = "UPDATE staff_tasks SET done_at = NULL, closed_by = NULL WHERE subject = $1 AND closed_by = $2 \
                       AND done_at = (SELECT MAX(happened_at) FROM stage_changes \
                       WHERE application_id = $3 AND to_stage = $4) \
                       AND (kind <> $5 OR EXISTS (SELECT 1 FROM application_fees WHERE application_id = $3 \
                       AND state = 'due' AND need_at IS NOT NULL AND need_refused_at IS NULL))";
            let (archived, waiver) = (Stage::Archived.as_str(), TaskKind::FeeWaiver.as_str());
            self.execute(sql, args![&subject, BY_STAGE, application_id, archived, waiver]).await?;
        }
        Ok(())
    }

    /// Opens the tasks that the state of an application calls for, and removes the others that follow from a state.
    pub(super) async fn stand_tasks(
        &mut self,
        application_id: &str,
        standing: &[StandingTask],
        owner: Option<&str>,
        interviewer: Option<&str>,
    ) -> Stored<()> {
        let subject = subject_of(application_id);
        let there = "SELECT id, kind FROM staff_tasks WHERE subject = $1 AND done_at IS NULL";
        let there: Vec<(String, String)> = self.fetch_all(there, args![&subject]).await?;
        for (id, kind) in there {
            let is_over = |kind: TaskKind| kind.is_standing() && !standing.iter().any(|task| task.kind == kind);
            // Like the row in the list, a task says what is, not what was: the timeline has that.
            if TaskKind::parse(&kind).is_some_and(is_over) {
                self.execute("DELETE FROM staff_tasks WHERE id = $1", args![&id]).await?;
            }
        }
        for StandingTask { kind, since, due } in standing {
            let theirs = if kind.is_of_interviewer() { interviewer } else { owner };
            let id = format!("{application_id}:{}", kind.as_str());
            // Whoever took it keeps it, but an interview belongs to its interviewer.
            let sql = "INSERT INTO staff_tasks (id, kind, subject, detail, created_at, due_at, assigned_to) \
                       VALUES ($1, $2, $3, '{}', $4, $5, $6) ON CONFLICT (id) DO UPDATE SET created_at = $4, due_at = $5, \
                       assigned_to = CASE WHEN $7 = 1 THEN $6 ELSE staff_tasks.assigned_to END \
                       WHERE staff_tasks.created_at <> $4 OR COALESCE(staff_tasks.due_at, 0) <> COALESCE($5, 0) OR $7 = 1";
            let is_of_interviewer = i64::from(kind.is_of_interviewer());
            self.execute(sql, args![&id, kind.as_str(), &subject, *since, *due, theirs, is_of_interviewer]).await?;
        }
        Ok(())
    }

    /// Gives the tasks of an application to its new owner.
    pub(super) async fn hand_over_tasks(&mut self, application_id: &str, owner: Option<&str>) -> Stored<()> {
        let subject = subject_of(application_id);
        let sql = "SELECT id, kind FROM staff_tasks WHERE subject = $1 AND done_at IS NULL";
        let open: Vec<(String, String)> = self.fetch_all(sql, args![&subject]).await?;
        for (id, kind) in open {
            if TaskKind::parse(&kind).is_none_or(TaskKind::is_personal) {
                continue;
            }
            self.execute("UPDATE staff_tasks SET assigned_to = $2 WHERE id = $1", args![&id, owner]).await?;
        }
        Ok(())
    }

    /// Whether an application has an open task.
    pub(super) async fn has_open_task(&mut self, application_id: &str) -> Stored<bool> {
        let sql = "SELECT COUNT(*) FROM staff_tasks WHERE subject = $1 AND done_at IS NULL";
        let counts: Vec<(i64,)> = self.fetch_all(sql, args![&subject_of(application_id)]).await?;
        Ok(counts.iter().any(|(count,)| *count > 0))
    }

    async fn close_by_stage(&mut self, id: &str, at: Millis) -> Stored<()> {
        let sql = "UPDATE staff_tasks SET done_at = $2, closed_by = $3 WHERE id = $1 AND done_at IS NULL";
        self.execute(sql, args![id, at, BY_STAGE]).await?;
        Ok(())
    }
}
