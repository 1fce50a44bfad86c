//! The off-line optimum (Fig. 13): the shortest path between arrivals and deadlines
//! against random feasible exit curves.

use pacesim::units::{Span, Time};
use pacesim_core::random::{Rng, Stream, unit_below_one};
use pacesim_pacers::offline::{Arrival, shortest_path};

use crate::plot::{Figure, Panel};
use crate::reproduce::{Claim, Context, Fault, Report};

const TRACES: u64 = 200;
const CURVES_EACH: u64 = 20;
const PACKETS: u64 = 30;

/// Peak rate and variance of the rate, in bit/s.
#[derive(Clone, Copy)]
struct Rates {
    peak: f64,
    variance: f64,
}

/// Random traces, each with random feasible curves beside its shortest path.
pub(in crate::reproduce) fn run(context: &Context<'_>) -> Result<Report, Fault> {
    let (mut curves, mut lower_peaks, mut lower_variances) = (0_u64, 0_u64, 0_u64);
    let mut least: f64 = f64::INFINITY;
    for number in 0..context.scaled(TRACES, 10) {
        context.check_in()?;
        let mut stream = context.stream(number, "offline", "trace");
        let trace = trace(&mut stream);
        let path = shortest_path(&trace).expect("sorted, and due after it comes");
        for _ in 0..CURVES_EACH {
            let other = rates(&random_feasible(&trace, &mut stream));
            curves += 1;
            // A billionth for rounding.
            lower_peaks += u64::from(other.peak * (1.0 + 1e-9) < path.peak_rate());
            lower_variances += u64::from(other.variance * (1.0 + 1e-9) < path.rate_variance());
            least = least.min(other.peak / path.peak_rate());
        }
    }
    Ok(Report::new()
        .claim(Claim::vanishes(format!("of {curves} random feasible exit curves, those with a lower peak rate"), lower_peaks as f64, 0.0))
        .claim(Claim::vanishes(format!("of {curves} random feasible exit curves, those with a lower variance"), lower_variances as f64, 0.0))
        .figure(figure(context))
        .note(format!(
            "The closest of the random curves has {least:.4} times the peak rate of the shortest path."
        )))
}

/// Gaps of up to 100 us, bounds of 20 to 220 us in the order of arrival, any size.
fn trace(stream: &mut Stream) -> Vec<Arrival> {
    let (mut at, mut deadline) = (0, 0);
    let packet = |_| {
        at += stream.next_u64() % 100;
        deadline = (at + 20 + stream.next_u64() % 200).max(deadline);
        Arrival {
            at: us(at),
            deadline: us(deadline),
            size: 1 + (stream.next_u64() % 9000) as u32,
        }
    };
    (0..PACKETS).map(packet).collect()
}

fn us(n: u64) -> Time {
    Time::ZERO + Span::from_us(n)
}

/// Bytes that came before a time, and bytes due by it.
fn walls(trace: &[Arrival], t: Time) -> (f64, f64) {
    let sum = |keep: &dyn Fn(&&Arrival) -> bool| {
        let sizes = trace.iter().filter(keep).map(|p| u64::from(p.size));
        sizes.sum::<u64>() as f64
    };
    (sum(&|p| p.at < t), sum(&|p| p.deadline <= t))
}

/// Bytes released by each microsecond: never falling, within the walls, all in the end.
fn random_feasible(trace: &[Arrival], stream: &mut Stream) -> Vec<(f64, f64)> {
    let microseconds = |t: Time| t.as_ps() / 1_000_000;
    let (start, end) = (microseconds(trace[0].at), last_deadline(trace));
    // What share of what it may it releases each microsecond: hasty and lazy curves.
    let greed = libm::pow(10.0, -4.0 * unit_below_one(stream));
    let mut work: f64 = 0.0;
    let step = |i: u64| {
        let (most, least) = walls(trace, us(i));
        let low = work.max(least);
        work = low + (most - low).max(0.0) * greed * unit_below_one(stream);
        (i as f64, work)
    };
    (start..=microseconds(end)).map(step).collect()
}

fn last_deadline(trace: &[Arrival]) -> Time {
    let deadlines = trace.iter().map(|p| p.deadline);
    deadlines.max().unwrap_or(Time::ZERO)
}

fn rates(curve: &[(f64, f64)]) -> Rates {
    let rates: Vec<f64> = curve.windows(2).map(|w| (w[1].1 - w[0].1) * 8e6).collect();
    let n = rates.len() as f64;
    let mean = rates.iter().sum::<f64>() / n;
    Rates {
        peak: rates.iter().copied().fold(0.0, f64::max),
        variance: rates.iter().map(|r| (r - mean) * (r - mean)).sum::<f64>() / n,
    }
}

/// One trace with its walls, the shortest path and a random curve.
fn figure(context: &Context<'_>) -> Figure {
    let mut stream = context.stream(0, "offline", "figure");
    let trace = trace(&mut stream);
    let path = shortest_path(&trace).expect("sorted, and due after it comes");
    let end = last_deadline(&trace).as_ps() / 1_000_000;
    let wall = |of: fn((f64, f64)) -> f64| {
        let kb = |i: u64| of(walls(&trace, us(i))) / 1e3;
        (0..=end).map(|i| (i as f64, kb(i))).collect::<Vec<_>>()
    };
    let corners = path.corners().iter();
    let path = corners.map(|(t, work)| (t.as_ps() as f64 / 1e6, work.get() as f64 / 1e3));
    let random = random_feasible(&trace, &mut stream);
    let panel = Panel::new("time (us)", "work (KB)")
        .line("arrivals A(t)", wall(|(came, _)| came))
        .line("deadlines D(t)", wall(|(_, due)| due))
        .line("shortest path", path)
        .line(
            "a random feasible curve",
            random.iter().map(|(t, w)| (*t, w / 1e3)),
        );
    Figure::new("arrival, deadline and exit curves (zerobuf Fig. 13)").panel(panel)
}
