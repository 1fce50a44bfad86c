//! The command line, and the texts that teach it.

mod campaign;
mod limits;

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::builder::Styles;
use clap::builder::styling::AnsiColor;
use clap::{Args, Parser, Subcommand};
use clap_complete::Shell;

pub(crate) use campaign::{CampaignArgs, Engine, MergeArgs};
pub(crate) use limits::LimitArgs;
pub(crate) use limits::StoreLimitArgs;

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().bold())
    .usage(AnsiColor::Green.on_default().bold())
    .literal(AnsiColor::Cyan.on_default())
    .placeholder(AnsiColor::Cyan.on_default());

/// Deterministic packet-level network simulation: small buffers, pacing, FEC and TCP.
///
/// A scenario is a TOML file: a network, its traffic, and how long to run. The same
/// scenario with the same seed gives the same results, on every machine.
#[derive(Debug, Parser)]
#[command(name = "pacesim", version, styles = STYLES, max_term_width = 100)]
#[command(after_help = "\
Examples:
  pacesim new dumbbell -o my.toml     write a commented scenario to start from
  pacesim check my.toml               find all mistakes in it at once
  pacesim run my.toml                 simulate it and print a summary
  pacesim run my.toml --out results   keep everything, as Parquet and JSON
  pacesim sweep study.toml            run a grid of scenarios, and go on where it was stopped
  pacesim solve mm1k --set load=0.9   ask theory instead
  pacesim reproduce --list            the experiments of the papers

Exit codes: 0 done, 1 the run failed or results differ, 2 invalid input or usage, 3 not there yet, 130 interrupted.
`pacesim help COMMAND` shows more examples.")]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Simulate a scenario and print a summary.
    Run(RunArgs),
    /// Run every point of a study and tabulate what comes of it.
    Sweep(SweepArgs),
    /// Unite the stores of a study's shards, and write the tables.
    Merge(MergeArgs),
    /// Draw the figures of a study out of its store, without running anything: of its file, or of
    /// its folder alone.
    Plot(PlotArgs),
    /// Set two results side by side: which numbers differ, and by how much.
    Compare(CompareArgs),
    /// Check that results are what was written, and that runs come out the same again.
    Verify(VerifyArgs),
    /// Search for the best values of a study's axes, such as the least buffer that does.
    Tune(TuneArgs),
    /// Solve an analytic model: queues, FEC, pacing, buffer rules.
    Solve(SolveArgs),
    /// Run experiments of the papers and check what the papers claim.
    Reproduce(ReproduceArgs),
    /// Find all mistakes in a scenario, without running it.
    Check(CheckArgs),
    /// Write a commented scenario to start from.
    New(NewArgs),
    /// Print the JSON Schema of scenario files, for editors.
    #[command(after_help = "\
Examples:
  pacesim schema > pacesim.schema.json
  # then, as the first line of a scenario, for editors that use Taplo:
  #:schema ./pacesim.schema.json")]
    Schema,
    /// Print the version.
    Version {
        /// Print one JSON document.
        #[arg(long)]
        json: bool,
    },
    /// Print a script that completes commands and options in a shell.
    #[command(after_help = "\
Examples:
  pacesim completions bash > ~/.local/share/bash-completion/completions/pacesim
  pacesim completions zsh > \"${fpath[1]}/_pacesim\"
  pacesim completions fish > ~/.config/fish/completions/pacesim.fish")]
    Completions {
        /// The shell.
        shell: Shell,
    },
    /// Print the manual: one page for the program and one for each command, with its options.
    #[command(after_help = "\
Examples:
  pacesim man | man -l -                                    all pages
  pacesim man run | man -l -                                that of one command
  pacesim man > ~/.local/share/man/man1/pacesim.1
  pacesim man run > ~/.local/share/man/man1/pacesim-run.1")]
    Man {
        /// Only the page of this command.
        command: Option<String>,
    },
}

/// The scenario, and what to change in it.
#[derive(Debug, Args)]
pub(crate) struct ScenarioArgs {
    /// The scenario, a TOML file; `-` reads it from standard input.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// Change a value of the scenario; may be repeated.
    #[arg(long = "set", value_name = "KEY.PATH=VALUE")]
    pub(crate) sets: Vec<String>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pacesim run scenarios/dumbbell.toml
  pacesim run my.toml --set run.duration=10s --set topology.bottleneck.buffer=20pkts
  pacesim run my.toml --seed 7 --out results/seed7
  pacesim run my.toml --replications 10        mean ± 95 % confidence of each metric
  pacesim run study.toml --point 3 --replication 1      one run of a study again
  pacesim run my.toml --json | jq .links
  pacesim new dumbbell | pacesim run -

Tables go to standard output, progress and messages to standard error. The results folder
holds summary.json, manifest.json, the resolved scenario.toml with its files, and flows, links, transfers
and series as Parquet files, which open in DuckDB, Polars, pandas and R; packets too, if the
scenario asks for them. Speed is by the wall clock, without the time to write files.")]
pub(crate) struct RunArgs {
    #[command(flatten)]
    pub(crate) scenario: ScenarioArgs,

