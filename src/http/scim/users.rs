//! `/scim/v2/Users…`

use axum::extract::{Path, RawQuery};
use axum::http::StatusCode;
use scim_v2::models::errors::ScimType;
use scim_v2::schema_urns;
use serde_json::{Value, json};

use super::attributes::{boolean, elements, get, text, value_of};
use super::lists::Query;
use super::problem::ScimProblem;
use super::{Answer, Caller, ScimBody, answer, created, location, meta, patches};
use crate::ApiState;
use app::office::directory::DirectoryError;
use domain::directory::{Directory, DirectoryUser, UserFields};

pub async fn list(Caller(api, provider): Caller, RawQuery(query): RawQuery) -> Answer {
    let query = Query::parse(query.as_deref())?;
    let directory = api.app.directory(&provider).await?;
    let base = api.app.scim_base_url();
    Ok(query.page(&directory.users, |user| document(&base, &directory, user)))
}

pub async fn load(Caller(api, provider): Caller, Path(id): Path<String>, RawQuery(query): RawQuery) -> Answer {
    let query = Query::parse(query.as_deref())?;
    let directory = api.app.directory(&provider).await?;
    Ok(query.one(stored(&api, &directory, &id)?))
}

pub async fn create(Caller(api, provider): Caller, ScimBody(sent): ScimBody) -> Answer {
    let (directory, id) = api.app.create_directory_user(&provider, fields(&sent)?).await?;
    Ok(created(&stored(&api, &directory, &id)?))
}

pub async fn replace(Caller(api, provider): Caller, Path(id): Path<String>, ScimBody(sent): ScimBody) -> Answer {
    let change = |_: &Directory, _: &DirectoryUser| fields(&sent);
    let directory = api.app.change_directory_user(&provider, &id, change).await?;
    Ok(answer(StatusCode::OK, &stored(&api, &directory, &id)?))
}

pub async fn patch(Caller(api, provider): Caller, Path(id): Path<String>, ScimBody(sent): ScimBody) -> Answer {
    let operations = patches::operations(&sent)?;
    let base = api.app.scim_base_url();
    let change = |directory: &Directory, user: &DirectoryUser| {
        let mut changed = document(&base, directory, user);
        patches::apply(&operations, &mut changed)?;
        fields(&changed)
    };
    let directory = api.app.change_directory_user(&provider, &id, change).await?;
    Ok(answer(StatusCode::OK, &stored(&api, &directory, &id)?))
}

pub async fn delete(Caller(api, provider): Caller, Path(id): Path<String>) -> Result<StatusCode, ScimProblem> {
    api.app.delete_directory_user(&provider, &id).await?;
    Ok(StatusCode::NO_CONTENT)
}

fn stored(api: &ApiState, directory: &Directory, id: &str) -> Result<Value, ScimProblem> {
    let user = directory.user(id).ok_or(DirectoryError::NotFound)?;
    Ok(document(&api.app.scim_base_url(), directory, user))
}

fn document(base: &str, directory: &Directory, user: &DirectoryUser) -> Value {
    let fields = &user.fields;
    let mut document = json!({
        "schemas": [schema_urns::USER],
        "id": user.id,
        "userName": fields.user_name,
        "emails": [{ "value": fields.email, "type": "work", "primary": true }],
        "active": fields.active,
    });
    if let Some(external_id) = &fields.external_id {
        document["externalId"] = json!(external_id);
    }
    if !fields.display_name.is_empty() {
        document["displayName"] = json!(fields.display_name);
    }
    let formatted = format!("{} {}", fields.given_name, fields.family_name);
    let (given, family) = (fields.given_name.as_str(), fields.family_name.as_str());
    let parts = [("formatted", formatted.trim()), ("givenName", given), ("familyName", family)];
    for (part, text) in parts.into_iter().filter(|(_, text)| !text.is_empty()) {
        document["name"][part] = json!(text);
    }
    let groups = directory.groups_of(&user.id).map(|group| {
        let name = &group.fields.name;
        json!({ "value": group.id, "display": name, "$ref": location(base, "Group", &group.id) })
    });
    document["groups"] = groups.collect();
    document["meta"] = meta(base, "User", &user.id, user.created_at, user.changed_at);
    document
}

