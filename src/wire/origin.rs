//! Checks whether a request authenticated by a cookie was sent by one of our own pages.

use axum::http::{HeaderMap, header};
use url::Url;

/// Whether this request comes from one of our pages. To be checked before anything is done in the name of a cookie's
/// owner.
///
/// - `Sec-Fetch-Site`, if present, decides: `same-origin`, or `none` for what the user did directly. No page can set
///   it, and a page on a neighbouring subdomain (`same-site`) is not ours.
/// - Browsers send it only over https and to localhost. Without it, `Origin` decides: it must be that of the public URL
///   or of the host the request was sent to, for users who open the server by another name or address. The latter lets
///   nobody in: a page on another host that points at this server never gets our cookie. Under an https URL, a page
///   without https is refused, too, because anybody on the way may have written it.
/// - With neither the answer is no: every current browser sends one of them with each POST.
pub fn same_origin(headers: &HeaderMap, public_url: &str) -> bool {
    let text = |name: header::HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
    if let Some(site) = headers.get("sec-fetch-site") {
        return site == "same-origin" || site == "none";
    }
    let Some(origin) = text(header::ORIGIN).and_then(|origin| Url::parse(origin).ok()) else { return false };
    if !origin.origin().is_tuple() {
        return false;
    }
    let public = Url::parse(public_url).ok();
    if public.as_ref().is_some_and(|public| public.scheme() == "https") && origin.scheme() != "https" {
        return false;
    }
    let is_public = public.is_some_and(|public| public.origin() == origin.origin());
    let is_host = text(header::HOST).is_some_and(|host| {
        Url::parse(&format!("{}://{host}", origin.scheme())).is_ok_and(|here| here.origin() == origin.origin())
    });
    is_public || is_host
}

/// Whether a person opened this page, as far as the browser tells: no other site led there or loaded it in the
/// background, and it was not prefetched.
pub fn opened_by_person(headers: &HeaderMap) -> bool {
    let is_prefetch = ["purpose", "sec-purpose"]
        .iter()
        .any(|name| headers.get(*name).is_some_and(|purpose| purpose.as_bytes().starts_with(b"prefetch")));
    let is_elsewhere = headers.get("sec-fetch-site").is_some_and(|site| site == "cross-site" || site == "same-site");
    !is_prefetch && !is_elsewhere
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_own_pages_pass() {
        const PUBLIC: &str = "https://apply.example.org";
        for (site, origin, host, expected) in [
            (Some("same-origin"), None, "apply.example.org", true),
            (Some("none"), None, "apply.example.org", true),
            (Some("same-site"), Some("https://apply.example.org"), "apply.example.org", false),
            (Some("cross-site"), Some("https://apply.example.org"), "apply.example.org", false),
            (None, Some("https://apply.example.org"), "10.0.0.7:8080", true),
            (None, Some("https://apply.example.org:443"), "10.0.0.7:8080", true),
            (None, Some("http://apply.example.org"), "10.0.0.7:8080", false),
            (None, Some("https://192.168.1.5:8443"), "192.168.1.5:8443", true),
            (None, Some("https://192.168.1.5:8444"), "192.168.1.5:8443", false),
            (None, Some("http://apply.example.org"), "apply.example.org", false),
            (None, Some("http://192.168.1.5:8080"), "192.168.1.5:8080", false),
            (None, Some("https://evil.example"), "apply.example.org", false),
            (None, Some("https://apply.example.org.evil.example"), "apply.example.org", false),
            (None, Some("null"), "apply.example.org", false),
            (None, Some("file:///tmp/a.html"), "apply.example.org", false),
            (None, None, "apply.example.org", false),
        ] {
            assert_eq!(same_origin(&headers(site, origin, host), PUBLIC), expected, "{site:?} {origin:?} {host}");
        }
    }

    #[test]
    fn without_https_another_name_of_the_server_passes() {
        for (origin, host, expected) in [
            ("http://apply.example.org", "10.0.0.7:8080", true),
            ("https://apply.example.org", "apply.example.org", true),
            ("http://192.168.1.5:8080", "192.168.1.5:8080", true),
            ("http://192.168.1.5:8081", "192.168.1.5:8080", false),
        ] {
            let headers = headers(None, Some(origin), host);
            assert_eq!(same_origin(&headers, "http://apply.example.org"), expected, "{origin} {host}");
        }
    }

    fn headers(site: Option<&str>, origin: Option<&str>, host: &str) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, host.parse().unwrap());
        if let Some(site) = site {
            headers.insert("sec-fetch-site", site.parse().unwrap());
        }
        if let Some(origin) = origin {
            headers.insert(header::ORIGIN, origin.parse().unwrap());
        }
        headers
    }
}
