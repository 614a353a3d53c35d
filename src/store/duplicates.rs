//! Applications that may be by the same person.

use jiff::civil::Date;

use super::Db;
use super::in_place::row;
use super::query::args;
use crate::{AuditEntry, Stored};
use domain::moments::Millis;

/// What applicants are compared by.
#[derive(Debug, Clone, Copy)]
pub struct Likeness<'a> {
    pub date_of_birth: Date,
    /// By [`name_key`](domain::listing::name_key).
    pub name_key: &'a str,
    pub phone_number: &'a str,
}

/// What staff decided about two applications.
#[derive(Debug, Clone)]
pub struct DuplicateVerdict {
    /// The one that goes on; none if they are by two people.
    pub kept_id: Option<String>,
    /// Whether the other one was withdrawn for it.
    pub withdrew: bool,
    pub judged_by: String,
    pub judged_at: Millis,
}

/// A similar application of another account.
#[derive(Debug, Clone)]
pub struct Alike {
    pub application_id: String,
    pub verdict: Option<DuplicateVerdict>,
}

row! {
    struct JudgedRow {
        one_id: String,
        other_id: String,
        kept_id: Option<String>,
        withdrew: i64,
        judged_by: String,
        judged_at: i64,
    }
}

impl From<&JudgedRow> for DuplicateVerdict {
    fn from(row: &JudgedRow) -> DuplicateVerdict {
        DuplicateVerdict {
            kept_id: row.kept_id.clone(),
            withdrew: row.withdrew == 1,
            judged_by: row.judged_by.clone(),
            judged_at: row.judged_at,
        }
    }
}

/// Returns a pair as it is stored: the smaller id first.
fn in_order([one, other]: [&str; 2]) -> (&str, &str) {
    if one <= other { (one, other) } else { (other, one) }
}

/// Two ways, each with its own index. The ids of the list are compared by their bytes, as SQLite does: for an id with a
/// language's collation, PostgreSQL uses the index only if told to use that collation.
macro_rules! alike {
    ($collation:literal) => {
        concat!(
            "SELECT l.application_id, l.submitted_at FROM listings l JOIN applications a ON a.id = l.application_id",
            $collation,
            " JOIN applicants p ON p.id = a.applicant_id \
             WHERE l.name_key = $3 AND l.application_id <> $1 AND p.date_of_birth = $4 AND p.id <> $2 \
             UNION ALL SELECT l.application_id, l.submitted_at FROM applicants p \
             JOIN applications a ON a.applicant_id = p.id JOIN listings l ON l.application_id = a.id \
             WHERE p.phone_number = $5 AND p.date_of_birth = $4 AND p.id <> $2"
        )
    };
}

impl Db {
    /// Returns listed applications of other accounts with the same birth date, and the same name or phone number;
    /// newest submission first.
    pub async fn alike(
        &self,
        application_id: &str,
        applicant_id: &str,
        like: Likeness<'_>,
        limit: i64,
    ) -> Stored<Vec<Alike>> {
        let sql = self.pick(alike!(""), alike!(" COLLATE \"default\""));
        let born = like.date_of_birth.to_string();
        let args = args![application_id, applicant_id, like.name_key, &born, like.phone_number];
        let mut found: Vec<(String, i64)> = self.fetch_all(sql, args).await?;
        if found.is_empty() {
            return Ok(Vec::new());
        }
        found.sort_by(|(one, one_at), (other, other_at)| other_at.cmp(one_at).then_with(|| one.cmp(other)));
        // One may be found both ways.
        found.dedup();
        found.truncate(usize::try_from(limit).unwrap_or_default());
        let sql = "SELECT one_id, other_id, kept_id, withdrew, judged_by, judged_at FROM duplicates \
                   WHERE one_id = $1 OR other_id = $1";
        let judged: Vec<JudgedRow> = self.fetch_all(sql, args![application_id]).await?;
        let verdict =
            |id: &str| judged.iter().find(|row| row.one_id == id || row.other_id == id).map(DuplicateVerdict::from);
        Ok(found.into_iter().map(|(id, _)| Alike { verdict: verdict(&id), application_id: id }).collect())
    }

    /// Stores the verdict on a pair, in place of an earlier one.
    pub async fn judge(&self, pair: [&str; 2], verdict: &DuplicateVerdict, audit: &[AuditEntry]) -> Stored<()> {
        let (one, other) = in_order(pair);
        let DuplicateVerdict { kept_id, withdrew, judged_by, judged_at } = verdict;
        let mut tx = self.begin().await?;
        tx.execute(
            "INSERT INTO duplicates (one_id, other_id, kept_id, withdrew, judged_by, judged_at) \
             VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (one_id, other_id) DO UPDATE SET kept_id = excluded.kept_id, \
             withdrew = excluded.withdrew, judged_by = excluded.judged_by, judged_at = excluded.judged_at",
            args![one, other, kept_id.as_deref(), i64::from(*withdrew), judged_by, *judged_at],
        )
        .await?;
        for entry in audit {
            tx.audit(entry).await?;
        }
        tx.commit().await
    }

    /// Takes back the verdict on a pair. Returns false if there was none.
    pub async fn forget_verdict(&self, pair: [&str; 2], audit: &[AuditEntry]) -> Stored<bool> {
        let (one, other) = in_order(pair);
        let mut tx = self.begin().await?;
        let sql = "DELETE FROM duplicates WHERE one_id = $1 AND other_id = $2";
        if tx.execute(sql, args![one, other]).await? == 0 {
            return Ok(false);
        }
        for entry in audit {
            tx.audit(entry).await?;
        }
        tx.commit().await?;
        Ok(true)
    }
}
