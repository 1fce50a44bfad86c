//! Scenarios: from a file, a dict or a template, changed by keys, and run.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pacesim::model::Model;
use pacesim_front::problems::{Look, warnings};
use pacesim_front::template::template;
use pacesim_lab::files::read_text;
use pacesim_lab::input::{self, Input, Rejected, StudyInput};
use pacesim_lab::{Equip, Plan, replicate, run_and_measure};
use pyo3::exceptions::PyAttributeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use crate::control::Controllers;
use crate::fault::{absent, of_run, rejected, usage};
use crate::html;
use crate::numbers::Number;
use crate::quantity::{replications_of, shown, whole_if_given};
use crate::result::{Home, Result};
use crate::toml;
use crate::watch::{OneRun, Watch};
use crate::world::World;

/// The text of a scenario or a study, with the changes of its keys.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    /// The name of its file, in problems.
    pub(crate) file: String,
    pub(crate) text: String,
    /// The folder of the files that it names.
    pub(crate) folder: PathBuf,
    /// Changes, each "key.path=value".
    pub(crate) sets: Vec<String>,
}

/// The parts of a [`Source`], for pickling.
pub(crate) type SourceState = (String, String, PathBuf, Vec<String>);

impl Source {
    pub(crate) fn of_file(path: &Path) -> PyResult<Source> {
        // Read by the program's own function first, which has messages for all faults of a file.
        let text = match read_text(path) {
            Ok(text) => text,
            Err(_) => match input::study_from_file(path, &[]) {
                Err(error) => return Err(rejected(&error)),
                Ok(_) => {
                    return Err(usage(format!(
                        "{} changed while it was read",
                        path.display()
                    )));
                }
            },
        };
        let folder = path.parent().unwrap_or(Path::new(""));
        Ok(Source {
            file: path.display().to_string(),
            text,
            folder: std::path::absolute(folder.join("."))?,
            sets: Vec::new(),
        })
    }

    pub(crate) fn read(&self) -> std::result::Result<StudyInput, Rejected> {
        input::study_from_text(&self.file, &self.text, &self.folder, &self.sets)
    }

    /// The source with further changes of keys.
    pub(crate) fn with(&self, changes: Vec<String>) -> Source {
        let mut source = self.clone();
        source.sets.extend(changes);
        source
    }

    pub(crate) fn state(&self) -> SourceState {
        let Source {
            file,
            text,
            folder,
            sets,
        } = self.clone();
        (file, text, folder, sets)
    }

    pub(crate) fn restored((file, text, folder, sets): SourceState) -> Source {
        Source {
            file,
            text,
            folder,
            sets,
        }
    }
}

/// Changes of keys, from a key and its value or from a dict of them.
pub(crate) fn changes(
    key: &Bound<'_, PyAny>,
    value: Option<&Bound<'_, PyAny>>,
) -> PyResult<Vec<String>> {
    let change = |key: &Bound<'_, PyAny>, value: &Bound<'_, PyAny>| {
        let key = toml::name(key, "")?;
        Ok(format!("{key}={}", toml::value(value, &key)?))
    };
    match (key.cast::<PyDict>(), value) {
        (Ok(dict), None) => dict.iter().map(|(key, to)| change(&key, &to)).collect(),
        _ if key.is_instance_of::<PyString>() => {
            let none = key.py().None().into_bound(key.py());
            Ok(vec![change(key, value.unwrap_or(&none))?])
        }
        _ => Err(usage(
            "set takes a key and a value, set(\"run.duration\", \"10s\"), or a dict of them",
        )),
    }
}

/// The exception of an assignment to a scenario or a study, which never change.
pub(crate) fn never_changes(what: &str, name: &Bound<'_, PyAny>) -> PyErr {
    let name = shown(name);
    PyAttributeError::new_err(format!(
        "{name}: a {what} never changes; {what}.set({name}, value) returns another one"
    ))
}

/// A checked scenario. It never changes: `set` returns another one.
///
/// >>> import pacesim as ps
/// >>> s = ps.new("mm1k").set("run.duration", "100s")
/// >>> s.run(seed=1).fingerprint == s.run(seed=1).fingerprint
/// True
#[pyclass(frozen, module = "pacesim")]
pub(crate) struct Scenario {
    source: Source,
    pub(crate) input: Arc<Input>,
}

