//! Abandoned drafts: warned about, deleted, and what keeps them.

use matricula::domain::moments::DAY;
use serde_json::json;

use crate::api::documents::{applicant, objects, send};
use crate::decisions::advance;
use crate::support::databases::{Database, story};
use crate::support::files::pdf;
use crate::support::server::{Client, World};

const APPLICATION: &str = "/api/users/application";

async fn start(database: &Database) -> World {
    let world = World::start(database.db()).await;
    world.app.plan_recurring().await.unwrap();
    world
}

/// The recipients of the warning, once per mail.
async fn told(database: &Database) -> Vec<String> {
    database.texts("SELECT recipient FROM outbox WHERE template = 'draft-expires' ORDER BY recipient").await
}

/// Checked in another browser, months later.
async fn has_draft(client: &Client) -> bool {
    client.log_in().await.get(APPLICATION).send().await.status == 200
}

story! {
    async fn an_untouched_draft_is_told_of_and_deleted_a_month_later(database: Database) {
        let world = start(&database).await;
        let client = applicant(&world).await;
        assert_eq!(send(&client, "identity", "passport.pdf", &pdf(1000)).await.status, 201);
        assert_eq!(objects(&world).await.len(), 1);

        // On the fourth of May, so it is kept until then.
        advance(&world, 334 * DAY).await;
        assert!(told(&database).await.is_empty());
        for _ in 0..3 {
            advance(&world, DAY).await;
            assert_eq!(told(&database).await, [client.email.as_str()]);
        }
        let text = database.texts("SELECT body_text FROM outbox WHERE template = 'draft-expires'").await.remove(0);
        assert!(text.contains("until the end of Tuesday, May 4, 2027") && text.contains("/bachelor/application"), "{text}");

        advance(&world, 28 * DAY).await;
        assert!(has_draft(&client).await, "it is the fourth of May");
        advance(&world, DAY).await;
        assert!(!has_draft(&client).await);
        let entered = client.log_in().await;
        assert_eq!(entered.get(APPLICATION).send().await.code(), "application.none");
        for table in ["applications", "documents", "document_parts", "stage_changes"] {
            assert_eq!(database.count(table).await, 0, "{table}");
        }
        assert_eq!(objects(&world).await, Vec::<String>::new());
        let audit = "SELECT actor || ' ' || detail FROM audit WHERE action = 'application.draft_deleted'";
        let audit = database.texts(audit).await;
        assert!(audit.len() == 1 && audit[0].starts_with("system {") && audit[0].contains(r#""to":"none""#), "{audit:?}");
        // And another one can be started.
        let started = entered.post("/api/users/application/start").json(&json!({ "applicationType": "msc" })).send().await;
        assert_eq!(started.status, 200, "{started:?}");
    }

    async fn who_saves_or_sends_a_file_keeps_the_draft_for_another_year(database: Database) {
        let world = start(&database).await;
        let (saves, sends) = (applicant(&world).await, applicant(&world).await);
        advance(&world, 340 * DAY).await;
        assert_eq!(told(&database).await.len(), 2);
        let body = json!({ "applicationType": "ba", "education": { "hasMasters": false } });
        assert_eq!(saves.log_in().await.post(APPLICATION).json(&body).send().await.status, 200);
        assert_eq!(send(&sends.log_in().await, "identity", "passport.pdf", &pdf(1000)).await.status, 201);

        for _ in 0..11 {
            advance(&world, 30 * DAY).await;
            assert!(has_draft(&saves).await && has_draft(&sends).await);
        }
        assert_eq!(told(&database).await.len(), 2, "eleven months are not over");
        advance(&world, 10 * DAY).await;
        assert_eq!(told(&database).await.len(), 4);
        advance(&world, 31 * DAY).await;
        assert!(!has_draft(&saves).await && !has_draft(&sends).await);
    }

    async fn a_draft_of_long_ago_is_told_of_before_it_goes(database: Database) {
        let world = start(&database).await;
        let client = applicant(&world).await;
        // As an application from before this kind of job existed.
        database.run("UPDATE applications SET created_at = 1, updated_at = 2").await.unwrap();
        advance(&world, 0).await;
        assert_eq!(told(&database).await.len(), 1);
        advance(&world, 30 * DAY).await;
        assert!(has_draft(&client).await);
        advance(&world, DAY).await;
        assert!(!has_draft(&client).await);
    }

    async fn what_was_submitted_is_never_deleted_this_way(database: Database) {
        let world = start(&database).await;
        let client = world.submitted().await;
        let taken_back = client.post("/api/users/application/unsubmit").json(&json!({})).send().await;
        assert_eq!(taken_back.json()["stage"], "draft");
        let waits = world.submitted().await;
        for _ in 0..20 {
            advance(&world, 30 * DAY).await;
        }
        assert!(has_draft(&client).await && has_draft(&waits).await && told(&database).await.is_empty());
    }

    async fn files_that_may_belong_to_another_application_stay(database: Database) {
        let world = start(&database).await;
        let client = world.submitted().await;
        assert_eq!(send(&client, "identity", "passport.pdf", &pdf(1000)).await.status, 201);
        let gone = client.post("/api/users/application/withdraw").json(&json!({ "reason": "I move." })).send().await;
        assert_eq!(gone.status, 200, "{gone:?}");
        let started = client.post("/api/users/application/start").json(&json!({ "applicationType": "ba" })).send().await;
        assert_eq!(started.status, 200, "{started:?}");
        advance(&world, 340 * DAY).await;
        advance(&world, 31 * DAY).await;
        assert!(!has_draft(&client).await);
        let owner = client.user["id"].as_str().unwrap();
        assert_eq!(database.db().documents(owner).await.unwrap().len(), 1);
        assert_eq!(objects(&world).await.len(), 1);
        assert!(database.db().ended_application(owner).await.unwrap().is_some());
    }
}
