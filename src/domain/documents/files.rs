//! What a file must be, judging by its name and first bytes, and why files are rejected.

use crate::characters;
use crate::sentence::Sentence;
use crate::text;
/// Maximum size of a file, as shown to users.
pub const MAX_MEGABYTES: u64 = 25;
/// Maximum size of a file in bytes.
pub const MAX_BYTES: u64 = MAX_MEGABYTES * 1024 * 1024;
/// Maximum number of files per applicant.
pub const MAX_FILES: i64 = 50;
/// Maximum length of a file name in bytes, the limit of most file systems.
const MAX_NAME_LENGTH: usize = 255;

/// A file type that we can read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileType {
    Pdf,
    Jpeg,
    Png,
    Heic,
    Docx,
}

impl FileType {
    /// Returns the type for a file name extension.
    fn of_ending(ending: &str) -> Option<FileType> {
        Some(match ending.to_ascii_lowercase().as_str() {
            "pdf" => FileType::Pdf,
            "jpg" | "jpeg" => FileType::Jpeg,
            "png" => FileType::Png,
            "heic" | "heif" => FileType::Heic,
            "docx" => FileType::Docx,
            _ => return None,
        })
    }

    /// Returns its common name.
    pub fn label(self) -> &'static str {
        match self {
            FileType::Pdf => "PDF",
            FileType::Jpeg => "JPEG",
            FileType::Png => "PNG",
            FileType::Heic => "HEIC",
            FileType::Docx => "DOCX",
        }
    }

    pub fn media_type(self) -> &'static str {
        match self {
            FileType::Pdf => "application/pdf",
            FileType::Jpeg => "image/jpeg",
            FileType::Png => "image/png",
            FileType::Heic => "image/heic",
            FileType::Docx => "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        }
    }

    /// Whether the content starts like a file of this type. PDF readers allow up to a kilobyte of anything before the
    /// header, which could be an HTML page; we allow only invisible characters.
    pub fn begins(self, content: &[u8]) -> bool {
        match self {
            FileType::Pdf => {
                let content = content.strip_prefix(b"\xef\xbb\xbf").unwrap_or(content);
                content[..content.len().min(1024)].trim_ascii_start().starts_with(b"%PDF-")
            }
            FileType::Jpeg => content.starts_with(b"\xff\xd8\xff"),
            FileType::Png => content.starts_with(b"\x89PNG\r\n\x1a\n"),
            FileType::Heic => content.get(4..8) == Some(b"ftyp"),
            FileType::Docx => content.starts_with(b"PK\x03\x04"),
        }
    }
}

/// A file name that can be displayed, stored and sent in a header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileName {
    name: String,
    kind: FileType,
}

impl FileName {
    /// # Errors
    /// [`Rejection::Name`], [`Rejection::Type`].
    pub fn parse(name: &str) -> Result<FileName, Rejection> {
        let name = name.trim();
        // Characters that change the writing direction can disguise an extension.
        let forbidden = |c: char| "\"\\/<>|:*?\u{fffd}".contains(c);
        if name.is_empty() || name.len() > MAX_NAME_LENGTH || name.contains(forbidden) || characters::has_odd(name) {
            return Err(Rejection::Name);
        }
        let (stem, ending) = name.rsplit_once('.').ok_or(Rejection::Type)?;
        let kind = FileType::of_ending(ending).ok_or(Rejection::Type)?;
        if stem.is_empty() { Err(Rejection::Name) } else { Ok(FileName { name: name.to_owned(), kind }) }
    }

    pub fn as_str(&self) -> &str {
        &self.name
    }

    pub fn kind(&self) -> FileType {
        self.kind
    }
}

