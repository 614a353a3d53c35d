//! The settings that Owners can change: their fields, the values these accept, and the built-in values.
//!
//! A setting stores only those fields that differ from the built-in values; so when the product improves a text,
//! everybody who has not replaced it benefits.

mod application_fee;
mod contracts;
mod decisions;
mod fields;
mod funding;
mod payment_reminders;
mod places;
mod program;
mod reasons;
mod refunds;
mod rubric;
mod second_person;
mod slots;
mod snippets;
mod texts;
mod version;
mod work;

use std::collections::{BTreeMap, HashMap};

use jiff::civil::Date;
use serde_json::Value;

use super::application_fee::FeeRules;
use super::availability::SlotRules;
use super::decision::{Letter, LetterTexts, Reasons};
use super::funding::{FundingRules, PaymentReminders, RefundRules};
use super::input::FieldError;
use super::intake::{Deadlines, Intake};
use super::mail::{MailKind, MailTexts};
use super::permission::Permission;
use super::places::PlaceRules;
use super::program::Program;
use super::rubric::{Rubric, SheetKind};
use super::sentence::Sentence;
use super::snippet::Snippet;
use super::status::Outcome;

pub use contracts::ContractTerms;
pub use fields::{Field, FieldKind};
pub use places::place_rules;
pub use program::ProgramPage;
pub use second_person::second_person_from;
pub use version::SettingVersion;
pub use work::{Owners, WorkRules};

/// Default number of years for which submitted data is kept.
const RETENTION_YEARS: i32 = 7;

/// The values of a setting's fields, by field name.
pub type Values = BTreeMap<String, String>;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Setting {
    /// Content of a program's landing page.
    ProgramPage(Program),
    /// Application deadlines.
    Deadlines,
    /// A line shown above the applicants' pages.
    Banner,
    /// How long submitted data is kept.
    Retention,
    /// Until when a contract can be signed, and when applicants are reminded.
    Contracts,
    /// Caps and limits for paying tuition.
    Funding,
    /// When to remind of instalments.
    PaymentReminders,
    /// How much is refunded after a withdrawal.
    Refunds,
    /// The fee for an application for a program.
    ApplicationFee(Program),
    /// The amount from which a second person must approve a refund, waiver, write-off or reversal.
    SecondPerson,
    /// Initial rules of interviewers, and how far ahead times are offered.
    SlotRules,
    /// Reasons for rejection.
    Reasons,
    /// Texts for messages to applicants.
    Snippets,
    /// The rubric for applications for a program, or for its interviews.
    Rubric(SheetKind, Program),
    /// Who releases a decision.
    Decisions,
    /// How many places a program has, and who offers those that become free.
    Places(Program),
    /// Who is assigned new applications, and when an application has waited too long.
    Work,
    /// The text of a mail to applicants.
    Mail(MailKind),
    /// The text of a letter that announces a decision.
    Letter(Letter),
}

/// A group in the list of settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SettingGroup {
    Applying,
    Deciding,
    Money,
    Office,
}

impl SettingGroup {
    /// In the order of the list.
    pub const ALL: [SettingGroup; 4] =
        [SettingGroup::Applying, SettingGroup::Deciding, SettingGroup::Money, SettingGroup::Office];

    /// Returns the label for staff.
    pub fn title(self) -> &'static str {
        match self {
            SettingGroup::Applying => "What applicants see",
            SettingGroup::Deciding => "From application to decision",
            SettingGroup::Money => "Contracts and money",
            SettingGroup::Office => "The office and its records",
        }
    }
}

impl Setting {
    pub fn group(self) -> SettingGroup {
        match self {
            Setting::ProgramPage(_) | Setting::Deadlines | Setting::Banner | Setting::Snippets | Setting::Mail(_) => {
                SettingGroup::Applying
            }
            Setting::SlotRules
            | Setting::Rubric(..)
            | Setting::Reasons
            | Setting::Decisions
            | Setting::Places(_)
            | Setting::Letter(_) => SettingGroup::Deciding,
            Setting::Contracts
            | Setting::Funding
            | Setting::PaymentReminders
            | Setting::Refunds
            | Setting::ApplicationFee(_)
            | Setting::SecondPerson => SettingGroup::Money,
            Setting::Work | Setting::Retention => SettingGroup::Office,
        }
    }

