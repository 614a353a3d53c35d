//! What staff do about fees: waiving one, answering a request for a waiver, taking a waiver back; and the codes.
//!
//! A waiver is a booking in the ledger like any other: it asks for the password again, and may need a second person.

use serde_json::json;

use super::{FeeView, goes_on, is_early};
use crate::App;
use crate::error::{Error, Refusal};
use crate::mails;
use crate::office::dossiers::{Booked, Dossier, FinanceBooking, booking_scope};
use domain::application_fee::{ApplicationFee, FeeCode, FeeRule, FeeState, NeedRefusal, NewFeeCode, WaivedBy};
use domain::body;
use domain::body::{lines, wrong};
use domain::input::{FieldError, Input};
use domain::ledger::{Kind, LedgerError, Line};
use domain::permission::Permission;
use domain::staff::{Staff, StaffSession};
use store::StoreError;

/// Maximum number of characters in a reason.
const MAX_REASON_LENGTH: usize = 500;

const WAIVE: &str = "waive";
const APPROVE: &str = "approve";
const REFUSE: &str = "refuse";
const TAKE_BACK: &str = "take-back";

body! {
    /// An act on the application fee.
    pub struct FeeActInput {
        /// `waive`, `approve`, `refuse`, `take-back`
        act: String = act,
        /// Up to 500 characters. For `waive`: why, for colleagues. For `approve`, optionally, the same. For `refuse`:
        /// why, for the applicant.
        #[schema(nullable = false)]
        reason: Option<String> = |path: &str, input: Option<&Input>| {
            let reason = lines("The reason", MAX_REASON_LENGTH)(path, input)?;
            match (act.as_deref(), reason) {
                (Some(WAIVE), None) => Err(wrong(path, "required", "Say why, for your colleagues.")),
                (Some(REFUSE), None) => Err(wrong(path, "required", "Say why, for the applicant.")),
                (_, reason) => Ok(reason),
            }
        },
    }
}

fn act(path: &str, input: Option<&Input>) -> Result<String, FieldError> {
    match input {
        Some(Input::Text(act)) if [WAIVE, APPROVE, REFUSE, TAKE_BACK].contains(&act.as_str()) => Ok(act.clone()),
        Some(Input::Text(act)) if !act.is_empty() => {
            Err(wrong(path, "unknown", "Choose one of the acts that are possible now."))
        }
        _ => Err(wrong(path, "required", "Choose what to do.")),
    }
}

/// An act of staff on a fee.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FeeAct {
    /// Waives it, with the reason.
    Waive(String),
    /// Grants the waiver that the applicant asks for, with a note.
    Approve(Option<String>),
    /// Does not grant it, with the reason for the applicant.
    Refuse(String),
    /// Makes a fee that staff waived due again.
    TakeBack,
}

impl FeeAct {
    /// Acts that ask for the password again.
    pub const ASKS_AGAIN: [&str; 3] = [WAIVE, APPROVE, TAKE_BACK];

    /// # Errors
    /// Bad fields.
    pub fn parse(input: &Input) -> Result<FeeAct, Vec<FieldError>> {
        let FeeActInput { act, reason } = FeeActInput::parse(input)?;
        Ok(match act.as_str() {
            WAIVE => FeeAct::Waive(reason.unwrap_or_default()),
            APPROVE => FeeAct::Approve(reason),
            REFUSE => FeeAct::Refuse(reason.unwrap_or_default()),
            _ => FeeAct::TakeBack,
        })
    }
}

/// A fee as staff see it.
#[derive(Debug, Clone)]
pub struct OfficeFee {
    pub view: FeeView,
    /// The acts that are open to the caller now, by their names.
    pub acts: Vec<&'static str>,
}

impl App {
    /// The fee of an application; `None` if it has none. Only those who decide about a request for a waiver read it.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`], [`Refusal::ApplicationNotFound`]
    pub async fn fee_for_office(&self, who: &StaffSession, id: &str) -> Result<Option<OfficeFee>, Error> {
        who.staff.permit(Permission::Finance)?;
        let dossier = self.dossier(who, id).await?;
        let Some(mut view) = self.fee_of(&dossier.application).await? else { return Ok(None) };
        let mut acts = Vec::new();
        if who.staff.role.may(Permission::ManageFinance) {
            if view.can_pay && view.fee.need_waits() {
                acts.extend([APPROVE, REFUSE]);
            } else if view.can_pay {
                acts.push(WAIVE);
            }
            if self.waiver_to_take_back(&dossier, &view.fee).await?.is_some() {
                acts.push(TAKE_BACK);
            }
        } else {
            view.fee.need = None;
        }
        Ok(Some(OfficeFee { view, acts }))
    }

