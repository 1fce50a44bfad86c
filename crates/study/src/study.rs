//! A study: the numbered points of a grid, and the scenario of each.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::OnceLock;

use pacesim_language::document::Document;
use pacesim_language::problem::{Faults, Problem, Problems};
use pacesim_scenario::{Checked, Inventory, Raw, Scenario};
use pacesim_units::Span;

use crate::axis::{Axis, AxisValue, Change};
use crate::expectation::Expectation;
use crate::grid::Grid;
use crate::measure::Measure;
use crate::model::Model;
use crate::name::NumberName;
use crate::origin::{Origin, SharedFiles};
use crate::plot::Plot;
use crate::reference::Reference;
use crate::selection::Selection;
use crate::strays::Strays;
use crate::tune::Tune;

/// How many replications a short look leaves.
const LEFT: u64 = 5;

/// An experiment in which nothing is wrong but perhaps at some of its points.
pub struct Study {
    /// What it is called.
    pub name: String,
    /// How often each point is repeated.
    pub replications: u64,
    /// Into how many windows the measured time of each run is cut, if it is.
    pub batches: Option<u64>,
    /// The numbers whose course shows where the warm-up of each point ends, if it is to be found.
    pub find_warmup: Vec<NumberName>,
    /// What share of the mean half the width of intervals may be, if points are repeated until then.
    pub precision: Option<f64>,
    /// The numbers that have to be that precise, if they are named.
    pub precise: Vec<NumberName>,
    /// The most replications of a point that is to be precise.
    pub most: u64,
    /// What varies, the slowest first.
    pub axes: Vec<Axis>,
    /// What is measured in each run beyond the counters, in the order of the file.
    pub measures: Vec<Measure>,
    /// Whether it has models and no scenario.
    pub is_of_models_alone: bool,
    /// Numbers of theory, in the order of the file.
    pub models: Vec<Model>,
    pub(crate) has_variants: bool,
    /// Measured numbers beside it, in the order of the file.
    pub references: Vec<Reference>,
    /// True if some of them could not be understood, which has been said.
    pub(crate) lost_references: bool,
    /// Its figures.
    pub plots: Vec<Plot>,
    /// What is searched, if the study is a search.
    pub tune: Option<Tune>,
    /// The points whose recordings are kept: those that meet one of these.
    pub keep: Vec<Selection>,
    /// What must hold.
    pub expectations: Vec<Expectation>,
    /// Numbers of figures and claims in which something else is wrong.
    pub strays: Strays,
    pub(crate) grid: Grid,
    /// The scenario without what the axes change.
    pub(crate) base: Document,
    /// The study's own tables and texts.
    pub(crate) document: Document,
    pub(crate) origin: Origin,
    pub(crate) files: SharedFiles,
    /// What simulated times are multiplied by.
    pub(crate) scale: f64,
    /// The scenario of a study of one point, once it has been found sound: many look at it, and it may be large.
    pub(crate) only: OnceLock<Checked>,
}

/// The most points of a grid, and the most runs.
pub(crate) const MOST: u64 = 1_000_000;

/// One point of a study.
#[derive(Clone, Debug, PartialEq)]
pub struct Point<'s> {
    /// Its number in the grid, from 0.
    pub number: u64,
    /// The value of each axis.
    pub values: Vec<&'s AxisValue>,
}

impl fmt::Debug for Study {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Study")
            .field("name", &self.name)
            .field("replications", &self.replications)
            .field("axes", &self.axes)
            .finish_non_exhaustive()
    }
}

