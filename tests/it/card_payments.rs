//! Paying by card: the hosted page, saved cards, declines, refunds and webhooks, on both databases, against a Stripe
//! server that we did not write, over an unreliable connection.

use std::sync::Arc;
use std::time::{Duration, Instant};

use futures::future::join_all;
use hmac::{Hmac, KeyInit, Mac};
use matricula::app::ports::{PaymentProvider, ProviderError, Purpose};
use matricula::domain::card_charge::ChargeState;
use matricula::domain::ledger::{Account, Book, Kind, Line};
use matricula::domain::moments::{DAY, HOUR, MINUTE, Millis};
use matricula::domain::role::Role;
use matricula::payments::{Stripe as Adapter, StripeKeys};
use serde_json::{Value, json};
use sha2::Sha256;

use crate::contracts::{countersigned, ok, sent, signed};
use crate::decisions::advance;
use crate::money::{book, path, payment, placed, shared_plan};
use crate::office::staff_client;
use crate::store_account::closing;
use crate::support::databases::{Database, story};
use crate::support::ports::free_port;
use crate::support::program::Program;
use crate::support::server::{Answer, Client, PUBLIC_URL, START, World, WorldOptions};
use crate::support::silent::Silent;
use crate::support::stripe::{DECLINED_CARD, FAILING_CARD, GOOD_CARD, SECRET_KEY, Stripe, WEBHOOK_SECRET};

const CHECKOUT: &str = "/api/users/payments/checkout";
pub const WEBHOOK: &str = "/api/webhooks/stripe";
const FIRST: Line = Line::Instalment(1);
const SECOND: Line = Line::Instalment(2);

/// The adapter as the product builds it.
pub fn adapter(stripe: &Stripe) -> Arc<dyn PaymentProvider> {
    let keys = StripeKeys {
        secret: SECRET_KEY.into(),
        webhook: WEBHOOK_SECRET.into(),
        api_url: stripe.api_url.clone(),
        checkout_origin: stripe.checkout_origin.clone(),
    };
    Arc::new(Adapter::new(keys).unwrap())
}

/// A server with its own Stripe.
pub async fn shop(database: &Database) -> (World, Stripe) {
    let stripe = Stripe::start();
    stripe.set_clock(START).await;
    let options = WorldOptions { cards: Some(adapter(&stripe)), ..WorldOptions::default() };
    (World::start_with(database.db(), options).await, stripe)
}

#[tokio::test]
async fn a_stripe_that_says_nothing_is_not_waited_for() {
    let silent = Silent::start().await;
    let keys = StripeKeys {
        secret: SECRET_KEY.into(),
        webhook: WEBHOOK_SECRET.into(),
        api_url: format!("http://{}", silent.address),
        checkout_origin: "https://checkout.stripe.com".into(),
    };
    let stripe = Adapter::new(keys).unwrap().with_patience(Duration::from_secs(1));
    let purpose = Purpose { application_id: "a".into(), line: String::new() };
    let start = Instant::now();
    let asked = stripe.customer("key", "demo@example.com", &purpose).await;
    assert!(matches!(asked, Err(ProviderError::Unreachable(_))), "{asked:?}");
    assert!(stripe.check().await.is_err());
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
}

/// An applicant with a place and a plan: five instalments, the first of $1,000.
async fn planned(world: &World) -> (Client, String) {
    let (client, id) = placed(world).await;
    ok(client.post("/api/users/funding").json(&shared_plan(0)).send().await).await;
    (client, id)
}

async fn checkout(client: &Client, line: &str, saves_card: bool) -> Answer {
    client.post(CHECKOUT).json(&json!({ "line": line, "saveCard": saves_card })).send().await
}

async fn page_of(client: &Client, line: &str, saves_card: bool) -> String {
    ok(checkout(client, line, saves_card).await).await["url"].as_str().unwrap().to_owned()
}

/// Returns from the hosted page; the location that this redirects to.
pub async fn back(client: &Client, location: &str) -> String {
    let path = location.strip_prefix(PUBLIC_URL).unwrap();
    let answer = client.without_token().get(path).with_cookie(client).send().await;
    assert_eq!(answer.status, 302, "{answer:?}");
    answer.header("location").to_owned()
}

