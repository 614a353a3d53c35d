//! The committee: the undecided applications being read, best score first, and one after the other with everything a
//! decision rests on.

use axum::http::StatusCode;
use axum::response::Response;

use super::{Office, applications, dossier};
use crate::page::Screen;
use crate::props::office::applications::ListTab;
use crate::props::office::readings::{AdminCommitteeProps, AdminSittingProps, CommitteeRow};
use crate::{Form, respond};
use app::decisions::readings::MAX_COMMITTEE;
use domain::program::Program;
use domain::reading::CommitteeEntry;
use domain::rubric::{SheetKind, on_scale};

pub const PATH: &str = "/admin-panel/committee";

/// Reads the program from the address.
fn program_of(office: Office<'_>) -> Option<Program> {
    let named = office.visit.query("program")?;
    Program::ALL.into_iter().find(|program| program.path() == named)
}

fn href(path: &str, program: Option<Program>) -> String {
    match program {
        Some(program) => format!("{path}?program={}", program.path()),
        None => path.to_owned(),
    }
}

/// Returns the applicant's name as the user may see it.
fn name_of(office: Office<'_>, entry: &CommitteeEntry) -> String {
    let name = format!("{} {}", entry.first_name, entry.last_name);
    let may_know = office.who.staff.role.may(domain::permission::Permission::PersonalData);
    if may_know { name.trim().to_owned() } else { entry.reference.clone().unwrap_or_default() }
}

pub async fn list(office: Office<'_>, _: &Form) -> Response {
    let program = program_of(office);
    let entries = match office.visit.state.app.committee(office.who, None).await {
        Ok(entries) => entries,
        Err(error) => return dossier::instead(office, &error).await,
    };
    let tab = |of: Option<Program>| ListTab {
        label: of.map_or("All", applications::short),
        href: href(PATH, of),
        count: entries.iter().filter(|entry| of.is_none_or(|of| of == entry.program)).count().to_string(),
        current: of == program,
    };
    let tabs = [None].into_iter().chain(Program::ALL.map(Some)).map(tab).collect();
    let row = |entry: &CommitteeEntry| {
        let scale = office.visit.product.rubric(SheetKind::Reading, entry.program).scale;
        CommitteeRow {
            href: href(&format!("{PATH}/{}", entry.application_id), program),
            name: name_of(office, entry),
            reference: entry.reference.clone().unwrap_or_default(),
            program: applications::short(entry.program),
            stage: entry.stage.label(),
            sent_text: format!("{} of {}", entry.sent, entry.asked),
            mean: entry.score.map(|score| on_scale(score, scale)),
            percent: entry.score.map(|score| score / 10),
            accept: entry.recommended[0],
            unsure: entry.recommended[1],
            reject: entry.recommended[2],
            is_blind: entry.is_blind,
        }
    };
    let props = AdminCommitteeProps {
        tabs,
        is_cut: entries.len() >= MAX_COMMITTEE,
        rows: entries.iter().filter(|entry| program.is_none_or(|program| program == entry.program)).map(row).collect(),
    };
    office.page(Screen::AdminCommittee(Box::new(props)), "Committee", StatusCode::OK).await
}

pub async fn sit(office: Office<'_>, _: &Form) -> Response {
    let Office { visit, who, id } = office;
    let app = &visit.state.app;
    let program = program_of(office);
    let found = async {
        let dossier = app.dossier(who, id).await?;
        let basis = dossier::basis::load(office, &dossier, "").await?;
        Ok((app.committee(who, program).await?, dossier, basis))
    };
    let (entries, dossier, basis) = match found.await {
        Ok(found) => found,
        Err(error) => return dossier::instead(office, &error).await,
    };
    // An application decided since it was listed is no longer before the committee.
    let Some(at) = entries.iter().position(|entry| entry.application_id == id) else {
        return respond::see_other(&href(PATH, program));
    };
    let beside = |at: Option<usize>| {
        at.and_then(|at| entries.get(at)).map(|entry| href(&format!("{PATH}/{}", entry.application_id), program))
    };
    let name = dossier.name();
    let facts = [
        dossier.application.reference.clone().unwrap_or_default(),
        applications::short(dossier.application.program).to_owned(),
        dossier.application.stage.label().to_owned(),
    ];
    let props = AdminSittingProps {
        facts: facts.into_iter().filter(|fact| !fact.is_empty()).collect::<Vec<_>>().join(" · "),
        place_text: format!("{} of {}", at + 1, entries.len()),
        list_href: href(PATH, program),
        previous_href: beside(at.checked_sub(1)),
        next_href: beside(Some(at + 1)),
        decision_href: dossier::href(id, dossier::decision::TAB, ""),
        application_href: dossier::href(id, "", ""),
        name: name.clone(),
        basis,
    };
    office.page(Screen::AdminSitting(Box::new(props)), &format!("{name}, committee"), StatusCode::OK).await
}
