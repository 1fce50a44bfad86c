//! Studies on many machines: an [`engine`] starts the shards of a [`campaign`], and
//! [`merge`](merge::merge) merges their stores and writes the tables.

pub mod campaign;
pub mod engine;
pub mod merge;