impl Study {
    /// The numbers of all points, ascending. A number does not change when other points
    /// are left out.
    pub fn points(&self) -> impl Iterator<Item = u64> + '_ {
        self.grid.numbers()
    }

    /// True if there are points, and not too many to look at.
    pub(crate) fn has_points(&self) -> bool {
        let is_small = self.grid.size().is_some_and(|size| size <= MOST);
        is_small && self.points().next().is_some()
    }

    /// The point of this number, unless the grid has none or it is left out.
    pub fn point(&self, number: u64) -> Option<Point<'_>> {
        let choice = self.grid.choice(number)?;
        let values = self.axes.iter().zip(choice);
        let values = values.map(|(axis, place)| &axis.values[place]).collect();
        Some(Point { number, values })
    }

    /// Whether the recordings of a point are kept.
    pub fn keeps(&self, number: u64) -> bool {
        self.keep.iter().any(|kept| self.grid.meets(number, kept))
    }

    /// The scenario of a point. What is wrong with it stands in the texts of the study,
    /// often at a value of an axis.
    ///
    /// # Panics
    ///
    /// Without a point of this number.
    pub fn scenario(&self, number: u64) -> Result<Checked, Problems> {
        if let Some(checked) = self.only.get() {
            return Ok(checked.clone());
        }
        let checked = self.raw(number).check(&*self.files)?;
        let checked = match self.scale == 1.0 {
            true => checked,
            false => self.shortened(checked.scenario().clone()).check()?,
        };
        if self.grid.size() == Some(1) {
            self.only.get_or_init(|| checked.clone());
        }
        Ok(checked)
    }

    /// The same study with times and replications multiplied by `scale`: a first look at what
    /// takes long. Flows, rates and buffers stay. Five replications are left, or all if there are
    /// fewer: with less than that intervals tell little.
    pub fn at_scale(mut self, scale: f64) -> Study {
        let replications = (self.replications as f64 * scale).round() as u64;
        self.replications = replications.max(self.replications.min(LEFT));
        self.scale = scale;
        self.only = OnceLock::new();
        self
    }

    /// The numbers that have to be precise: those that are named, or else those that figures and
    /// claims are about.
    pub fn precise_numbers(&self) -> Vec<NumberName> {
        if !self.precise.is_empty() {
            return self.precise.clone();
        }
        // Models are as precise as what they take.
        let all = self.mentioned().filter(|name| name.of != "model");
        let all: BTreeSet<NumberName> = all.collect();
        all.into_iter().collect()
    }

    /// The numbers that figures and claims are about.
    pub fn mentioned(&self) -> impl Iterator<Item = NumberName> + '_ {
        let plots = self.plots.iter().flat_map(Plot::ys);
        plots.chain(self.expectations.iter().map(|claim| claim.y.clone()))
    }

    /// What it was read from.
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// What times and replications are multiplied by.
    pub fn scale(&self) -> f64 {
        self.scale
    }

    fn shortened(&self, mut scenario: Scenario) -> Scenario {
        let shorter = |span: Span| Span::from_ps((span.as_ps() as f64 * self.scale) as u64);
        let run = &mut scenario.run;
        run.warmup = shorter(run.warmup);
        run.duration = shorter(run.duration).max(Span::from_ps(1));
        scenario
    }

    /// The number of the point at which each axis has this value, by its place; unless
    /// values go together that do not vary together, or the point is left out.
    pub fn number(&self, choice: &[usize]) -> Option<u64> {
        self.grid.number(choice)
    }

    /// Whether two axes vary together, or are one.
    pub fn vary_together(&self, one: usize, other: usize) -> bool {
        self.grid.vary_together(one, other)
    }

    /// Whether the study is a search, and this one of the axes that are searched.
    pub fn searches(&self, axis: usize) -> bool {
        self.tune.as_ref().is_some_and(|tune| tune.searches(axis))
    }

    /// The points that show whether all can be run: every one, or of a search those at the ends
    /// of what is searched.
    pub fn points_to_check(&self) -> impl Iterator<Item = u64> + '_ {
        let is_end = |(axis, place): (usize, usize)| {
            let last = self.axes[axis].values.len() - 1;
            !self.searches(axis) || place == 0 || place == last
        };
        self.points().filter(move |number| {
            let choice = self.grid.choice(*number).unwrap_or_default();
            choice.into_iter().enumerate().all(is_end)
        })
    }

    /// The place of each axis' value at a point, unless there is none of this number.
    pub fn choice(&self, number: u64) -> Option<Vec<usize>> {
        self.grid.choice(number)
    }

    /// A mistake that somebody else found in the study's tables, with its place in the text.
    pub fn problem(&self, path: &str, message: String, help: String) -> Problem {
        let mut faults = Faults::default();
        faults.add(path, message).help(help);
        let fault = faults.list.remove(0);
        self.document.locate(fault)
    }

    /// The text in which a problem of this file stands.
    pub fn text_of(&self, file: &str) -> Option<&str> {
        self.document.text_of(file)
    }

    /// Names of what a point's scenario has, also if it cannot be run.
    pub fn inventory(&self, number: u64) -> Option<Inventory> {
        self.raw(number).inventory(&*self.files)
    }

    /// The text of a point's scenario, for its warnings.
    pub fn raw(&self, number: u64) -> Raw {
        let point = self.point(number).expect("a point of the study");
        let mut document = self.base.clone();
        // A variant is another beginning, from which the axes go on.
        let variant = self.variant_axis().map(|axis| point.values[axis]);
        let axes = point
            .values
            .iter()
            .take(self.axes.len() - variant.iter().len());
        let all = variant.iter().chain(axes);
        let changes = all.flat_map(|value| &value.changes);
        changes.for_each(|change| change.make(&mut document));
        Raw::from(document)
    }
}

impl Change {
    /// Makes it in a scenario.
    pub(crate) fn make(&self, document: &mut Document) {
        document.set(&self.key, self.named_at, self.value.clone());
    }
}

impl Point<'_> {
    /// "buffer = 5pkts, pacing = host", for a sentence.
    pub fn describe(&self, axes: &[Axis]) -> String {
        let pairs = axes.iter().zip(&self.values);
        let pairs = pairs.map(|(axis, value)| format!("{} = {}", axis.name, value.text));
        pairs.collect::<Vec<_>>().join(", ")
    }
}
