//! What applicants do with their referees.

use serde_json::json;

use super::{Reference, ReferencesView, no_rules};
use crate::App;
use crate::accounts::sessions::SignedIn;
use crate::error::{Error, Refusal};
use domain::application::Application;
use domain::input::{FieldError, Input};
use domain::moments::DAY;
use domain::questionnaire::Entry;
use domain::referee::{NewReferee, Referee, RefereeState, ReferenceLetter, takes_references};
use domain::status::Stage;
use domain::text;
use store::{Limit, StoreError};

/// Maximum referees named per applicant and day.
const NAMED_PER_DAY: u32 = 15;
/// Maximum times that an address is named per day, by whomever: each time may bring it a mail.
const MAILS_PER_DAY: u32 = 5;

/// What became of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asked {
    Asked,
    /// They had been asked before.
    Reminded,
}

impl App {
    /// The referees of the application; `None` if none are asked for and none were named.
    ///
    /// # Errors
    /// [`Refusal::NoApplication`]
    pub async fn references(
        &self,
        who: &SignedIn,
        known: Option<&Application>,
    ) -> Result<Option<ReferencesView>, Error> {
        let application = known.ok_or(Refusal::NoApplication)?;
        let rules = self.reference_set(application).await?.references.clone();
        let mut references = Vec::new();
        for referee in self.store.referees(&application.id).await? {
            if referee.state != RefereeState::Removed {
                references.push(self.reference_for_applicant(referee, application).await?);
            }
        }
        if rules.is_none() && references.is_empty() {
            return Ok(None);
        }
        Ok(Some(ReferencesView {
            rules: rules.unwrap_or_else(no_rules),
            references,
            email_confirmed: who.applicant.email_confirmed_at.is_some(),
            open: takes_references(application.stage),
            submitted: application.stage != Stage::Draft,
        }))
    }

