//! Open days and their bookings. Whoever changes a day or who comes locks its row first, so that places are counted by
//! one at a time.

use super::Db;
use super::error::unreadable;
use super::in_place::{joined_row, row};
use super::query::{Tx, args};
use crate::{AuditEntry, NewMail, StoreError, Stored};
use domain::language::Language;
use domain::moments::Millis;
use domain::open_day::{OpenDay, OpenDayBooking, REMINDED_BEFORE};
use domain::program::Program;

/// What somebody books.
#[derive(Debug, Clone)]
pub struct NewBooking {
    /// Id, and the secret in its mails, of a new booking.
    pub id: String,
    pub token: String,
    pub open_day_id: String,
    pub email: String,
    pub first_name: String,
    pub last_name: String,
    pub people: i64,
    pub language: Language,
    pub at: Millis,
}

/// What comes of a booking.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Booked {
    Done(OpenDayBooking),
    /// Fewer places are left than asked for.
    Full,
    Over,
    Cancelled,
    /// There is no such day.
    Missing,
}

/// What comes of a cancellation, of a booking or a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cancelling {
    /// Also if it was cancelled before.
    Done,
    /// The day is over.
    Over,
    Missing,
}

/// What comes of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DayChanged {
    Done,
    /// Somebody else has changed it since.
    Stale,
    /// More places are taken than there would be.
    TooFew {
        taken: i64,
    },
}

/// Writes a mail about a booking, with the secret that it is found by.
pub type BookingMail<'a> = &'a (dyn Fn(&OpenDay, &OpenDayBooking, &str) -> NewMail + Sync);
/// Writes the line of the record and the mail about a booking that is cancelled.
pub type CancelMail<'a> = &'a (dyn Fn(&OpenDay, &OpenDayBooking) -> (AuditEntry, NewMail) + Sync);

macro_rules! open_days {
    () => {
        "SELECT d.id AS day_id, d.title, d.title_es, d.program, d.starts_at, d.minutes, d.place, d.places, \
         (SELECT CAST(COALESCE(SUM(t.people), 0) AS BIGINT) FROM open_day_bookings t WHERE t.open_day_id = d.id \
         AND t.cancelled_at IS NULL) AS taken, d.cancelled_at AS day_cancelled_at, d.sequence AS day_sequence"
    };
}

row! {
    struct DayRow {
        day_id: String,
        title: String,
        title_es: Option<String>,
        program: Option<String>,
        starts_at: i64,
        minutes: i64,
        place: String,
        places: i64,
        taken: i64,
        day_cancelled_at: Option<i64>,
        day_sequence: i64,
    }
}

impl TryFrom<DayRow> for OpenDay {
    type Error = StoreError;

    fn try_from(row: DayRow) -> Result<Self, StoreError> {
        let program = row.program.as_deref().map(|stored| {
            Program::of_application_type(stored).ok_or_else(|| unreadable("open_days.program", &row.day_id))
        });
        Ok(OpenDay {
            program: program.transpose()?,
            id: row.day_id,
            title: row.title,
            title_es: row.title_es,
            starts_at: row.starts_at,
            minutes: row.minutes,
            place: row.place,
            places: row.places,
            taken: row.taken,
            cancelled_at: row.day_cancelled_at,
            sequence: row.day_sequence,
        })
    }
}

/// Columns of `open_day_bookings b`.
macro_rules! booking_columns {
    () => {
        "b.id, b.open_day_id, b.email, b.first_name, b.last_name, b.people, b.language, b.created_at, b.cancelled_at, \
         b.came, b.sequence, b.token"
    };
}

row! {
    struct BookingRow {
        id: String,
        open_day_id: String,
        email: String,
        first_name: String,
        last_name: String,
        people: i64,
        language: String,
        created_at: i64,
        cancelled_at: Option<i64>,
        came: Option<i64>,
        sequence: i64,
        token: String,
    }
}

impl From<BookingRow> for OpenDayBooking {
    fn from(row: BookingRow) -> Self {
        OpenDayBooking {
            id: row.id,
            open_day_id: row.open_day_id,
            email: row.email,
            first_name: row.first_name,
            last_name: row.last_name,
            people: row.people,
            language: Language::parse(&row.language).unwrap_or_default(),
            created_at: row.created_at,
            cancelled_at: row.cancelled_at,
            came: row.came.map(|came| came == 1),
            sequence: row.sequence,
        }
    }
}

