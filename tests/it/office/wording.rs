//! What letters say, which reasons a rejection can have, and the defaults of interviewers' rules.

use matricula::domain::role::Role;
use serde_json::{Value, json};

use super::settings::{PATH, press, props, save, send, typed};
use super::{StaffClient, staff_client};
use crate::support::databases::story;
use crate::support::server::{Answer, Client, World};

async fn application_id(client: &Client) -> String {
    client.get("/api/users/application").send().await.json()["id"].as_str().unwrap().to_owned()
}

/// An applicant who has submitted, and the path where decisions on it are drafted.
async fn applied(world: &World) -> (Client, String) {
    let client = world.submitted().await;
    let path = format!("/api/admins/applications/{}/decision", application_id(&client).await);
    (client, path)
}

async fn post(member: &StaffClient, path: &str, body: Value) -> Answer {
    member.api("POST", path).json(&body).send().await
}

fn accept() -> Value {
    json!({ "outcome": "accept", "letter": "offer", "withoutDocuments": "Seen on paper", "conditions": ["A diploma"], "waiver": "Known to us" })
}

fn reject(reason: &str) -> Value {
    json!({ "outcome": "reject", "letter": "no_place", "withoutDocuments": "Seen on paper", "reasons": [reason], "shownReasons": [reason] })
}

/// The text of a draft's letter.
async fn drafted(member: &StaffClient, path: &str, body: Value) -> String {
    let answer = post(member, path, body).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.json()["draft"]["letterText"].as_str().unwrap().to_owned()
}

/// The reasons that the form of a rejection offers, as worded there.
async fn offered(member: &StaffClient, path: &str) -> Vec<String> {
    let tab = path.replace("/api/admins", "/admin-panel");
    let page = member.see(&format!("{tab}?draft=reject")).send().await.assert_document(200, "adminDecision");
    let reasons = page["props"]["editor"]["reasons"].as_array().unwrap().clone();
    reasons.iter().map(|reason| reason["label"].as_str().unwrap().to_owned()).collect()
}