    /// Names a referee. They are asked at once if the application is submitted and the applicant's address confirmed.
    ///
    /// # Errors
    /// Bad fields, among them `email.own` and `email.taken`; [`Refusal::NoApplication`], [`Refusal::NoReferences`],
    /// [`Refusal::TooManyReferees`], [`Refusal::ReferencesClosed`]; too many in a day.
    pub async fn name_referee(
        &self,
        who: &SignedIn,
        known: Option<&Application>,
        input: &Input,
    ) -> Result<Referee, Error> {
        let new = NewReferee::parse(input)?;
        let application = known.ok_or(Refusal::NoApplication)?;
        let rules = self.reference_set(application).await?.references.clone().ok_or(Refusal::NoReferences)?;
        if !takes_references(application.stage) {
            return Err(Refusal::ReferencesClosed.into());
        }
        let key = new.email.key();
        if key == who.applicant.email.to_lowercase() {
            let sentence = text!("Enter the address of your referee, not your own.");
            return Err(FieldError::new("email", "email.own", sentence).into());
        }
        let limits = [
            Limit { key: format!("referee:{}", who.applicant.id), most: NAMED_PER_DAY, window: DAY },
            Limit { key: format!("referee-to:{key}"), most: MAILS_PER_DAY, window: DAY },
        ];
        self.limit(&limits).await?;
        let now = self.clock.now();
        let mut referee = Referee {
            id: self.random.id(),
            application_id: application.id.clone(),
            name: new.name,
            email: new.email.as_str().to_owned(),
            relationship: new.relationship,
            organization: new.organization.unwrap_or_default(),
            language: new.language.unwrap_or(who.applicant.profile.language),
            waived: new.waived,
            state: RefereeState::Named,
            created_at: now,
            asked_at: None,
            reminded_at: None,
            reminders: 0,
            opened_at: None,
            finished_at: None,
            questionnaire: None,
            answers: Entry::new(),
            reason: String::new(),
            letter: None,
        };
        let actor = format!("applicant:{}", who.applicant.id);
        let asks = application.stage != Stage::Draft && who.applicant.email_confirmed_at.is_some();
        let request = asks.then(|| self.referee_request(&referee, &who.applicant, application.program, actor.clone()));
        let subject = format!("application:{}", application.id);
        let detail = json!({ "referee": referee.id, "waived": referee.waived });
        let audit = self.audit_entry(actor, subject, "referee.named", detail);
        let named = self.store.name_referee(&referee, &key, rules.most, &audit, request.as_ref()).await;
        if !matches!(named, Ok(true)) {
            // Nothing was mailed.
            self.store.give_back(&[&limits[1].key]).await?;
        }
        match named {
            Ok(true) => {
                if let Some(request) = request {
                    (referee.state, referee.asked_at) = (RefereeState::Asked, Some(request.audit.at));
                }
                Ok(referee)
            }
            Ok(false) => Err(Refusal::TooManyReferees.into()),
            Err(StoreError::Taken("referee")) => {
                let sentence = text!("You have named somebody with this address already.");
                Err(FieldError::new("email", "email.taken", sentence).into())
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Asks a referee, or reminds one who was asked.
    ///
    /// # Errors
    /// [`Refusal::NoApplication`], [`Refusal::RefereeNotFound`], [`Refusal::ReferencesClosed`],
    /// [`Refusal::EmailNotConfirmed`], [`Refusal::RemindedRecently`].
    pub async fn ask_referee(&self, who: &SignedIn, known: Option<&Application>, id: &str) -> Result<Asked, Error> {
        let (application, referee) = self.own_referee(known, id).await?;
        if !takes_references(application.stage) {
            return Err(Refusal::ReferencesClosed.into());
        }
        if who.applicant.email_confirmed_at.is_none() {
            return Err(Refusal::EmailNotConfirmed.into());
        }
        let actor = format!("applicant:{}", who.applicant.id);
        match referee.state {
            RefereeState::Named => {
                let request = self.referee_request(&referee, &who.applicant, application.program, actor);
                if !self.store.ask_referee(&application.id, &request).await? {
                    // Asked in another tab, which is what was wanted, or removed there.
                    self.own_referee(known, id).await?;
                }
                Ok(Asked::Asked)
            }
            RefereeState::Asked => {
                self.remind_by_hand(&referee, &who.applicant, application.program, actor).await?;
                Ok(Asked::Reminded)
            }
            RefereeState::Received | RefereeState::Declined | RefereeState::Removed => {
                Err(Refusal::ReferencesClosed.into())
            }
        }
    }

    /// Removes a referee from whom nothing has come. Their link says that the reference is no longer needed.
    ///
    /// # Errors
    /// [`Refusal::NoApplication`], [`Refusal::RefereeNotFound`], [`Refusal::ReferencesClosed`].
    pub async fn remove_referee(&self, who: &SignedIn, known: Option<&Application>, id: &str) -> Result<(), Error> {
        let (application, referee) = self.own_referee(known, id).await?;
        if !takes_references(application.stage) {
            return Err(Refusal::ReferencesClosed.into());
        }
        let audit = self.about_referee(&referee, format!("applicant:{}", who.applicant.id), "referee.removed");
        if !self.store.remove_referee(&referee.id, &audit).await? {
            return Err(Refusal::ReferencesClosed.into());
        }
        self.remove_if_unnamed(referee.letter.into_iter().map(|letter| letter.object).collect()).await;
        Ok(())
    }

    /// The letter of a reference that the applicant may read.
    ///
    /// # Errors
    /// [`Refusal::NoApplication`]; [`Refusal::RefereeNotFound`], also if the right to read it was waived, it has not come,
    /// or has no letter.
    pub async fn applicant_letter(&self, known: Option<&Application>, id: &str) -> Result<ReferenceLetter, Error> {
        let (_, referee) = self.own_referee(known, id).await?;
        let letter = if referee.is_open_to_applicant() { referee.letter } else { None };
        Ok(letter.ok_or(Refusal::RefereeNotFound)?)
    }

    /// A reference as far as the applicant may see it.
    async fn reference_for_applicant(&self, referee: Referee, application: &Application) -> Result<Reference, Error> {
        let referee = Referee { reason: String::new(), ..referee };
        if referee.is_open_to_applicant() {
            return self.reference(referee, application).await;
        }
        Ok(Reference::unread(referee))
    }

    /// A referee of the application, unless removed.
    async fn own_referee<'a>(
        &self,
        known: Option<&'a Application>,
        id: &str,
    ) -> Result<(&'a Application, Referee), Error> {
        let application = known.ok_or(Refusal::NoApplication)?;
        let referees = self.store.referees(&application.id).await?;
        let found = referees.into_iter().find(|one| one.id == id && one.state != RefereeState::Removed);
        Ok((application, found.ok_or(Refusal::RefereeNotFound)?))
    }
}
