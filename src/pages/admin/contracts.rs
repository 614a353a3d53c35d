//! Contracts by state, and the templates they are written from.

use axum::http::StatusCode;
use axum::response::Response;
use serde::Serialize;

use super::Office;
use super::dossier::contract::template_text;
use crate::page::{FormState, Screen};
use crate::{Form, moment, problem, respond};
use app::{Error, Refusal};
use domain::contract::{
    BlockField, Change, ContractState, Field, LanguageText, ListedContract, Required, TemplateText, TemplateVersion,
    changes, starter,
};
use domain::language::Language;
use domain::permission::Permission;
use domain::program::Program;

const PATH: &str = "/admin-panel/contracts";

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AdminContractsProps {
    pub tabs: Vec<StateTab>,
    /// Most recently changed first.
    pub rows: Vec<ContractRow>,
    pub next_href: Option<String>,
    /// Only for users who may change them.
    pub templates: Vec<TemplateLink>,
    pub form: FormState,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct StateTab {
    pub label: String,
    pub href: String,
    pub current: bool,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ContractRow {
    pub id: String,
    pub href: String,
    pub name: String,
    pub reference: String,
    pub program: &'static str,
    pub number: i64,
    pub state: &'static str,
    pub state_text: &'static str,
    pub changed_text: String,
    pub sign_by_text: Option<String>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TemplateLink {
    pub name: String,
    pub href: String,
    pub text: String,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AdminTemplateProps {
    pub name: String,
    pub path: String,
    /// The version in use; 0 for the built-in one.
    pub published: i64,
    /// Of the draft; 0 for none.
    pub revision: i64,
    /// When and by whom the draft was changed.
    pub changed_text: Option<String>,
    pub texts: Vec<TemplateTextView>,
    pub fields: Vec<FieldHint>,
    /// What every contract has to say.
    pub required: Vec<FieldHint>,
    /// The texts, filled in for an application.
    pub preview: Option<Vec<LanguageText>>,
    /// What publishing the draft changes, if that was asked for.
    pub publication: Option<Publication>,
    /// What somebody else has written meanwhile.
    pub theirs: Option<Vec<TemplateTextView>>,
    pub versions: Vec<TemplateRow>,
    /// Identifies the form, so that a double click submits it once.
    pub form_key: String,
    pub form: FormState,
}

/// A template in one language, which may be empty.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct TemplateTextView {
    pub language: Language,
    /// The name of the language.
    pub name: String,
    pub counts: bool,
    pub text: String,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "TemplatePublication"))]
#[serde(rename_all = "camelCase")]
pub struct Publication {
    /// That another text becomes the authoritative one.
    pub counts_text: Option<String>,
    /// For each language that changes.
    pub texts: Vec<TextChanges>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "TemplateTextChanges"))]
