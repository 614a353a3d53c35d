//! Plans that pause with a deferral, stop with a withdrawal, are locked by a contract and are paid late; and receipts.

use matricula::app::applications::acts::Preconditions;
use matricula::domain::application::ApplicationKey;
use matricula::domain::intake::Intake;
use matricula::domain::moments::{DAY, MINUTE};
use matricula::domain::role::Role;
use serde_json::{Value, json};

use crate::contracts::{act, countersigned, ok, own, sent, signature, signed};
use crate::decisions::advance;
use crate::money::{book, path, payment, placed, shared_plan};
use crate::office::{StaffClient, hired, staff_client};
use crate::pdf::{text_of, tool};
use crate::support::databases::{Database, story};
use crate::support::server::{Answer, Client, World};

const FUNDING: &str = "/api/users/funding";
const PAYMENTS: &str = "/dashboard/payments";

/// An applicant who pays $2,000.01 in five instalments, with a contract that both have signed; the employer, who pays
/// the rest, has not been heard from, so the applicant is not enrolled.
async fn agreed(world: &World) -> (Client, String) {
    let (client, id) = placed(world).await;
    ok(client.post(FUNDING).json(&shared_plan(0)).send().await).await;
    let contract = sent(world, &id).await;
    signed(&client, &contract).await;
    countersigned(world, &contract).await;
    (client, id)
}

async fn confirm_employer(world: &World, id: &str) {
    let finance = staff_client(world, Role::Finance).await;
    let funding = ok(finance.api("GET", &path(id, "/funding")).send().await).await;
    let body = json!({ "source": "employer", "state": "confirmed", "revision": funding["revision"] });
    ok(finance.api("POST", &path(id, "/funding/verdict")).json(&body).send().await).await;
}

async fn pay(world: &World, id: &str, key: &str, line: &str, cents: i64) -> Value {
    let finance = staff_client(world, Role::Finance).await;
    ok(book(&finance, id, key, payment(line, cents)).await).await
}

async fn props(client: &Client, page: &str) -> Value {
    let answer = client.get(page).with_cookie(client).header("accept", "application/json").send().await;
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.json()["props"].clone()
}

async fn tab(member: &StaffClient, id: &str, tab: &str) -> Value {
    let page = member.see(&format!("/admin-panel/applications/{id}/{tab}")).header("accept", "application/json").send();
    page.await.json()["props"].clone()
}

/// The due days of the instalments.
fn dues(funding: &Value) -> Vec<&str> {
    funding["schedule"].as_array().unwrap().iter().map(|line| line["due"].as_str().unwrap()).collect()
}

fn states(props: &Value) -> Vec<&str> {
    props["schedule"].as_array().unwrap().iter().map(|line| line["state"].as_str().unwrap()).collect()
}

async fn open_tasks(database: &Database, kind: &str) -> Vec<Value> {
    let sql = format!("SELECT detail FROM staff_tasks WHERE done_at IS NULL AND kind = '{kind}'");
    database.texts(&sql).await.iter().map(|detail| serde_json::from_str(detail).unwrap()).collect()
}

pub async fn withdraw(client: &Client) {
    let withdrawn = client.post("/api/users/application/withdraw").json(&json!({ "reason": "I move" })).send().await;
    assert_eq!(withdrawn.status, 200, "{withdrawn:?}");
}

async fn is_agreed(world: &World, id: &str) -> bool {
    let (_, application) = world.app.find_application(ApplicationKey::Id(id)).await.unwrap();
    world.app.is_contract_countersigned(&application).await.unwrap()
}

async fn reminded(database: &Database) -> Vec<String> {
    database.texts("SELECT line || ' ' || kind FROM payment_reminders ORDER BY told_at, line").await
}

const REFUNDS: &str = "/admin-panel/settings/refunds";

/// From 130 days before the start, a quarter is kept.
const STEPS: [(&str, &str); 6] = [
    ("step.1.until", "-130"),
    ("step.1.percent", "100"),
    ("step.2.until", "-14"),
    ("step.2.percent", "75"),
    ("step.3.until", "30"),
    ("step.3.percent", "50"),
];

async fn set_refunds(owner: &StaffClient, steps: &[(&str, &str)]) -> Answer {
    let fields = [&[("_action", "save"), ("version", "0")], steps].concat();
    owner.send(REFUNDS, &fields).send().await
}

