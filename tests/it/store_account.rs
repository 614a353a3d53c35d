//! Messages, addresses, the record and the end of an account, on both databases.

use matricula::domain::account::{Applicant, EmailConfirmation};
use matricula::domain::moments::{DAY, HOUR, Millis};
use matricula::domain::status::{Act, Stage};
use matricula::store::{
    AuditEntry, Closing, Db, EmailChange, NewJob, NewMail, SessionKey, StoreError, Transition, TransitionOutcome,
};

use crate::support::databases::story;
use crate::support::rows::{
    NOW, answers, applicant, application, applying, at_once, entry, entry_at, id, is_open, mail, registered, session,
    submission, withdrawal,
};

fn change(owner: &Applicant, email: &str, secrets: &str) -> EmailChange {
    EmailChange {
        applicant_id: owner.id.clone(),
        email: email.into(),
        old_digest: format!("old {secrets}"),
        new_digest: format!("new {secrets}"),
        old_confirmed_at: None,
        new_confirmed_at: None,
        created_at: NOW,
        expires_at: NOW + DAY,
    }
}

async fn confirm(db: &Db, digest: &str, keep: Option<&str>, at: Millis) -> Result<EmailConfirmation, StoreError> {
    db.confirm_email_change(digest, keep, &entry_at(at), (&entry_at(at), &[mail(), mail()])).await
}

async fn email_of(db: &Db, session: &str) -> String {
    db.session(SessionKey::Id(session), NOW).await.unwrap().expect("the session is open").1.email
}

pub fn closing(owner: &Applicant) -> Closing {
    Closing {
        applicant_id: owner.id.clone(),
        password_hash: owner.password_hash.clone(),
        at: NOW + 5,
        audit: AuditEntry { subject: format!("applicant:{}", owner.id), ..entry_at(NOW + 5) },
        mail: Some(mail()),
        job: NewJob {
            id: id(),
            kind: "erase-records",
            subject: format!("applicant:{}", owner.id),
            detail: serde_json::json!({}),
            due_at: NOW + 1000 * DAY,
            plan_key: None,
            created_at: NOW + 5,
        },
    }
}

