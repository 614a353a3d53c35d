//! The referees of an application: naming them, asking and reminding them, and what the applicant may read.

use axum::http::StatusCode;
use axum::response::Response;

use super::documents::{before_offer, bytes};
use super::page::{FormState, Screen};
use super::props::documents::ReceivedSoFar;
use super::props::references::{
    AskedReferences, LetterFile, RefereeEntry, ReferenceAnswer, ReferenceText, ReferencesProps,
};
use super::{Form, Visit, application, moment, problem, respond};
use app::references::{Asked, Reference, ReferencesSummary, ReferencesView};
use app::{Error, Refusal};
use domain::input::Input;
use domain::moments::DAY;
use domain::questionnaire::{LetterRule, References};
use domain::referee::{REMINDER_DAYS, Referee, RefereeState, ReferenceLetter, takes_references};
use domain::sentence::Sentence;
use domain::status::Stage;
use domain::text;

pub const PATH: &str = "/dashboard/references";
const LOGIN: &str = "/bachelor/apply?dialog=login&redirect=%2Fdashboard%2Freferences";

/// The fields of a referee to be named.
const FIELDS: [&str; 6] = ["name", "email", "relationship", "organization", "language", "waived"];

pub async fn show(visit: &Visit) -> Response {
    let message = match visit.query("done").as_deref() {
        Some("named") => Some(text!("Your referee is on the list.")),
        Some("asked") => Some(text!("We have written to your referee.")),
        Some("reminded") => Some(text!("We have reminded your referee.")),
        Some("removed") => Some(text!("Your referee was removed.")),
        _ => None,
    };
    respond(visit, FormState { message, ..FormState::default() }, StatusCode::OK).await
}

/// Downloads a letter that the applicant may read.
pub async fn letter(visit: &Visit) -> Response {
    let id = visit.path.strip_prefix(PATH).and_then(|rest| rest.strip_prefix('/')?.strip_suffix("/letter"));
    let app = &visit.state.app;
    let loaded = async {
        let known = visit.visitor.application.as_ref();
        let letter = app.applicant_letter(known, id.unwrap_or_default()).await?;
        wire::download_letter(app, &visit.parts.headers, &letter, wire::Shown::Saved).await
    };
    match loaded.await {
        Ok(response) => response,
        Err(Error::Refused(Refusal::RefereeNotFound | Refusal::NoApplication)) => {
            problem::page(visit, problem::NOT_FOUND).await
        }
        Err(error) => problem::unavailable(visit, &error).await,
    }
}

pub async fn submit(visit: &Visit, form: &Form) -> Response {
    let Some(who) = &visit.visitor.signed_in else { return respond::see_other(LOGIN) };
    let (app, known) = (&visit.state.app, visit.visitor.application.as_ref());
    let action = form.get("_action");
    let done = match action.split_once(':') {
        None if action == "name" => {
            let named = app.name_referee(who, known, &Input::Map(form.input(&FIELDS))).await;
            named.map(|referee| if referee.state == RefereeState::Asked { "asked" } else { "named" })
        }
        Some(("ask", id)) => app.ask_referee(who, known, id).await.map(|asked| match asked {
            Asked::Asked => "asked",
            Asked::Reminded => "reminded",
        }),
        Some(("remove", id)) => match app.remove_referee(who, known, id).await {
            // Removed in another tab: what was wanted is done.
            Ok(()) | Err(Error::Refused(Refusal::RefereeNotFound)) => Ok("removed"),
            Err(error) => Err(error),
        },
        _ => return problem::page(visit, problem::BAD_REQUEST).await,
    };
    match done {
        Ok(done) => respond::see_other(&format!("{PATH}?done={done}")),
        // The page says why.
        Err(Error::Refused(Refusal::NoApplication | Refusal::NoReferences)) => respond::see_other(PATH),
        Err(error) => respond(visit, form.refused(&error), problem::status(&error)).await,
    }
}

async fn respond(visit: &Visit, form: FormState, status: StatusCode) -> Response {
    let Some(who) = &visit.visitor.signed_in else { return respond::redirect(visit, LOGIN) };
    let (app, known) = (&visit.state.app, visit.visitor.application.as_ref());
    // What a reference says includes the words of its questions.
    let (asked, start_href) = match wire::in_language(visit.language(), app.references(who, known)).await {
        Ok(found) => (found.map(|view| asked(visit, &view)), None),
        Err(Error::Refused(Refusal::NoApplication)) => (None, Some(format!("/{}/apply", visit.program.path()))),
        Err(error) => return problem::unavailable(visit, &error).await,
    };
    let props = ReferencesProps { asked, start_href, load_failed: visit.visitor.load_failed, form };
    let head = visit.private_head(text!("References"));
    respond::page(visit, visit.page(Screen::References(Box::new(props)), status, head)).await
}

