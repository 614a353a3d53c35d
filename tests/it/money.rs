//! Who pays, the ledger, and what Finance does: over HTTP, on both databases.

use futures::future::join_all;
use matricula::domain::ledger::{Account, Line};
use matricula::domain::moments::MINUTE;
use matricula::domain::role::Role;
use serde_json::{Value, json};

use crate::decisions::{acceptance, advance, decide, submitted};
use crate::office::{StaffClient, hired, staff_client};
use crate::support::databases::{Database, story};
use crate::support::server::{Answer, Client, PASSWORD, World};

const FUNDING: &str = "/api/users/funding";
const PAGE: &str = "/dashboard/funding";

/// An applicant who has accepted our offer, and their application.
pub async fn placed(world: &World) -> (Client, String) {
    placed_under(world, &[]).await
}

/// The same, with these conditions.
pub async fn placed_under(world: &World, conditions: &[&str]) -> (Client, String) {
    let client = submitted(world).await;
    let decider = hired(world, Role::Decider).await;
    decide(world, &client, &decider, acceptance(conditions)).await;
    advance(world, 15 * MINUTE).await;
    let client = client.log_in().await;
    let accepted = client.post("/api/users/offer").json(&json!({ "reply": "accept" })).send().await;
    assert_eq!(accepted.json()["stage"], "confirmed", "{accepted:?}");
    let id = accepted.json()["id"].as_str().unwrap().to_owned();
    (client, id)
}

/// The employer pays all but $2,000.01, of which $1,000 is due up front.
pub fn shared_plan(revision: i64) -> Value {
    json!({
        "amounts": { "employer": 2_279_999, "self_pay": 200_001 },
        "upFront": 100_000, "monthly": 30_000, "revision": revision,
    })
}

pub fn path(id: &str, more: &str) -> String {
    format!("/api/admins/applications/{id}{more}")
}

fn tab(id: &str) -> String {
    format!("/admin-panel/applications/{id}/funding")
}

pub async fn book(member: &StaffClient, id: &str, key: &str, body: Value) -> Answer {
    member.api("POST", &path(id, "/ledger")).header("idempotency-key", key).json(&body).send().await
}

pub fn payment(line: &str, cents: i64) -> Value {
    json!({ "action": "pay", "line": line, "cents": cents, "method": "cheque", "note": "No. 7" })
}

/// The id of the newest transaction of that kind.
fn newest(answer: &Answer, kind: &str) -> String {
    let body = answer.json();
    let ledger = body["ledger"].as_array().unwrap();
    let found = ledger.iter().rev().find(|it| it["kind"] == kind);
    found.unwrap_or_else(|| panic!("no {kind} in {body}"))["id"].as_str().unwrap().to_owned()
}

/// Asserts that every transaction balances and no account is negative.
async fn assert_balanced(database: &Database, id: &str) {
    let db = database.db();
    assert_eq!(db.ledger_faults().await.unwrap(), []);
    let book = db.ledger(id).await.unwrap().book();
    for account in Account::ALL {
        assert!(book.balance(account) >= 0, "{account:?}: {book:?}");
    }
}

