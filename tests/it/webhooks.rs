//! Webhooks: the institute's programs are told what happens to applications, in order and at least once.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use matricula::app::ports::Clock;
use matricula::auth::SystemClock;
use matricula::domain::moments::{DAY, HOUR, MINUTE, Millis};
use matricula::domain::role::Role;
use matricula::domain::webhook::MAX_ENDPOINTS;
use matricula::jobs::WebhookWorker;
use matricula::outbound::Outbound;
use matricula::webhooks::Sender;
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_util::sync::CancellationToken;

use crate::api::documents::{applicant, send};
use crate::decisions::{acceptance, decide, rejection, submitted};
use crate::money::{book, payment, placed, shared_plan};
use crate::office::{StaffClient, entered, hired, staff_client};
use crate::plans::withdraw;
use crate::support::databases::story;
use crate::support::files::pdf;
use crate::support::ports::free_port;
use crate::support::receiver::Receiver;
use crate::support::server::{Client, START, World};

const WEBHOOKS: &str = "/api/admins/webhooks";
const PAGE: &str = "/admin-panel/settings/webhooks";
/// How long a claim lasts.
const LEASE: Millis = 5 * MINUTE;

fn worker(world: &World, networks: &str) -> WebhookWorker {
    WebhookWorker {
        app: world.app.clone(),
        store: world.store.clone(),
        sender: Sender::new(Outbound::new(networks).unwrap()),
    }
}

/// Delivers what is due.
pub async fn deliver(world: &World) {
    worker(world, "127.0.0.1").drain(&CancellationToken::new()).await.unwrap();
}

/// Delivers what is due after some time.
async fn deliver_after(world: &World, time: Millis) {
    world.clock.advance(time);
    deliver(world).await;
}

/// An endpoint's id and secret.
pub async fn added(world: &World, url: &str, events: &[&str]) -> (String, String) {
    let owner = staff_client(world, Role::Owner).await;
    let body = json!({ "name": "Demo student system", "url": url, "events": events });
    let answer = owner.api("POST", WEBHOOKS).json(&body).send().await;
    assert_eq!(answer.status, 201, "{answer:?}");
    assert_eq!(answer.header("cache-control"), "no-store");
    let made = answer.json();
    let text = |name: &str| made[name].as_str().unwrap().to_owned();
    (text("id"), text("secret"))
}

async fn post(owner: &StaffClient, path: &str, body: Value) -> Value {
    let answer = owner.api("POST", &format!("{WEBHOOKS}/{path}")).json(&body).send().await;
    assert!((200..300).contains(&answer.status), "{answer:?}");
    if answer.status == 204 { Value::Null } else { answer.json() }
}

/// The deliveries of an endpoint, newest first.
async fn deliveries(world: &World, id: &str) -> Vec<Value> {
    let owner = staff_client(world, Role::Owner).await;
    let listed = owner.api("GET", &format!("{WEBHOOKS}/{id}/deliveries")).send().await.json();
    listed["deliveries"].as_array().unwrap().clone()
}

/// An endpoint as it is now.
async fn endpoint(world: &World, id: &str) -> Value {
    staff_client(world, Role::Owner).await.api("GET", &format!("{WEBHOOKS}/{id}")).send().await.json()
}

async fn id_of(client: &Client) -> String {
    client.get("/api/users/application").send().await.json()["id"].as_str().unwrap().to_owned()
}

/// The receiver of the docs, running.
struct DocsReceiver {
    program: Child,
    lines: std::sync::mpsc::Receiver<String>,
}

