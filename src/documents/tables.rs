//! Tables from CSV files and workbooks, as they leave spreadsheets and other systems.

use std::collections::BTreeMap;
use std::io::{Cursor, Read};

use app::ports::{ReadTable, TableError};
use async_trait::async_trait;
use bytes::Bytes;
use calamine::{DataRef, DataType, Reader, Xlsx};
use csv::StringRecord;
use domain::import::{Format, MAX_COLUMNS, MAX_HEADER, MAX_ROWS, Table};
use encoding_rs::{UTF_8, WINDOWS_1252};
use zip::ZipArchive;

/// Maximum number of bytes of a workbook's parts, unpacked.
const MAX_UNPACKED: u64 = 100 * 1024 * 1024;
/// Maximum number of bytes in all cells of a table.
const MAX_TEXT: usize = 20 * 1024 * 1024;
/// Number of bytes at the beginning of a part that are looked at.
const BEGINNING: u64 = 4096;

/// Reads tables with `csv` and `calamine`.
#[derive(Debug, Clone, Copy, Default)]
pub struct Tables;

#[async_trait]
impl ReadTable for Tables {
    async fn read(&self, content: Bytes) -> Result<Table, TableError> {
        let read = tokio::task::spawn_blocking(move || match content.get(..4) {
            Some(b"PK\x03\x04") => workbook(&content),
            // Workbooks of before 2007, PDF
            Some([0xd0, 0xcf, 0x11, 0xe0] | b"%PDF") => Err(TableError::Type),
            _ => csv(&content),
        });
        read.await.unwrap_or_else(|_| Err(broken("The file cannot be read. Save it again, as CSV.")))
    }
}

fn broken(sentence: impl Into<String>) -> TableError {
    TableError::Broken(sentence.into())
}

fn csv(content: &[u8]) -> Result<Table, TableError> {
    let text = decoded(content)?;
    let delimiter = delimiter_of(&text);
    let mut reader =
        csv::ReaderBuilder::new().has_headers(false).flexible(true).delimiter(delimiter).from_reader(text.as_bytes());
    let mut rows: Vec<(usize, Vec<String>)> = Vec::new();
    let mut record = StringRecord::new();
    let (mut index, mut line) = (0, reader.position().line());
    while reader.read_record(&mut record).map_err(|_| TableError::Type)? {
        // The reader skips empty lines, which sheets count as rows.
        let within = record.iter().map(|cell| cell.matches('\n').count() as u64).sum::<u64>();
        let ends = reader.position().line();
        index += usize::try_from((ends - line).saturating_sub(1 + within)).unwrap_or_default();
        line = ends;
        if record.len() > MAX_COLUMNS * 2 {
            return Err(TableError::TooManyColumns);
        }
        rows.push((index, record.iter().map(str::to_owned).collect()));
        index += 1;
        if rows.len() > MAX_ROWS * 2 {
            return Err(TableError::TooManyRows);
        }
    }
    table(Format::Csv, rows)
}

/// Returns the text of a CSV file: Unicode, or what Windows writes in Western Europe and America.
fn decoded(content: &[u8]) -> Result<String, TableError> {
    let (text, encoding, has_errors) = UTF_8.decode(content);
    let text = match has_errors {
        false => text,
        true if encoding == UTF_8 => WINDOWS_1252.decode_without_bom_handling(content).0,
        true => return Err(broken("Some characters cannot be read. Save the file again, as CSV in UTF-8.")),
    };
    // Pictures and programs have these bytes; no table has.
    if text.contains('\0') {
        return Err(TableError::Type);
    }
    Ok(text.into_owned())
}

/// Returns what separates the headings: a comma, a semicolon or a tab.
fn delimiter_of(text: &str) -> u8 {
    let mut quoted = false;
    let mut counts = [(b',', 0), (b';', 0), (b'\t', 0)];
    for byte in text.bytes() {
        match byte {
            b'"' => quoted = !quoted,
            b'\n' if !quoted => break,
            byte if !quoted => counts.iter_mut().filter(|(one, _)| *one == byte).for_each(|(_, count)| *count += 1),
            _ => {}
        }
    }
    // The first of those that occur most.
    let most = counts.iter().map(|(_, count)| *count).max().unwrap_or_default();
    counts.into_iter().find(|(_, count)| *count == most).map_or(b',', |(byte, _)| byte)
}

