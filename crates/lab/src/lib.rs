//! lab
pub mod files;
pub mod recorded;
pub mod tables;
