//! Contracts and templates as stored.

use jiff::civil::Date;

use super::{ContractAct, ContractState, ContractText, Event, TemplateText, fingerprint, is_unbroken};
use crate::clocks::day;
use crate::moments::Millis;
use crate::program::Program;

/// A published template of a program.
#[derive(Debug, Clone)]
pub struct TemplateVersion {
    pub id: String,
    pub program: Program,
    /// Numbered per program, from 1.
    pub version: i64,
    pub text: TemplateText,
    pub published_at: Millis,
    /// The publisher's name as shown to staff.
    pub published_by: String,
    /// The earlier version whose text was restored; 0 for the built-in one.
    pub restored_from: Option<i64>,
}

/// A program's template in progress.
#[derive(Debug, Clone)]
pub struct TemplateDraft {
    pub program: Program,
    /// Starts at 1 and increases with every change.
    pub revision: i64,
    /// May contain mistakes.
    pub text: TemplateText,
    pub changed_at: Millis,
    /// Id and name of the member of staff who changed it last.
    pub changed_by: (String, String),
}

/// A contract for an application.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contract {
    pub id: String,
    pub application_id: String,
    /// Numbered per application, from 1.
    pub number: i64,
    pub state: ContractState,
    /// Starts at 1 and increases with every event.
    pub revision: i64,
    /// The secret last part of the URL at which anybody can verify it.
    pub code: String,
    pub template_version: i64,
    /// Canonical form; `None` until it is sent.
    pub text: Option<String>,
    /// SHA-256 of the text.
    pub text_hash: Option<String>,
    pub changed_at: Millis,
    pub sent_at: Option<Millis>,
    /// The first moment at which it can no longer be signed.
    pub expires_at: Option<Millis>,
    /// When the applicant agreed to sign electronically.
    pub consented_at: Option<Millis>,
    pub signed_at: Option<Millis>,
    pub signed_name: Option<String>,
    pub on_paper: bool,
    pub countersigned_at: Option<Millis>,
    pub countersigned_name: Option<String>,
    /// When it was declined, voided or expired.
    pub ended_at: Option<Millis>,
    pub end_reason: Option<String>,
    pub file: Option<ContractFile>,
}

/// The signed copy, created when the contract was countersigned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContractFile {
    /// Its name in the object storage.
    pub object: String,
    pub size: u64,
    /// SHA-256, hexadecimal.
    pub hash: String,
}

/// A contract in the list, with its applicant.
#[derive(Debug, Clone)]
pub struct ListedContract {
    pub id: String,
    pub application_id: String,
    pub number: i64,
    pub state: ContractState,
    pub changed_at: Millis,
    pub expires_at: Option<Millis>,
    pub first_name: String,
    pub last_name: String,
    pub reference: Option<String>,
    pub program: Program,
}

impl Contract {
    /// Returns the last day on which it can be signed, in that time zone.
    pub fn last_day(&self, zone: &str) -> Option<Date> {
        self.expires_at.map(|until| day(until - 1, zone))
    }

    /// Returns the text to sign; `None` until it is frozen, or if it is not the text that was frozen.
    pub fn frozen_text(&self) -> Option<ContractText> {
        let text = self.text.as_deref()?;
        (self.text_hash.as_deref() == Some(&fingerprint(text.as_bytes()))).then(|| ContractText::parse(text))?
    }

    /// Whether neither the text nor the events have been tampered with.
    pub fn is_unchanged(&self, events: &[Event]) -> bool {
        let find = |act: ContractAct| events.iter().find(|event| event.act == act);
        let name = self.signed_name.as_deref().unwrap_or_default();
        // A signature on paper is recorded by somebody other than the signer.
        let signed = match (find(ContractAct::Sign), find(ContractAct::RecordPaper)) {
            (Some(event), None) => self.signed_at == Some(event.at) && event.name == name && !self.on_paper,
            (None, Some(event)) => {
                self.signed_at == Some(event.at) && event.detail.starts_with(&format!("{name}, ")) && self.on_paper
            }
            (None, None) => self.signed_at.is_none() && self.signed_name.is_none(),
            (Some(_), Some(_)) => false,
        };
        let countersigned = match find(ContractAct::Countersign) {
            Some(event) => {
                self.countersigned_at == Some(event.at) && self.countersigned_name.as_deref() == Some(&event.name)
            }
            None => self.countersigned_at.is_none() && self.countersigned_name.is_none(),
        };
        let last =
            events.last().is_some_and(|event| event.position == self.revision && event.act.leads_to() == self.state);
        self.frozen_text().is_some()
            && signed
            && countersigned
            && last
            && is_unbroken(&self.id, events, self.text_hash.as_deref().unwrap_or_default())
    }

    /// Returns the contract after an act.
    pub fn after(&self, state: ContractState, now: Millis) -> Contract {
        Contract { state, revision: self.revision + 1, changed_at: now, ..self.clone() }
    }
}
