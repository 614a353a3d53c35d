//! One application by call: acts of the table, its owner, documents, duplicates, and its record.

use matricula::domain::role::Role;
use serde_json::{Value, json};

use super::{about, applied, assert_beside, get, json_of, post};
use crate::api::documents;
use crate::office::{StaffClient, staff_client};
use crate::support::databases::story;
use crate::support::files::pdf;
use crate::support::server::{Answer, World};

async fn bare(member: &StaffClient, path: &str) -> Answer {
    member.api("POST", path).send().await
}

story! {
    async fn changes_are_asked_for_and_an_application_is_withdrawn_by_call(database: Database) {
        let world = World::start(database.db()).await;
        let (ada, id) = applied(&world).await;
        let reviewer = staff_client(&world, Role::Reviewer).await;
        let seen = get(&reviewer, &about(&id, "")).await.header("etag").to_owned();
        let asking = about(&id, "/request-changes");
        assert_beside(&post(&reviewer, &asking, json!({})).await, "sections.required", "dueOn");
        let asked = json!({ "sections": ["education"], "message": "Please add your degree.", "dueOn": "2030-01-31" });
        for _ in 0..2 {
            let call = reviewer.api("POST", &asking).header("if-match", &seen).header("idempotency-key", "once");
            assert_eq!(json_of(&call.json(&asked).send().await, 200)["stage"], "changes");
        }
        assert_eq!(database.texts("SELECT id FROM outbox WHERE template = 'changes-requested'").await.len(), 1);
        let withdrawing = about(&id, "/withdraw");
        let stale = reviewer.api("POST", &withdrawing).header("if-match", &seen).json(&json!({ "reason": "x" })).send().await;
        stale.assert_problem(412, "application.stale");
        let dropped = bare(&reviewer, &about(&id, "/drop-changes")).await;
        assert_eq!(json_of(&dropped, 200)["stage"], "submitted");
        assert_ne!(dropped.header("etag"), seen);
        bare(&reviewer, &about(&id, "/drop-changes")).await.assert_problem(409, "status.transition");

        assert_beside(&post(&reviewer, &withdrawing, json!({ "reason": " " })).await, "reason.required", "reason");
        assert_eq!(json_of(&post(&reviewer, &withdrawing, json!({ "reason": "By phone" })).await, 200)["status"], "none");
        assert_eq!(json_of(&bare(&reviewer, &about(&id, "/undo-withdraw")).await, 200)["stage"], "submitted");
        assert_eq!(ada.get("/api/users/application").send().await.json()["stage"], "submitted");
        assert_beside(&post(&reviewer, &about(&id, "/resume"), json!({})).await, "rechecked.required", "rechecked");
        post(&reviewer, &about(&id, "/resume"), json!({ "rechecked": true })).await.assert_problem(409, "status.transition");
        let interviewer = staff_client(&world, Role::Interviewer).await;
        post(&interviewer, &withdrawing, json!({ "reason": "x" })).await.assert_problem(403, "role.forbidden");
        bare(&reviewer, &about("nowhere", "/drop-changes")).await.assert_problem(404, "application.not_found");
    }

    async fn an_application_is_handed_over_and_tagged_by_call(database: Database) {
        let world = World::start(database.db()).await;
        let (_, id) = applied(&world).await;
        let (one, two) = (staff_client(&world, Role::Reviewer).await, staff_client(&world, Role::Owner).await);
        let all_staff = json_of(&get(&one, "/api/admins/colleagues").await, 200)["colleagues"].clone();
        let listed = |member: &StaffClient| all_staff.as_array().unwrap().iter().any(|one| one["id"] == member.staff.id);
        assert!(listed(&one) && listed(&two), "{all_staff}");
        let to = about(&id, "/owner");
        let give = |owner: &str| json!({ "owner": owner, "seen": "nobody" });
        json_of(&post(&one, &to, give(&one.staff.id)).await, 204);
        // The second one last saw it without an owner.
        post(&two, &to, give(&two.staff.id)).await.assert_problem(412, "application.stale");
        json_of(&post(&one, &to, give(&one.staff.id)).await, 204);
        assert_eq!(json_of(&get(&one, &about(&id, "")).await, 200)["owner"], one.staff.id);
        json_of(&post(&two, &to, json!({ "owner": "nobody" })).await, 204);
        assert_beside(&post(&two, &to, json!({})).await, "owner.required", "owner");
        post(&two, &to, json!({ "owner": "nobody-like-that" })).await.assert_problem(404, "staff.not_found");

        let tags = about(&id, "/tags");
        json_of(&post(&one, &tags, json!({ "tag": "Second Look" })).await, 204);
        assert_eq!(json_of(&get(&one, &about(&id, "")).await, 200)["tags"], json!(["second look"]));
        assert_beside(&post(&one, &tags, json!({ "tag": "a:b" })).await, "tag.invalid", "tag");
        for number in 0..19 {
            json_of(&post(&one, &tags, json!({ "tag": format!("tag {number}") })).await, 204);
        }
        assert_beside(&post(&one, &tags, json!({ "tag": "too many" })).await, "tag.full", "tag");
        json_of(&one.api("DELETE", &format!("{tags}/second%20look")).send().await, 204);
        assert_eq!(json_of(&get(&one, &about(&id, "")).await, 200)["tags"].as_array().unwrap().len(), 19);
        let viewer = staff_client(&world, Role::Viewer).await;
        post(&viewer, &tags, json!({ "tag": "x" })).await.assert_problem(403, "role.forbidden");
    }

    async fn documents_are_looked_at_and_decided_about_by_call(database: Database) {
        let world = World::start(database.db()).await;
        let (ada, id) = applied(&world).await;
        documents::send(&ada, "identity", "dark.pdf", &pdf(2000)).await;
        let reviewer = staff_client(&world, Role::Reviewer).await;
        let identity = async || {
            let slots = json_of(&get(&reviewer, &about(&id, "/documents")).await, 200)["slots"].clone();
            slots.as_array().unwrap().iter().find(|slot| slot["slot"] == "identity").unwrap().clone()
        };
        let before = identity().await;
        assert_eq!((&before["state"], &before["review"]), (&json!("received"), &Value::Null));
        let file = about(&id, &format!("/files/{}", before["files"][0]["id"].as_str().unwrap()));
        let saved = get(&reviewer, &file).await;
        assert_eq!((saved.status, saved.bytes.len()), (200, pdf(2000).len()));
        get(&reviewer, &about(&id, "/files/none")).await.assert_problem(404, "document.not_found");
        get(&staff_client(&world, Role::Viewer).await, &file).await.assert_problem(403, "role.forbidden");

        let to = about(&id, "/documents/identity");
        assert_beside(&post(&reviewer, &to, json!({})).await, "decision.required", "decision");
        assert_beside(&post(&reviewer, &to, json!({ "decision": "lose" })).await, "decision.unknown", "decision");
        assert_beside(&post(&reviewer, &to, json!({ "decision": "replace" })).await, "reason.required", "reason");
        let replace = json!({ "decision": "replace", "reason": "It is too dark.", "seen": before["seen"] });
        json_of(&post(&reviewer, &to, replace.clone()).await, 204);
        post(&reviewer, &to, replace).await.assert_problem(412, "application.stale");
        let after = identity().await;
        assert_eq!((&after["state"], &after["files"][0]["replaced"]), (&json!("replace"), &json!(true)));
        assert_eq!((&after["review"]["reason"], &after["review"]["by"]), (&json!("It is too dark."), &json!(reviewer.staff.id)));
        json_of(&post(&reviewer, &to, json!({ "decision": "waive", "reason": "Known to us" })).await, 204);
        post(&reviewer, &to, json!({ "decision": "accept" })).await.assert_problem(409, "document.not_received");
        let unknown = post(&reviewer, &about(&id, "/documents/passport"), json!({ "decision": "accept" })).await;
        unknown.assert_problem(422, "document.slot");
        let finance = staff_client(&world, Role::Finance).await;
        post(&finance, &to, json!({ "decision": "accept" })).await.assert_problem(403, "role.forbidden");
    }

    async fn one_person_twice_is_found_merged_and_told_apart_by_call(database: Database) {
        let world = World::start(database.db()).await;
        let ((_, one), (ben, two)) = (applied(&world).await, applied(&world).await);
        let reviewer = staff_client(&world, Role::Reviewer).await;
        let found = async || json_of(&get(&reviewer, &about(&one, "/duplicates")).await, 200)["duplicates"].clone();
        let alike = found().await;
        assert_eq!((&alike[0]["applicationId"], &alike[0]["sameName"], &alike[0]["verdict"]), (&json!(two), &json!(true), &Value::Null));
        let judge = async |what: &str| post(&reviewer, &about(&one, &format!("/duplicates/{what}")), json!({ "other": two })).await;
        let status = async || ben.get("/api/users/application").send().await.json()["status"].clone();
        json_of(&judge("merge").await, 204);
        assert_eq!((found().await[0]["verdict"]["kept"].clone(), status().await), (json!(one), json!("none")));
        judge("tell-apart").await.assert_problem(412, "application.stale");
        json_of(&judge("undo").await, 204);
        assert_eq!(status().await, "incomplete");
        json_of(&judge("tell-apart").await, 204);
        assert_eq!(found().await[0]["verdict"]["kept"], Value::Null);
        let merge = about(&one, "/duplicates/merge");
        assert_beside(&post(&reviewer, &merge, json!({})).await, "other.required", "other");
        post(&reviewer, &merge, json!({ "other": "nowhere" })).await.assert_problem(404, "application.not_found");
        let interviewer = staff_client(&world, Role::Interviewer).await;
        post(&interviewer, &merge, json!({ "other": two })).await.assert_problem(403, "role.forbidden");
    }

    async fn what_is_recorded_and_who_looks_is_told_by_call(database: Database) {
        let world = World::start(database.db()).await;
        let (ada, id) = applied(&world).await;
        let (one, two) = (staff_client(&world, Role::Reviewer).await, staff_client(&world, Role::Viewer).await);
        assert_eq!(json_of(&get(&one, &about(&id, "/presence")).await, 200)["lookers"], json!([]));
        assert_eq!(json_of(&get(&two, &about(&id, "/presence")).await, 200)["lookers"], json!(["Demo Reviewer"]));
        json_of(&post(&one, &about(&id, "/owner"), json!({ "owner": one.staff.id })).await, 204);
        let timeline = json_of(&get(&two, &about(&id, "/timeline")).await, 200);
        let newest = &timeline["events"][0];
        assert_eq!((&timeline["unbroken"], &newest["what"], &newest["by"], &newest["name"]), (&json!(true), &json!("Owner changed"), &json!("staff"), &json!("Demo Reviewer")));
        assert_eq!((&timeline["events"][1]["by"], &timeline["events"][1]["to"]), (&json!("applicant"), &json!("submitted")));

        ada.post("/api/users/application/unsubmit").json(&json!({})).send().await;
        let change = json!({ "applicationType": "ba", "financialPlan": { "selectedPayments": ["gi_bill"] } });
        json_of(&ada.post("/api/users/application").json(&change).send().await, 200);
        ada.post("/api/users/application/submit").json(&json!({ "declaration": true })).send().await;
        let answers = async |member: &StaffClient, query: &str| json_of(&get(member, &about(&id, &format!("/answers{query}"))).await, 200);
        let compared = answers(&one, "").await;
        assert_eq!((&compared["version"], &compared["against"]), (&json!("2"), &json!("1")));
        let sections = compared["sections"].as_array().unwrap();
        let all: Vec<&Value> = sections.iter().flat_map(|section| section["answers"].as_array().unwrap()).collect();
        let payment = all.iter().find(|answer| answer["name"] == "Ways to pay").unwrap();
        assert_eq!((&payment["value"], &payment["change"]), (&json!("GI Bill"), &json!("changed")));
        assert!(payment["before"].is_string());
        assert_eq!(answers(&one, "?version=1&against=none").await["against"], Value::Null);
        let shown = |compared: &Value| compared["sections"].as_array().unwrap().len();
        assert!(shown(&answers(&two, "").await) < shown(&compared), "where somebody lives is left out");
    }
}
