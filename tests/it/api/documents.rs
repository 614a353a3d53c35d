//! The documents an application calls for, uploads in a single request, their checks, and staff's verdicts.

use std::time::Duration;

use futures::StreamExt;
use matricula::app::documents::ReviewVerdict;
use matricula::app::ports::DocumentStorage;
use matricula::app::{Error, Refusal};
use matricula::boot::Patience;
use matricula::documents::Clamd;
use matricula::domain::documents::SlotKind;
use matricula::domain::moments::{DAY, MINUTE};
use matricula::domain::role::Role;
use matricula::domain::staff::Staff;
use matricula::store::Part;
use matricula::wire::Pace;
use serde_json::{Value, json};

use super::{cases, uploads};
use crate::support::clamd::Scanner;
use crate::support::databases::story;
use crate::support::files::{docx, eicar, jpeg, pdf, png};
use crate::support::s3;
use crate::support::server::{Answer, Call, Client, World, WorldOptions, complete_answers};

pub const PATH: &str = "/api/users/documents";
const APPLICATION: &str = "/api/users/application";

/// An applicant whose answers call for proof of identity and a letter from the employer.
pub async fn applicant(world: &World) -> Client {
    let client = world.register().await;
    let saved = client.post(APPLICATION).json(&complete_answers()).send().await;
    assert_eq!(saved.status, 200, "{saved:?}");
    client
}

/// A multipart form with one file.
pub fn form(slot: &str, name: &str, content: &[u8]) -> Vec<u8> {
    let head = format!(
        "--edge\r\nContent-Disposition: form-data; name=\"slot\"\r\n\r\n{slot}\r\n\
         --edge\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{name}\"\r\n\
         Content-Type: application/octet-stream\r\n\r\n"
    );
    [head.as_bytes(), content, b"\r\n--edge--\r\n"].concat()
}

pub fn as_form(call: Call, body: impl Into<reqwest::Body>) -> Call {
    call.raw("multipart/form-data; boundary=edge", body)
}

pub async fn send(client: &Client, slot: &str, name: &str, content: &[u8]) -> Answer {
    as_form(client.post(PATH), form(slot, name, content)).send().await
}

/// The slot with this name in the list.
pub async fn slot(client: &Client, name: &str) -> Value {
    let listed = client.get(PATH).send().await;
    assert_eq!(listed.status, 200, "{listed:?}");
    let listed = listed.json();
    let all = listed["slots"].as_array().unwrap().iter().chain(listed["others"].as_array().unwrap());
    all.into_iter().find(|slot| slot["slot"] == name).cloned().unwrap_or_default()
}

/// The objects in the storage, without the record's anchors and the storage's marker.
pub async fn objects(world: &World) -> Vec<String> {
    let mut names: Vec<String> = world.storage.list().await.map(|object| object.unwrap().name).collect().await;
    names.retain(|name| !name.starts_with("anchors/") && name != "matricula-storage.json");
    names.sort();
    names
}

