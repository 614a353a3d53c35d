//! Maps paths to the applicant's pages, and decides who may see them; the office has its own gates. Pure, so that a
//! single test can cover the whole table.

use super::application::Section;
use super::program::Program;
use super::status::{Stage, Status};

/// A page of the product.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Route {
    Root,
    ProgramRoot(Program),
    Apply(Program),
    /// Asking for news of a program, or its brochure.
    Inquire(Program),
    /// Target of the link mailed to confirm an inquiry. Login is not needed, only the link.
    ConfirmInquiry,
    /// Target of the link to end our mails to a prospect. Login is not needed, only the link.
    Unsubscribe,
    /// An open day, and booking places; the rest of the path is its id.
    OpenDay,
    /// Somebody's booking of an open day. Login is not needed, only the link.
    OpenDayBooking,
    /// The reference that a referee is asked for. Login is not needed, only the link.
    Reference,
    /// The sections of the application, each with its progress.
    Application(Program),
    /// The questions of one section.
    Section(Program, Section),
    /// Checking and submitting the answers.
    Check(Program),
    /// The application fee.
    Fee(Program),
    ResetPassword,
    ThankYou,
    /// The interview: choosing a time, and the booking.
    Schedule,
    /// The interview's calendar file.
    InterviewFile,
    Dashboard,
    /// The letter that announces a decision.
    Letter,
    /// A past application.
    PastApplication,
    Account,
    /// The documents needed for the application.
    Documents,
    /// Download of a document's file; the rest of the path is its id.
    Document,
    /// The referees of the application.
    References,
    /// A referee's letter, if the applicant may read it; between the two parts of the path is the referee's id.
    ReferenceLetter,
    /// How tuition is to be paid.
    Funding,
    /// The funding plan on one page, as PDF.
    CostSheet,
    /// What is due, and what has been paid.
    Payments,
    /// The receipt for one payment, as PDF; the rest of the path is its id.
    Receipt,
    /// The submitted application, as PDF.
    ApplicationCopy,
    /// Requesting a new email address for the account.
    ChangeEmail,
    CloseAccount,
    /// The authenticator app: setting it up and managing it.
    SecondFactor,
    Passkeys,
    /// The second step of a login.
    LoginCode,
    /// Logging in without a password.
    LoginPasskey,
    /// Logging in with an identity provider, whose id is the rest of the path: to it.
    SignOn,
    /// Where the provider sends the browser back to.
    SignedOn,
    /// Target of the links mailed to confirm a change of email address. Login is not needed, only the link.
    ConfirmEmail,
    /// The contract, to read and sign.
    Contract,
    ContractFile,
    /// Checks whether a contract is the one that was signed; the rest of the path is its code. Login is not needed,
    /// only the code.
    Verify,
    /// The mails sent to the applicant.
    Messages,
    /// One of those mails; the rest of the path is its id.
    Message,
    /// A page under `/dashboard` that does not exist: asks for a login first.
    DashboardUnknown,
    /// The development mailbox.
    Mailbox,
    Unknown,
}

