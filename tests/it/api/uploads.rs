//! Resumable uploads: the tus protocol.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use futures::StreamExt;
use futures::future::join_all;
use matricula::documents::Clamd;
use matricula::domain::moments::{HOUR, MINUTE};
use serde_json::json;
use sha1::Digest;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use super::documents::{self, applicant, objects, slot};
use crate::support::clamd::Scanner;
use crate::support::databases::{Database, story};
use crate::support::files::pdf;
use crate::support::s3::python_programs;
use crate::support::server::{Answer, Call, Client, World, WorldOptions};

const PATH: &str = "/api/users/documents/uploads";
const PIECE: &str = "application/offset+octet-stream";

/// Sends a megabyte and stops; a second uploader asks for the offset and sends the rest with checksums.
const TUSPY: &str = r#"
import sys
from tusclient import client
_, url, token, path = sys.argv
tus = client.TusClient(url, headers={"Authorization": "Bearer " + token})
metadata = {"filename": "tuspy.pdf", "slot": "identity"}
first = tus.uploader(path, chunk_size=300_000, metadata=metadata)
first.upload(stop_at=1_000_000)
second = tus.uploader(path, chunk_size=700_000, url=first.url, upload_checksum=True)
assert second.offset == first.offset >= 1_000_000, second.offset
second.upload()
"#;

fn tus(client: &Client, method: &str, path: &str) -> Call {
    client.call(method, path).header("tus-resumable", "1.0.0")
}

fn creation(client: &Client, slot: &str, name: &str, length: usize) -> Call {
    let metadata = format!("filename {},slot {}", STANDARD.encode(name), STANDARD.encode(slot));
    tus(client, "POST", PATH).header("upload-length", &length.to_string()).header("upload-metadata", &metadata)
}

pub async fn create(client: &Client, slot: &str, name: &str, length: usize) -> Answer {
    creation(client, slot, name, length).send().await
}

/// Starts an upload and returns its path.
async fn created(client: &Client, slot: &str, length: usize) -> String {
    let created = create(client, slot, "file.pdf", length).await;
    assert_eq!(created.status, 201, "{created:?}");
    assert_eq!(created.header("tus-resumable"), "1.0.0");
    created.header("location").to_owned()
}

fn piece(client: &Client, path: &str, offset: usize, content: impl Into<reqwest::Body>) -> Call {
    tus(client, "PATCH", path).header("upload-offset", &offset.to_string()).raw(PIECE, content)
}

async fn offset(client: &Client, path: &str) -> usize {
    let told = tus(client, "HEAD", path).send().await;
    assert_eq!(told.status, 200, "{told:?}");
    assert_eq!(told.header("cache-control"), "no-store");
    told.header("upload-offset").parse().unwrap()
}