/// An applicant who, logged in five days later, has paid an instalment and part of it twice; refunds as in [`STEPS`].
async fn paid_twice(world: &World) -> (Client, String) {
    let owner = staff_client(world, Role::Owner).await;
    assert_eq!(set_refunds(&owner, &STEPS).await.status, 303);
    advance(world, 6 * 1_000).await;
    let (client, id) = agreed(world).await;
    pay(world, &id, "1", "instalment-1", 100_000).await;
    pay(world, &id, "2", "instalment-1", 777).await;
    advance(world, 5 * DAY).await;
    (client.log_in().await, id)
}

story! {
    async fn a_deferral_pauses_the_plan_and_coming_back_continues_it(database: Database) {
        let world = World::start(database.db()).await;
        let (client, id) = agreed(&world).await;
        pay(&world, &id, "1", "instalment-1", 100_000).await;
        confirm_employer(&world, &id).await;
        assert_eq!(client.get("/api/users/application").send().await.json()["stage"], "enrolled");
        let before = client.get(FUNDING).send().await.json();
        let planned = ["2026-08-01", "2026-09-01", "2026-10-01", "2026-11-01", "2026-12-01"];
        assert_eq!((dues(&before).as_slice(), &before["pausedUntil"]), (planned.as_slice(), &Value::Null));
        database.run(&format!(
            "INSERT INTO card_charges (application_id, line, cents, state, round, saves_card, failures, changed_at, revision) VALUES \
             ('{id}', 'instalment-2', 30000, 'failed', 1, 0, 1, 0, 1), ('{id}', 'instalment-3', 30000, 'charging', 1, 0, 0, 0, 1)"
        ))
        .await
        .unwrap();

        let reviewer = hired(&world, Role::Reviewer).await;
        let key = ApplicationKey::Id(&id);
        let intake = Intake::parse("2027-01").unwrap();
        world.app.defer_application(&reviewer, key, intake, Preconditions::default()).await.unwrap();
        // No more cards are charged, except for charges that may already be under way.
        assert_eq!(database.texts("SELECT state FROM card_charges ORDER BY line").await, ["closed", "charging"]);

        // While the plan is paused nothing is due, however much time passes.
        advance(&world, 150 * DAY).await;
        let client = client.log_in().await;
        let paused = client.get(FUNDING).send().await.json();
        assert_eq!((&paused["pausedUntil"], dues(&paused)), (&json!("2027-01-11"), planned.to_vec()));
        let page = props(&client, PAYMENTS).await;
        assert_eq!(states(&page), ["paid", "paused", "paused", "paused", "paused"]);
        let told = page["pausedText"].as_str().unwrap();
        assert!(told.contains("paused until your studies start in January\u{a0}2027"), "{told}");
        let plain = client.get(PAYMENTS).with_cookie(&client).send().await;
        assert!(plain.text.contains("Nothing is due for now") && !plain.text.contains("Overdue"), "{}", plain.text);
        let finance = staff_client(&world, Role::Finance).await;
        let office = tab(&finance, &id, "funding").await;
        assert!(office["plan"]["pausedText"].as_str().unwrap().starts_with("Paused until studies start in January"));
        world.app.plan_recurring().await.unwrap();
        advance(&world, DAY).await;
        assert!(reminded(&database).await.is_empty());

        // It resumes: unpaid instalments are due later by whole months, and the contract still holds.
        world.clock.advance(60 * DAY);
        let resumed = world.app.resume_application(&reviewer, key, true, Preconditions::default()).await.unwrap();
        assert_eq!(resumed.stage.as_str(), "enrolled");
        let client = client.log_in().await;
        let after = client.get(FUNDING).send().await.json();
        let moved = ["2026-08-01", "2027-01-01", "2027-02-01", "2027-03-01", "2027-04-01"];
        assert_eq!((dues(&after), &after["pausedUntil"]), (moved.to_vec(), &Value::Null));
        let cents = |funding: &Value| -> Vec<i64> {
            funding["schedule"].as_array().unwrap().iter().map(|line| line["cents"].as_i64().unwrap()).collect()
        };
        assert_eq!(cents(&after), cents(&before));
        assert!(is_agreed(&world, &id).await);
        let finance = staff_client(&world, Role::Finance).await;
        assert_eq!(tab(&finance, &id, "contract").await["contracts"][0]["outdated"], false);
        assert_eq!(states(&props(&client, PAYMENTS).await), ["paid", "due", "due", "due", "due"]);
        let plan = database.db().funding_plan(&id).await.unwrap().unwrap();
        assert_eq!(plan.changed_by, format!("staff:{}", reviewer.id));

        // Finance changes the plan afterwards: the dates stay, and the contract no longer fits.
        let revision = after["revision"].as_i64().unwrap();
        let other = json!({
            "amounts": { "employer": 2_279_999, "self_pay": 200_001 }, "upFront": 100_000, "monthly": 50_000, "revision": revision,
        });
        let changed = ok(finance.api("POST", &path(&id, "/funding")).json(&other).send().await).await;
        assert_eq!(dues(&changed), ["2026-08-01", "2027-01-01", "2027-02-01"]);
        assert!(!is_agreed(&world, &id).await);
    }

    async fn an_institute_sets_what_goes_back_after_a_withdrawal(database: Database) {
        let world = World::start(database.db()).await;
        let owner = staff_client(&world, Role::Owner).await;
        let shown = owner.see(REFUNDS).send().await;
        assert!(shown.text.contains("Until how many days after the start"), "{}", shown.text);
        let odd = set_refunds(&owner, &[("step.1.until", "-14"), ("step.1.percent", "40")]).await;
        assert_eq!(odd.status, 422);
        assert!(odd.text.contains("no more goes back than in that one"), "{}", odd.text);
        assert_eq!(set_refunds(&owner, &STEPS).await.status, 303);
        advance(&world, 6 * 1_000).await;
        let (free, _) = placed(&world).await;
        withdraw(&free).await;
        assert!(open_tasks(&database, "refund").await.is_empty(), "who has paid nothing leaves nothing to be given back");
    }

    async fn a_withdrawal_stops_everything_and_suggests_what_goes_back(database: Database) {
        let world = World::start(database.db()).await;
        let (client, id) = paid_twice(&world).await;
        database.run(&format!(
            "INSERT INTO card_charges (application_id, line, cents, state, round, saves_card, failures, changed_at, revision) VALUES \
             ('{id}', 'instalment-2', 30000, 'open', 1, 0, 0, 0, 1)"
        ))
        .await
        .unwrap();
        withdraw(&client).await;
        assert_eq!(database.texts("SELECT state FROM card_charges").await, ["closed"]);
        assert_eq!(database.texts(&format!("SELECT state FROM contracts WHERE application_id = '{id}'")).await, ["voided"]);
        let task = open_tasks(&database, "refund").await.remove(0);
        // Three quarters of what was owed, and everything that was paid twice.
        assert_eq!((&task["cents"], &task["paid"], &task["percent"]), (&json!(75_777), &json!(100_777), &json!(75)));
        assert!(task["why"].as_str().unwrap().contains("studies start on August 31, 2026"), "{task}");

        let undone = client.post("/api/users/application/undo-withdraw").send().await;
        assert_eq!(undone.status, 200, "{undone:?}");
        assert!(open_tasks(&database, "refund").await.is_empty());
        withdraw(&client).await;
        assert_eq!(open_tasks(&database, "refund").await.len(), 1, "undone and done again, there is one task");
        let finance = staff_client(&world, Role::Finance).await;
        let change = json!({ "amounts": { "employer": 2_480_000 }, "revision": 1 });
        finance.api("POST", &path(&id, "/funding")).json(&change).send().await.assert_problem(409, "funding.none");
        assert_eq!(database.count("ledger_transactions WHERE kind = 'refund'").await, 0, "nothing is given back by itself");
    }

    async fn finance_gives_back_what_is_suggested_or_says_that_nothing_more_goes_back(database: Database) {
        let world = World::start(database.db()).await;
        let (client, id) = paid_twice(&world).await;
        withdraw(&client).await;
        let finance = staff_client(&world, Role::Finance).await;
        let shown = tab(&finance, &id, "funding").await;
        assert_eq!(shown["refund"]["amountText"], "$757.77");
        assert!(shown["plan"]["changeHref"].is_null() && shown["plan"]["schedule"][1]["word"] == "No longer due");
        let entries = shown["entries"].as_array().unwrap();
        let suggested: Vec<&Value> = entries.iter().map(|entry| &entry["suggestedText"]).filter(|text| text.is_string()).collect();
        assert_eq!(suggested, ["$7.77 to go back", "$750 to go back"]);
        let ledger = database.db().ledger(&id).await.unwrap().posted;
        let refund = |payment: &str, cents: i64| json!({ "action": "refund", "transaction": payment, "cents": cents, "reason": "Withdrawn" });
        let paid: Vec<&str> = ledger.iter().filter(|it| it.transaction.draft.kind.as_str() == "payment").map(|it| it.transaction.id.as_str()).collect();
        let form = tab(&finance, &id, &format!("funding?do=refund&about={}", paid[0])).await;
        assert_eq!(form["form"]["values"]["amount"], "750");
        ok(book(&finance, &id, "r1", refund(paid[0], 75_000)).await).await;
        assert_eq!(tab(&finance, &id, "funding").await["refund"]["amountText"], "$7.77");
        assert_eq!(open_tasks(&database, "refund").await.len(), 1);
        ok(book(&finance, &id, "r2", refund(paid[1], 777)).await).await;
        assert!(open_tasks(&database, "refund").await.is_empty(), "all that is suggested has gone back");

        let late = json!({ "action": "pay", "line": "none", "cents": 500, "method": "cheque", "note": "" });
        ok(book(&finance, &id, "late", late).await).await;
        client.post("/api/users/application/undo-withdraw").send().await;
        withdraw(&client).await;
        let shown = tab(&finance, &id, "funding").await;
        assert_eq!((&shown["refund"]["amountText"], &shown["refund"]["mayClose"]), (&json!("$5"), &json!(true)));
        let closed = finance.send(&format!("/admin-panel/applications/{id}/funding"), &[("_action", "close-refund")]).send().await;
        assert_eq!(closed.status, 303, "{closed:?}");
        assert!(open_tasks(&database, "refund").await.is_empty());
        assert_eq!(finance.api("POST", &path(&id, "/refund/close")).send().await.status, 204);
        assert_eq!(database.count("ledger_transactions WHERE kind = 'refund'").await, 2);
        assert!(database.db().ledger_faults().await.unwrap().is_empty());
    }

    async fn a_contract_locks_the_plan(database: Database) {
        let world = World::start(database.db()).await;
        let (client, id) = placed(&world).await;
        ok(client.post(FUNDING).json(&shared_plan(0)).send().await).await;
        let contract = sent(&world, &id).await;
        let whole = |revision: i64| json!({ "amounts": { "self_pay": 2_480_000 }, "upFront": 2_480_000, "revision": revision });
        client.post(FUNDING).json(&whole(1)).send().await.assert_problem(409, "funding.agreed");
        let page = client.get("/dashboard/funding").with_cookie(&client).send().await;
        assert!(page.text.contains("Your contract says how you pay. Write to admissions"), "{}", page.text);
        assert!(!page.text.contains("Save the plan"));

        // Finance changes it: the office is warned, in every state in which it could still be signed.
        let finance = staff_client(&world, Role::Finance).await;
        let outdated = async || tab(&finance, &id, "contract").await["contracts"][0].clone();
        assert_eq!(outdated().await["outdated"], false);
        ok(finance.api("POST", &path(&id, "/funding")).json(&whole(1)).send().await).await;
        assert_eq!((&outdated().await["outdated"], &outdated().await["mayRenew"]), (&json!(true), &json!(true)));
        let shown = finance.see(&format!("/admin-panel/applications/{id}/contract")).send().await;
        assert!(shown.text.contains("This contract says something else about paying than the plan"), "{}", shown.text);
        ok(finance.api("POST", &path(&id, "/funding")).json(&shared_plan(2)).send().await).await;
        ok(own(&client, &contract, "consent", json!({})).await).await;
        ok(own(&client, &contract, "sign", signature()).await).await;
        ok(finance.api("POST", &path(&id, "/funding")).json(&whole(3)).send().await).await;
        assert_eq!(outdated().await["outdated"], true);

        // One button takes it back and prepares one that fits; there is no warning for a void contract.
        let fields = [("_action", "renew"), ("contract", contract.as_str())];
        let renewed = finance.send(&format!("/admin-panel/applications/{id}/contract"), &fields).send().await;
        assert_eq!(renewed.status, 303, "{renewed:?}");
        let props = tab(&finance, &id, "contract").await;
        assert_eq!((&props["contracts"][0]["state"], &props["contracts"][0]["outdated"]), (&json!("voided"), &json!(false)));
        assert_eq!(props["draft"]["problem"], Value::Null);
        // While there is none, the applicant can change the plan again.
        ok(client.post(FUNDING).json(&shared_plan(4)).send().await).await;
        let next = props["draft"]["id"].as_str().unwrap();
        let hash = tab(&finance, &id, "contract").await["draft"]["textHash"].clone();
        ok(act(&finance, next, "send", json!({ "textSha256": hash })).await).await;
        client.post(FUNDING).json(&whole(5)).send().await.assert_problem(409, "funding.agreed");
        // Once declined, it binds nobody.
        ok(own(&client, next, "decline", json!({})).await).await;
        ok(client.post(FUNDING).json(&whole(5)).send().await).await;
    }

    async fn what_no_card_pays_is_reminded_of_and_never_twice(database: Database) {
        let world = World::start(database.db()).await;
        let (client, id) = agreed(&world).await;
        // Nobody is reminded of a plan that nobody has signed.
        let (other, _) = placed(&world).await;
        ok(other.post(FUNDING).json(&shared_plan(0)).send().await).await;
        world.app.plan_recurring().await.unwrap();
        // To July 24; the first payment is due on August 1.
        advance(&world, 81 * DAY).await;
        assert!(reminded(&database).await.is_empty());
        let mails = async || database.texts("SELECT template FROM outbox WHERE template LIKE 'payment-%' ORDER BY created_at, id").await;
        advance(&world, DAY).await;
        assert_eq!(reminded(&database).await, ["instalment-1 before"]);
        let text = database.texts("SELECT subject || ' ' || body_text FROM outbox WHERE template = 'payment-due'").await.remove(0);
        assert!(text.starts_with("About your next payment") && text.contains("$1,000") && text.contains("August 1, 2026"), "{text}");
        for _ in 0..5 {
            advance(&world, DAY).await;
        }
        assert_eq!(mails().await, ["payment-due"]);
        // Two reminder days pass unnoticed: only the later reminder is sent.
        advance(&world, 14 * DAY).await;
        assert_eq!(reminded(&database).await[1..], ["instalment-1 overdue-2"]);
        assert!(open_tasks(&database, "dunning").await.is_empty());
        pay(&world, &id, "part", "instalment-1", 40_000).await;
        advance(&world, 9 * DAY).await;
        assert_eq!(mails().await, ["payment-due", "payment-overdue", "payment-overdue"]);
        let last = database.texts("SELECT body_text FROM outbox WHERE template = 'payment-overdue' ORDER BY created_at DESC LIMIT 1").await.remove(0);
        assert!(last.contains("Nothing has been canceled because of this") && last.contains("$600"), "{last}");
        let task = open_tasks(&database, "dunning").await.remove(0);
        assert_eq!(task, json!({ "line": "instalment-1", "due": "2026-08-01", "cents": 60_000 }));
        // Once it is settled there is nothing to do, and no more reminders are sent.
        pay(&world, &id, "rest", "instalment-1", 60_000).await;
        assert!(open_tasks(&database, "dunning").await.is_empty());
        let told = reminded(&database).await;
        advance(&world, DAY).await;
        assert!(reminded(&database).await.iter().all(|line| told.contains(line) || line.starts_with("instalment-2")));

        // A saved card pays the rest automatically.
        database.run(&format!("INSERT INTO payment_cards (application_id, customer, payment_method, label, changed_at) VALUES ('{id}', 'c', 'pm', 'Demo', 0)")).await.unwrap();
        let told = reminded(&database).await;
        advance(&world, 40 * DAY).await;
        assert_eq!(reminded(&database).await, told);
        drop(client);
    }

    async fn two_looks_at_once_tell_it_once(database: Database) {
        let world = World::start(database.db()).await;
        let (_, id) = agreed(&world).await;
        // Applicants without reminders hear only of what is overdue.
        database.run(&format!("UPDATE applicants SET reminders_off_at = 1 WHERE id = (SELECT applicant_id FROM applications WHERE id = '{id}')")).await.unwrap();
        world.app.plan_recurring().await.unwrap();
        advance(&world, 85 * DAY).await;
        assert!(reminded(&database).await.is_empty());
        let owner = staff_client(&world, Role::Owner).await;
        let fields = [("_action", "save"), ("version", "0"), ("before", "7"), ("overdue.1", "5"), ("overdue.2", "10"), ("overdue.3", "20")];
        let set = owner.send("/admin-panel/settings/payment-reminders", &fields).send().await;
        assert_eq!(set.status, 303, "{}", set.text);
        advance(&world, 7 * DAY).await;
        assert!(reminded(&database).await.is_empty(), "three days late by now");
        database.run("UPDATE jobs SET due_at = 0 WHERE kind = 'payment-reminders'").await.unwrap();
        advance(&world, 2 * DAY).await;
        assert_eq!(reminded(&database).await, ["instalment-1 overdue-1"]);
        database.run("UPDATE jobs SET due_at = 0 WHERE kind = 'payment-reminders'").await.unwrap();
        advance(&world, MINUTE).await;
        assert_eq!(database.count("outbox WHERE template = 'payment-overdue'").await, 1);
    }

    async fn every_payment_has_a_receipt(database: Database) {
        let world = World::start(database.db()).await;
        let (client, id) = agreed(&world).await;
        pay(&world, &id, "1", "instalment-1", 100_000).await;
        let page = props(&client, PAYMENTS).await;
        let href = page["entries"][0]["receiptHref"].as_str().unwrap().to_owned();
        let answer = client.get(&href).with_cookie(&client).send().await;
        assert_eq!((answer.status, answer.header("content-type")), (200, "application/pdf"));
        let text = text_of(&answer.bytes);
        let reference = page["reference"].as_str().unwrap();
        let number = format!("{reference}-R2");
        for told in ["Receipt", "Demo Sample", "Payment 1", "$1,000", "Check", "May 4, 2026", reference, &number] {
            assert!(text.contains(told), "{told} in {text}");
        }
        assert!(!text.contains("What happened afterward"));
        assert!(tool(&["qpdf", "--check", "FILE"], &answer.bytes).contains("No syntax or stream encoding errors"));
        assert!(tool(&["pdfinfo", "FILE"], &answer.bytes).contains("Tagged:          yes"));

        // Nobody else can read it, and a charge has none.
        let (stranger, other) = placed(&world).await;
        assert_eq!(stranger.get(&href).with_cookie(&stranger).send().await.status, 404);
        let ledger = database.db().ledger(&id).await.unwrap().posted;
        let (charge, paid) = (&ledger[0].transaction.id, &ledger[1].transaction.id);
        for nothing in [charge.as_str(), "nowhere"] {
            assert_eq!(client.get(&format!("{PAYMENTS}/{nothing}.pdf")).with_cookie(&client).send().await.status, 404);
        }
        let finance = staff_client(&world, Role::Finance).await;
        let office = |id: &str| format!("/admin-panel/applications/{id}/receipt.pdf?payment={paid}");
        assert_eq!(tab(&finance, &id, "funding").await["entries"][0]["receiptHref"], office(&id));
        assert_eq!(finance.see(&office(&id)).send().await.bytes, answer.bytes);
        assert_eq!(finance.see(&office(&other)).send().await.status, 404);

        // It shows what became of the payment, even after the application has ended.
        let refund = json!({ "action": "refund", "transaction": paid, "cents": 40_000, "reason": "Granted" });
        ok(book(&finance, &id, "r1", refund).await).await;
        withdraw(&client).await;
        let text = text_of(&client.get(&href).with_cookie(&client).send().await.bytes);
        assert!(text.contains("Refunded") && text.contains("$400, May 4, 2026") && text.contains("$600"), "{text}");
        let refund = database.db().ledger(&id).await.unwrap().posted.last().unwrap().transaction.id.clone();
        for entry in [&refund, paid] {
            let reverse = json!({ "action": "reverse", "transaction": entry, "reason": "A mistake" });
            ok(book(&finance, &id, &format!("v{entry}"), reverse).await).await;
        }
        let text = text_of(&client.get(&href).with_cookie(&client).send().await.bytes);
        assert!(text.contains("Reversed: it does not count") && !text.contains("Refunded"), "{text}");
    }
}
