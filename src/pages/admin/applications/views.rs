//! Named views: saved, renamed, deleted.

use axum::http::StatusCode;
use axum::response::Response;

use crate::admin::Office;
use crate::page::FormState;
use crate::{Form, problem, respond};
use domain::listing::Layout;

use super::{PATH, Step, query_of, respond_with_list, view_of};

pub async fn submit(office: Office<'_>, form: &Form) -> Response {
    let app = &office.visit.state.app;
    let (mut view, _) = view_of(office, form.get("here"));
    let (name, id) = (form.get("viewName"), form.get("view"));
    let (result, done) = match form.get("_action") {
        "save" => {
            let shared = form.get("shared") == "yes";
            // A view shows the columns it was made with, whoever opens it.
            if let Ok(Some(kept)) = app.list_layout(office.who).await {
                view.layout = view.layout.or(&kept);
            }
            (app.save_view(office.who, form.get("key"), name, &view, shared).await, "view-saved")
        }
        "rename" => (app.rename_view(office.who, id, form.get("seen"), name).await, "view-renamed"),
        "delete" if form.get("confirmed") != "yes" => {
            let step = Some(Step::DeleteView(id.to_owned()));
            return respond_with_list(office, &view, FormState::default(), step, StatusCode::OK).await;
        }
        "delete" => (app.delete_view(office.who, id).await, "view-deleted"),
        "columns" => {
            let kept = app.keep_list_layout(office.who, &view.layout).await;
            let done = if view.layout.is_usual() { "columns-usual" } else { "columns-kept" };
            // From now on the list has them by default.
            view.layout = Layout::default();
            // A user who moves a column sees it move, and needs no toast.
            if form.get("quiet") == "yes" && kept.is_ok() {
                return respond::see_other(&format!("{PATH}?{}", query_of(&view, None)));
            }
            (kept, done)
        }
        "usual-columns" => {
            view.layout = Layout::default();
            (app.keep_list_layout(office.who, &view.layout).await, "columns-usual")
        }
        _ => return problem::page(office.visit, problem::BAD_REQUEST).await,
    };
    match result {
        Ok(()) => respond::see_other(&format!("{PATH}?{}&done={done}", query_of(&view, None))),
        Err(error) => respond_with_list(office, &view, form.refused(&error), None, problem::status(&error)).await,
    }
}
