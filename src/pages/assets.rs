//! The files that pages load: scripts, the stylesheet, fonts. Embedded by `build.rs`; a development run may read them
//! from a folder instead, which `scripts/dev.mjs` keeps up to date.

use std::collections::{HashMap, HashSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, PoisonError, RwLock};

use axum::extract::Path as PathParam;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use serde::Deserialize;

use domain::language::Language;

/// The path that [`serve`] is routed to: `/assets/{name}`.
pub const PREFIX: &str = "/assets/";

mod embedded {
    include!(concat!(env!("OUT_DIR"), "/assets.rs"));
}

/// One file. Its name contains a hash of its contents, so it never changes.
#[derive(Debug, Clone)]
pub struct Asset {
    content_type: HeaderValue,
    plain: Coded,
    gzip: Option<Coded>,
    brotli: Option<Coded>,
}

/// A file in one content coding, and its entity tag.
#[derive(Debug, Clone)]
struct Coded {
    bytes: Bytes,
    etag: HeaderValue,
}

/// What the document of a route loads. Every address is one of our own paths.
#[derive(Debug, Clone, Default)]
pub struct EntryAssets {
    /// Module scripts, in order.
    pub scripts: Vec<String>,
    /// Chunks that the scripts will import.
    pub modulepreloads: Vec<String>,
    /// Further chunks that some of the route's pages need, by [`crate::page::Screen::parts`].
    pub parts: HashMap<String, Vec<String>>,
    pub stylesheet_href: String,
    /// Further stylesheets of routes that have their own.
    pub more_stylesheets: Vec<String>,
    /// Styles that landing pages embed.
    pub landing_styles: Arc<LandingStyles>,
    /// Fonts of what is visible first.
    pub font_preloads: Vec<String>,
}

/// The part of the stylesheet that a landing page needs.
#[derive(Debug, Default)]
pub struct LandingStyles {
    pub css: String,
    /// Classes that only the whole stylesheet has.
    left_out: HashSet<String>,
}

impl LandingStyles {
    /// Returns the first class in some HTML that looks different without the whole stylesheet.
    pub fn missing<'a>(&self, html: &'a str) -> Option<&'a str> {
        let values = html.split(" class=\"").skip(1).filter_map(|rest| rest.split('"').next());
        values.flat_map(|names| names.split(' ')).find(|class| {
            let is_of_part = class.starts_with("css-");
            self.left_out.contains(*class) || is_of_part && !self.css.contains(&format!(".{class}"))
        })
    }
}

/// One build of the client.
#[derive(Debug)]
struct Build {
    assets: HashMap<String, Asset>,
    /// By language, then by route.
    entries: HashMap<Language, HashMap<String, Arc<EntryAssets>>>,
    /// In a development run: see [`stamps`].
    stamps: Vec<String>,
}

/// `manifest.json` as `scripts/bundle.mjs` writes it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Manifest {
    stylesheet: String,
    landing: ManifestLanding,
    fonts: Vec<String>,
    routes: HashMap<Language, HashMap<String, ManifestRoute>>,
    /// Only in a development run.
    reload: Option<ManifestReload>,
    assets: Vec<ManifestAsset>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ManifestLanding {
    stylesheet: String,
    left_out: HashSet<String>,
}

#[derive(Deserialize)]
struct ManifestReload {
    /// Reloads a document when it was made with something outdated.
    script: String,
    /// Identifies everything that pages of a language are made with.
    stamps: HashMap<Language, String>,
}

#[derive(Deserialize)]
struct ManifestRoute {
    scripts: Vec<String>,
    preloads: Vec<String>,
    parts: HashMap<String, Vec<String>>,
    styles: Vec<String>,
}

#[derive(Deserialize)]
struct ManifestAsset {
    name: String,
    #[serde(rename = "type")]
    content_type: String,
    /// Whether `NAME.br` and `NAME.gz` exist too.
    compressed: bool,
}

static CURRENT: LazyLock<RwLock<Arc<Build>>> = LazyLock::new(|| {
    let build = Build::read(embedded::MANIFEST, |name| embedded::file(name).map(Bytes::from_static));
    RwLock::new(Arc::new(build.expect("the build script embeds what its manifest names")))
});

fn current() -> Arc<Build> {
    CURRENT.read().unwrap_or_else(PoisonError::into_inner).clone()
}

pub fn find(name: &str) -> Option<Asset> {
    current().assets.get(name).cloned()
}

/// Returns what the document of a route loads in a language. Empty for a route that the client does not have.
pub fn entry_for(route: &str, language: Language) -> Arc<EntryAssets> {
    current().entries.get(&language).and_then(|entries| entries.get(route)).cloned().unwrap_or_default()
}

/// Returns, in a development run, the stamps that tell the bundles of each language from others, as they follow the
/// question mark in the address of the reload script.
pub fn stamps() -> Vec<String> {
    current().stamps.clone()
}

