//! Experiments that are studies: swept or searched, with their claims judged.

use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use pacesim_lab::BatchMonitor;
use pacesim_lab::claims::Claim;
use pacesim_lab::findings::{Findings, Origin};
use pacesim_lab::input::{StudyInput, mistakes as mistakes_of, study_from_file};
use pacesim_lab::study::{
    self, FIGURES, Forecast, Outline, RESULTS_VERSION, Sweep, Tuned, judge_again,
};
use pacesim_lab::tables::partial::{PARTIAL, make_beside};

use crate::input;
use crate::ns2;
use crate::origin::origin;
use crate::shipped::{self, ShowError};
use crate::text::{notes, title};
use crate::{Experiment, ExperimentKind, Fault, Options};

/// The folder for the files of shipped studies, next to their results; hidden, since it is
/// regenerated and holds no user's work.
const FILES: &str = ".catalogue";

/// Makes the missing runs of a study, and judges its claims.
pub(crate) fn run(
    experiment: &Experiment,
    options: &Options<'_>,
    monitor: &dyn BatchMonitor,
) -> Result<Findings, Fault> {
    let (input, text) = read(experiment, options, &options.out.join(FILES))?;
    let out = options.folder(experiment);
    let sweep = sweep(&input, options, &out);
    let ended = match input.study.tune {
        Some(_) => study::tune(&sweep, monitor).map(Ended::from),
        None => study::sweep(&sweep, monitor).map(Ended::from),
    };
    let ended = match ended {
        Ok(ended) => ended,
        Err(error) => return Err(Fault::Study(Box::new(input), error)),
    };
    let origin = Origin {
        wall_s: Some(ended.wall_s),
        seeds: Some(seeds(&input, options)),
        inputs: experiment.inputs(),
        results: Some(RESULTS_VERSION),
        ..origin(monitor)
    };
    let findings = findings(experiment, options, &input, &text, ended, origin);
    findings.keep_beside(&out)?;
    Ok(findings)
}

/// Forecasts its runs and their cost; writes nothing next to the results.
pub(crate) fn forecast(
    experiment: &Experiment,
    options: &Options<'_>,
    monitor: &dyn BatchMonitor,
) -> Result<Option<Forecast>, Fault> {
    let aside = Aside::new()?;
    let (input, _) = read(experiment, options, &aside.0)?;
    if input.study.tune.is_some() {
        return Ok(None);
    }
    let out = options.folder(experiment);
    match study::forecast(&sweep(&input, options, &out), monitor) {
        Ok(forecast) => Ok(Some(forecast)),
        Err(error) => Err(Fault::Study(Box::new(input), error)),
    }
}

/// A temporary folder for the files of shipped studies, removed after use.
struct Aside(PathBuf);

impl Aside {
    fn new() -> Result<Aside, ShowError> {
        let near = std::env::temp_dir().join("pacesim-forecast");
        let made = make_beside(&near, PARTIAL, |path| fs::create_dir(path));
        let (path, ()) = made.map_err(|error| ShowError::System(near, error))?;
        Ok(Aside(path))
    }
}

impl Drop for Aside {
    fn drop(&mut self) {
        // Best effort: it is a temporary folder.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The checked study, and its text. Shipped files are written into this folder.
fn read(
    experiment: &Experiment,
    options: &Options<'_>,
    folder: &Path,
) -> Result<(StudyInput, String), Fault> {
    let path = file(experiment, folder)?;
    let input = study_from_file(&path, &[]).map_err(Fault::Rejected)?;
    let input = input.at_scale(options.scale);
    let mistakes = mistakes_of(&input.study);
    if !mistakes.is_empty() {
        return Err(Fault::Rejected(input.reject(mistakes)));
    }
    let text = fs::read_to_string(&path).map_err(|error| ShowError::System(path, error))?;
    Ok((input, text))
}

/// The path of the file; shipped ones are written into a folder where only pacesim writes.
fn file(experiment: &Experiment, folder: &Path) -> Result<PathBuf, ShowError> {
    let (name, recording) = match &experiment.kind {
        ExperimentKind::File(path) => return Ok(path.clone()),
        ExperimentKind::Shipped(name) => (*name, None),
        ExperimentKind::OfInput(name, recording) => (*name, Some(recording)),
        ExperimentKind::Check(_) => unreachable!("it is a study"),
    };
    shipped::show(name, folder, true)?;
    let path = folder.join(name);
    if let Some(recording) = recording {
        let (_, text) = shipped::find(name).expect("it was written");
        let written = pacesim_lab::write_complete(&path, input::filled(text, recording).as_bytes());
        written.map_err(|error| ShowError::System(path.clone(), error))?;
    }
    Ok(path)
}

fn sweep<'a>(input: &'a StudyInput, options: &Options<'_>, out: &'a Path) -> Sweep<'a> {
    Sweep {
        folder: &input.folder,
        seed: options.seed,
        jobs: options.jobs.unwrap_or(NonZeroUsize::MIN),
        ..Sweep::new(&input.study, out)
    }
}

