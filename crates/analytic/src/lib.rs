//! stub
pub mod bulk;
pub mod bulk_det;
pub mod markov;
pub mod queueing;
mod error;
mod numeric;
mod stationary;
pub use error::{Range, SolveError};
pub use stationary::Stationary;
