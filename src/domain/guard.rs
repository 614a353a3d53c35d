//! Which page a path means, and who may see it. Pure, so that the whole table can be read in one test.

use super::program::Program;
use super::status::{Stage, Status};

/// A page of the product.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Route {
    Root,
    ProgramRoot(Program),
    Apply(Program),
    Application(Program),
    /// Check your answers, and submit them.
    Check(Program),
    ResetPassword,
    ThankYou,
    Dashboard,
    Account,
    /// A page under `/dashboard` that does not exist: login is asked for first.
    DashboardUnknown,
    AdminLogin,
    /// Anything else under `/admin-panel`.
    AdminPanel,
    /// The development mailbox.
    Mailbox,
    Unknown,
}

impl Route {
    /// The route of a path without query. Exact: `/bachelors/apply` is not bachelor, and a trailing slash is another
    /// path.
    pub fn parse(path: &str) -> Route {
        match path {
            "/" => return Route::Root,
            "/reset-password" => return Route::ResetPassword,
            "/thankyou" => return Route::ThankYou,
            "/dashboard" => return Route::Dashboard,
            "/dashboard/account" => return Route::Account,
            "/admin-panel" => return Route::AdminPanel,
            "/admin-panel/login" => return Route::AdminLogin,
            "/mailbox" => return Route::Mailbox,
            _ => {}
        }
        if path.starts_with("/dashboard/") {
            return Route::DashboardUnknown;
        }
        if path.starts_with("/admin-panel/") {
            return Route::AdminPanel;
        }
        let Some(program) = Program::of_path(path) else { return Route::Unknown };
        match path.strip_prefix('/').and_then(|path| path.strip_prefix(program.path())) {
            Some("") => Route::ProgramRoot(program),
            Some("/apply") => Route::Apply(program),
            Some("/application") => Route::Application(program),
            Some("/application/check") => Route::Check(program),
            _ => Route::Unknown,
        }
    }
}

/// What the guards know of the person asking.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Viewer {
    Anonymous,
    Applicant {
        stage: Stage,
        /// Of the active application.
        program: Option<Program>,
        /// The application could not be loaded: routed as `none`, but never told that there is none.
        load_failed: bool,
    },
}

/// What a guard says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    Show,
    /// 302 to a path of ours.
    Redirect(String),
    NotFound,
}

/// Decides about a document request. `current` is the program of the path, else the last one visited, else bachelor;
/// `wanted` is the path and query as asked for; `staff` tells whether a member of staff is signed in.
pub fn decide(route: Route, viewer: Viewer, current: Program, wanted: &str, staff: bool) -> Decision {
    let apply = |program: Program| format!("/{}/apply", program.path());
    let login = || {
        let wanted = percent_encoding::utf8_percent_encode(wanted, percent_encoding::NON_ALPHANUMERIC);
        Decision::Redirect(format!("{}?dialog=login&redirect={wanted}", apply(current)))
    };
    match route {
        Route::Root => Decision::Redirect("/bachelor".into()),
        Route::ProgramRoot(program) => Decision::Redirect(apply(program)),
        Route::Apply(program) | Route::Application(program) => match viewer {
            Viewer::Anonymous => Decision::Show,
            Viewer::Applicant { load_failed: true, .. } => Decision::Show,
            Viewer::Applicant { stage, .. } => match stage.status() {
                Status::Incomplete => Decision::Show,
                Status::None if matches!(route, Route::Apply(_)) => Decision::Show,
                Status::None => Decision::Redirect(apply(program)),
                _ => Decision::Redirect("/dashboard".into()),
            },
        },
        Route::Check(program) => match viewer {
            Viewer::Anonymous => login(),
            Viewer::Applicant { stage, program: Some(own), .. } if own == program && stage.is_editable() => {
                Decision::Show
            }
            // The application page says what is the matter: sent already, of the other program, not loaded; and its own
            // guard knows where those go who have none.
            Viewer::Applicant { .. } => Decision::Redirect(format!("/{}/application", program.path())),
        },
        Route::ThankYou => match viewer {
            Viewer::Anonymous => login(),
            Viewer::Applicant { stage: Stage::Submitted, .. } => Decision::Show,
            Viewer::Applicant { .. } => Decision::Redirect("/dashboard".into()),
        },
        Route::Dashboard | Route::Account | Route::DashboardUnknown => match viewer {
            Viewer::Anonymous => login(),
            Viewer::Applicant { .. } if route == Route::DashboardUnknown => Decision::NotFound,
            Viewer::Applicant { .. } => Decision::Show,
        },
        Route::AdminPanel if staff => Decision::NotFound,
        Route::AdminPanel => Decision::Redirect("/admin-panel/login".into()),
        Route::ResetPassword | Route::AdminLogin | Route::Mailbox => Decision::Show,
        Route::Unknown => Decision::NotFound,
    }
}