joined_row! {
    struct DayAndBookingRow {
        day: DayRow,
        booking: BookingRow,
    }
}

impl TryFrom<DayAndBookingRow> for (OpenDay, OpenDayBooking) {
    type Error = StoreError;

    fn try_from(row: DayAndBookingRow) -> Result<Self, StoreError> {
        Ok((row.day.try_into()?, row.booking.into()))
    }
}

/// For everybody.
impl Db {
    /// Returns the next days that have not begun and take place, soonest first.
    pub async fn upcoming_open_days(&self, now: Millis, limit: i64) -> Stored<Vec<OpenDay>> {
        const SQL: &str = concat!(
            open_days!(),
            " FROM open_days d WHERE d.starts_at > $1 AND d.cancelled_at IS NULL ORDER BY d.starts_at, d.id LIMIT $2"
        );
        let rows: Vec<DayRow> = self.fetch_all(SQL, args![now, limit]).await?;
        rows.into_iter().map(OpenDay::try_from).collect()
    }

    pub async fn open_day(&self, id: &str) -> Stored<Option<OpenDay>> {
        const SQL: &str = concat!(open_days!(), " FROM open_days d WHERE d.id = $1");
        let row: Option<DayRow> = self.fetch_optional(SQL, args![id]).await?;
        row.map(OpenDay::try_from).transpose()
    }

    /// Books places, if so many are left. One address has one booking of a day: booked again, it has the new number of
    /// people.
    pub async fn book_open_day(&self, new: &NewBooking, audit: &AuditEntry, mail: BookingMail<'_>) -> Stored<Booked> {
        let email_key = new.email.to_lowercase();
        let mut tx = self.begin().await?;
        let Some(day) = lock_day(&mut tx, &new.open_day_id).await? else { return Ok(Booked::Missing) };
        if day.cancelled_at.is_some() {
            return Ok(Booked::Cancelled);
        }
        if day.is_over(new.at) {
            return Ok(Booked::Over);
        }
        let sql =
            "SELECT people FROM open_day_bookings WHERE open_day_id = $1 AND email_key = $2 AND cancelled_at IS NULL";
        let own: Vec<(i64,)> = tx.fetch_all(sql, args![&new.open_day_id, &email_key]).await?;
        let left = day.places - day.taken + own.first().map_or(0, |(people,)| *people);
        if new.people > left {
            return Ok(Booked::Full);
        }
        let sql = "INSERT INTO open_day_bookings AS b (id, open_day_id, email, email_key, first_name, last_name, people, \
                   language, token, sequence, created_at, reminded_at) \
                   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 0, $10, $11) \
                   ON CONFLICT (open_day_id, email_key) DO UPDATE SET email = excluded.email, \
                   first_name = excluded.first_name, last_name = excluded.last_name, people = excluded.people, \
                   language = excluded.language, sequence = b.sequence + 1, reminded_at = excluded.reminded_at, \
                   created_at = CASE WHEN b.cancelled_at IS NULL THEN b.created_at ELSE excluded.created_at END, \
                   cancelled_at = NULL, came = NULL";
        let args = args![
            &new.id,
            &new.open_day_id,
            &new.email,
            &email_key,
            &new.first_name,
            &new.last_name,
            new.people,
            new.language.as_str(),
            &new.token,
            new.at,
            day.reminded_at(new.at),
        ];
        tx.execute(sql, args).await?;
        const SAVED: &str = concat!(
            "SELECT ",
            booking_columns!(),
            " FROM open_day_bookings b WHERE b.open_day_id = $1 AND b.email_key = $2"
        );
        let saved: Vec<BookingRow> = tx.fetch_all(SAVED, args![&new.open_day_id, &email_key]).await?;
        let Some(saved) = saved.into_iter().next() else { return Ok(Booked::Missing) };
        let (token, booking) = (saved.token.clone(), OpenDayBooking::from(saved));
        let sql = "UPDATE prospects SET last_act_at = $2 WHERE email_key = $1 AND confirmed_at IS NOT NULL";
        tx.execute(sql, args![&email_key, new.at]).await?;
        tx.audit(audit).await?;
        tx.mail(&mail(&day, &booking, &token)).await?;
        tx.commit().await?;
        Ok(Booked::Done(booking))
    }

