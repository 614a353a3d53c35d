//! Submitting an application and taking that back, withdrawing one and undoing that. The table of `domain::status`
//! governs each act, and `acts` does it.

use serde_json::json;

use crate::App;
use crate::accounts::sessions::SignedIn;
use crate::applications::acts::{Command, Preconditions, Unable};
use crate::error::{Error, Refusal};
use crate::jobs::{self, Ran, subject};
use domain::application::{Application, DECLARATION, EndedApplication, missing};
use domain::body::{lines, required, yes_or_no};
use domain::decision::MAX_REASON_LENGTH;
use domain::input::FieldError;
use domain::moments::{HOUR, MINUTE, Millis};
use domain::program::Program;
use domain::sentence::Sentence;
use domain::status::{Act, Ended, Facts, Guard, Refused, Stage};
use domain::{body, text};
use store::{DecisionWrite, Job, NewJob, NewMail, Transition};

/// Minimum time between two mails that confirm the same application.
const CONFIRMED_EVERY: Millis = HOUR;
const READ_THE_DECLARATION: Sentence = text!("Read the declaration and check the box.");

body! {
    /// The statement that comes with a submission.
    #[derive(Copy)]
    pub struct Submission {
        /// Confirms that the applicant has read the declaration and agrees: every answer is truthful and complete.
        pub declaration: bool = required(yes_or_no, READ_THE_DECLARATION),
    }
}

body! {
    /// The reason for a withdrawal.
    pub struct Withdrawal {
        /// 1 to 1,000 characters.
        pub reason: String = required(
            lines(text!("The reason"), MAX_REASON_LENGTH),
            text!("Tell us in a few words why you are withdrawing."),
        ),
    }
}

impl Withdrawal {
    /// The withdrawal of a rejected application whose applicant wants to start another.
    pub fn to_apply_again() -> Withdrawal {
        Withdrawal { reason: "To apply again.".to_owned() }
    }
}

fn declaration_required() -> FieldError {
    FieldError::new("declaration", Guard::DeclarationTicked.code(), READ_THE_DECLARATION)
}

impl App {
    /// Submits the application, or resubmits it after requested changes: answers are frozen, a reference number is
    /// assigned unless there is one, and a mail confirms its arrival.
    ///
    /// # Errors
    /// One for each missing answer and for a declaration that is not ticked, [`Error::NotAllowed`] for one that was
    /// submitted before, [`Error::Stale`], [`Refusal::NoApplication`].
    pub async fn submit_application(
        &self,
        who: &SignedIn,
        known: Option<Application>,
        submission: Submission,
        conditions: Preconditions,
    ) -> Result<Application, Error> {
        for act in [Act::Submit, Act::Resubmit] {
            if let Some(application) = self.repeated(&who.applicant.id, act, &conditions).await? {
                return Ok(application);
            }
        }
        let current = known.ok_or(Refusal::NoApplication)?;
        let act = if current.stage == Stage::Changes { Act::Resubmit } else { Act::Submit };
        let asked = self.question_sets().await?;
        // The program may be switched meanwhile.
        let bachelor = self.elsewhere(&current, asked.of(Program::Bachelor)).await?;
        let masters = self.elsewhere(&current, asked.of(Program::Masters)).await?;
        let missing = |application: &Application| {
            let set = asked.of(application.program);
            let elsewhere = match application.program {
                Program::Bachelor => &bachelor,
                Program::Masters => &masters,
            };
            missing(&application.answers.asked_by(set), set, elsewhere)
        };
        let facts = |application: &Application| Facts {
            sections_complete: missing(application).is_empty(),
            declaration_ticked: submission.declaration,
            ..Facts::default()
        };
        let detail = json!({ "declaration": DECLARATION });
        self.act(current, Command::own(who, act, &facts, detail, conditions)).await.map_err(|refused| match refused {
            Unable::NotAllowed(Refused::Unmet(Guard::SectionsComplete | Guard::DeclarationTicked), application) => {
                let mut errors: Vec<FieldError> = missing(&application).into_iter().map(FieldError::from).collect();
                if !submission.declaration {
                    errors.push(declaration_required());
                }
                Error::Invalid(errors)
            }
            other => other.into(),
        })
    }

