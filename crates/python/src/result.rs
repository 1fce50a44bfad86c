//! Results of runs: numbers by name, tables, the summary.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use pacesim_lab::{CheckedFolder, picture, plot};
use pacesim_language::problem::suggest;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple};
use serde_json::Value;

use crate::fault::{absent, failed, usage};
use crate::figure::Figure;
use crate::html;
use crate::numbers::{self, Number};
use crate::table::{Folder, Table, TableFile};

/// The future place of a result's tables.
pub(crate) struct Home {
    out: Option<PathBuf>,
    temporary: Option<tempfile::TempDir>,
}

impl Home {
    pub(crate) fn new(out: Option<PathBuf>, tables: bool) -> PyResult<Home> {
        if out.is_some() || !tables {
            return Ok(Home {
                out,
                temporary: None,
            });
        }
        let temporary = tempfile::Builder::new().prefix("pacesim-").tempdir();
        let temporary = temporary.map_err(|error| {
            let place = std::env::temp_dir();
            let help = "set TMPDIR, or give out=..., or tables=False";
            failed(format!(
                "no temporary folder in {}: {error}; {help}",
                place.display()
            ))
        })?;
        Ok(Home {
            out: Some(temporary.path().join("results")),
            temporary: Some(temporary),
        })
    }

    pub(crate) fn out(&self) -> Option<&Path> {
        self.out.as_deref()
    }

    fn into_folder(self) -> Option<Arc<Folder>> {
        let _temporary = self.temporary;
        let path = std::path::absolute(self.out?).ok()?;
        Some(Arc::new(Folder { path, _temporary }))
    }
}

/// The result of one run, or of several replications.
///
/// >>> import pacesim as ps
/// >>> r = ps.new("mm1k").set("run.duration", "100s").run(seed=1, replications=3)
/// >>> n = r[r.names[0]]
/// >>> n.low <= n.mean <= n.high
/// True
/// >>> r.flows.name
/// 'flows'
#[pyclass(frozen, module = "pacesim")]
pub(crate) struct Result {
    /// The fingerprint of all packets, as the program prints it.
    #[pyo3(get)]
    fingerprint: String,
    /// `summary.json` as a string.
    document: String,
    numbers: Vec<Number>,
    /// The number of replications requested, if any.
    replications: Option<u64>,
    folder: Mutex<Tables>,
}

enum Tables {
    There(Arc<Folder>),
    NotAskedFor,
    Closed,
}

impl Result {
    pub(crate) fn new(
        fingerprint: String,
        document: String,
        numbers: Vec<Number>,
        replications: Option<u64>,
        home: Home,
    ) -> Result {
        let folder = home.into_folder();
        Result {
            fingerprint,
            document,
            numbers,
            replications,
            folder: Mutex::new(folder.map_or(Tables::NotAskedFor, Tables::There)),
        }
    }

    fn folder(&self) -> PyResult<Arc<Folder>> {
        let folder = self
            .folder
            .lock()
            .unwrap_or_else(|poison| poison.into_inner());
        match &*folder {
            Tables::There(folder) => Ok(Arc::clone(folder)),
            Tables::NotAskedFor => Err(usage(
                "this run kept no tables; run it without tables=False",
            )),
            Tables::Closed => Err(usage("this result is closed; run the scenario again")),
        }
    }
}

/// The tables of one run in their order.
const TABLES: [&str; 7] = [
    "flows",
    "links",
    "transfers",
    "series",
    "packets",
    "tcp",
    "fec",
];

