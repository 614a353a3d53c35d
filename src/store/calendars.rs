//! Rules of availability with the slots generated from them, calendars, feeds and score sheets.

use jiff::civil::{Date, Time, Weekday};
use serde_json::json;

use super::Db;
use super::error::unreadable;
use super::in_place::row;
use super::listings::relist;
use super::query::{Arg, Tx, args};
use super::sheets::{SheetColumns, stored_lines};
use crate::{AuditEntry, NewSlot, StoreError, Stored};
use domain::availability::{Availability, Exception, Hours, Window};
use domain::interview::{Booking, CalendarSlot, InterviewOutcome, InterviewSheet, Rules, Span};
use domain::moments::Millis;
use domain::task::TaskKind;

row! {
    struct RulesRow {
        staff_id: String,
        time_zone: String,
        minutes: i64,
        buffer: i64,
        notice: i64,
        weekly: String,
        exceptions: String,
        revision: i64,
    }
}

impl TryFrom<RulesRow> for Rules {
    type Error = StoreError;

    fn try_from(row: RulesRow) -> Result<Self, StoreError> {
        let RulesRow { staff_id, time_zone, minutes, buffer, notice, weekly, exceptions, revision } = row;
        let weekly = windows(&weekly).ok_or_else(|| unreadable("interview_rules.weekly", &staff_id))?;
        let exceptions =
            all_exceptions(&exceptions).ok_or_else(|| unreadable("interview_rules.exceptions", &staff_id))?;
        let availability = Availability { time_zone, minutes, buffer, notice, weekly, exceptions };
        Ok(Rules { staff_id, availability, revision })
    }
}

fn hours(from: &str, until: &str) -> Option<Hours> {
    Some(Hours { from: from.parse::<Time>().ok()?, until: until.parse::<Time>().ok()? })
}

fn windows(stored: &str) -> Option<Vec<Window>> {
    let stored: Vec<(i8, String, String)> = serde_json::from_str(stored).ok()?;
    let window = |(weekday, from, until): &(i8, String, String)| {
        Some(Window { weekday: Weekday::from_monday_one_offset(*weekday).ok()?, hours: hours(from, until)? })
    };
    stored.iter().map(window).collect()
}

fn all_exceptions(stored: &str) -> Option<Vec<Exception>> {
    let stored: Vec<(String, Option<(String, String)>)> = serde_json::from_str(stored).ok()?;
    let exception = |(date, extra): &(String, Option<(String, String)>)| {
        let extra = match extra {
            Some((from, until)) => Some(hours(from, until)?),
            None => None,
        };
        Some(Exception { date: date.parse::<Date>().ok()?, extra })
    };
    stored.iter().map(exception).collect()
}

fn stored_windows(weekly: &[Window]) -> String {
    let window = |window: &Window| {
        let Hours { from, until } = window.hours;
        json!([window.weekday.to_monday_one_offset(), from.to_string(), until.to_string()])
    };
    json!(weekly.iter().map(window).collect::<Vec<_>>()).to_string()
}

fn stored_exceptions(exceptions: &[Exception]) -> String {
    let exception = |exception: &Exception| {
        let extra = exception.extra.map(|Hours { from, until }| [from.to_string(), until.to_string()]);
        json!([exception.date.to_string(), extra])
    };
    json!(exceptions.iter().map(exception).collect::<Vec<_>>()).to_string()
}

row! {
    struct ThereRow {
        id: String,
        starts_at: i64,
        minutes: i64,
        notice: i64,
        by_rule: i64,
        closed_at: Option<i64>,
        claims: i64,
    }
}

row! {
    struct CalendarRow {
        id: String,
        staff_id: String,
        starts_at: i64,
        minutes: i64,
        holds: i64,
        interview_id: Option<String>,
        application_id: Option<String>,
        reference: Option<String>,
        first_name: Option<String>,
        last_name: Option<String>,
        sequence: Option<i64>,
        outcome: Option<String>,
    }
}

impl TryFrom<CalendarRow> for CalendarSlot {
    type Error = StoreError;

