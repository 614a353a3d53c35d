//! Automatic enrolment: as soon as all requirements are met, whichever came last, and once.

use matricula::domain::moments::HOUR;
use matricula::domain::role::Role;
use serde_json::{Value, json};

use crate::contracts::{act, countersigned, ok, own, sent, signature, signed};
use crate::decisions::advance;
use crate::money::{book, path, payment, placed, placed_under, shared_plan};
use crate::office::{StaffClient, staff_client};
use crate::support::databases::{Database, story};
use crate::support::server::{Client, World};

/// An applicant who has accepted an offer with two conditions and said that their employer pays most of the tuition.
async fn planned(world: &World) -> (Client, String) {
    let (client, id) = placed_under(world, &["A diploma", "A test of English"]).await;
    ok(client.post("/api/users/funding").json(&shared_plan(0)).send().await).await;
    (client, id)
}

/// The same, with a contract that waits for the institute's signature.
async fn agreed(world: &World) -> (Client, String, String) {
    let (client, id) = planned(world).await;
    let contract = sent(world, &id).await;
    signed(&client, &contract).await;
    (client, id, contract)
}

/// Freshly logged in: a decision is held longer than a session of staff may be idle.
async fn office(world: &World) -> (StaffClient, StaffClient) {
    (staff_client(world, Role::Decider).await, staff_client(world, Role::Finance).await)
}

async fn stage(client: &Client) -> Value {
    client.get("/api/users/application").send().await.json()["stage"].clone()
}

async fn judge(decider: &StaffClient, id: &str, number: i64, state: &str, revision: i64) -> Value {
    let body = json!({ "state": state, "note": "Seen by demo staff.", "revision": revision });
    ok(decider.api("POST", &path(id, &format!("/conditions/{number}"))).json(&body).send().await).await
}

async fn confirm_employer(finance: &StaffClient, id: &str) {
    let funding = ok(finance.api("GET", &path(id, "/funding")).send().await).await;
    let body = json!({ "source": "employer", "state": "confirmed", "revision": funding["revision"] });
    ok(finance.api("POST", &path(id, "/funding/verdict")).json(&body).send().await).await;
}

async fn enrolments(database: &Database) -> (i64, i64) {
    let mails = database.count("outbox WHERE template = 'enrolled'").await;
    (database.count("stage_changes WHERE act = 'enrol'").await, mails)
}

const LAST: [&str; 4] = ["contract", "conditions", "employer", "payment"];

