//! The list of applications. The address holds the view.

use std::collections::BTreeMap;

use axum::http::StatusCode;
use axum::response::Response;

use super::Office;
use crate::page::{FormState, Screen, Typed};
use crate::props::office::applications::{
    ActiveFilter, AdminApplicationsProps, BulkRow, BulkStep, FileLink, HeadSort, ListColumn, ListFilter, ListRow,
    ListTab, ListViewRow, ListViews, SortOrder,
};
use crate::props::office::{Choice, Undo};
use crate::{Form, moment, problem, respond};
use app::office::list_views::may_change;
use app::office::listings::{self, FoundApplications, ListOverview, MAX_MARKED, MarkResult};
use app::{App, Error, Refusal};
use domain::application::PAYMENTS;
use domain::application_fee::{FeeState, NO_FEE};
use domain::input::FieldError;
use domain::intake::Intake;
use domain::listing::{
    Column, Counted, Cursor, Facet, Layout, Listing, MAX_COUNTED, MISSING, Mark, Marked, NOBODY, ShownColumn, Sort,
    SortBy, Tab, View,
};
use domain::permission::Permission;
use domain::program::Program;
use domain::reference;
use domain::staff::StaffSummary;
use domain::status::{Stage, Status};
use wire::listing::{self, Format};

pub mod bulk;
pub mod figures;
pub mod views;

pub(super) const PATH: &str = "/admin-panel/applications";

pub async fn list(office: Office<'_>, _: &Form) -> Response {
    let (view, errors) = asked_for(office);
    let query = query_pairs(office.visit.parts.uri.query().unwrap_or_default());
    let mut form = FormState::default();
    let status = if errors.is_empty() { StatusCode::OK } else { StatusCode::UNPROCESSABLE_ENTITY };
    for FieldError { path, message, .. } in errors {
        let typed = query.iter().rfind(|(name, _)| *name == path).map(|(_, value)| value.clone());
        form.values.insert(path.clone(), Typed::One(typed.unwrap_or_default()));
        form.errors.push((path, message));
    }
    let message = match office.visit.query("done").as_deref() {
        Some("view-saved") => Some("The view is saved."),
        Some("view-renamed") => Some("The view has its new name."),
        Some("given-back") => Some("Undone. Each application is back with its former owner."),
        Some("given-back-in-part") => {
            Some("Undone, except where the former owner has left or the application is no longer listed.")
        }
        Some("columns-kept") => Some("These are your columns from now on."),
        Some("columns-usual") => Some("The usual columns are back."),
        Some("view-deleted") => Some("The view is deleted. What it showed is as it was."),
        _ => None,
    };
    form.message = message.map(Into::into);
    respond_with_list(office, &view, form, None, status).await
}

/// Exports the list as comma-separated values.
pub async fn as_csv(office: Office<'_>, _: &Form) -> Response {
    file(office, Format::Csv).await
}

/// Exports the list as a workbook.
pub async fn as_xlsx(office: Office<'_>, _: &Form) -> Response {
    file(office, Format::Xlsx).await
}

async fn file(office: Office<'_>, format: Format) -> Response {
    let (view, errors) = asked_for(office);
    if !errors.is_empty() {
        return problem::page(office.visit, problem::BAD_REQUEST).await;
    }
    let app = &office.visit.state.app;
    match app.begin_export(office.who, &view, format.ending()).await {
        Ok(export) => listing::file(app.clone(), export, format, office.zone().to_owned(), office.visit.now()),
        Err(error) => office.unavailable(&error).await,
    }
}

/// Changes the owner or a tag of the chosen applications: first shows what will be done, then does it.
pub async fn mark(office: Office<'_>, form: &Form) -> Response {
    let app = &office.visit.state.app;
    let (view, _) = view_of(office, form.get("here"));
    let action = form.get("_action");
    if action == "give-back" {
        return give_back(office, form, &view).await;
    }
    let is_confirmed = form.get("confirmed") == "yes";
    let parsed = match action {
        "assign" if form.get("assignee").is_empty() => Err(invalid("assignee", "Choose who looks after them.")),
        "assign" => Ok(Mark::Owner(Some(form.get("assignee").to_owned()).filter(|owner| owner != NOBODY))),
        "tag" => App::parse_tag(form.get("newTag")).map(Mark::AddTag).map_err(Error::from),
        "untag" => App::parse_tag(form.get("newTag")).map(Mark::RemoveTag).map_err(Error::from),
        _ => return problem::page(office.visit, problem::BAD_REQUEST).await,
    };
    let outcome = async {
        let mark = parsed?;
        let ids = chosen(office, form, &view).await?;
        let rows = app.listed_applications(office.who, &ids).await?;
        let results = match is_confirmed {
            true => app.mark_applications(office.who, &ids, &mark).await?,
            false => Vec::new(),
        };
        step(office, action, &mark, &rows, &results, is_confirmed).await
    };
    match outcome.await {
        Ok(step) => {
            respond_with_list(office, &view, FormState::default(), Some(Step::Bulk(step)), StatusCode::OK).await
        }
        Err(error) => respond_with_list(office, &view, form.refused(&error), None, problem::status(&error)).await,
    }
}

