//! Which column of an import is for what.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::fields::{Fields, Kind};
use crate::input::FieldError;
use crate::sentence::Sentence;

/// How days are written in the cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum DateOrder {
    /// `2026-05-31`
    #[default]
    Iso,
    /// `05/31/2026`
    #[serde(rename = "mdy")]
    MonthFirst,
    /// `31.05.2026`
    #[serde(rename = "dmy")]
    DayFirst,
}

impl DateOrder {
    pub const ALL: [DateOrder; 3] = [DateOrder::Iso, DateOrder::MonthFirst, DateOrder::DayFirst];

    pub fn as_str(self) -> &'static str {
        match self {
            DateOrder::Iso => "iso",
            DateOrder::MonthFirst => "mdy",
            DateOrder::DayFirst => "dmy",
        }
    }

    pub fn label(self) -> &'static str {
        match self {
            DateOrder::Iso => "Year first: 2026-05-31",
            DateOrder::MonthFirst => "Month first: 05/31/2026",
            DateOrder::DayFirst => "Day first: 31.05.2026",
        }
    }

    pub fn parse(text: &str) -> Option<DateOrder> {
        DateOrder::ALL.into_iter().find(|order| order.as_str() == text)
    }
}

/// What the cells of an import mean.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Mapping {
    /// The key of the field that each column is for.
    pub columns: Vec<Option<String>>,
    /// Values that are the same for every row, by the keys of their fields. An empty cell has them, too.
    pub values: BTreeMap<String, String>,
    pub dates: DateOrder,
    /// Put on every application.
    pub tag: Option<String>,
    /// Whether applicants with a draft or a submission are mailed.
    pub tell: bool,
}

impl Mapping {
    /// Returns what the headings and the first rows suggest.
    pub fn guess(headers: &[String], rows: &[(i64, Vec<String>)], fields: &Fields) -> Mapping {
        let mut columns: Vec<Option<String>> = Vec::with_capacity(headers.len());
        for header in headers {
            let key = fields.named(header).map(|field| field.key.clone());
            columns.push(key.filter(|key| !columns.contains(&Some(key.clone()))));
        }
        let is_day = |column: usize| {
            let field = columns[column].as_deref().and_then(|key| fields.find(key));
            field.is_some_and(|field| field.kind == Kind::Date)
        };
        let days = (0..headers.len()).filter(|column| is_day(*column));
        let cells = days.flat_map(|column| rows.iter().filter_map(move |(_, cells)| cells.get(column)));
        Mapping { dates: order_of(cells.map(String::as_str)), columns, ..Mapping::default() }
    }

    /// # Errors
    /// `columns.count`, `columns.unknown`, `columns.duplicate`, `values.unknown`, `columns.missing`.
    pub fn check(&self, headers: &[String], fields: &Fields) -> Result<(), Vec<FieldError>> {
        let mut errors = Vec::new();
        if self.columns.len() != headers.len() {
            let count = headers.len();
            let sentence = format!("Say for each of the {count} columns what it is for, or leave it out with null.");
            errors.push(FieldError::new("columns", "columns.count", Sentence::plain(sentence)));
        }
        for (index, key) in self.columns.iter().enumerate() {
            let Some(key) = key else { continue };
            let path = format!("columns.{index}");
            if fields.find(key).is_none() {
                errors.push(FieldError::new(path, "columns.unknown", "Choose one of the fields."));
            } else if self.columns[..index].iter().any(|other| other.as_ref() == Some(key)) {
                errors.push(FieldError::new(path, "columns.duplicate", "Another column is for this already."));
            }
        }
        for key in self.values.keys().filter(|key| fields.find(key).is_none()) {
            errors.push(FieldError::new(format!("values.{key}"), "values.unknown", "There is no such field."));
        }
        let is_given = |key: &String| {
            self.columns.contains(&Some(key.clone())) || self.values.get(key).is_some_and(|value| !value.is_empty())
        };
        let missing: Vec<&str> = fields
            .all()
            .iter()
            .filter(|field| field.required && !is_given(&field.key))
            .map(|field| field.label.as_str())
            .collect();
        if !missing.is_empty() {
            let sentence = format!("Choose the columns for: {}.", missing.join(", "));
            errors.push(FieldError::new("columns", "columns.missing", Sentence::plain(sentence)));
        }
        if errors.is_empty() { Ok(()) } else { Err(errors) }
    }
}