impl Route {
    /// Returns the route of a path without query. The match is exact: `/bachelors/apply` is not under bachelor, and a
    /// path with a trailing slash is a different one, which `pages` redirects.
    pub fn parse(path: &str) -> Route {
        match path {
            "/" => return Route::Root,
            "/inquiries/confirm" => return Route::ConfirmInquiry,
            "/unsubscribe" => return Route::Unsubscribe,
            "/open-days/booking" => return Route::OpenDayBooking,
            "/reference" => return Route::Reference,
            "/reset-password" => return Route::ResetPassword,
            "/thankyou" => return Route::ThankYou,
            "/schedule" => return Route::Schedule,
            "/schedule/interview.ics" => return Route::InterviewFile,
            "/dashboard" => return Route::Dashboard,
            "/dashboard/letter" => return Route::Letter,
            "/dashboard/contract" => return Route::Contract,
            "/dashboard/contract.pdf" => return Route::ContractFile,
            "/dashboard/account" => return Route::Account,
            "/dashboard/documents" => return Route::Documents,
            "/dashboard/references" => return Route::References,
            "/dashboard/funding" => return Route::Funding,
            "/dashboard/funding.pdf" => return Route::CostSheet,
            "/dashboard/payments" => return Route::Payments,
            "/dashboard/application.pdf" => return Route::ApplicationCopy,
            "/dashboard/account/email" => return Route::ChangeEmail,
            "/dashboard/account/close" => return Route::CloseAccount,
            "/dashboard/account/second-factor" => return Route::SecondFactor,
            "/dashboard/account/passkeys" => return Route::Passkeys,
            "/login/code" => return Route::LoginCode,
            "/login/passkey" => return Route::LoginPasskey,
            "/login/sign-on/callback" => return Route::SignedOn,
            "/confirm-email" => return Route::ConfirmEmail,
            "/dashboard/messages" => return Route::Messages,
            "/mailbox" => return Route::Mailbox,
            _ => {}
        }
        if path.strip_prefix("/dashboard/applications/").is_some_and(is_segment) {
            return Route::PastApplication;
        }
        if path.strip_prefix("/dashboard/documents/").is_some_and(is_segment) {
            return Route::Document;
        }
        if path
            .strip_prefix("/dashboard/references/")
            .and_then(|rest| rest.strip_suffix("/letter"))
            .is_some_and(is_segment)
        {
            return Route::ReferenceLetter;
        }
        if path.strip_prefix("/dashboard/messages/").is_some_and(is_segment) {
            return Route::Message;
        }
        if path.strip_prefix("/dashboard/payments/").and_then(|rest| rest.strip_suffix(".pdf")).is_some_and(is_segment)
        {
            return Route::Receipt;
        }
        if path.strip_prefix("/login/sign-on/").is_some_and(is_segment) {
            return Route::SignOn;
        }
        if path.strip_prefix("/verify/").is_some_and(is_segment) {
            return Route::Verify;
        }
        if path.strip_prefix("/open-days/").is_some_and(is_segment) {
            return Route::OpenDay;
        }
        if path.starts_with("/dashboard/") {
            return Route::DashboardUnknown;
        }
        let Some(program) = Program::of_path(path) else { return Route::Unknown };
        match path.strip_prefix('/').and_then(|path| path.strip_prefix(program.path())) {
            Some("") => Route::ProgramRoot(program),
            Some("/apply") => Route::Apply(program),
            Some("/inquire") => Route::Inquire(program),
            Some("/application") => Route::Application(program),
            Some("/application/check") => Route::Check(program),
            Some("/application/fee") => Route::Fee(program),
            Some(rest) => {
                let section = rest.strip_prefix("/application/").and_then(Section::parse);
                section.map_or(Route::Unknown, |section| Route::Section(program, section))
            }
            None => Route::Unknown,
        }
    }
}

/// Whether the rest of a path is a single segment.
fn is_segment(rest: &str) -> bool {
    !rest.is_empty() && !rest.contains('/')
}

/// What the guards know about the visitor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Viewer {
    Anonymous,
    Applicant {
        stage: Stage,
        /// The program of the active application.
        program: Option<Program>,
        /// The application could not be loaded: routed as `none`, but never told that there is no application.
        load_failed: bool,
    },
}

/// A guard's verdict.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Access {
    Show,
    /// A 302 redirect to one of our paths.
    Redirect(String),
    NotFound,
}

