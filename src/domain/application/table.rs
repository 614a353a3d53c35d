//! All questions built into the product, in the order of the form. They define what the API accepts, the form asks,
//! papers print and versions are compared by; `client/features/application/table.gen.ts` is generated from them.

use super::sections::Section;
use crate::sentence::Sentence;
use crate::text;

/// An option of a closed list.
pub struct Choice {
    pub value: &'static str,
    pub label: Sentence,
    pub hint: Option<Sentence>,
}

/// The type of an answer.
pub enum Kind {
    YesNo,
    Country,
    /// One of the United States; `null` for people who live elsewhere.
    State,
    Text {
        max: usize,
    },
    Whole {
        min: i64,
        max: i64,
    },
    /// Whole cents. `code` is the prefix of its error codes.
    Money {
        code: &'static str,
    },
    One {
        of: &'static [Choice],
        unknown: Sentence,
    },
    Several {
        of: &'static [Choice],
        unknown: Sentence,
        /// Whether choosing none is also an answer.
        or_none: bool,
    },
    /// Each part must be answered.
    Group(&'static [Question]),
    /// One part is enough.
    AnyOf(&'static [Question]),
    Repeated {
        of: &'static [Question],
        max: usize,
    },
}

/// A question or a group of questions.
pub struct Question {
    /// Dotted path of its answer; within a group, its key in the group.
    pub path: &'static str,
    pub kind: Kind,
    /// Short label for use without the question.
    pub label: Sentence,
    /// The question as asked in the form.
    pub ask: Sentence,
    pub hint: Option<Sentence>,
    /// What to do if it is not answered; for a previous employer, `{n}` is its number. `None` if its group or its parts
    /// say it.
    pub missing: Option<Sentence>,
    /// The question applies only after this answer.
    pub after: Option<After>,
}

/// An answer on which another question depends.
pub enum After {
    /// Yes at this path.
    Yes(&'static str),
    /// This option is among those chosen at the path.
    Chosen(&'static str, &'static str),
}

const fn choice(value: &'static str, label: Sentence) -> Choice {
    Choice { value, label, hint: None }
}

const fn hinted(value: &'static str, label: Sentence, hint: Sentence) -> Choice {
    Choice { value, label, hint: Some(hint) }
}

pub static PAYMENTS: [Choice; 5] = [
    hinted(
        "tuition_assistance",
        text!("Tuition assistance"),
        text!("From your branch of service or the DoD; approved later is fine."),
    ),
    hinted("gi_bill", text!("GI Bill"), text!("Post-9/11, Montgomery or transferred benefits.")),
    hinted("employer", text!("Employer"), text!("Your employer pays all or part.")),
    hinted("scholarship", text!("Scholarship"), text!("A scholarship or grant from any source.")),
    hinted("self_pay", text!("Self-pay"), text!("An amount up front and monthly payments.")),
];

/// Possible sources of transfer credits.
pub static TRANSFER_PROGRAMS: [Choice; 7] = [
    hinted("college", text!("Courses at another college"), text!("Accredited courses you passed.")),
    hinted("jst", text!("Joint Services Transcript"), text!("Army, Navy, Marine Corps and Coast Guard.")),
    hinted("ccaf", text!("Community College of the Air Force"), text!("Air Force and Space Force.")),
    hinted("ace", text!("Training recommended by ACE"), text!("Courses and certificates with ACE credit.")),
    hinted("clep", text!("CLEP exams"), text!("College-Level Examination Program.")),
    hinted("dsst", text!("DSST exams"), text!("Formerly DANTES.")),
    hinted("coach_training", text!("Coach training"), text!("An accredited coach-training program.")),
];

pub static YEARS_IN_ROLE: [Choice; 5] = [
    choice("<1", text!("Less than 1 year")),
    choice("1-2", text!("1 to 2 years")),
    choice("3-5", text!("3 to 5 years")),
    choice("6-10", text!("6 to 10 years")),
    choice(">10", text!("More than 10 years")),
];

/// Maximum contribution, in cents: a million dollars.
pub const MAX_CONTRIBUTION: i64 = 100_000_000;

/// The questions of each section. Those of [`Section::Questions`] are not in the table, as staff write them.
pub static TABLE: [(Section, &[Question]); 6] = [
    (Section::AboutYou, &ABOUT_YOU),
    (Section::Military, &MILITARY),
    (Section::Education, &EDUCATION),
    (Section::Employment, &EMPLOYMENT),
    (Section::FinancialPlan, &FINANCIAL_PLAN),
    (Section::CreditTransfer, &CREDIT_TRANSFER),
];

static ABOUT_YOU: [Question; 2] = [
    Question {
        path: "personalInfo.isUSCitizen",
        kind: Kind::YesNo,
        label: text!("US citizen"),
        ask: text!("Are you a citizen of the United States?"),
        hint: None,
        missing: Some(text!("Say whether you are a US citizen.")),
        after: None,
    },
    Question {
        path: "personalInfo.state",
        kind: Kind::State,
        label: text!("State"),
        ask: text!("In which state do you live?"),
        hint: Some(text!("Leave this blank if you live outside the United States.")),
        missing: Some(text!("Choose the state you live in, or say that you live outside the United States.")),
        after: None,
    },
];

static MILITARY: [Question; 2] = [
    Question {
        path: "personalInfo.isMilitaryAffiliated",
        kind: Kind::YesNo,
        label: text!("Military affiliation"),
        ask: text!("Are you affiliated with the United States military?"),
        hint: Some(text!("Active duty, Guard, Reserve, veteran, or their spouse or child.")),
        missing: Some(text!("Say whether you are affiliated with the United States military.")),
        after: None,
    },
    Question {
        path: "personalInfo.isDoDEmployee",
        kind: Kind::YesNo,
        label: text!("DoD employee"),
        ask: text!("Are you a civilian employee of the Department of Defense?"),
        hint: None,
        missing: Some(text!("Say whether you are a civilian employee of the Department of Defense.")),
        after: None,
    },
];

static EDUCATION: [Question; 4] = [
    Question {
        path: "education.hasBachelors",
        kind: Kind::YesNo,
        label: text!("Bachelor’s degree"),
        ask: text!("Do you have a bachelor’s degree?"),
        hint: None,
        missing: Some(text!("Say whether you have a bachelor’s degree.")),
        after: None,
    },
    Question {
        path: "education.country",
        kind: Kind::Country,
        label: text!("Country of the bachelor’s degree"),
        ask: text!("Country of your bachelor’s degree"),
        hint: None,
        missing: Some(text!("Choose the country of your bachelor’s degree.")),
        after: Some(After::Yes("education.hasBachelors")),
    },
    Question {
        path: "education.hasMasters",
        kind: Kind::YesNo,
        label: text!("Master’s degree"),
        ask: text!("Do you have a master’s degree?"),
        hint: None,
        missing: Some(text!("Say whether you have a master’s degree.")),
        after: None,
    },
    Question {
        path: "education.mastersCountry",
        kind: Kind::Country,
        label: text!("Country of the master’s degree"),
        ask: text!("Country of your master’s degree"),
        hint: None,
        missing: Some(text!("Choose the country of your master’s degree.")),
        after: Some(After::Yes("education.hasMasters")),
    },
];

static EMPLOYMENT: [Question; 5] = [
    Question {
        path: "employment.isSeeingCoachingClients",
        kind: Kind::YesNo,
        label: text!("Seeing coaching clients"),
        ask: text!("Are you seeing coaching clients?"),
        hint: Some(text!("Paid or not, in person or online.")),
        missing: Some(text!("Say whether you are seeing coaching clients.")),
        after: None,
    },
    Question {
        path: "employment.isCurrentlyEmployed",
        kind: Kind::YesNo,
        label: text!("Currently employed"),
        ask: text!("Are you employed at the moment?"),
        hint: Some(text!("Military service and self-employment count.")),
        missing: Some(text!("Say whether you are employed at the moment.")),
        after: None,
    },
    Question {
        path: "employment.currentEmployer",
        kind: Kind::Group(&CURRENT_EMPLOYER),
        label: text!("Current employer"),
        ask: text!("Your current employer"),
        hint: None,
        missing: None,
        after: Some(After::Yes("employment.isCurrentlyEmployed")),
    },
    Question {
        path: "employment.hasPreviousEmployment",
        kind: Kind::YesNo,
        label: text!("Previous employment"),
        ask: text!("Have you worked for anyone else before?"),
        hint: None,
        missing: Some(text!("Say whether you have worked for anyone else before.")),
        after: None,
    },
    Question {
        path: "employment.previousEmployers",
        kind: Kind::Repeated { of: &PREVIOUS_EMPLOYER, max: 20 },
        label: text!("Previous employers"),
        ask: text!("Previous employers"),
        hint: None,
        missing: Some(text!("Add at least one previous employer.")),
        after: Some(After::Yes("employment.hasPreviousEmployment")),
    },
];

static CURRENT_EMPLOYER: [Question; 4] = employer(
    text!("Enter the name of your current employer."),
    text!("Enter your job title at your current employer."),
    text!("Enter how many hours a week you work for your current employer."),
    text!("Choose how many years you have been in your current role."),
);

static PREVIOUS_EMPLOYER: [Question; 4] = employer(
    text!("Enter the name of previous employer {n}."),
    text!("Enter your job title at previous employer {n}."),
    text!("Enter how many hours a week you worked for previous employer {n}."),
    text!("Choose how many years you were in your role at previous employer {n}."),
);

/// Returns the questions about an employer; the arguments are the messages shown when they are unanswered.
const fn employer(name: Sentence, job_title: Sentence, hours: Sentence, years: Sentence) -> [Question; 4] {
    const fn part(path: &'static str, label: Sentence, ask: Sentence, kind: Kind, missing: Sentence) -> Question {
        Question { path, kind, label, ask, hint: None, missing: Some(missing), after: None }
    }
    [
        part("name", text!("Employer name"), text!("Employer name"), Kind::Text { max: 200 }, name),
        part("jobTitle", text!("Job title"), text!("Job title"), Kind::Text { max: 200 }, job_title),
        part("hoursPerWeek", text!("Hours per week"), text!("Hours per week"), Kind::Whole { min: 0, max: 168 }, hours),
        part(
            "yearsInRole",
            text!("Years in role"),
            text!("Years in role"),
            Kind::One { of: &YEARS_IN_ROLE, unknown: text!("Choose the years in the role from the list.") },
            years,
        ),
    ]
}

static FINANCIAL_PLAN: [Question; 2] = [
    Question {
        path: "financialPlan.selectedPayments",
        kind: Kind::Several { of: &PAYMENTS, unknown: text!("Choose a payment plan from the list."), or_none: false },
        label: text!("Ways to pay"),
        ask: text!("How do you plan to pay?"),
        hint: Some(text!("Choose all that apply. A plan is enough for now.")),
        missing: Some(text!("Choose at least one way to pay.")),
        after: None,
    },
    Question {
        path: "financialPlan.selfPayContribution",
        kind: Kind::AnyOf(&SELF_PAY),
        label: text!("Self-pay contribution"),
        ask: text!("What you pay yourself"),
        hint: None,
        missing: Some(text!("Enter what you pay yourself: an amount up front, each month, or both.")),
        after: Some(After::Chosen("financialPlan.selectedPayments", "self_pay")),
    },
];

static SELF_PAY: [Question; 2] = [
    Question {
        path: "upFrontContribution",
        kind: Kind::Money { code: "financialPlan.upFrontContribution" },
        label: text!("Up-front contribution"),
        ask: text!("Up front"),
        hint: Some(text!("In US dollars, such as 1,200.50. Leave it empty if you pay nothing.")),
        missing: None,
        after: None,
    },
    Question {
        path: "monthlyPaymentContribution",
        kind: Kind::Money { code: "financialPlan.monthlyPaymentContribution" },
        label: text!("Monthly contribution"),
        ask: text!("Each month"),
        hint: None,
        missing: None,
        after: None,
    },
];

static CREDIT_TRANSFER: [Question; 1] = [Question {
    path: "creditTransfer.selectedPrograms",
    kind: Kind::Several {
        of: &TRANSFER_PROGRAMS,
        unknown: text!("Choose a transfer program from the list."),
        or_none: true,
    },
    label: text!("Transfer programs"),
    ask: text!("Where do you have credits that you want to transfer?"),
    hint: Some(text!("Choose all that apply, or none.")),
    missing: Some(text!("Choose where you have credits to transfer, or say that you have none.")),
    after: None,
}];
