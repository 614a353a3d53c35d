//! What Owners set: the list of settings, and each with its fields and versions.

use axum::http::StatusCode;
use axum::response::Response;
use serde_json::json;

use super::super::apply::today;
use super::super::page::{FormState, Screen};
use super::super::{Form, moment, problem, respond};
use super::props::{AdminSettingProps, AdminSettingsProps, Choice, SettingField, SettingRow, SettingVersionRow};
use super::{Office, mail_texts};
use crate::app::ports::SettingVersion;
use crate::domain::program::Program;
use crate::domain::questionnaire::draft::Difference;
use crate::domain::settings::{Field, FieldKind, Setting, Values, values};

const PATH: &str = "/admin-panel/settings";

pub async fn list(office: Office<'_>, _: &Form) -> Response {
    let now = match office.visit.state.app.settings_now(&office.who.staff).await {
        Ok(now) => now,
        Err(error) => return office.unavailable(&error).await,
    };
    let row = |setting: Setting| row(office, &now, setting);
    let props = AdminSettingsProps { settings: Setting::ALL.into_iter().map(row).collect() };
    office.page(Screen::AdminSettings(props), "Settings", StatusCode::OK).await
}

/// A setting as a line of a list.
pub(super) fn row(office: Office<'_>, now: &[SettingVersion], setting: Setting) -> SettingRow {
    let changed = now.iter().find(|it| it.name == setting.name() && it.value != json!({}));
    SettingRow {
        title: setting.title(),
        purpose: setting.purpose(),
        href: format!("{PATH}/{}", setting.name()),
        changed_text: changed.map(|it| moment::full(it.changed_at, office.zone())),
        changed_by: changed.map(|it| it.changed_by.clone()),
    }
}

pub async fn show(office: Office<'_>, _: &Form) -> Response {
    let Some(setting) = Setting::parse(office.id) else {
        return problem::page(office.visit, problem::NO_OFFICE_PAGE).await;
    };
    let message = match office.visit.query("done").as_deref() {
        Some("saved") => Some("It holds from now on."),
        Some("extended") => Some("The deadline is a week later."),
        Some("restored") => Some("The earlier version holds again."),
        _ => None,
    };
    let form = FormState { message: message.map(Into::into), ..FormState::default() };
    answer(office, setting, None, form, StatusCode::OK).await
}

pub async fn change(office: Office<'_>, form: &Form) -> Response {
    let Office { visit, who, .. } = office;
    let app = &visit.state.app;
    let Some(setting) = Setting::parse(office.id) else {
        return problem::page(visit, problem::NO_OFFICE_PAGE).await;
    };
    let Ok(seen) = form.get("version").parse::<i64>() else {
        return problem::page(visit, problem::BAD_REQUEST).await;
    };
    let typed: Values = setting
        .fields(today(visit))
        .into_iter()
        .filter(|field| form.fields().iter().any(|(name, _)| *name == field.name))
        .map(|field| (field.name.clone(), form.get(&field.name).to_owned()))
        .collect();
    let action = form.get("_action");
    if let (Setting::Mail(kind), "preview" | "test:en" | "test:es") = (setting, action) {
        return mail_texts::try_out(office, kind, action, (typed, seen), form).await;
    }
    let (result, done) = match action.split_once(':').unwrap_or((action, "")) {
        ("save", _) => (app.change_setting(&who.staff, setting, seen, &typed).await, "saved"),
        ("extend", code) if setting == Setting::Deadlines => {
            (app.extend_deadline(&who.staff, code, seen).await, "extended")
        }
        ("restore", version) => match version.parse() {
            Ok(version) => (app.restore_setting(&who.staff, setting, version, seen).await, "restored"),
            Err(_) => return problem::page(visit, problem::BAD_REQUEST).await,
        },
        _ => return problem::page(visit, problem::BAD_REQUEST).await,
    };
    match result {
        Ok(()) => respond::see_other(&format!("{PATH}/{}?done={done}", setting.name())),
        Err(error) => {
            let mut state = form.refused(&error);
            state.values.clear();
            // The other buttons send no fields.
            let typed = (action == "save").then_some((typed, seen));
            answer(office, setting, typed, state, problem::status(&error)).await
        }
    }
}