/// Returns the scripts that render pages, for [`render::RenderOptions`].
pub fn ssr_bundles() -> [&'static str; Language::ALL.len()] {
    embedded::SSR
}

/// Returns which of them renders in a language.
pub fn bundle_of(language: Language) -> usize {
    Language::ALL.iter().position(|known| *known == language).unwrap_or_default()
}

/// Answers GET and HEAD `/assets/{name}`.
pub async fn serve(PathParam(name): PathParam<String>, headers: HeaderMap) -> Response {
    match find(&name) {
        Some(asset) => asset.respond(&headers),
        None => (StatusCode::NOT_FOUND, "There is no such file.\n").into_response(),
    }
}

impl Asset {
    fn respond(&self, request: &HeaderMap) -> Response {
        let (coding, coded) = match (&self.brotli, &self.gzip) {
            (Some(brotli), _) if accepts(request, "br") => (Some("br"), brotli),
            (_, Some(gzip)) if accepts(request, "gzip") => (Some("gzip"), gzip),
            _ => (None, &self.plain),
        };
        let mut response = if matches_any(request, &coded.etag) {
            StatusCode::NOT_MODIFIED.into_response()
        } else {
            coded.bytes.clone().into_response()
        };
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, self.content_type.clone());
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("public, max-age=31536000, immutable"));
        headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
        headers.insert(header::ETAG, coded.etag.clone());
        if self.brotli.is_some() || self.gzip.is_some() {
            headers.insert(header::VARY, HeaderValue::from_static("Accept-Encoding"));
        }
        if let Some(coding) = coding {
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(coding));
        }
        response
    }
}

