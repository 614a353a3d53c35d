//! The application fee, on the tab "Funding": how far it is, and waiving it. Payments are noted in the ledger there.

use axum::response::Response;
use serde::Serialize;

use super::{called, done, funding, instead, status};
use crate::admin::Office;
use crate::{Form, moment, problem};
use app::applications::acts::Preconditions;
use app::money::fees::{FeeAct, OfficeFee as FeeForOffice};
use app::office::dossiers::{Booked, Dossier};
use app::{Error, Refusal};
use domain::application_fee::{ApplicationFee, FeeNeed, FeeState};
use domain::input::Input;
use domain::ledger::Line;
use domain::money::dollars;

/// The form that waives the fee, by its name in the address.
const WAIVE: &str = "fee-waive";
/// The form that refuses a request for a waiver.
const REFUSE: &str = "fee-refuse";

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct OfficeFee {
    pub state: FeeState,
    pub word: &'static str,
    pub amount_text: String,
    /// What is left to pay, if a part is paid.
    pub owed_text: Option<String>,
    pub intake_text: String,
    /// When and by whom it was paid or waived.
    pub settled_text: Option<String>,
    /// Why it is waived.
    pub why_text: Option<String>,
    pub request: Option<OfficeFeeRequest>,
    pub pay_href: Option<String>,
    pub waive_href: Option<String>,
    pub may_approve: bool,
    pub refuse_href: Option<String>,
    pub may_take_back: bool,
    pub task: Option<OfficeFeeTask>,
}

/// An applicant's request for a waiver.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct OfficeFeeRequest {
    pub statement: String,
    pub asked_text: String,
    /// When and by whom it was refused.
    pub refused_text: Option<String>,
    /// What the applicant was told.
    pub refusal: Option<String>,
}

/// The form that is open.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct OfficeFeeTask {
    #[cfg_attr(test, ts(type = "'waive' | 'refuse'"))]
    pub act: &'static str,
    /// When a waiver has to wait for a second person.
    pub second_person_text: Option<String>,
}

pub async fn submit(office: Office<'_>, form: &Form) -> Response {
    let Office { visit, who, id } = office;
    let app = &visit.state.app;
    let (outcome, task) = match form.get("_action") {
        "waive" => ("fee-waived", WAIVE),
        "approve" => ("fee-waived", ""),
        "refuse" => ("fee-refused", REFUSE),
        "take-back" => ("fee-due", ""),
        _ => return problem::page(visit, problem::BAD_REQUEST).await,
    };
    let result = async {
        let mut fields = form.input(&["reason"]);
        fields.push(("act".into(), Input::Text(form.get("_action").to_owned())));
        let act = FeeAct::parse(&Input::Map(fields))?;
        let key = Preconditions::key(form.get("key")).unwrap_or_else(|| app.random.id());
        app.act_on_fee(who, id, &key, act).await
    };
    match result.await.map_err(Error::for_staff) {
        Ok(Booked::Written) => done(office, funding::TAB, form.get("view"), outcome),
        Ok(Booked::Waits(_)) => done(office, funding::TAB, form.get("view"), "waits"),
        Err(error @ (Error::Unavailable(_) | Error::Internal(_))) => office.unavailable(&error).await,
        Err(error @ Error::Refused(Refusal::ApplicationNotFound | Refusal::RoleForbidden)) => {
            instead(office, &error).await
        }
        Err(error) => funding::respond(office, form.refused(&error), (task, ""), status(&error)).await,
    }
}

/// Returns what the tab shows of the fee, with the form that is open.
pub(super) fn panel(
    office: Office<'_>,
    dossier: &Dossier,
    FeeForOffice { view, acts }: FeeForOffice,
    (may_manage, task): (bool, &str),
    second_person_text: Option<String>,
    address: &dyn Fn(&str, &str) -> String,
) -> OfficeFee {
    let may = |act: &str| acts.contains(&act);
    let fee = &view.fee;
    let act = match task {
        WAIVE if may("waive") => Some("waive"),
        REFUSE if may("refuse") => Some("refuse"),
        _ => None,
    };
    OfficeFee {
        state: fee.state,
        word: fee.state.label(),
        amount_text: dollars(fee.cents),
        owed_text: (fee.is_due() && view.owed != fee.cents).then(|| dollars(view.owed)),
        intake_text: fee.intake.name().to_string(),
        settled_text: settled(office, dossier, fee),
        why_text: why(fee, view.code.as_deref()),
        request: fee.need.as_ref().map(|need| request(office, dossier, need)),
        pay_href: (may_manage && fee.is_due()).then(|| address("pay", &Line::ApplicationFee.to_string())),
        waive_href: may("waive").then(|| address(WAIVE, "")),
        may_approve: may("approve"),
        refuse_href: may("refuse").then(|| address(REFUSE, "")),
        may_take_back: may("take-back"),
        task: act.map(|act| OfficeFeeTask { act, second_person_text: second_person_text.filter(|_| act == "waive") }),
    }
}

fn settled(office: Office<'_>, dossier: &Dossier, fee: &ApplicationFee) -> Option<String> {
    let when = moment::full(fee.decided_at?, office.zone());
    Some(match fee.decided_by.as_deref().unwrap_or_default().split_once(':') {
        Some(("staff", id)) => format!("{when}, by {}", called(&dossier.all_staff, id)),
        Some(("applicant", _)) => format!("{when}, by the applicant"),
        _ if fee.state == FeeState::Paid => format!("{when}, by card"),
        _ => when.to_string(),
    })
}

fn why(fee: &ApplicationFee, code: Option<&str>) -> Option<String> {
    let code = code.map(|code| format!("Code {code}"));
    let parts = [code, fee.rule.map(|rule| rule.label().to_string()), fee.reason.clone()];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join(": "))
}

fn request(office: Office<'_>, dossier: &Dossier, need: &FeeNeed) -> OfficeFeeRequest {
    let refusal = need.refusal.as_ref();
    OfficeFeeRequest {
        statement: need.statement.clone(),
        asked_text: moment::full(need.asked_at, office.zone()).to_string(),
        refused_text: refusal.map(|refusal| {
            let when = moment::full(refusal.at, office.zone());
            format!("{when}, by {}", called(&dossier.all_staff, &refusal.by))
        }),
        refusal: refusal.map(|refusal| refusal.sentence.clone()),
    }
}
