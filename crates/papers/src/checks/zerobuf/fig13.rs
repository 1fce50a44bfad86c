//! The off-line optimum (Fig. 13): the shortest path between arrivals and deadlines against
//! random feasible exit curves.

use pacesim::units::{Span, Time};
use pacesim_core::random::{Rng, Stream, unit_below_one};
use pacesim_lab::claims::Claim;
use pacesim_lab::plot::{Figure, Panel};
use pacesim_pacers::offline::{DueArrival, ExitCurve, shortest_path};

use crate::{Context, Fault, Report};

/// Bytes that have left at each microsecond; curves bend only at whole microseconds.
type Curve = Vec<f64>;

/// The number of curves that were smoother than the shortest path.
#[derive(Default)]
struct Found {
    curves: u64,
    lower_peaks: u64,
    lower_variances: u64,
}

impl Found {
    fn compare(&mut self, path: &ExitCurve, other: &Curve) {
        // A billionth for rounding.
        const SLACK: f64 = 1.0 + 1e-9;
        let (peak, variance) = peak_and_variance(other);
        self.curves += 1;
        self.lower_peaks += u64::from(peak * SLACK < path.peak_rate());
        self.lower_variances += u64::from(variance * SLACK < path.rate_variance());
    }

    fn claims(&self, kind: &str) -> [Claim; 2] {
        let lower = |what: &str, exceptions| {
            Claim::none(
                format!("{kind} with a lower {what}"),
                exceptions,
                self.curves,
            )
        };
        [
            lower("peak rate", self.lower_peaks),
            lower("variance of the rate", self.lower_variances),
        ]
    }
}

/// Random traces, each with random feasible curves in addition to its shortest path, and mixtures
/// of both, which are feasible too and arbitrarily close to the path.
pub(crate) fn run(context: &Context<'_>) -> Result<Report, Fault> {
    let claims = claims(context, |trace| {
        shortest_path(trace).expect("a trace is sorted, and each packet is due after it comes")
    });
    Ok(Report::new().claims(claims?).figure(figure(context)))
}

fn claims(
    context: &Context<'_>,
    path_of: impl Fn(&[DueArrival]) -> ExitCurve,
) -> Result<Vec<Claim>, Fault> {
    let (mut random, mut mixed) = (Found::default(), Found::default());
    for number in 0..context.scaled(200, 10) {
        context.check_in()?;
        let mut stream = context.stream(number, "offline", "trace");
        let trace = trace(&mut stream);
        let path = path_of(&trace);
        for _ in 0..20 {
            // From greedy to lazy curves.
            let greed = libm::pow(10.0, -4.0 * unit_below_one(&mut stream));
            let curve = random_feasible(&trace, greed, &mut stream);
            random.compare(&path, &curve);
            let share = unit_below_one(&mut stream);
            let both = curve.iter().zip(sampled(&path, &trace));
            let mixture = both.map(|(curve, path)| share * curve + (1.0 - share) * path);
            mixed.compare(&path, &mixture.collect());
        }
    }
    let mut claims = random.claims("random feasible exit curves").to_vec();
    claims.extend(mixed.claims("random mixtures of these and the shortest path"));
    Ok(claims)
}

/// Gaps of up to 100 us, delay bounds of 20 to 220 us with deadlines in order of arrival, any size.
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
    (0..30).map(packet).collect()
}

fn us(n: u64) -> Time {
    Time::ZERO + Span::from_us(n)
}

/// The microseconds from the first arrival to the last deadline.
fn times(trace: &[DueArrival]) -> impl Iterator<Item = u64> {
    let last = trace.last().map_or(Time::ZERO, |packet| packet.deadline);
    trace[0].at.as_ps() / 1_000_000..=last.as_ps() / 1_000_000
}

/// Bytes that arrived before a time, and bytes due by it.
fn walls(trace: &[DueArrival], t: Time) -> (f64, f64) {
    let sum = |keep: &dyn Fn(&&DueArrival) -> bool| {
        let sizes = trace.iter().filter(keep).map(|p| u64::from(p.size));
        sizes.sum::<u64>() as f64
    };
    (sum(&|p| p.at < t), sum(&|p| p.deadline <= t))
}

