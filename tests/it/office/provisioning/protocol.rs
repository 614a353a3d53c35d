//! What a provider sends and asks for, as the protocol describes it, and as Entra ID and Okta write it.

use matricula::domain::directory::{MAX_GROUPS, MAX_USERS};
use matricula::domain::moments::MINUTE;
use matricula::domain::role::Role;
use serde_json::{Value, json};

use super::{ENTERPRISE, GROUP, USER, group_of, id_of, members, refused, role, start, user_of, values};
use crate::support::databases::story;
use crate::support::server::PUBLIC_URL;

story! {
    async fn a_provider_learns_what_is_supported(database: Database) {
        let (_world, _owner, sender) = start(&database).await;
        let answer = sender.get("/ServiceProviderConfig").await;
        assert_eq!((answer.status, answer.header("content-type")), (200, "application/scim+json"), "{answer:?}");
        let config = answer.json();
        assert_eq!(config["schemas"], json!(["urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig"]));
        for feature in ["patch", "filter", "bulk", "sort", "etag", "changePassword"] {
            let expected = matches!(feature, "patch" | "filter");
            assert_eq!(config[feature]["supported"], expected, "{feature}: {config}");
        }
        assert_eq!(config["filter"]["maxResults"], 200);
        assert_eq!(config["authenticationSchemes"][0]["type"], "oauthbearertoken");

        assert_eq!(values(&sender.list("/ResourceTypes", &[]).await, "endpoint"), ["/Groups", "/Users"]);
        for (name, endpoint, schema) in [("User", "/Users", USER), ("Group", "/Groups", GROUP)] {
            let one = sender.load(&format!("/ResourceTypes/{name}")).await;
            assert_eq!([&one["name"], &one["endpoint"], &one["schema"]], [name, endpoint, schema]);
        }
        assert_eq!(values(&sender.list("/Schemas", &[]).await, "id"), [GROUP, USER]);
        let common = ["id", "externalId", "meta", "schemas"];
        for (schema, kept) in [
            (USER, &["active", "displayName", "emails", "groups", "name", "userName"][..]),
            (GROUP, &["displayName", "members"]),
        ] {
            let one = sender.load(&format!("/Schemas/{schema}")).await;
            let attributes = one["attributes"].as_array().unwrap().iter();
            let mut names: Vec<&str> = attributes.map(|attribute| attribute["name"].as_str().unwrap()).collect();
            names.retain(|name| !common.contains(name));
            names.sort_unstable();
            assert_eq!(names, kept, "{schema}");
        }
        for path in ["/ResourceTypes/Device", &format!("/Schemas/{ENTERPRISE}")] {
            refused(&sender.get(path).await, 404, "");
        }
    }

    async fn entra_id_keeps_users_and_groups_up_to_date(database: Database) {
        // The requests are those of Microsoft's documentation.
        let (world, _owner, entra) = start(&database).await;
        let nobody = entra.list("/Users", &[("filter", r#"userName eq "6dd4a9f0-no-such-user""#)]).await;
        assert_eq!([&nobody["totalResults"], &nobody["Resources"]], [&json!(0), &json!([])], "{nobody}");
        let external = "0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef";
        let body = json!({
            "schemas": [USER, ENTERPRISE],
            "externalId": external,
            "userName": "Demo.Reader@example.org",
            "active": true,
            "emails": [{ "primary": true, "type": "work", "value": "demo.reader@example.org" }],
            "meta": { "resourceType": "User" },
            "name": { "formatted": "Demo Reader", "familyName": "Reader", "givenName": "Demo" },
            ENTERPRISE: { "department": "Office" },
            "roles": [],
        });
        let answer = entra.send("POST", "/Users", &body).await;
        assert_eq!((answer.status, answer.header("content-type")), (201, "application/scim+json"), "{answer:?}");
        let made = answer.json();
        let id = id_of(&made);
        let (path, location) = (format!("/Users/{id}"), format!("{PUBLIC_URL}/api/scim/v2/Users/{id}"));
        assert_eq!((answer.header("location"), &made["meta"]["location"]), (location.as_str(), &json!(location)));
        assert_eq!([&made["schemas"], &made["meta"]["resourceType"]], [&json!([USER]), &json!("User")]);
        assert_eq!(made["emails"], json!([{ "value": "demo.reader@example.org", "type": "work", "primary": true }]));
        assert_eq!(made["name"], json!({ "formatted": "Demo Reader", "givenName": "Demo", "familyName": "Reader" }));
        assert_eq!([&made["userName"], &made["externalId"]], ["Demo.Reader@example.org", external]);
        assert!(made["active"] == true && made["roles"].is_null() && made[ENTERPRISE].is_null(), "{made}");
        assert_eq!(entra.load(&path).await, made);
        for filter in [format!("externalId eq \"{external}\""), r#"userName eq "demo.READER@example.org""#.into()] {
            let found = entra.list("/Users", &[("filter", &filter)]).await;
            assert_eq!((&found["totalResults"], values(&found, "id").concat()), (&json!(1), id.clone()), "{filter}");
        }

        world.clock.advance(MINUTE);
        let operations = json!([
            { "op": "Replace", "path": "emails[type eq \"work\"].value", "value": "demo@example.org" },
            { "op": "Replace", "path": "name.familyName", "value": "Walker" },
        ]);
        let changed = entra.patch(&path, &operations).await;
        assert_eq!(changed["emails"], json!([{ "value": "demo@example.org", "type": "work", "primary": true }]));
        assert_eq!(changed["name"]["formatted"], "Demo Walker");
        let (created, modified) = (&changed["meta"]["created"], &changed["meta"]["lastModified"]);
        assert_eq!(created, &made["meta"]["created"]);
        assert!(created.as_str().unwrap() < modified.as_str().unwrap(), "{changed}");
        for (sent, active) in [("False", false), ("True", true)] {
            let operation = json!([{ "op": "Replace", "path": "active", "value": sent }]);
            assert_eq!(entra.patch(&path, &operation).await["active"], active);
        }

        let body = json!({
            "schemas": [GROUP, "http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group"],
            "externalId": "8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159",
            "displayName": "readers",
            "meta": { "resourceType": "Group" },
        });
        let group = entra.make("/Groups", &body).await;
        let group_id = id_of(&group);
        let group_path = format!("/Groups/{group_id}");
        assert_eq!([&group["displayName"], &group["meta"]["resourceType"]], ["readers", "Group"]);
        let added = json!([{ "op": "Add", "path": "members", "value": [{ "$ref": null, "value": id }] }]);
        entra.patch(&group_path, &added).await;
        let member = entra.load(&group_path).await["members"][0].clone();
        assert_eq!([&member["value"], &member["type"], &member["$ref"]], [id.as_str(), "User", location.as_str()]);
        let without = entra.load(&format!("{group_path}?excludedAttributes=members")).await;
        assert!(without.get("members").is_none() && without["displayName"] == "readers", "{without}");
        let by_name = [("excludedAttributes", "members"), ("filter", r#"displayName eq "Readers""#)];
        let found = entra.list("/Groups", &by_name).await;
        assert_eq!(values(&found, "id"), [group_id.as_str()]);
        assert!(found["Resources"][0].get("members").is_none(), "{found}");
        let groups = entra.load(&path).await["groups"].clone();
        assert_eq!([&groups[0]["value"], &groups[0]["display"]], [group_id.as_str(), "readers"]);
        assert_eq!(role(&world, "demo@example.org").await, Some(Role::Reviewer));

        let removed = json!([{ "op": "Remove", "path": "members", "value": [{ "$ref": null, "value": id }] }]);
        assert!(members(&entra.patch(&group_path, &removed).await).is_empty());
        assert_eq!(role(&world, "demo@example.org").await, None);
        let renamed = json!([{ "op": "Replace", "path": "displayName", "value": "walkers" }]);
        assert_eq!(entra.patch(&group_path, &renamed).await["displayName"], "walkers");
        for path in [group_path, path] {
            entra.delete(&path).await;
            refused(&entra.get(&path).await, 404, "");
            refused(&entra.call("DELETE", &path).send().await, 404, "");
        }
        assert_eq!(database.count("directory_users").await + database.count("directory_groups").await, 0);
    }

    async fn okta_keeps_users_and_groups_up_to_date(database: Database) {
        // The requests are those of Okta's reference.
        let (world, _owner, okta) = start(&database).await;
        for (path, count) in [("/Users", "2"), ("/Groups", "100")] {
            let list = okta.list(path, &[("startIndex", "1"), ("count", count)]).await;
            assert_eq!([&list["totalResults"], &list["startIndex"]], [0, 1], "{list}");
        }
        let by_name = [("filter", r#"userName eq "demo@example.org""#), ("startIndex", "1"), ("count", "100")];
        assert_eq!(okta.list("/Users", &by_name).await["totalResults"], 0);
        let body = json!({
            "schemas": [USER],
            "userName": "demo@example.org",
            "name": { "givenName": "Demo", "familyName": "Reader" },
            "emails": [{ "primary": true, "value": "demo@example.org", "type": "work" }],
            "displayName": "Demo Reader",
            "locale": "en-US",
            "externalId": "00ujl29u0le5T6Aj10h7",
            "groups": [],
            "password": "1mz050nq",
            "active": true,
        });
        let answer = okta.send("POST", "/Users", &body).await;
        assert!(answer.status == 201 && !answer.text.contains("1mz050nq"), "{answer:?}");
        let id = id_of(&answer.json());
        let path = format!("/Users/{id}");
        assert_eq!(values(&okta.list("/Users", &by_name).await, "id"), [id.as_str()]);

        let body = json!({
            "schemas": [USER],
            "id": id,
            "userName": "demo@example.org",
            "name": { "givenName": "Another", "middleName": "Excited", "familyName": "Reader" },
            "emails": [{ "primary": true, "value": "demo@example.org", "type": "work", "display": "demo@example.org" }],
            "groups": [],
            "meta": { "resourceType": "User" },
        });
        let put = okta.send("PUT", &path, &body).await;
        assert_eq!(put.status, 200, "{put:?}");
        let changed = put.json();
        let name = json!({ "formatted": "Another Reader", "givenName": "Another", "familyName": "Reader" });
        assert_eq!([&changed["id"], &changed["name"], &changed["active"]], [&json!(id), &name, &json!(true)]);
        assert!(changed["displayName"].is_null() && changed["externalId"].is_null(), "all as in the body: {changed}");
        for active in [false, true] {
            let operation = json!([{ "op": "replace", "value": { "active": active } }]);
            assert_eq!(okta.patch(&path, &operation).await["active"], active);
        }

        let group = okta.group("deans of old", &[]).await;
        let group_path = format!("/Groups/{group}");
        let operation = json!([{ "op": "replace", "value": { "id": group, "displayName": "deans" } }]);
        let renamed = okta.patch(&group_path, &operation).await;
        assert_eq!([&renamed["id"], &renamed["displayName"]], [group.as_str(), "deans"]);
        let member = |id: &str| json!({ "value": id, "display": "demo@example.org" });
        okta.patch(&group_path, &json!([{ "op": "add", "path": "members", "value": [member(&id)] }])).await;
        assert_eq!(role(&world, "demo@example.org").await, Some(Role::Reviewer));
        let other = okta.user("other@example.org").await;
        let operations = json!([
            { "op": "remove", "path": format!("members[value eq \"{id}\"]") },
            { "op": "add", "path": "members", "value": [member(&other)] },
        ]);
        let exchanged = okta.patch(&group_path, &operations).await;
        assert_eq!(members(&exchanged), [other.as_str()]);
        assert_eq!(role(&world, "demo@example.org").await, None);
        assert_eq!(role(&world, "other@example.org").await, Some(Role::Reviewer));
        let both = json!([{ "op": "replace", "path": "members", "value": [member(&id), member(&other)] }]);
        assert_eq!(members(&okta.patch(&group_path, &both).await).len(), 2);
        let put = okta.send("PUT", &group_path, &group_of("deans", &[&id])).await;
        assert_eq!((put.status, members(&put.json())), (200, vec![id.as_str()]));
        assert_eq!(role(&world, "demo@example.org").await, Some(Role::Reviewer));
        assert_eq!(role(&world, "other@example.org").await, None);
        okta.delete(&group_path).await;
        assert_eq!(role(&world, "demo@example.org").await, None);
    }

    async fn a_change_may_be_written_in_many_ways(database: Database) {
        let (_world, _owner, sender) = start(&database).await;
        let path = format!("/Users/{}", sender.user("demo@example.org").await);
        let value = |op: &str, value: Value| json!({ "op": op, "value": value });
        let at = |op: &str, path: &str, value: Value| json!({ "op": op, "path": path, "value": value });
        let email = "/emails/0/value";
        let in_schema = format!("{USER}:displayName");
        let emails = json!([
            { "value": "home@example.org", "type": "home" },
            { "value": "first@example.org", "type": "other", "primary": true },
        ]);
        let kept = json!([{ "value": "first@example.org", "type": "work", "primary": true }]);
        for (operation, pointer, expected) in [
            (value("add", json!({ "name.givenName": "Ada", "name.familyName": "R" })), "/name/familyName", json!("R")),
            (value("add", json!({ "emails[type eq \"work\"].value": "a@example.org" })), email, json!("a@example.org")),
            (value("Add", json!({ in_schema.as_str(): "Ada R." })), "/displayName", json!("Ada R.")),
            (value("replace", json!({ "DisplayName": "Ada" })), "/displayName", json!("Ada")),
            (at("REPLACE", &in_schema, json!("Ada L.")), "/displayName", json!("Ada L.")),
            (at("replace", "DISPLAYNAME", json!("Ada")), "/displayName", json!("Ada")),
            (at("replace", "name", json!({ "familyName": "Writer" })), "/name/familyName", json!("Writer")),
            (at("replace", "active", json!("false")), "/active", json!(false)),
            (at("replace", "active", json!("True")), "/active", json!(true)),
            (at("add", "externalId", json!("E1")), "/externalId", json!("E1")),
            (at("replace", "emails[primary eq true].value", json!("b@example.org")), email, json!("b@example.org")),
            (at("replace", "emails", emails), "/emails", kept),
            // There is none of that type, and the primary one is kept.
            (at("add", "emails[type eq \"home\"].value", json!("h@example.org")), email, json!("first@example.org")),
            // What we do not keep, or do not let them change.
            (at("replace", &format!("{ENTERPRISE}:department"), json!("Office")), "/displayName", json!("Ada")),
            (value("replace", json!({ "id": "x", "meta": {}, "title": "x" })), "/displayName", json!("Ada")),
            (value("replace", json!({ "groups": [{ "value": "x" }] })), "/groups", json!([])),
        ] {
            let changed = sender.patch(&path, &json!([operation])).await;
            assert_eq!(changed.pointer(pointer), Some(&expected), "{operation}: {changed}");
            assert_eq!(sender.load(&path).await, changed);
        }
        let removed = sender.patch(&path, &json!([{ "op": "remove", "path": "displayName" }])).await;
        assert!(removed["displayName"].is_null() && removed["id"] != "x", "{removed}");

        // Of several emails, the primary one is kept, else the one for work. Without any, the name is one.
        let (a, b) = ("a@example.org", "b@example.org");
        for (emails, expected) in [
            (json!([]), "put@example.org"),
            (json!([{ "value": a, "type": "home" }, { "value": b }]), a),
            (json!([{ "value": a }, { "value": b, "type": "work" }]), b),
            (json!([{ "value": a, "type": "work" }, { "value": b, "primary": "True" }]), b),
            (json!([{ "value": " spaces@example.org " }]), "spaces@example.org"),
        ] {
            let body = json!({ "schemas": [USER], "username": "put@example.org", "Emails": emails });
            let put = sender.send("PUT", &path, &body).await;
            assert_eq!((put.status, &put.json()["emails"][0]["value"]), (200, &json!(expected)), "{emails}");
        }

        // All of a change, or nothing.
        let half = json!([at("replace", "userName", json!("new@example.org")), { "op": "remove" }]);
        refused(&sender.try_patch(&path, &half).await, 400, "noTarget");
        assert_eq!(sender.load(&path).await["userName"], "put@example.org");
    }

    async fn users_and_groups_are_found_by_filters(database: Database) {
        let (_world, _owner, sender) = start(&database).await;
        let (a, bert, cleo) = ("ada@example.org", "bert@example.org", "cleo@example.net");
        let name = json!({ "familyName": "Reader" });
        let ada = json!({ "userName": a, "displayName": "Ada", "externalId": "A1", "name": name });
        let ada = id_of(&sender.make("/Users", &ada).await);
        let other = json!({ "userName": bert, "displayName": "Bert \"B\"", "active": false });
        sender.make("/Users", &other).await;
        sender.make("/Users", &json!({ "userName": cleo })).await;
        let readers = sender.group("readers", &[&ada]).await;
        sender.group("deans", &[]).await;
        let by_id = |id: &str| format!("id eq \"{id}\"");
        for (filter, expected) in [
            (r#"userName eq "ADA@example.org""#, &[a][..]),
            (r#"USERNAME EQ "ada@example.org""#, &[a]),
            (r#"externalId eq "A1""#, &[a]),
            (&by_id(&ada), &[a]),
            (&format!("{USER}:userName eq \"{a}\""), &[a]),
            (r#"name.familyName eq "reader""#, &[a]),
            (r#"displayName eq "Bert \"B\"""#, &[bert]),
            (r#"userName sw "b""#, &[bert]),
            (r#"userName ew ".net""#, &[cleo]),
            (r#"userName co "example.org""#, &[a, bert]),
            (r#"userName ne "ada@example.org""#, &[bert, cleo]),
            ("active eq false", &[bert]),
            ("displayName pr", &[a, bert]),
            ("not (displayName pr)", &[cleo]),
            (r#"emails.value eq "cleo@example.net""#, &[cleo]),
            (r#"emails[type eq "work" and value co "example.org"]"#, &[a, bert]),
            (r#"userName sw "a" or userName sw "b" and active eq true"#, &[a]),
            (r#"(userName sw "a" or userName sw "b") and active eq false"#, &[bert]),
            (r#"userName eq "nobody""#, &[]),
        ] {
            let found = sender.list("/Users", &[("filter", filter)]).await;
            assert_eq!(values(&found, "userName"), expected, "{filter}");
            assert_eq!(found["totalResults"], expected.len(), "{filter}");
        }
        let by_member = format!("members[value eq \"{ada}\"]");
        for filter in [r#"displayName eq "READERS""#, &by_member, &by_id(&readers)] {
            let found = sender.list("/Groups", &[("filter", filter)]).await;
            assert_eq!(values(&found, "displayName"), ["readers"], "{filter}");
        }
        let only = sender.load(&format!("/Users/{ada}?attributes=userName")).await;
        assert!(only["userName"] == a && only["id"] == ada && only.get("emails").is_none(), "{only}");
        let less = sender.list("/Users", &[("excludedAttributes", "emails,displayName")]).await;
        assert_eq!(values(&less, "userName"), [a, bert, cleo]);
        assert!(less["Resources"].as_array().unwrap().iter().all(|user| user.get("emails").is_none()), "{less}");
    }

    async fn there_may_be_so_many_and_they_are_listed_in_pages(database: Database) {
        let (_world, _owner, sender) = start(&database).await;
        let id = &sender.provider;
        let user = |n: usize| format!("('u{n:04}', '{id}', 'u{n:04}', 'u{n:04}@example.org', '', '', '', 1, 1, 1)");
        let group = |n: usize| format!("('g{n:03}', '{id}', 'group {n:03}', 1, 1)");
        let (users, groups) = ((0..MAX_USERS).map(user).collect(), (0..MAX_GROUPS).map(group).collect());
        let names = "user_name, email, display_name, given_name, family_name, active";
        let both: [(&str, &str, Vec<String>); 2] =
            [("directory_users", names, users), ("directory_groups", "name", groups)];
        for (table, columns, rows) in both {
            let columns = format!("id, provider_id, {columns}, created_at, changed_at");
            database.run(&format!("INSERT INTO {table} ({columns}) VALUES {}", rows.join(", "))).await.unwrap();
        }
        for (path, body, most) in
            [("/Users", user_of("new@example.org"), MAX_USERS), ("/Groups", group_of("new", &[]), MAX_GROUPS)]
        {
            let answer = sender.send("POST", path, &body).await;
            refused(&answer, 403, "");
            let detail = answer.json()["detail"].as_str().unwrap().replace(',', "");
            assert!(detail.contains(&most.to_string()), "{detail}");
        }

        for (parameters, start, length) in [
            (&[][..], 1, 100),
            (&[("count", "1000")], 1, 200),
            (&[("startIndex", "1901"), ("count", "200")], 1901, 100),
            (&[("startIndex", "2001")], 2001, 0),
            (&[("startIndex", "0"), ("count", "2")], 1, 2),
            (&[("count", "0")], 1, 0),
            (&[("count", "-1")], 1, 0),
        ] {
            let page = sender.list("/Users", parameters).await;
            let told = [&page["totalResults"], &page["startIndex"], &page["itemsPerPage"]];
            assert_eq!(told, [MAX_USERS, start, length], "{parameters:?}");
            assert_eq!(page["Resources"].as_array().map_or(0, Vec::len), length, "{parameters:?}");
        }
        let page = sender.list("/Users", &[("startIndex", "201"), ("count", "2")]).await;
        assert_eq!(values(&page, "id"), ["u0200", "u0201"]);
        let parameters = [("filter", r#"userName sw "u000""#), ("startIndex", "10"), ("count", "5")];
        let page = sender.list("/Users", &parameters).await;
        assert_eq!(values(&page, "id"), ["u0009"]);
        assert_eq!(page["totalResults"], 10);
        // What is there may still change.
        assert_eq!(members(&sender.add("g000", "u0000").await), ["u0000"]);
    }
}
