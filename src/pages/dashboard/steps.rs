//! Whose turn it is, what to do, by when: the texts of the dashboard for every stage.

use jiff::civil::Date;

use super::next_intake;
use crate::props::dashboard::{NextStep, Progress, TimelineEntry};
use crate::{Visit, application, fee as fees, moment};
use app::applications::progress::ApplicationProgress;
use app::money::fees::FeeView;
use app::money::funding::FundingView;
use domain::application::Application;
use domain::calendar::{SLOW, working_days_after};
use domain::contract::ContractState;
use domain::intake::Intake;
use domain::moments;
use domain::moments::Millis;
use domain::money::dollars;
use domain::program::Program;
use domain::sentence::Sentence;
use domain::status::{Outcome, Stage};
use domain::text;

/// The current time, and the applicant's time zone.
pub struct Moments<'a> {
    pub now: Millis,
    pub zone: &'a str,
}

impl<'a> Moments<'a> {
    pub fn of(visit: &'a Visit) -> Moments<'a> {
        Moments { now: visit.now(), zone: visit.visitor.time_zone(&visit.state.app) }
    }

    /// Describes the end of a period that lasts until `until`, in the applicant's time zone.
    pub fn last_minute(&self, until: Millis) -> Sentence {
        moment::last_minute(until, self.zone)
    }

    /// Returns how late we are with what we promised within ten working days from `since`, and the day we name now.
    fn promise(&self, since: Millis) -> Promise {
        let since = moment::date(since, self.zone);
        let today = moment::date(self.now, self.zone);
        let [first, second] = SLOW.map(|days| working_days_after(since, days));
        match today {
            _ if today <= first => Promise::By(first),
            _ if today <= second => Promise::Late(second),
            _ => Promise::VeryLate,
        }
    }
}

/// What an applicant waiting for us is told.
enum Promise {
    By(Date),
    Late(Date),
    VeryLate,
}

/// Returns when the present submission was made; none if it was taken back.
pub fn submitted_at(application: &Application) -> Option<Millis> {
    application.submitted_at.filter(|_| application.stage != Stage::Draft)
}

/// Returns since when an application has been waiting for us, if it is.
fn waits_since(application: &Application, standing: &ApplicationProgress) -> Option<Millis> {
    match application.stage {
        Stage::Held => standing.milestones.held,
        Stage::Confirmed if standing.contract.is_none() => {
            let planned = standing.funding.as_ref().filter(|view| view.is_planned())?;
            planned.plan.as_ref().map(|plan| plan.changed_at)
        }
        _ => None,
    }
}

fn open_until(standing: &ApplicationProgress) -> Option<Millis> {
    Some(standing.decided.as_ref()?.offer.as_ref()?.open_until)
}

/// Returns when a draft is due. Every later deadline is in the next step, and only there.
pub fn by_when(visit: &Visit, application: &Application) -> Option<Sentence> {
    (application.stage == Stage::Draft).then(|| next_intake(visit))
}

/// Says what the waitlist means to somebody who waits for a place of this intake.
pub fn on_waitlist(intake: Intake) -> Sentence {
    text!(
        "We would like you to study with us, but all places for {intake} are taken at the moment. If one becomes free, we will offer it to you.",
        intake = intake.name()
    )
}

/// Describes whose turn it is where the stage alone does not say: it depends on the plan, the contract, and what is
/// due.
pub fn whose_turn(visit: &Visit, application: &Application, standing: &ApplicationProgress) -> Option<Sentence> {
    let funding = standing.funding.as_ref();
    match (application.stage, &standing.contract) {
        (Stage::Confirmed, None) => Some(if funding.is_some_and(FundingView::is_planned) {
            text!("It is our turn: we are preparing your contract.")
        } else {
            text!("It is your turn: plan how you will pay.")
        }),
        (Stage::Confirmed, Some(contract)) => Some(match contract.state {
            state if state.is_open() && !visit.state.app.is_over(contract) => {
                text!("It is your turn: read and sign your contract.")
            }
            ContractState::Signed => text!("It is our turn: we sign your contract next."),
            ContractState::Countersigned => match funding.and_then(FundingView::first_owed) {
                Some(_) => text!("It is your turn: make your first payment."),
                None => text!("It is our turn: we will write to you about what comes next."),
            },
            ContractState::Voided => text!("It is our turn: we will send you another contract if there is to be one."),
            _ => text!("It is your turn: write to us about your contract."),
        }),
        (Stage::Enrolled, _) => {
            let (next, cents) = funding.filter(|view| view.is_planned())?.open_instalments().into_iter().next()?;
            let (amount, day) = (dollars(cents), moments::long_date(next.due));
            Some(text!("It is your turn by {day}: your next payment, {amount}.", day, amount))
        }
        _ => None,
    }
}

/// Returns the fee that a submitted application waits for.
pub fn due_fee<'a>(application: &Application, standing: &'a ApplicationProgress) -> Option<&'a FeeView> {
    standing.fee.as_ref().filter(|view| application.stage == Stage::Submitted && view.fee.is_due())
}

