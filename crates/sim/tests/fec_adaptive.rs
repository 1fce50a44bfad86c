//! Adaptive pairs, whose block size follows the loss reported by their decoder.

use std::sync::Arc;

use pacesim::fec::{Adaptation, Config, Order, SizeTable};
use pacesim::measure::record::FecRow;
use pacesim::model::change::{Change, TimedChange};
use pacesim::model::{Buffer, Loss, Model, Protection, Sizes, Traffic};
use pacesim::units::{Bytes, Capacity, FlowId, LinkId, NodeId, Rate, Span, Time};
use pacesim::{BuildError, World};

const RESIDUAL: f64 = 1e-3;

fn follow(sizes: SizeTable) -> Adaptation {
    Adaptation {
        sizes: Arc::new(sizes),
        smoothing: 2000,
        report_every: Span::from_ms(50),
    }
}

fn pair(ends: (NodeId, NodeId), flow: FlowId, adaptation: Adaptation) -> Protection {
    Protection {
        name: format!("pair {}", flow.0),
        group: "fec".to_owned(),
        encoder: ends.0,
        decoder: ends.1,
        core: vec![LinkId(0)],
        data: vec![flow],
        acks: Vec::new(),
        config: Config::block(50),
        order: Order::Late,
        adaptation: Some(adaptation),
        unsolved: None,
    }
}

fn bernoulli(probability: f64) -> Loss {
    Loss::Bernoulli { probability }
}

/// One pair over a lossy wire, with a reverse path that may be lossy too.
fn over_a_wire(there: Loss, back: Option<Loss>) -> Model {
    let mut model = Model::new("wire", Span::from_secs(30));
    let (a, b) = (model.add_node("a"), model.add_node("b"));
    let rate = Rate::from_mbps(20);
    let wire = model.add_link(a, b, rate, Span::from_ms(5));
    let way_back = model.add_link(b, a, rate, Span::from_ms(5));
    model.links[wire.index()].extras.loss = Some(there);
    model.links[way_back.index()].extras.loss = back;
    let size = Bytes(1000);
    let rate = Rate::from_mbps(8);
    let flow = model.add_flow(a, b, Traffic::Cbr { rate, size });
    let sizes = SizeTable::for_residual(RESIDUAL, 2, 100);
    model.protections.push(pair((a, b), flow, follow(sizes)));
    model
}

fn row(model: Model) -> FecRow {
    let mut world = World::new(model).expect("a good model");
    world.run();
    world.fec_rows().remove(0)
}

#[test]
fn blocks_are_the_largest_that_leave_what_may_be_left() {
    // 0.01 (1 - 0.99^k) <= 0.001 up to k = 10; a loss of 0.0005 never leaves more than 0.0005.
    for (loss, wanted) in [(0.01, 8..=13), (0.0005, 100..=100), (0.1, 2..=2)] {
        let row = row(over_a_wire(bernoulli(loss), None));
        assert!(wanted.contains(&row.block_pkts), "{loss}: {row:?}");
    }
}

#[test]
fn reports_are_packets_of_their_own_and_no_more_than_may_be() {
    let mut world = World::new(over_a_wire(bernoulli(0.01), None)).expect("a good model");
    world.run();
    let (row, back) = (&world.fec_rows()[0], &world.link_rows()[1]);
    assert!((400..=600).contains(&row.report_pkts), "{row:?}");
    let on_their_way = row.report_pkts - back.reached_pkts;
    assert!(on_their_way <= 1, "{on_their_way}");
    assert_eq!(back.arrived_bytes, 40 * row.report_pkts);
}

#[test]
fn reports_that_are_lost_do_no_harm() {
    let row = row(over_a_wire(bernoulli(0.01), Some(bernoulli(0.8))));
    assert!((8..=13).contains(&row.block_pkts), "{row:?}");
}

