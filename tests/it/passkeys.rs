//! Passkeys of applicants and staff: made, used to log in, forged, stolen, lost, and removed with the account.

use matricula::domain::moments::MINUTE;
use matricula::domain::role::Role;
use serde_json::{Value, json};

use crate::api::account::mails_to;
use crate::office::{StaffClient, code, entered, staff_client};
use crate::support::authenticator::Authenticator;
use crate::support::databases::story;
use crate::support::server::{Answer, Client, PASSKEY_ORIGIN, PASSWORD, PUBLIC_URL, World, WorldOptions};

const PAGE: &str = "/dashboard/account/passkeys";
const OFFICE_PAGE: &str = "/admin-panel/account/passkeys";

async fn see(client: &Client, path: &str) -> Answer {
    client.without_token().get(path).with_cookie(client).send().await
}

async fn send(client: &Client, path: &str, fields: &[(&str, &str)]) -> Answer {
    client.without_token().post(path).form(fields).with_cookie(client).send().await
}

/// What a page asks of the browser, and the state sent back with the answer.
fn asked(challenge: &Value) -> (&str, &str) {
    (challenge["options"].as_str().unwrap(), challenge["state"].as_str().unwrap())
}

async fn add(client: &Client, password: &str) -> (Authenticator, Answer) {
    let page = see(client, PAGE).await.assert_document(200, "passkeys");
    let (options, state) = asked(&page["props"]["new"]);
    let (device, answer) = Authenticator::make(options);
    let fields = [("_action", "add"), ("passkey", &*answer), ("passkeyState", state), ("currentPassword", password)];
    (device, send(client, PAGE, &fields).await)
}

async fn add_to_office(member: &StaffClient) -> (Authenticator, Answer) {
    let page = member.see(OFFICE_PAGE).send().await.assert_document(200, "adminPasskeys");
    let (options, state) = asked(&page["props"]["new"]);
    let (device, answer) = Authenticator::make(options);
    let fields = [("_action", "add"), ("passkey", &*answer), ("passkeyState", state)];
    let added = member.send(OFFICE_PAGE, &fields).send().await;
    (device, added)
}

/// Logs in with nothing but the passkey; also returns what was sent.
async fn log_in(client: &Client, device: &mut Authenticator) -> (Answer, [String; 2]) {
    let page = client.without_token().get("/login/passkey?redirect=%2Fdashboard%2Fmessages").send().await;
    let page = page.assert_document(200, "loginPasskey");
    let (options, state) = asked(&page["props"]["passkey"]);
    let sent = [device.answer_to(options), state.to_owned()];
    (give(client, &sent).await, sent)
}

async fn give(client: &Client, [answer, state]: &[String; 2]) -> Answer {
    let fields = [("passkey", &**answer), ("passkeyState", state), ("redirect", "/dashboard/messages")];
    client.without_token().post("/login/passkey").form(&fields).send().await
}

fn refusal(answer: &Answer, screen: &str) -> String {
    let page = answer.assert_document(422, screen);
    let errors = if screen == "adminLogin" { &page["props"]["errors"] } else { &page["props"]["form"]["errors"] };
    errors["passkey"].as_str().unwrap_or_else(|| panic!("{page}")).to_owned()
}

async fn password(client: &Client) -> (Answer, String) {
    let form = [("email", client.email.as_str()), ("password", PASSWORD)];
    let answer = client.without_token().post("/auth/login").form(&form).send().await;
    let cookie = format!("matricula_login={}", answer.set_cookie("matricula_login").unwrap_or_default());
    (answer, cookie)
}

