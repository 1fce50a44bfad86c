//! The commands.

mod check;
mod compare;
mod generate;
mod merge;
mod new;
mod part;
mod plot;
mod reproduce;
mod run;
mod solve;
mod submit;
mod sweep;
mod tune;
mod verify;

use std::io;
use std::path::Path;

use pacesim_lab::input::{self, Rejected, StudyInput};

pub(crate) use check::check;
pub(crate) use compare::compare;
pub(crate) use generate::{completions, man, schema, version};
pub(crate) use merge::merge;
pub(crate) use new::new;
pub(crate) use plot::plot;
pub(crate) use reproduce::reproduce;
pub(crate) use run::run;
pub(crate) use solve::solve;
pub(crate) use sweep::sweep;
pub(crate) use tune::tune;
pub(crate) use verify::verify;

use crate::args::ScenarioArgs;
use crate::exit::Outcome;
use crate::output::{WIDTH, complain, print, report};
use crate::problems;

/// What a command ends with; an error is one of standard output or a new file.
pub(crate) type Ended = io::Result<Outcome>;

/// Ends with what is wrong with a scenario, for people or for programs.
fn refuse(as_json: bool, rejected: &Rejected) -> Ended {
    match as_json {
        true => print(&problems::rejected_json(rejected))?,
        false => report(&problems::render(rejected, WIDTH)),
    }
    Ok(Outcome::Invalid)
}

/// Ends with an error that is none of a scenario, for people or for programs.
fn fail(as_json: bool, outcome: Outcome, error: impl std::fmt::Display) -> Ended {
    match as_json {
        true => print(&problems::error_json(error))?,
        false => complain(error),
    }
    Ok(outcome)
}

/// Reads the study that a command line names; a plain scenario is one of a single point.
fn read(args: &ScenarioArgs) -> Result<StudyInput, Rejected> {
    match args.file == Path::new("-") {
        true => input::study_from_stream(io::stdin().lock(), &args.sets),
        false => input::study_from_file(&args.file, &args.sets),
    }
}
