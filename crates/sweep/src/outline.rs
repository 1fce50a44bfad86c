//! Outline of a sweep: the main numbers of every point.

use std::io::{self, Write};
use std::sync::Arc;

use pacesim::scenario::{Accept, WarningName};
use pacesim_claims::claims::Claim;
use pacesim_claims::spread::Spread;
use pacesim_plot::Figure;
use pacesim_runs::metrics::OF_RUN;
use pacesim_runs::replicate::CONFIDENCE;
use pacesim_runs::summary::WarningKind;
use pacesim_store::database::AllAbandoned;
use pacesim_store::plan::{Outcome, Planned};
use pacesim_store::repetition::Repetition;
use pacesim_store::sweep::Sweep;
use pacesim_study::{Axis, AxisValue, NumberName, Point, Study, equation};
use serde::{Serialize, Serializer};

use crate::execute::Work;
use crate::idle::{PointRuns, idle_axes};
use crate::warnings::accepts;

/// The metrics of flows that an overview shows.
const OF_FLOWS: [&str; 3] = ["goodput_bps", "loss_ratio", "delay_mean_s"];
const OF_FEC: [&str; 3] = ["overhead_ratio", "loss_ratio", "residual_loss_ratio"];
const OF_LINKS: [&str; 3] = ["utilisation", "loss_ratio", "queue_mean_pkts"];
const LINK: &str = "link";
/// Packets held by a pacer; links without one lack this metric.
const HELD: &str = "held_mean_pkts";

/// The most groups, and the most links, in an overview.
const MOST_ENTITIES: usize = 2;
/// The most numbers named by figures and claims that are shown.
const MOST_NUMBERS: usize = 16;
/// The most links that are searched for pacers.
const MOST_PACED: usize = 256;

/// The main numbers of every point of a study; the tables have all of them.
#[derive(Debug, Serialize)]
pub struct Outline {
    /// Name of the study.
    pub study: String,
    /// Version of pacesim that made it.
    pub version: &'static str,
    /// Folder with the store and the tables.
    pub folder: String,
    /// The number of replications of each point, or the maximum.
    pub replications: u64,
    /// The number of equal windows that the measured time of each run is divided into, if intervals
    /// are over windows instead of replications.
    pub windows: Option<u64>,
    /// The target precision, half the width of an interval divided by the mean, if points are
    /// repeated until they reach it.
    pub precision: Option<f64>,
    /// Confidence level of the intervals.
    pub confidence: f64,
    /// The number of runs behind these numbers; points with the same scenario share theirs.
    pub runs: u64,
    /// The number of runs made now, not already in the store.
    pub made: u64,
    /// The digest of their fingerprints, point by point and replication by replication.
    pub fingerprint: String,
    /// The total time of the runs in seconds, each on one thread.
    pub wall_s: f64,
    /// True if there are more groups or links than shown.
    pub more_in_tables: bool,
    /// Axes of the study.
    pub axes: Vec<OutlineAxis>,
    /// Points in the order of their numbers.
    pub points: Vec<OutlinePoint>,
    /// Runs that gave up, since they would never end or held too many packets: the tables have only
    /// the time of giving up.
    pub gave_up: Vec<EndedEarly>,
    /// Runs that exceeded machine limits, missing in the tables.
    pub abandoned: Vec<EndedEarly>,
    /// Claims of the study, judged.
    pub claims: Vec<Claim>,
    /// Axes along which all runs are equal.
    pub idle_axes: Vec<String>,
    /// Numbers named by figures and claims that have no value in any run.
    pub empty_numbers: Vec<String>,
    /// Figures without any point.
    pub blank_figures: Vec<String>,
    /// The kinds of warnings of runs that the study accepts.
    pub accepted: Vec<AcceptedKind>,
    /// The names of the main numbers, in their order.
    #[serde(skip)]
    pub main: Vec<Arc<NumberName>>,
}

/// A kind of warnings that the study accepts.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AcceptedKind {
    /// Name of the kind.
    pub warning: &'static str,
    /// Reason why the warning is accepted.
    pub because: String,
    /// Number of points that would have it.
    pub points: u64,
}

impl AcceptedKind {
    fn all(study: &Study) -> Vec<AcceptedKind> {
        let of_runs = |word: &str| {
            let of_study = [WarningName::IdleAxis, WarningName::EmptyNumber];
            let mut names = of_study.iter().map(|name| name.word());
            names.any(|name| name == word)
                || WarningKind::ALL.iter().any(|kind| kind.name() == word)
        };
        let accepts = accepts(study).into_iter();
        let accepts = accepts.filter(|accept| of_runs(accept.warning.word()));
        let kind = |accept: Accept| AcceptedKind {
            warning: accept.warning.word(),
            because: accept.because,
            points: 0,
        };
        accepts.map(kind).collect()
    }
}

