//! Changes to parts of a user or group (PATCH; RFC 7644, section 3.5.2), applied to its document.

use std::collections::HashSet;

use scim_v2::filter::{AttrExp, AttrPath, CompareOp, PatchPath, PatchValuePath, ValFilter};
use scim_v2::models::errors::ScimType;
use serde_json::Value;

use super::attributes::{elements, elements_mut, get, is_core, is_present, slot, value_of};
use super::filters::element_holds;
use super::problem::ScimProblem;

const READ_ONLY: [&str; 4] = ["id", "meta", "groups", "schemas"];

/// A change at one path.
#[derive(Debug)]
pub struct Operation {
    kind: Kind,
    path: PatchPath,
    /// Null if none was sent.
    value: Value,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Add,
    Replace,
    Remove,
}

/// Reads the operations of a body. One without a path becomes one for each attribute of its value.
pub fn operations(body: &Value) -> Result<Vec<Operation>, ScimProblem> {
    let sent = elements(get(body, "Operations"));
    if sent.is_empty() {
        return Err(ScimProblem::bad(ScimType::InvalidSyntax, "Operations: Say what to change."));
    }
    let mut operations = Vec::new();
    for sent in sent {
        let kind = kind(sent)?;
        let value = get(sent, "value");
        match (get(sent, "path").filter(|path| is_present(path)), value) {
            (Some(path), _) => {
                let path = parsed(path.as_str().unwrap_or_default())?;
                if is_read_only(&path) {
                    return Err(ScimProblem::bad(ScimType::Mutability, format!("{path}: This cannot be changed.")));
                }
                if value.is_none() && kind != Kind::Remove {
                    return Err(ScimProblem::bad(ScimType::InvalidValue, format!("{path}: Send a value for this.")));
                }
                operations.push(Operation { kind, path, value: value.cloned().unwrap_or_default() });
            }
            (None, _) if kind == Kind::Remove => {
                return Err(ScimProblem::bad(ScimType::NoTarget, "path: Say what to remove."));
            }
            (None, Some(Value::Object(attributes))) => {
                for (name, value) in attributes {
                    let path = parsed(name)?;
                    // Okta sends the id with the rest.
                    if !is_read_only(&path) {
                        operations.push(Operation { kind, path, value: value.clone() });
                    }
                }
            }
            (None, _) => {
                let detail = "value: Without a path, this must be an object of attributes.";
                return Err(ScimProblem::bad(ScimType::InvalidValue, detail));
            }
        }
    }
    Ok(operations)
}

fn kind(sent: &Value) -> Result<Kind, ScimProblem> {
    let op = get(sent, "op").and_then(Value::as_str).unwrap_or_default();
    match op.to_ascii_lowercase().as_str() {
        "add" => Ok(Kind::Add),
        "replace" => Ok(Kind::Replace),
        "remove" => Ok(Kind::Remove),
        _ => Err(ScimProblem::bad(ScimType::InvalidSyntax, "op: This must be add, replace or remove.")),
    }
}

fn parsed(path: &str) -> Result<PatchPath, ScimProblem> {
    path.parse().map_err(|_| {
        let shown: String = path.chars().take(100).collect();
        ScimProblem::bad(ScimType::InvalidPath, format!("{shown} is not a valid path."))
    })
}

fn attribute(path: &PatchPath) -> &AttrPath {
    match path {
        PatchPath::Attr(path) => path,
        PatchPath::Value(path) => &path.attr,
    }
}

fn is_read_only(path: &PatchPath) -> bool {
    let path = attribute(path);
    is_core(path) && READ_ONLY.iter().any(|name| name.eq_ignore_ascii_case(&path.name))
}

/// Makes the changes. What we do not keep may be changed too: it is not read afterwards.
pub fn apply(operations: &[Operation], document: &mut Value) -> Result<(), ScimProblem> {
    for Operation { kind, path, value } in operations {
        match path {
            _ if !is_core(attribute(path)) => {}
            PatchPath::Attr(path) => change(*kind, path, value, document),
            PatchPath::Value(path) => change_elements(*kind, path, value, document)?,
        }
    }
    Ok(())
}

fn change(kind: Kind, path: &AttrPath, value: &Value, document: &mut Value) {
    let target = slot(document, &path.name);
    match &path.sub_attr {
        Some(part) => elements_mut(target).iter_mut().for_each(|element| set(kind, slot(element, part), value)),
        None => {
            // One of several that came without a list.
            if kind == Kind::Add && target.is_object() && get(target, "value").is_some() {
                *target = Value::Array(vec![target.take()]);
            }
            set(kind, target, value);
        }
    }
}

