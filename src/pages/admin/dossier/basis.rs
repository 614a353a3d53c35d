//! What a decision rests on, shown beside it: the documents, the references, the readings, the interview and its score
//! sheet, the newest notes, the answers.

use serde::Serialize;

use super::interview::{InterviewSheet, InterviewView, interview_view, sheet_view};
use super::{Dossier, address, answers, applications, called, documents, href, readings};
use crate::admin::Office;
use crate::moment;
use crate::props::office::answers::AnswerSection;
use crate::props::office::readings::ReadingsView;
use app::Error;
use app::documents::Documents;
use app::office::dossiers::VersionName;
use domain::permission::Permission;

/// Number of notes shown; the tab has all of them.
const NOTES: usize = 5;

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct DecisionBasis {
    /// Documents that the answers call for.
    pub documents: Vec<BasisDocument>,
    /// Null if none are asked for and none were.
    pub references: Option<BasisReferences>,
    pub interview: Option<InterviewView>,
    pub sheet: Option<InterviewSheet>,
    /// Null for a role that may not see them, and if nobody was asked to read.
    pub readings: Option<ReadingsView>,
    /// Pinned ones first, then newest first.
    pub notes: Vec<NoteInShort>,
    pub answers: Vec<AnswerSection>,
    /// Where all notes are; null for a role that may not read them.
    pub notes_href: Option<String>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct NoteInShort {
    pub id: String,
    pub text: String,
    /// Who wrote it, and when.
    pub written_text: String,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct BasisDocument {
    pub label: String,
    /// Its state.
    #[cfg_attr(test, ts(as = "domain::documents::SlotState"))]
    pub state: &'static str,
    pub word: &'static str,
    /// Whether it is missing and required for a decision.
    pub is_missing: bool,
    pub href: String,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BasisReferences {
    /// “1 of 2 have come”
    pub text: String,
    /// How many are needed for a decision and have not come.
    pub missing: i64,
    pub href: String,
}

/// Loads what the role may see of it.
///
/// # Errors
/// Those of the store.
pub async fn load(office: Office<'_>, dossier: &Dossier, view: &str) -> Result<DecisionBasis, Error> {
    let Office { visit, who, id } = office;
    let app = &visit.state.app;
    let may = |permission| who.staff.role.may(permission);
    let path = format!("{}/{id}{}", applications::PATH, documents::TAB);
    let documents = match may(Permission::Documents) {
        true => {
            let Documents { slots, .. } = app.dossier_documents(who, dossier).await?;
            slots
                .iter()
                .map(|slot| BasisDocument {
                    label: slot.slot.label.to_string(),
                    state: slot.state.as_str(),
                    word: documents::staff_word(slot.state),
                    is_missing: slot.slot.need.is_missing(slot.state),
                    href: format!("{}#reader", address(&path, &[("view", view), ("slot", slot.slot.name())])),
                })
                .collect()
        }
        false => Vec::new(),
    };
    let references = match may(Permission::Documents) {
        true => app.references_summary(&dossier.application).await?,
        false => None,
    };
    let found = app.office_interview(who, &dossier.application).await?;
    let read = match may(Permission::Score) {
        true => Some(app.readings(who, dossier).await?).filter(|seen| !seen.readings.is_empty()),
        false => None,
    };
    let notes = if may(Permission::Notes) { app.notes(who, dossier, "").await? } else { Vec::new() };
    let answers = match may(Permission::PersonalData) {
        true => {
            let versions = app.versions(who, dossier).await?;
            match versions.iter().rfind(|version| version.name != VersionName::Now).or(versions.last()) {
                Some(version) => app.compared_answers(who, version, None).await?,
                None => Vec::new(),
            }
        }
        false => Vec::new(),
    };
    Ok(DecisionBasis {
        documents,
        references: references.map(|summary| BasisReferences {
            text: documents::references_in_words(summary.needed, summary.received),
            missing: (summary.needed - summary.received).max(0),
            href: format!("{}{}", address(&path, &[("view", view)]), documents::REFERENCES),
        }),
        interview: found.interview.as_ref().map(|interview| interview_view(office, interview, dossier)),
        sheet: found.sheet.as_ref().map(|sheet| sheet_view(office, sheet, dossier)),
        readings: read.map(|seen| readings::view(office, &seen, dossier, view)),
        notes: notes
            .into_iter()
            .take(NOTES)
            .map(|note| NoteInShort {
                written_text: format!(
                    "{}, {}",
                    called(&dossier.all_staff, &note.staff_id),
                    moment::full(note.created_at, office.zone())
                ),
                id: note.id,
                text: note.text,
            })
            .collect(),
        answers: answers.into_iter().map(answers::section).collect(),
        notes_href: may(Permission::Notes).then(|| href(id, super::notes::TAB, view)),
    })
}
