//! Asking for news or the brochure, confirming it with the mailed link, and ending it.

use serde_json::json;

use crate::error::Error;
use crate::mails::prospects as mails;
use crate::{App, Caller};
use domain::input::{FieldError, Input};
use domain::moments::{DAY, HOUR};
use domain::program::Program;
use domain::prospect::{CONFIRMATION_DAYS, Inquiry, Prospect};
use domain::text;
use store::{CancelMail, Limit, NewInquiry, Throttle};

/// Maximum inquiries per caller's address and hour.
const INQUIRIES_PER_HOUR: u32 = 20;
/// Maximum links per email address and day, whoever asks.
const LINKS_PER_DAY: u32 = 3;

impl App {
    /// Mails a link that confirms what is asked for, about a program. The answer is the same for every address.
    ///
    /// # Errors
    /// Bad fields, too many inquiries from the caller's address.
    pub async fn inquire(&self, input: &Input, program: Program, caller: &Caller) -> Result<(), Error> {
        let inquiry = Inquiry::parse(input)?;
        let key = format!("inquiry:{}", caller.address);
        self.limit(&[Limit { key, most: INQUIRIES_PER_HOUR, window: HOUR }]).await?;
        let now = self.clock.now();
        let to = Limit { key: format!("inquiry-to:{}", inquiry.email.key()), most: LINKS_PER_DAY, window: DAY };
        // Nobody's mailbox is to be flooded by others.
        if let Throttle::Refused { .. } = self.store.reserve(std::slice::from_ref(&to), now).await? {
            tracing::info!("an inquiry is not mailed: the address got too many links today");
            return Ok(());
        }
        let secret = self.random.secret();
        let new = NewInquiry {
            id: self.random.id(),
            wants: inquiry.wants(),
            email: inquiry.email.as_str().to_owned(),
            first_name: inquiry.first_name.unwrap_or_default(),
            program,
            language: caller.language,
            digest: self.tokens.digest(&secret),
            expires_at: now + CONFIRMATION_DAYS * DAY,
            unsubscribe_token: self.random.secret(),
            at: now,
        };
        let mail = mails::confirm_inquiry(self, &new, &secret);
        let detail = json!({ "program": new.program.application_type() });
        let subject = format!("prospect:{}", new.id);
        let audit = self.audit_entry("system".into(), subject, "prospect.inquired", detail);
        let saved = self.store.save_inquiry(&new, &audit, &mail).await;
        if saved.is_err() {
            // Nothing was mailed, so the address must not lose a link.
            self.store.give_back(&[&to.key]).await?;
        }
        saved?;
        Ok(())
    }

    /// Whose inquiry a mailed link confirms, as they asked to be; `confirmed_at` is set once they have. Looking at it
    /// changes nothing.
    pub async fn find_inquiry(&self, token: &str) -> Result<Option<Prospect>, Error> {
        Ok(self.store.inquiry(&self.tokens.digest(token.trim()), self.clock.now()).await?)
    }

    /// Confirms what was asked for, and mails the brochure if it was. Doing so again is harmless.
    ///
    /// # Errors
    /// `token.spent` for a link that no longer works.
    pub async fn confirm_inquiry(&self, token: &str) -> Result<Prospect, Error> {
        let found = self.find_inquiry(token).await?.ok_or_else(link_spent)?;
        let subject = format!("prospect:{}", found.id);
        let audit = self.audit_entry("system".into(), subject, "prospect.confirmed", json!({}));
        let intake = self.product_settings().await.deadlines.next(self.today()).code();
        let mail = |prospect: &Prospect, token: &str| mails::brochure(self, prospect, token);
        let digest = self.tokens.digest(token.trim());
        let confirmed = self.store.confirm_inquiry(&digest, &intake, &audit, &mail).await?;
        Ok(confirmed.ok_or_else(link_spent)?)
    }

    /// Whom the mails with this secret go to. Looking at it changes nothing.
    pub async fn find_subscription(&self, token: &str) -> Result<Option<Prospect>, Error> {
        Ok(self.store.subscription(token.trim()).await?)
    }

    /// Deletes whom the mails with this secret go to, with their bookings of open days that are over; with
    /// `also_bookings`, also cancels the others. Does nothing if there is nobody.
    pub async fn unsubscribe(&self, token: &str, also_bookings: bool) -> Result<(), Error> {
        let Some(prospect) = self.find_subscription(token).await? else { return Ok(()) };
        let subject = format!("prospect:{}", prospect.id);
        let audit = self.audit_entry("system".into(), subject, "prospect.unsubscribed", json!({}));
        let cancel: CancelMail<'_> = &|day, booking| self.booking_cancelled(day, booking);
        if self.store.unsubscribe(token.trim(), &audit, also_bookings.then_some(cancel)).await? {
            self.open_days.clear();
        }
        Ok(())
    }
}

fn link_spent() -> FieldError {
    let sentence = text!(
        "This link is no longer valid. Only the newest one works, for {confirmation_days} days.",
        confirmation_days = CONFIRMATION_DAYS
    );
    FieldError::new("token", "token.spent", sentence)
}