/// Returns the applications that a form is about, without duplicates: those ticked, or all of the view it was sent
/// from.
async fn chosen(office: Office<'_>, form: &Form, view: &View) -> Result<Vec<String>, Error> {
    let mut ids: Vec<String> = match form.get("whole") {
        "yes" => office.visit.state.app.whole_view(office.who, view).await?,
        _ => Vec::new(),
    };
    for (_, id) in form.fields().iter().filter(|(name, _)| name == "id") {
        if !ids.contains(id) {
            ids.push(id.clone());
        }
    }
    if ids.is_empty() { Err(invalid("id", "Choose at least one application in the list.")) } else { Ok(ids) }
}

fn invalid(field: &'static str, sentence: &'static str) -> Error {
    Error::Invalid(vec![FieldError::new(field, format!("{field}.required"), sentence)])
}

async fn step(
    office: Office<'_>,
    action: &str,
    mark: &Mark,
    rows: &[Listing],
    results: &[MarkResult],
    done: bool,
) -> Result<BulkStep, Error> {
    let these = match rows.len() {
        1 => "1 application".to_owned(),
        several => format!("{several} applications"),
    };
    let (title, value) = match mark {
        Mark::Owner(None) => (format!("Nobody looks after {these}"), NOBODY.to_owned()),
        Mark::Owner(Some(owner)) => {
            let called = office.visit.state.app.staff_by_id(owner).await?.called().to_owned();
            (format!("{called} looks after {these}"), owner.clone())
        }
        Mark::AddTag(tag) => (format!("Tag “{tag}” on {these}"), tag.clone()),
        Mark::RemoveTag(tag) => (format!("Tag “{tag}” taken off {these}"), tag.clone()),
    };
    let row = |listing: &Listing| {
        let result = results.iter().find(|result| result.application_id == listing.application_id);
        let marked = result.map(|result| result.marked);
        BulkRow {
            id: listing.application_id.clone(),
            name: name(listing),
            reference: listing.reference.clone().unwrap_or_default(),
            outcome: marked.map(|marked| match marked {
                Marked::Done => "Done",
                Marked::Unchanged => "It was so already",
                Marked::Missing => "Not in the list any more",
                Marked::Full => "It has 20 tags: take one off first",
                Marked::Unavailable => "Not done: try again in a minute",
            }),
            failed: marked.is_some_and(|marked| !matches!(marked, Marked::Done | Marked::Unchanged)),
        }
    };
    let undo = done.then(|| undo(action, &value, rows, results)).flatten();
    Ok(BulkStep { undo, title, action: action.to_owned(), value, rows: rows.iter().map(row).collect(), done })
}

/// Returns the form that undoes a change, for the applications that were changed, with their previous owners.
fn undo(action: &str, value: &str, rows: &[Listing], results: &[MarkResult]) -> Option<Undo> {
    let is_changed = |row: &&Listing| {
        let result = results.iter().find(|result| result.application_id == row.application_id);
        result.is_some_and(|result| result.marked == Marked::Done)
    };
    let changed: Vec<&Listing> = rows.iter().filter(is_changed).collect();
    let mut fields = match action {
        "assign" => vec![("_action", "give-back".to_owned())],
        "tag" => vec![("_action", "untag".to_owned()), ("newTag", value.to_owned())],
        _ => vec![("_action", "tag".to_owned()), ("newTag", value.to_owned())],
    };
    for row in &changed {
        fields.push(("id", row.application_id.clone()));
        if action == "assign" {
            fields.push(("owner", row.sort_key(SortBy::Owner)));
        }
    }
    fields.push(("confirmed", "yes".to_owned()));
    (!changed.is_empty()).then(|| Undo { href: PATH.to_owned(), fields })
}

