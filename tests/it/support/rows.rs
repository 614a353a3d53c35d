//! Rows for the stories of the store: applicants, what they have, and what is done to it.

use std::future::Future;

use jiff::civil::date;
use matricula::app::ports::Random;
use matricula::auth::SystemRandom;
use matricula::domain::account::{Applicant, Profile};
use matricula::domain::application::{Answers, Application};
use matricula::domain::language::Language;
use matricula::domain::moments::{DAY, Millis};
use matricula::domain::program::Program;
use matricula::domain::reference_number::ReferenceNumber;
use matricula::domain::status::{Act, Stage};
use matricula::store::{AuditEntry, Db, NewMail, NewSession, SessionKey, Transition};

/// 2026-05-04, 00:00 UTC.
pub const NOW: Millis = 1_777_852_800_000;

pub fn id() -> String {
    SystemRandom.id()
}

pub fn applicant(email: &str) -> Applicant {
    Applicant {
        id: id(),
        email: email.into(),
        profile: Profile {
            first_name: "Demo".into(),
            last_name: "Applicant".into(),
            date_of_birth: date(1990, 2, 28),
            phone_number: "+15550100199".into(),
            country: "US".into(),
            state: Some("TX".into()),
            time_zone: String::new(),
            reminders: true,
            language: Language::Es,
        },
        password_hash: "$old".into(),
        code_seed: None,
        passkeys: 0,
        disabled_at: None,
        created_at: NOW,
        email_confirmed_at: Some(NOW),
    }
}

pub fn session() -> NewSession {
    let id = id();
    NewSession {
        cookie_digest: format!("digest of {id}"),
        id,
        created_at: NOW,
        expires_at: NOW + 30 * DAY,
        address: "192.0.2.1".into(),
        user_agent: "Browser".into(),
    }
}

pub fn application(applicant: &Applicant) -> Application {
    Application {
        id: id(),
        applicant_id: applicant.id.clone(),
        program: Program::Bachelor,
        stage: Stage::Draft,
        answers: Answers::default(),
        revision: 1,
        reference: None,
        created_at: NOW,
        updated_at: NOW,
        submitted_at: None,
        archived_at: None,
        released: None,
    }
}

/// A submission of the application at revision 1.
pub fn submission(application: &Application, key: &str, reference: u64) -> Transition {
    Transition {
        id: id(),
        application_id: application.id.clone(),
        expected: 1,
        act: Act::Submit,
        key: Some(key.into()),
        reason: None,
        from: Stage::Draft,
        to: Stage::Submitted,
        former: None,
        snapshot: Some(id()),
        reference: Some(ReferenceNumber::new(Program::Bachelor, 2026, reference)),
        former_reference: None,
        at: NOW + 1,
        audit: entry(),
        mails: vec![mail()],
        dropped_jobs: Vec::new(),
        jobs: Vec::new(),
        tasks: Vec::new(),
        interview: None,
        closing: None,
        opens: None,
        closes_request: false,
        restores_snapshot: false,
        deletes_draft: false,
        references: None,
        referees: Vec::new(),
        takes_place: false,
        decision: Vec::new(),
        voids_contracts: None,
        pause: None,
        stops_charges: false,
        done_tasks: Vec::new(),
        owner: None,
        fee_state: None,
        new_fee: None,
        brings_in: None,
        undoes_import: None,
    }
}

/// The withdrawal of the application at revision 2.
pub fn withdrawal(application: &Application) -> Transition {
    Transition {
        expected: 2,
        act: Act::Withdraw,
        from: Stage::Submitted,
        to: Stage::Archived,
        former: Some(Stage::Submitted),
        snapshot: None,
        reference: None,
        at: NOW + 2,
        ..submission(application, "withdraw", 0)
    }
}

pub fn answers(json: &str) -> Answers {
    Answers::from_stored(json.to_owned()).expect("the story's answers are an object")
}

pub fn entry() -> AuditEntry {
    entry_at(NOW)
}

pub fn entry_at(at: Millis) -> AuditEntry {
    AuditEntry {
        id: id(),
        at,
        actor: "system".into(),
        subject: "story".into(),
        action: "story.told",
        detail: serde_json::json!({ "why": "test" }),
    }
}

pub fn mail() -> NewMail {
    NewMail {
        id: id(),
        applicant_id: None,
        about: None,
        template: "story",
        to: "demo@example.org".into(),
        subject: "A story".into(),
        text: "Once".into(),
        html: "<p>Once</p>".into(),
        attachment: None,
        message: None,
        sealed: None,
        unsubscribe_url: None,
        created_at: NOW,
    }
}

/// An account without an application, and its first session.
pub async fn registered(db: &Db, email: &str) -> (Applicant, NewSession) {
    let (applicant, session) = (applicant(email), session());
    db.register(&applicant, &session, (None, None), &[entry()], &[]).await.expect("the address is free");
    (applicant, session)
}

/// An account with an application.
pub async fn applying(db: &Db, email: &str) -> (Applicant, Application) {
    let applicant = applicant(email);
    let application = application(&applicant);
    db.register(&applicant, &session(), (Some(&application), None), &[entry()], &[])
        .await
        .expect("the address is free");
    (applicant, application)
}

pub async fn is_open(db: &Db, session: &NewSession) -> bool {
    db.session(SessionKey::Id(&session.id), NOW).await.unwrap().is_some()
}

/// Runs the same task `count` times concurrently, each in its own task.
pub async fn at_once<T, F>(count: usize, what: impl Fn(usize) -> F) -> Vec<T>
where
    T: Send + 'static,
    F: Future<Output = T> + Send + 'static,
{
    let tasks: Vec<_> = (0..count).map(|number| tokio::spawn(what(number))).collect();
    let mut results = Vec::new();
    for task in tasks {
        results.push(task.await.expect("no task panics"));
    }
    results
}
