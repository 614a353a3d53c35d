//! The tab "Decision": drafting one with its letter, releasing it, and taking it back.

use axum::http::StatusCode;
use axum::response::Response;
use serde::Serialize;

use super::basis::{self, DecisionBasis};
use super::{Opened, done, fresh, instead, open, status};
use crate::admin::Office;
use crate::admin::decisions::{asked_when, by_whom, outcome_label, released_text};
use crate::page::{FormState, Screen, Typed};
use crate::props::office::Choice;
use crate::props::office::dossier::Frame;
use crate::{Form, moment, problem};
use app::applications::acts::Preconditions;
use app::decisions::drafting::{HOLD, Lacks, ReleaseFacts, StaffReason, is_decidable, may_be_released, needs_waiver};
use app::decisions::enrolment::OfferCondition;
use app::decisions::releases::Done;
use app::{Error, Refusal};
use domain::application::ApplicationKey;
use domain::decision::{Decision, DecisionState, Draft, DraftSeen, Letter, Reason, Reasons};
use domain::input::{FieldError, Input};
use domain::intake::Intake;
use domain::permission::Permission;
use domain::sentence::Sentence;
use domain::staff::StaffSummary;
use domain::status::{Guard, Outcome, Refused, Stage};

pub const TAB: &str = "/decision";

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AdminDecisionProps {
    pub frame: Frame,
    pub draft: Option<DecisionView>,
    pub released: Option<DecisionView>,
    /// Decisions that were taken back, newest first.
    pub former: Vec<FormerDecision>,
    /// The page with the conditions of the released decision; null without any.
    pub conditions: Option<ConditionsLink>,
    pub may_draft: bool,
    pub may_release: bool,
    /// Whether the drafted acceptance can be put on the waitlist instead.
    pub may_waitlist: bool,
    /// Whether no place is left for it.
    pub is_full: bool,
    /// Whether no interview was held, so that an acceptance has to say why.
    pub needs_waiver: bool,
    /// The missing documents and references that are required for a decision, as a list in words; null for none.
    pub missing_text: Option<String>,
    pub basis: DecisionBasis,
    /// Null while nothing is edited.
    pub editor: Option<DecisionEditor>,
    /// The letter as it would be.
    pub preview: Option<Vec<String>>,
    pub acts: DecisionActs,
    /// The institute's time zone, IANA.
    pub zone: String,
    /// Identifies the form, so that a double click submits it once.
    pub form_key: String,
    pub form: FormState,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct DecisionView {
    pub id: String,
    /// "Acceptance" or "Rejection".
    pub outcome: &'static str,
    pub edit_href: String,
    pub letter: &'static str,
    /// Of the letter; lines that start with `•` are a list. Null for a role that may not read it.
    pub paragraphs: Option<Vec<String>>,
    pub conditions: Vec<String>,
    pub reasons: Vec<ToldReason>,
    pub intake: String,
    /// Why there was no interview.
    pub waiver: Option<String>,
    /// Why it was decided without required documents.
    pub without_documents: Option<String>,
    pub drafted_text: String,
    /// When the draft is released automatically.
    pub planned_text: Option<String>,
    pub released_text: Option<String>,
    /// Until when it can be recalled; null once it cannot.
    pub held_until_text: Option<Sentence>,
    /// Why a draft cannot be released as it is.
    pub problem: Option<String>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ToldReason {
    pub sentence: String,
    pub told: bool,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct FormerDecision {
    pub id: String,
    pub text: String,
}

/// The page with the conditions, and how many of them are settled.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ConditionsLink {
    pub href: String,
    pub text: String,
}

/// The choices of a draft.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct DraftChoices {
    /// `accept`, `reject`
    #[cfg_attr(test, ts(type = "'accept' | 'reject'"))]
    pub outcome: &'static str,
    pub letters: Vec<Choice>,
    pub reasons: Vec<Choice>,
    pub intakes: Vec<Choice>,
}

/// The form of a draft.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct DecisionEditor {
    #[serde(flatten)]
    pub choices: DraftChoices,
    /// The draft that it replaces; empty for none.
    pub seen: String,
    pub close_href: String,
}