    /// The seed of all random streams, instead of the scenario's.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(..=i64::MAX as u64))]
    pub(crate) seed: Option<u64>,

    /// Run N independent replications and print means with 95 % confidence; Ctrl-C keeps
    /// those that are finished.
    #[arg(long, value_name = "N", value_parser = replications)]
    pub(crate) replications: Option<u64>,

    /// Which point of a study, by its number; `sweep --dry-run` lists them.
    #[arg(long, value_name = "N")]
    pub(crate) point: Option<u64>,

    /// Which replication, from 0: the same run as in a study or with --replications.
    #[arg(long, value_name = "N", conflicts_with = "replications")]
    pub(crate) replication: Option<u64>,

    /// How many replications at a time; as many as there are cores, if not given.
    #[arg(long, value_name = "N", value_parser = jobs, requires = "replications")]
    pub(crate) jobs: Option<NonZeroUsize>,

    #[command(flatten)]
    pub(crate) limits: LimitArgs,

    /// Write a results folder; it has this name only once it is complete.
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,

    /// Replace DIR if it holds results of pacesim, unchanged, and nothing else.
    #[arg(long, requires = "out")]
    pub(crate) force: bool,

    /// Print one JSON document instead of tables.
    #[arg(long)]
    pub(crate) json: bool,

    /// No progress and no messages; errors and results only.
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pacesim sweep study.toml --dry-run           the points, what is done, what the rest will take
  pacesim sweep study.toml                     run what is missing, on all cores
  pacesim sweep study.toml --replications 10   more of them: only those that are missing run
  pacesim sweep study.toml --precision 2%      as many at each point as its numbers need
  pacesim sweep study.toml --set run.duration=10s --out results/short
  pacesim sweep study.toml --json | jq '.points[].means'
  pacesim run study.toml --point 3 --replication 1     one of the runs again
  pacesim sweep study.toml --shard 3/200       one part of it, for `pacesim merge`
  pacesim sweep study.toml --on slurm --shards 200 -- --time=1:00:00     all parts on a cluster
  pacesim sweep study.toml --status            how far they are

A study is a scenario with a table [sweep] that says what varies (docs/study.md).
Its folder, results/NAME or --out DIR, holds store.sqlite with every run that was ever finished, and
runs.parquet, summary.parquet and wide.parquet (docs/results.md), and the recordings of the points that `keep`
in [sweep] names. Nothing that is finished is
lost: after Ctrl-C, a kill, a crash or an edit the same command runs only what is missing. The tables
do not depend on --jobs, nor on how often the sweep was stopped.")]
pub(crate) struct SweepArgs {
    #[command(flatten)]
    pub(crate) scenario: ScenarioArgs,

    /// The seed of all random streams, instead of the scenarios'.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(..=i64::MAX as u64))]
    pub(crate) seed: Option<u64>,

    /// How many independent replications each point has, instead of what the study says.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) replications: Option<u64>,

    /// Repeat each point until half the width of its intervals is at most this share of the mean, such as 2%:
    /// of the numbers that `precise` in the study names, or else of those that figures and claims are about.
    /// Looked at after each 5 replications, the asked number at least and `most` at most.
    #[arg(long, value_name = "SHARE", value_parser = pacesim_lab::study::precision)]
    pub(crate) precision: Option<f64>,

    /// How many runs at a time; as many as there are cores, if not given.
    #[arg(long, value_name = "N", value_parser = jobs)]
    pub(crate) jobs: Option<NonZeroUsize>,

    /// Multiply simulated times and replications by this, but leave five of these where there are as many: 0.1 is
    /// a first look at a long study. Claims that need more are not judged.
    #[arg(long, value_name = "X", default_value_t = 1.0, value_parser = scale)]
    pub(crate) scale: f64,

    /// The folder of the study, instead of results/NAME.
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,

    /// List the points, what is done and what the rest will take; keep nothing.
    #[arg(long)]
    pub(crate) dry_run: bool,

