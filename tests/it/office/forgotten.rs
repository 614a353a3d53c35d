//! Forgotten passwords of staff.

use std::time::{Duration, Instant};

use matricula::domain::moments::MINUTE;
use matricula::domain::role::Role;
use serde_json::json;

use super::second_factor::{second_step, set_up};
use super::{code, entered, hired, staff_client};
use crate::support::databases::story;
use crate::support::rows::{at_once, entry, mail};
use crate::support::server::{Answer, PASSWORD, START, World};

const ASK: &str = "/admin-panel/forgot-password";
const SET: &str = "/admin-panel/reset-password";
const NEW: &str = "quiet harbour lantern 9";

async fn ask(world: &World, email: &str) -> Answer {
    world.visitor().post(ASK).form(&[("email", email)]).send().await
}

/// The secrets mailed to this address, newest first.
async fn mailed(world: &World, email: &str) -> Vec<String> {
    let mails = world.mails(100).await;
    let secret = |text: &str| {
        let (_, rest) = text.split_once("http://apply.example.org/admin-panel/reset-password?token=")?;
        rest.lines().next().map(str::to_owned)
    };
    mails.iter().filter(|mail| mail.to == email).filter_map(|mail| secret(&mail.text)).collect()
}

async fn set(world: &World, token: &str, password: &str) -> Answer {
    let form = [("token", token), ("password", password), ("passwordRepeat", password)];
    world.visitor().post(SET).form(&form).send().await
}

async fn log_in(world: &World, email: &str, password: &str) -> Answer {
    world.visitor().post("/admin-panel/login").form(&[("email", email), ("password", password)]).send().await
}