/// What can be done with the released decision.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct DecisionActs {
    pub recall: bool,
    pub reverse: bool,
    pub reopen: bool,
}

pub async fn show(office: Office<'_>, _: &Form) -> Response {
    let form = fresh(office);
    let outcome = office.visit.query("draft").as_deref().and_then(named_outcome);
    respond(office, form, outcome, None, StatusCode::OK).await
}

pub fn named_outcome(name: &str) -> Option<Outcome> {
    match name {
        "accept" => Some(Outcome::Accept),
        "reject" => Some(Outcome::Reject),
        _ => None,
    }
}

fn outcome_name(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Accept => "accept",
        Outcome::Reject => "reject",
    }
}

pub async fn submit(office: Office<'_>, form: &Form) -> Response {
    let Office { visit, who, id } = office;
    let app = &visit.state.app;
    let action = form.get("_action");
    let key = ApplicationKey::Id(id);
    let conditions =
        || Preconditions { expected: form.get("revision").parse().ok(), key: Preconditions::key(form.get("key")) };
    // Nothing is done to an application that does not exist.
    if let Err(error) = app.office_application(who, id, Permission::Decide).await {
        return instead(office, &error).await;
    }
    let outcome = async {
        Ok(match action {
            "save" => {
                let seen = match form.get("seen") {
                    "" => DraftSeen::None,
                    id => DraftSeen::This(id),
                };
                app.draft_decision(&who.staff, key, typed(form, &visit.product.reasons)?, seen).await?;
                "drafted"
            }
            "discard" => {
                app.discard_draft(&who.staff, &draft(office, form).await?).await?;
                "discarded"
            }
            "release" => {
                let when = asked_when(office, form)?;
                match app.release(who, id, form.get("decision"), when, conditions()).await? {
                    Done::Planned => "planned",
                    _ => "released",
                }
            }
            "waitlist" => {
                app.put_on_waitlist(who, id, form.get("decision"), conditions()).await?;
                "waitlisted"
            }
            "unplan" => {
                app.drop_planned_release(&who.staff, &draft(office, form).await?).await?;
                "unplanned"
            }
            "recall" => {
                app.recall_decision(&who.staff, key, conditions()).await?;
                "recalled"
            }
            "reverse" => {
                let reason = StaffReason::parse(Some(&Input::Text(form.get("reason").to_owned())))?;
                app.reverse_decision(&who.staff, key, reason, conditions()).await?;
                "reversed"
            }
            "reopen" => {
                app.reopen_offer(&who.staff, key, conditions()).await?;
                "reopened"
            }
            _ => "",
        })
    };
    if action == "preview" {
        return preview(office, form).await;
    }
    match outcome.await.map_err(Error::for_staff) {
        Ok("") => problem::page(visit, problem::BAD_REQUEST).await,
        Ok(what) => done(office, TAB, form.get("view"), what),
        Err(error @ (Error::Unavailable(_) | Error::Internal(_))) => office.unavailable(&error).await,
        Err(error) => {
            let editing = if action == "save" { named_outcome(form.get("outcome")) } else { None };
            respond(office, form.refused(&error), editing, None, status(&error)).await
        }
    }
}

/// Previews the letter of the draft. Nothing is saved.
async fn preview(office: Office<'_>, form: &Form) -> Response {
    let app = &office.visit.state.app;
    let outcome = named_outcome(form.get("outcome"));
    let written = async {
        let draft = typed(form, &office.visit.product.reasons)?;
        app.preview_decision(&office.who.staff, ApplicationKey::Id(office.id), draft).await
    };
    match written.await.map_err(Error::for_staff) {
        Ok(decision) => respond(office, form.state(), outcome, Some(decision.letter), StatusCode::OK).await,
        Err(error) => respond(office, form.refused(&error), outcome, None, status(&error)).await,
    }
}

