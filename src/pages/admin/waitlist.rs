//! The waitlist: the places of each intake, and the line of those who wait for one.

use axum::http::StatusCode;
use axum::response::Response;

use super::{Office, applications, dossier};
use crate::page::{FormState, Screen};
use crate::props::office::applications::ListTab;
use crate::props::office::waitlist::{AdminWaitlistProps, CapacityFigures, WaitlistRow, WaitlistSection};
use crate::{Form, moment, problem, respond};
use app::Error;
use app::applications::acts::Preconditions;
use app::waitlist::{WaitlistEntry, WaitlistLine};
use domain::intake::Intake;
use domain::listing::Tab;
use domain::permission::Permission;
use domain::places::{Capacity, Release};
use domain::program::Program;
use domain::rubric::{SheetKind, on_scale};
use domain::settings::Setting;
use domain::status::{Act, Guard, Refused, Stage};
use domain::waitlist::Move;

pub const PATH: &str = "/admin-panel/waitlist";

/// From how many days before the start of studies on the page reminds of those who still wait.
const SOON: i64 = 42;

pub async fn list(office: Office<'_>, _: &Form) -> Response {
    let message = match office.visit.query("done").as_deref() {
        Some("offered") => Some("The place is offered. For 15 minutes it can be recalled."),
        Some("moved") => Some("The line is changed."),
        _ => None,
    };
    let form = FormState { message: message.map(Into::into), ..FormState::default() };
    let program = office.visit.query("program").as_deref().and_then(Program::of_application_type);
    respond(office, program, form, StatusCode::OK).await
}

/// Offers a place, or moves an application in its line.
pub async fn submit(office: Office<'_>, form: &Form) -> Response {
    let Office { visit, who, .. } = office;
    let app = &visit.state.app;
    let program = Program::of_application_type(form.get("program"));
    let id = form.get("id");
    let outcome = match form.get("_action") {
        "offer" => {
            let expected = form.get("revision").parse().ok();
            let conditions = Preconditions { expected, key: Preconditions::key(form.get("key")) };
            app.offer_place(who, id, conditions).await.map(|_| ("offered", String::new()))
        }
        "up" => app.move_in_line(who, id, &Move::Up).await.map(|()| ("moved", format!("#{}", anchor(id)))),
        "down" => app.move_in_line(who, id, &Move::Down).await.map(|()| ("moved", format!("#{}", anchor(id)))),
        _ => return problem::page(visit, problem::BAD_REQUEST).await,
    };
    match outcome {
        Ok((done, place)) => respond::see_other(&format!("{}{place}", address(program, Some(("done", done))))),
        Err(error @ (Error::Unavailable(_) | Error::Internal(_))) => office.unavailable(&error).await,
        Err(error) => respond(office, program, form.refused(&error), problem::status(&error)).await,
    }
}

fn address(program: Option<Program>, more: Option<(&str, &str)>) -> String {
    let narrowed = program.map(|program| ("program", program.application_type()));
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    query.extend_pairs(narrowed.into_iter().chain(more));
    match query.finish() {
        query if query.is_empty() => PATH.to_owned(),
        query => format!("{PATH}?{query}"),
    }
}

/// Identifies the row of an application.
fn anchor(id: &str) -> String {
    format!("line-{id}")
}

/// Identifies the line of an intake: `ba-2026-08`
fn line_id(program: Program, intake: Intake) -> String {
    format!("{}-{}", program.application_type(), intake.code())
}

/// Returns the address of the line of an intake.
pub fn line_href(program: Program, intake: Intake) -> String {
    format!("{PATH}#{}", line_id(program, intake))
}

/// Returns the places of an intake as pages show them.
pub fn capacity_figures(capacity: &Capacity) -> CapacityFigures {
    let Capacity { program, intake, limit, taken, waiting, history } = *capacity;
    let narrowed = [
        ("tab", Tab::All.as_str().to_owned()),
        ("program", program.application_type().to_owned()),
        ("intake", intake.code()),
    ];
    CapacityFigures {
        id: line_id(program, intake),
        program: applications::short(program),
        intake: intake.name().to_string(),
        href: line_href(program, intake),
        query: url::form_urlencoded::Serializer::new(String::new()).extend_pairs(narrowed).finish(),
        places: limit.map(|limit| limit.places),
        over: limit.map_or(0, |limit| limit.over),
        offered: taken.uncertain(),
        confirmed: taken.confirmed,
        enrolled: taken.enrolled,
        deferred: taken.deferred,
        waiting,
        left: capacity.left(),
        free: capacity.free(),
        accepted_before: history.accepted,
        decided_before: history.decided,
        yield_percent: history.percent(),
        expected_starters: capacity.expected_starters(),
        further_offers: capacity.further_offers(),
    }
}

