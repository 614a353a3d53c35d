//! The owner and the tags of an application, changed in the header of every tab.

use axum::response::Response;

use super::{answers, done_to, instead};
use crate::admin::Office;
use crate::{Form, problem};
use app::{App, Error, Refusal};
use domain::listing::{Mark, NOBODY};

pub async fn mark(office: Office<'_>, form: &Form) -> Response {
    let Office { visit, who, id } = office;
    let app = &visit.state.app;
    let owner = |name: &str| Some(form.get(name).to_owned()).filter(|owner| !owner.is_empty());
    let (action, value) = form.get("_action").split_once(':').unwrap_or((form.get("_action"), ""));
    let (result, notice, what) = match action {
        "assign" => {
            let (seen, owner) = (owner("seenOwner"), owner("owner"));
            let result = app.hand_over(who, id, seen.as_deref(), owner.as_deref()).await;
            (result, "assigned", seen.unwrap_or_else(|| NOBODY.to_owned()))
        }
        "tag" => match App::parse_tag(form.get("newTag")) {
            Ok(tag) => (app.tag_application(who, id, &Mark::AddTag(tag.clone())).await, "tagged", tag),
            Err(error) => (Err(Error::from(error)), "", String::new()),
        },
        "untag" => match App::parse_tag(value) {
            Ok(tag) => (app.tag_application(who, id, &Mark::RemoveTag(tag.clone())).await, "untagged", tag),
            Err(error) => (Err(Error::from(error)), "", String::new()),
        },
        _ => return problem::page(visit, problem::BAD_REQUEST).await,
    };
    match result {
        Ok(()) => done_to(office, super::known_tab(form.get("tab")), form.get("view"), notice, &what),
        Err(error @ Error::Refused(Refusal::ApplicationNotFound)) => instead(office, &error).await,
        Err(error) => answers::again(office, form, &error).await,
    }
}
