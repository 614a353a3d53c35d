//! Confirming the password without JavaScript: the request is carried along and done right after.

use matricula::domain::moments::MINUTE;
use matricula::domain::role::Role;

use super::{hired, staff_client};
use crate::support::databases::story;
use crate::support::server::{PASSWORD, World};

story! {
    async fn a_form_that_asks_for_the_password_is_done_right_after(database: Database) {
        let world = World::start(database.db()).await;
        let owner = staff_client(&world, Role::Owner).await;
        world.clock.advance(5 * MINUTE);
        let form = [("_action", "invite"), ("email", "a \"new\" <one>@example.org"), ("role", "viewer")];
        let asked = owner.send("/admin-panel/admins", &form).send().await;
        let page = asked.assert_document(401, "adminStepUp");
        assert_eq!((page["props"]["idle"].as_bool(), page["props"]["to"].as_str()), (Some(false), Some("/admin-panel/admins")));
        let carry = |page: &serde_json::Value, password: &'static str| {
            let mut fields = vec![("_to".to_owned(), page["props"]["to"].as_str().unwrap().to_owned()), ("_method".into(), "post".into())];
            for field in page["props"]["fields"].as_array().unwrap() {
                fields.push((field["name"].as_str().unwrap().into(), field["value"].as_str().unwrap().into()));
            }
            fields.push(("password".into(), password.into()));
            fields
        };
        let send = async |fields: Vec<(String, String)>| {
            let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
            owner.send("/admin-panel/step-up", &fields).send().await
        };
        let wrong = send(carry(&page, "wrong password")).await.assert_document(422, "adminStepUp");
        assert_eq!(wrong["props"]["fields"], page["props"]["fields"], "nothing is lost");
        assert_eq!(database.count("staff_invitations").await, 0);
        let done = send(carry(&wrong, PASSWORD)).await.assert_document(422, "adminAdmins");
        assert_eq!(done["props"]["form"]["values"]["email"], "a \"new\" <one>@example.org", "and answered as if it came now");
        assert!(done["props"]["form"]["errors"]["email"].is_string());
        assert_eq!(done["shared"]["path"], "/admin-panel/admins");

        world.clock.advance(6 * MINUTE);
        let form = [("_action", "invite"), ("email", "new@example.org"), ("role", "viewer")];
        let page = owner.send("/admin-panel/admins", &form).send().await.assert_document(401, "adminStepUp");
        send(carry(&page, PASSWORD)).await.assert_redirect(303, "/admin-panel/admins?done=invited");
        assert_eq!(database.count("staff_invitations").await, 1);
        // It is not asked for again for five minutes.
        world.clock.advance(4 * MINUTE);
        let form = [("_action", "invite"), ("email", "second@example.org"), ("role", "viewer")];
        owner.send("/admin-panel/admins", &form).send().await.assert_redirect(303, "/admin-panel/admins?done=invited");
    }

    async fn what_is_carried_along_meets_its_own_gate(database: Database) {
        let world = World::start(database.db()).await;
        let (viewer, other) = (staff_client(&world, Role::Viewer).await, hired(&world, Role::Decider).await);
        let path = format!("/admin-panel/admins/{}", other.id);
        let carried = async |to: &str| {
            let form = [("_to", to), ("_method", "post"), ("carried._action", "suspend"), ("password", PASSWORD)];
            viewer.send("/admin-panel/step-up", &form).send().await
        };
        carried(&path).await.assert_document(403, "adminProblem");
        for nowhere in ["/dashboard", "//evil.example", "/admin-panel/step-up", "/admin-panel/login", "/admin-panel/nowhere", "https://evil.example/admin-panel/admins"] {
            carried(nowhere).await.assert_redirect(303, "/admin-panel/work");
        }
        assert_eq!(database.count("staff WHERE suspended_at IS NOT NULL").await, 0);
        let elsewhere = viewer.see("/admin-panel/step-up?next=https%3A%2F%2Fevil.example").send().await;
        assert_eq!(elsewhere.page()["props"]["to"], "/admin-panel/work");
    }

    async fn a_password_is_never_carried_along(database: Database) {
        let world = World::start(database.db()).await;
        let viewer = staff_client(&world, Role::Viewer).await;
        world.clock.advance(20 * MINUTE);
        let form = [("_action", "password"), ("currentPassword", PASSWORD), ("password", "another phrase of words")];
        let asked = viewer.send("/admin-panel/account", &form).send().await;
        let page = asked.assert_document(401, "adminStepUp");
        assert_eq!(page["props"]["idle"], true);
        assert!(!asked.text.contains(PASSWORD) && !asked.text.contains("another phrase"), "{}", asked.text);
        assert_eq!(page["props"]["fields"], serde_json::json!([{ "name": "carried._action", "value": "password" }]));
    }
}