fn asked(visit: &Visit, view: &ReferencesView) -> AskedReferences {
    let stage = visit.visitor.stage();
    let summary = view.summary();
    let own = visit.visitor.application.as_ref().filter(|_| stage.is_editable());
    AskedReferences {
        count_text: count_text(&view.rules),
        what_text: (view.rules.most > 0).then(|| what_text(&view.rules)),
        referees: view.references.iter().map(|reference| entry(visit, view, reference)).collect(),
        can_name: view.open && view.room() > 0,
        is_enough: lacking(&summary) == 0 && there(&summary) > 0,
        waits_for_email: view.open && !view.email_confirmed,
        application_href: own.map(|application| application::path(application.program)),
        progress: view.open.then(|| progress(&summary, stage)),
    }
}

fn count_text(rules: &References) -> Sentence {
    let References { needed, most, .. } = *rules;
    match (needed, most) {
        (_, ..=0) => text!("Your program asks for no more references."),
        (0, 1) => text!(
            "You can name a person who knows you from work or study. A reference helps, but we can decide without it."
        ),
        (0, _) => text!(
            "You can name up to {most} people who know you from work or study. Their references help, but we can \
             decide without them.",
            most
        ),
        (1, 1) => text!("We need a reference from a person who knows you from work or study."),
        (1, _) => text!(
            "We need a reference from a person who knows you from work or study. You can name up to {most} people.",
            most
        ),
        _ if needed == most => {
            text!("We need references from {needed} people who know you from work or study.", needed)
        }
        _ => text!(
            "We need references from {needed} people who know you from work or study. You can name up to {most}.",
            needed,
            most
        ),
    }
}

fn what_text(rules: &References) -> Sentence {
    match (rules.questions.is_empty(), rules.letter) {
        (true, _) => text!("We send each of them a link. They upload a letter, without an account."),
        (false, LetterRule::None) => {
            text!("We send each of them a link. They answer a few questions, without an account.")
        }
        (false, LetterRule::Optional) => {
            text!("We send each of them a link. They answer a few questions and can add a letter, without an account.")
        }
        (false, LetterRule::Required) => {
            text!("We send each of them a link. They answer a few questions and upload a letter, without an account.")
        }
    }
}

/// Returns how many references have come or can still come.
fn there(summary: &ReferencesSummary) -> i64 {
    summary.named + summary.asked + summary.received
}

/// Returns how many referees are still to be named.
fn lacking(summary: &ReferencesSummary) -> i64 {
    (summary.needed - there(summary)).max(0)
}

/// Returns the progress of the references, while an application can use them. If it cannot be looked up, only a link is
/// missing.
pub async fn so_far(visit: &Visit) -> Option<ReceivedSoFar> {
    let stage = visit.visitor.stage();
    let application = visit.visitor.application.as_ref().filter(|_| takes_references(stage))?;
    let summary = visit.state.app.references_summary(application).await.unwrap_or_else(|error| {
        super::form::log(&error);
        None
    })?;
    Some(progress(&summary, stage))
}

/// Describes the progress: “1 of 2 references received”, and what that means.
fn progress(summary: &ReferencesSummary, stage: Stage) -> ReceivedSoFar {
    let ReferencesSummary { needed, named, received, .. } = *summary;
    let of = there(summary).max(needed);
    let number = |count: i64| usize::try_from(count).unwrap_or_default();
    let text = match of {
        1 => text!("{received} of 1 reference received", received),
        _ => text!("{received} of {of} references received", received, of),
    };
    let hint = match (lacking(summary), needed - received) {
        (1, _) if needed == 1 => text!("Please name a person. People need time to write."),
        (1, _) => text!("Please name one more person. People need time to write."),
        (count @ 2.., _) if count == needed => {
            text!("Please name {count} people. People need time to write.", count)
        }
        (count @ 2.., _) => text!("Please name {count} more people. People need time to write.", count),
        _ if of == 0 => text!("You can name people who know you from work or study."),
        _ if received == of => text!("We have all the references of the people you named."),
        _ if stage.is_decided() => text!("We have made our decision. References can still come."),
        _ if named > 0 && stage == Stage::Draft => {
            text!("When you submit your application, we write to those who have not been asked yet.")
        }
        _ if named > 0 => text!("We write to those who have not been asked yet as soon as your email is confirmed."),
        (_, missing) if stage == Stage::Waitlisted => before_offer(number(missing)),
        (_, ..=0) => text!("We have what we need to decide. The others can come later."),
        (_, 1) => text!("We have written to them, and we remind them. We cannot decide until we have 1 more."),
        (_, count) => {
            text!("We have written to them, and we remind them. We cannot decide until we have {count} more.", count)
        }
    };
    ReceivedSoFar { settled: number(received), of: number(of), text, hint }
}

