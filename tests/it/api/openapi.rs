//! The API's description, and that the API behaves as described.

use std::path::Path;

use matricula::domain::role::Role;
use matricula::http::openapi_json;
use serde_json::{Map, Value, json};

use crate::office::staff_client;
use crate::support::databases::story;
use crate::support::server::World;

/// All calls in the description: method, path, operation.
fn calls(description: &Value) -> Vec<(String, String, Value)> {
    let paths = description["paths"].as_object().unwrap();
    let calls = paths.iter().flat_map(|(path, item)| {
        let operations = item.as_object().unwrap().iter();
        operations.map(move |(method, operation)| (method.to_uppercase(), path.clone(), operation.clone()))
    });
    calls.collect()
}

/// The schema of a call's body.
fn body<'a>(description: &'a Value, operation: &Value) -> Option<&'a Value> {
    let target = operation["requestBody"]["content"]["application/json"]["schema"]["$ref"].as_str()?;
    description.pointer(target.strip_prefix('#')?)
}

#[test]
fn the_committed_description_is_the_one_of_the_code() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/openapi.json");
    let current = openapi_json();
    if std::env::var_os("UPDATE_OPENAPI").is_some() {
        std::fs::write(&path, &current).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        committed == current,
        "docs/openapi.json is stale: run `matricula openapi > docs/openapi.json`, then `node scripts/generate-client.mjs`"
    );
}

#[test]
fn the_description_is_openapi_3_1_and_every_reference_leads_somewhere() {
    fn references(value: &Value, found: &mut Vec<String>) {
        match value {
            Value::Object(map) => {
                found.extend(map.get("$ref").and_then(Value::as_str).map(str::to_owned));
                map.values().for_each(|value| references(value, found));
            }
            Value::Array(items) => items.iter().for_each(|value| references(value, found)),
            _ => {}
        }
    }
    let description: Value = serde_json::from_str(&openapi_json()).unwrap();
    assert!(description["openapi"].as_str().unwrap().starts_with("3.1"));
    let mut found = Vec::new();
    references(&description, &mut found);
    assert!(!found.is_empty());
    for target in found {
        assert!(description.pointer(target.strip_prefix('#').unwrap()).is_some(), "{target}");
    }
    let ids: std::collections::BTreeSet<_> =
        calls(&description).iter().map(|(_, _, operation)| operation["operationId"].to_string()).collect();
    assert_eq!(ids.len(), calls(&description).len());
}

story! {
    async fn every_described_call_is_there(database: Database) {
        let world = World::start(database.db()).await;
        let client = world.visitor();
        let description = client.get("/api/openapi.json").send().await.json();
        assert_eq!(description, serde_json::from_str::<Value>(&openapi_json()).unwrap());
        for (method, path, operation) in calls(&description) {
            let path = path.replace("{id}", "1");
            for path in [path.clone(), path.replacen("/api", "/twentyEighty", 1)] {
                let answer = client.call(&method, &path).json(&json!({})).send().await;
                let needs_login = operation["security"] != json!([{}]);
                assert_eq!(answer.status == 401, needs_login, "{method} {path}: {answer:?}");
                assert!(![404, 405, 500].contains(&answer.status), "{method} {path}: {answer:?}");
            }
        }
    }

    async fn bodies_have_the_described_fields_and_no_others(database: Database) {
        let world = World::start(database.db()).await;
        let (applicant, owner) = (world.register().await, staff_client(&world, Role::Owner).await.client);
        let description: Value = serde_json::from_str(&openapi_json()).unwrap();
        for (method, path, operation) in calls(&description) {
            let Some(schema) = body(&description, &operation) else { continue };
            let client = if path.starts_with("/api/admins/") { &owner } else { &applicant };
            // All described fields, each with a value that none of them accepts, and one undescribed field.
            let mut sent: Map<String, Value> =
                schema["properties"].as_object().unwrap().keys().map(|name| (name.clone(), json!([1]))).collect();
            sent.insert("undescribed".into(), json!(1));
            let answer = client.call(&method, &path).json(&Value::Object(sent)).send().await;
            assert_eq!(answer.status, 422, "{method} {path}: {answer:?}");
            let fields = answer.json()["fields"].as_object().unwrap().clone();
            let unknown: Vec<&String> = fields
                .iter()
                .filter(|(_, sentence)| sentence.as_str().unwrap().starts_with("Unknown field"))
                .map(|(path, _)| path)
                .collect();
            assert_eq!(unknown, ["undescribed"], "{method} {path}: {answer:?}");
            let needed = schema["required"].as_array().is_some_and(|names| !names.is_empty());
            let empty = client.call(&method, &path).json(&json!({})).send().await;
            assert_eq!(empty.code().ends_with(".required"), needed, "{method} {path}: {empty:?}");
        }
    }

    async fn the_docs_page_needs_nothing_from_elsewhere(database: Database) {
        let world = World::start(database.db()).await;
        let answer = world.visitor().get("/api/docs").send().await;
        assert_eq!((answer.status, answer.header("content-type")), (200, "text/html; charset=utf-8"));
        let policy = answer.header("content-security-policy");
        assert!(policy.starts_with("default-src 'none'; style-src 'sha256-"), "{policy}");
        for foreign in ["<script", "http://", "https://", "style=", " src="] {
            assert!(!answer.text.contains(foreign), "{foreign}");
        }
        for (method, path, operation) in calls(&serde_json::from_str(&openapi_json()).unwrap()) {
            assert!(answer.text.contains(&format!("{method} {path}")));
            assert!(answer.text.contains(&format!("id={}", operation["operationId"])));
        }
        // The pages that the `type` of a problem links to.
        for code in ["email.taken", "json.syntax", "application.stale", "invalid"] {
            assert!(answer.text.contains(&format!("id=\"{code}\"")), "{code}");
        }
    }
}