#[pymethods]
impl Result {
    /// The summary as a dict: `summary.json` of a results folder.
    #[getter]
    fn summary<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("json")?.call_method1("loads", (&self.document,))
    }

    /// The summary as JSON, as the program prints it with --json.
    fn to_json(&self) -> &str {
        &self.document
    }

    /// The names of its numbers.
    #[getter]
    fn names(&self) -> Vec<String> {
        numbers::names(&self.numbers)
    }

    /// A number by its name, "flows.GROUP.METRIC" or "link.NAME.METRIC".
    fn __getitem__(&self, name: &str) -> PyResult<Number> {
        numbers::find(&self.numbers, name)
    }

    fn __contains__(&self, name: &str) -> bool {
        self.numbers.iter().any(|number| number.name() == name)
    }

    fn __len__(&self) -> usize {
        self.numbers.len()
    }

    /// The names of its tables.
    #[getter]
    fn tables(&self) -> PyResult<Vec<&'static str>> {
        let folder = self.folder()?;
        let known = TABLES.iter().chain(&["runs"]).copied();
        Ok(known
            .filter(|name| !self.files(&folder, name).is_empty())
            .collect())
    }

    /// A table by its name. With several replications its first column is their number.
    fn table(&self, name: &str) -> PyResult<Table> {
        let folder = self.folder()?;
        let files = self.files(&folder, name);
        if !files.is_empty() {
            return Ok(Table::new(name, files, &folder));
        }
        match name {
            "packets" | "tcp" => Err(absent(format!(
                "this run recorded no {name}; ask for them by .set(\"output.{name}\", {{}})"
            ))),
            "fec" => Err(absent("nothing is protected in this scenario; see [[fec]]")),
            "runs" => Err(absent("one run has no table of runs; give replications=N")),
            _ => {
                let known = TABLES.iter().chain(&["runs"]).copied();
                Err(absent(format!(
                    "no table \"{name}\"; {}",
                    suggest(name, known)
                )))
            }
        }
    }

    /// One row per flow.
    #[getter]
    fn flows(&self) -> PyResult<Table> {
        self.table("flows")
    }

    /// One row per link.
    #[getter]
    fn links(&self) -> PyResult<Table> {
        self.table("links")
    }

    /// One row per transfer of a TCP flow.
    #[getter]
    fn transfers(&self) -> PyResult<Table> {
        self.table("transfers")
    }

    /// Time series, with a row for each change of a value; empty unless `output.series` requests
    /// them.
    #[getter]
    fn series(&self) -> PyResult<Table> {
        self.table("series")
    }

    /// One row per packet and port, if `output.packets` requests them.
    #[getter]
    fn packets(&self) -> PyResult<Table> {
        self.table("packets")
    }

    /// Windows, time-outs and round trips of TCP senders, if `output.tcp` requests them.
    #[getter]
    fn tcp(&self) -> PyResult<Table> {
        self.table("tcp")
    }

    /// Numbers of senders that are not TCP, if `output.ends` requests them.
    #[getter]
    fn ends(&self) -> PyResult<Table> {
        self.table("ends")
    }

    /// One row per protected pair, if the scenario has `[[fec]]`.
    #[getter]
    fn fec(&self) -> PyResult<Table> {
        self.table("fec")
    }

    /// One row per replication and metric.
    #[getter]
    fn runs(&self) -> PyResult<Table> {
        self.table("runs")
    }

    /// The figure of a metric, by its name with or without unit: "goodput_bps" or "goodput". It is
    /// the metric's course in time if the run recorded that (`output.series`), and otherwise a point
    /// for each group or link, with its interval over replications. Notebooks show it.
    fn figure(&self, metric: &str) -> PyResult<Figure> {
        let summary: Value = serde_json::from_str(&self.document).map_err(failed)?;
        let subject = summary["scenario"].as_str().unwrap_or("pacesim");
        let in_time = self.figure_in_time(subject, metric)?;
        let values: Vec<_> = self.numbers.iter().filter_map(Number::value).collect();
        let figure = in_time.or_else(|| picture::of_values(subject, &values, metric));
        let figure = figure.ok_or_else(|| {
            let known: BTreeSet<&str> = values.iter().map(|value| value.metric).collect();
            absent(format!(
                "no metric \"{metric}\"; {}",
                suggest(metric, known)
            ))
        })?;
        Ok(Figure::new(metric.to_owned(), figure))
    }

    /// The results folder.
    #[getter(folder)]
    fn place(&self) -> PyResult<PathBuf> {
        Ok(self.folder()?.path.clone())
    }

    /// Gives up the tables, and removes them if they are in a temporary folder.
    fn close(&self) {
        let mut folder = self
            .folder
            .lock()
            .unwrap_or_else(|poison| poison.into_inner());
        *folder = Tables::Closed;
    }

    fn __enter__(this: Py<Result>) -> Py<Result> {
        this
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, _exception: &Bound<'_, PyTuple>) {
        self.close();
    }

    fn _repr_html_(&self) -> String {
        let number = |x: f64| {
            if x.is_nan() {
                String::new()
            } else {
                format!("{x:.6}")
            }
        };
        let rows = self.numbers.iter().map(|one| {
            let low_and_high = [one.low, one.high].map(number);
            let [low, high] = low_and_high;
            [one.name().to_owned(), number(one.mean()), low, high]
        });
        html::table(&self.__repr__(), ["number", "mean", "low", "high"], rows)
    }

    fn __repr__(&self) -> String {
        let of = match self.replications {
            None => "1 run".to_owned(),
            Some(count) => format!("{count} replications"),
        };
        format!("<pacesim result of {of}, fingerprint {}>", self.fingerprint)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let files = PyDict::new(py);
        if let Ok(folder) = self.folder() {
            gather(&folder.path, &folder.path, &files)?;
        }
        let restore = py.import("pacesim._pacesim")?.getattr("restore_result")?;
        let numbers: Vec<Number> = self.numbers.clone();
        let state = (
            &self.fingerprint,
            &self.document,
            numbers,
            self.replications,
            files,
        );
        Ok((restore, state.into_pyobject(py)?.into_any()))
    }
}

