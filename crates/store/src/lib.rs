//! The store of a study: its runs in one crash-safe file, each under the key of its scenario.
//!
//! A [`SweepPlan`](plan::SweepPlan) lists the runs of a study; a [`Shard`](shard::Shard) is a part of them,
//! in a separate store; an [`Identity`](identity::Identity) is shared by all stores of a study.

pub mod database;
pub mod identity;
pub mod key;
pub mod keys;
pub mod plan;
pub mod repetition;
pub mod shard;
pub mod sweep;
