//! `GET /docs`: the description of the API as one plain page, without scripts or anything from elsewhere.

use std::fmt::Write as _;
use std::sync::LazyLock;

use axum::http::header;
use axum::response::IntoResponse;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::openapi::openapi;
use super::problem::{REFUSALS, kind};
use wire::status_of;

const STYLE: &str = "\
    :root{color-scheme:light dark}\
    body{max-width:60rem;margin:0 auto;padding:1rem;font:1rem/1.5 'Public Sans',system-ui,sans-serif;\
        background:light-dark(#f6f2ea,#201f1e);color:light-dark(#3a4350,#fff)}\
    h1,h2,h3{line-height:1.25}\
    h2{margin-top:3rem}\
    h3{margin-top:2rem}\
    a{color:light-dark(#a54040,#e25970)}\
    code{font:0.9em/1.4 ui-monospace,monospace;overflow-wrap:break-word}\
    table{width:100%;border-collapse:collapse}\
    th,td{padding:0.4rem 1rem 0.4rem 0;border-bottom:1px solid light-dark(#b3a9a0,#6b645e);text-align:left;\
        vertical-align:top}\
    nav ul{columns:22rem;padding-left:1.2rem}";

struct Page {
    html: String,
    policy: String,
}

static PAGE: LazyLock<Page> = LazyLock::new(|| {
    let description = serde_json::to_value(openapi()).expect("the description consists of strings, lists and maps");
    let digest = BASE64_STANDARD.encode(Sha256::digest(STYLE));
    Page {
        html: write(&description).expect("a String takes everything"),
        policy: format!(
            "default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'; \
             frame-ancestors 'none'"
        ),
    }
});

/// `GET /docs`
pub async fn page() -> impl IntoResponse {
    let headers = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CONTENT_SECURITY_POLICY, PAGE.policy.as_str()),
        (header::REFERRER_POLICY, "no-referrer"),
    ];
    (headers, PAGE.html.as_str())
}

fn write(description: &Value) -> Result<String, std::fmt::Error> {
    let calls = calls(description);
    let info = &description["info"];
    let mut page = String::new();
    write!(
        page,
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width\"><title>{title}</title><style>{STYLE}</style></head>\
         <body><header><h1>{title}</h1><p>{about}</p>\
         <p>As OpenAPI 3.1: <a href=\"openapi.json\">openapi.json</a></p></header><nav aria-label=\"Calls\"><ul>",
        title = text(&info["title"]),
        about = text(&info["description"]),
    )?;
    for call in &calls {
        write!(page, "<li><a href=\"#{}\"><code>{} {}</code></a></li>", call.id(), call.method, call.path)?;
    }
    write!(
        page,
        "<li><a href=\"#webhooks\">Webhooks</a></li><li><a href=\"#errors\">Errors</a></li></ul></nav><main><h2>Calls</h2>"
    )?;
    for call in &calls {
        write_call(&mut page, call)?;
    }
    write_events(&mut page, &description["webhooks"])?;
    write!(page, "<h2>Bodies</h2>")?;
    for (name, schema) in entries(&description["components"]["schemas"]) {
        write_schema(&mut page, name, schema)?;
    }
    write_errors(&mut page)?;
    write!(page, "</main></body></html>")?;
    Ok(page)
}

struct Call<'a> {
    method: String,
    path: &'a str,
    operation: &'a Value,
}

impl Call<'_> {
    fn id(&self) -> String {
        text(&self.operation["operationId"])
    }
}

fn calls(description: &Value) -> Vec<Call<'_>> {
    entries(&description["paths"])
        .flat_map(|(path, item)| {
            entries(item).map(move |(method, operation)| Call { method: method.to_uppercase(), path, operation })
        })
        .collect()
}

fn entries(object: &Value) -> impl Iterator<Item = (&str, &Value)> {
    object.as_object().into_iter().flatten().map(|(name, value)| (name.as_str(), value))
}

fn write_call(page: &mut String, call: &Call) -> std::fmt::Result {
    let operation = call.operation;
    write!(
        page,
        "<section id=\"{id}\"><h3><code>{method} {path}</code></h3><p>{summary} {more}</p>",
        id = call.id(),
        method = call.method,
        path = call.path,
        summary = text(&operation["summary"]),
        more = text(&operation["description"]),
    )?;
    let body = &operation["requestBody"]["content"]["application/json"]["schema"];
    if !body.is_null() {
        write!(page, "<p>Body: {}</p>", kind_of(body))?;
    }
    for header in operation["parameters"].as_array().into_iter().flatten() {
        write!(page, "<p><code>{}</code>: {}</p>", text(&header["name"]), text(&header["description"]))?;
    }
    write!(page, "<table><tr><th scope=\"col\">Status</th><th scope=\"col\">Answer</th></tr>")?;
    let (shared, own): (Vec<_>, Vec<_>) =
        entries(&operation["responses"]).partition(|(_, answer)| answer["$ref"].is_string());
    for (status, answer) in own {
        write!(page, "<tr><td>{status}</td><td>{}", text(&answer["description"]))?;
        for (_, content) in entries(&answer["content"]) {
            write!(page, " {}", kind_of(&content["schema"]))?;
        }
        write!(page, "</td></tr>")?;
    }
    let shared: Vec<&str> = shared.into_iter().map(|(status, _)| status).collect();
    write!(page, "<tr><td>{}</td><td><a href=\"#errors\">Errors</a></td></tr></table></section>", shared.join(", "))
}

