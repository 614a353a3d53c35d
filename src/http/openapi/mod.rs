//! The description of the API, generated from the code: `/openapi.json`, which the TypeScript types are generated from.

mod shapes;

use std::borrow::Cow;
use std::sync::LazyLock;

use axum::Json;
use axum::http::Method;
use axum::response::IntoResponse;
use serde_json::Value;
use utoipa::openapi::path::Operation;
use utoipa::openapi::schema::{AdditionalProperties, Schema};
use utoipa::openapi::security::{
    ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme,
};
use utoipa::openapi::{ContentBuilder, OpenApi, PathItem, Ref, RefOr, ResponseBuilder};
use utoipa::{Modify, OpenApi as _};

use self::shapes::Shapes;
use super::problem::ProblemDocument;
use super::{admins, sign_on, users, webhooks};
use domain::api_key::MAX_CALLS;

#[derive(utoipa::OpenApi)]
#[openapi(
    info(
        title = "Matricula API",
        description = "What applicants and the office do, as JSON calls. Every call answers the same under `/twentyEighty` as under \
            `/api`. Bodies are strict: an unknown field, a wrong type or a name given twice is an error. Every error is \
            a problem document (RFC 9457) whose `code` is stable and whose `error` is one plain sentence."
    ),
    components(schemas(ProblemDocument)),
    security(("bearer" = []))
)]
struct Description;

/// The two ways to authenticate.
struct SecuritySchemes;

fn bearer() -> String {
    format!(
        "The `token` of a log-in, good for 15 minutes; for staff also the secret of an API key. Calls with a key answer with \
         `RateLimit-Policy` and `RateLimit`: {MAX_CALLS} a minute. A key makes no call that asks for a password again, and none \
         about its owner's account (`key.forbidden`); one that only reads makes no call but `GET` (`key.read_only`)."
    )
}

impl Modify for SecuritySchemes {
    fn modify(&self, description: &mut OpenApi) {
        let components = description.components.get_or_insert_default();
        let scheme = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).description(Some(bearer())).build();
        components.add_security_scheme("bearer", SecurityScheme::Http(scheme));
        let cookie =
            ApiKey::Cookie(ApiKeyValue::with_description("matricula_session", "By https `__Host-matricula_session`."));
        components.add_security_scheme("cookie", SecurityScheme::ApiKey(cookie));
    }
}

/// Documents what holds for every idempotency key.
struct Keys;

impl Modify for Keys {
    fn modify(&self, description: &mut OpenApi) {
        for item in description.paths.paths.values_mut() {
            for call in [&mut item.post, &mut item.patch].into_iter().flatten() {
                let mut parameters = call.parameters.iter_mut().flatten().filter_map(|parameter| match parameter {
                    RefOr::T(parameter) => Some(parameter),
                    RefOr::Ref(_) => None,
                });
                let key = parameters.find(|parameter| parameter.name == "Idempotency-Key");
                if let Some(text) = key.and_then(|key| key.description.as_mut()) {
                    text.truncate(text.trim_end_matches('.').len());
                    text.push_str(". With another body, byte for byte, it is refused: `idempotency_key.reused`.");
                    let any = ResponseBuilder::new().description("`idempotency_key.reused`").build();
                    call.responses.responses.entry("422".into()).or_insert_with(|| any.into());
                }
            }
        }
    }
}

/// Problems that any call may answer with: name of the response, status code and reason. A response of 400 and above is
/// a problem.
struct Problems;

