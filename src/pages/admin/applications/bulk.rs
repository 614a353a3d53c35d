//! Acts on several applications that take a page of their own: what to do is written, previewed as it would be, and
//! done; then each row shows its outcome.

use std::collections::BTreeMap;

use axum::http::StatusCode;
use axum::response::Response;
use serde::Serialize;

use super::{PATH, chosen, name, query_of, respond_with_list, view_of};
use crate::admin::Office;
use crate::admin::dossier::decision::{DraftChoices, choices, named_outcome, paragraphs, typed};
use crate::form::log;
use crate::page::{FormState, Screen, Typed};
use crate::props::office::Choice;
use crate::props::office::applications::ListAct;
use crate::{Form, problem, respond};
use app::applications::acts::Preconditions;
use app::decisions::drafting::{ReleaseFacts, is_decidable, may_be_released, needs_waiver};
use app::office::bulk::{Mailing, NotAsked, RowResult, Sample, confirmed};
use app::{Error, Refusal};
use domain::decision::Decision;
use domain::documents::{Slot, of_answers};
use domain::input::Input;
use domain::listing::{Facet, Listing, View};
use domain::merging::OF_APPLICANT;
use domain::permission::Permission;
use domain::status::Outcome;

const MAIL: &str = "/admin-panel/applications/mail";
const DRAFT: &str = "/admin-panel/applications/draft";
const ASK: &str = "/admin-panel/applications/ask";

/// Number of letters and requests shown in a preview.
const SAMPLES: usize = 3;

/// An act on several applications: written, previewed with real data, and done.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AdminBulkProps {
    pub act: Act,
    pub step: Step,
    pub title: String,
    pub rows: Vec<BulkActRow>,
    /// For the first rows, as they would be sent.
    pub samples: Vec<BulkSample>,
    /// With their braces.
    pub mail_fields: Vec<String>,
    /// The documents that can be asked for.
    pub documents: Vec<Choice>,
    /// For an act that drafts.
    pub draft: Option<DraftChoices>,
    pub needs_waiver: bool,
    /// The missing documents, in words; null for none.
    pub missing_text: Option<&'static str>,
    /// The view's query, for forms that return to it.
    pub here: String,
    /// Identifies what is previewed, so that a double click does it once.
    pub form_key: String,
    pub form: FormState,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "BulkAct"))]
#[serde(rename_all = "lowercase")]
pub enum Act {
    Mail,
    Ask,
    Draft,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "BulkActStep"))]
