//! Analytic models.

use pacesim_lab::solve::{self as analytic, Solved, catalogue, figure_of};
use pacesim_language::problem::suggest;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use crate::fault::{absent, usage};
use crate::figure::Figure;
use crate::quantity::shown;
use crate::scenario::Scenario;
use crate::toml;

/// The solution of an analytic model.
///
/// >>> import pacesim as ps
/// >>> round(ps.solve("mm1k", load=0.8, places=5)["loss"], 4)
/// 0.0888
#[pyclass(frozen, module = "pacesim")]
pub(crate) struct Solution {
    solved: Solved,
    asked: Asked,
}

/// The question of a solution, for pickling.
enum Asked {
    Model(String, Vec<String>),
    Port(Py<Scenario>, String),
}

#[pymethods]
impl Solution {
    /// The name of the model.
    #[getter]
    fn model(&self) -> &str {
        self.solved.model
    }

    /// Its parameters as strings, defaults included.
    #[getter]
    fn params(&self) -> Vec<(&'static str, String)> {
        self.solved.solution.params.clone()
    }

    /// The names of its numbers.
    #[getter]
    fn names(&self) -> Vec<String> {
        self.solved
            .solution
            .scalars
            .iter()
            .map(|scalar| scalar.name.clone())
            .collect()
    }

    /// A number by its name.
    fn __getitem__(&self, name: &str) -> PyResult<f64> {
        self.solved.solution.value(name).ok_or_else(|| {
            let names = self.names();
            let nearest = suggest(name, names.iter().map(String::as_str));
            absent(format!(
                "no number \"{name}\" of {}; {nearest}",
                self.solved.model
            ))
        })
    }

    /// The names of its tables.
    #[getter]
    fn tables(&self) -> Vec<&'static str> {
        self.solved
            .solution
            .tables
            .iter()
            .map(|table| table.name)
            .collect()
    }

    /// A table as a dict of columns; without a name, the first with the points of a curve.
    #[pyo3(signature = (name=None))]
    fn table<'py>(&self, py: Python<'py>, name: Option<&str>) -> PyResult<Bound<'py, PyDict>> {
        let table = self.solved.table(name).map_err(usage)?;
        let columns = PyDict::new(py);
        for column in &table.columns {
            columns.set_item(&column.name, &column.values)?;
        }
        Ok(columns)
    }

    /// The figure of a table.
    #[pyo3(signature = (name=None))]
    fn figure(&self, name: Option<&str>) -> PyResult<Figure> {
        let table = self.solved.table(name).map_err(usage)?;
        Ok(Figure::new(table.name.to_owned(), figure_of(table)))
    }

    /// Notes on assumptions and sources.
    #[getter]
    fn notes(&self) -> Vec<&'static str> {
        self.solved.solution.notes.clone()
    }

    /// The solution as JSON, as the program prints it with --json.
    fn to_json(&self) -> String {
        self.solved.to_json()
    }

    fn __repr__(&self) -> String {
        let params = self.solved.solution.params.iter();
        let params: Vec<String> = params
            .map(|(name, text)| format!("{name}={text}"))
            .collect();
        format!(
            "<pacesim solution {}: {}>",
            self.solved.model,
            params.join(" ")
        )
    }

    /// A pickled solution is solved again.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let module = py.import("pacesim._pacesim")?;
        let (name, state) = match &self.asked {
            Asked::Model(model, settings) => ("solve_model", (model, settings).into_pyobject(py)?),
            Asked::Port(scenario, port) => ("solve_port", (scenario, port).into_pyobject(py)?),
        };
        Ok((module.getattr(name)?, state.into_any()))
    }
}

/// Solves a model of the catalogue by its name and parameters, or the model that fits a port of a
/// scenario: `solve(scenario, port="core")`.
#[pyfunction]
#[pyo3(signature = (model, *, port=None, **params))]
pub(crate) fn solve(
    py: Python<'_>,
    model: &Bound<'_, PyAny>,
    port: Option<&str>,
    params: Option<&Bound<'_, PyDict>>,
) -> PyResult<Solution> {
    let mut settings = Vec::new();
    for (name, value) in params.into_iter().flatten() {
        let name: String = name.extract()?;
        let value = match value.cast::<PyString>() {
            Ok(text) => text.to_string(),
            Err(_) => toml::value(&value, &name)?,
        };
        settings.push(format!("{name}={value}"));
    }
    let (scenario, port) = match (model.cast::<Scenario>(), port) {
        (Ok(scenario), Some(port)) if settings.is_empty() => (scenario, port),
        (Ok(_), _) => {
            return Err(usage(
                "solve(scenario, port=NAME) takes a port and no parameters",
            ));
        }
        (Err(_), Some(_)) => {
            return Err(usage(
                "a port belongs to a scenario: solve(scenario, port=NAME)",
            ));
        }
        (Err(_), None) => {
            let name = model.extract::<String>().map_err(|_| {
                let model = shown(model);
                let wanted = "give the name of a model, or a scenario and port=NAME";
                PyTypeError::new_err(format!("model is {model}; {wanted}"))
            })?;
            return solve_model(py, name, settings);
        }
    };
    solve_port(py, scenario.clone().unbind(), port.to_owned())
}

/// The solution of a model for settings such as `load=0.9`.
#[pyfunction]
pub(crate) fn solve_model(
    py: Python<'_>,
    model: String,
    settings: Vec<String>,
) -> PyResult<Solution> {
    let solved = py.detach(|| analytic::solve(&model, &settings));
    Ok(Solution {
        solved: solved.map_err(usage)?,
        asked: Asked::Model(model, settings),
    })
}

/// The solution of the model that fits a port.
#[pyfunction]
pub(crate) fn solve_port(
    py: Python<'_>,
    scenario: Py<Scenario>,
    port: String,
) -> PyResult<Solution> {
    let input = &scenario.get().input;
    let solved = py.detach(|| analytic::solve_port(input, &port));
    Ok(Solution {
        solved: solved.map_err(usage)?,
        asked: Asked::Port(scenario, port),
    })
}

/// The analytic models by name, each with its result.
#[pyfunction]
pub(crate) fn models() -> Vec<(&'static str, &'static str)> {
    let all = catalogue::MODELS.iter();
    all.map(|model| (model.name, model.summary)).collect()
}
