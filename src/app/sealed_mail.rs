//! Mails with a secret, which only the program can read.

use serde::{Deserialize, Serialize};

use crate::ports::Sealing;
use domain::mail::Mail;

/// The content of a mail with a secret. Stored sealed until the mail is sent or given up, then deleted.
#[derive(Debug, Serialize, Deserialize)]
pub struct SealedMail {
    pub text: String,
    pub html: String,
}

impl SealedMail {
    /// `id` is the id of the mail.
    pub fn seal(&self, sealing: &dyn Sealing, id: &str) -> String {
        sealing.seal(id, &serde_json::to_string(self).expect("two texts are JSON"))
    }

    /// The mail with its secret, if it has one. `None` if that cannot be read, since the program's secret has changed.
    pub fn open(mail: Mail, sealing: &dyn Sealing) -> Option<Mail> {
        let Some(sealed) = &mail.sealed else { return Some(mail) };
        let SealedMail { text, html } = serde_json::from_str(&sealing.open(&mail.id, sealed)?).ok()?;
        Some(Mail { text, html, ..mail })
    }
}
