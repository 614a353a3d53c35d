//! Workbooks of Office Open XML (ECMA-376), written row by row: whatever is finished is passed on at once. Texts are
//! stored as texts, so that none of them is ever a formula.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

use axum::body::Bytes;
use zip::write::{SimpleFileOptions, StreamWriter};
use zip::{CompressionMethod, ZipWriter};

use super::Cell;

/// Maximum number of rows in a sheet, including the header.
const MAX_ROWS: usize = 1_048_576;
/// Maximum number of characters in a cell.
const MAX_LENGTH: usize = 32_767;

const DECLARATION: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>";
const MAIN: &str = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const RELATIONS: &str = "http://schemas.openxmlformats.org/package/2006/relationships";
const OF_DOCUMENTS: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const TYPES: &str = "http://schemas.openxmlformats.org/package/2006/content-types";
const SHEET_TYPE: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml";

/// What was written and not yet passed on.
#[derive(Clone, Default)]
struct Written(Arc<Mutex<Vec<u8>>>);

impl Written {
    fn take(&self) -> Bytes {
        Bytes::from(std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner)))
    }
}

impl Write for Written {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A workbook being written.
pub struct Workbook {
    archive: ZipWriter<StreamWriter<Written>>,
    written: Written,
    heads: Vec<Cell>,
    /// Per sheet.
    most_rows: usize,
    sheets: usize,
    /// In the current sheet.
    rows: usize,
}

impl Workbook {
    pub fn new(heads: impl Iterator<Item = &'static str>) -> Workbook {
        let written = Written::default();
        let archive = ZipWriter::new_stream(written.clone());
        let heads = heads.map(|head| Cell::Text(head.to_owned())).collect();
        Workbook { archive, written, heads, most_rows: MAX_ROWS, sheets: 0, rows: 0 }
    }

    /// Adds a row, on a new sheet if the current one is full.
    pub fn row(&mut self, cells: &[Cell]) -> io::Result<()> {
        if self.sheets == 0 || self.rows == self.most_rows {
            self.begin_sheet()?;
        }
        self.rows += 1;
        self.archive.write_all(row(cells).as_bytes())
    }

    /// Takes what can be passed on already.
    pub fn written(&self) -> Bytes {
        self.written.take()
    }

    /// Returns the rest of the file.
    pub fn end(mut self) -> io::Result<Bytes> {
        if self.sheets == 0 {
            self.begin_sheet()?;
        }
        self.end_sheet()?;
        let sheets = 1..=self.sheets;
        let names: String = sheets
            .clone()
            .map(|n| format!("<sheet name=\"Applications{}\" sheetId=\"{n}\" r:id=\"rId{n}\"/>", suffix(n)))
            .collect();
        self.part(
            "xl/workbook.xml",
            &format!("<workbook xmlns=\"{MAIN}\" xmlns:r=\"{OF_DOCUMENTS}\"><sheets>{names}</sheets></workbook>"),
        )?;
        let relations: String =
            sheets.clone().map(|n| relation(n, "worksheet", &format!("worksheets/sheet{n}.xml"))).collect();
        self.part(
            "xl/_rels/workbook.xml.rels",
            &format!("<Relationships xmlns=\"{RELATIONS}\">{relations}</Relationships>"),
        )?;
        self.part(
            "_rels/.rels",
            &format!(
                "<Relationships xmlns=\"{RELATIONS}\">{}</Relationships>",
                relation(1, "officeDocument", "xl/workbook.xml")
            ),
        )?;
        let overrides: String = sheets
            .map(|n| {
                format!(
                    "<Override PartName=\"/xl/worksheets/sheet{n}.xml\" ContentType=\"{SHEET_TYPE}.worksheet+xml\"/>"
                )
            })
            .collect();
        self.part(
            "[Content_Types].xml",
            &format!(
                "<Types xmlns=\"{TYPES}\"><Default Extension=\"rels\" \
                 ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/>\
                 <Override PartName=\"/xl/workbook.xml\" ContentType=\"{SHEET_TYPE}.sheet.main+xml\"/>{overrides}</Types>"
            ),
        )?;
        self.archive.finish()?;
        Ok(self.written.take())
    }

