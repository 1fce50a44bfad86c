//! A test for losses that hang on a phase: where inputs of a port keep step, the order of arrivals
//! gives all drops to some of several equal flows, and none to others.
//!
//! Flows are equal if they belong to one group, send the same traffic, share a limited port, and have
//! the same delays, or some that differ little beside the round trip behind a full buffer. By chance
//! each of their packets is dropped alike: in every batch of the measured time a flow's drops exceed
//! its part of the batch, by its packets, as often as not. The sums over sixteen batches are compared
//! with Student's distribution, at a level of one in ten thousand for all flows together; and the loss
//! must differ from that of all by a factor of two. Drops in bursts widen both sides alike. Losses may
//! differ with delays: where these do, a quarter of the flows must be so far from the others.
//!
//! A starved flow sends too little for that. In a batch it loses half of its packets or more with a
//! probability of at most twice the set's loss (by Markov's inequality). Such batches are counted
//! over all flows; more than would come by chance, at five times the loss, show a phase too.

use std::collections::BTreeMap;
use std::sync::Arc;

use pacesim::World;
use pacesim::measure::student_quantile;
use pacesim::model::{Flow, Model, Paths, Sizes, Tcp, Traffic};
use pacesim::net::Probe;
use pacesim::units::{Bytes, Capacity, FlowId, LinkId, Span};

/// Number of batches of the test.
const BATCHES: usize = 16;
/// The probability with which chance alone is reported, all flows of a set together.
const CHANCE: f64 = 1e-4;
/// Drops below which a set shows nothing.
const FEW_DROPS: u64 = 100;
/// The factor between the loss of a flow and that of its set that matters.
const NOTABLE: f64 = 2.0;
/// The factor on the loss by which a batch may lose half of a flow's packets, which allows for
/// packets that do not meet the mean queue; and a loss above which this shows nothing.
const HALF_LOST: f64 = 5.0;
const MUCH_LOSS: f64 = 0.05;
/// The difference of delays that is little, as a share of the round trip behind a full buffer.
const NEAR: f64 = 0.1;
/// The least share of flows with losses that chance would not give them, where delays differ.
const MANY: usize = 4;
/// Drops below which a flow is not called starved.
const FEW_OF_STARVED: u64 = 10;
/// The most flows that are watched.
const MOST_FLOWS: usize = 1024;
/// Bytes of a packet, for the drain time of a buffer in packets.
const FULL_PACKET: u64 = 1500;

/// The sum of a flow's delays in picoseconds, and the flow.
type Delayed = (u64, FlowId);

/// Sets of equal flows, and what each flow lost.
#[derive(Default)]
pub(crate) struct Phases {
    sets: Vec<EqualFlows>,
}

struct EqualFlows {
    flows: Vec<FlowTrack>,
    /// True if all have the same delays.
    has_one_delay: bool,
}

struct FlowTrack {
    id: FlowId,
    name: String,
    before: Counts,
    batches: Vec<Counts>,
}

/// Packets of a flow that were dropped, and all whose fate is known.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    dropped: u64,
    all: u64,
}

/// A flow whose losses chance would not give it.
pub(crate) struct Phased {
    pub(crate) text: String,
    /// Factor between its loss and that of its set.
    pub(crate) factor: f64,
}

impl Phases {
    /// The sets of equal flows of a model.
    pub(crate) fn of(model: &Model) -> Phases {
        if model.flows.len() > MOST_FLOWS || !model.reroutes.is_empty() {
            return Phases::default();
        }
        let mut paths = model.paths();
        let mut sets: BTreeMap<(Arc<str>, LinkId), Vec<Delayed>> = BTreeMap::new();
        for (id, flow) in (0..).map(FlowId).zip(&model.flows) {
            if let Some((delay_ps, port)) = course(model, &mut paths, flow) {
                let key = (flow.group.clone(), port);
                sets.entry(key).or_default().push((delay_ps, id));
            }
        }
        let near = sets
            .into_iter()
            .flat_map(|((_, port), flows)| near(flows, drain(model, port)));
        let sets = near.flat_map(|flows| alike(model, &flows));
        Phases {
            sets: sets.filter(|set| set.flows.len() > 1).collect(),
        }
    }

