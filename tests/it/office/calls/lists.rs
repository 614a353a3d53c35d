//! Views of the list and its figures, by call.

use matricula::domain::role::Role;
use serde_json::json;

use super::{applied, assert_beside, get, post, told};
use crate::office::member;
use crate::support::databases::story;
use crate::support::server::World;

const VIEWS: &str = "/api/admins/views";

story! {
    async fn views_are_kept_renamed_and_deleted_by_call(database: Database) {
        let world = World::start(database.db()).await;
        let (reviewer, viewer) = (member(&world, Role::Reviewer).await, member(&world, Role::Viewer).await);
        let body = json!({ "name": "Long waiting", "query": "tab=submitted&waiting=14", "shared": true });
        for _ in 0..2 {
            let call = reviewer.api("POST", VIEWS).header("idempotency-key", "once").json(&body);
            told(&call.send().await, 204);
        }
        post(&viewer, VIEWS, body.clone()).await.assert_problem(403, "role.forbidden");
        told(&post(&viewer, VIEWS, json!({ "name": "All" })).await, 204);
        let views = told(&get(&viewer, VIEWS).await, 200)["views"].as_array().unwrap().clone();
        assert_eq!(views.len(), 2, "{views:?}");
        let shared = views.iter().find(|view| view["shared"] == true).unwrap();
        assert_eq!((&shared["name"], &shared["canChange"]), (&json!("Long waiting"), &json!(false)));
        assert!(shared["query"].as_str().unwrap().contains("waiting=14"), "{shared}");
        let path = format!("{VIEWS}/{}", shared["id"].as_str().unwrap());
        let rename = json!({ "name": "Very long waiting", "seen": "Long waiting" });
        viewer.api("PATCH", &path).json(&rename).send().await.assert_problem(404, "view.not_found");
        told(&reviewer.api("PATCH", &path).json(&rename).send().await, 204);
        assert_beside(&reviewer.api("PATCH", &path).json(&rename).send().await, "name.changed", "name");
        assert_beside(&post(&reviewer, VIEWS, json!({})).await, "name.required", "name");
        assert_beside(&post(&reviewer, VIEWS, json!({ "name": "x".repeat(61) })).await, "name.length", "name");
        assert_beside(&post(&reviewer, VIEWS, json!({ "name": "x", "query": "tab=nowhere" })).await, "query.invalid", "query");
        viewer.api("DELETE", &path).send().await.assert_problem(404, "view.not_found");
        told(&reviewer.api("DELETE", &path).send().await, 204);
        assert_eq!(told(&get(&reviewer, VIEWS).await, 200)["views"], json!([]));
    }

    async fn figures_are_told_by_call(database: Database) {
        let world = World::start(database.db()).await;
        applied(&world).await;
        let viewer = member(&world, Role::Viewer).await;
        let figures = told(&get(&viewer, "/api/admins/figures").await, 200);
        let week = figures["weeks"].as_array().unwrap().last().unwrap();
        let place = figures["statuses"].as_array().unwrap().iter().position(|status| status == "incomplete").unwrap();
        assert_eq!((&week["monday"], &week["submitted"], &week["byStatus"][place]), (&json!("2026-05-04"), &json!(1), &json!(1)));
        assert_eq!((&figures["waiting"][0]["stage"], &figures["waiting"][0]["counts"][0]), (&json!("submitted"), &json!(1)));
    }
}