/// Executes one row of the cases.
async fn answers(id: &str, world: &World, client: &Client) -> Vec<Answer> {
    let good = pdf(1000);
    match id {
        "UPL-02" => vec![send(client, "identity", "empty.pdf", b"").await],
        "UPL-04" => {
            // More than is allowed, in chunks, never finished; then it waits for the answer.
            let start = form("identity", "endless.pdf", b"%PDF-1.7\n");
            let start = start[..start.len() - 12].to_vec();
            let chunks = futures::stream::iter([start].into_iter().chain((0..30).map(|_| vec![b'x'; 1024 * 1024])));
            let body = chunks.map(Ok::<_, std::io::Error>).chain(futures::stream::pending());
            let answer = as_form(client.post(PATH), reqwest::Body::wrap_stream(body)).send().await;
            assert_eq!(objects(world).await, Vec::<String>::new());
            vec![answer]
        }
        "UPL-06" => {
            let start = form("identity", "slow.pdf", b"%PDF");
            let drops = futures::stream::iter(start[..start.len() - 12].to_vec()).then(async |byte| {
                tokio::time::sleep(Duration::from_millis(20)).await;
                Ok::<_, std::io::Error>(vec![byte])
            });
            vec![as_form(client.post(PATH), reqwest::Body::wrap_stream(drops)).send().await]
        }
        "UPL-08" => vec![send(client, "identity", "photo.jpg", b"<html><script>alert(1)</script></html>").await],
        "UPL-10" => {
            let mut all = Vec::new();
            for name in ["x.html", "x.php", "x.exe", "x"] {
                all.push(send(client, "identity", name, &good).await);
            }
            all
        }
        "UPL-12" => {
            let polyglot = [good, docx(&[("word/note.txt", b"also an archive")])].concat();
            let stored = send(client, "identity", "polyglot.pdf", &polyglot).await;
            let id = stored.json()["id"].as_str().unwrap().to_owned();
            let loaded = client.get(&format!("{PATH}/{id}")).send().await;
            assert_eq!((loaded.status, &loaded.bytes), (200, &polyglot));
            assert_eq!(loaded.header("content-type"), "application/pdf");
            assert!(loaded.header("content-disposition").starts_with("attachment; filename=\"polyglot.pdf\""));
            assert_eq!(loaded.header("x-content-type-options"), "nosniff");
            assert_eq!(loaded.header("content-security-policy"), "sandbox; default-src 'none'");
            assert_eq!(client.call("DELETE", &format!("{PATH}/{id}")).send().await.status, 204);
            vec![stored]
        }
        "UPL-14" => {
            let mut all = vec![send(client, "identity", &format!("{}.pdf", "a".repeat(296)), &good).await];
            for name in ["a\0b.pdf", "a\r\nSet-Cookie: a=b.pdf", "\"a\".pdf"] {
                all.push(uploads::create(client, "identity", name, 1000).await);
            }
            all
        }
        "UPL-16" => {
            let zeros = vec![0; 30 * 1024 * 1024];
            vec![send(client, "identity", "bomb.docx", &docx(&[("word/media/zeros.bin", &zeros)])).await]
        }
        "UPL-18" => {
            let xml = b"<!DOCTYPE d [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><document>&x;</document>";
            vec![send(client, "identity", "xxe.docx", &docx(&[("word/document.xml", xml)])).await]
        }
        "UPL-20" => {
            let (png, jpeg) = (png(), jpeg());
            let mut bad_sum = png.clone();
            bad_sum[32] ^= 1;
            vec![
                send(client, "identity", "cut.png", &png[..png.len() / 2]).await,
                send(client, "identity", "sum.png", &bad_sum).await,
                send(client, "identity", "cut.jpg", &jpeg[..jpeg.len() / 2]).await,
            ]
        }
        "UPL-22" => vec![send(client, "identity", "virus.pdf", &eicar()).await],
        "UPL-24" => {
            let full = applicant(world).await;
            for n in 0..50 {
                let begun = uploads::create(&full, "identity", &format!("{n}.pdf"), 1000).await;
                assert_eq!(begun.status, 201, "{begun:?}");
            }
            let answers = vec![
                send(&full, "identity", "51.pdf", &good).await,
                uploads::create(&full, "identity", "51.pdf", 1000).await,
            ];
            let first = slot(&full, "identity").await["files"][0]["id"].as_str().unwrap().to_owned();
            assert_eq!(full.call("DELETE", &format!("{PATH}/{first}")).send().await.status, 204);
            assert_eq!(send(&full, "identity", "51.pdf", &good).await.status, 201);
            answers
        }
        "UPL-26" => {
            let whole = form("identity", "a.pdf", &good);
            vec![
                client.post(PATH).raw("multipart/form-data", whole.clone()).send().await,
                client.post(PATH).raw(&format!("multipart/form-data; boundary={}", "b".repeat(5000)), "").send().await,
                as_form(client.post(PATH), whole[..whole.len() - 12].to_vec()).send().await,
                as_form(client.post(PATH), "nothing of the kind").send().await,
            ]
        }
        "UPL-28" => {
            let nobody = client.without_token();
            let staff = client.with_token(world.tokens.issue(
                "any",
                matricula::domain::session::Audience::Admin,
                matricula::app::ports::Clock::now(&*world.clock),
            ));
            send(&staff, "identity", "a.pdf", &good).await.assert_problem(401, "token.audience");
            vec![send(&nobody, "identity", "a.pdf", &good).await, nobody.get(PATH).send().await]
        }
        "UPL-30" => {
            let sent = send(client, "identity", "a.pdf", &good).await;
            let id = sent.json()["id"].as_str().unwrap().to_owned();
            let path = format!("{PATH}/{id}");
            assert_eq!(client.call("DELETE", &path).send().await.status, 204);
            let mut all = Vec::new();
            for path in [path, format!("{PATH}/1%00"), format!("{PATH}/..%2f"), format!("{PATH}/%ff")] {
                all.push(client.get(&path).send().await);
            }
            all
        }
        _ => panic!("{id} is not executed"),
    }
}

