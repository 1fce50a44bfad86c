//! Arguments of the commands that look into recordings.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::EXAMPLES_FIRST;

#[derive(Debug, Args)]
#[command(help_template = EXAMPLES_FIRST, after_help = "\
Examples:
  pacesim export results --to pcapng -o run.pcapng      for Wireshark
  pacesim export results --to pcapng --at senders       packets at senders
  pacesim export results --to csv --flow 'burst[3]'     events in order of time
  pacesim export results --to qlog -o run.sqlog         senders, for qvis
  pacesim export results --to perfetto                  for ui.perfetto.dev

RESULTS is the folder of one run whose scenario records packets or senders: `packets = {}`, \
`tcp = {}`, and for other transports `ends = {}` in [output]. Memory is bounded however long the \
recording is. docs/seeing.md says which fields of a capture are recorded and which are derived.")]
pub(crate) struct ExportArgs {
    /// Results folder of one run.
    #[arg(value_name = "RESULTS")]
    pub(crate) results: PathBuf,

    /// Format of the file.
    #[arg(long, value_name = "FORMAT")]
    pub(crate) to: FormatWord,

    /// Write to this file, which must not exist; by default RESULTS.pcapng, .csv, .sqlog, .pftrace.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Only this flow, such as burst[3]; may be repeated.
    #[arg(long, value_name = "FLOW")]
    pub(crate) flow: Vec<String>,

    /// Only packets at this link; may be repeated.
    #[arg(long, value_name = "LINK")]
    pub(crate) link: Vec<String>,

    /// Place of a packet capture.
    #[arg(long, value_name = "PLACE", default_value = "ports")]
    pub(crate) at: AtWord,
}

/// Formats by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FormatWord {
    /// Packet capture for Wireshark.
    Pcapng,
    /// One line per event.
    Csv,
    /// Events of senders.
    Qlog,
    /// Tracks for ui.perfetto.dev.
    Perfetto,
}

/// Places by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum AtWord {
    /// All recorded ports, where packets leave or are dropped.
    Ports,
    /// Sources of flows.
    Senders,
    /// Sinks of flows.
    Receivers,
}

#[derive(Debug, Args)]
#[command(help_template = EXAMPLES_FIRST, after_help = "\
Examples:
  pacesim explain results --flow 'burst[3]' --packet 1207   its way by hops
  pacesim explain results --at 12.3s                        ports and senders
  pacesim explain results --at 12.3s --flow 'burst[3]'      events of a flow
  pacesim explain results --why-slow 'burst[3]'             limits and losses

Answers come from recordings: `packets = {}` and `tcp = {}` in [output], `ends = {}` for transports \
other than TCP. If one is missing, the message names the key that records it.")]
#[command(
    override_usage = "pacesim explain [OPTIONS] <RESULTS> <--packet N|--at TIME|--why-slow FLOW>"
)]
#[command(group = clap::ArgGroup::new("question").required(true).args(["packet", "at", "why_slow"]))]
pub(crate) struct ExplainArgs {
    /// Results folder of one run.
    #[arg(value_name = "RESULTS")]
    pub(crate) results: PathBuf,

    /// Flow, such as burst[3].
    #[arg(long, value_name = "FLOW")]
    pub(crate) flow: Option<String>,

    /// Number of a packet of the flow.
    #[arg(long, value_name = "N", requires = "flow")]
    pub(crate) packet: Option<u64>,

    /// Moment, such as 12.3s.
    #[arg(long, value_name = "TIME")]
    pub(crate) at: Option<String>,

    /// Flow whose limits to explain.
    #[arg(long, value_name = "FLOW", conflicts_with = "flow")]
    pub(crate) why_slow: Option<String>,

    /// Print one JSON document instead of text.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
#[command(help_template = EXAMPLES_FIRST, after_help = "\
Examples:
  pacesim diff results/before results/after
  pacesim diff old/replication-0 new/replication-0
  pacesim diff results/sack ns2.json --flow f        a trace of ns-2

Walks through the recordings of two runs, and stops at the first event that only one of them has; \
then lists how their numbers differ, as `pacesim compare` does. Exits with 0 if the recordings are \
the same, with 1 if they diverge, with 2 if they cannot be matched.")]
pub(crate) struct DiffArgs {
    /// Results folder of one run.
    #[arg(value_name = "A")]
    pub(crate) a: PathBuf,

    /// Results folder of another run of the same network, or a trace of ns-2 (JSON) or Linux (CSV).
    #[arg(value_name = "B")]
    pub(crate) b: PathBuf,

    /// Flow to compare with a trace; may be omitted if there is only one.
    #[arg(long, value_name = "FLOW")]
    pub(crate) flow: Option<String>,

    /// Distance of times that counts as equal to a trace's; by default 1us for ns-2, 100us for Linux.
    #[arg(long, value_name = "TIME")]
    pub(crate) within: Option<String>,

    /// Print one JSON document instead of text.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
#[command(help_template = EXAMPLES_FIRST, after_help = "\
Examples:
  pacesim report results -o report.html
  pacesim report results -o flow3.html --flow 'burst[3]'   one flow's packets
  pacesim report results/buffers -o buffers.html           a study
  pacesim report results/reproduce -o papers.html          all experiments

The file needs no network and no other file. A run with recordings (`packets = {}` and `tcp = {}` \
in [output]) has the time-sequence view of each flow above its window and the queue.")]
pub(crate) struct ReportArgs {
    /// Folder of a run, of replications or of a study, or a folder of such studies.
    #[arg(value_name = "RESULTS")]
    pub(crate) results: PathBuf,

    /// Write to this file, which must not exist.
    #[arg(short, long, value_name = "FILE", default_value = "report.html")]
    pub(crate) output: PathBuf,

    /// Only packets of this flow; may be repeated.
    #[arg(long, value_name = "FLOW")]
    pub(crate) flow: Vec<String>,
}
