//! The program `pacesim`: arguments, terminal, clock and exit codes around
//! `pacesim-lab`.

mod args;
mod command;
mod exit;
mod host;
mod numbers;
mod output;
mod picture;
mod problems;
mod progress;
mod reproduction;
mod signals;
mod solution;
mod tables;

use std::process::ExitCode;

use clap::Parser;

use args::{Cli, Command};
use exit::Outcome;

fn main() -> ExitCode {
    signals::outlive_file_limits();
    let outcome = match Cli::parse().command {
        Command::Run(args) => command::run(&args),
        Command::Reproduce(args) => command::reproduce(&args),
        Command::Solve(args) => command::solve(&args),
        Command::Check(args) => command::check(&args),
        Command::New(args) => command::new(&args),
        Command::Schema => command::schema(),
        Command::Version { json } => command::version(json),
        Command::Completions { shell } => command::completions(shell),
        Command::Man { command } => command::man(command.as_deref()),
    };
    let outcome = outcome.unwrap_or_else(|error| {
        output::complain(error);
        Outcome::Failed
    });
    outcome.into()
}
