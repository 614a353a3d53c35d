//! What each screen needs, by feature. Props of a single page of the office are beside its handler.

pub mod account;
pub mod application;
pub mod apply;
pub mod auth;
pub mod contract;
pub mod dashboard;
pub mod documents;
pub mod fee;
pub mod funding;
pub mod mailbox;
pub mod messages;
pub mod office;
pub mod open_days;
pub mod program;
pub mod prospects;
pub mod references;
pub mod schedule;
pub mod second_factor;