/// Decides about a document request. `current` is the program in the path, else the last one visited, else bachelor;
/// `wanted` is the requested path and query.
pub fn decide(route: Route, viewer: Viewer, current: Program, wanted: &str) -> Access {
    let apply = |program: Program| format!("/{}/apply", program.path());
    let login = || {
        let wanted = percent_encoding::utf8_percent_encode(wanted, percent_encoding::NON_ALPHANUMERIC);
        Access::Redirect(format!("{}?dialog=login&redirect={wanted}", apply(current)))
    };
    match route {
        Route::Root => Access::Redirect("/bachelor".into()),
        Route::ProgramRoot(program) => Access::Redirect(apply(program)),
        Route::Apply(program) | Route::Application(program) | Route::Section(program, _) => match viewer {
            Viewer::Anonymous => Access::Show,
            Viewer::Applicant { load_failed: true, .. } => Access::Show,
            // Already submitted, or of the other program: that page says so.
            Viewer::Applicant { stage, program: Some(own), .. }
                if matches!(route, Route::Section(..))
                    && stage.status() == Status::Incomplete
                    && !(own == program && stage.is_editable()) =>
            {
                Access::Redirect(format!("/{}/application", program.path()))
            }
            Viewer::Applicant { stage, .. } => match stage.status() {
                Status::Incomplete => Access::Show,
                Status::None if matches!(route, Route::Apply(_)) => Access::Show,
                Status::None => Access::Redirect(apply(program)),
                _ => Access::Redirect("/dashboard".into()),
            },
        },
        Route::Check(program) => match viewer {
            Viewer::Anonymous => login(),
            Viewer::Applicant { stage, program: Some(own), .. } if own == program && stage.is_editable() => {
                Access::Show
            }
            // The application page explains why: already submitted, of the other program, or not loaded. Its own guard
            // redirects those who have no application.
            Viewer::Applicant { .. } => Access::Redirect(format!("/{}/application", program.path())),
        },
        Route::Fee(program) => match viewer {
            Viewer::Anonymous => login(),
            Viewer::Applicant { program: Some(own), .. } if own == program => Access::Show,
            Viewer::Applicant { program: Some(own), .. } => {
                Access::Redirect(format!("/{}/application/fee", own.path()))
            }
            Viewer::Applicant { program: None, .. } => Access::Redirect("/dashboard".into()),
        },
        Route::ThankYou => match viewer {
            Viewer::Anonymous => login(),
            Viewer::Applicant { stage: Stage::Submitted | Stage::Booked, .. } => Access::Show,
            Viewer::Applicant { .. } => Access::Redirect("/dashboard".into()),
        },
        // If there is nothing to book, the page says why.
        Route::Schedule | Route::InterviewFile => match viewer {
            Viewer::Anonymous => login(),
            Viewer::Applicant { .. } => Access::Show,
        },
        Route::DashboardUnknown if viewer != Viewer::Anonymous => Access::NotFound,
        Route::Dashboard
        | Route::Letter
        | Route::Contract
        | Route::ContractFile
        | Route::PastApplication
        | Route::Account
        | Route::ChangeEmail
        | Route::CloseAccount
        | Route::SecondFactor
        | Route::Passkeys
        | Route::Documents
        | Route::Document
        | Route::References
        | Route::ReferenceLetter
        | Route::Messages
        | Route::Message
        | Route::Funding
        | Route::CostSheet
        | Route::Payments
        | Route::Receipt
        | Route::ApplicationCopy
        | Route::DashboardUnknown => match viewer {
            Viewer::Anonymous => login(),
            Viewer::Applicant { .. } => Access::Show,
        },
        // Useless to somebody who is logged in.
        Route::LoginCode | Route::LoginPasskey | Route::SignOn | Route::SignedOn => match viewer {
            Viewer::Anonymous => Access::Show,
            Viewer::Applicant { .. } => Access::Redirect("/dashboard".into()),
        },
        Route::Inquire(_)
        | Route::ConfirmInquiry
        | Route::Unsubscribe
        | Route::OpenDay
        | Route::OpenDayBooking
        | Route::Reference
        | Route::ResetPassword
        | Route::ConfirmEmail
        | Route::Verify
        | Route::Mailbox => Access::Show,
        Route::Unknown => Access::NotFound,
    }
}