fn entry(visit: &Visit, view: &ReferencesView, reference: &Reference) -> RefereeEntry {
    let referee = &reference.referee;
    let zone = visit.visitor.time_zone(&visit.state.app);
    let day = |at| moment::day(at, zone);
    let can_ask = view.open
        && match referee.state {
            RefereeState::Named => view.email_confirmed,
            _ => referee.remind_from().is_some_and(|from| from <= visit.now()),
        };
    RefereeEntry {
        id: referee.id.clone(),
        name: referee.name.clone(),
        relationship: referee.relationship.clone(),
        organization: referee.organization.clone(),
        email: referee.email.clone(),
        state: referee.state,
        word: referee.state.words(),
        next: next(view, referee, can_ask, day),
        waived: referee.waived,
        asked_text: referee.asked_at.map(day),
        reminded_text: referee.reminded_at.map(day),
        finished_text: referee.finished_at.map(day),
        can_ask,
        can_remove: view.open && referee.state != RefereeState::Received,
        says: referee.is_open_to_applicant().then(|| text_of(reference)),
    }
}

/// Says what happens next.
fn next(view: &ReferencesView, referee: &Referee, can_ask: bool, day: impl Fn(i64) -> Sentence) -> Sentence {
    match referee.state {
        RefereeState::Received if referee.waived => {
            text!("The reference has arrived. You cannot read it: you waived that right.")
        }
        RefereeState::Received => text!("The reference has arrived."),
        RefereeState::Declined if view.open && view.room() > 0 => {
            text!("They cannot give you a reference. You can name another person.")
        }
        RefereeState::Declined => text!("They cannot give you a reference."),
        _ if !view.open => text!("This reference is no longer needed."),
        RefereeState::Named => match (view.submitted, view.email_confirmed) {
            (true, true) => text!("We write to them within the hour."),
            (true, false) => text!("We write to them once you have confirmed your email."),
            (false, true) => text!(
                "We write to them when you submit your application. Ask them now, and they have more time to write."
            ),
            (false, false) => {
                text!("We write to them when you have confirmed your email and submitted your application.")
            }
        },
        RefereeState::Asked | RefereeState::Removed => {
            let days = usize::try_from(referee.reminders).ok().and_then(|sent| REMINDER_DAYS.get(sent).copied());
            let reminder = referee.asked_at.zip(days).map(|(asked_at, days)| day(asked_at + days * DAY));
            let by_hand = referee.remind_from().filter(|_| !can_ask).map(&day);
            match (reminder, by_hand) {
                (Some(reminder), Some(from)) => text!(
                    "They have a link and can write at any time. We remind them on {reminder}; you can remind them \
                     from {from}.",
                    reminder,
                    from
                ),
                (Some(reminder), None) => {
                    text!("They have a link and can write at any time. We remind them on {reminder}.", reminder)
                }
                (None, Some(from)) => {
                    text!("They have a link and can write at any time. You can remind them from {from}.", from)
                }
                (None, None) => text!("They have a link and can write at any time."),
            }
        }
    }
}

fn text_of(reference: &Reference) -> ReferenceText {
    let answers = reference.answers.iter();
    ReferenceText {
        answers: answers
            .map(|fact| ReferenceAnswer { question: fact.name.to_string(), answer: fact.value.to_string() })
            .collect(),
        letter: reference.referee.letter.as_ref().map(letter_file),
        letter_href: format!("{PATH}/{}/letter", reference.referee.id),
    }
}

pub fn letter_file(letter: &ReferenceLetter) -> LetterFile {
    LetterFile { name: letter.name.as_str().to_owned(), size_text: bytes(letter.size) }
}
