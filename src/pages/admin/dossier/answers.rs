//! The tab "Application": the applicant, and their answers.

use axum::http::StatusCode;
use axum::response::Response;

use super::{Dossier, Opened, called, fresh, instead, open, status};
use crate::admin::Office;
use crate::page::{FormState, Screen};
use crate::props::office::Choice;
use crate::props::office::answers::{AdminApplicationProps, AnswerLine, AnswerSection};
use crate::props::office::dossier::{ChangedMeanwhile, Line};
use crate::{Form, moment};
use app::office::dossiers::{ComparedSection, Version, VersionName, chosen};
use app::{Error, Refusal};
use domain::moments;
use domain::paper::{Change, Compared};
use domain::permission::Permission;
use domain::reference;

pub async fn show(office: Office<'_>, _: &Form) -> Response {
    respond(office, fresh(office), None, StatusCode::OK).await
}

/// Returns the tab after a form in its header was refused.
pub async fn again(office: Office<'_>, form: &Form, error: &Error) -> Response {
    let overtaken = matches!(error, Error::Refused(Refusal::ApplicationChanged)).then_some(form);
    respond(office, form.refused(error), overtaken, status(error)).await
}

async fn respond(office: Office<'_>, form: FormState, overtaken: Option<&Form>, status: StatusCode) -> Response {
    let Opened { dossier, mut frame, .. } = match open(office, "").await {
        Ok(opened) => opened,
        Err(response) => return response,
    };
    if let Some(form) = overtaken {
        let owner = |name: Option<String>| name.unwrap_or_else(|| "Nobody".to_owned());
        let seen = Some(form.get("seenOwner")).filter(|seen| !seen.is_empty());
        frame.meanwhile.push(ChangedMeanwhile {
            what: "Owner".to_owned(),
            seen: owner(seen.map(|seen| called(&dossier.all_staff, seen))),
            now: owner(frame.owner_name.clone()),
        });
    }
    let app = &office.visit.state.app;
    let loaded = async {
        let versions = app.versions(office.who, &dossier).await?;
        let query = |name| office.visit.query(name);
        let (version, before) = chosen(&versions, query("version").as_deref(), query("against").as_deref());
        let sections = match version {
            Some(version) => app.compared_answers(office.who, version, before).await?,
            None => Vec::new(),
        };
        Ok::<_, Error>((
            versions.iter().map(|version| choice(office, version)).collect(),
            version.map(|version| version.name.to_string()).unwrap_or_default(),
            before.map(|before| (before.name.to_string(), differ(&sections))),
            sections,
        ))
    };
    let (versions, version, before, sections) = match loaded.await {
        Ok(loaded) => loaded,
        Err(error) => return instead(office, &error).await,
    };
    let (against, changes_text) = before.unzip();
    let title = frame.name.clone();
    let props = AdminApplicationProps {
        frame,
        person: office.who.staff.role.may(Permission::PersonalData).then(|| person(office, &dossier)),
        versions,
        version,
        against: against.unwrap_or_default(),
        changes_text,
        sections: sections.into_iter().map(section).collect(),
        form,
    };
    office.page(Screen::AdminApplication(Box::new(props)), &title, status).await
}

fn choice(office: Office<'_>, version: &Version) -> Choice {
    let when = moment::full(version.at, office.zone());
    let label = match version.name {
        VersionName::Now => format!("As it is now, not submitted, {when}"),
        VersionName::Submission(number) => format!("Submission {number}, {when}"),
    };
    Choice { value: version.name.to_string(), label }
}

fn differ(sections: &[ComparedSection]) -> String {
    let differ = sections.iter().flat_map(|section| &section.facts).filter(|fact| fact.change != Change::Same).count();
    match differ {
        0 => "No answer differs.".to_owned(),
        1 => "1 answer differs: it is marked below.".to_owned(),
        several => format!("{several} answers differ: they are marked below."),
    }
}

pub fn section(ComparedSection { title, facts }: ComparedSection) -> AnswerSection {
    let line = |Compared { name, value, change }: Compared| {
        let (change, before) = match change {
            Change::Same => (None, None),
            Change::Added => (Some("added"), None),
            Change::Changed(before) => (Some("changed"), Some(before)),
            Change::Gone(before) => (Some("gone"), Some(before)),
        };
        AnswerLine { name, value, change, before }
    };
    AnswerSection { title, answers: facts.into_iter().map(line).collect() }
}

fn person(office: Office<'_>, dossier: &Dossier) -> Vec<Line> {
    let applicant = &dossier.applicant;
    let profile = &applicant.profile;
    let country = reference::country(&profile.country).map_or(&profile.country, |country| &country.name);
    let state = profile.state.as_deref().and_then(reference::us_state_name).map(str::to_owned);
    let line = |name: &str, value: String| Line { name: name.to_owned(), value };
    let email = match applicant.email_confirmed_at {
        None if !applicant.email.is_empty() => format!("{} (not confirmed)", applicant.email),
        _ => applicant.email.clone(),
    };
    let lines = [
        line("Name", dossier.name()),
        line("Email", email),
        line("Phone", profile.phone_number.clone()),
        line("Birth date", moments::plain_date(profile.date_of_birth).to_string()),
        line("Country", country.clone()),
        line("State", state.unwrap_or_default()),
        line("Time zone", profile.time_zone.replace('_', " ")),
        line("Account since", moment::short(applicant.created_at, office.zone()).to_string()),
    ];
    lines.into_iter().filter(|line| !line.value.is_empty()).collect()
}
