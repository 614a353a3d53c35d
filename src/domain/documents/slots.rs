//! The table of document slots: what each one is, why we ask for it, and which answers call for it.

use serde::Serialize;

use super::SlotState;
use crate::application::ApplicationData;
use crate::program::Program;
use crate::questionnaire::{Kind, Question};
use crate::sentence::Sentence;
use crate::text;

/// The kind of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SlotKind {
    Identity,
    Cv,
    BachelorsTranscript,
    MastersTranscript,
    CollegeTranscript,
    JointServicesTranscript,
    AirForceTranscript,
    AceTraining,
    ExamScores,
    CoachTraining,
    TuitionAssistance,
    GiBill,
    EmployerLetter,
    ScholarshipLetter,
    /// The file for one of the program's questions.
    Question(QuestionFile),
}

/// Slot name for a question: `question-` and the question's key.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct QuestionFile {
    name: [u8; QuestionFile::MAX_LENGTH],
    length: usize,
}

impl QuestionFile {
    const PREFIX: &str = "question-";
    /// The prefix and a key of at most 40 characters.
    const MAX_LENGTH: usize = 49;

    /// Returns the slot for the question with this key; `None` if it is not a valid key.
    pub fn of(key: &str) -> Option<QuestionFile> {
        QuestionFile::parse(&format!("{}{key}", QuestionFile::PREFIX))
    }

    fn parse(slot: &str) -> Option<QuestionFile> {
        let key = slot.strip_prefix(QuestionFile::PREFIX)?;
        if key.is_empty()
            || slot.len() > QuestionFile::MAX_LENGTH
            || !key.bytes().all(|byte| byte.is_ascii_alphanumeric())
        {
            return None;
        }
        let mut name = [0; QuestionFile::MAX_LENGTH];
        name[..slot.len()].copy_from_slice(slot.as_bytes());
        Some(QuestionFile { name, length: slot.len() })
    }

    fn as_str(&self) -> &str {
        std::str::from_utf8(&self.name[..self.length]).unwrap_or_default()
    }
}

impl std::fmt::Debug for QuestionFile {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// When it is needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Need {
    /// Needed before a decision.
    Required,
    /// Can follow after the decision.
    Later,
}

impl Need {
    pub const ALL: [Need; 2] = [Need::Required, Need::Later];

    pub fn as_str(self) -> &'static str {
        match self {
            Need::Required => "required",
            Need::Later => "later",
        }
    }

    /// Whether a document in this state prevents a decision.
    pub fn is_missing(self, state: SlotState) -> bool {
        self == Need::Required && !state.is_settled()
    }
}

/// A document that an applicant is asked for.
#[derive(Debug, Clone)]
pub struct Slot {
    pub kind: SlotKind,
    pub label: Sentence,
    /// What to send, and why we ask for it.
    pub why: Sentence,
    pub need: Need,
}

impl Slot {
    /// Returns the name as stored and used in URLs.
    pub fn name(&self) -> &str {
        self.kind.as_str()
    }

    /// Returns the slot for a question that asks for a file; `None` for other questions.
    pub fn of_question(question: &Question) -> Option<Slot> {
        let kind = SlotKind::Question(QuestionFile::of(&question.key).filter(|_| question.kind == Kind::File)?);
        let why = question.help_said().unwrap_or_else(|| text!("One of the questions of your program asks for it."));
        let need = if question.required { Need::Required } else { Need::Later };
        Some(Slot { kind, label: question.said(), why, need })
    }
}

#[derive(Debug)]
struct Row {
    kind: SlotKind,
    name: &'static str,
    label: Sentence,
    why: Sentence,
    need: Need,
    called_for: fn(Program, &ApplicationData) -> bool,
}

impl From<&Row> for Slot {
    fn from(row: &Row) -> Self {
        Slot { kind: row.kind, label: row.label.clone(), why: row.why.clone(), need: row.need }
    }
}

fn pays(data: &ApplicationData, with: &str) -> bool {
    data.financial_plan.selected_payments.iter().any(|payment| payment == with)
}

fn transfers(data: &ApplicationData, from: &[&str]) -> bool {
    data.credit_transfer.selected_programs.iter().any(|program| from.contains(&program.as_str()))
}

