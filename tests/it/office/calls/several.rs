//! Acts on several applications by call: reviewed, which changes nothing, and done, each application independently.

use matricula::domain::role::Role;
use serde_json::{Value, json};

use super::{about, applied, assert_beside, get, json_of, post};
use crate::office::{StaffClient, staff_client};
use crate::support::databases::story;
use crate::support::server::{Answer, PASSWORD, World};

fn bulk(act: &str) -> String {
    format!("/api/admins/bulk/{act}")
}

async fn keyed(member: &StaffClient, act: &str, key: &str, body: &Value) -> Answer {
    member.api("POST", &bulk(act)).header("idempotency-key", key).json(body).send().await
}

/// An application's outcome, and the reason.
fn row(result: &Value, id: &str) -> (String, Value) {
    let rows = result["applications"].as_array().unwrap();
    let row = rows.iter().find(|row| row["id"] == id).unwrap_or_else(|| panic!("{id} is not in {rows:?}"));
    (row["outcome"].as_str().unwrap().to_owned(), row["code"].clone())
}

fn is(outcome: &str, code: Value) -> (String, Value) {
    (outcome.to_owned(), code)
}

fn with(body: &Value, name: &str, value: Value) -> Value {
    let mut body = body.clone();
    body[name] = value;
    body
}

