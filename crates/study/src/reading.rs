//! Reading of a study's tables: names are resolved, and unresolved ones are problems.

mod bound;
mod drawn;
mod expectation;
mod formula;
mod left_out;
mod plot;
pub(crate) mod reference;
mod stated;
pub(crate) mod times;
mod tune;