/// Reads what was sent; what we do not keep is left out.
fn fields(sent: &Value) -> Result<UserFields, ScimProblem> {
    let user_name = text(sent, "userName")?.unwrap_or_default();
    let name = get(sent, "name").unwrap_or(&Value::Null);
    let active = match get(sent, "active").filter(|active| !active.is_null()) {
        None => true,
        Some(active) => {
            let unclear = || ScimProblem::bad(ScimType::InvalidValue, "active: This must be true or false.");
            boolean(active).ok_or_else(unclear)?
        }
    };
    Ok(UserFields {
        external_id: text(sent, "externalId")?,
        email: email(sent).unwrap_or(&user_name).to_owned(),
        user_name,
        display_name: text(sent, "displayName")?.unwrap_or_default(),
        given_name: text(name, "givenName")?.unwrap_or_default(),
        family_name: text(name, "familyName")?.unwrap_or_default(),
        active,
    })
}

/// The address that is kept: the primary one, else the one of type work, else the first.
fn email(sent: &Value) -> Option<&str> {
    let has_address = |email: &&Value| value_of(email).is_some_and(|address| !address.is_empty());
    let given = || elements(get(sent, "emails")).iter().filter(has_address);
    let is_primary = |email: &&Value| get(email, "primary").and_then(boolean) == Some(true);
    let is_of_work = |email: &&Value| {
        let kind = get(email, "type").and_then(Value::as_str);
        kind.is_some_and(|kind| kind.eq_ignore_ascii_case("work"))
    };
    // One that is made primary is added at the end.
    let email = given().rfind(is_primary).or_else(|| given().find(is_of_work)).or_else(|| given().next());
    email.and_then(value_of)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_reads_as_it_is_written() {
        let mut user = DirectoryUser {
            id: "u1".into(),
            fields: UserFields {
                external_id: Some("7".into()),
                user_name: "ada".into(),
                email: "ada@example.org".into(),
                display_name: String::new(),
                given_name: "Ada".into(),
                family_name: String::new(),
                active: false,
            },
            staff_id: None,
            created_at: 0,
            changed_at: 0,
        };
        let written = document("https://example.org/api/scim/v2", &Directory::default(), &user);
        assert_eq!(fields(&written).unwrap(), user.fields);
        assert_eq!(written["name"], json!({ "formatted": "Ada", "givenName": "Ada" }));
        assert_eq!(written["meta"]["location"], "https://example.org/api/scim/v2/Users/u1");
        user.fields.given_name.clear();
        assert!(document("", &Directory::default(), &user).get("name").is_none());
    }

    #[test]
    fn one_address_is_kept() {
        let kept = |emails: Value| fields(&json!({ "USERNAME": "ada@b.co", "Emails": emails })).unwrap().email;
        let (home, work) = (json!({ "value": "home@b.co" }), json!({ "value": "work@b.co", "type": "Work" }));
        let primary = json!({ "value": "primary@b.co", "primary": "True" });
        assert_eq!(kept(json!([home, work, primary])), "primary@b.co");
        assert_eq!(kept(json!([home, work])), "work@b.co");
        assert_eq!(kept(json!([{ "value": "" }, home])), "home@b.co");
        assert_eq!(kept(home), "home@b.co");
        assert_eq!(kept(Value::Null), "ada@b.co");
    }

    #[test]
    fn values_of_the_wrong_type_are_refused() {
        let active = |active: Value| fields(&json!({ "userName": "ada", "active": active })).map(|it| it.active);
        assert!(!active(json!("False")).unwrap() && active(Value::Null).unwrap());
        for sent in [json!({ "active": "maybe" }), json!({ "userName": 7 }), json!({ "name": { "givenName": [] } })] {
            assert_eq!(fields(&sent).unwrap_err().kind, Some(ScimType::InvalidValue), "{sent}");
        }
    }
}