    /// Ends a batch, or the time before the first one.
    pub(crate) fn look<P: Probe>(&mut self, world: &World<P>, is_batch: bool) {
        for flow in self.sets.iter_mut().flat_map(|set| &mut set.flows) {
            let tally = world.flow(flow.id);
            let dropped = tally.dropped.packets;
            let now = Counts {
                dropped,
                all: dropped + tally.delivered.packets,
            };
            if is_batch {
                flow.batches.push(Counts {
                    dropped: now.dropped - flow.before.dropped,
                    all: now.all - flow.before.all,
                });
            }
            flow.before = now;
        }
    }

    /// The worst flow of each set whose losses hang on a phase.
    pub(crate) fn found(&self) -> Vec<Phased> {
        self.sets.iter().filter_map(EqualFlows::phased).collect()
    }
}

/// The sum of the delays of a flow's path in both directions, and the first limited port that
/// others share.
fn course(model: &Model, paths: &mut Paths, flow: &Flow) -> Option<(u64, LinkId)> {
    let (there, back) = (paths.there(flow)?, paths.of_acks(flow)?);
    let link = |id: &LinkId| &model.links[id.index()];
    let is_limited = |id: &&LinkId| {
        let link = link(id);
        let is_shared = || model.switches.iter().any(|switch| switch.node == link.from);
        link.from != flow.from && (link.buffer.capacity != Capacity::Unlimited || is_shared())
    };
    let port = there.iter().find(is_limited)?;
    let delays = there.iter().chain(&back).map(|id| link(id).delay.as_ps());
    Some((delays.fold(0, u64::saturating_add), *port))
}

/// The time in which a full buffer drains, in picoseconds; 0 if it has no limit of its own.
fn drain(model: &Model, port: LinkId) -> u64 {
    let link = &model.links[port.index()];
    let bytes = match link.buffer.capacity {
        Capacity::Packets(packets) => packets.saturating_mul(FULL_PACKET),
        Capacity::Bytes(bytes) => bytes.get(),
        Capacity::Unlimited => 0,
    };
    let time = link.rate.transmission_time(Bytes(bytes));
    time.map_or(u64::MAX, Span::as_ps)
}

/// Flows divided where their delays differ by more than little.
fn near(mut flows: Vec<Delayed>, drain_ps: u64) -> Vec<Vec<Delayed>> {
    flows.sort_unstable();
    let mut sets: Vec<Vec<Delayed>> = Vec::new();
    for flow in flows {
        let belongs = |set: &Vec<Delayed>| {
            let (least, _) = set[0];
            (flow.0 - least) as f64 <= NEAR * (least as f64 + drain_ps as f64)
        };
        match sets.last_mut().filter(|set| belongs(set)) {
            Some(set) => set.push(flow),
            None => sets.push(vec![flow]),
        }
    }
    sets
}

/// Flows divided into sets with the same traffic.
fn alike(model: &Model, flows: &[Delayed]) -> Vec<EqualFlows> {
    let has_one_delay = flows.iter().all(|(delay_ps, _)| *delay_ps == flows[0].0);
    let mut sets: Vec<EqualFlows> = Vec::new();
    for (_, id) in flows {
        let flow = &model.flows[id.index()];
        let first_of = |set: &EqualFlows| &model.flows[set.flows[0].id.index()].traffic;
        let track = FlowTrack {
            id: *id,
            name: model.flow_name(*id),
            before: Counts::default(),
            batches: Vec::new(),
        };
        match sets
            .iter_mut()
            .find(|set| is_alike(first_of(set), &flow.traffic))
        {
            Some(set) => set.flows.push(track),
            None => sets.push(EqualFlows {
                flows: vec![track],
                has_one_delay,
            }),
        }
    }
    sets
}

fn is_alike(a: &Traffic, b: &Traffic) -> bool {
    match (a, b) {
        (Traffic::Tcp(Tcp { config: a, .. }), Traffic::Tcp(Tcp { config: b, .. })) => {
            Arc::ptr_eq(a, b) || a == b
        }
        (Traffic::Cbr { rate: a, size: c }, Traffic::Cbr { rate: b, size: d }) => a == b && c == d,
        (Traffic::Poisson { rate: a, size: c }, Traffic::Poisson { rate: b, size: d }) => {
            a == b && matches!((c, d), (Sizes::Constant(c), Sizes::Constant(d)) if c == d)
        }
        _ => false,
    }
}