/// Returns the order in which all of these days can be read.
fn order_of<'a>(cells: impl Iterator<Item = &'a str>) -> DateOrder {
    let (mut month_first, mut day_first, mut is_iso) = (true, true, true);
    for cell in cells.filter(|cell| !cell.is_empty()) {
        let parts: Vec<&str> = cell.split(['/', '.', '-', ' ']).filter(|part| !part.is_empty()).collect();
        let number = |at: usize| parts.get(at).and_then(|part| part.parse::<u32>().ok()).unwrap_or(99);
        is_iso &= parts.first().is_some_and(|first| first.len() == 4);
        month_first &= number(0) <= 12;
        day_first &= number(1) <= 12;
    }
    match (is_iso, month_first, day_first) {
        (true, ..) => DateOrder::Iso,
        (false, true, _) => DateOrder::MonthFirst,
        (false, false, _) => DateOrder::DayFirst,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::questionnaire::QuestionSets;

    fn texts(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|text| (*text).to_owned()).collect()
    }

    #[test]
    fn columns_are_recognised_by_their_headings() {
        let fields = Fields::new(QuestionSets::default());
        let headers =
            texts(&["E-Mail", "Given name", "Surname", "DOB", "Shoe size", "US citizen", "Hours per week", "email"]);
        let rows = vec![(2, texts(&["a@example.org", "A", "B", "31.12.1990", "42", "yes", "3", ""]))];
        let mapping = Mapping::guess(&headers, &rows, &fields);
        let columns: Vec<Option<&str>> = mapping.columns.iter().map(Option::as_deref).collect();
        assert_eq!(
            columns,
            [
                Some("email"),
                Some("firstName"),
                Some("lastName"),
                Some("dateOfBirth"),
                None,
                Some("personalInfo.isUSCitizen"),
                Some("employment.currentEmployer.hoursPerWeek"),
                None
            ]
        );
        assert_eq!(mapping.dates, DateOrder::DayFirst);
    }

    #[test]
    fn the_order_of_days_is_the_one_in_which_all_can_be_read() {
        for (cells, order) in [
            (&["2026-05-31", "2026-01-02"][..], DateOrder::Iso),
            (&["05/31/2026", "01/02/2026"], DateOrder::MonthFirst),
            (&["01/02/2026", "31/05/2026"], DateOrder::DayFirst),
            (&["", "1.2.2026"], DateOrder::MonthFirst),
            (&[], DateOrder::Iso),
        ] {
            assert_eq!(order_of(cells.iter().copied()), order, "{cells:?}");
        }
    }

    #[test]
    fn a_mapping_has_what_every_row_needs() {
        let fields = Fields::new(QuestionSets::default());
        let headers = texts(&["email", "x", "y"]);
        let mapping = Mapping {
            columns: vec![Some("email".into()), Some("email".into()), Some("shoeSize".into())],
            values: [("outcome".to_owned(), "draft".to_owned()), ("hat".to_owned(), "1".to_owned())].into(),
            ..Mapping::default()
        };
        let errors = mapping.check(&headers, &fields).unwrap_err();
        let codes: Vec<(&str, &str)> = errors.iter().map(|error| (error.path.as_str(), error.code.as_str())).collect();
        assert_eq!(
            codes,
            [
                ("columns.1", "columns.duplicate"),
                ("columns.2", "columns.unknown"),
                ("values.hat", "values.unknown"),
                ("columns", "columns.missing"),
            ]
        );
        assert_eq!(
            errors[3].message.to_string(),
            "Choose the columns for: First name, Last name, Date of birth, Phone number, Country, Program."
        );
    }
}
