//! The command line and its help texts.

mod campaign;
mod limits;
mod reproduce;
mod seeing;
mod solve;

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::builder::Styles;
use clap::builder::styling::AnsiColor;
use clap::{Args, Parser, Subcommand};
use clap_complete::Shell;

pub(crate) use campaign::{CampaignArgs, Engine, MergeArgs};
pub(crate) use limits::LimitArgs;
pub(crate) use limits::StoreLimitArgs;
pub(crate) use reproduce::ReproduceArgs;
pub(crate) use seeing::{AtWord, DiffArgs, ExplainArgs, ExportArgs, FormatWord, ReportArgs};
pub(crate) use solve::SolveArgs;

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().bold())
    .usage(AnsiColor::Green.on_default().bold())
    .literal(AnsiColor::Cyan.on_default())
    .placeholder(AnsiColor::Cyan.on_default());

/// Help with the examples before the options.
const EXAMPLES_FIRST: &str = "\
{before-help}{about-with-newline}
{usage-heading} {usage}{after-help}

{all-args}";

/// Deterministic packet-level simulation: small buffers, pacing, FEC and TCP.
///
/// A scenario is a TOML file with a network, its traffic and the length of the run. The same
/// scenario and seed give the same results on every machine.
#[derive(Debug, Parser)]
#[command(name = "pacesim", version, styles = STYLES, max_term_width = 100)]
#[command(help_template = EXAMPLES_FIRST, after_help = "\
Examples:
  pacesim new dumbbell -o my.toml     write a commented scenario to start from
  pacesim check my.toml               find all mistakes in it at once
  pacesim run my.toml                 simulate it and print a summary
  pacesim run my.toml --out results   keep all results, as Parquet and JSON
  pacesim sweep study.toml            run a grid of scenarios, or resume it
  pacesim solve mm1k --set load=0.9   solve an analytic model
  pacesim reproduce --list            list the experiments of the papers

Exit codes: 0 done, 1 the run failed or results differ, 2 invalid input or usage, \
130 interrupted.
`pacesim help COMMAND` shows more examples.")]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Simulate a scenario and print a summary.
    Run(RunArgs),
    /// Run every point of a study and tabulate the results.
    Sweep(SweepArgs),
    /// Unite the stores of a study's shards, and write the tables.
    Merge(MergeArgs),
    /// Draw the figures of a study from its store.
    Plot(PlotArgs),
    /// Compare two results: the numbers that differ, and by how much.
    Compare(CompareArgs),
    /// Find the event at which two recorded runs diverge.
    Diff(DiffArgs),
    /// Explain a packet, a moment or a slow flow from a recording.
    Explain(ExplainArgs),
    /// Write a recording for Wireshark, qvis, Perfetto or as CSV.
    Export(ExportArgs),
    /// Write a report of a run as one HTML file.
    Report(ReportArgs),
    /// Check results against their digests, and against repeated runs.
    Verify(VerifyArgs),
    /// Search for the best values of a study's axes.
    Tune(TuneArgs),
    /// Solve an analytic model: queues, FEC, pacing, buffer rules.
    Solve(SolveArgs),
    /// Run experiments of the papers and check their claims.
    Reproduce(ReproduceArgs),
    /// Find all mistakes in a scenario, without running it.
    Check(CheckArgs),
    /// Write a commented scenario to start from.
    New(NewArgs),
    /// List metrics, the numbers that studies name, with their meanings.
    Metrics(MetricsArgs),
    /// Print the JSON Schema of scenario files, for editors, or their reference.
    #[command(help_template = EXAMPLES_FIRST, after_help = "\
Examples:
  pacesim schema > pacesim.schema.json
  pacesim schema --reference > keys.md
  # first line of a scenario, for editors that use Taplo:
  #:schema ./pacesim.schema.json")]
    Schema {
        /// Print a page in Markdown that describes every key.
        #[arg(long)]
        reference: bool,
    },
    /// Print the version, or how to cite it.
    #[command(help_template = EXAMPLES_FIRST, after_help = "\
Examples:
  pacesim version
  pacesim version --cite >> references.bib")]
    Version {
        /// Print one JSON document.
        #[arg(long)]
        json: bool,

        /// Print the citation for BibTeX.
        #[arg(long, conflicts_with = "json")]
        cite: bool,
    },
    /// Print a shell script that completes commands and options.
    #[command(help_template = EXAMPLES_FIRST, after_help = "\
