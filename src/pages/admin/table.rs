//! Every page of the office: its path, its gate and its handler. The only way in: without a row, a page does not exist.

use std::sync::LazyLock;

use axum::response::Response;
use futures::future::BoxFuture;

use super::{
    Office, account, admins, api_keys, applications, committee, contracts, decisions, deliveries, dossier, fee_codes,
    finance, forgotten, identity_providers, imports, insight, interviews, invitation, login, open_days, passkeys,
    prospects, questionnaires, second_factor, settings, sign_on, step_up, texts, waitlist, webhooks, work,
};
use crate::{Form, Visit};
use app::money::fees::FeeAct;
use app::office::dossiers::FinanceBooking;
use domain::permission::{Gate, Permission};

/// What handles a request; the form is empty for a GET.
#[derive(Clone, Copy)]
pub enum Handler {
    /// Open to anyone.
    Open(for<'a> fn(&'a Visit, &'a Form) -> BoxFuture<'a, Response>),
    /// Only for staff whom the gate let through.
    Closed(for<'a> fn(Office<'a>, &'a Form) -> BoxFuture<'a, Response>),
}

/// A page, or a form that can be posted.
#[derive(Clone, Copy)]
pub struct Route {
    pub method: &'static str,
    /// `{id}` stands for one path segment.
    pub path: &'static str,
    pub gate: Gate,
    pub(super) handler: Handler,
}

/// `get!(path, gate, handler)` and the like; without a gate it is open.
macro_rules! row {
    ($method:literal $path:literal open $handler:path) => {
        Route {
            method: $method,
            path: $path,
            gate: Gate::OPEN,
            handler: Handler::Open(|visit, form| Box::pin($handler(visit, form))),
        }
    };
    ($method:literal $path:literal $gate:expr, $handler:path) => {
        Route {
            method: $method,
            path: $path,
            gate: $gate,
            handler: Handler::Closed(|office, form| Box::pin($handler(office, form))),
        }
    };
}

const MANAGE_STAFF: Gate = Gate::may(Permission::Staff);
const IMPORT: Gate = Gate::may(Permission::Import);
const SET: Gate = Gate::may(Permission::Settings);
/// Settings that need more than this check it themselves.
const SEE_SETTINGS: Gate = Gate::may(Permission::SeeSettings);
const SET_TEXTS: Gate = Gate::may(Permission::Templates);
const WRITE_QUESTIONS: Gate = Gate::may(Permission::Questionnaires);
const SEE_CONTRACTS: Gate = Gate::may(Permission::Contracts);
const MANAGE_CONTRACTS: Gate = Gate::may(Permission::ManageContracts);
const SEE_PROSPECTS: Gate = Gate::may(Permission::Prospects);
const KEEP_OPEN_DAYS: Gate = Gate::may(Permission::OpenDays);

