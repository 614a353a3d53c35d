//! Every route of the office, tried by every role on their own and on other people's things, and by nobody.

use matricula::domain::api_key::ApiKey;
use matricula::domain::input::Input;
use matricula::domain::moments::{DAY, MINUTE};
use matricula::domain::note::Note;
use matricula::domain::permission::{Access, Gate, Permission, Standing, Turned};
use matricula::domain::program::Program;
use matricula::domain::role::Role;
use matricula::domain::sign_on::{IdentityProvider, RoleRules};
use matricula::domain::staff::Staff;
use matricula::http::admins;
use matricula::pages::admin::table;
use matricula::store::{FigureReport, ListView, NewEndpoint};
use serde_json::{Value, json};

use super::{StaffClient, hired, staff_client};
use crate::support::databases::{Database, story};
use crate::support::rows::{entry, mail};
use crate::support::server::{Answer, World};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Whose {
    Own,
    Other,
}

fn fresh(role: Role) -> Standing {
    Standing { role, idle: false, lacks_second_factor: false, stepped_up: true, by_key: false }
}

/// Replaces `{id}` and other parameters of the path: an account, a session, an invitation, a view or a note of the
/// caller or of another Owner.
async fn filled(world: &World, path: &str, member: &StaffClient, whose: Whose) -> String {
    if !path.contains("{id}") {
        return path.to_owned();
    }
    if path.starts_with("/admin-panel/questionnaires") || path.starts_with("/admin-panel/contracts") {
        return path.replace("{id}", "bachelor");
    }
    if path.starts_with("/api/admins/questionnaires") {
        // Of the program that nobody here applies for.
        let question = json!({ "questions": [{ "key": "why", "type": "text", "label": "Why?" }] });
        let owner = hired(world, Role::Owner).await;
        let set = world.app.publish_questions(&owner, Program::Masters, &Input::from(question), None).await.unwrap();
        return path.replace("{id}", &set.id);
    }
    if path.starts_with("/admin-panel/settings/webhooks") || path.starts_with("/api/admins/webhooks") {
        let (endpoint, event) = webhook(world, &member.staff).await;
        return path.replace("{id}", &endpoint).replace("{eventId}", &event);
    }
    if path.starts_with("/admin-panel/settings/sign-on") || path.starts_with("/api/admins/identity-providers") {
        return path.replace("{id}", &identity_provider(world, &member.staff).await);
    }
    if path.starts_with("/admin-panel/imports") || path.starts_with("/api/admins/imports") {
        // Below the header.
        return path.replace("{id}", &import(world).await).replace("{number}", "2");
    }
    if path.starts_with("/admin-panel/settings") || path.starts_with("/api/admins/settings") {
        // Settings that need another permission are tested in `wording` and `settings`. This one is allowed.
        let setting = if member.staff.role == Role::Finance { "second-person" } else { "letter-offer" };
        return path.replace("{id}", setting);
    }
    if path.contains("/open-days/{id}") {
        let (day, booking) = open_day(world).await;
        return path.replace("{id}", &day).replace("{booking}", &booking);
    }
    if path.contains("/fee-codes/{id}") {
        return path.replace("{id}", &fee_code(world).await);
    }
    if path.contains("/prospects/{id}") {
        return path.replace("{id}", &prospect_id(world).await);
    }
    let owner = match whose {
        Whose::Own => member.clone(),
        Whose::Other => staff_client(world, Role::Owner).await,
    };
    let id = if path.contains("/applications/") || path.contains("/committee/") {
        application(world).await
    } else if path.contains("/reports/") {
        report(world, &owner.staff.id).await
    } else if path.contains("/views/") {
        view(world, &owner.staff.id).await
    } else if path.contains("/keys/") {
        api_key(world, &owner.staff).await
    } else if path.contains("sessions") {
        owner.session_id.clone()
    } else if path.contains("invitations") {
        // Only an Owner can have invitations.
        let inviting = match owner.staff.role {
            Role::Owner => owner.clone(),
            _ => staff_client(world, Role::Owner).await,
        };
        let email = format!("invited-{}@example.org", world.app.random.id());
        let body = json!({ "email": email, "role": "viewer" });
        let invited = inviting.api("POST", "/api/admins/admins").json(&body).send().await;
        assert_eq!(invited.status, 201, "{invited:?}");
        invited.json()["id"].as_str().unwrap().to_owned()
    } else {
        owner.staff.id.clone()
    };
    let note = if path.contains("{note}") { note(world, &id, &owner.staff.id).await } else { String::new() };
    path.replace("{id}", &id)
        .replace("{note}", &note)
        .replace("{slot}", "identity")
        .replace("{tag}", "demo")
        .replace("{mail}", "1")
        .replace("{file}", "1")
        .replace("{referee}", "1")
        .replace("{task}", "1")
}