    fn try_from(row: CalendarRow) -> Result<Self, StoreError> {
        let span = Span { starts_at: row.starts_at, minutes: row.minutes };
        let outcome = row
            .outcome
            .as_deref()
            .map(|outcome| InterviewOutcome::parse(outcome).ok_or_else(|| unreadable("interviews.outcome", &row.id)));
        let outcome = outcome.transpose()?;
        let booking = row.interview_id.zip(row.application_id).map(|(interview_id, application_id)| Booking {
            interview_id,
            application_id,
            reference: row.reference,
            first_name: row.first_name.unwrap_or_default(),
            last_name: row.last_name.unwrap_or_default(),
            sequence: row.sequence.unwrap_or_default(),
            outcome,
        });
        Ok(CalendarSlot { id: row.id, staff_id: row.staff_id, span, is_held: row.holds > 0, booking })
    }
}

row! {
    struct SheetRow {
        interview_id: String,
        scale: i64,
        lines: String,
        recommendation: String,
        comment: Option<String>,
        revision: i64,
        written_by: String,
        written_at: i64,
    }
}

impl TryFrom<SheetRow> for InterviewSheet {
    type Error = StoreError;

    fn try_from(row: SheetRow) -> Result<Self, StoreError> {
        let SheetRow { interview_id, scale, lines, recommendation, comment, revision, written_by, written_at } = row;
        let columns = SheetColumns { scale, lines, recommendation, comment };
        let sheet = columns.sheet("score_sheets", &interview_id)?;
        Ok(InterviewSheet { interview_id, sheet, revision, written_by, written_at })
    }
}

const RULES: &str = "SELECT staff_id, time_zone, minutes, buffer, notice, weekly, exceptions, revision \
                     FROM interview_rules WHERE staff_id = $1";

impl Db {
    pub async fn rules(&self, staff_id: &str) -> Stored<Option<Rules>> {
        let row: Option<RulesRow> = self.fetch_optional(RULES, args![staff_id]).await?;
        row.map(Rules::try_from).transpose()
    }

    /// Returns the active staff who have rules.
    pub async fn ruled_staff(&self) -> Stored<Vec<String>> {
        let sql = "SELECT r.staff_id FROM interview_rules r JOIN staff m ON m.id = r.staff_id \
                   WHERE m.suspended_at IS NULL AND m.removed_at IS NULL ORDER BY r.staff_id";
        let rows: Vec<(String,)> = self.fetch_all(sql, args![]).await?;
        Ok(rows.into_iter().map(|(id,)| id).collect())
    }

    /// Writes rules as revision `rules.revision` plus one on behalf of `by`, and renews the slots. Returns false if
    /// they are at another revision.
    pub async fn save_rules(
        &self,
        rules: &Rules,
        by: &str,
        slots: &[NewSlot],
        now: Millis,
        audit: &AuditEntry,
    ) -> Stored<bool> {
        let mut tx = self.begin().await?;
        lock(&mut tx, &rules.staff_id).await?;
        if revision(&mut tx, &rules.staff_id).await? != rules.revision {
            return Ok(false);
        }
        let Availability { time_zone, minutes, buffer, notice, weekly, exceptions } = &rules.availability;
        tx.execute(
            "INSERT INTO interview_rules (staff_id, time_zone, minutes, buffer, notice, weekly, exceptions, revision, \
             changed_by, changed_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT (staff_id) DO UPDATE \
             SET time_zone = excluded.time_zone, minutes = excluded.minutes, buffer = excluded.buffer, \
             notice = excluded.notice, weekly = excluded.weekly, exceptions = excluded.exceptions, \
             revision = excluded.revision, changed_by = excluded.changed_by, changed_at = excluded.changed_at",
            args![
                &rules.staff_id,
                time_zone,
                *minutes,
                *buffer,
                *notice,
                &stored_windows(weekly),
                &stored_exceptions(exceptions),
                rules.revision + 1,
                by,
                now,
            ],
        )
        .await?;
        renew(&mut tx, rules, slots, now).await?;
        tx.audit(audit).await?;
        tx.commit().await?;
        Ok(true)
    }

    /// Replaces the generated slots with these times. Booked slots stay, and nothing is offered closer to one than the
    /// rules' buffer. Does nothing if the rules are at another revision.
    pub async fn renew_slots(&self, rules: &Rules, slots: &[NewSlot], now: Millis) -> Stored<()> {
        let mut tx = self.begin().await?;
        lock(&mut tx, &rules.staff_id).await?;
        if revision(&mut tx, &rules.staff_id).await? == rules.revision {
            renew(&mut tx, rules, slots, now).await?;
        }
        tx.commit().await
    }

