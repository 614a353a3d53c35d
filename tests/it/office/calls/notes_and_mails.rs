//! Notes and mails by call, and pending mail.

use matricula::domain::moments::{DAY, HOUR, MINUTE, Millis};
use matricula::domain::role::Role;
use matricula::domain::settings::Setting;
use serde_json::{Value, json};

use super::{about, applied, assert_beside, get, json_of, post};
use crate::office::{entered, staff_client};
use crate::support::databases::story;
use crate::support::server::{START, World, complete_answers};

const NOW: Millis = START as Millis;

story! {
    async fn notes_are_written_changed_pinned_and_deleted_by_call(database: Database) {
        let world = World::start(database.db()).await;
        let ((_, id), (_, other)) = (applied(&world).await, applied(&world).await);
        let (one, two) = (staff_client(&world, Role::Interviewer).await, staff_client(&world, Role::Finance).await);
        let path = about(&id, "/notes");
        let text = json!({ "note": "Look, @Demo Finance." });
        let mut notes = Vec::new();
        for _ in 0..2 {
            let written = one.api("POST", &path).header("idempotency-key", "1").json(&text).send().await;
            assert_eq!(written.header("etag"), "\"1\"");
            notes.push(json_of(&written, 201));
        }
        assert_eq!(notes[0], notes[1], "under the same key it is written once");
        let other_text = one.api("POST", &path).header("idempotency-key", "1").json(&json!({ "note": "Else" })).send().await;
        other_text.assert_problem(422, "idempotency_key.reused");
        // A refused note can be corrected under the same key.
        for (note, status) in [("", 422), ("Corrected", 201), ("Corrected", 201), ("Else", 422)] {
            let call = two.api("POST", &about(&other, "/notes")).header("idempotency-key", "2");
            assert_eq!(call.json(&json!({ "note": note })).send().await.status, status, "{note}");
        }
        assert_eq!((&notes[0]["author"], &notes[0]["pinned"]), (&json!(one.staff.id), &json!(false)));
        assert_eq!(database.texts("SELECT id FROM outbox WHERE template = 'note-mention'").await.len(), 1);
        // A key belongs to its sender and to one application.
        for (member, id) in [(&two, &id), (&one, &other)] {
            let call = member.api("POST", &about(id, "/notes")).header("idempotency-key", "1");
            json_of(&call.json(&json!({ "note": "Another" })).send().await, 201);
        }
        assert_eq!(database.count("application_notes").await, 4);
        let own = format!("{path}/{}", notes[0]["id"].as_str().unwrap());
        let list = async |query: &str| json_of(&get(&two, &format!("{path}{query}")).await, 200)["notes"].as_array().unwrap().clone();
        assert_eq!((list("").await.len(), list("?q=LOOK").await.len(), list("?q=nothing+like").await.len()), (2, 1, 0));
        assert_beside(&get(&two, &format!("{path}?q={}", "x".repeat(201))).await, "q.invalid", "q");
        json_of(&two.api("POST", &format!("{own}/pin")).send().await, 204);
        assert_eq!((&list("").await[0]["id"], &list("").await[0]["pinned"]), (&notes[0]["id"], &json!(true)));
        json_of(&two.api("DELETE", &format!("{own}/pin")).send().await, 204);

        let edit = |etag: &'static str| one.api("PATCH", &own).header("if-match", etag).json(&json!({ "note": "Changed" }));
        let edited = edit("\"1\"").send().await;
        assert_eq!((&json_of(&edited, 200)["note"], edited.header("etag")), (&json!("Changed"), "\"2\""));
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
        // The note cannot be found under another application, whoever asks.
        let elsewhere = own.replace(&id, &other);
        for member in [&one, &two] {
            member.api("DELETE", &elsewhere).send().await.assert_problem(404, "note.not_found");
        }
        assert_eq!(database.count("application_notes").await, 4);
        json_of(&one.api("DELETE", &own).send().await, 204);
        one.api("DELETE", &own).send().await.assert_problem(404, "note.not_found");
        one.api("PATCH", &own).json(&json!({ "note": "x" })).send().await.assert_problem(404, "note.not_found");
        one.api("POST", &format!("{own}/pin")).send().await.assert_problem(404, "note.not_found");
        get(&staff_client(&world, Role::Viewer).await, &path).await.assert_problem(403, "role.forbidden");
        get(&one, &about("nowhere", "/notes")).await.assert_problem(404, "application.not_found");
    }

    async fn a_conversation_is_held_by_call(database: Database) {
        let world = World::start(database.db()).await;
        let (ada, id) = applied(&world).await;
        let reviewer = staff_client(&world, Role::Reviewer).await;
        let path = about(&id, "/conversation");
        for (body, code) in [
            (json!({}), "text.required"),
            (json!({ "text": " \n " }), "text.required"),
            (json!({ "text": "a\u{7}" }), "text.invalid"),
            (json!({ "text": "ä".repeat(4001) }), "text.too_long"),
        ] {
            assert_beside(&post(&reviewer, &path, body.clone()).await, code, "text");
            assert_beside(&ada.post("/api/users/conversation").json(&body).send().await, code, "text");
        }
        let ask = || ada.post("/api/users/conversation").header("idempotency-key", "mine").json(&json!({ "text": "May I send it later?" }));
        assert_eq!(json_of(&ask().send().await, 201), json_of(&ask().send().await, 201));
        let tasks = json_of(&get(&reviewer, &about(&id, "/tasks")).await, 200);
        assert!(tasks["tasks"].as_array().unwrap().iter().any(|task| task["task"] == "message"), "{tasks}");
        world.clock.advance(MINUTE);
        let write = |key: &'static str, text: &'static str| reviewer.api("POST", &path).header("idempotency-key", key).json(&json!({ "text": text }));
        assert_eq!(json_of(&write("once", "By Friday.").send().await, 201), json_of(&write("once", "By Friday.").send().await, 201));
        let tasks = json_of(&get(&reviewer, &about(&id, "/tasks")).await, 200);
        assert!(tasks["tasks"].as_array().unwrap().iter().all(|task| task["task"] != "message"), "{tasks}");
        world.clock.advance(MINUTE);
        json_of(&write("twice", "Or on Monday.").send().await, 201);
        assert_eq!(database.texts("SELECT id FROM outbox WHERE template = 'message-written'").await.len(), 1, "one mail tells of both");

        let newest = json_of(&get(&reviewer, &path).await, 200);
        let said: Vec<&str> = newest["messages"].as_array().unwrap().iter().map(|it| it["text"].as_str().unwrap()).collect();
        assert_eq!(said, ["Or on Monday.", "By Friday.", "May I send it later?"]);
        assert_eq!((&newest["messages"][0]["readAt"], &newest["messages"][2]["author"]), (&Value::Null, &Value::Null));
        let unread = async || ada.get("/api/users/messages").send().await.json()["unread"].as_i64().unwrap();
        let before = unread().await;
        let own = ada.get("/api/users/conversation").send().await.json();
        assert_eq!((&own["messages"][0]["read"], &own["messages"][2]["own"], &own["canWrite"]), (&json!(false), &json!(true), &json!(true)));
        assert_eq!(unread().await, before - 2);
        assert!(json_of(&get(&reviewer, &path).await, 200)["messages"][0]["readAt"].is_string());
        // The mail reveals nothing of the text, and is no message itself.
        let mail = database.texts("SELECT body_text FROM outbox WHERE template = 'message-written'").await.concat();
        assert!(!mail.contains("Friday"), "{mail}");
        let messages = ada.get("/api/users/messages").send().await.json();
        assert!(messages["messages"].as_array().unwrap().iter().all(|it| it["subject"] != "There is a message for you"));

        world.clock.advance(HOUR);
        let (reviewer, ada) = (entered(&world, &reviewer.staff).await, ada.log_in().await);
        let write = |key: &'static str, text: &'static str| reviewer.api("POST", &path).header("idempotency-key", key).json(&json!({ "text": text }));
        json_of(&write("third", "Thank you.").send().await, 201);
        assert_eq!(database.texts("SELECT id FROM outbox WHERE template = 'message-written'").await.len(), 2);
        for number in 0..21 {
            let sent = ada.post("/api/users/conversation").json(&json!({ "text": format!("No. {number}") })).send().await;
            if number < 20 { assert_eq!(sent.status, 201) } else { sent.assert_problem(429, "rate_limited") }
        }
        let page = json_of(&get(&reviewer, &path).await, 200);
        assert_eq!((page["messages"].as_array().unwrap().len(), &page["earlier"]), (24, &Value::Null));
        get(&staff_client(&world, Role::Interviewer).await, &path).await.assert_problem(403, "role.forbidden");
        get(&reviewer, &about("nowhere", "/conversation")).await.assert_problem(404, "application.not_found");
    }

    async fn a_conversation_is_read_fifty_messages_at_a_time(database: Database) {
        let world = World::start(database.db()).await;
        let (ada, id) = applied(&world).await;
        let reviewer = staff_client(&world, Role::Reviewer).await;
        for number in 0..51 {
            world.clock.advance(1000);
            json_of(&post(&reviewer, &about(&id, "/conversation"), json!({ "text": format!("No. {number}") })).await, 201);
        }
        let newest = json_of(&get(&reviewer, &about(&id, "/conversation")).await, 200);
        assert_eq!((newest["messages"].as_array().unwrap().len(), &newest["messages"][49]["text"]), (50, &json!("No. 1")));
        let before = format!("?before={}", newest["earlier"].as_str().unwrap());
        let rest = json_of(&get(&reviewer, &about(&id, &format!("/conversation{before}"))).await, 200);
        assert_eq!((rest["messages"].as_array().unwrap().len(), &rest["earlier"]), (1, &Value::Null));
        let own = ada.get(&format!("/api/users/conversation{before}")).send().await.json();
        assert_eq!((&own["messages"][0]["text"], &own["earlier"]), (&json!("No. 0"), &Value::Null));
    }

    async fn only_who_has_submitted_writes_to_the_office(database: Database) {
        let world = World::start(database.db()).await;
        let client = world.register().await;
        let write = async || client.post("/api/users/conversation").json(&json!({ "text": "Hello?" })).send().await;
        write().await.assert_problem(404, "submission.none");
        json_of(&client.post("/api/users/application").json(&complete_answers()).send().await, 200);
        write().await.assert_problem(404, "submission.none");
        assert_eq!(client.get("/api/users/conversation").send().await.json()["canWrite"], false);
        json_of(&client.post("/api/users/application/submit").json(&json!({ "declaration": true })).send().await, 200);
        json_of(&write().await, 201);
    }

    async fn snippets_are_filled_in_for_the_applicant(database: Database) {
        let world = World::start(database.db()).await;
        let (_, id) = applied(&world).await;
        let (reviewer, owner) = (staff_client(&world, Role::Reviewer).await, staff_client(&world, Role::Owner).await);
        assert_eq!(json_of(&get(&reviewer, &about(&id, "/snippets")).await, 200)["snippets"], json!([]));
        let typed = [("new.name", "Papers"), ("new.en", "Dear {firstName}, about {reference}: thank you."), ("new.es", "")];
        let values = typed.map(|(name, text)| (name.to_owned(), text.to_owned())).into();
        world.app.change_setting(&owner.staff, Setting::Snippets, 0, &values).await.unwrap();
        let snippet = json_of(&get(&reviewer, &about(&id, "/snippets")).await, 200)["snippets"][0].clone();
        assert_eq!(snippet["name"], "Papers");
        let text = snippet["text"].as_str().unwrap();
        assert!(text.starts_with("Dear ") && !text.contains('{'), "{text}");
    }

    async fn mails_are_listed_and_sent_again_by_call(database: Database) {
        let world = World::start(database.db()).await;
        let (_, id) = applied(&world).await;
        let reviewer = staff_client(&world, Role::Reviewer).await;
        json_of(&post(&reviewer, &about(&id, "/conversation"), json!({ "text": "Thank you." })).await, 201);
        let path = about(&id, "/mails");
        let newest = async || json_of(&get(&reviewer, &path).await, 200)["mails"][0].clone();
        assert_eq!((&newest().await["subject"], &newest().await["canResend"]), (&json!("There is a message for you"), &json!(false)));
        let mail = newest().await["id"].as_str().unwrap().to_owned();
        let resend = format!("{path}/{mail}/resend");
        reviewer.api("POST", &resend).send().await.assert_problem(409, "mail.not_resendable");
        world.store.mail_failed(&mail, "no such mailbox", None).await.unwrap();
        let failed = newest().await;
        assert_eq!((&failed["state"], &failed["lastError"], &failed["canResend"]), (&json!("failed"), &json!("no such mailbox"), &json!(true)));
        json_of(&reviewer.api("POST", &resend).send().await, 204);
        assert_eq!(newest().await["state"], "waiting");
        get(&staff_client(&world, Role::Interviewer).await, &path).await.assert_problem(403, "role.forbidden");
    }

    async fn what_is_parked_is_tried_again_by_call(database: Database) {
        let world = World::start(database.db()).await;
        applied(&world).await;
        let owner = staff_client(&world, Role::Owner).await;
        let log = json_of(&get(&owner, "/api/admins/deliveries").await, 200);
        assert_eq!((&log["mails"][0]["state"], &log["mailsFailed"]), (&json!("waiting"), &json!(0)));
        let mail = log["mails"][0]["id"].as_str().unwrap().to_owned();
        world.store.mail_failed(&mail, "no such mailbox", None).await.unwrap();
        let failed = json_of(&get(&owner, "/api/admins/deliveries?state=failed").await, 200);
        assert_eq!((&failed["mails"][0]["lastError"], &failed["mailsFailed"]), (&json!("no such mailbox"), &json!(1)));
        assert_beside(&get(&owner, "/api/admins/deliveries?state=lost").await, "state.unknown", "state");
        let retry = format!("/api/admins/deliveries/mails/{mail}/retry");
        json_of(&owner.api("POST", &retry).send().await, 204);
        assert_eq!(json_of(&get(&owner, "/api/admins/deliveries").await, 200)["mailsFailed"], 0);
        assert_eq!(database.texts("SELECT id FROM audit WHERE action = 'mail.retried'").await.len(), 1);
        let job = world.store.claim_jobs(9, NOW + DAY * 365, NOW + DAY * 366).await.unwrap().remove(0);
        world.store.job_failed(&job, "Broken", None).await.unwrap();
        let parked = json_of(&get(&owner, "/api/admins/deliveries").await, 200);
        assert_eq!((&parked["jobs"][0]["parked"], &parked["jobs"][0]["lastError"]), (&json!(true), &json!("Broken")));
        json_of(&owner.api("POST", &format!("/api/admins/deliveries/jobs/{}/retry", job.id)).send().await, 204);
        assert_eq!(json_of(&get(&owner, "/api/admins/deliveries").await, 200)["jobsParked"], 0);
        world.clock.advance(6 * MINUTE);
        owner.api("POST", &retry).send().await.assert_problem(401, "auth.step_up");
        json_of(&entered(&world, &owner.staff).await.api("POST", &retry).send().await, 204);
        get(&staff_client(&world, Role::Decider).await, "/api/admins/deliveries").await.assert_problem(403, "role.forbidden");
    }
}