fn write_schema(page: &mut String, name: &str, schema: &Value) -> std::fmt::Result {
    write!(page, "<section id=\"{name}\"><h3>{name}</h3>")?;
    if !schema["description"].is_null() {
        write!(page, "<p>{}</p>", text(&schema["description"]))?;
    }
    match schema["allOf"].as_array() {
        Some(parts) => {
            for part in parts {
                match part["$ref"].is_string() {
                    true => write!(page, "<p>All of {}, and:</p>", kind_of(part))?,
                    false => write_fields(page, part)?,
                }
            }
        }
        None if schema["properties"].is_null() => write!(page, "<p>{}</p>", kind_of(schema))?,
        None => write_fields(page, schema)?,
    }
    write!(page, "</section>")
}

fn write_fields(page: &mut String, schema: &Value) -> std::fmt::Result {
    write!(page, "<table><tr><th scope=\"col\">Field</th><th scope=\"col\">Type</th><th scope=\"col\"></th></tr>")?;
    let required: Vec<&str> = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    for (field, value) in entries(&schema["properties"]) {
        let optional = if required.contains(&field) { "" } else { "optional " };
        let (kind, about) = (kind_of(value), text(&value["description"]));
        write!(page, "<tr><td><code>{field}</code></td><td>{optional}{kind}</td><td>{about}</td></tr>")?;
    }
    write!(page, "</table>")
}

/// Events that are sent to endpoints.
fn write_events(page: &mut String, events: &Value) -> std::fmt::Result {
    write!(
        page,
        "<h2 id=\"webhooks\">Webhooks</h2>\
         <p>Sent to the endpoints that Owners add, with <code>type</code>, <code>timestamp</code> and <code>data</code>.</p>\
         <table><tr><th scope=\"col\">Type</th><th scope=\"col\">Data</th><th scope=\"col\">When</th></tr>"
    )?;
    for (kind, event) in entries(events) {
        let operation = &event["post"];
        let body = &operation["requestBody"]["content"]["application/json"]["schema"];
        let data = kind_of(&body["properties"]["data"]);
        write!(page, "<tr><td><code>{kind}</code></td><td>{data}</td><td>{}</td></tr>", text(&operation["summary"]))?;
    }
    write!(page, "</table>")
}

fn write_errors(page: &mut String) -> std::fmt::Result {
    write!(
        page,
        "<h2 id=\"errors\">Errors</h2>\
         <p>Each is a <a href=\"#Problem\">Problem</a>. Codes are stable, sentences are not.</p>\
         <table><tr><th scope=\"col\">Status</th><th scope=\"col\">Code</th><th scope=\"col\">When</th></tr>"
    )?;
    let refusals = REFUSALS.iter().map(|refusal| (status_of(*refusal), refusal.code(), refusal.sentence()));
    let kinds = kind::ALL.iter().map(|kind| (kind.status, kind.code, kind.meaning.into()));
    let mut rows: Vec<_> = refusals.into_iter().chain(kinds).collect();
    rows.sort_by_key(|(status, ..)| *status);
    for (status, code, when) in rows {
        write!(page, "<tr id=\"{code}\"><td>{}</td><td><code>{code}</code></td><td>", status.as_u16())?;
        write!(page, "{}</td></tr>", escaped(&when.to_string()))?;
    }
    write!(page, "</table>")
}

/// Describes the type of a schema in words, with links to the named ones.
fn kind_of(schema: &Value) -> String {
    if let Some(name) = schema["$ref"].as_str().and_then(|target| target.rsplit('/').next()) {
        return format!("<a href=\"#{name}\">{name}</a>");
    }
    if let Some(choices) = schema["oneOf"].as_array() {
        return choices.iter().map(kind_of).collect::<Vec<_>>().join(" or ");
    }
    if let Some(values) = schema["enum"].as_array() {
        let values = values.iter().map(|value| format!("<code>{}</code>", text(value)));
        return values.collect::<Vec<_>>().join(" or ");
    }
    let types = match &schema["type"] {
        Value::Array(types) => types.iter().map(text).collect::<Vec<_>>().join(" or "),
        one => text(one),
    };
    match (types.as_str(), schema["format"].as_str()) {
        ("array", _) => format!("list of {}", kind_of(&schema["items"])),
        ("object", _) if !schema["additionalProperties"].is_null() => {
            format!("map to {}", kind_of(&schema["additionalProperties"]))
        }
        (_, Some(format @ ("date" | "date-time" | "email" | "password"))) => format!("{types} ({format})"),
        _ => types,
    }
}

/// Formats the text of a JSON string as HTML, with `code` in backticks; empty for anything else.
fn text(value: &Value) -> String {
    let escaped = escaped(value.as_str().unwrap_or_default());
    let mut parts = escaped.split('`');
    let mut html = parts.next().unwrap_or_default().to_owned();
    for (index, part) in parts.enumerate() {
        html.push_str(if index % 2 == 0 { "<code>" } else { "</code>" });
        html.push_str(part);
    }
    html
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