/// In the order of the page: what we need first comes first.
static SLOTS: [Row; 14] = [
    Row {
        kind: SlotKind::Identity,
        name: "identity",
        label: text!("Proof of identity"),
        why: text!("A passport, driver’s license or military ID, so that we know who is applying. Both sides, please."),
        need: Need::Required,
        called_for: |_, _| true,
    },
    Row {
        kind: SlotKind::Cv,
        name: "cv",
        label: text!("Résumé or CV"),
        why: text!("Your work so far. The master’s program builds on it."),
        need: Need::Required,
        called_for: |program, _| program == Program::Masters,
    },
    Row {
        kind: SlotKind::BachelorsTranscript,
        name: "bachelors-transcript",
        label: text!("Transcript of your bachelor’s degree"),
        why: text!(
            "You told us that you have a bachelor’s degree. A scan or a download from your college is enough for now."
        ),
        need: Need::Required,
        called_for: |_, data| data.education.has_bachelors,
    },
    Row {
        kind: SlotKind::MastersTranscript,
        name: "masters-transcript",
        label: text!("Transcript of your master’s degree"),
        why: text!(
            "You told us that you have a master’s degree. A scan or a download from your university is enough for now."
        ),
        need: Need::Required,
        called_for: |_, data| data.education.has_masters,
    },
    Row {
        kind: SlotKind::CollegeTranscript,
        name: "college-transcript",
        label: text!("Transcripts of other colleges"),
        why: text!("You want to transfer credits from courses at another college. We count them from its transcript."),
        need: Need::Required,
        called_for: |_, data| transfers(data, &["college"]),
    },
    Row {
        kind: SlotKind::JointServicesTranscript,
        name: "jst",
        label: text!("Joint Services Transcript"),
        why: text!("You want to transfer credits from your service. Download the transcript at jst.doded.mil."),
        need: Need::Required,
        called_for: |_, data| transfers(data, &["jst"]),
    },
    Row {
        kind: SlotKind::AirForceTranscript,
        name: "ccaf",
        label: text!("Transcript of the Community College of the Air Force"),
        why: text!(
            "You want to transfer credits from the CCAF. Ask for the transcript through the Air Force Virtual Education Center."
        ),
        need: Need::Required,
        called_for: |_, data| transfers(data, &["ccaf"]),
    },
    Row {
        kind: SlotKind::AceTraining,
        name: "ace",
        label: text!("Certificates of training recommended by ACE"),
        why: text!(
            "You want to transfer credits from training that ACE recommends. We count them from the certificates."
        ),
        need: Need::Later,
        called_for: |_, data| transfers(data, &["ace"]),
    },
    Row {
        kind: SlotKind::ExamScores,
        name: "exam-scores",
        label: text!("CLEP or DSST score reports"),
        why: text!("You want to transfer credits from exams. We count them from the score reports."),
        need: Need::Later,
        called_for: |_, data| transfers(data, &["clep", "dsst"]),
    },
    Row {
        kind: SlotKind::CoachTraining,
        name: "coach-training",
        label: text!("Certificates of your coach training"),
        why: text!("You want to transfer credits from coach training. We count them from the certificates."),
        need: Need::Later,
        called_for: |_, data| transfers(data, &["coach_training"]),
    },
    Row {
        kind: SlotKind::TuitionAssistance,
        name: "tuition-assistance",
        label: text!("Tuition assistance authorization"),
        why: text!("You plan to pay with tuition assistance. Send the approved form when you have it."),
        need: Need::Later,
        called_for: |_, data| pays(data, "tuition_assistance"),
    },
    Row {
        kind: SlotKind::GiBill,
        name: "gi-bill",
        label: text!("GI Bill Certificate of Eligibility"),
        why: text!("You plan to pay with the GI Bill. The Department of Veterans Affairs sends you this letter."),
        need: Need::Later,
        called_for: |_, data| pays(data, "gi_bill"),
    },
    Row {
        kind: SlotKind::EmployerLetter,
        name: "employer-letter",
        label: text!("Letter from your employer"),
        why: text!("You told us that your employer pays. The letter should say how much, and for how long."),
        need: Need::Later,
        called_for: |_, data| pays(data, "employer"),
    },
    Row {
        kind: SlotKind::ScholarshipLetter,
        name: "scholarship-letter",
        label: text!("Scholarship or grant letter"),
        why: text!(
            "You told us about a scholarship or grant. The letter should say how much it is and what it is for."
        ),
        need: Need::Later,
        called_for: |_, data| pays(data, "scholarship"),
    },
];

