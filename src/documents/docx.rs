//! DOCX: a ZIP of XML files. Every entry is unpacked once, into nothing, to see that it is no larger than it may be, that
//! it is whole, and, where it is XML, that it is well-formed and declares nothing of its own.

use std::io::{self, BufReader, Cursor, Read};

use quick_xml::events::Event;
use zip::ZipArchive;
use zip::result::ZipError;

use crate::domain::documents::{FileType, Rejection};

const MOST_ENTRIES: usize = 2_000;
/// Most bytes of everything unpacked.
const MOST_BYTES: u64 = 200 * 1024 * 1024;
/// Text packs to a tenth, rarely to a hundredth; what packs further was made to.
const MOST_RATIO: u64 = 200;
/// Below this, a ratio says nothing.
const SMALL: u64 = 1024 * 1024;
/// Elements inside each other.
const MOST_DEPTH: usize = 500;

pub(super) fn check(content: &[u8]) -> Result<(), Rejection> {
    let mut archive = ZipArchive::new(Cursor::new(content)).map_err(|_| Rejection::ArchiveInvalid)?;
    if archive.len() > MOST_ENTRIES {
        return Err(Rejection::ArchiveTooLarge);
    }
    let mut left = MOST_BYTES;
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
        // What it says of its size is only good for refusing; what is counted is what comes out.
        let packed = entry.compressed_size().max(1);
        let allowed = left.min((packed * MOST_RATIO).max(SMALL));
        if entry.size() > allowed {
            return Err(Rejection::ArchiveTooLarge);
        }
        has_types |= name == "[Content_Types].xml";
        has_document |= name == "word/document.xml";
        let mut counted = Counted { inner: entry, left: allowed, exceeded: false };
        let read = if lower.ends_with(".xml") || lower.ends_with(".rels") {
            check_xml(&mut counted, &name)
        } else {
            io::copy(&mut counted, &mut io::sink()).map(drop).map_err(|_| Rejection::ArchiveInvalid)
        };
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

fn check_xml(entry: impl Read, name: &str) -> Result<(), Rejection> {
    let mut reader = quick_xml::Reader::from_reader(BufReader::new(entry));
    let config = reader.config_mut();
    config.check_end_names = true;
    config.expand_empty_elements = false;
    let mut buffer = Vec::new();
    let (mut depth, mut elements) = (0_usize, 0_usize);
    loop {
        match reader.read_event_into(&mut buffer) {
            Ok(Event::Eof) if depth == 0 && elements > 0 => return Ok(()),
            Ok(Event::Start(start)) => {
                if name == "[Content_Types].xml" && declares_macros(&start) {
                    return Err(Rejection::Macros);
                }
                depth += 1;
                elements += 1;
                if depth > MOST_DEPTH {
                    return Err(Rejection::ArchiveInvalid);
                }
            }
            Ok(Event::Empty(start)) => {
                if name == "[Content_Types].xml" && declares_macros(&start) {
                    return Err(Rejection::Macros);
                }
                elements += 1;
            }
            Ok(Event::End(_)) => depth = depth.saturating_sub(1),
            // Entities and external files are declared there. No word processor writes one.
            Ok(Event::DocType(_) | Event::Eof) | Err(_) => return Err(Rejection::ArchiveInvalid),
            Ok(_) => {}
        }
        buffer.clear();
    }
}

/// `application/vnd.ms-word.document.macroEnabled…`, which no DOCX has.
fn declares_macros(element: &quick_xml::events::BytesStart<'_>) -> bool {
    element.windows(12).any(|window| window.eq_ignore_ascii_case(b"macroEnabled"))
}

/// Stops reading at a limit.
struct Counted<R> {
    inner: R,
    left: u64,
    exceeded: bool,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        match self.left.checked_sub(count as u64) {
            Some(left) => self.left = left,
            None => {
                self.exceeded = true;
                return Err(io::Error::other("too large when unpacked"));
            }
        }
        Ok(count)
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
        // In the packed bytes of the first entry, so that its sum is not right any more.
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
    fn what_unpacks_to_far_too_much_is_refused() {
        let zeros = vec![0_u8; 30 * 1024 * 1024];
        assert_eq!(with("word/media/zeros.bin", &zeros), Err(Rejection::ArchiveTooLarge));
        // It says less than comes out.
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
