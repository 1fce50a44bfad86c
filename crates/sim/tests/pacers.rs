//! Pacers before ports: a paced port releases packets at its pacer's times.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::common::pacers::pacers;
use pacesim::World;
use pacesim::model::{Arrival, Buffer, Load, Model, PortPacer, Sizes, Tcp, Traffic};
use pacesim::net::{Kind, Packet, Probe};
use pacesim::pacer::OwnPacer;
use pacesim::pacers::{
    Hull, HullConfig, HullMultiConfig, Pacer, Pending, Qlbp, QlbpConfig, Refused, Release,
    UnpacedConfig, Waiting,
};
use pacesim::tcp::{Config, Variant};
use pacesim::units::{Bytes, Capacity, FlowId, LinkId, Rate, Span, Time};
use proptest::prelude::*;

/// Arrival and release times of packets at the gate of the watched link.
#[derive(Default)]
struct Releases(Vec<(Time, Time)>);

impl Probe for Releases {
    fn released(&mut self, now: Time, _: LinkId, _: &Packet, arrived: Time) {
        self.0.push((arrived, now));
    }
}

/// A source before a paced line.
fn one_port(pacer: impl Into<PortPacer>, rate: Rate, traffic: Traffic) -> Model {
    let mut model = Model::new("one port", Span::from_secs(5));
    let (a, b) = (model.add_node("a"), model.add_node("b"));
    let port = model.add_link(a, b, rate, Span::from_ms(1));
    model.link_mut(port).extras.pacer = Some(pacer.into());
    model.add_flow(a, b, traffic);
    model
}

fn poisson(mbps: u64) -> Traffic {
    Traffic::Poisson {
        rate: Rate::from_mbps(mbps),
        size: Sizes::Constant(Bytes(1000)),
    }
}

fn releases(model: Model) -> Vec<(Time, Time)> {
    let mut world = World::watched(model, Releases::default()).expect("a good model");
    world.run();
    world.into_probe().0
}

/// The pacer alone, offered the same arrivals.
fn alone(mut pacer: impl Pacer, arrivals: &[Arrival]) -> Vec<(Time, Time)> {
    let mut released = Vec::new();
    let mut drain = |pacer: &mut dyn Pacer, until: Time| {
        while let Release::At(at) = pacer.next_release()
            && at <= until
        {
            let packet = pacer.dequeue(at).expect("ready when it says so");
            released.push((Time::ZERO + arrivals[packet.key as usize].at, at));
        }
    };
    for (key, arrival) in arrivals.iter().enumerate() {
        let now = Time::ZERO + arrival.at;
        if let Some(before) = now.as_ps().checked_sub(1) {
            drain(&mut pacer, Time::from_ps(before));
        }
        let packet = Pending::new(key as u32, FlowId(0), arrival.size.0 as u32);
        pacer.enqueue(now, packet).expect("an unlimited buffer");
    }
    drain(&mut pacer, Time::ZERO + Span::from_secs(4));
    released
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Arrivals at distinct times, since a port drains between simultaneous ones.
    #[test]
    fn a_port_releases_when_its_pacer_says(
        gaps in prop::collection::vec((1u64..3_000, 40u64..1500), 1..100),
        delay_us in 0u64..5_000,
        hull in any::<bool>(),
    ) {
        let mut at = Span::ZERO;
        let arrivals: Vec<Arrival> = gaps.iter().map(|(us, size)| {
            at += Span::from_us(*us);
            Arrival { at, size: Bytes(*size) }
        }).collect();
        let line = Rate::from_mbps(100);
        let traffic = Traffic::Recorded(arrivals.clone().into());
        if hull {
            let config = HullConfig::new(Span::from_us(delay_us));
            let pacer = Hull::new(&config).expect("a good pacer");
            prop_assert_eq!(releases(one_port(PortPacer::Hull(config), line, traffic)), alone(pacer, &arrivals));
        } else {
            let config = table_2(line);
            let pacer = Qlbp::new(&config).expect("a good pacer");
            prop_assert_eq!(releases(one_port(PortPacer::Qlbp(config), line, traffic)), alone(pacer, &arrivals));
        }
    }
}

fn table_2(line_rate: Rate) -> QlbpConfig {
    QlbpConfig {
        mu_min: Some(Rate::from_mbps(2)),
        mu_max: Rate::from_mbps(10),
        q_max: Capacity::Packets(10),
        q_lim: Capacity::Packets(1000),
        line_rate,
    }
}

