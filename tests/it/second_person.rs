//! Approval by a second person: refunds, waivers, write-offs and reversals from an amount set by Finance.

use futures::future::join_all;
use matricula::domain::ledger::{Account, Kind, Line};
use matricula::domain::moments::{DAY, HOUR, MINUTE};
use matricula::domain::role::Role;
use serde_json::{Value, json};

use crate::contracts::ok;
use crate::decisions::advance;
use crate::money::{book, path, payment, placed, shared_plan};
use crate::office::{StaffClient, staff_client};
use crate::store_account::closing;
use crate::support::databases::{Database, story};
use crate::support::rows::entry;
use crate::support::server::{Answer, PASSWORD, World};

const SETTING: &str = "/api/admins/settings/second-person";

/// An applicant who has paid $1,000 of a plan of five payments, and the member of Finance who recorded it.
async fn paid(world: &World) -> (String, StaffClient) {
    let (client, id) = placed(world).await;
    ok(client.post("/api/users/funding").json(&shared_plan(0)).send().await).await;
    let finance = staff_client(world, Role::Finance).await;
    ok(book(&finance, &id, "paid", payment("instalment-1", 100_000)).await).await;
    (id, finance)
}

/// Sets the amount from which a second person is required.
async fn ask_from(member: &StaffClient, seen: i64, dollars: &str) {
    let body = json!({ "replaces": seen, "values": { "amount": dollars } });
    ok(member.api("PATCH", SETTING).json(&body).send().await).await;
}

fn waive(line: &str) -> Value {
    json!({ "action": "waive", "line": line, "reason": "Granted" })
}

async fn settle(member: &StaffClient, id: &str, request: &str, how: &str) -> Answer {
    let call = member.api("POST", &path(id, &format!("/ledger/requests/{request}/{how}")));
    let body = if how == "decline" { json!({ "reason": "Not agreed" }) } else { json!({}) };
    call.json(&body).send().await
}

/// The id of the pending request.
fn waits(answer: &Answer) -> String {
    assert_eq!((answer.status, &answer.json()["state"]), (202, &json!("waiting")), "{answer:?}");
    answer.json()["id"].as_str().unwrap().to_owned()
}

async fn transactions(database: &Database, id: &str, kind: Kind) -> usize {
    let posted = database.db().ledger(id).await.unwrap().posted;
    posted.iter().filter(|posted| posted.transaction.draft.kind == kind).count()
}

async fn payment_id(database: &Database) -> String {
    database
        .texts("SELECT id FROM ledger_transactions WHERE kind = 'payment' ORDER BY position LIMIT 1")
        .await
        .remove(0)
}

fn refund(payment: &str, cents: i64) -> Value {
    json!({ "action": "refund", "transaction": payment, "cents": cents, "reason": "Paid twice" })
}

async fn open_tasks(database: &Database) -> i64 {
    database.count("staff_tasks WHERE kind = 'approval' AND done_at IS NULL").await
}

fn tab(id: &str) -> String {
    format!("/admin-panel/applications/{id}/funding")
}

