//! What is told of each application in the list, beside its name and reference number.

use super::{Facet, Sort};

/// A column of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Column {
    Stage,
    Program,
    Waiting,
    Submitted,
    Interview,
    Owner,
    Tags,
    Email,
    Phone,
    Intake,
    Country,
    State,
    Citizen,
    Military,
    Dod,
    Funding,
}

impl Column {
    /// In the order of the table.
    pub const ALL: [Column; 16] = [
        Column::Stage,
        Column::Program,
        Column::Waiting,
        Column::Submitted,
        Column::Interview,
        Column::Owner,
        Column::Tags,
        Column::Email,
        Column::Phone,
        Column::Intake,
        Column::Country,
        Column::State,
        Column::Citizen,
        Column::Military,
        Column::Dod,
        Column::Funding,
    ];
    /// Unless others are chosen.
    pub const USUAL: [Column; 7] = [
        Column::Stage,
        Column::Program,
        Column::Waiting,
        Column::Submitted,
        Column::Interview,
        Column::Owner,
        Column::Tags,
    ];

    /// As in addresses.
    pub fn as_str(self) -> &'static str {
        match self {
            Column::Stage => "stage",
            Column::Program => "program",
            Column::Waiting => "waiting",
            Column::Submitted => "submitted",
            Column::Interview => "interview",
            Column::Owner => "owner",
            Column::Tags => "tags",
            Column::Email => "email",
            Column::Phone => "phone",
            Column::Intake => "intake",
            Column::Country => "country",
            Column::State => "state",
            Column::Citizen => "citizen",
            Column::Military => "military",
            Column::Dod => "dod",
            Column::Funding => "funding",
        }
    }

    pub fn label(self) -> &'static str {
        match self {
            Column::Waiting => "Waiting",
            Column::Submitted => "Submitted",
            Column::Interview => "Interview",
            Column::Tags => "Tags",
            Column::Email => "Email",
            Column::Phone => "Phone",
            Column::Stage => Facet::Stage.label(),
            Column::Program => Facet::Program.label(),
            Column::Owner => Facet::Owner.label(),
            Column::Intake => Facet::Intake.label(),
            Column::Country => Facet::Country.label(),
            Column::State => Facet::State.label(),
            Column::Citizen => Facet::Citizen.label(),
            Column::Military => Facet::Military.label(),
            Column::Dod => Facet::Dod.label(),
            Column::Funding => Facet::Funding.label(),
        }
    }

    pub fn parse(text: &str) -> Option<Column> {
        Column::ALL.into_iter().find(|column| column.as_str() == text)
    }

    /// What its head puts the list in the order of.
    pub fn sort(self) -> Option<Sort> {
        match self {
            Column::Waiting => Some(Sort::Waiting),
            Column::Submitted => Some(Sort::Submitted),
            _ => None,
        }
    }

    /// Whether it tells what only roles with [`PersonalData`](crate::domain::permission::Permission::PersonalData) may know.
    pub fn is_personal(self) -> bool {
        matches!(self, Column::Phone | Column::Country | Column::State | Column::Citizen)
    }
}
