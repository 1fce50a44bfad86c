//! A claim about a study's numbers, with its axes and numbers resolved.

use std::ops::RangeInclusive;

use pacesim_language::expression::Unit;
use pacesim_language::tree::Item;

use crate::axis::Axis;
use crate::keys::{Band, Bound, ClaimKind, Course, Slope};
use crate::name::NumberName;
use crate::reference::{Reference, Within};
use crate::selection::Selection;

/// A claim about the numbers of a study.
#[derive(Clone, Debug, PartialEq)]
pub struct Expectation {
    /// Path of the claim's declaration, for errors found later.
    pub path: String,
    /// Statement of the claim in words.
    pub claim: String,
    /// Kind of claim.
    pub kind: ClaimKind,
    /// The paper's claim of which it is an alternative.
    pub instead_of: Option<InsteadOf>,
    /// Sentence of the paper that it repeats, if several claims do.
    pub group: Option<String>,
    /// Name of the number that the claim is about.
    pub y: NumberName,
    /// Name of the number that divides it, run by run.
    pub per: Option<NumberName>,
    /// Numbers compared with it for fairness: the claim is about the index of all.
    pub jain_with: Vec<NumberName>,
    /// Points that the claim is about.
    pub at: Selection,
    /// Reference that the number is compared with.
    pub against: Against,
    /// Property of a line along an axis, if the claim is about that.
    pub line: Option<AlongLine>,
    /// The axis at each of whose values the claim holds, instead of at a single one.
    pub each: Option<usize>,
    /// First and last value on the axis of the claim, if restricted.
    pub between: Option<(usize, usize)>,
    /// Factor that makes the number, the ratio or the difference one of the claim's unit.
    pub times: f64,
    /// The unit of the claim: its numbers are in bit/s, seconds, bytes, packets and their products.
    pub unit: Unit,
    /// True if the claim states percentages.
    pub in_percent: bool,
    /// The quantile over replications that it is about, instead of the mean.
    pub quantile: Option<f64>,
    /// Property that is claimed.
    pub claimed: Claimed,
    /// Number or words of the paper.
    pub paper: Option<Paper>,
    /// Number measured in ns-2.
    pub ns2: Option<f64>,
    /// Reason of the difference, if it was looked for.
    pub because: Option<Because>,
    /// Least share of the full length at which it is judged.
    pub scale: f64,
}

/// The claim that an alternative stands beside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InsteadOf {
    /// Words of the paper's claim.
    pub claim: String,
    /// The setting here: "buffer = 5pkts".
    pub setting: String,
}

/// The reason why a claim differs.
#[derive(Clone, Debug, PartialEq)]
pub enum Because {
    /// No reason is known.
    NotExplained,
    /// A variant of the study moves the number into the claimed range.
    Variant {
        /// Index of the variant on its axis.
        variant: usize,
        /// Difference that the variant shows, in words.
        shows: String,
    },
    /// A model gives the number of the runs instead of the claimed one.
    Model(ModelReason),
    /// A bound excludes the claimed range.
    Bound {
        /// Kind of bound.
        bound: Bound,
        /// Least number that is possible, if bounded.
        least: Option<f64>,
        /// Greatest number that is possible, if bounded.
        most: Option<f64>,
        /// Conclusion in words.
        shows: String,
    },
}

/// An analytic model as a reason.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelReason {
    /// Path of the reason, for errors found later.
    pub path: String,
    /// Name of the model.
    pub model: String,
    /// Result of the model.
    pub y: String,
    /// Parameters: values, or names of axes.
    pub set: Vec<(String, Item)>,
    /// Factor of the result, in the unit of the claim.
    pub times: f64,
    /// Share by which the runs may deviate from it.
    pub within: f64,
    /// Conclusion in words.
    pub shows: String,
}

/// The reference of a comparison, replication by replication.
#[derive(Clone, Debug, PartialEq)]
pub enum Against {
    /// No reference: the claim is about the number itself.
    Nothing,
    /// The ratio to the number where some axes have other values.
    Over(Selection),
    /// The difference from the number where some axes have other values.
    Minus(Selection),
}

/// A least-squares line through the numbers along an axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AlongLine {
    /// Axis along which the line runs.
    pub axis: usize,
    /// Scales in which it is a line.
    pub scales: Slope,
    /// Property of the line that is claimed.
    pub of: OfLine,
}

/// A property of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OfLine {
    /// The slope of the line.
    Slope,
    /// The share of the variance that the line explains.
    Straightness,
}

