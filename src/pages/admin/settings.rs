//! The office's settings: the list, and each with its fields and versions.

use axum::http::StatusCode;
use axum::response::Response;
use serde_json::json;

use super::{Office, texts};
use crate::apply::today;
use crate::page::{FormState, Screen};
use crate::props::office::Choice;
use crate::props::office::settings::{
    AdminSettingProps, AdminSettingsProps, SettingField, SettingRow, SettingRows, SettingVersionRow,
};
use crate::{Form, moment, problem, respond};
use domain::permission::Permission;
use domain::program::Program;
use domain::questionnaire::draft::Difference;
use domain::rubric::SheetKind;
use domain::settings::{Field, FieldKind, Setting, SettingGroup, SettingVersion, Values, values};

const PATH: &str = "/admin-panel/settings";

pub async fn list(office: Office<'_>, _: &Form) -> Response {
    let now = match office.visit.state.app.settings_now(&office.who.staff).await {
        Ok(now) => now,
        Err(error) => return office.unavailable(&error).await,
    };
    let role = office.who.staff.role;
    let search = office.visit.query("q").unwrap_or_default();
    let words: Vec<String> = search.split_whitespace().map(str::to_lowercase).collect();
    let groups = SettingGroup::ALL.into_iter().map(|group| {
        let settings = Setting::ALL.into_iter().filter(|it| it.group() == group && role.may(it.permission()));
        let settings = settings.filter_map(|setting| {
            let fields = setting.fields(today(office.visit), &Values::new());
            let found =
                found(&words, setting.title(), setting.purpose(), fields.iter().map(|field| field.label.as_str()))?;
            Some(SettingRow { found, ..row(office, &now, setting) })
        });
        let pages = PAGES.iter().filter(|page| page.group == group && role.may(page.permission));
        let pages = pages.filter_map(|page| {
            found(&words, page.title, page.purpose, std::iter::empty())?;
            Some(SettingRow {
                title: page.title,
                purpose: page.purpose,
                href: page.href.to_owned(),
                state_text: None,
                found: Vec::new(),
            })
        });
        SettingRows { title: group.title(), rows: settings.chain(pages).collect() }
    });
    let props = AdminSettingsProps {
        groups: groups.filter(|group| !group.rows.is_empty()).collect(),
        search,
        payment_provider: office.visit.state.app.cards.as_ref().map(|provider| provider.name()),
    };
    office.page(Screen::AdminSettings(props), "Settings", StatusCode::OK).await
}

/// An item among the settings that has a page of its own.
struct Page {
    title: &'static str,
    purpose: &'static str,
    href: &'static str,
    group: SettingGroup,
    permission: Permission,
}

const PAGES: [Page; 10] = [
    Page {
        title: "Emails to applicants",
        purpose: "What they say, in English and Spanish.",
        href: "/admin-panel/settings/mails",
        group: SettingGroup::Applying,
        permission: Permission::Templates,
    },
    Page {
        title: "Form health",
        purpose: "Which fields people most often fill in so that they are not taken.",
        href: "/admin-panel/settings/form-health",
        group: SettingGroup::Applying,
        permission: Permission::Settings,
    },
    Page {
        title: "Letters",
        purpose: "What they say of an acceptance or a rejection, in English and Spanish.",
        href: "/admin-panel/settings/letters",
        group: SettingGroup::Deciding,
        permission: Permission::Templates,
    },
    Page {
        title: "Fee codes",
        purpose: "Codes that waive the application fee, and how often each was used. They stand with Finance.",
        href: super::fee_codes::PATH,
        group: SettingGroup::Money,
        permission: Permission::Finance,
    },
    Page {
        title: "Second factor for everybody",
        purpose: "Whether everybody in the office must have one. It stands with the list of admins.",
        href: "/admin-panel/admins",
        group: SettingGroup::Office,
        permission: Permission::Settings,
    },
    Page {
        title: "Single sign-on",
        purpose: "Which identity providers staff and applicants log in with, and who gets which role.",
        href: super::identity_providers::PATH,
        group: SettingGroup::Office,
        permission: Permission::Staff,
    },
    Page {
        title: "Emails and jobs",
        purpose: "What waits to be sent or done, what was sent, and what is tried no more.",
        href: "/admin-panel/settings/deliveries",
        group: SettingGroup::Office,
        permission: Permission::Settings,
    },
    Page {
        title: "Webhooks",
        purpose: "Which programs of the institute are told what happens to applications, and what was delivered to them.",
        href: super::webhooks::PATH,
        group: SettingGroup::Office,
        permission: Permission::Settings,
    },
    Page {
        title: "Imports",
        purpose: "Applicants and applications from another system, from a CSV or XLSX file.",
        href: super::imports::PATH,
        group: SettingGroup::Office,
        permission: Permission::Import,
    },
    Page {
        title: "Record",
        purpose: "Who did what, and when.",
        href: "/admin-panel/settings/audit",
        group: SettingGroup::Office,
        permission: Permission::Settings,
    },
];

