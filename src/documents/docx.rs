//! DOCX: a ZIP of XML files. Every entry is unpacked once, without keeping the output, to check that it is not too
//! large, that it is intact and, if it is XML, that it is well-formed, has no document type declaration, and contains
//! neither programs nor parts that are loaded from elsewhere.

use std::cell::Cell;
use std::io::{self, BufReader, Cursor, Read};
use std::rc::Rc;

use quick_xml::XmlVersion;
use quick_xml::events::{BytesDecl, BytesStart, Event};
use zip::ZipArchive;
use zip::result::ZipError;

use super::budget::Budget;
use domain::documents::{FileType, Rejection};

const MAX_ENTRIES: usize = 2_000;
/// Maximum bytes of everything unpacked.
const MAX_BYTES: u64 = 200 * 1024 * 1024;
/// Text packs to a tenth, rarely to a hundredth; anything that packs further was made to.
const MAX_RATIO: u64 = 200;
/// Below this size, a ratio says nothing.
const SMALL: u64 = 1024 * 1024;
/// Maximum bytes of one tag or text, which is in memory as a whole.
const MAX_NODE: u64 = 8 * 1024 * 1024;
/// Maximum nesting depth of elements.
const MAX_DEPTH: usize = 500;

pub(super) fn check(content: &[u8]) -> Result<(), Rejection> {
    let mut archive = ZipArchive::new(Cursor::new(content)).map_err(|_| Rejection::ArchiveInvalid)?;
    if archive.len() > MAX_ENTRIES {
        return Err(Rejection::ArchiveTooLarge);
    }
    let mut left = MAX_BYTES;
    let budget = Budget::new();
    let (mut has_types, mut has_document) = (false, false);
    for index in 0..archive.len() {
        let entry = archive.by_index(index).map_err(unreadable)?;
        let name = entry.name().map_err(|_| Rejection::ArchiveInvalid)?.into_owned();
        if entry.encrypted() || entry.enclosed_name().is_none() {
            return Err(Rejection::ArchiveInvalid);
        }
        let lower = name.to_ascii_lowercase();
        if lower.ends_with("vbaproject.bin") || lower.ends_with("vbadata.xml") {
            return Err(Rejection::Macros);
        }
        if lower.contains("/activex/") || (lower.contains("/embeddings/") && lower.ends_with(".bin")) {
            return Err(Rejection::Linked);
        }
        // The declared size is only good for refusing; what counts is what comes out.
        let packed = entry.compressed_size().max(1);
        let allowed = left.min((packed * MAX_RATIO).max(SMALL));
        if entry.size() > allowed {
            return Err(Rejection::ArchiveTooLarge);
        }
        has_types |= name == "[Content_Types].xml";
        has_document |= name == "word/document.xml";
        let mut counted = Counted {
            inner: budget.reading(entry),
            left: allowed,
            exceeded: false,
            is_xml: false,
            node: Rc::default(),
        };
        let read = if lower.ends_with(".xml") || lower.ends_with(".rels") {
            counted.is_xml = true;
            check_xml(&mut counted, &name)
        } else {
            io::copy(&mut counted, &mut io::sink()).map(drop).map_err(|_| Rejection::ArchiveInvalid)
        };
        budget.check()?;
        if counted.exceeded {
            return Err(Rejection::ArchiveTooLarge);
        }
        read?;
        left -= allowed - counted.left;
    }
    if has_types && has_document { Ok(()) } else { Err(Rejection::Mismatch(FileType::Docx)) }
}

fn unreadable(_: ZipError) -> Rejection {
    Rejection::ArchiveInvalid
}

fn check_xml(entry: &mut Counted<impl Read>, name: &str) -> Result<(), Rejection> {
    let node = entry.node.clone();
    let mut reader = quick_xml::Reader::from_reader(BufReader::new(entry));
    let config = reader.config_mut();
    config.check_end_names = true;
    config.expand_empty_elements = false;
    let mut buffer = Vec::new();
    let (mut depth, mut elements) = (0_usize, 0_usize);
    let mut fields = Fields::default();
    loop {
        node.set(0);
        match reader.read_event_into(&mut buffer) {
            Ok(Event::Eof) if depth == 0 && elements > 0 => return fields.check(),
            Ok(Event::Start(start)) => {
                look_at(&start, name, &mut fields)?;
                fields.is_instruction = is_named(&start, &[b"instrText", b"delInstrText"]);
                depth += 1;
                elements += 1;
                if depth > MAX_DEPTH {
                    return Err(Rejection::ArchiveInvalid);
                }
            }
            Ok(Event::Empty(start)) => {
                look_at(&start, name, &mut fields)?;
                elements += 1;
            }
            Ok(Event::End(_)) => {
                depth = depth.saturating_sub(1);
                fields.is_instruction = false;
            }
            Ok(Event::Text(text)) => fields.add(&text),
            Ok(Event::CData(text)) => fields.add(&text),
            Ok(Event::GeneralRef(reference)) => {
                let letter = reference.resolve_char_ref().ok().flatten().unwrap_or('\u{fffd}');
                fields.add(letter.encode_utf8(&mut [0; 4]).as_bytes());
            }
            // It must be read in the encoding that it is written in.
            Ok(Event::Decl(declared)) if !is_ascii_or_more(&declared) => return Err(Rejection::ArchiveInvalid),
            // Entities and external files are declared there. No word processor writes one.
            Ok(Event::DocType(_) | Event::Eof) | Err(_) => return Err(Rejection::ArchiveInvalid),
            Ok(_) => {}
        }
        buffer.clear();
    }
}

