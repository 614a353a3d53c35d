//! Decisions to release: drafts, planned releases, and what can still be recalled.

use axum::http::StatusCode;
use axum::response::Response;

use super::Office;
use crate::page::{FormState, Screen};
use crate::props::office::decisions::{AdminDecisionsProps, DecisionRow, DecisionStep};
use crate::{Form, moment, problem};
use app::decisions::drafting::{HOLD, Lacks, ReleaseFacts, may_be_released};
use app::decisions::releases::{Done, ReleaseList, ReleaseResult, When, chosen};
use app::{Error, Refusal};
use domain::decision::{Decision, PendingDecision, Ruling};
use domain::input::FieldError;
use domain::places::PlacesLeft;
use domain::staff::StaffSummary;
use domain::status::Outcome;

pub const PATH: &str = "/admin-panel/decisions";

pub async fn list(office: Office<'_>, _: &Form) -> Response {
    respond(office, FormState::default(), None, StatusCode::OK).await
}

/// Shows the chosen drafts before releasing them; recalls at once.
pub async fn submit(office: Office<'_>, form: &Form) -> Response {
    let outcome = match form.get("_action") {
        "choose" => preview(office, named(form, "decision")).await,
        "all" => match office.visit.state.app.release_list(office.who).await {
            Ok(list) => preview(office, list.drafts.into_iter().map(|row| row.decision.id).collect()).await,
            Err(error) => Err(error),
        },
        "release" => return release(office, form).await,
        "recall" => recall(office, named(form, "held")).await,
        "unplan" => unplan(office, named(form, "decision")).await,
        _ => return problem::page(office.visit, problem::BAD_REQUEST).await,
    };
    match outcome {
        Ok(step) => respond(office, FormState::default(), Some(step), StatusCode::OK).await,
        Err(error) => respond(office, form.refused(&error), None, problem::status(&error)).await,
    }
}

fn named(form: &Form, field: &str) -> Vec<String> {
    form.fields().iter().filter(|(name, _)| name == field).map(|(_, value)| value.clone()).collect()
}

async fn preview(office: Office<'_>, ids: Vec<String>) -> Result<DecisionStep, Error> {
    let ids = chosen(ids)?;
    let rows = rows(office, &ids, &[]).await?;
    Ok(DecisionStep { done: false, title: format!("Release {}", counted(rows.len())), rows })
}

async fn release(office: Office<'_>, form: &Form) -> Response {
    let app = &office.visit.state.app;
    let outcome = async {
        let ids = chosen(named(form, "decision"))?;
        let when = asked_when(office, form);
        let typed = form.get("count").trim().parse() == Ok(ids.len());
        let count = || {
            let sentence = format!("Type {} to confirm how many decisions are released.", ids.len());
            FieldError::new("count", "count.other", domain::sentence::Sentence::plain(sentence))
        };
        match (when, typed) {
            (Ok(when), true) => {
                let results = app.release_decisions(office.who, &ids, when).await?;
                let title = match when {
                    When::Now => "Released".to_owned(),
                    When::At(at) => format!("Planned for {}", moment::full(at, office.zone())),
                };
                Ok(DecisionStep { done: true, title, rows: rows(office, &ids, &results).await? })
            }
            (Err(error), true) => Err(vec![error].into()),
            (Ok(_), false) => Err(vec![count()].into()),
            (Err(error), false) => Err(vec![error, count()].into()),
        }
    };
    match outcome.await {
        Ok(step) => respond(office, FormState::default(), Some(step), StatusCode::OK).await,
        Err(error) => {
            // Keeps what was chosen and typed.
            let step = preview(office, named(form, "decision")).await.ok();
            respond(office, form.refused(&error), step, problem::status(&error)).await
        }
    }
}

/// Reads when to release.
pub fn asked_when(office: Office<'_>, form: &Form) -> Result<When, FieldError> {
    match form.get("when") {
        "now" => Ok(When::Now),
        "later" => When::on_clock(form.get("day"), form.get("time"), office.zone(), office.visit.now()),
        _ => Err(FieldError::new("when", "when.required", "Choose when.")),
    }
}

async fn recall(office: Office<'_>, ids: Vec<String>) -> Result<DecisionStep, Error> {
    let ids = chosen(ids).map_err(|error| FieldError { path: "held".into(), ..error })?;
    let results = office.visit.state.app.recall_decisions(office.who, &ids).await?;
    Ok(DecisionStep { done: true, title: "Recalled".into(), rows: rows(office, &ids, &results).await? })
}

async fn unplan(office: Office<'_>, ids: Vec<String>) -> Result<DecisionStep, Error> {
    let app = &office.visit.state.app;
    let ids = chosen(ids)?;
    let mut results = Vec::new();
    for pending in app.pending_decisions(office.who, &ids).await? {
        let result = app.drop_planned_release(&office.who.staff, &pending.decision).await;
        results.push(ReleaseResult { decision_id: pending.decision.id, result: result.map(|()| Done::Recalled) });
    }
    Ok(DecisionStep { done: true, title: "Not released by itself".into(), rows: rows(office, &ids, &results).await? })
}

