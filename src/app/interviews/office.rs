//! The office's side of interviews: availability, the calendar and its feed, and score sheets.

use serde_json::json;

use super::Chosen;
use crate::App;
use crate::applications::acts::{Actor, Preconditions};
use crate::decisions::releases::expect_revision;
use crate::error::{Error, Refusal};
use crate::jobs::Ran;
use domain::application::{Application, ApplicationKey};
use domain::availability::Availability;
use domain::clocks;
use domain::input::{FieldError, Input};
use domain::interview::ics::{self, Entry, Method, Person};
use domain::interview::{CalendarSlot, Interview, InterviewOutcome, InterviewSheet, Rules, Slot, Span};
use domain::moments::{DAY, Millis};
use domain::permission::Permission;
use domain::rubric::{Rubric, SheetKind};
use domain::staff::{Staff, StaffSession, StaffSummary};
use domain::status::{Act, Guard, Refused, Stage};
use store::NewSlot;

/// Creates bookable times from the rules for the coming weeks, every day.
pub const RENEW_SLOTS: &str = "renew-slots";
const WEEK: Millis = 7 * DAY;
/// How long past interviews stay in a feed.
const FEED_PAST: Millis = 30 * DAY;

/// An application's interview, as a member of staff sees and handles it.
#[derive(Debug, Clone)]
pub struct OfficeInterview {
    /// The current one; cancelled interviews do not count.
    pub interview: Option<Interview>,
    /// The slots it can be booked in or moved to, in order; empty if the caller may do neither.
    pub slots: Vec<Slot>,
    /// The applicant's preferred times in the future, while nothing is booked.
    pub wishes: Vec<Millis>,
    /// The score sheet, if the caller may read it.
    pub sheet: Option<InterviewSheet>,
    /// The rubric for the next sheet.
    pub rubric: Rubric,
    pub may_book: bool,
    pub may_move: bool,
    pub may_cancel: bool,
    pub may_record: bool,
    pub may_undo: bool,
    pub may_score: bool,
}

impl App {
    /// Checks whether a member of staff may handle this interviewer's interviews: their own, or anybody's.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`]
    pub fn may_meet(&self, staff: &Staff, interviewer_id: &str) -> Result<(), Error> {
        let permission = if staff.id == interviewer_id { Permission::Interview } else { Permission::OthersInterviews };
        if staff.role.may(permission) { Ok(()) } else { Err(Refusal::RoleForbidden.into()) }
    }

    /// A member of staff and their availability.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`], [`Refusal::StaffNotFound`]
    pub async fn interview_rules(&self, who: &StaffSession, staff_id: &str) -> Result<(Staff, Rules), Error> {
        self.may_meet(&who.staff, staff_id)?;
        let staff = self.staff_by_id(staff_id).await?;
        let begins = self.product_settings().await.slot_rules;
        let rules = self.store.rules(staff_id).await?.unwrap_or_else(|| Rules {
            staff_id: staff_id.to_owned(),
            availability: Availability::empty(&self.settings.time_zone, &begins),
            revision: 0,
        });
        Ok((staff, rules))
    }

    /// Replaces the rules at `revision`; bookable times follow at once. Booked interviews stay.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`], [`Refusal::StaffNotFound`], [`Refusal::RulesChanged`] when somebody else was
    /// quicker.
    pub async fn change_interview_rules(
        &self,
        who: &StaffSession,
        staff_id: &str,
        revision: i64,
        availability: Availability,
    ) -> Result<(), Error> {
        self.interview_rules(who, staff_id).await?;
        let now = self.clock.now();
        let rules = Rules { staff_id: staff_id.to_owned(), availability, revision };
        let detail = json!({ "revision": revision + 1 });
        let audit =
            self.audit_entry(format!("staff:{}", who.staff.id), format!("staff:{staff_id}"), "interview.rules", detail);
        let slots = self.offered_by(&rules, self.product_settings().await.slot_rules.weeks, now);
        let saved = self.store.save_rules(&rules, &who.staff.id, &slots, now, &audit).await?;
        if saved { Ok(()) } else { Err(Refusal::RulesChanged.into()) }
    }