/// Returns what to do about the fee that a submitted application waits for.
pub fn fee(application: &Application, standing: &ApplicationProgress) -> Option<NextStep> {
    let view = due_fee(application, standing)?;
    let (title, text) = if view.fee.need_waits() {
        let text =
            text!("You do not need to do anything: we will write to you. If you would rather pay now, you still can.");
        (text!("We are looking at your request for a waiver"), text)
    } else {
        let text = text!(
            "The fee is {amount}. We will read your application, and you can book your interview, once it is paid or waived.",
            amount = dollars(view.owed)
        );
        (text!("Pay the application fee"), text)
    };
    Some(step(title, text, &fees::path(application.program), text!("See the application fee")))
}

fn step(title: Sentence, text: Sentence, href: &str, label: Sentence) -> NextStep {
    NextStep { title, text, href: href.into(), label }
}

pub fn not_loaded() -> NextStep {
    let text = text!("Your answers are safe. Try again in a minute.");
    step(text!("We could not load your application"), text, "/dashboard", text!("Retry"))
}

pub fn none(program: Program) -> NextStep {
    let text = text!("It takes about thirty minutes, and you can stop at any time.");
    step(
        text!("Start your application"),
        text,
        &format!("/{}/apply", program.path()),
        text!("Choose a program and start"),
    )
}

/// Returns the one thing to do next.
pub fn next(
    visit: &Visit,
    application: &Application,
    standing: &ApplicationProgress,
    moments: &Moments<'_>,
) -> NextStep {
    let form = application::path(application.program);
    let contact = format!("mailto:{}", visit.state.app.settings.contact_email);
    let promise = waits_since(application, standing).map(|since| moments.promise(since));
    let ours = |title: Sentence, writes: Sentence, href: &str, label: Sentence| {
        waiting(title, writes, promise.as_ref(), href, label)
    };
    match application.stage {
        Stage::Draft if application.submitted_at.is_some() => step(
            text!("Submit your application again"),
            text!("You have taken it back to change something. We will read it when you have submitted it again."),
            &form,
            text!("Continue"),
        ),
        Stage::Draft => {
            let begun = application.revision > 1;
            step(
                if begun { text!("Continue your application") } else { text!("Fill out your application") },
                text!("Your answers are saved as you type. Stop and come back whenever you like."),
                &form,
                if begun { text!("Continue") } else { text!("Begin") },
            )
        }
        Stage::Changes => {
            let text = text!("We have read it and ask you to change something.");
            let text = match &standing.changes {
                Some(changes) => {
                    text.and(text!("Please submit it again by {day}.", day = moments::long_date(changes.due_on)))
                }
                None => text,
            };
            step(text!("Change your application"), text, &form, text!("See what to change"))
        }
        Stage::Held => ours(
            text!("We are deciding on your application"),
            text!("We will tell you our decision"),
            &contact,
            text!("Write to admissions"),
        ),
        Stage::Waitlisted => step(
            text!("We will write to you when we can offer you a place"),
            text!(
                "You will find the offer here, and have time to think about it. If your plans change, you can leave the waitlist on this page."
            ),
            &contact,
            text!("Write to admissions"),
        ),
        Stage::Offered => {
            let text = text!("We offer you a place. Read our letter, then accept the offer or decline it.");
            let text = match open_until(standing).map(|until| moments.last_minute(until)) {
                Some(by) => text.and(text!("You can reply until {by}.", by)),
                None => text,
            };
            step(text!("Reply to our offer"), text, "#decision", text!("Read the offer and reply"))
        }
        Stage::Confirmed if standing.contract.is_some() => contract(visit, standing, moments, &contact),
        Stage::Confirmed if standing.funding.as_ref().is_some_and(FundingView::is_planned) => ours(
            text!("We are preparing your contract"),
            text!("We will send it to you"),
            "/dashboard/funding",
            text!("See how you pay"),
        ),
        Stage::Confirmed => step(
            text!("Plan how you will pay"),
            text!("The place is yours. Tell us who will pay for your studies. Then we will send you the contract."),
            "/dashboard/funding",
            text!("Plan how you will pay"),
        ),
        Stage::Lapsed => {
            let text = text!(
                "The deadline to reply to our offer has passed. If you still want the place, write to us, and we will see what we can do."
            );
            step(text!("Tell us whether you still want the place"), text, &contact, text!("Write to admissions"))
        }
        Stage::Rejected => {
            let text = text!("We have decided on your application and written down why.");
            step(text!("Read our letter"), text, "/dashboard/letter", text!("Read the letter"))
        }
        Stage::Deferred => {
            let start = standing.intake().map(|intake| moments::long_date(intake.start));
            let text = match start {
                Some(start) => text!(
                    "Your studies start on {start}. You do not need to do anything: we will write to you 60 and 30 days before.",
                    start
                ),
                None => text!("You do not need to do anything: we will write to you before your studies start."),
            };
            step(text!("Your place is reserved"), text, &contact, text!("Write to admissions"))
        }
        Stage::None | Stage::Archived | Stage::Submitted | Stage::Booked | Stage::NoShow | Stage::Enrolled => {
            let words = application.stage.words();
            step(words.title, words.whose_turn, &contact, text!("Write to admissions"))
        }
    }
}

