//! Files being uploaded and stored, on both databases.

use matricula::domain::documents::{FileName, FileState, Rejection, SlotKind};
use matricula::domain::moments::{DAY, MINUTE};
use matricula::store::{AuditEntry, Db, NewDocument, Part};
use serde_json::json;

use crate::support::databases::story;
use crate::support::rows::{NOW, applying, at_once, id};

fn new(applicant_id: &str) -> NewDocument {
    NewDocument {
        id: id(),
        applicant_id: applicant_id.into(),
        slot: SlotKind::Identity,
        name: FileName::parse("a.pdf").unwrap(),
        size: Some(10),
        created_at: NOW,
    }
}

fn part(start: u64, length: u64) -> Part {
    Part { start, length, object: format!("uploads/{}", id()) }
}

fn audit() -> AuditEntry {
    let detail = json!({});
    AuditEntry { id: id(), at: NOW, actor: "system".into(), subject: "document:1".into(), action: "document.x", detail }
}

/// Commits a part of five bytes from `start` on.
async fn five(db: &Db, id: &str, start: u64, whole: bool) -> bool {
    db.commit_parts(id, start, &[part(start, 5)], whole, NOW, NOW + MINUTE).await.unwrap()
}

story! {
    async fn parts_are_counted_in_their_order_and_once(database: Database) {
        let db = database.db();
        let applicant = applying(&db, "demo@example.org").await.0.id;
        let file = new(&applicant);
        assert!(db.create_document(&file, 50).await.unwrap());
        assert!(!five(&db, &file.id, 5, false).await, "not from there");
        let won = at_once(6, |_| {
            let (db, id) = (db.clone(), file.id.clone());
            async move { five(&db, &id, 0, false).await }
        })
        .await;
        assert_eq!(won.iter().filter(|won| **won).count(), 1);
        assert_eq!(db.document(&file.id).await.unwrap().unwrap().received, 5);
        assert!(five(&db, &file.id, 5, true).await);
        assert!(!five(&db, &file.id, 10, true).await, "it is whole");
        let starts: Vec<u64> = db.parts(&file.id).await.unwrap().iter().map(|part| part.start).collect();
        assert_eq!(starts, [0, 5]);
        assert_eq!(db.document(&file.id).await.unwrap().unwrap().state, FileState::Checking);
    }

    async fn a_whole_file_is_checked_by_one_at_a_time_and_kept_or_refused_once(database: Database) {
        let db = database.db();
        let applicant = applying(&db, "demo@example.org").await.0.id;
        let file = new(&applicant);
        db.create_document(&file, 50).await.unwrap();
        five(&db, &file.id, 0, true).await;
        assert!(db.unchecked_documents(NOW, 9).await.unwrap().is_empty(), "whoever made it whole has it");
        let later = NOW + MINUTE;
        assert_eq!(db.unchecked_documents(later, 9).await.unwrap(), std::slice::from_ref(&file.id));
        let claims = at_once(6, |_| {
            let (db, id) = (db.clone(), file.id.clone());
            async move { db.claim_check(&id, later, later + MINUTE).await.unwrap() }
        })
        .await;
        assert_eq!(claims.iter().filter(|claimed| **claimed).count(), 1);

        let object = db.parts(&file.id).await.unwrap().remove(0).object;
        assert!(db.is_object_known(&object).await.unwrap());
        assert!(db.keep_document(&file.id, "documents/1", 9, "ab", later, &audit()).await.unwrap());
        assert!(!db.keep_document(&file.id, "documents/2", 9, "ab", later, &audit()).await.unwrap());
        assert!(!db.refuse_document(&file.id, Rejection::Malware, later, &audit()).await.unwrap());
        let written = database.texts("SELECT id FROM audit WHERE action = 'document.x'").await;
        assert_eq!(written.len(), 1, "what was not done is not written down");
        for (object, known) in [(object.as_str(), false), ("documents/1", true), ("documents/2", false)] {
            assert_eq!(db.is_object_known(object).await.unwrap(), known, "{object}");
        }
    }

    async fn there_is_room_for_so_many_files_and_refused_ones_take_none(database: Database) {
        let db = database.db();
        let applicant = applying(&db, "demo@example.org").await.0.id;
        let made = at_once(8, |_| {
            let (db, file) = (db.clone(), new(&applicant));
            async move { db.create_document(&file, 3).await.unwrap() }
        })
        .await;
        assert_eq!(made.iter().filter(|made| **made).count(), 3);
        let first = db.documents(&applicant).await.unwrap().remove(0);
        five(&db, &first.id, 0, true).await;
        assert!(db.refuse_document(&first.id, Rejection::Malware, NOW, &audit()).await.unwrap());
        assert_eq!(db.document(&first.id).await.unwrap().unwrap().rejection, Some(Rejection::Malware));
        assert!(db.create_document(&new(&applicant), 3).await.unwrap());
        assert!(db.document(&first.id).await.unwrap().is_none(), "the next file of the slot takes its place");
        assert!(!db.create_document(&new(&applicant), 3).await.unwrap());
    }

    async fn only_what_stood_still_is_abandoned(database: Database) {
        let db = database.db();
        let applicant = applying(&db, "demo@example.org").await.0.id;
        let (still, whole) = (new(&applicant), new(&applicant));
        for file in [&still, &whole] {
            db.create_document(file, 50).await.unwrap();
        }
        five(&db, &whole.id, 0, true).await;
        assert!(db.abandoned_documents(NOW, 9).await.unwrap().is_empty());
        let abandoned = db.abandoned_documents(NOW + DAY, 9).await.unwrap();
        assert_eq!(abandoned.iter().map(|file| &file.id).collect::<Vec<_>>(), [&still.id]);
        assert!(!db.remove_document(&whole.id, &[FileState::Uploading], None).await.unwrap());
        assert!(db.remove_document(&still.id, &[FileState::Uploading], None).await.unwrap());
        assert!(!db.remove_document(&still.id, &[FileState::Uploading], None).await.unwrap());
    }
}