/// Whether ASCII is ASCII in the declared encoding. Word processors write UTF-8.
fn is_ascii_or_more(declared: &BytesDecl<'_>) -> bool {
    let known = [&b"utf-8"[..], b"us-ascii", b"iso-8859-1", b"windows-1252"];
    match declared.encoding() {
        None => true,
        Some(Ok(encoding)) => known.contains(&encoding.to_ascii_lowercase().as_slice()),
        Some(Err(_)) => false,
    }
}

fn is_named(element: &BytesStart<'_>, names: &[&[u8]]) -> bool {
    names.contains(&element.local_name().as_ref())
}

/// Returns the value of an attribute, by its name without a prefix.
fn value(element: &BytesStart<'_>, name: &[u8]) -> Result<Option<String>, Rejection> {
    for attribute in element.attributes() {
        let attribute = attribute.map_err(|_| Rejection::ArchiveInvalid)?;
        if attribute.key.local_name().as_ref() == name {
            let value = attribute.normalized_value(XmlVersion::Implicit1_0);
            return value.map(|value| Some(value.into_owned())).map_err(|_| Rejection::ArchiveInvalid);
        }
    }
    Ok(None)
}

/// Refuses elements that contain programs, or that load something from elsewhere when the document is opened.
fn look_at(element: &BytesStart<'_>, name: &str, fields: &mut Fields) -> Result<(), Rejection> {
    if name == "[Content_Types].xml" && declares_macros(element) {
        return Err(Rejection::Macros);
    }
    if is_named(element, &[b"altChunk"]) {
        return Err(Rejection::Linked);
    }
    if is_named(element, &[b"Relationship"]) {
        let kind = value(element, b"Type")?.unwrap_or_default();
        let kind = kind.rsplit('/').next().unwrap_or_default().to_owned();
        let is_external =
            value(element, b"TargetMode")?.is_some_and(|mode| mode.trim().eq_ignore_ascii_case("external"));
        let acts = ["oleObject", "control", "activeXControlBinary", "aFChunk", "subDocument", "vbaProject"];
        if acts.contains(&kind.as_str()) || (is_external && kind != "hyperlink") {
            return Err(Rejection::Linked);
        }
    }
    if is_named(element, &[b"fldSimple"]) && is_exchange(&value(element, b"instr")?.unwrap_or_default()) {
        return Err(Rejection::Linked);
    }
    if is_named(element, &[b"fldChar"]) {
        match value(element, b"fldCharType")?.as_deref() {
            Some("begin") if fields.open.len() < MAX_DEPTH => fields.open.push(Vec::new()),
            Some("begin") => return Err(Rejection::ArchiveInvalid),
            Some("end") => {
                fields.check()?;
                fields.open.pop();
            }
            _ => {}
        }
    }
    Ok(())
}

/// The instructions of open fields, which are put together from pieces.
#[derive(Default)]
struct Fields {
    is_instruction: bool,
    /// Instructions outside of any field.
    stray: Vec<u8>,
    open: Vec<Vec<u8>>,
}

impl Fields {
    fn add(&mut self, text: &[u8]) {
        /// Enough to tell what a field does.
        const MAX_LENGTH: usize = 256;
        if self.is_instruction {
            let field = self.open.last_mut().unwrap_or(&mut self.stray);
            let room = MAX_LENGTH.saturating_sub(field.len());
            field.extend_from_slice(&text[..text.len().min(room)]);
        }
    }

    /// Checks that no field asks another program for data.
    fn check(&self) -> Result<(), Rejection> {
        let exchanges = |field: &Vec<u8>| is_exchange(&String::from_utf8_lossy(field));
        if exchanges(&self.stray) || self.open.iter().any(exchanges) { Err(Rejection::Linked) } else { Ok(()) }
    }
}