static ROUTES: &[Route] = &[
    row!("GET" "/admin-panel/login" open login::show),
    row!("POST" "/admin-panel/login" open login::submit),
    row!("POST" "/admin-panel/token" open login::token),
    row!("GET" "/admin-panel/forgot-password" open forgotten::show),
    row!("POST" "/admin-panel/forgot-password" open forgotten::ask),
    row!("GET" "/admin-panel/reset-password" open forgotten::choose),
    row!("POST" "/admin-panel/reset-password" open forgotten::set),
    row!("GET" "/admin-panel/sign-on/callback" open sign_on::finish),
    row!("GET" "/admin-panel/sign-on/{id}" open sign_on::begin),
    row!("GET" "/admin-panel/invitation" open invitation::show),
    row!("POST" "/admin-panel/invitation" open invitation::submit),
    row!("POST" "/admin-panel/logout" Gate::IDLE, login::log_out),
    row!("GET" "/admin-panel/step-up" Gate::IDLE, step_up::show),
    row!("POST" "/admin-panel/step-up" Gate::IDLE, step_up::submit),
    row!("GET" "/admin-panel/work" Gate::may(Permission::Applications), work::show),
    row!("POST" "/admin-panel/work" Gate::may(Permission::Applications), work::submit),
    row!("GET" "/admin-panel/applications" Gate::may(Permission::Applications), applications::list),
    row!("POST" "/admin-panel/applications" Gate::may(Permission::Assign), applications::mark),
    row!("POST" "/admin-panel/applications/views" Gate::may(Permission::Applications), applications::views::submit),
    row!("GET" "/admin-panel/applications/figures" Gate::may(Permission::Applications), applications::figures::show),
    row!("POST" "/admin-panel/applications/figures" Gate::may(Permission::Applications), applications::figures::submit),
    row!("GET" "/admin-panel/applications/figures.csv" Gate::may(Permission::Applications), applications::figures::as_csv),
    row!("GET" "/admin-panel/applications/mail" Gate::may(Permission::WriteToApplicants), applications::bulk::begin),
    row!("POST" "/admin-panel/applications/mail" Gate::may(Permission::WriteToApplicants), applications::bulk::mail),
    row!("GET" "/admin-panel/applications/ask" Gate::may(Permission::ReviewDocuments), applications::bulk::begin),
    row!("POST" "/admin-panel/applications/ask" Gate::may(Permission::ReviewDocuments), applications::bulk::ask),
    row!("GET" "/admin-panel/applications/draft" Gate::may(Permission::Decide), applications::bulk::begin),
    row!("POST" "/admin-panel/applications/draft" Gate::may(Permission::Decide), applications::bulk::draft),
    row!("GET" "/admin-panel/applications.csv" Gate::may(Permission::Export).and_step_up(), applications::as_csv),
    row!("GET" "/admin-panel/applications.xlsx" Gate::may(Permission::Export).and_step_up(), applications::as_xlsx),
    row!("GET" "/admin-panel/imports" IMPORT, imports::list),
    row!("POST" "/admin-panel/imports" IMPORT, imports::upload),
    row!("GET" "/admin-panel/imports/template.csv" IMPORT, imports::template),
    row!("GET" "/admin-panel/imports/{id}" IMPORT, imports::show),
    row!("POST" "/admin-panel/imports/{id}" IMPORT.and_step_up_for(&imports::ASKS_AGAIN), imports::submit),
    row!("GET" "/admin-panel/imports/{id}/rows" IMPORT, imports::rows),
    row!("GET" "/admin-panel/imports/{id}/errors.csv" IMPORT, imports::errors),
    row!("GET" "/admin-panel/prospects" SEE_PROSPECTS, prospects::list),
    row!("POST" "/admin-panel/prospects" SEE_PROSPECTS, prospects::submit),
    row!("GET" "/admin-panel/prospects.csv" SEE_PROSPECTS.and_step_up(), prospects::as_csv),
    row!("GET" "/admin-panel/open-days" KEEP_OPEN_DAYS, open_days::list),
    row!("POST" "/admin-panel/open-days" KEEP_OPEN_DAYS, open_days::create),
    row!("GET" "/admin-panel/open-days/{id}" KEEP_OPEN_DAYS, open_days::show),
    row!("POST" "/admin-panel/open-days/{id}" KEEP_OPEN_DAYS, open_days::submit),
    row!("GET" "/admin-panel/open-days/{id}/bookings.csv" KEEP_OPEN_DAYS.and_step_up(), open_days::as_csv),
    row!("GET" "/admin-panel/decisions" Gate::may(Permission::Release), decisions::list),
    row!("POST" "/admin-panel/decisions" Gate::may(Permission::Release).and_step_up_for(&["release"]), decisions::submit),
    row!("GET" "/admin-panel/waitlist" Gate::may(Permission::Applications), waitlist::list),
    row!("POST" "/admin-panel/waitlist" Gate::may(Permission::Decide).and_step_up_for(&["offer"]), waitlist::submit),
    row!("GET" "/admin-panel/questionnaires" WRITE_QUESTIONS, questionnaires::list),
    row!("POST" "/admin-panel/questionnaires" WRITE_QUESTIONS, questionnaires::submit),
    row!("GET" "/admin-panel/questionnaires/{id}" WRITE_QUESTIONS, questionnaires::edit),
    row!("POST" "/admin-panel/questionnaires/{id}" WRITE_QUESTIONS, questionnaires::change),
    row!("GET" "/admin-panel/questionnaires/{id}/preview" WRITE_QUESTIONS, questionnaires::preview),
    row!("GET" "/admin-panel/questionnaires/{id}/publish" WRITE_QUESTIONS, questionnaires::confirm),
    row!("POST" "/admin-panel/questionnaires/{id}/publish" WRITE_QUESTIONS, questionnaires::publish),
    row!("GET" "/admin-panel/settings" SEE_SETTINGS, settings::list),
    row!("GET" "/admin-panel/settings/deliveries" SET, deliveries::list),
    row!("POST" "/admin-panel/settings/deliveries" SET.and_step_up(), deliveries::retry),
    row!("GET" "/admin-panel/settings/sign-on" MANAGE_STAFF, identity_providers::list),
    row!("POST" "/admin-panel/settings/sign-on" MANAGE_STAFF.and_step_up(), identity_providers::create),
    row!("GET" "/admin-panel/settings/sign-on/{id}" MANAGE_STAFF, identity_providers::show),
    row!("POST" "/admin-panel/settings/sign-on/{id}" MANAGE_STAFF.and_step_up_for(&identity_providers::ASKS_AGAIN), identity_providers::submit),
    row!("GET" "/admin-panel/settings/webhooks" SET, webhooks::list),
    row!("POST" "/admin-panel/settings/webhooks" SET.and_step_up(), webhooks::create),
    row!("GET" "/admin-panel/settings/webhooks/{id}" SET, webhooks::show),
    row!("POST" "/admin-panel/settings/webhooks/{id}" SET.and_step_up_for(&webhooks::ASKS_AGAIN), webhooks::submit),
    row!("GET" "/admin-panel/settings/form-health" SET, insight::form_health),
    row!("GET" "/admin-panel/settings/audit" Gate::may(Permission::Audit), insight::audit),
    row!("GET" "/admin-panel/settings/mails" SET_TEXTS, texts::mails),
    row!("GET" "/admin-panel/settings/letters" SET_TEXTS, texts::letters),
    row!("GET" "/admin-panel/settings/{id}" SEE_SETTINGS, settings::show),
    row!("POST" "/admin-panel/settings/{id}" SEE_SETTINGS.and_step_up(), settings::change),
    row!("GET" "/admin-panel/applications/{id}" Gate::may(Permission::Applications), dossier::show),
    row!("POST" "/admin-panel/applications/{id}/tasks" Gate::may(Permission::Applications), dossier::tick_off),
    row!("POST" "/admin-panel/applications/{id}/mark" Gate::may(Permission::Assign), dossier::mark),
    row!("GET" "/admin-panel/applications/{id}/presence" Gate::may(Permission::Applications), dossier::presence),
    row!("POST" "/admin-panel/applications/{id}/presence" Gate::may(Permission::Applications), dossier::leave),
    row!("GET" "/admin-panel/applications/{id}/act" Gate::may(Permission::Review), dossier::act),
    row!("POST" "/admin-panel/applications/{id}/act" Gate::may(Permission::Review), dossier::do_act),
    row!("GET" "/admin-panel/applications/{id}/enrolment" Gate::may(Permission::Enrol), dossier::act),
    row!("POST" "/admin-panel/applications/{id}/enrolment" Gate::may(Permission::Enrol), dossier::do_act),
    row!("GET" "/admin-panel/applications/{id}/duplicates" Gate::may(Permission::Review), dossier::duplicates),
    row!("POST" "/admin-panel/applications/{id}/duplicates" Gate::may(Permission::Review), dossier::judge_duplicate),
    row!("GET" "/admin-panel/applications/{id}/documents" Gate::may(Permission::Documents), dossier::documents),
    row!("POST" "/admin-panel/applications/{id}/documents" Gate::may(Permission::ReviewDocuments), dossier::review),
    row!("GET" "/admin-panel/applications/{id}/file" Gate::may(Permission::Documents), dossier::file),
    row!("GET" "/admin-panel/applications/{id}/preview" Gate::may(Permission::Documents), dossier::preview),
    row!("GET" "/admin-panel/applications/{id}/references/file" Gate::may(Permission::Documents), dossier::reference_file),
    row!("GET" "/admin-panel/applications/{id}/references/preview" Gate::may(Permission::Documents), dossier::reference_preview),
    row!("GET" "/admin-panel/applications/{id}/notes" Gate::may(Permission::Notes), dossier::notes),
    row!("POST" "/admin-panel/applications/{id}/notes" Gate::may(Permission::Notes), dossier::write_note),
    row!("GET" "/admin-panel/applications/{id}/emails" Gate::may(Permission::WriteToApplicants), dossier::emails),
    row!("POST" "/admin-panel/applications/{id}/emails" Gate::may(Permission::WriteToApplicants), dossier::resend_email),
    row!("GET" "/admin-panel/applications/{id}/messages" Gate::may(Permission::WriteToApplicants), dossier::conversation),
    row!("POST" "/admin-panel/applications/{id}/messages" Gate::may(Permission::WriteToApplicants), dossier::write_message),
    row!("GET" "/admin-panel/applications/{id}/readings" Gate::may(Permission::Score), dossier::readings_tab),
    row!("POST" "/admin-panel/applications/{id}/readings" Gate::may(Permission::Score), dossier::submit_readings),
    row!("GET" "/admin-panel/committee" Gate::may(Permission::Decide), committee::list),
    row!("GET" "/admin-panel/committee/{id}" Gate::may(Permission::Decide), committee::sit),
    row!("GET" "/admin-panel/applications/{id}/timeline" Gate::may(Permission::Applications), dossier::timeline),
    row!("GET" "/admin-panel/applications/{id}/decision" Gate::may(Permission::Applications), dossier::decision::show),
    row!("GET" "/admin-panel/applications/{id}/conditions" Gate::may(Permission::Applications), dossier::conditions::show),
    row!("POST" "/admin-panel/applications/{id}/conditions" Gate::may(Permission::Decide), dossier::conditions::submit),
    row!("POST" "/admin-panel/applications/{id}/decision" Gate::may(Permission::Decide).and_step_up_for(&["release", "reverse", "waitlist"]), dossier::decision::submit),
    row!("GET" "/admin-panel/applications/{id}/contract" SEE_CONTRACTS, dossier::contract::show),
    row!("POST" "/admin-panel/applications/{id}/contract" MANAGE_CONTRACTS.and_step_up(), dossier::contract::submit),
    row!("POST" "/admin-panel/applications/{id}/contract/countersign" Gate::may(Permission::Countersign).and_step_up(), dossier::contract::countersign),
    row!("GET" "/admin-panel/applications/{id}/contract.pdf" SEE_CONTRACTS, dossier::contract::file),
    row!("GET" "/admin-panel/contracts" SEE_CONTRACTS, contracts::list),
    row!("GET" "/admin-panel/contracts/templates/{id}" MANAGE_CONTRACTS, contracts::edit),
    row!("POST" "/admin-panel/contracts/templates/{id}" MANAGE_CONTRACTS.and_step_up(), contracts::change),
    row!("GET" "/admin-panel/applications/{id}/interview" Gate::may(Permission::Applications), dossier::interview::show),
    row!("POST" "/admin-panel/applications/{id}/interview" Gate::may(Permission::Interview), dossier::interview::submit),
    row!("GET" "/admin-panel/applications/{id}/funding" Gate::may(Permission::Finance), dossier::funding::show),
    row!("POST" "/admin-panel/applications/{id}/funding" Gate::may(Permission::ManageFinance).and_step_up_for(&FinanceBooking::ASKS_AGAIN), dossier::funding::submit),
    row!("POST" "/admin-panel/applications/{id}/fee" Gate::may(Permission::ManageFinance).and_step_up_for(&FeeAct::ASKS_AGAIN), dossier::fee::submit),
    row!("GET" "/admin-panel/applications/{id}/receipt.pdf" Gate::may(Permission::Finance), dossier::funding::receipt),
    row!("GET" "/admin-panel/finance" Gate::may(Permission::Finance), finance::show),
    row!("POST" "/admin-panel/finance" Gate::may(Permission::ManageFinance), finance::submit),
    row!("GET" "/admin-panel/finance/ledger.csv" Gate::may(Permission::Finance).and_step_up(), finance::ledger),
    row!("GET" "/admin-panel/finance/enrolled.csv" Gate::may(Permission::Export).and_step_up(), finance::enrolled_csv),
    row!("GET" "/admin-panel/finance/enrolled.json" Gate::may(Permission::Export).and_step_up(), finance::enrolled_json),
    row!("GET" "/admin-panel/fee-codes" Gate::may(Permission::Finance), fee_codes::list),
    row!("POST" "/admin-panel/fee-codes" Gate::may(Permission::ManageFinance), fee_codes::submit),
    row!("GET" "/admin-panel/interviews" Gate::may(Permission::Interview), interviews::show),
    row!("POST" "/admin-panel/interviews" Gate::may(Permission::Interview), interviews::submit),
    row!("GET" "/admin-panel/account" Gate::STAFF, account::show),
    row!("POST" "/admin-panel/account" Gate::STAFF, account::submit),
    row!("POST" "/admin-panel/account/leave" Gate::STAFF.and_step_up(), account::leave),
    row!("GET" "/admin-panel/account/second-factor" Gate::UNREADY.and_step_up(), second_factor::show),
    row!("POST" "/admin-panel/account/second-factor" Gate::UNREADY.and_step_up(), second_factor::submit),
    row!("POST" "/admin-panel/account/second-factor/off" Gate::STAFF.and_step_up(), second_factor::remove),
    row!("GET" "/admin-panel/account/keys" Gate::STAFF, api_keys::show),
    row!("POST" "/admin-panel/account/keys" Gate::STAFF.and_step_up_for(&["create"]), api_keys::submit),
    row!("GET" "/admin-panel/account/passkeys" Gate::UNREADY.and_step_up(), passkeys::show),
    row!("POST" "/admin-panel/account/passkeys" Gate::UNREADY.and_step_up(), passkeys::submit),
    row!("POST" "/admin-panel/account/recovery-codes" Gate::STAFF.and_step_up(), second_factor::renew_codes),
    row!("GET" "/admin-panel/admins" MANAGE_STAFF, admins::list),
    row!("POST" "/admin-panel/admins" MANAGE_STAFF.and_step_up(), admins::submit),
    row!("POST" "/admin-panel/admins/second-factor" Gate::may(Permission::Settings).and_step_up(), admins::rule),
    row!("POST" "/admin-panel/admins/applicants-second-factor" MANAGE_STAFF.and_step_up(), admins::reset_of_applicant),
    row!("GET" "/admin-panel/admins/{id}" MANAGE_STAFF, admins::show),
    row!("POST" "/admin-panel/admins/{id}" MANAGE_STAFF.and_step_up(), admins::change),
];

