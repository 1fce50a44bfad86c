//! A port that cuts payloads off: `CompositeQueue` of htsim.

use std::collections::VecDeque;

use pacesim_units::{Bytes, Capacity};

/// The settings of a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrimmingQueueConfig {
    /// The most packets with their payload.
    pub limit: Capacity,
    /// The most headers, and other packets without payload.
    pub header_limit: Capacity,
    /// Bytes of a header.
    pub header: Bytes,
    /// True if the packet in transmission counts, as in htsim: its queue of "8 packets" holds seven
    /// of them, since a packet has a header beside the bytes that its limit is made of.
    pub counts_sending: bool,
    /// True for a fault of htsim: the packet in transmission is also the last of its queue if it is
    /// the only one, and may lose its payload. The arriving packet then leaves in its place, at the
    /// end of its transmission.
    pub trims_sending: bool,
    /// Headers that pass for each packet with payload while both wait. In htsim 100 000, so that
    /// headers come first; in the paper 10.
    pub headers_per_packet: u32,
}

impl TrimmingQueueConfig {
    /// htsim's queue of so many packets of an MTU without headers.
    pub fn htsim(packets: u64, mtu: Bytes) -> TrimmingQueueConfig {
        let limit = mtu * packets;
        TrimmingQueueConfig {
            limit: Capacity::Bytes(limit),
            header_limit: Capacity::Bytes(limit * 2),
            header: Bytes(64),
            counts_sending: true,
            trims_sending: true,
            headers_per_packet: 100_000,
        }
    }

    /// The paper's queue: eight packets of this size beside the one in transmission, as many bytes of
    /// headers, which have ten turns of eleven.
    pub fn paper(packet: Bytes) -> TrimmingQueueConfig {
        TrimmingQueueConfig {
            limit: Capacity::Bytes(packet * 8),
            header_limit: Capacity::Bytes(packet * 8),
            header: Bytes(64),
            counts_sending: false,
            trims_sending: false,
            headers_per_packet: 10,
        }
    }
}

/// A kind of packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// One with a payload.
    Data,
    /// A header, or another packet without payload, such as an ACK.
    Header,
}

/// The packet of a full queue that loses its payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trims {
    /// The one that arrives.
    Arriving,
    /// The last of the queue.
    Last,
}

/// The fate of an arriving packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate<P> {
    /// It waits.
    Taken,
    /// It waits as a header.
    Trimmed,
    /// It waits, and this one waits as a header.
    TrimmedLast(P),
    /// Its header found no room either.
    Lost,
    /// It waits, and the header of this one found no room.
    LostLast(P),
}

/// A packet that waits.
#[derive(Clone, Copy, Debug)]
struct Item<P> {
    packet: P,
    size: u64,
}

/// A port with two queues. The caller keeps the time: [`start`](TrimmingQueue::start) whenever the line is
/// free, [`finish`](TrimmingQueue::finish) when that transmission has ended.
#[derive(Clone, Debug)]
pub struct TrimmingQueue<P> {
    config: TrimmingQueueConfig,
    data: VecDeque<Item<P>>,
    headers: VecDeque<Item<P>>,
    data_bytes: u64,
    header_bytes: u64,
    sending: Option<Kind>,
    /// Turns of this round in which a header was sent before a packet.
    turns: u32,
}

impl<P: Copy> TrimmingQueue<P> {
    /// An empty port.
    pub fn new(config: TrimmingQueueConfig) -> TrimmingQueue<P> {
        TrimmingQueue {
            config,
            data: VecDeque::new(),
            headers: VecDeque::new(),
            data_bytes: 0,
            header_bytes: 0,
            sending: None,
            turns: 0,
        }
    }

