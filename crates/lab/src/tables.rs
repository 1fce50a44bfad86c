//! Parquet files with fixed schemas, written a row group at a time.
//!
//! [`TableWriter`] takes the rows of [`pacesim::measure::record`] and keeps one row
//! group in memory, in buffers that it uses again. The file gets its name when it is
//! complete, and its columns' meanings are in its footer.
//!
//! ```
//! use pacesim_lab::tables::TableWriter;
//! use pacesim::measure::record::SeriesRow;
//!
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("series.parquet");
//! let mut table = TableWriter::create(&path, &[("seed", "1".into())])?;
//! let (entity, metric) = ("core".into(), "queue_pkts");
//! table.push(SeriesRow { t_ps: 20, of: "link", entity, metric, value: 3.0 })?;
//! assert_eq!(table.finish()?, 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod arrow;
mod buffer;
mod chunk;
mod column;
mod encode;
mod groups;
mod helper;
mod meaning;
mod reader;
mod rows;
mod texts;
mod writer;

#[cfg(feature = "studies")]
pub(crate) use column::TableColumn;
pub use meaning::Meaning;
pub use reader::{Cell, Numbers, TableReader};
#[cfg(feature = "studies")]
pub(crate) use rows::RowWriter;
pub use writer::{TableError, TableWriter};
