//! Several people read an application and score it, each blind to the others; a committee goes through the results.

use matricula::domain::program::Program;
use matricula::domain::role::Role;
use matricula::domain::rubric::SheetKind;
use matricula::domain::settings::Setting;
use serde_json::{Value, json};

use super::{StaffClient, staff_client};
use crate::support::databases::story;
use crate::support::server::{Answer, Client, World};

async fn id_of(client: &Client) -> String {
    client.get("/api/users/application").send().await.json()["id"].as_str().unwrap().to_owned()
}

fn call(id: &str, rest: &str) -> String {
    format!("/api/admins/applications/{id}/readings{rest}")
}

async fn readings(staff: &StaffClient, id: &str) -> Value {
    let answer = staff.api("GET", &call(id, "")).send().await;
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.json()
}

async fn ask(staff: &StaffClient, id: &str, readers: &[&StaffClient]) -> Answer {
    let readers: Vec<&str> = readers.iter().map(|reader| reader.staff.id.as_str()).collect();
    staff.api("POST", &call(id, "")).json(&json!({ "readers": readers, "dueOn": "2026-05-20" })).send().await
}

async fn send(staff: &StaffClient, id: &str, points: [i64; 4], recommendation: &str) -> Answer {
    let body =
        json!({ "points": points, "recommendation": recommendation, "comment": format!("I say {recommendation}.") });
    staff.api("POST", &call(id, "/own")).json(&body).send().await
}

async fn own_tasks(staff: &StaffClient) -> Vec<String> {
    let list = staff.api("GET", "/api/admins/work?whose=mine&task=reading").send().await.json();
    list["tasks"].as_array().unwrap().iter().map(|task| task["applicationId"].as_str().unwrap().to_owned()).collect()
}

async fn committee(staff: &StaffClient) -> Vec<Value> {
    staff.api("GET", "/api/admins/committee").send().await.json()["applications"].as_array().unwrap().clone()
}