/// qlbp11 Table II, node 1: (Mbit/s in, packets held, delay in ms).
#[test]
fn qlbp_holds_what_the_papers_table_says() {
    let paper = [
        (1, 0.0, 0.0),
        (2, 0.0, 0.0),
        (4, 2.0, 4.0),
        (6, 4.0, 16.0 / 3.0),
        (8, 7.0, 7.0),
        (10, 9.0, 7.2),
        (12, 10.0, 20.0 / 3.0),
        (15, 10.0, 16.0 / 3.0),
    ];
    let line = Rate::from_mbps(15);
    for (mbps, held, delay_ms) in paper {
        let cbr = Traffic::Cbr {
            rate: Rate::from_mbps(mbps),
            size: Bytes(1000),
        };
        let mut model = one_port(PortPacer::Qlbp(table_2(line)), line, cbr);
        model.warmup = Span::from_secs(4);
        let mut world = World::new(model).expect("a good model");
        world.run();
        let row = &world.link_rows()[0];
        let mean = row.held_mean_pkts.expect("a pacer");
        assert!(
            (mean - held).abs() < 1e-3,
            "{mbps} Mbps: {mean} packets held"
        );
        let mean_ms = row.pacing_delay_mean_s.expect("packets") * 1e3;
        assert!(
            (mean_ms - delay_ms).abs() < 1e-4,
            "{mbps} Mbps: {mean_ms} ms"
        );
        assert!(
            row.queue_max_pkts <= 1,
            "QLBP is never faster than its line"
        );
    }
}

#[test]
fn without_pacing_a_gate_changes_nothing() {
    let line = Rate::from_mbps(10);
    let run = |pacer: Option<PortPacer>| {
        let mut model = one_port(
            PortPacer::Unpaced(UnpacedConfig {
                capacity: Capacity::Unlimited,
            }),
            line,
            poisson(9),
        );
        model.links[0].extras.pacer = pacer;
        model.links[0].buffer = Buffer::waiting(Capacity::Packets(5));
        let mut world = World::new(model).expect("a good model");
        world.run();
        (world.fingerprint(), world.link_rows()[0].dropped_pkts)
    };
    let unpaced = UnpacedConfig {
        capacity: Capacity::Unlimited,
    };
    let plain = run(None);
    assert!(plain.1 > 0, "{:?}", plain.1);
    assert_eq!(run(Some(PortPacer::Unpaced(unpaced))), plain);
}

#[test]
fn a_full_pacer_drops_and_says_so() {
    let config = HullConfig {
        capacity: Capacity::Packets(2),
        ..HullConfig::new(Span::from_ms(50))
    };
    let mut world = World::new(one_port(
        PortPacer::Hull(config),
        Rate::from_mbps(10),
        poisson(5),
    ))
    .expect("a good model");
    world.run();
    let row = &world.link_rows()[0];
    assert_eq!(row.held_max_pkts, Some(2));
    assert!(row.dropped_pkts > 1000, "{:?}", row.dropped_pkts);
    assert_eq!(world.flow(FlowId(0)).dropped.packets, row.dropped_pkts);
    assert!(
        row.pacing_delay_max_s.expect("packets") <= 50e-3,
        "{:?} and {:?}",
        row.pacing_delay_max_s.expect("packets"),
        50e-3
    );
}

#[test]
fn a_class_of_flows_has_its_own_delay() {
    let delays = [Span::from_ms(2), Span::from_ms(20)];
    let config = HullMultiConfig::new(delays.to_vec());
    let mut model = one_port(
        PortPacer::HullMulti(config),
        Rate::from_mbps(1000),
        poisson(2),
    );
    let (from, to) = (model.flows[0].from, model.flows[0].to);
    let slow = model.add_flow(from, to, poisson(2));
    model.flow_mut(slow).class = 1;
    let mut world = World::new(model).expect("a good model");
    world.run();
    let longest = |flow| world.flow(FlowId(flow)).delay_ps.max().expect("packets");
    // Propagation of 1 ms, transmission of at most a few packets.
    let limit = |delay: Span| (delay + Span::from_us(1100)).as_ps();
    assert!(
        longest(0) <= limit(delays[0]),
        "{:?} and {:?}",
        longest(0),
        limit(delays[0])
    );
    assert!(
        longest(1) <= limit(delays[1]),
        "{:?} and {:?}",
        longest(1),
        limit(delays[1])
    );
    assert!(
        longest(1) > limit(delays[0]),
        "the second class is held longer"
    );
}