/// Why a file is rejected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rejection {
    Empty,
    TooLarge,
    /// More bytes than announced at the start of the upload. Only a chunk is rejected for this, never a stored file.
    MoreThanAnnounced,
    Name,
    /// Not a type that we read.
    Type,
    /// The content does not match the file name.
    Mismatch(FileType),
    /// An image that cannot be decoded completely.
    DamagedImage,
    /// A PDF or other document with an inconsistent structure.
    DamagedDocument,
    TooManyPixels,
    /// A PDF that needs a password to open.
    Password,
    /// A PDF that performs actions when opened, or contains other files.
    Active,
    /// A PDF whose pages are drawn by an embedded program (XFA), which few readers run.
    Form,
    /// A Word document with macros.
    Macros,
    /// A Word document that contains programs, or loads parts from elsewhere.
    Linked,
    ArchiveTooLarge,
    ArchiveInvalid,
    Malware,
    /// Was stored, but is no longer in the object storage.
    Lost,
}

impl Rejection {
    /// Returns every possible rejection; `kind` is for those that name a type.
    pub fn all(kind: FileType) -> [Rejection; 17] {
        [
            Rejection::Empty,
            Rejection::TooLarge,
            Rejection::Name,
            Rejection::Type,
            Rejection::Mismatch(kind),
            Rejection::DamagedImage,
            Rejection::DamagedDocument,
            Rejection::TooManyPixels,
            Rejection::Password,
            Rejection::Active,
            Rejection::Form,
            Rejection::Macros,
            Rejection::Linked,
            Rejection::ArchiveTooLarge,
            Rejection::ArchiveInvalid,
            Rejection::Malware,
            Rejection::Lost,
        ]
    }

    /// Returns a stable, machine-readable code, which is also stored.
    pub fn code(self) -> &'static str {
        match self {
            Rejection::Empty => "file.empty",
            Rejection::TooLarge | Rejection::MoreThanAnnounced => "file.too_large",
            Rejection::Name => "file.name",
            Rejection::Type => "file.type",
            Rejection::Mismatch(_) => "file.type_mismatch",
            Rejection::DamagedImage => "file.corrupt",
            Rejection::DamagedDocument => "file.damaged",
            Rejection::TooManyPixels => "file.pixels",
            Rejection::Password => "file.password",
            Rejection::Active => "file.active",
            Rejection::Form => "file.form",
            Rejection::Macros => "file.macros",
            Rejection::Linked => "file.linked",
            Rejection::ArchiveTooLarge => "file.archive_too_large",
            Rejection::ArchiveInvalid => "file.archive_invalid",
            Rejection::Malware => "file.malware",
            Rejection::Lost => "file.lost",
        }
    }

    /// Returns the rejection for a stored code, for a file of this type.
    pub fn parse(code: &str, kind: FileType) -> Option<Rejection> {
        Rejection::all(kind).into_iter().find(|rejection| rejection.code() == code)
    }

    /// Returns one plain sentence for the user.
    pub fn sentence(self) -> Sentence {
        match self {
            Rejection::Mismatch(kind) => text!("The file is not a valid {label}.", label = kind.label()),
            Rejection::Empty => text!("The file is empty."),
            Rejection::TooLarge => text!("The file is larger than {megabytes} MB.", megabytes = MAX_MEGABYTES),
            Rejection::MoreThanAnnounced => {
                text!("The upload was larger than announced. Nothing was kept. Start it again.")
            }
            Rejection::Name => text!("The file name is not allowed. Rename it and try again."),
            Rejection::Type => text!("Allowed types: PDF, JPEG, PNG, HEIC, DOCX."),
            Rejection::DamagedImage => text!("The image is damaged."),
            Rejection::DamagedDocument => text!("The document is damaged. Save it again and send that."),
            Rejection::TooManyPixels => text!("The image has too many pixels. Make it smaller and try again."),
            Rejection::Password => text!("The PDF is locked with a password. Save it without one and send that."),
            Rejection::Active => {
                text!("The PDF contains scripts or attached files. Print it to a new PDF and send that.")
            }
            Rejection::Form => text!(
                "The PDF is a fillable form of a kind that we cannot open (XFA). Print it to a new PDF and send that."
            ),
            Rejection::Macros => text!("The document contains macros. Save it as a PDF and send that."),
            Rejection::Linked => text!(
                "The document contains programs, or parts that are loaded from elsewhere. Save it as a PDF and send that."
            ),
            Rejection::ArchiveTooLarge => text!("The document is too large when unpacked."),
            Rejection::ArchiveInvalid => text!("The document's structure is not valid."),
            Rejection::Malware => text!("The file was rejected by the virus scanner."),
            Rejection::Lost => text!("This file was lost on our side. We are sorry. Please send it again."),
        }
    }
}

