//! Settings over the API.

use matricula::domain::role::Role;
use serde_json::{Value, json};

use super::{StaffClient, staff_client};
use crate::support::databases::story;
use crate::support::server::{Answer, World};

const PATH: &str = "/api/admins/settings";

async fn get(member: &StaffClient, path: &str) -> Answer {
    member.api("GET", &format!("{PATH}{path}")).send().await
}

async fn change(member: &StaffClient, name: &str, body: Value) -> Answer {
    member.api("PATCH", &format!("{PATH}/{name}")).json(&body).send().await
}

async fn restore(member: &StaffClient, name: &str, body: Value) -> Answer {
    member.api("POST", &format!("{PATH}/{name}/restore")).json(&body).send().await
}

fn names(list: &Answer) -> Vec<String> {
    let settings = list.json()["settings"].as_array().unwrap().clone();
    settings.iter().map(|setting| setting["name"].as_str().unwrap().to_owned()).collect()
}

story! {
    async fn every_setting_is_read_changed_and_restored(database: Database) {
        let world = World::start(database.db()).await;
        let owner = staff_client(&world, Role::Owner).await;
        let all = names(&get(&owner, "").await);
        for name in &all {
            let setting = get(&owner, &format!("/{name}")).await;
            assert_eq!((setting.status, &setting.json()["version"]), (200, &json!(0)), "{setting:?}");
            assert_eq!(get(&owner, &format!("/{name}/versions")).await.json()["versions"], json!([]));
        }
        assert!(["bachelor", "reasons", "slot-rules", "mail-status-update", "letter-offer"].iter().all(|name| all.contains(&(*name).to_owned())));

        let changed = change(&owner, "bachelor", json!({ "replaces": 0, "values": { "price": "$25,500" } })).await;
        assert_eq!(changed.status, 200, "{changed:?}");
        let body = changed.json();
        assert_eq!((&body["version"], &body["changedBy"]), (&json!(1), &json!("Demo Owner")));
        assert_eq!((&body["fields"][0]["value"], &body["fields"][0]["builtIn"]), (&json!("25500"), &json!("24800")));
        // Fields that are left out stay, and repeating a change changes nothing.
        let changed = change(&owner, "bachelor", json!({ "replaces": 1, "values": { "promise.en": "Learn." } })).await;
        assert_eq!((&changed.json()["version"], &changed.json()["fields"][0]["value"]), (&json!(2), &json!("25500")));
        let same = change(&owner, "bachelor", json!({ "replaces": 2, "values": { "promise.en": "Learn." } })).await;
        assert_eq!(same.json()["version"], 2);
        change(&owner, "bachelor", json!({ "replaces": 1, "values": { "price": "1" } })).await.assert_problem(412, "setting.stale");

        let back = restore(&owner, "bachelor", json!({ "replaces": 2, "version": 1 })).await;
        assert_eq!((back.status, &back.json()["version"]), (200, &json!(3)), "{back:?}");
        let again = restore(&owner, "bachelor", json!({ "replaces": 2, "version": 1 })).await;
        assert_eq!((again.status, &again.json()["version"]), (200, &json!(3)), "sent again it is done once");
        restore(&owner, "bachelor", json!({ "replaces": 2, "version": 0 })).await.assert_problem(412, "setting.stale");
        restore(&owner, "bachelor", json!({ "replaces": 3, "version": 9 })).await.assert_problem(412, "setting.stale");
        let versions = get(&owner, "/bachelor/versions").await.json()["versions"].clone();
        assert_eq!((&versions[0]["restoredFrom"], &versions[0]["values"]), (&json!(1), &json!({ "price": "25500" })));
        assert_eq!(versions.as_array().unwrap().len(), 3);
        let page = world.visitor().get("/bachelor/apply").send().await;
        assert!(page.text.contains("$25,500"));
    }

    async fn bad_changes_are_refused_by_field_and_roles_by_setting(database: Database) {
        let world = World::start(database.db()).await;
        let (owner, decider) = (staff_client(&world, Role::Owner).await, staff_client(&world, Role::Decider).await);
        for (body, code) in [
            (json!({}), "replaces.required"),
            (json!({ "replaces": 0 }), "values.required"),
            (json!({ "replaces": "0", "values": {} }), "replaces.type"),
            (json!({ "replaces": 0, "values": [] }), "values.type"),
            (json!({ "replaces": 0, "values": { "price": 25500 } }), "values.type"),
            (json!({ "replaces": 0, "values": { "prise": "25500" } }), "field.unknown"),
            (json!({ "replaces": 0, "values": {}, "note": "x" }), "field.unknown"),
            (json!({ "replaces": 0, "values": { "price": "a lot" } }), "price.range"),
        ] {
            change(&owner, "bachelor", body).await.assert_problem(422, code);
        }
        let refused = change(&owner, "letter-offer", json!({ "replaces": 0, "values": { "text.en": "{reasons}" } })).await;
        assert!(refused.json()["fields"]["values.text.en"].as_str().unwrap().contains("There is no field {reasons}"), "{refused:?}");
        restore(&owner, "bachelor", json!({ "replaces": 0 })).await.assert_problem(422, "version.required");
        for path in ["/nothing", "/nothing/versions"] {
            get(&owner, path).await.assert_problem(404, "setting.not_found");
        }
        assert_eq!(database.count("settings").await, 0);

        let theirs = names(&get(&decider, "").await);
        assert!(theirs.iter().all(|name| name == "snippets" || name.starts_with("mail-") || name.starts_with("letter-")), "{theirs:?}");
        assert_eq!(theirs.len(), 58);
        for path in ["/reasons", "/reasons/versions"] {
            get(&decider, path).await.assert_problem(403, "role.forbidden");
        }
        change(&decider, "reasons", json!({ "replaces": 0, "values": {} })).await.assert_problem(403, "role.forbidden");
        restore(&decider, "reasons", json!({ "replaces": 0, "version": 0 })).await.assert_problem(403, "role.forbidden");
        let letter = change(&decider, "letter-no-place", json!({ "replaces": 0, "values": { "text.en": "Sorry.\n\n{reasons}" } })).await;
        assert_eq!(letter.status, 200, "{letter:?}");
    }
}
