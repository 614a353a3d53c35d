//! The questions of a program in the office: written, previewed, published, restored, discarded and deleted.

use matricula::domain::moments::MINUTE;
use matricula::domain::role::Role;
use serde_json::{Value, json};

use super::{StaffClient, staff_client};
use crate::support::databases::story;
use crate::support::rows::at_once;
use crate::support::server::{Answer, Client, World, complete_answers};

const PATH: &str = "/admin-panel/questionnaires";
const BACHELOR: &str = "/admin-panel/questionnaires/bachelor";

async fn editor(member: &StaffClient) -> Value {
    member.see(BACHELOR).send().await.assert_document(200, "adminQuestionnaire")["props"].clone()
}

/// The fields of the editor's form, and the button that is pressed.
fn fields(props: &Value, button: &str) -> Vec<(String, String)> {
    let mut fields = vec![
        ("revision".to_owned(), props["revision"].to_string()),
        ("names".to_owned(), props["names"].as_str().unwrap().to_owned()),
        ("_action".to_owned(), button.to_owned()),
    ];
    push("questions".into(), &props["questions"], &mut fields);
    push("references".into(), &props["references"], &mut fields);
    fields
}

/// Adds a part of a draft as form fields.
fn push(path: String, value: &Value, fields: &mut Vec<(String, String)>) {
    match value {
        Value::String(text) => fields.push((path, text.clone())),
        Value::Bool(true) => fields.push((path, "yes".into())),
        Value::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                push(format!("{path}.{at}"), item, fields);
            }
        }
        Value::Object(parts) => {
            for (name, part) in parts {
                push(format!("{path}.{name}"), part, fields);
            }
        }
        _ => {}
    }
}

fn with(mut fields: Vec<(String, String)>, changed: &[(&str, &str)]) -> Vec<(String, String)> {
    for (name, value) in changed {
        fields.retain(|(known, _)| known != name);
        fields.push(((*name).to_owned(), (*value).to_owned()));
    }
    fields
}

async fn send(member: &StaffClient, path: &str, fields: &[(String, String)]) -> Answer {
    let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    member.send(path, &fields).send().await
}

/// Presses a button of the editor in its current state.
async fn press(member: &StaffClient, button: &str, changed: &[(&str, &str)]) -> Answer {
    send(member, BACHELOR, &with(fields(&editor(member).await, button), changed)).await
}

async fn versions(member: &StaffClient) -> Vec<Value> {
    let props = member.see(PATH).send().await.assert_document(200, "adminQuestionnaires")["props"].clone();
    props["programs"][0]["versions"].as_array().unwrap().clone()
}

/// The form on the page that asks for confirmation before publishing.
async fn asked(member: &StaffClient, query: &str) -> (Value, Vec<(String, String)>) {
    let page = member.see(&format!("{BACHELOR}/publish{query}")).send().await;
    let props = page.assert_document(200, "adminQuestionnairePublish")["props"].clone();
    let mut fields = vec![
        ("key".to_owned(), props["formKey"].as_str().unwrap().to_owned()),
        ("published".to_owned(), props["published"].to_string()),
    ];
    match &props["version"] {
        Value::Null => fields.push(("revision".into(), props["revision"].to_string())),
        version => fields.push(("version".into(), version.to_string())),
    }
    (props, fields)
}

async fn save(client: &Client, answers: Value) {
    let body = json!({ "applicationType": "ba", "questionnaire": { "answers": answers } });
    let saved = client.post("/api/users/application").json(&body).send().await;
    assert_eq!(saved.status, 200, "{saved:?}");
}

async fn started(database: &crate::support::databases::Database) -> (World, StaffClient) {
    let world = World::start(database.db()).await;
    world.app.seed_questions().await.unwrap();
    let reviewer = staff_client(&world, Role::Reviewer).await;
    (world, reviewer)
}

