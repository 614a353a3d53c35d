//! What the tabs of one application need. Twin of `client/api/office-dossier.ts`, which tells what each member means.

use std::borrow::Cow;

use serde::Serialize;

use super::super::super::page::FormState;
use super::super::props::Choice;
use crate::domain::sentence::Sentence;

/// What surrounds every tab.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Frame {
    pub id: String,
    pub name: String,
    pub reference: String,
    pub program: &'static str,
    pub stage: &'static str,
    pub status: &'static str,
    pub waiting_days: i64,
    pub needs_action: bool,
    pub revision: i64,
    pub owner: String,
    pub owner_name: Option<String>,
    pub owners: Vec<Choice>,
    pub may_assign: bool,
    pub tags: Vec<String>,
    pub acts: Vec<ActLink>,
    pub tabs: Vec<&'static str>,
    pub back_href: String,
    pub previous_href: Option<String>,
    pub next_href: Option<String>,
    pub tab: String,
    pub view: String,
    pub lookers: Vec<String>,
    pub meanwhile: Vec<ChangedMeanwhile>,
    pub alike: Option<AlikeLink>,
}

/// That there are applications that are alike, and where they are looked at.
#[derive(Debug, Serialize)]
pub struct AlikeLink {
    pub text: String,
    pub href: String,
    pub open: bool,
}

/// Something that somebody else changed: how it was when it was seen, and how it is now.
#[derive(Debug, Serialize)]
pub struct ChangedMeanwhile {
    pub what: String,
    pub seen: String,
    pub now: String,
}

#[derive(Debug, Serialize)]
pub struct ActLink {
    pub label: &'static str,
    pub href: String,
}

/// A line of what is known: what it is, and what it says.
#[derive(Debug, Serialize)]
pub struct Line {
    pub name: String,
    pub value: String,
}

#[derive(Debug, Serialize)]
pub struct AnswerLine {
    pub name: Cow<'static, str>,
    pub value: Option<Cow<'static, str>>,
    /// `changed`, `added`, `gone`
    #[serde(skip_serializing_if = "Option::is_none")]
    pub change: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<Cow<'static, str>>,
}

#[derive(Debug, Serialize)]
pub struct AnswerSection {
    pub title: Sentence,
    pub answers: Vec<AnswerLine>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AdminApplicationProps {
    pub frame: Frame,
    pub person: Option<Vec<Line>>,
    pub versions: Vec<Choice>,
    pub version: String,
    pub against: String,
    pub changes_text: Option<String>,
    pub sections: Vec<AnswerSection>,
    pub form: FormState,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct OfficeFile {
    pub id: String,
    pub name: String,
    pub words: String,
    pub href: Option<String>,
    pub preview_href: Option<String>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct OfficeDocument {
    pub slot: String,
    pub label: String,
    pub why: String,
    pub required: bool,
    pub state: &'static str,
    pub word: &'static str,
    pub decided_text: Option<String>,
    pub reason: Option<String>,
    pub seen: String,
    pub may_accept: bool,
    pub may_replace: bool,
    pub may_waive: bool,
    pub files: Vec<OfficeFile>,
}

#[derive(Debug, Serialize)]
pub struct AdminDocumentsProps {
    pub frame: Frame,
    pub slots: Vec<OfficeDocument>,
    pub others: Vec<OfficeDocument>,
    pub form: FormState,
}

/// A wish to start later that waits for an answer.
#[derive(Debug, Serialize)]
pub struct Wish {
    pub id: String,
    pub text: String,
    pub intake: String,
    pub reason: Option<String>,
}

/// The form of an act.
#[derive(Debug, Serialize)]
pub struct ActProps {
    pub name: &'static str,
    pub path: &'static str,
    pub title: &'static str,
    pub button: &'static str,
    pub text: &'static str,
    pub request: Option<String>,
    pub sections: Option<Vec<Choice>>,
    pub reason: Option<&'static str>,
    pub intakes: Option<Vec<Choice>>,
    pub wish: Option<Wish>,
    pub rechecked: Option<&'static str>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AdminActProps {
    pub frame: Frame,
    pub act: ActProps,
    pub obstacle: Option<String>,
    pub idempotency_key: String,
    pub form: FormState,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct OfficeNote {
    pub id: String,
    pub author: String,
    pub text: String,
    pub revision: i64,
    pub pinned: bool,
    pub own: bool,
    pub written_text: String,
    pub edited_text: Option<String>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AdminNotesProps {
    pub frame: Frame,
    pub notes: Vec<OfficeNote>,
    pub search: String,
    pub names: Vec<String>,
    pub editing: Option<String>,
    pub idempotency_key: String,
    pub form: FormState,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct OfficeMail {
    pub id: String,
    pub subject: String,
    pub to: String,
    pub text: String,
    pub state: &'static str,
    pub state_text: String,
    pub written_text: String,
    pub may_resend: bool,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AdminEmailsProps {
    pub frame: Frame,
    pub to: Option<String>,
    pub mails: Vec<OfficeMail>,
    pub idempotency_key: String,
    pub form: FormState,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TimelineEvent {
    pub when_text: String,
    pub who: String,
    pub words: String,
    pub from: Option<&'static str>,
    pub to: Option<&'static str>,
    pub detail: Option<String>,
    pub reason: Option<String>,
}

#[derive(Debug, Serialize)]
pub struct AdminTimelineProps {
    pub frame: Frame,
    pub events: Vec<TimelineEvent>,
    pub unbroken: bool,
    pub form: FormState,
}

/// Something that two applications have, and whether it is the same.
#[derive(Debug, Serialize)]
pub struct AlikeLine {
    pub what: &'static str,
    pub here: String,
    pub there: String,
    pub same: bool,
}

#[derive(Debug, Serialize)]
pub struct Twin {
    pub id: String,
    pub name: String,
    pub reference: String,
    pub href: String,
    pub lines: Vec<AlikeLine>,
    pub verdict: Option<String>,
}

#[derive(Debug, Serialize)]
pub struct AdminDuplicatesProps {
    pub frame: Frame,
    pub twins: Vec<Twin>,
    pub form: FormState,
}
