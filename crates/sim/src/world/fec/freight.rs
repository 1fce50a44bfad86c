//! What repair packets carry that are under way. The records of packets have no room for it.

use std::sync::{Arc, Mutex, MutexGuard};

use pacesim_core::net::{Packet, Volume};
use pacesim_fec::Cover;
use pacesim_units::Time;

use super::identity::Identity;

/// What a repair packet carries: one line of the cache.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
pub(super) struct Payload {
    pub(super) cover: Cover,
    /// When it was sent.
    pub(super) sent: Time,
    pub(super) value: Identity,
    /// All packets that the encoder had protected by then.
    pub(super) protected: Volume,
}

/// The payloads of all pairs of a world. They share one memory, since thousands of memories, each of which is
/// touched now and then, would never be in the caches.
#[derive(Clone, Debug, Default)]
pub(in crate::world) struct Freight(Arc<Mutex<Store>>);

#[derive(Debug, Default)]
struct Store {
    payloads: Vec<Payload>,
    /// Of each of them. Apart, so that many are in few lines of the cache.
    records: Vec<Record>,
    /// One more than the first free place, or zero.
    free: u32,
}

#[derive(Clone, Copy, Debug)]
struct Record {
    /// The pair that it is of, or [`FREE`].
    pair: u32,
    /// The one that the pair sent before it: its place and its block. Of a free place the next.
    older: (u32, u32),
}

/// The pair of places that are free.
const FREE: u32 = u32::MAX;

/// The block before the first.
const NONE: u32 = u32::MAX;

impl Freight {
    fn lock(&self) -> MutexGuard<'_, Store> {
        self.0.lock().expect("nobody panics with it")
    }
}

impl Store {
    fn put(&mut self, payload: Payload, record: Record) -> u32 {
        let Some(place) = self.free.checked_sub(1) else {
            self.payloads.push(payload);
            self.records.push(record);
            return self.records.len() as u32 - 1;
        };
        let free = &mut self.records[place as usize];
        self.free = free.older.0;
        *free = record;
        self.payloads[place as usize] = payload;
        place
    }

    fn free(&mut self, place: u32) {
        let record = &mut self.records[place as usize];
        (record.pair, record.older.0) = (FREE, self.free);
        self.free = place + 1;
    }
}

/// Where the repair packets of a pair are sent.
#[derive(Debug)]
pub(super) struct Loading {
    freight: Freight,
    pair: u32,
    /// The last place, and its block.
    last: (u32, u32),
}

impl Loading {
    pub(super) fn new(freight: &Freight, pair: u32) -> Loading {
        let (freight, last) = (freight.clone(), (0, NONE));
        Loading {
            freight,
            pair,
            last,
        }
    }

    /// Keeps what a repair packet carries. Says where, for the packet's tag.
    pub(super) fn put(&mut self, payload: Payload) -> u32 {
        let record = Record {
            pair: self.pair,
            older: self.last,
        };
        let place = self.freight.lock().put(payload, record);
        self.last = (place, payload.cover.block);
        place
    }
}

/// Where the repair packets of a pair come.
#[derive(Debug)]
pub(super) struct Unloading {
    freight: Freight,
    pair: u32,
    /// The block of the last that came.
    last: u32,
}

impl Unloading {
    pub(super) fn new(freight: &Freight, pair: u32) -> Unloading {
        Unloading {
            freight: freight.clone(),
            pair,
            last: NONE,
        }
    }

    /// What a packet carries, if it is a repair packet of this pair. What those before it carried,
    /// which did not come, is gone.
    pub(super) fn take(&mut self, packet: &Packet) -> Option<Payload> {
        let mut store = self.freight.lock();
        let Record { pair, mut older } = *store.records.get(packet.tag as usize)?;
        let payload = store.payloads[packet.tag as usize];
        // A report has other numbers there, which may be these by chance: but not with this time.
        let name = (payload.cover.block, payload.sent);
        if pair != self.pair || name != (packet.seq, packet.stamp) {
            return None;
        }
        store.free(packet.tag);
        while older.1 != self.last {
            let (place, before) = (older.0, store.records[older.0 as usize].older);
            store.free(place);
            older = before;
        }
        self.last = payload.cover.block;
        Some(payload)
    }
}

#[cfg(test)]
mod tests {
    use pacesim_units::Span;

    use super::*;

    fn payload(block: u32) -> Payload {
        Payload {
            cover: Cover { block, count: 3 },
            sent: Time::from_ps(u64::from(block) * 1000),
            ..Payload::default()
        }
    }

    fn packet(tag: u32, block: u32) -> Packet {
        Packet {
            tag,
            seq: block,
            stamp: payload(block).sent,
            ..Packet::default()
        }
    }

    #[test]
    fn what_a_repair_packet_carries_is_one_line_of_the_cache() {
        assert_eq!(size_of::<Payload>(), 64);
    }

    #[test]
    fn a_report_with_the_numbers_of_a_repair_packet_is_none() {
        let freight = Freight::default();
        let (mut loading, mut unloading) = (Loading::new(&freight, 0), Unloading::new(&freight, 0));
        let repair = packet(loading.put(payload(7)), 7);
        let report = Packet {
            stamp: repair.stamp + Span::from_ps(1),
            ..repair
        };
        assert!(unloading.take(&report).is_none());
        assert!(unloading.take(&repair).is_some());
    }

    #[test]
    fn each_pair_gets_its_own_and_what_was_lost_is_forgotten() {
        let freight = Freight::default();
        let mut ends: Vec<_> = (0..3)
            .map(|pair| (Loading::new(&freight, pair), Unloading::new(&freight, pair)))
            .collect();
        let mut under_way: Vec<Vec<(u32, u32)>> = vec![Vec::new(); 3];
        let mut most = 0;
        for step in 0..10_000_u32 {
            let pair = (step * 7919 / 13) as usize % 3;
            let loading = &mut ends[pair].0;
            let block = step;
            under_way[pair].push((loading.put(payload(block)), block));
            most = most.max(under_way.iter().map(Vec::len).sum::<usize>());
            if step % 5 == 0 {
                // Of those on the way all but the last two are lost, but for the first of these.
                let lost = under_way[pair].len().saturating_sub(2);
                let (tag, block) = under_way[pair]
                    .drain(..=lost)
                    .next_back()
                    .expect("one came");
                let packet = packet(tag, block);
                assert!(
                    ends[(pair + 1) % 3].1.take(&packet).is_none(),
                    "not its own"
                );
                let taken = ends[pair].1.take(&packet).expect("its own");
                assert_eq!(taken.cover.block, block);
                assert!(ends[pair].1.take(&packet).is_none(), "taken once");
            }
        }
        assert_eq!(
            freight.lock().records.len(),
            most,
            "what is free is used again"
        );
    }
}
