//! An interview from start to end, over the API, the pages and the office's use cases.

use matricula::app::Error;
use matricula::app::applications::acts::Preconditions;
use matricula::app::interviews::{Chosen, Record};
use matricula::domain::application::ApplicationKey;
use matricula::domain::interview::Span;
use matricula::domain::moments::{DAY, HOUR, MINUTE, Millis};
use matricula::domain::role::Role;
use matricula::domain::staff::Staff;
use serde_json::{Value, json};

use crate::support::databases::{Database, story};
use crate::support::server::{Answer, Client, PASSWORD, START, World};

const PATH: &str = "/api/users/interview";
/// The time at which the tests start.
const NOW: Millis = START as Millis;

fn at(moment: Millis) -> String {
    jiff::Timestamp::from_millisecond(moment).unwrap().to_string()
}

async fn staff(world: &World, role: Role) -> Staff {
    world.app.create_staff(&format!("{}@example.org", role.as_str()), PASSWORD, role).await.unwrap()
}

/// An interviewer with slots this many hours from now.
pub async fn interviewer(world: &World, hours: impl IntoIterator<Item = i64>) -> Staff {
    let staff = staff(world, Role::Interviewer).await;
    let spans: Vec<Span> = hours.into_iter().map(|hour| Span { starts_at: NOW + hour * HOUR, minutes: 40 }).collect();
    world.app.open_slots(&staff, &spans).await.unwrap();
    staff
}

async fn act(client: &Client, act: &str, body: Value) -> Answer {
    client.post(&format!("{PATH}/{act}")).json(&body).send().await
}

pub async fn choose(client: &Client, name: &str, hour: i64) -> Answer {
    act(client, name, json!({ "startsAt": at(NOW + hour * HOUR) })).await
}

async fn done(client: &Client, name: &str, hour: i64) -> Value {
    let answer = choose(client, name, hour).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.json()
}

async fn stage(client: &Client) -> String {
    client.get("/api/users/application").send().await.json()["stage"].as_str().unwrap_or_default().to_owned()
}

async fn id(client: &Client) -> String {
    client.get("/api/users/application").send().await.json()["id"].as_str().unwrap().to_owned()
}

/// Subjects of the mails to an address, oldest first.
async fn subjects(database: &Database, to: &str) -> Vec<String> {
    let sql = format!("SELECT subject FROM outbox WHERE recipient = '{to}' ORDER BY created_at, id");
    database.texts(&sql).await
}

/// The calendar entries mailed to an address, oldest first, with lines unfolded.
async fn entries(database: &Database, to: &str) -> Vec<String> {
    let sql = format!(
        "SELECT attachment FROM outbox WHERE recipient = '{to}' AND attachment IS NOT NULL ORDER BY created_at, id"
    );
    let entries = database.texts(&sql).await;
    let text = |stored: &String| serde_json::from_str::<Value>(stored).unwrap()["text"].as_str().unwrap().to_owned();
    entries.iter().map(|stored| text(stored).replace("\r\n ", "")).collect()
}

fn line<'a>(entry: &'a str, name: &str) -> &'a str {
    entry.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_else(|| panic!("{name} is not in {entry}"))
}

fn code<T: std::fmt::Debug>(result: Result<T, Error>) -> String {
    match result {
        Err(Error::NotAllowed(refused)) => refused.code().to_owned(),
        Err(Error::Invalid(errors)) => errors[0].code.clone(),
        other => panic!("{other:?}"),
    }
}