/// Gives applications back to their previous owners.
async fn give_back(office: Office<'_>, form: &Form, view: &View) -> Response {
    let values = |name: &str| -> Vec<String> {
        form.fields().iter().filter(|(one, _)| one == name).map(|(_, value)| value.clone()).collect()
    };
    let pairs: Vec<(String, String)> = values("id").into_iter().zip(values("owner")).collect();
    let mut owners: Vec<&String> = pairs.iter().map(|(_, owner)| owner).collect();
    owners.sort();
    owners.dedup();
    let mut is_all = true;
    for owner in owners {
        let ids: Vec<String> = pairs.iter().filter(|(_, one)| one == owner).map(|(id, _)| id.clone()).collect();
        let mark = Mark::Owner(Some(owner.clone()).filter(|owner| owner != NOBODY));
        match office.visit.state.app.mark_applications(office.who, &ids, &mark).await {
            Ok(results) => {
                is_all &= results.iter().all(|result| matches!(result.marked, Marked::Done | Marked::Unchanged));
            }
            // The previous owner has left meanwhile.
            Err(Error::Refused(Refusal::StaffNotFound)) => is_all = false,
            Err(error) => {
                return respond_with_list(office, view, form.refused(&error), None, problem::status(&error)).await;
            }
        }
    }
    let done = if is_all { "given-back" } else { "given-back-in-part" };
    respond::see_other(&format!("{}&done={done}", href(view)))
}

/// What the page asks to confirm, or reports the outcome of.
enum Step {
    Bulk(BulkStep),
    DeleteView(String),
}

/// Returns the view of a tab without filters, laid out like this view.
fn bare(view: &View, tab: Tab) -> View {
    let all = View::parse([("tab", tab.as_str())]).0;
    View { layout: view.layout.clone(), page_size: view.page_size, ..all }
}

/// Reads the view from the address.
fn asked_for(office: Office<'_>) -> (View, Vec<FieldError>) {
    view_of(office, office.visit.parts.uri.query().unwrap_or_default())
}

pub(super) fn view_of(office: Office<'_>, query: &str) -> (View, Vec<FieldError>) {
    listings::view_of_query(&office.who.staff, query)
}

fn query_pairs(query: &str) -> Vec<(String, String)> {
    url::form_urlencoded::parse(query.as_bytes()).into_owned().collect()
}

fn query_of(view: &View, cursor: Option<(&str, &Cursor)>) -> String {
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    query.extend_pairs(view.to_query());
    if let Some((direction, cursor)) = cursor {
        query.append_pair(direction, &cursor.to_text());
    }
    query.finish()
}

fn href(view: &View) -> String {
    format!("{PATH}?{}", query_of(view, None))
}

