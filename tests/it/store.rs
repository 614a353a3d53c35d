//! Stories of the store, each told once and run on both databases.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use jiff::civil::date;
use matricula::domain::account::Profile;
use matricula::domain::application::ApplicationKey;
use matricula::domain::language::Language;
use matricula::domain::moments::{DAY, HOUR, MINUTE};
use matricula::domain::program::Program;
use matricula::domain::reference_number::ReferenceNumber;
use matricula::domain::status::{Act, Stage};
use matricula::store::{
    Db, EmailChange, KeyUse, Limit, NewMail, Options, SaveOutcome, SessionKey, StoreError, Throttle, Transition,
    TransitionOutcome,
};

use crate::support::databases::{self, Database, story};
use crate::support::rows::{
    NOW, answers, applicant, application, applying, at_once, entry, entry_at, id, is_open, mail, registered, session,
    submission, withdrawal,
};

story! {
    async fn a_registration_is_all_there_at_once(database: Database) {
        let db = database.db();
        let applicant = applicant("Demo@Example.org");
        let (session, application) = (session(), application(&applicant));
        let mail = NewMail { applicant_id: Some(applicant.id.clone()), ..mail() };
        db.register(&applicant, &session, (Some(&application), None), &[entry(), entry()], &[mail]).await.unwrap();

        let found = db.applicant_by_email("demo@example.org").await.unwrap().expect("found by the lower-case address");
        assert_eq!(found.email, "Demo@Example.org");
        assert_eq!(found.profile, applicant.profile);
        assert_eq!((found.id, found.created_at, found.disabled_at), (applicant.id.clone(), NOW, None));

        for key in [SessionKey::Cookie(&session.cookie_digest), SessionKey::Id(&session.id)] {
            let (open, owner) = db.session(key, NOW).await.unwrap().expect("the session is open");
            assert_eq!((open.id, open.expires_at), (session.id.clone(), session.expires_at));
            assert_eq!(owner.id, applicant.id);
            let (_, owner, active) = db.session_with_application(key, NOW).await.unwrap().expect("the session is open");
            let active = active.expect("the application is active");
            assert_eq!((owner.id, active.id), (applicant.id.clone(), application.id.clone()));
        }
        assert_eq!((database.count("audit").await, database.count("outbox").await), (2, 1));
    }

    async fn of_fifty_registrations_of_one_address_one_succeeds(database: Database) {
        let db = database.db();
        let results = at_once(50, |number| {
            let db = db.clone();
            let email = if number % 2 == 0 { "Same@Example.org" } else { "same@example.ORG" };
            async move { db.register(&applicant(email), &session(), (None, None), &[entry()], &[mail()]).await }
        })
        .await;
        let succeeded = results.iter().filter(|result| result.is_ok()).count();
        let taken = results.iter().filter(|result| matches!(result, Err(StoreError::Taken("email")))).count();
        assert_eq!((succeeded, taken), (1, 49));
        for table in ["applicants", "sessions", "audit", "outbox"] {
            assert_eq!(database.count(table).await, 1, "{table}");
        }
    }

    async fn a_registration_that_fails_in_the_middle_leaves_nothing(database: Database) {
        let db = database.db();
        let applicant = applicant("demo@example.org");
        let (twice, mail) = (entry(), mail());
        for (audit, mails) in [(vec![twice.clone(), twice], vec![]), (vec![entry()], vec![mail.clone(), mail])] {
            let result = db.register(&applicant, &session(), (Some(&application(&applicant)), None), &audit, &mails).await;
            assert!(matches!(result, Err(StoreError::Broken(_) | StoreError::Taken("mail"))), "{result:?}");
            for table in ["applicants", "sessions", "applications", "audit", "outbox"] {
                assert_eq!(database.count(table).await, 0, "{table}");
            }
        }
        db.register(&applicant, &session(), (None, None), &[entry()], &[]).await.expect("nothing is in the way");
    }

    async fn text_of_any_language_comes_back_as_it_was(database: Database) {
        let db = database.db();
        let mut applicant = applicant("zoë@example.org");
        applicant.profile.first_name = "Žofie 🎓 <b>&amp;</b> '; DROP TABLE applicants; --".into();
        applicant.profile.last_name = "陳\u{200d}大文".into();
        let mut application = application(&applicant);
        application.answers = answers(r#"{"employment":{"currentEmployer":{"name":"Ünïcode \"quoted\" \\ 日本"}}}"#);
        db.register(&applicant, &session(), (Some(&application), None), &[], &[]).await.unwrap();
        assert_eq!(db.applicant_by_email("zoë@example.org").await.unwrap().unwrap().profile, applicant.profile);
        assert_eq!(db.active_application(&applicant.id).await.unwrap().unwrap().answers, application.answers);
    }

    async fn an_applicant_has_one_active_application(database: Database) {
        let db = database.db();
        let (applicant, _) = registered(&db, "demo@example.org").await;
        assert!(db.active_application(&applicant.id).await.unwrap().is_none());
        let results = at_once(10, |_| {
            let (db, application) = (db.clone(), application(&applicant));
            async move { db.start_application(&application, &entry(), &mail()).await }
        })
        .await;
        let started = results.iter().filter(|result| result.is_ok()).count();
        let taken = results.iter().filter(|result| matches!(result, Err(StoreError::Taken("application")))).count();
        assert_eq!((started, taken), (1, 9));
        assert_eq!((database.count("applications").await, database.count("outbox").await), (1, 1));

        database.run("UPDATE applications SET archived_at = 1").await.unwrap();
        assert!(db.active_application(&applicant.id).await.unwrap().is_none());
        db.start_application(&application(&applicant), &entry(), &mail()).await.expect("the other one is archived");
    }

    async fn of_twenty_saves_at_one_revision_one_is_kept(database: Database) {
        let db = database.db();
        let (applicant, application) = applying(&db, "demo@example.org").await;
        let results = at_once(20, |number| {
            let (db, id) = (db.clone(), application.id.clone());
            let answers = answers(&format!(r#"{{"saved":{number}}}"#));
            async move {
                let outcome = db.save_application(&id, 1, Program::Masters, &answers, NOW + 1).await.unwrap();
                (answers, outcome)
            }
        })
        .await;
        let (saved, stale): (Vec<_>, Vec<_>) =
            results.into_iter().partition(|(_, outcome)| matches!(outcome, SaveOutcome::Saved));
        assert_eq!(saved.len(), 1);
        let kept = db.active_application(&applicant.id).await.unwrap().unwrap();
        assert_eq!((kept.revision, kept.updated_at, kept.program), (2, NOW + 1, Program::Masters));
        assert_eq!(kept.answers, saved[0].0);
        for (_, outcome) in stale {
            let SaveOutcome::Stale(current) = outcome else { panic!("{outcome:?}") };
            assert_eq!((current.revision, current.answers), (2, kept.answers.clone()));
        }
    }

    async fn a_session_saves_its_own_application_at_its_revision(database: Database) {
        let db = database.db();
        let (applicant, application) = applying(&db, "demo@example.org").await;
        let (stranger, _) = applying(&db, "stranger@example.org").await;
        let (own, ended, other) = (session(), session(), session());
        assert!(db.create_session(&applicant.id, &applicant.password_hash, &own, None, &entry()).await.unwrap());
        assert!(db.create_session(&applicant.id, &applicant.password_hash, &ended, None, &entry()).await.unwrap());
        assert!(db.create_session(&stranger.id, &stranger.password_hash, &other, None, &entry()).await.unwrap());
        let save = |session: &str, revision, now| {
            let (db, id, session) = (db.clone(), application.id.clone(), session.to_owned());
            async move {
                let answers = answers(&format!(r#"{{"saved":{now}}}"#));
                db.save_in_session(&session, &id, revision, &answers, now).await.unwrap()
            }
        };
        assert!(save(&own.id, 1, NOW).await);
        assert!(!save(&own.id, 1, NOW + 1).await, "the revision is gone");
        assert!(!save(&other.id, 2, NOW + 1).await, "the application of somebody else");
        assert!(!save("no session", 2, NOW + 1).await);
        assert!(!save(&own.id, 2, own.expires_at).await, "the session is over");
        assert!(save(&own.id, 2, own.expires_at - 1).await);

        db.end_session(&applicant.id, &ended.id, NOW).await.unwrap();
        assert!(!save(&ended.id, 3, NOW + 2).await, "the session was ended");
        db.set_disabled(&applicant.id, true, &entry()).await.unwrap();
        assert!(!save(&own.id, 3, NOW + 3).await, "the account is disabled");
        let kept = db.active_application(&applicant.id).await.unwrap().unwrap();
        assert_eq!((kept.revision, kept.updated_at), (3, own.expires_at - 1));
    }

    async fn saves_that_look_again_lose_nothing(database: Database) {
        let db = database.db();
        let (applicant, application) = applying(&db, "demo@example.org").await;
        at_once(20, |number| {
            let (db, mut current) = (db.clone(), application.clone());
            async move {
                loop {
                    let mut all: BTreeMap<String, bool> =
                        serde_json::from_str(&current.answers.to_stored()).unwrap();
                    all.insert(number.to_string(), true);
                    let answers = answers(&serde_json::to_string(&all).unwrap());
                    let outcome = db.save_application(&current.id, current.revision, Program::Bachelor, &answers, NOW);
                    match outcome.await.unwrap() {
                        SaveOutcome::Saved => break,
                        SaveOutcome::Stale(newer) => current = *newer,
                        SaveOutcome::Gone => panic!("nobody deletes it"),
                    }
                }
            }
        })
        .await;
        let kept = db.active_application(&applicant.id).await.unwrap().unwrap();
        let all: BTreeMap<String, bool> = serde_json::from_str(&kept.answers.to_stored()).unwrap();
        assert_eq!((kept.revision, all.len()), (21, 20));
    }

    async fn an_archived_application_is_not_saved(database: Database) {
        let db = database.db();
        let (_, application) = applying(&db, "demo@example.org").await;
        database.run("UPDATE applications SET archived_at = 1").await.unwrap();
        let result = db.save_application(&application.id, 1, Program::Bachelor, &answers(r#"{"a":1}"#), NOW).await;
        let Ok(SaveOutcome::Stale(current)) = result else { panic!("{result:?}") };
        assert_eq!(current.archived_at, Some(1), "whoever saves is told that it is over");
        assert_eq!(database.texts("SELECT answers FROM applications").await, ["{}"]);
    }

    async fn a_change_of_stage_is_there_with_all_that_belongs_to_it(database: Database) {
        let db = database.db();
        let (applicant, application) = applying(&db, "demo@example.org").await;
        let first = submission(&application, "key", 1);
        let TransitionOutcome::Done(submitted) = db.transition(&first).await.unwrap() else { panic!("it is not stale") };
        let reference = first.reference.as_ref().unwrap().as_str();
        assert_eq!((submitted.stage, submitted.revision, submitted.submitted_at), (Stage::Submitted, 2, Some(NOW + 1)));
        assert_eq!((submitted.reference.as_deref(), submitted.archived_at), (Some(reference), None));
        let kept = db.active_application(&applicant.id).await.unwrap().unwrap();
        assert_eq!((kept.stage, kept.revision, kept.reference), (Stage::Submitted, 2, submitted.reference));
        assert_eq!(database.texts("SELECT status FROM applications").await, ["incomplete"]);
        let snapshots = database.texts("SELECT program || ' ' || CAST(number AS TEXT) || ' ' || answers FROM snapshots");
        assert_eq!(snapshots.await, ["ba 1 {}"]);
        for (table, rows) in [("stage_changes", 1), ("audit", 2), ("outbox", 1)] {
            assert_eq!(database.count(table).await, rows, "{table}");
        }

        // The same again, by its key; a different one, by its revision.
        let again = db.transition(&submission(&application, "key", 2)).await.unwrap();
        assert!(matches!(again, TransitionOutcome::Repeated(ref now) if now.revision == 2), "{again:?}");
        let other = db.transition(&submission(&application, "other", 2)).await.unwrap();
        assert!(matches!(other, TransitionOutcome::Stale(ref now) if now.revision == 2), "{other:?}");
        let unnamed = db.transition(&Transition { key: None, ..submission(&application, "", 2) }).await.unwrap();
        assert!(matches!(unnamed, TransitionOutcome::Stale(_)), "{unnamed:?}");
        for (table, rows) in [("snapshots", 1), ("stage_changes", 1), ("audit", 2), ("outbox", 1)] {
            assert_eq!(database.count(table).await, rows, "{table}");
        }
        let by_key = db.application_by_key(&applicant.id, Act::Submit, "key").await.unwrap();
        assert_eq!(by_key.map(|application| application.id), Some(application.id));
        assert!(db.application_by_key(&applicant.id, Act::Unsubmit, "key").await.unwrap().is_none());
        assert!(db.application_by_key("somebody else", Act::Submit, "key").await.unwrap().is_none());
    }

    async fn of_twenty_submissions_at_once_one_is_made(database: Database) {
        let (db, other_process) = (database.db(), database.opened_again().await);
        let (_, application) = applying(&db, "demo@example.org").await;
        let results = at_once(20, |number| {
            let db = if number % 2 == 0 { db.clone() } else { other_process.clone() };
            // Half of them are one and the same, sent again and again.
            let key = if number < 10 { "same".to_owned() } else { number.to_string() };
            let transition = submission(&application, &key, number.try_into().unwrap());
            async move { (number, db.transition(&transition).await.unwrap()) }
        })
        .await;
        let done: Vec<_> = results.iter().filter(|(_, outcome)| matches!(outcome, TransitionOutcome::Done(_))).collect();
        assert_eq!(done.len(), 1, "{results:?}");
        for (number, outcome) in &results {
            let repeated = matches!(outcome, TransitionOutcome::Repeated(_));
            assert_eq!(repeated, done[0].0 < 10 && *number < 10 && *number != done[0].0, "{number} {outcome:?}");
        }
        for (table, rows) in [("snapshots", 1), ("stage_changes", 1), ("audit", 2), ("outbox", 1)] {
            assert_eq!(database.count(table).await, rows, "{table}");
        }
        other_process.close().await;
    }

    async fn a_save_and_a_submission_at_once_leave_one_of_them(database: Database) {
        let db = database.db();
        let (applicant, application) = applying(&db, "demo@example.org").await;
        let answers = answers(r#"{"a":1}"#);
        let transition = submission(&application, "key", 1);
        let (saved, submitted) = tokio::join!(
            db.save_application(&application.id, 1, Program::Bachelor, &answers, NOW),
            db.transition(&transition)
        );
        let saved = matches!(saved.unwrap(), SaveOutcome::Saved);
        let submitted = matches!(submitted.unwrap(), TransitionOutcome::Done(_));
        assert!(saved != submitted, "{saved} {submitted}");
        let kept = db.active_application(&applicant.id).await.unwrap().unwrap();
        assert_eq!((kept.revision, kept.stage == Stage::Submitted), (2, submitted));
    }

    async fn a_change_of_stage_that_fails_in_the_middle_leaves_nothing(database: Database) {
        let db = database.db();
        let (applicant, application) = applying(&db, "demo@example.org").await;
        let (twice, mail) = (entry(), mail());
        db.enqueue(&mail).await.unwrap();
        let again = Transition { mails: vec![mail], ..submission(&application, "key", 1) };
        let result = db.transition(&again).await;
        assert!(matches!(result, Err(StoreError::Taken("mail"))), "{result:?}");
        let kept = db.active_application(&applicant.id).await.unwrap().unwrap();
        assert_eq!((kept.stage, kept.revision, kept.reference), (Stage::Draft, 1, None));
        for (table, rows) in [("snapshots", 0), ("stage_changes", 0), ("audit", 1), ("outbox", 1)] {
            assert_eq!(database.count(table).await, rows, "{table}");
        }
        let well = Transition { audit: twice, ..submission(&application, "key", 1) };
        assert!(matches!(db.transition(&well).await, Ok(TransitionOutcome::Done(_))), "the key is free");
    }

    async fn a_reference_number_is_given_once(database: Database) {
        let db = database.db();
        let (_, one) = applying(&db, "one@example.org").await;
        let (_, other) = applying(&db, "other@example.org").await;
        db.transition(&submission(&one, "key", 7)).await.unwrap();
        let taken = db.transition(&submission(&other, "key", 7)).await;
        assert!(matches!(taken, Err(StoreError::Taken("reference"))), "{taken:?}");
        assert_eq!((database.count("snapshots").await, database.count("stage_changes").await), (1, 1));
        db.transition(&submission(&other, "key", 8)).await.unwrap();
        // A later submission keeps the number and counts its snapshot.
        let back = Transition { expected: 2, act: Act::Unsubmit, from: Stage::Submitted, to: Stage::Draft, snapshot: None, reference: None, ..submission(&one, "b", 0) };
        db.transition(&back).await.unwrap();
        let again = Transition { expected: 3, reference: None, ..submission(&one, "again", 0) };
        let TransitionOutcome::Done(again) = db.transition(&again).await.unwrap() else { panic!("it is not stale") };
        let first = ReferenceNumber::new(Program::Bachelor, 2026, 7);
        assert_eq!(again.reference.as_deref(), Some(first.as_str()));
        let numbers = "SELECT CAST(number AS TEXT) FROM snapshots WHERE number > 1";
        assert_eq!(database.texts(numbers).await, ["2"]);

        // A number that was replaced still finds the application, and is given to no other.
        let back = Transition { expected: 4, reference: None, ..Transition { id: id(), key: Some("c".into()), audit: entry(), mails: Vec::new(), ..back } };
        db.transition(&back).await.unwrap();
        let moved = Transition { expected: 5, former_reference: again.reference, ..submission(&one, "moved", 9) };
        assert!(matches!(db.transition(&moved).await.unwrap(), TransitionOutcome::Done(_)));
        let found = db.application(ApplicationKey::Reference(first.as_str())).await.unwrap().unwrap().1;
        let second = ReferenceNumber::new(Program::Bachelor, 2026, 9);
        assert_eq!((found.id.as_str(), found.reference.as_deref()), (one.id.as_str(), Some(second.as_str())));
        let (_, third) = applying(&db, "third@example.org").await;
        let taken = db.transition(&submission(&third, "key", 7)).await;
        assert!(matches!(taken, Err(StoreError::Taken("reference"))), "{taken:?}");
    }

    async fn what_ended_is_found_with_how_it_ended(database: Database) {
        let db = database.db();
        let (applicant, application) = applying(&db, "demo@example.org").await;
        db.transition(&submission(&application, "key", 1)).await.unwrap();
        assert!(db.ended_application(&applicant.id).await.unwrap().is_none());
        db.transition(&withdrawal(&application)).await.unwrap();
        assert!(db.active_application(&applicant.id).await.unwrap().is_none());
        assert_eq!(database.texts("SELECT status || '/' || stage FROM applications").await, ["none/archived"]);
        let ended = db.ended_application(&applicant.id).await.unwrap().expect("it has ended");
        assert_eq!((ended.act, ended.former, ended.ended_at), (Act::Withdraw, Some(Stage::Submitted), NOW + 2));

        db.start_application(&super::application(&applicant), &entry(), &mail()).await.expect("the place is free");
        let undo = Transition {
            expected: 3,
            act: Act::UndoWithdraw,
            from: Stage::Archived,
            to: Stage::Submitted,
            former: None,
            ..withdrawal(&application)
        };
        let result = db.transition(&undo).await;
        assert!(matches!(result, Err(StoreError::Taken("application"))), "{result:?}");
        database.run("UPDATE applications SET archived_at = 1 WHERE stage = 'draft'").await.unwrap();
        let TransitionOutcome::Done(back) = db.transition(&Transition { id: id(), ..undo }).await.unwrap() else {
            panic!("it is not stale")
        };
        assert_eq!((back.stage, back.archived_at, back.submitted_at), (Stage::Submitted, None, Some(NOW + 1)));
    }

    async fn a_reset_is_spent_once(database: Database) {
        let db = database.db();
        let (applicant, first) = registered(&db, "demo@example.org").await;
        let (_, stranger) = registered(&db, "stranger@example.org").await;
        db.create_reset(&applicant.id, "secret", NOW + HOUR, &entry(), &mail()).await.unwrap();
        for _ in 0..3 {
            let owner = db.reset_owner("secret", NOW).await.unwrap().expect("looking does not spend it");
            assert_eq!(owner.id, applicant.id);
        }
        let spent = at_once(10, |number| {
            let db = db.clone();
            async move { db.spend_reset("secret", &format!("$new{number}"), &entry(), &mail()).await.unwrap() }
        })
        .await;
        let winner = spent.iter().position(|spent| *spent).expect("one spends it");
        assert_eq!(spent.iter().filter(|spent| **spent).count(), 1);
        let hash = db.applicant_by_email("demo@example.org").await.unwrap().unwrap().password_hash;
        assert_eq!(hash, format!("$new{winner}"));
        assert!(db.reset_owner("secret", NOW).await.unwrap().is_none());
        assert!(!is_open(&db, &first).await, "every session of the account ends");
        assert!(is_open(&db, &stranger).await, "and nobody else's");
        assert_eq!(database.count("outbox").await, 2);
    }

    async fn only_the_newest_reset_in_time_can_be_spent(database: Database) {
        let db = database.db();
        let (applicant, _) = registered(&db, "demo@example.org").await;
        db.create_reset(&applicant.id, "older", NOW + HOUR, &entry(), &mail()).await.unwrap();
        db.create_reset(&applicant.id, "newer", NOW + HOUR, &entry(), &mail()).await.unwrap();
        assert!(db.reset_owner("older", NOW).await.unwrap().is_none());
        assert!(!db.spend_reset("older", "$stolen", &entry(), &mail()).await.unwrap());
        assert!(!db.spend_reset("never given", "$stolen", &entry(), &mail()).await.unwrap());
        assert!(db.reset_owner("newer", NOW + HOUR).await.unwrap().is_none(), "it has expired");
        assert!(!db.spend_reset("newer", "$stolen", &entry_at(NOW + HOUR), &mail()).await.unwrap());
        assert!(db.spend_reset("newer", "$new", &entry_at(NOW + HOUR - 1), &mail()).await.unwrap());
        assert_eq!(db.applicant_by_email("demo@example.org").await.unwrap().unwrap().password_hash, "$new");
    }

    async fn two_changes_of_a_password_or_a_change_and_a_reset_never_overwrite_each_other(database: Database) {
        let db = database.db();
        let (applicant, _) = registered(&db, "demo@example.org").await;
        let mut hash = applicant.password_hash.clone();
        for round in 0..15 {
            let pending = EmailChange {
                applicant_id: applicant.id.clone(),
                email: "new@example.org".into(),
                old_digest: format!("old {round}"),
                new_digest: format!("new {round}"),
                old_confirmed_at: None,
                new_confirmed_at: None,
                created_at: NOW,
                expires_at: NOW + HOUR,
            };
            db.save_email_change(&pending, &entry(), &[]).await.unwrap();
            db.create_reset(&applicant.id, "secret", NOW + HOUR, &entry(), &mail()).await.unwrap();
            let done = at_once(3, |number| {
                let (db, id, old) = (db.clone(), applicant.id.clone(), hash.clone());
                let new = format!("$new {round} {number}");
                async move {
                    match number {
                        0 => db.spend_reset("secret", &new, &entry(), &mail()).await.unwrap(),
                        _ => db.change_password(&id, (&old, &new), None, &entry(), &mail()).await.unwrap(),
                    }
                }
            })
            .await;
            assert_eq!(done.iter().filter(|done| **done).count(), 1, "round {round}: {done:?}");
            let winner = done.iter().position(|done| *done).unwrap();
            hash = db.applicant_by_email("demo@example.org").await.unwrap().unwrap().password_hash;
            assert_eq!(hash, format!("$new {round} {winner}"));
        }
    }

    async fn a_changed_password_ends_the_other_sessions_and_the_open_reset(database: Database) {
        let db = database.db();
        let (applicant, kept) = registered(&db, "demo@example.org").await;
        let other = session();
        assert!(db.create_session(&applicant.id, &applicant.password_hash, &other, None, &entry()).await.unwrap());
        db.create_reset(&applicant.id, "secret", NOW + HOUR, &entry(), &mail()).await.unwrap();
        let first = (applicant.password_hash.as_str(), "$new");
        assert!(db.change_password(&applicant.id, first, Some(&kept.id), &entry(), &mail()).await.unwrap());
        assert!(is_open(&db, &kept).await);
        assert!(!is_open(&db, &other).await);
        assert!(!db.spend_reset("secret", "$stolen", &entry(), &mail()).await.unwrap());
        let stale = db.change_password(&applicant.id, first, None, &entry(), &mail()).await.unwrap();
        assert!(!stale && is_open(&db, &kept).await, "it knew the password before");
        assert!(db.change_password(&applicant.id, ("$new", "$newer"), None, &entry(), &mail()).await.unwrap());
        assert!(!is_open(&db, &kept).await);
        assert_eq!(db.applicant_by_email("demo@example.org").await.unwrap().unwrap().password_hash, "$newer");
    }

    async fn a_hash_is_renewed_only_if_it_is_still_the_same(database: Database) {
        let db = database.db();
        let (applicant, _) = registered(&db, "demo@example.org").await;
        let hash = || async { db.applicant_by_email("demo@example.org").await.unwrap().unwrap().password_hash };
        db.rehash(&applicant.id, "$another", "$renewed").await.unwrap();
        assert_eq!(hash().await, "$old");
        db.rehash(&applicant.id, "$old", "$renewed").await.unwrap();
        assert_eq!(hash().await, "$renewed");
    }

    async fn a_profile_is_replaced_as_a_whole(database: Database) {
        let db = database.db();
        let (applicant, _) = registered(&db, "demo@example.org").await;
        let profile = Profile {
            first_name: "New".into(),
            last_name: "Name".into(),
            date_of_birth: date(2000, 1, 1),
            phone_number: "+4915550100".into(),
            country: "DE".into(),
            state: None,
            time_zone: "Europe/Berlin".into(),
            reminders: false,
            language: Language::Es,
        };
        db.save_profile(&applicant.id, &profile, &entry()).await.unwrap();
        assert_eq!(db.applicant_by_email("demo@example.org").await.unwrap().unwrap().profile, profile);
        assert!(db.save_profile("nobody", &profile, &entry()).await.is_err());
        assert_eq!(database.count("audit").await, 2, "what did not happen is not written down");
    }

    async fn a_disabled_account_has_no_open_session(database: Database) {
        let db = database.db();
        let (applicant, session) = registered(&db, "demo@example.org").await;
        assert!(db.set_disabled(&applicant.id, true, &entry_at(NOW + 5)).await.unwrap());
        assert!(!is_open(&db, &session).await);
        assert_eq!(db.applicant_by_email("demo@example.org").await.unwrap().unwrap().disabled_at, Some(NOW + 5));
        assert!(db.set_disabled(&applicant.id, false, &entry()).await.unwrap());
        assert_eq!(db.applicant_by_email("demo@example.org").await.unwrap().unwrap().disabled_at, None);
        assert!(!is_open(&db, &session).await, "an ended session stays ended");
        assert!(!db.set_disabled("nobody", true, &entry()).await.unwrap());
    }

    async fn an_ended_session_is_ended_for_every_process_at_once(database: Database) {
        let (db, other_process) = (database.db(), database.opened_again().await);
        let (applicant, session) = registered(&db, "demo@example.org").await;
        let (stranger, _) = registered(&db, "stranger@example.org").await;
        assert!(is_open(&other_process, &session).await);
        assert!(!db.end_session(&stranger.id, &session.id, NOW).await.unwrap(), "it is not the stranger's to end");
        assert!(is_open(&other_process, &session).await);
        assert!(db.end_session(&applicant.id, &session.id, NOW).await.unwrap());
        for db in [&db, &other_process] {
            assert!(!is_open(db, &session).await);
            assert!(db.session(SessionKey::Cookie(&session.cookie_digest), NOW).await.unwrap().is_none());
            assert!(db.session_with_application(SessionKey::Id(&session.id), NOW).await.unwrap().is_none());
        }
        assert!(!db.end_session(&applicant.id, &session.id, NOW).await.unwrap(), "it has ended already");
        other_process.close().await;
    }

    async fn every_other_session_is_ended(database: Database) {
        let db = database.db();
        let (applicant, kept) = registered(&db, "demo@example.org").await;
        let (_, stranger) = registered(&db, "stranger@example.org").await;
        for _ in 0..3 {
            assert!(db.create_session(&applicant.id, &applicant.password_hash, &session(), None, &entry()).await.unwrap());
        }
        assert_eq!(db.sessions(&applicant.id, NOW).await.unwrap().len(), 4);
        assert_eq!(db.end_other_sessions(&applicant.id, &kept.id, NOW).await.unwrap(), 3);
        let left: Vec<String> = db.sessions(&applicant.id, NOW).await.unwrap().into_iter().map(|s| s.id).collect();
        assert_eq!(left, [kept.id]);
        assert!(is_open(&db, &stranger).await);
    }

    async fn a_session_expires(database: Database) {
        let db = database.db();
        let (applicant, session) = registered(&db, "demo@example.org").await;
        let key = SessionKey::Id(&session.id);
        assert!(db.session(key, session.expires_at - 1).await.unwrap().is_some());
        assert!(db.session(key, session.expires_at).await.unwrap().is_none());
        assert!(db.sessions(&applicant.id, session.expires_at).await.unwrap().is_empty());
        assert!(!db.end_session(&applicant.id, &session.id, session.expires_at).await.unwrap());
    }

    async fn a_visit_is_noted_once_a_minute(database: Database) {
        let db = database.db();
        let (applicant, session) = registered(&db, "demo@example.org").await;
        let later = super::session();
        assert!(db.create_session(&applicant.id, &applicant.password_hash, &later, None, &entry()).await.unwrap());
        let key = SessionKey::Id(&session.id);

        db.session(key, NOW + MINUTE - 1).await.unwrap().unwrap();
        tokio::time::sleep(Duration::from_millis(100)).await;
        assert!(db.sessions(&applicant.id, NOW).await.unwrap().iter().all(|open| open.last_seen_at == NOW));

        db.session(key, NOW + MINUTE).await.unwrap().unwrap();
        let mut seen = 0;
        for _ in 0..100 {
            let listed = db.sessions(&applicant.id, NOW).await.unwrap();
            seen = listed[0].last_seen_at;
            if seen == NOW + MINUTE {
                assert_eq!(listed[0].id, session.id, "last seen first");
                break;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        assert_eq!(seen, NOW + MINUTE);
    }

    async fn attempts_are_counted_exactly_however_many_come_at_once(database: Database) {
        let (db, other_process) = (database.db(), database.opened_again().await);
        let results = at_once(40, |number| {
            let db = if number % 2 == 0 { db.clone() } else { other_process.clone() };
            async move { db.attempt("login", 7, MINUTE, NOW).await.unwrap() }
        })
        .await;
        assert_eq!(results.iter().filter(|result| **result == Throttle::Allowed).count(), 7);
        assert!(results.contains(&Throttle::Refused { wait: MINUTE }));
        other_process.close().await;
    }

    async fn a_window_ends_and_another_begins(database: Database) {
        let db = database.db();
        let attempt = |now| db.attempt("key", 2, MINUTE, now);
        assert_eq!(attempt(NOW).await.unwrap(), Throttle::Allowed);
        assert_eq!(attempt(NOW + 10).await.unwrap(), Throttle::Allowed);
        assert_eq!(attempt(NOW + 20).await.unwrap(), Throttle::Refused { wait: MINUTE - 20 });
        assert_eq!(attempt(NOW + 30).await.unwrap(), Throttle::Refused { wait: MINUTE - 30 });
        assert_eq!(db.attempt("other", 2, MINUTE, NOW + 30).await.unwrap(), Throttle::Allowed);
        assert_eq!(attempt(NOW + MINUTE).await.unwrap(), Throttle::Allowed);
        assert_eq!(attempt(NOW + MINUTE).await.unwrap(), Throttle::Allowed);
        assert_eq!(attempt(NOW + MINUTE).await.unwrap(), Throttle::Refused { wait: MINUTE });
        db.forget("key").await.unwrap();
        assert_eq!(attempt(NOW + MINUTE).await.unwrap(), Throttle::Allowed);
        assert_eq!(db.attempt("closed", 0, MINUTE, NOW).await.unwrap(), Throttle::Refused { wait: MINUTE });
    }

    async fn an_attempt_counts_under_all_its_limits_or_under_none(database: Database) {
        let (db, other_process) = (database.db(), database.opened_again().await);
        let limits = |account: usize| {
            let account = Limit { key: format!("account {account}"), most: 3, window: HOUR };
            // They are locked in a fixed order, whichever order they are given in.
            let address = Limit { key: "address".into(), most: 10, window: MINUTE };
            if account.key.ends_with('0') { [address, account] } else { [account, address] }
        };
        // Twenty attempts on each of two accounts, from one address.
        let results = at_once(40, |number| {
            let db = if number % 2 == 0 { db.clone() } else { other_process.clone() };
            let limits = limits(number / 2 % 2);
            async move { db.reserve(&limits, NOW).await.unwrap() }
        })
        .await;
        assert_eq!(results.iter().filter(|result| **result == Throttle::Allowed).count(), 6);
        assert!(results.contains(&Throttle::Refused { wait: HOUR }));
        let counted = "SELECT key || ': ' || attempts FROM throttles ORDER BY key";
        assert_eq!(database.texts(counted).await, ["account 0: 3", "account 1: 3", "address: 6"], "a refused one counts nowhere");

        for account in 2..6 {
            assert_eq!(db.reserve(&limits(account), NOW + 1).await.unwrap(), Throttle::Allowed);
        }
        assert_eq!(db.reserve(&limits(6), NOW + 1).await.unwrap(), Throttle::Refused { wait: MINUTE - 1 });
        db.give_back(&["address", "account 5", "nobody"]).await.unwrap();
        assert_eq!(db.reserve(&limits(6), NOW + 1).await.unwrap(), Throttle::Allowed);
        assert_eq!(db.reserve(&limits(7), NOW + MINUTE).await.unwrap(), Throttle::Allowed, "another window");
        for _ in 0..3 {
            db.give_back(&["address"]).await.unwrap();
        }
        let counted = "SELECT key || ': ' || attempts FROM throttles WHERE key IN ('address', 'account 5', 'account 6') ORDER BY key";
        assert_eq!(database.texts(counted).await, ["account 5: 0", "account 6: 1", "address: 0"]);
        other_process.close().await;
    }

    async fn the_sweep_takes_what_has_expired_and_nothing_else(database: Database) {
        let db = database.db();
        let (applicant, session) = registered(&db, "demo@example.org").await;
        db.create_reset(&applicant.id, "secret", NOW + HOUR, &entry(), &mail()).await.unwrap();
        db.attempt("key", 1, MINUTE, NOW).await.unwrap();
        assert_eq!(db.use_key("key", "digest", NOW).await.unwrap(), KeyUse::New);
        assert_eq!(db.sweep(NOW).await.unwrap(), 0);
        assert_eq!(db.sweep(NOW + MINUTE).await.unwrap(), 1, "the window");
        assert_eq!(db.sweep(NOW + HOUR).await.unwrap(), 1, "the reset");
        assert!(is_open(&db, &session).await);
        assert_eq!(db.sweep(session.expires_at).await.unwrap(), 1, "the session");
        assert_eq!(db.sweep(NOW + 90 * DAY).await.unwrap(), 1, "the key of a call");
        assert_eq!((database.count("applicants").await, database.count("audit").await), (1, 2));
    }

    async fn the_audit_cannot_be_changed(database: Database) {
        let db = database.db();
        registered(&db, "demo@example.org").await;
        for sql in ["UPDATE audit SET actor = 'nobody'", "DELETE FROM audit"] {
            let error = database.run(sql).await.expect_err(sql);
            assert!(error.to_string().contains("append-only"), "{error}");
        }
        if db.kind() == "postgres" {
            let error = database.run("TRUNCATE audit CASCADE").await.expect_err("TRUNCATE");
            assert!(error.to_string().contains("append-only"), "{error}");
        }
        assert_eq!(database.texts("SELECT actor FROM audit").await, ["system"]);
        assert_eq!(database.texts("SELECT detail FROM audit").await, [r#"{"why":"test"}"#]);
    }

    async fn a_mail_is_given_to_one_worker(database: Database) {
        let (db, other_process) = (database.db(), database.opened_again().await);
        let mut written = BTreeSet::new();
        for _ in 0..60 {
            let mail = mail();
            db.enqueue(&mail).await.unwrap();
            written.insert(mail.id);
        }
        let claimed = at_once(8, |number| {
            let db = if number % 2 == 0 { db.clone() } else { other_process.clone() };
            async move {
                let mut mine = Vec::new();
                loop {
                    let mails = db.claim_mails(3, NOW, NOW + MINUTE).await.unwrap();
                    assert!(mails.len() <= 3);
                    if mails.is_empty() {
                        break mine;
                    }
                    mine.extend(mails.into_iter().map(|mail| mail.id));
                }
            }
        })
        .await;
        let claimed: Vec<String> = claimed.into_iter().flatten().collect();
        assert_eq!(claimed.len(), 60);
        assert_eq!(claimed.into_iter().collect::<BTreeSet<_>>(), written);
        other_process.close().await;
    }

    async fn a_mail_comes_back_until_it_is_sent_or_parked(database: Database) {
        let db = database.db();
        let mail = mail();
        db.enqueue(&mail).await.unwrap();
        let claim = |now| { let db = db.clone(); async move { db.claim_mails(10, now, now + MINUTE).await.unwrap() } };
        assert!(claim(NOW - 1).await.is_empty(), "it is not due");
        let first = claim(NOW).await;
        assert_eq!((first[0].id.as_str(), first[0].attempts, first[0].text.as_str()), (mail.id.as_str(), 1, "Once"));
        assert!(claim(NOW + MINUTE - 1).await.is_empty(), "it is leased");
        assert_eq!(claim(NOW + MINUTE).await[0].attempts, 2, "the worker is gone");
        db.mail_failed(&mail.id, "451 later", Some(NOW + HOUR)).await.unwrap();
        assert!(claim(NOW + HOUR - 1).await.is_empty(), "it waits");
        assert_eq!(db.mail_counts().await.unwrap(), (1, 0));
        assert_eq!(claim(NOW + HOUR).await[0].attempts, 3);
        db.mail_failed(&mail.id, "550 never", None).await.unwrap();
        assert!(claim(NOW + DAY).await.is_empty(), "it is parked");
        assert_eq!(db.mail_counts().await.unwrap(), (0, 1));
        assert_eq!(database.texts("SELECT last_error FROM outbox").await, ["550 never"]);

        let other = NewMail { created_at: NOW + 1, ..super::mail() };
        db.enqueue(&other).await.unwrap();
        claim(NOW + DAY).await;
        db.mail_sent(&other.id, "sent", NOW + DAY).await.unwrap();
        assert!(claim(NOW + 2 * DAY).await.is_empty(), "it is sent");
        let newest = db.newest_mails(10).await.unwrap();
        let states: Vec<(&str, &str)> = newest.iter().map(|mail| (mail.id.as_str(), mail.state.as_str())).collect();
        assert_eq!(states, [(other.id.as_str(), "sent"), (mail.id.as_str(), "failed")]);
        assert_eq!(db.newest_mails(1).await.unwrap().len(), 1);
    }

    async fn a_written_mail_rings_after_the_commit(database: Database) {
        let db = database.db();
        let (applicant, _) = registered(&db, "demo@example.org").await;
        let bell = db.mail_written();
        let rang = || tokio::time::timeout(Duration::from_millis(50), bell.notified());
        assert!(rang().await.is_err(), "no mail was written");
        db.create_reset(&applicant.id, "secret", NOW + HOUR, &entry(), &mail()).await.unwrap();
        assert!(rang().await.is_ok());
    }

    async fn a_database_that_is_too_busy_is_unavailable_and_unchanged(database: Database) {
        let db = database.db();
        let (_, application) = applying(&db, "demo@example.org").await;
        let hasty = Duration::from_millis(300);
        let hasty = database
            .opened_with(&Options { acquire_timeout: hasty, statement_timeout: hasty, ..databases::options() })
            .await;
        let save = || {
            let answers = answers(r#"{"a":1}"#);
            let (hasty, id) = (&hasty, application.id.clone());
            async move { hasty.save_application(&id, 1, Program::Bachelor, &answers, NOW).await }
        };
        let lock = "BEGIN; UPDATE applications SET stage = 'held'";
        let result = if db.kind() == "sqlite" {
            let mut holder = database.sqlite_connection().await;
            sqlx::raw_sql(lock).execute(&mut holder).await.unwrap();
            let result = save().await;
            sqlx::raw_sql("ROLLBACK").execute(&mut holder).await.unwrap();
            result
        } else {
            let mut holder = database.postgres_connection().await;
            sqlx::raw_sql(lock).execute(&mut holder).await.unwrap();
            let result = save().await;
            sqlx::raw_sql("ROLLBACK").execute(&mut holder).await.unwrap();
            result
        };
        assert!(matches!(result, Err(StoreError::Unavailable(_))), "{result:?}");
        assert_eq!(database.texts("SELECT answers FROM applications").await, ["{}"]);
        assert!(matches!(save().await, Ok(SaveOutcome::Saved)), "it works again");
        hasty.close().await;
    }

    async fn a_closed_database_is_unavailable(database: Database) {
        let db = database.opened_again().await;
        db.close().await;
        let result = db.applicant_by_email("demo@example.org").await;
        assert!(matches!(result, Err(StoreError::Unavailable(_))), "{result:?}");
        assert!(db.ping().await.is_err());
    }

    async fn a_ping_tells_other_migrations(database: Database) {
        let db = database.db();
        db.ping().await.expect("the migrations are this program's");
        db.migrate().await.expect("running them again changes nothing");
        db.ping().await.unwrap();
        database.run("UPDATE _sqlx_migrations SET version = version + 1000").await.unwrap();
        assert!(matches!(db.ping().await, Err(StoreError::Broken(_))));
        assert!(db.migrate().await.is_err(), "and they are not run over others");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn processes_that_start_together_migrate_once() {
    for database in [Database::empty_sqlite().await, Database::empty_postgres().await] {
        let story = |database: Arc<Database>| async move {
            assert!(database.db().ping().await.is_err(), "nothing is there yet");
            let migrated = at_once(3, |_| {
                let database = database.clone();
                async move {
                    let process = database.opened_again().await;
                    let result = process.migrate().await;
                    process.close().await;
                    result
                }
            })
            .await;
            for result in migrated {
                result.expect("each finds the tables in place");
            }
            database.db().ping().await.unwrap();
        };
        database.tell(story).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn both_databases_have_the_same_tables() {
    let sqlite = Database::sqlite().await;
    let story = |postgres: Arc<Database>| async move {
        let columns_of_sqlite = sqlite.texts(
            "SELECT t.name || '.' || c.name || ' ' || lower(c.type) || \
             CASE WHEN c.\"notnull\" OR c.pk THEN ' not null' ELSE '' END \
             FROM sqlite_schema t, pragma_table_info(t.name) c WHERE t.type = 'table' AND t.name <> '_sqlx_migrations'",
        );
        let columns_of_postgres = postgres.texts(
            "SELECT table_name || '.' || column_name || ' ' || replace(data_type, 'bigint', 'integer') || \
             CASE is_nullable WHEN 'NO' THEN ' not null' ELSE '' END FROM information_schema.columns \
             WHERE table_schema = current_schema() AND table_name <> '_sqlx_migrations'",
        );
        let indexes_of_sqlite = sqlite.texts("SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL");
        let indexes_of_postgres = postgres.texts(
            "SELECT indexname::text FROM pg_indexes \
             WHERE schemaname = current_schema() AND indexname NOT LIKE '%\\_pkey'",
        );
        let sorted = |texts: Vec<String>| texts.into_iter().collect::<BTreeSet<_>>();
        let columns = sorted(columns_of_sqlite.await);
        assert!(columns.contains("applications.revision integer not null"), "{columns:?}");
        assert_eq!(columns, sorted(columns_of_postgres.await));
        let indexes = sorted(indexes_of_sqlite.await);
        assert!(indexes.contains("applications_one_active"), "{indexes:?}");
        assert_eq!(indexes, sorted(indexes_of_postgres.await));
    };
    Database::postgres().await.tell(story).await;
}

#[test]
fn migrations_are_twins() {
    let names = |folder: &str| -> BTreeSet<String> {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("migrations").join(folder);
        let entries = std::fs::read_dir(folder).expect("the folder is there");
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    };
    assert!(!names("sqlite").is_empty());
    assert_eq!(names("sqlite"), names("postgres"));
}

#[tokio::test]
async fn sqlite_keeps_a_write_ahead_log() {
    let database = Database::sqlite().await;
    assert_eq!(database.texts("PRAGMA journal_mode").await, ["wal"]);
}

#[tokio::test]
async fn a_database_url_that_cannot_work_is_refused() {
    for url in ["", "mysql://localhost", "sqlite::memory:", "sqlite:?mode=memory", "sqlite:no/such/folder/x.db"] {
        assert!(Db::connect(url, &databases::options()).await.is_err(), "{url:?}");
    }
}
