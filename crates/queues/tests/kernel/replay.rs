//! The replay of a case, and its first difference.

use pacesim_queues::{Codel, FqCodel, Queue};

use crate::cases::{Arrival, Case, Fate};
use crate::disciplines;
use crate::line::Line;

/// The answer of a replay.
pub(crate) enum Outcome {
    Exact,
    NotModelled,
    /// The first difference.
    Differs(String),
}

impl From<Result<(), String>> for Outcome {
    fn from(result: Result<(), String>) -> Outcome {
        match result {
            Ok(()) => Outcome::Exact,
            Err(difference) => Outcome::Differs(difference),
        }
    }
}

/// Replays a case by the discipline that it names.
pub(crate) fn replay(case: &Case) -> Outcome {
    match case.kind() {
        "codel" => free(case, Codel::new(&disciplines::codel(case, 1000))).into(),
        "fq_codel" => fq_codel(case).into(),
        _ => Outcome::NotModelled,
    }
}

/// A discipline that draws nothing decides all by itself.
fn free(case: &Case, queue: impl Queue) -> Result<(), String> {
    let (arrivals, fates) = case.packets();
    let mut line = Line::new(queue, &arrivals, case.line_rate());
    line.run(case.drain(), |_, _, _| {});
    same(&arrivals, &line.fates, &fates, 0)
}

/// Flows share a queue if the case gives them the same bucket.
fn fq_codel(case: &Case) -> Result<(), String> {
    let (mut arrivals, fates) = case.packets();
    for arrival in &mut arrivals {
        let bucket = case.of_flow("bucket", arrival.flow);
        arrival.flow = bucket.map_or(arrival.flow, |bucket| bucket as u32);
    }
    let queue = FqCodel::new(&disciplines::fq_codel(case));
    let mut line = Line::new(queue, &arrivals, case.line_rate());
    line.run(case.drain(), |_, _, _| {});
    same(&arrivals, &line.fates, &fates, 0)
}

/// Compares fates, and times up to so many nanoseconds; those of drops were noted up to two nanoseconds late.
pub(crate) fn same(
    arrivals: &[Arrival],
    ours: &[Fate],
    recorded: &[Fate],
    most_ns: i64,
) -> Result<(), String> {
    let pairs = ours.iter().zip(recorded).zip(arrivals).enumerate();
    for (number, ((ours, recorded), arrival)) in pairs {
        let most_ns = match recorded.what {
            'D' | 'M' => most_ns,
            _ => most_ns + 2,
        };
        let is_same = ours.what == recorded.what && (ours.ns - recorded.ns).abs() <= most_ns;
        if !is_same {
            return Err(format!(
                "packet {number}, which came at {} ns: {} at {} ns, recorded {} at {} ns",
                arrival.ns, ours.what, ours.ns, recorded.what, recorded.ns
            ));
        }
    }
    Ok(())
}
