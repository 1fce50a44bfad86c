//! The on-line hull for arbitrary deadlines (Figs. 16 and 17): identical to one built from scratch,
//! earliest deadline first, with polylogarithmic cost.

use pacesim::units::{FlowId, Span, Time};
use pacesim_core::random::Stream;
use pacesim_lab::claims::Claim;
use pacesim_lab::plot::{Figure, Panel};
use pacesim_pacers::{Counted, HullMulti, HullMultiConfig, Pacer, Pending};

use super::super::served::serve;
use super::hulls::{Compared, Cost, cost, cost_from_scratch, gaps, panel, power, trace};
use crate::{Context, Fault, Report};

/// Packets waiting in Fig. 16.
const FIG_16: u32 = 100;

/// Equality, deadlines, order, the new corners of Fig. 16, and the cost.
pub(crate) fn run(context: &Context<'_>) -> Result<Report, Fault> {
    let config = HullMultiConfig::new(Vec::new());
    let compared = compared(context, || Ok(HullMulti::new(&config)?))?;
    let before = late_deadlines();
    let after: Vec<_> = before.iter().copied().chain([large_in_front()]).collect();
    let exit = |packets: &[_]| Ok::<_, Fault>(serve(&mut HullMulti::new(&config)?, packets));
    let (before, after) = (exit(&before)?, exit(&after)?);
    let bound = |waiting, stream: &mut Stream| gaps(2.0 * waiting as f64, stream);
    let pacer = |_| Ok(HullMulti::<Counted>::counting(&config)?);
    let online = cost(context, bound, pacer, HullMulti::steps)?;
    Ok(Report::new()
        .claims(compared_claims(&compared))
        .claim(new_corners(corners(&before), corners(&after)))
        .claim(poly_logarithmic(&online))
        .figure(
            Figure::new("The hull for arbitrary deadlines (zerobuf Figs. 16 and 17)")
                .panel(exit_curve("before the arrival", &before))
                .panel(exit_curve("after it", &after))
                .panel(panel(&online, &cost_from_scratch(context, bound)).titled("cost")),
        )
        .note(
            "Cost is a count of steps, independent of any clock. A step is a level of descent in \
             the tree, or a part of the tree or a packet that is examined or moved. The count is \
             the mean over packets with random deadlines; a single packet may cost more. `cargo \
             bench` measures time and instructions.",
        ))
}

/// Random traces, through pacers and according to the definition.
fn compared<P: Pacer>(
    context: &Context<'_>,
    pacer: impl Fn() -> Result<P, Fault>,
) -> Result<Compared, Fault> {
    let mut compared = Compared::default();
    for number in 0..context.scaled(60, 4) {
        context.check_in()?;
        let mut stream = context.stream(number, "hull-multi", "trace");
        let packets = trace(&mut stream, |stream| gaps(100.0, stream));
        compared.play(&mut pacer()?, &packets);
    }
    Ok(compared)
}

fn compared_claims(compared: &Compared) -> Vec<Claim> {
    let order = "packets released while one with an earlier deadline waited";
    let mut claims = compared.claims().to_vec();
    claims.push(compared.none(order, compared.out_of_order));
    claims
}

fn poly_logarithmic(cost: &Cost) -> Claim {
    let text = "steps of a packet, 1e2 to 1e5 waiting: power of log n with which they grow";
    Claim::at_most(text, 2.0, power(cost, libm::log)).says("O(log^2 n)")
}

fn us(n: u32) -> Time {
    Time::ZERO + Span::from_us(n.into())
}

/// Ever smaller packets, so late that a single straight line leads to the last deadline.
fn late_deadlines() -> Vec<(Time, Pending)> {
    let packet = |i| Pending::new(i, FlowId(0), 1000 - 5 * i).due(us(101 + i));
    (0..FIG_16).map(|i| (us(0), packet(i))).collect()
}

/// A packet due before all others, so large that their deadlines are no longer late.
fn large_in_front() -> (Time, Pending) {
    (us(0), Pending::new(FIG_16, FlowId(0), 110_000).due(us(100)))
}

/// Corners of the exit curve: packets that leave exactly at their deadline.
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

    use pacesim_pacers::{Hull, HullConfig};

    use super::super::super::breaking::{context, every_claim_breaks};
    use super::super::hulls::GAP;
    use super::*;

    /// One class for all: first come, first served.
    #[test]
    fn a_pacer_that_ignores_deadlines_breaks_equality_order_and_deadlines() {
        let config = HullMultiConfig::new(Vec::new());
        let right = compared(&context(), || Ok(HullMulti::new(&config)?)).expect("it runs");
        let one_class = HullConfig::new(GAP * 50);
        let wrong = compared(&context(), || Ok(Hull::new(&one_class)?)).expect("it runs");
        every_claim_breaks(&compared_claims(&right), &[&compared_claims(&wrong)], &[]);
    }

    #[test]
    fn a_hull_without_new_corners_breaks_fig_16() {
        assert_eq!(new_corners(1, 101).verdict, Verdict::Pass);
        for (before, after) in [(1, 1), (1, 2), (101, 101)] {
            assert_eq!(new_corners(before, after).verdict, Verdict::Differs);
        }
    }

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
