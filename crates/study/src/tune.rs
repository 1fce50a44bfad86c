//! A search, with its axes and numbers resolved.

use std::fmt;

use crate::name::NumberName;
use crate::selection::Selection;

/// A search for the best values of some axes, at every combination of the others' values.
#[derive(Clone, Debug, PartialEq)]
pub struct Tune {
    /// Axes that are searched.
    pub search: Vec<usize>,
    /// Objective of the search.
    pub goal: Goal,
    /// Direction of the search: minimisation or maximisation.
    pub sense: Sense,
    /// Constraints of the search.
    pub bounds: Vec<StatedBound>,
    /// The places at which a search over several axes starts.
    pub start: Vec<usize>,
    /// Limit on the replications of a point.
    pub most: u64,
    /// Limit on the points that one search tries.
    pub tries: usize,
}

/// The objective of a search.
#[derive(Clone, Debug, PartialEq)]
pub enum Goal {
    /// The value on a searched axis.
    Axis(usize),
    /// A number, named at this path.
    Number(NumberName, String),
}

/// The direction of the objective.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sense {
    /// The objective is minimised.
    Least,
    /// The objective is maximised.
    Greatest,
}

/// A constraint as stated: a number, and limits that may be formulas.
#[derive(Clone, Debug, PartialEq)]
pub struct StatedBound {
    /// Name of the bounded number.
    pub y: NumberName,
    /// Values of the axes where the number is that it is divided by.
    pub over: Selection,
    /// Name of the number or ratio, as tables show it.
    pub name: String,
    /// Lower bound as stated, if any.
    pub least: Option<Limit>,
    /// Upper bound as stated, if any.
    pub most: Option<Limit>,
    /// Path of the bound's declaration.
    pub path: String,
}

/// A limit as it is stated.
#[derive(Clone, Debug, PartialEq)]
pub enum Limit {
    /// A number, in the unit of the bounded one.
    Number {
        /// Value of the limit.
        number: f64,
        /// True if the limit is written as a percentage.
        in_percent: bool,
        /// Amount as it is written.
        text: String,
    },
    /// A formula of quantities of the scenario, which has a value at each point.
    Formula(String),
}

/// A constraint at a point: a number that must lie within bounds.
#[derive(Clone, Debug, PartialEq)]
pub struct Bound {
    /// Name of the bounded number.
    pub y: NumberName,
    /// Name of the number or ratio, as tables show it.
    pub name: String,
    /// True if the number is divided by the one at another point.
    pub is_ratio: bool,
    /// Lower bound, if any.
    pub least: Option<f64>,
    /// Upper bound, if any.
    pub most: Option<f64>,
}

impl fmt::Display for StatedBound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.least, &self.most) {
            (Some(least), Some(most)) => write!(f, "{} from {least} to {most}", self.name),
            (Some(least), None) => write!(f, "{} at least {least}", self.name),
            (None, Some(most)) => write!(f, "{} at most {most}", self.name),
            (None, None) => f.write_str(&self.name),
        }
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Limit::Number { text, .. } => f.write_str(text),
            Limit::Formula(text) => f.write_str(text.trim()),
        }
    }
}

impl Tune {
    /// True if an axis is searched.
    pub fn searches(&self, axis: usize) -> bool {
        self.search.contains(&axis)
    }

    /// All numbers that the search uses, and the paths where they are named.
    pub fn numbers(&self) -> impl Iterator<Item = (&NumberName, String)> {
        let goal = match &self.goal {
            Goal::Axis(_) => None,
            Goal::Number(name, path) => Some((name, path.clone())),
        };
        let bounds = self.bounds.iter();
        let bounds = bounds.map(|bound| (&bound.y, format!("{}.y", bound.path)));
        goal.into_iter().chain(bounds)
    }
}
