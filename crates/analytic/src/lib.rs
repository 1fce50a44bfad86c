//! stub
pub mod bulk;
mod error;
mod numeric;
mod stationary;
pub use error::{Range, SolveError};
pub use stationary::Stationary;
