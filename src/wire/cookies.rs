//! The session cookies, which authenticate documents and form posts; in the API, only the call that turns a cookie into
//! a bearer token reads one. Also the device cookies, by which a later login recognises the browser.
//!
//! Over https their names begin with `__Host-`: browsers accept such a cookie only from this host, and for all of its
//! paths.

use axum::http::{HeaderMap, HeaderValue, header};

use app::accounts::sessions::{SESSION_DAYS, Secrets};
use domain::session::Audience;
use domain::sign_on::PATIENCE;

const SESSION: &str = "matricula_session";
/// Cookie of a login that waits for its code.
const LOGIN: &str = "matricula_login";
const STAFF: &str = "matricula_staff";
const DEVICE: &str = "matricula_device";
const STAFF_DEVICE: &str = "matricula_staff_device";
/// How long a browser is recognised: a year, in seconds.
const KNOWN: i64 = 365 * 24 * 60 * 60;
/// Cookies of a login that was begun at an identity provider.
const SIGN_ON: &str = "matricula_sign_on";
const APPLICANT_SIGN_ON: &str = "matricula_applicant_sign_on";
/// Cookie for the office page that was requested before the login.
const WANTED: &str = "office_wanted";
/// Without https, staff cookies are sent to the office's pages only.
const OFFICE: &str = "/admin-panel";

/// How cookies are set.
#[derive(Debug, Clone, Copy)]
pub struct CookieSettings {
    /// Whether the product is reached over https: cookies are then never sent without it.
    pub secure: bool,
}

/// Returns the value of the cookie `name`. If there are several, the first: browsers send the most specific one first.
pub fn cookie<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    cookies(headers).find_map(|(key, value)| (key == name).then_some(value))
}

fn cookies(headers: &HeaderMap) -> impl Iterator<Item = (&str, &str)> {
    let values = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(';')).filter_map(|pair| pair.trim().split_once('='))
}

/// Returns the value of one of our cookies. None if it was sent twice: somebody else may have set one of them.
fn own<'a>(settings: CookieSettings, headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let name = full(settings, name);
    let mut values = cookies(headers).filter_map(|(key, value)| (key == name).then_some(value));
    values.next().filter(|_| values.next().is_none())
}

fn full(settings: CookieSettings, name: &str) -> String {
    let prefix = if settings.secure { "__Host-" } else { "" };
    format!("{prefix}{name}")
}

/// Returns an applicant's session cookie.
pub fn session_cookie(settings: CookieSettings, headers: &HeaderMap) -> Option<&str> {
    own(settings, headers, SESSION)
}

/// Returns the cookie of an applicant's login that waits for its code.
pub fn login_cookie(settings: CookieSettings, headers: &HeaderMap) -> Option<&str> {
    own(settings, headers, LOGIN)
}

/// Returns `Set-Cookie` for a login that waits for its code; it ends with the browser's session at the latest.
pub fn set_login_cookie(settings: CookieSettings, secret: &str) -> HeaderValue {
    write(settings, LOGIN, secret, "Path=/; HttpOnly; SameSite=Lax")
}

pub fn clear_login_cookie(settings: CookieSettings) -> HeaderValue {
    write(settings, LOGIN, "", "Path=/; HttpOnly; SameSite=Lax; Max-Age=0")
}

/// Returns the cookie of a login that was begun at an identity provider.
pub fn sign_on_cookie(settings: CookieSettings, audience: Audience, headers: &HeaderMap) -> Option<&str> {
    own(settings, headers, sign_on_place(settings, audience).0)
}

/// Returns `Set-Cookie` for it. Lax: the browser comes back from another site.
pub fn set_sign_on_cookie(settings: CookieSettings, audience: Audience, begun: &str) -> HeaderValue {
    let (name, path) = sign_on_place(settings, audience);
    let seconds = PATIENCE / 1000;
    write(settings, name, begun, &format!("Path={path}; HttpOnly; SameSite=Lax; Max-Age={seconds}"))
}