/// An axis of the grid.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OutlineAxis {
    /// Name of the axis.
    pub name: String,
    /// Unit of the numbers of its values.
    pub unit: Option<&'static str>,
}

/// A point with its main numbers.
#[derive(Debug, PartialEq, Serialize)]
pub struct OutlinePoint {
    /// Number of the point in the full grid.
    pub point: u64,
    /// Value of the point on each axis.
    pub values: Vec<OutlineValue>,
    /// Number of replications of the point.
    pub replications: u64,
    /// True if it has reached the target precision; null without one.
    pub is_precise: Option<bool>,
    /// The end of its warm-up, if it was to be found.
    pub warmup_s: Option<f64>,
    /// True if this is at most half of its run; otherwise it should run longer.
    pub is_settled: Option<bool>,
    /// Kinds of warnings in the runs of the point.
    pub warnings: Vec<WarningKind>,
    /// The number of warnings of each of these kinds in all its runs.
    #[serde(skip)]
    pub counts: Vec<u64>,
    /// Main numbers of the point, in the order of [`Outline::main`].
    pub means: Vec<MainMean>,
    /// Its runs, as far as axes may change them.
    #[serde(skip)]
    pub runs: PointRuns,
}

/// A run that has no results.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EndedEarly {
    /// The number of its point in the full grid.
    pub point: u64,
    /// Number of the replication.
    pub replication: u64,
    /// Reason, time and place of its end.
    pub why: String,
}

impl EndedEarly {
    /// A run that ended early, with the reason.
    pub fn of(planned: &Planned, repetition: Repetition, why: String) -> EndedEarly {
        EndedEarly {
            point: planned.number,
            replication: repetition.replication,
            why,
        }
    }
}

/// A value on an axis.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OutlineValue {
    /// Value as it is written.
    pub text: String,
    /// Quantity of the value if it is a formula.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resolved: Option<String>,
    /// The value as a number in the axis' unit.
    pub number: Option<f64>,
}

/// A main number over replications.
#[derive(Clone, Debug, PartialEq)]
pub struct MainMean {
    /// Name of the number.
    pub number: Arc<NumberName>,
    /// Spread of the number over replications.
    pub spread: Spread,
}

/// Serialises name and spread side by side.
impl Serialize for MainMean {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Flat<'a> {
            #[serde(flatten)]
            number: &'a NumberName,
            #[serde(flatten)]
            spread: &'a Spread,
        }
        let MainMean { number, spread } = self;
        Flat { number, spread }.serialize(serializer)
    }
}

impl Outline {
    /// The outline of a sweep with these numbers.
    pub fn new(sweep: &Sweep<'_>, names: &[NumberName], work: &Work) -> Outline {
        let (main, more_in_tables) = main_numbers(sweep.study, names);
        Outline {
            study: sweep.study.name.clone(),
            version: pacesim_runs::VERSION,
            folder: sweep.out.display().to_string(),
            replications: sweep.replications,
            windows: sweep.study.batches,
            precision: sweep.study.precision,
            confidence: CONFIDENCE,
            runs: work.all,
            made: work.missing,
            fingerprint: String::new(),
            wall_s: 0.0,
            more_in_tables,
            axes: OutlineAxis::all(sweep.study),
            points: Vec::new(),
            gave_up: Vec::new(),
            abandoned: Vec::new(),
            claims: Vec::new(),
            idle_axes: Vec::new(),
            empty_numbers: Vec::new(),
            blank_figures: Vec::new(),
            accepted: AcceptedKind::all(sweep.study),
            main,
        }
    }

    /// Adds a point.
    pub(crate) fn push(
        &mut self,
        planned: &Planned,
        point: &Point<'_>,
        all: &[(&NumberName, Spread)],
        fingerprints: &str,
    ) {
        let mean = |number: &Arc<NumberName>| {
            let (_, spread) = all.iter().find(|(name, _)| **name == **number)?;
            if number.metric == HELD && spread.mean.is_none() {
                return None;
            }
            Some(MainMean {
                number: Arc::clone(number),
                spread: *spread,
            })
        };
        let means: Vec<MainMean> = self.main.iter().filter_map(mean).collect();
        let shown = means.iter().map(|mean| mean.spread).collect();
        self.replications = self.replications.max(planned.replications);
        let (warnings, counts) = self.unaccepted(warnings(all)).into_iter().unzip();
        self.points.push(OutlinePoint {
            point: point.number,
            values: OutlineValue::all(point),
            replications: planned.replications,
            is_precise: match planned.outcome {
                Outcome::Given | Outcome::Open => None,
                Outcome::Precise => Some(true),
                Outcome::GivenUp => Some(false),
            },
            warmup_s: planned.warmup.map(|found| found.warmup.as_secs_f64()),
            is_settled: planned.warmup.map(|found| found.is_settled),
            warnings,
            counts,
            means,
            runs: PointRuns::of(fingerprints, shown, all),
        });
    }

