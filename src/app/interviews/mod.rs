//! Interviews: opening times, holding and booking one, moving and cancelling, recording how it went, wishes and
//! reminders. What an act does to the slot, the calendars and the mails is in `effects`, for every act of the table.

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
use store::{Job, NewMail, NewSlot, SlotAsked, StoreError, Transition};

pub(crate) use effects::Meeting;
pub use mails::FILE as CALENDAR_FILE;

/// Reminds of an interview, 24 hours and 1 hour before.
pub(crate) const REMINDER: &str = "interview-reminder";
/// Tells the applicant that an interview does not take place, when what made it so may be known.
pub(crate) const CANCELLATION: &str = "interview-cancellation";

/// Most characters of a reason.
const MAX_REASON_LENGTH: usize = 1000;

/// Where somebody is with their interview.
#[derive(Debug, Clone)]
pub struct Appointment {
    /// The latest one, whatever became of it.
    pub interview: Option<Interview>,
    /// Whether the applicant may book a free time that is far enough ahead, and why not.
    pub book: Result<(), Refused>,
    /// The same for another time.
    pub reschedule: Result<(), Refused>,
    pub cancel: Result<(), Refused>,
}

impl Appointment {
    /// The interview that is going to be held.
    pub fn open(&self) -> Option<&Interview> {
        self.interview.as_ref().filter(|interview| interview.is_open())
    }

    /// Whether there is a time to choose, for a first interview or another.
    pub fn can_choose(&self) -> bool {
        self.book.is_ok() || self.reschedule.is_ok()
    }
}

/// A time that a member of staff chooses for an interview.
#[derive(Debug, Clone, Copy)]
pub struct Chosen<'a> {
    pub starts_at: Millis,
    /// Whom it is to be with, by their id; whoever can be met then without.
    pub with: Option<&'a str>,
}

/// How a member of staff says that an interview went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Record {
    Held,
    NoShow,
    /// It was recorded by mistake.
    Undo,
}

body! {
    /// The time that an applicant chooses.
    pub struct TimeChoice {
        /// One of `times`.
        #[schema(value_type = String, format = DateTime)]
        pub starts_at: Millis = |_: &str, input: Option<&Input>| parse_start(input),
    }
}

body! {
    /// The time that staff choose, and whom it is to be with.
    pub struct StaffTimeChoice {
        #[schema(value_type = String, format = DateTime)]
        pub starts_at: Millis = |_: &str, input: Option<&Input>| parse_start(input),
        /// The id of who holds it; without one it is anybody who has that time.
        #[schema(nullable = false)]
        pub interviewer: Option<String> =
            optional_text("The interviewer must be text: the id of a member of staff."),
    }
}

body! {
    /// Why somebody cancels; nobody has to say.
    pub struct InterviewCancellation {
        /// At most 1,000 characters.
        #[schema(nullable = false)]
        pub reason: Option<String> = lines(text!("The reason"), MAX_REASON_LENGTH),
    }
}

impl App {
    /// Where somebody is with their interview.
    pub async fn appointment(&self, application: &Application) -> Result<Appointment, Error> {
        let now = self.clock.now();
        let mut interview = self.store.interview(&application.id, now).await?;
        // A decision that made the interview needless shows when it can no longer be recalled: until then it stands.
        if let Some(interview) = interview.as_mut().filter(|_| application.stage == Stage::Booked) {
            interview.freed_at = None;
        }
        let meeting = Meeting::new(now, interview.clone(), None);
        // As if a time were chosen that can be had.
        let facts =
            Facts { slot_free: true, minutes_until_slot: Some(DAY / MINUTE), ..meeting.complete(Facts::default()) };
        let may = |act: Act| decide(application.stage, act, ActorKind::Applicant, &facts).map(|_: Change| ());
        let (book, reschedule, cancel) = (may(Act::Book), may(Act::Move), may(Act::Cancel));
        Ok(Appointment { interview, book, reschedule, cancel })
    }

