//! Lines of comma-separated values.

use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};

use super::Cell;

/// What some spreadsheets take for the beginning of a formula; the last four are full-width forms.
const OF_FORMULAS: [char; 10] = ['=', '+', '-', '@', '\t', '\r', '＝', '＋', '－', '＠'];

/// Returns lines as a download. `disposition` names the file.
pub fn download(disposition: &'static str, lines: impl IntoIterator<Item = Vec<Cell>>) -> Response {
    // The byte order mark by which spreadsheets recognise UTF-8.
    let mut file = String::from('\u{feff}');
    file.extend(lines.into_iter().map(line));
    let mut response = file.into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/csv; charset=utf-8"));
    headers.insert(header::CONTENT_DISPOSITION, HeaderValue::from_static(disposition));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// Formats a line (RFC 4180). A cell that a spreadsheet would take for a formula gets an apostrophe before it.
pub fn line(cells: Vec<Cell>) -> String {
    let cells: Vec<String> = cells.into_iter().map(written).collect();
    format!("{}\r\n", cells.join(","))
}

fn written(cell: Cell) -> String {
    let text = match cell {
        Cell::Whole(number) => return number.to_string(),
        Cell::Text(text) => text,
    };
    let is_formula = text.starts_with(OF_FORMULAS);
    let text = if is_formula { format!("'{text}") } else { text };
    if text.contains(['"', ',', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_never_a_formula() {
        let texts = ["=HYPERLINK(\"x\")", "+1", "@x", "-2", "\tx", "＝1", "a,b", "a\"b"];
        let mut cells: Vec<Cell> = texts.map(|text| Cell::Text(text.to_owned())).into();
        cells.push(Cell::Whole(-3));
        assert_eq!(line(cells), "\"'=HYPERLINK(\"\"x\"\")\",'+1,'@x,'-2,'\tx,'＝1,\"a,b\",\"a\"\"b\",-3\r\n");
    }
}
