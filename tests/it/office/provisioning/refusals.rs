//! What a provider may not send, and what it is told then.

use serde_json::{Value, json};

use super::{ERROR, GROUP, PATCH, group_of, refused, start, user_of, with_query};
use crate::support::databases::story;

story! {
    async fn values_that_make_no_sense_are_refused(database: Database) {
        let (_world, _owner, sender) = start(&database).await;
        let user = sender.user("demo@example.org").await;
        let group = sender.group("readers", &[&user]).await;
        let all = async || [sender.load("/Users").await, sender.load("/Groups").await];
        let before = all().await;
        let long = "x".repeat(501);
        for (change, status, scim_type) in [
            (json!({ "userName": null }), 400, "invalidValue"),
            (json!({ "userName": " " }), 400, "invalidValue"),
            (json!({ "userName": 7 }), 400, "invalidValue"),
            (json!({ "userName": long }), 400, "invalidValue"),
            (json!({ "userName": "demo", "emails": [] }), 400, "invalidValue"),
            (json!({ "emails": [{ "value": "not an email" }] }), 400, "invalidValue"),
            (json!({ "emails": [{ "value": format!("{long}@example.org") }] }), 400, "invalidValue"),
            (json!({ "active": "perhaps" }), 400, "invalidValue"),
            (json!({ "displayName": long }), 400, "invalidValue"),
            (json!({ "displayName": ["Demo"] }), 400, "invalidValue"),
            (json!({ "externalId": long }), 400, "invalidValue"),
            (json!({ "name": { "givenName": long } }), 400, "invalidValue"),
            (json!({ "userName": "DEMO@example.org" }), 409, "uniqueness"),
            (json!({ "emails": [{ "value": "Demo@Example.org" }] }), 409, "uniqueness"),
        ] {
            let mut body = user_of("new@example.org");
            body.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
            let answer = sender.send("POST", "/Users", &body).await;
            assert_eq!(answer.status, status, "{change}: {answer:?}");
            refused(&answer, status, scim_type);
        }
        for (body, status, scim_type) in [
            (json!({ "schemas": [GROUP] }), 400, "invalidValue"),
            (group_of(" ", &[]), 400, "invalidValue"),
            (group_of(&long, &[]), 400, "invalidValue"),
            (group_of("new", &["nobody"]), 400, "invalidValue"),
            (group_of("new", &[&group]), 400, "invalidValue"),
            (json!({ "displayName": "new", "members": [{ "value": user, "type": "Group" }] }), 400, "invalidValue"),
            (json!({ "displayName": "new", "members": [{ "display": "Demo" }] }), 400, "invalidValue"),
            (json!({ "displayName": "new", "externalId": long }), 400, "invalidValue"),
            (group_of("READERS", &[]), 409, "uniqueness"),
        ] {
            let answer = sender.send("POST", "/Groups", &body).await;
            assert_eq!(answer.status, status, "{body}: {answer:?}");
            refused(&answer, status, scim_type);
        }
        assert_eq!(all().await, before);
    }

    async fn changes_that_make_no_sense_are_refused(database: Database) {
        let (_world, _owner, sender) = start(&database).await;
        let user = sender.user("demo@example.org").await;
        let group = sender.group("readers", &[&user]).await;
        let (user, group_path) = (format!("/Users/{user}"), format!("/Groups/{group}"));
        let all = async || [sender.load("/Users").await, sender.load("/Groups").await];
        let before = all().await;
        let at = |op: &str, path: &str, value: Value| json!({ "op": op, "path": path, "value": value });
        for (path, operation, scim_type) in [
            (&user, at("jump", "displayName", json!("x")), "invalidSyntax"),
            (&user, json!({ "path": "displayName", "value": "x" }), "invalidSyntax"),
            (&user, json!({ "op": "remove" }), "noTarget"),
            (&user, at("replace", "emails[", json!("x")), "invalidPath"),
            (&user, at("replace", "emails[type eq].value", json!("x")), "invalidPath"),
            (&user, at("replace", "name..givenName", json!("x")), "invalidPath"),
            (&user, at("replace", "display name", json!("x")), "invalidPath"),
            (&user, at("replace", "id", json!("x")), "mutability"),
            (&user, at("replace", "meta.created", json!("2026-01-01T00:00:00Z")), "mutability"),
            (&user, at("add", "groups", json!([{ "value": group }])), "mutability"),
            (&user, json!({ "op": "remove", "path": "schemas" }), "mutability"),
            (&user, at("replace", "active", json!("perhaps")), "invalidValue"),
            (&user, at("replace", "displayName", json!("x".repeat(501))), "invalidValue"),
            (&user, at("replace", "emails[type eq \"work\"].value", json!("x")), "invalidValue"),
            (&group_path, at("replace", "id", json!("x")), "mutability"),
            (&group_path, at("add", "members", json!([{ "value": "nobody" }])), "invalidValue"),
            (&group_path, at("add", "members", json!([{ "value": group }])), "invalidValue"),
            (&group_path, json!({ "op": "remove", "path": "members[value eq" }), "invalidPath"),
        ] {
            let answer = sender.try_patch(path, &json!([operation])).await;
            assert_eq!(answer.status, 400, "{operation}: {answer:?}");
            refused(&answer, 400, scim_type);
        }
        refused(&sender.send("PATCH", &user, &json!({ "schemas": [PATCH] })).await, 400, "invalidSyntax");
        assert_eq!(all().await, before);
    }

    async fn filters_that_make_no_sense_are_refused(database: Database) {
        let (_world, _owner, sender) = start(&database).await;
        let nested = format!("{}userName pr{}", "(".repeat(200), ")".repeat(200));
        for filter in [
            "userName",
            "userName eq",
            "userName eq demo",
            "userName like \"demo\"",
            "(userName pr",
            "emails[type eq]",
            &nested,
        ] {
            for path in ["/Users", "/Groups"] {
                let answer = sender.get(&with_query(path, &[("filter", filter)])).await;
                assert_eq!(answer.status, 400, "{filter}: {answer:?}");
                refused(&answer, 400, "invalidFilter");
            }
        }
    }

    async fn bodies_that_are_no_json_objects_are_refused(database: Database) {
        let (_world, _owner, sender) = start(&database).await;
        let user = format!("/Users/{}", sender.user("demo@example.org").await);
        let before = sender.load("/Users").await;
        let deep = format!("{{\"userName\":{}{}}}", "[".repeat(10_000), "]".repeat(10_000));
        for body in [&b""[..], b"{", b"[]", b"\"user\"", b"{\"userName\":\"\xff@example.org\"}", deep.as_bytes()] {
            for (method, path) in [("POST", "/Users"), ("POST", "/Groups"), ("PUT", &user), ("PATCH", &user)] {
                let answer = sender.call(method, path).raw("application/scim+json", body.to_vec()).send().await;
                let shown: String = String::from_utf8_lossy(body).chars().take(40).collect();
                assert_eq!(answer.status, 400, "{method} {path} {shown}: {answer:?}");
                refused(&answer, 400, "invalidSyntax");
            }
        }
        // PostgreSQL could not store it.
        let nul = "Demo\u{0}Reader";
        let mut body = user_of("new@example.org");
        body["displayName"] = json!(nul);
        for answer in [
            sender.send("POST", "/Users", &body).await,
            sender.send("PUT", &user, &body).await,
            sender.try_patch(&user, &json!([{ "op": "replace", "path": "displayName", "value": nul }])).await,
            sender.send("POST", "/Groups", &group_of(nul, &[])).await,
        ] {
            assert_eq!((answer.status, &answer.json()["schemas"]), (400, &json!([ERROR])), "{answer:?}");
        }
        assert_eq!(sender.load("/Users").await, before);

        let body = user_of("demo@example.org").to_string();
        for content_type in ["text/plain", "application/x-www-form-urlencoded", "application/jsonp"] {
            refused(&sender.call("POST", "/Users").raw(content_type, body.clone()).send().await, 415, "");
        }
        refused(&sender.call("POST", "/Users").send().await, 415, "");
        for content_type in ["application/json", "application/json; charset=utf-8", "Application/SCIM+JSON;a=b"] {
            let put = sender.call("PUT", &user).raw(content_type, body.clone()).send().await;
            assert_eq!(put.status, 200, "{content_type}: {put:?}");
        }
    }

    async fn what_is_not_there_is_refused(database: Database) {
        let (_world, _owner, sender) = start(&database).await;
        let user = format!("/Users/{}", sender.user("demo@example.org").await);
        for path in ["/Devices", "/Me", "/Users/none", "/Groups/none", "/Users/%00", "/Users/a/emails", "/Schemas/x"] {
            refused(&sender.get(path).await, 404, "");
        }
        refused(&sender.send("POST", "/Bulk", &json!({})).await, 404, "");
        for (method, path) in [
            ("PUT", "/Users"),
            ("DELETE", "/Groups"),
            ("POST", &user),
            ("POST", "/ServiceProviderConfig"),
            ("PATCH", "/Schemas"),
        ] {
            let answer = sender.send(method, path, &json!({})).await;
            assert_eq!(answer.status, 405, "{method} {path}: {answer:?}");
            refused(&answer, 405, "");
        }
        assert_eq!(sender.get(&user).await.status, 200);
    }
}
