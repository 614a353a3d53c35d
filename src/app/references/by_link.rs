//! What referees do through the link that was mailed to them.

use bytes::Bytes;

use super::{LinkState, OpenReference, REFERENCES};
use crate::App;
use crate::error::{Error, Refusal};
use crate::mails;
use crate::ports::{InspectError, StorageError};
use domain::account::Applicant;
use domain::application::Application;
use domain::documents::{FileName, Rejection};
use domain::input::{FieldError, Input};
use domain::moments::DAY;
use domain::program::Program;
use domain::questionnaire::{Entry, LetterRule, QuestionSet, References, path};
use domain::referee::{Decline, MAX_LETTER_BYTES, Referee, RefereeState, ReferenceLetter, takes_references};
use domain::text;
use store::{Limit, StoreError};

/// Maximum times per day that a referee declines, which mails the applicant each time.
const DECLINES_PER_DAY: u32 = 3;

/// What a link leads to, with what only we need.
struct Linked {
    referee: Referee,
    applicant: Applicant,
    application: Application,
    rules: References,
    set: QuestionSet,
}

impl Linked {
    fn state(&self) -> LinkState {
        match self.referee.state {
            // What has come stays, whatever became of the application.
            RefereeState::Received => LinkState::Received,
            _ if !takes_references(self.application.stage) => LinkState::Over,
            RefereeState::Asked => LinkState::Open,
            RefereeState::Declined => LinkState::Declined,
            RefereeState::Named | RefereeState::Removed => LinkState::Over,
        }
    }

    /// The questionnaire that is answered: once begun, it stays the same.
    fn questionnaire(&self) -> (Program, i64) {
        self.referee.questionnaire.unwrap_or((self.application.program, self.set.version))
    }

    /// The answers with these changes.
    fn answers(&self, input: &Input, errors: &mut Vec<FieldError>) -> Entry {
        let mut answers = self.referee.answers.clone();
        for (key, entry) in self.set.check(input, errors) {
            match entry {
                Some(entry) => answers.insert(key, entry),
                None => answers.remove(&key),
            };
        }
        answers
    }
}

impl App {
    /// What a mailed link leads to; `None` if nowhere. Notes that it was opened.
    pub async fn open_reference(&self, token: &str) -> Result<Option<OpenReference>, Error> {
        let Some(linked) = self.linked(token).await? else { return Ok(None) };
        if linked.referee.opened_at.is_none() {
            self.store.note_opened(&linked.referee.id, self.clock.now()).await?;
        }
        let state = linked.state();
        let Linked { mut referee, applicant, application, rules, mut set } = linked;
        if state != LinkState::Open {
            // The mail may be forwarded: once it is sent, the link no longer shows what was written.
            (referee.answers, referee.letter, set.questions) = (Entry::new(), None, Vec::new());
        }
        let profile = &applicant.profile;
        let applicant = format!("{} {}", profile.first_name, profile.last_name).trim().to_owned();
        Ok(Some(OpenReference { referee, applicant, program: application.program, rules, set, state }))
    }

    /// Keeps what the referee has written so far.
    ///
    /// # Errors
    /// Errors in the answers; `token.spent` for a link that leads nowhere, [`Refusal::ReferencesClosed`].
    pub async fn save_reference(&self, token: &str, input: &Input) -> Result<(), Error> {
        let linked = self.waited_for(token).await?;
        let mut errors = Vec::new();
        let answers = linked.answers(input, &mut errors);
        if !errors.is_empty() {
            return Err(Error::Invalid(errors));
        }
        done(self.store.save_reference(&linked.referee.id, linked.questionnaire(), &answers).await?)
    }

    /// Takes the reference as final.
    ///
    /// # Errors
    /// As for [`App::save_reference`], answers that are missing, and `letter.required`. What can be kept is kept.
    pub async fn send_reference(&self, token: &str, input: &Input) -> Result<(), Error> {
        let linked = self.waited_for(token).await?;
        let mut errors = Vec::new();
        let answers = linked.answers(input, &mut errors);
        for question in linked.set.missing(&answers, &[]) {
            let path = path(&question.key);
            if errors.iter().all(|error| error.path != path) {
                let code = format!("{path}.required");
                let sentence = text!("Answer the question “{label}”.", label = question.said());
                errors.push(FieldError::new(path, code, sentence));
            }
        }
        if linked.rules.letter == LetterRule::Required && linked.referee.letter.is_none() {
            errors.push(FieldError::new("letter", "letter.required", text!("Upload your letter.")));
        }
        let has_content = !answers.is_empty() || linked.referee.letter.is_some();
        if errors.is_empty() && !has_content {
            let sentence = text!("Answer a question or upload a letter first.");
            errors.push(FieldError::new("", "reference.empty", sentence));
        }
        if !errors.is_empty() {
            self.store.save_reference(&linked.referee.id, linked.questionnaire(), &answers).await?;
            return Err(Error::Invalid(errors));
        }
        let Linked { referee, applicant, application, .. } = &linked;
        let wording = self.wording().await;
        let mail = mails::reference_received(&wording, applicant, application.program, &referee.name);
        let audit = self.about_referee(referee, format!("referee:{}", referee.id), "reference.received");
        done(self.store.receive_reference(referee, linked.questionnaire(), &answers, &mail, &audit).await?)
    }

