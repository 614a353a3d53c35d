//! The next open days, and booking and cancelling places. Places are counted where they are taken, in `store::open_days`.

use std::sync::Arc;

use serde_json::json;

use crate::error::{Error, Refusal};
use crate::jobs::Ran;
use crate::mails::open_days as mails;
use crate::{App, Caller};
use domain::input::{FieldError, Input};
use domain::moments::{DAY, HOUR, MINUTE};
use domain::open_day::{BookingInput, OpenDay, OpenDayBooking};
use domain::program::Program;
use domain::text;
use store::{AuditEntry, Booked, Cancelling, Limit, NewBooking, NewMail};

/// Maximum bookings per caller's address and hour.
const BOOKINGS_PER_HOUR: u32 = 30;
/// Maximum bookings of one open day per caller's address and day, so that nobody can fill it up.
const BOOKINGS_OF_A_DAY: u32 = 10;
/// Maximum bookings per email address and day, whoever books.
const MAILS_PER_DAY: u32 = 10;
/// Number of days that are kept for landing pages and the sitemap.
const UPCOMING: i64 = 50;
/// Reminders per transaction.
const AT_ONCE: i64 = 50;
/// Transactions per run, which must be over within the time of a job.
const PER_RUN: usize = 40;

impl App {
    /// The next open days of a program that have not begun, soonest first. Without the database, the last known ones.
    pub async fn upcoming_open_days(&self, program: Program, limit: usize) -> Vec<OpenDay> {
        let now = self.clock.now();
        let kept = self.open_days.get(now);
        let days = match kept {
            Some((days, true)) => days,
            kept => {
                let days = match self.store.upcoming_open_days(now, UPCOMING).await {
                    Ok(days) => Arc::new(days),
                    Err(error) => {
                        tracing::warn!(error = &error as &dyn std::error::Error, "open days could not be looked up");
                        kept.map(|(days, _)| days).unwrap_or_default()
                    }
                };
                self.open_days.set(days.clone(), now);
                days
            }
        };
        let own = days.iter().filter(|day| day.is_for(program) && day.starts_at > now);
        own.take(limit).cloned().collect()
    }

    /// An open day, whatever has become of it.
    pub async fn open_day(&self, id: &str) -> Result<Option<OpenDay>, Error> {
        Ok(self.store.open_day(id).await?)
    }

    /// Books places at an open day, or changes the number of people of an address that has booked. Mails the
    /// confirmation.
    ///
    /// # Errors
    /// Bad fields; [`Refusal::OpenDayFull`] if fewer places are left, [`Refusal::OpenDayOver`],
    /// [`Refusal::OpenDayCancelled`], [`Refusal::OpenDayNotFound`]; too many bookings.
    pub async fn book_open_day(&self, id: &str, input: &Input, caller: &Caller) -> Result<OpenDayBooking, Error> {
        let booking = BookingInput::parse(input)?;
        let by = Limit { key: format!("open-day:{}", caller.address), most: BOOKINGS_PER_HOUR, window: HOUR };
        let to = Limit { key: format!("open-day-to:{}", booking.email.key()), most: MAILS_PER_DAY, window: DAY };
        let of = Limit { key: format!("open-day-of:{}:{id}", caller.address), most: BOOKINGS_OF_A_DAY, window: DAY };
        let key = to.key.clone();
        self.limit(&[by, of, to]).await?;
        let new = NewBooking {
            id: self.random.id(),
            token: self.random.secret(),
            open_day_id: id.to_owned(),
            email: booking.email.as_str().to_owned(),
            first_name: booking.first_name,
            last_name: booking.last_name,
            people: booking.people,
            language: caller.language,
            at: self.clock.now(),
        };
        let audit = self.audit_entry(
            "system".into(),
            format!("open_day:{id}"),
            "open_day.booked",
            json!({ "people": new.people }),
        );
        let mail = |day: &OpenDay, booking: &OpenDayBooking, token: &str| mails::booked(self, day, booking, token);
        let booked = self.store.book_open_day(&new, &audit, &mail).await;
        if !matches!(booked, Ok(Booked::Done(_))) {
            // Nothing was mailed.
            self.store.give_back(&[&key]).await?;
        }
        match booked? {
            Booked::Done(booking) => {
                self.open_days.clear();
                Ok(booking)
            }
            Booked::Full => Err(Refusal::OpenDayFull.into()),
            Booked::Over => Err(Refusal::OpenDayOver.into()),
            Booked::Cancelled => Err(Refusal::OpenDayCancelled.into()),
            Booked::Missing => Err(Refusal::OpenDayNotFound.into()),
        }
    }

    /// The booking that a mailed link belongs to, and its day. Looking at it changes nothing.
    pub async fn open_day_booking(&self, token: &str) -> Result<Option<(OpenDay, OpenDayBooking)>, Error> {
        Ok(self.store.open_day_booking(token.trim()).await?)
    }

    /// Cancels the booking that a mailed link belongs to. Doing so again is harmless.
    ///
    /// # Errors
    /// `token.spent` for a link that leads nowhere, [`Refusal::OpenDayOver`].
    pub async fn cancel_booking(&self, token: &str) -> Result<(), Error> {
        let cancel = |day: &OpenDay, booking: &OpenDayBooking| self.booking_cancelled(day, booking);
        match self.store.cancel_booking(token.trim(), self.clock.now(), &cancel).await? {
            Cancelling::Done => {
                self.open_days.clear();
                Ok(())
            }
            Cancelling::Over => Err(Refusal::OpenDayOver.into()),
            Cancelling::Missing => {
                let sentence = text!("This link is no longer valid.");
                Err(FieldError::new("token", "token.spent", sentence).into())
            }
        }
    }

    /// What is recorded and mailed about a booking that its owner cancels.
    pub(crate) fn booking_cancelled(&self, day: &OpenDay, booking: &OpenDayBooking) -> (AuditEntry, NewMail) {
        let detail = json!({ "booking": booking.id });
        let subject = format!("open_day:{}", day.id);
        let audit = self.audit_entry("system".into(), subject, "open_day.booking_cancelled", detail);
        (audit, mails::booking_cancelled(self, day, booking))
    }

    /// [`jobs::OPEN_DAY_REMINDERS`](crate::jobs::OPEN_DAY_REMINDERS): reminds everybody who comes to a day that begins
    /// within 24 hours.
    pub(crate) async fn remind_of_open_days(&self) -> Result<Ran, Error> {
        let mail = |day: &OpenDay, booking: &OpenDayBooking, token: &str| mails::reminder(self, day, booking, token);
        let mut turns = 0;
        for id in self.store.open_days_to_remind_of(self.clock.now()).await? {
            loop {
                let reminded = self.store.remind_of_open_day(&id, self.clock.now(), AT_ONCE, &mail).await?;
                if (reminded as i64) < AT_ONCE {
                    break;
                }
                turns += 1;
                if turns == PER_RUN {
                    return Ok(Ran::AgainAt(self.clock.now() + MINUTE));
                }
            }
        }
        Ok(Ran::AgainAt(self.clock.now() + HOUR))
    }
}