/// Changes those of several values that a filter selects.
fn change_elements(kind: Kind, path: &PatchValuePath, value: &Value, document: &mut Value) -> Result<(), ScimProblem> {
    let target = slot(document, &path.attr.name);
    let mut items = match target.take() {
        Value::Null => Vec::new(),
        Value::Array(items) => items,
        single => vec![single],
    };
    let is_meant = |item: &Value| element_holds(&path.filter, item);
    if kind == Kind::Remove && path.sub_attr.is_none() {
        items.retain(|item| !is_meant(item));
    } else {
        // Entra adds an address by setting the value of the one of type work, which there is not yet.
        if kind != Kind::Remove && !items.iter().any(is_meant) {
            items.push(described(&path.filter)?);
        }
        for item in items.iter_mut().filter(|item| is_meant(item)) {
            match &path.sub_attr {
                Some(part) => set(kind, slot(item, part), value),
                None if value.is_object() => set(kind, item, value),
                None => {
                    let detail = format!("{path}: The value must be an object.");
                    return Err(ScimProblem::bad(ScimType::InvalidValue, detail));
                }
            }
        }
    }
    *target = Value::Array(items);
    Ok(())
}

fn set(kind: Kind, target: &mut Value, value: &Value) {
    match (kind, target, value) {
        (Kind::Remove, Value::Array(items), value) => {
            // Entra lists in the value what to remove.
            let gone: HashSet<&str> = elements(Some(value)).iter().filter_map(value_of).collect();
            items.retain(|item| !value.is_null() && value_of(item).is_none_or(|it| !gone.contains(it)));
        }
        (Kind::Remove, target, _) => *target = Value::Null,
        (Kind::Add, Value::Array(items), value) => items.extend_from_slice(elements(Some(value))),
        (_, target, Value::Object(parts)) if target.is_object() => {
            for (name, part) in parts {
                *slot(target, name) = part.clone();
            }
        }
        (_, target, value) => *target = value.clone(),
    }
}

/// Makes the value that a filter describes.
fn described(filter: &ValFilter) -> Result<Value, ScimProblem> {
    let mut element = Value::Null;
    if describe(filter, &mut element) {
        return Ok(element);
    }
    Err(ScimProblem::bad(ScimType::NoTarget, format!("No value matches {filter}.")))
}

