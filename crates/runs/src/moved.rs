//! Numbers that hang on a phase: replications as written beside others whose round trips are moved by
//! parts of a packet's time.
//!
//! The delays of links at the ends of the network are drawn around those written, up to half a
//! packet's time to each side. If no phase matters, runs as written and moved ones are alike, and any
//! division of all of them into two halves is as likely as this one. The ratio of likelihoods of two
//! normal distributions, one for each half, and of one for all tells means and spreads apart; its
//! place among those of random divisions is the probability of such a difference by chance.

use std::num::NonZeroUsize;

use pacesim::model::Model;
use pacesim::random::{Rng, Stream, Streams, unit_below_one};
use pacesim::units::{Bytes, Span};
use serde::Serialize;

use crate::error::RunError;
use crate::input::Input;
use crate::metrics::{Metric, metrics};
use crate::plan::{Equip, Plan};
use crate::replicate::{Replications, replicate};
use crate::summary::to_json;
use crate::workers::BatchMonitor;

/// Number of random divisions.
const DIVISIONS: usize = 9_999;
/// The probability with which chance alone marks a number, all numbers together.
const CHANCE: f64 = 0.01;
/// The most numbers that are compared: more could not be told apart by so many divisions.
const MOST_NUMBERS: usize = 50;
/// The packet by whose transmission time round trips are moved.
const PACKET: Bytes = Bytes(1500);
/// The numbers compared, by their entities.
const COMPARED: [(&str, &str); 6] = [
    ("flows", "goodput_bps"),
    ("flows", "jain_index"),
    ("flows", "loss_ratio"),
    ("link", "utilisation"),
    ("link", "loss_ratio"),
    ("link", "queue_mean_pkts"),
];

/// Numbers of a scenario as written and moved.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Moved {
    /// Title of the scenario, or the name of its file.
    pub scenario: String,
    /// The seed of all random streams.
    pub seed: u64,
    /// Number of runs as written, and of moved ones.
    pub runs: u64,
    /// The largest move of a link's delay, to each side.
    pub moved_by_s: f64,
    /// True if no host takes time: a lock-out that every phase has is then not seen.
    pub has_ideal_hosts: bool,
    /// Numbers, as far as all runs have them.
    pub numbers: Vec<MovedNumber>,
    /// Number of numbers left out, because there are too many.
    pub left_out: usize,
}

/// A number over both sets of runs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MovedNumber {
    /// Kind of its entity: "flows" or "link".
    pub of: &'static str,
    /// Name of the group or link.
    pub entity: String,
    /// Name of the metric, with its unit.
    pub metric: String,
    /// The runs as written.
    pub written: Range,
    /// The moved runs.
    pub moved: Range,
    /// Probability of so great a difference by chance.
    pub probability: f64,
    /// True if the number hangs on a phase: that probability is too small.
    pub hangs: bool,
}

/// Mean, standard deviation and ends of a number's values.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Range {
    /// Arithmetic mean.
    pub mean: f64,
    /// Standard deviation over runs.
    pub deviation: f64,
    /// The least value.
    pub least: f64,
    /// The greatest value.
    pub greatest: f64,
}

/// Runs so many replications as written and as many moved ones, and compares their numbers.
pub fn moved(
    input: &Input,
    runs: u64,
    jobs: NonZeroUsize,
    seed: Option<u64>,
    monitor: &dyn BatchMonitor,
) -> Result<Moved, RunError> {
    let plan = Plan {
        seed,
        ..Plan::default()
    };
    let moving = Plan {
        equip: Some(Equip(&move_round_trips)),
        ..plan.clone()
    };
    let written = all_of(replicate(input, runs, jobs, &plan, monitor)?)?;
    let moved = all_of(replicate(input, runs, jobs, &moving, monitor)?)?;
    let (numbers, left_out) = compared(&written, &moved);
    let model = input.scenario.expand(written.seed, 0);
    let most = moves(&model).into_iter().max().unwrap_or(Span::ZERO);
    Ok(Moved {
        scenario: written.scenario,
        seed: written.seed,
        runs,
        moved_by_s: most.as_secs_f64(),
        has_ideal_hosts: model
            .links
            .iter()
            .all(|link| link.extras.host_sends.is_none()),
        numbers,
        left_out,
    })
}