    /// Does an act on a fee, once for each `key`. A waiver may wait for a second person; until then the fee is due.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`], [`Refusal::StepUp`] for anything but a refusal, [`Refusal::ApplicationNotFound`],
    /// [`Refusal::NoFee`], [`Refusal::FeeSettled`], [`Refusal::NoFeeNeed`], [`Refusal::FeeWaiverKept`], and the errors of
    /// a booking.
    pub async fn act_on_fee(&self, who: &StaffSession, id: &str, key: &str, act: FeeAct) -> Result<Booked, Error> {
        who.staff.permit(Permission::ManageFinance)?;
        let dossier = self.dossier(who, id).await?;
        let fee = self.store.application_fee(id).await?.ok_or(Refusal::NoFee)?;
        let waiver = |reason| FinanceBooking::Forgive { line: Line::ApplicationFee, kind: Kind::Waiver, reason };
        let booking = match act {
            FeeAct::Waive(reason) => waiver(reason),
            FeeAct::Approve(note) => {
                if fee.is_due() && !fee.need_waits() {
                    return Err(Refusal::NoFeeNeed.into());
                }
                waiver(note.unwrap_or_else(|| FeeRule::Need.label().to_string()))
            }
            FeeAct::Refuse(sentence) => {
                self.refuse_fee_waiver(who, &dossier, &fee, sentence).await?;
                return Ok(Booked::Written);
            }
            FeeAct::TakeBack => match self.waiver_to_take_back(&dossier, &fee).await? {
                Some(transaction) => {
                    FinanceBooking::Reversal { transaction, reason: "The waiver is taken back.".to_owned() }
                }
                // Sent again, it was taken back by this very call.
                None if fee.is_due() && self.is_key_used(&booking_scope(id, key)).await? => return Ok(Booked::Written),
                None => return Err(Refusal::FeeWaiverKept.into()),
            },
        };
        let is_over = !goes_on(dossier.application.stage);
        self.book_for_office(who, id, key, booking).await.map_err(|error| match error {
            Error::Refused(Refusal::Ledger(LedgerError::NothingOwed)) if !is_over => Refusal::FeeSettled.into(),
            other => other,
        })
    }

    async fn refuse_fee_waiver(
        &self,
        who: &StaffSession,
        dossier: &Dossier,
        fee: &ApplicationFee,
        sentence: String,
    ) -> Result<(), Error> {
        if !goes_on(dossier.application.stage) {
            return Err(Refusal::NoFeeNeed.into());
        }
        let id = dossier.application.id.as_str();
        let audit = self.about_application(who, id, "fee.need_refused", json!({}));
        let wording = self.wording().await;
        let program = dossier.application.program;
        // Part of it may have been paid.
        let owed = self.store.ledger(id).await?.book().owed(Line::ApplicationFee);
        // The dossier of a role that may see money has the person's address.
        let mail = mails::fee_waiver_refused(&wording, &dossier.applicant, program, owed, &sentence);
        let refusal = NeedRefusal { sentence, at: audit.at, by: who.staff.id.clone() };
        if self.store.refuse_fee_waiver(id, &refusal, &mail, &audit).await? {
            return Ok(());
        }
        let is_same = |need: &NeedRefusal| need.by == refusal.by && need.sentence == refusal.sentence;
        let now = self.store.application_fee(id).await?;
        match now.as_ref().and_then(|now| now.need.as_ref()).and_then(|need| need.refusal.as_ref()) {
            Some(there) if is_same(there) => Ok(()),
            _ if !fee.is_due() => Err(Refusal::FeeSettled.into()),
            _ => Err(Refusal::NoFeeNeed.into()),
        }
    }