    /// A packet has arrived. The coin is thrown only if its queue is full.
    pub fn arrive(
        &mut self,
        packet: P,
        size: Bytes,
        kind: Kind,
        coin: impl FnOnce() -> Trims,
    ) -> Fate<P> {
        let item = Item {
            packet,
            size: size.get(),
        };
        if kind == Kind::Header {
            return match self.take_header(item) {
                true => Fate::Taken,
                false => Fate::Lost,
            };
        }
        if self.has_room(size) {
            self.take_data(item);
            return Fate::Taken;
        }
        if coin() == Trims::Last && self.last().is_some() {
            let last = self.data.pop_back().expect("one more than is kept");
            self.data_bytes -= last.size;
            self.take_data(item);
            match self.take_header(self.trimmed(last)) {
                true => Fate::TrimmedLast(last.packet),
                false => Fate::LostLast(last.packet),
            }
        } else {
            match self.take_header(self.trimmed(item)) {
                true => Fate::Trimmed,
                false => Fate::Lost,
            }
        }
    }

    /// True if a packet of this size fits with its payload.
    pub fn has_room(&self, size: Bytes) -> bool {
        let held = (self.counted(Kind::Data), self.data_bytes);
        fits(self.config.limit, held, size.get())
    }

    /// The last of the packets with payload, which would be cut for another; none if that packet is
    /// in transmission and keeps its payload.
    pub fn last(&self) -> Option<P> {
        let is_sent = self.sending == Some(Kind::Data) && !self.config.trims_sending;
        let last = self
            .data
            .back()
            .filter(|_| self.data.len() > usize::from(is_sent));
        last.map(|item| item.packet)
    }

    /// The packets of a kind that count.
    fn counted(&self, kind: Kind) -> u64 {
        let queue = match kind {
            Kind::Data => &self.data,
            Kind::Header => &self.headers,
        };
        let is_sent = self.sending == Some(kind) && !self.config.counts_sending;
        queue.len() as u64 - u64::from(is_sent)
    }

    fn trimmed(&self, item: Item<P>) -> Item<P> {
        Item {
            size: self.config.header.get(),
            ..item
        }
    }

    fn take_data(&mut self, item: Item<P>) {
        self.data_bytes += item.size;
        self.data.push_back(item);
    }

    fn take_header(&mut self, item: Item<P>) -> bool {
        let held = (self.counted(Kind::Header), self.header_bytes);
        let has_room = fits(self.config.header_limit, held, item.size);
        if has_room {
            self.header_bytes += item.size;
            self.headers.push_back(item);
        }
        has_room
    }

    /// Begins a transmission if a packet waits and none is sent. Returns the packet with its size.
    pub fn start(&mut self) -> Option<(P, Bytes)> {
        if self.sending.is_some() {
            return None;
        }
        let kind = match (self.headers.is_empty(), self.data.is_empty()) {
            (true, true) => return None,
            (false, true) => Kind::Header,
            (true, false) => Kind::Data,
            (false, false) => self.turn(),
        };
        self.sending = Some(kind);
        let item = match kind {
            Kind::Data => self.data[0],
            Kind::Header => self.headers[0],
        };
        if !self.config.counts_sending {
            self.uncount(kind, item.size);
        }
        Some((item.packet, Bytes(item.size)))
    }

    /// The kind to send if both wait: the counter of `CompositeQueue::beginService`.
    fn turn(&mut self) -> Kind {
        self.turns += 1;
        if self.turns > self.config.headers_per_packet {
            self.turns = 0;
        }
        if self.turns < self.config.headers_per_packet {
            Kind::Header
        } else {
            Kind::Data
        }
    }

    /// The transmission has ended, if there was one. Returns its packet.
    pub fn finish(&mut self) -> Option<P> {
        let kind = self.sending.take()?;
        let queue = match kind {
            Kind::Data => &mut self.data,
            Kind::Header => &mut self.headers,
        };
        let item = queue.pop_front().expect("the packet that was sent");
        if self.config.counts_sending {
            self.uncount(kind, item.size);
        }
        Some(item.packet)
    }

    fn uncount(&mut self, kind: Kind, size: u64) {
        match kind {
            Kind::Data => self.data_bytes -= size,
            Kind::Header => self.header_bytes -= size,
        }
    }

    /// Packets with payload and headers that are here, those in transmission included.
    pub fn held(&self) -> [usize; 2] {
        [self.data.len(), self.headers.len()]
    }
}

