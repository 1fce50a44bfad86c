//! Routes with junctions against whole routes: the same packets at the same times.

use pacesim_core::net::{
    Arrivals, Flags, Hop, Kind, LinkConfig, Network, Packet, Passage, Probe, RouteId, Use,
};
use pacesim_units::{Capacity, FlowId, LinkId, NodeId, Rate, Span, Time};
use proptest::prelude::*;

/// Links 0 to 3 lead to the junction, 4 to 7 from there; each of these has another behind it, 8 to 11,
/// and the last leads to an end by itself.
const INPUTS: u32 = 4;
const OUTPUTS: u32 = 4;
const END: Time = Time::from_ps(1_000_000_000_000);

/// All packets that lines took and that arrived, in the order in which they are seen.
#[derive(Debug, Default, PartialEq, Eq)]
struct Seen {
    taken: Vec<(Time, LinkId, u32, Passage)>,
    arrived: Vec<(Time, u32)>,
    works_ahead: bool,
}

impl Probe for Seen {
    fn in_order(&self) -> bool {
        !self.works_ahead
    }

    fn accepted(&mut self, now: Time, link: LinkId, packet: &Packet, passage: Passage) {
        self.taken.push((now, link, packet.seq, passage));
    }

    fn delivered(&mut self, now: Time, packet: &Packet) {
        self.arrived.push((now, packet.seq));
    }
}

/// A packet to send: time in microseconds, input, output, and true for an acknowledgement.
type Sent = (u64, u32, u32, bool);

fn network() -> Network {
    let config = |link: u32| LinkConfig {
        rate: Rate::from_mbps([10, 20, 40][link as usize % 3]),
        delay: Span::from_us(u64::from(link % 2) * 100),
        capacity: Capacity::Packets(6),
        counts_sending: false,
    };
    let links: Vec<LinkConfig> = (0..INPUTS + 2 * OUTPUTS).map(config).collect();
    Network::new(&links, 0)
}

fn rest(output: u32) -> [LinkId; 2] {
    [INPUTS + output, INPUTS + OUTPUTS + output].map(LinkId)
}

/// The route of each packet as a list of all its links.
fn whole(network: &mut Network, sent: &[Sent]) -> Vec<RouteId> {
    let route = |(_, input, output, _): &Sent| {
        let [first, second] = rest(*output);
        network.add_route(&[LinkId(*input), first, second])
    };
    sent.iter().map(route).collect()
}

/// The route of each packet as one to the junction, from which ways lead on.
fn in_tables(network: &mut Network, sent: &[Sent]) -> Vec<RouteId> {
    let junction = network.add_junction();
    // Out of order, so that tables grow at both ends.
    for output in [2, 1, 3, 0] {
        let before = (output % 2 == 0).then_some(LinkId(0));
        let links = before.into_iter().chain(rest(output));
        let way = network.add_route(&links.collect::<Vec<_>>());
        let to = NodeId(10 + output);
        assert_eq!(network.way(junction, to), None);
        network.add_way(junction, to, before, way);
        let way = network.way(junction, to).expect("it was added");
        assert!(network.path(way).eq(rest(output)));
    }
    // The flow of a packet is its input and its output; of two outputs, data go to the first.
    let ends = |flow| [flow % OUTPUTS, (flow + 1) % OUTPUTS].map(|output| NodeId(10 + output));
    network.set_destinations((0..INPUTS * OUTPUTS).map(ends).collect());
    let stems: Vec<RouteId> = (0..INPUTS)
        .map(|input| {
            let hops = [Hop::Link(LinkId(input)), Hop::Fork(junction)];
            network.add_route_through(&hops)
        })
        .collect();
    for (input, stem) in (0..).zip(&stems) {
        assert_eq!(network.fork_of(*stem), Some(junction));
        assert!(network.path(*stem).eq([LinkId(input)]));
    }
    for (_, input, output, _) in sent {
        network.note_turn(Some(LinkId(*input)), junction, NodeId(10 + output));
    }
    sent.iter().map(|sent| stems[sent.1 as usize]).collect()
}

fn run(
    sent: &[Sent],
    horizon: Option<u64>,
    routes: impl FnOnce(&mut Network, &[Sent]) -> Vec<RouteId>,
) -> (Seen, u64) {
    let mut network = network();
    let routes = routes(&mut network, sent);
    let works_ahead = horizon.is_some();
    let mut seen = Seen {
        works_ahead,
        ..Seen::default()
    };
    if let Some(us) = horizon {
        let uses = routes.iter().map(|route| Use {
            route: *route,
            sends: true,
            arrivals: Arrivals::Open,
        });
        network.work_ahead(&uses.collect::<Vec<_>>());
        network.set_horizon(Time::ZERO + Span::from_us(us));
    }
    for ((seq, &(us, input, output, is_ack)), route) in (0..).zip(sent).zip(routes) {
        let at = Time::ZERO + Span::from_us(us);
        while network.next(at, &mut seen).is_some() {}
        // Acknowledgements go to the output after that of their flow's data.
        let flow = (output + OUTPUTS - u32::from(is_ack)) % OUTPUTS;
        let packet = Packet {
            flow: FlowId(input * OUTPUTS + flow),
            seq,
            size: 500 + 100 * (seq % 7),
            flags: Flags::from(if is_ack { Kind::Ack } else { Kind::Data }),
            ..Packet::default()
        };
        network.send(at, at, route, packet, None, &mut seen);
    }
    network.set_horizon(if works_ahead { END } else { Time::ZERO });
    while network.next(END, &mut seen).is_some() {}
    if works_ahead {
        seen.taken.sort_by_key(|(now, link, ..)| (*link, *now));
        seen.arrived.sort();
    }
    (seen, network.fingerprint())
}

fn packets() -> impl Strategy<Value = Vec<Sent>> {
    // From few inputs, so that an output may have one feeder.
    let packet = |inputs| (0u64..20, 0..inputs, 0..OUTPUTS, any::<bool>());
    let packets =
        (1..=INPUTS).prop_flat_map(move |inputs| prop::collection::vec(packet(inputs), 1..60));
    packets.prop_map(|mut packets| {
        let mut at = 0;
        for packet in &mut packets {
            // Some at the same time, some after a pause.
            at += [0, 3, 50, 400][packet.0 as usize % 4];
            packet.0 = at;
        }
        packets
    })
}

proptest! {
    #[test]
    fn junctions_lead_packets_where_whole_routes_do(
        sent in packets(), horizon in prop::option::weighted(0.8, 0u64..30_000),
    ) {
        let expected = run(&sent, horizon, whole);
        let found = run(&sent, horizon, in_tables);
        prop_assert_eq!(expected, found);
    }
}

#[test]
fn numbers_of_routes_are_counted() {
    let mut network = network();
    assert_eq!(network.route_numbers(), 0);
    in_tables(&mut network, &[]);
    // Ways of two links and an end, two of them behind a link, and stems of a link, a fork and an end;
    // the table of four destinations.
    assert_eq!(network.route_numbers(), 4 * 3 + 2 + 4 * 3 + 4);
}

#[test]
#[should_panic(expected = "no way leads from here to node 99, to which a packet of flow 0 goes")]
fn a_packet_without_a_way_is_a_bug() {
    let mut network = network();
    let routes = in_tables(&mut network, &[(0, 0, 0, false)]);
    network.set_destinations(vec![[NodeId(99); 2]]);
    let packet = Packet {
        size: 1000,
        ..Packet::default()
    };
    network.send(Time::ZERO, Time::ZERO, routes[0], packet, None, &mut ());
    while network.next(END, &mut ()).is_some() {}
}
