//! HTTP calls to addresses that staff enter: webhooks and identity providers. Only addresses on the public Internet are
//! called, and those in networks that the operator names.

mod networks;

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::redirect::Policy;
use reqwest::{Client, Request, Response};
use url::{Host, Url};

use networks::Networks;

/// How long an answer may take.
pub const PATIENCE: Duration = Duration::from_secs(15);

/// Why nothing can be called at all.
#[derive(Debug, thiserror::Error)]
pub enum SetupError {
    #[error("MATRICULA_PRIVATE_NETWORKS: {0} is neither an address nor a network")]
    Networks(String),
    #[error("the client of outgoing calls could not be made")]
    Client(#[from] reqwest::Error),
}

/// Why a call got no answer.
#[derive(Debug, thiserror::Error)]
pub enum CallError {
    #[error("The address cannot be read.")]
    Address,
    #[error("{0} is not on the public Internet, and not in MATRICULA_PRIVATE_NETWORKS.")]
    Network(String),
    #[error("http:// is only for addresses in MATRICULA_PRIVATE_NETWORKS. Use https://.")]
    Unencrypted,
    #[error("There was no answer within {} seconds.", PATIENCE.as_secs())]
    Slow,
    #[error("It cannot be reached: {0}")]
    Unreachable(String),
}

impl CallError {
    /// Returns a word for metrics.
    pub fn word(&self) -> &'static str {
        match self {
            CallError::Address | CallError::Network(_) | CallError::Unencrypted => "forbidden",
            CallError::Slow => "slow",
            CallError::Unreachable(_) => "unavailable",
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

/// Makes the calls. Cheap to clone.
#[derive(Clone)]
pub struct Outbound {
    http: Client,
    networks: Arc<Networks>,
}

impl Outbound {
    /// `networks` may be called although they are not public, also without TLS: `10.2.0.0/16, 127.0.0.1`.
    ///
    /// # Errors
    /// One of them is no network, or the HTTP client could not be made.
    pub fn new(networks: &str) -> Result<Outbound, SetupError> {
        // reqwest is built without a crypto provider. One that is already set is as good.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let networks = Arc::new(Networks::parse(networks).map_err(SetupError::Networks)?);
        let http = Client::builder()
            // Another address would not have been checked, and a proxy would resolve names itself.
            .redirect(Policy::none())
            .no_proxy()
            .dns_resolver(Arc::new(AllowedAddresses(networks.clone())))
            .timeout(PATIENCE)
            .user_agent(concat!("Matricula/", env!("CARGO_PKG_VERSION")))
            .build()?;
        Ok(Outbound { http, networks })
    }

    /// Makes one call. Redirects are not followed.
    ///
    /// # Errors
    /// The address may not be called, or cannot be reached.
    pub async fn call(&self, request: Request) -> Result<Response, CallError> {
        self.check(request.url())?;
        self.http.execute(request).await.map_err(failure)
    }

    /// Checks what can be told from the address itself. Names are checked when they are resolved.
    fn check(&self, url: &Url) -> Result<(), CallError> {
        let literal = match url.host() {
            Some(Host::Ipv4(address)) => Some(IpAddr::V4(address)),
            Some(Host::Ipv6(address)) => Some(IpAddr::V6(address)),
            Some(Host::Domain(_)) => None,
            None => return Err(CallError::Address),
        };
        if let Some(address) = literal.filter(|address| !self.networks.allow(*address)) {
            return Err(CallError::Network(address.to_canonical().to_string()));
        }
        let is_ours = literal.map_or(!self.networks.is_empty(), |address| self.networks.contain(address));
        match url.scheme() {
            "https" => Ok(()),
            "http" if is_ours => Ok(()),
            "http" => Err(CallError::Unencrypted),
            _ => Err(CallError::Address),
        }
    }
}

fn failure(error: reqwest::Error) -> CallError {
    if error.is_timeout() {
        return CallError::Slow;
    }
    let mut cause: &dyn std::error::Error = &error;
    while let Some(deeper) = cause.source() {
        cause = deeper;
        if let Some(NotAllowed(who)) = cause.downcast_ref() {
            return CallError::Network(who.clone());
        }
    }
    CallError::Unreachable(cause.to_string())
}

#[cfg(test)]
mod tests {
    use reqwest::Method;

    use super::*;

    async fn refused(networks: &str, url: &str) -> &'static str {
        let Ok(url) = Url::parse(url) else { return "forbidden" };
        let outbound = Outbound::new(networks).unwrap();
        outbound.call(Request::new(Method::POST, url)).await.unwrap_err().word()
    }

    #[tokio::test]
    async fn what_is_not_public_is_refused_however_it_is_written() {
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
            assert_eq!(refused("", url).await, "forbidden", "{url}");
        }
        assert_eq!(refused("127.0.0.1", "http://10.0.0.1/").await, "forbidden");
        let outbound = Outbound::new("127.0.0.1").unwrap();
        assert!(outbound.check(&Url::parse("http://127.0.0.1:8000/hook").unwrap()).is_ok());
        assert!(outbound.check(&Url::parse("https://hooks.example.org/in").unwrap()).is_ok());
    }

    #[tokio::test]
    async fn a_name_that_leads_to_this_machine_is_refused() {
        let outbound = Outbound::new("").unwrap();
        let request = Request::new(Method::POST, Url::parse("https://localhost/").unwrap());
        let error = outbound.call(request).await.unwrap_err();
        assert!(matches!(&error, CallError::Network(who) if who.starts_with("localhost (")), "{error}");
    }
}