    /// Checks a letter and keeps it in place of an earlier one.
    ///
    /// # Errors
    /// [`Error::Rejected`]; `token.spent`, [`Refusal::ReferencesClosed`], also if no letter is asked for; storage errors,
    /// and [`Error::Unavailable`] if it cannot be checked now.
    pub async fn attach_letter(&self, token: &str, name: &str, content: Bytes) -> Result<(), Error> {
        let Linked { referee, rules, .. } = self.waited_for(token).await?;
        if rules.letter == LetterRule::None {
            return Err(Refusal::ReferencesClosed.into());
        }
        let name = FileName::parse(name)?;
        if content.is_empty() {
            return Err(Rejection::Empty.into());
        }
        if content.len() > MAX_LETTER_BYTES {
            return Err(Rejection::TooLarge.into());
        }
        let place = self.queues.checks.join(&referee.id).ok_or(Error::Unavailable(None))?;
        let _held_as_long_as_the_bytes = place.turn().await;
        let passed = match self.inspector.inspect(name.kind(), content).await {
            Ok(passed) => passed,
            Err(InspectError::Rejected(rejection)) => return Err(rejection.into()),
            Err(InspectError::Unavailable(cause)) => return Err(StorageError::Unavailable(cause).into()),
        };
        let object = format!("{REFERENCES}/{}/{}", referee.id, self.random.id());
        let size = passed.content.len() as u64;
        self.storage.put(&object, passed.content).await?;
        let letter = ReferenceLetter { name, object, size, sha256: passed.sha256 };
        self.replace_letter(&referee, Some(&letter)).await
    }

    /// Removes the letter.
    ///
    /// # Errors
    /// `token.spent`, [`Refusal::ReferencesClosed`].
    pub async fn remove_letter(&self, token: &str) -> Result<(), Error> {
        let Linked { referee, .. } = self.waited_for(token).await?;
        self.replace_letter(&referee, None).await
    }

    /// Replaces the letter, and removes whichever object no row names then.
    async fn replace_letter(&self, referee: &Referee, letter: Option<&ReferenceLetter>) -> Result<(), Error> {
        let former = referee.letter.as_ref();
        let is_set = self.store.set_letter(&referee.id, former, letter).await?;
        let left = if is_set { former } else { letter };
        self.remove_objects(left.map(|letter| letter.object.clone())).await;
        done(is_set)
    }

    /// Notes that the referee gives no reference, and tells the applicant.
    ///
    /// # Errors
    /// A reason that is too long; `token.spent`, [`Refusal::ReferencesClosed`].
    pub async fn decline_reference(&self, token: &str, input: &Input) -> Result<(), Error> {
        let Decline { reason } = Decline::parse(input)?;
        let Linked { referee, applicant, application, .. } = self.waited_for(token).await?;
        let key = format!("referee-decline:{}", referee.id);
        self.limit(&[Limit { key, most: DECLINES_PER_DAY, window: DAY }]).await?;
        let wording = self.wording().await;
        let mail = mails::reference_declined(&wording, &applicant, application.program, &referee.name);
        let audit = self.about_referee(&referee, format!("referee:{}", referee.id), "reference.declined");
        done(self.store.decline_reference(&referee.id, &reason.unwrap_or_default(), &mail, &audit).await?)
    }

    /// Takes back that the referee gives no reference.
    ///
    /// # Errors
    /// `token.spent`; [`Refusal::ReferencesClosed`], also if the applicant has named somebody else meanwhile.
    pub async fn reopen_reference(&self, token: &str) -> Result<(), Error> {
        let linked = self.linked(token).await?.ok_or_else(spent)?;
        if linked.state() != LinkState::Declined {
            return Err(Refusal::ReferencesClosed.into());
        }
        let referee = &linked.referee;
        let audit = self.about_referee(referee, format!("referee:{}", referee.id), "reference.reopened");
        let set = self.reference_set(&linked.application).await?;
        // The program may ask for none any more.
        let most = set.references.as_ref().map_or(1, |rules| rules.most);
        match self.store.reopen_reference(referee, most, &audit).await {
            Err(StoreError::Taken("referee")) => done(false),
            reopened => done(reopened?),
        }
    }

    async fn linked(&self, token: &str) -> Result<Option<Linked>, Error> {
        let token = token.trim();
        if token.is_empty() {
            return Ok(None);
        }
        let Some(referee) = self.store.referee_by_digest(&self.tokens.digest(token)).await? else { return Ok(None) };
        let Some((applicant, application)) = self.owner_of(&referee).await? else { return Ok(None) };
        // A decision that can still be recalled does not show.
        let application = self.shown(application);
        let (rules, set) = self.set_for(&referee, &application).await?;
        Ok(Some(Linked { referee, applicant, application, rules, set }))
    }

    /// What a link leads to, if we wait for the reference.
    async fn waited_for(&self, token: &str) -> Result<Linked, Error> {
        let linked = self.linked(token).await?.ok_or_else(spent)?;
        match linked.state() {
            LinkState::Open => Ok(linked),
            LinkState::Received | LinkState::Declined | LinkState::Over => Err(Refusal::ReferencesClosed.into()),
        }
    }
}

fn spent() -> FieldError {
    FieldError::new("token", "token.spent", text!("This link is no longer valid."))
}

fn done(is_done: bool) -> Result<(), Error> {
    if is_done { Ok(()) } else { Err(Refusal::ReferencesClosed.into()) }
}
