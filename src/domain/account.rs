//! An applicant's account: what registration and the profile accept.

use std::ops::RangeInclusive;

use jiff::civil::Date;

use super::body::{Read, by, required, wrong, yes_or_no};
use super::characters;
use super::input::{FieldError, Input};
use super::language::Language;
use super::names;
use super::password;
use super::program::{ApplicationType, Program, application_type};
use super::reference;
use super::sentence::Sentence;
use crate::moments::Millis;
use crate::session::Audience;
use crate::{body, text};

/// A syntactically valid email address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Email(String);

impl Email {
    /// Returns the address as typed, trimmed.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the lower-case form by which accounts are compared.
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

/// Whether mail servers accept the address without quoting: one `@`, a dotted host, no spaces, no control characters.
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

body! {
    /// A new account.
    pub struct Registration given (today: Date, institute: &str) {
        /// At most 100 characters, and nothing that looks like a web address.
        pub first_name: String = needed(text!("First name"), name),
        pub last_name: String = needed(text!("Last name"), name),
        /// In the past.
        #[schema(value_type = String, format = Date, example = "1990-02-28")]
        pub date_of_birth: Date = needed(text!("Date of birth"), date_of_birth(today)),
        /// ISO 3166-1 alpha-2.
        #[schema(example = "US")]
        pub country: String = needed(text!("Country"), country_code),
        /// `+`, the country's first dial code, digits; 4 to 15 digits in all. Spaces and punctuation are dropped.
        #[schema(example = "+15550100199")]
        pub phone_number: String = needed(text!("Phone number"), phone_number),
        /// Two-letter code of one of the 50 states; required in the United States, ignored elsewhere.
        #[schema(example = "TX")]
        pub state: Option<String> = state_of(country.as_deref()),
        #[schema(value_type = String, format = Email)]
        pub email: Email = by(Email::parse),
        /// 10 to 200 characters that are hard to guess, without names, email or the institute's name.
        #[schema(format = Password)]
        pub password: String = |path: &str, input: Option<&Input>| {
            let names = [first_name.as_deref(), last_name.as_deref(), email.as_ref().map(Email::as_str)];
            let institute_word = institute.split_whitespace().next().unwrap_or_default();
            let context: Vec<&str> = names.into_iter().flatten().chain([institute, institute_word]).collect();
            match input {
                None => password::check("", &context),
                Some(Input::Text(text)) => password::check(text, &context),
                Some(_) => Err(wrong(path, "type", text!("Password must be text."))),
            }
        },
        /// Also starts an application for this program.
        #[schema(value_type = Option<ApplicationType>, nullable = false)]
        pub application_type: Option<Program> = application_type,
    }
}

body! {
    /// Somebody whose application comes from elsewhere: what a registration needs, except for a password.
    pub struct ImportedPerson given (today: Date) {
        pub first_name: String = needed(text!("First name"), name),
        pub last_name: String = needed(text!("Last name"), name),
        #[schema(value_type = String)]
        pub date_of_birth: Date = needed(text!("Date of birth"), date_of_birth(today)),
        pub country: String = needed(text!("Country"), country_code),
        pub phone_number: String = needed(text!("Phone number"), phone_number),
        pub state: Option<String> = state_of(country.as_deref()),
        #[schema(value_type = String)]
        pub email: Email = by(Email::parse),
        pub language: Option<Language> = language,
    }
}

/// What applicants tell us about themselves.
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
    /// IANA name; empty until chosen.
    pub time_zone: String,
    /// Whether to mail reminders. Essential mail is always sent.
    pub reminders: bool,
    /// Language of mails.
    pub language: Language,
}

body! {
    /// Any fields of the profile; omitted fields stay as they are.
    pub struct ProfileChange given (profile: &Profile, today: Date) {
        #[schema(nullable = false)]
        first_name: Option<String> = labelled(text!("First name"), name),
        #[schema(nullable = false)]
        last_name: Option<String> = labelled(text!("Last name"), name),
        #[schema(value_type = Option<String>, format = Date, nullable = false)]
        date_of_birth: Option<Date> = labelled(text!("Date of birth"), date_of_birth(today)),
        /// Changing to a country other than the United States clears the state.
        #[schema(nullable = false)]
        country: Option<String> = labelled(text!("Country"), country_code),
        /// `+`, the country's first dial code, digits.
        #[schema(nullable = false)]
        phone_number: Option<String> = labelled(text!("Phone number"), phone_number),
        /// Two-letter code of one of the 50 states; required in the United States, ignored elsewhere.
        state: Option<String> = |path: &str, input: Option<&Input>| {
            let moves_to = country.as_ref().and_then(Option::as_deref);
            match moves_to.unwrap_or(&profile.country) {
                "US" if input.is_none() && (moves_to.is_none() || profile.state.is_some()) => Ok(profile.state.clone()),
                "US" => required(us_state, state_missing())(path, input).map(Some),
                _ => Ok(None),
            }
        },
        /// IANA name; empty for the institute's time zone.
        #[schema(example = "America/Chicago", nullable = false)]
        time_zone: Option<String> = time_zone,
        /// Whether to mail reminders.
        #[schema(nullable = false)]
        reminders: Option<bool> = yes_or_no,
        /// Language of mails.
        #[schema(nullable = false)]
        language: Option<Language> = language,
    }
}

