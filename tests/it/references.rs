//! References: applicants name referees, who answer through a link from a mail, or decline; applicants learn that a
//! reference came, and staff read it.

use std::io::{Cursor, Read};

use matricula::app::applications::acts::Preconditions;
use matricula::domain::input::Input;
use matricula::domain::moments::{DAY, HOUR, MINUTE, rfc3339};
use matricula::domain::program::Program;
use matricula::domain::role::Role;
use serde_json::{Value, json};

use crate::api::account::{link_to, mails_to};
use crate::api::documents::{self, applicant, as_form, objects};
use crate::decisions::{advance, decide, rejection, seen};
use crate::inquiries::{mentions, secret_in, working};
use crate::office::{hired, staff_client};
use crate::pages::see;
use crate::plans::withdraw;
use crate::support::databases::{Database, story};
use crate::support::files::{eicar, pdf};
use crate::support::rows::at_once;
use crate::support::server::{Answer, Client, PASSWORD, World, complete_answers};
use crate::webhooks;

const CALL: &str = "/api/users/references";
const PAGE: &str = "/dashboard/references";
const LINK: &str = "/reference";
const SPANISH: &str = "language=es";
/// What a referee wrote; an applicant who waived the right to read it never sees the word.
const MARK: &str = "zqxjhonest";
/// All answers that are needed.
pub const ANSWERS: [(&str, &str); 2] =
    [("questionnaire.answers.strengths", "They listen."), ("questionnaire.answers.again", "yes")];
const MARKED: [(&str, &str); 2] =
    [("questionnaire.answers.strengths", "They are zqxjhonest."), ("questionnaire.answers.again", "no")];

/// A questionnaire of the bachelor's program with references, with some of what it says about them changed.
fn questionnaire(changes: &Value) -> Value {
    let mut references = json!({
        "needed": 1,
        "most": 2,
        "letter": "optional",
        "questions": [
            { "key": "strengths", "type": "longText", "label": "What do they do well?" },
            { "key": "again", "type": "yesNo", "label": "Would you work with them again?" },
            { "key": "doubts", "type": "text", "label": "Should we know anything else?", "required": false },
        ],
    });
    for (name, value) in changes.as_object().unwrap() {
        references[name] = value.clone();
    }
    let extra = json!({ "key": "extra", "type": "text", "label": "Anything else?", "required": false });
    json!({ "questions": [extra], "references": references })
}

async fn publish(world: &World, changes: Value) {
    let owner = hired(world, Role::Owner).await;
    let input = Input::from(questionnaire(&changes));
    world.app.publish_questions(&owner, Program::Bachelor, &input, None).await.unwrap();
}

/// A world with its recurring jobs, whose bachelor's program asks for references.
pub async fn asking(database: &Database, changes: Value) -> World {
    let world = working(database).await;
    publish(&world, changes).await;
    world
}

/// What an applicant says about their referee, with some of it changed.
fn referee(client: &Client, changes: &Value) -> Value {
    let mut referee = json!({
        "name": "Demo Referee",
        "email": format!("referee-of-{}", client.email),
        "relationship": "They were my manager",
        "language": "en",
        "waived": true,
    });
    for (name, value) in changes.as_object().unwrap() {
        referee[name] = value.clone();
    }
    referee
}

async fn name(client: &Client, changes: Value) -> Answer {
    client.post(CALL).json(&referee(client, &changes)).send().await
}

/// Names a referee, as the API then describes them.
async fn named(client: &Client, changes: Value) -> Value {
    let answer = name(client, changes).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.json()
}

async fn submit(client: &Client) -> Answer {
    client.post("/api/users/application/submit").json(&json!({ "declaration": true })).send().await
}

/// An applicant who has submitted, their only referee, and the secret of the link that the referee was mailed.
pub async fn asked(world: &World, changes: Value) -> (Client, Value, String) {
    let client = applicant(world).await;
    let referee = named(&client, changes).await;
    let submitted = submit(&client).await;
    assert_eq!(submitted.status, 200, "{submitted:?}");
    let token = secret_in(world, email(&referee), LINK).await;
    (client, referee, token)
}

fn id(referee: &Value) -> &str {
    referee["id"].as_str().unwrap()
}

fn email(referee: &Value) -> &str {
    referee["email"].as_str().unwrap()
}

fn about(referee: &Value, rest: &str) -> String {
    format!("{CALL}/{}{rest}", id(referee))
}

async fn listed(client: &Client) -> Value {
    let answer = client.get(CALL).send().await;
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.json()
}

/// The referee as the applicant sees them now.
async fn now(client: &Client, referee: &Value) -> Value {
    let list = listed(client).await;
    let all = list["referees"].as_array().unwrap();
    all.iter().find(|one| one["id"] == referee["id"]).unwrap_or_else(|| panic!("not in {list}")).clone()
}

async fn application(client: &Client) -> String {
    client.get("/api/users/application").send().await.json()["id"].as_str().unwrap().to_owned()
}

async fn open(world: &World, token: &str) -> Answer {
    see(&world.visitor(), &format!("{LINK}?token={token}")).await
}

/// Presses a button of the referee's form as a browser does that has no script: with all fields, and the file last.
async fn press(
    world: &World,
    token: &str,
    action: &str,
    fields: &[(&str, &str)],
    (file, content): (&str, &[u8]),
) -> Answer {
    let mut body = Vec::new();
    for (name, value) in fields.iter().chain(&[("_action", action)]) {
        let part = format!("--edge\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n");
        body.extend_from_slice(part.as_bytes());
    }
    let head = format!(
        "--edge\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{file}\"\r\n\
         Content-Type: application/octet-stream\r\n\r\n"
    );
    body.extend_from_slice(&[head.as_bytes(), content, b"\r\n--edge--\r\n"].concat());
    let call = as_form(world.visitor().post(&format!("{LINK}?token={token}")), body);
    call.header("sec-fetch-site", "same-origin").send().await
}

/// No file was chosen.
pub const NO_FILE: (&str, &[u8]) = ("", b"");

/// Presses a button that does what it says.
async fn done(world: &World, token: &str, action: &str, fields: &[(&str, &str)], file: (&str, &[u8])) {
    let pressed = press(world, token, action, fields, file).await;
    assert_eq!(pressed.status, 303, "{action}: {pressed:?}");
    assert!(pressed.location().starts_with(&format!("{LINK}?token={token}&done=")), "{action}: {pressed:?}");
}

/// Presses a button that is no longer there: nothing happens, and the page says why.
async fn not_done(world: &World, token: &str, action: &str) {
    let pressed = press(world, token, action, &MARKED, ("letter.pdf", &pdf(600))).await;
    match action {
        "reopen" => assert_eq!(pressed.status, 409, "{pressed:?}"),
        _ => pressed.assert_redirect(303, &format!("{LINK}?token={token}")),
    }
}

pub async fn send(world: &World, token: &str, fields: &[(&str, &str)], file: (&str, &[u8])) {
    done(world, token, "send", fields, file).await;
    // The mail may be forwarded: the link no longer shows what was written.
    let after = open(world, token).await.text;
    assert!(!after.contains(MARK) && !after.contains("letter.pdf"), "{after}");
}

/// What the link's page says that has become of the reference.
async fn state_at(world: &World, token: &str) -> Value {
    open(world, token).await.assert_document(200, "reference")["props"]["state"].clone()
}

async fn templates_to(database: &Database, email: &str) -> Vec<String> {
    let sql = format!("SELECT template FROM outbox WHERE recipient = '{email}' ORDER BY created_at, id");
    database.texts(&sql).await
}

/// The text and the files of an applicant's own archive.
async fn archive(client: &Client) -> (String, Vec<Vec<u8>>) {
    let body = json!({ "currentPassword": PASSWORD });
    let answer = client.post("/api/users/personal-data").json(&body).raw_answer().await;
    assert_eq!(answer.status(), 200);
    let mut archive = zip::ZipArchive::new(Cursor::new(answer.bytes().await.unwrap())).unwrap();
    let (mut text, mut files) = (String::new(), Vec::new());
    for number in 0..archive.len() {
        let mut file = archive.by_index(number).unwrap();
        let name = file.name().unwrap().into_owned();
        if name == "data.json" {
            file.read_to_string(&mut text).unwrap();
        } else if !name.ends_with(".txt") {
            let mut content = Vec::new();
            file.read_to_end(&mut content).unwrap();
            files.push(content);
        }
    }
    (text, files)
}

