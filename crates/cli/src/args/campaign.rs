//! Shards of a sweep: options of `sweep`, and the command `merge`.

use std::num::NonZeroU64;
use std::path::PathBuf;

use clap::builder::Resettable;
use clap::{Args, ValueEnum};
use pacesim_lab::study::Shard;

use super::EXAMPLES_FIRST;

/// An engine that starts shards on many machines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Engine {
    /// A job array, followed by the merge (docs/clusters.md).
    Slurm,
    /// An Indexed Job, and a Job for the merge.
    Kubernetes,
}

/// One shard of a sweep, or all shards by an engine.
#[derive(Debug, Args)]
pub(crate) struct CampaignArgs {
    /// Run only shard I of N, into its own store: results/NAME.shards/I-of-N, or --out DIR, in
    /// which {shard} stands for I-of-N. `pacesim merge` writes the tables. An engine that counts
    /// from 0 passes I+1/N.
    #[arg(long, value_name = "I/N", value_parser = Shard::parse)]
    #[arg(conflicts_with_all = ["dry_run", "strict", "on", "status"])]
    pub(crate) shard: Option<Shard>,

    /// Refuse to run unless study, options and program are those of the plan with this digest, as
    /// printed by `sweep --shard --json`.
    #[arg(long, value_name = "DIGEST", conflicts_with_all = ["on", "status"])]
    pub(crate) plan: Option<String>,

    /// Submit all shards to this engine, followed by the merge; repeating the command submits failed
    /// and missing shards. Options of the engine's own command follow `--`.
    #[arg(long, value_name = "ENGINE", conflicts_with_all = ["dry_run", "strict", "status"])]
    pub(crate) on: Option<Engine>,

    /// Number of shards to divide the study into.
    #[arg(long, value_name = "N", conflicts_with = "shard")]
    pub(crate) shards: Option<NonZeroU64>,

    /// Show the shards done, running, waiting, failed and missing.
    #[arg(long, conflicts_with_all = ["dry_run", "strict"])]
    pub(crate) status: bool,

    /// Print the input of the engine without submitting it.
    #[arg(long, requires = "on")]
    pub(crate) print: bool,

    /// Container image with the program, for Kubernetes.
    #[arg(long, value_name = "IMAGE", requires = "on")]
    pub(crate) image: Option<String>,

    /// Persistent volume claim that all pods can write to, for Kubernetes.
    #[arg(long, value_name = "NAME", default_value = "pacesim", requires = "on")]
    pub(crate) claim: String,

    /// Options of the engine's own command, such as sbatch's --time=1:00:00.
    #[arg(last = true, value_name = "ENGINE-OPTION", requires = "on")]
    // Among the arguments, apart from the options.
    #[arg(help_heading = Resettable::Reset)]
    pub(crate) engine_options: Vec<String>,
}

#[derive(Debug, Args)]
#[command(help_template = EXAMPLES_FIRST, after_help = "\
Examples:
  pacesim sweep study.toml --shard 1/2 --out one   on one machine
  pacesim sweep study.toml --shard 2/2 --out two   on another
  pacesim merge one two --into results/study
  pacesim merge results/study.shards --into results/study

The stores must have one plan: the same study, options and version of pacesim. A store that is \
damaged or has another plan is refused by name, and nothing is changed. The tables equal those of a \
sweep on one machine to the byte. Missing runs are counted by the plan and reported; the available \
ones stay in the target, and the same command adds more later.

Exits with 1 if runs are missing, without tables.")]
pub(crate) struct MergeArgs {
    /// Folders filled by `sweep --shard`, or a folder of such folders.
    #[arg(value_name = "DIR")]
    pub(crate) folders: Vec<PathBuf>,

    /// Folder of the whole study: runs, tables and figures.
    #[arg(long, value_name = "DIR")]
    pub(crate) into: PathBuf,

    /// Refuse stores of any plan but the one with this digest.
    #[arg(long, value_name = "DIGEST")]
    pub(crate) plan: Option<String>,

    /// Exit with 1 if a claim of the study differs.
    #[arg(long)]
    pub(crate) strict: bool,

    /// Print one JSON document instead of tables.
    #[arg(long)]
    pub(crate) json: bool,

    /// Print only results and errors.
    #[arg(long, short)]
    pub(crate) quiet: bool,
}
