//! A demo season: applications of the last months at every stage. Each takes the usual path, through the usual use
//! cases, at plausible times.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use async_trait::async_trait;
use jiff::ToSpan;
use jiff::civil::Weekday;
use serde_json::{Value, json};
use tokio::sync::OnceCell;

use crate::App;
use crate::accounts::sessions::SignedIn;
use crate::applications::acts::Preconditions;
use crate::applications::changes::ChangesRequest;
use crate::applications::saving::Expected;
use crate::applications::submission::{Submission, Withdrawal};
use crate::decisions::drafting::HOLD;
use crate::decisions::offers::OfferReply;
use crate::error::{Error, Refusal};
use crate::interviews::Record;
use crate::ports::{Clock, Overloaded, PasswordCheck, PasswordHasher};
use domain::application::{Application, ApplicationKey};
use domain::application_fee::FeeCode;
use domain::clocks;
use domain::decision::{Draft, DraftSeen};
use domain::input::FieldError;
use domain::interview::Span;
use domain::moments::{DAY, HOUR, MINUTE, Millis};
use domain::program::Program;
use domain::role::Role;
use domain::sentence::Sentence;
use domain::settings::{Setting, Values};
use domain::staff::Staff;
use domain::status::{Guard, Refused};

/// Maximum number of applications in a season.
pub const MAX: u32 = 5000;
/// How long ago the first one was started.
const SEASON_DAYS: i64 = 140;
/// Lower numbers belong to the basic demo drafts.
const FIRST_NUMBER: u32 = 7;

/// How far an application gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Unsent,
    Submitted,
    ChangesRequested,
    Wished,
    Booked,
    Held,
    NoShow,
    Drafted,
    Offered,
    Confirmed,
    Declined,
    Rejected,
    Waitlisted,
    Withdrawn,
}

use End::{
    Booked, ChangesRequested, Confirmed, Declined, Drafted, Held, NoShow, Offered, Rejected, Submitted, Unsent,
    Waitlisted, Wished, Withdrawn,
};

/// The ends of applications, by age, in turn.
const NEW: [End; 8] = [Submitted, Submitted, Booked, Unsent, Submitted, Wished, Booked, ChangesRequested];
const UNDER_WAY: [End; 8] = [Held, Drafted, Booked, Submitted, Held, NoShow, Drafted, Waitlisted];
const RECENT: [End; 8] = [Offered, Rejected, Confirmed, Held, Offered, Confirmed, Drafted, Declined];
const OLD: [End; 8] = [Confirmed, Rejected, Confirmed, Confirmed, Declined, Confirmed, Rejected, Withdrawn];

impl End {
    fn of(age: Millis, number: u32) -> End {
        let ends = match age / DAY {
            ..12 => NEW,
            12..24 => UNDER_WAY,
            24..44 => RECENT,
            _ => OLD,
        };
        ends[number as usize % ends.len()]
    }
}

/// The staff who do the work.
struct Office {
    interviewers: [Staff; 3],
    reviewer: Staff,
    decider: Staff,
    owner: Staff,
    /// Waives application fees, where there are any.
    fee_code: OnceCell<FeeCode>,
}

/// A clock at a given time in the past.
struct Then(AtomicI64);

impl Clock for Then {
    /// Never returns the same time twice, so that events keep their order.
    fn now(&self) -> Millis {
        self.0.fetch_add(1, Ordering::Relaxed)
    }
}

/// Hashes the password that all of them share only once.
struct HashedOnce {
    inner: Arc<dyn PasswordHasher>,
    hash: OnceCell<String>,
}

#[async_trait]
impl PasswordHasher for HashedOnce {
    async fn hash(&self, password: String) -> Result<String, Overloaded> {
        self.hash.get_or_try_init(|| self.inner.hash(password)).await.cloned()
    }

    async fn verify(&self, password: String, hash: Option<String>) -> Result<PasswordCheck, Overloaded> {
        self.inner.verify(password, hash).await
    }
}

