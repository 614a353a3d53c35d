//! The application fee: fixed with the submission, paid by card or noted by Finance, waived by rule, code or staff. Until
//! then a submitted application is not read.

use std::io::{Cursor, Read};

use futures::future::{BoxFuture, join_all};
use matricula::app::Error;
use matricula::app::applications::acts::Preconditions;
use matricula::domain::application::ApplicationKey;
use matricula::domain::decision::DraftSeen;
use matricula::domain::ledger::{Account, Kind, Line};
use matricula::domain::moments::{DAY, HOUR, MINUTE};
use matricula::domain::program::Program;
use matricula::domain::role::Role;
use serde_json::{Value, json};

use crate::card_payments::{WEBHOOK, adapter, back, later, ledger, payments, shop, taken};
use crate::contracts::ok;
use crate::decisions::{acceptance, advance, decide, rejection};
use crate::interviews::{choose, interviewer};
use crate::money::{book, path, payment, shared_plan};
use crate::office::{StaffClient, entered, hired, staff_client};
use crate::pages::see;
use crate::pdf::text_of;
use crate::plans::withdraw;
use crate::support::databases::{Database, story};
use crate::support::receiver::Receiver;
use crate::support::rows::entry;
use crate::support::server::{Answer, Client, PASSWORD, World, WorldOptions, complete_answers};
use crate::support::stripe::{DECLINED_CARD, GOOD_CARD, WEBHOOK_SECRET};
use crate::webhooks;

const CALL: &str = "/api/users/fee";
const CODES: &str = "/api/admins/fee-codes";
const LINE: &str = "application-fee";
const PAGE: &str = "/bachelor/application/fee";
const CODES_PAGE: &str = "/admin-panel/fee-codes";
/// $75, the fee of [`with_fee`].
const CENTS: i64 = 7_500;

/// Changes a setting.
pub async fn set(world: &World, name: &str, values: Value) {
    let owner = staff_client(world, Role::Owner).await;
    let path = format!("/api/admins/settings/{name}");
    let now = ok(owner.api("GET", &path).send().await).await;
    let body = json!({ "replaces": now["version"], "values": values });
    ok(owner.api("PATCH", &path).json(&body).send().await).await;
}

/// Sets the fee of the bachelor's program, and the rules for it.
async fn set_fee(world: &World, values: Value) {
    set(world, "application-fee-bachelor", values).await;
}

/// A world in which a bachelor's application costs $75.
async fn with_fee(database: &Database) -> World {
    let world = World::start(database.db()).await;
    set_fee(&world, json!({ "amount": "75" })).await;
    world
}

async fn application(client: &Client) -> Value {
    client.get("/api/users/application").send().await.json()
}

async fn id_of(client: &Client) -> String {
    application(client).await["id"].as_str().unwrap().to_owned()
}

/// An applicant who has submitted, and their application.
async fn applied(world: &World) -> (Client, String) {
    let client = world.submitted().await;
    let id = id_of(&client).await;
    (client, id)
}

/// The same, with these answers about the person.
async fn applied_as(world: &World, answers: &[&str]) -> (Client, String) {
    let client = world.register().await;
    let mut body = complete_answers();
    for answer in answers {
        body["personalInfo"][*answer] = json!(true);
    }
    ok(client.post("/api/users/application").json(&body).send().await).await;
    submit(&client).await;
    let id = id_of(&client).await;
    (client, id)
}

async fn submit(client: &Client) {
    let submitted = client.post("/api/users/application/submit").json(&json!({ "declaration": true })).send().await;
    assert_eq!(submitted.status, 200, "{submitted:?}");
}

async fn unsubmit(client: &Client) {
    let back = client.post("/api/users/application/unsubmit").json(&json!({})).send().await;
    assert_eq!(back.status, 200, "{back:?}");
}

async fn fee(client: &Client) -> Value {
    ok(client.get(CALL).send().await).await
}

async fn state(client: &Client) -> String {
    fee(client).await["state"].as_str().unwrap().to_owned()
}

async fn post(client: &Client, what: &str, body: Value) -> Answer {
    client.post(&format!("{CALL}/{what}")).json(&body).send().await
}

async fn checkout(client: &Client) -> Answer {
    client.post(&format!("{CALL}/checkout")).send().await
}

/// Where the fee is paid by card.
async fn page_of(client: &Client) -> String {
    ok(checkout(client).await).await["url"].as_str().unwrap().to_owned()
}

/// An act of staff on the fee.
async fn act(member: &StaffClient, id: &str, act: &str, reason: &str) -> Answer {
    let body = if reason.is_empty() { json!({ "act": act }) } else { json!({ "act": act, "reason": reason }) };
    member.api("POST", &path(id, "/fee")).json(&body).send().await
}

async fn in_office(member: &StaffClient, id: &str) -> Value {
    ok(member.api("GET", &path(id, "/fee")).send().await).await
}

/// Settles the fee by a check.
pub async fn pay_by_check(world: &World, id: &str) {
    let finance = staff_client(world, Role::Finance).await;
    ok(book(&finance, id, "check", payment(LINE, CENTS)).await).await;
}

/// A new code that waives the fee.
async fn new_code(member: &StaffClient, body: Value) -> Value {
    let made = member.api("POST", CODES).json(&body).send().await;
    assert_eq!(made.status, 201, "{made:?}");
    made.json()
}

/// The codes in the office's list, and how often each was used.
async fn codes(member: &StaffClient) -> Vec<(String, i64)> {
    let list = ok(member.api("GET", CODES).send().await).await;
    let told = |code: &Value| (code["code"].as_str().unwrap().to_owned(), code["uses"].as_i64().unwrap());
    list["codes"].as_array().unwrap().iter().map(told).collect()
}

/// The kinds of all open tasks.
async fn open_tasks(database: &Database) -> Vec<String> {
    database.texts("SELECT kind FROM staff_tasks WHERE done_at IS NULL ORDER BY kind").await
}

async fn mailed(database: &Database, template: &str) -> i64 {
    database.count(&format!("outbox WHERE template = '{template}'")).await
}

/// Ids of the ledger's transactions of a kind, oldest first.
async fn written(database: &Database, id: &str, kind: Kind) -> Vec<String> {
    let posted = database.db().ledger(id).await.unwrap().posted;
    let of_kind = posted.into_iter().filter(|it| it.transaction.draft.kind == kind);
    of_kind.map(|it| it.transaction.id).collect()
}

/// What the list has under a query: the ids, in order.
async fn listed(member: &StaffClient, query: &str) -> Vec<String> {
    let list = ok(member.api("GET", &format!("/api/admins/applications?{query}")).send().await).await;
    let id = |row: &Value| row["id"].as_str().unwrap().to_owned();
    list["applications"].as_array().unwrap().iter().map(id).collect()
}

/// The code of a refusal by the table or the product.
#[track_caller]
fn refusal<T: std::fmt::Debug>(result: Result<T, Error>) -> &'static str {
    match result {
        Err(Error::NotAllowed(refused)) => refused.code(),
        Err(Error::Refused(refusal)) => refusal.code(),
        other => panic!("{other:?}"),
    }
}

async fn undo_withdrawal(client: &Client) {
    let undone = client.post("/api/users/application/undo-withdraw").json(&json!({})).send().await;
    assert_eq!(undone.status, 200, "{undone:?}");
}

