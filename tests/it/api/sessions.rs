//! Sessions: their two secrets, listing and ending them; and the account they belong to.

use matricula::domain::moments::{DAY, MINUTE};
use matricula::store::MAX_SESSIONS;
use serde_json::{Value, json};

use crate::support::databases::story;
use crate::support::server::{Answer, Call, Client, PUBLIC_URL, World};

const RENEW: &str = "/api/users/session";

async fn renew(client: &Client, header: &'static str, value: &str) -> Answer {
    client.without_token().post(RENEW).with_cookie(client).header(header, value).send().await
}

story! {
    async fn a_cookie_becomes_a_token_for_our_own_pages_only(database: Database) {
        let world = World::start(database.db()).await;
        let client = world.register().await;
        for (header, value) in [("sec-fetch-site", "same-origin"), ("origin", PUBLIC_URL)] {
            let answer = renew(&client, header, value).await;
            let renewed = client.with_token(answer.json()["token"].as_str().unwrap());
            assert_eq!(renewed.get("/api/users/me").send().await.json(), client.user);
        }
        for (header, value) in [
            ("sec-fetch-site", "cross-site"),
            ("sec-fetch-site", "same-site"),
            ("origin", "https://evil.example"),
            ("origin", "null"),
            ("accept", "application/json"),
        ] {
            renew(&client, header, value).await.assert_problem(401, "auth.required");
        }
        // A token in place of the cookie, no cookie, or an unknown one.
        let ours = |call: Call| call.header("sec-fetch-site", "same-origin").send();
        ours(client.post(RENEW)).await.assert_problem(401, "auth.required");
        let nobodys = format!("matricula_session={}", "x".repeat(43));
        ours(client.post(RENEW).header("cookie", &nobodys)).await.assert_problem(401, "auth.required");
    }

    async fn no_other_call_takes_a_cookie(database: Database) {
        let world = World::start(database.db()).await;
        let client = world.register().await;
        for (method, path) in [
            ("GET", "/api/users/me"),
            ("GET", "/api/users/sessions"),
            ("DELETE", "/api/users/sessions"),
            ("DELETE", "/api/users/sessions/1"),
            ("PATCH", "/api/users/profile"),
            ("POST", "/api/users/password"),
            ("POST", "/api/users/logout"),
            ("GET", "/api/users/application"),
            ("POST", "/api/users/application/start"),
        ] {
            let call = client.without_token().call(method, path).with_cookie(&client);
            let answer = call.header("sec-fetch-site", "same-origin").json(&json!({})).send().await;
            answer.assert_problem(401, "auth.required");
            assert_eq!(answer.header("www-authenticate"), "Bearer", "{method} {path}");
        }
    }

    async fn a_token_lives_for_minutes_and_its_session_for_days(database: Database) {
        let world = World::start(database.db()).await;
        let client = world.register().await;
        world.clock.advance(17 * MINUTE);
        client.get("/api/users/me").send().await.assert_problem(401, "token.expired");
        let answer = renew(&client, "sec-fetch-site", "same-origin").await;
        let renewed = client.with_token(answer.json()["token"].as_str().unwrap());
        assert_eq!(renewed.get("/api/users/me").send().await.status, 200);
        world.clock.advance(30 * DAY);
        renew(&client, "sec-fetch-site", "same-origin").await.assert_problem(401, "auth.required");
    }

    async fn more_sessions_than_are_allowed_end_the_oldest(database: Database) {
        let world = World::start(database.db()).await;
        let first = world.register().await;
        let mut later = Vec::new();
        for _ in 1..MAX_SESSIONS {
            world.clock.advance(1);
            later.push(first.log_in().await);
        }
        let status = async |client: &Client| client.get("/api/users/me").send().await.status;
        assert_eq!(status(&first).await, 200);
        world.clock.advance(1);
        let newest = first.log_in().await;
        assert_eq!(status(&first).await, 401, "the oldest one has ended");
        for client in [&later[0], &later[later.len() - 1], &newest] {
            assert_eq!(status(client).await, 200);
        }
    }

    async fn sessions_are_listed_and_ended_at_once(database: Database) {
        let world = World::start(database.db()).await;
        let first = world.register().await;
        world.clock.advance(2 * MINUTE);
        let (second, third) = (first.log_in().await, first.log_in().await);
        let stranger = world.register().await;

        let list = async |client: &Client| -> Vec<Value> {
            let body = client.get("/api/users/sessions").send().await.json();
            body["sessions"].as_array().unwrap().clone()
        };
        let current = async |client: &Client| -> Value {
            let mut sessions = list(client).await;
            sessions.retain(|session| session["current"] == true);
            assert_eq!(sessions.len(), 1);
            sessions.remove(0)
        };
        assert_eq!(list(&first).await.len(), 3);
        let own = current(&first).await;
        assert_eq!(own["createdAt"], "2026-05-04T12:00:00Z");
        assert_eq!(own["expiresAt"], "2026-06-03T12:00:00Z");
        // A visit is recorded in the background, apart from the request.
        while current(&first).await["lastSeenAt"] != "2026-05-04T12:02:00Z" {
            tokio::time::sleep(std::time::Duration::from_millis(10)).await;
        }

        let own = current(&second).await;
        let path = format!("/api/users/sessions/{}", own["id"].as_str().unwrap());
        stranger.call("DELETE", &path).send().await.assert_problem(404, "session.not_found");
        assert_eq!(first.call("DELETE", &path).send().await.status, 204);
        second.get("/api/users/me").send().await.assert_problem(401, "session.revoked");
        renew(&second, "sec-fetch-site", "same-origin").await.assert_problem(401, "auth.required");
        first.call("DELETE", &path).send().await.assert_problem(404, "session.not_found");

        let ended = first.call("DELETE", "/api/users/sessions").send().await;
        assert_eq!(ended.json(), json!({ "ended": 1 }));
        third.get("/api/users/me").send().await.assert_problem(401, "session.revoked");
        assert_eq!(list(&first).await.len(), 1);
        assert_eq!(stranger.get("/api/users/me").send().await.status, 200);
    }

    async fn logging_out_ends_token_and_cookie(database: Database) {
        let world = World::start(database.db()).await;
        let client = world.register().await;
        let answer = client.post("/api/users/logout").send().await;
        assert_eq!((answer.status, answer.text.as_str()), (204, ""));
        assert_eq!(answer.set_cookie("matricula_session").as_deref(), Some(""));
        client.get("/api/users/me").send().await.assert_problem(401, "session.revoked");
        renew(&client, "sec-fetch-site", "same-origin").await.assert_problem(401, "auth.required");
    }

    async fn a_profile_is_changed_field_by_field(database: Database) {
        let world = World::start(database.db()).await;
        let client = world.register().await;
        let change = async |body: Value| client.call("PATCH", "/api/users/profile").json(&body).send().await;
        let mut user = client.user.clone();
        user["lastName"] = "Example".into();
        user["timeZone"] = "America/Chicago".into();
        assert_eq!(change(json!({ "lastName": "Example", "timeZone": "America/Chicago" })).await.json(), user);
        user["country"] = "DE".into();
        user["state"] = Value::Null;
        user["phoneNumber"] = "+493012345".into();
        assert_eq!(change(json!({ "country": "DE", "phoneNumber": "+49 30 12345" })).await.json(), user);
        assert_eq!(client.get("/api/users/me").send().await.json(), user);
        assert_eq!(change(json!({})).await.json(), user);

        change(json!({ "country": "US" })).await.assert_problem(422, "state.required");
        change(json!({ "email": "new@example.org" })).await.assert_problem(422, "field.unknown");
        change(json!({ "timeZone": "Mars/Olympus" })).await.assert_problem(422, "timeZone.unknown");
        assert_eq!(client.get("/api/users/me").send().await.json(), user);
    }
}
