//! `/schedule`: choosing a time for the interview, booking, moving and cancelling it, and its calendar file.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use jiff::civil::Date;
use jiff::tz::{Offset, TimeZone};
use jiff::{Timestamp, Zoned};

use super::page::{FormState, Screen};
use super::props::dashboard::NextStep;
use super::props::schedule::{
    BookedInterview, HeldTime, InterviewDay, InterviewTime, InterviewWeek, ScheduleProps, ScheduleView, ToldTime,
    WishField,
};
use super::{Form, Visit, account, application, fee, moment, problem, respond};
use app::accounts::sessions::SignedIn;
use app::applications::acts::Preconditions;
use app::interviews::{Appointment, CALENDAR_FILE, InterviewCancellation, TimeChoice};
use app::{Error, Refusal};
use domain::application::Application;
use domain::clocks;
use domain::input::Input;
use domain::interview::{Hold, Interview, LocalTime, WISHES, Wishes, weeks};
use domain::moments;
use domain::moments::{DAY, Millis};
use domain::sentence::Sentence;
use domain::status::{Guard, Refused, Stage};
use domain::text;

pub const PATH: &str = "/schedule";

/// The requested part of the page. Whether it is available depends on the appointment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    /// Whatever comes next.
    Next,
    Move,
    Confirm,
    Wishes,
    Zone,
}

impl Step {
    fn of(visit: &Visit) -> Step {
        match visit.query("step").as_deref() {
            Some("move") => Step::Move,
            Some("confirm") => Step::Confirm,
            Some("wishes") => Step::Wishes,
            Some("zone") => Step::Zone,
            _ => Step::Next,
        }
    }
}

pub async fn show(visit: &Visit) -> Response {
    let done = match visit.query("done").as_deref() {
        Some("moved") => Some(text!("Your interview has been moved. We have sent you an email.")),
        Some("cancelled") => {
            Some(text!("Your interview has been canceled. You can choose another time whenever you like."))
        }
        Some("wishes") => Some(text!("We have your three times and will write to you as soon as one of them works.")),
        Some("zone") => Some(text!("Your time zone has been changed.")),
        _ => None,
    };
    let form = FormState { message: done, ..FormState::default() };
    respond(visit, visit.visitor.application.as_ref(), Step::of(visit), form, StatusCode::OK).await
}

/// Returns the calendar file of the interview.
pub async fn file(visit: &Visit) -> Response {
    let (Some(who), Some(application)) = (&visit.visitor.signed_in, &visit.visitor.application) else {
        return problem::page(visit, problem::NOT_FOUND).await;
    };
    let app = &visit.state.app;
    let interview = match app.appointment(application).await {
        Ok(appointment) => appointment.interview.filter(Interview::is_open),
        Err(error) => {
            super::form::log(&error);
            return problem::page(visit, problem::UNAVAILABLE).await;
        }
    };
    let Some(interview) = interview else { return problem::page(visit, problem::NOT_FOUND).await };
    let disposition = format!("attachment; filename=\"{CALENDAR_FILE}\"");
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("text/calendar; charset=utf-8")),
        (header::CONTENT_DISPOSITION, HeaderValue::try_from(disposition).expect("our own words")),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ];
    (headers, app.interview_file(&who.applicant, application, &interview)).into_response()
}

