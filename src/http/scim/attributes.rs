//! Attributes of a document. Their names may be in any case.

use std::slice;

use scim_v2::filter::AttrPath;
use scim_v2::models::errors::ScimType;
use serde_json::Value;

use super::problem::ScimProblem;

/// What the schemas of users and groups begin with.
const CORE: &str = "urn:ietf:params:scim:schemas:core:2.0";

pub fn get<'a>(document: &'a Value, name: &str) -> Option<&'a Value> {
    document.as_object()?.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value)
}

/// Returns the place of an attribute, which holds null if there was none.
pub fn slot<'a>(document: &'a mut Value, name: &str) -> &'a mut Value {
    if !document.is_object() {
        *document = Value::Null;
    }
    let known = document.as_object().and_then(|map| map.keys().find(|key| key.eq_ignore_ascii_case(name)));
    let key = known.cloned().unwrap_or_else(|| name.to_owned());
    &mut document[key]
}

/// Returns the values of an attribute that may have several.
pub fn elements(value: Option<&Value>) -> &[Value] {
    match value {
        None | Some(Value::Null) => &[],
        Some(Value::Array(items)) => items,
        Some(single) => slice::from_ref(single),
    }
}

pub fn elements_mut(value: &mut Value) -> &mut [Value] {
    match value {
        Value::Array(items) => items,
        single => slice::from_mut(single),
    }
}

/// Returns what identifies a value among several: a member's id, an address.
pub fn value_of(element: &Value) -> Option<&str> {
    element.as_str().or_else(|| get(element, "value")?.as_str())
}

pub fn is_present(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::String(text) => !text.is_empty(),
        Value::Array(items) => !items.is_empty(),
        Value::Object(attributes) => !attributes.is_empty(),
        Value::Bool(_) | Value::Number(_) => true,
    }
}

/// Whether a path is not into an extension. We keep none of them.
pub fn is_core(path: &AttrPath) -> bool {
    let begins = |uri: &str| uri.get(..CORE.len()).is_some_and(|start| start.eq_ignore_ascii_case(CORE));
    path.uri.as_deref().is_none_or(begins)
}

/// Reads a text; none if it is missing or blank.
pub fn text(document: &Value, name: &str) -> Result<Option<String>, ScimProblem> {
    match get(document, name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone()).filter(|text| !text.trim().is_empty())),
        Some(_) => Err(ScimProblem::bad(ScimType::InvalidValue, format!("{name}: This must be text."))),
    }
}

/// Reads yes or no, which Entra writes as text.
pub fn boolean(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(yes) => Some(*yes),
        Value::String(text) => text.to_ascii_lowercase().parse().ok(),
        _ => None,
    }
}
