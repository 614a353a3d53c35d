//! HEIC: a container of boxes (ISO 14496-12). Its structure is checked, and the file is kept unchanged: decoding it
//! takes a video decoder, which is a greater danger than the pictures.

use domain::documents::{FileType, Rejection};

/// Brands by which such files identify themselves.
const BRANDS: [&[u8; 4]; 10] =
    [b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"mif2", b"msf1", b"miaf"];

pub(super) fn check(content: &[u8]) -> Result<(), Rejection> {
    let mismatch = Rejection::Mismatch(FileType::Heic);
    let mut names = Vec::new();
    let mut rest = content;
    while !rest.is_empty() {
        let (name, body, after) = first_box(rest).ok_or(Rejection::DamagedImage)?;
        if names.is_empty() && (name != *b"ftyp" || !is_heic(body)) {
            return Err(mismatch);
        }
        names.push(name);
        rest = after;
    }
    // The description of the picture, and its pixels.
    let has = |name: &[u8; 4]| names.contains(name);
    if has(b"meta") && has(b"mdat") { Ok(()) } else { Err(Rejection::DamagedImage) }
}

/// Whether the content of a file type box (major brand, version, compatible brands) has a brand of HEIC.
fn is_heic(file_type: &[u8]) -> bool {
    file_type.len() >= 8
        && file_type.len().is_multiple_of(4)
        && file_type
            .chunks_exact(4)
            .enumerate()
            .any(|(at, brand)| at != 1 && BRANDS.iter().any(|known| brand == *known))
}

/// Returns the name and content of the first box, and what follows it. `None` if it does not fit.
fn first_box(bytes: &[u8]) -> Option<([u8; 4], &[u8], &[u8])> {
    let size = u32::from_be_bytes(*bytes.first_chunk()?);
    let name = *bytes.get(4..8)?.first_chunk()?;
    let (head, size) = match size {
        0 => (8, bytes.len()),
        1 => (16, usize::try_from(u64::from_be_bytes(*bytes.get(8..16)?.first_chunk()?)).ok()?),
        size => (8, size as usize),
    };
    if size < head {
        return None;
    }
    Some((name, bytes.get(head..size)?, &bytes[size..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn boxed(name: &[u8; 4], body: &[u8]) -> Vec<u8> {
        [&u32::try_from(body.len() + 8).unwrap().to_be_bytes()[..], name, body].concat()
    }

    #[test]
    fn its_boxes_must_fit_together() {
        let start = boxed(b"ftyp", b"heic\0\0\0\0mif1heic");
        let (meta, data) = (boxed(b"meta", &[0; 20]), boxed(b"mdat", &[7; 100]));
        let whole = [start.clone(), meta.clone(), data.clone()].concat();
        assert_eq!(check(&whole), Ok(()));
        // The last box may have size 0, "to the end".
        let mut open_end = whole.clone();
        open_end[start.len() + meta.len()..][..4].fill(0);
        assert_eq!(check(&open_end), Ok(()));
        for cut in [whole.len() - 1, start.len() + 5, start.len() + meta.len()] {
            assert_eq!(check(&whole[..cut]), Err(Rejection::DamagedImage), "{cut}");
        }
        let video = [boxed(b"ftyp", b"isom\0\0\0\0mp42"), meta, data].concat();
        assert_eq!(check(&video), Err(Rejection::Mismatch(FileType::Heic)));
        assert_eq!(check(b"\0\0\0\x02ftyp"), Err(Rejection::DamagedImage));
        assert_eq!(check(b"\0\0\0\x01ftyp\xff\xff\xff\xff\xff\xff\xff\xff"), Err(Rejection::DamagedImage));
    }
}
