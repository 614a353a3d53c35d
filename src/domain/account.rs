//! An applicant's account: what registration and the profile accept.

use jiff::civil::Date;

use super::characters;
use super::input::{FieldError, Input, unknown_fields};
use super::language::Language;
use super::names;
use super::password;
use super::program::Program;
use super::reference;
use super::sentence::Sentence;
use crate::text;

/// A syntactically valid e-mail address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Email(String);

impl Email {
    /// As typed, trimmed.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What accounts are compared by: lower case.
    pub fn key(&self) -> String {
        self.0.to_lowercase()
    }

    /// # Errors
    /// `email.required`, `email.invalid`.
    pub fn parse(input: Option<&Input>) -> Result<Email, FieldError> {
        let invalid = || {
            FieldError::new("email", "email.invalid", text!("Enter an email address in the format name@example.com."))
        };
        let text = match input {
            None | Some(Input::Null) => "",
            Some(Input::Text(text)) => text.trim_matches(' '),
            Some(_) => return Err(invalid()),
        };
        if text.is_empty() {
            return Err(FieldError::new("email", "email.required", text!("Email is required.")));
        }
        if is_email(text) { Ok(Email(text.to_owned())) } else { Err(invalid()) }
    }
}

/// The addresses that mail servers of today accept without quoting: one `@`, a dotted host, no spaces, no control
/// characters.
fn is_email(text: &str) -> bool {
    let Some((local, host)) = text.rsplit_once('@') else { return false };
    let local_ok = !local.is_empty()
        && local.len() <= 64
        && !local.starts_with('.')
        && !local.ends_with('.')
        && !local.contains("..")
        && local.chars().all(|c| c.is_alphanumeric() || "!#$%&'*+-/=?^_`{|}~.".contains(c));
    let host_ok = host.len() <= 253
        && host.contains('.')
        && host.split('.').all(|label| {
            (1..=63).contains(&label.len())
                && !label.starts_with('-')
                && !label.ends_with('-')
                && label.chars().all(|c| c.is_alphanumeric() || c == '-')
        });
    local_ok && host_ok && text.len() <= 254
}

/// A valid registration.
#[derive(Debug, Clone)]
pub struct Registration {
    pub profile: Profile,
    pub email: Email,
    /// Normalised, not hashed.
    pub password: String,
    /// The program whose application is started with the account.
    pub program: Option<Program>,
}

/// What an applicant tells about themselves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Profile {
    pub first_name: String,
    pub last_name: String,
    pub date_of_birth: Date,
    /// `+`, the country's dial code, digits.
    pub phone_number: String,
    /// ISO 3166-1 alpha-2.
    pub country: String,
    /// One of the 50 states, only in the United States.
    pub state: Option<String>,
    /// IANA name, empty until it is chosen.
    pub time_zone: String,
    /// Whether reminders are mailed. Mails that are needed always come.
    pub reminders: bool,
    /// What mails are written in.
    pub language: Language,
}

impl Registration {
    /// Checks the body of a registration. `today` is the date in UTC, `language` the one that is spoken.
    ///
    /// # Errors
    /// One error for each bad field, in the form's order.
    pub fn parse(
        input: &Input,
        today: Date,
        institute: &str,
        language: Language,
    ) -> Result<Registration, Vec<FieldError>> {
        let entries = input.entries()?;
        let mut check = Check { entries, today, errors: Vec::new() };
        check.known(&[
            "firstName",
            "lastName",
            "dateOfBirth",
            "phoneNumber",
            "country",
            "state",
            "email",
            "password",
            "applicationType",
        ]);
        let first_name = check.name("firstName", &text!("First name"));
        let last_name = check.name("lastName", &text!("Last name"));
        let date_of_birth = check.date_of_birth();
        let country = check.country();
        let phone_number = check.phone_number();
        let state = check.state(country.as_deref(), None);
        let email = Email::parse(Input::get(entries, "email")).map_err(|error| check.errors.push(error)).ok();
        let institute_word = institute.split_whitespace().next().unwrap_or_default();
        let context: Vec<&str> = [first_name.as_deref(), last_name.as_deref(), email.as_ref().map(Email::as_str)]
            .into_iter()
            .flatten()
            .chain([institute, institute_word])
            .collect();
        let password = check.password(&context);
        let program = match Input::get(entries, "applicationType") {
            None => None,
            Some(value) => check.program(value),
        };
        let Check { errors, .. } = check;
        match (first_name, last_name, date_of_birth, phone_number, country, email, password) {
            (
                Some(first_name),
                Some(last_name),
                Some(date_of_birth),
                Some(phone_number),
                Some(country),
                Some(email),
                Some(password),
            ) if errors.is_empty() => Ok(Registration {
                profile: Profile {
                    first_name,
                    last_name,
                    date_of_birth,
                    phone_number,
                    country,
                    state,
                    time_zone: String::new(),
                    reminders: true,
                    language,
                },
                email,
                password,
                program,
            }),
            _ => Err(errors),
        }
    }
}

