//! Converts Stripe's objects to ours. What they mean: <https://docs.stripe.com/api>.

use serde_json::Value;

use app::ports::{
    Checkout, CheckoutState, EventAbout, Intent, IntentState, ProviderEvent, Purpose, RefundState, Refunded, SavedCard,
};
use domain::moments::Millis;

/// The only currency we use.
pub const CURRENCY: &str = "usd";
/// Our keys in the `metadata` of an object.
pub const APPLICATION: &str = "application";
pub const LINE: &str = "line";
pub const REFERENCE: &str = "reference";

/// Returns an id, or the id of an expanded object.
fn id_of(value: &Value) -> Option<String> {
    value.as_str().or_else(|| value["id"].as_str()).map(str::to_owned)
}

fn text(value: &Value) -> Option<String> {
    value.as_str().filter(|text| !text.is_empty()).map(str::to_owned)
}

fn purpose(object: &Value) -> Purpose {
    let said = |name: &str| object["metadata"][name].as_str().unwrap_or_default().to_owned();
    Purpose { application_id: said(APPLICATION), line: said(LINE) }
}

/// Reads a card from an expanded payment method.
fn card(customer: &Value, method: &Value) -> Option<SavedCard> {
    let customer = id_of(customer)?;
    let method_id = id_of(method)?;
    let card = &method["card"];
    let label = match (card["brand"].as_str(), card["last4"].as_str()) {
        (Some(brand), Some(last4)) => format!("{} •••• {last4}", brand_name(brand)),
        _ => String::new(),
    };
    Some(SavedCard { customer, method: method_id, label })
}

/// Returns a brand as it is spelled on cards.
fn brand_name(brand: &str) -> &str {
    match brand {
        "visa" => "Visa",
        "mastercard" => "Mastercard",
        "amex" => "American Express",
        "discover" => "Discover",
        "diners" => "Diners Club",
        "jcb" => "JCB",
        "unionpay" => "UnionPay",
        other => other,
    }
}

/// Reads a PaymentIntent.
pub fn intent(object: &Value) -> Option<Intent> {
    let state = match object["status"].as_str()? {
        "succeeded" => IntentState::Succeeded,
        "processing" | "requires_capture" => IntentState::Processing,
        "canceled" => IntentState::Canceled,
        _ => IntentState::Open,
    };
    let cents = match state {
        IntentState::Succeeded => object["amount_received"].as_i64().or_else(|| object["amount"].as_i64()),
        _ => object["amount"].as_i64(),
    };
    let is_kept = object["setup_future_usage"].as_str() == Some("off_session");
    Some(Intent {
        id: id_of(object)?,
        state,
        cents: cents.filter(|_| object["currency"].as_str() == Some(CURRENCY)),
        purpose: purpose(object),
        saved: if is_kept { card(&object["customer"], &object["payment_method"]) } else { None },
        failure: text(&object["last_payment_error"]["message"]),
    })
}

fn checkout_state(object: &Value) -> Option<CheckoutState> {
    match object["status"].as_str()? {
        "open" => Some(CheckoutState::Open),
        "complete" => Some(CheckoutState::Complete),
        "expired" => Some(CheckoutState::Expired),
        _ => None,
    }
}

/// Reads a Checkout Session with expanded intents.
pub fn checkout(object: &Value) -> Option<Checkout> {
    let setup = &object["setup_intent"];
    let is_set_up = setup["status"].as_str() == Some("succeeded");
    Some(Checkout {
        id: id_of(object)?,
        state: checkout_state(object)?,
        url: text(&object["url"]),
        purpose: purpose(object),
        intent: intent(&object["payment_intent"]),
        card: if is_set_up { card(&object["customer"], &setup["payment_method"]) } else { None },
    })
}

/// Reads a Refund.
pub fn refund(object: &Value) -> Option<Refunded> {
    let state = match object["status"].as_str()? {
        "failed" | "canceled" => RefundState::Failed,
        _ => RefundState::Made,
    };
    Some(Refunded {
        id: id_of(object)?,
        intent: id_of(&object["payment_intent"])?,
        cents: object["amount"].as_i64()?,
        state,
        reference: text(&object["metadata"][REFERENCE]),
    })
}