story! {
    async fn what_referees_are_asked_is_published_with_the_questionnaire(database: Database) {
        let world = working(&database).await;
        world.app.seed_questions().await.unwrap();
        let client = applicant(&world).await;
        let none = listed(&client).await;
        assert_eq!((&none["needed"], &none["most"], &none["referees"]), (&json!(0), &json!(0), &json!([])));
        name(&client, json!({})).await.assert_problem(409, "references.not_asked");

        let reviewer = staff_client(&world, Role::Reviewer).await;
        let publish = async |changes: Value| {
            let mut body = questionnaire(&changes);
            body["applicationType"] = json!("ba");
            body["replaces"] = json!(1);
            reviewer.api("POST", "/api/admins/questionnaires").json(&body).send().await
        };
        let file = json!({ "key": "proof", "type": "file", "label": "Proof" });
        for (wrong, field) in [
            (json!({ "needed": 3 }), "references.needed"),
            (json!({ "needed": -1 }), "references.needed"),
            (json!({ "most": 6 }), "references.most"),
            (json!({ "letter": "perhaps" }), "references.letter"),
            (json!({ "letter": "none", "questions": [] }), "references.letter"),
            (json!({ "questions": [file] }), "references.questions.0.type"),
            (json!({ "questions": [{ "key": "strengths", "type": "text" }] }), "references.questions.0.label"),
        ] {
            let refused = publish(wrong).await;
            assert_eq!(refused.status, 422, "{field}: {refused:?}");
            assert!(refused.json()["fields"][field].is_string(), "{field}: {refused:?}");
        }
        let published = publish(json!({ "letter": "required" })).await;
        assert_eq!(published.status, 201, "{published:?}");
        let all = reviewer.api("GET", "/api/admins/questionnaires").send().await.json();
        let version = all["questionnaires"].as_array().unwrap().iter().find(|it| it["id"] == published.json()["id"]).unwrap().clone();
        let references = &version["references"];
        assert_eq!((&references["needed"], &references["most"], &references["letter"]), (&json!(1), &json!(2), &json!("required")));
        assert_eq!((&references["questions"][1]["key"], &references["questions"][1]["type"]), (&json!("again"), &json!("yesNo")));

        let asked = listed(&client).await;
        for (name, value) in [("needed", json!(1)), ("most", json!(2)), ("room", json!(2)), ("letter", json!("required")), ("open", json!(true)), ("emailConfirmed", json!(true))] {
            assert_eq!(asked[name], value, "{name}: {asked}");
        }
        let page = see(&client, PAGE).await;
        page.assert_document(200, "references");
        for expected in ["name=\"name\"", "name=\"email\"", "name=\"relationship\"", "name=\"organization\"", "name=\"waived\""] {
            assert!(page.text.contains(expected), "{expected}: {page:?}");
        }
        let visitor = world.visitor();
        visitor.get(CALL).send().await.assert_problem(401, "auth.required");
        see(&visitor, PAGE).await.assert_redirect(302, "/bachelor/apply?dialog=login&redirect=%2Fdashboard%2Freferences");
        let nobody = world.register().await;
        nobody.post(CALL).json(&referee(&nobody, &json!({}))).send().await.assert_problem(404, "application.none");
        assert_eq!(see(&nobody, PAGE).await.status, 200);
    }

    async fn what_is_wrong_about_a_referee_is_told_beside_its_field(database: Database) {
        let world = asking(&database, json!({})).await;
        let client = applicant(&world).await;
        let own = client.email.to_uppercase();
        for (changes, field, code) in [
            (json!({ "name": "" }), "name", "name.required"),
            (json!({ "name": "n".repeat(300) }), "name", ""),
            (json!({ "name": "Demo\u{7}Referee" }), "name", ""),
            (json!({ "name": "Demo\u{202e}Referee" }), "name", ""),
            (json!({ "name": "Win at evil.example" }), "name", "name.address"),
            (json!({ "email": "nobody" }), "email", "email.invalid"),
            (json!({ "email": "" }), "email", "email.required"),
            (json!({ "email": own }), "email", "email.own"),
            (json!({ "relationship": "" }), "relationship", "relationship.required"),
            (json!({ "relationship": "r".repeat(101) }), "relationship", "relationship.too_long"),
            (json!({ "relationship": "See evil.example" }), "relationship", "relationship.address"),
            (json!({ "organization": "o".repeat(101) }), "organization", "organization.too_long"),
            (json!({ "organization": "Demo\u{0}Library" }), "", ""),
            (json!({ "language": "xx" }), "language", ""),
            (json!({ "waived": "perhaps" }), "waived", "waived.type"),
            (json!({ "waived": null }), "", ""),
            (json!({ "mark": 5 }), "mark", "field.unknown"),
        ] {
            let refused = name(&client, changes.clone()).await;
            assert!((400..500).contains(&refused.status), "{changes}: {refused:?}");
            if !field.is_empty() {
                assert_eq!(refused.status, 422, "{changes}: {refused:?}");
                assert!(refused.json()["fields"][field].is_string(), "{changes}: {refused:?}");
            }
            assert!(code.is_empty() || refused.code() == code, "{changes}: {refused:?}");
        }
        let mut unsaid = referee(&client, &json!({}));
        unsaid.as_object_mut().unwrap().remove("waived");
        client.post(CALL).json(&unsaid).send().await.assert_problem(422, "waived.required");
        assert_eq!(database.count("referees").await, 0);

        // The page says the same, and nothing typed is lost.
        let typed = [("_action", "name"), ("name", "Zoë Demo"), ("email", "nobody"), ("relationship", "A colleague"), ("organization", "Demo Library"), ("language", "es")];
        let refused = client.post(PAGE).form(&typed).with_cookie(&client).send().await;
        let page = refused.assert_document(422, "references");
        for wrong in ["email", "waived"] {
            assert!(page["props"]["form"]["errors"][wrong].is_string(), "{wrong}: {page}");
        }
        assert!(refused.text.contains("Zoë Demo") && refused.text.contains("aria-invalid=\"true\""), "{refused:?}");

        named(&client, json!({})).await;
        let shouted = json!({ "email": format!("REFEREE-of-{}", client.email) });
        name(&client, shouted).await.assert_problem(422, "email.taken");
        named(&client, json!({ "email": "another@example.org" })).await;
        assert_eq!(listed(&client).await["room"], 0);
        name(&client, json!({ "email": "third@example.org" })).await.assert_problem(409, "referee.too_many");
        // Somebody else can name the same person.
        let other = applicant(&world).await;
        named(&other, json!({ "email": "another@example.org" })).await;
        // Two tabs name the same person once.
        let twice = applicant(&world).await;
        let answers = at_once(4, |_| {
            let client = twice.clone();
            async move { name(&client, json!({})).await.status }
        })
        .await;
        assert_eq!(answers.iter().filter(|status| **status == 200).count(), 1, "{answers:?}");
        assert!(answers.iter().all(|status| matches!(status, 200 | 409 | 422)), "{answers:?}");
    }

    async fn nobody_is_asked_before_the_applicants_own_address_is_confirmed(database: Database) {
        let world = asking(&database, json!({})).await;
        let client = world.register_unconfirmed().await;
        let saved = client.post("/api/users/application").json(&complete_answers()).send().await;
        assert_eq!(saved.status, 200, "{saved:?}");
        let referee = named(&client, json!({})).await;
        let refused = client.post(&about(&referee, "/ask")).send().await;
        assert_eq!(refused.status, 409, "{refused:?}");
        assert!(refused.code().contains("confirmed"), "{refused:?}");
        assert_eq!(submit(&client).await.status, 200);
        advance(&world, 2 * HOUR).await;
        let client = client.log_in().await;
        let list = listed(&client).await;
        assert_eq!((&list["emailConfirmed"], &list["referees"][0]["state"], &list["referees"][0]["askedAt"]), (&json!(false), &json!("named"), &Value::Null));
        assert_eq!(mails_to(&world, email(&referee)).await, [""; 0], "a stranger could have named anybody");

        let confirm = json!({ "token": link_to(&world, &client.email).await });
        assert_eq!(world.visitor().post("/api/users/email-confirmation/confirm").json(&confirm).send().await.status, 204);
        advance(&world, HOUR).await;
        let client = client.log_in().await;
        assert_eq!(now(&client, &referee).await["state"], "asked");
        assert_eq!(mails_to(&world, email(&referee)).await.len(), 1);
        advance(&world, HOUR).await;
        assert_eq!(mails_to(&world, email(&referee)).await.len(), 1, "once");
    }

    async fn in_a_draft_a_referee_is_named_and_asked_when_the_applicant_says_so(database: Database) {
        let world = asking(&database, json!({ "needed": 2 })).await;
        let client = applicant(&world).await;
        let first = named(&client, json!({})).await;
        assert_eq!((&first["state"], &first["askedAt"], &first["remindFrom"], &first["organization"]), (&json!("named"), &Value::Null, &Value::Null, &Value::Null));
        advance(&world, 2 * HOUR).await;
        assert_eq!(mails_to(&world, email(&first)).await, [""; 0]);
        let client = client.log_in().await;
        let asked = client.post(&about(&first, "/ask")).send().await;
        assert_eq!((asked.status, &asked.json()["asked"]), (200, &json!("asked")), "{asked:?}");
        let told = now(&client, &first).await;
        let at = world.app.clock.now();
        assert_eq!((&told["state"], &told["askedAt"], &told["remindFrom"]), (&json!("asked"), &json!(rfc3339(at)), &json!(rfc3339(at + 3 * DAY))));
        client.post(&about(&first, "/ask")).send().await.assert_problem(409, "referee.reminded");

        // The mail says who asks and for what; the link in it is all that it takes.
        let mail = world.mails(50).await.into_iter().find(|mail| mail.to == email(&first)).unwrap();
        for expected in ["Dear Demo Referee,", "Demo Sample", "bachelor’s program", "waived the right", "http://apply.example.org/reference?token="] {
            assert!(mail.text.to_lowercase().contains(&expected.to_lowercase()), "{expected}: {}", mail.text);
        }
        // Until it is sent it is sealed, and afterwards the link is nowhere.
        assert_eq!(database.count("outbox WHERE body_text LIKE '%/reference?token=%' OR message_text LIKE '%/reference?token=%'").await, 0);
        let token = secret_in(&world, email(&first), LINK).await;
        send(&world, &token, &ANSWERS, NO_FILE).await;

        // Two are needed: the application waits for a second name, and then asks everybody who was not asked yet.
        submit(&client).await.assert_problem(422, "references.required");
        let second = named(&client, json!({ "email": "second@example.org" })).await;
        assert_eq!(mails_to(&world, email(&second)).await, [""; 0]);
        assert_eq!(submit(&client).await.status, 200);
        assert_eq!((mails_to(&world, email(&first)).await.len(), mails_to(&world, email(&second)).await.len()), (1, 1));
        assert_eq!((&now(&client, &first).await["state"], &now(&client, &second).await["state"]), (&json!("received"), &json!("asked")));
        // Taken back and submitted again, nobody is asked twice.
        assert_eq!(client.post("/api/users/application/unsubmit").send().await.status, 200);
        assert_eq!(submit(&client).await.status, 200);
        assert_eq!(mails_to(&world, email(&second)).await.len(), 1);
        let nowhere = client.post(&format!("{CALL}/nobody/ask")).send().await;
        nowhere.assert_problem(404, "referee.not_found");
        let stranger = applicant(&world).await;
        stranger.post(&about(&second, "/ask")).send().await.assert_problem(404, "referee.not_found");
        stranger.call("DELETE", &about(&second, "")).send().await.assert_problem(404, "referee.not_found");
    }

    async fn a_submission_waits_for_the_referees_it_needs_and_asks_them_all(database: Database) {
        let world = asking(&database, json!({ "needed": 2, "most": 3 })).await;
        let client = applicant(&world).await;
        let refused = submit(&client).await;
        refused.assert_problem(422, "references.required");
        let fields = refused.json()["fields"].as_object().unwrap().clone();
        assert!(fields.len() == 1 && fields["references"].is_string(), "{fields:?}");
        let page = see(&client, "/bachelor/application/check").await;
        assert!(page.text.contains("href=\"/dashboard/references\"") && page.text.contains("Name 2 referees on your references page."), "{page:?}");

        let one = named(&client, json!({ "email": "one@example.org" })).await;
        let gone = named(&client, json!({ "email": "gone@example.org" })).await;
        assert_eq!(client.call("DELETE", &about(&gone, "")).send().await.status, 204);
        submit(&client).await.assert_problem(422, "references.required");
        let declining = named(&client, json!({ "email": "declining@example.org" })).await;
        assert_eq!(client.post(&about(&declining, "/ask")).send().await.status, 200);
        let token = secret_in(&world, email(&declining), LINK).await;
        done(&world, &token, "decline", &[], NO_FILE).await;
        submit(&client).await.assert_problem(422, "references.required");
        let two = named(&client, json!({ "email": "two@example.org" })).await;
        assert_eq!(database.count("outbox WHERE recipient IN ('one@example.org', 'two@example.org')").await, 0);
        let page = see(&client, "/bachelor/application/check").await;
        assert!(page.text.contains("name=\"declaration\""), "nothing is missing any more: {page:?}");

        // However often it is pressed, each is asked once; who was removed or has declined is not.
        let answers = at_once(4, |_| {
            let client = client.clone();
            async move { submit(&client).await.status }
        })
        .await;
        assert_eq!(answers.iter().filter(|status| **status == 200).count(), 1, "{answers:?}");
        for (referee, mails) in [(&one, 1), (&two, 1), (&gone, 0), (&declining, 1)] {
            assert_eq!(mails_to(&world, email(referee)).await.len(), mails, "{referee}");
        }
        // From then on naming asks.
        let more = named(&client, json!({ "email": "more@example.org" })).await;
        assert_eq!(more["state"], "asked");
        assert_eq!(mails_to(&world, email(&more)).await.len(), 1);
    }

    async fn a_referee_opens_the_link_saves_comes_back_and_sends(database: Database) {
        let world = asking(&database, json!({})).await;
        let (client, referee, token) = asked(&world, json!({ "organization": "Demo Library" })).await;
        let link = format!("{LINK}?token={token}");
        let opened = async || database.texts("SELECT COALESCE(CAST(opened_at AS TEXT), '') FROM referees").await.remove(0);
        assert_eq!(opened().await, "");
        let page = see(&world.visitor(), &link).await;
        page.assert_document(200, "reference");
        assert_eq!(page.header("cache-control"), "no-store");
        for expected in ["Demo Sample", "Bachelor’s program", "What do they do well?", "Would you work with them again?", "type=\"file\""] {
            assert!(page.text.contains(expected), "{expected}: {page:?}");
        }
        assert_eq!(page.page()["props"]["waived"], true, "whether the applicant can read it");
        // Only what the referee has to know is on the page.
        for secret in [client.email.as_str(), "5550100199", "1990-02-28"] {
            assert!(!page.text.contains(secret), "{secret}: {page:?}");
        }
        let first = opened().await;
        assert!(!first.is_empty());
        world.clock.advance(MINUTE);
        assert_eq!(world.visitor().call("HEAD", &link).send().await.status, 200);
        open(&world, &token).await;
        assert_eq!((opened().await, now(&client, &referee).await["state"].clone()), (first, json!("asked")), "looking does nothing else");

        // Half of it, with a mistake that is told and lost nowhere.
        let half = [("questionnaire.answers.strengths", "They listen.\r\nAnd ask <well>."), ("questionnaire.answers.again", "")];
        let saved = press(&world, &token, "save", &half, NO_FILE).await;
        assert_eq!(saved.status, 303, "{saved:?}");
        let told = see(&world.visitor(), saved.location()).await;
        assert!(told.status == 200 && told.text.contains("And ask &lt;well&gt;."), "{told:?}");
        let long = "w".repeat(50_000);
        let refused = press(&world, &token, "save", &[("questionnaire.answers.strengths", long.as_str())], NO_FILE).await;
        refused.assert_document(422, "reference");
        let unfinished = press(&world, &token, "send", &half, NO_FILE).await;
        let page = unfinished.assert_document(422, "reference");
        let errors = &page["props"]["form"]["errors"];
        assert!(errors["questionnaire.answers.again"].is_string(), "{page}");
        assert!(!errors["questionnaire.answers.doubts"].is_string(), "{page}");
        assert!(unfinished.text.contains("And ask &lt;well&gt;.") && unfinished.text.contains("aria-invalid=\"true\""), "{unfinished:?}");
        assert_eq!(now(&client, &referee).await["state"], "asked");

        // Days later on another device, only what is missing is filled in.
        advance(&world, 2 * DAY).await;
        let client = client.log_in().await;
        assert!(open(&world, &token).await.text.contains("And ask &lt;well&gt;."));
        let rest = [("questionnaire.answers.strengths", "They listen.\r\nAnd ask <well>."), ("questionnaire.answers.again", "yes")];
        send(&world, &token, &rest, NO_FILE).await;
        let received = now(&client, &referee).await;
        assert_eq!((&received["state"], &received["finishedAt"], &received["says"]), (&json!("received"), &json!(rfc3339(world.app.clock.now())), &Value::Null));
        let over = open(&world, &token).await;
        assert!(over.status < 500 && !over.text.contains("name=\"questionnaire.answers.strengths\""), "{over:?}");
        // It is final.
        for action in ["save", "send", "decline", "remove-letter", "reopen"] {
            not_done(&world, &token, action).await;
        }
        assert_eq!(state_at(&world, &token).await, "received");
        assert_eq!(mentions(&world, &database, MARK).await, [""; 0]);
        assert_eq!(objects(&world).await.len(), 0);

        // The applicant is told that it came, and nothing of it.
        assert_eq!(templates_to(&database, &client.email).await.iter().filter(|template| *template == "reference-received").count(), 1);
        let mail = world.mails(1).await.remove(0);
        assert!(mail.to == client.email && mail.text.contains("Demo Referee") && !mail.text.contains("listen"), "{}", mail.text);
        // The record says what happened, and neither who nor what.
        let acts = database.texts("SELECT action FROM audit WHERE action LIKE 'refer%' ORDER BY happened_at, action").await;
        assert_eq!(acts, ["referee.asked", "referee.named", "reference.received"]);
        let words = database.texts("SELECT actor || subject || detail FROM audit").await.concat();
        for secret in [email(&referee), "Demo Referee", "listen", token.as_str()] {
            assert!(!words.contains(secret), "{secret}");
        }
        let stored = database.texts("SELECT COALESCE(digest, '') || COALESCE(link, '') FROM referees").await.concat();
        assert!(!stored.contains(&token), "the link is sealed");
    }

    async fn a_link_that_leads_nowhere_says_so(database: Database) {
        let world = asking(&database, json!({})).await;
        let (_, _, token) = asked(&world, json!({})).await;
        for wrong in ["", "nonsense", &token[1..], &"x".repeat(3_000), "%00", "1%27%20OR%201=1"] {
            let looked = open(&world, wrong).await;
            assert!((200..500).contains(&looked.status) && !looked.text.contains("Demo Sample"), "{wrong}: {looked:?}");
            let pressed = press(&world, wrong, "send", &ANSWERS, NO_FILE).await;
            assert!((400..500).contains(&pressed.status), "{wrong}: {pressed:?}");
        }
        let elsewhere = world.visitor().post(&format!("{LINK}?token={token}")).raw("application/x-www-form-urlencoded", "_action=decline");
        let elsewhere = elsewhere.header("sec-fetch-site", "cross-site").send().await;
        assert_eq!(elsewhere.status, 403, "no other site can press a button: {elsewhere:?}");
        assert_eq!(database.texts("SELECT state FROM referees").await, ["asked"]);
    }

    async fn a_letter_is_checked_kept_replaced_and_removed(database: Database) {
        let world = asking(&database, json!({ "letter": "required", "questions": [] })).await;
        let (client, referee, token) = asked(&world, json!({})).await;
        let refused = press(&world, &token, "send", &[], NO_FILE).await;
        let page = refused.assert_document(422, "reference");
        assert!(page["props"]["form"]["errors"]["file"].is_string(), "{page}");
        for (name, content) in [
            ("letter.txt", b"Dear colleagues".to_vec()),
            ("letter.pdf", b"Dear colleagues".to_vec()),
            ("letter.pdf", Vec::new()),
            ("letter", pdf(600)),
            ("letter.pdf", eicar()),
            ("letter.pdf", pdf(10 * 1024 * 1024 + 1_000)),
        ] {
            for action in ["save", "send"] {
                let refused = press(&world, &token, action, &[], (name, &content)).await;
                assert!((400..500).contains(&refused.status), "{action} {name}, {} bytes: {refused:?}", content.len());
            }
        }
        assert_eq!(objects(&world).await, [""; 0], "nothing that was refused is kept");
        assert_eq!(now(&client, &referee).await["state"], "asked");

        let (first, second) = (pdf(5_000), pdf(9_000));
        done(&world, &token, "save", &[], ("first.pdf", &first)).await;
        let kept = objects(&world).await;
        assert!(kept.len() == 1 && open(&world, &token).await.text.contains("first.pdf"), "{kept:?}");
        done(&world, &token, "save", &[], ("second.pdf", &second)).await;
        let replaced = objects(&world).await;
        assert!(replaced.len() == 1 && replaced != kept, "{replaced:?}");
        // What is refused later leaves the letter that is there.
        assert!(press(&world, &token, "save", &[], ("letter.pdf", b"no PDF")).await.status >= 400);
        assert_eq!(objects(&world).await, replaced);
        done(&world, &token, "remove-letter", &[], NO_FILE).await;
        assert_eq!(objects(&world).await, [""; 0]);
        assert_eq!(press(&world, &token, "send", &[], NO_FILE).await.status, 422);

        // Chosen and sent at once.
        send(&world, &token, &[], ("letter.pdf", &second)).await;
        let reviewer = staff_client(&world, Role::Reviewer).await;
        let letter = format!("/api/admins/applications/{}/references/{}/letter", application(&client).await, id(&referee));
        let saved = reviewer.api("GET", &letter).send().await;
        assert_eq!((saved.status, saved.header("content-type")), (200, "application/pdf"), "{saved:?}");
        assert!(saved.bytes == second && saved.header("content-disposition").starts_with("attachment; filename=\"letter.pdf\""));
        assert_eq!(saved.header("x-content-type-options"), "nosniff");
        // The job that looks for objects without a row leaves it alone.
        world.clock.advance(400 * DAY);
        for _ in 0..2 {
            world.clock.advance(31 * DAY);
            world.app.remove_nameless_objects().await.unwrap();
        }
        assert_eq!(objects(&world).await.len(), 1);
        assert_eq!(database.count("storage_unnamed").await, 0);
    }

    async fn a_letter_is_not_asked_for_where_there_is_none(database: Database) {
        let world = asking(&database, json!({ "letter": "none" })).await;
        let (_, _, token) = asked(&world, json!({})).await;
        assert!(!open(&world, &token).await.text.contains("type=\"file\""));
        let refused = press(&world, &token, "save", &ANSWERS, ("letter.pdf", &pdf(600))).await;
        assert!(refused.status < 500, "{refused:?}");
        assert_eq!(objects(&world).await, [""; 0]);
        send(&world, &token, &ANSWERS, NO_FILE).await;
    }

    async fn a_referee_declines_and_can_think_better_of_it(database: Database) {
        let world = asking(&database, json!({ "most": 1 })).await;
        let (client, referee, token) = asked(&world, json!({})).await;
        name(&client, json!({ "email": "second@example.org" })).await.assert_problem(409, "referee.too_many");
        let long = "r".repeat(1_001);
        press(&world, &token, "decline", &[("reason", long.as_str())], NO_FILE).await.assert_document(422, "reference");
        let half = [("questionnaire.answers.strengths", "They listen."), ("questionnaire.answers.again", "")];
        done(&world, &token, "save", &half, NO_FILE).await;
        done(&world, &token, "decline", &[("reason", "I am zqxjhonest: I hardly know them.")], NO_FILE).await;
        assert_eq!(state_at(&world, &token).await, "declined");
        let told = now(&client, &referee).await;
        assert_eq!((&told["state"], &told["remindFrom"]), (&json!("declined"), &Value::Null));
        let mail = world.mails(1).await.remove(0);
        assert_eq!((mail.to.as_str(), templates_to(&database, &client.email).await.last().map(String::as_str)), (client.email.as_str(), Some("reference-declined")));
        let seen = [listed(&client).await.to_string(), see(&client, PAGE).await.text, mail.text, archive(&client).await.0].concat();
        assert!(!seen.contains(MARK), "the reason is for staff: {seen}");
        let reviewer = staff_client(&world, Role::Reviewer).await;
        let office = format!("/api/admins/applications/{}/references", application(&client).await);
        let shown = reviewer.api("GET", &office).send().await.json()["references"][0].clone();
        assert!(shown["reason"].as_str().unwrap().contains(MARK) && shown["answers"] == json!([]), "{shown}");
        client.post(&about(&referee, "/ask")).send().await.assert_problem(409, "references.closed");
        // Nobody is reminded any more, and another one can be named.
        advance(&world, 8 * DAY).await;
        assert_eq!(mails_to(&world, email(&referee)).await.len(), 1);
        let client = client.log_in().await;
        assert_eq!(listed(&client).await["room"], 1);
        let second = named(&client, json!({ "email": "second@example.org" })).await;
        assert_eq!(second["state"], "asked");

        // After all: as long as nobody has their place. What they saved is still there.
        not_done(&world, &token, "send").await;
        not_done(&world, &token, "reopen").await;
        assert_eq!(client.call("DELETE", &about(&second, "")).send().await.status, 204);
        done(&world, &token, "reopen", &[], NO_FILE).await;
        assert!(open(&world, &token).await.text.contains("They listen."));
        assert_eq!((&now(&client, &referee).await["state"], &listed(&client).await["room"]), (&json!("asked"), &json!(0)));
        send(&world, &token, &ANSWERS, NO_FILE).await;
        assert_eq!(now(&client, &referee).await["state"], "received");
        let reviewer = staff_client(&world, Role::Reviewer).await;
        let shown = reviewer.api("GET", &office).send().await.text;
        assert!(!shown.contains(MARK), "a reason that was taken back is gone: {shown}");
    }

    async fn reminders_come_on_two_days_and_never_after_it_came(database: Database) {
        let world = asking(&database, json!({ "needed": 1, "most": 3 })).await;
        let (client, slow, token) = asked(&world, json!({})).await;
        let quick = named(&client, json!({ "email": "quick@example.org" })).await;
        let gone = named(&client, json!({ "email": "gone@example.org" })).await;
        send(&world, &secret_in(&world, email(&quick), LINK).await, &ANSWERS, NO_FILE).await;
        assert_eq!(client.call("DELETE", &about(&gone, "")).send().await.status, 204);
        let mut counts = Vec::new();
        for _ in 0..40 {
            advance(&world, DAY).await;
            counts.push(mails_to(&world, email(&slow)).await.len());
        }
        let expected: Vec<usize> = (1..=40).map(|day| 1 + usize::from(day >= 7) + usize::from(day >= 14)).collect();
        assert_eq!(counts, expected);
        assert_eq!((mails_to(&world, email(&quick)).await.len(), mails_to(&world, email(&gone)).await.len()), (1, 1));
        // A reminder has the same link: whichever mail somebody finds leads to what they have begun.
        assert_eq!(secret_in(&world, email(&slow), LINK).await, token);
        send(&world, &token, &ANSWERS, NO_FILE).await;

        // Two servers whose jobs run at the same time remind once.
        let (_, other, _) = asked(&world, json!({})).await;
        world.clock.advance(7 * DAY);
        tokio::join!(world.work(), world.work());
        assert_eq!(mails_to(&world, email(&other)).await.len(), 2);
    }

    async fn by_hand_a_referee_is_reminded_after_three_days_at_the_earliest(database: Database) {
        let world = asking(&database, json!({})).await;
        let (client, referee, token) = asked(&world, json!({})).await;
        let office = format!("/api/admins/applications/{}/references/{}/remind", application(&client).await, id(&referee));
        let by_staff = async || staff_client(&world, Role::Reviewer).await.api("POST", &office).send().await;
        let by_applicant = async || client.log_in().await.post(&about(&referee, "/ask")).send().await;
        advance(&world, 3 * DAY - 1).await;
        by_staff().await.assert_problem(409, "referee.reminded");
        by_applicant().await.assert_problem(409, "referee.reminded");
        advance(&world, 1).await;
        let reminded = by_applicant().await;
        assert_eq!((reminded.status, &reminded.json()["asked"]), (200, &json!("reminded")), "{reminded:?}");
        by_staff().await.assert_problem(409, "referee.reminded");
        by_applicant().await.assert_problem(409, "referee.reminded");
        let told = now(&client.log_in().await, &referee).await;
        let at = world.app.clock.now();
        assert_eq!((&told["remindedAt"], &told["remindFrom"]), (&json!(rfc3339(at)), &json!(rfc3339(at + 3 * DAY))));
        advance(&world, 3 * DAY).await;
        let reminded = by_staff().await;
        assert_eq!(reminded.status, 204, "{reminded:?}");
        assert_eq!(mails_to(&world, email(&referee)).await.len(), 3);
        assert_eq!(secret_in(&world, email(&referee), LINK).await, token);
        send(&world, &token, &ANSWERS, NO_FILE).await;
        by_staff().await.assert_problem(409, "references.closed");
        by_applicant().await.assert_problem(409, "references.closed");

        // By the buttons of the pages. The reminder that would have come on day 7 waits until three days after the last.
        let (client, referee, _) = asked(&world, json!({})).await;
        let documents = format!("/admin-panel/applications/{}/documents", application(&client).await);
        let by_staff = async || {
            let action = format!("remind:{}", id(&referee));
            staff_client(&world, Role::Reviewer).await.send(&documents, &[("_action", &action)]).send().await.status
        };
        advance(&world, 3 * DAY).await;
        let action = format!("ask:{}", id(&referee));
        let client = client.log_in().await;
        let pressed = client.post(PAGE).form(&[("_action", &action)]).with_cookie(&client).send().await;
        pressed.assert_redirect(303, &format!("{PAGE}?done=reminded"));
        assert_eq!(by_staff().await, 409);
        advance(&world, 3 * DAY).await;
        assert_eq!(by_staff().await, 303);
        let mut counts = Vec::new();
        for _ in 7..=14 {
            advance(&world, DAY).await;
            counts.push(mails_to(&world, email(&referee)).await.len());
        }
        assert_eq!(counts, [3, 3, 4, 4, 4, 4, 4, 5], "days 7 to 14");
    }

    async fn a_removed_referee_is_no_longer_needed(database: Database) {
        let world = asking(&database, json!({})).await;
        let (client, referee, token) = asked(&world, json!({})).await;
        done(&world, &token, "save", &MARKED, ("letter.pdf", &pdf(600))).await;
        let action = format!("remove:{}", id(&referee));
        let pressed = client.post(PAGE).form(&[("_action", &action)]).with_cookie(&client).send().await;
        assert_eq!(pressed.status, 303, "{pressed:?}");
        client.call("DELETE", &about(&referee, "")).send().await.assert_problem(404, "referee.not_found");
        let list = listed(&client).await;
        assert_eq!((&list["referees"], &list["room"]), (&json!([]), &json!(2)));
        assert_eq!(state_at(&world, &token).await, "over");
        assert!(open(&world, &token).await.text.contains("no longer needed"));
        for action in ["save", "send", "decline", "reopen"] {
            not_done(&world, &token, action).await;
        }
        // What was only begun is gone; staff see that somebody was asked.
        assert_eq!((mentions(&world, &database, MARK).await, objects(&world).await.len()), (Vec::new(), 0));
        let reviewer = staff_client(&world, Role::Reviewer).await;
        let office = reviewer.api("GET", &format!("/api/admins/applications/{}/references", application(&client).await)).send().await.json();
        assert_eq!((&office["references"][0]["state"], &office["references"][0]["answers"]), (&json!("removed"), &json!([])), "{office}");
        assert!(!office.to_string().contains(MARK), "{office}");
        // The same person can be named again, and gets another link.
        let again = named(&client, json!({})).await;
        assert_ne!(secret_in(&world, email(&again), LINK).await, token);
        // Who has sent a reference cannot be removed.
        let token = secret_in(&world, email(&again), LINK).await;
        send(&world, &token, &ANSWERS, NO_FILE).await;
        client.call("DELETE", &about(&again, "")).send().await.assert_problem(409, "references.closed");
    }

    async fn whoever_waived_it_never_reads_a_reference(database: Database) {
        let world = asking(&database, json!({})).await;
        let letter = [pdf(4_000), b"% zqxjhonest\n".to_vec()].concat();
        let (client, referee, token) = asked(&world, json!({ "waived": true })).await;
        let own = application(&client).await;
        send(&world, &token, &MARKED, ("zqxjhonest.pdf", &letter)).await;
        let path = about(&referee, "/letter");
        client.get(&path).send().await.assert_problem(404, "referee.not_found");
        let shown = now(&client, &referee).await;
        assert_eq!((&shown["waived"], &shown["says"]), (&json!(true), &Value::Null));
        let letter_page = format!("{PAGE}/{}/letter", id(&referee));
        for page in [PAGE, "/dashboard", "/dashboard/documents", "/dashboard/messages", "/dashboard/account", letter_page.as_str(), "/bachelor/application", "/dashboard/application.pdf"] {
            let looked = see(&client, page).await;
            assert!(looked.status < 500 && !looked.text.contains(MARK), "{page}: {looked:?}");
        }
        assert_eq!(see(&client, &letter_page).await.status, 404);
        for call in [CALL, "/api/users/application", "/api/users/documents", "/api/users/messages", "/api/users/me"] {
            assert!(!client.get(call).send().await.text.contains(MARK), "{call}");
        }
        // Nor by the id of the file, as a document of theirs or as anything else.
        for object in objects(&world).await {
            let name = object.rsplit('/').next().unwrap();
            for call in [format!("{CALL}/{name}/letter"), format!("{}/{name}", documents::PATH), format!("{CALL}/..%2f{name}/letter")] {
                assert_eq!(client.get(&call).send().await.status, 404, "{call}");
            }
        }
        let (text, files) = archive(&client).await;
        assert!(!text.contains(MARK) && text.contains("Demo Referee"), "{text}");
        assert!(files.iter().all(|file| *file != letter), "nor the letter");
        for mail in world.mails(100).await {
            assert!(!mail.text.contains(MARK) && !mail.subject.contains(MARK), "{}", mail.text);
        }
        // Staff can, and nobody who holds another application.
        let reviewer = staff_client(&world, Role::Reviewer).await;
        assert!(reviewer.api("GET", &format!("/api/admins/applications/{own}/references")).send().await.text.contains(MARK));
        let other = applicant(&world).await;
        for method in ["GET", "HEAD"] {
            assert_eq!(other.call(method, &path).send().await.status, 404);
        }
        assert_eq!(see(&other, &letter_page).await.status, 404);
        other.without_token().get(&path).send().await.assert_problem(401, "auth.required");
        assert!(see(&world.visitor(), &letter_page).await.location().contains("dialog=login"));
    }

    async fn whoever_did_not_waive_it_reads_answers_and_letter(database: Database) {
        let world = asking(&database, json!({})).await;
        let letter = pdf(4_000);
        let (client, referee, token) = asked(&world, json!({ "waived": false })).await;
        assert_eq!(open(&world, &token).await.page()["props"]["waived"], false, "the referee knows that it can be read");
        done(&world, &token, "save", &MARKED, ("letter.pdf", &letter)).await;
        assert_eq!(now(&client, &referee).await["says"], Value::Null, "not what is only begun");
        assert!(!see(&client, PAGE).await.text.contains(MARK));
        client.get(&about(&referee, "/letter")).send().await.assert_problem(404, "referee.not_found");
        send(&world, &token, &MARKED, NO_FILE).await;
        let says = now(&client, &referee).await["says"].clone();
        let strengths = json!({ "question": "What do they do well?", "answer": "They are zqxjhonest." });
        let again = json!({ "question": "Would you work with them again?", "answer": "No" });
        assert!(says["answers"].as_array().unwrap().contains(&strengths) && says["answers"].as_array().unwrap().contains(&again), "{says}");
        assert_eq!((&says["letter"]["name"], &says["letter"]["bytes"]), (&json!("letter.pdf"), &json!(letter.len())));
        let page = see(&client, PAGE).await;
        let path = format!("{PAGE}/{}/letter", id(&referee));
        assert!(page.text.contains("They are zqxjhonest.") && page.text.contains(&path), "{page:?}");
        let saved = client.get(&about(&referee, "/letter")).send().await;
        assert!(saved.status == 200 && saved.bytes == letter && saved.header("content-disposition").starts_with("attachment"), "{:?}", saved.headers);
        assert!(see(&client, &path).await.bytes == letter);
        let (text, files) = archive(&client).await;
        assert!(text.contains("They are zqxjhonest.") && files.contains(&letter), "{text}");
        // That is between the two of them.
        let other = applicant(&world).await;
        other.get(&about(&referee, "/letter")).send().await.assert_problem(404, "referee.not_found");
        assert_eq!(see(&other, &path).await.status, 404);
    }

    async fn staff_who_may_open_documents_read_it_and_others_do_not(database: Database) {
        let world = asking(&database, json!({ "needed": 0 })).await;
        let (client, referee, token) = asked(&world, json!({ "organization": "Demo Library" })).await;
        let waiting = named(&client, json!({ "email": "waiting@example.org", "name": "Demo Waiting" })).await;
        let letter = pdf(4_000);
        send(&world, &token, &MARKED, ("letter.pdf", &letter)).await;
        let (own, other) = (application(&client).await, application(&world.submitted().await).await);
        let path = |application: &str, rest: &str| format!("/api/admins/applications/{application}/references{rest}");
        let (file, remind) = (format!("/{}/letter", id(&referee)), format!("/{}/remind", id(&waiting)));
        for role in Role::ALL {
            let member = staff_client(&world, role).await;
            let may_read = role != Role::Viewer;
            let may_remind = matches!(role, Role::Reviewer | Role::Decider | Role::Owner);
            let list = member.api("GET", &path(&own, "")).send().await;
            let saved = member.api("GET", &path(&own, &file)).send().await;
            let page = member.see(&format!("/admin-panel/applications/{own}/documents")).send().await;
            let from_page = member.see(&format!("/admin-panel/applications/{own}/references/file?referee={}", id(&referee))).send().await;
            let elsewhere = member.see(&format!("/admin-panel/applications/{other}/references/file?referee={}", id(&referee))).send().await;
            if may_read {
                let all = list.json();
                assert_eq!((list.status, &all["needed"], &all["most"], &all["letter"]), (200, &json!(0), &json!(2), &json!("optional")), "{role:?} {list:?}");
                let one = all["references"].as_array().unwrap().iter().find(|one| one["id"] == referee["id"]).unwrap().clone();
                for (name, value) in [("name", "Demo Referee"), ("email", email(&referee)), ("organization", "Demo Library"), ("relationship", "They were my manager"), ("state", "received")] {
                    assert_eq!(one[name], value, "{role:?} {name}");
                }
                assert!(one["openedAt"].is_string() && one["finishedAt"].is_string() && one["waived"] == true, "{one}");
                assert!(one["answers"].as_array().unwrap().contains(&json!({ "question": "What do they do well?", "answer": "They are zqxjhonest." })), "{one}");
                assert_eq!(one["letter"], json!({ "name": "letter.pdf", "bytes": letter.len() }));
                assert!(!all.to_string().contains("oken"), "no secret is shown: {all}");
                assert!(saved.status == 200 && saved.bytes == letter && from_page.bytes == letter, "{role:?}");
                assert_eq!(elsewhere.status, 404, "{role:?}");
                for expected in ["Demo Referee", "They are zqxjhonest.", "letter.pdf", "Demo Waiting"] {
                    assert!(page.text.contains(expected), "{role:?} {expected}: {page:?}");
                }
            } else {
                list.assert_problem(403, "role.forbidden");
                saved.assert_problem(403, "role.forbidden");
                assert!(page.status == 403 && !page.text.contains(MARK), "{role:?}");
                assert_eq!((from_page.status, elsewhere.status), (403, 403), "{role:?}");
            }
            let reminded = member.api("POST", &path(&own, &remind)).send().await;
            let expected = if may_remind { (409, "referee.reminded") } else { (403, "role.forbidden") };
            reminded.assert_problem(expected.0, expected.1);
        }
        let reviewer = staff_client(&world, Role::Reviewer).await;
        for rest in [file.as_str(), "/nobody/letter"] {
            reviewer.api("GET", &path(&other, rest)).send().await.assert_problem(404, "referee.not_found");
        }
        reviewer.api("POST", &path(&other, &remind)).send().await.assert_problem(404, "referee.not_found");
        assert_eq!(reviewer.api("GET", &path(&other, "")).send().await.json()["references"], json!([]));
        reviewer.api("GET", &path("nowhere", "")).send().await.assert_problem(404, "application.not_found");
        reviewer.api("GET", &path(&own, &format!("/{}/letter", id(&waiting)))).send().await.assert_problem(404, "referee.not_found");
        client.get(&path(&own, "")).send().await.assert_problem(401, "token.audience");
    }

    async fn a_decision_waits_for_the_reference_it_needs_or_says_why_not(database: Database) {
        let world = asking(&database, json!({})).await;
        let (client, _, token) = asked(&world, json!({})).await;
        // Nothing but the reference is missing.
        assert_eq!(documents::send(&client, "identity", "passport.pdf", &pdf(500)).await.status, 201);
        let own = application(&client).await;
        let path = format!("/api/admins/applications/{own}/decision");
        let decider = staff_client(&world, Role::Decider).await;
        let draft = async |reason: &str| {
            let body = json!({ "outcome": "accept", "letter": "offer", "withoutDocuments": reason, "waiver": "Known to us" });
            let drafted = decider.api("POST", &path).json(&body).send().await;
            assert_eq!(drafted.status, 200, "{drafted:?}");
            drafted.json()["draft"]["id"].as_str().unwrap().to_owned()
        };
        let release = async |draft: &str| decider.api("POST", &format!("{path}/release")).json(&json!({ "decision": draft })).send().await;
        let missing = async || {
            let listed = decider.api("GET", "/api/admins/applications?tab=all&documents=missing").send().await.json();
            listed["count"].as_i64().unwrap()
        };
        assert_eq!(missing().await, 1);
        let unreasoned = draft(" ").await;
        release(&unreasoned).await.assert_problem(409, "documents.missing");
        let page = decider.see(&format!("/admin-panel/applications/{own}/decision")).header("accept", "application/json").send().await.json();
        let told = page["props"]["missingText"].as_str().unwrap().to_lowercase();
        assert!(told.contains("reference") && !told.contains("identity"), "{told}");

        let reasoned = draft("We spoke on the phone").await;
        let released = release(&reasoned).await;
        assert_eq!((released.status, &released.json()["released"]["withoutDocuments"]), (200, &json!("We spoke on the phone")), "{released:?}");
        let recalled = decider.api("POST", &format!("{path}/recall")).json(&json!({})).send().await;
        assert_eq!(recalled.status, 200, "{recalled:?}");
        // Once it is there, nothing has to be said.
        send(&world, &token, &ANSWERS, NO_FILE).await;
        assert_eq!(missing().await, 0);
        let plain = draft(" ").await;
        let released = release(&plain).await;
        assert_eq!(released.status, 200, "{released:?}");
    }

    async fn programs_are_told_that_a_reference_came(database: Database) {
        let world = asking(&database, json!({})).await;
        webhooks::added(&world, "https://hooks.example.org/in", &["reference.received"]).await;
        let early = applicant(&world).await;
        let referee = named(&early, json!({})).await;
        assert_eq!(early.post(&about(&referee, "/ask")).send().await.status, 200);
        send(&world, &secret_in(&world, email(&referee), LINK).await, &ANSWERS, NO_FILE).await;
        assert_eq!(database.count("webhook_events").await, 0, "nothing is told of what was never submitted");

        let (client, referee, token) = asked(&world, json!({})).await;
        done(&world, &token, "save", &MARKED, NO_FILE).await;
        send(&world, &token, &MARKED, NO_FILE).await;
        let told = database.texts("SELECT body FROM webhook_events").await;
        let event: Value = serde_json::from_str(&told[0]).unwrap();
        assert_eq!((told.len(), &event["type"]), (1, &json!("reference.received")));
        assert_eq!((&event["data"]["applicationId"], &event["data"]["referenceId"]), (&json!(application(&client).await), &referee["id"]), "{event}");
        for secret in [MARK, email(&referee), "Demo Referee"] {
            assert!(!told[0].contains(secret), "{secret}: {event}");
        }
    }

    async fn links_are_over_with_the_application(database: Database) {
        let world = asking(&database, json!({})).await;
        let (client, referee, token) = asked(&world, json!({})).await;
        withdraw(&client).await;
        assert_eq!(state_at(&world, &token).await, "over");
        not_done(&world, &token, "send").await;
        let undone = client.post("/api/users/application/undo-withdraw").json(&json!({})).send().await;
        assert_eq!(undone.status, 200, "{undone:?}");
        assert_eq!(state_at(&world, &token).await, "open", "it is needed again");
        done(&world, &token, "save", &ANSWERS, NO_FILE).await;
        // After an offer it can still come; after a rejection it cannot, and nobody is reminded of it.
        let decider = hired(&world, Role::Decider).await;
        decide(&world, &client, &decider, rejection()).await;
        assert_eq!(state_at(&world, &token).await, "open", "nothing shows within the hold");
        assert_eq!(named(&client, json!({ "email": "held@example.org" })).await["state"], "asked", "nor in what can be done");
        advance(&world, 16 * MINUTE).await;
        assert_eq!(state_at(&world, &token).await, "over");
        advance(&world, 8 * DAY).await;
        assert_eq!(mails_to(&world, email(&referee)).await.len(), 1);
        let client = client.log_in().await;
        assert_eq!(listed(&client).await["open"], false);
        name(&client, json!({ "email": "late@example.org" })).await.assert_problem(409, "references.closed");

        // A draft goes with its referees.
        let draft = applicant(&world).await;
        let referee = named(&draft, json!({})).await;
        assert_eq!(draft.post(&about(&referee, "/ask")).send().await.status, 200);
        let token = secret_in(&world, email(&referee), LINK).await;
        done(&world, &token, "save", &MARKED, ("letter.pdf", &pdf(600))).await;
        let (who, known) = seen(&world, &draft).await;
        world.app.delete_draft(&who, known, Preconditions::default()).await.unwrap();
        assert_eq!((database.count("referees").await, objects(&world).await.len()), (2, 0));
        assert_eq!(mentions(&world, &database, MARK).await, [""; 0]);
        let nowhere = open(&world, &token).await;
        assert!(nowhere.status < 500 && !nowhere.text.contains("Demo Sample"), "{nowhere:?}");
    }

    async fn nothing_is_left_of_references_when_an_account_is_erased(database: Database) {
        let world = asking(&database, json!({})).await;
        let close = json!({ "currentPassword": PASSWORD, "confirm": true });
        let words = json!({ "name": "Zqxj Referee", "relationship": "zqxj", "organization": "zqxj", "email": "zqxj@example.org" });
        let draft = applicant(&world).await;
        let referee = named(&draft, words.clone()).await;
        assert_eq!(draft.post(&about(&referee, "/ask")).send().await.status, 200);
        let token = secret_in(&world, email(&referee), LINK).await;
        done(&world, &token, "save", &MARKED, ("zqxj.pdf", &pdf(600))).await;
        assert_eq!(objects(&world).await.len(), 1);
        assert_eq!(draft.post("/api/users/close-account").json(&close).send().await.status, 204);
        assert_eq!((database.count("referees").await, objects(&world).await.len()), (0, 0), "nothing was submitted");
        assert!(!open(&world, &token).await.text.contains("zqxj"));

        // What was submitted is kept as long as the application is, and goes with it; the letter, too.
        let (client, _, token) = asked(&world, words).await;
        send(&world, &token, &MARKED, ("zqxj.pdf", &pdf(600))).await;
        assert_eq!(client.post("/api/users/close-account").json(&close).send().await.status, 204);
        assert!(open(&world, &token).await.status < 500);
        advance(&world, 8 * 366 * DAY).await;
        // Mails to addresses that nobody here has are kept for a month.
        for _ in 0..40 {
            advance(&world, DAY).await;
        }
        assert_eq!(mentions(&world, &database, "zqxj").await, [""; 0]);
        assert_eq!(objects(&world).await.len(), 0);
    }

    async fn what_a_referee_has_begun_is_asked_to_the_end(database: Database) {
        let world = asking(&database, json!({})).await;
        let client = applicant(&world).await;
        let begun = named(&client, json!({})).await;
        assert_eq!(client.post(&about(&begun, "/ask")).send().await.status, 200);
        let first = secret_in(&world, email(&begun), LINK).await;
        done(&world, &first, "save", &ANSWERS, NO_FILE).await;
        publish(&world, json!({ "questions": [{ "key": "years", "type": "number", "label": "How many years?", "min": 0, "max": 80 }] })).await;
        let old = open(&world, &first).await.text;
        assert!(old.contains("What do they do well?") && !old.contains("How many years?"), "{old}");
        let fresh = named(&client, json!({ "email": "fresh@example.org" })).await;
        assert_eq!(submit(&client).await.status, 200);
        let second = secret_in(&world, email(&fresh), LINK).await;
        let new = open(&world, &second).await.text;
        assert!(new.contains("How many years?") && !new.contains("What do they do well?"), "{new}");

        // What was submitted keeps what it was submitted with.
        publish(&world, json!({ "needed": 2, "questions": [{ "key": "other", "type": "text", "label": "Something else?" }] })).await;
        assert!(open(&world, &second).await.text.contains("How many years?"));
        assert_eq!(listed(&client).await["needed"], 1);
        send(&world, &first, &ANSWERS, NO_FILE).await;
        send(&world, &second, &[("questionnaire.answers.years", "7")], NO_FILE).await;

        // Each is read with the questions that it answers, also when nothing is asked any more.
        let owner = hired(&world, Role::Owner).await;
        let without = json!({ "questions": questionnaire(&json!({}))["questions"] });
        world.app.publish_questions(&owner, Program::Bachelor, &Input::from(without), None).await.unwrap();
        let reviewer = staff_client(&world, Role::Reviewer).await;
        let office = reviewer.api("GET", &format!("/api/admins/applications/{}/references", application(&client).await)).send().await.json();
        let answers = |referee: &Value| {
            let all = office["references"].as_array().unwrap();
            all.iter().find(|one| one["id"] == referee["id"]).unwrap()["answers"].clone()
        };
        assert!(answers(&begun).to_string().contains("What do they do well?"), "{office}");
        assert_eq!(answers(&fresh), json!([{ "question": "How many years?", "answer": "7" }]));
        assert_eq!(listed(&client).await["referees"].as_array().unwrap().len(), 2);
    }

    async fn references_that_were_asked_for_after_the_answers_are_still_asked_for(database: Database) {
        let world = working(&database).await;
        let owner = hired(&world, Role::Owner).await;
        let without = json!({ "questions": questionnaire(&json!({}))["questions"] });
        world.app.publish_questions(&owner, Program::Bachelor, &Input::from(without), None).await.unwrap();
        // One has answered the questions of the first version, one none of them.
        for answered in [true, false] {
            let client = applicant(&world).await;
            if answered {
                let body = json!({ "applicationType": "ba", "questionnaire": { "answers": { "extra": "No." } } });
                assert_eq!(client.post("/api/users/application").json(&body).send().await.status, 200);
            }
            publish(&world, json!({})).await;
            let referee = named(&client, json!({})).await;
            assert_eq!(submit(&client).await.status, 200);
            let list = listed(&client).await;
            assert_eq!((&list["needed"], &list["room"]), (&json!(1), &json!(1)), "answered: {answered}");
            let token = secret_in(&world, email(&referee), LINK).await;
            assert!(open(&world, &token).await.text.contains("What do they do well?"), "answered: {answered}");
            send(&world, &token, &ANSWERS, NO_FILE).await;
            assert_eq!(named(&client, json!({ "email": "another@example.org" })).await["state"], "asked", "answered: {answered}");
        }
    }

    async fn two_sends_at_once_are_one(database: Database) {
        let world = std::sync::Arc::new(asking(&database, json!({})).await);
        webhooks::added(&world, "https://hooks.example.org/in", &["reference.received"]).await;
        let (client, referee, token) = asked(&world, json!({})).await;
        done(&world, &token, "save", &ANSWERS, ("letter.pdf", &pdf(600))).await;
        let answers = at_once(6, |_| {
            let (world, token) = (world.clone(), token.clone());
            async move {
                let answer = press(&world, &token, "send", &ANSWERS, NO_FILE).await;
                (answer.status, answer.location().ends_with("&done=sent"))
            }
        })
        .await;
        assert_eq!(answers.iter().filter(|(_, sent)| *sent).count(), 1, "{answers:?}");
        assert!(answers.iter().all(|(status, _)| *status < 500), "{answers:?}");
        assert_eq!(now(&client, &referee).await["state"], "received");
        assert_eq!(templates_to(&database, &client.email).await.iter().filter(|template| *template == "reference-received").count(), 1);
        assert_eq!((database.count("webhook_events").await, objects(&world).await.len()), (1, 1));
        // One sends while another declines: one of them has happened.
        let (client, referee, token) = asked(&world, json!({})).await;
        let answers = at_once(4, |number| {
            let (world, token) = (world.clone(), token.clone());
            async move { press(&world, &token, ["send", "decline"][number % 2], &ANSWERS, NO_FILE).await.status }
        })
        .await;
        assert!(answers.iter().all(|status| *status < 500), "{answers:?}");
        let state = now(&client, &referee).await["state"].as_str().unwrap().to_owned();
        let told = templates_to(&database, &client.email).await.into_iter().filter(|template| template.starts_with("reference-")).collect::<Vec<_>>();
        assert_eq!(told.last(), Some(&format!("reference-{state}")), "{told:?}");
        assert_eq!(told.iter().filter(|template| *template == "reference-received").count(), usize::from(state == "received"));
    }

    async fn a_referee_reads_the_language_that_the_applicant_chose(database: Database) {
        let spanish = json!({ "key": "strengths", "type": "text", "label": "What do they do well?", "translations": { "es": { "label": "¿Qué hace bien?" } } });
        let world = asking(&database, json!({ "questions": [spanish] })).await;
        let (client, referee, token) = asked(&world, json!({ "language": "es" })).await;
        advance(&world, 7 * DAY).await;
        let mails: Vec<_> = world.mails(50).await.into_iter().filter(|mail| mail.to == email(&referee)).collect();
        assert_eq!(mails.len(), 2, "asked, reminded: {mails:?}");
        for mail in &mails {
            assert!(mail.html.contains("<html lang=\"es\">"), "{}", mail.html);
            assert!(![" the ", "Hello", " reference"].iter().any(|word| mail.text.contains(word)), "{}", mail.text);
        }
        let page = world.visitor().get(&format!("{LINK}?token={token}")).header("cookie", SPANISH).send().await;
        assert!(page.text.contains("¿Qué hace bien?") && page.text.contains("<html lang=\"es\""), "{page:?}");
        // The applicant is told in their own language, whatever the referee's is.
        send(&world, &token, &[("questionnaire.answers.strengths", "Escucha.")], NO_FILE).await;
        let told = world.mails(1).await.remove(0);
        assert!(told.to == client.email && told.html.contains("<html lang=\"en\">"), "{}", told.html);
        let client = client.log_in().await;
        let refused = client.post(PAGE).form(&[("_action", "name"), ("email", "nobody")]).header("cookie", &format!("{SPANISH}; matricula_session={}", client.cookie.as_deref().unwrap())).send().await;
        let errors = refused.assert_document(422, "references")["props"]["form"]["errors"].clone();
        assert_eq!(errors["email"], "Escriba un correo electrónico con el formato nombre@example.com.");
    }

    async fn nobody_fills_mailboxes_by_naming_referees(database: Database) {
        let world = asking(&database, json!({ "most": 5 })).await;
        // One applicant who names and removes again and again.
        let (client, ..) = asked(&world, json!({})).await;
        let mut count = 0;
        let refused = loop {
            let answer = name(&client, json!({ "email": format!("victim-{count}@example.org") })).await;
            if answer.status != 200 {
                break answer;
            }
            assert_eq!(client.call("DELETE", &about(&answer.json(), "")).send().await.status, 204);
            count += 1;
            assert!(count < 200, "nobody stops it");
        };
        refused.assert_problem(429, "rate_limited");
        assert!(count >= 4, "as many as can be named: {count}");
        // One mailbox, whoever names it.
        let victim = "victim@example.org";
        for _ in 0..20 {
            let client = applicant(&world).await;
            let answer = name(&client, json!({ "email": victim })).await;
            if answer.status == 200 {
                client.post(&about(&answer.json(), "/ask")).send().await;
            }
        }
        let mailed = mails_to(&world, victim).await.len();
        assert!((1..=15).contains(&mailed), "{mailed}");
    }
}