/// Returns the step while there is a contract.
fn contract(visit: &Visit, standing: &ApplicationProgress, moments: &Moments<'_>, contact: &str) -> NextStep {
    const HREF: &str = crate::contract::PATH;
    let write = || text!("Write to admissions");
    let Some(contract) = &standing.contract else { return not_loaded() };
    let is_over = visit.state.app.is_over(contract);
    match contract.state {
        state if state.is_open() && !is_over => {
            let text = text!("Take your time reading it. You can sign it on the same page, or on paper if you prefer.");
            let text = match contract.expires_at.map(|until| moments.last_minute(until)) {
                Some(by) => text.and(text!("You can sign until {by}.", by)),
                None => text,
            };
            step(text!("Read and sign your contract"), text, HREF, text!("Read the contract"))
        }
        ContractState::Signed => {
            let text =
                text!("You have signed it. You do not need to do anything: we will sign next and write to you then.");
            step(text!("We will sign your contract next"), text, HREF, text!("See the contract"))
        }
        ContractState::Countersigned => {
            if let Some(first) = standing.funding.as_ref().and_then(FundingView::first_owed) {
                let (amount, due) = (dollars(first.cents), moments::long_date(first.due));
                let text =
                    text!("Both sides have signed. Your first payment of {amount} is due on {due}.", amount, due);
                return step(text!("Make your first payment"), text, "/dashboard/payments", text!("See how to pay"));
            }
            let text = text!(
                "Both sides have signed. You do not need to do anything: we will write to you about what comes next."
            );
            step(text!("Your contract is signed"), text, HREF, text!("Get the signed copy"))
        }
        ContractState::Declined => {
            let text = text!(
                "You have declined the contract. Write to us if that was a mistake, or if something in it must change."
            );
            step(text!("Tell us how you would like to proceed"), text, contact, write())
        }
        ContractState::Voided => {
            let text =
                text!("We have withdrawn the contract. If there is going to be another one, we will send it to you.");
            step(text!("Your contract is no longer valid"), text, HREF, text!("Read why"))
        }
        _ => {
            let text =
                text!("The deadline to sign your contract has passed. If you still want the place, write to us.");
            step(text!("Tell us whether you still want the place"), text, contact, write())
        }
    }
}

