//! Everything that needs the whole program. One binary, so that the engine is linked once.

mod api;
mod render;
mod rooms;
mod auth;
mod mail;
mod store;
mod support;
