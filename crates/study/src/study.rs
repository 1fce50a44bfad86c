//! A study: the numbered points of a grid, and the scenario of each.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt;
use std::sync::OnceLock;

use pacesim_language::document::Document;
use pacesim_language::problem::{Faults, Problem, Problems};
use pacesim_scenario::{Checked, Inventory, Raw, Scenario};

use crate::axis::{Axis, AxisValue, Change};
use crate::expectation::Expectation;
use crate::grid::Grid;
use crate::inferred::Inferred;
use crate::measure::Measure;
use crate::model::Model;
use crate::name::NumberName;
use crate::origin::{Origin, SharedFiles};
use crate::plot::Plot;
use crate::quantities::Quantities;
use crate::reference::Reference;
use crate::selection::{More, Selection};
use crate::strays::Strays;
use crate::tune::Tune;

/// Number of replications that a scaled-down study keeps.
const LEFT: u64 = 5;

/// A study without mistakes, except perhaps at some of its points.
pub struct Study {
    /// Name of the study.
    pub name: String,
    /// Number of replications of each point.
    pub replications: u64,
    /// Number of windows of equal length in the measured time of each run, for batch means.
    pub batches: Option<u64>,
    /// Numbers whose series determine the warm-up of each point, if it is to be found.
    pub find_warmup: Vec<NumberName>,
    /// Relative half width of intervals at which the replication of points stops, if set.
    pub precision: Option<f64>,
    /// The numbers that have to be that precise, if given.
    pub precise: Vec<NumberName>,
    /// The most replications of a point, if a precision is set.
    pub most: u64,
    /// Axes of the study, the slowest first.
    pub axes: Vec<Axis>,
    /// Measures of each run in addition to the counters, in the order of the file.
    pub measures: Vec<Measure>,
    /// The series that figures over time ask for, in the drawn replications only.
    pub courses: Vec<Measure>,
    /// True if the study has models and no scenario.
    pub is_of_models_alone: bool,
    /// Numbers of theory, in the order of the file.
    pub models: Vec<Model>,
    pub(crate) has_variants: bool,
    /// Measured numbers beside it, in the order of the file.
    pub references: Vec<Reference>,
    /// True if some of them could not be understood, as already reported.
    pub(crate) lost_references: bool,
    /// True if the number of replications has a mistake.
    pub(crate) lost_replications: bool,
    /// Numbers that the printed table has in any case.
    pub show: Vec<NumberName>,
    /// Figures of the study.
    pub plots: Vec<Plot>,
    /// The search, if the study is one.
    pub tune: Option<Tune>,
    /// True if it has a search that could not be understood, as already reported.
    pub lost_tune: bool,
    /// Points with more replications than the others.
    pub(crate) more: Vec<More>,
    /// Selections of points whose recordings are kept; one match is enough.
    pub keep: Vec<Selection>,
    /// Claims of the study.
    pub expectations: Vec<Expectation>,
    /// Settings that a paper leaves open, inferred from one of its numbers.
    pub inferred: Vec<Inferred>,
    /// Numbers of figures and claims that have another error.
    pub strays: Strays,
    pub(crate) grid: Grid,
    /// Scenario before the axes change it.
    pub(crate) base: Document,
    /// Tables and sources of the study itself.
    pub(crate) document: Document,
    pub(crate) origin: Origin,
    pub(crate) files: SharedFiles,
    /// Factor applied to simulated times.
    pub(crate) scale: f64,
    /// The scenario of a study of one point, once it has been checked: it has many readers, and may
    /// be large.
    pub(crate) only: OnceLock<Checked>,
    /// Quantities of the formulas on axes.
    pub(crate) quantities: Quantities,
}

/// Limit on the points of a grid, and on the runs.
pub(crate) const MOST: u64 = 1_000_000;

