//! Prospects: they leave their address, confirm it by mail, are told of the next intake, and end it with one click.

use std::io::{Cursor, Read};

use matricula::domain::moments::{DAY, HOUR, Millis};
use matricula::domain::program::Program;
use matricula::domain::role::Role;
use serde_json::{Value, json};

use crate::api::account::mails_to;
use crate::decisions::advance;
use crate::office::{hired, staff_client};
use crate::pages::see;
use crate::pdf::{text_of, tool};
use crate::support::databases::{Database, story};
use crate::support::server::{Answer, Client, PASSWORD, World, registration};

const FORM: &str = "/bachelor/inquire";
const CONFIRM: &str = "/inquiries/confirm";
const UNSUBSCRIBE: &str = "/unsubscribe";
const CALL: &str = "/api/users/inquiries";
const SPANISH: &str = "language=es";
/// About 24 months.
const RETENTION: Millis = 731 * DAY;

/// What the form sends; `wants` are the wishes that are ticked.
fn fields<'a>(email: &'a str, wants: &[&'static str]) -> Vec<(&'static str, &'a str)> {
    let mut fields = vec![("email", email), ("firstName", "Demo"), ("consent", "yes")];
    fields.extend(wants.iter().map(|want| (*want, "yes")));
    fields
}

async fn inquire(client: &Client, wants: &[&'static str]) -> Answer {
    client.post(FORM).form(&fields(&client.email, wants)).send().await
}

/// The secret of the newest link to `path` mailed to this address.
pub async fn secret_in(world: &World, email: &str, path: &str) -> String {
    let mails = world.mails(500).await;
    let link = format!("{path}?token=");
    let found = mails.into_iter().filter(|mail| mail.to == email).find_map(|mail| {
        let (_, rest) = mail.text.split_once(&link)?;
        Some(rest.split_whitespace().next().unwrap_or_default().to_owned())
    });
    found.unwrap_or_else(|| panic!("no link to {path} was mailed to {email}"))
}

async fn press(client: &Client, path: &str, token: &str) -> Answer {
    client.post(path).form(&[("token", token)]).send().await
}

/// A prospect who has confirmed their address.
pub async fn prospect(world: &World, wants: &[&'static str]) -> Client {
    let client = world.visitor();
    inquire(&client, wants).await.assert_redirect(303, &format!("{FORM}?sent=1"));
    confirm(world, &client).await;
    client
}

async fn confirm(world: &World, client: &Client) {
    let token = secret_in(world, &client.email, CONFIRM).await;
    let confirmed = press(client, CONFIRM, &token).await;
    assert!(matches!(confirmed.status, 200 | 303), "{confirmed:?}");
}

async fn confirmed(database: &Database) -> Vec<String> {
    database.texts("SELECT email FROM prospects WHERE confirmed_at IS NOT NULL ORDER BY email").await
}

async fn subjects(world: &World, client: &Client) -> Vec<String> {
    mails_to(world, &client.email).await
}

/// How often somebody was told of an intake.
async fn told(database: &Database, client: &Client) -> i64 {
    database.count(&format!("outbox WHERE template = 'openings' AND recipient = '{}'", client.email)).await
}

/// A world with its recurring jobs.
pub async fn working(database: &Database) -> World {
    let world = World::start(database.db()).await;
    world.app.plan_recurring().await.unwrap();
    world
}

/// Everything in the database that contains the word: table and column.
pub async fn mentions(world: &World, database: &Database, word: &str) -> Vec<String> {
    let mut found = Vec::new();
    for column in crate::erasure::columns(world, database).await {
        let (table, name) = column.split_once('.').unwrap();
        if database.count(&format!("{table} WHERE LOWER({name}) LIKE '%{word}%'")).await > 0 {
            found.push(column);
        }
    }
    found
}

story! {
    async fn a_prospect_is_confirmed_by_a_button_and_never_by_opening_the_link(database: Database) {
        let world = World::start(database.db()).await;
        let client = world.visitor();
        let landing = see(&client, "/bachelor/apply").await;
        for expected in ["Not ready to apply yet?", "action=\"/bachelor/inquire\"", "name=\"openings\"", "name=\"brochure\"", "name=\"consent\""] {
            assert!(landing.text.contains(expected), "{expected}");
        }
        let sent = inquire(&client, &["openings", "brochure"]).await;
        sent.assert_redirect(303, "/bachelor/inquire?sent=1");
        let told = see(&client, sent.location()).await;
        told.assert_document(200, "inquire");
        assert!(told.text.contains("Check your email") && !told.text.contains(&client.email), "{told:?}");
        assert_eq!(subjects(&world, &client).await.len(), 1, "nothing else is mailed before it is confirmed");

        // A scanner opens every link in a mail, and looks at it in every way that it knows.
        let token = secret_in(&world, &client.email, CONFIRM).await;
        let link = format!("{CONFIRM}?token={token}");
        let scanner = world.visitor();
        for method in ["GET", "HEAD", "GET"] {
            let looked = scanner.call(method, &link).header("sec-fetch-site", "cross-site").send().await;
            assert_eq!(looked.status, 200, "{method} {looked:?}");
            assert_eq!(looked.header("cache-control"), "no-store");
        }
        let page = see(&scanner, &link).await;
        page.assert_document(200, "confirmInquiry");
        assert!(page.text.contains(&client.email) && page.text.contains("<button"), "{page:?}");
        assert_eq!(confirmed(&database).await, [""; 0]);
        let elsewhere = scanner.post(CONFIRM).raw("application/x-www-form-urlencoded", format!("token={token}"));
        elsewhere.header("sec-fetch-site", "cross-site").send().await.assert_document(403, "problem");
        assert_eq!(confirmed(&database).await, [""; 0], "no other site can press the button");
        assert_eq!(subjects(&world, &client).await.len(), 1);

        confirm(&world, &client).await;
        assert_eq!(confirmed(&database).await, [client.email.as_str()]);
        let mails = world.mails(10).await;
        let brochure = &mails[0];
        assert!(brochure.to == client.email && brochure.text.contains("http://apply.example.org/bachelor/brochure.pdf"), "{brochure:?}");
        assert!(brochure.text.contains(UNSUBSCRIBE) && brochure.html.contains(UNSUBSCRIBE), "{brochure:?}");
        // Pressing it again, or looking at the page again, mails nothing more.
        press(&client, CONFIRM, &token).await;
        see(&client, &link).await;
        assert_eq!(subjects(&world, &client).await.len(), 2);
        let acts = database.texts("SELECT action FROM audit WHERE subject LIKE 'prospect:%' ORDER BY happened_at, id").await;
        assert!(!acts.is_empty(), "the record says so");
        let words = database.texts("SELECT actor || subject || detail FROM audit").await;
        assert!(words.iter().all(|words| !words.contains('@')), "and has no address: {words:?}");
    }

    async fn a_link_works_for_seven_days_and_only_the_newest_one(database: Database) {
        let world = World::start(database.db()).await;
        let client = world.visitor();
        inquire(&client, &["openings"]).await;
        let first = secret_in(&world, &client.email, CONFIRM).await;
        world.clock.advance(HOUR);
        inquire(&client, &["brochure"]).await;
        let second = secret_in(&world, &client.email, CONFIRM).await;
        assert_ne!(first, second);
        for spent in [first.as_str(), "", "nonsense", &"x".repeat(2_000)] {
            let refused = press(&client, CONFIRM, spent).await;
            assert!((400..500).contains(&refused.status), "{refused:?}");
            let looked = see(&client, &format!("{CONFIRM}?token={spent}")).await;
            assert!(looked.status < 500 && !looked.text.contains(&client.email), "{looked:?}");
        }
        assert_eq!(confirmed(&database).await, [""; 0]);
        world.clock.advance(7 * DAY - 1);
        confirm(&world, &client).await;
        // What was asked last counts.
        let wants = database.texts("SELECT wants_openings || '-' || wants_brochure FROM prospects").await;
        assert_eq!(wants, ["0-1"]);

        let late = world.visitor();
        inquire(&late, &["openings"]).await;
        let token = secret_in(&world, &late.email, CONFIRM).await;
        world.clock.advance(7 * DAY);
        assert!((400..500).contains(&press(&late, CONFIRM, &token).await.status));
        assert_eq!(confirmed(&database).await, [client.email.as_str()]);
    }

    async fn the_answer_is_the_same_for_every_address(database: Database) {
        let world = World::start(database.db()).await;
        let (known, applicant) = (prospect(&world, &["openings"]).await, world.register().await);
        let waiting = world.visitor();
        inquire(&waiting, &["openings"]).await;
        let mut forms = Vec::new();
        let mut calls = Vec::new();
        for email in ["nobody@example.org", &known.email.to_uppercase(), &applicant.email, &waiting.email] {
            let visitor = world.visitor();
            let form = visitor.post(FORM).form(&fields(email, &["brochure"])).send().await;
            forms.push((form.status, form.location().to_owned(), form.text.clone()));
            let body = json!({ "email": email, "applicationType": "msc", "openings": true, "brochure": false, "consent": true });
            let call = world.visitor().post(CALL).json(&body).send().await;
            calls.push((call.status, call.text.clone()));
        }
        assert_eq!((forms[0].0, forms[0].1.as_str()), (303, "/bachelor/inquire?sent=1"));
        assert_eq!(calls[0].0, 202);
        assert!(serde_json::from_str::<Value>(&calls[0].1).unwrap()["message"].as_str().unwrap().contains("email"));
        assert!(forms.iter().all(|form| *form == forms[0]), "{forms:?}");
        assert!(calls.iter().all(|call| *call == calls[0]), "{calls:?}");
        // An address is one prospect, however it is written and however often it asks.
        assert_eq!(database.count("prospects").await, 4);
        assert_eq!(confirmed(&database).await, [known.email.as_str()], "nobody is confirmed by asking");
    }

    async fn what_is_wrong_is_told_beside_its_field_and_nothing_typed_is_lost(database: Database) {
        let world = World::start(database.db()).await;
        let client = world.visitor();
        let page = see(&client, FORM).await;
        page.assert_document(200, "inquire");
        assert!(page.text.contains("action=\"/bachelor/inquire\"") && page.text.contains("<button"), "{page:?}");
        let long = "n".repeat(300);
        for (sent, wrong) in [
            (vec![("email", "nobody"), ("firstName", "Zoë"), ("openings", "yes"), ("consent", "yes")], "email"),
            (vec![("firstName", "Zoë"), ("openings", "yes"), ("consent", "yes")], "email"),
            (vec![("email", "zoe@example.org"), ("firstName", "Zoë"), ("openings", "yes")], "consent"),
            (vec![("email", "zoe@example.org"), ("firstName", "Zoë"), ("consent", "yes")], "openings"),
            (vec![("email", "zoe@example.org"), ("firstName", "evil.example"), ("brochure", "yes"), ("consent", "yes")], "firstName"),
            (vec![("email", "zoe@example.org"), ("firstName", long.as_str()), ("brochure", "yes"), ("consent", "yes")], "firstName"),
        ] {
            let answer = client.post(FORM).form(&sent).send().await;
            let page = answer.assert_document(422, "inquire");
            assert!(page["props"]["form"]["errors"][wrong].is_string(), "{wrong}: {page}");
            for (name, value) in &sent {
                assert_eq!(page["props"]["form"]["values"][name], *value, "{wrong}: {page}");
            }
            assert!(answer.text.contains(r#"aria-invalid="true""#), "{wrong}");
        }
        for (body, code) in [
            (json!({ "applicationType": "ba", "openings": true, "brochure": false, "consent": true }), "email.required"),
            (json!({ "email": client.email, "openings": true, "brochure": false, "consent": true }), "applicationType.required"),
            (json!({ "email": client.email, "applicationType": "ba", "openings": true, "brochure": false, "consent": false }), "consent.required"),
            (json!({ "email": client.email, "applicationType": "ba", "openings": false, "brochure": false, "consent": true }), "openings.required"),
            (json!({ "email": client.email, "applicationType": "ba", "openings": "yes", "brochure": false, "consent": true }), "openings.type"),
        ] {
            client.post(CALL).json(&body).send().await.assert_problem(422, code);
        }
        see(&client, "/bachelors/inquire").await.assert_document(404, "problem");
        assert_eq!((database.count("prospects").await, world.mails(10).await.len()), (0, 0));
    }

    async fn nobodys_mailbox_is_flooded_and_nobody_asks_without_end(database: Database) {
        let world = World::start(database.db()).await;
        let victim = "victim@example.org";
        for _ in 0..15 {
            // Each from somewhere else: they all get the same answer.
            let answer = world.visitor().post(FORM).form(&fields(victim, &["openings"])).send().await;
            answer.assert_redirect(303, "/bachelor/inquire?sent=1");
            let answer = world.visitor().post("/masters/inquire").form(&fields(victim, &["openings"])).send().await;
            answer.assert_redirect(303, "/masters/inquire?sent=1");
        }
        let mailed = mails_to(&world, victim).await.len();
        assert!((1..=5).contains(&mailed), "{mailed}");
        world.clock.advance(DAY + 1);
        world.visitor().post(FORM).form(&fields(victim, &["openings"])).send().await;
        assert_eq!(mails_to(&world, victim).await.len(), mailed + 1, "the next day they can be asked again");

        let caller = world.visitor();
        let mut allowed = 0;
        let refused = loop {
            let email = format!("somebody-{allowed}@example.org");
            let answer = caller.post(FORM).form(&fields(&email, &["openings"])).send().await;
            if answer.status != 303 {
                break answer;
            }
            allowed += 1;
            assert!(allowed < 100, "nobody stops it");
        };
        assert!(allowed >= 5, "a family asks from one address: {allowed}");
        assert_eq!(refused.assert_document(429, "inquire")["props"]["form"]["values"]["email"], format!("somebody-{allowed}@example.org"));
        let body = json!({ "email": "one-more@example.org", "applicationType": "ba", "openings": true, "brochure": false, "consent": true });
        let call = caller.post(CALL).json(&body).send().await;
        call.assert_problem(429, "rate_limited");
        assert!(call.header("retry-after").parse::<i64>().unwrap() > 0);
        assert_eq!(world.visitor().post(CALL).json(&body).send().await.status, 202, "others can");
        // Typing errors do not count.
        let typist = world.visitor();
        for _ in 0..allowed + 5 {
            typist.post(FORM).form(&fields("nobody", &["openings"])).send().await.assert_document(422, "inquire");
        }
        inquire(&typist, &["openings"]).await.assert_redirect(303, "/bachelor/inquire?sent=1");
    }

    async fn one_click_unsubscribes_from_another_origin_without_cookies(database: Database) {
        let world = World::start(database.db()).await;
        let (client, other) = (prospect(&world, &["openings", "brochure"]).await, prospect(&world, &["brochure"]).await);
        let token = secret_in(&world, &client.email, UNSUBSCRIBE).await;
        // What a mail program reads in the header is what the mail says.
        let header = database.texts(&format!("SELECT unsubscribe_url FROM outbox WHERE recipient = '{}' AND unsubscribe_url IS NOT NULL", client.email)).await;
        assert_eq!(header, [format!("http://apply.example.org/unsubscribe?token={token}")]);
        let link = format!("{UNSUBSCRIBE}?token={token}");
        for method in ["GET", "HEAD", "GET"] {
            assert_eq!(world.visitor().call(method, &link).send().await.status, 200, "{method}");
        }
        let page = see(&world.visitor(), &link).await;
        page.assert_document(200, "unsubscribe");
        assert!(page.text.contains("<button") && page.text.contains(&client.email), "{page:?}");
        assert_eq!(confirmed(&database).await.len(), 2, "looking does nothing");

        let click = async |path: &str| {
            let call = world.visitor().post(path).raw("application/x-www-form-urlencoded", "List-Unsubscribe=One-Click");
            call.header("origin", "https://mail.example").header("sec-fetch-site", "cross-site").send().await
        };
        // The page of another site, which knows the address, does not send what mail programs send.
        let page = world.visitor().post(&link).raw("application/x-www-form-urlencoded", format!("token={token}"));
        page.header("origin", "https://elsewhere.example").header("sec-fetch-site", "cross-site").send().await.assert_document(403, "problem");
        assert_eq!(confirmed(&database).await.len(), 2);
        let clicked = click(&link).await;
        assert_eq!(clicked.status, 200, "{clicked:?}");
        assert_eq!(clicked.set_cookie("matricula_session"), None);
        assert_eq!(confirmed(&database).await, [other.email.as_str()]);
        assert_eq!(database.count("prospects").await, 1);
        // Mail programs repeat themselves, and whoever makes secrets up learns nothing.
        let (again, made_up) = (click(&link).await, click(&format!("{UNSUBSCRIBE}?token=made-up")).await);
        assert_eq!((again.status, made_up.status), (200, 200));
        assert_eq!(click(UNSUBSCRIBE).await.status, 200);
        assert_eq!(confirmed(&database).await, [other.email.as_str()]);
        // Servers of mail providers say nothing of where they come from, and may send the other encoding of forms.
        let token = secret_in(&world, &other.email, UNSUBSCRIBE).await;
        let parts = "--demo\r\nContent-Disposition: form-data; name=\"List-Unsubscribe\"\r\n\r\nOne-Click\r\n--demo--\r\n";
        let call = world.visitor().post(&format!("{UNSUBSCRIBE}?token={token}")).raw("multipart/form-data; boundary=demo", parts);
        assert_eq!(call.send().await.status, 200);
        assert_eq!(database.count("prospects").await, 0);
        // Only this one form may be sent from elsewhere.
        for path in [FORM, CONFIRM, "/auth/login", "/language"] {
            assert_eq!(click(path).await.status, 403, "{path}");
        }
    }

    async fn a_button_unsubscribes_and_somebody_may_ask_again(database: Database) {
        let world = World::start(database.db()).await;
        let client = prospect(&world, &["brochure"]).await;
        let token = secret_in(&world, &client.email, UNSUBSCRIBE).await;
        let done = press(&client, UNSUBSCRIBE, &token).await;
        assert!(matches!(done.status, 200 | 303), "{done:?}");
        let told = if done.status == 303 { see(&client, done.location()).await } else { done };
        assert!(told.text.contains("unsubscribed"), "{told:?}");
        assert_eq!(database.count("prospects").await, 0);
        let over = see(&client, &format!("{UNSUBSCRIBE}?token={token}")).await;
        assert!(over.status < 500 && !over.text.contains(&client.email), "{over:?}");
        // Nothing stands against it, and it has to be confirmed again.
        world.clock.advance(DAY + 1);
        inquire(&client, &["openings"]).await.assert_redirect(303, "/bachelor/inquire?sent=1");
        assert_eq!(confirmed(&database).await, [""; 0]);
        confirm(&world, &client).await;
        assert_eq!(confirmed(&database).await, [client.email.as_str()]);
    }

    async fn nothing_is_left_of_who_unsubscribed(database: Database) {
        let world = working(&database).await;
        let mut client = world.visitor();
        client.email = "zqxj.prospect@example.org".into();
        inquire(&client, &["openings", "brochure"]).await;
        confirm(&world, &client).await;
        assert!(mentions(&world, &database, "zqxj").await.contains(&"prospects.email".to_owned()));
        press(&client, UNSUBSCRIBE, &secret_in(&world, &client.email, UNSUBSCRIBE).await).await;
        // Mails to addresses that nobody here has any more are kept for a month, throttles for a day.
        for _ in 0..32 {
            advance(&world, DAY).await;
        }
        assert_eq!(mentions(&world, &database, "zqxj").await, [""; 0]);
    }

    async fn the_brochure_says_what_the_landing_page_says_in_both_languages(database: Database) {
        let world = World::start(database.db()).await;
        let visitor = world.visitor();
        for (path, words) in [
            ("/bachelor/brochure.pdf", ["Bachelor’s program", "August 2026", "July 20, 2026"]),
            ("/masters/brochure.pdf", ["Master’s program", "August 2026", "July 20, 2026"]),
            ("/bachelor/brochure.pdf?lang=es", ["Programa de licenciatura", "agosto de 2026", "20 de julio de 2026"]),
            ("/masters/brochure.pdf?lang=es", ["Programa de maestría", "agosto de 2026", "20 de julio de 2026"]),
        ] {
            let file = visitor.get(path).send().await;
            assert_eq!((file.status, file.header("content-type")), (200, "application/pdf"), "{path}");
            assert!(file.header("content-disposition").contains(".pdf"), "{path}");
            assert!(file.header("cache-control").contains("public"), "{path}: {}", file.header("cache-control"));
            assert!(tool(&["qpdf", "--check", "FILE"], &file.bytes).contains("No syntax or stream encoding errors"), "{path}");
            assert!(tool(&["pdfinfo", "FILE"], &file.bytes).contains("Tagged:          yes"), "{path}");
            let text = text_of(&file.bytes).split_whitespace().collect::<Vec<_>>().join(" ");
            for expected in words.iter().chain(&["Matricula Institute", "$"]) {
                assert!(text.contains(expected), "{path}: {expected} in {text}");
            }
            assert_eq!(visitor.get(path).send().await.bytes, file.bytes, "it is the same file each time");
        }
        // The price is the landing page's.
        let landing = see(&visitor, "/bachelor/apply").await;
        let file = text_of(&visitor.get("/bachelor/brochure.pdf").send().await.bytes);
        let price = file.split_whitespace().find(|word| word.starts_with('$')).unwrap().trim_end_matches([',', '.']).to_owned();
        assert!(landing.text.contains(&price), "{price}");
        // It changes with what the office sets, and with the day, as the page does.
        let owner = hired(&world, Role::Owner).await;
        world.app.extend_deadline(&owner, "2026-08", 0).await.unwrap();
        let extended = text_of(&visitor.get("/bachelor/brochure.pdf").send().await.bytes);
        assert!(extended.split_whitespace().collect::<Vec<_>>().join(" ").contains("July 27, 2026"), "{extended}");
        world.clock.advance(100 * DAY);
        let later = text_of(&visitor.get("/bachelor/brochure.pdf").send().await.bytes);
        assert!(later.contains("January 2027") || later.contains("January\u{a0}2027"), "{later}");
        assert_eq!(visitor.get("/bachelors/brochure.pdf").send().await.status, 404);
    }

    async fn a_prospect_is_told_once_of_each_intake(database: Database) {
        let world = working(&database).await;
        let client = prospect(&world, &["openings"]).await;
        let reader = prospect(&world, &["brochure"]).await;
        let waiting = world.visitor();
        inquire(&waiting, &["openings"]).await;
        // August 2026 is what they know: its deadline is July 20.
        advance(&world, 76 * DAY).await;
        assert_eq!(told(&database, &client).await, 0, "it is July 19");
        for _ in 0..5 {
            advance(&world, DAY).await;
        }
        assert_eq!(told(&database, &client).await, 1, "the day after the deadline the next one opens");
        let news = world.mails(500).await.into_iter().find(|mail| mail.to == client.email).unwrap();
        assert!(news.text.contains("January 2027") || news.text.contains("January\u{a0}2027"), "{}", news.text);
        assert!(news.text.contains("http://apply.example.org/bachelor/apply") && news.text.contains("/unsubscribe?token="), "{}", news.text);
        let headers = database.texts("SELECT COALESCE(unsubscribe_url, '') FROM outbox WHERE template = 'openings'").await;
        assert!(headers.len() == 1 && headers[0].contains("/unsubscribe?token="), "{headers:?}");
        assert_eq!((told(&database, &reader).await, told(&database, &waiting).await), (0, 0), "who did not want it, or did not confirm");

        // Of two servers whose jobs run at the same time, one tells them.
        world.clock.advance(131 * DAY);
        tokio::join!(world.work(), world.work());
        for _ in 0..3 {
            advance(&world, DAY).await;
        }
        assert_eq!(told(&database, &client).await, 2);
        // After a pause of more than a year they are told of the newest one only.
        advance(&world, 400 * DAY).await;
        advance(&world, DAY).await;
        assert_eq!(told(&database, &client).await, 3);
        press(&client, UNSUBSCRIBE, &secret_in(&world, &client.email, UNSUBSCRIBE).await).await;
        for _ in 0..3 {
            advance(&world, 70 * DAY).await;
        }
        assert!(told(&database, &client).await <= 3, "who has unsubscribed hears no more");
    }

    async fn a_deadline_that_is_extended_tells_nobody_twice(database: Database) {
        let world = working(&database).await;
        let owner = hired(&world, Role::Owner).await;
        let client = prospect(&world, &["openings"]).await;
        advance(&world, 79 * DAY).await;
        let mailed = subjects(&world, &client).await.len();
        assert_eq!(mailed, 2, "it is July 22, and they were told of January");
        // The office extends the deadline for August by three weeks: it is the next intake once more, and then January is.
        for version in 0..3 {
            world.app.extend_deadline(&owner, "2026-08", version).await.unwrap();
        }
        for _ in 0..30 {
            advance(&world, DAY).await;
        }
        assert_eq!(subjects(&world, &client).await.len(), mailed);
    }

    async fn a_prospect_becomes_an_applicant_by_the_address(database: Database) {
        let world = working(&database).await;
        let reviewer = staff_client(&world, Role::Reviewer).await;
        let (client, stays) = (prospect(&world, &["openings"]).await, prospect(&world, &["openings"]).await);
        let unconfirmed = world.visitor();
        inquire(&unconfirmed, &["openings"]).await;
        let state = async |email: &str| {
            let page = reviewer.api("GET", &format!("/api/admins/prospects?search={email}")).send().await.json();
            page["prospects"][0].clone()
        };
        assert_eq!(state(&client.email).await["applicationId"], Value::Null);
        for (client, written) in [(&client, client.email.to_uppercase()), (&unconfirmed, unconfirmed.email.clone())] {
            let mut body = registration(&written);
            body["applicationType"] = json!("ba");
            assert_eq!(world.visitor().post("/api/users/register").json(&body).send().await.status, 201, "{}", client.email);
        }
        let owners = "SELECT p.email FROM prospects p JOIN applicants a ON a.id = p.applicant_id";
        assert_eq!(database.texts(owners).await, [client.email.as_str()], "an inquiry that nobody confirmed names nobody");
        let became = state(&client.email).await;
        let application = database.texts(&format!("SELECT a.id FROM applications a JOIN prospects p ON p.applicant_id = a.applicant_id WHERE p.email = '{}'", client.email)).await;
        assert_eq!(became["applicationId"], application[0], "{became}");

        // Whoever applies is not told that they can.
        for _ in 0..3 {
            advance(&world, 30 * DAY).await;
        }
        assert_eq!((told(&database, &client).await, told(&database, &stays).await), (0, 1));
    }

    async fn an_account_without_an_application_is_still_told(database: Database) {
        let world = working(&database).await;
        let client = prospect(&world, &["openings"]).await;
        assert_eq!(world.visitor().post("/api/users/register").json(&registration(&client.email)).send().await.status, 201);
        // Somebody who has an account already is an applicant as soon as they confirm.
        let applicant = world.register().await;
        inquire(&applicant.without_token(), &["openings"]).await;
        confirm(&world, &applicant.without_token()).await;
        assert_eq!(database.count("prospects WHERE applicant_id IS NOT NULL").await, 2);
        for _ in 0..3 {
            advance(&world, 30 * DAY).await;
        }
        assert_eq!((told(&database, &client).await, told(&database, &applicant).await), (1, 1));
    }

    async fn closing_the_account_ends_it_and_the_archive_has_it(database: Database) {
        let world = World::start(database.db()).await;
        let (own, others) = (prospect(&world, &["openings", "brochure"]).await, prospect(&world, &["openings"]).await);
        let mut accounts = Vec::new();
        for prospect in [&own, &others] {
            let mut client = world.visitor();
            client.email = prospect.email.clone();
            let entered = client.post("/api/users/register").json(&registration(&client.email)).send().await;
            client.enter(&entered);
            accounts.push(client);
        }
        let confirmed = format!("UPDATE applicants SET email_confirmed_at = created_at WHERE email = '{}'", own.email);
        database.run(&confirmed).await.unwrap();
        let archive = accounts[0].post("/api/users/personal-data").json(&json!({ "currentPassword": PASSWORD })).raw_answer().await;
        let mut archive = zip::ZipArchive::new(Cursor::new(archive.bytes().await.unwrap())).unwrap();
        let mut text = String::new();
        archive.by_name("data.json").unwrap().read_to_string(&mut text).unwrap();
        let data: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(data["inquiries"][0]["firstName"], "Demo", "{data}");
        for token in database.texts("SELECT unsubscribe_token FROM prospects").await {
            assert!(!text.contains(&token), "no secret is in it");
        }
        for client in &accounts {
            let closed = client.post("/api/users/close-account").json(&json!({ "currentPassword": PASSWORD, "confirm": true })).send().await;
            assert_eq!(closed.status, 204, "{closed:?}");
        }
        // Whoever has not confirmed that the address is theirs deletes nobody's inquiry.
        let left = database.texts("SELECT email || COALESCE(applicant_id, '') FROM prospects").await;
        assert_eq!(left, [others.email.as_str()]);
    }

    async fn what_was_not_confirmed_goes_after_seven_days_and_the_rest_after_two_years(database: Database) {
        let world = World::start(database.db()).await;
        let client = prospect(&world, &["openings"]).await;
        let waiting = world.visitor();
        inquire(&waiting, &["openings"]).await;
        let sweep = async |by: Millis| {
            world.clock.advance(by);
            world.store.sweep(world.app.clock.now()).await.unwrap();
            database.texts("SELECT email FROM prospects ORDER BY email").await
        };
        assert_eq!(sweep(7 * DAY - HOUR).await.len(), 2);
        assert_eq!(sweep(HOUR).await, [client.email.as_str()]);
        assert_eq!(sweep(RETENTION - 20 * DAY).await, [client.email.as_str()]);
        // Asking once more is an act, and starts the time anew.
        inquire(&client, &["openings"]).await;
        confirm(&world, &client).await;
        assert_eq!(sweep(30 * DAY).await, [client.email.as_str()]);
        assert_eq!(sweep(RETENTION - 31 * DAY).await, [client.email.as_str()]);
        assert_eq!(sweep(2 * DAY).await, [""; 0]);
    }

    async fn who_asks_in_spanish_reads_spanish(database: Database) {
        let world = working(&database).await;
        let client = world.visitor();
        let landing = client.get("/bachelor/apply").header("cookie", SPANISH).send().await;
        assert!(landing.text.contains("action=\"/bachelor/inquire\"") && !landing.text.contains("Not ready to apply yet?"));
        let refused = client.post(FORM).form(&[("email", "nobody")]).header("cookie", SPANISH).send().await;
        let errors = refused.assert_document(422, "inquire")["props"]["form"]["errors"].clone();
        assert_eq!(errors["email"], "Escriba un correo electrónico con el formato nombre@example.com.");
        let sent = client.post(FORM).form(&fields(&client.email, &["openings", "brochure"])).header("cookie", SPANISH).send().await;
        sent.assert_redirect(303, "/bachelor/inquire?sent=1");
        // The mail's language is the one that was asked in, whatever the browser that confirms.
        confirm(&world, &client).await;
        for _ in 0..3 {
            advance(&world, 30 * DAY).await;
        }
        let mails: Vec<_> = world.mails(50).await.into_iter().filter(|mail| mail.to == client.email).collect();
        assert_eq!(mails.len(), 3, "{mails:?}");
        for mail in &mails {
            assert!(mail.html.contains("<html lang=\"es\">"), "{}", mail.html);
            assert!(!["Unsubscribe", " the ", "Hello"].iter().any(|word| mail.text.contains(word)), "{}", mail.text);
        }
        assert!(mails[0].text.contains("enero de 2027") && mails[0].text.contains("/bachelor/apply"), "{}", mails[0].text);
        let brochure = mails[1].text.split_whitespace().find(|word| word.contains("/bachelor/brochure.pdf")).unwrap();
        let path = brochure.strip_prefix("http://apply.example.org").unwrap();
        assert!(text_of(&client.get(path).send().await.bytes).contains("licenciatura"), "{path}");
    }

    async fn the_use_cases_agree_on_who_a_link_belongs_to(database: Database) {
        let world = World::start(database.db()).await;
        let client = world.visitor();
        inquire(&client, &["brochure"]).await;
        let token = secret_in(&world, &client.email, CONFIRM).await;
        let found = world.app.find_inquiry(&token).await.unwrap().unwrap();
        assert_eq!((found.email.as_str(), found.program, found.confirmed_at), (client.email.as_str(), Program::Bachelor, None));
        assert!((!found.wants.openings) && found.wants.brochure);
        let confirmed = world.app.confirm_inquiry(&token).await.unwrap();
        assert_eq!((confirmed.id, confirmed.confirmed_at), (found.id, Some(world.app.clock.now())));
        let token = secret_in(&world, &client.email, UNSUBSCRIBE).await;
        assert_eq!(world.app.find_subscription(&token).await.unwrap().unwrap().email, client.email);
        // A secret of one kind is of no use for the other.
        assert!(world.app.find_inquiry(&token).await.unwrap().is_none());
        world.app.unsubscribe(&token, false).await.unwrap();
        world.app.unsubscribe(&token, false).await.unwrap();
        assert!(world.app.find_subscription(&token).await.unwrap().is_none());
    }
}
