//! Bundles the pages with esbuild, and embeds the result in the binary (`assets.rs`).

use std::env;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, exit};

/// What the bundles are made of. Cargo looks into folders, too.
const INPUTS: [&str; 21] = [
    "client",
    "ssr",
    "texts",
    "scripts/bundle.mjs",
    "scripts/lean.mjs",
    "scripts/messages.mjs",
    "scripts/modules.mjs",
    "scripts/texts.mjs",
    "scripts/samples.mjs",
    "scripts/styles.mjs",
    "tsconfig.json",
    "package.json",
    "package-lock.json",
    "node_modules/countries-list/package.json",
    "node_modules/esbuild/package.json",
    "node_modules/react/package.json",
    "node_modules/react-dom/package.json",
    "node_modules/react-router/package.json",
    "node_modules/@mui/material/package.json",
    "node_modules/@emotion/react/package.json",
    "node_modules/typescript/package.json",
];

/// The project's root, as cargo runs this in its package.
const ROOT: &str = "../..";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    for input in INPUTS {
        println!("cargo::rerun-if-changed={ROOT}/{input}");
    }
    if let Err(error) = env::set_current_dir(ROOT) {
        fail(&format!("the project's folder cannot be entered: {error}"));
    }
    if !Path::new("node_modules/esbuild/package.json").exists() {
        fail("node_modules is missing: run `npm ci` in the project's folder, then build again");
    }

    let out = env::var_os("OUT_DIR").map(PathBuf::from).unwrap_or_else(|| fail("cargo set no OUT_DIR"));
    let bundle = out.join("bundle");
    match Command::new("node").arg("scripts/bundle.mjs").arg(&bundle).status() {
        Ok(status) if status.success() => {}
        Ok(_) => fail("the pages could not be bundled; esbuild's message above says why"),
        Err(error) => {
            fail(&format!("Node.js 20 or newer is needed to bundle the pages, and could not be run: {error}"))
        }
    }
    if let Err(error) = embed(&bundle, &out.join("assets.rs")) {
        fail(&format!("the bundle could not be embedded: {error}"));
    }
}

/// Writes the Rust source that embeds every file of the bundle.
fn embed(bundle: &Path, target: &Path) -> std::io::Result<()> {
    let mut names: Vec<_> = fs::read_dir(bundle.join("assets"))?
        .map(|entry| entry.map(|entry| entry.file_name().to_string_lossy().into_owned()))
        .collect::<Result<_, _>>()?;
    names.sort();

    let mut source = String::from(
        "pub const MANIFEST: &str = include_str!(concat!(env!(\"OUT_DIR\"), \"/bundle/manifest.json\"));\n\
         pub const SSR: [&str; 2] = [\n    \
             include_str!(concat!(env!(\"OUT_DIR\"), \"/bundle/ssr.en.js\")),\n    \
             include_str!(concat!(env!(\"OUT_DIR\"), \"/bundle/ssr.es.js\")),\n];\n\
         pub fn file(name: &str) -> Option<&'static [u8]> {\n    Some(match name {\n",
    );
    for name in names {
        writeln!(source, "        {name:?} => include_bytes!(concat!(env!(\"OUT_DIR\"), \"/bundle/assets/{name}\")),")
            .expect("a String takes everything");
    }
    source.push_str("        _ => return None,\n    })\n}\n");
    fs::write(target, source)
}

fn fail(message: &str) -> ! {
    println!("cargo::error={message}");
    exit(1)
}
