//! Small networks whose times are known by hand to the picosecond.

use pacesim::World;
use pacesim::model::{Arrival, Buffer, Loss, Model, ScriptedDrop, Traffic};
use pacesim::net::{DropCause, Packet, Passage, Probe};
use pacesim::units::{Bytes, Capacity, FlowId, LinkId, NodeId, Rate, Span, Time};

/// The events that a probe saw, in order.
#[derive(Default)]
struct Log {
    departures: Vec<(u32, u32, u32, u64)>,
    drops: Vec<(u32, u32, u64, DropCause)>,
    deliveries: Vec<(u32, u32, u64)>,
}

impl Probe for Log {
    fn accepted(&mut self, _: Time, link: LinkId, packet: &Packet, passage: Passage) {
        self.departures
            .push((link.0, packet.flow.0, packet.seq, passage.departure.as_ps()));
    }

    fn dropped(&mut self, now: Time, _: LinkId, packet: &Packet, cause: DropCause) {
        self.drops
            .push((packet.flow.0, packet.seq, now.as_ps(), cause));
    }

    fn delivered(&mut self, now: Time, packet: &Packet) {
        self.deliveries
            .push((packet.flow.0, packet.seq, now.as_ps()));
    }
}

fn recorded(arrivals: &[(u64, u64)]) -> Traffic {
    let arrival = |&(at, size): &(u64, u64)| Arrival {
        at: Span::from_ps(at),
        size: Bytes(size),
    };
    Traffic::Recorded(arrivals.iter().map(arrival).collect())
}

fn chain(nodes: usize, duration: Span) -> (Model, Vec<NodeId>) {
    let mut model = Model::new("chain", duration);
    let nodes = (0..nodes)
        .map(|i| model.add_node(format!("node[{i}]")))
        .collect();
    (model, nodes)
}

fn run(model: Model) -> Log {
    let mut world = World::watched(model, Log::default()).expect("a good model");
    world.run();
    world.into_probe()
}

#[test]
fn cbr_through_a_tandem_is_exact_to_the_picosecond() {
    let (mut model, nodes) = chain(4, Span::from_ms(50));
    for (i, mbps) in [15, 7, 100].into_iter().enumerate() {
        let delay = Span::from_us(100 * (i as u64 + 1));
        model.add_link(nodes[i], nodes[i + 1], Rate::from_mbps(mbps), delay);
    }
    let (rate, size) = (Rate::from_mbps(3), Bytes(1000));
    model.add_flow(nodes[0], nodes[3], Traffic::Cbr { rate, size });
    let log = run(model);
    // Gaps are 8000/3e6 s = 2.666... ms; no port is ever busy, so each hop adds its own
    // transmission time, rounded up to a picosecond, and its delay.
    let hops = [
        533_333_334 + 100_000_000,
        1_142_857_143 + 200_000_000,
        80_000_000 + 300_000_000u64,
    ];
    let ideal_gap = |k: u64| (k * 8_000_000_000_000_000u64).div_ceil(3_000_000);
    assert_eq!(log.deliveries.len(), 18);
    for (k, delivery) in log.deliveries.iter().enumerate() {
        let expected = ideal_gap(k as u64) + hops.iter().sum::<u64>();
        assert_eq!(*delivery, (0, k as u32, expected));
    }
}

#[test]
fn a_busy_line_carries_what_a_picosecond_cannot_hold() {
    let (mut model, nodes) = chain(2, Span::from_ms(10));
    model.add_link(nodes[0], nodes[1], Rate::from_mbps(15), Span::ZERO);
    model.add_flow(
        nodes[0],
        nodes[1],
        recorded(&[(0, 1000), (0, 1000), (0, 1000), (1, 500)]),
    );
    let departures: Vec<u64> = run(model).departures.iter().map(|d| d.3).collect();
    // n x 533333333.33 ps rounded up, then half of one more.
    assert_eq!(
        departures,
        [533_333_334, 1_066_666_667, 1_600_000_000, 1_866_666_667]
    );
}

/// Two access links of equal rate into a core port with room for one waiting packet.
fn merge_at(core_buffer: Buffer, first: &[(u64, u64)], second: &[(u64, u64)]) -> Log {
    let mut model = Model::new("merge", Span::from_ms(100));
    let [a, b, router, sink] = ["a", "b", "router", "sink"].map(|name| model.add_node(name));
    model.add_link(a, router, Rate::from_mbps(8), Span::from_ms(1));
    model.add_link(b, router, Rate::from_mbps(8), Span::from_ms(1));
    let core = model.add_link(router, sink, Rate::from_mbps(8), Span::from_ms(1));
    model.link_mut(core).buffer = core_buffer;
    model.add_flow(a, sink, recorded(first));
    model.add_flow(b, sink, recorded(second));
    run(model)
}