    /// All settings except mails and letters, which have separate lists.
    pub const ALL: [Setting; 23] = [
        Setting::ProgramPage(Program::Bachelor),
        Setting::ProgramPage(Program::Masters),
        Setting::Deadlines,
        Setting::Banner,
        Setting::Snippets,
        Setting::SlotRules,
        Setting::Rubric(SheetKind::Reading, Program::Bachelor),
        Setting::Rubric(SheetKind::Reading, Program::Masters),
        Setting::Rubric(SheetKind::Interview, Program::Bachelor),
        Setting::Rubric(SheetKind::Interview, Program::Masters),
        Setting::Reasons,
        Setting::Decisions,
        Setting::Places(Program::Bachelor),
        Setting::Places(Program::Masters),
        Setting::Work,
        Setting::Retention,
        Setting::Contracts,
        Setting::ApplicationFee(Program::Bachelor),
        Setting::ApplicationFee(Program::Masters),
        Setting::Funding,
        Setting::PaymentReminders,
        Setting::Refunds,
        Setting::SecondPerson,
    ];

    /// Iterates over all settings.
    pub fn each() -> impl Iterator<Item = Setting> {
        let letters = Letter::all().map(Setting::Letter);
        Setting::ALL.into_iter().chain(MailKind::all().map(Setting::Mail)).chain(letters)
    }

    /// Returns the permission needed to view and change it.
    pub fn permission(self) -> Permission {
        match self {
            Setting::Mail(_) | Setting::Letter(_) | Setting::Snippets => Permission::Templates,
            Setting::SecondPerson => Permission::ManageFinance,
            _ => Permission::Settings,
        }
    }

