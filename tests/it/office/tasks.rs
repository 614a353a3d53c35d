//! Tasks of an application: they close with their cause, reopen with it, or are ticked off with a reason.

use matricula::domain::moments::MINUTE;
use matricula::domain::role::Role;
use matricula::domain::task::{Task, TaskKind};
use serde_json::{Value, json};

use super::{StaffClient, staff_client};
use crate::support::databases::{Database, story};
use crate::support::server::{Client, World};

async fn id_of(client: &Client) -> String {
    client.get("/api/users/application").send().await.json()["id"].as_str().unwrap().to_owned()
}

async fn give(world: &World, application: &str, kind: TaskKind) {
    let task = Task {
        id: world.app.random.id(),
        kind,
        subject: format!("application:{application}"),
        detail: json!({ "workingDays": 10 }),
        created_at: world.app.clock.now(),
        due_at: None,
    };
    world.store.tell(&[task], &[]).await.unwrap();
}

/// The kinds of the open tasks, in alphabetical order.
async fn open(staff: &StaffClient, application: &str) -> Vec<String> {
    let answer = staff.api("GET", &format!("/api/admins/applications/{application}/tasks")).send().await.json();
    let kinds = answer["tasks"].as_array().unwrap().iter().map(|task| task["task"].as_str().unwrap().to_owned());
    let mut kinds: Vec<String> = kinds.collect();
    kinds.sort();
    kinds
}

async fn page(staff: &StaffClient, application: &str) -> Value {
    let path = format!("/admin-panel/applications/{application}");
    let answer = staff.see(&path).header("accept", "application/json").send().await;
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.json()["props"]["frame"].clone()
}

async fn act(staff: &StaffClient, application: &str, act: &str, body: Value) {
    let revision = page(staff, application).await["revision"].to_string();
    let path = format!("/api/admins/applications/{application}/{act}");
    let answer = staff.api("POST", &path).header("if-match", &format!("\"{revision}\"")).json(&body).send().await;
    assert_eq!(answer.status, 200, "{answer:?}");
}

async fn closed(database: &Database, kind: &str) -> Vec<String> {
    database
        .texts(&format!(
            "SELECT COALESCE(closed_by, 'cause') FROM staff_tasks WHERE kind = '{kind}' AND done_at IS NOT NULL"
        ))
        .await
}