impl Scenario {
    /// Controllers checked against the scenario's flows.
    fn controllers(
        &self,
        dict: Option<&Bound<'_, PyDict>>,
        seed: Option<u64>,
        replication: u64,
    ) -> PyResult<Controllers> {
        let controllers = Controllers::of(dict)?;
        if !controllers.is_empty() {
            let seed = seed.unwrap_or(self.input.scenario.scenario().run.seed);
            controllers.check(&mut self.input.scenario.expand(seed, replication))?;
        }
        Ok(controllers)
    }

    pub(crate) fn of(py: Python<'_>, source: Source) -> PyResult<Scenario> {
        let input = py.detach(|| source.read().and_then(StudyInput::alone));
        let input = Arc::new(input.map_err(|error| rejected(&error))?);
        Ok(Scenario { source, input })
    }
}

#[pymethods]
impl Scenario {
    /// A scenario from a dict with the keys of a scenario file.
    #[new]
    fn new(py: Python<'_>, keys: &Bound<'_, PyDict>) -> PyResult<Scenario> {
        let source = Source {
            file: "<dict>".to_owned(),
            text: toml::document(keys)?,
            folder: std::env::current_dir()?,
            sets: Vec::new(),
        };
        Scenario::of(py, source)
    }

    /// The same scenario with another value for a key, "flow.NAME.count", or for several keys in a
    /// dict.
    #[pyo3(signature = (key, value=None))]
    fn set(
        &self,
        py: Python<'_>,
        key: &Bound<'_, PyAny>,
        value: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Scenario> {
        Scenario::of(py, self.source.with(changes(key, value)?))
    }

    /// Runs it, without Python's lock.
    ///
    /// `replications` is the number of independent runs on `jobs` threads (all cores by default);
    /// numbers then have 95 % intervals. `out` names a results folder as `pacesim run --out` does,
    /// and `force` replaces results there; without `out` the tables are in a temporary folder until
    /// the result is closed or collected, or nowhere with `tables=False`. `progress` is called with
    /// the share of the work done; the default is a bar in terminals and notebooks, `False` shows
    /// none. Ctrl-C ends the run, and leaves nothing.
    ///
    /// `controllers` maps flows or groups of TCP to factories, which make a congestion control from
    /// a flow's name: a class with `on_interval(state)`, `on_ack(sample)` or `on_loss(sample)`,
    /// which return a window in packets, or `(window, rate in bit/s)`, or `None`. Their exceptions
    /// end the run.
    #[pyo3(signature = (seed=None, replications=None, *, replication=None, jobs=None, out=None,
        force=false, tables=true, progress=None, controllers=None))]
    #[expect(clippy::too_many_arguments, reason = "keywords in Python")]
    fn run(
        &self,
        py: Python<'_>,
        seed: Option<&Bound<'_, PyAny>>,
        replications: Option<&Bound<'_, PyAny>>,
        replication: Option<&Bound<'_, PyAny>>,
        jobs: Option<&Bound<'_, PyAny>>,
        out: Option<PathBuf>,
        force: bool,
        tables: bool,
        progress: Option<&Bound<'_, PyAny>>,
        controllers: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Result> {
        let threads = crate::watch::jobs(jobs)?;
        let seed = whole_if_given("seed", seed)?;
        let replications = replications_of(replications)?;
        let replication = whole_if_given("replication", replication)?.unwrap_or(0);
        let controllers = self.controllers(controllers, seed, replication)?;
        refuse(
            replications,
            replication,
            out.is_some() && !controllers.is_empty(),
        )?;
        let home = Home::new(out, tables)?;
        let equip = |model: &mut Model| controllers.equip(model);
        let plan = Plan {
            seed,
            out: home.out(),
            force,
            command: &[],
            equip: (!controllers.is_empty()).then_some(Equip(&equip)),
            lived: None,
        };
        let watch = Watch::new(py, progress)?.with_controllers(controllers.raised());
        let input = &*self.input;
        match replications {
            None => {
                let run =
                    |watch: &Watch| run_and_measure(input, replication, &plan, &mut OneRun(watch));
                let (summary, metrics) = watch.run(py, run)?.map_err(|error| of_run(&error))?;
                let numbers = metrics.iter().map(Number::from).collect();
                let print = summary.fingerprint.clone();
                Ok(Result::new(print, summary.to_json(), numbers, None, home))
            }
            Some(count) => {
                let run = |watch: &Watch| replicate(input, count, threads, &plan, watch);
                let all = watch.run(py, run)?.map_err(|error| of_run(&error))?;
                let numbers = all.means.iter().map(Number::from).collect();
                let print = all.fingerprint.clone();
                Ok(Result::new(
                    print,
                    all.to_json(),
                    numbers,
                    Some(count),
                    home,
                ))
            }
        }
    }

    /// A world of this scenario for runs in steps. Links in `changing` may change between steps,
    /// windows of flows in `steered` are set between them, and `controllers` are those of `run`.
    #[pyo3(signature = (seed=None, *, replication=None, changing=Vec::new(), steered=Vec::new(),
        controllers=None))]
    fn world(
        &self,
        seed: Option<&Bound<'_, PyAny>>,
        replication: Option<&Bound<'_, PyAny>>,
        changing: Vec<String>,
        steered: Vec<String>,
        controllers: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<World> {
        let controllers = Controllers::of(controllers)?;
        let replication = whole_if_given("replication", replication)?;
        World::of(
            &self.input,
            whole_if_given("seed", seed)?,
            replication.unwrap_or(0),
            &changing,
            &controllers,
            &steered,
        )
    }

    /// Its name: the title, or the name of its file.
    #[getter]
    fn name(&self) -> &str {
        &self.input.name
    }

    /// Legal settings that are probably mistakes, as the program reports them; often empty.
    #[getter]
    fn warnings(&self) -> String {
        warnings(&self.input, Look::Plain, 100)
    }

    /// Its text, without the changes by `set`.
    #[getter]
    fn text(&self) -> &str {
        &self.source.text
    }

    /// The changes by `set`, in order.
    #[getter]
    fn changes(&self) -> Vec<String> {
        self.source.sets.clone()
    }

    fn _repr_html_(&self) -> String {
        let changes: String = self
            .source
            .sets
            .iter()
            .map(|set| format!("# {set}\n"))
            .collect();
        html::text(&self.input.name, &(changes + &self.source.text))
    }

    fn __setattr__(&self, name: &Bound<'_, PyAny>, _value: &Bound<'_, PyAny>) -> PyResult<()> {
        Err(never_changes("scenario", name))
    }

    fn __setitem__(&self, name: &Bound<'_, PyAny>, _value: &Bound<'_, PyAny>) -> PyResult<()> {
        Err(never_changes("scenario", name))
    }

    fn __repr__(&self) -> String {
        let changes = self.source.sets.iter().map(|set| format!(", {set}"));
        let changes: String = changes.collect();
        format!("<pacesim scenario {:?}{changes}>", self.input.name)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, SourceState)> {
        let restore = py.import("pacesim._pacesim")?.getattr("restore_scenario")?;
        Ok((restore, self.source.state()))
    }
}

