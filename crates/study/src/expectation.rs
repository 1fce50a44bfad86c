//! A claim about a study's numbers, its axes and numbers resolved.

use std::ops::RangeInclusive;

use crate::axis::Axis;
use crate::keys::{Course, Slope};
use crate::name::NumberName;
use crate::reference::{Reference, Within};
use crate::selection::Selection;

/// A claim.
#[derive(Clone, Debug, PartialEq)]
pub struct Expectation {
    /// Where it is declared, for what else is wrong with it.
    pub path: String,
    /// In words.
    pub claim: String,
    /// The number that it is about.
    pub y: NumberName,
    /// The number by which it is divided, run by run.
    pub per: Option<NumberName>,
    /// The numbers with which it is compared for fairness: the claim is about the index of all.
    pub jain_with: Vec<NumberName>,
    /// Where.
    pub at: Selection,
    /// Compared with what.
    pub against: Against,
    /// The number of a line along an axis that is claimed instead.
    pub line: Option<AlongLine>,
    /// The axis at each value of which the number is as claimed, instead of at one.
    pub each: Option<usize>,
    /// The first and the last value of the axis along which it goes, if not all are meant.
    pub between: Option<(usize, usize)>,
    /// The factor of the number, the ratio or the difference.
    pub times: f64,
    /// What is claimed of it.
    pub claimed: Claimed,
    /// The paper's number or words.
    pub paper: Option<Paper>,
    /// The number of ns-2.
    pub ns2: Option<f64>,
    /// Why it differs, if anybody has looked.
    pub because: Option<Because>,
    /// The least share of the full length at which it is judged.
    pub scale: f64,
}

/// Why a claim differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Because {
    /// Nobody knows.
    NotExplained,
    /// A variant of the study moves the number into what is claimed.
    Variant {
        /// The place of the variant on its axis.
        variant: usize,
        /// The difference that it shows, in words.
        shows: String,
    },
}

/// What a number is compared with, replication by replication.
#[derive(Clone, Debug, PartialEq)]
pub enum Against {
    /// With nothing: the number itself.
    Nothing,
    /// Its ratio to the number where some axes have other values.
    Over(Selection),
    /// Its difference from that number.
    Minus(Selection),
}

/// A line by least squares through the numbers along an axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AlongLine {
    /// The axis.
    pub axis: usize,
    /// The scales in which it is a line.
    pub scales: Slope,
    /// What of it is claimed.
    pub of: OfLine,
}

/// A number of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OfLine {
    /// Its slope.
    Slope,
    /// The share of the variance that it explains.
    Straightness,
}

/// What is claimed.
#[derive(Clone, Debug, PartialEq)]
pub enum Claimed {
    /// The number lies between these.
    Between {
        /// The least, if there is one.
        least: Option<f64>,
        /// The greatest, if there is one.
        most: Option<f64>,
    },
    /// The number is this one, but for a share of it.
    About {
        /// The number.
        number: f64,
        /// The share.
        within: f64,
    },
    /// The number is the mean of this reference at its point, but for this distance.
    Measured {
        /// The reference's place in the study.
        reference: usize,
        /// The distance.
        within: Within,
    },
    /// Along this axis the number takes this course.
    Course(usize, Course),
    /// Along this axis the number is least at this value.
    LeastAt(usize, usize),
    /// Along this axis the number is greatest at this value.
    GreatestAt(usize, usize),
}

/// What a paper says.
#[derive(Clone, Debug, PartialEq)]
pub enum Paper {
    /// A number.
    Number(f64),
    /// Words.
    Words(String),
}

impl Expectation {
    /// All numbers that it speaks of.
    pub fn numbers(&self) -> impl Iterator<Item = &NumberName> {
        [&self.y]
            .into_iter()
            .chain(&self.per)
            .chain(&self.jain_with)
    }

    /// The least and the greatest number that is as claimed, as far as the claim is about one.
    pub fn bounds(&self, measured: &[Reference]) -> (Option<f64>, Option<f64>) {
        match self.claimed {
            Claimed::Between { least, most } => (least, most),
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

    /// The least and the greatest number that agrees with its reference at a point. Each of its points has a row, or
    /// the study would not have been read.
    pub fn measured_bounds(&self, measured: &[Reference], at: &Selection) -> (f64, f64) {
        let (mean, off) = self.measured(measured, at).unwrap_or((f64::NAN, 0.0));
        (mean - off, mean + off)
    }

    /// The axis along which it goes, if it is not about one point.
    pub fn along(&self) -> Option<usize> {
        match self.claimed {
            Claimed::Course(axis, _) | Claimed::LeastAt(axis, _) | Claimed::GreatestAt(axis, _) => {
                Some(axis)
            }
            _ => self.line.map(|line| line.axis).or(self.each),
        }
    }

    /// The values of the axis along which it goes that it is about.
    pub fn stretch(&self, axis: &Axis) -> RangeInclusive<usize> {
        let (first, last) = self.between.unwrap_or((0, axis.values.len() - 1));
        first..=last
    }
}
