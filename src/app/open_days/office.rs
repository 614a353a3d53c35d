//! Open days in the office: making, changing and cancelling them, who has booked, and who came.

use serde_json::json;

use crate::App;
use crate::error::{Error, Refusal};
use crate::mails::open_days as mails;
use domain::body::wrong;
use domain::clocks::zone;
use domain::input::Input;
use domain::moments::Millis;
use domain::open_day::{OpenDay, OpenDayBooking, OpenDayInput};
use domain::permission::Permission;
use domain::sentence::Sentence;
use domain::staff::StaffSession;
use store::{AuditEntry, BookingMail, Cancelling, DayChanged};

/// Number of days in the list.
const LISTED: i64 = 500;

impl App {
    /// All open days, the latest first.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`], as for all of these.
    pub async fn open_days(&self, who: &StaffSession) -> Result<Vec<OpenDay>, Error> {
        who.staff.permit(Permission::OpenDays)?;
        Ok(self.store.open_days(LISTED).await?)
    }

    /// # Errors
    /// Bad fields.
    pub async fn create_open_day(&self, who: &StaffSession, input: &Input) -> Result<OpenDay, Error> {
        who.staff.permit(Permission::OpenDays)?;
        let input = self.open_day_input(input, self.clock.now())?;
        let day = given(
            input,
            OpenDay {
                id: self.random.id(),
                title: String::new(),
                title_es: None,
                program: None,
                starts_at: 0,
                minutes: 0,
                place: String::new(),
                places: 0,
                taken: 0,
                cancelled_at: None,
                sequence: 0,
            },
        );
        let audit = self.about_open_day(who, &day.id, "open_day.created", json!({}));
        self.store.create_open_day(&day, &who.staff.id, &audit).await?;
        self.open_days.clear();
        Ok(day)
    }

    /// Changes what is given of a day that is not over. Everybody who comes is mailed another time or place.
    ///
    /// # Errors
    /// Bad fields; `places.taken` if more are taken; [`Refusal::OpenDayNotFound`], [`Refusal::OpenDayCancelled`],
    /// [`Refusal::OpenDayOver`]; [`Refusal::OpenDayChanged`] when somebody else has changed it since it was seen.
    pub async fn change_open_day(&self, who: &StaffSession, id: &str, input: &Input) -> Result<OpenDay, Error> {
        who.staff.permit(Permission::OpenDays)?;
        self.check_given(input)?;
        let before = self.store.open_day(id).await?.ok_or(Refusal::OpenDayNotFound)?;
        if before.cancelled_at.is_some() {
            return Err(Refusal::OpenDayCancelled.into());
        }
        if before.is_over(self.clock.now()) {
            return Err(Refusal::OpenDayOver.into());
        }
        // One that has begun keeps its start.
        let since = self.clock.now().min(before.starts_at - 1);
        let input = self.open_day_input(&before.completed(input), since)?;
        if input.sequence.is_some_and(|seen| seen != before.sequence) {
            return Err(Refusal::OpenDayChanged.into());
        }
        let changed = given(input, before.clone());
        if changed == before {
            return Ok(before);
        }
        let is_told = changed.is_moved_from(&before);
        let audit = self.about_open_day(who, id, "open_day.changed", json!({ "told": is_told }));
        let mail: BookingMail<'_> = &|day, booking, token| mails::changed(self, day, booking, token);
        let is_moved = changed.starts_at != before.starts_at;
        let mail = is_told.then_some(mail);
        match self.store.change_open_day(&changed, before.sequence, is_moved, &audit, mail).await? {
            DayChanged::Done => {}
            DayChanged::Stale => return Err(Refusal::OpenDayChanged.into()),
            DayChanged::TooFew { taken } => {
                let sentence = format!("{taken} places are taken already.");
                return Err(wrong("places", "taken", Sentence::plain(sentence)).into());
            }
        }
        self.open_days.clear();
        Ok(self.store.open_day(id).await?.ok_or(Refusal::OpenDayNotFound)?)
    }