/// Returns the labels that contain the search words, or an empty list if title and purpose contain them; `None` if
/// nothing does.
fn found<'a>(
    words: &[String],
    title: &str,
    purpose: &str,
    labels: impl Iterator<Item = &'a str>,
) -> Option<Vec<String>> {
    let has = |text: &str| {
        let text = text.to_lowercase();
        words.iter().all(|word| text.contains(word.as_str()))
    };
    if has(&format!("{title} {purpose}")) {
        return Some(Vec::new());
    }
    let found: Vec<String> = labels.filter(|label| has(label)).map(str::to_owned).collect();
    (!found.is_empty()).then_some(found)
}

/// Returns a setting as a row of a list.
pub(super) fn row(office: Office<'_>, now: &[SettingVersion], setting: Setting) -> SettingRow {
    let changed = now.iter().find(|it| it.name == setting.name() && it.value != json!({}));
    let state = changed.map_or_else(
        || "As the product came".to_owned(),
        |it| format!("Changed {} by {}", moment::full(it.changed_at, office.zone()), it.changed_by),
    );
    SettingRow {
        title: setting.title(),
        purpose: setting.purpose(),
        href: format!("{PATH}/{}", setting.name()),
        state_text: Some(state),
        found: Vec::new(),
    }
}

/// Returns the requested setting, if the user may change it.
fn asked(office: Office<'_>) -> Result<Setting, problem::Problem> {
    let setting = Setting::parse(office.id).ok_or(problem::NO_OFFICE_PAGE)?;
    let may = office.who.staff.role.may(setting.permission());
    if may { Ok(setting) } else { Err(problem::ROLE_FORBIDDEN) }
}

pub async fn show(office: Office<'_>, _: &Form) -> Response {
    let setting = match asked(office) {
        Ok(setting) => setting,
        Err(problem) => return problem::page(office.visit, problem).await,
    };
    let message = match office.visit.query("done").as_deref() {
        Some("saved") => Some("It holds from now on."),
        Some("extended") => Some("The deadline is a week later."),
        Some("restored") => Some("The earlier version holds again."),
        _ => None,
    };
    let form = FormState { message: message.map(Into::into), ..FormState::default() };
    respond(office, setting, None, form, StatusCode::OK).await
}

pub async fn change(office: Office<'_>, form: &Form) -> Response {
    let Office { visit, who, .. } = office;
    let app = &visit.state.app;
    let setting = match asked(office) {
        Ok(setting) => setting,
        Err(problem) => return problem::page(visit, problem).await,
    };
    let Ok(seen) = form.get("version").parse::<i64>() else {
        return problem::page(visit, problem::BAD_REQUEST).await;
    };
    // Names that are not fields of the setting are ignored.
    let typed: Values = form.fields().iter().cloned().collect();
    let action = form.get("_action");
    if let (Setting::Mail(_), "preview" | "test:en" | "test:es") | (Setting::Letter(_), "preview") = (setting, action) {
        return texts::try_out(office, setting, action, (typed, seen), form).await;
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
            respond(office, setting, typed, state, problem::status(&error)).await
        }
    }
}

