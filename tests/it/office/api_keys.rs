//! API keys: a program calls the API in the name of the member of staff who made its key.

use matricula::domain::api_key::{MAX_CALLS, MAX_KEYS};
use matricula::domain::moments::{DAY, MINUTE};
use matricula::domain::role::Role;
use matricula::store::StaffChange;
use serde_json::{Value, json};

use super::{StaffClient, staff_client};
use crate::support::databases::story;
use crate::support::rows::entry;
use crate::support::server::{Client, World};

const KEYS: &str = "/api/admins/keys";
const PAGE: &str = "/admin-panel/account/keys";
const LIST: &str = "/api/admins/applications";

fn wanted(role: &str, read_only: bool) -> Value {
    json!({ "name": "Demo warehouse", "role": role, "readOnly": read_only, "days": 30 })
}

/// A key's id, and a program that calls with it.
async fn made(world: &World, owner: &StaffClient, body: &Value) -> (String, Client) {
    let answer = owner.api("POST", KEYS).json(body).send().await;
    assert_eq!(answer.status, 201, "{answer:?}");
    assert_eq!(answer.header("cache-control"), "no-store");
    let key = answer.json();
    let secret = key["secret"].as_str().unwrap().to_owned();
    assert!(secret.starts_with("matricula_key_"), "{secret}");
    (key["id"].as_str().unwrap().to_owned(), world.visitor().with_token(secret))
}

async fn id_of(client: &Client) -> String {
    client.get("/api/users/application").send().await.json()["id"].as_str().unwrap().to_owned()
}

