//! Bookable times, holds, and interviews.

use super::Db;
use super::error::{missing, unreadable};
use super::in_place::{joined_row, row};
use super::query::{Tx, args};
use crate::{AuditEntry, StoreError, Stored};
use domain::interview::{Hold, Interview, InterviewOutcome, Slot, Span, Wishes};
use domain::moments::Millis;
use domain::task::{Task, TaskKind};

/// A time that a member of staff opens for booking.
#[derive(Debug, Clone)]
pub struct NewSlot {
    pub id: String,
    pub span: Span,
}

/// Which slots can be chosen from.
#[derive(Debug, Clone, Copy, Default)]
pub struct SlotRequest<'a> {
    /// Only those that are as far ahead as their interviewers require.
    pub noticed: bool,
    /// Only those of this member of staff.
    pub only: Option<&'a str>,
}

/// What a change of stage does to the interview.
#[derive(Debug, Clone)]
pub enum InterviewChange {
    /// Books a new one in this slot.
    Book { id: String, slot_id: String },
    /// Moves it to another slot; `counted` if it is one of the applicant's moves.
    Move { id: String, slot_id: String, counted: bool },
    /// Gives the slot back.
    Free { id: String },
    /// Takes the slot again.
    Retake { id: String },
    /// Records how it ended, or that this is not known after all.
    Record { id: String, outcome: Option<InterviewOutcome> },
}

/// More than anyone looks through.
const MAX_TIMES: i64 = 2000;

/// Columns of `interview_slots s` and `staff m`.
macro_rules! slot_columns {
    () => {
        "s.id AS slot_id, s.starts_at, s.minutes, m.id AS interviewer_id, m.email"
    };
}

row! {
    struct SlotRow {
        slot_id: String,
        starts_at: i64,
        minutes: i64,
        interviewer_id: String,
        email: String,
    }
}

impl From<SlotRow> for Slot {
    fn from(row: SlotRow) -> Self {
        let SlotRow { slot_id, starts_at, minutes, interviewer_id, email } = row;
        Slot { id: slot_id, span: Span { starts_at, minutes }, interviewer_id, interviewer_email: email }
    }
}

row! {
    struct UntilRow {
        held_until: i64,
    }
}

joined_row! {
    struct HoldRow {
        slot: SlotRow,
        hold: UntilRow,
    }
}

row! {
    struct BookingRow {
        interview_id: String,
        sequence: i64,
        moves: i64,
        booked_at: i64,
        freed_at: Option<i64>,
        outcome: Option<String>,
        no_shows: i64,
        claims: i64,
    }
}

joined_row! {
    struct InterviewRow {
        slot: SlotRow,
        booking: BookingRow,
    }
}

impl TryFrom<InterviewRow> for Interview {
    type Error = StoreError;

    fn try_from(row: InterviewRow) -> Result<Self, StoreError> {
        let InterviewRow { slot, booking: row } = row;
        let interview_id = row.interview_id;
        let outcome = row.outcome.as_deref().map(|outcome| {
            InterviewOutcome::parse(outcome).ok_or_else(|| unreadable("interviews.outcome", &interview_id))
        });
        Ok(Interview {
            outcome: outcome.transpose()?,
            id: interview_id,
            slot: slot.into(),
            sequence: row.sequence,
            moves: row.moves,
            booked_at: row.booked_at,
            freed_at: row.freed_at,
            no_shows: row.no_shows,
            slot_free: row.claims == 0,
        })
    }
}

row! {
    struct WishesRow {
        first_at: i64,
        second_at: i64,
        third_at: i64,
        sent_at: i64,
    }
}

/// Whether the application `$3` can have the slot `s` of the staff member `m`, whose claim is `c`, at `$2`.
macro_rules! is_free {
    () => {
        "m.suspended_at IS NULL AND s.closed_at IS NULL AND (c.slot_id IS NULL OR c.held_until <= $2 OR (c.held_until IS NOT NULL AND c.application_id = $3))"
    };
}

/// Whether the slot `s` is as far ahead of `$2` as its interviewer requires.
macro_rules! is_noticed {
    () => {
        "s.starts_at - s.notice * 3600000 >= $2"
    };
}

/// Whether the slot `s` is among those asked for: `$4` and `$5`.
macro_rules! is_asked {
    () => {
        concat!("($4 = 0 OR ", is_noticed!(), ") AND (CAST($5 AS TEXT) IS NULL OR s.staff_id = CAST($5 AS TEXT))")
    };
}