/// An enrolled applicant who has paid the first instalment with this card and saved it.
async fn enrolled(world: &World, stripe: &Stripe, card: &str) -> (Client, String) {
    let (client, id) = planned(world).await;
    let contract = sent(world, &id).await;
    signed(&client, &contract).await;
    countersigned(world, &contract).await;
    let finance = staff_client(world, Role::Finance).await;
    let funding = ok(finance.api("GET", &path(&id, "/funding")).send().await).await;
    let body = json!({ "source": "employer", "state": "confirmed", "revision": funding["revision"] });
    ok(finance.api("POST", &path(&id, "/funding/verdict")).json(&body).send().await).await;
    let page = page_of(&client, "instalment-1", true).await;
    let location = stripe.pay(&page, GOOD_CARD).await.unwrap();
    assert_eq!(back(&client, &location).await, "/dashboard/payments?done=paid");
    if card != GOOD_CARD {
        let page = ok(client.post("/api/users/payments/card").send().await).await["url"].as_str().unwrap().to_owned();
        let location = stripe.pay(&page, card).await.unwrap();
        assert_eq!(back(&client, &location).await, "/dashboard/payments?done=card");
    }
    assert_eq!(client.get("/api/users/application").send().await.json()["stage"], "enrolled");
    (client, id)
}

/// Advances both clocks.
pub async fn later(world: &World, stripe: &Stripe, by: Millis) {
    advance(world, by).await;
    stripe.set_clock(world.app.clock.now()).await;
}

pub async fn ledger(database: &Database, id: &str) -> Book {
    let db = database.db();
    assert_eq!(db.ledger_faults().await.unwrap(), []);
    let book = db.ledger(id).await.unwrap().book();
    for account in Account::ALL {
        assert!(book.balance(account) >= 0, "{account:?}: {book:?}");
    }
    book
}

pub fn payments(book: &Book) -> usize {
    book.transactions.iter().filter(|it| it.draft.kind == Kind::Payment).count()
}

/// The cents Stripe has actually taken, less refunds.
pub async fn taken(stripe: &Stripe) -> i64 {
    let list = stripe.get("/v1/charges?limit=100").await;
    let charges = list["data"].as_array().unwrap();
    let paid = charges.iter().filter(|charge| charge["status"] == "succeeded");
    paid.map(|charge| charge["amount"].as_i64().unwrap() - charge["amount_refunded"].as_i64().unwrap()).sum()
}

async fn state(database: &Database, id: &str, line: Line) -> (ChargeState, i64) {
    let charge = database.db().card_charge(id, line).await.unwrap().unwrap();
    (charge.state, charge.failures)
}

fn signature(body: &str, secret: &str, at: Millis) -> String {
    let seconds = at.div_euclid(1000);
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).unwrap();
    mac.update(format!("{seconds}.{body}").as_bytes());
    let hex: String = mac.finalize().into_bytes().iter().map(|byte| format!("{byte:02x}")).collect();
    format!("t={seconds},v1={hex}")
}

async fn deliver(world: &World, body: &str, signature: &str) -> u16 {
    let call = world.visitor().post(WEBHOOK).raw("application/json", body.to_owned());
    call.header("stripe-signature", signature).send().await.status
}

fn paid_event(number: usize, id: &str, line: &str, cents: i64) -> Value {
    let intent = json!({
        "id": format!("pi_{number}"), "object": "payment_intent", "status": "succeeded", "amount": cents,
        "amount_received": cents, "currency": "usd", "metadata": { "application": id, "line": line },
    });
    event(&format!("evt_{number}"), "payment_intent.succeeded", &intent)
}

fn event(id: &str, kind: &str, object: &Value) -> Value {
    json!({ "id": id, "type": kind, "created": START / 1000, "data": { "object": object } })
}

/// A small random generator: the same shuffle in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % most
    }
}

