//! The figures: what they count, how they are filtered, and that every number links to the applications it counts.

use matricula::domain::moments::{DAY, HOUR, MINUTE, Millis};
use matricula::domain::role::Role;
use serde_json::{Value, json};

use super::{StaffClient, staff_client};
use crate::support::databases::{Database, story};
use crate::support::server::World;

const FIGURES: &str = "/admin-panel/applications/figures";

async fn seen(member: &StaffClient, query: &str) -> Value {
    let page = member.see(&format!("{FIGURES}?{query}")).header("accept", "application/json").send().await;
    assert_eq!(page.status, 200, "{query}: {page:?}");
    let mut props = page.json()["props"].clone();
    // Different each time.
    props["formKey"] = Value::Null;
    props
}

/// Applications submitted a given number of days ago, moved from another stage to this one, and in it for a given time.
async fn filled(world: &World, database: &Database, rows: &[(&str, &str, &str, Millis, Millis)]) -> Vec<String> {
    let now = world.app.clock.now();
    let mut ids = Vec::new();
    for (stage, status, from, submitted, waits) in rows {
        let client = world.submitted().await;
        let id = client.get("/api/users/application").send().await.json()["id"].as_str().unwrap().to_owned();
        let (submitted_at, since) = (now - submitted * DAY, now - waits * DAY);
        let archived = if *stage == "archived" { now.to_string() } else { "NULL".into() };
        database
            .run(&format!(
                "UPDATE applications SET stage = '{stage}', status = '{status}', submitted_at = {submitted_at}, \
                 created_at = {submitted_at} - 2 * {DAY}, archived_at = {archived} WHERE id = '{id}'; \
                 UPDATE stage_changes SET happened_at = {submitted_at} WHERE application_id = '{id}'; \
                 UPDATE listings SET stage = '' WHERE application_id = '{id}'"
            ))
            .await
            .unwrap();
        if *stage != "submitted" {
            database
                .run(&format!(
                    "INSERT INTO stage_changes (id, application_id, revision, act, from_stage, to_stage, happened_at) \
                     VALUES ('1{id}', '{id}', 98, 'book', 'submitted', '{from}', {since}), \
                     ('2{id}', '{id}', 99, 'offer', '{from}', '{stage}', {since})"
                ))
                .await
                .unwrap();
        }
        ids.push(id);
    }
    world.app.complete_listings().await.unwrap();
    ids
}

const ROWS: [(&str, &str, &str, Millis, Millis); 7] = [
    ("submitted", "incomplete", "", 0, 0),
    ("held", "scheduled", "booked", 9, 7),
    ("held", "scheduled", "booked", 30, 28),
    ("offered", "accepted", "held", 12, 3),
    ("rejected", "rejected", "held", 20, 1),
    ("archived", "none", "offered", 40, 20),
    ("enrolled", "enrolled", "confirmed", 100, 14),
];

/// Follows every number in the document to the list; returns how many there were.
async fn follow(member: &StaffClient, query: &str) -> usize {
    let document = member.see(&format!("{FIGURES}?{query}")).send().await;
    assert_eq!(document.status, 200, "{document:?}");
    let mut followed = 0;
    for part in document.text.split("<a href=\"/admin-panel/applications?").skip(1) {
        let (list, rest) = part.split_once("\">").unwrap();
        let (shown, _) = rest.split_once("</a>").unwrap();
        let path = format!("/admin-panel/applications?{}", list.replace("&amp;", "&"));
        let page = member.see(&path).header("accept", "application/json").send().await;
        assert_eq!(page.status, 200, "{path}: {page:?}");
        let told = page.json()["props"]["countText"].as_str().unwrap().to_owned();
        // The others are names of stages.
        if let Ok(count) = shown.parse::<i64>() {
            assert_eq!(told, format!("{count} application{}", if count == 1 { "" } else { "s" }), "{path}");
            followed += 1;
        }
    }
    followed
}

fn row<'a>(rows: &'a Value, name: &str, value: &str) -> &'a Value {
    rows.as_array().unwrap().iter().find(|row| row[name] == value).unwrap()
}

