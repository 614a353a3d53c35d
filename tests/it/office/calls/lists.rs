//! The list's views and the figures, by call.

use matricula::domain::moments::MINUTE;
use matricula::domain::role::Role;
use serde_json::json;

use super::{about, applied, assert_beside, get, json_of, post};
use crate::office::staff_client;
use crate::support::databases::story;
use crate::support::server::World;

const VIEWS: &str = "/api/admins/views";

story! {
    async fn views_are_kept_renamed_and_deleted_by_call(database: Database) {
        let world = World::start(database.db()).await;
        let (reviewer, viewer) = (staff_client(&world, Role::Reviewer).await, staff_client(&world, Role::Viewer).await);
        let body = json!({ "name": "Long waiting", "query": "tab=submitted&waiting=14", "shared": true });
        for _ in 0..2 {
            let call = reviewer.api("POST", VIEWS).header("idempotency-key", "once").json(&body);
            json_of(&call.send().await, 204);
        }
        post(&viewer, VIEWS, body.clone()).await.assert_problem(403, "role.forbidden");
        json_of(&post(&viewer, VIEWS, json!({ "name": "All" })).await, 204);
        let views = json_of(&get(&viewer, VIEWS).await, 200)["views"].as_array().unwrap().clone();
        assert_eq!(views.len(), 2, "{views:?}");
        let shared = views.iter().find(|view| view["shared"] == true).unwrap();
        assert_eq!((&shared["name"], &shared["canChange"]), (&json!("Long waiting"), &json!(false)));
        assert!(shared["query"].as_str().unwrap().contains("waiting=14"), "{shared}");
        let path = format!("{VIEWS}/{}", shared["id"].as_str().unwrap());
        let rename = json!({ "name": "Very long waiting", "seen": "Long waiting" });
        viewer.api("PATCH", &path).json(&rename).send().await.assert_problem(404, "view.not_found");
        json_of(&reviewer.api("PATCH", &path).json(&rename).send().await, 204);
        assert_beside(&reviewer.api("PATCH", &path).json(&rename).send().await, "name.changed", "name");
        assert_beside(&post(&reviewer, VIEWS, json!({})).await, "name.required", "name");
        assert_beside(&post(&reviewer, VIEWS, json!({ "name": "x".repeat(61) })).await, "name.length", "name");
        assert_beside(&post(&reviewer, VIEWS, json!({ "name": "x", "query": "tab=nowhere" })).await, "query.invalid", "query");
        viewer.api("DELETE", &path).send().await.assert_problem(404, "view.not_found");
        json_of(&reviewer.api("DELETE", &path).send().await, 204);
        assert_eq!(json_of(&get(&reviewer, VIEWS).await, 200)["views"], json!([]));
    }

    async fn a_view_is_saved_as_a_file_by_call(database: Database) {
        let world = World::start(database.db()).await;
        let (_, id) = applied(&world).await;
        let (reviewer, viewer) = (staff_client(&world, Role::Reviewer).await, staff_client(&world, Role::Viewer).await);
        let reference = json_of(&get(&reviewer, &about(&id, "")).await, 200)["reference"].as_str().unwrap().to_owned();
        let path = "/api/admins/applications.csv";
        let file = get(&reviewer, &format!("{path}?tab=all")).await;
        assert_eq!((file.status, file.header("content-type")), (200, "text/csv; charset=utf-8"), "{file:?}");
        assert!(file.text.contains("Reference,First name") && file.text.contains(&reference), "{file:?}");
        let workbook = get(&reviewer, "/api/admins/applications.xlsx?tab=all").await;
        assert_eq!((workbook.status, &workbook.bytes[..2]), (200, &b"PK"[..]));
        assert_eq!(database.texts("SELECT id FROM audit WHERE action = 'applications.exported'").await.len(), 2);
        get(&reviewer, &format!("{path}?tab=nowhere")).await.assert_problem(422, "tab.invalid");
        get(&viewer, path).await.assert_problem(403, "role.forbidden");
        world.clock.advance(6 * MINUTE);
        get(&reviewer, path).await.assert_problem(401, "auth.step_up");
    }

    async fn the_record_and_what_goes_wrong_are_told_by_call(database: Database) {
        let world = World::start(database.db()).await;
        let (ada, id) = applied(&world).await;
        let owner = staff_client(&world, Role::Owner).await;
        let path = "/api/admins/audit";
        let found = json_of(&get(&owner, &format!("{path}?application={id}&action=application.submitted")).await, 200);
        assert_eq!(found["lines"].as_array().unwrap().len(), 1, "{found}");
        assert_eq!((&found["lines"][0]["subject"], &found["next"]), (&json!(format!("application:{id}")), &json!(null)));
        for number in 0..51 {
            json_of(&post(&owner, &about(&id, "/owner"), json!({ "owner": if number % 2 == 0 { owner.staff.id.as_str() } else { "nobody" } })).await, 204);
        }
        let first = json_of(&get(&owner, &format!("{path}?action=application.assigned")).await, 200);
        let next = first["next"].as_str().unwrap();
        let second = json_of(&get(&owner, &format!("{path}?action=application.assigned&before={next}")).await, 200);
        assert_eq!((first["lines"].as_array().unwrap().len(), second["lines"].as_array().unwrap().len()), (50, 1));
        assert_eq!(first["lines"][0]["name"], "Demo Owner");
        assert_beside(&get(&owner, &format!("{path}?person=nobody@example.org")).await, "person.unknown", "person");
        get(&staff_client(&world, Role::Decider).await, path).await.assert_problem(403, "role.forbidden");

        ada.post("/api/users/application/withdraw").json(&json!({})).send().await.assert_problem(422, "reason.required");
        json_of(&get(&owner, "/api/admins/form-health?days=7").await, 200);
        assert_beside(&get(&owner, "/api/admins/form-health?days=8").await, "days.unknown", "days");
    }

    async fn figures_are_told_by_call(database: Database) {
        let world = World::start(database.db()).await;
        applied(&world).await;
        let viewer = staff_client(&world, Role::Viewer).await;
        let figures = json_of(&get(&viewer, "/api/admins/figures").await, 200);
        let week = figures["spans"].as_array().unwrap().last().unwrap();
        let place = figures["statuses"].as_array().unwrap().iter().position(|status| status == "incomplete").unwrap();
        assert_eq!((&week["from"], &week["submitted"], &week["byStatus"][place]), (&json!("2026-05-04"), &json!(1), &json!(1)));
        assert_eq!((&figures["waiting"][0]["stage"], &figures["waiting"][0]["counts"][0]), (&json!("submitted"), &json!(1)));
        assert_eq!(figures["steps"][1], json!({ "stage": "submitted", "count": 1 }));
        let others = json_of(&get(&viewer, "/api/admins/figures?program=msc&period=4w").await, 200);
        assert_eq!((&others["from"], &others["waiting"][0]["counts"][0]), (&json!("2026-04-13"), &json!(0)));
        assert_beside(&get(&viewer, "/api/admins/figures?from=2026-05-04&to=2026-05-03").await, "to.order", "to");
        assert_beside(&get(&viewer, "/api/admins/figures.csv?program=phd").await, "program.invalid", "program");
        let file = get(&viewer, "/api/admins/figures.csv").await;
        assert_eq!((file.status, file.header("content-type")), (200, "text/csv; charset=utf-8"), "{file:?}");
        assert!(file.text.contains("Conversion,Submitted,Applications,1\r\n"), "{file:?}");
    }

    async fn reports_are_kept_mailed_and_deleted_by_call(database: Database) {
        let world = World::start(database.db()).await;
        let (reviewer, viewer) = (staff_client(&world, Role::Reviewer).await, staff_client(&world, Role::Viewer).await);
        let path = "/api/admins/figures/reports";
        let body = json!({ "name": "Four weeks", "query": "period=4w&program=ba" });
        for _ in 0..2 {
            json_of(&viewer.api("POST", path).header("idempotency-key", "once").json(&body).send().await, 204);
        }
        assert_beside(&post(&reviewer, path, body.clone()).await, "name.taken", "name");
        assert_beside(&post(&reviewer, path, json!({ "query": "" })).await, "name.required", "name");
        assert_beside(&post(&reviewer, path, json!({ "name": "x", "query": "from=soon&to=2026-01-01" })).await, "query.invalid", "query");
        let reports = json_of(&get(&reviewer, path).await, 200)["reports"].clone();
        assert_eq!((&reports[0]["query"], &reports[0]["canDelete"], &reports[0]["mailed"]), (&body["query"], &json!(true), &json!(false)));
        let report = format!("{path}/{}", reports[0]["id"].as_str().unwrap());
        json_of(&reviewer.api("POST", &format!("{report}/mails")).send().await, 204);
        assert_eq!(json_of(&get(&reviewer, path).await, 200)["reports"][0]["mailed"], true);
        assert_eq!(json_of(&get(&viewer, path).await, 200)["reports"][0]["mailed"], false);
        json_of(&reviewer.api("DELETE", &format!("{report}/mails")).send().await, 204);
        assert_eq!(json_of(&get(&reviewer, path).await, 200)["reports"][0]["mailed"], false);
        json_of(&reviewer.api("DELETE", &report).send().await, 204);
        viewer.api("DELETE", &report).send().await.assert_problem(404, "view.not_found");
        viewer.api("POST", &format!("{report}/mails")).send().await.assert_problem(404, "view.not_found");
    }
}