impl App {
    /// Creates a season of this many demo applications, skipping existing ones. `on_progress` is called with the number
    /// processed. Returns a summary.
    ///
    /// # Errors
    /// `applications.range`
    pub async fn seed_season(&self, count: u32, on_progress: impl Fn(u32)) -> Result<String, Error> {
        if count > MAX {
            let sentence = format!("A demo season has at most {MAX} applications.");
            return Err(FieldError::new("applications", "applications.range", Sentence::plain(sentence)).into());
        }
        let office = Office {
            interviewers: [
                self.demo_staff("interviewer", Role::Interviewer).await?,
                self.demo_staff("interviewer.2", Role::Interviewer).await?,
                self.demo_staff("interviewer.3", Role::Interviewer).await?,
            ],
            reviewer: self.demo_staff("reviewer", Role::Reviewer).await?,
            decider: self.demo_staff("decider", Role::Decider).await?,
            owner: self.demo_staff("owner", Role::Owner).await?,
            fee_code: OnceCell::new(),
        };
        self.demo_references_asked(&office.owner).await?;
        let passwords = Arc::new(HashedOnce { inner: self.passwords.clone(), hash: OnceCell::new() });
        let app = App { passwords, ..self.clone() };
        let now = self.clock.now();
        let mut created = 0;
        for place in 0..count {
            // Spread evenly over the season, at different hours.
            let age = SEASON_DAYS * DAY * i64::from(count - place) / i64::from(count);
            match app.demo_season_application(FIRST_NUMBER + place, now - age, now, &office).await {
                Ok(()) => created += 1,
                Err(Error::Refused(Refusal::EmailTaken)) => {}
                Err(error) => return Err(error),
            }
            on_progress(place + 1);
        }
        self.demo_places(&office).await?;
        self.demo_fees_over(office.fee_code.get(), &office.owner).await?;
        Ok(format!("{created} demo applications of the last {SEASON_DAYS} days created."))
    }

    /// The same app at another time.
    pub(super) fn then(&self, at: Millis) -> App {
        App { clock: Arc::new(Then(at.into())), ..self.clone() }
    }

    async fn demo_season_application(
        &self,
        number: u32,
        begun: Millis,
        now: Millis,
        office: &Office,
    ) -> Result<(), Error> {
        let end = End::of(now - begun, number);
        let program = if number.is_multiple_of(3) { Program::Masters } else { Program::Bachelor };
        let app = self.then(begun);
        let (who, application) = app.register_demo(number, program).await?;
        let body = answers(number, program).into();
        let application = app.save_known(&who, application, &body, Expected::Nothing).await?;
        if end == Unsent {
            return self.log_out(&who).await;
        }
        let referee = app.demo_referee(&who, &application, number).await?;
        let submitted = (begun + 2 * HOUR).min(now);
        let app = self.then(submitted);
        let submission = Submission { declaration: true };
        let none = Preconditions::default;
        let application = app.submit_application(&who, Some(application), submission, none()).await?;
        let fee_code = (&office.fee_code, &office.owner);
        let application = app.demo_fee(&who, application, (end, number), fee_code).await?;
        let id = application.id.clone();
        let key = ApplicationKey::Id(&id);
        if let Some(referee) = referee {
            self.demo_reference(&referee, number, submitted, now).await?;
        }
        match end {
            Unsent | Submitted => {}
            ChangesRequested => {
                let asked = json!({
                    "sections": ["employment"],
                    "message": "Demo: please tell us how many hours a week you work.",
                    "dueOn": clocks::day(now + 14 * DAY, &self.settings.time_zone).to_string(),
                });
                let asked = ChangesRequest::parse(&asked.into())?;
                self.request_changes(&office.reviewer, key, asked, none()).await?;
            }
            Wished => {
                let day = |ahead: i64| clocks::day(now + ahead * DAY, &self.settings.time_zone).to_string();
                let wish = |ahead: i64, time: &str| json!({ "date": day(ahead), "time": time });
                let wishes = json!({ "wishes": [wish(6, "10:00"), wish(7, "14:00"), wish(8, "16:30")] });
                self.wish_for_times(&who, Some(&application), &wishes.into()).await?;
            }
            Withdrawn => {
                let reason = json!({ "reason": "Demo: my plans have changed." });
                let withdrawal = Withdrawal::parse(&reason.into())?;
                self.then(submitted + 3 * DAY)
                    .withdraw_application(&who, Some(application), withdrawal, none())
                    .await?;
            }
            Rejected if number.is_multiple_of(2) => {
                // Clear cases are rejected without an interview.
                let reject = json!({
                    "outcome": "reject", "letter": "no_place", "withoutDocuments": "Demo: it is clear without them.", "reasons": ["entry_requirements"],
                    "shownReasons": ["entry_requirements"],
                });
                self.demo_decision(&id, reject, submitted + 6 * DAY, now, office).await?;
            }
            _ => self.demo_interview(&who, application, end, number, submitted, now, office).await?,
        }
        self.log_out(&who).await
    }

