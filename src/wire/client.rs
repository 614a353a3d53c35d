//! The address that a request counts under.

use std::convert::Infallible;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;

use axum::extract::{ConnectInfo, FromRef, FromRequestParts};
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use ipnet::IpNet;

use super::cookies::{CookieSettings, device_cookie, staff_device_cookie};
use super::language::accepted_language;
use app::Caller;

/// The proxies whose `X-Forwarded-For` is trusted. Everyone else could write anything there.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TrustedProxies(Vec<IpNet>);

impl TrustedProxies {
    /// Parses a list of addresses and networks such as `127.0.0.1, 10.0.0.0/8, fd00::/8`, separated by commas or
    /// spaces.
    ///
    /// # Errors
    /// Returns the entry that is neither.
    pub fn parse(list: &str) -> Result<TrustedProxies, String> {
        let entries = list.split([',', ' ']).filter(|entry| !entry.is_empty());
        let network = |entry: &str| entry.parse().ok().or_else(|| entry.parse::<IpAddr>().ok().map(IpNet::from));
        entries.map(|entry| network(entry).ok_or_else(|| entry.to_owned())).collect::<Result<_, _>>().map(Self)
    }

    fn trusts(&self, address: IpAddr) -> bool {
        self.0.iter().any(|network| network.contains(&address))
    }

    /// Returns the address that reached the outermost trusted proxy, or the peer if it is not a trusted proxy. Each
    /// proxy appends whom it saw, so the list is read from its end, and only as far as a trusted proxy vouches for it.
    pub fn client(&self, headers: &HeaderMap, peer: IpAddr) -> IpAddr {
        let mut client = peer.to_canonical();
        let forwarded: Vec<&str> = headers
            .get_all("x-forwarded-for")
            .iter()
            .filter_map(|value| value.to_str().ok())
            .flat_map(|value| value.split(','))
            .collect();
        for entry in forwarded.into_iter().rev() {
            if !self.trusts(client) {
                break;
            }
            match parse_forwarded(entry.trim()) {
                Some(address) => client = address,
                None => break,
            }
        }
        client
    }
}

/// Parses an entry, to which some proxies append the port.
fn parse_forwarded(entry: &str) -> Option<IpAddr> {
    let address = entry.parse().or_else(|_| entry.parse::<SocketAddr>().map(|socket| socket.ip())).ok();
    address.map(|address: IpAddr| address.to_canonical())
}

/// Identifies the caller. `peer` is the other end of the connection.
pub fn caller(headers: &HeaderMap, peer: IpAddr, trusted: &TrustedProxies, cookies: CookieSettings) -> Caller {
    let address = match trusted.client(headers, peer) {
        IpAddr::V4(address) => address.to_string(),
        // Every customer has a whole /64 to choose addresses from, so it counts as one.
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            format!("{}/64", Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
        }
    };
    let user_agent =
        headers.get(header::USER_AGENT).map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned());
    Caller {
        address,
        user_agent: user_agent.unwrap_or_default(),
        language: accepted_language(headers),
        device: device_cookie(cookies, headers).map(str::to_owned),
        staff_device: staff_device_cookie(cookies, headers).map(str::to_owned),
    }
}

/// Extracts [`caller`] from the request and the peer's address that the server provides.
#[derive(Debug, Clone)]
pub struct Client(pub Caller);

impl<S> FromRequestParts<S> for Client
where
    S: Send + Sync,
    Arc<TrustedProxies>: FromRef<S>,
    CookieSettings: FromRef<S>,
{
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Infallible> {
        let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>().map(|ConnectInfo(peer)| peer.ip());
        let trusted = Arc::<TrustedProxies>::from_ref(state);
        let peer = peer.unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED));
        Ok(Client(caller(&parts.headers, peer, &trusted, CookieSettings::from_ref(state))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn forwarded(values: &[&str]) -> HeaderMap {
        let values = values.iter().map(|value| value.parse().unwrap());
        values.map(|value| (header::HeaderName::from_static("x-forwarded-for"), value)).collect()
    }

    #[test]
    fn the_forwarded_address_is_believed_as_far_as_trusted_proxies_vouch() {
        let trusted = TrustedProxies::parse("127.0.0.1, 10.0.0.0/8 ::1").unwrap();
        for (peer, values, client) in [
            ("203.0.113.9", &["198.51.100.1"][..], "203.0.113.9"),
            ("127.0.0.1", &[], "127.0.0.1"),
            ("127.0.0.1", &["198.51.100.1"], "198.51.100.1"),
            ("127.0.0.1", &["1.2.3.4, 198.51.100.1"], "198.51.100.1"),
            ("127.0.0.1", &["198.51.100.1, 10.9.8.7"], "198.51.100.1"),
            ("127.0.0.1", &["198.51.100.1", "10.9.8.7"], "198.51.100.1"),
            ("::ffff:127.0.0.1", &["198.51.100.1:4711"], "198.51.100.1"),
            ("::1", &["[2001:db8::7]:4711"], "2001:db8::7"),
            ("127.0.0.1", &["198.51.100.1, unknown"], "127.0.0.1"),
        ] {
            let found = trusted.client(&forwarded(values), peer.parse().unwrap());
            assert_eq!(found, client.parse::<IpAddr>().unwrap(), "{peer} {values:?}");
        }
    }

    #[test]
    fn one_ipv6_customer_is_one_address() {
        let of = |peer: &str| {
            let cookies = CookieSettings { secure: true };
            caller(&HeaderMap::new(), peer.parse().unwrap(), &TrustedProxies::default(), cookies).address
        };
        assert_eq!(of("2001:db8:1:2::7"), "2001:db8:1:2::/64");
        assert_eq!(of("2001:db8:1:2:ffff::1"), of("2001:db8:1:2::7"));
        assert_eq!(of("::ffff:192.0.2.1"), "192.0.2.1");
    }

    #[test]
    fn a_bad_entry_is_named() {
        for bad in ["nonsense", "10.0.0.0/33", "10.0.0/8", "::1/129", "10.0.0.0/-1"] {
            assert_eq!(TrustedProxies::parse(&format!("127.0.0.1,{bad}")), Err(bad.to_owned()));
        }
        assert_eq!(TrustedProxies::parse(""), Ok(TrustedProxies::default()));
    }
}
