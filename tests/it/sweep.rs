//! What is deleted from the storage, and what never is.

use std::fs;
use std::path::Path;
use std::process::Child;
use std::time::{Duration, Instant};

use futures::StreamExt;
use matricula::app::ports::{Clock, DocumentStorage};
use matricula::auth::SystemClock;
use matricula::documents::ObjectStorage;
use matricula::domain::moments::{DAY, HOUR, Millis};
use serde_json::json;
use tempfile::TempDir;

use crate::api::documents::{PATH, applicant, objects, send};
use crate::backup::{applicant_with_document, program_on, program_on_sqlite, refused, run, stop, succeed};
use crate::support::databases::{Database, story};
use crate::support::files::pdf;
use crate::support::program::Program;
use crate::support::s3;
use crate::support::server::{PASSWORD, World, WorldOptions, http_client};

const MARKER: &str = "matricula-storage.json";

/// An object named as ours are.
fn ours(folder: &str, number: usize) -> String {
    format!("{folder}/0192aaaa-0000-7000-8000-{number:012}/0192aaaa-0000-7000-8000-{number:012}")
}

async fn names(storage: &ObjectStorage) -> Vec<String> {
    let names = storage.list().await.map(|object| object.unwrap().name);
    let mut names: Vec<String> = names.collect().await;
    names.sort();
    names
}

async fn world(database: &Database, storage: Option<String>) -> World {
    World::start_with(database.db(), WorldOptions { storage, ..WorldOptions::default() }).await
}

/// Advances the clock until everything now in the storage is that old. The storage uses the machine's clock.
fn until_old(world: &World, by: Millis) {
    let late = SystemClock::default().now() + by - world.clock.now();
    world.clock.advance(late.max(0));
}

async fn metric(world: &World, line: &str) {
    // Other stories set it too.
    for attempt in 0.. {
        let metrics = world.visitor().get("/metrics").send().await.text;
        if metrics.lines().any(|found| found == line) {
            return;
        }
        assert!(attempt < 50, "{line} is not in {metrics}");
    }
}

/// Adds a row of an upload that names the object.
async fn name_it(database: &Database, object: &str) {
    let sql = format!(
        "INSERT INTO documents (id, applicant_id, slot, name, state, received, lease_until, created_at, updated_at) \
         SELECT 'named', id, 'identity', 'a.pdf', 'uploading', 0, 0, 9999999999999, 9999999999999 FROM applicants; \
         INSERT INTO document_parts (document_id, start, length, object) VALUES ('named', 0, 4, '{object}')"
    );
    database.run(&sql).await.unwrap();
}

async fn what_no_row_names_waits_in_quarantine(database: &Database, storage: Option<String>) {
    let world = world(database, storage).await;
    let client = applicant(&world).await;
    assert_eq!(send(&client, "identity", "a.pdf", &pdf(500)).await.status, 201);
    let kept = objects(&world).await;
    let (lost, again) = (ours("uploads", 1), ours("contracts", 2));
    // And foreign objects, wherever they are.
    let theirs = ["backups/monday.zip", "documents/report.pdf", "contracts/2026/lease.pdf", "report.pdf"];
    for object in theirs.into_iter().chain([&*lost, &*again]) {
        world.storage.put(object, "lost".into()).await.unwrap();
    }
    let before = names(&world.storage).await;
    let all_are_there = async || {
        let now = names(&world.storage).await;
        before.iter().all(|object| now.contains(object))
    };

    assert_eq!(world.app.remove_nameless_objects().await.unwrap(), 0, "it may be on its way");
    until_old(&world, 2 * DAY + HOUR);
    assert_eq!(world.app.remove_nameless_objects().await.unwrap(), 0);
    assert!(all_are_there().await, "{:?}", names(&world.storage).await);
    assert_eq!(database.count("storage_unnamed").await, 2);
    metric(&world, "storage_unnamed{state=\"quarantined\"} 2").await;
    metric(&world, "storage_sweep_stopped{why=\"too-many\"} 0").await;
    metric(&world, "storage_sweep_stopped{why=\"not-ours\"} 0").await;

    // A row names one of them again, as after a restore.
    world.clock.advance(29 * DAY);
    name_it(database, &again).await;
    assert_eq!(world.app.remove_nameless_objects().await.unwrap(), 0);
    assert!(all_are_there().await);
    assert_eq!(database.texts("SELECT object FROM storage_unnamed").await, [&*lost]);

    world.clock.advance(2 * DAY);
    assert_eq!(world.app.remove_nameless_objects().await.unwrap(), 1);
    let left = names(&world.storage).await;
    assert!(!left.contains(&lost) && left.contains(&again), "{left:?}");
    assert!(theirs.iter().all(|object| left.iter().any(|found| found == object)), "{left:?}");
    assert!(left.contains(&kept[0]));
    assert_eq!(database.count("storage_unnamed").await, 0);

    // An object that was named again and no longer is starts its wait anew.
    database.run("DELETE FROM document_parts; DELETE FROM documents WHERE id = 'named'").await.unwrap();
    for (passed, deleted) in [(0, 0), (29 * DAY, 0), (2 * DAY, 1)] {
        world.clock.advance(passed);
        assert_eq!(world.app.remove_nameless_objects().await.unwrap(), deleted);
    }
    assert!(!names(&world.storage).await.contains(&again));
}

