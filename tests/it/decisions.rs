//! Decisions, offers and deferrals as stories, with a manual clock.

use std::collections::BTreeMap;

use matricula::app::accounts::sessions::SignedIn;
use matricula::app::applications::acts::Preconditions;
use matricula::app::decisions::command_line::Order;
use matricula::app::decisions::deferrals::DeferralRequest;
use matricula::app::decisions::drafting::StaffReason;
use matricula::app::decisions::offers::OfferReply;
use matricula::app::{Error, Refusal};
use matricula::domain::application::{Application, ApplicationKey};
use matricula::domain::decision::{Decision, Draft, DraftSeen, Reasons};
use matricula::domain::input::Input;
use matricula::domain::intake::Intake;
use matricula::domain::moments::{DAY, HOUR, MINUTE, Millis};
use matricula::domain::role::Role;
use matricula::domain::staff::Staff;
use matricula::domain::status::Stage;
use matricula::jobs::JobWorker;
use serde_json::json;
use tokio_util::sync::CancellationToken;

use crate::support::databases::{Database, story};
use crate::support::server::{Client, PASSWORD, World, complete_answers};

pub fn text(text: &str) -> Input {
    Input::Text(text.into())
}

pub fn input(fields: &[(&str, Input)]) -> Input {
    Input::Map(fields.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect())
}

fn list(texts: &[&str]) -> Input {
    Input::List(texts.iter().map(|each| text(each)).collect())
}

/// A draft to accept an applicant who was not interviewed.
pub fn acceptance(conditions: &[&str]) -> Draft {
    let fields = [
        ("outcome", text("accept")),
        ("letter", text("offer")),
        ("withoutDocuments", text("Seen on paper")),
        ("conditions", list(conditions)),
        ("waiver", text("Known to us")),
    ];
    Draft::parse(&input(&fields), &Reasons::default()).unwrap()
}

/// A draft to reject, with one reason that is shown and one that is not.
pub fn rejection() -> Draft {
    let fields = [
        ("outcome", text("reject")),
        ("letter", text("apply_again")),
        ("withoutDocuments", text("Seen on paper")),
        ("reasons", list(&["experience", "places"])),
        ("shownReasons", list(&["places"])),
    ];
    Draft::parse(&input(&fields), &Reasons::default()).unwrap()
}

/// An applicant who has just submitted.
pub async fn submitted(world: &World) -> Client {
    let client = world.register().await;
    let saved = client.post("/api/users/application").json(&complete_answers()).send().await;
    assert_eq!(saved.status, 200, "{saved:?}");
    let submit = client.post("/api/users/application/submit").json(&json!({ "declaration": true }));
    let submitted = submit.send().await;
    assert_eq!(submitted.status, 200, "{submitted:?}");
    client
}

pub async fn staff(world: &World, role: Role) -> Staff {
    world.app.create_staff(&format!("{}@example.org", role.as_str()), PASSWORD, role).await.unwrap()
}

/// The signed-in applicant, and the application as they see it.
pub async fn seen(world: &World, client: &Client) -> (SignedIn, Option<Application>) {
    world.app.visit(client.cookie.as_deref().unwrap()).await.unwrap().expect("an open session")
}

async fn id(world: &World, client: &Client) -> String {
    seen(world, client).await.1.unwrap().id
}

/// Drafts and releases in the name of the same member of staff.
pub async fn decide(world: &World, client: &Client, decider: &Staff, draft: Draft) -> Decision {
    let id = id(world, client).await;
    let decision = world.app.draft_decision(decider, ApplicationKey::Id(&id), draft, DraftSeen::Any).await.unwrap();
    world.app.release_decision(decider, &decision.id, Preconditions::default()).await.unwrap();
    decision
}

/// Advances the clock and runs every job that is due.
pub async fn advance(world: &World, by: Millis) {
    world.clock.advance(by);
    JobWorker { app: world.app.clone(), store: world.store.clone() }.work(&CancellationToken::new()).await.unwrap();
}

async fn mails(database: &Database) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for template in database.texts("SELECT template FROM outbox").await {
        *counts.entry(template).or_default() += 1;
    }
    counts
}

async fn tasks(database: &Database) -> Vec<String> {
    database.texts("SELECT kind FROM staff_tasks WHERE kind <> 'alert' ORDER BY kind").await
}