/// Where the items of the sidebar lead, in their order; their names are in `client/ui/office-frame.tsx`. An item is
/// shown if its page has a row and the role may see it.
const ITEMS: &[&str] = &[
    work::PATH,
    "/admin-panel/applications",
    prospects::PATH,
    "/admin-panel/interviews",
    committee::PATH,
    "/admin-panel/decisions",
    waitlist::PATH,
    "/admin-panel/questionnaires",
    "/admin-panel/contracts",
    "/admin-panel/finance",
    "/admin-panel/admins",
    "/admin-panel/settings",
];

/// The same with the gates of their pages, looked up once.
pub(super) static MENU: LazyLock<Vec<(&'static str, Gate)>> =
    LazyLock::new(|| ITEMS.iter().filter_map(|path| Some((*path, find("GET", path)?.0.gate))).collect());

/// Every row, for the tests that walk them all.
pub fn routes() -> &'static [Route] {
    ROUTES
}

/// Rows with what precedes and follows their `{id}`. Split once: a page looks up the rows of many of its links.
static PATTERNS: LazyLock<Vec<(&Route, Pattern<'_>)>> =
    LazyLock::new(|| ROUTES.iter().map(|route| (route, Pattern::of(route.path))).collect());

/// Returns the row for a path, and the value of its `{id}`.
pub(super) fn find<'a>(method: &str, path: &'a str) -> Option<(&'static Route, &'a str)> {
    PATTERNS
        .iter()
        .filter(|(route, _)| route.method == method)
        .find_map(|(route, pattern)| pattern.matched(path).map(|id| (*route, id)))
}

