//! Curves as pictures: SVG text.
//!
//! A [`Figure`] has panels of lines and points. [`svg`] makes one from a table of an
//! analytic model: the first column is x, the others are curves, and curves of one
//! unit share a panel. `names.rs` reads units out of column names, `axis.rs` finds
//! ends and ticks.
//!
//! ```
//! let solved = pacesim_lab::solve::solve("mm1k", &["places=64".into()])?;
//! let picture = pacesim_lab::plot::svg(&solved.solution.tables[0]);
//! assert!(picture.starts_with("<svg"));
//! # Ok::<(), pacesim_lab::solve::SolveFault>(())
//! ```

mod axis;
mod chart;
mod draw;
mod figure;
mod names;
mod panels;

pub use chart::svg;
pub use figure::{Figure, Mark, Panel, Point, Series, Side};