/// An endpoint of webhooks, and an event that waits for it.
async fn webhook(world: &World, staff: &Staff) -> (String, String) {
    let (id, event, now) = (world.app.random.id(), world.app.random.id(), world.app.clock.now());
    let new = NewEndpoint {
        id: id.clone(),
        name: "Demo".into(),
        url: "https://hooks.example.org/".into(),
        events: Vec::new(),
        secret: String::new(),
        created_at: now,
        created_by: staff.id.clone(),
    };
    let known = world.store.webhook_endpoints().await.unwrap().into_iter().next();
    let id = match known {
        Some(endpoint) => endpoint.id,
        None => {
            assert!(world.store.create_webhook_endpoint(&new, &entry()).await.unwrap());
            id
        }
    };
    assert!(world.store.send_test_webhook(&id, &event, now, &entry()).await.unwrap());
    (id, event)
}

/// An identity provider, which does not answer.
async fn identity_provider(world: &World, staff: &Staff) -> String {
    let id = world.app.random.id();
    let provider = IdentityProvider {
        id: id.clone(),
        name: "Demo".into(),
        for_applicants: false,
        issuer: "http://127.0.0.1:9".into(),
        client_id: "demo".into(),
        role_claim: "groups".into(),
        roles: RoleRules::default(),
        second_factor: false,
        verified_emails: false,
        created_at: world.app.clock.now(),
        people: 0,
        provisioning: None,
    };
    let known = world.store.identity_providers().await.unwrap().into_iter().next();
    if let Some(provider) = known {
        return provider.id;
    }
    let secret = world.app.sealing.seal(&id, "demo");
    assert!(world.store.create_identity_provider(&provider, &secret, &staff.id, &entry()).await.unwrap());
    id
}

/// An import of one row, whose columns are to be mapped.
async fn import(world: &World) -> String {
    let owner = staff_client(world, Role::Owner).await;
    let file = "Email,First name,Shoe size\nimported@example.org,Demo,42\n";
    let sent = owner.api("POST", "/api/admins/imports/files?name=Demo").raw("text/csv", file).send().await;
    assert_eq!(sent.status, 201, "{sent:?}");
    sent.json()["id"].as_str().unwrap().to_owned()
}

/// An open day, and a booking of it.
async fn open_day(world: &World) -> (String, String) {
    let day = crate::open_days::open_day(world, json!({})).await["id"].as_str().unwrap().to_owned();
    let booking = crate::open_days::booked(world, &day, "1").await;
    let reviewer = staff_client(world, Role::Reviewer).await;
    let bookings = reviewer.api("GET", &format!("/api/admins/open-days/{day}/bookings")).send().await.json();
    assert_eq!(bookings["bookings"][0]["email"], booking.email.as_str());
    (day, bookings["bookings"][0]["id"].as_str().unwrap().to_owned())
}

/// Somebody who has asked for news.
async fn prospect_id(world: &World) -> String {
    let prospect = crate::inquiries::prospect(world, &["openings"]).await;
    let reviewer = staff_client(world, Role::Reviewer).await;
    let found = reviewer.api("GET", &format!("/api/admins/prospects?search={}", prospect.email)).send().await.json();
    found["prospects"][0]["id"].as_str().unwrap().to_owned()
}

