//! The admissions dashboard: where the application stands and what to do next.

mod steps;

use axum::http::StatusCode;
use axum::response::Response;

use super::page::{FormState, Screen};
use super::props::dashboard::{
    ApplicationSummary, DashboardForm, DashboardProps, DecisionCard, DeferralCard, EnrolmentCard, IntakeChoice, Known,
    LinePlace, OfferCard, PastApplication, RefusedCard, Side, Unconfirmed, Undo,
};
use super::{Form, Visit, application, apply, documents, fee, moment, problem, references, respond, schedule};
use app::accounts::sessions::SignedIn;
use app::applications::acts::Preconditions;
use app::applications::progress::ApplicationProgress;
use app::applications::submission::Withdrawal;
use app::decisions::deferrals::{DeferralRequest, can_be_deferred};
use app::decisions::offers::OfferReply;
use app::money::funding::FundingView;
use app::{Error, Refusal};
use domain::application::{Application, EndedApplication};
use domain::decision::Decided;
use domain::input::Input;
use domain::intake::Intake;
use domain::moments;
use domain::moments::{MINUTE, Millis};
use domain::money::dollars;
use domain::sentence::Sentence;
use domain::status::{Act, Outcome, Stage, UNDO_MINUTES};
use domain::text;
use steps::Moments;

/// How long a withdrawal or decline can be undone.
const UNDO: Millis = UNDO_MINUTES * MINUTE;

pub async fn show(visit: &Visit) -> Response {
    respond(visit, None, StatusCode::OK).await
}

/// The forms of the dashboard. Each has its own name for a reason, so that one page can have them all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Action {
    UndoWithdraw,
    UndoDecline,
    AcceptOffer,
    DeclineOffer,
    AskDeferral,
    Withdraw,
    DeleteDraft,
    ApplyAgain,
    ResendConfirmation,
}

impl Action {
    fn parse(text: &str) -> Option<Action> {
        Some(match text {
            "undo-withdraw" => Action::UndoWithdraw,
            "undo-decline" => Action::UndoDecline,
            "accept-offer" => Action::AcceptOffer,
            "decline-offer" => Action::DeclineOffer,
            "ask-deferral" => Action::AskDeferral,
            "withdraw" => Action::Withdraw,
            "delete-draft" => Action::DeleteDraft,
            "apply-again" => Action::ApplyAgain,
            "resend-confirmation" => Action::ResendConfirmation,
            _ => return None,
        })
    }

    /// Returns the name of the form's field for the reason.
    fn reason(self) -> Option<&'static str> {
        match self {
            Action::DeclineOffer => Some("declineReason"),
            Action::AskDeferral => Some("deferralReason"),
            Action::Withdraw => Some("withdrawReason"),
            _ => None,
        }
    }
}

pub async fn submit(visit: &Visit, form: &Form) -> Response {
    let Some(who) = &visit.visitor.signed_in else {
        return respond::see_other("/bachelor/apply?dialog=login&redirect=%2Fdashboard");
    };
    let Some(action) = Action::parse(form.get("_action")) else {
        return problem::page(visit, problem::BAD_REQUEST).await;
    };
    match act(visit, who, action, form).await {
        Ok(()) if action == Action::ApplyAgain => respond::see_other(&format!("/{}/apply", visit.program.path())),
        Ok(()) if action == Action::DeleteDraft => respond::see_other("/dashboard?done=draft-deleted"),
        Ok(()) if action == Action::ResendConfirmation => respond::see_other("/dashboard?done=confirmation-sent"),
        Ok(()) | Err(Error::Refused(Refusal::NoApplication)) => respond::see_other("/dashboard"),
        Err(error) => {
            let status = problem::status(&error);
            let mut state = form.refused(&error);
            if let Some(name) = action.reason() {
                for (path, _) in state.errors.iter_mut().filter(|(path, _)| path == "reason") {
                    name.clone_into(path);
                }
            }
            respond(visit, Some((form.get("_action"), state)), status).await
        }
    }
}

