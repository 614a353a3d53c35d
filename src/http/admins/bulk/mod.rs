//! `/admins/bulk/…`: acts on one application, done to several. Each is previewed first, which changes nothing, and then
//! done; both report on every application separately.

pub mod drafts;
pub mod letters;
pub mod marks;

use serde::Serialize;
use utoipa::ToSchema;

use super::staff_request::StaffRequest;
use crate::problem::Problem;
use app::Error;
use app::office::bulk::{RowResult, Sample};
use app::office::listings::MAX_MARKED;
use domain::body;
use domain::body::{texts, wrong};
use domain::input::{FieldError, Input};
use domain::listing::Listing;

/// The outcome for each of several applications, or the expected one.
#[derive(Debug, Serialize, ToSchema)]
pub struct BulkResult {
    /// In the order in which they were given.
    applications: Vec<BulkRow>,
    /// In a preview: the first of the letters as they would be sent; at most three.
    samples: Vec<BulkSample>,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BulkRow {
    id: String,
    /// Null for an application that is not in the list.
    #[schema(required)]
    reference: Option<String>,
    #[schema(required)]
    first_name: Option<String>,
    #[schema(required)]
    last_name: Option<String>,
    #[schema(required)]
    stage: Option<&'static str>,
    outcome: BulkOutcome,
    /// What prevents it, or should be known about it: the code that the call for one application returns.
    #[schema(required)]
    code: Option<String>,
    /// One plain sentence about it.
    #[schema(required)]
    error: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum BulkOutcome {
    /// In a preview: nothing prevents it.
    Ready,
    Done,
    /// It was so already, or was done under this key before.
    Unchanged,
    /// Nothing was done to it.
    Failed,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct BulkSample {
    /// The recipient.
    name: String,
    /// Null for a decision letter.
    #[schema(required)]
    subject: Option<String>,
    text: String,
}

impl From<Sample> for BulkSample {
    fn from(Sample { name, subject, text }: Sample) -> Self {
        BulkSample { name, subject: Some(subject), text }
    }
}

/// Number of letters shown in a preview.
const SAMPLES: usize = 3;

/// The result for one row.
struct RowOutcome {
    outcome: BulkOutcome,
    why: Option<(String, String)>,
}

impl RowOutcome {
    fn plain(outcome: BulkOutcome) -> RowOutcome {
        RowOutcome { outcome, why: None }
    }

    fn failed(error: Error) -> RowOutcome {
        let (code, sentence) = Problem::from(error.for_staff()).into_parts();
        RowOutcome { outcome: BulkOutcome::Failed, why: Some((code, sentence.to_string())) }
    }

    /// Done now, or already before.
    fn done(now: bool) -> RowOutcome {
        RowOutcome::plain(if now { BulkOutcome::Done } else { BulkOutcome::Unchanged })
    }
}

body! {
    /// The applications to act on.
    struct Several {
        /// 1 to 100 ids.
        #[schema(min_items = 1, max_items = 100)]
        applications: Vec<String> = applications,
    }
}

body! {
    /// The applications to act on, and their number.
    struct Counted {
        /// 1 to 100 ids.
        #[schema(min_items = 1, max_items = 100)]
        applications: Vec<String> = applications,
        /// The number of applications, as confirmed by the user; not needed for a preview.
        #[schema(value_type = Option<i64>)]
        count: Option<usize> = count,
    }
}

fn count(path: &str, input: Option<&Input>) -> Result<Option<usize>, FieldError> {
    match input {
        None => Ok(None),
        Some(Input::Whole(count)) => Ok(usize::try_from(*count).ok()),
        Some(_) => Err(wrong(path, "type", "Send how many applications they are.")),
    }
}

/// Reads the ids of applications, without duplicates.
fn applications(path: &str, input: Option<&Input>) -> Result<Vec<String>, FieldError> {
    let mut ids: Vec<String> = Vec::new();
    for id in texts(path, input)?.unwrap_or_default() {
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
    match ids.len() {
        0 => Err(wrong(path, "required", "Choose at least one application.")),
        count if count > MAX_MARKED => Err(wrong(path, "range", "Choose at most 100 applications at once.")),
        _ => Ok(ids),
    }
}

/// Returns the list rows of these applications.
async fn listed(request: &StaffRequest, ids: &[String]) -> Result<Vec<Listing>, Error> {
    request.app().listed_applications(&request.who, ids).await
}

/// Pairs every application with its result.
fn rows<T>(listed: &[Listing], results: Vec<RowResult<T>>, outcome_of: impl Fn(&str, T) -> RowOutcome) -> Vec<BulkRow> {
    let row = |RowResult { application_id: id, result }: RowResult<T>| {
        let listing = listed.iter().find(|listing| listing.application_id == id);
        let RowOutcome { outcome, why } = result.map_or_else(RowOutcome::failed, |result| outcome_of(&id, result));
        let (code, error) = why.unzip();
        BulkRow {
            reference: listing.and_then(|listing| listing.reference.clone()),
            first_name: listing.map(|listing| listing.first_name.clone()),
            last_name: listing.map(|listing| listing.last_name.clone()),
            stage: listing.map(|listing| listing.stage.as_str()),
            id,
            outcome,
            code,
            error,
        }
    };
    results.into_iter().map(row).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn each_application_is_chosen_once_and_not_too_many() {
        let read = |value| Counted::parse(&Input::from(value)).map_err(|errors| errors[0].code.clone());
        assert_eq!(
            read(json!({ "applications": ["a", "b", "a"] })).ok().map(|chosen| chosen.applications.len()),
            Some(2)
        );
        for (body, code) in [
            (json!({}), "applications.required"),
            (json!({ "applications": [] }), "applications.required"),
            (json!({ "applications": "a" }), "applications.type"),
            (json!({ "applications": [1] }), "applications.type"),
            (json!({ "applications": ["a"], "count": "1" }), "count.type"),
            (json!({ "applications": (0..101).map(|n| n.to_string()).collect::<Vec<_>>() }), "applications.range"),
        ] {
            assert_eq!(read(body).err().as_deref(), Some(code));
        }
    }
}