/// True if a packet of this size fits beside so many packets and bytes.
fn fits(limit: Capacity, (packets, bytes): (u64, u64), size: u64) -> bool {
    match limit {
        Capacity::Packets(most) => packets < most,
        Capacity::Bytes(most) => bytes + size <= most.get(),
        Capacity::Unlimited => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PACKET: Bytes = Bytes(9064);

    fn filled(config: TrimmingQueueConfig, packets: u32) -> TrimmingQueue<u32> {
        let mut queue = TrimmingQueue::new(config);
        for packet in 0..packets {
            let fate = queue.arrive(packet, PACKET, Kind::Data, || Trims::Arriving);
            assert_eq!(fate, Fate::Taken, "packet {packet}");
            queue.start();
        }
        queue
    }

    #[test]
    fn htsims_queue_of_eight_holds_seven_and_the_papers_nine() {
        let htsim = TrimmingQueueConfig::htsim(8, Bytes(9000));
        let mut queue = filled(htsim, 7);
        let coin = || Trims::Last;
        assert_eq!(
            queue.arrive(7, PACKET, Kind::Data, coin),
            Fate::TrimmedLast(6)
        );
        assert_eq!(queue.held(), [7, 1]);
        let mut queue = filled(TrimmingQueueConfig::paper(PACKET), 9);
        let coin = || Trims::Arriving;
        assert_eq!(queue.arrive(9, PACKET, Kind::Data, coin), Fate::Trimmed);
        assert_eq!(queue.held(), [9, 1]);
    }

    #[test]
    fn headers_come_first_after_the_packet_in_transmission() {
        let mut queue = filled(TrimmingQueueConfig::htsim(8, Bytes(9000)), 7);
        queue.arrive(7, PACKET, Kind::Data, || Trims::Arriving);
        queue.arrive(8, Bytes(64), Kind::Header, || unreachable!("no payload"));
        let order: Vec<u32> = std::iter::from_fn(|| {
            let packet = queue.finish();
            queue.start();
            packet
        })
        .collect();
        assert_eq!(order, [0, 7, 8, 1, 2, 3, 4, 5, 6]);
    }

    #[test]
    fn the_papers_queue_sends_a_packet_for_ten_headers() {
        let mut queue = filled(TrimmingQueueConfig::paper(PACKET), 9);
        for header in 100..130 {
            queue.arrive(header, Bytes(64), Kind::Header, || Trims::Last);
        }
        let order: Vec<u32> = std::iter::from_fn(|| {
            let packet = queue.finish();
            queue.start();
            packet
        })
        .collect();
        let data: Vec<usize> = (0..order.len()).filter(|&i| order[i] < 100).collect();
        assert_eq!(
            data[..4],
            [0, 10, 21, 32],
            "the first round is a header short"
        );
    }

    #[test]
    fn a_packet_in_transmission_keeps_its_payload_except_in_htsim() {
        let config = TrimmingQueueConfig::htsim(2, Bytes(9000));
        for (trims_sending, fate) in [(true, Fate::TrimmedLast(0)), (false, Fate::Trimmed)] {
            let mut queue = filled(
                TrimmingQueueConfig {
                    trims_sending,
                    ..config
                },
                1,
            );
            assert_eq!(queue.arrive(1, PACKET, Kind::Data, || Trims::Last), fate);
            assert_eq!(queue.finish(), Some(u32::from(trims_sending)));
        }
    }

    #[test]
    fn a_header_without_room_is_lost() {
        let config = TrimmingQueueConfig {
            limit: Capacity::Bytes(PACKET),
            header_limit: Capacity::Bytes(Bytes(64)),
            ..TrimmingQueueConfig::htsim(1, Bytes(9000))
        };
        let mut queue = filled(config, 1);
        let mut arrive = |packet| queue.arrive(packet, PACKET, Kind::Data, || Trims::Arriving);
        assert_eq!(arrive(1), Fate::Trimmed);
        assert_eq!(arrive(2), Fate::Lost);
    }
}
