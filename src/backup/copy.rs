//! Copies one database into another, of the same kind or not.

use super::BackupError;
use super::progress::bar;
use store::transfer::{Loading, RowSum, Snapshot, TransferError};

/// What was copied.
pub struct Copied {
    pub tables: usize,
    pub rows: u64,
}

/// Copies all rows of a database that no server uses into an empty one. What is written is read back and compared
/// before anyone can see it. Documents stay where they are.
///
/// # Errors
/// A server uses the source, the target is not empty, or something cannot be read or written. Then the target stays
/// empty.
pub async fn copy(from: &str, to: &str) -> Result<Copied, BackupError> {
    if from == to {
        return Err(BackupError::SameDatabase);
    }
    let mut snapshot = Snapshot::take_alone(from).await?;
    let mut loading = Loading::begin(to, snapshot.schema()).await?;
    let rows = snapshot.count().await?;
    let bar = bar("Rows", rows);
    let tables = loading.tables();
    let known = snapshot.tables();
    if let Some(unknown) = known.iter().find(|table| !tables.contains(table)) {
        return Err(TransferError::UnknownTable(unknown.name.clone()).into());
    }
    for table in &tables {
        let mut load = loading.table(table).await?;
        let (mut read, mut written) = (RowSum::default(), RowSum::default());
        let each = async |rows: Vec<_>| {
            bar.inc(rows.len() as u64);
            read.add_rows(&rows);
            Ok::<_, BackupError>(load.rows(&rows).await?)
        };
        snapshot.rows(table, each).await?;
        load.finish().await?;
        let each = async |rows: Vec<_>| {
            written.add_rows(&rows);
            Ok::<_, BackupError>(())
        };
        loading.rows(table, each).await?;
        if read != written {
            return Err(BackupError::Differs(table.name.clone()));
        }
    }
    loading.finish().await?;
    bar.finish();
    Ok(Copied { tables: tables.len(), rows })
}
