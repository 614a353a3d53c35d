//! The description of the API, made from the code: `/openapi.json`, and what the TypeScript types are generated from.

mod shapes;

use std::borrow::Cow;
use std::sync::LazyLock;

use axum::Json;
use axum::http::Method;
use axum::response::IntoResponse;
use serde_json::Value;
use utoipa::openapi::path::Operation;
use utoipa::openapi::schema::{AdditionalProperties, Schema};
use utoipa::openapi::security::{ApiKey, ApiKeyValue, Http, HttpAuthScheme, SecurityRequirement, SecurityScheme};
use utoipa::openapi::{ContentBuilder, OpenApi, PathItem, Ref, RefOr, ResponseBuilder};
use utoipa::{Modify, OpenApi as _};

use self::shapes::Shapes;
use super::problem::ProblemDocument;
use super::{admins, users, webhooks};

#[derive(utoipa::OpenApi)]
#[openapi(
    info(
        title = "Matricula API",
        description = "What applicants and the office do, as JSON calls. Every call answers the same under `/twentyEighty` as under \
            `/api`. Bodies are strict: an unknown field, a wrong type or a name given twice is an error. Every error is \
            a problem document (RFC 9457) whose `code` is stable and whose `error` is one plain sentence."
    ),
    paths(
        users::register::register,
        users::login::login,
        users::session::session,
        users::logout::logout,
        users::forgot_password::request,
        users::reset_password::reset,
        users::me::me,
        users::profile::change,
        users::password::change,
        users::email_change::pending,
        users::email_change::request,
        users::email_change::resend,
        users::email_change::cancel,
        users::email_change::confirm,
        users::email_change::stop,
        users::email_confirmation::resend,
        users::email_confirmation::confirm,
        users::personal_data::download,
        users::close_account::close,
        users::sessions::list,
        users::sessions::end_others,
        users::sessions::end,
        users::messages::list,
        users::messages::open,
        users::conversation::read,
        users::conversation::write,
        users::application::load,
        users::application::save,
        users::application::start,
        users::application_copy::load,
        users::submission::submit,
        users::submission::unsubmit,
        users::submission::withdraw,
        users::submission::undo_withdraw,
        users::passkeys::list,
        users::passkeys::remove,
        users::second_factor::begin,
        users::second_factor::confirm,
        users::second_factor::remove,
        users::second_factor::renew_codes,
        users::offer::load,
        users::offer::reply,
        users::offer::undo_decline,
        users::offer::ask_deferral,
        users::contract::load,
        users::contract::file,
        users::contract::consent,
        users::contract::sign,
        users::contract::decline,
        users::funding::load,
        users::funding::save,
        users::payments::load,
        users::payments::checkout,
        users::payments::save_card,
        users::payments::forget_card,
        webhooks::stripe,
        users::documents::list,
        users::documents::send,
        users::documents::load,
        users::documents::remove,
        users::documents::uploads::options,
        users::documents::uploads::create,
        users::documents::uploads::head,
        users::documents::uploads::append,
        users::documents::uploads::give_up,
        users::interview::load,
        users::interview::hold,
        users::interview::book,
        users::interview::relocate,
        users::interview::cancel,
        users::interview::wish,
        admins::login::login,
        admins::login::logout,
        admins::forgotten::request,
        admins::forgotten::reset,
        admins::step_up::step_up,
        admins::invitations::accept,
        admins::me::me,
        admins::me::change,
        admins::me::leave,
        admins::me::change_password,
        admins::passkeys::list,
        admins::passkeys::remove,
        admins::second_factor::begin,
        admins::second_factor::confirm,
        admins::second_factor::remove,
        admins::second_factor::renew_codes,
        admins::listings::list,
        admins::listings::as_csv,
        admins::listings::as_xlsx,
        admins::sessions::list,
        admins::sessions::end_others,
        admins::sessions::end,
        admins::applications::load,
        admins::applications::change,
        admins::team::list,
        admins::team::invite,
        admins::team::change,
        admins::team::remove,
        admins::second_factor::reset,
        admins::second_factor::reset_of_applicant,
        admins::invitations::resend,
        admins::invitations::revoke,
        admins::questionnaires::list,
        admins::questionnaires::publish,
        admins::questionnaires::change,
        admins::questionnaires::delete,
        admins::second_factor_rule::load,
        admins::second_factor_rule::change,
        admins::settings::list,
        admins::settings::load,
        admins::settings::change,
        admins::settings::versions,
        admins::settings::restore,
        admins::decisions::load,
        admins::decisions::draft,
        admins::decisions::discard,
        admins::decisions::release,
        admins::decisions::drop_planned,
        admins::decisions::recall,
        admins::decisions::reverse,
        admins::decisions::reopen,
        admins::contracts::list,
        admins::contracts::load,
        admins::contracts::prepare,
        admins::contracts::send,
        admins::contracts::void,
        admins::contracts::paper,
        admins::contracts::countersign,
        admins::contracts::templates,
        admins::contracts::publish,
        admins::conditions::list,
        admins::conditions::judge,
        admins::funding::load,
        admins::funding::save,
        admins::funding::judge,
        admins::funding::book,
        admins::funding::requests,
        admins::funding::approve,
        admins::funding::decline,
        admins::funding::withdraw,
        admins::funding::close_refund,
        admins::finance::list,
        admins::finance::figures,
        admins::finance::place,
        admins::finance::end_refund_task,
        admins::finance::ledger,
        admins::finance::enrolled_csv,
        admins::finance::enrolled_json,
        admins::decisions::several::list,
        admins::decisions::several::release,
        admins::decisions::several::recall,
        admins::record::answers,
        admins::record::timeline,
        admins::record::presence,
        admins::record::leave,
        admins::acts::request_changes,
        admins::acts::drop_changes,
        admins::acts::withdraw,
        admins::acts::undo_withdraw,
        admins::acts::resume,
        admins::tasks::list,
        admins::tasks::tick_off,
        admins::tasks::untick,
        admins::tasks::take,
        admins::tasks::put_back,
        admins::tasks::work,
        admins::tasks::next,
        admins::marks::hand_over,
        admins::marks::tag,
        admins::marks::untag,
        admins::duplicates::list,
        admins::duplicates::merge,
        admins::duplicates::tell_apart,
        admins::duplicates::undo,
        admins::documents::list,
        admins::documents::review,
        admins::documents::retract,
        admins::documents::file,
        admins::interview::load,
        admins::interview::arrange,
        admins::interview::offer,
        admins::interview::cancel,
        admins::interview::held,
        admins::interview::no_show,
        admins::interview::undo,
        admins::interview::scores,
        admins::interview::score,
        admins::interviews::own,
        admins::interviews::calendar,
        admins::interviews::rules,
        admins::interviews::change_rules,
        admins::feed::load,
        admins::feed::open,
        admins::feed::close,
        admins::notes::list,
        admins::notes::write,
        admins::notes::edit,
        admins::notes::delete,
        admins::notes::pin,
        admins::notes::unpin,
        admins::conversation::read,
        admins::conversation::write,
        admins::conversation::snippets,
        admins::mails::list,
        admins::mails::resend,
        admins::bulk::marks::look_at_assigning,
        admins::bulk::marks::assign,
        admins::bulk::marks::look_at_tagging,
        admins::bulk::marks::tag,
        admins::bulk::letters::look_at_mailing,
        admins::bulk::letters::mail,
        admins::bulk::letters::look_at_asking,
        admins::bulk::letters::ask,
        admins::bulk::drafts::look,
        admins::bulk::drafts::draft,
        admins::readings::list,
        admins::readings::ask,
        admins::readings::send,
        admins::readings::unask,
        admins::readings::committee,
        admins::marks::colleagues,
        admins::views::list,
        admins::views::save,
        admins::views::rename,
        admins::views::delete,
        admins::figures::load,
        admins::figures::as_csv,
        admins::figure_reports::list,
        admins::figure_reports::save,
        admins::figure_reports::delete,
        admins::figure_reports::start_mails,
        admins::figure_reports::stop_mails,
        admins::insight::audit,
        admins::insight::form_health,
        admins::deliveries::list,
        admins::deliveries::retry_mail,
        admins::deliveries::retry_job,
    ),
    components(schemas(ProblemDocument)),
    security(("bearer" = [])),
    modifiers(&SecuritySchemes, &Keys, &Problems, &ClosedBodies, &Shapes)
)]
struct Description;

