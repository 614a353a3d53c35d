//! Lines of applications that wait for a place of an intake. Who is in a line follows from the stage; where, from here.

use super::Db;
use super::error::{missing, unreadable};
use super::in_place::row;
use super::listings::relist;
use super::query::{Tx, args};
use crate::{AuditEntry, NewJob, Stored};
use domain::intake::Intake;
use domain::moments::Millis;
use domain::program::Program;
use domain::status::Act;
use domain::task::{Task, TaskKind};
use domain::waitlist::{Move, Waiting, WaitlistPlace, moved};

/// The order of a line: by hand, then by joining.
macro_rules! in_line {
    ($row:literal) => {
        concat!("COALESCE(", $row, ".priority, 9223372036854775807), ", $row, ".joined_at, ", $row, ".application_id")
    };
}

/// The applications in the line of the intake `$1` of the program `$2`.
macro_rules! of_line {
    ($columns:literal, $more:literal) => {
        concat!(
            "SELECT ",
            $columns,
            " FROM waitlist w JOIN applications a ON a.id = w.application_id \
             WHERE w.intake = $1 AND a.program = $2 AND w.left_at IS NULL ORDER BY ",
            in_line!("w"),
            $more
        )
    };
}

/// The first in a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FirstInLine {
    pub application_id: String,
    pub revision: i64,
    /// Id of the member of staff who put it there.
    pub joined_by: String,
    /// Id of the drafted acceptance with which it was put there.
    pub decision_id: String,
}

/// An application in a line, as the office sees it.
#[derive(Debug, Clone)]
pub struct InLine {
    pub application_id: String,
    pub first_name: String,
    pub last_name: String,
    pub reference: Option<String>,
    /// Id and name of the owner.
    pub owner: Option<(String, String)>,
    pub joined_at: Millis,
    pub priority: Option<i64>,
    /// The mean of its readings in thousandths; `None` without one, and while that of whoever looks is not sent.
    pub score: Option<i64>,
    pub revision: i64,
}

/// What became of a move in a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineMove {
    Done,
    /// The application is in no line.
    NotWaiting,
    /// The other application is not in the same line.
    OtherElsewhere,
}

row! {
    struct InLineRow {
        application_id: String,
        first_name: String,
        last_name: String,
        reference: Option<String>,
        owner_id: Option<String>,
        owner_name: Option<String>,
        joined_at: i64,
        priority: Option<i64>,
        scored: i64,
        score: Option<i64>,
        blind: i64,
        revision: i64,
    }
}

impl From<InLineRow> for InLine {
    fn from(row: InLineRow) -> Self {
        InLine {
            owner: row.owner_id.zip(row.owner_name),
            // Whoever is to score it does not see how others did.
            score: row.score.filter(|_| row.scored > 0 && row.blind == 0).map(|sum| sum / row.scored),
            application_id: row.application_id,
            first_name: row.first_name,
            last_name: row.last_name,
            reference: row.reference,
            joined_at: row.joined_at,
            priority: row.priority,
            revision: row.revision,
        }
    }
}

impl Db {
    /// Counts the applications in each line.
    pub async fn waitlists(&self) -> Stored<Vec<(Program, Intake, i64)>> {
        let sql = "SELECT a.program, w.intake, COUNT(*) AS waiting FROM waitlist w \
                   JOIN applications a ON a.id = w.application_id WHERE w.left_at IS NULL \
                   GROUP BY a.program, w.intake ORDER BY a.program, w.intake";
        let rows: Vec<(String, String, i64)> = self.fetch_all(sql, args![]).await?;
        let read = |(program, intake, waiting): (String, String, i64)| {
            let known = Program::of_application_type(&program).zip(Intake::parse(&intake));
            let (program, intake) = known.ok_or_else(|| unreadable("waitlist.intake", &intake))?;
            Ok((program, intake, waiting))
        };
        rows.into_iter().map(read).collect()
    }

    /// Returns the first in a line.
    pub async fn first_in_line(&self, program: Program, intake: Intake) -> Stored<Option<FirstInLine>> {
        let sql = of_line!("w.application_id, a.revision, w.joined_by, w.decision_id", " LIMIT 1");
        let rows: Vec<(String, i64, String, String)> =
            self.fetch_all(sql, args![&intake.code(), program.application_type()]).await?;
        let first = |(application_id, revision, joined_by, decision_id)| FirstInLine {
            application_id,
            revision,
            joined_by,
            decision_id,
        };
        Ok(rows.into_iter().next().map(first))
    }

