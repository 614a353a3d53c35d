//! The columns of the list, besides name and reference number.

use super::view::WIDTHS;
use super::{Facet, SortBy};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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
    Fee,
}

impl Column {
    /// In the order in which they are offered.
    pub const ALL: [Column; 17] = [
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
        Column::Fee,
    ];
    /// The default columns.
    pub const USUAL: [Column; 7] = [
        Column::Stage,
        Column::Program,
        Column::Waiting,
        Column::Submitted,
        Column::Interview,
        Column::Owner,
        Column::Tags,
    ];

    /// Returns the name used in URLs.
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
            Column::Fee => "fee",
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
            Column::Fee => Facet::Fee.label(),
        }
    }

    pub fn parse(text: &str) -> Option<Column> {
        Column::ALL.into_iter().find(|column| column.as_str() == text)
    }

    /// Returns what a click on its header sorts by.
    pub fn sort(self) -> Option<SortBy> {
        match self {
            Column::Stage => Some(SortBy::Stage),
            Column::Program => Some(SortBy::Program),
            Column::Waiting => Some(SortBy::Waiting),
            Column::Submitted => Some(SortBy::Submitted),
            Column::Interview => Some(SortBy::Interview),
            Column::Owner => Some(SortBy::Owner),
            _ => None,
        }
    }

    /// Whether it shows data restricted to roles with [`PersonalData`](crate::permission::Permission::PersonalData).
    pub fn is_personal(self) -> bool {
        matches!(self, Column::Phone | Column::Country | Column::State | Column::Citizen)
    }
}

/// A column as shown in a view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShownColumn {
    pub column: Column,
    /// In CSS pixels; `None` to fit the content.
    pub width: Option<u16>,
}

impl ShownColumn {
    pub fn of(column: Column) -> ShownColumn {
        ShownColumn { column, width: None }
    }

    /// Parses `stage` or `stage:140`.
    pub fn parse(text: &str) -> Option<ShownColumn> {
        let Some((name, width)) = text.split_once(':') else { return Column::parse(text).map(ShownColumn::of) };
        let width = width.parse().ok().filter(|width| WIDTHS.contains(width))?;
        Some(ShownColumn { column: Column::parse(name)?, width: Some(width) })
    }

    pub fn to_text(self) -> String {
        let name = self.column.as_str();
        self.width.map_or_else(|| name.to_owned(), |width| format!("{name}:{width}"))
    }
}

/// What a view shows of each row, besides name and reference number.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Layout {
    /// In this order. Empty for the user's default columns.
    pub columns: Vec<ShownColumn>,
    /// Width of the name column, in CSS pixels.
    pub name_width: Option<u16>,
}

impl Layout {
    /// Returns the default layout.
    pub fn usual() -> Layout {
        Layout { columns: Column::USUAL.map(ShownColumn::of).to_vec(), name_width: None }
    }

    /// Whether it is empty or the same as the default.
    pub fn is_usual(&self) -> bool {
        *self == Layout::default() || *self == Layout::usual()
    }

    /// Fills in what is missing from `otherwise`.
    #[must_use]
    pub fn or(self, otherwise: &Layout) -> Layout {
        let columns = if self.columns.is_empty() { otherwise.columns.clone() } else { self.columns };
        Layout { columns, name_width: self.name_width.or(otherwise.name_width) }
    }

    /// Returns its part of a view's query.
    pub fn to_query(&self) -> Vec<(&'static str, String)> {
        let columns = self.columns.iter().map(|shown| ("column", shown.to_text()));
        columns.chain(self.name_width.map(|width| ("nameWidth", width.to_string()))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_layout_does_not_say_is_as_usual() {
        let wide = Layout { name_width: Some(300), ..Layout::default() };
        assert!(!wide.is_usual() && Layout::default().is_usual() && Layout::usual().is_usual());
        let shown = wide.or(&Layout::usual());
        assert_eq!((shown.columns, shown.name_width), (Layout::usual().columns, Some(300)));
        let own = Layout { columns: vec![ShownColumn::of(Column::Tags)], name_width: None };
        assert_eq!(own.clone().or(&Layout::usual()), own);
    }
}
