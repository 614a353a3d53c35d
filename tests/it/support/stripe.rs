//! Stripe for one test: the server of `tests/stripe` behind a proxy that can inject faults.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use matricula::domain::moments::Millis;
use reqwest::RequestBuilder;
use serde_json::Value;

use super::s3::python_programs;
use super::server::http_client;

/// The value of `STRIPE_SECRET_KEY` for the product.
pub const SECRET_KEY: &str = "sk_test_demo";
/// The value of `STRIPE_WEBHOOK_SECRET` for the product.
pub const WEBHOOK_SECRET: &str = "whsec_demo";

/// A card that always works.
pub const GOOD_CARD: &str = "4242 4242 4242 4242";
/// A card that is declined, at the first and at each later payment.
pub const DECLINED_CARD: &str = "4000 0000 0000 0002";
/// A card that can be saved, and is declined whenever it is charged.
pub const FAILING_CARD: &str = "4000 0000 0000 0341";
/// A card that works on the hosted page, and is declined in its holder's absence: the bank requires authentication.
pub const AUTHENTICATING_CARD: &str = "4000 0027 6000 3184";

/// Stripe. It ends on drop.
pub struct Stripe {
    /// The value of `STRIPE_API_URL` for the product: the proxy.
    pub api_url: String,
    /// The value of `STRIPE_CHECKOUT_ORIGIN` for the product: the origin of the hosted pages.
    pub checkout_origin: String,
    http: reqwest::Client,
    _programs: [Program; 2],
}

impl Stripe {
    pub fn start() -> Stripe {
        let (server, checkout_origin) = Program::start("server.py", &[]);
        let (proxy, api_url) = Program::start("faults.py", &["--to", &checkout_origin]);
        Stripe { api_url, checkout_origin, http: http_client(), _programs: [server, proxy] }
    }

    /// Sends each event to `url` from now on, in place of the former address.
    pub async fn register_webhook(&self, url: &str, secret: &str) {
        let path = "/_config/webhooks/story";
        done(form(self.http.post(self.at_server(path)), &[("url", url), ("secret", secret)])).await;
    }

    /// Stops sending events.
    pub async fn forget_webhook(&self) {
        done(self.http.delete(self.at_server("/_config/webhooks/story"))).await;
    }

    /// Sets its clock, which signatures, objects and the expiry of sessions go by. It runs on from there.
    pub async fn set_clock(&self, now: Millis) {
        let seconds = now.div_euclid(1000).to_string();
        done(form(self.http.post(self.at_server("/_config/clock")), &[("now", &seconds)])).await;
    }

    /// Injects faults from now on: a rule of `tests/stripe/faults.py`, or several.
    pub async fn faults(&self, rules: Value) {
        done(self.http.post(self.at_proxy()).header("content-type", "application/json").body(rules.to_string())).await;
    }

    /// Ends all faults, and forgets the requests so far.
    pub async fn no_faults(&self) {
        done(self.http.delete(self.at_proxy())).await;
    }

    /// The product's requests: `{"method", "path", "act"}` each.
    pub async fn requests(&self) -> Vec<Value> {
        let text = done(self.http.get(self.at_proxy())).await;
        serde_json::from_str(&text).unwrap()
    }

    /// Fills in the hosted page with a card; returns where it then leads, or what the page says about the card.
    pub async fn pay(&self, page: &str, card: &str) -> Result<String, String> {
        let fields = [("cardNumber", card), ("cardExpiry", "12 / 34"), ("cardCvc", "123")];
        let answer = form(self.http.post(page), &fields).send().await.unwrap();
        if let Some(location) = answer.headers().get("location") {
            return Ok(location.to_str().unwrap().to_owned());
        }
        let text = answer.text().await.unwrap();
        let mark = |from: &str, to: &str| Some(text.split_once(from)?.1.split_once(to)?.0.to_owned());
        // A page that can no longer be paid says so in its title.
        Err(mark("<p role=\"alert\">", "</p>").or_else(|| mark("<h1>", "</h1>")).unwrap_or_else(|| text.clone()))
    }

    /// Gets a path of the API, bypassing the proxy.
    pub async fn get(&self, path: &str) -> Value {
        let text = done(self.http.get(self.at_server(path)).bearer_auth(SECRET_KEY)).await;
        serde_json::from_str(&text).unwrap()
    }

    /// Does something without the product, as an operator does in Stripe's dashboard.
    pub async fn post(&self, path: &str, fields: &[(&str, &str)]) -> Value {
        let text = done(form(self.http.post(self.at_server(path)).bearer_auth(SECRET_KEY), fields)).await;
        serde_json::from_str(&text).unwrap()
    }

    fn at_server(&self, path: &str) -> String {
        format!("{}{path}", self.checkout_origin)
    }

    fn at_proxy(&self) -> String {
        format!("{}/_faults", self.api_url)
    }
}

fn form(request: RequestBuilder, fields: &[(&str, &str)]) -> RequestBuilder {
    let body = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
    request.header("content-type", "application/x-www-form-urlencoded").body(body)
}

async fn done(request: RequestBuilder) -> String {
    let answer = request.send().await.unwrap();
    let status = answer.status();
    let text = answer.text().await.unwrap();
    assert!(status.is_success(), "{status}: {text}");
    text
}

/// One of the programs of `tests/stripe`. It ends on drop, or when its standard input closes with the test process.
struct Program(Child);

impl Program {
    /// Starts it; returns it and its address.
    fn start(script: &str, arguments: &[&str]) -> (Program, String) {
        let mut child = Command::new(python_programs().join("python"))
            .arg("-B")
            .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/stripe").join(script))
            .args(["--port", "0"])
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let url = line.split_whitespace().last().unwrap_or_else(|| panic!("{script} did not start")).to_owned();
        (Program(child), url)
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
