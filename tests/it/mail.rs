//! From the outbox to a mail server, over a real connection.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant};

use matricula::app::SealedMail;
use matricula::app::ports::{Clock, Random};
use matricula::auth::{Sealer, SystemRandom};
use matricula::domain::mail::Mail;
use matricula::domain::moments::{MINUTE, Millis};
use matricula::jobs::{OutboxWorker, PAUSES};
use matricula::mail::Mailer;
use matricula::store::{Db, NewMail};
use tokio_util::sync::CancellationToken;

use crate::support::databases::{Database, story};
use crate::support::ports::free_port;
use crate::support::rows::entry;
use crate::support::smtp::Sink;

/// 2026-05-04, 00:00 UTC.
const NOW: Millis = 1_777_852_800_000;

/// A manual clock.
struct ManualClock(AtomicI64);

impl Clock for ManualClock {
    fn now(&self) -> Millis {
        self.0.load(Ordering::SeqCst)
    }
}

/// An outbox, its worker and the clock they both use.
struct PostOffice {
    database: Arc<Database>,
    clock: Arc<ManualClock>,
    mailer: Mailer,
}

impl PostOffice {
    async fn open(smtp_url: Option<&str>) -> PostOffice {
        PostOffice::on(Arc::new(Database::sqlite().await), smtp_url)
    }

    fn on(database: Arc<Database>, smtp_url: Option<&str>) -> PostOffice {
        PostOffice {
            database,
            clock: Arc::new(ManualClock(AtomicI64::new(NOW))),
            mailer: Mailer::new(smtp_url, "Matricula Admissions <admissions@example.org>").unwrap(),
        }
    }

    fn db(&self) -> Db {
        self.database.db()
    }

    fn worker(&self) -> OutboxWorker {
        self.worker_on(self.db())
    }

    fn worker_on(&self, db: Db) -> OutboxWorker {
        let mail_written = db.mail_written();
        let (clock, sealing, mailer) = (self.clock.clone(), Arc::new(sealer()), self.mailer.clone());
        OutboxWorker { store: db, clock, sealing, mailer, mail_written }
    }

    /// Sends what is due.
    async fn drain(&self) {
        self.worker().drain(&CancellationToken::new()).await.unwrap();
    }

    fn wait(&self, pause: Millis) {
        self.clock.0.fetch_add(pause, Ordering::SeqCst);
    }

    /// Writes a mail; returns its id.
    async fn write(&self) -> String {
        let mail = mail();
        self.db().enqueue(&mail).await.unwrap();
        mail.id
    }

    async fn newest(&self) -> Mail {
        self.db().newest_mails(1).await.unwrap().remove(0)
    }
}

fn mail() -> NewMail {
    NewMail {
        id: SystemRandom.id(),
        applicant_id: None,
        about: None,
        template: "story",
        to: "demo@example.org".into(),
        subject: "Application started".into(),
        text: "Dear Demo,\n\n.a line that starts with a dot\nBcc: not a header".into(),
        html: "<p>Dear Demo,</p>".into(),
        attachment: None,
        message: None,
        sealed: None,
        unsubscribe_url: None,
        created_at: NOW,
    }
}

fn sealer() -> Sealer {
    Sealer::new(b"a key of thirty-two bytes or more")
}

/// A mail with a link that works once, sealed.
fn mail_with_secret() -> NewMail {
    let mail = mail();
    let link = "https://example.org/reset-password?token=once";
    let sealed = SealedMail { text: format!("Open\n{link}"), html: format!("<a href=\"{link}\">Open</a>") };
    let told = "The link is in the email only.";
    NewMail {
        text: told.into(),
        html: told.into(),
        message: Some(told.into()),
        sealed: Some(sealed.seal(&sealer(), &mail.id)),
        ..mail
    }
}

#[tokio::test]
async fn a_mail_arrives_as_text_and_as_html() {
    let sink = Sink::start().await;
    let office = PostOffice::open(Some(&sink.url)).await;
    let id = office.write().await;
    office.drain().await;

    let received = sink.received();
    assert_eq!(received.len(), 1);
    let message = &received[0];
    assert_eq!(
        (message.from.as_str(), message.to.as_slice()),
        ("admissions@example.org", &["demo@example.org".into()][..])
    );
    assert_eq!(message.header("From"), "\"Matricula Admissions\" <admissions@example.org>");
    assert_eq!(message.header("To"), "demo@example.org");
    assert_eq!(message.header("Subject"), "Application started");
    assert_eq!(message.header("Message-ID"), format!("<{id}@example.org>"));
    assert!(message.header("Content-Type").starts_with("multipart/alternative"), "{}", message.data);
    assert_eq!(
        message.part("text/plain").trim_end(),
        "Dear Demo,\r\n\r\n.a line that starts with a dot\r\nBcc: not a header"
    );
    assert_eq!(message.part("text/html").trim_end(), "<p>Dear Demo,</p>");
    assert_eq!(office.newest().await.state, "sent");

    office.drain().await;
    assert_eq!(sink.received().len(), 1, "it is sent once");
}

