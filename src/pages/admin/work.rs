//! The work of staff: the tasks of all applications, and the way from one task to the next.

use axum::http::StatusCode;
use axum::response::Response;

use super::{Office, applications, dossier};
use crate::page::{FormState, Screen};
use crate::props::office::applications::ListTab;
use crate::props::office::work::{AdminWorkProps, Unplaced, WorkLoad, WorkRow};
use crate::{Form, moment, problem, respond};
use app::office::work::{Work, WorkView};
use app::{Error, Refusal};
use domain::finance::MoneyList;
use domain::moments::{DAY, HOUR, MINUTE};
use domain::role::Role;
use domain::task::{ListedTask, TaskKind, Whose};

pub const PATH: &str = "/admin-panel/work";

/// Whether this role has any tasks.
pub fn is_for(role: Role) -> bool {
    TaskKind::of_role(role).next().is_some()
}

pub async fn show(office: Office<'_>, _: &Form) -> Response {
    if !is_for(office.who.staff.role) {
        return respond::redirect(office.visit, applications::PATH);
    }
    let query = office.visit.parts.uri.query().unwrap_or_default();
    let message = match office.visit.query("done").as_deref() {
        Some("taken") => Some("The task is yours."),
        Some("put-back") => Some("The task is nobody’s again."),
        Some("ticked-off") => Some("The task is closed."),
        Some("nothing") => Some("Nothing else waits: nothing of yours, and nothing that is nobody’s."),
        _ => None,
    };
    let form = FormState { message: message.map(Into::into), ..FormState::default() };
    respond(office, &view_of(query), form, StatusCode::OK).await
}

/// Takes a task, puts it back, or leads to the next one.
pub async fn submit(office: Office<'_>, form: &Form) -> Response {
    let app = &office.visit.state.app;
    let view = view_of(form.get("here"));
    let (act, of) = form.get("_action").split_once(':').unwrap_or((form.get("_action"), ""));
    // The application and the task in it.
    let (application, task) = of.split_once('/').unwrap_or_default();
    let outcome = match act {
        "next" => return next(office, form.get("from")).await,
        "take" => app.take_task(office.who, application, task).await.map(|()| "taken"),
        "back" => app.put_task_back(office.who, application, task).await.map(|()| "put-back"),
        _ => return problem::page(office.visit, problem::BAD_REQUEST).await,
    };
    match outcome {
        Ok(done) => respond::see_other(&with(&href(&view), "done", done)),
        Err(error @ Error::Refused(Refusal::RoleForbidden)) => dossier::instead(office, &error).await,
        Err(error) => respond(office, &view, form.refused(&error), problem::status(&error)).await,
    }
}

async fn next(office: Office<'_>, from: &str) -> Response {
    match office.visit.state.app.next_task(office.who, Some(from).filter(|from| !from.is_empty())).await {
        Ok(Some(task)) => respond::see_other(&place_of(&task)),
        Ok(None) => respond::see_other(&with(PATH, "done", "nothing")),
        Err(error) => dossier::instead(office, &error).await,
    }
}

/// Reads the view from the address; invalid parts are ignored.
fn view_of(query: &str) -> WorkView {
    let pairs: Vec<_> = url::form_urlencoded::parse(query.as_bytes()).collect();
    WorkView::parse(pairs.iter().map(|(name, value)| (name.as_ref(), value.as_ref()))).0
}

fn query_of(view: &WorkView) -> String {
    url::form_urlencoded::Serializer::new(String::new()).extend_pairs(view.to_query()).finish()
}

fn href(view: &WorkView) -> String {
    format!("{PATH}?{}", query_of(view)).trim_end_matches('?').to_owned()
}

fn with(href: &str, name: &str, value: &str) -> String {
    format!("{href}{}{name}={value}", if href.contains('?') { '&' } else { '?' })
}

