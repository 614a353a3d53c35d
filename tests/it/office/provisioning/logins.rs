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