story! {
    async fn several_are_assigned_and_tagged_by_call(database: Database) {
        let world = World::start(database.db()).await;
        let ((_, one), (_, two)) = (applied(&world).await, applied(&world).await);
        let reviewer = staff_client(&world, Role::Reviewer).await;
        let ids = json!([one, two, "nowhere", one]);
        let assign = json!({ "applications": ids, "owner": reviewer.staff.id });
        let look = json_of(&post(&reviewer, &bulk("assign/look"), assign.clone()).await, 200);
        assert_eq!(look["applications"].as_array().unwrap().len(), 3, "each is named once: {look}");
        assert_eq!((row(&look, &one), row(&look, "nowhere")), (is("ready", Value::Null), is("failed", json!("application.not_found"))));
        assert_eq!(json_of(&get(&reviewer, &about(&one, "")).await, 200)["owner"], Value::Null, "looking changes nothing");
        for outcome in ["done", "unchanged"] {
            let done = json_of(&post(&reviewer, &bulk("assign"), assign.clone()).await, 200);
            assert_eq!((row(&done, &one), row(&done, "nowhere")), (is(outcome, Value::Null), is("failed", json!("application.not_found"))));
            assert_eq!(done["applications"][0]["firstName"], "Demo");
        }
        assert_eq!(json_of(&get(&reviewer, &about(&two, "")).await, 200)["owner"], reviewer.staff.id);
        post(&reviewer, &bulk("assign"), with(&assign, "owner", json!("nobody-here"))).await.assert_problem(404, "staff.not_found");
        json_of(&post(&reviewer, &bulk("assign"), with(&assign, "owner", json!("nobody"))).await, 200);
        assert_eq!(json_of(&get(&reviewer, &about(&two, "")).await, 200)["owner"], Value::Null);
        assert_beside(&post(&reviewer, &bulk("assign"), json!({ "owner": "nobody" })).await, "applications.required", "applications");

        let tag = json!({ "applications": [one, two], "tag": "Spring" });
        assert_eq!(row(&json_of(&post(&reviewer, &bulk("tag/look"), tag.clone()).await, 200), &one).0, "ready");
        assert_eq!(row(&json_of(&post(&reviewer, &bulk("tag"), tag.clone()).await, 200), &one).0, "done");
        assert_eq!(json_of(&get(&reviewer, &about(&one, "")).await, 200)["tags"], json!(["spring"]));
        json_of(&post(&reviewer, &bulk("tag"), with(&tag, "remove", json!(true))).await, 200);
        assert_eq!(json_of(&get(&reviewer, &about(&one, "")).await, 200)["tags"], json!([]));
        assert_beside(&post(&reviewer, &bulk("tag"), with(&tag, "tag", json!("a:b"))).await, "tag.invalid", "tag");
        let many: Vec<String> = (0..101).map(|number| number.to_string()).collect();
        assert_beside(&post(&reviewer, &bulk("tag"), with(&tag, "applications", json!(many))).await, "applications.range", "applications");
        let viewer = staff_client(&world, Role::Viewer).await;
        post(&viewer, &bulk("tag"), tag).await.assert_problem(403, "role.forbidden");
    }

    async fn several_are_written_to_by_call(database: Database) {
        let world = World::start(database.db()).await;
        let ((ada, one), (ben, two)) = (applied(&world).await, applied(&world).await);
        let reviewer = staff_client(&world, Role::Reviewer).await;
        let close = json!({ "currentPassword": PASSWORD, "confirm": true });
        assert_eq!(ben.post("/api/users/close-account").json(&close).send().await.status, 204);
        let mail = json!({ "applications": [one, two], "subject": "About {reference}", "text": "Dear {firstName}." });
        let look = json_of(&post(&reviewer, &bulk("mail/look"), mail.clone()).await, 200);
        assert_eq!((row(&look, &one), row(&look, &two)), (is("ready", Value::Null), is("failed", json!("applicant.closed"))));
        let samples = look["samples"].as_array().unwrap();
        assert_eq!((samples.len(), &samples[0]["name"]), (1, &json!("Demo Sample")));
        assert!(samples[0]["text"].as_str().unwrap().contains("Dear Demo."), "{samples:?}");
        let sent = async || database.texts("SELECT id FROM outbox WHERE template = 'from-office'").await.len();
        assert_eq!(sent().await, 0, "looking sends nothing");
        assert_beside(&post(&reviewer, &bulk("mail"), mail.clone()).await, "count.other", "count");
        let mail = with(&mail, "count", json!(2));
        for outcome in ["done", "unchanged"] {
            let done = json_of(&keyed(&reviewer, "mail", "once", &mail).await, 200);
            assert_eq!((row(&done, &one), row(&done, &two)), (is(outcome, Value::Null), is("failed", json!("applicant.closed"))));
        }
        assert_eq!(sent().await, 1);
        // A key belongs to its sender.
        let other = staff_client(&world, Role::Decider).await;
        assert_eq!(row(&json_of(&keyed(&other, "mail", "once", &mail).await, 200), &one).0, "done");
        let reference = json_of(&get(&reviewer, &about(&one, "")).await, 200)["reference"].as_str().unwrap().to_owned();
        let messages = ada.get("/api/users/messages").send().await.json()["messages"].clone();
        assert_eq!(messages[0]["subject"], format!("About {reference}"));
        assert_beside(&post(&reviewer, &bulk("mail/look"), with(&mail, "subject", json!("{nickname}"))).await, "subject.field", "subject");
        let interviewer = staff_client(&world, Role::Interviewer).await;
        post(&interviewer, &bulk("mail"), mail).await.assert_problem(403, "role.forbidden");
    }

    async fn several_are_asked_for_a_document_by_call(database: Database) {
        let world = World::start(database.db()).await;
        let ((_, one), (_, two)) = (applied(&world).await, applied(&world).await);
        let reviewer = staff_client(&world, Role::Reviewer).await;
        let waive = json!({ "decision": "waive", "reason": "Known to us" });
        json_of(&post(&reviewer, &about(&two, "/documents/identity"), waive).await, 204);
        let ask = json!({ "applications": [one, two], "document": "identity", "text": "Both sides, please.", "dueOn": "2026-06-01" });
        let look = json_of(&post(&reviewer, &bulk("ask/look"), ask.clone()).await, 200);
        assert_eq!((row(&look, &one), row(&look, &two)), (is("ready", Value::Null), is("failed", json!("document.waived"))));
        assert!(look["samples"][0]["text"].as_str().unwrap().contains("Both sides, please."), "{look}");
        assert_beside(&post(&reviewer, &bulk("ask"), with(&ask, "count", json!(1))).await, "count.other", "count");
        let bad = with(&with(&ask, "document", json!("passport")), "dueOn", json!("2026-05-04"));
        assert_beside(&post(&reviewer, &bulk("ask/look"), bad).await, "document.required", "dueOn");
        let ask = with(&ask, "count", json!(2));
        for outcome in ["done", "unchanged"] {
            let done = json_of(&keyed(&reviewer, "ask", "once", &ask).await, 200);
            assert_eq!((row(&done, &one), row(&done, &two)), (is(outcome, Value::Null), is("failed", json!("document.waived"))));
        }
        assert_eq!(database.texts("SELECT id FROM outbox WHERE template = 'document-asked'").await.len(), 1);
        let finance = staff_client(&world, Role::Finance).await;
        post(&finance, &bulk("ask"), ask).await.assert_problem(403, "role.forbidden");
    }

    async fn several_are_decided_about_in_draft_by_call(database: Database) {
        let world = World::start(database.db()).await;
        let ((_, one), (_, two)) = (applied(&world).await, applied(&world).await);
        let (decider, other) = (staff_client(&world, Role::Decider).await, staff_client(&world, Role::Decider).await);
        let accept = json!({ "outcome": "accept", "letter": "offer", "withoutDocuments": "Seen on paper", "conditions": ["A diploma"] });
        json_of(&post(&other, &about(&two, "/decision"), accept.clone()).await, 200);
        let draft = with(&accept, "applications", json!([one, two, "nowhere"]));
        let look = json_of(&post(&decider, &bulk("draft/look"), draft.clone()).await, 200);
        // It can be drafted, with a note that it cannot be released without an interview or a reason.
        let (outcome, why) = row(&look, &one);
        assert!(outcome == "ready" && why.is_string(), "{look}");
        assert_eq!((row(&look, &two), row(&look, "nowhere")), (is("failed", json!("decision.changed")), is("failed", json!("application.not_found"))));
        let sample = &look["samples"][0];
        assert!(sample["subject"].is_null() && sample["text"].as_str().unwrap().contains("A diploma"), "{look}");
        let drafts = async || database.texts("SELECT id FROM decisions WHERE state = 'draft'").await.len();
        assert_eq!(drafts().await, 1, "looking drafts nothing");
        for _ in 0..2 {
            let done = json_of(&post(&decider, &bulk("draft"), draft.clone()).await, 200);
            assert_eq!((row(&done, &one), row(&done, &two)), (is("done", Value::Null), is("failed", json!("decision.changed"))));
        }
        assert_eq!(drafts().await, 2);
        assert_beside(&post(&decider, &bulk("draft"), with(&draft, "letter", json!("no_place"))).await, "decision.letter", "letter");
        let reviewer = staff_client(&world, Role::Reviewer).await;
        post(&reviewer, &bulk("draft"), draft).await.assert_problem(403, "role.forbidden");
    }
}