impl Profile {
    /// Returns the profile with the given fields changed.
    ///
    /// # Errors
    /// One error for each invalid field.
    pub fn changed(&self, input: &Input, today: Date) -> Result<Profile, Vec<FieldError>> {
        let change = ProfileChange::parse(input, self, today)?;
        let old = self.clone();
        Ok(Profile {
            first_name: change.first_name.unwrap_or(old.first_name),
            last_name: change.last_name.unwrap_or(old.last_name),
            date_of_birth: change.date_of_birth.unwrap_or(old.date_of_birth),
            phone_number: change.phone_number.unwrap_or(old.phone_number),
            country: change.country.unwrap_or(old.country),
            state: change.state,
            time_zone: change.time_zone.unwrap_or(old.time_zone),
            reminders: change.reminders.unwrap_or(old.reminders),
            language: change.language.unwrap_or(old.language),
        })
    }
}

/// A plausible but unusual answer that the applicant is asked to confirm.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Doubt {
    pub field: &'static str,
    /// The answer in question. A confirmation applies only to this answer.
    pub answer: String,
    pub question: Sentence,
}

/// Ages outside this range suggest a mistyped year.
pub const USUAL_AGES: RangeInclusive<i16> = 14..=110;

/// Returns the answers to confirm in a registration, or in a change to the `known` profile. Skips invalid answers and
/// answers the profile already has.
pub fn doubts(input: &Input, known: Option<&Profile>, today: Date) -> Vec<Doubt> {
    let Ok(entries) = input.entries() else { return Vec::new() };
    fn read<T>(entries: &[(String, Input)], field: &str, read: impl Read<Option<T>>) -> Option<T> {
        read(field, Input::get(entries, field)).ok().flatten()
    }
    let born = read(entries, "dateOfBirth", labelled(text!("Date of birth"), date_of_birth(today)));
    let country = read(entries, "country", labelled(text!("Country"), country_code));
    let number = read(entries, "phoneNumber", labelled(text!("Phone number"), phone_number));
    let known = |doubt: &Doubt| {
        known.is_some_and(|known| {
            age_doubt(known.date_of_birth, today).as_ref() == Some(doubt)
                || number_doubt(&known.country, &known.phone_number).as_ref() == Some(doubt)
        })
    };
    let age = born.and_then(|born| age_doubt(born, today));
    let dialled = country.zip(number).and_then(|(country, number)| number_doubt(&country, &number));
    age.into_iter().chain(dialled).filter(|doubt| !known(doubt)).collect()
}

fn age_doubt(born: Date, today: Date) -> Option<Doubt> {
    let had_birthday = (today.month(), today.day()) >= (born.month(), born.day());
    let age = today.year() - born.year() - i16::from(!had_birthday);
    let question = text!("You would be {age} now. Check the year.", age);
    (!USUAL_AGES.contains(&age)).then(|| Doubt { field: "dateOfBirth", answer: born.to_string(), question })
}

fn number_doubt(country: &str, number: &str) -> Option<Doubt> {
    let known = reference::country(country)?;
    if known.dial.iter().any(|dial| number.trim_start_matches('+').starts_with(dial)) {
        return None;
    }
    let (dial, name) = (known.dial[0].as_str(), known.label());
    let question = text!("This number does not begin with +{dial}. Is {name} your country?", dial, name);
    Some(Doubt { field: "phoneNumber", answer: format!("{country} {number}"), question })
}

/// Reads a non-empty text; `label` is the subject of the error messages.
fn labelled<T>(
    label: Sentence,
    read: impl FnOnce(&str, &Sentence, &str) -> Result<T, FieldError>,
) -> impl Read<Option<T>> {
    move |path: &str, input: Option<&Input>| match input {
        None => Ok(None),
        Some(Input::Text(text)) if text.trim().is_empty() => {
            Err(wrong(path, "required", text!("{label} is required.", label)))
        }
        Some(Input::Text(text)) => read(path, &label, text.trim()).map(Some),
        Some(_) => Err(wrong(path, "type", text!("{label} must be text.", label))),
    }
}