pub async fn submit(visit: &Visit, form: &Form) -> Response {
    let Some(who) = &visit.visitor.signed_in else {
        return respond::see_other("/bachelor/apply?dialog=login&redirect=%2Fschedule");
    };
    let app = &visit.state.app;
    let known = visit.visitor.application.clone();
    let conditions =
        Preconditions { expected: form.get("revision").parse().ok(), key: Preconditions::key(form.get("key")) };
    let (done, step, to) = match form.get("_action") {
        "hold" => (hold(visit, known.as_ref(), form).await, Step::Move, "/schedule?step=confirm"),
        // The form says which of the two it is: sent twice, it gets the same answer.
        action @ ("book" | "move") => {
            let done = match TimeChoice::parse(&Input::Map(form.input(&["startsAt"]))) {
                Ok(TimeChoice { starts_at }) if action == "move" => {
                    app.move_interview(who, known.clone(), starts_at, conditions).await.map(drop)
                }
                Ok(TimeChoice { starts_at }) => {
                    app.book_interview(who, known.clone(), starts_at, conditions).await.map(drop)
                }
                Err(errors) => Err(errors.into()),
            };
            (done, Step::Move, if action == "move" { "/schedule?done=moved" } else { "/thankyou" })
        }
        "cancel" => {
            let cancelled = match InterviewCancellation::parse(&Input::Map(form.input(&["reason"]))) {
                Ok(InterviewCancellation { reason }) => {
                    app.cancel_interview(who, known.clone(), reason, conditions).await.map(drop)
                }
                Err(errors) => Err(errors.into()),
            };
            (cancelled, Step::Next, "/schedule?done=cancelled")
        }
        "wishes" => {
            let wished = app.wish_for_times(who, known.as_ref(), &wishes(form)).await.map(drop);
            (wished, Step::Wishes, "/schedule?done=wishes")
        }
        "zone" => (change_zone(visit, who, form).await, Step::Zone, "/schedule?done=zone"),
        _ => return problem::page(visit, problem::BAD_REQUEST).await,
    };
    let error = match done {
        Ok(()) => return respond::see_other(to),
        Err(Error::Refused(Refusal::NoApplication)) => return respond::see_other(PATH),
        Err(error) => error,
    };
    let status = problem::status(&error);
    let state = form.refused(&error);
    let current = match error {
        Error::Stale(current) => Some(*current),
        _ => known,
    };
    respond(visit, current.as_ref(), step, state, status).await
}

async fn hold(visit: &Visit, known: Option<&Application>, form: &Form) -> Result<(), Error> {
    let TimeChoice { starts_at } = TimeChoice::parse(&Input::Map(form.input(&["startsAt"])))?;
    visit.state.app.hold_time(known, starts_at).await.map(drop)
}

async fn change_zone(visit: &Visit, who: &SignedIn, form: &Form) -> Result<(), Error> {
    // As people write it: "america/new york".
    let zone = form.get("timeZone").trim().replace(' ', "_");
    let zone = TimeZone::get(&zone).ok().and_then(|known| known.iana_name().map(str::to_owned)).unwrap_or(zone);
    let input = Input::Map(vec![("timeZone".into(), Input::Text(zone))]);
    visit.state.app.update_profile(who, &input).await.map(drop)
}

/// Returns the fields `wishes.0.date`, `wishes.0.time`… as the body of the call.
fn wishes(form: &Form) -> Input {
    let wish = |place: usize| {
        let field = |name: &str| (name.to_owned(), Input::Text(form.get(&format!("wishes.{place}.{name}")).to_owned()));
        Input::Map(vec![field("date"), field("time")])
    };
    Input::Map(vec![("wishes".into(), Input::List((0..WISHES).map(wish).collect()))])
}

async fn respond(
    visit: &Visit,
    application: Option<&Application>,
    step: Step,
    form: FormState,
    status: StatusCode,
) -> Response {
    let view = match view(visit, application, step).await {
        Ok(view) => view,
        Err(error) => {
            super::form::log(&error);
            return problem::page(visit, problem::UNAVAILABLE).await;
        }
    };
    let clocks = Clocks::of(visit);
    let props = ScheduleProps {
        view,
        revision: application.map_or(0, |application| application.revision),
        idempotency_key: visit.state.app.random.id(),
        zone: clocks.own.replace('_', " "),
        institute_zone: clocks.differ().then(|| clocks.institute.replace('_', " ")),
        zone_is_chosen: visit.visitor.signed_in.as_ref().is_some_and(|who| !who.applicant.profile.time_zone.is_empty()),
        form,
    };
    let head = visit.private_head(text!("Interview"));
    respond::page(visit, visit.page(Screen::Schedule(Box::new(props)), status, head)).await
}