story! {
    async fn an_interview_is_booked_and_moved_twice(database: Database) {
        let world = World::start(database.db()).await;
        interviewer(&world, [23, 48, 72, 96, 120]).await;
        let ada = world.submitted().await;
        let free = ada.get(PATH).send().await;
        assert_eq!((free.status, free.json()["times"].as_array().unwrap().len()), (200, 4), "{free:?}");
        assert_eq!((&free.json()["canBook"], &free.json()["canMove"], &free.json()["booking"]), (&json!(true), &json!(false), &json!(null)));
        choose(&ada, "hold", 23).await.assert_problem(409, "slot.too_soon");
        choose(&ada, "move", 48).await.assert_problem(409, "status.transition");

        let held = done(&ada, "hold", 48).await;
        assert_eq!(held["hold"], json!({ "startsAt": at(NOW + 48 * HOUR), "until": at(NOW + 5 * MINUTE) }));
        let booked = choose(&ada, "book", 48).await;
        assert_eq!(booked.status, 200, "{booked:?}");
        let body = booked.json();
        assert_eq!((&body["stage"], &body["status"], &body["hold"], &body["canMove"]), (&json!("booked"), &json!("scheduled"), &json!(null), &json!(true)));
        assert_eq!(body["booking"], json!({ "startsAt": at(NOW + 48 * HOUR), "endsAt": at(NOW + 48 * HOUR + 40 * MINUTE), "moves": 0 }));
        assert_eq!(booked.header("etag"), format!("\"{}\"", body["revision"]));

        for (hour, moves) in [(72, 1), (96, 2)] {
            assert_eq!(done(&ada, "move", hour).await["booking"]["moves"], moves);
        }
        for call in ["hold", "move"] {
            let third = choose(&ada, call, 120).await;
            third.assert_problem(409, "interview.moves_used");
            assert_eq!(third.json()["error"], "You have moved your interview twice. Write to us to move it once more.");
        }
        // The times that were given up are available to others.
        let ben = world.submitted().await;
        let free = ben.get(PATH).send().await.json()["times"].clone();
        assert_eq!(free, json!([48, 72, 120].map(|hour| at(NOW + hour * HOUR))));

        // One calendar entry, in three versions.
        let told = entries(&database, &ada.email).await;
        let (uids, sequences): (Vec<&str>, Vec<&str>) = told.iter().map(|entry| (line(entry, "UID:"), line(entry, "SEQUENCE:"))).unzip();
        assert!(uids.iter().all(|uid| *uid == uids[0] && uid.ends_with("@apply.example.org")), "{uids:?}");
        assert_eq!(sequences, ["0", "1", "2"]);
        assert_eq!((line(&told[0], "METHOD:"), line(&told[0], "DTSTART;TZID=America/Chicago:")), ("REQUEST", "20260506T070000"));
        assert_eq!(line(&told[2], "ATTENDEE;").rsplit("mailto:").next(), Some(&*ada.email));
        let office = entries(&database, "interviewer@example.org").await;
        assert_eq!((office.len(), line(&office[2], "UID:"), line(&office[2], "SEQUENCE:")), (3, uids[0], "2"));
        assert_eq!(subjects(&database, &ada.email).await[2..], ["Interview booked", "Interview moved", "Interview moved"]);
        let types = database.texts("SELECT attachment FROM outbox WHERE template = 'interview-booked'").await;
        assert!(types[0].contains("text/calendar; charset=utf-8; method=REQUEST"), "{types:?}");

        // Less than 24 hours before, only cancelling is left.
        world.clock.advance(73 * HOUR);
        let ada = ada.log_in().await;
        let late = ada.get(PATH).send().await.json();
        assert_eq!((&late["canMove"], &late["canCancel"]), (&json!(false), &json!(true)));
        let cancelled = act(&ada, "cancel", json!({ "reason": "I am ill." })).await;
        assert_eq!((cancelled.status, &cancelled.json()["stage"]), (200, &json!("submitted")), "{cancelled:?}");
        let last = entries(&database, &ada.email).await.pop().unwrap();
        assert_eq!((line(&last, "METHOD:"), line(&last, "STATUS:"), line(&last, "SEQUENCE:")), ("CANCEL", "CANCELLED", "3"));
        assert_eq!(database.texts("SELECT reason FROM stage_changes WHERE act = 'cancel'").await, ["I am ill."]);
        assert_eq!(database.texts("SELECT kind FROM staff_tasks WHERE kind = 'alert' AND detail LIKE '%cancel%'").await.len(), 1);
    }

    async fn who_is_too_late_is_told_and_keeps_what_they_have(database: Database) {
        let world = World::start(database.db()).await;
        interviewer(&world, [48, 72]).await;
        let (ada, ben) = (world.submitted().await, world.submitted().await);
        done(&ada, "hold", 48).await;
        done(&ben, "hold", 72).await;
        for call in ["hold", "book"] {
            let late = choose(&ben, call, 48).await;
            late.assert_problem(409, "slot.taken");
            assert_eq!(late.json()["error"], "Somebody has just taken this time. Choose another one.");
        }
        assert_eq!(ben.get(PATH).send().await.json()["hold"]["startsAt"], at(NOW + 72 * HOUR));
        // Five minutes later the first time is free for everyone, including the one who chose it first.
        world.clock.advance(6 * MINUTE);
        assert_eq!(ada.get(PATH).send().await.json()["hold"], json!(null));
        done(&ben, "book", 48).await;
        choose(&ada, "book", 48).await.assert_problem(409, "slot.taken");
        done(&ada, "book", 72).await;
        choose(&ada, "move", 48).await.assert_problem(409, "slot.taken");
        assert_eq!(ada.get(PATH).send().await.json()["booking"]["startsAt"], at(NOW + 72 * HOUR));
        choose(&ada, "move", 49).await.assert_problem(409, "slot.taken");
        act(&ada, "move", json!({ "startsAt": "soon" })).await.assert_problem(422, "startsAt.invalid");
    }

    async fn an_act_under_one_key_is_done_once(database: Database) {
        let world = World::start(database.db()).await;
        interviewer(&world, [48, 72]).await;
        let ada = world.submitted().await;
        let call = |name: &str, hour: i64| {
            let call = ada.post(&format!("{PATH}/{name}")).header("idempotency-key", "one");
            call.json(&json!({ "startsAt": at(NOW + hour * HOUR) })).send()
        };
        let answers = futures::future::join_all((0..6).map(|_| call("book", 48))).await;
        assert!(answers.iter().all(|answer| answer.status == 200 && answer.json() == answers[0].json()), "{answers:?}");
        assert_eq!((database.count("interviews").await, database.count("slot_claims").await), (1, 1));
        let stale = ada.post(&format!("{PATH}/move")).header("if-match", "\"1\"").json(&json!({ "startsAt": at(NOW + 72 * HOUR) }));
        stale.send().await.assert_problem(412, "application.stale");
        call("move", 72).await;
        assert_eq!(call("move", 72).await.json()["booking"]["moves"], 1);
    }

    async fn twenty_people_race_for_one_time(database: Database) {
        let world = World::start(database.db()).await;
        interviewer(&world, [48]).await;
        let mut people = Vec::new();
        for _ in 0..20 {
            people.push(world.submitted().await);
        }
        let answers = futures::future::join_all(people.iter().map(|person| choose(person, "book", 48))).await;
        let winners = answers.iter().filter(|answer| answer.status == 200).count();
        assert_eq!(winners, 1, "{answers:?}");
        assert!(answers.iter().all(|answer| answer.status == 200 || answer.code() == "slot.taken"), "{answers:?}");
        assert_eq!(database.count("interviews").await, 1);
    }

    async fn a_withdrawal_frees_the_time_and_undoing_it_takes_it_again(database: Database) {
        let world = World::start(database.db()).await;
        interviewer(&world, [48]).await;
        let (ada, ben) = (world.submitted().await, world.submitted().await);
        done(&ada, "book", 48).await;
        let withdraw = || async { ada.post("/api/users/application/withdraw").json(&json!({ "reason": "I move." })).send().await };
        let undo = || async { ada.post("/api/users/application/undo-withdraw").json(&json!({})).send().await.json()["stage"].clone() };
        assert_eq!(withdraw().await.status, 200);
        assert_eq!(ben.get(PATH).send().await.json()["times"], json!([at(NOW + 48 * HOUR)]));
        assert_eq!(undo().await, "booked");
        assert_eq!(ada.get(PATH).send().await.json()["booking"]["startsAt"], at(NOW + 48 * HOUR));
        let told = entries(&database, &ada.email).await;
        let versions: Vec<_> = told.iter().map(|entry| (line(entry, "METHOD:"), line(entry, "SEQUENCE:"))).collect();
        assert_eq!(versions, [("REQUEST", "0"), ("CANCEL", "1"), ("REQUEST", "2")]);
        assert_eq!(entries(&database, "interviewer@example.org").await.len(), 3);

        // Its time was taken meanwhile, so the application is restored without it.
        withdraw().await;
        done(&ben, "book", 48).await;
        assert_eq!(undo().await, "submitted");
        assert_eq!(ada.get(PATH).send().await.json()["booking"], json!(null));
        assert_eq!(stage(&ben).await, "booked");
    }

    async fn who_closes_the_account_gives_the_time_back(database: Database) {
        let world = World::start(database.db()).await;
        interviewer(&world, [48]).await;
        let (ada, ben) = (world.submitted().await, world.submitted().await);
        done(&ada, "book", 48).await;
        let data = world.store.records(ada.user["id"].as_str().unwrap()).await.unwrap();
        assert_eq!((data.interviews.len(), data.interviews[0].starts_at), (1, NOW + 48 * HOUR));
        let body = json!({ "currentPassword": PASSWORD, "confirm": true });
        assert_eq!(ada.post("/api/users/close-account").json(&body).send().await.status, 204);
        assert_eq!(ben.get(PATH).send().await.json()["times"], json!([at(NOW + 48 * HOUR)]));
        // The applicant learns it from the last mail alone, the interviewer that nobody will come.
        assert_eq!(subjects(&database, &ada.email).await, ["Your account is closed"]);
        assert_eq!(subjects(&database, "interviewer@example.org").await.last().unwrap(), "Interview canceled");
    }

    async fn reminders_come_the_day_and_the_hour_before(database: Database) {
        let world = World::start(database.db()).await;
        interviewer(&world, [48, 96]).await;
        let (ada, ben) = (world.submitted().await, world.submitted().await);
        done(&ada, "book", 48).await;
        done(&ada, "move", 96).await;
        done(&ben, "book", 48).await;
        let reminders = |email: String| {
            let database = database.clone();
            async move { subjects(&database, &email).await.into_iter().filter(|subject| subject.starts_with("Your interview is")).collect::<Vec<_>>() }
        };
        world.work().await;
        assert!(reminders(ben.email.clone()).await.is_empty());
        world.clock.advance(24 * HOUR);
        world.work().await;
        assert_eq!(reminders(ben.email.clone()).await, ["Your interview is tomorrow"]);
        // Hers was moved: no reminder is sent for the earlier time.
        assert!(reminders(ada.email.clone()).await.is_empty());
        world.clock.advance(23 * HOUR);
        world.work().await;
        world.work().await;
        assert_eq!(reminders(ben.email.clone()).await, ["Your interview is tomorrow", "Your interview is in an hour"]);
        let ada = ada.log_in().await;
        act(&ada, "cancel", json!({})).await;
        world.clock.advance(48 * HOUR);
        world.work().await;
        assert!(reminders(ada.email.clone()).await.is_empty());
        let text = database.texts("SELECT body_text FROM outbox WHERE subject = 'Your interview is tomorrow'").await;
        assert!(text[0].contains("Wednesday, May 6, 2026, 7:00\u{a0}AM CDT (America/Chicago)"), "{text:?}");
    }

    async fn staff_book_move_cancel_and_record(database: Database) {
        let world = World::start(database.db()).await;
        let staff = interviewer(&world, [1, 2, 24, 48, 72, 96]).await;
        let viewer = self::staff(&world, Role::Viewer).await;
        let app = &world.app;
        let ada = world.submitted().await;
        let ada_id = id(&ada).await;
        let key = ApplicationKey::Id(&ada_id);
        let arrange = |staff: Staff, starts_at: Option<Millis>| {
            let (app, id) = (app.clone(), ada_id.clone());
            async move { app.arrange_interview_for(&staff, ApplicationKey::Id(&id), starts_at.map(|starts_at| Chosen { starts_at, with: None }), Preconditions::default()).await }
        };
        let record = |what: Record| {
            let (app, id, staff) = (app.clone(), ada_id.clone(), staff.clone());
            async move { app.record_interview(&staff, ApplicationKey::Id(&id), what, Preconditions::default()).await }
        };
        assert_eq!(code(arrange(viewer.clone(), Some(NOW + DAY)).await), "role.forbidden");
        assert_eq!(code(app.open_slots(&viewer, &[Span { starts_at: NOW + DAY, minutes: 40 }]).await), "role.forbidden");
        assert_eq!(code(app.open_slots(&staff, &[Span { starts_at: NOW + DAY + MINUTE, minutes: 40 }]).await), "slots.overlap");
        assert_eq!(code(arrange(staff.clone(), Some(NOW + HOUR)).await), "slot.too_soon");
        arrange(staff.clone(), Some(NOW + DAY)).await.unwrap();
        assert_eq!(code(record(Record::Held).await), "interview.ahead");
        // Arranged on the telephone, for this afternoon; it uses up none of the applicant's moves.
        arrange(staff.clone(), Some(NOW + 2 * HOUR)).await.unwrap();
        assert_eq!(ada.get(PATH).send().await.json()["booking"]["moves"], 0);
        arrange(staff.clone(), None).await.unwrap();
        assert_eq!(stage(&ada).await, "submitted");
        done(&ada, "book", 24).await;
        assert_eq!(code(arrange(staff.clone(), Some(NOW + 999 * DAY)).await), "slot.taken");

        world.clock.advance(25 * HOUR);
        let ada = ada.log_in().await;
        record(Record::Held).await.unwrap();
        assert_eq!(stage(&ada).await, "held");
        assert_eq!(database.texts("SELECT kind FROM staff_tasks WHERE kind = 'score-sheet'").await.len(), 1);
        record(Record::Undo).await.unwrap();
        record(Record::NoShow).await.unwrap();
        record(Record::Undo).await.unwrap();
        record(Record::NoShow).await.unwrap();
        assert_eq!(stage(&ada).await, "no_show");
        let missed = database.texts("SELECT body_text FROM outbox WHERE template = 'interview-missed'").await;
        assert!(missed[0].contains("You can book another time yourself, once"), "{missed:?}");

        // The one time that applicants can book again by themselves.
        done(&ada, "book", 72).await;
        world.clock.advance(48 * HOUR);
        let ada = ada.log_in().await;
        record(Record::NoShow).await.unwrap();
        choose(&ada, "book", 120).await.assert_problem(409, "rebook.used");
        assert_eq!(ada.get(PATH).send().await.json()["canBook"], false);
        let missed = database.texts("SELECT body_text FROM outbox WHERE template = 'interview-missed' ORDER BY created_at, id").await;
        assert!(missed.last().unwrap().contains("Write to admissions@example.org"), "{missed:?}");
        assert_eq!(code(arrange(staff.clone(), Some(NOW + 96 * HOUR)).await), "slot.too_soon");
        let actors = database.texts("SELECT DISTINCT actor FROM audit WHERE action = 'interview.missed'").await;
        assert_eq!(actors, [format!("staff:{}", staff.id)]);
        app.find_application(key).await.unwrap();
    }

    async fn three_wishes_are_sent_shown_and_replaced(database: Database) {
        let world = World::start(database.db()).await;
        let ada = world.submitted().await;
        let wishes = |dates: [&str; 3]| json!({ "wishes": dates.map(|date| json!({ "date": date, "time": "14:00" })) });
        let sent = act(&ada, "wishes", wishes(["2026-05-12", "2026-05-13", "2026-05-14"])).await;
        assert_eq!(sent.status, 200, "{sent:?}");
        assert_eq!(sent.json()["wishes"]["times"][0], "2026-05-12T19:00:00Z");
        act(&ada, "wishes", wishes(["2026-05-12", "2026-05-12", "2026-05-04"])).await.assert_problem(422, "wishes.1.date.duplicate");
        let replaced = act(&ada, "wishes", wishes(["2026-06-12", "2026-06-13", "2026-06-14"])).await.json();
        assert_eq!(replaced["wishes"]["times"][2], "2026-06-14T19:00:00Z");
        assert_eq!(database.texts("SELECT kind FROM staff_tasks WHERE kind = 'interview-wishes' AND done_at IS NULL").await.len(), 1);
        let draft = world.register().await;
        act(&draft, "wishes", wishes(["2026-06-12", "2026-06-13", "2026-06-14"])).await.assert_problem(404, "application.none");
        draft.get(PATH).send().await.assert_problem(404, "application.none");
    }

    async fn the_page_needs_no_javascript(database: Database) {
        let world = World::start(database.db()).await;
        interviewer(&world, [48, 72, 192]).await;
        let ada = world.submitted().await;
        let get = |path: &str| ada.get(path).with_cookie(&ada).send();
        let post = |fields: &[(&str, &str)]| ada.post("/schedule").with_cookie(&ada).form(fields).send();
        let page = get("/schedule").await;
        assert_eq!(page.status, 200, "{page:?}");
        let (first, second) = (at(NOW + 48 * HOUR), at(NOW + 72 * HOUR));
        for expected in ["Book your interview", "May 4 – May 10, 2026", &first, &second, "/schedule?week=2026-05-11"] {
            assert!(page.text.contains(expected), "{expected} is not in {}", page.text);
        }
        assert!(!page.text.contains(&at(NOW + 192 * HOUR)));
        assert!(get("/schedule?week=2026-05-12").await.text.contains(&at(NOW + 192 * HOUR)));

        let held = post(&[("_action", "hold"), ("startsAt", &first)]).await;
        assert_eq!((held.status, held.header("location")), (303, "/schedule?step=confirm"));
        let confirm = get("/schedule?step=confirm").await;
        assert!(confirm.text.contains("Book my interview") && confirm.text.contains("7:05\u{a0}AM"), "{}", confirm.text);
        let booked = post(&[("_action", "book"), ("startsAt", &first), ("key", "k1")]).await;
        assert_eq!((booked.status, booked.header("location")), (303, "/thankyou"));
        assert!(get("/thankyou").await.text.contains("Your interview is booked"));
        let again = post(&[("_action", "book"), ("startsAt", &first), ("key", "k1")]).await;
        assert_eq!((again.status, again.header("location")), (303, "/thankyou"), "{again:?}");
        assert!(get("/schedule").await.text.contains("It is in 2 days."));
        assert!(get("/dashboard").await.text.contains("Your interview is in 2 days"));

        let file = get("/schedule/interview.ics").await;
        assert_eq!((file.status, file.header("content-type")), (200, "text/calendar; charset=utf-8"));
        assert!(file.header("content-disposition").starts_with("attachment") && file.header("cache-control") == "no-store");
        assert!(file.text.contains("METHOD:PUBLISH\r\n") && file.text.contains("DTSTART;TZID=America/Chicago:20260506T070000\r\n"));

        // Somebody else has taken the time shown on the page.
        let ben = world.submitted().await;
        done(&ben, "book", 72).await;
        let late = post(&[("_action", "hold"), ("startsAt", &second)]).await;
        assert_eq!(late.status, 409);
        assert!(late.text.contains("Somebody has just taken this time. Choose another one."), "{}", late.text);
        assert!(late.text.contains("Move your interview"), "{}", late.text);
        let moved = post(&[("_action", "move"), ("startsAt", &at(NOW + 192 * HOUR))]).await;
        assert_eq!((moved.status, moved.header("location")), (303, "/schedule?done=moved"));
        let long = "x".repeat(1001);
        let refused = post(&[("_action", "cancel"), ("reason", &long)]).await;
        assert!(refused.status == 422 && refused.text.contains(&long), "what was typed is there");
        assert_eq!(post(&[("_action", "cancel"), ("reason", "")]).await.header("location"), "/schedule?done=cancelled");
        assert_eq!(get("/schedule/interview.ics").await.status, 404);
        assert_eq!(post(&[("_action", "nonsense")]).await.status, 400);

        let zone = post(&[("_action", "zone"), ("timeZone", "pacific/kiritimati")]).await;
        assert_eq!(zone.header("location"), "/schedule?done=zone");
        assert!(get("/schedule").await.text.contains("Pacific/Kiritimati"));
        let nowhere = post(&[("_action", "zone"), ("timeZone", "Mars/Base")]).await;
        assert!(nowhere.status == 422 && nowhere.text.contains("Choose a time zone from the list."));
    }

    async fn both_times_of_the_night_when_clocks_go_back_are_told_apart(database: Database) {
        let world = World::start(database.db()).await;
        let staff = staff(&world, Role::Interviewer).await;
        let night = ["2026-11-01T06:30:00Z", "2026-11-01T07:30:00Z"];
        let spans = night.map(|start| Span { starts_at: start.parse::<jiff::Timestamp>().unwrap().as_millisecond(), minutes: 40 });
        world.app.open_slots(&staff, &spans).await.unwrap();
        let ada = world.submitted().await;
        let get = |path: &str| ada.get(path).with_cookie(&ada).send();
        let page = get("/schedule").await.text;
        assert!(page.contains("October 26 – November 1, 2026"), "{page}");
        for (start, shown) in night.iter().zip(["1:30\u{a0}AM UTC−5", "1:30\u{a0}AM UTC−6"]) {
            assert!(page.contains(start) && page.contains(shown), "{shown} is not in {page}");
        }
        // The second of the two, in a calendar whose clock times alone could not tell them apart.
        act(&ada, "book", json!({ "startsAt": night[1] })).await;
        assert!(get("/schedule").await.text.contains("1:30\u{a0}AM CST"));
        assert!(get("/schedule/interview.ics").await.text.contains("DTSTART:20261101T073000Z\r\n"));
    }

    async fn who_has_nothing_to_book_is_told_why(database: Database) {
        let world = World::start(database.db()).await;
        let stranger = world.visitor().get("/schedule").send().await;
        assert_eq!((stranger.status, stranger.header("location")), (302, "/bachelor/apply?dialog=login&redirect=%2Fschedule"));
        let ada = world.register().await;
        let page = |client: Client| async move { client.get("/schedule").with_cookie(&client).send().await.text };
        assert!(page(ada.clone()).await.contains("Apply first"));
        ada.post("/api/users/application").json(&json!({ "applicationType": "ba" })).send().await;
        assert!(page(ada.clone()).await.contains("Submit your application first"));
        let ben = world.submitted().await;
        let wish = page(ben.clone()).await;
        assert!(wish.contains("No times are available at the moment") && wish.contains("wishes.2.time"), "{wish}");
        let post = |fields: &[(&str, &str)]| ben.post("/schedule").with_cookie(&ben).form(fields).send();
        let bad = post(&[("_action", "wishes"), ("wishes.0.date", "2026-05-12"), ("wishes.0.time", "14:00")]).await;
        assert!(bad.status == 422 && bad.text.contains("Choose a date.") && bad.text.contains("2026-05-12"), "{}", bad.text);
        let times = [("2026-05-12", "14:00"), ("2026-05-13", "09:30"), ("2026-05-14", "10:00")];
        let mut fields = vec![("_action", "wishes")];
        for (place, (date, time)) in times.iter().enumerate() {
            fields.push((["wishes.0.date", "wishes.1.date", "wishes.2.date"][place], date));
            fields.push((["wishes.0.time", "wishes.1.time", "wishes.2.time"][place], time));
        }
        assert_eq!(post(&fields).await.header("location"), "/schedule?done=wishes");
        assert!(page(ben.clone()).await.contains("You have sent us three times that suit you"));
    }

    async fn when_records_are_erased_no_mail_and_no_reason_tells_who_it_was(database: Database) {
        let world = World::start(database.db()).await;
        interviewer(&world, [48, 72]).await;
        let client = world.submitted().await;
        done(&client, "book", 48).await;
        assert_eq!(act(&client, "cancel", json!({ "reason": "My aunt Demo is ill." })).await.status, 200);
        done(&client, "book", 72).await;
        let withdrawn = client.post("/api/users/application/withdraw").json(&json!({ "reason": "Demo moves away." }));
        assert_eq!(withdrawn.send().await.status, 200);
        let told = database.texts("SELECT reason FROM stage_changes WHERE reason IS NOT NULL ORDER BY happened_at, id").await;
        assert_eq!(told, ["My aunt Demo is ill.", "Demo moves away."]);
        let export = world.store.records(client.user["id"].as_str().unwrap()).await.unwrap();
        assert_eq!(export.stage_changes.iter().filter(|change| change.reason.is_some()).count(), 2);

        let body = json!({ "currentPassword": PASSWORD, "confirm": true });
        assert_eq!(client.post("/api/users/close-account").json(&body).send().await.status, 204);
        let everything = async || {
            let mut all = database.texts("SELECT subject || body_text || body_html || COALESCE(attachment, '') FROM outbox WHERE template <> 'account-closed'").await;
            all.extend(database.texts("SELECT detail FROM audit").await);
            all.extend(database.texts("SELECT reason FROM stage_changes WHERE reason IS NOT NULL").await);
            all.extend(database.texts("SELECT detail FROM staff_tasks UNION ALL SELECT detail FROM jobs").await);
            all.into_iter().filter(|text| text.contains("Demo")).count()
        };
        assert!(everything().await > 2, "it is kept for seven years, also what the interviewer was told");
        world.clock.advance(7 * 366 * DAY);
        world.work().await;
        assert_eq!(everything().await, 0);
        assert_eq!(database.texts("SELECT last_name FROM applicants").await, [""]);
    }
}