    /// Returns the name under which it is stored and addressed.
    pub fn name(self) -> &'static str {
        match self {
            Setting::ProgramPage(Program::Bachelor) => "bachelor",
            Setting::ProgramPage(Program::Masters) => "masters",
            Setting::Deadlines => "deadlines",
            Setting::Banner => "banner",
            Setting::Retention => "retention",
            Setting::Contracts => "contracts",
            Setting::Funding => "funding",
            Setting::PaymentReminders => "payment-reminders",
            Setting::Refunds => "refunds",
            Setting::ApplicationFee(Program::Bachelor) => "application-fee-bachelor",
            Setting::ApplicationFee(Program::Masters) => "application-fee-masters",
            Setting::SecondPerson => "second-person",
            Setting::SlotRules => "slot-rules",
            Setting::Reasons => "reasons",
            Setting::Snippets => "snippets",
            Setting::Rubric(SheetKind::Reading, Program::Bachelor) => "rubric-bachelor",
            Setting::Rubric(SheetKind::Reading, Program::Masters) => "rubric-masters",
            Setting::Rubric(SheetKind::Interview, Program::Bachelor) => "interview-rubric-bachelor",
            Setting::Rubric(SheetKind::Interview, Program::Masters) => "interview-rubric-masters",
            Setting::Decisions => "decisions",
            Setting::Places(Program::Bachelor) => "places-bachelor",
            Setting::Places(Program::Masters) => "places-masters",
            Setting::Work => "work",
            Setting::Mail(kind) => kind.name(),
            Setting::Letter(letter) => letter.setting(),
        }
    }

    pub fn parse(name: &str) -> Option<Setting> {
        Setting::each().find(|setting| setting.name() == name)
    }

    /// Returns the label for staff.
    pub fn title(self) -> &'static str {
        match self {
            Setting::ProgramPage(Program::Bachelor) => "Bachelor’s program",
            Setting::ProgramPage(Program::Masters) => "Master’s program",
            Setting::Deadlines => "Deadlines",
            Setting::Banner => "Banner",
            Setting::Retention => "What is kept",
            Setting::Contracts => "Contracts",
            Setting::Funding => "Paying for studies",
            Setting::PaymentReminders => "Payment reminders",
            Setting::Refunds => "Refunds",
            Setting::ApplicationFee(Program::Bachelor) => "Application fee, bachelor’s program",
            Setting::ApplicationFee(Program::Masters) => "Application fee, master’s program",
            Setting::SecondPerson => "Second person",
            Setting::SlotRules => "Slot rules",
            Setting::Reasons => "Reasons for rejections",
            Setting::Snippets => "Snippets",
            Setting::Rubric(SheetKind::Reading, Program::Bachelor) => "Readers’ rubric, bachelor’s program",
            Setting::Rubric(SheetKind::Reading, Program::Masters) => "Readers’ rubric, master’s program",
            Setting::Rubric(SheetKind::Interview, Program::Bachelor) => "Interviewers’ rubric, bachelor’s program",
            Setting::Rubric(SheetKind::Interview, Program::Masters) => "Interviewers’ rubric, master’s program",
            Setting::Decisions => "Decisions",
            Setting::Places(Program::Bachelor) => "Places, bachelor’s program",
            Setting::Places(Program::Masters) => "Places, master’s program",
            Setting::Work => "Work",
            Setting::Mail(kind) => kind.title(),
            Setting::Letter(letter) => letter.title(),
        }
    }

    /// Describes the setting.
    pub fn purpose(self) -> &'static str {
        match self {
            Setting::ProgramPage(_) => "What the landing page of the program tells: its price, length and texts.",
            Setting::Deadlines => "Until when people can apply for each of the next intakes.",
            Setting::Banner => "A line above the pages of applicants, for as long as you like.",
            Setting::Retention => "How long what was submitted is kept after its account is closed.",
            Setting::Contracts => "How long a contract can be signed, and when applicants are reminded of it.",
            Setting::Funding => "What each source can pay at most, and how payments can be divided.",
            Setting::PaymentReminders => "When applicants are reminded of payments that no saved card pays.",
            Setting::Refunds => {
                "How much of what was paid goes back to who withdraws. It is suggested to Finance, and nothing goes back by \
                 itself. The contracts must say the same."
            }
            Setting::ApplicationFee(_) => {
                "What an application costs, and whom that is waived for. An application is read once its fee is paid or \
                 waived. What was submitted already keeps its fee."
            }
            Setting::SecondPerson => {
                "From which amount on a refund, waiver, write-off or reversal is booked only when a second person of Finance \
                 has approved it."
            }
            Setting::SlotRules => {
                "What the rules of an interviewer begin with, and how far ahead times are offered. Rules that somebody has \
                 saved stay theirs."
            }
            Setting::Reasons => {
                "What can be chosen for a rejection, and what the letter says of it. A retired reason stays readable where \
                 it was chosen. Reword one as long as it means the same; else retire it and add another."
            }
            Setting::Snippets => {
                "Texts to choose from when somebody writes to an applicant. They are filled in for the applicant, and can be \
                 changed before they are sent."
            }
            Setting::Rubric(SheetKind::Reading, _) => {
                "What readers score an application by. What was sent stays as it is."
            }
            Setting::Rubric(SheetKind::Interview, _) => {
                "What interviewers score an applicant by after the interview. Score sheets that are filled in stay as they are."
            }
            Setting::Decisions => "Who releases a decision that was drafted.",
            Setting::Places(_) => {
                "How many places each intake has. Offers count against them. Whoever is to be accepted when none is left \
                 waits in a line, and is offered the next one that becomes free."
            }
            Setting::Work => "Who is given a new application, and after how many days it has waited for too long.",
            Setting::Mail(kind) => kind.sent(),
            Setting::Letter(letter) => match letter.outcome() {
                Outcome::Accept => "Tells an acceptance, and nothing else can be decided with it.",
                Outcome::Reject => "Tells a rejection, and nothing else can be decided with it.",
            },
        }
    }

    /// Returns its fields, on the given day and with these values.
    pub fn fields(self, today: Date, values: &Values) -> Vec<Field> {
        match self {
            Setting::ProgramPage(program) => program::fields(program),
            Setting::Deadlines => deadline_fields(today),
            Setting::Banner => banner_fields(),
            Setting::Retention => vec![Field {
                name: "years".into(),
                label: "Years".into(),
                hint: "Of accounts that are closed from now on. The privacy notice must say the same.",
                kind: FieldKind::Whole { least: 1, most: 30 },
                built_in: RETENTION_YEARS.to_string(),
                group: String::new(),
            }],
            Setting::Contracts => contracts::fields(),
            Setting::Funding => funding::fields(),
            Setting::PaymentReminders => payment_reminders::fields(),
            Setting::Refunds => refunds::fields(),
            Setting::ApplicationFee(_) => application_fee::fields(today),
            Setting::SecondPerson => second_person::fields(),
            Setting::SlotRules => slots::fields(),
            Setting::Reasons => reasons::fields(values),
            Setting::Snippets => snippets::fields(values),
            Setting::Rubric(kind, _) => rubric::fields(kind),
            Setting::Decisions => decisions::fields(),
            Setting::Places(_) => places::fields(today),
            Setting::Work => work::fields(),
            Setting::Mail(kind) => texts::mail(kind),
            Setting::Letter(letter) => texts::letter(letter),
        }
    }

    /// Returns the values to store for what was typed: normalised, and without those equal to the built-in ones. Values
    /// of `before` are kept if nothing was typed for them or their field no longer exists.
    ///
    /// # Errors
    /// One for each invalid value.
    pub fn check(self, today: Date, before: &Values, typed: &Values) -> Result<Values, Vec<FieldError>> {
        let fields = self.fields(today, before);
        let mut values = before.clone();
        let mut errors = Vec::new();
        for field in &fields {
            let Some(text) = typed.get(&field.name) else { continue };
            match field.check(text) {
                Ok(text) if text == field.built_in => {
                    values.remove(&field.name);
                }
                Ok(text) => {
                    values.insert(field.name.clone(), text);
                }
                Err((rule, message)) => {
                    let code = format!("{}.{rule}", field.name);
                    errors.push(FieldError::new(field.name.clone(), code, Sentence::plain(message)));
                }
            }
        }
        if errors.is_empty() {
            match self {
                Setting::Deadlines => errors.extend(late_deadlines(&values)),
                Setting::Banner => errors.extend(odd_banner(&values)),
                Setting::Contracts => errors.extend(contracts::odd(&values)),
                Setting::PaymentReminders => errors.extend(payment_reminders::odd(&values)),
                Setting::Refunds => errors.extend(refunds::odd(&values)),
                Setting::ApplicationFee(_) => errors.extend(application_fee::odd(&values)),
                Setting::Rubric(kind, _) => errors.extend(rubric::odd(kind, &values)),
                Setting::Reasons => return reasons::settle(before, values),
                Setting::Snippets => return snippets::settle(values),
                Setting::ProgramPage(_)
                | Setting::Retention
                | Setting::SlotRules
                | Setting::Decisions
                | Setting::Places(_)
                | Setting::Work
                | Setting::Funding
                | Setting::SecondPerson => {}
                Setting::Mail(_) | Setting::Letter(_) => {}
            }
        }
        if errors.is_empty() { Ok(values) } else { Err(errors) }
    }

    /// Returns what to store when an earlier version is restored.
    pub fn restored(self, now: &Values, again: Values) -> Values {
        match self {
            Setting::Reasons => reasons::restored(now, again),
            _ => again,
        }
    }
}