story! {
    async fn money_that_is_given_up_asks_for_the_password_again(database: Database) {
        let world = World::start(database.db()).await;
        let (client, id) = placed(&world).await;
        assert_eq!(client.post(FUNDING).json(&shared_plan(0)).send().await.status, 200);
        let finance = staff_client(&world, Role::Finance).await;
        world.clock.advance(6 * MINUTE);
        assert_eq!(book(&finance, &id, "one", payment("instalment-1", 100_000)).await.status, 200);
        let waived = json!({ "action": "waive", "line": "instalment-2", "reason": "Granted" });
        book(&finance, &id, "two", waived.clone()).await.assert_problem(401, "auth.step_up");
        let form = [("_action", "waive"), ("line", "instalment-2"), ("reason", "Granted")];
        finance.send(&tab(&id), &form).send().await.assert_document(401, "adminStepUp");
        let again = json!({ "password": PASSWORD });
        assert_eq!(finance.api("POST", "/api/admins/step-up").json(&again).send().await.status, 204);
        assert_eq!(book(&finance, &id, "two", waived).await.status, 200);
        assert_balanced(&database, &id).await;
    }

    async fn a_payment_counts_on_the_day_on_which_it_arrived(database: Database) {
        let world = World::start(database.db()).await;
        let (client, id) = placed(&world).await;
        assert_eq!(client.post(FUNDING).json(&shared_plan(0)).send().await.status, 200);
        let finance = staff_client(&world, Role::Finance).await;
        let received = |day: &str| {
            let mut body = payment("instalment-1", 60_000);
            body["receivedOn"] = json!(day);
            body
        };
        for (day, code) in [("yesterday", "invalid"), ("2026-05-05", "future"), ("2024-05-02", "past")] {
            book(&finance, &id, "bad", received(day)).await.assert_problem(422, &format!("receivedOn.{code}"));
        }
        // It was received in April and recorded in May.
        let noted = book(&finance, &id, "one", received("2026-04-28")).await;
        assert_eq!(noted.status, 200, "{noted:?}");
        let ledger = noted.json()["ledger"].clone();
        let days: Vec<_> = ledger.as_array().unwrap().iter().map(|it| (&it["kind"], &it["receivedOn"])).collect();
        assert_eq!(days, [(&json!("charge"), &Value::Null), (&json!("payment"), &json!("2026-04-28"))]);
        assert_eq!(book(&finance, &id, "two", payment("instalment-1", 40_000)).await.status, 200);
        let months = finance.api("GET", "/api/admins/finance/figures").send().await.json();
        let of = |month: &str| {
            let months = months["months"].as_array().unwrap();
            months.iter().find(|it| it["month"] == month).unwrap_or_else(|| panic!("{months:?}"))["received"].clone()
        };
        assert_eq!((of("2026-04"), of("2026-05")), (json!(60_000), json!(40_000)));
        let statement = client.get("/dashboard/payments").with_cookie(&client).header("accept", "application/json").send().await.json();
        let statement = statement.to_string().replace('\u{a0}', " ");
        assert!(statement.contains("April 28, 2026"), "{statement}");
        let office = finance.see(&tab(&id)).header("accept", "application/json").send().await.json();
        let office = office.to_string().replace('\u{a0}', " ");
        assert!(office.contains("\"receivedText\":\"Apr 28, 2026\""), "{office}");
        let receipt = format!("/dashboard/payments/{}.pdf", newest(&noted, "payment"));
        let file = client.get(&receipt).with_cookie(&client).send().await;
        assert!(crate::pdf::text_of(&file.bytes).contains("April 28, 2026"));
        assert_balanced(&database, &id).await;
    }

    async fn a_plan_is_made_step_by_step_and_confirmed(database: Database) {
        let world = World::start(database.db()).await;
        let undecided = submitted(&world).await;
        undecided.get(FUNDING).send().await.assert_problem(409, "funding.none");
        undecided.post(FUNDING).json(&shared_plan(0)).send().await.assert_problem(409, "funding.none");

        let (client, id) = placed(&world).await;
        let begun = client.get(FUNDING).send().await;
        assert_eq!((begun.status, begun.header("cache-control")), (200, "no-store"));
        let body = begun.json();
        // The application names only the employer.
        assert_eq!(body["sources"], json!([{ "kind": "employer", "cents": 2_480_000, "state": "asked", "reason": null }]));
        assert_eq!((&body["tuition"], &body["revision"], &body["open"]), (&json!(2_480_000), &json!(0), &json!(true)));

        let half = json!({ "amounts": { "employer": 1_000_000 }, "revision": 0 });
        let saved = client.post(FUNDING).json(&half).send().await;
        assert_eq!((saved.status, &saved.json()["covered"]), (200, &json!(1_000_000)), "{saved:?}");
        assert_eq!(database.texts("SELECT kind FROM staff_tasks WHERE kind = 'funding' AND done_at IS NULL").await.len(), 1);
        client.post(FUNDING).json(&half).send().await.assert_problem(412, "funding.stale");
        for (body, code) in [
            (json!({ "amounts": { "employer": 2_480_001 }, "revision": 1 }), "funding.range"),
            (json!({ "amounts": { "employer": 2_000_000, "gi_bill": 480_001 }, "revision": 1 }), "funding.over"),
            (json!({ "amounts": { "self_pay": 2_480_000 }, "monthly": 4_999, "revision": 1 }), "funding.monthly"),
            (json!({ "amounts": { "self_pay": 2_480_000 }, "monthly": 5_000, "revision": 1 }), "funding.instalments"),
            (json!({ "amounts": { "self_pay": 100 }, "revision": 1 }), "funding.least"),
            (json!({ "amounts": { "self_pay": -5 }, "revision": 1 }), "funding.amount"),
            (json!({ "amounts": { "lottery": 5 }, "revision": 1 }), "field.unknown"),
        ] {
            client.post(FUNDING).json(&body).send().await.assert_problem(422, code);
        }
        let whole = client.post(FUNDING).json(&shared_plan(1)).send().await.json();
        let cents: Vec<i64> = whole["schedule"].as_array().unwrap().iter().map(|line| line["cents"].as_i64().unwrap()).collect();
        assert_eq!(cents, [100_000, 30_000, 30_000, 30_000, 10_001]);
        assert_eq!(whole["schedule"][0]["due"], "2026-08-01");

        // Finance records what is known. A refusal needs a reason, and leaves a gap.
        let finance = staff_client(&world, Role::Finance).await;
        let judge = |state: &'static str, reason: &'static str, revision: i64| {
            let body = json!({ "source": "employer", "state": state, "reason": reason, "revision": revision });
            let call = finance.api("POST", &path(&id, "/funding/verdict"));
            async move { call.json(&body).send().await }
        };
        judge("refused", "", 2).await.assert_problem(422, "reason.required");
        judge("confirmed", "", 1).await.assert_problem(412, "funding.stale");
        let refused = judge("refused", "The letter is not signed", 2).await;
        assert_eq!((refused.status, &refused.json()["covered"]), (200, &json!(200_001)), "{refused:?}");
        let seen = client.get(FUNDING).send().await.json();
        assert_eq!(seen["sources"][0]["reason"], "The letter is not signed");
        let pending = judge("pending", "", 3).await.json();
        assert_eq!((&pending["covered"], &pending["sources"][0]["state"]), (&json!(2_480_000), &json!("pending")));
        let confirmed = judge("confirmed", "", 4).await.json();
        assert_eq!(confirmed["sources"][0]["state"], "confirmed");
        assert_eq!(database.texts("SELECT kind FROM staff_tasks WHERE kind = 'funding' AND done_at IS NULL").await.len(), 0);
        assert_eq!(database.texts("SELECT id FROM outbox WHERE template = 'status-update'").await.len(), 1 + 3);

        // Another amount has to be confirmed again, and staff are notified again.
        let other = json!({ "amounts": { "employer": 2_480_000 }, "revision": 5 });
        assert_eq!(client.post(FUNDING).json(&other).send().await.json()["sources"][0]["state"], "asked");
        assert_eq!(database.texts("SELECT kind FROM staff_tasks WHERE kind = 'funding' AND done_at IS NULL").await.len(), 1);
        let plan = database.db().funding_plan(&id).await.unwrap().unwrap();
        assert!(plan.verdicts.is_empty());
    }

    async fn of_two_who_save_at_once_one_is_told(database: Database) {
        let world = World::start(database.db()).await;
        let (client, _) = placed(&world).await;
        let answers = join_all((0..8).map(|_| client.post(FUNDING).json(&shared_plan(0)).send())).await;
        let saved = answers.iter().filter(|answer| answer.status == 200).count();
        assert_eq!((saved, answers.iter().filter(|answer| answer.code() == "funding.stale").count()), (1, 7), "{answers:?}");
    }

    async fn the_page_works_without_javascript(database: Database) {
        let world = World::start(database.db()).await;
        let (client, id) = placed(&world).await;
        let page = client.get(PAGE).with_cookie(&client).send().await;
        assert_eq!(page.status, 200);
        assert!(page.text.contains("Paying for your studies") && page.text.contains("value=\"24,800\""), "{}", page.text);
        let fields = [
            ("revision", "0"),
            ("amounts.tuition_assistance", "lots"),
            ("amounts.employer", "$22,799.99"),
            ("amounts.self_pay", "2,000.01"),
            ("upFront", "3000"),
            ("monthly", "300"),
        ];
        let send = |fields: &[(&str, &str)]| client.without_token().post(PAGE).form(fields).with_cookie(&client).send();
        let odd = send(&fields).await;
        assert_eq!(odd.status, 422);
        assert!(odd.text.contains("Enter an amount in dollars, such as 1,200.50."), "{}", odd.text);
        assert!(odd.text.contains("value=\"lots\"") && odd.text.contains("value=\"2,000.01\""), "nothing typed is lost");
        let mut fields = fields;
        fields[1].1 = "";
        let odd = send(&fields).await;
        assert!(odd.text.contains("This is more than you pay yourself, which is $2,000.01."), "{}", odd.text);
        fields[4].1 = "1000";
        let saved = send(&fields).await;
        assert_eq!((saved.status, saved.header("location")), (303, "/dashboard/funding?done=saved"), "{saved:?}");
        let page = client.get("/dashboard/funding?done=saved").with_cookie(&client).send().await;
        for text in ["Your plan is saved.", "Payment 5", "$100.01", "We are checking it", "Saturday, August 1, 2026"] {
            assert!(page.text.contains(text), "{text}: {}", page.text);
        }
        let pdf = client.get("/dashboard/funding.pdf").with_cookie(&client).send().await;
        assert_eq!((pdf.status, pdf.header("content-type")), (200, "application/pdf"));
        let payments = client.get("/dashboard/payments").with_cookie(&client).send().await;
        assert!(payments.text.contains("Still to pay") && payments.text.contains("$2,000.01"), "{}", payments.text);

        // By the office's forms.
        let finance = staff_client(&world, Role::Finance).await;
        let shown = finance.see(&format!("{}?do=pay", tab(&id))).send().await;
        assert!(shown.text.contains("Payment 1: $1,000") && shown.text.contains("Note the payment"), "{}", shown.text);
        let fields = [("_action", "pay"), ("line", "instalment-1"), ("amount", ""), ("method", "cheque"), ("key", "k1"), ("plan", "1")];
        let odd = finance.send(&tab(&id), &fields).send().await;
        assert_eq!(odd.status, 422);
        assert!(odd.text.contains("Enter an amount of more than $0"), "{}", odd.text);
        let mut fields = fields;
        fields[2].1 = "1,000";
        for _ in 0..2 {
            let booked = finance.send(&tab(&id), &fields).send().await;
            assert_eq!(booked.status, 303, "{booked:?}");
        }
        let shown = finance.see(&tab(&id)).send().await;
        assert!(shown.text.contains("Payment: Payment 1, Check"), "{}", shown.text);
        let payments = client.get("/dashboard/payments").with_cookie(&client).send().await;
        assert!(payments.text.contains("$1,000.01") && payments.text.contains("Payment: Payment 1"), "{}", payments.text);
        // From now on Finance changes the plan, and charges stay as they are.
        let late = send(&[("revision", "1"), ("amounts.employer", "24,800")]).await;
        assert_eq!(late.status, 409);
        assert!(late.text.contains("Payments have begun"), "{}", late.text);
        let change = [("_action", "change"), ("plan", "1"), ("amounts.employer", "24,800"), ("upFront", ""), ("monthly", "")];
        let charged = finance.send(&tab(&id), &change).send().await;
        assert_eq!(charged.status, 422);
        assert!(charged.text.contains("What was charged already must stay as it is."), "{}", charged.text);
        // It is part of the data they can download.
        let data = client.post("/api/users/personal-data").json(&json!({ "currentPassword": PASSWORD })).send().await;
        assert_eq!(data.status, 200, "{}", data.text);
        let viewer = staff_client(&world, Role::Reviewer).await;
        assert_eq!(viewer.see(&tab(&id)).send().await.status, 403);
        assert_balanced(&database, &id).await;
    }

    async fn what_was_paid_too_much_is_a_task_until_it_is_given_back(database: Database) {
        let world = World::start(database.db()).await;
        let (client, id) = placed(&world).await;
        let finance = staff_client(&world, Role::Finance).await;
        client.post(FUNDING).json(&shared_plan(0)).send().await;
        let open = async || database.texts("SELECT kind FROM staff_tasks WHERE kind = 'overpaid' AND done_at IS NULL").await.len();
        assert_eq!(book(&finance, &id, "p1", payment("instalment-1", 100_000)).await.status, 200);
        assert_eq!(open().await, 0);
        let twice = book(&finance, &id, "p2", payment("instalment-1", 100_000)).await;
        assert_eq!((twice.status, open().await), (200, 1), "{twice:?}");
        let work = finance.see("/admin-panel/work?whose=team").header("accept", "application/json").send().await;
        assert!(work.text.contains("Give back what was paid too much"), "{}", work.text);
        let refund = |cents: i64| json!({ "action": "refund", "transaction": newest(&twice, "payment"), "cents": cents, "reason": "Paid twice" });
        assert_eq!(book(&finance, &id, "r1", refund(40_000)).await.status, 200);
        assert_eq!(open().await, 1, "some of it is still there");
        assert_eq!(book(&finance, &id, "r2", refund(60_000)).await.status, 200);
        assert_eq!(open().await, 0);
        // From before such tasks existed: the sweep finds it.
        assert_eq!(book(&finance, &id, "p3", payment("instalment-1", 500)).await.status, 200);
        let db = database.db();
        database.run("DELETE FROM staff_tasks WHERE kind = 'overpaid'").await.unwrap();
        database.run("UPDATE listings SET has_tasks = 0").await.unwrap();
        assert!(db.list_tasks("", 10).await.unwrap().is_some());
        assert_eq!(open().await, 1);
    }

    async fn what_was_paid_is_booked_once_refunded_and_reversed(database: Database) {
        let world = World::start(database.db()).await;
        let (client, id) = placed(&world).await;
        let finance = staff_client(&world, Role::Finance).await;
        book(&finance, &id, "early", payment("instalment-1", 100_000)).await.assert_problem(422, "line.unknown");
        client.post(FUNDING).json(&shared_plan(0)).send().await;

        // The same form sent many times at once makes one payment and one charge.
        let answers = join_all((0..12).map(|_| book(&finance, &id, "k1", payment("instalment-1", 100_000)))).await;
        assert!(answers.iter().all(|answer| answer.status == 200), "{answers:?}");
        assert_eq!(database.count("ledger_transactions").await, 2);
        // A different payment under its key is not booked, by call or by form.
        book(&finance, &id, "k1", payment("instalment-1", 90_000)).await.assert_problem(422, "idempotency_key.reused");
        let fields = [("_action", "pay"), ("key", "k1"), ("line", "instalment-1"), ("amount", "900"), ("method", "cheque"), ("note", "No. 8")];
        let typed = finance.send(&tab(&id), &fields).send().await;
        assert_eq!(typed.status, 422, "{typed:?}");
        assert_eq!(database.count("ledger_transactions").await, 2);
        // Many payments of one instalment at once: one settles it, the rest is unapplied.
        let answers = join_all((0..6).map(|n| {
            let (finance, id) = (finance.clone(), id.clone());
            async move { book(&finance, &id, &format!("twice-{n}"), payment("instalment-2", 30_000)).await }
        }))
        .await;
        assert!(answers.iter().all(|answer| answer.status == 200), "{answers:?}");
        let ledger = database.db().ledger(&id).await.unwrap().book();
        assert_eq!((ledger.owed(Line::Instalment(2)), ledger.balance(Account::Unapplied)), (0, 150_000));
        assert_eq!(ledger.charges().count(), 2);
        assert_balanced(&database, &id).await;

        let last = answers.iter().max_by_key(|answer| answer.json()["ledger"].as_array().unwrap().len()).unwrap();
        let unapplied = newest(last, "payment");
        let refund = |cents: i64| json!({ "action": "refund", "transaction": unapplied, "cents": cents, "reason": "Paid twice" });
        book(&finance, &id, "r0", refund(30_001)).await.assert_problem(422, "ledger.too_much");
        for _ in 0..2 {
            let refunded = book(&finance, &id, "r1", refund(30_000)).await;
            assert_eq!(refunded.status, 200, "{refunded:?}");
        }
        book(&finance, &id, "r2", refund(1)).await.assert_problem(422, "ledger.too_much");
        let reverse = json!({ "action": "reverse", "transaction": unapplied, "reason": "A mistake" });
        book(&finance, &id, "v0", reverse).await.assert_problem(409, "ledger.negative");

        let waived = book(&finance, &id, "w1", json!({ "action": "waive", "line": "instalment-3", "reason": "Granted" })).await;
        assert_eq!(waived.status, 200, "{waived:?}");
        assert_eq!(waived.json()["schedule"][2]["settled"], true);
        let again = json!({ "action": "write-off", "line": "instalment-3", "reason": "Granted" });
        book(&finance, &id, "w2", again).await.assert_problem(409, "ledger.nothing_owed");
        let undo = json!({ "action": "reverse", "transaction": newest(&waived, "waiver"), "reason": "Not granted" });
        for _ in 0..2 {
            let undone = book(&finance, &id, "v1", undo.clone()).await;
            assert_eq!((undone.status, &undone.json()["schedule"][2]["settled"]), (200, &json!(false)), "{undone:?}");
        }
        for (body, code) in [
            (json!({ "action": "pay", "line": "instalment-9", "cents": 5, "method": "cheque" }), "line.unknown"),
            (json!({ "action": "pay", "line": "instalment-4", "cents": 5, "method": "card" }), "method.unknown"),
            (json!({ "action": "pay", "line": "instalment-4", "cents": -5, "method": "cheque" }), "cents.range"),
            (json!({ "action": "bribe" }), "action.unknown"),
            (json!({ "action": "reverse", "transaction": "x", "reason": "x", "cents": [] }), "cents.type"),
        ] {
            book(&finance, &id, "bad", body).await.assert_problem(422, code);
        }
        let nowhere = json!({ "action": "reverse", "transaction": "nowhere", "reason": "x" });
        book(&finance, &id, "bad", nowhere).await.assert_problem(404, "ledger.not_found");
        let decider = staff_client(&world, Role::Decider).await;
        book(&decider, &id, "no", payment("instalment-4", 5)).await.assert_problem(403, "role.forbidden");
        let read = decider.api("GET", &path(&id, "/funding")).send().await;
        assert_eq!(read.status, 200, "{read:?}");
        assert_balanced(&database, &id).await;
    }

    async fn whatever_many_write_at_once_the_ledger_balances(database: Database) {
        let world = World::start(database.db()).await;
        let (client, id) = placed(&world).await;
        let finance = staff_client(&world, Role::Finance).await;
        client.post(FUNDING).json(&shared_plan(0)).send().await;
        let writers = (0..6_u64).map(|writer| {
            let (finance, id, db) = (finance.clone(), id.clone(), database.db());
            async move {
                let mut chance = writer.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(7);
                let mut draw = |end: u64| {
                    chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                    (chance >> 33) % end
                };
                for _ in 0..15 {
                    let posted = db.ledger(&id).await.unwrap().posted;
                    let line = ["instalment-1", "instalment-2", "source-employer", "none"][draw(4) as usize];
                    let any = posted.get(draw(posted.len().max(1) as u64) as usize).map(|it| it.transaction.id.clone());
                    let body = match draw(6) {
                        0..=2 => payment(line, 1 + draw(90_000) as i64),
                        3 => json!({ "action": "refund", "transaction": any, "cents": 1 + draw(40_000), "reason": "x" }),
                        4 => json!({ "action": "write-off", "line": line, "reason": "x" }),
                        _ => json!({ "action": "reverse", "transaction": any, "reason": "x" }),
                    };
                    // Keys are reused, as by a form sent twice.
                    let answer = book(&finance, &id, &format!("k{}", draw(40)), body).await;
                    assert!(matches!(answer.status, 200 | 404 | 409 | 422 | 503), "{answer:?}");
                }
            }
        });
        join_all(writers).await;
        assert_balanced(&database, &id).await;
        let book = database.db().ledger(&id).await.unwrap().book();
        let lines: Vec<Line> = book.charges().map(|(line, _)| line).collect();
        for line in &lines {
            assert_eq!(lines.iter().filter(|other| *other == line).count(), 1, "{line}");
            assert!(book.owed(*line) >= 0, "{line}");
        }
        assert!(book.transactions.len() > 10, "something was written: {book:?}");
    }

    async fn the_database_refuses_what_does_not_balance_and_every_change(database: Database) {
        let world = World::start(database.db()).await;
        let (client, id) = placed(&world).await;
        let finance = staff_client(&world, Role::Finance).await;
        client.post(FUNDING).json(&shared_plan(0)).send().await;
        assert_eq!(book(&finance, &id, "k1", payment("instalment-1", 100_000)).await.status, 200);
        let head = "INSERT INTO ledger_transactions (id, application_id, position, kind, cause, note, recorded_at, recorded_by)";
        let entry = "INSERT INTO ledger_entries (transaction_id, number, account, cents)";
        let known = database.texts("SELECT id FROM ledger_transactions").await.remove(0);
        for sql in [
            // No entries, one side only, and two that do not sum to zero.
            format!("{head} VALUES ('a', '{id}', 9, 'charge', 'x', '', 0, 'system')"),
            format!("{entry} VALUES ('b', 1, 'cash', 5); {head} VALUES ('b', '{id}', 9, 'charge', 'x', '', 0, 'system')"),
            format!("{entry} VALUES ('c', 1, 'cash', 5), ('c', 2, 'income', -4); {head} VALUES ('c', '{id}', 9, 'charge', 'x', '', 0, 'system')"),
            // Entries without an amount, and of a sealed transaction.
            format!("{entry} VALUES ('d', 1, 'cash', 5)"),
            format!("{entry} VALUES ('{known}', 9, 'cash', 5)"),
            "UPDATE ledger_entries SET cents = cents + 1".to_owned(),
            "UPDATE ledger_transactions SET note = 'x'".to_owned(),
            "DELETE FROM ledger_entries".to_owned(),
            "DELETE FROM ledger_transactions".to_owned(),
        ] {
            assert!(database.run(&format!("BEGIN; {sql}; COMMIT")).await.is_err(), "{sql}");
        }
        assert_eq!(database.count("ledger_transactions").await, 2);
        assert_balanced(&database, &id).await;
        // The job that checks the ledger finds nothing.
        advance(&world, MINUTE).await;
        assert!(database.texts("SELECT id FROM staff_tasks WHERE kind = 'ledger-fault'").await.is_empty());
    }

    async fn a_cap_is_set_and_kept_to(database: Database) {
        let world = World::start(database.db()).await;
        let (client, _) = placed(&world).await;
        let owner = staff_client(&world, Role::Owner).await;
        let shown = owner.see("/admin-panel/settings/funding").send().await;
        assert!(shown.text.contains("Most that tuition assistance pays"), "{}", shown.text);
        let fields = [("_action", "save"), ("version", "0"), ("cap.tuition_assistance", "4,500"), ("leastMonthly", "50"), ("mostPayments", "48"), ("daysBeforeStart", "30"), ("daysToPay", "14")];
        let set = owner.send("/admin-panel/settings/funding", &fields).send().await;
        assert_eq!(set.status, 303, "{}", set.text);
        let over = json!({ "amounts": { "tuition_assistance": 450_001 }, "revision": 0 });
        let refused = client.post(FUNDING).json(&over).send().await;
        refused.assert_problem(422, "funding.cap");
        assert_eq!(refused.json()["error"], "Tuition assistance can pay at most $4,500.");
    }
}
