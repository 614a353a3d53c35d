//! What the JSON API and the pages share in handling a request: the caller, cookies, whether our own pages sent it,
//! uploads and downloads, and the request's id, log lines and metrics.

mod archive;
mod arrival;
pub mod books;
mod client;
mod cookies;
mod download;
pub mod figures;
mod files;
mod language;
pub mod listing;
mod multipart;
mod origin;
pub mod prospects;
mod requests;
mod status;

pub use archive::archive;
pub use arrival::{NotWhole, Pace, arrival, paced, whole, whole_file};
pub use client::{Client, TrustedProxies, caller};
pub use cookies::{
    CookieSettings, clear_login_cookie, clear_session_cookie, clear_sign_on_cookie, clear_staff_cookie,
    clear_wanted_cookie, cookie, login_cookie, login_cookies, session_cookie, set_device_cookie, set_login_cookie,
    set_sign_on_cookie, set_staff_device_cookie, set_wanted_cookie, sets_session_cookie, sign_on_cookie, staff_cookie,
    staff_login_cookies, wanted,
};
pub use download::{Shown, download, download_letter};
pub use files::{contract_pdf, pdf, receipt};
pub use language::{accepted_language, in_language};
pub use multipart::{FormFault, Multipart, Part, is_multipart};
pub use origin::{opened_by_person, same_origin};
pub use requests::{REQUEST_ID, RouteLabel, request_id, track};
pub use status::{status_of, status_of_refused, status_of_rejected};
