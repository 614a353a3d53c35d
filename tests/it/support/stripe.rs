//! Stripe for stories: the server of `tests/stripe`, and before it a proxy that goes wrong when it is told to. One test's own.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use matricula::domain::moments::Millis;
use reqwest::RequestBuilder;
use serde_json::Value;

use super::s3::python_programs;
use super::server::http_client;

/// What the product is given as its `STRIPE_SECRET_KEY`.
pub const SECRET_KEY: &str = "sk_test_demo";
/// What the product is given as its `STRIPE_WEBHOOK_SECRET`.
pub const WEBHOOK_SECRET: &str = "whsec_demo";

/// A card that is good for everything.
pub const GOOD_CARD: &str = "4242 4242 4242 4242";
/// One that is declined, at the first and at each later payment.
pub const DECLINED_CARD: &str = "4000 0000 0000 0002";
/// One that can be saved, and is declined whenever it is charged.
pub const FAILING_CARD: &str = "4000 0000 0000 0341";
/// One that is good on the hosted page, and declined while its holder is not there: the bank wants to see them.
pub const AUTHENTICATING_CARD: &str = "4000 0027 6000 3184";

/// Stripe. It ends with its value.
pub struct Stripe {
    /// What the product is given as its `STRIPE_API_URL`: the proxy.
    pub api_url: String,
    /// What the product is given as its `STRIPE_CHECKOUT_ORIGIN`: where the hosted pages are.
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

    /// Has it now tell each event to `url`, in place of where it told them before.
    pub async fn register_webhook(&self, url: &str, secret: &str) {
        let path = "/_config/webhooks/story";
        done(form(self.http.post(self.at_server(path)), &[("url", url), ("secret", secret)])).await;
    }

    /// Has it tell nobody anything more.
    pub async fn forget_webhook(&self) {
        done(self.http.delete(self.at_server("/_config/webhooks/story"))).await;
    }

    /// Moves its clock: what signatures, objects and the end of sessions go by. It goes on from there.
    pub async fn set_clock(&self, now: Millis) {
        let seconds = now.div_euclid(1000).to_string();
        done(form(self.http.post(self.at_server("/_config/clock")), &[("now", &seconds)])).await;
    }

    /// What goes wrong from now on: a rule of `tests/stripe/faults.py`, or several.
    pub async fn faults(&self, rules: Value) {
        done(self.http.post(self.at_proxy()).header("content-type", "application/json").body(rules.to_string())).await;
    }

    /// Ends all faults, and forgets the requests so far.
    pub async fn no_faults(&self) {
        done(self.http.delete(self.at_proxy())).await;
    }

    /// What the product has asked: `{"method", "path", "act"}` each.
    pub async fn requests(&self) -> Vec<Value> {
        let text = done(self.http.get(self.at_proxy())).await;
        serde_json::from_str(&text).unwrap()
    }

    /// Fills in the hosted page with a card: the address that it leads to then, or what the page says of the card.
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

    /// What the API has at a path, asked beside the proxy.
    pub async fn get(&self, path: &str) -> Value {
        let text = done(self.http.get(self.at_server(path)).bearer_auth(SECRET_KEY)).await;
        serde_json::from_str(&text).unwrap()
    }

    /// Does something that the product did not ask for, as an operator does in Stripe's dashboard.
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

/// One of the programs of `tests/stripe`. It ends with its value, and with its standard input, which ends with the test process.
struct Program(Child);

impl Program {
    /// It, and where it listens.
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
