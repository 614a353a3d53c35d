//! Submitting an application and taking that back, withdrawing one and undoing that. Each act goes by the table of
//! `domain::status`, and the store writes all that belongs to it in one transaction.

use serde_json::{Value, json};

use super::error::{Error, Refusal};
use super::ports::{Application, EndedApplication, MINUTE, NewMail, StoreError, Stored, Transition, TransitionOutcome};
use super::sessions::SignedIn;
use super::{App, mails};
use crate::domain::application::{DECLARATION, missing};
use crate::domain::input::{FieldError, Input, unknown_fields};
use crate::domain::reference_number::ReferenceNumber;
use crate::domain::status::{Act, Actor, Change, Effect, Ended, Facts, Guard, Refused, Stage, decide};

/// Most characters of a reason.
const LONGEST_REASON: usize = 1000;
/// Attempts to find a number that is not taken, or to act on a copy that nobody has just changed.
const ATTEMPTS: usize = 10;

/// What the caller asks for besides the act.
#[derive(Debug, Clone, Default)]
pub struct Conditions {
    /// The revision that the caller has seen; without one the act is done to whatever is there.
    pub expected: Option<i64>,
    /// Names this act of the caller: sent again under the same key, it is answered alike and done once.
    pub key: Option<String>,
}

impl Conditions {
    /// The key that a text is: 1 to 100 letters, digits and signs.
    pub fn key(text: &str) -> Option<String> {
        let key = text.trim();
        let is_key = (1..=100).contains(&key.len()) && key.bytes().all(|byte| byte.is_ascii_graphic());
        is_key.then(|| key.to_owned())
    }
}

/// What a submission says.
#[derive(Debug, Clone, Copy)]
pub struct Submission {
    pub declaration: bool,
}

impl Submission {
    /// # Errors
    /// `declaration.type`, `declaration.required`, unknown fields.
    pub fn parse(input: &Input) -> Result<Submission, Vec<FieldError>> {
        let entries = input.entries()?;
        let mut errors: Vec<FieldError> = unknown_fields(entries, &["declaration"]).collect();
        match Input::get(entries, "declaration") {
            Some(Input::Bool(declaration)) if errors.is_empty() => {
                return Ok(Submission { declaration: *declaration });
            }
            Some(Input::Bool(_)) => {}
            Some(_) => errors.push(FieldError::new("declaration", "declaration.type", "Answer yes or no.")),
            None => errors.push(declaration_required()),
        }
        Err(errors)
    }
}

/// Why someone withdraws.
#[derive(Debug, Clone)]
pub struct Withdrawal {
    reason: String,
}

impl Withdrawal {
    /// # Errors
    /// `reason.required`, `reason.type`, `reason.too_long`, `reason.invalid`, unknown fields.
    pub fn parse(input: &Input) -> Result<Withdrawal, Vec<FieldError>> {
        let entries = input.entries()?;
        let mut errors: Vec<FieldError> = unknown_fields(entries, &["reason"]).collect();
        let error = |rule: &str, message: String| FieldError::new("reason", format!("reason.{rule}"), message);
        match Input::get(entries, "reason") {
            Some(Input::Text(text)) => {
                // Lines of a text field are lines; anything else that cannot be seen is none of a reason.
                let reason = text.trim().replace("\r\n", "\n");
                if reason.is_empty() {
                    errors.push(error("required", "Tell us why you withdraw, in a few words.".into()));
                } else if reason.chars().count() > LONGEST_REASON {
                    errors.push(error("too_long", format!("The reason must be at most {LONGEST_REASON} characters.")));
                } else if reason.chars().any(|c| c.is_control() && c != '\n') {
                    errors.push(error("invalid", "The reason contains characters that are not allowed.".into()));
                } else if errors.is_empty() {
                    return Ok(Withdrawal { reason });
                }
            }
            Some(_) => errors.push(error("type", "The reason must be text.".into())),
            None => errors.push(error("required", "Tell us why you withdraw, in a few words.".into())),
        }
        Err(errors)
    }
}

