//! A sweep in parts: options of `sweep`, and the command `merge`.

use std::num::NonZeroU64;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use pacesim_lab::study::Shard;

/// An engine that starts shards on many machines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Engine {
    /// A job array, and the merge behind it (docs/clusters.md).
    Slurm,
    /// An Indexed Job, and the Job of the merge.
    Kubernetes,
}

/// A part of a sweep, or all parts by an engine.
#[derive(Debug, Args)]
pub(crate) struct CampaignArgs {
    /// Run only shard I of N, from 1/N to N/N, into a store of its own: results/NAME.shards/I-of-N, or --out DIR,
    /// in which {shard} stands for I-of-N. Write no tables: `pacesim merge` does. An engine that counts from 0 gives I+1/N.
    #[arg(long, value_name = "I/N", value_parser = Shard::parse)]
    #[arg(conflicts_with_all = ["dry_run", "strict", "on", "status"])]
    pub(crate) shard: Option<Shard>,

    /// Refuse to run anything if study, options and program are not those of the plan with this digest, which
    /// `sweep --shard --json` and `merge` know.
    #[arg(long, value_name = "DIGEST", conflicts_with_all = ["on", "status"])]
    pub(crate) plan: Option<String>,

    /// Submit all shards to this engine, and the merge behind them; the same command again submits what failed or is
    /// missing. Options of the engine's own command stand behind `--`.
    #[arg(long, value_name = "ENGINE", conflicts_with_all = ["dry_run", "strict", "status"])]
    pub(crate) on: Option<Engine>,

    /// Into how many shards the study is divided.
    #[arg(long, value_name = "N", conflicts_with = "shard")]
    pub(crate) shards: Option<NonZeroU64>,

    /// Say how far the shards are: done, running, waiting, failed, missing.
    #[arg(long, conflicts_with_all = ["dry_run", "strict"])]
    pub(crate) status: bool,

    /// Print what the engine would be given, and submit nothing.
    #[arg(long, requires = "on")]
    pub(crate) print: bool,

    /// The image with the program, for Kubernetes.
    #[arg(long, value_name = "IMAGE", requires = "on")]
    pub(crate) image: Option<String>,

    /// The claim of a volume that all pods may write to, for Kubernetes.
    #[arg(long, value_name = "NAME", default_value = "pacesim", requires = "on")]
    pub(crate) claim: String,

    /// Options of the engine's own command, such as sbatch's --time=1:00:00.
    #[arg(last = true, value_name = "ENGINE-OPTION", requires = "on")]
    pub(crate) engine_options: Vec<String>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pacesim sweep study.toml --shard 1/2 --out one       on one machine
  pacesim sweep study.toml --shard 2/2 --out two       on another
  pacesim merge one two --into results/study
  pacesim merge results/study.shards --into results/study     all shards in a folder

The stores must be of one plan: the same study, options and version of pacesim; a store that is damaged or of
another plan is refused by name, and nothing is changed. The tables are the same, to the byte, as those of a sweep
on one machine. Runs that are missing are counted by the plan and named; what is there is kept in the target,
and the same command goes on when there is more.

Exits with 1 if runs are missing: there are no tables then.")]
pub(crate) struct MergeArgs {
    /// Folders that `sweep --shard` filled, or a folder of such folders.
    #[arg(value_name = "DIR")]
    pub(crate) folders: Vec<PathBuf>,

    /// The folder of the whole study: it takes all runs, the tables and the figures.
    #[arg(long, value_name = "DIR")]
    pub(crate) into: PathBuf,

    /// Refuse stores that are of another plan than the one with this digest.
    #[arg(long, value_name = "DIGEST")]
    pub(crate) plan: Option<String>,

    /// End with 1 if a claim of the study differs.
    #[arg(long)]
    pub(crate) strict: bool,

    /// Print one JSON document instead of tables.
    #[arg(long)]
    pub(crate) json: bool,

    /// No progress and no messages; errors and results only.
    #[arg(long, short)]
    pub(crate) quiet: bool,
}
