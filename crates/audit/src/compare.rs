//! Comparison of two results: the numbers that differ, and by how much.
//!
//! 1. `side.rs` determines the kind of a path: the folder of one run, of several replications or of
//!    a study, or a file of fingerprints;
//! 2. points of studies are matched by the values of their axes, numbers by their names, runs by
//!    seed and replication;
//! 3. `difference.rs` computes the distance of two numbers, with an interval if replications allow
//!    one.

mod difference;
mod error;
mod fingerprints;
mod numbers;
mod side;

use std::collections::BTreeMap;
use std::path::Path;

use pacesim_runs::replicate::CONFIDENCE;
use pacesim_store::keys::{Keys, other_keys};
use pacesim_study::NumberName;
use pacesim_sweep::kept_run::Run;
use serde::Serialize;

pub use difference::{Apart, Pairing};
pub use error::CompareError;
use fingerprints::FingerprintTable;
pub use fingerprints::OtherText;
pub use side::SideKind;
use side::{ComparedSide, PointIndex};

/// A comparison of two results.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// The kind of both.
    pub kind: SideKind,
    /// The first.
    pub a: String,
    /// The second.
    pub b: String,
    /// The level of the intervals.
    pub confidence: f64,
    /// The number of points in both.
    pub points: u64,
    /// The number of numbers in both at these points.
    pub numbers: u64,
    /// The number of runs in both, by seed and replication.
    pub runs: u64,
    /// The number of these runs whose fingerprints differ.
    pub other_fingerprints: u64,
    /// The numbers that differ, the largest difference first; those explained by chance follow, and
    /// last come those that only one of the two has.
    pub differences: Vec<Difference>,
    /// The cells that differ in two files of fingerprints.
    pub texts: Vec<OtherText>,
    /// The keys in which the scenarios of common points differ.
    pub keys: Vec<OtherKey>,
    /// Items present only in A.
    pub only_in_a: Unmatched,
    /// Items present only in B.
    pub only_in_b: Unmatched,
}

/// A key of scenarios whose value differs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OtherKey {
    /// Path of the key, such as "link.core.buffer".
    pub key: String,
    /// Value in A; null without one.
    pub a: Option<String>,
    /// Value in B.
    pub b: Option<String>,
    /// The number of points with these values.
    pub points: u64,
}

/// Items present in only one of the two.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Unmatched {
    /// Points of a study, or scenarios of a file of fingerprints.
    pub points: Vec<String>,
    /// Names of numbers, at points in both; each once.
    pub numbers: Vec<String>,
    /// The number of runs at such points.
    pub runs: u64,
}

/// A number that differs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// The point of a study, "buffer = 5pkts, pacing = host"; empty without axes.
    pub point: String,
    /// The name of the number.
    #[serde(flatten)]
    pub number: NumberName,
    /// The distance.
    #[serde(flatten)]
    pub apart: Apart,
}

/// Compares the results at two paths.
pub fn compare(a: &Path, b: &Path) -> Result<Comparison, CompareError> {
    let ours = ComparedSide::open(a)?;
    // A store can be open only once.
    let other = if is_one(a, b) {
        None
    } else {
        Some(ComparedSide::open(b)?)
    };
    let theirs = other.as_ref().unwrap_or(&ours);
    let (kind, other) = (ours.kind(), theirs.kind());
    if kind != other {
        let (a, b) = (a.to_path_buf(), b.to_path_buf());
        return Err(CompareError::Kinds { a, kind, b, other });
    }
    let mut comparison = Comparison::new(kind, a, b);
    if let (ComparedSide::Fingerprints(ours), ComparedSide::Fingerprints(theirs)) = (&ours, theirs)
    {
        comparison.add_fingerprints(ours, theirs);
        return Ok(comparison);
    }
    let (our_points, their_points) = (ours.points()?, theirs.points()?);
    let (our_keys, their_keys) = (ours.keys(a), theirs.keys(b));
    for (point, place) in &our_points {
        match their_points.get(point) {
            Some(other) => {
                comparison.add(point, &ours.runs(*place)?, &theirs.runs(*other)?);
                let keys = our_keys.get(place.0).zip(their_keys.get(other.0));
                if let Some((ours, theirs)) = keys {
                    comparison.add_keys(ours, theirs);
                }
            }
            None => comparison.only_in_a.points.push(point.clone()),
        }
    }
    let missing = their_points.into_keys();
    let missing = missing.filter(|point| !our_points.contains_key(point));
    comparison.only_in_b.points.extend(missing);
    comparison.sort(|number| ours.shows(number) || theirs.shows(number));
    Ok(comparison)
}

/// True if both paths lead to the same place.
fn is_one(a: &Path, b: &Path) -> bool {
    let both = a.canonicalize().ok().zip(b.canonicalize().ok());
    both.is_some_and(|(a, b)| a == b)
}

