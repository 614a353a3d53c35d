//! The rules of admissions, pure: no clock, no randomness, no I/O. What a rule needs to know is an argument.

pub mod account;
pub mod application;
pub mod availability;
pub mod calendar;
pub mod card_charge;
#[cfg(test)]
mod chance;
pub mod clocks;
pub mod contract;
pub mod decision;
pub mod documents;
pub mod finance;
pub mod funding;
pub mod guard;
pub mod input;
pub mod intake;
pub mod interview;
pub mod language;
pub mod ledger;
pub mod listing;
pub mod mail;
pub mod merging;
pub mod moments;
pub mod money;
pub mod paper;
pub mod password;
pub mod permission;
pub mod program;
pub mod questionnaire;
pub mod redirect;
pub mod reference;
pub mod reference_number;
pub mod role;
pub mod score;
pub mod sentence;
pub mod settings;
pub mod status;
