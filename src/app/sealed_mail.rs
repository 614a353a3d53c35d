//! Mails with a secret in them, which only the program can read.

use serde::{Deserialize, Serialize};

use crate::ports::Sealing;
use domain::mail::Mail;

/// What a mail with a secret says. It is kept sealed until it was sent or given up, and then no more.
#[derive(Debug, Serialize, Deserialize)]
pub struct SealedMail {
    pub text: String,
    pub html: String,
}

impl SealedMail {
    /// `id` is the mail's.
    pub fn seal(&self, sealing: &dyn Sealing, id: &str) -> String {
        sealing.seal(id, &serde_json::to_string(self).expect("two texts are JSON"))
    }

    /// The mail with its secret, if it has one. `None` when that cannot be read: the program's secret is another one by now.
    pub fn open(mail: Mail, sealing: &dyn Sealing) -> Option<Mail> {
        let Some(sealed) = &mail.sealed else { return Some(mail) };
        let SealedMail { text, html } = serde_json::from_str(&sealing.open(&mail.id, sealed)?).ok()?;
        Some(Mail { text, html, ..mail })
    }
}
