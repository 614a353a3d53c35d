//! The rows of `tests/cases/bad-inputs.jsonl` about the office.

use matricula::domain::moments::MINUTE;
use matricula::domain::role::Role;
use serde_json::json;

use super::{StaffClient, hired, staff_client};
use crate::api::cases;
use crate::support::databases::{Database, story};
use crate::support::server::{Answer, World};

/// A submitted application.
async fn submitted(world: &World) -> String {
    let applicant = world.submitted().await;
    applicant.get("/api/users/application").send().await.json()["id"].as_str().unwrap().to_owned()
}

/// Sends the inputs of one row and returns the answers; `None` if its part of the product is not built yet.
async fn answers(id: &str, world: &World, database: &Database) -> Option<Vec<Answer>> {
    let owner = staff_client(world, Role::Owner).await;
    Some(match id {
        "ADM-02" => {
            let applicant = world.register().await;
            let mut all = Vec::new();
            for path in ["/api/admins/me", "/api/admins/admins", "/api/admins/nowhere"] {
                all.push(applicant.get(path).send().await);
            }
            all
        }
        "ADM-04" => {
            let body = json!({ "email": "new@example.org", "role": "viewer" });
            vec![staff_client(world, Role::Reviewer).await.api("POST", "/api/admins/admins").json(&body).send().await]
        }
        "ADM-06" => {
            let path = format!("/api/admins/admins/{}", owner.staff.id);
            vec![owner.api("PATCH", &path).json(&json!({ "role": "viewer" })).send().await]
        }
        "ADM-08" => {
            let body = json!({ "email": hired(world, Role::Viewer).await.email.to_uppercase(), "role": "viewer" });
            vec![owner.api("POST", "/api/admins/admins").json(&body).send().await]
        }
        "ADM-26" => {
            world.app.seed_questions().await.unwrap();
            let applicant = world.register().await;
            let answers = json!({ "hoursPerWeek": 12 });
            let body = json!({ "applicationType": "ba", "questionnaire": { "answers": answers } });
            assert_eq!(applicant.post("/api/users/application").json(&body).send().await.status, 200);
            let versions = owner.api("GET", "/api/admins/questionnaires").send().await.json();
            let is_answered = |it: &&serde_json::Value| it["applicationType"] == "ba";
            let answered = versions["questionnaires"].as_array().unwrap().iter().find(is_answered).unwrap();
            let questions = json!([{ "key": "why", "type": "text", "label": "Why?" }]);
            let next = json!({ "applicationType": "ba", "replaces": 1, "questions": questions });
            let published = owner.api("POST", "/api/admins/questionnaires").json(&next).send().await;
            assert_eq!(published.status, 201, "{published:?}");
            world.clock.advance(MINUTE);
            let path = format!("/api/admins/questionnaires/{}", answered["id"].as_str().unwrap());
            vec![owner.api("DELETE", &path).send().await]
        }
        "ADM-28" => {
            world.clock.advance(15 * MINUTE);
            let path = "/api/admins/settings/second-factor";
            vec![owner.api("PATCH", path).json(&json!({ "required": true })).send().await]
        }
        "ADM-10" => {
            let path = format!("/api/admins/applications/{}", submitted(world).await);
            vec![owner.api("PATCH", &path).json(&json!({ "status": "enrolled" })).send().await]
        }
        "ADM-12" => {
            let path = format!("/api/admins/applications/{}", submitted(world).await);
            let other = staff_client(world, Role::Reviewer).await;
            let seen = owner.api("GET", &path).send().await.header("etag").to_owned();
            let end = json!({ "status": "none", "reason": "They asked for it." });
            let first = other.api("PATCH", &path).header("if-match", &seen).json(&end).send().await;
            assert_eq!(first.status, 200, "{first:?}");
            vec![owner.api("PATCH", &path).header("if-match", &seen).json(&end).send().await]
        }
        "ADM-14" => {
            let mut all = Vec::new();
            for id in ["1%20OR%201%3D1", "1", "%27--"] {
                all.push(owner.api("GET", &format!("/api/admins/applications/{id}")).send().await);
            }
            all
        }
        "ADM-16" => vec![owner.api("GET", "/api/admins/applications?pageSize=100000").send().await],
        "ADM-18" => {
            let mut all = Vec::new();
            for q in [&"x".repeat(10_000), "%25", "_", "a%00b"] {
                all.push(owner.api("GET", &format!("/api/admins/applications?q={q}")).send().await);
            }
            all
        }
        "ADM-20" => vec![exported(world, database, &owner).await],
        "ADM-22" => {
            let mut all = Vec::new();
            for text in ["<script>alert(1)</script>", "{{7*7}}"] {
                let body = json!({ "applicationType": "ba", "replaces": 0, "text": text });
                all.push(owner.api("POST", "/api/admins/contract-templates").json(&body).send().await);
            }
            all
        }
        "ADM-24" => {
            let (_, id) = crate::contracts::confirmed(world).await;
            let contract = crate::contracts::sent(world, &id).await;
            let (other, _) = crate::contracts::confirmed(world).await;
            let path = format!("/api/users/contract/{contract}/sign");
            vec![other.post(&path).json(&crate::contracts::signature()).send().await]
        }
        _ => unreachable!("{id} is not executed"),
    })
}

/// The list as CSV, with names that spreadsheets would take for formulas. No form accepts such names.
async fn exported(world: &World, database: &Database, owner: &StaffClient) -> Answer {
    let names = ["=HYPERLINK(\"https://example.org\")", "+1", "@x"];
    for name in names {
        let applicant = world.submitted().await;
        let email = applicant.get("/api/users/me").send().await.json()["email"].as_str().unwrap().to_owned();
        database.run(&format!("UPDATE listings SET last_name = '{name}' WHERE email = '{email}'")).await.unwrap();
    }
    let file = owner.see("/admin-panel/applications.csv?tab=all").send().await;
    let cells = ["\"'=HYPERLINK(\"\"https://example.org\"\")\"", "'+1", "'@x"];
    for cell in cells {
        assert!(file.text.contains(&format!(",{cell},")), "{}", file.text);
    }
    file
}

story! {
    async fn every_row_about_the_office_gets_its_answer(database: Database) {
        let world = World::start(database.db()).await;
        for case in cases::of("admin") {
            // A document: checked with the pages below.
            if case.id == "ADM-30" {
                continue;
            }
            for answer in answers(&case.id, &world, &database).await.unwrap_or_default() {
                case.check(&answer);
            }
        }
    }

    async fn a_stranger_is_sent_to_the_login_and_reads_nothing(database: Database) {
        let world = World::start(database.db()).await;
        let owner = staff_client(&world, Role::Owner).await;
        world.visitor().get("/admin-panel/").send().await.assert_redirect(302, "/admin-panel");
        for path in ["/admin-panel", "/admin-panel/applications", "/admin-panel/applications/1", "/admin-panel/admins", "/admin-panel/nowhere"] {
            let answer = world.visitor().get(path).send().await;
            answer.assert_redirect(302, "/admin-panel/login");
            assert_eq!(answer.text, "", "{path}");
        }
        let login = world.visitor().get("/admin-panel/login").send().await;
        let page = login.assert_document(200, "adminLogin");
        assert!(page["shared"].get("office").is_none());
        assert!(!login.text.contains(&owner.staff.email) && !login.text.contains("/admin-panel/admins"));
    }
}
