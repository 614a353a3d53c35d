//! Logging in, and the tokens this returns.

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit, Mac};
use matricula::app::Caller;
use matricula::domain::input::Input;
use matricula::domain::moments::{HOUR, MINUTE};
use matricula::domain::role::Role;
use matricula::store::AuditEntry;
use serde_json::{Value, json};
use sha2::Sha256;

use super::cases;
use super::passwords::mailed_token;
use crate::support::databases::story;
use crate::support::rows::at_once;
use crate::support::server::{Answer, Client, PASSWORD, START, TOKEN_KEY, World, registration};

const PATH: &str = "/api/users/login";

async fn log_in(client: &Client, email: &str, password: &str) -> Answer {
    client.post(PATH).json(&json!({ "email": email, "password": password })).send().await
}

/// A token with any header and claims, with a valid signature.
fn forged(header: &Value, claims: &Value) -> String {
    let part = |value: &Value| BASE64_URL_SAFE_NO_PAD.encode(value.to_string());
    let message = format!("{}.{}", part(header), part(claims));
    let signature = Hmac::<Sha256>::new_from_slice(TOKEN_KEY).unwrap().chain_update(&message).finalize().into_bytes();
    format!("{message}.{}", BASE64_URL_SAFE_NO_PAD.encode(signature))
}

/// The claims of the client's own token, with changes.
fn claims(client: &Client, changes: Value) -> Value {
    let payload = client.token.as_ref().unwrap().split('.').nth(1).unwrap();
    let mut claims: Value = serde_json::from_slice(&BASE64_URL_SAFE_NO_PAD.decode(payload).unwrap()).unwrap();
    claims.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
    claims
}

async fn disable(world: &World, client: &Client) {
    let id = client.user["id"].as_str().unwrap();
    let audit = AuditEntry {
        id: world.app.random.id(),
        at: START,
        actor: "system".into(),
        subject: format!("applicant:{id}"),
        action: "applicant.disabled",
        detail: json!({}),
    };
    assert!(world.store.set_disabled(id, true, &audit).await.unwrap());
}

/// The bearer token of a new member of staff.
async fn staff_token(world: &World) -> String {
    let email = "office@example.org";
    world.app.create_staff(email, PASSWORD, Role::Owner).await.unwrap();
    let input = [("email", email), ("password", PASSWORD)].map(|(name, text)| (name.into(), Input::Text(text.into())));
    world.app.log_in_staff(&Input::Map(input.into()), &Caller::default()).await.unwrap().secrets.token
}

