//! How Owners manage the accounts of others, and that one Owner always remains.

use matricula::domain::role::Role;
use matricula::store::{SessionKey, StaffChange, StaffChanged};
use serde_json::json;

use super::{StaffClient, entered, hired, staff_client};
use crate::support::databases::story;
use crate::support::rows::{NOW, entry};
use crate::support::server::{PASSWORD, World};

story! {
    async fn a_suspended_account_is_out_at_once(database: Database) {
        let world = World::start(database.db()).await;
        let (owner, viewer) = (staff_client(&world, Role::Owner).await, staff_client(&world, Role::Viewer).await);
        let path = format!("/admin-panel/admins/{}", viewer.staff.id);
        owner.send(&path, &[("_action", "suspend")]).send().await.assert_redirect(303, &format!("{path}?done=suspend"));
        viewer.api("GET", "/api/admins/me").send().await.assert_problem(401, "session.revoked");
        viewer.see("/admin-panel/account").send().await.assert_redirect(302, "/admin-panel/login");
        let log_in = async || {
            let body = json!({ "email": viewer.staff.email, "password": PASSWORD });
            world.visitor().post("/api/admins/login").json(&body).send().await
        };
        log_in().await.assert_problem(403, "staff.suspended");
        let page = owner.see(&path).send().await.assert_document(200, "adminAdmin");
        assert_eq!(page["props"]["admin"]["suspended"], true);
        owner.send(&path, &[("_action", "resume")]).send().await.assert_redirect(303, &format!("{path}?done=resume"));
        assert_eq!(log_in().await.status, 200);
        viewer.api("GET", "/api/admins/me").send().await.assert_problem(401, "session.revoked");
        let acts = database.texts("SELECT action || ' ' || detail FROM audit WHERE subject LIKE 'staff:%' AND action LIKE 'staff.%ed' ORDER BY id").await;
        assert!(acts.contains(&r#"staff.suspended {"from":"active","to":"suspended"}"#.to_owned()), "{acts:?}");
    }

    async fn a_changed_role_holds_at_once(database: Database) {
        let world = World::start(database.db()).await;
        let (owner, viewer) = (staff_client(&world, Role::Owner).await, staff_client(&world, Role::Viewer).await);
        let change = async |body| owner.api("PATCH", &format!("/api/admins/admins/{}", viewer.staff.id)).json(&body).send().await;
        change(json!({})).await.assert_problem(422, "change.none");
        change(json!({ "role": "emperor" })).await.assert_problem(422, "role.unknown");
        change(json!({ "role": "viewer", "salary": 1 })).await.assert_problem(422, "field.unknown");
        assert_eq!(change(json!({ "role": "viewer" })).await.json()["role"], "viewer");
        assert_eq!(viewer.api("GET", "/api/admins/me").send().await.status, 200, "nothing was changed");
        let path = format!("/admin-panel/admins/{}", viewer.staff.id);
        let same = owner.send(&path, &[("_action", "role"), ("role", "viewer")]).send().await;
        let page = same.assert_document(422, "adminAdmin");
        assert_eq!(page["props"]["form"]["errors"]["role"], "This is the role they have. Choose another one.");
        assert_eq!(change(json!({ "role": "decider" })).await.json()["role"], "decider");
        viewer.api("GET", "/api/admins/me").send().await.assert_problem(401, "session.revoked");
        let now = world.store.staff_by_id(&viewer.staff.id).await.unwrap().unwrap();
        let decider = entered(&world, &now).await;
        assert_eq!(decider.api("GET", "/api/admins/me").send().await.json()["role"], "decider");
        let detail = database.texts("SELECT actor || ' ' || detail FROM audit WHERE action = 'staff.role_changed'").await;
        assert_eq!(detail, [format!(r#"staff:{} {{"from":"viewer","to":"decider"}}"#, owner.staff.id)]);
        owner.api("PATCH", "/api/admins/admins/nobody").json(&json!({ "role": "viewer" })).send().await.assert_problem(404, "staff.not_found");
        owner.see("/admin-panel/admins/nobody").send().await.assert_document(404, "adminProblem");
    }

    async fn the_last_owner_stays(database: Database) {
        let world = World::start(database.db()).await;
        let owner = staff_client(&world, Role::Owner).await;
        let left = owner.send("/admin-panel/account/leave", &[("confirm", "yes")]).send().await;
        let page = left.assert_document(409, "adminAccount");
        assert!(page["props"]["forms"]["leave"]["error"].as_str().unwrap().contains("needs an active Owner"));
        owner.send("/admin-panel/account/leave", &[]).send().await.assert_document(422, "adminAccount");
        // A suspended Owner does not count.
        let other = hired(&world, Role::Owner).await;
        let path = format!("/api/admins/admins/{}", other.id);
        assert_eq!(owner.api("PATCH", &path).json(&json!({ "suspended": true })).send().await.status, 200);
        assert_eq!(owner.send("/admin-panel/account/leave", &[("confirm", "yes")]).send().await.status, 409);
        assert_eq!(owner.api("PATCH", &path).json(&json!({ "suspended": false })).send().await.status, 200);
        let left = owner.send("/admin-panel/account/leave", &[("confirm", "yes")]).send().await;
        left.assert_redirect(303, "/admin-panel/login");
        owner.see("/admin-panel/account").send().await.assert_redirect(302, "/admin-panel/login");
        let body = json!({ "email": owner.staff.email, "password": PASSWORD });
        world.visitor().post("/api/admins/login").json(&body).send().await.assert_problem(401, "auth.invalid");
    }

    async fn of_two_owners_who_act_on_each_other_at_once_one_stays(database: Database) {
        let world = World::start(database.db()).await;
        let store = &world.store;
        let change = async |actor: &str, target: &str, change: StaffChange| {
            store.change_staff(actor, target, change, &entry(), None).await.unwrap()
        };
        let demotion = StaffChange::Role { from: Role::Owner, to: Role::Viewer };
        for (one_does, two_does) in [
            (demotion, demotion),
            (StaffChange::Suspend, StaffChange::Suspend),
            (StaffChange::Remove, StaffChange::Remove),
            (demotion, StaffChange::Remove),
            (StaffChange::Suspend, demotion),
        ] {
            for _ in 0..4 {
                let (one, two) = (hired(&world, Role::Owner).await, hired(&world, Role::Owner).await);
                let outcomes = tokio::join!(change(&one.id, &two.id, one_does), change(&two.id, &one.id, two_does));
                let mut done = [outcomes.0, outcomes.1];
                done.sort_by_key(|outcome| *outcome != StaffChanged::Done);
                assert_eq!(done[0], StaffChanged::Done, "{outcomes:?}");
                assert!(matches!(done[1], StaffChanged::NoOwner | StaffChanged::LastOwner), "{outcomes:?}");
                let active = database.count("staff WHERE role = 'owner' AND suspended_at IS NULL AND removed_at IS NULL").await;
                assert_eq!(active, 1);
                database.run("UPDATE staff SET role = 'viewer'").await.unwrap();
            }
        }
        // The same by the pages, with both leaving.
        let (one, two) = (staff_client(&world, Role::Owner).await, staff_client(&world, Role::Owner).await);
        let leave = async |member: &StaffClient| member.send("/admin-panel/account/leave", &[("confirm", "yes")]).send().await.status;
        let (first, second) = tokio::join!(leave(&one), leave(&two));
        let mut statuses = [first, second];
        statuses.sort_unstable();
        assert_eq!(statuses, [303, 409]);
    }

    async fn a_session_is_found_with_all_that_gates_ask_for(database: Database) {
        let world = World::start(database.db()).await;
        let member = staff_client(&world, Role::Finance).await;
        let store = &world.store;
        let key = SessionKey::Id(&member.session_id);
        let now = world.app.clock.now();
        let found = store.staff_session(key, now).await.unwrap().unwrap();
        assert_eq!((found.staff.role, found.second_factor_required), (Role::Finance, false));
        store.require_second_factor(true, &entry()).await.unwrap();
        assert!(store.staff_session(key, now).await.unwrap().unwrap().second_factor_required);
        let digest = world.tokens.digest(&member.cookie);
        assert!(store.staff_session(SessionKey::Cookie(&digest), now).await.unwrap().is_some());
        assert!(store.session(SessionKey::Cookie(&digest), now).await.unwrap().is_none(), "a staff cookie is no applicant's");
        assert!(store.staff_session(key, found.session.expires_at).await.unwrap().is_none(), "it expires");
        assert!(!store.end_staff_session("somebody", &member.session_id, NOW, &entry()).await.unwrap());
        let sessions = [entered(&world, &member.staff).await, entered(&world, &member.staff).await];
        assert_eq!(store.end_other_staff_sessions(&member.staff.id, &member.session_id, now, &entry()).await.unwrap(), 2);
        assert!(store.staff_session(SessionKey::Id(&sessions[0].session_id), now).await.unwrap().is_none());
        assert!(store.end_staff_session(&member.staff.id, &member.session_id, now, &entry()).await.unwrap());
        assert!(store.staff_session(key, now).await.unwrap().is_none());
        // After a change of password, no session can be opened with the old one.
        let stale = matricula::domain::staff::Staff { password_hash: "$old".into(), ..member.staff.clone() };
        let session = crate::support::rows::session();
        assert!(!store.create_staff_session(&stale, &session, None, &entry()).await.unwrap());
    }
}
