//! The experiments: one file each, named after the figure.

pub(super) mod edge;
mod grid;
pub(super) mod impact;
mod observed;
mod offered;
pub(super) mod qlbp09;
pub(super) mod qlbp11;
mod served;
mod single_flow;
pub(super) mod zerobuf;