impl EqualFlows {
    fn phased(&self) -> Option<Phased> {
        let flows: Vec<Vec<Counts>> = self
            .flows
            .iter()
            .map(|flow| joined(&flow.batches))
            .collect();
        let sum = |counts: &mut dyn Iterator<Item = Counts>| {
            counts.fold(Counts::default(), |sum, more| Counts {
                dropped: sum.dropped + more.dropped,
                all: sum.all + more.all,
            })
        };
        let batches = flows.first()?.len();
        let totals = (0..batches).map(|i| sum(&mut flows.iter().map(|of| of[i])));
        let totals: Vec<Counts> = totals.collect();
        let all = sum(&mut totals.iter().copied());
        if batches < BATCHES || all.dropped < FEW_DROPS {
            return None;
        }
        if let Some(starved) = self.starved(&flows, all) {
            return Some(starved);
        }
        let level = 1.0 - CHANCE / (2.0 * flows.len() as f64);
        let most = student_quantile(level, batches as f64 - 1.0)?;
        let each = flows.iter().enumerate().filter_map(|(i, batches)| {
            let own = sum(&mut batches.iter().copied());
            let factor = factor(own, all);
            let is_far = factor >= NOTABLE && distance(batches, &totals) > most;
            is_far.then_some((factor, i, own))
        });
        let far: Vec<(f64, usize, Counts)> = each.collect();
        if !self.are_enough(far.len()) {
            return None;
        }
        let (factor, i, own) = far
            .into_iter()
            .max_by(|(one, ..), (other, ..)| one.total_cmp(other))?;
        let text = format!(
            "{} loses {:.2} % of its packets, and the {} equal flows together {:.2} %, as no chance would have it: \
             losses hang on a phase",
            self.flows[i].name,
            own.loss() * 100.0,
            flows.len(),
            all.loss() * 100.0
        );
        Some(Phased { text, factor })
    }
}

impl EqualFlows {
    /// True if so many flows are too many for a difference of delays to explain.
    fn are_enough(&self, flows: usize) -> bool {
        self.has_one_delay || flows * MANY >= self.flows.len()
    }

    /// The flow that lost most, if more batches of flows than by chance lost half of their packets.
    fn starved(&self, flows: &[Vec<Counts>], all: Counts) -> Option<Phased> {
        let loss = all.loss();
        let drops = |batches: &&Vec<Counts>| batches.iter().map(|batch| batch.dropped).sum::<u64>();
        let known = || {
            flows
                .iter()
                .filter(move |flow| drops(flow) >= FEW_OF_STARVED)
        };
        let batches = || known().flatten().filter(|batch| batch.all > 0);
        let lost = batches()
            .filter(|batch| 2 * batch.dropped >= batch.all)
            .count();
        let is_chance = at_least(lost, batches().count(), HALF_LOST * loss) > CHANCE;
        if loss > MUCH_LOSS || is_chance {
            return None;
        }
        let of_flow = |batches: &Vec<Counts>| {
            let starved = batches.iter().filter(|batch| batch.all > 0);
            starved
                .filter(|batch| 2 * batch.dropped >= batch.all)
                .count()
        };
        let are_starved = known().filter(|flow| of_flow(flow) > 0).count();
        if !self.are_enough(are_starved) {
            return None;
        }
        let worst = (0..flows.len()).max_by_key(|i| of_flow(&flows[*i]))?;
        let text = format!(
            "{} loses half of its packets or more in {} of {BATCHES} parts of the measured time, while the {} equal flows \
             together lose {:.2} %, as no chance would have it: losses hang on a phase",
            self.flows[worst].name,
            of_flow(&flows[worst]),
            flows.len(),
            loss * 100.0
        );
        let factor = 0.5 / loss;
        Some(Phased { text, factor })
    }
}

/// The probability of `count` of `of` events of this probability, or more.
fn at_least(count: usize, of: usize, probability: f64) -> f64 {
    // By Chernoff's bound, which is an upper one.
    let (n, share) = (of as f64, count as f64 / of.max(1) as f64);
    if share <= probability {
        return 1.0;
    }
    let part = |x: f64, y: f64| if x > 0.0 { x * libm::log(x / y) } else { 0.0 };
    libm::exp(-n * (part(share, probability) + part(1.0 - share, 1.0 - probability)))
}

impl Counts {
    fn loss(self) -> f64 {
        self.dropped as f64 / self.all.max(1) as f64
    }
}

/// The factor between the losses of a flow and of its set; none if it sent nothing.
fn factor(own: Counts, all: Counts) -> f64 {
    if own.all == 0 {
        return 1.0;
    }
    // One drop more on both sides: none at all is no infinite factor.
    let own = (own.dropped + 1) as f64 / own.all as f64;
    let all = all.loss();
    (own / all).max(all / own)
}

