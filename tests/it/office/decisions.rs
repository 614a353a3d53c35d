//! Decisions in the office: drafted, released now or at a set time, several at once, recalled and reversed.

use matricula::app::{Error, Refusal};
use matricula::domain::application::ApplicationKey;
use matricula::domain::decision::DraftSeen;
use matricula::domain::moments::{DAY, HOUR, MINUTE, Millis};
use matricula::domain::role::Role;
use serde_json::{Value, json};

use super::{StaffClient, entered, staff_client};
use crate::decisions::{acceptance, advance, rejection};
use crate::support::databases::{Database, story};
use crate::support::server::{Answer, Client, PASSWORD, START, World, complete_answers};

const LIST: &str = "/admin-panel/decisions";
const NOW: Millis = START as Millis;

async fn application_id(client: &Client) -> String {
    client.get("/api/users/application").send().await.json()["id"].as_str().unwrap().to_owned()
}

/// An applicant who has submitted, and their application.
async fn applied(world: &World) -> (Client, String) {
    let client = world.submitted().await;
    let id = application_id(&client).await;
    (client, id)
}

fn at(moment: Millis) -> String {
    jiff::Timestamp::from_millisecond(moment).unwrap().to_string()
}

fn path(id: &str, more: &str) -> String {
    format!("/api/admins/applications/{id}/decision{more}")
}

async fn post(member: &StaffClient, path: &str, body: Value) -> Answer {
    member.api("POST", path).json(&body).send().await
}

fn accept() -> Value {
    json!({ "outcome": "accept", "letter": "offer", "withoutDocuments": "Seen on paper", "conditions": ["A diploma"], "waiver": "Known to us" })
}

fn reject() -> Value {
    json!({ "outcome": "reject", "letter": "no_place", "withoutDocuments": "Seen on paper", "reasons": ["places", "goals"], "shownReasons": ["places"] })
}

/// Drafts over the API; returns the draft's id.
async fn drafted(member: &StaffClient, id: &str, body: Value) -> String {
    let answer = post(member, &path(id, ""), body).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.json()["draft"]["id"].as_str().unwrap().to_owned()
}

async fn stage(client: &Client) -> String {
    client.log_in().await.get("/api/users/application").send().await.json()["stage"].as_str().unwrap().to_owned()
}

async fn props(member: &StaffClient) -> Value {
    let page = member.see(LIST).header("accept", "application/json").send().await;
    assert_eq!(page.status, 200, "{page:?}");
    page.json()["props"].clone()
}

async fn sent(member: &StaffClient, fields: &[(&str, &str)]) -> Answer {
    member.send(LIST, fields).header("accept", "application/json").send().await
}

async fn count(database: &Database, sql: &str) -> usize {
    database.texts(sql).await.len()
}

