//! The shortest path against random feasible curves and the on-line pacers.

use pacesim_pacers::offline::{DueArrival, TraceError, shortest_path, smooth};
use pacesim_pacers::{Hull, HullConfig, Pacer, Pending, Release};
use pacesim_units::{Bytes, FlowId, Span, Time};
use proptest::prelude::*;

fn trace() -> impl Strategy<Value = Vec<DueArrival>> {
    prop::collection::vec((0u64..100, 1u64..200, 1u32..=9000), 1..40).prop_map(|steps| {
        let mut at = 0;
        let to_arrival = |&(gap, bound, size): &(u64, u64, u32)| {
            at += gap;
            DueArrival {
                at: us(at),
                deadline: us(at + bound),
                size,
            }
        };
        steps.iter().map(to_arrival).collect()
    })
}

fn us(n: u64) -> Time {
    Time::from_ps(n * 1_000_000)
}

/// Bytes that have arrived before a time, and bytes due by it.
fn walls(trace: &[DueArrival], t: Time) -> (u64, u64) {
    let sum = |keep: &dyn Fn(&DueArrival) -> bool| {
        trace
            .iter()
            .filter(|p| keep(p))
            .map(|p| u64::from(p.size))
            .sum()
    };
    (sum(&|p| p.at < t), sum(&|p| p.deadline <= t))
}

/// Work at each microsecond of a random feasible curve: within the walls, non-decreasing, zero at
/// the start and all at the end.
fn random_feasible(trace: &[DueArrival], steps: u64, picks: &[f64]) -> Vec<f64> {
    let start = trace[0].at.as_ps() / 1_000_000;
    let mut work: f64 = 0.0;
    let to_work = |i: u64| {
        let (most, least) = walls(trace, us(start + i));
        let low = work.max(least as f64);
        work = low + (most as f64 - low).max(0.0) * picks[i as usize % picks.len()];
        work
    };
    (0..=steps).map(to_work).collect()
}

fn peak_and_variance(work: &[f64]) -> (f64, f64) {
    let rates: Vec<f64> = work.windows(2).map(|w| (w[1] - w[0]) * 8e6).collect();
    let n = rates.len() as f64;
    let mean = rates.iter().sum::<f64>() / n;
    let variance = rates.iter().map(|r| r * r).sum::<f64>() / n - mean * mean;
    (rates.iter().copied().fold(0.0, f64::max), variance)
}

proptest! {
    #[test]
    fn the_path_stays_within_the_walls_and_ends_at_the_last_deadline(trace in trace()) {
        let path = shortest_path(&trace).expect("sound");
        let total: u64 = trace.iter().map(|p| u64::from(p.size)).sum();
        let last = trace.iter().map(|p| p.deadline).max();
        prop_assert_eq!(path.corners()[0], (trace[0].at, Bytes(0)));
        prop_assert_eq!(path.corners().last().map(|c| c.0), last);
        prop_assert_eq!(path.corners().last().map(|c| c.1), Some(Bytes(total)));
        for pair in path.corners().windows(2) {
            let ((t0, w0), (t1, w1)) = (pair[0], pair[1]);
            prop_assert!(t0 <= t1 && w0 <= w1, "{:?}", pair);
            // The walls bend only at whole microseconds.
            let mut t = t0;
            while t <= t1 && t0 < t1 {
                let (most, least) = walls(&trace, t);
                let run = u128::from((t1 - t0).as_ps());
                let rise = u128::from((w1 - w0).get()) * u128::from((t - t0).as_ps());
                let here = u128::from(w0.get()) * run + rise;
                prop_assert!(here <= u128::from(most) * run, "above at {}", t);
                prop_assert!(here >= u128::from(least) * run, "below at {}", t);
                t += Span::from_us(1);
            }
        }
    }

    #[test]
    fn no_feasible_curve_has_a_lower_peak_or_variance(
        trace in trace(),
        picks in prop::collection::vec(0.0f64..=1.0, 1..30),
    ) {
        let path = shortest_path(&trace).expect("sound");
        let start = trace[0].at;
        let last = trace.iter().map(|p| p.deadline).max().expect("not empty");
        let steps = (last - start).as_ps() / 1_000_000;
        let (peak, variance) = peak_and_variance(&random_feasible(&trace, steps, &picks));
        let (least_peak, least_variance) = (path.peak_rate(), path.rate_variance());
        prop_assert!(least_peak <= peak * (1.0 + 1e-9), "{least_peak} {peak}");
        let most = variance * (1.0 + 1e-9) + 1.0;
        prop_assert!(least_variance <= most, "{least_variance} {variance}");
    }

    #[test]
    fn it_bounds_the_on_line_hull_from_below(trace in trace(), delay in 1u64..300) {
        let trace: Vec<DueArrival> = trace
            .into_iter()
            .map(|p| DueArrival { deadline: p.at + Span::from_us(delay), ..p })
            .collect();
        let path = shortest_path(&trace).expect("sound");
        let mut pacer = Hull::new(&HullConfig::new(Span::from_us(delay))).expect("valid");
        let mut peak: f64 = 0.0;
        for (i, packet) in trace.iter().enumerate() {
            serve(&mut pacer, packet.at);
            pacer.enqueue(packet.at, Pending::new(i as u32, FlowId(0), packet.size)).expect("room");
            let next = trace.get(i + 1).map_or(Time::NEVER, |p| p.at);
            // The first piece is in force only if a release follows from it.
            let plan: Vec<(Time, f64)> = pacer.exit_curve().collect();
            if next > packet.at {
                peak = peak.max((plan[1].1 - plan[0].1) * 8e12 / (plan[1].0 - plan[0].0).as_ps() as f64);
            }
        }
        prop_assert!(path.peak_rate() <= peak * (1.0 + 1e-9), "{} {}", path.peak_rate(), peak);
    }

    #[test]
    fn smoothed_packets_leave_in_order_between_arrival_and_deadline(
        trace in trace(), delay in 0u64..300
    ) {
        let trace: Vec<DueArrival> = trace
            .into_iter()
            .map(|p| DueArrival { deadline: p.at + Span::from_us(delay), ..p })
            .collect();
        let releases = smooth(&trace).expect("sound");
        for (packet, &at) in trace.iter().zip(&releases) {
            prop_assert!(packet.at <= at && at <= packet.deadline, "{packet:?} at {at}");
        }
        prop_assert!(releases.is_sorted(), "{releases:?}");
    }
}

fn serve(pacer: &mut Hull, until: Time) {
    while let Release::At(at) = pacer.next_release()
        && at <= until
    {
        pacer.dequeue(at).expect("its time has come");
    }
}

#[test]
fn unsound_traces_are_refused_with_the_packet() {
    let packet = |at, deadline| DueArrival {
        at: us(at),
        deadline: us(deadline),
        size: 1,
    };
    assert_eq!(
        shortest_path(&[packet(0, 5), packet(7, 6)]),
        Err(TraceError::DeadlineBeforeArrival(1))
    );
    assert_eq!(
        shortest_path(&[packet(5, 9), packet(4, 9)]),
        Err(TraceError::NotSorted(1))
    );
    assert_eq!(
        smooth(&[packet(0, 9), packet(1, 5)]),
        Err(TraceError::Overtakes(1))
    );
    assert_eq!(shortest_path(&[]).expect("empty").corners(), []);
    assert_eq!(smooth(&[]), Ok(vec![]));
}
