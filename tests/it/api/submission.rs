//! Submitting, taking back, withdrawing, and undoing a withdrawal.

use jiff::Timestamp;
use matricula::domain::application::ApplicationKey;
use matricula::domain::moments::{HOUR, MINUTE};
use matricula::domain::reference_number::ReferenceNumber;
use serde_json::{Value, json};

use crate::support::databases::story;
use crate::support::server::{Answer, Client, START, World, complete_answers};

const PATH: &str = "/api/users/application";

async fn act(client: &Client, act: &str, body: Value, key: &str) -> Answer {
    let call = client.post(&format!("{PATH}/{act}")).header("idempotency-key", key);
    call.json(&body).send().await
}

async fn submit(client: &Client, key: &str) -> Answer {
    act(client, "submit", json!({ "declaration": true }), key).await
}

/// An applicant whose application is complete.
async fn complete(world: &World) -> Client {
    let client = world.register().await;
    let saved = client.post(PATH).json(&complete_answers()).send().await;
    assert_eq!(saved.status, 200, "{saved:?}");
    let sections = saved.json()["sections"].as_object().unwrap().clone();
    assert!(sections.len() == 7 && sections.values().all(|state| state == "complete"), "{sections:?}");
    client
}

story! {
    async fn a_number_has_the_year_that_it_is_at_the_institute(database: Database) {
        let world = World::start(database.db()).await;
        // 2027-01-01 05:30 UTC, half an hour before midnight in Chicago.
        let late: Timestamp = "2027-01-01T05:30:00Z".parse().unwrap();
        world.clock.advance(late.as_millisecond() - START);
        let submitted = submit(&complete(&world).await, "one").await.json();
        assert!(submitted["reference"].as_str().unwrap().starts_with("B26-"), "{submitted}");
    }

    async fn a_submission_freezes_the_answers_and_gives_a_number(database: Database) {
        let world = World::start(database.db()).await;
        let client = complete(&world).await;
        let draft = client.get(PATH).send().await;
        let submitted = client.post(&format!("{PATH}/submit")).header("if-match", draft.header("etag"))
            .header("idempotency-key", "one").json(&json!({ "declaration": true })).send().await;
        assert_eq!(submitted.status, 200, "{submitted:?}");
        let body = submitted.json();
        assert_eq!((&body["status"], &body["stage"]), (&json!("incomplete"), &json!("submitted")));
        assert_eq!(body["submittedAt"], "2026-05-04T12:00:00Z");
        let reference = body["reference"].as_str().unwrap();
        assert_eq!(ReferenceNumber::parse(reference).unwrap().as_str(), reference);
        assert!(reference.starts_with("B26-"), "{reference}");
        assert_eq!(client.get(PATH).send().await.json(), body);
        assert_eq!(submitted.header("etag"), format!("\"{}\"", body["revision"]));

        assert_eq!(database.texts("SELECT answers FROM snapshots").await, database.texts("SELECT answers FROM applications").await);
        let mails = database.texts("SELECT body_text FROM outbox WHERE template = 'application-received'").await;
        assert!(mails.len() == 1 && mails[0].contains(reference), "{mails:?}");
        let audited = database.texts("SELECT detail FROM audit WHERE action = 'application.submitted'").await;
        let detail: Value = serde_json::from_str(&audited[0]).unwrap();
        assert_eq!((&detail["from"], &detail["to"]), (&json!("incomplete/draft"), &json!("incomplete/submitted")));
        assert!(detail["declaration"].as_str().unwrap().contains("truthfully"));

        // The answers are locked, whichever revision is given.
        for condition in [None, Some(draft.header("etag")), Some(submitted.header("etag"))] {
            let call = client.post(PATH);
            let call = match condition { Some(etag) => call.header("if-match", etag), None => call };
            let refused = call.json(&json!({ "applicationType": "ba", "personalInfo": { "isUSCitizen": true } })).send().await;
            refused.assert_problem(409, "application.submitted");
        }
        let moved = client.post(PATH).json(&json!({ "applicationType": "msc", "switchProgram": true })).send().await;
        moved.assert_problem(409, "application.submitted");
        assert_eq!(client.get(PATH).send().await.json(), body);
    }

    async fn the_same_key_is_answered_alike_and_done_once(database: Database) {
        let world = World::start(database.db()).await;
        let client = complete(&world).await;
        let etag = client.get(PATH).send().await.header("etag").to_owned();
        let call = || client.post(&format!("{PATH}/submit")).header("if-match", &etag).header("idempotency-key", "one")
            .json(&json!({ "declaration": true })).send();
        let answers = futures::future::join_all((0..8).map(|_| call())).await;
        for answer in &answers {
            assert_eq!((answer.status, answer.json()), (200, answers[0].json()), "{answer:?}");
        }
        assert_eq!(call().await.json(), answers[0].json());
        assert_eq!((database.count("snapshots").await, database.count("stage_changes").await), (1, 1));
        assert_eq!(database.texts("SELECT subject FROM outbox ORDER BY created_at, id").await.len(), 2);

        // Under another key it is another act, which is no longer possible.
        let again = submit(&client, "two").await;
        again.assert_problem(409, "status.transition");
        assert_eq!(again.json()["error"], "A submitted application cannot be submitted.");
        client.post(&format!("{PATH}/submit")).json(&json!({ "declaration": true })).send().await
            .assert_problem(409, "status.transition");
    }

    async fn different_keys_at_once_submit_once(database: Database) {
        let world = World::start(database.db()).await;
        let client = complete(&world).await;
        let keys: Vec<String> = (0..8).map(|n| format!("key-{n}")).collect();
        let answers = futures::future::join_all(keys.iter().map(|key| submit(&client, key))).await;
        assert_eq!(answers.iter().filter(|answer| answer.status == 200).count(), 1, "{answers:?}");
        assert!(answers.iter().all(|answer| answer.status == 200 || answer.code() == "status.transition"), "{answers:?}");
        assert_eq!((database.count("snapshots").await, database.count("outbox").await), (1, 2));
    }

    async fn whatever_is_missing_is_told_by_path(database: Database) {
        let world = World::start(database.db()).await;
        let client = world.register().await;
        submit(&client, "none").await.assert_problem(404, "application.none");
        client.post(PATH).json(&json!({ "applicationType": "msc" })).send().await;
        let refused = act(&client, "submit", json!({ "declaration": false }), "one").await;
        refused.assert_problem(422, "personalInfo.isUSCitizen.required");
        let fields = refused.json()["fields"].as_object().unwrap().clone();
        assert_eq!(fields.len(), 17, "{fields:?}");
        assert_eq!(fields["employment.currentEmployer.name"], "Enter the name of your current employer.");
        assert_eq!(fields["declaration"], "Read the declaration and check the box.");
        assert_eq!((database.count("snapshots").await, database.count("stage_changes").await), (0, 0));

        let complete = complete(&world).await;
        let unticked = act(&complete, "submit", json!({ "declaration": false }), "one").await;
        unticked.assert_problem(422, "declaration.required");
        assert_eq!(unticked.json()["fields"].as_object().unwrap().len(), 1);
        act(&complete, "submit", json!({ "declaration": "yes" }), "one").await.assert_problem(422, "declaration.type");
        let stale = complete.post(&format!("{PATH}/submit")).header("if-match", "\"1\"").json(&json!({ "declaration": true }));
        let stale = stale.send().await;
        stale.assert_problem(412, "application.stale");
        assert_eq!(stale.json()["current"]["stage"], "draft");
        for key in ["", "two words", &"k".repeat(101)] {
            submit(&complete, key).await.assert_problem(400, "idempotency_key.invalid");
        }
        // The key of a refused request is free: the corrected request can be sent under it.
        assert_eq!(submit(&complete, "one").await.status, 200);
    }

    async fn a_submission_can_be_taken_back_and_keeps_its_number(database: Database) {
        let world = World::start(database.db()).await;
        let client = complete(&world).await;
        act(&client, "unsubmit", json!({}), "early").await.assert_problem(409, "status.transition");
        let first = submit(&client, "one").await.json();
        world.clock.advance(MINUTE);
        let back = act(&client, "unsubmit", json!({}), "back").await;
        assert_eq!((back.status, &back.json()["stage"], &back.json()["reference"]), (200, &json!("draft"), &first["reference"]));
        assert_eq!(act(&client, "unsubmit", json!({}), "back").await.json(), back.json());
        let change = json!({ "applicationType": "ba", "creditTransfer": { "selectedPrograms": ["jst"] } });
        assert_eq!(client.post(PATH).json(&change).send().await.status, 200);
        let second = submit(&client, "two").await.json();
        assert_eq!((&second["stage"], &second["reference"]), (&json!("submitted"), &first["reference"]));
        assert_eq!(second["submittedAt"], "2026-05-04T12:01:00Z");
        let snapshots = database.texts("SELECT answers FROM snapshots ORDER BY number").await;
        assert!(snapshots.len() == 2 && !snapshots[0].contains("jst") && snapshots[1].contains("jst"), "{snapshots:?}");
    }

    async fn a_withdrawal_ends_it_and_can_be_undone_for_fifteen_minutes(database: Database) {
        let world = World::start(database.db()).await;
        let client = complete(&world).await;
        let reference = submit(&client, "one").await.json()["reference"].clone();
        for (reason, code) in [(json!(""), "reason.required"), (json!(7), "reason.type"), (json!("x".repeat(1001)), "reason.too_long")] {
            act(&client, "withdraw", json!({ "reason": reason }), "w").await.assert_problem(422, code);
        }
        let withdrawn = act(&client, "withdraw", json!({ "reason": "I move to another country." }), "w").await;
        assert_eq!(withdrawn.status, 200, "{withdrawn:?}");
        assert_eq!((&withdrawn.json()["status"], &withdrawn.json()["stage"]), (&json!("none"), &json!("archived")));
        let again = async |reason: &str| act(&client, "withdraw", json!({ "reason": reason }), "w").await;
        assert_eq!(again("I move to another country.").await.json(), withdrawn.json());
        again("Something else.").await.assert_problem(422, "idempotency_key.reused");
        client.get(PATH).send().await.assert_problem(404, "application.none");
        let saved = client.post(PATH).header("if-match", withdrawn.header("etag")).json(&json!({ "applicationType": "ba" }));
        saved.send().await.assert_problem(404, "application.none");

        world.clock.advance(14 * MINUTE);
        let back = act(&client, "undo-withdraw", json!({}), "u").await;
        assert_eq!(back.status, 200, "{back:?}");
        assert_eq!((&back.json()["stage"], &back.json()["reference"]), (&json!("submitted"), &reference));
        assert_eq!(act(&client, "undo-withdraw", json!({}), "u").await.json(), back.json());
        assert_eq!(database.count("snapshots").await, 1, "nothing was submitted anew");

        act(&client, "withdraw", json!({ "reason": "After all." }), "w2").await;
        world.clock.advance(15 * MINUTE);
        // The token has expired too.
        let client = client.log_in().await;
        act(&client, "undo-withdraw", json!({}), "u2").await.assert_problem(409, "undo.too_late");
        let subjects = database.texts("SELECT subject FROM outbox ORDER BY created_at, id").await;
        assert_eq!(subjects, [
            "Application started",
            "We have your application",
            "You have withdrawn your application",
            "Your application is back",
            "You have withdrawn your application",
        ]);
        let reasons = database.texts("SELECT reason FROM stage_changes WHERE act = 'withdraw'").await;
        assert!(reasons.iter().any(|reason| reason == "I move to another country."), "{reasons:?}");
        let record = database.texts("SELECT detail FROM audit WHERE detail LIKE '%country%'").await;
        assert!(record.is_empty(), "what cannot be erased has nobody's words: {record:?}");
    }

    async fn a_withdrawal_is_not_undone_beside_another_application(database: Database) {
        let world = World::start(database.db()).await;
        let client = complete(&world).await;
        act(&client, "undo-withdraw", json!({}), "u").await.assert_problem(404, "application.none");
        // A draft can be withdrawn too, and is restored as a draft.
        act(&client, "withdraw", json!({ "reason": "No times" }), "w").await;
        assert_eq!(act(&client, "undo-withdraw", json!({}), "u1").await.json()["stage"], "draft");
        act(&client, "withdraw", json!({ "reason": "No times" }), "w2").await;
        client.post("/api/users/application/start").json(&json!({ "applicationType": "msc" })).send().await;
        act(&client, "undo-withdraw", json!({}), "u2").await.assert_problem(409, "application.active");
        assert_eq!(client.get(PATH).send().await.json()["applicationType"], "msc");
        assert_eq!(database.count("applications").await, 2);
    }

    async fn nobody_acts_on_the_application_of_another(database: Database) {
        let world = World::start(database.db()).await;
        let (one, other) = (complete(&world).await, complete(&world).await);
        let (ones, others) = (submit(&one, "same").await.json(), submit(&other, "same").await.json());
        assert_ne!((&ones["id"], &ones["reference"]), (&others["id"], &others["reference"]));
        act(&one, "withdraw", json!({ "reason": "Mine" }), "same").await;
        assert_eq!(other.get(PATH).send().await.json(), others);
        let stranger = world.register().await;
        submit(&stranger, "same").await.assert_problem(404, "application.none");
        for act in ["submit", "unsubmit", "withdraw", "undo-withdraw"] {
            let call = one.without_token().post(&format!("{PATH}/{act}")).with_cookie(&one);
            call.json(&json!({})).send().await.assert_problem(401, "auth.required");
        }
    }

    async fn an_act_that_the_database_cannot_take_changes_nothing(database: Database) {
        let world = World::start(database.db()).await;
        let client = complete(&world).await;
        // Makes the last write of a submission fail.
        database.run("ALTER TABLE outbox RENAME TO outbox_away").await.unwrap();
        submit(&client, "one").await.assert_problem(500, "internal");
        database.run("ALTER TABLE outbox_away RENAME TO outbox").await.unwrap();
        assert_eq!(client.get(PATH).send().await.json()["stage"], "draft");
        assert_eq!((database.count("snapshots").await, database.count("stage_changes").await), (0, 0));
        assert_eq!(submit(&client, "one").await.status, 200, "and the key is free");
        world.stop_database().await;
        submit(&client, "one").await.assert_problem(503, "storage.unavailable");
    }

    async fn who_submits_again_and_again_is_not_mailed_each_time_but_after_the_last(database: Database) {
        let world = World::start(database.db()).await;
        let client = complete(&world).await;
        let received = async || database.texts("SELECT id FROM outbox WHERE template = 'application-received'").await.len();
        for number in 0..5 {
            assert_eq!(submit(&client, &format!("s{number}")).await.status, 200);
            assert_eq!(act(&client, "unsubmit", json!({}), &format!("u{number}")).await.status, 200);
            world.clock.advance(MINUTE);
        }
        assert_eq!(submit(&client, "last").await.status, 200);
        assert_eq!(received().await, 1);
        let alerts = database.texts("SELECT detail FROM staff_tasks WHERE kind = 'alert' AND done_at IS NULL").await;
        assert_eq!(alerts, [r#"{"act":"submit"}"#], "staff are told of what is, and once");
        // An hour after the second one, which was the first without a mail.
        world.clock.advance(55 * MINUTE);
        world.work().await;
        assert_eq!(received().await, 1);
        world.clock.advance(MINUTE);
        world.work().await;
        assert_eq!(received().await, 2);

        // Already taken back: there is nothing to confirm.
        let client = client.log_in().await;
        act(&client, "unsubmit", json!({}), "x1").await;
        assert_eq!(submit(&client, "x2").await.status, 200);
        assert_eq!(act(&client, "unsubmit", json!({}), "x3").await.status, 200);
        world.clock.advance(2 * HOUR);
        world.work().await;
        assert_eq!(received().await, 2);
        let client = client.log_in().await;
        assert_eq!(submit(&client, "x4").await.status, 200);
        assert_eq!(received().await, 3, "at once");
    }

    async fn a_number_that_tells_the_other_program_gives_way_and_still_finds_the_application(database: Database) {
        let world = World::start(database.db()).await;
        let client = complete(&world).await;
        let first = submit(&client, "first").await.json()["reference"].as_str().unwrap().to_owned();
        act(&client, "unsubmit", json!({}), "u1").await;
        assert_eq!(submit(&client, "again").await.json()["reference"], *first, "it stays as long as it fits");
        act(&client, "unsubmit", json!({}), "u2").await;
        let moved = client.post(PATH).json(&json!({ "applicationType": "msc", "switchProgram": true })).send().await;
        assert_eq!((moved.status, &moved.json()["reference"]), (200, &json!(first)), "nobody has been told another one");
        let submitted = submit(&client, "moved").await;
        assert_eq!(submitted.status, 200, "{submitted:?}");
        let second = submitted.json()["reference"].as_str().unwrap().to_owned();
        assert!(first.starts_with("B26-") && second.starts_with("M26-"), "{first} {second}");
        let mails = database.texts("SELECT body_text FROM outbox WHERE template = 'application-received'").await;
        assert!(mails.iter().any(|mail| mail.contains(&second)), "a new number is told at once");
        let id = submitted.json()["id"].as_str().unwrap().to_owned();
        for reference in [&first, &second] {
            let found = world.app.find_application(ApplicationKey::Reference(reference)).await.unwrap();
            assert_eq!(found.1.id, id, "{reference}");
        }
    }
}
