//! The layers of `docs/architecture.md`: reads every import and fails on one that is not allowed.
//!
//! It reads text, not syntax trees: comments and literals are taken out, then every path that starts at a crate is
//! looked at, in `use` items and in the middle of code alike.

use std::fs;
use std::path::{Path, PathBuf};

/// The modules of `src/`, and the paths each may use besides its own. `boot` wires everything together.
const MODULES: &[(&str, &[&str])] = &[
    ("domain", &[]),
    ("app", &["domain", "telemetry::carried"]),
    // What every module may tell of what it does.
    ("telemetry", &[]),
    ("store", &["app", "domain", "telemetry"]),
    ("auth", &["app", "domain"]),
    ("documents", &["app", "domain", "telemetry"]),
    ("mail", &["app", "domain", "telemetry"]),
    ("payments", &["app", "domain", "telemetry"]),
    ("pdf", &["app", "domain"]),
    // Mail is no port: jobs are all that ever sends one.
    ("jobs", &["app", "domain", "mail", "telemetry"]),
    // Rows and files, whatever they mean; what can be proven of them is asked of the app.
    ("backup", &["app", "documents", "domain", "store"]),
    ("http", &["app", "domain", "telemetry"]),
    ("pages", &["app", "domain", "http::wire", "render"]),
    ("render", &["telemetry"]),
    ("config", &["domain"]),
    (
        "boot",
        &[
            "app",
            "auth",
            "backup",
            "config",
            "documents",
            "domain",
            "http",
            "jobs",
            "mail",
            "pages",
            "payments",
            "pdf",
            "render",
            "store",
            "telemetry",
        ],
    ),
    // `http` for the document that `matricula openapi` prints.
    ("main", &["boot", "config", "http::openapi_json", "render::init_engine"]),
];

/// What only some modules may know of the outside.
const OUTSIDE: &[(&str, &[&str])] = &[
    ("sqlx", &["store"]),
    ("rusqlite", &["store"]),
    ("deno_core", &["render"]),
    ("lettre", &["mail"]),
    ("opentelemetry", &["telemetry"]),
    ("opentelemetry_otlp", &["telemetry"]),
    ("opentelemetry_sdk", &["telemetry"]),
    ("krilla", &["pdf"]),
    ("reqwest", &["payments"]),
    ("argon2", &["auth"]),
    ("jsonwebtoken", &["auth"]),
    ("clap", &["config"]),
    ("object_store", &["documents"]),
    ("image", &["documents"]),
    ("zip", &["app", "backup", "documents", "http", "pdf"]),
    ("indicatif", &["backup"]),
    ("quick_xml", &["documents"]),
    ("multer", &["http"]),
    ("totp_rs", &["auth"]),
    ("webauthn_rs", &["auth"]),
    ("qrcode", &["pages"]),
    ("axum", &["http", "pages", "boot"]),
    ("tower_http", &["http", "pages", "boot"]),
];

/// What the pure rules do without: threads, time, chance, the machine.
const IMPURE: [&str; 11] = [
    "tokio",
    "futures",
    "rand",
    "uuid",
    "http",
    "std::env",
    "std::fs",
    "std::io",
    "std::net",
    "std::thread",
    "std::time",
];

/// One path in a source file, from its crate on: `["crate", "app", "ports"]`.
type Segments = Vec<String>;

/// What is wrong with the imports of the Rust file at `path`, relative to `src/`.
fn rust_faults(path: &str, source: &str) -> Vec<String> {
    let own_path = module_of(path);
    let module = own_path[0].as_str();
    if module == "lib" {
        return Vec::new();
    }
    let Some((_, may_use)) = MODULES.iter().find(|(name, _)| *name == module) else {
        return vec![format!("src/{path}: {module} is not a module that tests/it/layers.rs knows")];
    };
    let paths = rust_paths(source, &own_path);
    let imported_modules: Vec<String> =
        paths.iter().filter(|path| is_module(path)).map(|path| path[1].clone()).collect();
    let mut faults = Vec::new();
    for mut segments in paths {
        if imported_modules.contains(&segments[0]) {
            segments.insert(0, "crate".into());
        }
        let whole = segments.join("::");
        let forbidden = if segments[0] == "crate" {
            let inner = segments[1..].join("::");
            let known = MODULES.iter().any(|(name, _)| segments.get(1).is_some_and(|module| module == name));
            // The name of a module of which a part may be used is no use yet: what follows it is.
            let named = |path: &str| is_module(&segments) && path.starts_with(&format!("{inner}::"));
            let allowed = |path: &str| named(path) || inner == path || inner.starts_with(&format!("{path}::"));
            known && segments[1] != module && !may_use.iter().any(|path| allowed(path))
        } else {
            let is = |path: &str| whole == path || whole.starts_with(&format!("{path}::"));
            OUTSIDE.iter().any(|(name, modules)| is(name) && !modules.contains(&module))
                || (module == "domain" && IMPURE.iter().any(|name| is(name)))
        };
        if forbidden {
            faults.push(format!("src/{path}: {module} may not use {whole}"));
        }
    }
    faults
}