/// Returns the values of a stored setting, ignoring anything that is not text.
pub fn values(stored: &Value) -> Values {
    let entries = stored.as_object().into_iter().flatten();
    entries.filter_map(|(name, value)| Some((name.clone(), value.as_str()?.to_owned()))).collect()
}

/// Returns the deadlines of the intakes in the next two years.
fn deadline_fields(today: Date) -> Vec<Field> {
    let intakes = Intake::within(today, 24).into_iter();
    let field = |intake: Intake| Field {
        name: intake.code(),
        label: format!("Deadline for {}", intake.name()),
        hint: "The last day on which one can apply.",
        kind: FieldKind::Date,
        built_in: intake.deadline.to_string(),
        group: String::new(),
    };
    intakes.map(field).collect()
}

fn late_deadlines(values: &Values) -> Vec<FieldError> {
    let late = |(code, deadline): (&String, &String)| {
        let intake = Intake::parse(code)?;
        let deadline: Date = deadline.parse().ok()?;
        let message = format!("Studies start on {}: the deadline must be before that day.", intake.start);
        let error = || FieldError::new(code.clone(), "deadline.range", Sentence::plain(message));
        (deadline >= intake.start).then(error)
    };
    values.iter().filter_map(late).collect()
}

fn banner_fields() -> Vec<Field> {
    let field = |name: &str, label: &str, hint, kind| Field {
        name: name.into(),
        label: label.into(),
        hint,
        kind,
        built_in: String::new(),
        group: String::new(),
    };
    vec![
        field("text.en", "Text in English", "Leave it empty for no banner.", FieldKind::Line { longest: 200 }),
        field("text.es", "Text in Spanish", "", FieldKind::Line { longest: 200 }),
        field("from", "First day", "Leave it empty to begin at once.", FieldKind::OptionalDate),
        field("until", "Last day", "Leave it empty to show it until you take it away.", FieldKind::OptionalDate),
    ]
}

