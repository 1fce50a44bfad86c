//! The tables of a study read: names resolved, and what cannot be is a problem.

mod expectation;
mod plot;
pub(crate) mod reference;
mod tune;