/// Returns where a task is done.
fn place_of(listed: &ListedTask) -> String {
    let tab = match listed.task.kind {
        TaskKind::DocumentCheck | TaskKind::DocumentLost => "/documents",
        TaskKind::Interview | TaskKind::InterviewWishes | TaskKind::ScoreSheet | TaskKind::NoShow => "/interview",
        TaskKind::DecisionDraft
        | TaskKind::DecisionRelease
        | TaskKind::ReleaseFailed
        | TaskKind::PlaceFree
        | TaskKind::Lapsed => "/decision",
        TaskKind::Contract | TaskKind::Countersign => "/contract",
        TaskKind::Funding
        | TaskKind::Dunning
        | TaskKind::CardPayment
        | TaskKind::Refund
        | TaskKind::Approval
        | TaskKind::LedgerFault
        | TaskKind::Overpaid
        | TaskKind::FeeWaiver => "/funding",
        TaskKind::Message => dossier::CONVERSATION,
        TaskKind::Reading => dossier::READINGS,
        TaskKind::Alert | TaskKind::Changes | TaskKind::Slow | TaskKind::Deferral => "",
    };
    dossier::href(&listed.application_id, tab, "")
}

async fn respond(office: Office<'_>, view: &WorkView, form: FormState, status: StatusCode) -> Response {
    let work = match office.visit.state.app.work(office.who, view).await {
        Ok(work) => work,
        Err(error) => return dossier::instead(office, &error).await,
    };
    let Work { tasks, has_more, tabs, kinds, load, unplaced } = work;
    let first = WorkView { after: None, ..view.clone() };
    let next = has_more.then(|| tasks.last().map(|listed| listed.task.place())).flatten();
    let most = load.iter().map(|(_, counted)| counted.number).max().unwrap_or_default();
    let tab = |(whose, counted)| ListTab {
        href: href(&WorkView { whose, ..WorkView::default() }),
        label: match whose {
            Whose::Mine => "Mine",
            Whose::Unassigned => "Nobody’s",
            Whose::Everybody => "Team",
        },
        count: applications::counted(counted),
        current: whose == view.whose,
    };
    let kind = |(kind, counted): (TaskKind, _)| ListTab {
        // Chosen again, the kind is cleared.
        href: href(&WorkView { kind: Some(kind).filter(|kind| view.kind != Some(*kind)), ..first.clone() }),
        label: kind.label(),
        count: applications::counted(counted),
        current: view.kind == Some(kind),
    };
    let props = AdminWorkProps {
        tabs: tabs.into_iter().map(tab).collect(),
        kinds: kinds.into_iter().map(kind).collect(),
        first_href: view.after.is_some().then(|| href(&first)),
        next_href: next.map(|after| href(&WorkView { after: Some(after), ..view.clone() })),
        rows: tasks.iter().map(|task| row(office, task)).collect(),
        load: load
            .into_iter()
            .map(|(name, counted)| WorkLoad {
                name,
                count: applications::counted(counted),
                share: counted.number * 100 / most.max(1),
            })
            .collect(),
        unplaced: (unplaced > 0)
            .then(|| Unplaced { count: unplaced, href: super::finance::href(MoneyList::Unmatched) }),
        here: query_of(view),
        form,
    };
    office.page(Screen::AdminWork(Box::new(props)), "Work", status).await
}

fn row(office: Office<'_>, listed: &ListedTask) -> WorkRow {
    let (task, now) = (&listed.task, office.visit.now());
    let moment = task.place().moment;
    let when_text = match task.due_at {
        Some(due) if due >= now => format!("in {}", span(due - now)),
        Some(due) => format!("{} late", span(now - due)),
        None => span(now - task.created_at),
    };
    WorkRow {
        id: task.id.clone(),
        title: task.kind.title(),
        detail: dossier::task_detail(task),
        href: place_of(listed),
        application_id: listed.application_id.clone(),
        name: format!("{} {}", listed.first_name, listed.last_name).trim().to_owned(),
        reference: listed.reference.clone().unwrap_or_default(),
        program: applications::short(listed.program),
        stage: listed.stage.label(),
        when_text,
        moment_text: moment::full(moment, office.zone()).to_string(),
        overdue: task.due_at.is_some_and(|due| due < now),
        own: listed.owner.as_ref().is_some_and(|(id, _)| *id == office.who.staff.id),
        owner: listed.owner.as_ref().map(|(_, name)| name.clone()),
    }
}

/// Describes a length of time roughly: `3 days`.
fn span(length: i64) -> String {
    let (number, unit) = match length {
        days if days >= DAY => (days / DAY, "day"),
        hours if hours >= HOUR => (hours / HOUR, "hour"),
        minutes => ((minutes / MINUTE).max(1), "minute"),
    };
    format!("{number} {unit}{}", if number == 1 { "" } else { "s" })
}
