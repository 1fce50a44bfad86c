//! Arguments of `pacesim solve`.

use std::path::PathBuf;

use clap::Args;

use super::EXAMPLES_FIRST;

#[derive(Debug, Args)]
#[command(help_template = EXAMPLES_FIRST, after_help = "\
Examples:
  pacesim solve --list                               list the models
  pacesim solve bulk --params                        list a model's parameters
  pacesim solve mm1k --set load=0.8 --set places=5   loss of a small queue
  pacesim solve fec --set loads=0.2,0.3 --plot fec.svg
  pacesim solve qlbp --table step --plot step.svg    draw one table
  pacesim solve anomaly --json | jq .results.scalars
  pacesim solve --scenario my.toml --port core       theory for a port
  pacesim solve ecmp --scenario my.toml              fair shares of flows

With --scenario the rates and sizes come from the flows that pass the port, --set changes the \
scenario, and every assumption of the model is reported. Exits with 2 if a name or a value is wrong, \
or no model fits the port.")]
pub(crate) struct SolveArgs {
    /// Name of the model; see --list.
    #[arg(required_unless_present_any = ["list", "scenario"])]
    pub(crate) model: Option<String>,

    /// Set a parameter (or, with --scenario, a value of the scenario); may be repeated.
    #[arg(long = "set", value_name = "NAME=VALUE")]
    pub(crate) sets: Vec<String>,

    /// List the models.
    #[arg(long, exclusive = true)]
    pub(crate) list: bool,

    /// List the parameters of the model: kind, default, range, meaning.
    #[arg(long, requires = "model")]
    pub(crate) params: bool,

    /// Solve the model that fits a port of this scenario; or, for ecmp, give the max-min fair shares
    /// of its flows on their paths.
    #[arg(long, value_name = "FILE")]
    pub(crate) scenario: Option<PathBuf>,

    /// Port, by the name of its link.
    #[arg(
        long,
        value_name = "NAME",
        requires = "scenario",
        conflicts_with = "model"
    )]
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

    /// Replace existing files of --parquet and --plot.
    #[arg(long)]
    pub(crate) force: bool,

    /// Table to print and draw; by default all are printed, and the first with curves is drawn.
    #[arg(long, value_name = "NAME")]
    pub(crate) table: Option<String>,
}