#[test]
fn at_equal_times_the_earlier_transmission_comes_first() {
    // Both arrive at 2.5 ms; flow 1's packet is smaller, so its transmission began later.
    let ms = 1_000_000_000;
    let buffer = Buffer::waiting(Capacity::Packets(1));
    let log = merge_at(buffer, &[(ms / 2, 1000)], &[(ms, 500)]);
    let at_core: Vec<u32> = log
        .departures
        .iter()
        .filter(|d| d.0 == 2)
        .map(|d| d.1)
        .collect();
    assert_eq!(at_core, [0, 1]);
}

#[test]
fn at_equal_times_and_beginnings_the_lower_link_comes_first() {
    let buffer = Buffer::waiting(Capacity::Packets(1));
    let log = merge_at(buffer, &[(0, 1000), (0, 1000)], &[(0, 1000), (0, 1000)]);
    // At 2 ms both first packets arrive: 0 is sent, 1 waits. At 3 ms 0's departure began at 2 ms,
    // the second arrivals at 1 ms: these come first and find the buffer full.
    let arrived = Time::from_ps(3_000_000_000);
    let full = DropCause::Full { arrived };
    assert_eq!(
        log.drops,
        [(0, 1, 3_000_000_000, full), (1, 1, 3_000_000_000, full),]
    );
    let delivered: Vec<_> = log.deliveries.iter().map(|d| (d.0, d.2)).collect();
    assert_eq!(delivered, [(0, 4_000_000_000), (1, 5_000_000_000)]);
}

#[test]
fn a_departure_that_began_before_an_arrival_makes_room_for_it() {
    // The core sends flow 0's packet from 4 to 7 ms while another waits. Flow 1's small one arrives
    // at exactly 7 ms, but its transmission began at 5.5 ms: after the departure's.
    let ms = 1_000_000_000u64;
    let buffer = Buffer::waiting(Capacity::Packets(1));
    let log = merge_at(buffer, &[(0, 3000)], &[(3 * ms, 1000), (11 * ms / 2, 500)]);
    assert_eq!(log.drops, []);
    // 0 leaves at 7, 1 at 8, the small one at 8.5 ms, each plus 1 ms.
    let times: Vec<u64> = log.deliveries.iter().map(|d| d.2).collect();
    assert_eq!(times, [8 * ms, 9 * ms, 19 * ms / 2]);
}

#[test]
fn each_convention_holds_what_it_says() {
    let burst = |n: usize| vec![(0u64, 1000u64); n];
    let dropped = |buffer: Buffer, sizes: &[(u64, u64)]| {
        let (mut model, nodes) = chain(2, Span::from_ms(100));
        let link = model.add_link(nodes[0], nodes[1], Rate::from_mbps(8), Span::ZERO);
        model.link_mut(link).buffer = buffer;
        model.add_flow(nodes[0], nodes[1], recorded(sizes));
        run(model).drops.iter().map(|d| d.1).collect::<Vec<u32>>()
    };
    let (packets, bytes) = (Capacity::Packets, |n| Capacity::Bytes(Bytes(n)));
    // One packet is in transmission; as many as the buffer holds wait.
    assert_eq!(dropped(Buffer::waiting(packets(2)), &burst(5)), [3, 4]);
    assert_eq!(dropped(Buffer::system(packets(2)), &burst(5)), [2, 3, 4]);
    assert_eq!(dropped(Buffer::system(packets(1)), &burst(3)), [1, 2]);
    assert_eq!(dropped(Buffer::waiting(packets(0)), &burst(2)), [0, 1]);
    assert_eq!(dropped(Buffer::waiting(bytes(2000)), &burst(5)), [3, 4]);
    assert_eq!(dropped(Buffer::waiting(bytes(1999)), &burst(5)), [2, 3, 4]);
    // An idle port checks the room too: a packet larger than the buffer is never accepted.
    assert_eq!(dropped(Buffer::waiting(bytes(999)), &burst(2)), [0, 1]);
    assert_eq!(dropped(Buffer::system(bytes(2000)), &burst(5)), [2, 3, 4]);
    let mixed = [(0, 1000), (0, 600), (0, 600), (0, 400)];
    assert_eq!(dropped(Buffer::waiting(bytes(1000)), &mixed), [2]);
    assert_eq!(dropped(Buffer::UNLIMITED, &burst(50)), [0u32; 0]);
}

#[test]
fn the_queue_is_measured_without_the_packet_being_sent() {
    let (mut model, nodes) = chain(2, Span::from_ms(10));
    model.add_link(nodes[0], nodes[1], Rate::from_mbps(8), Span::ZERO);
    model.add_flow(
        nodes[0],
        nodes[1],
        recorded(&[(0, 1000), (0, 1000), (0, 500)]),
    );
    let mut world = World::new(model).expect("a good model");
    world.run();
    let row = &world.link_rows()[0];
    // Two wait for 1 ms, one of them (500 B) for 1 ms more, of 10 ms.
    assert_eq!(row.queue_max_pkts, 2);
    assert_eq!(row.queue_max_bytes, 1500);
    assert!(
        (row.queue_mean_pkts - 0.3).abs() < 1e-12,
        "{:?}",
        row.queue_mean_pkts
    );
    assert!(
        (row.queue_mean_bytes - 200.0).abs() < 1e-9,
        "{:?}",
        row.queue_mean_bytes
    );
    assert!(
        (row.utilisation - 0.25).abs() < 1e-12,
        "{:?}",
        row.utilisation
    );
}

