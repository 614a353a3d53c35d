//! The record of who did what, searched; and which fields go wrong.

use axum::http::StatusCode;
use axum::response::Response;

use super::super::page::{FormState, Screen, Typed};
use super::super::props::office::insight::{AdminAuditProps, AdminFormHealthProps, AuditRow, FieldRow};
use super::super::{Form, moment, problem};
use super::Office;
use crate::app::Error;
use crate::app::audit_search::{AuditPage, AuditSearch};
use crate::app::field_errors::SPANS;
use crate::app::ports::AuditLine;

const AUDIT: &str = "/admin-panel/settings/audit";
pub async fn audit(office: Office<'_>, _: &Form) -> Response {
    let visit = office.visit;
    let given = |name: &str| visit.query(name).unwrap_or_default();
    let search = AuditSearch {
        person: given("person"),
        application: given("application"),
        action: given("action"),
        from: given("from"),
        until: given("until"),
        before: given("before"),
    };
    let mut form = FormState::default();
    for (name, value) in [
        ("person", &search.person),
        ("application", &search.application),
        ("action", &search.action),
        ("from", &search.from),
        ("until", &search.until),
    ] {
        form.values.insert(name.to_owned(), Typed::One(value.clone()));
    }
    let (page, status) = match visit.state.app.search_audit(&office.who.staff, &search).await {
        Ok(page) => (Some(page), StatusCode::OK),
        Err(error @ Error::Invalid(_)) => {
            form.errors = Form::default().refused(&error).errors;
            (None, problem::status(&error))
        }
        Err(error) => return office.unavailable(&error).await,
    };
    let next_href = page.as_ref().and_then(AuditPage::next).map(|next| {
        let mut query = url::form_urlencoded::Serializer::new(String::new());
        for (name, value) in &form.values {
            if let Typed::One(value) = value {
                query.append_pair(name, value);
            }
        }
        query.append_pair("before", &next);
        format!("{AUDIT}?{}", query.finish())
    });
    let rows = page.map(|page| {
        let named = |who: &str| page.names.get(who).cloned().unwrap_or_else(|| who.to_owned());
        page.lines.iter().map(|line| row(office, line, &named)).collect()
    });
    let props = AdminAuditProps { rows: rows.unwrap_or_default(), next_href, form };
    office.page(Screen::AdminAudit(Box::new(props)), "Record", status).await
}

fn row(office: Office<'_>, line: &AuditLine, named: &dyn Fn(&str) -> String) -> AuditRow {
    let detail = line.detail.as_object().into_iter().flatten();
    let told = detail.map(|(name, value)| match value.as_str() {
        Some(text) => format!("{name}: {text}"),
        None => format!("{name}: {value}"),
    });
    AuditRow {
        id: line.id.clone(),
        at_text: moment::full(line.at, office.zone()),
        actor: named(&line.actor),
        action: line.action.clone(),
        subject: named(&line.subject),
        subject_href: line.subject.strip_prefix("application:").map(|id| format!("/admin-panel/applications/{id}")),
        detail: told.collect::<Vec<_>>().join(" · "),
    }
}

pub async fn form_health(office: Office<'_>, _: &Form) -> Response {
    let asked = office.visit.query("days").and_then(|days| days.parse::<i64>().ok());
    let days = asked.filter(|days| SPANS.contains(days)).unwrap_or(SPANS[1]);
    let fields = match office.visit.state.app.form_health(&office.who.staff, days).await {
        Ok(fields) => fields,
        Err(error) => return office.unavailable(&error).await,
    };
    let props = AdminFormHealthProps {
        days,
        spans: SPANS.to_vec(),
        fields: fields.into_iter().map(|(path, errors)| FieldRow { path, errors }).collect(),
    };
    office.page(Screen::AdminFormHealth(props), "Form health", StatusCode::OK).await
}
