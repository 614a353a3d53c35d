//! Prospects: who has asked for news or the brochure. The address is the search.

use axum::http::StatusCode;
use axum::response::Response;

use super::Office;
use super::applications::short;
use crate::page::{FormState, Screen, Typed};
use crate::props::office::Choice;
use crate::props::office::prospects::{AdminProspectsProps, DeletedProspect, ProspectFilter, ProspectRow};
use crate::{Form, moment, problem, respond};
use app::Error;
use domain::input::FieldError;
use domain::program::Program;
use domain::prospect::{Prospect, ProspectQuery, ProspectState, Want};

pub const PATH: &str = "/admin-panel/prospects";

pub async fn list(office: Office<'_>, _: &Form) -> Response {
    let query = office.visit.parts.uri.query().unwrap_or_default();
    let (query, errors) = parse(query);
    let mut form = FormState::default();
    let status = if errors.is_empty() { StatusCode::OK } else { StatusCode::UNPROCESSABLE_ENTITY };
    form.errors = errors.into_iter().map(|error| (error.path, error.message)).collect();
    let is_deleted = office.visit.query("done").as_deref() == Some("deleted");
    form.message = is_deleted.then(|| "The prospect is deleted.".into());
    respond(office, &query, form, status).await
}

/// Exports the prospects of a search as comma-separated values.
pub async fn as_csv(office: Office<'_>, _: &Form) -> Response {
    let (query, errors) = parse(office.visit.parts.uri.query().unwrap_or_default());
    if !errors.is_empty() {
        return problem::page(office.visit, problem::BAD_REQUEST).await;
    }
    match office.visit.state.app.export_prospects(office.who, &query).await {
        Ok(prospects) => wire::prospects::prospects(&prospects),
        Err(error) => office.unavailable(&error).await,
    }
}

pub async fn submit(office: Office<'_>, form: &Form) -> Response {
    let Office { visit, who, .. } = office;
    if form.get("_action") != "delete" {
        return problem::page(visit, problem::BAD_REQUEST).await;
    }
    let (query, _) = parse(form.get("here"));
    match visit.state.app.delete_prospect(who, form.get("id")).await {
        Ok(()) => respond::see_other(&href(&query, Some(("done", "deleted")))),
        Err(error @ (Error::Unavailable(_) | Error::Internal(_))) => office.unavailable(&error).await,
        Err(error) => {
            let refused = FormState { error: Some(error.sentence()), ..FormState::default() };
            respond(office, &query, refused, problem::status(&error)).await
        }
    }
}

fn parse(query: &str) -> (ProspectQuery, Vec<FieldError>) {
    let pairs: Vec<(String, String)> = url::form_urlencoded::parse(query.as_bytes()).into_owned().collect();
    ProspectQuery::parse(pairs.iter().map(|(name, value)| (name.as_str(), value.as_str())))
}

fn written(query: &ProspectQuery, more: Option<(&str, &str)>) -> String {
    let mut written = url::form_urlencoded::Serializer::new(String::new());
    written.extend_pairs(query.to_query());
    written.extend_pairs(more);
    written.finish()
}

fn href(query: &ProspectQuery, more: Option<(&str, &str)>) -> String {
    match written(query, more) {
        query if query.is_empty() => PATH.to_owned(),
        query => format!("{PATH}?{query}"),
    }
}

async fn respond(office: Office<'_>, query: &ProspectQuery, mut form: FormState, status: StatusCode) -> Response {
    let visit = office.visit;
    let page = match visit.state.app.prospects(office.who, query).await {
        Ok(page) => page,
        Err(error) => return office.unavailable(&error).await,
    };
    for (name, value) in query.to_query() {
        form.values.insert(name.to_owned(), Typed::One(value));
    }
    let all = ProspectQuery { after: None, ..query.clone() };
    let deleted = visit.query("delete").unwrap_or_default();
    let deleting = page.prospects.iter().find(|prospect| prospect.id == deleted).map(|prospect| DeletedProspect {
        id: prospect.id.clone(),
        email: prospect.email.clone(),
        back_href: href(query, None),
    });
    let csv = written(&all, None);
    let props = AdminProspectsProps {
        counts: vec![
            ("this week", page.counts.this_week),
            ("waiting", page.counts.waiting),
            ("confirmed", page.counts.confirmed),
            ("became applicants", page.counts.applicants),
        ],
        rows: page.prospects.iter().map(|prospect| row(office, query, prospect)).collect(),
        filters: filters(),
        here: written(query, None),
        clear_href: (all != ProspectQuery::default()).then(|| PATH.to_owned()),
        first_href: query.after.is_some().then(|| href(&all, None)),
        next_href: page.next.map(|next| href(&ProspectQuery { after: Some(next), ..all.clone() }, None)),
        csv_href: if csv.is_empty() { format!("{PATH}.csv") } else { format!("{PATH}.csv?{csv}") },
        deleting,
        form,
    };
    office.page(Screen::AdminProspects(Box::new(props)), "Prospects", status).await
}

fn filters() -> Vec<ProspectFilter> {
    let filter = |name, label, all: &str, options: Vec<(&str, String)>| ProspectFilter {
        name,
        label,
        options: std::iter::once(("", all.to_owned()))
            .chain(options)
            .map(|(value, label)| Choice { value: value.into(), label })
            .collect(),
    };
    let programs = Program::ALL.map(|program| (program.application_type(), program.name().to_string()));
    let wants = Want::ALL.map(|want| (want.as_str(), want.label().to_owned()));
    let states = ProspectState::ALL.map(|state| (state.as_str(), state.label().to_owned()));
    vec![
        filter("program", "Program", "All programs", programs.into()),
        filter("wants", "Wants", "All wishes", wants.into()),
        filter("state", "State", "All states", states.into()),
    ]
}

fn row(office: Office<'_>, query: &ProspectQuery, prospect: &Prospect) -> ProspectRow {
    let wants = [(prospect.wants.openings, "Openings"), (prospect.wants.brochure, "Brochure")];
    let wants = wants.into_iter().filter_map(|(wanted, want)| wanted.then_some(want));
    let application = prospect.application_id.as_ref().filter(|_| prospect.application_listed);
    let state = prospect.state();
    ProspectRow {
        id: prospect.id.clone(),
        email: prospect.email.clone(),
        first_name: prospect.first_name.clone(),
        program: short(prospect.program),
        wants_text: wants.collect::<Vec<_>>().join(", "),
        state: state.as_str(),
        state_text: state.label(),
        application_href: application.map(|id| format!("/admin-panel/applications/{id}")),
        asked_text: moment::short(prospect.created_at, office.zone()),
        delete_href: format!("{}#delete", href(query, Some(("delete", prospect.id.as_str())))),
    }
}