async fn rows(office: Office<'_>, ids: &[String], results: &[ReleaseResult]) -> Result<Vec<DecisionRow>, Error> {
    let app = &office.visit.state.app;
    let all_staff = app.all_staff().await?;
    let found = app.pending_decisions(office.who, ids).await?;
    let places = app.places_left().await?;
    let to_row = |pending: &PendingDecision| {
        let result = results.iter().find(|result| result.decision_id == pending.decision.id);
        let mut row = row(office, pending, &all_staff, &places);
        match result.map(|result| &result.result) {
            None => {}
            Some(Ok(done)) => {
                row.problem = None;
                row.result = Some(
                    match done {
                        Done::Released => "Released: it can be recalled for 15 minutes",
                        Done::Planned => "Planned",
                        Done::Recalled => "Done: the applicant learned nothing",
                        Done::Already => "It was so already",
                    }
                    .into(),
                );
            }
            Some(Err(error)) => {
                crate::form::log(error);
                row.problem = None;
                row.failed = true;
                row.result = Some(sentence(error));
            }
        }
        row
    };
    let rows: Vec<DecisionRow> = found.iter().map(to_row).collect();
    if rows.is_empty() { Err(Refusal::NoDecision.into()) } else { Ok(rows) }
}

fn sentence(error: &Error) -> String {
    match error {
        Error::Stale(_) => Refusal::ApplicationChanged.sentence().to_string(),
        error => error.sentence().to_string(),
    }
}

fn row(office: Office<'_>, pending: &PendingDecision, all_staff: &[StaffSummary], places: &PlacesLeft) -> DecisionRow {
    let PendingDecision { decision, first_name, last_name, reference, program, stage, .. } = pending;
    let zone = office.zone();
    let name = format!("{first_name} {last_name}");
    let lacks = Lacks::of_pending(pending);
    let place_left = places.has(*program, decision.intake);
    let facts = ReleaseFacts::by(&office.who.staff, decision, lacks, &office.visit.product, place_left);
    let possible = may_be_released(decision, *stage, office.who.staff.role, facts);
    DecisionRow {
        id: decision.id.clone(),
        href: format!("/admin-panel/applications/{}/decision", decision.application_id),
        name: if name.trim().is_empty() { "Erased".to_owned() } else { name },
        reference: reference.clone().unwrap_or_default(),
        program: super::applications::short(*program),
        stage: stage.label(),
        outcome: outcome_label(decision.ruling.outcome()),
        rejects: decision.ruling.outcome() == Outcome::Reject,
        detail: detail(&decision.ruling),
        waived: decision.waiver.is_some(),
        without_documents: decision.without_documents.is_some(),
        drafted_text: by_whom(all_staff, &decision.drafted_by, &moment::full(decision.drafted_at, zone).to_string()),
        planned_text: decision.planned.as_ref().map(|planned| moment::full(planned.at, zone).to_string()),
        held_until_text: decision.released_at.map(|at| moment::time(at + HOLD, zone)),
        released_text: released_text(office, decision, all_staff),
        problem: possible.err().map(|refused| refused.sentence().to_string()),
        result: None,
        failed: false,
    }
}

/// Describes who released a decision, and when.
pub fn released_text(office: Office<'_>, decision: &Decision, all_staff: &[StaffSummary]) -> Option<String> {
    let when = moment::full(decision.released_at?, office.zone()).to_string();
    Some(match &decision.released_by {
        Some(by) => by_whom(all_staff, by, &when),
        None => format!("The rule for free places, {when}"),
    })
}

/// Describes who did something, and when.
pub fn by_whom(all_staff: &[StaffSummary], id: &str, when: &str) -> String {
    let found = all_staff.iter().find(|one| one.id == id);
    format!("{}, {when}", found.map_or("Somebody who left", |one| one.called()))
}

pub fn outcome_label(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Accept => "Acceptance",
        Outcome::Reject => "Rejection",
    }
}

fn detail(ruling: &Ruling) -> String {
    let letter = ruling.letter().title();
    let more = match ruling {
        Ruling::Accept(acceptance) => match acceptance.conditions.len() {
            0 => "no conditions".to_owned(),
            1 => "1 condition".to_owned(),
            several => format!("{several} conditions"),
        },
        Ruling::Reject(rejection) => match rejection.reasons.len() {
            1 => format!("1 reason, {} told", rejection.shown.len()),
            several => format!("{several} reasons, {} told", rejection.shown.len()),
        },
    };
    format!("{letter}, {more}")
}

fn counted(count: usize) -> String {
    if count == 1 { "1 decision".to_owned() } else { format!("{count} decisions") }
}

async fn respond(office: Office<'_>, form: FormState, step: Option<DecisionStep>, status: StatusCode) -> Response {
    let app = &office.visit.state.app;
    let loaded = async {
        Ok::<_, Error>((app.release_list(office.who).await?, app.all_staff().await?, app.places_left().await?))
    };
    let (list, all_staff, places) = match loaded.await {
        Ok(loaded) => loaded,
        Err(error) => return office.unavailable(&error).await,
    };
    let ReleaseList { drafts, draft_count, held } = list;
    let row = |pending: &PendingDecision| row(office, pending, &all_staff, &places);
    let shown = drafts.len() as i64;
    let props = AdminDecisionsProps {
        more_text: (draft_count > shown).then(|| {
            format!("These are the {shown} oldest of {draft_count}. The others follow when these are released.")
        }),
        drafts: drafts.iter().map(row).collect(),
        held: held.iter().map(row).collect(),
        step,
        zone: office.zone().to_owned(),
        form,
    };
    office.page(Screen::AdminDecisions(Box::new(props)), "Decisions to release", status).await
}
