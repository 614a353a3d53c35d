//! The conditions of an offer, and the verdict on each.

use axum::http::StatusCode;
use axum::response::Response;
use serde::Serialize;

use super::{Opened, address, applications, done, fresh, href, instead, open, status};
use crate::admin::Office;
use crate::admin::decisions::by_whom;
use crate::page::{FormState, Screen};
use crate::props::office::Choice;
use crate::props::office::dossier::Frame;
use crate::{Form, moment};
use app::decisions::enrolment::OfferCondition;
use app::{Error, Refusal};
use domain::decision::{ConditionState, ConditionVerdict};
use domain::input::Input;
use domain::permission::Permission;
use domain::staff::StaffSummary;

pub(super) const TAB: &str = "/conditions";

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AdminConditionsProps {
    pub frame: Frame,
    pub conditions: Vec<ConditionView>,
    /// The condition that the form is about.
    pub judging: Option<Judging>,
    pub form: FormState,
}

/// A condition of an offer, and the verdict on it.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ConditionView {
    pub number: i64,
    pub text: String,
    /// `open`, or as in [`ConditionState`]
    #[cfg_attr(test, ts(type = "'open' | 'met' | 'waived' | 'failed'"))]
    pub state: &'static str,
    pub word: &'static str,
    pub note: Option<String>,
    /// By whom and when.
    pub judged_text: Option<String>,
    /// Null for users who may not.
    pub judge_href: Option<String>,
}

/// The form about one condition.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Judging {
    pub number: i64,
    pub text: String,
    pub state: &'static str,
    pub note: String,
    /// The revision that the user has seen.
    pub seen: i64,
    pub states: Vec<Choice>,
    pub close_href: String,
}

pub async fn show(office: Office<'_>, _: &Form) -> Response {
    let number = office.visit.query("number").and_then(|number| number.parse().ok());
    respond(office, fresh(office), number, StatusCode::OK).await
}

pub async fn submit(office: Office<'_>, form: &Form) -> Response {
    let app = &office.visit.state.app;
    let number = form.get("number").parse();
    let judged = async {
        let verdict = ConditionVerdict::parse(&Input::Map(form.input(&["state", "note"])))?;
        let number = number.clone().map_err(|_| Refusal::NoSuchCondition)?;
        let seen = form.get("seen").parse().map_err(|_| Refusal::ConditionChanged)?;
        app.judge_condition(office.who, office.id, number, &verdict, seen).await
    };
    match judged.await {
        Ok(()) => done(office, TAB, form.get("view"), "condition"),
        Err(error @ (Error::Refused(Refusal::ApplicationNotFound) | Error::Unavailable(_) | Error::Internal(_))) => {
            instead(office, &error).await
        }
        Err(error) => respond(office, form.refused(&error), number.ok(), status(&error)).await,
    }
}

async fn respond(office: Office<'_>, form: FormState, number: Option<i64>, status: StatusCode) -> Response {
    let Opened { dossier, frame, .. } = match open(office, TAB).await {
        Ok(opened) => opened,
        Err(response) => return response,
    };
    let conditions = match office.visit.state.app.offer_conditions(office.who, office.id).await {
        Ok(conditions) => conditions,
        Err(error) => return instead(office, &error).await,
    };
    let may_judge = office.who.staff.role.may(Permission::Decide);
    let judging = conditions.iter().find(|condition| may_judge && Some(condition.number) == number);
    let props = AdminConditionsProps {
        judging: judging.map(|condition| judging_of(condition, &frame)),
        conditions: conditions.iter().map(|one| view(office, one, &frame, &dossier.all_staff)).collect(),
        frame,
        form,
    };
    let title = format!("Conditions: {}", props.frame.name);
    office.page(Screen::AdminConditions(Box::new(props)), &title, status).await
}

fn judging_of(condition: &OfferCondition, frame: &Frame) -> Judging {
    let verdict = condition.judged.as_ref().map(|judged| &judged.verdict);
    Judging {
        number: condition.number,
        text: condition.text.clone(),
        state: verdict.map_or(ConditionState::Met, |verdict| verdict.state).as_str(),
        note: verdict.map(|verdict| verdict.note.clone()).unwrap_or_default(),
        seen: condition.revision(),
        states: ConditionState::ALL
            .into_iter()
            .map(|state| Choice { value: state.as_str().to_owned(), label: state.label().to_owned() })
            .collect(),
        close_href: href(&frame.id, TAB, &frame.view),
    }
}

fn view(office: Office<'_>, condition: &OfferCondition, frame: &Frame, all_staff: &[StaffSummary]) -> ConditionView {
    let judged = condition.judged.as_ref();
    let (state, word) = match judged {
        Some(judged) => (judged.verdict.state.as_str(), judged.verdict.state.label()),
        None => ("open", "Open"),
    };
    let number = condition.number;
    let when = |at| moment::full(at, office.zone()).to_string();
    let address = address(
        &format!("{}/{}{TAB}", applications::PATH, frame.id),
        &[("view", &frame.view), ("number", &number.to_string())],
    );
    ConditionView {
        number,
        text: condition.text.clone(),
        state,
        word,
        note: judged.map(|judged| judged.verdict.note.clone()),
        judged_text: judged.map(|judged| by_whom(all_staff, &judged.judged_by, &when(judged.judged_at))),
        judge_href: office.who.staff.role.may(Permission::Decide).then(|| format!("{address}#judge")),
    }
}
