//! A figure of a study, its axes and numbers resolved.

use crate::across::{Across, EACH};
use crate::keys::{PlotKeys, PrintedKeys, TheoryKeys};
use crate::name::NumberName;
use crate::selection::Selection;

/// A figure of a study: a number against one axis, at some of its points.
#[derive(Clone, Debug, PartialEq)]
pub struct Plot {
    /// Where it is declared, for what else is wrong with it.
    pub path: String,
    /// What its files are called.
    pub name: String,
    /// What stands above it.
    pub title: String,
    /// What goes across.
    pub x: Across,
    /// The number up, or the column if one goes across.
    pub y: NumberName,
    /// The number by which it is divided.
    pub per: Option<NumberName>,
    /// The axis that makes the lines.
    pub lines: Option<usize>,
    /// The axis that makes the panels.
    pub panels: Option<usize>,
    /// Which points are drawn.
    pub only: Selection,
    /// The values of the baseline.
    pub relative_to: Selection,
    /// Labels, scales and what is drawn beside.
    pub keys: PlotKeys,
}

impl Plot {
    /// The axis across, if it is one.
    pub fn axis(&self) -> Option<usize> {
        match self.x {
            Across::Axis(axis) => Some(axis),
            Across::Column(_) | Across::Each(_) => None,
        }
    }

    /// The numbers that go up: one, or those of each that goes across.
    pub fn ys(&self) -> Vec<NumberName> {
        self.of_each(&self.y)
    }

    /// Those by which they are divided.
    pub fn pers(&self) -> Vec<NumberName> {
        let pers = self.per.iter().flat_map(|per| self.of_each(per));
        pers.collect()
    }

    fn of_each(&self, name: &NumberName) -> Vec<NumberName> {
        match &self.x {
            Across::Each(entities) => {
                let of = |entity: &String| name.of_one(EACH, entity);
                entities.iter().map(of).collect()
            }
            Across::Axis(_) | Across::Column(_) => vec![name.clone()],
        }
    }

    /// The lines of models.
    pub fn theory(&self) -> &[TheoryKeys] {
        &self.keys.theory
    }

    /// Points from elsewhere.
    pub fn printed(&self) -> &[PrintedKeys] {
        &self.keys.printed
    }
}
