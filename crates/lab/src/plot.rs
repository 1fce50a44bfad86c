//! Curves as pictures: SVG, PNG and PDF.
//!
//! A [`Figure`] has panels of lines and points. [`of_table`] makes one from a table of an
//! analytic model: the first column is x, the others are curves, and curves of one
//! unit share a panel. [`Figure::encode`] draws it for a [`Format`], which is found
//! [by a file's name](Format::of).
//!
//! `names.rs` reads units out of column names, `axis.rs` finds ends and ticks, `layout.rs`
//! gives everything its place, `style.rs` a look to each series; `draw.rs` makes of it a
//! list of lines, shapes and texts, which `svg.rs`, `png.rs` and `pdf.rs` write down.
//!
//! ```
//! let solved = pacesim_lab::solve::solve("mm1k", &["places=64".into()])?;
//! let figure = pacesim_lab::plot::of_table(&solved.solution.tables[0]);
//! assert!(figure.svg().starts_with("<svg"));
//! # Ok::<(), pacesim_lab::solve::SolveFault>(())
//! ```

mod axis;
mod chart;
mod draw;
mod drawing;
mod figure;
#[cfg(feature = "pictures")]
mod font;
mod format;
mod layout;
mod names;
#[cfg(feature = "pictures")]
mod page;
mod panels;
#[cfg(feature = "pictures")]
mod pdf;
#[cfg(feature = "pictures")]
mod png;
mod style;
mod svg;
mod text;

pub use chart::of_table;
pub use figure::{Figure, Intervals, Mark, Panel, Point, Series, Side};
pub use format::{Format, FormatError};
#[cfg(feature = "studies")]
pub(crate) use names::scaled_unit;
#[cfg(feature = "pictures")]
pub use page::Page;
#[cfg(feature = "studies")]
pub(crate) use panels::with_unit;
