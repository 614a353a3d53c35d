//! One person who applied twice: found by similarity, merged with undo, or marked as different people.

use matricula::domain::role::Role;
use serde_json::{Value, json};

use super::{StaffClient, staff_client};
use crate::support::databases::story;
use crate::support::server::{Answer, Client, World, complete_answers, registration};

async fn id_of(client: &Client) -> String {
    client.get("/api/users/application").send().await.json()["id"].as_str().unwrap().to_owned()
}

async fn status_of(client: &Client) -> String {
    client.get("/api/users/application").send().await.json()["status"].as_str().unwrap_or("none").to_owned()
}

/// An applicant who has submitted and is registered with the same data as the others, except for `other`.
async fn submitted_as(world: &World, other: Value) -> Client {
    let mut client = world.visitor();
    let mut person = registration(&client.email);
    person.as_object_mut().unwrap().extend(other.as_object().unwrap().clone());
    let answer = client.post("/api/users/register").json(&person).send().await;
    assert_eq!(answer.status, 201, "{answer:?}");
    client.enter(&answer);
    let saved = client.post("/api/users/application").json(&complete_answers()).send().await;
    assert_eq!(saved.status, 200, "{saved:?}");
    let submit = client.post("/api/users/application/submit").json(&json!({ "declaration": true }));
    assert_eq!(submit.send().await.status, 200);
    client
}

fn path(id: &str) -> String {
    format!("/admin-panel/applications/{id}/duplicates")
}

async fn props(member: &StaffClient, path: &str) -> Value {
    let page = member.see(path).header("accept", "application/json").send().await;
    assert_eq!(page.status, 200, "{path}: {page:?}");
    page.json()["props"].clone()
}

async fn judged(member: &StaffClient, id: &str, other: &str, action: &str) -> Answer {
    let fields = [("_action", action), ("other", other)];
    member.send(&path(id), &fields).header("accept", "application/json").send().await
}

