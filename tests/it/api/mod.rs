//! The JSON API over HTTP.

mod application;
mod application_save;
mod cases;
mod errors;
mod login;
mod openapi;
mod passwords;
mod register;
mod sessions;
mod submission;