/// Reads an Event.
pub fn event(object: &Value) -> Option<ProviderEvent> {
    let kind = object["type"].as_str()?;
    let subject = &object["data"]["object"];
    let about = match kind {
        "payment_intent.succeeded"
        | "payment_intent.payment_failed"
        | "payment_intent.canceled"
        | "payment_intent.processing" => intent(subject).map(EventAbout::Intent),
        "checkout.session.completed"
        | "checkout.session.expired"
        | "checkout.session.async_payment_succeeded"
        | "checkout.session.async_payment_failed" => checkout_state(subject)
            .zip(id_of(subject))
            .map(|(state, id)| EventAbout::Checkout { id, state, purpose: purpose(subject) }),
        "refund.created" | "refund.updated" | "refund.failed" | "charge.refund.updated" => {
            refund(subject).map(EventAbout::Refund)
        }
        "charge.dispute.created" | "charge.dispute.closed" => {
            id_of(subject).zip(id_of(&subject["payment_intent"])).map(|(id, intent)| EventAbout::Dispute {
                id,
                intent,
                cents: subject["amount"].as_i64().filter(|_| subject["currency"] == CURRENCY),
            })
        }
        _ => None,
    };
    let told_at: Millis = object["created"].as_i64()?.checked_mul(1000)?;
    let about = about.unwrap_or_else(|| EventAbout::Other(id_of(subject).unwrap_or_default()));
    Some(ProviderEvent { id: id_of(object)?, kind: kind.to_owned(), told_at, about })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_payment_is_told_with_what_it_is_for() {
        let object = json!({
            "id": "pi_1", "status": "succeeded", "amount": 900, "amount_received": 900, "currency": "usd",
            "metadata": { "application": "a", "line": "instalment-2" }, "customer": "cus_1",
            "payment_method": { "id": "pm_1", "card": { "brand": "visa", "last4": "4242" } },
            "setup_future_usage": "off_session",
        });
        let payload =
            json!({ "id": "evt_1", "type": "payment_intent.succeeded", "created": 7, "data": { "object": object } });
        let event = event(&payload).unwrap();
        let EventAbout::Intent(intent) = event.about else { panic!("{event:?}") };
        assert_eq!((event.told_at, intent.state, intent.cents), (7_000, IntentState::Succeeded, Some(900)));
        assert_eq!((intent.purpose.application_id.as_str(), intent.purpose.line.as_str()), ("a", "instalment-2"));
        assert_eq!(intent.saved.unwrap().label, "Visa •••• 4242");
    }

    #[test]
    fn money_of_another_currency_is_no_money_of_ours() {
        let object = json!({ "id": "pi_1", "status": "succeeded", "amount": 900, "currency": "eur" });
        assert_eq!(intent(&object).unwrap().cents, None);
    }

    #[test]
    fn a_dispute_is_told_with_the_payment_that_it_is_about() {
        let object = json!({ "id": "dp_1", "payment_intent": "pi_1", "amount": 900, "currency": "usd" });
        let payload =
            json!({ "id": "evt_1", "type": "charge.dispute.created", "created": 7, "data": { "object": object } });
        let EventAbout::Dispute { id, intent, cents } = event(&payload).unwrap().about else { panic!("{payload}") };
        assert_eq!((id.as_str(), intent.as_str(), cents), ("dp_1", "pi_1", Some(900)));
    }

    #[test]
    fn what_is_not_known_is_kept_as_other() {
        let payload =
            json!({ "id": "evt_1", "type": "plan.created", "created": 7, "data": { "object": { "id": "plan_1" } } });
        assert!(matches!(event(&payload).unwrap().about, EventAbout::Other(id) if id == "plan_1"));
        let odd =
            json!({ "id": "evt_1", "type": "refund.created", "created": 7, "data": { "object": { "id": "re_1" } } });
        assert!(matches!(event(&odd).unwrap().about, EventAbout::Other(id) if id == "re_1"));
        for unreadable in [json!({}), json!([]), json!("x"), json!({ "id": "evt_1", "type": "x", "created": "y" })] {
            assert!(event(&unreadable).is_none(), "{unreadable}");
        }
    }
}
