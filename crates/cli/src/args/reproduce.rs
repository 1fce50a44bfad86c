//! Arguments of `pacesim reproduce`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;

use super::values::{jobs, scale, seed};
use super::{EXAMPLES_FIRST, StoreLimitArgs};

#[derive(Debug, Args)]
#[command(help_template = EXAMPLES_FIRST, after_help = "\
Examples:
  pacesim reproduce --list                    list experiments and last verdicts
  pacesim reproduce edge/fig3                 run one experiment
  pacesim reproduce zerobuf qlbp11/law        all of a paper, and one of another
  pacesim reproduce all --scale 0.1           a quick look at everything
  pacesim reproduce all --dry-run             estimate the time
  pacesim reproduce edge/fig3 --show .        write its files, to start your own
  pacesim reproduce qlbp11/fig16 --input in.cvec   use your own recording
  pacesim reproduce my/buffers --catalogue .  run my/buffers.study.toml
  pacesim reproduce edge/fig9 --json | jq .claims

Each claim gets a verdict: PASS, DIFFERS (with both numbers), UNDECIDED (the interval is too wide), \
or NOT RUN (the run was too short). The results of each experiment are kept in \
results/reproduce/PAPER-ID, or in a subfolder of --out DIR: claims.json, table.md and figures, and for \
studies also the store and tables of `pacesim sweep`, so that the same command resumes and repeats \
nothing.

Exits with 0 even if claims differ (1 with --strict), and with 2 if a name is unknown.")]
pub(crate) struct ReproduceArgs {
    /// Id of an experiment, a paper or group for all of its experiments, or `all`; see --list.
    #[arg(value_name = "ID", required_unless_present_any = ["list", "report"])]
    pub(crate) ids: Vec<String>,

    /// List the experiments with their last verdicts.
    #[arg(long, conflicts_with = "ids")]
    pub(crate) list: bool,

    /// Write a page of all stored findings after running the experiments named: verdicts, reasons,
    /// figures, scale and digests; the findings go beside it as JSON.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["list", "show", "dry_run"])]
    pub(crate) report: Option<PathBuf>,

    /// Write the files of these studies into DIR instead of running them.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["list", "report", "dry_run"])]
    pub(crate) show: Option<PathBuf>,

    /// Run the experiment with your own recording instead of the substitute, in a results folder
    /// of its own: connection vectors (qlbp11/fig16) or video frames (zerobuf/fig6).
    #[arg(long, value_name = "FILE", conflicts_with_all = ["list", "report", "show"])]
    pub(crate) input: Option<PathBuf>,

    /// List the runs, and estimate their time.
    #[arg(long, conflicts_with_all = ["list", "report"])]
    pub(crate) dry_run: bool,

    /// Add the studies in DIR and its subfolders; NAME.study.toml becomes the experiment NAME.
    #[arg(long, value_name = "DIR")]
    pub(crate) catalogue: Vec<PathBuf>,

    /// Multiply simulated times and replications by S, but keep five replications if there are as
    /// many; never flows, rates or buffers.
    #[arg(long, value_name = "S", default_value = "1", value_parser = scale, allow_negative_numbers = true)]
    pub(crate) scale: f64,

    /// Random seed; overrides the experiments' own.
    #[arg(long, value_name = "N", value_parser = seed, allow_negative_numbers = true)]
    pub(crate) seed: Option<u64>,

    /// Number of concurrent runs; default: all cores.
    #[arg(long, value_name = "N", value_parser = jobs, allow_negative_numbers = true)]
    pub(crate) jobs: Option<NonZeroUsize>,

    #[command(flatten)]
    pub(crate) limits: StoreLimitArgs,

    /// Folder of all results, with a subfolder for each experiment.
    #[arg(long, value_name = "DIR", default_value = "results/reproduce")]
    pub(crate) out: PathBuf,

    /// Replace folders with other results of pacesim, and existing files of --show or --report.
    #[arg(long)]
    pub(crate) force: bool,

    /// Exit with 1 if a claim differs.
    #[arg(long)]
    pub(crate) strict: bool,

    /// Print one JSON document instead of tables.
    #[arg(long)]
    pub(crate) json: bool,

    /// Print only results and errors.
    #[arg(long, short)]
    pub(crate) quiet: bool,
}