async fn view(visit: &Visit, application: Option<&Application>, step: Step) -> Result<ScheduleView, Error> {
    let app = &visit.state.app;
    let clocks = Clocks::of(visit);
    if step == Step::Zone {
        return Ok(ScheduleView::Zone { zones: account::time_zones() });
    }
    let Some(application) = application else { return Ok(closed(visit, None, None)) };
    let appointment = app.appointment(application).await?;
    let open = appointment.open();
    let current = open.map(|open| clocks.time(open.slot.span.starts_at));
    let choosing = match step {
        Step::Next | Step::Wishes => appointment.book.is_ok(),
        _ => appointment.can_choose(),
    };
    if choosing {
        let hold = app.held_time(application).await?;
        let hold = match hold.map(|hold| held(&hold, &clocks, visit.now())) {
            Some(hold) if step == Step::Confirm => return Ok(ScheduleView::Confirm { hold, current }),
            hold => hold,
        };
        let times = app.free_times(application).await?;
        let wishes = if appointment.book.is_ok() { app.sent_wishes(application).await? } else { None };
        if appointment.book.is_ok() && (times.is_empty() || step == Step::Wishes) {
            return Ok(wish(wishes.as_ref(), &clocks, times.is_empty()));
        }
        return Ok(ScheduleView::Choose {
            week: week(&times, visit.query("week"), appointment.book.is_err(), &clocks),
            hold,
            hold_is_over: step == Step::Confirm,
            wishes: sent_wishes(wishes.as_ref(), &clocks),
            current,
        });
    }
    Ok(match open {
        Some(open) => ScheduleView::Booked(Box::new(booked(visit, &appointment, open, &clocks))),
        None => closed(visit, Some(application), Some(&appointment)),
    })
}

/// Explains why there is nothing to choose, and where to go instead.
fn closed(visit: &Visit, application: Option<&Application>, appointment: Option<&Appointment>) -> ScheduleView {
    let view = |title: Sentence, text: Sentence, href: String, label: Sentence| ScheduleView::Closed {
        title,
        text,
        href,
        label,
    };
    let contact = format!("mailto:{}", visit.state.app.settings.contact_email);
    let dashboard = || "/dashboard".to_owned();
    let Some(application) = application else {
        if visit.visitor.load_failed {
            let text = text!("Nothing is lost. Try again in a minute.");
            return view(text!("We could not load your application"), text, PATH.into(), text!("Retry"));
        }
        let text = text!("We meet everyone who has submitted an application.");
        return view(text!("Apply first"), text, format!("/{}/apply", visit.program.path()), text!("See the program"));
    };
    if appointment.is_some_and(|appointment| appointment.book == Err(Refused::Unmet(Guard::FeeSettled))) {
        let text = text!("You can choose a time for your interview as soon as the application fee is paid or waived.");
        let href = fee::path(application.program);
        return view(text!("Pay the application fee first"), text, href, text!("See the application fee"));
    }
    let form = application::path(application.program);
    match application.stage {
        Stage::Draft => {
            let text = text!("You can choose a time for your interview as soon as we have your application.");
            view(text!("Submit your application first"), text, form, text!("Continue your application"))
        }
        Stage::Changes => {
            let text =
                text!("We have asked you to change something. You can choose a time once you have submitted it again.");
            view(text!("Send your changes first"), text, form, text!("See what to change"))
        }
        Stage::Held => {
            let text = text!("We have met. We will write to you when there is a decision.");
            view(text!("You have had your interview"), text, dashboard(), text!("Go to your dashboard"))
        }
        Stage::NoShow => {
            let refused = appointment.and_then(|appointment| appointment.book.err());
            let text = refused.map_or_else(|| Sentence::plain(""), Refused::sentence);
            view(text!("Let us find a time together"), text, contact, text!("Write to admissions"))
        }
        _ => {
            let text = text!("Your application is past the interview stage. Everything about it is on your dashboard.");
            view(text!("There is no interview to book"), text, dashboard(), text!("Go to your dashboard"))
        }
    }
}

