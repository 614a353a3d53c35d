//! Reading tables from files.

use async_trait::async_trait;
use bytes::Bytes;

use domain::import::Table;

/// Why a file has no table to read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TableError {
    /// It is neither CSV nor XLSX.
    Type,
    /// There is nothing below the headings.
    Empty,
    TooManyRows,
    TooManyColumns,
    /// What is wrong with it, in a sentence.
    Broken(String),
}

/// Reads tables, off the threads that serve requests.
#[async_trait]
pub trait ReadTable: Send + Sync {
    /// Reads the table of a CSV file, or of the first sheet of a workbook.
    async fn read(&self, content: Bytes) -> Result<Table, TableError>;
}
