//! Stories of slots, holds and interviews in the store, each told once and run on both databases.

use matricula::domain::application::Application;
use matricula::domain::interview::{Interview, InterviewOutcome, Span, Wishes};
use matricula::domain::moments::{DAY, MINUTE, Millis};
use matricula::domain::role::Role;
use matricula::domain::staff::Staff;
use matricula::domain::status::{Act, Stage};
use matricula::domain::task::{Task, TaskKind};
use matricula::store::{Db, InterviewChange, NewSlot, SlotRequest, StoreError, Transition, TransitionOutcome};

use crate::support::databases::story;
use crate::support::rows::{NOW, applying, at_once, entry, id, submission};

const UNTIL: Millis = NOW + 5 * MINUTE;

async fn interviewer(db: &Db, email: &str) -> Staff {
    let staff = Staff {
        id: id(),
        name: String::new(),
        email: email.into(),
        role: Role::Interviewer,
        password_hash: "$hash".into(),
        code_seed: None,
        passkeys: 0,
        suspended_at: None,
        created_at: NOW,
    };
    db.create_staff(&staff, &entry()).await.unwrap();
    staff
}

fn slots(starts: impl IntoIterator<Item = Millis>) -> Vec<NewSlot> {
    starts.into_iter().map(|starts_at| NewSlot { id: id(), span: Span { starts_at, minutes: 40 } }).collect()
}

async fn open(db: &Db, staff: &Staff, starts: impl IntoIterator<Item = Millis>) -> Vec<NewSlot> {
    let slots = slots(starts);
    db.open_slots(&staff.id, &slots, NOW, &entry()).await.unwrap();
    slots
}

/// A submitted application.
async fn submitted(db: &Db, number: usize) -> Application {
    let (_, application) = applying(db, &format!("applicant-{number}@example.org")).await;
    let reference = u64::try_from(number).unwrap();
    match db.transition(&submission(&application, "submit", reference)).await.unwrap() {
        TransitionOutcome::Done(application) => application,
        other => panic!("{other:?}"),
    }
}

fn change(application: &Application, act: Act, to: Stage, interview: InterviewChange) -> Transition {
    Transition {
        expected: application.revision,
        act,
        key: None,
        from: application.stage,
        to,
        snapshot: None,
        reference: None,
        mails: Vec::new(),
        interview: Some(interview),
        ..submission(application, "", 0)
    }
}

async fn transition(db: &Db, transition: &Transition) -> Result<Application, StoreError> {
    match db.transition(transition).await? {
        TransitionOutcome::Done(application) => Ok(application),
        other => panic!("{other:?}"),
    }
}

async fn book(db: &Db, application: &Application, slot: &NewSlot) -> Result<Application, StoreError> {
    let book = InterviewChange::Book { id: id(), slot_id: slot.id.clone() };
    transition(db, &change(application, Act::Book, Stage::Booked, book)).await
}

async fn relocate(db: &Db, application: &Application, slot: &NewSlot) -> Result<Application, StoreError> {
    let current = interview(db, application).await;
    let moved = InterviewChange::Move { id: current.id, slot_id: slot.id.clone(), counted: true };
    transition(db, &change(application, Act::Move, Stage::Booked, moved)).await
}

async fn interview(db: &Db, application: &Application) -> Interview {
    db.interview(&application.id, NOW).await.unwrap().expect("an interview")
}

