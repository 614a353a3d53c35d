//! Searching the record of who did what.

use std::collections::HashMap;

use jiff::civil::Date;

use crate::App;
use crate::error::{Error, Refusal};
use domain::account::Email;
use domain::application::ApplicationKey;
use domain::audit::AuditLine;
use domain::clocks;
use domain::input::{FieldError, Input};
use domain::permission::Permission;
use domain::staff::Staff;
use store::AuditQuery;

/// Entries per page.
pub const AUDIT_PAGE: i64 = 50;
/// Maximum number of characters in a search term.
const MAX_LENGTH: usize = 200;

/// The search terms as typed. Empty ones are ignored.
#[derive(Debug, Clone, Default)]
pub struct AuditSearch {
    /// An email address, or `staff:ID`, `applicant:ID`, `provider:ID`.
    pub person: String,
    /// A reference number, or an application's id.
    pub application: String,
    pub action: String,
    /// Days in the institute's time zone: `2026-05-31`.
    pub from: String,
    pub until: String,
    /// `TIME~ID` of the last entry on the previous page.
    pub before: String,
}

/// A page of the record, with the names of colleagues, identity providers and applications.
#[derive(Debug, Clone)]
pub struct AuditPage {
    pub lines: Vec<AuditLine>,
    /// Keyed by `staff:ID`, `provider:ID` and `application:ID`.
    pub names: HashMap<String, String>,
    pub is_last: bool,
}

impl AuditPage {
    /// The cursor for the next page, for [`AuditSearch::before`]; `None` on the last page.
    pub fn next(&self) -> Option<String> {
        self.lines.last().filter(|_| !self.is_last).map(|last| format!("{}~{}", last.at, last.id))
    }
}

impl App {
    /// The matching entries, newest first.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`]; one for each term that does not identify a person, an application or a day.
    pub async fn search_audit(&self, staff: &Staff, search: &AuditSearch) -> Result<AuditPage, Error> {
        if !staff.role.may(Permission::Audit) {
            return Err(Refusal::RoleForbidden.into());
        }
        let mut errors = Vec::new();
        let mut query = AuditQuery { limit: AUDIT_PAGE + 1, ..AuditQuery::default() };
        let too_long = |text: &str| text.chars().count() > MAX_LENGTH || text.chars().any(char::is_control);
        for (path, text) in [
            ("person", &search.person),
            ("application", &search.application),
            ("action", &search.action),
            ("before", &search.before),
        ] {
            if too_long(text) {
                errors.push(FieldError::new(
                    path,
                    format!("{path}.invalid"),
                    "This cannot be searched for. Choose one of the values.",
                ));
            }
        }
        if !errors.is_empty() {
            return Err(errors.into());
        }
        query.person = self.person_of(&search.person, &mut errors).await?;
        query.subject = self.subject_of(&search.application, &mut errors).await?;
        query.action = Some(search.action.trim().to_owned()).filter(|action| !action.is_empty());
        let zone = &self.settings.time_zone;
        let from = day("from", &search.from, &mut errors);
        let until = day("until", &search.until, &mut errors);
        query.from = from.and_then(|day| day.yesterday().ok()).map(|before| clocks::end_of(before, zone));
        query.until = until.map(|day| clocks::end_of(day, zone));
        query.before = search.before.split_once('~').and_then(|(at, id)| Some((at.parse().ok()?, id.to_owned())));
        if !errors.is_empty() {
            return Err(errors.into());
        }
        let mut lines = self.store.search_audit(&query).await?;
        let is_last = i64::try_from(lines.len()).is_ok_and(|count| count <= AUDIT_PAGE);
        lines.truncate(usize::try_from(AUDIT_PAGE).unwrap_or_default());
        let all_staff = self.store.all_staff().await?;
        let names = all_staff.iter().map(|it| (format!("staff:{}", it.id), it.called().to_owned()));
        let providers = self.store.identity_providers().await?.into_iter();
        let providers = providers.map(|provider| (format!("provider:{}", provider.id), provider.name));
        let mut applications: Vec<&str> =
            lines.iter().filter_map(|line| line.subject.strip_prefix("application:")).collect();
        applications.sort_unstable();
        applications.dedup();
        let references = self.store.references(&applications).await?.into_iter();
        let references = references.map(|(id, reference)| (format!("application:{id}"), reference));
        Ok(AuditPage { lines, names: names.chain(providers).chain(references).collect(), is_last })
    }

    async fn person_of(&self, typed: &str, errors: &mut Vec<FieldError>) -> Result<Option<String>, Error> {
        let typed = typed.trim();
        let is_key = ["staff:", "applicant:", "referee:", "provider:"].iter().any(|prefix| typed.starts_with(prefix));
        if typed.is_empty() || is_key || typed == "system" {
            return Ok(Some(typed.to_owned()).filter(|typed| !typed.is_empty()));
        }
        if let Ok(email) = Email::parse(Some(&Input::Text(typed.to_owned()))) {
            if let Some(staff) = self.store.staff_by_email(&email.key()).await? {
                return Ok(Some(format!("staff:{}", staff.id)));
            }
            if let Some(applicant) = self.store.applicant_by_email(&email.key()).await? {
                return Ok(Some(format!("applicant:{}", applicant.id)));
            }
        }
        errors.push(FieldError::new("person", "person.unknown", "Nobody has this email address."));
        Ok(None)
    }

    async fn subject_of(&self, typed: &str, errors: &mut Vec<FieldError>) -> Result<Option<String>, Error> {
        let typed = typed.trim();
        if typed.is_empty() {
            return Ok(None);
        }
        let found = match self.store.application(ApplicationKey::Reference(&typed.to_uppercase())).await? {
            None => self.store.application(ApplicationKey::Id(typed)).await?,
            found => found,
        };
        match found {
            Some((_, application)) => Ok(Some(format!("application:{}", application.id))),
            None => {
                let sentence = "There is no application with this number.";
                errors.push(FieldError::new("application", "application.unknown", sentence));
                Ok(None)
            }
        }
    }
}

/// Parses a day; an empty text gives `None`.
pub(crate) fn day(path: &str, typed: &str, errors: &mut Vec<FieldError>) -> Option<Date> {
    let typed = typed.trim();
    let day = typed.parse::<Date>().ok().filter(|_| typed.len() == 10);
    if !typed.is_empty() && day.is_none() {
        errors.push(FieldError::new(path, format!("{path}.invalid"), "Enter a date like 2026-05-31."));
    }
    day
}
