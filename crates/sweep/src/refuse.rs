//! The refusal of plans before any point is checked.

use std::path::Path;

use pacesim::scenario::Problem;
use pacesim_store::sweep::Sweep;
use pacesim_study::Study;

use crate::columns;
use crate::error::SweepError;

/// Refuses plans that can be refused before any point is checked.
pub fn refuse(sweep: &Sweep<'_>) -> Result<(), SweepError> {
    if sweep.study.tune.is_some() {
        let message = "this study searches for the best of its points".to_owned();
        let help = "pacesim tune makes the search; leave [tune] out to run every point".to_owned();
        let problem = sweep.study.problem("tune", message, help);
        return Err(SweepError::Problems(vec![problem]));
    }
    refuse_seed(sweep)?;
    refuse_plan(sweep.study, sweep.replications)
}

/// Refuses a seed that an axis would undo.
pub(crate) fn refuse_seed(sweep: &Sweep<'_>) -> Result<(), SweepError> {
    let undone = match sweep.seed {
        Some(_) => sweep.study.refuse_undone("run.seed", "--seed"),
        None => Ok(()),
    };
    undone.map_err(|problem| SweepError::Problems(vec![*problem]))
}

/// Refuses a plan that `sweep`, or `tune` for a search, cannot carry out; `check` does the same.
pub(crate) fn refuse_plan(study: &Study, replications: u64) -> Result<(), SweepError> {
    const MOST: u64 = 1_000_000;
    if study.tune.is_some() {
        return columns::refuse_equal_names(study);
    }
    let each = match study.precision {
        Some(_) => study.most.max(replications),
        None => replications,
    };
    let points = study.points().count() as u64;
    let runs = points.saturating_mul(each);
    if runs > MOST {
        return Err(SweepError::TooMany { runs, most: MOST });
    }
    let asked = match (study.precision, replications) {
        (Some(_), _) => Some("a precision, which takes replications, is".to_owned()),
        (None, 1) => None,
        (None, replications) => Some(format!("{replications} replications are")),
    };
    if let (Some(batches), Some(asked)) = (study.batches, asked) {
        return Err(SweepError::Batches { batches, asked });
    }
    if study.precision.is_some() && study.precise_numbers().is_empty() {
        return Err(SweepError::NothingPrecise);
    }
    columns::refuse_equal_names(study)
}

/// Mistakes of the plan in a study's file for which `sweep` or `tune` would refuse it.
pub(crate) fn plan_mistakes(study: &Study) -> Vec<Problem> {
    let name = &study.name;
    // A name given in the file has already been checked.
    let is_of_file = *name == study.origin().stem;
    if is_of_file
        && Path::new(name)
            .file_name()
            .is_none_or(|file| *file != **name)
    {
        let message = format!("\"{name}\" cannot be the name of a folder");
        let help = "results are kept in results/NAME: choose a name without slashes".to_owned();
        return vec![study.problem("name", message, help)];
    }
    match refuse_plan(study, study.replications) {
        Ok(()) => Vec::new(),
        Err(SweepError::Problems(problems)) => problems,
        Err(error) => {
            let help = "change the table [sweep]".to_owned();
            vec![study.problem("sweep", error.to_string(), help)]
        }
    }
}