async fn respond_with_list(
    office: Office<'_>,
    view: &View,
    form: FormState,
    step: Option<Step>,
    status: StatusCode,
) -> Response {
    let app = &office.visit.state.app;
    let here = query_of(view, None);
    let kept = app.list_layout(office.who).await;
    let named = app.counted_views(office.who, &here).await;
    let (kept, named) = match (kept, named) {
        (Ok(kept), Ok(named)) => (kept, named),
        (Err(error), _) | (_, Err(error)) => return office.unavailable(&error).await,
    };
    let layout = view.layout.clone().or(&kept.clone().unwrap_or_default()).or(&Layout::usual());
    let overview = match office.visit.state.app.list_applications(office.who, view).await {
        Ok(overview) => overview,
        Err(error) => return office.unavailable(&error).await,
    };
    let ListOverview { found: FoundApplications { page, count }, tabs, all_staff, tags } = overview;
    let order = office.visit.state.app.list_order(view);
    let cursor = |row: Option<&Listing>, is_before: bool| row.map(|row| Cursor { is_before, ..order.cursor(row) });
    let turned = |direction, cursor: Option<Cursor>| {
        cursor.map(|cursor| format!("{PATH}?{}", query_of(view, Some((direction, &cursor)))))
    };
    // Includes the page of the view, so that the way back leads there.
    let place =
        query_of(view, view.cursor.as_ref().map(|cursor| (if cursor.is_before { "before" } else { "after" }, cursor)));
    let may = |permission| office.who.staff.role.may(permission);
    let everybody: Vec<Choice> = all_staff.iter().filter(|one| one.suspended_at.is_none()).map(person).collect();
    let props = AdminApplicationsProps {
        tabs: tabs
            .into_iter()
            .map(|(tab, count)| ListTab {
                label: tab.label(),
                href: href(&bare(view, tab)),
                count: counted(count),
                current: tab == view.tab && named.iter().all(|(one, _)| one.query != here),
            })
            .collect(),
        values: values(view, &form),
        filters: filters(office, &tags),
        sorts: Sort::all().map(|sort| choice(&sort.as_text(), sort.label())).collect(),
        active: active(view, &all_staff),
        count_text: match count {
            Counted { number: 1, is_all: true } => "1 application".to_owned(),
            Counted { is_all: true, .. } => format!("{} applications", counted(count)),
            Counted { number: MAX_COUNTED, .. } => "More than 1,000 applications".to_owned(),
            Counted { number, .. } => format!("At least {number} applications"),
        },
        previous_href: turned("before", cursor(page.rows.first(), true).filter(|_| page.has_before)),
        next_href: turned("after", cursor(page.rows.last(), false).filter(|_| page.has_after)),
        clear_href: href(&bare(view, view.tab)),
        columns: columns(view, &layout),
        name_sort: head_sort(view, SortBy::Name),
        name_width: layout.name_width,
        column_choices: Column::ALL
            .into_iter()
            .filter(|column| !column.is_personal() || may(Permission::PersonalData))
            .map(|column| choice(column.as_str(), column.label()))
            .collect(),
        has_own_columns: view.layout != Layout::default() && named.iter().all(|(one, _)| one.query != here),
        has_kept_columns: kept.is_some(),
        views: ListViews {
            all: named
                .into_iter()
                .map(|(one, count)| ListViewRow {
                    count: count.map(counted),
                    href: format!("{PATH}?{}", one.query),
                    current: one.query == here,
                    may_change: may_change(office.who, &one),
                    id: one.id,
                    name: one.name,
                    shared: one.shared,
                })
                .collect(),
            may_share: may(Permission::ShareViews),
            key: office.visit.state.app.random.id(),
            deleting: match &step {
                Some(Step::DeleteView(id)) => Some(id.clone()),
                _ => None,
            },
        },
        exports: [Format::Csv, Format::Xlsx]
            .into_iter()
            .filter(|_| may(Permission::Export))
            .map(|format| FileLink { label: file_label(format), href: format!("{PATH}.{}?{here}", format.ending()) })
            .collect(),
        here,
        work: work(office, view.tab),
        may_assign: may(Permission::Assign),
        may_import: may(Permission::Import),
        acts: bulk::offered(office),
        // If everything fits on one page, it can be ticked there.
        whole: (count.is_all && count.number <= MAX_MARKED as i64 && (page.has_before || page.has_after))
            .then(|| format!("All {} of this view", count.number)),
        rows: page.rows.iter().map(|listing| row(office, listing, &layout, &all_staff)).collect(),
        row_query: super::dossier::query_of_view(&place),
        owners: everybody,
        tags,
        bulk: match step {
            Some(Step::Bulk(bulk)) => Some(bulk),
            _ => None,
        },
        form,
    };
    office.page(Screen::AdminApplications(Box::new(props)), "Applications", status).await
}

/// Returns what a click on a column's head does: sorts by it or, if already sorted by it, reverses the order.
fn head_sort(view: &View, by: SortBy) -> HeadSort {
    let natural = Sort { by, is_back: false };
    let next = |now: Option<Sort>| if now == Some(natural) { natural.reversed() } else { natural };
    let then = view.then.filter(|then| then.by == by);
    let now = Some(view.sort).filter(|sort| sort.by == by);
    let order = |sort: Sort| if sort.is_ascending() { SortOrder::Ascending } else { SortOrder::Descending };
    let then_view = View { then: Some(next(then)), cursor: None, ..view.clone() };
    HeadSort {
        href: href(&View { sort: next(now), then: None, cursor: None, ..view.clone() }),
        then_href: now.is_none().then(|| href(&then_view)),
        order: now.or(then).map(order),
        is_second: then.is_some(),
    }
}

/// Returns the visible columns.
fn columns(view: &View, layout: &Layout) -> Vec<ListColumn> {
    let column = |ShownColumn { column, width }: &ShownColumn| ListColumn {
        value: column.as_str(),
        label: column.label(),
        sort: column.sort().map(|by| head_sort(view, by)),
        width: *width,
    };
    layout.columns.iter().map(column).collect()
}