story! {
    async fn a_decision_is_drafted_released_and_recalled_by_api(database: Database) {
        let world = World::start(database.db()).await;
        let (ada, id) = applied(&world).await;
        let decider = staff_client(&world, Role::Decider).await;
        let empty = decider.api("GET", &path(&id, "")).send().await;
        assert_eq!((&empty.json()["draft"], &empty.json()["stage"]), (&Value::Null, &json!("submitted")));
        let draft = drafted(&decider, &id, reject()).await;
        let told = decider.api("GET", &path(&id, "")).send().await.json();
        assert_eq!(told["draft"]["draftedBy"], decider.staff.id);
        assert_eq!(told["draft"]["reasons"], json!([{ "reason": "goals", "shown": false }, { "reason": "places", "shown": true }]));
        assert!(told["draft"]["letterText"].as_str().unwrap().contains("more good applications than places"));
        assert_eq!(stage(&ada).await, "submitted");

        // One person drafts, another releases.
        let releaser = staff_client(&world, Role::Owner).await;
        let revision = told["revision"].as_i64().unwrap();
        let release = json!({ "decision": draft });
        let stale = releaser.api("POST", &path(&id, "/release")).header("if-match", "\"99\"").json(&release).send().await;
        stale.assert_problem(412, "application.stale");
        assert_eq!(stale.json()["error"], "Another administrator changed this application. Reload to see the latest version.");
        for _ in 0..2 {
            let call = releaser.api("POST", &path(&id, "/release")).header("idempotency-key", "once");
            let released = call.json(&release).send().await;
            assert_eq!(released.status, 200, "{released:?}");
            let body = released.json();
            assert_eq!(body["revision"], revision + 1);
            let standing = &body["released"];
            assert_eq!((&standing["draftedBy"], &standing["releasedBy"]), (&json!(decider.staff.id), &json!(releaser.staff.id)));
            assert_eq!(standing["heldUntil"], at(NOW + 15 * MINUTE));
        }
        assert_eq!(stage(&ada).await, "submitted", "nothing shows within the hold");
        post(&releaser, &path(&id, "/reverse"), json!({ "reason": "A mistake" })).await.assert_problem(409, "decision.held");
        let recalled = post(&releaser, &path(&id, "/recall"), json!({})).await;
        assert_eq!((recalled.status, &recalled.json()["stage"]), (200, &json!("submitted")), "{recalled:?}");
        assert_eq!(recalled.json()["former"][0]["state"], "recalled");
        advance(&world, HOUR).await;
        assert_eq!(count(&database, "SELECT id FROM outbox WHERE template = 'status-update'").await, 0);

        // A decision the applicant knows is reversed with a reason, which the record does not repeat.
        let decider = entered(&world, &decider.staff).await;
        let draft = drafted(&decider, &id, accept()).await;
        assert_eq!(post(&decider, &path(&id, "/release"), json!({ "decision": draft })).await.status, 200);
        advance(&world, 15 * MINUTE).await;
        assert_eq!(stage(&ada).await, "offered");
        let decider = entered(&world, &decider.staff).await;
        post(&decider, &path(&id, "/recall"), json!({})).await.assert_problem(409, "decision.sent");
        post(&decider, &path(&id, "/reverse"), json!({})).await.assert_problem(422, "reason.required");
        let reversed = post(&decider, &path(&id, "/reverse"), json!({ "reason": "Meant for someone else" })).await;
        assert_eq!((reversed.status, &reversed.json()["stage"]), (200, &json!("submitted")), "{reversed:?}");
        assert_eq!(stage(&ada).await, "submitted");
        assert_eq!(count(&database, "SELECT id FROM audit WHERE detail LIKE '%someone else%' OR detail LIKE '%Known to us%'").await, 0);
        for mail in database.texts("SELECT subject || body_text FROM outbox").await {
            assert!(!mail.to_lowercase().contains("offer") && !mail.to_lowercase().contains("reject"), "{mail}");
        }
    }

    async fn nobody_decides_without_what_is_missing_but_for_a_reason(database: Database) {
        let world = World::start(database.db()).await;
        let decider = staff_client(&world, Role::Decider).await;
        let without = |reason: &str, mut body: Value| {
            body["withoutDocuments"] = json!(reason);
            body
        };
        for body in [accept(), reject()] {
            let (ada, id) = applied(&world).await;
            let release = async |draft: &str| post(&decider, &path(&id, "/release"), json!({ "decision": draft })).await;
            let draft = drafted(&decider, &id, without(" ", body.clone())).await;
            release(&draft).await.assert_problem(409, "documents.missing");
            let later = json!({ "decision": draft, "at": at(NOW + DAY) });
            post(&decider, &path(&id, "/release"), later).await.assert_problem(409, "documents.missing");
            let several = post(&decider, "/api/admins/decisions/release", json!({ "decisions": [draft] })).await.json();
            assert_eq!(several["results"][0]["code"], "documents.missing", "{several}");
            let page = decider.see(&format!("/admin-panel/applications/{id}/decision")).header("accept", "application/json");
            let props = page.send().await.json()["props"].clone();
            assert!(props["draft"]["problem"].as_str().unwrap().starts_with("A document is missing"), "{props}");
            let missing = props["missingText"].as_str().unwrap();
            assert!(missing.contains("Proof of identity"), "{missing}");
            assert_eq!(stage(&ada).await, "submitted");

            // With a reason, which the decision keeps; the record says that one was needed.
            let draft = drafted(&decider, &id, without("Seen on paper", body)).await;
            let released = release(&draft).await;
            assert_eq!((released.status, &released.json()["released"]["withoutDocuments"]), (200, &json!("Seen on paper")));
        }
        let told = "SELECT id FROM audit WHERE detail LIKE '%\"documentsMissing\":true%' AND detail NOT LIKE '%on paper%'";
        assert_eq!(count(&database, told).await, 2);

        // Missing documents are a reason to reject.
        let (_, id) = applied(&world).await;
        let body = json!({ "outcome": "reject", "letter": "no_place", "reasons": ["documents"], "shownReasons": [] });
        let draft = drafted(&decider, &id, body).await;
        assert_eq!(post(&decider, &path(&id, "/release"), json!({ "decision": draft })).await.status, 200);
    }

    async fn where_the_office_asks_for_two_people_nobody_releases_their_own_draft(database: Database) {
        let world = World::start(database.db()).await;
        let (owner, decider) = (staff_client(&world, Role::Owner).await, staff_client(&world, Role::Decider).await);
        let settings = owner.api("GET", "/api/admins/settings/decisions").send().await.json();
        let body = json!({ "replaces": settings["version"], "values": { "released-by": "another" } });
        assert_eq!(owner.api("PATCH", "/api/admins/settings/decisions").json(&body).send().await.status, 200);
        let (_, id) = applied(&world).await;
        let draft = drafted(&decider, &id, accept()).await;
        let release = json!({ "decision": draft });
        post(&decider, &path(&id, "/release"), release.clone()).await.assert_problem(409, "decision.own_draft");
        let row = &props(&decider).await["drafts"][0];
        assert_eq!(row["problem"], "You drafted this decision. Somebody else has to release it.");
        assert_eq!(props(&owner).await["drafts"][0]["problem"], Value::Null);
        assert_eq!(post(&owner, &path(&id, "/release"), release).await.status, 200);
    }

    async fn a_draft_that_is_sent_again_under_its_key_is_one_draft(database: Database) {
        let world = World::start(database.db()).await;
        let (_, id) = applied(&world).await;
        let decider = staff_client(&world, Role::Decider).await;
        let send = async |key: &str| {
            let answer = decider.api("POST", &path(&id, "")).header("idempotency-key", key).json(&reject()).send().await;
            assert_eq!(answer.status, 200, "{answer:?}");
            answer.json()["draft"]["id"].as_str().unwrap().to_owned()
        };
        let (first, again) = tokio::join!(send("once"), send("once"));
        assert_eq!((&first, &send("once").await), (&again, &first));
        assert_eq!(count(&database, "SELECT id FROM decisions").await, 1);
        assert_ne!(send("another").await, first);
        assert_eq!(send("once").await, send("another").await, "it does not come back in the place of a newer one");
        assert_eq!(count(&database, "SELECT id FROM decisions").await, 2);
    }

    async fn no_letter_can_tell_the_other_decision(database: Database) {
        let world = World::start(database.db()).await;
        let (ada, id) = applied(&world).await;
        let decider = staff_client(&world, Role::Decider).await;
        for (body, code) in [
            (json!({ "outcome": "reject", "letter": "offer", "withoutDocuments": "Seen on paper", "reasons": ["places"], "shownReasons": [] }), "decision.letter"),
            (json!({ "outcome": "accept", "letter": "no_place", "withoutDocuments": "Seen on paper" }), "decision.letter"),
            (json!({ "outcome": "accept", "letter": "offer", "withoutDocuments": "Seen on paper", "reasons": ["places"] }), "decision.misplaced"),
            (json!({ "outcome": "reject", "letter": "no_place", "withoutDocuments": "Seen on paper", "reasons": [], "shownReasons": [] }), "decision.reason"),
            (json!({ "outcome": "reject", "letter": "no_place", "withoutDocuments": "Seen on paper", "reasons": ["places"] }), "decision.shown_reasons"),
            (json!({ "outcome": "reject", "letter": "no_place", "withoutDocuments": "Seen on paper", "reasons": ["places"], "shownReasons": [], "stage": "rejected" }), "field.unknown"),
        ] {
            post(&decider, &path(&id, ""), body).await.assert_problem(422, code);
        }
        assert_eq!(database.count("decisions").await, 0);
        // A row that was tampered with is not read as something that could be released.
        let draft = drafted(&decider, &id, reject()).await;
        database.run("UPDATE decisions SET template = 'offer'").await.unwrap();
        let released = world.app.release_decision(&decider.staff, &draft, matricula::app::applications::acts::Preconditions::default()).await;
        assert!(matches!(released, Err(Error::Internal(_))), "{released:?}");
        assert!(world.store.decision(&draft).await.is_err());
        assert_eq!(stage(&ada).await, "submitted");
        assert_eq!(database.texts("SELECT state FROM decisions").await, ["draft"]);
    }

    async fn who_changes_a_draft_that_somebody_else_has_changed_is_told(database: Database) {
        let world = World::start(database.db()).await;
        let (_, id) = applied(&world).await;
        let (one, two) = (staff_client(&world, Role::Decider).await, staff_client(&world, Role::Decider).await);
        let with = |mut body: Value, replaces: Value| {
            body["replaces"] = replaces;
            body
        };
        let first = drafted(&one, &id, with(reject(), Value::Null)).await;
        // Sent twice by the same person, it is kept once.
        assert_eq!(drafted(&one, &id, with(reject(), Value::Null)).await, first);
        post(&two, &path(&id, ""), with(accept(), Value::Null)).await.assert_problem(409, "decision.changed");
        let second = drafted(&two, &id, with(accept(), json!(first))).await;
        post(&one, &path(&id, ""), with(reject(), json!(first))).await.assert_problem(409, "decision.changed");
        post(&one, &path(&id, "/release"), json!({ "decision": first })).await.assert_problem(404, "decision.none");
        assert_eq!(two.api("GET", &path(&id, "")).send().await.json()["draft"]["id"], second);
        // If two people draft at once, only one succeeds.
        let id_key = ApplicationKey::Id(&id);
        let seen = DraftSeen::This(&second);
        let (left, right) = tokio::join!(
            world.app.draft_decision(&one.staff, id_key, rejection(), seen),
            world.app.draft_decision(&two.staff, id_key, acceptance(&["Other"]), seen),
        );
        assert_eq!(i32::from(left.is_ok()) + i32::from(right.is_ok()), 1, "{left:?} {right:?}");
        let lost = left.and(right).unwrap_err();
        assert!(matches!(lost, Error::Refused(Refusal::DraftChanged)), "{lost:?}");
        for _ in 0..2 {
            assert_eq!(one.api("DELETE", &path(&id, "")).send().await.status, 204);
        }
        assert_eq!(count(&database, "SELECT id FROM decisions WHERE state = 'draft'").await, 0);
        assert_eq!(count(&database, "SELECT id FROM audit WHERE action = 'decision.discarded'").await, 1);
    }

    async fn what_applicants_will_see_asks_for_the_password_again(database: Database) {
        let world = World::start(database.db()).await;
        let (_, id) = applied(&world).await;
        let (decider, owner) = (staff_client(&world, Role::Decider).await, staff_client(&world, Role::Owner).await);
        let draft = drafted(&decider, &id, accept()).await;
        world.clock.advance(6 * MINUTE);
        let body = json!({ "decision": draft });
        post(&owner, &path(&id, "/release"), body.clone()).await.assert_problem(401, "auth.step_up");
        let several = json!({ "decisions": [draft] });
        post(&owner, "/api/admins/decisions/release", several).await.assert_problem(401, "auth.step_up");
        let page = format!("/admin-panel/applications/{id}/decision");
        let form = [("_action", "release"), ("decision", draft.as_str()), ("when", "now")];
        let asked = owner.send(&page, &form).send().await.assert_document(401, "adminStepUp");
        let carried = asked["props"]["fields"].as_array().unwrap();
        assert!(carried.contains(&json!({ "name": "carried.decision", "value": draft })), "{carried:?}");
        // Nobody can see a draft yet.
        drafted(&decider, &id, reject()).await;
        let again = json!({ "password": PASSWORD });
        assert_eq!(post(&owner, "/api/admins/step-up", again).await.status, 204);
        let draft = drafted(&decider, &id, accept()).await;
        let released = post(&owner, &path(&id, "/release"), json!({ "decision": draft })).await;
        assert_eq!(released.status, 200, "{released:?}");
        world.clock.advance(6 * MINUTE);
        assert_eq!(post(&owner, &path(&id, "/recall"), json!({})).await.status, 200, "a mistake is taken back at once");
    }

    async fn a_release_is_done_at_its_time_in_the_name_of_who_planned_it(database: Database) {
        let world = World::start(database.db()).await;
        let (ada, id) = applied(&world).await;
        let decider = staff_client(&world, Role::Decider).await;
        let draft = drafted(&decider, &id, accept()).await;
        let plan = |moment: Millis| json!({ "decision": draft, "at": at(moment) });
        post(&decider, &path(&id, "/release"), plan(NOW)).await.assert_problem(422, "at.past");
        let planned = post(&decider, &path(&id, "/release"), plan(NOW + 5 * HOUR)).await;
        assert_eq!((planned.status, &planned.json()["draft"]["releaseAt"]), (200, &json!(at(NOW + 5 * HOUR))), "{planned:?}");
        // Another time replaces the first.
        assert_eq!(post(&decider, &path(&id, "/release"), plan(NOW + 2 * HOUR)).await.status, 200);
        assert_eq!(count(&database, "SELECT id FROM jobs WHERE kind = 'decision-release'").await, 1);
        advance(&world, HOUR).await;
        assert_eq!(database.texts("SELECT state FROM decisions").await, ["draft"]);
        advance(&world, HOUR).await;
        assert_eq!(database.texts("SELECT state FROM decisions").await, ["released"]);
        assert_eq!(database.texts("SELECT released_by FROM decisions").await, [decider.staff.id.as_str()]);
        assert_eq!(stage(&ada).await, "submitted", "the hold begins with the release");
        advance(&world, 15 * MINUTE).await;
        assert_eq!(stage(&ada).await, "offered");
        assert_eq!(count(&database, "SELECT id FROM outbox WHERE template = 'status-update'").await, 1);
        assert_eq!(count(&database, "SELECT id FROM jobs WHERE kind = 'decision-release'").await, 0);
    }

    async fn a_planned_release_that_is_not_meant_any_more_is_not_done(database: Database) {
        let world = World::start(database.db()).await;
        let decider = staff_client(&world, Role::Decider).await;
        let plan = async |id: &str, body: Value| {
            let draft = drafted(&decider, id, body).await;
            let planned = json!({ "decision": draft, "at": at(NOW + HOUR) });
            assert_eq!(post(&decider, &path(id, "/release"), planned).await.status, 200);
        };
        let (dropped, redrafted, withdrawn) = (applied(&world).await, applied(&world).await, applied(&world).await);
        for (_, id) in [&dropped, &redrafted, &withdrawn] {
            plan(id, accept()).await;
        }
        for _ in 0..2 {
            assert_eq!(decider.api("DELETE", &path(&dropped.1, "/release")).send().await.status, 204);
        }
        drafted(&decider, &redrafted.1, reject()).await;
        let withdraw = withdrawn.0.post("/api/users/application/withdraw").json(&json!({ "reason": "No times" }));
        assert_eq!(withdraw.send().await.status, 200);
        advance(&world, 2 * HOUR).await;
        assert_eq!(count(&database, "SELECT id FROM decisions WHERE state = 'released'").await, 0);
        assert_eq!(count(&database, "SELECT id FROM decisions WHERE release_at IS NOT NULL").await, 0);
        assert_eq!(count(&database, "SELECT id FROM jobs WHERE kind = 'decision-release'").await, 0);
        let told = database.texts("SELECT subject FROM staff_tasks WHERE kind = 'release-failed'").await;
        assert_eq!(told, [format!("application:{}", withdrawn.1)]);

        // Nothing is released in the name of somebody who no longer may.
        let decider = entered(&world, &decider.staff).await;
        let (_, id) = applied(&world).await;
        let draft = drafted(&decider, &id, accept()).await;
        let planned = json!({ "decision": draft, "at": at(NOW + 4 * HOUR) });
        assert_eq!(post(&decider, &path(&id, "/release"), planned).await.status, 200);
        database.run(&format!("UPDATE staff SET role = 'viewer' WHERE id = '{}'", decider.staff.id)).await.unwrap();
        advance(&world, 2 * HOUR).await;
        assert_eq!(count(&database, "SELECT id FROM decisions WHERE state = 'released'").await, 0);
        assert_eq!(count(&database, "SELECT id FROM staff_tasks WHERE kind = 'release-failed' AND done_at IS NULL").await, 2);
        // A new draft is what the task asked for.
        drafted(&staff_client(&world, Role::Owner).await, &id, reject()).await;
        assert_eq!(count(&database, "SELECT id FROM staff_tasks WHERE kind = 'release-failed' AND done_at IS NULL").await, 1);
    }

    async fn several_are_released_after_a_look_and_each_by_itself(database: Database) {
        let world = World::start(database.db()).await;
        let decider = staff_client(&world, Role::Decider).await;
        let (one, two, three) = (applied(&world).await, applied(&world).await, applied(&world).await);
        let first = drafted(&decider, &one.1, accept()).await;
        let second = drafted(&decider, &two.1, reject()).await;
        // Without an interview, and without a reason for that.
        let third = drafted(&decider, &three.1, json!({ "outcome": "accept", "letter": "offer", "withoutDocuments": "Seen on paper" })).await;
        let seen = props(&decider).await;
        assert_eq!(seen["drafts"].as_array().unwrap().len(), 3);
        assert_eq!(seen["drafts"][2]["problem"], "Hold the interview first, or waive it with a reason.");

        let nothing = sent(&decider, &[("_action", "choose")]).await;
        assert_eq!((nothing.status, &nothing.json()["props"]["form"]["errors"]["decisions"]), (422, &json!("Choose at least one decision.")));
        let all = sent(&decider, &[("_action", "all")]).await.json();
        assert_eq!((all["props"]["step"]["rows"].as_array().unwrap().len(), &all["props"]["step"]["done"]), (3, &json!(false)));
        assert_eq!(count(&database, "SELECT id FROM decisions WHERE state = 'released'").await, 0, "a look changes nothing");

        let chosen = [("decision", first.as_str()), ("decision", second.as_str()), ("decision", third.as_str())];
        let with = |more: &[(&'static str, &'static str)]| [&chosen[..], more].concat();
        let unsure = sent(&decider, &with(&[("_action", "release"), ("when", "now"), ("count", "2")])).await;
        assert_eq!(unsure.status, 422);
        let unsure = unsure.json();
        assert_eq!(unsure["props"]["form"]["errors"]["count"], "Type 3 to confirm how many decisions are released.");
        assert_eq!(unsure["props"]["step"]["rows"].as_array().unwrap().len(), 3, "the choice stays");
        let timeless = sent(&decider, &with(&[("_action", "release"), ("when", "later"), ("count", "3")])).await;
        assert_eq!(timeless.json()["props"]["form"]["errors"]["at"], "Choose a day and a time.");
        assert_eq!(count(&database, "SELECT id FROM decisions WHERE state = 'released'").await, 0);

        for again in [false, true] {
            let done = sent(&decider, &with(&[("_action", "release"), ("when", "now"), ("count", "3")])).await;
            assert_eq!(done.status, 200, "{done:?}");
            let rows = done.json()["props"]["step"]["rows"].clone();
            let result = if again { "It was so already" } else { "Released: it can be recalled for 15 minutes" };
            assert_eq!((&rows[0]["result"], &rows[1]["result"]), (&json!(result), &json!(result)));
            assert_eq!((&rows[2]["failed"], &rows[2]["result"]), (&json!(true), &json!("Hold the interview first, or waive it with a reason.")));
        }
        assert_eq!(count(&database, "SELECT id FROM stage_changes WHERE act IN ('offer', 'reject')").await, 2);
        let seen = props(&decider).await;
        assert_eq!((seen["drafts"].as_array().unwrap().len(), seen["held"].as_array().unwrap().len()), (1, 2));

        let recalled = sent(&decider, &[("_action", "recall"), ("held", &second)]).await;
        assert_eq!(recalled.json()["props"]["step"]["rows"][0]["failed"], false, "{recalled:?}");
        assert_eq!(stage(&two.0).await, "submitted");
        advance(&world, 15 * MINUTE).await;
        assert_eq!(stage(&one.0).await, "offered");
        let decider = entered(&world, &decider.staff).await;
        let late = sent(&decider, &[("_action", "recall"), ("held", &first)]).await.json();
        assert_eq!(late["props"]["step"]["rows"][0]["failed"], true);
        assert_eq!(props(&decider).await["held"], json!([]));
        assert_eq!(count(&database, "SELECT id FROM outbox WHERE template = 'status-update'").await, 1);
    }

    async fn several_are_released_at_a_time_on_the_institutes_clock(database: Database) {
        let world = World::start(database.db()).await;
        let decider = staff_client(&world, Role::Decider).await;
        let (one, two) = (applied(&world).await, applied(&world).await);
        let first = drafted(&decider, &one.1, accept()).await;
        let second = drafted(&decider, &two.1, reject()).await;
        let fields = [
            ("decision", first.as_str()), ("decision", second.as_str()), ("_action", "release"), ("when", "later"),
            ("day", "2026-05-05"), ("time", "07:00"), ("count", "2"),
        ];
        let planned = sent(&decider, &fields).await.json();
        assert_eq!(planned["props"]["step"]["rows"][1]["result"], "Planned");
        assert_eq!(planned["props"]["drafts"][0]["plannedText"], "Tue, May 5, 2026, 7:00\u{a0}AM CDT");
        let dropped = sent(&decider, &[("_action", "unplan"), ("decision", &second)]).await;
        assert_eq!(dropped.status, 200, "{dropped:?}");
        advance(&world, DAY).await;
        let decider = entered(&world, &decider.staff).await;
        assert_eq!(database.texts("SELECT state FROM decisions ORDER BY drafted_at, id").await.iter().filter(|state| *state == "released").count(), 1);
        assert_eq!((stage(&two.0).await, props(&decider).await["drafts"].as_array().unwrap().len()), ("submitted".into(), 1));
    }

    async fn several_are_released_by_api(database: Database) {
        let world = World::start(database.db()).await;
        let decider = staff_client(&world, Role::Decider).await;
        let (one, two) = (applied(&world).await, applied(&world).await);
        let first = drafted(&decider, &one.1, accept()).await;
        let second = drafted(&decider, &two.1, reject()).await;
        let list = decider.api("GET", "/api/admins/decisions").send().await.json();
        assert_eq!((&list["draftCount"], list["drafts"].as_array().unwrap().len()), (&json!(2), 2));
        let body = json!({ "decisions": [first, second, "no-such-decision"] });
        let released = post(&decider, "/api/admins/decisions/release", body.clone()).await.json();
        let outcomes = |answer: &Value| -> Vec<String> {
            let results = answer["results"].as_array().unwrap();
            results.iter().map(|result| result["outcome"].as_str().unwrap().to_owned()).collect()
        };
        assert_eq!(outcomes(&released), ["released", "released", "failed"]);
        assert_eq!(released["results"][2]["code"], "decision.none");
        let again = post(&decider, "/api/admins/decisions/release", body).await.json();
        assert_eq!(outcomes(&again), ["unchanged", "unchanged", "failed"]);
        for expected in [["recalled", "recalled"], ["unchanged", "unchanged"]] {
            let recalled = post(&decider, "/api/admins/decisions/recall", json!({ "decisions": [first, second] })).await.json();
            assert_eq!(outcomes(&recalled), expected);
        }
        // Sent again after the recall, it releases nothing.
        let replayed = post(&decider, "/api/admins/decisions/release", json!({ "decisions": [first] })).await.json();
        assert_eq!(replayed["results"][0]["code"], "decision.changed");
        let many: Vec<String> = (0..201).map(|n| n.to_string()).collect();
        post(&decider, "/api/admins/decisions/release", json!({ "decisions": many })).await.assert_problem(422, "decisions.range");
        post(&decider, "/api/admins/decisions/release", json!({ "decisions": "all" })).await.assert_problem(422, "decisions.type");
    }

    async fn who_decides_nothing_sees_and_changes_nothing(database: Database) {
        let world = World::start(database.db()).await;
        let (ada, id) = applied(&world).await;
        let decider = staff_client(&world, Role::Decider).await;
        let draft = drafted(&decider, &id, accept()).await;
        for role in [Role::Viewer, Role::Interviewer, Role::Reviewer, Role::Finance] {
            let other = staff_client(&world, role).await;
            other.api("GET", &path(&id, "")).send().await.assert_problem(403, "role.forbidden");
            for (call, body) in [("", reject()), ("/release", json!({ "decision": draft })), ("/recall", json!({})), ("/reverse", json!({ "reason": "No" }))] {
                post(&other, &path(&id, call), body).await.assert_problem(403, "role.forbidden");
            }
            let several = json!({ "decisions": [draft] });
            post(&other, "/api/admins/decisions/release", several).await.assert_problem(403, "role.forbidden");
            assert_eq!(other.see(LIST).send().await.status, 403);
            assert_eq!(sent(&other, &[("_action", "release"), ("decision", &draft), ("when", "now"), ("count", "1")]).await.status, 403);
            // The use cases check again, whoever calls them.
            let drafted = world.app.draft_decision(&other.staff, ApplicationKey::Id(&id), rejection(), DraftSeen::Any).await;
            assert!(matches!(drafted, Err(Error::NotAllowed(_))), "{drafted:?}");
            let planned = world.app.plan_release(&other.staff, &world.app.drafted(&id).await.unwrap().unwrap(), NOW + HOUR).await;
            assert!(matches!(planned, Err(Error::Refused(Refusal::RoleForbidden))), "{planned:?}");
        }
        assert_eq!(database.texts("SELECT state FROM decisions").await, ["draft"]);
        // An application that is not in the list is not found.
        let beginner = world.register().await;
        assert_eq!(beginner.post("/api/users/application").json(&complete_answers()).send().await.status, 200);
        let draft_of_hers = application_id(&beginner).await;
        for id in [draft_of_hers.as_str(), "1%20OR%201=1", "nobody"] {
            post(&decider, &path(id, ""), accept()).await.assert_problem(404, "application.not_found");
            decider.api("GET", &path(id, "")).send().await.assert_problem(404, "application.not_found");
        }
        assert_eq!(stage(&ada).await, "submitted");
    }
}
