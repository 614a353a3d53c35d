//! The places of intakes and the waitlist: offers count against places, whoever is to get one when there is none waits in
//! a line, and a place that becomes free is offered by staff or by the rule.

use std::collections::BTreeMap;

use matricula::app::Error;
use matricula::app::applications::acts::Preconditions;
use matricula::app::jobs::FILL_PLACES;
use matricula::domain::application::ApplicationKey;
use matricula::domain::decision::{Draft, DraftSeen};
use matricula::domain::intake::Intake;
use matricula::domain::moments::{DAY, HOUR, MINUTE, Millis};
use matricula::domain::role::Role;
use matricula::domain::staff::Staff;
use matricula::store::Job;
use serde_json::{Value, json};

use crate::api::documents;
use crate::application_fee::{pay_by_check, set};
use crate::contracts::ok;
use crate::decisions::{acceptance, advance, decide, rejection};
use crate::interviews::{choose, interviewer};
use crate::money::{book, path};
use crate::office::{StaffClient, entered, hired, staff_client};
use crate::pages::see;
use crate::plans::withdraw;
use crate::references;
use crate::support::databases::{Database, story};
use crate::support::files::pdf;
use crate::support::receiver::Receiver;
use crate::support::rows::{at_once, entry};
use crate::support::server::{Answer, Client, PASSWORD, World};
use crate::webhooks;

const APPLICATION: &str = "/api/users/application";
const LINES: &str = "/api/admins/waitlist";
const CAPACITY: &str = "/api/admins/capacity";
const PAGE: &str = "/admin-panel/waitlist";
/// The intake of a decision that names none, at the time at which the stories start.
const AUGUST: &str = "2026-08";
const JANUARY: &str = "2027-01";
const NO_PLACE: &str =
    "No place is left in this intake. Put the application on the waitlist, or change the number of places.";
/// As long as a decision can be recalled and a reply be taken back.
const HOLD: Millis = 15 * MINUTE;

async fn set_places(world: &World, values: Value) {
    set(world, "places-bachelor", values).await;
}

/// A world in which the next intake of the bachelor's program has that many places.
async fn with_places(database: &Database, places: u32) -> World {
    let world = World::start(database.db()).await;
    set_places(&world, json!({ "2026-08.places": places.to_string() })).await;
    world
}

async fn application(client: &Client) -> Value {
    ok(client.get(APPLICATION).send().await).await
}

/// An applicant who has submitted, and their application.
async fn applied(world: &World) -> (Client, String) {
    let client = world.submitted().await;
    let id = application(&client).await["id"].as_str().unwrap().to_owned();
    (client, id)
}

/// Drafts a decision; returns its id.
async fn drafted(world: &World, decider: &Staff, id: &str, draft: Draft) -> String {
    let key = ApplicationKey::Id(id);
    world.app.draft_decision(decider, key, draft, DraftSeen::Any).await.unwrap().id
}

/// An acceptance for an intake.
fn acceptance_for(code: &str) -> Draft {
    Draft { intake: Intake::parse(code), ..acceptance(&[]) }
}

/// An applicant with an acceptance that is drafted, and its id.
async fn ready(world: &World, decider: &Staff) -> (Client, String, String) {
    let (client, id) = applied(world).await;
    let draft = drafted(world, decider, &id, acceptance(&[])).await;
    (client, id, draft)
}

/// An applicant with an offer that can still be recalled.
async fn offered(world: &World, decider: &Staff) -> (Client, String) {
    let (client, id) = applied(world).await;
    decide(world, &client, decider, acceptance(&[])).await;
    (client, id)
}

async fn put(member: &StaffClient, id: &str, draft: &str) -> Answer {
    member.api("POST", &path(id, "/waitlist")).json(&json!({ "decision": draft })).send().await
}

async fn take_off(member: &StaffClient, id: &str) -> Answer {
    member.api("DELETE", &path(id, "/waitlist")).json(&json!({ "reason": "They go elsewhere" })).send().await
}

async fn offer(member: &StaffClient, id: &str) -> Answer {
    member.api("POST", &path(id, "/waitlist/offer")).send().await
}

async fn go(member: &StaffClient, id: &str, to: Value) -> Answer {
    member.api("POST", &path(id, "/waitlist/move")).json(&to).send().await
}

/// An applicant on the waitlist, after everybody who is on it already.
async fn waiting(world: &World, decider: &StaffClient) -> (Client, String) {
    let (client, id, draft) = ready(world, &decider.staff).await;
    world.clock.advance(1_000);
    ok(put(decider, &id, &draft).await).await;
    (client, id)
}

/// The same, several times.
async fn line_of(world: &World, decider: &StaffClient, count: usize) -> Vec<(Client, String)> {
    let mut line = Vec::new();
    for _ in 0..count {
        line.push(waiting(world, decider).await);
    }
    line
}

async fn lines(member: &StaffClient, query: &str) -> Vec<Value> {
    let body = ok(member.api("GET", &format!("{LINES}?{query}")).send().await).await;
    body["lines"].as_array().unwrap().clone()
}

/// The bachelor's line of an intake.
async fn line(member: &StaffClient, intake: &str) -> Value {
    lines(member, &format!("program=ba&intake={intake}")).await.remove(0)
}

/// The applications in a line, in its order.
fn order(line: &Value) -> Vec<&str> {
    line["applications"].as_array().unwrap().iter().map(|one| one["id"].as_str().unwrap()).collect()
}

/// The places of an intake of the bachelor's program.
async fn capacity(member: &StaffClient, intake: &str) -> Value {
    let query = format!("{CAPACITY}?program=ba&intake={intake}");
    ok(member.api("GET", &query).send().await).await["intakes"][0].clone()
}

async fn left(member: &StaffClient, intake: &str) -> i64 {
    capacity(member, intake).await["left"].as_i64().unwrap()
}

async fn stage(database: &Database, id: &str) -> String {
    database.texts(&format!("SELECT stage FROM applications WHERE id = '{id}'")).await.remove(0)
}

/// What stages these applications are at.
async fn stages(database: &Database, line: &[(Client, String)]) -> Vec<String> {
    let mut stages = Vec::new();
    for (_, id) in line {
        stages.push(stage(database, id).await);
    }
    stages
}

async fn reply(client: &Client, reply: &str) {
    ok(client.log_in().await.post("/api/users/offer").json(&json!({ "reply": reply })).send().await).await;
}

/// Subjects and details of the open tasks about places.
async fn free_places(database: &Database) -> Vec<(String, Value)> {
    let open = "FROM staff_tasks WHERE kind = 'place-free' AND done_at IS NULL ORDER BY subject";
    let subjects = database.texts(&format!("SELECT subject {open}")).await;
    let details = database.texts(&format!("SELECT detail {open}")).await;
    let details = details.iter().map(|detail| serde_json::from_str(detail).unwrap());
    subjects.into_iter().map(|subject| subject.replace("application:", "")).zip(details).collect()
}

async fn mailed(database: &Database) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for template in database.texts("SELECT template FROM outbox").await {
        *counts.entry(template).or_default() += 1;
    }
    counts
}

/// Asserts that nobody learns from a mail what was decided, or that they wait.
async fn assert_no_mail_tells(database: &Database) {
    for mail in database.texts("SELECT subject || body_text || body_html FROM outbox").await {
        for word in ["accept", "offer", "declin", "reject", "congrat", "place", "waitlist", "wait list", "waiting list"]
        {
            assert!(!mail.to_lowercase().contains(word), "{word}: {mail}");
        }
    }
}

#[track_caller]
fn refusal<T: std::fmt::Debug>(result: Result<T, Error>) -> (&'static str, String) {
    match result {
        Err(Error::NotAllowed(refused)) => (refused.code(), refused.sentence().to_string()),
        Err(Error::Refused(refusal)) => (refusal.code(), refusal.sentence().to_string()),
        other => panic!("{other:?}"),
    }
}

/// Requires that somebody else releases what one has drafted.
async fn ask_for_two_people(world: &World) {
    set(world, "decisions", json!({ "released-by": "another" })).await;
}

/// The job that offers places of the bachelor's program, as a worker claims it.
fn filling() -> Job {
    Job {
        id: "demo".into(),
        kind: FILL_PLACES.into(),
        subject: "places:ba".into(),
        detail: json!({}),
        attempts: 1,
        traceparent: None,
    }
}

