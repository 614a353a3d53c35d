//! The JSON API over HTTP.

pub mod account;
mod application;
mod application_save;
pub mod cases;
pub mod documents;
mod errors;
mod floods;
mod login;
mod messages;
mod offer;
mod openapi;
pub mod passwords;
mod register;
mod sessions;
mod submission;
mod uploads;
