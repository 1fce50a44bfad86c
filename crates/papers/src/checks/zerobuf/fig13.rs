//! The off-line optimum (Fig. 13): the shortest path between arrivals and deadlines
//! against random feasible exit curves.

use pacesim::units::{Span, Time};
use pacesim_core::random::{Rng, Stream, unit_below_one};
use pacesim_pacers::offline::{DueArrival, ExitCurve, shortest_path};

use crate::{Context, Fault, Report};
use pacesim_lab::claims::Claim;
use pacesim_lab::plot::{Figure, Panel};

const TRACES: u64 = 200;
const CURVES_EACH: u64 = 20;
const PACKETS: u64 = 30;

/// Peak rate and variance of the rate, in bit/s.
#[derive(Clone, Copy)]
struct Rates {
    peak: f64,
    variance: f64,
}

/// What a comparison found.
#[derive(Default)]
struct Found {
    curves: u64,
    lower_peaks: u64,
    lower_variances: u64,
}

impl Found {
    fn compare(&mut self, path: &ExitCurve, other: &[(f64, f64)]) {
        // A billionth for rounding.
        const SLACK: f64 = 1.0 + 1e-9;
        let other = rates(other);
        self.curves += 1;
        self.lower_peaks += u64::from(other.peak * SLACK < path.peak_rate());
        self.lower_variances += u64::from(other.variance * SLACK < path.rate_variance());
    }

    fn claims(&self, kind: &str) -> [Claim; 2] {
        let text = |what: &str| format!("of {} {kind}, those with a lower {what}", self.curves);
        [
            Claim::vanishes(text("peak rate"), self.lower_peaks as f64, 0.0),
            Claim::vanishes(
                text("variance of the rate"),
                self.lower_variances as f64,
                0.0,
            ),
        ]
    }
}

/// Random traces, each with random feasible curves beside its shortest path, and mixtures
/// of both, which are feasible too and as near to the path as one likes.
pub(crate) fn run(context: &Context<'_>) -> Result<Report, Fault> {
    let (mut random, mut mixed) = (Found::default(), Found::default());
    for number in 0..context.scaled(TRACES, 10) {
        context.check_in()?;
        let mut stream = context.stream(number, "offline", "trace");
        let trace = trace(&mut stream);
        let path = shortest_path(&trace).expect("sorted, and due after it comes");
        for _ in 0..CURVES_EACH {
            // Hasty and lazy curves.
            let greed = libm::pow(10.0, -4.0 * unit_below_one(&mut stream));
            let curve = random_feasible(&trace, greed, &mut stream);
            random.compare(&path, &curve);
            mixed.compare(&path, &mixture(&path, &curve, unit_below_one(&mut stream)));
        }
    }
    Ok(Report::new()
        .claims(random.claims("random feasible exit curves"))
        .claims(mixed.claims("random mixtures of these and the shortest path"))
        .figure(figure(context)))
}

/// A mixture of a curve, by its share, and of the path for the rest.
fn mixture(path: &ExitCurve, curve: &[(f64, f64)], share: f64) -> Vec<(f64, f64)> {
    let mix = |&(us, work): &(f64, f64)| (us, share * work + (1.0 - share) * height(path, us));
    curve.iter().map(mix).collect()
}

/// Where the path is at a microsecond; it bends only at whole ones.
fn height(path: &ExitCurve, us: f64) -> f64 {
    let corners = path.corners();
    let micros = |place: usize| corners[place].0.as_ps() as f64 / 1e6;
    let bytes = |place: usize| corners[place].1.get() as f64;
    let next = (0..corners.len()).find(|place| micros(*place) >= us);
    match next {
        None => bytes(corners.len() - 1),
        Some(0) => bytes(0),
        Some(next) => {
            let share = (us - micros(next - 1)) / (micros(next) - micros(next - 1));
            bytes(next - 1) + share * (bytes(next) - bytes(next - 1))
        }
    }
}

/// Gaps of up to 100 us, bounds of 20 to 220 us in the order of arrival, any size.
fn trace(stream: &mut Stream) -> Vec<DueArrival> {
    let (mut at, mut deadline) = (0, 0);
    let packet = |_| {
        at += stream.next_u64() % 100;
        deadline = (at + 20 + stream.next_u64() % 200).max(deadline);
        DueArrival {
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
fn walls(trace: &[DueArrival], t: Time) -> (f64, f64) {
    let sum = |keep: &dyn Fn(&&DueArrival) -> bool| {
        let sizes = trace.iter().filter(keep).map(|p| u64::from(p.size));
        sizes.sum::<u64>() as f64
    };
    (sum(&|p| p.at < t), sum(&|p| p.deadline <= t))
}

/// Bytes released by each microsecond: never falling, within the walls, all in the end.
/// In each it releases up to a share `greed` of what it may.
fn random_feasible(trace: &[DueArrival], greed: f64, stream: &mut Stream) -> Vec<(f64, f64)> {
    let microseconds = |t: Time| t.as_ps() / 1_000_000;
    let (start, end) = (microseconds(trace[0].at), last_deadline(trace));
    let mut work: f64 = 0.0;
    let step = |i: u64| {
        let (most, least) = walls(trace, us(i));
        let low = work.max(least);
        work = low + (most - low).max(0.0) * greed * unit_below_one(stream);
        (i as f64, work)
    };
    (start..=microseconds(end)).map(step).collect()
}

fn last_deadline(trace: &[DueArrival]) -> Time {
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
    let random = random_feasible(&trace, 0.03, &mut stream);
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