story! {
    async fn two_readers_are_blind_to_each_other_until_they_have_sent_theirs(database: Database) {
        let world = World::start(database.db()).await;
        let id = id_of(&world.submitted().await).await;
        let (reviewer, one, two) =
            (staff_client(&world, Role::Reviewer).await, staff_client(&world, Role::Interviewer).await, staff_client(&world, Role::Interviewer).await);
        assert_eq!(ask(&reviewer, &id, &[&one, &two]).await.status, 200);
        // Asking again makes no second task and no second mail.
        assert_eq!(ask(&reviewer, &id, &[&one]).await.status, 200);
        assert_eq!((own_tasks(&one).await, own_tasks(&two).await), (vec![id.clone()], vec![id.clone()]));
        let mails = database.texts("SELECT body_text FROM outbox WHERE template = 'reading-asked'").await;
        assert_eq!(mails.len(), 2);
        assert!(mails[0].contains("Please send your sheet by"), "{}", mails[0]);
        // A change of owner does not change who reads it.
        let owner = json!({ "owner": reviewer.staff.id });
        assert!(reviewer.api("POST", &format!("/api/admins/applications/{id}/owner")).json(&owner).send().await.status < 300);
        assert_eq!(own_tasks(&one).await, std::slice::from_ref(&id));
        let task = reviewer.api("GET", &format!("/api/admins/applications/{id}/tasks")).send().await.json();
        let task = task["tasks"].as_array().unwrap().iter().find(|task| task["task"] == "reading").unwrap()["id"].clone();
        let back = format!("/api/admins/applications/{id}/tasks/{}/put-back", task.as_str().unwrap());
        one.api("POST", &back).send().await.assert_problem(409, "task.personal");

        assert_eq!(send(&one, &id, [5, 5, 5, 5], "accept").await.status, 200);
        assert_eq!((own_tasks(&one).await.len(), own_tasks(&two).await.len()), (0, 1));
        let blind = readings(&two, &id).await;
        assert_eq!((&blind["blind"], &blind["score"]), (&json!(true), &Value::Null));
        let others = blind["readings"].as_array().unwrap();
        assert!(others.iter().any(|reading| reading["sentAt"].is_string()));
        assert!(others.iter().all(|reading| reading["sheet"].is_null()), "{blind}");
        for path in ["readings", "decision"] {
            let page = two.see(&format!("/admin-panel/applications/{id}/{path}")).send().await;
            assert_eq!(page.status, 200);
            assert!(!page.text.contains("I say accept."), "{path}");
        }
        // Somebody who was not asked can read it, but has nothing to send.
        assert_eq!(readings(&reviewer, &id).await["score"], 1000);
        send(&reviewer, &id, [1, 1, 1, 1], "reject").await.assert_problem(404, "reading.not_found");

        assert_eq!(send(&two, &id, [3, 3, 3, 3], "unsure").await.status, 200);
        let both = readings(&two, &id).await;
        assert_eq!((&both["blind"], &both["score"]), (&json!(false), &json!(750)));
        let first = both["readings"].as_array().unwrap().iter().find(|it| it["reader"] == one.staff.id.as_str()).unwrap();
        assert_eq!((&first["sheet"]["score"], &first["sheet"]["comment"]), (&json!(1000), &json!("I say accept.")));
        send(&two, &id, [1, 1, 1, 1], "reject").await.assert_problem(409, "reading.sent");
        // A reading that was sent cannot be taken back.
        let unask = call(&id, &format!("/{}", two.staff.id));
        reviewer.api("DELETE", &unask).send().await.assert_problem(404, "reading.not_found");
        let record = database.texts("SELECT detail FROM audit").await.concat();
        assert!(!record.contains("I say"), "the record has none of their words");
    }

    async fn readers_are_asked_with_care(database: Database) {
        let world = World::start(database.db()).await;
        let id = id_of(&world.submitted().await).await;
        let (reviewer, one) = (staff_client(&world, Role::Reviewer).await, staff_client(&world, Role::Interviewer).await);
        let (viewer, finance) = (staff_client(&world, Role::Viewer).await, staff_client(&world, Role::Finance).await);
        for (body, code, field) in [
            (json!({}), "readers.required", "readers"),
            (json!({ "readers": [] }), "readers.required", "readers"),
            (json!({ "readers": ["nobody"] }), "readers.unknown", "readers"),
            (json!({ "readers": [finance.staff.id] }), "readers.unknown", "readers"),
            (json!({ "readers": [one.staff.id], "dueOn": "tomorrow" }), "dueOn.invalid", "dueOn"),
            (json!({ "readers": [one.staff.id], "dueOn": "2020-01-01" }), "dueOn.past", "dueOn"),
            (json!({ "readers": vec!["x"; 13] }), "readers.count", "readers"),
        ] {
            let answer = reviewer.api("POST", &call(&id, "")).json(&body).send().await;
            answer.assert_problem(422, code);
            assert!(answer.json()["fields"][field].is_string(), "{answer:?}");
        }
        for staff in [&one, &viewer, &finance] {
            ask(staff, &id, &[&one]).await.assert_problem(403, "role.forbidden");
        }
        viewer.api("GET", &call(&id, "")).send().await.assert_problem(403, "role.forbidden");
        // The same without JavaScript; what was chosen stays chosen.
        let path = format!("/admin-panel/applications/{id}/readings");
        let fields = [("_action", "ask"), ("readers", one.staff.id.as_str()), ("dueOn", "2020-01-01")];
        let again = reviewer.send(&path, &fields).send().await.assert_document(422, "adminReadings");
        assert_eq!(again["props"]["form"]["errors"]["dueOn"], "Choose a day that is still to come.");
        assert_eq!(again["props"]["form"]["values"]["readers"], one.staff.id.as_str());
        let fields = [("_action", "ask"), ("readers", one.staff.id.as_str()), ("dueOn", "")];
        assert_eq!(reviewer.send(&path, &fields).send().await.status, 303);
        let half = [("_action", "send"), ("points.1", "4"), ("points.3", "9"), ("recommendation", ""), ("comment", "Kept.")];
        let again = one.send(&path, &half).send().await.assert_document(422, "adminReadings");
        let form = &again["props"]["form"];
        assert_eq!(form["errors"]["points.2"], "Experience with people: choose 1 to 5.");
        assert!(form["errors"]["points.3"].is_string() && form["errors"]["points.1"].is_null(), "{form}");
        assert_eq!((&form["values"]["points.1"], &form["values"]["comment"]), (&json!("4"), &json!("Kept.")));
        let unask = format!("unask:{}", one.staff.id);
        assert_eq!(reviewer.send(&path, &[("_action", &unask)]).send().await.status, 303);
        assert!(own_tasks(&one).await.is_empty());
        send(&one, &id, [1, 1, 1, 1], "reject").await.assert_problem(404, "reading.not_found");
    }

    async fn a_committee_goes_through_the_best_scored_first(database: Database) {
        let world = World::start(database.db()).await;
        let mut ids = Vec::new();
        for _ in 0..3 {
            ids.push(id_of(&world.submitted().await).await);
        }
        let (decider, one, two) =
            (staff_client(&world, Role::Decider).await, staff_client(&world, Role::Interviewer).await, staff_client(&world, Role::Interviewer).await);
        assert!(committee(&decider).await.is_empty());
        for id in &ids {
            assert_eq!(ask(&decider, id, &[&one, &two]).await.status, 200);
        }
        for (id, points) in ids.iter().zip([2, 5, 4]) {
            assert_eq!(send(&one, id, [points; 4], "accept").await.status, 200);
        }
        assert_eq!(send(&two, &ids[1], [1; 4], "reject").await.status, 200);
        let listed = committee(&decider).await;
        let order: Vec<&str> = listed.iter().map(|it| it["applicationId"].as_str().unwrap()).collect();
        assert_eq!(order, [ids[2].as_str(), ids[1].as_str(), ids[0].as_str()]);
        assert_eq!(listed.iter().map(|it| it["score"].as_i64().unwrap()).collect::<Vec<_>>(), [750, 500, 250]);
        assert_eq!((&listed[1]["asked"], &listed[1]["sent"], &listed[1]["accept"], &listed[1]["reject"]), (&json!(2), &json!(2), &json!(1), &json!(1)));

        // One after the other, with what each decision is based on.
        let sit = async |id: &str| decider.see(&format!("/admin-panel/committee/{id}")).header("accept", "application/json").send().await.json()["props"].clone();
        let first = sit(&ids[2]).await;
        assert_eq!((&first["placeText"], &first["previousHref"]), (&json!("1 of 3"), &Value::Null));
        assert_eq!(first["nextHref"], format!("/admin-panel/committee/{}", ids[1]));
        assert_eq!(first["basis"]["readings"]["meanText"], "4.0 of 5");
        assert_eq!(sit(&ids[0]).await["nextHref"], Value::Null);
        let page = decider.see("/admin-panel/committee").send().await;
        assert_eq!(page.assert_document(200, "adminCommittee")["props"]["rows"][0]["mean"], "4.0");

        // A decider who is also a reader learns its score only after sending their own.
        assert_eq!(ask(&decider, &ids[2], &[&decider]).await.status, 200);
        let listed = committee(&decider).await;
        assert_eq!((&listed[2]["applicationId"], &listed[2]["score"], &listed[2]["accept"]), (&json!(ids[2]), &Value::Null, &json!(0)));
        assert!(sit(&ids[2]).await["basis"]["readings"]["readings"].as_array().unwrap().iter().all(|it| it["sheet"].is_null()));

        // An application that is decided or withdrawn is no longer before the committee, and nothing is sent about it.
        let withdraw = format!("/api/admins/applications/{}/withdraw", ids[0]);
        let done = decider.api("POST", &withdraw).json(&json!({ "reason": "Asked us to." })).send().await;
        assert!(done.status < 300, "{done:?}");
        assert_eq!(committee(&decider).await.len(), 2);
        send(&two, &ids[0], [1; 4], "reject").await.assert_problem(409, "reading.over");
        ask(&decider, &ids[0], &[&decider]).await.assert_problem(409, "reading.over");
        decider.see(&format!("/admin-panel/committee/{}", ids[0])).send().await.assert_redirect(303, "/admin-panel/committee");
        assert!(!own_tasks(&two).await.contains(&ids[0]), "nobody has to read it any more");
        assert_eq!(one.see("/admin-panel/committee").send().await.status, 403);
    }

    async fn a_rubric_is_the_offices_own(database: Database) {
        let world = World::start(database.db()).await;
        let id = id_of(&world.submitted().await).await;
        let (owner, one) = (staff_client(&world, Role::Owner).await, staff_client(&world, Role::Interviewer).await);
        assert_eq!(ask(&owner, &id, &[&one, &owner]).await.status, 200);
        assert_eq!(send(&one, &id, [4, 4, 4, 4], "accept").await.status, 200);
        let typed = [("scale", "10"), ("criterion1.label", "Voice"), ("criterion1.weight", "3"), ("criterion3.label", ""), ("criterion4.label", "")];
        let values = typed.map(|(name, text)| (name.to_owned(), text.to_owned())).into();
        world.app.change_setting(&owner.staff, Setting::Rubric(SheetKind::Reading, Program::Bachelor), 0, &values).await.unwrap();
        let seen = readings(&owner, &id).await;
        assert_eq!((&seen["scale"], &seen["criteria"][0]), (&json!(10), &json!({ "label": "Voice", "weight": 3 })));
        assert_eq!(seen["criteria"].as_array().unwrap().len(), 2);
        let body = json!({ "points": [10, 1], "recommendation": "accept" });
        assert_eq!(owner.api("POST", &call(&id, "/own")).json(&body).send().await.status, 200);
        let seen = readings(&owner, &id).await;
        let sheet = |who: &StaffClient| seen["readings"].as_array().unwrap().iter().find(|it| it["reader"] == who.staff.id.as_str()).unwrap()["sheet"].clone();
        assert_eq!((&sheet(&owner)["score"], &sheet(&owner)["scale"]), (&json!(750), &json!(10)));
        assert_eq!((&sheet(&one)["points"][0]["label"], &sheet(&one)["scale"]), (&json!("Motivation for this program"), &json!(5)));
    }
}
