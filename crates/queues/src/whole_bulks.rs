//! First come, first served, for bulks that are refused as a whole.

use pacesim_units::{Capacity, FlowId, Time};

use crate::built_in::{BuiltIn, Site};
use crate::drop_tail::DropTail;
use crate::queue::{Line, Pending, Queue, Reason, Turn, Waiting};

/// A FIFO that accepts the packets of a bulk, which arrive at one instant, all or none: the first
/// states the number of packets that follow, which are assumed to have its size.
#[derive(Clone, Debug)]
pub struct WholeBulks {
    packets: DropTail,
    bulk: Option<Bulk>,
}

/// The bulk that is arriving.
#[derive(Clone, Copy, Debug)]
struct Bulk {
    flow: FlowId,
    at: Time,
    /// Number of its packets still to come.
    following: u32,
    taken: bool,
}

impl WholeBulks {
    /// An empty queue of this capacity, with or without the packet in transmission.
    pub fn new(capacity: Capacity, counts_sending: bool) -> WholeBulks {
        WholeBulks {
            packets: DropTail::new(capacity, counts_sending),
            bulk: None,
        }
    }

    /// True if the packet's bulk was accepted; `None` for the first packet of one.
    fn verdict(&self, now: Time, packet: &Pending) -> Option<bool> {
        let bulk = self.bulk.filter(|bulk| {
            (bulk.flow, bulk.at) == (packet.flow, now) && bulk.following == packet.following + 1
        });
        bulk.map(|bulk| bulk.taken)
    }
}

impl BuiltIn for WholeBulks {
    type Config = ();
    const NAME: &'static str = "whole_bulks";

    fn at(site: Site, _: &Self::Config) -> WholeBulks {
        WholeBulks::new(site.capacity, site.counts_sending)
    }
}

impl Queue for WholeBulks {
    fn arrive(&mut self, now: Time, packet: Pending) -> Result<(), Reason> {
        let taken = self.verdict(now, &packet).unwrap_or_else(|| {
            let count = u64::from(packet.following) + 1;
            self.packets.fit(count, packet.size)
        });
        self.bulk = Some(Bulk {
            flow: packet.flow,
            at: now,
            following: packet.following,
            taken,
        });
        if taken {
            self.packets.arrive(now, packet)
        } else {
            Err(Reason::Full)
        }
    }

    fn turn(&mut self, now: Time, line: Line) -> Turn {
        self.packets.turn(now, line)
    }

    fn waiting(&self) -> Waiting {
        self.packets.waiting()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pacesim_units::Bytes;

    /// The accepted packets of bulks of these sizes that arrive one after another, with a packet of
    /// 100 B in transmission if the line is busy.
    fn taken(capacity: Capacity, counts_sending: bool, busy: bool, bulks: &[u32]) -> Vec<u32> {
        let mut queue = WholeBulks::new(capacity, counts_sending);
        let (mut line, mut time) = (Line::Free, 0);
        let mut offer = |queue: &mut WholeBulks, count: u32| {
            time += 1;
            let came = (0..count).filter(|i| {
                let packet = Pending::new(*i, FlowId(0), 100).before(count - 1 - i);
                let taken = queue.arrive(Time::from_ps(time), packet).is_ok();
                if queue.turn(Time::from_ps(time), line) != Turn::Hold {
                    line = Line::Busy;
                }
                taken
            });
            came.count() as u32
        };
        if busy {
            offer(&mut queue, 1);
        }
        bulks
            .iter()
            .map(|count| offer(&mut queue, *count))
            .collect()
    }

    #[test]
    fn a_bulk_is_taken_whole_or_not_at_all() {
        let packets = Capacity::Packets;
        assert_eq!(taken(packets(5), true, false, &[5, 1]), [5, 0]);
        assert_eq!(taken(packets(5), true, false, &[6, 4, 2, 1]), [0, 4, 0, 1]);
        assert_eq!(taken(packets(5), true, true, &[5, 4]), [0, 4]);
        // The packet in transmission takes no room, even if it belongs to the bulk.
        assert_eq!(taken(packets(5), false, false, &[7, 6, 1]), [0, 6, 0]);
        assert_eq!(taken(packets(5), false, true, &[6, 5]), [0, 5]);
    }

    #[test]
    fn a_buffer_of_bytes_takes_bulks_by_their_bytes() {
        let bytes = Capacity::Bytes(Bytes(550));
        assert_eq!(taken(bytes, true, false, &[6, 5, 1]), [0, 5, 0]);
        assert_eq!(taken(bytes, false, false, &[7, 6, 1]), [0, 6, 0]);
        assert_eq!(taken(bytes, false, true, &[6, 3, 3, 2]), [0, 3, 0, 2]);
    }
}
