//! From reading an application to a decision, the reply to its offer, and the enrolment.

pub mod command_line;
pub mod deferrals;
pub mod drafting;
pub mod enrolment;
pub mod offers;
pub mod readings;
pub mod releases;