/// Detects `DDE cmd.exe …` and `DDEAUTO …`, also within the result of another field.
fn is_exchange(instruction: &str) -> bool {
    let mut words = instruction.split(|letter: char| !letter.is_ascii_alphanumeric());
    words.any(|word| word.eq_ignore_ascii_case("dde") || word.eq_ignore_ascii_case("ddeauto"))
}

/// Detects `application/vnd.ms-word.document.macroEnabled…`, which no DOCX has.
fn declares_macros(element: &quick_xml::events::BytesStart<'_>) -> bool {
    element.windows(12).any(|window| window.eq_ignore_ascii_case(b"macroEnabled"))
}

/// A reader that stops at a limit.
struct Counted<R> {
    inner: R,
    left: u64,
    exceeded: bool,
    is_xml: bool,
    /// Bytes of the tag or text that is being read.
    node: Rc<Cell<u64>>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.node.set(self.node.get() + count as u64);
        match self.left.checked_sub(count as u64) {
            Some(left) if !self.is_xml || self.node.get() <= MAX_NODE => self.left = left,
            _ => {
                self.exceeded = true;
                return Err(io::Error::other("too large when unpacked"));
            }
        }
        // A zero byte means another encoding than the one it is read in.
        if self.is_xml && buffer[..count].contains(&0) { Err(io::ErrorKind::InvalidData.into()) } else { Ok(count) }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    use super::*;

    const TYPES: &[u8] = b"<?xml version=\"1.0\"?><Types><Override PartName=\"/word/document.xml\"/></Types>";
    const DOCUMENT: &[u8] = b"<?xml version=\"1.0\"?><w:document><w:body/></w:document>";

