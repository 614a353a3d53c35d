//! From reading an application to its decision, the reply to the offer, and the enrolment.

pub mod command_line;
pub mod deferrals;
pub mod drafting;
pub mod enrolment;
pub mod offers;
pub mod readings;
pub mod releases;