story! {
    async fn bad_inputs(database: Database) {
        let world = World::start(database.db()).await;
        let client = applicant(&world).await;
        let body = Pace { window: Duration::from_millis(300), ..Pace::default() };
        let patience = Patience { body, ..Patience::default() };
        let slow = World::start_with(database.db(), WorldOptions { patience, ..WorldOptions::default() }).await;
        let slow_client = client.at_server(&slow);
        for case in cases::of("upload") {
            let (world, client) = if case.id == "UPL-06" { (&slow, &slow_client) } else { (&world, &client) };
            for answer in answers(&case.id, world, client).await {
                case.check(&answer);
            }
        }
        let listed = slot(&client, "identity").await;
        assert_eq!((&listed["state"], &listed["files"]), (&json!("needed"), &json!([])), "nothing of it is left");
    }

    async fn the_answers_call_for_documents_and_a_file_without_its_slot_is_kept(database: Database) {
        let world = World::start(database.db()).await;
        let nobody = world.register().await;
        nobody.get(PATH).send().await.assert_problem(404, "application.none");
        send(&nobody, "identity", "a.pdf", &pdf(500)).await.assert_problem(404, "application.none");

        let client = applicant(&world).await;
        let names = async || -> Vec<(String, String)> {
            let listed = client.get(PATH).send().await.json();
            let name = |slot: &Value| (slot["slot"].as_str().unwrap().into(), slot["need"].as_str().unwrap().into());
            listed["slots"].as_array().unwrap().iter().map(name).collect()
        };
        let called = |names: &[(&str, &str)]| -> Vec<(String, String)> {
            names.iter().map(|(slot, need)| ((*slot).into(), (*need).into())).collect()
        };
        assert_eq!(names().await, called(&[("identity", "required"), ("employer-letter", "later")]));
        send(&client, "gi-bill", "a.pdf", &pdf(500)).await.assert_problem(422, "document.slot");
        // There is room for one file only: of two, neither is accepted.
        let one = form("identity", "a.pdf", &pdf(500));
        let two = [&one[..one.len() - "--edge--\r\n".len()], &form("identity", "b.pdf", &pdf(600))].concat();
        as_form(client.post(PATH), two).send().await.assert_problem(400, "multipart.syntax");
        assert_eq!(slot(&client, "identity").await["files"], json!([]));
        send(&client, "passport", "a.pdf", &pdf(500)).await.assert_problem(422, "document.slot");
        assert_eq!(send(&client, "employer-letter", "letter.pdf", &pdf(500)).await.status, 201);

        let other_plan = json!({ "applicationType": "ba", "financialPlan": { "selectedPayments": ["gi_bill"] } });
        assert_eq!(client.post(APPLICATION).json(&other_plan).send().await.status, 200);
        assert_eq!(names().await, called(&[("identity", "required"), ("gi-bill", "later")]));
        let listed = client.get(PATH).send().await.json();
        assert_eq!(listed["others"][0]["slot"], "employer-letter");
        assert_eq!(listed["others"][0]["files"][0]["name"], "letter.pdf");
        send(&client, "employer-letter", "b.pdf", &pdf(500)).await.assert_problem(422, "document.slot");
    }

    async fn a_file_is_kept_checked_loaded_in_ranges_and_removed(database: Database) {
        whole_life(&World::start(database.db()).await).await;
    }

    async fn the_same_in_a_bucket(database: Database) {
        let storage = Some(s3::bucket().await);
        let world = World::start_with(database.db(), WorldOptions { storage, ..WorldOptions::default() }).await;
        whole_life(&world).await;
        uploads::whole_life(&world).await;
        world.storage.probe().await.unwrap();
    }

    async fn a_file_that_the_storage_has_lost_is_asked_for_again(database: Database) {
        let world = World::start(database.db()).await;
        let client = applicant(&world).await;
        let application = client.get(APPLICATION).send().await.json()["id"].as_str().unwrap().to_owned();
        let sent = send(&client, "identity", "passport.pdf", &pdf(500)).await.json();
        let path = format!("{PATH}/{}", sent["id"].as_str().unwrap());
        let reviewer = staff(&world, Role::Reviewer).await;
        world.app.review_document(&reviewer, &application, SlotKind::Identity, ReviewVerdict::Accept, None).await.unwrap();
        let open = "SELECT detail FROM staff_tasks WHERE kind = 'document-lost' AND done_at IS NULL";
        let asked = "SELECT body_text FROM outbox WHERE template = 'document-needed-again'";

        // A storage without a single object is taken for unmounted: nothing is known about the file.
        for object in objects(&world).await {
            world.storage.delete(&object).await.unwrap();
        }
        client.get(&path).send().await.assert_problem(503, "storage.unavailable");
        assert_eq!(slot(&client, "identity").await["state"], "accepted");

        assert_eq!(send(&client, "employer-letter", "letter.pdf", &pdf(500)).await.status, 201);
        for _ in 0..2 {
            client.get(&path).send().await.assert_problem(404, "document.not_found");
            let lost = slot(&client, "identity").await;
            assert_eq!((&lost["state"], &lost["files"][0]["code"]), (&json!("needed"), &json!("file.lost")), "{lost}");
            assert_eq!(database.texts(open).await, [r#"{"slot":"identity"}"#]);
            let mails = database.texts(asked).await;
            assert!(mails.len() == 1 && mails[0].contains("This file was lost on our side"), "{mails:?}");
        }
        let page = client.get("/dashboard/documents").with_cookie(&client).send().await;
        assert!(page.status == 200 && page.text.contains("This file was lost on our side"), "{page:?}");

        // It stays until it is replaced, longer than a refused file otherwise stays, and longer than a session.
        world.clock.advance(3 * DAY);
        world.app.care_for_documents().await.unwrap();
        world.clock.advance(-3 * DAY);
        assert_eq!(slot(&client, "identity").await["files"][0]["code"], "file.lost");
        assert_eq!(send(&client, "identity", "passport.pdf", &pdf(500)).await.status, 201);
        let found = slot(&client, "identity").await;
        assert_eq!((&found["state"], found["files"].as_array().unwrap().len()), (&json!("received"), 1), "{found}");
        assert!(database.texts(open).await.is_empty());
    }

    async fn a_file_is_its_owners_alone(database: Database) {
        let world = World::start(database.db()).await;
        let (owner, other) = (applicant(&world).await, applicant(&world).await);
        let sent = send(&owner, "identity", "a.pdf", &pdf(500)).await.json();
        let path = format!("{PATH}/{}", sent["id"].as_str().unwrap());
        for method in ["GET", "DELETE"] {
            other.call(method, &path).send().await.assert_problem(404, "document.not_found");
        }
        other.without_token().get(&path).send().await.assert_problem(401, "auth.required");
        assert_eq!(owner.get(&path).send().await.status, 200);
    }

    async fn without_its_virus_scanner_a_file_waits_and_is_not_let_through(database: Database) {
        let scanner = Scanner::start().await;
        let clamd = Some(Clamd::new(scanner.url.parse().unwrap()));
        let world = World::start_with(database.db(), WorldOptions { clamd, ..WorldOptions::default() }).await;
        let client = applicant(&world).await;
        assert_eq!(send(&client, "identity", "good.pdf", &pdf(200_000)).await.json()["state"], "received");
        let infected = [pdf(500), b"VIRUS".to_vec()].concat();
        send(&client, "identity", "bad.pdf", &infected).await.assert_problem(422, "file.malware");
        assert_eq!(scanner.scans(), 2);

        scanner.set_away(true);
        for content in [&pdf(500), &infected] {
            let waits = send(&client, "employer-letter", "letter.pdf", content).await;
            assert_eq!((waits.status, &waits.json()["state"]), (201, &json!("checking")), "{waits:?}");
            let path = format!("{PATH}/{}", waits.json()["id"].as_str().unwrap());
            client.get(&path).send().await.assert_problem(404, "document.not_found");
        }
        world.clock.advance(3 * MINUTE);
        assert_eq!(world.app.care_for_documents().await.unwrap(), 2);
        assert_eq!(slot(&client, "employer-letter").await["state"], "checking");
        scanner.set_away(false);
        // Not before the lease of the last attempt expires.
        assert_eq!(world.app.care_for_documents().await.unwrap(), 0);
        world.clock.advance(3 * MINUTE);
        world.app.care_for_documents().await.unwrap();
        let files = slot(&client, "employer-letter").await["files"].clone();
        let states: Vec<&Value> = files.as_array().unwrap().iter().map(|file| &file["state"]).collect();
        assert_eq!(states, ["received", "refused"]);
        assert_eq!(files[1]["error"], "The file was rejected by the virus scanner.");
        assert_eq!(objects(&world).await.len(), 2, "what is refused is not kept");
    }

    async fn staff_accept_ask_again_and_waive(database: Database) {
        let world = World::start(database.db()).await;
        let client = applicant(&world).await;
        let id = client.get(APPLICATION).send().await.json()["id"].as_str().unwrap().to_owned();
        let reviewer = staff(&world, Role::Reviewer).await;
        let review = async |slot, verdict| world.app.review_document(&reviewer, &id, slot, verdict, None).await;
        let refusal = |result: Result<_, Error>| match result {
            Err(Error::Refused(refusal)) => Some(refusal),
            _ => None,
        };
        let replace = |reason: &str| ReviewVerdict::Replace { reason: reason.into() };
        assert_eq!(refusal(review(SlotKind::Identity, ReviewVerdict::Accept).await), Some(Refusal::NothingToReview));
        assert_eq!(refusal(review(SlotKind::GiBill, ReviewVerdict::Accept).await), Some(Refusal::UnknownSlot));
        let viewer = staff(&world, Role::Viewer).await;
        let forbidden = world.app.review_document(&viewer, &id, SlotKind::Identity, ReviewVerdict::Accept, None).await;
        assert_eq!(refusal(forbidden), Some(Refusal::RoleForbidden));

        let first = send(&client, "identity", "dark.jpg", &jpeg()).await.json()["id"].as_str().unwrap().to_owned();
        assert!(matches!(review(SlotKind::Identity, replace(" \n")).await, Err(Error::Invalid(_))));
        review(SlotKind::Identity, replace("The picture is too dark to read.")).await.unwrap();
        let asked = slot(&client, "identity").await;
        assert_eq!((&asked["state"], &asked["reason"]), (&json!("replace"), &json!("The picture is too dark to read.")));
        let mails = database.texts("SELECT body_text FROM outbox WHERE template = 'document-needed-again'").await;
        assert!(mails.len() == 1 && mails[0].contains("too dark") && mails[0].contains("Proof of identity"), "{mails:?}");

        world.clock.advance(MINUTE);
        let second = send(&client, "identity", "bright.jpg", &jpeg()).await.json()["id"].as_str().unwrap().to_owned();
        assert_eq!(slot(&client, "identity").await["state"], "received");
        review(SlotKind::Identity, ReviewVerdict::Accept).await.unwrap();
        assert_eq!(slot(&client, "identity").await["state"], "accepted");
        for id in [first, second] {
            client.call("DELETE", &format!("{PATH}/{id}")).send().await.assert_problem(409, "document.closed");
        }
        send(&client, "identity", "more.jpg", &jpeg()).await.assert_problem(409, "document.closed");

        review(SlotKind::EmployerLetter, ReviewVerdict::Waive { reason: "A contract says it.".into() }).await.unwrap();
        assert_eq!(slot(&client, "employer-letter").await["state"], "waived");
        let audited = database.texts("SELECT detail FROM audit WHERE action = 'document.reviewed' ORDER BY id").await;
        let decisions: Vec<Value> = audited.iter().map(|detail| serde_json::from_str(detail).unwrap()).collect();
        let decisions: Vec<&Value> = decisions.iter().map(|detail| &detail["decision"]).collect();
        assert_eq!(decisions, ["replace", "accepted", "waived"]);
    }

    async fn what_a_kill_leaves_behind_is_taken_care_of(database: Database) {
        let world = World::start(database.db()).await;
        let client = applicant(&world).await;
        assert_eq!(send(&client, "identity", "a.pdf", &pdf(500)).await.status, 201);
        let kept = objects(&world).await;
        assert_eq!(kept.len(), 1);
        // A file that has not been checked.
        let left = uploads::create(&client, "employer-letter", "left.pdf", 500).await;
        let id = left.header("location").rsplit('/').next().unwrap().to_owned();
        world.storage.put("uploads/left/1", pdf(500).into()).await.unwrap();
        let length = pdf(500).len();
        database.run(&format!(
            "INSERT INTO document_parts (document_id, start, length, object) VALUES ('{id}', 0, {length}, 'uploads/left/1'); \
             UPDATE documents SET state = 'checking', size = {length}, received = {length} WHERE id = '{id}'"
        )).await.unwrap();
        world.app.care_for_documents().await.unwrap();
        assert_eq!(slot(&client, "employer-letter").await["state"], "received");
        let left = objects(&world).await;
        assert!(left.len() == 2 && left.contains(&kept[0]), "{left:?}");
    }

    async fn a_check_that_was_cut_short_is_taken_up_seconds_later(database: Database) {
        let world = World::start(database.db()).await;
        let client = applicant(&world).await;
        let left = uploads::create(&client, "identity", "left.pdf", 500).await;
        let id = left.header("location").rsplit('/').next().unwrap().to_owned();
        world.storage.put("uploads/left/1", pdf(500).into()).await.unwrap();
        let part = Part { start: 0, length: pdf(500).len() as u64, object: "uploads/left/1".into() };
        // As left by a process killed right after the last byte.
        let (db, now) = (database.db(), matricula::app::ports::Clock::now(&*world.clock));
        assert!(db.commit_parts(&id, 0, &[part], true, now, now + 15_000).await.unwrap());
        assert_eq!(world.app.care_for_documents().await.unwrap(), 0, "its process may be at it");
        world.clock.advance(15_000);
        assert_eq!(world.app.care_for_documents().await.unwrap(), 1);
        assert_eq!(slot(&client, "identity").await["state"], "received");
    }

    async fn a_check_that_takes_long_is_not_taken_up_by_others(database: Database) {
        let scanner = Scanner::start().await;
        let clamd = Some(Clamd::new(scanner.url.parse().unwrap()));
        let world = World::start_with(database.db(), WorldOptions { clamd, ..WorldOptions::default() }).await;
        let client = applicant(&world).await;
        scanner.set_held(true);
        let sender = client.clone();
        let sending = tokio::spawn(async move { send(&sender, "identity", "a.pdf", &pdf(500)).await.status });
        while scanner.scans() == 0 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        world.clock.advance(14_000);
        // The lease is renewed every five seconds of real time.
        tokio::time::sleep(Duration::from_millis(5500)).await;
        world.clock.advance(14_000);
        assert_eq!(world.app.care_for_documents().await.unwrap(), 0);
        assert_eq!(scanner.scans(), 1);
        scanner.set_held(false);
        assert_eq!(sending.await.unwrap(), 201);
        assert_eq!(slot(&client, "identity").await["state"], "received");
    }
}

async fn staff(world: &World, role: Role) -> Staff {
    let email = format!("{}@example.org", role.as_str());
    world.app.create_staff(&email, "a phrase for the office", role).await.unwrap()
}

/// Follows one file of each kind from upload to removal.
async fn whole_life(world: &World) {
    let client = applicant(world).await;
    let heic =
        [&b"\0\0\0\x18ftypheic\0\0\0\0mif1heic\0\0\0\x0cmeta\0\0\0\0\0\0\0\x0cmdat"[..], b"\x01\x02\x03\x04"].concat();
    let large = pdf(9_000_000);
    let files: [(&str, &str, &[u8]); 5] = [
        ("scan.pdf", "application/pdf", &large),
        ("foto.JPG", "image/jpeg", &jpeg()),
        ("Führerschein.png", "image/png", &png()),
        ("IMG_1.heic", "image/heic", &heic),
        (
            "cv.docx",
            "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
            &docx(&[("word/media/a.png", &png())]),
        ),
    ];
    for (name, media_type, content) in files {
        let sent = send(&client, "identity", name, content).await;
        assert_eq!((sent.status, &sent.json()["state"]), (201, &json!("received")), "{sent:?}");
        let path = format!("{PATH}/{}", sent.json()["id"].as_str().unwrap());
        let loaded = client.get(&path).header("accept-encoding", "gzip, br").send().await;
        assert_eq!((loaded.status, loaded.header("content-type")), (200, media_type), "{name}");
        assert_eq!(loaded.header("content-encoding"), "");
        let size = sent.json()["size"].as_u64().unwrap();
        assert_eq!((loaded.bytes.len() as u64, loaded.header("content-length")), (size, &*size.to_string()));
        if !media_type.starts_with("image/") || name.ends_with("heic") {
            assert!(loaded.bytes == content, "{name} is kept as it is");
        }
        let tag = loaded.header("etag").to_owned();
        let part = client.get(&path).header("range", "bytes=5-14").header("if-range", &tag).send().await;
        assert_eq!((part.status, &part.bytes[..]), (206, &loaded.bytes[5..15]));
        assert_eq!(part.header("content-range"), format!("bytes 5-14/{size}"));
        let other_copy = client.get(&path).header("range", "bytes=5-14").header("if-range", "\"other\"").send().await;
        assert_eq!((other_copy.status, other_copy.bytes.len()), (200, loaded.bytes.len()));
        let beyond = client.get(&path).header("range", &format!("bytes={size}-")).send().await;
        beyond.assert_problem(416, "range");
        assert_eq!(beyond.header("content-range"), format!("bytes */{size}"));
        assert_eq!(client.get(&path).header("if-none-match", &tag).send().await.status, 304);
        let head = client.call("HEAD", &path).send().await;
        assert_eq!((head.status, head.header("content-length")), (200, &*size.to_string()));
        assert_eq!(client.call("DELETE", &path).send().await.status, 204);
        client.get(&path).send().await.assert_problem(404, "document.not_found");
    }
    assert_eq!(objects(world).await, Vec::<String>::new());
}