    fn offered_by(&self, rules: &Rules, weeks: i64, now: Millis) -> Vec<NewSlot> {
        let spans = rules.availability.spans(now, now + weeks * WEEK);
        spans.into_iter().map(|span| NewSlot { id: self.random.id(), span }).collect()
    }

    /// [`RENEW_SLOTS`]
    pub(crate) async fn renew_all_slots(&self) -> Result<Ran, Error> {
        let now = self.clock.now();
        let weeks = self.product_settings().await.slot_rules.weeks;
        for staff_id in self.store.ruled_staff().await? {
            if let Some(rules) = self.store.rules(&staff_id).await? {
                self.store.renew_slots(&rules, &self.offered_by(&rules, weeks, now), now).await?;
            }
        }
        Ok(Ran::AgainAt(now + DAY))
    }

    /// Booked and bookable times in several people's calendars.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`]
    pub async fn interview_calendar(
        &self,
        who: &StaffSession,
        staff_ids: &[String],
        from: Millis,
        until: Millis,
    ) -> Result<Vec<CalendarSlot>, Error> {
        for staff_id in staff_ids {
            self.may_meet(&who.staff, staff_id)?;
        }
        Ok(self.store.calendar(staff_ids, from, until, self.clock.now()).await?)
    }

    /// Everybody whose calendar the caller may see, and whether each has rules.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`]
    pub async fn interviewers(&self, who: &StaffSession) -> Result<Vec<(StaffSummary, bool)>, Error> {
        let (others, own) = (Permission::OthersInterviews, Permission::Interview);
        who.staff.permit(own)?;
        let ruled = self.store.ruled_staff().await?;
        let is_shown = |one: &StaffSummary| {
            one.id == who.staff.id || (who.staff.role.may(others) && one.role.may(own) && one.suspended_at.is_none())
        };
        let shown = self.store.all_staff().await?.into_iter().filter(is_shown);
        let with_rules = |one: StaffSummary| {
            let has_rules = ruled.contains(&one.id);
            (one, has_rules)
        };
        Ok(shown.map(with_rules).collect())
    }

    /// Creates a new secret address for the caller's calendar, replacing the previous one.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`] for other people's.
    pub async fn open_feed(&self, who: &StaffSession) -> Result<String, Error> {
        self.may_meet(&who.staff, &who.staff.id)?;
        let secret = self.random.secret();
        let audit = self.about_feed(who, "interview.feed_opened");
        let digest = self.tokens.digest(&secret);
        self.store.save_feed(&who.staff.id, Some(&digest), self.clock.now(), &audit).await?;
        Ok(format!("{}/calendar/{secret}.ics", self.settings.public_url))
    }

    /// Since when a member of staff's calendar feed has been open.
    pub async fn feed_opened_at(&self, staff_id: &str) -> Result<Option<Millis>, Error> {
        Ok(self.store.feed(staff_id).await?)
    }

    /// Closes the caller's calendar feed.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`]
    pub async fn close_feed(&self, who: &StaffSession) -> Result<(), Error> {
        self.may_meet(&who.staff, &who.staff.id)?;
        let audit = self.about_feed(who, "interview.feed_closed");
        self.store.save_feed(&who.staff.id, None, self.clock.now(), &audit).await?;
        Ok(())
    }

    fn about_feed(&self, who: &StaffSession, action: &'static str) -> store::AuditEntry {
        let by = format!("staff:{}", who.staff.id);
        self.audit_entry(by.clone(), by, action, json!({}))
    }

