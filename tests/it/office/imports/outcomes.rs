//! What rows become: drafts that applicants go on with, submissions that staff read, and what is over.

use matricula::domain::role::Role;
use serde_json::{Value, json};

use super::{ALL_ANSWERS, Importer, Sheet, counts, email, id_of};
use crate::office::{StaffClient, staff_client};
use crate::support::databases::story;
use crate::support::server::{Answer, Client, PASSWORD, PUBLIC_URL, complete_answers};

const APPLICATION: &str = "/api/users/application";

async fn see(client: &Client, path: &str) -> Answer {
    client.without_token().get(path).with_cookie(client).send().await
}

async fn dashboard(client: &Client) -> Value {
    see(client, "/dashboard").await.assert_document(200, "dashboard")["props"].clone()
}

/// The applications that a search in the list finds.
async fn found(member: &StaffClient, query: &str) -> Vec<Value> {
    let answer = member.api("GET", &format!("/api/admins/applications?tab=all&{query}")).send().await;
    assert_eq!(answer.status, 200, "{query}: {answer:?}");
    answer.json()["applications"].as_array().unwrap().clone()
}

/// A sheet with each outcome of what is over, in this order, and more cells in every row.
fn all_that_is_over(more: &[(&'static str, &str)]) -> Sheet {
    let outcomes = ["enrolled", "accepted", "declined", "rejected", "withdrawn"];
    // The last one first.
    (13..=17).rev().zip(outcomes).fold(Sheet::default(), |sheet, (day, outcome)| {
        let decided = format!("2024-06-{day}");
        sheet.row(&[&[("outcome", outcome), ("decidedOn", decided.as_str())], more].concat())
    })
}

story! {
    async fn a_draft_is_gone_on_with_after_a_mail(database: Database) {
        let importer = Importer::start(&database).await;
        let sheet = Sheet::default()
            .row(&[("outcome", "draft"), ("education.hasBachelors", "no"), ("applicationType", "msc")])
            .row(&[("outcome", "submitted")])
            .row(&[("outcome", "enrolled")]);
        importer.import_with(&sheet, json!({ "tell": true })).await;
        let told = "SELECT recipient FROM outbox ORDER BY recipient";
        assert_eq!(database.texts(told).await, [email(2), email(3)], "nobody is written to about what is over");
        assert_eq!(database.count("outbox WHERE template = 'application-imported' AND held_at IS NULL").await, 2);
        let mails = importer.world.mails(10).await;
        let mail = mails.iter().find(|mail| mail.to == email(2)).unwrap();
        assert!(mail.text.contains(&format!("{PUBLIC_URL}/masters/apply?dialog=forgot")), "{}", mail.text);
        let linked = importer.world.visitor().get("/masters/apply?dialog=forgot").send().await;
        linked.assert_document(200, "apply");

        // Nobody has a password before they set one, and by that their address is confirmed.
        let login = json!({ "email": email(2), "password": PASSWORD });
        importer.world.visitor().post("/api/users/login").json(&login).send().await.assert_problem(401, "auth.invalid");
        assert_eq!(database.count("applicants WHERE email_confirmed_at IS NULL").await, 3);
        let client = importer.applicant(&email(2)).await;
        assert_eq!(client.get("/api/users/me").send().await.json()["emailConfirmed"], true);
        let draft = client.get(APPLICATION).send().await.json();
        assert_eq!([&draft["stage"], &draft["applicationType"]], ["draft", "msc"]);
        assert_eq!((&draft["data"]["education"]["hasBachelors"], &draft["submittedAt"]), (&json!(false), &Value::Null));
        let mut answers = complete_answers();
        answers["applicationType"] = json!("msc");
        let saved = client.post(APPLICATION).json(&answers).send().await;
        assert_eq!(saved.status, 200, "{saved:?}");
        let submitted = client.post(&format!("{APPLICATION}/submit")).json(&json!({ "declaration": true })).send().await;
        assert_eq!((submitted.status, &submitted.json()["stage"]), (200, &json!("submitted")), "{submitted:?}");
        assert!(submitted.json()["reference"].as_str().unwrap().starts_with("M26-"), "{submitted:?}");
    }

    async fn a_submission_is_found_and_read_by_staff(database: Database) {
        let importer = Importer::start(&database).await;
        let answers: Vec<(&str, &str)> = ALL_ANSWERS.into_iter().chain([
            ("lastName", "Zimmermann"), ("outcome", "submitted"), ("submittedOn", "2024-05-31"), ("formerReference", "OLD-17"),
        ]).collect();
        let done = importer.import_with(&Sheet::default().row(&answers), json!({ "tag": "Former system" })).await;
        assert_eq!(database.count("outbox").await, 0, "nobody is written to unless somebody wants it");
        let id = importer.application_of(&id_of(&done), 2).await;
        let reviewer = staff_client(&importer.world, Role::Reviewer).await;
        for query in ["q=zimmermann", "q=old-17", "tag=former+system", "stage=submitted", "q=person-2@example.com"] {
            let found = found(&reviewer, query).await;
            assert_eq!(found.len(), 1, "{query}");
            assert_eq!(found[0]["id"], id, "{query}");
        }
        let path = format!("/api/admins/applications/{id}");
        let loaded = reviewer.api("GET", &path).send().await.json();
        assert!(loaded["submittedAt"].as_str().unwrap().starts_with("2024-05-31"), "{loaded}");
        let reference = loaded["reference"].as_str().unwrap();
        assert!(reference.starts_with('B'), "it has a number like any other: {loaded}");
        assert_eq!(importer.row(&id_of(&done), 2).await["reference"], reference);
        assert_eq!(loaded["applicant"]["answers"]["financialPlan"]["selectedPayments"], json!(["employer"]));
        assert_eq!(database.count("snapshots").await, 1);

        // It says where it comes from, to those who may look there.
        let of_owner = importer.owner.see(&format!("/admin-panel/applications/{id}")).send().await;
        let address = format!("/admin-panel/imports/{}/rows", id_of(&done));
        for text in ["OLD-17", "Demo.csv", &address] {
            assert!(of_owner.text.contains(text), "{text}: {}", of_owner.text);
        }
        let of_reviewer = reviewer.see(&format!("/admin-panel/applications/{id}")).send().await;
        assert!(of_reviewer.status == 200 && !of_reviewer.text.contains(&address), "{}", of_reviewer.text);
        // It is undone with its import, and not by itself.
        let acts = importer.owner.api("GET", &path).send().await.json()["acts"].clone();
        assert!(!acts.to_string().contains("import"), "{acts}");

        let changes = json!({ "sections": ["education"], "message": "Please add your degree.", "dueOn": "2030-01-31" });
        let asked = reviewer.api("POST", &format!("{path}/request-changes")).json(&changes).send().await;
        assert_eq!((asked.status, &asked.json()["stage"]), (200, &json!("changes")), "{asked:?}");
        let client = importer.applicant(&email(2)).await;
        assert_eq!(client.get(APPLICATION).send().await.json()["stage"], "changes");
    }

    async fn what_is_over_shows_as_it_ended(database: Database) {
        let importer = Importer::start(&database).await;
        let sheet = all_that_is_over(&[("email", "ada@example.com"), ("submittedOn", "2024-05-31")]);
        let done = importer.import_with(&sheet, json!({ "tell": true })).await;
        assert_eq!((database.count("applicants").await, database.count("outbox").await), (1, 0));
        let client = importer.applicant("ada@example.com").await;
        let props = dashboard(&client).await;
        assert_eq!((&props["application"], &props["undo"]), (&Value::Null, &Value::Null));
        let past = props["past"].as_array().unwrap();
        let ended: Vec<&str> = past.iter().map(|past| past["endedText"].as_str().unwrap()).collect();
        assert_eq!(ended, [
            "Enrolled on Monday, June\u{a0}17,\u{a0}2024",
            "Accepted, not enrolled on Sunday, June\u{a0}16,\u{a0}2024",
            "Offer declined on Saturday, June\u{a0}15,\u{a0}2024",
            "Not accepted, closed on Friday, June\u{a0}14,\u{a0}2024",
            "Withdrawn on Thursday, June\u{a0}13,\u{a0}2024",
        ]);
        for past in past {
            see(&client, past["href"].as_str().unwrap()).await.assert_document(200, "pastApplication");
        }
        // None of them comes back, by whoever.
        let undo = client.post(&format!("{APPLICATION}/undo-withdraw")).json(&json!({})).send().await;
        assert_eq!(undo.status, 409, "{undo:?}");
        let reviewer = staff_client(&importer.world, Role::Reviewer).await;
        for number in 2..7 {
            let id = importer.application_of(&id_of(&done), number).await;
            for act in ["undo-withdraw", "resume"] {
                let path = format!("/api/admins/applications/{id}/{act}");
                let answer = reviewer.api("POST", &path).json(&json!({})).send().await;
                assert!(matches!(answer.status, 409 | 422), "{number} {act}: {answer:?}");
            }
        }
        assert_eq!(found(&reviewer, "q=ada@example.com").await.len(), 5);
        // They apply again, like everybody.
        let again = client.post(APPLICATION).json(&json!({ "applicationType": "msc" })).send().await;
        assert_eq!((again.status, &again.json()["stage"]), (200, &json!("draft")), "{again:?}");
        assert_eq!(dashboard(&client).await["past"].as_array().unwrap().len(), 5);
    }

    async fn what_ended_on_an_unknown_day_has_just_come_in(database: Database) {
        let importer = Importer::start(&database).await;
        importer.import(&Sheet::default().row(&[("outcome", "withdrawn")])).await;
        let client = importer.applicant(&email(2)).await;
        let props = dashboard(&client).await;
        assert_eq!(props["past"][0]["endedText"], "Withdrawn on Monday, May\u{a0}4,\u{a0}2026");
        assert_eq!(props["undo"], Value::Null, "it was not withdrawn here");
    }

    async fn what_is_over_is_counted_as_far_as_it_came(database: Database) {
        let importer = Importer::start(&database).await;
        let sheet = (0..).zip(["enrolled", "accepted", "declined", "rejected", "withdrawn"]).fold(
            Sheet::default(),
            |sheet, (day, outcome)| {
                let decided = format!("2026-04-{}", 20 + day);
                sheet.row(&[("outcome", outcome), ("submittedOn", "2026-04-06"), ("decidedOn", &decided), ("intake", "2026-08")])
            },
        );
        importer.import(&sheet).await;
        let seen = async |query: &str| {
            let path = format!("/admin-panel/applications/figures?{query}");
            let page = importer.owner.see(&path).header("accept", "application/json").send().await;
            assert_eq!(page.status, 200, "{page:?}");
            page.json()["props"].clone()
        };
        let figures = seen("").await;
        let steps: Vec<i64> = figures["steps"].as_array().unwrap().iter().map(|step| step["count"].as_i64().unwrap()).collect();
        assert_eq!(steps, [5, 5, 3, 3, 3, 2, 1]);
        // In the week in which they were submitted, four weeks ago: what was declined or withdrawn is over.
        let spans = figures["spans"].as_array().unwrap();
        assert_eq!(spans[21]["byStatus"], json!([0, 0, 1, 1, 0, 1, 2]), "{spans:?}");
        assert_eq!(spans[25]["byStatus"], json!(vec![0; 7]));
        assert_eq!(seen("intake=2026-08").await["steps"], figures["steps"], "all of that intake");
        assert_eq!(seen("intake=2027-01").await["steps"][0]["count"], 0);
    }

    async fn every_row_comes_in_by_an_act_of_the_table(database: Database) {
        let importer = Importer::start(&database).await;
        let sheet = all_that_is_over(&[]).row(&[("outcome", "draft")]).row(&[("outcome", "submitted")]);
        let done = importer.import(&sheet).await;
        let changes = "SELECT act || ' ' || from_stage || ' ' || to_stage || ' ' || COALESCE(former_stage, '-') \
                       FROM stage_changes ORDER BY 1";
        let expected = [
            "import_draft none draft -",
            "import_past none archived confirmed",
            "import_past none archived enrolled",
            "import_past none archived offered",
            "import_past none archived rejected",
            "import_past none archived submitted",
            "import_submission none submitted -",
        ];
        let mut written = database.texts(changes).await;
        written.sort();
        assert_eq!(written, expected);
        assert_eq!(counts(&done), [("imported", 7)].into());

        // Each by whoever imported it, and nothing of it in words.
        let acts = "SELECT action FROM audit WHERE actor = 'staff:{}' AND subject LIKE '{}:%' ORDER BY action";
        let of = |subject: &str| acts.replacen("{}", &importer.staff.id, 1).replacen("{}", subject, 1);
        assert_eq!(database.texts(&of("application")).await, ["application.imported"; 7]);
        assert_eq!(database.texts(&of("applicant")).await, ["applicant.imported"; 7]);
        assert_eq!(database.texts(&of("import")).await, ["import.created", "import.mapped", "import.started"]);
        let details = database.texts("SELECT detail FROM audit").await.concat();
        for word in ["example.com", "Imported", "+1555"] {
            assert!(!details.contains(word), "{word}: {details}");
        }
    }
}