story! {
    async fn however_often_it_is_asked_there_is_one_page_and_one_payment(database: Database) {
        let (world, stripe) = shop(&database).await;
        let (client, id) = planned(&world).await;
        for (body, code) in [
            (json!({ "line": "rent" }), "line.unknown"),
            (json!({ "line": "instalment-1", "saveCard": "yes" }), "saveCard.type"),
            (json!({ "line": "instalment-1", "cents": 1 }), "field.unknown"),
        ] {
            client.post(CHECKOUT).json(&body).send().await.assert_problem(422, code);
        }
        checkout(&client, "instalment-9", false).await.assert_problem(409, "card.nothing_owed");
        checkout(&client, "source-employer", false).await.assert_problem(409, "card.nothing_owed");

        // Two tabs, a double click, a lost answer: still one page.
        stripe.faults(json!([{ "method": "POST", "path": "/v1/checkout/sessions$", "times": 1, "act": "drop_answer" }])).await;
        let pages = join_all((0..6).map(|_| checkout(&client, "instalment-1", true))).await;
        let urls: Vec<String> = pages.iter().filter(|answer| answer.status == 200)
            .map(|answer| answer.json()["url"].as_str().unwrap().to_owned()).collect();
        assert!(!urls.is_empty(), "{pages:?}");
        let page = page_of(&client, "instalment-1", true).await;
        assert!(urls.iter().all(|url| *url == page), "{urls:?}");
        assert!(page.starts_with(&stripe.checkout_origin), "{page}");

        // After a declined card, another one can be used on the same page.
        assert_eq!(stripe.pay(&page, DECLINED_CARD).await, Err("Your card was declined.".to_owned()));
        assert_eq!(payments(&ledger(&database, &id).await), 0);
        let (first, second) = tokio::join!(stripe.pay(&page, GOOD_CARD), stripe.pay(&page, GOOD_CARD));
        let location = first.or(second).unwrap();
        // Another person's browser learns nothing from the address.
        let (stranger, _) = planned(&world).await;
        assert_eq!(back(&stranger, &location).await, "/dashboard/payments?done=waiting");
        for _ in 0..2 {
            assert_eq!(back(&client, &location).await, "/dashboard/payments?done=paid");
        }
        let book = ledger(&database, &id).await;
        assert_eq!((payments(&book), book.is_settled(FIRST), book.balance(Account::Clearing)), (1, true, 100_000));
        assert_eq!(taken(&stripe).await, 100_000);
        assert_eq!(state(&database, &id, FIRST).await.0, ChargeState::Paid);
        checkout(&client, "instalment-1", true).await.assert_problem(409, "card.nothing_owed");
        let cards = ok(client.get("/api/users/payments").send().await).await;
        assert_eq!((&cards["available"], &cards["card"]), (&json!(true), &json!("Visa •••• 4242")));
        assert_eq!(database.count("outbox WHERE template = 'payment-received'").await, 1);
        // The card can be removed.
        let forgotten = client.call("DELETE", "/api/users/payments/card").send().await;
        assert_eq!(forgotten.status, 204, "{forgotten:?}");
        assert_eq!(ok(client.get("/api/users/payments").send().await).await["card"], Value::Null);
    }

    async fn the_page_pays_without_javascript_and_its_policy_lets_it(database: Database) {
        let (world, stripe) = shop(&database).await;
        let (client, id) = planned(&world).await;
        let see = |path: &'static str| client.without_token().get(path).with_cookie(&client).send();
        let shown = see("/dashboard/payments").await;
        for text in ["Pay by card", "name=\"saveCard\"", "You enter your card details on a", "value=\"instalment-1\""] {
            assert!(shown.text.contains(text), "{text}: {}", shown.text);
        }
        let policy = shown.header("content-security-policy");
        assert!(policy.contains(&format!("form-action 'self' {};", stripe.checkout_origin)), "{policy}");
        let elsewhere = see("/dashboard/funding").await;
        assert!(elsewhere.header("content-security-policy").contains("form-action 'self';"));
        let send = |line: &'static str| {
            let call = client.without_token().post("/dashboard/payments");
            call.form(&[("action", "pay"), ("line", line)]).with_cookie(&client).send()
        };
        let odd = send("instalment-9").await;
        assert_eq!(odd.status, 409);
        assert!(odd.text.contains("There is nothing to pay for this now."), "{}", odd.text);
        stripe.faults(json!([{ "path": "/v1/", "times": 9, "act": "drop" }])).await;
        let cut = send("instalment-1").await;
        assert_eq!(cut.status, 503);
        assert!(cut.text.contains("We cannot reach the card payment service right now. Nothing was paid."), "{}", cut.text);
        stripe.no_faults().await;
        let sent = send("instalment-1").await;
        assert_eq!(sent.status, 303, "{sent:?}");
        let location = stripe.pay(sent.header("location"), GOOD_CARD).await.unwrap();
        assert_eq!(back(&client, &location).await, "/dashboard/payments?done=paid");
        let shown = see("/dashboard/payments?done=paid").await;
        for text in ["Your payment has arrived", "value=\"instalment-2\"", "Payment: Payment 1"] {
            assert!(shown.text.contains(text), "{text}: {}", shown.text);
        }
        assert!(ledger(&database, &id).await.is_settled(FIRST));
    }

    async fn the_webhook_tells_what_no_browser_came_back_for(database: Database) {
        let (world, stripe) = shop(&database).await;
        let (client, id) = planned(&world).await;
        later(&world, &stripe, 0).await;
        stripe.register_webhook(&format!("http://{}{WEBHOOK}", world.address()), WEBHOOK_SECRET).await;
        let page = page_of(&client, "instalment-1", false).await;
        stripe.pay(&page, GOOD_CARD).await.unwrap();
        for _ in 0..200 {
            if payments(&ledger(&database, &id).await) == 1 { break; }
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
        assert!(ledger(&database, &id).await.is_settled(FIRST));
        // An event that never arrived is found at night.
        stripe.forget_webhook().await;
        let page = page_of(&client, "instalment-2", false).await;
        stripe.pay(&page, GOOD_CARD).await.unwrap();
        assert_eq!(payments(&ledger(&database, &id).await), 1);
        assert!(world.app.reconcile_payments().await.unwrap() > 0);
        assert_eq!(payments(&ledger(&database, &id).await), 2);
        assert_eq!(world.app.reconcile_payments().await.unwrap(), 0);
        assert_eq!((taken(&stripe).await, payments(&ledger(&database, &id).await)), (130_000, 2));
    }

    async fn a_thousand_messages_in_any_order_leave_the_right_ledger(database: Database) {
        let (world, _stripe) = shop(&database).await;
        let mut people = Vec::new();
        for _ in 0..4 {
            people.push(planned(&world).await.1);
        }
        let lines = ["instalment-1", "instalment-2", "instalment-3", "instalment-4", "instalment-5"];
        let cents = [100_000, 30_000, 30_000, 30_000, 10_001];
        let now = world.app.clock.now();
        let mut dice = Dice(7);
        // Twenty valid payments; one line is paid twice, one payment is nobody's, one in another currency, one unknown.
        let mut events: Vec<Value> = Vec::new();
        for (person, id) in people.iter().enumerate() {
            for (at, line) in lines.iter().enumerate() {
                events.push(paid_event(person * 10 + at, id, line, cents[at]));
            }
        }
        events.push(paid_event(900, &people[0], "instalment-2", 30_000));
        events.push(paid_event(901, "nobody", "instalment-1", 777));
        let mut euros = paid_event(902, &people[1], "instalment-1", 555);
        euros["data"]["object"]["currency"] = json!("eur");
        events.push(euros);
        events.push(event("evt_903", "customer.tax_id.created", &json!({ "id": "txi_1" })));
        let mut failed = paid_event(904, &people[2], "instalment-1", 100_000);
        failed["data"]["object"]["status"] = json!("requires_payment_method");
        failed["type"] = json!("payment_intent.payment_failed");
        events.push(failed);
        let back = json!({ "id": "re_1", "status": "succeeded", "payment_intent": "pi_900", "amount": 30_000 });
        events.push(event("evt_905", "refund.created", &back));
        let bodies: Vec<String> = events.iter().map(Value::to_string).collect();

        let mut deliveries = Vec::new();
        for number in 0..1_000 {
            let body = &bodies[if number < bodies.len() { number } else { dice.below(bodies.len()) }];
            let (signature, good) = match dice.below(10) {
                0 => (signature(body, "whsec_forged", now), false),
                1 => (signature(body, WEBHOOK_SECRET, now - 6 * MINUTE), false),
                2 => (signature(&format!("{} ", bodies[dice.below(bodies.len())]), WEBHOOK_SECRET, now), false),
                _ => (signature(body, WEBHOOK_SECRET, now - 60_000), true),
            };
            deliveries.push((body.clone(), signature, good));
        }
        // Each arrives intact at least once, and the refund last, because its payment has to be there.
        for body in &bodies {
            deliveries.push((body.clone(), signature(body, WEBHOOK_SECRET, now), true));
        }
        for at in (1..deliveries.len()).rev() {
            deliveries.swap(at, dice.below(at + 1));
        }
        let refund = bodies.last().unwrap().clone();
        deliveries.retain(|(body, _, good)| *body != refund || !good);
        deliveries.push((refund.clone(), signature(&refund, WEBHOOK_SECRET, now), true));
        for eight in deliveries.chunks(8) {
            let sent = eight.iter().map(|(body, signature, _)| deliver(&world, body, signature));
            for (status, (.., good)) in join_all(sent).await.into_iter().zip(eight) {
                assert_eq!(status == 200, *good, "{status}");
            }
        }
        for (at, id) in people.iter().enumerate() {
            let book = ledger(&database, id).await;
            let twice = usize::from(at == 0);
            assert_eq!((payments(&book), book.charges().count()), (5 + twice, 5), "{book:?}");
            assert_eq!((book.balance(Account::Receivable), book.balance(Account::Unapplied)), (0, 0));
            assert_eq!((book.balance(Account::Clearing), book.balance(Account::Income)), (200_001, 200_001));
        }
        assert_eq!(database.count("provider_events").await, i64::try_from(bodies.len()).unwrap());
        assert_eq!(database.count("provider_events WHERE state = 'unmatched'").await, 2);
        assert_eq!(database.count("provider_events WHERE state = 'ignored'").await, 2);
        assert_eq!(database.count("outbox WHERE template = 'payment-received'").await, 21);
        assert_eq!(database.count("staff_tasks WHERE kind = 'card-payment' AND done_at IS NULL").await, 2);
    }

    async fn the_saved_card_pays_what_falls_due_and_once(database: Database) {
        let (world, stripe) = shop(&database).await;
        let (client, id) = enrolled(&world, &stripe, GOOD_CARD).await;
        assert_eq!(world.app.collect_instalments().await.unwrap(), 0);
        let plan = database.db().funding_plan(&id).await.unwrap().unwrap().funding;
        let due = plan.schedule()[1].due;
        let days = (due - world.app.today()).get_days();
        later(&world, &stripe, (i64::from(days) + 31) * DAY + HOUR).await;
        // Answers are lost, requests are sent twice, and two processes are at work at once.
        stripe.faults(json!([
            { "method": "POST", "path": "/v1/payment_intents", "times": 1, "act": "drop_answer" },
            { "method": "POST", "path": "/confirm", "times": 1, "act": "duplicate" },
        ])).await;
        let all = join_all((0..4).map(|_| world.app.collect_instalments())).await;
        assert!(all.iter().all(Result::is_ok), "{all:?}");
        later(&world, &stripe, 3 * MINUTE).await;
        world.app.collect_instalments().await.unwrap();
        let book = ledger(&database, &id).await;
        let open: Vec<u32> =
            plan.schedule().iter().filter(|line| line.due <= world.app.today() && !book.is_settled(Line::Instalment(line.number)))
                .map(|line| line.number).collect();
        assert_eq!(open, [0_u32; 0], "{book:?}");
        assert_eq!(taken(&stripe).await, book.balance(Account::Clearing));
        assert_eq!(state(&database, &id, SECOND).await, (ChargeState::Paid, 0));
        let mails = database.count("outbox WHERE template = 'payment-received'").await;
        assert_eq!(mails, i64::try_from(payments(&book)).unwrap());
        let client = client.log_in().await;
        assert_eq!(client.get("/api/users/application").send().await.json()["stage"], "enrolled");
    }

    async fn a_dispute_waits_for_finance(database: Database) {
        let (world, stripe) = shop(&database).await;
        let (_, id) = enrolled(&world, &stripe, GOOD_CARD).await;
        let intents = stripe.get("/v1/payment_intents?limit=10").await;
        let dispute = json!({
            "id": "dp_1", "payment_intent": intents["data"][0]["id"], "amount": 100_000, "currency": "usd",
        });
        let told = event("evt_dispute", "charge.dispute.created", &dispute).to_string();
        let signature = signature(&told, WEBHOOK_SECRET, world.app.clock.now());
        for _ in 0..2 {
            assert_eq!(deliver(&world, &told, &signature).await, 200);
        }
        let finance = staff_client(&world, Role::Finance).await;
        let page = finance.see("/admin-panel/finance?list=unmatched").send().await.assert_document(200, "adminFinance");
        let row = &page["props"]["rows"][0];
        assert_eq!(row["what"], "Disputed by the payer: respond at the provider");
        assert_eq!((row["amountText"].as_str(), row["note"].as_str()), (Some("$1,000"), Some("charge.dispute.created dp_1")));
        assert_eq!(row["href"], format!("/admin-panel/applications/{id}/funding"));
        assert_eq!(database.count("staff_tasks WHERE kind = 'card-payment' AND done_at IS NULL").await, 1);
    }

    async fn when_records_are_erased_the_provider_forgets_the_customer(database: Database) {
        let (world, stripe) = shop(&database).await;
        let (client, _) = enrolled(&world, &stripe, GOOD_CARD).await;
        let customer = database.texts("SELECT customer FROM payment_cards").await.remove(0);
        let applicant = world.store.applicant_by_email(&client.email).await.unwrap().unwrap();
        let closing = closing(&applicant);
        world.store.close_account(&closing).await.unwrap();
        stripe.faults(json!([{ "method": "DELETE", "path": "/v1/customers", "times": 9, "act": "drop" }])).await;
        later(&world, &stripe, closing.job.due_at - world.app.clock.now()).await;
        world.work().await;
        stripe.no_faults().await;
        assert_eq!(database.count("payment_cards").await, 1, "as long as it is not forgotten there, we know what to ask for");
        later(&world, &stripe, DAY).await;
        world.work().await;
        assert_eq!(database.count("payment_cards").await, 0);
        let told = stripe.requests().await;
        let path = format!("/v1/customers/{customer}");
        assert!(told.iter().any(|it| it["method"] == "DELETE" && it["path"] == path.as_str()), "{told:?}");
    }

    async fn a_refused_card_is_charged_again_on_three_days_and_then_people_decide(database: Database) {
        let (world, stripe) = shop(&database).await;
        let (client, id) = enrolled(&world, &stripe, FAILING_CARD).await;
        let schedule = database.db().funding_plan(&id).await.unwrap().unwrap().funding.schedule();
        let days = (schedule[1].due - world.app.today()).get_days();
        later(&world, &stripe, i64::from(days) * DAY + HOUR).await;
        let mut seen = Vec::new();
        for day in 0..12 {
            for _ in 0..2 {
                world.app.collect_instalments().await.unwrap();
            }
            let (state, failures) = state(&database, &id, SECOND).await;
            seen.push((day, failures, state == ChargeState::Stopped));
            later(&world, &stripe, DAY).await;
        }
        let failures: Vec<i64> = seen.iter().map(|(_, failures, _)| *failures).collect();
        assert_eq!(failures, [1, 1, 1, 2, 2, 3, 3, 3, 4, 4, 4, 4]);
        assert_eq!(seen.iter().position(|(.., stopped)| *stopped), Some(8));
        let tried = stripe.requests().await;
        let made = tried.iter().filter(|it| it["method"] == "POST" && it["path"] == "/v1/payment_intents").count();
        assert_eq!(made, 1, "one intent for an instalment, however often it is tried");
        assert_eq!(database.count("outbox WHERE template = 'payment-failed'").await, 3);
        assert_eq!(database.count("outbox WHERE template = 'payment-stopped'").await, 1);
        let finance = database.count("staff WHERE role = 'finance'").await;
        assert_eq!(database.count("outbox WHERE template = 'payment-failed-staff'").await, 4 * finance);
        assert_eq!(database.count("staff_tasks WHERE kind = 'card-payment' AND done_at IS NULL").await, 1);
        assert_eq!(payments(&ledger(&database, &id).await), 1);
        // Nothing is cancelled; it is paid with another card, and the first one can no longer be charged.
        let client = client.log_in().await;
        let shown = client.without_token().get("/dashboard/payments").with_cookie(&client).send().await;
        assert!(shown.text.contains("Your card was declined several times."), "{}", shown.text);
        // A page that is opened but not paid does not cause another charge.
        page_of(&client, "instalment-2", false).await;
        later(&world, &stripe, 25 * HOUR).await;
        for _ in 0..100 {
            world.app.collect_instalments().await.unwrap();
            if state(&database, &id, SECOND).await.0 != ChargeState::Open {
                break;
            }
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
        assert_eq!(state(&database, &id, SECOND).await, (ChargeState::Stopped, 4));
        let client = client.log_in().await;
        let page = page_of(&client, "instalment-2", false).await;
        let location = stripe.pay(&page, GOOD_CARD).await.unwrap();
        assert_eq!(back(&client, &location).await, "/dashboard/payments?done=paid");
        world.app.collect_instalments().await.unwrap();
        let book = ledger(&database, &id).await;
        assert_eq!((payments(&book), book.is_settled(SECOND)), (2, true));
        assert_eq!(taken(&stripe).await, 130_000);
    }

    async fn while_somebody_pays_on_the_page_the_saved_card_is_not_charged(database: Database) {
        let (world, stripe) = shop(&database).await;
        let (client, id) = enrolled(&world, &stripe, GOOD_CARD).await;
        let schedule = database.db().funding_plan(&id).await.unwrap().unwrap().funding.schedule();
        let days = (schedule[1].due - world.app.today()).get_days();
        later(&world, &stripe, i64::from(days) * DAY + HOUR).await;
        let client = client.log_in().await;
        let page = page_of(&client, "instalment-2", false).await;
        world.app.collect_instalments().await.unwrap();
        assert_eq!(payments(&ledger(&database, &id).await), 1);
        // The applicant left. An hour later the page is closed, and then the card is charged.
        later(&world, &stripe, HOUR + MINUTE).await;
        world.app.collect_instalments().await.unwrap();
        assert_eq!(stripe.pay(&page, GOOD_CARD).await.unwrap_err(), "This page has expired");
        assert_eq!((payments(&ledger(&database, &id).await), taken(&stripe).await), (2, 130_000));
        // A payment made on the page at the last moment is not charged again.
        let page = page_of(&client.log_in().await, "instalment-3", false).await;
        stripe.pay(&page, GOOD_CARD).await.unwrap();
        let days = (schedule[2].due - world.app.today()).get_days();
        later(&world, &stripe, i64::from(days) * DAY + HOUR).await;
        world.app.collect_instalments().await.unwrap();
        let book = ledger(&database, &id).await;
        assert_eq!((payments(&book), book.is_settled(Line::Instalment(3)), taken(&stripe).await), (3, true, 160_000));
    }

    async fn a_refund_goes_back_once_whatever_happens_on_the_line(database: Database) {
        let (world, stripe) = shop(&database).await;
        let (client, id) = planned(&world).await;
        let page = page_of(&client, "instalment-1", false).await;
        let location = stripe.pay(&page, GOOD_CARD).await.unwrap();
        back(&client, &location).await;
        let finance = staff_client(&world, Role::Finance).await;
        let paid = ledger(&database, &id).await.transactions.last().unwrap().id.clone();
        let refund = |key: &'static str, cents: i64| {
            let body = json!({ "action": "refund", "transaction": paid, "cents": cents, "reason": "Paid by mistake" });
            let (finance, id) = (&finance, &id);
            async move { book(finance, id, key, body).await }
        };
        refund("r0", 100_001).await.assert_problem(422, "ledger.too_much");
        stripe.faults(json!([{ "method": "POST", "path": "/v1/refunds", "times": 3, "act": "drop_answer" }])).await;
        refund("r1", 40_000).await.assert_problem(503, "refund.under_way");
        assert_eq!(payments(&ledger(&database, &id).await), 1);
        // It was made, but the answer was lost. Refunds under way count as paid out.
        refund("r2", 60_001).await.assert_problem(422, "ledger.too_much");
        later(&world, &stripe, 26 * HOUR).await;
        world.app.collect_instalments().await.unwrap();
        world.app.collect_instalments().await.unwrap();
        let book = ledger(&database, &id).await;
        assert_eq!((book.balance(Account::Clearing), book.balance(Account::Refunds)), (60_000, 40_000));
        assert_eq!(taken(&stripe).await, 60_000);
        // A refund made at Stripe itself is recorded too, and one that Stripe refuses is reported.
        let intent = book.transactions.iter().find_map(|it| it.draft.cause.strip_prefix("payment:card:")).unwrap().to_owned();
        stripe.post("/v1/refunds", &[("payment_intent", &intent), ("amount", "10000")]).await;
        let finance = staff_client(&world, Role::Finance).await;
        let body = json!({ "action": "refund", "transaction": paid, "cents": 60_000, "reason": "The rest" });
        self::book(&finance, &id, "r3", body).await.assert_problem(409, "refund.refused");
        world.app.reconcile_payments().await.unwrap();
        world.app.reconcile_payments().await.unwrap();
        let book = ledger(&database, &id).await;
        assert_eq!((book.balance(Account::Clearing), book.balance(Account::Refunds)), (50_000, 50_000));
        assert_eq!(taken(&stripe).await, 50_000);
    }

    async fn a_refund_that_a_second_person_approves_goes_back_once(database: Database) {
        let (world, stripe) = shop(&database).await;
        let (client, id) = planned(&world).await;
        let page = page_of(&client, "instalment-1", false).await;
        let location = stripe.pay(&page, GOOD_CARD).await.unwrap();
        back(&client, &location).await;
        let finance = staff_client(&world, Role::Finance).await;
        let setting = json!({ "replaces": 0, "values": { "amount": "400" } });
        ok(finance.api("PATCH", "/api/admins/settings/second-person").json(&setting).send().await).await;
        let paid = ledger(&database, &id).await.transactions.last().unwrap().id.clone();
        let refund = |key: &'static str, cents: i64| {
            let body = json!({ "action": "refund", "transaction": paid, "cents": cents, "reason": "Paid by mistake" });
            let (finance, id) = (&finance, &id);
            async move { book(finance, id, key, body).await }
        };
        // Two small ones at once together reach the amount: one is sent and the other waits.
        let (one, other) = tokio::join!(refund("r1", 20_000), refund("r2", 20_000));
        let mut statuses = [one.status, other.status];
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 202], "{one:?} {other:?}");
        assert_eq!(taken(&stripe).await, 80_000);
        let request = if one.status == 202 { one.json() } else { other.json() };
        let approve = path(&id, &format!("/ledger/requests/{}/approve", request["id"].as_str().unwrap()));
        finance.api("POST", &approve).json(&json!({})).send().await.assert_problem(403, "approval.own");
        let seconds = [staff_client(&world, Role::Finance).await, staff_client(&world, Role::Owner).await];
        let answers = futures::future::join_all(seconds.iter().map(|second| {
            let call = second.api("POST", &approve).json(&json!({}));
            async move { call.send().await.status }
        }))
        .await;
        assert!(answers.contains(&200) && answers.contains(&409), "{answers:?}");
        let book = ledger(&database, &id).await;
        assert_eq!((book.balance(Account::Refunds), taken(&stripe).await), (40_000, 60_000));
        assert_eq!(database.count("card_refunds WHERE state = 'done'").await, 2);
    }

    async fn money_that_comes_when_nothing_is_owed_any_more_is_kept_apart(database: Database) {
        let (world, stripe) = shop(&database).await;
        let (client, id) = planned(&world).await;
        let page = page_of(&client, "instalment-1", false).await;
        let finance = staff_client(&world, Role::Finance).await;
        ok(book(&finance, &id, "k1", payment("instalment-1", 100_000)).await).await;
        checkout(&client, "instalment-1", false).await.assert_problem(409, "card.nothing_owed");
        let location = stripe.pay(&page, GOOD_CARD).await.unwrap();
        assert_eq!(back(&client, &location).await, "/dashboard/payments?done=paid");
        let book = ledger(&database, &id).await;
        assert_eq!((book.balance(Account::Unapplied), book.balance(Account::Receivable)), (100_000, 0));
    }

    async fn without_a_provider_there_is_no_card_and_everything_else(database: Database) {
        let world = World::start(database.db()).await;
        let (client, _) = planned(&world).await;
        checkout(&client, "instalment-1", false).await.assert_problem(409, "card.none");
        client.post("/api/users/payments/card").send().await.assert_problem(409, "card.none");
        let shown = client.without_token().get("/dashboard/payments").with_cookie(&client).send().await;
        assert!(shown.text.contains("How to pay") && !shown.text.contains("by card"), "{}", shown.text);
        assert!(shown.header("content-security-policy").contains("form-action 'self';"));
        assert_eq!(deliver(&world, "{}", "t=1,v1=00").await, 409);
        assert_eq!(world.app.collect_instalments().await.unwrap(), 0);
    }

    async fn killed_between_any_two_steps_of_a_charge_nothing_is_lost_and_nothing_charged_twice(database: Database) {
        let (world, stripe) = shop(&database).await;
        let (_, id) = enrolled(&world, &stripe, GOOD_CARD).await;
        let due = database.db().funding_plan(&id).await.unwrap().unwrap().funding.schedule()[1].due;
        let days = i64::from((due - world.app.today()).get_days());
        let mut clock = world.app.clock.now() + days * DAY + HOUR;
        drop(world);
        let intents = "^/v1/payment_intents$";
        let (confirm, looked_at) = ("/confirm$", "^/v1/payment_intents/");
        let steps = [
            ("POST", intents, "kill"),
            ("POST", intents, "kill_after"),
            ("POST", confirm, "kill"),
            ("POST", confirm, "kill_after"),
            ("GET", looked_at, "kill"),
            ("GET", looked_at, "kill_after"),
        ];
        let port = free_port();
        let program = |ahead: Millis| {
            let now = i64::try_from(std::time::UNIX_EPOCH.elapsed().unwrap().as_millis()).unwrap();
            Program {
                folder: tempfile::TempDir::new().unwrap(),
                database: database.url.clone(),
                port,
                more: vec![
                    ("MATRICULA_DEVELOPMENT", "true".into()),
                    ("MATRICULA_CLOCK_AHEAD", ((ahead - now) / MINUTE).to_string()),
                    ("STRIPE_SECRET_KEY", SECRET_KEY.into()),
                    ("STRIPE_WEBHOOK_SECRET", WEBHOOK_SECRET.into()),
                    ("STRIPE_API_URL", stripe.api_url.clone()),
                    ("STRIPE_CHECKOUT_ORIGIN", stripe.checkout_origin.clone()),
                ],
            }
        };
        for (method, path, act) in steps {
            let fault = async |pid| {
                stripe.faults(json!([{ "method": method, "path": path, "times": 1, "act": act, "pid": pid }])).await;
            };
            let begun = program(clock);
            let mut server = begun.start_after(fault).await;
            // A job that was claimed and never finished is claimed again when its lease expires.
            let patience = std::time::Instant::now();
            while server.try_wait().unwrap().is_none() {
                assert!(patience.elapsed().as_secs() < 60, "{method} {path} was not asked before {act}");
                tokio::time::sleep(std::time::Duration::from_millis(20)).await;
            }
            stripe.no_faults().await;
            clock += HOUR + 10 * MINUTE;
        }
        // The last two steps: it is in the ledger, and the charge does not show it yet.
        for round in 0..2 {
            let mut server = program(clock).start();
            let patience = std::time::Instant::now();
            while state(&database, &id, SECOND).await.0 != ChargeState::Paid {
                assert!(patience.elapsed().as_secs() < 60, "it is never paid");
                tokio::time::sleep(std::time::Duration::from_millis(20)).await;
            }
            server.kill().unwrap();
            server.wait().unwrap();
            let book = ledger(&database, &id).await;
            assert_eq!((payments(&book), book.is_settled(SECOND), taken(&stripe).await), (2, true, 130_000), "{round}");
            database.run("UPDATE card_charges SET state = 'charging' WHERE line = 'instalment-2'").await.unwrap();
            clock += HOUR + 10 * MINUTE;
        }
        let made = stripe.get("/v1/charges?limit=100").await["data"].as_array().unwrap().len();
        assert_eq!(made, 2);
        assert_eq!(database.count("outbox WHERE template = 'payment-received'").await, 2);
    }
}
