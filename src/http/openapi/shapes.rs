//! Shapes of the strings in the description: words of a closed list, ids, days, and headers with a pattern.

use utoipa::Modify;
use utoipa::openapi::path::{Parameter, ParameterIn};
use utoipa::openapi::schema::{ArrayItems, Object, Schema, SchemaFormat, SchemaType};
use utoipa::openapi::{OpenApi, RefOr, Required};

use super::calls;
use domain::application::{PAYMENTS, TRANSFER_PROGRAMS, YEARS_IN_ROLE};
use domain::application_fee::{FeeState, NO_FEE};
use domain::contract::ContractState;
use domain::decision::{ConditionState, Letter};
use domain::documents::{FileState, Need, SlotState};
use domain::finance::MoneyList;
use domain::funding::{SourceKind, SourceState};
use domain::import;
use domain::ledger::{Account, Kind, Method, RequestState};
use domain::listing::Sort;
use domain::mail::MailState;
use domain::program::Program;
use domain::prospect::{ProspectState, Want};
use domain::rubric::Recommendation;
use domain::status::Stage;
use domain::task::{TaskKind, Whose};

/// Narrows what each string can be, where the schema alone says too little.
pub struct Shapes;

impl Modify for Shapes {
    fn modify(&self, description: &mut OpenApi) {
        let schemas = description.components.as_mut().map(|components| &mut components.schemas);
        for (name, schema) in schemas.into_iter().flatten() {
            let RefOr::T(Schema::Object(object)) = schema else { continue };
            for (field, schema) in &mut object.properties {
                if let Some(words) = words_of_field(name, field) {
                    list(schema, &words);
                } else if is_id(name, field) {
                    text(schema, |text| text.format = Some(SchemaFormat::Custom("uuid".into())));
                }
            }
        }
        for (path, item) in &mut description.paths.paths {
            let parameters = calls(item).flat_map(|call| call.parameters.iter_mut().flatten());
            for parameter in parameters {
                if let RefOr::T(parameter) = parameter {
                    shape(path, parameter);
                }
            }
        }
    }
}

/// Returns the words that a field can be.
fn words_of_field(schema: &str, field: &str) -> Option<Vec<&'static str>> {
    let words = match (schema, field) {
        ("Employer", "yearsInRole") => YEARS_IN_ROLE.iter().map(|choice| choice.value).collect(),
        ("FinancialPlan", "selectedPayments") => PAYMENTS.iter().map(|choice| choice.value).collect(),
        ("CreditTransfer", "selectedPrograms") => TRANSFER_PROGRAMS.iter().map(|choice| choice.value).collect(),
        ("Contract" | "ListedContract", "state") => ContractState::ALL.map(ContractState::as_str).to_vec(),
        ("ContractTemplate" | "Questionnaire", "applicationType")
        | ("Duplicate" | "EnrolledApplicant" | "CommitteeItem", "program") => {
            Program::ALL.map(Program::application_type).to_vec()
        }
        ("TimelineEvent", "from" | "to") | (_, "stage") => Stage::ALL.map(Stage::as_str).to_vec(),
        ("OfficeTask" | "WorkTask", "task") => TaskKind::ALL.map(TaskKind::as_str).to_vec(),
        ("ConditionJudged", "state") => ConditionState::ALL.map(ConditionState::as_str).to_vec(),
        ("OfficeDecision", "letter") => Letter::all().map(Letter::as_str).collect(),
        ("DeliveredMail" | "OfficeMail", "state") => MailState::ALL.map(MailState::as_str).to_vec(),
        ("EnrolledSource" | "SourceVerdict", "source") => SourceKind::ALL.map(SourceKind::as_str).to_vec(),
        ("EnrolledSource", "state") => SourceState::ALL.map(SourceState::as_str).to_vec(),
        ("LedgerEntry", "account") => Account::ALL.map(Account::as_str).to_vec(),
        ("LedgerRequest", "state") => RequestState::ALL.map(RequestState::as_str).to_vec(),
        ("LedgerTransaction", "kind") => Kind::ALL.map(Kind::as_str).to_vec(),
        ("LedgerTransaction", "method") => Method::ALL.map(Method::as_str).to_vec(),
        ("ScoreSheet" | "SheetBody", "recommendation") => Recommendation::ALL.map(Recommendation::as_str).to_vec(),
        ("Import", "format") => import::Format::ALL.map(import::Format::as_str).to_vec(),
        ("Import", "state") => import::State::ALL.map(import::State::as_str).to_vec(),
        ("ImportRow", "state") => import::RowState::ALL.map(import::RowState::as_str).to_vec(),
        ("Prospect", "state") => ProspectState::ALL.map(ProspectState::as_str).to_vec(),
        ("Document", "state") => FileState::ALL.map(FileState::as_str).to_vec(),
        ("DocumentSlot" | "OfficeDocumentSlot", "state") => SlotState::ALL.map(SlotState::as_str).to_vec(),
        ("DocumentSlot" | "OfficeDocumentSlot", "need") => Need::ALL.map(Need::as_str).to_vec(),
        _ => return None,
    };
    Some(words)
}

