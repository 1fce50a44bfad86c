//! The on-line hull for any deadlines (Figs. 16 and 17): the same as one built from scratch,
//! earliest deadline first, at a poly-logarithmic cost.

use pacesim::units::{FlowId, Span, Time};
use pacesim_core::random::Stream;
use pacesim_lab::claims::Claim;
use pacesim_lab::plot::{Figure, Panel};
use pacesim_pacers::{Counted, HullMulti, HullMultiConfig, Pending};

use super::super::served::serve;
use super::hulls::{Compared, Cost, cost, cost_from_scratch, gaps, panel, power, trace};
use crate::{Context, Fault, Report};

/// Packets that wait in Fig. 16.
const FIG_16: u32 = 100;

/// Equality, deadlines, order, the new corners of Fig. 16, and the cost.
pub(crate) fn run(context: &Context<'_>) -> Result<Report, Fault> {
    let config = HullMultiConfig::new(Vec::new());
    let mut compared = Compared::default();
    for number in 0..context.scaled(60, 4) {
        context.check_in()?;
        let mut stream = context.stream(number, "hull-multi", "trace");
        let packets = trace(&mut stream, |stream| gaps(100.0, stream));
        compared.play(&mut HullMulti::new(&config)?, &packets);
    }
    let before = late_deadlines();
    let after: Vec<_> = before.iter().copied().chain([large_in_front()]).collect();
    let exit = |packets: &[_]| Ok::<_, Fault>(serve(&mut HullMulti::new(&config)?, packets));
    let (before, after) = (exit(&before)?, exit(&after)?);
    let bound = |waiting, stream: &mut Stream| gaps(2.0 * waiting as f64, stream);
    let pacer = |_| Ok(HullMulti::<Counted>::counting(&config)?);
    let online = cost(context, bound, pacer, HullMulti::steps)?;
    let order = "packets released while one with an earlier deadline waited";
    Ok(Report::new()
        .claims(compared.claims())
        .claim(compared.none(order, compared.out_of_order))
        .claim(new_corners(corners(&before), corners(&after)))
        .claim(poly_logarithmic(&online))
        .figure(
            Figure::new("the hull for any deadlines (zerobuf Figs. 16 and 17)")
                .panel(exit_curve("before the arrival", &before))
                .panel(exit_curve("after it", &after))
                .panel(panel(&online, &cost_from_scratch(context, bound))),
        )
        .note(
            "A step is a level of the tree that is gone down, or a part of it or a packet that is \
             looked at or moved: a count, so that no clock decides. It is the mean over packets \
             with deadlines at random; a single one may cost more. `cargo bench` measures time and \
             instructions.",
        ))
}

fn poly_logarithmic(cost: &Cost) -> Claim {
    let text = "steps of a packet, 1e2 to 1e5 waiting: power of log n with which they grow";
    Claim::at_most(text, 2.0, power(cost, libm::log)).says("O(log^2 n)")
}

fn us(n: u32) -> Time {
    Time::ZERO + Span::from_us(n.into())
}

/// Ever smaller packets, so late that one straight line leads to the last deadline.
fn late_deadlines() -> Vec<(Time, Pending)> {
    let packet = |i| Pending::new(i, FlowId(0), 1000 - 5 * i).due(us(101 + i));
    (0..FIG_16).map(|i| (us(0), packet(i))).collect()
}

/// A packet due before all others, so large that their deadlines are no longer late.
fn large_in_front() -> (Time, Pending) {
    (us(0), Pending::new(FIG_16, FlowId(0), 110_000).due(us(100)))
}

/// Corners of the exit curve: what leaves at its very deadline.
fn corners(passed: &[(Time, Pending)]) -> usize {
    passed
        .iter()
        .filter(|(at, packet)| *at == packet.deadline)
        .count()
}

fn new_corners(before: usize, after: usize) -> Claim {
    let all = FIG_16 as usize + 1;
    Claim::shows(
        "corners of the hull before and after one arrival in front of 100 packets (Fig. 16)",
        format!("{before} and {after}"),
        (before, after) == (1, all),
        "1 and 101",
    )
    .says("an arbitrary number of new hull points may appear")
}

fn exit_curve(title: &str, passed: &[(Time, Pending)]) -> Panel {
    let mut kb = 0.0;
    let mut work = |packet: &Pending| {
        kb += f64::from(packet.size) / 1e3;
        kb
    };
    let ends = passed
        .iter()
        .map(|(at, packet)| (*at, packet.deadline, work(packet)));
    let ends: Vec<(Time, Time, f64)> = ends.collect();
    let us = |t: Time| t.as_ps() as f64 / 1e6;
    Panel::new("time (us)", "work (KB)")
        .titled(title)
        .line("exit curve", ends.iter().map(|end| (us(end.0), end.2)))
        .points("deadlines", ends.iter().map(|end| (us(end.1), end.2)))
}

#[cfg(test)]
mod tests {
    use pacesim_lab::claims::Verdict;

    use super::*;

    #[test]
    fn a_cost_that_grows_with_the_packets_is_not_poly_logarithmic() {
        let with = |steps: fn(f64) -> f64| {
            let curve = [1e2, 1e3, 1e4, 1e5].map(|n| (n, steps(n)));
            poly_logarithmic(&curve.to_vec()).verdict
        };
        assert_eq!(with(|n| libm::pow(libm::log(n), 1.9)), Verdict::Pass);
        assert_eq!(with(f64::sqrt), Verdict::Differs);
        assert_eq!(with(|n| n), Verdict::Differs);
    }
}
