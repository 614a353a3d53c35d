//! Calls that do the same as the office's pages: the same acts, their conditions, and what they answer.

mod applications;
mod forms;
mod interviews;
mod lists;
mod notes_and_mails;
mod several;

use serde_json::Value;

use super::StaffClient;
use crate::support::server::{Answer, Client, World};

/// An applicant who has submitted, and their application.
async fn applied(world: &World) -> (Client, String) {
    let client = world.submitted().await;
    let id = client.get("/api/users/application").send().await.json()["id"].as_str().unwrap().to_owned();
    (client, id)
}

/// The path of a call about an application.
fn about(id: &str, rest: &str) -> String {
    format!("/api/admins/applications/{id}{rest}")
}

async fn get(member: &StaffClient, path: &str) -> Answer {
    member.api("GET", path).send().await
}

async fn post(member: &StaffClient, path: &str, body: Value) -> Answer {
    member.api("POST", path).json(&body).send().await
}

/// Asserts the status and returns the body, null for a 204.
#[track_caller]
fn json_of(answer: &Answer, status: u16) -> Value {
    assert_eq!(answer.status, status, "{answer:?}");
    if status == 204 { Value::Null } else { answer.json() }
}

/// Asserts that a field of the body is refused, with a sentence for that field.
#[track_caller]
fn assert_beside(answer: &Answer, code: &str, field: &str) {
    answer.assert_problem(422, code);
    assert!(answer.json()["fields"][field].is_string(), "{answer:?}");
}
