//! The commands of the program.

mod check;
mod compare;
mod division;
mod evaluate;
mod generate;
mod live;
mod merge;
mod metrics;
mod new;
mod part;
mod part_crate;
mod phases;
mod plot;
mod report;
mod reproduce;
mod run;
mod seeing;
mod solve;
mod submit;
mod sweep;
mod tune;
mod twice;
mod verify;

use std::io;
use std::path::Path;

use pacesim_front::problems::{self, Look};
use pacesim_lab::input::{self, Rejected, StudyInput};
use pacesim_lab::tables::place::{explained, is_misplaced};

pub(crate) use check::check;
pub(crate) use compare::compare;
pub(crate) use evaluate::evaluate;
pub(crate) use generate::{cite, completions, man, schema, version};
pub(crate) use live::{before_live, live};
pub(crate) use merge::merge;
pub(crate) use metrics::metrics;
pub(crate) use new::new;
pub(crate) use phases::phases;
pub(crate) use plot::plot;
pub(crate) use report::write_report;
pub(crate) use reproduce::reproduce;
pub(crate) use run::run;
pub(crate) use seeing::{diff, explain, export};
pub(crate) use solve::solve;
pub(crate) use sweep::sweep;
pub(crate) use tune::tune;
pub(crate) use verify::verify;

use crate::args::ScenarioArgs;
use crate::exit::Outcome;
use crate::output::{WIDTH, complain, print, report};

/// The result of a command; an error concerns standard output or a new file.
pub(crate) type Ended = io::Result<Outcome>;

/// Reports the problems of a scenario, as text or JSON, and ends.
fn refuse(as_json: bool, rejected: &Rejected) -> Ended {
    if as_json {
        print(&problems::rejected_json(rejected))?
    } else {
        report(&problems::render(rejected, Look::Styled, WIDTH))
    }
    Ok(Outcome::Invalid)
}

/// Reports an error other than a scenario's, as text or JSON, and ends.
fn fail(as_json: bool, outcome: Outcome, error: impl std::fmt::Display) -> Ended {
    if as_json {
        print(&problems::error_json(error))?
    } else {
        complain(error)
    }
    Ok(outcome)
}

/// Reports an error of the file system at a path, and ends.
fn misplaced(path: &Path, error: &io::Error) -> Ended {
    let outcome = if is_misplaced(error) {
        Outcome::Invalid
    } else {
        Outcome::Failed
    };
    fail(false, outcome, explained(path, error))
}

/// Reads the study named on the command line; a plain scenario is a study of one point.
fn read(args: &ScenarioArgs) -> Result<StudyInput, Rejected> {
    if args.file == Path::new("-") {
        input::study_from_stream(io::stdin().lock(), &args.sets)
    } else {
        input::study_from_file(&args.file, &args.sets)
    }
}