impl DocsReceiver {
    async fn start(port: u16, secret: &str) -> DocsReceiver {
        let docs = include_str!("../../docs/integrations.md");
        let code = docs.split("```python\n").nth(1).unwrap().split("```").next().unwrap();
        assert!(code.lines().filter(|line| !line.is_empty()).count() <= 22, "it is to be short");
        let mut program = Command::new("python3")
            .args(["-c", code])
            .env("WEBHOOK_SECRET", secret)
            .env("PORT", port.to_string())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let output = BufReader::new(program.stdout.take().unwrap());
        let (written, lines) = std::sync::mpsc::channel();
        std::thread::spawn(move || output.lines().map_while(Result::ok).try_for_each(|line| written.send(line)));
        while TcpStream::connect(("127.0.0.1", port)).await.is_err() {
            assert!(program.try_wait().unwrap().is_none(), "it has ended");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        DocsReceiver { program, lines }
    }

    fn next(&self) -> Value {
        let line = self.lines.recv_timeout(Duration::from_secs(30)).expect("an event arrives");
        serde_json::from_str(&line).unwrap()
    }
}

impl Drop for DocsReceiver {
    fn drop(&mut self) {
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}

story! {
    async fn the_receiver_of_the_docs_takes_what_happens_to_an_application(database: Database) {
        let world = World::start(database.db()).await;
        // It refuses what was not sent just now.
        world.clock.advance(SystemClock { ahead: 0 }.now() - START - 15 * MINUTE);
        let port = free_port();
        let (id, secret) = added(&world, &format!("http://127.0.0.1:{port}/"), &[]).await;
        let receiver = DocsReceiver::start(port, &secret).await;

        let (client, application) = placed(&world).await;
        assert_eq!(send(&client, "identity", "passport.pdf", &pdf(500)).await.status, 201);
        client.post("/api/users/funding").json(&shared_plan(0)).send().await;
        let finance = staff_client(&world, Role::Finance).await;
        let paid = book(&finance, &application, "one", payment("instalment-1", 40_000)).await;
        assert_eq!(paid.status, 200, "{paid:?}");
        deliver(&world).await;

        let reference = client.get("/api/users/application").send().await.json()["reference"].clone();
        let kinds = ["application.submitted", "decision.released", "application.confirmed", "document.received", "payment.received"];
        let events: Vec<Value> = kinds.iter().map(|_| receiver.next()).collect();
        for (event, kind) in events.iter().zip(kinds) {
            assert_eq!((event["type"].as_str(), &event["data"]["applicationId"]), (Some(kind), &json!(application)));
            assert_eq!((&event["data"]["reference"], &event["data"]["applicationType"]), (&reference, &json!("ba")), "{event}");
            assert!(!event.to_string().contains("Demo"), "it names nobody: {event}");
        }
        assert_eq!((&events[1]["data"]["stage"], &events[1]["data"]["previousStage"]), (&json!("offered"), &json!("submitted")));
        assert_eq!(events[3]["data"]["slot"], "identity");
        assert_eq!((&events[4]["data"]["cents"], &events[4]["data"]["line"]), (&json!(40_000), &json!("instalment-1")));
        let states: Vec<Value> = deliveries(&world, &id).await.iter().map(|it| it["state"].clone()).collect();
        assert_eq!(states, vec!["delivered"; 5]);

        // Sent again, it is taken and known; with another secret, it is not.
        let owner = staff_client(&world, Role::Owner).await;
        let event = deliveries(&world, &id).await[0]["eventId"].as_str().unwrap().to_owned();
        post(&owner, &format!("{id}/deliveries/{event}/resend"), json!({})).await;
        deliver(&world).await;
        assert_eq!(deliveries(&world, &id).await[0]["lastStatus"], 204);
        for _ in 0..2 {
            post(&owner, &format!("{id}/secret"), json!({})).await;
        }
        post(&owner, &format!("{id}/test"), json!({})).await;
        deliver(&world).await;
        let last = deliveries(&world, &id).await.remove(0);
        assert_eq!((&last["event"], &last["lastStatus"], &last["state"]), (&json!("webhook.test"), &json!(401), &json!("waiting")));
        assert!(receiver.lines.try_recv().is_err(), "nothing was processed twice");
    }

    async fn events_of_an_application_wait_for_each_other_and_others_do_not(database: Database) {
        let world = World::start(database.db()).await;
        let receiver = Receiver::start().await;
        let (id, secret) = added(&world, &receiver.url, &[]).await;
        let (one, other) = (submitted(&world).await, submitted(&world).await);
        let (first, second) = (id_of(&one).await, id_of(&other).await);
        withdraw(&one).await;
        receiver.answer_about(&first, 503);
        deliver(&world).await;
        let arrived = receiver.take();
        assert!(arrived.iter().all(|it| it.is_signed_with(&secret)), "{arrived:?}");
        let mut of: Vec<(String, u16)> = arrived.iter().map(|it| (it.event()["data"]["applicationId"].as_str().unwrap().to_owned(), it.status)).collect();
        of.sort_by_key(|(_, status)| *status);
        assert_eq!(of, [(second, 204), (first.clone(), 503)]);

        // Growing pauses, and the same event each time.
        for pause in [5_000, 5 * MINUTE, 30 * MINUTE, 2 * HOUR] {
            deliver_after(&world, pause - 1).await;
            assert_eq!(receiver.take().len(), 0, "before {pause}");
            deliver_after(&world, HOUR + 1).await;
            let again = receiver.take();
            assert_eq!(again.len(), 1, "after {pause}");
            assert_eq!((again[0].kind(), again[0].header("webhook-id")), ("application.submitted".into(), deliveries(&world, &id).await.last().unwrap()["eventId"].as_str().unwrap()));
        }
        let listed = deliveries(&world, &id).await;
        let failing = listed.iter().find(|it| it["applicationId"] == json!(first) && it["event"] == "application.submitted").unwrap();
        assert_eq!((&failing["attempts"], &failing["lastStatus"]), (&json!(5), &json!(503)));
        assert_eq!(failing["lastError"], "The receiver answered 503: not now, thank you");

        receiver.answer_about("nothing", 503);
        deliver_after(&world, DAY).await;
        assert_eq!(receiver.taken(), ["application.submitted", "application.withdrawn"]);
    }

    async fn what_was_sent_by_a_killed_process_is_sent_again(database: Database) {
        let world = World::start(database.db()).await;
        let receiver = Receiver::start().await;
        let (id, _) = added(&world, &receiver.url, &[]).await;
        let client = submitted(&world).await;
        withdraw(&client).await;
        let now = world.app.clock.now();
        let claimed = world.store.claim_webhooks(&id, 8, now, now + LEASE).await.unwrap();
        assert_eq!(claimed.len(), 1, "the second event waits for the first");
        deliver(&world).await;
        assert_eq!(receiver.take().len(), 0, "another process has it");
        deliver_after(&world, LEASE).await;
        let arrived = receiver.take();
        assert_eq!(arrived.iter().map(|it| it.kind()).collect::<Vec<_>>(), ["application.submitted", "application.withdrawn"]);
        assert_eq!(arrived[0].header("webhook-id"), claimed[0].event_id);
    }

    async fn a_decision_is_told_when_it_can_no_longer_be_recalled(database: Database) {
        let world = World::start(database.db()).await;
        let receiver = Receiver::start().await;
        added(&world, &receiver.url, &["decision.released", "decision.reversed"]).await;
        let client = submitted(&world).await;
        let decider = hired(&world, Role::Decider).await;
        decide(&world, &client, &decider, rejection()).await;
        let path = format!("/api/admins/applications/{}/decision", id_of(&client).await);
        let act = async |what: &str, body: Value| {
            let answer = entered(&world, &decider).await.api("POST", &format!("{path}{what}")).json(&body).send().await;
            assert_eq!(answer.status, 200, "{answer:?}");
        };
        deliver_after(&world, 14 * MINUTE).await;
        act("/recall", json!({})).await;
        deliver_after(&world, DAY).await;
        assert_eq!(receiver.take().len(), 0);
        assert_eq!(database.count("webhook_events").await, 0);

        decide(&world, &client, &decider, acceptance(&[])).await;
        deliver_after(&world, 15 * MINUTE - 1).await;
        assert_eq!(receiver.take().len(), 0);
        deliver_after(&world, 1).await;
        let arrived = receiver.take();
        assert_eq!((arrived.len(), &arrived[0].event()["data"]["stage"]), (1, &json!("offered")));
        act("/reverse", json!({ "reason": "A mistake" })).await;
        deliver(&world).await;
        assert_eq!(receiver.taken(), ["decision.reversed"]);
    }

    async fn an_endpoint_that_takes_nothing_is_paused_and_resumed_where_it_stopped(database: Database) {
        let world = World::start(database.db()).await;
        let receiver = Receiver::start().await;
        let (id, _) = added(&world, &receiver.url, &[]).await;
        let owner = hired(&world, Role::Owner).await;
        let client = submitted(&world).await;
        receiver.answer_about("applicationId", 500);
        deliver(&world).await;
        assert!(endpoint(&world, &id).await["failingSince"].is_string());
        withdraw(&client).await;
        for _ in 0..80 {
            deliver_after(&world, HOUR).await;
        }
        let paused = endpoint(&world, &id).await;
        assert_eq!((&paused["pauseReason"], &paused["waiting"], &paused["failed"]), (&json!("failing"), &json!(1), &json!(1)), "{paused}");
        let mails = database.texts(&format!("SELECT body_text FROM outbox WHERE template = 'webhook-paused' AND recipient = '{}'", owner.email)).await;
        assert!(mails.len() == 1 && mails[0].contains("Demo student system") && mails[0].contains(&id), "{mails:?}");
        assert_eq!(database.texts("SELECT actor FROM audit WHERE action = 'webhook.paused'").await, ["system"]);
        receiver.take();
        deliver_after(&world, DAY).await;
        assert_eq!(receiver.take().len(), 0, "it is left alone");

        receiver.answer_about("nothing", 500);
        let owner = entered(&world, &owner).await;
        let resumed = post(&owner, &format!("{id}/pause"), json!({ "paused": false })).await;
        assert_eq!((&resumed["pausedAt"], &resumed["failingSince"]), (&Value::Null, &Value::Null));
        deliver(&world).await;
        assert_eq!(receiver.taken(), ["application.submitted", "application.withdrawn"]);

        // One that says so is paused at once, and keeps what it did not take.
        receiver.answer(&[410]);
        submitted(&world).await;
        deliver(&world).await;
        let gone = endpoint(&world, &id).await;
        assert_eq!((&gone["pauseReason"], &gone["waiting"]), (&json!("gone"), &json!(1)), "{gone}");
    }

    async fn an_endpoint_that_works_again_gets_at_once_what_it_missed(database: Database) {
        let world = World::start(database.db()).await;
        let receiver = Receiver::start().await;
        let (id, _) = added(&world, &receiver.url, &[]).await;
        for _ in 0..3 {
            submitted(&world).await;
        }
        receiver.answer_about("applicationId", 500);
        for _ in 0..9 {
            deliver_after(&world, 30 * MINUTE).await;
        }
        receiver.take();
        receiver.answer_about("nothing", 500);
        let owner = staff_client(&world, Role::Owner).await;
        post(&owner, &format!("{id}/test"), json!({})).await;
        deliver_after(&world, HOUR).await;
        deliver(&world).await;
        assert_eq!(receiver.taken().len(), 4, "not after hours, as each by itself would be");
        assert_eq!(endpoint(&world, &id).await["failingSince"], Value::Null);
    }

    async fn what_is_given_up_holds_back_its_application_until_staff_decide(database: Database) {
        let world = World::start(database.db()).await;
        let receiver = Receiver::start().await;
        let (id, _) = added(&world, &receiver.url, &[]).await;
        let (client, other) = (submitted(&world).await, submitted(&world).await);
        receiver.answer_about(&id_of(&client).await, 422);
        withdraw(&client).await;
        // Another application's events are taken meanwhile, so that the endpoint goes on.
        for _ in 0..9 {
            deliver_after(&world, 6 * HOUR).await;
            let owner = staff_client(&world, Role::Owner).await;
            post(&owner, &format!("{id}/test"), json!({})).await;
            deliver_after(&world, 6 * HOUR).await;
        }
        withdraw(&other.log_in().await).await;
        deliver_after(&world, DAY).await;
        let state = async || {
            let endpoint = endpoint(&world, &id).await;
            (endpoint["failed"].as_i64().unwrap(), endpoint["waiting"].as_i64().unwrap(), endpoint["pausedAt"].clone())
        };
        assert_eq!(state().await, (1, 1, Value::Null));
        receiver.take();

        receiver.answer_about("nothing", 422);
        deliver_after(&world, DAY).await;
        assert_eq!(receiver.take().len(), 0, "the later event waits for a decision");
        let owner = staff_client(&world, Role::Owner).await;
        assert_eq!(post(&owner, &format!("{id}/deliveries/resend"), json!({})).await["deliveries"], 1);
        deliver(&world).await;
        assert_eq!(receiver.taken(), ["application.submitted", "application.withdrawn"]);
        assert_eq!(state().await, (0, 0, Value::Null));
    }

    async fn an_event_that_is_skipped_lets_the_next_pass(database: Database) {
        let world = World::start(database.db()).await;
        let receiver = Receiver::start().await;
        let (id, _) = added(&world, &receiver.url, &[]).await;
        let client = submitted(&world).await;
        withdraw(&client).await;
        receiver.answer(&[400]);
        deliver(&world).await;
        receiver.take();
        let owner = staff_client(&world, Role::Owner).await;
        let event = deliveries(&world, &id).await.last().unwrap()["eventId"].as_str().unwrap().to_owned();
        let skip = format!("{id}/deliveries/{event}/skip");
        post(&owner, &skip, json!({})).await;
        owner.api("POST", &format!("{WEBHOOKS}/{skip}")).json(&json!({})).send().await.assert_problem(404, "delivery.not_found");
        deliver_after(&world, MINUTE).await;
        assert_eq!(receiver.taken(), ["application.withdrawn"]);
        let listed = owner.api("GET", &format!("{WEBHOOKS}/{id}/deliveries?state=skipped")).send().await.json();
        assert_eq!(listed["deliveries"][0]["event"], "application.submitted");
        let acts = database.texts("SELECT action FROM audit WHERE subject LIKE 'webhook:%' ORDER BY happened_at, id").await;
        assert_eq!(acts, ["webhook.created", "webhook.skipped"]);
    }

    async fn nothing_is_told_of_drafts_or_that_nobody_wants(database: Database) {
        let world = World::start(database.db()).await;
        let receiver = Receiver::start().await;
        submitted(&world).await;
        assert_eq!(database.count("webhook_events").await, 0, "without an endpoint, nothing is written");
        let (id, _) = added(&world, &receiver.url, &["application.submitted", "document.received"]).await;
        let client = applicant(&world).await;
        assert_eq!(send(&client, "identity", "passport.pdf", &pdf(500)).await.status, 201);
        withdraw(&client).await;
        withdraw(&submitted(&world).await).await;
        deliver(&world).await;
        assert_eq!(receiver.taken(), ["application.submitted"]);

        // What is over and done is forgotten after a month.
        world.clock.advance(31 * DAY);
        world.store.sweep(world.app.clock.now()).await.unwrap();
        assert_eq!((database.count("webhook_events").await, deliveries(&world, &id).await.len()), (0, 0));
    }

    async fn endpoints_are_for_owners_and_their_fields_are_checked(database: Database) {
        let world = World::start(database.db()).await;
        let owner = staff_client(&world, Role::Owner).await;
        let create = async |body: Value| owner.api("POST", WEBHOOKS).json(&body).send().await;
        let empty = create(json!({ "name": " ", "url": "", "events": ["application.deleted"] })).await;
        empty.assert_problem(422, "name.required");
        let fields: Vec<String> = empty.json()["fields"].as_object().unwrap().keys().cloned().collect();
        assert_eq!(fields, ["name", "url", "events"]);
        for (url, code) in [
            ("hooks.example.org", "url.invalid"),
            ("ftp://example.org/", "url.invalid"),
            ("https://", "url.invalid"),
            ("javascript:alert(1)", "url.invalid"),
            ("https://user:secret@example.org/", "url.credentials"),
            (&format!("https://example.org/{}", "a".repeat(500)), "url.too_long"),
        ] {
            create(json!({ "name": "Demo", "url": url })).await.assert_problem(422, code);
        }
        let (id, secret) = added(&world, "https://hooks.example.org/in", &[]).await;
        assert!(secret.starts_with("whsec_") && secret.len() > 40, "{secret}");
        let stored = database.texts("SELECT secret FROM webhook_endpoints").await.concat();
        assert!(!stored.contains(&secret[6..]), "the secret is sealed");
        let shown = owner.api("GET", WEBHOOKS).send().await.text;
        assert!(!shown.contains("whsec_") && shown.contains("https://hooks.example.org/in"), "{shown}");

        for role in [Role::Viewer, Role::Reviewer, Role::Decider, Role::Finance] {
            let staff = staff_client(&world, role).await;
            for path in [WEBHOOKS.to_owned(), format!("{WEBHOOKS}/{id}"), format!("{WEBHOOKS}/{id}/deliveries")] {
                staff.api("GET", &path).send().await.assert_problem(403, "role.forbidden");
            }
            assert_eq!(staff.see(PAGE).send().await.status, 403);
        }
        for (method, path) in [("GET", ""), ("DELETE", ""), ("POST", "/secret"), ("POST", "/test"), ("POST", "/deliveries/resend"), ("GET", "/deliveries")] {
            let answer = owner.api(method, &format!("{WEBHOOKS}/unknown{path}")).json(&json!({})).send().await;
            answer.assert_problem(404, "webhook.not_found");
        }
        owner.api("GET", &format!("{WEBHOOKS}/{id}/deliveries?state=lost")).send().await.assert_problem(422, "state.unknown");

        let changed = owner.api("PATCH", &format!("{WEBHOOKS}/{id}")).json(&json!({ "name": "Other", "url": "https://example.org/", "events": ["offer.lapsed", "application.submitted"] })).send().await;
        assert_eq!(changed.json()["events"], json!(["application.submitted", "offer.lapsed"]));
        for _ in 1..MAX_ENDPOINTS {
            added(&world, "https://hooks.example.org/in", &[]).await;
        }
        create(json!({ "name": "Demo", "url": "https://example.org/" })).await.assert_problem(409, "webhook.too_many");
        assert_eq!(owner.api("DELETE", &format!("{WEBHOOKS}/{id}")).send().await.status, 204);
        assert_eq!(create(json!({ "name": "Demo", "url": "https://example.org/" })).await.status, 201);
    }

    async fn deliveries_have_both_signatures_for_a_day_after_a_new_secret(database: Database) {
        let world = World::start(database.db()).await;
        let receiver = Receiver::start().await;
        let (id, former) = added(&world, &receiver.url, &[]).await;
        let owner = staff_client(&world, Role::Owner).await;
        let renewed = post(&owner, &format!("{id}/secret"), json!({})).await;
        let secret = renewed["secret"].as_str().unwrap();
        assert_ne!(secret, former);
        submitted(&world).await;
        deliver(&world).await;
        let arrived = receiver.take().remove(0);
        assert!(arrived.is_signed_with(secret) && arrived.is_signed_with(&former));
        world.clock.advance(DAY);
        submitted(&world).await;
        deliver(&world).await;
        let arrived = receiver.take().remove(0);
        assert!(arrived.is_signed_with(secret) && !arrived.is_signed_with(&former));
    }

    async fn nothing_is_sent_into_private_networks(database: Database) {
        let world = World::start(database.db()).await;
        let (inner, outer, detour) = (Receiver::start().await, Receiver::start().await, Receiver::start().await);
        let port = inner.url.rsplit(':').next().unwrap().to_owned();
        let stop = CancellationToken::new();
        for (url, says) in [
            (inner.url.clone(), "127.0.0.1 is not on the public Internet"),
            (format!("https://localhost:{port}"), "is not on the public Internet"),
            (format!("https://[::ffff:127.0.0.1]:{port}"), "127.0.0.1 is not on the public Internet"),
            ("https://169.254.169.254/latest/meta-data/".to_owned(), "169.254.169.254 is not on the public Internet"),
        ] {
            let (id, _) = added(&world, &url, &["application.submitted"]).await;
            submitted(&world).await;
            worker(&world, "").drain(&stop).await.unwrap();
            let last = deliveries(&world, &id).await.remove(0);
            let error = last["lastError"].as_str().unwrap_or_default();
            assert!(error.contains(says), "{url}: {last}");
        }
        // Nor by a detour.
        let (id, _) = added(&world, &outer.url, &["application.submitted"]).await;
        outer.answer(&[302]);
        outer.redirect_to(&detour.url);
        submitted(&world).await;
        deliver(&world).await;
        assert_eq!(deliveries(&world, &id).await[0]["lastError"], "The receiver answered 302: it redirects");
        assert_eq!((outer.take().len(), detour.take().len()), (1, 0));
    }

    async fn a_new_secret_of_the_program_reseals_those_of_endpoints(database: Database) {
        let world = World::start(database.db()).await;
        let (id, secret) = added(&world, "https://hooks.example.org/in", &[]).await;
        let secrets = matricula::boot::Secrets {
            current: b"another key for tests, of more than 32 bytes".to_vec(),
            previous: Some(crate::support::server::TOKEN_KEY.to_vec()),
        };
        let db = database.db();
        let known = matricula::boot::Secrets { current: crate::support::server::TOKEN_KEY.to_vec(), previous: None };
        matricula::boot::rotate_secret(&db, &known).await.unwrap();
        matricula::boot::rotate_secret(&db, &secrets).await.unwrap();
        let stored = database.texts("SELECT secret FROM webhook_endpoints").await.concat();
        let sealer = matricula::auth::Sealer::new(&secrets.current);
        assert_eq!(matricula::app::ports::Sealing::open(&sealer, &id, &stored), Some(secret));
    }

    async fn the_pages_work_without_a_script(database: Database) {
        let world = World::start(database.db()).await;
        let receiver = Receiver::start().await;
        let owner = staff_client(&world, Role::Owner).await;
        assert!(owner.see(PAGE).send().await.text.contains("Nothing is sent anywhere"));
        let wrong = owner.send(PAGE, &[("name", "Demo"), ("url", "hooks"), ("events", "offer.lapsed")]).send().await;
        assert_eq!(wrong.status, 422);
        assert!(wrong.text.contains("Enter the address that takes the events") && wrong.text.contains("value=\"hooks\""), "{}", wrong.text);
        let made = owner.send(PAGE, &[("name", "Demo system"), ("url", &receiver.url)]).send().await;
        assert!(made.status == 200 && made.text.contains("whsec_") && made.text.contains("Demo system"), "{}", made.text);
        let id = owner.api("GET", WEBHOOKS).send().await.json()["webhooks"][0]["id"].as_str().unwrap().to_owned();
        let page = format!("{PAGE}/{id}");
        let act = async |fields: &[(&str, &str)]| {
            let answer = owner.send(&page, fields).send().await;
            assert_eq!(answer.status, 303, "{answer:?}");
            answer.header("location").to_owned()
        };
        assert_eq!(act(&[("_action", "test")]).await, format!("{page}?done=test"));
        receiver.answer(&[500]);
        deliver(&world).await;
        let shown = owner.see(&page).send().await.text;
        for text in ["Not answering", "webhook.test", "The receiver answered 500: not now, thank you", "endpointId", "webhook-id"] {
            assert!(shown.contains(text), "{text}: {shown}");
        }
        let event = deliveries(&world, &id).await[0]["eventId"].as_str().unwrap().to_owned();
        act(&[("_action", &format!("resend:{event}"))]).await;
        deliver_after(&world, MINUTE).await;
        assert!(owner.see(&format!("{page}?state=delivered")).send().await.text.contains("webhook.test"));
        assert!(owner.see(&format!("{page}?state=waiting")).send().await.text.contains("There is none"));
        act(&[("_action", "pause")]).await;
        assert!(owner.see(&page).send().await.text.contains("Paused since"));
        act(&[("_action", "resume")]).await;
        act(&[("_action", "change"), ("name", "Other name"), ("url", &receiver.url), ("events", "offer.lapsed"), ("events", "offer.declined")]).await;
        assert!(owner.see(PAGE).send().await.text.contains("2 kinds of events"));
        let renewed = owner.send(&page, &[("_action", "secret")]).send().await;
        assert!(renewed.status == 200 && renewed.text.contains("whsec_"), "{renewed:?}");
        assert_eq!(act(&[("_action", "delete")]).await, format!("{PAGE}?done=deleted"));
        assert_eq!(owner.see(&page).send().await.status, 404);
    }
}
