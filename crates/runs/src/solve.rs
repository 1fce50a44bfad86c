//! Analytic models for the program, for comparison with simulation.
//!
//! 1. [`solve`] takes a model of the [`catalogue`] by name, and its parameters as strings;
//! 2. [`Solved::to_json`] and [`Solved::write_parquet`] store the solution, and [`pacesim_plot`]
//!    draws it.
//!
//! ```
//! let solved = pacesim_runs::solve::solve("mm1k", &["load=0.8".into(), "places=5".into()])?;
//! let loss = solved.solution.value("loss").expect("it has a loss");
//! assert!((loss - 0.0888).abs() < 1e-4);
//! # Ok::<(), pacesim_runs::solve::SolveFault>(())
//! ```

mod chart;
mod document;
mod panels;
mod paths;
mod port;
mod rows;

use std::path::Path;

use catalogue::{Scalar, Solution, Table};
pub use pacesim_analytic::{Range, SolveError, catalogue};
use pacesim_tables::{TableError, TableWriter};

use crate::input::Input;
pub use chart::figure_of;
pub use port::NoFit;

/// The reason for the lack of a solution, always a fault of the request.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SolveFault {
    /// The model rejects its parameters.
    #[error(transparent)]
    Model(#[from] SolveError),
    /// No model fits the port.
    #[error(transparent)]
    Port(#[from] NoFit),
    /// A setting has no value.
    #[error("--set {0}: write name=value, such as --set load=0.9")]
    NoValue(String),
    /// The model has no table of that name.
    #[error("{model} gives no table \"{name}\"; it gives {known}")]
    NoTable {
        /// Name of the model.
        model: &'static str,
        /// Name of the requested table.
        name: String,
        /// Names of the existing tables.
        known: String,
    },
}

/// A model and its solution.
#[derive(Clone, Debug, PartialEq)]
pub struct Solved {
    /// Name of the model.
    pub model: &'static str,
    /// Solution of the model, with the parameters used.
    pub solution: Solution,
    /// Scenario that the parameters come from, if any.
    pub origin: Option<Origin>,
}

/// The port of a scenario that was solved.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Origin {
    /// Title of the scenario.
    pub scenario: String,
    /// Name of the port; none for all of the network.
    pub port: Option<String>,
    /// The conditions under which the model gives loss and delay, or shares.
    pub assumptions: Vec<String>,
}

/// Solves a model for settings such as `load=0.9`.
pub fn solve(model: &str, settings: &[String]) -> Result<Solved, SolveFault> {
    let model = catalogue::model(model)?;
    let given: Vec<(&str, &str)> = settings
        .iter()
        .map(|s| split(s))
        .collect::<Result<_, _>>()?;
    let solution = model.solve(&model.values(&given)?)?;
    Ok(Solved {
        model: model.name,
        solution,
        origin: None,
    })
}

/// Solves the model that fits a port of a scenario, for the scenario's seed. Times in units of the
/// service time are given in seconds too.
pub fn solve_port(input: &Input, port: &str) -> Result<Solved, SolveFault> {
    let seed = input.scenario.scenario().run.seed;
    let fit = port::fit(&input.scenario.expand(seed, 0), port)?;
    let given: Vec<(&str, &str)> = fit.settings.iter().map(|(n, t)| (*n, t.as_str())).collect();
    let mut solution = catalogue::solve(fit.model, &given)?;
    let in_seconds = |scalar: &Scalar| {
        let stem = scalar.name.strip_suffix("_services")?;
        Some(Scalar {
            name: format!("{stem}_s"),
            value: scalar.value * fit.service_s,
        })
    };
    let seconds: Vec<Scalar> = solution.scalars.iter().filter_map(in_seconds).collect();
    solution.scalars.extend(seconds);
    Ok(Solved {
        model: fit.model,
        solution,
        origin: Some(Origin {
            scenario: input.name.clone(),
            port: Some(port.to_owned()),
            assumptions: fit.assumptions,
        }),
    })
}

/// The max-min fair shares of the flows of a scenario on their paths, for the scenario's seed.
pub fn solve_paths(input: &Input) -> Result<Solved, SolveFault> {
    let seed = input.scenario.scenario().run.seed;
    let (solution, assumptions) = paths::shares(&input.scenario.expand(seed, 0), seed)?;
    Ok(Solved {
        model: "ecmp",
        solution,
        origin: Some(Origin {
            scenario: input.name.clone(),
            port: None,
            assumptions,
        }),
    })
}

fn split(setting: &str) -> Result<(&str, &str), SolveFault> {
    let (name, value) = setting
        .split_once('=')
        .ok_or_else(|| SolveFault::NoValue(setting.to_owned()))?;
    Ok((name.trim(), value.trim()))
}

impl Solved {
    /// The solution as one JSON document: `{"model", "params", "results"}`.
    pub fn to_json(&self) -> String {
        document::to_json(self)
    }

    /// The table of this name; without a name, the first with the points of a curve.
    pub fn table(&self, name: Option<&str>) -> Result<&Table, SolveFault> {
        const POINTS_OF_A_CURVE: usize = 8;
        let tables = &self.solution.tables;
        let found = match name {
            Some(name) => self.solution.get(name),
            None => tables
                .iter()
                .find(|table| table.rows() >= POINTS_OF_A_CURVE)
                .or(tables.first()),
        };
        found.ok_or_else(|| SolveFault::NoTable {
            model: self.model,
            name: name.unwrap_or_default().to_owned(),
            known: tables.iter().map(|t| t.name).collect::<Vec<_>>().join(", "),
        })
    }

    /// Every number in one Parquet file, tidy: table, row, column, value. The parameters are in its
    /// footer. The file gets its name once it is complete.
    pub fn write_parquet(&self, path: &Path) -> Result<u64, TableError> {
        let params = self.solution.params.iter();
        let mut notes = vec![("model", self.model.to_owned())];
        notes.extend(params.map(|(name, text)| (*name, text.clone())));
        let mut table = TableWriter::create(path, &notes)?;
        for row in rows::rows(&self.solution) {
            table.push(row)?;
        }
        table.finish()
    }
}