story! {
    async fn a_passkey_logs_in_alone_and_the_password_alone_no_longer(database: Database) {
        let world = World::start(database.db()).await;
        let client = world.register().await;
        let other = client.log_in().await;
        let (_, refused) = add(&client, "not the password").await;
        assert!(refused.assert_document(422, "passkeys")["props"]["form"]["errors"]["currentPassword"].is_string());
        let (mut device, added) = add(&client, PASSWORD).await;
        let codes: Vec<String> =
            serde_json::from_value(added.assert_document(200, "recoveryCodes")["props"]["codes"].clone()).unwrap();
        assert_eq!(codes.len(), 10);
        other.get("/api/users/me").send().await.assert_problem(401, "session.revoked");
        assert_eq!(client.get("/api/users/me").send().await.json()["secondFactor"], true);
        assert!(mails_to(&world, &client.email).await.iter().any(|mail| mail.contains("passkey was added") || mail.contains("llave de acceso")));

        let (entered, sent) = log_in(&client, &mut device).await;
        entered.assert_redirect(303, "/dashboard/messages");
        assert!(entered.set_cookie("matricula_device").is_some());
        let mut browser = client.clone();
        browser.cookie = entered.set_cookie("matricula_session");
        see(&browser, "/dashboard/messages").await.assert_document(200, "messages");
        let listed = see(&client, PAGE).await.assert_document(200, "passkeys");
        assert!(listed["props"]["passkeys"][0]["lastUsedText"].is_string(), "{listed}");
        assert!(refusal(&give(&client, &sent).await, "loginPasskey").contains("too long"), "an answer works once");

        // The password is now only the first step, over the API too.
        let (first, cookie) = password(&client).await;
        first.assert_redirect(303, "/login/code?redirect=");
        let body = json!({ "email": client.email, "password": PASSWORD });
        let call = async |body: &Value| client.without_token().post("/api/users/login").json(body).send().await;
        call(&body).await.assert_problem(422, "code.required");
        let page = client.without_token().get("/login/code").header("cookie", &cookie).send().await;
        let page = page.assert_document(200, "loginCode");
        assert_eq!(page["props"]["authenticatorApp"], false);
        let (options, state) = asked(&page["props"]["passkey"]);
        let wanted: Value = serde_json::from_str(options).unwrap();
        assert_eq!(wanted["allowCredentials"].as_array().unwrap().len(), 1);
        let answer = device.answer_to(options);
        let fields = [("passkey", &*answer), ("passkeyState", state), ("redirect", "/dashboard/messages")];
        let second = client.without_token().post("/login/code").form(&fields).header("cookie", &cookie).send().await;
        second.assert_redirect(303, "/dashboard/messages");
        let mut with_code = body.clone();
        with_code["code"] = Value::from(codes[0].as_str());
        assert_eq!(call(&with_code).await.status, 200, "a recovery code does, too");
        call(&with_code).await.assert_problem(422, "code.wrong");

        let acts = database.texts("SELECT action FROM audit WHERE action LIKE 'applicant.%' ORDER BY id").await;
        for act in ["applicant.passkey_added", "applicant.logged_in_with_passkey", "applicant.password_given"] {
            assert!(acts.contains(&act.to_owned()), "{act}: {acts:?}");
        }
    }

    async fn what_is_forged_late_or_of_another_is_refused(database: Database) {
        let world = World::start(database.db()).await;
        let (client, stranger) = (world.register().await, world.register().await);
        let (mut device, added) = add(&client, PASSWORD).await;
        added.assert_document(200, "recoveryCodes");
        let (mut others, added) = add(&stranger, PASSWORD).await;
        added.assert_document(200, "recoveryCodes");

        device.origin = "https://apply.example.org.evil.example".into();
        let (answer, _) = log_in(&client, &mut device).await;
        assert!(refusal(&answer, "loginPasskey").contains("did not work"), "another page has asked");
        device.origin = PASSKEY_ORIGIN.into();
        device.verifies = false;
        assert!(refusal(&log_in(&client, &mut device).await.0, "loginPasskey").contains("did not work"), "nobody was asked for a PIN");
        device.verifies = true;

        // An answer is valid for its own challenge, in time, and with a known key.
        let ask = async || {
            let page = client.without_token().get("/login/passkey").send().await.assert_document(200, "loginPasskey");
            let (options, state) = asked(&page["props"]["passkey"]);
            (options.to_owned(), state.to_owned())
        };
        let ((first, _), (_, second)) = (ask().await, ask().await);
        assert!(refusal(&give(&client, &[device.answer_to(&first), second]).await, "loginPasskey").contains("did not work"));
        let (options, state) = ask().await;
        world.clock.advance(6 * MINUTE);
        assert!(refusal(&give(&client, &[device.answer_to(&options), state]).await, "loginPasskey").contains("too long"));
        let (unknown, _) = Authenticator::make(&{
            let page = see(&client, PAGE).await.assert_document(200, "passkeys");
            asked(&page["props"]["new"]).0.to_owned()
        });
        let mut unknown = unknown;
        assert!(refusal(&log_in(&client, &mut unknown).await.0, "loginPasskey").contains("No account here"));
        for [answer, state] in [["", ""], ["{}", ""], ["not JSON", "not sealed"], ["[[[[", "\u{202e}"]] {
            let (_, good) = ask().await;
            let refused = give(&client, &[answer.into(), if state.is_empty() { good } else { state.into() }]).await;
            assert!(refusal(&refused, "loginPasskey").contains("did not work"), "{answer}");
        }

        // Another person's passkey is no second step, and a challenge for making one is no challenge for logging in.
        let (_, cookie) = password(&client).await;
        let page = client.without_token().get("/login/code").header("cookie", &cookie).send().await;
        let page = page.assert_document(200, "loginCode");
        let (options, state) = asked(&page["props"]["passkey"]);
        let answer = others.answer_to(options);
        let fields = [("passkey", &*answer), ("passkeyState", state)];
        let refused = client.without_token().post("/login/code").form(&fields).header("cookie", &cookie).send().await;
        assert!(refusal(&refused, "loginCode").contains("another account"));
        let page = see(&client, PAGE).await.assert_document(200, "passkeys");
        let (options, state) = asked(&page["props"]["new"]);
        let asked_to_use = json!({ "challenge": serde_json::from_str::<Value>(options).unwrap()["challenge"], "rpId": "apply.example.org" });
        let sent = [device.answer_to(&asked_to_use.to_string()), state.to_owned()];
        assert!(refusal(&give(&client, &sent).await, "loginPasskey").contains("did not work"));
        // Nor can a passkey made for another account be added here.
        let (_, made) = Authenticator::make(options);
        let fields = [("_action", "add"), ("passkey", &*made), ("passkeyState", state), ("currentPassword", PASSWORD)];
        assert!(refusal(&send(&stranger, PAGE, &fields).await, "passkeys").contains("did not work"));
        send(&client, PAGE, &fields).await.assert_redirect(303, &format!("{PAGE}?done=added"));
        assert!(refusal(&send(&client, PAGE, &fields).await, "passkeys").contains("already"));

        // A copy of the device has a lower counter, which gives it away.
        device.counts = true;
        let counters = [log_in(&client, &mut device).await, log_in(&client, &mut device).await];
        assert!(counters.iter().all(|(answer, _)| answer.status == 303));
        device.rewind();
        assert!(refusal(&log_in(&client, &mut device).await.0, "loginPasskey").contains("did not work"));
    }

    async fn removing_one_asks_for_password_and_second_factor(database: Database) {
        let world = World::start(database.db()).await;
        let client = world.register().await;
        let (mut device, added) = add(&client, PASSWORD).await;
        let codes: Vec<String> =
            serde_json::from_value(added.assert_document(200, "recoveryCodes")["props"]["codes"].clone()).unwrap();
        let (_, second) = add(&client, PASSWORD).await;
        second.assert_redirect(303, &format!("{PAGE}?done=added"));
        let page = see(&client, PAGE).await.assert_document(200, "passkeys");
        assert_eq!(page["props"]["recoveryCodesLeft"], 10, "the second one makes no other codes");
        let ids: Vec<&str> = page["props"]["passkeys"].as_array().unwrap().iter().map(|it| it["id"].as_str().unwrap()).collect();
        let [newer, older] = ids[..] else { panic!("{ids:?}") };

        let confirm = see(&client, &format!("{PAGE}?remove={newer}")).await.assert_document(200, "passkeys");
        assert_eq!(confirm["props"]["confirm"]["removed"]["id"], newer);
        let without = [("_action", "remove"), ("id", newer), ("currentPassword", PASSWORD)];
        let refused = send(&client, PAGE, &without).await.assert_document(422, "passkeys");
        assert!(refused["props"]["form"]["errors"]["code"].is_string(), "{refused}");
        let (options, state) = asked(&confirm["props"]["confirm"]["passkey"]);
        let answer = device.answer_to(options);
        let with_passkey = [&without[..], &[("passkey", &answer), ("passkeyState", state)]].concat();
        send(&client, PAGE, &with_passkey).await.assert_redirect(303, &format!("{PAGE}?done=removed"));
        see(&client, &format!("{PAGE}?remove={newer}")).await.assert_redirect(302, PAGE);

        let listed = client.get("/api/users/passkeys").send().await.json();
        assert_eq!((listed["passkeys"].as_array().unwrap().len(), &listed["passkeys"][0]["id"]), (1, &json!(older)));
        let renewed = [("_action", "codes"), ("currentPassword", PASSWORD), ("code", &codes[0])];
        let renewed = send(&client, PAGE, &renewed).await.assert_document(200, "recoveryCodes");
        let remove = async |id: &str, body: &Value| client.post(&format!("/api/users/passkeys/{id}/remove")).json(body).send().await;
        remove(older, &json!({ "currentPassword": PASSWORD })).await.assert_problem(422, "code.required");
        let codes = renewed["props"]["codes"].as_array().unwrap();
        let both = |at: usize| json!({ "currentPassword": PASSWORD, "code": codes[at] });
        remove(newer, &both(0)).await.assert_problem(404, "passkey.not_found");
        assert_eq!(remove(older, &both(1)).await.status, 204);
        assert!(database.texts("SELECT digest FROM recovery_codes").await.is_empty());
        let (open, _) = password(&client).await;
        assert!(open.set_cookie("matricula_session").is_some(), "the password alone logs in again");
        assert!(refusal(&log_in(&client, &mut device).await.0, "loginPasskey").contains("No account here"));
    }

    async fn an_owner_helps_who_has_lost_it_and_it_goes_with_the_account(database: Database) {
        let world = World::start(database.db()).await;
        let client = world.register().await;
        add(&client, PASSWORD).await.1.assert_document(200, "recoveryCodes");
        let owner = staff_client(&world, Role::Owner).await;
        let reset = owner.api("POST", "/api/admins/applicants/second-factor/reset").json(&json!({ "email": client.email }));
        assert_eq!(reset.send().await.status, 204);
        let (open, _) = password(&client).await;
        let mut client = client;
        client.cookie = open.set_cookie("matricula_session");
        assert!(client.cookie.is_some());
        assert!(database.texts("SELECT id FROM passkeys").await.is_empty());

        add(&client, PASSWORD).await.1.assert_document(200, "recoveryCodes");
        let fields = [("currentPassword", PASSWORD), ("confirm", "yes")];
        let closed = send(&client, "/dashboard/account/close", &fields).await;
        assert!(closed.status < 400, "{closed:?}");
        assert!(database.texts("SELECT id FROM passkeys").await.is_empty());
        assert!(database.texts("SELECT digest FROM recovery_codes").await.is_empty());
    }

    async fn staff_log_in_with_one_and_confirm_with_it(database: Database) {
        let world = World::start(database.db()).await;
        let owner = staff_client(&world, Role::Owner).await;
        let other = entered(&world, &owner.staff).await;
        let (mut device, added) = add_to_office(&owner).await;
        added.assert_document(200, "adminRecoveryCodes");
        other.see("/admin-panel/account").send().await.assert_redirect(302, "/admin-panel/login");

        let visitor = world.visitor();
        let give = async |answer: &str, state: &str, action: &str, cookie: &str| {
            let form = [("_action", action), ("passkey", answer), ("passkeyState", state)];
            visitor.post("/admin-panel/login").form(&form).header("cookie", cookie).send().await
        };
        let page = visitor.get("/admin-panel/login").send().await.assert_document(200, "adminLogin");
        let (options, state) = asked(&page["props"]["passkey"]);
        let answer = device.answer_to(options);
        let inside = give(&answer, state, "passkey", "").await;
        inside.assert_redirect(303, "/admin-panel/work");
        let cookie = format!("matricula_staff={}", inside.set_cookie("matricula_staff").unwrap());
        let see = async |path: &str| visitor.get(path).header("cookie", &cookie).send().await;
        see("/admin-panel/account").await.assert_document(200, "adminAccount");
        assert!(refusal(&give(&answer, state, "passkey", "").await, "adminLogin").contains("too long"));
        // A challenge for applicants is not valid in the office.
        let page = visitor.get("/login/passkey").send().await.assert_document(200, "loginPasskey");
        let (options, state) = asked(&page["props"]["passkey"]);
        let answer = device.answer_to(options);
        assert!(refusal(&give(&answer, state, "passkey", "").await, "adminLogin").contains("did not work"));

        // As the second step after the password.
        let form = [("email", owner.staff.email.as_str()), ("password", PASSWORD)];
        let first = visitor.post("/admin-panel/login").form(&form).send().await;
        let waiting = format!("matricula_staff={}", first.set_cookie("matricula_staff").unwrap());
        let page = visitor.get("/admin-panel/login").header("cookie", &waiting).send().await;
        let page = page.assert_document(200, "adminLogin");
        assert_eq!(page["props"]["step"], "code");
        let (options, state) = asked(&page["props"]["passkey"]);
        let answer = device.answer_to(options);
        give(&answer, state, "code", &waiting).await.assert_redirect(303, "/admin-panel/work");

        // After a while, in place of password and code.
        world.clock.advance(6 * MINUTE);
        see(OFFICE_PAGE).await.assert_redirect(302, "/admin-panel/step-up?next=%2Fadmin-panel%2Faccount%2Fpasskeys");
        let page = see("/admin-panel/step-up?next=%2Fadmin-panel%2Faccount%2Fpasskeys").await.assert_document(200, "adminStepUp");
        let (options, state) = asked(&page["props"]["passkey"]);
        let answer = device.answer_to(options);
        let form = [("_to", OFFICE_PAGE), ("passkey", &*answer), ("passkeyState", state)];
        let confirmed = visitor.post("/admin-panel/step-up").form(&form).header("cookie", &cookie).send().await;
        confirmed.assert_redirect(303, OFFICE_PAGE);
        let page = see(OFFICE_PAGE).await.assert_document(200, "adminPasskeys");
        let remove = format!("remove:{}", page["props"]["passkeys"][0]["id"].as_str().unwrap());
        let post = async |form: &[(&str, &str)]| visitor.post(OFFICE_PAGE).form(form).header("cookie", &cookie).send().await;
        post(&[("_action", &remove)]).await.assert_redirect(303, &format!("{OFFICE_PAGE}?done=removed"));
        assert!(database.texts("SELECT digest FROM staff_recovery_codes").await.is_empty());
        let acts = database.texts("SELECT action FROM audit WHERE action LIKE 'staff.%' ORDER BY id").await;
        for act in ["staff.passkey_added", "staff.logged_in_with_passkey", "staff.stepped_up", "staff.passkey_removed"] {
            assert!(acts.contains(&act.to_owned()), "{act}: {acts:?}");
        }
    }

    async fn a_passkey_is_the_second_factor_that_everybody_must_have(database: Database) {
        let world = World::start(database.db()).await;
        let owner = staff_client(&world, Role::Owner).await;
        let (_, added) = add_to_office(&owner).await;
        added.assert_document(200, "adminRecoveryCodes");
        owner.send("/admin-panel/admins/second-factor", &[("required", "yes")]).send().await.assert_redirect(303, "/admin-panel/admins?done=rule");
        owner.see("/admin-panel/account").send().await.assert_document(200, "adminAccount");
        let reviewer = staff_client(&world, Role::Reviewer).await;
        reviewer.see("/admin-panel/applications").send().await.assert_redirect(302, "/admin-panel/account/second-factor");
        add_to_office(&reviewer).await.1.assert_document(200, "adminRecoveryCodes");
        reviewer.see("/admin-panel/applications").send().await.assert_document(200, "adminApplications");

        let page = owner.see(OFFICE_PAGE).send().await.assert_document(200, "adminPasskeys");
        let remove = format!("remove:{}", page["props"]["passkeys"][0]["id"].as_str().unwrap());
        let kept = owner.send(OFFICE_PAGE, &[("_action", &remove)]).send().await.assert_document(409, "adminPasskeys");
        assert!(kept["props"]["form"]["error"].as_str().unwrap().contains("stays on"), "{kept}");
        // With an authenticator app as well, it may be removed, and then the app may not.
        let (secret, _) = crate::office::second_factor::set_up(&world, &owner).await;
        assert_eq!(code(&world, &secret).len(), 6);
        owner.send(OFFICE_PAGE, &[("_action", &remove)]).send().await.assert_redirect(303, &format!("{OFFICE_PAGE}?done=removed"));
        let kept = owner.send("/admin-panel/account/second-factor/off", &[]).send().await;
        assert_eq!(kept.status, 409);
    }

    async fn where_browsers_have_none_nothing_offers_them(database: Database) {
        let options = WorldOptions { passkey_origin: PUBLIC_URL, ..WorldOptions::default() };
        let world = World::start_with(database.db(), options).await;
        let client = world.register().await;
        let page = see(&client, PAGE).await.assert_document(200, "passkeys");
        assert!(page["props"]["new"].is_null());
        assert_eq!(page["shared"]["passkeys"], false);
        let account = see(&client, "/dashboard/account").await.assert_document(200, "account");
        assert!(account["props"]["passkeys"].is_null());
        client.without_token().get("/login/passkey").send().await.assert_redirect(302, "/bachelor/apply?dialog=login");
        let login = world.visitor().get("/admin-panel/login").send().await.assert_document(200, "adminLogin");
        assert!(login["props"]["passkey"].is_null());
    }
}