impl Result {
    /// The figure of a recorded series, if this is one run with a series of this metric.
    fn figure_in_time(&self, subject: &str, metric: &str) -> PyResult<Option<plot::Figure>> {
        let Ok(folder) = self.folder() else {
            return Ok(None);
        };
        match (self.replications, &self.files(&folder, "series")[..]) {
            (None, [series]) => picture::of_series(subject, &series.path, metric).map_err(failed),
            _ => Ok(None),
        }
    }

    /// The files of a table.
    fn files(&self, folder: &Folder, table: &str) -> Vec<TableFile> {
        let file_name = format!("{table}.parquet");
        let file = |path: PathBuf, replication| {
            let path = path.join(&file_name);
            path.is_file().then_some(TableFile { path, replication })
        };
        let Some(count) = self.replications.filter(|_| table != "runs") else {
            return file(folder.path.clone(), None).into_iter().collect();
        };
        let width = (count - 1).to_string().len();
        let of_run = |number: u64| {
            let name = format!("replication-{number:0width$}");
            file(folder.path.join(name), i64::try_from(number).ok())
        };
        (0..count).filter_map(of_run).collect()
    }
}

/// The files of a folder and those inside it, by their paths in it.
fn gather(root: &Path, folder: &Path, files: &Bound<'_, PyDict>) -> PyResult<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            gather(root, &path, files)?;
            continue;
        }
        let name = path.strip_prefix(root).unwrap_or(&path);
        let content = PyBytes::new(files.py(), &fs::read(&path)?);
        files.set_item(name.to_string_lossy(), content)?;
    }
    Ok(())
}

/// A pickled result; its tables are in a temporary folder.
#[pyfunction]
pub(crate) fn restore_result(
    fingerprint: String,
    document: String,
    numbers: Vec<PyRef<'_, Number>>,
    replications: Option<u64>,
    files: &Bound<'_, PyDict>,
) -> PyResult<Result> {
    let home = Home::new(None, !files.is_empty())?;
    for (name, content) in files {
        let (name, content): (PathBuf, Vec<u8>) = (name.extract()?, content.extract()?);
        let is_inside = name
            .components()
            .all(|part| matches!(part, std::path::Component::Normal(_)));
        let (Some(out), true) = (home.out(), is_inside) else {
            return Err(usage("this is not a pickled result"));
        };
        let path = out.join(name);
        fs::create_dir_all(path.parent().unwrap_or(out))?;
        fs::write(path, content)?;
    }
    let numbers = numbers.iter().map(|number| (**number).clone()).collect();
    Ok(Result::new(
        fingerprint,
        document,
        numbers,
        replications,
        home,
    ))
}

/// The result in a folder that the program or `out=` wrote. With several replications it has the
/// numbers; one run's folder has them in its summary and its tables.
#[pyfunction]
pub(crate) fn open(folder: PathBuf) -> PyResult<Result> {
    let path = folder.join("summary.json");
    let checked = CheckedFolder::whole(&folder).map_err(|error| {
        let help = "give a folder written by `pacesim run --out` or by run(out=...)";
        usage(format!("{error}; {help}"))
    })?;
    let document = checked.text("summary.json");
    let document = document.map_err(|error| usage(error.to_string()))?;
    let no_summary = || usage(format!("{} is not the summary of a run", path.display()));
    let summary: Value = serde_json::from_str(&document).map_err(|_| no_summary())?;
    let fingerprint = summary["fingerprint"].as_str().ok_or_else(no_summary)?;
    let means = summary["means"].as_array();
    let numbers = means.into_iter().flatten().map(Number::of_json);
    Ok(Result {
        fingerprint: fingerprint.to_owned(),
        numbers: numbers.collect::<Option<_>>().ok_or_else(no_summary)?,
        replications: summary["asked"].as_u64().filter(|count| *count > 0),
        folder: Mutex::new(Tables::There(Folder::kept(std::path::absolute(folder)?))),
        document,
    })
}
