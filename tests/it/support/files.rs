//! Files to send: the smallest valid ones of each kind.

use std::fs;
use std::io::{Cursor, Write};
use std::path::PathBuf;

use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// A PDF of `size` bytes or a little more.
pub fn pdf(size: usize) -> Vec<u8> {
    let mut whole = b"%PDF-1.4\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n\
        2 0 obj\n<</Type/Pages/Kids[3 0 R]/Count 1>>\nendobj\n\
        3 0 obj\n<</Type/Page/Parent 2 0 R/MediaBox[0 0 72 72]>>\nendobj\n4 0 obj\n<</Length 9>>\nstream\n"
        .to_vec();
    let mut state = 1_u32;
    while whole.len() + 60 < size {
        // Nothing compressible, and nothing that reads as a name.
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        whole.push(b'A' + (state >> 24) as u8 % 16);
    }
    whole.extend_from_slice(b"\nendstream\nendobj\ntrailer\n<</Root 1 0 R>>\nstartxref\n9\n%%EOF\n");
    whole
}

pub fn docx(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let needed: [(&str, &[u8]); 2] = [("[Content_Types].xml", b"<Types/>"), ("word/document.xml", b"<document/>")];
    let given = |name: &str| entries.iter().any(|(other, _)| *other == name);
    for (name, content) in needed.iter().filter(|(name, _)| !given(name)).chain(entries) {
        writer.start_file(*name, SimpleFileOptions::default()).unwrap();
        writer.write_all(content).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// 8 × 8 pixels.
pub fn png() -> Vec<u8> {
    let mut whole = Cursor::new(Vec::new());
    image::RgbImage::from_fn(8, 8, |x, y| image::Rgb([x as u8 * 30, y as u8 * 30, 9]))
        .write_to(&mut whole, image::ImageFormat::Png)
        .unwrap();
    whole.into_inner()
}

pub fn jpeg() -> Vec<u8> {
    let mut whole = Cursor::new(Vec::new());
    image::RgbImage::from_fn(64, 64, |x, y| image::Rgb([x as u8 * 3, y as u8 * 3, 9]))
        .write_to(&mut whole, image::ImageFormat::Jpeg)
        .unwrap();
    whole.into_inner()
}

/// The test virus, put together so that no scanner takes this file for it.
pub fn eicar() -> Vec<u8> {
    [br"X5O!P%@AP[4\PZX54(P^)7CC)7}$".as_slice(), b"EICAR-STANDARD-ANTIVIRUS-", b"TEST-FILE!$H+H*"].concat()
}

/// Every file in a folder and its subfolders.
pub fn below(folder: PathBuf) -> Vec<PathBuf> {
    let mut files = vec![folder];
    while let Some(folder) = files.iter().position(|path| path.is_dir()) {
        let folder = files.swap_remove(folder);
        files.extend(fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()));
    }
    files
}
