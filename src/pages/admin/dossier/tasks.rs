//! The tasks of an application: shown in the header of every tab, and ticked off there.

use axum::response::Response;

use super::{answers, called, done_to, instead};
use crate::admin::Office;
use crate::props::office::dossier::OpenTask;
use crate::{Form, moment, problem};
use app::office::dossiers::TaskNote;
use app::{Error, Refusal};
use domain::input::Input;
use domain::staff::StaffSummary;
use domain::status::{Act, Guard};
use domain::task::{Task, TaskKind};

pub async fn tick_off(office: Office<'_>, form: &Form) -> Response {
    let Office { visit, who, id } = office;
    let (result, notice, task) = match form.get("_action").split_once(':') {
        Some(("close", task)) => {
            // Another form on the page has a note.
            let note = TaskNote::parse("taskNote", Some(&Input::Text(form.get("taskNote").to_owned())));
            let result = match note {
                Ok(note) => visit.state.app.tick_off(who, id, task, &note).await,
                Err(error) => Err(error.into()),
            };
            (result, "ticked-off", task)
        }
        Some(("open", task)) => match visit.state.app.untick(who, id, task).await {
            Err(Error::Refused(Refusal::TaskNotFound)) => (Ok(()), "stays-closed", ""),
            result => (result, "unticked", ""),
        },
        _ => return problem::page(visit, problem::BAD_REQUEST).await,
    };
    match result {
        // Closed meanwhile: the page shows the present state.
        Ok(()) | Err(Error::Refused(Refusal::TaskNotFound)) => {
            done_to(office, super::known_tab(form.get("tab")), form.get("view"), notice, task)
        }
        Err(error @ Error::Refused(Refusal::ApplicationNotFound)) => instead(office, &error).await,
        Err(error) => answers::again(office, form, &error).await,
    }
}

pub fn open_task(office: Office<'_>, task: Task, all_staff: &[StaffSummary]) -> OpenTask {
    // Several people can be asked to read one application.
    let reader = (task.kind == TaskKind::Reading).then(|| task.detail["reader"].as_str()).flatten();
    OpenTask {
        title: task.kind.title(),
        detail: detail(&task).or_else(|| reader.map(|id| called(all_staff, id))),
        since_text: moment::short(task.created_at, office.zone()).to_string(),
        due_text: task.due_at.map(|due| moment::short(due, office.zone()).to_string()),
        may_tick_off: task.kind.may_be_ticked_off_by(office.who.staff.role),
        id: task.id,
    }
}

/// Returns further details of a task.
pub fn detail(task: &Task) -> Option<String> {
    match task.kind {
        TaskKind::Alert => task.detail["act"].as_str().and_then(Act::parse).map(|act| happened(act).to_owned()),
        TaskKind::PlaceFree => task.detail["why"].as_str().and_then(obstacle),
        TaskKind::Slow => task.detail["workingDays"].as_u64().map(|days| format!("{days} working days in its stage")),
        _ => None,
    }
}

/// Says why the rule does not offer a place, by the code of a guard; `None` where staff offer places.
fn obstacle(code: &str) -> Option<String> {
    if code == Guard::SecondPerson.code() {
        // The guard's sentence is for whoever drafted it.
        let words =
            "The acceptance is another than the one put on the waitlist, or one person did both. Offer it by hand.";
        return Some(words.to_owned());
    }
    Guard::of_code(code).map(|guard| guard.sentence().to_string())
}

/// Describes what an act of the applicant or of the system has done.
fn happened(act: Act) -> &'static str {
    match act {
        Act::Submit => "Submitted",
        Act::Unsubmit => "Taken back by the applicant, to be changed",
        Act::Resubmit => "Submitted again with changes",
        Act::Accept => "The offer was accepted",
        Act::Decline => "The offer was declined",
        Act::UndoDecline => "The offer is open again: the decline was undone",
        Act::Lapse => "The offer lapsed",
        Act::Withdraw => "Withdrawn",
        Act::UndoWithdraw => "The withdrawal was undone",
        Act::Recall => "The decision was recalled",
        Act::Reverse => "The decision was reversed",
        Act::Unenrol => "The enrolment was undone",
        Act::Cancel => "The interview was cancelled",
        _ => "The stage changed",
    }
}