story! {
    async fn messages_are_the_mails_of_one_applicant_newest_first(database: Database) {
        let db = database.db();
        let (owner, _) = registered(&db, "demo@example.org").await;
        let (other, _) = registered(&db, "other@example.org").await;
        let mut ids = Vec::new();
        for number in 0..5 {
            let mail = NewMail {
                applicant_id: Some(owner.id.clone()),
                subject: format!("Number {number}"),
                // The second was written last, with an older identifier.
                created_at: if number == 1 { NOW + 1 } else { NOW },
                message: (number == 4).then(|| "Without the secret".into()),
                ..mail()
            };
            db.enqueue(&mail).await.unwrap();
            ids.push(mail.id);
        }
        db.enqueue(&NewMail { applicant_id: Some(other.id.clone()), ..mail() }).await.unwrap();
        db.enqueue(&mail()).await.unwrap();

        let newest = db.messages(&owner.id, None, 3).await.unwrap();
        let subjects: Vec<&str> = newest.iter().map(|message| message.subject.as_str()).collect();
        assert_eq!(subjects, ["Number 1", "Number 4", "Number 3"]);
        assert_eq!((newest[1].text.as_str(), newest[2].text.as_str()), ("Without the secret", "Once"));
        assert!(db.messages(&owner.id, Some("no such mail"), 3).await.unwrap().is_empty());
        let older = db.messages(&owner.id, Some(&newest[2].id), 3).await.unwrap();
        assert_eq!(older.iter().map(|message| message.id.clone()).collect::<Vec<_>>(), [ids[2].clone(), ids[0].clone()]);

        assert!(db.message(&other.id, &ids[0]).await.unwrap().is_none(), "somebody else's");
        assert!(db.message(&owner.id, &id()).await.unwrap().is_none(), "nobody's");
        db.message_read(&other.id, &ids[0], NOW).await.unwrap();
        assert_eq!(db.unread_messages(&owner.id).await.unwrap(), 5);
        db.message_read(&owner.id, &ids[0], NOW + 1).await.unwrap();
        db.message_read(&owner.id, &ids[0], NOW + 2).await.unwrap();
        assert_eq!(db.message(&owner.id, &ids[0]).await.unwrap().unwrap().read_at, Some(NOW + 1));
        assert_eq!(db.unread_messages(&owner.id).await.unwrap(), 4);
        assert_eq!(db.unread_messages(&other.id).await.unwrap(), 1);
    }

    async fn a_session_opens_only_with_the_password_that_was_checked(database: Database) {
        let db = database.db();
        let (owner, _) = registered(&db, "demo@example.org").await;
        assert!(!db.create_session(&owner.id, "$another", &session(), None, &entry()).await.unwrap());
        assert!(!db.create_session("nobody", &owner.password_hash, &session(), None, &entry()).await.unwrap());
        db.set_disabled(&owner.id, true, &entry()).await.unwrap();
        assert!(!db.create_session(&owner.id, &owner.password_hash, &session(), None, &entry()).await.unwrap());
        db.set_disabled(&owner.id, false, &entry()).await.unwrap();
        assert_eq!(database.count("sessions").await, 1);

        // A login with the old password during the change: no session outlives the change.
        let mut hash = owner.password_hash.clone();
        for round in 0..25 {
            let new = format!("$new {round}");
            let opened = session();
            let (log_in, changer) = (db.clone(), db.clone());
            let (id, old, session, next) = (owner.id.clone(), hash.clone(), opened.clone(), new.clone());
            let logging_in =
                tokio::spawn(async move { log_in.create_session(&id, &old, &session, None, &entry()).await.unwrap() });
            let (id, old) = (owner.id.clone(), hash.clone());
            let changing = tokio::spawn(async move {
                assert!(changer.change_password(&id, (&old, &next), None, &entry(), &mail()).await.unwrap());
            });
            logging_in.await.unwrap();
            changing.await.unwrap();
            assert!(!is_open(&db, &opened).await, "round {round}");
            hash = new;
        }
    }

    async fn an_address_changes_when_both_have_confirmed_it(database: Database) {
        let db = database.db();
        let (owner, kept) = registered(&db, "demo@example.org").await;
        let other = session();
        assert!(db.create_session(&owner.id, &owner.password_hash, &other, None, &entry()).await.unwrap());
        db.create_reset(&owner.id, "reset", NOW + HOUR, &entry(), &mail()).await.unwrap();
        db.save_email_change(&change(&owner, "never@example.org", "first"), &entry(), &[mail()]).await.unwrap();
        db.save_email_change(&change(&owner, "New@Example.org", "second"), &entry(), &[mail()]).await.unwrap();
        assert!(db.email_change_by_secret("old first", NOW).await.unwrap().is_none(), "only the newest counts");
        assert_eq!(confirm(&db, "new first", None, NOW).await.unwrap(), EmailConfirmation::Gone);
        let (found, account) = db.email_change_by_secret("new second", NOW).await.unwrap().unwrap();
        assert_eq!((found.email.as_str(), account.id.as_str()), ("New@Example.org", owner.id.as_str()));

        for _ in 0..2 {
            assert_eq!(confirm(&db, "new second", None, NOW).await.unwrap(), EmailConfirmation::Waiting);
        }
        let open = db.email_change(&owner.id, NOW).await.unwrap().unwrap();
        assert_eq!((open.old_confirmed_at, open.new_confirmed_at), (None, Some(NOW)));
        assert_eq!(email_of(&db, &kept.id).await, "demo@example.org");

        assert_eq!(confirm(&db, "old second", Some(&kept.id), NOW).await.unwrap(), EmailConfirmation::Changed);
        assert_eq!(email_of(&db, &kept.id).await, "New@Example.org");
        assert_eq!(db.applicant_by_email("new@example.org").await.unwrap().unwrap().id, owner.id);
        assert!(db.applicant_by_email("demo@example.org").await.unwrap().is_none());
        assert!(!is_open(&db, &other).await);
        assert!(!db.spend_reset("reset", "$stolen", &entry(), &mail()).await.unwrap(), "it went to the old address");
        assert_eq!(confirm(&db, "old second", None, NOW).await.unwrap(), EmailConfirmation::Gone);
        // The old address is free.
        registered(&db, "demo@example.org").await;
    }

    async fn two_confirmations_at_once_change_the_address_once(database: Database) {
        let db = database.db();
        let (owner, _) = registered(&db, "demo@example.org").await;
        for round in 0..10 {
            let email = format!("demo{round}@example.org");
            db.save_email_change(&change(&owner, &email, "secret"), &entry(), &[]).await.unwrap();
            let outcomes = at_once(2, |number| {
                let db = db.clone();
                async move { confirm(&db, ["old secret", "new secret"][number], None, NOW).await.unwrap() }
            })
            .await;
            assert!(outcomes.contains(&EmailConfirmation::Waiting) && outcomes.contains(&EmailConfirmation::Changed));
            assert_eq!(db.applicant_by_email(&email).await.unwrap().unwrap().id, owner.id);
        }
    }

    async fn an_address_that_was_taken_meanwhile_changes_nothing(database: Database) {
        let db = database.db();
        let (owner, kept) = registered(&db, "demo@example.org").await;
        db.save_email_change(&change(&owner, "New@example.org", "secret"), &entry(), &[]).await.unwrap();
        confirm(&db, "old secret", None, NOW).await.unwrap();
        registered(&db, "new@example.org").await;
        let outbox = database.count("outbox").await;
        let refused = confirm(&db, "new secret", None, NOW).await;
        assert!(matches!(refused, Err(StoreError::Taken("email"))), "{refused:?}");
        assert_eq!(email_of(&db, &kept.id).await, "demo@example.org");
        assert_eq!(db.email_change(&owner.id, NOW).await.unwrap().unwrap().new_confirmed_at, None);
        assert_eq!(database.count("outbox").await, outbox);
    }

    async fn a_change_of_address_can_be_renewed_dropped_and_runs_out(database: Database) {
        let db = database.db();
        let (owner, _) = registered(&db, "demo@example.org").await;
        let first = change(&owner, "new@example.org", "first");
        assert!(!db.renew_email_change(&first, &entry(), &[mail()]).await.unwrap(), "there is none");
        db.save_email_change(&first, &entry(), &[]).await.unwrap();
        confirm(&db, "old first", None, NOW).await.unwrap();
        let later = EmailChange { expires_at: NOW + 2 * DAY, ..change(&owner, "new@example.org", "second") };
        assert!(db.renew_email_change(&later, &entry_at(NOW + 1), &[mail()]).await.unwrap());
        let open = db.email_change(&owner.id, NOW + DAY).await.unwrap().expect("it lasts longer");
        assert_eq!((open.old_digest.as_str(), open.new_digest.as_str()), ("old first", "new second"));
        assert!(db.email_change_by_secret("new first", NOW).await.unwrap().is_none());
        assert_eq!(confirm(&db, "new second", None, NOW + 2 * DAY).await.unwrap(), EmailConfirmation::Gone);

        assert!(db.drop_email_change(&owner.id, &entry(), &[mail()]).await.unwrap());
        assert!(!db.drop_email_change(&owner.id, &entry(), &[mail()]).await.unwrap());
        assert_eq!(confirm(&db, "new second", None, NOW).await.unwrap(), EmailConfirmation::Gone);

        // Changing the password cancels everything requested with the old one.
        db.save_email_change(&first, &entry(), &[]).await.unwrap();
        assert!(db.change_password(&owner.id, (&owner.password_hash, "$new"), None, &entry(), &mail()).await.unwrap());
        assert!(db.email_change(&owner.id, NOW).await.unwrap().is_none());
        db.create_reset(&owner.id, "reset", NOW + HOUR, &entry(), &mail()).await.unwrap();
        db.save_email_change(&first, &entry(), &[]).await.unwrap();
        assert!(db.spend_reset("reset", "$newer", &entry(), &mail()).await.unwrap());
        assert!(db.email_change(&owner.id, NOW).await.unwrap().is_none());

        db.save_email_change(&first, &entry(), &[]).await.unwrap();
        assert!(db.email_change(&owner.id, first.expires_at).await.unwrap().is_none());
        db.sweep(first.expires_at - 1).await.unwrap();
        assert_eq!(database.count("email_changes").await, 1);
        db.sweep(first.expires_at).await.unwrap();
        assert_eq!(database.count("email_changes").await, 0);
    }

    async fn records_are_all_that_is_stored_about_one_applicant(database: Database) {
        let db = database.db();
        let (owner, application) = applying(&db, "demo@example.org").await;
        let (_, others) = applying(&db, "other@example.org").await;
        let given = answers(r#"{"personalInfo":{"state":"TX"}}"#);
        db.save_application(&application.id, 1, application.program, &given, NOW).await.unwrap();
        let by_owner = |subject: String| AuditEntry { actor: format!("applicant:{}", owner.id), subject, ..entry() };
        let submitted = Transition {
            expected: 2,
            audit: by_owner(format!("application:{}", application.id)),
            mails: vec![NewMail { applicant_id: Some(owner.id.clone()), ..mail() }],
            ..submission(&application, "submit", 1)
        };
        assert!(matches!(db.transition(&submitted).await.unwrap(), TransitionOutcome::Done(_)));
        db.transition(&submission(&others, "submit", 2)).await.unwrap();
        // By staff, and about somebody else.
        db.set_disabled(&owner.id, false, &AuditEntry { actor: "staff:1".into(), ..by_owner(format!("applicant:{}", owner.id)) })
            .await
            .unwrap();
        db.set_disabled(&owner.id, false, &by_owner("applicant:other".into())).await.unwrap();

        let records = db.records(&owner.id).await.unwrap();
        assert_eq!(records.applications.len(), 1);
        assert_eq!(records.applications[0].stage, Stage::Submitted);
        assert_eq!((records.snapshots.len(), records.snapshots[0].number), (1, 1));
        assert_eq!(records.snapshots[0].answers.to_stored(), given.to_stored());
        let changes: Vec<_> = records.stage_changes.iter().map(|change| (change.act, change.from, change.to)).collect();
        assert_eq!(changes, [(Act::Submit, Stage::Draft, Stage::Submitted)]);
        assert_eq!((records.messages.len(), records.sessions.len()), (1, 1));
        assert_eq!(records.sessions[0].address, "192.0.2.1");
        assert_eq!(records.audit.len(), 1);
        assert_eq!(records.audit[0].subject, format!("application:{}", application.id));
    }

    async fn a_closed_account_keeps_what_was_submitted_and_frees_its_address(database: Database) {
        let db = database.db();
        let (owner, application) = applying(&db, "demo@example.org").await;
        db.transition(&submission(&application, "submit", 1)).await.unwrap();
        db.enqueue(&NewMail { applicant_id: Some(owner.id.clone()), ..mail() }).await.unwrap();
        db.create_reset(&owner.id, "reset", NOW + HOUR, &entry(), &mail()).await.unwrap();
        db.save_email_change(&change(&owner, "new@example.org", "secret"), &entry(), &[]).await.unwrap();

        // The password has changed meanwhile: nothing happens, and the application stays where it was.
        let stale = Closing { password_hash: "$another".into(), ..closing(&owner) };
        let withdrawn = |closing| Transition { closing: Some(closing), mails: Vec::new(), ..withdrawal(&application) };
        assert!(db.transition(&withdrawn(stale)).await.is_err());
        assert_eq!(db.active_application(&owner.id).await.unwrap().unwrap().stage, Stage::Submitted);

        assert!(matches!(db.transition(&withdrawn(closing(&owner))).await.unwrap(), TransitionOutcome::Done(_)));
        assert!(db.applicant_by_email("demo@example.org").await.unwrap().is_none());
        assert!(!db.create_session(&owner.id, &owner.password_hash, &session(), None, &entry()).await.unwrap());
        assert!(!db.create_session(&owner.id, "", &session(), None, &entry()).await.unwrap());
        assert!(!db.spend_reset("reset", "$stolen", &entry(), &mail()).await.unwrap());
        assert_eq!(confirm(&db, "new secret", None, NOW).await.unwrap(), EmailConfirmation::Gone);
        let records = db.records(&owner.id).await.unwrap();
        assert_eq!((records.messages.len(), records.sessions.len()), (0, 0));
        assert_eq!((records.applications[0].stage, records.snapshots.len()), (Stage::Archived, 1));
        let left = "SELECT first_name || ' ' || date_of_birth || ' ' || email || phone_number FROM applicants";
        assert_eq!(database.texts(left).await, ["Demo 1990-02-28 "]);

        let again = registered(&db, "Demo@example.org").await;
        assert_ne!(again.0.id, owner.id);
        assert!(db.close_account(&closing(&owner)).await.is_err(), "it is closed already");

        // After the retention period.
        let job = db.claim_jobs(5, NOW + 1000 * DAY, NOW + 2000 * DAY).await.unwrap().remove(0);
        assert_eq!((job.kind.as_str(), job.subject), ("erase-records", format!("applicant:{}", owner.id)));
        db.erase_records(&owner.id, &entry()).await.unwrap();
        db.erase_records(&again.0.id, &entry()).await.unwrap();
        let left = "SELECT first_name || date_of_birth || country FROM applicants ORDER BY created_at, id";
        assert_eq!(database.texts(left).await, ["1900-01-01", "Demo1990-02-28US"], "only of a closed account");
        assert_eq!(database.texts("SELECT answers FROM snapshots").await, ["{}"]);
    }

    async fn of_an_account_that_submitted_nothing_no_person_is_left(database: Database) {
        let db = database.db();
        let (owner, draft) = applying(&db, "demo@example.org").await;
        let given = answers(r#"{"personalInfo":{"state":"TX"}}"#);
        db.save_application(&draft.id, 1, draft.program, &given, NOW).await.unwrap();
        let job = NewJob { subject: format!("application:{}", draft.id), kind: "demo", ..closing(&owner).job };
        db.plan_jobs(&[job]).await.unwrap();
        let withdrawn = Transition {
            expected: 2,
            from: Stage::Draft,
            closing: Some(closing(&owner)),
            ..withdrawal(&draft)
        };
        assert!(matches!(db.transition(&withdrawn).await.unwrap(), TransitionOutcome::Done(_)));
        assert_eq!(database.texts("SELECT answers || stage FROM applications").await, ["{}archived"]);
        for table in ["sessions", "jobs"] {
            assert_eq!(database.count(table).await, 0, "{table}");
        }
        let left = "SELECT first_name || last_name || date_of_birth || email || country FROM applicants";
        assert_eq!(database.texts(left).await, ["1900-01-01"]);

        // The same without an application.
        let (other, _) = registered(&db, "demo@example.org").await;
        db.close_account(&closing(&other)).await.unwrap();
        assert_eq!(database.texts(left).await, ["1900-01-01", "1900-01-01"]);
        assert_eq!(database.count("jobs").await, 0);
    }

    async fn a_mail_to_nobodys_address_is_not_kept_for_ever(database: Database) {
        let db = database.db();
        let closed = |at| NewMail { template: "account-closed", created_at: at, ..mail() };
        for mail in [closed(NOW), closed(NOW + 1), mail()] {
            db.enqueue(&mail).await.unwrap();
        }
        for mail in db.claim_mails(9, NOW + 1, NOW + 2).await.unwrap() {
            db.mail_sent(&mail.id, "sent", NOW + 1).await.unwrap();
        }
        db.enqueue(&closed(NOW)).await.unwrap();
        db.sweep(NOW + 30 * DAY).await.unwrap();
        let left = database.texts("SELECT template || ' ' || state FROM outbox ORDER BY template, state").await;
        assert_eq!(left, ["account-closed sent", "account-closed waiting", "story sent"]);
        // Nor is one written to a closed account, which has no address.
        db.enqueue(&NewMail { to: String::new(), ..mail() }).await.unwrap();
        assert_eq!(database.count("outbox").await, 3);
    }

    async fn declined_reminders_are_remembered(database: Database) {
        let db = database.db();
        let (mut owner, _) = registered(&db, "demo@example.org").await;
        assert!(owner.profile.reminders);
        let stored = async || db.applicant_by_email("demo@example.org").await.unwrap().unwrap().profile.reminders;
        for wanted in [false, false, true] {
            owner.profile.reminders = wanted;
            db.save_profile(&owner.id, &owner.profile, &entry()).await.unwrap();
            assert_eq!(stored().await, wanted);
        }
        let mut declining = applicant("other@example.org");
        declining.profile.reminders = false;
        db.register(&declining, &session(), (Some(&application(&declining)), None), &[entry()], &[]).await.unwrap();
        assert!(!db.applicant_by_email("other@example.org").await.unwrap().unwrap().profile.reminders);
    }
}