fn workbook(content: &[u8]) -> Result<Table, TableError> {
    let mut archive = ZipArchive::new(Cursor::new(content)).map_err(|_| TableError::Type)?;
    let mut unpacked = 0;
    for index in 0..archive.len() {
        let part = archive.by_index(index).map_err(|_| TableError::Type)?;
        unpacked = u64::saturating_add(unpacked, part.size());
        if unpacked > MAX_UNPACKED {
            return Err(broken("The workbook is too large. Save the sheet as CSV."));
        }
        let size = part.size();
        let name = part.name().map_err(|_| TableError::Type)?.to_lowercase();
        if name.ends_with("sharedstrings.xml") && announces_more_than(size, part) {
            return Err(TableError::Type);
        }
    }
    let mut workbook: Xlsx<_> = Xlsx::new(Cursor::new(content)).map_err(|_| TableError::Type)?;
    let sheet = workbook.sheet_names().into_iter().next().ok_or(TableError::Empty)?;
    let unreadable = |_| broken("The first sheet cannot be read. Save it as CSV.");
    // Cell by cell: a sheet with one in each corner would fill the memory.
    let mut cells = workbook.worksheet_cells_reader(&sheet).map_err(unreadable)?;
    let mut rows: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    let mut left = MAX_TEXT;
    while let Some(found) = cells.next_cell().map_err(unreadable)? {
        let text = cell(found.get_value());
        if text.trim().is_empty() {
            continue;
        }
        let (row, column) = found.get_position();
        let (row, column) = (row as usize, column as usize);
        if column >= MAX_COLUMNS {
            return Err(TableError::TooManyColumns);
        }
        // One text can be in many cells, and is stored once.
        left = left.checked_sub(text.len()).ok_or_else(|| broken("The table is too large. Divide it."))?;
        let row = rows.entry(row).or_default();
        if row.len() <= column {
            row.resize(column + 1, String::new());
        }
        row[column] = text;
        if rows.len() > MAX_ROWS + 1 {
            return Err(TableError::TooManyRows);
        }
    }
    table(Format::Xlsx, rows)
}

/// Whether a part announces more texts than it can hold: the reader makes room for as many.
fn announces_more_than(size: u64, part: impl Read) -> bool {
    let mut beginning = Vec::new();
    if part.take(BEGINNING).read_to_end(&mut beginning).is_err() {
        return true;
    }
    let beginning = String::from_utf8_lossy(&beginning);
    let Some((_, count)) = beginning.split_once("uniqueCount") else { return false };
    let digits: String = count.chars().skip_while(|c| !c.is_ascii_digit()).take_while(char::is_ascii_digit).collect();
    digits.parse::<u64>().map_or(true, |count| count > size)
}

/// Returns a cell as somebody would type it.
fn cell(data: &DataRef<'_>) -> String {
    match data {
        DataRef::Bool(yes) => if *yes { "yes" } else { "no" }.to_owned(),
        DataRef::Float(number) => plain(*number),
        DataRef::DateTime(at) if at.is_datetime() => {
            let (year, month, day, ..) = at.to_ymd_hms_milli();
            format!("{year:04}-{month:02}-{day:02}")
        }
        DataRef::DateTime(at) => plain(at.as_f64()),
        // The result of a formula that failed
        DataRef::Error(_) | DataRef::Empty => String::new(),
        other => other.as_string().unwrap_or_default(),
    }
}

/// Returns a number without the decimals that workbooks store with whole ones.
fn plain(number: f64) -> String {
    format!("{number}")
}

/// Returns what was typed. Files for spreadsheets, ours among them, put an apostrophe before what looks like a formula,
/// such as a phone number.
fn typed(cell: &str) -> &str {
    let cell = cell.trim();
    cell.strip_prefix('\'').filter(|rest| rest.starts_with(['=', '+', '-', '@'])).unwrap_or(cell)
}