impl Profile {
    /// The profile after a change of any of its fields.
    ///
    /// # Errors
    /// One error for each bad field.
    pub fn changed(&self, input: &Input, today: Date) -> Result<Profile, Vec<FieldError>> {
        let entries = input.entries()?;
        let mut check = Check { entries, today, errors: Vec::new() };
        check.known(&[
            "firstName",
            "lastName",
            "dateOfBirth",
            "phoneNumber",
            "country",
            "state",
            "timeZone",
            "reminders",
            "language",
        ]);
        let given = |name: &str| entries.iter().any(|(key, _)| key == name);
        let mut profile = self.clone();
        if given("firstName") {
            profile.first_name = check.name("firstName", &text!("First name")).unwrap_or_default();
        }
        if given("lastName") {
            profile.last_name = check.name("lastName", &text!("Last name")).unwrap_or_default();
        }
        if given("dateOfBirth") {
            profile.date_of_birth = check.date_of_birth().unwrap_or_default();
        }
        if given("phoneNumber") {
            profile.phone_number = check.phone_number().unwrap_or_default();
        }
        if given("country") {
            profile.country = check.country().unwrap_or_default();
        }
        if given("country") || given("state") {
            profile.state = check.state(Some(&profile.country), self.state.as_deref().filter(|_| !given("state")));
        }
        if given("timeZone") {
            profile.time_zone = check.time_zone().unwrap_or_default();
        }
        match Input::get(entries, "reminders") {
            None => {}
            Some(Input::Bool(reminders)) => profile.reminders = *reminders,
            Some(_) => check.fail("reminders", "type", text!("Answer yes or no.")),
        }
        match Input::get(entries, "language") {
            None => {}
            Some(value) => match Language::of(value) {
                Some(language) => profile.language = language,
                None => check.fail("language", "unknown", text!("Choose a language from the list.")),
            },
        }
        if check.errors.is_empty() { Ok(profile) } else { Err(check.errors) }
    }
}

/// Reads the fields of one body and gathers what is wrong.
struct Check<'a> {
    entries: &'a [(String, Input)],
    today: Date,
    errors: Vec<FieldError>,
}