/// Returns the decision that a form names, if it is one on this application.
async fn named(office: Office<'_>, form: &Form) -> Result<Decision, Error> {
    office.visit.state.app.decision_on(office.id, form.get("decision")).await
}

/// Returns that decision, if it is still a draft.
async fn draft(office: Office<'_>, form: &Form) -> Result<Decision, Error> {
    let found = named(office, form).await?;
    if found.state == DecisionState::Draft { Ok(found) } else { Err(Refusal::DraftChanged.into()) }
}

/// Reads what was typed by the rules of a draft. Each condition is a line.
pub fn typed(form: &Form, listed: &Reasons) -> Result<Draft, Error> {
    let text = |name: &str| (name.to_owned(), Input::Text(form.get(name).to_owned()));
    let list = |name: &str| {
        let chosen = form.fields().iter().filter(|(field, _)| field == name);
        Input::List(chosen.map(|(_, value)| Input::Text(value.clone())).collect())
    };
    let mut fields = vec![text("outcome"), text("letter"), text("intake"), text("waiver"), text("withoutDocuments")];
    if form.get("outcome") == "reject" {
        // A reason that the letter mentions is one of the reasons.
        let reason_fields = ["reasons", "shownReasons"];
        let reasons = form.fields().iter().filter(|(field, _)| reason_fields.contains(&field.as_str()));
        fields.push(("reasons".into(), Input::List(reasons.map(|(_, value)| Input::Text(value.clone())).collect())));
        fields.push(("shownReasons".into(), list("shownReasons")));
    } else {
        let lines = form.get("conditions").lines().map(str::trim).filter(|line| !line.is_empty());
        fields.push(("conditions".into(), Input::List(lines.map(|line| Input::Text(line.to_owned())).collect())));
    }
    let in_field = |error: FieldError| match error.path.split_once('.') {
        Some((field, _)) => FieldError { path: field.to_owned(), ..error },
        None => error,
    };
    let parsed = Draft::parse(&Input::Map(fields), listed);
    parsed.map_err(|errors| Error::Invalid(errors.into_iter().map(in_field).collect()))
}

async fn respond(
    office: Office<'_>,
    form: FormState,
    editing: Option<Outcome>,
    preview: Option<String>,
    status: StatusCode,
) -> Response {
    let Opened { dossier, frame, .. } = match open(office, TAB).await {
        Ok(opened) => opened,
        Err(response) => return response,
    };
    let app = &office.visit.state.app;
    let decisions = match app.decisions_on(office.id).await {
        Ok(decisions) => decisions,
        Err(error) => return office.unavailable(&error).await,
    };
    let conditions = match app.offer_conditions(office.who, office.id).await {
        Ok(conditions) => conditions_link(&frame, &conditions),
        Err(error) => return office.unavailable(&error).await,
    };
    let basis = match basis::load(office, &dossier, &frame.view).await {
        Ok(basis) => basis,
        Err(error) => return instead(office, &error).await,
    };
    let lacks = Lacks::of(&dossier.listing);
    let places = match app.places_left().await {
        Ok(places) => places,
        Err(error) => return office.unavailable(&error).await,
    };
    let facts = |decision: &Decision| {
        let place_left = places.has(dossier.application.program, decision.intake);
        ReleaseFacts::by(&office.who.staff, decision, lacks, &office.visit.product, place_left)
    };
    let role = office.who.staff.role;
    let (may_draft, may_release) = (role.may(Permission::Decide), role.may(Permission::Release));
    let stage = dossier.application.stage;
    let decidable = is_decidable(stage);
    let possible = |decision: &Decision| may_be_released(decision, stage, role, facts(decision));
    let view = |decision: &Decision| view(office, &frame, decision, possible(decision), &dossier.all_staff);
    let find = |state: DecisionState| decisions.iter().find(|decision| decision.state == state);
    let draft = find(DecisionState::Draft).filter(|_| may_draft);
    let released = find(DecisionState::Released);
    let held = released.and_then(|decision| decision.released_at).is_some_and(|at| office.visit.now() < at + HOLD);
    let stands = matches!(stage, Stage::Offered | Stage::Rejected);
    // Whether a place is left is the last guard of an offer, and the only one that the waitlist does not have.
    let accepts = draft.filter(|draft| draft.ruling.outcome() == Outcome::Accept);
    let release = accepts.filter(|_| may_release && decidable).map(possible);
    let is_full = release == Some(Err(Refused::Unmet(Guard::PlaceLeft)));
    let editing = editing.filter(|_| may_draft && decidable);
    let mut form = form;
    if let Some(outcome) = editing
        && !form.values.contains_key("outcome")
    {
        // A new draft starts with what was recalled or reversed.
        let begun = draft.or_else(|| decisions.first()).filter(|decision| decision.ruling.outcome() == outcome);
        prefill(&mut form, outcome, begun);
    }
    let props = AdminDecisionProps {
        draft: draft.map(view),
        released: released.map(view),
        former: decisions.iter().filter_map(|decision| former(office, decision, &dossier.all_staff)).collect(),
        conditions,
        may_draft: may_draft && decidable,
        may_release: may_release && decidable,
        may_waitlist: stage != Stage::Waitlisted && (is_full || release == Some(Ok(()))),
        is_full,
        needs_waiver: needs_waiver(stage),
        missing_text: missing(&basis),
        basis,
        editor: editing.map(|outcome| editor(office, &frame, outcome, draft)),
        preview: preview.as_deref().map(paragraphs),
        acts: DecisionActs {
            recall: may_release && stands && held,
            reverse: may_draft && stands && !held,
            reopen: may_release && stage == Stage::Lapsed,
        },
        zone: office.zone().to_owned(),
        form_key: app.random.id(),
        frame,
        form,
    };
    let title = format!("Decision: {}", props.frame.name);
    office.page(Screen::AdminDecision(Box::new(props)), &title, status).await
}