/// Like `labelled`, but an empty text is none.
pub(crate) fn optional_name(
    label: Sentence,
    read: impl FnOnce(&str, &Sentence, &str) -> Result<String, FieldError>,
) -> impl Read<Option<String>> {
    move |path: &str, input: Option<&Input>| match input {
        Some(Input::Text(text)) if text.trim().is_empty() => Ok(None),
        input => labelled(label, read)(path, input),
    }
}

/// Like `labelled`, but requires a text.
pub(crate) fn needed<T>(
    label: Sentence,
    read: impl FnOnce(&str, &Sentence, &str) -> Result<T, FieldError>,
) -> impl Read<T> {
    let subject = label.clone();
    required(labelled(subject, read), text!("{label} is required.", label))
}

pub(crate) fn name(path: &str, label: &Sentence, text: &str) -> Result<String, FieldError> {
    if text.chars().count() > 100 {
        return Err(wrong(path, "too_long", text!("{label} must be at most 100 characters.", label)));
    }
    if let Some(sentence) = characters::refused(label.clone(), text) {
        return Err(wrong(path, "invalid", sentence));
    }
    if names::holds_address(text) {
        return Err(wrong(path, "address", names::address_refused(label)));
    }
    Ok(text.to_owned())
}

fn date_of_birth(today: Date) -> impl FnOnce(&str, &Sentence, &str) -> Result<Date, FieldError> {
    move |path, _, text| {
        let written_out = text.len() == 10 && text.bytes().all(|b| b.is_ascii_digit() || b == b'-');
        match text.parse::<Date>().ok().filter(|_| written_out) {
            None => Err(wrong(path, "invalid", text!("Date of birth is not a real date."))),
            Some(date) if date >= today => Err(wrong(path, "future", text!("Date of birth must be in the past."))),
            Some(date) if date.year() < 1900 => Err(wrong(path, "range", text!("Date of birth must be after 1899."))),
            Some(date) => Ok(date),
        }
    }
}

/// Keeps `+` and digits, and drops the spaces, dots, dashes and brackets that people type.
fn phone_number(path: &str, _: &Sentence, text: &str) -> Result<String, FieldError> {
    let digits: String =
        text.trim_start_matches('+').chars().filter(|c| !matches!(c, ' ' | '.' | '-' | '(' | ')' | '/')).collect();
    if !(4..=15).contains(&digits.len()) || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err(wrong(path, "invalid", text!("Enter a phone number with 4 to 15 digits.")));
    }
    Ok(format!("+{digits}"))
}

fn country_code(path: &str, _: &Sentence, text: &str) -> Result<String, FieldError> {
    match reference::country(text) {
        Some(country) => Ok(country.code.clone()),
        None => Err(wrong(path, "unknown", text!("Choose a country from the list."))),
    }
}

fn us_state(path: &str, input: Option<&Input>) -> Result<Option<String>, FieldError> {
    match input {
        None => Ok(None),
        Some(Input::Text(code)) if code.is_empty() => Ok(None),
        Some(Input::Text(code)) if reference::US_STATES.contains(&code.as_str()) => Ok(Some(code.clone())),
        Some(other) => {
            let rule = if matches!(other, Input::Text(_)) { "unknown" } else { "type" };
            Err(wrong(path, rule, text!("Choose a state from the list.")))
        }
    }
}

/// Reads the state of somebody new, who lives in this country if it is known.
fn state_of(country: Option<&str>) -> impl Read<Option<String>> {
    move |path: &str, input: Option<&Input>| match country {
        Some("US") => required(us_state, state_missing())(path, input).map(Some),
        Some(_) => Ok(None),
        None => us_state(path, input),
    }
}

fn state_missing() -> Sentence {
    text!("State is required when the country is United States.")
}

fn time_zone(path: &str, input: Option<&Input>) -> Result<Option<String>, FieldError> {
    if matches!(input, Some(Input::Text(text)) if text.is_empty()) {
        return Ok(Some(String::new()));
    }
    let known = |path: &str, _: &Sentence, typed: &str| {
        // Spelled as in the time zone database, however it was typed.
        let zone = jiff::tz::TimeZone::get(&typed.replace(' ', "_")).ok();
        let name = zone.as_ref().and_then(|zone| zone.iana_name()).map(str::to_owned);
        name.ok_or_else(|| wrong(path, "unknown", text!("Choose a time zone from the list.")))
    };
    labelled(text!("Time zone"), known)(path, input)
}

fn language(path: &str, input: Option<&Input>) -> Result<Option<Language>, FieldError> {
    let Some(sent) = input else { return Ok(None) };
    Language::of(sent).map(Some).ok_or_else(|| wrong(path, "unknown", text!("Choose a language from the list.")))
}

