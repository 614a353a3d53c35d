//! Applications of what may be one person.

use async_trait::async_trait;

use super::Db;
use super::in_place::row;
use super::query::args;
use crate::app::ports::{Alike, AuditEntry, Duplicates, Likeness, Stored, TwinVerdict};

row! {
    struct AlikeRow {
        application_id: String,
        kept_id: Option<String>,
        withdrew: Option<i64>,
        judged_by: Option<String>,
        judged_at: Option<i64>,
    }
}

impl From<AlikeRow> for Alike {
    fn from(row: AlikeRow) -> Alike {
        let AlikeRow { application_id, kept_id, withdrew, judged_by, judged_at } = row;
        let verdict = judged_by.zip(judged_at).map(|(judged_by, judged_at)| TwinVerdict {
            kept_id,
            withdrew: withdrew == Some(1),
            judged_by,
            judged_at,
        });
        Alike { application_id, verdict }
    }
}

/// A pair as it is stored: the smaller id first.
fn in_order([one, other]: [&str; 2]) -> (&str, &str) {
    if one <= other { (one, other) } else { (other, one) }
}

/// Two ways, each by an index of its own: see `JOINS` of the list for what is said about ids.
macro_rules! alike {
    ($collation:literal) => {
        concat!(
            "WITH found AS (SELECT l.application_id, l.submitted_at FROM listings l \
             JOIN applications a ON a.id = l.application_id",
            $collation,
            " JOIN applicants p ON p.id = a.applicant_id \
             WHERE l.name_key = $3 AND p.date_of_birth = $4 AND p.id <> $2 \
             UNION SELECT l.application_id, l.submitted_at FROM applicants p \
             JOIN applications a ON a.applicant_id = p.id JOIN listings l ON l.application_id = a.id \
             WHERE p.phone_number = $5 AND p.date_of_birth = $4 AND p.id <> $2) \
             SELECT f.application_id, d.kept_id, d.withdrew, d.judged_by, d.judged_at FROM found f \
             LEFT JOIN duplicates d ON (d.one_id = $1 AND d.other_id = f.application_id) \
             OR (d.one_id = f.application_id AND d.other_id = $1) \
             ORDER BY f.submitted_at DESC, f.application_id LIMIT $6"
        )
    };
}

#[async_trait]
impl Duplicates for Db {
    async fn alike(
        &self,
        application_id: &str,
        applicant_id: &str,
        like: Likeness<'_>,
        limit: i64,
    ) -> Stored<Vec<Alike>> {
        let sql = self.pick(alike!(""), alike!(" COLLATE \"default\""));
        let born = like.date_of_birth.to_string();
        let args = args![application_id, applicant_id, like.name_key, &born, like.phone_number, limit];
        let rows: Vec<AlikeRow> = self.fetch_all(sql, args).await?;
        Ok(rows.into_iter().map(Alike::from).collect())
    }

    async fn judge(&self, pair: [&str; 2], verdict: &TwinVerdict, audit: &[AuditEntry]) -> Stored<()> {
        let (one, other) = in_order(pair);
        let TwinVerdict { kept_id, withdrew, judged_by, judged_at } = verdict;
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

    async fn forget_verdict(&self, pair: [&str; 2], audit: &[AuditEntry]) -> Stored<bool> {
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