fn declaration_required() -> FieldError {
    FieldError::new("declaration", Guard::DeclarationTicked.code(), "Read the declaration and tick it.")
}

impl App {
    /// Sends the application to the institute: answers are frozen, a reference number is given unless there is one, and a
    /// mail says that it has arrived.
    ///
    /// # Errors
    /// One for each missing answer and for a declaration that is not ticked, [`Error::NotAllowed`] for one that was
    /// submitted before, [`Error::Stale`], [`Refusal::NoApplication`].
    pub async fn submit_application(
        &self,
        who: &SignedIn,
        known: Option<Application>,
        submission: Submission,
        conditions: Conditions,
    ) -> Result<Application, Error> {
        if let Some(application) = self.repeated(who, Act::Submit, &conditions).await? {
            return Ok(application);
        }
        let facts = |application: &Application| Facts {
            sections_complete: missing(&application.answers).is_empty(),
            declaration_ticked: submission.declaration,
            ..Facts::default()
        };
        let detail = json!({ "declaration": DECLARATION });
        let current = known.ok_or(Refusal::NoApplication)?;
        self.act(who, current, Act::Submit, facts, detail, conditions).await.map_err(|refused| match refused {
            Unable::NotAllowed(Refused::Unmet(Guard::SectionsComplete | Guard::DeclarationTicked), application) => {
                let mut errors: Vec<FieldError> =
                    missing(&application.answers).into_iter().map(FieldError::from).collect();
                if !submission.declaration {
                    errors.push(declaration_required());
                }
                Error::Invalid(errors)
            }
            other => other.into(),
        })
    }

    /// Takes a submission back, to change something. The reference number stays.
    ///
    /// # Errors
    /// [`Error::NotAllowed`] for one that is not submitted or has gone on since, [`Error::Stale`],
    /// [`Refusal::NoApplication`].
    pub async fn unsubmit_application(
        &self,
        who: &SignedIn,
        known: Option<Application>,
        conditions: Conditions,
    ) -> Result<Application, Error> {
        if let Some(application) = self.repeated(who, Act::Unsubmit, &conditions).await? {
            return Ok(application);
        }
        let current = known.ok_or(Refusal::NoApplication)?;
        let facts = |_: &Application| Facts::default();
        Ok(self.act(who, current, Act::Unsubmit, facts, json!({}), conditions).await?)
    }

    /// Ends the application.
    ///
    /// # Errors
    /// [`Error::NotAllowed`] for one that is enrolled, [`Error::Stale`], [`Refusal::NoApplication`].
    pub async fn withdraw_application(
        &self,
        who: &SignedIn,
        known: Option<Application>,
        withdrawal: Withdrawal,
        conditions: Conditions,
    ) -> Result<Application, Error> {
        if let Some(application) = self.repeated(who, Act::Withdraw, &conditions).await? {
            return Ok(application);
        }
        let current = known.ok_or(Refusal::NoApplication)?;
        let facts = |_: &Application| Facts { reason_given: true, ..Facts::default() };
        let detail = json!({ "reason": withdrawal.reason });
        Ok(self.act(who, current, Act::Withdraw, facts, detail, conditions).await?)
    }

    /// Brings back the application that was withdrawn a moment ago.
    ///
    /// # Errors
    /// [`Error::NotAllowed`] when the time for it is over, or another application is active, [`Error::Stale`],
    /// [`Refusal::NoApplication`] when none was withdrawn.
    pub async fn undo_withdrawal(&self, who: &SignedIn, conditions: Conditions) -> Result<Application, Error> {
        if let Some(application) = self.repeated(who, Act::UndoWithdraw, &conditions).await? {
            return Ok(application);
        }
        let ended = self.store.ended_application(&who.applicant.id).await?.ok_or(Refusal::NoApplication)?;
        let no_other_active = self.store.active_application(&who.applicant.id).await?.is_none();
        let facts = self.facts_of_end(&ended, no_other_active);
        let facts = |_: &Application| facts.clone();
        Ok(self.act(who, ended.application, Act::UndoWithdraw, facts, json!({}), conditions).await?)
    }