/// The replications, if none is missing.
fn all_of(replications: Replications) -> Result<Replications, RunError> {
    if replications.replications < replications.asked {
        return Err(RunError::Interrupted);
    }
    Ok(replications)
}

/// Draws the delays of links at the ends of the network around those written.
fn move_round_trips(model: &mut Model) {
    let streams = Streams {
        seed: model.seed,
        replication: model.replication,
    };
    let moves = moves(model);
    for (link, most) in model.links.iter_mut().zip(moves) {
        let mut stream = streams.stream(&link.name.to_string(), "phase");
        let low = link.delay.as_ps().saturating_sub(most.as_ps());
        let width = link.delay.as_ps().saturating_add(most.as_ps()) - low;
        link.delay = Span::from_ps(low + (width as f64 * unit_below_one(&mut stream)) as u64);
    }
}

/// The most by which each link's delay moves: half a packet's time on the slowest link of a path that
/// it begins or ends, and nothing elsewhere, so that no route changes.
fn moves(model: &Model) -> Vec<Span> {
    let mut ends = vec![[0; 2]; model.nodes.len()];
    for link in &model.links {
        ends[link.from.index()][0] += 1;
        ends[link.to.index()][1] += 1;
    }
    let is_leaf = |node: usize| ends[node].iter().all(|links| *links <= 1);
    let mut moves = vec![Span::ZERO; model.links.len()];
    let mut paths = model.paths();
    for flow in &model.flows {
        let Some(there) = paths.there(flow) else {
            continue;
        };
        let times = there.iter().filter_map(|id| {
            let rate = model.links[id.index()].rate;
            rate.transmission_time(PACKET)
        });
        let half = times.max().unwrap_or(Span::ZERO) / 2;
        let back = paths.of_acks(flow).unwrap_or_default();
        for id in there.iter().chain(&back) {
            let link = &model.links[id.index()];
            if is_leaf(link.from.index()) || is_leaf(link.to.index()) {
                moves[id.index()] = moves[id.index()].max(half);
            }
        }
    }
    moves
}

/// The numbers of all runs, and how many there are beyond the most.
fn compared(written: &Replications, moved: &Replications) -> (Vec<MovedNumber>, usize) {
    let of_runs = |all: &Replications| all.runs.iter().map(metrics).collect::<Vec<_>>();
    let (written_runs, moved_runs) = (of_runs(written), of_runs(moved));
    let first = written_runs.first().into_iter().flatten();
    let is_compared = |number: &&Metric| COMPARED.contains(&(number.of, &*number.metric));
    let lossy = lossy(&written_runs, &moved_runs);
    let names: Vec<&Metric> = first
        .filter(is_compared)
        .filter(|number| number.of != "link" || lossy.contains(&number.entity))
        .collect();
    let left_out = names.len().saturating_sub(MOST_NUMBERS);
    let level = CHANCE / names.len().clamp(1, MOST_NUMBERS) as f64;
    let mut stream = Streams {
        seed: written.seed,
        replication: 0,
    }
    .stream("moved", "divisions");
    let numbers = names.into_iter().take(MOST_NUMBERS).filter_map(|name| {
        let (written, moved) = (values(&written_runs, name)?, values(&moved_runs, name)?);
        let probability = by_chance(&written, &moved, &mut stream);
        Some(MovedNumber {
            of: name.of,
            entity: name.entity.clone(),
            metric: name.metric.to_string(),
            written: Range::of(&written),
            moved: Range::of(&moved),
            probability,
            hangs: probability <= level,
        })
    });
    (numbers.collect(), left_out)
}