    /// Returns the applications in a line, in its order, as `looker` sees them.
    pub async fn line(&self, program: Program, intake: Intake, looker: &str, limit: i64) -> Stored<Vec<InLine>> {
        let sql = concat!(
            "SELECT w.application_id, l.first_name, l.last_name, l.reference, m.id AS owner_id, \
             COALESCE(NULLIF(m.name, ''), m.email) AS owner_name, w.joined_at, w.priority, \
             (SELECT COUNT(r.sent_at) FROM readings r WHERE r.application_id = w.application_id) AS scored, \
             (SELECT CAST(SUM(r.score) AS BIGINT) FROM readings r WHERE r.application_id = w.application_id) AS score, \
             (SELECT COUNT(*) FROM readings r WHERE r.application_id = w.application_id AND r.reader_id = $3 \
             AND r.sent_at IS NULL) AS blind, a.revision \
             FROM waitlist w JOIN applications a ON a.id = w.application_id \
             JOIN listings l ON l.application_id = w.application_id LEFT JOIN staff m ON m.id = a.assigned_to \
             WHERE w.intake = $1 AND a.program = $2 AND w.left_at IS NULL ORDER BY ",
            in_line!("w"),
            " LIMIT $4"
        );
        let code = intake.code();
        let args = args![&code, program.application_type(), looker, limit];
        let rows: Vec<InLineRow> = self.fetch_all(sql, args).await?;
        Ok(rows.into_iter().map(InLine::from).collect())
    }

    /// Returns the place of an application in its line, or that which it had when it left.
    pub async fn waitlist_place(&self, application_id: &str) -> Stored<Option<WaitlistPlace>> {
        let sql = concat!(
            "SELECT w.intake, w.joined_at, (SELECT COUNT(*) FROM waitlist o JOIN applications b \
             ON b.id = o.application_id WHERE o.intake = w.intake AND b.program = a.program AND o.left_at IS NULL \
             AND (",
            in_line!("o"),
            ") < (",
            in_line!("w"),
            ")) AS ahead FROM waitlist w JOIN applications a ON a.id = w.application_id WHERE w.application_id = $1"
        );
        let rows: Vec<(String, i64, i64)> = self.fetch_all(sql, args![application_id]).await?;
        let Some((intake, joined_at, ahead)) = rows.into_iter().next() else { return Ok(None) };
        let intake = Intake::parse(&intake).ok_or_else(|| unreadable("waitlist.intake", application_id))?;
        Ok(Some(WaitlistPlace { intake, joined_at, position: Some(ahead + 1) }))
    }

    /// Moves an application in its line, and plans the job that follows from it.
    pub async fn move_in_line(
        &self,
        application_id: &str,
        to: &Move,
        audit: &AuditEntry,
        job: &NewJob,
    ) -> Stored<LineMove> {
        let mut tx = self.begin().await?;
        // The application first, as in every change of it, to avoid deadlocks.
        let sql = "UPDATE applications SET revision = revision WHERE id = $1 AND stage = 'waitlisted'";
        if tx.execute(sql, args![application_id]).await? == 0 {
            return Ok(LineMove::NotWaiting);
        }
        let sql = "SELECT a.program, w.intake FROM waitlist w JOIN applications a ON a.id = w.application_id \
                   WHERE w.application_id = $1 AND w.left_at IS NULL";
        let found: Vec<(String, String)> = tx.fetch_all(sql, args![application_id]).await?;
        let Some((program, intake)) = found.into_iter().next() else {
            return Err(missing("place on the waitlist of", application_id));
        };
        let program =
            Program::of_application_type(&program).ok_or_else(|| unreadable("applications.program", application_id))?;
        // A concurrent move in the same line waits here.
        tx.lock_intake(program, &intake).await?;
        let sql = of_line!("w.application_id, w.priority", "");
        let rows: Vec<(String, Option<i64>)> = tx.fetch_all(sql, args![&intake, program.application_type()]).await?;
        let line: Vec<Waiting> =
            rows.into_iter().map(|(application_id, priority)| Waiting { application_id, priority }).collect();
        let Some(changed) = moved(&line, application_id, to) else { return Ok(LineMove::OtherElsewhere) };
        if changed.is_empty() {
            return Ok(LineMove::Done);
        }
        for Waiting { application_id, priority } in &changed {
            let sql = "UPDATE waitlist SET priority = $2 WHERE application_id = $1";
            tx.execute(sql, args![application_id, *priority]).await?;
        }
        tx.audit(audit).await?;
        tx.job(job).await?;
        tx.commit().await?;
        Ok(LineMove::Done)
    }

