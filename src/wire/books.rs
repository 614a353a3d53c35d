//! The ledgers as a file for bookkeeping, and the enrolled applicants as a file for the student system, written piece
//! by piece as they are read. `docs/finance.md` and `docs/hand-over.md` describe every column.

use std::future::Future;
use std::io;

use axum::body::{Body, Bytes};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use futures::stream;
use serde::Serialize;
use utoipa::ToSchema;

use super::listing::{Cell, csv};
use app::App;
use app::money::finance::{HandOver, LedgerExport};
use domain::clocks::day;
use domain::finance::{BookedLine, Enrolled};
use domain::funding::{Funding, SourceKind};
use domain::ledger::{Entry, Method};
use domain::moments::rfc3339;

/// The format of a file of enrolled applicants.
#[derive(Clone, Copy)]
pub enum Format {
    Csv,
    Json,
}

impl Format {
    /// Returns the extension of the file's name.
    pub fn ending(self) -> &'static str {
        match self {
            Format::Csv => "csv",
            Format::Json => "json",
        }
    }
}

const LEDGER_HEADS: [&str; 18] = [
    "Recorded at",
    "Day",
    "Reference",
    "Last name",
    "First name",
    "Program",
    "Transaction",
    "Kind",
    "Line",
    "Method",
    "Account",
    "Debit",
    "Credit",
    "Currency",
    "Note",
    "About",
    "Recorded by",
    "Received on",
];

const PERSON_HEADS: [&str; 11] = [
    "reference",
    "program",
    "intake",
    "first_name",
    "last_name",
    "birth_date",
    "email",
    "phone_number",
    "country",
    "state",
    "enrolled_at",
];
const CONTRACT_HEADS: [&str; 3] = ["contract_number", "contract_template_version", "contract_code"];

fn text(text: impl Into<String>) -> Cell {
    Cell::Text(text.into())
}

/// Returns a byte order mark, by which spreadsheets recognise UTF-8, and the header.
fn csv_head(heads: impl Iterator<Item = String>) -> Bytes {
    Bytes::from(format!("\u{feff}{}", csv::line(heads.map(Cell::Text).collect())))
}

/// Formats an amount without a sign: `1200.50`.
fn amount(cents: i64) -> String {
    let cents = cents.unsigned_abs();
    format!("{}.{:02}", cents / 100, cents % 100)
}

/// Returns all ledgers of a period as comma-separated values, one line per entry.
pub fn ledger_csv(app: App, export: LedgerExport) -> Response {
    let zone = app.settings.time_zone.clone();
    let head = csv_head(LEDGER_HEADS.iter().map(|head| (*head).to_owned()));
    let pieces = move |export: LedgerExport| {
        let (app, zone) = (app.clone(), zone.clone());
        async move {
            let Some((lines, next)) = app.exported_ledger(export).await.map_err(io::Error::other)? else {
                return Ok(None);
            };
            let entries = lines.iter().flat_map(|line| {
                let entries = line.posted.transaction.draft.entries.iter();
                entries.map(|entry| csv::line(entry_cells(line, entry, &zone)))
            });
            Ok(Some((Bytes::from(entries.collect::<String>()), next)))
        }
    };
    file(head, export, pieces, Bytes::new(), "text/csv; charset=utf-8", "attachment; filename=\"ledger.csv\"")
}

fn entry_cells(line: &BookedLine, entry: &Entry, zone: &str) -> Vec<Cell> {
    let draft = &line.posted.transaction.draft;
    let (debit, credit) =
        if entry.cents > 0 { (amount(entry.cents), String::new()) } else { (String::new(), amount(entry.cents)) };
    vec![
        text(rfc3339(line.posted.at)),
        text(day(line.posted.at, zone).to_string()),
        text(line.payer.reference.clone().unwrap_or_default()),
        text(&line.payer.last_name),
        text(&line.payer.first_name),
        text(&line.program),
        text(&line.posted.transaction.id),
        text(draft.kind.as_str()),
        text(draft.line.map(|line| line.to_string()).unwrap_or_default()),
        text(draft.method.map_or("", Method::as_str)),
        text(entry.account.as_str()),
        text(debit),
        text(credit),
        text("USD"),
        text(&draft.note),
        text(draft.about.clone().unwrap_or_default()),
        text(&line.posted.by),
        text(draft.received_on.map(|day| day.to_string()).unwrap_or_default()),
    ]
}