impl Check<'_> {
    fn fail(&mut self, field: &str, code: &str, message: impl Into<Sentence>) {
        self.errors.push(FieldError::new(field, format!("{field}.{code}"), message));
    }

    fn known(&mut self, names: &[&str]) {
        self.errors.extend(unknown_fields(self.entries, names));
    }

    /// The trimmed text of a required field. Its absence is an error told with `label`.
    fn text(&mut self, field: &str, label: &Sentence) -> Option<String> {
        match Input::get(self.entries, field) {
            None => {
                self.fail(field, "required", text!("{label} is required.", label));
                None
            }
            Some(Input::Text(text)) if text.trim().is_empty() => {
                self.fail(field, "required", text!("{label} is required.", label));
                None
            }
            Some(Input::Text(text)) => Some(text.trim().to_owned()),
            Some(_) => {
                self.fail(field, "type", text!("{label} must be text.", label));
                None
            }
        }
    }

    fn name(&mut self, field: &str, label: &Sentence) -> Option<String> {
        let text = self.text(field, label)?;
        if text.chars().count() > 100 {
            self.fail(field, "too_long", text!("{label} must be at most 100 characters.", label));
            return None;
        }
        if let Some(sentence) = characters::refused(label.clone(), &text) {
            self.fail(field, "invalid", sentence);
            return None;
        }
        if names::holds_address(&text) {
            self.fail(field, "address", names::address_refused(label));
            return None;
        }
        Some(text)
    }

    fn date_of_birth(&mut self) -> Option<Date> {
        const FIELD: &str = "dateOfBirth";
        let text = self.text(FIELD, &text!("Date of birth"))?;
        let written_out = text.len() == 10 && text.bytes().all(|b| b.is_ascii_digit() || b == b'-');
        let Some(date) = text.parse::<Date>().ok().filter(|_| written_out) else {
            self.fail(FIELD, "invalid", text!("Date of birth is not a real date."));
            return None;
        };
        if date >= self.today {
            self.fail(FIELD, "future", text!("Date of birth must be in the past."));
            return None;
        }
        if date.year() < 1900 {
            self.fail(FIELD, "range", text!("Date of birth must be after 1899."));
            return None;
        }
        Some(date)
    }

    /// `+` and digits. People type spaces, dots, dashes and brackets; none of them is kept.
    fn phone_number(&mut self) -> Option<String> {
        const FIELD: &str = "phoneNumber";
        let text = self.text(FIELD, &text!("Phone number"))?;
        let digits: String =
            text.trim_start_matches('+').chars().filter(|c| !matches!(c, ' ' | '.' | '-' | '(' | ')' | '/')).collect();
        if !(4..=15).contains(&digits.len()) || !digits.bytes().all(|b| b.is_ascii_digit()) {
            self.fail(FIELD, "invalid", text!("Enter a phone number with 4 to 15 digits."));
            return None;
        }
        Some(format!("+{digits}"))
    }

    fn country(&mut self) -> Option<String> {
        let code = self.text("country", &text!("Country"))?;
        if reference::country(&code).is_none() {
            self.fail("country", "unknown", text!("Choose a country from the list."));
            return None;
        }
        Some(code)
    }

    /// The state: required in the United States, dropped elsewhere. `kept` is the one known before.
    fn state(&mut self, country: Option<&str>, kept: Option<&str>) -> Option<String> {
        if country.is_some_and(|country| country != "US") {
            return None;
        }
        match Input::get(self.entries, "state") {
            Some(Input::Text(code)) if reference::US_STATES.contains(&code.as_str()) => Some(code.clone()),
            Some(Input::Text(code)) if !code.is_empty() => {
                self.fail("state", "unknown", text!("Choose a state from the list."));
                None
            }
            None | Some(Input::Text(_)) => {
                if country.is_some() && kept.is_none() {
                    self.fail("state", "required", text!("State is required when the country is United States."));
                }
                kept.map(str::to_owned)
            }
            Some(_) => {
                self.fail("state", "type", text!("Choose a state from the list."));
                None
            }
        }
    }

    fn password(&mut self, context: &[&str]) -> Option<String> {
        let checked = match Input::get(self.entries, "password") {
            Some(Input::Text(text)) => password::check(text, context),
            None => password::check("", context),
            Some(_) => Err(FieldError::new("password", "password.type", text!("Password must be text."))),
        };
        checked.map_err(|error| self.errors.push(error)).ok()
    }

    fn program(&mut self, value: &Input) -> Option<Program> {
        let program = match value {
            Input::Text(text) => Program::of_application_type(text),
            _ => None,
        };
        if program.is_none() {
            self.fail("applicationType", "unknown", text!("Application type must be ba or msc."));
        }
        program
    }

    fn time_zone(&mut self) -> Option<String> {
        if Input::get(self.entries, "timeZone") == Some(&Input::Text(String::new())) {
            return Some(String::new());
        }
        // The database's own spelling, however it was typed.
        let typed = self.text("timeZone", &text!("Time zone"))?.replace(' ', "_");
        let zone = jiff::tz::TimeZone::get(&typed).ok();
        let name = zone.as_ref().and_then(|zone| zone.iana_name()).map(str::to_owned);
        if name.is_none() {
            self.fail("timeZone", "unknown", text!("Choose a time zone from the list."));
        }
        name
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    fn text(value: &str) -> Input {
        Input::Text(value.into())
    }

    fn body() -> Vec<(String, Input)> {
        [
            ("firstName", "Demo"),
            ("lastName", "Applicant"),
            ("dateOfBirth", "1990-02-28"),
            ("phoneNumber", "+1 (555) 010-0199"),
            ("country", "US"),
            ("state", "TX"),
            ("email", "Demo@Example.org"),
            ("password", "long enough to keep"),
        ]
        .map(|(name, value)| (name.to_owned(), text(value)))
        .to_vec()
    }

    fn parse(changes: &[(&str, Option<Input>)]) -> Result<Registration, Vec<String>> {
        let mut entries = body();
        for (name, value) in changes {
            entries.retain(|(key, _)| key != name);
            if let Some(value) = value {
                entries.push(((*name).to_owned(), value.clone()));
            }
        }
        Registration::parse(&Input::Map(entries), date(2026, 5, 4), "Matricula Institute", Language::En)
            .map_err(|errors| errors.into_iter().map(|error| error.code).collect())
    }

    #[test]
    fn a_good_registration_is_normalised() {
        let registration = parse(&[]).unwrap();
        assert_eq!(registration.profile.phone_number, "+15550100199");
        assert_eq!(registration.email.key(), "demo@example.org");
        assert_eq!(registration.profile.state.as_deref(), Some("TX"));
    }

    #[test]
    fn each_bad_field_has_its_own_error() {
        for (name, value, code) in [
            ("email", None, "email.required"),
            ("email", Some(text("a@b.co\r\nBcc: v@x.y")), "email.invalid"),
            ("email", Some(text("' OR 1=1-- ")), "email.invalid"),
            ("email", Some(Input::Whole(1)), "email.invalid"),
            ("firstName", Some(text("  ")), "firstName.required"),
            ("lastName", Some(text(&"x".repeat(101))), "lastName.too_long"),
            ("lastName", Some(text("a\u{7}b")), "lastName.invalid"),
            ("firstName", Some(text("account is locked: https://example.org")), "firstName.address"),
            ("lastName", Some(text("example.org")), "lastName.address"),
            ("dateOfBirth", Some(text("2025-02-30")), "dateOfBirth.invalid"),
            ("dateOfBirth", Some(text("20250101")), "dateOfBirth.invalid"),
            ("dateOfBirth", Some(text("2026-05-04")), "dateOfBirth.future"),
            ("dateOfBirth", Some(text("2026-05-05")), "dateOfBirth.future"),
            ("dateOfBirth", Some(text("1899-12-31")), "dateOfBirth.range"),
            ("phoneNumber", Some(text("+1")), "phoneNumber.invalid"),
            ("phoneNumber", Some(text("+1abc")), "phoneNumber.invalid"),
            ("phoneNumber", Some(text("12345678901234567890")), "phoneNumber.invalid"),
            ("country", Some(text("XX")), "country.unknown"),
            ("state", None, "state.required"),
            ("state", Some(text("ZZ")), "state.unknown"),
            ("password", Some(text("too short")), "password.too_short"),
            ("password", Some(text("demo demo demo")), "password.context"),
            ("applicationType", Some(text("phd")), "applicationType.unknown"),
            ("isAdmin", Some(Input::Bool(true)), "field.unknown"),
        ] {
            assert_eq!(parse(&[(name, value.clone())]).unwrap_err(), [code], "{name} {value:?}");
        }
    }

    #[test]
    fn a_state_outside_the_united_states_is_dropped() {
        let registration = parse(&[("country", Some(text("DE")))]).unwrap();
        assert_eq!(registration.profile.state, None);
    }

    #[test]
    fn changing_the_country_away_from_us_clears_the_state() {
        let profile = parse(&[]).unwrap().profile;
        let change = |entries: &[(&str, &str)]| {
            let entries = entries.iter().map(|(k, v)| ((*k).to_owned(), text(v))).collect();
            profile.changed(&Input::Map(entries), date(2026, 5, 4))
        };
        assert_eq!(change(&[("country", "DE")]).unwrap().state, None);
        assert_eq!(change(&[("state", "CA")]).unwrap().state.as_deref(), Some("CA"));
        assert_eq!(change(&[("firstName", "Other")]).unwrap().state.as_deref(), Some("TX"));
        assert_eq!(change(&[("timeZone", "Europe/Berlin")]).unwrap().time_zone, "Europe/Berlin");
        assert_eq!(change(&[("timeZone", "america/new york")]).unwrap().time_zone, "America/New_York");
        assert_eq!(change(&[("timeZone", "")]).unwrap().time_zone, "");
        assert_eq!(change(&[("firstName", "www.example.org")]).unwrap_err()[0].code, "firstName.address");
        assert_eq!(change(&[("timeZone", "Mars/Base")]).unwrap_err()[0].code, "timeZone.unknown");
        assert_eq!(change(&[("reminders", "no")]).unwrap_err()[0].code, "reminders.type");
        assert!(profile.reminders);
    }
}
