//! Analytic models.

use pacesim_lab::solve::{self as analytic, Solved, catalogue, figure_of};
use pacesim_language::problem::suggest;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use crate::fault::{absent, usage};
use crate::figure::Figure;
use crate::scenario::Scenario;
use crate::toml;

/// The solution of an analytic model.
///
/// >>> import pacesim as ps
/// >>> round(ps.solve("mm1k", load=0.8, places=5)["loss"], 4)
/// 0.0888
#[pyclass(frozen, module = "pacesim")]
pub(crate) struct Solution(Solved);

#[pymethods]
impl Solution {
    /// The name of the model.
    #[getter]
    fn model(&self) -> &str {
        self.0.model
    }

    /// Its parameters as strings, defaults included.
    #[getter]
    fn params(&self) -> Vec<(&'static str, String)> {
        self.0.solution.params.clone()
    }

    /// The names of its numbers.
    #[getter]
    fn names(&self) -> Vec<String> {
        self.0
            .solution
            .scalars
            .iter()
            .map(|scalar| scalar.name.clone())
            .collect()
    }

    /// A number by its name.
    fn __getitem__(&self, name: &str) -> PyResult<f64> {
        self.0.solution.value(name).ok_or_else(|| {
            let names = self.names();
            let nearest = suggest(name, names.iter().map(String::as_str));
            absent(format!(
                "no number \"{name}\" of {}; {nearest}",
                self.0.model
            ))
        })
    }

    /// The names of its tables.
    #[getter]
    fn tables(&self) -> Vec<&'static str> {
        self.0
            .solution
            .tables
            .iter()
            .map(|table| table.name)
            .collect()
    }

    /// A table as a dict of columns; without a name, the first with the points of a curve.
    #[pyo3(signature = (name=None))]
    fn table<'py>(&self, py: Python<'py>, name: Option<&str>) -> PyResult<Bound<'py, PyDict>> {
        let table = self.0.table(name).map_err(usage)?;
        let columns = PyDict::new(py);
        for column in &table.columns {
            columns.set_item(&column.name, &column.values)?;
        }
        Ok(columns)
    }

    /// The figure of a table.
    #[pyo3(signature = (name=None))]
    fn figure(&self, name: Option<&str>) -> PyResult<Figure> {
        let table = self.0.table(name).map_err(usage)?;
        Ok(Figure::new(table.name.to_owned(), figure_of(table)))
    }

    /// Notes on assumptions and sources.
    #[getter]
    fn notes(&self) -> Vec<&'static str> {
        self.0.solution.notes.clone()
    }

    /// The solution as JSON, as the program prints it with --json.
    fn to_json(&self) -> String {
        self.0.to_json()
    }

    fn __repr__(&self) -> String {
        let params = self.0.solution.params.iter();
        let params: Vec<String> = params
            .map(|(name, text)| format!("{name}={text}"))
            .collect();
        format!("<pacesim solution {}: {}>", self.0.model, params.join(" "))
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
    if let Ok(scenario) = model.cast::<Scenario>() {
        let Some(port) = port.filter(|_| settings.is_empty()) else {
            return Err(usage(
                "solve(scenario, port=NAME) takes a port and no parameters",
            ));
        };
        let input = &scenario.get().input;
        let solved = py
            .detach(|| analytic::solve_port(input, port))
            .map_err(usage)?;
        return Ok(Solution(solved));
    }
    if port.is_some() {
        return Err(usage(
            "a port belongs to a scenario: solve(scenario, port=NAME)",
        ));
    }
    let model: String = model.extract()?;
    let solved = py.detach(|| analytic::solve(&model, &settings));
    solved.map(Solution).map_err(usage)
}

/// The analytic models by name, each with its result.
#[pyfunction]
pub(crate) fn models() -> Vec<(&'static str, &'static str)> {
    let all = catalogue::MODELS.iter();
    all.map(|model| (model.name, model.summary)).collect()
}
