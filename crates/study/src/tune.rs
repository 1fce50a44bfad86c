//! A search, its axes and numbers resolved.

use crate::name::NumberName;

/// A search for the best values of some axes, at every combination of the others' values.
#[derive(Clone, Debug, PartialEq)]
pub struct Tune {
    /// The axes that are searched.
    pub search: Vec<usize>,
    /// What is wanted.
    pub goal: Goal,
    /// Whether the least or the greatest is wanted.
    pub sense: Sense,
    /// What must hold.
    pub bounds: Vec<Bound>,
    /// The places at which a search of several axes begins.
    pub start: Vec<usize>,
    /// The most replications of a point.
    pub most: u64,
    /// The most points that one search tries.
    pub tries: usize,
}

/// What shall be least or greatest.
#[derive(Clone, Debug, PartialEq)]
pub enum Goal {
    /// An axis that is searched.
    Axis(usize),
    /// A number, named at this path.
    Number(NumberName, String),
}

/// Which end is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sense {
    /// The least.
    Least,
    /// The greatest.
    Greatest,
}

/// A number that must lie between two others.
#[derive(Clone, Debug, PartialEq)]
pub struct Bound {
    /// The number.
    pub y: NumberName,
    /// The least that is allowed.
    pub least: Option<f64>,
    /// The greatest.
    pub most: Option<f64>,
    /// Where it is declared.
    pub path: String,
}

impl Tune {
    /// Whether an axis is searched.
    pub fn searches(&self, axis: usize) -> bool {
        self.search.contains(&axis)
    }

    /// All numbers that the search looks at, with where they are named.
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