    /// Returns the slots of these people that begin from one moment until before another, in order: both booked and
    /// free.
    pub async fn calendar(
        &self,
        staff_ids: &[String],
        from: Millis,
        until: Millis,
        now: Millis,
    ) -> Stored<Vec<CalendarSlot>> {
        let places: Vec<String> = (0..staff_ids.len()).map(|index| format!("${}", index + 4)).collect();
        let sql = format!(
            "SELECT s.id, s.staff_id, s.starts_at, s.minutes, \
                   (SELECT COUNT(*) FROM slot_claims c WHERE c.slot_id = s.id AND c.held_until > $3) AS holds, \
                   i.id AS interview_id, i.application_id, a.reference, p.first_name, p.last_name, i.sequence, i.outcome \
                   FROM interview_slots s LEFT JOIN interviews i ON i.slot_id = s.id AND i.freed_at IS NULL \
                   LEFT JOIN applications a ON a.id = i.application_id LEFT JOIN applicants p ON p.id = a.applicant_id \
                   WHERE s.staff_id IN ({}) AND s.starts_at >= $1 AND s.starts_at < $2 \
                   AND (i.id IS NOT NULL OR (s.closed_at IS NULL AND s.starts_at > $3)) ORDER BY s.starts_at, s.id",
            places.join(", ")
        );
        let mut args = vec![Arg::from(from), Arg::from(until), Arg::from(now)];
        args.extend(staff_ids.iter().map(|id| Arg::from(id.as_str())));
        let rows: Vec<CalendarRow> = self.fetch_built(&sql, &args).await?;
        rows.into_iter().map(CalendarSlot::try_from).collect()
    }

    /// Returns since when there is a feed.
    pub async fn feed(&self, staff_id: &str) -> Stored<Option<Millis>> {
        let sql = "SELECT created_at FROM calendar_feeds WHERE staff_id = $1";
        let rows: Vec<(i64,)> = self.fetch_all(sql, args![staff_id]).await?;
        Ok(rows.first().map(|(at,)| *at))
    }

    /// Replaces the feed with one that has the digest of a new secret, or removes it.
    pub async fn save_feed(&self, staff_id: &str, digest: Option<&str>, now: Millis, audit: &AuditEntry) -> Stored<()> {
        let mut tx = self.begin().await?;
        tx.execute("DELETE FROM calendar_feeds WHERE staff_id = $1", args![staff_id]).await?;
        if let Some(digest) = digest {
            let sql = "INSERT INTO calendar_feeds (staff_id, digest, created_at) VALUES ($1, $2, $3) \
                       ON CONFLICT (staff_id) DO UPDATE SET digest = excluded.digest, created_at = excluded.created_at";
            tx.execute(sql, args![staff_id, digest, now]).await?;
        }
        tx.audit(audit).await?;
        tx.commit().await
    }

    /// Returns whose feed it is; suspended staff have none.
    pub async fn feed_owner(&self, digest: &str) -> Stored<Option<String>> {
        let sql = "SELECT f.staff_id FROM calendar_feeds f JOIN staff m ON m.id = f.staff_id \
                   WHERE f.digest = $1 AND m.suspended_at IS NULL AND m.removed_at IS NULL";
        let rows: Vec<(String,)> = self.fetch_all(sql, args![digest]).await?;
        Ok(rows.into_iter().next().map(|(id,)| id))
    }

    pub async fn score_sheet(&self, interview_id: &str) -> Stored<Option<InterviewSheet>> {
        let sql = "SELECT interview_id, scale, lines, recommendation, comment, revision, written_by, written_at \
                   FROM score_sheets WHERE interview_id = $1";
        let row: Option<SheetRow> = self.fetch_optional(sql, args![interview_id]).await?;
        row.map(InterviewSheet::try_from).transpose()
    }

