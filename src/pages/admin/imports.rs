//! Imports of applicants and applications: uploading a file, saying which column is for what, looking at its rows,
//! importing them, and undoing that.

use axum::http::StatusCode;
use axum::response::Response;

use super::applications::choice;
use super::{Office, applications, dossier};
use crate::page::{FormState, Screen};
use crate::props::office::Choice;
use crate::props::office::dossier::Line;
use crate::props::office::imports::{
    AdminImportProps, AdminImportRowsProps, AdminImportsProps, ImportColumn, ImportColumnsForm, ImportFieldChoice,
    ImportFieldGroup, ImportFigure, ImportListRow, ImportProblem, ImportProgress, ImportRowField, ImportRowLine,
    ImportRowsTab, ImportStartForm, ImportUndoForm, ImportValueField, OpenImportRow,
};
use crate::{Form, Visit, moment, problem, respond};
use app::{Error, Refusal};
use domain::import::{
    DateOrder, Field, Format, Import, MAX_COLUMNS, MAX_FILE, MAX_ROWS, Outcome, Problem, Row, RowPage, RowQuery, Show,
    ShownField, State,
};
use domain::input::{FieldError, Input};
use domain::language::Language;
use domain::listing::Tab;
use domain::program::Program;
use domain::reference;
use wire::listing::Cell;
use wire::listing::csv::download;

pub const PATH: &str = "/admin-panel/imports";
/// What can be done on an import's page only with the password just entered.
pub const ASKS_AGAIN: [&str; 2] = ["start", "undo"];

/// Fields that can have a value for rows that say nothing, in the order of the form.
const VALUES: [&str; 4] = ["applicationType", "outcome", "country", "language"];

/// Whether the request is for a form with a file.
pub fn takes_file(visit: &Visit) -> bool {
    visit.path == PATH && wire::is_multipart(&visit.parts.headers)
}

pub async fn list(office: Office<'_>, _: &Form) -> Response {
    let message = match office.visit.query("done").as_deref() {
        Some("deleted") => Some("The import is deleted, with its rows.".into()),
        _ => None,
    };
    show_list(office, FormState { message, ..FormState::default() }, StatusCode::OK).await
}

pub async fn upload(office: Office<'_>, form: &Form) -> Response {
    let Office { visit, who, .. } = office;
    let result = match form.file() {
        Some(file) => {
            // Some browsers send where the file was.
            let own = file.name.rsplit(['/', '\\']).next().unwrap_or_default();
            let name = Some(form.get("name").trim()).filter(|name| !name.is_empty()).unwrap_or(own);
            visit.state.app.upload_import(who, name, file.content.clone()).await
        }
        None => Err(FieldError::new("file", "file.required", "Choose a file first.").into()),
    };
    match result {
        Ok(import) => respond::see_other(&address(&import.id)),
        Err(error) => show_list(office, form.refused(&error), problem::status(&error)).await,
    }
}

async fn show_list(office: Office<'_>, form: FormState, status: StatusCode) -> Response {
    let app = &office.visit.state.app;
    let loaded = async { Ok::<_, Error>((app.imports(office.who).await?, app.import_fields(office.who).await?)) };
    let (imports, fields) = match loaded.await {
        Ok(loaded) => loaded,
        Err(error) => return office.unavailable(&error).await,
    };
    let row = |import: Import| ImportListRow {
        href: address(&import.id),
        state: import.state.as_str(),
        state_text: state_text(import.state),
        format: import.format.title(),
        rows: import.counts.rows,
        imported: import.counts.imported + import.counts.kept,
        created_text: moment::full(import.created_at, office.zone()),
        name: import.name,
        created_by: import.created_by,
    };
    let props = AdminImportsProps {
        imports: imports.into_iter().map(row).collect(),
        groups: groups(&fields),
        max_rows: MAX_ROWS,
        max_megabytes: MAX_FILE / 1024 / 1024,
        form,
    };
    office.page(Screen::AdminImports(Box::new(props)), "Imports", status).await
}

