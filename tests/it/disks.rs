//! The disk that holds SQLite and the documents fills up or freezes, or another program locks SQLite's file.

use std::time::Instant;

use futures::future::join_all;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection};
use tempfile::TempDir;

use crate::api::documents::form;
use crate::faults::{Faulty, SECOND};
use crate::support::disks::{Disk, fill};
use crate::support::files::pdf;
use crate::support::program::Program;
use crate::support::server::{complete_answers, http_client, registration};
use crate::support::skip;

/// The program, with everything it stores on this disk.
fn start_on(disk: &Disk) -> Faulty {
    let folder = TempDir::new_in(disk.path()).unwrap();
    let database = format!("sqlite:{}", folder.path().join("matricula.db").display());
    Faulty::start_on(folder, database, Program::start)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_disk_refuses_what_is_written_until_there_is_room() {
    let disk = match Disk::in_memory("12m") {
        Ok(disk) => disk,
        Err(why) => return skip(&why),
    };
    let faulty = start_on(&disk);
    let registered = faulty.register("before").await.json::<serde_json::Value>().await.unwrap();
    let token = registered["token"].as_str().unwrap();
    let save = |answers: &serde_json::Value| {
        http_client().post(faulty.url("/api/users/application")).bearer_auth(token).json(answers).send()
    };
    assert_eq!(save(&complete_answers()).await.unwrap().status(), 200);
    let ballast = disk.path().join("ballast");
    fill(&ballast, 0);
    faulty.refuses().await;
    assert_eq!(save(&complete_answers()).await.unwrap().status(), 503);
    assert_eq!(faulty.application(token).await.status(), 200, "reading goes on");
    let upload = http_client().post(faulty.url("/api/users/documents")).bearer_auth(token);
    let upload = upload.header("content-type", "multipart/form-data; boundary=edge");
    let upload = upload.body(form("identity", "passport.pdf", &pdf(1000))).send().await.unwrap();
    assert_eq!(upload.status(), 503);
    std::fs::remove_file(&ballast).unwrap();
    faulty.heals("once", SECOND).await;

    // With little room left, something fails halfway.
    for pages in 1..=12 {
        fill(&ballast, pages * 4096);
        let status = faulty.register(&format!("page{pages}")).await.status();
        assert!(status == 201 || status == 503, "{status}");
        std::fs::remove_file(&ballast).unwrap();
    }
    faulty.heals("twice", SECOND).await;
    faulty.has_kept(&["before", "once", "twice"]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_frozen_disk_acknowledges_nothing_and_goes_on_when_it_thaws() {
    let mut disk = match Disk::in_a_file("64M") {
        Ok(disk) => disk,
        Err(why) => return skip(&why),
    };
    let faulty = start_on(&disk);
    assert_eq!(faulty.register("before").await.status(), 201);
    let each = ["frozen0", "frozen1", "frozen2", "frozen3"];
    let url = faulty.url("/api/users/register");
    let asked = each.map(|name| {
        let body = registration(&format!("{name}@example.com"));
        http_client().post(&url).json(&body).timeout(3 * SECOND).send()
    });
    let frozen = disk.freeze();
    for answer in join_all(asked).await.into_iter().flatten() {
        assert_eq!(answer.status(), 503);
    }
    drop(frozen);
    // Requests in progress are completed or abandoned; both are correct, as neither was acknowledged.
    faulty.heals("after", 2 * SECOND).await;
    for name in each {
        let again = faulty.register(name).await.status();
        assert!(again == 201 || again == 409, "{again}");
    }
    let doctor = faulty.program.run(&["doctor"]);
    assert!(doctor.status.success(), "{}", String::from_utf8_lossy(&doctor.stdout));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_lock_that_somebody_else_holds_is_waited_for_and_then_refused() {
    let faulty = Faulty::start(Program::start);
    let registered = faulty.register("before").await.json::<serde_json::Value>().await.unwrap();
    let token = registered["token"].as_str().unwrap();
    let save = http_client().post(faulty.url("/api/users/application")).bearer_auth(token);
    assert_eq!(save.json(&complete_answers()).send().await.unwrap().status(), 200);
    let other = SqliteConnectOptions::new().filename(faulty.file("matricula.db"));
    let mut other = other.connect().await.unwrap();

    // Locked for a moment: nobody notices.
    sqlx::raw_sql("BEGIN IMMEDIATE").execute(&mut other).await.unwrap();
    let (waited, _) = tokio::join!(faulty.register("patient"), async {
        tokio::time::sleep(SECOND).await;
        sqlx::raw_sql("ROLLBACK").execute(&mut other).await.unwrap();
    });
    assert_eq!(waited.status(), 201);

    sqlx::raw_sql("BEGIN IMMEDIATE").execute(&mut other).await.unwrap();
    let start = Instant::now();
    let (refused, read) = tokio::join!(faulty.register("refused"), faulty.application(token));
    assert_eq!(refused.status(), 503);
    assert!(refused.headers().contains_key("retry-after"));
    assert!(start.elapsed() < 8 * SECOND, "{:?}", start.elapsed());
    assert_eq!(read.status(), 200);
    assert_eq!(faulty.ready().await, 503);
    sqlx::raw_sql("ROLLBACK").execute(&mut other).await.unwrap();
    other.close().await.unwrap();
    faulty.heals("after", SECOND).await;
    assert_eq!(faulty.log_in("refused").await, 401);
}