/// One packet at fixed intervals.
struct Metronome {
    queue: VecDeque<Pending>,
    beat: Span,
    free_at: Time,
    next: Release,
}

impl Metronome {
    fn schedule(&mut self, now: Time) {
        self.next = if self.queue.is_empty() {
            Release::Idle
        } else {
            Release::At(self.free_at.max(now))
        };
    }
}

impl Pacer for Metronome {
    fn enqueue(&mut self, now: Time, packet: Pending) -> Result<(), Refused> {
        self.queue.push_back(packet);
        self.schedule(now);
        Ok(())
    }
    fn dequeue(&mut self, now: Time) -> Option<Pending> {
        if !self.next.is_ready(now) {
            return None;
        }
        let packet = self.queue.pop_front()?;
        self.free_at = now + self.beat;
        self.schedule(now);
        Some(packet)
    }
    fn next_release(&self) -> Release {
        self.next
    }
    fn waiting(&self) -> Waiting {
        Waiting {
            packets: self.queue.len() as u64,
            bytes: Bytes(self.queue.iter().map(|packet| u64::from(packet.size)).sum()),
        }
    }
}

#[test]
fn a_users_own_pacer_sits_in_a_port() {
    let own = OwnPacer::new("metronome", |port| Metronome {
        queue: VecDeque::new(),
        beat: port
            .rate
            .transmission_time(Bytes(1_250_000))
            .expect("a second at 10 Mbps")
            / 1000,
        free_at: Time::ZERO,
        next: Release::Idle,
    });
    let at = Span::from_ms(1);
    let burst = vec![
        Arrival {
            at,
            size: Bytes(100)
        };
        4
    ];
    let model = one_port(own, Rate::from_mbps(10), Traffic::Recorded(burst.into()));
    assert_eq!(
        model.links[0].extras.pacer.as_ref().map(PortPacer::name),
        Some("metronome")
    );
    let left: Vec<Time> = releases(model).into_iter().map(|(_, at)| at).collect();
    assert_eq!(left, [1, 2, 3, 4].map(|ms| Time::ZERO + Span::from_ms(ms)));
}

/// Ten TCP flows of all variants over a bottleneck with eight packets of buffer.
fn dumbbell(pacer: &PortPacer) -> Model {
    let mut model = Model::new("dumbbell", Span::from_secs(20));
    let (left, right) = (model.add_node("L"), model.add_node("R"));
    let core = model.add_link(left, right, Rate::from_mbps(10), Span::from_ms(10));
    model.link_mut(core).buffer = Buffer::waiting(Capacity::Packets(8));
    let back = model.add_link(right, left, Rate::from_mbps(10), Span::from_ms(10));
    for i in 0..10 {
        let (s, d) = (
            model.add_node(format!("s[{i}]")),
            model.add_node(format!("d[{i}]")),
        );
        for (a, b) in [(s, left), (left, s), (right, d), (d, right)] {
            let link = model.add_link(a, b, Rate::from_mbps(20), Span::from_ms(1 + i));
            if (a, b) == (s, left) {
                model.link_mut(link).extras.pacer = Some(pacer.clone());
            }
        }
        let config = Config::ns2(Variant::ALL[i as usize % Variant::ALL.len()]);
        let tcp = Tcp {
            config: Arc::new(config),
            load: Load::Endless,
            clock_phase: None,
            transport: None,
        };
        let flow = model.add_flow(s, d, Traffic::Tcp(tcp));
        model.flow_mut(flow).start = Time::ZERO + Span::from_ms(50 * i);
    }
    // Acknowledgements are paced as well, and data once more before the bottleneck.
    model.link_mut(core).extras.pacer = Some(pacer.clone());
    model.link_mut(back).extras.pacer = Some(pacer.clone());
    model
}

/// Data and acknowledgements alive, and for each flow whether it makes progress.
#[derive(Default)]
struct Pulse {
    delivered: Vec<u64>,
}

