//! The program's secret that the database is used with.

use super::Db;
use super::query::args;
use crate::Stored;
use domain::session::Audience;

/// Something that is useless without the program's secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptWithSecret {
    pub kind: SecretUse,
    /// The id of the row.
    pub id: String,
    pub text: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SecretUse {
    /// The seed of a second factor.
    Code(Audience),
    /// A waiting mail.
    Mail,
    /// The secret that deliveries to an endpoint are signed with.
    Webhook,
    /// The one before it.
    FormerWebhook,
    /// The client secret at an identity provider.
    IdentityProvider,
    /// The secret in a referee's link.
    Referee,
}

/// Returns the statements that list the rows of a use, and that change one: the id, the old text and the new one.
const fn statements(kind: SecretUse) -> (&'static str, &'static str) {
    match kind {
        SecretUse::Code(Audience::Admin) => (
            "SELECT id, code_seed FROM staff WHERE code_seed IS NOT NULL",
            "UPDATE staff SET code_seed = $3 WHERE id = $1 AND code_seed = $2",
        ),
        SecretUse::Code(Audience::Applicant) => (
            "SELECT id, code_seed FROM applicants WHERE code_seed IS NOT NULL",
            "UPDATE applicants SET code_seed = $3 WHERE id = $1 AND code_seed = $2",
        ),
        SecretUse::Mail => (
            "SELECT id, sealed FROM outbox WHERE sealed IS NOT NULL",
            "UPDATE outbox SET sealed = $3 WHERE id = $1 AND sealed = $2",
        ),
        SecretUse::Webhook => (
            "SELECT id, secret FROM webhook_endpoints",
            "UPDATE webhook_endpoints SET secret = $3 WHERE id = $1 AND secret = $2",
        ),
        SecretUse::FormerWebhook => (
            "SELECT id, former_secret FROM webhook_endpoints WHERE former_secret IS NOT NULL",
            "UPDATE webhook_endpoints SET former_secret = $3 WHERE id = $1 AND former_secret = $2",
        ),
        SecretUse::IdentityProvider => (
            "SELECT id, client_secret FROM identity_providers",
            "UPDATE identity_providers SET client_secret = $3 WHERE id = $1 AND client_secret = $2",
        ),
        SecretUse::Referee => (
            "SELECT id, link FROM referees WHERE link IS NOT NULL",
            "UPDATE referees SET link = $3 WHERE id = $1 AND link = $2",
        ),
    }
}

/// The secret that the database is used with, and what a change of it affects.
impl Db {
    /// Returns the fingerprint of the secret that everything here is kept with; `None` before a server has run.
    pub async fn secret_in_use(&self) -> Stored<Option<String>> {
        let sql = "SELECT fingerprint FROM program_secret WHERE id = 1";
        let known: Option<(String,)> = self.fetch_optional(sql, args![]).await?;
        Ok(known.map(|(fingerprint,)| fingerprint))
    }

    /// Notes the secret, if none was noted before.
    pub async fn note_secret(&self, fingerprint: &str) -> Stored<()> {
        let sql = "INSERT INTO program_secret (id, fingerprint) VALUES (1, $1) ON CONFLICT DO NOTHING";
        self.execute(sql, args![fingerprint]).await.map(drop)
    }

    pub async fn kept_with_secret(&self) -> Stored<Vec<KeptWithSecret>> {
        let mut kept = Vec::new();
        let uses = [
            SecretUse::Code(Audience::Admin),
            SecretUse::Code(Audience::Applicant),
            SecretUse::Mail,
            SecretUse::Webhook,
            SecretUse::FormerWebhook,
            SecretUse::IdentityProvider,
            SecretUse::Referee,
        ];
        for kind in uses {
            let rows: Vec<(String, String)> = self.fetch_all(statements(kind).0, args![]).await?;
            kept.extend(rows.into_iter().map(|(id, text)| KeptWithSecret { kind, id, text }));
        }
        Ok(kept)
    }

    /// Replaces each text with its new one, and notes the secret that they are sealed with. Returns false if another
    /// process has changed the secret from `from` meanwhile.
    pub async fn change_secret(&self, from: &str, to: &str, resealed: &[(KeptWithSecret, String)]) -> Stored<bool> {
        let mut tx = self.begin().await?;
        let sql = "UPDATE program_secret SET fingerprint = $2 WHERE id = 1 AND fingerprint = $1";
        if tx.execute(sql, args![from, to]).await? == 0 {
            return Ok(false);
        }
        for (KeptWithSecret { kind, id, text }, new) in resealed {
            tx.execute(statements(*kind).1, args![id, text, new]).await?;
        }
        tx.commit().await?;
        Ok(true)
    }
}