    /// The application that was withdrawn, as long as that can be undone. For someone without an active one.
    pub async fn undoable_withdrawal(&self, who: &SignedIn) -> Result<Option<EndedApplication>, Error> {
        let ended = self.store.ended_application(&who.applicant.id).await?;
        Ok(ended.filter(|ended| {
            let facts = self.facts_of_end(ended, true);
            decide(Stage::Archived, Act::UndoWithdraw, Actor::Applicant, &facts).is_ok()
        }))
    }

    fn facts_of_end(&self, ended: &EndedApplication, no_other_active: bool) -> Facts {
        Facts {
            no_other_active,
            ended_by: match ended.act {
                Act::Withdraw => Some(Ended::Withdrawn),
                Act::Decline => Some(Ended::Declined),
                _ => None,
            },
            minutes_since_end: Some((self.clock.now() - ended.ended_at).div_euclid(MINUTE)),
            former: ended.former,
            ..Facts::default()
        }
    }

    /// The application, if the act was done under this key before.
    async fn repeated(&self, who: &SignedIn, act: Act, conditions: &Conditions) -> Stored<Option<Application>> {
        match &conditions.key {
            Some(key) => self.store.application_by_key(&who.applicant.id, act, key).await,
            None => Ok(None),
        }
    }

    /// Does what the table allows. The facts are asked for again when somebody else was quicker.
    async fn act(
        &self,
        who: &SignedIn,
        mut current: Application,
        act: Act,
        facts: impl Fn(&Application) -> Facts + Send,
        detail: Value,
        conditions: Conditions,
    ) -> Result<Application, Unable> {
        for _ in 0..ATTEMPTS {
            let facts = facts(&current);
            let change = match decide(current.stage, act, Actor::Applicant, &facts) {
                Ok(change) => change,
                Err(refused) => return Err(Unable::NotAllowed(refused, Box::new(current))),
            };
            if conditions.expected.is_some_and(|expected| expected != current.revision) {
                return Err(Unable::Otherwise(Error::Stale(Box::new(current))));
            }
            let transition = self.transition(who, &current, act, change, &detail, &conditions);
            match self.store.transition(&transition).await {
                Ok(TransitionOutcome::Done(application) | TransitionOutcome::Repeated(application)) => {
                    return Ok(application);
                }
                Ok(TransitionOutcome::Stale(newer)) => current = newer,
                // Another application has the number: the next attempt picks another.
                Err(StoreError::Taken("reference")) => {}
                Err(error) => return Err(Unable::Otherwise(error.into())),
            }
        }
        Err(Unable::Otherwise(Error::Unavailable(None)))
    }

    /// The change with all that belongs to it.
    fn transition(
        &self,
        who: &SignedIn,
        current: &Application,
        act: Act,
        change: Change,
        detail: &Value,
        conditions: &Conditions,
    ) -> Transition {
        let now = self.clock.now();
        let mut audited = json!({ "from": current.stage.to_string(), "to": change.to.to_string() });
        if let (Value::Object(audited), Value::Object(more)) = (&mut audited, detail) {
            audited.extend(more.clone());
        }
        let subject = format!("application:{}", current.id);
        let mut transition = Transition {
            id: self.random.id(),
            application_id: current.id.clone(),
            expected: current.revision,
            act,
            key: conditions.key.clone(),
            from: current.stage,
            to: change.to,
            keeps_former: false,
            snapshot: None,
            reference: None,
            at: now,
            audit: self.by_applicant(&who.applicant.id, subject, audit_action(act), audited),
            mails: Vec::new(),
        };
        // The number first: mails tell it.
        let reference = match &current.reference {
            None if change.effects.contains(&Effect::AssignReference) => {
                let number = ReferenceNumber::new(current.program, self.today().year(), self.random.number());
                transition.reference = Some(number.clone());
                Some(number.as_str().to_owned())
            }
            known => known.clone(),
        };
        for effect in change.effects {
            match effect {
                Effect::Snapshot => transition.snapshot = Some(self.random.id()),
                Effect::KeepFormerState => transition.keeps_former = true,
                Effect::Mail(template) => {
                    transition.mails.extend(self.mail_of(template, who, current, reference.as_deref()));
                }
                // Done above, or on what does not exist yet: there is no slot, contract or payment to act on, and no office
                // that could be alerted.
                _ => {}
            }
        }
        transition
    }

