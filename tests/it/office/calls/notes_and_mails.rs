//! Notes and mails by call, and what is on its way.

use matricula::app::ports::{DAY, MINUTE, Millis};
use matricula::domain::role::Role;
use serde_json::json;

use super::{about, applied, assert_beside, get, post, told};
use crate::office::{entered, member};
use crate::support::databases::story;
use crate::support::server::{START, World};

const NOW: Millis = START as Millis;

story! {
    async fn notes_are_written_changed_pinned_and_deleted_by_call(database: Database) {
        let world = World::start(database.db()).await;
        let ((_, id), (_, other)) = (applied(&world).await, applied(&world).await);
        let (one, two) = (member(&world, Role::Interviewer).await, member(&world, Role::Finance).await);
        let path = about(&id, "/notes");
        let text = json!({ "note": "Look, @Demo Finance." });
        let mut notes = Vec::new();
        for _ in 0..2 {
            let written = one.api("POST", &path).header("idempotency-key", "1").json(&text).send().await;
            assert_eq!(written.header("etag"), "\"1\"");
            notes.push(told(&written, 201));
        }
        assert_eq!(notes[0], notes[1], "under the same key it is written once");
        let other_text = one.api("POST", &path).header("idempotency-key", "1").json(&json!({ "note": "Else" })).send().await;
        other_text.assert_problem(422, "idempotency_key.reused");
        // What was refused may be corrected.
        for (note, status) in [("", 422), ("Corrected", 201), ("Corrected", 201), ("Else", 422)] {
            let call = two.api("POST", &about(&other, "/notes")).header("idempotency-key", "2");
            assert_eq!(call.json(&json!({ "note": note })).send().await.status, status, "{note}");
        }
        assert_eq!((&notes[0]["author"], &notes[0]["pinned"]), (&json!(one.staff.id), &json!(false)));
        assert_eq!(database.texts("SELECT id FROM outbox WHERE template = 'note-mention'").await.len(), 1);
        // A key is its sender's own, and about one application.
        for (member, id) in [(&two, &id), (&one, &other)] {
            let call = member.api("POST", &about(id, "/notes")).header("idempotency-key", "1");
            told(&call.json(&json!({ "note": "Another" })).send().await, 201);
        }
        assert_eq!(database.count("application_notes").await, 4);
        let own = format!("{path}/{}", notes[0]["id"].as_str().unwrap());
        let list = async |query: &str| told(&get(&two, &format!("{path}{query}")).await, 200)["notes"].as_array().unwrap().clone();
        assert_eq!((list("").await.len(), list("?q=LOOK").await.len(), list("?q=nothing+like").await.len()), (2, 1, 0));
        assert_beside(&get(&two, &format!("{path}?q={}", "x".repeat(201))).await, "q.invalid", "q");
        told(&two.api("POST", &format!("{own}/pin")).send().await, 204);
        assert_eq!((&list("").await[0]["id"], &list("").await[0]["pinned"]), (&notes[0]["id"], &json!(true)));
        told(&two.api("DELETE", &format!("{own}/pin")).send().await, 204);

        let edit = |etag: &'static str| one.api("PATCH", &own).header("if-match", etag).json(&json!({ "note": "Changed" }));
        let edited = edit("\"1\"").send().await;
        assert_eq!((&told(&edited, 200)["note"], edited.header("etag")), (&json!("Changed"), "\"2\""));
        edit("\"1\"").send().await.assert_problem(412, "note.stale");
        two.api("PATCH", &own).json(&json!({ "note": "x" })).send().await.assert_problem(403, "role.forbidden");
        two.api("DELETE", &own).send().await.assert_problem(403, "role.forbidden");
        for (body, code) in [
            (json!({}), "note.required"),
            (json!({ "note": 1 }), "note.type"),
            (json!({ "note": "ä".repeat(4001) }), "note.too_long"),
        ] {
            assert_beside(&post(&one, &path, body).await, code, "note");
        }
        // Under another application there is no such note, whoever asks.
        let elsewhere = own.replace(&id, &other);
        for member in [&one, &two] {
            member.api("DELETE", &elsewhere).send().await.assert_problem(404, "note.not_found");
        }
        assert_eq!(database.count("application_notes").await, 4);
        told(&one.api("DELETE", &own).send().await, 204);
        one.api("DELETE", &own).send().await.assert_problem(404, "note.not_found");
        one.api("PATCH", &own).json(&json!({ "note": "x" })).send().await.assert_problem(404, "note.not_found");
        one.api("POST", &format!("{own}/pin")).send().await.assert_problem(404, "note.not_found");
        get(&member(&world, Role::Viewer).await, &path).await.assert_problem(403, "role.forbidden");
        get(&one, &about("nowhere", "/notes")).await.assert_problem(404, "application.not_found");
    }

    async fn mails_are_written_and_sent_again_by_call(database: Database) {
        let world = World::start(database.db()).await;
        let (ada, id) = applied(&world).await;
        let reviewer = member(&world, Role::Reviewer).await;
        let path = about(&id, "/mails");
        assert_beside(&post(&reviewer, &path, json!({ "subject": "Kept" })).await, "text.required", "text");
        let letter = json!({ "subject": "Your papers", "text": "Thank you." });
        let write = || reviewer.api("POST", &path).header("idempotency-key", "once").json(&letter);
        let (first, second) = (told(&write().send().await, 201), told(&write().send().await, 201));
        assert_eq!(first, second);
        let messages = ada.get("/api/users/messages").send().await.json()["messages"].clone();
        assert_eq!(messages[0]["subject"], "Your papers");
        assert_eq!(database.texts("SELECT id FROM outbox WHERE template = 'from-office'").await.len(), 1);
        let newest = async || told(&get(&reviewer, &path).await, 200)["mails"][0].clone();
        assert_eq!((&newest().await["id"], &newest().await["canResend"]), (&first["id"], &json!(false)));
        let mail = first["id"].as_str().unwrap();
        let resend = format!("{path}/{mail}/resend");
        reviewer.api("POST", &resend).send().await.assert_problem(409, "mail.not_resendable");
        world.app.store.mail_failed(mail, "no such mailbox", None).await.unwrap();
        let failed = newest().await;
        assert_eq!((&failed["state"], &failed["lastError"], &failed["canResend"]), (&json!("failed"), &json!("no such mailbox"), &json!(true)));
        told(&reviewer.api("POST", &resend).send().await, 204);
        assert_eq!(newest().await["state"], "waiting");
        get(&member(&world, Role::Interviewer).await, &path).await.assert_problem(403, "role.forbidden");
    }

    async fn what_is_parked_is_tried_again_by_call(database: Database) {
        let world = World::start(database.db()).await;
        applied(&world).await;
        let owner = member(&world, Role::Owner).await;
        let log = told(&get(&owner, "/api/admins/deliveries").await, 200);
        assert_eq!((&log["mails"][0]["state"], &log["mailsFailed"]), (&json!("waiting"), &json!(0)));
        let mail = log["mails"][0]["id"].as_str().unwrap().to_owned();
        world.app.store.mail_failed(&mail, "no such mailbox", None).await.unwrap();
        let failed = told(&get(&owner, "/api/admins/deliveries?state=failed").await, 200);
        assert_eq!((&failed["mails"][0]["lastError"], &failed["mailsFailed"]), (&json!("no such mailbox"), &json!(1)));
        assert_beside(&get(&owner, "/api/admins/deliveries?state=lost").await, "state.unknown", "state");
        let retry = format!("/api/admins/deliveries/mails/{mail}/retry");
        told(&owner.api("POST", &retry).send().await, 204);
        assert_eq!(told(&get(&owner, "/api/admins/deliveries").await, 200)["mailsFailed"], 0);
        assert_eq!(database.texts("SELECT id FROM audit WHERE action = 'mail.retried'").await.len(), 1);
        let job = world.app.store.claim_jobs(9, NOW + DAY * 365, NOW + DAY * 366).await.unwrap().remove(0);
        world.app.store.job_failed(&job, "Broken", None).await.unwrap();
        let parked = told(&get(&owner, "/api/admins/deliveries").await, 200);
        assert_eq!((&parked["jobs"][0]["parked"], &parked["jobs"][0]["lastError"]), (&json!(true), &json!("Broken")));
        told(&owner.api("POST", &format!("/api/admins/deliveries/jobs/{}/retry", job.id)).send().await, 204);
        assert_eq!(told(&get(&owner, "/api/admins/deliveries").await, 200)["jobsParked"], 0);
        world.clock.advance(6 * MINUTE);
        owner.api("POST", &retry).send().await.assert_problem(401, "auth.step_up");
        told(&entered(&world, &owner.staff).await.api("POST", &retry).send().await, 204);
        get(&member(&world, Role::Decider).await, "/api/admins/deliveries").await.assert_problem(403, "role.forbidden");
    }
}
