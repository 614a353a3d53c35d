//! Undoing an import: all of it is gone, unless somebody has worked on it.

use matricula::domain::role::Role;
use serde_json::{Value, json};

use super::{BORN, Importer, Sheet, counts, email, id_of, numbers};
use crate::office::{StaffClient, staff_client};
use crate::support::databases::story;
use crate::support::server::{Client, PASSWORD, complete_answers};

/// Does something to an imported application.
async fn work(member: &StaffClient, application: &str, what: &str, body: Value) {
    let path = format!("/api/admins/applications/{application}/{what}");
    let answer = member.api("POST", &path).json(&body).send().await;
    assert!((200..300).contains(&answer.status), "{what}: {answer:?}");
}

story! {
    async fn an_import_is_undone_as_a_whole(database: Database) {
        let importer = Importer::start(&database).await;
        let known = importer.world.register().await;
        let sheet = Sheet::default()
            .row(&[("outcome", "draft"), ("formerReference", "A-1")])
            .row(&[("outcome", "submitted"), ("formerReference", "A-2")])
            .row(&[("outcome", "enrolled"), ("formerReference", "A-3")])
            .row(&[("email", &email(3)), ("outcome", "rejected")])
            .row(&[("email", &known.email), BORN, ("outcome", "draft")]);
        let done = importer.import_with(&sheet, json!({ "tag": "mistake", "tell": true })).await;
        let id = id_of(&done);
        assert_eq!(database.count("applicants").await, 4);
        let application = importer.application_of(&id, 3).await;
        // Looking at one, and sorting it, is not working on it.
        let looked = importer.owner.see(&format!("/admin-panel/applications/{application}")).send().await;
        assert_eq!(looked.status, 200, "{looked:?}");
        work(&importer.owner, &application, "owner", json!({ "owner": importer.staff.id, "seen": "nobody" })).await;
        work(&importer.owner, &application, "tags", json!({ "tag": "second look" })).await;

        let undone = importer.undo(&id, json!({})).await;
        assert_eq!(counts(&undone), [("undone", 5)].into());
        assert!(undone["undoneAt"].is_string(), "{undone}");
        for table in [
            "applications",
            "listings",
            "listing_terms",
            "snapshots",
            "stage_changes",
            "imported_applications",
            "application_tags",
            "staff_tasks",
        ] {
            assert_eq!(database.count(table).await, 0, "{table}");
        }
        assert_eq!(database.texts("SELECT email FROM applicants").await, [known.email.as_str()], "who was here before stays");
        assert_eq!(known.get("/api/users/me").send().await.status, 200);
        assert_eq!(database.count("outbox").await, 0, "whoever was told is gone, and whoever had an account was not told");
        let path = format!("/api/admins/applications/{application}");
        importer.owner.api("GET", &path).send().await.assert_problem(404, "application.not_found");
        let rows = importer.rows(&id, "all").await;
        assert!(rows.iter().all(|row| row["state"] == "undone" && row["applicationId"].is_null()), "{rows:?}");

        // The record says what was there, and who took it back.
        let acts = "SELECT action FROM audit WHERE subject LIKE '{}:%' AND action LIKE '%import_undone' ORDER BY action";
        let of = |subject: &str| acts.replace("{}", subject);
        assert_eq!(database.texts(&of("application")).await, ["application.import_undone"; 5]);
        assert_eq!(database.texts(&of("applicant")).await, ["applicant.import_undone"; 3]);
        assert_eq!(database.count("audit WHERE action = 'import.undone'").await, 1);
        assert!(database.db().check_chain(None).await.unwrap().is_ok());
        importer.try_undo(&id, &json!({})).await.assert_problem(409, "import.state");
        // The corrected file comes in as if nothing had happened.
        importer.import(&sheet).await;
        assert_eq!(importer.owner.api("DELETE", &format!("{}/{id}", crate::office::imports::IMPORTS)).send().await.status, 204);
    }

    async fn what_somebody_has_worked_on_stays(database: Database) {
        let importer = Importer::start(&database).await;
        let known = importer.world.register().await;
        let submitted = ("outcome", "submitted");
        let sheet = (0..7).fold(Sheet::default(), |sheet, _| sheet.row(&[submitted]))
            .row(&[("outcome", "draft")])
            .row(&[("outcome", "draft")])
            .row(&[("email", &known.email), BORN, ("outcome", "draft")])
            .row(&[("outcome", "enrolled")]);
        let id = id_of(&importer.import(&sheet).await);
        let decider = staff_client(&importer.world, Role::Decider).await;
        for (number, what, body) in [
            (2, "notes", json!({ "note": "Known to us" })),
            (3, "conversation", json!({ "text": "Welcome." })),
            (4, "request-changes", json!({ "sections": ["education"], "message": "Your degree, please.", "dueOn": "2030-01-31" })),
            (5, "decision", json!({ "outcome": "accept", "letter": "offer", "withoutDocuments": "Seen", "waiver": "Known to us", "conditions": ["A diploma"] })),
            (6, "readings", json!({ "readers": [decider.staff.id], "dueOn": "2026-05-20" })),
            (7, "documents/identity", json!({ "decision": "waive", "reason": "Known to us" })),
        ] {
            work(&decider, &importer.application_of(&id, number).await, what, body).await;
        }
        // One applicant has been here, and one who had an account has gone on with the draft.
        let visited = importer.applicant(&email(9)).await;
        let saved = known.post("/api/users/application").json(&complete_answers()).send().await;
        assert_eq!(saved.status, 200, "{saved:?}");

        let worked_on = [2, 3, 4, 5, 6, 7, 9, 11];
        let page = importer.owner.see(&format!("/admin-panel/imports/{id}")).send().await;
        let undo = page.assert_document(200, "adminImport")["props"]["undo"].clone();
        assert_eq!(undo, json!({ "imported": 11, "workedOn": worked_on.len() }));
        for body in [json!({}), json!({ "leave": false })] {
            importer.try_undo(&id, &body).await.assert_problem(409, "import.worked_on");
        }
        assert_eq!(counts(&importer.load(&id).await), [("imported", 11)].into(), "nothing has happened");

        let undone = importer.undo(&id, json!({ "leave": true })).await;
        assert_eq!(counts(&undone), [("kept", 8), ("undone", 3)].into());
        let kept = importer.rows(&id, "kept").await;
        assert_eq!(numbers(&kept), worked_on);
        assert!(kept.iter().all(|row| row["applicationId"].is_string()), "{kept:?}");
        assert_eq!(database.count("applications").await, 8);
        assert_eq!(visited.get("/api/users/application").send().await.json()["stage"], "draft");
        assert_eq!(known.get("/api/users/application").send().await.json(), saved.json());
        importer.owner.api("DELETE", &format!("{}/{id}", crate::office::imports::IMPORTS)).send().await.assert_problem(409, "import.state");
        // They still say where they come from.
        let dossier = importer.owner.see(&format!("/admin-panel/applications/{}", kept[0]["applicationId"].as_str().unwrap()));
        assert!(dossier.send().await.text.contains(&format!("/admin-panel/imports/{id}/rows")));
    }

    async fn whoever_works_on_it_at_the_same_moment_keeps_it_or_is_told(database: Database) {
        let importer = Importer::start(&database).await;
        let mut applicants = Vec::new();
        for _ in 0..12 {
            applicants.push(importer.world.register().await);
        }
        let row = |sheet: Sheet, applicant: &Client| sheet.row(&[("email", &applicant.email), BORN]);
        let sheet = applicants.iter().fold(Sheet::default(), row);
        let done = importer.check(&sheet).await;
        let id = id_of(&importer.start_import(&id_of(&done)).await);
        assert_eq!(importer.try_undo(&id, &json!({})).await.status, 202);
        let mut answers = complete_answers();
        answers["education"]["hasBachelors"] = json!(true);
        let saves = applicants.iter().map(|applicant| applicant.post("/api/users/application").json(&answers).send());
        let (undone, saved) = tokio::join!(importer.settled(&id, "undone"), futures::future::join_all(saves));
        for (applicant, saved) in applicants.iter().zip(&saved) {
            assert!(saved.status < 500, "{saved:?}");
            let there = applicant.get("/api/users/application").send().await;
            // A save that came later has begun a new application.
            if saved.status == 200 {
                assert_eq!(there.json()["data"]["education"]["hasBachelors"], true, "{there:?}");
            }
        }
        let found = counts(&undone);
        assert_eq!(found.values().sum::<i64>(), 12, "{found:?}");
        assert_eq!(database.count("imported_applications").await, found.get("kept").copied().unwrap_or_default());
    }

    async fn what_its_applicant_has_deleted_is_gone_and_the_rest_is_undone(database: Database) {
        let importer = Importer::start(&database).await;
        let id = id_of(&importer.import(&Sheet::of(3)).await);
        let (deletes, closes) = (importer.applicant(&email(2)).await, importer.applicant(&email(3)).await);
        let revision = deletes.get("/api/users/application").send().await.json()["revision"].to_string();
        let form = [("_action", "delete-draft"), ("revision", revision.as_str())];
        let deleted = deletes.without_token().post("/dashboard").form(&form).with_cookie(&deletes).send().await;
        deleted.assert_redirect(303, "/dashboard?done=draft-deleted");
        deletes.get("/api/users/application").send().await.assert_problem(404, "application.none");
        let body = json!({ "currentPassword": PASSWORD, "confirm": true });
        let closed = closes.post("/api/users/close-account").json(&body).send().await;
        assert_eq!(closed.status, 204, "{closed:?}");

        let undone = importer.undo(&id, json!({ "leave": true })).await;
        assert_eq!(undone["counts"]["imported"], 0, "{undone}");
        assert_eq!(importer.row(&id, 4).await["state"], "undone");
        assert_eq!(database.count("applicants").await, 2, "the accounts of those who were here stay");
    }
}
