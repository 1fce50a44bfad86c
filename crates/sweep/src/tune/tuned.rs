//! The results of the searches of a study.

use std::io::{self, Write};

use pacesim_claims::claims::Claim;
use pacesim_claims::evidence::PerReplication;
use pacesim_claims::spread::{Spread, Students};
use pacesim_runs::marks::Marks;
use pacesim_study::search::Places;
use pacesim_study::{Limit, NumberName, Sense, StatedBound, Study};
use serde::Serialize;

use crate::outline::{EndedEarly, OutlineAxis, OutlineValue, Warned};
use crate::tune::evaluator::{Bounded, Kept, kept};

/// The results of the searches of a study.
#[derive(Debug, Serialize)]
pub struct Tuned {
    /// Name of the study.
    pub study: String,
    /// Version of pacesim that made it.
    pub version: &'static str,
    /// Folder with the store and the tables.
    pub folder: String,
    /// Direction of the search: "least" or "greatest".
    pub sense: &'static str,
    /// The goal: an axis, or a number as OF.ENTITY.METRIC.
    pub goal: String,
    /// Bounds of the search, in words.
    pub conditions: Vec<String>,
    /// True for searches by bisection, which takes the bounds to hold from one value on and probes
    /// some values before its answer.
    pub bisects: bool,
    /// Confidence level of the intervals.
    pub confidence: f64,
    /// Axes that are not searched.
    pub axes: Vec<OutlineAxis>,
    /// Axes that are searched.
    pub searched: Vec<OutlineAxis>,
    /// The number of searches, one for each combination of the values of the other axes.
    pub searches: usize,
    /// True if the work was stopped; the last of the searches below is then the one it was in.
    pub interrupted: bool,
    /// Searches, one for each case.
    pub cases: Vec<TunedCase>,
    /// Number of runs behind the results.
    pub runs: u64,
    /// The number of runs made now, not already in the store.
    pub made: u64,
    /// The digest of their fingerprints, point by point and replication by replication.
    pub fingerprint: String,
    /// The total time of the runs in seconds, each on one thread.
    pub wall_s: f64,
    /// Runs that gave up; their points have no numbers.
    pub gave_up: Vec<EndedEarly>,
    /// Runs that exceeded machine limits; their points lack numbers here.
    pub abandoned: Vec<EndedEarly>,
    /// Warnings in the runs behind the results, with the points that have them; those that the study
    /// accepts are missing.
    pub warnings: Vec<Warned>,
    /// Claims of the study, judged.
    pub claims: Vec<Claim>,
}

/// One search, with its result.
#[derive(Debug, Serialize)]
pub struct TunedCase {
    /// The values of the axes that are not searched.
    pub values: Vec<OutlineValue>,
    /// Outcome of the search.
    pub ended: SearchEnd,
    /// Number of points that the search tried.
    pub tried: usize,
    /// Number of the point found.
    pub point: Option<u64>,
    /// The values found or, for a search without a result, the nearest ones.
    pub found: Vec<OutlineValue>,
    /// The axes whose first or last value was found: a better one may lie beyond.
    pub at_end: Vec<String>,
    /// Value of the optimised number, if it is measured.
    pub goal: Option<Spread>,
    /// Values of the numbers with bounds.
    pub bounds: Vec<TunedBound>,
    /// In a search for the first value within the bounds: the nearest one before it that was shown
    /// to break them.
    pub broken: Option<Broken>,
    /// In a search for the first value within the bounds: the values that hold and that violate
    /// them, if they do not hold from one value on.
    pub not_monotone: Option<NotMonotone>,
    /// In such a search: the number of values before the answer that were not tried.
    pub untried_before: usize,
    /// The points that it tried, in the order of their numbers.
    pub tries: Vec<TunedTry>,
}

/// Values of a searched axis that hold and that violate the bounds, in the order of the search.
#[derive(Debug, Serialize)]
pub struct NotMonotone {
    /// Values at which the bounds hold.
    pub holds: Vec<OutlineValue>,
    /// Values shown to violate the bounds.
    pub violates: Vec<OutlineValue>,
}

