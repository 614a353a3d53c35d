//! Interviews by call: availability, booking and recording, score sheets, the feed.

use matricula::domain::moments::{DAY, HOUR};
use matricula::domain::role::Role;
use serde_json::{Value, json};

use super::{about, applied, assert_beside, get, json_of, post};
use crate::office::{StaffClient, entered, staff_client};
use crate::support::databases::story;
use crate::support::server::{Answer, World};

fn rules(more: Value) -> Value {
    let mut rules = json!({
        "timeZone": "America/Chicago", "minutes": 40, "buffer": 10, "notice": 24,
        "weekly": [{ "weekday": 2, "from": "09:00", "until": "11:00" }],
    });
    rules.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    rules
}

fn of(member: &StaffClient, what: &str) -> String {
    format!("/api/admins/interviews/{what}/{}", member.staff.id)
}

async fn open(member: &StaffClient) {
    json_of(&post(member, &of(member, "rules"), rules(json!({}))).await, 200);
}

async fn act(member: &StaffClient, id: &str, act: &str) -> Answer {
    member.api("POST", &about(id, &format!("/interview{act}"))).send().await
}

story! {
    async fn rules_are_read_and_changed_by_call(database: Database) {
        let world = World::start(database.db()).await;
        let interviewer = staff_client(&world, Role::Interviewer).await;
        let path = of(&interviewer, "rules");
        let empty = get(&interviewer, &path).await;
        assert_eq!((empty.header("etag"), &json_of(&empty, 200)["weekly"]), ("\"0\"", &json!([])));
        let days = json!({ "exceptions": [{ "date": "2026-05-12" }, { "date": "2026-05-13", "from": "20:00", "until": "21:00" }] });
        let written = interviewer.api("POST", &path).header("if-match", "\"0\"").json(&rules(days)).send().await;
        let body = json_of(&written, 200);
        assert_eq!((&body["revision"], written.header("etag")), (&json!(1), "\"1\""));
        assert_eq!(body["exceptions"][0], json!({ "date": "2026-05-12", "from": null, "until": null }));
        // What was read can be written back.
        let again = json!({ "exceptions": body["exceptions"], "weekly": body["weekly"] });
        assert_eq!(json_of(&post(&interviewer, &path, rules(again)).await, 200)["exceptions"], body["exceptions"]);
        let stale = interviewer.api("POST", &path).header("if-match", "\"1\"").json(&rules(json!({}))).send().await;
        stale.assert_problem(409, "rules.changed");
        assert_beside(&post(&interviewer, &path, json!({})).await, "timeZone.required", "minutes");
        let overlap = json!({ "weekly": [{ "weekday": 2, "from": "09:00", "until": "11:00" }, { "weekday": 2, "from": "10:00", "until": "12:00" }] });
        assert_beside(&post(&interviewer, &path, rules(overlap)).await, "weekly.1.from.overlap", "weekly.1.from");
        post(&interviewer, &path, rules(json!({ "x": 1 }))).await.assert_problem(422, "field.unknown");

        // Days off are free of slots, and days follow the time zone of the rules.
        let calendar = async |query: &str| get(&interviewer, &format!("{}{query}", of(&interviewer, "calendar"))).await;
        let told_days = json_of(&calendar("?from=2026-05-05&until=2026-05-13").await, 200);
        let starts: Vec<&str> =
            told_days["slots"].as_array().unwrap().iter().map(|slot| slot["startsAt"].as_str().unwrap()).collect();
        assert_eq!(starts, ["2026-05-05T14:00:00Z", "2026-05-05T14:50:00Z", "2026-05-14T01:00:00Z"]);
        assert_eq!((&told_days["slots"][0]["state"], &told_days["slots"][0]["name"]), (&json!("free"), &Value::Null));
        assert_eq!(json_of(&calendar("").await, 200)["until"], "2026-05-10");
        assert_beside(&calendar("?from=tomorrow").await, "from.invalid", "from");
        assert_beside(&calendar("?from=2026-05-05&until=2029-05-05").await, "until.range", "until");

        // Those of others only with the permission.
        let (other, reviewer) = (staff_client(&world, Role::Interviewer).await, staff_client(&world, Role::Reviewer).await);
        for path in [of(&interviewer, "rules"), of(&interviewer, "calendar")] {
            get(&other, &path).await.assert_problem(403, "role.forbidden");
            json_of(&get(&reviewer, &path).await, 200);
        }
        post(&other, &path, rules(json!({}))).await.assert_problem(403, "role.forbidden");
        get(&reviewer, "/api/admins/interviews/rules/nobody").await.assert_problem(404, "staff.not_found");
        get(&staff_client(&world, Role::Finance).await, &path).await.assert_problem(403, "role.forbidden");
    }

    async fn an_interview_is_booked_moved_cancelled_and_recorded_by_call(database: Database) {
        let world = World::start(database.db()).await;
        let (one, two) = (staff_client(&world, Role::Interviewer).await, staff_client(&world, Role::Interviewer).await);
        open(&one).await;
        let (_, id) = applied(&world).await;
        let path = about(&id, "/interview");
        let before = get(&one, &path).await;
        let body = json_of(&before, 200);
        assert_eq!((&body["interview"], &body["canBook"], &body["canMove"]), (&Value::Null, &json!(true), &json!(false)));
        let time = |place: usize| json!({ "startsAt": body["times"][place] });
        assert_eq!(json_of(&get(&two, &path).await, 200)["times"], json!([]), "times of others are not theirs to book");
        assert_beside(&post(&one, &path, json!({})).await, "startsAt.required", "startsAt");
        post(&two, &path, time(2)).await.assert_problem(409, "slot.taken");
        let viewer = staff_client(&world, Role::Viewer).await;
        post(&viewer, &path, time(2)).await.assert_problem(403, "role.forbidden");
        assert_eq!(json_of(&get(&viewer, &path).await, 200)["canBook"], false);
        for _ in 0..2 {
            let call = one.api("POST", &path).header("if-match", before.header("etag")).header("idempotency-key", "once");
            let booked = json_of(&call.json(&time(2)).send().await, 200);
            assert_eq!((&booked["interview"]["startsAt"], &booked["stage"]), (&body["times"][2], &json!("booked")));
            assert_eq!(booked["interview"]["interviewer"], one.staff.id);
        }
        let stale = one.api("POST", &path).header("if-match", before.header("etag")).json(&time(3)).send().await;
        stale.assert_problem(412, "application.stale");
        let moved = json_of(&post(&one, &path, time(3)).await, 200);
        assert_eq!((&moved["interview"]["startsAt"], &moved["canCancel"]), (&body["times"][3], &json!(true)));
        let own = json_of(&get(&one, "/api/admins/interviews?from=2026-05-04&until=2026-06-30").await, 200);
        assert_eq!(own["slots"].as_array().unwrap().len(), 1, "{own}");
        assert_eq!((&own["slots"][0]["applicationId"], &own["slots"][0]["state"], &own["slots"][0]["name"]), (&json!(id), &json!("booked"), &json!("Demo Sample")));
        for way in ["/cancel", "/held", "/no-show"] {
            act(&two, &id, way).await.assert_problem(403, "role.forbidden");
        }
        assert_eq!(act(&one, &id, "/held").await.status, 409, "it is still ahead");
        assert_eq!(json_of(&act(&one, &id, "/cancel").await, 200)["stage"], "submitted");
        json_of(&post(&one, &path, time(2)).await, 200);

        world.clock.advance(9 * DAY + 3 * HOUR);
        let one = entered(&world, &one.staff).await;
        let sheet = about(&id, "/interview/scores");
        let scores = json!({ "points": [5, 4, 3, 5, 4], "recommendation": "accept", "comment": "Knows why" });
        post(&one, &sheet, scores.clone()).await.assert_problem(404, "interview.none");
        assert_eq!(json_of(&act(&one, &id, "/no-show").await, 200)["interview"]["state"], "no_show");
        assert_eq!(json_of(&act(&one, &id, "/undo").await, 200)["stage"], "booked");
        let held = json_of(&act(&one, &id, "/held").await, 200);
        assert_eq!((&held["interview"]["state"], &held["canScore"]), (&json!("held"), &json!(true)));
        let empty = get(&one, &sheet).await;
        assert_eq!((empty.header("etag"), &json_of(&empty, 200)["sheet"]), ("\"0\"", &Value::Null));
        assert_beside(&post(&one, &sheet, json!({ "points": [9], "recommendation": "accept" })).await, "points.1.range", "points.5");
        let written = one.api("POST", &sheet).header("if-match", "\"0\"").json(&scores).send().await;
        let told_sheet = &json_of(&written, 200)["sheet"];
        assert_eq!((&told_sheet["comment"], &told_sheet["score"], written.header("etag")), (&json!("Knows why"), &json!(800), "\"1\""));
        assert_eq!(told_sheet["points"][2], json!({ "label": "Goals that the program serves", "weight": 1, "points": 3 }));
        one.api("POST", &sheet).header("if-match", "\"0\"").json(&scores).send().await.assert_problem(409, "scores.changed");
        // Deciders read the sheet of another person's interview; changing it needs the permission.
        let two = entered(&world, &two.staff).await;
        post(&two, &sheet, scores.clone()).await.assert_problem(403, "role.forbidden");
        let decider = staff_client(&world, Role::Decider).await;
        assert_eq!(json_of(&get(&decider, &sheet).await, 200)["writtenBy"], one.staff.id);
        get(&staff_client(&world, Role::Finance).await, &sheet).await.assert_problem(403, "role.forbidden");
    }

    async fn a_wished_time_is_booked_by_call(database: Database) {
        let world = World::start(database.db()).await;
        let interviewer = staff_client(&world, Role::Interviewer).await;
        let (ada, id) = applied(&world).await;
        let wishes = json!({ "wishes": [
            { "date": "2026-05-12", "time": "08:00" }, { "date": "2026-05-13", "time": "09:00" }, { "date": "2026-05-14", "time": "10:00" },
        ] });
        json_of(&ada.post("/api/users/interview/wishes").json(&wishes).send().await, 200);
        let wished = json_of(&get(&interviewer, &about(&id, "/interview")).await, 200)["wishes"].clone();
        let path = about(&id, "/interview/wish");
        assert_beside(&post(&interviewer, &path, json!({ "startsAt": "2026-05-20T14:00:00Z" })).await, "startsAt.not_wished", "startsAt");
        let booked = json_of(&post(&interviewer, &path, json!({ "startsAt": wished[1] })).await, 200);
        assert_eq!((&booked["interview"]["startsAt"], &booked["wishes"]), (&wished[1], &json!([])));
    }

    async fn the_address_of_a_calendar_is_made_anew_and_ended_by_call(database: Database) {
        let world = World::start(database.db()).await;
        let interviewer = staff_client(&world, Role::Interviewer).await;
        let path = "/api/admins/interviews/feed";
        assert_eq!(json_of(&get(&interviewer, path).await, 200), json!({ "since": null }));
        let opened = async || {
            let body = json_of(&interviewer.api("POST", path).send().await, 201);
            body["address"].as_str().unwrap().strip_prefix("http://apply.example.org").unwrap().to_owned()
        };
        let (first, second) = (opened().await, opened().await);
        let read = async |path: &str| world.visitor().get(path).send().await.status;
        assert_eq!((read(&first).await, read(&second).await), (404, 200));
        assert!(json_of(&get(&interviewer, path).await, 200)["since"].is_string());
        json_of(&interviewer.api("DELETE", path).send().await, 204);
        assert_eq!(read(&second).await, 404);
        let finance = staff_client(&world, Role::Finance).await;
        finance.api("POST", path).send().await.assert_problem(403, "role.forbidden");
    }
}