    /// Returns the booking that a mailed secret belongs to.
    pub async fn open_day_booking(&self, token: &str) -> Stored<Option<(OpenDay, OpenDayBooking)>> {
        const SQL: &str = concat!(
            open_days!(),
            ", ",
            booking_columns!(),
            " FROM open_day_bookings b JOIN open_days d ON d.id = b.open_day_id WHERE b.token = $1"
        );
        let row: Option<DayAndBookingRow> = self.fetch_optional(SQL, args![token]).await?;
        row.map(<(OpenDay, OpenDayBooking)>::try_from).transpose()
    }

    /// Cancels the booking that a mailed secret belongs to: its places are free again.
    pub async fn cancel_booking(&self, token: &str, now: Millis, cancel: CancelMail<'_>) -> Stored<Cancelling> {
        let mut tx = self.begin().await?;
        let sql = "SELECT id, open_day_id FROM open_day_bookings WHERE token = $1";
        let found: Vec<(String, String)> = tx.fetch_all(sql, args![token]).await?;
        let Some((id, day_id)) = found.first() else { return Ok(Cancelling::Missing) };
        let Some(day) = lock_day(&mut tx, day_id).await? else { return Ok(Cancelling::Missing) };
        if day.is_over(now) {
            return Ok(Cancelling::Over);
        }
        // Everybody was told that a cancelled day does not take place.
        if day.cancelled_at.is_none() && cancel_one(&mut tx, &day, id, now, cancel).await? {
            tx.commit().await?;
        }
        Ok(Cancelling::Done)
    }

    /// Returns the bookings of an address, those of the latest days first.
    pub async fn bookings_of(&self, email_key: &str) -> Stored<Vec<(OpenDay, OpenDayBooking)>> {
        const SQL: &str = concat!(
            open_days!(),
            ", ",
            booking_columns!(),
            " FROM open_day_bookings b JOIN open_days d ON d.id = b.open_day_id WHERE b.email_key = $1 \
             ORDER BY d.starts_at DESC, d.id DESC"
        );
        let rows: Vec<DayAndBookingRow> = self.fetch_all(SQL, args![email_key]).await?;
        rows.into_iter().map(<(OpenDay, OpenDayBooking)>::try_from).collect()
    }
}

/// Reminders.
impl Db {
    /// Returns the days that begin soon.
    pub async fn open_days_to_remind_of(&self, now: Millis) -> Stored<Vec<String>> {
        let sql = "SELECT id FROM open_days WHERE starts_at > $1 AND starts_at <= $2 AND cancelled_at IS NULL \
                   ORDER BY starts_at, id";
        let rows: Vec<(String,)> = self.fetch_all(sql, args![now, now + REMINDED_BEFORE]).await?;
        Ok(rows.into_iter().map(|(id,)| id).collect())
    }

    /// Reminds up to `limit` people who come and were not reminded. Returns how many.
    pub async fn remind_of_open_day(&self, id: &str, now: Millis, limit: i64, mail: BookingMail<'_>) -> Stored<usize> {
        const SQL: &str = concat!(
            "SELECT ",
            booking_columns!(),
            " FROM open_day_bookings b WHERE b.open_day_id = $1 AND b.cancelled_at IS NULL AND b.reminded_at IS NULL \
             ORDER BY b.id LIMIT $2"
        );
        let mut tx = self.begin().await?;
        let Some(day) = lock_day(&mut tx, id).await? else { return Ok(0) };
        // It may have been moved.
        if day.cancelled_at.is_some() || day.starts_at <= now || day.starts_at > now + REMINDED_BEFORE {
            return Ok(0);
        }
        let rows: Vec<BookingRow> = tx.fetch_all(SQL, args![id, limit]).await?;
        let count = rows.len();
        for row in rows {
            let (token, booking) = (row.token.clone(), OpenDayBooking::from(row));
            let sql = "UPDATE open_day_bookings SET reminded_at = $2 WHERE id = $1";
            tx.execute(sql, args![&booking.id, now]).await?;
            tx.mail(&mail(&day, &booking, &token)).await?;
        }
        tx.commit().await?;
        Ok(count)
    }
}

