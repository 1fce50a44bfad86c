//! Reading of a study's tables: names are resolved, and unresolved ones are problems.

mod because;
mod bound;
mod drawn;
mod expectation;
mod formula;
pub(crate) mod inferred;
pub(crate) mod kind;
mod left_out;
mod plot;
pub(crate) mod reference;
mod stated;
pub(crate) mod times;
mod tune;
