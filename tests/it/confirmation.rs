//! Unconfirmed addresses: what is mailed to them, and what confirms them.

use matricula::domain::moments::{DAY, HOUR, MINUTE};
use matricula::domain::role::Role;
use serde_json::{Value, json};

use crate::api::account::{link_to, mails_to};
use crate::office::staff_client;
use crate::pages::{newly_registered, see};
use crate::support::databases::story;
use crate::support::server::{Answer, Client, PASSWORD, World, complete_answers, registration};

const CONFIRM: &str = "Confirm your email";

async fn post(client: &Client, path: &str, body: Value) -> Answer {
    client.post(&format!("/api/users/{path}")).json(&body).send().await
}

async fn confirm(client: &Client, token: &str) -> Answer {
    post(client, "email-confirmation/confirm", json!({ "token": token })).await
}

async fn start_and_withdraw(client: &Client) {
    let started = post(client, "application/start", json!({ "applicationType": "ba" })).await;
    assert_eq!(started.status, 200, "{started:?}");
    let withdrawn = post(client, "application/withdraw", json!({ "reason": "Demo" })).await;
    assert_eq!(withdrawn.status, 200, "{withdrawn:?}");
}

async fn is_confirmed(client: &Client) -> bool {
    client.get("/api/users/me").send().await.json()["emailConfirmed"].as_bool().unwrap()
}

/// Subjects and delivery states of the messages, newest first.
async fn messages(client: &Client) -> Vec<(String, String)> {
    let list = client.get("/api/users/messages").send().await.json();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let told = |message: &Value| (text(&message["subject"]), text(&message["delivery"]));
    list["messages"].as_array().unwrap().iter().map(told).collect()
}

async fn notice(client: &Client) -> Value {
    see(client, "/dashboard").await.assert_document(200, "dashboard")["props"]["unconfirmed"].clone()
}

