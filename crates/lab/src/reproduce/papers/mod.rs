//! The experiments: one file each, named after the figure.

pub(super) mod edge;
mod grid;
pub(super) mod impact;
mod offered;
pub(super) mod qlbp09;
pub(super) mod qlbp11;
mod served;
pub(super) mod zerobuf;
