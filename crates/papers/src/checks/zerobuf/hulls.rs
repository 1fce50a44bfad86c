//! References for the on-line hulls: a hull built from scratch, and counts of steps per packet.

use pacesim::units::{FlowId, Span, Time};
use pacesim_core::random::samplers::Exponential;
use pacesim_core::random::{Distribution, Rng, Stream};
use pacesim_lab::claims::Claim;
use pacesim_lab::plot::Panel;
use pacesim_pacers::{Counted, Pacer, Pending, ReleaseRule, brute_hull};

use super::super::grid::slope;
use super::super::served::{fetch, serve};
use crate::{Context, Fault};

/// The mean gap between packets.
pub(super) const GAP: Span = Span::from_us(1);
/// Approximate numbers of packets waiting.
const WAITING: [u64; 4] = [100, 1_000, 10_000, 100_000];
/// Approximate numbers of packets waiting for a hull built from scratch, which is slow.
const FROM_SCRATCH: [u64; 2] = [100, 1_000];

/// A random span of less than this many mean gaps.
pub(super) fn gaps(most: f64, stream: &mut Stream) -> Span {
    Span::from_ps(stream.next_u64() % (most * GAP.as_ps() as f64) as u64)
}

/// Bursts, short gaps and long ones; sizes of 1 to 9000 B; each packet with a separate delay bound.
pub(super) fn trace(
    stream: &mut Stream,
    bound: impl Fn(&mut Stream) -> Span,
) -> Vec<(Time, Pending)> {
    let mut at = Time::ZERO;
    let packet = |key| {
        let most = [1e-6, 1e-5, 2.0, 2.0, 40.0][stream.next_u64() as usize % 5];
        at += gaps(most, stream);
        let packet = Pending::new(key, FlowId(0), 1 + (stream.next_u64() % 9000) as u32);
        (at, packet.due(at + bound(stream)))
    };
    (0..400).map(packet).collect()
}

/// Results of a pacer for packets in random traces.
#[derive(Default)]
pub(super) struct Compared {
    packets: u64,
    different: u64,
    late: u64,
    /// Packets that left while another with an earlier deadline was present.
    pub(super) out_of_order: u64,
}

impl Compared {
    /// Plays packets through a pacer, and according to the definition.
    pub(super) fn play(&mut self, pacer: &mut impl Pacer, packets: &[(Time, Pending)]) {
        let passed = serve(pacer, packets);
        let scratch = brute_hull::play(ReleaseRule::LastByte, packets).releases;
        let is_different = |i: &usize| {
            passed.get(*i).map(|(at, packet)| (*at, packet.key)) != scratch.get(*i).copied()
        };
        let overtakes = |(i, (at, packet)): &(usize, &(Time, Pending))| {
            let arrival = |other: &Pending| packets[other.key as usize].0;
            let mut later = passed[i + 1..].iter();
            later.any(|(_, other)| arrival(other) < *at && other.deadline < packet.deadline)
        };
        let late = passed.iter().filter(|(at, packet)| *at > packet.deadline);
        self.packets += packets.len() as u64;
        self.different += (0..packets.len()).filter(is_different).count() as u64;
        self.late += late.count() as u64;
        self.out_of_order += passed.iter().enumerate().filter(overtakes).count() as u64;
    }

    pub(super) fn none(&self, claim: &str, exceptions: u64) -> Claim {
        Claim::none(claim, exceptions, self.packets)
    }

    pub(super) fn claims(&self) -> [Claim; 2] {
        let different = "packets released at another picosecond than by a hull built from scratch";
        [
            self.none(different, self.different),
            self.none("packets released after their deadline", self.late),
        ]
    }
}

/// Steps per packet against packets waiting.
pub(super) type Cost = Vec<(f64, f64)>;

/// A Poisson stream of packets, each due this long after its arrival.
fn poisson(
    stream: &mut Stream,
    bound: impl Fn(&mut Stream) -> Span,
) -> impl Iterator<Item = (Time, Pending)> {
    let gap = Exponential::with_mean(GAP.as_ps() as f64).expect("a gap above zero");
    let mut at = Time::ZERO;
    (0..).map(move |key| {
        at += Span::from_ps_f64(gap.sample(stream)).expect("gaps of microseconds fit the clock");
        (
            at,
            Pending::new(key, FlowId(0), 1250).due(at + bound(stream)),
        )
    })
}

/// The mean steps per packet of a pacer, without the first packets that fill it.
pub(super) fn cost<P: Pacer>(
    context: &Context<'_>,
    bound: impl Fn(u64, &mut Stream) -> Span,
    pacer: impl Fn(u64) -> Result<P, Fault>,
    steps: impl Fn(&P) -> &Counted,
) -> Result<Cost, Fault> {
    let mut curve = Vec::new();
    for waiting in WAITING {
        context.check_in()?;
        let mut stream = context.stream(waiting, "hull", "poisson");
        let mut pacer = pacer(waiting)?;
        let (first, counted) = (2 * waiting, waiting.max(2_000));
        let mut before = 0;
        let packets = poisson(&mut stream, |stream| bound(waiting, stream));
        for (at, packet) in packets.take((first + counted) as usize) {
            fetch(&mut pacer, at).for_each(drop);
            pacer.enqueue(at, packet).expect("an unlimited pacer");
            if u64::from(packet.key) == first {
                before = steps(&pacer).0;
            }
        }
        let mean = (steps(&pacer).0 - before) as f64 / counted as f64;
        curve.push((waiting as f64, mean));
    }
    Ok(curve)
}

/// The mean steps per packet for a hull built from scratch.
pub(super) fn cost_from_scratch(
    context: &Context<'_>,
    bound: impl Fn(u64, &mut Stream) -> Span,
) -> Cost {
    let cost = |waiting: u64| {
        let mut stream = context.stream(waiting, "hull", "poisson");
        let packets = poisson(&mut stream, |stream| bound(waiting, stream));
        let packets: Vec<_> = packets.take(3 * waiting as usize).collect();
        let steps = brute_hull::play(ReleaseRule::LastByte, &packets).steps;
        (waiting as f64, steps as f64 / packets.len() as f64)
    };
    FROM_SCRATCH.map(cost).to_vec()
}

/// The exponent of n, or of another function of it, with which a cost grows.
pub(super) fn power(cost: &[(f64, f64)], of: fn(f64) -> f64) -> f64 {
    let logs = cost
        .iter()
        .map(|&(n, steps)| (libm::log(of(n)), libm::log(steps)));
    slope(&logs.collect::<Vec<_>>())
}

pub(super) fn panel(online: &Cost, scratch: &Cost) -> Panel {
    Panel::new("packets waiting", "steps of a packet, mean")
        .log_x()
        .log_y()
        .line("on-line", online.clone())
        .line("from scratch", scratch.clone())
}
