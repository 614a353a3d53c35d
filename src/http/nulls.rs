//! Where a body may say `null`: only where the description of the API says so. Required fields check this themselves,
//! so only optional ones are looked at here.

use axum::http::Method;
use serde_json::Value;

use super::openapi::{self, DESCRIPTION};
use domain::input::{FieldError, Input};
use domain::text;

/// Returns the errors for values in the body of a call to this route that must not be null.
pub fn refused(method: &Method, route: &str, input: &Input) -> Vec<FieldError> {
    let mut errors = Vec::new();
    // Almost no body has any, and the description is long.
    if has_null(input) {
        let call = openapi::call(method, route);
        look(&[&call["requestBody"]["content"]["application/json"]["schema"]], input, "", &mut errors);
    }
    errors
}

fn has_null(input: &Input) -> bool {
    match input {
        Input::Null => true,
        Input::List(items) => items.iter().any(has_null),
        Input::Map(entries) => entries.iter().any(|(_, value)| has_null(value)),
        Input::Bool(_) | Input::Whole(_) | Input::OtherNumber | Input::Text(_) => false,
    }
}

/// `schemas` are the possible schemas of the value; empty if the description has none.
fn look(schemas: &[&'static Value], input: &Input, path: &str, errors: &mut Vec<FieldError>) {
    let schemas: Vec<&Value> = schemas.iter().flat_map(|schema| variants(schema)).collect();
    match input {
        Input::Null if !schemas.is_empty() && !schemas.iter().any(|schema| allows_null(schema)) => {
            let is_yes_or_no = schemas.iter().all(|schema| schema["type"] == "boolean");
            let message = if is_yes_or_no {
                text!("Answer yes or no.")
            } else {
                text!("Send a value for this, or leave it out.")
            };
            errors.push(FieldError::new(path, format!("{path}.type"), message));
        }
        Input::List(items) => {
            let inner: Vec<&Value> = schemas.iter().filter_map(|schema| schema.get("items")).collect();
            for (at, item) in items.iter().enumerate() {
                look(&inner, item, &format!("{path}.{at}"), errors);
            }
        }
        Input::Map(entries) => {
            for (name, value) in entries {
                let requires = |schema: &&Value| {
                    let names = schema.get("required").and_then(Value::as_array);
                    names.is_some_and(|names| names.iter().any(|one| one == name))
                };
                if *value == Input::Null && schemas.iter().any(requires) {
                    continue;
                }
                let named: Vec<&Value> =
                    schemas.iter().filter_map(|schema| schema.get("properties")?.get(name)).collect();
                let others = || schemas.iter().filter_map(|schema| schema.get("additionalProperties")).collect();
                let inner: Vec<&Value> = if named.is_empty() { others() } else { named };
                let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                look(&inner, value, &path, errors);
            }
        }
        _ => {}
    }
}

/// Returns the schema itself, or those it refers to or is composed of.
fn variants(schema: &'static Value) -> Vec<&'static Value> {
    if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
        return DESCRIPTION.pointer(&reference[1..]).map(variants).unwrap_or_default();
    }
    let parts = ["oneOf", "anyOf", "allOf"].into_iter().filter_map(|of| schema.get(of)?.as_array());
    let parts: Vec<&Value> = parts.flatten().flat_map(variants).collect();
    if parts.is_empty() && schema.is_object() { vec![schema] } else { parts }
}

/// A schema without a type accepts anything.
fn allows_null(schema: &Value) -> bool {
    match &schema["type"] {
        Value::String(kind) => kind == "null",
        Value::Array(kinds) => kinds.iter().any(|kind| kind == "null"),
        _ => schema.get("enum").is_none(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn errors(route: &str, body: Value) -> Vec<String> {
        let errors = refused(&Method::POST, route, &Input::from(body));
        errors.into_iter().map(|error| error.code).collect()
    }

    #[test]
    fn null_is_taken_where_the_description_has_it() {
        let save = "/api/users/application";
        assert_eq!(errors(save, json!({ "applicationType": "ba", "personalInfo": { "state": null } })), [""; 0]);
        assert_eq!(errors(save, json!({ "questionnaire": { "answers": { "why": null } } })), [""; 0]);
        assert_eq!(errors("/api/admins/questionnaires", json!({ "references": null })), [""; 0]);
        assert_eq!(
            errors(
                "/twentyEighty/users/application",
                json!({ "education": null, "employment": { "isCurrentlyEmployed": null } })
            ),
            ["education.type", "employment.isCurrentlyEmployed.type"]
        );
        let employers = json!({ "employment": { "previousEmployers": [{ "name": null }, null] } });
        let expected = ["employment.previousEmployers.0.name.type", "employment.previousEmployers.1.type"];
        assert_eq!(errors(save, employers), expected);
        // Required fields check for themselves, and unknown ones are reported by name.
        assert_eq!(errors("/api/users/register", json!({ "email": null, "unknown": null, "state": null })), [""; 0]);
    }
}
