//! Reading of a study's tables: names are resolved, and unresolved ones are problems.

mod expectation;
mod plot;
pub(crate) mod reference;
mod tune;
