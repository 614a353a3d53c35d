//! Endpoints of webhooks, and their deliveries.

use serde::Serialize;

use super::Choice;
use crate::page::FormState;
use domain::sentence::Sentence;
use domain::webhook::DeliveryState;

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AdminWebhooksProps {
    /// Oldest first.
    pub endpoints: Vec<EndpointRow>,
    /// The endpoint that was just added.
    pub made: Option<MadeEndpoint>,
    pub kinds: Vec<EventChoice>,
    pub form: FormState,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct EndpointRow {
    pub href: String,
    pub name: String,
    pub url: String,
    pub state: EndpointState,
    pub state_text: &'static str,
    pub events_text: String,
    pub waiting: i64,
    pub failed: i64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum EndpointState {
    Delivering,
    Failing,
    Paused,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MadeEndpoint {
    pub name: String,
    /// Shown this once.
    pub secret: String,
}

/// A kind of event that an endpoint can subscribe to.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct EventChoice {
    pub value: &'static str,
    /// What has happened.
    pub about: &'static str,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AdminWebhookProps {
    pub endpoint: EndpointRow,
    /// Why it is paused or failing, since when, and what to do.
    pub trouble: Option<Sentence>,
    /// Until when deliveries are signed with the former secret as well.
    pub former_secret_text: Option<Sentence>,
    /// Names of the kinds that it subscribes to; empty for all.
    pub events: Vec<&'static str>,
    pub kinds: Vec<EventChoice>,
    /// Its new secret, shown this once.
    pub secret: Option<String>,
    /// Of the deliveries shown; empty for all.
    pub state: &'static str,
    pub states: Vec<Choice>,
    /// Newest first.
    pub deliveries: Vec<DeliveryRow>,
    /// The next page, if there are older ones.
    pub older_href: Option<String>,
    pub form: FormState,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "WebhookDeliveryRow"))]
#[serde(rename_all = "camelCase")]
pub struct DeliveryRow {
    pub event_id: String,
    /// `application.submitted`
    pub kind: &'static str,
    /// The application's page and reference number; null for a test.
    pub application: Option<(String, String)>,
    pub state: DeliveryState,
    pub state_text: &'static str,
    pub occurred_text: Sentence,
    pub finished_text: Option<Sentence>,
    /// When the next attempt is due; null if there is none.
    pub due_text: Option<Sentence>,
    pub attempts: i64,
    /// The status code of the last answer.
    pub last_status: Option<i64>,
    /// Why the last attempt failed.
    pub error: Option<String>,
    /// The body as it is sent, indented.
    pub body: String,
    /// Whether it can be skipped: it is waiting or was given up.
    pub may_be_skipped: bool,
}
