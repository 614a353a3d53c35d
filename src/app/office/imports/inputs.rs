//! What is sent about imports.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::office::list_views::sent_name;
use domain::body;
use domain::body::{wrong, yes_or_no};
use domain::import::{DateOrder, MAX_COLUMNS, MAX_ROWS, Mapping};
use domain::input::{FieldError, Input};
use domain::listing::tag;
use domain::sentence::Sentence;

body! {
    /// What the columns of an import are for.
    pub struct ImportMapping {
        /// For each column the key of its field; null leaves it out.
        #[schema(value_type = Vec<Option<String>>)]
        columns: Vec<Option<String>> = columns,
        /// Values that are the same for every row, by the keys of their fields. A row whose cell is empty has them, too.
        #[schema(nullable = false)]
        values: Option<BTreeMap<String, String>> = values,
        /// How days are written; `iso` if not given.
        #[schema(nullable = false)]
        dates: Option<DateOrder> = dates,
        /// A tag for every application: 1 to 40 letters, digits and spaces.
        #[schema(nullable = false)]
        tag: Option<String> = tagged,
        /// Whether new accounts with a draft or a submission get an email about how to log in. Not, if not given.
        #[schema(nullable = false)]
        tell: Option<bool> = yes_or_no,
    }
}

body! {
    /// Whether to import although some rows have errors.
    pub struct ImportStart {
        /// Leaves out the rows that have errors.
        #[schema(nullable = false)]
        pub(super) leave_out: Option<bool> = yes_or_no,
    }
}

body! {
    /// Whether to undo an import although some of its applications stay.
    pub struct ImportUndo {
        /// Leaves the applications as they are that somebody has worked on.
        #[schema(nullable = false)]
        pub(super) leave: Option<bool> = yes_or_no,
    }
}

body! {
    /// An import with its rows.
    pub struct NewImport {
        /// What it is; 1 to 60 characters.
        name: String = sent_name("Give the import a name."),
        /// 1 to 5,000 rows: cells by the keys of their fields, each a text, a whole number, true or false, or a list of
        /// texts.
        #[schema(value_type = Vec<Object>)]
        rows: Vec<SentRow> = rows,
        /// How days are written; `iso` if not given.
        #[schema(nullable = false)]
        dates: Option<DateOrder> = dates,
        /// A tag for every application: 1 to 40 letters, digits and spaces.
        #[schema(nullable = false)]
        tag: Option<String> = tagged,
        /// Whether new accounts with a draft or a submission get an email about how to log in. Not, if not given.
        #[schema(nullable = false)]
        tell: Option<bool> = yes_or_no,
    }
}

/// The cells of a row by the keys of their fields.
pub(super) type SentRow = Vec<(String, String)>;

impl ImportMapping {
    pub(super) fn mapping(self) -> Mapping {
        Mapping {
            columns: self.columns,
            values: self.values.unwrap_or_default(),
            dates: self.dates.unwrap_or_default(),
            tag: self.tag,
            tell: self.tell.unwrap_or_default(),
        }
    }
}

impl NewImport {
    /// Returns the name, the headers, the rows as tables have them, and the mapping.
    pub(super) fn table(self) -> (String, Vec<String>, Vec<Vec<String>>, Mapping) {
        let headers = keys(&self.rows);
        let columns: HashMap<&str, usize> = headers.iter().map(String::as_str).zip(0..).collect();
        let cells = |row: &SentRow| {
            let mut cells = vec![String::new(); headers.len()];
            for (key, cell) in row {
                cells[columns[key.as_str()]].clone_from(cell);
            }
            cells
        };
        let rows = self.rows.iter().map(cells).collect();
        let mapping = Mapping {
            columns: headers.iter().cloned().map(Some).collect(),
            values: BTreeMap::new(),
            dates: self.dates.unwrap_or_default(),
            tag: self.tag,
            tell: self.tell.unwrap_or_default(),
        };
        (self.name, headers, rows, mapping)
    }
}

fn columns(path: &str, input: Option<&Input>) -> Result<Vec<Option<String>>, FieldError> {
    let ask = "Send a list with the key of a field, or null, for each column.";
    let items = match input {
        None => return Err(wrong(path, "required", ask)),
        Some(Input::List(items)) => items,
        Some(_) => return Err(wrong(path, "type", ask)),
    };
    let column = |item: &Input| match item {
        Input::Null => Ok(None),
        Input::Text(key) => Ok(Some(key.trim().to_owned()).filter(|key| !key.is_empty())),
        _ => Err(wrong(path, "type", ask)),
    };
    items.iter().map(column).collect()
}

