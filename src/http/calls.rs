//! A call of the API is declared once, in the attribute of its handler. The router and the description both read it
//! there.

use axum::Router;
use utoipa::openapi::path::Paths;
use utoipa_axum::router::UtoipaMethodRouter;

use super::ApiState;

/// What [`routes!`](utoipa_axum::routes) makes of a handler: the schemas its description uses, the description, and the
/// route.
pub type Call = UtoipaMethodRouter<ApiState>;

/// Returns the method and path of a call.
pub fn place(described: &Paths) -> (&'static str, &str) {
    let (path, item) = described.paths.iter().next().expect("a call has a path");
    let methods = [
        ("GET", &item.get),
        ("POST", &item.post),
        ("PUT", &item.put),
        ("PATCH", &item.patch),
        ("DELETE", &item.delete),
        ("HEAD", &item.head),
        ("OPTIONS", &item.options),
    ];
    let (method, _) = methods.into_iter().find(|(_, call)| call.is_some()).expect("a call has a method");
    (method, path)
}

/// Returns a path as the router of all calls below `prefix` knows it.
pub fn below<'a>(prefix: &str, path: &'a str) -> &'a str {
    path.strip_prefix(prefix).unwrap_or_else(|| panic!("{path} is not below {prefix}"))
}

/// Builds the router of calls that are all below `prefix`.
pub fn router(prefix: &str, calls: Vec<Call>) -> Router<ApiState> {
    calls.into_iter().fold(Router::new(), |router, (_, described, handler)| {
        router.route(below(prefix, place(&described).1), handler)
    })
}
