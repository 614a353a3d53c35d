//! The document around a rendered screen: head, preloads, hydration data. Written in Rust, so that a page whose
//! rendering failed is still a page.

use std::borrow::Cow;

use base64::Engine;
use base64::prelude::{BASE64_STANDARD, BASE64_URL_SAFE_NO_PAD};
use memchr::{memchr3_iter, memmem};
use sha2::{Digest, Sha256};

use super::assets::EntryAssets;
use super::language::PARAMETER;
use super::page::Page;
use domain::language::Language;
use domain::text;

/// Why the scripts and styles of a document are allowed to run.
#[derive(Debug, Clone)]
pub enum Trust {
    /// A document made for one request: a nonce that is never used again.
    Nonce(String),
    /// A document that is kept and sent to many: a nonce would be known, so the only scripts are from our files, and
    /// embedded styles are identified by their hash.
    Shared,
}

/// The hash of an empty style element: in the browser, the styles fill one rule by rule, which a policy does not see,
/// and which has no nonce in a shared document.
const EMPTY_STYLE: &str = "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=";

impl Trust {
    /// Returns a nonce for one document, from this thread's generator, which is as hard to guess as the operating
    /// system's and needs no system call.
    pub fn once() -> Trust {
        Trust::Nonce(BASE64_URL_SAFE_NO_PAD.encode(rand::random::<[u8; 32]>()))
    }

    /// Returns the `Content-Security-Policy` of the document.
    /// With `frames`, it may embed our own pages; its forms may lead to us and `forms_to`, another origin.
    pub fn policy(&self, assets: &EntryAssets, https: bool, frames: bool, forms_to: Option<&str>) -> String {
        let (script, style) = match self {
            Trust::Nonce(nonce) => (format!("'nonce-{nonce}' 'strict-dynamic'"), format!("'self' 'nonce-{nonce}'")),
            Trust::Shared => {
                let hash = BASE64_STANDARD.encode(Sha256::digest(assets.landing_styles.css.as_bytes()));
                ("'self'".to_owned(), format!("'self' 'sha256-{hash}' '{EMPTY_STYLE}'"))
            }
        };
        let frames = if frames { " frame-src 'self';" } else { "" };
        let forms_to = forms_to.map(|origin| format!(" {origin}")).unwrap_or_default();
        let upgrade = if https { "; upgrade-insecure-requests" } else { "" };
        format!(
            "default-src 'none'; script-src {script}; style-src {style}; img-src 'self' data:; font-src 'self';{frames} \
             connect-src 'self'; manifest-src 'self'; form-action 'self'{forms_to}; base-uri 'none'; \
             frame-ancestors 'none'{upgrade}"
        )
    }
}

/// The content of `#root`.
#[derive(Debug, Clone, Copy)]
pub enum Body<'a> {
    /// The rendered screen as the renderer gave it, to be hydrated.
    Rendered(&'a str),
    /// Nothing could be rendered: the browser does it.
    ClientOnly,
}

/// The renderer's output, taken apart: see `ssr/styles.ts`.
#[derive(Debug, PartialEq, Eq)]
pub struct RenderedScreen<'a> {
    /// The classes that no stylesheet has, and their rules.
    pub styles: Option<(&'a str, &'a str)>,
    pub html: &'a str,
}

impl RenderedScreen<'_> {
    pub fn read(rendered: &str) -> RenderedScreen<'_> {
        let apart = rendered.strip_prefix('\0').and_then(|rest| {
            let (names, rest) = rest.split_once('\0')?;
            let (css, html) = rest.split_once('\0')?;
            Some(RenderedScreen { styles: Some((names, css)), html })
        });
        apart.unwrap_or(RenderedScreen { styles: None, html: rendered })
    }
}