fn values(path: &str, input: Option<&Input>) -> Result<Option<BTreeMap<String, String>>, FieldError> {
    let Some(input) = input else { return Ok(None) };
    let ask = "Send texts by the keys of their fields.";
    let Ok(entries) = input.entries() else { return Err(wrong(path, "type", ask)) };
    let value = |(key, value): &(String, Input)| match value {
        Input::Text(text) => Ok((key.clone(), text.trim().to_owned())),
        _ => Err(wrong(&format!("{path}.{key}"), "type", ask)),
    };
    let values: BTreeMap<_, _> = entries.iter().map(value).collect::<Result<_, _>>()?;
    Ok(Some(values.into_iter().filter(|(_, value)| !value.is_empty()).collect()))
}

fn dates(path: &str, input: Option<&Input>) -> Result<Option<DateOrder>, FieldError> {
    let known = match input {
        None => return Ok(None),
        Some(Input::Text(text)) => DateOrder::parse(text),
        Some(_) => None,
    };
    known.map(Some).ok_or_else(|| wrong(path, "unknown", "Choose how days are written."))
}

fn tagged(path: &str, input: Option<&Input>) -> Result<Option<String>, FieldError> {
    match input {
        None => Ok(None),
        Some(Input::Text(text)) if text.trim().is_empty() => Ok(None),
        Some(Input::Text(text)) => tag(text)
            .map(Some)
            .ok_or_else(|| wrong(path, "invalid", "Write a tag of 1 to 40 letters, digits and spaces.")),
        Some(_) => Err(wrong(path, "type", "The tag must be text.")),
    }
}

fn rows(path: &str, input: Option<&Input>) -> Result<Vec<SentRow>, FieldError> {
    let items = match input {
        None => &[][..],
        Some(Input::List(items)) => items,
        Some(_) => return Err(wrong(path, "type", "Send a list of rows.")),
    };
    if items.is_empty() {
        return Err(wrong(path, "required", "Send at least one row."));
    }
    if items.len() > MAX_ROWS {
        let sentence = format!("Send at most {MAX_ROWS} rows at a time.");
        return Err(wrong(path, "too_many", Sentence::plain(sentence)));
    }
    let rows = items.iter().enumerate().map(|(index, item)| row(&format!("{path}.{index}"), item));
    let rows: Vec<SentRow> = rows.collect::<Result<_, _>>()?;
    if keys(&rows).len() > MAX_COLUMNS {
        let sentence = format!("Send at most {MAX_COLUMNS} different fields.");
        return Err(wrong(path, "too_many_columns", Sentence::plain(sentence)));
    }
    Ok(rows)
}

/// Returns the keys in the order in which they first occur; one more than there may be, if there are too many.
fn keys(rows: &[SentRow]) -> Vec<String> {
    let mut seen = HashSet::new();
    let new = rows.iter().flatten().filter(|(key, _)| seen.insert(key.as_str()));
    new.take(MAX_COLUMNS + 1).map(|(key, _)| key.clone()).collect()
}

fn row(path: &str, input: &Input) -> Result<SentRow, FieldError> {
    let wrong = |path: &str, sentence: &'static str| Err(FieldError::new(path, "rows.type", sentence));
    let Input::Map(entries) = input else { return wrong(path, "Each row must be an object.") };
    let mut cells = Vec::with_capacity(entries.len());
    for (key, value) in entries {
        let text = |value: &Input| match value {
            Input::Text(text) => Some(text.clone()),
            Input::Whole(number) => Some(number.to_string()),
            Input::Bool(yes) => Some(if *yes { "yes" } else { "no" }.to_owned()),
            _ => None,
        };
        let cell = match value {
            Input::Null => continue,
            Input::List(items) => items.iter().map(text).collect::<Option<Vec<_>>>().map(|texts| texts.join(";")),
            one => text(one),
        };
        match cell {
            Some(cell) => cells.push((key.clone(), cell)),
            None => {
                return wrong(
                    &format!("{path}.{key}"),
                    "A cell must be text, a whole number, true or false, or a list of texts.",
                );
            }
        }
    }
    Ok(cells)
}
