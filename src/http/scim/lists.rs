//! Lists of users and groups: which of them, which part of the list, and which of their attributes.

use axum::http::StatusCode;
use axum::response::Response;
use scim_v2::filter::Filter;
use scim_v2::models::errors::ScimType;
use scim_v2::schema_urns;
use serde_json::{Value, json};
use url::form_urlencoded;

use super::answer;
use super::attributes::elements_mut;
use super::filters::holds;
use super::problem::ScimProblem;

/// Maximum number of users or groups in one answer.
pub const MAX_COUNT: i64 = 200;
/// Number of users or groups in one answer, if not said.
const USUAL_COUNT: i64 = 100;
/// Attributes in every answer.
const ALWAYS: [&str; 2] = ["schemas", "id"];

/// What the address of a request says after the question mark.
pub struct Query {
    filter: Option<Filter>,
    /// As sent, in lower case.
    filter_text: String,
    /// From 1.
    start: usize,
    count: usize,
    only: Vec<AttributePath>,
    without: Vec<AttributePath>,
}

struct AttributePath {
    name: String,
    part: Option<String>,
}

impl Query {
    pub fn parse(query: Option<&str>) -> Result<Query, ScimProblem> {
        let pairs: Vec<(String, String)> =
            form_urlencoded::parse(query.unwrap_or_default().as_bytes()).into_owned().collect();
        let sent = |name: &str| {
            let pair = pairs.iter().find(|(key, value)| key.eq_ignore_ascii_case(name) && !value.is_empty());
            pair.map(|(_, value)| value.as_str())
        };
        let number = |name: &str, usual: i64| {
            let number = sent(name).map_or(Ok(usual), |text| text.trim().parse::<i64>());
            let detail = || format!("{name}: This must be a whole number.");
            number.map_err(|_| ScimProblem::bad(ScimType::InvalidValue, detail()))
        };
        let unreadable = |_| {
            ScimProblem::bad(ScimType::InvalidFilter, "filter: This is not a valid filter (RFC 7644, section 3.4.2.2).")
        };
        Ok(Query {
            filter: sent("filter").map(str::parse::<Filter>).transpose().map_err(unreadable)?,
            filter_text: sent("filter").unwrap_or_default().to_ascii_lowercase(),
            start: number("startIndex", 1)?.max(1) as usize,
            count: number("count", USUAL_COUNT)?.clamp(0, MAX_COUNT) as usize,
            only: paths(sent("attributes")),
            without: paths(sent("excludedAttributes")),
        })
    }

    /// Whether an attribute is needed to answer.
    pub fn needs(&self, name: &str) -> bool {
        let is_it = |path: &AttributePath| path.name.eq_ignore_ascii_case(name);
        let is_shown = (self.only.is_empty() || self.only.iter().any(is_it))
            && !self.without.iter().any(|path| is_it(path) && path.part.is_none());
        is_shown || self.filter_text.contains(&name.to_ascii_lowercase())
    }

    /// Answers with what was asked for of all users or groups.
    pub fn page<T>(&self, all: &[T], document: impl Fn(&T) -> Value) -> Response {
        let before = self.start - 1;
        let (total, mut page): (usize, Vec<Value>) = match &self.filter {
            None => (all.len(), all.iter().skip(before).take(self.count).map(document).collect()),
            Some(filter) => {
                let found: Vec<Value> = all.iter().map(document).filter(|one| holds(filter, one)).collect();
                (found.len(), found.into_iter().skip(before).take(self.count).collect())
            }
        };
        page.iter_mut().for_each(|document| self.select(document));
        answer(StatusCode::OK, &listed(total, self.start, page))
    }

    /// Answers with what was asked for of one user or group.
    pub fn one(&self, mut document: Value) -> Response {
        self.select(&mut document);
        answer(StatusCode::OK, &document)
    }

