//! The second factor of applicants: set up, asked for, replayed, guessed, lost, and removed with the account.

use matricula::boot::{SecretStanding, Secrets, rotate_secret};
use matricula::domain::moments::MINUTE;
use matricula::domain::role::Role;
use serde_json::{Value, json};

use crate::api::account::mails_to;
use crate::api::passwords::mailed_token;
use crate::office::{code, staff_client};
use crate::support::databases::story;
use crate::support::server::{Answer, Client, PASSWORD, TOKEN_KEY, World};

const PAGE: &str = "/dashboard/account/second-factor";

async fn see(client: &Client, path: &str) -> Answer {
    client.without_token().get(path).with_cookie(client).send().await
}

async fn send(client: &Client, fields: &[(&str, &str)]) -> Answer {
    client.without_token().post(PAGE).form(fields).with_cookie(client).send().await
}

/// Sets it up by the form; returns the key and the recovery codes.
async fn set_up(world: &World, client: &Client) -> (String, Vec<String>) {
    let page = see(client, PAGE).await.assert_document(200, "secondFactor");
    let setup = &page["props"]["setup"];
    let (seed, secret) = (setup["seed"].as_str().unwrap(), setup["secret"].as_str().unwrap());
    let now = code(world, secret);
    let on = async |code: &str, password: &str| {
        send(client, &[("_action", "on"), ("seed", seed), ("code", code), ("currentPassword", password)]).await
    };
    let refused = on("000000", PASSWORD).await.assert_document(422, "secondFactor");
    assert_eq!(refused["props"]["setup"]["seed"], seed, "the picture stays the same");
    let refused = on(&now, "not the password").await.assert_document(422, "secondFactor");
    assert!(refused["props"]["form"]["errors"]["currentPassword"].is_string(), "{refused}");
    assert!(!refused.to_string().contains("not the password"), "nothing secret comes back");
    let answer = on(&now, PASSWORD).await;
    let page = answer.assert_document(200, "recoveryCodes");
    assert_eq!(answer.header("cache-control"), "no-store");
    let codes: Vec<String> = serde_json::from_value(page["props"]["codes"].clone()).unwrap();
    assert_eq!(codes.len(), 10);
    (secret.to_owned(), codes)
}

/// The first step without JavaScript: the answer, and the cookie of the pending login.
async fn password(client: &Client) -> (Answer, String) {
    let form = [("email", client.email.as_str()), ("password", PASSWORD), ("redirect", "/dashboard/messages")];
    let answer = client.without_token().post("/auth/login").form(&form).send().await;
    let cookie = format!("matricula_login={}", answer.set_cookie("matricula_login").unwrap_or_default());
    (answer, cookie)
}

async fn second_step(client: &Client, cookie: &str, code: &str) -> Answer {
    let form = [("code", code), ("redirect", "/dashboard/messages")];
    client.without_token().post("/login/code").form(&form).header("cookie", cookie).send().await
}

async fn change(client: &Client, path: &str, body: &Value) -> Answer {
    client.post(&format!("/api/users/second-factor{path}")).json(body).send().await
}

async fn log_in(client: &Client, code: Option<&str>) -> Answer {
    let mut body = json!({ "email": client.email, "password": PASSWORD });
    if let Some(code) = code {
        body["code"] = Value::from(code);
    }
    client.without_token().post("/api/users/login").json(&body).send().await
}

