//! Runs of pacesim scenarios: from a file's name to a summary and a folder of results.
//!
//! 1. [`input`] reads a scenario, applies changes, and checks it;
//! 2. [`run`](run()) builds its world and runs it, watched by a [`RunMonitor`];
//! 3. the [`summary::Summary`] has the headline numbers; an optional results folder has every
//!    counter as [Parquet](tables).
//!
//! [`replicate`] does this for several replications and yields means with confidence intervals; a
//! [`study`] does it for every point of a grid, and keeps the runs in a store. Its [`claims`] are
//! judged, as for every experiment; [`findings`] keeps them.
//!
//! This crate reads no clock and uses no terminal. Its monitors do: a [`RunMonitor`] for one run, a
//! [`BatchMonitor`] for many at once.
//!
//! ```
//! use pacesim_lab::{Plan, Unwatched, input, run};
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
//! let summary = run(&scenario, 0, &Plan::default(), &mut Unwatched)?;
//! assert_eq!(summary.links[0].link, "core");
//! assert!(summary.links[0].utilisation > 0.7);
//! # Ok::<(), pacesim_lab::RunError>(())
//! ```

pub use pacesim::delays;
pub use pacesim::model::Model;
pub use pacesim::scenario::{Checked, Problem, Template, reference};
pub use pacesim::units::{Bytes, Span, Time};
pub use pacesim::{Cut, Schedule, Uncut};
pub use pacesim_audit::compare;
pub use pacesim_claims::{claims, findings, statements};
pub use pacesim_plot as plot;
pub use pacesim_runs::block_sizes::expand;
pub use pacesim_runs::copies::digest as scenario_digest;
pub use pacesim_runs::error::RunError;
pub use pacesim_runs::folder::{CheckedFolder, FolderError, KeptFile, OpenError, digest_of_words};
pub use pacesim_runs::folder::{incomplete, replaced};
pub use pacesim_runs::footprint::{PACKET_BYTES, footprint_bytes};
pub use pacesim_runs::limits::{Exhausted, RunLimits};
pub use pacesim_runs::lived::{self, LiveOrder, Lived};
pub use pacesim_runs::manifest::{Digest, Host, Manifest, SCHEMA_VERSION, TableSize};
pub use pacesim_runs::plan::{Equip, Plan};
pub use pacesim_runs::reality::Recordings;
pub use pacesim_runs::replicate::{Mean, Replications, replicate};
pub use pacesim_runs::run::{run, run_and_measure};
pub use pacesim_runs::run_monitor::{Progress, RunMonitor, Unwatched};
pub use pacesim_runs::workers::{BatchMonitor, BatchProgress, StepProgress};
pub use pacesim_runs::{
    VERSION, files, marks, metrics, packets, picture, recorded, solve, summary,
};
pub use pacesim_study::{schema, templates};
pub use pacesim_sweep::input;
pub use pacesim_tables as tables;
pub use pacesim_tables::partial::write_complete;

/// Studies: a grid of scenarios, with its runs in a store and its shards on many machines.
pub mod study {
    pub use pacesim_campaign::merge::{Gaps, Merge, MergeError, Merged, merge};
    pub use pacesim_campaign::{campaign, engine};
    pub use pacesim_claims::judge::{Unknown, again as judge_again};
    pub use pacesim_claims::spread::Spread;
    pub use pacesim_store::database::{Damage, DamagedRun, StoreError};
    pub use pacesim_store::identity::{Identity, Options};
    pub use pacesim_store::key::{RESULTS_VERSION, declared_metrics};
    pub use pacesim_store::plan::FoundWarmup;
    pub use pacesim_store::shard::Shard;
    pub use pacesim_store::sweep::{LEAST_SCALE, MOST_SCALE, Sweep};
    pub use pacesim_study::measure::built_in as built_in_measures;
    pub use pacesim_study::{NumberName, Study, precision};
    pub use pacesim_sweep::draw::draw;
    pub use pacesim_sweep::error::SweepError;
    pub use pacesim_sweep::figures::FOLDER as FIGURES;
    pub use pacesim_sweep::forecast::{Forecast, ForecastPoint, forecast};
    pub use pacesim_sweep::kept::Kept;
    pub use pacesim_sweep::make::sweep;
    pub use pacesim_sweep::means::{Means, PointMeans};
    pub use pacesim_sweep::numbers::{Listed, numbers};
    pub use pacesim_sweep::outline::{
        EndedEarly, MainMean, Outline, OutlineAxis, OutlinePoint, OutlineValue, Warned,
    };
    pub use pacesim_sweep::part::{PartSwept, expect_plan, sweep_part};
    pub use pacesim_sweep::recordings::FOLDER as RECORDINGS;
    pub use pacesim_sweep::tune::forecast::{SearchForecast, forecast as forecast_searches};
    pub use pacesim_sweep::tune::{
        Broken, NotMonotone, SearchEnd, Tuned, TunedBound, TunedCase, TunedTry, tune, tune_as_far,
    };
    pub use pacesim_sweep::warmup::find_warmup;
}

/// Numbers that hang on phases: runs as written beside others with moved round trips.
pub mod phases {
    pub use pacesim_runs::moved::{Moved, MovedNumber, Range, moved};
}

/// Parts that a program adds to scenario files and studies.
pub mod parts {
    pub use pacesim::scenario::{built_in_parts, install};
    pub use pacesim_parts::{Kind, PartKeys, Parts, Unusable, Wrong, files_of_studies, installed};
}

/// Results compared with their digests, and with repeated runs.
pub mod verify {
    pub use pacesim_audit::verified::{Again, Verified, VerifyError};
    pub use pacesim_audit::verify::verify;
}

/// Recordings exported, explained, compared event by event, and shown.
pub mod seeing {
    pub use pacesim_report::{Recording, Table, TraceError, diff, explain, export, html};
}