    /// Whether it was already submitted under the same number less than an hour ago. Repeated submissions get one mail
    /// after the last, rather than one each.
    pub(crate) fn was_received(&self, current: &Application, transition: &Transition) -> bool {
        let recent = current.submitted_at.is_some_and(|at| transition.at - at < CONFIRMED_EVERY);
        recent && transition.reference.is_none()
    }

    /// Schedules the confirmation mail for an hour from now.
    pub(crate) fn confirm_later(&self, transition: &mut Transition) {
        let due_at = transition.at + CONFIRMED_EVERY;
        let job = self.job_about(transition, jobs::CONFIRM_SUBMISSION, json!({}), due_at);
        let plan_key = Some(format!("{}:{}", jobs::CONFIRM_SUBMISSION, transition.application_id));
        transition.jobs.push(NewJob { plan_key, ..job });
    }

    /// [`jobs::CONFIRM_SUBMISSION`]
    pub(crate) async fn confirm_submission(&self, job: &Job) -> Result<Ran, Error> {
        let Some((applicant, application)) = self.store.application(subject(job)).await? else { return Ok(Ran::Done) };
        let is_there = !matches!(application.stage, Stage::None | Stage::Draft | Stage::Archived);
        if let Some(reference) = application.reference.as_deref().filter(|_| is_there) {
            let fee = self.fee_of_act(&application, Act::Resubmit).await?;
            let mail = fee.received_mail(&self.wording().await, &applicant, application.program, reference);
            self.store.tell(&[], &[NewMail { id: job.id.clone(), ..mail }]).await?;
        }
        Ok(Ran::Done)
    }

    /// Takes a submission back, so that it can be changed. The reference number stays.
    ///
    /// # Errors
    /// [`Error::NotAllowed`] for one that is not submitted or has moved on since, [`Error::Stale`],
    /// [`Refusal::NoApplication`].
    pub async fn unsubmit_application(
        &self,
        who: &SignedIn,
        known: Option<Application>,
        conditions: Preconditions,
    ) -> Result<Application, Error> {
        if let Some(application) = self.repeated(&who.applicant.id, Act::Unsubmit, &conditions).await? {
            return Ok(application);
        }
        let current = known.ok_or(Refusal::NoApplication)?;
        let facts = |_: &Application| Facts::default();
        Ok(self.act(current, Command::own(who, Act::Unsubmit, &facts, json!({}), conditions)).await?)
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
        conditions: Preconditions,
    ) -> Result<Application, Error> {
        if let Some(application) = self.repeated(&who.applicant.id, Act::Withdraw, &conditions).await? {
            return Ok(application);
        }
        let current = known.ok_or(Refusal::NoApplication)?;
        let facts = |_: &Application| Facts { reason_given: true, ..Facts::default() };
        let also = |_: &Application, transition: &mut Transition| transition.reason = Some(withdrawal.reason.clone());
        let command = Command { also: &also, ..Command::own(who, Act::Withdraw, &facts, json!({}), conditions) };
        Ok(self.act(current, command).await?)
    }

    /// Restores the application that was just withdrawn.
    ///
    /// # Errors
    /// [`Error::NotAllowed`] when it is too late, or another application is active, [`Error::Stale`],
    /// [`Refusal::NoApplication`] when none was withdrawn.
    pub async fn undo_withdrawal(&self, who: &SignedIn, conditions: Preconditions) -> Result<Application, Error> {
        if let Some(application) = self.repeated(&who.applicant.id, Act::UndoWithdraw, &conditions).await? {
            return Ok(application);
        }
        self.undo_end(who, Act::UndoWithdraw, conditions).await
    }

    /// Restores the application that just ended, by the act that undoes its end.
    pub(crate) async fn undo_end(
        &self,
        who: &SignedIn,
        act: Act,
        conditions: Preconditions,
    ) -> Result<Application, Error> {
        let ended = self.store.ended_application(&who.applicant.id).await?.ok_or(Refusal::NoApplication)?;
        let no_other_active = self.store.active_application(&who.applicant.id).await?.is_none();
        let facts = self.facts_of_end(&ended, no_other_active);
        let facts = |_: &Application| facts.clone();
        let also = |_: &Application, transition: &mut Transition| {
            if act == Act::UndoDecline {
                transition.decision.push(DecisionWrite::Reply { reply: None, reason: None });
            }
        };
        let command = Command { also: &also, ..Command::own(who, act, &facts, json!({}), conditions) };
        Ok(self.act(ended.application, command).await?)
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::input::Input;

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
