//! Searching the record of who did what, and which fields go wrong.

use axum::http::StatusCode;
use axum::response::Response;
use serde_json::Value;

use super::Office;
use crate::page::{FormState, Screen, Typed};
use crate::props::office::insight::{AdminAuditProps, AdminFormHealthProps, AuditRow, FieldRow};
use crate::{Form, moment, problem};
use app::Error;
use app::field_errors::SPANS;
use app::office::audit_search::{AuditPage, AuditSearch};
use app::office::dossiers::{act_in_words, stage_of};
use domain::audit::AuditLine;
use domain::task::TaskKind;

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
    AuditRow {
        id: line.id.clone(),
        at_text: moment::full(line.at, office.zone()),
        actor: who(&named(&line.actor)),
        words: act_in_words(&line.action),
        action: line.action.clone(),
        subject: who(&named(&line.subject)),
        subject_href: line.subject.strip_prefix("application:").map(|id| format!("/admin-panel/applications/{id}")),
        detail: detail_in_words(&line.detail, named),
    }
}

/// Names somebody or something without a name by kind and id.
fn who(name: &str) -> String {
    match name.split_once(':') {
        Some((kind, id)) => format!("{} {id}", spaced(kind)),
        None => name.to_owned(),
    }
}

/// Spells `restoredFrom` and `second_person` as words.
fn spaced(name: &str) -> String {
    let mut words = String::new();
    for letter in name.chars() {
        match letter {
            '_' | '-' => words.push(' '),
            letter if letter.is_uppercase() && words.chars().last().is_some_and(char::is_lowercase) => {
                words.push(' ');
                words.extend(letter.to_lowercase());
            }
            letter => words.push(letter),
        }
    }
    words
}

/// Describes what else is recorded: colleagues, stages and tasks by their names.
fn detail_in_words(detail: &Value, named: &dyn Fn(&str) -> String) -> String {
    let in_words = |name: &str, value: &Value| match value {
        Value::String(text) => {
            let stage = stage_of(text);
            let kind = TaskKind::parse(text).filter(|_| name == "kind").map(TaskKind::title);
            let who = named(&format!("staff:{text}"));
            match (stage, kind) {
                (Some(stage), _) => stage.label().to_owned(),
                (_, Some(title)) => title.to_owned(),
                _ if !who.starts_with("staff:") => who,
                _ => text.clone(),
            }
        }
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        Value::Null => "none".to_owned(),
        other => other.to_string(),
    };
    let all = |name: &str, value: &Value| match value {
        Value::Array(values) => values.iter().map(|value| in_words(name, value)).collect::<Vec<_>>().join(", "),
        value => in_words(name, value),
    };
    let entries = detail.as_object().into_iter().flatten();
    entries.map(|(name, value)| format!("{}: {}", spaced(name), all(name, value))).collect::<Vec<_>>().join(" · ")
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use domain::status::Stage;

    #[test]
    fn the_record_is_told_in_words() {
        let named = |who: &str| if who == "staff:s1" { "Demo Owner".to_owned() } else { who.to_owned() };
        let detail = json!({ "from": Stage::Submitted.to_string(), "restoredFrom": null, "owner": "s1", "kind": "alert",
            "about": "alert", "readers": ["s1", "s2"], "kept": true, "revision": 3 });
        assert_eq!(
            detail_in_words(&detail, &named),
            "from: Submitted · restored from: none · owner: Demo Owner · kind: See what has changed · about: alert · \
             readers: Demo Owner, s2 · kept: yes · revision: 3"
        );
        let names = ["system", "staff:s2", "contract_template:ba", "Ann-Marie McDemo", "M26-X6C6"].map(who);
        assert_eq!(names, ["system", "staff s2", "contract template ba", "Ann-Marie McDemo", "M26-X6C6"]);
    }
}
