//! A memory shared by the ports of a node, against a model without events; requests upstream.

use std::collections::VecDeque;
use std::fmt::Debug;

use pacesim_core::engine::Wheel;
use pacesim_core::net::{
    Absent, DropCause, Fittings, Line, LinkConfig, Network, Offered, Packet, Parts, Passage, Probe,
    Reason, Signal, Stage, Switch, Turn,
};
use pacesim_units::{Capacity, FlowId, LinkId, Rate, Span, Time};
use proptest::prelude::*;

/// A queue without limits.
#[derive(Debug, Default)]
struct Fifo(VecDeque<u32>);

impl Stage for Fifo {
    fn arrive(&mut self, _now: Time, place: u32, _packet: &Packet) -> Result<(), Reason> {
        self.0.push_back(place);
        Ok(())
    }
    fn turn(&mut self, _now: Time, line: Line) -> Turn {
        match line {
            Line::Busy => Turn::Hold,
            Line::Free => self.0.pop_front().map_or(Turn::Hold, Turn::go),
        }
    }
}

/// A memory of bytes for all ports. With a threshold it asks the inputs to hold while more is used.
#[derive(Debug)]
struct Pool {
    size: u64,
    used: u64,
    waiting: u64,
    hold_above: Option<u64>,
    held: Vec<LinkId>,
    signals: VecDeque<Signal>,
}

const ANSWER: Span = Span::from_us(3);

impl Pool {
    fn new(size: u64, hold_above: Option<u64>) -> Pool {
        Pool {
            size,
            used: 0,
            waiting: 0,
            hold_above,
            held: Vec::new(),
            signals: VecDeque::new(),
        }
    }

    fn ask(&mut self, input: LinkId, holds: bool) {
        let after = ANSWER;
        self.signals.push_back(Signal {
            input,
            class: None,
            holds,
            quanta: None,
            frame: None,
            after,
        });
    }
}

impl Switch for Pool {
    fn admit(&mut self, _now: Time, offered: &Offered<'_>) -> Result<(), Reason> {
        let size = u64::from(offered.packet.size);
        if self.used + size > self.size {
            return Err(Reason::Full);
        }
        self.used += size;
        self.waiting += 1;
        if let Some(input) = offered.from
            && self.hold_above.is_some_and(|above| self.used > above)
            && !self.held.contains(&input)
        {
            self.held.push(input);
            self.ask(input, true);
        }
        Ok(())
    }

    fn starts(&mut self, _now: Time, _offered: &Offered<'_>) {
        self.waiting -= 1;
    }

    fn left(&mut self, _now: Time, offered: &Offered<'_>) {
        self.used -= u64::from(offered.packet.size);
        if self.hold_above.is_some_and(|above| self.used <= above) {
            for input in std::mem::take(&mut self.held) {
                self.ask(input, false);
            }
        }
    }

    fn signal(&mut self) -> Option<Signal> {
        self.signals.pop_front()
    }
}

#[derive(Debug)]
enum Shared {}

impl Parts for Shared {
    type Gate = Absent;
    type Queue = Fifo;
    type Switch = Pool;
    type Middlebox = Absent;
    type Payload = ();
}

/// The links that accepted and refused packets, by the number of each packet.
#[derive(Debug, Default, PartialEq, Eq)]
struct Seen {
    departures: Vec<(u32, Time)>,
    drops: Vec<u32>,
}

impl Probe for Seen {
    fn accepted(&mut self, _now: Time, link: LinkId, packet: &Packet, passage: Passage) {
        if link.0 >= INPUTS {
            self.departures.push((packet.seq, passage.departure));
        }
    }
    fn dropped(&mut self, _now: Time, _link: LinkId, packet: &Packet, cause: DropCause) {
        assert!(matches!(cause, DropCause::Full { .. }), "{cause:?}");
        self.drops.push(packet.seq);
    }
}

/// Links 0 to 2 lead to the node, 3 and 4 from there.
const INPUTS: u32 = 3;
const OUTPUTS: u32 = 2;
const END: Time = Time::from_ps(1_000_000_000_000_000);
const FAST: u64 = 100_000_000_000;
const SLOW: u64 = 10_000_000;

fn config(bps: u64) -> LinkConfig {
    LinkConfig {
        rate: Rate::from_bps(bps).expect("not zero"),
        delay: Span::from_us(1),
        capacity: Capacity::Unlimited,
        counts_sending: false,
    }
}

/// A packet to send: time, input, output and size.
type Sent = (Time, u32, u32, u32);