/// An enrolled applicant.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EnrolledApplicant {
    #[schema(required)]
    reference: Option<String>,
    /// `ba` or `msc`
    program: &'static str,
    /// `2026-08`
    #[schema(required)]
    intake: Option<String>,
    first_name: String,
    last_name: String,
    #[schema(format = Date)]
    date_of_birth: String,
    email: String,
    /// With its country code: `+15550100199`
    phone_number: String,
    /// Two letters: `US`
    country: String,
    /// Two letters, for an address in the United States: `TX`
    #[schema(required)]
    state: Option<String>,
    #[schema(format = DateTime)]
    enrolled_at: String,
    /// Absent for roles that may not see funding.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    funding: Option<EnrolledFunding>,
    /// The last one that both have signed.
    #[schema(required)]
    contract: Option<EnrolledContract>,
}

/// How tuition is paid. Amounts are in whole US cents.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EnrolledFunding {
    tuition: i64,
    sources: Vec<EnrolledSource>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct EnrolledSource {
    /// `tuition_assistance`, `gi_bill`, `employer`, `scholarship`, `self_pay`
    source: &'static str,
    cents: i64,
    /// `asked`, `pending`, `confirmed`, `refused`
    state: &'static str,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EnrolledContract {
    number: i64,
    template_version: i64,
    /// The end of the address where anyone can verify it: `/verify/CODE`
    code: String,
}

/// All enrolled applicants.
#[derive(ToSchema)]
pub struct EnrolledApplicants {
    pub applications: Vec<EnrolledApplicant>,
}

impl From<&Enrolled> for EnrolledApplicant {
    fn from(one: &Enrolled) -> Self {
        let profile = &one.applicant.profile;
        let source = |funding: &Funding| -> Vec<EnrolledSource> {
            let sources = funding.sources.iter();
            sources
                .map(|it| EnrolledSource { source: it.kind.as_str(), cents: it.cents, state: it.state.as_str() })
                .collect()
        };
        EnrolledApplicant {
            reference: one.application.reference.clone(),
            program: one.application.program.application_type(),
            intake: one.intake.clone(),
            first_name: profile.first_name.clone(),
            last_name: profile.last_name.clone(),
            date_of_birth: profile.date_of_birth.to_string(),
            email: one.applicant.email.clone(),
            phone_number: profile.phone_number.clone(),
            country: profile.country.clone(),
            // As in the application; the account may be older.
            state: one.application.answers.data().personal_info.state.or_else(|| profile.state.clone()),
            enrolled_at: rfc3339(one.enrolled_at),
            funding: one
                .funding
                .as_ref()
                .map(|funding| EnrolledFunding { tuition: funding.tuition, sources: source(funding) }),
            contract: one.contract.as_ref().map(|contract| EnrolledContract {
                number: contract.number,
                template_version: contract.template_version,
                code: contract.code.clone(),
            }),
        }
    }
}