/// Returns a file with the headings that most imports need.
pub async fn template(office: Office<'_>, _: &Form) -> Response {
    match office.visit.state.app.import_fields(office.who).await {
        Ok(fields) => {
            let own = fields.iter().filter(|field| !field.key.contains('.'));
            let heads: Vec<Cell> = own.map(|field| Cell::Text(field.label.clone())).collect();
            download("attachment; filename=\"import.csv\"", [heads])
        }
        Err(error) => office.unavailable(&error).await,
    }
}

pub async fn show(office: Office<'_>, _: &Form) -> Response {
    let opens_columns = office.visit.query("change").as_deref() == Some("columns");
    show_one(office, opens_columns, FormState::default(), StatusCode::OK).await
}

pub async fn submit(office: Office<'_>, form: &Form) -> Response {
    let Office { visit, who, id } = office;
    let app = &visit.state.app;
    let ticked = |name: &str| Input::Map(vec![(name.to_owned(), Input::Bool(form.get(name) == "yes"))]);
    let action = form.get("_action");
    let result = match action {
        "map" => app.map_import(who, id, &mapping(form)).await.map(drop),
        "start" => app.start_import(who, id, &ticked("leaveOut")).await.map(drop),
        "undo" => app.undo_import(who, id, &ticked("leave")).await.map(drop),
        "delete" => match app.delete_import(who, id).await {
            Ok(()) | Err(Error::Refused(Refusal::ImportNotFound)) => {
                return respond::see_other(&format!("{PATH}?done=deleted"));
            }
            Err(error) => Err(error),
        },
        _ => return problem::page(visit, problem::BAD_REQUEST).await,
    };
    match result {
        Ok(()) => respond::see_other(&address(id)),
        Err(error) => show_one(office, action == "map", form.refused(&error), problem::status(&error)).await,
    }
}

/// The form's fields, as the API takes them.
fn mapping(form: &Form) -> Input {
    let is_sent = |name: &String| form.fields().iter().any(|(key, _)| key == name);
    let columns = (0..MAX_COLUMNS).map(|index| format!("columns.{index}")).take_while(is_sent);
    let columns = columns.map(|name| Input::Text(form.get(&name).to_owned())).collect();
    let values = form.fields().iter().filter(|(_, value)| !value.is_empty());
    let values = values.filter_map(|(name, value)| {
        let key = name.strip_prefix("values.")?;
        Some((key.to_owned(), Input::Text(value.clone())))
    });
    let mut fields = form.input(&["dates"]);
    fields.push(("columns".into(), Input::List(columns)));
    fields.push(("values".into(), Input::Map(values.collect())));
    fields.push(("tell".into(), Input::Bool(form.get("tell") == "yes")));
    if !form.get("tag").trim().is_empty() {
        fields.extend(form.input(&["tag"]));
    }
    Input::Map(fields)
}