/// A point that a search tried.
#[derive(Debug, Serialize)]
pub struct TunedTry {
    /// Values of the searched axes.
    pub values: Vec<OutlineValue>,
    /// Verdict on all bounds together: "holds", "violates" or "undecided".
    pub verdict: &'static str,
    /// Values of the numbers with bounds.
    pub bounds: Vec<TunedBound>,
}

/// The outcome of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SearchEnd {
    /// The search found a result.
    Found,
    /// No result: the bounds hold at no point tried.
    Nowhere,
    /// The best of the points that it was allowed to try.
    OutOfTries,
    /// The search was stopped; the same command goes on.
    Interrupted,
}

/// A bounded number at the point found.
#[derive(Debug, Serialize)]
pub struct TunedBound {
    /// Name of the number, or of its ratio to another point's.
    pub y: String,
    /// Least value allowed.
    pub at_least: Option<f64>,
    /// Greatest value allowed.
    pub at_most: Option<f64>,
    /// True if its whole interval is within the bounds.
    pub holds: bool,
    /// Spread of the number at that point.
    pub spread: Spread,
}

/// A value that breaks the bounds.
#[derive(Debug, Serialize)]
pub struct Broken {
    /// Value that breaks them.
    pub value: OutlineValue,
    /// True if it is adjacent to the one found. Values in between cannot be distinguished from the
    /// latter.
    pub is_next: bool,
}

impl Tuned {
    /// Writes the results as one JSON document.
    pub fn write_json(&self, mut out: impl Write) -> io::Result<()> {
        serde_json::to_writer_pretty(&mut out, self)?;
        out.write_all(b"\n")
    }
}

impl TunedBound {
    pub(super) fn of(of: Bounded<'_>) -> TunedBound {
        let spread = spread(&of.bound.y, of.numbers, of.is_identical);
        let marks = Marks {
            few_values: of.is_few,
            ..spread.marks
        };
        TunedBound {
            y: of.bound.name.clone(),
            at_least: of.bound.least,
            at_most: of.bound.most,
            holds: kept(of) == Kept::Yes,
            spread: Spread { marks, ..spread },
        }
    }

    pub(super) fn without_point(bound: &StatedBound) -> TunedBound {
        let stated = |limit: &Option<Limit>| match limit {
            Some(Limit::Number { number, .. }) => Some(*number),
            _ => None,
        };
        TunedBound {
            y: bound.name.clone(),
            at_least: stated(&bound.least),
            at_most: stated(&bound.most),
            holds: false,
            spread: spread(&bound.y, &Vec::new(), false),
        }
    }
}

/// The spread of the defined numbers.
pub(super) fn spread(name: &NumberName, numbers: &PerReplication, is_identical: bool) -> Spread {
    let known: Vec<f64> = numbers.iter().copied().flatten().collect();
    let spread = Students::default().spread(&known.iter().copied().collect());
    let is_positive = name.is_never_negative() && known.iter().all(|number| *number >= 0.0);
    let spread = if is_positive {
        spread.of_nonnegative()
    } else {
        spread
    };
    let spread = Spread {
        replications: numbers.len() as u64,
        marks: Marks::default().with_clusters(&known),
        ..spread
    };
    if is_identical {
        spread.of_identical()
    } else {
        spread
    }
}

pub(super) fn word(sense: Sense) -> &'static str {
    match sense {
        Sense::Least => "least",
        Sense::Greatest => "greatest",
    }
}

/// The values at these places of the searched axes, at a point of the study if there is one.
pub(super) fn values(
    study: &Study,
    point: Option<u64>,
    search: &[usize],
    places: &Places,
) -> Vec<OutlineValue> {
    let values = search.iter().zip(places);
    let value = |(axis, place): (&usize, &usize)| value(study, point, *axis, *place);
    values.map(value).collect()
}

pub(super) fn value(study: &Study, point: Option<u64>, axis: usize, place: usize) -> OutlineValue {
    OutlineValue::of(&study.value_at(point, axis, place))
}
