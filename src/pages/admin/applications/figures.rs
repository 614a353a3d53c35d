//! The figures: statistics about the list.

use axum::http::StatusCode;
use axum::response::Response;

use super::{capital, choice, facet_text, query_pairs, short};
use crate::admin::Office;
use crate::admin::waitlist::capacity_figures;
use crate::page::{FormState, Screen, Typed};
use crate::props::office::figures::{
    AdminFiguresProps, FiguresFunding, FiguresPart, FiguresPeriod, FiguresReader, FiguresReport, FiguresSpan,
    FiguresStay, FiguresStep, FiguresTook, FiguresWaiting,
};
use crate::{Form, moment, problem, respond};
use app::office::figure_reports::may_delete;
use domain::input::FieldError;
use domain::listing::figures::{Filter, Period, SHOWN, Span, Took, WAITS, wait_label};
use domain::listing::{Facet, Tab};
use domain::moments;
use domain::program::Program;
use domain::status::Status;
use wire::figures::csv;

/// Fields of the form that narrows the figures.
const FIELDS: [&str; 4] = ["from", "to", "program", "intake"];

pub const PATH: &str = "/admin-panel/applications/figures";

pub async fn show(office: Office<'_>, _: &Form) -> Response {
    let (filter, errors) = asked_for(office);
    let typed = query_pairs(office.visit.parts.uri.query().unwrap_or_default());
    let mut form = FormState::default();
    let status = if errors.is_empty() { StatusCode::OK } else { StatusCode::UNPROCESSABLE_ENTITY };
    for FieldError { path, message, .. } in errors {
        // A period is chosen by a link, so its error is shown at the first day.
        let field = if path == "period" { "from".to_owned() } else { path };
        for (name, value) in typed.iter().filter(|(name, _)| ["from", "to", &*field].contains(&&**name)) {
            form.values.insert(name.clone(), Typed::One(value.clone()));
        }
        form.errors.push((field, message));
    }
    let message = match office.visit.query("done").as_deref() {
        Some("saved") => Some("The report is saved."),
        Some("deleted") => Some("The report is deleted, and nobody gets it by mail any more."),
        Some("mailed") => Some("You get the report by mail every Monday."),
        Some("stopped") => Some("You do not get the report by mail any more."),
        _ => None,
    };
    form.message = message.map(Into::into);
    respond(office, filter, form, status).await
}

/// Saves the filter as a report, deletes one, or mails it to the user.
pub async fn submit(office: Office<'_>, form: &Form) -> Response {
    let app = &office.visit.state.app;
    let (filter, _) = filter_of(office, form.get("here"));
    let id = form.get("report");
    let (result, done) = match form.get("_action") {
        "save" => (app.save_figure_report(office.who, form.get("key"), form.get("reportName"), filter).await, "saved"),
        "delete" => (app.delete_figure_report(office.who, id).await, "deleted"),
        "mail" => (app.mail_figure_report(office.who, id, true).await, "mailed"),
        "stop" => (app.mail_figure_report(office.who, id, false).await, "stopped"),
        _ => return problem::page(office.visit, problem::BAD_REQUEST).await,
    };
    match result {
        Ok(()) => respond::see_other(&format!("{PATH}?{}&done={done}", encoded(filter.to_query()))),
        Err(error) => respond(office, filter, form.refused(&error), problem::status(&error)).await,
    }
}

/// Exports what the page shows as comma-separated values.
pub async fn as_csv(office: Office<'_>, _: &Form) -> Response {
    let (filter, errors) = asked_for(office);
    if !errors.is_empty() {
        return problem::page(office.visit, problem::BAD_REQUEST).await;
    }
    match office.visit.state.app.figures(office.who, filter).await {
        Ok(counted) => csv(&counted),
        Err(error) => office.unavailable(&error).await,
    }
}

/// Reads the filter from the address.
fn asked_for(office: Office<'_>) -> (Filter, Vec<FieldError>) {
    filter_of(office, office.visit.parts.uri.query().unwrap_or_default())
}

fn filter_of(office: Office<'_>, query: &str) -> (Filter, Vec<FieldError>) {
    let pairs = query_pairs(query);
    let pairs = pairs.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    Filter::parse(pairs, office.visit.state.app.today())
}

fn encoded<'a>(pairs: impl IntoIterator<Item = (&'a str, String)>) -> String {
    url::form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish()
}

/// Returns the query that lists the applications submitted in this period.
fn submitted_in(span: Span) -> Vec<(&'static str, String)> {
    vec![("submittedFrom", span.from.to_string()), ("submittedTo", span.to.to_string())]
}