#[test]
fn blocks_follow_a_loss_that_changes() {
    let mut model = over_a_wire(bernoulli(0.001), None);
    let block = |seconds: u64, model: &Model| {
        let mut model = model.clone();
        model.duration = Span::from_secs(seconds);
        row(model).block_pkts
    };
    for (at, probability) in [(10, 0.02), (20, 0.001)] {
        model.changes.push(TimedChange {
            at: Time::ZERO + Span::from_secs(at),
            link: LinkId(0),
            change: Change::Loss(Some(bernoulli(probability))),
        });
    }
    let [before, during, after] = [10, 20, 30].map(|end| block(end, &model));
    assert!(
        before > 50 && during < 6 && after > 50,
        "{before} {during} {after}"
    );
}

#[test]
fn packets_and_reports_stay_in_the_accounts_at_every_instant() {
    let mut model = over_a_wire(bernoulli(0.05), Some(bernoulli(0.3)));
    model.duration = Span::from_secs(3);
    let mut world = World::new(model).expect("a good model");
    let check = |world: &World| {
        let tally = world.flow(FlowId(0));
        let came = tally.sent + tally.created;
        let gone = tally.delivered + tally.dropped + tally.lost + tally.absorbed;
        assert_eq!((came - gone).packets, world.in_flight());
    };
    while world.step().is_some() {
        check(&world);
    }
    check(&world);
}

#[test]
fn a_pair_without_a_way_back_is_refused() {
    let mut model = over_a_wire(bernoulli(0.01), None);
    model.links.pop();
    let error = World::new(model).map(|_| ()).expect_err("no way back");
    let wanted = BuildError::NoWayBack {
        pair: "pair 0".to_owned(),
        from: "b".to_owned(),
        to: "a".to_owned(),
    };
    assert_eq!(error, wanted);
}

/// Ten pairs of Poisson traffic share a port with room for one waiting packet; returns the share of
/// its rate that they and their repair packets send in the last part of a long run, and their block
/// sizes.
fn contention(load: f64, sizes: &SizeTable) -> (f64, Vec<u32>) {
    let mut model = Model::new("contention", Span::from_secs(12));
    model.warmup = Span::from_secs(8);
    let (core, end) = (model.add_node("core"), model.add_node("end"));
    let line = Rate::from_mbps(400);
    let port = model.add_link(core, end, line, Span::from_us(300));
    model.links[port.index()].buffer = Buffer::system(Capacity::Packets(2));
    model.add_link(end, core, line, Span::from_us(300));
    let rate = Rate::from_bps((load * 40e6) as u64).expect("a rate");
    for i in 0..10 {
        let edge = model.add_node(format!("edge[{i}]"));
        model.add_link(edge, core, Rate::from_mbps(40), Span::from_us(100));
        model.add_link(core, edge, Rate::from_mbps(40), Span::from_us(100));
        let size = Sizes::Constant(Bytes(1000));
        let flow = model.add_flow(edge, end, Traffic::Poisson { rate, size });
        let pair = pair((edge, end), flow, follow(sizes.clone()));
        model.protections.push(pair);
    }
    let mut world = World::new(model).expect("a good model");
    world.run();
    let offered = &world.link_rows()[0];
    let bits = offered.arrived_bytes as f64 * 8.0 / 4.0;
    let pairs = world.fec_rows();
    (
        bits / 400e6,
        pairs.iter().map(|row| row.block_pkts).collect(),
    )
}

#[test]
fn in_contention_repair_packets_do_not_run_away() {
    for load in [0.1, 0.3] {
        let (offered, blocks) = contention(load, &SizeTable::for_load(1, 2, 100));
        assert!(offered < 1.36 * load, "{load}: {offered} {blocks:?}");
        assert!(
            blocks.iter().all(|k| (3..=4).contains(k)),
            "{load}: {blocks:?}"
        );
    }
    // An unattainable target costs as much as the smallest block, and no more.
    let (offered, blocks) = contention(0.3, &SizeTable::for_residual(1e-6, 2, 100));
    assert!(
        offered < 1.53 * 0.3 && blocks == [2; 10],
        "{offered} {blocks:?}"
    );
}
