//! `/scim/v2/Groups…`

use std::collections::BTreeSet;

use axum::extract::{Path, RawQuery};
use axum::http::StatusCode;
use scim_v2::models::errors::ScimType;
use scim_v2::schema_urns;
use serde_json::{Value, json};

use super::attributes::{elements, get, text, value_of};
use super::lists::Query;
use super::problem::ScimProblem;
use super::{Answer, Caller, ScimBody, answer, created, location, meta, patches};
use crate::ApiState;
use app::office::directory::DirectoryError;
use domain::directory::{Directory, DirectoryGroup, GroupFields};

pub async fn list(Caller(api, provider): Caller, RawQuery(query): RawQuery) -> Answer {
    let query = Query::parse(query.as_deref())?;
    let directory = api.app.directory(&provider).await?;
    let (base, has_members) = (api.app.scim_base_url(), query.needs("members"));
    Ok(query.page(&directory.groups, |group| document(&base, &directory, group, has_members)))
}

pub async fn load(Caller(api, provider): Caller, Path(id): Path<String>, RawQuery(query): RawQuery) -> Answer {
    let query = Query::parse(query.as_deref())?;
    let directory = api.app.directory(&provider).await?;
    Ok(query.one(stored(&api, &directory, &id)?))
}

pub async fn create(Caller(api, provider): Caller, ScimBody(sent): ScimBody) -> Answer {
    let (directory, id) = api.app.create_directory_group(&provider, fields(&sent)?).await?;
    Ok(created(&stored(&api, &directory, &id)?))
}

pub async fn replace(Caller(api, provider): Caller, Path(id): Path<String>, ScimBody(sent): ScimBody) -> Answer {
    let change = |_: &Directory, _: &DirectoryGroup| fields(&sent);
    let directory = api.app.change_directory_group(&provider, &id, change).await?;
    Ok(answer(StatusCode::OK, &stored(&api, &directory, &id)?))
}

pub async fn patch(Caller(api, provider): Caller, Path(id): Path<String>, ScimBody(sent): ScimBody) -> Answer {
    let operations = patches::operations(&sent)?;
    let base = api.app.scim_base_url();
    let change = |directory: &Directory, group: &DirectoryGroup| {
        let mut group = document(&base, directory, group, true);
        patches::apply(&operations, &mut group)?;
        fields(&group)
    };
    let directory = api.app.change_directory_group(&provider, &id, change).await?;
    Ok(answer(StatusCode::OK, &stored(&api, &directory, &id)?))
}

pub async fn delete(Caller(api, provider): Caller, Path(id): Path<String>) -> Result<StatusCode, ScimProblem> {
    api.app.delete_directory_group(&provider, &id).await?;
    Ok(StatusCode::NO_CONTENT)
}

fn stored(api: &ApiState, directory: &Directory, id: &str) -> Result<Value, ScimProblem> {
    let group = directory.group(id).ok_or(DirectoryError::NotFound)?;
    Ok(document(&api.app.scim_base_url(), directory, group, true))
}

fn document(base: &str, directory: &Directory, group: &DirectoryGroup, has_members: bool) -> Value {
    let fields = &group.fields;
    let mut document = json!({ "schemas": [schema_urns::GROUP], "id": group.id, "displayName": fields.name });
    if let Some(external_id) = &fields.external_id {
        document["externalId"] = json!(external_id);
    }
    if has_members {
        let members = directory.users.iter().filter(|user| fields.members.contains(&user.id)).map(|user| {
            let name = Some(user.fields.name()).filter(|name| !name.is_empty());
            let display = name.unwrap_or_else(|| user.fields.user_name.clone());
            json!({ "value": user.id, "display": display, "type": "User", "$ref": location(base, "User", &user.id) })
        });
        document["members"] = members.collect();
    }
    document["meta"] = meta(base, "Group", &group.id, group.created_at, group.changed_at);
    document
}

/// Reads what was sent; what we do not keep is left out.
fn fields(sent: &Value) -> Result<GroupFields, ScimProblem> {
    let bad = |detail: &str| ScimProblem::bad(ScimType::InvalidValue, detail);
    let mut members = BTreeSet::new();
    for member in elements(get(sent, "members")) {
        let kind = get(member, "type").and_then(Value::as_str);
        if kind.is_some_and(|kind| kind.eq_ignore_ascii_case("Group")) {
            return Err(bad("members: Groups cannot be members here. Send the users in them instead."));
        }
        let id = value_of(member).ok_or_else(|| bad("members: The value of each must be the id of a user."))?;
        members.insert(id.to_owned());
    }
    Ok(GroupFields {
        external_id: text(sent, "externalId")?,
        name: text(sent, "displayName")?.unwrap_or_default(),
        members,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_users() {
        let kept =
            fields(&json!({ "displayname": "Readers", "members": [{ "value": "u1", "type": "user" }] })).unwrap();
        assert_eq!((kept.name.as_str(), kept.members), ("Readers", BTreeSet::from(["u1".to_owned()])));
        for member in [json!({ "value": "g1", "type": "Group" }), json!({ "display": "Ada" }), json!(7)] {
            let refused = fields(&json!({ "displayName": "Readers", "members": [member] })).unwrap_err();
            assert_eq!(refused.kind, Some(ScimType::InvalidValue));
        }
    }
}