story! {
    async fn from_the_amount_on_it_waits_and_another_person_books_it_once(database: Database) {
        let world = World::start(database.db()).await;
        let (id, finance) = paid(&world).await;
        // Nobody is asked before an amount is set, and then only from that amount on.
        ok(book(&finance, &id, "w0", waive("instalment-5")).await).await;
        ask_from(&finance, 0, "300").await;
        let below = payment_id(&database).await;
        ok(book(&finance, &id, "r0", refund(&below, 29_999)).await).await;
        let asked = book(&finance, &id, "w1", waive("instalment-2")).await;
        let request = waits(&asked);
        let told = asked.json();
        assert_eq!((&told["kind"], &told["cents"], &told["line"]), (&json!("waiver"), &json!(30_000), &json!("instalment-2")));
        assert_eq!((&told["askedBy"], &told["reason"]), (&json!(finance.staff.id), &json!("Granted")));
        // Sent again, it is the same request; a different one under its key is refused.
        assert_eq!(waits(&book(&finance, &id, "w1", waive("instalment-2")).await), request);
        book(&finance, &id, "w1", waive("instalment-3")).await.assert_problem(422, "idempotency_key.reused");
        assert_eq!((transactions(&database, &id, Kind::Waiver).await, open_tasks(&database).await), (1, 1));

        // Neither the requester nor somebody who may not book can decide it.
        settle(&finance, &id, &request, "approve").await.assert_problem(403, "approval.own");
        settle(&finance, &id, &request, "decline").await.assert_problem(403, "approval.own");
        let decider = staff_client(&world, Role::Decider).await;
        settle(&decider, &id, &request, "approve").await.assert_problem(403, "role.forbidden");
        assert_eq!(ok(decider.api("GET", &path(&id, "/ledger/requests")).send().await).await["requests"][0]["id"], json!(request));
        let second = staff_client(&world, Role::Owner).await;
        settle(&second, &id, "nothing", "approve").await.assert_problem(404, "approval.not_found");
        settle(&second, &id, &request, "withdraw").await.assert_problem(403, "approval.others");
        world.clock.advance(6 * MINUTE);
        settle(&second, &id, &request, "approve").await.assert_problem(401, "auth.step_up");
        let again = json!({ "password": PASSWORD });
        assert_eq!(second.api("POST", "/api/admins/step-up").json(&again).send().await.status, 204);
        for _ in 0..2 {
            let done = ok(settle(&second, &id, &request, "approve").await).await;
            let last = &done["requests"][0];
            assert_eq!((&last["state"], &last["settledBy"]), (&json!("approved"), &json!(second.staff.id)));
        }
        assert_eq!((transactions(&database, &id, Kind::Waiver).await, open_tasks(&database).await), (2, 0));
        settle(&second, &id, &request, "decline").await.assert_problem(409, "approval.settled");
        settle(&finance, &id, &request, "withdraw").await.assert_problem(409, "approval.settled");
        // It is booked in the requester's name, and the record has both.
        let actors = database.texts("SELECT action || ' ' || actor FROM audit WHERE action LIKE 'ledger.a%' ORDER BY happened_at, action").await;
        let by = |action: &str, member: &StaffClient| format!("{action} staff:{}", member.staff.id);
        assert_eq!(actors, [by("ledger.approval_asked", &finance), by("ledger.approved", &second)]);
        let posted = database.db().ledger(&id).await.unwrap().posted;
        assert_eq!(posted.last().unwrap().by, format!("staff:{}", finance.staff.id));
        assert_eq!(database.count("audit WHERE detail LIKE '%Granted%'").await, 0, "the record has no words of anybody");
    }

    async fn whoever_decides_at_the_same_moment_it_is_booked_once_or_not_at_all(database: Database) {
        let world = World::start(database.db()).await;
        let (id, finance) = paid(&world).await;
        ask_from(&finance, 0, "100").await;
        let mut others = Vec::new();
        for role in [Role::Finance, Role::Owner, Role::Owner] {
            others.push(staff_client(&world, role).await);
        }
        for (round, line) in ["instalment-2", "instalment-3", "instalment-4"].into_iter().enumerate() {
            let request = waits(&book(&finance, &id, &format!("w{round}"), waive(line)).await);
            let mut all = Vec::new();
            for other in &others {
                all.push((other.clone(), "approve"));
                all.push((other.clone(), "approve"));
            }
            if round > 0 {
                all.push((others[0].clone(), "decline"));
                all.push((finance.clone(), "withdraw"));
            }
            if round > 1 {
                all.rotate_right(2);
            }
            let answers = join_all(all.iter().map(|(who, how)| settle(who, &id, &request, how))).await;
            for answer in &answers {
                assert!(matches!(answer.status, 200 | 409), "{answer:?}");
            }
            let requests = database.db().booking_requests(&id).await.unwrap();
            let request = requests.iter().find(|it| it.id == request).unwrap();
            let posted = database.db().ledger(&id).await.unwrap().posted;
            let booked = posted.iter().filter(|it| it.transaction.draft.cause == request.cause()).count();
            assert_eq!(booked, usize::from(request.state.as_str() == "approved"), "{answers:?}");
            assert_ne!(request.state.as_str(), "waiting");
            let ends = database.count(&format!("audit WHERE detail LIKE '%{}%' AND action <> 'ledger.approval_asked'", request.id)).await;
            assert_eq!((ends, open_tasks(&database).await), (1, 0));
        }
    }

    async fn what_is_declined_or_taken_back_is_not_booked(database: Database) {
        let world = World::start(database.db()).await;
        let (id, finance) = paid(&world).await;
        ask_from(&finance, 0, "1").await;
        let second = staff_client(&world, Role::Finance).await;
        let declined = waits(&book(&finance, &id, "w1", waive("instalment-2")).await);
        let own = waits(&book(&finance, &id, "w2", waive("instalment-3")).await);
        let bare = second.api("POST", &path(&id, &format!("/ledger/requests/{declined}/decline"))).json(&json!({ "reason": " " }));
        bare.send().await.assert_problem(422, "reason.required");
        for _ in 0..2 {
            ok(settle(&second, &id, &declined, "decline").await).await;
        }
        assert_eq!(open_tasks(&database).await, 1, "one still waits");
        for _ in 0..2 {
            ok(settle(&finance, &id, &own, "withdraw").await).await;
        }
        let told = ok(finance.api("GET", &path(&id, "/ledger/requests")).send().await).await;
        let seen = |n: usize| (told["requests"][n]["state"].clone(), told["requests"][n]["declineReason"].clone());
        assert_eq!((seen(0), seen(1)), ((json!("declined"), json!("Not agreed")), (json!("withdrawn"), Value::Null)));
        settle(&second, &id, &declined, "approve").await.assert_problem(409, "approval.settled");
        settle(&second, &id, &own, "approve").await.assert_problem(409, "approval.settled");
        book(&finance, &id, "w1", waive("instalment-2")).await.assert_problem(409, "approval.settled");
        assert_eq!((transactions(&database, &id, Kind::Waiver).await, open_tasks(&database).await), (0, 0));
    }

    async fn what_no_longer_fits_is_refused_and_waits_on(database: Database) {
        let world = World::start(database.db()).await;
        let (id, finance) = paid(&world).await;
        ask_from(&finance, 0, "200").await;
        let second = staff_client(&world, Role::Finance).await;
        let paid = payment_id(&database).await;
        book(&finance, &id, "much", refund(&paid, 100_001)).await.assert_problem(422, "ledger.too_much");
        let back = waits(&book(&finance, &id, "r1", refund(&paid, 100_000)).await);
        let waived = waits(&book(&finance, &id, "w1", waive("instalment-2")).await);
        let reversed = waits(&book(&finance, &id, "v1", json!({ "action": "reverse", "transaction": paid, "reason": "x" })).await);
        // Another member gives part of it back, and part of what is to be waived is paid.
        ok(book(&second, &id, "r2", refund(&paid, 1_000)).await).await;
        ok(book(&second, &id, "p2", payment("instalment-2", 5_000)).await).await;
        settle(&second, &id, &back, "approve").await.assert_problem(422, "ledger.too_much");
        settle(&second, &id, &waived, "approve").await.assert_problem(409, "approval.outdated");
        settle(&second, &id, &reversed, "approve").await.assert_problem(409, "ledger.negative");
        assert_eq!(database.count("booking_requests WHERE state = 'waiting'").await, 3);
        let form = [("_action", "approve"), ("about", waived.as_str())];
        let page = second.send(&tab(&id), &form).send().await;
        assert_eq!(page.status, 409);
        assert!(page.text.contains("It would be another amount by now."), "{}", page.text);
        for request in [&back, &waived, &reversed] {
            ok(settle(&second, &id, request, "decline").await).await;
        }
        let book = database.db().ledger(&id).await.unwrap().book();
        assert_eq!((book.balance(Account::Refunds), book.owed(Line::Instalment(2))), (1_000, 25_000));
    }

    async fn small_amounts_that_come_to_it_together_wait_too(database: Database) {
        let world = World::start(database.db()).await;
        let (id, finance) = paid(&world).await;
        ask_from(&finance, 0, "500").await;
        let second = staff_client(&world, Role::Finance).await;
        let paid = payment_id(&database).await;
        ok(book(&finance, &id, "r1", refund(&paid, 30_000)).await).await;
        // Sent again, it is the entry already booked, and counts once.
        ok(book(&finance, &id, "r1", refund(&paid, 30_000)).await).await;
        let request = waits(&book(&finance, &id, "r2", refund(&paid, 20_000)).await);
        // Pending requests count, even after the day; those of another kind or person do not.
        let more = waits(&book(&finance, &id, "r3", refund(&paid, 1)).await);
        ok(book(&finance, &id, "w1", waive("instalment-2")).await).await;
        ok(book(&second, &id, "r4", refund(&paid, 1_000)).await).await;
        ok(settle(&finance, &id, &more, "withdraw").await).await;
        advance(&world, DAY + HOUR).await;
        let (finance, second) = (crate::office::entered(&world, &finance.staff).await, crate::office::entered(&world, &second.staff).await);
        ok(book(&finance, &id, "r5", refund(&paid, 1)).await).await;
        let later = waits(&book(&finance, &id, "r6", refund(&paid, 29_999)).await);
        // An entry approved by a second person does not count towards anybody's limit.
        for request in [&request, &later] {
            ok(settle(&second, &id, request, "approve").await).await;
        }
        ok(book(&finance, &id, "r7", refund(&paid, 1)).await).await;

        // Many at once do not exceed what one person may book.
        let writers = (0..8).map(|n| {
            let (second, id, paid) = (second.clone(), id.clone(), paid.clone());
            async move { book(&second, &id, &format!("at-once-{n}"), refund(&paid, 10)).await.status }
        });
        ask_from(&second, 1, "1").await;
        join_all(writers).await;
        let alone = database.count(&format!(
            "ledger_transactions t JOIN ledger_entries e ON e.transaction_id = t.id WHERE t.kind = 'refund' AND e.cents = 10 \
             AND t.recorded_by = 'staff:{}'", second.staff.id
        )).await;
        assert!(alone <= 9, "{alone}");
        assert_eq!(database.db().ledger_faults().await.unwrap(), []);
    }

    async fn an_amount_that_is_lifted_holds_for_another_day(database: Database) {
        let world = World::start(database.db()).await;
        let (id, finance) = paid(&world).await;
        let decider = staff_client(&world, Role::Decider).await;
        let body = json!({ "replaces": 0, "values": { "amount": "300" } });
        decider.api("PATCH", SETTING).json(&body).send().await.assert_problem(403, "role.forbidden");
        let odd = json!({ "replaces": 0, "values": { "amount": "a lot" } });
        finance.api("PATCH", SETTING).json(&odd).send().await.assert_problem(422, "amount.range");
        // Finance can set it, and no other setting.
        let list = finance.see("/admin-panel/settings").send().await.assert_document(200, "adminSettings");
        let groups = list["props"]["groups"].as_array().unwrap();
        let rows = groups.iter().flat_map(|group| group["rows"].as_array().unwrap());
        assert_eq!(rows.map(|row| &row["title"]).collect::<Vec<_>>(), ["Second person", "Fee codes"]);
        assert_eq!(finance.see("/admin-panel/settings/refunds").send().await.status, 403);
        ask_from(&finance, 0, "300").await;
        ask_from(&finance, 1, "").await;
        waits(&book(&finance, &id, "w1", waive("instalment-2")).await);
        advance(&world, DAY).await;
        let finance = crate::office::entered(&world, &finance.staff).await;
        ok(book(&finance, &id, "w2", waive("instalment-3")).await).await;
    }

    async fn the_pages_work_without_javascript(database: Database) {
        let world = World::start(database.db()).await;
        let (id, finance) = paid(&world).await;
        let finance_name = finance.staff.name.clone();
        let form = finance.see(&format!("{}?do=waive", tab(&id))).send().await;
        assert!(!form.text.contains("somebody else of Finance"), "{}", form.text);
        ask_from(&finance, 0, "300").await;
        let form = finance.see(&format!("{}?do=waive", tab(&id))).send().await;
        assert!(form.text.contains("From $300 on it waits until somebody else of Finance has approved it"), "{}", form.text);
        // There is no other member of Finance yet, and the form says so.
        database.run(&format!("UPDATE staff SET suspended_at = 1 WHERE id <> '{}'", finance.staff.id)).await.unwrap();
        let form = finance.see(&format!("{}?do=waive", tab(&id))).send().await;
        assert!(form.text.contains("Nobody else can approve it now"), "{}", form.text);
        let second = staff_client(&world, Role::Finance).await;
        let form = finance.see(&format!("{}?do=waive", tab(&id))).send().await;
        assert!(!form.text.contains("Nobody else can approve it now"), "{}", form.text);

        let fields = [("_action", "waive"), ("line", "instalment-2"), ("reason", "Granted by the board"), ("key", "f1")];
        for _ in 0..2 {
            let sent = finance.send(&tab(&id), &fields).send().await;
            sent.assert_redirect(303, &format!("{}?done=waits", tab(&id)));
        }
        let own = finance.see(&format!("{}?done=waits", tab(&id))).send().await;
        for text in ["It waits for a second person. Nothing is booked", "Waiver: Payment 2, $300", "Granted by the board", "Take it back"] {
            assert!(own.text.contains(text), "{text}: {}", own.text);
        }
        assert!(!own.text.contains("value=\"approve\""), "{}", own.text);
        let props = second.see(&tab(&id)).send().await.assert_document(200, "adminFunding")["props"].clone();
        let waiting = &props["waiting"][0];
        assert!(waiting["askedText"].as_str().unwrap().starts_with(&finance_name), "{waiting}");
        assert_eq!((&waiting["mayApprove"], &waiting["mayTakeBack"]), (&json!(true), &json!(false)));
        let about = waiting["id"].as_str().unwrap().to_owned();
        let list = second.see("/admin-panel/finance?list=approvals").send().await.assert_document(200, "adminFinance");
        let row = &list["props"]["rows"][0];
        assert_eq!((&row["what"], &row["amountText"], &row["note"]), (&json!("Waiver: Payment 2"), &json!("$300"), &json!("Granted by the board")));
        assert_eq!(list["props"]["tabs"][4]["label"], "To approve (1)");
        let counts = ok(second.api("GET", "/api/admins/finance?list=approvals").send().await).await;
        assert_eq!((&counts["counts"]["approvals"], &counts["items"][0]["kind"]), (&json!(1), &json!("booking-request")));

        // The requester cannot, whatever form they send.
        let approve = [("_action", "approve"), ("about", about.as_str())];
        let refused = finance.send(&tab(&id), &approve).send().await;
        assert_eq!(refused.status, 403, "{refused:?}");
        assert!(refused.text.contains("You have asked for this, so somebody else has to approve or decline it."), "{}", refused.text);
        let href = waiting["declineHref"].as_str().unwrap();
        let open = second.see(href.split('#').next().unwrap()).send().await;
        assert!(open.text.contains("Decline: Waiver: Payment 2, $300"), "{}", open.text);
        let bare = second.send(&tab(&id), &[("_action", "decline"), ("about", &about), ("reason", "")]).send().await;
        let bare = bare.assert_document(422, "adminFunding");
        assert!(bare["props"]["form"]["errors"]["reason"].is_string() && bare["props"]["task"]["action"] == "decline", "{bare}");

        world.clock.advance(6 * MINUTE);
        second.send(&tab(&id), &approve).send().await.assert_document(401, "adminStepUp");
        let again = json!({ "password": PASSWORD });
        assert_eq!(second.api("POST", "/api/admins/step-up").json(&again).send().await.status, 204);
        second.send(&tab(&id), &approve).send().await.assert_redirect(303, &format!("{}?done=approved", tab(&id)));
        let done = second.see(&format!("{}?done=approved", tab(&id))).send().await;
        for text in ["It is approved and booked.", &format!("approved by {}", second.staff.name)] {
            assert!(done.text.contains(text), "{text}: {}", done.text);
        }
        let timeline = second.see(&format!("/admin-panel/applications/{id}/timeline")).send().await;
        assert!(timeline.text.contains("Booking approved by a second person"), "{}", timeline.text);

        assert_eq!(finance.api("POST", "/api/admins/step-up").json(&again).send().await.status, 204);
        let other = waits(&book(&finance, &id, "w3", waive("instalment-3")).await);
        let back = [("_action", "take-back"), ("about", other.as_str())];
        finance.send(&tab(&id), &back).send().await.assert_redirect(303, &format!("{}?done=taken-back", tab(&id)));
        let last = waits(&book(&finance, &id, "w4", waive("instalment-3")).await);
        let decline = [("_action", "decline"), ("about", last.as_str()), ("reason", "Not agreed")];
        second.send(&tab(&id), &decline).send().await.assert_redirect(303, &format!("{}?done=declined", tab(&id)));
        assert_eq!(transactions(&database, &id, Kind::Waiver).await, 1);
    }

    async fn what_waits_goes_with_the_records(database: Database) {
        let world = World::start(database.db()).await;
        let (id, finance) = paid(&world).await;
        ask_from(&finance, 0, "300").await;
        waits(&book(&finance, &id, "w1", waive("instalment-2")).await);
        let email = database.texts("SELECT email_key FROM applicants").await.remove(0);
        let applicant = world.store.applicant_by_email(&email).await.unwrap().unwrap();
        world.store.close_account(&closing(&applicant)).await.unwrap();
        world.store.erase_records(&applicant.id, &entry()).await.unwrap();
        assert_eq!((database.count("booking_requests").await, open_tasks(&database).await), (0, 0));
        assert_eq!(transactions(&database, &id, Kind::Payment).await, 1, "the books stay");
    }
}
