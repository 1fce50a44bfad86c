//! Curves as pictures: SVG text from the tables of the analytic models.
//!
//! A table's first column is x, the others are curves. Curves of one unit share a
//! panel; `names.rs` reads units out of column names, `axis.rs` finds ends and ticks.
//!
//! ```
//! let solved = pacesim_lab::solve::solve("mm1k", &["places=64".into()])?;
//! let picture = pacesim_lab::plot::svg(&solved.solution.tables[0]);
//! assert!(picture.starts_with("<svg"));
//! # Ok::<(), pacesim_lab::solve::SolveFault>(())
//! ```

mod axis;
mod chart;
mod names;
mod panels;

pub use chart::svg;
