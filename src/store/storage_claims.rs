//! What the database knows about its storage.

use super::Db;
use super::in_place::row;
use super::query::args;
use crate::Stored;
use domain::moments::Millis;

/// Which database this is, and what its storage's marker says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StorageClaim {
    /// The identity of the database, which never changes.
    pub database: String,
    /// What the marker should say; `None` before there was a storage.
    pub stamp: Option<String>,
    /// What it said before, in case the newest was never written.
    pub former_stamp: Option<String>,
    /// Why the last comparison stopped.
    pub stopped: Option<String>,
}

/// An object that no row names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnnamedObject {
    pub object: String,
    pub found_at: Millis,
    /// When it may be deleted; never without one.
    pub goes_at: Option<Millis>,
    /// Whether somebody, or a row that is gone, decided what happens to it.
    pub confirmed: bool,
}

/// The state of the storage, for the metrics.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SweepFigures {
    /// Objects in quarantine.
    pub waiting: i64,
    /// Objects that are left alone.
    pub kept: i64,
    /// Whether the storage is taken for another database's.
    pub is_strange: bool,
    /// Whether the last comparison stopped.
    pub is_stopped: bool,
}

/// Rows written at a time, so that nobody else waits long.
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

impl Db {
    pub async fn storage_claim(&self) -> Stored<Option<StorageClaim>> {
        let sql = "SELECT database_id, stamp, former_stamp, stopped FROM storage_claim WHERE id = 1";
        let row: Option<ClaimRow> = self.fetch_optional(sql, args![]).await?;
        Ok(row.map(|ClaimRow { database_id, stamp, former_stamp, stopped }| StorageClaim {
            database: database_id,
            stamp,
            former_stamp,
            stopped,
        }))
    }

    /// Gives the database this identity, unless it has one.
    pub async fn identify(&self, database: &str) -> Stored<()> {
        let sql = "INSERT INTO storage_claim (id, database_id, stamped_at) VALUES (1, $1, 0) ON CONFLICT DO NOTHING";
        self.execute(sql, args![database]).await?;
        Ok(())
    }

    /// Notes that `stamp` replaces `marked`, which the marker says now, or no marker. Returns false if it says
    /// something else, or somebody noted another stamp after `before`.
    pub async fn restamp(&self, marked: Option<&str>, stamp: &str, now: Millis, before: Millis) -> Stored<bool> {
        let sql = "UPDATE storage_claim SET former_stamp = $1, stamp = $2, stamped_at = $3 WHERE id = 1 \
                   AND stamped_at <= $4 AND (stamp = $1 OR former_stamp = $1 \
                   OR (CAST($1 AS TEXT) IS NULL AND former_stamp IS NULL))";
        Ok(self.execute(sql, args![marked, stamp, now, before]).await? == 1)
    }

    /// Makes the storage this database's, whatever was before, and empties the quarantine.
    pub async fn take_storage(&self, database: &str, stamp: &str, now: Millis) -> Stored<()> {
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

    /// Notes why the storage is taken for another database's, or that it is not.
    pub async fn note_strange(&self, why: Option<&str>) -> Stored<()> {
        self.execute("UPDATE storage_claim SET strange = $1 WHERE id = 1", args![why]).await?;
        Ok(())
    }

    /// Notes why a comparison stopped, or that it did not.
    pub async fn note_stopped(&self, why: Option<&str>) -> Stored<()> {
        self.execute("UPDATE storage_claim SET stopped = $1 WHERE id = 1", args![why]).await?;
        Ok(())
    }

    /// Returns the unnamed objects, by name.
    pub async fn unnamed_objects(&self) -> Stored<Vec<UnnamedObject>> {
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

    /// Notes objects that have not been noted yet.
    pub async fn note_unnamed(&self, objects: &[UnnamedObject]) -> Stored<()> {
        let sql = "INSERT INTO storage_unnamed (object, found_at, goes_at, confirmed) VALUES ($1, $2, $3, $4) \
                   ON CONFLICT DO NOTHING";
        write(self, sql, objects).await
    }

    /// Notes objects, replacing what was noted of them.
    pub async fn settle_unnamed(&self, objects: &[UnnamedObject]) -> Stored<()> {
        let sql = "INSERT INTO storage_unnamed (object, found_at, goes_at, confirmed) VALUES ($1, $2, $3, $4) \
                   ON CONFLICT (object) DO UPDATE SET found_at = $2, goes_at = $3, confirmed = $4";
        write(self, sql, objects).await
    }

    pub async fn forget_unnamed(&self, objects: &[String]) -> Stored<()> {
        for batch in objects.chunks(BATCH) {
            let mut tx = self.begin().await?;
            for object in batch {
                tx.execute("DELETE FROM storage_unnamed WHERE object = $1", args![object]).await?;
            }
            tx.commit().await?;
        }
        Ok(())
    }

    pub async fn sweep_figures(&self) -> Stored<SweepFigures> {
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
