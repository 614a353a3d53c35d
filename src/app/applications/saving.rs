//! Starting, loading and saving an application.

use std::sync::Arc;

use crate::accounts::sessions::SignedIn;
use crate::error::{Error, Refusal};
use crate::{App, mails};
use domain::account::Applicant;
use domain::application::{AnswerChange, Answers, Application};
use domain::input::Input;
use domain::program::Program;
use domain::session::Audience;
use domain::status::{Act, ActorKind, Facts, Stage, decide};
use store::{AuditEntry, SaveOutcome};

/// What the caller has seen of the application.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expected {
    /// Nothing, not even that it exists.
    Nothing,
    /// Only that it exists.
    Any,
    Revision(i64),
}

impl App {
    /// The active application.
    ///
    /// # Errors
    /// [`Refusal::NoApplication`]
    pub async fn load_application(&self, who: &SignedIn) -> Result<Application, Error> {
        let active = self.store.active_application(&who.applicant.id).await?.ok_or(Refusal::NoApplication)?;
        Ok(self.shown(active))
    }

    /// Starts an application for `program`. If one for that program is already active, it is returned as it is: a
    /// second click does no harm.
    ///
    /// # Errors
    /// [`Refusal::OtherProgram`] when one for the other program is active.
    pub async fn start_application(&self, who: &SignedIn, program: Program) -> Result<Application, Error> {
        let new = self.new_application(&who.applicant, program);
        let mail = mails::application_started(&self.wording().await, &who.applicant, program);
        match self.store.start_application(&new, &self.application_started(&new), &mail).await.map_err(Error::from) {
            Ok(()) => Ok(new),
            Err(Error::Refused(Refusal::ApplicationActive)) => {
                let active = self.load_application(who).await?;
                if active.program == program { Ok(active) } else { Err(Refusal::OtherProgram.into()) }
            }
            Err(error) => Err(error),
        }
    }

    /// Saves answers on behalf of a bearer token; the first save starts an application if there is none. `expected` is
    /// the revision the caller has seen; without one, the answers are applied to whatever is there.
    ///
    /// Someone who types saves again every few moments: while the revision is the last one this process wrote, its
    /// answers are in memory, and one statement both checks the session and saves.
    ///
    /// # Errors
    /// The token or its session is no longer valid, bad answers, [`Refusal::ApplicationSubmitted`],
    /// [`Refusal::OtherProgram`], [`Error::Stale`] with the current copy, or [`Refusal::NoApplication`] when a revision
    /// is expected and there is none. Nothing is written then.
    pub async fn save_application(
        &self,
        token: &str,
        input: &Input,
        expected: Expected,
    ) -> Result<Arc<Application>, Error> {
        let now = self.clock.now();
        let sid = self.tokens.read(token, Audience::Applicant, now)?;
        let asked = self.question_sets().await?;
        if let Expected::Revision(revision) = expected
            && let Some(known) = self.recent_saves.at(&sid, revision, now)
            && let Ok(change) = AnswerChange::parse(input, &asked)
            && change.program == known.program
            // Requested changes need a lookup.
            && known.stage == Stage::Draft
        {
            let answers = known.answers.with(&change);
            if self.store.save_in_session(&sid, &known.id, revision, &answers, now).await? {
                let saved = Arc::new(known.saved(known.program, answers, now));
                self.recent_saves.saved_again(&sid, &saved);
                return Ok(saved);
            }
        }
        let (who, known) = self.authenticate_with_application(token).await?;
        let saved = Arc::new(self.save_known(&who, known, input, expected).await?);
        self.recent_saves.keep(sid, &saved, now);
        Ok(saved)
    }

    /// Saves answers of a signed-in applicant. `known` is the active application as just loaded.
    ///
    /// # Errors
    /// As for [`save_application`](Self::save_application).
    pub async fn save_known(
        &self,
        who: &SignedIn,
        known: Option<Application>,
        input: &Input,
        expected: Expected,
    ) -> Result<Application, Error> {
        let asked = self.question_sets().await?;
        let change = AnswerChange::parse(input, &asked)
            .inspect_err(|errors| self.count_application_errors(input, errors, &asked))?;
        let mut current = match known {
            Some(application) => application,
            None if expected != Expected::Nothing => return Err(Refusal::NoApplication.into()),
            None => self.start_application(who, change.program).await?,
        };
        // Without an expected revision, a save that another one overtook is applied to the newer copy.
        for _ in 0..10 {
            if current.archived_at.is_some() {
                return Err(Refusal::NoApplication.into());
            }
            // Before the revision: no newer copy could be saved to either.
            if !current.stage.is_editable() {
                return Err(Refusal::ApplicationSubmitted.into());
            }
            if let Some(request) = self.change_request(&current).await?
                && (current.program != change.program
                    || change.sections().iter().any(|section| !request.sections.contains(section)))
            {
                return Err(Refusal::SectionClosed.into());
            }
            if current.program != change.program && !change.switch_program {
                return Err(Refusal::OtherProgram.into());
            }
            if matches!(expected, Expected::Revision(revision) if revision != current.revision) {
                return Err(Error::Stale(Box::new(self.shown(current))));
            }
            let answers = current.answers.with(&change);
            let (id, revision, now) = (&current.id, current.revision, self.clock.now());
            match self.store.save_application(id, revision, change.program, &answers, now).await? {
                SaveOutcome::Saved => return Ok(current.saved(change.program, answers, now)),
                SaveOutcome::Stale(newer) => current = *newer,
                SaveOutcome::Gone => return Err(Refusal::NoApplication.into()),
            }
        }
        Err(Error::Unavailable(None))
    }

    pub(crate) fn new_application(&self, applicant: &Applicant, program: Program) -> Application {
        let now = self.clock.now();
        // The store rejects a second active application.
        let facts = Facts { no_other_active: true, ..Facts::default() };
        let started = decide(Stage::None, Act::Start, ActorKind::Applicant, &facts);
        Application {
            id: self.random.id(),
            applicant_id: applicant.id.clone(),
            program,
            stage: started.expect("an applicant may start their only application").to,
            answers: Answers::default(),
            revision: 1,
            reference: None,
            created_at: now,
            updated_at: now,
            submitted_at: None,
            archived_at: None,
            released: None,
        }
    }

    pub(crate) fn application_started(&self, application: &Application) -> AuditEntry {
        let subject = format!("application:{}", application.id);
        let (from, to) = (Stage::None.to_string(), application.stage.to_string());
        let detail = serde_json::json!({ "from": from, "to": to, "program": application.program });
        self.by_applicant(&application.applicant_id, subject, "application.started", detail)
    }
}