    fn mail_of(
        &self,
        template: &str,
        who: &SignedIn,
        application: &Application,
        reference: Option<&str>,
    ) -> Option<NewMail> {
        let (applicant, program) = (&who.applicant, application.program);
        match template {
            "application-received" => Some(mails::application_received(self, applicant, program, reference?)),
            "application-withdrawn" => Some(mails::application_withdrawn(self, applicant, program)),
            "withdrawal-undone" => Some(mails::withdrawal_undone(self, applicant, program)),
            _ => None,
        }
    }
}

/// Why an act was not done.
enum Unable {
    /// The table does not allow it, for this copy.
    NotAllowed(Refused, Box<Application>),
    Otherwise(Error),
}

impl From<Unable> for Error {
    fn from(unable: Unable) -> Self {
        match unable {
            Unable::NotAllowed(refused, _) => Error::NotAllowed(refused),
            Unable::Otherwise(error) => error,
        }
    }
}

/// What the record calls it.
fn audit_action(act: Act) -> &'static str {
    match act {
        Act::Submit => "application.submitted",
        Act::Unsubmit => "application.unsubmitted",
        Act::Withdraw => "application.withdrawn",
        Act::UndoWithdraw => "application.withdrawal_undone",
        other => other.as_str(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body(name: &str, value: Input) -> Input {
        Input::Map(vec![(name.into(), value)])
    }

    fn code<T>(parsed: Result<T, Vec<FieldError>>) -> String {
        parsed.err().map(|errors| errors[0].code.clone()).unwrap_or_default()
    }

    #[test]
    fn a_declaration_is_yes_or_no() {
        assert!(Submission::parse(&body("declaration", Input::Bool(true))).unwrap().declaration);
        assert!(!Submission::parse(&body("declaration", Input::Bool(false))).unwrap().declaration);
        assert_eq!(code(Submission::parse(&body("declaration", Input::Text("yes".into())))), "declaration.type");
        assert_eq!(code(Submission::parse(&body("declaration", Input::Null))), "declaration.required");
        assert_eq!(code(Submission::parse(&body("status", Input::Bool(true)))), "field.unknown");
    }

    #[test]
    fn a_reason_is_a_text_with_lines() {
        let parse = |text: &str| Withdrawal::parse(&body("reason", Input::Text(text.into())));
        assert_eq!(parse(" I move.\r\nFar away. ").unwrap().reason, "I move.\nFar away.");
        assert_eq!(parse(&"ä".repeat(1000)).unwrap().reason.chars().count(), 1000);
        for (text, expected) in [
            ("", "reason.required"),
            (" \r\n ", "reason.required"),
            ("a\u{7}", "reason.invalid"),
            (&*"a".repeat(1001), "reason.too_long"),
        ] {
            assert_eq!(code(parse(text)), expected, "{text:?}");
        }
        assert_eq!(code(Withdrawal::parse(&body("reason", Input::Whole(1)))), "reason.type");
        assert_eq!(code(Withdrawal::parse(&Input::Map(Vec::new()))), "reason.required");
    }
}