Examples:
  pacesim completions bash > ~/.local/share/bash-completion/completions/pacesim
  pacesim completions zsh > \"${fpath[1]}/_pacesim\"
  pacesim completions fish > ~/.config/fish/completions/pacesim.fish")]
    Completions {
        /// Shell.
        shell: Shell,
    },
    /// Print the manual: a page for the program and one for each command.
    #[command(help_template = EXAMPLES_FIRST, after_help = "\
Examples:
  pacesim man | man -l -         all pages
  pacesim man run | man -l -     the page of one command
  pacesim man > ~/.local/share/man/man1/pacesim.1
  pacesim man run > ~/.local/share/man/man1/pacesim-run.1")]
    Man {
        /// Print only the page of this command.
        command: Option<String>,
    },
}

/// Kinds of parts that `pacesim new part` can start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum PartKind {
    /// A congestion control.
    Control,
    /// A pacer.
    Pacer,
    /// A queue discipline.
    Discipline,
    /// A source of traffic.
    Source,
    /// A middlebox behind the wire of a link.
    Middlebox,
    /// A loss model of a link.
    Loss,
    /// A measure of studies.
    Measure,
}

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

#[derive(Debug, Args)]
#[command(help_template = EXAMPLES_FIRST, after_help = "\
Examples:
  pacesim run scenarios/dumbbell.toml
  pacesim run my.toml --set run.duration=10s --set run.warmup=2s
  pacesim run my.toml --seed 7 --out results/seed7
  pacesim run my.toml --replications 10              means with 95 % confidence
  pacesim run study.toml --point 3 --replication 1   repeat one run of a study
  pacesim run my.toml --json | jq .links
  pacesim run my.toml --statement                    a paragraph for a paper
  pacesim new dumbbell | pacesim run -

Tables go to standard output, progress and messages to standard error. The results folder has \
summary.json, manifest.json, the resolved scenario.toml with its files, and Parquet files of flows, \
links, transfers and series (and packets, if the scenario asks for them), which open in DuckDB, \
Polars, pandas and R. The speed is per second of real time, without the time to write files.")]
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

    #[command(flatten)]
    pub(crate) limits: LimitArgs,

    /// Write a results folder, which gets this name only once it is complete.
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,

    /// Replace DIR if it holds nothing but unchanged results of pacesim.
    #[arg(long, requires = "out")]
    pub(crate) force: bool,

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
  pacesim sweep study.toml --dry-run           list points, estimate the time
  pacesim sweep study.toml                     make missing runs on all cores
  pacesim sweep study.toml --replications 10   add replications
  pacesim sweep study.toml --precision 2%      replicate until precise
  pacesim sweep study.toml --set run.duration=10s --out results/short
  pacesim sweep study.toml --json | jq '.points[].means'
  pacesim sweep study.toml --statement         a paragraph for a paper
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

    /// Random seed; overrides the scenarios'.
    #[arg(long, value_name = "N", value_parser = seed, allow_negative_numbers = true)]
    pub(crate) seed: Option<u64>,

    /// Number of independent replications per point; overrides the study's.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) replications: Option<u64>,

    /// Repeat each point until half the width of its intervals is at most this share of the mean,
    /// such as 2%. Applies to the numbers in `precise`, or by default to those in figures and
    /// claims. Checked after every 5 replications, from --replications up to `most`.
    #[arg(long, value_name = "SHARE", value_parser = pacesim_lab::study::precision)]
    pub(crate) precision: Option<f64>,

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

    /// List the points and finished runs, and estimate the time of the rest; store nothing.
    #[arg(long)]
    pub(crate) dry_run: bool,

    #[command(flatten)]
    pub(crate) limits: StoreLimitArgs,

    /// Exit with 1 if a claim of the study differs.
    #[arg(long)]
    pub(crate) strict: bool,

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

    /// Random seed; overrides the scenarios'.
    #[arg(long, value_name = "N", value_parser = seed, allow_negative_numbers = true)]
    pub(crate) seed: Option<u64>,

    /// Initial number of replications per point, at least 3; overrides the study's.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) replications: Option<u64>,

    /// Number of concurrent runs; default: all cores.
    #[arg(long, value_name = "N", value_parser = jobs, allow_negative_numbers = true)]
    pub(crate) jobs: Option<NonZeroUsize>,

    /// Multiply the times of a run's course (its length, warm-up, starts, stops, events) and
    /// replications by X, but keep five replications if there are as many: 0.1 is a first look at a
    /// long search.
    #[arg(long, value_name = "X", default_value_t = 1.0, value_parser = scale, allow_negative_numbers = true)]
    pub(crate) scale: f64,

    /// Folder of the study; by default results/NAME.
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) limits: StoreLimitArgs,

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
  pacesim plot buffers.toml --format pdf          for a paper
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

    /// File format: svg, png or pdf; may be repeated.
    #[arg(long = "format", value_name = "KIND", default_value = "svg")]
    pub(crate) formats: Vec<String>,

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
  pacesim verify results/buffers         check the digest of each run in a store
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

