//! Changing the email address, downloading one's own data and closing an account, over the API.

use std::io::{Cursor, Read};

use matricula::domain::moments::{DAY, HOUR, MINUTE};
use serde_json::{Value, json};

use super::documents;
use crate::support::databases::story;
use crate::support::files::pdf;
use crate::support::server::{Answer, Client, PASSWORD, World, registration};

/// The secret of the newest link mailed to this address.
pub async fn link_to(world: &World, email: &str) -> String {
    let mails = world.mails(500).await;
    let text = mails.into_iter().filter(|mail| mail.to == email).find_map(|mail| {
        let (_, rest) = mail.text.split_once("/confirm-email?token=")?;
        Some(rest.lines().next().unwrap_or_default().to_owned())
    });
    text.expect("a link was mailed")
}

pub async fn mails_to(world: &World, email: &str) -> Vec<String> {
    let mails = world.mails(500).await;
    mails.into_iter().filter(|mail| mail.to == email).map(|mail| mail.subject).collect()
}

async fn ask(client: &Client, email: &str, password: &str) -> Answer {
    let body = json!({ "email": email, "currentPassword": password });
    client.post("/api/users/email-change").json(&body).send().await
}

async fn confirm(client: &Client, token: &str) -> Answer {
    client.post("/api/users/email-change/confirm").json(&json!({ "token": token })).send().await
}

async fn pending(client: &Client) -> Value {
    client.get("/api/users/email-change").send().await.json()["pending"].clone()
}

async fn log_in(client: &Client, email: &str) -> Answer {
    let body = json!({ "email": email, "password": PASSWORD });
    client.post("/api/users/login").json(&body).send().await
}

async fn close(client: &Client, body: Value) -> Answer {
    client.post("/api/users/close-account").json(&body).send().await
}