story! {
    async fn figures_tell_how_far_how_long_by_whom_and_from_what(database: Database) {
        let world = World::start(database.db()).await;
        let staff = staff_client(&world, Role::Reviewer).await;
        let empty = seen(&staff, "").await;
        assert_eq!(empty["spans"].as_array().unwrap().len(), 26);
        assert_eq!(empty["spans"][25]["decided"], json!({ "count": 0, "medianDays": null, "mostDays": null }));
        assert_eq!((&empty["steps"][0]["count"], &empty["steps"][1]["ofPrevious"]), (&json!(0), &json!(null)));
        let ids = filled(&world, &database, &ROWS).await;
        // One that was never submitted.
        let draft = world.register().await;
        let saved = draft.post("/api/users/application").json(&json!({ "applicationType": "ba" })).send().await;
        assert_eq!(saved.status, 200, "{saved:?}");
        let now = world.app.clock.now();
        let who = &staff.staff.id;
        for (id, days, state) in [(&ids[3], 3, "released"), (&ids[4], 9, "released"), (&ids[1], 5, "recalled")] {
            let released = now - DAY;
            database.run(&format!(
                "UPDATE applications SET released_at = {released}, released_from = 'held' WHERE id = '{id}'; \
                 UPDATE listings SET submitted_at = {released} - {days} * {DAY} WHERE application_id = '{id}'; \
                 UPDATE applications SET submitted_at = {released} - {days} * {DAY} WHERE id = '{id}'; \
                 INSERT INTO decisions (id, application_id, state, outcome, conditions, reasons, intake, template, letter, drafted_by, \
                 drafted_at, released_by, released_at) VALUES ('{id}', '{id}', '{state}', 'accept', '[]', '[]', '2026-08', 'letter', '', \
                 '{who}', {now}, '{who}', {released}); \
                 INSERT INTO document_reviews (application_id, slot, decision, reason, staff_id, decided_at) \
                 VALUES ('{id}', 'identity', 'accepted', '', '{who}', {released} - {DAY})"
            )).await.unwrap();
        }
        database.run(&format!("UPDATE listings SET assigned_to = '{who}' WHERE application_id = '{}'", ids[0])).await.unwrap();
        // The counts are cached for a minute.
        assert_eq!(seen(&staff, "").await, empty);
        world.clock.advance(MINUTE);
        let counted = seen(&staff, "").await;
        let steps: Vec<i64> = counted["steps"].as_array().unwrap().iter().map(|step| step["count"].as_i64().unwrap()).collect();
        assert_eq!(steps, [8, 7, 6, 6, 3, 1, 1]);
        assert_eq!((&counted["steps"][1]["ofPrevious"], &counted["steps"][4]["ofAll"]), (&json!(88), &json!(38)));
        let decided = &counted["spans"][24]["decided"];
        assert_eq!(decided, &json!({ "count": 2, "medianDays": 3, "mostDays": 9 }), "{}", counted["spans"]);
        let stay = |stage: &str| row(&counted["stays"], "stage", stage)["took"].clone();
        assert_eq!(stay("Draft"), json!({ "count": 7, "medianDays": 2, "mostDays": 2 }));
        // Two days, two, nine, nineteen, twenty, eighty-six.
        assert_eq!(stay("Submitted"), json!({ "count": 6, "medianDays": 9, "mostDays": 86 }));
        let waits = |stage: &str| row(&counted["waiting"], "stage", stage)["counts"].clone();
        assert_eq!((waits("Submitted"), waits("Interview held")), (json!([1, 0, 0, 0]), json!([0, 1, 0, 1])));
        let reader = &counted["readers"][0];
        assert_eq!((&reader["name"], &reader["owned"], counted["readers"].as_array().unwrap().len()), (&json!("Demo Reviewer"), &json!(1), 1));
        assert_eq!(reader["work"][0], json!({ "count": 3, "medianDays": 4, "mostDays": 8 }));
        assert_eq!(reader["work"][2], json!({ "count": 2, "medianDays": 3, "mostDays": 9 }));
        let funded = row(&counted["funding"], "label", "GI Bill")["byStatus"].as_array().unwrap();
        assert!(funded.iter().map(|count| count.as_i64().unwrap()).sum::<i64>() <= 7);

        // A role without personal data sees the same, without names.
        let viewer = staff_client(&world, Role::Viewer).await;
        assert_eq!(seen(&viewer, "").await, counted);
        let file = viewer.see(&format!("{FIGURES}.csv?period=4w")).send().await;
        assert_eq!((file.status, file.header("content-disposition")), (200, "attachment; filename=\"figures.csv\""), "{file:?}");
        for line in ["Filter,Submitted from,,2026-04-13", "Readers,Demo Reviewer,Decisions,2", "Waiting,Interview held,28 days or longer,1"] {
            assert!(file.text.contains(&format!("{line}\r\n")), "{line}: {}", file.text);
        }
        let document = staff.see(FIGURES).send().await;
        assert!(document.text.contains("<svg") && document.text.contains("The numbers"), "{document:?}");
    }

    async fn every_number_leads_to_the_applications_that_it_counts(database: Database) {
        let world = World::start(database.db()).await;
        let reviewer = staff_client(&world, Role::Reviewer).await;
        let ids = filled(&world, &database, &ROWS).await;
        database.run(&format!(
            "UPDATE applications SET assigned_to = '{}' WHERE id IN ('{}', '{}'); \
             INSERT INTO deferrals (id, application_id, state, intake, created_at) VALUES ('d', '{}', 'granted', '2026-08', 1); \
             UPDATE listings SET stage = ''",
            reviewer.staff.id, ids[0], ids[6], ids[3],
        )).await.unwrap();
        world.app.complete_listings().await.unwrap();
        for (member, query, least) in [
            (&reviewer, "", 20),
            (&staff_client(&world, Role::Viewer).await, "", 20),
            (&reviewer, "period=4w&program=ba", 10),
            (&reviewer, "from=2022-01-01&to=2026-05-04", 15),
            (&reviewer, "intake=2026-08", 4),
        ] {
            let followed = follow(member, query).await;
            assert!(followed >= least, "{query}: {followed}");
        }
        assert_eq!(follow(&reviewer, "program=msc").await, 0);
        let narrowed = seen(&reviewer, "intake=2026-08").await;
        assert_eq!(narrowed["waitingQuery"], "tab=all&intake=2026-08");
        assert_eq!((&narrowed["steps"][0]["count"], &narrowed["intakes"][0]["label"]), (&json!(1), &json!("August\u{a0}2026")));
    }

    async fn what_is_wrong_with_a_filter_is_told_beside_its_field(database: Database) {
        let world = World::start(database.db()).await;
        let viewer = staff_client(&world, Role::Viewer).await;
        for (query, field) in [
            ("from=2026-05-02&to=2026-05-01", "to"),
            ("from=2026-05-02&to=", "to"),
            ("from=&to=2026-05-02", "from"),
            ("from=soon&to=2026-05-02", "from"),
            ("from=2001-01-01&to=2026-05-02", "to"),
            ("period=%00", "from"),
            ("program=phd", "program"),
            ("intake=never", "intake"),
        ] {
            let page = viewer.see(&format!("{FIGURES}?{query}")).header("accept", "application/json").send().await;
            assert_eq!(page.status, 422, "{query}: {page:?}");
            let props = &page.json()["props"];
            assert!(props["form"]["errors"][field].is_string(), "{query}: {}", props["form"]);
            for (name, typed) in url::form_urlencoded::parse(query.as_bytes()).filter(|(name, _)| name == "from" || name == "to") {
                assert_eq!(props["values"][&*name], json!(typed), "{query}");
            }
            viewer.see(&format!("{FIGURES}?{query}")).send().await.assert_document(422, "adminFigures");
            viewer.see(&format!("{FIGURES}.csv?{query}")).send().await.assert_document(400, "adminProblem");
        }
        let kept = seen(&viewer, "period=last-year&from=2025-01-01&to=2025-12-31&program=").await;
        assert_eq!((&kept["values"]["period"], kept["periods"][5]["current"].as_bool()), (&json!("last-year"), Some(true)));
    }

    async fn a_report_is_kept_and_mailed_every_monday_to_whoever_asks(database: Database) {
        let world = World::start(database.db()).await;
        let (reviewer, viewer) = (staff_client(&world, Role::Reviewer).await, staff_client(&world, Role::Viewer).await);
        let post = async |member: &StaffClient, fields: &[(&str, &str)]| {
            let mut all = vec![("here", "period=4w&program=ba")];
            all.extend(fields);
            member.send(FIGURES, &all).header("accept", "application/json").send().await
        };
        let save = [("_action", "save"), ("key", "k1"), ("reportName", " Four  weeks ")];
        for _ in 0..2 {
            let saved = post(&reviewer, &save).await;
            let to = format!("{FIGURES}?period=4w&program=ba&done=saved");
            assert_eq!((saved.status, saved.header("location")), (303, &*to), "{saved:?}");
        }
        for (name, typed) in [("Four weeks", "Four weeks"), ("  ", "  "), (&"x".repeat(61), &"x".repeat(61)), ("a\u{202e}b", "a\u{202e}b")] {
            let refused = post(&viewer, &[("_action", "save"), ("key", "k2"), ("reportName", name)]).await;
            assert_eq!(refused.status, 422, "{refused:?}");
            let props = &refused.json()["props"];
            assert!(props["form"]["errors"]["reportName"].is_string(), "{}", props["form"]);
            assert_eq!((&props["form"]["values"]["reportName"], &props["values"]["period"]), (&json!(typed), &json!("4w")));
        }
        let reports = seen(&viewer, "").await["reports"].clone();
        let report = &reports[0];
        assert_eq!((&report["name"], &report["href"]), (&json!("Four weeks"), &json!(format!("{FIGURES}?period=4w&program=ba"))));
        assert_eq!((&report["isMailed"], &report["mayDelete"], reports.as_array().unwrap().len()), (&json!(false), &json!(false), 1));
        let id = report["id"].as_str().unwrap();
        for member in [&reviewer, &viewer, &viewer] {
            assert_eq!(post(member, &[("_action", "mail"), ("report", id)]).await.status, 303);
        }
        assert_eq!(seen(&viewer, "").await["reports"][0]["isMailed"], true);
        assert_eq!(post(&viewer, &[("_action", "stop"), ("report", id)]).await.status, 303);
        assert_eq!(post(&viewer, &[("_action", "mail"), ("report", "none")]).await.status, 404);
        assert_eq!(post(&viewer, &[("_action", "delete"), ("report", id)]).await.status, 404);

        world.app.plan_recurring().await.unwrap();
        let mailed = async || {
            world.work().await;
            let mails = world.mails(100).await;
            mails.into_iter().filter(|mail| mail.subject == "Figures: Four weeks").collect::<Vec<_>>()
        };
        // It is Monday, and the hour has just passed.
        for (advance, count) in [(0, 0), (7 * DAY - MINUTE, 0), (HOUR, 1), (DAY, 1), (7 * DAY, 2)] {
            world.clock.advance(advance);
            let mails = mailed().await;
            assert_eq!(mails.len(), count, "after {advance}");
            for mail in mails {
                assert_eq!(mail.to, reviewer.staff.email);
                assert!(mail.text.contains(&format!("{FIGURES}.csv?period=4w&program=ba")), "{}", mail.text);
            }
        }
        database.run(&format!("UPDATE staff SET suspended_at = 1 WHERE id = '{}'", reviewer.staff.id)).await.unwrap();
        world.clock.advance(7 * DAY);
        assert_eq!(mailed().await.len(), 2);
        let owner = staff_client(&world, Role::Owner).await;
        assert_eq!(post(&owner, &[("_action", "delete"), ("report", id)]).await.status, 303);
        assert_eq!((database.count("figure_reports").await, database.count("figure_report_mails").await), (0, 0));
        let audited = database.texts("SELECT action FROM audit WHERE action LIKE 'report.%' ORDER BY action").await;
        assert_eq!(audited, ["report.deleted", "report.saved"]);
        // A visitor who follows the link without being logged in is asked to log in first.
        let stranger = world.visitor().without_token().get(&format!("{FIGURES}.csv?period=4w")).send().await;
        assert_eq!((stranger.status, stranger.header("location")), (302, "/admin-panel/login"));
    }
}
