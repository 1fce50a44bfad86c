//! Stands in for the crate that reads studies, until that is there.

use pacesim::scenario::{Checked, Problems, load};

/// A study.
#[derive(Debug)]
pub struct Study {
    /// Its name.
    pub name: String,
    /// How many replications each point has.
    pub replications: u64,
    /// What varies.
    pub axes: Vec<Axis>,
    /// The scenario's text.
    pub text: String,
    /// For each axis its key, and its values.
    pub values: Vec<(String, Vec<AxisValue>)>,
    /// Points left out.
    pub except: Vec<u64>,
}

/// What varies.
#[derive(Clone, Debug)]
pub struct Axis {
    /// Its name.
    pub name: String,
    /// The unit of its numbers.
    pub unit: Option<&'static str>,
}

/// A point of the grid.
#[derive(Clone, Debug)]
pub struct Point<'s> {
    /// Its number in the full grid.
    pub number: u64,
    /// A value for each axis.
    pub values: Vec<&'s AxisValue>,
}

/// A value of an axis.
#[derive(Clone, Debug)]
pub struct AxisValue {
    /// As written.
    pub text: String,
    /// As a number.
    pub number: Option<f64>,
}

impl Study {
    /// The size of the full grid.
    pub fn grid(&self) -> u64 {
        self.values.iter().map(|(_, v)| v.len() as u64).product()
    }

    /// The numbers of its points.
    pub fn points(&self) -> impl Iterator<Item = u64> + '_ {
        (0..self.grid()).filter(|n| !self.except.contains(n))
    }

    /// A point.
    pub fn point(&self, number: u64) -> Option<Point<'_>> {
        if number >= self.grid() || self.except.contains(&number) {
            return None;
        }
        let mut rest = number;
        let mut values = Vec::new();
        for (_, all) in self.values.iter().rev() {
            values.push(&all[(rest % all.len() as u64) as usize]);
            rest /= all.len() as u64;
        }
        values.reverse();
        Some(Point { number, values })
    }

    /// Its scenario.
    pub fn scenario(&self, number: u64) -> Result<Checked, Problems> {
        let point = self.point(number).expect("a point");
        let keys = self.values.iter().map(|(key, _)| key);
        let sets: Vec<String> = keys
            .zip(&point.values)
            .map(|(key, value)| format!("{key}={}", value.text))
            .collect();
        let sets: Vec<&str> = sets.iter().map(String::as_str).collect();
        load("study.toml", &self.text, &sets, &())
    }
}