/// Asserts that reading an applicant's mails does not reveal the decision.
async fn assert_no_mail_tells(database: &Database) {
    for mail in database.texts("SELECT subject || body_text || body_html FROM outbox").await {
        for word in ["accept", "offer", "declin", "reject", "congrat", "place"] {
            assert!(!mail.to_lowercase().contains(word), "{word}: {mail}");
        }
    }
}

fn reply(reply: &str) -> OfferReply {
    OfferReply::parse(&input(&[("reply", text(reply))])).unwrap()
}

fn reason() -> StaffReason {
    StaffReason::parse(Some(&text("It was meant for somebody else"))).unwrap()
}

fn keyed(key: &str) -> Preconditions {
    Preconditions { expected: None, key: Preconditions::key(key) }
}

#[track_caller]
fn refused<T: std::fmt::Debug>(result: Result<T, Error>) -> (&'static str, String) {
    match result {
        Err(Error::NotAllowed(refused)) => (refused.code(), refused.sentence().to_string()),
        Err(Error::Refused(refusal)) => (refusal.code(), refusal.sentence().to_string()),
        other => panic!("{other:?}"),
    }
}

story! {
    async fn a_decision_is_not_told_until_it_can_no_longer_be_recalled(database: Database) {
        let world = World::start(database.db()).await;
        let mut client = submitted(&world).await;
        let decider = staff(&world, Role::Decider).await;
        let decision = decide(&world, &client, &decider, acceptance(&["A diploma by June"])).await;
        assert!(decision.letter.contains("Dear Demo Sample,") && decision.letter.contains("• A diploma by June"));
        assert!(decision.letter.contains("August\u{a0}2026"), "{}", decision.letter);

        let path = "/api/users/application";
        let look = async |client: &Client| {
            let body = client.get(path).send().await.json();
            (body["status"].as_str().unwrap().to_owned(), body["stage"].as_str().unwrap().to_owned())
        };
        for minutes in [0, 14] {
            advance(&world, minutes * MINUTE).await;
            client = client.log_in().await;
            assert_eq!(look(&client).await, ("incomplete".into(), "submitted".into()));
            let (who, application) = seen(&world, &client).await;
            assert!(matches!(world.app.decision_for(application.as_ref().unwrap()).await, Err(Error::Refused(Refusal::NoDecision))));
            let early = world.app.reply_to_offer(&who, application, reply("accept"), Preconditions::default()).await;
            assert_eq!(refused(early).1, "A submitted application cannot have an offer accepted.");
            // Acts that were possible before the decision are refused without revealing it.
            let back = client.post("/api/users/application/unsubmit").send().await;
            back.assert_problem(409, "status.transition");
            assert_eq!(back.json()["error"], "A submitted application cannot be taken back for editing.");
            let stale = client.post("/api/users/application/withdraw").header("if-match", "\"1\"").json(&json!({ "reason": "No" }));
            assert_eq!(stale.send().await.json()["current"]["stage"], "submitted");
            assert!(!mails(&database).await.contains_key("status-update"));
        }
        advance(&world, MINUTE).await;
        client = client.log_in().await;
        assert_eq!(look(&client).await, ("accepted".into(), "offered".into()));
        advance(&world, HOUR).await;
        assert_eq!(mails(&database).await["status-update"], 1);
        assert_no_mail_tells(&database).await;
        let (_, application) = seen(&world, &client).await;
        let decided = world.app.decision_for(&application.unwrap()).await.unwrap();
        assert_eq!(decided.decision.letter, decision.letter);
        assert_eq!(decided.offer.unwrap().last_day("America/Chicago").to_string(), "2026-06-03");
    }

    async fn a_decision_is_recalled_in_silence_and_reversed_aloud(database: Database) {
        let world = World::start(database.db()).await;
        let client = submitted(&world).await;
        let decider = staff(&world, Role::Decider).await;
        let id = id(&world, &client).await;
        let key = ApplicationKey::Id(&id);
        decide(&world, &client, &decider, rejection()).await;
        let early = world.app.reverse_decision(&decider, key, reason(), Preconditions::default()).await;
        assert_eq!(refused(early).0, "decision.held");
        world.clock.advance(14 * MINUTE);
        let recalled = world.app.recall_decision(&decider, key, Preconditions::default()).await.unwrap();
        assert_eq!(recalled.stage, Stage::Submitted);
        advance(&world, DAY).await;
        assert!(!mails(&database).await.contains_key("status-update"));
        assert_eq!(database.texts("SELECT state FROM decisions").await, ["recalled"]);

        decide(&world, &client, &decider, rejection()).await;
        advance(&world, 15 * MINUTE).await;
        let late = world.app.recall_decision(&decider, key, Preconditions::default()).await;
        assert_eq!(refused(late).0, "decision.sent");
        assert_eq!(client.log_in().await.get("/api/users/application").send().await.json()["status"], "rejected");
        let reversed = world.app.reverse_decision(&decider, key, reason(), Preconditions::default()).await.unwrap();
        assert_eq!(reversed.stage, Stage::Submitted);
        assert_eq!(mails(&database).await["status-update"], 2);
        let kept = database.texts("SELECT reason FROM stage_changes WHERE act = 'reverse'").await;
        assert_eq!(kept, ["It was meant for somebody else"]);
        let audited = database.texts("SELECT detail FROM audit WHERE action = 'decision.reversed'").await;
        assert!(!audited[0].contains("somebody"), "{audited:?}");
        // The next decision is independent of the first.
        decide(&world, &client, &decider, acceptance(&[])).await;
        assert_eq!(database.texts("SELECT state FROM decisions ORDER BY drafted_at").await, ["recalled", "reversed", "released"]);
    }

    async fn a_draft_is_made_by_deciders_and_released_as_it_was_seen(database: Database) {
        let world = World::start(database.db()).await;
        let client = submitted(&world).await;
        let (reviewer, decider) = (staff(&world, Role::Reviewer).await, staff(&world, Role::Decider).await);
        let id = id(&world, &client).await;
        let key = ApplicationKey::Id(&id);
        let forbidden = world.app.draft_decision(&reviewer, key, rejection(), DraftSeen::Any).await;
        assert_eq!(refused(forbidden).0, "role.forbidden");
        let draft = world.app.draft_decision(&decider, key, rejection(), DraftSeen::Any).await.unwrap();
        assert!(draft.letter.contains("• There were more good applications than places."), "{}", draft.letter);
        assert!(!draft.letter.contains("experience"), "{}", draft.letter);
        let newer = world.app.draft_decision(&decider, key, acceptance(&[]), DraftSeen::Any).await.unwrap();
        let replaced = world.app.release_decision(&decider, &draft.id, Preconditions::default()).await;
        assert_eq!(refused(replaced).0, "decision.none");
        let forbidden = world.app.release_decision(&reviewer, &newer.id, Preconditions::default()).await;
        assert_eq!(refused(forbidden).0, "role.forbidden");

        // Without an interview, accepting needs a reason for the exception.
        let unwaived = Draft { waiver: None, ..acceptance(&[]) };
        let unwaived = world.app.draft_decision(&decider, key, unwaived, DraftSeen::Any).await.unwrap();
        let refusal = world.app.release_decision(&decider, &unwaived.id, Preconditions::default()).await;
        assert_eq!(refused(refusal).0, "interview.not_held");
        database.run("UPDATE applications SET stage = 'held', status = 'scheduled'").await.unwrap();
        let released = world.app.release_decision(&decider, &unwaived.id, keyed("one")).await.unwrap();
        let again = world.app.release_decision(&decider, &unwaived.id, keyed("one")).await.unwrap();
        assert_eq!((released.stage, released.revision, again.revision), (Stage::Offered, 4, 4));
        let decided = world.app.draft_decision(&decider, key, rejection(), DraftSeen::Any).await;
        assert_eq!(refused(decided).0, "status.transition");
        let states = database.texts("SELECT state FROM decisions ORDER BY drafted_at, id").await;
        assert_eq!(states, ["replaced", "replaced", "released"]);
    }

    async fn of_two_who_release_at_once_one_does(database: Database) {
        let world = World::start(database.db()).await;
        let client = submitted(&world).await;
        let decider = staff(&world, Role::Decider).await;
        let id = id(&world, &client).await;
        let draft = world.app.draft_decision(&decider, ApplicationKey::Id(&id), acceptance(&[]), DraftSeen::Any).await.unwrap();
        let release = |_| world.app.release_decision(&decider, &draft.id, Preconditions::default());
        let released = futures::future::join_all((0..6).map(release)).await;
        assert_eq!(released.iter().filter(|result| result.is_ok()).count(), 1, "{released:?}");
        assert_eq!((database.count("offers").await, database.count("stage_changes").await), (1, 2));
    }

    async fn an_offer_is_chased_lapses_and_is_opened_again(database: Database) {
        let world = World::start(database.db()).await;
        let client = submitted(&world).await;
        let decider = staff(&world, Role::Decider).await;
        let id = id(&world, &client).await;
        decide(&world, &client, &decider, acceptance(&[])).await;
        let mut reminders = Vec::new();
        for _ in 0..30 {
            advance(&world, DAY).await;
            reminders.push(mails(&database).await.get("offer-reminder").copied().unwrap_or_default());
        }
        let expected: Vec<usize> = (1..=30).map(|day| day / 7).collect();
        assert_eq!(reminders, expected);
        let told = database.texts("SELECT body_text FROM outbox WHERE template = 'offer-reminder' LIMIT 1").await;
        assert!(told[0].contains("until the end of Wednesday, June 3, 2026"), "{told:?}");
        // It was released at seven in the morning: the last day runs until midnight.
        let stage = async || database.texts("SELECT stage FROM applications").await.remove(0);
        assert_eq!(stage().await, "offered");
        advance(&world, 17 * HOUR).await;
        assert_eq!((stage().await.as_str(), mails(&database).await["offer-lapsed"]), ("lapsed", 1));
        let client = client.log_in().await;
        let (who, application) = seen(&world, &client).await;
        let late = world.app.reply_to_offer(&who, application, reply("accept"), Preconditions::default()).await;
        assert_eq!(refused(late).0, "status.transition");

        world.app.reopen_offer(&decider, ApplicationKey::Id(&id), Preconditions::default()).await.unwrap();
        advance(&world, 8 * DAY).await;
        assert_eq!((mails(&database).await["offer-reopened"], mails(&database).await["offer-reminder"]), (1, 5));
        let client = client.log_in().await;
        let (who, application) = seen(&world, &client).await;
        world.app.reply_to_offer(&who, application, reply("accept"), Preconditions::default()).await.unwrap();
        advance(&world, 40 * DAY).await;
        assert_eq!((stage().await.as_str(), mails(&database).await["offer-reminder"]), ("confirmed", 5));
        assert_no_mail_tells(&database).await;
    }

    async fn who_wants_no_reminders_gets_none_of_a_reply_or_of_a_later_start(database: Database) {
        let world = World::start(database.db()).await;
        let client = submitted(&world).await;
        let chosen = client.call("PATCH", "/api/users/profile").json(&json!({ "reminders": false })).send().await;
        assert_eq!(chosen.status, 200, "{chosen:?}");
        decide(&world, &client, &staff(&world, Role::Decider).await, acceptance(&[])).await;
        advance(&world, 29 * DAY).await;
        let reviewer = staff(&world, Role::Reviewer).await;
        let (id, intake) = (id(&world, &client).await, Intake::parse("2027-01").unwrap());
        let key = ApplicationKey::Id(&id);
        world.app.defer_application(&reviewer, key, intake, Preconditions::default()).await.unwrap();
        advance(&world, 200 * DAY).await;
        let sent = mails(&database).await;
        assert_eq!((sent.get("offer-reminder"), sent.get("intake-reminder")), (None, None), "{sent:?}");
        assert_eq!(sent.get("deferred"), Some(&1), "what has to be known is told");
    }

    async fn an_offer_is_taken_once(database: Database) {
        let world = World::start(database.db()).await;
        let client = submitted(&world).await;
        let decider = staff(&world, Role::Decider).await;
        decide(&world, &client, &decider, acceptance(&[])).await;
        world.clock.advance(15 * MINUTE);
        let client = client.log_in().await;
        let (who, application) = seen(&world, &client).await;
        let accept = |key: &str| world.app.reply_to_offer(&who, application.clone(), reply("accept"), keyed(key));
        let (first, second) = (accept("one").await.unwrap(), accept("one").await.unwrap());
        assert_eq!((first.stage, second.revision), (Stage::Confirmed, first.revision));
        assert_eq!(refused(accept("two").await).0, "status.transition");
        assert_eq!(tasks(&database).await, ["contract", "funding"]);
        assert_eq!(mails(&database).await["offer-accepted"], 1);
        assert_eq!(database.texts("SELECT reply FROM offers").await, ["accept"]);
        let other = world.register().await;
        let (stranger, none) = seen(&world, &other).await;
        let nothing = world.app.reply_to_offer(&stranger, none, reply("accept"), Preconditions::default()).await;
        assert_eq!(refused(nothing).0, "application.none");
    }

    async fn a_decline_is_undone_for_a_quarter_of_an_hour(database: Database) {
        let world = World::start(database.db()).await;
        let client = submitted(&world).await;
        let decider = staff(&world, Role::Decider).await;
        decide(&world, &client, &decider, acceptance(&[])).await;
        world.clock.advance(15 * MINUTE);
        let client = client.log_in().await;
        let decline = async || {
            let (who, application) = seen(&world, &client).await;
            let declined = world.app.reply_to_offer(&who, application, reply("decline"), Preconditions::default()).await;
            assert_eq!(declined.unwrap().stage, Stage::Archived);
            who
        };
        let who = decline().await;
        assert_eq!(database.texts("SELECT reply FROM offers").await, ["decline"]);
        let undone = world.app.undo_decline(&who, Preconditions::default()).await.unwrap();
        assert_eq!(undone.stage, Stage::Offered);
        assert_eq!(database.texts("SELECT COALESCE(reply, 'none') FROM offers").await, ["none"]);
        decline().await;
        world.clock.advance(15 * MINUTE);
        let client = client.log_in().await;
        let (who, none) = seen(&world, &client).await;
        assert!(none.is_none());
        assert_eq!(refused(world.app.undo_decline(&who, Preconditions::default()).await).0, "undo.too_late");
        assert_eq!(refused(world.app.undo_withdrawal(&who, Preconditions::default()).await).0, "undo.not_withdrawn");
        assert_eq!(mails(&database).await["offer-declined"], 2);
        assert_no_mail_tells(&database).await;
        let past = world.app.standing(&who, None).await.unwrap().past;
        assert_eq!((past.len(), past[0].act.as_str()), (1, "decline"));
    }

    async fn an_offer_declined_at_the_end_of_its_time_lapses_when_it_comes_back(database: Database) {
        let world = World::start(database.db()).await;
        let client = submitted(&world).await;
        let decider = staff(&world, Role::Decider).await;
        decide(&world, &client, &decider, acceptance(&[])).await;
        advance(&world, 30 * DAY + 17 * HOUR - 5 * MINUTE).await;
        let client = client.log_in().await;
        let (who, application) = seen(&world, &client).await;
        world.app.reply_to_offer(&who, application, reply("decline"), Preconditions::default()).await.unwrap();
        advance(&world, 10 * MINUTE).await;
        world.app.undo_decline(&who, Preconditions::default()).await.unwrap();
        advance(&world, MINUTE).await;
        assert_eq!(database.texts("SELECT stage FROM applications").await, ["lapsed"]);
    }

    async fn a_start_is_put_off_by_staff_and_goes_on(database: Database) {
        let world = World::start(database.db()).await;
        let client = submitted(&world).await;
        let (reviewer, decider) = (staff(&world, Role::Reviewer).await, staff(&world, Role::Decider).await);
        let id = id(&world, &client).await;
        let key = ApplicationKey::Id(&id);
        let wish = |intake: &str| DeferralRequest::parse(&input(&[("intake", text(intake)), ("reason", text("Deployment"))])).unwrap();
        let (who, application) = seen(&world, &client).await;
        let early = world.app.ask_deferral(&who, application, wish("2027-01")).await;
        assert_eq!(refused(early).1, "A submitted application cannot become deferred.");
        decide(&world, &client, &decider, acceptance(&[])).await;
        advance(&world, 15 * MINUTE).await;
        let client = client.log_in().await;
        let (who, application) = seen(&world, &client).await;
        for intake in ["2026-08", "2028-08"] {
            let out = world.app.ask_deferral(&who, application.clone(), wish(intake)).await;
            assert!(matches!(out, Err(Error::Invalid(errors)) if errors[0].code == "intake.range"), "{intake}");
        }
        world.app.ask_deferral(&who, application.clone(), wish("2027-01")).await.unwrap();
        world.app.ask_deferral(&who, application.clone(), wish("2027-08")).await.unwrap();
        let asked = world.app.standing(&who, application.as_ref()).await.unwrap().deferral.unwrap();
        assert_eq!((asked.intake.code().as_str(), asked.granted, asked.reason.as_deref()), ("2027-08", false, Some("Deployment")));
        assert_eq!(tasks(&database).await, ["deferral", "deferral"]);

        let intake = Intake::parse("2027-01").unwrap();
        let far = world.app.defer_application(&reviewer, key, Intake::parse("2028-08").unwrap(), Preconditions::default()).await;
        assert_eq!(refused(far).0, "intake.range");
        let deferred = world.app.defer_application(&reviewer, key, intake, Preconditions::default()).await.unwrap();
        assert_eq!(deferred.stage, Stage::Deferred);
        let (who, application) = seen(&world, &client).await;
        let granted = world.app.standing(&who, application.as_ref()).await.unwrap().deferral.unwrap();
        assert_eq!((granted.intake, granted.granted), (intake, true));
        // Long after the offer would have lapsed: 60 and 30 days before January 11.
        advance(&world, 190 * DAY).await;
        assert_eq!(mails(&database).await.get("intake-reminder"), None);
        advance(&world, 3 * DAY).await;
        assert_eq!(mails(&database).await["intake-reminder"], 1);
        let unchecked = world.app.resume_application(&reviewer, key, false, Preconditions::default()).await;
        assert_eq!(refused(unchecked).0, "conditions.unchecked");
        let resumed = world.app.resume_application(&reviewer, key, true, Preconditions::default()).await.unwrap();
        assert_eq!(resumed.stage, Stage::Offered);
        advance(&world, 29 * DAY).await;
        assert_eq!(mails(&database).await["intake-reminder"], 1, "no longer waited for");
        let client = client.log_in().await;
        let (who, application) = seen(&world, &client).await;
        world.app.reply_to_offer(&who, application, reply("accept"), Preconditions::default()).await.unwrap();
        assert_eq!(database.texts("SELECT state FROM deferrals ORDER BY created_at, id").await, ["answered", "answered", "ended"]);
        assert_no_mail_tells(&database).await;
    }

    async fn a_wish_to_start_later_is_refused_with_a_reason_that_only_the_dashboard_tells(database: Database) {
        let world = World::start(database.db()).await;
        let client = submitted(&world).await;
        let (reviewer, decider) = (staff(&world, Role::Reviewer).await, staff(&world, Role::Decider).await);
        let viewer = staff(&world, Role::Viewer).await;
        let id = id(&world, &client).await;
        let key = ApplicationKey::Id(&id);
        let no = || StaffReason::parse(Some(&text("That intake is\nfull."))).unwrap();
        decide(&world, &client, &decider, acceptance(&[])).await;
        advance(&world, 15 * MINUTE).await;
        assert_eq!(refused(world.app.refuse_deferral(&reviewer, key, no()).await).0, "deferral.none");

        let (who, application) = seen(&world, &client).await;
        let wish = |intake: &str| DeferralRequest::parse(&input(&[("intake", text(intake))])).unwrap();
        world.app.ask_deferral(&who, application.clone(), wish("2027-01")).await.unwrap();
        assert_eq!(refused(world.app.refuse_deferral(&viewer, key, no()).await).0, "role.forbidden");
        let reference = application.as_ref().unwrap().reference.clone().unwrap();
        world.app.order("reviewer@example.org", &reference, Order::RefuseDeferral(no())).await.unwrap();
        assert_eq!(refused(world.app.refuse_deferral(&reviewer, key, no()).await).0, "deferral.none", "once");

        let standing = world.app.standing(&who, application.as_ref()).await.unwrap();
        assert!(standing.deferral.is_none());
        let told = standing.refused_deferral.unwrap();
        assert_eq!((told.intake.code().as_str(), told.refusal.as_str()), ("2027-01", "That intake is\nfull."));
        let open = database.texts("SELECT kind FROM staff_tasks WHERE kind = 'deferral' AND done_at IS NULL").await;
        assert!(open.is_empty(), "it is answered");
        let mail = database.texts("SELECT body_text FROM outbox WHERE template = 'deferral-refused'").await;
        assert!(mail.len() == 1 && !mail[0].contains("full"), "{mail:?}");
        assert_no_mail_tells(&database).await;
        let page = client.get("/dashboard").with_cookie(&client).send().await;
        assert!(page.text.contains("That intake is\nfull.") && page.text.contains("Ask to start later"), "{page:?}");

        // A new request replaces it.
        world.app.ask_deferral(&who, application.clone(), wish("2027-08")).await.unwrap();
        let standing = world.app.standing(&who, application.as_ref()).await.unwrap();
        assert!(standing.refused_deferral.is_none() && !standing.deferral.unwrap().granted);
    }

    async fn who_waits_too_long_is_told_and_staff_too(database: Database) {
        let world = World::start(database.db()).await;
        submitted(&world).await;
        database.run("UPDATE applications SET stage = 'held', status = 'scheduled'").await.unwrap();
        // A Monday: the tenth working day is a Monday, and so is the twentieth.
        advance(&world, 14 * DAY).await;
        assert_eq!(mails(&database).await.get("application-delayed"), None);
        advance(&world, 17 * HOUR).await;
        assert_eq!((mails(&database).await["application-delayed"], tasks(&database).await), (1, vec!["slow".to_owned()]));
        advance(&world, 14 * DAY).await;
        assert_eq!((mails(&database).await["application-delayed"], tasks(&database).await.len()), (2, 2));
        advance(&world, 100 * DAY).await;
        assert_eq!(mails(&database).await["application-delayed"], 2);

        let quick = submitted(&world).await;
        let decider = staff(&world, Role::Decider).await;
        decide(&world, &quick, &decider, rejection()).await;
        advance(&world, 60 * DAY).await;
        assert_eq!((mails(&database).await["application-delayed"], tasks(&database).await.len()), (2, 2), "decided in time");

        // The applicant has not chosen a time; staff are to find out why.
        submitted(&world).await;
        advance(&world, 15 * DAY).await;
        assert_eq!((mails(&database).await["application-delayed"], tasks(&database).await.len()), (2, 3));
    }

    async fn a_withdrawal_during_the_hold_ends_it_and_its_undo_brings_the_hold_back(database: Database) {
        let world = World::start(database.db()).await;
        let client = submitted(&world).await;
        let decider = staff(&world, Role::Decider).await;
        decide(&world, &client, &decider, acceptance(&[])).await;
        let withdraw = client.post("/api/users/application/withdraw").json(&json!({ "reason": "I move" })).send().await;
        assert_eq!((withdraw.status, withdraw.json()["status"].as_str()), (200, Some("none")));
        advance(&world, 10 * MINUTE).await;
        let undone = client.post("/api/users/application/undo-withdraw").send().await;
        assert_eq!((undone.status, undone.json()["stage"].as_str()), (200, Some("submitted")), "{undone:?}");
        advance(&world, 5 * MINUTE).await;
        let client = client.log_in().await;
        assert_eq!(client.get("/api/users/application").send().await.json()["stage"], "offered");
    }

    async fn decisions_are_kept_as_they_were(database: Database) {
        let world = World::start(database.db()).await;
        let client = submitted(&world).await;
        let decider = staff(&world, Role::Owner).await;
        let id = id(&world, &client).await;
        let first = world.app.draft_decision(&decider, ApplicationKey::Id(&id), rejection(), DraftSeen::Any).await.unwrap();
        world.clock.advance(MINUTE);
        let second = world.app.draft_decision(&decider, ApplicationKey::Id(&id), acceptance(&["One", "Two\nlines"]), DraftSeen::Any).await.unwrap();
        let db = database.db();
        let kept = db.decisions(&id).await.unwrap();
        assert_eq!(kept.iter().map(|decision| &decision.id).collect::<Vec<_>>(), [&second.id, &first.id]);
        for (kept, drafted) in kept.iter().zip([&second, &first]) {
            assert_eq!((&kept.ruling, kept.intake, &kept.waiver, &kept.letter), (&drafted.ruling, drafted.intake, &drafted.waiver, &drafted.letter));
        }
        assert!(db.decision("nobody’s").await.unwrap().is_none() && db.decided(&id).await.unwrap().is_none());
        let milestones = db.milestones(client.user["id"].as_str().unwrap(), &id).await.unwrap();
        assert!(milestones.submitted.is_some() && milestones.held.is_none() && milestones.past_applications == 0);
    }
}