async fn respond(office: Office<'_>, program: Option<Program>, form: FormState, status: StatusCode) -> Response {
    let Office { visit, who, .. } = office;
    let lines = match visit.state.app.waitlist(who, None, None).await {
        Ok(lines) => lines,
        Err(error) => return office.unavailable(&error).await,
    };
    let is_of = |line: &&WaitlistLine, of: Option<Program>| of.is_none_or(|of| of == line.capacity.program);
    let tab = |of: Option<Program>| ListTab {
        label: of.map_or("All", applications::short),
        href: address(of, None),
        count: lines.iter().filter(|line| is_of(line, of)).map(|line| line.capacity.waiting).sum::<i64>().to_string(),
        current: of == program,
    };
    let props = AdminWaitlistProps {
        tabs: [None].into_iter().chain(Program::ALL.map(Some)).map(tab).collect(),
        sections: lines.iter().filter(|line| is_of(line, program)).map(|line| section(office, line)).collect(),
        may_move: who.staff.role.may(Permission::Decide),
        program: program.map_or("", Program::application_type),
        form_key: visit.state.app.random.id(),
        form,
    };
    office.page(Screen::AdminWaitlist(Box::new(props)), "Waitlist", status).await
}

fn section(office: Office<'_>, line: &WaitlistLine) -> WaitlistSection {
    let WaitlistLine { capacity, days_until_start, entries } = line;
    let figures = capacity_figures(capacity);
    let shown = entries.len() as i64;
    let may_set = office.who.staff.role.may(Permission::Settings);
    WaitlistSection {
        release_text: match office.visit.product.places(capacity.program).release {
            Release::ByHand => "A place that becomes free is offered by hand: a task tells of it.",
            Release::ByOrder => "A place that becomes free is offered to the first in line automatically.",
        },
        warning: warning(*days_until_start, capacity.waiting),
        list_href: format!("{}?{}&stage={}", applications::PATH, figures.query, Stage::Waitlisted.as_str()),
        setting_href: may_set.then(|| format!("/admin-panel/settings/{}", Setting::Places(capacity.program).name())),
        rows: entries.iter().map(|entry| row(office, capacity.program, entry)).collect(),
        more_text: (capacity.waiting > shown).then(|| format!("These are the first {shown} of {}.", capacity.waiting)),
        capacity: figures,
    }
}

/// Says how soon studies start, while somebody waits.
fn warning(days_until_start: Option<i64>, waiting: i64) -> Option<String> {
    let wait = match waiting {
        0 => return None,
        1 => "1 still waits".to_owned(),
        several => format!("{several} still wait"),
    };
    match days_until_start {
        None => Some(format!("Studies have started, and {wait}.")),
        Some(days) if days > SOON => None,
        Some(1) => Some(format!("Studies start tomorrow, and {wait}.")),
        Some(days) => Some(format!("Studies start in {days} days, and {wait}.")),
    }
}

fn row(office: Office<'_>, program: Program, entry: &WaitlistEntry) -> WaitlistRow {
    let role = office.who.staff.role;
    let may_release = role.may(Permission::Release);
    let name = format!("{} {}", entry.first_name, entry.last_name).trim().to_owned();
    let scale = office.visit.product.rubric(SheetKind::Reading, program).scale;
    // That no place is left stands above the line.
    let problem = entry.refused.filter(|refused| may_release && *refused != Refused::Unmet(Guard::PlaceLeft));
    let leave = format!("{}/{}/act?act={}", applications::PATH, entry.application_id, Act::LeaveWaitlist.as_str());
    WaitlistRow {
        id: entry.application_id.clone(),
        anchor: anchor(&entry.application_id),
        revision: entry.revision,
        position: entry.position,
        reference: entry.reference.clone().filter(|reference| *reference != name).unwrap_or_default(),
        name,
        href: dossier::href(&entry.application_id, dossier::decision::TAB, ""),
        owner: entry.owner.as_ref().map(|(_, name)| name.clone()),
        joined_text: moment::short(entry.joined_at, office.zone()),
        by_hand: entry.priority.is_some(),
        score: entry.score.map(|score| on_scale(score, scale)),
        may_offer: may_release && entry.refused.is_none(),
        problem: problem.map(|refused| refused.sentence().to_string()),
        leave_href: (may_release && role.may(Permission::Review)).then_some(leave),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_reminds_of_those_who_still_wait() {
        for (days, waiting, expected) in [
            (Some(20), 0, None),
            (Some(43), 3, None),
            (Some(42), 3, Some("Studies start in 42 days, and 3 still wait.")),
            (Some(1), 1, Some("Studies start tomorrow, and 1 still waits.")),
            (None, 2, Some("Studies have started, and 2 still wait.")),
        ] {
            assert_eq!(warning(days, waiting).as_deref(), expected, "{days:?} {waiting}");
        }
    }
}