fn file_label(format: Format) -> &'static str {
    match format {
        Format::Csv => "Save this view as CSV",
        Format::Xlsx => "Save this view as XLSX",
    }
}

/// Returns the link to the page where many of a tab's applications are worked on.
fn work(office: Office<'_>, tab: Tab) -> Option<ActiveFilter> {
    let (label, href, permission) = match tab {
        Tab::Decisions => ("Decisions to release", super::decisions::PATH, Permission::Release),
        Tab::Interviews => ("Calendar and times", super::interviews::PATH, Permission::Interview),
        _ => return None,
    };
    let link = || ActiveFilter { label: label.to_owned(), href: href.to_owned() };
    office.who.staff.role.may(permission).then(link)
}

pub(super) fn counted(Counted { number, is_all }: Counted) -> String {
    let number = if number == MAX_COUNTED { "1,000".to_owned() } else { number.to_string() };
    if is_all { number } else { format!("{number}+") }
}

pub(super) fn choice(value: &str, label: &str) -> Choice {
    Choice { value: value.to_owned(), label: label.to_owned() }
}

fn person(staff: &StaffSummary) -> Choice {
    choice(&staff.id, staff.called())
}

fn name(listing: &Listing) -> String {
    let name = format!("{} {}", listing.first_name, listing.last_name);
    if name.trim().is_empty() { "Erased".to_owned() } else { name.trim().to_owned() }
}

fn row(office: Office<'_>, listing: &Listing, layout: &Layout, all_staff: &[StaffSummary]) -> ListRow {
    ListRow {
        id: listing.application_id.clone(),
        name: name(listing),
        reference: listing.reference.clone().unwrap_or_default(),
        cells: layout.columns.iter().map(|shown| cell(office, listing, shown.column, all_staff)).collect(),
        needs_action: listing.needs_action,
        lacks_documents: listing.values(Facet::Documents).next().is_some(),
        fee_due: listing.fee_due(),
    }
}

fn cell(office: Office<'_>, listing: &Listing, column: Column, all_staff: &[StaffSummary]) -> String {
    let values_of = |facet: Facet| {
        let texts: Vec<String> = listing.values(facet).map(|value| facet_text(facet, value, all_staff)).collect();
        texts.join(", ")
    };
    let text = match column {
        Column::Stage => listing.stage.label().to_owned(),
        Column::Program => short(listing.program).to_owned(),
        Column::Waiting => match listing.days_waiting(office.visit.now()) {
            1 => "1 day".to_owned(),
            days => format!("{days} days"),
        },
        Column::Submitted => moment::short(listing.submitted_at, office.zone()).to_string(),
        Column::Interview => {
            let (day, time) = (|at| moment::short(at, office.zone()), |at| moment::time(at, office.zone()));
            listing.interview_at.map(|at| format!("{}, {}", day(at), time(at))).unwrap_or_default()
        }
        Column::Email => listing.email.clone(),
        Column::Phone => listing.phone_number.clone(),
        Column::Owner => values_of(Facet::Owner),
        Column::Tags => listing.values(Facet::Tag).collect::<Vec<_>>().join(", "),
        Column::Intake => values_of(Facet::Intake),
        Column::Country => values_of(Facet::Country),
        Column::State => values_of(Facet::State),
        Column::Citizen => values_of(Facet::Citizen),
        Column::Military => values_of(Facet::Military),
        Column::Dod => values_of(Facet::Dod),
        Column::Funding => values_of(Facet::Funding),
        Column::Fee => values_of(Facet::Fee),
    };
    if text.is_empty() { "–".to_owned() } else { text }
}

/// Returns a facet's value as displayed.
fn facet_text(facet: Facet, value: &str, all_staff: &[StaffSummary]) -> String {
    let known = match facet {
        Facet::Owner if value != NOBODY => Some(
            all_staff
                .iter()
                .find(|one| one.id == value)
                .map_or_else(|| "Somebody who left".to_owned(), |one| one.called().to_owned()),
        ),
        Facet::Stage => Stage::parse(value).map(|stage| stage.label().to_owned()),
        Facet::Program => Program::of_application_type(value).map(|program| short(program).to_owned()),
        Facet::Funding => {
            PAYMENTS.iter().find(|payment| payment.value == value).map(|payment| payment.label.to_string())
        }
        Facet::Intake => Intake::parse(value).map(|intake| intake.name().to_string()),
        Facet::State => reference::us_state_name(value).map(str::to_owned),
        Facet::Country => reference::country(value).map(|country| country.name.clone()),
        _ => None,
    };
    known.unwrap_or_else(|| capital(value))
}

