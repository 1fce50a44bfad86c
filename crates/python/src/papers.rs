//! The experiments of the papers.

use std::path::PathBuf;

use pacesim_lab::findings;
use pacesim_lab::study::{LEAST_SCALE, MOST_SCALE, SweepError};
use pacesim_lab::summary::to_json;
use pacesim_papers::{Catalogue, Fault, Options, may_be_kept};
use pyo3::prelude::*;

use crate::fault::{absent, in_python, of_run, of_sweep, rejected, usage};
use crate::quantity::whole_if_given;
use crate::study::claims_of;
use crate::watch::Watch;

/// The findings of an experiment: its claims, judged.
#[pyclass(frozen, module = "pacesim")]
pub(crate) struct Findings {
    /// The name of the experiment.
    #[pyo3(get)]
    id: String,
    /// The digest of the fingerprints of all runs, if any.
    #[pyo3(get)]
    fingerprint: Option<String>,
    /// The folder of the results.
    #[pyo3(get)]
    folder: PathBuf,
    document: String,
}

#[pymethods]
impl Findings {
    /// The findings as a dict: the program's output with --json.
    #[getter]
    fn summary<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("json")?.call_method1("loads", (&self.document,))
    }

    /// The claims, judged.
    #[getter]
    fn claims<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        claims_of(&self.summary(py)?)
    }

    /// The findings as JSON.
    fn to_json(&self) -> &str {
        &self.document
    }

    fn _repr_html_<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let caption = self.__repr__();
        self.claims(py)?.call_method1("table", (caption,))
    }

    fn __repr__(&self) -> String {
        format!("<pacesim findings of {}>", self.id)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, FindingsState)> {
        let restore = py.import("pacesim._pacesim")?.getattr("restore_findings")?;
        let Findings {
            id,
            fingerprint,
            folder,
            document,
        } = self;
        let state = (
            id.clone(),
            fingerprint.clone(),
            folder.clone(),
            document.clone(),
        );
        Ok((restore, state))
    }
}

/// The parts of [`Findings`], for pickling.
type FindingsState = (String, Option<String>, PathBuf, String);

/// Pickled findings.
#[pyfunction]
pub(crate) fn restore_findings(
    id: String,
    fingerprint: Option<String>,
    folder: PathBuf,
    document: String,
) -> Findings {
    Findings {
        id,
        fingerprint,
        folder,
        document,
    }
}

/// Runs an experiment of the papers and judges its claims. Results are in `out`/ID, and a study
/// there resumes. `scale` multiplies times and replications.
#[pyfunction]
#[pyo3(signature = (id, *, scale=1.0, seed=None, jobs=None, out=PathBuf::from("results"), force=false,
    progress=None))]
#[expect(clippy::too_many_arguments, reason = "keywords in Python")]
pub(crate) fn reproduce(
    py: Python<'_>,
    id: String,
    scale: f64,
    seed: Option<&Bound<'_, PyAny>>,
    jobs: Option<&Bound<'_, PyAny>>,
    out: PathBuf,
    force: bool,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Findings> {
    let catalogue = Catalogue::shipped();
    if !catalogue.is_id(&id) {
        let unknown = catalogue.select(std::slice::from_ref(&id)).err();
        let message = unknown.map_or_else(
            || format!("\"{id}\" is several experiments; give one: experiments() lists them"),
            |unknown| in_python(&unknown),
        );
        return Err(absent(message));
    }
    crate::study::check_share("scale", Some(scale), LEAST_SCALE, MOST_SCALE)?;
    let experiments = catalogue
        .select(std::slice::from_ref(&id))
        .map_err(absent)?;
    let experiment = experiments[0];
    let options = Options {
        scale,
        seed: whole_if_given("seed", seed)?,
        jobs: Some(crate::watch::jobs(jobs)?),
        force,
        ..Options::new(&out)
    };
    may_be_kept(experiment, &options).map_err(|error| of_run(&error.into()))?;
    let watch = Watch::new(py, progress)?;
    let run = |watch: &Watch| pacesim_papers::reproduce(experiment, &options, watch);
    let found: findings::Findings = watch.run(py, run)?.map_err(of_fault)?;
    Ok(Findings {
        id,
        fingerprint: found.fingerprint.clone(),
        folder: options.folder(experiment),
        document: to_json(&found),
    })
}

fn of_fault(fault: Fault) -> PyErr {
    match fault {
        Fault::Rejected(problems) => rejected(&problems),
        Fault::Study(input, SweepError::Problems(problems)) => rejected(&input.reject(problems)),
        Fault::Run(error) => of_run(&error),
        Fault::Study(_, error) => of_sweep(&error),
        fault => usage(in_python(&fault)),
    }
}

/// The experiments by name, each with its paper's figure or law in one line.
#[pyfunction]
pub(crate) fn experiments() -> Vec<(String, String)> {
    let catalogue = Catalogue::shipped();
    let all = catalogue.experiments().iter();
    all.map(|experiment| (experiment.id.clone(), experiment.summary.to_string()))
        .collect()
}