/// Lists the missing documents and references: “Proof of identity, Résumé or CV, 1 reference”
fn missing(basis: &DecisionBasis) -> Option<String> {
    let documents = basis.documents.iter().filter(|document| document.is_missing);
    let mut labels: Vec<String> = documents.map(|document| document.label.clone()).collect();
    match basis.references.as_ref().map_or(0, |references| references.missing) {
        0 => {}
        1 => labels.push("1 reference".to_owned()),
        missing => labels.push(format!("{missing} references")),
    }
    (!labels.is_empty()).then(|| labels.join(", "))
}

fn conditions_link(frame: &Frame, conditions: &[OfferCondition]) -> Option<ConditionsLink> {
    let settled = conditions.iter().filter(|condition| condition.is_settled()).count();
    (!conditions.is_empty()).then(|| ConditionsLink {
        href: super::href(&frame.id, super::conditions::TAB, &frame.view),
        text: format!("{settled} of {} met or waived", conditions.len()),
    })
}

fn prefill(form: &mut FormState, outcome: Outcome, begun: Option<&Decision>) {
    let mut set = |name: &str, value: Typed| form.values.insert(name.to_owned(), value);
    set("outcome", Typed::One(outcome_name(outcome).to_owned()));
    let Some(decision) = begun else { return };
    let named = |only_shown: bool| {
        let reasons = decision.ruling.reasons().into_iter().filter(|(_, shown)| !only_shown || *shown);
        reasons.map(|(reason, _)| reason.as_str().to_owned()).collect::<Vec<_>>()
    };
    let lines: Vec<String> = decision.ruling.conditions().iter().map(|line| line.replace('\n', " ")).collect();
    set("letter", Typed::One(decision.ruling.letter().as_str().to_owned()));
    set("intake", Typed::One(decision.intake.code()));
    set("waiver", Typed::One(decision.waiver.clone().unwrap_or_default()));
    set("withoutDocuments", Typed::One(decision.without_documents.clone().unwrap_or_default()));
    set("conditions", Typed::One(lines.join("\n")));
    set("shownReasons", Typed::Several(named(true)));
    set("reasons", Typed::Several(named(false)));
}

