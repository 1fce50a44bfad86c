//! The arguments of the commands on results folders: `compare` and `verify`.

use std::path::PathBuf;

use clap::Args;

use super::EXAMPLES_FIRST;

#[derive(Debug, Args)]
#[command(help_template = EXAMPLES_FIRST, after_help = "\
Examples:
  pacesim compare results/paced results/plain    two runs or replicated runs
  pacesim compare results/buffers results/wide   two studies, point by point
  pacesim compare old.csv new.csv                two files of fingerprints
  pacesim compare a b --json | jq '.differences[0]'

Points of studies are matched by the values of their axes, numbers by their names. Runs of the same \
seed and replication are compared pairwise, with 95 % intervals of their differences; without such \
runs, intervals are of the difference of means (Welch). The largest relative differences \
come first, those whose interval contains zero last.

Exits like diff: with 0 if everything is equal, with 1 if something differs, with 2 if the two \
cannot be compared.")]
pub(crate) struct CompareArgs {
    /// Results folder, folder of a study, or file of fingerprints.
    #[arg(value_name = "A")]
    pub(crate) a: PathBuf,

    /// Another one of the same kind.
    #[arg(value_name = "B")]
    pub(crate) b: PathBuf,

    /// Print all differences instead of the first twenty.
    #[arg(long)]
    pub(crate) all: bool,

    /// Print one JSON document, with all differences, instead of tables.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
#[command(help_template = EXAMPLES_FIRST, after_help = "\
Examples:
  pacesim verify results/buffers         check runs, tables and figures
  pacesim verify results/one --again 1   also repeat one run

Exits with 0 if everything is unchanged, with 1 if something has changed, with 2 if the folder \
cannot be checked. `pacesim sweep` repeats damaged runs.")]
pub(crate) struct VerifyArgs {
    /// Results folder, or folder of a study.
    #[arg(value_name = "FOLDER")]
    pub(crate) folder: PathBuf,

    /// Repeat N runs, and compare them with the stored ones.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) again: u64,

    /// Seed for choosing the runs.
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    pub(crate) seed: u64,

    /// Print one JSON document.
    #[arg(long)]
    pub(crate) json: bool,

    /// Show no progress.
    #[arg(long)]
    pub(crate) quiet: bool,
}