/// The outcome of a sweep or of a search.
struct Ended {
    claims: Vec<Claim>,
    fingerprint: String,
    wall_s: f64,
}

impl From<Outline> for Ended {
    fn from(outline: Outline) -> Ended {
        Ended {
            claims: outline.claims,
            fingerprint: outline.fingerprint,
            wall_s: outline.wall_s,
        }
    }
}

impl From<Tuned> for Ended {
    fn from(tuned: Tuned) -> Ended {
        Ended {
            claims: tuned.claims,
            fingerprint: tuned.fingerprint,
            wall_s: tuned.wall_s,
        }
    }
}

/// "seed 1, 5 replications": the source of all random numbers.
fn seeds(input: &StudyInput, options: &Options<'_>) -> String {
    let study = &input.study;
    let first = study.points().next();
    let own = first.and_then(|point| study.scenario(point).ok());
    let own = own.map(|checked| checked.scenario().run.seed);
    let seed = options.seed.or(own).unwrap_or_default();
    match study.batches {
        Some(windows) => format!("seed {seed}, one run in {windows} windows"),
        None => match (study.replications, study.precision) {
            (1, _) => format!("seed {seed}"),
            (n, None) if study.most_replications() > n => {
                let most = study.most_replications();
                format!("seed {seed}, {n} replications, up to {most} at some points")
            }
            (n, None) => format!("seed {seed}, {n} replications"),
            (n, Some(share)) => format!(
                "seed {seed}, {n} replications or more, until half an interval is {} % of the mean",
                100.0 * share
            ),
        },
    }
}

fn findings(
    experiment: &Experiment,
    options: &Options<'_>,
    input: &StudyInput,
    text: &str,
    ended: Ended,
    origin: Origin,
) -> Findings {
    let figures = input.study.plots.iter();
    let figures = figures.map(|plot| format!("{FIGURES}/{}.svg", plot.name));
    Findings {
        id: experiment.id.clone(),
        summary: title(text),
        scale: options.scale,
        seed: options.seed,
        version: pacesim_lab::VERSION.to_owned(),
        fingerprint: Some(ended.fingerprint),
        origin,
        claims: explained(experiment, ended.claims),
        inferred: input.study.inferred.iter().map(Into::into).collect(),
        notes: notes(text),
        figures: figures.collect(),
        figure: None,
    }
}

/// The claims with ns-2's numbers, and a word on every difference.
fn explained(experiment: &Experiment, claims: Vec<Claim>) -> Vec<Claim> {
    let claims = ns2::beside(&experiment.id, claims).into_iter();
    claims.map(Claim::or_not_explained).collect()
}

/// Stored findings of a shipped study, judged by its claims of today; none if its runs have changed, or
/// a claim is about a number that was not stored.
pub(crate) fn judged_again(experiment: &Experiment, stored: &Findings) -> Option<Findings> {
    if experiment.inputs().is_none() || experiment.inputs() != stored.origin.inputs {
        return None;
    }
    let aside = Aside::new().ok()?;
    let options = Options {
        scale: stored.scale,
        ..Options::new(&aside.0)
    };
    let (input, text) = read(experiment, &options, &aside.0).ok()?;
    let claims = judge_again(&input.study, &stored.claims).ok()?;
    Some(Findings {
        summary: title(&text),
        claims: explained(experiment, claims),
        inferred: input.study.inferred.iter().map(Into::into).collect(),
        notes: notes(&text),
        ..stored.clone()
    })
}