    /// The ledger's id of the waiver by staff that can be taken back: nothing was done with the application since.
    async fn waiver_to_take_back(&self, dossier: &Dossier, fee: &ApplicationFee) -> Result<Option<String>, Error> {
        let application = &dossier.application;
        let is_by_staff = fee.state == FeeState::Waived && fee.waived_by == Some(WaivedBy::Staff);
        let waived_at = fee.decided_at.filter(|_| is_by_staff && is_early(application.stage));
        let Some(waived_at) = waived_at else { return Ok(None) };
        let changes = self.store.stage_changes(&application.id).await?;
        let has_moved_on = changes.iter().any(|change| change.happened_at > waived_at);
        if has_moved_on || self.drafted(&application.id).await?.is_some() {
            return Ok(None);
        }
        let book = self.store.ledger(&application.id).await?.book();
        Ok(book.forgiven(Line::ApplicationFee).map(|waiver| waiver.id.clone()))
    }

    /// All codes, the newest first.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`]
    pub async fn fee_codes(&self, who: &StaffSession) -> Result<Vec<FeeCode>, Error> {
        who.staff.permit(Permission::Finance)?;
        Ok(self.store.fee_codes().await?)
    }

    /// Creates a code.
    ///
    /// # Errors
    /// Bad fields, `code.taken`, [`Refusal::RoleForbidden`].
    pub async fn create_fee_code(&self, who: &StaffSession, input: &Input) -> Result<FeeCode, Error> {
        who.staff.permit(Permission::ManageFinance)?;
        let asked = NewFeeCode::parse(input)?;
        asked.check(self.today())?;
        self.create_fee_code_by(&who.staff, asked).await
    }

    pub(crate) async fn create_fee_code_by(&self, staff: &Staff, asked: NewFeeCode) -> Result<FeeCode, Error> {
        let id = self.random.id();
        let detail = json!({ "code": asked.code, "mostUses": asked.most_uses });
        let audit = self.about_fee_code(staff, &id, "fee_code.created", detail);
        let new = FeeCode {
            id,
            code: asked.code,
            program: asked.application_type,
            note: asked.note.unwrap_or_default(),
            most_uses: asked.most_uses,
            expires_on: asked.expires_on,
            created_at: audit.at,
            created_by: staff.id.clone(),
            ended_at: None,
            uses: 0,
        };
        match self.store.create_fee_code(&new, &audit).await {
            Ok(()) => Ok(new),
            Err(StoreError::Taken("fee_code")) => Err(FeeCode::taken().into()),
            Err(error) => Err(error.into()),
        }
    }

    /// Ends a code. The fees that it waived stay waived.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`], [`Refusal::FeeCodeNotFound`]
    pub async fn end_fee_code(&self, who: &StaffSession, id: &str) -> Result<(), Error> {
        who.staff.permit(Permission::ManageFinance)?;
        let code = self.store.fee_code(id).await?.ok_or(Refusal::FeeCodeNotFound)?;
        self.end_fee_code_by(&who.staff, &code).await
    }

    pub(crate) async fn end_fee_code_by(&self, staff: &Staff, code: &FeeCode) -> Result<(), Error> {
        let audit = self.about_fee_code(staff, &code.id, "fee_code.ended", json!({ "code": code.code }));
        self.store.end_fee_code(&code.id, &audit).await?;
        Ok(())
    }

    fn about_fee_code(
        &self,
        staff: &Staff,
        id: &str,
        action: &'static str,
        detail: serde_json::Value,
    ) -> store::AuditEntry {
        self.audit_entry(format!("staff:{}", staff.id), format!("fee-code:{id}"), action, detail)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_act_has_the_reason_that_it_needs() {
        let parse = |act: &str, reason: &str| {
            let body = Input::from(json!({ "act": act, "reason": reason }));
            FeeAct::parse(&body).map_err(|errors| errors[0].code.clone())
        };
        assert_eq!(parse("waive", " Granted "), Ok(FeeAct::Waive("Granted".into())));
        assert_eq!(parse("approve", ""), Ok(FeeAct::Approve(None)));
        assert_eq!(parse("take-back", ""), Ok(FeeAct::TakeBack));
        assert_eq!(parse("refuse", ""), Err("reason.required".into()));
        assert_eq!(parse("waive", " "), Err("reason.required".into()));
        assert_eq!(parse("forget", "x"), Err("act.unknown".into()));
        assert_eq!(parse("", "x"), Err("act.required".into()));
        assert_eq!(parse("waive", &"x".repeat(501)), Err("reason.too_long".into()));
    }
}
