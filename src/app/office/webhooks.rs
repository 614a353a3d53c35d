//! Webhooks: endpoints and their deliveries, for those who run the product, and the deliveries themselves.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};
use url::Url;

use crate::App;
use crate::error::{Error, Refusal};
use crate::mails::write_to_staff;
use crate::office::list_views::sent_name;
use domain::body;
use domain::body::{filled, texts, wrong, yes_or_no};
use domain::input::{FieldError, Input};
use domain::permission::Permission;
use domain::role::Role;
use domain::sentence::Sentence;
use domain::staff::StaffSession;
use domain::webhook::{
    DeliveryChange, DeliveryState, Endpoint, EventDelivery, EventKind, FORMER_SECRET, MAX_URL_LENGTH, PAUSED_AFTER,
    PauseReason, SECRET_PREFIX, rest,
};
use store::{AuditEntry, EndpointCall, NewEndpoint, NewMail, Stored};

/// Deliveries per page.
pub const DELIVERIES_PAGE: i64 = 50;

body! {
    /// Where events are delivered to.
    pub struct WebhookInput {
        /// What it is for; 1 to 60 characters.
        name: String = sent_name("Say what the endpoint is for."),
        /// At most 500 characters. Without TLS it must be in a network that the operator names.
        #[schema(format = "uri")]
        url: String = url,
        /// Kinds of events; without any, all.
        #[schema(nullable = false)]
        events: Option<Vec<String>> = kinds,
    }
}

body! {
    /// Whether events are delivered.
    pub struct WebhookPause {
        /// While an endpoint is paused, events wait.
        paused: bool = |path: &str, input: Option<&Input>| {
            yes_or_no(path, input)?.ok_or_else(|| wrong(path, "required", "Say whether it is paused."))
        },
    }
}

/// A new endpoint, or one with a new secret, which is shown once.
#[derive(Debug, Clone)]
pub struct SecretEndpoint {
    pub endpoint: Endpoint,
    /// `whsec_` and base64.
    pub secret: String,
}

fn url(path: &str, input: Option<&Input>) -> Result<String, FieldError> {
    let ask = "Enter the address that takes the events, such as https://hooks.example.org/in.";
    let text = filled(ask)(path, input)?;
    if text.chars().count() > MAX_URL_LENGTH {
        let sentence = format!("The address must have at most {MAX_URL_LENGTH} characters.");
        return Err(wrong(path, "too_long", Sentence::plain(sentence)));
    }
    let url = Url::parse(&text).ok().filter(|url| url.has_host() && matches!(url.scheme(), "http" | "https"));
    let url = url.ok_or_else(|| wrong(path, "invalid", ask))?;
    if !url.username().is_empty() || url.password().is_some() {
        return Err(wrong(path, "credentials", "Leave the user name and password out of the address."));
    }
    Ok(url.into())
}

fn kinds(path: &str, input: Option<&Input>) -> Result<Option<Vec<String>>, FieldError> {
    let sent = texts(path, input)?;
    let is_known = |name: &String| EventKind::subscribable().any(|kind| kind.as_str() == name);
    match sent.iter().flatten().all(is_known) {
        true => Ok(sent),
        false => Err(wrong(path, "unknown", "Choose from the events that there are.")),
    }
}

impl WebhookInput {
    fn kinds(&self) -> Vec<EventKind> {
        let chosen = self.events.iter().flatten();
        let chosen: Vec<EventKind> = chosen.filter_map(|name| EventKind::parse(name)).collect();
        // In their own order, and once each.
        EventKind::subscribable().filter(|kind| chosen.contains(kind)).collect()
    }

    fn check(&self, app: &App) -> Result<(), Error> {
        if self.url.starts_with("http:") && !app.settings.calls_without_tls {
            let sentence = "Use an address that begins with https://.";
            return Err(FieldError::new("url", "url.unencrypted", sentence).into());
        }
        Ok(())
    }
}

impl App {
    /// All endpoints, oldest first.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`], as for all of these.
    pub async fn webhooks(&self, who: &StaffSession) -> Result<Vec<Endpoint>, Error> {
        who.staff.permit(Permission::Settings)?;
        Ok(self.store.webhook_endpoints().await?)
    }

    /// # Errors
    /// [`Refusal::WebhookNotFound`]
    pub async fn webhook(&self, who: &StaffSession, id: &str) -> Result<Endpoint, Error> {
        who.staff.permit(Permission::Settings)?;
        Ok(self.store.webhook_endpoint(id).await?.ok_or(Refusal::WebhookNotFound)?)
    }