/// Writes the whole document. `json` is the serialised page, the very text that was rendered.
pub fn write(page: &Page, json: &str, body: Body<'_>, assets: &EntryAssets, trust: &Trust) -> String {
    let client_only = matches!(body, Body::ClientOnly);
    let (styles, html) = match body {
        Body::Rendered(rendered) => {
            let RenderedScreen { styles, html } = RenderedScreen::read(rendered);
            (styles, Cow::Borrowed(html))
        }
        Body::ClientOnly => (None, Cow::Owned(noscript(page.shared.language, &wire::request_id()))),
    };
    let mut out = String::with_capacity(html.len() + json.len() + json.len() / 8 + 4096);
    let head = &page.head;
    let shared = &page.shared;
    out.push_str("<!doctype html><html lang=\"");
    out.push_str(shared.language.as_str());
    out.push_str("\" data-theme=\"");
    out.push_str(shared.theme.as_str());
    out.push_str(
        "\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">",
    );
    tag(&mut out, "title", &head.title);
    if let Some(description) = &head.description {
        meta(&mut out, "name", "description", description);
        meta(&mut out, "property", "og:description", description);
    }
    meta(&mut out, "property", "og:title", &head.title);
    meta(&mut out, "property", "og:type", "website");
    meta(&mut out, "property", "og:site_name", &shared.institute);
    if let Some(canonical) = &head.canonical {
        let own = address_in(shared.language, canonical);
        out.extend(["<link rel=\"canonical\" href=\"", &*escape(&own), "\">"]);
        meta(&mut out, "property", "og:url", &own);
        for (language, address) in alternates(canonical) {
            let address = escape(&address);
            out.extend(["<link rel=\"alternate\" hreflang=\"", language, "\" href=\"", &*address, "\">"]);
        }
    }
    meta(&mut out, "property", "og:locale", shared.language.as_str());
    if let Some(robots) = head.robots {
        meta(&mut out, "name", "robots", robots);
    }
    if head.is_changing {
        out.push_str("<noscript><meta http-equiv=\"refresh\" content=\"3\"></noscript>");
    }
    out.push_str(
        "<meta name=\"color-scheme\" content=\"light dark\">\
         <meta name=\"theme-color\" content=\"#F6F2EA\" media=\"(prefers-color-scheme: light)\">\
         <meta name=\"theme-color\" content=\"#201F1E\" media=\"(prefers-color-scheme: dark)\">\
         <link rel=\"icon\" href=\"/favicon.svg\" type=\"image/svg+xml\">",
    );
    for font in &assets.font_preloads {
        out.extend(["<link rel=\"preload\" href=\"", font, "\" as=\"font\" type=\"font/woff2\" crossorigin>"]);
    }
    let nonce = match trust {
        Trust::Nonce(nonce) => Cow::Owned(format!(" nonce=\"{nonce}\"")),
        Trust::Shared => Cow::Borrowed(""),
    };
    if let Some((names, css)) = styles {
        // In the form emotion looks for, so that the browser does not insert it again; before the stylesheets, where
        // emotion would insert it.
        out.extend(["<style data-emotion=\"css ", names, "\"", &*nonce, ">", css, "</style>"]);
    }
    match trust {
        Trust::Shared => {
            // The browser loads the whole stylesheet before it hydrates.
            out.extend(["<style data-whole=\"", &assets.stylesheet_href, "\">"]);
            out.push_str(&assets.landing_styles.css);
            out.push_str("</style>");
        }
        Trust::Nonce(_) => {
            for href in std::iter::once(&assets.stylesheet_href).chain(&assets.more_stylesheets) {
                out.extend(["<link rel=\"stylesheet\" href=\"", href, "\">"]);
            }
        }
    }
    let parts = page.screen.parts();
    for script in assets.modulepreloads.iter().chain(parts.iter().filter_map(|part| assets.parts.get(*part)).flatten())
    {
        out.extend(["<link rel=\"modulepreload\" href=\"", script, "\"", &*nonce, ">"]);
    }
    if let Some(data) = &head.structured_data {
        out.push_str("<script type=\"application/ld+json\">");
        escape_json(&mut out, &data.to_string());
        out.push_str("</script>");
    }
    out.push_str("</head><body><div id=\"root\">");
    out.push_str(&html);
    out.push_str("</div><script type=\"application/json\" id=\"page\"");
    out.push_str(if client_only { " data-client-only>" } else { ">" });
    escape_json(&mut out, json);
    out.push_str("</script>");
    for script in &assets.scripts {
        out.extend(["<script type=\"module\" src=\"", script, "\"", &*nonce, "></script>"]);
    }
    out.push_str("</body></html>");
    out
}

