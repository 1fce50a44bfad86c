//! Parquet files with fixed schemas, written a row group at a time.
//!
//! A table is a list of [`Column`]s; [`TableWriter`] takes rows of [`Cell`]s and
//! keeps one row group in memory, in buffers that it uses again. The file gets
//! its name when it is complete.
//!
//! ```
//! use pacesim_lab::tables::{Cell, Column, Kind, TableWriter};
//!
//! const COLUMNS: &[Column] = &[
//!     Column::new("t_ps", Kind::Time, "when, in picoseconds"),
//!     Column::new("link", Kind::Text, "the link's name"),
//!     Column::nullable("delay_ms", Kind::Real, "the mean delay; null without packets"),
//! ];
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("samples.parquet");
//! let mut table = TableWriter::create(&path, COLUMNS, &[("seed", "1".into())])?;
//! table.push(&[Cell::Time(20), Cell::Text("core"), Cell::Null])?;
//! assert_eq!(table.finish()?, 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod buffer;
mod column;
mod reader;
mod writer;

pub use column::{Cell, Column, Kind};
pub use reader::{Numbers, TableReader};
pub use writer::{TableError, TableWriter};