    #[command(flatten)]
    pub(crate) limits: StoreLimitArgs,

    #[command(flatten, next_help_heading = "Parts, and many machines")]
    pub(crate) campaign: CampaignArgs,

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

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pacesim new tune > buffer.toml               the least buffer that keeps a link busy
  pacesim tune buffer.toml
  pacesim tune buffer.toml --set tune.most=100 where intervals are too wide to tell
  pacesim tune buffer.toml --json | jq '.cases[].found'

A study with a table [tune] names the axes that are searched, what shall be least or greatest, and what
must hold (docs/study.md). Every combination of the values of its other axes has a search of its own. Points are
run a few times, and more often where their intervals leave open which is better; they are kept in the
store of the study, so that the same command runs nothing again and goes on where it was stopped. The answer does
not depend on --jobs. tuned.parquet has it, the other tables have every point that was tried.")]
pub(crate) struct TuneArgs {
    #[command(flatten)]
    pub(crate) scenario: ScenarioArgs,

    /// The seed of all random streams, instead of the scenarios'.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(..=i64::MAX as u64))]
    pub(crate) seed: Option<u64>,

    /// How many replications a point has at first, instead of what the study says; at least 3.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) replications: Option<u64>,

    /// How many runs at a time; as many as there are cores, if not given.
    #[arg(long, value_name = "N", value_parser = jobs)]
    pub(crate) jobs: Option<NonZeroUsize>,

    /// Multiply simulated times and replications by this, but leave five of these where there are as many: 0.1 is
    /// a first look at a long search.
    #[arg(long, value_name = "X", default_value_t = 1.0, value_parser = scale)]
    pub(crate) scale: f64,

    /// The folder of the study, instead of results/NAME.
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) limits: StoreLimitArgs,

    /// End with 1 if a search finds nothing, or a claim of the study differs.
    #[arg(long)]
    pub(crate) strict: bool,

    /// Print one JSON document instead of tables.
    #[arg(long)]
    pub(crate) json: bool,

    /// No progress and no messages; errors and results only.
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pacesim plot buffers.toml                      results/buffers/figures/NAME.svg
  pacesim plot buffers.toml --format pdf         for a paper
  pacesim plot buffers.toml --format png --to .  beside the study
  pacesim plot results/buffers --format pdf      without the study's file, from anywhere

The folder of a study holds the text that it was last swept with, so it is enough. Runs nothing: points that are not in the store are left out of the figures. After a change of labels or
scales in the study this is all it takes. Files that exist already and would change are replaced with
--force only.")]
pub(crate) struct PlotArgs {
    /// The study, a TOML file, or the folder that a sweep of it filled; `-` reads a file from
    /// standard input.
    #[arg(value_name = "STUDY-OR-DIR")]
    pub(crate) study: PathBuf,

    /// Change a value of the study; may be repeated.
    #[arg(long = "set", value_name = "KEY.PATH=VALUE")]
    pub(crate) sets: Vec<String>,

    /// The seed that the study was swept with, if not the scenarios'.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(..=i64::MAX as u64))]
    pub(crate) seed: Option<u64>,

    /// Use N replications of each point, instead of what the study says.
    #[arg(long, value_name = "N", value_parser = replications)]
    pub(crate) replications: Option<u64>,

    /// The precision that the study was swept with, if not its own.
    #[arg(long, value_name = "SHARE", value_parser = pacesim_lab::study::precision)]
    pub(crate) precision: Option<f64>,

    /// The scale that the study was swept at.
    #[arg(long, value_name = "X", default_value_t = 1.0, value_parser = scale)]
    pub(crate) scale: f64,

    /// The folder of the study, instead of results/NAME.
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,

    /// The kind of files: svg, png or pdf; may be repeated.
    #[arg(long = "format", value_name = "KIND", default_value = "svg")]
    pub(crate) formats: Vec<String>,

    /// Only this figure; may be repeated.
    #[arg(long = "plot", value_name = "NAME")]
    pub(crate) plots: Vec<String>,

    /// Where to put the files, instead of the folder figures of the study.
    #[arg(long, value_name = "DIR")]
    pub(crate) to: Option<PathBuf>,

