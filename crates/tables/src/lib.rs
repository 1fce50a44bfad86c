//! Parquet files with fixed schemas, written a row group at a time.
//!
//! [`TableWriter`] takes the rows of [`pacesim_measure::record`] and keeps one row group in memory,
//! in buffers that it reuses. The file gets its name when it is complete, which [`disk`] and
//! [`partial`] ensure for all files of results. Its footer has the meanings of its columns.
//!
//! This crate knows no simulators and no studies: it turns rows into files.
//!
//! ```
//! use pacesim_tables::TableWriter;
//! use pacesim_measure::record::SeriesRow;
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
mod batch;
mod buffer;
mod chunk;
mod column;
pub mod disk;
mod encode;
mod error;
mod file_writer;
mod groups;
mod groups_read;
mod helper;
mod meaning;
pub mod partial;
pub mod place;
mod reader;
mod rows;
mod strips;
mod texts;
mod writer;

pub use batch::{BatchColumn, BatchField, BatchType, BatchValues};
pub use column::TableColumn;
pub use error::TableError;
pub use file_writer::FileWriter;
pub use groups_read::Values;
pub use meaning::Meaning;
pub use reader::{Cell, Numbers, TableReader};
pub use rows::RowWriter;
pub use strips::Strip;
pub use writer::TableWriter;