story! {
    async fn an_email_changes_when_both_addresses_have_confirmed_it(database: Database) {
        let world = World::start(database.db()).await;
        let client = world.register().await;
        let new = "demo.new@example.org";
        assert_eq!(pending(&client).await, Value::Null);
        ask(&client, "nonsense", PASSWORD).await.assert_problem(422, "email.invalid");
        ask(&client, &client.email.to_uppercase(), PASSWORD).await.assert_problem(422, "email.same");
        ask(&client, new, "").await.assert_problem(422, "currentPassword.required");
        ask(&client, new, "not the password").await.assert_problem(422, "currentPassword.wrong");

        let asked = ask(&client, new, PASSWORD).await;
        assert_eq!(asked.status, 202, "{asked:?}");
        let (old_link, new_link) = (link_to(&world, &client.email).await, link_to(&world, new).await);
        assert_ne!(old_link, new_link);
        assert_eq!(pending(&client).await["email"], new);

        assert_eq!(confirm(&world.visitor(), &new_link).await.json()["changed"], false);
        assert_eq!(confirm(&world.visitor(), &new_link).await.json()["changed"], false, "twice is once");
        assert_eq!(pending(&client).await["newConfirmed"], true);
        assert_eq!(log_in(&client, new).await.status, 401);
        assert_eq!(confirm(&world.visitor(), &old_link).await.json()["changed"], true);

        client.get("/api/users/me").send().await.assert_problem(401, "session.revoked");
        assert_eq!(log_in(&client, &client.email).await.status, 401);
        let entered = log_in(&client, new).await;
        assert_eq!((entered.status, entered.json()["user"]["email"].as_str()), (200, Some(new)));
        confirm(&world.visitor(), &old_link).await.assert_problem(422, "token.spent");
        for address in [new, client.email.as_str()] {
            assert_eq!(mails_to(&world, address).await[0], "Your email was changed");
        }
        // The record has each step, and no address.
        let actions = database.texts("SELECT action FROM audit WHERE action LIKE '%email%' ORDER BY happened_at, id").await;
        assert_eq!(actions, [
            "applicant.email_change_requested",
            "applicant.email_change_confirmed_by_new",
            "applicant.email_change_confirmed_by_new",
            "applicant.email_change_confirmed_by_old",
            "applicant.email_changed",
        ]);
        assert!(!database.texts("SELECT detail FROM audit").await.iter().any(|detail| detail.contains('@')));
    }

    async fn only_the_newest_request_counts_and_either_side_stops_it(database: Database) {
        let world = World::start(database.db()).await;
        let client = world.register().await;
        ask(&client, "first@example.org", PASSWORD).await;
        let first = link_to(&world, "first@example.org").await;
        ask(&client, "second@example.org", PASSWORD).await;
        confirm(&client, &first).await.assert_problem(422, "token.spent");

        let second = link_to(&world, "second@example.org").await;
        let resent = client.post("/api/users/email-change/resend").send().await;
        assert_eq!(resent.status, 202);
        confirm(&client, &second).await.assert_problem(422, "token.spent");
        let stop = json!({ "token": link_to(&world, "second@example.org").await });
        assert_eq!(client.post("/api/users/email-change/stop").json(&stop).send().await.status, 204);
        client.post("/api/users/email-change/stop").json(&stop).send().await.assert_problem(422, "token.spent");
        client.post("/api/users/email-change/resend").send().await.assert_problem(404, "email_change.none");
        assert_eq!(mails_to(&world, &client.email).await[0], "The change of your email was canceled");

        ask(&client, "third@example.org", PASSWORD).await;
        assert_eq!(client.call("DELETE", "/api/users/email-change").send().await.status, 204);
        client.call("DELETE", "/api/users/email-change").send().await.assert_problem(404, "email_change.none");

        ask(&client, "fourth@example.org", PASSWORD).await;
        world.clock.advance(24 * HOUR);
        confirm(&client, &link_to(&world, "fourth@example.org").await).await.assert_problem(422, "token.spent");
        // A token from before is too old as well.
        let client = client.log_in().await;
        for _ in 0..5 {
            assert_eq!(ask(&client, "fifth@example.org", PASSWORD).await.status, 202);
        }
        ask(&client, "fifth@example.org", PASSWORD).await.assert_problem(429, "rate_limited");
    }

    async fn nobody_learns_by_a_change_which_addresses_have_an_account(database: Database) {
        let world = World::start(database.db()).await;
        let (client, other) = (world.register().await, world.register().await);
        let free = ask(&client, "free@example.org", PASSWORD).await;
        let taken = ask(&client, &other.email.to_uppercase(), PASSWORD).await;
        assert_eq!((free.status, &free.text), (taken.status, &taken.text));
        assert!(pending(&client).await.is_object());
        // The owner of that address is told, and gets no link.
        assert_eq!(mails_to(&world, &other.email).await, ["Your email was entered for another account"]);
        assert_eq!(other.get("/api/users/messages").send().await.json()["unread"], 1);
        let messages = client.get("/api/users/messages").send().await;
        let subjects: Vec<Value> = messages.json()["messages"].as_array().unwrap().iter().map(|m| m["subject"].clone()).collect();
        assert_eq!(subjects, ["Confirm the change of your email", "Confirm the change of your email"]);
        let read = client.get(&format!("/api/users/messages/{}", messages.json()["messages"][0]["id"].as_str().unwrap()));
        assert!(!read.send().await.text.contains("token="));
    }

    async fn an_address_taken_meanwhile_is_refused_in_neutral_words(database: Database) {
        let world = World::start(database.db()).await;
        let client = world.register().await;
        ask(&client, "demo.new@example.org", PASSWORD).await;
        assert_eq!(confirm(&client, &link_to(&world, &client.email).await).await.status, 200);
        let link = link_to(&world, "demo.new@example.org").await;
        let quicker = world.visitor();
        quicker.post("/api/users/register").json(&registration("demo.new@example.org")).send().await;
        let refused = confirm(&client, &link).await;
        refused.assert_problem(409, "email_change.unusable");
        assert!(!refused.text.contains("account with"), "{refused:?}");
        assert_eq!(pending(&client).await, Value::Null);
        assert_eq!(client.get("/api/users/me").send().await.json()["email"], client.email);
    }

    async fn ones_data_come_as_an_archive(database: Database) {
        let world = World::start(database.db()).await;
        let client = world.submitted().await;
        let (answer, token) = (client.post("/api/users/personal-data").json(&json!({ "currentPassword": PASSWORD })).raw_answer().await, client.token.clone().unwrap());
        assert_eq!(answer.headers()["content-type"], "application/zip");
        assert_eq!(answer.headers()["content-disposition"], "attachment; filename=\"my-data.zip\"");
        assert!(answer.headers().get("content-encoding").is_none());
        let mut archive = zip::ZipArchive::new(Cursor::new(answer.bytes().await.unwrap())).unwrap();
        let mut file = |name: &str| {
            let mut text = String::new();
            archive.by_name(name).unwrap().read_to_string(&mut text).unwrap();
            text
        };
        assert!(file("README.txt").contains("Your data at Matricula Institute"));
        let text = file("data.json");
        assert!(!text.contains(&token) && !text.contains("argon2"));
        let data: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(data["account"]["email"], client.email);
        let application = &data["applications"][0];
        assert_eq!(application["status"], "incomplete/submitted");
        assert_eq!(application["answers"]["financialPlan"]["selectedPayments"], json!(["employer"]));
        assert_eq!(application["submissions"].as_array().unwrap().len(), 1);
        assert_eq!(application["statusChanges"][0]["act"], "submit");
        assert_eq!(data["messages"].as_array().unwrap().len(), 2);
        assert_eq!(data["sessions"][0]["address"], client.address);
        assert!(data["activity"].as_array().unwrap().iter().any(|act| act["what"] == "application.submitted"));

        for _ in 1..10 {
            assert_eq!(client.post("/api/users/personal-data").json(&json!({ "currentPassword": PASSWORD })).raw_answer().await.status(), 200);
        }
        client.post("/api/users/personal-data").json(&json!({ "currentPassword": PASSWORD })).send().await.assert_problem(429, "rate_limited");
        let ask = async |body: Value| client.post("/api/users/personal-data").json(&body).send().await;
        ask(json!({})).await.assert_problem(422, "currentPassword.required");
        ask(json!({ "currentPassword": "wrong horse" })).await.assert_problem(422, "currentPassword.wrong");
        client.without_token().post("/api/users/personal-data").json(&json!({ "currentPassword": PASSWORD })).send().await.assert_problem(401, "auth.required");
    }

    async fn ones_files_are_in_the_archive_as_they_were_sent(database: Database) {
        let world = World::start(database.db()).await;
        let client = documents::applicant(&world).await;
        // More than one chunk, even when compressed.
        let (first, second) = (pdf(300_000), pdf(2_000));
        for content in [&first, &second] {
            assert_eq!(documents::send(&client, "identity", "demo.pdf", content).await.status, 201);
        }
        let answer = client.post("/api/users/personal-data").json(&json!({ "currentPassword": PASSWORD })).raw_answer().await;
        let mut archive = zip::ZipArchive::new(Cursor::new(answer.bytes().await.unwrap())).unwrap();
        let mut file = |name: &str| {
            let mut content = Vec::new();
            archive.by_name(name).unwrap().read_to_end(&mut content).unwrap();
            content
        };
        let data: Value = serde_json::from_slice(&file("data.json")).unwrap();
        assert_eq!(data["passkeys"], json!([]));
        let told = data["documents"].as_array().unwrap();
        let mut kept: Vec<Vec<u8>> = told.iter().map(|each| file(each["file"].as_str().unwrap())).collect();
        kept.sort_by_key(Vec::len);
        assert!(kept == [second, first]);
    }

    async fn a_closed_account_is_gone_and_its_address_free(database: Database) {
        let world = World::start(database.db()).await;
        let client = world.submitted().await;
        let elsewhere = client.log_in().await;
        close(&client, json!({ "currentPassword": PASSWORD })).await.assert_problem(422, "confirm.required");
        close(&client, json!({ "confirm": true })).await.assert_problem(422, "currentPassword.required");
        close(&client, json!({ "currentPassword": "no", "confirm": true })).await.assert_problem(422, "currentPassword.wrong");
        close(&client, json!({ "currentPassword": PASSWORD, "confirm": "yes" })).await.assert_problem(422, "confirm.type");
        let closed = close(&client, json!({ "currentPassword": PASSWORD, "confirm": true })).await;
        assert_eq!((closed.status, closed.set_cookie("matricula_session").as_deref()), (204, Some("")), "{closed:?}");

        for client in [&client, &elsewhere] {
            client.get("/api/users/me").send().await.assert_problem(401, "session.revoked");
        }
        // As if the account had never existed.
        let (gone, never) = (log_in(&client, &client.email).await, log_in(&client, "never@example.org").await);
        gone.assert_problem(401, "auth.invalid");
        assert_eq!(gone.json()["error"], never.json()["error"]);
        assert_eq!(mails_to(&world, &client.email).await, ["Your account is closed"]);
        client.post("/api/users/forgot-password").json(&json!({ "email": client.email })).send().await;
        assert_eq!(mails_to(&world, &client.email).await.len(), 1);

        let owner = client.user["id"].as_str().unwrap();
        let kept = world.store.records(owner).await.unwrap();
        assert_eq!(kept.stage_changes.last().unwrap().act.as_str(), "withdraw");
        let again = client.post("/api/users/register").json(&registration(&client.email)).send().await;
        assert_eq!(again.status, 201, "{again:?}");
        assert_eq!(again.json()["user"]["email"], client.email);

        // Seven years later, any worker runs the job.
        world.clock.advance(7 * 366 * DAY);
        let now = world.app.clock.now();
        let jobs = world.store.claim_jobs(20, now, now + MINUTE).await.unwrap();
        for job in jobs.iter().filter(|job| job.kind == "erase-records") {
            world.app.run_job(job).await.unwrap();
        }
        let kept = world.store.records(owner).await.unwrap();
        assert_eq!(kept.snapshots[0].answers.to_stored(), "{}");
        assert!(world.store.ended_application(owner).await.unwrap().is_some(), "that there was one is still known");
    }

    async fn who_has_taken_an_offer_cannot_close_the_account_here(database: Database) {
        let world = World::start(database.db()).await;
        let client = world.submitted().await;
        for stage in ["accepted/confirmed", "enrolled/enrolled", "deferred/deferred"] {
            let (status, stage) = stage.split_once('/').unwrap();
            database.run(&format!("UPDATE applications SET status = '{status}', stage = '{stage}'")).await.unwrap();
            close(&client, json!({ "currentPassword": PASSWORD, "confirm": true })).await.assert_problem(409, "account.bound");
        }
        assert_eq!(client.get("/api/users/me").send().await.status, 200);
    }
}