    /// Cancels a day that is not over, and mails everybody who comes. Doing so again is harmless.
    ///
    /// # Errors
    /// [`Refusal::OpenDayNotFound`], [`Refusal::OpenDayOver`].
    pub async fn cancel_open_day(&self, who: &StaffSession, id: &str) -> Result<OpenDay, Error> {
        who.staff.permit(Permission::OpenDays)?;
        let audit = self.about_open_day(who, id, "open_day.cancelled", json!({}));
        let mail = |day: &OpenDay, booking: &OpenDayBooking, _: &str| mails::cancelled(self, day, booking);
        match self.store.cancel_open_day(id, &audit, &mail).await? {
            Cancelling::Done => {}
            Cancelling::Over => return Err(Refusal::OpenDayOver.into()),
            Cancelling::Missing => return Err(Refusal::OpenDayNotFound.into()),
        }
        self.open_days.clear();
        Ok(self.store.open_day(id).await?.ok_or(Refusal::OpenDayNotFound)?)
    }

    /// The bookings of a day, cancelled ones included, by name.
    ///
    /// # Errors
    /// [`Refusal::OpenDayNotFound`]
    pub async fn open_day_bookings(&self, who: &StaffSession, id: &str) -> Result<Vec<OpenDayBooking>, Error> {
        who.staff.permit(Permission::OpenDays)?;
        if self.store.open_day(id).await?.is_none() {
            return Err(Refusal::OpenDayNotFound.into());
        }
        let mut bookings = self.store.open_day_bookings(id).await?;
        bookings.sort_by_cached_key(|booking| (booking.last_name.to_lowercase(), booking.first_name.to_lowercase()));
        Ok(bookings)
    }

    /// The same, to be saved as a file. The record says who did.
    ///
    /// # Errors
    /// [`Refusal::OpenDayNotFound`]
    pub async fn export_open_day_bookings(&self, who: &StaffSession, id: &str) -> Result<Vec<OpenDayBooking>, Error> {
        who.staff.permit(Permission::Export)?;
        let bookings = self.open_day_bookings(who, id).await?;
        let audit = self.about_open_day(who, id, "open_day.exported", json!({ "format": "csv" }));
        self.store.note(&audit).await?;
        Ok(bookings)
    }

    /// Notes whether somebody who has booked came; `None` if that is not known after all.
    ///
    /// # Errors
    /// [`Refusal::BookingNotFound`], also for one that is cancelled.
    pub async fn note_attendance(
        &self,
        who: &StaffSession,
        id: &str,
        booking: &str,
        came: Option<bool>,
    ) -> Result<(), Error> {
        who.staff.permit(Permission::OpenDays)?;
        let detail = json!({ "booking": booking, "came": came });
        let audit = self.about_open_day(who, id, "open_day.attendance", detail);
        if self.store.note_attendance(id, booking, came, &audit).await? {
            Ok(())
        } else {
            Err(Refusal::BookingNotFound.into())
        }
    }

    /// Checks the fields that are given, whichever day they are for.
    fn check_given(&self, input: &Input) -> Result<(), Error> {
        let Err(Error::Invalid(mut errors)) = self.open_day_input(input, Millis::MIN) else { return Ok(()) };
        errors.retain(|error| !error.code.ends_with(".required"));
        if errors.is_empty() { Ok(()) } else { Err(errors.into()) }
    }

    /// Reads a day that begins after `since`.
    fn open_day_input(&self, input: &Input, since: Millis) -> Result<OpenDayInput, Error> {
        Ok(OpenDayInput::parse(input, since, &zone(&self.settings.time_zone))?)
    }

    fn about_open_day(
        &self,
        who: &StaffSession,
        id: &str,
        action: &'static str,
        detail: serde_json::Value,
    ) -> AuditEntry {
        self.audit_entry(format!("staff:{}", who.staff.id), format!("open_day:{id}"), action, detail)
    }
}

/// Returns a day as it is given.
fn given(input: OpenDayInput, day: OpenDay) -> OpenDay {
    let OpenDayInput { title, title_es, program, starts_at, minutes, place, places, sequence: _ } = input;
    OpenDay { title, title_es, program, starts_at, minutes, place, places, ..day }
}
