//! Finance's view across all applications: its lists, the months, and the exports for other systems.

use std::fmt::Write;

use matricula::domain::moments::MINUTE;
use matricula::domain::role::Role;
use serde_json::{Value, json};

use super::{StaffClient, staff_client};
use crate::contracts::ok;
use crate::decisions::advance;
use crate::money::{book, path, payment, placed, shared_plan};
use crate::support::databases::{Database, story};
use crate::support::rows::NOW;
use crate::support::server::World;

const PAGE: &str = "/admin-panel/finance";
const CALL: &str = "/api/admins/finance";

/// An applicant whose employer pays most, with a plan that began in April: one payment is overdue, one due in May.
async fn behind(world: &World, database: &Database) -> String {
    let (client, id) = placed(world).await;
    ok(client.post("/api/users/funding").json(&shared_plan(0)).send().await).await;
    database.run("UPDATE funding_plans SET first_due = '2026-04-20'").await.unwrap();
    id
}

async fn list(member: &StaffClient, list: &str) -> Value {
    ok(member.api("GET", &format!("{CALL}?list={list}")).send().await).await
}

/// The entries of a list, in order: the line or id, and the cents.
fn told(list: &Value) -> Vec<(String, i64)> {
    let item = |item: &Value| {
        let name = item["line"].as_str().or(item["id"].as_str()).unwrap();
        (name.to_owned(), item["cents"].as_i64().unwrap_or_default())
    };
    list["items"].as_array().unwrap().iter().map(item).collect()
}

fn rows(items: &[(&str, i64)]) -> Vec<(String, i64)> {
    items.iter().map(|(name, cents)| ((*name).to_owned(), *cents)).collect()
}

async fn props(member: &StaffClient, more: &str) -> Value {
    member.see(&format!("{PAGE}{more}")).send().await.assert_document(200, "adminFinance")["props"].clone()
}

fn labels(props: &Value) -> Vec<String> {
    props["tabs"].as_array().unwrap().iter().map(|tab| tab["label"].as_str().unwrap().to_owned()).collect()
}

fn event(id: &str, application: &str, at: i64) -> String {
    format!(
        "INSERT INTO provider_events (id, kind, object_id, cents, application_id, state, note, told_at, received_at) \
         VALUES ('{id}', 'payment_intent.succeeded', 'pi_{id}', 12050, {application}, 'unmatched', '', {at}, {at});"
    )
}

