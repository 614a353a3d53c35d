//! Contracts: their states, the templates they are created from, and the text that is signed.
//!
//! A template is restricted markup with merge fields from a closed list ([`Template`]). Filled in, it becomes a
//! [`ContractText`], which screens and PDFs show and whose canonical form is stored, signed and hashed. The history of
//! a contract is a chain of [`Event`]s, each of which identifies the text it refers to.

mod changes;
mod event;
mod fields;
mod filled;
mod markup;
mod record;
mod starter;
mod state;
mod template;
mod texts;

pub use changes::{Change, ChangedLine, changes};
pub use event::{Event, is_unbroken};
pub use fields::{BlockField, Field};
pub use filled::{Filling, LanguageClause, Unfilled, cost_sheet_heading};
pub use markup::{Block, ContractText, LanguageText};
pub use record::{Contract, ContractFile, ListedContract, TemplateDraft, TemplateVersion};
pub use starter::starter;
pub use state::{ContractAct, ContractState, Party, decide};
pub use template::{Fault, MAX_TEMPLATE_LENGTH, Required, Template};
pub use texts::TemplateText;

use sha2::{Digest, Sha256};

use super::hex::hex;

/// Returns the SHA-256 of the bytes, hexadecimal.
pub fn fingerprint(bytes: &[u8]) -> String {
    hex(Sha256::digest(bytes))
}

/// Whether a typed name matches that of the account, ignoring capitals, accents, punctuation and spaces.
pub fn is_same_name(typed: &str, first: &str, last: &str) -> bool {
    let plain = |name: &str| -> String {
        use unicode_normalization::UnicodeNormalization;
        name.nfkd().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    let name = plain(&format!("{first}{last}"));
    !name.is_empty() && plain(typed) == name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_compared_as_people_do() {
        for (typed, first, last, same) in [
            ("Demo Sample", "Demo", "Sample", true),
            ("  demo   SAMPLE ", "Demo", "Sample", true),
            ("Zoe O'Sample-Smith", "Zoë", "O’Sample Smith", true),
            ("Demo J. Sample", "Demo", "Sample", false),
            ("Sample Demo", "Demo", "Sample", false),
            ("Demo", "Demo", "Sample", false),
            ("", "Demo", "Sample", false),
            ("…", "…", "—", false),
            ("Дмитрий Демо", "Дмитрий", "Демо", true),
        ] {
            assert_eq!(is_same_name(typed, first, last), same, "{typed} {first} {last}");
        }
    }
}