fn odd_banner(values: &Values) -> Option<FieldError> {
    let get = |name: &str| values.get(name).map_or("", String::as_str);
    let error = |name: &str, rule: &str, message: &'static str| Some(FieldError::new(name, rule, message));
    match (get("text.en").is_empty(), get("text.es").is_empty()) {
        (false, true) => return error("text.es", "text.es.required", "Write it in Spanish too."),
        (true, false) => return error("text.en", "text.en.required", "Write it in English too."),
        _ => {}
    }
    if !get("from").is_empty() && !get("until").is_empty() && get("from") > get("until") {
        return error("until", "until.range", "The last day must not be before the first.");
    }
    None
}

/// A line shown above the applicants' pages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Banner {
    /// Version of the setting: applicants who dismissed one version see the next.
    pub version: i64,
    pub text: Sentence,
    from: Option<Date>,
    until: Option<Date>,
}

impl Banner {
    pub fn shows_on(&self, day: Date) -> bool {
        self.from.is_none_or(|from| from <= day) && self.until.is_none_or(|until| day <= until)
    }
}

/// All settings in the form in which the product uses them.
#[derive(Debug, Clone)]
pub struct ProductSettings {
    pub bachelor: ProgramPage,
    pub masters: ProgramPage,
    pub deadlines: Deadlines,
    pub banner: Option<Banner>,
    /// Number of years for which submitted data is kept after the account is closed.
    pub retention_years: i32,
    pub contracts: ContractTerms,
    pub funding: FundingRules,
    pub payment_reminders: PaymentReminders,
    pub refunds: RefundRules,
    bachelor_fee: FeeRules,
    masters_fee: FeeRules,
    pub mails: MailTexts,
    pub letters: LetterTexts,
    pub reasons: Reasons,
    pub snippets: Vec<Snippet>,
    pub rubrics: HashMap<(SheetKind, Program), Rubric>,
    pub slot_rules: SlotRules,
    /// Whether somebody other than the drafter must release a decision.
    pub second_person_releases: bool,
    bachelor_places: PlaceRules,
    masters_places: PlaceRules,
    pub work: WorkRules,
    /// Increases with every change.
    pub stamp: i64,
}

impl Default for ProductSettings {
    fn default() -> Self {
        ProductSettings {
            bachelor: ProgramPage::default(),
            masters: ProgramPage::default(),
            deadlines: Deadlines::default(),
            banner: None,
            retention_years: RETENTION_YEARS,
            contracts: ContractTerms::default(),
            funding: FundingRules::default(),
            payment_reminders: PaymentReminders::default(),
            refunds: RefundRules::default(),
            bachelor_fee: FeeRules::default(),
            masters_fee: FeeRules::default(),
            mails: MailTexts::default(),
            letters: LetterTexts::default(),
            reasons: Reasons::default(),
            snippets: Vec::new(),
            rubrics: SheetKind::ALL
                .into_iter()
                .flat_map(|kind| Program::ALL.map(|program| ((kind, program), rubric::rubric(kind, &Values::new()))))
                .collect(),
            slot_rules: SlotRules::default(),
            second_person_releases: false,
            bachelor_places: PlaceRules::default(),
            masters_places: PlaceRules::default(),
            work: WorkRules::default(),
            stamp: 0,
        }
    }
}

