//! The arguments of `run`, `check` and `phases`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;

use super::values::{jobs, replications, seed, threads};
use super::{EXAMPLES_FIRST, LimitArgs};

/// The scenario, and changes to it.
#[derive(Debug, Args)]
pub(crate) struct ScenarioArgs {
    /// Scenario, a TOML file; `-` reads it from standard input.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// Change a value of the scenario; may be repeated.
    #[arg(long = "set", value_name = "KEY.PATH=VALUE")]
    pub(crate) sets: Vec<String>,
}

impl ScenarioArgs {
    /// The same scenario with one more change.
    pub(crate) fn with(&self, set: &str) -> ScenarioArgs {
        ScenarioArgs {
            file: self.file.clone(),
            sets: [&self.sets[..], &[set.to_owned()]].concat(),
        }
    }
}

#[derive(Debug, Args)]
#[command(help_template = EXAMPLES_FIRST, after_help = "\
Examples:
  pacesim run scenarios/dumbbell.toml
  pacesim run my.toml --set run.duration=10s --set run.warmup=2s
  pacesim run my.toml --seed 7 --out results/seed7
  pacesim run my.toml --replications 10              means with 95 % confidence
  pacesim run study.toml --point 3 --replication 1   repeat one run of a study
  pacesim run my.toml --json | jq .links
  pacesim run my.toml --twice both                   the first difference
  pacesim run my.toml --statement                    a paragraph for a paper
  pacesim new dumbbell | pacesim run -

Tables go to standard output, progress and messages to standard error. The results folder has \
summary.json, manifest.json, the resolved scenario.toml with its files, and Parquet files of flows, \
links, transfers and series (and packets, if the scenario asks for them), which open in DuckDB, \
Polars, pandas and R. The speed is per second of real time, without the time to write files.")]
#[command(group = clap::ArgGroup::new("folder").args(["out", "twice"]))]
pub(crate) struct RunArgs {
    #[command(flatten)]
    pub(crate) scenario: ScenarioArgs,

    /// Random seed; overrides the scenario's.
    #[arg(long, value_name = "N", value_parser = seed, allow_negative_numbers = true)]
    pub(crate) seed: Option<u64>,

    /// Run N independent replications and print 95 % confidence intervals; Ctrl-C keeps finished
    /// ones.
    #[arg(long, value_name = "N", value_parser = replications, allow_negative_numbers = true)]
    pub(crate) replications: Option<u64>,

    /// Number of a study's point; see `sweep --dry-run`.
    #[arg(long, value_name = "N")]
    pub(crate) point: Option<u64>,

    /// Number of the replication, from 0: the same run as in a study or with --replications.
    #[arg(long, value_name = "N", conflicts_with = "replications")]
    pub(crate) replication: Option<u64>,

    /// Number of concurrent runs; default: all cores.
    #[arg(long, value_name = "N", value_parser = jobs, allow_negative_numbers = true, requires = "replications")]
    pub(crate) jobs: Option<NonZeroUsize>,

    /// Number of threads among which the run may be divided; the results are the same for any.
    #[arg(long, value_name = "N", value_parser = threads, allow_negative_numbers = true, conflicts_with = "replications")]
    pub(crate) threads: Option<u32>,

    /// Count the work of threads between two waits, and print the speed that as many cores would give.
    #[arg(long, requires = "threads")]
    pub(crate) count_rounds: bool,

    #[command(flatten)]
    pub(crate) limits: LimitArgs,

    /// Write a results folder, which gets this name only once it is complete.
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,

    /// Replace DIR if it holds nothing but unchanged results of pacesim.
    #[arg(long, requires = "folder")]
    pub(crate) force: bool,

    /// Run twice, the second time in another process, into DIR/first and DIR/second, with all packets
    /// recorded, and tell the first event that only one run has, as a part of your own may bring about
    /// that reads a clock; exit with 1 if there is one.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["replications", "statement"])]
    pub(crate) twice: Option<PathBuf>,

    /// Print one JSON document instead of tables.
    #[arg(long)]
    pub(crate) json: bool,

    /// Print one paragraph for a paper instead of tables: version, scenario, digest, seed, command
    /// and fingerprint.
    #[arg(long, conflicts_with = "json")]
    pub(crate) statement: bool,

    /// Print only results and errors.
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

#[derive(Debug, Args)]
#[command(help_template = EXAMPLES_FIRST, after_help = "\
Examples:
  pacesim check my.toml
  pacesim check my.toml --set run.seed=7
  pacesim check study.toml   every point of a study
  pacesim check my.toml --json | jq -r '.problems[].message'
  pacesim check my.toml --threads 2   the division of a run among threads

Warnings point out legal settings that are probably mistakes; they go to standard error. Exits with 0 \
if there are no mistakes, even with warnings, and otherwise with 2.")]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    pub(crate) scenario: ScenarioArgs,

    /// Also print how a run would be divided among N threads, or the reason why not.
    #[arg(long, value_name = "N", value_parser = threads, allow_negative_numbers = true, conflicts_with = "json")]
    pub(crate) threads: Option<u32>,

    /// Print problems and warnings as one JSON document.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
#[command(help_template = EXAMPLES_FIRST, after_help = "\
Examples:
  pacesim phases my.toml
  pacesim phases my.toml --runs 40
  pacesim phases study.toml --point 3
  pacesim phases my.toml --json | jq '.numbers[] | select(.hangs)'

Packets that keep step with a port lose, or win, every time: such a number hangs on parts of a \
packet's time that no paper states (docs/models/phases.md). Runs as written are compared with as many \
whose links at the ends of the network have delays drawn around those written, up to half a packet's \
time to each side. A number is marked by ! if its mean or its spread differs more than in all but 1 % \
of random divisions of the runs, all numbers together.")]
pub(crate) struct PhasesArgs {
    #[command(flatten)]
    pub(crate) scenario: ScenarioArgs,

    /// Number of runs as written, and of moved ones.
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = clap::value_parser!(u64).range(6..=1000))]
    pub(crate) runs: u64,

    /// Random seed; overrides the scenario's.
    #[arg(long, value_name = "N", value_parser = seed, allow_negative_numbers = true)]
    pub(crate) seed: Option<u64>,

    /// Number of a study's point; see `sweep --dry-run`.
    #[arg(long, value_name = "N")]
    pub(crate) point: Option<u64>,

    /// Number of concurrent runs; default: all cores.
    #[arg(long, value_name = "N", value_parser = jobs, allow_negative_numbers = true)]
    pub(crate) jobs: Option<NonZeroUsize>,

    #[command(flatten)]
    pub(crate) limits: LimitArgs,

    /// Print one JSON document instead of a table.
    #[arg(long)]
    pub(crate) json: bool,

    /// Print only results and errors.
    #[arg(long, short)]
    pub(crate) quiet: bool,
}