/// Whether it is `crate::MODULE` and no more.
fn is_module(path: &Segments) -> bool {
    path.len() == 2 && path[0] == "crate" && MODULES.iter().any(|(name, _)| path[1] == *name)
}

/// The module path of a file: `http/users/mod.rs` and `http/users.rs` are both `["http", "users"]`.
fn module_of(path: &str) -> Vec<String> {
    let path = path.strip_suffix(".rs").unwrap_or(path);
    let path = path.strip_suffix("/mod").unwrap_or(path);
    path.split('/').map(str::to_owned).collect()
}

/// Every path of two segments or more in the source. Paths of this crate start with `crate`, those of another with its
/// name; local paths come along too and mean nothing to the rules.
fn rust_paths(source: &str, module: &[String]) -> Vec<Segments> {
    let code = without_comments_and_literals(source);
    let tokens = tokens(&code);
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let starts_path = is_name(tokens[at]) && (at == 0 || tokens[at - 1] != "::");
        if !starts_path {
            at += 1;
            continue;
        }
        let in_use = at > 0 && tokens[at - 1] == "use";
        let mut leaves = Vec::new();
        at = read_path(&tokens, at, &[], &mut leaves).max(at + 1);
        found.extend(leaves.into_iter().filter(|path| path.len() > 1 || in_use));
    }
    found.into_iter().map(|path| from_crate(path, module)).collect()
}

/// Reads the path (or the tree of a `use` item) that starts at `at`; gives where it ends.
fn read_path(tokens: &[&str], mut at: usize, before: &[String], leaves: &mut Vec<Segments>) -> usize {
    let mut path = before.to_vec();
    loop {
        match tokens.get(at) {
            Some(&"{") if !path.is_empty() => {
                at += 1;
                while tokens.get(at).is_some_and(|token| *token != "}") {
                    let next = read_path(tokens, at, &path, leaves);
                    // Commas, and the new names behind `as`.
                    at = next.max(at + 1);
                }
                return at + 1;
            }
            // `a::{self}` and `a::*` are about `a`.
            Some(&"*") => {}
            Some(&"self") if !path.is_empty() => {}
            Some(name) if is_name(name) => path.push((*name).to_owned()),
            _ => return at,
        }
        at += 1;
        if tokens.get(at) != Some(&"::") {
            leaves.push(path);
            return at;
        }
        // Of `a::<T>` and `a::{…` only the latter goes on.
        match tokens.get(at + 1) {
            Some(next) if is_name(next) || *next == "{" || *next == "*" => at += 1,
            _ => {
                leaves.push(path);
                return at + 1;
            }
        }
    }
}

/// Follows `super` and `self`, and takes the crate's own name for `crate`.
fn from_crate(path: Segments, module: &[String]) -> Segments {
    let ups = path.iter().take_while(|segment| *segment == "super").count();
    let absolute = |up: usize| {
        let kept = module.len().saturating_sub(up);
        let rest = path[ups.max(usize::from(path[0] == "self"))..].iter().cloned();
        ["crate".to_owned()].into_iter().chain(module[..kept].iter().cloned()).chain(rest).collect()
    };
    match path[0].as_str() {
        "matricula" => ["crate".to_owned()].into_iter().chain(path[1..].iter().cloned()).collect(),
        // A module inside the file (its tests) climbs one step more; it stays in the same one of `src/` either way.
        "super" => absolute(ups),
        "self" => absolute(0),
        _ => path,
    }
}

fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

fn tokens(code: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = code.trim_start();
    while let Some(first) = rest.chars().next() {
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let length = if is_part(first) {
            rest.find(|c| !is_part(c)).unwrap_or(rest.len())
        } else if rest.starts_with("::") {
            2
        } else {
            first.len_utf8()
        };
        tokens.push(&rest[..length]);
        rest = rest[length..].trim_start();
    }
    tokens
}