/// Makes a table of rows with their indexes, whose first one with content has the headings.
fn table(format: Format, rows: impl IntoIterator<Item = (usize, Vec<String>)>) -> Result<Table, TableError> {
    let is_empty = |row: &Vec<String>| row.iter().all(|cell| cell.trim().is_empty());
    let mut rows = rows.into_iter().filter(|(_, row)| !is_empty(row));
    let (_, mut headers) = rows.next().ok_or(TableError::Empty)?;
    while headers.last().is_some_and(|last| last.trim().is_empty()) {
        headers.pop();
    }
    // Without headings, this is somebody's data: no more of it stays than a heading needs.
    let headers: Vec<String> = headers.iter().map(|header| header.trim().chars().take(MAX_HEADER).collect()).collect();
    if headers.len() > MAX_COLUMNS {
        return Err(TableError::TooManyColumns);
    }
    let mut numbered = Vec::new();
    for (index, mut row) in rows {
        let number = index as i64 + 1;
        if row.iter().skip(headers.len()).any(|cell| !cell.trim().is_empty()) {
            return Err(broken(format!("Row {number} has more cells than there are headings.")));
        }
        row.resize(headers.len(), String::new());
        for cell in &mut row {
            *cell = typed(&cell.replace('\0', "")).to_owned();
        }
        numbered.push((number, row));
        if numbered.len() > MAX_ROWS {
            return Err(TableError::TooManyRows);
        }
    }
    if numbered.is_empty() {
        return Err(TableError::Empty);
    }
    Ok(Table { format, headers, rows: numbered })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(row: &[&str]) -> Vec<String> {
        row.iter().map(|cell| (*cell).to_owned()).collect()
    }

    #[test]
    fn text_is_read_in_the_encodings_of_spreadsheets() {
        let utf16: Vec<u8> = [0xff, 0xfe]
            .into_iter()
            .chain("Name\tTown\nDemo\tMünchen\n".encode_utf16().flat_map(u16::to_le_bytes))
            .collect();
        for content in [
            "Name,Town\nDemo,München\n".as_bytes(),
            "\u{feff}Name,Town\r\nDemo,München\r\n".as_bytes(),
            b"Name;Town\r\nDemo;M\xfcnchen\r\n",
            &utf16,
        ] {
            let table = csv(content).unwrap();
            assert_eq!(table.headers, ["Name", "Town"]);
            assert_eq!(table.rows, [(2, cells(&["Demo", "München"]))]);
        }
    }

    #[test]
    fn rows_keep_their_numbers() {
        let table = csv(b"\n\nName,Note\n\nDemo,\"two\nlines\"\n,\nSample\n").unwrap();
        assert_eq!(table.headers, ["Name", "Note"]);
        assert_eq!(table.rows.len(), 2);
        assert_eq!(table.rows, [(5, cells(&["Demo", "two\nlines"])), (7, cells(&["Sample", ""]))]);
    }

    #[test]
    fn what_is_no_table_is_refused() {
        assert_eq!(csv(b""), Err(TableError::Empty));
        assert_eq!(csv(b"Name,Town\n"), Err(TableError::Empty));
        assert_eq!(csv(b"\x00\x01\x02"), Err(TableError::Type));
        assert_eq!(workbook(b"PK\x03\x04and nothing more"), Err(TableError::Type));
        assert!(matches!(csv(b"Name\nDemo,more\n"), Err(TableError::Broken(_))));
        let wide = vec!["x"; MAX_COLUMNS + 1].join(",");
        assert_eq!(csv(format!("{wide}\n{wide}\n").as_bytes()), Err(TableError::TooManyColumns));
        let long = "x\n".repeat(MAX_ROWS + 2);
        assert_eq!(csv(long.as_bytes()), Err(TableError::TooManyRows));
        assert_eq!(csv("x\n".repeat(MAX_ROWS + 1).as_bytes()).unwrap().rows.len(), MAX_ROWS);
    }

    #[test]
    fn an_apostrophe_before_a_formula_is_not_part_of_the_cell() {
        for (cell, text) in [("'+1555", "+1555"), (" '=1+1 ", "=1+1"), ("'tis", "'tis"), ("O'Demo", "O'Demo")] {
            assert_eq!(typed(cell), text);
        }
    }

    #[test]
    fn numbers_are_read_as_typed() {
        for (number, text) in [(42.0, "42"), (15_550_100_199.0, "15550100199"), (0.5, "0.5")] {
            assert_eq!(plain(number), text);
        }
    }
}
