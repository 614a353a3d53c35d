//! PDF: searched for anything that acts by itself, without following the document's structure.
//!
//! PDF readers disagree about damaged files and repair them in different ways, so a check that follows the structure
//! sees another document than the reader does. Here every name is checked wherever it occurs, in any object, referenced
//! or not, in plain text and in packed object streams. A file that is refused wrongly can be printed to a new PDF.

use std::io::Read;

use super::budget::Budget;
use domain::documents::Rejection;

/// Names that make a document act, send something, open another document or carry other files.
const ACTIVE: [&[u8]; 11] = [
    b"JavaScript",
    b"Launch",
    b"SubmitForm",
    b"ImportData",
    b"GoToR",
    b"GoToE",
    b"Rendition",
    b"Movie",
    b"RichMedia",
    b"EmbeddedFile",
    b"EmbeddedFiles",
];
/// Names of 3D models, which have their own scripts. They are short enough to occur in the bytes of an image, so they
/// count only as a `/Subtype`.
const MODELS: [&[u8]; 3] = [b"3D", b"U3D", b"PRC"];
/// Maximum bytes that the object streams of one document unpack to.
const MAX_UNPACKED: usize = 64 * 1024 * 1024;
/// Maximum number of times that an object stream is packed.
const MAX_LAYERS: u32 = 4;

pub(super) fn check(content: &[u8]) -> Result<(), Rejection> {
    check_within(content, Budget::new())
}

fn check_within(content: &[u8], budget: Budget) -> Result<(), Rejection> {
    let end = find_last(content, b"startxref").ok_or(Rejection::DamagedDocument)?;
    if find_last(&content[end..], b"%%EOF").is_none() || find_last(content, b" obj").is_none() {
        return Err(Rejection::DamagedDocument);
    }
    // Streams do not overlap, so each byte is unpacked once. If they do, somebody wants the same bytes to be unpacked a
    // thousand times.
    let mut packed = Packed { budget, unread: content.len() + 64 * 1024, room: MAX_UNPACKED };
    let mut object = Object::default();
    let mut names = Names::default();
    let mut at = 0;
    while at < content.len() {
        let rest = &content[at..];
        if rest[0] == b'/' {
            let (name, length) = name(&rest[1..]);
            names.refuse(&name, at, length, &rest[1 + length..])?;
            object.note(&name);
            at += 1 + length;
        } else if rest.starts_with(b"obj") {
            object = Object::default();
            at += 3;
        } else if rest.starts_with(b"stream") && !content[..at].ends_with(b"end") {
            at += 6;
            let data = content[at..].strip_prefix(b"\r").unwrap_or(&content[at..]);
            let data = data.strip_prefix(b"\n").unwrap_or(data);
            if object.holds_objects() {
                packed.look_into(&object, data)?;
            } else {
                packed.look_into_undeclared(data)?;
            }
            object = Object::default();
        } else {
            at += 1;
        }
    }
    Ok(())
}

/// What the dictionary of an object says about the stream after it.
#[derive(Default)]
struct Object {
    says_objects: bool,
    count: bool,
    first: bool,
    filtered: bool,
    /// How many times it is packed with Deflate.
    deflated: u32,
    otherwise: bool,
}

impl Object {
    fn note(&mut self, name: &[u8]) {
        match name {
            b"ObjStm" => self.says_objects = true,
            b"N" => self.count = true,
            b"First" => self.first = true,
            b"Filter" | b"F" => self.filtered = true,
            b"FlateDecode" | b"Fl" => self.deflated += 1,
            b"LZWDecode" | b"ASCIIHexDecode" | b"ASCII85Decode" | b"RunLengthDecode" | b"LZW" | b"AHx" | b"A85"
            | b"RL" | b"Crypt" | b"Predictor" => self.otherwise = true,
            _ => {}
        }
    }

    /// Whether a stream may hold objects: some readers treat it so even if it does not say so.
    fn holds_objects(&self) -> bool {
        self.says_objects || (self.count && self.first)
    }
}

/// What may still be unpacked.
struct Packed {
    budget: Budget,
    /// Bytes that may still be read.
    unread: usize,
    /// Bytes that they may still unpack to.
    room: usize,
}

