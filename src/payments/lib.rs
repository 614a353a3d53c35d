//! Card payments through a provider, as adapters of [`PaymentProvider`](app::ports::PaymentProvider). Without one,
//! Finance records what comes by transfer, check and invoice.

mod stripe;
mod stripe_objects;
mod stripe_signature;

pub use stripe::{BadKey, Stripe, StripeKeys};
