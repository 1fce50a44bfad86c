//! NDP's queue (Handley et al., SIGCOMM 2017, section 3.1): a packet that finds no room costs its payload,
//! or that of the last packet that waits, and headers are sent first.
//!
//! Its state is [`TrimmingQueue`], which is exact against htsim.

use std::collections::VecDeque;

use pacesim_datacentre::ndp::{Fate, Kind, TrimmingQueue, TrimmingQueueConfig, Trims};
use pacesim_units::{Bytes, Capacity, Time};

use crate::built_in::{BuiltIn, Site};
use crate::chance::{Chance, Signal};
use crate::queue::{Line, Pending, Queue, Reason, Turn, Waiting};

/// Parameters of a trimming queue. The port's buffer limits packets that have their payload.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrimConfig {
    /// Bytes of a header. Packets no larger than that have no payload.
    pub header: u16,
    /// The most packets without payload.
    pub headers: Capacity,
    /// Packets without payload that pass for each one with payload while both wait.
    pub headers_per_packet: u32,
    /// The probability that the arriving packet is cut, and not the last that waits.
    pub arriving: f64,
}

impl TrimConfig {
    /// The paper's queue: room for as many headers as fit into eight packets of 9000 bytes, ten of
    /// which pass for each packet.
    pub const PAPER: TrimConfig = TrimConfig {
        header: 64,
        headers: Capacity::Packets(1125),
        headers_per_packet: 10,
        arriving: 0.5,
    };

    /// htsim's queue (`CompositeQueue`): twice as many headers, all of them first.
    pub const HTSIM: TrimConfig = TrimConfig {
        headers: Capacity::Packets(2250),
        headers_per_packet: 100_000,
        ..TrimConfig::PAPER
    };
}

/// A queue that cuts payloads off. A packet whose payload must stay is dropped in its place.
#[derive(Debug)]
pub struct Trim {
    config: TrimConfig,
    queue: TrimmingQueue<Packet>,
    /// Packets that arrivals have cut or pushed out, to be answered at the next turn, and the bytes that go
    /// thereby.
    due: VecDeque<(Turn, u64)>,
    waiting: Waiting,
    chance: Box<dyn Chance>,
}

/// A packet in the queue, with its size on arrival.
#[derive(Clone, Copy, Debug)]
struct Packet {
    key: u32,
    size: u32,
    is_trimmable: bool,
}

/// The denominator of the coin's probability.
const WHOLE: u64 = 1 << 32;

impl Trim {
    /// Begins the next transmission; the one before has ended.
    fn start(&mut self) -> Turn {
        self.queue.finish();
        let Some((packet, size)) = self.queue.start() else {
            return Turn::Hold;
        };
        self.waiting.packets -= 1;
        self.waiting.bytes.0 -= size.get();
        Turn::go(packet.key)
    }

    /// Throws the coin: the packet that is cut for want of room, of which the last may be none.
    fn coin(&mut self, key: u32) -> Trims {
        let part = (self.config.arriving * WHOLE as f64) as u64;
        match self.chance.strikes(key, Signal::Drop, part, WHOLE) {
            true => Trims::Arriving,
            false => Trims::Last,
        }
    }

    /// The packet that is cut if both may be, else the one that may; none if neither.
    fn cut(&mut self, packet: &Pending) -> Option<Trims> {
        let last = self.queue.last().is_some_and(|last| last.is_trimmable);
        match (packet.is_trimmable, last) {
            (true, true) => Some(self.coin(packet.key)),
            (true, false) => Some(Trims::Arriving),
            // Its room is made by a packet that may be cut: neither is dropped.
            (false, true) => Some(Trims::Last),
            (false, false) => None,
        }
    }
}

impl BuiltIn for Trim {
    type Config = TrimConfig;
    const NAME: &'static str = "trim";

    fn at(site: Site, config: &TrimConfig) -> Trim {
        Trim {
            config: *config,
            queue: TrimmingQueue::new(TrimmingQueueConfig {
                limit: site.capacity,
                header_limit: config.headers,
                header: Bytes(config.header.into()),
                counts_sending: site.counts_sending,
                // The packet in transmission is on its wire already.
                trims_sending: false,
                headers_per_packet: config.headers_per_packet,
            }),
            due: VecDeque::new(),
            waiting: Waiting::default(),
            chance: site.chance,
        }
    }
}