enum Pattern<'p> {
    Whole(&'p str),
    WithId(&'p str, &'p str),
}

impl<'p> Pattern<'p> {
    fn of(path: &'p str) -> Pattern<'p> {
        path.split_once("{id}").map_or(Pattern::Whole(path), |(before, after)| Pattern::WithId(before, after))
    }

    fn matched<'a>(&self, path: &'a str) -> Option<&'a str> {
        match *self {
            Pattern::Whole(whole) => (whole == path).then_some(""),
            Pattern::WithId(before, after) => {
                let id = path.strip_prefix(before)?.strip_suffix(after)?;
                (!id.is_empty() && !id.contains('/')).then_some(id)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use domain::permission::Access;

    #[test]
    fn a_path_has_one_row_for_each_method() {
        let rows: BTreeSet<(&str, &str)> = ROUTES.iter().map(|route| (route.method, route.path)).collect();
        assert_eq!(rows.len(), ROUTES.len());
    }

    #[test]
    fn a_handler_behind_a_gate_has_one_and_an_open_one_has_none() {
        for route in ROUTES {
            let open = matches!(route.handler, Handler::Open(_));
            assert_eq!(open, route.gate.access == Access::Open, "{} {}", route.method, route.path);
        }
    }

    #[test]
    fn an_id_is_one_name() {
        let matched = |pattern, path| Pattern::of(pattern).matched(path);
        assert_eq!(matched("/a/{id}", "/a/7"), Some("7"));
        assert_eq!(matched("/a/{id}", "/a/7/8"), None);
        assert_eq!(matched("/a/{id}", "/a/"), None);
        assert_eq!(matched("/a/{id}/b", "/a/7/b"), Some("7"));
        assert_eq!(matched("/a", "/a"), Some(""));
        assert_eq!(matched("/a", "/a/7"), None);
        assert!(find("GET", "/admin-panel/admins/7").is_some());
        assert!(find("DELETE", "/admin-panel/admins/7").is_none());
    }
}
