//! The program `pacesim` as a library: arguments, terminal, clock and exit codes around `pacesim-lab`.
//!
//! Programs with their own parts are written against `pacesim-app`, which re-exports this.

mod args;
mod campaign;
mod care;
mod ci;
mod columns;
mod command;
mod contrast;
mod declared;
mod engine;
mod evaluation;
mod exit;
mod grid;
mod invocation;
mod junit;
#[cfg(all(feature = "live", target_os = "linux"))]
mod living;
mod monitor;
mod numbers;
mod output;
mod picture;
mod progress;
mod reality;
mod reproduction;
mod search;
mod signals;
mod solution;
mod statement;
mod tables;
mod transfers;
mod units;

use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

use clap::Parser;
use pacesim_lab::parts::{Parts, install};

use args::{Cli, Command};
use exit::Outcome;

/// The program, with these parts in addition to the built-in ones. The default version of a part is
/// that of the program's file, so that sweeps repeat its runs after each change.
pub fn main_with(parts: Parts) -> ExitCode {
    run(parts).into()
}

/// The program with a command line other than the process's, for a program that embeds it: the
/// first argument is the file to start for another instance. Returns the exit code.
pub fn main_of(parts: Parts, arguments: Vec<OsString>) -> u8 {
    invocation::give(arguments);
    let code = run(parts).code();
    // An embedding process may end without flushing the last line.
    let _ = std::io::stdout().flush();
    code
}

fn run(parts: Parts) -> Outcome {
    signals::outlive_file_limits();
    let measures = pacesim_lab::study::built_in_measures();
    if let Err(unusable) = install(parts, &measures, pacesim_front::host::program_digest) {
        return fail(unusable, Outcome::Invalid);
    }
    let cli = match Cli::try_parse_from(invocation::arguments_os()) {
        Ok(cli) => cli,
        Err(error) if error.use_stderr() && wants_json() => {
            let text = error.render().to_string();
            return fail(
                text.trim_start_matches("error: ").trim_end(),
                Outcome::Invalid,
            );
        }
        Err(error) => error.exit(),
    };
    let outcome = match cli.command {
        Command::Run(args) => command::run(&args),
        Command::Live(args) => command::live(&args),
        Command::Sweep(args) => command::sweep(&args),
        Command::Merge(args) => command::merge(&args),
        Command::Plot(args) => command::plot(&args),
        Command::Compare(args) => command::compare(&args),
        Command::Diff(args) => command::diff(&args),
        Command::Explain(args) => command::explain(&args),
        Command::Export(args) => command::export(&args),
        Command::Report(args) => command::write_report(&args),
        Command::Verify(args) => command::verify(&args),
        Command::Tune(args) => command::tune(&args),
        Command::Reproduce(args) => command::reproduce(&args),
        Command::Evaluate(args) => command::evaluate(&args),
        Command::Solve(args) => command::solve(&args),
        Command::Check(args) => command::check(&args),
        Command::Phases(args) => command::phases(&args),
        Command::Metrics(args) => command::metrics(&args),
        Command::New(args) => command::new(&args),
        Command::Schema { reference } => command::schema(reference),
        Command::Version { cite: true, .. } => command::cite(),
        Command::Version { json, .. } => command::version(json),
        Command::Completions { shell } => command::completions(shell),
        Command::Man { command } => command::man(command.as_deref()),
    };
    match outcome {
        Ok(outcome) => outcome,
        Err(error) => fail(error, Outcome::Failed),
    }
}

/// True if errors should be JSON, before the command line is parsed or independent of the command.
fn wants_json() -> bool {
    invocation::arguments()
        .iter()
        .any(|argument| argument == "--json")
}

/// Reports an error not yet reported by a command.
fn fail(error: impl std::fmt::Display, outcome: Outcome) -> Outcome {
    let written = if wants_json() {
        output::print(&pacesim_front::problems::error_json(&error))
    } else {
        output::complain(&error);
        Ok(())
    };
    // If standard output is closed, standard error may still be open.
    written.unwrap_or_else(|_| output::complain(&error));
    outcome
}
