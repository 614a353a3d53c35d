//! Delivers events to programs of the institute, signed as Standard Webhooks says
//! (<https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md>).

mod networks;

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::header::HeaderMap;
use reqwest::redirect::Policy;
use reqwest::{Client, StatusCode};
use sha2::Sha256;
use url::{Host, Url};

use domain::webhook::SECRET_PREFIX;
use networks::Networks;

/// How long a receiver may take to answer.
pub const PATIENCE: Duration = Duration::from_secs(15);
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

/// Why nothing can be delivered at all.
#[derive(Debug, thiserror::Error)]
pub enum SetupError {
    #[error("MATRICULA_WEBHOOK_NETWORKS: {0} is neither an address nor a network")]
    Networks(String),
    #[error("the client of webhooks could not be made")]
    Client(#[from] reqwest::Error),
}

/// Why a delivery failed.
#[derive(Debug, thiserror::Error)]
pub enum SendError {
    #[error("The address cannot be read.")]
    Address,
    #[error("{0} is not on the public Internet, and not in MATRICULA_WEBHOOK_NETWORKS.")]
    Network(String),
    #[error("http:// is only for addresses in MATRICULA_WEBHOOK_NETWORKS. Use https://.")]
    Unencrypted,
    #[error("The receiver did not answer within {} seconds.", PATIENCE.as_secs())]
    Slow,
    #[error("The receiver cannot be reached: {0}")]
    Unreachable(String),
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
            SendError::Address | SendError::Network(_) | SendError::Unencrypted => "forbidden",
            SendError::Slow => "slow",
            SendError::Unreachable(_) => "unavailable",
            SendError::Refused { .. } => "refused",
        }
    }
}

/// Resolves names to addresses that may be called. This is the address that is then connected to: resolving a name
/// beforehand would leave time to change it.
struct AllowedAddresses(Arc<Networks>);

/// The addresses that a name has, none of which may be called.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct NotAllowed(String);

impl Resolve for AllowedAddresses {
    fn resolve(&self, name: Name) -> Resolving {
        let networks = self.0.clone();
        Box::pin(async move {
            let found: Vec<SocketAddr> = tokio::net::lookup_host((name.as_str(), 0)).await?.collect();
            let allowed: Vec<SocketAddr> =
                found.iter().copied().filter(|address| networks.allow(address.ip())).collect();
            match (allowed.is_empty(), found.first()) {
                (false, _) => Ok(Box::new(allowed.into_iter()) as Addrs),
                (true, Some(address)) => {
                    Err(NotAllowed(format!("{} ({})", name.as_str(), address.ip().to_canonical())).into())
                }
                (true, None) => Err(io::Error::other("it has no address").into()),
            }
        })
    }
}

/// Calls receivers. Cheap to clone.
#[derive(Clone)]
pub struct Sender {
    http: Client,
    networks: Arc<Networks>,
}

impl Sender {
    /// `networks` may be called although they are not public, also without TLS: `10.2.0.0/16, 127.0.0.1`.
    ///
    /// # Errors
    /// One of them is no network, or the HTTP client could not be made.
    pub fn new(networks: &str) -> Result<Sender, SetupError> {
        // reqwest is built without a crypto provider. One that is already set is as good.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let networks = Arc::new(Networks::parse(networks).map_err(SetupError::Networks)?);
        let http = Client::builder()
            // Another address would not have been checked, and a proxy would resolve names itself.
            .redirect(Policy::none())
            .no_proxy()
            .dns_resolver(Arc::new(AllowedAddresses(networks.clone())))
            .timeout(PATIENCE)
            .user_agent(concat!("Matricula-Webhooks/", env!("CARGO_PKG_VERSION")))
            .build()?;
        Ok(Sender { http, networks })
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
        let url = self.checked(url)?;
        let signatures: Vec<String> = secrets.iter().map(|secret| sign(secret, id, at, body)).collect();
        let mut trace = HeaderMap::new();
        telemetry::pass_on(&mut trace);
        let request = self
            .http
            .post(url)
            .headers(trace)
            .header("content-type", "application/json")
            .header("webhook-id", id)
            .header("webhook-timestamp", at.to_string())
            .header("webhook-signature", signatures.join(" "))
            .body(body.to_owned());
        let response = request.send().await.map_err(failure)?;
        let status = response.status();
        if status.is_success() {
            return Ok(status.as_u16());
        }
        let answer = if status.is_redirection() { "it redirects".into() } else { beginning(response).await };
        Err(SendError::Refused { status: status.as_u16(), answer })
    }

    /// Checks what can be told from the address itself. Names are checked when they are resolved.
    fn checked(&self, url: &str) -> Result<Url, SendError> {
        let url = Url::parse(url).map_err(|_| SendError::Address)?;
        let literal = match url.host() {
            Some(Host::Ipv4(address)) => Some(IpAddr::V4(address)),
            Some(Host::Ipv6(address)) => Some(IpAddr::V6(address)),
            Some(Host::Domain(_)) => None,
            None => return Err(SendError::Address),
        };
        if let Some(address) = literal.filter(|address| !self.networks.allow(*address)) {
            return Err(SendError::Network(address.to_canonical().to_string()));
        }
        let is_ours = literal.map_or(!self.networks.is_empty(), |address| self.networks.contain(address));
        match url.scheme() {
            "https" => Ok(url),
            "http" if is_ours => Ok(url),
            "http" => Err(SendError::Unencrypted),
            _ => Err(SendError::Address),
        }
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

fn failure(error: reqwest::Error) -> SendError {
    if error.is_timeout() {
        return SendError::Slow;
    }
    let mut cause: &dyn std::error::Error = &error;
    while let Some(deeper) = cause.source() {
        cause = deeper;
        if let Some(NotAllowed(who)) = cause.downcast_ref() {
            return SendError::Network(who.clone());
        }
    }
    SendError::Unreachable(cause.to_string())
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

    fn sender(networks: &str) -> Sender {
        Sender::new(networks).unwrap()
    }

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

    #[test]
    fn what_is_not_public_is_refused_however_it_is_written() {
        let refused = |networks: &str, url: &str| sender(networks).checked(url).unwrap_err().word();
        for url in [
            "https://127.0.0.1/",
            "https://127.1/",
            "https://2130706433/",
            "https://0x7f000001/",
            "https://0177.0.0.1/",
            "https://[::1]/",
            "https://[::ffff:10.0.0.1]/",
            "https://169.254.169.254/latest/meta-data",
            "http://8.8.8.8/",
            "ftp://8.8.8.8/",
            "https://",
            "file:///etc/passwd",
        ] {
            assert_eq!(refused("", url), "forbidden", "{url}");
        }
        assert_eq!(refused("127.0.0.1", "http://10.0.0.1/"), "forbidden");
        assert!(sender("127.0.0.1").checked("http://127.0.0.1:8000/hook").is_ok());
        assert!(sender("").checked("https://hooks.example.org/in").is_ok());
    }

    #[tokio::test]
    async fn a_name_that_leads_to_this_machine_is_refused() {
        let delivery =
            Delivery { url: "https://localhost/", id: "id", at: 1, body: "{}", secrets: &["whsec_YQ==".to_owned()] };
        let error = sender("").send(delivery).await.unwrap_err();
        assert!(matches!(&error, SendError::Network(who) if who.starts_with("localhost (")), "{error}");
    }
}