story! {
    async fn times_of_one_person_never_overlap(database: Database) {
        let db = database.db();
        let (one, other) = (interviewer(&db, "one@example.org").await, interviewer(&db, "other@example.org").await);
        open(&db, &one, [NOW + DAY, NOW + DAY + 40 * MINUTE]).await;
        // The last of three overlaps: none of them is opened.
        let some = slots([NOW + 2 * DAY, NOW + 3 * DAY, NOW + DAY + 79 * MINUTE]);
        let refused = db.open_slots(&one.id, &some, NOW, &entry()).await;
        assert!(matches!(refused, Err(StoreError::Taken("slots"))), "{refused:?}");
        assert_eq!(database.count("interview_slots").await, 2);
        open(&db, &other, [NOW + DAY]).await;

        // Nor do times that are opened concurrently.
        let results = at_once(8, |number| {
            let (db, staff) = (db.clone(), one.id.clone());
            let start = NOW + 5 * DAY + i64::try_from(number).unwrap() * MINUTE;
            async move { db.open_slots(&staff, &slots([start]), NOW, &entry()).await.is_ok() }
        }).await;
        assert_eq!(results.iter().filter(|opened| **opened).count(), 1, "{results:?}");
    }

    async fn a_time_is_kept_for_one_until_it_is_not(database: Database) {
        let db = database.db();
        let staff = interviewer(&db, "one@example.org").await;
        let (first, second) = (NOW + DAY, NOW + 2 * DAY);
        open(&db, &staff, [first, second]).await;
        let (ada, ben) = (submitted(&db, 1).await.id, submitted(&db, 2).await.id);
        let free = |who: &str, now| { let (db, who) = (db.clone(), who.to_owned()); async move { db.free_times(&who, NOW, now, SlotRequest::default()).await.unwrap() } };

        assert!(db.hold_slot(&ada, first, NOW, UNTIL).await.unwrap().is_some());
        assert!(db.hold_slot(&ben, first, NOW, UNTIL).await.unwrap().is_none());
        assert_eq!((free(&ada, NOW).await, free(&ben, NOW).await), (vec![first, second], vec![second]));
        assert!(db.free_slot(&ben, first, NOW, SlotRequest::default()).await.unwrap().is_none());
        // Holding it again extends the hold.
        db.hold_slot(&ada, first, NOW, UNTIL + 1).await.unwrap();
        assert_eq!(db.held_slot(&ada, NOW).await.unwrap().unwrap().until, UNTIL + 1);

        // Choosing another gives up the first; failing to get one keeps it.
        db.hold_slot(&ben, second, NOW, UNTIL).await.unwrap();
        assert!(db.hold_slot(&ada, second, NOW, UNTIL).await.unwrap().is_none());
        assert_eq!(db.held_slot(&ada, NOW).await.unwrap().unwrap().slot.span.starts_at, first);
        let later = UNTIL + MINUTE;
        assert!(db.held_slot(&ada, later).await.unwrap().is_none());
        assert!(db.hold_slot(&ben, first, later, later + 5 * MINUTE).await.unwrap().is_some());
        assert_eq!(free(&ada, later).await, [second]);
        assert_eq!(database.count("slot_claims").await, 1);
        assert_eq!((db.sweep(later).await.unwrap(), db.sweep(later + 5 * MINUTE).await.unwrap()), (0, 1));
        assert!(db.hold_slot(&ada, NOW + 9 * DAY, NOW, UNTIL).await.unwrap().is_none());
    }

    async fn several_who_are_free_at_a_time_are_one_time(database: Database) {
        let db = database.db();
        for email in ["one@example.org", "two@example.org"] {
            open(&db, &interviewer(&db, email).await, [NOW + DAY]).await;
        }
        let (ada, ben, eve) = (submitted(&db, 1).await, submitted(&db, 2).await, submitted(&db, 3).await);
        assert_eq!(db.free_times(&ada.id, NOW, NOW, SlotRequest::default()).await.unwrap(), [NOW + DAY]);
        let one = db.hold_slot(&ada.id, NOW + DAY, NOW, UNTIL).await.unwrap().unwrap();
        let other = db.hold_slot(&ben.id, NOW + DAY, NOW, UNTIL).await.unwrap().unwrap();
        assert_ne!(one.interviewer_email, other.interviewer_email);
        assert!(db.hold_slot(&eve.id, NOW + DAY, NOW, UNTIL).await.unwrap().is_none());
        assert!(db.free_times(&eve.id, NOW, NOW, SlotRequest::default()).await.unwrap().is_empty());
        assert_eq!(db.free_slot(&ben.id, NOW + DAY, NOW, SlotRequest::default()).await.unwrap().unwrap().id, other.id);

        // An interviewer who has left meets nobody.
        database.run("DELETE FROM slot_claims").await.unwrap();
        database.run("UPDATE staff SET suspended_at = 1").await.unwrap();
        assert!(db.free_times(&eve.id, NOW, NOW, SlotRequest::default()).await.unwrap().is_empty());
        assert!(db.hold_slot(&eve.id, NOW + DAY, NOW, UNTIL).await.unwrap().is_none());
    }

    async fn of_twenty_who_want_a_time_one_gets_it_two_hundred_times(database: Database) {
        let db = database.db();
        let staff = interviewer(&db, "one@example.org").await;
        let slots = open(&db, &staff, (1..=200).map(|day| NOW + day * DAY)).await;
        let mut people = Vec::new();
        for number in 0..20 {
            people.push(submitted(&db, number).await);
        }
        for (round, slot) in slots.iter().enumerate() {
            let wanted = people.clone();
            let results = at_once(20, |number| {
                let (db, application, slot) = (db.clone(), wanted[number].clone(), slot.clone());
                async move {
                    let done = if application.stage == Stage::Booked {
                        relocate(&db, &application, &slot).await
                    } else {
                        book(&db, &application, &slot).await
                    };
                    match done {
                        Ok(application) => Some(application),
                        Err(StoreError::Taken("slot")) => None,
                        Err(error) => panic!("{error:?}"),
                    }
                }
            }).await;
            let winners: Vec<usize> = (0..20).filter(|number| results[*number].is_some()).collect();
            assert_eq!(winners.len(), 1, "round {round}");
            people[winners[0]] = results[winners[0]].clone().unwrap();
        }
        // Whoever won once has only moved since, and everyone has at most one time.
        let booked = i64::try_from(people.iter().filter(|application| application.stage == Stage::Booked).count()).unwrap();
        assert_eq!((database.count("slot_claims").await, database.count("interviews").await), (booked, booked));
        let moves = database.texts("SELECT CAST(SUM(moves) AS TEXT) FROM interviews").await;
        assert_eq!(moves[0].parse::<i64>().unwrap(), 200 - booked);
    }

    async fn of_two_who_change_places_both_keep_what_they_have(database: Database) {
        let db = database.db();
        let staff = interviewer(&db, "one@example.org").await;
        let slots = open(&db, &staff, [NOW + DAY, NOW + 2 * DAY]).await;
        let (ada, ben) = (submitted(&db, 1).await, submitted(&db, 2).await);
        let people = [book(&db, &ada, &slots[0]).await.unwrap(), book(&db, &ben, &slots[1]).await.unwrap()];
        for _ in 0..20 {
            let results = at_once(2, |number| {
                let (db, application, slot) = (db.clone(), people[number].clone(), slots[1 - number].clone());
                async move { relocate(&db, &application, &slot).await.map(drop) }
            }).await;
            assert!(results.iter().all(|result| matches!(result, Err(StoreError::Taken("slot")))), "{results:?}");
        }
        assert_eq!(interview(&db, &ada).await.slot.id, slots[0].id);
        assert_eq!((database.count("slot_claims").await, interview(&db, &ben).await.sequence), (2, 0));
    }

    async fn an_interview_goes_its_way(database: Database) {
        let db = database.db();
        let staff = interviewer(&db, "one@example.org").await;
        let slots = open(&db, &staff, [NOW + DAY, NOW + 2 * DAY, NOW + 3 * DAY]).await;
        let ada = submitted(&db, 1).await;
        assert!(db.interview(&ada.id, NOW).await.unwrap().is_none());
        db.hold_slot(&ada.id, NOW + 3 * DAY, NOW, UNTIL).await.unwrap();
        let ada = book(&db, &ada, &slots[0]).await.unwrap();
        let first = interview(&db, &ada).await;
        assert!(first.is_open() && !first.slot_free && first.slot.interviewer_email == "one@example.org");
        assert!(db.held_slot(&ada.id, NOW).await.unwrap().is_none(), "who has booked needs nothing kept");

        let ada = relocate(&db, &ada, &slots[1]).await.unwrap();
        let moved = interview(&db, &ada).await;
        assert_eq!((&moved.id, &moved.slot.id, moved.sequence, moved.moves), (&first.id, &slots[1].id, 1, 1));

        let free = InterviewChange::Free { id: moved.id.clone() };
        let ada = transition(&db, &change(&ada, Act::Cancel, Stage::Submitted, free)).await.unwrap();
        let freed = interview(&db, &ada).await;
        assert!(!freed.is_open() && freed.slot_free && freed.sequence == 2, "{freed:?}");
        assert_eq!(database.count("slot_claims").await, 0);

        let retake = || InterviewChange::Retake { id: moved.id.clone() };
        let ada = transition(&db, &change(&ada, Act::UndoWithdraw, Stage::Booked, retake())).await.unwrap();
        assert!(interview(&db, &ada).await.is_open());
        for (outcome, no_shows) in [(Some(InterviewOutcome::NoShow), 1), (None, 0), (Some(InterviewOutcome::Held), 0)] {
            let record = InterviewChange::Record { id: moved.id.clone(), outcome };
            transition(&db, &change(&db.active_application(&ada.applicant_id).await.unwrap().unwrap(), Act::RecordHeld, Stage::Held, record)).await.unwrap();
            let recorded = interview(&db, &ada).await;
            assert_eq!((recorded.outcome, recorded.no_shows, recorded.slot_free), (outcome, no_shows, false));
        }
    }

    async fn a_slot_that_was_given_away_is_not_retaken(database: Database) {
        let db = database.db();
        let staff = interviewer(&db, "one@example.org").await;
        let slots = open(&db, &staff, [NOW + DAY]).await;
        let (ada, ben) = (submitted(&db, 1).await, submitted(&db, 2).await);
        let ada = book(&db, &ada, &slots[0]).await.unwrap();
        let free = InterviewChange::Free { id: interview(&db, &ada).await.id };
        let ada = transition(&db, &change(&ada, Act::Withdraw, Stage::Submitted, free)).await.unwrap();
        book(&db, &ben, &slots[0]).await.unwrap();
        assert!(!interview(&db, &ada).await.slot_free);
        let retake = InterviewChange::Retake { id: interview(&db, &ada).await.id };
        let refused = db.transition(&change(&ada, Act::UndoWithdraw, Stage::Booked, retake)).await;
        assert!(matches!(refused, Err(StoreError::Taken("slot"))), "{refused:?}");
        let now = db.active_application(&ada.applicant_id).await.unwrap().unwrap();
        assert_eq!((now.stage, now.revision), (Stage::Submitted, ada.revision), "nothing was changed");
    }

    async fn wishes_are_replaced_and_make_one_task(database: Database) {
        let db = database.db();
        let staff = interviewer(&db, "one@example.org").await;
        let slots = open(&db, &staff, [NOW + DAY]).await;
        let ada = submitted(&db, 1).await;
        let task = || Task {
            id: id(), kind: TaskKind::InterviewWishes, subject: format!("application:{}", ada.id), detail: serde_json::json!({}),
            created_at: NOW, due_at: None,
        };
        for times in [[1, 2, 3], [4, 5, 6]] {
            db.save_wishes(&ada.id, &Wishes { times, sent_at: NOW }, &entry(), &task()).await.unwrap();
        }
        assert_eq!(db.wishes(&ada.id).await.unwrap().unwrap().times, [4, 5, 6]);
        let kinds = async || db.open_tasks(&ada.id).await.unwrap().iter().map(|task| task.kind).collect::<Vec<_>>();
        assert_eq!(kinds().await, [TaskKind::InterviewWishes]);
        book(&db, &ada, &slots[0]).await.unwrap();
        assert_eq!((db.wishes(&ada.id).await.unwrap().is_none(), kinds().await), (true, vec![TaskKind::Interview]));
    }
}