/// A code that waives the application fee.
async fn fee_code(world: &World) -> String {
    let finance = staff_client(world, Role::Finance).await;
    let code = json!({ "code": format!("WALK-{}", &rand_id()[24..]) });
    let made = finance.api("POST", "/api/admins/fee-codes").json(&code).send().await;
    assert_eq!(made.status, 201, "{made:?}");
    made.json()["id"].as_str().unwrap().to_owned()
}

/// A view of the member of staff.
async fn view(world: &World, staff_id: &str) -> String {
    let (id, staff_id) = (world.app.random.id(), staff_id.to_owned());
    let view = ListView { id: id.clone(), staff_id, name: "Seen".into(), query: "tab=all".into(), shared: false };
    world.store.save_view(&view, 50, &entry()).await.unwrap();
    id
}

/// An API key of the member of staff.
async fn api_key(world: &World, staff: &Staff) -> String {
    let now = world.app.clock.now();
    let key = ApiKey {
        id: world.app.random.id(),
        staff_id: staff.id.clone(),
        name: "Demo".into(),
        role: Role::Viewer,
        read_only: true,
        created_at: now,
        expires_at: now + DAY,
        last_used_at: None,
    };
    assert!(world.store.create_api_key(&key, &key.id, &entry(), &mail()).await.unwrap());
    key.id
}

/// A report kept by the member of staff.
async fn report(world: &World, staff_id: &str) -> String {
    let id = world.app.random.id();
    let (name, staff_id) = (id.clone(), staff_id.to_owned());
    let report = FigureReport { id: id.clone(), staff_id, name, query: "period=4w".into(), is_mailed: false };
    world.store.save_figure_report(&report, 1000, &entry()).await.unwrap();
    id
}

/// A note by the member of staff.
async fn note(world: &World, application_id: &str, staff_id: &str) -> String {
    let note = Note {
        id: world.app.random.id(),
        application_id: application_id.to_owned(),
        staff_id: staff_id.to_owned(),
        text: "A demo".into(),
        revision: 1,
        pinned_at: None,
        created_at: world.app.clock.now(),
        edited_at: None,
    };
    world.store.write_note(&note, &entry(), &[]).await.unwrap();
    note.id
}

/// A submitted application.
async fn application(world: &World) -> String {
    let viewer = staff_client(world, Role::Viewer).await;
    let listed = async || {
        let page = viewer.see("/admin-panel/applications?tab=all").header("accept", "application/json").send().await;
        page.json()["props"]["rows"][0]["id"].as_str().map(str::to_owned)
    };
    if listed().await.is_none() {
        world.submitted().await;
    }
    listed().await.unwrap()
}

fn body(path: &str) -> Value {
    match path {
        "/admins" => json!({ "email": format!("new-{}@example.org", rand_id()), "role": "viewer" }),
        "/admins/{id}" => json!({ "role": "viewer" }),
        "/settings/second-factor" => json!({ "required": false }),
        "/me" => json!({ "name": "Demo Name" }),
        "/webhooks" | "/webhooks/{id}" => json!({ "name": "Demo", "url": "https://hooks.example.org/" }),
        "/identity-providers" | "/identity-providers/{id}" => json!({
            "name": "Demo", "issuer": "http://127.0.0.1:9", "clientId": "demo", "clientSecret": "demo", "otherwise": "viewer"
        }),
        "/imports" => json!({ "name": "Demo", "rows": [{ "email": "imported@example.org" }] }),
        "/imports/{id}/mapping" => json!({
            "columns": ["email", "firstName", null],
            "values": {
                "lastName": "Sample", "dateOfBirth": "1990-02-28", "phoneNumber": "+15550100199", "country": "DE",
                "applicationType": "ba", "outcome": "draft"
            }
        }),
        "/webhooks/{id}/pause" => json!({ "paused": true }),
        "/fee-codes" => json!({ "code": format!("WALK-{}", &rand_id()[24..]) }),
        "/keys" => json!({ "name": "Demo", "role": "viewer", "readOnly": true, "days": 30 }),
        "/applications/{id}/owner" => json!({ "owner": "nobody" }),
        "/applications/{id}/tags" => json!({ "tag": "demo" }),
        "/applications/{id}/notes/{note}" => json!({ "note": "A demo, changed" }),
        "/applications/{id}/documents/{slot}" => json!({ "decision": "waive", "reason": "A demo" }),
        "/interviews/rules/{id}" => json!({ "timeZone": "UTC", "minutes": 40, "buffer": 10, "notice": 24 }),
        "/views/{id}" => json!({ "name": "Changed", "seen": "Seen" }),
        "/open-days" => crate::open_days::day(&json!({})),
        "/open-days/{id}" => json!({ "places": 20 }),
        "/open-days/{id}/bookings/{booking}" => json!({ "came": true }),
        _ => json!({}),
    }
}