impl ProductSettings {
    /// Creates the settings from the stored values and their versions.
    pub fn new(stored: impl IntoIterator<Item = (String, i64, Values)>) -> ProductSettings {
        let mut settings = ProductSettings::default();
        for (name, version, values) in stored {
            settings.stamp += version;
            match Setting::parse(&name) {
                Some(Setting::ProgramPage(Program::Bachelor)) => settings.bachelor = ProgramPage(values),
                Some(Setting::ProgramPage(Program::Masters)) => settings.masters = ProgramPage(values),
                Some(Setting::Deadlines) => {
                    let dates = values.iter().filter_map(|(code, day)| Some((code.clone(), day.parse().ok()?)));
                    settings.deadlines = Deadlines::new(dates);
                }
                Some(Setting::Banner) => settings.banner = banner(version, &values),
                Some(Setting::Retention) => {
                    let years = values.get("years").and_then(|years| years.parse().ok());
                    settings.retention_years = years.unwrap_or(RETENTION_YEARS);
                }
                Some(Setting::Contracts) => settings.contracts = ContractTerms::new(&values),
                Some(Setting::Funding) => settings.funding = funding::rules(&values),
                Some(Setting::PaymentReminders) => settings.payment_reminders = payment_reminders::rules(&values),
                Some(Setting::Refunds) => settings.refunds = refunds::rules(&values),
                Some(Setting::ApplicationFee(Program::Bachelor)) => {
                    settings.bachelor_fee = application_fee::rules(&values);
                }
                Some(Setting::ApplicationFee(Program::Masters)) => {
                    settings.masters_fee = application_fee::rules(&values);
                }
                // Earlier values matter for a day, so it is looked up where it is needed.
                Some(Setting::SecondPerson) => {}
                Some(Setting::SlotRules) => settings.slot_rules = slots::rules(&values),
                Some(Setting::Reasons) => settings.reasons = reasons::list(&values),
                Some(Setting::Snippets) => settings.snippets = snippets::list(&values),
                Some(Setting::Rubric(kind, program)) => {
                    settings.rubrics.insert((kind, program), rubric::rubric(kind, &values));
                }
                Some(Setting::Decisions) => {
                    settings.second_person_releases = decisions::second_person_releases(&values)
                }
                Some(Setting::Places(Program::Bachelor)) => settings.bachelor_places = place_rules(&values),
                Some(Setting::Places(Program::Masters)) => settings.masters_places = place_rules(&values),
                Some(Setting::Work) => settings.work = work::rules(&values),
                Some(Setting::Mail(kind)) => settings.mails.put(kind, &values),
                Some(Setting::Letter(letter)) => settings.letters.put(letter, &values),
                None => {}
            }
        }
        settings
    }

    /// Returns the rubric for a program.
    pub fn rubric(&self, kind: SheetKind, program: Program) -> &Rubric {
        &self.rubrics[&(kind, program)]
    }

    /// Returns the rules for the application fee of a program.
    pub fn fee(&self, program: Program) -> &FeeRules {
        match program {
            Program::Bachelor => &self.bachelor_fee,
            Program::Masters => &self.masters_fee,
        }
    }

    /// Returns the rules for the places of a program.
    pub fn places(&self, program: Program) -> &PlaceRules {
        match program {
            Program::Bachelor => &self.bachelor_places,
            Program::Masters => &self.masters_places,
        }
    }

    pub fn page(&self, program: Program) -> &ProgramPage {
        match program {
            Program::Bachelor => &self.bachelor,
            Program::Masters => &self.masters,
        }
    }
}