    fn select(&self, document: &mut Value) {
        let Value::Object(attributes) = document else { return };
        attributes.retain(|name, value| {
            if ALWAYS.contains(&name.as_str()) {
                return true;
            }
            let (only, without) = (parts(&self.only, name), parts(&self.without, name));
            if !only.is_empty() && !only.contains(&None) {
                keep(value, |part| only.contains(&Some(part)));
            }
            keep(value, |part| !without.contains(&Some(part)));
            (self.only.is_empty() || !only.is_empty()) && !without.contains(&None)
        });
    }
}

/// Returns the document of a list.
pub fn listed(total: usize, start: usize, page: Vec<Value>) -> Value {
    json!({
        "schemas": [schema_urns::LIST_RESPONSE],
        "totalResults": total,
        "startIndex": start,
        "itemsPerPage": page.len(),
        "Resources": page,
    })
}

/// Reads paths of attributes, in lower case.
fn paths(sent: Option<&str>) -> Vec<AttributePath> {
    let path = |path: &str| {
        let path = path.rsplit(':').next().unwrap_or(path).trim().to_ascii_lowercase();
        let (name, part) = path.split_once('.').map_or((path.as_str(), None), |(name, part)| (name, Some(part)));
        AttributePath { name: name.to_owned(), part: part.map(str::to_owned) }
    };
    sent.unwrap_or_default().split(',').map(path).filter(|path| !path.name.is_empty()).collect()
}

/// Returns the parts of an attribute that are meant; none among them means all of it.
fn parts<'a>(paths: &'a [AttributePath], name: &str) -> Vec<Option<&'a str>> {
    paths.iter().filter(|path| path.name.eq_ignore_ascii_case(name)).map(|path| path.part.as_deref()).collect()
}

fn keep(value: &mut Value, is_kept: impl Fn(&str) -> bool) {
    for element in elements_mut(value).iter_mut().filter_map(Value::as_object_mut) {
        element.retain(|part, _| is_kept(&part.to_ascii_lowercase()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn query(text: &str) -> Query {
        Query::parse(Some(text)).unwrap()
    }

    #[test]
    fn lists_are_asked_for_in_parts() {
        let part = |text: &str| (query(text).start, query(text).count);
        assert_eq!(part(""), (1, 100));
        assert_eq!(part("startIndex=-3&count=1000"), (1, 200));
        assert_eq!(part("startindex=11&COUNT=0"), (11, 0));
        assert_eq!(Query::parse(Some("count=many")).err().unwrap().kind, Some(ScimType::InvalidValue));
        assert_eq!(Query::parse(Some("filter=userName+is+%22a%22")).err().unwrap().kind, Some(ScimType::InvalidFilter));
    }

    #[test]
    fn attributes_are_chosen_or_left_out() {
        let shown = |text: &str| {
            let mut user = json!({
                "schemas": [], "id": "u1", "userName": "ada", "name": { "givenName": "Ada", "familyName": "Byron" },
                "emails": [{ "value": "ada@example.org", "type": "work" }],
            });
            query(text).select(&mut user);
            user
        };
        assert_eq!(
            shown("attributes=USERNAME,name.givenName, urn:ietf:params:scim:schemas:core:2.0:User:emails.value"),
            json!({
                "schemas": [], "id": "u1", "userName": "ada", "name": { "givenName": "Ada" },
                "emails": [{ "value": "ada@example.org" }],
            })
        );
        assert_eq!(
            shown("excludedAttributes=id,emails,name.familyname"),
            json!({ "schemas": [], "id": "u1", "userName": "ada", "name": { "givenName": "Ada" } })
        );
        assert!(query("").needs("members") && query("attributes=members.value").needs("members"));
        assert!(!query("excludedAttributes=members").needs("members"));
        assert!(!query("attributes=displayName").needs("members"));
        assert!(query("filter=Members+eq+%22u1%22&excludedAttributes=members").needs("members"));
    }
}