fn rand_id() -> String {
    use matricula::app::ports::Random;
    matricula::auth::SystemRandom.id()
}

/// Asserts what a call answers after its gate lets the role through: never that it may not.
fn assert_let_through(answer: &Answer, method: &str, path: &str, role: Role, whose: Whose) {
    let context = format!("{method} {path} {role:?} {whose:?}: {answer:?}");
    let expected = match (method, path, whose) {
        ("PATCH", "/admins/{id}", Whose::Own) => Some((403, "role.self")),
        ("DELETE", "/admins/{id}", Whose::Own) => Some((403, "staff.self")),
        ("DELETE", "/sessions/{id}", Whose::Other) => Some((404, "session.not_found")),
        ("PATCH" | "DELETE", "/views/{id}", Whose::Other) => Some((404, "view.not_found")),
        ("DELETE", "/figures/reports/{id}", Whose::Other) if !role.may(Permission::ShareViews) => {
            Some((404, "view.not_found"))
        }
        ("PATCH" | "DELETE", "/applications/{id}/notes/{note}", Whose::Other) => Some((403, "role.forbidden")),
        (_, "/interviews/rules/{id}" | "/interviews/calendar/{id}", Whose::Other)
            if !role.may(Permission::OthersInterviews) =>
        {
            Some((403, "role.forbidden"))
        }
        ("DELETE", "/passkeys/{id}", _) => Some((404, "passkey.not_found")),
        (
            _,
            "/applications/{id}/tasks/{task}/done"
            | "/applications/{id}/tasks/{task}/take"
            | "/applications/{id}/tasks/{task}/put-back",
            _,
        ) => Some((404, "task.not_found")),
        ("DELETE", "/keys/{id}", Whose::Other) => Some((404, "key.not_found")),
        ("DELETE", "/applications/{id}/readings/{reader}", _) => Some((404, "reading.not_found")),
        // The application that is walked over has none.
        ("GET", "/applications/{id}/fee", _) => Some((404, "fee.none")),
        // It takes no JSON.
        ("POST", "/imports/files", _) => Some((415, "content_type")),
        ("GET", "/applications/{id}/files/{file}", _) => Some((404, "document.not_found")),
        (_, "/applications/{id}/references/{referee}/letter" | "/applications/{id}/references/{referee}/remind", _) => {
            Some((404, "referee.not_found"))
        }
        (
            _,
            "/applications/{id}/ledger/requests/{request}/approve"
            | "/applications/{id}/ledger/requests/{request}/withdraw",
            _,
        ) => Some((404, "approval.not_found")),
        _ => None,
    };
    match expected {
        Some((status, code)) => assert_eq!((answer.status, answer.code().as_str()), (status, code), "{context}"),
        // Empty bodies, and accounts without a second factor, are refused for that reason.
        None => assert!(matches!(answer.status, 200 | 201 | 202 | 204 | 409 | 422), "{context}"),
    }
}

/// Makes every call as that role, on their own and on other people's things.
async fn make_every_call(database: &Database, role: Role) {
    let world = World::start(database.db()).await;
    // What is refused changes nothing, so one person tries all of it.
    let turned_away = staff_client(&world, role).await;
    for call in admins::calls() {
        let path = format!("/api/admins{}", call.path);
        let is_turned_away = call.gate.admit(&fresh(role)) == Err(Turned::Role);
        for whose in [Whose::Own, Whose::Other] {
            let member = if is_turned_away { turned_away.clone() } else { staff_client(&world, role).await };
            let to = filled(&world, &path, &member, whose).await;
            let answer = member.api(call.method, &to).json(&body(&call.path)).send().await;
            if call.gate.access == Access::Open {
                assert!(!matches!(answer.code().as_str(), "role.forbidden" | "auth.step_up"), "{answer:?}");
            } else if is_turned_away {
                answer.assert_problem(403, "role.forbidden");
            } else {
                assert_let_through(&answer, call.method, &call.path, role, whose);
            }
        }
    }
}