async fn much_that_no_row_names_is_not_deleted(database: &Database, storage: Option<String>) {
    let world = world(database, storage).await;
    let client = applicant(&world).await;
    assert_eq!(send(&client, "identity", "a.pdf", &pdf(500)).await.status, 201);
    assert_eq!(world.app.remove_nameless_objects().await.unwrap(), 0);
    let unnamed: Vec<String> = (0..12).map(|number| ours("documents", number)).collect();
    for object in &unnamed {
        world.storage.put(object, "lost".into()).await.unwrap();
    }
    let before = names(&world.storage).await;
    for days in [3, 40, 80] {
        until_old(&world, days * DAY);
        assert_eq!(world.app.remove_nameless_objects().await.unwrap(), 0);
        assert_eq!(names(&world.storage).await, before);
    }
    assert_eq!(database.texts("SELECT stopped FROM storage_claim").await, ["no row names 12 of 13 objects"]);
    metric(&world, "storage_sweep_stopped{why=\"too-many\"} 1").await;

    // An operator has looked: one is to stay, the others may go.
    let (first, others) = unnamed.split_first().unwrap();
    let first_alone = std::slice::from_ref(first);
    assert_eq!(world.app.settle_objects(Some(first_alone), false).await.unwrap(), first_alone);
    assert_eq!(world.app.settle_objects(Some(others), true).await.unwrap(), others);
    assert_eq!(world.app.remove_nameless_objects().await.unwrap(), 0, "still weeks to think about it");
    metric(&world, "storage_sweep_stopped{why=\"too-many\"} 0").await;
    metric(&world, "storage_unnamed{state=\"kept\"} 1").await;
    world.clock.advance(31 * DAY);
    assert_eq!(world.app.remove_nameless_objects().await.unwrap(), 11);
    assert!(names(&world.storage).await.contains(first));
}

/// Starts the program with its clock this far ahead, and waits until the daily work is done.
async fn daily_work(program: &mut Program, days: i64) -> (Child, String) {
    program
        .more
        .retain(|(name, _)| !["MATRICULA_CLOCK_AHEAD", "MATRICULA_DEVELOPMENT", "MATRICULA_LOG"].contains(name));
    program.more.extend([
        ("MATRICULA_DEVELOPMENT", "true".to_owned()),
        ("MATRICULA_CLOCK_AHEAD", (days * 24 * 60).to_string()),
        ("MATRICULA_LOG", "matricula=debug".to_owned()),
    ]);
    let server = program.start_logging();
    match daily_work_done(program).await {
        Ok(log) => (server, log),
        Err(log) => {
            stop(server);
            panic!("{log}");
        }
    }
}