/// Sends the inputs of one row and returns the answers.
async fn answers(id: &str, world: &World) -> Vec<Answer> {
    let client = world.register().await;
    let me = async |token: String| client.with_token(token).get("/api/users/me").send().await;
    let now = START / 1000;
    match id {
        "LOG-02" => {
            let sent = async |email: &str, password: &str| {
                let body = json!({ "email": email, "password": password });
                client.post(PATH).header("x-request-id", "same").json(&body).send().await
            };
            let wrong = sent(&client.email, "wrong horse battery staple").await;
            let unknown = sent("nobody@example.org", PASSWORD).await;
            assert_eq!(wrong.text, unknown.text);
            let mut headers = [wrong.headers.clone(), unknown.headers.clone()];
            headers.iter_mut().for_each(|headers| drop(headers.remove("date")));
            assert_eq!(headers[0], headers[1]);
            vec![wrong, unknown]
        }
        "LOG-04" => {
            disable(world, &client).await;
            vec![log_in(&client, &client.email, PASSWORD).await]
        }
        "LOG-06" => vec![
            client.post(PATH).json(&json!({ "email": client.email })).send().await,
            log_in(&client, &client.email, "").await,
        ],
        "LOG-08" => vec![log_in(&client, "' OR 1=1-- ", PASSWORD).await],
        "LOG-10" => vec![log_in(&client, &client.email, &format!("{PASSWORD} ")).await],
        "LOG-12" => {
            let mut body = registration("composed@example.org");
            body["password"] = "Gr\u{fc}\u{df}e aus dem Caf\u{e9}".into();
            assert_eq!(client.post("/api/users/register").json(&body).send().await.status, 201);
            vec![log_in(&client, "composed@example.org", "Gru\u{308}\u{df}e aus dem Cafe\u{301}").await]
        }
        "LOG-14" => {
            for attempt in 0..100 {
                let somewhere = client.at(&format!("203.0.{}.{}", attempt % 5, attempt));
                log_in(&somewhere, &client.email, "wrong horse battery staple")
                    .await
                    .assert_problem(401, "auth.invalid");
            }
            let mut refused = Vec::new();
            for source in 0..400 {
                let somewhere = client.at(&format!("203.{}.113.7", source));
                refused.push(log_in(&somewhere, &client.email, PASSWORD).await);
            }
            refused
        }
        "LOG-16" => {
            let body = format!(r#"{{"email":"{}","password":"{PASSWORD}","x":"="}}"#, client.email);
            vec![client.post(PATH).header("sec-fetch-site", "cross-site").raw("text/plain", body).send().await]
        }
        "LOG-18" => {
            let signed = forged(&json!({ "typ": "JWT", "alg": "none" }), &claims(&client, json!({})));
            let unsigned = format!("{}.", signed.rsplit_once('.').unwrap().0);
            vec![me(signed).await, me(unsigned).await]
        }
        "LOG-20" => vec![
            me(forged(&json!({ "typ": "JWT", "alg": "RS256" }), &claims(&client, json!({})))).await,
            me(forged(&json!({ "typ": "JWT", "alg": "HS384" }), &claims(&client, json!({})))).await,
        ],
        "LOG-22" => {
            let header = json!({ "typ": "JWT", "alg": "HS256" });
            vec![
                me(forged(&header, &claims(&client, json!({ "exp": now - 61 })))).await,
                me(forged(&header, &claims(&client, json!({ "nbf": now + 61 })))).await,
            ]
        }
        "LOG-24" => {
            let token = staff_token(world).await;
            let application = client.with_token(token.clone()).get("/api/users/application").send().await;
            vec![me(token).await, application]
        }
        "LOG-26" => {
            let mut answers = Vec::new();
            for (name, value) in [
                ("kid", json!("../../dev/null")),
                ("jku", json!("https://example.org/keys")),
                ("x5u", json!("https://example.org/certificate")),
                ("jwk", json!({ "kty": "oct", "k": "AAAA" })),
            ] {
                let mut header = json!({ "typ": "JWT", "alg": "HS256" });
                header[name] = value;
                answers.push(me(forged(&header, &claims(&client, json!({})))).await);
            }
            answers
        }
        "LOG-28" => {
            let disabled = world.register().await;
            disable(world, &disabled).await;
            client.post("/api/users/forgot-password").json(&json!({ "email": client.email })).send().await;
            let reset = json!({ "token": mailed_token(world, &client).await, "password": "another horse entirely" });
            assert_eq!(client.post("/api/users/reset-password").json(&reset).send().await.status, 200);
            vec![client.get("/api/users/me").send().await, disabled.get("/api/users/me").send().await]
        }
        "LOG-30" => {
            let call = client.without_token().post("/api/users/application").with_cookie(&client);
            vec![call.json(&json!({ "applicationType": "ba" })).send().await]
        }
        _ => panic!("{id} is neither executed nor waiting"),
    }
}

story! {
    async fn bad_inputs(database: Database) {
        let world = World::start(database.db()).await;
        for case in cases::of("login") {
            for answer in answers(&case.id, &world).await {
                case.check(&answer);
            }
        }
    }

    async fn a_throttled_account_opens_again_after_an_hour_or_a_reset(database: Database) {
        let world = World::start(database.db()).await;
        let (patient, impatient) = (world.register().await, world.register().await);
        for client in [&patient, &impatient] {
            for attempt in 0..100 {
                let somewhere = client.at(&format!("203.0.113.{attempt}"));
                log_in(&somewhere, &client.email, "wrong horse battery staple").await;
            }
            let refused = log_in(client, &client.email, PASSWORD).await;
            refused.assert_problem(429, "auth.throttled");
            assert!(refused.header("retry-after").parse::<i64>().unwrap() <= 3600);
        }
        impatient.post("/api/users/forgot-password").json(&json!({ "email": impatient.email })).send().await;
        let reset = json!({ "token": mailed_token(&world, &impatient).await, "password": "another horse entirely" });
        assert_eq!(impatient.post("/api/users/reset-password").json(&reset).send().await.status, 200);
        assert_eq!(log_in(&impatient, &impatient.email, "another horse entirely").await.status, 200);
        world.clock.advance(HOUR);
        assert_eq!(log_in(&patient, &patient.email, PASSWORD).await.status, 200);
    }

    async fn one_address_that_fails_too_often_waits_and_others_do_not(database: Database) {
        let world = World::start(database.db()).await;
        let (client, guesser) = (world.register().await, world.visitor());
        for attempt in 0..50 {
            let email = format!("guess-{attempt}@example.org");
            log_in(&guesser, &email, PASSWORD).await.assert_problem(401, "auth.invalid");
        }
        log_in(&guesser, &client.email, PASSWORD).await.assert_problem(429, "auth.throttled");
        assert_eq!(log_in(&client, &client.email, PASSWORD).await.status, 200);
        world.clock.advance(15 * MINUTE);
        assert_eq!(log_in(&guesser, &client.email, PASSWORD).await.status, 200);
    }

    async fn of_many_guesses_at_once_no_more_are_checked_than_may_be(database: Database) {
        let world = World::start(database.db()).await;
        let (owner, guesser) = (world.register().await, world.visitor());
        let answers = at_once(120, |number| {
            let guesser = guesser.clone();
            async move { log_in(&guesser, &format!("guess-{number}@example.org"), PASSWORD).await.code() }
        })
        .await;
        let of = |code: &str| answers.iter().filter(|answer| *answer == code).count();
        assert_eq!((of("auth.invalid"), of("auth.throttled")), (50, 70));

        // Correct passwords are not counted, however many there are.
        for _ in 0..51 {
            assert_eq!(log_in(&owner, &owner.email, PASSWORD).await.status, 200);
        }
        // Nor do they reset the count of earlier failures.
        for number in 0..49 {
            log_in(&owner, &format!("nobody-{number}@example.org"), PASSWORD).await.assert_problem(401, "auth.invalid");
        }
        assert_eq!(log_in(&owner, &owner.email, PASSWORD).await.status, 200);
        log_in(&owner, &owner.email, "wrong horse battery staple").await.assert_problem(401, "auth.invalid");
        log_in(&owner, &owner.email, PASSWORD).await.assert_problem(429, "auth.throttled");
    }

    async fn logging_in_answers_like_registering(database: Database) {
        let world = World::start(database.db()).await;
        let client = world.register().await;
        let answer = log_in(&client, &client.email.to_uppercase(), PASSWORD).await;
        assert_eq!(answer.status, 200);
        assert_eq!(answer.json()["user"], client.user);
        let cookie = answer.headers.get("set-cookie").unwrap().to_str().unwrap();
        assert!(cookie.ends_with("; Path=/; HttpOnly; SameSite=Lax; Max-Age=2592000"), "{cookie}");
    }

    async fn calls_of_the_staff_take_staff_tokens_only(database: Database) {
        let world = World::start(database.db()).await;
        let client = world.register().await;
        for prefix in ["/api", "/twentyEighty"] {
            let path = format!("{prefix}/admins/applications");
            client.get(&path).send().await.assert_problem(401, "token.audience");
            client.without_token().get(&path).send().await.assert_problem(401, "auth.required");
        }
        let office = client.with_token(staff_token(&world).await);
        office.get("/api/admins/applications/figures/nothing").send().await.assert_problem(404, "not_found");
        assert_eq!(office.get("/api/admins/applications").send().await.status, 200);
    }
}
