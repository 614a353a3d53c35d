//! Interviews: opening times, holding and booking one, moving and cancelling, recording the outcome, preferred times
//! and reminders. The effects of every act on the slot, calendars and mails are in `effects`.

mod effects;
pub mod office;

use jiff::tz::TimeZone;
use serde_json::{Value, json};

use crate::App;
use crate::accounts::sessions::SignedIn;
use crate::applications::acts::{Actor, Command, Preconditions};
use crate::error::{Error, Refusal};
use crate::jobs::Ran;
use crate::mails::interview as mails;
use domain::account::Applicant;
use domain::application::{Application, ApplicationKey};
use domain::body::{lines, optional_text};
use domain::clocks;
use domain::input::{FieldError, Input};
use domain::interview::{HOLD_MINUTES, Hold, Interview, InterviewWishes, Span, Wishes, check_slots, ics, parse_start};
use domain::moments::{DAY, HOUR, MINUTE, Millis, rfc3339};
use domain::permission::Permission;
use domain::staff::Staff;
use domain::status::{Act, ActorKind, Change, Facts, Guard, Refused, Stage, decide};
use domain::task::{Task, TaskKind};
use domain::{body, text};
use store::{Job, NewMail, NewSlot, SlotRequest, StoreError, Transition};

pub(crate) use effects::Meeting;
pub use mails::FILE as CALENDAR_FILE;

/// Reminds of an interview, 24 hours and 1 hour before.
pub(crate) const REMINDER: &str = "interview-reminder";
/// Tells the applicant that an interview does not take place, once they may know the reason.
pub(crate) const CANCELLATION: &str = "interview-cancellation";

/// Maximum number of characters in a reason.
const MAX_REASON_LENGTH: usize = 1000;

/// The state of an application's interview, for its applicant.
#[derive(Debug, Clone)]
pub struct Appointment {
    /// The latest interview, whatever its outcome.
    pub interview: Option<Interview>,
    /// Whether the applicant may book a free time far enough ahead; otherwise the reason.
    pub book: Result<(), Refused>,
    /// The same for moving it to another time.
    pub reschedule: Result<(), Refused>,
    pub cancel: Result<(), Refused>,
}

impl Appointment {
    /// The upcoming interview.
    pub fn open(&self) -> Option<&Interview> {
        self.interview.as_ref().filter(|interview| interview.is_open())
    }

    /// Whether the applicant can choose a time, for a first interview or another.
    pub fn can_choose(&self) -> bool {
        self.book.is_ok() || self.reschedule.is_ok()
    }
}

/// An interview time chosen by staff.
#[derive(Debug, Clone, Copy)]
pub struct Chosen<'a> {
    pub starts_at: Millis,
    /// The interviewer's id; without one, anybody available then.
    pub with: Option<&'a str>,
}

/// The outcome of an interview, as recorded by staff.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Record {
    Held,
    NoShow,
    /// Undoes a record made by mistake.
    Undo,
}

body! {
    /// An interview time chosen by the applicant.
    pub struct TimeChoice {
        /// One of `times`.
        #[schema(value_type = String, format = DateTime)]
        pub starts_at: Millis = |_: &str, input: Option<&Input>| parse_start(input),
    }
}

body! {
    /// An interview time chosen by staff, optionally with an interviewer.
    pub struct StaffTimeChoice {
        #[schema(value_type = String, format = DateTime)]
        pub starts_at: Millis = |_: &str, input: Option<&Input>| parse_start(input),
        /// The id of the interviewer; without one, anybody available at that time.
        #[schema(nullable = false)]
        pub interviewer: Option<String> =
            optional_text("The interviewer must be text: the id of a member of staff."),
    }
}

body! {
    /// A cancellation of an interview, with an optional reason.
    pub struct InterviewCancellation {
        /// At most 1,000 characters.
        #[schema(nullable = false)]
        pub reason: Option<String> = lines(text!("The reason"), MAX_REASON_LENGTH),
    }
}

impl App {
    /// The state of the application's interview.
    pub async fn appointment(&self, application: &Application) -> Result<Appointment, Error> {
        let now = self.clock.now();
        let mut interview = self.store.interview(&application.id, now).await?;
        // A decision that cancels the interview shows once it can no longer be recalled: until then the interview
        // stands.
        if let Some(interview) = interview.as_mut().filter(|_| application.stage == Stage::Booked) {
            interview.freed_at = None;
        }
        let meeting = Meeting::new(now, interview.clone(), None);
        // As if an available time had been chosen.
        let facts = Facts {
            fee_settled: !self.is_fee_due(&application.id).await?,
            slot_free: true,
            minutes_until_slot: Some(DAY / MINUTE),
            ..meeting.complete(Facts::default())
        };
        let may = |act: Act| decide(application.stage, act, ActorKind::Applicant, &facts).map(|_: Change| ());
        let (book, reschedule, cancel) = (may(Act::Book), may(Act::Move), may(Act::Cancel));
        Ok(Appointment { interview, book, reschedule, cancel })
    }

