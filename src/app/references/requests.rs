//! Asking referees and reminding them. A reminder has the same link as the request.

use serde_json::json;

use crate::App;
use crate::applications::acts::Command;
use crate::error::{Error, Refusal};
use crate::jobs::Ran;
use crate::mails::references as mails;
use domain::account::Applicant;
use domain::application::{Application, ApplicationKey};
use domain::moments::{HOUR, MINUTE};
use domain::program::Program;
use domain::referee::{Referee, RefereeState};
use store::{AuditEntry, NewMail, RefereeRequest, Transition};

/// Referees per query, and queries per run, which must be over within the time of a job.
const AT_ONCE: i64 = 50;
const PER_RUN: usize = 20;

impl App {
    /// The request to a referee, by `actor`.
    pub(crate) fn referee_request(
        &self,
        referee: &Referee,
        applicant: &Applicant,
        program: Program,
        actor: String,
    ) -> RefereeRequest {
        let secret = self.random.secret();
        RefereeRequest {
            referee_id: referee.id.clone(),
            digest: self.tokens.digest(&secret),
            link: self.sealing.seal(&referee.id, &secret),
            mail: mails::request(self, referee, applicant, program, &secret),
            audit: self.about_referee(referee, actor, "referee.asked"),
        }
    }

    /// Adds to a submission which references it needs, and the requests to those who were only named, if the applicant's
    /// address is confirmed. The job asks the others later.
    pub(crate) async fn ask_with_submission(
        &self,
        command: &Command<'_>,
        application: &Application,
        transition: &mut Transition,
    ) -> Result<(), Error> {
        let sets = self.question_sets().await?;
        let set = sets.of(application.program);
        transition.references = Some((set.version, set.references_needed()));
        if command.applicant.email_confirmed_at.is_some() {
            let referees = self.store.referees(&application.id).await?;
            let named = referees.iter().filter(|referee| referee.state == RefereeState::Named);
            let actor = command.actor.name();
            transition.referees.extend(named.map(|referee| {
                self.referee_request(referee, command.applicant, application.program, actor.to_owned())
            }));
        }
        Ok(())
    }

    /// A line of the record about a referee, whom it does not name.
    pub(super) fn about_referee(&self, referee: &Referee, actor: String, action: &'static str) -> AuditEntry {
        let subject = format!("application:{}", referee.application_id);
        self.audit_entry(actor, subject, action, json!({ "referee": referee.id }))
    }

    /// The reminder of a referee who was asked; `None` if the link cannot be read, since the program's secret has
    /// changed.
    async fn reminder(
        &self,
        referee: &Referee,
        applicant: &Applicant,
        program: Program,
    ) -> Result<Option<NewMail>, Error> {
        let Some(sealed) = self.store.referee_link(&referee.id).await? else { return Ok(None) };
        let secret = self.sealing.open(&referee.id, &sealed);
        Ok(secret.map(|secret| mails::reminder(self, referee, applicant, program, &secret)))
    }

    /// Reminds a referee by hand.
    ///
    /// # Errors
    /// [`Refusal::RemindedRecently`], [`Refusal::ReferencesClosed`] if the link can no longer be read.
    pub(super) async fn remind_by_hand(
        &self,
        referee: &Referee,
        applicant: &Applicant,
        program: Program,
        actor: String,
    ) -> Result<(), Error> {
        let mail = self.reminder(referee, applicant, program).await?.ok_or(Refusal::ReferencesClosed)?;
        let audit = self.about_referee(referee, actor, "referee.reminded");
        if self.store.remind_referee(&referee.id, false, &mail, &audit).await? {
            Ok(())
        } else {
            Err(Refusal::RemindedRecently.into())
        }
    }

    /// [`jobs::REFERENCE_REQUESTS`](crate::jobs::REFERENCE_REQUESTS): asks referees whose applicant has only now
    /// confirmed the address, and reminds those who have not answered.
    pub(crate) async fn write_to_referees(&self) -> Result<Ran, Error> {
        for _ in 0..PER_RUN {
            let to_ask = self.store.referees_to_ask(AT_ONCE).await?;
            for referee in &to_ask {
                if let Some((applicant, application)) = self.owner_of(referee).await? {
                    let request = self.referee_request(referee, &applicant, application.program, "system".into());
                    self.store.ask_referee(&referee.application_id, &request).await?;
                }
            }
            let now = self.clock.now();
            let to_remind = self.store.referees_to_remind(now, AT_ONCE).await?;
            for referee in &to_remind {
                let Some((applicant, application)) = self.owner_of(referee).await? else { continue };
                match self.reminder(referee, &applicant, application.program).await? {
                    Some(mail) => {
                        let audit = self.about_referee(referee, "system".into(), "referee.reminded");
                        self.store.remind_referee(&referee.id, true, &mail, &audit).await?;
                    }
                    None => {
                        tracing::warn!(referee = referee.id, "the link of a referee cannot be read");
                        self.store.skip_reminder(&referee.id).await?;
                    }
                }
            }
            if to_ask.len().max(to_remind.len()) < AT_ONCE as usize {
                return Ok(Ran::AgainAt(self.clock.now() + HOUR));
            }
        }
        Ok(Ran::AgainAt(self.clock.now() + MINUTE))
    }

    pub(super) async fn owner_of(&self, referee: &Referee) -> Result<Option<(Applicant, Application)>, Error> {
        Ok(self.store.application(ApplicationKey::Id(&referee.application_id)).await?)
    }
}
