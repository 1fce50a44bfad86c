//! Arguments of `pacesim live`.

use std::path::PathBuf;

use clap::Args;

use super::EXAMPLES_FIRST;

#[derive(Debug, Args)]
#[command(help_template = EXAMPLES_FIRST, after_help = "\
Examples:
  pacesim live my.toml                            all TCP and CBR flows are real
  pacesim live my.toml --real cubic --out lived   those of one group, and keep the record
  pacesim live --replay lived                     the same packets without a clock

Needs no root if the machine allows user namespaces. Exits with 1 if the verdict is FAILED, or a \
replay has another fingerprint.")]
pub(crate) struct LiveArgs {
    /// Scenario, a TOML file.
    #[arg(
        value_name = "FILE",
        required_unless_present = "replay",
        conflicts_with = "replay"
    )]
    pub(crate) file: Option<PathBuf>,

    /// Change a value of the scenario; may be repeated.
    #[arg(long = "set", value_name = "KEY.PATH=VALUE", conflicts_with = "replay")]
    pub(crate) sets: Vec<String>,

    /// Make the flows of this group real; may be repeated. By default all are, and others are
    /// simulated beside them.
    #[arg(long, value_name = "GROUP", conflicts_with = "replay")]
    pub(crate) real: Vec<String>,

    /// Seed of the random numbers, in place of the scenario's.
    #[arg(long, conflicts_with = "replay")]
    pub(crate) seed: Option<u64>,

    /// Write the record to this new folder: entries, departures and a summary.
    #[arg(long, value_name = "DIR", conflicts_with = "replay")]
    pub(crate) out: Option<PathBuf>,

    /// Feed a record to a world without a clock, and compare its fingerprint.
    #[arg(long, value_name = "DIR")]
    pub(crate) replay: Option<PathBuf>,

    /// Print one JSON document.
    #[arg(long)]
    pub(crate) json: bool,
}