/// The two ways to say who is calling.
struct SecuritySchemes;

impl Modify for SecuritySchemes {
    fn modify(&self, description: &mut OpenApi) {
        let components = description.components.get_or_insert_default();
        components.add_security_scheme("bearer", SecurityScheme::Http(Http::new(HttpAuthScheme::Bearer)));
        let cookie =
            ApiKey::Cookie(ApiKeyValue::with_description("matricula_session", "By https `__Host-matricula_session`."));
        components.add_security_scheme("cookie", SecurityScheme::ApiKey(cookie));
    }
}

/// What holds for every key.
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
                if let Some(told) = key.and_then(|key| key.description.as_mut()) {
                    told.push_str(". With another body, byte for byte, it is refused: `idempotency_key.reused`");
                    let any = ResponseBuilder::new().description("`idempotency_key.reused`").build();
                    call.responses.responses.entry("422".into()).or_insert_with(|| any.into());
                }
            }
        }
    }
}

/// Problems that calls may answer with whatever they do: name of the response, status code, and why. An answer of 400 and
/// above is a problem.
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
        // Where nothing is said, the bearer token is asked for.
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
    let calls = [&mut item.get, &mut item.post, &mut item.patch, &mut item.delete, &mut item.head, &mut item.options];
    calls.into_iter().flatten()
}

/// Bodies hold what their schemas have and nothing else: unknown fields are refused.
struct ClosedBodies;

impl Modify for ClosedBodies {
    fn modify(&self, description: &mut OpenApi) {
        let Some(components) = &mut description.components else { return };
        let calls = description.paths.paths.values().flat_map(|item| [&item.post, &item.patch]).flatten();
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

/// The description of the whole API, OpenAPI 3.1.
pub fn openapi() -> OpenApi {
    Description::openapi()
}

/// The same as JSON, made once.
pub static DESCRIPTION: LazyLock<Value> =
    LazyLock::new(|| serde_json::to_value(openapi()).expect("the description is JSON"));

/// A path by the name that the description has for it.
pub fn described(path: &str) -> Cow<'_, str> {
    path.strip_prefix("/twentyEighty/").map_or(Cow::Borrowed(path), |rest| format!("/api/{rest}").into())
}

/// What the description has of a call, by its route; nothing, if it is not there.
pub fn call(method: &Method, route: &str) -> &'static Value {
    &DESCRIPTION["paths"][&*described(route)][method.as_str().to_ascii_lowercase()]
}

/// The description as it is committed: indented, with a newline at the end.
pub fn openapi_json() -> String {
    let mut text = openapi().to_pretty_json().expect("the description consists of strings, lists and maps");
    text.push('\n');
    text
}

/// `GET /openapi.json`
pub async fn document() -> impl IntoResponse {
    Json(openapi())
}
