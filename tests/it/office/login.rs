//! Logging in to the office, and how long a session lasts.

use matricula::domain::moments::{HOUR, MINUTE};
use matricula::domain::role::Role;
use serde_json::json;

use super::{entered, hired, staff_client};
use crate::support::databases::story;
use crate::support::server::{PASSWORD, World};

story! {
    async fn staff_log_in_by_a_form_and_come_to_what_they_wanted(database: Database) {
        let world = World::start(database.db()).await;
        let staff = hired(&world, Role::Owner).await;
        let visitor = world.visitor();
        let asked = visitor.get("/admin-panel/admins?done=rule").send().await;
        asked.assert_redirect(302, "/admin-panel/login");
        let wanted = asked.set_cookie("office_wanted").unwrap();
        let log_in = async |password: &str| {
            let form = [("email", staff.email.as_str()), ("password", password)];
            let call = visitor.post("/admin-panel/login").form(&form);
            call.header("cookie", &format!("office_wanted={wanted}")).send().await
        };
        let page = log_in("wrong password").await.assert_document(401, "adminLogin");
        assert_eq!(page["props"]["error"], "Email or password is incorrect.");
        assert_eq!(page["props"]["values"], json!({ "email": staff.email }));
        let entered = log_in(PASSWORD).await;
        entered.assert_redirect(303, "/admin-panel/admins?done=rule");
        assert_eq!(entered.set_cookie("office_wanted").as_deref(), Some(""));
        let cookie = entered.headers.get_all("set-cookie").iter().next().unwrap().to_str().unwrap().to_owned();
        assert!(cookie.ends_with("; Path=/admin-panel; HttpOnly; SameSite=Strict"), "{cookie}");

        let secret = entered.set_cookie("matricula_staff").unwrap();
        let cookie = format!("matricula_staff={secret}");
        let see = async |path: &str| visitor.get(path).header("cookie", &cookie).send().await;
        see("/admin-panel").await.assert_redirect(302, "/admin-panel/work");
        see("/admin-panel/login").await.assert_redirect(302, "/admin-panel/work");
        let page = see("/admin-panel/account").await.assert_document(200, "adminAccount");
        assert_eq!((page["shared"]["office"]["email"].as_str(), page["shared"]["viewer"].as_str()), (Some(staff.email.as_str()), None));
        see("/admin-panel/nowhere").await.assert_document(404, "adminProblem");
        let posted = visitor.post("/admin-panel/admins/1/2").form(&[]).header("cookie", &cookie).send().await;
        posted.assert_document(404, "adminProblem");
        // A staff session is not valid for applicants, and the other way round.
        let crossed = visitor.get("/dashboard").header("cookie", &format!("matricula_session={secret}")).send().await;
        assert_eq!(crossed.status, 302);
        let applicant = world.register().await;
        let crossed = format!("matricula_staff={}", applicant.cookie.as_deref().unwrap());
        visitor.get("/admin-panel/account").header("cookie", &crossed).send().await.assert_redirect(302, "/admin-panel/login");
        let applicants_page = visitor.get("/bachelor/apply").header("cookie", &cookie).send().await;
        assert!(!applicants_page.text.contains(&staff.email), "an applicant's page says nothing of staff");

        let elsewhere = visitor.post("/admin-panel/logout").raw("application/x-www-form-urlencoded", "");
        let elsewhere = elsewhere.header("sec-fetch-site", "cross-site").header("cookie", &cookie).send().await;
        assert_eq!(elsewhere.status, 403);
        see("/admin-panel/account").await.assert_document(200, "adminAccount");
        let left = visitor.post("/admin-panel/logout").form(&[]).header("cookie", &cookie).send().await;
        left.assert_redirect(303, "/admin-panel/login");
        see("/admin-panel/account").await.assert_redirect(302, "/admin-panel/login");
    }

    async fn a_session_is_idle_after_fifteen_minutes_and_over_after_twelve_hours(database: Database) {
        let world = World::start(database.db()).await;
        let owner = staff_client(&world, Role::Owner).await;
        for _ in 0..3 {
            world.clock.advance(14 * MINUTE);
            assert_eq!(owner.see("/admin-panel/account").send().await.status, 200);
        }
        world.clock.advance(15 * MINUTE);
        owner.see("/admin-panel/account").send().await.assert_redirect(302, "/admin-panel/step-up?next=%2Fadmin-panel%2Faccount");
        let page = owner.see("/admin-panel/step-up?next=%2Fadmin-panel%2Faccount").send().await.assert_document(200, "adminStepUp");
        assert_eq!((page["props"]["idle"].as_bool(), page["shared"]["office"]["menu"].as_array().map(Vec::len)), (Some(true), Some(0)));
        let go_on = async |password: &str| {
            owner.send("/admin-panel/step-up", &[("_to", "/admin-panel/account"), ("password", password)]).send().await
        };
        go_on("wrong password").await.assert_document(422, "adminStepUp");
        go_on(PASSWORD).await.assert_redirect(303, "/admin-panel/account");
        assert_eq!(owner.see("/admin-panel/account").send().await.status, 200);
        for _ in 0..60 {
            world.clock.advance(12 * MINUTE);
            owner.see("/admin-panel/account").send().await;
        }
        owner.see("/admin-panel/account").send().await.assert_redirect(302, "/admin-panel/login");
        go_on(PASSWORD).await.assert_redirect(303, "/admin-panel/login");
    }

    async fn a_token_comes_from_the_cookie_and_for_our_own_pages_only(database: Database) {
        let world = World::start(database.db()).await;
        let owner = staff_client(&world, Role::Owner).await;
        let renewed = owner.send("/admin-panel/token", &[]).send().await;
        let token = renewed.json()["token"].as_str().unwrap().to_owned();
        let me = owner.client.with_token(&token).get("/api/admins/me").send().await.json();
        assert_eq!((me["email"].as_str(), me["role"].as_str()), (Some(owner.staff.email.as_str()), Some("owner")));
        assert!(me["permissions"].as_array().unwrap().contains(&json!("staff.manage")));
        owner.client.with_token(&token).get("/api/users/me").send().await.assert_problem(401, "token.audience");
        let elsewhere = owner.client.without_token().post("/admin-panel/token").raw("application/x-www-form-urlencoded", "");
        let elsewhere = elsewhere.header("sec-fetch-site", "cross-site").header("cookie", &owner.cookies()).send().await;
        assert_eq!(elsewhere.status, 403);
        let nobody = world.visitor().post("/admin-panel/token").form(&[]).send().await;
        assert_eq!((nobody.status, nobody.code()), (401, "auth.required".into()));
        world.clock.advance(15 * MINUTE);
        let idle = owner.send("/admin-panel/token", &[]).send().await;
        assert_eq!((idle.status, idle.code()), (401, "auth.step_up".into()));
        // The token, a minute from its end, can still wake the session.
        owner.api("GET", "/api/admins/me").send().await.assert_problem(401, "auth.step_up");
        owner.api("POST", "/api/admins/step-up").json(&json!({ "password": "nope" })).send().await.assert_problem(422, "password.wrong");
        assert_eq!(owner.api("POST", "/api/admins/step-up").json(&json!({ "password": PASSWORD })).send().await.status, 204);
        assert_eq!(owner.api("GET", "/api/admins/me").send().await.status, 200);
        world.clock.advance(2 * MINUTE);
        owner.api("GET", "/api/admins/me").send().await.assert_problem(401, "token.expired");
    }

    async fn programs_log_in_over_the_api(database: Database) {
        let world = World::start(database.db()).await;
        let staff = hired(&world, Role::Reviewer).await;
        let visitor = world.visitor();
        let log_in = async |email: &str, password: &str| {
            visitor.post("/api/admins/login").json(&json!({ "email": email, "password": password })).send().await
        };
        let wrong = log_in(&staff.email, "wrong password").await;
        wrong.assert_problem(401, "auth.invalid");
        log_in("nobody@example.org", PASSWORD).await.assert_problem(401, "auth.invalid");
        let entered = log_in(&staff.email, PASSWORD).await;
        assert_eq!((entered.status, entered.set_cookie("matricula_staff")), (200, None));
        let client = visitor.with_token(entered.json()["token"].as_str().unwrap());
        assert_eq!(entered.json()["admin"]["role"], "reviewer");
        assert_eq!(client.get("/api/admins/sessions").send().await.json()["sessions"].as_array().unwrap().len(), 1);
        assert_eq!(client.post("/api/admins/logout").json(&json!({})).send().await.status, 204);
        client.get("/api/admins/me").send().await.assert_problem(401, "session.revoked");
        // From one address, across all accounts.
        for number in 0..48 {
            log_in(&format!("nobody-{number}@example.org"), "x").await;
        }
        log_in(&staff.email, PASSWORD).await.assert_problem(429, "auth.throttled");
    }

    async fn a_changed_password_ends_every_other_session(database: Database) {
        let world = World::start(database.db()).await;
        let one = staff_client(&world, Role::Viewer).await;
        let two = entered(&world, &one.staff).await;
        let change = async |current: &str, new: &str| {
            one.api("POST", "/api/admins/password").json(&json!({ "currentPassword": current, "password": new })).send().await
        };
        change("wrong", "another phrase of words").await.assert_problem(422, "currentPassword.wrong");
        change(PASSWORD, "short").await.assert_problem(422, "password.too_short");
        let own_name = format!("{} at work", one.staff.name);
        change(PASSWORD, &own_name).await.assert_problem(422, "password.context");
        assert_eq!(change(PASSWORD, "another phrase of words").await.status, 204);
        two.api("GET", "/api/admins/me").send().await.assert_problem(401, "session.revoked");
        two.see("/admin-panel/account").send().await.assert_redirect(302, "/admin-panel/login");
        assert_eq!(one.api("GET", "/api/admins/me").send().await.status, 200);
        let mails = world.mails(5).await;
        assert_eq!((mails[0].to.as_str(), mails[0].subject.as_str()), (one.staff.email.as_str(), "Your password was changed"));
        let acts = database.texts("SELECT action FROM audit WHERE action LIKE 'staff.password%' AND action <> 'staff.password_wrong'").await;
        assert_eq!(acts, ["staff.password_changed"]);
        world.clock.advance(HOUR);
    }
}
