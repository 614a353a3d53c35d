//! Interviews of a member of staff: their calendar by weeks, when they can be met, and the feed for a calendar program.

use axum::http::StatusCode;
use axum::response::Response;
use jiff::ToSpan;
use jiff::civil::{Date, Weekday};
use serde::Serialize;

use super::super::account::time_zones;
use super::super::page::{FormState, Screen};
use super::super::props::office::Choice;
use super::super::{Form, moment, problem, respond};
use super::Office;
use crate::app::ports::{Booking, CalendarSlot, Rules};
use crate::app::{Error, Refusal};
use crate::domain::availability::{Availability, Exception, Hours, Window, exception, window};
use crate::domain::clocks;
use crate::domain::input::{FieldError, Input};
use crate::domain::interview::InterviewOutcome;
use crate::domain::moments;
use crate::domain::permission::Permission;

pub const PATH: &str = "/admin-panel/interviews";

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AdminInterviewsProps {
    /// Whose calendar one may look at.
    pub people: Vec<Choice>,
    pub staff: String,
    pub staff_name: String,
    pub is_own: bool,
    /// Its Monday.
    pub week: String,
    pub week_text: String,
    pub previous_href: String,
    pub next_href: String,
    pub this_week_href: String,
    pub days: Vec<CalendarDay>,
    pub rules: RulesView,
    pub weekdays: Vec<Choice>,
    pub zones: Vec<String>,
    /// Of one's own calendar alone.
    pub feed: Option<FeedView>,
    pub form: FormState,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct CalendarDay {
    /// 2026-05-12
    pub date: String,
    pub label: String,
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
    /// Who it is, for who may know it.
    pub label: String,
    /// The application's interview.
    pub href: Option<String>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct RulesView {
    pub revision: i64,
    /// IANA
    pub time_zone: String,
    pub minutes: i64,
    /// Minutes between two interviews.
    pub buffer: i64,
    /// Hours that applicants book ahead at least.
    pub notice: i64,
    pub weekly: Vec<String>,
    pub exceptions: Vec<String>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct FeedView {
    /// Null without one.
    pub since_text: Option<String>,
    /// Told once, when it is made.
    pub address: Option<String>,
}

pub async fn show(office: Office<'_>, _: &Form) -> Response {
    let message = match office.visit.query("done").as_deref() {
        Some("rules") => Some("The times are changed. What is booked stays as it is."),
        Some("feed-close") => Some("The address does not work any more."),
        _ => None,
    };
    let form = FormState { message: message.map(Into::into), ..FormState::default() };
    let asked = Asked { staff: office.visit.query("staff"), week: office.visit.query("week") };
    answer(office, &asked, form, None, StatusCode::OK).await
}

/// Whose calendar is looked at, and which week of it.
struct Asked {
    staff: Option<String>,
    week: Option<String>,
}

impl Asked {
    fn staff<'a>(&'a self, office: Office<'a>) -> &'a str {
        self.staff.as_deref().filter(|staff| !staff.is_empty()).unwrap_or(&office.who.staff.id)
    }
}

pub async fn submit(office: Office<'_>, form: &Form) -> Response {
    let app = &office.visit.state.app;
    let given = |name: &str| Some(form.get(name).to_owned()).filter(|value| !value.is_empty());
    let asked = Asked { staff: given("staff"), week: given("week") };
    let (action, place) = form.get("_action").split_once(':').unwrap_or((form.get("_action"), ""));
    let outcome = match action {
        "feed-open" => match app.open_feed(office.who).await {
            Ok(address) => {
                return answer(office, &asked, FormState::default(), Some(address), StatusCode::OK).await;
            }
            Err(error) => Err(error),
        },
        "feed-close" => app.close_feed(office.who).await.map(|()| "feed-close"),
        "settings" | "window" | "off" | "extra" | "drop-window" | "drop-exception" => {
            change(office, form, asked.staff(office), action, place).await.map(|()| "rules")
        }
        _ => return problem::page(office.visit, problem::BAD_REQUEST).await,
    };
    match outcome {
        Ok(done) => respond::see_other(&format!("{}&done={done}", href(asked.staff(office), asked.week.as_deref()))),
        Err(Error::Refused(Refusal::RoleForbidden)) => problem::page(office.visit, problem::ROLE_FORBIDDEN).await,
        Err(Error::Refused(Refusal::StaffNotFound)) => problem::page(office.visit, problem::NO_OFFICE_PAGE).await,
        Err(error @ (Error::Unavailable(_) | Error::Internal(_))) => office.unavailable(&error).await,
        Err(error) => answer(office, &asked, form.refused(&error), None, problem::status(&error)).await,
    }
}

/// One change of the rules.
async fn change(office: Office<'_>, form: &Form, staff_id: &str, action: &str, place: &str) -> Result<(), Error> {
    let app = &office.visit.state.app;
    let (_, Rules { mut availability, revision, .. }) = app.interview_rules(office.who, staff_id).await?;
    // Places are counted in the rules that were seen.
    if form.get("revision").parse() != Ok(revision) {
        return Err(Refusal::RulesChanged.into());
    }
    let field = |name: &str, from: &str| (name.to_owned(), Input::Text(form.get(from).to_owned()));
    let renamed = |errors: Vec<FieldError>, prefix: &'static str| -> Error {
        let rename = |error: FieldError| {
            let mut letters = error.path.chars();
            let first = letters.next().map(|first| first.to_ascii_uppercase()).unwrap_or_default();
            FieldError { path: format!("{prefix}{first}{}", letters.as_str()), ..error }
        };
        Error::Invalid(errors.into_iter().map(rename).collect())
    };
    match action {
        "settings" => availability = settings(form, availability)?,
        "window" => {
            let fields = vec![field("weekday", "weekWeekday"), field("from", "weekFrom"), field("until", "weekUntil")];
            let added = window(&Input::Map(fields)).and_then(|window| availability.add_window(window));
            added.map_err(|errors| renamed(errors, "week"))?;
        }
        "off" | "extra" => {
            let mut fields = vec![field("date", "dayDate")];
            if action == "extra" {
                fields.extend([field("from", "dayFrom"), field("until", "dayUntil")]);
            }
            let added = exception(&Input::Map(fields)).and_then(|exception| availability.add_exception(exception));
            added.map_err(|errors| renamed(errors, "day"))?;
        }
        _ => {
            let place: usize = place.parse().unwrap_or(usize::MAX);
            let is_there = match action {
                "drop-window" => place < availability.weekly.len(),
                _ => place < availability.exceptions.len(),
            };
            if !is_there {
                return Err(Refusal::RulesChanged.into());
            }
            if action == "drop-window" {
                availability.weekly.remove(place);
            } else {
                availability.exceptions.remove(place);
            }
        }
    }
    app.change_interview_rules(office.who, staff_id, revision, availability).await
}

/// The rules with another clock, length, pause or notice. What no interview fits in any more is an error of the length.
fn settings(form: &Form, before: Availability) -> Result<Availability, Error> {
    let text = |name: &str| (name.to_owned(), Input::Text(form.get(name).trim().to_owned()));
    let zone = ("timeZone".to_owned(), Input::Text(form.get("timeZone").trim().replace(' ', "_")));
    let mut changed = Availability::parse(&Input::Map(vec![zone, text("minutes"), text("buffer"), text("notice")]))?;
    for window in before.weekly {
        changed.add_window(window).map_err(too_long)?;
    }
    for exception in before.exceptions {
        changed.add_exception(exception).map_err(too_long)?;
    }
    Ok(changed)
}

fn too_long(_: Vec<FieldError>) -> Error {
    let sentence = "One of the times below is shorter than that. Change it first.";
    FieldError::new("minutes", "minutes.long", sentence).into()
}

fn href(staff: &str, week: Option<&str>) -> String {
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    query.append_pair("staff", staff);
    query.extend_pairs(week.map(|week| ("week", week)));
    format!("{PATH}?{}", query.finish())
}

async fn answer(
    office: Office<'_>,
    asked: &Asked,
    form: FormState,
    address: Option<String>,
    status: StatusCode,
) -> Response {
    match props(office, asked, form, address).await {
        Ok(props) => {
            let title = format!("Interviews of {}", props.staff_name);
            office.page(Screen::AdminInterviews(Box::new(props)), &title, status).await
        }
        Err(Error::Refused(Refusal::RoleForbidden)) => problem::page(office.visit, problem::ROLE_FORBIDDEN).await,
        Err(Error::Refused(Refusal::StaffNotFound)) => problem::page(office.visit, problem::NO_OFFICE_PAGE).await,
        Err(error) => office.unavailable(&error).await,
    }
}

async fn props(
    office: Office<'_>,
    asked: &Asked,
    form: FormState,
    address: Option<String>,
) -> Result<AdminInterviewsProps, Error> {
    let Office { visit, who, .. } = office;
    let app = &visit.state.app;
    let staff_id = asked.staff(office);
    let (staff, rules) = app.interview_rules(who, staff_id).await?;
    let zone = rules.availability.time_zone.as_str();
    let today = moment::date(visit.now(), zone);
    let monday = monday(asked.week.as_deref().and_then(|week| week.parse().ok()).unwrap_or(today));
    let sunday = monday.saturating_add(6.days());
    let from = clocks::end_of(monday.yesterday().unwrap_or(monday), zone);
    let slots = app.interview_calendar(who, staff_id, from, clocks::end_of(sunday, zone)).await?;
    let days = (0..7).map(|ahead: i64| monday.saturating_add(ahead.days()));
    let day = |date: Date| CalendarDay {
        date: date.to_string(),
        label: format!("{}, {}", moments::short_weekday(date), moments::short_day(date)),
        slots: slots
            .iter()
            .filter(|slot| clocks::day(slot.span.starts_at, zone) == date)
            .map(|slot| slot_view(office, slot, zone))
            .collect(),
    };
    let others = who.staff.role.may(Permission::OthersInterviews);
    let colleagues = if others { app.store.colleagues().await? } else { Vec::new() };
    let meets = colleagues
        .iter()
        .filter(|one| one.suspended_at.is_none() && one.role.may(Permission::Interview) || one.id == staff_id);
    let is_own = who.staff.id == staff_id;
    let feed = match is_own {
        true => Some(FeedView {
            since_text: app.store.feed(staff_id).await?.map(|at| moment::full(at, zone).to_string()),
            address,
        }),
        false => None,
    };
    let week_href = |monday: Date| href(staff_id, Some(&monday.to_string()));
    Ok(AdminInterviewsProps {
        people: meets.map(|one| Choice { value: one.id.clone(), label: one.called().to_owned() }).collect(),
        staff: staff_id.to_owned(),
        staff_name: staff.called().to_owned(),
        is_own,
        week: monday.to_string(),
        week_text: format!("{} to {}", moments::short_date(monday), moments::short_date(sunday)),
        previous_href: week_href(monday.saturating_sub(7.days())),
        next_href: week_href(monday.saturating_add(7.days())),
        this_week_href: href(staff_id, None),
        days: days.map(day).collect(),
        weekdays: weekdays(),
        zones: time_zones(),
        feed,
        rules: rules_view(&rules),
        form,
    })
}

fn monday(date: Date) -> Date {
    // What nobody's calendar reaches is not gone through.
    let date = if (2000..=8999).contains(&date.year()) { date } else { jiff::civil::date(2000, 1, 3) };
    date.saturating_sub(i64::from(date.weekday().to_monday_zero_offset()).days())
}

fn slot_view(office: Office<'_>, slot: &CalendarSlot, zone: &str) -> SlotView {
    let (from, until) = (clocks::zoned(slot.span.starts_at, zone), clocks::zoned(slot.span.ends_at(), zone));
    let (state, label, href) = match &slot.booking {
        Some(booking) => {
            let state = match booking.outcome {
                None => "booked",
                Some(InterviewOutcome::Held) => "done",
                Some(InterviewOutcome::NoShow) => "missed",
            };
            let href = format!("/admin-panel/applications/{}/interview", booking.application_id);
            (state, whom(office, booking), Some(href))
        }
        None if slot.is_held => ("held", "Somebody is choosing it".to_owned(), None),
        None => ("free", "Free".to_owned(), None),
    };
    SlotView {
        id: slot.id.clone(),
        time_text: format!("{}–{}", from.strftime("%H:%M"), until.strftime("%H:%M")),
        state,
        label,
        href,
    }
}

/// Who it is, for those who may know it; else the reference number.
fn whom(office: Office<'_>, booking: &Booking) -> String {
    let name = format!("{} {}", booking.first_name, booking.last_name);
    if office.who.staff.role.may(Permission::PersonalData) && !name.trim().is_empty() {
        name
    } else {
        booking.reference.clone().unwrap_or_else(|| "Booked".to_owned())
    }
}

const WEEK: [Weekday; 7] = [
    Weekday::Monday,
    Weekday::Tuesday,
    Weekday::Wednesday,
    Weekday::Thursday,
    Weekday::Friday,
    Weekday::Saturday,
    Weekday::Sunday,
];

fn weekdays() -> Vec<Choice> {
    let choice = |day: &Weekday| Choice { value: day.to_monday_one_offset().to_string(), label: weekday(*day) };
    WEEK.iter().map(choice).collect()
}

fn weekday(day: Weekday) -> String {
    // Some week that begins with a Monday.
    moments::weekday(jiff::civil::date(2026, 5, 4 + day.to_monday_zero_offset())).to_string()
}

fn rules_view(rules: &Rules) -> RulesView {
    let Availability { time_zone, minutes, buffer, notice, weekly, exceptions } = &rules.availability;
    let window = |window: &Window| format!("{}, {}", weekday(window.weekday), hours(window.hours));
    let exception = |exception: &Exception| {
        let day = moments::loose_date(exception.date);
        exception.extra.map_or_else(|| format!("{day}: off"), |extra| format!("{day}: also {}", hours(extra)))
    };
    RulesView {
        revision: rules.revision,
        time_zone: time_zone.clone(),
        minutes: *minutes,
        buffer: *buffer,
        notice: *notice,
        weekly: weekly.iter().map(window).collect(),
        exceptions: exceptions.iter().map(exception).collect(),
    }
}

fn hours(hours: Hours) -> String {
    let until = hours.until.strftime("%H:%M").to_string();
    let until = if until == "00:00" { "24:00".to_owned() } else { until };
    format!("{}–{until}", hours.from.strftime("%H:%M"))
}