story! {
    async fn an_app_goes_on_when_the_secret_is_changed(database: Database) {
        let world = World::start(database.db()).await;
        let client = world.register().await;
        let (secret, _) = set_up(&world, &client).await;
        let newer = b"the secret of the years to come, long enough".as_slice();
        for (current, previous) in [(newer, TOKEN_KEY), (TOKEN_KEY, newer)] {
            let secrets = Secrets { current: current.to_vec(), previous: Some(previous.to_vec()) };
            let seed = async || database.texts("SELECT code_seed FROM applicants WHERE code_seed IS NOT NULL").await;
            let before = seed().await;
            // The first one records which secret is in use.
            let first = Secrets { current: previous.to_vec(), previous: None };
            assert_eq!(rotate_secret(&database.db(), &first).await.unwrap(), SecretStanding::Same);
            let standing = rotate_secret(&database.db(), &secrets).await.unwrap();
            assert!(matches!(standing, SecretStanding::Changed { lost: 0, .. }), "{standing:?}");
            assert_ne!(seed().await, before);
        }
        world.clock.advance(30_000);
        let now = code(&world, &secret);
        assert_eq!(log_in(&client, Some(&now)).await.status, 200);
    }

    async fn a_login_asks_for_a_code_and_takes_each_once(database: Database) {
        let world = World::start(database.db()).await;
        let client = world.register().await;
        let other = client.log_in().await;
        let (secret, recovery) = set_up(&world, &client).await;
        other.get("/api/users/me").send().await.assert_problem(401, "session.revoked");
        let me = client.get("/api/users/me").send().await.json();
        assert_eq!(me["secondFactor"], true, "{me}");
        assert!(mails_to(&world, &client.email).await.iter().any(|mail| mail.contains("second factor is on") || mail.contains("segundo factor")));

        let (answer, cookie) = password(&client).await;
        answer.assert_redirect(303, "/login/code?redirect=%2Fdashboard%2Fmessages");
        assert_eq!(answer.set_cookie("matricula_session"), None, "the password alone is no session");
        let secret_of_login = cookie.strip_prefix("matricula_login=").unwrap();
        let as_session = client.without_token().get("/dashboard").header("cookie", &format!("matricula_session={secret_of_login}"));
        assert_eq!(as_session.send().await.status, 302);
        let token = client.without_token().post("/api/users/session").header("cookie", &format!("matricula_session={secret_of_login}"));
        assert_eq!(token.send().await.status, 401);
        let page = client.without_token().get("/login/code").header("cookie", &cookie).send().await;
        page.assert_document(200, "loginCode");
        // The code used for the setup is spent.
        let replayed = second_step(&client, &cookie, &code(&world, &secret)).await.assert_document(422, "loginCode");
        assert!(replayed["props"]["form"]["errors"]["code"].as_str().unwrap().contains("works once"), "{replayed}");
        world.clock.advance(30_000);
        let now = code(&world, &secret);
        let (_, second) = password(&client).await;
        let entered = second_step(&client, &cookie, &format!("{} {}", &now[..3], &now[3..])).await;
        entered.assert_redirect(303, "/dashboard/messages");
        assert!(entered.set_cookie("matricula_device").is_some());
        let mut browser = client.clone();
        browser.cookie = entered.set_cookie("matricula_session");
        see(&browser, "/dashboard/messages").await.assert_document(200, "messages");
        assert_eq!(second_step(&client, &second, &now).await.status, 422, "somebody who has seen it comes too late");
        assert_eq!(second_step(&client, &second, "").await.status, 422);
        second_step(&client, &second, &recovery[0].to_uppercase()).await.assert_redirect(303, "/dashboard/messages");
        let (_, third) = password(&client).await;
        assert_eq!(second_step(&client, &third, &recovery[0]).await.status, 422, "a recovery code works once");
        world.clock.advance(6 * MINUTE);
        let late = second_step(&client, &third, &recovery[1]).await.assert_document(401, "apply");
        assert_eq!(late["props"]["dialog"]["mode"], "login");
        client.without_token().get("/login/code").send().await.assert_redirect(302, "/bachelor/apply?dialog=login");
        let page = see(&client, PAGE).await.assert_document(200, "secondFactor");
        assert_eq!(page["props"]["recoveryCodesLeft"], 9);
        let acts = database.texts("SELECT action FROM audit WHERE action LIKE 'applicant.%' ORDER BY id").await;
        for act in ["applicant.second_factor_on", "applicant.password_given", "applicant.logged_in", "applicant.recovery_code_used"] {
            assert!(acts.contains(&act.to_owned()), "{act}: {acts:?}");
        }
        let stored = database.texts("SELECT digest FROM recovery_codes").await;
        assert!(stored.iter().all(|digest| digest.len() == 64), "{stored:?}");
    }

    async fn over_the_api_the_code_comes_along_and_cannot_be_guessed(database: Database) {
        let world = World::start(database.db()).await;
        let client = world.register().await;
        assert_eq!(log_in(&client, Some("000000")).await.status, 200, "nothing is asked without a second factor");
        let call = async |path: &str, body: Value| change(&client, path, &body).await;
        let begun = call("", json!({})).await.json();
        let (seed, secret) = (begun["seed"].as_str().unwrap(), begun["secret"].as_str().unwrap());
        let proof = |code: &str| json!({ "seed": seed, "code": code, "currentPassword": PASSWORD });
        call("/confirm", json!({ "seed": "short", "code": "1", "currentPassword": PASSWORD })).await.assert_problem(422, "seed.invalid");
        call("/confirm", json!({ "seed": seed, "code": "123456" })).await.assert_problem(422, "currentPassword.required");
        let on = call("/confirm", proof(&code(&world, secret))).await;
        assert_eq!((on.status, on.json()["recoveryCodes"].as_array().unwrap().len()), (200, 10));
        call("/confirm", proof(&code(&world, secret))).await.assert_problem(409, "second_factor.there");
        world.clock.advance(MINUTE);
        log_in(&client, None).await.assert_problem(422, "code.required");
        let now = code(&world, secret);
        assert_eq!(log_in(&client, Some(&now)).await.status, 200);
        log_in(&client, Some(&now)).await.assert_problem(422, "code.wrong");
        for _ in 0..9 {
            log_in(&client, Some("000000")).await.assert_problem(422, "code.wrong");
        }
        world.clock.advance(30_000);
        log_in(&client, Some(&code(&world, secret))).await.assert_problem(429, "auth.throttled");
        world.clock.advance(16 * MINUTE);
        let entered = log_in(&client, Some(&code(&world, secret))).await;
        assert_eq!(entered.status, 200);
        let mut client = client.clone();
        client.enter(&entered);

        // Renewing the recovery codes and turning it off ask for both.
        let call = async |path: &str, body: Value| change(&client, path, &body).await;
        world.clock.advance(MINUTE);
        let both = |password: &str, code: &str| json!({ "currentPassword": password, "code": code });
        call("/recovery-codes", both("not the password", &code(&world, secret))).await.assert_problem(422, "currentPassword.wrong");
        call("/off", both(PASSWORD, "000000")).await.assert_problem(422, "code.wrong");
        let renewed = call("/recovery-codes", both(PASSWORD, &code(&world, secret))).await.json();
        let old = on.json()["recoveryCodes"][0].as_str().unwrap().to_owned();
        log_in(&client, Some(&old)).await.assert_problem(422, "code.wrong");
        let fresh = renewed["recoveryCodes"][0].as_str().unwrap();
        assert_eq!(call("/off", both(PASSWORD, fresh)).await.status, 204);
        assert_eq!(log_in(&client, None).await.status, 200);
        call("/off", both(PASSWORD, fresh)).await.assert_problem(409, "second_factor.none");
        assert!(database.texts("SELECT digest FROM recovery_codes").await.is_empty());
    }

    async fn a_new_password_leaves_it_on_and_an_owner_helps_who_has_lost_it(database: Database) {
        let world = World::start(database.db()).await;
        let client = world.register().await;
        let (secret, _) = set_up(&world, &client).await;
        world.clock.advance(MINUTE);
        let asked = client.without_token().post("/api/users/forgot-password").json(&json!({ "email": client.email }));
        assert_eq!(asked.send().await.status, 200);
        let token = mailed_token(&world, &client).await;
        let body = json!({ "token": token, "password": PASSWORD });
        let reset = client.without_token().post("/api/users/reset-password").json(&body).send().await;
        assert_eq!(reset.status, 200, "{reset:?}");
        log_in(&client, None).await.assert_problem(422, "code.required");
        let entered = log_in(&client, Some(&code(&world, &secret))).await;
        assert_eq!(entered.status, 200);
        let mut client = client;
        client.enter(&entered);

        let (owner, reviewer) = (staff_client(&world, Role::Owner).await, staff_client(&world, Role::Reviewer).await);
        let path = "/admin-panel/admins/applicants-second-factor";
        assert_eq!(reviewer.send(path, &[("applicantEmail", &client.email)]).send().await.status, 403);
        let unknown = owner.send(path, &[("applicantEmail", "nobody@example.org")]).send().await.assert_document(422, "adminAdmins");
        assert!(unknown["props"]["form"]["errors"]["applicantEmail"].as_str().unwrap().contains("No applicant"), "{unknown}");
        let done = owner.send(path, &[("applicantEmail", &client.email.to_uppercase())]).send().await;
        done.assert_redirect(303, "/admin-panel/admins?done=reset");
        let again = owner.api("POST", "/api/admins/applicants/second-factor/reset").json(&json!({ "email": client.email }));
        again.send().await.assert_problem(422, "email.no_second_factor");
        client.get("/api/users/me").send().await.assert_problem(401, "session.revoked");
        assert_eq!(log_in(&client, None).await.status, 200);
        let actors = database.texts("SELECT actor FROM audit WHERE action = 'applicant.second_factor_reset'").await;
        assert_eq!(actors, [format!("staff:{}", owner.staff.id)]);
    }

    async fn it_goes_with_the_account(database: Database) {
        let world = World::start(database.db()).await;
        let client = world.register().await;
        set_up(&world, &client).await;
        let data = client.post("/api/users/personal-data").json(&json!({ "currentPassword": PASSWORD })).send().await;
        assert_eq!(data.status, 200);
        let seeds = "SELECT code_seed FROM applicants WHERE code_seed IS NOT NULL";
        assert_eq!(database.texts(seeds).await.len(), 1);
        let body = json!({ "currentPassword": PASSWORD, "confirm": true });
        assert_eq!(client.post("/api/users/close-account").json(&body).send().await.status, 204);
        assert!(database.texts(seeds).await.is_empty());
        assert!(database.texts("SELECT digest FROM recovery_codes").await.is_empty());
    }
}