impl Probe for Pulse {
    fn delivered(&mut self, _: Time, packet: &Packet) {
        if packet.kind() == Kind::Data {
            self.delivered.resize(10, 0);
            self.delivered[packet.flow.index()] += 1;
        }
    }
}

#[test]
fn every_pacer_lets_tcp_through_a_dumbbell() {
    for pacer in pacers(Span::from_ms(2), Capacity::Packets(200)) {
        let name = pacer.name().to_owned();
        let run = || {
            let mut world =
                World::watched(dumbbell(&pacer), Pulse::default()).expect("a good model");
            let mut halfway = Vec::new();
            for second in 1..=20 {
                world.run_until(Time::ZERO + Span::from_secs(second));
                if second == 10 {
                    halfway = world.probe().delivered.clone();
                }
                for flow in (0..10).map(FlowId) {
                    let tally = world.flow(flow);
                    let gone = tally.delivered.packets + tally.dropped.packets;
                    assert!(tally.sent.packets >= gone, "{name}: flow {flow:?}");
                }
            }
            let end = world.probe().delivered.clone();
            for (flow, (half, all)) in halfway.iter().zip(&end).enumerate() {
                assert!(all > half, "{name}: flow {flow} stalls");
            }
            world.fingerprint()
        };
        assert_eq!(run(), run(), "{name}");
    }
}

#[test]
fn a_fraction_of_a_group_may_pace_and_pacers_work_in_tandem() {
    let text = r#"
        run = { duration = "5s" }
        [[node]]
        name = "s"
        count = 10
        [[node]]
        name = "edge"
        [[node]]
        name = "core"
        [[node]]
        name = "d"
        [[link]]
        name = "access"
        from = "s"
        to = "edge"
        rate = "10Mbps"
        pacer = { kind = "hull", delay = "5ms", share = 0.3 }
        [[link]]
        name = "tandem"
        from = "edge"
        to = "core"
        rate = "100Mbps"
        pacer = { kind = "rule_of_thumb", utilisation = 0.5, d_max = "4ms" }
        [[link]]
        name = "last"
        from = "core"
        to = "d"
        rate = "100Mbps"
        pacer = { kind = "leaky_bucket", rate = "60Mbps" }
        [[flow]]
        name = "f"
        from = "s"
        to = "d"
        traffic = { kind = "poisson", rate = "5Mbps", size = "1KB" }
    "#;
    let scenario = pacesim::scenario::load("tandem.toml", text, &[], &()).expect("a good scenario");
    let model = scenario.expand(1, 0);
    let paced = |name: &str| {
        let of = |link: &&pacesim::model::Link| {
            link.name.to_string().starts_with(name) && link.extras.pacer.is_some()
        };
        model.links.iter().filter(of).count()
    };
    assert_eq!((paced("access"), paced("tandem"), paced("last")), (3, 1, 1));
    assert!(
        model
            .links
            .iter()
            .filter(|l| l.name.to_string().contains("back"))
            .all(|l| l.extras.pacer.is_none())
    );
    let mut world = World::new(model).expect("a good model");
    world.run();
    assert!(
        world
            .link_rows()
            .iter()
            .filter_map(|row| row.pacing_delay_mean_s)
            .all(|seconds| seconds > 0.0)
    );
}

#[test]
fn a_topologys_pacers_are_before_its_middle_only() {
    let text = r#"
        run = { duration = "1s" }
        [topology]
        shape = "access_tree"
        hosts = 4
        edges = 2
        access = { rate = "10Mbps", pacer = { kind = "hull", delay = "1ms" } }
        edge = { rate = "10Mbps", pacer = { kind = "hull", delay = "5ms" } }
        core = { rate = "10Mbps" }
        [[flow]]
        name = "f"
        from = "left"
        to = "right"
        traffic = { kind = "poisson", rate = "1Mbps", size = "1KB" }
    "#;
    let scenario = pacesim::scenario::load("tree.toml", text, &[], &()).expect("a good scenario");
    let model = scenario.expand(1, 0);
    let paced = model
        .links
        .iter()
        .filter(|link| link.extras.pacer.is_some());
    let names: Vec<String> = paced.map(|link| link.name.to_string()).collect();
    let expected = [
        "access[0]",
        "access[1]",
        "access[2]",
        "access[3]",
        "edge[0]",
        "edge[1]",
    ];
    assert_eq!(names, expected);
}