pub(super) fn short(program: Program) -> &'static str {
    match program {
        Program::Bachelor => "Bachelor’s",
        Program::Masters => "Master’s",
    }
}

/// Returns what the filter form shows: the view and, in invalid fields, what was typed.
fn values(view: &View, form: &FormState) -> BTreeMap<String, String> {
    let refused = form.values.iter().filter_map(|(name, typed)| match typed {
        Typed::One(typed) if form.errors.iter().any(|(refused, _)| refused == name) => {
            Some((name.clone(), typed.clone()))
        }
        _ => None,
    });
    view.to_query().into_iter().map(|(name, value)| (name.to_owned(), value)).chain(refused).collect()
}

/// Returns the filters to choose from. Those that reveal where somebody lives need the permission.
fn filters(office: Office<'_>, tags: &[String]) -> Vec<ListFilter> {
    let yes_no = || vec![choice("yes", "Yes"), choice("no", "No")];
    let today = moment::date(office.visit.now(), office.zone());
    let may_see = |facet: &Facet| !facet.is_personal() || office.who.staff.role.may(Permission::PersonalData);
    let options = |facet: Facet| -> Option<Vec<Choice>> {
        Some(match facet {
            Facet::Owner | Facet::State | Facet::Country => return None,
            Facet::Program => {
                Program::ALL.into_iter().map(|program| choice(program.application_type(), short(program))).collect()
            }
            Facet::Status => Status::ALL
                .into_iter()
                .filter(|status| *status != Status::None)
                .map(|status| choice(status.as_str(), &capital(status.as_str())))
                .collect(),
            Facet::Stage => Stage::ALL
                .into_iter()
                .filter(|stage| Tab::All.has(*stage))
                .map(|stage| choice(stage.as_str(), stage.label()))
                .collect(),
            Facet::Intake => Intake::within(today, 24)
                .into_iter()
                .map(|intake| choice(&intake.code(), &intake.name().to_string()))
                .collect(),
            Facet::Military | Facet::Dod | Facet::Citizen => yes_no(),
            Facet::Funding => {
                PAYMENTS.iter().map(|payment| choice(payment.value, &payment.label.to_string())).collect()
            }
            Facet::Documents => vec![choice(MISSING, "A required one is missing")],
            Facet::Fee => {
                let states = FeeState::ALL.into_iter().map(FeeState::as_str).chain([NO_FEE]);
                states.map(|state| choice(state, &capital(state))).collect()
            }
            Facet::Tag => tags.iter().map(|tag| choice(tag, tag)).collect(),
        })
    };
    let has_any = |filter: &ListFilter| filter.options.as_ref().is_none_or(|options| !options.is_empty());
    let filter = |facet: Facet| ListFilter { name: facet.as_str(), label: facet.label(), options: options(facet) };
    Facet::ALL.into_iter().filter(may_see).map(filter).filter(has_any).collect()
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// Returns what narrows the view besides the search, which its field shows; each links to the view without it.
fn active(view: &View, all_staff: &[StaffSummary]) -> Vec<ActiveFilter> {
    let mut active = Vec::new();
    let mut add = |label: String, without: View| {
        active.push(ActiveFilter { label, href: href(&View { cursor: None, ..without }) });
    };
    for (facet, value) in &view.facets {
        let text = facet_text(*facet, value, all_staff);
        let facets = view.facets.iter().filter(|(one, _)| one != facet).cloned().collect();
        add(format!("{}: {text}", facet.label()), View { facets, ..view.clone() });
    }
    if let Some(day) = view.interview_from {
        add(format!("Interview from {day}"), View { interview_from: None, ..view.clone() });
    }
    if let Some(day) = view.interview_to {
        add(format!("Interview until {day}"), View { interview_to: None, ..view.clone() });
    }
    if let Some(day) = view.submitted_from {
        add(format!("Submitted from {day}"), View { submitted_from: None, ..view.clone() });
    }
    if let Some(day) = view.submitted_to {
        add(format!("Submitted until {day}"), View { submitted_to: None, ..view.clone() });
    }
    if let Some(days) = view.waiting_below {
        add(format!("Waiting fewer than {days} days"), View { waiting_below: None, ..view.clone() });
    }
    if let Some(days) = view.waiting_days {
        add(format!("Waiting {days} days or longer"), View { waiting_days: None, ..view.clone() });
    }
    active
}
