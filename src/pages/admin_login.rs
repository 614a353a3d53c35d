//! The login of the office.

use axum::http::StatusCode;
use axum::response::Response;

use super::page::{AdminLoginProps, FormState, Screen, StaffInfo};
use super::{Form, Visit, problem, respond};
use crate::domain::input::Input;
use crate::http::wire;

const PATH: &str = "/admin-panel/login";

pub async fn show(visit: &Visit) -> Response {
    answer(visit, FormState::default(), StatusCode::OK).await
}

pub async fn log_in(visit: &Visit, form: &Form) -> Response {
    let input = Input::Map(form.input(&["email", "password"]));
    match visit.state.app.log_in_staff(&input, &visit.client).await {
        Ok((secrets, _)) => {
            let cookie = wire::set_staff_cookie(visit.state.cookies, &secrets.cookie);
            respond::see_other_with(PATH, [cookie])
        }
        Err(error) => answer(visit, form.refused(&error), problem::status(&error)).await,
    }
}

pub async fn log_out(visit: &Visit) -> Response {
    if let Some(cookie) = wire::staff_cookie(&visit.parts.headers)
        && let Err(error) = visit.state.app.log_out_staff(cookie).await
    {
        super::form::log(&error);
        return problem::page(visit, problem::UNAVAILABLE).await;
    }
    respond::see_other_with(PATH, [wire::clear_staff_cookie(visit.state.cookies)])
}

async fn answer(visit: &Visit, form: FormState, status: StatusCode) -> Response {
    let staff = visit.visitor.staff.as_ref();
    let staff = staff.map(|staff| StaffInfo { email: staff.email.clone(), role: staff.role.as_str() });
    let head = visit.private_head("Staff login");
    respond::page(visit, visit.page(Screen::AdminLogin(AdminLoginProps { staff, form }), status, head)).await
}
