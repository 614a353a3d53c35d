//! The hash chain of the record: the lines about each subject are numbered, and the hash of each covers the hash of the
//! line before it. A line that was changed, removed or inserted is noticed, because nothing after it fits any more.
//!
//! The end of each chain is a row that everyone who adds a line updates first, so that lines added at the same time are
//! chained one after another, in whichever process.

use sha2::{Digest, Sha256};

use super::Db;
use super::in_place::row;
use super::query::{Tx, args};
use crate::{ChainEnd, Stored};
use domain::hex::hex;
use domain::moments::Millis;

/// One line of the append-only record of who did what.
#[derive(Debug, Clone)]
pub struct AuditEntry {
    pub id: String,
    pub at: Millis,
    /// `applicant:ID`, `staff:ID`, `referee:ID`, `provider:ID` or `system`.
    pub actor: String,
    /// What it is about: `application:ID`, `applicant:ID`.
    pub subject: String,
    /// `application.started`, `applicant.registered`…
    pub action: &'static str,
    /// What changed, as JSON. Never a password, a secret or an answer.
    pub detail: serde_json::Value,
}

/// Lines read at a time.
const AT_ONCE: i64 = 1000;

row! {
    /// A line of the record as it is stored.
    #[derive(Debug, Clone)]
    pub(super) struct Line {
        pub id: String,
        pub happened_at: i64,
        pub actor: String,
        pub subject: String,
        pub action: String,
        /// JSON text
        pub detail: String,
    }
}

impl Line {
    /// Returns the SHA-256, hexadecimal, over the hash before it (empty for the first) and everything that the line
    /// says.
    fn hash(&self, before: &str) -> String {
        let Line { id, happened_at, actor, subject, action, detail } = self;
        let content = serde_json::json!([before, id, happened_at, actor, subject, action, detail]).to_string();
        hex(Sha256::digest(content))
    }
}

row! {
    /// A position in a chain, with its line if that still exists.
    #[derive(Debug)]
    struct Link {
        chain_subject: String,
        position: i64,
        hash: String,
        id: Option<String>,
        happened_at: Option<i64>,
        actor: Option<String>,
        subject: Option<String>,
        action: Option<String>,
        detail: Option<String>,
    }
}

impl Link {
    fn line(&self) -> Option<Line> {
        Some(Line {
            id: self.id.clone()?,
            happened_at: self.happened_at?,
            actor: self.actor.clone()?,
            subject: self.subject.clone()?,
            action: self.action.clone()?,
            detail: self.detail.clone()?,
        })
    }
}

/// Where a chain is broken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Broken {
    /// `application:ID`
    pub subject: String,
    /// The line that does not fit, from 1; 0 if the end is missing.
    pub position: i64,
}

/// A chain as far as it was followed.
#[derive(Debug, Default)]
struct Followed {
    subject: String,
    position: i64,
    hash: String,
}

impl Followed {
    fn on(&mut self, link: &Link) -> Result<(), Broken> {
        if self.subject != link.chain_subject {
            *self = Followed { subject: link.chain_subject.clone(), ..Followed::default() };
        }
        let fits = link.position == self.position + 1
            && link.line().is_some_and(|line| line.subject == self.subject && line.hash(&self.hash) == link.hash);
        if !fits {
            return Err(Broken { subject: link.chain_subject.clone(), position: self.position + 1 });
        }
        self.position = link.position;
        self.hash.clone_from(&link.hash);
        Ok(())
    }
}

impl Tx {
    /// Adds a recorded line to the end of the chain of its subject.
    pub(super) async fn chain(&mut self, line: &Line) -> Stored<()> {
        let sql = "INSERT INTO audit_heads (subject, position, hash) VALUES ($1, 1, '') ON CONFLICT (subject) \
                   DO UPDATE SET position = audit_heads.position + 1 RETURNING position, hash";
        let heads: Vec<(i64, String)> = self.fetch_all(sql, args![&line.subject]).await?;
        let (position, before) = heads.into_iter().next().unwrap_or((1, String::new()));
        let hash = line.hash(&before);
        let sql = "INSERT INTO audit_chain (audit_id, subject, position, hash) VALUES ($1, $2, $3, $4)";
        self.execute(sql, args![&line.id, &line.subject, position, &hash]).await?;
        self.execute("UPDATE audit_heads SET hash = $2 WHERE subject = $1", args![&line.subject, &hash]).await?;
        Ok(())
    }
}