async fn show_one(office: Office<'_>, opens_columns: bool, form: FormState, status: StatusCode) -> Response {
    let Office { visit, who, id } = office;
    let app = &visit.state.app;
    let loaded = async {
        let import = app.import(who, id).await?;
        // Asked for every second while a job works on it, and then not shown.
        let fields = if import.state.is_busy() { Vec::new() } else { app.import_fields(who).await? };
        let can_change = import.state.is_mappable() && import.format != Format::Api;
        let shows_columns = import.state == State::Mapping || (can_change && opens_columns);
        let samples = if shows_columns { Some(app.import_samples(who, &import).await?) } else { None };
        let worked_on = match import.state {
            State::Done if import.counts.imported > 0 => Some(app.import_worked_on(who, id).await?),
            _ => None,
        };
        Ok::<_, Error>((import, fields, can_change, samples, worked_on))
    };
    let (import, fields, can_change, samples, worked_on) = match loaded.await {
        Ok(loaded) => loaded,
        Err(error) => return instead(office, &error).await,
    };
    let href = address(id);
    let has_rows = !matches!(import.state, State::Mapping | State::Checking);
    let columns = samples.map(|samples| columns_form(&import, &fields, &samples));
    let is_open = columns.is_some();
    let hides_facts = is_open || import.state.is_busy();
    let counts = import.counts;
    let props = AdminImportProps {
        name: import.name.clone(),
        format: import.format.title(),
        rows: counts.rows,
        state: import.state.as_str(),
        state_text: state_text(import.state),
        progress: import.progress().map(|(done, of)| ImportProgress { done, of }),
        figures: if is_open { Vec::new() } else { figures(&import) },
        facts: if hides_facts { Vec::new() } else { facts(office, &import, &fields) },
        start: (import.state == State::Checked && counts.importable() > 0).then_some(ImportStartForm {
            rows: counts.importable(),
            wrong: counts.wrong,
            tell: import.mapping.tell,
        }),
        undo: worked_on.map(|worked_on| ImportUndoForm { imported: counts.imported, worked_on }),
        columns_href: (can_change && !is_open).then(|| format!("{href}?change=columns")),
        rows_href: has_rows.then(|| format!("{href}/rows")),
        errors_href: (has_rows && counts.wrong > 0).then(|| format!("{href}/errors.csv")),
        list_href: list_href(&import),
        may_delete: import.is_deletable(),
        columns,
        href,
        form,
    };
    let screen = Screen::AdminImport(Box::new(props));
    match import.state.is_busy() {
        true => office.changing_page(screen, &import.name, status).await,
        false => office.page(screen, &import.name, status).await,
    }
}

/// Returns the page for what does not exist or cannot be reached.
async fn instead(office: Office<'_>, error: &Error) -> Response {
    match error {
        Error::Refused(Refusal::ImportNotFound) => problem::page(office.visit, problem::NO_OFFICE_PAGE).await,
        error => office.unavailable(error).await,
    }
}

fn columns_form(import: &Import, fields: &[Field], samples: &[Vec<String>]) -> ImportColumnsForm {
    let mapping = &import.mapping;
    let column = |(index, header): (usize, &String)| ImportColumn {
        name: format!("columns.{index}"),
        header: header.clone(),
        samples: samples.iter().filter_map(|row| row.get(index)).filter(|cell| !cell.is_empty()).cloned().collect(),
        field: mapping.columns.get(index).cloned().flatten().unwrap_or_default(),
    };
    let value = |key: &str| ImportValueField {
        name: format!("values.{key}"),
        label: label(fields, key).to_owned(),
        value: mapping.values.get(key).cloned().unwrap_or_default(),
        options: options(key),
    };
    let order = |order: DateOrder| choice(order.as_str(), order.label());
    ImportColumnsForm {
        columns: import.headers.iter().enumerate().map(column).collect(),
        groups: groups(fields),
        values: VALUES.map(value).into(),
        date_orders: DateOrder::ALL.map(order).into(),
        dates: mapping.dates.as_str(),
        tag: mapping.tag.clone().unwrap_or_default(),
        tell: mapping.tell,
        close_href: (import.state == State::Checked).then(|| address(&import.id)),
    }
}

fn groups(fields: &[Field]) -> Vec<ImportFieldGroup> {
    let mut groups: Vec<ImportFieldGroup> = Vec::new();
    for field in fields {
        let choice = ImportFieldChoice {
            key: field.key.clone(),
            label: field.label.clone(),
            hint: field.hint.clone(),
            required: field.required,
        };
        match groups.iter_mut().find(|group| group.title == field.group) {
            Some(group) => group.fields.push(choice),
            None => groups.push(ImportFieldGroup { title: field.group.clone(), fields: vec![choice] }),
        }
    }
    groups
}

/// Returns the values of a field to choose from; `None` for countries, which the client knows.
fn options(key: &str) -> Option<Vec<Choice>> {
    let program = |program: Program| choice(program.application_type(), applications::short(program));
    Some(match key {
        "applicationType" => Program::ALL.map(program).into(),
        "outcome" => Outcome::ALL.map(|outcome| choice(outcome.as_str(), outcome.label())).into(),
        "language" => Language::ALL.map(|language| choice(language.as_str(), &language.name().to_string())).into(),
        _ => return None,
    })
}

