//! What the JSON API and the pages do alike with a request: who is asking, cookies, whether our own pages sent it, and
//! the request's id, log lines and metrics.

mod client;
mod cookies;
mod origin;
mod requests;
mod status;

pub use client::{Client, TrustedProxies, caller};
pub use cookies::{
    CookieSettings, clear_session_cookie, clear_staff_cookie, cookie, session_cookie, set_session_cookie,
    set_staff_cookie, staff_cookie,
};
pub use origin::same_origin;
pub use requests::{REQUEST_ID, RouteLabel, request_id, track};
pub use status::{status_of, status_of_refused};