fn banner(version: i64, values: &Values) -> Option<Banner> {
    let text = Sentence::each(values.get("text.en")?, values.get("text.es")?);
    let day = |name: &str| values.get(name).and_then(|day| day.parse().ok());
    Some(Banner { version, text, from: day("from"), until: day("until") })
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;
    use crate::language::Language;

    const TODAY: Date = date(2026, 5, 4);

    fn typed(values: &[(&str, &str)]) -> Values {
        values.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect()
    }

    fn wrong(setting: Setting, values: &[(&str, &str)]) -> Vec<String> {
        let errors = setting.check(TODAY, &Values::new(), &typed(values)).unwrap_err();
        errors.into_iter().map(|error| error.path).collect()
    }

    #[test]
    fn what_is_as_the_product_came_is_not_stored() {
        for setting in Setting::each() {
            let fields = setting.fields(TODAY, &Values::new()).into_iter();
            let built_in = fields.map(|field| (field.name, field.built_in)).collect();
            assert_eq!(setting.check(TODAY, &Values::new(), &built_in), Ok(Values::new()), "{setting:?}");
            assert_eq!(Setting::parse(setting.name()), Some(setting));
        }
        assert_eq!(Setting::parse("elsewhere"), None);
    }

    #[test]
    fn a_deadline_is_a_day_before_the_start_and_old_ones_stay() {
        let before = typed(&[("2020-01", "2019-12-01")]);
        let extended = Setting::Deadlines.check(TODAY, &before, &typed(&[("2026-08", "2026-07-27")])).unwrap();
        assert_eq!(extended, typed(&[("2020-01", "2019-12-01"), ("2026-08", "2026-07-27")]));
        assert_eq!(wrong(Setting::Deadlines, &[("2026-08", "2026-08-31")]), ["2026-08"]);
        assert_eq!(wrong(Setting::Deadlines, &[("2026-08", "soon"), ("2027-01", "")]), ["2026-08", "2027-01"]);
        let settings = ProductSettings::new([("deadlines".to_owned(), 3, extended)]);
        assert_eq!(settings.stamp, 3);
        assert_eq!(settings.deadlines.next(date(2026, 7, 27)).code(), "2026-08");
        assert_eq!(settings.deadlines.next(date(2026, 7, 28)).code(), "2027-01");
    }

    #[test]
    fn a_banner_is_in_both_languages_and_has_its_days() {
        assert_eq!(wrong(Setting::Banner, &[("text.en", "Closed")]), ["text.es"]);
        assert_eq!(wrong(Setting::Banner, &[("text.es", "Cerrado")]), ["text.en"]);
        let both = [("text.en", " Closed "), ("text.es", "Cerrado")];
        let odd = [both[0], both[1], ("from", "2026-05-05"), ("until", "2026-05-04")];
        assert_eq!(wrong(Setting::Banner, &odd), ["until"]);
        let days = [both[0], both[1], ("from", "2026-05-04"), ("until", "2026-05-06")];
        let values = Setting::Banner.check(TODAY, &Values::new(), &typed(&days)).unwrap();
        let banner = ProductSettings::new([("banner".to_owned(), 2, values)]).banner.unwrap();
        assert_eq!(banner.text.in_language(Language::Es), "Cerrado");
        assert_eq!(banner.text.in_language(Language::En), "Closed");
        let shown: Vec<bool> = (3..8).map(|day| banner.shows_on(date(2026, 5, day))).collect();
        assert_eq!(shown, [false, true, true, true, false]);
        assert!(ProductSettings::new([("banner".to_owned(), 3, Values::new())]).banner.is_none());
    }

    #[test]
    fn slot_rules_are_what_is_set_and_the_rest_as_the_product_came() {
        let set = [("minutes", "30"), ("weeks", "4"), ("buffer", "10")];
        let values = Setting::SlotRules.check(TODAY, &Values::new(), &typed(&set)).unwrap();
        assert_eq!(values, typed(&[("minutes", "30"), ("weeks", "4")]));
        let rules = ProductSettings::new([("slot-rules".to_owned(), 1, values)]).slot_rules;
        assert_eq!(rules, SlotRules { minutes: 30, weeks: 4, ..SlotRules::default() });
        assert_eq!(
            wrong(Setting::SlotRules, &[("minutes", "5"), ("notice", "23"), ("weeks", "0")]),
            ["minutes", "notice", "weeks"]
        );
    }

    #[test]
    fn stored_values_that_are_no_text_say_nothing() {
        assert_eq!(values(&serde_json::json!({ "a": "x", "b": 1 })), typed(&[("a", "x")]));
        assert_eq!(values(&serde_json::json!([1])), Values::new());
    }
}