/// The node with its pool: the packets' fates, and the network afterwards.
fn simulate(sent: &[Sent], pool: Pool) -> (Seen, Network<Wheel, Shared>) {
    let links: Vec<LinkConfig> = (0..INPUTS + OUTPUTS)
        .map(|link| config(if link < INPUTS { FAST } else { SLOW }))
        .collect();
    let ports = (INPUTS..INPUTS + OUTPUTS).map(LinkId).collect();
    let fittings = Fittings {
        queues: (0..INPUTS + OUTPUTS)
            .map(|link| (LinkId(link), Fifo::default()))
            .collect(),
        switches: vec![(ports, pool)],
        ..Fittings::default()
    };
    let mut network = Network::fitted(links.into_iter(), 0, fittings);
    let mut seen = Seen::default();
    for (seq, &(at, input, output, size)) in sent.iter().enumerate() {
        let route = network.add_route(&[LinkId(input), LinkId(INPUTS + output)]);
        while network.next(at, &mut seen).is_some() {}
        let packet = Packet {
            flow: FlowId(output),
            seq: seq as u32,
            size,
            ..Packet::default()
        };
        network.send(at, at, route, packet, None, &mut seen);
    }
    while network.next(END, &mut seen).is_some() {}
    (seen, network)
}

/// The same without events: each packet arrives, all transmissions that ended by then give their
/// bytes back, and it is accepted if it fits.
fn expected(sent: &[Sent], memory: u64) -> Seen {
    let time = |size: u32, bps: u64| Span::from_ps(u64::from(size) * 8_000_000_000_000 / bps);
    let mut input_free = [Time::ZERO; INPUTS as usize];
    let mut arrivals = Vec::new();
    for (seq, &(at, input, output, size)) in sent.iter().enumerate() {
        let free = &mut input_free[input as usize];
        *free = at.max(*free) + time(size, FAST);
        arrivals.push((*free + Span::from_us(1), seq as u32, output, size));
    }
    arrivals.sort();
    let mut output_free = [Time::ZERO; OUTPUTS as usize];
    let mut inside: Vec<(Time, u32)> = Vec::new();
    let mut seen = Seen::default();
    for (at, seq, output, size) in arrivals {
        inside.retain(|(leaves, _)| *leaves > at);
        let used: u64 = inside.iter().map(|(_, size)| u64::from(*size)).sum();
        if used + u64::from(size) > memory {
            seen.drops.push(seq);
            continue;
        }
        let free = &mut output_free[output as usize];
        *free = at.max(*free) + time(size, SLOW);
        inside.push((*free, size));
        seen.departures.push((seq, *free));
    }
    seen
}

fn any_packets() -> impl Strategy<Value = Vec<Sent>> {
    let packet = (0..2_000_000_000u64, 0..INPUTS, 0..OUTPUTS, 40..1501u32);
    prop::collection::vec(packet, 1..80).prop_map(|packets| {
        let mut now = Time::ZERO;
        let sent = packets.into_iter().map(|(gap, input, output, size)| {
            now += Span::from_ps(gap | 1);
            (now, input, output, size)
        });
        sent.collect()
    })
}

fn sorted<T: Ord + Debug>(mut list: Vec<T>) -> Vec<T> {
    list.sort();
    list
}

proptest! {
    #[test]
    fn a_shared_memory_takes_what_fits(sent in any_packets(), memory in 1500..8000u64) {
        let (seen, network) = simulate(&sent, Pool::new(memory, None));
        let expected = expected(&sent, memory);
        prop_assert_eq!(&seen.drops, &expected.drops);
        prop_assert_eq!(sorted(seen.departures), sorted(expected.departures));
        let pool = network.switch(LinkId(INPUTS)).expect("a pool");
        prop_assert_eq!((pool.used, pool.waiting), (0, 0), "all memory is given back");
        let refused: u64 = (INPUTS..INPUTS + OUTPUTS)
            .map(|link| network.queue_counters(LinkId(link), END).expect("a queue"))
            .map(|counters| counters.refused.packets)
            .sum();
        prop_assert_eq!(refused, seen.drops.len() as u64);
    }

    /// A packet of each input may be on its way for as long as the request is.
    #[test]
    fn inputs_that_hold_lose_nothing(sent in any_packets()) {
        let flight = FAST / 8 / 1_000_000 * 4 + 2 * 1500;
        let memory = 3000 + u64::from(INPUTS) * flight;
        let (seen, network) = simulate(&sent, Pool::new(memory, Some(3000)));
        prop_assert_eq!(&seen.drops, &Vec::<u32>::new());
        prop_assert_eq!(seen.departures.len(), sent.len(), "all that was held was released");
        prop_assert_eq!(network.in_flight(), 0);
    }
}

#[test]
fn a_request_takes_effect_after_its_way() {
    // The second packet arrives while the memory is above the threshold; the third is sent long
    // after the request, and leaves its port when the first packet is transmitted and the next
    // request has arrived.
    let at = |us: u64| Time::from_ps(us * 1_000_000);
    let sent = [
        (at(0), 0, 0, 1250),
        (at(1), 0, 0, 1250),
        (at(10), 0, 0, 1250),
    ];
    let (seen, _) = simulate(&sent, Pool::new(100_000, Some(2000)));
    // On the input 0.1 us a packet, on the output 1000 us.
    let [first, second] =
        [at(1001).as_ps() + 100_000, at(2001).as_ps() + 100_000].map(Time::from_ps);
    assert_eq!(seen.departures[..2], [(0, first), (1, second)]);
    assert_eq!(
        seen.departures[2].1,
        second + Span::from_us(1000),
        "it follows without a gap"
    );
}
