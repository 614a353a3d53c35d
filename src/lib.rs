//! Matricula: admissions applications for an institute with a bachelor's and a master's program.
//!
//! `docs/architecture.md` walks through the modules; `tests/it/layers.rs` keeps them apart.

pub mod app;
pub mod auth;
pub mod backup;
pub mod boot;
pub mod config;
pub mod documents;
pub mod domain;
pub mod http;
pub mod jobs;
pub mod mail;
pub mod pages;
pub mod payments;
pub mod pdf;
pub mod render;
pub mod store;
pub mod telemetry;
