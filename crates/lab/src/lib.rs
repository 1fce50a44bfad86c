//! lab
pub mod delays;
pub mod files;
pub mod folder;
pub mod packets;
pub mod recorded;
pub mod tables;