    /// The calendar behind a secret: interviews by reference number, without names. `None` for a secret that is no
    /// longer valid.
    ///
    /// # Errors
    /// Store errors.
    pub async fn calendar_feed(&self, secret: &str) -> Result<Option<String>, Error> {
        let Some(staff_id) = self.store.feed_owner(&self.tokens.digest(secret)).await? else { return Ok(None) };
        let staff = self.staff_by_id(&staff_id).await?;
        if !staff.role.may(Permission::Interview) {
            return Ok(None);
        }
        let now = self.clock.now();
        let slots = self.store.calendar(std::slice::from_ref(&staff_id), now - FEED_PAST, now + 366 * DAY, now).await?;
        let zone = clocks::zone(&self.settings.time_zone);
        let settings = &self.settings;
        let booked: Vec<(String, String, String, &CalendarSlot, i64)> = slots
            .iter()
            .filter_map(|slot| {
                let booking = slot.booking.as_ref()?;
                let reference = booking.reference.as_deref().unwrap_or("no number");
                Some((
                    super::mails::uid(self, &booking.interview_id),
                    format!("Interview {reference}"),
                    format!("{}/admin-panel/applications/{}/interview", settings.public_url, booking.application_id),
                    slot,
                    booking.sequence,
                ))
            })
            .collect();
        let entries: Vec<Entry<'_>> = booked
            .iter()
            .map(|(uid, summary, url, slot, sequence)| Entry {
                uid,
                sequence: *sequence,
                written_at: now,
                span: slot.span,
                zone: &zone,
                summary,
                description: "Who it is stands in the admin panel.",
                location: "Video call",
                url,
                organizer: Person { name: &settings.institute, email: &settings.contact_email },
                attendee: Person { name: staff.called(), email: &staff.email },
            })
            .collect();
        Ok(Some(ics::write_all(Method::Publish, &zone, now, &entries)))
    }

    /// An application's interview, and what the caller may do with it now.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`]
    pub async fn office_interview(
        &self,
        who: &StaffSession,
        application: &Application,
    ) -> Result<OfficeInterview, Error> {
        who.staff.permit(Permission::Applications)?;
        let (staff, stage, now) = (&who.staff, application.stage, self.clock.now());
        let may = |permission| staff.role.may(permission);
        let interview = self.store.interview(&application.id, now).await?;
        let interview = interview.filter(|interview| interview.freed_at.is_none());
        let is_theirs =
            interview.as_ref().is_none_or(|interview| self.may_meet(staff, &interview.slot.interviewer_id).is_ok());
        let may_act = may(Permission::Interview) && is_theirs;
        let begun = interview.as_ref().is_some_and(|interview| interview.slot.span.starts_at <= now);
        let may_book = may(Permission::Interview)
            && matches!(stage, Stage::Submitted | Stage::NoShow)
            && !self.is_fee_due(&application.id).await?;
        let may_move = may_act && stage == Stage::Booked;
        let slots = match may_book || may_move {
            true => self.slots_for_staff(staff, application).await?,
            false => Vec::new(),
        };
        let wishes = if may_book { self.sent_wishes(application).await? } else { None };
        let held = interview.as_ref().filter(|interview| interview.outcome == Some(InterviewOutcome::Held));
        let sheet = match held {
            Some(held) if may(Permission::Score) => self.score_sheet(who, &held.id).await?,
            _ => None,
        };
        Ok(OfficeInterview {
            slots,
            wishes: wishes.iter().flat_map(|wishes| wishes.times).filter(|at| *at > now).collect(),
            sheet,
            rubric: self.interview_rubric(application).await,
            may_book,
            may_move,
            may_cancel: may_move,
            may_record: may_move && begun,
            may_undo: may_act && matches!(stage, Stage::Held | Stage::NoShow),
            may_score: held.is_some() && may(Permission::Score) && is_theirs,
            interview,
        })
    }

    /// The slots that a member of staff can book for an applicant, or move the interview to.
    async fn slots_for_staff(&self, staff: &Staff, application: &Application) -> Result<Vec<Slot>, Error> {
        let now = self.clock.now();
        let actor = Actor::staff(staff);
        // An interview can be moved to any time in the future; booking one takes a day's notice.
        let from = if application.stage == Stage::Booked { now + 1 } else { now + DAY };
        Ok(self.store.free_slots(&application.id, from, now, actor.slots()).await?)
    }