macro_rules! slots_at {
    ($($more:tt)*) => {
        concat!(
            "SELECT ",
            slot_columns!(),
            " FROM interview_slots s JOIN staff m ON m.id = s.staff_id LEFT JOIN slot_claims c ON c.slot_id = s.id \
             WHERE s.starts_at = $1 AND ",
            is_free!(),
            " AND ",
            $($more)*,
            // A slot held for the application comes first.
            " ORDER BY CASE WHEN c.application_id = $3 THEN 0 ELSE 1 END, s.id"
        )
    };
}

impl Db {
    /// Opens slots of one member of staff, all or none.
    ///
    /// # Errors
    /// [`StoreError::Taken`]`("slots")` if one overlaps another of theirs.
    pub async fn open_slots(&self, staff_id: &str, slots: &[NewSlot], now: Millis, audit: &AuditEntry) -> Stored<()> {
        let mut tx = self.begin().await?;
        // Concurrent changes of the same person's times wait here.
        tx.execute("UPDATE staff SET role = role WHERE id = $1", args![staff_id]).await?;
        for slot in slots {
            let written = tx
                .execute(
                    "INSERT INTO interview_slots (id, staff_id, starts_at, minutes, created_at) \
                     SELECT CAST($1 AS TEXT), m.id, CAST($3 AS BIGINT), CAST($4 AS BIGINT), CAST($6 AS BIGINT) \
                     FROM staff m WHERE m.id = $2 AND NOT EXISTS (SELECT 1 FROM interview_slots o \
                     WHERE o.staff_id = $2 AND o.closed_at IS NULL \
                     AND o.starts_at < $5 AND o.starts_at + o.minutes * 60000 > $3) \
                     ON CONFLICT (staff_id, starts_at) DO UPDATE SET minutes = excluded.minutes, notice = 0, \
                     by_rule = 0, closed_at = NULL WHERE interview_slots.closed_at IS NOT NULL",
                    args![&slot.id, staff_id, slot.span.starts_at, slot.span.minutes, slot.span.ends_at(), now],
                )
                .await?;
            if written == 0 {
                return Err(StoreError::Taken("slots"));
            }
        }
        tx.audit(audit).await?;
        tx.commit().await
    }

    /// Returns the times from `from` on at which an interview is possible, each once and in order. Those held for
    /// others are excluded, those held for this application are included.
    pub async fn free_times(
        &self,
        application_id: &str,
        from: Millis,
        now: Millis,
        asked: SlotRequest<'_>,
    ) -> Stored<Vec<Millis>> {
        let sql = concat!(
            "SELECT DISTINCT s.starts_at FROM interview_slots s JOIN staff m ON m.id = s.staff_id \
             LEFT JOIN slot_claims c ON c.slot_id = s.id WHERE s.starts_at >= $1 AND ",
            is_free!(),
            " AND ",
            is_asked!(),
            " ORDER BY s.starts_at LIMIT $6"
        );
        let args = args![from, now, application_id, i64::from(asked.noticed), asked.only, MAX_TIMES];
        let rows: Vec<(i64,)> = self.fetch_all(sql, args).await?;
        Ok(rows.into_iter().map(|(starts_at,)| starts_at).collect())
    }

    /// Returns the slots from `from` on that can be taken, in order.
    pub async fn free_slots(
        &self,
        application_id: &str,
        from: Millis,
        now: Millis,
        asked: SlotRequest<'_>,
    ) -> Stored<Vec<Slot>> {
        let sql = concat!(
            "SELECT ",
            slot_columns!(),
            " FROM interview_slots s JOIN staff m ON m.id = s.staff_id LEFT JOIN slot_claims c ON c.slot_id = s.id \
             WHERE s.starts_at >= $1 AND ",
            is_free!(),
            " AND ",
            is_asked!(),
            " ORDER BY s.starts_at, s.id LIMIT $6"
        );
        let args = args![from, now, application_id, i64::from(asked.noticed), asked.only, MAX_TIMES];
        let rows: Vec<SlotRow> = self.fetch_all(sql, args).await?;
        Ok(rows.into_iter().map(Slot::from).collect())
    }

    /// Returns a slot at this time that the application can take: the one held for it, or any.
    pub async fn free_slot(
        &self,
        application_id: &str,
        starts_at: Millis,
        now: Millis,
        asked: SlotRequest<'_>,
    ) -> Stored<Option<Slot>> {
        let sql = concat!(slots_at!(is_asked!()), " LIMIT 1");
        let args = args![starts_at, now, application_id, i64::from(asked.noticed), asked.only];
        let row: Option<SlotRow> = self.fetch_optional(sql, args).await?;
        Ok(row.map(Slot::from))
    }