fn wish(sent: Option<&Wishes>, clocks: &Clocks<'_>, none_free: bool) -> ScheduleView {
    let fields = (0..WISHES).map(|place| match sent {
        Some(wishes) => {
            let at = clocks.zoned(wishes.times[place]);
            WishField { date: at.date().to_string(), time: at.strftime("%H:%M").to_string() }
        }
        None => WishField::default(),
    });
    ScheduleView::Wishes { none_free, fields: fields.collect(), sent: sent_wishes(sent, clocks) }
}

fn sent_wishes(sent: Option<&Wishes>, clocks: &Clocks<'_>) -> Option<Vec<ToldTime>> {
    Some(sent?.times.iter().map(|time| clocks.time(*time)).collect())
}

fn held(hold: &Hold, clocks: &Clocks<'_>, now: Millis) -> HeldTime {
    HeldTime {
        time: clocks.time(hold.slot.span.starts_at),
        minutes: hold.slot.span.minutes,
        until_text: moments::clock(&clocks.zoned(hold.until)),
        seconds_left: (hold.until - now) / 1000,
    }
}

fn booked(visit: &Visit, appointment: &Appointment, open: &Interview, clocks: &Clocks<'_>) -> BookedInterview {
    let starts_at = open.slot.span.starts_at;
    let sentence = |refused: Result<(), Refused>| refused.err().map(Refused::sentence);
    BookedInterview {
        time: clocks.time(starts_at),
        minutes: open.slot.span.minutes,
        countdown: countdown(clocks.zoned(starts_at).date(), clocks.zoned(visit.now()).date()),
        has_begun: starts_at <= visit.now(),
        move_until: moment::full(starts_at - DAY, clocks.own),
        moves_left: 2 - open.moves,
        no_move: sentence(appointment.reschedule),
        no_cancel: sentence(appointment.cancel),
    }
}

/// Describes how many nights are left until then.
fn countdown(day: Date, today: Date) -> Sentence {
    match today.until(day).map(|span| span.get_days()).unwrap_or_default() {
        ..=0 => text!("today"),
        1 => text!("tomorrow"),
        days => text!("in {days} days", days),
    }
}

/// Returns the requested week, or the first later one that has a time, and the links to its neighbours.
fn week(times: &[Millis], asked: Option<String>, moves: bool, clocks: &Clocks<'_>) -> Option<InterviewWeek> {
    let weeks = weeks(times.iter().copied(), &clocks.zone);
    let asked: Option<Date> = asked.and_then(|day| day.parse().ok());
    let last = weeks.len().checked_sub(1)?;
    let place = asked.and_then(|day| weeks.iter().position(|week| week.days.last().is_some_and(|end| day <= end.date)));
    let place = place.unwrap_or(if asked.is_some() { last } else { 0 });
    let href = |place: usize| {
        let step = if moves { "&step=move" } else { "" };
        weeks.get(place).map(|week| format!("{PATH}?week={}{step}", week.monday))
    };
    let chosen = &weeks[place];
    let (monday, sunday) = (chosen.monday, chosen.days.last()?.date);
    let days = chosen.days.iter().enumerate();
    Some(InterviewWeek {
        title: text!("{monday} – {sunday}", monday = moments::day(monday), sunday = moments::plain_date(sunday)),
        earlier: place.checked_sub(1).and_then(href),
        later: href(place + 1),
        days: days
            // A weekend without a time is left out.
            .filter(|(number, day)| *number < 5 || !day.times.is_empty())
            .map(|(_, day)| InterviewDay {
                weekday: moments::short_weekday(day.date),
                date: moments::short_day(day.date),
                long: moments::long_day(day.date),
                times: day.times.iter().map(|time| clocks.choice(*time)).collect(),
            })
            .collect(),
    })
}