    /// The time held for an applicant who can choose one.
    pub async fn held_time(&self, application: &Application) -> Result<Option<Hold>, Error> {
        Ok(self.store.held_slot(&application.id, self.clock.now()).await?)
    }

    /// The three preferred times that an applicant who can book has sent.
    pub async fn sent_wishes(&self, application: &Application) -> Result<Option<Wishes>, Error> {
        Ok(self.store.wishes(&application.id).await?)
    }

    /// The times an applicant can choose from, in order and without duplicates.
    pub async fn free_times(&self, application: &Application) -> Result<Vec<Millis>, Error> {
        let now = self.clock.now();
        let asked = SlotRequest { noticed: true, only: None };
        Ok(self.store.free_times(&application.id, now + DAY, now, asked).await?)
    }

    /// Holds a time for some minutes, replacing one held before.
    ///
    /// # Errors
    /// [`Error::NotAllowed`] when the time could not be booked, usually because somebody else has it;
    /// [`Refusal::NoApplication`].
    pub async fn hold_time(&self, known: Option<&Application>, starts_at: Millis) -> Result<Hold, Error> {
        let application = known.ok_or(Refusal::NoApplication)?;
        let now = self.clock.now();
        let interview = self.store.interview(&application.id, now).await?;
        let facts = Meeting::new(now, interview, Some((starts_at, None))).complete(Facts::default());
        let facts = Facts { fee_settled: !self.is_fee_due(&application.id).await?, slot_free: true, ..facts };
        let act = if application.stage == Stage::Booked { Act::Move } else { Act::Book };
        decide(application.stage, act, ActorKind::Applicant, &facts).map_err(Error::NotAllowed)?;
        let until = now + HOLD_MINUTES * MINUTE;
        let slot = self.store.hold_slot(&application.id, starts_at, now, until).await?;
        let slot = slot.ok_or(Error::NotAllowed(Refused::Unmet(Guard::SlotFree)))?;
        Ok(Hold { slot, until })
    }

    /// Books an interview at a time, whether or not it was held before.
    ///
    /// # Errors
    /// [`Error::NotAllowed`], [`Error::Stale`], [`Refusal::NoApplication`].
    pub async fn book_interview(
        &self,
        who: &SignedIn,
        known: Option<Application>,
        starts_at: Millis,
        conditions: Preconditions,
    ) -> Result<Application, Error> {
        self.arrange(who, known, Act::Book, Some(starts_at), None, conditions).await
    }

    /// Moves the interview to another time.
    ///
    /// # Errors
    /// As for [`book_interview`](Self::book_interview).
    pub async fn move_interview(
        &self,
        who: &SignedIn,
        known: Option<Application>,
        starts_at: Millis,
        conditions: Preconditions,
    ) -> Result<Application, Error> {
        self.arrange(who, known, Act::Move, Some(starts_at), None, conditions).await
    }

    /// Cancels the interview: the application is submitted again, and another one can be booked.
    ///
    /// # Errors
    /// As for [`book_interview`](Self::book_interview).
    pub async fn cancel_interview(
        &self,
        who: &SignedIn,
        known: Option<Application>,
        reason: Option<String>,
        conditions: Preconditions,
    ) -> Result<Application, Error> {
        self.arrange(who, known, Act::Cancel, None, reason, conditions).await
    }

    /// Stores three times that suit the applicant, replacing earlier ones, and asks staff to find one.
    ///
    /// # Errors
    /// Bad times, [`Error::NotAllowed`] where no interview could be booked, [`Refusal::NoApplication`].
    pub async fn wish_for_times(
        &self,
        who: &SignedIn,
        known: Option<&Application>,
        input: &Input,
    ) -> Result<Wishes, Error> {
        let now = self.clock.now();
        let times = InterviewWishes::parse(input, &self.zone_of(&who.applicant), now)?.wishes;
        let application = known.ok_or(Refusal::NoApplication)?;
        self.appointment(application).await?.book.map_err(Error::NotAllowed)?;
        let wishes = Wishes { times, sent_at: now };
        let subject = format!("application:{}", application.id);
        let detail = json!({ "times": times.map(rfc3339) });
        let task = Task {
            id: self.random.id(),
            kind: TaskKind::InterviewWishes,
            subject: subject.clone(),
            detail: json!({}),
            created_at: now,
            due_at: None,
        };
        let audit = self.by_applicant(&who.applicant.id, subject, "interview.wished", detail);
        self.store.save_wishes(&application.id, &wishes, &audit, &task).await?;
        Ok(wishes)
    }

