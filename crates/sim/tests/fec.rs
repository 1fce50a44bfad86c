//! Protected pairs in worlds: every packet against a brute-force oracle, the accounts at every
//! instant, and the residual loss against theory.

use crate::common::models;
use pacesim::World;
use pacesim::fec::{Config, Order, RepairSize};
use pacesim::measure::record::FecRow;
use pacesim::model::{Buffer, Distribution, Load, Loss, Model, Protection, Sizes, Tcp, Traffic};
use pacesim::net::{DropCause, Kind, Packet, Passage, Probe};
use pacesim::tcp::Variant;
use pacesim::units::{Bytes, Capacity, FlowId, LinkId, NodeId, Rate, Span, Time};
use proptest::prelude::*;
use std::sync::Arc;

fn protection(ends: (NodeId, NodeId), data: Vec<FlowId>, config: Config) -> Protection {
    Protection {
        name: "pair".to_owned(),
        group: "fec".to_owned(),
        encoder: ends.0,
        decoder: ends.1,
        core: vec![LinkId(0)],
        data,
        acks: Vec::new(),
        config,
        order: Order::Late,
        adaptation: None,
        unsolved: None,
    }
}

/// Sources that share a port at b, with a lossy wire to c, where all sinks are.
fn funnel(sources: usize, traffic: impl Fn(usize) -> Traffic) -> Model {
    let mut model = Model::new("funnel", Span::from_ms(20));
    let (b, c) = (model.add_node("b"), model.add_node("c"));
    let mbps = Rate::from_mbps;
    let core = model.add_link(b, c, mbps(100), Span::from_us(300));
    model.add_link(c, b, mbps(100), Span::from_us(300));
    for i in 0..sources {
        let a = model.add_node(format!("a[{i}]"));
        model.add_link(a, b, mbps(1000), Span::from_us(10 * i as u64));
        model.add_link(b, a, mbps(1000), Span::from_us(10 * i as u64));
        model.add_flow(a, c, traffic(i));
    }
    assert_eq!(core, LinkId(0));
    model
}

const CORE: LinkId = LinkId(0);

/// Packets that arrived at the core's port, in order, and packets that reached the sinks.
#[derive(Default)]
struct Trace {
    offered: Vec<Offered>,
    delivered: Vec<(Time, u32, u32, bool)>,
}

struct Offered {
    packet: Packet,
    at: Time,
    /// The time at which it reaches the other side, if it does.
    reaches: Option<Time>,
}

impl Probe for Trace {
    fn accepted(&mut self, now: Time, link: LinkId, packet: &Packet, passage: Passage) {
        if link == CORE {
            self.offered.push(Offered {
                packet: *packet,
                at: now,
                reaches: Some(passage.departure + Span::from_us(300)),
            });
        }
    }
    fn dropped(&mut self, now: Time, link: LinkId, packet: &Packet, cause: DropCause) {
        assert_eq!(link, CORE);
        let (packet, at, reaches) = (*packet, now, None);
        match cause {
            DropCause::Wire => {
                let is_it = |o: &&mut Offered| o.reaches == Some(now);
                let mut lost = self.offered.iter_mut().filter(is_it);
                lost.next().expect("it was sent").reaches = None;
            }
            _ => self.offered.push(Offered {
                packet,
                at,
                reaches,
            }),
        }
    }
    fn delivered(&mut self, now: Time, packet: &Packet) {
        let (flow, is_repaired) = (packet.flow.0, packet.is_repaired());
        self.delivered.push((now, flow, packet.seq, is_repaired));
    }
}

