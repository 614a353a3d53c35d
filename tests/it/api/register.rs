//! Registration.

use matricula::domain::moments::HOUR;
use matricula::domain::password;
use serde_json::{Value, json};

use super::cases;
use crate::support::databases::story;
use crate::support::server::{Answer, Client, World, registration};

const PATH: &str = "/api/users/register";

/// Registers with some fields changed; `null` leaves one out.
async fn with(client: &Client, changes: Value) -> Answer {
    let mut body = registration(&client.email);
    for (name, value) in changes.as_object().unwrap() {
        match value {
            Value::Null => drop(body.as_object_mut().unwrap().remove(name)),
            value => body[name] = value.clone(),
        }
    }
    client.post(PATH).json(&body).send().await
}

/// Sends the inputs of one row and returns the answers.
async fn answers(id: &str, world: &World) -> Vec<Answer> {
    let client = world.visitor();
    let raw = async |content_type: &str, body: String| client.post(PATH).raw(content_type, body).send().await;
    let email = |text: &str| with(&client, json!({ "email": text }));
    match id {
        "REG-02" => vec![raw("application/json", r#"{"email":"a@b.co""#.into()).await],
        "REG-04" => vec![raw("text/plain", registration(&client.email).to_string()).await],
        "REG-06" => {
            let nested = format!(r#"{{"firstName":{}{}}}"#, "[".repeat(200), "]".repeat(200));
            vec![raw("application/json", nested).await]
        }
        "REG-08" => vec![raw("application/json", r#"{"firstName":"\ud800"}"#.into()).await],
        "REG-10" => vec![with(&client, json!({ "email": null })).await, email("  ").await],
        "REG-12" => vec![email("a@b.co\r\nBcc: v@x.y").await],
        "REG-14" => {
            let taken = world.register().await.email;
            vec![email(&taken.to_uppercase()).await, email(&taken).await]
        }
        "REG-16" => {
            let short = "äöüß😀".chars().cycle().take(password::MIN - 1).collect::<String>();
            vec![with(&client, json!({ "password": short })).await]
        }
        "REG-18" => {
            let mut answers = Vec::new();
            for password in [format!("my {} 1", client.email), "a SAMPLE of words".into(), "matricula for me".into()] {
                answers.push(with(&client, json!({ "password": password })).await);
            }
            answers
        }
        "REG-20" => vec![with(&client, json!({ "dateOfBirth": "2025-02-30" })).await],
        // It is 2026-05-04 12:00 in UTC, and already the next day at UTC+14.
        "REG-22" => vec![
            with(&client, json!({ "dateOfBirth": "2026-05-05" })).await,
            with(&client, json!({ "dateOfBirth": "2026-05-04" })).await,
        ],
        "REG-24" => {
            let mut answers = Vec::new();
            for number in ["+1", "+1abc", "+12345678901234567890"] {
                answers.push(with(&client, json!({ "phoneNumber": number })).await);
            }
            answers
        }
        "REG-26" => vec![with(&client, json!({ "state": null })).await],
        "REG-28" => vec![with(&client, json!({ "state": "ZZ" })).await],
        "REG-30" => {
            for n in 0..10 {
                let email = format!("family-{n}@example.org");
                assert_eq!(with(&client, json!({ "email": email })).await.status, 201);
            }
            vec![with(&client, json!({ "email": "family-10@example.org" })).await]
        }
        _ => panic!("{id} is neither executed nor waiting"),
    }
}

story! {
    async fn bad_inputs(database: Database) {
        let world = World::start(database.db()).await;
        for case in cases::of("register") {
            for answer in answers(&case.id, &world).await {
                case.check(&answer);
            }
        }
    }

    async fn fifty_identical_registrations_at_once_make_one_account(database: Database) {
        let world = World::start(database.db()).await;
        let body = registration("everyone@example.org");
        let calls = (0..50).map(|_| world.visitor().post(PATH).json(&body).send());
        let answers = futures::future::join_all(calls).await;
        assert_eq!(answers.iter().filter(|answer| answer.status == 201).count(), 1);
        for answer in answers.iter().filter(|answer| answer.status != 201) {
            // A request that waited too long for its turn to hash the password was told to try again.
            assert!(["email.taken", "storage.unavailable"].contains(&answer.code().as_str()), "{answer:?}");
        }
    }

    async fn who_was_refused_may_register_an_hour_later(database: Database) {
        let world = World::start(database.db()).await;
        let client = world.visitor();
        for n in 0..10 {
            with(&client, json!({ "email": format!("family-{n}@example.org") })).await;
        }
        let refused = with(&client, json!({})).await;
        refused.assert_problem(429, "rate_limited");
        let seconds: i64 = refused.header("retry-after").parse().unwrap();
        assert!((1..=3600).contains(&seconds), "{seconds}");
        assert_eq!(with(&world.visitor(), json!({})).await.status, 201);
        world.clock.advance(HOUR);
        assert_eq!(with(&client, json!({})).await.status, 201);
    }

    async fn a_registration_signs_in_and_starts_the_application(database: Database) {
        let world = World::start(database.db()).await;
        let client = world.visitor();
        let answer = with(&client, json!({ "applicationType": "msc", "email": client.email.to_uppercase() })).await;
        assert_eq!(answer.status, 201);
        let body = answer.json();
        assert_eq!(
            body["user"],
            json!({
                "id": body["user"]["id"],
                "email": client.email.to_uppercase(),
                "emailConfirmed": false,
                "firstName": "Demo",
                "lastName": "Sample",
                "dateOfBirth": "1990-02-28",
                "phoneNumber": "+15550100199",
                "country": "US",
                "state": "TX",
                "timeZone": "", "reminders": true, "language": "en", "secondFactor": false,
                "createdAt": "2026-05-04T12:00:00Z"
            })
        );
        assert_eq!(answer.set_cookie("matricula_session").unwrap().len(), 43);
        let signed_in = client.with_token(body["token"].as_str().unwrap());
        assert_eq!(signed_in.get("/api/users/me").send().await.json(), body["user"]);
        let application = signed_in.get("/api/users/application").send().await.json();
        assert_eq!(application["applicationType"], "msc");
        assert_eq!((&application["status"], &application["stage"]), (&json!("incomplete"), &json!("draft")));
    }

    async fn several_bad_fields_are_told_at_once_by_path(database: Database) {
        let world = World::start(database.db()).await;
        let changes = json!({ "country": "XX", "email": null, "userId": 1 });
        let body = with(&world.visitor(), changes).await.json();
        assert_eq!(body["code"], "field.unknown");
        assert_eq!(
            body["fields"],
            json!({
                "country": "Choose a country from the list.",
                "email": "Email is required.",
                "userId": "Unknown field: userId."
            })
        );
    }
}
