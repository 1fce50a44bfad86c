//! Studies, which are scenarios with axes and numbered points.
//!
//! A study is a scenario file with tables of its own beside the scenario's keys, or on top of
//! another file that it names. [`StudyText::parse`] reads it, [`StudyText::check`] reports **all**
//! mistakes at once or makes the [`Study`]: its axes, and a grid whose points are numbered once and
//! for all, so that any machine may run any part of them. [`Study::scenario`] is the checked
//! scenario of one point.
//!
//! A plain scenario is a study of one point.
//!
//! ```
//! use std::sync::Arc;
//! let text = br#"
//!     run = { duration = "10s" }
//!     topology = { shape = "tandem", hops = 1, link = { rate = "10Mbps" } }
//!     flow = [{ name = "f", from = "node[0]", to = "node[1]",
//!               traffic = { kind = "poisson", rate = "8Mbps", size = "1KB" } }]
//!     [[sweep.axis]]
//!     name = "buffer"
//!     key = "topology.link.buffer"
//!     values = ["5pkts", "20pkts"]
//! "#;
//! let study = pacesim_study::StudyText::parse("mm1.toml", "mm1", text, Arc::new(())).check()?;
//! let points: Vec<u64> = study.points().collect();
//! assert_eq!(points, [0, 1]);
//! assert_eq!(study.point(1).unwrap().values[0].number, Some(20.0));
//! let model = study.scenario(1)?.expand(1, 0);
//! # let _ = model;
//! # Ok::<(), pacesim_language::problem::Problems>(())
//! ```
//!
//! `keys.rs` declares the tables; `axis.rs` reads their values, `range.rs` those of ranges and
//! `number.rs` their numbers; `grid.rs` counts the points; `across.rs` is the x axis of a figure;
//! `gauge.rs` reads amounts with units, and `theory.rs` relates those of models to those drawn;
//! `base.rs` merges two files; `text.rs` checks, `origin.rs` keeps the input, `study.rs` is the
//! result.

mod across;
mod axis;
mod band;
mod base;
mod chosen;
mod claimed_number;
mod describe;
mod expectation;
mod formula;
mod gauge;
mod grid;
mod inferred;
mod keys;
mod labels;
pub mod measure;
mod model;
mod name;
mod named;
mod number;
mod once;
mod origin;
pub mod places;
mod plot;
mod quantities;
mod range;
mod reading;
mod reference;
mod resolved;
pub mod search;
mod selection;
mod statistics;
mod strays;
mod study;
mod text;
mod theory;
mod tune;
mod variant;

pub use across::Across;
pub use axis::{Axis, AxisValue};
pub use describe::{examples, reference, schema, templates};
pub use pacesim_language::expression::{Shown, Unit};

pub use expectation::{
    Against, AlongLine, Because, Claimed, Expectation, InsteadOf, ModelReason, OfLine, Paper,
};
pub use formula::{Formula, value_in};
pub use inferred::Inferred;
pub use keys::{
    Band, Bound as BoundKind, Boxed, ClaimKind, Course, Direction, LegendWord, ModelKeys, Over,
    PlotKeys, PrintedKeys, Shape, SheetKeys, SheetStyle, Slope, TheoryKeys,
};
pub use model::Model;
pub use name::NumberName;
pub use named::named;
pub use number::number;
pub use origin::Origin;
pub use origin::SharedFiles;
pub use plot::Plot;
pub use reference::{Reference, ReferenceRow, Within};
pub use resolved::equation;
pub use selection::Selection;
pub use statistics::precision;
pub use strays::Strays;
pub use study::{Point, Study};
pub use text::{LANGUAGE, StudyText, Understood};
pub use theory::as_parameter;
pub use tune::{Bound, Goal, Limit, Sense, StatedBound, Tune};