/// For the office.
impl Db {
    /// Returns up to `limit` days, the latest first.
    pub async fn open_days(&self, limit: i64) -> Stored<Vec<OpenDay>> {
        const SQL: &str = concat!(open_days!(), " FROM open_days d ORDER BY d.starts_at DESC, d.id DESC LIMIT $1");
        let rows: Vec<DayRow> = self.scan(SQL, args![limit]).await?;
        rows.into_iter().map(OpenDay::try_from).collect()
    }

    pub async fn create_open_day(&self, day: &OpenDay, staff_id: &str, audit: &AuditEntry) -> Stored<()> {
        let mut tx = self.begin().await?;
        let sql = "INSERT INTO open_days (id, title, title_es, program, starts_at, minutes, place, places, sequence, \
                   created_at, created_by) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)";
        let args = args![
            &day.id,
            &day.title,
            day.title_es.as_deref(),
            day.program.map(Program::application_type),
            day.starts_at,
            day.minutes,
            &day.place,
            day.places,
            day.sequence,
            audit.at,
            staff_id,
        ];
        tx.execute(sql, args).await?;
        tx.audit(audit).await?;
        tx.commit().await
    }

    /// Changes a day that is at the sequence `seen` and not cancelled. With `mail`, everybody who comes is told; if it
    /// `is_moved` to another time, they are reminded anew.
    pub async fn change_open_day(
        &self,
        day: &OpenDay,
        seen: i64,
        is_moved: bool,
        audit: &AuditEntry,
        mail: Option<BookingMail<'_>>,
    ) -> Stored<DayChanged> {
        let mut tx = self.begin().await?;
        let Some(now) = lock_day(&mut tx, &day.id).await? else { return Ok(DayChanged::Stale) };
        if now.sequence != seen || now.cancelled_at.is_some() {
            return Ok(DayChanged::Stale);
        }
        if day.places < now.taken {
            return Ok(DayChanged::TooFew { taken: now.taken });
        }
        let changed = OpenDay { taken: now.taken, cancelled_at: None, sequence: seen + 1, ..day.clone() };
        let sql = "UPDATE open_days SET title = $2, title_es = $3, program = $4, starts_at = $5, minutes = $6, \
                   place = $7, places = $8, sequence = $9 WHERE id = $1";
        let args = args![
            &changed.id,
            &changed.title,
            changed.title_es.as_deref(),
            changed.program.map(Program::application_type),
            changed.starts_at,
            changed.minutes,
            &changed.place,
            changed.places,
            changed.sequence,
        ];
        tx.execute(sql, args).await?;
        if is_moved {
            let sql = "UPDATE open_day_bookings SET reminded_at = $2 WHERE open_day_id = $1 AND cancelled_at IS NULL";
            tx.execute(sql, args![&changed.id, changed.reminded_at(audit.at)]).await?;
        }
        tx.audit(audit).await?;
        if let Some(mail) = mail {
            tell_everybody(&mut tx, &changed, mail).await?;
        }
        tx.commit().await?;
        Ok(DayChanged::Done)
    }

    /// Cancels a day and tells everybody who comes.
    pub async fn cancel_open_day(&self, id: &str, audit: &AuditEntry, mail: BookingMail<'_>) -> Stored<Cancelling> {
        let mut tx = self.begin().await?;
        let Some(day) = lock_day(&mut tx, id).await? else { return Ok(Cancelling::Missing) };
        if day.cancelled_at.is_some() {
            return Ok(Cancelling::Done);
        }
        if day.is_over(audit.at) {
            return Ok(Cancelling::Over);
        }
        let cancelled = OpenDay { cancelled_at: Some(audit.at), sequence: day.sequence + 1, ..day };
        let sql = "UPDATE open_days SET cancelled_at = $2, sequence = $3 WHERE id = $1";
        tx.execute(sql, args![id, audit.at, cancelled.sequence]).await?;
        tx.audit(audit).await?;
        tell_everybody(&mut tx, &cancelled, mail).await?;
        tx.commit().await?;
        Ok(Cancelling::Done)
    }

    /// Returns the bookings of a day, cancelled ones included, in the order in which they were made.
    pub async fn open_day_bookings(&self, id: &str) -> Stored<Vec<OpenDayBooking>> {
        const SQL: &str = concat!(
            "SELECT ",
            booking_columns!(),
            " FROM open_day_bookings b WHERE b.open_day_id = $1 ORDER BY b.created_at, b.id"
        );
        let rows: Vec<BookingRow> = self.scan(SQL, args![id]).await?;
        Ok(rows.into_iter().map(OpenDayBooking::from).collect())
    }