    /// The warnings that the study does not accept; notes the others.
    fn unaccepted(&mut self, mut kinds: Vec<(WarningKind, u64)>) -> Vec<(WarningKind, u64)> {
        kinds.retain(|(kind, _)| {
            let word = kind.name();
            let entry = self.accepted.iter_mut().find(|entry| entry.warning == word);
            entry.map(|entry| entry.points += 1).is_none()
        });
        kinds
    }

    /// Notes the axes that change nothing and the numbers without a value, when all points are there.
    pub(crate) fn note_idle(&mut self, study: &Study) {
        let runs = self.points.iter().map(|point| (point.point, &point.runs));
        let idle = idle_axes(study, &runs.collect::<Vec<_>>());
        self.idle_axes = self.unless_accepted(WarningName::IdleAxis, idle);
        // An entry may also accept equal scenarios, which the check of the study tells.
        let of_check = WarningName::IdleAxis.word();
        self.accepted
            .retain(|entry| entry.warning != of_check || entry.points > 0);
        let is_named = |number: &NumberName| {
            study.show.contains(number) || study.mentioned().any(|named| named == *number)
        };
        let has_value = |number: &NumberName| {
            let mut means = self.points.iter().flat_map(|point| &point.means);
            means.any(|mean| *mean.number == *number && mean.spread.n > 0)
        };
        let named = self.main.iter().filter(|number| is_named(number));
        let empty = named.filter(|number| !has_value(number));
        let empty = empty.map(|number| number.to_string()).collect();
        self.empty_numbers = self.unless_accepted(WarningName::EmptyNumber, empty);
    }

    /// Notes the figures that have nothing to draw.
    pub(crate) fn note_blank(&mut self, figures: &[(String, Figure)]) {
        let blank = figures.iter().filter(|(_, figure)| figure.is_blank());
        let blank = blank.map(|(name, _)| name.clone()).collect();
        self.blank_figures = self.unless_accepted(WarningName::EmptyNumber, blank);
    }

    /// These findings, or none if the study accepts them.
    fn unless_accepted(&mut self, name: WarningName, found: Vec<String>) -> Vec<String> {
        let mut entries = self.accepted.iter_mut();
        match entries.find(|entry| entry.warning == name.word()) {
            Some(entry) => {
                entry.points += if found.is_empty() {
                    0
                } else {
                    self.points.len() as u64
                };
                Vec::new()
            }
            None => found,
        }
    }

    /// Notes a run missing in the store because it was stopped.
    pub(crate) fn note_abandoned(
        &mut self,
        planned: &Planned,
        repetition: Repetition,
        abandoned: &AllAbandoned,
    ) {
        let Repetition {
            replication,
            windows,
            ..
        } = repetition;
        let why = abandoned.get(&(planned.scenario.to_string(), windows, replication));
        let why = why.expect("a run that was not missing is in the store");
        let ended = EndedEarly::of(planned, repetition, why.clone());
        self.abandoned.push(ended);
    }

    /// Writes the outline as one JSON document, streamed, since as a string it may exceed
    /// everything else.
    pub fn write_json(&self, mut out: impl Write) -> io::Result<()> {
        serde_json::to_writer_pretty(&mut out, self)?;
        out.write_all(b"\n")
    }
}

impl OutlineAxis {
    pub(crate) fn all(study: &Study) -> Vec<OutlineAxis> {
        let axis = |axis: &Axis| OutlineAxis {
            name: axis.name.clone(),
            unit: axis.unit,
        };
        study.axes.iter().map(axis).collect()
    }
}

impl OutlineValue {
    pub(crate) fn all(point: &Point<'_>) -> Vec<OutlineValue> {
        let values = point.values.iter();
        values.map(|value| OutlineValue::of(value)).collect()
    }

    pub(crate) fn of(value: &AxisValue) -> OutlineValue {
        OutlineValue {
            text: value.text.clone(),
            resolved: value.resolved.clone(),
            number: value.number,
        }
    }

