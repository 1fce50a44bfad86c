//! Properties of any network and traffic.

use std::collections::BTreeSet;

use crate::common::models;
use pacesim::World;
use pacesim::model::{Model, Sizes, Traffic};
use pacesim::net::{DropCause, Packet, Passage, Probe};
use pacesim::units::{Bytes, FlowId, LinkId, Rate, Span, Time};
use proptest::prelude::*;

/// Tracks every packet independently.
#[derive(Default)]
pub(crate) struct Auditor {
    alive: BTreeSet<(u32, u32)>,
    accepted: Vec<u64>,
    held: Vec<u64>,
    dropped: Vec<u64>,
    lost: Vec<u64>,
    delivered: Vec<u64>,
    last: Time,
}

impl Auditor {
    pub(crate) fn new(model: &Model) -> Auditor {
        let links = vec![0; model.links.len()];
        Auditor {
            accepted: links.clone(),
            held: links.clone(),
            dropped: links.clone(),
            lost: links,
            delivered: vec![0; model.flows.len()],
            ..Auditor::default()
        }
    }

    fn alive_of(&self, flow: u32) -> u64 {
        self.alive.range((flow, 0)..=(flow, u32::MAX)).count() as u64
    }
}

impl Probe for Auditor {
    fn accepted(&mut self, now: Time, link: LinkId, packet: &Packet, passage: Passage) {
        assert!(now >= self.last, "time goes back");
        assert!(passage.arrived <= now, "taken before it came");
        assert!(passage.departure > now, "a packet leaves before it comes");
        self.last = now;
        self.accepted[link.index()] += 1;
        self.alive.insert((packet.flow.0, packet.seq));
    }

    fn held(&mut self, _: Time, link: LinkId, packet: &Packet) {
        self.held[link.index()] += 1;
        self.alive.insert((packet.flow.0, packet.seq));
    }

    fn released(&mut self, now: Time, link: LinkId, packet: &Packet, arrived: Time) {
        assert!(arrived <= now, "released before it came");
        assert!(self.alive.contains(&(packet.flow.0, packet.seq)));
        self.held[link.index()] -= 1;
    }

    fn dropped(&mut self, _: Time, link: LinkId, packet: &Packet, cause: DropCause) {
        self.alive.remove(&(packet.flow.0, packet.seq));
        match cause {
            DropCause::Wire => self.lost[link.index()] += 1,
            _ => self.dropped[link.index()] += 1,
        }
    }

    fn delivered(&mut self, _: Time, packet: &Packet) {
        assert!(
            self.alive.remove(&(packet.flow.0, packet.seq)),
            "delivered twice"
        );
        self.delivered[packet.flow.index()] += 1;
    }
}