/// The page of a setting; with what was typed, and on top of which version: if it is not the one that holds now, somebody
/// else was faster.
pub(super) async fn answer(
    office: Office<'_>,
    setting: Setting,
    typed: Option<(Values, i64)>,
    form: FormState,
    status: StatusCode,
) -> Response {
    let versions = match office.visit.state.app.setting_versions(&office.who.staff, setting).await {
        Ok(versions) => versions,
        Err(error) => return office.unavailable(&error).await,
    };
    let fields = setting.fields(today(office.visit));
    let now = versions.first().map(|version| values(&version.value)).unwrap_or_default();
    let version = versions.first().map_or(0, |version| version.version);
    let stale = typed.as_ref().is_some_and(|(_, seen)| *seen != version);
    let shown = typed.map_or_else(|| now.clone(), |(typed, _)| typed);
    let differences = if stale { differences(&fields, &shown, &now) } else { Vec::new() };
    let see_href = match setting {
        Setting::ProgramPage(program) => Some(format!("/{}/apply", program.path())),
        Setting::Deadlines | Setting::Banner => Some(format!("/{}/apply", Program::Bachelor.path())),
        Setting::Retention | Setting::Contracts | Setting::Funding | Setting::Mail(_) => None,
    };
    let mail = match setting {
        Setting::Mail(kind) => Some(mail_texts::editor(office, kind, &shown)),
        _ => None,
    };
    let extend = match setting {
        Setting::Deadlines => fields.iter().map(extendable).collect(),
        _ => Vec::new(),
    };
    let props = AdminSettingProps {
        title: setting.title(),
        purpose: setting.purpose(),
        path: format!("{PATH}/{}", setting.name()),
        version,
        see_href,
        fields: fields.iter().map(|field| input(field, &shown)).collect(),
        extend,
        differences,
        versions: history(office, &fields, &versions),
        mail,
        form,
    };
    office.page(Screen::AdminSetting(Box::new(props)), setting.title(), status).await
}

fn extendable(field: &Field) -> Choice {
    Choice { value: field.name.clone(), label: field.label.clone() }
}

fn input(field: &Field, shown: &Values) -> SettingField {
    let value = shown.get(&field.name).unwrap_or(&field.built_in);
    SettingField {
        name: field.name.clone(),
        label: field.label.clone(),
        hint: field.hint,
        kind: match field.kind {
            FieldKind::Line { .. } => "line",
            FieldKind::NeededLine { .. } => "longLine",
            FieldKind::Lines { .. } => "lines",
            FieldKind::Dollars | FieldKind::OptionalDollars | FieldKind::Whole { .. } => "number",
            FieldKind::Date | FieldKind::OptionalDate => "date",
            FieldKind::MailSubject(_) => "longLine",
            FieldKind::MailText(_) => "text",
        },
        value: value.clone(),
        built_in: field.built_in.clone(),
    }
}

/// What differs between two sets of values, by the words of their fields.
fn differences(fields: &[Field], first: &Values, second: &Values) -> Vec<Difference> {
    let names: std::collections::BTreeSet<&String> = first.keys().chain(second.keys()).collect();
    let known = fields.iter().map(|field| (&field.name, field.label.clone(), field.built_in.as_str()));
    let gone = names.into_iter().filter(|name| fields.iter().all(|field| field.name != **name));
    let all = known.chain(gone.map(|name| (name, name.clone(), "")));
    let differ = |(name, title, built_in): (&String, String, &str)| {
        let value = |values: &Values| values.get(name).map_or(built_in, String::as_str).to_owned();
        let (first, second) = (value(first), value(second));
        (first != second).then_some(Difference { title, field: "", first, second })
    };
    all.filter_map(differ).collect()
}

/// Every version with what it changed, and what the product came with at the end.
fn history(office: Office<'_>, fields: &[Field], versions: &[SettingVersion]) -> Vec<SettingVersionRow> {
    let row = |(at, version): (usize, &SettingVersion)| {
        let before = versions.get(at + 1).map(|before| values(&before.value)).unwrap_or_default();
        SettingVersionRow {
            version: version.version,
            changed_text: Some(moment::full(version.changed_at, office.zone())),
            changed_by: Some(version.changed_by.clone()),
            restored_from: version.restored_from,
            changes: differences(fields, &before, &values(&version.value)),
        }
    };
    let first = SettingVersionRow {
        version: 0,
        changed_text: None,
        changed_by: None,
        restored_from: None,
        changes: Vec::new(),
    };
    versions.iter().enumerate().map(row).chain([first]).collect()
}
