//! Password guessing: what stops it, whom that locks out, and who is notified.

use std::time::Duration;

use matricula::domain::moments::{DAY, MINUTE};
use matricula::domain::role::Role;
use serde_json::{Value, json};

use crate::api::account::mails_to;
use crate::api::passwords::mailed_token;
use crate::office::{hired, staff_client};
use crate::support::databases::{Database, story};
use crate::support::rows::at_once;
use crate::support::server::{Answer, Client, PASSWORD, World};

const WRONG: &str = "wrong horse battery staple";
const TOLD: &str = "Someone is trying to log in to your account";

/// Tries a password at `path`; `device` is the cookie of a browser that was used before.
async fn attempt(client: &Client, path: &str, email: &str, password: &str, device: Option<&str>) -> Answer {
    let call = client.post(path).json(&json!({ "email": email, "password": password }));
    match device {
        Some(device) => call.header("cookie", &format!("matricula_device={device}")),
        None => call,
    }
    .send()
    .await
}

async fn log_in(client: &Client, password: &str, device: Option<&str>) -> Answer {
    attempt(client, "/api/users/login", &client.email, password, device).await
}

/// Sends wrong passwords for the account, each from an address without earlier failures.
async fn guess_from_everywhere(client: &Client, network: &str) {
    // Not all at once: on a busy machine, some would wait too long for the database.
    for round in 0..4 {
        let answers = at_once(25, |number| {
            let somewhere = client.at(&format!("{network}.{}", 25 * round + number));
            async move { log_in(&somewhere, WRONG, None).await.code() }
        })
        .await;
        assert!(answers.iter().all(|code| code == "auth.invalid"), "{answers:?}");
    }
}