    /// The time that is kept for somebody who can choose one.
    pub async fn held_time(&self, application: &Application) -> Result<Option<Hold>, Error> {
        Ok(self.store.held_slot(&application.id, self.clock.now()).await?)
    }

    /// The three times that somebody has sent who can book.
    pub async fn sent_wishes(&self, application: &Application) -> Result<Option<Wishes>, Error> {
        Ok(self.store.wishes(&application.id).await?)
    }

    /// The times that an applicant can choose, each once and in order.
    pub async fn free_times(&self, application: &Application) -> Result<Vec<Millis>, Error> {
        let now = self.clock.now();
        let asked = SlotAsked { noticed: true, only: None };
        Ok(self.store.free_times(&application.id, now + DAY, now, asked).await?)
    }

    /// Keeps a time for some minutes, in the place of one that was kept before.
    ///
    /// # Errors
    /// [`Error::NotAllowed`] when the time could not be booked, above all because somebody else has it;
    /// [`Refusal::NoApplication`].
    pub async fn hold_time(&self, known: Option<&Application>, starts_at: Millis) -> Result<Hold, Error> {
        let application = known.ok_or(Refusal::NoApplication)?;
        let now = self.clock.now();
        let interview = self.store.interview(&application.id, now).await?;
        let facts = Meeting::new(now, interview, Some((starts_at, None))).complete(Facts::default());
        let facts = Facts { slot_free: true, ..facts };
        let act = if application.stage == Stage::Booked { Act::Move } else { Act::Book };
        decide(application.stage, act, ActorKind::Applicant, &facts).map_err(Error::NotAllowed)?;
        let until = now + HOLD_MINUTES * MINUTE;
        let slot = self.store.hold_slot(&application.id, starts_at, now, until).await?;
        let slot = slot.ok_or(Error::NotAllowed(Refused::Unmet(Guard::SlotFree)))?;
        Ok(Hold { slot, until })
    }

    /// Books an interview at a time, whether or not it was kept before.
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

    /// Keeps three times that suit the applicant, in the place of earlier ones, and asks staff to find one.
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

    /// The entry of the open interview for the applicant's calendar.
    pub fn interview_file(&self, applicant: &Applicant, application: &Application, interview: &Interview) -> String {
        let meeting = mails::Meeting { applicant, application, interview };
        mails::calendar(self, meeting, ics::Method::Publish)
    }

    /// Opens times at which a member of staff can be met, all or none.
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

    /// Books, moves (with a time) or cancels (without one) for an applicant. Who looks after their own interviews alone
    /// books times of their own.
    ///
    /// # Errors
    /// [`Error::NotAllowed`], [`Error::Stale`], [`Refusal::NoApplication`], [`Refusal::RoleForbidden`] for an interview of
    /// somebody else.
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
            // What is booked since is what this very call has booked, and no time to move it from.
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

    /// Records how an interview went, or takes that back.
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

    /// That somebody may look after the interview that there is. Whether one is theirs to book, the table says.
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
        // One that comes late says what is true by then, or nothing.
        if !interview.is_open() || left <= 0 || !applicant.profile.reminders {
            return Ok(Ran::Done);
        }
        let before = if left > 2 * HOUR { mails::Before::Day } else { mails::Before::Hour };
        let meeting = mails::Meeting { applicant: &applicant, application: &application, interview: &interview };
        self.send_once(job, mails::reminder(&self.wording().await, meeting, before)).await
    }

    /// Tells the applicant that the interview does not take place, unless it does again.
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

    /// Writes a job's mail under the job's own id, so that it is there once however often the job runs.
    async fn send_once(&self, job: &Job, mail: NewMail) -> Result<Ran, Error> {
        self.store.enqueue(&NewMail { id: job.id.clone(), ..mail }).await?;
        Ok(Ran::Done)
    }

    /// The time zone that somebody goes by.
    pub fn zone_of(&self, applicant: &Applicant) -> TimeZone {
        let own = &applicant.profile.time_zone;
        let name = if own.is_empty() { &self.settings.time_zone } else { own };
        clocks::zone(name)
    }
}