/// The code alone: comments become a space, literals an empty string.
fn without_comments_and_literals(source: &str) -> String {
    let mut code = String::with_capacity(source.len());
    let mut rest = source;
    while let Some(first) = rest.chars().next() {
        let skipped = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if let Some(length) = raw_string(rest).filter(|_| !code.ends_with(|c: char| c.is_alphanumeric())) {
            length
        } else if first == '"' {
            1 + quoted(&rest[1..], '"')
        } else if first == '\'' {
            // A character, and not the name of a lifetime.
            let mut characters = rest.chars().skip(1);
            match (characters.next(), characters.next()) {
                (Some('\\'), _) | (_, Some('\'')) => 1 + quoted(&rest[1..], '\''),
                _ => 0,
            }
        } else {
            0
        };
        if skipped > 0 {
            code.push_str(if rest.starts_with('/') { " " } else { "\"\"" });
            rest = &rest[skipped..];
        } else {
            code.push(first);
            rest = &rest[first.len_utf8()..];
        }
    }
    code
}

/// How long the raw string is that the text starts with.
fn raw_string(text: &str) -> Option<usize> {
    let hashes = text.strip_prefix('r')?.chars().take_while(|c| *c == '#').count();
    let body = text[1 + hashes..].strip_prefix('"')?;
    let end = format!("\"{}", "#".repeat(hashes));
    Some(2 + hashes + body.find(&end)? + end.len())
}

/// How far it is behind the quote that ends the literal.
fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == quote => return at + c.len_utf8(),
            _ => {}
        }
    }
    text.len()
}

/// The floors of `client/` and `ssr/`, from the ground up. A file may import from its own floor and those below.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Floor {
    /// `ui`, `api`, `theme`, `testing`
    Ground,
    Feature,
    Route,
    /// The files of `client/` itself.
    Entry,
    Server,
}

/// What is wrong with the imports of the TypeScript file at `path`, relative to the project.
fn client_faults(path: &str, source: &str) -> Vec<String> {
    let Some(floor) = floor(path) else {
        return vec![format!("{path}: not a place that tests/it/layers.rs knows")];
    };
    let mut faults = Vec::new();
    for specifier in import_specifiers(source).into_iter().filter(|specifier| specifier.starts_with('.')) {
        let target = resolve(path, &specifier);
        // How one goes to another page is the business of all who show links; it imports no screen.
        let allowed = target == "client/navigation"
            || self::floor(&target).is_some_and(|below| match (floor, below) {
                (Floor::Feature, Floor::Feature) => feature(path) == feature(&target),
                _ => below <= floor,
            });
        if !allowed {
            faults.push(format!("{path}: may not import {target}"));
        }
    }
    faults
}

fn floor(path: &str) -> Option<Floor> {
    let mut parts = path.split('/');
    match (parts.next()?, parts.next()?, parts.next()) {
        ("ssr", ..) => Some(Floor::Server),
        ("client", "ui" | "api" | "theme" | "testing", Some(_)) => Some(Floor::Ground),
        ("client", "features", Some(_)) => Some(Floor::Feature),
        ("client", "routes", Some(_)) => Some(Floor::Route),
        ("client", _, None) => Some(Floor::Entry),
        _ => None,
    }
}

fn feature(path: &str) -> Option<&str> {
    path.split('/').nth(2)
}

