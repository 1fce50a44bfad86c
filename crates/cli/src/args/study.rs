//! The arguments of `sweep`, `tune` and `plot`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;
use pacesim_lab::plot::Sheet;

use super::values::{jobs, replications, scale, seed};
use super::{CampaignArgs, EXAMPLES_FIRST, ScenarioArgs, StoreLimitArgs};

/// Options for the runs of a study, and their folder.
#[derive(Debug, Args)]
pub(crate) struct WorkArgs {
    /// Random seed; overrides the scenarios'.
    #[arg(long, value_name = "N", value_parser = seed, allow_negative_numbers = true)]
    pub(crate) seed: Option<u64>,

    /// Number of concurrent runs; default: all cores.
    #[arg(long, value_name = "N", value_parser = jobs, allow_negative_numbers = true)]
    pub(crate) jobs: Option<NonZeroUsize>,

    /// Multiply the times of a run's course (its length, warm-up, starts, stops, events) and
    /// replications by X, but keep five replications if there are as many: 0.1 is a first look at a
    /// long study. Claims that need more are not judged.
    #[arg(long, value_name = "X", default_value_t = 1.0, value_parser = scale, allow_negative_numbers = true)]
    pub(crate) scale: f64,

    /// Folder of the study; by default results/NAME.
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,

    /// Folder of recorded live runs, for points whose flows are live: those that it has are repeated,
    /// and others are made and added, where the program can.
    #[arg(long, value_name = "DIR")]
    pub(crate) reality: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) limits: StoreLimitArgs,
}

#[derive(Debug, Args)]
#[command(help_template = EXAMPLES_FIRST, after_help = "\
Examples:
  pacesim sweep study.toml --dry-run           list points, estimate the time
  pacesim sweep study.toml                     make missing runs on all cores
  pacesim sweep study.toml --replications 10   add replications
  pacesim sweep study.toml --precision 2%      replicate until precise
  pacesim sweep study.toml --set run.duration=10s --out results/short
  pacesim sweep study.toml --json | jq '.points[].means'
  pacesim sweep study.toml --statement         a paragraph for a paper
  pacesim sweep study.toml --strict --junit report.xml --markdown summary.md
  pacesim run study.toml --point 3 --replication 1   repeat one run
  pacesim sweep study.toml --shard 3/200       make one shard for `merge`
  pacesim sweep study.toml --on slurm --shards 200 -- --time=1:00:00
  pacesim sweep study.toml --status            show the progress of the shards

A study is a scenario with a table [sweep] of the values that vary (docs/study.md). Its folder, \
results/NAME or --out DIR, has store.sqlite with all finished runs, the tables runs.parquet, \
summary.parquet and wide.parquet (docs/results.md), and recordings of the points selected by `keep` \
in [sweep]. After Ctrl-C, a kill, a crash or an edit the same command resumes and makes only the \
missing runs. The tables depend neither on --jobs nor on interruptions.")]
pub(crate) struct SweepArgs {
    #[command(flatten)]
    pub(crate) scenario: ScenarioArgs,

    /// Number of independent replications per point; overrides the study's.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) replications: Option<u64>,

    /// Repeat each point until half the width of its intervals is at most this share of the mean,
    /// such as 2%. Applies to the numbers in `precise`, or by default to those in figures and
    /// claims. Checked after every 5 replications, from --replications up to `most`.
    #[arg(long, value_name = "SHARE", value_parser = pacesim_lab::study::precision)]
    pub(crate) precision: Option<f64>,

    #[command(flatten)]
    pub(crate) work: WorkArgs,

    /// List the points and finished runs, and estimate the time of the rest; store nothing.
    #[arg(long)]
    pub(crate) dry_run: bool,

    /// Exit with 1 if a claim of the study differs, or if a run gave up.
    #[arg(long)]
    pub(crate) strict: bool,

    /// Write a test report in JUnit's format: a case for each claim, and one for each point, which
    /// fails if a run of it gave up and has the command that repeats it.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["dry_run", "shard", "on", "status"])]
    pub(crate) junit: Option<PathBuf>,

    /// Write a summary in Markdown: verdicts, runs that gave up, links to the figures.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["dry_run", "shard", "on", "status"])]
    pub(crate) markdown: Option<PathBuf>,

    /// Print one paragraph for a paper instead of tables.
    #[arg(long, conflicts_with_all = ["json", "dry_run", "shard", "on", "status"])]
    pub(crate) statement: bool,

    /// Print one JSON document instead of tables.
    #[arg(long)]
    pub(crate) json: bool,

    /// Print only results and errors.
    #[arg(long, short)]
    pub(crate) quiet: bool,

    // Its heading holds for all that follow.
    #[command(flatten, next_help_heading = "Shards and clusters")]
    pub(crate) campaign: CampaignArgs,
}

