//! The replay of a case, and its first difference.

use std::sync::Arc;

use pacesim_queues::{
    Chance, Codel, DualPi2, Fq, FqCodel, Pending, Pie, Queue, Reason, Red, Signal, Tbf, Turn,
    Waiting,
};
use pacesim_units::{FlowId, Rate, Time};

use crate::cases::{Arrival, Case, Fate};
use crate::disciplines;
use crate::line::{Line, time};
use crate::samples;
use crate::words;

/// The result of a replay.
pub(crate) enum Outcome {
    Exact,
    /// The discipline, or an unsupported word of its configuration.
    NotModelled(String),
    /// The first difference.
    Differs(String),
}

/// Replays a case with the discipline that it names.
pub(crate) fn replay(case: &Case) -> Outcome {
    if let Some(word) = words::unknown(case) {
        return Outcome::NotModelled(word.to_owned());
    }
    let result = match case.kind() {
        "codel" => plain(case, Codel::new(&disciplines::codel(case, 1000)), 0),
        "fq_codel" => fq_codel(case),
        "pie" => pie(case),
        "red" => red(case),
        "fq" => fq(case),
        "tbf" => plain(case, Tbf::new(&disciplines::tbf(case)), 1),
        "dualpi2" => dualpi2(case),
        other => return Outcome::NotModelled(other.to_owned()),
    };
    match result {
        Ok(()) => Outcome::Exact,
        Err(difference) => Outcome::Differs(difference),
    }
}

/// A discipline without random draws decides everything itself. Its timer expires this many
/// nanoseconds late.
fn plain(case: &Case, queue: impl Queue, late_ns: i64) -> Result<(), String> {
    let (arrivals, fates) = case.packets();
    let mut line = Line::new(queue, &arrivals, case.line_rate()).late_by(late_ns);
    line.run(case.drain());
    same(&arrivals, &line.fates, &fates, 0)
}

fn fq_codel(case: &Case) -> Result<(), String> {
    let (mut arrivals, fates) = case.packets();
    disciplines::share_buckets(case, &mut arrivals);
    let queue = FqCodel::new(&disciplines::fq_codel(case));
    let mut line = Line::new(queue, &arrivals, case.line_rate());
    line.run(case.drain());
    same(&arrivals, &line.fates, &fates, 0)
}

/// The recorded outcomes of draws; the discipline itself decides when to draw.
#[derive(Clone, Debug)]
struct Recorded(Arc<[Fate]>);

impl Chance for Recorded {
    fn strikes(&mut self, key: u32, signal: Signal, _part: u64, _whole: u64) -> bool {
        let fate = self.0[key as usize].what;
        match signal {
            Signal::Drop => matches!(fate, 'E' | 'X'),
            Signal::Mark => matches!(fate, 'E' | 'X' | 'M'),
        }
    }
}

impl From<Recorded> for Box<dyn Chance> {
    fn from(recorded: Recorded) -> Box<dyn Chance> {
        Box::new(recorded)
    }
}

/// A discipline whose state is recorded before each call.
pub(crate) struct Watched<Q, F> {
    pub(crate) queue: Q,
    pub(crate) look: F,
}

impl<Q: Queue, F: FnMut(&mut Q, Time) + Send> Queue for Watched<Q, F> {
    fn arrive(&mut self, now: Time, packet: Pending) -> Result<(), Reason> {
        (self.look)(&mut self.queue, now);
        let answer = self.queue.arrive(now, packet);
        (self.look)(&mut self.queue, now);
        answer
    }
    fn turn(&mut self, now: Time, line: pacesim_queues::Line) -> Turn {
        (self.look)(&mut self.queue, now);
        self.queue.turn(now, line)
    }
    fn waiting(&self) -> Waiting {
        self.queue.waiting()
    }
    fn next_turn(&self) -> Option<Time> {
        self.queue.next_turn()
    }
}

