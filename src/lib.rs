//! Matricula: admissions applications for an institute with a bachelor's and a master's program.
//!
//! Each folder of `src/` is a crate, whose `Cargo.toml` says what it may use; this one wires them together.
//! `docs/architecture.md` walks through them.

pub mod boot;
pub mod config;

pub use matricula_http as http;
pub use {
    app, auth, backup, documents, domain, jobs, mail, outbound, pages, payments, pdf, render, sign_on, store,
    telemetry, webhooks, wire,
};