impl Packed {
    fn look_into(&mut self, object: &Object, data: &[u8]) -> Result<(), Rejection> {
        if !object.filtered {
            // Not packed, so it is searched anyway.
            return Ok(());
        }
        // Packed in a way that is used for objects only to hide something.
        if object.otherwise || object.deflated == 0 || object.deflated > MAX_LAYERS {
            return Err(Rejection::Active);
        }
        let mut plain = self.unpack(data, usize::MAX)?;
        look_through(&plain)?;
        // Packed more than once, or only declared twice: then nothing comes out.
        for _ in 1..object.deflated {
            plain = self.unpack(&plain, usize::MAX)?;
            look_through(&plain)?;
        }
        Ok(())
    }

    /// Looks into a stream whose dictionary, as read here, says nothing of objects; others may read it differently.
    /// Objects begin with their numbers and offsets, which little else does.
    fn look_into_undeclared(&mut self, data: &[u8]) -> Result<(), Rejection> {
        const START: usize = 24;
        let is_deflated = data.first().is_some_and(|first| first & 0x0f == 8);
        if is_deflated {
            let start = self.unpack(&data[..data.len().min(4096)], START)?;
            if start.len() == START && start.iter().all(|byte| byte.is_ascii_digit() || byte.is_ascii_whitespace()) {
                look_through(&self.unpack(data, usize::MAX)?)?;
            }
        }
        Ok(())
    }

    /// Returns what comes out before an error, as readers do, up to `most` bytes.
    fn unpack(&mut self, data: &[u8], most: usize) -> Result<Vec<u8>, Rejection> {
        self.budget.check()?;
        let mut plain = Vec::new();
        let mut decoder = flate2::read::ZlibDecoder::new(&data[..data.len().min(self.unread)]);
        let most = most.min(self.room + 1);
        let _ = self.budget.reading(&mut decoder).take(most as u64).read_to_end(&mut plain);
        self.budget.check()?;
        let read = usize::try_from(decoder.total_in()).unwrap_or(usize::MAX);
        self.unread = self.unread.checked_sub(read).filter(|left| *left > 0).ok_or(Rejection::ArchiveTooLarge)?;
        self.room = self.room.checked_sub(plain.len()).ok_or(Rejection::ArchiveTooLarge)?;
        Ok(plain)
    }
}

fn look_through(plain: &[u8]) -> Result<(), Rejection> {
    let mut names = Names::default();
    let mut at = 0;
    while let Some(slash) = plain[at..].iter().position(|byte| *byte == b'/') {
        at += slash;
        let (name, length) = name(&plain[at + 1..]);
        names.refuse(&name, at, length, &plain[at + 1 + length..])?;
        at += 1 + length;
    }
    Ok(())
}

/// The names of a text, in order.
#[derive(Default)]
struct Names {
    /// Where the value of a `/Subtype` begins, if that was the last name.
    subtype: Option<usize>,
}

impl Names {
    /// `rest` is what follows the name.
    fn refuse(&mut self, name: &[u8], at: usize, length: usize, rest: &[u8]) -> Result<(), Rejection> {
        let is_subtype = self.subtype.take() == Some(at);
        if name == b"Subtype" || name == b"Type" {
            let spaces = rest.iter().take(64).take_while(|byte| byte.is_ascii_whitespace()).count();
            self.subtype = Some(at + 1 + length + spaces);
        }
        if is_subtype && MODELS.contains(&name) { Err(Rejection::Active) } else { refuse(name, rest) }
    }
}

/// `rest` is what follows the name.
fn refuse(name: &[u8], rest: &[u8]) -> Result<(), Rejection> {
    if ACTIVE.contains(&name) || (name == b"URI" && leads_into_a_network(rest)) {
        Err(Rejection::Active)
    } else if name == b"Encrypt" {
        Err(Rejection::Password)
    } else if name == b"XFA" && is_list_or_reference(rest) {
        // Its pages are drawn by a program inside: other readers, and this check, see one that says "Please wait".
        Err(Rejection::Form)
    } else {
        Ok(())
    }
}

