//! Who pays.

use crate::application::PAYMENTS;
use crate::documents::SlotKind;
use crate::sentence::Sentence;
use crate::text;

/// A way to pay, as named in the answers under `financialPlan.selectedPayments`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SourceKind {
    TuitionAssistance,
    GiBill,
    Employer,
    Scholarship,
    SelfPay,
}

impl SourceKind {
    pub const ALL: [SourceKind; 5] = [
        SourceKind::TuitionAssistance,
        SourceKind::GiBill,
        SourceKind::Employer,
        SourceKind::Scholarship,
        SourceKind::SelfPay,
    ];

    /// Returns the name as stored and sent.
    pub fn as_str(self) -> &'static str {
        match self {
            SourceKind::TuitionAssistance => "tuition_assistance",
            SourceKind::GiBill => "gi_bill",
            SourceKind::Employer => "employer",
            SourceKind::Scholarship => "scholarship",
            SourceKind::SelfPay => "self_pay",
        }
    }

    pub fn parse(name: &str) -> Option<SourceKind> {
        SourceKind::ALL.into_iter().find(|kind| kind.as_str() == name)
    }

    /// Returns the label used in the application form.
    pub fn label(self) -> Sentence {
        let choice = PAYMENTS.iter().find(|choice| choice.value == self.as_str());
        choice.map_or_else(|| Sentence::plain(self.as_str()), |choice| choice.label.clone())
    }

    /// Returns the document that proves it; what applicants pay themselves needs none.
    pub fn evidence(self) -> Option<SlotKind> {
        match self {
            SourceKind::TuitionAssistance => Some(SlotKind::TuitionAssistance),
            SourceKind::GiBill => Some(SlotKind::GiBill),
            SourceKind::Employer => Some(SlotKind::EmployerLetter),
            SourceKind::Scholarship => Some(SlotKind::ScholarshipLetter),
            SourceKind::SelfPay => None,
        }
    }
}

/// How certain it is that a source pays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, utoipa::ToSchema)]
#[schema(as = FundingState)]
#[serde(rename_all = "lowercase")]
#[derive(ts_rs::TS)]
pub enum SourceState {
    /// Named by the applicant.
    Asked,
    /// Still to be authorised by the payer; prevents enrolment until then.
    Pending,
    Confirmed,
    Refused,
}

impl SourceState {
    pub const ALL: [SourceState; 4] =
        [SourceState::Asked, SourceState::Pending, SourceState::Confirmed, SourceState::Refused];

    /// Returns the name as stored and sent.
    pub fn as_str(self) -> &'static str {
        match self {
            SourceState::Asked => "asked",
            SourceState::Pending => "pending",
            SourceState::Confirmed => "confirmed",
            SourceState::Refused => "refused",
        }
    }

    pub fn parse(name: &str) -> Option<SourceState> {
        SourceState::ALL.into_iter().find(|state| state.as_str() == name)
    }

    /// Returns the label.
    pub fn label(self) -> Sentence {
        match self {
            SourceState::Asked => text!("We are checking it"),
            SourceState::Pending => text!("Authorization pending"),
            SourceState::Confirmed => text!("Confirmed"),
            SourceState::Refused => text!("Not granted"),
        }
    }
}

/// A part of tuition, with its payer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    pub kind: SourceKind,
    pub cents: i64,
    pub state: SourceState,
    /// Why it was refused.
    pub reason: Option<String>,
}

impl Source {
    /// Creates a source as named by the applicant. What applicants pay themselves needs no confirmation: they sign for
    /// it.
    pub fn named(kind: SourceKind, cents: i64) -> Source {
        let state = if kind == SourceKind::SelfPay { SourceState::Confirmed } else { SourceState::Asked };
        Source { kind, cents, state, reason: None }
    }

    /// Whether it counts towards tuition.
    pub fn counts(&self) -> bool {
        self.state != SourceState::Refused
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_to_pay_of_the_answers_is_a_source() {
        let sources: Vec<&str> = SourceKind::ALL.into_iter().map(SourceKind::as_str).collect();
        let answers: Vec<&str> = PAYMENTS.iter().map(|choice| choice.value).collect();
        assert_eq!(sources, answers);
        for kind in SourceKind::ALL {
            assert_eq!(SourceKind::parse(kind.as_str()), Some(kind));
            assert_ne!(kind.label().to_string(), kind.as_str());
        }
        for state in SourceState::ALL {
            assert_eq!(SourceState::parse(state.as_str()), Some(state));
        }
    }
}