#[serde(rename_all = "lowercase")]
pub enum Step {
    Write,
    Look,
    Done,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BulkActRow {
    pub id: String,
    /// Empty for an application that no longer exists.
    pub href: String,
    pub name: String,
    pub reference: String,
    pub stage: &'static str,
    /// The outcome, or what to know beforehand.
    pub told: Option<String>,
    pub failed: bool,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BulkSample {
    pub name: String,
    /// Letters do not have one.
    pub subject: Option<String>,
    pub paragraphs: Vec<String>,
}

/// What a row says: the outcome, or what to know beforehand.
#[derive(Debug, Clone)]
struct RowOutcome {
    text: String,
    failed: bool,
}

impl RowOutcome {
    fn sent(now: bool) -> RowOutcome {
        let text = if now { "Sent" } else { "Sent before, and not again" };
        RowOutcome { text: text.to_owned(), failed: false }
    }

    fn not_asked(why: NotAsked) -> RowOutcome {
        RowOutcome { text: why.sentence().to_owned(), failed: true }
    }
}

impl From<Sample> for BulkSample {
    fn from(Sample { name, subject, text }: Sample) -> BulkSample {
        BulkSample { name, subject: Some(subject), paragraphs: paragraphs(text.trim_end()) }
    }
}

fn document(slot: Slot) -> Choice {
    Choice { value: slot.name().to_owned(), label: slot.label.to_string() }
}

/// Returns the acts offered for the chosen applications.
pub fn offered(office: Office<'_>) -> Vec<ListAct> {
    let act = |permission, label, href, action| {
        office.who.staff.role.may(permission).then_some(ListAct { label, href, action })
    };
    let all = [
        act(Permission::WriteToApplicants, "Write a mail…", MAIL, "write"),
        act(Permission::ReviewDocuments, "Ask for a document…", ASK, "write"),
        act(Permission::Decide, "Draft an acceptance…", DRAFT, "accept"),
        act(Permission::Decide, "Draft a rejection…", DRAFT, "reject"),
    ];
    all.into_iter().flatten().collect()
}

/// Leads back to the list: with nothing chosen, there is nothing to do.
pub async fn begin(_: Office<'_>, _: &Form) -> Response {
    respond::see_other(PATH)
}

/// Writes to the chosen applicants.
pub async fn mail(office: Office<'_>, form: &Form) -> Response {
    let desk = match Desk::open(office, form).await {
        Ok(desk) => desk,
        Err(response) => return response,
    };
    let app = &office.visit.state.app;
    let closed = |row: &Listing| row.email.is_empty().then(|| failed(&Refusal::NobodyToWriteTo.into()));
    let page = |step, title| Page { told: desk.about_rows(closed), ..Page::new(Act::Mail, step, title) };
    let write = || page(Step::Write, format!("Write to {}", desk.counted("applicant")));
    let mailing = match form.get("_action") {
        "write" => return desk.show(write(), form.state(), StatusCode::OK).await,
        "look" | "do" => Mailing::parse(&Input::Map(form.input(&["subject", "text"]))),
        _ => return problem::page(office.visit, problem::BAD_REQUEST).await,
    };
    let mailing = match mailing {
        Ok(mailing) => mailing,
        Err(errors) => return desk.refuse(write(), form, &errors.into()).await,
    };
    let counted = desk.confirmed(form);
    if form.get("_action") == "look" || counted.is_err() {
        let samples = match app.preview_mailing(office.who, &desk.ids, &mailing).await {
            Ok(samples) => samples,
            Err(error) => return desk.refuse(write(), form, &error).await,
        };
        let look = page(Step::Look, format!("Send this mail to {}?", desk.counted("applicant")));
        let samples = samples.into_iter().filter_map(|sample| sample.result.ok()).take(SAMPLES);
        let look = Page { samples: samples.map(BulkSample::from).collect(), ..look };
        return desk.look(look, form, counted).await;
    }
    match app.write_to_applicants(office.who, &desk.ids, &desk.key(), &mailing).await {
        Ok(results) => {
            let done = Page::new(Act::Mail, Step::Done, format!("Mails to {}", desk.counted("applicant")));
            let done = Page { told: outcomes_of(results, RowOutcome::sent), ..done };
            desk.show(done, FormState::default(), StatusCode::OK).await
        }
        Err(error) => desk.refuse(write(), form, &error).await,
    }
}

/// Asks the chosen applicants for a document.
pub async fn ask(office: Office<'_>, form: &Form) -> Response {
    let desk = match Desk::open(office, form).await {
        Ok(desk) => desk,
        Err(response) => return response,
    };
    let app = &office.visit.state.app;
    let title = format!("Ask {} for a document", desk.counted("applicant"));
    let write = || Page::new(Act::Ask, Step::Write, title.clone());
    let asked = match form.get("_action") {
        "write" => return desk.show(write(), form.state(), StatusCode::OK).await,
        "look" | "do" => app.parse_asking(&Input::Map(form.input(&["document", "text", "dueOn"]))),
        _ => return problem::page(office.visit, problem::BAD_REQUEST).await,
    };
    let asked = match asked {
        Ok(asked) => asked,
        Err(errors) => return desk.refuse(write(), form, &errors.into()).await,
    };
    let counted = desk.confirmed(form);
    if form.get("_action") == "look" || counted.is_err() {
        let results = match app.preview_asking(office.who, &desk.ids, &asked).await {
            Ok(results) => results,
            Err(error) => return desk.refuse(write(), form, &error).await,
        };
        let sample = |result: &RowResult<Result<Sample, NotAsked>>| match &result.result {
            Ok(Ok(sample)) => Some(BulkSample::from(sample.clone())),
            _ => None,
        };
        let samples = results.iter().filter_map(sample).take(SAMPLES).collect();
        let left_alone = results.into_iter().filter(|result| !matches!(result.result, Ok(Ok(_)))).collect();
        let outcomes =
            outcomes_of(left_alone, |sample| sample.map_or_else(RowOutcome::not_asked, |_| RowOutcome::sent(true)));
        let look = Page { samples, told: outcomes, ..Page::new(Act::Ask, Step::Look, title.clone()) };
        return desk.look(look, form, counted).await;
    }
    match app.ask_for_document(office.who, &desk.ids, &desk.key(), &asked).await {
        Ok(results) => {
            let outcomes = outcomes_of(results, |asked| asked.map_or_else(RowOutcome::not_asked, RowOutcome::sent));
            let done = Page { told: outcomes, ..Page::new(Act::Ask, Step::Done, title.clone()) };
            desk.show(done, FormState::default(), StatusCode::OK).await
        }
        Err(error) => desk.refuse(write(), form, &error).await,
    }
}

/// Drafts the same decision on the chosen applications.
pub async fn draft(office: Office<'_>, form: &Form) -> Response {
    let desk = match Desk::open(office, form).await {
        Ok(desk) => desk,
        Err(response) => return response,
    };
    let app = &office.visit.state.app;
    let action = form.get("_action");
    let named = named_outcome(action).or_else(|| named_outcome(form.get("outcome")));
    let Some(outcome) = named.filter(|_| matches!(action, "accept" | "reject" | "write" | "look" | "do")) else {
        return problem::page(office.visit, problem::BAD_REQUEST).await;
    };
    let what = match outcome {
        Outcome::Accept => "acceptance",
        Outcome::Reject => "rejection",
    };
    let page = |step, title| Page { outcome: Some(outcome), ..Page::new(Act::Draft, step, title) };
    let undecidable = |row: &Listing| {
        let text = "Nothing is decided at this stage.".to_owned();
        (!is_decidable(row.stage)).then_some(RowOutcome { text, failed: true })
    };
    let article = if outcome == Outcome::Accept { "an" } else { "a" };
    let title = format!("Draft {article} {what} for {}", desk.counted("application"));
    let write = || Page { told: desk.about_rows(undecidable), ..page(Step::Write, title.clone()) };
    if matches!(action, "accept" | "reject" | "write") {
        return desk.show(write(), form.state(), StatusCode::OK).await;
    }
    let draft = match typed(form, &office.visit.product.reasons) {
        Ok(draft) => draft,
        Err(error) => return desk.refuse(write(), form, &error).await,
    };
    let results = match action {
        "look" => app.preview_drafts(office.who, &desk.ids, &draft).await,
        _ => app.draft_decisions(office.who, &desk.ids, &draft).await,
    };
    let results = match results {
        Ok(results) => results,
        Err(error) => return desk.refuse(write(), form, &error).await,
    };
    if action == "do" {
        let done = page(Step::Done, format!("Drafts for {}", desk.counted("application")));
        let done =
            Page { told: outcomes_of(results, |_| RowOutcome { text: "Drafted".to_owned(), failed: false }), ..done };
        return desk.show(done, FormState::default(), StatusCode::OK).await;
    }
    let letter_to = |row: &Listing| {
        let result = results.iter().find(|result| result.application_id == row.application_id)?;
        let decision = result.result.as_ref().ok()?;
        Some(BulkSample { name: name(row), subject: None, paragraphs: paragraphs(&decision.letter) })
    };
    let samples = desk.rows.iter().filter_map(letter_to).take(SAMPLES).collect();
    let look = Page { samples, told: desk.before_drafts(&results), ..page(Step::Look, title) };
    desk.show(look, form.state(), StatusCode::OK).await
}

/// The content of an act's page.
struct Page {
    act: Act,
    step: Step,
    title: String,
    outcome: Option<Outcome>,
    samples: Vec<BulkSample>,
    told: BTreeMap<String, RowOutcome>,
}

impl Page {
    fn new(act: Act, step: Step, title: String) -> Page {
        Page { act, step, title, outcome: None, samples: Vec::new(), told: BTreeMap::new() }
    }
}

/// The applications that an act is about.
struct Desk<'a> {
    office: Office<'a>,
    view: View,
    ids: Vec<String>,
    /// The applications that are in the list, in its order.
    rows: Vec<Listing>,
    key: Option<String>,
}

impl<'a> Desk<'a> {
    /// Finds what was chosen; if nothing was, the list says so.
    async fn open(office: Office<'a>, form: &Form) -> Result<Desk<'a>, Response> {
        let (view, _) = view_of(office, form.get("here"));
        let found = async {
            let ids = chosen(office, form, &view).await?;
            let rows = office.visit.state.app.listed_applications(office.who, &ids).await?;
            Ok::<_, Error>((ids, rows))
        };
        match found.await {
            Ok((ids, rows)) => Ok(Desk { office, view, ids, rows, key: Preconditions::key(form.get("key")) }),
            Err(error) => {
                Err(respond_with_list(office, &view, form.refused(&error), None, problem::status(&error)).await)
            }
        }
    }

    fn counted(&self, what: &str) -> String {
        match self.ids.len() {
            1 => format!("1 {what}"),
            several => format!("{several} {what}s"),
        }
    }

    /// Checks that the right number of rows was typed.
    fn confirmed(&self, form: &Form) -> Result<(), Error> {
        Ok(confirmed(&self.ids, form.get("count").trim().parse().ok())?)
    }

    fn about_rows(&self, about: impl Fn(&Listing) -> Option<RowOutcome>) -> BTreeMap<String, RowOutcome> {
        self.rows.iter().filter_map(|row| Some((row.application_id.clone(), about(row)?))).collect()
    }

    /// Returns what to know about each row before its decision is drafted.
    fn before_drafts(&self, results: &[RowResult<Decision>]) -> BTreeMap<String, RowOutcome> {
        let role = self.office.who.staff.role;
        self.about_rows(|row| {
            let result = results.iter().find(|result| result.application_id == row.application_id)?;
            match &result.result {
                Ok(decision) => {
                    let refused = may_be_released(decision, row.stage, role, ReleaseFacts::drafted_now(row)).err()?;
                    Some(RowOutcome {
                        text: format!("Not to be released as it is: {}", refused.sentence()),
                        failed: false,
                    })
                }
                Err(error) => Some(failed(error)),
            }
        })
    }

    /// Returns the key of the act that is done now.
    fn key(&self) -> String {
        self.key.clone().unwrap_or_else(|| self.office.visit.state.app.random.id())
    }

    /// Returns the preview, again with an error if a wrong number was typed.
    async fn look(&self, page: Page, form: &Form, counted: Result<(), Error>) -> Response {
        match counted {
            Err(error) if form.get("_action") == "do" => self.refuse(page, form, &error).await,
            _ => self.show(page, form.state(), StatusCode::OK).await,
        }
    }

    /// Returns the page again, with the errors.
    async fn refuse(&self, page: Page, form: &Form, error: &Error) -> Response {
        self.show(page, form.refused(error), problem::status(error)).await
    }

    async fn show(&self, page: Page, mut form: FormState, status: StatusCode) -> Response {
        let Page { act, step, title, outcome, samples, told: outcomes } = page;
        let here = query_of(&self.view, None);
        if let Some(outcome) = outcome {
            let draft = choices(self.office, outcome);
            form.values.insert("outcome".into(), Typed::One(draft.outcome.to_owned()));
        }
        let listed = self.rows.iter().map(|row| BulkActRow {
            id: row.application_id.clone(),
            href: crate::admin::dossier::href(&row.application_id, "", &here),
            name: name(row),
            reference: row.reference.clone().unwrap_or_default(),
            stage: row.stage.label(),
            told: None,
            failed: false,
        });
        let is_listed = |id: &String| self.rows.iter().any(|row| row.application_id == *id);
        let gone = self.ids.iter().filter(|id| !is_listed(id)).map(|id| BulkActRow {
            id: id.clone(),
            href: String::new(),
            name: "Not in the list any more".to_owned(),
            reference: String::new(),
            stage: "",
            told: None,
            failed: true,
        });
        let tell = |row: BulkActRow| match outcomes.get(&row.id) {
            Some(RowOutcome { text, failed }) => BulkActRow { told: Some(text.clone()), failed: *failed, ..row },
            None => row,
        };
        // An act refused at the last step keeps its key; a new preview gets another.
        let kept = self.key.clone().filter(|_| status != StatusCode::OK);
        let props = AdminBulkProps {
            act,
            step,
            rows: listed.chain(gone).map(tell).collect(),
            samples,
            mail_fields: OF_APPLICANT.into_iter().map(|field| format!("{{{}}}", field.name())).collect(),
            documents: match act {
                Act::Ask => of_answers().map(document).collect(),
                Act::Mail | Act::Draft => Vec::new(),
            },
            draft: outcome.map(|outcome| choices(self.office, outcome)),
            needs_waiver: self.rows.iter().any(|row| needs_waiver(row.stage)),
            missing_text: self
                .rows
                .iter()
                .any(|row| row.values(Facet::Documents).next().is_some())
                .then_some("of some of the applications"),
            here,
            form_key: kept.unwrap_or_else(|| self.office.visit.state.app.random.id()),
            form,
            title: title.clone(),
        };
        self.office.page(Screen::AdminBulk(Box::new(props)), &title, status).await
    }
}

fn failed(error: &Error) -> RowOutcome {
    log(error);
    let text = match error {
        Error::Refused(Refusal::DraftChanged) => {
            "It has another draft: look at that one in the application.".to_owned()
        }
        Error::Stale(_) => Refusal::ApplicationChanged.sentence().to_string(),
        error => error.sentence().to_string(),
    };
    RowOutcome { text, failed: true }
}

fn outcomes_of<T>(results: Vec<RowResult<T>>, done: impl Fn(T) -> RowOutcome) -> BTreeMap<String, RowOutcome> {
    let to_entry = |result: RowResult<T>| {
        let outcome = match result.result {
            Ok(what) => done(what),
            Err(error) => failed(&error),
        };
        (result.application_id, outcome)
    };
    results.into_iter().map(to_entry).collect()
}
