//! The on-line hull of one delay class (Figs. 14 and 15): the same as one built from
//! scratch, in time, and at a cost that does not grow with the packets waiting.

use pacesim::units::{FlowId, Span, Time};
use pacesim_core::random::samplers::Exponential;
use pacesim_core::random::{Distribution, Rng, Stream};
use pacesim_pacers::{Hull, HullConfig, Pacer, Pending, Release};

use super::super::served::serve;
use super::brute_hull;
use crate::plot::{Figure, Panel};
use crate::reproduce::{Claim, Context, Fault, Report};

/// Random traces that are compared, and packets in each.
const TRACES: u64 = 60;
const PACKETS: u64 = 400;
/// Packets waiting, in the mean, where operations are counted.
const BACKLOGS: [u64; 4] = [10, 100, 1_000, 10_000];
/// Packets counted at each.
const COUNTED: u64 = 100_000;
const GAP_PS: u64 = 1_000_000;

/// Equality, deadlines, cost.
pub(in crate::reproduce) fn run(context: &Context<'_>) -> Result<Report, Fault> {
    let comparison = compare(context)?;
    let mut costs = Vec::new();
    for backlog in BACKLOGS {
        context.check_in()?;
        costs.push((backlog as f64, operations(context, backlog)?));
    }
    let most = costs.iter().map(|(_, cost)| *cost).fold(0.0, f64::max);
    let (small, large) = (costs[0].1, costs[costs.len() - 1].1);
    Ok(Report::new()
        .claims(comparison.claims())
        .claim(Claim::at_most(
            "operations on the hull per packet (one corner added, and corners removed): the most of all backlogs",
            2.0,
            most,
        ))
        .claim(Claim::shows(
            "operations per packet from 10 to 10000 packets waiting",
            "flat (amortised O(1))",
            format!("{small:.4} to {large:.4}"),
            (large / small - 1.0).abs() < 0.01,
        ))
        .figure(figure(&costs))
        .note(
            "Line 8 of Fig. 14 as printed fuses while the new piece is flatter; its text says \
             steeper, and only that is a hull. A packet leaves when the exit curve passes its last \
             byte; the paper does not say which byte.",
        )
        .note(
            "Cost is counted in corners of the hull, which does not depend on the machine; \
             `cargo bench -p pacesim-pacers` measures it in time and instructions.",
        ))
}

/// What came of comparing packet by packet.
struct Comparison {
    packets: u64,
    different: u64,
    late: u64,
}

impl Comparison {
    fn claims(&self) -> [Claim; 2] {
        let text = format!(
            "of {} packets in random traces, those released at another picosecond than by a hull built from scratch",
            self.packets
        );
        [
            Claim::at_most(text, 0.0, self.different as f64),
            Claim::at_most(
                "of these, packets released after their deadline",
                0.0,
                self.late as f64,
            ),
        ]
    }
}

fn compare(context: &Context<'_>) -> Result<Comparison, Fault> {
    let mut total = Comparison {
        packets: 0,
        different: 0,
        late: 0,
    };
    for number in 0..context.scaled(TRACES, 4) {
        context.check_in()?;
        let mut stream = context.stream(number, "hull", "trace");
        let delay = Span::from_ps(1 + stream.next_u64() % 30_000_000);
        let packets = trace(&mut stream, delay);
        let ours = serve(&mut Hull::new(&HullConfig::new(delay))?, &packets);
        let scratch = brute_hull::serve(&packets);
        let different = ours.iter().zip(&scratch).filter(|(a, b)| a != b).count();
        let missing = packets.len().abs_diff(ours.len());
        total.packets += packets.len() as u64;
        total.different += (different + missing) as u64;
        total.late += ours
            .iter()
            .filter(|p| p.release > p.arrival + delay)
            .count() as u64;
    }
    Ok(total)
}

/// Bursts, short gaps and long ones; sizes of 1 to 9000 B.
fn trace(stream: &mut Stream, delay: Span) -> Vec<(Time, Pending)> {
    let mut at = Time::ZERO;
    let packet = |key: u64| {
        let most = [1, 10, 2 * GAP_PS, 2 * GAP_PS, 40 * GAP_PS][stream.next_u64() as usize % 5];
        at += Span::from_ps(stream.next_u64() % most);
        let size = 1 + (stream.next_u64() % 9000) as u32;
        (
            at,
            Pending::new(key as u32, FlowId(0), size).due(at + delay),
        )
    };
    (0..PACKETS).map(packet).collect()
}

/// Corners added and removed per packet, of Poisson traffic with so many packets waiting
/// in the mean.
fn operations(context: &Context<'_>, backlog: u64) -> Result<f64, Fault> {
    let delay = Span::from_ps(backlog * GAP_PS);
    let mut pacer = Hull::new(&HullConfig::new(delay))?;
    let mut stream = context.stream(backlog, "hull", "poisson");
    let gap = Exponential::with_mean(GAP_PS as f64).expect("a gap above zero");
    let packets = context.scaled(COUNTED, 2_000).max(3 * backlog);
    let (mut now, mut operations) = (Time::ZERO, 0);
    for key in 0..packets {
        now += Span::from_ps_f64(gap.sample(&mut stream)).expect("a short time");
        operations += removed(&mut pacer, |pacer| fetch(pacer, now));
        let packet = Pending::new(key as u32, FlowId(0), 1250);
        let before = corners(&pacer);
        pacer.enqueue(now, packet).expect("an unlimited pacer");
        // One is added, and those that are gone were removed.
        operations += 1 + before + 1 - corners(&pacer);
    }
    Ok(operations as f64 / packets as f64)
}

fn fetch(pacer: &mut Hull, until: Time) {
    while let Release::At(at) = pacer.next_release()
        && at <= until
    {
        pacer.dequeue(at).expect("its time has come");
    }
}

fn removed(pacer: &mut Hull, act: impl FnOnce(&mut Hull)) -> usize {
    let before = corners(pacer);
    act(pacer);
    before - corners(pacer)
}

fn corners(pacer: &Hull) -> usize {
    pacer.exit_curve().count()
}

fn figure(costs: &[(f64, f64)]) -> Figure {
    let panel = Panel::new("packets waiting, mean", "hull operations per packet")
        .log_x()
        .line(
            "bound: every corner is added and removed once",
            costs.iter().map(|c| (c.0, 2.0)),
        )
        .points("counted", costs.iter().copied());
    Figure::new("cost of the on-line hull (zerobuf Figs. 14 and 15)").panel(panel)
}
