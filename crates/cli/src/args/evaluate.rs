//! Arguments of `pacesim evaluate`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;

use super::values::{jobs, scale, seed};
use super::{EXAMPLES_FIRST, StoreLimitArgs};

#[derive(Debug, Args)]
#[command(help_template = EXAMPLES_FIRST, after_help = "\
Examples:
  pacesim evaluate cubic                     Linux's CUBIC
  pacesim evaluate 'bbr3, ecn = true'        with further keys of its traffic
  pacesim evaluate 'kind = \"mine\"'           a transport of your own program
  pacesim evaluate bbr --only beside short   two of the studies
  pacesim evaluate cubic --list              the studies and what they ask
  pacesim evaluate mine --strict             in CI: exit code 1 if a criterion fails

A control is tried alone, beside itself, beside CUBIC, Reno and BBR, through losses, reordering, queue \
disciplines, a change of rate and a long path, beside short transfers, and by the trials of RFC 9743 \
(docs/conformance.md). Controls of Linux have its profile, others that of the RFCs; keys given with \
the name override both. Programs with parts of their own (pacesim_app) have this command too.

DIR keeps evaluation.md (all verdicts, with figures), junit.xml, and for each study its file, its store \
and its tables, so that the same command resumes.")]
pub(crate) struct EvaluateArgs {
    /// Name of a congestion control, optionally followed by further keys of TCP; or the keys of
    /// any traffic, with `kind`.
    #[arg(value_name = "CONTROL")]
    pub(crate) control: String,

    /// Make only these studies; "conformance" means the trials of RFC 9743.
    #[arg(long, value_name = "NAME", num_args = 1..)]
    pub(crate) only: Vec<String>,

    /// List the studies and their claims, and run nothing.
    #[arg(long)]
    pub(crate) list: bool,

    /// Folder for all results; by default results/evaluate-NAME.
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,

    /// Multiply times and replications by X; claims that need more are not judged.
    #[arg(long, value_name = "X", default_value_t = 1.0, value_parser = scale, allow_negative_numbers = true)]
    pub(crate) scale: f64,

    /// Random seed; overrides the studies'.
    #[arg(long, value_name = "N", value_parser = seed, allow_negative_numbers = true)]
    pub(crate) seed: Option<u64>,

    /// Number of concurrent runs; default: all cores.
    #[arg(long, value_name = "N", value_parser = jobs, allow_negative_numbers = true)]
    pub(crate) jobs: Option<NonZeroUsize>,

    #[command(flatten)]
    pub(crate) limits: StoreLimitArgs,

    /// Exit with 1 if a claim differs or a trial fails.
    #[arg(long)]
    pub(crate) strict: bool,

    /// Print one JSON document instead of a table.
    #[arg(long)]
    pub(crate) json: bool,

    /// Print only results and errors.
    #[arg(short, long)]
    pub(crate) quiet: bool,
}
