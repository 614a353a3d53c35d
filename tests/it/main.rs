//! Everything that needs the whole program. One binary, so that the engine is linked once.

mod api;
mod auth;
mod mail;
mod pages;
mod process;
mod render;
mod rooms;
mod status_docs;
mod store;
mod support;