pub struct TextChanges {
    pub language: Language,
    /// The name of the language.
    pub name: String,
    pub changes: Vec<Change>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FieldHint {
    pub name: String,
    pub meaning: &'static str,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct TemplateRow {
    pub version: i64,
    pub published_text: String,
    pub current: bool,
    /// The authoritative one first.
    pub texts: Vec<TemplateTextView>,
}

pub async fn list(office: Office<'_>, _: &Form) -> Response {
    let Office { visit, who, .. } = office;
    let app = &visit.state.app;
    let asked = visit.query("state");
    let state = asked.as_deref().and_then(ContractState::parse);
    let before = visit.query("before").filter(|before| before.len() <= 64);
    let found = async {
        let page = app.list_contracts(who, state, before.as_deref()).await?;
        let mut templates = Vec::new();
        if who.staff.role.may(Permission::ManageContracts) {
            for program in Program::ALL {
                let current = app.current_template(program).await?;
                templates.push(TemplateLink {
                    name: program.name().to_string(),
                    href: format!("{PATH}/templates/{}", program.path()),
                    text: format!("Contracts are written from {}.", template_text(current.version)),
                });
            }
        }
        Ok::<_, Error>((page, templates))
    };
    let (page, templates) = match found.await {
        Ok(found) => found,
        Err(error) => return office.unavailable(&error).await,
    };
    let count = |state| page.counts.iter().find(|(one, _)| *one == state).map_or(0, |(_, count)| *count);
    let all = StateTab { label: "All".into(), href: PATH.into(), current: state.is_none() };
    let tabs = ContractState::ALL.map(|one| StateTab {
        label: format!("{} ({})", one.label(), count(one)),
        href: format!("{PATH}?state={}", one.as_str()),
        current: state == Some(one),
    });
    let next_href = page.next.map(|last| match state {
        Some(state) => format!("{PATH}?state={}&before={last}", state.as_str()),
        None => format!("{PATH}?before={last}"),
    });
    let props = AdminContractsProps {
        tabs: [all].into_iter().chain(tabs).collect(),
        rows: page.rows.into_iter().map(|one| row(office, one)).collect(),
        next_href,
        templates,
        form: FormState::default(),
    };
    office.page(Screen::AdminContracts(Box::new(props)), "Contracts", StatusCode::OK).await
}

fn row(office: Office<'_>, one: ListedContract) -> ContractRow {
    let name = format!("{} {}", one.first_name, one.last_name);
    ContractRow {
        href: format!("/admin-panel/applications/{}/contract", one.application_id),
        name: if name.trim().is_empty() { "Erased".to_owned() } else { name },
        reference: one.reference.unwrap_or_default(),
        program: super::applications::short(one.program),
        number: one.number,
        state: one.state.as_str(),
        state_text: one.state.label(),
        changed_text: moment::full(one.changed_at, office.zone()).to_string(),
        sign_by_text: one
            .expires_at
            .filter(|_| one.state.is_open())
            .map(|until| moment::last_minute(until, office.zone()).to_string()),
        id: one.id,
    }
}

pub async fn edit(office: Office<'_>, _: &Form) -> Response {
    let Some(program) = Program::parse(office.id) else {
        return problem::page(office.visit, problem::NO_OFFICE_PAGE).await;
    };
    let message = match office.visit.query("done").as_deref() {
        Some("saved") => Some("The draft is saved. Contracts are written from it once it is published."),
        Some("published") => Some("The template is published. Contracts that were sent stay as they are."),
        Some("discarded") => Some("The draft is discarded."),
        _ => None,
    };
    let form = FormState { message: message.map(Into::into), ..FormState::default() };
    editor(office, program, Shown { form, ..Shown::default() }, StatusCode::OK).await
}

pub async fn change(office: Office<'_>, form: &Form) -> Response {
    let Office { visit, who, .. } = office;
    let app = &visit.state.app;
    let Some(program) = Program::parse(office.id) else {
        return problem::page(visit, problem::NO_OFFICE_PAGE).await;
    };
    let path = format!("{PATH}/templates/{}", program.path());
    let number = |name: &str| form.get(name).parse::<i64>().ok();
    let key = form.get("key");
    let is_key = (16..=64).contains(&key.len()) && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    let (Some(published), Some(revision), true) = (number("published"), number("revision"), is_key) else {
        return problem::page(visit, problem::BAD_REQUEST).await;
    };
    let Some(counts) = Language::parse(form.get("counts")) else {
        return problem::page(visit, problem::BAD_REQUEST).await;
    };
    let texts = Language::ALL.map(|language| (language, form.get(&field(language)).to_owned()));
    let text = TemplateText::new(counts, texts);
    let action = form.get("_action");
    if action == "preview" {
        let reference = form.get("reference");
        return match app.preview_template(&who.staff, program, &text, reference).await {
            Ok(preview) => {
                let shown = Shown { form: form.state(), typed: Some(text), preview: Some(preview) };
                editor(office, program, shown, StatusCode::OK).await
            }
            Err(error) => refused(office, program, form, text, &error).await,
        };
    }
    let outcome = async {
        Ok(match action.split_once(':') {
            Some(("restore", version)) => {
                let version = version.parse().map_err(|_| Refusal::TemplateStale)?;
                app.restore_template(&who.staff, program, version, published, key).await?;
                "published"
            }
            _ => match action {
                "save" => {
                    app.write_template_draft(&who.staff, program, revision, text.clone()).await?;
                    "saved"
                }
                // Changes are previewed before they are published.
                "look" => {
                    app.write_template_draft(&who.staff, program, revision, text.clone()).await?;
                    text.check()?;
                    "look"
                }
                "publish" => {
                    let draft = app.write_template_draft(&who.staff, program, revision, text.clone()).await;
                    match draft {
                        Ok(draft) => {
                            let revision = draft.revision;
                            app.publish_template_draft(&who.staff, program, published, revision, key).await?;
                        }
                        // Sent again: it is published already, and its draft is gone.
                        Err(_) => app.publish_template_draft(&who.staff, program, published, revision, key).await?,
                    }
                    "published"
                }
                "discard" => {
                    app.discard_template_draft(&who.staff, program, revision).await?;
                    "discarded"
                }
                _ => "",
            },
        })
    };
    match outcome.await {
        Ok("") => problem::page(visit, problem::BAD_REQUEST).await,
        Ok("look") => respond::see_other(&format!("{path}?publish=look#publish")),
        Ok(done) => respond::see_other(&format!("{path}?done={done}")),
        Err(error) => refused(office, program, form, text, &error).await,
    }
}

/// Returns the name of the field for the text in this language.
fn field(language: Language) -> String {
    format!("texts.{}", language.as_str())
}

async fn refused(office: Office<'_>, program: Program, form: &Form, typed: TemplateText, error: &Error) -> Response {
    if matches!(error, Error::Unavailable(_) | Error::Internal(_)) {
        return office.unavailable(error).await;
    }
    let mut form = form.refused(error);
    place(&mut form, &typed);
    let shown = Shown { form, typed: Some(typed), preview: None };
    editor(office, program, shown, problem::status(error)).await
}

/// Moves errors in the texts to their fields.
fn place(form: &mut FormState, text: &TemplateText) {
    for (path, _) in &mut form.errors {
        if let Some((language, _)) = text.all().find(|(language, _)| text.path(*language) == *path) {
            *path = field(language);
        }
    }
}

/// What the editor shows besides stored data.
#[derive(Default)]
struct Shown {
    form: FormState,
    /// What was typed, if it comes back with errors.
    typed: Option<TemplateText>,
    preview: Option<Vec<LanguageText>>,
}

async fn editor(office: Office<'_>, program: Program, shown: Shown, status: StatusCode) -> Response {
    let app = &office.visit.state.app;
    let staff = &office.who.staff;
    let found = async {
        let versions = app.template_versions(staff, program).await?;
        Ok::<_, Error>((app.current_template(program).await?, app.template_draft(staff, program).await?, versions))
    };
    let (current, draft, versions) = match found.await {
        Ok(found) => found,
        Err(error) => return office.unavailable(&error).await,
    };
    let Shown { mut form, typed, preview } = shown;
    let stored = draft.as_ref().map_or(&current.text, |draft| &draft.text);
    let text = typed.clone().unwrap_or_else(|| stored.clone());
    // A draft is saved with its mistakes, which are shown whenever it is opened.
    if form.error.is_none()
        && let Err(errors) = text.check()
    {
        form.errors.retain(|(path, _)| !path.starts_with("texts."));
        form.errors.extend(errors.into_iter().map(|error| (error.path, error.message)));
        place(&mut form, &text);
    }
    // Without a draft there is nothing to publish, and with a mistake it cannot be.
    let is_looked_at = form.errors.is_empty() && draft.is_some() && office.visit.query("publish").is_some();
    let theirs = typed.filter(|typed| form.error.is_some() && typed != stored).map(|_| written(stored));
    if let Some(reference) = office.visit.query("reference") {
        form.values.entry("reference".into()).or_insert(crate::page::Typed::One(reference));
    }
    let hint = |name: &str, meaning| FieldHint { name: format!("{{{name}}}"), meaning };
    let fields = Field::ALL.iter().map(|field| hint(field.name(), field.meaning()));
    let blocks = BlockField::ALL.iter().map(|field| hint(field.name(), field.meaning()));
    let changed = |at: i64, by: &str| format!("{} by {by}", moment::full(at, office.zone()));
    let mut rows: Vec<TemplateRow> =
        versions.iter().map(|version| template_row(office, version, current.version)).collect();
    rows.push(TemplateRow {
        version: 0,
        published_text: "As the product came".into(),
        current: current.version == 0,
        texts: written(&starter(program)),
    });
    let name = program.name().to_string();
    let title = format!("Contract template of the {name}");
    let props = AdminTemplateProps {
        path: format!("{PATH}/templates/{}", program.path()),
        name,
        published: current.version,
        revision: draft.as_ref().map_or(0, |draft| draft.revision),
        changed_text: draft.as_ref().map(|draft| changed(draft.changed_at, &draft.changed_by.1)),
        publication: is_looked_at.then(|| publication(&current.text, &text)),
        texts: Language::ALL.map(|language| view(&text, language)).into(),
        fields: fields.chain(blocks).collect(),
        required: Required::ALL
            .into_iter()
            .map(|required| FieldHint { name: format!("# [{}]", required.name()), meaning: required.meaning() })
            .collect(),
        preview,
        theirs,
        versions: rows,
        form_key: app.random.id(),
        form,
    };
    office.page(Screen::AdminTemplate(Box::new(props)), &title, status).await
}

fn template_row(office: Office<'_>, version: &TemplateVersion, current: i64) -> TemplateRow {
    let again = match version.restored_from {
        None => String::new(),
        Some(0) => ", as the product came".to_owned(),
        Some(earlier) => format!(", as version {earlier}"),
    };
    let at = moment::full(version.published_at, office.zone());
    TemplateRow {
        version: version.version,
        published_text: format!("{at} by {}{again}", version.published_by),
        current: version.version == current,
        texts: written(&version.text),
    }
}

fn view(text: &TemplateText, language: Language) -> TemplateTextView {
    TemplateTextView {
        language,
        name: language.name().to_string(),
        counts: language == text.counts,
        text: text.of(language).unwrap_or_default().to_owned(),
    }
}

/// Returns the texts in the languages they are written in.
fn written(text: &TemplateText) -> Vec<TemplateTextView> {
    text.all().map(|(language, _)| view(text, language)).collect()
}

fn publication(before: &TemplateText, after: &TemplateText) -> Publication {
    let counts_text = (before.counts != after.counts).then(|| {
        format!("The text in {} counts, and no longer the one in {}.", after.counts.name(), before.counts.name())
    });
    let texts = Language::ALL.map(|language| TextChanges {
        language,
        name: language.name().to_string(),
        changes: changes(before.of(language).unwrap_or_default(), after.of(language).unwrap_or_default()),
    });
    Publication { counts_text, texts: texts.into_iter().filter(|text| !text.changes.is_empty()).collect() }
}
