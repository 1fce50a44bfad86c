//! Arguments of `pacesim live`.

use std::path::PathBuf;

use clap::Args;
use pacesim_lab::Span;

use super::EXAMPLES_FIRST;

#[derive(Debug, Args)]
#[command(help_template = EXAMPLES_FIRST, after_help = "\
Examples:
  pacesim live my.toml                            the flows that are live, or all of them
  pacesim live my.toml --real cubic --out lived   those of one group, and keep the results
  pacesim live my.toml -- iperf3 -c {server}      a program at the first host of [live]
  pacesim live --replay lived                     the same packets without a clock

Needs Linux, and no root if the machine allows user namespaces; a replay needs neither. Exits with 1 \
if the verdict is FAILED, or a replay has another fingerprint.")]
pub(crate) struct LiveArgs {
    /// Scenario, a TOML file.
    #[arg(
        value_name = "FILE",
        required_unless_present = "replay",
        conflicts_with = "replay"
    )]
    pub(crate) file: Option<PathBuf>,

    /// Program for the first host of [live], run by the shell; `{server}` stands for the address of
    /// the host server.
    #[arg(last = true, value_name = "COMMAND", conflicts_with = "replay")]
    pub(crate) command: Vec<String>,

    /// Change a value of the scenario; may be repeated.
    #[arg(long = "set", value_name = "KEY.PATH=VALUE")]
    pub(crate) sets: Vec<String>,

    /// Make the flows of this group live, and no others; may be repeated. By default those that say
    /// so, or all if none does and there is no command.
    #[arg(long, value_name = "GROUP", conflicts_with = "replay")]
    pub(crate) real: Vec<String>,

    /// Seed of the random numbers, in place of the scenario's.
    #[arg(long, conflicts_with = "replay")]
    pub(crate) seed: Option<u64>,

    /// Time of the run by which all commands must have ended. By default only COMMAND must, before
    /// the run does.
    #[arg(long, value_name = "TIME", conflicts_with = "replay")]
    pub(crate) timeout: Option<Span>,

    /// Write the results to this folder.
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,

    /// Replace results that are in that folder.
    #[arg(long, requires = "out")]
    pub(crate) force: bool,

    /// Repeat the live run of a results folder without a clock, and compare its fingerprint.
    #[arg(long, value_name = "DIR")]
    pub(crate) replay: Option<PathBuf>,

    /// Print one JSON document.
    #[arg(long)]
    pub(crate) json: bool,
}
