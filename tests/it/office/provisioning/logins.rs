//! Logging in with a provider that also sends its users and groups.

use matricula::domain::role::Role;
use serde_json::json;

use super::{Sender, role, token_path};
use crate::office::sign_on::{HOME, Institute};
use crate::office::staff_client;
use crate::support::databases::story;

story! {
    async fn a_login_takes_the_role_of_the_directory(database: Database) {
        let institute = Institute::start(&database).await;
        let sender = Sender::of(&institute.world, &institute.owner, &institute.id).await;
        institute.account("demo", "demo@example.org", &["readers"]).await;
        institute.account("other", "other@example.org", &["readers"]).await;
        let user = sender.user("demo@example.org").await;
        let mut browser = institute.provider.browser();
        let without = institute.log_in(&mut browser, "demo").await;
        assert!(without.status == 403 && without.text.contains("has no access here"), "{without:?}");
        assert_eq!(database.count("staff").await, 1);
        let admins = sender.group("admins", &[&user]).await;
        institute.session(&mut browser, "demo").await;
        assert_eq!(institute.staff("demo@example.org").await.role, Role::Owner, "not that of the token");
        institute.session(&mut institute.provider.browser(), "other").await;
        let other = institute.staff("other@example.org").await;
        assert_eq!(other.role, Role::Reviewer, "the directory does not have them");
        // They are known by their account, whatever email is in the token.
        sender.set_email(&user, "head@example.org").await;
        let cookies = institute.session(&mut browser, "demo").await;
        assert_eq!(institute.staff("head@example.org").await.role, Role::Owner);
        assert_eq!(database.count("staff").await, 3);

        sender.remove(&admins, &user).await;
        assert_eq!(institute.sees(HOME, &cookies).await.status, 302);
        let refused = institute.log_in(&mut browser, "demo").await;
        assert!(refused.status == 403 && refused.set_cookie("matricula_staff").is_none(), "{refused:?}");
        sender.add(&admins, &user).await;
        let cookies = institute.session(&mut browser, "demo").await;
        assert_eq!(institute.sees(HOME, &cookies).await.status, 200);
        // Without provisioning, the token counts again.
        assert_eq!(institute.owner.api("DELETE", &token_path(&institute.id)).send().await.status, 204);
        institute.session(&mut browser, "demo").await;
        assert_eq!(institute.staff("head@example.org").await.role, Role::Reviewer);
    }

    async fn whoever_has_logged_in_goes_when_the_directory_says_so(database: Database) {
        let institute = Institute::start(&database).await;
        let world = &institute.world;
        let sender = Sender::of(world, &institute.owner, &institute.id).await;
        let mut sessions = Vec::new();
        for name in ["first", "second"] {
            institute.account(name, &format!("{name}@example.org"), &["readers"]).await;
            sessions.push((name, institute.session(&mut institute.provider.browser(), name).await));
        }
        // Without a group there, the directory says nothing about them.
        let first = sender.user("first@example.org").await;
        let second = sender.user("second@example.org").await;
        for (name, cookies) in &sessions {
            assert_eq!(institute.sees(HOME, cookies).await.status, 200, "{name}");
        }
        sender.activate(&first, false).await;
        sender.delete(&format!("/Users/{second}")).await;
        for (name, cookies) in &sessions {
            assert_eq!(institute.sees(HOME, cookies).await.status, 302, "{name}");
            assert_eq!(role(world, &format!("{name}@example.org")).await, None, "{name}");
            let refused = institute.log_in(&mut institute.provider.browser(), name).await;
            assert_eq!(refused.status, 403, "{name}: {refused:?}");
        }
        // An account that does not log in with this provider stays as it is.
        let viewer = staff_client(world, Role::Viewer).await;
        let user = sender.user(&viewer.staff.email).await;
        sender.activate(&user, false).await;
        sender.delete(&format!("/Users/{user}")).await;
        assert_eq!(role(world, &viewer.staff.email).await, Some(Role::Viewer));
    }

    async fn an_account_that_a_login_makes_follows_the_directory(database: Database) {
        let institute = Institute::start(&database).await;
        let (world, owner) = (&institute.world, &institute.owner);
        let sender = Sender::of(world, owner, &institute.id).await;
        let user = sender.user("demo@example.org").await;
        let readers = sender.group("readers", &[&user]).await;
        let gone = institute.staff("demo@example.org").await;
        assert_eq!(owner.api("DELETE", &format!("/api/admins/admins/{}", gone.id)).send().await.status, 204);
        institute.account("demo", "demo@example.org", &[]).await;
        let cookies = institute.session(&mut institute.provider.browser(), "demo").await;
        let anew = institute.staff("demo@example.org").await;
        assert!(anew.id != gone.id && anew.role == Role::Reviewer, "{anew:?}");
        sender.set_email(&user, "moved@example.org").await;
        assert_eq!(institute.staff("moved@example.org").await.id, anew.id);
        sender.remove(&readers, &user).await;
        assert_eq!(role(world, "moved@example.org").await, None);
        assert_eq!(institute.sees(HOME, &cookies).await.status, 302);
    }

    async fn whoever_is_in_the_directory_without_a_role_does_not_log_in_with_groups_of_a_token(database: Database) {
        let institute = Institute::start(&database).await;
        let sender = Sender::of(&institute.world, &institute.owner, &institute.id).await;
        institute.account("demo", "demo@example.org", &["readers"]).await;
        let mut browser = institute.provider.browser();
        let cookies = institute.session(&mut browser, "demo").await;
        let user = sender.user("demo@example.org").await;
        // The account says whose login it is, whatever the token says of the email.
        let claims = json!({ "email": "else@example.org", "email_verified": false, "groups": ["readers"] });
        institute.provider.set_account("demo", &claims).await;
        assert_eq!(institute.log_in(&mut browser, "demo").await.status, 403);
        assert_eq!(institute.sees(HOME, &cookies).await.status, 302, "and the session has ended");
        // The directory takes it away even if it changes the email in the same breath.
        institute.account("other", "other@example.org", &["readers"]).await;
        institute.session(&mut institute.provider.browser(), "other").await;
        let other = sender.user("other@example.org").await;
        let body = json!({ "userName": "deleted@example.org", "active": false });
        assert_eq!(sender.send("PUT", &format!("/Users/{other}"), &body).await.status, 200);
        assert!(institute.world.store.staff_by_email("other@example.org").await.unwrap().is_none());
        assert_eq!(role(&institute.world, "deleted@example.org").await, None);
        assert_eq!(database.count("staff WHERE suspended_at IS NOT NULL").await, 1);
        sender.delete(&format!("/Users/{user}")).await;
    }

    async fn an_email_gives_nobody_the_role_of_somebody_else(database: Database) {
        let institute = Institute::start(&database).await;
        let sender = Sender::of(&institute.world, &institute.owner, &institute.id).await;
        let head = sender.user("head@example.org").await;
        sender.group("admins", &[&head]).await;
        institute.account("demo", "demo@example.org", &["readers"]).await;
        let mut browser = institute.provider.browser();
        institute.session(&mut browser, "demo").await;
        for verified in [false, true] {
            let claims = json!({ "email": "head@example.org", "email_verified": verified, "groups": ["readers"] });
            institute.provider.set_account("demo", &claims).await;
            institute.log_in(&mut browser, "demo").await;
            assert_eq!(institute.staff("demo@example.org").await.role, Role::Reviewer, "verified: {verified}");
        }
        assert_eq!(institute.staff("head@example.org").await.role, Role::Owner);
    }
}
