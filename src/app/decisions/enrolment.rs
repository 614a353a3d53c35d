//! Enrolment: which conditions of an offer are met, what is still missing for an enrolment, and enrolling automatically
//! once everything is there, whatever came last.

use serde_json::json;

use crate::applications::acts::{Actor, Command, Preconditions, Unable};
use crate::error::{Error, Refusal};
use crate::jobs::Ran;
use crate::office::dossiers::HIDDEN;
use crate::{App, mails};
use domain::application::{Application, ApplicationKey};
use domain::contract::ContractState;
use domain::decision::{ConditionVerdict, Decision};
use domain::mail::{AttachedContent, Attachment, MailKind};
use domain::moments::HOUR;
use domain::permission::Permission;
use domain::staff::StaffSession;
use domain::status::{Act, ActorKind, Facts, Outcome, Stage, decide};
use store::{JudgedCondition, NewConditionVerdict, Transition};

/// Applications per query.
const AT_ONCE: i64 = 100;

/// A condition of an offer, and its verdict.
#[derive(Debug, Clone)]
pub struct OfferCondition {
    /// Position in the decision's list, from 1.
    pub number: i64,
    pub text: String,
    /// None while it is open.
    pub judged: Option<JudgedCondition>,
}

impl OfferCondition {
    /// The revision that a change must have seen: 0 for an open condition.
    pub fn revision(&self) -> i64 {
        self.judged.as_ref().map_or(0, |judged| judged.revision)
    }

    fn without_words(mut self) -> OfferCondition {
        self.text = HIDDEN.to_owned();
        if let Some(judged) = &mut self.judged {
            judged.verdict.note = String::new();
        }
        self
    }

    /// Whether it is met or waived.
    pub fn is_settled(&self) -> bool {
        self.judged.as_ref().is_some_and(|judged| judged.verdict.state.is_settled())
    }
}

impl App {
    /// The conditions of the released offer, in its order; without their wording for roles that may not see personal
    /// data.
    ///
    /// # Errors
    /// Store errors.
    pub async fn offer_conditions(
        &self,
        who: &StaffSession,
        application_id: &str,
    ) -> Result<Vec<OfferCondition>, Error> {
        let Some(decided) = self.store.decided(application_id).await? else { return Ok(Vec::new()) };
        let conditions = self.conditions_of(&decided.decision).await?;
        let may_read = who.staff.role.may(Permission::PersonalData);
        Ok(if may_read { conditions } else { conditions.into_iter().map(OfferCondition::without_words).collect() })
    }

    async fn conditions_of(&self, decision: &Decision) -> Result<Vec<OfferCondition>, Error> {
        let texts = decision.ruling.conditions();
        if texts.is_empty() {
            return Ok(Vec::new());
        }
        let judged = self.store.judged_conditions(&decision.id).await?;
        let condition = |(number, text): (i64, &String)| OfferCondition {
            number,
            text: text.clone(),
            judged: judged.iter().find(|judged| judged.number == number).cloned(),
        };
        Ok((1..).zip(texts).map(condition).collect())
    }

    /// Records the verdict on a condition; `seen` is the revision that was seen. The applicant is told that there is an
    /// update, unless they may not know of the offer yet.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`], [`Refusal::ApplicationNotFound`], [`Refusal::NoSuchCondition`],
    /// [`Refusal::ConditionChanged`].
    pub async fn judge_condition(
        &self,
        who: &StaffSession,
        id: &str,
        number: i64,
        verdict: &ConditionVerdict,
        seen: i64,
    ) -> Result<(), Error> {
        let application = self.office_application(who, id, Permission::Decide).await?;
        let decision = self.store.decided(id).await?.ok_or(Refusal::NoSuchCondition)?.decision;
        let found = self.conditions_of(&decision).await?.into_iter().find(|condition| condition.number == number);
        let condition = found.ok_or(Refusal::NoSuchCondition)?;
        if condition.judged.as_ref().is_some_and(|judged| judged.verdict == *verdict) {
            return Ok(());
        }
        let detail = json!({
            "condition": number,
            "was": condition.judged.as_ref().map_or("open", |judged| judged.verdict.state.as_str()),
            "state": verdict.state.as_str(),
        });
        let audit = self.about_application(who, id, "offer.condition", detail);
        let (applicant, _) = self.find_application(ApplicationKey::Id(id)).await?;
        let knows = self.shown(application.clone()).stage == application.stage;
        let wording = self.wording().await;
        let mail = knows.then(|| mails::status_update(&wording, &applicant, application.program));
        let new = NewConditionVerdict {
            decision_id: &decision.id,
            number,
            verdict,
            expected: seen,
            judged_by: &who.staff.id,
            judged_at: audit.at,
        };
        if !self.store.judge_condition(&new, mail.as_ref(), &audit).await? {
            return Err(Refusal::ConditionChanged.into());
        }
        self.enrol_when_complete(id).await;
        Ok(())
    }