    /// Takes a booked interview to its end.
    #[expect(clippy::too_many_arguments, reason = "one way, told by its parts, for one caller")]
    async fn demo_interview(
        &self,
        who: &SignedIn,
        application: Application,
        end: End,
        number: u32,
        submitted: Millis,
        now: Millis,
        office: &Office,
    ) -> Result<(), Error> {
        let interviewer = &office.interviewers[number as usize % office.interviewers.len()];
        let id = application.id.clone();
        let ahead = if end == Booked { now.max(submitted) } else { submitted } + 3 * DAY;
        let app = self.then(submitted + MINUTE);
        let starts_at = app.demo_slot(interviewer, ahead, number).await?;
        app.book_interview(who, Some(application), starts_at, Preconditions::default()).await?;
        if end == Booked {
            return Ok(());
        }
        let key = ApplicationKey::Id(&id);
        let record = if end == NoShow { Record::NoShow } else { Record::Held };
        let over = self.then((starts_at + HOUR).min(now));
        over.record_interview(interviewer, key, record, Preconditions::default()).await?;
        let decided = starts_at + 2 * DAY;
        let reject = json!({
            "outcome": "reject", "letter": "no_place", "withoutDocuments": "Demo: seen at the interview.", "reasons": ["interview", "places"], "shownReasons": ["places"],
        });
        let accept = json!({
            "outcome": "accept", "letter": "offer", "withoutDocuments": "Demo: seen at the interview.",
            "conditions": if number.is_multiple_of(4) { json!(["Demo: an official transcript of your studies"]) } else { json!([]) },
        });
        match end {
            Rejected => self.demo_decision(&id, reject, decided, now, office).await?,
            Offered | Confirmed | Declined => {
                self.demo_decision(&id, accept, decided, now, office).await?;
                let reply = if end == Confirmed { "accept" } else { "decline" };
                let at = decided + 4 * DAY;
                if end != Offered && at < now {
                    let reply = OfferReply::parse(&json!({ "reply": reply }).into())?;
                    let (_, application) = self.find_application(key).await?;
                    match self.then(at).reply_to_offer(who, Some(application), reply, Preconditions::default()).await {
                        // The product running on the same data has let it lapse in the meantime.
                        Ok(_) | Err(Error::NotAllowed(_)) => {}
                        Err(error) => return Err(error),
                    }
                }
            }
            Waitlisted => self.demo_waitlist(&id, accept, decided, now, office).await?,
            Drafted => {
                let draft = if number.is_multiple_of(3) { reject } else { accept };
                let draft = Draft::parse(&draft.into(), &self.product_settings().await.reasons)?;
                self.then(decided.min(now)).draft_decision(&office.decider, key, draft, DraftSeen::Any).await?;
            }
            _ => {}
        }
        Ok(())
    }

    /// Opens the first free time on a working day after `from`, and returns its start.
    async fn demo_slot(&self, staff: &Staff, from: Millis, number: u32) -> Result<Millis, Error> {
        const HOURS: [i8; 8] = [9, 10, 11, 12, 13, 14, 15, 16];
        let zone = clocks::zone(&self.settings.time_zone);
        let mut day = clocks::day(from, &self.settings.time_zone);
        loop {
            day = day.saturating_add(1.day());
            if matches!(day.weekday(), Weekday::Saturday | Weekday::Sunday) {
                continue;
            }
            for turn in 0..HOURS.len() {
                let hour = HOURS[(number as usize + turn) % HOURS.len()];
                let Ok(start) = day.at(hour, 0, 0, 0).to_zoned(zone.clone()) else { continue };
                let span = Span { starts_at: start.timestamp().as_millisecond(), minutes: 40 };
                match self.open_slots(staff, &[span]).await {
                    Ok(()) => return Ok(span.starts_at),
                    Err(Error::Invalid(errors)) if errors.iter().all(|error| error.code == "slots.overlap") => {}
                    Err(error) => return Err(error),
                }
            }
        }
    }

