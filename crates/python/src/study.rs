//! Studies: swept into the store and the tables of the program.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pacesim_front::study_folder;
use pacesim_lab::input::judge_tables;
use pacesim_lab::plot;
use pacesim_lab::study::{self as studies, Outline, SweepError};
use pacesim_language::problem::suggest;
use pyo3::prelude::*;

use crate::fault::{absent, failed, of_sweep, rejected, usage};
use crate::figure::Figure;
use crate::html;
use crate::quantity::{replications_of, whole_if_given};
use crate::scenario::{Source, changes};
use crate::table::{Folder, Part, Table};
use crate::watch::Watch;

/// A study: a grid of scenarios with figures and claims. It never changes: `set` returns another
/// one.
#[pyclass(frozen, module = "pacesim")]
pub(crate) struct Study {
    source: Source,
    name: String,
}

impl Study {
    fn of(py: Python<'_>, source: Source) -> PyResult<Study> {
        let input = py
            .detach(|| source.read())
            .map_err(|error| rejected(&error))?;
        let name = input.study.name.clone();
        Ok(Study { source, name })
    }
}

#[pymethods]
impl Study {
    /// Its name.
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// The same study with another value for a key, or for several keys in a dict.
    #[pyo3(signature = (key, value=None))]
    fn set(
        &self,
        py: Python<'_>,
        key: &Bound<'_, PyAny>,
        value: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Study> {
        Study::of(py, self.source.with(changes(key, value)?))
    }

    /// Makes the missing runs, and all tables, without Python's lock.
    ///
    /// The folder is `out`, or results/NAME as with the program, and either resumes the
    /// other's work. Ctrl-C keeps the finished runs. `scale` multiplies times and replications,
    /// `precision` repeats points until their numbers reach it, `progress` is called with the share
    /// of the work done.
    #[pyo3(signature = (*, jobs=None, out=None, seed=None, replications=None, scale=1.0,
        precision=None, progress=None))]
    #[expect(clippy::too_many_arguments, reason = "keywords in Python")]
    fn sweep(
        &self,
        py: Python<'_>,
        jobs: Option<&Bound<'_, PyAny>>,
        out: Option<PathBuf>,
        seed: Option<&Bound<'_, PyAny>>,
        replications: Option<&Bound<'_, PyAny>>,
        scale: f64,
        precision: Option<f64>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Sweep> {
        check_share(
            "scale",
            Some(scale),
            studies::LEAST_SCALE,
            studies::MOST_SCALE,
        )?;
        check_share("precision", precision, f64::MIN_POSITIVE, 1.0)?;
        let replications = replications_of(replications)?;
        let seed = whole_if_given("seed", seed)?;
        let threads = crate::watch::jobs(jobs)?;
        let input = self.source.read().map_err(|error| rejected(&error))?;
        let input = input.at_scale(scale).with_precision(precision);
        if let Err(mistakes) = judge_tables(&input.study, threads) {
            return Err(rejected(&input.reject(mistakes)));
        }
        let out = study_folder(out.as_deref(), &input.study.name).map_err(usage)?;
        let sweep = studies::Sweep {
            study: &input.study,
            folder: &input.folder,
            seed,
            replications: replications.unwrap_or(input.study.replications),
            jobs: threads,
            out: &out,
        };
        let watch = Watch::new(py, progress)?;
        let made = watch.run(py, |watch: &Watch| {
            let outline = studies::sweep(&sweep, watch)?;
            let figures = studies::draw(&sweep, watch)?;
            Ok::<_, SweepError>((outline, figures))
        })?;
        match made {
            Ok((outline, figures)) => Sweep::of(&outline, figures, &out),
            Err(SweepError::Problems(problems)) => Err(rejected(&input.reject(problems))),
            Err(error) => Err(of_sweep(&error)),
        }
    }

    fn __repr__(&self) -> String {
        format!("<pacesim study {:?}>", self.name)
    }
}

