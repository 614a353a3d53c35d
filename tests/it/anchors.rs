//! What the record contained on a given day can be proven later, even against the owner of the database.

use futures::StreamExt;
use matricula::app::anchor::Anchor;
use matricula::app::ports::DocumentStorage;
use matricula::domain::moments::DAY;
use tempfile::TempDir;
use tokio::task::block_in_place;

use crate::support::databases::story;
use crate::support::ports::free_port;
use crate::support::program::Program;
use crate::support::server::World;

async fn anchors(world: &World) -> Vec<String> {
    let all: Vec<String> = world.storage.list().await.map(|object| object.unwrap().name).collect().await;
    all.into_iter().filter(|name| name.starts_with("anchors/")).collect()
}

story! {
    async fn a_record_that_lost_its_end_is_found_out_by_its_anchor(database: Database) {
        let world = World::start(database.db()).await;
        world.submitted().await;
        let chains = world.app.anchor_record().await.unwrap();
        assert!(chains > 0);
        let named = anchors(&world).await;
        assert_eq!(named, ["anchors/2026-05-04.json.gz"]);
        let file = world.storage.read(&named[0]).await.unwrap();
        let hash = Anchor::hash_of(&file);
        let mails = database
            .texts("SELECT recipient || ': ' || body_text FROM outbox WHERE template = 'record-anchored'")
            .await;
        let [mail] = &*mails else { panic!("{mails:?}") };
        assert!(mail.starts_with("demo-anchors@example.com: ") && mail.contains(&hash), "{mail}");

        let program =
            Program { folder: TempDir::new().unwrap(), database: database.url.clone(), port: free_port(), more: Vec::new() };
        let kept = program.folder.path().join("anchor.json.gz");
        std::fs::write(&kept, &file).unwrap();
        let doctor = |words: &[&str]| {
            let output = block_in_place(|| program.run(words));
            (output.status.success(), String::from_utf8(output.stdout).unwrap())
        };
        let with_anchor = ["doctor", "--anchor", kept.to_str().unwrap()];
        // Later entries do no harm.
        world.submitted().await;
        let (is_well, words) = doctor(&with_anchor);
        assert!(is_well && words.contains(&hash) && words.contains("chains go on from where they were"), "{words}");

        // Without the last line, and with a forged end that fits.
        let last = "(SELECT c.audit_id FROM audit_chain c JOIN audit a ON a.id = c.audit_id \
                    WHERE a.action = 'application.submitted' ORDER BY a.happened_at, a.id LIMIT 1)";
        let subject = format!("(SELECT subject FROM audit_chain WHERE audit_id = {last})");
        database.tamper(&format!(
            "UPDATE audit_heads SET position = position - 1, hash = (SELECT hash FROM audit_chain c \
               WHERE c.subject = audit_heads.subject AND c.position = audit_heads.position - 1) WHERE subject = {subject}; \
             DELETE FROM audit_chain WHERE audit_id = {last}"
        )).await;
        let (is_well, words) = doctor(&["doctor"]);
        assert!(is_well, "the chain alone does not show it: {words}");
        let (is_well, words) = doctor(&with_anchor);
        assert!(!is_well && words.contains("do not have what they had: line 2 about application:"), "{words}");

        std::fs::write(&kept, &file[..file.len() / 2]).unwrap();
        let (is_well, words) = doctor(&with_anchor);
        assert!(!is_well && words.contains("cannot be read"), "{words}");
    }

    async fn anchors_of_a_month_ago_are_kept_for_its_first_day(database: Database) {
        let world = World::start(database.db()).await;
        world.submitted().await;
        for _ in 0..62 {
            world.app.anchor_record().await.unwrap();
            world.clock.advance(DAY);
        }
        let named = anchors(&world).await;
        assert_eq!(named.len(), 32, "{named:?}");
        assert!(named.contains(&"anchors/2026-06-01.json.gz".to_owned()), "{named:?}");
    }
}
