//! The questions that staff add: stored, answered by API and form, and replaced by others.

use matricula::domain::input::Input;
use matricula::domain::moments::MINUTE;
use matricula::domain::program::Program;
use matricula::domain::questionnaire;
use matricula::domain::role::Role;
use matricula::domain::staff::Staff;
use matricula::store::{AuditEntry, NewQuestionSet, StoreError};
use serde_json::{Value, json};

use crate::api::documents::{applicant, send, slot};
use crate::support::databases::story;
use crate::support::files::pdf;
use crate::support::rows::{NOW, at_once, id};
use crate::support::server::{Answer, Client, PASSWORD, World};

fn definition(questions: Value) -> Input {
    Input::from(json!({ "questions": questions }))
}

fn new(program: Program, label: &str) -> NewQuestionSet {
    let definition =
        questionnaire::parse(&definition(json!([{"key": "why", "type": "text", "label": label}]))).unwrap();
    NewQuestionSet { id: id(), program, definition, at: NOW, by: None, restored_from: None }
}

fn audit() -> AuditEntry {
    let (actor, subject) = ("staff:1".to_owned(), "questionnaire:ba".to_owned());
    AuditEntry { id: id(), at: NOW, actor, subject, action: "questionnaire.published", detail: json!({}) }
}

async fn staff(world: &World, role: Role) -> Staff {
    let email = format!("{}@example.org", role.as_str());
    world.app.create_staff(&email, PASSWORD, role).await.unwrap()
}

async fn save(client: &Client, answers: Value) -> Answer {
    let body = json!({"applicationType": "ba", "questionnaire": {"answers": answers}});
    client.post("/api/users/application").json(&body).send().await
}

async fn load(client: &Client) -> Value {
    client.get("/api/users/application").send().await.json()
}