    fn archive(entries: &[(&str, &[u8])]) -> Vec<u8> {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, content) in entries {
            writer.start_file(*name, SimpleFileOptions::default()).unwrap();
            writer.write_all(content).unwrap();
        }
        writer.finish().unwrap().into_inner()
    }

    fn with(name: &str, content: &[u8]) -> Result<(), Rejection> {
        check(&archive(&[("[Content_Types].xml", TYPES), ("word/document.xml", DOCUMENT), (name, content)]))
    }

    #[test]
    fn a_document_of_well_formed_parts_passes() {
        assert_eq!(with("word/media/image1.png", &[7; 1000]), Ok(()));
        assert_eq!(check(&archive(&[("a.txt", b"text")])), Err(Rejection::Mismatch(FileType::Docx)));
    }

    #[test]
    fn entities_broken_xml_and_strange_names_are_refused() {
        let external = b"<!DOCTYPE a [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><a>&x;</a>";
        for xml in [&external[..], b"<a><b></a>", b"<a>", b"", b"text only", b"<!DOCTYPE a><a/>"] {
            assert_eq!(with("word/styles.xml", xml), Err(Rejection::ArchiveInvalid), "{}", xml.escape_ascii());
        }
        let deep = "<a>".repeat(600) + &"</a>".repeat(600);
        assert_eq!(with("word/styles.xml", deep.as_bytes()), Err(Rejection::ArchiveInvalid));
        assert_eq!(with("../../etc/passwd", b"x"), Err(Rejection::ArchiveInvalid));
        let whole = archive(&[("[Content_Types].xml", TYPES), ("word/document.xml", DOCUMENT)]);
        assert_eq!(check(&whole[..whole.len() - 30]), Err(Rejection::ArchiveInvalid));
        let mut changed = whole.clone();
        // In the packed bytes of the first entry, so that its checksum no longer matches.
        changed[60] ^= 0xff;
        assert_eq!(check(&changed), Err(Rejection::ArchiveInvalid));
    }

    #[test]
    fn macros_are_refused() {
        assert_eq!(with("word/vbaProject.bin", b"x"), Err(Rejection::Macros));
        let types =
            b"<Types><Override ContentType=\"application/vnd.ms-word.document.macroEnabled.main+xml\"/></Types>";
        let document = archive(&[("[Content_Types].xml", types), ("word/document.xml", DOCUMENT)]);
        assert_eq!(check(&document), Err(Rejection::Macros));
    }

    #[test]
    fn programs_and_parts_from_elsewhere_are_refused_and_links_are_not() {
        let relation = |kind: &str, more: &str| {
            let kind = format!("http://schemas.openxmlformats.org/officeDocument/2006/relationships/{kind}");
            let xml = format!("<Relationships><Relationship Id=\"a\" Type=\"{kind}\" {more}/></Relationships>");
            with("word/_rels/document.xml.rels", xml.as_bytes())
        };
        let external = "Target=\"https://elsewhere.example/x\" TargetMode=\"External\"";
        assert_eq!(relation("hyperlink", external), Ok(()));
        assert_eq!(relation("image", "Target=\"media/image1.png\""), Ok(()));
        assert_eq!(relation("attachedTemplate", "Target=\"template.dotx\""), Ok(()));
        for (kind, more) in [
            ("attachedTemplate", external),
            ("image", "Target=\"\\\\elsewhere.example\\x\" TargetMode=\"external\""),
            ("image", "Target=\"x\" TargetMode=\"&#69;xternal\""),
            ("oleObject", external),
            ("oleObject", "Target=\"embeddings/oleObject1.bin\""),
            ("control", "Target=\"activeX/activeX1.xml\""),
            ("aFChunk", "Target=\"page.html\""),
            ("&#97;FChunk", "Target=\"page.html\""),
        ] {
            assert_eq!(relation(kind, more), Err(Rejection::Linked), "{kind} {more}");
        }
        assert_eq!(with("word/embeddings/oleObject1.bin", b"x"), Err(Rejection::Linked));
        assert_eq!(with("word/activeX/activeX1.bin", b"x"), Err(Rejection::Linked));
        for xml in [
            "<w:p><w:altChunk r:id=\"a\"/></w:p>",
            "<w:p><w:fldSimple w:instr=\" DDEAUTO c:\\x \"><w:r/></w:fldSimple></w:p>",
            "<w:p><w:instrText>DDE x</w:instrText></w:p>",
            "<w:p><w:fldChar w:fldCharType=\"begin\"/><w:instrText> DD</w:instrText><w:instrText>&#69;AUTO x</w:instrText>\
                <w:fldChar w:fldCharType=\"end\"/></w:p>",
            "<w:p><w:instrText><![CDATA[dde x]]></w:instrText></w:p>",
        ] {
            assert_eq!(with("word/footer1.xml", xml.as_bytes()), Err(Rejection::Linked), "{xml}");
        }
        let fine = "<w:p><w:fldChar w:fldCharType=\"begin\"/><w:instrText>PAGE</w:instrText>\
            <w:fldChar w:fldCharType=\"end\"/><w:t>DDE is a protocol</w:t></w:p>";
        assert_eq!(with("word/footer1.xml", fine.as_bytes()), Ok(()));
        // Encodings other than the one it is read in.
        let wide: Vec<u8> = "\u{feff}<a/>".encode_utf16().flat_map(u16::to_le_bytes).collect();
        for xml in [&wide[..], b"<?xml version=\"1.0\" encoding=\"utf-7\"?><a/>"] {
            assert_eq!(with("word/footer1.xml", xml), Err(Rejection::ArchiveInvalid));
        }
    }

    #[test]
    fn one_text_of_many_megabytes_is_never_in_memory() {
        let noise = |size: usize| -> Vec<u8> {
            let mut state = 7_u64;
            let mut letters = Vec::with_capacity(size);
            while letters.len() < size {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                letters.push(b'a' + (state >> 60) as u8);
            }
            letters
        };
        let letters = noise(9 * 1024 * 1024);
        let whole = [b"<a>", letters.as_slice(), b"</a>"].concat();
        assert_eq!(with("word/long.xml", &whole), Err(Rejection::ArchiveTooLarge));
        let parted: Vec<u8> = letters.chunks(1024 * 1024).flat_map(|part| [b"<b>", part, b"</b>"].concat()).collect();
        assert_eq!(with("word/long.xml", &[b"<a>", parted.as_slice(), b"</a>"].concat()), Ok(()));
    }

    #[test]
    fn what_unpacks_to_far_too_much_is_refused() {
        let zeros = vec![0_u8; 30 * 1024 * 1024];
        assert_eq!(with("word/media/zeros.bin", &zeros), Err(Rejection::ArchiveTooLarge));
        // Declares less than comes out.
        let mut lying = archive(&[
            ("word/media/zeros.bin", &zeros),
            ("[Content_Types].xml", TYPES),
            ("word/document.xml", DOCUMENT),
        ]);
        let size = u32::try_from(zeros.len()).unwrap().to_le_bytes();
        let places: Vec<usize> = (0..lying.len() - 4).filter(|at| lying[*at..*at + 4] == size).collect();
        assert!(!places.is_empty());
        for at in places {
            lying[at..at + 4].copy_from_slice(&1000_u32.to_le_bytes());
        }
        assert!(matches!(check(&lying), Err(Rejection::ArchiveTooLarge | Rejection::ArchiveInvalid)));
        let many: Vec<(String, &[u8])> = (0..2_001).map(|n| (format!("word/{n}.bin"), &b"x"[..])).collect();
        let many: Vec<(&str, &[u8])> = many.iter().map(|(name, content)| (name.as_str(), *content)).collect();
        assert_eq!(check(&archive(&many)), Err(Rejection::ArchiveTooLarge));
    }
}