    /// The calendar entry of the upcoming interview, for the applicant.
    pub fn interview_file(&self, applicant: &Applicant, application: &Application, interview: &Interview) -> String {
        let meeting = mails::Meeting { applicant, application, interview };
        mails::calendar(self, meeting, ics::Method::Publish)
    }

    /// Opens times at which a member of staff is available, all or none.
    ///
    /// # Errors
    /// Bad times, `slots.overlap` when one overlaps another of theirs, [`Refused::Forbidden`].
    pub async fn open_slots(&self, staff: &Staff, spans: &[Span]) -> Result<(), Error> {
        if !staff.role.may(Permission::Interview) {
            return Err(Error::NotAllowed(Refused::Forbidden));
        }
        let now = self.clock.now();
        check_slots(spans, now)?;
        let slots: Vec<NewSlot> = spans.iter().map(|span| NewSlot { id: self.random.id(), span: *span }).collect();
        let by = format!("staff:{}", staff.id);
        let audit = self.audit_entry(by.clone(), by, "interview.slots_opened", json!({ "count": slots.len() }));
        self.store.open_slots(&staff.id, &slots, now, &audit).await.map_err(|error| match error {
            StoreError::Taken("slots") => {
                FieldError::new("slots", "slots.overlap", text!("One of these times overlaps another one of yours."))
                    .into()
            }
            other => other.into(),
        })
    }

    /// Books, moves (with a time) or cancels (without one) for an applicant. Staff who may only handle their own
    /// interviews can only book their own times.
    ///
    /// # Errors
    /// [`Error::NotAllowed`], [`Error::Stale`], [`Refusal::NoApplication`], [`Refusal::RoleForbidden`] for somebody
    /// else's interview.
    pub async fn arrange_interview_for(
        &self,
        staff: &Staff,
        key: ApplicationKey<'_>,
        chosen: Option<Chosen<'_>>,
        conditions: Preconditions,
    ) -> Result<Application, Error> {
        let starts_at = chosen.map(|chosen| chosen.starts_at);
        let with = chosen.and_then(|chosen| chosen.with);
        if let Some(with) = with {
            self.may_meet(staff, with)?;
        }
        let (applicant, application) = self.find_application(key).await?;
        if starts_at.is_none() || application.stage == Stage::Booked {
            self.look_after(staff, &application.id).await?;
        }
        if starts_at.is_some() {
            // If it is booked now, this very call did it earlier, and must not move it.
            if let Some(done) = self.repeated(&applicant.id, Act::Book, &conditions).await? {
                return Ok(done);
            }
        }
        let act = match (starts_at, application.stage) {
            (None, _) => Act::Cancel,
            (Some(_), Stage::Booked) => Act::Move,
            (Some(_), _) => Act::Book,
        };
        let detail = json!({ "startsAt": starts_at.map(rfc3339) });
        let actor = Actor::staff(staff).with(with);
        self.staff_act(actor, &applicant, application, act, starts_at, detail, conditions).await
    }

    /// Records the outcome of an interview, or undoes that.
    ///
    /// # Errors
    /// As for [`arrange_interview_for`](Self::arrange_interview_for).
    pub async fn record_interview(
        &self,
        staff: &Staff,
        key: ApplicationKey<'_>,
        record: Record,
        conditions: Preconditions,
    ) -> Result<Application, Error> {
        let (applicant, application) = self.find_application(key).await?;
        self.look_after(staff, &application.id).await?;
        let act = match record {
            Record::Held => Act::RecordHeld,
            Record::NoShow => Act::RecordNoShow,
            Record::Undo => Act::UndoRecord,
        };
        self.staff_act(Actor::staff(staff), &applicant, application, act, None, json!({}), conditions).await
    }

