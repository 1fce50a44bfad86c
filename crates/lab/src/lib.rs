//! lab
pub mod tables;