story! {
    async fn without_a_setting_there_is_no_fee_and_nothing_changes(database: Database) {
        let world = World::start(database.db()).await;
        interviewer(&world, [48]).await;
        let reviewer = staff_client(&world, Role::Reviewer).await;
        let (client, id) = applied(&world).await;
        client.get(CALL).send().await.assert_problem(404, "fee.none");
        post(&client, "code", json!({ "code": "GALA-2026" })).await.assert_problem(404, "fee.none");
        post(&client, "need", json!({ "statement": "I have lost my job." })).await.assert_problem(404, "fee.none");
        checkout(&client).await.assert_problem(404, "fee.none");
        let stranger = world.register().await;
        stranger.get(CALL).send().await.assert_problem(404, "application.none");
        let finance = staff_client(&world, Role::Finance).await;
        finance.api("GET", &path(&id, "/fee")).send().await.assert_problem(404, "fee.none");
        act(&finance, &id, "waive", "Granted").await.assert_problem(404, "fee.none");
        act(&finance, "nowhere", "waive", "Granted").await.assert_problem(404, "application.not_found");

        for table in ["application_fees", "ledger_transactions", "ledger_entries"] {
            assert_eq!(database.count(table).await, 0, "{table}");
        }
        assert_eq!((mailed(&database, "application-received").await, mailed(&database, "application-received-fee").await), (1, 0));
        assert_eq!(open_tasks(&database).await, ["alert"]);
        assert_eq!(listed(&reviewer, "tab=needs-action").await, std::slice::from_ref(&id));
        assert_eq!(listed(&reviewer, "tab=all&fee=none").await, std::slice::from_ref(&id));
        for other in ["due", "paid", "waived"] {
            assert_eq!(listed(&reviewer, &format!("tab=all&fee={other}")).await, [""; 0], "{other}");
        }
        reviewer.api("GET", "/api/admins/applications?tab=all&fee=soon").send().await.assert_problem(422, "fee.invalid");
        let booked = choose(&client, "book", 48).await;
        assert_eq!(booked.status, 200, "{booked:?}");
    }

    async fn the_fee_is_fixed_when_an_application_is_first_submitted(database: Database) {
        let world = World::start(database.db()).await;
        let (before, _) = applied(&world).await;
        set_fee(&world, json!({ "amount": "75", "2027-01": "50", "2027-08": "0" })).await;
        before.get(CALL).send().await.assert_problem(404, "fee.none");

        let (client, id) = applied(&world).await;
        let first = fee(&client).await;
        assert_eq!((&first["cents"], &first["owed"], &first["intake"]), (&json!(CENTS), &json!(CENTS), &json!("2026-08")));
        assert_eq!((&first["state"], &first["waivedBy"], &first["rule"], &first["code"]), (&json!("due"), &Value::Null, &Value::Null, &Value::Null));
        assert_eq!((&first["settledAt"], &first["need"], &first["receipts"]), (&Value::Null, &Value::Null, &json!([])));
        assert_eq!((&first["canPayByCard"], &first["canAskForWaiver"]), (&json!(false), &json!(true)), "there are no card payments here");
        assert_eq!(database.texts("SELECT detail FROM audit WHERE action = 'application.submitted' AND detail LIKE '%7500%'").await.len(), 1);

        // The setting is for those who come later.
        set_fee(&world, json!({ "amount": "100", "waived.need": "no" })).await;
        assert_eq!(fee(&client).await["cents"], CENTS);
        for _ in 0..2 {
            world.clock.advance(MINUTE);
            unsubmit(&client).await;
            submit(&client).await;
        }
        assert_eq!((&fee(&client).await["cents"], state(&client).await.as_str()), (&json!(CENTS), "due"));
        let reviewer = staff_client(&world, Role::Reviewer).await;
        let changes = json!({ "sections": ["education"], "message": "Please add your degree.", "dueOn": "2026-06-01" });
        ok(reviewer.api("POST", &path(&id, "/request-changes")).json(&changes).send().await).await;
        submit(&client).await;
        assert_eq!((&fee(&client).await["cents"], &application(&client).await["stage"]), (&json!(CENTS), &json!("submitted")));
        assert_eq!(written(&database, &id, Kind::Charge).await.len(), 1);
        assert_eq!(fee(&applied(&world).await.0).await["cents"], 10_000);

        // The day after the deadline the next intake is applied for, which has a fee of its own.
        advance(&world, 78 * DAY).await;
        let later = fee(&applied(&world).await.0).await;
        assert_eq!((&later["cents"], &later["intake"]), (&json!(5_000), &json!("2027-01")));
        // 0 is no fee at all, and an empty amount is none from then on.
        set_fee(&world, json!({ "2027-01": "0" })).await;
        applied(&world).await.0.get(CALL).send().await.assert_problem(404, "fee.none");
        set_fee(&world, json!({ "amount": "", "2027-01": "" })).await;
        applied(&world).await.0.get(CALL).send().await.assert_problem(404, "fee.none");
        assert_eq!(fee(&client.log_in().await).await["cents"], CENTS);
        assert_eq!(database.count("application_fees").await, 3);
    }

    async fn each_program_has_its_own_and_applicants_are_told_before_they_submit(database: Database) {
        let world = World::start(database.db()).await;
        let owner = staff_client(&world, Role::Owner).await;
        let visitor = world.visitor();
        let brochure = async |program: &str| {
            let file = visitor.get(&format!("/{program}/brochure.pdf")).send().await;
            text_of(&file.bytes).split_whitespace().collect::<Vec<_>>().join(" ")
        };
        for program in ["bachelor", "masters"] {
            let landing = see(&visitor, &format!("/{program}/apply")).await;
            assert!(!landing.text.contains("$90") && !brochure(program).await.contains("$90"), "{program}");
        }
        set(&world, "application-fee-masters", json!({ "amount": "90", "waived.military": "yes" })).await;
        applied(&world).await.0.get(CALL).send().await.assert_problem(404, "fee.none");
        for (program, tells) in [("bachelor", false), ("masters", true)] {
            let landing = see(&visitor, &format!("/{program}/apply")).await;
            assert_eq!(landing.text.contains("$90"), tells, "{program}");
            assert_eq!(brochure(program).await.contains("$90"), tells, "{program}");
        }
        set_fee(&world, json!({ "amount": "75", "2027-01": "55", "waived.dod": "yes" })).await;
        let landing = see(&visitor, "/bachelor/apply").await;
        assert!(landing.text.contains("$75") && !landing.text.contains("$55"), "the next intake's: {}", landing.text);
        let spanish = visitor.get("/bachelor/apply").header("accept-language", "es").send().await;
        assert!(spanish.text.contains("$75"), "{}", spanish.text);

        // The page before the submission says what it will be, or why there is nothing to pay.
        let check = async |answers: &[&str]| {
            let client = world.register().await;
            let mut body = complete_answers();
            for answer in answers {
                body["personalInfo"][*answer] = json!(true);
            }
            ok(client.post("/api/users/application").json(&body).send().await).await;
            see(&client, "/bachelor/application/check").await.text
        };
        let told = check(&[]).await;
        assert!(told.contains("$75") && !told.contains("because you work for the Department of Defense"), "{told}");
        assert!(check(&["isDoDEmployee"]).await.contains("because you work for the Department of Defense"));

        // What cannot be is said beside its field.
        let change = async |values: Value| {
            let now = ok(owner.api("GET", "/api/admins/settings/application-fee-bachelor").send().await).await;
            let body = json!({ "replaces": now["version"], "values": values });
            owner.api("PATCH", "/api/admins/settings/application-fee-bachelor").json(&body).send().await
        };
        for (values, code) in [
            (json!({ "amount": "lots" }), "amount.range"),
            (json!({ "amount": "10001" }), "amount.range"),
            (json!({ "amount": "-1" }), "amount.range"),
            (json!({ "2027-01": "7.50" }), "2027-01.range"),
            (json!({ "waived.dod": "perhaps" }), "waived.dod.unknown"),
            (json!({ "reminder.1": "0" }), "reminder.1.range"),
            (json!({ "reminder.1": "10" }), "reminder.2.range"),
            (json!({ "1999-01": "5" }), "field.unknown"),
        ] {
            let refused = change(values.clone()).await;
            assert_eq!((refused.status, refused.code().as_str()), (422, code), "{values}: {refused:?}");
        }
        for role in [Role::Finance, Role::Decider] {
            let member = staff_client(&world, role).await;
            member.api("GET", "/api/admins/settings/application-fee-bachelor").send().await.assert_problem(403, "role.forbidden");
        }
    }

    async fn whoever_switches_to_a_program_with_a_fee_pays_it(database: Database) {
        let world = World::start(database.db()).await;
        set(&world, "application-fee-masters", json!({ "amount": "90" })).await;
        let switch = async |client: &Client, program: &str| {
            unsubmit(client).await;
            let moved = json!({ "applicationType": program, "switchProgram": true });
            ok(client.post("/api/users/application").json(&moved).send().await).await;
        };
        let (client, id) = applied(&world).await;
        // There and back before it is submitted again, nothing has changed.
        switch(&client, "msc").await;
        let back = json!({ "applicationType": "ba", "switchProgram": true });
        ok(client.post("/api/users/application").json(&back).send().await).await;
        submit(&client).await;
        client.get(CALL).send().await.assert_problem(404, "fee.none");

        switch(&client, "msc").await;
        assert!(see(&client, "/masters/application/check").await.text.contains("$90"));
        submit(&client).await;
        assert_eq!((&fee(&client).await["cents"], state(&client).await.as_str()), (&json!(9_000), "due"));
        assert_eq!(mailed(&database, "application-received-fee").await, 1);
        // A fee that is there stays as it is.
        set_fee(&world, json!({ "amount": "75" })).await;
        switch(&client, "ba").await;
        submit(&client).await;
        assert_eq!((&fee(&client).await["cents"], written(&database, &id, Kind::Charge).await.len()), (&json!(9_000), 1));
    }

    async fn what_is_settled_while_it_is_changed_gets_its_owner_with_the_next_act(database: Database) {
        let world = with_fee(&database).await;
        let reviewer = staff_client(&world, Role::Reviewer).await;
        set(&world, "work", json!({ "owners": "turn" })).await;
        let owned = async || listed(&reviewer, &format!("tab=all&owner={}", reviewer.staff.id)).await;
        let changes = json!({ "sections": ["education"], "message": "Please add your degree.", "dueOn": "2026-06-01" });
        for resubmits in [true, false] {
            let (client, id) = applied(&world).await;
            ok(reviewer.api("POST", &path(&id, "/request-changes")).json(&changes).send().await).await;
            world.clock.advance(MINUTE);
            pay_by_check(&world, &id).await;
            assert!(!owned().await.contains(&id), "it is with the applicant");
            if resubmits {
                submit(&client).await;
            } else {
                ok(reviewer.api("POST", &path(&id, "/drop-changes")).send().await).await;
            }
            assert!(owned().await.contains(&id), "{resubmits}");
            let open = format!("SELECT kind FROM staff_tasks WHERE subject = 'application:{id}' AND done_at IS NULL");
            assert_eq!(database.texts(&open).await, [if resubmits { "changes" } else { "alert" }]);
        }
        assert_eq!(mailed(&database, "fee-paid").await, 0, "it is not read yet when the payment comes");
    }

    async fn owners_take_turns_by_when_they_were_given_an_application(database: Database) {
        let world = with_fee(&database).await;
        for _ in 0..2 {
            hired(&world, Role::Reviewer).await;
        }
        set(&world, "work", json!({ "owners": "turn" })).await;
        let mut ids = Vec::new();
        for _ in 0..3 {
            world.clock.advance(MINUTE);
            ids.push(applied(&world).await.1);
        }
        let mut owners = Vec::new();
        // Who submitted first does not pay first.
        for id in [&ids[1], &ids[0], &ids[2]] {
            world.clock.advance(MINUTE);
            pay_by_check(&world, id).await;
            owners.extend(database.texts(&format!("SELECT assigned_to FROM applications WHERE id = '{id}'")).await);
        }
        assert!(owners[0] != owners[1] && owners[0] == owners[2], "{owners:?}");
    }

    async fn a_rule_waives_it_without_a_charge(database: Database) {
        let world = with_fee(&database).await;
        interviewer(&world, [48, 72, 96]).await;
        let (asked, _) = applied_as(&world, &["isMilitaryAffiliated", "isDoDEmployee"]).await;
        assert_eq!(state(&asked).await, "due", "no rule is set");
        set_fee(&world, json!({ "waived.military": "yes", "waived.dod": "yes" })).await;
        let charged = database.count("ledger_transactions").await;
        let finance = staff_client(&world, Role::Finance).await;
        for (answers, rule, hour) in [
            (vec!["isMilitaryAffiliated"], "military", 48),
            (vec!["isDoDEmployee"], "dod", 72),
            (vec!["isMilitaryAffiliated", "isDoDEmployee"], "military", 96),
        ] {
            let (client, id) = applied_as(&world, &answers).await;
            let told = fee(&client).await;
            assert_eq!((&told["state"], &told["waivedBy"], &told["rule"]), (&json!("waived"), &json!("rule"), &json!(rule)));
            assert_eq!((&told["cents"], &told["owed"], &told["canAskForWaiver"]), (&json!(CENTS), &json!(0), &json!(false)));
            assert_eq!(told["settledAt"], "2026-05-04T12:00:00Z");
            post(&client, "need", json!({ "statement": "Why not" })).await.assert_problem(409, "fee.settled");
            // Nobody has to do anything about it, and nobody can take it back.
            assert_eq!(in_office(&finance, &id).await["acts"], json!([]));
            act(&finance, &id, "take-back", "").await.assert_problem(409, "fee.waiver_kept");
            act(&finance, &id, "waive", "Granted").await.assert_problem(409, "fee.settled");
            let booked = choose(&client, "book", hour).await;
            assert_eq!(booked.status, 200, "{booked:?}");
        }
        assert_eq!(database.count("ledger_transactions").await, charged);
        assert_eq!((mailed(&database, "application-received").await, mailed(&database, "application-received-fee").await), (3, 1));
        assert_eq!((mailed(&database, "fee-waived").await, mailed(&database, "fee-paid").await), (0, 0));
        assert_eq!(fee(&applied(&world).await.0).await["state"], "due");
        // Answers that change later change nothing.
        let (client, _) = applied_as(&world, &["isDoDEmployee"]).await;
        unsubmit(&client).await;
        let other = json!({ "applicationType": "ba", "personalInfo": { "isDoDEmployee": false } });
        ok(client.post("/api/users/application").json(&other).send().await).await;
        submit(&client).await;
        assert_eq!(state(&client).await, "waived");
    }

    async fn while_it_is_due_nobody_reads_the_application(database: Database) {
        let world = with_fee(&database).await;
        interviewer(&world, [48, 12 * 24]).await;
        let reviewer = staff_client(&world, Role::Reviewer).await;
        set(&world, "work", json!({ "owners": "turn", "days.submitted": "3" })).await;
        let (client, id) = applied(&world).await;
        let mail = world.mails(20).await.into_iter().find(|mail| mail.to == client.email).unwrap();
        assert!(mail.text.contains("$75") && mail.text.contains(PAGE), "{}", mail.text);
        assert_eq!((mailed(&database, "application-received").await, mailed(&database, "application-received-fee").await), (0, 1));

        // It is in the list and in no queue.
        assert_eq!(open_tasks(&database).await, [""; 0]);
        assert_eq!(listed(&reviewer, "tab=all&fee=due").await, std::slice::from_ref(&id));
        assert_eq!(listed(&reviewer, "tab=all&owner=nobody").await, std::slice::from_ref(&id));
        assert_eq!(listed(&reviewer, "tab=needs-action").await, [""; 0]);
        let all = ok(reviewer.api("GET", "/api/admins/applications?tab=all").send().await).await;
        assert_eq!((&all["applications"][0]["fee"], &all["applications"][0]["needsAction"]), (&json!("due"), &json!(false)));
        let page = reviewer.see("/admin-panel/applications?tab=all&column=stage&column=fee").send().await;
        assert!(page.text.contains("Fee due"), "{}", page.text);
        let work = ok(reviewer.api("GET", "/api/admins/work?whose=team").send().await).await;
        assert_eq!(work["tasks"], json!([]));
        let dashboard = see(&client, "/dashboard").await;
        assert!(dashboard.text.contains("It is your turn: pay the application fee."), "{}", dashboard.text);
        assert!(dashboard.text.contains(&format!("href=\"{PAGE}\"")), "{}", dashboard.text);

        // Nobody books an interview, and nobody decides.
        let booked = choose(&client, "book", 48).await;
        booked.assert_problem(409, "fee.due");
        assert_eq!(booked.json()["error"], "Pay the application fee first, or ask for a waiver.");
        assert_eq!(ok(client.get("/api/users/interview").send().await).await["canBook"], false);
        let time = json!({ "startsAt": "2026-05-06T12:00:00Z" });
        reviewer.api("POST", &path(&id, "/interview")).json(&time).send().await.assert_problem(409, "fee.due");
        let decider = hired(&world, Role::Decider).await;
        let key = ApplicationKey::Id(&id);
        for draft in [acceptance(&[]), rejection()] {
            let draft = world.app.draft_decision(&decider, key, draft, DraftSeen::Any).await.unwrap();
            let released = world.app.release_decision(&decider, &draft.id, Preconditions::default()).await;
            assert_eq!(refusal(released), "fee.due");
        }
        assert_eq!(application(&client).await["stage"], "submitted");
        advance(&world, 6 * DAY).await;
        assert_eq!(database.count("staff_tasks WHERE kind IN ('slow', 'alert')").await, 0, "no clock runs");

        // Once it is settled, everything begins as it does with a submission: on May 10, a Sunday.
        pay_by_check(&world, &id).await;
        let reviewer = entered(&world, &reviewer.staff).await;
        assert!(open_tasks(&database).await.contains(&"alert".to_owned()));
        assert_eq!(listed(&reviewer, &format!("tab=all&owner={}", reviewer.staff.id)).await, std::slice::from_ref(&id));
        assert_eq!(listed(&reviewer, "tab=needs-action").await, std::slice::from_ref(&id));
        assert_eq!(listed(&reviewer, "tab=all&fee=paid").await, std::slice::from_ref(&id));
        let work = ok(reviewer.api("GET", "/api/admins/work?whose=mine").send().await).await;
        assert!(work["tasks"].as_array().unwrap().iter().any(|task| task["task"] == "alert"), "{work}");
        advance(&world, 2 * DAY).await;
        assert_eq!(database.count("staff_tasks WHERE kind = 'slow'").await, 0);
        let client = client.log_in().await;
        assert_eq!(ok(client.get("/api/users/interview").send().await).await["canBook"], true);
        advance(&world, 4 * DAY).await;
        assert_eq!(database.count("staff_tasks WHERE kind = 'slow' AND done_at IS NULL").await, 1);
    }

    async fn the_charge_balances_and_is_not_tuition(database: Database) {
        let world = with_fee(&database).await;
        let (client, id) = applied(&world).await;
        let book_of = async || ledger(&database, &id).await;
        let due = book_of().await;
        assert_eq!((due.owed(Line::ApplicationFee), due.balance(Account::Receivable), due.balance(Account::Income)), (CENTS, CENTS, CENTS));
        let finance = staff_client(&world, Role::Finance).await;
        // It stays: a fee that is not to be paid is waived.
        let charge = written(&database, &id, Kind::Charge).await.remove(0);
        let reverse = json!({ "action": "reverse", "transaction": charge, "reason": "Never due" });
        book(&finance, &id, "v1", reverse).await.assert_problem(404, "ledger.not_found");
        let tab = finance.see(&format!("/admin-panel/applications/{id}/funding")).send().await;
        assert!(!tab.text.contains("do=reverse"), "{}", tab.text);
        ok(book(&finance, &id, "k1", payment(LINE, CENTS)).await).await;
        let funding = ok(finance.api("GET", &path(&id, "/funding")).send().await).await;
        assert_eq!((&funding["tuition"], funding["ledger"].as_array().unwrap().len()), (&Value::Null, 2), "there is no place yet");
        let paid = book_of().await;
        assert_eq!((paid.balance(Account::Receivable), paid.balance(Account::Cash), payments(&paid)), (0, CENTS, 1));

        // With a place, the plan is for tuition and begins with what it begins with otherwise.
        let decider = hired(&world, Role::Decider).await;
        decide(&world, &client, &decider, acceptance(&[])).await;
        advance(&world, 15 * MINUTE).await;
        let client = client.log_in().await;
        ok(client.post("/api/users/offer").json(&json!({ "reply": "accept" })).send().await).await;
        let plan = ok(client.get("/api/users/funding").send().await).await;
        assert_eq!((&plan["tuition"], &plan["open"], &plan["revision"]), (&json!(2_480_000), &json!(true), &json!(0)));
        let saved = ok(client.post("/api/users/funding").json(&shared_plan(0)).send().await).await;
        let cents: Vec<i64> = saved["schedule"].as_array().unwrap().iter().map(|line| line["cents"].as_i64().unwrap()).collect();
        assert_eq!((cents, &saved["covered"]), (vec![100_000, 30_000, 30_000, 30_000, 10_001], &json!(2_480_000)));
        let changed = ok(client.post("/api/users/funding").json(&shared_plan(1)).send().await).await;
        assert_eq!(changed["covered"], 2_480_000, "a fee that was paid does not close the plan");
        let sheet = client.get("/dashboard/funding.pdf").with_cookie(&client).send().await;
        assert!(!text_of(&sheet.bytes).contains("Application fee"));

        // Nothing of it is due or overdue at Finance, and it is no payment of a plan.
        database.run("UPDATE funding_plans SET first_due = '2026-04-20'").await.unwrap();
        advance(&world, 2 * MINUTE).await;
        let finance = entered(&world, &finance.staff).await;
        for (list, first) in [("overdue", "instalment-1"), ("due", "instalment-2")] {
            let list = ok(finance.api("GET", &format!("/api/admins/finance?list={list}")).send().await).await;
            assert_eq!(list["items"][0]["line"], first, "{list}");
            assert!(!list.to_string().contains(LINE), "{list}");
        }
        let figures = ok(finance.api("GET", "/api/admins/finance/figures").send().await).await;
        assert!(figures["months"].as_array().unwrap().iter().all(|month| month["received"] == 0), "{figures}");
        // It is in the books.
        let file = finance.api("GET", "/api/admins/finance/ledger.csv?from=2026-05-01&until=2026-05-31").send().await;
        for part in [",charge,application-fee,,receivable,75.00,,USD,", ",charge,application-fee,,income,,75.00,USD,", ",payment,application-fee,cheque,cash,75.00,,USD,"] {
            assert!(file.text.contains(part), "{part}: {}", file.text);
        }
        let statement = see(&client, "/dashboard/payments").await;
        assert!(statement.text.contains("Application fee"), "{}", statement.text);
        let tab = finance.see(&format!("/admin-panel/applications/{id}/funding")).send().await;
        assert!(tab.text.contains("Application fee"), "{}", tab.text);

        // A withdrawal gives nothing of it back.
        withdraw(&client).await;
        assert_eq!(database.count("staff_tasks WHERE kind IN ('refund', 'overpaid')").await, 0);
        assert_eq!(book_of().await.going_back_in_all(100), 0);
    }

    async fn it_is_paid_by_card_once_and_without_javascript(database: Database) {
        let (world, stripe) = shop(&database).await;
        set_fee(&world, json!({ "amount": "75" })).await;
        let (client, id) = applied(&world).await;
        assert_eq!(fee(&client).await["canPayByCard"], true);
        let shown = see(&client, PAGE).await;
        assert_eq!(shown.status, 200, "{shown:?}");
        let policy = shown.header("content-security-policy");
        assert!(policy.contains(&format!("form-action 'self' {};", stripe.checkout_origin)), "{policy}");
        let send = || client.without_token().post(PAGE).form(&[("act", "pay")]).with_cookie(&client).send();
        stripe.faults(json!([{ "path": "/v1/", "times": 20, "act": "drop" }])).await;
        checkout(&client).await.assert_problem(503, "card.unreachable");
        let cut = send().await;
        assert_eq!(cut.status, 503, "{cut:?}");
        assert!(cut.text.contains("We cannot reach the card payment service right now. Nothing was paid."), "{}", cut.text);
        stripe.no_faults().await;

        // However often it is asked, by call, by form or as any other payment, there is one page.
        stripe.faults(json!([{ "method": "POST", "path": "/v1/checkout/sessions$", "times": 1, "act": "drop_answer" }])).await;
        let asked = join_all((0..6).map(|_| checkout(&client))).await;
        let urls: Vec<String> = asked.iter().filter(|answer| answer.status == 200).map(|answer| answer.json()["url"].as_str().unwrap().to_owned()).collect();
        let page = page_of(&client).await;
        assert!(!urls.is_empty() && urls.iter().all(|url| *url == page), "{asked:?}");
        let same = client.post("/api/users/payments/checkout").json(&json!({ "line": LINE })).send().await;
        assert_eq!(ok(same).await["url"], page);
        let sent = send().await;
        assert_eq!((sent.status, sent.header("location")), (303, page.as_str()), "{sent:?}");

        assert_eq!(stripe.pay(&page, DECLINED_CARD).await, Err("Your card was declined.".to_owned()));
        assert_eq!((state(&client).await.as_str(), payments(&ledger(&database, &id).await)), ("due", 0));
        let (one, other) = tokio::join!(stripe.pay(&page, GOOD_CARD), stripe.pay(&page, GOOD_CARD));
        let location = one.or(other).unwrap();
        // Another person's browser learns nothing from the address.
        let (stranger, _) = applied(&world).await;
        assert_ne!(back(&stranger, &location).await, format!("{PAGE}?done=paid"));
        assert_eq!(state(&stranger).await, "due");
        for _ in 0..2 {
            assert_eq!(back(&client, &location).await, format!("{PAGE}?done=paid"));
        }
        let book = ledger(&database, &id).await;
        assert_eq!((payments(&book), book.is_settled(Line::ApplicationFee), book.balance(Account::Clearing)), (1, true, CENTS));
        assert_eq!(taken(&stripe).await, CENTS);
        let told = fee(&client).await;
        assert_eq!((&told["state"], &told["owed"], &told["canPayByCard"]), (&json!("paid"), &json!(0), &json!(false)));
        assert_eq!(told["receipts"], json!(written(&database, &id, Kind::Payment).await));
        assert_eq!((mailed(&database, "fee-paid").await, mailed(&database, "payment-received").await, mailed(&database, "status-update").await), (1, 0, 0));
        checkout(&client).await.assert_problem(409, "card.nothing_owed");
        assert_eq!(database.texts("SELECT decided_by FROM application_fees WHERE state = 'paid'").await, ["provider"]);
        assert_eq!(open_tasks(&database).await, ["alert"]);
        let settled = see(&client, &format!("{PAGE}?done=paid")).await;
        let receipt = format!("/dashboard/payments/{}.pdf", told["receipts"][0].as_str().unwrap());
        assert!(settled.text.contains(&receipt), "{}", settled.text);
        let receipt = client.get(&receipt).with_cookie(&client).send().await;
        let receipt = text_of(&receipt.bytes);
        assert!(receipt.contains("Application fee") && receipt.contains("$75"), "{receipt}");
    }

    async fn the_webhook_settles_it_when_no_browser_comes_back(database: Database) {
        let (world, stripe) = shop(&database).await;
        set_fee(&world, json!({ "amount": "75" })).await;
        later(&world, &stripe, 0).await;
        stripe.register_webhook(&format!("http://{}{WEBHOOK}", world.address()), WEBHOOK_SECRET).await;
        let (client, id) = applied(&world).await;
        stripe.pay(&page_of(&client).await, GOOD_CARD).await.unwrap();
        for _ in 0..200 {
            if state(&client).await == "paid" { break; }
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
        assert_eq!((state(&client).await.as_str(), payments(&ledger(&database, &id).await)), ("paid", 1));
        assert_eq!((mailed(&database, "fee-paid").await, open_tasks(&database).await), (1, vec!["alert".to_owned()]));
    }

    async fn a_payment_during_which_the_process_dies_is_found_at_night(database: Database) {
        let (world, stripe) = shop(&database).await;
        set_fee(&world, json!({ "amount": "75" })).await;
        let (client, id) = applied(&world).await;
        let page = page_of(&client).await;
        drop(world);
        stripe.pay(&page, GOOD_CARD).await.unwrap();
        let options = WorldOptions { cards: Some(adapter(&stripe)), ..WorldOptions::default() };
        let other = World::start_with(database.db(), options).await;
        let client = client.at_server(&other);
        assert_eq!(state(&client).await, "due", "nobody has told this process");
        for _ in 0..2 {
            other.app.reconcile_payments().await.unwrap();
        }
        assert_eq!((state(&client).await.as_str(), payments(&ledger(&database, &id).await), taken(&stripe).await), ("paid", 1, CENTS));
        assert_eq!((mailed(&database, "fee-paid").await, open_tasks(&database).await), (1, vec!["alert".to_owned()]));
    }

    async fn what_is_paid_when_nothing_is_due_any_more_is_kept_apart(database: Database) {
        let (world, stripe) = shop(&database).await;
        set_fee(&world, json!({ "amount": "75" })).await;
        let (client, id) = applied(&world).await;
        let page = page_of(&client).await;
        let finance = staff_client(&world, Role::Finance).await;
        assert_eq!(act(&finance, &id, "waive", "A graduate of ours").await.status, 204);
        let location = stripe.pay(&page, GOOD_CARD).await.unwrap();
        back(&client, &location).await;
        let book = ledger(&database, &id).await;
        assert_eq!((book.balance(Account::Unapplied), book.balance(Account::Receivable), taken(&stripe).await), (CENTS, 0, CENTS));
        assert_eq!((state(&client).await.as_str(), database.count("staff_tasks WHERE kind = 'overpaid' AND done_at IS NULL").await), ("waived", 1));
        // Finance gives it back to the card.
        let paid = written(&database, &id, Kind::Payment).await.remove(0);
        let refund = json!({ "action": "refund", "transaction": paid, "cents": CENTS, "reason": "Not due any more" });
        ok(crate::money::book(&finance, &id, "r1", refund).await).await;
        assert_eq!((taken(&stripe).await, ledger(&database, &id).await.balance(Account::Unapplied)), (0, 0));
        assert_eq!((state(&client).await.as_str(), open_tasks(&database).await), ("waived", vec!["alert".to_owned()]));
    }

    async fn without_a_provider_finance_notes_it(database: Database) {
        let world = with_fee(&database).await;
        interviewer(&world, [48, 72]).await;
        let (client, id) = applied(&world).await;
        // Mails that say only that there is news about a payment.
        let news = async || mailed(&database, "payment-received").await + mailed(&database, "status-update").await;
        checkout(&client).await.assert_problem(409, "card.none");
        let shown = see(&client, PAGE).await;
        assert!(shown.status == 200 && shown.text.contains("$75") && !shown.text.contains("Pay by card"), "{}", shown.text);
        let finance = staff_client(&world, Role::Finance).await;
        // A part of it is not enough.
        ok(book(&finance, &id, "k1", payment(LINE, 7_000)).await).await;
        assert_eq!((&fee(&client).await["owed"], state(&client).await.as_str(), open_tasks(&database).await.len()), (&json!(500), "due", 0));
        assert_eq!((news().await, mailed(&database, "fee-paid").await), (1, 0));
        // The same form, sent many times at once.
        let answers = join_all((0..8).map(|_| book(&finance, &id, "k2", payment(LINE, 500)))).await;
        assert!(answers.iter().all(|answer| answer.status == 200), "{answers:?}");
        let told = fee(&client).await;
        assert_eq!((&told["state"], told["receipts"].as_array().unwrap().len()), (&json!("paid"), 2));
        assert_eq!((news().await, mailed(&database, "fee-paid").await), (1, 1));
        assert_eq!(open_tasks(&database).await, ["alert"]);
        assert_eq!(database.texts("SELECT action FROM audit WHERE action LIKE 'fee.%' ORDER BY action").await, ["fee.paid", "fee.paid"]);
        let receipt = written(&database, &id, Kind::Payment).await.pop().unwrap();
        let file = finance.see(&format!("/admin-panel/applications/{id}/receipt.pdf?payment={receipt}")).send().await;
        assert!(text_of(&file.bytes).contains("Application fee"));

        // The check bounces: it is due again, and nobody reads on.
        let reverse = json!({ "action": "reverse", "transaction": receipt, "reason": "It bounced" });
        ok(book(&finance, &id, "v1", reverse).await).await;
        assert_eq!((state(&client).await.as_str(), &fee(&client).await["owed"]), ("due", &json!(500)));
        assert_eq!((open_tasks(&database).await.len(), news().await), (0, 2));
        choose(&client, "book", 48).await.assert_problem(409, "fee.due");
        ok(book(&finance, &id, "k3", payment(LINE, 500)).await).await;
        assert_eq!((state(&client).await.as_str(), open_tasks(&database).await), ("paid", vec!["alert".to_owned()]));
        assert_eq!(choose(&client, "book", 48).await.status, 200);
    }

    async fn a_code_waives_it(database: Database) {
        let world = with_fee(&database).await;
        let finance = staff_client(&world, Role::Finance).await;
        let gala = new_code(&finance, json!({ "code": "gala-2026", "note": "For guests of the gala" })).await;
        assert_eq!((&gala["code"], &gala["note"], &gala["uses"]), (&json!("GALA-2026"), &json!("For guests of the gala"), &json!(0)));
        assert_eq!((&gala["applicationType"], &gala["mostUses"], &gala["expiresOn"], &gala["endedAt"]), (&Value::Null, &Value::Null, &Value::Null, &Value::Null));
        assert_eq!(gala["createdBy"], finance.staff.id);
        for (body, code) in [
            (json!({}), "code.required"),
            (json!({ "code": "abc" }), "code.invalid"),
            (json!({ "code": "GALA 2026" }), "code.invalid"),
            (json!({ "code": "x".repeat(25) }), "code.invalid"),
            (json!({ "code": "Gala-2026" }), "code.taken"),
            (json!({ "code": "OTHER", "applicationType": "phd" }), "applicationType.unknown"),
            (json!({ "code": "OTHER", "note": "x".repeat(201) }), "note.too_long"),
            (json!({ "code": "OTHER", "mostUses": 0 }), "mostUses.range"),
            (json!({ "code": "OTHER", "expiresOn": "soon" }), "expiresOn.invalid"),
            (json!({ "code": "OTHER", "expiresOn": "2026-05-03" }), "expiresOn.past"),
            (json!({ "code": "OTHER", "uses": 5 }), "field.unknown"),
        ] {
            finance.api("POST", CODES).json(&body).send().await.assert_problem(422, code);
        }
        new_code(&finance, json!({ "code": "MASTERS-ONLY", "applicationType": "msc" })).await;
        new_code(&finance, json!({ "code": "THIS-WEEK", "expiresOn": "2026-05-10" })).await;
        new_code(&finance, json!({ "code": "TWICE", "mostUses": 2 })).await;
        let over = new_code(&finance, json!({ "code": "IT-IS-OVER" })).await["id"].as_str().unwrap().to_owned();
        for _ in 0..2 {
            assert_eq!(finance.api("DELETE", &format!("{CODES}/{over}")).send().await.status, 204);
        }
        finance.api("DELETE", &format!("{CODES}/nowhere")).send().await.assert_problem(404, "fee_code.not_found");

        let (client, id) = applied(&world).await;
        for (body, code) in [
            (json!({}), "code.required"),
            (json!({ "code": " " }), "code.required"),
            (json!({ "code": "NOT-KNOWN" }), "code.unknown"),
            (json!({ "code": "no" }), "code.unknown"),
            (json!({ "code": "MASTERS-ONLY" }), "code.unknown"),
            (json!({ "code": "IT-IS-OVER" }), "code.unknown"),
        ] {
            let refused = post(&client, "code", body.clone()).await;
            refused.assert_problem(422, code);
            assert!(refused.json()["fields"]["code"].is_string(), "{body}: {refused:?}");
        }
        assert_eq!(state(&client).await, "due");
        // Upper and lower case are the same, and so is using it again.
        for _ in 0..2 {
            let told = ok(post(&client, "code", json!({ "code": " gala-2026" })).await).await;
            assert_eq!((&told["state"], &told["waivedBy"], &told["code"], &told["owed"]), (&json!("waived"), &json!("code"), &json!("GALA-2026"), &json!(0)));
        }
        post(&client, "code", json!({ "code": "TWICE" })).await.assert_problem(409, "fee.settled");
        let book = ledger(&database, &id).await;
        assert_eq!((written(&database, &id, Kind::Waiver).await.len(), book.balance(Account::Waivers), book.balance(Account::Receivable)), (1, CENTS, 0));
        assert_eq!((mailed(&database, "fee-waived").await, open_tasks(&database).await), (1, vec!["alert".to_owned()]));
        let in_office = in_office(&finance, &id).await;
        assert_eq!((&in_office["codeId"], &in_office["acts"]), (&gala["id"], &json!([])));
        assert!(in_office["decidedBy"].as_str().unwrap().starts_with("applicant:"), "{in_office}");
        act(&finance, &id, "take-back", "").await.assert_problem(409, "fee.waiver_kept");

        // On its last day a code still works, and the day after it does not.
        advance(&world, 6 * DAY).await;
        let (last, _) = applied(&world).await;
        ok(post(&last, "code", json!({ "code": "THIS-WEEK" })).await).await;
        advance(&world, DAY).await;
        let (late, _) = applied(&world).await;
        post(&late, "code", json!({ "code": "THIS-WEEK" })).await.assert_problem(422, "code.expired");

        // Of many who use the last ones at once, no more get through than it is for.
        let mut people = Vec::new();
        for _ in 0..6 {
            people.push(applied(&world).await.0);
        }
        let answers = join_all(people.iter().map(|person| post(person, "code", json!({ "code": "TWICE" })))).await;
        let got = answers.iter().filter(|answer| answer.status == 200).count();
        assert!(got == 2 && answers.iter().filter(|answer| answer.code() == "code.spent").count() == 4, "{answers:?}");
        let finance = entered(&world, &finance.staff).await;
        let told = codes(&finance).await;
        let uses = |name: &str| told.iter().find(|(code, _)| code == name).unwrap().1;
        assert_eq!((uses("GALA-2026"), uses("THIS-WEEK"), uses("TWICE"), uses("IT-IS-OVER"), uses("MASTERS-ONLY")), (1, 1, 2, 0, 0));
        // A code that is ended keeps what it has waived.
        let id_of_gala = gala["id"].as_str().unwrap();
        assert_eq!(finance.api("DELETE", &format!("{CODES}/{id_of_gala}")).send().await.status, 204);
        assert_eq!(state(&client.log_in().await).await, "waived");
        let acts = database.texts("SELECT action FROM audit WHERE action LIKE 'fee_code.%' ORDER BY action").await;
        assert_eq!(acts, [vec!["fee_code.created"; 5], vec!["fee_code.ended"; 2]].concat());
    }

    async fn codes_are_not_guessed(database: Database) {
        let world = with_fee(&database).await;
        let finance = staff_client(&world, Role::Finance).await;
        new_code(&finance, json!({ "code": "GALA-2026" })).await;
        let (client, _) = applied(&world).await;
        for number in 0..20 {
            post(&client, "code", json!({ "code": format!("GALA-{number}") })).await.assert_problem(422, "code.unknown");
        }
        // From another address it is the same.
        let refused = post(&client.at("203.0.113.9"), "code", json!({ "code": "GALA-2026" })).await;
        assert_eq!(refused.status, 429, "{refused:?}");
        assert!(!refused.header("retry-after").is_empty(), "{refused:?}");
        let form = client.without_token().post(PAGE).form(&[("act", "code"), ("code", "GALA-2026")]).with_cookie(&client).send().await;
        assert_eq!(form.status, 429, "{form:?}");
        let (other, _) = applied(&world).await;
        ok(post(&other, "code", json!({ "code": "GALA-2026" })).await).await;
        world.clock.advance(HOUR + 1);
        ok(post(&client.log_in().await, "code", json!({ "code": "GALA-2026" })).await).await;
    }

    async fn who_cannot_pay_asks_once_and_finance_decides(database: Database) {
        let world = with_fee(&database).await;
        let finance = staff_client(&world, Role::Finance).await;
        let (client, id) = applied(&world).await;
        for (body, code) in [
            (json!({}), "statement.required"),
            (json!({ "statement": " " }), "statement.required"),
            (json!({ "statement": "x".repeat(1_001) }), "statement.too_long"),
            (json!({ "statement": 5 }), "statement.type"),
            (json!({ "statement": "x", "more": 1 }), "field.unknown"),
        ] {
            post(&client, "need", body).await.assert_problem(422, code);
        }
        act(&finance, &id, "approve", "").await.assert_problem(409, "fee.need_none");
        act(&finance, &id, "refuse", "No.").await.assert_problem(409, "fee.need_none");
        let statement = "I have lost my job, and <cannot> pay it.";
        for _ in 0..2 {
            let told = ok(post(&client, "need", json!({ "statement": statement })).await).await;
            assert_eq!((&told["state"], &told["canAskForWaiver"]), (&json!("due"), &json!(false)));
            assert_eq!(told["need"], json!({ "statement": statement, "askedAt": "2026-05-04T12:00:00Z", "refusedAt": null, "refusal": null }));
        }
        post(&client, "need", json!({ "statement": "Something else" })).await.assert_problem(409, "fee.need_asked");
        assert_eq!(open_tasks(&database).await, ["fee-waiver"]);
        let dashboard = see(&client, "/dashboard").await;
        assert!(dashboard.text.contains("we are looking at your request for a waiver"), "{}", dashboard.text);
        for (role, sees) in [(Role::Viewer, 0), (Role::Reviewer, 0), (Role::Decider, 0), (Role::Finance, 1), (Role::Owner, 1)] {
            let member = staff_client(&world, role).await;
            let work = ok(member.api("GET", "/api/admins/work?whose=team").send().await).await;
            assert_eq!(work["tasks"].as_array().unwrap().len(), sees, "{role:?}");
        }
        assert_eq!(in_office(&finance, &id).await["acts"], json!(["approve", "refuse"]));
        assert_eq!(act(&finance, &id, "approve", "").await.status, 204);
        let told = fee(&client).await;
        assert_eq!((&told["state"], &told["waivedBy"], &told["rule"]), (&json!("waived"), &json!("staff"), &json!("need")));
        assert_eq!((open_tasks(&database).await, mailed(&database, "fee-waived").await), (vec!["alert".to_owned()], 1));
        act(&finance, &id, "refuse", "No.").await.assert_problem(409, "fee.settled");

        // Refused, with a sentence to the applicant. It stays due, and is not asked for again.
        let (client, id) = applied(&world).await;
        ok(post(&client, "need", json!({ "statement": statement })).await).await;
        act(&finance, &id, "refuse", "").await.assert_problem(422, "reason.required");
        act(&finance, &id, "refuse", &"x".repeat(501)).await.assert_problem(422, "reason.too_long");
        world.clock.advance(6 * MINUTE);
        // Refusing gives nothing away, so the password is not asked for; approving does.
        act(&finance, &id, "approve", "").await.assert_problem(401, "auth.step_up");
        let sentence = "Your employer pays fees: ask them, <please>.";
        assert_eq!(act(&finance, &id, "refuse", sentence).await.status, 204);
        let told = fee(&client).await;
        assert_eq!((&told["state"], &told["need"]["refusal"]), (&json!("due"), &json!(sentence)));
        assert_eq!(told["need"]["refusedAt"], "2026-05-04T12:06:00Z");
        let mail = world.mails(50).await.into_iter().find(|mail| mail.to == client.email).unwrap();
        assert!(mail.text.contains(sentence) && mail.text.contains(PAGE) && !mail.html.contains("<please>"), "{mail:?}");
        assert_eq!((open_tasks(&database).await, mailed(&database, "fee-waiver-refused").await), (vec!["alert".to_owned()], 1));
        post(&client, "need", json!({ "statement": "Once more" })).await.assert_problem(409, "fee.need_asked");
        let shown = see(&client, PAGE).await;
        assert!(shown.text.contains("Your employer pays fees: ask them, &lt;please&gt;."), "{}", shown.text);
        let finance = entered(&world, &finance.staff).await;
        act(&finance, &id, "approve", "").await.assert_problem(409, "fee.need_none");

        // A request that a payment overtakes needs no answer.
        let (client, id) = applied(&world).await;
        ok(post(&client, "need", json!({ "statement": statement })).await).await;
        ok(book(&finance, &id, "k1", payment(LINE, CENTS)).await).await;
        assert_eq!((state(&client).await.as_str(), open_tasks(&database).await), ("paid", vec!["alert".to_owned(), "alert".to_owned()]));
        post(&client, "need", json!({ "statement": "Now" })).await.assert_problem(409, "fee.settled");
        // The setting can do without.
        set_fee(&world, json!({ "waived.need": "no" })).await;
        let (client, _) = applied(&world).await;
        assert_eq!(fee(&client).await["canAskForWaiver"], false);
        post(&client, "need", json!({ "statement": statement })).await.assert_problem(409, "fee.need_closed");
        assert!(!see(&client, PAGE).await.text.contains("name=\"statement\""));
        assert_eq!(database.count("audit WHERE detail LIKE '%lost my job%' OR detail LIKE '%employer%'").await, 0, "the record has no words of anybody");
        let acts = database.texts("SELECT action FROM audit WHERE action LIKE 'fee.need%' ORDER BY action").await;
        assert_eq!(acts, ["fee.need_asked", "fee.need_asked", "fee.need_asked", "fee.need_refused"]);
    }

    async fn finance_waives_it_with_a_reason_and_takes_that_back(database: Database) {
        let world = with_fee(&database).await;
        interviewer(&world, [48]).await;
        let (client, id) = applied(&world).await;
        let finance = staff_client(&world, Role::Finance).await;
        for (body, code) in [
            (json!({}), "act.required"),
            (json!({ "act": "forget" }), "act.unknown"),
            (json!({ "act": "waive" }), "reason.required"),
            (json!({ "act": "waive", "reason": "x".repeat(501) }), "reason.too_long"),
            (json!({ "act": "waive", "reason": "x", "cents": 5 }), "field.unknown"),
        ] {
            finance.api("POST", &path(&id, "/fee")).json(&body).send().await.assert_problem(422, code);
        }
        let keyed = async |key: &str, body: Value| {
            finance.api("POST", &path(&id, "/fee")).header("idempotency-key", key).json(&body).send().await
        };
        let waive = json!({ "act": "waive", "reason": "A graduate of ours" });
        for _ in 0..2 {
            assert_eq!(keyed("w1", waive.clone()).await.status, 204);
        }
        let told = fee(&client).await;
        assert_eq!((&told["state"], &told["waivedBy"], &told["rule"]), (&json!("waived"), &json!("staff"), &Value::Null));
        assert!(!told.to_string().contains("graduate"), "the reason is for staff: {told}");
        let in_office = in_office(&finance, &id).await;
        assert_eq!((&in_office["reason"], &in_office["decidedBy"]), (&json!("A graduate of ours"), &json!(format!("staff:{}", finance.staff.id))));
        assert_eq!(in_office["acts"], json!(["take-back"]));
        act(&finance, &id, "waive", "Once more").await.assert_problem(409, "fee.settled");
        assert_eq!(written(&database, &id, Kind::Waiver).await.len(), 1);

        // Taken back: it is due, its task is gone, and it can be waived again.
        world.clock.advance(6 * MINUTE);
        act(&finance, &id, "take-back", "").await.assert_problem(401, "auth.step_up");
        let finance = entered(&world, &finance.staff).await;
        for _ in 0..2 {
            let call = finance.api("POST", &path(&id, "/fee")).header("idempotency-key", "t1");
            let taken_back = call.json(&json!({ "act": "take-back" })).send().await;
            assert_eq!(taken_back.status, 204, "sent again, nothing more happens: {taken_back:?}");
        }
        act(&finance, &id, "take-back", "").await.assert_problem(409, "fee.waiver_kept");
        assert_eq!((state(&client).await.as_str(), open_tasks(&database).await.len(), mailed(&database, "status-update").await), ("due", 0, 1));
        choose(&client, "book", 48).await.assert_problem(409, "fee.due");
        assert_eq!(act(&finance, &id, "waive", "After all").await.status, 204);
        assert_eq!(open_tasks(&database).await, ["alert"]);
        assert_eq!(choose(&client, "book", 48).await.status, 200);
        act(&finance, &id, "take-back", "").await.assert_problem(409, "fee.waiver_kept");
        let book = ledger(&database, &id).await;
        assert_eq!((book.balance(Account::Waivers), book.balance(Account::Receivable)), (CENTS, 0));
        let acts = database.texts("SELECT action FROM audit WHERE action LIKE 'fee.%' ORDER BY action").await;
        assert_eq!(acts, ["fee.reversed", "fee.waived", "fee.waived"]);
    }

    async fn from_the_amount_on_a_second_person_waives_it(database: Database) {
        let world = with_fee(&database).await;
        let (client, id) = applied(&world).await;
        let (first, second) = (staff_client(&world, Role::Finance).await, staff_client(&world, Role::Owner).await);
        let setting = json!({ "replaces": 0, "values": { "amount": "75" } });
        ok(first.api("PATCH", "/api/admins/settings/second-person").json(&setting).send().await).await;
        ok(post(&client, "need", json!({ "statement": "I have lost my job." })).await).await;
        let waits = act(&first, &id, "approve", "").await;
        assert_eq!((waits.status, &waits.json()["state"], &waits.json()["cents"]), (202, &json!("waiting"), &json!(CENTS)), "{waits:?}");
        assert_eq!((state(&client).await.as_str(), written(&database, &id, Kind::Waiver).await.len()), ("due", 0));
        let request = waits.json()["id"].as_str().unwrap().to_owned();
        let approve = path(&id, &format!("/ledger/requests/{request}/approve"));
        first.api("POST", &approve).json(&json!({})).send().await.assert_problem(403, "approval.own");
        let answers = join_all((0..4).map(|_| second.api("POST", &approve).json(&json!({})).send())).await;
        assert!(answers.iter().any(|answer| answer.status == 200), "{answers:?}");
        let told = fee(&client).await;
        assert_eq!((&told["state"], &told["waivedBy"], &told["rule"]), (&json!("waived"), &json!("staff"), &json!("need")));
        assert_eq!((written(&database, &id, Kind::Waiver).await.len(), open_tasks(&database).await), (1, vec!["alert".to_owned()]));
        // A code is what somebody decided when it was made.
        new_code(&first, json!({ "code": "GALA-2026" })).await;
        let (client, _) = applied(&world).await;
        assert_eq!(ok(post(&client, "code", json!({ "code": "GALA-2026" })).await).await["state"], "waived");
    }

    async fn whatever_happens_at_once_it_is_settled_once(database: Database) {
        let world = with_fee(&database).await;
        let finance = staff_client(&world, Role::Finance).await;
        new_code(&finance, json!({ "code": "GALA-2026" })).await;
        for round in 0..4 {
            let (client, id) = applied(&world).await;
            let mut all: Vec<BoxFuture<'_, u16>> = Vec::new();
            for number in 0..3 {
                let (client, finance, id) = (&client, &finance, &id);
                all.push(Box::pin(async move { post(client, "code", json!({ "code": "GALA-2026" })).await.status }));
                all.push(Box::pin(async move { act(finance, id, "waive", "Granted").await.status }));
                all.push(Box::pin(async move { book(finance, id, &format!("k{number}"), payment(LINE, CENTS)).await.status }));
            }
            all.rotate_left(round);
            let statuses = join_all(all).await;
            assert!(statuses.iter().all(|status| matches!(status, 200 | 204 | 409 | 503)), "{statuses:?}");
            let told = fee(&client).await;
            let forgiven = written(&database, &id, Kind::Waiver).await.len();
            assert_eq!((told["state"] != "due", &told["owed"]), (true, &json!(0)), "{told}");
            let book = ledger(&database, &id).await;
            assert_eq!((book.balance(Account::Receivable), told["state"] == "waived"), (0, forgiven == 1), "{told} {book:?}");
            let alerts = database.count(&format!("staff_tasks WHERE kind = 'alert' AND done_at IS NULL AND subject = 'application:{id}'")).await;
            let mails = database.count(&format!("outbox WHERE template IN ('fee-paid', 'fee-waived') AND recipient = '{}'", client.email)).await;
            assert_eq!((alerts, mails), (1, 1), "{told}");
        }
    }

    async fn withdrawn_it_waits_and_undone_it_is_due_again(database: Database) {
        let (world, stripe) = shop(&database).await;
        set_fee(&world, json!({ "amount": "75" })).await;
        let (client, id) = applied(&world).await;
        page_of(&client).await;
        withdraw(&client).await;
        client.get(CALL).send().await.assert_problem(404, "application.none");
        checkout(&client).await.assert_problem(404, "application.none");
        see(&client, PAGE).await.assert_redirect(302, "/dashboard");
        let finance = staff_client(&world, Role::Finance).await;
        let kept = in_office(&finance, &id).await;
        assert_eq!((&kept["state"], &kept["canPayByCard"], &kept["canAskForWaiver"]), (&json!("due"), &json!(false), &json!(false)));
        undo_withdrawal(&client).await;
        assert_eq!((application(&client).await["stage"].as_str().unwrap(), state(&client).await.as_str()), ("submitted", "due"));
        assert_eq!(open_tasks(&database).await, [""; 0], "it is still not read");
        page_of(&client).await;

        // Without an undo nobody is reminded, and nothing is owed to anybody.
        withdraw(&client).await;
        advance(&world, 20 * DAY).await;
        assert_eq!((mailed(&database, "fee-reminder").await, open_tasks(&database).await.len()), (0, 0));
        // Somebody who pays and then withdraws gets nothing back.
        let (paid, other) = applied(&world).await;
        stripe.set_clock(world.app.clock.now()).await;
        let location = stripe.pay(&page_of(&paid).await, GOOD_CARD).await.unwrap();
        back(&paid, &location).await;
        withdraw(&paid).await;
        assert_eq!(open_tasks(&database).await, ["alert"], "staff learn of it, and nothing is refunded");
        undo_withdrawal(&paid).await;
        assert_eq!(state(&paid).await, "paid");
        assert!(open_tasks(&database).await.iter().all(|kind| kind == "alert"));
        assert_eq!((taken(&stripe).await, payments(&ledger(&database, &other).await), payments(&ledger(&database, &id).await)), (CENTS, 1, 0));
    }

    async fn the_fee_of_an_application_that_is_over_is_left_alone(database: Database) {
        let (world, stripe) = shop(&database).await;
        set_fee(&world, json!({ "amount": "75" })).await;
        let finance = staff_client(&world, Role::Finance).await;
        let (client, id) = applied(&world).await;
        ok(post(&client, "need", json!({ "statement": "I have lost my job." })).await).await;
        let page = page_of(&client).await;
        // A page on which it can be paid is closed, even if the application was taken back before.
        unsubmit(&client).await;
        withdraw(&client).await;
        assert_eq!(database.texts("SELECT state FROM card_charges").await, ["closed"]);
        assert_eq!(in_office(&finance, &id).await["acts"], json!([]));
        act(&finance, &id, "approve", "").await.assert_problem(409, "ledger.nothing_owed");
        act(&finance, &id, "refuse", "No.").await.assert_problem(409, "fee.need_none");
        assert_eq!(mailed(&database, "fee-waiver-refused").await + mailed(&database, "fee-waived").await, 0);

        // Whoever pays on it all the same gets the money back.
        stripe.pay(&page, GOOD_CARD).await.unwrap();
        world.app.reconcile_payments().await.unwrap();
        let book = ledger(&database, &id).await;
        assert_eq!((book.balance(Account::Unapplied), book.owed(Line::ApplicationFee)), (CENTS, CENTS));
        assert_eq!((open_tasks(&database).await, mailed(&database, "fee-payment-received").await), (vec!["overpaid".to_owned()], 1));
        undo_withdrawal(&client).await;
        assert_eq!(state(&client).await, "due");
        assert!(open_tasks(&database).await.contains(&"fee-waiver".to_owned()), "the request waits again");

        // A request that a check has overtaken meanwhile does not.
        let (other, of_other) = applied(&world).await;
        ok(post(&other, "need", json!({ "statement": "I have lost my job." })).await).await;
        withdraw(&other).await;
        pay_by_check(&world, &of_other).await;
        undo_withdrawal(&other).await;
        let open = format!("SELECT kind FROM staff_tasks WHERE subject = 'application:{of_other}' AND done_at IS NULL");
        assert_eq!((state(&other).await.as_str(), database.texts(&open).await), ("paid", vec!["alert".to_owned()]));
    }

    async fn a_fee_that_is_due_again_is_reminded_of_anew(database: Database) {
        let world = with_fee(&database).await;
        set(&world, "work", json!({ "days.submitted": "3" })).await;
        let (client, id) = applied(&world).await;
        let finance = staff_client(&world, Role::Finance).await;
        for (key, cents) in [("k1", 7_000), ("k2", 500)] {
            ok(book(&finance, &id, key, payment(LINE, cents)).await).await;
        }
        advance(&world, 20 * DAY).await;
        assert!(open_tasks(&database).await.contains(&"slow".to_owned()));
        let finance = entered(&world, &finance.staff).await;
        let bounced = written(&database, &id, Kind::Payment).await.pop().unwrap();
        let reverse = json!({ "action": "reverse", "transaction": bounced, "reason": "It bounced" });
        ok(book(&finance, &id, "v1", reverse).await).await;
        assert_eq!(open_tasks(&database).await, [""; 0], "nobody reads on");
        advance(&world, 3 * DAY + HOUR).await;
        assert_eq!(mailed(&database, "fee-reminder").await, 1);
        let reminder = format!("SELECT body_text FROM outbox WHERE template = 'fee-reminder' AND recipient = '{}'", client.email);
        let reminder = database.texts(&reminder).await.remove(0);
        assert!(reminder.contains("$5") && !reminder.contains("$75"), "what is still owed: {reminder}");
    }

    async fn who_does_not_pay_is_reminded_twice(database: Database) {
        let world = with_fee(&database).await;
        let (client, _) = applied(&world).await;
        let (asks, of_asks) = applied(&world).await;
        ok(post(&asks, "need", json!({ "statement": "I have lost my job." })).await).await;
        let (_, settled) = applied(&world).await;
        pay_by_check(&world, &settled).await;
        let (quiet, _) = applied(&world).await;
        let silent = quiet.call("PATCH", "/api/users/profile").json(&json!({ "reminders": false })).send().await;
        assert_eq!(silent.status, 200, "{silent:?}");
        let reminded = async |client: &Client| {
            database.count(&format!("outbox WHERE template = 'fee-reminder' AND recipient = '{}'", client.email)).await
        };
        advance(&world, 3 * DAY - HOUR).await;
        assert_eq!(mailed(&database, "fee-reminder").await, 0);
        advance(&world, 2 * HOUR).await;
        assert_eq!((reminded(&client).await, mailed(&database, "fee-reminder").await), (1, 1));
        let mail = world.mails(50).await.into_iter().find(|mail| mail.to == client.email).unwrap();
        assert!(mail.text.contains("$75") && mail.text.contains(PAGE), "{}", mail.text);
        // Once their request is refused they are reminded like everybody else.
        let finance = staff_client(&world, Role::Finance).await;
        assert_eq!(act(&finance, &of_asks, "refuse", "Sorry.").await.status, 204);
        advance(&world, 7 * DAY).await;
        assert_eq!((reminded(&client).await, reminded(&asks).await, reminded(&quiet).await), (2, 1, 0));
        advance(&world, 60 * DAY).await;
        assert_eq!(mailed(&database, "fee-reminder").await, 3);

        // Other days are set, for those who submit from then on; taking it back and submitting again reminds nobody twice.
        set_fee(&world, json!({ "reminder.1": "1", "reminder.2": "2" })).await;
        let (again, _) = applied(&world).await;
        unsubmit(&again).await;
        submit(&again).await;
        advance(&world, DAY + HOUR).await;
        assert_eq!(reminded(&again).await, 1);
        advance(&world, DAY).await;
        assert_eq!(reminded(&again).await, 2);
        // A draft that was taken back is no application to be reminded of.
        let (draft, _) = applied(&world).await;
        unsubmit(&draft).await;
        advance(&world, 5 * DAY).await;
        assert_eq!(reminded(&draft).await, 0);
    }

    async fn programs_are_told_when_it_is_settled(database: Database) {
        let world = with_fee(&database).await;
        let receiver = Receiver::start().await;
        webhooks::added(&world, &receiver.url, &["application.submitted", "fee.settled"]).await;
        let (paid, id) = applied(&world).await;
        webhooks::deliver(&world).await;
        assert_eq!(receiver.taken(), ["application.submitted"]);
        pay_by_check(&world, &id).await;
        let (_, other) = applied(&world).await;
        let finance = staff_client(&world, Role::Finance).await;
        assert_eq!(act(&finance, &other, "waive", "Granted").await.status, 204);
        webhooks::deliver(&world).await;
        let events: Vec<Value> = receiver.take().iter().map(|it| it.event()).filter(|event| event["type"] == "fee.settled").collect();
        assert_eq!(events.len(), 2, "{events:?}");
        let told = |id: &str| events.iter().find(|event| event["data"]["applicationId"] == id).unwrap()["data"].clone();
        assert_eq!((&told(&id)["state"], &told(&id)["cents"]), (&json!("paid"), &json!(CENTS)));
        assert_eq!(told(&other)["state"], "waived");
        assert_eq!(told(&id)["reference"], application(&paid).await["reference"]);
        assert!(events.iter().all(|event| !event.to_string().contains("Demo") && !event.to_string().contains("Granted")), "{events:?}");
    }

    async fn each_role_does_what_it_may(database: Database) {
        let world = with_fee(&database).await;
        for role in Role::ALL {
            let (client, id) = applied(&world).await;
            ok(post(&client, "need", json!({ "statement": "I have lost my job." })).await).await;
            let member = staff_client(&world, role).await;
            let (sees, manages) = (matches!(role, Role::Decider | Role::Finance | Role::Owner), matches!(role, Role::Finance | Role::Owner));
            let read = member.api("GET", &path(&id, "/fee")).send().await;
            let list = member.api("GET", CODES).send().await;
            let page = member.see(CODES_PAGE).send().await;
            let expected = if sees { 200 } else { 403 };
            assert_eq!((read.status, list.status, page.status), (expected, expected, expected), "{role:?}");
            if sees {
                let acts = if manages { json!(["approve", "refuse"]) } else { json!([]) };
                assert_eq!(read.json()["acts"], acts, "{role:?}");
                // Only those who decide about it read it.
                assert_eq!(read.json()["need"]["statement"] == "I have lost my job.", manages, "{role:?}");
                let panel = member.see(&format!("/admin-panel/applications/{id}/funding")).send().await;
                assert_eq!(panel.text.contains("I have lost my job."), manages, "{role:?}");
            }
            let made = member.api("POST", CODES).json(&json!({ "code": format!("OF-{}", role.as_str()) })).send().await;
            let waived = act(&member, &id, "waive", "Granted").await;
            if manages {
                assert_eq!((made.status, waived.status), (201, 204), "{role:?}");
            } else {
                for refused in [&made, &waived, &act(&member, &id, "refuse", "No.").await, &member.api("DELETE", &format!("{CODES}/1")).send().await] {
                    refused.assert_problem(403, "role.forbidden");
                }
                assert_eq!(member.send(CODES_PAGE, &[("_action", "create"), ("code", "OTHER")]).send().await.status, 403, "{role:?}");
                assert_eq!(state(&client).await, "due", "{role:?}");
            }
            // An applicant's token opens nothing of it.
            client.get(CODES).send().await.assert_problem(401, "token.audience");
        }
        world.visitor().get(CALL).send().await.assert_problem(401, "auth.required");
        for what in ["code", "need", "checkout"] {
            world.visitor().post(&format!("{CALL}/{what}")).json(&json!({})).send().await.assert_problem(401, "auth.required");
        }
        assert_eq!(database.count("fee_codes").await, 2);
    }

    async fn what_was_written_goes_with_the_records_and_the_amounts_stay(database: Database) {
        let world = with_fee(&database).await;
        let finance = staff_client(&world, Role::Finance).await;
        let (client, id) = applied(&world).await;
        ok(post(&client, "need", json!({ "statement": "I have lost my job." })).await).await;
        assert_eq!(act(&finance, &id, "refuse", "Ask your employer.").await.status, 204);
        assert_eq!(act(&finance, &id, "waive", "They wrote to us").await.status, 204);
        let data = client.post("/api/users/personal-data").json(&json!({ "currentPassword": PASSWORD })).raw_answer().await;
        let mut archive = zip::ZipArchive::new(Cursor::new(data.bytes().await.unwrap())).unwrap();
        let mut text = String::new();
        archive.by_name("data.json").unwrap().read_to_string(&mut text).unwrap();
        for told in ["I have lost my job.", "Ask your employer.", LINE, "7500"] {
            assert!(text.contains(told), "{told}: {text}");
        }
        assert!(!text.contains("They wrote to us"), "what staff wrote for themselves is not in it: {text}");

        let close = json!({ "currentPassword": PASSWORD, "confirm": true });
        assert_eq!(client.post("/api/users/close-account").json(&close).send().await.status, 204);
        let applicant = database.texts(&format!("SELECT applicant_id FROM applications WHERE id = '{id}'")).await.remove(0);
        world.store.erase_records(&applicant, &entry()).await.unwrap();
        let left = database.texts("SELECT state || ' ' || cents || COALESCE(reason, '') || COALESCE(need_statement, '') || COALESCE(need_refusal, '') FROM application_fees").await;
        assert_eq!(left, ["waived 7500"]);
        assert_eq!(database.count("ledger_transactions WHERE note LIKE '%wrote to us%'").await, 0);
        let book = ledger(&database, &id).await;
        assert_eq!((book.balance(Account::Waivers), book.balance(Account::Receivable)), (CENTS, 0));

        // An account that is closed while a request waits leaves nothing to decide.
        let (client, _) = applied(&world).await;
        ok(post(&client, "need", json!({ "statement": "I have lost my job." })).await).await;
        let applicant = world.store.applicant_by_email(&client.email).await.unwrap().unwrap();
        assert_eq!(client.post("/api/users/close-account").json(&close).send().await.status, 204);
        world.store.erase_records(&applicant.id, &entry()).await.unwrap();
        assert_eq!(database.count("staff_tasks WHERE kind = 'fee-waiver' AND done_at IS NULL").await, 0);
        advance(&world, 20 * DAY).await;
        assert_eq!(mailed(&database, "fee-reminder").await, 0);
    }

    async fn an_applicants_page_says_what_is_to_be_done_without_javascript(database: Database) {
        let world = World::start(database.db()).await;
        set_fee(&world, json!({ "amount": "75", "waived.dod": "yes" })).await;
        let finance = staff_client(&world, Role::Finance).await;
        new_code(&finance, json!({ "code": "GALA-2026" })).await;
        let stranger = see(&world.visitor(), PAGE).await;
        assert!(stranger.status == 302 && stranger.location().starts_with("/bachelor/apply?dialog=login"), "{stranger:?}");
        let (client, id) = applied(&world).await;
        let shown = see(&client, PAGE).await;
        shown.assert_document(200, "fee");
        for text in ["$75", "August 2026", "name=\"code\"", "name=\"statement\""] {
            assert!(shown.text.replace('\u{a0}', " ").contains(text), "{text}: {}", shown.text);
        }
        let send = |fields: Vec<(&'static str, &'static str)>| {
            let client = client.clone();
            async move { client.without_token().post(PAGE).form(&fields).with_cookie(&client).send().await }
        };
        // What is wrong is said beside its field, and what was typed stays.
        let wrong = send(vec![("act", "code"), ("code", "gala-2025")]).await;
        let page = wrong.assert_document(422, "fee");
        assert!(page["props"]["form"]["errors"]["code"].is_string() && page["props"]["form"]["values"]["code"] == "gala-2025", "{page}");
        let empty = send(vec![("act", "need"), ("statement", " ")]).await.assert_document(422, "fee");
        assert!(empty["props"]["form"]["errors"]["statement"].is_string(), "{empty}");
        assert_eq!(send(vec![("act", "bribe")]).await.status, 400);
        let asked = send(vec![("act", "need"), ("statement", "I have lost my job.")]).await;
        assert_eq!((asked.status, asked.location().split('?').next().unwrap()), (303, PAGE), "{asked:?}");
        let shown = see(&client, asked.location()).await;
        assert!(shown.text.contains("I have lost my job.") && !shown.text.contains("name=\"statement\""), "{}", shown.text);

        let used = send(vec![("act", "code"), ("code", "gala-2026")]).await;
        assert_eq!((used.status, used.location().split('?').next().unwrap()), (303, PAGE), "{used:?}");
        let shown = see(&client, used.location()).await;
        assert!(shown.text.contains("because you have used a code") && !shown.text.contains("name=\"code\""), "{}", shown.text);
        // What comes too late changes nothing, and the page says how it is.
        send(vec![("act", "need"), ("statement", "Now")]).await.assert_redirect(303, PAGE);
        assert!(see(&client, "/dashboard").await.text.contains("Application fee"));
        // In Spanish nothing of it is English.
        let (spanish, _) = applied(&world).await;
        let cookie = format!("matricula_session={}; language=es", spanish.cookie.as_deref().unwrap());
        let shown = spanish.without_token().get(PAGE).header("cookie", &cookie).send().await;
        assert!(shown.text.contains("$75") && !shown.text.contains("Application fee") && !shown.text.contains("Use a code"), "{}", shown.text);
        // Somebody of the other program has another page, and nobody sees that of another person.
        let other = world.register_for(Some(Program::Masters)).await;
        let elsewhere = see(&other, PAGE).await;
        assert!(elsewhere.status == 302 && elsewhere.location() != PAGE, "{elsewhere:?}");
        let (dod, _) = applied_as(&world, &["isDoDEmployee"]).await;
        assert!(see(&dod, PAGE).await.text.contains("because you work for the Department of Defense"));
        assert_eq!(fee(&client).await["state"], "waived");
        assert_eq!(database.count(&format!("staff_tasks WHERE subject = 'application:{id}' AND done_at IS NULL")).await, 1);
    }

    async fn the_office_uses_its_forms_without_javascript(database: Database) {
        let world = with_fee(&database).await;
        let finance = staff_client(&world, Role::Finance).await;
        let menu = finance.see("/admin-panel/finance").send().await;
        assert!(menu.text.contains(&format!("href=\"{CODES_PAGE}\"")), "{}", menu.text);
        finance.see(CODES_PAGE).send().await.assert_document(200, "adminFeeCodes");
        let fields = [("_action", "create"), ("code", "gala 2026"), ("note", "For <guests>"), ("applicationType", ""), ("mostUses", "many"), ("expiresOn", "")];
        let wrong = finance.send(CODES_PAGE, &fields).send().await.assert_document(422, "adminFeeCodes");
        let form = &wrong["props"]["form"];
        assert!(form["errors"]["code"].is_string() && form["errors"]["mostUses"].is_string() && form["values"]["note"] == "For <guests>", "{form}");
        let mut fields = fields;
        (fields[1].1, fields[4].1) = ("gala-2026", "20");
        let made = finance.send(CODES_PAGE, &fields).send().await;
        assert_eq!((made.status, made.location().split('?').next().unwrap()), (303, CODES_PAGE), "{made:?}");
        let shown = finance.see(made.location()).send().await;
        assert!(shown.text.contains("GALA-2026") && shown.text.contains("For &lt;guests&gt;"), "{}", shown.text);
        let code = database.texts("SELECT id FROM fee_codes").await.remove(0);
        for _ in 0..2 {
            let ended = finance.send(CODES_PAGE, &[("_action", "end"), ("id", &code)]).send().await;
            assert_eq!(ended.status, 303, "{ended:?}");
        }
        assert_eq!(finance.send(CODES_PAGE, &[("_action", "end"), ("id", "nowhere")]).send().await.status, 404);
        assert_eq!(database.count("fee_codes WHERE ended_at IS NOT NULL").await, 1);

        // The panel of the application.
        let (client, id) = applied(&world).await;
        ok(post(&client, "need", json!({ "statement": "I have lost <my> job." })).await).await;
        let tab = format!("/admin-panel/applications/{id}/funding");
        let shown = finance.see(&tab).send().await;
        for text in ["Application fee", "$75", "I have lost &lt;my&gt; job."] {
            assert!(shown.text.contains(text), "{text}: {}", shown.text);
        }
        let panel = format!("/admin-panel/applications/{id}/fee");
        let send = async |fields: &[(&str, &str)]| finance.send(&panel, fields).send().await;
        let bare = send(&[("_action", "refuse"), ("reason", " ")]).await.assert_document(422, "adminFunding");
        assert!(bare["props"]["form"]["errors"]["reason"].is_string() && bare["props"]["fee"]["task"]["act"] == "refuse", "{bare}");
        assert_eq!(send(&[("_action", "forget")]).await.status, 400);
        let acts = [("approve", "", "waived"), ("take-back", "", "due"), ("refuse", "Ask your employer.", "due"), ("waive", "They wrote to us", "waived"), ("take-back", "", "due")];
        for (number, (action, reason, after)) in acts.into_iter().enumerate() {
            let done = send(&[("_action", action), ("reason", reason), ("key", &format!("f{number}"))]).await;
            assert_eq!((done.status, done.location().split('?').next().unwrap()), (303, tab.as_str()), "{action}: {done:?}");
            assert_eq!(state(&client).await, after, "{action}");
            let shown = finance.see(done.location()).send().await;
            assert!(shown.status == 200 && shown.text.contains("Application fee"), "{action}: {shown:?}");
        }
        let fields = [("_action", "pay"), ("line", LINE), ("amount", "75"), ("method", "transfer"), ("note", "Wire 12"), ("key", "k1")];
        for _ in 0..2 {
            let noted = finance.send(&tab, &fields).send().await;
            assert_eq!(noted.status, 303, "{noted:?}");
        }
        assert_eq!((state(&client).await.as_str(), payments(&ledger(&database, &id).await)), ("paid", 1));
        let shown = finance.see(&tab).send().await;
        assert!(shown.text.contains("Wire 12") && shown.text.contains("receipt.pdf?payment="), "{}", shown.text);
        let timeline = finance.see(&format!("/admin-panel/applications/{id}/timeline")).send().await;
        assert!(!timeline.text.contains("fee.paid") && !timeline.text.contains("fee.need_asked"), "acts are told in words: {}", timeline.text);
    }
}