/// Waits until the checks are done.
async fn settled(client: &Client, name: &str) -> serde_json::Value {
    for _ in 0..600 {
        let slot = slot(client, name).await;
        if slot["files"].as_array().unwrap().iter().all(|file| file["state"] != "checking") {
            return slot;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("the checks of {name} do not end");
}

/// Follows a file from its first chunk until it is stored.
pub async fn whole_life(world: &World) {
    let client = applicant(world).await;
    let content = pdf(5_000_000);
    let path = created(&client, "identity", content.len()).await;
    assert_eq!(slot(&client, "identity").await["state"], "uploading");
    let mut at = 0;
    for size in [1, 1_000_000, 3_999_000] {
        let sent = piece(&client, &path, at, content[at..content.len().min(at + size)].to_vec()).send().await;
        at = content.len().min(at + size);
        assert_eq!((sent.status, sent.header("upload-offset")), (204, &*at.to_string()), "{sent:?}");
        assert_eq!(offset(&client, &path).await, at);
    }
    let sent = piece(&client, &path, at, content[at..].to_vec()).send().await;
    assert_eq!((sent.status, sent.header("upload-expires")), (204, ""), "{sent:?}");
    let settled = settled(&client, "identity").await;
    assert_eq!((&settled["state"], &settled["files"][0]["size"]), (&json!("received"), &json!(content.len())));
    assert_eq!(offset(&client, &path).await, content.len());
    let file = format!("{}/{}", documents::PATH, settled["files"][0]["id"].as_str().unwrap());
    assert!(client.get(&file).send().await.bytes == content);
    // The parts are removed after the file is reported as present.
    for _ in 0..200 {
        if objects(world).await.len() == 1 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(objects(world).await.len(), 1, "the parts are gone");
    assert_eq!(client.call("DELETE", &file).send().await.status, 204);
    assert_eq!(tus(&client, "HEAD", &path).send().await.status, 404);
}

/// A world in which every check waits for a slow virus scanner.
async fn with_slow_checks(database: &Database) -> (World, Scanner) {
    let scanner = Scanner::start().await;
    scanner.set_held(true);
    let clamd = Some(Clamd::new(scanner.url.parse().unwrap()));
    (World::start_with(database.db(), WorldOptions { clamd, ..WorldOptions::default() }).await, scanner)
}

/// Asserts that exactly this many files are being scanned, and no more start.
async fn assert_scans(scanner: &Scanner, expected: usize, why: &str) {
    for _ in 0..200 {
        if scanner.scans() >= expected {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!(scanner.scans(), expected, "{why}");
}

story! {
    async fn a_finished_upload_is_checked_once_however_often_it_is_patched(database: Database) {
        let (world, scanner) = with_slow_checks(&database).await;
        let client = applicant(&world).await;
        let content = pdf(2000);
        let (path, length) = (created(&client, "identity", content.len()).await, content.len());
        assert_eq!(piece(&client, &path, 0, content).send().await.status, 204);
        let patched = async || {
            for answer in join_all((0..40).map(|_| piece(&client, &path, length, "").send())).await {
                assert_eq!((answer.status, answer.header("upload-offset")), (204, &*length.to_string()), "{answer:?}");
            }
        };
        patched().await;
        assert_scans(&scanner, 1, "while it is checked").await;
        scanner.set_held(false);
        assert_eq!(settled(&client, "identity").await["state"], "received");
        patched().await;
        assert_scans(&scanner, 1, "when it is kept").await;
        assert_eq!(database.texts("SELECT id FROM audit WHERE action = 'document.received'").await.len(), 1);
    }

    async fn of_one_account_one_file_is_checked_at_a_time_and_few_wait(database: Database) {
        let (world, scanner) = with_slow_checks(&database).await;
        let (client, other) = (applicant(&world).await, applicant(&world).await);
        let send = async |client: &Client, name: &str| {
            let content = pdf(500);
            let sent = creation(client, "identity", name, content.len()).raw(PIECE, content).send().await;
            assert_eq!(sent.status, 201, "{sent:?}");
        };
        for n in 0..12 {
            send(&client, &format!("{n}.pdf")).await;
        }
        assert_scans(&scanner, 1, "the others wait").await;
        send(&other, "other.pdf").await;
        assert_scans(&scanner, 2, "nobody waits for the files of others").await;
        scanner.set_held(false);
        assert_eq!(settled(&other, "identity").await["state"], "received");
        let checking = "SELECT id FROM documents WHERE state = 'checking'";
        for _ in 0..200 {
            if database.texts(checking).await.len() == 2 {
                break;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        assert_scans(&scanner, 11, "ten of one account have a place").await;
        assert_eq!(database.texts(checking).await.len(), 2);
        assert_eq!(world.app.care_for_documents().await.unwrap(), 0, "they are left for later");
        world.clock.advance(MINUTE);
        assert_eq!(world.app.care_for_documents().await.unwrap(), 2);
        assert!(database.texts(checking).await.is_empty());
        assert_eq!(scanner.scans(), 13);
    }

    async fn a_file_in_pieces(database: Database) {
        whole_life(&World::start(database.db()).await).await;
    }

    async fn what_the_protocol_says_of_bad_requests(database: Database) {
        let world = World::start(database.db()).await;
        let client = applicant(&world).await;
        let options = client.call("OPTIONS", PATH).send().await;
        assert_eq!(options.status, 204);
        assert_eq!(options.header("tus-version"), "1.0.0");
        assert_eq!(options.header("tus-extension"), "creation,creation-with-upload,termination,checksum,expiration");
        assert_eq!(options.header("tus-max-size"), "26214400");

        let path = created(&client, "identity", 1000).await;
        let old = client.call("PATCH", &path).header("tus-resumable", "0.2.2").send().await;
        old.assert_problem(412, "tus.version");
        assert_eq!(old.header("tus-version"), "1.0.0");
        client.call("HEAD", &path).send().await;
        let untyped = tus(&client, "PATCH", &path).header("upload-offset", "0").raw("text/plain", "x").send().await;
        untyped.assert_problem(415, "content_type");
        piece(&client, &path, 5, "x").send().await.assert_problem(409, "upload.offset");
        tus(&client, "PATCH", &path).raw(PIECE, "x").send().await.assert_problem(400, "tus.syntax");
        let longer = piece(&client, &path, 0, vec![b'x'; 1001]).send().await;
        longer.assert_problem(413, "file.too_large");
        let told = "The upload was larger than announced. Nothing was kept. Start it again.";
        assert_eq!(longer.json()["error"], told);
        assert_eq!(offset(&client, &path).await, 0);
        let missing = format!("{PATH}/00000000-0000-0000-0000-000000000000");
        piece(&client, &missing, 0, "x").send().await.assert_problem(404, "document.not_found");

        create(&client, "identity", "a.pdf", 0).await.assert_problem(422, "file.empty");
        create(&client, "identity", "a.pdf", 26_214_401).await.assert_problem(413, "file.too_large");
        create(&client, "identity", "a.exe", 10).await.assert_problem(422, "file.type");
        create(&client, "gi-bill", "a.pdf", 10).await.assert_problem(422, "document.slot");
        tus(&client, "POST", PATH).header("upload-length", "10").send().await.assert_problem(400, "tus.syntax");
        tus(&client, "POST", PATH).header("upload-metadata", "filename").send().await.assert_problem(400, "tus.syntax");

        let other = applicant(&world).await;
        assert_eq!(tus(&other, "HEAD", &path).send().await.status, 404);
        piece(&other, &path, 0, "x").send().await.assert_problem(404, "document.not_found");
        piece(&client.without_token(), &path, 0, "x").send().await.assert_problem(401, "auth.required");
        client.get(&path).send().await.assert_problem(405, "method_not_allowed");
    }

    async fn a_piece_with_a_checksum_is_kept_as_a_whole_or_not_at_all(database: Database) {
        let world = World::start(database.db()).await;
        let client = applicant(&world).await;
        let content = pdf(5_000_000);
        let path = created(&client, "identity", content.len()).await;
        let sum = STANDARD.encode(sha1::Sha1::digest(&content));
        let other = STANDARD.encode(sha1::Sha1::digest(b"other"));
        let send = |sum: String| {
            piece(&client, &path, 0, content.clone()).header("upload-checksum", &format!("sha1 {sum}")).send()
        };
        send(other).await.assert_problem(460, "upload.checksum");
        assert_eq!((offset(&client, &path).await, objects(&world).await.len()), (0, 0));
        assert_eq!(send(sum).await.status, 204);
        assert_eq!(settled(&client, "identity").await["state"], "received");
    }

    async fn the_first_piece_may_come_with_the_creation_and_an_upload_can_be_given_up(database: Database) {
        let world = World::start(database.db()).await;
        let client = applicant(&world).await;
        let content = pdf(2000);
        let begun = creation(&client, "identity", "a.pdf", content.len()).raw(PIECE, content[..500].to_vec()).send().await;
        assert_eq!((begun.status, begun.header("upload-offset")), (201, "500"), "{begun:?}");
        let path = begun.header("location").to_owned();
        // For clients that can only POST.
        let call = tus(&client, "POST", &path).header("x-http-method-override", "PATCH").header("upload-offset", "500");
        assert_eq!(call.raw(PIECE, content[500..700].to_vec()).send().await.status, 204);
        assert_eq!(tus(&client, "DELETE", &path).send().await.status, 204);
        assert_eq!(tus(&client, "HEAD", &path).send().await.status, 404);
        assert_eq!((objects(&world).await.len(), database.count("documents").await), (0, 0));
        let whole = creation(&client, "identity", "a.pdf", content.len()).raw(PIECE, content).send().await;
        assert_eq!(whole.status, 201);
        assert_eq!(settled(&client, "identity").await["state"], "received");
    }

    async fn an_upload_without_progress_is_given_up_after_a_day(database: Database) {
        let world = World::start(database.db()).await;
        let client = applicant(&world).await;
        let path = created(&client, "identity", 1000).await;
        world.clock.advance(23 * HOUR);
        let client = client.log_in().await;
        assert_eq!(piece(&client, &path, 0, "%PDF").send().await.status, 204);
        world.clock.advance(23 * HOUR);
        let client = client.log_in().await;
        assert_eq!(offset(&client, &path).await, 4, "there was progress");
        assert_eq!(world.app.care_for_documents().await.unwrap(), 0);
        world.clock.advance(HOUR + MINUTE);
        let client = client.log_in().await;
        assert_eq!(tus(&client, "HEAD", &path).send().await.status, 404);
        assert_eq!(objects(&world).await.len(), 1);
        assert_eq!(world.app.care_for_documents().await.unwrap(), 1);
        assert_eq!((objects(&world).await.len(), database.count("documents").await), (0, 0));
        assert_eq!(database.count("document_parts").await, 0);
    }

    async fn of_pieces_for_the_same_place_one_is_kept(database: Database) {
        let world = World::start(database.db()).await;
        let client = applicant(&world).await;
        let content = pdf(600_000);
        let path = created(&client, "identity", content.len()).await;
        let calls = (0..8).map(|_| piece(&client, &path, 0, content[..300_000].to_vec()).send());
        let answers = futures::future::join_all(calls).await;
        assert_eq!(answers.iter().filter(|answer| answer.status == 204).count(), 1);
        for answer in answers.iter().filter(|answer| answer.status != 204) {
            answer.assert_problem(409, "upload.offset");
        }
        assert_eq!((offset(&client, &path).await, objects(&world).await.len()), (300_000, 1));
        assert_eq!(piece(&client, &path, 300_000, content[300_000..].to_vec()).send().await.status, 204);
        let settled = settled(&client, "identity").await;
        let file = format!("{}/{}", documents::PATH, settled["files"][0]["id"].as_str().unwrap());
        assert!(client.get(&file).send().await.bytes == content);
    }

    async fn what_came_before_the_line_broke_is_kept(database: Database) {
        let world = World::start(database.db()).await;
        let client = applicant(&world).await;
        let content = pdf(300_000);
        let path = created(&client, "identity", content.len()).await;
        let mut line = TcpStream::connect(world.address()).await.unwrap();
        let head = format!(
            "PATCH {path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {}\r\nTus-Resumable: 1.0.0\r\n\
             Upload-Offset: 0\r\nContent-Type: {PIECE}\r\nContent-Length: {}\r\n\r\n",
            client.token.as_deref().unwrap(),
            content.len()
        );
        line.write_all(head.as_bytes()).await.unwrap();
        line.write_all(&content[..100_000]).await.unwrap();
        line.shutdown().await.unwrap();
        drop(line);
        let mut at = 0;
        for _ in 0..200 {
            at = offset(&client, &path).await;
            if at > 0 {
                break;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        assert_eq!(at, 100_000);
        assert_eq!(piece(&client, &path, at, content[at..].to_vec()).send().await.status, 204);
        assert_eq!(settled(&client, "identity").await["state"], "received");
    }

    async fn another_client_of_the_protocol_stops_and_goes_on(database: Database) {
        let world = World::start(database.db()).await;
        let client = applicant(&world).await;
        let folder = tempfile::tempdir().unwrap();
        let (file, content) = (folder.path().join("tuspy.pdf"), pdf(3_000_000));
        std::fs::write(&file, &content).unwrap();
        let python = python_programs().join("python");
        let run = tokio::process::Command::new(python)
            .args(["-c", TUSPY, &format!("http://{}{PATH}", world.address()), client.token.as_deref().unwrap()])
            .arg(&file)
            .output();
        let ran = run.await.unwrap();
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
        let settled = settled(&client, "identity").await;
        assert_eq!((&settled["state"], &settled["files"][0]["name"]), (&json!("received"), &json!("tuspy.pdf")));
        let file = format!("{}/{}", documents::PATH, settled["files"][0]["id"].as_str().unwrap());
        assert!(client.get(&file).send().await.bytes == content);
    }

    async fn nobody_gets_past_the_limit_by_being_quick(database: Database) {
        let world = World::start(database.db()).await;
        let client = applicant(&world).await;
        let calls = (0..60).map(|n| creation(&client, "identity", &format!("{n}.pdf"), 10).send());
        let answers: Vec<Answer> = futures::stream::iter(calls).buffer_unordered(12).collect().await;
        assert_eq!(answers.iter().filter(|answer| answer.status == 201).count(), 50);
        for answer in answers.iter().filter(|answer| answer.status != 201) {
            answer.assert_problem(409, "file.quota");
        }
    }
}