    /// Notes whether somebody came. Returns false if there is no such booking, or if it is cancelled.
    pub async fn note_attendance(
        &self,
        id: &str,
        booking_id: &str,
        came: Option<bool>,
        audit: &AuditEntry,
    ) -> Stored<bool> {
        let mut tx = self.begin().await?;
        let sql = "UPDATE open_day_bookings SET came = $3 WHERE id = $1 AND open_day_id = $2 AND cancelled_at IS NULL";
        if tx.execute(sql, args![booking_id, id, came.map(i64::from)]).await? == 0 {
            return Ok(false);
        }
        tx.audit(audit).await?;
        tx.commit().await?;
        Ok(true)
    }
}

/// Locks a day until the end of the transaction. Returns it as it is then.
async fn lock_day(tx: &mut Tx, id: &str) -> Stored<Option<OpenDay>> {
    const SQL: &str = concat!(open_days!(), " FROM open_days d WHERE d.id = $1");
    if tx.execute("UPDATE open_days SET places = places WHERE id = $1", args![id]).await? == 0 {
        return Ok(None);
    }
    let rows: Vec<DayRow> = tx.fetch_all(SQL, args![id]).await?;
    rows.into_iter().next().map(OpenDay::try_from).transpose()
}

/// Writes a mail to everybody who comes to a day that is locked.
async fn tell_everybody(tx: &mut Tx, day: &OpenDay, mail: BookingMail<'_>) -> Stored<()> {
    const SQL: &str = concat!(
        "SELECT ",
        booking_columns!(),
        " FROM open_day_bookings b WHERE b.open_day_id = $1 AND b.cancelled_at IS NULL ORDER BY b.id"
    );
    let rows: Vec<BookingRow> = tx.fetch_all(SQL, args![&day.id]).await?;
    for row in rows {
        let (token, booking) = (row.token.clone(), OpenDayBooking::from(row));
        tx.mail(&mail(day, &booking, &token)).await?;
    }
    Ok(())
}

/// Cancels a booking of a day that is locked. Returns false if it was cancelled before.
async fn cancel_one(tx: &mut Tx, day: &OpenDay, id: &str, now: Millis, cancel: CancelMail<'_>) -> Stored<bool> {
    const SQL: &str = concat!("SELECT ", booking_columns!(), " FROM open_day_bookings b WHERE b.id = $1");
    let sql = "UPDATE open_day_bookings SET cancelled_at = $2, sequence = sequence + 1 \
               WHERE id = $1 AND cancelled_at IS NULL";
    if tx.execute(sql, args![id, now]).await? == 0 {
        return Ok(false);
    }
    let rows: Vec<BookingRow> = tx.fetch_all(SQL, args![id]).await?;
    for row in rows {
        let (audit, mail) = cancel(day, &row.into());
        tx.audit(&audit).await?;
        tx.mail(&mail).await?;
    }
    Ok(true)
}

/// Cancels the bookings of an address of days that are not over.
pub(super) async fn cancel_bookings(tx: &mut Tx, email_key: &str, now: Millis, cancel: CancelMail<'_>) -> Stored<()> {
    // Days are locked in the same order by everybody.
    let sql = "SELECT id, open_day_id FROM open_day_bookings WHERE email_key = $1 AND cancelled_at IS NULL \
               ORDER BY open_day_id";
    let bookings: Vec<(String, String)> = tx.fetch_all(sql, args![email_key]).await?;
    for (id, day_id) in bookings {
        let Some(day) = lock_day(tx, &day_id).await? else { continue };
        if day.cancelled_at.is_none() && !day.is_over(now) {
            cancel_one(tx, &day, &id, now, cancel).await?;
        }
    }
    Ok(())
}

/// Deletes the bookings of an address that are cancelled, and those of days that are over or do not take place.
pub(super) async fn forget_bookings(tx: &mut Tx, email_key: &str, now: Millis) -> Stored<()> {
    let sql = "DELETE FROM open_day_bookings WHERE email_key = $1 AND (cancelled_at IS NOT NULL OR open_day_id IN \
               (SELECT d.id FROM open_days d WHERE d.starts_at + d.minutes * 60000 <= $2 \
               OR d.cancelled_at IS NOT NULL))";
    tx.execute(sql, args![email_key, now]).await?;
    Ok(())
}
