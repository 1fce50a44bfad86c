//! Complete checks of scenarios and studies from files, shared by the commands that check and that
//! run them.

use std::io::Read;
use std::num::NonZeroUsize;
use std::path::Path;

use pacesim::scenario::{Problem, Problems};
pub use pacesim_runs::input::{Input, NumberName, Rejected, StudyInput};
use pacesim_runs::input::{read_file, read_stream, read_text};
use pacesim_study::{Study, StudyText};

use crate::names;
use crate::points::{Unsound, of_points};
use crate::refuse::plan_mistakes;
pub use crate::warnings::warnings;

/// Reads a scenario from a file and applies changes ("run.duration=10s").
pub fn from_file(path: &Path, sets: &[String]) -> Result<Input, Rejected> {
    study_from_file(path, sets)?.alone()
}

/// Reads a study from a file; a plain scenario is a study of one point.
pub fn study_from_file(path: &Path, sets: &[String]) -> Result<StudyInput, Rejected> {
    read_file(path, sets, all_problems)
}

/// Reads a scenario from a stream such as standard input; the files it names are resolved in the
/// current folder.
pub fn from_stream(stream: impl Read, sets: &[String]) -> Result<Input, Rejected> {
    study_from_stream(stream, sets)?.alone()
}

/// Reads a study from a stream such as standard input; the files it names are resolved in the
/// current folder.
pub fn study_from_stream(stream: impl Read, sets: &[String]) -> Result<StudyInput, Rejected> {
    read_stream(stream, sets, all_problems)
}

/// Reads a study from a text that came from a file of this name in this folder, or from no file.
pub fn study_from_text(
    file: &str,
    text: &str,
    folder: &Path,
    sets: &[String],
) -> Result<StudyInput, Rejected> {
    read_text(file, text, folder, sets, all_problems)
}

/// Checks every point, the figures, the claims and the plan, and counts the points. All mistakes
/// are reported together.
pub fn check(study: &Study, jobs: NonZeroUsize) -> Result<u64, Vec<Problem>> {
    judge(study, PlanReading::Read, jobs)
}

/// Mistakes in figures, claims and the plan, as far as the scenarios show.
pub fn mistakes(study: &Study) -> Vec<Problem> {
    mistakes_as(study, PlanReading::Read)
}

/// All mistakes, if there are any in figures, claims or the plan. Otherwise the points are checked
/// later, during planning.
pub fn judge_tables(study: &Study, jobs: NonZeroUsize) -> Result<(), Vec<Problem>> {
    if mistakes(study).is_empty() {
        Ok(())
    } else {
        check(study, jobs).map(|_| ())
    }
}

/// The reading of a study's plan: as written, or with mistakes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PlanReading {
    Read,
    Misread,
}

/// The check shared by `check` and all commands that run studies: points, figures, claims and plan.
fn judge(study: &Study, plan: PlanReading, jobs: NonZeroUsize) -> Result<u64, Vec<Problem>> {
    let mut mistakes = mistakes_as(study, plan);
    let points = study.points_to_check();
    let bounds = |number, _| study.bounds_at(number).err();
    match of_points(study, points, jobs, bounds, |_| false) {
        Ok(points) => match points.iter().flatten().next() {
            None if mistakes.is_empty() => return Ok(points.len() as u64),
            None => (),
            Some(wrong) => mistakes.extend(wrong.iter().cloned()),
        },
        Err(Unsound::Problems(problems)) => mistakes.extend(problems),
        Err(Unsound::Stopped) => unreachable!("nobody wants an end"),
    }
    Err(mistakes)
}

/// Mistakes in figures, claims and the plan, as far as the scenarios show.
fn mistakes_as(study: &Study, plan: PlanReading) -> Vec<Problem> {
    let mut mistakes = names::mistakes(study);
    if plan == PlanReading::Read {
        mistakes.extend(plan_mistakes(study));
    }
    // A formula may need a number in several ways.
    let mut told = Vec::with_capacity(mistakes.len());
    for mistake in mistakes {
        if !told.contains(&mistake) {
            told.push(mistake);
        }
    }
    told
}

/// All mistakes in a text that has mistakes in its tables or at its first point.
fn all_problems(text: &StudyText, first: Problems) -> Vec<Problem> {
    let understood = text.understand();
    if !understood.has_points {
        return first.0;
    }
    // A plan with mistakes would only cause further ones.
    let plan = if first
        .0
        .iter()
        .any(|problem| problem.path.starts_with("sweep"))
    {
        PlanReading::Misread
    } else {
        PlanReading::Read
    };
    let others = judge(&understood.study, plan, NonZeroUsize::MIN).err();
    let others = Problems(others.unwrap_or_default());
    let lost_axes = understood.study.axes_with(&others.0);
    if lost_axes.is_empty() {
        return first.united(others).0;
    }
    // References to values of an axis cannot be judged before the values have been mended.
    let tables = text.understand_but(&lost_axes).mistakes.err();
    tables.unwrap_or(Problems(Vec::new())).united(others).0
}