story! {
    async fn who_is_alike_is_found_and_nobody_else(database: Database) {
        let world = World::start(database.db()).await;
        let ada = submitted_as(&world, json!({ "firstName": "Zoë", "lastName": "O’Demo" })).await;
        let same_name = json!({ "firstName": "zoe", "lastName": "ODEMO", "phoneNumber": "+15550100111" });
        let same_phone = json!({ "firstName": "Other", "lastName": "Name" });
        let alike = [id_of(&submitted_as(&world, same_name.clone()).await).await, id_of(&submitted_as(&world, same_phone).await).await];
        let mut later_born = same_name;
        later_born["dateOfBirth"] = json!("1990-03-01");
        submitted_as(&world, later_born).await;
        submitted_as(&world, json!({ "firstName": "Ann", "lastName": "Other", "phoneNumber": "+15550100112" })).await;
        let reviewer = staff_client(&world, Role::Reviewer).await;
        let page = props(&reviewer, &path(&id_of(&ada).await)).await;
        let found: Vec<&str> = page["duplicates"].as_array().unwrap().iter().map(|duplicate| duplicate["id"].as_str().unwrap()).collect();
        assert_eq!(found.len(), 2, "{page}");
        assert!(alike.iter().all(|id| found.contains(&id.as_str())), "{page}");
        assert!(page["frame"]["alike"]["open"].as_bool().unwrap());
        // What distinguishes people is personal: a role that may not see it is shown nothing.
        let viewer = staff_client(&world, Role::Viewer).await;
        let frame = props(&viewer, path(&id_of(&ada).await).trim_end_matches("/duplicates")).await["frame"].clone();
        assert_eq!(frame["alike"], Value::Null);
    }

    async fn merging_withdraws_the_other_one_and_is_undone(database: Database) {
        let world = World::start(database.db()).await;
        let (ada, duplicate) = (world.submitted().await, world.submitted().await);
        let (kept, other) = (id_of(&ada).await, id_of(&duplicate).await);
        let reviewer = staff_client(&world, Role::Reviewer).await;
        for _ in 0..2 {
            let merged = judged(&reviewer, &kept, &other, "merge").await;
            assert_eq!(merged.status, 303, "{merged:?}");
        }
        assert_eq!(status_of(&duplicate).await, "none");
        assert_eq!(status_of(&ada).await, "incomplete");
        assert_eq!(database.count("duplicates").await, 1);
        assert_eq!(database.count("audit WHERE action = 'duplicate.merged'").await, 2);
        let page = props(&reviewer, &path(&kept)).await;
        assert_eq!(page["frame"]["alike"]["open"], json!(false), "{page}");
        assert!(page["duplicates"][0]["verdict"].as_str().unwrap().starts_with("Merged: this application goes on"), "{page}");
        let page = props(&reviewer, &path(&other)).await;
        assert!(page["duplicates"][0]["verdict"].as_str().unwrap().starts_with("Merged: the other application goes on"));
        assert_eq!(judged(&reviewer, &kept, &other, "different").await.status, 412);

        // From either side, and once.
        for _ in 0..2 {
            assert_eq!(judged(&reviewer, &other, &kept, "undo").await.status, 303);
        }
        assert_eq!(status_of(&duplicate).await, "incomplete");
        assert_eq!(database.count("duplicates").await, 0);
        assert_eq!(database.count("audit WHERE action = 'duplicate.undone'").await, 2);
        let timeline = format!("/admin-panel/applications/{other}/timeline");
        let events = props(&reviewer, &timeline).await["events"].to_string();
        assert!(events.contains("Merged with another application of the same person"), "{events}");
    }

    async fn two_people_are_told_apart(database: Database) {
        let world = World::start(database.db()).await;
        let (ada, ben) = (world.submitted().await, world.submitted().await);
        let (one, other) = (id_of(&ada).await, id_of(&ben).await);
        let reviewer = staff_client(&world, Role::Reviewer).await;
        for id in ["", "0", &one] {
            assert_eq!(judged(&reviewer, &one, id, "merge").await.status, 404, "{id}");
        }
        assert_eq!(judged(&reviewer, &one, &other, "nothing").await.status, 400);
        for _ in 0..2 {
            assert_eq!(judged(&reviewer, &one, &other, "different").await.status, 303);
        }
        assert_eq!(database.count("audit WHERE action = 'duplicate.different'").await, 2);
        assert_eq!(props(&reviewer, &path(&other)).await["frame"]["alike"], Value::Null);
        assert_eq!((status_of(&ada).await.as_str(), status_of(&ben).await.as_str()), ("incomplete", "incomplete"));
        assert_eq!(judged(&reviewer, &other, &one, "undo").await.status, 303);
        assert_eq!(props(&reviewer, &path(&other)).await["frame"]["alike"]["open"], json!(true));
        // Interviewers may not judge.
        let interviewer = staff_client(&world, Role::Interviewer).await;
        assert_eq!(judged(&interviewer, &one, &other, "merge").await.status, 403);
    }

    async fn what_came_back_otherwise_is_only_noted(database: Database) {
        let world = World::start(database.db()).await;
        let (ada, duplicate) = (world.submitted().await, world.submitted().await);
        let (kept, other) = (id_of(&ada).await, id_of(&duplicate).await);
        let reviewer = staff_client(&world, Role::Reviewer).await;
        // It was withdrawn before: merging only records it, and undoing the merge leaves it withdrawn.
        assert_eq!(duplicate.post("/api/users/application/withdraw").json(&json!({ "reason": "Elsewhere" })).send().await.status, 200);
        assert_eq!(judged(&reviewer, &kept, &other, "merge").await.status, 303);
        assert_eq!(judged(&reviewer, &kept, &other, "undo").await.status, 303);
        assert_eq!(status_of(&duplicate).await, "none");
    }
}