/// Where a login or registration leads when no redirect target was asked for.
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
        use Decision::{NotFound, Show};
        let to = |path: &str| Decision::Redirect(path.into());
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
            ("/bachelor/application/check", anonymous, login("%2Fbachelor%2Fapplication%2Fcheck")),
            ("/bachelor/application/check", with(Stage::Draft), Show),
            ("/masters/application/check", with(Stage::Draft), to("/masters/application")),
            ("/bachelor/application/check", with(Stage::Submitted), to("/bachelor/application")),
            ("/bachelor/application/check", with(Stage::Changes), to("/bachelor/application")),
            ("/bachelor/application/check", with(Stage::None), to("/bachelor/application")),
            ("/bachelor/application/check", with(Stage::Archived), to("/bachelor/application")),
            ("/bachelor/application/check", with(Stage::Booked), to("/bachelor/application")),
            ("/bachelor/application/check", unloaded, to("/bachelor/application")),
            ("/application/check", anonymous, NotFound),
            ("/thankyou", anonymous, login("%2Fthankyou")),
            ("/thankyou", with(Stage::None), to("/dashboard")),
            ("/thankyou", with(Stage::Draft), to("/dashboard")),
            ("/thankyou", with(Stage::Submitted), Show),
            ("/thankyou", with(Stage::Booked), to("/dashboard")),
            ("/thankyou", unloaded, to("/dashboard")),
            ("/dashboard", anonymous, login("%2Fdashboard")),
            ("/dashboard/account", anonymous, login("%2Fdashboard%2Faccount")),
            ("/dashboard/documents", anonymous, login("%2Fdashboard%2Fdocuments")),
            ("/dashboard", with(Stage::None), Show),
            ("/dashboard/account", with(Stage::Draft), Show),
            ("/dashboard/documents", with(Stage::Draft), NotFound),
            ("/dashboard/nowhere", with(Stage::Draft), NotFound),
            ("/reset-password", anonymous, Show),
            ("/reset-password", with(Stage::Draft), Show),
            ("/admin-panel", anonymous, to("/admin-panel/login")),
            ("/admin-panel/applications/7", with(Stage::Draft), to("/admin-panel/login")),
            ("/admin-panel/login", anonymous, Show),
            ("/schedule", anonymous, NotFound),
            ("/apply", anonymous, NotFound),
            ("/application", anonymous, NotFound),
            ("/bachelors/apply", anonymous, NotFound),
            ("/bachelor/apply/", anonymous, NotFound),
            ("/bachelor/Apply", anonymous, NotFound),
            ("//evil.example", anonymous, NotFound),
        ] {
            let route = Route::parse(path);
            assert_eq!(decide(route, viewer, Program::Masters, path, false), expected, "{path} {viewer:?}");
        }
        let staff = decide(Route::parse("/admin-panel/settings"), anonymous, Program::Bachelor, "/", true);
        assert_eq!(staff, NotFound);
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