    /// Holds a slot at this time for the application until `until`, and gives up its previous hold. Returns `None` if
    /// others have them all; the previous hold then stays.
    pub async fn hold_slot(
        &self,
        application_id: &str,
        starts_at: Millis,
        now: Millis,
        until: Millis,
    ) -> Stored<Option<Slot>> {
        let mut tx = self.begin().await?;
        // The applicant's other tabs wait here: each application holds one time.
        let lock = "UPDATE applications SET revision = revision WHERE id = $1";
        tx.execute(lock, args![application_id]).await?;
        let rows: Vec<SlotRow> = tx.fetch_all(slots_at!(is_noticed!()), args![starts_at, now, application_id]).await?;
        for slot in rows.into_iter().map(Slot::from) {
            if claim(&mut tx, &slot.id, application_id, Some(until), now).await? {
                let others =
                    "DELETE FROM slot_claims WHERE application_id = $1 AND slot_id <> $2 AND held_until IS NOT NULL";
                tx.execute(others, args![application_id, &slot.id]).await?;
                tx.commit().await?;
                return Ok(Some(slot));
            }
        }
        Ok(None)
    }

    /// Returns the slot that is held for the application.
    pub async fn held_slot(&self, application_id: &str, now: Millis) -> Stored<Option<Hold>> {
        let sql = concat!(
            "SELECT ",
            slot_columns!(),
            ", c.held_until FROM slot_claims c JOIN interview_slots s ON s.id = c.slot_id \
             JOIN staff m ON m.id = s.staff_id WHERE c.application_id = $1 AND c.held_until > $2 \
             ORDER BY c.held_until DESC LIMIT 1"
        );
        let row: Option<HoldRow> = self.fetch_optional(sql, args![application_id, now]).await?;
        Ok(row.map(|row| Hold { slot: row.slot.into(), until: row.hold.held_until }))
    }

    /// Returns the application's latest interview.
    pub async fn interview(&self, application_id: &str, now: Millis) -> Stored<Option<Interview>> {
        let sql = concat!(
            "SELECT ",
            slot_columns!(),
            ", i.id AS interview_id, i.sequence, i.moves, i.booked_at, i.freed_at, i.outcome, \
             (SELECT COUNT(*) FROM interviews n WHERE n.application_id = $1 AND n.outcome = 'no_show') AS no_shows, \
             (SELECT COUNT(*) FROM slot_claims c WHERE c.slot_id = i.slot_id \
             AND (c.held_until IS NULL OR c.held_until > $2)) \
             + CASE WHEN s.closed_at IS NULL THEN 0 ELSE 1 END AS claims \
             FROM interviews i JOIN interview_slots s ON s.id = i.slot_id JOIN staff m ON m.id = s.staff_id \
             WHERE i.application_id = $1 ORDER BY i.booked_at DESC, i.id DESC LIMIT 1"
        );
        let row: Option<InterviewRow> = self.fetch_optional(sql, args![application_id, now]).await?;
        row.map(Interview::try_from).transpose()
    }

    pub async fn wishes(&self, application_id: &str) -> Stored<Option<Wishes>> {
        let sql = "SELECT first_at, second_at, third_at, sent_at FROM interview_wishes WHERE application_id = $1";
        let row: Option<WishesRow> = self.fetch_optional(sql, args![application_id]).await?;
        Ok(row.map(|WishesRow { first_at, second_at, third_at, sent_at }| Wishes {
            times: [first_at, second_at, third_at],
            sent_at,
        }))
    }

    /// Replaces earlier wishes. The task is written unless one of its kind is open for the subject.
    pub async fn save_wishes(
        &self,
        application_id: &str,
        wishes: &Wishes,
        audit: &AuditEntry,
        task: &Task,
    ) -> Stored<()> {
        let mut tx = self.begin().await?;
        let [first, second, third] = wishes.times;
        tx.execute(
            "INSERT INTO interview_wishes (application_id, first_at, second_at, third_at, sent_at) \
             VALUES ($1, $2, $3, $4, $5) ON CONFLICT (application_id) DO UPDATE SET first_at = excluded.first_at, \
             second_at = excluded.second_at, third_at = excluded.third_at, sent_at = excluded.sent_at",
            args![application_id, first, second, third, wishes.sent_at],
        )
        .await?;
        let open = "SELECT COUNT(*) FROM staff_tasks WHERE subject = $1 AND kind = $2 AND done_at IS NULL";
        let open: Vec<(i64,)> = tx.fetch_all(open, args![&task.subject, task.kind.as_str()]).await?;
        if open.first().is_none_or(|(count,)| *count == 0) {
            tx.task(task).await?;
        }
        tx.audit(audit).await?;
        tx.commit().await
    }
}