/// Returns the page of a setting, with what was typed and the version it was based on: if that is no longer current,
/// somebody else was faster.
pub(super) async fn respond(
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
    let now = versions.first().map(|version| values(&version.value)).unwrap_or_default();
    let fields = setting.fields(today(office.visit), &now);
    let version = versions.first().map_or(0, |version| version.version);
    let stale = typed.as_ref().is_some_and(|(_, seen)| *seen != version);
    let shown = match typed {
        Some((mut typed, _)) => {
            typed.retain(|name, _| fields.iter().any(|field| field.name == *name));
            typed
        }
        None => now.clone(),
    };
    let differences = if stale { differences(&fields, &shown, &now) } else { Vec::new() };
    let see_href = match setting {
        Setting::ProgramPage(program) | Setting::ApplicationFee(program) => Some(format!("/{}/apply", program.path())),
        Setting::Deadlines | Setting::Banner => Some(format!("/{}/apply", Program::Bachelor.path())),
        Setting::SlotRules | Setting::Rubric(SheetKind::Interview, _) => Some("/admin-panel/interviews".to_owned()),
        Setting::Decisions => Some(super::decisions::PATH.to_owned()),
        Setting::Places(_) => Some(super::waitlist::PATH.to_owned()),
        Setting::Work => Some(super::work::PATH.to_owned()),
        Setting::Rubric(SheetKind::Reading, _) => Some(super::committee::PATH.to_owned()),
        Setting::Reasons
        | Setting::Snippets
        | Setting::Retention
        | Setting::Contracts
        | Setting::Funding
        | Setting::PaymentReminders
        | Setting::Refunds
        | Setting::SecondPerson => None,
        Setting::Mail(_) | Setting::Letter(_) => None,
    };
    let (back, label) = match setting {
        Setting::Mail(_) => ("/admin-panel/settings/mails", "All emails"),
        Setting::Letter(_) => ("/admin-panel/settings/letters", "All letters"),
        _ => (PATH, "All settings"),
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
        back: Choice { value: back.to_owned(), label: label.to_owned() },
        text: texts::editor(office, setting, &shown),
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
            // Numeric keypads have no minus.
            FieldKind::OptionalWhole { least, .. } if least < 0 => "line",
            FieldKind::NeededLine { .. } => "longLine",
            FieldKind::Lines { .. } => "lines",
            FieldKind::Dollars
            | FieldKind::OptionalDollars
            | FieldKind::Whole { .. }
            | FieldKind::OptionalWhole { .. } => "number",
            FieldKind::Date | FieldKind::OptionalDate => "date",
            FieldKind::MailSubject(_) => "longLine",
            FieldKind::MailText(_) | FieldKind::LetterText(_) | FieldKind::Snippet { .. } => "text",
            FieldKind::Choice(_) => "choice",
        },
        value: value.clone(),
        built_in: field.built_in.clone(),
        group: field.group.clone(),
        choices: match field.kind {
            FieldKind::Choice(choices) => choices.iter().map(choice).collect(),
            _ => Vec::new(),
        },
    }
}

fn choice((value, label): &(&str, &str)) -> Choice {
    Choice { value: (*value).to_owned(), label: (*label).to_owned() }
}

/// Returns the differences between two sets of values, by the labels of their fields.
fn differences(fields: &[Field], first: &Values, second: &Values) -> Vec<Difference> {
    let known = |field: &Field| {
        let (first, second) = (shown(field, first), shown(field, second));
        let title = match field.group.as_str() {
            "" => field.label.clone(),
            group => format!("{group} {}", field.label),
        };
        Difference { title, field: String::new(), first, second }
    };
    let names: std::collections::BTreeSet<&String> = first.keys().chain(second.keys()).collect();
    let gone = names.into_iter().filter(|name| fields.iter().all(|field| field.name != **name));
    let bare = |name: &String| {
        let value = |values: &Values| values.get(name).cloned().unwrap_or_default();
        Difference { title: name.clone(), field: String::new(), first: value(first), second: value(second) }
    };
    let all = fields.iter().map(known).chain(gone.map(bare));
    all.filter(|difference| difference.first != difference.second).collect()
}

/// Returns a field's value in words.
fn shown(field: &Field, values: &Values) -> String {
    let value = values.get(&field.name).unwrap_or(&field.built_in);
    let choice = match field.kind {
        FieldKind::Choice(choices) => choices.iter().find(|(name, _)| name == value),
        _ => None,
    };
    choice.map_or_else(|| value.clone(), |(_, words)| (*words).to_owned())
}

/// Returns every version with what it changed, and the built-in values at the end.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_finds_settings_and_their_fields() {
        let look = |typed: &str| {
            let words: Vec<String> = typed.split_whitespace().map(str::to_lowercase).collect();
            found(&words, "Work", "Who is given an application.", ["Working days", "Reviewers"].into_iter())
        };
        assert_eq!(look(""), Some(vec![]));
        assert_eq!(look("given WORK"), Some(vec![]));
        assert_eq!(look("days"), Some(vec!["Working days".to_owned()]));
        assert_eq!(look("days reviewers"), None);
    }
}