/// More threads than any machine has cores.
const MOST_JOBS: usize = 1024;

fn jobs(text: &str) -> Result<NonZeroUsize, String> {
    let number = text.parse().ok();
    let number = number.filter(|jobs: &NonZeroUsize| jobs.get() <= MOST_JOBS);
    number.ok_or_else(|| format!("a whole number from 1 to {MOST_JOBS}"))
}

/// More would take days, and all summaries stay in memory until the last run ends.
const MOST_REPLICATIONS: u64 = 100_000;

fn replications(text: &str) -> Result<u64, String> {
    let number = text.parse().ok();
    let number = number.filter(|number| (1..=MOST_REPLICATIONS).contains(number));
    number.ok_or_else(|| {
        format!(
            "a whole number from 1 to {MOST_REPLICATIONS}: \
             the summary of each is kept until the end; for more, use other seeds"
        )
    })
}

fn seed(text: &str) -> Result<u64, String> {
    const MOST: u64 = i64::MAX as u64;
    let number = text.parse().ok();
    let number = number.filter(|seed: &u64| *seed <= MOST);
    number.ok_or_else(|| format!("a whole number from 0 to {MOST}"))
}

fn scale(text: &str) -> Result<f64, String> {
    use pacesim_lab::study::{LEAST_SCALE, MOST_SCALE};
    let number = text.parse().ok();
    number
        .filter(|scale| (LEAST_SCALE..=MOST_SCALE).contains(scale))
        .ok_or_else(|| format!("a number from {LEAST_SCALE} to {MOST_SCALE}, such as 0.1"))
}

#[derive(Debug, Args)]
#[command(help_template = EXAMPLES_FIRST, after_help = "\
Examples:
  pacesim check my.toml
  pacesim check my.toml --set run.seed=7
  pacesim check study.toml   every point of a study
  pacesim check my.toml --json | jq -r '.problems[].message'

Warnings point out legal settings that are probably mistakes; they go to standard error. Exits with 0 \
if there are no mistakes, even with warnings, and otherwise with 2.")]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    pub(crate) scenario: ScenarioArgs,

    /// Print problems and warnings as one JSON document.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
#[command(help_template = EXAMPLES_FIRST, after_help = "\
Examples:
  pacesim new --list
  pacesim new dumbbell -o my.toml
  pacesim new dumbbell | pacesim run -

Editors complete keys with the JSON Schema from `pacesim schema`; see its help.")]
pub(crate) struct NewArgs {
    /// Template to write; see --list. With "part", a crate for a part of your own.
    #[arg(default_value = "dumbbell")]
    pub(crate) template: String,

    /// With "part": name of the part, and of its new folder.
    #[arg(value_name = "NAME")]
    pub(crate) name: Option<String>,

    /// With "part": kind of part.
    #[arg(long)]
    pub(crate) kind: Option<PartKind>,

    /// With "part": folder of pacesim's source, on which the crate depends; by default the source of
    /// this program, if it is still there, otherwise the published version.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) source: Option<PathBuf>,

    /// List the templates and their subjects.
    #[arg(long)]
    pub(crate) list: bool,

    /// Write to this file, which must not exist, instead of standard output.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(help_template = EXAMPLES_FIRST, after_help = "\
Examples:
  pacesim metrics               all metrics
  pacesim metrics goodput       those with this word in name or meaning
  pacesim metrics --json

In a study NAME is a group of flows, a link or a [[fec]] entry: y = \"flows.web.goodput_bps\".")]
pub(crate) struct MetricsArgs {
    /// Part of a name or meaning, in any case.
    pub(crate) pattern: Option<String>,

    /// Print one JSON document.
    #[arg(long)]
    pub(crate) json: bool,
}