    /// The facts that an enrolment needs, for the application as it is now.
    pub(crate) async fn facts_of_enrolment(&self, application: &Application, facts: Facts) -> Result<Facts, Error> {
        let decided = self.store.decided(&application.id).await?;
        let accepted = decided.filter(|decided| decided.decision.ruling.outcome() == Outcome::Accept);
        let conditions_met = match accepted {
            Some(accepted) => self.conditions_of(&accepted.decision).await?.iter().all(OfferCondition::is_settled),
            None => false,
        };
        let contract_countersigned = self.is_contract_countersigned(application).await?;
        self.money_facts(application, Facts { contract_countersigned, conditions_met, ..facts }).await
    }

    /// Enrols if nothing is missing any more. Called after anything that may have been the last missing item; errors do
    /// not affect the caller, since [`complete_enrolments`](Self::complete_enrolments) tries again.
    pub(crate) async fn enrol_when_complete(&self, application_id: &str) {
        if let Err(error) = self.enrol_if_complete(application_id).await {
            let error = &error as &dyn std::error::Error;
            tracing::warn!(application = application_id, error, "could not be enrolled; it is tried again");
        }
    }

    async fn enrol_if_complete(&self, application_id: &str) -> Result<(), Error> {
        let (applicant, application) = self.find_application(ApplicationKey::Id(application_id)).await?;
        if application.stage != Stage::Confirmed {
            return Ok(());
        }
        // Once somebody has undone an enrolment, it is only done by hand.
        if self.store.stage_changes(application_id).await?.iter().any(|change| change.act == Act::Unenrol) {
            return Ok(());
        }
        let facts = self.facts_of_enrolment(&application, Facts::default()).await?;
        // Most applications still lack something: for them no file is read.
        if decide(application.stage, Act::Enrol, ActorKind::System, &facts).is_err() {
            return Ok(());
        }
        let copy = self.attached_copy(&application).await;
        let command = Command {
            act: Act::Enrol,
            actor: Actor::system(),
            applicant: &applicant,
            facts: &|_| facts.clone(),
            detail: json!({}),
            also: &|_, transition| attach(copy.clone(), transition),
            conditions: Preconditions::default(),
        };
        match self.act(application, command).await {
            // Something is still missing.
            Ok(_) | Err(Unable::NotAllowed(..)) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// [`jobs::COMPLETE_ENROLMENTS`](crate::jobs::COMPLETE_ENROLMENTS): enrols every application that is complete, in
    /// case a process died between the last missing item and the enrolment.
    pub(crate) async fn complete_enrolments(&self) -> Result<Ran, Error> {
        let mut after = String::new();
        loop {
            let ids = self.store.accepted_applications(&after, AT_ONCE).await?;
            for id in &ids {
                self.enrol_when_complete(id).await;
            }
            match ids.into_iter().last() {
                Some(last) => after = last,
                None => return Ok(Ran::AgainAt(self.clock.now() + HOUR)),
            }
        }
    }

    /// The signed contract, for the welcome mail. Without it, the mail still links to it.
    pub(crate) async fn attached_copy(&self, application: &Application) -> Option<Attachment> {
        let found = async {
            let all = self.store.contracts_of(&application.id).await?;
            match all.into_iter().find(|contract| contract.state == ContractState::Countersigned) {
                Some(contract) => self.contract_pdf(&contract, application).await.map(Some),
                None => Ok(None),
            }
        };
        let file = found.await.unwrap_or_else(|error: Error| {
            let error = &error as &dyn std::error::Error;
            tracing::warn!(application = application.id, error, "the signed contract could not be attached");
            None
        })?;
        let content = AttachedContent::Bytes(file.bytes);
        Some(Attachment { name: file.name, content_type: "application/pdf".into(), content })
    }
}

/// Attaches the signed contract to the welcome mail.
pub(crate) fn attach(copy: Option<Attachment>, transition: &mut Transition) {
    let welcome = MailKind::Enrolled.template();
    if let Some(mail) = transition.mails.iter_mut().find(|mail| mail.template == welcome) {
        mail.attachment = copy;
    }
}
