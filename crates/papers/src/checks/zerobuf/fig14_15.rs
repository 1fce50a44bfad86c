//! The on-line hull of one delay class (Figs. 14 and 15): the same as one built from
//! scratch, in time, and at a cost that does not grow with the packets waiting.

use pacesim::units::{FlowId, Span, Time};
use pacesim_core::random::samplers::Exponential;
use pacesim_core::random::{Distribution, Rng, Stream};
use pacesim_pacers::{Hull, HullConfig, Pacer, Pending, Release};

use super::super::served::serve;
use super::brute_hull;
use crate::{Context, Fault, Report};
use pacesim_lab::claims::Claim;
use pacesim_lab::plot::{Figure, Panel};

/// Random traces that are compared, and packets in each.
const TRACES: u64 = 60;
const PACKETS: u64 = 400;
/// Packets waiting, in the mean, where operations are counted.
const BACKLOGS: [u64; 4] = [10, 100, 1_000, 10_000];
/// Packets counted at each.
const COUNTED: u64 = 100_000;
const GAP_PS: u64 = 1_000_000;

/// Equality, deadlines, cost.
pub(crate) fn run(context: &Context<'_>) -> Result<Report, Fault> {
    let comparison = compare(context)?;
    let mut costs = Vec::new();
    for backlog in BACKLOGS {
        context.check_in()?;
        costs.push(count(context, backlog)?);
    }
    Ok(Report::new()
        .claims(comparison.claims())
        .claim(flat(&costs))
        .claim(worst(&costs))
        .figure(figure(&costs))
        .note(
            "Line 8 of Fig. 14 as printed fuses while the new piece is flatter; its text says \
             steeper, and only that is a hull. A packet leaves when the exit curve passes its last \
             byte; the paper does not say which byte.",
        )
        .note(
            "Cost is counted in corners removed from the hull, which does not depend on the \
             machine: each packet adds one. `cargo bench -p pacesim-pacers` measures it in time and \
             instructions.",
        ))
}

/// What packets cost with n packets waiting in the mean.
struct Cost {
    backlog: u64,
    /// Corners removed per packet.
    mean: f64,
    /// Corners removed at once, at most.
    most: usize,
}

fn flat(costs: &[Cost]) -> Claim {
    let means = || costs.iter().map(|cost| cost.mean);
    let (least, most) = (means().fold(2.0, f64::min), means().fold(0.0, f64::max));
    Claim::shows(
        "corners removed per packet, in the mean, with 10 to 10000 packets waiting",
        "flat (amortised O(1))",
        format!("{least:.4} to {most:.4}"),
        most <= 1.0 && least > 0.9 * most,
    )
}

/// Amortised, not always: one packet may fuse many pieces.
fn worst(costs: &[Cost]) -> Claim {
    let most = costs.iter().map(|cost| cost.most).max().unwrap_or(0);
    Claim::shows(
        "corners removed by one arrival, at most",
        "any number, but seldom",
        format!("{most}"),
        most > 1,
    )
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
            "of {} packets in random traces, those released at another picosecond than by a \
             hull built from scratch",
            self.packets
        );
        [
            Claim::vanishes(text, self.different as f64, 0.0),
            Claim::vanishes(
                "of these, packets released after their deadline",
                self.late as f64,
                0.0,
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

/// Poisson traffic with n packets waiting in the mean.
fn count(context: &Context<'_>, backlog: u64) -> Result<Cost, Fault> {
    let delay = Span::from_ps(backlog * GAP_PS);
    let mut pacer = Hull::new(&HullConfig::new(delay))?;
    let mut stream = context.stream(backlog, "hull", "poisson");
    let gap = Exponential::with_mean(GAP_PS as f64).expect("a gap above zero");
    let packets = context.scaled(COUNTED, 2_000).max(3 * backlog);
    let (mut now, mut removed, mut most) = (Time::ZERO, 0, 0);
    for key in 0..packets {
        now += Span::from_ps_f64(gap.sample(&mut stream))
            .expect("exponential gaps of microseconds fit the clock");
        let before = corners(&pacer);
        fetch(&mut pacer, now);
        let (passed, left) = (before - corners(&pacer), corners(&pacer));
        let packet = Pending::new(key as u32, FlowId(0), 1250);
        pacer.enqueue(now, packet).expect("an unlimited pacer");
        // One is added, so what is missing was removed.
        let fused = left + 1 - corners(&pacer);
        removed += passed + fused;
        most = most.max(fused);
    }
    Ok(Cost {
        backlog,
        mean: removed as f64 / packets as f64,
        most,
    })
}

fn fetch(pacer: &mut Hull, until: Time) {
    while let Release::At(at) = pacer.next_release()
        && at <= until
    {
        pacer.dequeue(at).expect("its time has come");
    }
}

fn corners(pacer: &Hull) -> usize {
    pacer.exit_curve().count()
}

fn figure(costs: &[Cost]) -> Figure {
    let points = |of: fn(&Cost) -> f64| {
        let point = |cost: &Cost| (cost.backlog as f64, of(cost));
        costs.iter().map(point).collect::<Vec<_>>()
    };
    let panel = Panel::new("packets waiting, mean", "corners removed")
        .log_x()
        .log_y()
        .points("per packet, mean", points(|cost| cost.mean))
        .points("by one arrival, at most", points(|cost| cost.most as f64));
    Figure::new("cost of the on-line hull (zerobuf Figs. 14 and 15)").panel(panel)
}