/// Whether a link leads elsewhere than to the web: to a file, or to another machine of the network, which learns who
/// opens it. A link stored in another object is not looked up; nobody writes one.
fn leads_into_a_network(rest: &[u8]) -> bool {
    const MAX_LENGTH: usize = 200;
    let value = rest[..rest.len().min(MAX_LENGTH)].trim_ascii_start();
    let link = match value.first() {
        Some(b'(') => literal(&value[1..]),
        Some(b'<') if value.get(1) != Some(&b'<') => {
            let digits: Vec<u8> = value[1..].iter().copied().filter(u8::is_ascii_hexdigit).collect();
            let pairs =
                digits.chunks_exact(2).filter_map(|two| u8::from_str_radix(std::str::from_utf8(two).ok()?, 16).ok());
            pairs.collect()
        }
        Some(b'0'..=b'9') => return is_list_or_reference(value),
        _ => return false,
    };
    // For UTF-16, every other byte is enough.
    let text: Vec<u8> =
        link.into_iter().filter(|byte| byte.is_ascii_graphic()).map(|byte| byte.to_ascii_lowercase()).collect();
    [&b"\\\\"[..], b"//", b"\\/", b"/\\", b"file:", b"smb:", b"javascript:", b"data:"]
        .iter()
        .any(|start| text.starts_with(start))
}

/// Reads a string in parentheses as far as it matters, with its escapes resolved.
fn literal(bytes: &[u8]) -> Vec<u8> {
    let mut text = Vec::new();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at).filter(|byte| **byte != b')') {
        at += 1;
        if byte != b'\\' {
            text.push(byte);
            continue;
        }
        let octal = bytes[at..].iter().take(3).take_while(|digit| matches!(digit, b'0'..=b'7')).count();
        if octal > 0 {
            let value = bytes[at..at + octal].iter().fold(0_u32, |value, digit| value * 8 + u32::from(digit - b'0'));
            text.push((value & 0xff) as u8);
            at += octal;
        } else if let Some(&escaped) = bytes.get(at) {
            // Escaped letters stand for control characters, an escaped end of line for nothing.
            if !b"nrtbf\r\n".contains(&escaped) {
                text.push(escaped);
            }
            at += 1;
        }
    }
    text
}

/// Whether this can be the value of a short name, so that three letters in the bytes of an image are not mistaken for
/// it.
fn is_list_or_reference(rest: &[u8]) -> bool {
    let value = rest.trim_ascii_start();
    let digits = value.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let next = &value[digits..];
    let number = next.trim_ascii_start();
    value.starts_with(b"[")
        || (digits > 0 && number.len() < next.len() && number.first().is_some_and(u8::is_ascii_digit))
}

/// Reads the name that begins here as far as it matters, with its escapes resolved (`#4a` is `J`); and how many bytes
/// it takes.
fn name(bytes: &[u8]) -> (Vec<u8>, usize) {
    const MAX_LENGTH: usize = 16;
    let mut name = Vec::new();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at).filter(|_| name.len() < MAX_LENGTH) {
        let is_end = byte <= b' ' || b"()<>[]{}/%".contains(&byte);
        if is_end {
            break;
        }
        let escaped = bytes
            .get(at + 1..at + 3)
            .filter(|_| byte == b'#')
            .and_then(|two| u8::from_str_radix(std::str::from_utf8(two).ok()?, 16).ok());
        name.push(escaped.unwrap_or(byte));
        at += if escaped.is_some() { 3 } else { 1 };
    }
    (name, at)
}