/// Loads what the dashboard needs to know about the interview.
pub async fn appointment(visit: &Visit, application: Option<&Application>) -> Option<Appointment> {
    let application = application.filter(|application| matches!(application.stage, Stage::Booked | Stage::NoShow))?;
    visit.state.app.appointment(application).await.inspect_err(super::form::log).ok()
}

/// Returns what to do about the interview, for the dashboard.
pub fn next_step(
    visit: &Visit,
    application: Option<&Application>,
    appointment: Option<&Appointment>,
) -> Option<NextStep> {
    let application = application?;
    let step =
        |title: Sentence, text: Sentence, label: Sentence| Some(NextStep { title, text, href: PATH.into(), label });
    match application.stage {
        Stage::Submitted => {
            let text = text!(
                "Choose a time that suits you: forty minutes, by video. In the meantime, we will read what you have sent."
            );
            step(text!("Book your interview"), text, text!("Choose a time"))
        }
        Stage::Booked | Stage::NoShow => {
            let appointment = appointment?;
            let clocks = Clocks::of(visit);
            if appointment.book.is_ok() {
                let text = text!("We could not meet you at the time you booked. You can book another one.");
                return step(text!("Book another time for your interview"), text, text!("Choose a time"));
            }
            let starts_at = appointment.open()?.slot.span.starts_at;
            if starts_at <= visit.now() {
                return None;
            }
            let ToldTime { day, time, institute, .. } = clocks.time(starts_at);
            let countdown = countdown(clocks.zoned(starts_at).date(), clocks.zoned(visit.now()).date());
            let text = text!("{day}, {time} ({zone}).", day, time, zone = clocks.own.replace('_', " "));
            let text = match institute {
                Some(there) => text.and(text!("In the institute’s time zone, that is {there}.", there)),
                None => text,
            };
            step(text!("Your interview is {countdown}", countdown), text, text!("See, move or cancel it"))
        }
        _ => None,
    }
}

/// Returns the time of the open interview, for the thank-you page.
pub async fn booked_time(visit: &Visit, application: &Application) -> Result<Option<ToldTime>, Error> {
    let appointment = visit.state.app.appointment(application).await?;
    Ok(appointment.open().map(|open| Clocks::of(visit).time(open.slot.span.starts_at)))
}

/// The two time zones that times are shown in.
struct Clocks<'a> {
    own: &'a str,
    zone: TimeZone,
    institute: &'a str,
}

