//! The page of all stored findings: docs/reproduction.md, its figures, and the underlying findings,
//! so that anyone can verify that it follows from one store.

mod kept;
mod messages;
mod numbers;
mod score;
mod settings;
mod text;

use std::fs;
use std::path::{Path, PathBuf};

use pacesim_lab::findings::Findings;
use pacesim_lab::write_complete;

use crate::shipped::ShowError;
use crate::{Catalogue, Experiment, ExperimentKind};

pub use kept::{KeptPage, PageDigest};

/// Writes a page of all experiments with the findings stored in `out`, their figures into a folder
/// next to it, and the findings as JSON. A study without findings in `out` keeps its section of the
/// page if its runs have not changed since, judged by its claims of today; see [`checks_to_repeat`] for the others. Existing files that
/// would change are replaced only with `force`. Returns the number of experiments with findings.
pub fn page(
    catalogue: &Catalogue,
    out: &Path,
    file: &Path,
    force: bool,
) -> Result<usize, ShowError> {
    let pictures = Pictures::beside(file);
    let before = KeptPage::beside(file);
    let mut files = Vec::new();
    let mut kept = KeptPage::default();
    for experiment in catalogue.experiments() {
        let made = crate::kept(experiment, out);
        let is_made = made.is_some();
        let old = || {
            before
                .as_ref()
                .and_then(|page| page.judged_again(experiment))
        };
        let Some(findings) = made.or_else(old) else {
            continue;
        };
        for figure in &findings.figures {
            let path = pictures.path(experiment, figure);
            let from = if is_made {
                out.join(experiment.folder()).join(figure)
            } else {
                path.clone()
            };
            let bytes = fs::read(&from).map_err(|error| ShowError::System(from, error))?;
            kept.add_figure(&pictures.name(experiment, figure), &bytes);
            files.push((path, bytes));
        }
        kept.findings.push(findings);
    }
    for (name, bytes) in kept.figures_of_numbers(file) {
        files.push((pictures.around.join(name), bytes));
    }
    files.push((file.to_path_buf(), kept.page(catalogue, file).into_bytes()));
    files.push((file.with_extension("json"), kept.to_json().into_bytes()));
    write_all(&files, force)?;
    Ok(kept.findings.len())
}

/// The checks on an existing page that have no findings in `out`. A check is code of this program,
/// so its old section may be out of date: run it again, which takes a moment.
pub fn checks_to_repeat<'a>(
    catalogue: &'a Catalogue,
    out: &Path,
    file: &Path,
) -> Vec<&'a Experiment> {
    let Some(before) = KeptPage::beside(file) else {
        return Vec::new();
    };
    let is_check = |e: &&Experiment| matches!(e.kind, ExperimentKind::Check(_));
    let checks = catalogue.experiments().iter().filter(is_check);
    checks
        .filter(|check| before.has(check) && crate::kept(check, out).is_none())
        .collect()
}

/// Writes all files, or none if another's file would change.
fn write_all(files: &[(PathBuf, Vec<u8>)], force: bool) -> Result<(), ShowError> {
    let changes = |(path, bytes): &&(PathBuf, Vec<u8>)| {
        path.symlink_metadata().is_ok() && fs::read(path).ok().as_ref() != Some(bytes)
    };
    if let Some((path, _)) = files.iter().find(changes).filter(|_| !force) {
        return Err(ShowError::Taken(path.clone()));
    }
    for (path, bytes) in files {
        let system = |error| ShowError::System(path.clone(), error);
        let around = path.parent().unwrap_or(Path::new(""));
        fs::create_dir_all(around).map_err(system)?;
        write_complete(path, bytes).map_err(system)?;
    }
    Ok(())
}

/// An experiment, and its stored findings.
type Known<'a> = (&'a Experiment, Option<&'a Findings>);

/// The paths of the page's pictures.
struct Pictures {
    around: PathBuf,
    folder: String,
}

impl Pictures {
    /// A folder named after the page.
    fn beside(page: &Path) -> Pictures {
        let stem = page.file_stem().unwrap_or_default();
        Pictures {
            around: page.parent().unwrap_or(Path::new("")).to_path_buf(),
            folder: stem.to_string_lossy().into_owned(),
        }
    }

    fn name(&self, experiment: &Experiment, figure: &str) -> String {
        let figure = figure.rsplit('/').next().unwrap_or(figure);
        format!("{}/{}-{figure}", self.folder, experiment.folder())
    }

    fn path(&self, experiment: &Experiment, figure: &str) -> PathBuf {
        self.around.join(self.name(experiment, figure))
    }
}