/// Asks for every page, and sends every form, as that role, on their own and on other people's things.
async fn ask_for_every_page(database: &Database, role: Role) {
    let world = World::start(database.db()).await;
    let turned_away = staff_client(&world, role).await;
    for route in table::routes() {
        let is_turned_away = route.gate.admit(&fresh(role)) == Err(Turned::Role);
        for whose in [Whose::Own, Whose::Other] {
            let member = if is_turned_away { turned_away.clone() } else { staff_client(&world, role).await };
            let mut to = filled(&world, route.path, &member, whose).await;
            match (route.method, route.path.rsplit('/').next()) {
                ("GET", Some("act")) => to += "?act=withdraw",
                ("GET", Some("enrolment")) => to += "?act=enrol",
                _ => {}
            }
            let context = format!("{} {to} {role:?} {whose:?}", route.method);
            let call = match route.method {
                "POST" => member.send(&to, &[("_action", "role"), ("role", "viewer")]),
                _ => member.see(&to),
            };
            let answer = call.send().await;
            if route.gate.access != Access::Open && is_turned_away {
                assert_eq!(answer.status, 403, "{context}: {answer:?}");
                assert!(answer.text.contains("Your role does not allow this"), "{context}");
                continue;
            }
            let own_role = route.method == "POST" && route.path.ends_with("/admins/{id}") && whose == Whose::Own;
            let expected: &[u16] = if own_role { &[403] } else { &[200, 204, 302, 303, 400, 404, 409, 412, 422] };
            assert!(expected.contains(&answer.status), "{context}: {answer:?}");
            // It does not redirect to the login, except right after logging in or out.
            if !route.path.ends_with("/login") && !route.path.ends_with("/logout") {
                assert_ne!(answer.header("location"), "/admin-panel/login", "{context}");
            }
            if answer.status == 404 {
                // These need a file or an identity provider, and there is none.
                let names_a_file =
                    route.path.ends_with("/file") || route.path.ends_with("/preview") || route.path.ends_with(".pdf");
                let names_a_provider = route.path.starts_with("/admin-panel/sign-on/");
                assert!(
                    route.path.ends_with("/invitation") || names_a_file || names_a_provider,
                    "{context}: {answer:?}"
                );
            }
        }
    }
}

/// A story of calls and one of pages for each role: in a world of its own, because lists of staff grow with each call.
macro_rules! each_role {
    ($($role:ident: $calls:ident, $pages:ident;)+) => {
        const _: () = assert!([$(Role::$role),+].len() == Role::ALL.len(), "no role is left out");

        story! {$(
            async fn $calls(database: Database) { make_every_call(&database, Role::$role).await; }

            async fn $pages(database: Database) { ask_for_every_page(&database, Role::$role).await; }
        )+}
    };
}

each_role! {
    Viewer: every_call_is_made_by_a_viewer, every_page_is_asked_for_by_a_viewer;
    Interviewer: every_call_is_made_by_an_interviewer, every_page_is_asked_for_by_an_interviewer;
    Reviewer: every_call_is_made_by_a_reviewer, every_page_is_asked_for_by_a_reviewer;
    Decider: every_call_is_made_by_a_decider, every_page_is_asked_for_by_a_decider;
    Finance: every_call_is_made_by_finance, every_page_is_asked_for_by_finance;
    Owner: every_call_is_made_by_an_owner, every_page_is_asked_for_by_an_owner;
}