/// Returns where a login or registration leads if no redirect target was given.
pub fn after_login(status: Status, program: Program) -> String {
    match status {
        Status::None | Status::Incomplete => format!("/{}/application", program.path()),
        _ => "/dashboard".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_whole_table() {
        use Access::{NotFound, Show};
        let to = |path: &str| Access::Redirect(path.into());
        let login = |path: &str| to(&format!("/masters/apply?dialog=login&redirect={path}"));
        let anonymous = Viewer::Anonymous;
        let with = |stage: Stage| {
            let program = (stage.status() != Status::None).then_some(Program::Bachelor);
            Viewer::Applicant { stage, program, load_failed: false }
        };
        let unloaded = Viewer::Applicant { stage: Stage::None, program: None, load_failed: true };

        for (path, viewer, expected) in [
            ("/", anonymous, to("/bachelor")),
            ("/", with(Stage::Enrolled), to("/bachelor")),
            ("/bachelor", anonymous, to("/bachelor/apply")),
            ("/masters", anonymous, to("/masters/apply")),
            ("/bachelor/apply", anonymous, Show),
            ("/bachelor/application", anonymous, Show),
            ("/bachelor/apply", with(Stage::Draft), Show),
            ("/bachelor/application", with(Stage::Draft), Show),
            ("/bachelor/apply", with(Stage::None), Show),
            ("/bachelor/application", with(Stage::None), to("/bachelor/apply")),
            ("/masters/application", with(Stage::None), to("/masters/apply")),
            ("/bachelor/application", unloaded, Show),
            ("/bachelor/apply", unloaded, Show),
            ("/bachelor/apply", with(Stage::Booked), to("/dashboard")),
            ("/bachelor/application", with(Stage::Offered), to("/dashboard")),
            ("/masters/apply", with(Stage::Rejected), to("/dashboard")),
            ("/masters/application", with(Stage::Enrolled), to("/dashboard")),
            ("/masters/application", with(Stage::Deferred), to("/dashboard")),
            ("/bachelor/apply", with(Stage::Submitted), Show),
            ("/bachelor/application", with(Stage::Submitted), Show),
            ("/bachelor/application/about-you", anonymous, Show),
            ("/bachelor/application/about-you", with(Stage::Draft), Show),
            ("/bachelor/application/credit-transfer", with(Stage::Draft), Show),
            ("/bachelor/application/employment", unloaded, Show),
            ("/masters/application/employment", with(Stage::Draft), to("/masters/application")),
            ("/bachelor/application/employment", with(Stage::Submitted), to("/bachelor/application")),
            ("/bachelor/application/employment", with(Stage::None), to("/bachelor/apply")),
            ("/bachelor/application/employment", with(Stage::Booked), to("/dashboard")),
            ("/bachelor/application/nowhere", with(Stage::Draft), NotFound),
            ("/bachelor/application/employment/", with(Stage::Draft), NotFound),
            ("/bachelor/applications", with(Stage::Draft), NotFound),
            ("/bachelor/application/check", anonymous, login("%2Fbachelor%2Fapplication%2Fcheck")),
            ("/bachelor/application/check", with(Stage::Draft), Show),
            ("/masters/application/check", with(Stage::Draft), to("/masters/application")),
            ("/bachelor/application/check", with(Stage::Submitted), to("/bachelor/application")),
            ("/bachelor/application/check", with(Stage::Changes), Show),
            ("/bachelor/application/employment", with(Stage::Changes), Show),
            ("/bachelor/application/check", with(Stage::None), to("/bachelor/application")),
            ("/bachelor/application/check", with(Stage::Archived), to("/bachelor/application")),
            ("/bachelor/application/check", with(Stage::Booked), to("/bachelor/application")),
            ("/bachelor/application/check", unloaded, to("/bachelor/application")),
            ("/application/check", anonymous, NotFound),
            ("/bachelor/application/fee", anonymous, login("%2Fbachelor%2Fapplication%2Ffee")),
            ("/bachelor/application/fee", with(Stage::Draft), Show),
            ("/bachelor/application/fee", with(Stage::Submitted), Show),
            ("/bachelor/application/fee", with(Stage::Enrolled), Show),
            ("/masters/application/fee", with(Stage::Submitted), to("/bachelor/application/fee")),
            ("/bachelor/application/fee", with(Stage::None), to("/dashboard")),
            ("/bachelor/application/fee", unloaded, to("/dashboard")),
            ("/thankyou", anonymous, login("%2Fthankyou")),
            ("/thankyou", with(Stage::None), to("/dashboard")),
            ("/thankyou", with(Stage::Draft), to("/dashboard")),
            ("/thankyou", with(Stage::Submitted), Show),
            ("/thankyou", with(Stage::Booked), Show),
            ("/thankyou", with(Stage::Held), to("/dashboard")),
            ("/thankyou", unloaded, to("/dashboard")),
            ("/dashboard", anonymous, login("%2Fdashboard")),
            ("/dashboard/account", anonymous, login("%2Fdashboard%2Faccount")),
            ("/dashboard/documents", anonymous, login("%2Fdashboard%2Fdocuments")),
            ("/dashboard", with(Stage::None), Show),
            ("/dashboard/account", with(Stage::Draft), Show),
            ("/dashboard/account/email", anonymous, login("%2Fdashboard%2Faccount%2Femail")),
            ("/dashboard/account/email", with(Stage::Draft), Show),
            ("/dashboard/account/close", anonymous, login("%2Fdashboard%2Faccount%2Fclose")),
            ("/dashboard/account/close", with(Stage::Enrolled), Show),
            ("/dashboard/account/second-factor", anonymous, login("%2Fdashboard%2Faccount%2Fsecond%2Dfactor")),
            ("/dashboard/account/second-factor", with(Stage::Draft), Show),
            ("/dashboard/account/passkeys", anonymous, login("%2Fdashboard%2Faccount%2Fpasskeys")),
            ("/login/passkey", anonymous, Show),
            ("/login/passkey", with(Stage::Draft), to("/dashboard")),
            ("/login/sign-on/1", anonymous, Show),
            ("/login/sign-on/1", with(Stage::Draft), to("/dashboard")),
            ("/login/sign-on/callback", anonymous, Show),
            ("/login/sign-on/callback", with(Stage::Draft), to("/dashboard")),
            ("/login/sign-on/", anonymous, NotFound),
            ("/login/code", anonymous, Show),
            ("/login/code", with(Stage::Draft), to("/dashboard")),
            ("/confirm-email", anonymous, Show),
            ("/confirm-email", with(Stage::Draft), Show),
            ("/dashboard/messages", anonymous, login("%2Fdashboard%2Fmessages")),
            ("/dashboard/messages", with(Stage::Draft), Show),
            ("/dashboard/messages/1", anonymous, login("%2Fdashboard%2Fmessages%2F1")),
            ("/dashboard/messages/1", with(Stage::None), Show),
            ("/dashboard/messages/", with(Stage::Draft), NotFound),
            ("/dashboard/messages/1/2", with(Stage::Draft), NotFound),
            ("/dashboard/letter", anonymous, login("%2Fdashboard%2Fletter")),
            ("/dashboard/letter", with(Stage::Rejected), Show),
            ("/dashboard/contract", anonymous, login("%2Fdashboard%2Fcontract")),
            ("/dashboard/contract", with(Stage::Confirmed), Show),
            ("/dashboard/contract.pdf", anonymous, login("%2Fdashboard%2Fcontract%2Epdf")),
            ("/dashboard/contract.pdf", with(Stage::Confirmed), Show),
            ("/verify/abc", anonymous, Show),
            ("/verify/abc", with(Stage::Draft), Show),
            ("/masters/inquire", anonymous, Show),
            ("/masters/inquire", with(Stage::Draft), Show),
            ("/inquire", anonymous, NotFound),
            ("/inquiries/confirm", anonymous, Show),
            ("/inquiries", anonymous, NotFound),
            ("/unsubscribe", anonymous, Show),
            ("/unsubscribe", with(Stage::Enrolled), Show),
            ("/open-days/1", anonymous, Show),
            ("/open-days/1", with(Stage::Draft), Show),
            ("/open-days/booking", anonymous, Show),
            ("/open-days", anonymous, NotFound),
            ("/open-days/", anonymous, NotFound),
            ("/open-days/1/2", anonymous, NotFound),
            ("/verify", anonymous, NotFound),
            ("/verify/a/b", anonymous, NotFound),
            ("/dashboard/funding", anonymous, login("%2Fdashboard%2Ffunding")),
            ("/dashboard/funding", with(Stage::Confirmed), Show),
            ("/dashboard/funding.pdf", with(Stage::Confirmed), Show),
            ("/dashboard/payments", anonymous, login("%2Fdashboard%2Fpayments")),
            ("/dashboard/payments", with(Stage::Enrolled), Show),
            ("/dashboard/payments/t1.pdf", anonymous, login("%2Fdashboard%2Fpayments%2Ft1%2Epdf")),
            ("/dashboard/payments/t1.pdf", with(Stage::Enrolled), Show),
            ("/dashboard/payments/.pdf", with(Stage::Enrolled), NotFound),
            ("/dashboard/payments/t1", with(Stage::Enrolled), NotFound),
            ("/dashboard/applications/1", anonymous, login("%2Fdashboard%2Fapplications%2F1")),
            ("/dashboard/applications/1", with(Stage::None), Show),
            ("/dashboard/applications", with(Stage::Draft), NotFound),
            ("/dashboard/documents", with(Stage::Draft), Show),
            ("/dashboard/documents", with(Stage::None), Show),
            ("/dashboard/documents/1", with(Stage::Offered), Show),
            ("/dashboard/documents/1/2", with(Stage::Offered), NotFound),
            ("/dashboard/nowhere", with(Stage::Draft), NotFound),
            ("/dashboard/nowhere", with(Stage::Draft), NotFound),
            ("/reset-password", anonymous, Show),
            ("/reset-password", with(Stage::Draft), Show),
            ("/schedule", anonymous, login("%2Fschedule")),
            ("/schedule", with(Stage::None), Show),
            ("/schedule", with(Stage::Draft), Show),
            ("/schedule", with(Stage::Submitted), Show),
            ("/schedule", with(Stage::Enrolled), Show),
            ("/schedule", unloaded, Show),
            ("/schedule/interview.ics", anonymous, login("%2Fschedule%2Finterview%2Eics")),
            ("/schedule/interview.ics", with(Stage::Booked), Show),
            ("/schedule/", anonymous, NotFound),
            ("/apply", anonymous, NotFound),
            ("/application", anonymous, NotFound),
            ("/bachelors/apply", anonymous, NotFound),
            ("/bachelor/apply/", anonymous, NotFound),
            ("/bachelor/Apply", anonymous, NotFound),
            ("//evil.example", anonymous, NotFound),
        ] {
            let route = Route::parse(path);
            assert_eq!(decide(route, viewer, Program::Masters, path), expected, "{path} {viewer:?}");
        }
    }

    #[test]
    fn login_leads_to_the_form_or_the_dashboard() {
        assert_eq!(after_login(Status::None, Program::Masters), "/masters/application");
        assert_eq!(after_login(Status::Incomplete, Program::Bachelor), "/bachelor/application");
        for status in [Status::Scheduled, Status::Accepted, Status::Rejected, Status::Enrolled, Status::Deferred] {
            assert_eq!(after_login(status, Program::Bachelor), "/dashboard");
        }
    }
}
