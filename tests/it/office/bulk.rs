//! Acts on several applications: written, reviewed, done, and reported row by row.

use matricula::domain::role::Role;
use serde_json::{Value, json};

use super::{StaffClient, staff_client};
use crate::support::databases::story;
use crate::support::server::{Answer, Client, PASSWORD, World};

const LIST: &str = "/admin-panel/applications";
const MAIL: &str = "/admin-panel/applications/mail";
const ASK: &str = "/admin-panel/applications/ask";
const DRAFT: &str = "/admin-panel/applications/draft";

/// An applicant who has submitted, and their application.
async fn applied(world: &World) -> (Client, String) {
    let client = world.submitted().await;
    let id = client.get("/api/users/application").send().await.json()["id"].as_str().unwrap().to_owned();
    (client, id)
}

/// Sends a form about these applications.
async fn sent(member: &StaffClient, to: &str, ids: &[&str], fields: &[(&str, &str)]) -> Answer {
    let here = [("here", "tab=all")];
    let ids = ids.iter().map(|id| ("id", *id));
    let all: Vec<(&str, &str)> = here.into_iter().chain(ids).chain(fields.iter().copied()).collect();
    member.send(to, &all).header("accept", "application/json").send().await
}

fn props(answer: &Answer, status: u16) -> Value {
    assert_eq!(answer.status, status, "{answer:?}");
    answer.json()["props"].clone()
}

/// What an application's row says, and whether it failed.
fn told<'a>(props: &'a Value, id: &str) -> (&'a Value, bool) {
    let rows = props["rows"].as_array().unwrap();
    let row = rows.iter().find(|row| row["id"] == id).unwrap_or_else(|| panic!("{id} is not in {rows:?}"));
    (&row["told"], row["failed"].as_bool().unwrap())
}

async fn closed(client: &Client) {
    let body = json!({ "currentPassword": PASSWORD, "confirm": true });
    let answer = client.post("/api/users/close-account").json(&body).send().await;
    assert_eq!(answer.status, 204, "{answer:?}");
}

async fn messages(client: &Client) -> Value {
    client.get("/api/users/messages").send().await.json()["messages"].clone()
}