    /// # Errors
    /// Invalid fields, [`Refusal::TooManyWebhooks`].
    pub async fn create_webhook(&self, who: &StaffSession, input: &Input) -> Result<SecretEndpoint, Error> {
        who.staff.permit(Permission::Settings)?;
        let input = WebhookInput::parse(input)?;
        input.check(self)?;
        let (id, secret) = (self.random.id(), self.new_webhook_secret());
        let new = NewEndpoint {
            events: input.kinds(),
            name: input.name,
            url: input.url,
            secret: self.sealing.seal(&id, &secret),
            created_at: self.clock.now(),
            created_by: who.staff.id.clone(),
            id,
        };
        let audit = self.about_webhook(who, &new.id, "webhook.created", json!({ "events": events(&new.events) }));
        if !self.store.create_webhook_endpoint(&new, &audit).await? {
            return Err(Refusal::TooManyWebhooks.into());
        }
        Ok(SecretEndpoint { endpoint: self.webhook(who, &new.id).await?, secret })
    }

    /// Changes name, address and events.
    ///
    /// # Errors
    /// Invalid fields, [`Refusal::WebhookNotFound`].
    pub async fn change_webhook(&self, who: &StaffSession, id: &str, input: &Input) -> Result<Endpoint, Error> {
        let input = WebhookInput::parse(input)?;
        input.check(self)?;
        let before = self.webhook(who, id).await?;
        let (events_sent, is_moved) = (input.kinds(), before.url != input.url);
        let changed = Endpoint { name: input.name, url: input.url, events: events_sent, ..before };
        let detail = json!({ "events": events(&changed.events), "moved": is_moved });
        let audit = self.about_webhook(who, id, "webhook.changed", detail);
        found(self.store.change_webhook_endpoint(&changed, &audit).await?)?;
        Ok(changed)
    }

    /// Pauses an endpoint, or resumes it: what has waited is then delivered, in order.
    ///
    /// # Errors
    /// Invalid fields, [`Refusal::WebhookNotFound`].
    pub async fn pause_webhook(&self, who: &StaffSession, id: &str, input: &Input) -> Result<Endpoint, Error> {
        let WebhookPause { paused } = WebhookPause::parse(input)?;
        let endpoint = self.webhook(who, id).await?;
        let now = self.clock.now();
        match (paused, endpoint.paused) {
            (true, None) => {
                let audit = self.about_webhook(who, id, "webhook.paused", json!({}));
                self.store.pause_webhook_endpoint(id, now, PauseReason::Staff, &audit, &[]).await?;
            }
            (false, Some(_)) => {
                let audit = self.about_webhook(who, id, "webhook.resumed", json!({}));
                self.store.resume_webhook_endpoint(id, now, &audit).await?;
            }
            _ => return Ok(endpoint),
        }
        self.webhook(who, id).await
    }

    /// Gives an endpoint a new secret. For a day, deliveries are signed with the former one, too.
    ///
    /// # Errors
    /// [`Refusal::WebhookNotFound`]
    pub async fn renew_webhook_secret(&self, who: &StaffSession, id: &str) -> Result<SecretEndpoint, Error> {
        who.staff.permit(Permission::Settings)?;
        let secret = self.new_webhook_secret();
        let until = self.clock.now() + FORMER_SECRET;
        let audit = self.about_webhook(who, id, "webhook.secret_renewed", json!({}));
        let sealed = self.sealing.seal(id, &secret);
        found(self.store.renew_webhook_secret(id, &sealed, until, &audit).await?)?;
        Ok(SecretEndpoint { endpoint: self.webhook(who, id).await?, secret })
    }

    /// Deletes an endpoint, with what waits for it.
    ///
    /// # Errors
    /// [`Refusal::WebhookNotFound`]
    pub async fn delete_webhook(&self, who: &StaffSession, id: &str) -> Result<(), Error> {
        who.staff.permit(Permission::Settings)?;
        let audit = self.about_webhook(who, id, "webhook.deleted", json!({}));
        found(self.store.delete_webhook_endpoint(id, &audit).await?)
    }

    /// Sends an endpoint a test event. Returns the event's id.
    ///
    /// # Errors
    /// [`Refusal::WebhookNotFound`]
    pub async fn test_webhook(&self, who: &StaffSession, id: &str) -> Result<String, Error> {
        who.staff.permit(Permission::Settings)?;
        let event_id = self.random.id();
        let audit = self.about_webhook(who, id, "webhook.tested", json!({ "event": event_id }));
        found(self.store.send_test_webhook(id, &event_id, self.clock.now(), &audit).await?)?;
        Ok(event_id)
    }

    /// A page of an endpoint's deliveries, newest first, in one state or any; `before` is the last event of the page
    /// before it. Whether there are more.
    ///
    /// # Errors
    /// [`Refusal::WebhookNotFound`]
    pub async fn webhook_deliveries(
        &self,
        who: &StaffSession,
        id: &str,
        state: Option<DeliveryState>,
        before: &str,
    ) -> Result<(Vec<EventDelivery>, bool), Error> {
        self.webhook(who, id).await?;
        let mut found = self.store.webhook_deliveries(id, state, before, DELIVERIES_PAGE + 1).await?;
        let page = usize::try_from(DELIVERIES_PAGE).unwrap_or_default();
        let is_last = found.len() <= page;
        found.truncate(page);
        Ok((found, is_last))
    }

