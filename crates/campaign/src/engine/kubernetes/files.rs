//! The files needed by the pods of a study.

use std::collections::BTreeSet;
use std::path::Path;

use pacesim_store::sweep::Sweep;
use pacesim_sweep::error::SweepError;

use super::StudyFiles;
use crate::engine::error::EngineError;

impl StudyFiles {
    /// The file of a study, and all files named by it and by the scenarios of its points.
    pub fn of(sweep: &Sweep<'_>, file: &Path) -> Result<StudyFiles, EngineError> {
        StudyFiles::read(file, &names(sweep)?).map_err(EngineError::invalid)
    }
}

/// The files named by a study and by the scenarios of its points, relative to it.
fn names(sweep: &Sweep<'_>) -> Result<Vec<String>, EngineError> {
    let study = sweep.study;
    let base = study.origin().base.iter().map(|(name, _)| name.clone());
    let mut names: BTreeSet<String> = base.collect();
    for number in study.points() {
        let scenario = study.scenario(number);
        let scenario = scenario.map_err(|problems| SweepError::Problems(problems.0))?;
        names.extend(scenario.scenario().file_names());
    }
    Ok(names.into_iter().collect())
}