story! {
    async fn a_task_goes_with_its_cause_and_comes_back_with_it(database: Database) {
        let world = World::start(database.db()).await;
        let id = id_of(&world.submitted().await).await;
        let owner = staff_client(&world, Role::Owner).await;
        assert_eq!(open(&owner, &id).await, ["alert"], "that it was submitted");
        for kind in [TaskKind::Slow, TaskKind::CardPayment] {
            give(&world, &id, kind).await;
        }
        let frame = page(&owner, &id).await;
        assert_eq!((frame["needsAction"].as_bool(), frame["tasks"].as_array().unwrap().len()), (Some(true), 3), "{frame}");
        assert_eq!(frame["tasks"][0]["detail"], "Submitted");

        world.clock.advance(MINUTE);
        act(&owner, &id, "withdraw", json!({ "reason": "A demo" })).await;
        assert_eq!(open(&owner, &id).await, ["card-payment"], "money is owed whatever becomes of it");
        assert_eq!(closed(&database, "slow").await, ["stage"]);
        world.clock.advance(MINUTE);
        act(&owner, &id, "undo-withdraw", json!({})).await;
        assert_eq!(open(&owner, &id).await, ["alert", "card-payment", "slow"], "what was to do is to do again");

        let body = json!({ "sections": ["employment"], "message": "A demo", "dueOn": "2026-06-01" });
        act(&owner, &id, "request-changes", body).await;
        assert_eq!(open(&owner, &id).await, ["card-payment"], "it does not wait for us any more");
    }

    async fn what_nothing_closes_is_ticked_off_with_a_word(database: Database) {
        let world = World::start(database.db()).await;
        let id = id_of(&world.submitted().await).await;
        let (reviewer, viewer) = (staff_client(&world, Role::Reviewer).await, staff_client(&world, Role::Viewer).await);
        give(&world, &id, TaskKind::Contract).await;
        let frame = page(&reviewer, &id).await;
        let task = |title: &str| frame["tasks"].as_array().unwrap().iter().find(|task| task["title"] == title).unwrap().clone();
        let (alert, contract) = (task("See what has changed"), task("Prepare and send the contract"));
        assert_eq!((&alert["mayTickOff"], &contract["mayTickOff"]), (&json!(true), &json!(false)));
        assert!(page(&viewer, &id).await["tasks"].as_array().unwrap().iter().all(|task| task["mayTickOff"] == false));

        let path = format!("/admin-panel/applications/{id}/tasks");
        let close = format!("close:{}", alert["id"].as_str().unwrap());
        assert_eq!(viewer.send(&path, &[("_action", &close)]).send().await.status, 403);
        let long = reviewer.send(&path, &[("_action", &close), ("taskNote", &"x".repeat(501))]).send().await;
        let again = long.assert_document(422, "adminApplication");
        assert!(again["props"]["form"]["errors"]["taskNote"].as_str().unwrap().contains("at most 500"), "{again}");
        let itself = format!("close:{}", contract["id"].as_str().unwrap());
        assert_eq!(reviewer.send(&path, &[("_action", &itself)]).send().await.status, 409);
        let done = reviewer.send(&path, &[("_action", &close), ("taskNote", "Read it.")]).send().await;
        let task_id = alert["id"].as_str().unwrap();
        let place = format!("/admin-panel/applications/{id}?done=ticked-off&what={task_id}");
        done.assert_redirect(303, &place);
        assert_eq!(open(&reviewer, &id).await, ["contract"]);
        assert_eq!(database.texts("SELECT note FROM staff_tasks WHERE kind = 'alert'").await, ["Read it."]);
        assert_eq!(closed(&database, "alert").await, [format!("staff:{}", reviewer.staff.id)]);
        let call = format!("/api/admins/applications/{id}/tasks/{}/done", alert["id"].as_str().unwrap());
        reviewer.api("POST", &call).json(&json!({})).send().await.assert_problem(404, "task.not_found");
        let call = format!("/api/admins/applications/{id}/tasks/{}/done", contract["id"].as_str().unwrap());
        reviewer.api("POST", &call).json(&json!({})).send().await.assert_problem(409, "task.closes_itself");
        // Whoever completed it can undo that while there is still something to do.
        let undo = reviewer.see(&place).send().await.assert_document(200, "adminApplication")["props"]["frame"]["undo"].clone();
        assert_eq!((&undo["href"], &undo["fields"][0]), (&json!(path), &json!(["_action", format!("open:{task_id}")])));
        let other = staff_client(&world, Role::Reviewer).await;
        let call = format!("/api/admins/applications/{id}/tasks/{task_id}/done");
        other.api("DELETE", &call).send().await.assert_problem(404, "task.not_found");
        let refused = other.send(&path, &[("_action", &format!("open:{task_id}"))]).send().await;
        refused.assert_redirect(303, &format!("/admin-panel/applications/{id}?done=stays-closed"));
        assert_eq!(reviewer.send(&path, &[("_action", &format!("open:{task_id}"))]).send().await.status, 303);
        assert_eq!(open(&reviewer, &id).await, ["alert", "contract"]);
        assert_eq!(reviewer.api("POST", &call).json(&json!({})).send().await.status, 204);
        assert_eq!(reviewer.api("DELETE", &call).send().await.status, 204);
        reviewer.api("DELETE", &call).send().await.assert_problem(404, "task.not_found");
        assert_eq!(reviewer.api("POST", &call).json(&json!({})).send().await.status, 204);
        assert_eq!(open(&reviewer, &id).await, ["contract"]);
        give(&world, &id, TaskKind::CardPayment).await;
        let finance = staff_client(&world, Role::Finance).await;
        let theirs: Vec<bool> = page(&finance, &id).await["tasks"].as_array().unwrap().iter().map(|task| task["mayTickOff"].as_bool().unwrap()).collect();
        assert_eq!(theirs, [false, true], "what is about money is Finance's as well");
        let timeline = reviewer.see(&format!("/admin-panel/applications/{id}/timeline")).send().await.text;
        assert!(timeline.contains("Task ticked off"), "the record says so");
        give(&world, &id, TaskKind::Slow).await;
        let slow = page(&reviewer, &id).await["tasks"][2]["id"].as_str().unwrap().to_owned();
        let call = format!("/api/admins/applications/{id}/tasks/{slow}/done");
        reviewer.api("POST", &call).json(&json!({ "note": "x".repeat(501) })).send().await.assert_problem(422, "note.too_long");
        assert_eq!(reviewer.api("POST", &call).json(&json!({ "note": "Called them." })).send().await.status, 204);
    }

    async fn a_job_closes_what_was_missed(database: Database) {
        let world = World::start(database.db()).await;
        let (stale, fresh) = (world.submitted().await, world.submitted().await);
        let (stale, fresh) = (id_of(&stale).await, id_of(&fresh).await);
        let owner = staff_client(&world, Role::Owner).await;
        give(&world, &stale, TaskKind::Slow).await;
        world.clock.advance(MINUTE);
        act(&owner, &stale, "withdraw", json!({ "reason": "A demo" })).await;
        give(&world, &fresh, TaskKind::Slow).await;
        // As it was before tasks closed with their cause.
        database.run("UPDATE staff_tasks SET done_at = NULL, closed_by = NULL").await.unwrap();
        assert_eq!(open(&owner, &stale).await, ["alert", "slow"]);
        world.app.plan_recurring().await.unwrap();
        world.clock.advance(MINUTE);
        world.work().await;
        assert!(open(&owner, &stale).await.is_empty());
        assert_eq!(open(&owner, &fresh).await, ["alert", "slow"], "it is still so");
    }
}