story! {
    async fn without_a_limit_nothing_changes(database: Database) {
        let world = World::start(database.db()).await;
        let decider = staff_client(&world, Role::Decider).await;
        for _ in 0..3 {
            offered(&world, &decider.staff).await;
        }
        let told = capacity(&decider, AUGUST).await;
        assert_eq!((&told["applicationType"], &told["intake"], &told["offered"]), (&json!("ba"), &json!(AUGUST), &json!(3)));
        for field in ["places", "left", "free", "furtherOffers"] {
            assert_eq!(told[field], Value::Null, "{field}: {told}");
        }
        assert_eq!((&told["over"], &told["waiting"]), (&json!(0), &json!(0)));
        assert_eq!(lines(&decider, "").await.len(), 0);
        // How many more may be out says nothing without a number of places.
        set_places(&world, json!({ "2026-08.over": "2" })).await;
        offered(&world, &decider.staff).await;
        assert_eq!(capacity(&decider, AUGUST).await["places"], Value::Null);
        advance(&world, HOUR).await;
        world.app.plan_recurring().await.unwrap();
        advance(&world, HOUR).await;
        assert_eq!((free_places(&database).await.len(), database.count("waitlist").await), (0, 0));
        assert_eq!(mailed(&database).await["status-update"], 4);
    }

    async fn an_owner_sets_places_for_each_intake(database: Database) {
        let world = World::start(database.db()).await;
        let owner = staff_client(&world, Role::Owner).await;
        let setting = "/api/admins/settings/places-bachelor";
        let fields = ok(owner.api("GET", setting).send().await).await["fields"].clone();
        let names: Vec<&str> = fields.as_array().unwrap().iter().map(|field| field["name"].as_str().unwrap()).collect();
        let intakes = ["2026-08", "2027-01", "2027-08", "2028-01"];
        let expected: Vec<String> = intakes.iter().flat_map(|code| [format!("{code}.places"), format!("{code}.over")])
            .chain(["release".into(), "position".into()]).collect();
        assert_eq!(names, expected);
        for (values, code) in [
            (json!({ "2026-08.places": "many" }), "2026-08.places.range"),
            (json!({ "2026-08.places": "-1" }), "2026-08.places.range"),
            (json!({ "2026-08.places": "100001" }), "2026-08.places.range"),
            (json!({ "2027-01.over": "1001" }), "2027-01.over.range"),
            (json!({ "release": "lottery" }), "release.unknown"),
            (json!({ "position": "perhaps" }), "position.unknown"),
            (json!({ "1999-01.places": "5" }), "field.unknown"),
        ] {
            let body = json!({ "replaces": 0, "values": values });
            owner.api("PATCH", setting).json(&body).send().await.assert_problem(422, code);
        }
        for role in [Role::Decider, Role::Finance] {
            let member = staff_client(&world, role).await;
            member.api("GET", setting).send().await.assert_problem(403, "role.forbidden");
        }
        let page = owner.see("/admin-panel/settings/places-bachelor").send().await;
        assert!(page.text.contains("Places, bachelor’s program") && page.text.contains("Offers beyond the places"), "{}", page.text);
    }

    async fn no_more_is_offered_than_there_are_places_and_may_be_out_beyond_them(database: Database) {
        let world = World::start(database.db()).await;
        set_places(&world, json!({ "2026-08.places": "2", "2026-08.over": "1" })).await;
        let decider = staff_client(&world, Role::Decider).await;
        for expected in [2, 1, 0] {
            offered(&world, &decider.staff).await;
            assert_eq!(left(&decider, AUGUST).await, expected);
        }
        let told = capacity(&decider, AUGUST).await;
        assert_eq!((&told["places"], &told["over"], &told["free"], &told["offered"]), (&json!(2), &json!(1), &json!(0), &json!(3)));
        let (client, id, draft) = ready(&world, &decider.staff).await;
        let released = world.app.release_decision(&decider.staff, &draft, Preconditions::default()).await;
        assert_eq!(refusal(released), ("places.none", NO_PLACE.into()));
        let call = decider.api("POST", &path(&id, "/decision/release")).json(&json!({ "decision": draft }));
        let refused = call.send().await;
        refused.assert_problem(409, "places.none");
        assert_eq!(refused.json()["error"], NO_PLACE);
        assert_eq!((application(&client).await["stage"].clone(), database.count("offers").await), (json!("submitted"), 3));

        // Another intake and another program have places of their own.
        let draft = drafted(&world, &decider.staff, &id, acceptance_for(JANUARY)).await;
        world.app.release_decision(&decider.staff, &draft, Preconditions::default()).await.unwrap();
        let all = ok(decider.api("GET", &format!("{CAPACITY}?intake={AUGUST}")).send().await).await["intakes"].clone();
        let masters = all.as_array().unwrap().iter().find(|one| one["applicationType"] == "msc").unwrap().clone();
        assert_eq!((&masters["places"], &masters["offered"]), (&Value::Null, &json!(0)));
        // A rejection needs none.
        let (_, other) = applied(&world).await;
        let draft = drafted(&world, &decider.staff, &other, rejection()).await;
        world.app.release_decision(&decider.staff, &draft, Preconditions::default()).await.unwrap();
        // With one more, it is offered; with fewer than are out, nothing is taken back.
        let (_, _, draft) = ready(&world, &decider.staff).await;
        set_places(&world, json!({ "2026-08.places": "3" })).await;
        world.app.release_decision(&decider.staff, &draft, Preconditions::default()).await.unwrap();
        set_places(&world, json!({ "2026-08.places": "0", "2026-08.over": "0" })).await;
        assert_eq!((left(&decider, AUGUST).await, database.count("applications WHERE stage = 'offered'").await), (-4, 5));
    }

    async fn however_many_release_at_once_no_place_is_offered_twice(database: Database) {
        let world = World::start(database.db()).await;
        set_places(&world, json!({ "2026-08.places": "3", "2026-08.over": "1" })).await;
        let decider = staff_client(&world, Role::Decider).await;
        let mut drafts = Vec::new();
        for _ in 0..10 {
            drafts.push(ready(&world, &decider.staff).await.2);
        }
        let results = at_once(drafts.len(), |number| {
            let (app, staff, draft) = (world.app.clone(), decider.staff.clone(), drafts[number].clone());
            async move {
                match app.release_decision(&staff, &draft, Preconditions::default()).await {
                    Ok(application) => application.stage.as_str(),
                    Err(Error::NotAllowed(refused)) => refused.code(),
                    Err(error) => panic!("{error:?}"),
                }
            }
        }).await;
        let count = |what: &str| results.iter().filter(|result| **result == what).count();
        assert_eq!((count("offered"), count("places.none")), (4, 6), "{results:?}");
        assert_eq!((left(&decider, AUGUST).await, database.count("offers").await), (0, 4));
        // Of those who were refused nothing has changed.
        assert_eq!(database.count("decisions WHERE state = 'draft'").await, 6);
        assert_eq!(database.count("stage_changes WHERE act = 'offer'").await, 4);
    }

    async fn several_and_planned_releases_stop_at_the_last_place(database: Database) {
        let world = with_places(&database, 3).await;
        let decider = staff_client(&world, Role::Decider).await;
        let mut drafts = Vec::new();
        for _ in 0..3 {
            drafts.push(ready(&world, &decider.staff).await.2);
        }
        offered(&world, &decider.staff).await;
        let body = json!({ "decisions": drafts });
        let several = ok(decider.api("POST", "/api/admins/decisions/release").json(&body).send().await).await;
        let outcomes: Vec<&Value> = several["results"].as_array().unwrap().iter().map(|result| &result["outcome"]).collect();
        assert_eq!(outcomes, ["released", "released", "failed"]);
        assert_eq!(several["results"][2]["code"], "places.none");
        let list = decider.see("/admin-panel/decisions").header("accept", "application/json").send().await.json();
        assert_eq!(list["props"]["drafts"][0]["problem"], NO_PLACE);

        // What could be released when it was planned is looked at again when its time has come.
        let when = jiff::Timestamp::from_millisecond(world.app.clock.now() + HOUR).unwrap().to_string();
        let plan = async |id: &str, draft: &str| {
            decider.api("POST", &path(id, "/decision/release")).json(&json!({ "decision": draft, "at": when })).send().await
        };
        let (_, id, draft) = ready(&world, &decider.staff).await;
        plan(&id, &draft).await.assert_problem(409, "places.none");
        set_places(&world, json!({ "2026-08.places": "4" })).await;
        let (_, other, second) = ready(&world, &decider.staff).await;
        ok(plan(&id, &draft).await).await;
        ok(plan(&other, &second).await).await;
        advance(&world, HOUR).await;
        let both = [stage(&database, &id).await, stage(&database, &other).await];
        assert_eq!(both.iter().filter(|stage| *stage == "offered").count(), 1, "{both:?}");
        let failed = database.texts("SELECT subject FROM staff_tasks WHERE kind = 'release-failed' AND done_at IS NULL").await;
        let missed = if both[0] == "offered" { &other } else { &id };
        assert_eq!(failed, [format!("application:{missed}")]);
    }

    async fn a_place_is_free_again_when_an_offer_ends(database: Database) {
        let world = with_places(&database, 6).await;
        set_places(&world, json!({ "2027-01.places": "1" })).await;
        let mut decider = staff_client(&world, Role::Decider).await;
        let reviewer = hired(&world, Role::Reviewer).await;
        let mut people = Vec::new();
        for _ in 0..6 {
            people.push(offered(&world, &decider.staff).await);
        }
        assert_eq!(left(&decider, AUGUST).await, 0);
        let [recalled, declines, withdraws, reversed, deferred, lapses]: [(Client, String); 6] = people.try_into().unwrap();
        ok(decider.api("POST", &path(&recalled.1, "/decision/recall")).json(&json!({})).send().await).await;
        assert_eq!(left(&decider, AUGUST).await, 1);

        advance(&world, HOLD).await;
        decider = entered(&world, &decider.staff).await;
        let reason = json!({ "reason": "It was meant for somebody else" });
        ok(decider.api("POST", &path(&reversed.1, "/decision/reverse")).json(&reason).send().await).await;
        assert_eq!(left(&decider, AUGUST).await, 2);
        // What can be undone keeps its place until it cannot.
        reply(&declines.0, "decline").await;
        reply(&withdraws.0, "accept").await;
        withdraw(&withdraws.0.log_in().await).await;
        let told = capacity(&decider, AUGUST).await;
        assert_eq!((&told["left"], &told["offered"], &told["confirmed"]), (&json!(2), &json!(4), &json!(0)));
        advance(&world, HOLD + MINUTE).await;
        decider = entered(&world, &decider.staff).await;
        assert_eq!(left(&decider, AUGUST).await, 4);

        // A deferral takes a place of the other intake, and comes back with none of the first.
        let key = ApplicationKey::Id(&deferred.1);
        world.app.defer_application(&reviewer, key, Intake::parse(JANUARY).unwrap(), Preconditions::default()).await.unwrap();
        let told = capacity(&decider, JANUARY).await;
        assert_eq!((left(&decider, AUGUST).await, &told["left"], &told["deferred"]), (5, &json!(0), &json!(1)));
        let (_, id) = applied(&world).await;
        let draft = drafted(&world, &decider.staff, &id, acceptance_for(JANUARY)).await;
        let released = world.app.release_decision(&decider.staff, &draft, Preconditions::default()).await;
        assert_eq!(refusal(released).0, "places.none");
        world.app.resume_application(&reviewer, key, true, Preconditions::default()).await.unwrap();
        let told = capacity(&decider, JANUARY).await;
        assert_eq!((left(&decider, AUGUST).await, &told["left"], &told["offered"]), (5, &json!(0), &json!(1)));

        advance(&world, 31 * DAY).await;
        assert_eq!(stage(&database, &lapses.1).await, "lapsed");
        decider = entered(&world, &decider.staff).await;
        assert_eq!(left(&decider, AUGUST).await, 6);
        // It is opened again only if there is a place.
        set_places(&world, json!({ "2026-08.places": "0" })).await;
        let reopened = world.app.reopen_offer(&decider.staff, ApplicationKey::Id(&lapses.1), Preconditions::default()).await;
        assert_eq!(refusal(reopened).0, "places.none");
        decider.api("POST", &path(&lapses.1, "/decision/reopen")).json(&json!({})).send().await.assert_problem(409, "places.none");
        set_places(&world, json!({ "2026-08.places": "1" })).await;
        world.app.reopen_offer(&decider.staff, ApplicationKey::Id(&lapses.1), Preconditions::default()).await.unwrap();
        assert_eq!(left(&decider, AUGUST).await, 0);
    }

    async fn a_deferral_into_a_full_intake_is_granted_and_counts(database: Database) {
        let world = with_places(&database, 5).await;
        set_places(&world, json!({ "2027-01.places": "0" })).await;
        let decider = staff_client(&world, Role::Decider).await;
        let reviewer = hired(&world, Role::Reviewer).await;
        let (_, id) = offered(&world, &decider.staff).await;
        advance(&world, HOLD).await;
        let key = ApplicationKey::Id(&id);
        world.app.defer_application(&reviewer, key, Intake::parse(JANUARY).unwrap(), Preconditions::default()).await.unwrap();
        let decider = entered(&world, &decider.staff).await;
        assert_eq!((left(&decider, AUGUST).await, left(&decider, JANUARY).await), (5, -1));
    }

    async fn what_is_undone_within_its_time_exceeds_nothing(database: Database) {
        let world = with_places(&database, 1).await;
        let decider = staff_client(&world, Role::Decider).await;
        let (client, id) = offered(&world, &decider.staff).await;
        let (_, _, draft) = ready(&world, &decider.staff).await;
        let try_it = async || world.app.release_decision(&decider.staff, &draft, Preconditions::default()).await;
        advance(&world, HOLD).await;
        let client = client.log_in().await;
        let undo = async |what: &str| ok(client.post(&format!("{APPLICATION}/{what}")).send().await).await;

        reply(&client, "decline").await;
        advance(&world, HOLD - MINUTE).await;
        assert_eq!(refusal(try_it().await).0, "places.none");
        assert_eq!(undo("undo-decline").await["stage"], "offered");
        reply(&client, "accept").await;
        let client = client.log_in().await;
        withdraw(&client).await;
        advance(&world, HOLD - MINUTE).await;
        assert_eq!(refusal(try_it().await).0, "places.none");
        assert_eq!(ok(client.post(&format!("{APPLICATION}/undo-withdraw")).send().await).await["stage"], "confirmed");
        assert_eq!(database.count("applications WHERE stage IN ('offered', 'confirmed')").await, 1);

        // Afterwards the place is somebody else's, and nothing is undone any more.
        withdraw(&client).await;
        advance(&world, HOLD).await;
        try_it().await.unwrap();
        let late = client.log_in().await.post(&format!("{APPLICATION}/undo-withdraw")).send().await;
        late.assert_problem(409, "undo.too_late");
        assert_eq!(stage(&database, &id).await, "archived");
        let decider = entered(&world, &decider.staff).await;
        assert_eq!(left(&decider, AUGUST).await, 0);
    }

    async fn an_application_joins_the_end_of_the_line_with_its_acceptance(database: Database) {
        let world = with_places(&database, 0).await;
        let decider = staff_client(&world, Role::Decider).await;
        let (client, id, draft) = ready(&world, &decider.staff).await;
        database.run(&format!("UPDATE applications SET stage = 'held', status = 'scheduled' WHERE id = '{id}'")).await.unwrap();
        let revision = application(&client).await["revision"].as_i64().unwrap();
        let call = || decider.api("POST", &path(&id, "/waitlist")).json(&json!({ "decision": draft }));
        call().header("if-match", "\"99\"").send().await.assert_problem(412, "application.stale");
        // Sent again under its key, it is done once.
        for _ in 0..2 {
            let sent = call().header("if-match", &format!("\"{revision}\"")).header("idempotency-key", "once");
            let done = ok(sent.send().await).await;
            assert_eq!((&done["stage"], &done["revision"]), (&json!("waitlisted"), &json!(revision + 1)), "{done}");
        }
        world.clock.advance(1_000);
        let (_, second) = waiting(&world, &decider).await;
        assert_eq!(database.texts("SELECT former_stage FROM stage_changes WHERE act = 'waitlist' ORDER BY happened_at").await, ["held", "submitted"]);

        let told = line(&decider, AUGUST).await;
        assert_eq!(order(&told), [&id, &second]);
        assert_eq!((&told["applicationType"], &told["intake"], &told["startsOn"]), (&json!("ba"), &json!(AUGUST), &json!("2026-08-31")));
        assert_eq!((&told["places"], &told["left"], &told["waiting"], &told["release"]), (&json!(0), &json!(0), &json!(2), &json!("hand")));
        let first = &told["applications"][0];
        assert_eq!((&first["position"], &first["firstName"], &first["lastName"]), (&json!(1), &json!("Demo"), &json!("Sample")));
        assert_eq!((&first["stage"], &first["decision"], &first["obstacle"]), (&json!("waitlisted"), &json!(draft), &json!("places.none")));
        assert_eq!((&first["joinedAt"], &first["priority"], &first["score"]), (&json!("2026-05-04T12:00:00Z"), &Value::Null, &Value::Null));
        assert_eq!((&first["reference"], &first["revision"]), (&application(&client).await["reference"], &json!(revision + 1)));

        // It is offered from the waitlist, and not among the decisions to release.
        let list = ok(decider.api("GET", "/api/admins/decisions").send().await).await;
        assert_eq!((&list["draftCount"], &list["drafts"]), (&json!(0), &json!([])));
        let listed = ok(decider.api("GET", "/api/admins/applications?tab=decisions&stage=waitlisted&intake=2026-08").send().await).await;
        assert_eq!((&listed["count"], &listed["applications"][0]["stage"]), (&json!(2), &json!("waitlisted")));
        assert_eq!(database.texts("SELECT DISTINCT action FROM audit WHERE action LIKE 'waitlist.%'").await, ["waitlist.joined"]);
        let timeline = decider.see(&format!("/admin-panel/applications/{id}/timeline")).send().await;
        assert!(timeline.text.contains("Put on the waitlist"), "{}", timeline.text);
        assert_eq!((mailed(&database).await["waitlisted"], mailed(&database).await.get("status-update")), (2, None));
        // Nobody holds a place by waiting for one.
        let told = capacity(&decider, AUGUST).await;
        assert_eq!((&told["offered"], &told["waiting"], &told["left"]), (&json!(0), &json!(2), &json!(0)));
    }

    async fn the_time_of_an_interview_that_was_waived_is_free_for_others(database: Database) {
        let world = with_places(&database, 0).await;
        interviewer(&world, [48, 72]).await;
        let decider = staff_client(&world, Role::Decider).await;
        let (ada, ben) = (ready(&world, &decider.staff).await, applied(&world).await);
        assert_eq!(choose(&ada.0, "book", 48).await.status, 200);
        choose(&ben.0, "book", 48).await.assert_problem(409, "slot.taken");
        ok(put(&decider, &ada.1, &ada.2).await).await;
        assert_eq!(mailed(&database).await["waitlisted"], 1);
        let cancelled = database.texts(&format!("SELECT attachment FROM outbox WHERE recipient = '{}' AND attachment LIKE '%METHOD:CANCEL%'", ada.0.email)).await;
        assert_eq!(cancelled.len(), 1);
        assert_eq!(database.count("slot_claims").await, 0);
        // Taken off while nobody has the time, it is theirs again.
        let back = ok(take_off(&decider, &ada.1).await).await;
        assert_eq!((&back["stage"], database.count("slot_claims").await), (&json!("booked"), 1));
        let draft = drafted(&world, &decider.staff, &ada.1, acceptance(&[])).await;
        ok(put(&decider, &ada.1, &draft).await).await;
        assert_eq!(choose(&ben.0, "book", 48).await.status, 200);
        let back = ok(take_off(&decider, &ada.1).await).await;
        assert_eq!(back["stage"], "submitted", "somebody else has the time");
        assert_eq!(database.texts("SELECT DISTINCT reason FROM stage_changes WHERE act = 'leave_waitlist'").await, ["They go elsewhere"]);
        assert_eq!(database.count("audit WHERE detail LIKE '%elsewhere%'").await, 0);
        assert_eq!((order(&line(&decider, AUGUST).await).len(), mailed(&database).await["status-update"]), (0, 2));
    }

    async fn nobody_waits_who_could_not_be_offered_a_place(database: Database) {
        let world = with_places(&database, 0).await;
        let decider = staff_client(&world, Role::Decider).await;
        let (client, id) = applied(&world).await;
        put(&decider, &id, "nothing").await.assert_problem(404, "decision.none");
        let call = path(&id, "/waitlist");
        decider.api("POST", &call).json(&json!({})).send().await.assert_problem(422, "decision.required");
        decider.api("POST", &call).json(&json!({ "decision": 5 })).send().await.assert_problem(422, "decision.type");
        decider.api("POST", &call).json(&json!({ "decision": "x", "place": 1 })).send().await.assert_problem(422, "field.unknown");
        for (draft, status, code) in [
            (rejection(), 404, "decision.none"),
            (Draft { waiver: None, ..acceptance(&[]) }, 409, "interview.not_held"),
            (Draft { without_documents: None, ..acceptance(&[]) }, 409, "documents.missing"),
        ] {
            let draft = drafted(&world, &decider.staff, &id, draft).await;
            put(&decider, &id, &draft).await.assert_problem(status, code);
        }
        // A newer draft, or the draft of another application, is not the one that was seen.
        let old = drafted(&world, &decider.staff, &id, acceptance(&[])).await;
        let new = drafted(&world, &decider.staff, &id, acceptance(&["A diploma"])).await;
        let (_, _, others) = ready(&world, &decider.staff).await;
        for draft in [&old, &others] {
            put(&decider, &id, draft).await.assert_problem(404, "decision.none");
        }
        put(&decider, "nowhere", &new).await.assert_problem(404, "application.not_found");
        take_off(&decider, &id).await.assert_problem(409, "status.transition");
        offer(&decider, &id).await.assert_problem(409, "waitlist.none");
        assert_eq!((application(&client).await["stage"].clone(), database.count("waitlist").await), (json!("submitted"), 0));
        ok(put(&decider, &id, &new).await).await;
        put(&decider, &id, &new).await.assert_problem(409, "status.transition");
        let remove = decider.api("DELETE", &call);
        remove.json(&json!({ "reason": " " })).send().await.assert_problem(422, "reason.required");

        // Where two people decide, one of them is not enough.
        ask_for_two_people(&world).await;
        let (_, id, draft) = ready(&world, &decider.staff).await;
        put(&decider, &id, &draft).await.assert_problem(409, "decision.own_draft");
        let second = staff_client(&world, Role::Owner).await;
        ok(put(&second, &id, &draft).await).await;
        // Who owes the application fee is not read.
        set(&world, "application-fee-bachelor", json!({ "amount": "75" })).await;
        let (_, id, draft) = ready(&world, &decider.staff).await;
        put(&second, &id, &draft).await.assert_problem(409, "fee.due");
    }

    async fn the_line_is_put_in_another_order_by_hand(database: Database) {
        let world = with_places(&database, 0).await;
        let decider = staff_client(&world, Role::Decider).await;
        let people = line_of(&world, &decider, 4).await;
        let [a, b, c, d] = [0, 1, 2, 3].map(|number| people[number].1.clone());
        let expect = async |expected: [&String; 4]| {
            let told = line(&decider, AUGUST).await;
            assert_eq!(order(&told), expected);
            let positions: Vec<i64> = told["applications"].as_array().unwrap().iter().map(|one| one["position"].as_i64().unwrap()).collect();
            assert_eq!(positions, [1, 2, 3, 4]);
        };
        expect([&a, &b, &c, &d]).await;
        assert_eq!(go(&decider, &c, json!({ "before": a })).await.status, 204);
        expect([&c, &a, &b, &d]).await;
        // A lower number is further in front, and whoever has none comes after.
        assert_eq!(go(&decider, &d, json!({ "priority": 1 })).await.status, 204);
        assert_eq!(go(&decider, &c, json!({ "priority": 7 })).await.status, 204);
        expect([&d, &c, &a, &b]).await;
        assert_eq!(line(&decider, AUGUST).await["applications"][1]["priority"], 7);
        for id in [&c, &d, &d] {
            assert_eq!(go(&decider, id, json!({})).await.status, 204);
        }
        expect([&a, &b, &c, &d]).await;

        for (body, status, code) in [
            (json!({ "before": a, "priority": 1 }), 422, "before.both"),
            (json!({ "before": 5 }), 422, "before.type"),
            (json!({ "before": "nowhere" }), 422, "before.unknown"),
            (json!({ "priority": 0 }), 422, "priority.range"),
            (json!({ "priority": 10_000 }), 422, "priority.range"),
            (json!({ "priority": "1" }), 422, "priority.type"),
            (json!({ "position": 1 }), 422, "field.unknown"),
        ] {
            go(&decider, &b, body).await.assert_problem(status, code);
        }
        let (_, other) = applied(&world).await;
        go(&decider, &other, json!({ "priority": 1 })).await.assert_problem(409, "waitlist.none");
        go(&decider, &b, json!({ "before": other })).await.assert_problem(422, "before.unknown");
        go(&decider, "nowhere", json!({ "priority": 1 })).await.assert_problem(404, "application.not_found");
        for role in [Role::Viewer, Role::Interviewer, Role::Reviewer, Role::Finance] {
            let member = staff_client(&world, role).await;
            go(&member, &b, json!({ "before": a })).await.assert_problem(403, "role.forbidden");
        }
        expect([&a, &b, &c, &d]).await;
        // What has changed nothing is not in the record.
        assert_eq!(database.count("audit WHERE action = 'waitlist.moved'").await, 5);
        let timeline = decider.see(&format!("/admin-panel/applications/{c}/timeline")).send().await;
        assert!(timeline.text.contains("Moved on the waitlist"), "{}", timeline.text);

        // However many move others at once, everybody is in the line once.
        let moves = [(a.clone(), d.clone()), (b.clone(), a.clone()), (c.clone(), b.clone()), (d.clone(), c.clone())];
        let statuses = at_once(moves.len(), |number| {
            let (decider, (one, before)) = (decider.clone(), moves[number].clone());
            async move { go(&decider, &one, json!({ "before": before })).await.status }
        }).await;
        assert_eq!(statuses, [204; 4]);
        let told = line(&decider, AUGUST).await;
        let mut all = order(&told);
        all.sort_unstable();
        let mut expected = [&a, &b, &c, &d];
        expected.sort_unstable();
        assert_eq!(all, expected);
    }

    async fn an_application_waits_for_the_intake_of_its_acceptance(database: Database) {
        let world = with_places(&database, 0).await;
        set_places(&world, json!({ "2027-01.places": "0" })).await;
        let decider = staff_client(&world, Role::Decider).await;
        let people = line_of(&world, &decider, 2).await;
        let draft = async |number: usize, draft: Draft| {
            let key = ApplicationKey::Id(&people[number].1);
            world.app.draft_decision(&decider.staff, key, draft, DraftSeen::Any).await
        };
        match draft(0, acceptance_for(JANUARY)).await {
            Err(Error::Invalid(errors)) => assert_eq!((errors[0].path.as_str(), errors[0].code.as_str()), ("intake", "intake.waitlist")),
            other => panic!("{other:?}"),
        }
        assert_eq!(order(&line(&decider, AUGUST).await), [&people[0].1, &people[1].1]);
        ok(take_off(&decider, &people[0].1).await).await;
        let other = draft(0, acceptance_for(JANUARY)).await.unwrap();
        ok(put(&decider, &people[0].1, &other.id).await).await;
        assert_eq!(order(&line(&decider, AUGUST).await), [&people[1].1]);
        assert_eq!(order(&line(&decider, JANUARY).await), [&people[0].1]);
        let told = application(&people[0].0).await["waitlist"].clone();
        assert_eq!(told["intake"], JANUARY);
        let both: Vec<Value> = lines(&decider, "program=ba").await.iter().map(|line| line["intake"].clone()).collect();
        assert_eq!(both, [AUGUST, JANUARY]);
        assert_eq!(lines(&decider, "program=msc").await.len(), 0);
        for (query, code) in [("program=phd", "program.invalid"), ("intake=never", "intake.invalid")] {
            for list in [LINES, CAPACITY] {
                decider.api("GET", &format!("{list}?{query}")).send().await.assert_problem(422, code);
            }
        }
        // An acceptance that names no intake is for theirs, whatever the next one is by now.
        advance(&world, 60 * DAY).await;
        for (number, intake) in [(0, JANUARY), (1, AUGUST)] {
            assert_eq!(draft(number, acceptance(&[])).await.unwrap().intake.code(), intake);
        }
    }

    async fn a_place_that_becomes_free_is_offered_by_hand(database: Database) {
        let world = with_places(&database, 1).await;
        let mut decider = staff_client(&world, Role::Decider).await;
        let (has_one, _) = offered(&world, &decider.staff).await;
        let people = line_of(&world, &decider, 3).await;
        advance(&world, HOLD).await;
        assert_eq!(free_places(&database).await.len(), 0);
        decider = entered(&world, &decider.staff).await;
        let refused = offer(&decider, &people[0].1).await;
        refused.assert_problem(409, "places.none");

        // A task says so, about whoever is the first.
        reply(&has_one, "decline").await;
        advance(&world, HOLD + MINUTE).await;
        let about = |number: usize| vec![(people[number].1.clone(), json!({ "intake": AUGUST, "why": "hand" }))];
        assert_eq!(free_places(&database).await, about(0));
        assert_eq!(stages(&database, &people).await, ["waitlisted"; 3]);
        decider = entered(&world, &decider.staff).await;
        let work = ok(decider.api("GET", "/api/admins/work?whose=team").send().await).await;
        assert!(work["tasks"].as_array().unwrap().iter().any(|task| task["task"] == "place-free"), "{work}");
        assert_eq!(go(&decider, &people[1].1, json!({ "before": people[0].1 })).await.status, 204);
        world.work().await;
        assert_eq!(free_places(&database).await, about(1), "it is about the first in line");
        assert_eq!(line(&decider, AUGUST).await["applications"][0]["obstacle"], Value::Null);
        ok(take_off(&decider, &people[1].1).await).await;
        world.work().await;
        assert_eq!(free_places(&database).await, about(0));

        // Staff may offer it to somebody else in the line; then no place is left for the others.
        let done = ok(offer(&decider, &people[2].1).await).await;
        assert_eq!(done["id"], people[2].1.as_str(), "{done}");
        world.work().await;
        assert_eq!(free_places(&database).await.len(), 0);
        offer(&decider, &people[0].1).await.assert_problem(409, "places.none");
        let waits = people[2].0.log_in().await;
        let told = application(&waits).await;
        assert_eq!((&told["stage"], &told["waitlist"]["intake"]), (&json!("waitlisted"), &json!(AUGUST)), "nothing shows before it can no longer be recalled");
        // Whoever leaves now leaves the waitlist.
        ok(waits.post(&format!("{APPLICATION}/withdraw")).json(&json!({ "reason": "I go elsewhere" })).send().await).await;
        let text = see(&waits, "/dashboard").await.text.replace('\u{a0}', " ");
        assert!(text.contains("You have left the waitlist"), "{text}");
        ok(waits.post(&format!("{APPLICATION}/undo-withdraw")).send().await).await;
        // Recalled, it is where it was.
        ok(decider.api("POST", &path(&people[2].1, "/decision/recall")).json(&json!({})).send().await).await;
        assert_eq!(order(&line(&decider, AUGUST).await), [&people[0].1, &people[2].1]);
        world.work().await;
        assert_eq!(free_places(&database).await, about(0));
        let draft = drafted(&world, &decider.staff, &people[0].1, acceptance(&["A diploma by June"])).await;
        let key = |key: &str| decider.api("POST", &path(&people[0].1, "/waitlist/offer")).header("idempotency-key", key);
        for _ in 0..2 {
            ok(key("once").send().await).await;
        }
        assert_eq!(database.texts("SELECT id FROM decisions WHERE state = 'released' ORDER BY released_at DESC LIMIT 1").await, [draft]);
        advance(&world, HOLD).await;
        let first = people[0].0.log_in().await;
        let told = application(&first).await;
        assert_eq!((&told["stage"], &told["waitlist"]), (&json!("offered"), &Value::Null));
        reply(&first, "accept").await;
        assert_eq!(stages(&database, &people).await, ["confirmed", "submitted", "waitlisted"]);
        assert_no_mail_tells(&database).await;
    }

    async fn whoever_drafted_it_does_not_offer_it_where_two_people_decide(database: Database) {
        let world = with_places(&database, 0).await;
        ask_for_two_people(&world).await;
        let (drafter, second) = (staff_client(&world, Role::Decider).await, staff_client(&world, Role::Owner).await);
        let (_, id, draft) = ready(&world, &drafter.staff).await;
        ok(put(&second, &id, &draft).await).await;
        set_places(&world, json!({ "2026-08.places": "1" })).await;
        offer(&drafter, &id).await.assert_problem(409, "decision.own_draft");
        assert_eq!(line(&drafter, AUGUST).await["applications"][0]["obstacle"], "decision.own_draft");
        assert_eq!(line(&second, AUGUST).await["applications"][0]["obstacle"], Value::Null);
        // The call for releases does the same.
        let release = json!({ "decision": draft });
        ok(second.api("POST", &path(&id, "/decision/release")).json(&release).send().await).await;
        assert_eq!(stage(&database, &id).await, "offered");
    }

    async fn by_order_the_first_in_line_is_offered_what_becomes_free(database: Database) {
        let world = with_places(&database, 1).await;
        set_places(&world, json!({ "release": "order" })).await;
        // The second person is whoever put them on the waitlist.
        ask_for_two_people(&world).await;
        let (drafter, second) = (hired(&world, Role::Decider).await, staff_client(&world, Role::Owner).await);
        let (has_one, _, draft) = ready(&world, &drafter).await;
        world.app.release_decision(&second.staff, &draft, Preconditions::default()).await.unwrap();
        let mut people = Vec::new();
        for _ in 0..4 {
            let (client, id, draft) = ready(&world, &drafter).await;
            world.clock.advance(1_000);
            ok(put(&second, &id, &draft).await).await;
            people.push((client, id));
        }
        assert_eq!(line(&second, AUGUST).await["release"], "order");
        advance(&world, HOLD).await;
        reply(&has_one, "decline").await;
        advance(&world, HOLD - MINUTE).await;
        assert_eq!(stages(&database, &people).await, ["waitlisted"; 4], "it can be undone");
        advance(&world, 2 * MINUTE).await;
        assert_eq!(stages(&database, &people).await, ["offered", "waitlisted", "waitlisted", "waitlisted"]);
        assert_eq!((free_places(&database).await.len(), database.count("decisions WHERE state = 'released' AND released_by IS NULL").await), (0, 1));
        let recorded = database.texts("SELECT actor FROM audit WHERE action = 'decision.released' AND detail LIKE '%\"byRule\":true%'").await;
        assert_eq!(recorded, ["system"]);
        let told = application(&people[0].0.log_in().await).await;
        assert_eq!(told["stage"], "waitlisted", "it can be recalled");
        advance(&world, HOLD).await;
        assert_eq!(application(&people[0].0.log_in().await).await["stage"], "offered");

        // More places are offered at once, in the order of the line.
        set_places(&world, json!({ "2026-08.places": "3" })).await;
        world.work().await;
        assert_eq!(stages(&database, &people).await, ["offered", "offered", "offered", "waitlisted"]);
        // An offer that lapses is the next one's.
        advance(&world, 31 * DAY).await;
        assert_eq!(stages(&database, &people).await, ["lapsed", "lapsed", "lapsed", "offered"]);
        assert_no_mail_tells(&database).await;
    }

    async fn whom_the_rule_cannot_offer_a_place_is_named_and_not_passed_over(database: Database) {
        let world = with_places(&database, 0).await;
        set_places(&world, json!({ "release": "order" })).await;
        world.app.plan_recurring().await.unwrap();
        let decider = staff_client(&world, Role::Decider).await;
        let people = line_of(&world, &decider, 2).await;
        assert_eq!(decider.api("DELETE", &path(&people[0].1, "/decision")).send().await.status, 204);
        let told = line(&decider, AUGUST).await;
        assert_eq!((order(&told).len(), &told["applications"][0]["decision"]), (2, &Value::Null));
        offer(&decider, &people[0].1).await.assert_problem(404, "decision.none");
        set_places(&world, json!({ "2026-08.places": "1" })).await;
        for _ in 0..2 {
            advance(&world, HOUR).await;
            let named = free_places(&database).await;
            assert_eq!((named.len(), &named[0].0, &named[0].1["intake"]), (1, &people[0].1, &json!(AUGUST)));
            assert_eq!(named[0].1["why"], "decision.no_acceptance");
            assert_eq!(stages(&database, &people).await, ["waitlisted", "waitlisted"]);
        }
        let owner = staff_client(&world, Role::Owner).await;
        let work = owner.see("/admin-panel/work?whose=team").send().await;
        assert!(work.text.contains("Offer the free place"), "{}", work.text);
        // Another acceptance was not approved by putting them there: that one is offered by hand.
        let expect_by_hand = async || {
            let named = free_places(&database).await;
            assert_eq!((named.len(), &named[0].0, &named[0].1["why"]), (1, &people[0].1, &json!("decision.own_draft")));
            assert_eq!(stages(&database, &people).await, ["waitlisted", "waitlisted"]);
        };
        drafted(&world, &decider.staff, &people[0].1, acceptance(&[])).await;
        advance(&world, HOUR).await;
        expect_by_hand().await;
        let decider = entered(&world, &decider.staff).await;
        let dossier = decider.see(&format!("/admin-panel/applications/{}", people[0].1)).send().await;
        assert!(dossier.text.contains("The acceptance is another than the one put on the waitlist"), "{}", dossier.text);
        ok(offer(&decider, &people[0].1).await).await;
        world.work().await;
        assert_eq!((stages(&database, &people).await, free_places(&database).await.len()), (vec!["offered".into(), "waitlisted".into()], 0));
        // So is one that was recalled and corrected.
        ok(decider.api("POST", &path(&people[0].1, "/decision/recall")).json(&json!({})).send().await).await;
        drafted(&world, &decider.staff, &people[0].1, acceptance(&["A diploma"])).await;
        world.work().await;
        expect_by_hand().await;
    }

    async fn for_one_place_there_is_one_offer_whoever_makes_it(database: Database) {
        let world = with_places(&database, 0).await;
        set_places(&world, json!({ "release": "order" })).await;
        let decider = staff_client(&world, Role::Decider).await;
        let people = line_of(&world, &decider, 4).await;
        for round in 1..=2_i64 {
            set_places(&world, json!({ "2026-08.places": round.to_string() })).await;
            // The job in several processes, and somebody who offers the place to the last in line meanwhile.
            let last = people[3].1.clone();
            let results = at_once(6, |number| {
                let (app, decider, last) = (world.app.clone(), decider.clone(), last.clone());
                async move {
                    if number == 5 {
                        return offer(&decider, &last).await.status;
                    }
                    // A process that finds the application changed tries again later.
                    drop(app.run_job(&filling()).await);
                    0
                }
            }).await;
            assert!(matches!(results[5], 200 | 404 | 409 | 412), "{results:?}");
            let decider = entered(&world, &decider.staff).await;
            world.work().await;
            assert_eq!((database.count("offers").await, left(&decider, AUGUST).await), (round, 0));
        }
        assert_eq!(database.count("stage_changes WHERE act = 'offer'").await, 2);
        assert_eq!(database.count("decisions WHERE state = 'released'").await, 2);
    }

    async fn what_a_process_left_undone_is_offered_within_the_hour(database: Database) {
        let world = with_places(&database, 2).await;
        set_places(&world, json!({ "release": "order" })).await;
        world.app.plan_recurring().await.unwrap();
        let decider = staff_client(&world, Role::Decider).await;
        let (has_one, _) = offered(&world, &decider.staff).await;
        let (has_other, _) = offered(&world, &decider.staff).await;
        let people = line_of(&world, &decider, 3).await;
        advance(&world, HOLD).await;
        reply(&has_one, "decline").await;
        reply(&has_other, "decline").await;
        // The job that was planned with the decline is lost.
        database.run("DELETE FROM jobs WHERE kind = 'fill-places' AND subject LIKE 'places:%'").await.unwrap();
        advance(&world, 2 * HOUR).await;
        assert_eq!(stages(&database, &people).await, ["offered", "offered", "waitlisted"]);
        // A process that dies after an offer does the job again, and offers nothing twice.
        for _ in 0..2 {
            world.app.run_job(&filling()).await.unwrap();
        }
        advance(&world, HOLD).await;
        assert_eq!((database.count("offers").await, mailed(&database).await["status-update"]), (4, 4));
    }

    async fn applicants_see_that_they_wait_and_may_leave(database: Database) {
        let world = with_places(&database, 0).await;
        let decider = staff_client(&world, Role::Decider).await;
        let people = line_of(&world, &decider, 2).await;
        let (client, id) = &people[1];
        assert_no_mail_tells(&database).await;
        let mail = world.mails(20).await.into_iter().find(|mail| mail.to == client.email).unwrap();
        assert!(mail.text.contains("/dashboard"), "{}", mail.text);
        assert_eq!(mailed(&database).await["waitlisted"], 2);

        let told = application(client).await;
        assert_eq!((&told["status"], &told["stage"]), (&json!("scheduled"), &json!("waitlisted")));
        assert_eq!(told["waitlist"]["intake"], AUGUST);
        assert_eq!((told["waitlist"]["joinedAt"].is_string(), &told["waitlist"]["position"]), (true, &Value::Null));
        let shown = see(client, "/dashboard").await;
        let text = shown.text.replace('\u{a0}', " ");
        for words in ["You are on the waitlist", "all places for August 2026 are taken at the moment", "On the waitlist since", "Leave the waitlist"] {
            assert!(text.contains(words), "{words}: {text}");
        }
        assert_eq!(client.get("/api/users/offer").send().await.code(), "decision.none");
        client.post(&format!("{APPLICATION}/unsubmit")).send().await.assert_problem(409, "status.transition");
        assert_ne!(see(client, "/dashboard/letter").await.status, 200);

        // Their number, once the office shows it.
        set_places(&world, json!({ "position": "yes" })).await;
        assert_eq!(application(client).await["waitlist"]["position"], 2);
        assert_eq!(go(&decider, id, json!({ "before": people[0].1 })).await.status, 204);
        assert_eq!((application(client).await["waitlist"]["position"].clone(), application(&people[0].0).await["waitlist"]["position"].clone()), (json!(1), json!(2)));
        let cookie = format!("matricula_session={}; language=es", client.cookie.as_deref().unwrap());
        let spanish = client.without_token().get("/dashboard").header("cookie", &cookie).send().await;
        assert!(!spanish.text.contains("You are on the waitlist") && !spanish.text.contains("Leave the waitlist"), "{}", spanish.text);

        // They leave, think better of it, and are where they were.
        let leave = || client.post(&format!("{APPLICATION}/withdraw")).json(&json!({ "reason": "I go elsewhere" }));
        let left = ok(leave().send().await).await;
        assert_eq!((&left["status"], &left["waitlist"]), (&json!("none"), &Value::Null));
        assert_eq!(order(&line(&decider, AUGUST).await), [&people[0].1]);
        let back = ok(client.post(&format!("{APPLICATION}/undo-withdraw")).send().await).await;
        assert_eq!((&back["stage"], &back["waitlist"]["position"]), (&json!("waitlisted"), &json!(1)));
        assert_eq!(order(&line(&decider, AUGUST).await), [id, &people[0].1]);
        ok(leave().send().await).await;
        advance(&world, HOLD).await;
        client.log_in().await.post(&format!("{APPLICATION}/undo-withdraw")).send().await.assert_problem(409, "undo.too_late");
        assert_eq!(database.texts("SELECT left_how FROM waitlist WHERE left_at IS NOT NULL").await, ["withdraw"]);
        let decider = entered(&world, &decider.staff).await;
        assert_eq!(line(&decider, AUGUST).await["waiting"], 1);
        assert_no_mail_tells(&database).await;
    }

    async fn whoever_waits_is_not_slow_and_can_be_rejected(database: Database) {
        let world = with_places(&database, 0).await;
        let decider = staff_client(&world, Role::Decider).await;
        let (client, id, _) = ready(&world, &decider.staff).await;
        database.run("UPDATE applications SET stage = 'held', status = 'scheduled'").await.unwrap();
        advance(&world, 7 * DAY).await;
        let decider = entered(&world, &decider.staff).await;
        let draft = drafted(&world, &decider.staff, &id, acceptance(&[])).await;
        ok(put(&decider, &id, &draft).await).await;
        advance(&world, 60 * DAY).await;
        assert_eq!((mailed(&database).await.get("application-delayed"), database.count("staff_tasks WHERE kind = 'slow' AND done_at IS NULL").await), (None, 0));
        let decider = entered(&world, &decider.staff).await;
        let tasks = ok(decider.api("GET", &path(&id, "/tasks")).send().await).await;
        assert_eq!(tasks["tasks"], json!([]), "nothing is to be done");
        // When no place became free, they are told so as anybody is rejected.
        let draft = drafted(&world, &decider.staff, &id, rejection()).await;
        let list = ok(decider.api("GET", "/api/admins/decisions").send().await).await;
        assert_eq!(list["draftCount"], 1);
        let tasks = ok(decider.api("GET", &path(&id, "/tasks")).send().await).await;
        assert_eq!(tasks["tasks"][0]["task"], "decision-release", "{tasks}");
        world.app.release_decision(&decider.staff, &draft, Preconditions::default()).await.unwrap();
        assert_eq!((stage(&database, &id).await.as_str(), order(&line(&decider, AUGUST).await).len()), ("rejected", 0));
        ok(decider.api("POST", &path(&id, "/decision/recall")).json(&json!({})).send().await).await;
        assert_eq!(order(&line(&decider, AUGUST).await), [&id]);
        // Taken off the waitlist, staff are to decide again, and the clock runs.
        ok(take_off(&decider, &id).await).await;
        assert_eq!(stage(&database, &id).await, "held");
        advance(&world, 30 * DAY).await;
        assert!(database.count("staff_tasks WHERE kind = 'slow' AND done_at IS NULL").await > 0);
        assert_eq!(application(&client.log_in().await).await["waitlist"], Value::Null);
    }

    async fn documents_and_the_fee_count_until_the_place_is_offered(database: Database) {
        let world = with_places(&database, 0).await;
        set(&world, "application-fee-bachelor", json!({ "amount": "75" })).await;
        let (decider, reviewer) = (staff_client(&world, Role::Decider).await, staff_client(&world, Role::Reviewer).await);
        let (client, id) = applied(&world).await;
        pay_by_check(&world, &id).await;
        let send = async || documents::send(&client, "identity", "passport.pdf", &pdf(500)).await.status;
        assert_eq!(send().await, 201);
        let draft = drafted(&world, &decider.staff, &id, Draft { without_documents: None, ..acceptance(&[]) }).await;
        ok(put(&decider, &id, &draft).await).await;
        set_places(&world, json!({ "2026-08.places": "1" })).await;

        // A document that is asked for again is missing, and can still be sent.
        let replace = json!({ "decision": "replace", "reason": "It is too dark." });
        assert_eq!(reviewer.api("POST", &path(&id, "/documents/identity")).json(&replace).send().await.status, 204);
        offer(&decider, &id).await.assert_problem(409, "documents.missing");
        assert_eq!(line(&decider, AUGUST).await["applications"][0]["obstacle"], "documents.missing");
        advance(&world, MINUTE).await;
        assert_eq!(send().await, 201);
        assert_eq!(line(&decider, AUGUST).await["applications"][0]["obstacle"], Value::Null);
        // A payment that bounces makes the fee due again.
        let finance = staff_client(&world, Role::Finance).await;
        let paid = database.texts("SELECT id FROM ledger_transactions WHERE kind = 'payment'").await.remove(0);
        let reverse = json!({ "action": "reverse", "transaction": paid, "reason": "It bounced" });
        ok(book(&finance, &id, "v1", reverse).await).await;
        offer(&decider, &id).await.assert_problem(409, "fee.due");
        ok(book(&finance, &id, "k2", crate::money::payment("application-fee", 7_500)).await).await;
        ok(offer(&decider, &id).await).await;
        assert_eq!(stage(&database, &id).await, "offered");
    }

    async fn a_reference_comes_while_somebody_waits(database: Database) {
        let world = references::asking(&database, json!({})).await;
        set_places(&world, json!({ "2026-08.places": "0" })).await;
        let decider = staff_client(&world, Role::Decider).await;
        let (client, _, token) = references::asked(&world, json!({})).await;
        let id = application(&client).await["id"].as_str().unwrap().to_owned();
        let draft = drafted(&world, &decider.staff, &id, acceptance(&[])).await;
        ok(put(&decider, &id, &draft).await).await;
        references::send(&world, &token, &references::ANSWERS, references::NO_FILE).await;
        assert_eq!(database.texts("SELECT state FROM referees").await, ["received"]);
    }

    async fn each_role_sees_and_does_what_it_may(database: Database) {
        let world = with_places(&database, 0).await;
        let decider = staff_client(&world, Role::Decider).await;
        let (client, waits) = waiting(&world, &decider).await;
        let reference = application(&client).await["reference"].as_str().unwrap().to_owned();
        for role in Role::ALL {
            let member = staff_client(&world, role).await;
            let told = line(&member, AUGUST).await;
            let one = &told["applications"][0];
            assert_eq!((&one["id"], &one["reference"]), (&json!(waits), &json!(reference)), "{role:?}");
            let named = one.to_string().contains("Sample");
            assert_eq!(named, role != Role::Viewer, "{role:?}: {one}");
            assert_eq!(capacity(&member, AUGUST).await["waiting"], 1, "{role:?}");
            let page = member.see(PAGE).send().await;
            assert_eq!((page.status, page.text.contains("Sample")), (200, role != Role::Viewer), "{role:?}");
            let decides = matches!(role, Role::Decider | Role::Owner);
            let (_, id, draft) = ready(&world, &decider.staff).await;
            if decides {
                ok(put(&member, &id, &draft).await).await;
                assert_eq!(go(&member, &id, json!({ "priority": 5 })).await.status, 204);
                ok(take_off(&member, &id).await).await;
                continue;
            }
            put(&member, &id, &draft).await.assert_problem(403, "role.forbidden");
            go(&member, &waits, json!({ "priority": 5 })).await.assert_problem(403, "role.forbidden");
            take_off(&member, &waits).await.assert_problem(403, "role.forbidden");
            offer(&member, &waits).await.assert_problem(403, "role.forbidden");
            for action in ["offer", "up", "down"] {
                assert_eq!(member.send(PAGE, &[("_action", action), ("id", &waits)]).send().await.status, 403, "{role:?} {action}");
            }
        }
        assert_eq!(stage(&database, &waits).await, "waitlisted");
        for call in [LINES, CAPACITY] {
            client.get(call).send().await.assert_problem(401, "token.audience");
            world.visitor().get(call).send().await.assert_problem(401, "auth.required");
        }
        // Who puts somebody on the waitlist, or offers a place, has entered the password not long ago.
        let (_, id, draft) = ready(&world, &decider.staff).await;
        world.clock.advance(6 * MINUTE);
        put(&decider, &id, &draft).await.assert_problem(401, "auth.step_up");
        offer(&decider, &waits).await.assert_problem(401, "auth.step_up");
    }

    async fn programs_are_told_that_somebody_waits(database: Database) {
        let world = with_places(&database, 0).await;
        let receiver = Receiver::start().await;
        webhooks::added(&world, &receiver.url, &["application.waitlisted", "decision.released"]).await;
        let decider = staff_client(&world, Role::Decider).await;
        let (client, id) = waiting(&world, &decider).await;
        webhooks::deliver(&world).await;
        let events = receiver.take();
        let told = events[0].event();
        assert_eq!((events.len(), &told["type"]), (1, &json!("application.waitlisted")));
        let data = &told["data"];
        assert_eq!((&data["applicationId"], &data["stage"], &data["previousStage"]), (&json!(id), &json!("waitlisted"), &json!("submitted")));
        assert_eq!(data["reference"], application(&client).await["reference"]);
        assert!(!told.to_string().contains("Demo"), "{told}");
        // Being taken off is told by whatever comes next; the offer when it can no longer be recalled.
        ok(take_off(&decider, &id).await).await;
        let draft = drafted(&world, &decider.staff, &id, acceptance(&[])).await;
        ok(put(&decider, &id, &draft).await).await;
        set_places(&world, json!({ "2026-08.places": "1" })).await;
        ok(offer(&decider, &id).await).await;
        webhooks::deliver(&world).await;
        assert_eq!(receiver.take().iter().map(|it| it.kind()).collect::<Vec<_>>(), ["application.waitlisted"]);
        advance(&world, HOLD).await;
        webhooks::deliver(&world).await;
        let events = receiver.take();
        assert_eq!((events.len(), &events[0].event()["data"]["previousStage"]), (1, &json!("waitlisted")));
    }

    async fn figures_tell_places_and_what_is_to_be_expected(database: Database) {
        let world = with_places(&database, 10).await;
        let mut decider = staff_client(&world, Role::Decider).await;
        let figures = async |member: &StaffClient, query: &str| {
            let told = ok(member.api("GET", &format!("/api/admins/figures?{query}")).send().await).await["capacity"].clone();
            told.as_array().unwrap().iter().find(|one| one["applicationType"] == "ba" && one["intake"] == AUGUST).cloned().unwrap_or_default()
        };
        // Three have accepted, two are asked, and one waits.
        let mut people = Vec::new();
        for _ in 0..7 {
            people.push(offered(&world, &decider.staff).await);
        }
        advance(&world, HOLD).await;
        for (client, _) in &people[..4] {
            reply(client, "accept").await;
        }
        reply(&people[4].0, "decline").await;
        advance(&world, HOLD + MINUTE).await;
        decider = entered(&world, &decider.staff).await;
        waiting(&world, &decider).await;
        let before = figures(&decider, "").await;
        assert_eq!((&before["places"], &before["offered"], &before["confirmed"], &before["waiting"]), (&json!(10), &json!(2), &json!(4), &json!(1)));
        assert_eq!((&before["left"], &before["free"]), (&json!(4), &json!(4)));
        assert_eq!(before["yield"], json!({ "accepted": 0, "decided": 0, "percent": null }));
        assert_eq!((&before["expectedStarters"], &before["furtherOffers"]), (&Value::Null, &Value::Null));
        let page = decider.see("/admin-panel/applications/figures").send().await;
        assert!(page.text.to_lowercase().contains("not enough history"), "{}", page.text);
        assert_eq!(capacity(&decider, AUGUST).await, before);

        // In the last intakes three of five have accepted.
        for (number, intake) in ["2026-01", "2026-01", "2025-08", "2025-01"].into_iter().enumerate() {
            let (_, id) = &people[if number == 3 { 4 } else { number }];
            database.run(&format!("UPDATE decisions SET intake = '{intake}' WHERE application_id = '{id}'")).await.unwrap();
        }
        let (declines, other) = offered(&world, &decider.staff).await;
        advance(&world, HOLD).await;
        reply(&declines, "decline").await;
        database.run(&format!("UPDATE decisions SET intake = '2025-08' WHERE application_id = '{other}'")).await.unwrap();
        // An older one says nothing.
        let (_, old) = offered(&world, &decider.staff).await;
        database.run(&format!("UPDATE decisions SET intake = '2024-08' WHERE application_id = '{old}'; UPDATE offers SET reply = 'accept' WHERE decision_id IN (SELECT id FROM decisions WHERE application_id = '{old}')")).await.unwrap();
        advance(&world, HOLD + MINUTE).await;
        decider = entered(&world, &decider.staff).await;
        let told = figures(&decider, "").await;
        assert_eq!(told["yield"], json!({ "accepted": 3, "decided": 5, "percent": 60 }));
        assert_eq!((&told["offered"], &told["confirmed"]), (&json!(2), &json!(1)));
        // One is certain, and of two open offers one is expected to be accepted; nine places are left for fifteen offers,
        // of which two are out.
        assert_eq!((&told["expectedStarters"], &told["furtherOffers"]), (&json!(2), &json!(13)));
        assert_eq!(figures(&decider, "program=msc").await, Value::Null);
        assert_eq!(figures(&decider, "intake=2027-01").await, Value::Null);
        assert_eq!(figures(&decider, "program=ba&intake=2026-08").await, told);

        let viewer = staff_client(&world, Role::Viewer).await;
        let file = viewer.see("/admin-panel/applications/figures.csv").send().await;
        let rows = [("Places", 10), ("Offered", 2), ("Accepted", 1), ("Enrolled", 0), ("Deferred to it", 0), ("Waitlisted", 1), ("Left", 7), ("Expected starters", 2), ("Further offers", 13)];
        for (column, value) in rows {
            assert!(file.text.contains(&format!("Places,ba 2026-08,{column},{value}\r\n")), "{column}: {}", file.text);
        }
        let page = viewer.see("/admin-panel/applications/figures").send().await;
        assert!(page.text.contains("60% (3 of 5)") && page.text.contains("Places"), "{}", page.text);
    }

    async fn nobody_waits_after_their_account_is_closed(database: Database) {
        let world = with_places(&database, 0).await;
        set_places(&world, json!({ "release": "order" })).await;
        let decider = staff_client(&world, Role::Decider).await;
        let people = line_of(&world, &decider, 2).await;
        let close = json!({ "currentPassword": PASSWORD, "confirm": true });
        assert_eq!(people[0].0.post("/api/users/close-account").json(&close).send().await.status, 204);
        assert_eq!(order(&line(&decider, AUGUST).await), [&people[1].1]);
        let applicant = database.texts(&format!("SELECT applicant_id FROM applications WHERE id = '{}'", people[0].1)).await.remove(0);
        world.store.erase_records(&applicant, &entry()).await.unwrap();
        assert_eq!(database.count("waitlist WHERE left_at IS NULL").await, 1);
        set_places(&world, json!({ "2026-08.places": "2" })).await;
        world.work().await;
        assert_eq!((stage(&database, &people[1].1).await.as_str(), database.count("offers").await), ("offered", 1));
        assert_eq!(free_places(&database).await.len(), 0);
    }

    async fn the_office_uses_its_page_without_javascript(database: Database) {
        let world = World::start(database.db()).await;
        let mut decider = staff_client(&world, Role::Decider).await;
        let empty = decider.see(PAGE).send().await;
        empty.assert_document(200, "adminWaitlist");
        set_places(&world, json!({ "2026-08.places": "1" })).await;
        let (has_one, _) = offered(&world, &decider.staff).await;
        let people = line_of(&world, &decider, 3).await;
        let [a, b, c] = [0, 1, 2].map(|number| people[number].1.clone());
        let shown = decider.see(PAGE).send().await;
        shown.assert_document(200, "adminWaitlist");
        let text = shown.text.replace('\u{a0}', " ");
        assert!(text.contains("August 2026") && text.contains("Demo Sample"), "{text}");
        let act = async |member: &StaffClient, action: &str, id: &str| {
            let fields = [("_action", action), ("id", id), ("program", "ba")];
            member.send(PAGE, &fields).send().await
        };
        let back = |done: &Answer| {
            let to = done.location().split(['&', '#']).next().unwrap().to_owned();
            assert_eq!((done.status, to.as_str()), (303, "/admin-panel/waitlist?program=ba"), "{done:?}");
        };
        for (action, id, expected) in [("up", &c, [&a, &c, &b]), ("down", &a, [&c, &a, &b]), ("up", &c, [&c, &a, &b]), ("down", &b, [&c, &a, &b])] {
            back(&act(&decider, action, id).await);
            assert_eq!(order(&line(&decider, AUGUST).await), expected, "{action}");
        }
        let full = act(&decider, "offer", &c).await;
        assert!(full.status == 409 && full.text.contains("No place is left in this intake."), "{full:?}");
        // Taking off is an act like others on the application's page.
        let leave = format!("/admin-panel/applications/{b}/act");
        assert!(shown.text.contains(&format!("{leave}?act=leave_waitlist")), "{}", shown.text);
        let asked = decider.see(&format!("{leave}?act=leave_waitlist")).send().await.assert_document(200, "adminAct");
        let revision = asked["props"]["frame"]["revision"].to_string();
        let revision = revision.trim_matches('"');
        let off = |reason: &'static str| {
            let fields = [("_action", "leave_waitlist"), ("reason", reason), ("revision", revision)];
            decider.send(&leave, &fields).send()
        };
        off(" ").await.assert_document(422, "adminAct");
        let gone = off("They go elsewhere").await;
        gone.assert_redirect(303, &format!("/admin-panel/applications/{b}?done=leave_waitlist"));
        assert!(decider.see(gone.location()).send().await.text.contains("The application is off the waitlist."));
        assert_eq!(stage(&database, &b).await, "submitted");
        // A form that was sent before somebody else acted says so.
        let late = act(&decider, "up", &b).await;
        assert!(late.status == 409 && late.text.contains("This application is not on the waitlist."), "{late:?}");
        assert_eq!(act(&decider, "shuffle", &c).await.status, 400);

        advance(&world, HOLD).await;
        reply(&has_one, "decline").await;
        advance(&world, HOLD + MINUTE).await;
        decider = entered(&world, &decider.staff).await;
        world.clock.advance(6 * MINUTE);
        act(&decider, "offer", &c).await.assert_document(401, "adminStepUp");
        decider = entered(&world, &decider.staff).await;
        back(&act(&decider, "offer", &c).await);
        assert_eq!(stage(&database, &c).await, "offered");

        // The application's own page says where it is, and its decision tab puts it there.
        let dossier = decider.see(&format!("/admin-panel/applications/{a}")).send().await;
        assert!(dossier.text.contains("Waitlisted"), "{}", dossier.text);
        let (_, id, draft) = ready(&world, &decider.staff).await;
        let tab = format!("/admin-panel/applications/{id}/decision");
        assert!(decider.see(&tab).send().await.text.contains("Put on the waitlist"));
        let fields = [("_action", "waitlist"), ("decision", draft.as_str())];
        decider.send(&tab, &fields).send().await.assert_redirect(303, &format!("{tab}?done=waitlisted"));
        assert_eq!(order(&line(&decider, AUGUST).await), [&a, &id]);

        // Near the start, it says who still waits.
        assert!(!decider.see(PAGE).send().await.text.contains("Studies start in"));
        advance(&world, 90 * DAY).await;
        decider = entered(&world, &decider.staff).await;
        let late = decider.see(PAGE).send().await;
        assert!(late.text.contains("Studies start in") && late.text.contains("stage=waitlisted"), "{}", late.text);
    }
}
