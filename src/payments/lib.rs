//! Card payments by a provider, as adapters of [`PaymentProvider`](app::ports::PaymentProvider). Without one, Finance
//! notes what comes by transfer, check and invoice.

mod stripe;
mod stripe_objects;
mod stripe_signature;

pub use stripe::{BadKey, Stripe, StripeKeys};