#[tokio::test]
async fn a_mail_that_can_be_ended_says_so_in_its_header() {
    let sink = Sink::start().await;
    let office = PostOffice::open(Some(&sink.url)).await;
    let url = format!("https://apply.example.org/unsubscribe?token={}", "kAx9-_".repeat(7));
    office.db().enqueue(&NewMail { unsubscribe_url: Some(url.clone()), ..mail() }).await.unwrap();
    office.drain().await;
    office.write().await;
    office.drain().await;
    let received = sink.received();
    // A field may go on in the next line.
    let fields = |number: usize| -> Vec<String> {
        let head = received[number].data.split("\r\n\r\n").next().unwrap().replace("\r\n ", " ");
        let fields = head.lines().filter(|line| line.to_lowercase().starts_with("list-"));
        fields.map(|field| field.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
    };
    assert_eq!(
        fields(0),
        [format!("List-Unsubscribe: <{url}>"), "List-Unsubscribe-Post: List-Unsubscribe=One-Click".to_owned()]
    );
    assert_eq!(fields(1), [""; 0], "other mails cannot be ended");
}

const TEXTS: &str = "SELECT body_text || body_html || COALESCE(message_text, '') || COALESCE(sealed, '') FROM outbox";

story! {
    async fn a_secret_is_sealed_until_it_is_sent_and_gone_afterwards(database: Database) {
        let sink = Sink::start().await;
        let office = PostOffice::on(database, Some(&sink.url));
        office.db().enqueue(&mail_with_secret()).await.unwrap();
        // As the previous version wrote it, during an upgrade.
        let clear = NewMail { text: "token=once".into(), html: "token=once".into(), sealed: None, ..mail_with_secret() };
        office.db().enqueue(&clear).await.unwrap();
        assert_eq!(office.database.texts(TEXTS).await.iter().filter(|kept| kept.contains("token=")).count(), 1);
        sink.refuse(&["451 try again later"]);
        office.drain().await;
        assert_eq!(office.database.texts("SELECT id FROM outbox WHERE sealed IS NOT NULL").await.len(), 1);
        office.wait(MINUTE);
        office.drain().await;
        let received = sink.received();
        assert_eq!(received.len(), 2);
        for message in &received {
            assert!(message.part("text/plain").contains("token=once") && message.part("text/html").contains("token=once"));
        }
        for kept in office.database.texts(TEXTS).await {
            assert!(kept.starts_with("The link is in the email only."), "{kept}");
        }
        let sealed = office.database.texts("SELECT id FROM outbox WHERE sealed IS NOT NULL OR state <> 'sent'").await;
        assert_eq!(sealed, Vec::<String>::new());
    }

    async fn a_secret_that_was_given_up_is_gone_and_not_tried_again(database: Database) {
        let sink = Sink::start().await;
        let office = PostOffice::on(database, Some(&sink.url));
        let mail = mail_with_secret();
        office.db().enqueue(&mail).await.unwrap();
        // Sealed elsewhere, with another key.
        let foreign = SealedMail { text: "token=".into(), html: String::new() };
        let foreign = foreign.seal(&Sealer::new(b"another key of thirty-two bytes"), &mail.id);
        office.db().enqueue(&NewMail { sealed: Some(foreign), ..mail_with_secret() }).await.unwrap();
        sink.refuse(&["451 no"; PAUSES.len() + 1]);
        for pause in PAUSES {
            office.drain().await;
            office.wait(pause);
        }
        office.drain().await;
        assert_eq!(sink.received().len(), 0);
        assert_eq!(office.db().mail_counts().await.unwrap(), (0, 2));
        assert_eq!(office.database.texts("SELECT id FROM outbox WHERE sealed IS NOT NULL").await, Vec::<String>::new());
        let errors = office.database.texts("SELECT last_error FROM outbox").await;
        assert!(errors.iter().any(|error| error.contains("sealed with another secret")), "{errors:?}");
        for mail in office.db().mail_log(None, 10).await.unwrap() {
            assert!(!mail.may_be_retried());
            assert!(!office.db().retry_mail(&mail.id, NOW, &entry()).await.unwrap());
        }
    }
}

#[tokio::test]
async fn a_mail_that_is_put_off_is_tried_again_after_a_minute() {
    let sink = Sink::start().await;
    sink.refuse(&["451 try again later"]);
    let office = PostOffice::open(Some(&sink.url)).await;
    let id = office.write().await;
    office.drain().await;
    assert_eq!(sink.received().len(), 0);
    assert_eq!(office.newest().await.state, "waiting");
    let errors = office.database.texts("SELECT last_error FROM outbox").await;
    assert!(errors[0].contains("try again later"), "{errors:?}");

    office.wait(MINUTE - 1);
    office.drain().await;
    assert_eq!(sink.received().len(), 0, "the minute is not over");
    office.wait(1);
    office.drain().await;
    assert_eq!(sink.received()[0].header("Message-ID"), format!("<{id}@example.org>"));
    assert_eq!(office.newest().await.state, "sent");
}

#[tokio::test]
async fn a_mail_is_parked_after_the_last_pause() {
    let sink = Sink::start().await;
    sink.refuse(&["451 no"; PAUSES.len() + 1]);
    let office = PostOffice::open(Some(&sink.url)).await;
    office.write().await;
    for pause in PAUSES {
        office.drain().await;
        assert_eq!(office.newest().await.state, "waiting");
        office.wait(pause - 1);
        office.drain().await;
        office.wait(1);
    }
    office.drain().await;
    let parked = office.newest().await;
    assert_eq!((parked.state.as_str(), parked.attempts), ("failed", 6));
    office.wait(30 * 24 * 60 * MINUTE);
    office.drain().await;
    assert_eq!(sink.received().len(), 0, "the server would take it now, and nobody asks");
}

#[tokio::test]
async fn a_mail_server_that_is_away_loses_nothing() {
    let office = PostOffice::open(Some(&format!("smtp://127.0.0.1:{}", free_port()))).await;
    office.write().await;
    office.drain().await;
    assert_eq!(office.newest().await.state, "waiting");
    assert!(office.mailer.check().await.is_err());
}

#[tokio::test]
async fn a_mail_that_can_never_be_sent_is_parked_at_once() {
    let sink = Sink::start().await;
    let office = PostOffice::open(Some(&sink.url)).await;
    let forged = NewMail { subject: "Hello\r\nBcc: victim@example.org".into(), ..mail() };
    office.db().enqueue(&forged).await.unwrap();
    office.write().await;
    office.drain().await;
    assert_eq!(sink.received().len(), 1, "and others are not held up");
    assert_eq!(office.db().mail_counts().await.unwrap(), (0, 1));
}

#[tokio::test]
async fn without_a_mail_server_mails_are_kept() {
    let office = PostOffice::open(None).await;
    office.write().await;
    office.drain().await;
    assert_eq!(office.newest().await.state, "kept");
    assert!(!office.mailer.sends());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_processes_send_every_mail_once() {
    let sink = Sink::start().await;
    let office = PostOffice::open(Some(&sink.url)).await;
    let mut written = Vec::new();
    for _ in 0..30 {
        written.push(format!("<{}@example.org>", office.write().await));
    }
    let stop = CancellationToken::new();
    let (one, other) = (office.worker(), office.worker_on(office.database.opened_again().await));
    let (one, other) = tokio::join!(one.drain(&stop), other.drain(&stop));
    one.and(other).unwrap();
    let mut sent: Vec<String> = sink.received().iter().map(|message| message.header("Message-ID").to_owned()).collect();
    written.sort();
    sent.sort();
    assert_eq!(sent, written);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_worker_is_woken_by_a_mail_and_finishes_it_before_it_stops() {
    let sink = Sink::start().await;
    let office = PostOffice::open(Some(&sink.url)).await;
    let stop = CancellationToken::new();
    let working = tokio::spawn(office.worker().run(stop.clone()));
    // Long enough for the worker to find nothing and go idle.
    tokio::time::sleep(Duration::from_millis(300)).await;

    sink.think(Duration::from_millis(300));
    let start = Instant::now();
    office.write().await;
    sink.arrival().await;
    assert!(start.elapsed() < Duration::from_secs(3), "it was rung for, and did not wait for its next look");

    stop.cancel();
    tokio::time::timeout(Duration::from_secs(10), working).await.expect("it stops").unwrap();
    assert_eq!(sink.received().len(), 1);
    assert_eq!(office.newest().await.state, "sent");
}