story! {
    async fn a_key_calls_in_its_owners_name_with_its_own_role(database: Database) {
        let world = World::start(database.db()).await;
        let id = id_of(&world.submitted().await).await;
        let owner = staff_client(&world, Role::Owner).await;
        let (key, program) = made(&world, &owner, &wanted("reviewer", false)).await;
        assert_eq!(program.get(LIST).send().await.status, 200);
        program.get("/api/admins/audit").send().await.assert_problem(403, "role.forbidden");
        let note = program.call("POST", &format!("/api/admins/applications/{id}/notes")).json(&json!({ "note": "From a program" })).send().await;
        assert_eq!(note.status, 201, "{note:?}");

        let written = database.texts(&format!("SELECT actor FROM audit WHERE action = 'note.written' AND detail LIKE '%\"apiKey\":\"{key}\"%'")).await;
        assert_eq!(written, [format!("staff:{}", owner.staff.id)], "the record names the owner and the key");
        let listed = owner.api("GET", KEYS).send().await.json()["keys"][0].clone();
        assert_eq!((&listed["name"], &listed["role"], &listed["readOnly"]), (&json!("Demo warehouse"), &json!("reviewer"), &json!(false)));
        assert!(listed["lastUsedAt"].is_string() && listed["secret"].is_null(), "{listed}");
        let kept = database.texts("SELECT digest FROM staff_keys").await.concat();
        assert!(kept.len() == 64 && !kept.contains("matricula"), "the secret is not stored");
        let mails = database.texts("SELECT body_text FROM outbox WHERE template = 'staff-key-made'").await;
        assert!(mails.len() == 1 && mails[0].contains("Demo warehouse") && mails[0].contains("Reviewer"), "{mails:?}");
    }

    async fn a_key_confirms_nothing_and_has_no_account(database: Database) {
        let world = World::start(database.db()).await;
        let owner = staff_client(&world, Role::Owner).await;
        let (key, program) = made(&world, &owner, &wanted("owner", false)).await;
        for (method, path) in [
            ("GET", "/api/admins/me"),
            ("GET", "/api/admins/sessions"),
            ("POST", "/api/admins/step-up"),
            ("POST", KEYS),
            ("DELETE", &format!("{KEYS}/{key}")),
            ("POST", "/api/admins/admins"),
            ("PATCH", "/api/admins/settings/letter-offer"),
        ] {
            program.call(method, path).json(&json!({})).send().await.assert_problem(403, "key.forbidden");
        }
        assert_eq!(program.get("/api/admins/admins").send().await.status, 200);
        program.get("/api/admins/no-such-call").send().await.assert_problem(404, "not_found");
        program.get("/api/users/application").send().await.assert_problem(401, "token.invalid");
    }

    async fn a_key_that_only_reads_changes_nothing(database: Database) {
        let world = World::start(database.db()).await;
        let id = id_of(&world.submitted().await).await;
        let reviewer = staff_client(&world, Role::Reviewer).await;
        let (_, program) = made(&world, &reviewer, &wanted("reviewer", true)).await;
        let notes = format!("/api/admins/applications/{id}/notes");
        assert_eq!(program.get(LIST).send().await.status, 200);
        program.call("POST", &notes).json(&json!({ "note": "No" })).send().await.assert_problem(403, "key.read_only");
        assert_eq!(database.count("application_notes").await, 0);
    }

    async fn a_key_ends_with_its_time_its_revocation_and_its_owners_account(database: Database) {
        let world = World::start(database.db()).await;
        let owner = staff_client(&world, Role::Owner).await;
        let other = staff_client(&world, Role::Owner).await;
        let reviewer = staff_client(&world, Role::Reviewer).await;
        let (first, revoked) = made(&world, &reviewer, &wanted("viewer", true)).await;
        other.api("DELETE", &format!("{KEYS}/{first}")).send().await.assert_problem(404, "key.not_found");
        assert_eq!(reviewer.api("DELETE", &format!("{KEYS}/{first}")).send().await.status, 204);
        reviewer.api("DELETE", &format!("{KEYS}/{first}")).send().await.assert_problem(404, "key.not_found");
        revoked.get(LIST).send().await.assert_problem(401, "token.invalid");

        let (_, program) = made(&world, &reviewer, &wanted("reviewer", true)).await;
        let change = async |change: StaffChange| {
            world.store.change_staff(&owner.staff.id, &reviewer.staff.id, change, &entry(), None).await.unwrap();
        };
        change(StaffChange::Role { from: Role::Reviewer, to: Role::Viewer }).await;
        program.get(LIST).send().await.assert_problem(401, "token.invalid");
        change(StaffChange::Role { from: Role::Viewer, to: Role::Reviewer }).await;
        assert_eq!(program.get(LIST).send().await.status, 200);
        change(StaffChange::Suspend).await;
        program.get(LIST).send().await.assert_problem(401, "token.invalid");
        change(StaffChange::Resume).await;
        world.clock.advance(30 * DAY - MINUTE);
        assert_eq!(program.get(LIST).send().await.status, 200);
        world.clock.advance(MINUTE);
        program.get(LIST).send().await.assert_problem(401, "token.invalid");
    }

    async fn a_key_that_makes_no_sense_is_refused_field_by_field(database: Database) {
        let world = World::start(database.db()).await;
        let reviewer = staff_client(&world, Role::Reviewer).await;
        for (field, value, code) in [
            ("name", json!(" "), "name.required"),
            ("name", json!("x".repeat(61)), "name.length"),
            ("name", json!("a\u{202e}b"), "name.invalid"),
            ("name", json!(7), "name.type"),
            ("role", json!("king"), "role.unknown"),
            ("role", json!("decider"), "role.exceeds"),
            ("readOnly", json!("yes"), "readOnly.required"),
            ("days", json!(31), "days.unknown"),
            ("days", json!("30"), "days.type"),
            ("scope", json!("all"), "field.unknown"),
        ] {
            let mut body = wanted("viewer", true);
            body[field] = value;
            reviewer.api("POST", KEYS).json(&body).send().await.assert_problem(422, code);
        }
        for _ in 0..MAX_KEYS {
            made(&world, &reviewer, &wanted("viewer", true)).await;
        }
        reviewer.api("POST", KEYS).json(&wanted("viewer", true)).send().await.assert_problem(409, "key.too_many");
    }

    async fn each_key_has_so_many_calls_a_minute_and_is_told_what_is_left(database: Database) {
        let world = World::start(database.db()).await;
        let owner = staff_client(&world, Role::Owner).await;
        let (_, program) = made(&world, &owner, &wanted("viewer", true)).await;
        let (_, other) = made(&world, &owner, &wanted("viewer", true)).await;
        let call = async |program: &Client| program.get("/api/admins/colleagues").send().await;
        let first = call(&program).await;
        assert_eq!(first.status, 200, "{first:?}");
        assert_eq!(first.header("ratelimit-policy"), format!("\"key\";q={MAX_CALLS};w=60"));
        assert_eq!(first.header("ratelimit"), format!("\"key\";r={};t=60", MAX_CALLS - 1));
        for _ in 1..MAX_CALLS {
            assert_eq!(call(&program).await.status, 200);
        }
        let refused = call(&program).await;
        refused.assert_problem(429, "rate_limited");
        assert_eq!((refused.header("ratelimit"), refused.header("retry-after")), ("\"key\";r=0;t=60", "60"));
        assert_eq!(call(&other).await.status, 200);
        world.clock.advance(MINUTE);
        assert_eq!(call(&program).await.status, 200);
    }

    async fn a_key_is_made_shown_once_and_revoked_without_javascript(database: Database) {
        let world = World::start(database.db()).await;
        let reviewer = staff_client(&world, Role::Reviewer).await;
        let page = reviewer.see(PAGE).send().await;
        assert!(page.text.contains("You have no key yet."), "{}", page.text);
        assert!(page.text.contains("Reviewer –") && !page.text.contains("Decider –"), "only what one's own role includes");
        let fields = [("_action", "create"), ("name", "Demo warehouse"), ("role", "viewer"), ("readOnly", "yes"), ("days", "90")];
        let made = reviewer.send(PAGE, &fields).send().await;
        assert_eq!(made.status, 200, "{made:?}");
        let secret = made.text.split("matricula_key_").nth(1).unwrap().split('<').next().unwrap();
        let program = world.visitor().with_token(format!("matricula_key_{secret}"));
        assert_eq!(program.get(LIST).send().await.status, 200);
        let again = reviewer.see(PAGE).send().await;
        assert!(again.text.contains("Demo warehouse") && !again.text.contains(secret), "{}", again.text);

        let bad = reviewer.send(PAGE, &[("_action", "create"), ("name", ""), ("role", "viewer"), ("days", "9")]).send().await;
        assert_eq!(bad.status, 422);
        for sentence in ["Say what the key is for.", "Choose whether the key may change things.", "Choose 30, 90 or 365 days."] {
            assert!(bad.text.contains(sentence), "{sentence} {}", bad.text);
        }
        let id = database.texts("SELECT id FROM staff_keys").await.remove(0);
        let revoke = format!("revoke:{id}");
        for _ in 0..2 {
            let revoked = reviewer.send(PAGE, &[("_action", &revoke)]).send().await;
            assert_eq!(revoked.header("location"), "/admin-panel/account/keys?done=revoked");
        }
        program.get(LIST).send().await.assert_problem(401, "token.invalid");
        world.clock.advance(6 * MINUTE);
        let late = reviewer.send(PAGE, &fields).send().await;
        assert_eq!(late.status, 401);
        assert_eq!(database.count("staff_keys").await, 0, "the password is asked for first");
    }
}