story! {
    async fn what_is_due_follows_from_plans_and_ledgers(database: Database) {
        let world = World::start(database.db()).await;
        let id = behind(&world, &database).await;
        let finance = staff_client(&world, Role::Finance).await;
        let overdue = list(&finance, "overdue").await;
        assert_eq!(told(&overdue), rows(&[("instalment-1", 100_000)]));
        assert_eq!((&overdue["items"][0]["due"], &overdue["items"][0]["applicationId"]), (&json!("2026-04-20"), &json!(id)));
        assert_eq!(overdue["counts"], json!({ "due": 1, "overdue": 1, "failed": 0, "refunds": 0, "approvals": 0, "unmatched": 0 }));
        assert_eq!(told(&list(&finance, "due").await), rows(&[("instalment-2", 30_000)]));

        // The employer's confirmed amount is due with the first payment; what is already paid is not.
        database.run("UPDATE funding_sources SET state = 'confirmed'").await.unwrap();
        ok(book(&finance, &id, "1", payment("instalment-1", 40_000)).await).await;
        assert_eq!(told(&list(&finance, "overdue").await), rows(&[("instalment-1", 100_000)]), "it is kept for a minute");
        advance(&world, MINUTE).await;
        let overdue = list(&finance, "overdue").await;
        assert_eq!(told(&overdue), rows(&[("instalment-1", 60_000), ("source-employer", 2_279_999)]));

        let page = props(&finance, "?list=overdue").await;
        assert_eq!(labels(&page), ["Due (1)", "Overdue (2)", "Failed (0)", "Refunds waiting (0)", "To approve (0)", "Unmatched (0)"]);
        let row = &page["rows"][0];
        assert_eq!((&row["what"], &row["amountText"], &row["dayText"]), (&json!("Payment 1"), &json!("$600"), &json!("April 20, 2026")));
        assert_eq!(row["href"], format!("/admin-panel/applications/{id}/funding"));
        assert!((13..=14).contains(&row["daysOver"].as_i64().unwrap()), "{row}");
        assert!(row["reference"].as_str().unwrap().starts_with('B') && row["name"].as_str().unwrap().len() > 2, "{row}");
        assert_eq!(props(&finance, "?list=failed").await["empty"], "No charge has failed.");

        // The months: what was expected and what came in, and nothing that was waived.
        let waive = json!({ "action": "waive", "line": "instalment-2", "reason": "Granted" });
        ok(book(&finance, &id, "w", waive).await).await;
        advance(&world, MINUTE).await;
        let figures = ok(finance.api("GET", &format!("{CALL}/figures")).send().await).await;
        let months = figures["months"].as_array().unwrap();
        let month = |name: &str| {
            let month = months.iter().find(|month| month["month"] == name).unwrap();
            (month["expected"].as_i64().unwrap(), month["received"].as_i64().unwrap())
        };
        assert_eq!((months.len(), &months[0]["month"], &months[11]["month"]), (12, &json!("2025-11"), &json!("2026-10")));
        assert_eq!(month("2026-04"), (100_000 + 2_279_999, 0));
        assert_eq!((month("2026-05"), month("2026-06"), month("2026-08")), ((0, 40_000), (30_000, 0), (10_001, 0)));
        let page = props(&finance, "").await;
        assert_eq!((&page["months"][5]["month"], &page["months"][5]["expectedText"]), (&json!("April\u{a0}2026"), &json!("$23,799.99")));
        assert_eq!(page["months"][6]["receivedText"], "$400");

        // A plan that waits for a later start is not due, and neither is one of a closed application.
        for stage in ["deferred", "archived"] {
            database.run(&format!("UPDATE applications SET stage = '{stage}'")).await.unwrap();
            advance(&world, MINUTE).await;
            let counts = list(&finance, "due").await["counts"].clone();
            assert_eq!((&counts["due"], &counts["overdue"]), (&json!(0), &json!(0)), "{stage}");
        }
        database.run("UPDATE applications SET stage = 'enrolled'").await.unwrap();
        advance(&world, MINUTE).await;
        assert_eq!(told(&list(&finance, "overdue").await).len(), 2);
    }

    async fn pages_have_fifty_rows_and_go_on_where_they_ended(database: Database) {
        let world = World::start(database.db()).await;
        let (client, id) = placed(&world).await;
        let plan = json!({ "amounts": { "self_pay": 2_480_000 }, "upFront": 0, "monthly": 110_000, "revision": 0 });
        ok(client.post("/api/users/funding").json(&plan).send().await).await;
        // More than the rules allow: 62 payments, the last of which was due last year.
        database.run("UPDATE funding_plans SET monthly = 40000, first_due = '2020-01-31'").await.unwrap();
        let events: String = (0..51).map(|n| event(&format!("evt_{n:02}"), "NULL", NOW - n)).collect();
        database.run(&events).await.unwrap();
        let finance = staff_client(&world, Role::Finance).await;
        let first = list(&finance, "overdue").await;
        assert_eq!((first["items"].as_array().unwrap().len(), &first["counts"]["overdue"]), (50, &json!(62)));
        let next = first["next"].as_str().unwrap().replace('/', "%2F");
        let second = list(&finance, &format!("overdue&after={next}")).await;
        assert_eq!((second["items"].as_array().unwrap().len(), second.get("next")), (12, None));
        assert_eq!((&first["items"][49]["line"], &second["items"][0]["line"]), (&json!("instalment-50"), &json!("instalment-51")));
        assert_eq!(second["items"][0]["applicationId"], json!(id));

        let page = props(&finance, "?list=unmatched").await;
        let work = finance.see("/admin-panel/work").send().await.assert_document(200, "adminWork");
        assert_eq!(work["props"]["unplaced"], json!({ "count": 51, "href": "/admin-panel/finance?list=unmatched" }));
        assert_eq!((page["rows"].as_array().unwrap().len(), &page["rows"][0]["id"]), (50, &json!("evt_50")));
        let next = page["nextHref"].as_str().unwrap();
        let last = finance.see(next).send().await.assert_document(200, "adminFinance");
        assert_eq!((last["props"]["rows"].as_array().unwrap().len(), &last["props"]["rows"][0]["id"]), (1, &json!("evt_00")));
        assert_eq!(last["props"]["nextHref"], Value::Null);
        finance.api("GET", &format!("{CALL}?list=all")).send().await.assert_problem(422, "list.unknown");
        // An invalid position starts from the beginning.
        assert_eq!(list(&finance, "overdue&after=nowhere").await["items"][0], first["items"][0]);
    }

    async fn charges_that_failed_tell_what_the_provider_said(database: Database) {
        let world = World::start(database.db()).await;
        let id = behind(&world, &database).await;
        for (number, state) in [(1, "failed"), (2, "stopped"), (3, "paid")] {
            let sql = format!(
                "INSERT INTO card_charges (application_id, line, cents, state, round, saves_card, failures, failure, \
                 first_failed_at, changed_at, revision) \
                 VALUES ('{id}', 'instalment-{number}', 30000, '{state}', 1, 1, 2, 'Your card was declined.', {at}, {at}, 1)",
                at = NOW + number,
            );
            database.run(&sql).await.unwrap();
        }
        let decider = staff_client(&world, Role::Decider).await;
        assert_eq!(told(&list(&decider, "failed").await), rows(&[("instalment-1", 30_000), ("instalment-2", 30_000)]));
        let page = props(&decider, "?list=failed").await;
        assert_eq!((&page["rows"][0]["note"], &page["noteHead"]), (&json!("Your card was declined."), &json!("What the provider said")));
        assert_eq!((&page["rows"][1]["what"], &page["rows"][1]["dayText"]), (&json!("Payment 2, not tried again"), &json!("May 20, 2026")));
    }

    async fn what_nobody_could_place_is_settled_with_a_note(database: Database) {
        let world = World::start(database.db()).await;
        let id = behind(&world, &database).await;
        let mut sql = event("evt_1", &format!("'{id}'"), NOW) + &event("evt_2", "NULL", NOW + 1);
        write!(
            sql,
            "INSERT INTO staff_tasks (id, kind, subject, detail, created_at) \
             VALUES ('t1', 'refund', 'application:{id}', '{{\"cents\":5000}}', {NOW});",
        )
        .unwrap();
        database.run(&sql).await.unwrap();
        let finance = staff_client(&world, Role::Finance).await;
        // More than a line asks for belongs to no line.
        ok(book(&finance, &id, "1", payment("instalment-1", 100_500)).await).await;
        assert_eq!(told(&list(&finance, "unmatched").await), rows(&[("evt_1", 12_050), ("evt_2", 12_050), (&id, 500)]));
        assert_eq!(told(&list(&finance, "refunds").await), rows(&[("t1", 5_000)]));

        let decider = staff_client(&world, Role::Decider).await;
        assert_eq!(props(&decider, "?list=unmatched").await["rows"][0]["settleHref"], Value::Null);
        assert_eq!(decider.send(PAGE, &[("_action", "place"), ("about", "evt_1"), ("note", "x")]).send().await.status, 403);
        let place = |id: &str, note: &str| {
            let call = finance.api("POST", &format!("{CALL}/unmatched/{id}/place"));
            let body = json!({ "note": note });
            async move { call.json(&body).send().await }
        };
        place("evt_2", " ").await.assert_problem(422, "note.required");
        place("evt_9", "There is none").await.assert_problem(409, "finance.settled");
        for _ in 0..2 {
            assert_eq!(place("evt_2", "It was a test payment.").await.status, 204);
        }
        place("evt_2", "It was another’s.").await.assert_problem(409, "finance.settled");

        // The same by forms, without JavaScript.
        let page = props(&finance, "?list=unmatched").await;
        let href = page["rows"][0]["settleHref"].as_str().unwrap().to_owned();
        let open = finance.see(&href).send().await;
        assert!(open.text.contains("What became of $120.50"), "{}", open.text);
        let bare = finance.send(PAGE, &[("_action", "place"), ("about", "evt_1"), ("note", "")]).send().await;
        let bare = bare.assert_document(422, "adminFinance");
        assert!(bare["props"]["form"]["errors"]["note"].is_string() && bare["props"]["task"]["about"] == "evt_1", "{bare}");
        let fields = [("_action", "place"), ("about", "evt_1"), ("note", "Noted for Payment 1.")];
        finance.send(PAGE, &fields).send().await.assert_redirect(303, &format!("{PAGE}?list=unmatched&done=placed"));
        let fields = [("_action", "refund"), ("about", "t1"), ("note", "Nothing goes back.")];
        for _ in 0..2 {
            finance.send(PAGE, &fields).send().await.assert_redirect(303, &format!("{PAGE}?list=refunds&done=refund"));
        }
        let other = staff_client(&world, Role::Owner).await;
        let late = other.send(PAGE, &fields).send().await;
        assert_eq!(late.status, 409);
        assert!(late.text.contains("Somebody else has settled this meanwhile."), "{}", late.text);
        let done = props(&finance, "?list=refunds&done=refund").await;
        assert_eq!(done["form"]["message"], "The task about the refund is done.");
        assert_eq!(labels(&done)[3..], ["Refunds waiting (0)", "To approve (0)", "Unmatched (1)"]);

        assert_eq!(database.texts("SELECT note FROM provider_events ORDER BY id").await, ["Noted for Payment 1.", "It was a test payment."]);
        assert_eq!(database.texts("SELECT body FROM application_notes").await, ["About the refund: Nothing goes back."]);
        let audited = database.texts("SELECT action || ' ' || subject FROM audit WHERE action IN ('payment.placed', 'refund.closed') ORDER BY happened_at, id").await;
        assert_eq!(audited.len(), 3, "{audited:?}");
        assert!(audited.contains(&format!("payment.placed application:{id}")) && audited.contains(&"payment.placed provider-event:evt_2".to_owned()));
        assert_eq!(database.count("audit WHERE detail LIKE '%goes back%' OR detail LIKE '%Noted%'").await, 0, "the record has no words of anybody");
        let timeline = finance.see(&format!("/admin-panel/applications/{id}/timeline")).send().await;
        assert!(timeline.text.contains("Unmatched payment placed") && timeline.text.contains("Task about a refund done"));
    }

    async fn refunds_of_the_provider_wait_until_they_are_done(database: Database) {
        let world = World::start(database.db()).await;
        let id = behind(&world, &database).await;
        let finance = staff_client(&world, Role::Finance).await;
        ok(book(&finance, &id, "1", payment("instalment-1", 100_000)).await).await;
        let paid = database.texts("SELECT id FROM ledger_transactions WHERE kind = 'payment'").await.remove(0);
        for (key, state) in [("k1", "asked"), ("k2", "refused"), ("k3", "done")] {
            let sql = format!(
                "INSERT INTO card_refunds (application_id, key, payment_id, intent_id, cents, reason, state, failure, asked_at, \
                 asked_by) VALUES ('{id}', '{key}', '{paid}', 'pi_1', 700, 'Paid twice', '{state}', 'No such card', {NOW}, 'staff:1')"
            );
            database.run(&sql).await.unwrap();
        }
        let waiting = list(&finance, "refunds").await;
        assert_eq!((told(&waiting).len(), &waiting["counts"]["refunds"]), (2, &json!(2)));
        let row = &props(&finance, "?list=refunds").await["rows"][1];
        assert_eq!((&row["what"], &row["note"]), (&json!("Refused by the provider"), &json!("Paid twice: No such card")));
        assert_eq!(row["settleHref"], Value::Null);
    }

    async fn the_ledger_is_saved_as_csv_entry_by_entry(database: Database) {
        let world = World::start(database.db()).await;
        let id = behind(&world, &database).await;
        let finance = staff_client(&world, Role::Finance).await;
        let body = json!({ "action": "pay", "line": "instalment-1", "cents": 100_050, "method": "cheque", "note": "=HYPERLINK(\"x\")" });
        ok(book(&finance, &id, "1", body).await).await;
        database.run("UPDATE applicants SET last_name = '@Sample, Demo'").await.unwrap();
        let address = format!("{PAGE}/ledger.csv?from=2026-05-01&until=2026-05-31");
        let file = finance.see(&address).send().await;
        assert_eq!((file.status, file.header("content-disposition")), (200, "attachment; filename=\"ledger.csv\""));
        let lines: Vec<&str> = file.text.trim_start_matches('\u{feff}').lines().collect();
        assert!(lines[0].starts_with("Recorded at,Day,Reference,Last name"), "{lines:?}");
        // The charge has two entries; the payment three, because the excess is kept apart.
        assert_eq!(lines.len(), 1 + 2 + 3, "{lines:?}");
        assert!(lines.iter().skip(1).all(|line| line.contains("\"'@Sample, Demo\"")), "{lines:?}");
        let has = |part: &str| lines.iter().any(|line| line.contains(part));
        assert!(has(",charge,instalment-1,,receivable,1000.00,,USD,"), "{lines:?}");
        assert!(has(",payment,instalment-1,cheque,unapplied,,0.50,USD,\"'=HYPERLINK(\"\"x\"\")\","), "{lines:?}");
        assert_eq!(finance.see(&format!("{PAGE}/ledger.csv?from=2026-06-01&until=2026-06-30")).send().await.text.lines().count(), 1);
        let details = database.texts("SELECT detail FROM audit WHERE action = 'ledger.exported' ORDER BY happened_at, id").await;
        assert_eq!(details.len(), 2);
        assert!(details.iter().any(|detail| detail.contains("2026-05-01")), "{details:?}");
        // Invalid days are shown again, with the mistake beside their fields.
        let odd = finance.see(&format!("{PAGE}/ledger.csv?from=2026-05-02&until=2026-05-01")).send().await.assert_document(422, "adminFinance");
        assert!(odd["props"]["form"]["errors"]["until"].is_string(), "{odd}");
        assert_eq!(odd["props"]["form"]["values"]["from"], "2026-05-02");
        finance.api("GET", &format!("{CALL}/ledger.csv")).send().await.assert_problem(422, "from.required");

        // However long it is, it is streamed.
        let mut sql = "BEGIN;".to_owned();
        for n in 0..700 {
            let (entry, at) = (format!("INSERT INTO ledger_entries (transaction_id, number, account, cents) VALUES ('x{n}'"), NOW);
            write!(
                sql,
                "{entry}, 1, 'receivable', 5);{entry}, 2, 'income', -5);INSERT INTO ledger_transactions (id, application_id, \
                 position, kind, cause, note, recorded_at, recorded_by) \
                 VALUES ('x{n}', '{id}', {}, 'charge', 'x{n}', '', {at}, 'system');",
                100 + n,
            )
            .unwrap();
        }
        database.run(&(sql + "COMMIT;")).await.unwrap();
        let long = finance.api("GET", &format!("{CALL}/ledger.csv?from=2026-05-01&until=2026-05-31")).send().await;
        assert_eq!((long.text.lines().count(), long.header("content-length")), (6 + 1_400, ""));

        let reviewer = staff_client(&world, Role::Reviewer).await;
        assert_eq!(reviewer.see(&address).send().await.status, 403);
        assert_eq!(reviewer.see(PAGE).send().await.status, 403);
        world.clock.advance(6 * MINUTE);
        let asked = finance.see(&address).send().await;
        assert_eq!(asked.status, 302);
        assert!(asked.header("location").starts_with("/admin-panel/step-up"), "{asked:?}");
        finance.api("GET", &format!("{CALL}/ledger.csv")).send().await.assert_problem(401, "auth.step_up");
    }

    async fn who_is_enrolled_is_handed_over(database: Database) {
        let world = World::start(database.db()).await;
        let (client, id) = placed(&world).await;
        ok(client.post("/api/users/funding").json(&shared_plan(0)).send().await).await;
        // Another applicant has a place and is not enrolled.
        placed(&world).await;
        let sql = format!(
            "UPDATE applications SET stage = 'enrolled', status = 'enrolled' WHERE id = '{id}'; \
             INSERT INTO stage_changes (id, application_id, revision, act, from_stage, to_stage, happened_at) \
             VALUES ('s1', '{id}', 900, 'enrol', 'confirmed', 'enrolled', {NOW}); \
             INSERT INTO contracts (id, application_id, number, state, revision, code, template_version, changed_at, on_paper) \
             VALUES ('c1', '{id}', 2, 'countersigned', 5, 'secret-code', 3, {NOW}, 0);"
        );
        database.run(&sql).await.unwrap();
        let finance = staff_client(&world, Role::Finance).await;
        let told = ok(finance.api("GET", &format!("{CALL}/enrolled.json")).send().await).await;
        let people = told["applications"].as_array().unwrap();
        assert_eq!(people.len(), 1, "{told}");
        let one = &people[0];
        assert_eq!((&one["program"], &one["enrolledAt"]), (&json!("ba"), &json!("2026-05-04T00:00:00Z")));
        assert_eq!(one["funding"]["tuition"], 2_480_000);
        assert_eq!(one["funding"]["sources"][1], json!({ "source": "self_pay", "cents": 200_001, "state": "confirmed" }));
        assert_eq!(one["contract"], json!({ "number": 2, "templateVersion": 3, "code": "secret-code" }));
        assert!(one["intake"].as_str().unwrap().starts_with("2026-") && one["dateOfBirth"].as_str().unwrap().len() == 10, "{one}");
        for name in ["reference", "firstName", "lastName", "email", "phoneNumber", "country"] {
            assert!(!one[name].as_str().unwrap().is_empty(), "{name}: {one}");
        }

        let file = finance.see(&format!("{PAGE}/enrolled.csv")).send().await;
        assert_eq!((file.status, file.header("content-disposition")), (200, "attachment; filename=\"enrolled.csv\""));
        let lines: Vec<&str> = file.text.trim_start_matches('\u{feff}').lines().collect();
        assert!(lines[0].ends_with("self_pay_cents,contract_number,contract_template_version,contract_code"), "{lines:?}");
        assert!(lines[1].ends_with(",2480000,,,2279999,,200001,2,3,secret-code") && lines[1].contains(",'+"), "{lines:?}");
        // Midnight of May 4 in UTC is May 3 where the institute is.
        for (since, count) in [("2026-05-03", 1), ("2026-05-04", 0)] {
            let some = ok(finance.see(&format!("{PAGE}/enrolled.json?since={since}")).send().await).await;
            assert_eq!(some["applications"].as_array().unwrap().len(), count, "{since}");
        }
        finance.api("GET", &format!("{CALL}/enrolled.csv?since=soon")).send().await.assert_problem(422, "since.invalid");
        finance.see(&format!("{PAGE}/enrolled.csv?since=soon")).send().await.assert_document(422, "adminFinance");
        assert_eq!(database.count("audit WHERE action = 'applications.handed_over'").await, 4);

        // A role that may not see money gets the rest.
        let reviewer = staff_client(&world, Role::Reviewer).await;
        let file = reviewer.see(&format!("{PAGE}/enrolled.csv")).send().await;
        assert!(file.status == 200 && !file.text.contains("self_pay_cents") && file.text.contains("secret-code"), "{file:?}");
        let told = ok(reviewer.api("GET", &format!("{CALL}/enrolled.json")).send().await).await;
        assert_eq!(told["applications"][0].get("funding"), None);
        let viewer = staff_client(&world, Role::Viewer).await;
        assert_eq!(viewer.see(&format!("{PAGE}/enrolled.csv")).send().await.status, 403);
        viewer.api("GET", &format!("{CALL}/enrolled.json")).send().await.assert_problem(403, "role.forbidden");
        assert_eq!(ok(finance.api("GET", &path(&id, "/funding")).send().await).await["tuition"], 2_480_000);
    }
}
