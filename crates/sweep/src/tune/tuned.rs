//! The answers of searches.

use std::io::{self, Write};

use pacesim::measure::Running;
use pacesim_claims::claims::Claim;
use pacesim_study::{Axis, Bound, Sense, Study};
use serde::Serialize;

use crate::found::Places;
use crate::outline::{EndedEarly, OutlineAxis, OutlineValue};
use crate::spread::{Spread, Students};
use crate::tune::evaluator::{Kept, Numbers, kept};

/// The answers of the searches of a study.
#[derive(Debug, Serialize)]
pub struct Tuned {
    /// The study's name.
    pub study: String,
    /// The version of pacesim.
    pub version: &'static str,
    /// The folder with the store and the tables.
    pub folder: String,
    /// The sense: "least" or "greatest".
    pub sense: &'static str,
    /// The goal: an axis, or a number as OF.ENTITY.METRIC.
    pub goal: String,
    /// The level of the intervals.
    pub confidence: f64,
    /// The axes that are not searched.
    pub axes: Vec<OutlineAxis>,
    /// Those that are.
    pub searched: Vec<OutlineAxis>,
    /// A search for each combination of the values of the others.
    pub cases: Vec<TunedCase>,
    /// The number of runs behind the answer.
    pub runs: u64,
    /// The number of runs that were made now, and were not in the store before.
    pub made: u64,
    /// The digest of their fingerprints, point by point and replication by replication.
    pub fingerprint: String,
    /// The seconds that the runs took, each on one thread.
    pub wall_s: f64,
    /// Runs that gave up: their points have no numbers.
    pub gave_up: Vec<EndedEarly>,
    /// Runs that took too much of this machine: their points lack numbers here.
    pub abandoned: Vec<EndedEarly>,
    /// The claims of the study, judged.
    pub claims: Vec<Claim>,
}

/// One search.
#[derive(Debug, Serialize)]
pub struct TunedCase {
    /// The values of the axes that are not searched.
    pub values: Vec<OutlineValue>,
    /// The end of the search.
    pub ended: SearchEnd,
    /// The number of points that it tried.
    pub tried: usize,
    /// The number of the point that was found.
    pub point: Option<u64>,
    /// The values that were found, or of a search that ended nowhere those nearest to an answer.
    pub found: Vec<OutlineValue>,
    /// The axes along which the end of their values was found: what lies beyond may be better.
    pub at_end: Vec<String>,
    /// The number that is wanted, if it is measured.
    pub goal: Option<Spread>,
    /// The numbers that are bounded.
    pub bounds: Vec<TunedBound>,
    /// For a search for the first value at which the bounds hold: the last one before it that was
    /// shown to break them.
    pub broken: Option<Broken>,
    /// For a search that ended nowhere: the points that it tried, in the order of their numbers.
    pub tries: Vec<TunedTry>,
}

/// A point that a search tried.
#[derive(Debug, Serialize)]
pub struct TunedTry {
    /// The values of the axes that are searched.
    pub values: Vec<OutlineValue>,
    /// The numbers that are bounded.
    pub bounds: Vec<TunedBound>,
}

/// The end of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SearchEnd {
    /// With an answer.
    Found,
    /// Without one: the bounds hold at no point that was tried.
    Nowhere,
    /// With the best of the points that it was allowed to try.
    OutOfTries,
}

/// A number that is bounded, at the point that was found.
#[derive(Debug, Serialize)]
pub struct TunedBound {
    /// Its name.
    pub y: String,
    /// The least that is allowed.
    pub at_least: Option<f64>,
    /// The greatest.
    pub at_most: Option<f64>,
    /// True if its whole interval is within.
    pub holds: bool,
    /// The number.
    pub spread: Spread,
}

/// A value that breaks the bounds.
#[derive(Debug, Serialize)]
pub struct Broken {
    /// The value.
    pub value: OutlineValue,
    /// True if it is next to the one that was found. The values in between cannot be told from it.
    pub is_next: bool,
}

impl Tuned {
    /// Writes it as one JSON document.
    pub fn write_json(&self, mut out: impl Write) -> io::Result<()> {
        serde_json::to_writer_pretty(&mut out, self)?;
        out.write_all(b"\n")
    }
}

impl TunedBound {
    pub(super) fn of((bound, numbers): (&Bound, &Numbers)) -> TunedBound {
        TunedBound {
            y: bound.y.to_string(),
            at_least: bound.least,
            at_most: bound.most,
            holds: kept(bound, numbers) == Kept::Yes,
            spread: spread(numbers),
        }
    }
}

/// The spread of what is there.
pub(super) fn spread(numbers: &Numbers) -> Spread {
    let mut all = Running::new();
    numbers.iter().flatten().for_each(|number| all.add(*number));
    Students::default().spread(&all)
}

pub(super) fn word(sense: Sense) -> &'static str {
    match sense {
        Sense::Least => "least",
        Sense::Greatest => "greatest",
    }
}

/// The values at these places of the axes that are searched.
pub(super) fn values(study: &Study, search: &[usize], places: &Places) -> Vec<OutlineValue> {
    let axes = search.iter().map(|axis| &study.axes[*axis]);
    let values = axes.zip(places);
    values.map(|(axis, place)| value(axis, *place)).collect()
}

pub(super) fn value(axis: &Axis, place: usize) -> OutlineValue {
    OutlineValue {
        text: axis.values[place].text.clone(),
        number: axis.values[place].number,
    }
}