pub(crate) fn check_share(name: &str, given: Option<f64>, least: f64, most: f64) -> PyResult<()> {
    match given {
        Some(given) if !(least..=most).contains(&given) => {
            let range = format!("{least} to {most}");
            Err(usage(format!(
                "{name} is {given}; give a number in the range {range}"
            )))
        }
        _ => Ok(()),
    }
}

/// A study that was swept: its tables, figures and claims.
#[pyclass(frozen, module = "pacesim")]
pub(crate) struct Sweep {
    document: String,
    /// The digest of the fingerprints of all runs.
    #[pyo3(get)]
    fingerprint: String,
    figures: Vec<(String, plot::Figure)>,
    folder: Arc<Folder>,
}

impl Sweep {
    fn of(outline: &Outline, figures: Vec<(String, plot::Figure)>, out: &Path) -> PyResult<Sweep> {
        let mut document = Vec::new();
        outline.write_json(&mut document)?;
        Ok(Sweep {
            document: String::from_utf8(document).map_err(failed)?,
            fingerprint: outline.fingerprint.clone(),
            figures,
            folder: Arc::new(Folder {
                path: std::path::absolute(out)?,
                _temporary: None,
            }),
        })
    }
}

#[pymethods]
impl Sweep {
    /// The main numbers of every point as a dict: the program's output with --json.
    #[getter]
    fn outline<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("json")?.call_method1("loads", (&self.document,))
    }

    /// The same as JSON.
    fn to_json(&self) -> &str {
        &self.document
    }

    /// The claims, judged.
    #[getter]
    fn claims<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.outline(py)?.get_item("claims")
    }

    /// One row per point and metric, with mean and interval.
    #[getter]
    fn summary(&self) -> PyResult<Table> {
        self.table("summary")
    }

    /// One row per run and metric.
    #[getter]
    fn runs(&self) -> PyResult<Table> {
        self.table("runs")
    }

    /// One row per point.
    #[getter]
    fn wide(&self) -> PyResult<Table> {
        self.table("wide")
    }

    /// A table by its name: "summary", "runs", "wide", or "measures/NAME".
    fn table(&self, name: &str) -> PyResult<Table> {
        let path = self.folder.path.join(format!("{name}.parquet"));
        if !path.is_file() {
            let known = suggest(name, ["summary", "runs", "wide", "measures/NAME"]);
            return Err(absent(format!("no table \"{name}\"; {known}")));
        }
        let part = Part {
            path,
            replication: None,
        };
        Ok(Table::new(name, vec![part], &self.folder))
    }

    /// The names of its figures.
    #[getter]
    fn figures(&self) -> Vec<&str> {
        self.figures.iter().map(|(name, _)| name.as_str()).collect()
    }

    /// A figure by its name; without one, the first.
    #[pyo3(signature = (name=None))]
    fn figure(&self, name: Option<&str>) -> PyResult<Figure> {
        let is_it = |known: &str| name.is_none_or(|name| name == known);
        match self.figures.iter().find(|(known, _)| is_it(known)) {
            Some((name, figure)) => Ok(Figure::new(name.clone(), figure.clone())),
            None => {
                let name = name.unwrap_or_default();
                let known = suggest(name, self.figures());
                Err(absent(format!(
                    "no figure \"{name}\" in this study; {known}"
                )))
            }
        }
    }

    /// The folder with store and tables.
    #[getter(folder)]
    fn place(&self) -> PathBuf {
        self.folder.path.clone()
    }

    fn _repr_html_(&self) -> String {
        html::claims(&self.__repr__(), &self.document)
    }

    fn __repr__(&self) -> String {
        let folder = self.folder.path.display();
        format!(
            "<pacesim sweep in {folder}, fingerprint {}>",
            self.fingerprint
        )
    }
}

/// A study from a file.
#[pyfunction]
pub(crate) fn study(py: Python<'_>, path: PathBuf) -> PyResult<Study> {
    Study::of(py, Source::of_file(&path)?)
}
