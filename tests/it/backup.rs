//! Backups can be restored, and an archive that cannot be is detected before it is needed.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Output};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use reqwest::StatusCode;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::task::block_in_place;
use tokio_util::sync::CancellationToken;
use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

use crate::api::documents::form;
use crate::kills::Writer;
use crate::support::databases::{Database, story};
use crate::support::files::{below, pdf};
use crate::support::ports::free_port;
use crate::support::program::Program;
use crate::support::s3::bucket;
use crate::support::server::{complete_answers, http_client, registration};

/// Exit code of a command that has done what it could, with something missing.
const LACKING: i32 = 3;

pub fn program_on(database: &str) -> Program {
    Program { folder: TempDir::new().unwrap(), database: database.to_owned(), port: free_port(), more: Vec::new() }
}

/// With a database in its own folder, which no other process has open.
pub fn program_on_sqlite() -> Program {
    let mut program = program_on("");
    program.database = format!("sqlite:{}", program.folder.path().join("matricula.db").display());
    program
}

/// Returns its exit code and all its output.
pub fn run(program: &Program, words: &[&str]) -> (Option<i32>, String) {
    let Output { status, stdout, stderr } = block_in_place(|| program.run(words));
    (status.code(), format!("{}{}", String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr)))
}

pub fn succeed(program: &Program, words: &[&str]) -> String {
    let (code, said) = run(program, words);
    assert_eq!(code, Some(0), "{words:?}: {said}");
    said
}

pub fn refused(program: &Program, words: &[&str], why: &str) {
    let (code, said) = run(program, words);
    assert_eq!(code, Some(1), "{words:?}: {said}");
    assert!(said.contains(why), "{words:?}: {said}");
}

pub fn stop(mut server: Child) {
    server.kill().unwrap();
    server.wait().unwrap();
}

async fn application(program: &Program, token: &str) -> (StatusCode, Value) {
    let url = format!("http://127.0.0.1:{}/api/users/application", program.port);
    let answer = http_client().get(url).bearer_auth(token).send().await.unwrap();
    (answer.status(), answer.json().await.unwrap())
}

/// An applicant with answers and a document of `size` bytes: the token, and the document's path.
pub async fn applicant_with_document(program: &Program, size: usize) -> (String, String) {
    let (http, url) = (http_client(), format!("http://127.0.0.1:{}/api/users", program.port));
    let email = format!("demo-document-{size}@example.com");
    let registered = http.post(format!("{url}/register")).json(&registration(&email)).send().await.unwrap();
    let token = registered.json::<Value>().await.unwrap()["token"].as_str().unwrap().to_owned();
    let saved = http.post(format!("{url}/application")).bearer_auth(&token).json(&complete_answers());
    assert_eq!(saved.send().await.unwrap().status(), 200);
    let sent = http.post(format!("{url}/documents")).bearer_auth(&token);
    let sent = sent.header("content-type", "multipart/form-data; boundary=edge");
    let sent = sent.body(form("identity", "demo.pdf", &pdf(size))).send().await.unwrap();
    assert_eq!(sent.status(), 201);
    let id = sent.json::<Value>().await.unwrap()["id"].as_str().unwrap().to_owned();
    (token, format!("/api/users/documents/{id}"))
}

pub async fn document(program: &Program, token: &str, path: &str) -> Vec<u8> {
    let url = format!("http://127.0.0.1:{}{path}", program.port);
    let answer = http_client().get(url).bearer_auth(token).send().await.unwrap();
    assert_eq!(answer.status(), 200);
    answer.bytes().await.unwrap().to_vec()
}

/// An archive's entries, by name.
fn entries(archive: &Path) -> Vec<(String, Vec<u8>)> {
    let mut zip = ZipArchive::new(File::open(archive).unwrap()).unwrap();
    let mut entries = Vec::new();
    for index in 0..zip.len() {
        let mut entry = zip.by_index(index).unwrap();
        let mut content = Vec::new();
        entry.read_to_end(&mut content).unwrap();
        entries.push((entry.name().unwrap().into_owned(), content));
    }
    entries
}

/// A position within the rows of the archive: not all of the compression's metadata is read.
fn within_rows(archive: &Path) -> usize {
    let mut zip = ZipArchive::new(File::open(archive).unwrap()).unwrap();
    let rows = zip.by_name("tables/applicants.jsonl").unwrap();
    usize::try_from(rows.data_start().unwrap() + rows.compressed_size() / 2).unwrap()
}

fn manifest(archive: &Path) -> Value {
    let entries = entries(archive);
    let (_, manifest) = entries.iter().find(|(name, _)| name == "manifest.json").unwrap();
    serde_json::from_slice(manifest).unwrap()
}

