//! An OpenID Connect provider for one test, `tests/oidc`, and a browser that goes through its pages.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use reqwest::{Method, Response, StatusCode};
use serde_json::{Value, json};
use url::Url;

use super::server::http_client;

pub const CLIENT_ID: &str = "matricula";
pub const CLIENT_SECRET: &str = "a-secret-of-the-tests";

/// The provider. It ends on drop.
pub struct IdentityProvider {
    pub issuer: String,
    http: reqwest::Client,
    child: Child,
}

impl IdentityProvider {
    /// Starts it; it sends people back to one of `redirect_uris`, which are separated by commas.
    pub fn start(redirect_uris: &str) -> IdentityProvider {
        let mut child = Command::new("node")
            .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/oidc/provider.mjs"))
            .arg("0")
            .env("OIDC_REDIRECT_URIS", redirect_uris)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let issuer = line.split_whitespace().last().expect("the provider starts").to_owned();
        IdentityProvider { issuer, http: http_client(), child }
    }

    /// Adds or changes an account: `email`, `email_verified`, `name`, `given_name`, `family_name`, `groups`.
    pub async fn set_account(&self, name: &str, claims: &Value) {
        self.tell(Method::PUT, &format!("accounts/{name}"), Some(claims)).await;
    }

    /// Sends logout tokens to `url` from now on.
    pub async fn send_logouts_to(&self, url: &str) {
        self.tell(Method::PUT, "client", Some(&json!({ "backchannel_logout_uri": url }))).await;
    }

    /// Replaces its signing key.
    pub async fn rotate_keys(&self) {
        self.tell(Method::POST, "rotate-keys", None).await;
    }

    /// Answers nothing, or everything again.
    pub async fn set_down(&self, down: bool) {
        self.tell(Method::POST, if down { "down" } else { "up" }, None).await;
    }

    /// A new browser.
    pub fn browser(&self) -> Browser {
        Browser { issuer: self.issuer.clone(), http: self.http.clone(), cookies: Vec::new() }
    }

    async fn tell(&self, method: Method, path: &str, body: Option<&Value>) {
        let request = self.http.request(method, format!("{}/test/{path}", self.issuer));
        let answer = request.body(body.map(Value::to_string).unwrap_or_default()).send().await.unwrap();
        assert_eq!(answer.status(), StatusCode::NO_CONTENT, "{path}");
    }
}

impl Drop for IdentityProvider {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Somebody's browser, at the provider.
pub struct Browser {
    issuer: String,
    http: reqwest::Client,
    /// Name, value and path.
    cookies: Vec<(String, String, String)>,
}

impl Browser {
    /// Opens an address of the provider and logs in as `name` if it asks; returns where it leads back to.
    pub async fn pass(&mut self, url: &str, name: &str) -> String {
        let mut answer = self.send(Method::GET, url, "").await;
        for _ in 0..12 {
            let here = answer.url().clone();
            if let Some(location) = answer.headers().get("location") {
                let to = here.join(location.to_str().unwrap()).unwrap();
                if !to.as_str().starts_with(&self.issuer) {
                    return to.into();
                }
                answer = self.send(Method::GET, to.as_str(), "").await;
                continue;
            }
            let status = answer.status();
            let page = answer.text().await.unwrap();
            assert!(status.is_success(), "{here}: {status}: {page}");
            let form = match page.contains("name=\"login\"") {
                true => format!("prompt=login&login={name}&password=any"),
                false => "prompt=consent".into(),
            };
            answer = self.send(Method::POST, here.as_str(), &form).await;
        }
        panic!("{url} leads nowhere");
    }

    /// Logs out at the provider, which tells its clients.
    pub async fn log_out(&mut self) {
        let page = self.send(Method::GET, &format!("{}/session/end", self.issuer), "").await.text().await.unwrap();
        let xsrf = page.split("name=\"xsrf\" value=\"").nth(1).expect("a form").split('"').next().unwrap();
        let form = format!("xsrf={xsrf}&logout=yes");
        let answer = self.send(Method::POST, &format!("{}/session/end/confirm", self.issuer), &form).await;
        assert_eq!(answer.status(), StatusCode::SEE_OTHER);
    }

    async fn send(&mut self, method: Method, url: &str, form: &str) -> Response {
        let path = Url::parse(url).unwrap().path().to_owned();
        let sent = self.cookies.iter().filter(|(_, _, within)| path.starts_with(within.as_str()));
        let sent: Vec<String> = sent.map(|(name, value, _)| format!("{name}={value}")).collect();
        let request = self.http.request(method, url).header("cookie", sent.join("; "));
        let request = request.header("content-type", "application/x-www-form-urlencoded").body(form.to_owned());
        let answer = request.send().await.unwrap();
        for cookie in answer.headers().get_all("set-cookie") {
            let mut parts = cookie.to_str().unwrap().split(';').map(str::trim);
            let (name, value) = parts.next().unwrap().split_once('=').unwrap();
            let within = parts.find_map(|part| part.strip_prefix("path=")).unwrap_or("/");
            self.cookies.retain(|(known, _, path)| (known.as_str(), path.as_str()) != (name, within));
            if !value.is_empty() {
                self.cookies.push((name.into(), value.into(), within.into()));
            }
        }
        answer
    }
}
