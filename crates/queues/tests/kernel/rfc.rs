//! CoDel and FQ-CoDel by their RFCs, compared with Linux's: the effect of the details in which they
//! differ.

use std::collections::BTreeSet;

use pacesim_queues::{Codel, CodelConfig, FqCodel, FqCodelConfig, Profile, Queue};

use crate::cases::{Arrival, Case, Fate};
use crate::disciplines;
use crate::line::Line;

/// The compared numbers of a run.
#[derive(Debug, Default)]
struct Numbers {
    /// The packets that were dropped or marked at their turn, in order.
    acted: Vec<usize>,
    /// Their flows.
    flows: BTreeSet<u32>,
    /// Packets that were not delivered without a mark.
    acts: f64,
    /// From arrival to the start of transmission.
    delay_us: f64,
}

/// The tolerances of drops with marks, and of mean delays, in whole per cent: the effect of the
/// exact root alone.
const ACTS: f64 = 5.0;
const DELAY: f64 = 16.0;

/// A row of the comparison, and the numbers outside their tolerances.
pub(crate) struct Comparison {
    pub(crate) row: String,
    pub(crate) outside: Vec<String>,
}

/// Compares a case of CoDel or FQ-CoDel.
pub(crate) fn compare(case: &Case) -> Option<Comparison> {
    let (mut arrivals, fates) = case.packets();
    let queue: Box<dyn Queue> = match case.kind() {
        "codel" => Box::new(Codel::new(&as_rfc(disciplines::codel(case, 1000)))),
        "fq_codel" => {
            disciplines::share_buckets(case, &mut arrivals);
            let config = disciplines::fq_codel(case);
            Box::new(FqCodel::new(&FqCodelConfig {
                codel: as_rfc(config.codel),
                ..config
            }))
        }
        _ => return None,
    };
    let mut line = Line::new(queue, &arrivals, case.line_rate());
    line.run(case.drain());
    let ours = numbers(case, &arrivals, &line.fates);
    let linux = numbers(case, &arrivals, &fates);
    Some(judge(case, &ours, &linux))
}

fn as_rfc(config: CodelConfig) -> CodelConfig {
    CodelConfig {
        profile: Profile::Rfc,
        ..config
    }
}

fn numbers(case: &Case, arrivals: &[Arrival], fates: &[Fate]) -> Numbers {
    let mut numbers = Numbers::default();
    let (mut delay_us, mut delivered) = (0.0, 0.0);
    let mut acted: Vec<(i64, usize)> = Vec::new();
    for (number, (arrival, fate)) in arrivals.iter().zip(fates).enumerate() {
        if matches!(fate.what, 'D' | 'M') {
            let line_ns = f64::from(arrival.size) * 8e9 / case.line_rate() as f64;
            delay_us += ((fate.ns - arrival.ns) as f64 - line_ns) / 1000.0;
            delivered += 1.0;
        }
        if matches!(fate.what, 'X' | 'M') {
            acted.push((fate.ns, number));
        }
        numbers.acts += f64::from(u8::from(matches!(fate.what, 'X' | 'M' | 'E' | 'P')));
    }
    acted.sort_unstable();
    numbers.acted = acted.into_iter().map(|(_, number)| number).collect();
    numbers.flows = numbers
        .acted
        .iter()
        .map(|number| arrivals[*number].flow)
        .collect();
    numbers.delay_us = delay_us / f64::max(delivered, 1.0);
    numbers
}

fn judge(case: &Case, ours: &Numbers, linux: &Numbers) -> Comparison {
    let share = |ours: f64, linux: f64| match linux {
        0.0 => ours,
        _ => ours / linux - 1.0,
    };
    let acts = share(ours.acts, linux.acts);
    let delay = share(ours.delay_us, linux.delay_us);
    let row = format!(
        "{:18} {:6} {:6} {:+6.1} %  {:9.1} {:9.1} {:+6.1} %",
        case.name,
        linux.acts,
        ours.acts,
        100.0 * acts,
        linux.delay_us / 1000.0,
        ours.delay_us / 1000.0,
        100.0 * delay
    );
    let mut outside = Vec::new();
    let mut expect = |holds: bool, what: &str| {
        if !holds {
            outside.push(format!("{}: {what}\n{row}", case.name));
        }
    };
    let percent = |share: f64| (100.0 * share).round().abs();
    expect(percent(acts) <= ACTS, "drops and marks");
    expect(percent(delay) <= DELAY, "mean delay");
    expect(ours.flows == linux.flows, "flows that see drops");
    // Flows of FQ-CoDel have separate queues, but Linux examines more than these: its MTU rule is
    // about all of them.
    if case.kind() == "codel" {
        let two = |of: &Numbers| of.acted.iter().take(2).copied().collect::<Vec<_>>();
        let (ours, linux) = (two(ours), two(linux));
        expect(
            same_or_beside(&ours, &linux),
            &format!("first two drops {ours:?}, {linux:?} of Linux"),
        );
    }
    Comparison { row, outside }
}

/// True if both have the same packets, or one has those just before the other's: at an interval, or at the target to a tick,
/// the RFC's and Linux's comparisons differ (`the_first_drops_are_linux_s_or_those_beside_them`).
fn same_or_beside(ours: &[usize], linux: &[usize]) -> bool {
    let ahead = |a: &[usize], b: &[usize]| a.iter().map(|packet| packet + 1).eq(b.iter().copied());
    ours == linux || ahead(ours, linux) || ahead(linux, ours)
}