/// The log until then, or all of it if that takes too long.
async fn daily_work_done(program: &Program) -> Result<String, String> {
    let begun = Instant::now();
    loop {
        let log = fs::read_to_string(program.log()).unwrap();
        let is_done = |line: &str| line.contains("done beside the jobs") && line.contains("reconcile-storage");
        if log.lines().any(is_done) {
            return Ok(log);
        }
        if begun.elapsed() > Duration::from_secs(40) {
            return Err(log);
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

async fn metrics(program: &Program) -> String {
    let url = format!("http://127.0.0.1:{}/metrics", program.port);
    http_client().get(url).send().await.unwrap().text().await.unwrap()
}

async fn a_database_beside_anothers_storage_deletes_nothing(database: &Database, storage: String) {
    let mut production = program_on(&database.url);
    production.more.push(("STORAGE_URL", storage.clone()));
    let (server, _) = daily_work(&mut production, 0).await;
    applicant_with_document(&production, 3_000).await;
    stop(server);
    let there = ObjectStorage::open(&storage).unwrap();
    let documents = async || -> Vec<String> {
        names(&there).await.into_iter().filter(|name| name.starts_with("documents/")).collect()
    };
    let before = documents().await;
    assert_eq!(before.len(), 1);

    let mut staging = program_on_sqlite();
    staging.more.push(("STORAGE_URL", storage));
    for days in [3, 60] {
        let (server, log) = daily_work(&mut staging, days).await;
        assert_eq!(documents().await, before, "{days}");
        assert!(log.contains("the storage is not this database's"), "{log}");
        let metrics = metrics(&staging).await;
        assert!(metrics.contains("storage_sweep_stopped{why=\"not-ours\"} 1"), "{metrics}");
        stop(server);
        let (code, said) = run(&staging, &["doctor"]);
        assert_eq!(code, Some(1), "{said}");
        assert!(said.contains("its marker names another database"), "{said}");
    }
    // Nor where the storage was never marked, as before an upgrade.
    let marker = there.read(MARKER).await.unwrap();
    there.delete(MARKER).await.unwrap();
    let mut staging = program_on_sqlite();
    staging.more.push(production.more.iter().find(|(name, _)| *name == "STORAGE_URL").unwrap().clone());
    for days in [3, 60] {
        let (server, log) = daily_work(&mut staging, days).await;
        stop(server);
        assert_eq!(documents().await, before, "{days}");
        assert!(log.contains("it has no marker, and 1 objects that this database does not name"), "{log}");
    }
    assert!(!names(&there).await.iter().any(|name| name == MARKER), "it is not taken");
    there.put(MARKER, marker).await.unwrap();
    let (server, _) = daily_work(&mut production, 3).await;
    stop(server);
    let said = succeed(&production, &["doctor"]);
    assert!(said.contains("1, each as it was sent") && said.contains("the storage goes with this database"), "{said}");
}

async fn an_older_database_deletes_nothing_that_is_newer(database: &Database, storage: Option<String>) {
    let world = world(database, storage).await;
    world.app.remove_nameless_objects().await.unwrap();
    world.clock.advance(HOUR);
    world.app.hold_storage().await.unwrap();
    let claim = "SELECT stamp || '|' || COALESCE(former_stamp, '') FROM storage_claim";
    let before = database.texts(claim).await;
    let (stamp, former) = before[0].split_once('|').unwrap();

    world.clock.advance(HOUR);
    world.app.hold_storage().await.unwrap();
    let client = applicant(&world).await;
    assert_eq!(send(&client, "identity", "newer.pdf", &pdf(500)).await.status, 201);
    let newer = objects(&world).await.into_iter().find(|name| name.starts_with("documents/")).unwrap();
    // The database as it was two hours ago, with today's files.
    database
        .run(&format!("DELETE FROM documents; UPDATE storage_claim SET stamp = '{stamp}', former_stamp = '{former}'"))
        .await
        .unwrap();
    for days in [3, 40] {
        until_old(&world, days * DAY);
        assert_eq!(world.app.remove_nameless_objects().await.unwrap(), 0);
        assert!(objects(&world).await.contains(&newer));
    }
    let strange = database.texts("SELECT strange FROM storage_claim").await;
    assert!(strange[0].contains("at another moment"), "{strange:?}");
    metric(&world, "storage_sweep_stopped{why=\"not-ours\"} 1").await;

    // It takes over the storage: newer objects stay, and objects orphaned from now on are found.
    assert_eq!(world.app.take_over_storage().await.unwrap(), 1);
    let lost = ours("uploads", 1);
    world.storage.put(&lost, "lost".into()).await.unwrap();
    for (days, deleted) in [(43, 0), (74, 1), (200, 0)] {
        until_old(&world, days * DAY);
        assert_eq!(world.app.remove_nameless_objects().await.unwrap(), deleted);
    }
    let left = objects(&world).await;
    assert!(left.contains(&newer) && !left.contains(&lost), "{left:?}");
    metric(&world, "storage_sweep_stopped{why=\"not-ours\"} 0").await;
}

story! {
    async fn what_no_row_names_waits_in_a_folder(database: Database) {
        what_no_row_names_waits_in_quarantine(&database, None).await;
    }

    async fn what_no_row_names_waits_in_a_bucket(database: Database) {
        what_no_row_names_waits_in_quarantine(&database, Some(s3::bucket().await)).await;
    }

    async fn much_that_no_row_names_stays_in_a_folder(database: Database) {
        much_that_no_row_names_is_not_deleted(&database, None).await;
    }

    async fn much_that_no_row_names_stays_in_a_bucket(database: Database) {
        much_that_no_row_names_is_not_deleted(&database, Some(s3::bucket().await)).await;
    }

    async fn another_database_deletes_nothing_in_a_folder(database: Database) {
        let folder = TempDir::new().unwrap();
        let storage = folder.path().join("documents").display().to_string();
        a_database_beside_anothers_storage_deletes_nothing(&database, storage).await;
    }

    async fn another_database_deletes_nothing_in_a_bucket(database: Database) {
        a_database_beside_anothers_storage_deletes_nothing(&database, s3::bucket().await).await;
    }

    async fn an_older_database_deletes_nothing_in_a_folder(database: Database) {
        an_older_database_deletes_nothing_that_is_newer(&database, None).await;
    }

    async fn an_older_database_deletes_nothing_in_a_bucket(database: Database) {
        an_older_database_deletes_nothing_that_is_newer(&database, Some(s3::bucket().await)).await;
    }

    async fn a_storage_that_is_not_mounted_is_not_taken_for_an_empty_one(database: Database) {
        let folder = TempDir::new().unwrap();
        let (storage, elsewhere) = (folder.path().join("documents"), folder.path().join("elsewhere"));
        let world = world(&database, Some(storage.display().to_string())).await;
        let client = applicant(&world).await;
        assert_eq!(send(&client, "identity", "a.pdf", &pdf(500)).await.status, 201);
        // Before it was ever marked, and afterwards.
        for hours in [0, 1, 2] {
            world.clock.advance(hours * HOUR);
            fs::rename(&storage, &elsewhere).unwrap();
            fs::create_dir(&storage).unwrap();
            assert!(world.app.hold_storage().await.unwrap().is_some());
            assert!(!storage.join(MARKER).exists());
            fs::remove_dir(&storage).unwrap();
            fs::rename(&elsewhere, &storage).unwrap();
            assert!(world.app.hold_storage().await.unwrap().is_none());
        }
    }

    async fn in_anothers_storage_nothing_is_deleted_for_anybody(database: Database) {
        let world = world(&database, None).await;
        let client = applicant(&world).await;
        let sent = send(&client, "identity", "a.pdf", &pdf(500)).await.json();
        world.app.hold_storage().await.unwrap();
        world.storage.put(MARKER, r#"{"database":"another","stamp":"another"}"#.into()).await.unwrap();
        let before = names(&world.storage).await;
        let path = format!("{PATH}/{}", sent["id"].as_str().unwrap());
        assert_eq!(client.call("DELETE", &path).send().await.status, 204);
        world.app.anchor_record().await.unwrap();
        assert_eq!(names(&world.storage).await, before);
    }

    async fn what_could_not_be_removed_is_removed_later(database: Database) {
        let folder = TempDir::new().unwrap();
        let world = world(&database, Some(folder.path().display().to_string())).await;
        let client = applicant(&world).await;
        let sent = send(&client, "identity", "a.pdf", &pdf(500)).await.json();
        world.app.hold_storage().await.unwrap();
        let object = objects(&world).await.into_iter().find(|name| name.starts_with("documents/")).unwrap();
        // A folder in its place cannot be deleted as a file.
        let (file, aside) = (folder.path().join(&object), folder.path().join("aside"));
        fs::rename(&file, &aside).unwrap();
        fs::create_dir_all(file.join("in/the/way")).unwrap();
        let path = format!("{PATH}/{}", sent["id"].as_str().unwrap());
        assert_eq!(client.call("DELETE", &path).send().await.status, 204);
        fs::remove_dir_all(&file).unwrap();
        fs::rename(&aside, &file).unwrap();
        // It is known to be orphaned, and does not wait for weeks.
        assert_eq!(world.app.remove_nameless_objects().await.unwrap(), 1);
        assert!(!Path::new(&file).exists());
    }

    async fn the_files_of_who_is_erased_go_at_once(database: Database) {
        let world = world(&database, None).await;
        let documents = async || objects(&world).await.into_iter().filter(|name| name.starts_with("documents/")).count();
        let close = json!({ "currentPassword": PASSWORD, "confirm": true });
        let (draft, submitted) = (applicant(&world).await, world.submitted().await);
        for client in [&draft, &submitted] {
            assert_eq!(send(client, "identity", "a.pdf", &pdf(500)).await.status, 201);
        }
        assert_eq!(documents().await, 2);
        for (client, left) in [(&draft, 1), (&submitted, 1)] {
            let closed = client.post("/api/users/close-account").json(&close).send().await;
            assert!(closed.status < 300, "{closed:?}");
            assert_eq!(documents().await, left);
        }
        world.clock.advance(8 * 366 * DAY);
        world.work().await;
        assert_eq!(documents().await, 0);
    }

    async fn a_restored_database_takes_the_storage_with_what_is_newer(database: Database) {
        let folder = TempDir::new().unwrap();
        let storage = folder.path().join("documents").display().to_string();
        let mut before = program_on(&database.url);
        before.more.push(("STORAGE_URL", storage.clone()));
        let (server, _) = daily_work(&mut before, 0).await;
        applicant_with_document(&before, 3_000).await;
        let archive = folder.path().join("backup.zip").display().to_string();
        succeed(&before, &["backup", &archive]);
        applicant_with_document(&before, 4_000).await;
        stop(server);
        let there = ObjectStorage::open(&storage).unwrap();
        let all = names(&there).await;

        let mut after = program_on_sqlite();
        after.more.push(("STORAGE_URL", storage));
        refused(&after, &["restore", &archive], "a database has");
        let said = succeed(&after, &["restore", "--take-over", &archive]);
        assert!(said.contains("1 objects more"), "{said}");
        for days in [3, 60] {
            let (server, _) = daily_work(&mut after, days).await;
            assert_eq!(names(&there).await.iter().filter(|name| all.contains(name)).count(), all.len());
            stop(server);
        }
        let said = succeed(&after, &["doctor"]);
        assert!(said.contains("1, each as it was sent"), "{said}");
        assert!(said.contains("0 objects that no row names are in quarantine, 1 left alone"), "{said}");
        let shown = succeed(&after, &["storage", "show"]);
        let newer = shown.lines().find(|line| line.ends_with("left alone") && line.starts_with("documents/")).unwrap();

        // The one that was backed up no longer has it.
        let (server, log) = daily_work(&mut before, 60).await;
        stop(server);
        assert!(log.contains("its marker names another database"), "{log}");
        assert_eq!(names(&there).await.iter().filter(|name| all.contains(name)).count(), all.len());

        // Finally an operator says that newer objects may go, and they go after the quarantine.
        let newer = newer.split_whitespace().next().unwrap().to_owned();
        let said = succeed(&after, &["storage", "let-go", &newer, "documents/nothing"]);
        assert!(said.starts_with("1 objects") && said.contains("documents/nothing is not in the storage"), "{said}");
        let (server, _) = daily_work(&mut after, 120).await;
        stop(server);
        assert!(!names(&there).await.contains(&newer));
    }
}
