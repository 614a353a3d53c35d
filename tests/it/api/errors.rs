//! What all calls have in common: unknown paths, wrong methods, bodies, headers.

use matricula::domain::role::Role;
use matricula::http::openapi_json;
use serde_json::{Value, json};

use crate::office::staff_client;
use crate::support::databases::story;
use crate::support::server::{World, registration};

story! {
    async fn unknown_calls_are_problems(database: Database) {
        let world = World::start(database.db()).await;
        let client = world.register().await;
        for path in [
            "/api",
            "/api/",
            "/api/nowhere",
            "/api/users",
            "/api/users/me/",
            "/api/users/ME",
            "/api/users/application/offer",
            "/api//users/me",
            "/api/users/%6de",
            "/twentyEighty/nowhere",
        ] {
            client.get(path).send().await.assert_problem(404, "not_found");
        }
    }

    async fn wrong_methods_name_the_right_ones(database: Database) {
        let world = World::start(database.db()).await;
        let client = world.register().await;
        for (method, path, allow) in [
            ("GET", "/api/users/login", "POST"),
            ("PUT", "/api/users/application", "GET,HEAD,POST"),
            ("DELETE", "/twentyEighty/users/me", "GET,HEAD"),
            ("POST", "/api/openapi.json", "GET,HEAD"),
        ] {
            let answer = client.call(method, path).send().await;
            answer.assert_problem(405, "method_not_allowed");
            assert_eq!(answer.header("allow"), allow, "{method} {path}");
        }
        let head = client.call("HEAD", "/api/users/me").send().await;
        assert_eq!((head.status, head.text.as_str()), (200, ""));
    }

    // PostgreSQL cannot search for a NUL. Both databases answer as for any other text that matches nothing.
    async fn a_nul_in_an_address_is_like_any_other_wrong_text(database: Database) {
        let world = World::start(database.db()).await;
        let applicant = world.register().await;
        let owner = staff_client(&world, Role::Owner).await.client;
        let description: Value = serde_json::from_str(&openapi_json()).unwrap();
        let mut addresses = 0;
        for (path, operations) in description["paths"].as_object().unwrap() {
            for (method, operation) in operations.as_object().unwrap() {
                let names = |place: &str| -> Vec<String> {
                    let parameters = operation["parameters"].as_array().into_iter().flatten();
                    let there = parameters.filter(|parameter| parameter["in"] == place);
                    there.map(|parameter| parameter["name"].as_str().unwrap().to_owned()).collect()
                };
                let mut filled = path.clone();
                for name in names("path") {
                    filled = filled.replace(&format!("{{{name}}}"), "1%00");
                }
                let query: Vec<String> = names("query").iter().map(|name| format!("{name}=1%00")).collect();
                if filled == *path && query.is_empty() {
                    continue;
                }
                let each = query.iter().map(|one| format!("{filled}?{one}"));
                for address in each.chain([filled.clone()]) {
                    let client = if path.starts_with("/api/admins") { &owner } else { &applicant };
                    let answer = client.call(&method.to_uppercase(), &address).json(&json!({})).send().await;
                    assert!(answer.status < 500, "{method} {address}: {answer:?}");
                    addresses += 1;
                }
            }
        }
        assert!(addresses > 100, "{addresses}");
        let office = staff_client(&world, Role::Owner).await;
        for query in ["q=1%00", "after=1%00", "before=1%00", "id=1%00", "tab=1%00", "assignee=1%00", "tag=1%00"] {
            for path in ["applications", "audit", "admins", "finance", "contracts", "interviews", "decisions", "documents"] {
                let page = office.see(&format!("/admin-panel/{path}?{query}")).send().await;
                assert!(page.status < 500, "{path}?{query}: {page:?}");
            }
        }
    }

    async fn bodies_are_strict(database: Database) {
        let world = World::start(database.db()).await;
        let client = world.visitor();
        let send = async |content_type: &str, body: Vec<u8>| {
            client.post("/api/users/login").raw(content_type, body).send().await
        };
        let json = "application/json";
        for (content_type, body, status, code) in [
            (json, b"".to_vec(), 400, "json.syntax"),
            (json, b"[]".to_vec(), 400, "json.object"),
            (json, b"{\"email\":\"\xff\"}".to_vec(), 400, "json.unicode"),
            (json, br#"{"email":"a\u0000b"}"#.to_vec(), 400, "json.nul"),
            (json, br#"{"email":"a@b.co","email":"c@d.eo"}"#.to_vec(), 400, "json.duplicate"),
            (json, format!(r#"{{"email":"{}"}}"#, "a".repeat(256 * 1024)).into(), 413, "body.too_large"),
            ("application/x-www-form-urlencoded", b"email=a".to_vec(), 415, "content_type"),
            ("multipart/form-data; boundary=x", b"".to_vec(), 415, "content_type"),
            ("application/json; charset=utf-8", b"{}".to_vec(), 422, "email.required"),
            (json, br#"{"email":null,"password":"x"}"#.to_vec(), 422, "email.required"),
            (json, br#"{"":1}"#.to_vec(), 422, "field.unknown"),
        ] {
            let answer = send(content_type, body).await;
            answer.assert_problem(status, code);
        }
        let duplicate = send(json, br#"{"email":"a@b.co","email":"c@d.eo"}"#.to_vec()).await;
        assert_eq!(duplicate.json()["error"], "The request body contains the field email twice.");
        for (body, error) in [
            (&b"{\"email\":\"\xff\"}"[..], "The request body is not UTF-8. Send it as UTF-8."),
            (br#"{"email":"\ud800"}"#, "The request body contains an invalid Unicode escape."),
            (br#"{"":1}"#, "There is a field without a name. Leave it out."),
        ] {
            assert_eq!(send(json, body.to_vec()).await.json()["error"], error);
        }
        // Optional fields must not be null, unless the description says so.
        let registered = world.register().await;
        let change = async |body: Value| registered.call("PATCH", "/api/users/profile").json(&body).send().await;
        let refused = change(json!({ "firstName": null, "reminders": null, "timeZone": "UTC" })).await;
        refused.assert_problem(422, "firstName.type");
        assert_eq!(refused.json()["fields"]["firstName"], "Send a value for this, or leave it out.");
        assert_eq!(refused.json()["fields"]["reminders"], "Answer yes or no.");
        // A name without visible characters is refused too.
        for name in ["\u{200b}", "Ada\u{202e}nimda", "Ada\u{2028}Byron"] {
            change(json!({ "firstName": name })).await.assert_problem(422, "firstName.invalid");
        }
        assert_eq!(change(json!({ "firstName": "علی\u{200c}رضا" })).await.status, 200);
        let none = client.post("/api/users/login").send().await;
        none.assert_problem(415, "content_type");
    }

    async fn every_answer_has_its_id_and_is_nobody_elses(database: Database) {
        let world = World::start(database.db()).await;
        let client = world.register().await;
        let own = client.get("/api/users/me").header("x-request-id", "edge-7.A_b").send().await;
        assert_eq!(own.header("x-request-id"), "edge-7.A_b");
        assert_eq!(own.header("cache-control"), "no-store");
        assert_eq!(own.header("x-content-type-options"), "nosniff");

        let problem = client.get("/api/nowhere").header("x-request-id", "<script>").send().await;
        let id = problem.header("x-request-id").to_owned();
        assert_eq!(problem.json()["requestId"], id.as_str());
        assert!(id.len() == 16 && id.bytes().all(|byte| byte.is_ascii_hexdigit()), "{id}");
        assert_eq!(problem.header("cache-control"), "no-store");
        assert_eq!(problem.header("x-content-type-options"), "nosniff");
    }

    async fn a_problem_has_the_members_of_its_standard(database: Database) {
        let world = World::start(database.db()).await;
        let client = world.register().await;
        let answer = world.visitor().post("/api/users/register").json(&registration(&client.email)).send().await;
        let sentence = "An account with this email already exists. Log in or reset your password.";
        assert_eq!(
            answer.json(),
            json!({
                "type": "/api/docs#email.taken",
                "title": "Conflict",
                "status": 409,
                "detail": sentence,
                "error": sentence,
                "code": "email.taken",
                "requestId": answer.header("x-request-id")
            })
        );
    }

    async fn bad_tokens_are_told_apart(database: Database) {
        let world = World::start(database.db()).await;
        let client = world.register().await;
        let with = async |authorization: &str| {
            let call = client.without_token().get("/api/users/me").header("authorization", authorization);
            call.send().await
        };
        with("Basic YTpi").await.assert_problem(401, "auth.required");
        with("Bearer").await.assert_problem(401, "token.invalid");
        with("Bearer null").await.assert_problem(401, "token.invalid");
        let token = client.token.as_deref().unwrap();
        assert_eq!(with(&format!("bearer {token}")).await.status, 200);
        with(&format!("Bearer {token}x")).await.assert_problem(401, "token.invalid");
    }
}
