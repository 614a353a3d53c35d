//! Applicants' sessions: opening, recognising, listing, ending.
//!
//! One row, two secrets. The cookie's secret authenticates documents and form posts, the session's bearer token
//! authenticates the API, and neither works in place of the other. The row is read on every request, so that ending a
//! session takes effect at once.

use crate::error::{Error, Refusal};
use crate::{App, Caller};
use domain::account::Applicant;
use domain::application::Application;
use domain::moments::DAY;
use domain::session::{Audience, Session};
use store::{NewSession, SessionKey};

/// Lifetime of a session, regardless of use.
pub const SESSION_DAYS: i64 = 30;

/// The secrets of a session, shown once and never stored.
#[derive(Debug, Clone)]
pub struct Secrets {
    pub cookie: String,
    pub token: String,
    /// The device cookie, by which the next login recognises the browser.
    pub device: String,
}

/// An applicant who is signed in.
#[derive(Debug, Clone)]
pub struct SignedIn {
    pub applicant: Applicant,
    pub session: Session,
}

impl SignedIn {
    fn unless_disabled(self) -> Result<SignedIn, Error> {
        match self.applicant.disabled_at {
            None => Ok(self),
            Some(_) => Err(Refusal::SessionEnded.into()),
        }
    }
}

impl App {
    /// A new session row for the account, with its secrets.
    pub(crate) fn new_session(&self, audience: Audience, account_id: &str, caller: &Caller) -> (NewSession, Secrets) {
        let now = self.clock.now();
        let id = self.random.id();
        let cookie = self.random.secret();
        let token = self.tokens.issue(&id, audience, now);
        let session = NewSession {
            id,
            cookie_digest: self.tokens.digest(&cookie),
            created_at: now,
            expires_at: now + SESSION_DAYS * DAY,
            address: caller.address.clone(),
            user_agent: caller.browser(),
        };
        (session, Secrets { cookie, token, device: self.new_device(audience, account_id) })
    }

    /// Returns the owner of this bearer token.
    ///
    /// # Errors
    /// The token or its session is no longer valid, or the account is disabled.
    pub async fn authenticate(&self, token: &str) -> Result<SignedIn, Error> {
        let now = self.clock.now();
        let sid = self.tokens.read(token, Audience::Applicant, now)?;
        let (session, applicant) = self.store.session(SessionKey::Id(&sid), now).await?.ok_or(Refusal::SessionEnded)?;
        SignedIn { applicant, session }.unless_disabled()
    }

    /// Returns the owner of this bearer token and their active application, in one query.
    ///
    /// # Errors
    /// As for [`authenticate`](Self::authenticate).
    pub async fn authenticate_with_application(&self, token: &str) -> Result<(SignedIn, Option<Application>), Error> {
        let now = self.clock.now();
        let sid = self.tokens.read(token, Audience::Applicant, now)?;
        let found = self.store.session_with_application(SessionKey::Id(&sid), now).await?;
        let (session, applicant, application) = found.ok_or(Refusal::SessionEnded)?;
        let application = application.map(|application| self.shown(application));
        Ok((SignedIn { applicant, session }.unless_disabled()?, application))
    }

    /// Returns the owner of this session cookie and their active application: what every document needs, in one query.
    /// `None` for a cookie that is no longer valid.
    pub async fn visit(&self, cookie: &str) -> Result<Option<(SignedIn, Option<Application>)>, Error> {
        let digest = self.tokens.digest(cookie);
        let found = self.store.session_with_application(SessionKey::Cookie(&digest), self.clock.now()).await?;
        Ok(found.filter(|(_, applicant, _)| applicant.disabled_at.is_none()).map(
            |(session, applicant, application)| {
                (SignedIn { applicant, session }, application.map(|application| self.shown(application)))
            },
        ))
    }

    /// Returns the owner of this session cookie, without the application.
    pub async fn recognise(&self, cookie: &str) -> Result<Option<SignedIn>, Error> {
        let digest = self.tokens.digest(cookie);
        let found = self.store.session(SessionKey::Cookie(&digest), self.clock.now()).await?;
        Ok(found
            .filter(|(_, applicant)| applicant.disabled_at.is_none())
            .map(|(session, applicant)| SignedIn { applicant, session }))
    }

    /// Issues a new bearer token for the session of a cookie.
    ///
    /// # Errors
    /// [`Refusal::LoginRequired`] when the cookie is no longer valid.
    pub async fn renew_token(&self, cookie: &str) -> Result<String, Error> {
        let signed_in = self.recognise(cookie).await?.ok_or(Refusal::LoginRequired)?;
        Ok(self.tokens.issue(&signed_in.session.id, Audience::Applicant, self.clock.now()))
    }

    /// Ends the caller's session.
    pub async fn log_out(&self, who: &SignedIn) -> Result<(), Error> {
        self.store.end_session(&who.applicant.id, &who.session.id, self.clock.now()).await?;
        Ok(())
    }

    pub async fn list_sessions(&self, who: &SignedIn) -> Result<Vec<Session>, Error> {
        Ok(self.store.sessions(&who.applicant.id, self.clock.now()).await?)
    }

    /// Ends one of the account's sessions.
    ///
    /// # Errors
    /// [`Refusal::NoSuchSession`]
    pub async fn end_session(&self, who: &SignedIn, session_id: &str) -> Result<(), Error> {
        if self.store.end_session(&who.applicant.id, session_id, self.clock.now()).await? {
            Ok(())
        } else {
            Err(Refusal::NoSuchSession.into())
        }
    }

    /// Ends every other session of the account and returns how many there were.
    pub async fn end_other_sessions(&self, who: &SignedIn) -> Result<u64, Error> {
        Ok(self.store.end_other_sessions(&who.applicant.id, &who.session.id, self.clock.now()).await?)
    }
}
