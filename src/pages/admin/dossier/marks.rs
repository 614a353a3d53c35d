//! Whose an application is, and its tags: noted in the header of every tab.

use axum::response::Response;

use super::super::super::{Form, problem};
use super::super::Office;
use super::{answers, done, instead};
use crate::app::ports::Mark;
use crate::app::{App, Error, Refusal};

pub async fn mark(office: Office<'_>, form: &Form) -> Response {
    let Office { visit, who, id } = office;
    let app = &visit.state.app;
    let owner = |name: &str| Some(form.get(name).to_owned()).filter(|owner| !owner.is_empty());
    let (action, value) = form.get("_action").split_once(':').unwrap_or((form.get("_action"), ""));
    let (result, told) = match action {
        "assign" => {
            let (seen, owner) = (owner("seenOwner"), owner("owner"));
            (app.hand_over(who, id, seen.as_deref(), owner.as_deref()).await, "assigned")
        }
        "tag" => match App::parse_tag(form.get("newTag")) {
            Ok(tag) => (app.tag_application(who, id, &Mark::AddTag(tag)).await, "tagged"),
            Err(error) => (Err(Error::from(error)), ""),
        },
        "untag" => match App::parse_tag(value) {
            Ok(tag) => (app.tag_application(who, id, &Mark::RemoveTag(tag)).await, "untagged"),
            Err(error) => (Err(Error::from(error)), ""),
        },
        _ => return problem::page(visit, problem::BAD_REQUEST).await,
    };
    match result {
        Ok(()) => done(office, super::known_tab(form.get("tab")), form.get("view"), told),
        Err(error @ Error::Refused(Refusal::ApplicationNotFound)) => instead(office, &error).await,
        Err(error) => answers::again(office, form, &error).await,
    }
}