    /// Replace files that exist.
    #[arg(long)]
    pub(crate) force: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pacesim compare results/paced results/plain          two runs, or two folders of replications
  pacesim compare results/buffers results/wide         two studies, point by point
  pacesim compare old.csv scenarios/fingerprints.csv   two files of fingerprints
  pacesim compare a b --json | jq '.differences[0]'

Points of studies are matched by the values of their axes, numbers by their names. Runs of the same seed and
replication are compared one by one, with the 95 % interval of their differences; without any such runs it is
that of the difference of means (Welch). The largest differences in proportion come first; behind them
those whose interval holds zero.

Exits as diff does: with 0 if all is the same, with 1 if something differs, with 2 if the two cannot be
compared.")]
pub(crate) struct CompareArgs {
    /// A results folder, the folder of a study, or a file of fingerprints.
    #[arg(value_name = "A")]
    pub(crate) a: PathBuf,

    /// Another of the same kind.
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
#[command(after_help = "\
Examples:
  pacesim verify results/buffers              every run of a study's store, by its digest
  pacesim verify results/one --again 1        and one run made again

Exits with 0 if everything is what was written, with 1 if something is not, with 2 if the folder cannot be
checked. `pacesim sweep` makes damaged runs of a study again.")]
pub(crate) struct VerifyArgs {
    /// A results folder, or the folder of a study.
    #[arg(value_name = "FOLDER")]
    pub(crate) folder: PathBuf,

    /// Make this number of runs again, and compare them with those that were kept.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) again: u64,

    /// The seed that picks the runs.
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    pub(crate) seed: u64,

    /// Print one JSON document.
    #[arg(long)]
    pub(crate) json: bool,

    /// Show no progress.
    #[arg(long)]
    pub(crate) quiet: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pacesim solve --list                                 the models
  pacesim solve bulk --params                          what one of them takes
  pacesim solve mm1k --set load=0.8 --set places=5     loss of a small queue
  pacesim solve fec --set loads=0.2,0.3 --plot fec.svg
  pacesim solve qlbp --table step --plot step.svg      draw one of its tables
  pacesim solve anomaly --json | jq .results.scalars
  pacesim solve --scenario my.toml --port core         theory for a port of a scenario

With --scenario the rates and sizes come from the flows that pass the port, --set changes
the scenario, and every assumption that the model makes is reported.
Exits with 2 if a name or a value is wrong, or no model fits the port.")]
pub(crate) struct SolveArgs {
    /// The model; see --list.
    #[arg(required_unless_present_any = ["list", "scenario"])]
    pub(crate) model: Option<String>,

    /// Give a parameter a value (or, with --scenario, change the scenario); may be repeated.
    #[arg(long = "set", value_name = "NAME=VALUE")]
    pub(crate) sets: Vec<String>,

    /// List the models.
    #[arg(long, exclusive = true)]
    pub(crate) list: bool,

    /// List the parameters of the model: kind, default, range, meaning.
    #[arg(long, requires = "model")]
    pub(crate) params: bool,

    /// Solve what fits a port of this scenario.
    #[arg(long, value_name = "FILE", requires = "port", conflicts_with = "model")]
    pub(crate) scenario: Option<PathBuf>,

    /// The port, by the name of its link.
    #[arg(long, value_name = "NAME", requires = "scenario")]
    pub(crate) port: Option<String>,

    /// Print one JSON document instead of tables.
    #[arg(long)]
    pub(crate) json: bool,

    /// Write every number to a Parquet file: table, row, column, value.
    #[arg(long, value_name = "FILE")]
    pub(crate) parquet: Option<PathBuf>,

    /// Draw a table's curves as a picture: FILE.svg, FILE.png or FILE.pdf.
    #[arg(long, value_name = "FILE")]
    pub(crate) plot: Option<PathBuf>,

    /// Replace the files of --parquet and --plot if they exist.
    #[arg(long)]
    pub(crate) force: bool,

    /// The table to print and draw; without it all are printed, and the first with curves is drawn.
    #[arg(long, value_name = "NAME")]
    pub(crate) table: Option<String>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pacesim reproduce --list                     the experiments, and what came of them last
  pacesim reproduce edge/fig3                  one of them
  pacesim reproduce zerobuf qlbp11/law         all of a paper, and one of another
  pacesim reproduce all --scale 0.1            a quick look at everything
  pacesim reproduce all --dry-run              what that would cost
  pacesim reproduce edge/fig3 --show .         its files, to start a study of your own
  pacesim reproduce qlbp11/fig16 --input in.cvec     of recorded connections, in place of what stands for them
  pacesim reproduce my/buffers --catalogue .   a study of your own, my/buffers.study.toml, beside them
  pacesim reproduce edge/fig9 --json | jq .claims

Every claim comes out as PASS, DIFFERS (with both numbers), UNDECIDED (the interval is too wide to tell), NOT RUN
(the run was too short), or NOT YET. Each experiment is kept in results/reproduce/PAPER-ID, or in a folder of
--out DIR: claims.json, table.md, and its figures; of a study also its store and tables (`pacesim sweep`), so that the
same command goes on where it was stopped and runs nothing twice.

Exits with 0 also if claims differ (1 with --strict), with 2 if a name is unknown, and with 3 if
an experiment that was asked for by its id cannot be run yet.")]
pub(crate) struct ReproduceArgs {
    /// Experiments by id, all of a paper by its name, or `all`; see --list.
    #[arg(value_name = "ID", required_unless_present_any = ["list", "report"])]
    pub(crate) ids: Vec<String>,