/// Fails if a run's arguments contradict each other.
fn refuse(replications: Option<u64>, replication: u64, keeps_controllers: bool) -> PyResult<()> {
    if replications.is_some() && replication > 0 {
        return Err(usage(
            "give replications, or the number of one replication, not both",
        ));
    }
    if keeps_controllers {
        Err(usage(
            "a results folder of a run with controllers could not be run again; leave out out=",
        ))
    } else {
        Ok(())
    }
}

/// A scenario from a file.
#[pyfunction]
pub(crate) fn load(py: Python<'_>, path: PathBuf) -> PyResult<Scenario> {
    Scenario::of(py, Source::of_file(&path)?)
}

/// A scenario from a template by name; `templates()` lists them.
#[pyfunction]
#[pyo3(signature = (name="dumbbell"))]
pub(crate) fn new(py: Python<'_>, name: &str) -> PyResult<Scenario> {
    let template = template(name).map_err(absent)?;
    let source = Source {
        file: format!("{name}.toml"),
        text: template.text.to_owned(),
        folder: std::env::current_dir()?,
        sets: Vec::new(),
    };
    Scenario::of(py, source)
}

/// The templates by name, each with its subject.
#[pyfunction]
pub(crate) fn templates() -> Vec<(&'static str, &'static str)> {
    let all = pacesim_lab::templates();
    all.iter()
        .map(|template| (template.name, template.about))
        .collect()
}

/// A pickled scenario.
#[pyfunction]
pub(crate) fn restore_scenario(
    py: Python<'_>,
    file: String,
    text: String,
    folder: PathBuf,
    sets: Vec<String>,
) -> PyResult<Scenario> {
    Scenario::of(py, Source::restored((file, text, folder, sets)))
}
