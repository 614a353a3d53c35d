//! Filters (RFC 7644, section 3.4.2.2), applied to the document of a user or group.

use std::cmp::Ordering;

use jiff::Timestamp;
use scim_v2::filter::{AttrExp, AttrPath, CompValue, CompareOp, Filter, ValFilter};
use serde_json::Value;

use super::attributes::{elements, get, is_core, is_present};

/// Attributes in which upper and lower case differ.
const EXACT: [&str; 3] = ["id", "externalId", "meta"];

/// Whether a document is one of those that a filter asks for.
pub fn holds(filter: &Filter, document: &Value) -> bool {
    match filter {
        Filter::Attr(expression) => is_true(expression, document),
        Filter::ValuePath(path) => {
            is_core(&path.attr)
                && elements(get(document, &path.attr.name)).iter().any(|element| element_holds(&path.filter, element))
        }
        Filter::Not(inner) => !holds(inner, document),
        Filter::And(parts) => parts.iter().all(|part| holds(part, document)),
        Filter::Or(parts) => parts.iter().any(|part| holds(part, document)),
    }
}

/// The same for one value of several, which the filter in brackets is about.
pub fn element_holds(filter: &ValFilter, element: &Value) -> bool {
    match filter {
        ValFilter::Attr(expression) => is_true(expression, element),
        ValFilter::Not(inner) => !element_holds(inner, element),
        ValFilter::And(parts) => parts.iter().all(|part| element_holds(part, element)),
        ValFilter::Or(parts) => parts.iter().any(|part| element_holds(part, element)),
    }
}

fn is_true(expression: &AttrExp, document: &Value) -> bool {
    let (path, operator, wanted) = match expression {
        AttrExp::Present(path) => return !values(document, path).is_empty(),
        AttrExp::Comparison(path, operator, wanted) => (path, operator, wanted),
    };
    let present = values(document, path);
    if *wanted == CompValue::Null {
        return match operator {
            CompareOp::Eq => present.is_empty(),
            CompareOp::Ne => !present.is_empty(),
            _ => false,
        };
    }
    let is_exact = EXACT.iter().any(|name| name.eq_ignore_ascii_case(&path.name));
    let folded = |text: &str| if is_exact { text.to_owned() } else { text.to_lowercase() };
    let found: Vec<String> = present.into_iter().filter_map(as_text).map(|text| folded(&text)).collect();
    let wanted = match wanted {
        CompValue::Str(text) => folded(text),
        other => other.to_string(),
    };
    let is_any = |test: fn(Ordering) -> bool| found.iter().any(|it| test(order(it, &wanted)));
    match operator {
        CompareOp::Eq => is_any(Ordering::is_eq),
        CompareOp::Ne => !is_any(Ordering::is_eq),
        CompareOp::Co => found.iter().any(|it| it.contains(&wanted)),
        CompareOp::Sw => found.iter().any(|it| it.starts_with(&wanted)),
        CompareOp::Ew => found.iter().any(|it| it.ends_with(&wanted)),
        CompareOp::Gt => is_any(Ordering::is_gt),
        CompareOp::Ge => is_any(Ordering::is_ge),
        CompareOp::Lt => is_any(Ordering::is_lt),
        CompareOp::Le => is_any(Ordering::is_le),
    }
}

/// Returns what a document has at a path.
fn values<'a>(document: &'a Value, path: &AttrPath) -> Vec<&'a Value> {
    if !is_core(path) {
        return Vec::new();
    }
    let at = |element: &'a Value| match &path.sub_attr {
        Some(part) => get(element, part),
        None => get(element, "value").or(Some(element)),
    };
    elements(get(document, &path.name)).iter().filter_map(at).filter(|value| is_present(value)).collect()
}

/// Entra compares booleans with text, so everything is compared as text.
fn as_text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Bool(_) | Value::Number(_) => Some(value.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

/// Moments may be written with and without fractions of a second.
fn order(one: &str, other: &str) -> Ordering {
    if one == other {
        return Ordering::Equal;
    }
    match (one.parse::<Timestamp>(), other.parse::<Timestamp>()) {
        (Ok(one), Ok(other)) => one.cmp(&other),
        _ => one.cmp(other),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn is_found(filter: &str) -> bool {
        let user = json!({
            "schemas": ["urn:ietf:params:scim:schemas:core:2.0:User"],
            "id": "u1",
            "externalId": "Ext-7",
            "userName": "Ada@example.org",
            "name": { "givenName": "Ada", "familyName": "Lovelace" },
            "emails": [{ "value": "ada@example.org", "type": "work", "primary": true }],
            "active": true,
            "groups": [{ "value": "g1", "display": "Readers" }, { "value": "g2", "display": "Deans" }],
            "meta": { "lastModified": "2026-11-21T14:02:00.5Z" },
        });
        let filter = filter.parse::<Filter>().unwrap_or_else(|error| panic!("{filter}: {error}"));
        holds(&filter, &user)
    }

    #[test]
    fn documents_are_found_by_filters() {
        for filter in [
            r#"userName eq "ada@EXAMPLE.org""#,
            r#"username Eq "ada@example.org""#,
            r#"urn:ietf:params:scim:schemas:core:2.0:User:userName eq "ada@example.org""#,
            r#"externalId eq "Ext-7""#,
            r#"id eq "u1" and groups eq "g2""#,
            r#"name.familyName co "LOVE""#,
            r#"name.givenName sw "ad" and name.givenName ew "DA""#,
            r#"emails eq "ada@example.org""#,
            r#"emails.value eq "ada@example.org""#,
            r#"emails[type eq "work" and value co "@example"]"#,
            r#"emails[primary eq "True"]"#,
            r#"groups[display eq "deans"]"#,
            r#"groups ne "g3""#,
            "active eq true",
            r#"active eq "True""#,
            "active ne false",
            "name pr and not (title pr)",
            "title eq null and name ne null",
            r#"title ne "Dean""#,
            r#"title eq "Dean" or userName pr"#,
            r#"schemas eq "urn:ietf:params:scim:schemas:core:2.0:User""#,
            r#"meta.lastModified gt "2026-11-21T14:02:00Z""#,
            r#"meta.lastModified le "2026-11-21T15:02:00.500+01:00""#,
        ] {
            assert!(is_found(filter), "{filter}");
        }
    }

    #[test]
    fn others_are_not() {
        for filter in [
            r#"userName eq "ada""#,
            r#"externalId eq "ext-7""#,
            r#"groups eq "g3""#,
            r#"emails[type eq "home"]"#,
            r#"emails[type eq "work" and primary eq false]"#,
            r#"urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:userName eq "ada@example.org""#,
            r#"title eq "Dean""#,
            "nickName pr",
            "userName eq null",
            "active eq false",
            r#"meta.lastModified lt "2026-11-21T14:02:00Z""#,
            r#"not (userName pr)"#,
        ] {
            assert!(!is_found(filter), "{filter}");
        }
    }
}
