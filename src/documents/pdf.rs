//! PDF: looked through for what does something by itself, without following its structure.
//!
//! Readers of PDF disagree about damaged files and repair them each in its own way, so that a check that follows the
//! structure sees another document than the reader does. Here every name is looked at wherever it stands, in any object,
//! referenced or not, in plain text and in packed object streams. What is refused too much can be printed to a new PDF.

use std::io::Read;

use crate::domain::documents::Rejection;

/// Names that make a document act, or carry other files.
const ACTIVE: [&[u8]; 6] = [b"JavaScript", b"Launch", b"Rendition", b"RichMedia", b"EmbeddedFile", b"EmbeddedFiles"];
/// Most bytes that the object streams of one document unpack to.
const MOST_UNPACKED: u64 = 64 * 1024 * 1024;

pub(super) fn check(content: &[u8]) -> Result<(), Rejection> {
    let end = find_last(content, b"startxref").ok_or(Rejection::DamagedDocument)?;
    if find_last(&content[end..], b"%%EOF").is_none() || find_last(content, b" obj").is_none() {
        return Err(Rejection::DamagedDocument);
    }
    let mut unpacked = 0;
    let mut object = Object::default();
    let mut at = 0;
    while at < content.len() {
        let rest = &content[at..];
        if rest[0] == b'/' {
            let (name, length) = name(&rest[1..]);
            refuse(&name, &rest[1 + length..])?;
            object.note(&name);
            at += 1 + length;
        } else if rest.starts_with(b"obj") {
            object = Object::default();
            at += 3;
        } else if rest.starts_with(b"stream") && !content[..at].ends_with(b"end") {
            at += 6;
            if object.holds_objects() {
                let data = content[at..].strip_prefix(b"\r").unwrap_or(&content[at..]);
                let data = data.strip_prefix(b"\n").unwrap_or(data);
                look_into(&object, data, &mut unpacked)?;
            }
            object = Object::default();
        } else {
            at += 1;
        }
    }
    Ok(())
}

/// What the dictionary of an object says of the stream behind it.
#[derive(Default)]
struct Object {
    says_objects: bool,
    count: bool,
    first: bool,
    filtered: bool,
    deflated: bool,
    otherwise: bool,
}

impl Object {
    fn note(&mut self, name: &[u8]) {
        match name {
            b"ObjStm" => self.says_objects = true,
            b"N" => self.count = true,
            b"First" => self.first = true,
            b"Filter" | b"F" => self.filtered = true,
            b"FlateDecode" | b"Fl" => self.deflated = true,
            b"LZWDecode" | b"ASCIIHexDecode" | b"ASCII85Decode" | b"RunLengthDecode" | b"LZW" | b"AHx" | b"A85"
            | b"RL" | b"Crypt" | b"Predictor" => self.otherwise = true,
            _ => {}
        }
    }

    /// Some readers take a stream for objects that does not say so.
    fn holds_objects(&self) -> bool {
        self.says_objects || (self.count && self.first)
    }
}

fn look_into(object: &Object, data: &[u8], unpacked: &mut u64) -> Result<(), Rejection> {
    if !object.filtered {
        // As it lies there, it is looked at anyway.
        return Ok(());
    }
    // Packed in a way that nobody uses for objects who has nothing to hide.
    if object.otherwise || !object.deflated {
        return Err(Rejection::Active);
    }
    let mut plain = Vec::new();
    let left = MOST_UNPACKED - *unpacked;
    // Readers take what comes out before an error, and so does this.
    let _ = flate2::read::ZlibDecoder::new(data).take(left + 1).read_to_end(&mut plain);
    *unpacked += plain.len() as u64;
    if *unpacked > MOST_UNPACKED {
        return Err(Rejection::ArchiveTooLarge);
    }
    let mut rest = plain.as_slice();
    while let Some(slash) = rest.iter().position(|byte| *byte == b'/') {
        let (name, length) = name(&rest[slash + 1..]);
        rest = &rest[slash + 1 + length..];
        refuse(&name, rest)?;
    }
    Ok(())
}

/// `rest` is what stands behind the name.
fn refuse(name: &[u8], rest: &[u8]) -> Result<(), Rejection> {
    if ACTIVE.contains(&name) {
        Err(Rejection::Active)
    } else if name == b"Encrypt" {
        Err(Rejection::Password)
    } else if name == b"XFA" && is_list_or_reference(rest) {
        // Its pages are drawn by a program inside: other readers, and we, see one that says "Please wait".
        Err(Rejection::Form)
    } else {
        Ok(())
    }
}

/// What the value of a short name must be, so that three letters amid an image are not taken for it.
fn is_list_or_reference(rest: &[u8]) -> bool {
    let value = rest.trim_ascii_start();
    let digits = value.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let next = &value[digits..];
    let number = next.trim_ascii_start();
    value.starts_with(b"[")
        || (digits > 0 && number.len() < next.len() && number.first().is_some_and(u8::is_ascii_digit))
}

/// The name that begins here, without its escapes (`#4a` is `J`), as far as it matters; and how many bytes it takes.
fn name(bytes: &[u8]) -> (Vec<u8>, usize) {
    const LONGEST: usize = 16;
    let mut name = Vec::new();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at).filter(|_| name.len() < LONGEST) {
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
            // Packed in a way that is not looked into.
            "/Type/ObjStm/N 1/First 4/Filter[/ASCIIHexDecode/FlateDecode]",
            "/Type/ObjStm/N 1/First 4/Filter 9 0 R",
            "/Type/ObjStm/N 1/First 4/Filter/FlateDecode/DecodeParms<</Predictor 12>>",
        ] {
            let hidden = document(&[&object_stream(dictionary, script)]);
            assert_eq!(check(&hidden), Err(Rejection::Active), "{dictionary}");
        }
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
