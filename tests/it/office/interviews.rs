//! Interviews in the office: availability, the calendar and its feed, and acts on an interview.

use matricula::domain::moments::{DAY, HOUR, Millis};
use matricula::domain::program::Program;
use matricula::domain::role::Role;
use matricula::domain::rubric::SheetKind;
use matricula::domain::settings::Setting;
use serde_json::{Value, json};

use super::{StaffClient, entered, staff_client};
use crate::decisions::advance;
use crate::support::databases::{Database, story};
use crate::support::server::{Answer, Client, START, World};

const PATH: &str = "/admin-panel/interviews";
const NOW: Millis = START as Millis;

async fn props(member: &StaffClient, path: &str) -> Value {
    let page = member.see(path).header("accept", "application/json").send().await;
    assert_eq!(page.status, 200, "{page:?}");
    page.json()["props"].clone()
}

async fn revision(member: &StaffClient, staff: &str) -> String {
    props(member, &format!("{PATH}?staff={staff}")).await["times"]["rules"]["revision"].to_string()
}

/// Sends a form about a person's times, at their current revision.
async fn changed(member: &StaffClient, staff: &str, fields: &[(&str, &str)]) -> Answer {
    let revision = revision(member, staff).await;
    let fields = [&[("staff", staff), ("revision", revision.as_str())][..], fields].concat();
    member.send(PATH, &fields).header("accept", "application/json").send().await
}

pub(super) async fn open_week(member: &StaffClient, staff: &str, weekday: &str, from: &str, until: &str) {
    let fields = [("_action", "window"), ("weekWeekday", weekday), ("weekFrom", from), ("weekUntil", until)];
    let answer = changed(member, staff, &fields).await;
    assert_eq!(answer.status, 303, "{answer:?}");
}

async fn times(client: &Client) -> Vec<String> {
    let told = client.get("/api/users/interview").send().await.json();
    told["times"].as_array().unwrap().iter().map(|time| time.as_str().unwrap().to_owned()).collect()
}

async fn application(client: &Client) -> Value {
    client.get("/api/users/application").send().await.json()
}

async fn id(client: &Client) -> String {
    application(client).await["id"].as_str().unwrap().to_owned()
}

pub(super) async fn book(client: &Client, time: &str) {
    let answer = client.post("/api/users/interview/book").json(&json!({ "startsAt": time })).send().await;
    assert_eq!(answer.status, 200, "{answer:?}");
}

fn tab(id: &str) -> String {
    format!("/admin-panel/applications/{id}/interview")
}

pub(super) async fn act(member: &StaffClient, id: &str, fields: &[(&str, &str)]) -> Answer {
    member.send(&tab(id), fields).header("accept", "application/json").send().await
}

async fn open_slots(database: &Database) -> Vec<String> {
    let sql = "SELECT CAST(starts_at AS TEXT) FROM interview_slots WHERE closed_at IS NULL ORDER BY starts_at";
    database.texts(sql).await
}