/// Returns a step that is ours, and what we say if we are late with it.
fn waiting(title: Sentence, writes: Sentence, promise: Option<&Promise>, href: &str, label: Sentence) -> NextStep {
    match promise {
        Some(Promise::By(day)) => {
            let day = moments::long_date(*day);
            step(title, text!("You do not need to do anything. {writes} by {day}.", writes, day), href, label)
        }
        Some(Promise::Late(day)) => {
            let day = moments::long_date(*day);
            let text = text!(
                "{title}, and it is taking longer than we said. We are sorry. You do not need to do anything, and this says nothing about the outcome. {writes} by {day}.",
                title,
                writes,
                day
            );
            step(text!("This is taking longer than we said"), text, href, label)
        }
        Some(Promise::VeryLate) => {
            let text = text!(
                "{title}, and it is taking much longer than it should. We are sorry, and we are looking into it. If you want to know more, write to us at any time.",
                title
            );
            step(text!("This is taking much longer than we said"), text, href, label)
        }
        None => step(title, text!("You do not need to do anything. {writes}.", writes), href, label),
    }
}

/// Returns the steps: Applied → Interview → Decision → Contract and funding → Enrolled.
pub fn timeline(
    application: Option<&Application>,
    standing: &ApplicationProgress,
    interview_at: Option<Millis>,
    moments: &Moments<'_>,
) -> Vec<TimelineEntry> {
    const LABELS: [Sentence; 5] =
        [text!("Applied"), text!("Interview"), text!("Decision"), text!("Contract and funding"), text!("Enrolled")];
    let stage = application.map_or(Stage::None, |application| application.stage);
    // The number of completed steps; the next one is current.
    let done = match stage {
        Stage::None | Stage::Archived | Stage::Draft => 0,
        Stage::Submitted | Stage::Changes | Stage::Booked | Stage::NoShow => 1,
        Stage::Held | Stage::Waitlisted => 2,
        Stage::Offered | Stage::Confirmed | Stage::Lapsed | Stage::Rejected | Stage::Deferred => 3,
        Stage::Enrolled => 5,
    };
    let rests = matches!(stage, Stage::None | Stage::Archived | Stage::Rejected);
    let entry = |(index, label)| {
        let state = match usize::cmp(&index, &done) {
            std::cmp::Ordering::Less => Progress::Done,
            std::cmp::Ordering::Equal if !rests => Progress::Current,
            _ => Progress::Upcoming,
        };
        let date = application.and_then(|application| date_of(index, application, standing, interview_at, moments));
        TimelineEntry { label, state, date }
    };
    LABELS.into_iter().enumerate().map(entry).collect()
}

/// Returns what is written under a step of the timeline.
fn date_of(
    index: usize,
    application: &Application,
    standing: &ApplicationProgress,
    interview_at: Option<Millis>,
    moments: &Moments<'_>,
) -> Option<Sentence> {
    let short = |at: Millis| moment::short(at, moments.zone);
    let milestones = &standing.milestones;
    let decided = standing.decided.as_ref();
    match index {
        0 => Some(match submitted_at(application) {
            Some(at) => text!("Submitted {day}", day = short(at)),
            None => text!("Started {day}", day = short(application.created_at)),
        }),
        1 => match application.stage {
            Stage::Submitted => due_fee(application, standing).is_none().then(|| text!("Choose a time")),
            Stage::Booked => match interview_at {
                Some(at) => Some(moment::full(at, moments.zone)),
                None => milestones.booked.map(|at| text!("Booked {day}", day = short(at))),
            },
            Stage::Draft | Stage::Changes | Stage::NoShow => None,
            _ => Some(milestones.held.map_or_else(|| text!("Not needed"), |at| text!("Held {day}", day = short(at)))),
        },
        2 => {
            let released = decided.and_then(|decided| decided.decision.released_at);
            let decided = released.map(|at| text!("Decided {day}", day = short(at)));
            let waits = || Some(text!("On the waitlist since {day}", day = short(standing.waitlist?.joined_at)));
            decided.or_else(waits)
        }
        3 => milestones.confirmed.map(|at| text!("Offer accepted {day}", day = short(at))),
        _ if application.stage == Stage::Enrolled => {
            milestones.enrolled.map(|at| text!("Since {day}", day = short(at)))
        }
        _ => standing
            .intake()
            .filter(|_| decided.is_some_and(|decided| decided.decision.ruling.outcome() == Outcome::Accept))
            .map(|intake| text!("Starts {day}", day = moments::short_date(intake.start))),
    }
}