/// An applicant's account.
#[derive(Debug, Clone)]
pub struct Applicant {
    pub id: String,
    pub email: String,
    pub profile: Profile,
    /// PHC string.
    pub password_hash: String,
    /// Seed from which the authenticator app's secret is derived; `None` without an app.
    pub code_seed: Option<String>,
    /// Number of passkeys.
    pub passkeys: i64,
    pub disabled_at: Option<Millis>,
    pub created_at: Millis,
    /// When the address was confirmed to belong to the account's user. Until then hardly any mail is sent to it.
    pub email_confirmed_at: Option<Millis>,
}

/// Result of confirming an email change from one of the two addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EmailConfirmation {
    /// The other address has not confirmed the change yet.
    Waiting,
    /// The account now has the new address.
    Changed,
    /// The change no longer exists.
    Gone,
}

/// Identifies an account of either kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AccountKey<'a> {
    pub audience: Audience,
    pub id: &'a str,
}

/// The account that a second factor belongs to.
#[derive(Debug, Clone, Copy)]
pub struct Holder<'a> {
    pub account: AccountKey<'a>,
    pub email: &'a str,
    pub seed: Option<&'a str>,
    pub passkeys: i64,
}

impl Holder<'_> {
    pub fn has_second_factor(&self) -> bool {
        self.seed.is_some() || self.passkeys > 0
    }

    /// Returns the account as named in the record, both as actor and as subject.
    pub fn subject(&self) -> String {
        format!("{}:{}", self.account.audience.kind(), self.account.id)
    }
}

impl Applicant {
    /// Whether a password alone is not enough to log in.
    pub fn has_second_factor(&self) -> bool {
        self.holder().has_second_factor()
    }

    /// Returns the account as the holder of its second factor.
    pub fn holder(&self) -> Holder<'_> {
        let account = AccountKey { audience: Audience::Applicant, id: &self.id };
        Holder { account, email: &self.email, seed: self.code_seed.as_deref(), passkeys: self.passkeys }
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
        Registration::parse(&Input::Map(entries), date(2026, 5, 4), "Matricula Institute")
            .map_err(|errors| errors.into_iter().map(|error| error.code).collect())
    }

    fn profile() -> Profile {
        Profile {
            first_name: "Demo".into(),
            last_name: "Applicant".into(),
            date_of_birth: date(1990, 2, 28),
            phone_number: "+15550100199".into(),
            country: "US".into(),
            state: Some("TX".into()),
            time_zone: String::new(),
            reminders: true,
            language: Language::En,
        }
    }

    #[test]
    fn a_good_registration_is_normalised() {
        let registration = parse(&[]).unwrap();
        assert_eq!(registration.phone_number, "+15550100199");
        assert_eq!(registration.email.key(), "demo@example.org");
        assert_eq!(registration.state.as_deref(), Some("TX"));
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
    fn answers_that_may_well_be_right_are_asked_about() {
        let today = date(2026, 5, 4);
        let asked = |changes: &[(&str, &str)], known: Option<&Profile>| {
            let changes: Vec<(String, Input)> = changes.iter().map(|(k, v)| ((*k).to_owned(), text(v))).collect();
            doubts(&Input::Map(changes), known, today)
        };
        let born =
            |day: &str| asked(&[("dateOfBirth", day)], None).into_iter().map(|doubt| doubt.question.to_string()).next();
        assert_eq!(born("2012-05-05").unwrap(), "You would be 13 now. Check the year.");
        assert_eq!(born("2012-05-04"), None);
        assert_eq!(born("1915-05-05"), None);
        assert_eq!(born("1915-05-04").unwrap(), "You would be 111 now. Check the year.");
        assert_eq!(born("2027-01-01"), None, "refused, not asked about");

        let dialled = |country, number| asked(&[("country", country), ("phoneNumber", number)], None);
        for (country, number) in [("US", "+1 555 010 0199"), ("DE", "+49301"), ("DO", "+1829 5550143"), ("US", "+49x")]
        {
            assert_eq!(dialled(country, number), [], "{country} {number}");
        }
        let doubt = &dialled("US", "+49 30 123456")[0];
        assert_eq!(doubt.question, "This number does not begin with +1. Is United States your country?");
        assert_eq!(doubt.answer, "US +4930123456");

        let young = Profile { date_of_birth: date(2020, 1, 1), phone_number: "+4930123456".into(), ..profile() };
        let change = [("dateOfBirth", "2020-01-01"), ("country", "US"), ("phoneNumber", "+4930123456")];
        assert_eq!(asked(&change, Some(&young)), [], "both were there before");
        assert_eq!(asked(&change, Some(&profile())).len(), 2);
    }

    #[test]
    fn a_state_outside_the_united_states_is_dropped() {
        let registration = parse(&[("country", Some(text("DE")))]).unwrap();
        assert_eq!(registration.state, None);
    }

    #[test]
    fn changing_the_country_away_from_us_clears_the_state() {
        let profile = profile();
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