/// Packets that the sinks should get, given the fates of packets in the core: the i-th data packet
/// is in the open block of its row; a block that misses one packet recovers it with the repair
/// packet.
fn oracle(trace: &Trace, config: Config, end: Time) -> Vec<(Time, u32, u32, bool)> {
    let depth = usize::from(config.depth);
    let mut open: Vec<Vec<&Offered>> = vec![Vec::new(); depth];
    let mut expected = Vec::new();
    let mut turn = 0;
    for offered in &trace.offered {
        let data = |o: &Offered| (o.packet.flow.0, o.packet.seq);
        if offered.packet.kind() == Kind::Data {
            expected.extend(offered.reaches.map(|at| (at, data(offered), false)));
            open[turn].push(offered);
            turn = (turn + 1) % depth;
            continue;
        }
        // The oldest block that is full or has timed out.
        let is_due = |block: &&mut Vec<&Offered>| {
            let timeout = |t: Span| block[0].at + t <= offered.at;
            !block.is_empty()
                && (block.len() == usize::from(config.block) || config.timeout.is_some_and(timeout))
        };
        let due = open
            .iter_mut()
            .filter(is_due)
            .min_by_key(|block| block[0].at);
        let block = std::mem::take(due.expect("a repair packet follows a block"));
        let largest = block.iter().map(|o| o.packet.size).max();
        assert!(
            Some(offered.packet.size) >= largest,
            "the sum has room in it"
        );
        let mut missing = block.iter().filter(|o| o.reaches.is_none());
        if let (Some(lost), None, Some(at)) = (missing.next(), missing.next(), offered.reaches) {
            expected.push((at, data(lost), true));
        }
    }
    let is_full = |block: &Vec<&Offered>| block.len() == usize::from(config.block);
    assert!(
        !open.iter().any(is_full),
        "after a full block comes a repair packet"
    );
    let mut expected: Vec<_> = expected
        .into_iter()
        .filter(|(at, ..)| *at <= end)
        .map(|(at, (flow, seq), repaired)| (at, flow, seq, repaired))
        .collect();
    expected.sort_unstable();
    expected
}

