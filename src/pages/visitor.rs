//! Who requests a document, according to their cookies.

use axum::http::HeaderMap;

use super::language;
use super::page::{Theme, Viewer};
use app::accounts::sessions::SignedIn;
use app::{App, Error};
use domain::guard;
use domain::language::Language;
use domain::program::Program;
use domain::status::Stage;
use wire::CookieSettings;

/// Remembers the program whose pages were visited last.
pub const PROGRAM_COOKIE: &str = "program";
/// Remembers the chosen theme.
pub const THEME_COOKIE: &str = "theme";

/// The person in front of the browser.
#[derive(Debug, Clone)]
pub struct Visitor {
    pub signed_in: Option<SignedIn>,
    /// The active application of a signed-in user.
    pub application: Option<domain::application::Application>,
    /// Whether the application could not be read: it is unknown whether there is one.
    pub load_failed: bool,
    /// Number of unopened messages; counted for the pages of the dashboard.
    pub unread_messages: i64,
    /// On pages of the office.
    pub staff: Option<Box<domain::staff::StaffSession>>,
    /// Number of their own tasks; counted for the pages of the office.
    pub own_tasks: Option<domain::listing::Counted>,
    pub theme: Theme,
    /// As chosen in the browser, else the account's, else what the browser asks for.
    pub language: Language,
    /// The program visited last.
    pub last_program: Option<Program>,
    /// Whether a session cookie was sent that is no longer valid and has to be cleared.
    pub stale_cookie: bool,
}

impl Visitor {
    /// Reads the cookies; looks up sessions only if there are any.
    ///
    /// # Errors
    /// If the store is unavailable, so that a session cookie can be called neither good nor bad.
    pub async fn of(app: &App, cookies: CookieSettings, headers: &HeaderMap) -> Result<Visitor, Error> {
        let mut visitor = Visitor::anonymous(headers);
        if let Some(cookie) = wire::session_cookie(cookies, headers) {
            match Box::pin(visit(app, cookie)).await? {
                Some((signed_in, application)) => {
                    if language::chosen(headers).is_none() {
                        visitor.language = signed_in.applicant.profile.language;
                    }
                    visitor.signed_in = Some(signed_in);
                    visitor.load_failed = application.is_err();
                    visitor.application = application.unwrap_or_default();
                }
                None => visitor.stale_cookie = true,
            }
        }
        Ok(visitor)
    }

    /// Returns what is known without any session.
    pub fn anonymous(headers: &HeaderMap) -> Visitor {
        Visitor {
            signed_in: None,
            application: None,
            load_failed: false,
            unread_messages: 0,
            staff: None,
            own_tasks: None,
            language: language::chosen(headers).unwrap_or_else(|| wire::accepted_language(headers)),
            theme: wire::cookie(headers, THEME_COOKIE).and_then(Theme::parse).unwrap_or_default(),
            last_program: wire::cookie(headers, PROGRAM_COOKIE).and_then(Program::parse),
            stale_cookie: false,
        }
    }

    pub fn stage(&self) -> Stage {
        self.application.as_ref().map_or(Stage::None, |application| application.stage)
    }

    /// Returns what the guards need to know.
    pub fn guarded(&self) -> guard::Viewer {
        match self.signed_in {
            None => guard::Viewer::Anonymous,
            Some(_) => guard::Viewer::Applicant {
                stage: self.stage(),
                program: self.application.as_ref().map(|application| application.program),
                load_failed: self.load_failed,
            },
        }
    }

    pub fn viewer(&self) -> Option<Viewer> {
        self.signed_in.as_ref().map(|signed_in| Viewer {
            first_name: signed_in.applicant.profile.first_name.clone(),
            last_name: signed_in.applicant.profile.last_name.clone(),
            email: signed_in.applicant.email.clone(),
            application_status: self.stage().status(),
            unread_messages: self.unread_messages,
        })
    }

    /// Returns the time zone of dates: the user's own, else the institute's.
    pub fn time_zone<'a>(&'a self, app: &'a App) -> &'a str {
        match &self.signed_in {
            Some(SignedIn { applicant, .. }) if !applicant.profile.time_zone.is_empty() => &applicant.profile.time_zone,
            _ => &app.settings.time_zone,
        }
    }
}

type Visit = (SignedIn, Result<Option<domain::application::Application>, Error>);

/// Returns the session and its application. If they cannot be read together, returns the session alone: a user whose
/// application fails to load stays signed in and is told so.
async fn visit(app: &App, cookie: &str) -> Result<Option<Visit>, Error> {
    match app.visit(cookie).await {
        Ok(found) => Ok(found.map(|(signed_in, application)| (signed_in, Ok(application)))),
        Err(error) => {
            tracing::error!(error = &error as &dyn std::error::Error, "an application could not be loaded");
            let signed_in = app.recognise(cookie).await?;
            Ok(signed_in.map(|signed_in| (signed_in, Err(error))))
        }
    }
}