#[derive(Debug, Args)]
#[command(help_template = EXAMPLES_FIRST, after_help = "\
Examples:
  pacesim new tune > buffer.toml                 the smallest sufficient buffer
  pacesim tune buffer.toml --dry-run             the points to try, their time
  pacesim tune buffer.toml
  pacesim tune buffer.toml --set tune.most=100   more replications
  pacesim tune buffer.toml --json | jq '.cases[].found'

The table [tune] of a study names the axes to search, the number to minimise or maximise, and its \
bounds (docs/study.md). Each combination of the values of the other axes has a search of its own. \
Points are run a few times, and more often if their intervals leave a decision open. A search for \
the least or greatest value of one axis takes the bounds to hold from one value on, tests this at \
some values before its answer, and says \"not monotone\" if it is wrong: its answer is the first \
value that holds among those tried. The runs are \
kept in the store of the study, so that the same command resumes and repeats nothing; after Ctrl-C \
it prints the searches that ended. The result \
does not depend on --jobs. tuned.parquet has it; the other tables have all points.")]
pub(crate) struct TuneArgs {
    #[command(flatten)]
    pub(crate) scenario: ScenarioArgs,

    /// Initial number of replications per point, at least 3; overrides the study's.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) replications: Option<u64>,

    #[command(flatten)]
    pub(crate) work: WorkArgs,

    /// Print the number of points and runs that the searches may take, and their time, without
    /// making them.
    #[arg(long)]
    pub(crate) dry_run: bool,

    /// Exit with 1 if a search finds nothing, or a claim of the study differs.
    #[arg(long)]
    pub(crate) strict: bool,

    /// Print one JSON document instead of tables.
    #[arg(long)]
    pub(crate) json: bool,

    /// Print only results and errors.
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

#[derive(Debug, Args)]
#[command(help_template = EXAMPLES_FIRST, after_help = "\
Examples:
  pacesim plot buffers.toml                       as SVG
  pacesim plot buffers.toml --format pdf --style ieee    for a column of a paper
  pacesim plot buffers.toml --format png --to .   in the current folder
  pacesim plot results/buffers --format pdf       without the study's file

The folder of a study is enough, since its store has the text of the last sweep. Nothing is run: \
figures omit points that are not in the store. Use it after changing labels or scales in a study. \
Existing files that would change are replaced only with --force.")]
pub(crate) struct PlotArgs {
    /// Study, a TOML file, or the folder of its sweep; `-` reads a file from standard input.
    #[arg(value_name = "STUDY-OR-DIR")]
    pub(crate) study: PathBuf,

    /// Change a value of the study; may be repeated.
    #[arg(long = "set", value_name = "KEY.PATH=VALUE")]
    pub(crate) sets: Vec<String>,

    /// Seed of the sweep, if not the scenarios'.
    #[arg(long, value_name = "N", value_parser = seed, allow_negative_numbers = true)]
    pub(crate) seed: Option<u64>,

    /// Use N replications of each point; overrides the study's number.
    #[arg(long, value_name = "N", value_parser = replications, allow_negative_numbers = true)]
    pub(crate) replications: Option<u64>,

    /// Precision of the sweep, if not the study's.
    #[arg(long, value_name = "SHARE", value_parser = pacesim_lab::study::precision)]
    pub(crate) precision: Option<f64>,

    /// Scale of the sweep.
    #[arg(long, value_name = "X", default_value_t = 1.0, value_parser = scale, allow_negative_numbers = true)]
    pub(crate) scale: f64,

    /// Folder of the study; by default results/NAME.
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,

    /// File format: svg, png, pdf or tex (TikZ for pgfplots, in the paper's fonts); may be repeated.
    #[arg(long = "format", value_name = "KIND", default_value = "svg")]
    pub(crate) formats: Vec<String>,

    /// Write the numbers of each figure, too: NAME.csv, whose head has the lines of matplotlib and ggplot that draw it.
    #[arg(long)]
    pub(crate) data: bool,

    /// Document that the figures are for, in place of width, font, legend and title in the file.
    #[arg(long, value_name = "STYLE", value_enum)]
    pub(crate) style: Option<StyleArg>,

    /// Draw only this figure; may be repeated.
    #[arg(long = "plot", value_name = "NAME")]
    pub(crate) plots: Vec<String>,

    /// Folder for the files; by default `figures` in the folder of the study.
    #[arg(long, value_name = "DIR")]
    pub(crate) to: Option<PathBuf>,

    /// Replace existing files.
    #[arg(long)]
    pub(crate) force: bool,
}

/// A kind of document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum StyleArg {
    /// A page of a browser.
    Screen,
    /// A column of 3.5 in, letters of 8 pt.
    Ieee,
    /// A column of 3.33 in, letters of 8 pt.
    Acm,
    /// A slide.
    Talk,
}

impl StyleArg {
    /// The sheet of such a document.
    pub(crate) fn sheet(self) -> Sheet {
        match self {
            StyleArg::Screen => Sheet::SCREEN,
            StyleArg::Ieee => Sheet::IEEE,
            StyleArg::Acm => Sheet::ACM,
            StyleArg::Talk => Sheet::TALK,
        }
    }
}