impl<'a> Clocks<'a> {
    fn of(visit: &'a Visit) -> Clocks<'a> {
        let app = &visit.state.app;
        let own = visit.visitor.time_zone(app);
        Clocks { own, zone: clocks::zone(own), institute: &app.settings.time_zone }
    }

    fn differ(&self) -> bool {
        self.own != self.institute
    }

    fn zoned(&self, at: Millis) -> Zoned {
        Timestamp::from_millisecond(at).unwrap_or_default().to_zoned(self.zone.clone())
    }

    /// Formats the institute's time: `Tue 08:00 EDT`, with the day if it differs there.
    fn at_institute(&self, at: Millis) -> Option<Sentence> {
        if !self.differ() {
            return None;
        }
        let there = clocks::zoned(at, self.institute);
        let time = moments::clock_and_zone(&there);
        Some(match there.date() {
            same_day if same_day == self.zoned(at).date() => time,
            day => text!("{weekday} {time}", weekday = moments::short_weekday(day), time),
        })
    }

    fn time(&self, at: Millis) -> ToldTime {
        ToldTime {
            starts_at: moments::rfc3339(at),
            day: moments::long_date(self.zoned(at).date()),
            time: moments::clock_and_zone(&self.zoned(at)),
            institute: self.at_institute(at),
        }
    }

    fn choice(&self, time: LocalTime) -> InterviewTime {
        let clock = moments::clock(&self.zoned(time.starts_at));
        InterviewTime {
            starts_at: moments::rfc3339(time.starts_at),
            time: if time.is_twice { text!("{clock} {offset}", clock, offset = offset(time.offset)) } else { clock },
            institute: self.at_institute(time.starts_at),
        }
    }
}

/// Formats an offset from UTC: `UTC−4`, `UTC+5:30`
fn offset(offset: Offset) -> String {
    let minutes = offset.seconds() / 60;
    let sign = if minutes < 0 { '−' } else { '+' };
    match (minutes.abs() / 60, minutes.abs() % 60) {
        (hours, 0) => format!("UTC{sign}{hours}"),
        (hours, minutes) => format!("UTC{sign}{hours}:{minutes:02}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clocks(own: &'static str) -> Clocks<'static> {
        Clocks { own, zone: TimeZone::get(own).unwrap(), institute: "America/New_York" }
    }

    fn at(text: &str) -> Millis {
        text.parse::<Timestamp>().unwrap().as_millisecond()
    }

    #[test]
    fn a_week_shows_both_times_of_the_night_when_clocks_go_back() {
        let times = [at("2026-11-01T05:30:00Z"), at("2026-11-01T06:30:00Z"), at("2026-11-09T15:00:00Z")];
        let week = week(&times, None, false, &clocks("America/New_York")).unwrap();
        assert_eq!(week.title, "October 26 – November 1, 2026");
        let (weekdays, sunday) = week.days.split_at(5);
        assert!(weekdays.iter().all(|day| day.times.is_empty()));
        let shown: Vec<String> = sunday[0].times.iter().map(|time| time.time.to_string()).collect();
        assert_eq!(sunday[0].weekday, "Sun");
        assert_eq!(shown, ["1:30\u{a0}AM UTC−4", "1:30\u{a0}AM UTC−5"]);
        assert_eq!((week.earlier, week.later.as_deref()), (None, Some("/schedule?week=2026-11-09")));
    }

    #[test]
    fn the_week_that_is_asked_for_or_the_next_with_a_time_is_shown() {
        let times = [at("2026-05-12T14:00:00Z"), at("2026-05-26T14:00:00Z")];
        let shown = |asked: &str| {
            week(&times, Some(asked.into()), true, &clocks("Europe/Berlin"))
                .map(|week| (week.title.to_string(), week.earlier))
        };
        let later = || ("May 25 – May 31, 2026".to_owned(), Some("/schedule?week=2026-05-11&step=move".to_owned()));
        assert_eq!(shown("2026-05-17"), Some(("May 11 – May 17, 2026".to_owned(), None)));
        assert_eq!(shown("2026-05-18"), Some(later()));
        assert_eq!(shown("2027-01-01"), Some(later()));
        assert_eq!(shown("nonsense").unwrap().1, None);
        assert!(week(&[], None, false, &clocks("Europe/Berlin")).is_none());
    }

    #[test]
    fn the_institutes_clock_is_told_with_the_day_where_it_differs() {
        let time_in = |zone, moment| clocks(zone).time(at(moment));
        assert_eq!(time_in("Europe/Berlin", "2026-05-12T14:00:00Z").institute.unwrap(), "10:00\u{a0}AM EDT");
        assert_eq!(time_in("Pacific/Kiritimati", "2026-05-12T14:00:00Z").institute.unwrap(), "Tue 10:00\u{a0}AM EDT");
        assert_eq!(time_in("Pacific/Kiritimati", "2026-05-12T14:00:00Z").time, "04:00 +14");
        assert_eq!(time_in("America/New_York", "2026-05-12T14:00:00Z").institute, None);
        assert_eq!(offset(Offset::constant(5).saturating_add(jiff::SignedDuration::from_mins(30))), "UTC+5:30");
    }

    #[test]
    fn days_are_counted_by_the_calendar() {
        let day = |day| jiff::civil::date(2026, 5, day);
        assert_eq!(countdown(day(4), day(4)), "today");
        assert_eq!(countdown(day(5), day(4)), "tomorrow");
        assert_eq!(countdown(day(12), day(4)), "in 8 days");
        assert_eq!(countdown(jiff::civil::date(2026, 7, 4), day(4)), "in 61 days");
    }
}