/// Whether `Accept-Encoding` names the coding and does not refuse it.
fn accepts(request: &HeaderMap, coding: &str) -> bool {
    let entries = request.get_all(header::ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    entries.flat_map(|value| value.split(',')).any(|entry| {
        let mut parts = entry.split(';').map(str::trim);
        let named = parts.next().is_some_and(|name| name.eq_ignore_ascii_case(coding));
        let refused = parts.filter_map(|part| part.strip_prefix("q=")).any(|q| q.parse() == Ok(0.0_f32));
        named && !refused
    })
}

/// Whether `If-None-Match` names the tag, weakly or not, or everything.
fn matches_any(request: &HeaderMap, etag: &HeaderValue) -> bool {
    let values = request.get_all(header::IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    values
        .flat_map(|value| value.split(','))
        .map(str::trim)
        .any(|tag| tag == "*" || tag.strip_prefix("W/").unwrap_or(tag).as_bytes() == etag.as_bytes())
}

impl Build {
    /// Assembles what a manifest names; `read` returns the contents of a file.
    fn read(manifest: &str, read: impl Fn(&str) -> Option<Bytes>) -> Result<Build, BuildError> {
        let manifest: Manifest = serde_json::from_str(manifest).map_err(BuildError::Manifest)?;
        let contents = |name: &str| read(name).ok_or_else(|| BuildError::Missing(name.to_owned()));
        let coded = |name: &str| -> Result<Coded, BuildError> {
            let etag =
                HeaderValue::try_from(format!("\"{name}\"")).map_err(|_| BuildError::Missing(name.to_owned()))?;
            Ok(Coded { bytes: contents(name)?, etag })
        };

        let mut assets = HashMap::new();
        for ManifestAsset { name, content_type, compressed } in &manifest.assets {
            let variant = |suffix| compressed.then(|| coded(&format!("{name}.{suffix}"))).transpose();
            let content_type = HeaderValue::try_from(content_type).map_err(|_| BuildError::Missing(name.clone()))?;
            let asset = Asset { content_type, plain: coded(name)?, gzip: variant("gz")?, brotli: variant("br")? };
            assets.insert(name.clone(), asset);
        }

        let ManifestLanding { stylesheet, left_out } = manifest.landing;
        let css = String::from_utf8_lossy(&contents(&stylesheet)?).into_owned();
        let landing_styles = Arc::new(LandingStyles { css, left_out });
        let href = |name: &String| format!("{PREFIX}{name}");
        let entry = |(route, ManifestRoute { scripts, preloads, parts, styles }): (String, ManifestRoute)| {
            let entry = EntryAssets {
                scripts: scripts.iter().map(href).collect(),
                modulepreloads: preloads.iter().map(href).collect(),
                parts: parts.into_iter().map(|(name, files)| (name, files.iter().map(href).collect())).collect(),
                stylesheet_href: href(&manifest.stylesheet),
                more_stylesheets: styles.iter().map(href).collect(),
                landing_styles: landing_styles.clone(),
                font_preloads: manifest.fonts.iter().map(href).collect(),
            };
            (route, Arc::new(entry))
        };
        let in_language = |(language, routes): (Language, HashMap<_, _>)| {
            (language, routes.into_iter().map(&entry).collect::<HashMap<_, _>>())
        };
        let mut entries: HashMap<_, _> = manifest.routes.into_iter().map(in_language).collect();
        let mut stamps = Vec::new();
        if let Some(ManifestReload { script, stamps: by_language }) = manifest.reload {
            for (language, stamp) in by_language {
                for entry in entries.get_mut(&language).into_iter().flat_map(HashMap::values_mut) {
                    let entry = Arc::make_mut(entry);
                    entry.scripts.push(format!("{PREFIX}{script}?{stamp}"));
                    // Documents are kept while this address stays the same, so it must change even if only the
                    // rendering has changed.
                    let _ = write!(entry.stylesheet_href, "?{stamp}");
                }
                stamps.push(stamp);
            }
        }
        Ok(Build { assets, entries, stamps })
    }
}

/// Why a build of the client cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    #[error("manifest.json is not what scripts/bundle.mjs writes")]
    Manifest(#[source] serde_json::Error),
    #[error("{0} is missing")]
    Missing(String),
    #[error("{} cannot be read", .0.display())]
    Read(PathBuf, #[source] std::io::Error),
}

/// Switches to the files in a folder that `scripts/dev.mjs` writes, and returns the scripts that render.
pub fn load_from(folder: &Path) -> Result<Vec<String>, BuildError> {
    let text = |name: &str| {
        let path = folder.join(name);
        std::fs::read_to_string(&path).map_err(|error| BuildError::Read(path, error))
    };
    let files = folder.join("assets");
    let build = Build::read(&text("manifest.json")?, |name| std::fs::read(files.join(name)).ok().map(Bytes::from))?;
    let ssr = Language::ALL.into_iter().map(|language| text(&format!("ssr.{}.js", language.as_str()))).collect();
    *CURRENT.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(build);
    ssr
}

#[cfg(test)]
mod tests {
    use super::*;

    fn any_script() -> (String, Asset) {
        let name =
            entry_for("problem", Language::En).scripts[0].strip_prefix(PREFIX).expect("below the prefix").to_owned();
        let asset = find(&name).expect("embedded");
        (name, asset)
    }

    fn request(name: header::HeaderName, value: &'static str) -> HeaderMap {
        HeaderMap::from_iter([(name, HeaderValue::from_static(value))])
    }

    #[test]
    fn the_best_accepted_coding_is_sent() {
        let (_, asset) = any_script();
        for (accepted, coding) in [
            ("gzip, deflate, br", Some("br")),
            ("gzip, br;q=0", Some("gzip")),
            ("GZIP;q=0.5", Some("gzip")),
            ("identity", None),
            ("", None),
        ] {
            let response = asset.respond(&request(header::ACCEPT_ENCODING, accepted));
            let sent = response.headers().get(header::CONTENT_ENCODING).map(HeaderValue::as_bytes);
            assert_eq!(sent, coding.map(str::as_bytes), "{accepted}");
            assert_eq!(response.headers()[header::VARY], "Accept-Encoding");
        }
    }

    #[test]
    fn a_known_tag_needs_no_body() {
        let (name, asset) = any_script();
        let etag = format!("W/\"{name}\"");
        let known = HeaderMap::from_iter([(header::IF_NONE_MATCH, HeaderValue::try_from(etag).expect("ASCII"))]);
        assert_eq!(asset.respond(&known).status(), StatusCode::NOT_MODIFIED);
        assert_eq!(asset.respond(&request(header::IF_NONE_MATCH, "\"other\"")).status(), StatusCode::OK);
    }

    #[test]
    fn a_class_without_its_style_is_missing() {
        let styles =
            LandingStyles { css: ".css-a1{color:red}".to_owned(), left_out: HashSet::from(["card".to_owned()]) };
        assert_eq!(styles.missing(r#"<p class="eyebrow"><a class="MuiButton-root css-a1" title=" card">"#), None);
        assert_eq!(styles.missing(r#"<p class="eyebrow css-b2">"#), Some("css-b2"));
        assert_eq!(styles.missing(r#"<p class="eyebrow"><div class="card css-a1">"#), Some("card"));
    }

    #[test]
    fn every_route_has_its_files() {
        for route in [
            "apply",
            "application",
            "resetPassword",
            "dashboard",
            "account",
            "adminLogin",
            "mailbox",
            "problem",
            "crash",
        ] {
            for language in Language::ALL {
                let entry = entry_for(route, language);
                assert_eq!(entry.scripts.len(), 1, "{route}");
                assert_eq!(entry.font_preloads.len(), 2, "{route}");
                assert_eq!(entry.modulepreloads.is_empty(), route == "apply", "{route}");
                let parts = entry.parts.values().flatten();
                let hrefs = entry.scripts.iter().chain(&entry.modulepreloads).chain(&entry.font_preloads).chain(parts);
                for href in hrefs.chain([&entry.stylesheet_href]) {
                    assert!(find(href.strip_prefix(PREFIX).expect("below the prefix")).is_some(), "{href}");
                }
            }
        }
    }
}