fn sampled(path: &ExitCurve, trace: &[DueArrival]) -> Curve {
    let height = |i: u64| {
        let corners = path.corners();
        let next = corners.partition_point(|corner| corner.0 < us(i));
        // After its end it is constant.
        let next = next.clamp(1, corners.len() - 1);
        let ((t0, w0), (t1, w1)) = (corners[next - 1], corners[next]);
        let share = ((us(i) - t0).as_secs_f64() / (t1 - t0).as_secs_f64()).min(1.0);
        w0.get() as f64 + share * (w1.get() - w0.get()) as f64
    };
    times(trace).map(height).collect()
}

/// A curve that never falls, lies within the walls, and is complete at the end. In each microsecond
/// it releases up to a share `greed` of the allowed bytes.
fn random_feasible(trace: &[DueArrival], greed: f64, stream: &mut Stream) -> Curve {
    let mut work: f64 = 0.0;
    let step = |i: u64| {
        let (most, least) = walls(trace, us(i));
        let low = work.max(least);
        work = low + (most - low).max(0.0) * greed * unit_below_one(stream);
        work
    };
    times(trace).map(step).collect()
}

/// Peak and variance of the rate, in bit/s.
fn peak_and_variance(curve: &Curve) -> (f64, f64) {
    let rates: Vec<f64> = curve.windows(2).map(|w| (w[1] - w[0]) * 8e6).collect();
    let n = rates.len() as f64;
    let mean = rates.iter().sum::<f64>() / n;
    let squares = rates.iter().map(|r| (r - mean) * (r - mean));
    (
        rates.iter().copied().fold(0.0, f64::max),
        squares.sum::<f64>() / n,
    )
}

/// One trace with its walls, the shortest path and a random curve.
fn figure(context: &Context<'_>) -> Figure {
    let mut stream = context.stream(0, "offline", "figure");
    let trace = trace(&mut stream);
    let path =
        shortest_path(&trace).expect("a trace is sorted, and each packet is due after it comes");
    let wall =
        |of: fn((f64, f64)) -> f64| times(&trace).map(|i| of(walls(&trace, us(i)))).collect();
    let curves: [(&str, Curve); 4] = [
        ("arrivals A(t)", wall(|(came, _)| came)),
        ("deadlines D(t)", wall(|(_, due)| due)),
        ("shortest path", sampled(&path, &trace)),
        (
            "a random feasible curve",
            random_feasible(&trace, 0.03, &mut stream),
        ),
    ];
    let panel = curves.into_iter().fold(
        Panel::new("time (us)", "work (KB)"),
        |panel, (label, curve)| {
            let points = times(&trace)
                .zip(curve)
                .map(|(t, bytes)| (t as f64, bytes / 1e3));
            panel.line(label, points)
        },
    );
    Figure::new("Arrival, deadline and exit curves (zerobuf Fig. 13)").panel(panel)
}

#[cfg(test)]
mod tests {
    use super::super::super::breaking::{context, every_claim_breaks};
    use super::*;

    /// The shortest path for deadlines that leave only part of the time: feasible, but not optimal.
    fn hasty(trace: &[DueArrival], part: u64) -> ExitCurve {
        let sooner = |due: &DueArrival| DueArrival {
            deadline: due.at + (due.deadline - due.at) / part,
            ..*due
        };
        let mut trace: Vec<DueArrival> = trace.iter().map(sooner).collect();
        // Keeps deadlines in order of arrival.
        for i in 1..trace.len() {
            trace[i].deadline = trace[i].deadline.max(trace[i - 1].deadline);
        }
        shortest_path(&trace).expect("sorted, and due after it comes")
    }

    #[test]
    fn a_path_that_is_not_the_shortest_breaks_every_claim() {
        let all = run(&context()).expect("it runs").claims;
        let hasty = |part| claims(&context(), |trace| hasty(trace, part)).expect("it runs");
        // Slightly worse than the shortest, as nearby curves show; and far worse.
        every_claim_breaks(&all, &[&hasty(2), &hasty(100)], &[]);
    }
}