pub fn paragraphs(letter: &str) -> Vec<String> {
    letter.split("\n\n").map(str::to_owned).collect()
}

fn href(frame: &Frame, outcome: Outcome) -> String {
    let path = super::href(&frame.id, TAB, &frame.view);
    let sign = if path.contains('?') { '&' } else { '?' };
    format!("{path}{sign}draft={}", outcome_name(outcome))
}

fn view(
    office: Office<'_>,
    frame: &Frame,
    decision: &Decision,
    possible: Result<(), Refused>,
    all_staff: &[StaffSummary],
) -> DecisionView {
    let zone = office.zone();
    let role = office.who.staff.role;
    let held = decision.released_at.map(|at| at + HOLD).filter(|until| office.visit.now() < *until);
    let refused = possible.err().filter(|_| decision.state == DecisionState::Draft);
    let may_read = role.may(Permission::PersonalData);
    let reasons = decision.ruling.reasons().into_iter().filter(|_| may_read);
    let sentence = |reason: &Reason| office.visit.product.reasons.sentence(reason).to_string();
    DecisionView {
        id: decision.id.clone(),
        outcome: outcome_label(decision.ruling.outcome()),
        edit_href: href(frame, decision.ruling.outcome()),
        letter: decision.ruling.letter().title(),
        paragraphs: may_read.then(|| paragraphs(&decision.letter)),
        conditions: if may_read { decision.ruling.conditions().to_vec() } else { Vec::new() },
        reasons: reasons.map(|(reason, shown)| ToldReason { sentence: sentence(&reason), told: shown }).collect(),
        intake: decision.intake.name().to_string(),
        waiver: decision.waiver.clone().filter(|_| may_read),
        without_documents: decision.without_documents.clone().filter(|_| may_read),
        drafted_text: by_whom(all_staff, &decision.drafted_by, &moment::full(decision.drafted_at, zone).to_string()),
        planned_text: decision.planned.as_ref().map(|planned| moment::full(planned.at, zone).to_string()),
        released_text: released_text(office, decision, all_staff),
        held_until_text: held.map(|until| moment::time(until, zone)),
        problem: refused.map(|refused| refused.sentence().to_string()),
    }
}

/// Describes a decision that no longer stands in one line. Replaced drafts are left out.
fn former(office: Office<'_>, decision: &Decision, all_staff: &[StaffSummary]) -> Option<FormerDecision> {
    let state = match decision.state {
        DecisionState::Recalled => "recalled before the applicant knew",
        DecisionState::Reversed => "reversed afterwards",
        DecisionState::Draft | DecisionState::Replaced | DecisionState::Released => return None,
    };
    let released = released_text(office, decision, all_staff)?;
    let outcome = outcome_label(decision.ruling.outcome());
    let text = format!("{outcome}, released by {released}; {state}");
    Some(FormerDecision { id: decision.id.clone(), text })
}

fn editor(office: Office<'_>, frame: &Frame, outcome: Outcome, draft: Option<&Decision>) -> DecisionEditor {
    DecisionEditor {
        choices: choices(office, outcome),
        seen: draft.map(|draft| draft.id.clone()).unwrap_or_default(),
        close_href: super::href(&frame.id, TAB, &frame.view),
    }
}

pub fn choices(office: Office<'_>, outcome: Outcome) -> DraftChoices {
    let today = moment::date(office.visit.now(), office.zone());
    let choice = |value: &str, label: &str| Choice { value: value.to_owned(), label: label.to_owned() };
    let reasons = &office.visit.product.reasons;
    DraftChoices {
        outcome: outcome_name(outcome),
        // Leaves out letters about the other outcome.
        letters: Letter::all()
            .filter(|letter| letter.outcome() == outcome)
            .map(|letter| choice(letter.as_str(), letter.title()))
            .collect(),
        reasons: reasons.offered().map(|it| choice(it.reason.as_str(), &it.sentence.to_string())).collect(),
        intakes: Intake::within(today, 24)
            .into_iter()
            .map(|intake| choice(&intake.code(), &intake.name().to_string()))
            .collect(),
    }
}