impl EnrolledApplicant {
    fn cells(&self, with_funding: bool) -> Vec<Cell> {
        let optional = |value: &Option<String>| text(value.clone().unwrap_or_default());
        let mut cells = vec![
            optional(&self.reference),
            text(self.program),
            optional(&self.intake),
            text(&self.first_name),
            text(&self.last_name),
            text(&self.date_of_birth),
            text(&self.email),
            text(&self.phone_number),
            text(&self.country),
            optional(&self.state),
            text(&self.enrolled_at),
        ];
        if with_funding {
            let funding = self.funding.as_ref();
            let whole = |cents: Option<i64>| cents.map_or_else(|| text(""), Cell::Whole);
            cells.push(whole(funding.map(|funding| funding.tuition)));
            for kind in SourceKind::ALL {
                let mut sources = funding.iter().flat_map(|funding| &funding.sources);
                let pays = |it: &&EnrolledSource| it.source == kind.as_str() && it.state != "refused";
                cells.push(whole(sources.find(pays).map(|source| source.cents)));
            }
        }
        let contract = self.contract.as_ref();
        cells.push(contract.map_or_else(|| text(""), |contract| Cell::Whole(contract.number)));
        cells.push(contract.map_or_else(|| text(""), |contract| Cell::Whole(contract.template_version)));
        cells.push(text(contract.map(|contract| contract.code.clone()).unwrap_or_default()));
        cells
    }
}

/// Returns the enrolled applicants as a download.
pub fn hand_over(app: App, begun: HandOver, format: Format) -> Response {
    let with_funding = begun.with_funding;
    let money = std::iter::once("tuition_cents".to_owned())
        .chain(SourceKind::ALL.iter().map(|kind| format!("{}_cents", kind.as_str())))
        .filter(|_| with_funding);
    let heads = PERSON_HEADS.iter().map(|head| (*head).to_owned()).chain(money);
    let (head, foot) = match format {
        Format::Csv => (csv_head(heads.chain(CONTRACT_HEADS.iter().map(|head| (*head).to_owned()))), Bytes::new()),
        Format::Json => (Bytes::from_static(b"{\"applications\":["), Bytes::from_static(b"]}\n")),
    };
    let pieces = move |(hand_over, is_first): (HandOver, bool)| {
        let app = app.clone();
        async move {
            let Some((rows, next)) = app.handed_over(hand_over).await.map_err(io::Error::other)? else {
                return Ok(None);
            };
            let rows: Vec<EnrolledApplicant> = rows.iter().map(EnrolledApplicant::from).collect();
            let piece = match format {
                Format::Csv => rows.iter().map(|row| csv::line(row.cells(with_funding))).collect::<String>(),
                Format::Json => {
                    let rows: Vec<String> = rows.iter().map(serde_json::to_string).collect::<Result<_, _>>()?;
                    format!("{}{}", if is_first { "" } else { "," }, rows.join(","))
                }
            };
            Ok(Some((Bytes::from(piece), (next, false))))
        }
    };
    let (kind, disposition) = match format {
        Format::Csv => ("text/csv; charset=utf-8", "attachment; filename=\"enrolled.csv\""),
        Format::Json => ("application/json", "attachment; filename=\"enrolled.json\""),
    };
    file(head, (begun, true), pieces, foot, kind, disposition)
}

/// Returns a file that is sent while it is read: a head, pieces until there are no more, and a foot.
fn file<S, F, P>(head: Bytes, begin: S, pieces: P, foot: Bytes, kind: &'static str, name: &'static str) -> Response
where
    S: Send + 'static,
    F: Future<Output = io::Result<Option<(Bytes, S)>>> + Send + 'static,
    P: Fn(S) -> F + Send + 'static,
{
    let pieces = stream::try_unfold(begin, move |state| {
        let next = pieces(state);
        async move {
            next.await.inspect_err(|error| {
                // The download breaks off, so that nobody mistakes half of it for the whole.
                tracing::error!(error = error as &dyn std::error::Error, "an export broke off");
            })
        }
    });
    let whole = futures::StreamExt::chain(stream::iter([Ok(head)]), pieces);
    let whole = futures::StreamExt::chain(whole, stream::iter([Ok(foot)]));
    let mut response = Body::from_stream(whole).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(header::CONTENT_DISPOSITION, HeaderValue::from_static(name));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_amount_has_two_decimals_and_no_sign() {
        assert_eq!((amount(120_050), amount(-5), amount(0)), ("1200.50".into(), "0.05".into(), "0.00".into()));
    }
}
