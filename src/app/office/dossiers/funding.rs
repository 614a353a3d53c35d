//! How an application's tuition is paid, for Finance: the current state, and verdicts on its sources.

use serde_json::json;

use super::Dossier;
use crate::error::{Error, Refusal};
use crate::money::funding::{FundingView, has_place};
use crate::{App, mails};
use domain::body;
use domain::body::{Read, lines, wrong};
use domain::funding::{FundingEntry, SourceKind, SourceState};
use domain::input::Input;
use domain::permission::Permission;
use domain::staff::StaffSession;
use store::NewVerdict;

/// Maximum number of characters in a reason.
const MAX_REASON_LENGTH: usize = 1_000;

body! {
    /// Finance's verdict on a source of funding.
    #[derive(PartialEq, Eq)]
    pub struct SourceJudgment {
        /// `tuition_assistance`, `gi_bill`, `employer`, `scholarship`
        #[schema(value_type = String)]
        pub source: SourceKind = known("Choose a source that somebody else pays.", |name| {
            SourceKind::parse(name).filter(|kind| *kind != SourceKind::SelfPay)
        }),
        state: SourceState = known("Choose what is known of the source.", |name| {
            SourceState::parse(name).filter(|state| *state != SourceState::Asked)
        }),
        /// If `refused`: the reason, for the applicant.
        #[schema(nullable = false)]
        reason: Option<String> = |path: &str, input: Option<&Input>| {
            let reason = lines("The reason", MAX_REASON_LENGTH)(path, input)?;
            match (state == Some(SourceState::Refused), reason) {
                (true, None) => Err(wrong(path, "required", "Say why, for the applicant.")),
                (is_refused, reason) => Ok(reason.filter(|_| is_refused)),
            }
        },
    }
}

/// Reads one of the known names.
fn known<T>(ask: &'static str, parse: impl FnOnce(&str) -> Option<T>) -> impl Read<T> {
    move |path: &str, input: Option<&Input>| {
        let typed = match input {
            Some(Input::Text(typed)) => typed.as_str(),
            _ => "",
        };
        let rule = if typed.is_empty() { "required" } else { "unknown" };
        parse(typed).ok_or_else(|| wrong(path, rule, ask))
    }
}

impl App {
    /// Returns how tuition is paid.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`], [`Refusal::NoFunding`] for an applicant who has no place and has paid nothing.
    pub async fn dossier_funding(&self, who: &StaffSession, dossier: &Dossier) -> Result<FundingView, Error> {
        who.staff.permit(Permission::Finance)?;
        let view = self.funding_as_it_is(&dossier.application).await?;
        if has_place(dossier.application.stage) || !view.ledger.posted.is_empty() {
            Ok(view)
        } else {
            Err(Refusal::NoFunding.into())
        }
    }

    /// Records whether a source pays. The applicant is told that there is an update.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`], [`Refusal::ApplicationNotFound`], [`Refusal::NoFunding`],
    /// [`Refusal::FundingChanged`].
    pub async fn judge_source(
        &self,
        who: &StaffSession,
        id: &str,
        seen: i64,
        verdict: SourceJudgment,
    ) -> Result<(), Error> {
        who.staff.permit(Permission::ManageFinance)?;
        let dossier = self.dossier(who, id).await?;
        let view = self.funding(&dossier.application).await?;
        let mut funding = view.funding.clone();
        let source = funding.sources.iter_mut().find(|source| source.kind == verdict.source);
        let Some(source) = source.filter(|_| view.plan.is_some() && view.revision() == seen) else {
            return Err(Refusal::FundingChanged.into());
        };
        if (source.state, source.reason.as_ref()) == (verdict.state, verdict.reason.as_ref()) {
            return Ok(());
        }
        let was = source.state;
        source.state = verdict.state;
        let detail = json!({ "source": verdict.source.as_str(), "was": was.as_str(), "state": verdict.state.as_str() });
        let audit = self.about_application(who, id, "funding.judged", detail);
        let mut follows = self.funding_follows(&dossier.application, &funding);
        let wording = self.wording().await;
        follows.mail = Some(mails::status_update(&wording, &dossier.applicant, dossier.application.program));
        let new = NewVerdict {
            application_id: id.to_owned(),
            expected: seen,
            kind: verdict.source,
            state: verdict.state,
            reason: verdict.reason,
            by: who.staff.id.clone(),
            at: audit.at,
        };
        if self.store.judge_source(&new, &follows, &audit).await? {
            self.enrol_when_complete(id).await;
            Ok(())
        } else {
            Err(Refusal::FundingChanged.into())
        }
    }

    /// Changes the plan on the applicant's behalf. What is already charged stays.
    ///
    /// # Errors
    /// As for [`judge_source`](Self::judge_source), and bad fields.
    pub async fn change_funding(
        &self,
        who: &StaffSession,
        id: &str,
        entry: &FundingEntry,
        seen: i64,
    ) -> Result<(), Error> {
        who.staff.permit(Permission::ManageFinance)?;
        let dossier = self.dossier(who, id).await?;
        let view = self.funding(&dossier.application).await?;
        self.write_funding(&dossier.application, &view, entry, seen, format!("staff:{}", who.staff.id)).await?;
        self.enrol_when_complete(id).await;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_has_a_reason() {
        let code = |source: &str, state: &str, reason: &str| {
            let body = json!({ "source": source, "state": state, "reason": reason });
            SourceJudgment::parse(&Input::from(body)).map_err(|errors| errors[0].code.clone())
        };
        assert_eq!(code("gi_bill", "refused", " "), Err("reason.required".into()));
        assert_eq!(code("self_pay", "refused", "No"), Err("source.unknown".into()));
        assert_eq!(code("gi_bill", "asked", ""), Err("state.unknown".into()));
        assert_eq!(code("gi_bill", "confirmed", "x").unwrap().reason, None);
        assert_eq!(code("gi_bill", "refused", " Too late ").unwrap().reason.as_deref(), Some("Too late"));
    }
}
