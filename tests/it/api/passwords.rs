//! Forgotten, reset and changed passwords.

use matricula::domain::moments::MINUTE;
use serde_json::{Value, json};

use crate::support::databases::story;
use crate::support::server::{Answer, Client, PASSWORD, World};

const NEW: &str = "another horse entirely";

/// The token in the newest reset mail to the client.
pub async fn mailed_token(world: &World, client: &Client) -> String {
    let mails = world.mails(500).await;
    let text = mails.into_iter().filter(|mail| mail.to == client.email).find_map(|mail| {
        mail.text
            .split_once("/reset-password?token=")
            .map(|(_, rest)| rest.lines().next().unwrap_or_default().to_owned())
    });
    text.expect("a reset was mailed")
}

async fn forgot(client: &Client, body: Value) -> Answer {
    client.post("/api/users/forgot-password").json(&body).send().await
}

async fn reset(client: &Client, token: &str, password: &str) -> Answer {
    client.post("/api/users/reset-password").json(&json!({ "token": token, "password": password })).send().await
}

async fn log_in(client: &Client, password: &str) -> u16 {
    let body = json!({ "email": client.email, "password": password });
    client.post("/api/users/login").json(&body).send().await.status
}

story! {
    async fn everyone_gets_the_same_answer_and_only_the_owner_a_mail(database: Database) {
        let world = World::start(database.db()).await;
        let client = world.register().await;
        let known = forgot(&client, json!({ "email": client.email })).await;
        let unknown = forgot(&client, json!({ "email": "nobody@example.org" })).await;
        assert_eq!((known.status, &known.text), (200, &unknown.text));
        assert!(known.json()["message"].as_str().unwrap().starts_with("If there is an account"));
        let mails = world.mails(10).await;
        let to: Vec<&str> = mails.iter().map(|mail| mail.to.as_str()).collect();
        assert_eq!(to, [client.email.as_str()]);

        let missing = forgot(&client, json!({ "email": "" })).await;
        missing.assert_problem(422, "email.required");
        assert_eq!(missing.json()["error"], "Please enter your email address");
    }

    async fn a_reset_works_once_for_thirty_minutes_and_ends_every_session(database: Database) {
        let world = World::start(database.db()).await;
        let client = world.register().await;
        forgot(&client, json!({ "email": client.email })).await;
        let replaced = mailed_token(&world, &client).await;
        world.clock.advance(MINUTE);
        forgot(&client, json!({ "email": client.email })).await;
        let token = mailed_token(&world, &client).await;
        assert_ne!(replaced, token);

        reset(&client, &replaced, NEW).await.assert_problem(422, "token.spent");
        reset(&client, &token, "short").await.assert_problem(422, "password.too_short");
        let done = reset(&client, &token, NEW).await;
        assert_eq!(done.json()["message"], "Your password has been changed. Log in with the new one.");
        reset(&client, &token, NEW).await.assert_problem(422, "token.spent");
        client.get("/api/users/me").send().await.assert_problem(401, "session.revoked");
        assert_eq!((log_in(&client, PASSWORD).await, log_in(&client, NEW).await), (401, 200));

        world.clock.advance(MINUTE);
        forgot(&client, json!({ "email": client.email })).await;
        let late = mailed_token(&world, &client).await;
        world.clock.advance(30 * MINUTE);
        reset(&client, &late, PASSWORD).await.assert_problem(422, "token.spent");
    }

    async fn a_changed_password_ends_the_other_sessions_only(database: Database) {
        let world = World::start(database.db()).await;
        let client = world.register().await;
        let other = client.log_in().await;
        let change = async |current: &str, new: &str| {
            let body = json!({ "currentPassword": current, "password": new });
            client.post("/api/users/password").json(&body).send().await
        };
        change("wrong horse battery staple", NEW).await.assert_problem(422, "currentPassword.wrong");
        change(PASSWORD, "short").await.assert_problem(422, "password.too_short");
        assert_eq!(change(PASSWORD, NEW).await.status, 204);
        assert_eq!(client.get("/api/users/me").send().await.status, 200);
        other.get("/api/users/me").send().await.assert_problem(401, "session.revoked");
        assert_eq!((log_in(&client, PASSWORD).await, log_in(&client, NEW).await), (401, 200));
    }
}