fn write_archive(archive: &Path, entries: &[(String, Vec<u8>)]) {
    let mut zip = ZipWriter::new(File::create(archive).unwrap());
    for (name, content) in entries {
        zip.start_file(name.as_str(), SimpleFileOptions::default()).unwrap();
        zip.write_all(content).unwrap();
    }
    zip.finish().unwrap();
}

story! {
    async fn what_was_acknowledged_before_a_backup_is_there_after_a_restore(database: Database) {
        let before = program_on(&database.url);
        succeed(&before, &["seed", "--demo"]);
        let server = before.start();
        let (token, path) = applicant_with_document(&before, 70_000).await;
        let (stop_writing, acknowledged) = (CancellationToken::new(), Arc::new(AtomicU64::new(0)));
        let (mut tokens, mut saves, mut writers) = (Vec::new(), Vec::new(), Vec::new());
        for number in 0..8 {
            let writer = Writer::register(&before, number, &stop_writing, &acknowledged).await;
            tokens.push(writer.token.clone());
            saves.push(writer.saves.clone());
            writers.push(writer.start(number));
        }
        let patience = Instant::now();
        while acknowledged.load(Ordering::SeqCst) < 60 {
            assert!(patience.elapsed() < Duration::from_secs(60), "nobody writes");
            tokio::time::sleep(Duration::from_millis(5)).await;
        }

        let saved_before: Vec<u64> = saves.iter().map(|save| save[1].load(Ordering::SeqCst)).collect();
        let archive = before.folder.path().join("backup.zip");
        let place = archive.to_str().unwrap().to_owned();
        succeed(&before, &["backup", &place]);
        let tried_after: Vec<u64> = saves.iter().map(|save| save[0].load(Ordering::SeqCst)).collect();
        assert!(writers.iter().all(|writer| !writer.is_finished()), "nobody is kept from writing");
        for writer in writers {
            writer.abort();
        }
        stop(server);
        refused(&before, &["backup", &place], "is there already");

        Database::empty_postgres().await.tell(async move |postgres| {
            for after in [program_on_sqlite(), program_on(&postgres.url)] {
                succeed(&after, &["verify", &place]);
                succeed(&after, &["restore", &place]);
                let said = succeed(&after, &["doctor"]);
                assert!(said.contains("each as it was sent"), "{said}");
                refused(&after, &["restore", &place], "there is a database already");

                let server = after.start();
                for (number, token) in tokens[..4].iter().enumerate() {
                    let (status, application) = application(&after, token).await;
                    assert_eq!(status, 200, "the secret that signed the token is there");
                    let saved = Writer::saved_number(&application);
                    let possible = saved_before[number]..=tried_after[number];
                    assert!(possible.contains(&saved), "{saved} is none of {possible:?}");
                }
                assert!(document(&after, &token, &path).await == pdf(70_000));
                let registered = http_client()
                    .post(format!("http://127.0.0.1:{}/api/users/register", after.port))
                    .json(&registration("demo-after@example.com"))
                    .send();
                assert_eq!(registered.await.unwrap().status(), 201, "life goes on");
                stop(server);
            }
        }).await;
    }

    async fn a_lost_document_is_told_and_keeps_nobody_from_a_backup(database: Database) {
        let program = program_on(&database.url);
        let server = program.start();
        applicant_with_document(&program, 3_000).await;
        let (token, path) = applicant_with_document(&program, 4_000).await;
        stop(server);
        let sent = below(program.folder.path().join("data/documents/documents"));
        let lost = sent.iter().find(|file| fs::metadata(file).unwrap().len() < 3_900).unwrap();
        fs::remove_file(lost).unwrap();

        let folder = program.folder.path().join("backups");
        fs::create_dir(&folder).unwrap();
        let (code, said) = run(&program, &["backup", folder.to_str().unwrap()]);
        assert_eq!(code, Some(LACKING), "{said}");
        assert!(said.contains(lost.file_name().unwrap().to_str().unwrap()), "{said}");
        let archives = below(folder);
        let [archive] = &*archives else { panic!("{archives:?}") };
        let name = archive.file_name().unwrap().to_str().unwrap();
        assert!(name.starts_with("matricula-2") && name.ends_with("Z.zip"), "{name}");
        #[cfg(unix)]
        assert_eq!(std::os::unix::fs::PermissionsExt::mode(&fs::metadata(archive).unwrap().permissions()) & 0o777, 0o600);

        let place = archive.to_str().unwrap();
        let (code, said) = run(&program, &["verify", place]);
        assert_eq!(code, Some(LACKING), "{said}");
        let after = program_on_sqlite();
        let (code, said) = run(&after, &["restore", place]);
        assert_eq!(code, Some(LACKING), "{said}");
        let server = after.start();
        assert!(document(&after, &token, &path).await == pdf(4_000));
        stop(server);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_archive_that_is_not_whole_is_never_restored() {
    let source = program_on_sqlite();
    let server = source.start();
    applicant_with_document(&source, 20_000).await;
    stop(server);
    let good = source.folder.path().join("good.zip");
    succeed(&source, &["backup", good.to_str().unwrap()]);
    let whole = entries(&good);
    let bytes = fs::read(&good).unwrap();

    type Damage = fn(&str, &mut Vec<u8>);
    let altered: [(&str, Damage); 5] = [
        ("a row has another value", |name, content| {
            if name == "tables/applicants.jsonl" {
                let text = String::from_utf8(content.clone()).unwrap();
                assert!(text.contains("demo-document"));
                *content = text.replace("demo-document", "demo-Document").into_bytes();
            }
        }),
        ("a row is missing", |name, content| {
            if name == "tables/audit.jsonl" {
                content.truncate(content.iter().position(|byte| *byte == b'\n').unwrap() + 1);
            }
        }),
        ("a document has another byte", |name, content| {
            if name.starts_with("objects/") {
                *content.last_mut().unwrap() ^= 1;
            }
        }),
        ("the secret is another one", |name, content| {
            if name == "secret" {
                content[0] ^= 1;
            }
        }),
        ("it is of a later version", |name, content| {
            if name == "manifest.json" {
                let mut manifest: Value = serde_json::from_slice(content).unwrap();
                manifest["schema"] = json!(9_999_999);
                *content = manifest.to_string().into_bytes();
            }
        }),
    ];
    let mut bad: Vec<(&str, Vec<u8>)> = Vec::new();
    let file = source.folder.path().join("bad.zip");
    for (what, alter) in altered {
        let mut entries = whole.clone();
        entries.iter_mut().for_each(|(name, content)| alter(name, content));
        assert!(entries != whole, "{what}");
        write_archive(&file, &entries);
        bad.push((what, fs::read(&file).unwrap()));
    }
    bad.push(("it ends too early", bytes[..bytes.len() - 100].to_vec()));
    let mut flipped = bytes.clone();
    flipped[within_rows(&good)] ^= 0x10;
    bad.push(("a bit of it is another one", flipped));
    bad.push(("it is empty", Vec::new()));

    for (what, content) in bad {
        fs::write(&file, content).unwrap();
        let place = file.to_str().unwrap();
        let after = program_on_sqlite();
        for command in ["verify", "restore"] {
            let (code, said) = run(&after, &[command, place]);
            assert_eq!(code, Some(1), "{what}: {command} says {said}");
        }
        assert!(!after.folder.path().join("matricula.db").exists(), "{what}");
        // And what it left behind does not block restoring the good one.
        succeed(&after, &["restore", good.to_str().unwrap()]);
    }
    refused(&source, &["verify", "nowhere.zip"], "there is no archive at nowhere.zip");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_restored_over_something() {
    let source = program_on_sqlite();
    let server = source.start();
    applicant_with_document(&source, 5_000).await;
    stop(server);
    let archive = source.folder.path().join("backup.zip");
    let place = archive.to_str().unwrap();
    succeed(&source, &["backup", place]);

    let after = program_on_sqlite();
    let data = after.folder.path().join("data");
    let other = "01928374-5566-7788-99aa-bbccddeeff00";
    let other = data.join("documents/documents").join(other).join(other);
    fs::create_dir_all(other.parent().unwrap()).unwrap();
    fs::write(&other, b"somebody's").unwrap();
    refused(&after, &["restore", place], "which is not of this archive");
    fs::remove_file(&other).unwrap();
    fs::write(data.join("secret"), "another secret of more than thirty-two characters").unwrap();
    refused(&after, &["restore", place], "is another secret than the archive's");
    fs::remove_file(data.join("secret")).unwrap();
    succeed(&after, &["restore", place]);

    // An operator who keeps the secret elsewhere is told whether it is the right one.
    let mut configured = program_on_sqlite();
    configured.more.push(("MATRICULA_SECRET", "x".repeat(40)));
    let said = succeed(&configured, &["restore", place]);
    assert!(said.contains("The secret is not the one"), "{said}");
    let mut same = program_on_sqlite();
    same.more.push(("MATRICULA_SECRET", fs::read_to_string(source.folder.path().join("data/secret")).unwrap()));
    let said = succeed(&same, &["restore", place]);
    assert!(!said.contains("The secret is not the one"), "{said}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_goes_from_bucket_to_bucket() {
    let mut source = program_on_sqlite();
    source.more.push(("STORAGE_URL", bucket().await));
    let server = source.start();
    let (token, path) = applicant_with_document(&source, 90_000).await;
    stop(server);
    let archives = bucket().await;
    let named = |path: &str| archives.replacen('?', &format!("/{path}?"), 1);
    let said = succeed(&source, &["backup", &named("nightly/monday.zip")]);
    assert!(said.contains("monday.zip"), "{said}");
    refused(&source, &["backup", &named("nightly/monday.zip")], "is there already");
    succeed(&source, &["backup", &named("nightly")]);
    succeed(&source, &["verify", &named("nightly/monday.zip")]);
    refused(&source, &["verify", &named("nightly/tuesday.zip")], "there is no archive");

    let mut after = program_on_sqlite();
    after.more.push(("STORAGE_URL", bucket().await));
    succeed(&after, &["restore", &named("nightly/monday.zip")]);
    let server = after.start();
    assert!(document(&after, &token, &path).await == pdf(90_000));
    stop(server);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_moves_to_postgres_and_back() {
    Database::empty_postgres().await.tell(move_there_and_back).await;
}

async fn move_there_and_back(postgres: Arc<Database>) {
    // It is refused while any connection is open.
    postgres.db().close().await;
    let source = program_on_sqlite();
    succeed(&source, &["seed", "--demo", "--season", "12"]);
    let server = source.start();
    let (token, path) = applicant_with_document(&source, 8_000).await;
    refused(&source, &["copy", "--to", &postgres.url], "stop every server");
    stop(server);
    refused(&source, &["copy", "--to", &source.database], "the same database");
    let archive = |name: &str| -> PathBuf { source.folder.path().join(name) };
    succeed(&source, &["backup", archive("before.zip").to_str().unwrap()]);
    let said = succeed(&source, &["copy", "--to", &postgres.url]);
    assert!(said.contains("Copied: "), "{said}");
    refused(&source, &["copy", "--to", &postgres.url], "there is a database already");

    let changed = postgres.run("UPDATE audit SET actor = 'system'").await;
    assert!(changed.unwrap_err().to_string().contains("append-only"), "its triggers are there");

    // Until a server starts, the storage fits either database.
    succeed(&source, &["doctor"]);
    // The same data folder: documents and the secret are where they were.
    let mut moved = Program { database: postgres.url.clone(), ..program_on("") };
    moved.folder = source.folder;
    let source_database = source.database;
    // The storage is marked again after a minute.
    moved.more = vec![("MATRICULA_DEVELOPMENT", "true".into()), ("MATRICULA_CLOCK_AHEAD", "2".into())];
    succeed(&moved, &["doctor"]);
    succeed(&moved, &["backup", moved.folder.path().join("moved.zip").to_str().unwrap()]);
    let server = moved.start();
    assert_eq!(application(&moved, &token).await.0, 200);
    assert!(document(&moved, &token, &path).await == pdf(8_000));
    // Then with the database it was started with.
    let old = Program { database: source_database, folder: moved.folder, ..program_on("") };
    let begun = Instant::now();
    while run(&old, &["doctor"]).0 == Some(0) && begun.elapsed() < Duration::from_secs(10) {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    refused(&old, &["doctor"], "at another moment, or of a copy of it");
    moved.folder = old.folder;
    let back = format!("sqlite:{}", moved.folder.path().join("back.db").display());
    refused(&moved, &["copy", "--to", &back], "stop every server");
    stop(server);
    succeed(&moved, &["backup", moved.folder.path().join("there.zip").to_str().unwrap()]);
    let gone = Instant::now();
    // PostgreSQL takes a moment to notice that a process was killed.
    while run(&moved, &["copy", "--to", &back]).0 != Some(0) {
        assert!(gone.elapsed() < Duration::from_secs(30), "{}", run(&moved, &["copy", "--to", &back]).1);
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    let returned = Program { database: back, port: free_port(), folder: moved.folder, more: Vec::new() };
    succeed(&returned, &["doctor"]);
    succeed(&returned, &["backup", returned.folder.path().join("back.zip").to_str().unwrap()]);
    let tables = |name: &str| manifest(&returned.folder.path().join(name))["tables"].clone();
    assert_eq!(tables("before.zip"), tables("moved.zip"));
    assert_eq!(tables("there.zip"), tables("back.zip"));
    assert!(tables("before.zip").as_array().unwrap().iter().any(|table| table["name"] == "staff_rules"));
}
