//! How accounts of staff follow the users and groups that a provider sends.

use futures::future::join_all;
use matricula::domain::role::Role;
use serde_json::{Value, json};

use super::{
    ISSUER, Sender, group_of, id_of, members, membership, record, refused, role, staff, start, token_path, user_of,
};
use crate::office::sign_on::{HOME, PROVIDERS, settings_of};
use crate::office::{entered, hired, staff_client};
use crate::support::databases::story;

story! {
    async fn somebody_in_a_group_with_a_role_gets_an_account(database: Database) {
        let (world, owner, sender) = start(&database).await;
        let user = sender.user("Demo.Reader@example.org").await;
        let readers = sender.group("readers", &[]).await;
        sender.group("others", &[&user]).await;
        assert_eq!(database.count("staff").await, 1, "they have no role yet");
        sender.add(&readers, &user).await;
        let made = staff(&world, "demo.reader@example.org").await;
        assert_eq!((made.role, made.name.as_str(), made.has_password()), (Role::Reviewer, "Demo Reader", false));
        assert_eq!(made.email, "Demo.Reader@example.org");
        assert_eq!(record(&database, &sender, &made).await, ["staff.provisioned"]);
        let provider = owner.api("GET", &format!("{PROVIDERS}/{}", sender.provider)).send().await.json();
        assert_eq!([&provider["provisioning"]["users"], &provider["provisioning"]["groups"]], [1, 2]);
        // They log in with the provider: no mail gives them a password.
        let forgotten = world.visitor().post("/admin-panel/forgot-password").form(&[("email", &made.email)]);
        forgotten.send().await;
        let mails = database.texts("SELECT template FROM outbox ORDER BY created_at, id").await;
        assert_eq!(mails.last().map(String::as_str), Some("staff-no-password"), "{mails:?}");

        // A group that comes with its members does the same, and one that is renamed.
        let second = sender.user("second@example.org").await;
        let admins = sender.group("admins", &[&second]).await;
        assert_eq!(role(&world, "second@example.org").await, Some(Role::Owner));
        let renamed = json!([{ "op": "replace", "path": "displayName", "value": "deans" }]);
        sender.patch(&format!("/Groups/{admins}"), &renamed).await;
        assert_eq!(role(&world, "second@example.org").await, Some(Role::Reviewer));
        assert_eq!(database.count("staff").await, 3);
    }

    async fn an_account_with_the_same_email_becomes_theirs(database: Database) {
        let (world, _owner, sender) = start(&database).await;
        let viewer = staff_client(&world, Role::Viewer).await;
        let user = sender.user(&viewer.staff.email.to_uppercase()).await;
        assert_eq!(viewer.api("GET", "/api/admins/me").send().await.status, 200, "nothing has changed yet");
        sender.group("readers", &[&user]).await;
        let linked = staff(&world, &viewer.staff.email).await;
        assert_eq!((&linked.id, linked.role), (&viewer.staff.id, Role::Reviewer));
        assert_eq!(database.count("staff").await, 2);
        viewer.api("GET", "/api/admins/me").send().await.assert_problem(401, "session.revoked");
        assert_eq!(viewer.see(HOME).send().await.status, 302);
        let mails = database.texts("SELECT template FROM outbox").await;
        assert_eq!(mails, ["staff-role-changed"], "as when an Owner does it");
        let of = "FROM audit WHERE action = 'staff.role_changed'";
        let actors = database.texts(&format!("SELECT actor {of}")).await;
        assert_eq!(actors, [format!("provider:{}", sender.provider)]);
        let detail: Value = serde_json::from_str(&database.texts(&format!("SELECT detail {of}")).await[0]).unwrap();
        assert_eq!(detail, json!({ "from": "viewer", "to": "reviewer", "provider": "Demo directory" }));
    }

    async fn an_account_follows_the_role_of_its_user(database: Database) {
        let (world, _owner, sender) = start(&database).await;
        let email = "demo@example.org";
        let user = sender.user(email).await;
        let readers = sender.group("readers", &[&user]).await;
        let admins = sender.group("admins", &[&user]).await;
        assert_eq!(role(&world, email).await, Some(Role::Owner), "the last of several");
        sender.remove(&admins, &user).await;
        assert_eq!(role(&world, email).await, Some(Role::Reviewer));
        let account = staff(&world, email).await;

        sender.remove(&readers, &user).await;
        assert_eq!(role(&world, email).await, None);
        sender.add(&readers, &user).await;
        assert_eq!(role(&world, email).await, Some(Role::Reviewer));
        sender.activate(&user, false).await;
        assert_eq!(role(&world, email).await, None);
        sender.activate(&user, true).await;
        assert_eq!(role(&world, email).await, Some(Role::Reviewer));
        sender.delete(&format!("/Groups/{readers}")).await;
        assert_eq!(role(&world, email).await, None);
        sender.add(&admins, &user).await;
        assert_eq!(role(&world, email).await, Some(Role::Owner), "not the role of then");
        sender.delete(&format!("/Users/{user}")).await;
        assert_eq!(role(&world, email).await, None);
        assert!(members(&sender.load(&format!("/Groups/{admins}")).await).is_empty());
        // Sent anew, they are the same person.
        let again = sender.user(email).await;
        sender.add(&admins, &again).await;
        assert_eq!(role(&world, email).await, Some(Role::Owner));
        assert_eq!(staff(&world, email).await.id, account.id);

        let mut acts = record(&database, &sender, &account).await;
        acts.retain(|act| act != "staff.role_changed");
        let (gone, back) = ("staff.suspended", "staff.resumed");
        assert_eq!(acts, ["staff.provisioned", gone, back, gone, back, gone, back, gone, back]);
    }

    async fn sessions_end_with_the_role(database: Database) {
        let (world, _owner, sender) = start(&database).await;
        let email = "demo@example.org";
        let user = sender.user(email).await;
        let readers = sender.group("readers", &[&user]).await;
        let deans = sender.group("deans", &[]).await;
        let first = entered(&world, &staff(&world, email).await).await;
        sender.add(&deans, &user).await;
        assert_eq!(first.api("GET", "/api/admins/me").send().await.status, 200, "their role is the same");
        let admins = sender.group("admins", &[&user]).await;
        first.api("GET", "/api/admins/me").send().await.assert_problem(401, "session.revoked");
        let second = entered(&world, &staff(&world, email).await).await;
        assert_eq!(second.see(HOME).send().await.status, 200);
        sender.activate(&user, false).await;
        second.api("GET", "/api/admins/me").send().await.assert_problem(401, "session.revoked");
        sender.activate(&user, true).await;
        assert_eq!(second.see(HOME).send().await.status, 302, "they log in anew");
        let third = entered(&world, &staff(&world, email).await).await;
        for group in [readers, deans, admins] {
            sender.delete(&format!("/Groups/{group}")).await;
        }
        assert_eq!(third.see(HOME).send().await.status, 302);
    }

    async fn what_an_owner_has_done_to_an_account_stays(database: Database) {
        let (world, owner, sender) = start(&database).await;
        let email = "demo@example.org";
        let user = sender.user(email).await;
        let readers = sender.group("readers", &[&user]).await;
        let account = staff(&world, email).await;
        let path = format!("/api/admins/admins/{}", account.id);
        assert_eq!(owner.api("PATCH", &path).json(&json!({ "suspended": true })).send().await.status, 200);
        for active in [false, true] {
            sender.activate(&user, active).await;
            assert_eq!(role(&world, email).await, None);
        }
        sender.remove(&readers, &user).await;
        sender.add(&readers, &user).await;
        assert_eq!(role(&world, email).await, None);
        assert_eq!(record(&database, &sender, &account).await, ["staff.provisioned"]);
        assert_eq!(owner.api("PATCH", &path).json(&json!({ "suspended": false })).send().await.status, 200);
        assert_eq!(role(&world, email).await, Some(Role::Reviewer));

        assert_eq!(owner.api("DELETE", &path).send().await.status, 204);
        assert_eq!(role(&world, email).await, None);
        sender.remove(&readers, &user).await;
        sender.add(&readers, &user).await;
        let anew = staff(&world, email).await;
        assert_eq!((anew.id == account.id, anew.role), (false, Role::Reviewer), "they are somebody else");
    }

    async fn the_last_owner_stays_one(database: Database) {
        let (world, owner, sender) = start(&database).await;
        let email = &owner.staff.email;
        let user = sender.user(email).await;
        let readers = sender.group("readers", &[&user]).await;
        sender.activate(&user, false).await;
        sender.activate(&user, true).await;
        sender.remove(&readers, &user).await;
        sender.add(&readers, &user).await;
        // Links that set a password go to the email.
        sender.set_email(&user, "moved@example.org").await;
        sender.set_email(&user, email).await;
        assert_eq!(role(&world, email).await, Some(Role::Owner));
        assert!(database.count("audit WHERE action = 'staff.kept_as_owner'").await >= 3);
        assert_eq!(owner.api("GET", "/api/admins/me").send().await.status, 200);
        let changes = "audit WHERE action IN ('staff.role_changed', 'staff.suspended', 'staff.resumed')";
        assert_eq!(database.count(changes).await, 0, "nothing of that was done");
        assert_eq!(database.count("outbox").await, 0);

        hired(&world, Role::Owner).await;
        sender.activate(&user, false).await;
        assert_eq!(role(&world, email).await, None);
        sender.activate(&user, true).await;
        assert_eq!(role(&world, email).await, Some(Role::Reviewer));
    }

    async fn one_owner_takes_over_from_another_in_one_change(database: Database) {
        let (world, owner, sender) = start(&database).await;
        let (first, second) = (sender.user(&owner.staff.email).await, sender.user("second@example.org").await);
        let admins = sender.group("admins", &[&first]).await;
        let put = sender.send("PUT", &format!("/Groups/{admins}"), &group_of("admins", &[&second])).await;
        assert_eq!(put.status, 200, "{put:?}");
        assert_eq!(role(&world, "second@example.org").await, Some(Role::Owner));
        assert_eq!(role(&world, &owner.staff.email).await, None);
    }

    async fn a_former_owner_who_comes_back_as_reviewer_replaces_nobody(database: Database) {
        let (world, owner, sender) = start(&database).await;
        let (first, second) = (sender.user(&owner.staff.email).await, sender.user("second@example.org").await);
        let admins = sender.group("admins", &[&second]).await;
        sender.remove(&admins, &second).await;
        assert_eq!(role(&world, "second@example.org").await, None);
        let readers = sender.group("readers", &[&first]).await;
        let put = sender.send("PUT", &format!("/Groups/{readers}"), &group_of("readers", &[&second])).await;
        assert_eq!(put.status, 200, "{put:?}");
        assert_eq!(role(&world, &owner.staff.email).await, Some(Role::Owner));
        assert_eq!(role(&world, "second@example.org").await, Some(Role::Reviewer));
    }

    async fn name_and_email_follow_the_directory(database: Database) {
        let (world, _owner, sender) = start(&database).await;
        let user = sender.user("demo@example.org").await;
        sender.group("readers", &[&user]).await;
        let before = staff(&world, "demo@example.org").await;
        let path = format!("/Users/{user}");
        sender.patch(&path, &json!([{ "op": "Replace", "path": "displayName", "value": "Demo Walker" }])).await;
        assert_eq!(staff(&world, "demo@example.org").await.name, "Demo Walker");
        sender.set_email(&user, "Walker@example.org").await;
        let after = staff(&world, "walker@example.org").await;
        assert_eq!((&after.id, after.role, after.email.as_str()), (&before.id, Role::Reviewer, "Walker@example.org"));
        assert!(world.store.staff_by_email("demo@example.org").await.unwrap().is_none());
        // Without a name for display, its parts are taken.
        let parts = json!({ "userName": "walker@example.org", "name": { "givenName": "Ada", "familyName": "Walker" } });
        assert_eq!(sender.send("PUT", &path, &parts).await.status, 200);
        assert_eq!(staff(&world, "walker@example.org").await.name, "Ada Walker");
        // A name that an account may not have is left out.
        let long = "x".repeat(400);
        let odd = json!([{ "op": "Replace", "path": "displayName", "value": long }]);
        assert_eq!(sender.patch(&path, &odd).await["displayName"], long);
        assert_eq!(staff(&world, "walker@example.org").await.name, "Ada Walker");
        let mut acts = record(&database, &sender, &before).await;
        acts.dedup();
        assert_eq!(acts, ["staff.provisioned", "staff.details_changed"]);
    }

    async fn an_email_of_somebody_else_is_refused(database: Database) {
        let (world, _owner, sender) = start(&database).await;
        let other = hired(&world, Role::Viewer).await;
        let user = sender.user("demo@example.org").await;
        let second = sender.user("second@example.org").await;
        sender.group("readers", &[&user, &second]).await;
        let path = format!("/Users/{user}");
        for taken in [&other.email, &other.email.to_uppercase(), "Second@example.org"] {
            let emails = json!([{ "value": taken, "type": "work", "primary": true }]);
            let operation = json!([{ "op": "Replace", "path": "emails", "value": emails }]);
            refused(&sender.try_patch(&path, &operation).await, 409, "uniqueness");
            let body = json!({ "userName": "demo@example.org", "emails": emails });
            refused(&sender.send("PUT", &path, &body).await, 409, "uniqueness");
        }
        assert_eq!(sender.load(&path).await["emails"][0]["value"], "demo@example.org");
        assert_eq!(role(&world, "demo@example.org").await, Some(Role::Reviewer));
        assert_eq!(role(&world, &other.email).await, Some(Role::Viewer));
        // An email that is free again is for whoever is sent with it, and their account is another one.
        sender.set_email(&second, "moved@example.org").await;
        let mut third = user_of("second@example.org");
        third["userName"] = json!("third");
        let third = id_of(&sender.make("/Users", &third).await);
        sender.group("deans", &[&third]).await;
        let moved = staff(&world, "moved@example.org").await;
        assert_ne!(staff(&world, "second@example.org").await.id, moved.id);
    }

    async fn changed_rules_for_roles_hold_at_once(database: Database) {
        let (world, owner, sender) = start(&database).await;
        let user = sender.user("demo@example.org").await;
        sender.user("other@example.org").await;
        sender.group("readers", &[&user]).await;
        let session = entered(&world, &staff(&world, "demo@example.org").await).await;
        let provider = format!("{PROVIDERS}/{}", sender.provider);
        let change = async |roles: Value, otherwise: &str| {
            let mut settings = settings_of(ISSUER);
            settings["roles"] = roles;
            settings["otherwise"] = json!(otherwise);
            let changed = owner.api("PATCH", &provider).json(&settings).send().await;
            assert_eq!(changed.status, 200, "{changed:?}");
            (role(&world, "demo@example.org").await, role(&world, "other@example.org").await)
        };
        assert_eq!(change(json!({ "viewer": ["readers"] }), "").await, (Some(Role::Viewer), None));
        assert_eq!(session.see(HOME).send().await.status, 302);
        assert_eq!(change(json!({ "viewer": ["others"] }), "").await, (None, None));
        let everybody = change(json!({ "decider": ["readers"] }), "interviewer").await;
        assert_eq!(everybody, (Some(Role::Decider), Some(Role::Interviewer)));
        assert_eq!(change(json!({ "decider": ["readers"] }), "").await, (Some(Role::Decider), None));
    }

    async fn turning_it_off_deletes_the_directory_and_leaves_accounts(database: Database) {
        let (world, owner, sender) = start(&database).await;
        let (user, gone) = (sender.user("demo@example.org").await, sender.user("gone@example.org").await);
        sender.group("readers", &[&user, &gone]).await;
        sender.activate(&gone, false).await;
        let session = entered(&world, &staff(&world, "demo@example.org").await).await;
        assert_eq!(owner.api("DELETE", &token_path(&sender.provider)).send().await.status, 204);
        for table in ["directory_users", "directory_groups", "directory_members"] {
            assert_eq!(database.count(table).await, 0, "{table}");
        }
        assert_eq!(role(&world, "demo@example.org").await, Some(Role::Reviewer));
        assert_eq!(session.see(HOME).send().await.status, 200);
        assert_eq!(role(&world, "gone@example.org").await, None);
        // Turned on again, it finds its people.
        let again = Sender::of(&world, &owner, &sender.provider).await;
        assert_eq!(again.load("/Users").await["totalResults"], 0);
        let (user, gone) = (again.user("demo@example.org").await, again.user("gone@example.org").await);
        again.group("readers", &[&user, &gone]).await;
        assert_eq!(role(&world, "gone@example.org").await, Some(Role::Reviewer));
        assert_eq!(database.count("staff").await, 3);
    }

    async fn a_deleted_provider_takes_its_directory_with_it(database: Database) {
        let (world, owner, sender) = start(&database).await;
        let (user, gone) = (sender.user("demo@example.org").await, sender.user("gone@example.org").await);
        sender.group("readers", &[&user, &gone]).await;
        sender.activate(&gone, false).await;
        let deleted = owner.api("DELETE", &format!("{PROVIDERS}/{}", sender.provider)).send().await;
        assert_eq!(deleted.status, 204, "{deleted:?}");
        for table in ["directory_users", "directory_groups", "directory_members", "identity_providers"] {
            assert_eq!(database.count(table).await, 0, "{table}");
        }
        refused(&sender.get("/Users").await, 401, "");
        assert_eq!(role(&world, "demo@example.org").await, Some(Role::Reviewer));
        let gone = staff(&world, "gone@example.org").await;
        assert!(gone.suspended_at.is_some());
        let path = format!("/api/admins/admins/{}", gone.id);
        assert_eq!(owner.api("PATCH", &path).json(&json!({ "suspended": false })).send().await.status, 200);
    }

    async fn another_provider_sees_nothing_of_it(database: Database) {
        let (world, owner, sender) = start(&database).await;
        let user = sender.user("demo@example.org").await;
        let group = sender.group("readers", &[&user]).await;
        let other = Sender::start(&world, &owner).await;
        for (list, path, body) in [
            ("/Users", format!("/Users/{user}"), user_of("new@example.org")),
            ("/Groups", format!("/Groups/{group}"), group_of("new", &[])),
        ] {
            assert_eq!(other.load(list).await["totalResults"], 0);
            refused(&other.get(&path).await, 404, "");
            refused(&other.send("PUT", &path, &body).await, 404, "");
            let operation = json!([{ "op": "replace", "path": "displayName", "value": "new" }]);
            refused(&other.try_patch(&path, &operation).await, 404, "");
            refused(&other.call("DELETE", &path).send().await, 404, "");
        }
        // The same names are free there.
        let mut namesake = user_of("demo@example.org");
        namesake["emails"][0]["value"] = json!("namesake@example.org");
        let namesake = id_of(&other.make("/Users", &namesake).await);
        let readers = other.group("readers", &[]).await;
        let foreign = other.try_patch(&format!("/Groups/{readers}"), &membership("Add", &user)).await;
        refused(&foreign, 400, "invalidValue");
        other.add(&readers, &namesake).await;
        other.delete(&format!("/Users/{namesake}")).await;
        assert_eq!(members(&sender.load(&format!("/Groups/{group}")).await), [user.as_str()]);
        assert_eq!(role(&world, "demo@example.org").await, Some(Role::Reviewer));
    }

    async fn changes_at_the_same_time_lose_nothing(database: Database) {
        let (world, _owner, sender) = start(&database).await;
        let readers = sender.group("readers", &[]).await;
        let mut users = Vec::new();
        for n in 0..6 {
            users.push(sender.user(&format!("demo-{n}@example.org")).await);
        }
        join_all(users.iter().map(|user| sender.add(&readers, user))).await;
        users.sort();
        let path = format!("/Groups/{readers}");
        assert_eq!(members(&sender.load(&path).await), users);
        for n in 0..6 {
            assert_eq!(role(&world, &format!("demo-{n}@example.org")).await, Some(Role::Reviewer), "{n}");
        }
        assert_eq!(database.count("staff").await, 7);

        let (leaving, ending) = users.split_at(3);
        let leave = join_all(leaving.iter().map(|user| sender.remove(&readers, user)));
        let end = join_all(ending.iter().map(|user| sender.activate(user, false)));
        tokio::join!(leave, end);
        assert_eq!(members(&sender.load(&path).await), ending);
        assert_eq!(database.count("staff WHERE role = 'reviewer' AND suspended_at IS NULL").await, 0);

        let body = user_of("one@example.org");
        let made = join_all((0..4).map(|_| sender.send("POST", "/Users", &body))).await;
        let mut statuses: Vec<u16> = made.iter().map(|answer| answer.status).collect();
        statuses.sort_unstable();
        assert_eq!(statuses, [201, 409, 409, 409]);
    }
}