story! {
    async fn a_stranger_gets_one_mail_whatever_is_done_with_the_account(database: Database) {
        let world = World::start(database.db()).await;
        let client = world.register_unconfirmed().await;
        assert_eq!(post(&client, "application", complete_answers()).await.status, 200);
        assert_eq!(post(&client, "application/submit", json!({ "declaration": true })).await.status, 200);
        assert_eq!(post(&client, "application/withdraw", json!({ "reason": "Demo" })).await.status, 200);
        let changed = json!({ "currentPassword": PASSWORD, "password": "another horse, a battery" });
        assert_eq!(post(&client, "password", changed).await.status, 204);
        assert_eq!(mails_to(&world, &client.email).await, [CONFIRM]);
        let told = |subject: &str, delivery: &str| (subject.to_owned(), delivery.to_owned());
        assert_eq!(messages(&client).await, [
            told("Your password was changed", "held"),
            told("You have withdrawn your application", "held"),
            told("We have your application", "held"),
            told("Application started", "held"),
            told(CONFIRM, "leaving"),
        ]);
        assert!(!is_confirmed(&client).await);
        let read = client.get("/api/users/messages").send().await.text;
        assert!(!read.contains("token="));

        let closed = json!({ "currentPassword": "another horse, a battery", "confirm": true });
        assert_eq!(post(&client, "close-account", closed).await.status, 204);
        assert_eq!(mails_to(&world, &client.email).await, [""; 0], "what was written goes with the account");
        assert_eq!(database.count("email_confirmations").await, 0);
    }

    async fn a_confirmed_address_gets_what_was_held_back_the_same_words_once(database: Database) {
        let world = World::start(database.db()).await;
        let client = world.register_unconfirmed().await;
        post(&client, "application", complete_answers()).await;
        post(&client, "application/submit", json!({ "declaration": true })).await;
        post(&client, "application/withdraw", json!({ "reason": "Demo" })).await;
        // Each mail has a new link; the first one works for seven days.
        world.clock.advance(6 * DAY);
        let client = client.log_in().await;
        assert_eq!(post(&client, "email-confirmation/resend", json!({})).await.status, 202);
        for _ in 0..3 {
            world.clock.advance(MINUTE);
            start_and_withdraw(&client).await;
        }
        world.clock.advance(2 * DAY);
        let token = link_to(&world, &client.email).await;
        for visitor in [&world.visitor(), &client.log_in().await] {
            assert_eq!(confirm(visitor, &token).await.status, 204, "once more does no harm");
        }
        let client = client.log_in().await;
        assert!(is_confirmed(&client).await);
        assert_eq!(mails_to(&world, &client.email).await, ["You have withdrawn your application", "Application started", CONFIRM, CONFIRM]);
        let delivered = messages(&client).await;
        assert_eq!(delivered.iter().filter(|(_, delivery)| delivery == "held").count(), 7, "{delivered:?}");
        start_and_withdraw(&client).await;
        assert_eq!(mails_to(&world, &client.email).await.len(), 6);
        let confirmed = database.texts("SELECT actor FROM audit WHERE action = 'applicant.email_confirmed'").await;
        assert_eq!(confirmed, ["system"]);
    }

    async fn looking_at_the_link_does_nothing_and_a_button_confirms(database: Database) {
        let world = World::start(database.db()).await;
        let client = newly_registered(&world, "bachelor").await;
        assert_eq!(notice(&client).await, json!({ "email": client.email, "sent": false }));
        let dashboard = see(&client, "/dashboard").await.text;
        assert!(dashboard.contains("Send it again") && dashboard.contains("Wrong address? Change it"));
        let first = link_to(&world, &client.email).await;

        let again = async || {
            client.post("/dashboard").form(&[("_action", "resend-confirmation")]).with_cookie(&client).send().await
        };
        again().await.assert_redirect(303, "/dashboard?done=confirmation-sent");
        let page = see(&client, "/dashboard?done=confirmation-sent").await.assert_document(200, "dashboard");
        assert_eq!(page["props"]["unconfirmed"]["sent"], true);
        let token = link_to(&world, &client.email).await;
        assert_ne!(first, token);

        let visitor = world.visitor();
        let look = async |token: &str| see(&visitor, &format!("/confirm-email?token={token}")).await.assert_document(200, "confirmEmail");
        assert_eq!(look(&first).await["props"]["link"], Value::Null, "only the newest link works");
        let link = json!({ "email": client.email, "side": "own", "confirmed": false, "both": false });
        assert_eq!(look(&token).await["props"]["link"], link);
        assert_ne!(notice(&client).await, Value::Null, "looking does nothing");

        let press = async |client: &Client, token: &str| {
            let call = client.post("/confirm-email").form(&[("_action", "confirm-own"), ("token", token)]);
            call.with_cookie(client).send().await
        };
        press(&client, &first).await.assert_document(422, "confirmEmail");
        let confirmed = press(&client, &token).await;
        assert_eq!(confirmed.assert_document(200, "confirmEmail")["props"]["outcome"], "confirmed");
        assert!(confirmed.text.contains("Your email is confirmed") && confirmed.text.contains("Go to your dashboard"));
        assert_eq!(look(&token).await["props"]["link"]["confirmed"], true);
        assert_eq!(notice(&client).await, Value::Null);
        again().await.assert_redirect(303, "/dashboard?done=confirmation-sent");
        assert_eq!(mails_to(&world, &client.email).await, [CONFIRM, "Application started", CONFIRM], "nothing is asked again");
    }

    async fn a_link_works_for_seven_days(database: Database) {
        let world = World::start(database.db()).await;
        let client = world.register_unconfirmed().await;
        let token = link_to(&world, &client.email).await;
        world.clock.advance(7 * DAY);
        confirm(&world.visitor(), &token).await.assert_problem(422, "token.spent");
        confirm(&world.visitor(), "").await.assert_problem(422, "token.required");
        world.store.sweep(world.app.clock.now()).await.unwrap();
        assert_eq!(database.count("email_confirmations").await, 0);
    }

    async fn whoever_resets_the_password_reads_the_mail(database: Database) {
        let world = World::start(database.db()).await;
        let client = world.register_unconfirmed().await;
        start_and_withdraw(&client).await;
        post(&world.visitor(), "forgot-password", json!({ "email": client.email })).await;
        assert_eq!(mails_to(&world, &client.email).await, ["Reset your password", CONFIRM]);
        let token = crate::api::passwords::mailed_token(&world, &client).await;
        let reset = post(&world.visitor(), "reset-password", json!({ "token": token, "password": PASSWORD })).await;
        assert_eq!(reset.status, 200, "{reset:?}");
        assert!(is_confirmed(&client.log_in().await).await);
        let mails = mails_to(&world, &client.email).await;
        assert_eq!(mails[0], "Your password was changed");
        assert_eq!(mails.len(), 5, "{mails:?}");
    }

    async fn a_mistyped_address_is_changed_without_being_asked(database: Database) {
        let world = World::start(database.db()).await;
        let client = newly_registered(&world, "bachelor").await;
        let first = link_to(&world, &client.email).await;
        let path = "/dashboard/account/email";
        let page = see(&client, path).await;
        assert_eq!(page.assert_document(200, "changeEmail")["props"]["confirmed"], false);
        assert!(page.text.contains("which is not confirmed yet"));
        let new = "demo.right@example.org";
        let ask = [("_action", "ask"), ("email", new), ("currentPassword", PASSWORD)];
        let asked = client.post(path).form(&ask).with_cookie(&client).send().await;
        asked.assert_redirect(303, "/dashboard/account/email?done=asked");
        let page = see(&client, asked.location()).await.assert_document(200, "changeEmail");
        assert_eq!((&page["props"]["pending"]["oldConfirmed"], &page["props"]["pending"]["email"]), (&Value::Null, &json!(new)));
        assert!(page["props"]["message"].as_str().unwrap().starts_with("We have written to the new address."));

        let changed = post(&world.visitor(), "email-change/confirm", json!({ "token": link_to(&world, new).await })).await;
        assert_eq!(changed.json()["changed"], true);
        assert_eq!(mails_to(&world, &client.email).await, [CONFIRM], "the mistyped one hears no more");
        let right = mails_to(&world, new).await;
        assert_eq!(right, ["Your email was changed", "Confirm your new email", "Application started"]);
        let mut entered = client.clone();
        entered.email = new.into();
        assert!(is_confirmed(&entered.log_in().await).await);
        confirm(&world.visitor(), &first).await.assert_problem(422, "token.spent");
    }

    async fn links_are_limited_by_account_and_by_address(database: Database) {
        let world = World::start(database.db()).await;
        let client = world.register_unconfirmed().await;
        for _ in 0..5 {
            assert_eq!(post(&client, "email-confirmation/resend", json!({})).await.status, 202);
        }
        post(&client, "email-confirmation/resend", json!({})).await.assert_problem(429, "rate_limited");
        assert_eq!(mails_to(&world, &client.email).await.len(), 6);
        // Whoever requests them: ten a day to one address.
        let stranger = "demo.stranger@example.org";
        let mut refused = 0;
        for _ in 0..4 {
            let other = world.register_unconfirmed().await;
            for _ in 0..4 {
                let body = json!({ "email": stranger, "currentPassword": PASSWORD });
                refused += u32::from(post(&other, "email-change", body).await.status == 429);
            }
        }
        assert_eq!((mails_to(&world, stranger).await.len(), refused), (10, 6));
        // When nothing is mailed, nothing counts.
        for _ in 0..3 {
            let taken = registration(&client.email.to_uppercase());
            post(&world.visitor(), "register", taken).await.assert_problem(409, "email.taken");
        }
        let counted = format!("SELECT CAST(attempts AS TEXT) FROM throttles WHERE key = 'link-to:{}'", client.email);
        assert_eq!(database.texts(&counted).await, ["6"]);
        // An account can be made all the same, and can request its link the next day.
        let mut late = world.visitor();
        let registered = post(&late, "register", registration(stranger)).await;
        assert_eq!(registered.status, 201);
        assert_eq!(mails_to(&world, stranger).await.len(), 10);
        world.clock.advance(DAY + HOUR);
        late.email = stranger.into();
        let late = late.log_in().await;
        assert_eq!(post(&late, "email-confirmation/resend", json!({})).await.status, 202);
        assert_eq!(mails_to(&world, stranger).await[0], CONFIRM);
    }

    async fn very_many_mails_are_held_back_and_those_about_access_are_not(database: Database) {
        let world = World::start(database.db()).await;
        let client = world.register().await;
        for _ in 0..26 {
            start_and_withdraw(&client).await;
        }
        assert_eq!(mails_to(&world, &client.email).await.len(), 50);
        assert_eq!(messages(&client).await[1].1, "held");
        let changed = json!({ "currentPassword": PASSWORD, "password": "another horse, a battery" });
        assert_eq!(post(&client, "password", changed).await.status, 204);
        assert_eq!(mails_to(&world, &client.email).await[0], "Your password was changed");
        world.clock.advance(DAY + 1);
        let body = json!({ "email": client.email, "password": "another horse, a battery" });
        let entered = post(&client.without_token(), "login", body).await.json();
        start_and_withdraw(&client.with_token(entered["token"].as_str().unwrap())).await;
        assert_eq!(mails_to(&world, &client.email).await.len(), 53);
    }

    async fn the_office_sees_that_an_address_is_not_confirmed(database: Database) {
        let world = World::start(database.db()).await;
        let client = world.register_unconfirmed().await;
        post(&client, "application", complete_answers()).await;
        post(&client, "application/submit", json!({ "declaration": true })).await;
        let id = client.get("/api/users/application").send().await.json()["id"].as_str().unwrap().to_owned();
        let reviewer = staff_client(&world, Role::Reviewer).await;
        let about = format!("/api/admins/applications/{id}");
        let told = async |path: &str| reviewer.api("GET", &format!("{about}{path}")).send().await.json();
        assert_eq!(told("").await["applicant"]["emailConfirmed"], false);
        let message = json!({ "text": "Demo words." });
        assert_eq!(reviewer.api("POST", &format!("{about}/conversation")).json(&message).send().await.status, 201);
        assert_eq!(mails_to(&world, &client.email).await, [CONFIRM]);
        let mail = told("/mails").await["mails"][0].clone();
        assert_eq!((&mail["subject"], &mail["state"]), (&json!("There is a message for you"), &json!("held")));
        let resend = format!("{about}/mails/{}/resend", mail["id"].as_str().unwrap());
        reviewer.api("POST", &resend).send().await.assert_problem(409, "applicant.unconfirmed");

        let page = reviewer.see(&format!("/admin-panel/applications/{id}")).send().await;
        assert!(page.text.contains(&format!("{} (not confirmed)", client.email)));
        let page = reviewer.see(&format!("/admin-panel/applications/{id}/emails")).send().await;
        let props = page.assert_document(200, "adminEmails")["props"].clone();
        assert_eq!((&props["confirmed"], &props["mails"][0]["state"], &props["mails"][0]["mayResend"]), (&json!(false), &json!("held"), &json!(false)));

        let token = link_to(&world, &client.email).await;
        assert_eq!(confirm(&world.visitor(), &token).await.status, 204);
        assert_eq!(told("").await["applicant"]["emailConfirmed"], true);
        assert_eq!(mails_to(&world, &client.email).await, ["There is a message for you", "We have your application", "Application started", CONFIRM]);
    }

    async fn names_hold_no_addresses_of_pages(database: Database) {
        let world = World::start(database.db()).await;
        let visitor = world.visitor();
        for name in ["account is locked: https://evil.example/x", "www.evil", "evil.example", "t.me/evil"] {
            let mut body = registration(&visitor.email);
            body["firstName"] = name.into();
            let refused = post(&visitor, "register", body).await;
            refused.assert_problem(422, "firstName.address");
            let sentence = "First name cannot contain a web address. Put a space after each period, as in St. John.";
            assert_eq!(refused.json()["fields"], json!({ "firstName": sentence }));
        }
        let client = world.register().await;
        let change = async |body: Value| client.call("PATCH", "/api/users/profile").json(&body).send().await;
        change(json!({ "lastName": "evil.example" })).await.assert_problem(422, "lastName.address");
        assert_eq!(change(json!({ "firstName": "J. R.", "lastName": "St. John Jr." })).await.status, 200);
        let owner = staff_client(&world, Role::Owner).await;
        let own = owner.api("PATCH", "/api/admins/me").json(&json!({ "name": "evil.example" })).send().await;
        own.assert_problem(422, "name.address");
    }
}
