//! Prospects, who want to hear from us before they apply: what they ask for and how they end it, the brochure, news of
//! the next intake, and the office's list of them.

mod brochure;
mod inquiries;
mod office;
mod openings;

pub(crate) use brochure::Brochures;
pub use office::PROSPECTS_PAGE;