    fn begin_sheet(&mut self) -> io::Result<()> {
        if self.sheets > 0 {
            self.end_sheet()?;
        }
        self.sheets += 1;
        self.rows = 1;
        self.archive.start_file(format!("xl/worksheets/sheet{}.xml", self.sheets), options())?;
        let head = row(&self.heads);
        write!(self.archive, "{DECLARATION}<worksheet xmlns=\"{MAIN}\"><sheetData>{head}")
    }

    fn end_sheet(&mut self) -> io::Result<()> {
        self.archive.write_all(b"</sheetData></worksheet>")
    }

    fn part(&mut self, name: &str, xml: &str) -> io::Result<()> {
        self.archive.start_file(name, options())?;
        write!(self.archive, "{DECLARATION}{xml}")
    }
}

fn options() -> SimpleFileOptions {
    SimpleFileOptions::default().compression_method(CompressionMethod::Deflated).compression_level(Some(1))
}

/// Returns the number in a sheet's name, which the first sheet does not have.
fn suffix(number: usize) -> String {
    if number == 1 { String::new() } else { format!(" {number}") }
}

fn relation(number: usize, kind: &str, target: &str) -> String {
    format!("<Relationship Id=\"rId{number}\" Type=\"{OF_DOCUMENTS}/{kind}\" Target=\"{target}\"/>")
}

fn row(cells: &[Cell]) -> String {
    let cells: String = cells
        .iter()
        .map(|cell| match cell {
            Cell::Whole(number) => format!("<c><v>{number}</v></c>"),
            Cell::Text(text) => {
                format!("<c t=\"inlineStr\"><is><t xml:space=\"preserve\">{}</t></is></c>", escaped(text))
            }
        })
        .collect();
    format!("<row>{cells}</row>")
}

/// Escapes text for XML, replacing the control characters that XML does not allow.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars().take(MAX_LENGTH) {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '\r' => escaped.push_str("&#13;"),
            '\t' | '\n' => escaped.push(character),
            '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            other => escaped.push(other),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Read};

    use super::*;

    fn part(file: &[u8], name: &str) -> String {
        let mut archive = zip::ZipArchive::new(Cursor::new(file)).unwrap();
        let mut text = String::new();
        archive.by_name(name).unwrap().read_to_string(&mut text).unwrap();
        text
    }

    #[test]
    fn texts_stand_in_their_cells_as_texts() {
        let mut workbook = Workbook::new(["Name", "Days"].into_iter());
        workbook.row(&[Cell::Text("=1+1".into()), Cell::Whole(3)]).unwrap();
        let mut file = workbook.written().to_vec();
        workbook.row(&[Cell::Text("<b>\u{1}&".into()), Cell::Whole(-1)]).unwrap();
        file.extend(workbook.end().unwrap());
        let sheet = part(&file, "xl/worksheets/sheet1.xml");
        assert!(sheet.contains("<c t=\"inlineStr\"><is><t xml:space=\"preserve\">=1+1</t></is></c><c><v>3</v></c>"));
        assert!(sheet.contains(">&lt;b&gt;\u{fffd}&amp;<") && sheet.contains(">Name<"));
        assert!(!sheet.contains("<f>"));
        assert_eq!(sheet.matches("<row>").count(), 3);
        assert!(part(&file, "xl/workbook.xml").contains("name=\"Applications\""));
        assert!(part(&file, "[Content_Types].xml").contains("/xl/worksheets/sheet1.xml"));
        for name in ["xl/_rels/workbook.xml.rels", "_rels/.rels"] {
            assert!(part(&file, name).contains("rId1"), "{name}");
        }
    }

    #[test]
    fn a_full_sheet_is_followed_by_another() {
        let mut workbook = Workbook { most_rows: 5, ..Workbook::new(["Days"].into_iter()) };
        for number in 0..5 {
            workbook.row(&[Cell::Whole(number)]).unwrap();
        }
        let file = workbook.end().unwrap();
        assert_eq!(part(&file, "xl/worksheets/sheet1.xml").matches("<row>").count(), 5);
        let second = part(&file, "xl/worksheets/sheet2.xml");
        assert_eq!((second.matches("<row>").count(), second.contains("Days")), (2, true));
        assert!(part(&file, "xl/workbook.xml").contains("Applications 2"));
    }
}
