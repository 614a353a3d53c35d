//! Scheduled jobs, on both databases.

use std::collections::BTreeSet;

use matricula::app::jobs::RECURRING;
use matricula::domain::moments::{DAY, MINUTE, Millis};
use matricula::domain::task::{Task, TaskKind};
use matricula::jobs::{JobWorker, PAUSES};
use matricula::store::{NewJob, Transition, TransitionOutcome};
use serde_json::json;
use tokio_util::sync::CancellationToken;

use crate::support::databases::story;
use crate::support::rows::{NOW, applying, at_once, id, submission, withdrawal};
use crate::support::server::World;

fn job(kind: &'static str, subject: &str, due_at: Millis) -> NewJob {
    let detail = json!({ "number": 1 });
    NewJob { id: id(), kind, subject: subject.into(), detail, due_at, plan_key: None, created_at: NOW }
}

story! {
    async fn a_job_is_given_to_one_worker_when_its_time_has_come(database: Database) {
        let db = database.db();
        let jobs: Vec<NewJob> = (0..20).map(|n| job("demo", &format!("application:{n}"), NOW + MINUTE)).collect();
        db.plan_jobs(&jobs).await.unwrap();
        assert!(db.claim_jobs(50, NOW, NOW + DAY).await.unwrap().is_empty(), "not yet");

        let claimed = at_once(8, |_| {
            let db = db.clone();
            async move { db.claim_jobs(4, NOW + MINUTE, NOW + DAY).await.unwrap() }
        })
        .await;
        let rest = db.claim_jobs(50, NOW + MINUTE, NOW + DAY).await.unwrap();
        let claimed: Vec<_> = claimed.into_iter().flatten().chain(rest).collect();
        assert_eq!(claimed.len(), 20);
        assert_eq!(claimed.iter().map(|job| &job.subject).collect::<BTreeSet<_>>().len(), 20);
        assert!(claimed.iter().all(|job| job.detail == json!({ "number": 1 }) && job.attempts == 1));
    }

    async fn a_job_whose_worker_died_comes_back_and_the_dead_one_says_nothing_about_it(database: Database) {
        let db = database.db();
        db.plan_jobs(&[job("demo", "application:1", NOW)]).await.unwrap();
        let lost = db.claim_jobs(1, NOW, NOW + MINUTE).await.unwrap().remove(0);
        let taken_over = db.claim_jobs(1, NOW + MINUTE, NOW + 2 * MINUTE).await.unwrap().remove(0);
        assert_eq!((taken_over.id.as_str(), taken_over.attempts), (lost.id.as_str(), 2));

        db.job_done(&lost, None).await.unwrap();
        db.job_failed(&lost, "late", None).await.unwrap();
        assert_eq!(db.job_counts().await.unwrap(), (1, 0));
        db.job_done(&taken_over, None).await.unwrap();
        assert_eq!(db.job_counts().await.unwrap(), (0, 0));
    }

    async fn what_recurs_is_planned_once_and_comes_again(database: Database) {
        let db = database.db();
        let planned = || NewJob { plan_key: Some("sweep".into()), ..job("sweep", "sweep", NOW) };
        db.plan_jobs(&[planned(), planned()]).await.unwrap();
        db.plan_jobs(&[planned()]).await.unwrap();
        assert_eq!(db.job_counts().await.unwrap(), (1, 0));

        let run = db.claim_jobs(5, NOW, NOW + MINUTE).await.unwrap().remove(0);
        db.job_done(&run, Some(NOW + DAY)).await.unwrap();
        assert!(db.claim_jobs(5, NOW + DAY - 1, NOW + DAY).await.unwrap().is_empty());
        assert_eq!(db.claim_jobs(5, NOW + DAY, NOW + 2 * DAY).await.unwrap()[0].attempts, 1);
    }

    async fn jobs_and_tasks_come_and_go_with_the_change_of_stage(database: Database) {
        let db = database.db();
        let (_, application) = applying(&db, "demo@example.org").await;
        let subject = format!("application:{}", application.id);
        let task = Task {
            id: id(),
            kind: TaskKind::Alert,
            subject: subject.clone(),
            detail: json!({ "act": "submit" }),
            created_at: NOW,
            due_at: None,
        };
        let submitted = Transition {
            jobs: vec![job("slow", &subject, NOW), job("other", &subject, NOW)],
            tasks: vec![task],
            ..submission(&application, "submit", 1)
        };
        assert!(matches!(db.transition(&submitted).await.unwrap(), TransitionOutcome::Done(_)));
        assert_eq!(db.job_counts().await.unwrap(), (2, 0));
        let tasks = db.open_tasks(&application.id).await.unwrap();
        assert_eq!((tasks[0].kind, &tasks[0].subject), (TaskKind::Alert, &subject));

        // Another transition was faster: nothing is written.
        let again = Transition { jobs: vec![job("slow", &subject, NOW)], ..submission(&application, "again", 1) };
        assert!(matches!(db.transition(&again).await.unwrap(), TransitionOutcome::Stale(_)));
        assert_eq!(db.job_counts().await.unwrap(), (2, 0));

        let withdrawn = Transition { dropped_jobs: vec!["slow"], ..withdrawal(&application) };
        assert!(matches!(db.transition(&withdrawn).await.unwrap(), TransitionOutcome::Done(_)));
        let left = db.claim_jobs(10, NOW, NOW + 1).await.unwrap();
        assert_eq!(left.iter().map(|job| job.kind.as_str()).collect::<Vec<_>>(), ["other"]);
    }

    async fn a_job_that_fails_is_tried_again_after_growing_pauses_and_then_parked(database: Database) {
        let world = World::start(database.db()).await;
        let db = database.db();
        // Rolling back to an older version leaves such jobs behind.
        db.plan_jobs(&[job("of-a-newer-version", "application:1", 0)]).await.unwrap();
        let worker = JobWorker { app: world.app.clone(), store: world.store.clone() };
        let stop = CancellationToken::new();
        for pause in PAUSES {
            worker.work(&stop).await.unwrap();
            assert_eq!(db.job_counts().await.unwrap(), (1, 0));
            world.clock.advance(pause - 1);
            worker.work(&stop).await.unwrap();
            world.clock.advance(1);
        }
        // The gauge is shared by the process, in which other stories run too.
        for attempt in 1.. {
            worker.work(&stop).await.unwrap();
            assert_eq!(db.job_counts().await.unwrap(), (0, 1));
            let metrics = world.visitor().get("/metrics").send().await.text;
            if metrics.contains("jobs_parked 1\n") {
                break;
            }
            assert!(attempt < 50, "{metrics}");
        }
    }

    async fn the_worker_sweeps_every_hour(database: Database) {
        let world = World::start(database.db()).await;
        let db = database.db();
        world.app.plan_recurring().await.unwrap();
        world.app.plan_recurring().await.unwrap();
        JobWorker { app: world.app.clone(), store: world.store.clone() }.work(&CancellationToken::new()).await.unwrap();
        let (waiting, parked) = db.job_counts().await.unwrap();
        assert_eq!((waiting, parked), (RECURRING.len() as i64, 0), "planned once, and again for the next time");
    }
}
