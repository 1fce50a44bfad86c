//! Runs of pacesim scenarios: from a file's name to a summary and a folder of results.
//!
//! 1. [`input`] reads a scenario, makes changes, and checks it;
//! 2. [`run`](run()) builds its world and runs it, watched by a [`Supervisor`];
//! 3. the [`summary::Summary`] says what came of it; a results folder, if wanted, has
//!    every counter as [Parquet](tables).
//!
//! [`replicate`] does so for several replications and gives means with confidence; a
//! [`study`] does so for every point of a grid, and keeps the runs in a store. Its
//! [`claims`] are judged, as are those of every experiment; [`findings`] keeps them.
//!
//! This crate reads no clock and knows no terminal: its [`Supervisor`] does, and its
//! [`Overseer`] for many runs at once.
//!
//! ```
//! use std::time::Duration;
//! use pacesim_lab::{Plan, Supervisor, input, run};
//!
//! struct Patient;
//! impl Supervisor for Patient {
//!     fn elapsed(&self) -> Duration {
//!         Duration::from_secs(1)
//!     }
//! }
//!
//! let text = r#"
//!     title = "One queue"
//!     run = { duration = "10s" }
//!     node = [{ name = "a" }, { name = "b" }]
//!     [[link]]
//!     name = "core"
//!     from = "a"
//!     to = "b"
//!     rate = "10Mbps"
//!     buffer = "10pkts"
//!     [[flow]]
//!     name = "poisson"
//!     from = "a"
//!     to = "b"
//!     traffic = { kind = "poisson", rate = "8Mbps", size = "1KB" }
//! "#;
//! let scenario = input::from_stream(text.as_bytes(), &[]).expect("a good scenario");
//! let summary = run(&scenario, 0, &Plan::default(), &mut Patient)?;
//! assert_eq!(summary.links[0].link, "core");
//! assert!(summary.links[0].utilisation > 0.7);
//! # Ok::<(), pacesim_lab::RunError>(())
//! ```

mod block_sizes;
pub mod claims;
pub mod compare;
mod copies;
mod crew;
mod drive;
pub mod files;
pub mod findings;
mod folder;
mod footprint;
pub mod input;
mod limits;
mod manifest;
pub mod packets;
mod points;
mod pool;
mod rare;
pub mod recorded;
mod replicate;
mod results;
mod run;
mod sampler;
mod series;
pub mod solve;
mod spill;
pub mod study;
pub mod summary;
pub mod verify;
mod windows;

pub use block_sizes::expand;
pub use crew::{CrewProgress, Overseer, StepProgress};
pub use folder::{FolderError, KeptFile, digest_of_words, incomplete, replaced};
pub use footprint::{PACKET_BYTES, footprint_bytes};
pub use limits::{Exhausted, RunLimits};
pub use manifest::{Digest, Host, Manifest, SCHEMA_VERSION, TableSize};
pub use pacesim::delays;
pub use pacesim::scenario::{Problem, Template};
pub use pacesim::units::{Bytes, Span, Time};
pub use pacesim_plot as plot;
pub use pacesim_study::schema;
pub use pacesim_study::templates;
pub use pacesim_tables as tables;
pub use pacesim_tables::partial::write_complete;
pub use replicate::{Mean, Replications, replicate};
pub use run::{Plan, Progress, RunError, Supervisor, run};

/// The version of pacesim.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