/// Takes the slot for the application if it is free: until `held_until`, or for an interview. The table's key lets only
/// one of several concurrent claims in.
async fn claim(
    tx: &mut Tx,
    slot_id: &str,
    application_id: &str,
    held_until: Option<Millis>,
    now: Millis,
) -> Stored<bool> {
    let sql = "INSERT INTO slot_claims (slot_id, application_id, held_until) \
               SELECT s.id, CAST($2 AS TEXT), CAST($3 AS BIGINT) FROM interview_slots s WHERE s.id = $1 \
               ON CONFLICT (slot_id) DO UPDATE SET application_id = excluded.application_id, \
               held_until = excluded.held_until WHERE slot_claims.held_until <= $4 \
               OR (slot_claims.held_until IS NOT NULL AND slot_claims.application_id = excluded.application_id)";
    Ok(tx.execute(sql, args![slot_id, application_id, held_until, now]).await? == 1)
}

async fn take(tx: &mut Tx, slot_id: &str, application_id: &str, now: Millis) -> Stored<()> {
    if claim(tx, slot_id, application_id, None, now).await? { Ok(()) } else { Err(StoreError::Taken("slot")) }
}

/// Applies a change of stage to an interview, in its transaction.
///
/// # Errors
/// [`StoreError::Taken`]`("slot")` if somebody else has it.
pub(super) async fn change_interview(
    tx: &mut Tx,
    application_id: &str,
    change: &InterviewChange,
    now: Millis,
) -> Stored<()> {
    const FREE: &str = "DELETE FROM slot_claims WHERE held_until IS NULL AND application_id = $1 \
                        AND slot_id = (SELECT slot_id FROM interviews WHERE id = $2)";
    let (id, changed) = match change {
        InterviewChange::Book { id, slot_id } => {
            take(tx, slot_id, application_id, now).await?;
            let sql = "INSERT INTO interviews (id, application_id, slot_id, sequence, moves, booked_at) \
                       VALUES ($1, $2, $3, 0, 0, $4)";
            (id, tx.execute(sql, args![id, application_id, slot_id, now]).await?)
        }
        InterviewChange::Move { id, slot_id, counted } => {
            // The new one first: whoever waits for it has given nothing up, and there is no deadlock.
            take(tx, slot_id, application_id, now).await?;
            tx.execute(FREE, args![application_id, id]).await?;
            let sql = "UPDATE interviews SET slot_id = $2, sequence = sequence + 1, moves = moves + $3 \
                       WHERE id = $1 AND freed_at IS NULL AND outcome IS NULL";
            (id, tx.execute(sql, args![id, slot_id, i64::from(*counted)]).await?)
        }
        InterviewChange::Free { id } => {
            tx.execute(FREE, args![application_id, id]).await?;
            let sql = "UPDATE interviews SET freed_at = $2, sequence = sequence + 1 \
                       WHERE id = $1 AND freed_at IS NULL AND outcome IS NULL";
            (id, tx.execute(sql, args![id, now]).await?)
        }
        InterviewChange::Retake { id } => {
            let slots: Vec<(String,)> = tx.fetch_all("SELECT slot_id FROM interviews WHERE id = $1", args![id]).await?;
            let (slot_id,) = slots.first().ok_or_else(|| missing("interview", id))?;
            take(tx, slot_id, application_id, now).await?;
            let sql = "UPDATE interviews SET freed_at = NULL, sequence = sequence + 1 \
                       WHERE id = $1 AND freed_at IS NOT NULL";
            (id, tx.execute(sql, args![id]).await?)
        }
        InterviewChange::Record { id, outcome } => {
            let sql = "UPDATE interviews SET outcome = $2 WHERE id = $1 AND freed_at IS NULL";
            (id, tx.execute(sql, args![id, outcome.map(InterviewOutcome::as_str)]).await?)
        }
    };
    if changed != 1 {
        return Err(missing("interview", id));
    }
    // After a booking, holds are released and wishes are fulfilled.
    if matches!(change, InterviewChange::Book { .. } | InterviewChange::Move { .. }) {
        let holds = "DELETE FROM slot_claims WHERE application_id = $1 AND held_until IS NOT NULL";
        tx.execute(holds, args![application_id]).await?;
        tx.execute("DELETE FROM interview_wishes WHERE application_id = $1", args![application_id]).await?;
        let tasks = "UPDATE staff_tasks SET done_at = $3 WHERE subject = $1 AND kind = $2 AND done_at IS NULL";
        let subject = format!("application:{application_id}");
        tx.execute(tasks, args![&subject, TaskKind::InterviewWishes.as_str(), now]).await?;
    }
    Ok(())
}