    /// Drafts an acceptance and puts the application on the waitlist a day later.
    async fn demo_waitlist(
        &self,
        application_id: &str,
        draft: Value,
        at: Millis,
        now: Millis,
        office: &Office,
    ) -> Result<(), Error> {
        let key = ApplicationKey::Id(application_id);
        let draft = Draft::parse(&draft.into(), &self.product_settings().await.reasons)?;
        let decision = self.then(at.min(now)).draft_decision(&office.decider, key, draft, DraftSeen::Any).await?;
        let joined = self.then((at + DAY).min(now));
        joined.wait_for_place(&office.owner, &decision.id, Preconditions::default()).await?;
        Ok(())
    }

    /// Limits the places of intakes for which somebody waits to those that are taken, unless the office has set any.
    async fn demo_places(&self, office: &Office) -> Result<(), Error> {
        let places = self.places_of_lines().await?;
        for program in Program::ALL {
            let typed: Values = places
                .iter()
                .filter(|(of, ..)| *of == program)
                .map(|(_, intake, taken)| (format!("{}.places", intake.code()), taken.to_string()))
                .collect();
            if typed.is_empty() {
                continue;
            }
            match self.change_setting(&office.owner, Setting::Places(program), 0, &typed).await {
                Ok(()) | Err(Error::Refused(Refusal::SettingStale)) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Drafts a decision and releases it a day later.
    async fn demo_decision(
        &self,
        application_id: &str,
        draft: Value,
        at: Millis,
        now: Millis,
        office: &Office,
    ) -> Result<(), Error> {
        let key = ApplicationKey::Id(application_id);
        let draft = Draft::parse(&draft.into(), &self.product_settings().await.reasons)?;
        let decision = self.then(at.min(now)).draft_decision(&office.decider, key, draft, DraftSeen::Any).await?;
        let released = (at + DAY).min(now - 2 * HOLD);
        match self.then(released).release_decision(&office.owner, &decision.id, Preconditions::default()).await {
            // No place is left: the draft waits for one.
            Ok(_) | Err(Error::NotAllowed(Refused::Unmet(Guard::PlaceLeft))) => Ok(()),
            Err(error) => Err(error),
        }
    }
}

/// Complete answers, hardly two alike.
fn answers(number: u32, program: Program) -> Value {
    let every = |nth: u32| number.is_multiple_of(nth);
    let payments = ["tuition_assistance", "gi_bill", "employer", "scholarship", "self_pay"];
    let years = ["<1", "1-2", "3-5", "6-10", ">10"];
    let years = years[number as usize % years.len()];
    let employer = |name: String| {
        json!({
            "name": name, "jobTitle": "Demo instructor", "hoursPerWeek": 20 + number % 20, "yearsInRole": years,
        })
    };
    let employed = !every(5);
    let mut questions = match program {
        Program::Bachelor => json!({ "motivation": format!("Demo reason {number}."), "studyMode": "part_time" }),
        Program::Masters => json!({
            "focus": ["leadership"], "practice": format!("Demo conversation {number}."), "hasCredential": false,
        }),
    };
    questions["hoursPerWeek"] = json!(8 + number % 20);
    questions["needsAccommodation"] = json!(false);
    json!({
        "applicationType": program.application_type(),
        "personalInfo": {
            "isUSCitizen": !every(6), "isMilitaryAffiliated": every(2), "isDoDEmployee": every(7),
            "state": super::STATES[number as usize % super::STATES.len()],
        },
        "education": {
            "hasBachelors": program == Program::Masters || every(4), "country": "US",
            "hasMasters": every(9), "mastersCountry": "US",
        },
        "employment": {
            "isSeeingCoachingClients": every(3),
            "isCurrentlyEmployed": employed,
            "currentEmployer": employer(format!("Demo Employer {}", number % 12)),
            "hasPreviousEmployment": every(2),
            "previousEmployers": [employer(format!("Demo Employer {}", (number + 5) % 12))],
        },
        "financialPlan": {
            "selectedPayments": [payments[number as usize % payments.len()]],
            "selfPayContribution": { "upFrontContribution": 120_000 + i64::from(number), "monthlyPaymentContribution": 25_000 },
        },
        "creditTransfer": { "selectedPrograms": if every(2) { json!(["jst"]) } else { json!([]) } },
        "questionnaire": { "answers": questions },
    })
}