story! {
    async fn whatever_comes_last_enrols_once(database: Database) {
        let world = World::start(database.db()).await;
        for (enrolled, last) in LAST.into_iter().enumerate() {
            let (client, id, contract) = agreed(&world).await;
            let (decider, finance) = office(&world).await;
            let order = LAST.into_iter().filter(|thing| *thing != last).chain([last, last]);
            for (done, thing) in order.enumerate() {
                match thing {
                    "contract" => drop(countersigned(&world, &contract).await),
                    "conditions" => {
                        let before = ok(decider.api("GET", &path(&id, "/conditions")).send().await).await;
                        let seen = |at: usize| before["conditions"][at]["revision"].as_i64().unwrap();
                        judge(&decider, &id, 1, "met", seen(0)).await;
                        judge(&decider, &id, 2, "waived", seen(1)).await;
                    }
                    "employer" => confirm_employer(&finance, &id).await,
                    _ => drop(ok(book(&finance, &id, &format!("{id}-1"), payment("instalment-1", 100_000)).await).await),
                }
                let expected = if done < 3 { "confirmed" } else { "enrolled" };
                assert_eq!(stage(&client).await, expected, "{thing} as number {done}, {last} last");
            }
            // Requests sent twice have enrolled nobody twice.
            let times = enrolled as i64 + 1;
            assert_eq!(enrolments(&database).await, (times, times), "{last}");
        }
        // The welcome mail has the signed copy attached.
        let with_copy = "outbox WHERE template = 'enrolled' AND attachment LIKE '%application/pdf%' AND attachment LIKE '%\"base64\":\"JVBERi%'";
        assert_eq!(database.count(with_copy).await, 4);
        let actors = database.texts("SELECT DISTINCT actor FROM audit WHERE action = 'application.enrolled'").await;
        assert_eq!(actors, ["system"]);
    }

    async fn what_a_process_left_undone_is_done_within_the_hour(database: Database) {
        let world = World::start(database.db()).await;
        let (client, id, contract) = agreed(&world).await;
        let (decider, finance) = office(&world).await;
        countersigned(&world, &contract).await;
        judge(&decider, &id, 1, "met", 0).await;
        judge(&decider, &id, 2, "met", 0).await;
        ok(book(&finance, &id, "1", payment("instalment-1", 100_000)).await).await;
        // The verdict was written, and then the process died.
        database.run("UPDATE funding_sources SET state = 'confirmed'").await.unwrap();
        assert_eq!(stage(&client).await, "confirmed");
        world.app.plan_recurring().await.unwrap();
        advance(&world, HOUR).await;
        let client = client.log_in().await;
        assert_eq!((stage(&client).await, enrolments(&database).await), (json!("enrolled"), (1, 1)));

        // After somebody has undone it, it can only be done by hand.
        let (_, finance) = office(&world).await;
        let page = format!("/admin-panel/applications/{id}/enrolment");
        let asked = finance.see(&format!("{page}?act=unenrol")).send().await.assert_document(200, "adminAct");
        let revision = asked["props"]["frame"]["revision"].to_string();
        let fields = [("_action", "unenrol"), ("reason", "The payment was returned."), ("revision", revision.trim_matches('"'))];
        finance.send(&page, &fields).send().await.assert_redirect(303, &format!("/admin-panel/applications/{id}?done=unenrol"));
        advance(&world, HOUR).await;
        let client = client.log_in().await;
        assert_eq!((stage(&client).await, enrolments(&database).await), (json!("confirmed"), (1, 1)));
        let (_, finance) = office(&world).await;
        let asked = finance.see(&format!("{page}?act=enrol")).send().await.assert_document(200, "adminAct");
        let revision = asked["props"]["frame"]["revision"].to_string();
        let fields = [("_action", "enrol"), ("reason", "It came again."), ("revision", revision.trim_matches('"'))];
        finance.send(&page, &fields).send().await.assert_redirect(303, &format!("/admin-panel/applications/{id}?done=enrol"));
        assert_eq!((stage(&client).await, enrolments(&database).await), (json!("enrolled"), (2, 2)));
    }

    async fn what_was_signed_is_what_is_paid(database: Database) {
        let world = World::start(database.db()).await;
        let (client, id) = planned(&world).await;
        let (decider, finance) = office(&world).await;
        let contract = sent(&world, &id).await;
        ok(own(&client, &contract, "consent", json!({})).await).await;
        // The plan has changed meanwhile: neither party can sign a contract that no longer fits.
        let whole = json!({ "amounts": { "self_pay": 2_480_000 }, "upFront": 2_480_000, "monthly": 0, "revision": 1 });
        ok(finance.api("POST", &path(&id, "/funding")).json(&whole).send().await).await;
        own(&client, &contract, "sign", signature()).await.assert_problem(409, "contract.outdated");
        let back = shared_plan(2);
        ok(finance.api("POST", &path(&id, "/funding")).json(&back).send().await).await;
        ok(own(&client, &contract, "sign", signature()).await).await;
        let whole = json!({ "amounts": { "self_pay": 2_480_000 }, "upFront": 2_480_000, "monthly": 0, "revision": 3 });
        ok(finance.api("POST", &path(&id, "/funding")).json(&whole).send().await).await;
        let body = json!({ "signerName": decider.staff.name, "agree": true });
        act(&decider, &contract, "countersign", body).await.assert_problem(409, "contract.outdated");
    }

    async fn a_contract_waits_for_a_plan(database: Database) {
        let world = World::start(database.db()).await;
        let (client, id) = placed(&world).await;
        let (_, finance) = office(&world).await;
        let shown = |client: Client| async move {
            client.get("/dashboard").with_cookie(&client).header("accept", "application/json").send().await.json()["props"]["nextStep"]["title"].clone()
        };
        assert_eq!(shown(client.clone()).await, "Plan how you will pay");
        ok(finance.api("POST", &path(&id, "/contracts")).json(&json!({})).send().await).await;
        let draft = ok(finance.api("GET", &path(&id, "/contracts")).send().await).await;
        let contract = draft["contracts"][0]["id"].as_str().unwrap().to_owned();
        let refused = act(&finance, &contract, "send", json!({ "textSha256": "0".repeat(64) })).await;
        assert_eq!((refused.status, refused.json()["code"].as_str()), (422, Some("contract.funding")), "{refused:?}");
        ok(client.post("/api/users/funding").json(&shared_plan(0)).send().await).await;
        assert_eq!(shown(client.clone()).await, "We are preparing your contract");
        let draft = ok(finance.api("GET", &path(&id, "/contracts")).send().await).await;
        ok(act(&finance, &contract, "send", json!({ "textSha256": draft["draftSha256"] })).await).await;
        signed(&client, &contract).await;
        countersigned(&world, &contract).await;
        assert_eq!(shown(client).await, "Make your first payment");
    }

    async fn conditions_are_met_waived_or_failed(database: Database) {
        let world = World::start(database.db()).await;
        let (_, id) = planned(&world).await;
        let (decider, _) = office(&world).await;
        let call = path(&id, "/conditions");
        let open = ok(decider.api("GET", &call).send().await).await;
        let first = &open["conditions"][0];
        assert_eq!((&first["text"], &first["state"], &first["revision"]), (&json!("A diploma"), &json!("open"), &json!(0)));

        let failed = judge(&decider, &id, 1, "failed", 0).await;
        assert_eq!((&failed["conditions"][0]["state"], &failed["conditions"][0]["revision"]), (&json!("failed"), &json!(1)));
        // Repeating a verdict changes nothing; a different one based on an outdated view is refused.
        judge(&decider, &id, 1, "failed", 0).await;
        let stale = json!({ "state": "met", "note": "It came.", "revision": 0 });
        decider.api("POST", &format!("{call}/1")).json(&stale).send().await.assert_problem(412, "condition.stale");
        judge(&decider, &id, 1, "met", 1).await;

        for (number, body, status, code) in [
            ("3", json!({ "state": "met", "note": "x", "revision": 0 }), 404, "condition.not_found"),
            ("x", json!({ "state": "met", "note": "x", "revision": 0 }), 404, "condition.not_found"),
            ("2", json!({ "state": "open", "note": "x", "revision": 0 }), 422, "state.unknown"),
            ("2", json!({ "state": "met", "note": " ", "revision": 0 }), 422, "note.required"),
            ("2", json!({ "state": "met", "note": "x".repeat(1001), "revision": 0 }), 422, "note.too_long"),
            ("2", json!({ "state": "met", "note": "x" }), 422, "revision.required"),
        ] {
            let answer = decider.api("POST", &format!("{call}/{number}")).json(&body).send().await;
            assert_eq!((answer.status, answer.json()["code"].as_str()), (status, Some(code)), "{answer:?}");
        }
        let reviewer = staff_client(&world, Role::Reviewer).await;
        let body = json!({ "state": "met", "note": "x", "revision": 0 });
        reviewer.api("POST", &format!("{call}/2")).json(&body).send().await.assert_problem(403, "role.forbidden");

        // The page, as a browser without JavaScript gets it.
        let page = format!("/admin-panel/applications/{id}/conditions");
        let seen = decider.see(&format!("{page}?number=2")).send().await.assert_document(200, "adminConditions");
        assert_eq!(seen["props"]["judging"]["seen"], 0);
        let fields = [("number", "2"), ("seen", "0"), ("state", "waived"), ("note", "")];
        let again = decider.send(&page, &fields).send().await.assert_document(422, "adminConditions");
        assert!(again["props"]["form"]["errors"]["note"].is_string(), "{again}");
        assert_eq!(again["props"]["form"]["values"]["state"], "waived");
        let fields = [("number", "2"), ("seen", "0"), ("state", "waived"), ("note", "Studied in English.")];
        decider.send(&page, &fields).send().await.assert_redirect(303, &format!("{page}?done=condition"));
        assert_eq!(database.texts("SELECT state FROM offer_conditions ORDER BY number").await, ["met", "waived"]);
        // One for the offer, and one for each change.
        assert_eq!(database.count("outbox WHERE template = 'status-update'").await, 4);
    }
}