/// Returns a value of a field in words.
fn said(key: &str, value: &str) -> String {
    let found = options(key).and_then(|options| options.into_iter().find(|option| option.value == value));
    let country = || (key == "country").then(|| reference::country(value)).flatten().map(|it| it.name.clone());
    found.map(|option| option.label).or_else(country).unwrap_or_else(|| value.to_owned())
}

fn label<'a>(fields: &'a [Field], key: &'a str) -> &'a str {
    fields.iter().find(|field| field.key == key).map_or(key, |field| &field.label)
}

fn figures(import: &Import) -> Vec<ImportFigure> {
    let counts = &import.counts;
    let shown = |show: Show| ImportFigure {
        state: show.as_str(),
        label: show.label(),
        count: show.count(counts),
        href: Some(rows_href(&import.id, show, 0)),
    };
    let left_out = || ImportFigure { label: "Left out, with errors", ..shown(Show::Wrong) };
    let undone = || ImportFigure { state: "undone", label: "Undone", count: counts.undone, href: None };
    let kept = || ImportFigure { label: "Kept, because somebody has worked on them", ..shown(Show::Kept) };
    match import.state {
        State::Checked => [Show::Ready, Show::Warned, Show::Wrong].map(shown).into(),
        State::Done if counts.wrong == 0 => vec![shown(Show::Imported)],
        State::Done => vec![shown(Show::Imported), left_out()],
        State::Undone if counts.kept == 0 => vec![undone()],
        State::Undone => vec![undone(), kept()],
        State::Mapping | State::Checking | State::Running | State::Undoing => Vec::new(),
    }
}

/// Describes how an import is read, and what was done when.
fn facts(office: Office<'_>, import: &Import, fields: &[Field]) -> Vec<Line> {
    let line = |name: &str, value: String| Line { name: name.to_owned(), value };
    let at = |at| moment::full(at, office.zone()).to_string();
    let mapping = &import.mapping;
    let sent = if import.format == Format::Api { "Sent" } else { "Uploaded" };
    let read = mapping.columns.iter().filter(|column| column.is_some()).count();
    let values = mapping.values.iter().map(|(key, value)| format!("{}: {}", label(fields, key), said(key, value)));
    let values = values.collect::<Vec<_>>().join("; ");
    let mails = match mapping.tell {
        true => "To new accounts with a draft or a submission",
        false => "None",
    };
    let lines = [
        Some(line(sent, format!("{} by {}", at(import.created_at), import.created_by))),
        (import.format != Format::Api).then(|| line("Columns read", format!("{read} of {}", mapping.columns.len()))),
        (!values.is_empty()).then(|| line("Where a row says nothing", values)),
        Some(line("Days", mapping.dates.label().to_owned())),
        mapping.tag.as_ref().map(|tag| line("Tag", tag.clone())),
        Some(line("Emails", mails.to_owned())),
        import.finished_at.map(|finished| line("Imported", at(finished))),
        import.undone_at.map(|undone| line("Undone", at(undone))),
    ];
    lines.into_iter().flatten().collect()
}

/// Returns the list of the applications with the import's tag, once it has brought in some.
fn list_href(import: &Import) -> Option<String> {
    let tag = import.mapping.tag.as_ref().filter(|_| import.counts.imported + import.counts.kept > 0)?;
    let query = [("tab", Tab::All.as_str()), ("tag", tag.as_str())];
    let query = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(query).finish();
    Some(format!("{}?{query}", applications::PATH))
}

fn state_text(state: State) -> &'static str {
    match state {
        State::Mapping => "Columns to be chosen",
        State::Checking => "Being checked",
        State::Checked => "Checked",
        State::Running => "Being imported",
        State::Done => "Imported",
        State::Undoing => "Being undone",
        State::Undone => "Undone",
    }
}

