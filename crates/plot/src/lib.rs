//! Curves as pictures: SVG, PNG, PDF and TikZ.
//!
//! A [`Figure`] has panels of lines and points. [`Figure::encode`] draws it in a [`Format`], which
//! follows [from a file's name](Format::of). A `Page` (feature `pictures`) takes charts drawn by
//! the plotters crate.
//!
//! `axis.rs` determines ends and ticks, `layout.rs` the place of every part on a `Sheet`, `legend.rs` that of legends, `style.rs` the look of
//! each series; `draw.rs` turns it into a list of lines, shapes and text, which `svg.rs`, `png.rs`
//! and `pdf.rs` write; `tex.rs` lets pgfplots draw it, and `values.rs` writes its numbers. [`names`] reads units from column names.
//!
//! This crate knows no simulator: it takes plain numbers.
//!
//! ```
//! use pacesim_plot::{Figure, Panel};
//!
//! let curve = (0..=100).map(|i| f64::from(i) / 100.0).map(|x| (x, x * x));
//! let panel = Panel::new("load", "loss").line("squared", curve);
//! let figure = Figure::new("Loss against load").panel(panel);
//! assert!(figure.svg().starts_with("<svg"));
//! ```

mod arrows;
mod axis;
mod boxes;
mod covered;
mod dodge;
mod draw;
mod drawing;
mod figure;
#[cfg(feature = "pictures")]
mod font;
mod format;
mod frame;
mod layout;
mod legend;
pub mod names;
#[cfg(feature = "pictures")]
mod page;
#[cfg(feature = "pictures")]
mod pdf;
#[cfg(feature = "pictures")]
mod png;
mod sheet;
mod sizes;
mod style;
mod svg;
mod tex;
mod tex_text;
mod text;
#[cfg(feature = "pictures")]
mod tikz;
mod values;

pub use figure::{BoxPoint, DataPoint, Figure, Intervals, Mark, Panel, Series, Side, Sign};
pub use format::{Format, FormatError};
#[cfg(feature = "pictures")]
pub use page::Page;
pub use sheet::{LegendPlace, Sheet};