/// Does what the form asks for.
async fn act(visit: &Visit, who: &SignedIn, action: Action, form: &Form) -> Result<(), Error> {
    let app = &visit.state.app;
    let conditions =
        Preconditions { expected: form.get("revision").parse().ok(), key: Preconditions::key(form.get("key")) };
    let known = visit.visitor.application.clone();
    let given = |name: &str| Input::Text(form.get(name).to_owned());
    let mut fields: Vec<(String, Input)> =
        action.reason().map(|name| ("reason".to_owned(), given(name))).into_iter().collect();
    match action {
        Action::UndoWithdraw => app.undo_withdrawal(who, conditions).await.map(drop),
        Action::UndoDecline => app.undo_decline(who, conditions).await.map(drop),
        Action::AcceptOffer | Action::DeclineOffer => {
            let reply = if action == Action::AcceptOffer { "accept" } else { "decline" };
            fields.push(("reply".into(), Input::Text(reply.into())));
            let reply = OfferReply::parse(&Input::Map(fields))?;
            app.reply_to_offer(who, known, reply, conditions).await.map(drop)
        }
        Action::AskDeferral => {
            fields.push(("intake".into(), given("intake")));
            let wish = DeferralRequest::parse(&Input::Map(fields))?;
            app.ask_deferral(who, known, wish).await.map(drop)
        }
        Action::Withdraw => {
            let withdrawal = Withdrawal::parse(&Input::Map(fields))?;
            app.withdraw_application(who, known, withdrawal, conditions).await.map(drop)
        }
        Action::DeleteDraft => app.delete_draft(who, known, conditions).await.map(drop),
        Action::ResendConfirmation => app.resend_confirmation(who).await,
        Action::ApplyAgain if known.as_ref().is_some_and(|application| application.stage != Stage::Rejected) => Ok(()),
        Action::ApplyAgain => {
            app.withdraw_application(who, known, Withdrawal::to_apply_again(), conditions).await.map(drop)
        }
    }
}

async fn respond(visit: &Visit, came_back: Option<(&str, FormState)>, status: StatusCode) -> Response {
    let visitor = &visit.visitor;
    let moments = Moments::of(visit);
    let application = visitor.application.as_ref();
    let mut load_failed = visitor.load_failed;
    let standing = match &visitor.signed_in {
        Some(who) if !load_failed => visit.state.app.standing(who, application).await.unwrap_or_else(|error| {
            super::form::log(&error);
            load_failed = true;
            ApplicationProgress::default()
        }),
        _ => ApplicationProgress::default(),
    };
    let application = application.filter(|_| !load_failed);
    let appointment = schedule::appointment(visit, application).await;
    let interview_at = appointment.as_ref().and_then(|appointment| Some(appointment.open()?.slot.span.starts_at));
    let summary_of_documents = match application {
        Some(application) if application.stage != Stage::Rejected => {
            visit.state.app.documents_summary(application).await.unwrap_or_else(|error| {
                super::form::log(&error);
                None
            })
        }
        _ => None,
    };
    let unconfirmed = visitor.signed_in.as_ref().filter(|who| who.applicant.email_confirmed_at.is_none());
    let props = DashboardProps {
        unconfirmed: unconfirmed.map(|who| Unconfirmed {
            email: who.applicant.email.clone(),
            sent: visit.query("done").as_deref() == Some("confirmation-sent"),
        }),
        message: (visit.query("done").as_deref() == Some("draft-deleted")).then(|| text!("Your draft was deleted.")),
        application: application.map(|application| summary(visit, application, &standing, &moments)),
        enrolment: application
            .filter(|application| application.stage == Stage::Enrolled)
            .map(|application| enrolment(visit, application, &standing)),
        undo: undo(visit, &standing, &moments),
        decision: application.and_then(|application| decision(visit, application, &standing, &moments)),
        form: came_back.map(|(action, state)| DashboardForm { action: action.to_owned(), state }),
        load_failed,
        next_step: match application {
            None if load_failed => Some(steps::not_loaded()),
            None => Some(steps::none(visit.program)),
            Some(application) if application.stage == Stage::Enrolled => None,
            Some(application) => Some(
                steps::fee(application, &standing)
                    .or_else(|| schedule::next_step(visit, Some(application), appointment.as_ref()))
                    .unwrap_or_else(|| steps::next(visit, application, &standing, &moments)),
            ),
        },
        fee: application.and_then(|application| fee::card(application, standing.fee.as_ref()?)),
        documents: summary_of_documents.map(|summary| documents::progress(summary, visitor.stage())),
        references: if load_failed { None } else { references::so_far(visit).await },
        timeline: steps::timeline(application, &standing, interview_at, &moments),
        past: standing.past.iter().map(|ended| past(ended, &moments)).collect(),
        side: Side { title: text!("Application Progress"), description: text!("Track your application progress here") },
    };
    let head = visit.private_head(text!("Dashboard"));
    let mut page = visit.page(Screen::Dashboard(Box::new(props)), status, head);
    // Counted with the rest, which saves this page a database query compared with the others in the menu.
    if let Some(viewer) = &mut page.shared.viewer {
        viewer.unread_messages = standing.milestones.unread_messages;
    }
    respond::page(visit, page).await
}

