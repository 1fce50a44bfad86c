//! The command line and its help texts.

mod campaign;
mod evaluate;
mod folders;
mod limits;
mod live;
mod reproduce;
mod run;
mod seeing;
mod solve;
mod study;
mod values;

use std::path::PathBuf;

use clap::builder::Styles;
use clap::builder::styling::AnsiColor;
use clap::{Args, Parser, Subcommand};
use clap_complete::Shell;

pub(crate) use campaign::{CampaignArgs, Engine, MergeArgs};
pub(crate) use evaluate::EvaluateArgs;
pub(crate) use folders::{CompareArgs, VerifyArgs};
pub(crate) use limits::LimitArgs;
pub(crate) use limits::StoreLimitArgs;
pub(crate) use live::LiveArgs;
pub(crate) use reproduce::ReproduceArgs;
pub(crate) use run::{CheckArgs, PhasesArgs, RunArgs, ScenarioArgs};
pub(crate) use seeing::{AtWord, DiffArgs, ExplainArgs, ExportArgs, FormatWord, ReportArgs};
pub(crate) use solve::SolveArgs;
pub(crate) use study::{PlotArgs, StyleArg, SweepArgs, TuneArgs};

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
    /// Carry real hosts of this machine through a scenario, in real time.
    Live(LiveArgs),
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
    /// Try a congestion control: alone, beside others, through losses and changes.
    Evaluate(EvaluateArgs),
    /// Find all mistakes in a scenario, without running it.
    Check(CheckArgs),
    /// Tell the numbers of a scenario that hang on a phase.
    Phases(PhasesArgs),
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
    /// A transport: both ends of a flow.
    End,
    /// An application: two sides that answer each other, over any transport.
    Application,
    /// A middlebox behind the wire of a link.
    Middlebox,
    /// A loss model of a link.
    Loss,
    /// A measure of studies.
    Measure,
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
  pacesim metrics --of buffers.study.toml p99     of its own groups and measures
  pacesim metrics --json

In a study NAME is a group of flows, a link or a [[fec]] entry: y = \"flows.web.goodput_bps\".")]
pub(crate) struct MetricsArgs {
    /// Part of a name or meaning, in any case.
    pub(crate) pattern: Option<String>,

    /// List the numbers of this scenario or study by its own names, with those of its measures; the first of links alike.
    #[arg(long, value_name = "FILE")]
    pub(crate) of: Option<PathBuf>,

    /// Print one JSON document.
    #[arg(long)]
    pub(crate) json: bool,
}