story! {
    async fn bookable_times_follow_from_rules_at_once_and_every_day(database: Database) {
        let world = World::start(database.db()).await;
        let interviewer = staff_client(&world, Role::Interviewer).await;
        let own = interviewer.staff.id.clone();
        let ada = world.submitted().await;
        assert_eq!(times(&ada).await.len(), 0);
        // Tuesdays from 9 to 11 in Chicago: two interviews of 40 minutes with a pause of 10, for eight weeks.
        open_week(&interviewer, &own, "2", "09:00", "11:00").await;
        let offered = times(&ada).await;
        assert_eq!(offered[..3], ["2026-05-05T14:00:00Z", "2026-05-05T14:50:00Z", "2026-05-12T14:00:00Z"]);
        assert_eq!(offered.len(), 16);
        let before = open_slots(&database).await;
        // Generated again, they are the same.
        world.app.plan_recurring().await.unwrap();
        world.work().await;
        assert_eq!(open_slots(&database).await, before);
        assert_eq!(database.count("interview_slots").await, 16);
        advance(&world, 7 * DAY).await;
        let ada = ada.log_in().await;
        let later = times(&ada).await;
        assert_eq!(later.last().unwrap(), "2026-06-30T14:50:00Z", "a week has passed, and another one is offered");
        assert_eq!(later.len(), 16, "{later:?}");
    }

    async fn what_is_booked_stays_whatever_becomes_of_the_rules(database: Database) {
        let world = World::start(database.db()).await;
        let interviewer = staff_client(&world, Role::Interviewer).await;
        let own = interviewer.staff.id.clone();
        open_week(&interviewer, &own, "3", "09:00", "12:00").await;
        let ada = world.submitted().await;
        book(&ada, "2026-05-06T14:50:00Z").await;
        let other_length = [("_action", "settings"), ("timeZone", "America/Chicago"), ("minutes", "60"), ("buffer", "0"), ("notice", "24")];
        assert_eq!(changed(&interviewer, &own, &other_length).await.status, 303);
        let ben = world.submitted().await;
        // 9:50 to 10:30 is taken: of the slots at 9, 10 and 11, the last is left.
        assert_eq!(times(&ben).await[0], "2026-05-06T16:00:00Z");
        let dropped = changed(&interviewer, &own, &[("_action", "drop-window:0")]).await;
        assert_eq!(dropped.status, 303, "{dropped:?}");
        assert_eq!(times(&ben).await.len(), 0);
        let told = ada.get("/api/users/interview").send().await.json();
        assert_eq!(told["booking"]["startsAt"], "2026-05-06T14:50:00Z");
        let week = props(&interviewer, &format!("{PATH}?date=2026-05-06")).await;
        let wednesday = &week["columns"][2]["slots"];
        assert_eq!((wednesday.as_array().unwrap().len(), &wednesday[0]["label"], &wednesday[0]["timeText"]), (1, &json!("Demo Sample"), &json!("9:50–10:30\u{a0}AM")));
        // After it is cancelled, the next change offers what the rules say.
        assert_eq!(ada.post("/api/users/interview/cancel").json(&json!({})).send().await.status, 200);
        open_week(&interviewer, &own, "3", "09:00", "12:00").await;
        assert_eq!(times(&ben).await[..3], ["2026-05-06T14:00:00Z", "2026-05-06T15:00:00Z", "2026-05-06T16:00:00Z"]);
        assert_eq!(database.count("interviews").await, 1);
    }

    async fn days_off_extra_times_and_notice_hold(database: Database) {
        let world = World::start(database.db()).await;
        let interviewer = staff_client(&world, Role::Interviewer).await;
        let own = interviewer.staff.id.clone();
        open_week(&interviewer, &own, "2", "09:00", "10:00").await;
        assert_eq!(changed(&interviewer, &own, &[("_action", "off"), ("dayDate", "2026-05-12")]).await.status, 303);
        let extra = [("_action", "extra"), ("dayDate", "2026-05-13"), ("dayFrom", "20:00"), ("dayUntil", "21:00")];
        assert_eq!(changed(&interviewer, &own, &extra).await.status, 303);
        let ada = world.submitted().await;
        assert_eq!(times(&ada).await[..3], ["2026-05-05T14:00:00Z", "2026-05-14T01:00:00Z", "2026-05-19T14:00:00Z"]);
        let noticed = [("_action", "settings"), ("timeZone", "America/Chicago"), ("minutes", "40"), ("buffer", "10"), ("notice", "48")];
        assert_eq!(changed(&interviewer, &own, &noticed).await.status, 303);
        assert_eq!(times(&ada).await[0], "2026-05-14T01:00:00Z");
        let early = ada.post("/api/users/interview/book").json(&json!({ "startsAt": "2026-05-05T14:00:00Z" })).send().await;
        early.assert_problem(409, "slot.taken");
        let early = ada.post("/api/users/interview/hold").json(&json!({ "startsAt": "2026-05-05T14:00:00Z" })).send().await;
        early.assert_problem(409, "slot.taken");

        for (fields, name, sentence) in [
            (vec![("_action", "window"), ("weekWeekday", "2"), ("weekFrom", "09:30"), ("weekUntil", "11:00")], "weekFrom", "This overlaps other times of the day."),
            (vec![("_action", "window"), ("weekWeekday", "9"), ("weekFrom", "09:30"), ("weekUntil", "11:00")], "weekWeekday", "Choose a day of the week."),
            (vec![("_action", "window"), ("weekWeekday", "4"), ("weekFrom", "09:30"), ("weekUntil", "09:00")], "weekUntil", "Choose an end after the start."),
            (vec![("_action", "off"), ("dayDate", "2026-05-12")], "dayDate", "This day is off already."),
            (vec![("_action", "extra"), ("dayDate", "2026-05-15"), ("dayFrom", "x"), ("dayUntil", "21:00")], "dayFrom", "Choose a time of day, for example 09:00."),
            (vec![("_action", "settings"), ("timeZone", "Mars"), ("minutes", "40"), ("buffer", "10"), ("notice", "48")], "timeZone", "Choose a time zone of the list."),
            (vec![("_action", "settings"), ("timeZone", "UTC"), ("minutes", "90"), ("buffer", "10"), ("notice", "48")], "minutes", "One of the times below is shorter than that. Change it first."),
        ] {
            let answer = changed(&interviewer, &own, &fields).await;
            assert_eq!((answer.status, &answer.json()["props"]["form"]["errors"][name]), (422, &json!(sentence)), "{answer:?}");
        }
        // A conflicting change is reported, and nothing is overwritten.
        let stale = [("staff", own.as_str()), ("revision", "1"), ("_action", "drop-window:0")];
        assert_eq!(interviewer.send(PATH, &stale).send().await.status, 409);
    }

    async fn who_looks_after_their_own_interviews_alone_touches_no_other(database: Database) {
        let world = World::start(database.db()).await;
        let (one, two) = (staff_client(&world, Role::Interviewer).await, staff_client(&world, Role::Interviewer).await);
        let reviewer = staff_client(&world, Role::Reviewer).await;
        let others = one.staff.id.clone();
        open_week(&reviewer, &others, "2", "09:00", "12:00").await;
        let path = format!("{PATH}?staff={others}");
        assert_eq!(two.see(&path).send().await.status, 403);
        let forbidden = [("staff", others.as_str()), ("revision", "1"), ("_action", "drop-window:0")];
        assert_eq!(two.send(PATH, &forbidden).send().await.status, 403);
        assert_eq!(staff_client(&world, Role::Viewer).await.see(PATH).send().await.status, 403);
        assert_eq!(reviewer.see(&format!("{PATH}?staff=nobody")).send().await.status, 404);

        let ada = world.submitted().await;
        let id = id(&ada).await;
        // They cannot book the times of others.
        assert_eq!(props(&two, &tab(&id)).await["times"], json!([]));
        let taken = act(&two, &id, &[("_action", "book"), ("startsAt", "2026-05-12T14:00:00Z")]).await;
        assert_eq!(taken.status, 409, "{taken:?}");
        let booked = act(&one, &id, &[("_action", "book"), ("startsAt", "2026-05-12T14:00:00Z")]).await;
        assert_eq!(booked.status, 303, "{booked:?}");
        for action in ["cancel", "held", "no-show"] {
            assert_eq!(act(&two, &id, &[("_action", action)]).await.status, 403, "{action}");
        }
        assert_eq!(props(&two, &tab(&id)).await["mayCancel"], false);
        let moved = act(&reviewer, &id, &[("_action", "book"), ("startsAt", "2026-05-12T14:50:00Z")]).await;
        assert_eq!(moved.status, 303, "{moved:?}");
        assert_eq!(ada.get("/api/users/interview").send().await.json()["booking"]["startsAt"], "2026-05-12T14:50:00Z");
        let viewer = staff_client(&world, Role::Viewer).await;
        assert_eq!(viewer.see(&tab(&id)).send().await.status, 200);
        assert_eq!(act(&viewer, &id, &[("_action", "cancel")]).await.status, 403);
    }

    async fn several_calendars_are_beside_each_other_and_interviews_move_between_them(database: Database) {
        let world = World::start(database.db()).await;
        let (ann, ben) = (staff_client(&world, Role::Interviewer).await, staff_client(&world, Role::Interviewer).await);
        let reviewer = staff_client(&world, Role::Reviewer).await;
        database.run(&format!("UPDATE staff SET name = CASE id WHEN '{}' THEN 'Ann Demo' WHEN '{}' THEN 'Ben Demo' ELSE name END", ann.staff.id, ben.staff.id)).await.unwrap();
        open_week(&ann, &ann.staff.id, "2", "09:00", "12:00").await;
        open_week(&ben, &ben.staff.id, "2", "09:00", "10:30").await;
        open_week(&ben, &ben.staff.id, "2", "06:10", "06:50").await;
        let ada = world.submitted().await;
        let id = id(&ada).await;
        let choice = |time: &str, member: &StaffClient| format!("2026-05-12T{time}:00Z~{}", member.staff.id);
        let booked = act(&reviewer, &id, &[("_action", "book"), ("startsAt", &choice("14:50", &ann))]).await;
        assert_eq!(booked.status, 303, "{booked:?}");

        // Staff without interviews of their own see those who have some.
        let week = props(&reviewer, &format!("{PATH}?date=2026-05-12")).await;
        let shown = |props: &Value| -> Vec<String> {
            let people = props["people"].as_array().unwrap().iter().filter(|person| person["isShown"] == true);
            people.map(|person| person["name"].as_str().unwrap().to_owned()).collect()
        };
        assert_eq!((shown(&week), &week["times"], &week["hours"][0]), (vec!["Ann Demo".into(), "Ben Demo".into()], &Value::Null, &json!("6:00\u{a0}AM")));
        let told = |slots: &Value| -> Vec<String> {
            let slots = slots.as_array().unwrap().iter();
            slots.map(|slot| format!("{} {} {} {}/{}", slot["timeText"].as_str().unwrap(), slot["state"].as_str().unwrap(), slot["with"].as_str().unwrap_or("-"), slot["lane"], slot["lanes"])).collect()
        };
        let tuesday = &week["columns"][1]["slots"];
        assert_eq!(told(tuesday)[0], "6:10–6:50\u{a0}AM free Ben Demo 0/1");
        let (mut nine, ten) = (told(tuesday)[1..3].to_vec(), told(tuesday)[3..5].to_vec());
        nine.sort_unstable_by_key(|line| line.contains("Ben"));
        assert!(nine[0].starts_with("9:00–9:40\u{a0}AM free Ann Demo") && nine[1].starts_with("9:00–9:40\u{a0}AM free Ben Demo"), "{nine:?}");
        assert!(ten.iter().any(|line| line.starts_with("9:50–10:30\u{a0}AM booked Ann Demo")), "{ten:?}");
        assert!(nine.iter().chain(&ten).all(|line| line.ends_with("/2")), "{nine:?} {ten:?}");
        let booked = tuesday.as_array().unwrap().iter().find(|slot| slot["state"] == "booked").unwrap();
        assert_eq!((&booked["hour"], &booked["minute"], &booked["length"], &booked["isMovable"]), (&json!(3), &json!(50), &json!(40), &json!(true)));
        // A day has a column for each person; for one person alone, the times have no names.
        let day = props(&reviewer, &format!("{PATH}?view=day&date=2026-05-12&staff={}&staff={}", ben.staff.id, ann.staff.id)).await;
        let labels: Vec<&Value> = day["columns"].as_array().unwrap().iter().map(|column| &column["label"]).collect();
        assert_eq!(labels, [&json!("Ben Demo"), &json!("Ann Demo")]);
        assert_eq!((day["columns"][0]["slots"].as_array().unwrap().len(), day["columns"][1]["slots"].as_array().unwrap().len()), (3, 3));
        let alone = props(&reviewer, &format!("{PATH}?date=2026-05-12&staff={}", ben.staff.id)).await;
        assert_eq!((told(&alone["columns"][1]["slots"])[1].as_str(), &alone["times"]["name"]), ("9:00–9:40\u{a0}AM free - 0/1", &json!("Ben Demo")));
        assert_eq!(shown(&props(&ann, PATH).await), ["Ann Demo"]);
        assert_eq!(props(&ann, PATH).await["people"].as_array().unwrap().len(), 1);
        // Only staff with the permission see the times of others, one or many.
        assert_eq!(ann.see(&format!("{PATH}?staff={}&staff={}", ann.staff.id, ben.staff.id)).send().await.status, 404);
        assert_eq!(reviewer.see(&format!("{PATH}?staff={}&staff=nobody", ann.staff.id)).send().await.status, 404);
        for query in ["view=century&date=yesterday", "date=-009999-01-01", "date=9999-12-31&view=day", "date=2026-02-30", "staff=&staff=", "view=day"] {
            assert_eq!(reviewer.see(&format!("{PATH}?{query}")).send().await.status, 200, "{query}");
        }

        // Dropping on a free time opens the form with that time, which also says with whom.
        let free = choice("14:00", &ben);
        let encoded: String = url::form_urlencoded::byte_serialize(free.as_bytes()).collect();
        let dropped = props(&reviewer, &format!("{}?startsAt={encoded}", tab(&id))).await;
        assert_eq!((&dropped["form"]["values"]["startsAt"], &dropped["form"]["errors"]), (&json!(free), &json!({})));
        assert!(dropped["times"].as_array().unwrap().iter().any(|time| time["value"] == free && time["label"].as_str().unwrap().ends_with(", with Ben Demo")), "{dropped}");
        let gone = props(&reviewer, &format!("{}?startsAt=2026-05-12T03%3A00%3A00Z~x", tab(&id))).await;
        assert_eq!(gone["form"]["errors"]["startsAt"], "This time is not free any more. Choose another one.");
        let moved = act(&reviewer, &id, &[("_action", "book"), ("startsAt", &free)]).await;
        assert_eq!(moved.status, 303, "{moved:?}");
        let interviewer = props(&reviewer, &tab(&id)).await["interview"]["interviewer"].clone();
        assert_eq!(interviewer, "Ben Demo");
        // Ann is free at that time too, but nobody asked for her; Ben has no second interview then.
        let other = world.submitted().await;
        let other = application(&other).await["id"].as_str().unwrap().to_owned();
        let taken = act(&reviewer, &other, &[("_action", "book"), ("startsAt", &free)]).await;
        assert_eq!(taken.status, 409, "{taken:?}");
        let own = act(&ann, &other, &[("_action", "book"), ("startsAt", &choice("14:50", &ben))]).await;
        assert_eq!(own.status, 403, "{own:?}");
        assert_eq!(act(&ann, &other, &[("_action", "book"), ("startsAt", &choice("14:00", &ann))]).await.status, 303);
        let call = format!("/api/admins/applications/{other}/interview");
        let moved = reviewer.api("POST", &call).json(&json!({ "startsAt": "2026-05-12T14:50:00Z", "interviewer": ben.staff.id })).send().await;
        assert_eq!((moved.status, &moved.json()["interview"]["interviewer"]), (200, &json!(ben.staff.id)), "{moved:?}");
        let wrong = reviewer.api("POST", &call).json(&json!({ "startsAt": "2026-05-12T14:50:00Z", "interviewer": 7 })).send().await;
        wrong.assert_problem(422, "interviewer.type");
    }

    async fn an_interview_is_recorded_scored_and_read_by_deciders(database: Database) {
        let world = World::start(database.db()).await;
        let interviewer = staff_client(&world, Role::Interviewer).await;
        let own = interviewer.staff.id.clone();
        open_week(&interviewer, &own, "2", "09:00", "12:00").await;
        let ada = world.submitted().await;
        let id = id(&ada).await;
        book(&ada, "2026-05-12T14:00:00Z").await;
        assert_eq!(act(&interviewer, &id, &[("_action", "held")]).await.status, 409, "it is still ahead");
        world.clock.advance(8 * DAY + 3 * HOUR);
        let interviewer = entered(&world, &interviewer.staff).await;
        let fields = [("points.1", "5"), ("points.2", "4"), ("points.3", "3"), ("points.4", "5"), ("points.5", "4"), ("recommendation", "accept"), ("comment", "Knows why"), ("sheet", "0"), ("_action", "score")];
        assert_eq!(act(&interviewer, &id, &fields).await.status, 404, "nothing was held so far");
        let held = act(&interviewer, &id, &[("_action", "held"), ("key", "once")]).await;
        assert_eq!(held.status, 303, "{held:?}");
        assert_eq!(act(&interviewer, &id, &[("_action", "held"), ("key", "once")]).await.status, 303);
        let open = "SELECT id FROM staff_tasks WHERE kind = 'score-sheet' AND done_at IS NULL";
        assert_eq!(database.texts(open).await.len(), 1);
        let without = act(&interviewer, &id, &fields[1..]).await;
        assert_eq!((without.status, &without.json()["props"]["form"]["errors"]["points.1"]), (422, &json!("Motivation for this program: choose 1 to 5.")));
        assert_eq!(without.json()["props"]["form"]["values"]["comment"], "Knows why", "what was typed stays");
        assert_eq!(act(&interviewer, &id, &fields).await.status, 303);
        assert_eq!(database.texts(open).await.len(), 0);
        assert_eq!(act(&interviewer, &id, &fields).await.status, 409, "somebody has filled it in meanwhile");
        let decider = staff_client(&world, Role::Decider).await;
        let seen = props(&decider, &tab(&id)).await;
        let sheet = &seen["sheet"]["sheet"];
        assert_eq!((&sheet["recommendation"], &sheet["comment"], &sheet["lines"][0]["points"]), (&json!("Accept"), &json!("Knows why"), &json!(5)));
        for role in [Role::Viewer, Role::Finance] {
            let other = staff_client(&world, role).await;
            assert_eq!(props(&other, &tab(&id)).await["sheet"], Value::Null, "{role:?}");
        }
        assert_eq!(database.texts("SELECT id FROM audit WHERE detail LIKE '%Knows%'").await.len(), 0);
        // Recorded by mistake: it is booked again, and this time missed.
        assert_eq!(act(&interviewer, &id, &[("_action", "undo")]).await.status, 303);
        assert_eq!(act(&interviewer, &id, &[("_action", "no-show")]).await.status, 303);
        assert_eq!(application(&ada.log_in().await).await["stage"], "no_show");
        assert_eq!(database.texts("SELECT id FROM outbox WHERE template = 'interview-missed'").await.len(), 1);
    }

    async fn interviews_are_scored_by_a_rubric_of_the_office(database: Database) {
        let world = World::start(database.db()).await;
        let owner = staff_client(&world, Role::Owner).await;
        let own = owner.staff.id.clone();
        open_week(&owner, &own, "2", "09:00", "12:00").await;
        let ada = world.submitted().await;
        let id = id(&ada).await;
        book(&ada, "2026-05-12T14:00:00Z").await;
        world.clock.advance(8 * DAY + 3 * HOUR);
        let owner = entered(&world, &owner.staff).await;
        assert_eq!(act(&owner, &id, &[("_action", "held")]).await.status, 303);
        let five = [("points.1", "5"), ("points.2", "4"), ("points.3", "3"), ("points.4", "5"), ("points.5", "4"), ("recommendation", "accept"), ("comment", "Knows why"), ("sheet", "0"), ("_action", "score")];
        assert_eq!(act(&owner, &id, &five).await.status, 303);
        let typed = [("criterion1.label", ""), ("criterion2.weight", "2"), ("criterion6.label", "Voice"), ("prompt", "What surprised you?")];
        let values = typed.map(|(name, text)| (name.to_owned(), text.to_owned())).into();
        world.app.change_setting(&owner.staff, Setting::Rubric(SheetKind::Interview, Program::Bachelor), 0, &values).await.unwrap();
        // What was filled in stays, and fills in the criteria that still exist.
        let seen = props(&owner, &tab(&id)).await;
        assert_eq!((&seen["sheet"]["sheet"]["mean"], &seen["sheet"]["sheet"]["lines"][0]["label"]), (&json!("4.2"), &json!("Motivation for this program")));
        let form = &seen["scoring"]["form"];
        assert_eq!((&form["prompt"], &form["criteria"][0]["label"], &form["criteria"][4]["label"]), (&json!("What surprised you?"), &json!("Experience with people"), &json!("Voice")));
        assert_eq!(form["values"], json!({ "points.1": "4", "points.2": "3", "points.3": "5", "points.4": "4", "recommendation": "accept", "comment": "Knows why" }));
        let without_voice = act(&owner, &id, &[&five[..4], &[("sheet", "1")], &five[5..7], &five[8..]].concat()).await;
        assert_eq!((without_voice.status, &without_voice.json()["props"]["form"]["errors"]["points.5"]), (422, &json!("Voice: choose 1 to 5.")));
        let again = act(&owner, &id, &[&five[..7], &[("sheet", "1")], &five[8..]].concat()).await;
        assert_eq!(again.status, 303, "{again:?}");
        let sheet = props(&owner, &tab(&id)).await["sheet"]["sheet"].clone();
        assert_eq!((&sheet["lines"][0]["weight"], &sheet["lines"][4]["label"], &sheet["mean"]), (&json!(2), &json!("Voice"), &json!("4.3")));
    }

    async fn a_wished_time_is_offered(database: Database) {
        let world = World::start(database.db()).await;
        let interviewer = staff_client(&world, Role::Interviewer).await;
        let ada = world.submitted().await;
        let id = id(&ada).await;
        let wishes = json!({ "wishes": [
            { "date": "2026-05-12", "time": "08:00" }, { "date": "2026-05-13", "time": "09:00" }, { "date": "2026-05-14", "time": "10:00" },
        ] });
        assert_eq!(ada.post("/api/users/interview/wishes").json(&wishes).send().await.status, 200);
        let seen = props(&interviewer, &tab(&id)).await;
        assert_eq!(seen["wishes"].as_array().unwrap().len(), 3, "{seen}");
        let wished = seen["wishes"][1]["value"].as_str().unwrap().to_owned();
        let other = act(&interviewer, &id, &[("_action", "offer"), ("startsAt", "2026-05-20T14:00:00Z")]).await;
        assert_eq!(other.json()["props"]["form"]["errors"]["startsAt"], "The applicant does not wish for this time any more.");
        for _ in 0..2 {
            let offered = act(&interviewer, &id, &[("_action", "offer"), ("startsAt", &wished), ("key", "once")]).await;
            assert_eq!(offered.status, 303, "{offered:?}");
        }
        let told = ada.get("/api/users/interview").send().await.json();
        assert_eq!((&told["booking"]["startsAt"], &told["stage"]), (&json!(wished), &json!("booked")));
        assert_eq!(database.count("interviews").await, 1);
        assert_eq!(database.texts("SELECT id FROM outbox WHERE template = 'interview-booked'").await.len(), 1);
    }

    async fn a_calendar_program_reads_the_feed_until_it_is_switched_off(database: Database) {
        let world = World::start(database.db()).await;
        let interviewer = staff_client(&world, Role::Interviewer).await;
        let own = interviewer.staff.id.clone();
        open_week(&interviewer, &own, "2", "09:00", "12:00").await;
        let ada = world.submitted().await;
        book(&ada, "2026-05-12T14:00:00Z").await;
        let opened = async || {
            let page = interviewer.send(PATH, &[("_action", "feed-open")]).header("accept", "application/json").send().await;
            let address = page.json()["props"]["times"]["feed"]["address"].as_str().unwrap().to_owned();
            address.strip_prefix("http://apply.example.org").unwrap().to_owned()
        };
        let first = opened().await;
        assert!(props(&interviewer, PATH).await["times"]["feed"]["address"].is_null(), "it is told once");
        let read = async |path: &str| world.visitor().get(path).send().await;
        let feed = read(&first).await;
        assert_eq!((feed.status, feed.header("content-type")), (200, "text/calendar; charset=utf-8"), "{feed:?}");
        let text = feed.text.replace("\r\n ", "");
        let reference = application(&ada).await["reference"].as_str().unwrap().to_owned();
        assert!(text.contains(&format!("SUMMARY:Interview {reference}")), "{text}");
        assert!(text.contains("BEGIN:VTIMEZONE\r\nTZID:America/Chicago") && text.contains("DTSTART;TZID=America/Chicago:20260512T090000"), "{text}");
        let uid = text.lines().find(|line| line.starts_with("UID:")).unwrap().to_owned();
        let mailed = database.texts("SELECT attachment FROM outbox WHERE template = 'interview-booked'").await;
        assert!(mailed[0].contains(&uid), "the entry is known by the same name in mails");
        for secret in ["Sample", ada.email.as_str(), "+1555"] {
            assert!(!text.contains(secret), "{secret}: {text}");
        }
        let second = opened().await;
        assert_eq!((read(&first).await.status, read(&second).await.status), (404, 200));
        assert_eq!(interviewer.send(PATH, &[("_action", "feed-close")]).send().await.status, 303);
        assert_eq!(read(&second).await.status, 404);
        for nonsense in ["/calendar/x.ics", "/calendar/%27%20OR%201=1.ics", "/calendar/", "/calendar/a/b.ics"] {
            assert_eq!(read(nonsense).await.status, 404, "{nonsense}");
        }
        let third = opened().await;
        database.run(&format!("UPDATE staff SET suspended_at = {NOW} WHERE id = '{own}'")).await.unwrap();
        assert_eq!(read(&third).await.status, 404);
    }
}