async fn respond(office: Office<'_>, filter: Filter, form: FormState, status: StatusCode) -> Response {
    let counted = match office.visit.state.app.figures(office.who, filter).await {
        Ok(counted) => counted,
        Err(error) => return office.unavailable(&error).await,
    };
    let reports = match office.visit.state.app.figure_reports(office.who).await {
        Ok(reports) => reports,
        Err(error) => return office.unavailable(&error).await,
    };
    let query = encoded(filter.to_query());
    let today = office.visit.state.app.today();
    let by_month = filter.is_by_month();
    let figures = &counted.figures;
    let mut narrowed = vec![("tab", Tab::All.as_str().to_owned())];
    narrowed.extend(filter.program.map(|program| ("program", program.application_type().to_owned())));
    narrowed.extend(filter.intake.map(|intake| ("intake", intake.code())));
    let days = Span { from: filter.from, to: filter.to };
    let spans = figures.spans.iter().map(|figures| FiguresSpan {
        label: if by_month {
            moments::month_and_year(figures.span.from).to_string()
        } else {
            moments::short_date(figures.span.from).to_string()
        },
        query: encoded(submitted_in(figures.span)),
        by_status: figures.by_status.to_vec(),
        decided: took(figures.decided),
    });
    let started = figures.steps.first().map_or(0, |step| step.count);
    let before = std::iter::once(None).chain(figures.steps.iter().map(|step| Some(step.count)));
    let steps = figures.steps.iter().zip(before).map(|(step, before)| FiguresStep {
        label: step.label(),
        count: step.count,
        of_previous: before.and_then(|before| step.percent_of(before)),
        of_all: step.percent_of(started),
    });
    let waiting = figures.waiting.iter().map(|(stage, counts)| FiguresWaiting {
        stage: stage.label(),
        query: encoded([("stage", stage.as_str().to_owned()), ("sort", "waiting".to_owned())]),
        counts: counts.to_vec(),
    });
    let readers = figures.readers.iter().map(|reader| FiguresReader {
        name: counted.called(&reader.staff_id).to_owned(),
        query: encoded([("owner", reader.staff_id.clone())]),
        owned: reader.owned,
        work: reader.work.map(took).into(),
    });
    let funding = figures.funding.iter().map(|(value, by_status)| FiguresFunding {
        label: value.map_or_else(|| "None named".to_owned(), |value| facet_text(Facet::Funding, value, &[])),
        query: value.map(|value| encoded([("funding", value.to_owned())])),
        by_status: by_status.to_vec(),
    });
    let props = AdminFiguresProps {
        values: values(filter, &form),
        periods: Period::ALL
            .into_iter()
            .map(|period| {
                let (from, to) = period.days(today);
                let of_it = Filter { period: Some(period), from, to, ..filter };
                FiguresPeriod {
                    label: period.label(),
                    href: format!("{PATH}?{}", encoded(of_it.to_query())),
                    current: filter.period == Some(period),
                }
            })
            .collect(),
        programs: Program::ALL.into_iter().map(|program| choice(program.application_type(), short(program))).collect(),
        intakes: counted.intakes.iter().map(|intake| choice(&intake.code(), &intake.name().to_string())).collect(),
        days_text: format!("{} to {}", moments::short_date(filter.from), moments::short_date(filter.to)),
        waiting_query: encoded(narrowed.clone()),
        submitted_query: encoded(narrowed.into_iter().chain(submitted_in(days))),
        by_month,
        statuses: SHOWN
            .map(|status| FiguresPart {
                label: match status {
                    Status::None => "Withdrawn or declined".to_owned(),
                    status => capital(status.as_str()),
                },
                query: encoded([("status", status.as_str().to_owned())]),
            })
            .into(),
        spans: spans.collect(),
        steps: steps.collect(),
        stays: figures
            .stays
            .iter()
            .map(|(stage, stays)| FiguresStay { stage: stage.label(), took: took(*stays) })
            .collect(),
        waits: (0..WAITS.len()).map(wait).collect(),
        waiting: waiting.collect(),
        readers: readers.collect(),
        funding: funding.collect(),
        capacity: counted.capacity.iter().map(capacity_figures).collect(),
        csv_href: format!("{PATH}.csv?{query}"),
        reports: reports
            .into_iter()
            .map(|report| FiguresReport {
                may_delete: may_delete(office.who, &report),
                href: format!("{PATH}?{}", report.query),
                is_mailed: report.is_mailed,
                id: report.id,
                name: report.name,
            })
            .collect(),
        form_key: office.visit.state.app.random.id(),
        here: query,
        counted_text: moment::full(counted.at, office.zone()).to_string(),
        form,
    };
    office.page(Screen::AdminFigures(Box::new(props)), "Figures", status).await
}

fn wait(place: usize) -> FiguresPart {
    let least = Some(WAITS[place]).filter(|days| *days > 0).map(|days| ("waiting", days.to_string()));
    let below = WAITS.get(place + 1).map(|next| ("waitingBelow", next.to_string()));
    FiguresPart { label: wait_label(place), query: encoded(least.into_iter().chain(below)) }
}

fn took(took: Took) -> FiguresTook {
    FiguresTook { count: took.count, median_days: took.median_days, most_days: took.most_days }
}

/// Returns what the form shows: the days counted, or what was typed instead.
fn values(filter: Filter, form: &FormState) -> std::collections::BTreeMap<String, String> {
    let days = [("from", filter.from.to_string()), ("to", filter.to.to_string())];
    // Next to invalid days, a period would be taken as what is meant.
    let is_refused = form.errors.iter().any(|(name, _)| FIELDS.contains(&&**name));
    let query = filter.to_query().into_iter().filter(|(name, _)| *name != "period" || !is_refused);
    let shown = query.chain(days).map(|(name, value)| (name.to_owned(), value));
    let typed = form.values.iter().filter_map(|(name, typed)| match typed {
        Typed::One(typed) if FIELDS.contains(&&**name) => Some((name.clone(), typed.clone())),
        _ => None,
    });
    shown.chain(typed).collect()
}