fn pie(case: &Case) -> Result<(), String> {
    let (arrivals, fates) = case.packets();
    let recorded = Recorded(fates.clone().into());
    let queue = Pie::new(&disciplines::pie(case, 0), recorded);
    let mut states = Vec::new();
    let look = |pie: &mut Pie, now| {
        pie.catch_up_with(now, |at, probability| states.push((at, probability)));
    };
    let mut line = Line::new(Watched { queue, look }, &arrivals, case.line_rate());
    line.run(case.drain());
    let ours = line.fates;
    same(&arrivals, &ours, &fates, 0)?;
    samples::probability(case, &states, arrivals.last().expect("a packet").ns)
}

fn red(case: &Case) -> Result<(), String> {
    let (arrivals, fates) = case.packets();
    let recorded = Recorded(fates.clone().into());
    let queue = Red::new(&disciplines::red(case), recorded);
    let mut states = Vec::new();
    let look = |red: &mut Red, now| states.push((now, red.mean()));
    let line = Line::new(Watched { queue, look }, &arrivals, case.line_rate());
    // Linux reads its clock a nanosecond after the end of a transmission, and counts whole
    // microseconds of idle time.
    let mut line = line.ahead_by(1);
    line.run(case.drain());
    let ours = line.fates;
    same(&arrivals, &ours, &fates, 0)?;
    samples::mean_queue(case, &states, arrivals.last().expect("a packet").ns)
}

fn dualpi2(case: &Case) -> Result<(), String> {
    let (arrivals, fates) = case.packets();
    let recorded = Recorded(fates.clone().into());
    let queue = DualPi2::new(&disciplines::dualpi2(case, 0), recorded);
    let mut states = Vec::new();
    let look = |dualpi2: &mut DualPi2, now| {
        dualpi2.catch_up_with(now, |at, probability| states.push((at, probability)));
    };
    let line = Line::new(Watched { queue, look }, &arrivals, case.line_rate());
    let mut line = line.warm_for(4);
    line.run(case.drain());
    line.look_at_end(case.drain());
    let ours = line.fates;
    same(&arrivals, &ours, &fates, 0)?;
    samples::base_probability(case, &states)
}

/// Packets of fq request departure times, and its timer is late by up to its slack, 10 us by
/// default.
struct Timed {
    fq: Fq,
    departures: Vec<Option<Time>>,
}

impl Queue for Timed {
    fn arrive(&mut self, now: Time, packet: Pending) -> Result<(), Reason> {
        let departure = self.departures[packet.key as usize];
        self.fq.arrive_for(now, packet, departure)
    }
    fn turn(&mut self, now: Time, line: pacesim_queues::Line) -> Turn {
        self.fq.turn(now, line)
    }
    fn waiting(&self) -> Waiting {
        self.fq.waiting()
    }
    fn next_turn(&self) -> Option<Time> {
        self.fq.next_turn()
    }
}

fn fq(case: &Case) -> Result<(), String> {
    let slack_ns = case.span("timer_slack").unwrap_or(10_000) as i64;
    let (arrivals, fates) = case.packets();
    let mut fq = Fq::new(&disciplines::fq(case));
    let flows = arrivals
        .iter()
        .map(|arrival| arrival.flow)
        .max()
        .unwrap_or(0);
    for flow in 0..=flows {
        let rate = case
            .of_flow("pace", flow)
            .and_then(|rate| Rate::from_bps(rate * 8));
        if let Some(rate) = rate {
            fq.pace(FlowId(flow), rate);
        }
    }
    let departures = arrivals
        .iter()
        .map(|arrival| arrival.departure.map(time))
        .collect();
    let queue = Timed { fq, departures };
    let mut line = Line::new(queue, &arrivals, case.line_rate()).late_by(slack_ns);
    line.run(case.drain());
    let ours = line.fates;
    same(&arrivals, &ours, &fates, slack_ns)?;
    if order(&ours) == order(&fates) {
        Ok(())
    } else {
        Err("packets leave in another order".to_owned())
    }
}

/// The packets that were sent, in order.
fn order(fates: &[Fate]) -> Vec<usize> {
    let left = |i: &usize| matches!(fates[*i].what, 'D' | 'M');
    let mut order: Vec<usize> = (0..fates.len()).filter(left).collect();
    order.sort_by_key(|i| fates[*i].ns);
    order
}

/// Compares fates, and times up to this many nanoseconds; drops were recorded up to two nanoseconds
/// late.
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
