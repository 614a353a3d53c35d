//! What the stories of card payments rely on: Stripe's server as they start it, and its proxy.

use axum::Router;
use axum::http::HeaderMap;
use axum::routing::post;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::mpsc;

use crate::support::server::{START, http_client};
use crate::support::stripe::{
    AUTHENTICATING_CARD, DECLINED_CARD, FAILING_CARD, GOOD_CARD, SECRET_KEY, Stripe, WEBHOOK_SECRET,
};

/// A listener for webhooks: its address, and the signatures and events that it receives.
async fn listener() -> (String, mpsc::UnboundedReceiver<(String, Value)>) {
    let (heard, events) = mpsc::unbounded_channel();
    let hear = move |headers: HeaderMap, body: String| async move {
        let signature = headers["stripe-signature"].to_str().unwrap().to_owned();
        let _ = heard.send((signature, serde_json::from_str(&body).unwrap()));
    };
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, Router::new().route("/", post(hear))).await });
    (url, events)
}

#[tokio::test]
async fn stripe_is_paid_tells_of_it_and_goes_wrong_as_it_is_told() {
    let stripe = Stripe::start();
    stripe.set_clock(START).await;
    let (url, mut events) = listener().await;
    stripe.register_webhook(&url, WEBHOOK_SECRET).await;
    let fields = [
        ("mode", "payment"),
        ("line_items[0][price_data][currency]", "usd"),
        ("line_items[0][price_data][unit_amount]", "120000"),
        ("line_items[0][price_data][product_data][name]", "Instalment 1"),
        ("line_items[0][quantity]", "1"),
        ("success_url", "http://apply.example.org/paid"),
    ];
    let session = stripe.post("/v1/checkout/sessions", &fields).await;
    let page = session["url"].as_str().unwrap();
    assert!(page.starts_with(&stripe.checkout_origin), "{page}");
    for card in [DECLINED_CARD, FAILING_CARD] {
        assert_eq!(stripe.pay(page, card).await, Err("Your card was declined.".to_owned()));
    }
    assert_eq!(stripe.pay(page, AUTHENTICATING_CARD).await, Ok("http://apply.example.org/paid".to_owned()));
    assert_eq!(stripe.pay(page, GOOD_CARD).await, Err("This payment is complete".to_owned()));
    let told = loop {
        let (signature, event) = events.recv().await.unwrap();
        let at: i64 = signature[2..].split(',').next().unwrap().parse().unwrap();
        assert!((0..60).contains(&(at - START.div_euclid(1000))), "{signature}");
        if event["type"] == "checkout.session.completed" {
            break event;
        }
    };
    assert_eq!(told["data"]["object"]["id"], session["id"]);

    stripe.forget_webhook().await;
    stripe.faults(json!({ "act": "drop_answer", "path": "/v1/customers" })).await;
    let customers = format!("{}/v1/customers", stripe.api_url);
    let ask = || http_client().post(&customers).bearer_auth(SECRET_KEY).send();
    assert!(ask().await.is_err());
    assert_eq!(ask().await.unwrap().status(), 200);
    assert_eq!(stripe.get("/v1/customers").await["total_count"], 2);
    let log = stripe.requests().await;
    assert_eq!(log[0], json!({ "method": "POST", "path": "/v1/customers", "act": "drop_answer" }));
    stripe.no_faults().await;
    assert!(stripe.requests().await.is_empty());
}
