//! Codes that waive the application fee: how often each was used, creating one, and ending it.

use axum::http::StatusCode;
use axum::response::Response;
use jiff::civil::Date;

use super::Office;
use super::applications::{choice, short};
use super::dossier::called;
use crate::apply::today;
use crate::page::{FormState, Screen};
use crate::props::office::fee_codes::{AdminFeeCodesProps, EndedFeeCode, FeeCodeRow, NewCodeForm};
use crate::{Form, moment, problem, respond};
use app::Error;
use domain::application_fee::FeeCode;
use domain::input::Input;
use domain::moments;
use domain::permission::Permission;
use domain::program::Program;
use domain::reference_number::ALPHABET;
use domain::staff::StaffSummary;

pub const PATH: &str = "/admin-panel/fee-codes";

/// How many codes are suggested for a new one.
const SUGGESTIONS: usize = 3;

pub async fn list(office: Office<'_>, _: &Form) -> Response {
    let message = match office.visit.query("done").as_deref() {
        Some("created") => Some("The code is created. It can be used from now on."),
        Some("ended") => Some("The code is ended. The fees that it has waived stay waived."),
        _ => None,
    };
    respond(office, FormState { message: message.map(Into::into), ..FormState::default() }, StatusCode::OK).await
}

pub async fn submit(office: Office<'_>, form: &Form) -> Response {
    let Office { visit, who, .. } = office;
    let app = &visit.state.app;
    let outcome = match form.get("_action") {
        "create" => {
            let fields = form.input(&["code", "applicationType", "note", "mostUses", "expiresOn"]);
            app.create_fee_code(who, &Input::Map(fields)).await.map(|_| "created")
        }
        "end" => app.end_fee_code(who, form.get("id")).await.map(|()| "ended"),
        _ => return problem::page(visit, problem::BAD_REQUEST).await,
    };
    match outcome {
        Ok(done) => respond::see_other(&format!("{PATH}?done={done}")),
        Err(error @ (Error::Unavailable(_) | Error::Internal(_))) => office.unavailable(&error).await,
        Err(error) => respond(office, form.refused(&error), problem::status(&error)).await,
    }
}

async fn respond(office: Office<'_>, form: FormState, status: StatusCode) -> Response {
    let Office { visit, who, .. } = office;
    let app = &visit.state.app;
    let loaded = async { Ok::<_, Error>((app.fee_codes(who).await?, app.all_staff().await?)) };
    let (codes, all_staff) = match loaded.await {
        Ok(loaded) => loaded,
        Err(error) => return office.unavailable(&error).await,
    };
    let may_manage = who.staff.role.may(Permission::ManageFinance);
    let ended = visit.query("end").filter(|_| may_manage).unwrap_or_default();
    let ending = codes.iter().find(|code| code.id == ended && code.ended_at.is_none());
    let both = [choice("", "Both programs")];
    let programs = Program::ALL.map(|program| choice(program.application_type(), &program.name().to_string()));
    let props = AdminFeeCodesProps {
        ending: ending.map(|code| EndedFeeCode {
            id: code.id.clone(),
            code: code.code.clone(),
            back_href: PATH.to_owned(),
        }),
        new_code: may_manage.then(|| NewCodeForm {
            suggestions: (0..SUGGESTIONS).map(|_| suggestion(app.random.number())).collect(),
            programs: both.into_iter().chain(programs).collect(),
        }),
        codes: codes.into_iter().map(|code| row(office, code, &all_staff, may_manage)).collect(),
        form,
    };
    office.page(Screen::AdminFeeCodes(Box::new(props)), "Fee codes", status).await
}

fn row(office: Office<'_>, code: FeeCode, all_staff: &[StaffSummary], may_manage: bool) -> FeeCodeRow {
    let (state, state_text) = state(&code, today(office.visit));
    let created = moment::short(code.created_at, office.zone());
    FeeCodeRow {
        state,
        state_text,
        program_text: code.program.map_or("Both", short),
        uses: code.uses,
        most_uses: code.most_uses,
        expires_text: code.expires_on.map(moments::short_date),
        created_text: format!("{created}, {}", called(all_staff, &code.created_by)),
        end_href: (may_manage && code.ended_at.is_none()).then(|| format!("{PATH}?end={}#end", code.id)),
        note: code.note,
        code: code.code,
        id: code.id,
    }
}

fn state(code: &FeeCode, today: Date) -> (&'static str, &'static str) {
    if code.ended_at.is_some() {
        ("ended", "Ended")
    } else if code.is_open(today) {
        ("open", "Open")
    } else if code.is_expired(today) {
        ("expired", "Expired")
    } else {
        ("spent", "Used up")
    }
}

/// Returns the code that `random` selects: `7KX4-M9CT`
fn suggestion(mut random: u64) -> String {
    let mut letter = || {
        let at = usize::try_from(random % ALPHABET.len() as u64).expect("less than 23");
        random /= ALPHABET.len() as u64;
        char::from(ALPHABET[at])
    };
    let mut four = || -> String { (0..4).map(|_| letter()).collect() };
    format!("{}-{}", four(), four())
}

#[cfg(test)]
mod tests {
    use domain::application_fee::NewFeeCode;
    use serde_json::json;

    use super::*;

    #[test]
    fn suggestions_are_codes() {
        assert_eq!(suggestion(0), "2222-2222");
        for random in [1, 23_u64.pow(7), u64::MAX] {
            let code = suggestion(random);
            let taken = NewFeeCode::parse(&Input::from(json!({ "code": code }))).map(|new| new.code);
            assert_eq!(taken.unwrap(), code);
        }
    }
}