/// A point of a study.
#[derive(Clone, Debug, PartialEq)]
pub struct Point<'s> {
    /// Number of the point in the grid, from 0.
    pub number: u64,
    /// The value of each axis, formulas with their quantity here.
    pub values: Vec<Cow<'s, AxisValue>>,
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
    /// The numbers of all points, ascending. Numbers do not change when other points are left out.
    pub fn points(&self) -> impl Iterator<Item = u64> + '_ {
        self.grid.numbers()
    }

    /// True if every axis could be read, and the search, if there is one. Otherwise it is unknown which points there are, and what
    /// entries of selections mean.
    pub(crate) fn has_all_axes(&self) -> bool {
        !self.lost_tune && !self.axes.iter().any(|axis| axis.is_broken)
    }

    /// True if there are points, and not too many to examine.
    pub(crate) fn has_points(&self) -> bool {
        let is_small = self.grid.size().is_some_and(|size| size <= MOST);
        is_small && self.points().next().is_some()
    }

    /// The point of this number, unless it is beyond the grid or left out.
    pub fn point(&self, number: u64) -> Option<Point<'_>> {
        let choice = self.grid.choice(number)?;
        let values = choice.into_iter().enumerate();
        let values = values.map(|(axis, place)| self.value_at(Some(number), axis, place));
        let values = values.collect();
        Some(Point { number, values })
    }

    /// The replications of a point if others have this many: its own, unless the study's number is
    /// overridden.
    pub fn replications_of(&self, number: u64, others: u64) -> u64 {
        let own = self.more.iter().filter(|_| others == self.replications);
        let own = own.filter(|more| self.grid.meets(number, &more.at));
        own.map(|more| more.replications).max().unwrap_or(others)
    }

    /// The most replications of a point.
    pub fn most_replications(&self) -> u64 {
        let own = self.more.iter().map(|more| more.replications);
        own.max().unwrap_or(self.replications)
    }

    /// True if the recordings of a point are kept.
    pub fn keeps(&self, number: u64) -> bool {
        self.keep.iter().any(|kept| self.grid.meets(number, kept))
    }

    /// The scenario of a point. Its errors are located in the sources of the study, often at a
    /// value of an axis.
    ///
    /// # Panics
    ///
    /// Panics if there is no point of this number.
    pub fn scenario(&self, number: u64) -> Result<Checked, Problems> {
        if let Some(checked) = self.only.get() {
            return Ok(checked.clone());
        }
        let checked = self.raw(number).check(&*self.files)?;
        self.note_formulas(number, &checked);
        let checked = if self.scale == 1.0 {
            checked
        } else {
            Checked::of(self.shortened(checked.scenario().clone())?)?
        };
        if self.grid.size() == Some(1) {
            self.only.get_or_init(|| checked.clone());
        }
        Ok(checked)
    }

    /// The study with the times of its course ([`Scenario::at_scale`]) and its replications
    /// multiplied by `scale`: a first look at a long one. Delays, time-outs and recordings, flows,
    /// rates and buffers stay. At least five replications are kept, or all if there are fewer: with
    /// less than that intervals are of little use.
    pub fn at_scale(mut self, scale: f64) -> Study {
        let scaled = |all: u64| ((all as f64 * scale).round() as u64).max(all.min(LEFT));
        self.replications = scaled(self.replications);
        for more in &mut self.more {
            more.replications = scaled(more.replications);
        }
        self.scale = scale;
        self.only = OnceLock::new();
        self
    }

    /// The measures of all runs, then those of drawn replications only.
    pub fn all_measures(&self) -> impl Iterator<Item = &Measure> {
        self.measures.iter().chain(&self.courses)
    }

    /// The replications of a point that figures over time draw.
    pub fn drawn_over_time(&self, number: u64) -> BTreeSet<u64> {
        let is_drawn =
            |plot: &&Plot| plot.keys.over.is_some() && self.grid.meets(number, &plot.only);
        let drawn = self.plots.iter().filter(is_drawn);
        let drawn = drawn.map(|plot| plot.keys.replication.into());
        drawn.filter(|_| !self.courses.is_empty()).collect()
    }

    /// The numbers that have to be precise: those given, or else those of figures and claims.
    pub fn precise_numbers(&self) -> Vec<NumberName> {
        if !self.precise.is_empty() {
            return self.precise.clone();
        }
        // Models are as precise as their parameters.
        let is_of_model = |name: &NumberName| name.parts().iter().any(|part| part.of == "model");
        let all = self.mentioned().filter(|name| !is_of_model(name));
        let all: BTreeSet<NumberName> = all.collect();
        all.into_iter().collect()
    }

    /// Names of the numbers that figures and claims mention.
    pub fn mentioned(&self) -> impl Iterator<Item = NumberName> + '_ {
        let plots = self.plots.iter().flat_map(Plot::each_number);
        let plots = plots.flat_map(|plot| plot.ys());
        plots.chain(self.expectations.iter().map(|claim| claim.y.clone()))
    }

    /// The sources that the study was read from.
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// Factor applied to simulated times and replications.
    pub fn scale(&self) -> f64 {
        self.scale
    }

    fn shortened(&self, scenario: Scenario) -> Result<Scenario, Problems> {
        scenario.at_scale(self.scale).map_err(|key| {
            let message = format!("--scale {} cannot scale the times of a file", self.scale);
            let help = "give a distribution other than empirical, or leave --scale out";
            Problems(vec![self.problem(&key, message, help.to_owned())])
        })
    }

    /// The number of the point at which each axis has this value, by its place; none if the
    /// combination is not on the grid, or the point is left out.
    pub fn number(&self, choice: &[usize]) -> Option<u64> {
        self.grid.number(choice)
    }

    /// True if a selection has this point.
    pub fn meets(&self, number: u64, selected: &Selection) -> bool {
        self.grid.meets(number, selected)
    }

    /// True if two axes vary together, or are the same.
    pub fn vary_together(&self, one: usize, other: usize) -> bool {
        self.grid.vary_together(one, other)
    }

    /// True if the study is a search, and this one of the searched axes.
    pub fn searches(&self, axis: usize) -> bool {
        self.tune.as_ref().is_some_and(|tune| tune.searches(axis))
    }

    /// The points whose check shows that all can be run: every one, or in a search those at the
    /// ends of the searched axes.
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

    /// The place of each axis' value at a point, if it exists.
    pub fn choice(&self, number: u64) -> Option<Vec<usize>> {
        self.grid.choice(number)
    }

    /// A mistake found elsewhere in the study's tables, with its place in the text.
    pub fn problem(&self, path: &str, message: String, help: String) -> Problem {
        let mut faults = Faults::default();
        faults.add(path, message).help(help);
        self.problems(faults).remove(0)
    }

    /// The axes some of whose values these mistakes are about.
    pub fn axes_with(&self, mistakes: &[Problem]) -> Vec<usize> {
        let is_wrong = |value: &AxisValue| {
            // The name of a case is not its value.
            let of_values = value.changes.iter().filter(|change| value.is_of(change));
            let mut places = of_values.map(|change| change.value.place);
            places.any(|place| {
                let mut mistakes = mistakes.iter();
                mistakes.any(|mistake| self.document.is_within(mistake, place))
            })
        };
        let all = self.axes.iter().enumerate();
        let wrong = all.filter(|(_, axis)| axis.values.iter().any(is_wrong));
        wrong.map(|(place, _)| place).collect()
    }

    /// Mistakes in the study's tables with their places in the text.
    pub(crate) fn problems(&self, faults: Faults) -> Vec<Problem> {
        let all = faults.list.into_iter();
        all.map(|fault| self.document.locate(fault)).collect()
    }

    /// The text that a problem of this file refers to.
    pub fn text_of(&self, file: &str) -> Option<&str> {
        self.document.text_of(file)
    }

    /// Names in a point's scenario, even if it cannot be run.
    pub fn inventory(&self, number: u64) -> Option<Inventory> {
        self.raw(number).inventory(&*self.files)
    }

    /// The text of a point's scenario, for its warnings.
    pub fn raw(&self, number: u64) -> Raw {
        let choice = self.choice(number).expect("a point of the study");
        let values = self.axes.iter().zip(choice);
        let values: Vec<&AxisValue> = values.map(|(axis, place)| &axis.values[place]).collect();
        let mut document = self.base.clone();
        // A variant changes the base, to which the axes are then applied.
        let variant = self.variant_axis().map(|axis| values[axis]);
        let axes = values.iter().take(values.len() - variant.iter().len());
        let all = variant.iter().chain(axes);
        let changes = all.flat_map(|value| &value.changes);
        changes.for_each(|change| change.make(&mut document));
        Raw::from(document)
    }
}

impl Change {
    /// Applies the changes to a scenario.
    pub(crate) fn make(&self, document: &mut Document) {
        document.set(&self.key, self.named_at, self.value.clone());
    }
}

impl Point<'_> {
    /// Description such as "buffer = 5pkts, pacing = host", for a sentence.
    pub fn describe(&self, axes: &[Axis]) -> String {
        let pairs = axes.iter().zip(&self.values);
        let pairs = pairs.map(|(axis, value)| format!("{} = {}", axis.name, value.shown()));
        pairs.collect::<Vec<_>>().join(", ")
    }
}
