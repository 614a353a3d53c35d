//! The apply landing pages.

use axum::http::StatusCode;
use axum::response::Response;
use jiff::civil::Date;

use super::page::{FormState, Head, Page, Screen};
use super::props::apply::{ApplyAction, ApplyProps};
use super::props::auth::{AuthDialogProps, AuthMode};
use super::{Visit, catalogue, open_days as days, respond};
use domain::clocks;
use domain::intake::Intake;
use domain::open_day::OpenDay;
use domain::program::Program;
use domain::redirect;
use domain::sentence::speaking;
use domain::text;

pub async fn show(visit: &Visit, program: Program) -> Response {
    // A signed-in user has no use for the other two dialogs, but may have forgotten the password all the same.
    let dialog = asked_for(visit, program)
        .filter(|dialog| visit.visitor.signed_in.is_none() || dialog.mode == AuthMode::ForgotPassword);
    let anonymous = visit.visitor.signed_in.is_none() && !visit.visitor.stale_cookie;
    let special = dialog.is_some() || visit.fault().is_some();
    if anonymous && !special && !respond::wants_json(visit) {
        return visit.state.shared_documents.landing(visit, program).await;
    }
    let page = page(visit, program, dialog, StatusCode::OK).await;
    Box::pin(respond::page(visit, page)).await
}

/// Number of open days on a landing page.
const OPEN_DAYS: usize = 3;

/// Loads the open days of a landing page.
pub async fn open_days(visit: &Visit, program: Program) -> Vec<OpenDay> {
    visit.state.app.upcoming_open_days(program, OPEN_DAYS).await
}

/// Returns the landing page, with or without an open dialog.
pub async fn page(visit: &Visit, program: Program, dialog: Option<AuthDialogProps>, status: StatusCode) -> Page {
    let open_days = open_days(visit, program).await;
    page_with(visit, program, &open_days, dialog, status)
}

pub fn page_with(
    visit: &Visit,
    program: Program,
    open_days: &[OpenDay],
    dialog: Option<AuthDialogProps>,
    status: StatusCode,
) -> Page {
    let info = catalogue::info(program, &visit.product, today(visit));
    let settings = &visit.state.app.settings;
    let canonical = format!("{}/{}/apply", settings.public_url, program.path());
    let language = visit.language();
    let intake = visit.product.deadlines.next(today(visit));
    let fee = visit.product.fee(program).cents(intake);
    let data = || structured_data(&info, intake, fee, &settings.institute, &canonical);
    let head = Head {
        title: visit.title(&info.degree),
        description: Some(info.promise.in_language(language)),
        structured_data: Some(speaking(language, data)),
        canonical: Some(canonical),
        ..Head::default()
    };
    let (action, application) = match (&visit.visitor.signed_in, &visit.visitor.application) {
        (None, _) => (ApplyAction::Register, program),
        (Some(_), Some(application)) => (ApplyAction::Continue, application.program),
        // Whether there is an application is unknown: never offer to start another.
        (Some(_), None) if visit.visitor.load_failed => (ApplyAction::Continue, program),
        (Some(_), None) => (ApplyAction::Start, program),
    };
    let props = ApplyProps {
        info,
        action,
        continue_href: format!("/{}/application", application.path()),
        open_days: open_days.iter().map(|day| days::line(day, &settings.time_zone)).collect(),
        dialog,
    };
    visit.page(Screen::Apply(Box::new(props)), status, head)
}

/// Returns the dialog that the address asks for.
fn asked_for(visit: &Visit, program: Program) -> Option<AuthDialogProps> {
    let mode = match visit.query("dialog")?.as_str() {
        "login" => AuthMode::Login,
        "register" => AuthMode::Register,
        "forgot" | "forgot-password" => AuthMode::ForgotPassword,
        _ => return None,
    };
    let redirect = visit.query("redirect").and_then(|wanted| redirect::target(&wanted, program));
    Some(dialog(mode, redirect.as_deref(), program, FormState::default()))
}

/// Returns a dialog, new or coming back.
pub fn dialog(mode: AuthMode, redirect: Option<&str>, program: Program, form: FormState) -> AuthDialogProps {
    let redirect = redirect.map_or_else(|| format!("/{}/application", program.path()), str::to_owned);
    AuthDialogProps { mode, redirect, form }
}

/// Returns today's date in the institute's time zone.
pub fn today(visit: &Visit) -> Date {
    clocks::day(visit.now(), &visit.state.app.settings.time_zone)
}

/// Returns the <https://schema.org/EducationalOccupationalProgram>; `fee` is in cents.
fn structured_data(
    info: &super::props::program::ProgramInfo,
    intake: Intake,
    fee: Option<i64>,
    institute: &str,
    url: &str,
) -> serde_json::Value {
    let tuition = serde_json::json!({
        "@type": "Offer", "category": "Tuition", "priceCurrency": "USD", "description": info.cost,
    });
    let fee = fee.map(|cents| {
        let price = format!("{}.{:02}", cents / 100, cents % 100);
        let category = text!("Application fee");
        serde_json::json!({ "@type": "Offer", "category": category, "priceCurrency": "USD", "price": price })
    });
    let offers: Vec<_> = std::iter::once(tuition).chain(fee).collect();
    serde_json::json!({
        "@context": "https://schema.org",
        "@type": "EducationalOccupationalProgram",
        "name": info.degree,
        "description": info.promise,
        "url": url,
        "educationalCredentialAwarded": info.degree,
        "programType": info.name,
        "timeToComplete": info.length,
        "startDate": intake.start,
        "applicationDeadline": intake.deadline,
        "provider": { "@type": "CollegeOrUniversity", "name": institute },
        "offers": offers,
    })
}
