//! What staff work with: the list, dossiers, tasks, figures, the record, settings, and their own accounts.

pub mod audit_search;
pub mod bulk;
pub mod deliveries;
pub mod directory;
pub mod dossiers;
pub mod figure_reports;
pub mod figures;
pub mod identity_providers;
pub mod imports;
pub mod list_views;
pub mod listings;
pub(crate) mod settings;
pub mod staff;
pub mod webhooks;
pub mod work;
