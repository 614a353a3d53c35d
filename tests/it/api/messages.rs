//! Mails to an applicant, read in the product.

use serde_json::json;

use super::passwords::mailed_token;
use crate::support::databases::story;
use crate::support::server::World;

story! {
    async fn a_mail_is_read_in_the_product_without_its_secret(database: Database) {
        let world = World::start(database.db()).await;
        let client = world.register().await;
        let empty = client.get("/api/users/messages").send().await;
        assert_eq!(empty.json(), json!({ "messages": [], "unread": 0, "next": null }));

        client.post("/api/users/application/start").json(&json!({ "applicationType": "ba" })).send().await;
        client.post("/api/users/forgot-password").json(&json!({ "email": client.email })).send().await;
        let secret = mailed_token(&world, &client).await;

        let list = client.get("/api/users/messages").send().await;
        assert!(!list.text.contains(&secret));
        let list = list.json();
        assert_eq!(list["unread"], 2);
        let (reset, started) = (&list["messages"][0], &list["messages"][1]);
        assert_eq!((reset["subject"].as_str(), started["subject"].as_str()), (Some("Reset your password"), Some("Application started")));
        assert_eq!(reset["to"], client.email);
        assert_eq!((reset["read"].as_bool(), reset["delivery"].as_str()), (Some(false), Some("leaving")));

        let path = format!("/api/users/messages/{}", reset["id"].as_str().unwrap());
        let opened = client.get(&path).send().await;
        assert!(!opened.text.contains(&secret) && !opened.text.contains("token="), "{opened:?}");
        assert!(opened.json()["text"].as_str().unwrap().contains("only in the email"));
        assert_eq!(opened.json()["read"], false);
        assert_eq!(client.get(&path).send().await.json()["read"], true);
        assert_eq!(client.get("/api/users/messages").send().await.json()["unread"], 1);

        let stranger = world.register().await;
        stranger.get(&path).send().await.assert_problem(404, "message.not_found");
        client.get("/api/users/messages/none").send().await.assert_problem(404, "message.not_found");
        client.without_token().get(&path).send().await.assert_problem(401, "auth.required");
    }

    async fn messages_come_twenty_at_a_time(database: Database) {
        let world = World::start(database.db()).await;
        let client = world.register().await;
        // Each start and withdrawal of an application writes a mail.
        for _ in 0..11 {
            let program = json!({ "applicationType": "ba" });
            assert!(client.post("/api/users/application/start").json(&program).send().await.status < 300);
            let reason = json!({ "reason": "Demo" });
            assert_eq!(client.post("/api/users/application/withdraw").json(&reason).send().await.status, 200);
        }
        let first = client.get("/api/users/messages").send().await.json();
        assert_eq!(first["messages"].as_array().unwrap().len(), 20);
        let rest = client.get(&format!("/api/users/messages?before={}", first["next"].as_str().unwrap())).send().await;
        let rest = rest.json();
        assert_eq!((rest["messages"].as_array().unwrap().len(), rest["next"].as_str()), (2, None));
        assert_eq!(rest["messages"][1]["subject"], "Application started");
        assert_eq!((first["unread"].as_i64(), rest["unread"].as_i64()), (Some(22), Some(22)));
    }
}