story! {
    async fn every_call_is_refused_to_anybody_else(database: Database) {
        let world = World::start(database.db()).await;
        let (applicant, owner) = (world.register().await, staff_client(&world, Role::Owner).await);
        for call in admins::calls().into_iter().filter(|call| call.gate.access != Access::Open) {
            let to = filled(&world, &format!("/api/admins{}", call.path), &owner, Whose::Own).await;
            let nobody = world.visitor().call(call.method, &to).json(&body(&call.path)).send().await;
            nobody.assert_problem(401, "auth.required");
            let stranger = applicant.call(call.method, &to).json(&body(&call.path)).send().await;
            stranger.assert_problem(401, "token.audience");
            // A cookie alone does not authenticate a call.
            let cookie = owner.client.without_token().call(call.method, &to).json(&body(&call.path));
            cookie.header("cookie", &owner.cookies()).send().await.assert_problem(401, "auth.required");
        }
        let viewer = staff_client(&world, Role::Viewer).await;
        for path in ["/api/admins/nowhere", "/api/admins/admins/1/nothing"] {
            world.visitor().get(path).send().await.assert_problem(401, "auth.required");
            viewer.api("GET", path).send().await.assert_problem(404, "not_found");
        }
        world.visitor().call("PUT", "/api/admins/admins").send().await.assert_problem(401, "auth.required");
        viewer.api("PUT", "/api/admins/admins").send().await.assert_problem(405, "method_not_allowed");
    }

    async fn every_page_leads_anybody_else_to_the_login(database: Database) {
        let world = World::start(database.db()).await;
        let (applicant, owner) = (world.register().await, staff_client(&world, Role::Owner).await);
        for route in table::routes().iter().filter(|route| route.gate.access != Access::Open) {
            let to = filled(&world, route.path, &owner, Whose::Own).await;
            for client in [world.visitor(), applicant.clone()] {
                let call = match route.method {
                    "POST" => client.without_token().post(&to).form(&[]),
                    _ => client.without_token().get(&to),
                };
                let call = if client.cookie.is_some() { call.with_cookie(&client) } else { call };
                let answer = call.send().await;
                let status = if route.method == "POST" { 303 } else { 302 };
                assert_eq!((answer.status, answer.header("location")), (status, "/admin-panel/login"), "{to}");
                assert_eq!(answer.text, "", "{to}");
            }
        }
    }

    async fn every_call_asks_for_the_password_again_where_its_row_says_so(database: Database) {
        let world = World::start(database.db()).await;
        let owner = staff_client(&world, Role::Owner).await;
        let idle = staff_client(&world, Role::Owner).await;
        let other = hired(&world, Role::Viewer).await;
        world.clock.advance(6 * MINUTE);
        for call in admins::calls().into_iter().filter(|call| call.gate.access != Access::Open) {
            let path = format!("/api/admins{}", call.path.replace("{id}", &other.id));
            // Logging out would end the session.
            if call.path == "/logout" {
                continue;
            }
            let answer = owner.api(call.method, &path).json(&body(&call.path)).send().await;
            assert_eq!(answer.code() == "auth.step_up", call.gate.step_up, "{} {path}: {answer:?}", call.method);
        }
        world.clock.advance(9 * MINUTE);
        for call in admins::calls().into_iter().filter(|call| !matches!(call.gate.access, Access::Open | Access::Idle)) {
            let path = format!("/api/admins{}", call.path.replace("{id}", &other.id));
            idle.api(call.method, &path).json(&body(&call.path)).send().await.assert_problem(401, "auth.step_up");
        }
    }

    async fn the_sidebar_offers_what_the_role_may_open(database: Database) {
        let world = World::start(database.db()).await;
        for role in Role::ALL {
            let member = staff_client(&world, role).await;
            let page = member.see("/admin-panel/account").send().await.page();
            let office = &page["shared"]["office"];
            assert_eq!(office["role"], role.title());
            for item in office["menu"].as_array().unwrap() {
                let href = item.as_str().unwrap();
                let opened = member.see(href).send().await;
                assert_eq!(opened.status, 200, "{role:?} {href}");
            }
            let hidden = table::routes().iter().any(|route| {
                route.path == "/admin-panel/admins" && route.gate.admit(&fresh(role)) == Err(Turned::Role)
            });
            assert_eq!(hidden, !office["menu"].to_string().contains("/admin-panel/admins"), "{role:?}");
        }
        assert_eq!(Gate::STAFF.admit(&fresh(Role::Viewer)), Ok(()));
    }
}
