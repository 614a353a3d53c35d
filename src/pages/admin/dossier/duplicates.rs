//! Whether the same person applied twice: similar applications beside this one, merged or told apart.

use axum::http::StatusCode;
use axum::response::Response;

use super::{Opened, called, done, fresh, href, instead, open, status};
use crate::admin::{Office, applications};
use crate::page::{FormState, Screen};
use crate::props::office::dossier::AlikeLink;
use crate::props::office::duplicates::{AdminDuplicatesProps, AlikeLine, PossibleDuplicate as DuplicateView};
use crate::{Form, moment, problem};
use app::office::dossiers::{Dossier, PossibleDuplicate};
use app::{Error, Refusal};
use domain::moments;

const PATH: &str = "/duplicates";

pub async fn show(office: Office<'_>, _: &Form) -> Response {
    respond(office, fresh(office), StatusCode::OK).await
}

pub async fn submit(office: Office<'_>, form: &Form) -> Response {
    let Office { visit, who, id } = office;
    let app = &visit.state.app;
    let other = form.get("other");
    let (result, notice) = match form.get("_action") {
        "merge" => (app.merge_duplicate(who, id, other).await, "merged"),
        "different" => (app.tell_apart(who, id, other).await, "told-apart"),
        "undo" => (app.forget_verdict(who, id, other).await, "parted"),
        _ => return problem::page(visit, problem::BAD_REQUEST).await,
    };
    match result {
        Ok(()) => done(office, PATH, form.get("view"), notice),
        Err(error @ Error::Refused(Refusal::ApplicationNotFound)) => instead(office, &error).await,
        Err(error) => respond(office, form.refused(&error), status(&error)).await,
    }
}

async fn respond(office: Office<'_>, form: FormState, status: StatusCode) -> Response {
    let Opened { dossier, duplicates, frame } = match open(office, PATH).await {
        Ok(opened) => opened,
        Err(response) => return response,
    };
    let title = format!("Same person?: {}", frame.name);
    let view = frame.view.clone();
    let duplicates = duplicates.into_iter().map(|duplicate| compared(office, &dossier, duplicate, &view)).collect();
    let props = AdminDuplicatesProps { frame, duplicates, form };
    office.page(Screen::AdminDuplicates(Box::new(props)), &title, status).await
}

/// Compares a duplicate with this application.
fn compared(office: Office<'_>, dossier: &Dossier, duplicate: PossibleDuplicate, view: &str) -> DuplicateView {
    let Dossier { applicant, application, listing: own, all_staff, .. } = dossier;
    let PossibleDuplicate { listing, same_name, same_phone, verdict } = duplicate;
    let name = format!("{} {}", listing.first_name, listing.last_name);
    let line = |what: &'static str, here: String, there: String, same: bool| AlikeLine { what, here, there, same };
    let born = moments::plain_date(applicant.profile.date_of_birth).to_string();
    let submitted = |at| moment::full(at, office.zone()).to_string();
    let lines = vec![
        line("Name", dossier.name(), name.clone(), same_name),
        line("Birth date", born.clone(), born, true),
        line("Phone", applicant.profile.phone_number.clone(), listing.phone_number, same_phone),
        line("Email", applicant.email.clone(), listing.email, false),
        line(
            "Program",
            applications::short(application.program).to_owned(),
            applications::short(listing.program).to_owned(),
            application.program == listing.program,
        ),
        line("Stage", application.stage.label().to_owned(), listing.stage.label().to_owned(), false),
        line("Submitted", submitted(own.submitted_at), submitted(listing.submitted_at), false),
    ];
    let reference = listing.reference.unwrap_or_default();
    let verdict_text = verdict.as_ref().map(|verdict| {
        let found = match verdict.kept_id.as_deref() {
            None => "Two people",
            Some(kept) if kept == application.id => "Merged: this application goes on, the other one does not",
            Some(_) => "Merged: the other application goes on, this one does not",
        };
        let when = moment::full(verdict.judged_at, office.zone());
        format!("{found}. {}, {when}", called(all_staff, &verdict.judged_by))
    });
    DuplicateView {
        href: href(&listing.application_id, PATH, view),
        id: listing.application_id,
        name,
        reference,
        lines,
        verdict: verdict_text,
    }
}

/// Returns what the header of every tab says about similar applications, if anything.
pub(super) fn link(id: &str, duplicates: &[PossibleDuplicate], view: &str) -> Option<AlikeLink> {
    let open = duplicates.iter().filter(|duplicate| duplicate.verdict.is_none()).count();
    let kept = |duplicate: &PossibleDuplicate| duplicate.verdict.as_ref().and_then(|verdict| verdict.kept_id.clone());
    let text = match (open, duplicates.iter().find_map(kept)) {
        (1, _) => "Perhaps the same person applied twice: there is another application that is alike.".to_owned(),
        (2.., _) => format!("Perhaps the same person applied more than once: {open} other applications are alike."),
        (0, Some(kept)) if kept == id => "Another application of the same person was merged into this one.".to_owned(),
        (0, Some(_)) => "This application was merged into another one of the same person.".to_owned(),
        (0, None) => return None,
    };
    Some(AlikeLink { text, href: href(id, PATH, view), open: open > 0 })
}