    /// Books one of the applicant's preferred times, with the caller unless a slot is free then anyway.
    ///
    /// # Errors
    /// As for [`arrange_interview_for`](Self::arrange_interview_for); `startsAt.not_wished` for another time,
    /// `slots.overlap` when the caller is busy then.
    pub async fn offer_wished_time(
        &self,
        staff: &Staff,
        key: ApplicationKey<'_>,
        starts_at: Millis,
        conditions: Preconditions,
    ) -> Result<Application, Error> {
        self.may_meet(staff, &staff.id)?;
        let (applicant, application) = self.find_application(key).await?;
        if let Some(done) = self.repeated(&applicant.id, Act::Book, &conditions).await? {
            return Ok(done);
        }
        let now = self.clock.now();
        let wishes = self.store.wishes(&application.id).await?;
        if !wishes.is_some_and(|wishes| wishes.times.contains(&starts_at)) {
            let sentence = "The applicant does not wish for this time any more.";
            return Err(FieldError::new("startsAt", "startsAt.not_wished", sentence).into());
        }
        if starts_at < now + DAY {
            return Err(Error::NotAllowed(Refused::Unmet(Guard::SlotDayAhead)));
        }
        expect_revision(&application, conditions.expected)?;
        // Before a slot is opened for it.
        if self.is_fee_due(&application.id).await? {
            return Err(Error::NotAllowed(Refused::Unmet(Guard::FeeSettled)));
        }
        let free = self.store.free_slot(&application.id, starts_at, now, Actor::staff(staff).slots()).await?;
        if free.is_none() {
            let rules = self.store.rules(&staff.id).await?;
            let begins = self.product_settings().await.slot_rules;
            let minutes = rules.map_or(begins.minutes, |rules| rules.availability.minutes);
            self.open_slots(staff, &[Span { starts_at, minutes }]).await?;
        }
        self.arrange_interview_for(staff, key, Some(Chosen { starts_at, with: None }), conditions).await
    }

    /// The score sheet of an interview.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`]
    pub async fn score_sheet(&self, who: &StaffSession, interview_id: &str) -> Result<Option<InterviewSheet>, Error> {
        if !who.staff.role.may(Permission::Score) {
            return Err(Refusal::RoleForbidden.into());
        }
        Ok(self.store.score_sheet(interview_id).await?)
    }

    async fn interview_rubric(&self, application: &Application) -> Rubric {
        self.product_settings().await.rubric(SheetKind::Interview, application.program).clone()
    }

    /// Stores the score sheet of an interview, replacing the one at `revision`; 0 for none.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`], [`Refusal::NoInterview`] where none was held, the rubric's errors,
    /// [`Refusal::ScoresChanged`] when somebody else was quicker.
    pub async fn score_interview(
        &self,
        who: &StaffSession,
        application: &Application,
        revision: i64,
        input: &Input,
    ) -> Result<(), Error> {
        let staff = &who.staff;
        if !staff.role.may(Permission::Score) {
            return Err(Refusal::RoleForbidden.into());
        }
        let interview = self.held_interview(&application.id).await?;
        self.may_meet(staff, &interview.slot.interviewer_id)?;
        let written = InterviewSheet {
            interview_id: interview.id.clone(),
            sheet: self.interview_rubric(application).await.parse(input)?,
            revision: revision + 1,
            written_by: staff.id.clone(),
            written_at: self.clock.now(),
        };
        let detail = json!({ "interview": interview.id, "revision": written.revision });
        let audit = self.about_application(who, &application.id, "interview.scored", detail);
        let saved = self.store.save_scores(&written, &application.id, &audit).await?;
        if saved { Ok(()) } else { Err(Refusal::ScoresChanged.into()) }
    }

    async fn held_interview(&self, application_id: &str) -> Result<Interview, Error> {
        let interview = self.store.interview(application_id, self.clock.now()).await?;
        let held = interview.filter(|interview| interview.outcome == Some(InterviewOutcome::Held));
        Ok(held.ok_or(Refusal::NoInterview)?)
    }
}