fn describe(filter: &ValFilter, element: &mut Value) -> bool {
    match filter {
        ValFilter::Attr(AttrExp::Comparison(path, CompareOp::Eq, value)) => {
            *slot(element, &path.name) = value.to_string().parse().unwrap_or_default();
            true
        }
        ValFilter::And(parts) => parts.iter().all(|part| describe(part, element)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn patched(mut document: Value, sent: Value) -> Result<Value, ScimType> {
        let body = json!({ "schemas": ["urn:ietf:params:scim:api:messages:2.0:PatchOp"], "Operations": sent });
        let outcome = operations(&body).and_then(|operations| apply(&operations, &mut document));
        outcome.map(|()| document).map_err(|problem| problem.kind.expect("a bad request"))
    }

    fn user(sent: Value) -> Result<Value, ScimType> {
        let user = json!({
            "id": "u1",
            "userName": "ada@example.org",
            "name": { "formatted": "Ada Byron", "givenName": "Ada", "familyName": "Byron" },
            "emails": [{ "value": "ada@example.org", "type": "work", "primary": true }],
            "active": true,
        });
        patched(user, sent)
    }

    fn members(sent: Value) -> Result<Value, ScimType> {
        let group = json!({ "id": "g1", "displayName": "Readers", "members": [{ "value": "u1" }, { "value": "u2" }] });
        patched(group, sent).map(|group| group["members"].clone())
    }

    #[test]
    fn entra_changes_a_user() {
        let department = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department";
        let sent = json!([
            { "op": "Replace", "path": "active", "value": "False" },
            { "op": "Add", "path": "displayName", "value": "Ada L." },
            { "op": "Replace", "path": "name.familyName", "value": "Lovelace" },
            { "op": "Replace", "path": "emails[type eq \"work\"].value", "value": "lovelace@example.org" },
            { "op": "Add", "path": "phoneNumbers[type eq \"mobile\"].value", "value": "12" },
            { "op": "Add", "path": department, "value": "x" },
            { "op": "Remove", "path": "name.givenName" },
        ]);
        let expected = json!({
            "id": "u1",
            "userName": "ada@example.org",
            "name": { "formatted": "Ada Byron", "givenName": null, "familyName": "Lovelace" },
            "emails": [{ "value": "lovelace@example.org", "type": "work", "primary": true }],
            "active": "False",
            "displayName": "Ada L.",
            "phoneNumbers": [{ "type": "mobile", "value": "12" }],
        });
        assert_eq!(user(sent), Ok(expected));
    }

    #[test]
    fn names_in_a_value_may_be_paths() {
        let changed = user(json!([{ "op": "replace", "value": {
            "id": "another",
            "USERNAME": "lovelace@example.org",
            "name.givenName": "A.",
            "name": { "familyName": "Lovelace" },
            "emails[type eq \"work\"].value": "lovelace@example.org",
            "urn:ietf:params:scim:schemas:core:2.0:User:active": false,
            "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User": { "department": "x" },
        } }]));
        let expected = json!({
            "id": "u1",
            "userName": "lovelace@example.org",
            "name": { "formatted": "Ada Byron", "givenName": "A.", "familyName": "Lovelace" },
            "emails": [{ "value": "lovelace@example.org", "type": "work", "primary": true }],
            "active": false,
        });
        assert_eq!(changed, Ok(expected));
        assert_eq!(user(json!([{ "op": "replace", "value": { "active": false } }])).unwrap()["active"], false);
    }

    #[test]
    fn what_a_filter_does_not_find_is_made() {
        let without = || json!({ "userName": "ada" });
        let path = "emails[type eq \"work\" and primary eq true].value";
        let changed = patched(without(), json!([{ "op": "add", "path": path, "value": "ada@example.org" }]));
        let email = json!({ "type": "work", "primary": true, "value": "ada@example.org" });
        assert_eq!(changed.unwrap()["emails"], json!([email]));
        let changed = json!([{ "op": "add", "path": "emails[type eq \"work\"]", "value": { "value": "a@b.co" } }]);
        assert_eq!(patched(without(), changed).unwrap()["emails"], json!([{ "type": "work", "value": "a@b.co" }]));
        let unclear = json!([{ "op": "replace", "path": "emails[type ne \"work\"].value", "value": "a@b.co" }]);
        assert_eq!(patched(without(), unclear), Err(ScimType::NoTarget));
        let nothing = json!([{ "op": "remove", "path": "emails[type eq \"home\"]" }]);
        assert!(user(nothing).is_ok());
    }

    #[test]
    fn members_come_and_go() {
        let ids = |members: Value| -> Vec<String> {
            elements(Some(&members)).iter().filter_map(value_of).map(str::to_owned).collect()
        };
        for (sent, expected) in [
            (
                json!({ "op": "Add", "path": "members", "value": [{ "$ref": null, "value": "u3" }] }),
                vec!["u1", "u2", "u3"],
            ),
            (json!({ "op": "add", "path": "members", "value": { "value": "u3" } }), vec!["u1", "u2", "u3"]),
            (json!({ "op": "add", "value": { "members": [{ "value": "u3" }] } }), vec!["u1", "u2", "u3"]),
            (json!({ "op": "Remove", "path": "members", "value": [{ "$ref": null, "value": "u1" }] }), vec!["u2"]),
            (json!({ "op": "remove", "path": "members", "value": [] }), vec!["u1", "u2"]),
            (json!({ "op": "remove", "path": "members[value eq \"u2\"]" }), vec!["u1"]),
            (json!({ "op": "remove", "path": "members[value eq \"u1\" or value eq \"u2\"]" }), vec![]),
            (json!({ "op": "remove", "path": "members[value eq \"u9\"]" }), vec!["u1", "u2"]),
            (json!({ "op": "remove", "path": "members" }), vec![]),
            (json!({ "op": "replace", "path": "members", "value": [{ "value": "u3" }] }), vec!["u3"]),
            (json!({ "op": "replace", "value": { "id": "g1", "members": [] } }), vec![]),
        ] {
            assert_eq!(ids(members(json!([sent])).unwrap()), expected, "{sent}");
        }
        let anew = json!([
            { "op": "replace", "path": "members", "value": { "value": "u3" } },
            { "op": "add", "path": "members", "value": { "value": "u4" } },
        ]);
        assert_eq!(ids(members(anew).unwrap()), ["u3", "u4"]);
        let anew = json!([
            { "op": "remove", "path": "members" },
            { "op": "add", "path": "members", "value": { "value": "u3" } },
            { "op": "add", "path": "members", "value": { "value": "u4" } },
        ]);
        assert_eq!(ids(members(anew).unwrap()), ["u3", "u4"]);
    }

    #[test]
    fn mistakes_are_told_apart() {
        for (sent, expected) in [
            (json!([]), ScimType::InvalidSyntax),
            (json!([{ "op": "move", "path": "active" }]), ScimType::InvalidSyntax),
            (json!([{ "op": "remove" }]), ScimType::NoTarget),
            (json!([{ "op": "remove", "value": { "active": true } }]), ScimType::NoTarget),
            (json!([{ "op": "replace", "path": "emails[", "value": "x" }]), ScimType::InvalidPath),
            (json!([{ "op": "replace", "path": 7, "value": "x" }]), ScimType::InvalidPath),
            (json!([{ "op": "replace", "value": { "emails[type eq work]": "x" } }]), ScimType::InvalidPath),
            (json!([{ "op": "replace", "path": "id", "value": "x" }]), ScimType::Mutability),
            (json!([{ "op": "add", "path": "groups", "value": [{ "value": "g1" }] }]), ScimType::Mutability),
            (json!([{ "op": "replace", "path": "META.created", "value": "x" }]), ScimType::Mutability),
            (json!([{ "op": "replace", "path": "active" }]), ScimType::InvalidValue),
            (json!([{ "op": "replace", "value": "x" }]), ScimType::InvalidValue),
            (json!([{ "op": "add", "path": "emails[type eq \"work\"]", "value": "x" }]), ScimType::InvalidValue),
        ] {
            assert_eq!(user(sent.clone()), Err(expected), "{sent}");
        }
    }
}