/// The sum of a flow's excesses over its part of each batch's drops, in standard errors.
fn distance(own: &[Counts], totals: &[Counts]) -> f64 {
    let excess = own
        .iter()
        .zip(totals)
        .map(|(own, total)| own.dropped as f64 - total.loss() * own.all as f64);
    let excess: Vec<f64> = excess.collect();
    let count = excess.len() as f64;
    let mean = excess.iter().sum::<f64>() / count;
    let squares: f64 = excess.iter().map(|x| (x - mean) * (x - mean)).sum();
    mean.abs()
        / (squares / (count - 1.0) / count)
            .sqrt()
            .max(f64::MIN_POSITIVE)
}

/// Batches joined to as many as the test takes; none if there are fewer.
fn joined(batches: &[Counts]) -> Vec<Counts> {
    let each = batches.len() / BATCHES;
    if each == 0 {
        return Vec::new();
    }
    let join = |batches: &[Counts]| Counts {
        dropped: batches.iter().map(|batch| batch.dropped).sum(),
        all: batches.iter().map(|batch| batch.all).sum(),
    };
    batches.chunks_exact(each).take(BATCHES).map(join).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Equal flows with these drops of 1000 packets in each of 64 batches.
    fn set(drops: &[&dyn Fn(usize) -> u64]) -> EqualFlows {
        let flow = |(i, drops): (usize, &&dyn Fn(usize) -> u64)| FlowTrack {
            id: FlowId(i as u32),
            name: format!("f[{i}]"),
            before: Counts::default(),
            batches: (0..64)
                .map(|batch| Counts {
                    dropped: drops(batch),
                    all: 1000,
                })
                .collect(),
        };
        EqualFlows {
            flows: drops.iter().enumerate().map(flow).collect(),
            has_one_delay: true,
        }
    }

    /// Numbers that look random, below `n`.
    fn chance(i: usize, salt: usize, n: u64) -> u64 {
        let mixed = (i * 64 + salt) as u64 + 1;
        let mixed = (mixed ^ (mixed >> 3)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (mixed >> 40) % n
    }

    #[test]
    fn one_flow_with_all_losses_is_told() {
        let none = |_| 0;
        let all = |batch| 600 + chance(batch, 7, 20);
        let found = set(&[&none, &none, &none, &all]).phased().expect("a phase");
        assert!(found.text.starts_with("f["), "{}", found.text);
        assert!(found.factor > 3.0);
    }

    /// One flow has the port and 1000 packets in each batch, the others try a packet now and then.
    #[test]
    fn starved_flows_are_told_though_they_send_little() {
        let starved = |salt| move |batch| chance(batch, salt, 3).saturating_sub(1);
        let drops = [starved(1), starved(2), starved(3)];
        let all = |batch| 3 + chance(batch, 9, 4);
        let mut set = set(&[&all, &drops[0], &drops[1], &drops[2]]);
        for flow in &mut set.flows[1..] {
            flow.batches
                .iter_mut()
                .for_each(|batch| batch.all = batch.dropped);
        }
        let found = set.phased().expect("a phase");
        assert!(
            found.text.contains("half of its packets or more"),
            "{}",
            found.text
        );
    }

    #[test]
    fn the_bound_of_a_binomial_tail_is_above_it() {
        // Exactly: 0.0138 for three or more of ten at 0.05 each, with rounding.
        let bound = at_least(3, 10, 0.05);
        assert!((0.0115..0.1).contains(&bound), "{bound}");
        assert_eq!(at_least(0, 10, 0.05), 1.0);
    }

    #[test]
    fn chance_and_bursts_are_no_phase() {
        // A burst of 40 drops hits one flow after another, at random.
        let burst = |salt| move |batch| if chance(batch, salt, 4) == 0 { 40 } else { 0 };
        let [a, b, c, d] = [1, 2, 3, 4].map(burst);
        assert!(set(&[&a, &b, &c, &d]).phased().is_none());
        let few = |salt| move |batch| chance(batch, salt, 10);
        let [a, b, c] = [1, 2, 3].map(few);
        assert!(set(&[&a, &b, &c]).phased().is_none());
    }

    #[test]
    fn a_constant_difference_below_the_factor_matters_little() {
        let (less, more) = (|_| 20, |_| 30);
        assert!(set(&[&less, &more]).phased().is_none());
    }
}
