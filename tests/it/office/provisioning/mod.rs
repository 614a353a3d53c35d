//! Provisioning: an identity provider sends its users and groups by SCIM 2.0, and accounts of staff follow them.

mod accounts;
mod logins;
mod protocol;
mod refusals;

use matricula::domain::moments::MINUTE;
use matricula::domain::role::Role;
use matricula::domain::staff::Staff;
use serde_json::{Value, json};

use super::sign_on::{PAGE, PROVIDERS, settings_of};
use super::{StaffClient, entered, staff_client};
use crate::support::databases::{Database, story};
use crate::support::server::{Answer, Call, Client, PUBLIC_URL, World};

/// Of a provider that nobody logs in with.
const ISSUER: &str = "https://login.example.org";

const USER: &str = "urn:ietf:params:scim:schemas:core:2.0:User";
const ENTERPRISE: &str = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User";
const GROUP: &str = "urn:ietf:params:scim:schemas:core:2.0:Group";
const LIST: &str = "urn:ietf:params:scim:api:messages:2.0:ListResponse";
const PATCH: &str = "urn:ietf:params:scim:api:messages:2.0:PatchOp";
const ERROR: &str = "urn:ietf:params:scim:api:messages:2.0:Error";

/// What a provider sends its users and groups with.
struct Sender {
    /// The provider's id.
    provider: String,
    program: Client,
}

impl Sender {
    /// Of a new provider.
    async fn start(world: &World, owner: &StaffClient) -> Sender {
        Sender::of(world, owner, &new_provider(owner).await).await
    }

    /// Of a provider that is there, with a new token.
    async fn of(world: &World, owner: &StaffClient, provider: &str) -> Sender {
        Sender::with(world, provider, &new_token(owner, provider).await)
    }

    fn with(world: &World, provider: &str, token: &str) -> Sender {
        Sender { provider: provider.to_owned(), program: world.visitor().with_token(token) }
    }

    fn call(&self, method: &str, path: &str) -> Call {
        self.program.call(method, &format!("/api/scim/v2{path}"))
    }

    async fn get(&self, path: &str) -> Answer {
        self.call("GET", path).send().await
    }

    async fn send(&self, method: &str, path: &str, body: &Value) -> Answer {
        self.call(method, path).raw("application/scim+json", body.to_string()).send().await
    }

    async fn load(&self, path: &str) -> Value {
        let answer = self.get(path).await;
        assert_eq!(answer.status, 200, "{path}: {answer:?}");
        answer.json()
    }

    /// A list, asked for with these parameters.
    async fn list(&self, path: &str, parameters: &[(&str, &str)]) -> Value {
        let list = self.load(&with_query(path, parameters)).await;
        assert_eq!(list["schemas"], json!([LIST]), "{list}");
        list
    }

    async fn make(&self, path: &str, body: &Value) -> Value {
        let answer = self.send("POST", path, body).await;
        assert_eq!(answer.status, 201, "{answer:?}");
        answer.json()
    }

    /// Makes a user with that email, and returns the id.
    async fn user(&self, email: &str) -> String {
        id_of(&self.make("/Users", &user_of(email)).await)
    }

    /// Makes a group with these members, and returns the id.
    async fn group(&self, name: &str, members: &[&str]) -> String {
        id_of(&self.make("/Groups", &group_of(name, members)).await)
    }

    async fn try_patch(&self, path: &str, operations: &Value) -> Answer {
        self.send("PATCH", path, &json!({ "schemas": [PATCH], "Operations": operations })).await
    }

    /// Returns what it is about, as it is then.
    async fn patch(&self, path: &str, operations: &Value) -> Value {
        let answer = self.try_patch(path, operations).await;
        assert_eq!(answer.status, 200, "{operations}: {answer:?}");
        answer.json()
    }

    async fn activate(&self, user: &str, active: bool) {
        let operation = json!([{ "op": "replace", "path": "active", "value": active }]);
        assert_eq!(self.patch(&format!("/Users/{user}"), &operation).await["active"], active);
    }

