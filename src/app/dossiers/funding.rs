//! How the tuition of an application is paid, for Finance: what stands, and what they say of it.

use serde_json::json;

use super::super::error::{Error, Refusal};
use super::super::funding::{FundingView, has_place};
use super::super::ports::{NewVerdict, StaffSession};
use super::super::{App, mails};
use super::Dossier;
use crate::domain::funding::{FundingEntry, SourceKind, SourceState};
use crate::domain::input::{FieldError, Input, several_lines};
use crate::domain::permission::Permission;

/// Most characters of a reason.
const MAX_REASON_LENGTH: usize = 1_000;

/// What Finance says of a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    pub kind: SourceKind,
    state: SourceState,
    reason: Option<String>,
}

impl Verdict {
    /// # Errors
    /// `source.unknown`, `state.unknown`, `reason.required` for a refusal, `reason.too_long`.
    pub fn parse(source: &str, state: &str, reason: &str) -> Result<Verdict, Vec<FieldError>> {
        let kind = SourceKind::parse(source).filter(|kind| *kind != SourceKind::SelfPay);
        let error = |path: &str, typed: &str, message: &'static str| {
            let rule = if typed.is_empty() { "required" } else { "unknown" };
            vec![FieldError::new(path, format!("{path}.{rule}"), message)]
        };
        let kind = kind.ok_or_else(|| error("source", source, "Choose a source that somebody else pays."))?;
        let known = SourceState::parse(state).filter(|state| *state != SourceState::Asked);
        let state = known.ok_or_else(|| error("state", state, "Choose what is known of the source."))?;
        let given = Input::Text(reason.to_owned());
        let reason =
            several_lines("reason", "The reason", Some(&given), MAX_REASON_LENGTH).map_err(|error| vec![error])?;
        if state == SourceState::Refused && reason.is_none() {
            return Err(vec![FieldError::new("reason", "reason.required", "Say why, for the applicant.")]);
        }
        let reason = reason.filter(|_| state == SourceState::Refused);
        Ok(Verdict { kind, state, reason })
    }
}

impl App {
    /// How tuition is paid.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`], [`Refusal::NoFunding`] for who has no place, and has paid nothing for one.
    pub async fn dossier_funding(&self, who: &StaffSession, dossier: &Dossier) -> Result<FundingView, Error> {
        who.staff.permit(Permission::Finance)?;
        let view = self.funding_as_it_is(&dossier.application).await?;
        if has_place(dossier.application.stage) || !view.ledger.posted.is_empty() {
            Ok(view)
        } else {
            Err(Refusal::NoFunding.into())
        }
    }

    /// Notes whether a source pays. The applicant is told that there is an update.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`], [`Refusal::ApplicationNotFound`], [`Refusal::NoFunding`], [`Refusal::FundingChanged`].
    pub async fn judge_source(&self, who: &StaffSession, id: &str, seen: i64, verdict: Verdict) -> Result<(), Error> {
        who.staff.permit(Permission::ManageFinance)?;
        let dossier = self.dossier(who, id).await?;
        let view = self.funding(&dossier.application).await?;
        let mut funding = view.funding.clone();
        let source = funding.sources.iter_mut().find(|source| source.kind == verdict.kind);
        let Some(source) = source.filter(|_| view.plan.is_some() && view.revision() == seen) else {
            return Err(Refusal::FundingChanged.into());
        };
        if (source.state, source.reason.as_ref()) == (verdict.state, verdict.reason.as_ref()) {
            return Ok(());
        }
        let was = source.state;
        source.state = verdict.state;
        let detail = json!({ "source": verdict.kind.as_str(), "was": was.as_str(), "state": verdict.state.as_str() });
        let audit = self.about_application(who, id, "funding.judged", detail);
        let mut follows = self.funding_follows(&dossier.application, &funding);
        let wording = self.wording().await;
        follows.mail = Some(mails::status_update(&wording, &dossier.applicant, dossier.application.program));
        let new = NewVerdict {
            application_id: id.to_owned(),
            expected: seen,
            kind: verdict.kind,
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

    /// Changes the plan for its applicant. What was charged stays.
    ///
    /// # Errors
    /// As [`judge_source`](Self::judge_source), and bad fields.
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
            Verdict::parse(source, state, reason).map_err(|errors| errors[0].code.clone())
        };
        assert_eq!(code("gi_bill", "refused", " "), Err("reason.required".into()));
        assert_eq!(code("self_pay", "refused", "No"), Err("source.unknown".into()));
        assert_eq!(code("gi_bill", "asked", ""), Err("state.unknown".into()));
        assert_eq!(code("gi_bill", "confirmed", "x").unwrap().reason, None);
        assert_eq!(code("gi_bill", "refused", " Too late ").unwrap().reason.as_deref(), Some("Too late"));
    }
}
