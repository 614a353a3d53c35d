//! The tab "Timeline".

use serde::Serialize;

use super::dossier::Frame;
use crate::page::FormState;

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct TimelineEvent {
    pub when_text: String,
    pub who: String,
    pub words: String,
    /// The stages before and after it.
    pub from: Option<&'static str>,
    pub to: Option<&'static str>,
    pub detail: Option<String>,
    pub reason: Option<String>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AdminTimelineProps {
    pub frame: Frame,
    /// Newest first.
    pub events: Vec<TimelineEvent>,
    /// Whether no line was changed, removed or inserted since it was written.
    pub unbroken: bool,
    pub form: FormState,
}