story! {
    async fn a_letter_says_what_was_written_and_what_is_drafted_keeps_its_text(database: Database) {
        let world = World::start(database.db()).await;
        let decider = staff_client(&world, Role::Decider).await;
        let (_ada, first) = applied(&world).await;
        let before = drafted(&decider, &first, accept()).await;
        assert!(before.contains("We offer you a place") && before.contains("• A diploma"), "{before}");

        let list = decider.see(&format!("{PATH}/letters")).send().await.assert_document(200, "adminTexts");
        assert_eq!(list["props"]["texts"].as_array().unwrap().len(), 3);
        let written = "Hello {name},\n\nCome in {intake}!\n\n{conditions}";
        save(&decider, "letter-offer", &[("text.en", written)]).await;
        let standing = decider.api("GET", &first).send().await.json();
        assert_eq!(standing["draft"]["letterText"], before, "what is drafted keeps its text");
        let (_bea, second) = applied(&world).await;
        let after = drafted(&decider, &second, accept()).await;
        assert!(after.contains("Come in August") && after.ends_with("The offer has these conditions:\n\n• A diploma"), "{after}");
        assert_eq!(post(&decider, &second, json!({ "outcome": "reject", "letter": "offer", "withoutDocuments": "Seen on paper", "reasons": ["places"], "shownReasons": [] })).await.code(), "decision.letter");

        // Applicants who read Spanish get it in Spanish, which is still the default.
        let (cid, third) = applied(&world).await;
        let spoken = cid.call("PATCH", "/api/users/profile").json(&json!({ "language": "es" })).send().await;
        assert_eq!(spoken.status, 200, "{spoken:?}");
        let spanish = drafted(&decider, &third, accept()).await;
        assert!(spanish.contains("Le ofrecemos una plaza") && spanish.contains("condiciones:\n\n• A diploma"), "{spanish}");
        let spanish = drafted(&decider, &third, reject("places")).await;
        assert!(spanish.contains("Estos son los motivos:\n\n• Hubo más solicitudes buenas que plazas."), "{spanish}");

        press(&decider, "letter-offer", "restore:0").await.assert_redirect(303, &format!("{PATH}/letter-offer?done=restored"));
        let (_dan, fourth) = applied(&world).await;
        assert!(drafted(&decider, &fourth, accept()).await.contains("We offer you a place"));
        let now = props(&decider, "letter-offer").await;
        assert_eq!((&now["version"], &now["versions"][0]["restoredFrom"]), (&json!(2), &json!(0)));
        assert_eq!(now["versions"][1]["changedBy"], "Demo Decider");
    }

    async fn a_letter_has_the_fields_of_its_kind_and_shows_them_before_it_is_saved(database: Database) {
        let world = World::start(database.db()).await;
        let decider = staff_client(&world, Role::Decider).await;
        for (name, text, said) in [
            ("letter-offer", "{intake}\n\n{conditions}\n\n{reasons}", "There is no field {reasons} here."),
            ("letter-no-place", "{reasons}\n\n{conditions}", "There is no field {conditions} here."),
            ("letter-offer", "{intake}", "{conditions} must stand in it"),
            ("letter-offer", "{intake}: {conditions}", "in a paragraph of its own"),
            ("letter-apply-again", "{reasons", "A brace stands alone."),
            ("letter-apply-again", " ", "This must not be empty."),
        ] {
            for button in ["save", "preview"] {
                let mut form = typed(&props(&decider, name).await, &[("text.es", text)]);
                form[1].1 = button.to_owned();
                let refused = send(&decider, name, &form).await.assert_document(422, "adminSetting");
                let error = refused["props"]["form"]["errors"]["text.es"].as_str().unwrap();
                assert!(error.contains(said), "{text}: {error}");
                assert_eq!(refused["props"]["fields"][1]["value"], text, "what was typed stays");
            }
        }
        let mut form = typed(&props(&decider, "letter-offer").await, &[("text.en", "{name}, {intake}\n\n{conditions}")]);
        form[1].1 = "preview".into();
        let shown = send(&decider, "letter-offer", &form).await.assert_document(200, "adminSetting");
        let parts = &shown["props"]["text"]["previews"][0]["parts"];
        assert_eq!(parts[0]["runs"][0], json!({ "text": "Sample Person", "sample": true }));
        assert!(parts[1]["runs"][0]["text"].as_str().unwrap().contains("• A sample of a condition."), "{parts}");
        form[1].1 = "test:en".into();
        assert_eq!(send(&decider, "letter-offer", &form).await.status, 400, "a letter is not mailed");
        assert_eq!(database.count("settings").await, 0);
        // Settings that a Decider may not change are not shown, and the page says so.
        let list = decider.see(PATH).send().await.assert_document(200, "adminSettings");
        let groups = list["props"]["groups"].as_array().unwrap();
        let rows = groups.iter().flat_map(|group| group["rows"].as_array().unwrap());
        assert_eq!(rows.map(|row| &row["title"]).collect::<Vec<_>>(), ["Snippets", "Emails to applicants", "Letters", "Fee codes"]);
        for name in ["reasons", "bachelor", "slot-rules"] {
            assert_eq!(decider.see(&format!("{PATH}/{name}")).send().await.status, 403);
            let form = [("version", "0"), ("_action", "save")];
            assert_eq!(decider.send(&format!("{PATH}/{name}"), &form).send().await.status, 403);
        }
        let reviewer = staff_client(&world, Role::Reviewer).await;
        assert_eq!(reviewer.see(&format!("{PATH}/letter-offer")).send().await.status, 403);
    }

    async fn reasons_are_added_reworded_ordered_and_retired(database: Database) {
        let world = World::start(database.db()).await;
        let owner = staff_client(&world, Role::Owner).await;
        let (ada, path) = applied(&world).await;
        assert_eq!(offered(&owner, &path).await.len(), 8);
        drafted(&owner, &path, reject("goals")).await;
        for (field, code) in [("new.en", "new.es"), ("new.es", "new.en")] {
            let form = typed(&props(&owner, "reasons").await, &[(field, "No desk is free.")]);
            let refused = send(&owner, "reasons", &form).await.assert_document(422, "adminSetting");
            assert!(refused["props"]["form"]["errors"][code].as_str().unwrap().contains("too"), "{refused}");
        }
        let changes = [
            ("new.en", "No desk is free."),
            ("new.es", "No hay mesa libre."),
            ("places.en", "Too many good people applied."),
            ("places.place", "1"),
            ("goals.offered", "no"),
        ];
        save(&owner, "reasons", &changes).await;
        let now = offered(&owner, &path).await;
        assert_eq!((now[0].as_str(), now.last().unwrap().as_str(), now.len()), ("Too many good people applied.", "No desk is free.", 8));
        post(&owner, &path, reject("goals")).await.assert_problem(422, "reason.unknown");
        let standing = owner.api("GET", &path).send().await.json();
        assert_eq!(standing["draft"]["reasons"][0]["reason"], "goals", "where it was chosen it stays");
        let tab = owner.see(&path.replace("/api/admins", "/admin-panel")).send().await.assert_document(200, "adminDecision");
        assert_eq!(tab["props"]["draft"]["reasons"][0]["sentence"], "What you want to achieve is not what the program teaches.");

        let letter = drafted(&owner, &path, reject("added_1")).await;
        assert!(letter.contains("• No desk is free."), "{letter}");
        assert_eq!(ada.call("PATCH", "/api/users/profile").json(&json!({ "language": "es" })).send().await.status, 200);
        let letter = drafted(&owner, &path, reject("added_1")).await;
        assert!(letter.contains("• No hay mesa libre."), "{letter}");

        // Added reasons are still known after the list is restored to its default.
        press(&owner, "reasons", "restore:0").await.assert_redirect(303, &format!("{PATH}/reasons?done=restored"));
        assert_eq!(offered(&owner, &path).await.len(), 8);
        post(&owner, &path, reject("added_1")).await.assert_problem(422, "reason.unknown");
        let tab = owner.see(&path.replace("/api/admins", "/admin-panel")).send().await.assert_document(200, "adminDecision");
        assert_eq!(tab["props"]["draft"]["reasons"][0]["sentence"], "No desk is free.");
        let now = props(&owner, "reasons").await;
        let changed = now["versions"][1]["changes"].to_string();
        assert!(changed.contains("Too many good people applied.") && changed.contains("Retired"), "{changed}");

        let none: Vec<(String, &str)> = now["fields"].as_array().unwrap().iter()
            .filter_map(|field| Some((field["name"].as_str()?.to_owned(), "no")).filter(|(name, _)| name.ends_with(".offered")))
            .collect();
        let none: Vec<(&str, &str)> = none.iter().map(|(name, value)| (name.as_str(), *value)).collect();
        let refused = send(&owner, "reasons", &typed(&now, &none)).await.assert_document(422, "adminSetting");
        assert!(refused["props"]["form"]["errors"]["entry_requirements.offered"].as_str().unwrap().contains("at least one"), "{refused}");
    }

    async fn new_rules_begin_with_the_slot_rules_and_saved_ones_stay(database: Database) {
        let world = World::start(database.db()).await;
        let owner = staff_client(&world, Role::Owner).await;
        let (old, new) = (staff_client(&world, Role::Interviewer).await, staff_client(&world, Role::Interviewer).await);
        let rules = async |member: &StaffClient| {
            let page = member.see("/admin-panel/interviews").send().await.assert_document(200, "adminInterviews");
            page["props"]["times"]["rules"].clone()
        };
        let open = async |member: &StaffClient| {
            let fields = [("staff", member.staff.id.as_str()), ("revision", "0"), ("_action", "window"), ("weekWeekday", "2"), ("weekFrom", "09:00"), ("weekUntil", "11:00")];
            let opened = member.send("/admin-panel/interviews", &fields).send().await;
            assert_eq!(opened.status, 303, "{opened:?}");
        };
        open(&old).await;
        assert_eq!(database.count("interview_slots WHERE closed_at IS NULL").await, 16);
        let form = typed(&props(&owner, "slot-rules").await, &[("minutes", "5"), ("notice", "2"), ("buffer", "soon")]);
        let refused = send(&owner, "slot-rules", &form).await.assert_document(422, "adminSetting");
        assert_eq!(refused["props"]["form"]["errors"].as_object().unwrap().len(), 3, "{refused}");
        save(&owner, "slot-rules", &[("minutes", "30"), ("buffer", "0"), ("notice", "48"), ("weeks", "2")]).await;
        let (kept, begun) = (rules(&old).await, rules(&new).await);
        assert_eq!((&kept["minutes"], &kept["buffer"], &kept["notice"]), (&json!(40), &json!(10), &json!(24)));
        assert_eq!((&begun["minutes"], &begun["buffer"], &begun["notice"]), (&json!(30), &json!(0), &json!(48)));
        open(&new).await;
        // Two weeks of four interviews each.
        assert_eq!(database.count("interview_slots WHERE closed_at IS NULL").await, 24);
        press(&owner, "slot-rules", "restore:0").await.assert_redirect(303, &format!("{PATH}/slot-rules?done=restored"));
        let later = staff_client(&world, Role::Interviewer).await;
        assert_eq!(rules(&later).await["minutes"], 40);
    }
}