    /// Checks that the member of staff may handle the current interview. The table decides whether they may book one.
    async fn look_after(&self, staff: &Staff, application_id: &str) -> Result<(), Error> {
        let interview = self.store.interview(application_id, self.clock.now()).await?;
        match interview.filter(|interview| interview.freed_at.is_none() && staff.role.may(Permission::Interview)) {
            Some(interview) => self.may_meet(staff, &interview.slot.interviewer_id),
            None => Ok(()),
        }
    }

    #[expect(clippy::too_many_arguments, reason = "one act, told by its parts, for two callers")]
    async fn staff_act(
        &self,
        actor: Actor,
        applicant: &Applicant,
        application: Application,
        act: Act,
        starts_at: Option<Millis>,
        detail: Value,
        conditions: Preconditions,
    ) -> Result<Application, Error> {
        if let Some(done) = self.repeated(&applicant.id, act, &conditions).await? {
            return Ok(done);
        }
        let facts = |_: &Application| Facts::default();
        let command = Command { act, actor, applicant, facts: &facts, detail, also: &|_, _| {}, conditions };
        Ok(self.act_at(application, command, starts_at).await?)
    }

    async fn arrange(
        &self,
        who: &SignedIn,
        known: Option<Application>,
        act: Act,
        starts_at: Option<Millis>,
        reason: Option<String>,
        conditions: Preconditions,
    ) -> Result<Application, Error> {
        if let Some(done) = self.repeated(&who.applicant.id, act, &conditions).await? {
            return Ok(done);
        }
        let current = known.ok_or(Refusal::NoApplication)?;
        let facts = |_: &Application| Facts::default();
        let detail = starts_at.map_or_else(|| json!({}), |starts_at| json!({ "startsAt": rfc3339(starts_at) }));
        let also = |_: &Application, transition: &mut Transition| transition.reason.clone_from(&reason);
        let command = Command { also: &also, ..Command::own(who, act, &facts, detail, conditions) };
        Ok(self.act_at(current, command, starts_at).await?)
    }

    /// Reminds the applicant, if the interview is still the one that the job was planned for.
    pub(crate) async fn remind_of_interview(&self, job: &Job) -> Result<Ran, Error> {
        let Some((applicant, application, interview)) = self.interview_of(job).await? else { return Ok(Ran::Done) };
        let left = interview.slot.span.starts_at - self.clock.now();
        // A late reminder says what is true by then, or nothing.
        if !interview.is_open() || left <= 0 || !applicant.profile.reminders {
            return Ok(Ran::Done);
        }
        let before = if left > 2 * HOUR { mails::Before::Day } else { mails::Before::Hour };
        let meeting = mails::Meeting { applicant: &applicant, application: &application, interview: &interview };
        self.send_once(job, mails::reminder(&self.wording().await, meeting, before)).await
    }

    /// Tells the applicant that the interview does not take place, unless it was restored.
    pub(crate) async fn tell_of_cancellation(&self, job: &Job) -> Result<Ran, Error> {
        let Some((applicant, application, interview)) = self.interview_of(job).await? else { return Ok(Ran::Done) };
        if interview.freed_at.is_none() || interview.slot.span.starts_at <= self.clock.now() {
            return Ok(Ran::Done);
        }
        let meeting = mails::Meeting { applicant: &applicant, application: &application, interview: &interview };
        self.send_once(job, mails::cancelled(&self.wording().await, meeting)).await
    }

    /// The interview that a job is about, unless it has changed since.
    async fn interview_of(&self, job: &Job) -> Result<Option<(Applicant, Application, Interview)>, Error> {
        let Some(id) = job.subject.strip_prefix("application:") else { return Ok(None) };
        let Some((applicant, application)) = self.store.application(ApplicationKey::Id(id)).await? else {
            return Ok(None);
        };
        let interview = self.store.interview(id, self.clock.now()).await?;
        let is_it = |interview: &Interview| {
            job.detail["interview"] == interview.id.as_str() && job.detail["sequence"] == interview.sequence
        };
        Ok(interview.filter(is_it).map(|interview| (applicant, application, interview)))
    }

    /// Writes a job's mail under the job's id, so that it exists only once however often the job runs.
    async fn send_once(&self, job: &Job, mail: NewMail) -> Result<Ran, Error> {
        self.store.enqueue(&NewMail { id: job.id.clone(), ..mail }).await?;
        Ok(Ran::Done)
    }

    /// The applicant's time zone.
    pub fn zone_of(&self, applicant: &Applicant) -> TimeZone {
        let own = &applicant.profile.time_zone;
        let name = if own.is_empty() { &self.settings.time_zone } else { own };
        clocks::zone(name)
    }
}