/// The record's lines about wrong passwords, once there are `count` of them.
async fn recorded(database: &Database, action: &str, count: usize) -> Vec<Value> {
    let sql = format!("SELECT detail FROM audit WHERE action = '{action}' ORDER BY happened_at, id");
    let mut rows = Vec::new();
    for _ in 0..200 {
        rows = database.texts(&sql).await;
        if rows.len() >= count {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(rows.len(), count, "{rows:?}");
    rows.iter().map(|row| serde_json::from_str(row).unwrap()).collect()
}

story! {
    async fn who_guesses_from_everywhere_keeps_no_owner_out(database: Database) {
        let world = World::start(database.db()).await;
        let owner = world.register().await;
        let home = log_in(&owner, PASSWORD, None).await.set_cookie("matricula_device").unwrap();
        guess_from_everywhere(&owner, "203.0.113").await;
        // An unknown browser, and one that is known to another account.
        log_in(&owner, PASSWORD, None).await.assert_problem(429, "auth.throttled");
        let other = world.register().await;
        let others = log_in(&other, PASSWORD, None).await.set_cookie("matricula_device").unwrap();
        log_in(&owner, PASSWORD, Some(&others)).await.assert_problem(429, "auth.throttled");
        // The owner's browser, from any address, and anyone already logged in.
        assert_eq!(log_in(&owner.at("203.0.113.7"), PASSWORD, Some(&home)).await.status, 200);
        let changed = json!({ "currentPassword": PASSWORD, "password": "another horse entirely" });
        assert_eq!(owner.post("/api/users/password").json(&changed).send().await.status, 204);

        // A reset unlocks the account, and makes this browser known.
        owner.post("/api/users/forgot-password").json(&json!({ "email": owner.email })).send().await;
        let reset = json!({ "token": mailed_token(&world, &owner).await, "password": PASSWORD });
        let reset = owner.post("/api/users/reset-password").json(&reset).send().await;
        let new = reset.set_cookie("matricula_device").unwrap();
        guess_from_everywhere(&owner, "203.0.114").await;
        log_in(&owner, PASSWORD, None).await.assert_problem(429, "auth.throttled");
        assert_eq!(log_in(&owner, PASSWORD, Some(&new)).await.status, 200);
    }

    async fn one_place_waits_after_ten_failures_and_others_do_not(database: Database) {
        let world = World::start(database.db()).await;
        let owner = world.register().await;
        let device = log_in(&owner, PASSWORD, None).await.set_cookie("matricula_device").unwrap();
        for device in [None, Some(device.as_str())] {
            for _ in 0..10 {
                log_in(&owner, WRONG, device).await.assert_problem(401, "auth.invalid");
            }
        }
        for device in [None, Some(device.as_str())] {
            let refused = log_in(&owner, PASSWORD, device).await;
            refused.assert_problem(429, "auth.throttled");
            assert!(refused.header("retry-after").parse::<i64>().unwrap() <= 600);
        }
        assert_eq!(log_in(&owner.at("203.0.113.1"), PASSWORD, None).await.status, 200);
        world.clock.advance(10 * MINUTE);
        for device in [None, Some(device.as_str())] {
            assert_eq!(log_in(&owner, PASSWORD, device).await.status, 200);
        }
    }

    async fn failures_are_in_the_record_and_the_owner_is_told_once_a_day(database: Database) {
        let world = World::start(database.db()).await;
        let owner = world.register().await;
        attempt(&owner, "/api/users/login", "nobody@example.org", WRONG, None).await;
        for number in 0..19 {
            log_in(&owner.at(&format!("203.0.113.{number}")), WRONG, None).await;
        }
        let lines = recorded(&database, "applicant.password_wrong", 19).await;
        assert!(lines.contains(&json!({ "address": "203.0.113.18", "knownBrowser": false })), "{lines:?}");
        assert!(mails_to(&world, &owner.email).await.iter().all(|subject| subject != TOLD));
        for number in 19..40 {
            log_in(&owner.at(&format!("203.0.113.{number}")), WRONG, None).await;
        }
        recorded(&database, "applicant.password_wrong", 40).await;
        let told = async || mails_to(&world, &owner.email).await.iter().filter(|subject| *subject == TOLD).count();
        assert_eq!(told().await, 1);
        world.clock.advance(DAY);
        for number in 0..20 {
            log_in(&owner.at(&format!("203.0.114.{number}")), WRONG, None).await;
        }
        recorded(&database, "applicant.password_wrong", 60).await;
        assert_eq!(told().await, 2);
    }

    async fn what_a_role_does_not_include_is_in_the_record(database: Database) {
        let world = World::start(database.db()).await;
        let viewer = staff_client(&world, Role::Viewer).await;
        viewer.api("GET", "/api/admins/admins").send().await.assert_problem(403, "role.forbidden");
        assert_eq!(viewer.see("/admin-panel/settings").send().await.status, 403);
        viewer.api("GET", "/api/admins/applications/nobody").send().await.assert_problem(404, "application.not_found");
        let lines = recorded(&database, "staff.refused", 2).await;
        let refused: Vec<&str> = lines.iter().map(|line| line["refused"].as_str().unwrap()).collect();
        assert_eq!(refused, ["GET /api/admins/admins", "GET /admin-panel/settings"]);
        assert_eq!(lines[0]["address"], viewer.client.address);
        let sql = "SELECT actor FROM audit WHERE action = 'staff.refused'";
        assert_eq!(database.texts(sql).await[0], format!("staff:{}", viewer.staff.id));
    }

    async fn the_office_is_guarded_likewise(database: Database) {
        let world = World::start(database.db()).await;
        let staff = hired(&world, Role::Reviewer).await;
        let log_in = async |from: &Client, password: &str, device: Option<&str>| {
            let call = from.post("/admin-panel/login").form(&[("email", &staff.email), ("password", password)]);
            let device = device.map(|device| format!("matricula_staff_device={device}"));
            call.header("cookie", device.as_deref().unwrap_or("none=none")).send().await
        };
        let visitor = world.visitor();
        let entered = log_in(&visitor, PASSWORD, None).await;
        let device = entered.set_cookie("matricula_staff_device").unwrap();
        for _ in 0..10 {
            assert_eq!(log_in(&visitor, WRONG, None).await.status, 401);
        }
        assert_eq!(log_in(&visitor, PASSWORD, None).await.status, 429);
        assert_eq!(log_in(&visitor, PASSWORD, Some(&device)).await.status, 303);
        for number in 0..90 {
            let answer = log_in(&visitor.at(&format!("203.0.113.{number}")), WRONG, None).await;
            assert_eq!(answer.status, 401);
        }
        let elsewhere = visitor.at("203.0.113.200");
        assert_eq!(log_in(&elsewhere, PASSWORD, None).await.status, 429);
        assert_eq!(log_in(&elsewhere, PASSWORD, Some(&device)).await.status, 303);
        recorded(&database, "staff.password_wrong", 100).await;
        assert_eq!(mails_to(&world, &staff.email).await.iter().filter(|subject| *subject == TOLD).count(), 1);
    }
}
