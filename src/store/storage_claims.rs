//! What the database keeps of the storage that goes with it.

use async_trait::async_trait;

use super::Db;
use super::in_place::row;
use super::query::args;
use app::ports::{Millis, StorageClaim, StorageClaims, Stored, SweepFigures, UnnamedObject};

/// Rows that are written at once, so that nobody else waits long.
const BATCH: usize = 200;

row! {
    struct ClaimRow {
        database_id: String,
        stamp: Option<String>,
        former_stamp: Option<String>,
        stopped: Option<String>,
    }
}

row! {
    struct UnnamedRow {
        object: String,
        found_at: i64,
        goes_at: Option<i64>,
        confirmed: i64,
    }
}

#[async_trait]
impl StorageClaims for Db {
    async fn storage_claim(&self) -> Stored<Option<StorageClaim>> {
        let sql = "SELECT database_id, stamp, former_stamp, stopped FROM storage_claim WHERE id = 1";
        let row: Option<ClaimRow> = self.fetch_optional(sql, args![]).await?;
        Ok(row.map(|ClaimRow { database_id, stamp, former_stamp, stopped }| StorageClaim {
            database: database_id,
            stamp,
            former_stamp,
            stopped,
        }))
    }

    async fn identify(&self, database: &str) -> Stored<()> {
        let sql = "INSERT INTO storage_claim (id, database_id, stamped_at) VALUES (1, $1, 0) ON CONFLICT DO NOTHING";
        self.execute(sql, args![database]).await?;
        Ok(())
    }

    async fn restamp(&self, marked: Option<&str>, stamp: &str, now: Millis, before: Millis) -> Stored<bool> {
        let sql = "UPDATE storage_claim SET former_stamp = $1, stamp = $2, stamped_at = $3 WHERE id = 1 \
                   AND stamped_at <= $4 AND (stamp = $1 OR former_stamp = $1 \
                   OR (CAST($1 AS TEXT) IS NULL AND former_stamp IS NULL))";
        Ok(self.execute(sql, args![marked, stamp, now, before]).await? == 1)
    }

    async fn take_storage(&self, database: &str, stamp: &str, now: Millis) -> Stored<()> {
        let mut tx = self.begin().await?;
        tx.execute(
            "INSERT INTO storage_claim (id, database_id, stamp, stamped_at) VALUES (1, $1, $2, $3) \
             ON CONFLICT (id) DO UPDATE SET database_id = $1, stamp = $2, former_stamp = NULL, stamped_at = $3, \
             strange = NULL, stopped = NULL",
            args![database, stamp, now],
        )
        .await?;
        tx.execute("DELETE FROM storage_unnamed WHERE goes_at IS NOT NULL", args![]).await?;
        tx.commit().await
    }

    async fn note_strange(&self, why: Option<&str>) -> Stored<()> {
        self.execute("UPDATE storage_claim SET strange = $1 WHERE id = 1", args![why]).await?;
        Ok(())
    }

    async fn note_stopped(&self, why: Option<&str>) -> Stored<()> {
        self.execute("UPDATE storage_claim SET stopped = $1 WHERE id = 1", args![why]).await?;
        Ok(())
    }

    async fn unnamed_objects(&self) -> Stored<Vec<UnnamedObject>> {
        let sql = "SELECT object, found_at, goes_at, confirmed FROM storage_unnamed ORDER BY object";
        let rows: Vec<UnnamedRow> = self.scan(sql, args![]).await?;
        let unnamed = |UnnamedRow { object, found_at, goes_at, confirmed }: UnnamedRow| UnnamedObject {
            object,
            found_at,
            goes_at,
            confirmed: confirmed != 0,
        };
        Ok(rows.into_iter().map(unnamed).collect())
    }

    async fn note_unnamed(&self, objects: &[UnnamedObject]) -> Stored<()> {
        let sql = "INSERT INTO storage_unnamed (object, found_at, goes_at, confirmed) VALUES ($1, $2, $3, $4) \
                   ON CONFLICT DO NOTHING";
        write(self, sql, objects).await
    }

    async fn settle_unnamed(&self, objects: &[UnnamedObject]) -> Stored<()> {
        let sql = "INSERT INTO storage_unnamed (object, found_at, goes_at, confirmed) VALUES ($1, $2, $3, $4) \
                   ON CONFLICT (object) DO UPDATE SET found_at = $2, goes_at = $3, confirmed = $4";
        write(self, sql, objects).await
    }

    async fn forget_unnamed(&self, objects: &[String]) -> Stored<()> {
        for batch in objects.chunks(BATCH) {
            let mut tx = self.begin().await?;
            for object in batch {
                tx.execute("DELETE FROM storage_unnamed WHERE object = $1", args![object]).await?;
            }
            tx.commit().await?;
        }
        Ok(())
    }

    async fn sweep_figures(&self) -> Stored<SweepFigures> {
        let sql = "SELECT (SELECT COUNT(*) FROM storage_unnamed WHERE goes_at IS NOT NULL), \
                   (SELECT COUNT(*) FROM storage_unnamed WHERE goes_at IS NULL), \
                   (SELECT COUNT(*) FROM storage_claim WHERE strange IS NOT NULL), \
                   (SELECT COUNT(*) FROM storage_claim WHERE stopped IS NOT NULL)";
        let rows: Vec<(i64, i64, i64, i64)> = self.scan(sql, args![]).await?;
        let (waiting, kept, strange, stopped) = rows.first().copied().unwrap_or_default();
        Ok(SweepFigures { waiting, kept, is_strange: strange > 0, is_stopped: stopped > 0 })
    }
}

async fn write(db: &Db, sql: &'static str, objects: &[UnnamedObject]) -> Stored<()> {
    for batch in objects.chunks(BATCH) {
        let mut tx = db.begin().await?;
        for UnnamedObject { object, found_at, goes_at, confirmed } in batch {
            tx.execute(sql, args![object, *found_at, *goes_at, i64::from(*confirmed)]).await?;
        }
        tx.commit().await?;
    }
    Ok(())
}
