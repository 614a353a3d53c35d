//! Delivers events to programs of the institute, signed as Standard Webhooks says
//! (<https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md>).

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use reqwest::header::{CONTENT_TYPE, HeaderValue};
use reqwest::{Method, Request, StatusCode};
use sha2::Sha256;
use url::Url;

use domain::webhook::SECRET_PREFIX;
use outbound::{CallError, Outbound};

/// Maximum number of characters of an answer that are kept, to tell staff what went wrong.
const MAX_ANSWER_LENGTH: usize = 300;

/// One attempt.
#[derive(Debug, Clone, Copy)]
pub struct Delivery<'a> {
    pub url: &'a str,
    /// The event's id, by which a receiver knows one that it has had.
    pub id: &'a str,
    /// Seconds since 1970.
    pub at: i64,
    pub body: &'a str,
    /// The current secret first.
    pub secrets: &'a [String],
}

/// Why a delivery failed.
#[derive(Debug, thiserror::Error)]
pub enum SendError {
    #[error(transparent)]
    Call(#[from] CallError),
    #[error("The receiver answered {status}{}{answer}", if answer.is_empty() { "." } else { ": " })]
    Refused { status: u16, answer: String },
}

impl SendError {
    /// Returns the status code of the answer, if there was one.
    pub fn status(&self) -> Option<u16> {
        match self {
            SendError::Refused { status, .. } => Some(*status),
            _ => None,
        }
    }

    fn word(&self) -> &'static str {
        match self {
            SendError::Call(error) => error.word(),
            SendError::Refused { .. } => "refused",
        }
    }
}

/// Calls receivers. Cheap to clone.
#[derive(Clone)]
pub struct Sender(Outbound);

impl Sender {
    pub fn new(outbound: Outbound) -> Sender {
        Sender(outbound)
    }

    /// Delivers once. Returns the status code of the answer, 200 to 299.
    ///
    /// # Errors
    /// The receiver may not be called, cannot be reached, or answers otherwise.
    pub async fn send(&self, delivery: Delivery<'_>) -> Result<u16, SendError> {
        let asked = self.exchange(delivery);
        telemetry::call("webhook", "webhook", asked, SendError::word).await
    }

    async fn exchange(&self, Delivery { url, id, at, body, secrets }: Delivery<'_>) -> Result<u16, SendError> {
        let url = Url::parse(url).map_err(|_| CallError::Address)?;
        let signatures: Vec<String> = secrets.iter().map(|secret| sign(secret, id, at, body)).collect();
        let mut request = Request::new(Method::POST, url);
        let headers = request.headers_mut();
        telemetry::pass_on(headers);
        let named =
            [("webhook-id", id), ("webhook-timestamp", &at.to_string()), ("webhook-signature", &signatures.join(" "))];
        for (name, value) in named {
            headers.insert(name, HeaderValue::from_str(value).map_err(|_| CallError::Address)?);
        }
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        *request.body_mut() = Some(body.to_owned().into());
        let response = self.0.call(request).await?;
        let status = response.status();
        if status.is_success() {
            return Ok(status.as_u16());
        }
        let answer = if status.is_redirection() { "it redirects".into() } else { beginning(response).await };
        Err(SendError::Refused { status: status.as_u16(), answer })
    }
}

/// Returns the signature of a delivery: `v1,` and base64 of the HMAC-SHA256.
pub fn sign(secret: &str, id: &str, at: i64, body: &str) -> String {
    let key = secret.strip_prefix(SECRET_PREFIX).unwrap_or(secret);
    let key = BASE64_STANDARD.decode(key).unwrap_or_else(|_| key.as_bytes().to_vec());
    let mut mac = Hmac::<Sha256>::new_from_slice(&key).expect("a key can have any length");
    mac.update(format!("{id}.{at}.{body}").as_bytes());
    format!("v1,{}", BASE64_STANDARD.encode(mac.finalize().into_bytes()))
}

/// Returns the beginning of an answer, in one line, as far as it arrives.
async fn beginning(mut response: reqwest::Response) -> String {
    let mut bytes = Vec::new();
    while bytes.len() < 4 * MAX_ANSWER_LENGTH
        && let Ok(Some(chunk)) = response.chunk().await
    {
        bytes.extend_from_slice(&chunk);
    }
    let text = String::from_utf8_lossy(&bytes);
    let words: Vec<&str> =
        text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty()).collect();
    words.join(" ").chars().take(MAX_ANSWER_LENGTH).collect()
}

/// Whether an answer says that the receiver will never take anything again.
pub fn is_gone(error: &SendError) -> bool {
    error.status() == Some(StatusCode::GONE.as_u16())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_is_that_of_the_specification() {
        let signature = sign(
            "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
            "msg_p5jXN8AQM9LWM0D4loKWxJek",
            1_614_265_330,
            r#"{"test": 2432232314}"#,
        );
        assert_eq!(signature, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }
}
