//! Reproducible randomness: the [`Streams`] of a run give each component a [`Stream`] by name, and
//! [`samplers`] turn its bits into quantities.
//!
//! Values are the same on every machine and build: the generators are fixed
//! algorithms, and the samplers do their mathematics with `libm`.

pub mod samplers;
mod streams;
mod unit;

pub use rand_core::Rng;
pub use rand_distr::Distribution;
pub(crate) use streams::mixed;
pub use streams::{Stream, Streams};
pub use unit::{unit_above_zero, unit_below_one};