    async fn set_email(&self, user: &str, email: &str) {
        let operation = json!([{ "op": "Replace", "path": "emails[type eq \"work\"].value", "value": email }]);
        self.patch(&format!("/Users/{user}"), &operation).await;
    }

    /// Adds a user to a group, and returns the group.
    async fn add(&self, group: &str, user: &str) -> Value {
        self.patch(&format!("/Groups/{group}"), &membership("Add", user)).await
    }

    /// Removes a user from a group, and returns the group.
    async fn remove(&self, group: &str, user: &str) -> Value {
        self.patch(&format!("/Groups/{group}"), &membership("Remove", user)).await
    }

    async fn delete(&self, path: &str) {
        let answer = self.call("DELETE", path).send().await;
        assert_eq!((answer.status, answer.text.as_str()), (204, ""), "{answer:?}");
    }
}

/// An institute whose provider sends its users and groups.
async fn start(database: &Database) -> (World, StaffClient, Sender) {
    let world = World::start(database.db()).await;
    let owner = staff_client(&world, Role::Owner).await;
    let sender = Sender::start(&world, &owner).await;
    (world, owner, sender)
}

async fn new_provider(owner: &StaffClient) -> String {
    let made = owner.api("POST", PROVIDERS).json(&settings_of(ISSUER)).send().await;
    assert_eq!(made.status, 201, "{made:?}");
    id_of(&made.json())
}

async fn new_token(owner: &StaffClient, provider: &str) -> String {
    let made = owner.api("POST", &token_path(provider)).send().await;
    assert_eq!(made.status, 200, "{made:?}");
    made.json()["token"].as_str().unwrap().to_owned()
}

/// Where the API makes and deletes a provider's token.
fn token_path(provider: &str) -> String {
    format!("{PROVIDERS}/{provider}/scim-token")
}

fn user_of(email: &str) -> Value {
    json!({
        "schemas": [USER],
        "userName": email,
        "displayName": "Demo Reader",
        "emails": [{ "value": email, "type": "work", "primary": true }],
        "active": true,
    })
}

fn group_of(name: &str, members: &[&str]) -> Value {
    let members: Vec<Value> = members.iter().map(|id| json!({ "value": id })).collect();
    json!({ "schemas": [GROUP], "displayName": name, "members": members })
}

/// The operation that adds a user to a group, or removes them from it.
fn membership(op: &str, user: &str) -> Value {
    json!([{ "op": op, "path": "members", "value": [{ "value": user }] }])
}

fn id_of(made: &Value) -> String {
    made["id"].as_str().unwrap_or_else(|| panic!("no id: {made}")).to_owned()
}

fn with_query(path: &str, parameters: &[(&str, &str)]) -> String {
    let query = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(parameters).finish();
    // As providers write spaces.
    format!("{path}?{}", query.replace('+', "%20"))
}

/// The values of an attribute of all resources in a list, sorted.
fn values(list: &Value, attribute: &str) -> Vec<String> {
    let resources = list["Resources"].as_array().unwrap_or_else(|| panic!("no list: {list}"));
    let values = resources.iter().map(|resource| resource[attribute].as_str().unwrap_or_default().to_owned());
    let mut values: Vec<String> = values.collect();
    values.sort();
    values
}

/// The ids of a group's members, sorted.
fn members(group: &Value) -> Vec<&str> {
    let members = group["members"].as_array().into_iter().flatten();
    let mut members: Vec<&str> = members.map(|member| member["value"].as_str().unwrap()).collect();
    members.sort_unstable();
    members
}

/// Asserts that this is an error as SCIM describes them. An empty `scim_type` stands for none.
#[track_caller]
fn refused(answer: &Answer, status: u16, scim_type: &str) {
    assert_eq!((answer.status, answer.header("content-type")), (status, "application/scim+json"), "{answer:?}");
    let body = answer.json();
    assert_eq!([&body["schemas"], &body["status"]], [&json!([ERROR]), &json!(status.to_string())], "{body}");
    assert_eq!(body["scimType"].as_str().unwrap_or_default(), scim_type, "{body}");
    assert!(body["detail"].as_str().is_some_and(|detail| !detail.is_empty()), "{body}");
}