    /// The value in words, a formula with its quantity.
    pub fn shown(&self) -> String {
        let resolved = self.resolved.as_ref();
        resolved.map_or(self.text.clone(), |quantity| equation(&self.text, quantity))
    }
}

/// A kind of warnings, and the points with runs that have it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Warned {
    /// Kind of the warning.
    pub warning: WarningKind,
    /// Meaning of the kind, in words.
    pub meaning: &'static str,
    /// Points that have such warnings.
    pub points: Vec<WarnedPoint>,
    /// Number of such warnings in all runs of these points.
    pub count: u64,
    /// Number of these runs.
    pub runs: u64,
}

/// A point with warnings.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WarnedPoint {
    /// Number of the point in the full grid.
    pub point: u64,
    /// Value of the point on each axis.
    pub values: Vec<OutlineValue>,
}

impl Outline {
    /// The kinds of warnings in the runs of its points.
    pub fn warned(&self) -> Vec<Warned> {
        let has = |kind: WarningKind| {
            let mut warned = Warned {
                warning: kind,
                meaning: kind.meaning(),
                points: Vec::new(),
                count: 0,
                runs: 0,
            };
            for point in &self.points {
                let mut counts = point.warnings.iter().zip(&point.counts);
                if let Some((_, count)) = counts.find(|(of, _)| **of == kind) {
                    warned.points.push(WarnedPoint {
                        point: point.point,
                        values: point.values.clone(),
                    });
                    warned.count += count;
                    warned.runs += point.replications;
                }
            }
            (!warned.points.is_empty()).then_some(warned)
        };
        WarningKind::ALL.iter().copied().filter_map(has).collect()
    }
}

/// The kinds of warnings in any run of a point, and how many there are in all of them.
fn warnings(all: &[(&NumberName, Spread)]) -> Vec<(WarningKind, u64)> {
    let count = |kind: WarningKind| {
        let mut of_run = all.iter().filter(|(name, _)| name.of == OF_RUN);
        let (_, spread) = of_run.find(|(name, _)| name.metric == kind.name())?;
        let is_enough = kind.is_of_one_run() && spread.n > 1;
        let mean = spread.mean.filter(|mean| *mean > 0.0 && !is_enough)?;
        Some((kind, (mean * spread.n as f64).round() as u64))
    };
    WarningKind::ALL.iter().copied().filter_map(count).collect()
}

/// The main ones of these names, and true if the tables have more. The main numbers are those named
/// by figures and claims; if they name none, an overview of a few groups and links, with the
/// packets held by pacers.
fn main_numbers(study: &Study, names: &[NumberName]) -> (Vec<Arc<NumberName>>, bool) {
    if study.is_of_models_alone {
        return (Vec::new(), false);
    }
    let mut main: Vec<NumberName> = Vec::new();
    let has = |part: &NumberName| names.iter().any(|name| part.stands_for(name));
    let is_there = |number: &NumberName| number.parts().iter().all(has);
    for number in study.show.iter().cloned().chain(study.mentioned()) {
        if is_there(&number) && !main.contains(&number) {
            main.push(number);
        }
    }
    let most = MOST_NUMBERS.max(study.show.len());
    let mut more = main.len() > most;
    main.truncate(most);
    if main.is_empty() {
        (main, more) = first_look(names);
        let paced = entities(names, LINK).take(MOST_PACED);
        main.extend(paced.map(|link| NumberName::new(LINK, link, HELD)));
    }
    (main.into_iter().map(Arc::new).collect(), more)
}

/// The overview metrics of the first groups and links.
fn first_look(names: &[NumberName]) -> (Vec<NumberName>, bool) {
    let (mut main, mut more) = (Vec::new(), false);
    for (of, metrics) in [("flows", OF_FLOWS), (LINK, OF_LINKS), ("fec", OF_FEC)] {
        let mut all = entities(names, of);
        for entity in all.by_ref().take(MOST_ENTITIES) {
            main.extend(metrics.map(|metric| NumberName::new(of, entity, metric)));
        }
        more |= all.next().is_some();
    }
    (main, more)
}

/// The distinct entities of a kind.
fn entities<'n>(names: &'n [NumberName], of: &str) -> impl Iterator<Item = &'n str> {
    let all = names.iter().filter(move |name| name.of == of);
    let mut known: Vec<&str> = Vec::new();
    for name in all {
        if known.last() != Some(&name.entity.as_str()) && !known.contains(&name.entity.as_str()) {
            known.push(&name.entity);
        }
    }
    known.into_iter()
}
