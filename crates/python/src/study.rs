//! Studies: swept into the store and the tables of the program.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pacesim_front::study_folder;
use pacesim_lab::input::{StudyInput, judge_tables};
use pacesim_lab::plot;
use pacesim_lab::study::{self as studies, Outline, SweepError};
use pacesim_language::problem::suggest;
use pyo3::prelude::*;

use crate::fault::{absent, failed, in_python, of_sweep, rejected, usage};
use crate::figure::Figure;
use crate::quantity::{replications_of, whole_if_given};
use crate::scenario::{Source, SourceState, changes, never_changes};
use crate::table::{Folder, Table, TableFile};
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
        let asked = Asked {
            source: self.source.clone(),
            scale,
            precision,
            seed: whole_if_given("seed", seed)?,
            replications: replications_of(replications)?,
        };
        let threads = crate::watch::jobs(jobs)?;
        let input = asked.input()?;
        if let Err(mistakes) = judge_tables(&input.study, threads) {
            return Err(rejected(&input.reject(mistakes)));
        }
        let out = study_folder(out.as_deref(), &input.study.name);
        let out = std::path::absolute(out.map_err(|error| usage(in_python(&error)))?)?;
        let sweep = asked.sweep(&input, threads, &out);
        let watch = Watch::new(py, progress)?;
        let made = watch.run(py, |watch: &Watch| {
            let outline = studies::sweep(&sweep, watch)?;
            let figures = studies::draw(&sweep, watch)?;
            Ok::<_, SweepError>((outline, figures))
        })?;
        let (outline, figures) = made.map_err(|error| refused(error, input))?;
        Sweep::of(&outline, figures, asked, out)
    }

    fn __setattr__(&self, name: &Bound<'_, PyAny>, _value: &Bound<'_, PyAny>) -> PyResult<()> {
        Err(never_changes("study", name))
    }

    fn __setitem__(&self, name: &Bound<'_, PyAny>, _value: &Bound<'_, PyAny>) -> PyResult<()> {
        Err(never_changes("study", name))
    }

    fn __repr__(&self) -> String {
        format!("<pacesim study {:?}>", self.name)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, SourceState)> {
        let restore = py.import("pacesim._pacesim")?.getattr("restore_study")?;
        Ok((restore, self.source.state()))
    }
}

/// A grid and the options of its sweep.
struct Asked {
    source: Source,
    scale: f64,
    precision: Option<f64>,
    seed: Option<u64>,
    replications: Option<u64>,
}

/// The options of [`Asked`], for pickling.
type Options = (f64, Option<f64>, Option<u64>, Option<u64>);

impl Asked {
    fn input(&self) -> PyResult<StudyInput> {
        let input = self.source.read().map_err(|error| rejected(&error))?;
        Ok(input.at_scale(self.scale).with_precision(self.precision))
    }

    fn sweep<'a>(
        &self,
        input: &'a StudyInput,
        jobs: NonZeroUsize,
        out: &'a Path,
    ) -> studies::Sweep<'a> {
        studies::Sweep {
            study: &input.study,
            folder: &input.folder,
            seed: self.seed,
            replications: self.replications.unwrap_or(input.study.replications),
            jobs,
            out,
        }
    }

    fn options(&self) -> Options {
        (self.scale, self.precision, self.seed, self.replications)
    }
}

/// A failed sweep of a study.
fn refused(error: SweepError, input: StudyInput) -> PyErr {
    match error {
        SweepError::Problems(problems) => rejected(&input.reject(problems)),
        error => of_sweep(&error),
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
    asked: Asked,
    folder: Arc<Folder>,
}

impl Sweep {
    fn of(
        outline: &Outline,
        figures: Vec<(String, plot::Figure)>,
        asked: Asked,
        path: PathBuf,
    ) -> PyResult<Sweep> {
        let mut document = Vec::new();
        outline.write_json(&mut document)?;
        Ok(Sweep {
            document: String::from_utf8(document).map_err(failed)?,
            fingerprint: outline.fingerprint.clone(),
            figures,
            asked,
            folder: Folder::kept(path),
        })
    }
}

/// The claims in a document, with a table for notebooks.
pub(crate) fn claims_of<'py>(document: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let class = document.py().import("pacesim._claims")?.getattr("Claims")?;
    class.call1((document.get_item("claims")?,))
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
        claims_of(&self.outline(py)?)
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
        let file = TableFile {
            path,
            replication: None,
        };
        Ok(Table::new(name, vec![file], &self.folder))
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

    fn _repr_html_<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let caption = self.__repr__();
        self.claims(py)?.call_method1("table", (caption,))
    }

    fn __repr__(&self) -> String {
        let folder = self.folder.path.display();
        format!(
            "<pacesim sweep in {folder}, fingerprint {}>",
            self.fingerprint
        )
    }

    /// A pickled sweep leads to the same folder, and draws its figures again.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, SweepState)> {
        let restore = py.import("pacesim._pacesim")?.getattr("restore_sweep")?;
        let state = (
            self.document.clone(),
            self.fingerprint.clone(),
            self.folder.path.clone(),
            self.asked.source.state(),
            self.asked.options(),
        );
        Ok((restore, state))
    }
}

/// The parts of a [`Sweep`], for pickling.
type SweepState = (String, String, PathBuf, SourceState, Options);

/// A pickled sweep.
#[pyfunction]
pub(crate) fn restore_sweep(
    py: Python<'_>,
    document: String,
    fingerprint: String,
    folder: PathBuf,
    source: SourceState,
    options: Options,
) -> PyResult<Sweep> {
    let (scale, precision, seed, replications) = options;
    let asked = Asked {
        source: Source::restored(source),
        scale,
        precision,
        seed,
        replications,
    };
    let input = asked.input()?;
    let sweep = asked.sweep(&input, NonZeroUsize::MIN, &folder);
    let drawn = Watch::new(py, None)?.run(py, |watch: &Watch| studies::draw(&sweep, watch))?;
    let figures = drawn.map_err(|error| refused(error, input))?;
    Ok(Sweep {
        document,
        fingerprint,
        figures,
        asked,
        folder: Folder::kept(folder),
    })
}

/// A pickled study.
#[pyfunction]
pub(crate) fn restore_study(
    py: Python<'_>,
    file: String,
    text: String,
    folder: PathBuf,
    sets: Vec<String>,
) -> PyResult<Study> {
    Study::of(py, Source::restored((file, text, folder, sets)))
}

/// A study from a file.
#[pyfunction]
pub(crate) fn study(py: Python<'_>, path: PathBuf) -> PyResult<Study> {
    Study::of(py, Source::of_file(&path)?)
}