fn any_config() -> impl Strategy<Value = Config> {
    let size = prop_oneof![
        Just(RepairSize::PairLargest),
        Just(RepairSize::BlockLargest),
        Just(RepairSize::Fixed(9000)),
    ];
    let timeout = prop::option::of((1u64..2000).prop_map(Span::from_us));
    (1u16..12, 1u16..5, timeout, size).prop_map(|(block, depth, timeout, size)| Config {
        block,
        depth,
        timeout,
        size,
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn every_packet_has_the_fate_and_time_of_the_brute_force_oracle(
        config in any_config(), seed: u64, sources in 1usize..5, places in 1u64..4, wire in 0.0..0.2f64,
    ) {
        let sizes = Distribution::Uniform { low: 40.0, high: 9000.0 };
        let rate = Rate::from_mbps(15);
        let poisson = |_| Traffic::Poisson { rate, size: Sizes::Drawn(sizes.clone()) };
        let mut model = funnel(sources, poisson);
        model.seed = seed;
        model.links[0].buffer = Buffer::system(Capacity::Packets(places));
        model.links[0].extras.loss = Some(Loss::Bernoulli { probability: wire });
        let flows = (0..sources as u32).map(FlowId).collect();
        model.protections.push(protection((NodeId(0), NodeId(1)), flows, config));
        let mut world = World::watched(model, Trace::default()).expect("a good model");
        world.run();
        let mut delivered = world.probe().delivered.clone();
        delivered.sort_unstable();
        prop_assert_eq!(delivered, oracle(world.probe(), config, world.end()));
        let row = &world.fec_rows()[0];
        let repaired = world.probe().delivered.iter().filter(|d| d.3).count() as u64;
        prop_assert_eq!(row.repaired_pkts, repaired);
        let came = (world.flow_rows().iter()).map(|flow| flow.repaired_pkts).sum::<u64>();
        prop_assert_eq!(came, repaired);
    }

    #[test]
    fn packets_stay_in_the_accounts_at_every_instant(
        model in models(), config in any_config(), hold in prop::option::of(1u64..3000),
    ) {
        let mut model = model;
        let flows: Vec<FlowId> = (0..model.flows.len()).map(FlowId::from_index).collect();
        for flow in flows {
            let ends = (model.flows[flow.index()].from, model.flows[flow.index()].to);
            let mut pair = protection(ends, vec![flow], config);
            if let (1, Some(us)) = (config.depth, hold) {
                pair.order = Order::Hold(Span::from_us(us));
            }
            model.protections.push(pair);
        }
        let mut world = World::new(model.clone()).expect("a connected network");
        while world.step().is_some() {
            check_accounts(&world);
        }
        check_accounts(&world);
        let rows = world.flow_rows();
        for row in &rows {
            prop_assert!(row.delivered_pkts <= row.sent_pkts);
            prop_assert!(row.repaired_pkts <= row.dropped_pkts + row.lost_pkts);
        }
        let mut again = World::new(model).expect("a connected network");
        again.run();
        prop_assert_eq!(again.fingerprint(), world.fingerprint());
        prop_assert_eq!(again.fec_rows(), world.fec_rows());
    }
}

/// Sent + created = delivered + dropped + lost + absorbed + in the network.
fn check_accounts(world: &World) {
    let mut inside = 0;
    for i in 0..world.model().flows.len() {
        let tally = world.flow(FlowId(i as u32));
        let came = tally.sent + tally.created;
        let gone = tally.delivered + tally.dropped + tally.lost + tally.absorbed;
        inside += (came - gone).packets;
    }
    assert_eq!(inside, world.in_flight());
}

/// A pair over a wire with this loss, and blocks of k.
fn over_a_wire(loss: Loss, k: u16, seconds: u64, run: u64) -> FecRow {
    let rate = Rate::from_mbps(40);
    let size = Bytes(1000);
    let mut model = funnel(1, |_| Traffic::Cbr { rate, size });
    model.duration = Span::from_secs(seconds);
    (model.seed, model.replication) = (k.into(), run);
    model.links[0].extras.loss = Some(loss);
    let pair = protection((NodeId(0), NodeId(1)), vec![FlowId(0)], Config::block(k));
    model.protections.push(pair);
    let mut world = World::new(model).expect("a good model");
    world.run();
    world.fec_rows().remove(0)
}

/// Distribution of the unrepaired packets of a block of k, under a two-state loss process given by
/// the probabilities of its states at the start of the block, of leaving each, and of loss in each.
fn residual(start: [f64; 2], leave: [f64; 2], loss: [f64; 2], k: usize) -> Vec<f64> {
    // By state and number of data packets lost so far.
    let mut chances = [vec![0.0; k + 1], vec![0.0; k + 1]];
    (chances[0][0], chances[1][0]) = (start[0], start[1]);
    for _ in 0..k {
        let mut next = [vec![0.0; k + 1], vec![0.0; k + 1]];
        for state in 0..2 {
            for lost in 0..=k {
                let chance = chances[state][lost];
                for (more, p) in [(0, 1.0 - loss[state]), (1, loss[state])] {
                    if p > 0.0 && chance > 0.0 {
                        next[state][lost + more] += chance * p * (1.0 - leave[state]);
                        next[1 - state][lost + more] += chance * p * leave[state];
                    }
                }
            }
        }
        chances = next;
    }
    let mut stay = vec![0.0; k + 1];
    for state in 0..2 {
        for lost in 0..=k {
            // One packet is repaired unless the repair packet is lost.
            let repaired = if lost == 1 { 1.0 - loss[state] } else { 0.0 };
            stay[0] += chances[state][lost] * repaired;
            stay[lost] += chances[state][lost] * (1.0 - repaired);
        }
    }
    stay
}

fn moments(chances: &[f64]) -> (f64, f64) {
    let of = |power: f64| -> f64 {
        let terms = chances.iter().enumerate();
        terms.map(|(n, p)| libm::pow(n as f64, power) * p).sum()
    };
    (of(1.0), of(2.0) - of(1.0) * of(1.0))
}

#[test]
fn independent_losses_leave_what_equations_14_and_15_say() {
    // 20 statements hold jointly with 95 %: each with 99.75 %, 3.02 standard deviations.
    let p = 0.05;
    for k in 1..=20u16 {
        let chances = residual([1.0, 0.0], [0.0; 2], [p, 0.0], k.into());
        let (mean, variance) = moments(&chances);
        let equation_15 = p * (1.0 - libm::pow(1.0 - p, k.into()));
        assert!(
            (mean / f64::from(k) / equation_15 - 1.0).abs() < 1e-12,
            "{:?} and {:?}",
            mean,
            f64::from(k) / equation_15
        );
        let row = over_a_wire(Loss::Bernoulli { probability: p }, k, 20, 0);
        let blocks = row.settled_pkts as f64 / f64::from(k);
        let ours = (row.lost_pkts - row.repaired_pkts) as f64 / blocks;
        let deviation = (variance / blocks).sqrt();
        assert!(
            (ours - mean).abs() < 3.02 * deviation,
            "k = {k}: {ours} {mean} ± {deviation}"
        );
        assert_eq!(row.settled_pkts % u64::from(k), 0);
        assert!(
            (row.overhead_ratio.expect("it sent") - 1.0 / f64::from(k)).abs() < 1e-3,
            "{:?}",
            row.overhead_ratio.expect("it sent") - 1.0 / f64::from(k)
        );
    }
}

#[test]
fn bursts_of_losses_leave_what_a_chain_of_two_states_says() {
    let (to_bad, to_good, loss_good, loss_bad) = (0.01, 0.2, 0.002, 0.6);
    let chain = Loss::GilbertElliott {
        to_bad,
        to_good,
        loss_good,
        loss_bad,
    };
    let bad = to_bad / (to_bad + to_good);
    for k in [1, 3, 6, 20u16] {
        let (leave, loss) = ([to_bad, to_good], [loss_good, loss_bad]);
        let (mean, _) = moments(&residual([1.0 - bad, bad], leave, loss, k.into()));
        // Neighbouring blocks are correlated, so the interval comes from independent runs.
        let runs: Vec<f64> = (0..20)
            .map(|run| {
                let row = over_a_wire(chain, k, 4, run);
                (row.lost_pkts - row.repaired_pkts) as f64 / row.settled_pkts as f64
            })
            .collect();
        let interval = pacesim::measure::mean_interval(&runs, 1.0 - 0.05 / 4.0);
        let interval = interval.expect("20 runs");
        let mean = mean / f64::from(k);
        let holds = interval.low <= mean && mean <= interval.high;
        assert!(holds, "k = {k}: {interval:?} {mean}");
        // Independent losses of the same mean would leave a far smaller residual.
        let p = (1.0 - bad) * loss_good + bad * loss_bad;
        assert!(mean > 2.0 * p * (1.0 - libm::pow(1.0 - p, k.into())) || k == 20);
    }
}

#[test]
fn held_packets_leave_in_order_and_late_ones_are_counted() {
    let run = |order| {
        let size = Bytes(1000);
        let rate = Rate::from_mbps(40);
        let mut model = funnel(1, |_| Traffic::Cbr { rate, size });
        model.duration = Span::from_secs(2);
        model.links[0].extras.loss = Some(Loss::Bernoulli { probability: 0.02 });
        let mut pair = protection((NodeId(0), NodeId(1)), vec![FlowId(0)], Config::block(4));
        pair.order = order;
        model.protections.push(pair);
        let mut world = World::watched(model, Trace::default()).expect("a good model");
        world.run();
        let order = world
            .probe()
            .delivered
            .iter()
            .map(|d| d.2)
            .collect::<Vec<_>>();
        let disorder = order.windows(2).filter(|pair| pair[1] < pair[0]).count() as u64;
        (world.fec_rows().remove(0), disorder)
    };
    let (late, disorder) = run(Order::Late);
    assert_eq!(late.late_pkts, disorder);
    assert!(disorder > 50, "{disorder}");
    let (held, disorder) = run(Order::Hold(Span::from_ms(5)));
    assert_eq!((held.late_pkts, disorder), (0, 0));
    assert_eq!(held.repaired_pkts, late.repaired_pkts);
    // Blocks take 1 ms here, longer than this hold.
    let (hasty, disorder) = run(Order::Hold(Span::from_us(100)));
    assert_eq!(hasty.late_pkts, disorder);
    assert!(0 < disorder && disorder < late.late_pkts + 1);
}

/// One connection over a wire that loses packets in both directions.
fn connection(variant: Variant, k: Option<u16>, acks: bool) -> World {
    let tcp = Tcp {
        config: Arc::new(pacesim::tcp::Config::ns2(variant)),
        load: Load::Endless,
        clock_phase: Some(Span::ZERO),
        transport: None,
    };
    let mut model = funnel(1, |_| Traffic::Tcp(tcp.clone()));
    model.duration = Span::from_secs(30);
    for link in 0..2 {
        model.links[link].delay = Span::from_ms(20);
        model.links[link].extras.loss = Some(Loss::Bernoulli { probability: 0.03 });
    }
    if let Some(k) = k {
        let flows = vec![FlowId(0)];
        let ends = (NodeId(0), NodeId(1));
        model
            .protections
            .push(protection(ends, flows.clone(), Config::block(k)));
        if acks {
            let mut back = protection((ends.1, ends.0), Vec::new(), Config::block(k));
            back.acks = flows;
            model.protections.push(back);
        }
    }
    let mut world = World::new(model).expect("a good model");
    world.run();
    world
}

#[test]
fn tcp_gains_from_repaired_data_and_takes_repaired_acknowledgements() {
    for variant in [Variant::Reno, Variant::Sack] {
        let goodput = |world: &World| world.flow_rows()[0].goodput_bps;
        let plain = goodput(&connection(variant, None, false));
        let data = connection(variant, Some(4), false);
        assert!(goodput(&data) > 1.5 * plain, "{variant:?}");
        let both = connection(variant, Some(4), true);
        assert!(goodput(&both) > 1.5 * plain, "{variant:?}");
        let rows = both.fec_rows();
        assert!(rows[1].repaired_pkts > 50, "{variant:?}: {rows:?}");
        assert_eq!(both.model().protections.len(), rows.len());
    }
}

/// Bytes of repair packets divided by protected bytes, for pairs that protect data,
/// acknowledgements or both, in one direction of two lossless connections that run opposite ways.
fn overheads(pairs: &[(bool, bool)]) -> Vec<f64> {
    let mut config = pacesim::tcp::Config::ns2(Variant::Reno);
    config.payload = Bytes(960);
    let tcp = Tcp {
        config: Arc::new(config),
        load: Load::Endless,
        clock_phase: Some(Span::ZERO),
        transport: None,
    };
    let mut model = Model::new("both ways", Span::from_secs(20));
    let (a, b) = (model.add_node("a"), model.add_node("b"));
    for (from, to) in [(a, b), (b, a)] {
        model.add_link(from, to, Rate::from_mbps(10), Span::from_ms(10));
    }
    let there = model.add_flow(a, b, Traffic::Tcp(tcp.clone()));
    let back = model.add_flow(b, a, Traffic::Tcp(tcp));
    for (data, acks) in pairs {
        let flows = |some: bool, flow| if some { vec![flow] } else { Vec::new() };
        let mut pair = protection((a, b), flows(*data, there), Config::block(3));
        pair.acks = flows(*acks, back);
        model.protections.push(pair);
    }
    let mut world = World::new(model).expect("a good model");
    world.run();
    let rows = world.fec_rows();
    rows.iter().filter_map(|row| row.overhead_ratio).collect()
}

#[test]
fn acknowledgements_among_data_cost_repair_packets_of_its_size() {
    let near = |found: f64, wanted: f64| assert!((found - wanted).abs() < 0.01, "{found} {wanted}");
    // Every third packet, of 1000 B, divided by packets of 1000 B and of 40 B in equal numbers.
    near(overheads(&[(true, true)])[0], 1000.0 / 3.0 / 520.0);
    near(overheads(&[(true, false)])[0], 1.0 / 3.0);
    let apart = overheads(&[(true, false), (false, true)]);
    apart.into_iter().for_each(|found| near(found, 1.0 / 3.0));
}

#[test]
fn contention_loses_what_queueing_theory_says() {
    // At a load of 0.2: without waiting room r/(1 + r), with one place 1 − 1/(r + e^−r).
    let load: f64 = 0.2;
    let one_place = 1.0 - 1.0 / (load + libm::exp(-load));
    assert!((one_place - 0.01839).abs() < 5e-6, "{one_place:?}");
    for (places, theory) in [(1, load / (1.0 + load)), (2, one_place)] {
        let losses: Vec<f64> = (0..10)
            .map(|run| {
                let rate = Rate::from_mbps(2);
                let size = Sizes::Constant(Bytes(1000));
                let mut model = funnel(10, |_| Traffic::Poisson {
                    rate,
                    size: size.clone(),
                });
                model.duration = Span::from_secs(20);
                model.replication = run;
                model.links[0].buffer = Buffer::system(Capacity::Packets(places));
                let mut world = World::new(model).expect("a good model");
                world.run();
                world.link_rows()[0].loss_ratio.expect("packets arrive")
            })
            .collect();
        let interval = pacesim::measure::mean_interval(&losses, 0.975).expect("ten runs");
        let holds = interval.low <= theory && theory <= interval.high;
        assert!(holds, "{places}: {interval:?} {theory}");
    }
}

#[test]
fn the_warm_up_is_no_part_of_the_counters() {
    let row = |warmup: u64, duration: u64| {
        let (rate, size) = (Rate::from_mbps(8), Bytes(1000));
        let mut model = funnel(1, |_| Traffic::Cbr { rate, size });
        model.duration = Span::from_secs(duration);
        model.warmup = Span::from_secs(warmup);
        model.links[0].extras.loss = Some(Loss::Bernoulli { probability: 0.1 });
        let pair = protection((NodeId(0), NodeId(1)), vec![FlowId(0)], Config::block(5));
        model.protections.push(pair);
        let mut world = World::new(model).expect("a good model");
        world.run();
        world.fec_rows().remove(0)
    };
    let (first, both, second) = (row(0, 2), row(0, 5), row(2, 5));
    for count in [
        |row: &FecRow| row.protected_pkts,
        |row: &FecRow| row.repair_pkts,
        |row: &FecRow| row.settled_pkts,
        |row: &FecRow| row.lost_pkts,
        |row: &FecRow| row.repaired_pkts,
        |row: &FecRow| row.late_pkts,
    ] {
        // A packet at the very end of the warm-up may be counted after it.
        assert!(
            count(&both).abs_diff(count(&first) + count(&second)) <= 5,
            "{:?}",
            count(&both).abs_diff(count(&first) + count(&second))
        );
    }
    assert_eq!(both.flows, 1);
}

/// Repair packets that others overtake know of fewer packets; their news must not undo later news.
#[test]
fn what_is_known_of_packets_never_shrinks_where_repairs_overtake_each_other() {
    let (rate, size) = (Rate::from_mbps(8), Bytes(1000));
    let mut model = funnel(1, |_| Traffic::Cbr { rate, size });
    model.duration = Span::from_secs(2);
    let delay = Distribution::Uniform {
        low: 0.0,
        high: 2e10,
    };
    let reorders = true;
    model.links[0].extras.jitter = Some(pacesim::middlebox::Jitter { delay, reorders });
    let pair = protection((NodeId(0), NodeId(1)), vec![FlowId(0)], Config::block(3));
    model.protections.push(pair);
    let mut world = World::new(model).expect("a good model");
    let mut settled = 0;
    while world.step().is_some() {
        let now = world.fec_rows()[0].settled_pkts;
        assert!(now >= settled, "{now} after {settled}");
        settled = now;
    }
    assert!(settled > 1900, "{settled}");
}