type Answer = (&'static str, &'static str, &'static str);

impl Problems {
    const ALWAYS: [Answer; 4] = [
        ("BadRequest", "400", "The request cannot be read."),
        ("TooManyRequests", "429", "Too much at once: `Retry-After` tells when to ask again."),
        ("InternalError", "500", "Something went wrong on our side; `requestId` finds it in the log."),
        ("Unavailable", "503", "Something that is needed is away for a moment: `Retry-After` tells when to ask again."),
    ];
    const UNAUTHORIZED: Answer =
        ("Unauthorized", "401", "`auth.required`, `token.expired`, `session.revoked` and the like");
    const FORBIDDEN: Answer = ("Forbidden", "403", "`role.forbidden`, `staff.second_factor_missing`");
    const WITH_BODY: [Answer; 4] = [
        ("BodyTooSlow", "408", "The body came too slowly."),
        ("BodyTooLarge", "413", "The body is too large."),
        ("WrongMediaType", "415", "The body is of another kind."),
        ("Invalid", "422", "What was sent is wrong: `errors` tells field by field."),
    ];
    const WITH_PARAMETERS: Answer = ("InvalidParameter", "422", "A parameter is wrong.");

    fn all() -> impl Iterator<Item = Answer> {
        let single = [Self::UNAUTHORIZED, Self::FORBIDDEN, Self::WITH_PARAMETERS];
        Self::ALWAYS.into_iter().chain(Self::WITH_BODY).chain(single)
    }

    fn of(call: &Operation, is_office: bool) -> Vec<Answer> {
        let mut answers = Self::ALWAYS.to_vec();
        // By default, the bearer token is required.
        let is_open =
            call.security.as_ref().is_some_and(|all| all.iter().all(|one| *one == SecurityRequirement::default()));
        if !is_open {
            answers.push(Self::UNAUTHORIZED);
            answers.extend(is_office.then_some(Self::FORBIDDEN));
        }
        if call.request_body.is_some() {
            answers.extend(Self::WITH_BODY);
        } else if call.parameters.as_ref().is_some_and(|parameters| !parameters.is_empty()) {
            answers.push(Self::WITH_PARAMETERS);
        }
        answers
    }
}

impl Modify for Problems {
    fn modify(&self, description: &mut OpenApi) {
        let content = ContentBuilder::new().schema(Some(Ref::from_schema_name("Problem"))).build();
        let components = description.components.get_or_insert_default();
        for (name, _, why) in Self::all() {
            let answer = ResponseBuilder::new().description(why).content("application/problem+json", content.clone());
            components.responses.insert(name.into(), answer.build().into());
        }
        for (path, item) in &mut description.paths.paths {
            for call in calls(item) {
                let shared = Self::of(call, path.starts_with("/api/admins/"));
                let answers = &mut call.responses.responses;
                for (status, answer) in answers.iter_mut() {
                    if let RefOr::T(answer) = answer
                        && status.starts_with(['4', '5'])
                    {
                        answer.content.insert("application/problem+json".into(), content.clone().into());
                    }
                }
                for (name, status, _) in shared {
                    answers.entry(status.into()).or_insert_with(|| Ref::from_response_name(name).into());
                }
            }
        }
    }
}

fn calls(item: &mut PathItem) -> impl Iterator<Item = &mut Operation> {
    let reading = [&mut item.get, &mut item.head, &mut item.options];
    let changing = [&mut item.post, &mut item.put, &mut item.patch, &mut item.delete];
    reading.into_iter().chain(changing).flatten()
}

/// Closes the schemas of bodies: unknown fields are refused.
struct ClosedBodies;

impl Modify for ClosedBodies {
    fn modify(&self, description: &mut OpenApi) {
        let Some(components) = &mut description.components else { return };
        let calls = description.paths.paths.values().flat_map(|item| [&item.post, &item.put, &item.patch]).flatten();
        let bodies = calls.filter_map(|call| match call.request_body.as_ref()? {
            RefOr::T(body) => match body.content.get("application/json")? {
                RefOr::T(content) => content.schema.as_ref(),
                RefOr::Ref(_) => None,
            },
            RefOr::Ref(_) => None,
        });
        let names: Vec<String> = bodies
            .filter_map(|schema| match schema {
                RefOr::Ref(schema) => schema.ref_location.rsplit('/').next().map(str::to_owned),
                RefOr::T(_) => None,
            })
            .collect();
        for name in names {
            if let Some(RefOr::T(Schema::Object(object))) = components.schemas.get_mut(&name) {
                object.additional_properties.get_or_insert_with(|| Box::new(AdditionalProperties::FreeForm(false)));
            }
        }
    }
}

/// Returns the description of the whole API, OpenAPI 3.1.
pub fn openapi() -> OpenApi {
    let mut description = Description::openapi();
    let of_staff = admins::calls().into_iter().map(|call| call.described);
    for (schemas, described, _) in
        users::calls().into_iter().chain(of_staff).chain(sign_on::calls()).chain(webhooks::calls())
    {
        description.components.get_or_insert_default().schemas.extend(schemas);
        for (path, item) in described.paths {
            description.paths.paths.entry(path).or_default().merge_operations(item);
        }
    }
    let (events, schemas) = admins::webhooks::described();
    description.components.get_or_insert_default().schemas.extend(schemas);
    description.webhooks = Some(events);
    let modifiers: [&dyn Modify; 5] = [&SecuritySchemes, &Keys, &Problems, &ClosedBodies, &Shapes];
    for modifier in modifiers {
        modifier.modify(&mut description);
    }
    description
}

/// The same as JSON, made once.
pub static DESCRIPTION: LazyLock<Value> =
    LazyLock::new(|| serde_json::to_value(openapi()).expect("the description is JSON"));

/// Returns a path under the name that the description has for it.
pub fn described(path: &str) -> Cow<'_, str> {
    path.strip_prefix("/twentyEighty/").map_or(Cow::Borrowed(path), |rest| format!("/api/{rest}").into())
}

/// Returns the description of a call by its route, or null if there is none.
pub fn call(method: &Method, route: &str) -> &'static Value {
    &DESCRIPTION["paths"][&*described(route)][method.as_str().to_ascii_lowercase()]
}

/// Returns the description as it is committed: indented, with a newline at the end.
pub fn openapi_json() -> String {
    let mut text = openapi().to_pretty_json().expect("the description consists of strings, lists and maps");
    text.push('\n');
    text
}

/// `GET /openapi.json`
pub async fn document() -> impl IntoResponse {
    Json(openapi())
}