impl Queue for Trim {
    fn arrive(&mut self, _now: Time, packet: Pending) -> Result<(), Reason> {
        let size = Bytes(packet.size.into());
        let is_header = packet.size <= u32::from(self.config.header);
        let kind = if is_header { Kind::Header } else { Kind::Data };
        let trims = match is_header || self.queue.has_room(size) {
            true => Trims::Arriving,
            false => self.cut(&packet).ok_or(Reason::Full)?,
        };
        let own = Packet {
            key: packet.key,
            size: packet.size,
            is_trimmable: packet.is_trimmable,
        };
        let header = self.config.header;
        let trim = |Packet { key, size, .. }| {
            let gone = u64::from(size) - u64::from(header);
            (Turn::Trim { key, size: header }, gone)
        };
        match self.queue.arrive(own, size, kind, || trims) {
            Fate::Lost => return Err(Reason::Full),
            Fate::Taken => {}
            Fate::Trimmed => self.due.push_back(trim(own)),
            Fate::TrimmedLast(last) => self.due.push_back(trim(last)),
            Fate::LostLast(last) => {
                let pushed_out = Turn::Drop(last.key, Reason::Full);
                self.due.push_back((pushed_out, last.size.into()));
            }
        }
        self.waiting.packets += 1;
        self.waiting.bytes.0 += size.get();
        Ok(())
    }

    fn turn(&mut self, _now: Time, line: Line) -> Turn {
        match self.due.pop_front() {
            None => line.if_free(|| self.start()),
            Some((due, gone)) => {
                self.waiting.packets -= u64::from(matches!(due, Turn::Drop(..)));
                self.waiting.bytes.0 -= gone;
                due
            }
        }
    }

    fn waiting(&self) -> Waiting {
        self.waiting
    }
}

#[cfg(test)]
mod tests {
    use pacesim_units::{FlowId, Rate};

    use super::*;

    /// A coin that always falls on the same side.
    #[derive(Debug)]
    struct Always(bool);

    impl Chance for Always {
        fn strikes(&mut self, _key: u32, _signal: Signal, _part: u64, _whole: u64) -> bool {
            self.0
        }
    }

    fn queue(capacity: Capacity, headers: Capacity, cuts_arriving: bool) -> Trim {
        let site = Site {
            capacity,
            counts_sending: false,
            rate: Rate::from_mbps(8),
            chance: Box::new(Always(cuts_arriving)),
        };
        let config = TrimConfig {
            headers,
            ..TrimConfig::HTSIM
        };
        Trim::at(site, &config)
    }

    fn packet(key: u32, is_trimmable: bool) -> Pending {
        Pending {
            is_trimmable,
            ..Pending::new(key, FlowId(0), 1000)
        }
    }

    fn cut(key: u32) -> Turn {
        Turn::Trim { key, size: 64 }
    }

    #[test]
    fn a_full_queue_cuts_the_arriving_packet_or_its_last_and_sends_headers_first() {
        for (cuts_arriving, key, other) in [(true, 2, 1), (false, 1, 2)] {
            let mut queue = queue(Capacity::Packets(1), Capacity::Unlimited, cuts_arriving);
            let now = Time::ZERO;
            assert_eq!(queue.arrive(now, packet(0, true)), Ok(()));
            assert_eq!(queue.turn(now, Line::Free), Turn::go(0));
            assert_eq!(queue.arrive(now, packet(1, true)), Ok(()));
            assert_eq!(queue.arrive(now, packet(2, true)), Ok(()));
            assert_eq!(queue.waiting().bytes, Bytes(2000));
            assert_eq!(queue.turn(now, Line::Busy), cut(key));
            assert_eq!(queue.turn(now, Line::Busy), Turn::Hold);
            assert_eq!(queue.waiting().bytes, Bytes(1064));
            assert_eq!(queue.turn(now, Line::Free), Turn::go(key));
            assert_eq!(queue.turn(now, Line::Free), Turn::go(other));
        }
    }

    #[test]
    fn a_packet_whose_payload_must_stay_is_dropped_if_no_other_makes_room() {
        let mut queue = queue(Capacity::Packets(1), Capacity::Unlimited, true);
        let now = Time::ZERO;
        assert_eq!(queue.arrive(now, packet(0, false)), Ok(()));
        assert_eq!(queue.arrive(now, packet(1, false)), Err(Reason::Full));
        assert_eq!(queue.arrive(now, packet(2, true)), Ok(()));
        assert_eq!(
            queue.turn(now, Line::Busy),
            cut(2),
            "whatever the coin says"
        );
    }

    #[test]
    fn a_header_without_room_is_dropped() {
        let full = Capacity::Packets(1);
        let mut of_arriving = queue(full, Capacity::Packets(0), true);
        let mut of_last = queue(full, Capacity::Packets(0), false);
        let now = Time::ZERO;
        for queue in [&mut of_arriving, &mut of_last] {
            assert_eq!(queue.arrive(now, packet(0, true)), Ok(()));
        }
        assert_eq!(of_arriving.arrive(now, packet(1, true)), Err(Reason::Full));
        assert_eq!(of_last.arrive(now, packet(1, true)), Ok(()));
        assert_eq!(of_last.turn(now, Line::Busy), Turn::Drop(0, Reason::Full));
        assert_eq!(of_last.waiting().packets, 1);
    }
}
