//! Ports with their queues and wires.

use std::collections::VecDeque;

use pacesim::units::{Bytes, Rate};
use pacesim_datacentre::ndp::{Fate, Kind, RoundRobin, TrimmingQueue, TrimmingQueueConfig, Trims};

use super::{Event, Packet, Type, expect};

/// The queue of a port.
enum Queue {
    Switch(TrimmingQueue<Packet>),
    /// Flows of a host take turns, ACKs and pulls before data and NACKs: htsim's
    /// `FairPriorityQueue`.
    Host([RoundRobin<(Packet, Bytes)>; 2]),
}

/// A packet in transmission, and its end.
struct Sending {
    packet: Packet,
    ends: u64,
}

/// A port and its wire.
pub(super) struct Port {
    queue: Queue,
    rate: Rate,
    hop_ps: u64,
    sending: Option<Sending>,
    /// Events that must follow an arrival at once.
    due: VecDeque<(&'static str, Packet)>,
    /// Packets on the wire, with the times at which they arrive.
    wire: VecDeque<(u64, Packet)>,
}

impl Port {
    pub(super) fn new(is_host: bool, rate: Rate, mtu: u64, packets: u64, hop_ps: u64) -> Port {
        let config = TrimmingQueueConfig::htsim(packets, Bytes(mtu));
        Port {
            queue: match is_host {
                true => Queue::Host(Default::default()),
                false => Queue::Switch(TrimmingQueue::new(config)),
            },
            rate,
            hop_ps,
            sending: None,
            due: VecDeque::new(),
            wire: VecDeque::new(),
        }
    }

    pub(super) fn step(
        &mut self,
        event: &Event<'_>,
        next: Option<&Event<'_>>,
    ) -> Result<(), String> {
        if let Some(due) = self.due.pop_front() {
            return expect((event.name, event.packet), due);
        }
        if let Some(sending) = &self.sending
            && sending.ends < event.at
        {
            return Err(format!("{:?} leaves at {}", sending.packet, sending.ends));
        }
        match event.name {
            "arrive" => self.arrive(event, next),
            "depart" => return self.depart(event),
            other => return Err(format!("{other} without cause")),
        }
        self.start(event.at);
        Ok(())
    }

    fn arrive(&mut self, event: &Event<'_>, next: Option<&Event<'_>>) {
        let packet = event.packet;
        let size = Bytes(event.size);
        let queue = match &mut self.queue {
            Queue::Switch(queue) => queue,
            Queue::Host(queues) => {
                let is_low = matches!(packet.kind, Type::Data | Type::Nack);
                queues[usize::from(is_low)].push(packet.flow.into(), (packet, size));
                return;
            }
        };
        let header = |packet: Packet| Packet {
            kind: Type::Header,
            ..packet
        };
        let kind = match packet.kind {
            Type::Data => Kind::Data,
            _ => Kind::Header,
        };
        let coin = || match next {
            Some(next) if next.packet == header(packet) => Trims::Arriving,
            _ => Trims::Last,
        };
        let (trimmed, is_lost) = match queue.arrive(packet, size, kind, coin) {
            Fate::Taken => return,
            Fate::Trimmed => (packet, false),
            Fate::TrimmedLast(last) => (last, false),
            Fate::Lost => (packet, true),
            Fate::LostLast(last) => (last, true),
        };
        if let Some(sending) = &mut self.sending
            && sending.packet == trimmed
        {
            sending.packet = packet;
        }
        self.due.push_back(("trim", header(trimmed)));
        if is_lost {
            self.due.push_back(("drop", header(trimmed)));
        }
    }

    fn depart(&mut self, event: &Event<'_>) -> Result<(), String> {
        let sending = self.sending.take().ok_or("nothing is sent")?;
        expect((sending.ends, sending.packet), (event.at, event.packet))?;
        if let Queue::Switch(queue) = &mut self.queue {
            queue.finish();
        }
        self.wire
            .push_back((event.at + self.hop_ps, sending.packet));
        self.start(event.at);
        Ok(())
    }

    /// Starts the next transmission if the line is free.
    fn start(&mut self, now: u64) {
        if self.sending.is_some() {
            return;
        }
        let next = match &mut self.queue {
            Queue::Switch(queue) => queue.start(),
            Queue::Host([high, low]) => high.pop().or_else(|| low.pop()).map(|(_, item)| item),
        };
        self.sending = next.map(|(packet, size)| {
            let is_trimmed = packet.kind == Type::Data && size == Bytes(64);
            let kind = if is_trimmed {
                Type::Header
            } else {
                packet.kind
            };
            let time = self.rate.transmission_time(size).expect("a span");
            Sending {
                packet: Packet { kind, ..packet },
                ends: now + time.as_ps(),
            }
        });
    }

    /// A packet has crossed the wire.
    pub(super) fn cross(&mut self, event: &Event<'_>) -> Result<(), String> {
        let first = self.wire.pop_front().ok_or("nothing is on this wire")?;
        expect(first, (event.at, event.packet))
    }

    pub(super) fn is_done(&self) -> Result<(), String> {
        let sends = self.sending.as_ref().map(|sending| sending.packet);
        expect(sends, None)?;
        expect(self.wire.len(), 0)
    }
}