story! {
    async fn a_draft_is_written_button_by_button_and_published(database: Database) {
        let (world, reviewer) = started(&database).await;
        let applicant = world.register().await;
        save(&applicant, json!({ "hoursPerWeek": 12 })).await;
        let first = editor(&reviewer).await;
        assert_eq!((&first["revision"], &first["published"], &first["info"]), (&json!(0), &json!(1), &Value::Null));
        let count = first["questions"].as_array().unwrap().len();

        press(&reviewer, "add", &[]).await.assert_redirect(303, &format!("{BACHELOR}#question-{count}"));
        let added = editor(&reviewer).await;
        let question = &added["questions"][count];
        assert_eq!((&added["revision"], &question["label"], &question["type"]), (&json!(1), &json!(""), &json!("text")));
        assert!(question["key"].as_str().unwrap().starts_with('q'));
        assert_eq!(added["form"]["errors"], json!({}), "nobody is told of mistakes before they are done");

        // A mistake is shown beside its field, and the draft is saved all the same.
        let at = |field: &str| format!("questions.{count}.{field}");
        let (kind, label, option) = (at("type"), at("label"), at("options.0.label"));
        let changed = [(kind.as_str(), "choice"), (label.as_str(), ""), (option.as_str(), "Only one <b>")];
        press(&reviewer, "publish", &changed).await.assert_redirect(303, &format!("{BACHELOR}?done=saved"));
        let told = reviewer.see(&format!("{BACHELOR}?done=saved")).send().await.page();
        let errors = &told["props"]["form"]["errors"];
        assert_eq!(errors[label.as_str()], "This must not be empty.");
        assert!(errors[at("options")].as_str().unwrap().contains("at least 2"), "{errors}");
        assert_eq!(told["props"]["questions"][count]["options"][0]["label"], "Only one <b>");
        reviewer.see(&format!("{BACHELOR}/publish")).send().await.assert_redirect(303, &format!("{BACHELOR}?done=saved"));

        // Asked after a Yes, and moved before the question it depends on: that is a mistake until it is moved back.
        let (second, condition) = (at("options.1.label"), at("onlyIf"));
        let mended = [(label.as_str(), "Which?"), (second.as_str(), "Another"), (condition.as_str(), "needsAccommodation:yes")];
        press(&reviewer, "save", &mended).await.assert_redirect(303, &format!("{BACHELOR}?done=saved"));
        press(&reviewer, &format!("up:{count}"), &[]).await;
        assert_eq!(editor(&reviewer).await["questions"][count - 1]["label"], "Which?");
        press(&reviewer, "remove:1", &[]).await;
        press(&reviewer, "remove:0", &[]).await;
        press(&reviewer, "bring-back:0", &[]).await.assert_redirect(303, &format!("{BACHELOR}#question-0"));

        press(&reviewer, "publish", &[]).await.assert_redirect(303, &format!("{BACHELOR}/publish"));
        let (props, form) = asked(&reviewer, "").await;
        assert_eq!(props["applications"], 1);
        let told: Vec<(&str, &str)> = props["differences"].as_array().unwrap().iter()
            .map(|it| (it["title"].as_str().unwrap(), it["second"].as_str().unwrap())).collect();
        assert!(told.contains(&("How do you want to study?", "Is not there")), "{told:?}");
        assert!(told.contains(&("Which?", "Is there")), "{told:?}");
        // Pressed twice, it is done once.
        for _ in 0..2 {
            send(&reviewer, &format!("{BACHELOR}/publish"), &form).await.assert_redirect(303, &format!("{PATH}?done=published"));
        }
        let versions = versions(&reviewer).await;
        let states: Vec<(i64, &str)> = versions.iter()
            .map(|it| (it["version"].as_i64().unwrap(), it["state"].as_str().unwrap())).collect();
        assert_eq!(states, [(2, "published"), (1, "earlier")]);
        assert_eq!((&versions[0]["publishedBy"], &versions[1]["publishedBy"]), (&json!("Demo Reviewer"), &Value::Null));
        assert_eq!(editor(&reviewer).await["revision"], 0, "the draft is over");
        assert_eq!(database.count("audit WHERE action = 'questionnaire.published'").await, 1);

        let page = applicant.get("/bachelor/application/questions").with_cookie(&applicant).send().await.page();
        let asked = page["props"]["questionnaire"].clone();
        assert_eq!((&asked["version"], asked.to_string().contains("Which?")), (&json!(2), true));
    }

    async fn two_who_write_at_once_see_both_and_overwrite_nothing(database: Database) {
        let (world, reviewer) = started(&database).await;
        let decider = staff_client(&world, Role::Decider).await;
        let mine = with(fields(&editor(&reviewer).await, "save"), &[("questions.0.label", "Mine?")]);
        let theirs = with(fields(&editor(&decider).await, "save"), &[("questions.0.label", "Theirs?")]);
        send(&decider, BACHELOR, &theirs).await.assert_redirect(303, &format!("{BACHELOR}?done=saved"));
        let refused = send(&reviewer, BACHELOR, &mine).await.assert_document(412, "adminQuestionnaire");
        let props = &refused["props"];
        let difference = json!({ "title": "Mine?", "field": "Question", "first": "Mine?", "second": "Theirs?" });
        assert_eq!(props["differences"], json!([difference]));
        assert_eq!((&props["questions"][0]["label"], &props["info"]["changedBy"]), (&json!("Mine?"), &json!("Demo Decider")));
        assert_eq!(editor(&reviewer).await["questions"][0]["label"], "Theirs?");
        // After seeing both versions, one may decide.
        send(&reviewer, BACHELOR, &fields(props, "save")).await.assert_redirect(303, &format!("{BACHELOR}?done=saved"));
        assert_eq!(editor(&decider).await["questions"][0]["label"], "Mine?");

        // The same form sent twice is one change, including new questions.
        let again = fields(&editor(&reviewer).await, "add");
        let revision = editor(&reviewer).await["revision"].as_i64().unwrap();
        for _ in 0..2 {
            assert_eq!(send(&reviewer, BACHELOR, &again).await.status, 303);
        }
        assert_eq!(editor(&reviewer).await["revision"], revision + 1);

        // Somebody publishes while another is asked for confirmation.
        press(&decider, "remove:5", &[("questions.5.label", "New")]).await;
        let (_, first) = asked(&decider, "").await;
        let (_, second) = asked(&reviewer, "").await;
        assert_eq!(send(&decider, &format!("{BACHELOR}/publish"), &first).await.status, 303);
        let late = send(&reviewer, &format!("{BACHELOR}/publish"), &second).await.assert_document(412, "adminQuestionnaires");
        assert!(late["props"]["form"]["error"].as_str().unwrap().starts_with("Somebody else"), "{late}");
        assert_eq!(versions(&reviewer).await.len(), 2);

        let draft = fields(&editor(&reviewer).await, "save");
        let raced = at_once(4, |number| {
            let (reviewer, form) = (reviewer.clone(), with(draft.clone(), &[("questions.0.label", &format!("Race {number}?"))]));
            async move { send(&reviewer, BACHELOR, &form).await.status }
        }).await;
        assert_eq!(raced.iter().filter(|status| **status == 303).count(), 1, "{raced:?}");
        assert!(raced.iter().all(|status| matches!(status, 303 | 412)), "{raced:?}");

        let revision = editor(&reviewer).await["revision"].to_string();
        let old = [("_action".to_owned(), "discard".to_owned()), ("revision".into(), "0".into())];
        assert_eq!(send(&reviewer, BACHELOR, &old).await.status, 412);
        for _ in 0..2 {
            let now = [("_action".to_owned(), "discard".to_owned()), ("revision".into(), revision.clone())];
            send(&reviewer, BACHELOR, &now).await.assert_redirect(303, &format!("{PATH}?done=discarded"));
        }
        assert_eq!(database.count("questionnaire_drafts").await, 0);
    }

    async fn an_earlier_version_comes_back_as_a_new_one_and_answers_keep_theirs(database: Database) {
        let (world, reviewer) = started(&database).await;
        let sent = world.register().await;
        assert_eq!(sent.post("/api/users/application").json(&complete_answers()).send().await.status, 200);
        let answers = json!({ "motivation": "So.", "studyMode": "full_time", "hoursPerWeek": 12, "needsAccommodation": false });
        save(&sent, answers).await;
        let submit = sent.post("/api/users/application/submit").json(&json!({ "declaration": true }));
        let submitted = submit.send().await;
        assert_eq!(submitted.status, 200, "{submitted:?}");
        press(&reviewer, "publish", &[("questions.0.label", "Other words?")]).await;
        let (_, form) = asked(&reviewer, "").await;
        assert_eq!(send(&reviewer, &format!("{BACHELOR}/publish"), &form).await.status, 303);
        let (props, form) = asked(&reviewer, "?version=1").await;
        assert_eq!((&props["version"], props["differences"].as_array().unwrap().len()), (&json!(1), 1));
        for _ in 0..2 {
            let done = send(&reviewer, &format!("{BACHELOR}/publish"), &form).await;
            done.assert_redirect(303, &format!("{PATH}?done=published"));
        }
        let now = versions(&reviewer).await;
        assert_eq!((now.len(), &now[0]["version"], &now[0]["restoredFrom"]), (3, &json!(3), &json!(1)));
        assert_eq!(sent.get("/api/users/application").send().await.json()["data"]["questionnaire"]["version"], 1);

        for nowhere in ["?version=9", "?version=3", "?version=x"] {
            reviewer.see(&format!("{BACHELOR}/publish{nowhere}")).send().await.assert_redirect(302, PATH);
        }
        for wrong in [vec![], vec![("key", "short"), ("published", "3")], vec![("key", "0123456789abcdef"), ("published", "x")]] {
            let answer = reviewer.send(&format!("{BACHELOR}/publish"), &wrong).send().await;
            assert_eq!(answer.status, 400, "{wrong:?}");
        }
    }

    async fn a_version_with_answers_is_archived_and_another_deleted(database: Database) {
        let (world, reviewer) = started(&database).await;
        let applicant = world.register().await;
        save(&applicant, json!({ "hoursPerWeek": 12 })).await;
        let publish = async |label: &str| {
            let replaces = versions(&reviewer).await[0]["version"].clone();
            let question = json!({ "key": "why", "type": "text", "label": label });
            let body = json!({ "applicationType": "ba", "replaces": replaces, "questions": [question] });
            let published = reviewer.api("POST", "/api/admins/questionnaires").json(&body).send().await;
            assert_eq!(published.status, 201, "{published:?}");
            published.json()["id"].as_str().unwrap().to_owned()
        };
        let second = publish("Second?").await;
        let third = publish("Third?").await;
        let all = reviewer.api("GET", "/api/admins/questionnaires").send().await.json();
        let first = all["questionnaires"].as_array().unwrap().iter()
            .find(|it| it["version"] == 1 && it["applicationType"] == "ba").unwrap()["id"].as_str().unwrap().to_owned();
        let call = async |method: &str, id: &str| {
            let path = format!("/api/admins/questionnaires/{id}");
            reviewer.api(method, &path).json(&json!({ "archived": true })).send().await
        };
        call("DELETE", &third).await.assert_problem(409, "questionnaire.published");
        call("PATCH", &third).await.assert_problem(409, "questionnaire.published");
        // Another process may still accept an answer to it.
        call("DELETE", &second).await.assert_problem(409, "questionnaire.in_use");
        world.clock.advance(MINUTE);
        call("DELETE", &first).await.assert_problem(409, "questionnaire.in_use");
        assert_eq!(call("DELETE", &second).await.status, 204);
        call("DELETE", &second).await.assert_problem(404, "questionnaire.not_found");
        for _ in 0..2 {
            assert_eq!(call("PATCH", &first).await.status, 204);
        }
        let states = |versions: Vec<Value>| -> Vec<(i64, String)> {
            let state = |it: &Value| (it["version"].as_i64().unwrap(), it["state"].as_str().unwrap().to_owned());
            versions.iter().map(state).collect()
        };
        assert_eq!(states(versions(&reviewer).await), [(3, "published".to_owned()), (1, "archived".to_owned())]);
        reviewer.send(PATH, &[("_action", &format!("unarchive:{first}"))]).send().await
            .assert_redirect(303, &format!("{PATH}?done=unarchived"));
        assert_eq!(states(versions(&reviewer).await)[1].1, "earlier");
        let refused = reviewer.send(PATH, &[("_action", &format!("delete:{first}"))]).send().await;
        let page = refused.assert_document(409, "adminQuestionnaires");
        assert_eq!(page["props"]["form"]["error"], "This questionnaire has answers and cannot be deleted. Archive it.");

        // Questions written over the API follow the same rules.
        let body = |replaces: i64, questions: Value| json!({ "applicationType": "ba", "replaces": replaces, "questions": questions });
        let one = json!([{ "key": "why", "type": "text", "label": "Why?" }]);
        for (body, status, code) in [
            (body(1, one.clone()), 412, "questionnaire.stale"),
            (body(3, json!([])), 422, "questions.count"),
            (body(3, json!("x")), 422, "questions.type"),
            (json!({ "replaces": 3, "questions": one }), 422, "applicationType.required"),
            (json!({ "applicationType": "ba", "questions": one }), 422, "replaces.required"),
        ] {
            let answer = reviewer.api("POST", "/api/admins/questionnaires").json(&body).send().await;
            answer.assert_problem(status, code);
        }
    }

    async fn a_preview_asks_as_an_applicant_is_asked_and_stores_nothing(database: Database) {
        let (world, reviewer) = started(&database).await;
        let see = async |query: &str| {
            let page = reviewer.see(&format!("{BACHELOR}/preview{query}")).send().await;
            page.assert_document(200, "adminQuestionnairePreview")["props"].clone()
        };
        assert_eq!(see("").await["form"]["errors"], json!({}));
        let answered = see("?check=1&questionnaire.answers.hoursPerWeek=200&questionnaire.answers.needsAccommodation=yes").await;
        let errors = &answered["form"]["errors"];
        assert_eq!(errors["questionnaire.answers.hoursPerWeek"], "The number must be between 1 and 80.");
        assert!(errors["questionnaire.answers.accommodation"].is_string(), "it is asked after a Yes: {errors}");
        assert_eq!(answered["form"]["values"]["questionnaire.answers.hoursPerWeek"], "200");
        press(&reviewer, "preview", &[("questions.0.label", "")]).await.assert_redirect(303, &format!("{BACHELOR}/preview"));
        assert_eq!(see("").await["leftOut"], 1);
        assert_eq!(see("?version=1").await["leftOut"], 0);
        for path in [format!("{BACHELOR}/preview?version=7"), format!("{PATH}/doctor"), format!("{PATH}/doctor/preview"), format!("{PATH}/doctor/publish")] {
            assert_eq!(reviewer.see(&path).send().await.status, 404, "{path}");
        }
        assert_eq!(database.count("applications").await, 0);
        drop(world);
    }

    async fn what_referees_are_asked_is_written_in_the_same_draft(database: Database) {
        let (world, reviewer) = started(&database).await;
        let applicant = world.register().await;
        save(&applicant, json!({ "hoursPerWeek": 12 })).await;
        let none = json!({ "needed": "", "most": "", "letter": "", "questions": [] });
        assert_eq!(editor(&reviewer).await["references"], none, "a new product asks for none");

        let numbers = [("references.needed", "2"), ("references.most", "1"), ("references.letter", "optional")];
        press(&reviewer, "referee-add", &numbers).await.assert_redirect(303, &format!("{BACHELOR}#referee-question-0"));
        let added = editor(&reviewer).await["references"].clone();
        assert_eq!((&added["needed"], &added["questions"][0]["type"]), (&json!("2"), &json!("text")));
        press(&reviewer, "publish", &[]).await.assert_redirect(303, &format!("{BACHELOR}?done=saved"));
        let told = reviewer.see(&format!("{BACHELOR}?done=saved")).send().await.page();
        let errors = &told["props"]["form"]["errors"];
        assert!(errors["references.needed"].is_string(), "{errors}");
        assert_eq!(errors["references.questions.0.label"], "This must not be empty.");

        press(&reviewer, "referee-add", &[("references.most", "3"), ("references.questions.0.label", "How long have you known them?")]).await;
        press(&reviewer, "referee-up:1", &[("references.questions.1.label", "What do they do well?")]).await;
        let labels = |props: &Value| {
            let questions = props["references"]["questions"].as_array().unwrap();
            questions.iter().map(|question| question["label"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(labels(&editor(&reviewer).await), ["What do they do well?", "How long have you known them?"]);
        press(&reviewer, "referee-remove:0", &[]).await.assert_redirect(303, &format!("{BACHELOR}#referee-question-0"));
        let own = editor(&reviewer).await["questions"].clone();
        assert!(own.as_array().unwrap().iter().all(|question| question["removed"] != true), "applicants’ questions stay: {own}");
        // The preview shows what a referee will see.
        let preview = reviewer.see(&format!("{BACHELOR}/preview?of=referees")).send().await;
        preview.assert_document(200, "adminQuestionnairePreview");
        assert!(preview.text.contains("How long have you known them?") && !preview.text.contains("What do they do well?"), "{preview:?}");

        press(&reviewer, "publish", &[]).await.assert_redirect(303, &format!("{BACHELOR}/publish"));
        let (props, form) = asked(&reviewer, "").await;
        let told = props["differences"].to_string();
        for expected in ["References", "Can be named", "How long have you known them?"] {
            assert!(told.contains(expected), "{expected}: {told}");
        }
        assert_eq!(send(&reviewer, &format!("{BACHELOR}/publish"), &form).await.status, 303);
        let rules = applicant.get("/api/users/references").send().await.json();
        assert_eq!((&rules["needed"], &rules["most"], &rules["letter"]), (&json!(2), &json!(3), &json!("optional")));
        // An earlier version asks for what it asked for.
        let (_, form) = asked(&reviewer, "?version=1").await;
        assert_eq!(send(&reviewer, &format!("{BACHELOR}/publish"), &form).await.status, 303);
        assert_eq!(applicant.get("/api/users/references").send().await.json()["most"], 0);
    }

    async fn forms_that_are_none_change_nothing(database: Database) {
        let (_world, reviewer) = started(&database).await;
        let many: Vec<(String, String)> = (0..121).map(|at| (format!("questions.{at}.label"), "x".to_owned())).collect();
        let many = with(many, &[("revision", "0"), ("_action", "save")]);
        for wrong in [
            vec![],
            vec![("_action".to_owned(), "save".to_owned())],
            with(vec![], &[("_action", "save"), ("revision", "many")]),
            with(vec![], &[("_action", "up:x"), ("revision", "0")]),
            many,
        ] {
            assert_eq!(send(&reviewer, BACHELOR, &wrong).await.status, 400, "{wrong:?}");
        }
        for revision in ["-5", "9223372036854775807", "7"] {
            let form = with(vec![], &[("_action", "save"), ("revision", revision)]);
            assert_eq!(send(&reviewer, BACHELOR, &form).await.status, 412, "{revision}");
        }
        assert_eq!(database.count("questionnaire_drafts").await, 0);
    }
}