async fn staff(world: &World, email: &str) -> Staff {
    world.store.staff_by_email(email).await.unwrap().unwrap_or_else(|| panic!("{email} has no account"))
}

/// The role of an account; none if there is no such account or it is suspended.
async fn role(world: &World, email: &str) -> Option<Role> {
    let staff = world.store.staff_by_email(email).await.unwrap()?;
    staff.suspended_at.is_none().then_some(staff.role)
}

/// What the provider has done to an account.
async fn record(database: &Database, sender: &Sender, staff: &Staff) -> Vec<String> {
    let of = format!("actor = 'provider:{}' AND subject = 'staff:{}'", sender.provider, staff.id);
    database.texts(&format!("SELECT action FROM audit WHERE {of} ORDER BY id")).await
}

story! {
    async fn a_token_is_shown_once_and_stored_as_a_digest(database: Database) {
        let world = World::start(database.db()).await;
        let owner = staff_client(&world, Role::Owner).await;
        let id = new_provider(&owner).await;
        let base = format!("{PUBLIC_URL}/api/scim/v2");
        let listed = async || owner.api("GET", &format!("{PROVIDERS}/{id}")).send().await;
        let before = listed().await.json();
        assert_eq!([&before["provisioning"], &before["scimBaseUrl"]], [&Value::Null, &json!(base)]);

        let made = owner.api("POST", &token_path(&id)).send().await;
        assert_eq!((made.status, made.header("cache-control")), (200, "no-store"), "{made:?}");
        assert_eq!(made.json()["baseUrl"], base);
        let first = made.json()["token"].as_str().unwrap().to_owned();
        assert!(first.starts_with("matricula_scim_") && first.len() > 40, "{first}");
        let stored = async || database.texts("SELECT COALESCE(scim_token, '') FROM identity_providers").await.concat();
        assert_eq!(stored().await, world.tokens.digest(&first));
        let written = database.texts("SELECT detail FROM audit").await.concat();
        assert!(!written.contains(&first), "{written}");
        let after = listed().await;
        assert!(!after.text.contains(&first), "{}", after.text);
        let facts = after.json()["provisioning"].clone();
        assert!(facts["since"].is_string() && facts["lastUsedAt"].is_null(), "{facts}");
        assert_eq!([&facts["users"], &facts["groups"]], [0, 0]);

        let sender = Sender::with(&world, &id, &first);
        sender.user("demo@example.org").await;
        let facts = listed().await.json()["provisioning"].clone();
        assert!(facts["lastUsedAt"].is_string() && facts["users"] == 1, "{facts}");
        let second = Sender::of(&world, &owner, &id).await;
        refused(&sender.get("/Users").await, 401, "");
        assert_eq!(second.load("/Users").await["totalResults"], 1, "what was sent stays");

        assert_eq!(owner.api("DELETE", &token_path(&id)).send().await.status, 204);
        refused(&second.get("/Users").await, 401, "");
        assert_eq!(stored().await, "");
        assert_eq!(listed().await.json()["provisioning"], Value::Null);
        let acts = format!("SELECT actor || ' ' || action FROM audit WHERE subject = 'provider:{id}' ORDER BY id");
        let by_owner = |act: &str| format!("staff:{} sign_on.{act}", owner.staff.id);
        let expected = ["provider_created", "token_made", "token_made", "token_deleted"].map(by_owner);
        assert_eq!(database.texts(&acts).await, expected);
        assert_eq!(owner.api("DELETE", &token_path(&id)).send().await.status, 204, "there is none, as wanted");
    }

    async fn only_owners_with_a_recent_password_make_and_delete_a_token(database: Database) {
        let world = World::start(database.db()).await;
        let owner = staff_client(&world, Role::Owner).await;
        let decider = staff_client(&world, Role::Decider).await;
        let id = new_provider(&owner).await;
        for method in ["POST", "DELETE"] {
            decider.api(method, &token_path(&id)).send().await.assert_problem(403, "role.forbidden");
            let unknown = owner.api(method, &token_path("none")).send().await;
            unknown.assert_problem(404, "identity_provider.not_found");
        }
        world.clock.advance(6 * MINUTE);
        owner.api("POST", &token_path(&id)).send().await.assert_problem(401, "auth.step_up");
        assert_eq!(database.count("identity_providers WHERE scim_token IS NOT NULL").await, 0);
        let sender = Sender::of(&world, &entered(&world, &owner.staff).await, &id).await;
        owner.api("DELETE", &token_path(&id)).send().await.assert_problem(401, "auth.step_up");
        assert_eq!(sender.get("/Users").await.status, 200);
    }

    async fn nothing_is_told_without_the_token(database: Database) {
        let (world, owner, sender) = start(&database).await;
        let token = sender.program.token.clone().unwrap();
        for program in [
            world.visitor(),
            world.visitor().with_token("matricula_scim_made-up"),
            world.visitor().with_token(format!("{token}x")),
            world.register().await,
            owner.client.clone(),
        ] {
            let stranger = Sender { provider: sender.provider.clone(), program };
            let answer = stranger.get("/Users").await;
            refused(&answer, 401, "");
            assert_eq!(answer.header("www-authenticate"), "Bearer");
            refused(&stranger.send("POST", "/Users", &user_of("demo@example.org")).await, 401, "");
        }
        assert_eq!(database.count("directory_users").await, 0);
        for path in ["/api/admins/applications", "/api/users/application"] {
            sender.program.get(path).send().await.assert_problem(401, "token.invalid");
        }
    }

    async fn the_page_works_without_a_script(database: Database) {
        let world = World::start(database.db()).await;
        let owner = staff_client(&world, Role::Owner).await;
        let id = new_provider(&owner).await;
        let page = format!("{PAGE}/{id}");
        let directory =
            |answer: &Answer| answer.assert_document(200, "adminIdentityProvider")["props"]["directory"].clone();
        let off = owner.see(&page).send().await;
        for text in ["Turn provisioning on", &format!("{PUBLIC_URL}/api/scim/v2")] {
            assert!(off.text.contains(text), "{text}: {}", off.text);
        }
        assert_eq!(directory(&off)["provisioning"], Value::Null);
        let made = owner.send(&page, &[("_action", "make-token")]).send().await;
        let token = directory(&made)["token"].as_str().unwrap().to_owned();
        assert!(made.text.contains("No groups have been sent yet."), "{}", made.text);
        let again = owner.see(&page).send().await;
        assert!(directory(&again)["token"].is_null() && !again.text.contains(&token), "{}", again.text);

        let sender = Sender::with(&world, &id, &token);
        let user = sender.user("demo@example.org").await;
        sender.group("readers", &[&user]).await;
        sender.group("Others", &[]).await;
        let shown = owner.see(&page).send().await;
        let provisioning = directory(&shown)["provisioning"].clone();
        let groups = json!([
            { "name": "Others", "members": 0, "role": null },
            { "name": "readers", "members": 1, "role": "Reviewer" },
        ]);
        assert_eq!([&provisioning["groups"], &provisioning["users"]], [&groups, &json!(1)]);
        assert!(shown.text.contains("No role") && !shown.text.contains("No groups have been sent"), "{}", shown.text);

        world.clock.advance(6 * MINUTE);
        for action in ["make-token", "delete-token"] {
            let asked = owner.send(&page, &[("_action", action)]).send().await;
            asked.assert_document(401, "adminStepUp");
        }
        assert_eq!(sender.get("/Users").await.status, 200, "nothing is done yet");
        let owner = entered(&world, &owner.staff).await;
        let replaced = owner.send(&page, &[("_action", "make-token")]).send().await;
        assert!(directory(&replaced)["token"].is_string(), "{}", replaced.text);
        refused(&sender.get("/Users").await, 401, "");
        let done = format!("{page}?done=provisioning-off");
        owner.send(&page, &[("_action", "delete-token")]).send().await.assert_redirect(303, &done);
        let off = owner.see(&done).send().await;
        assert!(off.text.contains("Turn provisioning on") && off.text.contains("Provisioning is off."), "{}", off.text);
        assert_eq!(database.count("directory_users").await, 0);
    }
}