/// Returns what ended a moment ago and can be undone.
fn undo(visit: &Visit, standing: &ApplicationProgress, moments: &Moments<'_>) -> Option<Undo> {
    if visit.visitor.application.is_some() {
        return None;
    }
    let ended = standing.past.first().filter(|ended| visit.now() - ended.ended_at < UNDO)?;
    let (action, title) = match (ended.act, ended.shown_former()) {
        (Act::Withdraw, Some(Stage::Waitlisted)) => ("undo-withdraw", text!("You have left the waitlist")),
        (Act::Withdraw, _) => ("undo-withdraw", text!("You have withdrawn your application")),
        (Act::Decline, _) => ("undo-decline", text!("You have declined our offer")),
        _ => return None,
    };
    Some(Undo {
        action,
        title: text!("{title} for the {name}", title, name = ended.application.program.name()),
        until_text: moment::time(ended.ended_at + UNDO, moments.zone),
        revision: ended.application.revision,
        idempotency_key: visit.state.app.random.id(),
    })
}

fn summary(
    visit: &Visit,
    application: &Application,
    standing: &ApplicationProgress,
    moments: &Moments<'_>,
) -> ApplicationSummary {
    let words = steps::due_fee(application, standing).and_then(|view| view.fee.words());
    let words = words.unwrap_or_else(|| application.stage.words());
    let zone = moments.zone;
    // Earlier stages have this on the application's own page.
    let can_withdraw = matches!(
        application.stage,
        Stage::Held
            | Stage::NoShow
            | Stage::Waitlisted
            | Stage::Offered
            | Stage::Confirmed
            | Stage::Lapsed
            | Stage::Deferred
    );
    let can_delete = application.stage == Stage::Draft && application.submitted_at.is_none();
    let can_act = can_withdraw || can_delete || standing.decided.is_some();
    ApplicationSummary {
        program_name: application.program.name(),
        status: application.status(),
        stage: application.stage.as_str(),
        known: can_act.then(|| Known { revision: application.revision, idempotency_key: visit.state.app.random.id() }),
        reference: application.reference.clone(),
        title: words.title,
        meaning: standing.waitlist.map_or(words.meaning, |place| steps::on_waitlist(place.intake)),
        whose_turn: steps::whose_turn(visit, application, standing).unwrap_or(words.whose_turn),
        by_when: steps::by_when(visit, application),
        started_text: moment::day(application.created_at, zone),
        saved_text: (application.revision > 1 && application.stage.is_editable())
            .then(|| moment::full(application.updated_at, zone)),
        submitted_text: steps::submitted_at(application).map(|at| moment::full(at, zone)),
        waitlist: standing.waitlist.map(|place| LinePlace {
            since_text: moment::day(place.joined_at, zone),
            number_text: place.position.map(|position| text!("{position} at the moment", position)),
        }),
        sent_href: steps::submitted_at(application).map(|_| application::path(application.program)),
        can_delete,
        can_withdraw,
    }
}

fn enrolment(visit: &Visit, application: &Application, standing: &ApplicationProgress) -> EnrolmentCard {
    let plan = standing.funding.as_ref().filter(|view| view.is_planned());
    let open = plan.map(FundingView::open_instalments).unwrap_or_default();
    let left: i64 = open.iter().map(|(_, cents)| cents).sum();
    EnrolmentCard {
        program_name: application.program.name(),
        start_text: standing.intake().map(|intake| moments::long_date(intake.start)),
        next_payment: open.first().map(|(next, cents)| {
            text!("{amount} by {day}", amount = dollars(*cents), day = moments::long_date(next.due))
        }),
        payments_text: plan.map(|_| match open.len() {
            0 => text!("Everything that you pay yourself is paid."),
            1 => text!("This is the last payment."),
            count => text!("{count} payments, {left} in all, are still to come.", count, left = dollars(left)),
        }),
        contract: standing.contract.is_some(),
        contact_email: visit.state.app.settings.contact_email.clone(),
    }
}

