//! Starting, loading and saving an application.

use std::time::Duration;

use matricula::domain::moments::MINUTE;
use matricula::store::Options;
use serde_json::{Value, json};
use sqlx::AssertSqlSafe;
use tokio::sync::oneshot;

use crate::support::databases::{self, story};
use crate::support::server::{Answer, Client, World};

const PATH: &str = "/api/users/application";
const START: &str = "/api/users/application/start";

async fn start(client: &Client, application_type: &str) -> Answer {
    client.post(START).json(&json!({ "applicationType": application_type })).send().await
}

async fn save(client: &Client, answers: Value) -> Answer {
    let mut body = answers;
    body["applicationType"] = "ba".into();
    client.post(PATH).json(&body).send().await
}

fn state(state: &str) -> Value {
    json!({ "personalInfo": { "state": state } })
}

story! {
    async fn without_an_application_the_answer_says_so(database: Database) {
        let world = World::start(database.db()).await;
        let client = world.register().await;
        let answer = client.get(PATH).send().await;
        answer.assert_problem(404, "application.none");
        assert_eq!(answer.json()["status"], "none");
        for condition in ["\"1\"", "*"] {
            let call = client.post(PATH).header("if-match", condition).json(&json!({ "applicationType": "ba" }));
            call.send().await.assert_problem(404, "application.none");
        }
        client.get(PATH).send().await.assert_problem(404, "application.none");
    }

    async fn a_start_is_made_once(database: Database) {
        let world = World::start(database.db()).await;
        let client = world.register().await;
        let calls = (0..8).map(|_| start(&client, "ba"));
        let answers = futures::future::join_all(calls).await;
        for answer in &answers {
            assert_eq!((answer.status, answer.json()["id"].clone()), (200, answers[0].json()["id"].clone()));
        }
        assert_eq!(database.count("applications").await, 1);
        assert_eq!(database.texts("SELECT subject FROM outbox").await, ["Application started"]);
        start(&client, "msc").await.assert_problem(409, "application.other_program");
        start(&client, "phd").await.assert_problem(422, "applicationType.unknown");
        client.post(START).json(&json!({})).send().await.assert_problem(422, "applicationType.required");
        let extra = json!({ "applicationType": "ba", "userId": "1" });
        client.post(START).json(&extra).send().await.assert_problem(422, "field.unknown");
    }

    // After a session's first save, later ones write without reading first; nothing may slip through that.
    async fn autosaves_one_after_another_lose_nothing_and_end_with_the_session(database: Database) {
        let world = World::start(database.db()).await;
        let client = world.register().await;
        let onto = |answer: &Answer, body: Value| {
            client.post(PATH).header("if-match", answer.header("etag")).json(&body).send()
        };
        let texan = json!({ "applicationType": "ba", "personalInfo": { "state": "TX" } });
        let soldier = json!({ "applicationType": "ba", "personalInfo": { "isMilitaryAffiliated": true } });
        let unknown = json!({ "applicationType": "ba", "personalInfo": { "state": "ZZ" } });
        let other = json!({ "applicationType": "msc" });

        let first = save(&client, state("CA")).await;
        let second = onto(&first, texan.clone()).await;
        let third = onto(&second, soldier.clone()).await;
        assert_eq!((second.status, third.status), (200, 200), "{third:?}");
        let data = &third.json()["data"]["personalInfo"];
        assert_eq!((&data["state"], &data["isMilitaryAffiliated"]), (&json!("TX"), &json!(true)));
        assert_eq!(client.get(PATH).send().await.json(), third.json());

        onto(&second, texan.clone()).await.assert_problem(412, "application.stale");
        onto(&third, unknown).await.assert_problem(422, "personalInfo.state.unknown");
        onto(&third, other).await.assert_problem(409, "application.other_program");
        // Stands for another process, or another tab that saves without a condition.
        database.run("UPDATE applications SET revision = revision + 1").await.unwrap();
        onto(&third, texan.clone()).await.assert_problem(412, "application.stale");

        let newest = client.get(PATH).send().await;
        let fourth = onto(&newest, texan.clone()).await;
        let fifth = onto(&fourth, soldier).await;
        assert_eq!((fourth.status, fifth.status), (200, 200));
        client.post("/api/users/logout").send().await;
        onto(&fifth, texan).await.assert_problem(401, "session.revoked");
        assert_eq!(database.texts("SELECT CAST(revision AS TEXT) FROM applications").await, [fifth.json()["revision"].to_string()]);
    }

    async fn the_first_save_starts_and_each_one_counts_up(database: Database) {
        let world = World::start(database.db()).await;
        let client = world.register().await;
        let first = save(&client, state("TX")).await;
        assert_eq!(first.status, 200, "{first:?}");
        world.clock.advance(MINUTE);
        let employer = json!({ "name": "Demo Works", "jobTitle": "Coach", "hoursPerWeek": 12, "yearsInRole": "1-2" });
        let plan =
            json!({ "selectedPayments": ["self_pay"], "selfPayContribution": { "upFrontContribution": 120_050 } });
        let answers = json!({
            "employment": { "hasPreviousEmployment": true, "previousEmployers": [employer] },
            "financialPlan": plan
        });
        let second = save(&client, answers.clone()).await;
        let (before, after) = (first.json(), second.json());
        assert_eq!(after["revision"].as_i64(), before["revision"].as_i64().map(|revision| revision + 1));
        assert_eq!(second.header("etag"), format!("\"{}\"", after["revision"]));
        assert_eq!(after["updatedAt"], "2026-05-04T12:01:00Z");
        assert_eq!(after["data"]["personalInfo"]["state"], "TX");
        assert_eq!(after["data"]["employment"]["previousEmployers"], answers["employment"]["previousEmployers"]);
        assert_eq!(after["data"]["financialPlan"]["selfPayContribution"]["upFrontContribution"], 120_050);
        assert_eq!(after["id"], before["id"]);
        assert_eq!(after["reference"], Value::Null);

        let elsewhere = client.log_in().await;
        assert_eq!(elsewhere.get(PATH).send().await.json(), after);
        assert_eq!(elsewhere.get("/twentyEighty/users/application").send().await.json(), after);
    }

    async fn a_copy_at_hand_is_not_sent_again(database: Database) {
        let world = World::start(database.db()).await;
        let client = world.register().await;
        let saved = save(&client, state("TX")).await;
        let at_hand = client.get(PATH).header("if-none-match", saved.header("etag")).send().await;
        assert_eq!((at_hand.status, at_hand.text.as_str()), (304, ""));
        assert_eq!(at_hand.header("etag"), saved.header("etag"));
        save(&client, state("CA")).await;
        let newer = client.get(PATH).header("if-none-match", saved.header("etag")).send().await;
        assert_eq!(newer.json()["data"]["personalInfo"]["state"], "CA");
    }

    async fn a_condition_that_is_none_is_refused(database: Database) {
        let world = World::start(database.db()).await;
        let client = world.register().await;
        let saved = save(&client, state("TX")).await;
        let body = json!({ "applicationType": "ba", "personalInfo": { "state": "CA" } });
        for condition in ["3", "W/\"2\"", "\"two\"", "\"1\", \"2\"", ""] {
            let answer = client.post(PATH).header("if-match", condition).json(&body).send().await;
            answer.assert_problem(400, "precondition.invalid");
        }
        assert_eq!(client.get(PATH).send().await.json(), saved.json());
        let any = client.post(PATH).header("if-match", "*").json(&body).send().await;
        assert_eq!(any.json()["data"]["personalInfo"]["state"], "CA");
    }

    async fn saves_at_once_onto_one_revision_leave_one_winner(database: Database) {
        let world = World::start(database.db()).await;
        let client = world.register().await;
        let first = save(&client, state("TX")).await;
        let body = json!({ "applicationType": "ba", "personalInfo": { "state": "CA" } });
        let calls = (0..8).map(|_| client.post(PATH).header("if-match", first.header("etag")).json(&body).send());
        let answers = futures::future::join_all(calls).await;
        assert_eq!(answers.iter().filter(|answer| answer.status == 200).count(), 1);
        for answer in answers.iter().filter(|answer| answer.status != 200) {
            answer.assert_problem(412, "application.stale");
        }
        // Without a condition, each save is applied on top of the one before, and none is lost.
        let calls = (0..8).map(|_| save(&client, state("WA")));
        let answers = futures::future::join_all(calls).await;
        assert!(answers.iter().all(|answer| answer.status == 200), "{answers:?}");
        let revision = client.get(PATH).send().await.json()["revision"].as_i64();
        assert_eq!(revision, first.json()["revision"].as_i64().map(|revision| revision + 9));
    }

    async fn an_application_moves_to_the_other_program_only_when_told_to(database: Database) {
        let world = World::start(database.db()).await;
        let client = world.register().await;
        save(&client, state("TX")).await;
        let moved = json!({ "applicationType": "msc", "switchProgram": true });
        let moved = client.post(PATH).json(&moved).send().await.json();
        assert_eq!((&moved["applicationType"], &moved["data"]["personalInfo"]["state"]), (&json!("msc"), &json!("TX")));
        save(&client, state("CA")).await.assert_problem(409, "application.other_program");
    }

    async fn nobody_sees_the_application_of_another(database: Database) {
        let world = World::start(database.db()).await;
        let (one, other) = (world.register().await, world.register().await);
        let (ones, others) = (save(&one, state("TX")).await, save(&other, state("CA")).await);
        for _ in 0..3 {
            assert_eq!(one.get(PATH).send().await.json(), ones.json());
            assert_eq!(other.get(PATH).send().await.json(), others.json());
        }
        assert_ne!(ones.json()["id"], others.json()["id"]);
    }

    async fn a_save_that_the_database_cannot_take_changes_nothing(database: Database) {
        let impatient = Options {
            acquire_timeout: Duration::from_millis(300),
            statement_timeout: Duration::from_millis(300),
            ..databases::options()
        };
        let world = World::start(database.opened_with(&impatient).await).await;
        let client = world.register().await;
        let before = save(&client, state("TX")).await.json();

        let (release, released) = oneshot::channel::<()>();
        let (locked, is_locked) = oneshot::channel::<()>();
        let lock = tokio::spawn({
            let database = database.clone();
            async move {
                let lock = "BEGIN; LOCK TABLE applications IN EXCLUSIVE MODE";
                let hold = async move {
                    locked.send(()).unwrap();
                    released.await.unwrap();
                };
                if database.db().kind() == "sqlite" {
                    let mut connection = database.sqlite_connection().await;
                    sqlx::raw_sql("BEGIN IMMEDIATE").execute(&mut connection).await.unwrap();
                    hold.await;
                } else {
                    let mut connection = database.postgres_connection().await;
                    sqlx::raw_sql(AssertSqlSafe(lock.to_owned())).execute(&mut connection).await.unwrap();
                    hold.await;
                }
            }
        });
        is_locked.await.unwrap();
        let refused = save(&client, state("CA")).await;
        refused.assert_problem(503, "storage.unavailable");
        let sentence = "We could not save your application. Nothing was changed. Try again in a minute.";
        assert_eq!(refused.json()["error"], sentence);
        assert_eq!(client.get(PATH).send().await.json(), before);

        release.send(()).unwrap();
        lock.await.unwrap();
        assert_eq!(save(&client, state("CA")).await.json()["data"]["personalInfo"]["state"], "CA");
    }
}