/// What stands behind `from`, `import` and `import(`.
fn import_specifiers(source: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (at, _) in source.match_indices(['\'', '"']) {
        let before = source[..at].trim_end().trim_end_matches('(').trim_end();
        let word = before.rsplit(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
        let quote = &source[at..=at];
        let text = source[at + 1..].split(quote).next().unwrap_or_default();
        if matches!(word, "from" | "import") && !text.contains('\n') {
            found.push(text.to_owned());
        }
    }
    found
}

/// The file that a relative specifier in `path` means, without an ending.
fn resolve(path: &str, specifier: &str) -> String {
    let mut parts: Vec<&str> = path.split('/').collect();
    parts.pop();
    for part in specifier.split('/') {
        match part {
            "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

fn files(folder: &Path, endings: &[&str], found: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    for entry in entries {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, endings, found);
        } else if path.extension().is_some_and(|ending| endings.iter().any(|wanted| ending == *wanted)) {
            found.push(path);
        }
    }
}

/// The faults of every file in the folders, whose paths are told relative to `base`.
fn faults_in(base: &Path, folders: &[&str], endings: &[&str], faults: fn(&str, &str) -> Vec<String>) -> Vec<String> {
    let mut found = Vec::new();
    for folder in folders {
        files(&base.join(folder), endings, &mut found);
    }
    assert!(!found.is_empty(), "no file was found in {}", base.display());
    found.sort();
    let read = |path: &PathBuf| {
        let name = path.strip_prefix(base).expect("found below it").to_string_lossy().replace('\\', "/");
        faults(&name, &fs::read_to_string(path).unwrap())
    };
    found.iter().flat_map(read).collect()
}

#[test]
fn rust_keeps_to_its_modules() {
    let base = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let faults = faults_in(&base, &["."], &["rs"], rust_faults);
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn react_keeps_to_its_floors() {
    let base = Path::new(env!("CARGO_MANIFEST_DIR"));
    let faults = faults_in(base, &["client", "ssr"], &["ts", "tsx"], client_faults);
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn a_forbidden_path_is_found_however_it_is_written() {
    for (file, source) in [
        ("domain/guard.rs", "use crate::app::App;"),
        ("domain/guard.rs", "use std::{fmt, time::Instant};"),
        ("domain/program.rs", "fn now() -> u64 { std::time::SystemTime::now() }"),
        ("app/login.rs", "use crate::{domain::input::Input, store::Db};"),
        ("app/login.rs", "use axum::http::StatusCode;"),
        ("app/login.rs", "fn f(db: &super::super::store::Db) {}"),
        ("http/users/me.rs", "use super::super::super::pages::page::Page;"),
        ("http/users/me.rs", "use crate::{\n    app::App as A,\n    render::{self, Renderer},\n};"),
        ("http/mod.rs", "let rows = sqlx::query(\"SELECT 1\");"),
        ("pages/mod.rs", "use crate::http::{problem::Problem, wire};"),
        ("pages/mod.rs", "use crate::store::Db;"),
        ("pages/mod.rs", "let db: Vec<crate::store::Db> = Vec::new();"),
        ("render/pool.rs", "use crate::app;"),
        ("store/mod.rs", "use crate::auth::SystemClock;"),
        ("main.rs", "use matricula::store::Db;"),
        ("main.rs", "use matricula::render::Renderer;"),
        ("main.rs", "use matricula::{http, render}; fn main() { render::Renderer::start(); }"),
        ("billing/mod.rs", ""),
    ] {
        assert!(!rust_faults(file, source).is_empty(), "{file}: {source}");
    }
}

#[test]
fn an_allowed_path_is_let_through() {
    for (file, source) in [
        ("domain/guard.rs", "use super::program::Program; use std::fmt::Write;"),
        ("domain/guard.rs", "// use crate::app::App;\nconst A: &str = \"crate::app::App\"; /* axum::Router */"),
        ("domain/guard.rs", "const A: &str = r#\"use \"crate::store::Db\"#; fn f<'a>(c: char) { c == '\"'; }"),
        ("app/login.rs", "use crate::domain::account::Email; use super::{App, Caller, ports::Store};"),
        ("pages/mod.rs", "use crate::http::wire::{self, Client}; use crate::render::Renderer;"),
        ("pages/apply.rs", "#[cfg(test)] mod tests { use super::*; use super::super::page::Page; }"),
        ("http/mod.rs", "mod json; use json::StrictJson; fn f() { http::StatusCode::OK; }"),
        ("store/query.rs", "use sqlx::{FromRow, Postgres}; use crate::app::ports::Stored;"),
        ("main.rs", "use matricula::boot::{self, BootError}; fn main() { matricula::render::init_engine(); }"),
        ("main.rs", "use matricula::{http, render}; fn main() { render::init_engine(); http::openapi_json(); }"),
        ("boot/mod.rs", "use crate::{pages, store::Db}; use axum::Router;"),
    ] {
        assert_eq!(rust_faults(file, source), Vec::<String>::new(), "{file}: {source}");
    }
}

#[test]
fn an_import_up_the_stairs_is_found_however_it_is_written() {
    for (file, source) in [
        ("client/ui/button.tsx", "import { a } from '../features/auth/links';"),
        ("client/features/auth/links.ts", "import type { A } from '../apply/apply-page';"),
        ("client/features/auth/links.ts", "export * from \"../../routes/apply\";"),
        ("client/features/auth/links.ts", "const a = await import('../../entry');"),
        ("client/routes/apply.tsx", "import {\n  a,\n  b,\n} from '../routes';"),
        ("client/entry.tsx", "import '../ssr/faults';"),
        ("client/elsewhere/a.ts", ""),
    ] {
        assert!(!client_faults(file, source).is_empty(), "{file}: {source}");
    }
    for (file, source) in [
        ("client/ui/layout.tsx", "import { useNavigation } from '../navigation'; import { useId } from 'react';"),
        ("client/features/auth/links.ts", "import { b } from './draft'; import { c } from '../../api/page.gen';"),
        ("client/routes/apply.tsx", "import { a } from '../features/auth/links'; import { b } from '../ui/layout';"),
        ("client/routes.tsx", "const apply = () => import('./routes/apply');"),
        ("ssr/entry.tsx", "import { App } from '../client/app'; import './faults';"),
    ] {
        assert_eq!(client_faults(file, source), Vec::<String>::new(), "{file}: {source}");
    }
}