/// Returns where search engines find a page in a language.
pub fn address_in(language: Language, canonical: &str) -> String {
    match language {
        Language::En => canonical.to_owned(),
        other => format!("{canonical}?{PARAMETER}={}", other.as_str()),
    }
}

/// Returns the addresses of a page by their `hreflang`. The English one is also the default.
pub fn alternates(canonical: &str) -> impl Iterator<Item = (&'static str, String)> {
    let each = Language::ALL.into_iter().map(|language| (language.as_str(), address_in(language, canonical)));
    each.chain([("x-default", canonical.to_owned())])
}

/// Returns what users without JavaScript read when rendering has failed.
fn noscript(language: Language, request_id: &str) -> String {
    let heading = text!("This page needs a moment").in_language(language);
    let text = text!("We could not prepare this page just now. Please reload it in a minute.").in_language(language);
    let code = text!("If you contact us about this, please quote this code:").in_language(language);
    format!("<noscript><h1>{heading}</h1><p>{text}</p><p>{code} <code>{request_id}</code></p></noscript>")
}

/// Appends JSON that may stand in a script element: nothing in it ends the element or starts a comment, and the two
/// line separators that JavaScript knows and JSON does not are escaped.
pub fn escape_json(out: &mut String, json: &str) {
    let json = without_separators(json);
    let mut done = 0;
    for at in memchr3_iter(b'<', b'>', b'&', json.as_bytes()) {
        out.push_str(&json[done..at]);
        out.push_str(match json.as_bytes()[at] {
            b'<' => "\\u003c",
            b'>' => "\\u003e",
            _ => "\\u0026",
        });
        done = at + 1;
    }
    out.push_str(&json[done..]);
}

fn without_separators(json: &str) -> Cow<'_, str> {
    let has = |separator: &str| memmem::find(json.as_bytes(), separator.as_bytes()).is_some();
    match has("\u{2028}") || has("\u{2029}") {
        true => Cow::Owned(json.replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")),
        false => Cow::Borrowed(json),
    }
}

/// Escapes text for HTML, also for double-quoted attributes.
pub fn escape(text: &str) -> Cow<'_, str> {
    if !text.contains(['&', '<', '>', '"', '\'']) {
        return Cow::Borrowed(text);
    }
    let escaped = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    Cow::Owned(escaped.replace('"', "&quot;").replace('\'', "&#39;"))
}

fn tag(out: &mut String, name: &str, text: &str) {
    out.extend(["<", name, ">", &*escape(text), "</", name, ">"]);
}

fn meta(out: &mut String, kind: &str, name: &str, content: &str) {
    out.extend(["<meta ", kind, "=\"", name, "\" content=\"", &*escape(content), "\">"]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hydration_data_cannot_leave_its_element() {
        let json = "{\"a\":\"</script><!--&\u{2028}\u{2029}é\"}";
        let mut out = String::new();
        escape_json(&mut out, json);
        assert_eq!(out, r#"{"a":"\u003c/script\u003e\u003c!--\u0026\u2028\u2029é"}"#);
        assert_eq!(
            serde_json::from_str::<serde_json::Value>(&out).unwrap(),
            serde_json::from_str::<serde_json::Value>(json).unwrap()
        );
    }

    #[test]
    fn what_is_rendered_brings_its_missing_styles_along() {
        let read = RenderedScreen::read;
        assert_eq!(read("<p>a</p>"), RenderedScreen { styles: None, html: "<p>a</p>" });
        let both = RenderedScreen { styles: Some(("1a 2b", ".css-1a{color:red}")), html: "<p>\0</p>" };
        assert_eq!(read("\u{0}1a 2b\u{0}.css-1a{color:red}\u{0}<p>\0</p>"), both);
    }

    #[test]
    fn titles_are_text() {
        assert_eq!(escape("a<b>&\"c'"), "a&lt;b&gt;&amp;&quot;c&#39;");
    }
}