/// Describes the decision in plain words, and what can be done about it.
fn decision(
    visit: &Visit,
    application: &Application,
    standing: &ApplicationProgress,
    moments: &Moments<'_>,
) -> Option<DecisionCard> {
    let Decided { decision, offer } = standing.decided.as_ref()?;
    let start = standing.intake().unwrap_or(decision.intake);
    let intake = start.name();
    let program = application.program.name();
    let accepted = decision.ruling.outcome() == Outcome::Accept;
    let open = offer.as_ref().filter(|offer| application.stage == Stage::Offered && visit.now() < offer.open_until);
    let options = |intakes: Vec<Intake>| -> Vec<IntakeChoice> {
        intakes.into_iter().map(|intake| IntakeChoice { value: intake.code(), label: intake.name() }).collect()
    };
    let deferral = (accepted && can_be_deferred(application.stage)).then(|| DeferralCard {
        asked: standing.deferral.as_ref().filter(|deferral| !deferral.granted).map(|deferral| {
            let (name, day) = (deferral.intake.name(), moment::short(deferral.created_at, moments.zone));
            text!("On {day}, you asked to start in {name}. We will answer within ten business days.", day, name)
        }),
        refused: standing.refused_deferral.as_ref().map(|refused| RefusedCard {
            text: text!(
                "You asked to start in {intake}. We could not agree to that, and wrote on {day}:",
                intake = refused.intake.name(),
                day = moment::short(refused.refused_at, moments.zone)
            ),
            reason: refused.refusal.clone(),
        }),
        intakes: options(visit.state.app.later_intakes(start)),
    });
    Some(DecisionCard {
        title: match application.stage {
            Stage::Confirmed | Stage::Deferred | Stage::Enrolled => text!("You have a place in the {program}", program),
            _ if accepted => text!("We offer you a place in the {program}", program),
            _ => text!("We cannot offer you a place in the {program}", program),
        },
        text: match (accepted, decision.ruling.conditions().len()) {
            (false, _) => text!("Our letter explains why, and what you can do now."),
            (true, 0) => text!("Your studies start in {intake}. The offer has no conditions.", intake),
            (true, 1) => text!("Your studies start in {intake}. The offer has one condition:", intake),
            (true, _) => text!("Your studies start in {intake}. The offer has these conditions:", intake),
        },
        conditions: decision.ruling.conditions().to_vec(),
        decided_text: decision.released_at.map(|at| moment::day(at, moments.zone)),
        offer: open.map(|_| OfferCard { undo_minutes: UNDO_MINUTES }),
        deferral: deferral
            .filter(|deferral| deferral.asked.is_some() || deferral.refused.is_some() || !deferral.intakes.is_empty()),
        can_apply_again: application.stage == Stage::Rejected,
    })
}

fn past(ended: &EndedApplication, moments: &Moments<'_>) -> PastApplication {
    PastApplication {
        href: format!("/dashboard/applications/{}", ended.application.id),
        program_name: ended.application.program.name(),
        reference: ended.application.reference.clone(),
        ended_text: ended_text(ended, moments.zone),
    }
}

/// Describes how and when an application ended.
pub fn ended_text(ended: &EndedApplication, zone: &str) -> Sentence {
    let how = match (ended.act, ended.shown_former()) {
        (Act::ImportPast, Some(Stage::Enrolled)) => text!("Enrolled"),
        (Act::ImportPast, Some(Stage::Confirmed)) => text!("Accepted, not enrolled"),
        (Act::ImportPast, Some(Stage::Offered)) | (Act::Decline, _) => text!("Offer declined"),
        (_, Some(Stage::Rejected)) => text!("Not accepted, closed"),
        (_, Some(Stage::Waitlisted)) => text!("Left the waitlist"),
        _ => text!("Withdrawn"),
    };
    text!("{how} on {day}", how, day = moment::day(ended.ended_at, zone))
}

/// Describes the next intake, as of today at the institute.
fn next_intake(visit: &Visit) -> Sentence {
    let intake = visit.product.deadlines.next(apply::today(visit));
    let (deadline, start) = (moments::long_date(intake.deadline), moments::long_date(intake.start));
    text!("{deadline}, for the intake of {start}", deadline, start)
}