pub fn clear_sign_on_cookie(settings: CookieSettings, audience: Audience) -> HeaderValue {
    let (name, path) = sign_on_place(settings, audience);
    write(settings, name, "", &format!("Path={path}; HttpOnly; SameSite=Lax; Max-Age=0"))
}

fn sign_on_place(settings: CookieSettings, audience: Audience) -> (&'static str, &'static str) {
    match audience {
        Audience::Admin => (SIGN_ON, office_path(settings)),
        Audience::Applicant => (APPLICANT_SIGN_ON, "/"),
    }
}

/// Returns a staff member's session cookie.
pub fn staff_cookie(settings: CookieSettings, headers: &HeaderMap) -> Option<&str> {
    own(settings, headers, STAFF)
}

/// Whether a response starts or ends an applicant's session.
pub fn sets_session_cookie(settings: CookieSettings, headers: &HeaderMap) -> bool {
    let begin = full(settings, SESSION) + "=";
    headers.get_all(header::SET_COOKIE).iter().any(|cookie| cookie.as_bytes().starts_with(begin.as_bytes()))
}

/// Returns `Set-Cookie` for a new session. Lax: a user who follows a link in a mail is still signed in.
fn set_session_cookie(settings: CookieSettings, secret: &str) -> HeaderValue {
    write(
        settings,
        SESSION,
        secret,
        &format!("Path=/; HttpOnly; SameSite=Lax; Max-Age={}", SESSION_DAYS * 24 * 60 * 60),
    )
}

/// Returns the cookies of an applicant who has just logged in.
pub fn login_cookies(settings: CookieSettings, secrets: &Secrets) -> [HeaderValue; 2] {
    [set_session_cookie(settings, &secrets.cookie), set_device_cookie(settings, &secrets.device)]
}

/// Returns the cookies of a member of staff who has just logged in.
pub fn staff_login_cookies(settings: CookieSettings, secrets: &Secrets) -> [HeaderValue; 2] {
    [set_staff_cookie(settings, &secrets.cookie), set_staff_device_cookie(settings, &secrets.device)]
}

pub fn clear_session_cookie(settings: CookieSettings) -> HeaderValue {
    write(settings, SESSION, "", "Path=/; HttpOnly; SameSite=Lax; Max-Age=0")
}

/// Returns `Set-Cookie` for a new staff session; it ends with the browser's session at the latest.
fn set_staff_cookie(settings: CookieSettings, secret: &str) -> HeaderValue {
    office(settings, STAFF, secret, "")
}

pub fn clear_staff_cookie(settings: CookieSettings) -> HeaderValue {
    office(settings, STAFF, "", "; Max-Age=0")
}

/// Returns the device cookie of an applicant's browser.
pub fn device_cookie(settings: CookieSettings, headers: &HeaderMap) -> Option<&str> {
    own(settings, headers, DEVICE)
}

/// Returns the device cookie of a staff member's browser.
pub fn staff_device_cookie(settings: CookieSettings, headers: &HeaderMap) -> Option<&str> {
    own(settings, headers, STAFF_DEVICE)
}

/// Returns `Set-Cookie` for the device cookie. Logging out keeps it for the next login.
pub fn set_device_cookie(settings: CookieSettings, device: &str) -> HeaderValue {
    write(settings, DEVICE, device, &format!("Path=/; HttpOnly; SameSite=Lax; Max-Age={KNOWN}"))
}

pub fn set_staff_device_cookie(settings: CookieSettings, device: &str) -> HeaderValue {
    office(settings, STAFF_DEVICE, device, &format!("; Max-Age={KNOWN}"))
}

/// Returns the path and query of the office page requested before the login, to continue with after it.
pub fn wanted(settings: CookieSettings, headers: &HeaderMap) -> Option<String> {
    let value = percent_encoding::percent_decode_str(own(settings, headers, WANTED)?).decode_utf8().ok()?;
    Some(value.into_owned()).filter(|path| path.starts_with("/admin-panel/") && !path.contains(char::is_control))
}