    /// Gives staff the task about a free place, unless the same one is open, and closes all others in the line.
    pub async fn tell_of_place(
        &self,
        program: Program,
        intake: Intake,
        wanted: Option<&Task>,
        now: Millis,
    ) -> Stored<()> {
        let sql = "SELECT a.id, t.detail FROM staff_tasks t JOIN applications a ON a.id = SUBSTR(t.subject, 13) \
                   JOIN waitlist w ON w.application_id = a.id \
                   WHERE t.kind = 'place-free' AND t.done_at IS NULL AND w.intake = $1 AND a.program = $2";
        let open: Vec<(String, String)> =
            self.fetch_all(sql, args![&intake.code(), program.application_type()]).await?;
        let about = |task: &Task| task.subject.strip_prefix("application:").unwrap_or_default().to_owned();
        let wanted_as = wanted.map(|task| (about(task), task.detail.to_string()));
        let is_wanted = |task: &(String, String)| wanted_as.as_ref() == Some(task);
        for (id, _) in open.iter().filter(|task| !is_wanted(task)) {
            let mut tx = self.begin().await?;
            // The application first, as in every change of it.
            tx.execute("UPDATE applications SET revision = revision WHERE id = $1", args![id]).await?;
            tx.tasks_done(&format!("application:{id}"), TaskKind::PlaceFree, now).await?;
            relist(&mut tx, id).await?;
            tx.commit().await?;
        }
        if let Some(task) = wanted.filter(|_| !open.iter().any(is_wanted)) {
            let mut tx = self.begin().await?;
            // It may have left the line a moment ago.
            let sql = "UPDATE applications SET revision = revision WHERE id = $1 AND stage = 'waitlisted'";
            if tx.execute(sql, args![&about(task)]).await? > 0 {
                tx.task(task).await?;
                tx.commit().await?;
            }
        }
        Ok(())
    }
}

/// Puts an application at the end of the line for which its acceptance `decision_id` is drafted. Returns how many rows
/// that has changed.
pub(super) async fn join(
    tx: &mut Tx,
    application_id: &str,
    decision_id: &str,
    staff_id: &str,
    at: Millis,
) -> Stored<u64> {
    let sql = "INSERT INTO waitlist (application_id, intake, priority, joined_at, joined_by, decision_id, left_at, \
               left_how) SELECT d.application_id, d.intake, NULL, $3, $4, d.id, NULL, NULL FROM decisions d \
               WHERE d.application_id = $1 AND d.id = $2 ON CONFLICT (application_id) DO UPDATE \
               SET intake = excluded.intake, priority = NULL, joined_at = excluded.joined_at, \
               joined_by = excluded.joined_by, decision_id = excluded.decision_id, left_at = NULL, left_how = NULL";
    tx.execute(sql, args![application_id, decision_id, at, staff_id]).await
}

/// Lets an application back in where it was, as an act is undone.
pub(super) async fn come_back(tx: &mut Tx, application_id: &str) -> Stored<()> {
    let sql = "UPDATE waitlist SET left_at = NULL, left_how = NULL WHERE application_id = $1";
    match tx.execute(sql, args![application_id]).await? {
        0 => Err(missing("place on the waitlist of", application_id)),
        _ => Ok(()),
    }
}

/// Takes an application out of its line.
pub(super) async fn leave(tx: &mut Tx, application_id: &str, act: Act, at: Millis) -> Stored<()> {
    let sql = "UPDATE waitlist SET left_at = $2, left_how = $3 WHERE application_id = $1 AND left_at IS NULL";
    tx.execute(sql, args![application_id, at, act.as_str()]).await?;
    Ok(())
}

/// Whether an application waits for another intake than this one.
pub(super) async fn waits_for_another(tx: &mut Tx, application_id: &str, intake: Intake) -> Stored<bool> {
    let sql = "SELECT application_id FROM waitlist WHERE application_id = $1 AND left_at IS NULL AND intake <> $2";
    let rows: Vec<(String,)> = tx.fetch_all(sql, args![application_id, &intake.code()]).await?;
    Ok(!rows.is_empty())
}
