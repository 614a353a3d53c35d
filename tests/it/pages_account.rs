//! Messages and account, as a browser without JavaScript sees them.

use serde_json::json;

use crate::api::account::{link_to, mails_to};
use crate::pages::{registered, see};
use crate::support::databases::story;
use crate::support::server::{Client, PASSWORD, World, registration};

story! {
    async fn a_message_is_opened_from_the_list_and_counts_as_read(database: Database) {
        let world = World::start(database.db()).await;
        let applicant = registered(&world, "bachelor").await;
        let unread = async |path: &str| {
            see(&applicant, path).await.page()["shared"]["viewer"]["unreadMessages"].as_i64().unwrap()
        };
        assert_eq!((unread("/dashboard").await, unread("/bachelor/application").await), (1, 0));

        let list = see(&applicant, "/dashboard/messages").await;
        let page = list.assert_document(200, "messages");
        let entry = &page["props"]["messages"][0];
        assert_eq!((entry["subject"].as_str(), entry["unread"].as_bool()), (Some("Application started"), Some(true)));
        assert_eq!(page["props"]["olderHref"], serde_json::Value::Null);
        let href = entry["href"].as_str().unwrap().to_owned();
        assert!(list.text.contains(&format!("href=\"{href}\"")));
        // Looking at the list opens none of them.
        assert_eq!(unread("/dashboard/messages").await, 1);

        let opened = see(&applicant, &href).await;
        let page = opened.assert_document(200, "message");
        assert!(opened.text.contains("Your answers are saved as you type."));
        assert_eq!(page["shared"]["viewer"]["unreadMessages"], 0);
        assert_eq!(unread("/dashboard/account").await, 0);
        assert_eq!(see(&applicant, "/dashboard/messages").await.page()["props"]["messages"][0]["unread"], false);

        let stranger = registered(&world, "masters").await;
        see(&stranger, &href).await.assert_document(404, "problem");
        see(&applicant, "/dashboard/messages/none").await.assert_document(404, "problem");
        let older = see(&applicant, "/dashboard/messages?before=0").await.assert_document(200, "messages");
        assert_eq!(older["props"]["newestHref"], "/dashboard/messages");
        let login = format!("/bachelor/apply?dialog=login&redirect={}", href.replace('/', "%2F").replace('-', "%2D"));
        see(&world.visitor(), &href).await.assert_redirect(302, &login);
    }

    async fn an_email_is_changed_by_two_links_and_looking_does_nothing(database: Database) {
        let world = World::start(database.db()).await;
        let applicant = registered(&world, "bachelor").await;
        let new = "demo.new@example.org";
        let post = async |path: &str, fields: &[(&str, &str)]| {
            applicant.post(path).form(fields).with_cookie(&applicant).send().await
        };
        let path = "/dashboard/account/email";
        let wrong = post(path, &[("_action", "ask"), ("email", new), ("currentPassword", "not it")]).await;
        let page = wrong.assert_document(422, "changeEmail");
        assert_eq!(page["props"]["values"], serde_json::json!({ "email": new }), "the password does not come back");
        assert!(page["props"]["errors"]["currentPassword"].is_string());
        let asked = post(path, &[("_action", "ask"), ("email", new), ("currentPassword", PASSWORD)]).await;
        asked.assert_redirect(303, "/dashboard/account/email?done=asked");
        let page = see(&applicant, asked.location()).await.assert_document(200, "changeEmail");
        assert_eq!((page["props"]["pending"]["email"].as_str(), page["props"]["pending"]["oldConfirmed"].as_bool()), (Some(new), Some(false)));
        let page = see(&applicant, "/dashboard/account").await.assert_document(200, "account");
        assert_eq!(page["props"]["pendingEmail"], new);

        let (old_link, new_link) = (link_to(&world, &applicant.email).await, link_to(&world, new).await);
        let visitor = world.visitor();
        for link in [&old_link, &new_link, &old_link, &new_link] {
            let page = see(&visitor, &format!("/confirm-email?token={link}")).await.assert_document(200, "confirmEmail");
            assert_eq!((page["props"]["link"]["confirmed"].as_bool(), page["props"]["outcome"].as_str()), (Some(false), None));
        }
        let answer = async |client: &Client, token: &str, action: &str| {
            let call = client.post("/confirm-email").form(&[("token", token), ("_action", action)]);
            if client.cookie.is_some() { call.with_cookie(client).send().await } else { call.send().await }
        };
        let page = answer(&visitor, &new_link, "confirm").await.assert_document(200, "confirmEmail");
        assert_eq!((page["props"]["outcome"].as_str(), page["props"]["link"]["side"].as_str()), (Some("waiting"), Some("new")));
        assert_eq!(answer(&visitor, &new_link, "nonsense").await.status, 400);
        // In the applicant's own browser: that session stays.
        let page = answer(&applicant, &old_link, "confirm").await.assert_document(200, "confirmEmail");
        assert_eq!(page["props"]["outcome"], "changed");
        assert_eq!(page["shared"]["viewer"]["email"], new);
        see(&applicant, "/dashboard").await.assert_document(200, "dashboard");
        let page = answer(&visitor, &new_link, "confirm").await.assert_document(422, "confirmEmail");
        assert_eq!((page["props"]["link"].is_null(), page["props"]["error"].is_string()), (true, true));

        post(path, &[("_action", "ask"), ("email", "other@example.org"), ("currentPassword", PASSWORD)]).await;
        post(path, &[("_action", "cancel")]).await.assert_redirect(303, "/dashboard/account/email?done=cancelled");
        post(path, &[("_action", "cancel")]).await.assert_redirect(303, path);
        post(path, &[("_action", "resend")]).await.assert_redirect(303, path);
        let page = see(&visitor, "/confirm-email").await.assert_document(200, "confirmEmail");
        assert!(page["props"]["link"].is_null());
    }

    async fn a_link_of_a_change_can_stop_it(database: Database) {
        let world = World::start(database.db()).await;
        let applicant = registered(&world, "bachelor").await;
        let fields = [("_action", "ask"), ("email", "demo.new@example.org"), ("currentPassword", PASSWORD)];
        applicant.post("/dashboard/account/email").form(&fields).with_cookie(&applicant).send().await;
        let link = link_to(&world, &applicant.email).await;
        let stop = world.visitor().post("/confirm-email").form(&[("token", &link), ("_action", "stop")]).send().await;
        assert_eq!(stop.assert_document(200, "confirmEmail")["props"]["outcome"], "stopped");
        let page = see(&applicant, "/dashboard/account").await.assert_document(200, "account");
        assert_eq!(page["props"]["pendingEmail"], serde_json::Value::Null);
    }

    async fn reminders_and_time_zone_are_chosen_without_javascript(database: Database) {
        let world = World::start(database.db()).await;
        let applicant = registered(&world, "bachelor").await;
        let post = async |fields: &[(&str, &str)]| {
            applicant.post("/dashboard/account").form(fields).with_cookie(&applicant).send().await
        };
        post(&[("_action", "notifications")]).await.assert_redirect(303, "/dashboard/account?done=notifications");
        let props = async || see(&applicant, "/dashboard/account").await.page()["props"].clone();
        assert_eq!(props().await["reminders"], false);
        post(&[("_action", "notifications"), ("reminders", "yes")]).await;
        assert_eq!(props().await["reminders"], true);

        let mut profile = vec![("_action", "profile"), ("firstName", "Demo"), ("lastName", "Sample"),
            ("dateOfBirth", "1990-02-28"), ("country", "US"), ("state", "TX"), ("phoneNumber", "+15550100199")];
        profile.push(("timeZone", "america/los angeles"));
        post(&profile).await.assert_redirect(303, "/dashboard/account?done=profile");
        assert_eq!(props().await["profile"]["timeZone"], "America/Los_Angeles");
        profile.pop();
        profile.push(("timeZone", "Nowhere"));
        let page = post(&profile).await.assert_document(422, "account");
        assert_eq!(page["props"]["forms"]["profile"]["values"]["timeZone"], "Nowhere");
        assert!(page["props"]["forms"]["profile"]["errors"]["timeZone"].is_string());
        profile.pop();
        profile.push(("timeZone", ""));
        post(&profile).await.assert_redirect(303, "/dashboard/account?done=profile");
        assert_eq!(props().await["profile"]["timeZone"], "", "the institute's again");
    }

    async fn ones_data_are_posted_for(database: Database) {
        let world = World::start(database.db()).await;
        let applicant = registered(&world, "bachelor").await;
        let path = "/dashboard/account/data";
        let wrong = see(&applicant, path).await;
        assert_eq!((wrong.status, wrong.header("allow")), (404, ""));
        let typed = async |password: &str| {
            let form = [("dataPassword", password)];
            applicant.post(path).form(&form).with_cookie(&applicant).send().await
        };
        for (password, sentence) in
            [("", "Enter your current password."), ("wrong horse", "This is not your current password.")]
        {
            let page = typed(password).await.assert_document(422, "account");
            assert_eq!(page["props"]["forms"]["data"]["errors"], json!({ "dataPassword": sentence }));
        }
        for _ in 0..10 {
            let form = [("dataPassword", PASSWORD)];
            let answer = applicant.post(path).form(&form).with_cookie(&applicant).raw_answer().await;
            assert_eq!((answer.status().as_u16(), &answer.headers()["content-type"]), (200, &"application/zip".parse().unwrap()));
            assert_eq!(answer.headers()["cache-control"], "no-store");
            assert!(answer.bytes().await.unwrap().starts_with(b"PK"));
        }
        let page = typed(PASSWORD).await.assert_document(429, "account");
        assert!(page["props"]["forms"]["data"]["error"].as_str().unwrap().starts_with("Too many attempts."));
        let login = "/bachelor/apply?dialog=login&redirect=%2Fdashboard%2Faccount";
        world.visitor().post(path).form(&[]).send().await.assert_redirect(303, login);
    }

    async fn an_account_is_closed_without_javascript(database: Database) {
        let world = World::start(database.db()).await;
        let applicant = registered(&world, "bachelor").await;
        let path = "/dashboard/account/close";
        let page = see(&applicant, path).await.assert_document(200, "closeAccount");
        assert_eq!((page["props"]["application"].as_str(), page["props"]["bound"].as_bool()), (Some("Bachelor’s program"), Some(false)));
        assert_eq!(page["props"]["keptUntil"], "Wednesday, May\u{a0}4,\u{a0}2033");
        let post = async |fields: &[(&str, &str)]| applicant.post(path).form(fields).with_cookie(&applicant).send().await;
        let page = post(&[("confirm", "yes")]).await.assert_document(422, "closeAccount");
        assert_eq!(page["props"]["form"]["values"]["confirm"], "yes");
        let page = post(&[("currentPassword", PASSWORD)]).await.assert_document(422, "closeAccount");
        assert!(page["props"]["form"]["errors"]["confirm"].is_string());
        let closed = post(&[("confirm", "yes"), ("currentPassword", PASSWORD)]).await;
        let page = closed.assert_document(200, "closeAccount");
        assert_eq!((page["props"]["done"].as_bool(), page["shared"]["viewer"].is_null()), (Some(true), true));
        assert_eq!(closed.set_cookie("matricula_session").as_deref(), Some(""));
        assert_eq!(closed.header("clear-site-data"), "\"storage\"");
        see(&applicant, "/dashboard").await.assert_redirect(302, "/bachelor/apply?dialog=login&redirect=%2Fdashboard");
        assert_eq!(mails_to(&world, &applicant.email).await, ["Your account is closed"]);
        registered_again(&world, &applicant).await;
    }
}

/// Asserts that the address can be registered again.
async fn registered_again(world: &World, gone: &Client) {
    let answer = world.visitor().post("/api/users/register").json(&registration(&gone.email)).send().await;
    assert_eq!(answer.status, 201, "{answer:?}");
}
