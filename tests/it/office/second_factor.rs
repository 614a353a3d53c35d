//! The second factor: set up, asked for, replayed, lost, and required for everybody.

use matricula::app::ports::{Clock, OneTimeCodes, Sealing};
use matricula::auth::{Sealer, Totp};
use matricula::boot::{SecretStanding, Secrets, rotate_secret};
use matricula::domain::account::AccountKey;
use matricula::domain::moments::MINUTE;
use matricula::domain::role::Role;
use matricula::domain::session::Audience;
use serde_json::json;

use super::{StaffClient, code, entered, staff_client};
use crate::support::databases::story;
use crate::support::server::{Answer, PASSWORD, TOKEN_KEY, World};

/// Sets it up by the form; returns the key and the recovery codes.
pub async fn set_up(world: &World, member: &StaffClient) -> (String, Vec<String>) {
    let path = "/admin-panel/account/second-factor";
    let page = member.see(path).send().await.assert_document(200, "adminSecondFactor");
    let (seed, secret) =
        (page["props"]["setup"]["seed"].as_str().unwrap(), page["props"]["setup"]["secret"].as_str().unwrap());
    let wrong = member.send(path, &[("seed", seed), ("code", "000000")]).send().await;
    let again = wrong.assert_document(422, "adminSecondFactor");
    assert_eq!(again["props"]["setup"]["seed"], seed, "the picture stays the same");
    let on = member.send(path, &[("seed", seed), ("code", &code(world, secret))]).send().await;
    let page = on.assert_document(200, "adminRecoveryCodes");
    let codes: Vec<String> = serde_json::from_value(page["props"]["codes"].clone()).unwrap();
    assert_eq!(codes.len(), 10);
    assert!(on.text.contains(&codes[9]) && on.header("cache-control") == "no-store");
    (secret.to_owned(), codes)
}

async fn password(world: &World, member: &StaffClient) -> (Answer, String) {
    let form = [("email", member.staff.email.as_str()), ("password", PASSWORD)];
    let answer = world.visitor().post("/admin-panel/login").form(&form).send().await;
    let cookie = format!("matricula_staff={}", answer.set_cookie("matricula_staff").unwrap_or_default());
    (answer, cookie)
}

pub async fn second_step(world: &World, cookie: &str, code: &str) -> Answer {
    let form = [("_action", "code"), ("code", code)];
    world.visitor().post("/admin-panel/login").form(&form).header("cookie", cookie).send().await
}