#[test]
fn counters_are_right_at_any_time_not_only_when_all_has_left() {
    let (mut model, nodes) = chain(2, Span::from_ms(10));
    model.add_link(nodes[0], nodes[1], Rate::from_mbps(8), Span::from_ms(3));
    model.add_flow(
        nodes[0],
        nodes[1],
        recorded(&[(0, 1000), (0, 1000), (0, 1000)]),
    );
    let mut world = World::new(model).expect("a good model");
    world.run_until(Time::ZERO + Span::from_us(1500));
    let row = &world.link_rows()[0];
    assert_eq!((row.arrived_pkts, row.left_pkts), (3, 1));
    assert_eq!(world.waiting(LinkId(0)), (1, 1000));
    // Until 1.5 ms two waited for 1 ms, then one for half a millisecond.
    assert!(
        (row.queue_mean_pkts - 2.5 / 1.5).abs() < 1e-12,
        "{:?} and {:?}",
        row.queue_mean_pkts,
        2.5 / 1.5
    );
    assert_eq!(world.flow_rows()[0].delivered_pkts, 0);
}

#[test]
fn scripted_drops_hit_the_packets_they_name() {
    let (mut model, nodes) = chain(2, Span::from_ms(10));
    let link = model.add_link(nodes[0], nodes[1], Rate::from_mbps(80), Span::ZERO);
    model.add_flow(nodes[0], nodes[1], recorded(&[(0, 1000); 5]));
    model.link_mut(link).extras.drops = vec![
        ScriptedDrop::Packet { k: 2 },
        ScriptedDrop::Sequence {
            flow: FlowId(0),
            seq: 4,
            k: 1,
        },
    ];
    let log = run(model);
    assert_eq!(
        log.drops,
        [(0, 1, 0, DropCause::Script), (0, 4, 0, DropCause::Script)]
    );
    assert_eq!(log.deliveries.len(), 3);
}

#[test]
fn sources_start_and_stop_at_their_times() {
    let (mut model, nodes) = chain(2, Span::from_ms(20));
    model.add_link(nodes[0], nodes[1], Rate::from_mbps(80), Span::ZERO);
    let traffic = Traffic::Cbr {
        rate: Rate::from_mbps(8),
        size: Bytes(1000),
    };
    let flow = model.add_flow(nodes[0], nodes[1], traffic);
    model.flow_mut(flow).start = Time::ZERO + Span::from_us(2500);
    model.flow_mut(flow).stop = Some(Time::ZERO + Span::from_us(5500));
    let times: Vec<u64> = run(model).deliveries.iter().map(|d| d.2).collect();
    // At 2.5, 3.5 and 4.5 ms; 5.5 ms is past the stop.
    assert_eq!(times, [2_600_000_000, 3_600_000_000, 4_600_000_000]);
}

#[test]
fn a_wire_does_not_lose_more_than_all_that_came_before_the_warm_up() {
    // Ten packets leave in the first 10 ms and reach the far end of the wire after the warm-up,
    // when only one more arrives at the port.
    let (mut model, nodes) = chain(2, Span::from_ms(250));
    model.warmup = Span::from_ms(50);
    let link = model.add_link(nodes[0], nodes[1], Rate::from_mbps(8), Span::from_ms(100));
    model.link_mut(link).extras.loss = Some(Loss::Bernoulli { probability: 1.0 });
    let mut arrivals: Vec<(u64, u64)> = (0..10).map(|ms| (ms * 1_000_000_000, 1000)).collect();
    arrivals.push((60_000_000_000, 1000));
    model.add_flow(nodes[0], nodes[1], recorded(&arrivals));
    let mut world = World::new(model).expect("a good model");
    world.run_until(Time::ZERO + Span::from_ms(100));
    let row = |world: &World| world.link_rows()[link.index()].clone();
    // The first is transmitted in 1 ms and propagates for 100 ms: it is lost at 101 ms, not before.
    assert_eq!((row(&world).left_pkts, row(&world).lost_pkts), (1, 0));
    world.run();
    let row = row(&world);
    let counts = (
        row.arrived_pkts,
        row.left_pkts,
        row.lost_pkts,
        row.reached_pkts,
    );
    assert_eq!(counts, (1, 1, 11, 11));
    assert_eq!(row.loss_ratio, Some(1.0));
}