fn find_last(content: &[u8], word: &[u8]) -> Option<usize> {
    (0..(content.len() + 1).saturating_sub(word.len())).rev().find(|at| content[*at..].starts_with(word))
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn document(objects: &[&[u8]]) -> Vec<u8> {
        let mut whole = b"%PDF-1.7\n".to_vec();
        for (number, object) in objects.iter().enumerate() {
            whole.extend_from_slice(format!("{} 0 obj\n", number + 1).as_bytes());
            whole.extend_from_slice(object);
            whole.extend_from_slice(b"\nendobj\n");
        }
        whole.extend_from_slice(b"trailer\n<</Root 1 0 R>>\nstartxref\n9\n%%EOF\n");
        whole
    }

    fn deflated(plain: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(plain).unwrap();
        encoder.finish().unwrap()
    }

    fn object_stream(dictionary: &str, plain: &[u8]) -> Vec<u8> {
        [format!("<<{dictionary}>>\nstream\n").as_bytes(), &deflated(plain), b"\nendstream"].concat()
    }

    #[test]
    fn a_plain_document_passes_also_as_the_start_of_an_archive() {
        let text: &[u8] = b"<</Length 20>>\nstream\nBT (Hello) Tj ET    \nendstream";
        let catalog: &[u8] = b"<</Type/Catalog/OpenAction[3 0 R/FitH 0]/Pages 2 0 R>>";
        let objects = object_stream("/Type/ObjStm/N 1/First 4/Filter/FlateDecode", b"5 0 <</Type/Page/Launching 1>>");
        let plain = document(&[catalog, text, &objects]);
        assert_eq!(check(&plain), Ok(()));
        assert_eq!(check(&[plain.as_slice(), b"PK\x03\x04 and more"].concat()), Ok(()));
    }

    #[test]
    fn what_acts_or_carries_files_is_refused_wherever_it_hides() {
        for object in [
            &b"<</Type/Catalog/OpenAction<</S/JavaScript/JS(app.alert(1))>>>>"[..],
            b"<</S/J#61vaScript/JS(x)>>",
            b"<</S /Launch /F(cmd.exe)>>",
            b"<</Names<</EmbeddedFiles 5 0 R>>>>",
            b"<</Subtype/RichMedia>>",
            b"<</Type/Catalog/OpenAction<</S/SubmitForm/F(https://elsewhere.example)>>>>",
            b"<</S/GoToR/F(\\\\\\\\elsewhere\\\\x.pdf)>>",
            b"<</S/GoToE/T<</R/C>>>>",
            b"<</S/ImportData/F(x.fdf)>>",
            b"<</Subtype/Movie>>",
            b"<</Subtype/3D>>",
            b"<</Subtype /U3D>>",
            b"<</S/URI/URI(\\\\\\\\elsewhere\\\\share)>>",
            b"<</S/URI/URI ( \\134\\134elsewhere)>>",
            b"<</S/URI/URI(//elsewhere/share)>>",
            b"<</S/URI/URI<66696c653a2f2f2f>>>",
            b"<</S/URI/URI(\xfe\xff\0F\0i\0l\0e\0:)>>",
            b"<</S/URI/URI 9 0 R>>",
            b"% ) <</S/JavaScript>>",
            b"( <</S/JavaScript>>",
            b"<</Length 40>>\nstream\n9 0 obj<</S/JavaScript/JS(x)>>endobj\nendstream",
        ] {
            assert_eq!(check(&document(&[object])), Err(Rejection::Active), "{}", object.escape_ascii());
        }
        let script = b"5 0 <</S/JavaScript/JS(x)>>";
        for dictionary in [
            "/Type/ObjStm/N 1/First 4/Filter/FlateDecode",
            "/N 1/First 4/Filter[/FlateDecode]",
            "/Type/Obj#53tm/N 1/First 4/Filter/Fl",
            "/Type/ObjStm/N 1/First 4/Filter[/FlateDecode/FlateDecode]",
            // Packed in a way that is not looked into.
            "/Type/ObjStm/N 1/First 4/Filter[/ASCIIHexDecode/FlateDecode]",
            "/Type/ObjStm/N 1/First 4/Filter 9 0 R",
            "/Type/ObjStm/N 1/First 4/Filter/FlateDecode/DecodeParms<</Predictor 12>>",
        ] {
            let hidden = document(&[&object_stream(dictionary, script)]);
            assert_eq!(check(&hidden), Err(Rejection::Active), "{dictionary}");
        }
        let twice = object_stream("/Type/ObjStm/N 1/First 4/Filter[/FlateDecode/Fl]", &deflated(script));
        assert_eq!(check(&document(&[&twice])), Err(Rejection::Active));
        // A string that looks like the beginning of another object.
        let script = b"5 0 6 10 7 20 8 30 9 40 <</S/JavaScript/JS(x)>>";
        let feigned = object_stream("/Type/ObjStm/N 5/First 23/Filter/FlateDecode/X(1 0 obj)", script);
        assert_eq!(check(&document(&[&feigned])), Err(Rejection::Active));
        // What any document has.
        for object in [
            &b"<</S/URI/URI(https://www.example.org/a\\(b\\))>>"[..],
            b"<</S /URI /URI <687474703a2f2f612e62>>>",
            b"<</Type/Catalog/URI<</Base(https://example.org)>>>>",
            b"<</S/GoTo/D[3 0 R/Fit]>>",
            b"<</Filter/DCTDecode>>\nstream\n\x01/3D \x80\x17endstream",
        ] {
            assert_eq!(check(&document(&[object])), Ok(()), "{}", object.escape_ascii());
        }
    }

    #[test]
    fn no_bytes_are_unpacked_over_and_over() {
        // Blocks with nothing in them, after many stream headers.
        let mut nothing = vec![0x78, 0x01];
        (0..400_000).for_each(|_| nothing.extend_from_slice(&[0, 0, 0, 0xff, 0xff]));
        let heads = b"<</Type/ObjStm/N 1/First 4/Filter/FlateDecode>>\nstream\n".repeat(1300);
        let nested = [heads.as_slice(), &nothing, b"\nendstream"].concat();
        let mut whole: Vec<Vec<u8>> = Vec::new();
        // Each header is right before its blocks.
        for _ in 0..1300 {
            whole.push([&b"<</Type/ObjStm/N 1/First 4/Filter/FlateDecode>>\nstream\n"[..], &[0x78, 0x01]].concat());
        }
        let inner: Vec<u8> = whole
            .into_iter()
            .flat_map(|head| {
                // A stored block that contains the next header.
                let length = u16::try_from(head.len()).unwrap();
                [&[0][..], &length.to_le_bytes(), &(!length).to_le_bytes(), &head].concat()
            })
            .collect();
        let stored =
            [&b"<</Type/ObjStm/N 1/First 4/Filter/FlateDecode>>\nstream\n\x78\x01"[..], &inner, &nothing[2..]].concat();
        let begun = std::time::Instant::now();
        assert_eq!(check(&document(&[&stored])), Err(Rejection::ArchiveTooLarge));
        assert_eq!(check(&document(&[&nested])), Ok(()), "the heads are no packed data");
        assert!(begun.elapsed() < std::time::Duration::from_secs(5), "{:?}", begun.elapsed());
        let spent = check_within(
            &document(&[&object_stream("/Type/ObjStm/Filter/Fl", b"1 0 x")]),
            Budget::of(std::time::Duration::ZERO),
        );
        assert_eq!(spent, Err(Rejection::ArchiveTooLarge));
    }

    #[test]
    fn a_form_that_other_programs_cannot_show_is_refused_and_another_is_not() {
        let dynamic: &[u8] =
            b"<</Type/Catalog/NeedsRendering true/AcroForm<</Fields[]/XFA[(template) 7 0 R(datasets) 8 0 R]>>>>";
        let wait: &[u8] = b"<</Length 40>>\nstream\nBT (Please wait... ) Tj ET\nendstream";
        assert_eq!(check(&document(&[dynamic, wait])), Err(Rejection::Form));
        for object in [&b"<</XFA 7 0 R>>"[..], b"<</X#46A\n[ 7 0 R ]>>", b"<</XFA\r\n12  0 R>>"] {
            assert_eq!(check(&document(&[object])), Err(Rejection::Form), "{}", object.escape_ascii());
        }
        let packed = object_stream("/Type/ObjStm/N 1/First 4/Filter/FlateDecode", b"5 0 <</Fields[]/XFA 7 0 R>>");
        assert_eq!(check(&document(&[&packed])), Err(Rejection::Form));
        for object in [
            &b"<</AcroForm<</Fields[4 0 R]>>>>"[..],
            b"<</XFAImages 7 0 R>>",
            b"<</Font/XFA>>",
            b"<</XFA 7>>",
            b"<</Filter/DCTDecode>>\nstream\n\x01/XFA\x80\x17endstream",
        ] {
            assert_eq!(check(&document(&[object])), Ok(()), "{}", object.escape_ascii());
        }
    }

    #[test]
    fn a_locked_a_damaged_and_an_endless_document_are_told_apart() {
        let mut locked = document(&[b"<</Type/Catalog>>"]);
        locked.extend_from_slice(b"trailer<</Encrypt 4 0 R>>\nstartxref\n9\n%%EOF");
        assert_eq!(check(&locked), Err(Rejection::Password));
        let whole = document(&[b"<</Type/Catalog>>"]);
        for cut in [9, whole.len() / 2, whole.len() - 8] {
            assert_eq!(check(&whole[..cut]), Err(Rejection::DamagedDocument), "{cut}");
        }
        assert_eq!(check(b"%PDF-1.7\nstartxref %%EOF"), Err(Rejection::DamagedDocument));
        let bomb = object_stream("/Type/ObjStm/N 1/First 4/Filter/FlateDecode", &vec![b' '; 65 * 1024 * 1024]);
        assert_eq!(check(&document(&[&bomb])), Err(Rejection::ArchiveTooLarge));
    }

    #[test]
    fn noise_is_never_taken_for_anything() {
        let mut state = 7_u64;
        let mut noise = Vec::new();
        for _ in 0..200_000 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            noise.push((state >> 56) as u8);
        }
        let object = [b"<</Filter/DCTDecode>>\nstream\n", noise.as_slice(), b"\nendstream"].concat();
        assert_eq!(check(&document(&[&object])), Ok(()));
    }
}