story! {
    async fn a_login_asks_for_a_code_and_takes_each_once(database: Database) {
        let world = World::start(database.db()).await;
        let owner = staff_client(&world, Role::Owner).await;
        let other = entered(&world, &owner.staff).await;
        let (secret, recovery) = set_up(&world, &owner).await;
        other.see("/admin-panel/account").send().await.assert_redirect(302, "/admin-panel/login");
        let page = owner.see("/admin-panel/account").send().await.page();
        assert_eq!((page["props"]["authenticatorApp"].as_bool(), page["props"]["recoveryCodesLeft"].as_i64()), (Some(true), Some(10)));

        let (answer, cookie) = password(&world, &owner).await;
        answer.assert_redirect(303, "/admin-panel/login");
        let visitor = world.visitor();
        let see = async |path: &str| visitor.get(path).header("cookie", &cookie).send().await;
        see("/admin-panel/account").await.assert_redirect(302, "/admin-panel/login");
        let token = visitor.post("/admin-panel/token").form(&[]).header("cookie", &cookie).send().await;
        assert_eq!(token.status, 401, "the password alone is no session");
        let page = see("/admin-panel/login").await.assert_document(200, "adminLogin");
        assert_eq!(page["props"]["step"], "code");
        // The code used for the setup is spent.
        let replayed = second_step(&world, &cookie, &code(&world, &secret)).await.assert_document(422, "adminLogin");
        assert!(replayed["props"]["errors"]["code"].as_str().unwrap().contains("works once"));
        world.clock.advance(30_000);
        let now = code(&world, &secret);
        let (_, second_cookie) = password(&world, &owner).await;
        second_step(&world, &cookie, &format!("{} {}", &now[..3], &now[3..])).await.assert_redirect(303, "/admin-panel/work");
        see("/admin-panel/account").await.assert_document(200, "adminAccount");
        assert_eq!(second_step(&world, &second_cookie, &now).await.status, 422, "somebody who has seen it comes too late");
        assert_eq!(second_step(&world, &second_cookie, "").await.status, 422);

        second_step(&world, &second_cookie, &recovery[0].to_uppercase()).await.assert_redirect(303, "/admin-panel/work");
        let (_, third) = password(&world, &owner).await;
        assert_eq!(second_step(&world, &third, &recovery[0]).await.status, 422, "a recovery code works once");
        world.clock.advance(6 * MINUTE);
        second_step(&world, &third, &recovery[1]).await.assert_document(401, "adminLogin");
        assert_eq!(owner.see("/admin-panel/account").send().await.page()["props"]["recoveryCodesLeft"], 9);
        let acts = database.texts("SELECT action FROM audit WHERE action LIKE 'staff.%' ORDER BY id").await;
        for act in ["staff.second_factor_on", "staff.password_given", "staff.logged_in", "staff.recovery_code_used"] {
            assert!(acts.contains(&act.to_owned()), "{act}: {acts:?}");
        }
        let stored = database.texts("SELECT digest FROM staff_recovery_codes").await;
        assert!(stored.iter().all(|digest| digest.len() == 64), "{stored:?}");
    }

    async fn an_app_goes_on_when_the_secret_is_changed(database: Database) {
        let world = World::start(database.db()).await;
        let owner = staff_client(&world, Role::Owner).await;
        let (secret, _) = set_up(&world, &owner).await;
        let forgotten = [("email", owner.staff.email.as_str())];
        world.visitor().post("/admin-panel/forgot-password").form(&forgotten).send().await;
        let newer = b"the secret of the years to come, long enough".to_vec();
        let secrets = |current: &[u8], previous: Option<&[u8]>| Secrets {
            current: current.to_vec(),
            previous: previous.map(<[u8]>::to_vec),
        };
        let change = async |secrets| rotate_secret(&database.db(), &secrets).await.unwrap();
        assert_eq!(change(secrets(TOKEN_KEY, None)).await, SecretStanding::Same);
        assert_eq!(change(secrets(&newer, None)).await, SecretStanding::Unknown);
        assert_eq!(change(secrets(&newer, Some(b"not the one before it"))).await, SecretStanding::Unknown);

        let standing = change(secrets(&newer, Some(TOKEN_KEY))).await;
        assert_eq!(standing, SecretStanding::Changed { kept: 2, lost: 0 }, "the code and the mail");
        assert_eq!(change(secrets(&newer, Some(TOKEN_KEY))).await, SecretStanding::Same);
        let seed = database.texts("SELECT code_seed FROM staff WHERE code_seed IS NOT NULL").await.remove(0);
        let now = world.clock.now();
        let id = AccountKey { audience: Audience::Admin, id: &owner.staff.id };
        assert!(Totp::new(&newer).step(id, &seed, &code(&world, &secret), now).is_some(), "the same app, the same code");
        assert_eq!(Totp::new(TOKEN_KEY).step(id, &seed, &code(&world, &secret), now), None);
        let sealed = database.texts("SELECT id || ' ' || sealed FROM outbox WHERE sealed IS NOT NULL").await.remove(0);
        let (mail, sealed) = sealed.split_once(' ').unwrap();
        assert!(Sealer::new(&newer).open(mail, sealed).unwrap().contains("/admin-panel/reset-password"));

        // And back again, any number of times.
        assert_eq!(change(secrets(TOKEN_KEY, Some(&newer))).await, SecretStanding::Changed { kept: 2, lost: 0 });
        let (_, cookie) = password(&world, &owner).await;
        world.clock.advance(30_000);
        let code = code(&world, &secret);
        second_step(&world, &cookie, &code).await.assert_redirect(303, "/admin-panel/work");
    }

    async fn codes_cannot_be_guessed(database: Database) {
        let world = World::start(database.db()).await;
        let owner = staff_client(&world, Role::Owner).await;
        let (secret, _) = set_up(&world, &owner).await;
        world.clock.advance(MINUTE);
        let (_, cookie) = password(&world, &owner).await;
        for _ in 0..10 {
            assert_eq!(second_step(&world, &cookie, "000000").await.status, 422);
        }
        assert_eq!(second_step(&world, &cookie, &code(&world, &secret)).await.status, 429);
        world.clock.advance(16 * MINUTE);
        let (_, cookie) = password(&world, &owner).await;
        second_step(&world, &cookie, &code(&world, &secret)).await.assert_redirect(303, "/admin-panel/work");
    }

    async fn over_the_api_the_code_comes_along(database: Database) {
        let world = World::start(database.db()).await;
        let owner = staff_client(&world, Role::Owner).await;
        let begun = owner.api("POST", "/api/admins/second-factor").json(&json!({})).send().await.json();
        assert!(begun["uri"].as_str().unwrap().starts_with("otpauth://totp/Matricula%20Institute:owner-"), "{begun}");
        let confirm = async |seed: &str, code: &str| {
            let body = json!({ "seed": seed, "code": code });
            owner.api("POST", "/api/admins/second-factor/confirm").json(&body).send().await
        };
        let (seed, secret) = (begun["seed"].as_str().unwrap(), begun["secret"].as_str().unwrap());
        confirm("short", "123456").await.assert_problem(422, "seed.invalid");
        confirm(seed, "").await.assert_problem(422, "code.required");
        confirm(&"x".repeat(43), &code(&world, secret)).await.assert_problem(422, "code.wrong");
        let on = confirm(seed, &code(&world, secret)).await;
        assert_eq!((on.status, on.json()["recoveryCodes"].as_array().unwrap().len()), (200, 10));
        confirm(seed, &code(&world, secret)).await.assert_problem(409, "second_factor.there");
        world.clock.advance(MINUTE);
        let log_in = async |code: &str| {
            let body = json!({ "email": owner.staff.email, "password": PASSWORD, "code": code });
            world.visitor().post("/api/admins/login").json(&body).send().await
        };
        log_in("").await.assert_problem(422, "code.required");
        assert_eq!(log_in(&code(&world, secret)).await.status, 200);
        log_in(&code(&world, secret)).await.assert_problem(422, "code.wrong");
        // Confirming the password asks for a code too.
        let step_up = async |code: &str| {
            owner.api("POST", "/api/admins/step-up").json(&json!({ "password": PASSWORD, "code": code })).send().await
        };
        step_up(&code(&world, secret)).await.assert_problem(422, "code.wrong");
        world.clock.advance(30_000);
        assert_eq!(step_up(&code(&world, secret)).await.status, 204);
        assert_eq!(owner.api("POST", "/api/admins/second-factor/recovery-codes").json(&json!({})).send().await.status, 200);
        assert_eq!(owner.api("DELETE", "/api/admins/second-factor").send().await.status, 204);
        assert_eq!(log_in("").await.status, 200);
        owner.api("POST", "/api/admins/second-factor/recovery-codes").json(&json!({})).send().await.assert_problem(409, "second_factor.none");
    }

    async fn where_everybody_needs_one_it_comes_before_anything_else(database: Database) {
        let world = World::start(database.db()).await;
        let (owner, viewer) = (staff_client(&world, Role::Owner).await, staff_client(&world, Role::Viewer).await);
        set_up(&world, &owner).await;
        let rule = async |required: &str| {
            owner.send("/admin-panel/admins/second-factor", &[("required", required)]).send().await
        };
        rule("yes").await.assert_redirect(303, "/admin-panel/admins?done=rule");
        let set_up_page = "/admin-panel/account/second-factor";
        viewer.see("/admin-panel/account").send().await.assert_redirect(302, set_up_page);
        viewer.send("/admin-panel/account", &[("_action", "name"), ("name", "X")]).send().await.assert_redirect(303, set_up_page);
        viewer.api("GET", "/api/admins/sessions").send().await.assert_problem(403, "second_factor.missing");
        assert_eq!(viewer.api("GET", "/api/admins/me").send().await.json()["secondFactorRequired"], true);
        let page = viewer.see(set_up_page).send().await.assert_document(200, "adminSecondFactor");
        assert_eq!((page["props"]["required"].as_bool(), page["shared"]["office"]["menu"].as_array().map(Vec::len)), (Some(true), Some(0)));
        set_up(&world, &viewer).await;
        viewer.see("/admin-panel/account").send().await.assert_document(200, "adminAccount");
        let off = viewer.send("/admin-panel/account/second-factor/off", &[]).send().await;
        let page = off.assert_document(409, "adminAccount");
        assert!(page["props"]["forms"]["secondFactor"]["error"].as_str().unwrap().contains("stays on"));
        let detail = database.texts("SELECT detail FROM audit WHERE action = 'office.second_factor_required'").await;
        assert_eq!(detail, [r#"{"from":false,"to":true}"#]);

        // An Owner helps a member of staff who has lost theirs.
        let reset = owner.send(&format!("/admin-panel/admins/{}", viewer.staff.id), &[("_action", "reset")]).send().await;
        assert_eq!(reset.status, 303, "{reset:?}");
        viewer.see("/admin-panel/account").send().await.assert_redirect(302, "/admin-panel/login");
        let (answer, cookie) = password(&world, &viewer).await;
        answer.assert_redirect(303, "/admin-panel/work");
        let page = world.visitor().get("/admin-panel/account").header("cookie", &cookie).send().await;
        page.assert_redirect(302, set_up_page);
        rule("no").await.assert_redirect(303, "/admin-panel/admins?done=rule");
        let page = world.visitor().get("/admin-panel/account").header("cookie", &cookie).send().await;
        page.assert_document(200, "adminAccount");
        assert!(world.app.drop_second_factor_of(&owner.staff.email).await.unwrap(), "from the command line");
        assert!(!world.app.drop_second_factor_of(&owner.staff.email).await.unwrap());
    }
}