story! {
    async fn a_program_asks_one_set_at_a_time_and_keeps_those_before(database: Database) {
        let db = database.db();
        assert!(db.published_questions().await.unwrap().is_empty());
        let begun = at_once(4, |_| {
            let db = db.clone();
            async move { db.begin_questions(&new(Program::Bachelor, "First?")).await.unwrap() }
        }).await;
        assert_eq!(begun.into_iter().filter(|begun| *begun).count(), 1, "only one of several processes");
        assert!(db.begin_questions(&new(Program::Masters, "Other?")).await.unwrap());

        assert!(db.publish_questions(&new(Program::Bachelor, "Second?"), None, &audit()).await.unwrap());
        assert!(!db.begin_questions(&new(Program::Bachelor, "Again?")).await.unwrap());
        let published = db.published_questions().await.unwrap();
        let of = |program: Program| published.iter().find(|(of, _)| *of == program).map(|(_, set)| set).unwrap();
        assert_eq!((published.len(), of(Program::Bachelor).version, of(Program::Masters).version), (2, 2, 1));
        assert_eq!(of(Program::Bachelor).questions[0].label, "Second?");
        let first = db.questions_at(Program::Bachelor, 1).await.unwrap().unwrap();
        assert_eq!(first.questions[0].label, "First?");
        assert_eq!(db.questions_at(Program::Bachelor, 3).await.unwrap(), None);

        // Concurrent callers either follow or are told so; there is never more than one.
        let raced = at_once(4, |number| {
            let db = db.clone();
            async move { db.publish_questions(&new(Program::Bachelor, &format!("Race {number}?")), None, &audit()).await }
        }).await;
        assert!(raced.iter().any(Result::is_ok));
        assert!(raced.iter().all(|done| matches!(done, Ok(true) | Err(StoreError::Taken("questionnaire")))), "{raced:?}");
        assert_eq!(db.published_questions().await.unwrap().len(), 2);
    }

    async fn the_questions_of_a_program_are_part_of_its_application(database: Database) {
        let world = World::start(database.db()).await;
        assert_eq!(world.app.seed_questions().await.unwrap(), 2);
        assert_eq!(world.app.seed_questions().await.unwrap(), 0);
        let client = world.register().await;
        let wrong = save(&client, json!({"hoursPerWeek": 200, "studyMode": "sometimes", "older": "x"})).await;
        let fields = &wrong.json()["fields"];
        assert_eq!(wrong.status, 422);
        assert_eq!(fields["questionnaire.answers.hoursPerWeek"], "The number must be between 1 and 80.");
        assert_eq!(fields["questionnaire.answers.studyMode"], "Choose one from the list.");
        assert!(fields["questionnaire.answers.older"].as_str().unwrap().contains("no longer asked"), "{fields}");

        let saved = save(&client, json!({"hoursPerWeek": "12", "studyMode": "part_time", "needsAccommodation": "yes"})).await;
        assert_eq!(saved.status, 200, "{saved:?}");
        let expected = json!({"version": 1, "answers":
            {"hoursPerWeek": 12, "studyMode": "part_time", "needsAccommodation": true}});
        assert_eq!(saved.json()["data"]["questionnaire"], expected);
        assert_eq!(saved.json()["sections"]["questions"], "in-progress");
        assert_eq!(load(&client).await["data"]["questionnaire"], expected);

        // What was loaded can be sent back unchanged.
        let mut body = load(&client).await["data"].clone();
        body["applicationType"] = json!("ba");
        let again = client.post("/api/users/application").json(&body).send().await;
        assert_eq!(again.json()["data"], load(&client).await["data"], "{again:?}");

        let submit = client.post("/api/users/application/submit").json(&json!({"declaration": true}));
        let fields = submit.send().await.json()["fields"].clone();
        assert!(fields["questionnaire.answers.motivation"].as_str().unwrap().starts_with("Answer the question"), "{fields}");
        assert!(fields["questionnaire.answers.accommodation"].is_string(), "it is asked after a Yes");
        save(&client, json!({"needsAccommodation": false, "motivation": "So."})).await;
        assert_eq!(load(&client).await["sections"]["questions"], "complete");
    }

    async fn questions_are_asked_in_the_language_of_who_answers(database: Database) {
        let world = World::start(database.db()).await;
        world.app.seed_questions().await.unwrap();
        let client = world.register().await;
        save(&client, json!({})).await;
        let program = async || {
            let page = client.get("/bachelor/application/questions").with_cookie(&client).header("accept", "application/json").send().await;
            page.json()["props"]["questionnaire"]["questions"].clone()
        };
        let english = program().await;
        let options = |set: &Value| set[1]["options"].as_array().unwrap().iter().map(|it| it["label"].clone()).collect::<Vec<_>>();
        assert_eq!((&english[0]["label"], &english[0]["translations"]), (&json!("Why do you want to study coaching?"), &Value::Null));
        let change = client.call("PATCH", "/api/users/profile").json(&json!({ "language": "es" })).send().await;
        assert_eq!(change.status, 200, "{change:?}");
        let spanish = program().await;
        assert_eq!((&spanish[0]["label"], &spanish[0]["help"]), (&json!("¿Por qué quiere estudiar coaching?"), &json!("Bastan unas pocas frases.")));
        assert!(spanish[0].get("lang").is_none() && options(&spanish) != options(&english), "{spanish}");
        assert_eq!(spanish[1]["options"][0]["value"], english[1]["options"][0]["value"], "the answer is the same");
        // Text without a translation is in English, and marked so.
        let staff = staff(&world, Role::Owner).await;
        let asked = json!({ "questions": [{ "key": "why", "type": "yesNo", "label": "Why not?" }] });
        let version = world.app.question_sets().await.unwrap().of(Program::Bachelor).version;
        world.app.publish_questions(&staff, Program::Bachelor, &Input::from(asked), Some(version)).await.unwrap();
        let plain = program().await;
        assert_eq!((&plain[0]["label"], &plain[0]["lang"]), (&json!("Why not?"), &json!("en")));
    }

    async fn a_newer_version_is_asked_at_once_and_no_answer_is_lost(database: Database) {
        let world = World::start(database.db()).await;
        let owner = staff(&world, Role::Owner).await;
        let viewer = staff(&world, Role::Viewer).await;
        let why = json!({"key": "why", "type": "text", "label": "Why?"});
        let when = json!({"key": "when", "type": "date", "label": "When?"});
        let publish = async |staff: &Staff, questions: Value| {
            world.app.publish_questions(staff, Program::Bachelor, &definition(questions), None).await
        };
        assert!(publish(&viewer, json!([why])).await.is_err(), "viewers only read");
        assert!(publish(&owner, json!([why, why])).await.is_err());
        publish(&owner, json!([why])).await.unwrap();
        let client = world.register().await;
        save(&client, json!({"why": "So."})).await;
        assert_eq!(load(&client).await["sections"]["questions"], "complete");

        publish(&owner, json!([why, when])).await.unwrap();
        let loaded = load(&client).await;
        assert_eq!(loaded["data"]["questionnaire"], json!({"version": 1, "answers": {"why": "So."}}));
        assert_eq!(loaded["sections"]["questions"], "in-progress");
        publish(&owner, json!([{"key": "why", "type": "yesNo", "label": "Why?"}, when])).await.unwrap();
        let saved = save(&client, json!({"when": "2026-05-31"})).await.json();
        assert_eq!(saved["data"]["questionnaire"], json!({"version": 3, "answers": {"when": "2026-05-31"}}));
        publish(&owner, json!([why])).await.unwrap();
        assert_eq!(load(&client).await["data"]["questionnaire"]["answers"], json!({"why": "So."}));

        // Another process learns of it within seconds.
        world.clock.advance(MINUTE);
        assert_eq!(world.app.question_sets().await.unwrap().bachelor.version, 4);
    }

    async fn the_questions_are_answered_without_javascript_follow_ups_too(database: Database) {
        let world = World::start(database.db()).await;
        world.app.seed_questions().await.unwrap();
        let client = world.register().await;
        save(&client, json!({})).await;
        const PATH: &str = "/bachelor/application/questions";
        let post = async |path: &str, fields: &[(&str, &str)]| {
            let answers: Vec<(String, &str)> =
                fields.iter().map(|(key, value)| (format!("questionnaire.answers.{key}"), *value)).collect();
            let mut form: Vec<(&str, &str)> = answers.iter().map(|(name, value)| (name.as_str(), *value)).collect();
            form.push(("_action", "continue"));
            client.post(path).form(&form).with_cookie(&client).send().await
        };
        let page = client.get(PATH).with_cookie(&client).send().await;
        assert!(page.text.contains("Why do you want to study coaching?"), "{page:?}");
        assert!(!page.text.contains(">What should we arrange?<"));

        let first = [
            ("motivation", "One.\r\nTwo."), ("studyMode", "full_time"), ("hoursPerWeek", "40"),
            ("needsAccommodation", ""), ("needsAccommodation", "yes"),
        ];
        let more = post(&format!("{PATH}?from=check"), &first).await;
        assert_eq!((more.status, more.header("location")), (303, "/bachelor/application/questions?from=check"));
        let page = client.get(PATH).with_cookie(&client).send().await;
        assert!(page.text.contains(">What should we arrange?<"), "{page:?}");
        let wrong = post(PATH, &[("hoursPerWeek", "many"), ("accommodation", "Captions")]).await;
        assert_eq!(wrong.status, 422);
        assert!(wrong.text.contains("Enter a whole number, without a comma or a point.") && wrong.text.contains("Captions"), "{wrong:?}");
        let done = post(PATH, &[("hoursPerWeek", "20"), ("accommodation", "Captions")]).await;
        assert_eq!((done.status, done.header("location")), (303, "/bachelor/application/check"));
        let check = client.get("/bachelor/application/check").with_cookie(&client).send().await;
        assert!(check.text.contains("Captions") && check.text.contains("Full time"), "{check:?}");
        // An unanswered question stays open, and does not block: it was on the page.
        let left = post(PATH, &[("needsAccommodation", ""), ("motivation", "")]).await;
        assert_eq!(left.header("location"), "/bachelor/application/check");
        assert_eq!(load(&client).await["data"]["questionnaire"]["answers"]["motivation"], Value::Null);
    }

    async fn a_file_that_a_question_asks_for_is_missing_until_it_is_there(database: Database) {
        let world = World::start(database.db()).await;
        let owner = staff(&world, Role::Owner).await;
        let questions = json!([
            { "key": "abroad", "type": "yesNo", "label": "Have you worked abroad?" },
            { "key": "proof", "type": "file", "label": "Proof of it", "onlyIf": { "question": "abroad", "is": true } },
            { "key": "extra", "type": "file", "label": "Anything else", "required": false },
        ]);
        world.app.publish_questions(&owner, Program::Bachelor, &definition(questions), None).await.unwrap();
        let client = applicant(&world).await;
        assert_eq!(save(&client, json!({ "abroad": true })).await.status, 200);
        let submit = async || client.post("/api/users/application/submit").json(&json!({ "declaration": true })).send().await;

        let refused = submit().await;
        refused.assert_problem(422, "questionnaire.answers.proof.required");
        let fields = refused.json()["fields"].clone();
        assert_eq!(fields, json!({ "questionnaire.answers.proof": "Send a file for “Proof of it” on your documents page." }));
        let proof = slot(&client, "question-proof").await;
        assert_eq!((&proof["label"], &proof["need"], &proof["state"]), (&json!("Proof of it"), &json!("required"), &json!("needed")));
        assert_eq!(slot(&client, "question-extra").await["need"], "later");
        for path in ["/bachelor/application/check", "/bachelor/application"] {
            let page = client.get(path).with_cookie(&client).send().await;
            assert!(page.text.contains("href=\"/dashboard/documents#d-question-proof\""), "{page:?}");
        }
        let page = client.get("/dashboard/documents").with_cookie(&client).send().await;
        assert!(page.text.contains("id=\"d-question-proof\""), "{page:?}");

        assert_eq!(send(&client, "question-other", "proof.pdf", &pdf(1000)).await.code(), "document.slot");
        assert_eq!(send(&client, "question-proof", "proof.pdf", b"no PDF").await.status, 422);
        assert_eq!(submit().await.status, 422, "what was refused is not there");
        assert_eq!(send(&client, "question-proof", "proof.pdf", &pdf(1000)).await.status, 201);
        assert_eq!(submit().await.status, 200);

        // Applicants not asked for it need none; a sent one stays, without its label once nobody is asked any more.
        let other = applicant(&world).await;
        assert_eq!(save(&other, json!({ "abroad": false })).await.status, 200);
        assert_eq!(slot(&other, "question-proof").await, Value::Null);
        let submitted = other.post("/api/users/application/submit").json(&json!({ "declaration": true })).send().await;
        assert_eq!(submitted.status, 200, "{submitted:?}");
    }
}