impl SlotKind {
    /// Returns its slot. For a question that no longer exists, the wording is generic.
    pub fn slot(self) -> Slot {
        match self.row() {
            Some(row) => row.into(),
            None => Slot {
                kind: self,
                label: text!("A file for an earlier question"),
                why: text!("A question of your program asked for it."),
                need: Need::Later,
            },
        }
    }

    fn row(self) -> Option<&'static Row> {
        SLOTS.iter().find(|row| row.kind == self)
    }

    pub fn as_str(&self) -> &str {
        match self {
            SlotKind::Question(question) => question.as_str(),
            kind => kind.row().expect("every other kind has its row, which a test keeps true").name,
        }
    }

    pub fn parse(name: &str) -> Option<SlotKind> {
        let row = SLOTS.iter().find(|row| row.name == name);
        row.map(|row| row.kind).or_else(|| QuestionFile::parse(name).map(SlotKind::Question))
    }
}

/// Returns every document that answers can call for, in the order of the page.
pub fn of_answers() -> impl Iterator<Item = Slot> {
    SLOTS.iter().map(Slot::from)
}

/// Returns the slots that these answers call for, without those of the program's questions.
pub fn called_for(program: Program, data: &ApplicationData) -> impl Iterator<Item = Slot> {
    SLOTS.iter().filter(move |row| (row.called_for)(program, data)).map(Slot::from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::application::{PAYMENTS, TRANSFER_PROGRAMS};

    fn names(program: Program, data: &ApplicationData) -> Vec<String> {
        called_for(program, data).map(|slot| slot.name().to_owned()).collect()
    }

    #[test]
    fn the_answers_call_for_documents() {
        let mut data = ApplicationData::default();
        data.education.has_bachelors = false;
        assert_eq!(names(Program::Bachelor, &data), ["identity"]);
        assert_eq!(names(Program::Masters, &data), ["identity", "cv"]);
        data.education.has_bachelors = true;
        data.education.has_masters = true;
        data.financial_plan.selected_payments = vec!["gi_bill".into(), "self_pay".into()];
        data.credit_transfer.selected_programs = vec!["dsst".into(), "jst".into(), "clep".into()];
        let expected = ["identity", "bachelors-transcript", "masters-transcript", "jst", "exam-scores", "gi-bill"];
        assert_eq!(names(Program::Bachelor, &data), expected);
    }

    #[test]
    fn every_way_to_pay_but_ones_own_and_every_source_of_credits_calls_for_something() {
        let mut data = ApplicationData::default();
        let before = names(Program::Bachelor, &data);
        for payment in PAYMENTS.iter().filter(|payment| payment.value != "self_pay") {
            data.financial_plan.selected_payments = vec![payment.value.into()];
            assert_eq!(names(Program::Bachelor, &data).len(), before.len() + 1, "{}", payment.value);
        }
        data.financial_plan.selected_payments.clear();
        for source in &TRANSFER_PROGRAMS {
            data.credit_transfer.selected_programs = vec![source.value.into()];
            assert_eq!(names(Program::Bachelor, &data).len(), before.len() + 1, "{}", source.value);
        }
    }

    #[test]
    fn every_kind_has_one_row_and_one_name() {
        for slot in &SLOTS {
            assert_eq!(SlotKind::parse(slot.name), Some(slot.kind));
            assert_eq!(slot.kind.as_str(), slot.name);
            assert_eq!(SLOTS.iter().filter(|other| other.name == slot.name).count(), 1);
        }
        assert_eq!(SlotKind::parse("passport"), None);
    }

    #[test]
    fn a_question_for_a_file_has_a_slot_of_its_own() {
        let question = |kind| Question {
            key: "workSample".into(),
            label: "A sample of your work".into(),
            help: None,
            required: true,
            kind,
            only_if: None,
            translations: Default::default(),
            lang: None,
        };
        let slot = Slot::of_question(&question(Kind::File)).unwrap();
        assert_eq!(
            (slot.name(), slot.label.to_string().as_str(), slot.need),
            ("question-workSample", "A sample of your work", Need::Required)
        );
        assert_eq!(SlotKind::parse("question-workSample"), Some(slot.kind));
        assert_eq!(slot.kind.slot().label, "A file for an earlier question");
        assert!(Slot::of_question(&question(Kind::YesNo)).is_none());
        let longest = format!("question-{}", "a".repeat(40));
        assert_eq!(SlotKind::parse(&longest).unwrap().as_str(), longest);
        for wrong in ["question-", "question-a b", "question-ä", &format!("{longest}a")] {
            assert_eq!(SlotKind::parse(wrong), None, "{wrong}");
        }
    }
}
