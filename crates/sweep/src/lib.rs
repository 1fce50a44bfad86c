//! Studies: a grid of scenarios, run in parallel, with all runs in one crash-safe store.
//!
//! 1. Every point of the grid is checked, and gets the key of its scenario.
//! 2. Several threads make the runs that are missing in the study's store, and one thread stores
//!    them, a group per transaction.
//! 3. The tables are written afresh from the store.
//!
//! Repeating a sweep makes only the missing runs: after a kill, an edit, more replications or a new
//! value. The tables follow from study, seed and replications alone, to the byte.
//!
//! A [`Shard`](pacesim_store::shard::Shard) is a part of a study's runs, in a store of its own ([`part`]).

mod columns;
mod compared;
mod courses;
mod curves;
pub mod division;
pub mod draw;
mod edits;
pub mod error;
pub mod execute;
pub mod figures;
pub mod forecast;
mod found;
mod gallery;
mod gathered;
pub mod idle;
pub mod input;
pub mod kept;
pub mod kept_run;
mod known;
pub mod make;
pub mod means;
mod measured_table;
mod names;
pub mod numbers;
pub mod outline;
pub mod part;
mod places;
pub mod planning;
mod points;
pub mod recordings;
pub mod refuse;
mod sameness;
mod samples;
pub mod stopping;
mod tabulate;
mod trial;
pub mod tune;
pub mod warmup;
mod warnings;
pub mod written;