/// The property that is claimed.
#[derive(Clone, Debug, PartialEq)]
pub enum Claimed {
    /// The number lies between these bounds.
    Between {
        /// Lower bound, if any.
        least: Option<f64>,
        /// Upper bound, if any.
        most: Option<f64>,
    },
    /// The number lies in the range of a paper's words, relative to this one.
    Band {
        /// The words.
        band: Band,
        /// Number that they refer to.
        of: f64,
    },
    /// The number equals this one within a share.
    About {
        /// Number that is claimed.
        number: f64,
        /// Share by which it may deviate.
        within: f64,
    },
    /// The number is the mean of this reference at its point, to within this distance.
    Measured {
        /// Index of the reference in the study.
        reference: usize,
        /// Distance that is allowed.
        within: Within,
    },
    /// The number takes this course along this axis.
    Course(usize, Course),
    /// The number has its minimum along this axis at this value.
    LeastAt(usize, usize),
    /// The number has its maximum along this axis at this value.
    GreatestAt(usize, usize),
}

/// The statement of a paper.
#[derive(Clone, Debug, PartialEq)]
pub enum Paper {
    /// A number, as the paper gives it.
    Number(f64),
    /// A statement in words.
    Words(String),
}

impl Expectation {
    /// Names of all numbers that the claim refers to.
    pub fn numbers(&self) -> impl Iterator<Item = &NumberName> {
        [&self.y]
            .into_iter()
            .chain(&self.per)
            .chain(&self.jain_with)
    }

    /// The numbers that it compares: y, or y and those of its fairness.
    pub fn compared(&self) -> impl Iterator<Item = &NumberName> {
        [&self.y].into_iter().chain(&self.jain_with)
    }

    /// The numbers of it that stand for others, since they take rates of several groups over the
    /// measured time.
    pub fn over_window(&self) -> Vec<NumberName> {
        let all = self
            .compared()
            .filter_map(|name| self.number_over_window(name));
        all.collect()
    }

    /// The number that stands for one that it compares, if a rate of that is taken over the measured
    /// time.
    pub fn number_over_window(&self, name: &NumberName) -> Option<NumberName> {
        match &self.per {
            Some(per) => name.over_window_per(per),
            None if self.jain_with.is_empty() => None,
            None => name.over_window(),
        }
    }

    /// Lower and upper bound of the claimed number, if the claim is about one.
    pub fn bounds(&self, measured: &[Reference]) -> (Option<f64>, Option<f64>) {
        match self.claimed {
            Claimed::Between { least, most } => (least, most),
            Claimed::Band { band, of } => band.bounds(of),
            Claimed::About { number, within } => {
                let off = (number * within).abs();
                (Some(number - off), Some(number + off))
            }
            Claimed::Measured { .. } if self.each.is_none() => {
                let (least, most) = self.measured_bounds(measured, &self.at);
                (Some(least), Some(most))
            }
            _ => (None, None),
        }
    }

    /// The mean of its reference at a point, and the distance at which a number agrees, in the unit of the claim.
    pub fn measured(&self, measured: &[Reference], at: &Selection) -> Option<(f64, f64)> {
        let Claimed::Measured { reference, within } = &self.claimed else {
            return None;
        };
        let row = measured[*reference].row(at)?;
        let mean = row.mean * self.times;
        let sd = row.sd.map(|sd| sd * self.times);
        Some((mean, within.distance(mean, sd)))
    }

    /// The least and the greatest number that agrees with its reference at a point: at a point
    /// along its axis that was not measured, any number does.
    pub fn measured_bounds(&self, measured: &[Reference], at: &Selection) -> (f64, f64) {
        match self.measured(measured, at) {
            Some((mean, off)) => (mean - off, mean + off),
            None => (f64::NEG_INFINITY, f64::INFINITY),
        }
    }

    /// The axis along which the claim runs, unless it is about one point.
    pub fn along(&self) -> Option<usize> {
        match self.claimed {
            Claimed::Course(axis, _) | Claimed::LeastAt(axis, _) | Claimed::GreatestAt(axis, _) => {
                Some(axis)
            }
            _ => self.line.map(|line| line.axis).or(self.each),
        }
    }

    /// The values on that axis that the claim covers.
    pub fn stretch(&self, axis: &Axis) -> RangeInclusive<usize> {
        let (first, last) = self.between.unwrap_or((0, axis.values.len() - 1));
        first..=last
    }
}
