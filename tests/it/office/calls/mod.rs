//! What the office does by call as its pages do it: the same acts, their conditions, and what is told of them.

mod applications;
mod forms;
mod interviews;
mod lists;
mod notes_and_mails;
mod several;

use serde_json::Value;

use super::Member;
use crate::support::server::{Answer, Client, World};

/// Somebody who has submitted, and their application.
async fn applied(world: &World) -> (Client, String) {
    let client = world.submitted().await;
    let id = client.get("/api/users/application").send().await.json()["id"].as_str().unwrap().to_owned();
    (client, id)
}

/// A call about an application.
fn about(id: &str, rest: &str) -> String {
    format!("/api/admins/applications/{id}{rest}")
}

async fn get(member: &Member, path: &str) -> Answer {
    member.api("GET", path).send().await
}

async fn post(member: &Member, path: &str, body: Value) -> Answer {
    member.api("POST", path).json(&body).send().await
}

/// The body of an answer that is as it should be.
#[track_caller]
fn told(answer: &Answer, status: u16) -> Value {
    assert_eq!(answer.status, status, "{answer:?}");
    if status == 204 { Value::Null } else { answer.json() }
}

/// That a field of the body is refused, in a sentence beside it.
#[track_caller]
fn assert_beside(answer: &Answer, code: &str, field: &str) {
    answer.assert_problem(422, code);
    assert!(answer.json()["fields"][field].is_string(), "{answer:?}");
}