    /// List the experiments, and the verdicts of what is kept of them.
    #[arg(long, conflicts_with = "ids")]
    pub(crate) list: bool,

    /// Write a page of everything that is kept, after running what is named: verdicts, reasons, figures, scale and
    /// digests, and beside it the findings as JSON.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["list", "show", "dry_run"])]
    pub(crate) report: Option<PathBuf>,

    /// Write the files of these studies into DIR instead of running them.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["list", "report", "dry_run"])]
    pub(crate) show: Option<PathBuf>,

    /// Run the experiment of a recording that does not ship, in place of what stands for it, and keep that in a folder of its
    /// own: of connection vectors (qlbp11/fig16) or video frames (zerobuf/fig6).
    #[arg(long, value_name = "FILE", conflicts_with_all = ["list", "report", "show"])]
    pub(crate) input: Option<PathBuf>,

    /// Say what would be run, and what that would cost.
    #[arg(long, conflicts_with_all = ["list", "report"])]
    pub(crate) dry_run: bool,

    /// Add the studies of DIR, and of the folders in it: each NAME.study.toml is an experiment NAME.
    #[arg(long, value_name = "DIR")]
    pub(crate) catalogue: Vec<PathBuf>,

    /// Multiply simulated times and replications, but leave five of these where there are as many; never flows,
    /// rates or buffers.
    #[arg(long, value_name = "S", default_value = "1", value_parser = scale)]
    pub(crate) scale: f64,

    /// The seed of all random streams, instead of the experiments' own.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(..=i64::MAX as u64))]
    pub(crate) seed: Option<u64>,

    /// How many runs at a time; as many as there are cores, if not given.
    #[arg(long, value_name = "N", value_parser = jobs)]
    pub(crate) jobs: Option<NonZeroUsize>,

    #[command(flatten)]
    pub(crate) limits: StoreLimitArgs,

    /// The folder of all results, each experiment in a folder of its own.
    #[arg(long, value_name = "DIR", default_value = "results/reproduce")]
    pub(crate) out: PathBuf,

    /// Replace folders that hold other results of pacesim, and files that --show or --report find there.
    #[arg(long)]
    pub(crate) force: bool,

    /// Exit with 1 if a claim differs.
    #[arg(long)]
    pub(crate) strict: bool,

    /// Print one JSON document instead of tables.
    #[arg(long)]
    pub(crate) json: bool,

    /// No progress and no messages; errors and results only.
    #[arg(long, short)]
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

fn scale(text: &str) -> Result<f64, String> {
    use pacesim_lab::study::{LEAST_SCALE, MOST_SCALE};
    let number = text.parse().ok();
    number
        .filter(|scale| (LEAST_SCALE..=MOST_SCALE).contains(scale))
        .ok_or_else(|| format!("a number from {LEAST_SCALE} to {MOST_SCALE}, such as 0.1"))
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pacesim check my.toml
  pacesim check my.toml --set run.seed=7
  pacesim check study.toml              every point of it
  pacesim check my.toml --json | jq -r '.problems[] | \"\\(.line): \\(.message)\"'

Warnings are of what is allowed but can hardly be meant; they go to standard error.
Exits with 0 if there is no mistake, with or without warnings, else with 2.")]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    pub(crate) scenario: ScenarioArgs,

    /// Print problems and warnings as one JSON document.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pacesim new --list
  pacesim new dumbbell -o my.toml
  pacesim new dumbbell | pacesim run -

Editors complete keys with the JSON Schema that `pacesim schema` prints; its help says how.")]
pub(crate) struct NewArgs {
    /// The template to write; see --list.
    #[arg(default_value = "dumbbell")]
    pub(crate) template: String,

    /// List the templates and what they show.
    #[arg(long)]
    pub(crate) list: bool,

    /// Write to this file, which must not exist, instead of standard output.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}