/// Whether a field is the id of a row. Finance items have ids of several kinds, tasks that follow from a state are
/// identified by application and kind, and bulk results repeat what was sent.
fn is_id(schema: &str, field: &str) -> bool {
    matches!(field, "id" | "applicationId")
        && !matches!((schema, field), ("FinanceItem" | "BulkRow" | "DecisionResult" | "OfficeTask" | "WorkTask", "id"))
}

fn shape(path: &str, parameter: &mut Parameter) {
    let Some(schema) = &mut parameter.schema else { return };
    let format = |schema, name: &str| text(schema, |text| text.format = Some(SchemaFormat::Custom(name.into())));
    let pattern = |schema, pattern: &str| text(schema, |text| text.pattern = Some(pattern.into()));
    match (&parameter.parameter_in, parameter.name.as_str()) {
        (ParameterIn::Path, "id")
            if !["/settings/", "/finance/", "/deliveries/"].iter().any(|group| path.contains(group)) =>
        {
            format(schema, "uuid");
        }
        (ParameterIn::Path, "file" | "mail" | "note" | "request" | "booking" | "referee") => format(schema, "uuid"),
        (ParameterIn::Query, "from" | "until") if parameter.required == Required::True => format(schema, "date"),
        // Forms send empty values for absent ones.
        (
            ParameterIn::Query,
            "from" | "to" | "until" | "since" | "interviewFrom" | "interviewTo" | "submittedFrom" | "submittedTo",
        ) => {
            pattern(schema, r"^(\d{4}-\d{2}-\d{2})?$");
        }
        (ParameterIn::Query, "program") => list(schema, &Program::ALL.map(Program::application_type)),
        (ParameterIn::Query, "stage") => list(schema, &Stage::ALL.map(Stage::as_str)),
        (ParameterIn::Query, "sort" | "then") => {
            let sorts: Vec<String> = Sort::all().map(Sort::as_text).collect();
            list(schema, &sorts.iter().map(String::as_str).collect::<Vec<_>>());
        }
        (ParameterIn::Query, "whose") => list(schema, &Whose::ALL.map(Whose::as_str)),
        (ParameterIn::Query, "task") => list(schema, &TaskKind::ALL.map(TaskKind::as_str)),
        (ParameterIn::Query, "list") => list(schema, &MoneyList::ALL.map(MoneyList::as_str)),
        (ParameterIn::Query, "show") => list(schema, &import::Show::ALL.map(import::Show::as_str)),
        (ParameterIn::Query, "military" | "dod" | "citizen") => list(schema, &["yes", "no"]),
        (ParameterIn::Query, "fee") => {
            let states = FeeState::ALL.into_iter().map(FeeState::as_str).chain([NO_FEE]);
            list(schema, &states.collect::<Vec<_>>());
        }
        (ParameterIn::Query, "state") if path.ends_with("/contracts") => {
            list(schema, &ContractState::ALL.map(ContractState::as_str));
        }
        (ParameterIn::Query, "state") if path.ends_with("/deliveries") => {
            list(schema, &MailState::ALL.map(MailState::as_str));
        }
        (ParameterIn::Query, "state") if path.ends_with("/prospects") => {
            list(schema, &ProspectState::ALL.map(ProspectState::as_str));
        }
        (ParameterIn::Query, "wants") => list(schema, &Want::ALL.map(Want::as_str)),
        (ParameterIn::Header, "If-Match") => pattern(schema, r#"^(\*|(W/)?"[^"]*")$"#),
        (ParameterIn::Header, "Idempotency-Key") => pattern(schema, "^[!-~]{1,100}$"),
        (ParameterIn::Header, "Tus-Resumable") => list(schema, &["1.0.0"]),
        (ParameterIn::Header, "Upload-Checksum") => pattern(schema, "^(sha1|sha256) [A-Za-z0-9+/]+={0,2}$"),
        _ => {}
    }
}

/// Changes the schema of a string, or of each string in a list.
fn text(schema: &mut RefOr<Schema>, change: impl Fn(&mut Object)) {
    match schema {
        RefOr::T(Schema::Object(object)) => change(object),
        RefOr::T(Schema::Array(array)) => {
            array.description = None;
            if let ArrayItems::RefOrSchema(item) = &mut array.items {
                text(item, change);
            }
        }
        RefOr::T(_) | RefOr::Ref(_) => {}
    }
}

/// The words replace a description that lists them.
fn list(schema: &mut RefOr<Schema>, words: &[&str]) {
    text(schema, |text| {
        let or_null = matches!(&text.schema_type, SchemaType::Array(_));
        let words = words.iter().map(|word| Some((*word).into())).chain(or_null.then_some(None));
        text.enum_values = Some(words.map(|word| word.unwrap_or(serde_json::Value::Null)).collect());
        text.description = None;
    });
}