pub(crate) fn check_conservation(world: &World<Auditor>) {
    let audit = world.probe();
    for (i, _) in world.model().flows.iter().enumerate() {
        let tally = world.flow(FlowId(i as u32));
        let gone = tally.delivered.packets + tally.dropped.packets + tally.lost.packets;
        assert_eq!(
            tally.sent.packets,
            gone + audit.alive_of(i as u32),
            "flow {i}"
        );
        assert_eq!(tally.delivered.packets, audit.delivered[i], "flow {i}");
    }
    assert_eq!(world.in_flight(), audit.alive.len() as u64);
    for (i, row) in world.link_rows().iter().enumerate() {
        assert_eq!(
            row.arrived_pkts,
            audit.held[i] + audit.accepted[i] + audit.dropped[i],
            "link {i}"
        );
        assert_eq!(row.dropped_pkts, audit.dropped[i], "link {i}");
        assert_eq!(row.lost_pkts, audit.lost[i], "link {i}");
        let held = world.held(LinkId(i as u32)).map(|hold| hold.held().packets);
        assert_eq!(held.unwrap_or(0), audit.held[i], "link {i}");
        let (waiting, _) = world.waiting(LinkId(i as u32));
        assert!(row.left_pkts + waiting <= audit.accepted[i], "link {i}");
        // Lost only at the far end, after leaving the port.
        assert!(row.lost_pkts <= row.reached_pkts, "link {i}");
        assert!(row.reached_pkts <= row.left_pkts, "link {i}");
        assert!(
            row.loss_ratio
                .is_none_or(|loss| (0.0..=1.0).contains(&loss)),
            "link {i}"
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn packets_are_conserved_at_every_instant(model in models()) {
        let auditor = Auditor::new(&model);
        let mut world = World::watched(model, auditor).expect("a connected network");
        while world.step().is_some() {
            check_conservation(&world);
        }
        check_conservation(&world);
    }

    #[test]
    fn the_same_model_gives_the_same_run_however_it_is_run(model in models()) {
        let mut at_once = World::new(model.clone()).expect("a connected network");
        at_once.run();
        let auditor = Auditor::new(&model);
        let mut in_steps = World::watched(model.clone(), auditor).expect("a connected network");
        while in_steps.step().is_some() {
            // Reading must not change anything.
            in_steps.link_rows();
        }
        let mut in_slices = World::new(model).expect("a connected network");
        for ms in 0..=20 {
            in_slices.run_until(Time::ZERO + Span::from_ms(ms));
            in_slices.link_rows();
        }
        prop_assert_eq!(at_once.fingerprint(), in_steps.fingerprint());
        prop_assert_eq!(at_once.fingerprint(), in_slices.fingerprint());
        prop_assert_eq!(at_once.link_rows(), in_steps.link_rows());
        prop_assert_eq!(at_once.link_rows(), in_slices.link_rows());
        prop_assert_eq!(at_once.flow_rows(), in_slices.flow_rows());
    }

    #[test]
    fn loss_is_a_share_wherever_the_warm_up_cuts(model in models(), cut_us in 0u64..20_000) {
        let mut model = model;
        model.warmup = Span::from_us(cut_us);
        let mut world = World::new(model).expect("a connected network");
        world.run();
        for row in world.link_rows() {
            prop_assert!(row.loss_ratio.is_none_or(|loss| (0.0..=1.0).contains(&loss)), "{row:?}");
            prop_assert!(row.lost_pkts <= row.reached_pkts, "{row:?}");
        }
    }

    #[test]
    fn a_stranger_elsewhere_shifts_nobody(model in models()) {
        let mut alone = World::new(model.clone()).expect("a connected network");
        alone.run();
        let mut joined = model;
        let (a, b) = (joined.add_node("stranger"), joined.add_node("friend"));
        let link = joined.add_link(a, b, Rate::from_mbps(10), Span::ZERO);
        joined.link_mut(link).extras.loss = Some(pacesim::model::Loss::Bernoulli { probability: 0.5 });
        let size = Sizes::Constant(Bytes(500));
        joined.add_flow(a, b, Traffic::Poisson { rate: Rate::from_mbps(5), size });
        let mut world = World::new(joined).expect("a connected network");
        world.run();
        let known = alone.flow_rows();
        prop_assert_eq!(&known[..], &world.flow_rows()[..known.len()]);
    }
}

#[test]
fn seeds_and_replications_give_other_runs() {
    let run = |seed, replication| {
        let mut model = Model::new("one port", Span::from_secs(1));
        let (a, b) = (model.add_node("a"), model.add_node("b"));
        model.add_link(a, b, Rate::from_mbps(10), Span::from_ms(1));
        let size = Sizes::Constant(Bytes(500));
        model.add_flow(
            a,
            b,
            Traffic::Poisson {
                rate: Rate::from_mbps(5),
                size,
            },
        );
        (model.seed, model.replication) = (seed, replication);
        let mut world = World::new(model).expect("a good model");
        world.run();
        world.fingerprint()
    };
    let prints = BTreeSet::from([run(1, 0), run(2, 0), run(1, 1)]);
    assert_eq!(prints.len(), 3);
    assert_eq!(run(1, 0), run(1, 0));
}

#[test]
fn worlds_move_between_threads_and_run_side_by_side() {
    fn is_send<T: Send>() {}
    is_send::<World>();
    let model = || {
        let mut model = Model::new("one port", Span::from_secs(1));
        let (a, b) = (model.add_node("a"), model.add_node("b"));
        model.add_link(a, b, Rate::from_mbps(10), Span::from_ms(1));
        model.add_flow(
            a,
            b,
            Traffic::Cbr {
                rate: Rate::from_mbps(5),
                size: Bytes(500),
            },
        );
        model
    };
    let run = move || {
        let mut world = World::new(model()).expect("a good model");
        world.run();
        world.fingerprint()
    };
    let threads = [std::thread::spawn(run), std::thread::spawn(run)];
    let prints = threads.map(|thread| thread.join().expect("a run does not panic"));
    assert_eq!(prints[0], prints[1]);
}