    /// Sends an event again, or skips it.
    ///
    /// # Errors
    /// [`Refusal::DeliveryNotFound`], also if one is to be skipped that has been delivered.
    pub async fn change_webhook_delivery(
        &self,
        who: &StaffSession,
        id: &str,
        event_id: &str,
        change: DeliveryChange,
    ) -> Result<(), Error> {
        who.staff.permit(Permission::Settings)?;
        let action = match change {
            DeliveryChange::Resend => "webhook.resent",
            DeliveryChange::Skip => "webhook.skipped",
        };
        let audit = self.about_webhook(who, id, action, json!({ "event": event_id }));
        let now = self.clock.now();
        let is_changed = self.store.change_webhook_delivery(id, event_id, change, now, &audit).await?;
        if is_changed { Ok(()) } else { Err(Refusal::DeliveryNotFound.into()) }
    }

    /// Sends everything again that was given up. Returns how much that is.
    ///
    /// # Errors
    /// [`Refusal::WebhookNotFound`]
    pub async fn resend_failed_webhooks(&self, who: &StaffSession, id: &str) -> Result<u64, Error> {
        self.webhook(who, id).await?;
        let audit = self.about_webhook(who, id, "webhook.failed_resent", json!({}));
        Ok(self.store.resend_failed_webhooks(id, self.clock.now(), &audit).await?)
    }

    fn about_webhook(&self, who: &StaffSession, id: &str, action: &'static str, detail: Value) -> AuditEntry {
        self.audit_entry(format!("staff:{}", who.staff.id), format!("webhook:{id}"), action, detail)
    }

    fn new_webhook_secret(&self) -> String {
        format!("{SECRET_PREFIX}{}", BASE64_STANDARD.encode(self.random.secret()))
    }
}

/// What the worker does with an endpoint after its deliveries.
impl App {
    /// The secrets that a delivery is signed with, the current one first; `None` if they were sealed with another secret
    /// of the program.
    pub fn webhook_secrets(&self, endpoint: &EndpointCall) -> Option<Vec<String>> {
        let EndpointCall { id, secret, former_secret, .. } = endpoint;
        let mut secrets = vec![self.sealing.open(id, secret)?];
        secrets.extend(former_secret.as_ref().and_then(|former| self.sealing.open(id, former)));
        Some(secrets)
    }

    /// Leaves an endpoint alone for a while that takes nothing, and pauses it after some days.
    pub async fn webhook_fails(&self, endpoint: &EndpointCall) -> Stored<()> {
        let now = self.clock.now();
        let since = endpoint.failing_since.unwrap_or(now);
        if now - since >= PAUSED_AFTER {
            return self.pause_broken_webhook(&endpoint.id, PauseReason::Failing).await;
        }
        self.store.webhook_endpoint_failing(&endpoint.id, since, now + rest(now - since)).await
    }

    /// Pauses an endpoint that takes nothing, and tells Owners.
    pub async fn pause_broken_webhook(&self, id: &str, reason: PauseReason) -> Stored<()> {
        let Some(endpoint) = self.store.webhook_endpoint(id).await? else { return Ok(()) };
        let subject = format!("webhook:{id}");
        let detail = json!({ "reason": reason.as_str() });
        let audit = self.audit_entry("system".into(), subject, "webhook.paused", detail);
        let staff = self.store.all_staff().await?.into_iter();
        let owners = staff.filter(|staff| staff.role == Role::Owner && staff.suspended_at.is_none());
        let mails: Vec<NewMail> = owners.map(|owner| self.webhook_paused(&owner.email, &endpoint, reason)).collect();
        self.store.pause_webhook_endpoint(id, self.clock.now(), reason, &audit, &mails).await?;
        Ok(())
    }

    fn webhook_paused(&self, to: &str, endpoint: &Endpoint, reason: PauseReason) -> NewMail {
        let url = format!("{}/admin-panel/settings/webhooks/{}", self.settings.public_url, endpoint.id);
        let why = match reason {
            PauseReason::Gone => "answered that it takes no events any more",
            PauseReason::Failing | PauseReason::Staff => "has taken no event for three days",
        };
        let name = &endpoint.name;
        let paused = format!("The webhook endpoint {name:?} {why}. It is paused, and events wait for it.");
        let then = "See what it answered, and resume it once it works: events are then delivered in their order.";
        let subject = format!("The webhook endpoint {name:?} is paused");
        write_to_staff(self, to, "Hello,", "webhook-paused", &subject, &[&paused, then], Some(("Look at it", &url)))
    }
}

fn events(kinds: &[EventKind]) -> Vec<&'static str> {
    kinds.iter().map(|kind| kind.as_str()).collect()
}

fn found(is_found: bool) -> Result<(), Error> {
    if is_found { Ok(()) } else { Err(Refusal::WebhookNotFound.into()) }
}