story! {
    async fn a_new_password_is_set_once_with_the_newest_link_and_ends_every_session(database: Database) {
        let world = World::start(database.db()).await;
        let viewer = staff_client(&world, Role::Viewer).await;
        let elsewhere = entered(&world, &viewer.staff).await;
        let bystander = staff_client(&world, Role::Viewer).await;
        let email = viewer.staff.email.as_str();
        let page = world.visitor().get("/admin-panel/login").send().await;
        assert!(page.text.contains(ASK), "the login leads to it");
        world.visitor().get(ASK).send().await.assert_document(200, "adminForgotten");
        for _ in 0..2 {
            let asked = ask(&world, &email.to_uppercase()).await.assert_document(200, "adminForgotten");
            assert_eq!(asked["props"]["step"], "asked");
        }
        let links = mailed(&world, email).await;
        assert_eq!(links.len(), 2);
        for _ in 0..3 {
            let page = world.visitor().get(&format!("{SET}?token={}", links[0])).send().await.assert_document(200, "adminForgotten");
            assert_eq!((&page["props"]["step"], &page["props"]["token"]), (&json!("choose"), &json!(links[0])));
        }
        let older = set(&world, &links[1], NEW).await.assert_document(422, "adminForgotten");
        assert!(older["props"]["errors"]["token"].as_str().unwrap().contains("no longer valid"), "{older}");
        let weak = set(&world, &links[0], email).await.assert_document(422, "adminForgotten");
        assert!(weak["props"]["errors"]["password"].is_string(), "{weak}");
        let form = [("token", links[0].as_str()), ("password", NEW), ("passwordRepeat", "other")];
        let different = world.visitor().post(SET).form(&form).send().await.assert_document(422, "adminForgotten");
        assert_eq!(different["props"]["errors"]["passwordRepeat"], "Passwords do not match");
        let done = set(&world, &links[0], NEW).await.assert_document(200, "adminForgotten");
        assert_eq!(done["props"]["step"], "done");
        let again = set(&world, &links[0], NEW).await.assert_document(422, "adminForgotten");
        assert!(again["props"]["errors"]["token"].is_string(), "once");

        for gone in [&viewer, &elsewhere] {
            gone.see("/admin-panel/account").send().await.assert_redirect(302, "/admin-panel/login");
        }
        bystander.see("/admin-panel/account").send().await.assert_document(200, "adminAccount");
        log_in(&world, email, PASSWORD).await.assert_document(401, "adminLogin");
        log_in(&world, email, NEW).await.assert_redirect(303, "/admin-panel/work");
        let mails = world.mails(100).await;
        assert!(mails.iter().any(|mail| mail.to == email && mail.subject == "A new password was set"));
        assert_eq!(database.count("audit WHERE action = 'staff.password_reset'").await, 1);
        let told = database.count(&format!("audit WHERE detail LIKE '%{}%'", links[0])).await;
        assert_eq!(told, 0, "the record has no secret");
    }

    async fn everybody_is_told_the_same_in_the_same_time_and_who_is_suspended_gets_nothing(database: Database) {
        let world = World::start(database.db()).await;
        let (here, gone) = (hired(&world, Role::Reviewer).await, hired(&world, Role::Reviewer).await);
        let owner = staff_client(&world, Role::Owner).await;
        assert_eq!(ask(&world, &gone.email).await.status, 200);
        let link = mailed(&world, &gone.email).await[0].clone();
        let suspended = owner.api("PATCH", &format!("/api/admins/admins/{}", gone.id)).json(&json!({ "suspended": true })).send().await;
        assert_eq!(suspended.status, 200, "{suspended:?}");
        let late = set(&world, &link, NEW).await.assert_document(422, "adminForgotten");
        assert!(late["props"]["errors"]["token"].is_string(), "a link from before does not work either");
        let applicant = world.register().await;
        let mut texts = Vec::new();
        for email in [&here.email, &gone.email, &applicant.email, &"nobody@example.org".to_owned()] {
            let began = Instant::now();
            let body = json!({ "email": email });
            let answer = world.visitor().post("/api/admins/forgot-password").json(&body).send().await;
            assert!(began.elapsed() >= Duration::from_millis(300));
            assert_eq!(answer.status, 200, "{answer:?}");
            texts.push(answer.json()["message"].clone());
        }
        texts.dedup();
        assert_eq!(texts.len(), 1);
        assert_eq!(mailed(&world, &here.email).await.len(), 1);
        assert_eq!((mailed(&world, &gone.email).await.len(), mailed(&world, &applicant.email).await.len()), (1, 0));
        let bad = ask(&world, "no address").await.assert_document(422, "adminForgotten");
        assert_eq!((&bad["props"]["step"], &bad["props"]["values"]["email"]), (&json!("ask"), &json!("no address")));
        // Nobody's mailbox can be flooded by others.
        for _ in 0..6 {
            assert_eq!(ask(&world, &here.email).await.status, 200);
        }
        assert_eq!(mailed(&world, &here.email).await.len(), 5);
    }

    async fn a_link_works_for_thirty_minutes_and_a_changed_password_ends_it(database: Database) {
        let world = World::start(database.db()).await;
        let viewer = staff_client(&world, Role::Viewer).await;
        let email = viewer.staff.email.clone();
        ask(&world, &email).await;
        let first = mailed(&world, &email).await[0].clone();
        let change = json!({ "currentPassword": PASSWORD, "password": "another harbour lantern 7" });
        assert_eq!(viewer.api("POST", "/api/admins/password").json(&change).send().await.status, 204);
        let body = json!({ "token": first, "password": NEW });
        world.visitor().post("/api/admins/reset-password").json(&body).send().await.assert_problem(422, "token.spent");
        ask(&world, &email).await;
        let second = mailed(&world, &email).await[0].clone();
        world.clock.advance(30 * MINUTE);
        let body = json!({ "token": second, "password": NEW });
        world.visitor().post("/api/admins/reset-password").json(&body).send().await.assert_problem(422, "token.spent");
        world.visitor().post("/api/admins/reset-password").json(&json!({ "token": "" })).send().await.assert_problem(422, "token.required");
    }

    async fn the_second_factor_is_asked_for_as_before(database: Database) {
        let world = World::start(database.db()).await;
        let owner = staff_client(&world, Role::Owner).await;
        let (secret, _) = set_up(&world, &owner).await;
        ask(&world, &owner.staff.email).await;
        let link = mailed(&world, &owner.staff.email).await[0].clone();
        assert_eq!(set(&world, &link, NEW).await.status, 200);
        let entered = log_in(&world, &owner.staff.email, NEW).await;
        entered.assert_redirect(303, "/admin-panel/login");
        let cookie = format!("matricula_staff={}", entered.set_cookie("matricula_staff").unwrap());
        let account = world.visitor().get("/admin-panel/account").header("cookie", &cookie).send().await;
        account.assert_redirect(302, "/admin-panel/login");
        world.clock.advance(MINUTE);
        second_step(&world, &cookie, &code(&world, &secret)).await.assert_redirect(303, "/admin-panel/work");
    }

    async fn a_change_and_a_reset_at_once_never_overwrite_each_other(database: Database) {
        let world = World::start(database.db()).await;
        let (viewer, store) = (staff_client(&world, Role::Viewer).await, world.store.clone());
        let id = viewer.staff.id.as_str();
        let mut hash = viewer.staff.password_hash.clone();
        for round in 0..15 {
            store.create_staff_reset(id, "secret", START + MINUTE, &entry(), &mail()).await.unwrap();
            let done = at_once(3, |number| {
                let (store, id, old) = (store.clone(), id.to_owned(), hash.clone());
                let (session, new) = (viewer.session_id.clone(), format!("$new {round} {number}"));
                async move {
                    match number {
                        0 => store.spend_staff_reset("secret", &new, &entry(), &mail()).await.unwrap(),
                        _ => {
                            let hashes = (old.as_str(), new.as_str());
                            store.change_staff_password(&id, hashes, &session, &entry(), &mail()).await.unwrap()
                        }
                    }
                }
            })
            .await;
            assert_eq!(done.iter().filter(|done| **done).count(), 1, "round {round}: {done:?}");
            let winner = done.iter().position(|done| *done).unwrap();
            hash = store.staff_by_id(id).await.unwrap().unwrap().password_hash;
            assert_eq!(hash, format!("$new {round} {winner}"));
        }
    }
}