/// The links that lose packets in some run: phases decide who loses.
fn lossy(written: &[Vec<Metric>], moved: &[Vec<Metric>]) -> Vec<String> {
    let all = written.iter().chain(moved).flatten();
    let lossy = all.filter(|number| {
        number.of == "link" && number.metric == "loss_ratio" && number.value > Some(0.0)
    });
    let mut names: Vec<String> = lossy.map(|number| number.entity.clone()).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// A number's values, if all runs have one.
fn values(runs: &[Vec<Metric>], name: &Metric) -> Option<Vec<f64>> {
    let same = |number: &&Metric| {
        (number.of, &number.entity, &number.metric) == (name.of, &name.entity, &name.metric)
    };
    let value = |run: &Vec<Metric>| run.iter().find(same)?.value;
    runs.iter().map(value).collect()
}

impl Range {
    fn of(values: &[f64]) -> Range {
        let (mean, variance) = mean_and_variance(values);
        let count = values.len() as f64;
        let unbiased = variance * count / (count - 1.0).max(1.0);
        Range {
            mean,
            deviation: unbiased.sqrt(),
            least: values.iter().copied().fold(f64::INFINITY, f64::min),
            greatest: values.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        }
    }
}

/// The share of random divisions of all values that differ as much, this one included.
fn by_chance(one: &[f64], other: &[f64], stream: &mut Stream) -> f64 {
    let seen = ratio(one, other);
    let mut all = [one, other].concat();
    let mut as_great = 1;
    for _ in 0..DIVISIONS {
        shuffle(&mut all, stream);
        let (one, other) = all.split_at(one.len());
        as_great += usize::from(ratio(one, other) >= seen);
    }
    as_great as f64 / (DIVISIONS + 1) as f64
}

/// The logarithm of the ratio of likelihoods, twice: of a normal distribution for each half, and of
/// one for all.
fn ratio(one: &[f64], other: &[f64]) -> f64 {
    let all = [one, other].concat();
    let (center, whole) = mean_and_variance(&all);
    // Differences below the numbers' own precision are none.
    let least = center * 1e-12;
    let least = (least * least).max(f64::MIN_POSITIVE);
    let part = |values: &[f64], variance: f64| values.len() as f64 * libm::log(variance.max(least));
    let of = |values: &[f64]| part(values, mean_and_variance(values).1);
    part(&all, whole) - of(one) - of(other)
}

fn mean_and_variance(values: &[f64]) -> (f64, f64) {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares = values.iter().map(|x| (x - mean) * (x - mean));
    (mean, squares.sum::<f64>() / count)
}

/// A random order of the values (Fisher and Yates).
fn shuffle(values: &mut [f64], stream: &mut Stream) {
    for last in (1..values.len()).rev() {
        let place = (u128::from(stream.next_u64()) * (last as u128 + 1)) >> 64;
        values.swap(last, place as usize);
    }
}

impl Moved {
    /// The comparison as one JSON document.
    pub fn to_json(&self) -> String {
        to_json(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stream() -> Stream {
        Streams {
            seed: 1,
            replication: 0,
        }
        .stream("test", "values")
    }

    /// Values between 0 and this number.
    fn drawn(width: f64, stream: &mut Stream) -> Vec<f64> {
        (0..12).map(|_| width * unit_below_one(stream)).collect()
    }

    #[test]
    fn alike_values_are_marked_as_often_as_chance_says() {
        let mut stream = stream();
        let small = (0..200).filter(|_| {
            let (one, other) = (drawn(1.0, &mut stream), drawn(1.0, &mut stream));
            by_chance(&one, &other, &mut stream) <= 0.05
        });
        // 10 of 200, with a standard deviation of 3.1.
        let small = small.count();
        assert!((2..=22).contains(&small), "{small} of 200");
    }

    #[test]
    fn another_mean_and_another_spread_are_told() {
        let mut stream = stream();
        let one = drawn(1.0, &mut stream);
        let shifted: Vec<f64> = drawn(1.0, &mut stream).iter().map(|x| x + 1.0).collect();
        assert!(by_chance(&one, &shifted, &mut stream) < 1e-3);
        let wide: Vec<f64> = drawn(20.0, &mut stream).iter().map(|x| x - 9.5).collect();
        assert!(by_chance(&one, &wide, &mut stream) < 1e-3);
    }

    /// A scenario without random numbers repeats itself until it is moved.
    #[test]
    fn a_constant_beside_drawn_values_is_told_and_two_equal_constants_are_not() {
        let mut stream = stream();
        let constant = [0.4; 12];
        let values = drawn(1.0, &mut stream);
        assert!(by_chance(&constant, &values, &mut stream) < 1e-3);
        assert_eq!(by_chance(&constant, &constant, &mut stream), 1.0);
    }
}