impl Db {
    /// Chains up to `limit` lines that were recorded by a version without chains. Returns how many.
    pub(super) async fn chain_unchained(&self, limit: i64) -> Stored<usize> {
        let mut tx = self.begin().await?;
        // One process at a time; SQLite has one writer anyway.
        let lock = self.pick("SELECT 1 WHERE 1 = 0", "LOCK TABLE audit_heads IN SHARE ROW EXCLUSIVE MODE");
        tx.execute(lock, args![]).await?;
        let sql = "SELECT a.id, a.happened_at, a.actor, a.subject, a.action, a.detail FROM audit a \
                   LEFT JOIN audit_chain c ON c.audit_id = a.id WHERE c.audit_id IS NULL \
                   ORDER BY a.happened_at, a.id LIMIT $1";
        let lines: Vec<Line> = tx.fetch_all(sql, args![limit]).await?;
        for line in &lines {
            tx.chain(line).await?;
        }
        tx.commit().await?;
        Ok(lines.len())
    }

    /// Returns the end of each chain.
    pub(super) async fn ends_of_chains(&self) -> Stored<Vec<ChainEnd>> {
        let sql = "SELECT subject, position, hash FROM audit_heads ORDER BY subject";
        let ends: Vec<(String, i64, String)> = self.scan(sql, args![]).await?;
        Ok(ends.into_iter().map(|(subject, position, hash)| ChainEnd { subject, position, hash }).collect())
    }

    /// Returns which of these former ends of chains no longer exist.
    pub async fn lost_ends<'e>(&self, ends: &'e [ChainEnd]) -> Stored<Vec<&'e ChainEnd>> {
        let sql = "SELECT position FROM audit_chain WHERE subject = $1 AND position = $2 AND hash = $3";
        let mut lost = Vec::new();
        for end in ends {
            let found: Vec<(i64,)> = self.scan(sql, args![&end.subject, end.position, &end.hash]).await?;
            if found.is_empty() {
                lost.push(end);
            }
        }
        Ok(lost)
    }

    /// Counts recorded lines that are not in a chain yet.
    pub async fn unchained(&self) -> Stored<i64> {
        let sql = "SELECT COUNT(*) FROM audit a LEFT JOIN audit_chain c ON c.audit_id = a.id WHERE c.audit_id IS NULL";
        let counts: Vec<(i64,)> = self.scan(sql, args![]).await?;
        Ok(counts.first().copied().unwrap_or_default().0)
    }

    /// Follows the chain of one subject, or of all. Returns how many lines are in it, or where it is broken.
    pub async fn check_chain(&self, subject: Option<&str>) -> Stored<Result<usize, Broken>> {
        let sql = "SELECT c.subject AS chain_subject, c.position, c.hash, a.id, a.happened_at, a.actor, a.subject, \
                   a.action, a.detail FROM audit_chain c LEFT JOIN audit a ON a.id = c.audit_id \
                   WHERE (c.subject, c.position) > ($1, $2) AND ($3 IS NULL OR c.subject = $3) \
                   ORDER BY c.subject, c.position LIMIT $4";
        let (mut followed, mut count) = (Followed::default(), 0);
        // For a given subject, begins before its first line.
        followed.subject = subject.unwrap_or_default().to_owned();
        loop {
            let (from, position) = (followed.subject.clone(), followed.position);
            let links: Vec<Link> = self.scan(sql, args![&from, position, subject, AT_ONCE]).await?;
            for link in &links {
                if let Err(broken) = followed.on(link) {
                    return Ok(Err(broken));
                }
            }
            count += links.len();
            if links.is_empty() {
                break;
            }
        }
        let sql = "SELECT h.subject FROM audit_heads h LEFT JOIN audit_chain c \
                   ON c.subject = h.subject AND c.position = h.position AND c.hash = h.hash \
                   WHERE c.audit_id IS NULL AND ($1 IS NULL OR h.subject = $1) ORDER BY h.subject LIMIT 1";
        let ends: Vec<(String,)> = self.scan(sql, args![subject]).await?;
        Ok(match ends.into_iter().next() {
            Some((subject,)) => Err(Broken { subject, position: 0 }),
            None => Ok(count),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(id: &str) -> Line {
        Line {
            id: id.into(),
            happened_at: 7,
            actor: "system".into(),
            subject: "application:1".into(),
            action: "application.started".into(),
            detail: "{}".into(),
        }
    }

    #[test]
    fn a_hash_depends_on_everything_before_and_in_the_line() {
        let hash = line("a").hash("");
        assert_eq!(hash.len(), 64);
        let others = [
            line("b").hash(""),
            line("a").hash("0"),
            Line { happened_at: 8, ..line("a") }.hash(""),
            Line { actor: "staff:1".into(), ..line("a") }.hash(""),
            Line { action: "application.submitted".into(), ..line("a") }.hash(""),
            Line { detail: "{\"a\":1}".into(), ..line("a") }.hash(""),
            // Two lines never say the same because one part ends elsewhere.
            Line { actor: "systema".into(), subject: "pplication:1".into(), ..line("a") }.hash(""),
        ];
        assert!(others.iter().all(|other| *other != hash));
    }
}