pub async fn rows(office: Office<'_>, _: &Form) -> Response {
    let Office { visit, who, id } = office;
    let app = &visit.state.app;
    let given = |name: &str| visit.query(name).unwrap_or_default();
    let query = RowQuery {
        show: Show::parse(&given("show")).unwrap_or_default(),
        after: given("after").parse().unwrap_or_default(),
    };
    let loaded = async {
        let import = app.import(who, id).await?;
        let fields = app.import_fields(who).await?;
        let page = app.import_rows(who, id, &query).await?;
        let open = match given("row").parse::<i64>() {
            Ok(number) => match app.import_row(who, id, number).await {
                Err(Error::Refused(Refusal::ImportNotFound)) => None,
                found => Some(found?),
            },
            Err(_) => None,
        };
        // Drafts are their applicants' own: staff cannot open them.
        let rows = page.rows.iter().chain(open.iter().map(|(row, _)| row));
        let ids: Vec<String> = rows.filter_map(|row| row.application_id.clone()).collect();
        let listed = if ids.is_empty() { Vec::new() } else { app.listed_applications(who, &ids).await? };
        let listed: Vec<String> = listed.into_iter().map(|listing| listing.application_id).collect();
        Ok::<_, Error>((import, fields, page, open, listed))
    };
    let (import, fields, page, open, listed) = match loaded.await {
        Ok(loaded) => loaded,
        Err(error) => return instead(office, &error).await,
    };
    let RowPage { rows, next } = page;
    let table = Columns { import: &import, fields: &fields, listed: &listed };
    let here = rows_href(id, query.show, query.after);
    let opened = open.as_ref().map(|(row, _)| row.number);
    let tab = |show: Show| ImportRowsTab {
        label: show.label(),
        href: rows_href(id, show, 0),
        count: show.count(&import.counts),
        current: show == query.show,
    };
    // Those that the import cannot have at this stage would only be in the way.
    let tabs = Show::ALL.into_iter().map(tab).filter(|tab| tab.count > 0 || tab.current);
    let props = AdminImportRowsProps {
        name: import.name.clone(),
        href: address(id),
        tabs: tabs.collect(),
        rows: rows.iter().map(|row| table.line(row, &here, opened)).collect(),
        empty: empty(query.show),
        open: open.map(|(row, fields)| table.open(row, fields, here.clone())),
        first_href: (query.after > 0).then(|| rows_href(id, query.show, 0)),
        next_href: next.map(|next| rows_href(id, query.show, next)),
        errors_href: (import.counts.wrong > 0).then(|| format!("{}/errors.csv", address(id))),
    };
    let title = format!("Rows of {}", import.name);
    office.page(Screen::AdminImportRows(Box::new(props)), &title, StatusCode::OK).await
}

fn empty(show: Show) -> &'static str {
    match show {
        Show::All => "There is no row.",
        Show::Wrong => "No row has errors.",
        Show::Warned => "No row has warnings.",
        Show::Ready => "No row is ready without warnings.",
        Show::Imported => "Nothing is imported.",
        Show::Kept => "Nothing was kept.",
    }
}

/// Returns the rows with errors as they came, with their numbers before and what is wrong after them.
pub async fn errors(office: Office<'_>, _: &Form) -> Response {
    let Office { visit, who, id } = office;
    let app = &visit.state.app;
    let loaded = async { Ok::<_, Error>((app.wrong_rows(who, id).await?, app.import_fields(who).await?)) };
    let ((import, rows), fields) = match loaded.await {
        Ok(loaded) => loaded,
        Err(error) => return instead(office, &error).await,
    };
    let table = Columns { import: &import, fields: &fields, listed: &[] };
    let line = |row: &Row| {
        let cells = row.cells.clone().unwrap_or_else(|| vec![String::new(); import.headers.len()]);
        let problems = row.problems.iter().map(|problem| table.problem(problem)).map(|problem| {
            let ImportProblem { column, message, .. } = problem;
            if column.is_empty() { message } else { format!("{column}: {message}") }
        });
        let problems = problems.collect::<Vec<_>>().join(" ");
        let texts = cells.into_iter().chain([problems]).map(Cell::Text);
        std::iter::once(Cell::Whole(row.number)).chain(texts).collect::<Vec<Cell>>()
    };
    let heads = std::iter::once("Row").chain(import.headers.iter().map(String::as_str)).chain(["Problems"]);
    let heads: Vec<Cell> = heads.map(|head| Cell::Text(head.to_owned())).collect();
    download("attachment; filename=\"errors.csv\"", std::iter::once(heads).chain(rows.iter().map(line)))
}