impl Comparison {
    fn new(kind: SideKind, a: &Path, b: &Path) -> Comparison {
        Comparison {
            kind,
            a: a.display().to_string(),
            b: b.display().to_string(),
            confidence: CONFIDENCE,
            points: 0,
            numbers: 0,
            runs: 0,
            other_fingerprints: 0,
            differences: Vec::new(),
            texts: Vec::new(),
            keys: Vec::new(),
            only_in_a: Unmatched::default(),
            only_in_b: Unmatched::default(),
        }
    }

    /// True if nothing differs, and neither has items missing in the other.
    pub fn is_same(&self) -> bool {
        let nothing = Unmatched::default();
        self.differences.is_empty()
            && self.texts.is_empty()
            && self.other_fingerprints == 0
            && self.only_in_a == nothing
            && self.only_in_b == nothing
    }

    /// The number of differences that chance does not explain, or that have no interval.
    pub fn clear(&self) -> usize {
        let clear = |difference: &&Difference| difference.apart.is_clear();
        self.differences.iter().filter(clear).count()
    }

    /// The comparison as one JSON document.
    pub fn to_json(&self) -> String {
        pacesim_runs::summary::to_json(self)
    }

    fn add(&mut self, point: &str, ours: &[Run], theirs: &[Run]) {
        self.points += 1;
        self.add_runs(ours, theirs);
        let (ours, theirs) = (numbers::by_name(ours), numbers::by_name(theirs));
        for (number, values) in &ours {
            let Some(others) = theirs.get(number) else {
                note(&mut self.only_in_a.numbers, number);
                continue;
            };
            self.numbers += 1;
            if let Some(apart) = Apart::of(values, others) {
                self.differences.push(Difference {
                    point: point.to_owned(),
                    number: (*number).clone(),
                    apart,
                });
            }
        }
        let missing = theirs.keys().filter(|number| !ours.contains_key(*number));
        missing.for_each(|number| note(&mut self.only_in_b.numbers, number));
    }

    /// Adds the keys in which the scenarios of a point differ.
    fn add_keys(&mut self, ours: &Keys, theirs: &Keys) {
        for (key, a, b) in other_keys(ours, theirs) {
            let text = |value: Option<&str>| value.map(str::to_owned);
            let (key, a, b) = (key.to_owned(), text(a), text(b));
            let is_it = |known: &&mut OtherKey| (&known.key, &known.a, &known.b) == (&key, &a, &b);
            match self.keys.iter_mut().find(is_it) {
                Some(known) => known.points += 1,
                None => self.keys.push(OtherKey {
                    key,
                    a,
                    b,
                    points: 1,
                }),
            }
        }
    }

    /// Counts the runs, and the common ones whose fingerprints differ.
    fn add_runs(&mut self, ours: &[Run], theirs: &[Run]) {
        let by_id = |runs: &[Run]| -> BTreeMap<_, _> {
            let runs = runs.iter();
            runs.map(|run| (run.id, run.fingerprint.clone())).collect()
        };
        let (ours, theirs) = (by_id(ours), by_id(theirs));
        for (id, fingerprint) in &ours {
            match theirs.get(id) {
                None => self.only_in_a.runs += 1,
                Some(other) => {
                    self.runs += 1;
                    self.other_fingerprints += u64::from(other != fingerprint);
                }
            }
        }
        let missing = theirs.keys().filter(|id| !ours.contains_key(*id));
        self.only_in_b.runs += missing.count() as u64;
    }

    fn add_fingerprints(&mut self, ours: &FingerprintTable, theirs: &FingerprintTable) {
        let found = ours.compare(theirs);
        self.numbers = found.compared;
        self.texts = found.other;
        self.only_in_a.points = found.only_in_a;
        self.only_in_b.points = found.only_in_b;
    }

    /// Sorts numbers that both have first, among these those shown in summaries, then the clear ones,
    /// and then the largest relative differences.
    fn sort(&mut self, is_shown: impl Fn(&NumberName) -> bool) {
        self.differences.sort_by(|one, other| {
            let is_of_one = |of: &Difference| of.apart.difference.is_none();
            let both = is_of_one(one).cmp(&is_of_one(other));
            let shown = is_shown(&other.number).cmp(&is_shown(&one.number));
            let clear = other.apart.is_clear().cmp(&one.apart.is_clear());
            let larger = other.apart.ratio().total_cmp(&one.apart.ratio());
            let name = (&one.number, &one.point).cmp(&(&other.number, &other.point));
            both.then(shown).then(clear).then(larger).then(name)
        });
    }
}

/// Adds a name, once.
fn note(names: &mut Vec<String>, number: &NumberName) {
    let name = number.to_string();
    if !names.contains(&name) {
        names.push(name);
    }
}

/// The places of the points of a side, by the values of their axes.
type Points = BTreeMap<String, PointIndex>;