/// Returns `Set-Cookie` that remembers it for ten minutes.
pub fn set_wanted_cookie(settings: CookieSettings, wanted: &str) -> HeaderValue {
    let wanted = percent_encoding::utf8_percent_encode(wanted, percent_encoding::NON_ALPHANUMERIC).to_string();
    office(settings, WANTED, &wanted, "; Max-Age=600")
}

pub fn clear_wanted_cookie(settings: CookieSettings) -> HeaderValue {
    office(settings, WANTED, "", "; Max-Age=0")
}

fn office(settings: CookieSettings, name: &str, value: &str, lifetime: &str) -> HeaderValue {
    let path = office_path(settings);
    write(settings, name, value, &format!("Path={path}; HttpOnly; SameSite=Strict{lifetime}"))
}

/// The path of the office's cookies; `__Host-` wants the whole site.
fn office_path(settings: CookieSettings) -> &'static str {
    if settings.secure { "/" } else { OFFICE }
}

fn write(settings: CookieSettings, name: &str, value: &str, attributes: &str) -> HeaderValue {
    let secure = if settings.secure { "; Secure" } else { "" };
    let text = format!("{}={value}; {attributes}{secure}", full(settings, name));
    HeaderValue::try_from(text).expect("secrets are URL-safe base64, and paths are percent-encoded")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cookies_are_found_by_their_whole_name() {
        let headers: HeaderMap = [
            (header::COOKIE, HeaderValue::from_static("theme=dark; xmatricula_session=1;matricula_session=abc; x")),
            (header::COOKIE, HeaderValue::from_static("matricula_session=second; matricula_staff=s=t")),
        ]
        .into_iter()
        .collect();
        let plain = CookieSettings { secure: false };
        assert_eq!(session_cookie(plain, &headers), None, "somebody else has set one of them");
        assert_eq!(staff_cookie(plain, &headers), Some("s=t"));
        assert_eq!(staff_cookie(CookieSettings { secure: true }, &headers), None);
        assert_eq!(cookie(&headers, "theme"), Some("dark"));
        assert_eq!(cookie(&headers, "missing"), None);
    }

    #[test]
    fn the_session_cookie_is_out_of_reach_of_scripts_and_other_sites() {
        let plain = set_session_cookie(CookieSettings { secure: false }, "abc");
        assert_eq!(plain, "matricula_session=abc; Path=/; HttpOnly; SameSite=Lax; Max-Age=2592000");
        let secure = set_staff_cookie(CookieSettings { secure: true }, "abc");
        assert_eq!(secure, "__Host-matricula_staff=abc; Path=/; HttpOnly; SameSite=Strict; Secure");
        let plain = set_staff_cookie(CookieSettings { secure: false }, "abc");
        assert_eq!(plain, "matricula_staff=abc; Path=/admin-panel; HttpOnly; SameSite=Strict");
        let cleared = clear_session_cookie(CookieSettings { secure: true });
        assert_eq!(cleared, "__Host-matricula_session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0; Secure");
    }

    #[test]
    fn what_was_wanted_is_a_page_of_the_office() {
        let settings = CookieSettings { secure: false };
        for (wanted, found) in [
            ("/admin-panel/applications?tab=all&q=a b", Some("/admin-panel/applications?tab=all&q=a b")),
            ("/dashboard", None),
            ("//evil.example", None),
            ("/admin-panel/\r\nx", None),
        ] {
            let set = set_wanted_cookie(settings, wanted);
            let pair = set.to_str().unwrap().split(';').next().unwrap().to_owned();
            let headers = [(header::COOKIE, HeaderValue::try_from(pair).unwrap())].into_iter().collect();
            assert_eq!(super::wanted(settings, &headers).as_deref(), found, "{wanted}");
        }
    }
}