/// Whether it is the test file for virus scanners: <https://www.eicar.org/download-anti-malware-testfile/>. Assembled
/// here, so that no scanner mistakes this program for it.
pub fn is_test_virus(content: &[u8]) -> bool {
    let parts: [&[u8]; 3] = [br"X5O!P%@AP[4\PZX54(P^)7CC)7}$", b"EICAR-STANDARD-ANTIVIRUS", b"-TEST-FILE!$H+H*"];
    content.len() <= 128 && content.starts_with(&parts.concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_something_to_show_and_says_what_kind_it_is() {
        for (name, kind) in [
            ("Passport.PDF", FileType::Pdf),
            (" Ausweis – Rückseite.jpeg ", FileType::Jpeg),
            ("履歴書.docx", FileType::Docx),
            ("IMG_0001.HEIC", FileType::Heic),
            ("a.b.png", FileType::Png),
        ] {
            let parsed = FileName::parse(name).unwrap();
            assert_eq!((parsed.as_str(), parsed.kind()), (name.trim(), kind));
        }
        for name in ["x.html", "x.php", "x.exe", "x", "pdf", "x.pdf.exe", "x.", "x.pdf."] {
            assert_eq!(FileName::parse(name), Err(Rejection::Type), "{name:?}");
        }
        for name in [
            "",
            " ",
            ".pdf",
            "a\0.pdf",
            "a\r\nSet-Cookie: a.pdf",
            "\"a\".pdf",
            "../a.pdf",
            "a\\b.pdf",
            "C:a.pdf",
            "fdp\u{202e}exe.pdf",
            &format!("{}.pdf", "a".repeat(296)),
        ] {
            assert_eq!(FileName::parse(name), Err(Rejection::Name), "{name:?}");
        }
        assert!(FileName::parse(&format!("{}.pdf", "a".repeat(251))).is_ok());
    }

    #[test]
    fn every_rejection_has_a_code_of_its_own_and_comes_back_from_it() {
        for rejection in Rejection::all(FileType::Heic) {
            assert_eq!(Rejection::parse(rejection.code(), FileType::Heic), Some(rejection));
            assert!(rejection.sentence().to_string().ends_with('.'));
        }
    }

    #[test]
    fn a_kind_is_told_by_its_first_bytes() {
        let heads: [(FileType, &[u8]); 5] = [
            (FileType::Pdf, b"\n%PDF-1.7"),
            (FileType::Jpeg, b"\xff\xd8\xff\xe0"),
            (FileType::Png, b"\x89PNG\r\n\x1a\n"),
            (FileType::Heic, b"\0\0\0\x18ftypheic"),
            (FileType::Docx, b"PK\x03\x04"),
        ];
        for (kind, _) in heads {
            for (other, head) in heads {
                assert_eq!(kind.begins(head), kind == other, "{kind:?} {other:?}");
            }
            assert!(!kind.begins(b""));
        }
        assert!(FileType::Pdf.begins(b"\xef\xbb\xbf\r\n %PDF-1.4"));
        assert!(!FileType::Pdf.begins(b"<script>alert(1)</script>\n%PDF-1.7"));
    }

    #[test]
    fn the_test_virus_is_known_and_nothing_else_is() {
        let virus = [br"X5O!P%@AP[4\PZX54(P^)7CC)7}$".as_slice(), b"EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*"].concat();
        assert_eq!(virus.len(), 68);
        assert!(is_test_virus(&virus));
        assert!(is_test_virus(&[virus.as_slice(), b"\r\n"].concat()));
        assert!(!is_test_virus(&virus[..67]));
        assert!(!is_test_virus(&[virus.as_slice(), &[b'x'; 100]].concat()));
    }
}
