//! Disciplines with their own random draws, compared with the recorded runs.

use std::collections::BTreeMap;

use pacesim_queues::{DualPi2, Pie, Queue, Red};
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;

use crate::cases::{Arrival, Case, Fate};
use crate::disciplines;
use crate::line::Line;

/// Runs of each case.
const RUNS: usize = 12;

/// The numbers of a run. The second of two is for packets that DualPI2 treats as L4S.
#[derive(Clone, Copy, Debug, Default)]
struct Numbers {
    drops: [f64; 2],
    marks: f64,
    /// Mean delays, in microseconds.
    delays: [f64; 2],
}

/// A number to compare with the recorded one: its name, and the tolerance of its mean, relative.
type Band = (&'static str, fn(&Numbers) -> f64, f64);

/// The discipline of a case, with draws from a stream of this seed.
type Make = fn(&Case, u64) -> Box<dyn Queue>;

const ALL_DROPS: Band = ("drops", |run| run.drops[0] + run.drops[1], 0.005);
const MEAN_DELAY: fn(&Numbers) -> f64 = |run| run.delays[0];
const MARKS: fn(&Numbers) -> f64 = |run| run.marks;
const PIE: &[Band] = &[ALL_DROPS, ("delay", MEAN_DELAY, 0.04)];
const RED: &[Band] = &[
    ("drops", |run| run.drops[0], 0.05),
    ("marks", MARKS, 0.01),
    ("delay", MEAN_DELAY, 0.03),
];
const DUALPI2: &[Band] = &[
    ALL_DROPS,
    ("classic drops", |run| run.drops[0], 0.05),
    ("L4S drops", |run| run.drops[1], 0.05),
    ("marks", MARKS, 0.025),
    ("classic delay", MEAN_DELAY, 0.03),
    ("L4S delay", |run| run.delays[1], 0.05),
];

/// The numbers of a case whose means over twelve runs are outside their tolerances, and outside the
/// range of the recorded runs.
pub(crate) fn outside(case: &Case) -> Vec<String> {
    let (queue, bands): (Make, &[Band]) = match case.kind() {
        "pie" => (pie, PIE),
        "red" => (red, RED),
        "dualpi2" => (dualpi2, DUALPI2),
        _ => return Vec::new(),
    };
    let (arrivals, _) = case.packets();
    let mask = case.value("params")["ecn_mask"].as_u64().unwrap_or(0) as u8;
    let ours: Vec<Numbers> = (0..RUNS as u64)
        .map(|seed| one(case, &arrivals, mask, queue(case, seed)))
        .collect();
    let recorded: Vec<Numbers> = case
        .runs
        .iter()
        .map(|run| recorded(run, &arrivals, mask))
        .collect();
    let check = |(name, number, most): &Band| {
        let of = |runs: &[Numbers]| runs.iter().map(number).collect::<Vec<f64>>();
        let (ours, recorded) = (of(&ours), of(&recorded));
        let mean = |all: &[f64]| all.iter().sum::<f64>() / all.len() as f64;
        let (is, was) = (mean(&ours), mean(&recorded));
        let least = recorded.iter().copied().fold(f64::INFINITY, f64::min);
        let greatest = recorded.iter().copied().fold(0.0, f64::max);
        let is_near = (is - was).abs() <= most * was || (least..=greatest).contains(&is);
        (!is_near).then(|| {
            format!(
                "{}, free running: {name} {is:.1}, recorded {was:.1} ({least:.1} to {greatest:.1})",
                case.name
            )
        })
    };
    bands.iter().filter_map(check).collect()
}

fn stream(seed: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(seed)
}

fn pie(case: &Case, seed: u64) -> Box<dyn Queue> {
    let run = seed as usize % case.runs.len();
    Box::new(Pie::new(&disciplines::pie(case, run), stream(seed)))
}

fn red(case: &Case, seed: u64) -> Box<dyn Queue> {
    Box::new(Red::new(&disciplines::red(case), stream(seed)))
}

fn dualpi2(case: &Case, seed: u64) -> Box<dyn Queue> {
    let run = seed as usize % case.runs.len();
    Box::new(DualPi2::new(&disciplines::dualpi2(case, run), stream(seed)))
}

fn one(case: &Case, arrivals: &[Arrival], mask: u8, queue: Box<dyn Queue>) -> Numbers {
    let mut line = Line::new(queue, arrivals, case.line_rate()).warm_for(4);
    line.run(case.drain());
    let (mut numbers, mut sent) = (Numbers::default(), [0.0; 2]);
    for (arrival, fate) in arrivals.iter().zip(&line.fates) {
        let class = usize::from(arrival.ecn & mask != 0);
        match fate.what {
            'D' | 'M' => {
                numbers.marks += f64::from(u8::from(fate.what == 'M'));
                numbers.delays[class] += delay_us(case, arrival, fate);
                sent[class] += 1.0;
            }
            'E' | 'X' | 'P' => numbers.drops[class] += 1.0,
            _ => {}
        }
    }
    for (delay, sent) in numbers.delays.iter_mut().zip(sent) {
        *delay /= f64::max(sent, 1.0);
    }
    numbers
}

/// From arrival to the start of transmission.
fn delay_us(case: &Case, arrival: &Arrival, fate: &Fate) -> f64 {
    let line_ns = f64::from(arrival.size) * 8e9 / case.line_rate() as f64;
    ((fate.ns - arrival.ns) as f64 - line_ns) / 1000.0
}

/// The numbers of a recorded run, from its row.
fn recorded(row: &BTreeMap<String, String>, arrivals: &[Arrival], mask: u8) -> Numbers {
    let number = |column: &str| {
        row.get(column)
            .and_then(|text| text.parse().ok())
            .unwrap_or(0.0)
    };
    let class_of: BTreeMap<u32, usize> = arrivals
        .iter()
        .map(|arrival| (arrival.flow, usize::from(arrival.ecn & mask != 0)))
        .collect();
    let mut drops = [0.0; 2];
    for flow in row["flow_dropped"].split_whitespace() {
        let (flow, count) = flow.split_once(':').expect("a flow and its drops");
        let class = flow.parse().ok().and_then(|flow| class_of.get(&flow));
        drops[class.copied().unwrap_or(0)] += count.parse::<f64>().expect("a number");
    }
    let delays = if row.contains_key("c_mean_us") {
        ["c_mean_us", "l_mean_us"].map(number)
    } else {
        [number("sojourn_mean_us"), 0.0]
    };
    Numbers {
        drops,
        marks: number("marked"),
        delays,
    }
}