story! {
    async fn several_are_written_to_after_a_look(database: Database) {
        let world = World::start(database.db()).await;
        let ((ada, one), (ben, two), (cyd, three)) = (applied(&world).await, applied(&world).await, applied(&world).await);
        let (ada_id, ben_id) = (ada.user["id"].as_str().unwrap(), ben.user["id"].as_str().unwrap());
        database.run(&format!("UPDATE applicants SET first_name = 'Zoë {{program}}' WHERE id = '{ben_id}'")).await.unwrap();
        let reviewer = staff_client(&world, Role::Reviewer).await;
        closed(&cyd).await;
        let ids = [one.as_str(), two.as_str(), three.as_str()];
        let from_office = async || database.texts("SELECT subject FROM outbox WHERE template = 'from-office' ORDER BY id").await;

        let page = props(&sent(&reviewer, MAIL, &ids, &[("_action", "write")]).await, 200);
        assert_eq!((&page["title"], &page["step"]), (&json!("Write to 3 applicants"), &json!("write")));
        assert_eq!(told(&page, &one), (&Value::Null, false));
        let (why, failed) = told(&page, &three);
        assert!(failed && why.as_str().unwrap().contains("closed the account"), "{page}");

        // Nothing typed is lost, and a mistake is shown beside its field.
        let bad = [("_action", "look"), ("subject", "For {nickname}"), ("text", "Kept {firstName")];
        let page = props(&sent(&reviewer, MAIL, &ids, &bad).await, 422);
        let errors = &page["form"]["errors"];
        assert!(errors["subject"].as_str().unwrap().contains("{nickname}"), "{errors}");
        assert!(errors["text"].is_string() && page["form"]["values"]["text"] == "Kept {firstName", "{page}");
        let page = props(&sent(&reviewer, MAIL, &ids, &[("_action", "look"), ("subject", ""), ("text", "x")]).await, 422);
        assert!(page["form"]["errors"]["subject"].is_string());

        let mail = [("subject", "About {reference}"), ("text", "{firstName} {lastName},\r\n\r\nwelcome to the {program}.")];
        let with = |more: &[(&'static str, &'static str)]| [more, &mail].concat();
        let look = props(&sent(&reviewer, MAIL, &ids, &with(&[("_action", "look")])).await, 200);
        assert_eq!(look["step"], "look");
        let samples = look["samples"].as_array().unwrap();
        assert_eq!(samples.len(), 2, "who gets none is no sample: {samples:?}");
        let reference = ada.get("/api/users/application").send().await.json()["reference"].as_str().unwrap().to_owned();
        let subjects: Vec<&str> = samples.iter().map(|sample| sample["subject"].as_str().unwrap()).collect();
        assert!(subjects.contains(&format!("About {reference}").as_str()), "{subjects:?}");
        assert_eq!(from_office().await, Vec::<String>::new(), "looking sends nothing");

        // The number to type is the number of rows.
        let key = look["formKey"].as_str().unwrap();
        let all = |count: &'static str| [with(&[("_action", "do"), ("count", count)]), vec![("key", key)]].concat();
        let page = props(&sent(&reviewer, MAIL, &ids, &all("2")).await, 422);
        assert_eq!((&page["step"], page["formKey"].as_str()), (&json!("look"), Some(key)));
        assert!(page["form"]["errors"]["count"].as_str().unwrap().contains("Type 3"), "{page}");
        assert_eq!(from_office().await, Vec::<String>::new());

        let done = props(&sent(&reviewer, MAIL, &ids, &all("3")).await, 200);
        assert_eq!(done["step"], "done");
        assert_eq!((told(&done, &one), told(&done, &two)), ((&json!("Sent"), false), (&json!("Sent"), false)));
        assert!(told(&done, &three).1);
        assert_eq!(from_office().await.len(), 2);
        let message = messages(&ada).await[0].clone();
        assert_eq!(message["subject"], format!("About {reference}"));
        // What is filled in is plain text: braces in a name are part of the name.
        let text = |id: &str| format!("SELECT body_text FROM outbox WHERE template = 'from-office' AND applicant_id = '{id}'");
        assert!(database.texts(&text(ben_id)).await[0].contains("\n\nZoë {program} Sample,\n\nwelcome to the Bachelor"));
        assert!(database.texts(&text(ada_id)).await[0].contains("\n\nDemo Sample,\n\n"));
        let tab = reviewer.see(&format!("{LIST}/{one}/emails")).header("accept", "application/json").send().await.json();
        assert_eq!(tab["props"]["mails"][0]["subject"], message["subject"]);
        let audited = database.texts("SELECT detail FROM audit WHERE action = 'mail.written'").await;
        assert!(audited.len() == 2 && !audited.concat().contains("About"), "{audited:?}");

        // Sending the same form again, even twice at once, sends nothing; reviewed again, it is a new mail.
        let same = all("3");
        let (left, right) = tokio::join!(sent(&reviewer, MAIL, &ids, &same), sent(&reviewer, MAIL, &ids, &same));
        for again in [left, right] {
            assert_eq!(told(&props(&again, 200), &one), (&json!("Sent before, and not again"), false));
        }
        assert_eq!(from_office().await.len(), 2);
        let anew = props(&sent(&reviewer, MAIL, &[&one], &with(&[("_action", "look")])).await, 200);
        assert_ne!(anew["formKey"].as_str(), Some(key));
        let more = [with(&[("_action", "do"), ("count", "1")]), vec![("key", anew["formKey"].as_str().unwrap())]].concat();
        assert_eq!(told(&props(&sent(&reviewer, MAIL, &[&one], &more).await, 200), &one).0, "Sent");
        assert_eq!(from_office().await.len(), 3);
    }

    async fn who_sends_a_form_twice_at_once_writes_once(database: Database) {
        let world = World::start(database.db()).await;
        let ((_, one), (_, two)) = (applied(&world).await, applied(&world).await);
        let reviewer = staff_client(&world, Role::Reviewer).await;
        let ids = [one.as_str(), two.as_str()];
        let form = [("_action", "do"), ("subject", "Once"), ("text", "Once."), ("count", "2"), ("key", "once")];
        let (left, right) = tokio::join!(sent(&reviewer, MAIL, &ids, &form), sent(&reviewer, MAIL, &ids, &form));
        for answer in [left, right] {
            assert!(!told(&props(&answer, 200), &one).1);
        }
        assert_eq!(database.texts("SELECT id FROM outbox WHERE template = 'from-office'").await.len(), 2);
        assert_eq!(database.texts("SELECT id FROM audit WHERE action = 'mail.written'").await.len(), 2);
    }

    async fn an_act_on_several_is_for_who_may_do_it_to_one(database: Database) {
        let world = World::start(database.db()).await;
        let (_, one) = applied(&world).await;
        for role in Role::ALL {
            let member = staff_client(&world, role).await;
            let page = member.see(&format!("{LIST}?tab=all")).header("accept", "application/json").send().await.json();
            let offered: Vec<&str> =
                page["props"]["acts"].as_array().unwrap().iter().map(|act| act["href"].as_str().unwrap()).collect();
            for (to, action) in [(MAIL, "write"), (ASK, "write"), (DRAFT, "reject")] {
                let answer = sent(&member, to, &[&one], &[("_action", action)]).await;
                let may = offered.contains(&to);
                assert_eq!(answer.status, if may { 200 } else { 403 }, "{role:?} {to}: {answer:?}");
                let begun = member.see(to).send().await;
                assert_eq!(begun.status, if may { 303 } else { 403 }, "{role:?} {to}: {begun:?}");
            }
            let expected: &[&str] = match role {
                Role::Reviewer => &[MAIL, ASK],
                Role::Decider | Role::Owner => &[MAIL, ASK, DRAFT, DRAFT],
                _ => &[],
            };
            assert_eq!(offered, expected, "{role:?}");
        }
        let reviewer = staff_client(&world, Role::Reviewer).await;
        // With nothing selected, the list says so; an invalid step is refused; an unknown application is reported.
        let none = sent(&reviewer, MAIL, &[], &[("_action", "write")]).await;
        assert!(props(&none, 422)["form"]["errors"]["id"].is_string(), "{none:?}");
        assert_eq!(sent(&reviewer, MAIL, &[&one], &[("_action", "role")]).await.status, 400);
        let form = [("_action", "do"), ("subject", "x"), ("text", "x"), ("count", "2"), ("key", "k")];
        let done = props(&sent(&reviewer, MAIL, &[&one, "1 OR 1=1"], &form).await, 200);
        assert_eq!(told(&done, &one), (&json!("Sent"), false));
        assert_eq!(told(&done, "1 OR 1=1"), (&json!("Application not found."), true));
        let many: Vec<String> = (0..101).map(|number| number.to_string()).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        let form = [("_action", "do"), ("subject", "x"), ("text", "x"), ("count", "101"), ("key", "k")];
        assert_eq!(sent(&reviewer, MAIL, &many, &form).await.status, 422);
    }

    async fn all_of_a_view_is_chosen_at_once(database: Database) {
        let world = World::start(database.db()).await;
        for _ in 0..3 {
            applied(&world).await;
        }
        let reviewer = staff_client(&world, Role::Reviewer).await;
        let whole = async |here: &str, to: &str, fields: &[(&str, &str)]| {
            let all = [&[("here", here), ("whole", "yes")], fields].concat();
            reviewer.send(to, &all).header("accept", "application/json").send().await
        };
        let page = reviewer.see(&format!("{LIST}?tab=all&pageSize=2")).header("accept", "application/json").send().await.json();
        assert_eq!(page["props"]["whole"], "All 3 of this view");
        let page = reviewer.see(&format!("{LIST}?tab=all")).header("accept", "application/json").send().await.json();
        assert_eq!(page["props"]["whole"], Value::Null);
        let page = props(&whole("tab=all&pageSize=2", MAIL, &[("_action", "write")]).await, 200);
        assert_eq!((page["rows"].as_array().unwrap().len(), &page["here"]), (3, &json!("tab=all&sort=submitted&pageSize=2")));
        let page = props(&whole("tab=all&pageSize=2", LIST, &[("_action", "tag"), ("newTag", "all")]).await, 200);
        assert_eq!(page["bulk"]["rows"].as_array().unwrap().len(), 3);
        let nobody = whole("tab=all&q=nobody-like-this", MAIL, &[("_action", "write")]).await;
        assert!(props(&nobody, 422)["form"]["errors"]["id"].is_string());
    }

    async fn several_are_asked_for_a_document_that_they_have_not_sent(database: Database) {
        let world = World::start(database.db()).await;
        let ((ada, one), (_, two), (cyd, three)) = (applied(&world).await, applied(&world).await, applied(&world).await);
        let (dan, four) = applied(&world).await;
        let reviewer = staff_client(&world, Role::Reviewer).await;
        // One is waived, one has a closed account, one is withdrawn.
        let waive = [("_action", "waive"), ("slot", "identity"), ("seen", "needed.0.0"), ("reason-identity", "Known to us")];
        let waived = reviewer.send(&format!("{LIST}/{two}/documents"), &waive).send().await;
        assert_eq!(waived.status, 303, "{waived:?}");
        closed(&cyd).await;
        let over = dan.post("/api/users/application/withdraw").json(&json!({ "reason": "A demo" })).send().await;
        assert_eq!(over.status, 200, "{over:?}");
        let ids = [one.as_str(), two.as_str(), three.as_str(), four.as_str()];
        let asked = async || database.texts("SELECT subject FROM outbox WHERE template = 'document-asked'").await;

        let page = props(&sent(&reviewer, ASK, &ids, &[("_action", "write")]).await, 200);
        assert!(page["documents"].to_string().contains("Proof of identity"), "{page}");
        let bad = [("_action", "look"), ("document", "passport"), ("text", "Kept"), ("dueOn", "2026-05-04")];
        let page = props(&sent(&reviewer, ASK, &ids, &bad).await, 422);
        let errors = &page["form"]["errors"];
        assert!(errors["document"].is_string() && errors["dueOn"].is_string(), "{errors}");
        assert_eq!(page["form"]["values"]["text"], "Kept");

        let request = [("document", "identity"), ("text", "Both sides, please."), ("dueOn", "2026-06-01")];
        let with = |more: &[(&'static str, &'static str)]| [more, &request].concat();
        let look = props(&sent(&reviewer, ASK, &ids, &with(&[("_action", "look")])).await, 200);
        let samples = look["samples"].as_array().unwrap();
        assert_eq!(samples.len(), 1, "{samples:?}");
        let text = samples[0]["paragraphs"].to_string();
        for part in ["Proof of identity", "Both sides, please.", "Monday, June 1, 2026"] {
            assert!(text.contains(part), "{text}");
        }
        assert_eq!((told(&look, &one), asked().await.len()), ((&Value::Null, false), 0));
        let form = |count: &'static str| with(&[("_action", "do"), ("count", count), ("key", "k")]);
        assert!(props(&sent(&reviewer, ASK, &ids, &form("1")).await, 422)["form"]["errors"]["count"].is_string());
        for expected in ["Sent", "Sent before, and not again"] {
            let done = props(&sent(&reviewer, ASK, &ids, &form("4")).await, 200);
            assert_eq!(told(&done, &one), (&json!(expected), false));
            assert_eq!(told(&done, &two), (&json!("It is waived for this applicant."), true));
            assert!(told(&done, &three).0.as_str().unwrap().contains("closed the account"));
            assert_eq!(told(&done, &four), (&json!("No document is waited for at this stage."), true));
            assert_eq!(asked().await, ["Please send a document"]);
        }
        assert_eq!(messages(&ada).await[0]["subject"], "Please send a document");
        assert_eq!(database.texts("SELECT id FROM audit WHERE action = 'document.asked'").await.len(), 1);
        let timeline = reviewer.see(&format!("{LIST}/{one}/timeline")).send().await;
        assert!(timeline.text.contains("Document asked for"));
        let other = [("_action", "do"), ("document", "cv"), ("text", "x"), ("dueOn", "2026-06-01"), ("count", "1"), ("key", "l")];
        let done = props(&sent(&reviewer, ASK, &[&one], &other).await, 200);
        assert_eq!(told(&done, &one), (&json!("The answers do not call for this document."), true));
    }

    async fn several_decisions_are_drafted_after_a_look(database: Database) {
        let world = World::start(database.db()).await;
        let ((_, one), (_, two), (cyd, three)) = (applied(&world).await, applied(&world).await, applied(&world).await);
        let decider = staff_client(&world, Role::Decider).await;
        let other = staff_client(&world, Role::Decider).await;
        let drafts = async || database.texts("SELECT application_id FROM decisions WHERE state = 'draft'").await;
        // One has a draft by somebody else, and one is closed.
        let body = json!({ "outcome": "accept", "letter": "offer", "withoutDocuments": "Seen on paper", "waiver": "Known to us" });
        let path = format!("/api/admins/applications/{two}/decision");
        assert_eq!(other.api("POST", &path).json(&body).send().await.status, 200);
        closed(&cyd).await;
        let ids = [one.as_str(), two.as_str(), three.as_str()];

        let page = props(&sent(&decider, DRAFT, &ids, &[("_action", "reject")]).await, 200);
        assert_eq!(page["title"], "Draft a rejection for 3 applications");
        assert_eq!((&page["draft"]["outcome"], &page["form"]["values"]["outcome"]), (&json!("reject"), &json!("reject")));
        assert!(told(&page, &three).1);
        let bad = [("_action", "look"), ("outcome", "reject"), ("letter", "no_place"), ("intake", "")];
        let page = props(&sent(&decider, DRAFT, &ids, &bad).await, 422);
        assert!(page["form"]["errors"]["reasons"].is_string() && page["step"] == "write", "{page}");
        let wrong = [("_action", "look"), ("outcome", "reject"), ("letter", "offer"), ("reasons", "places")];
        assert!(props(&sent(&decider, DRAFT, &ids, &wrong).await, 422)["form"]["errors"]["letter"].is_string());

        let ruling = [("outcome", "reject"), ("letter", "no_place"), ("reasons", "places"), ("reasons", "goals"), ("withoutDocuments", "Seen on paper")];
        let with = |action: &'static str| [&[("_action", action)], &ruling[..]].concat();
        let look = props(&sent(&decider, DRAFT, &ids, &with("look")).await, 200);
        assert_eq!((&look["step"], look["samples"].as_array().unwrap().len()), (&json!("look"), 1));
        assert_eq!(look["form"]["values"]["reasons"], json!(["places", "goals"]));
        assert_eq!((told(&look, &one), told(&look, &two).1, told(&look, &three).1), ((&Value::Null, false), true, true));
        assert_eq!(drafts().await, [two.as_str()], "looking drafts nothing");

        for _ in 0..2 {
            let done = props(&sent(&decider, DRAFT, &ids, &with("do")).await, 200);
            assert_eq!(told(&done, &one), (&json!("Drafted"), false));
            assert!(told(&done, &two).0.as_str().unwrap().contains("another draft"), "{done}");
            assert!(told(&done, &three).1);
        }
        let mut drafted = drafts().await;
        drafted.sort();
        let mut expected = vec![one.clone(), two.clone()];
        expected.sort();
        assert_eq!(drafted, expected);
        let by = format!("SELECT drafted_by FROM decisions WHERE application_id = '{two}'");
        assert_eq!(database.texts(&by).await, [other.staff.id.as_str()], "the draft of somebody else stands");
        assert_eq!(database.texts("SELECT id FROM audit WHERE action = 'decision.drafted'").await.len(), 2);

        // Sent twice at once, it is kept once. Without an interview an acceptance is drafted, noted as not releasable.
        let (_, four) = applied(&world).await;
        let accept = |action: &'static str| [("_action", action), ("outcome", "accept"), ("letter", "offer"), ("conditions", "A diploma")];
        let look = props(&sent(&decider, DRAFT, &[&four], &accept("look")).await, 200);
        let (note, failed) = told(&look, &four);
        assert!(!failed && note.as_str().unwrap().starts_with("Not to be released as it is"), "{look}");
        assert!(look["samples"][0]["paragraphs"].to_string().contains("A diploma"));
        let (ids, form) = ([four.as_str()], accept("do"));
        let (left, right) = tokio::join!(sent(&decider, DRAFT, &ids, &form), sent(&decider, DRAFT, &ids, &form));
        for answer in [left, right] {
            assert_eq!(told(&props(&answer, 200), &four), (&json!("Drafted"), false));
        }
        let kept = format!("SELECT id FROM decisions WHERE application_id = '{four}'");
        assert_eq!(database.texts(&kept).await.len(), 1);
    }
}