/// The columns of an import, for showing its rows.
#[derive(Clone, Copy)]
struct Columns<'a> {
    import: &'a Import,
    fields: &'a [Field],
    /// The applications that staff can open.
    listed: &'a [String],
}

impl Columns<'_> {
    fn index(self, key: &str) -> Option<usize> {
        self.import.mapping.columns.iter().position(|column| column.as_deref() == Some(key))
    }

    /// Returns what a row says in a field, or what all rows do that say nothing.
    fn cell(self, row: &Row, key: &str) -> String {
        let Some(cells) = &row.cells else { return String::new() };
        let own = self.index(key).and_then(|index| cells.get(index)).map(|cell| cell.trim());
        let same = || self.import.mapping.values.get(key).map(|value| said(key, value));
        own.filter(|cell| !cell.is_empty()).map(str::to_owned).or_else(same).unwrap_or_default()
    }

    fn problem(self, problem: &Problem) -> ImportProblem {
        let heading = self.index(&problem.field).and_then(|index| self.import.headers.get(index));
        ImportProblem {
            column: heading.map_or_else(|| label(self.fields, &problem.field), String::as_str).to_owned(),
            message: problem.message.clone(),
            warning: problem.warning,
        }
    }

    /// Returns where to read what was imported.
    fn application_href(self, row: &Row) -> Option<String> {
        row.application_id.as_ref().filter(|id| self.listed.contains(id)).map(|id| dossier::href(id, "", ""))
    }

    fn line(self, row: &Row, here: &str, opened: Option<i64>) -> ImportRowLine {
        let cell = |key: &str| self.cell(row, key);
        let typed = format!("{} {}", cell("firstName"), cell("lastName"));
        ImportRowLine {
            number: row.number,
            href: format!("{here}&row={}#row", row.number),
            current: opened == Some(row.number),
            name: row.name.as_deref().unwrap_or(&typed).trim().to_owned(),
            email: cell("email"),
            program: cell("applicationType"),
            outcome: cell("outcome"),
            reference: row.reference.clone().unwrap_or_default(),
            state: row.state.as_str(),
            state_text: row.state.label(),
            problems: row.problems.iter().map(|problem| self.problem(problem)).collect(),
            application_href: self.application_href(row),
        }
    }

    fn open(self, row: Row, fields: Vec<ShownField>, close_href: String) -> OpenImportRow {
        let is_shown = |problem: &&Problem| fields.iter().any(|field| field.field == problem.field);
        let problems = row.problems.iter().filter(|problem| !is_shown(problem));
        OpenImportRow {
            number: row.number,
            state: row.state.as_str(),
            state_text: row.state.label(),
            problems: problems.map(|problem| self.problem(problem)).collect(),
            application_href: self.application_href(&row),
            reference: row.reference,
            fields: fields
                .iter()
                .map(|field| ImportRowField {
                    label: field.label.clone(),
                    column: field.column.clone(),
                    sent: field.sent.clone(),
                    read: field.read.clone(),
                    problems: field.problems.iter().map(|problem| self.problem(problem)).collect(),
                })
                .collect(),
            close_href,
        }
    }
}

fn address(id: &str) -> String {
    format!("{PATH}/{id}")
}

/// Returns the address of one row of an import.
pub fn row_href(id: &str, number: i64) -> String {
    format!("{}&row={number}#row", rows_href(id, Show::All, 0))
}

fn rows_href(id: &str, show: Show, after: i64) -> String {
    let after = if after == 0 { String::new() } else { format!("&after={after}") };
    format!("{}/rows?show={}{after}", address(id), show.as_str())
}