    /// Writes a sheet as revision `written.revision`. Returns false if the current one is not the revision before.
    pub async fn save_scores(
        &self,
        written: &InterviewSheet,
        application_id: &str,
        audit: &AuditEntry,
    ) -> Stored<bool> {
        let InterviewSheet { interview_id, sheet, revision, written_by, written_at } = written;
        let sql = if *revision == 1 {
            "INSERT INTO score_sheets (interview_id, points, scale, lines, recommendation, comment, revision, written_by, \
             written_at) VALUES ($1, '[]', $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (interview_id) DO NOTHING"
        } else {
            "UPDATE score_sheets SET scale = $2, lines = $3, recommendation = $4, comment = $5, revision = $6, \
             written_by = $7, written_at = $8 WHERE interview_id = $1 AND revision = $6 - 1"
        };
        let lines = stored_lines(sheet);
        let args = args![
            interview_id,
            sheet.scale,
            &lines,
            sheet.recommendation.as_str(),
            sheet.comment.as_deref(),
            *revision,
            written_by,
            *written_at
        ];
        let mut tx = self.begin().await?;
        let written = tx.execute(sql, args).await?;
        if written == 0 {
            return Ok(false);
        }
        tx.tasks_done(&format!("application:{application_id}"), TaskKind::ScoreSheet, *written_at).await?;
        relist(&mut tx, application_id).await?;
        tx.audit(audit).await?;
        tx.commit().await?;
        Ok(true)
    }
}

/// Makes concurrent changes of the same person's times wait.
async fn lock(tx: &mut Tx, staff_id: &str) -> Stored<()> {
    tx.execute("UPDATE staff SET role = role WHERE id = $1", args![staff_id]).await?;
    Ok(())
}

async fn revision(tx: &mut Tx, staff_id: &str) -> Stored<i64> {
    let rows: Vec<(i64,)> =
        tx.fetch_all("SELECT revision FROM interview_rules WHERE staff_id = $1", args![staff_id]).await?;
    Ok(rows.first().map_or(0, |(revision,)| *revision))
}

/// Replaces the generated slots with `slots`.
async fn renew(tx: &mut Tx, rules: &Rules, slots: &[NewSlot], now: Millis) -> Stored<()> {
    let Rules { staff_id, availability: Availability { buffer, notice, .. }, .. } = rules;
    let sql = "SELECT s.id, s.starts_at, s.minutes, s.notice, s.by_rule, s.closed_at, \
               (SELECT COUNT(*) FROM slot_claims c WHERE c.slot_id = s.id \
               AND (c.held_until IS NULL OR c.held_until > $2)) AS claims \
               FROM interview_slots s WHERE s.staff_id = $1 AND s.starts_at > $2 - 86400000 ORDER BY s.starts_at";
    let there: Vec<ThereRow> = tx.fetch_all(sql, args![staff_id, now]).await?;
    let span = |row: &ThereRow| Span { starts_at: row.starts_at, minutes: row.minutes };
    // Booked slots, and those opened by hand, stay; nothing comes too close to them.
    let stays = |row: &ThereRow| row.claims > 0 || (row.by_rule == 0 && row.closed_at.is_none());
    let pause = buffer * 60_000;
    let apart =
        |one: Span, other: Span| one.starts_at >= other.ends_at() + pause || other.starts_at >= one.ends_at() + pause;
    let wanted: Vec<&NewSlot> = slots
        .iter()
        .filter(|slot| there.iter().filter(|row| stays(row)).all(|row| apart(slot.span, span(row))))
        .collect();
    for row in there.iter().filter(|row| !stays(row) && row.closed_at.is_none() && row.starts_at > now) {
        if wanted.iter().all(|slot| slot.span != span(row)) {
            let sql = "UPDATE interview_slots SET closed_at = $2 WHERE id = $1";
            tx.execute(sql, args![&row.id, now]).await?;
        }
    }
    for slot in wanted {
        let Span { starts_at, minutes } = slot.span;
        match there.iter().find(|row| row.starts_at == starts_at) {
            Some(row) if row.closed_at.is_none() && row.minutes == minutes && row.notice == *notice => {}
            Some(row) => {
                let sql = "UPDATE interview_slots SET minutes = $2, notice = $3, by_rule = 1, closed_at = NULL \
                           WHERE id = $1";
                tx.execute(sql, args![&row.id, minutes, *notice]).await?;
            }
            None => {
                let sql = "INSERT INTO interview_slots (id, staff_id, starts_at, minutes, created_at, by_rule, notice) \
                           VALUES ($1, $2, $3, $4, $5, 1, $6)";
                tx.execute(sql, args![&slot.id, staff_id, starts_at, minutes, now, *notice]).await?;
            }
        }
    }
    Ok(())
}
