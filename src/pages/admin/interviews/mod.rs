//! Interviews of some of the staff: their calendars by week and day.

use axum::http::StatusCode;
use axum::response::Response;
use jiff::ToSpan;
use jiff::civil::Date;
use serde::Serialize;

use super::{Office, dossier};
use crate::page::{FormState, Screen};
use crate::{Form, moment, problem, respond};
use app::{Error, Refusal};
use domain::clocks;
use domain::interview::{Booking, CalendarSlot, InterviewOutcome};
use domain::moments;
use domain::permission::Permission;
use domain::sentence::Sentence;

mod times;

use times::{PersonTimes, change, person_times};

pub const PATH: &str = "/admin-panel/interviews";

/// Maximum number of calendars shown beside each other.
const MAX_SHOWN: usize = 12;
/// The hours that are always shown.
const OFFICE_HOURS: (i64, i64) = (8, 18);

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AdminInterviewsProps {
    pub view: CalendarView,
    /// The people whose calendars the user may look at.
    pub people: Vec<CalendarPerson>,
    /// A day within what is shown.
    pub date: String,
    pub title: String,
    pub previous_href: String,
    pub next_href: String,
    pub today_href: String,
    pub week_href: String,
    pub day_href: String,
    /// The time zone shown. IANA
    pub zone: String,
    /// The hours shown, as the clock displays them.
    pub hours: Vec<Sentence>,
    /// The days of a week, or the people on one day.
    pub columns: Vec<CalendarColumn>,
    /// When the person shown is available; null if several are shown.
    pub times: Option<PersonTimes>,
    pub form: FormState,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum CalendarView {
    Week,
    Day,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct CalendarPerson {
    pub id: String,
    pub name: String,
    pub is_shown: bool,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct CalendarColumn {
    pub key: String,
    pub label: String,
    /// The single day, or the person's week.
    pub href: String,
    /// For a day of a week.
    pub is_today: bool,
    /// The current time, if this is today: hours after the first one shown, and minutes in steps of 5.
    pub now: Option<(i64, i64)>,
    pub slots: Vec<SlotView>,
}

/// A time in somebody's calendar.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct SlotView {
    pub id: String,
    pub time_text: String,
    /// `free`, `held`, `booked`, `done`, `missed`
    #[cfg_attr(test, ts(type = "'free' | 'held' | 'booked' | 'done' | 'missed'"))]
    pub state: &'static str,
    /// Who it is, for users who may see it.
    pub label: String,
    /// The interviewer, if several are shown.
    pub with: Option<String>,
    /// The interview of the application.
    pub href: Option<String>,
    /// The value that chooses it as the new time of an interview, while it is free.
    pub choice: Option<String>,
    /// Whether the interview may be moved to another time.
    pub is_movable: bool,
    /// Hours after the first one shown.
    pub hour: i64,
    /// Minutes after the hour, in steps of 5.
    pub minute: i64,
    /// In minutes, in steps of 5.
    pub length: i64,
    /// Its position among `lanes` side by side, from 0.
    pub lane: usize,
    pub lanes: usize,
}

pub async fn show(office: Office<'_>, _: &Form) -> Response {
    let message = match office.visit.query("done").as_deref() {
        Some("rules") => Some("The times are changed. What is booked stays as it is."),
        Some("feed-close") => Some("The address does not work any more."),
        _ => None,
    };
    let form = FormState { message: message.map(Into::into), ..FormState::default() };
    respond(office, &CalendarQuery::of(office), form, None, StatusCode::OK).await
}

/// Which calendars are shown, when, and how.
#[derive(Clone)]
struct CalendarQuery {
    /// Empty for the default people.
    staff: Vec<String>,
    date: Option<String>,
    view: CalendarView,
}

impl CalendarQuery {
    fn of(office: Office<'_>) -> CalendarQuery {
        let query = office.visit.parts.uri.query().unwrap_or_default();
        let mut staff: Vec<String> = Vec::new();
        for (name, id) in url::form_urlencoded::parse(query.as_bytes()) {
            if name == "staff" && !id.is_empty() && !staff.iter().any(|one| *one == id) {
                staff.push(id.into_owned());
            }
        }
        let view =
            if office.visit.query("view").as_deref() == Some("day") { CalendarView::Day } else { CalendarView::Week };
        CalendarQuery { staff, date: office.visit.query("date"), view }
    }

    fn href(&self) -> String {
        let mut query = url::form_urlencoded::Serializer::new(String::new());
        query.extend_pairs(self.staff.iter().map(|staff| ("staff", staff)));
        if self.view == CalendarView::Day {
            query.append_pair("view", "day");
        }
        query.extend_pairs(self.date.as_ref().map(|date| ("date", date)));
        let query = query.finish();
        if query.is_empty() { PATH.to_owned() } else { format!("{PATH}?{query}") }
    }

    fn at(&self, date: Date) -> CalendarQuery {
        CalendarQuery { date: Some(date.to_string()), ..self.clone() }
    }
}

pub async fn submit(office: Office<'_>, form: &Form) -> Response {
    let app = &office.visit.state.app;
    let given = |name: &str| Some(form.get(name).to_owned()).filter(|value| !value.is_empty());
    // Forms are about one person.
    let staff = given("staff").unwrap_or_else(|| office.who.staff.id.clone());
    let asked = CalendarQuery { staff: vec![staff.clone()], date: given("date"), view: CalendarView::Week };
    let (action, place) = form.get("_action").split_once(':').unwrap_or((form.get("_action"), ""));
    let outcome = match action {
        "feed-open" => match app.open_feed(office.who).await {
            Ok(address) => {
                return respond(office, &asked, FormState::default(), Some(address), StatusCode::OK).await;
            }
            Err(error) => Err(error),
        },
        "feed-close" => app.close_feed(office.who).await.map(|()| "feed-close"),
        "settings" | "window" | "off" | "extra" | "drop-window" | "drop-exception" => {
            change(office, form, &staff, action, place).await.map(|()| "rules")
        }
        _ => return problem::page(office.visit, problem::BAD_REQUEST).await,
    };
    match outcome {
        Ok(done) => respond::see_other(&format!("{}&done={done}", asked.href())),
        Err(Error::Refused(Refusal::RoleForbidden)) => problem::page(office.visit, problem::ROLE_FORBIDDEN).await,
        Err(Error::Refused(Refusal::StaffNotFound)) => problem::page(office.visit, problem::NO_OFFICE_PAGE).await,
        Err(error @ (Error::Unavailable(_) | Error::Internal(_))) => office.unavailable(&error).await,
        Err(error) => respond(office, &asked, form.refused(&error), None, problem::status(&error)).await,
    }
}

async fn respond(
    office: Office<'_>,
    asked: &CalendarQuery,
    form: FormState,
    address: Option<String>,
    status: StatusCode,
) -> Response {
    match props(office, asked, form, address).await {
        Ok(props) => office.page(Screen::AdminInterviews(Box::new(props)), "Interviews", status).await,
        Err(Error::Refused(Refusal::RoleForbidden)) => problem::page(office.visit, problem::ROLE_FORBIDDEN).await,
        Err(Error::Refused(Refusal::StaffNotFound)) => problem::page(office.visit, problem::NO_OFFICE_PAGE).await,
        Err(error) => office.unavailable(&error).await,
    }
}

async fn props(
    office: Office<'_>,
    asked: &CalendarQuery,
    mut form: FormState,
    address: Option<String>,
) -> Result<AdminInterviewsProps, Error> {
    let Office { visit, who, .. } = office;
    let app = &visit.state.app;
    let interviewers = app.interviewers(who).await?;
    let mut staff = asked.staff.clone();
    if staff.is_empty() {
        let is_met = |id: &str| interviewers.iter().any(|(one, is_met)| *is_met && one.id == id);
        let ruled = interviewers.iter().filter(|(_, is_met)| *is_met).map(|(one, _)| one.id.clone());
        staff = if is_met(&who.staff.id) { Vec::new() } else { ruled.collect() };
        if staff.is_empty() {
            staff.push(who.staff.id.clone());
        }
    }
    if staff.len() > MAX_SHOWN {
        staff.truncate(MAX_SHOWN);
        form.error.get_or_insert_with(|| "At most 12 calendars are shown at once. These are the first 12.".into());
    }
    let (times, zone) = match &staff[..] {
        [one] => {
            let (person, rules) = app.interview_rules(who, one).await?;
            let zone = rules.availability.time_zone.clone();
            (Some(person_times(office, &person, &rules, address).await?), zone)
        }
        _ => (None, app.interview_rules(who, &who.staff.id).await?.1.availability.time_zone),
    };
    let name = |id: &str| interviewers.iter().find(|(one, _)| one.id == id).map(|(one, _)| one.called().to_owned());
    if staff.len() > 1 && staff.iter().any(|id| name(id).is_none()) {
        return Err(Refusal::StaffNotFound.into());
    }
    let today = moment::date(visit.now(), &zone);
    let date = known(asked.date.as_deref().and_then(|date| date.parse().ok()).unwrap_or(today));
    let (first, last) = match asked.view {
        CalendarView::Week => (monday(date), monday(date).saturating_add(6.days())),
        CalendarView::Day => (date, date),
    };
    let from = clocks::end_of(first.yesterday().unwrap_or(first), &zone);
    let slots = app.interview_calendar(who, &staff, from, clocks::end_of(last, &zone)).await?;
    let hours = hours_shown(&slots, &zone);
    let now = clocks::zoned(visit.now(), &zone);
    let now_at = (i64::from(now.hour()) - hours.0, i64::from(now.minute()) / 5 * 5);
    let now_at = Some(now_at).filter(|_| (hours.0..hours.1).contains(&i64::from(now.hour())));
    let views = |slots: Vec<&CalendarSlot>| {
        let with =
            |slot: &CalendarSlot| name(&slot.staff_id).filter(|_| staff.len() > 1 && asked.view == CalendarView::Week);
        let views = slots.iter().map(|slot| slot_view(office, slot, &zone, hours.0, with(slot))).collect();
        beside_each_other(views)
    };
    let day = |date: Date| CalendarColumn {
        key: date.to_string(),
        label: format!("{}, {}", moments::short_weekday(date), moments::short_day(date)),
        href: CalendarQuery { view: CalendarView::Day, ..asked.at(date) }.href(),
        is_today: date == today,
        now: now_at.filter(|_| date == today),
        slots: views(slots.iter().filter(|slot| clocks::day(slot.span.starts_at, &zone) == date).collect()),
    };
    let person = |id: &String| CalendarColumn {
        key: id.clone(),
        label: name(id).unwrap_or_default(),
        href: CalendarQuery { staff: vec![id.clone()], view: CalendarView::Week, ..asked.at(date) }.href(),
        is_today: false,
        now: now_at.filter(|_| date == today),
        slots: views(slots.iter().filter(|slot| slot.staff_id == *id).collect()),
    };
    let columns: Vec<CalendarColumn> = match asked.view {
        CalendarView::Week => (0..7).map(|ahead: i64| day(first.saturating_add(ahead.days()))).collect(),
        CalendarView::Day => staff.iter().map(person).collect(),
    };
    let step: i64 = if asked.view == CalendarView::Week { 7 } else { 1 };
    Ok(AdminInterviewsProps {
        view: asked.view,
        people: interviewers
            .iter()
            .map(|(one, _)| CalendarPerson {
                id: one.id.clone(),
                name: one.called().to_owned(),
                is_shown: staff.contains(&one.id),
            })
            .collect(),
        date: date.to_string(),
        title: match asked.view {
            CalendarView::Week => format!("{} to {}", moments::short_date(first), moments::short_date(last)),
            CalendarView::Day => format!("{}, {}", moments::weekday(date), moments::short_date(date)),
        },
        previous_href: asked.at(first.saturating_sub(step.days())).href(),
        next_href: asked.at(first.saturating_add(step.days())).href(),
        today_href: CalendarQuery { date: None, ..asked.clone() }.href(),
        week_href: CalendarQuery { view: CalendarView::Week, ..asked.at(date) }.href(),
        day_href: CalendarQuery { view: CalendarView::Day, ..asked.at(date) }.href(),
        hours: (hours.0..hours.1).filter_map(|hour| Some(moments::hour(i8::try_from(hour).ok()?, &zone))).collect(),
        zone,
        columns,
        times,
        form,
    })
}

/// Returns the hours of the day that have something in them, and office hours.
fn hours_shown(slots: &[CalendarSlot], zone: &str) -> (i64, i64) {
    let begin = |slot: &CalendarSlot| i64::from(clocks::zoned(slot.span.starts_at, zone).hour());
    // What ends after midnight is cut off.
    let end = |slot: &CalendarSlot| {
        let starts = clocks::zoned(slot.span.starts_at, zone);
        ((i64::from(starts.hour()) * 60 + i64::from(starts.minute()) + slot.span.minutes + 59) / 60).min(24)
    };
    let (first, last) = OFFICE_HOURS;
    (slots.iter().map(begin).min().unwrap_or(first).min(first), slots.iter().map(end).max().unwrap_or(last).max(last))
}

/// Lays out overlapping slots side by side.
fn beside_each_other(mut slots: Vec<SlotView>) -> Vec<SlotView> {
    let span = |slot: &SlotView| (slot.hour * 60 + slot.minute, slot.hour * 60 + slot.minute + slot.length);
    slots.sort_by_key(|slot| span(slot).0);
    let (mut begin, mut latest) = (0, i64::MIN);
    for index in 0..=slots.len() {
        if index == slots.len() || span(&slots[index]).0 >= latest {
            // Nothing earlier reaches further: these share the width.
            let mut ends: Vec<i64> = Vec::new();
            for slot in &mut slots[begin..index] {
                let (from, until) = span(slot);
                slot.lane = ends.iter().position(|end| *end <= from).unwrap_or(ends.len());
                if slot.lane == ends.len() {
                    ends.push(until);
                } else {
                    ends[slot.lane] = until;
                }
            }
            for slot in &mut slots[begin..index] {
                slot.lanes = ends.len();
            }
            begin = index;
        }
        if let Some(slot) = slots.get(index) {
            latest = latest.max(span(slot).1);
        }
    }
    slots
}

/// Returns a date that calendars support: out-of-range ones are not searched.
fn known(date: Date) -> Date {
    if (2000..=8999).contains(&date.year()) { date } else { jiff::civil::date(2000, 1, 3) }
}

fn monday(date: Date) -> Date {
    date.saturating_sub(i64::from(date.weekday().to_monday_zero_offset()).days())
}

fn slot_view(office: Office<'_>, slot: &CalendarSlot, zone: &str, first_hour: i64, with: Option<String>) -> SlotView {
    let (from, until) = (clocks::zoned(slot.span.starts_at, zone), clocks::zoned(slot.span.ends_at(), zone));
    let (state, label, href) = match &slot.booking {
        Some(booking) => {
            let state = match booking.outcome {
                None => "booked",
                Some(InterviewOutcome::Held) => "done",
                Some(InterviewOutcome::NoShow) => "missed",
            };
            let href = dossier::href(&booking.application_id, dossier::interview::TAB, "");
            (state, whom(office, booking), Some(href))
        }
        None if slot.is_held => ("held", "Somebody is choosing it".to_owned(), None),
        None => ("free", "Free".to_owned(), None),
    };
    SlotView {
        id: slot.id.clone(),
        time_text: moments::clock_span(&from, &until).to_string(),
        // The calendar is drawn in steps of five minutes.
        hour: i64::from(from.hour()) - first_hour,
        minute: i64::from(from.minute()) / 5 * 5,
        length: (slot.span.minutes.max(5) + 4) / 5 * 5,
        lane: 0,
        lanes: 1,
        with,
        choice: (state == "free").then(|| dossier::interview::choice_of(slot.span, &slot.staff_id)),
        is_movable: state == "booked" && slot.span.starts_at > office.visit.now(),
        state,
        label,
        href,
    }
}

/// Returns the applicant's name for users who may see it, else the reference number.
fn whom(office: Office<'_>, booking: &Booking) -> String {
    let name = format!("{} {}", booking.first_name, booking.last_name);
    if office.who.staff.role.may(Permission::PersonalData) && !name.trim().is_empty() {
        name
    } else {
        booking.reference.clone().unwrap_or_else(|| "Booked".to_owned())
    }
}
