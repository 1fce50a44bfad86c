//! Senders, receivers, and the clocks of pulls.

use std::collections::{BTreeMap, VecDeque};

use pacesim::units::{Bytes, Rate, Time};
use pacesim_datacentre::ndp::{NdpSink, NdpSource, Pull, PullClock, PullClockConfig};

use super::{Event, Packet, Type, expect};
use crate::cases::{Case, microseconds};

/// Bytes of a packet's header.
const HEADER: u64 = 64;
/// The pull number of packets that carry none.
const NO_PULL: i64 = 0;

/// An event that must follow: its place, its name, and its packet.
type Due = (&'static str, &'static str, Packet);

/// A flow with both its ends.
struct Flow {
    host: u64,
    packets: u64,
    starts: u64,
    has_started: bool,
    is_complete: bool,
    source: NdpSource,
    sink: NdpSink,
    /// Events that must follow at once at each end, and the times of their causes.
    of_source: (u64, VecDeque<Due>),
    of_sink: (u64, VecDeque<Due>),
}

/// All hosts.
pub(super) struct Hosts {
    mtu: u64,
    flows: Vec<Flow>,
    clocks: BTreeMap<u64, PullClock>,
}

impl Hosts {
    pub(super) fn new(case: &Case) -> Hosts {
        let mtu = case.whole("mtu");
        let line = Rate::from_mbps(case.whole("mbps"));
        let config = PullClockConfig::htsim(line, Bytes(mtu + HEADER));
        let list = case.settings["flows_src_dst_bytes_start_us"].as_array();
        let flow = |flow: &serde_json::Value| {
            let number = |i: usize| flow[i].as_f64().expect("a number");
            let packets = (number(2) as u64).div_ceil(mtu);
            Flow {
                host: number(1) as u64,
                packets,
                starts: microseconds(number(3)).as_ps(),
                has_started: false,
                is_complete: false,
                source: NdpSource::new(packets as u32, case.whole("cwnd") as u32),
                sink: NdpSink::new(),
                of_source: Default::default(),
                of_sink: Default::default(),
            }
        };
        let flows: Vec<Flow> = list.expect("flows").iter().map(flow).collect();
        let clock = |flow: &Flow| (flow.host, PullClock::new(config));
        Hosts {
            mtu,
            clocks: flows.iter().map(clock).collect(),
            flows,
        }
    }

    /// No pull was due before this time.
    pub(super) fn pass(&mut self, now: u64) -> Result<(), String> {
        for clock in self.clocks.values_mut() {
            while let Some(due) = clock.next_wake().filter(|due| due.as_ps() < now) {
                if let Some(pull) = clock.pull(due) {
                    return Err(format!("{pull:?} leaves at {due}"));
                }
            }
        }
        Ok(())
    }

    /// A packet with payload or a header has arrived at its receiver.
    pub(super) fn arrive(&mut self, event: &Event<'_>) -> Result<(), String> {
        let packet = event.packet;
        let flow = &mut self.flows[packet.flow as usize];
        expect(flow.of_sink.1.len(), 0)?;
        let number = ((packet.seq - 1) / self.mtu) as u32;
        let is_data = packet.kind == Type::Data;
        let answer = if is_data {
            flow.sink
                .data(number, u64::from(number) + 1 == flow.packets)
        } else {
            flow.sink.header()
        };
        let clock = self.clocks.get_mut(&flow.host).expect("one for each host");
        let carries = clock.answer(Time::from_ps(event.at), packet.flow.into(), answer.pull);
        if answer.is_complete {
            flow.is_complete = true;
            clock.remove(packet.flow.into());
        }
        let pull = i64::from(answer.pull);
        let kind = if is_data { Type::Ack } else { Type::Nack };
        let of = |kind: Type, pull: i64| Packet {
            kind,
            pull,
            ..packet
        };
        let mut due = vec![("sink", "create", of(kind, pull))];
        if carries {
            due.push(("ndp_pacer", "send", of(kind, pull)));
        } else {
            due.push(("ndp_pacer", "create", of(Type::Pull, pull)));
            due.push(("ndp_pacer", "send", of(kind, NO_PULL)));
        }
        let received = ("sink", "rcv", packet);
        due.insert(if is_data { 0 } else { due.len() }, received);
        flow.of_sink = (event.at, due.into());
        Ok(())
    }

    /// An event at an end of a flow, or at a clock.
    pub(super) fn step(&mut self, event: &Event<'_>) -> Result<(), String> {
        let packet = event.packet;
        if event.place == "ndp_pacer" && event.name == "send" && packet.kind == Type::Pull {
            return self.pull(event);
        }
        let flow = &mut self.flows[packet.flow as usize];
        let end = event.place.trim_end_matches(|c: char| c.is_ascii_digit());
        let ends = if end == "src" {
            if event.name == "rcv" {
                return flow.receive(event, self.mtu);
            }
            if !flow.has_started {
                expect(event.at, flow.starts)?;
                flow.has_started = true;
                flow.transmit(event, self.mtu);
            }
            &mut flow.of_source
        } else {
            &mut flow.of_sink
        };
        let due = ends.1.pop_front().ok_or("no event is due")?;
        expect(
            (event.at, end, event.name, packet),
            (ends.0, due.0, due.1, due.2),
        )
    }

    fn pull(&mut self, event: &Event<'_>) -> Result<(), String> {
        let host = self.flows[event.packet.flow as usize].host;
        let clock = self.clocks.get_mut(&host).expect("one for each host");
        let pull = Pull {
            flow: event.packet.flow.into(),
            number: event.packet.pull as u32,
        };
        let due = clock.next_wake().map(Time::as_ps);
        expect(due, Some(event.at))?;
        expect(clock.pull(Time::from_ps(event.at)), Some(pull))
    }

    /// True once all packets of all flows have arrived.
    pub(super) fn are_complete(&self) -> bool {
        self.flows.iter().all(|flow| flow.is_complete)
    }

    pub(super) fn are_done(&self) -> Result<(), String> {
        for flow in &self.flows {
            expect((flow.has_started, flow.of_source.1.len()), (true, 0))?;
            expect(flow.of_sink.1.len(), 0)?;
        }
        let waiting = self.clocks.values().map(PullClock::waiting).sum::<usize>();
        expect(waiting, 0)
    }
}

impl Flow {
    /// An answer or a pull has arrived at the sender.
    fn receive(&mut self, event: &Event<'_>, mtu: u64) -> Result<(), String> {
        expect(self.of_source.1.len(), 0)?;
        self.of_source.0 = event.at;
        let packet = event.packet;
        let pull = (packet.pull > NO_PULL).then_some(packet.pull as u32);
        if packet.kind == Type::Nack {
            self.source.nack(((packet.seq - 1) / mtu) as u32, pull);
            let again = Packet {
                kind: Type::Data,
                pull: -1,
                ..packet
            };
            self.of_source.1.push_back(("src", "create", again));
        } else {
            self.source.pull(pull.unwrap_or(0));
        }
        self.transmit(event, mtu);
        Ok(())
    }

    /// The packets that the sender sends now.
    fn transmit(&mut self, event: &Event<'_>, mtu: u64) {
        self.of_source.0 = event.at;
        while let Some(sent) = self.source.transmit() {
            let name = if sent.is_again { "send" } else { "createsend" };
            let packet = Packet {
                kind: Type::Data,
                flow: event.packet.flow,
                seq: u64::from(sent.packet) * mtu + 1,
                pull: -1,
            };
            self.of_source.1.push_back(("src", name, packet));
        }
    }
}
