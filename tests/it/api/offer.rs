//! Offers over HTTP: reading a decision, replying, undoing a decline, requesting a later start.

use matricula::domain::moments::MINUTE;
use matricula::domain::role::Role;
use serde_json::json;

use crate::decisions::{acceptance, advance, decide, rejection, staff, submitted};
use crate::support::databases::story;
use crate::support::server::World;

const OFFER: &str = "/api/users/offer";

story! {
    async fn an_offer_is_read_and_taken(database: Database) {
        let world = World::start(database.db()).await;
        let client = submitted(&world).await;
        world.register().await.get(OFFER).send().await.assert_problem(404, "application.none");
        client.get(OFFER).send().await.assert_problem(404, "decision.none");
        let decider = staff(&world, Role::Decider).await;
        decide(&world, &client, &decider, acceptance(&["A diploma by June"])).await;
        client.get(OFFER).send().await.assert_problem(404, "decision.none");
        client.post(OFFER).json(&json!({ "reply": "accept" })).send().await.assert_problem(409, "status.transition");

        advance(&world, 15 * MINUTE).await;
        let client = client.log_in().await;
        let read = client.get(OFFER).send().await;
        let body = read.json();
        assert_eq!((read.status, read.header("cache-control")), (200, "no-store"));
        assert_eq!((&body["outcome"], &body["conditions"], &body["intake"]), (&json!("accept"), &json!(["A diploma by June"]), &json!("2026-08")));
        assert_eq!(body["offer"], json!({ "openUntil": "2026-06-04T05:00:00Z", "reply": null, "repliedAt": null }));
        assert_eq!(body["laterIntakes"], json!(["2027-01", "2027-08", "2028-01"]));
        assert!(body["letter"].as_str().unwrap().starts_with("Dear Demo Sample,"));

        for (bad, code) in [
            (json!({}), "reply.required"),
            (json!({ "reply": "perhaps" }), "reply.unknown"),
            (json!({ "reply": "accept", "revision": 4 }), "field.unknown"),
            (json!({ "reply": "decline", "reason": "x".repeat(1001) }), "reason.too_long"),
        ] {
            client.post(OFFER).json(&bad).send().await.assert_problem(422, code);
        }
        client.post(OFFER).header("if-match", "\"1\"").json(&json!({ "reply": "accept" })).send().await
            .assert_problem(412, "application.stale");
        let accept = || client.post(OFFER).header("idempotency-key", "one").json(&json!({ "reply": "accept" })).send();
        let answers = futures::future::join_all((0..4).map(|_| accept())).await;
        for accepted in &answers {
            assert_eq!((accepted.status, &accepted.json()["stage"]), (200, &json!("confirmed")), "{accepted:?}");
        }
        assert_eq!(answers[0].header("etag"), format!("\"{}\"", answers[0].json()["revision"]));
        assert_eq!(database.count("stage_changes").await, 3);
        let read = client.get(OFFER).send().await.json();
        assert_eq!((&read["offer"]["reply"], &read["deferral"]), (&json!("accept"), &json!(null)));
        client.post(OFFER).json(&json!({ "reply": "decline" })).send().await.assert_problem(409, "status.transition");
    }

    async fn a_decline_can_be_undone_and_a_later_start_asked_for(database: Database) {
        let world = World::start(database.db()).await;
        let client = submitted(&world).await;
        let decider = staff(&world, Role::Decider).await;
        let later = |intake: &'static str| json!({ "intake": intake, "reason": "Deployment" });
        client.post("/api/users/deferral-request").json(&later("2027-01")).send().await.assert_problem(409, "status.transition");
        decide(&world, &client, &decider, acceptance(&[])).await;
        advance(&world, 15 * MINUTE).await;
        let client = client.log_in().await;
        let declined = client.post(OFFER).json(&json!({ "reply": "decline", "reason": "I move" })).send().await;
        assert_eq!((declined.status, &declined.json()["status"]), (200, &json!("none")), "{declined:?}");
        client.get(OFFER).send().await.assert_problem(404, "application.none");
        let undone = client.post("/api/users/application/undo-decline").send().await;
        assert_eq!((undone.status, &undone.json()["stage"]), (200, &json!("offered")), "{undone:?}");
        client.post("/api/users/application/undo-decline").send().await.assert_problem(404, "application.none");

        for (bad, code) in [
            (json!({}), "intake.required"),
            (json!({ "intake": "2027-02" }), "intake.unknown"),
            (json!({ "intake": 2027 }), "intake.type"),
            (json!({ "intake": "2026-08" }), "intake.range"),
        ] {
            client.post("/api/users/deferral-request").json(&bad).send().await.assert_problem(422, code);
        }
        let asked = client.post("/api/users/deferral-request").json(&later("2027-01")).send().await;
        assert_eq!((asked.status, asked.json()), (201, json!({ "intake": "2027-01", "granted": false })), "{asked:?}");
        assert_eq!(client.get(OFFER).send().await.json()["deferral"]["intake"], "2027-01");
    }

    async fn a_rejection_is_read_and_offers_nothing(database: Database) {
        let world = World::start(database.db()).await;
        let client = submitted(&world).await;
        decide(&world, &client, &staff(&world, Role::Owner).await, rejection()).await;
        advance(&world, 15 * MINUTE).await;
        let client = client.log_in().await;
        let body = client.get(OFFER).send().await.json();
        assert_eq!((&body["outcome"], &body["offer"], &body["laterIntakes"]), (&json!("reject"), &json!(null), &json!([])));
        assert!(!body.to_string().contains("experience"), "a reason that was not to be told: {body}");
        client.post(OFFER).json(&json!({ "reply": "accept" })).send().await.assert_problem(409, "status.transition");
    }
}
