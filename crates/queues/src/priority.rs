//! Strict priority: class 0 is served first, then class 1, and so on. Classes are those of flows, or follow
//! from the sizes of transfers.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use pacesim_units::{Capacity, Time};

use crate::built_in::{BuiltIn, Site};
use crate::queue::{Ecn, Line, Pending, Queue, Reason, Turn, Waiting};
use crate::room::Room;

/// The classes of strict priority.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PriorityConfig {
    /// The largest transfers of each class but the last, in bytes; if there are none, the classes are
    /// those of flows.
    pub sizes: Vec<u32>,
}

/// A FIFO for each class, with shared room: a packet is sent if none of a lower class waits.
#[derive(Clone, Debug)]
pub struct StrictPriority {
    room: Room,
    sizes: Vec<u32>,
    classes: BTreeMap<u16, VecDeque<Pending>>,
    /// Classes that a switch at the other end has paused.
    held: BTreeSet<u16>,
}

impl StrictPriority {
    /// An empty queue of this capacity for all classes, with or without the packet in transmission.
    /// A packet that finds it full pushes out the newest packets of higher classes than its own.
    pub fn new(capacity: Capacity, counts_sending: bool, config: PriorityConfig) -> StrictPriority {
        StrictPriority {
            room: Room::new(capacity, counts_sending),
            sizes: config.sizes,
            classes: BTreeMap::new(),
            held: BTreeSet::new(),
        }
    }

    fn class(&self, packet: &Pending) -> u16 {
        match self.sizes.is_empty() {
            true => packet.class,
            false => self.sizes.partition_point(|size| *size < packet.remaining) as u16,
        }
    }

    /// The highest class among the waiting packets.
    fn last(&self) -> Option<u16> {
        let mut waiting = self
            .classes
            .iter()
            .rev()
            .filter(|(_, packets)| !packets.is_empty());
        waiting.next().map(|(class, _)| *class)
    }
}

impl BuiltIn for StrictPriority {
    type Config = PriorityConfig;
    const NAME: &'static str = "strict_priority";

    fn at(site: Site, config: &Self::Config) -> StrictPriority {
        StrictPriority::new(site.capacity, site.counts_sending, config.clone())
    }

    fn class_of(config: &Self::Config, class: u16, _: Ecn) -> Option<usize> {
        let by_flow = config.sizes.is_empty();
        by_flow.then_some(usize::from(class).min(3))
    }
}

impl Queue for StrictPriority {
    fn arrive(&mut self, _now: Time, packet: Pending) -> Result<(), Reason> {
        let class = self.class(&packet);
        let fits = self.room.fits(packet.size);
        let gives_way = self.last().is_none_or(|last| last <= class);
        if !fits && (gives_way || self.room.is_too_large(packet.size)) {
            return Err(Reason::Full);
        }
        self.room.take(packet.size);
        self.classes.entry(class).or_default().push_back(packet);
        Ok(())
    }

    fn turn(&mut self, _now: Time, line: Line) -> Turn {
        if self.room.is_over()
            && let Some(last) = self.last()
            && let Some(packet) = self.classes.get_mut(&last).and_then(VecDeque::pop_back)
        {
            self.room.drop(packet.size);
            return Turn::Drop(packet.key, Reason::Full);
        }
        if line == Line::Busy {
            return Turn::Hold;
        }
        let mut classes = self.classes.iter_mut();
        let next = classes.find_map(|(class, packets)| match self.held.contains(class) {
            true => None,
            false => packets.pop_front(),
        });
        self.room.go(next.map(|packet| (packet, None)))
    }

    fn waiting(&self) -> Waiting {
        self.room.held()
    }

    /// Pauses are for classes of flows: with others the whole port is held.
    fn hold_class(&mut self, class: u16, holds: bool) -> bool {
        if !self.sizes.is_empty() {
            return false;
        }
        if holds {
            self.held.insert(class);
        } else {
            self.held.remove(&class);
        }
        true
    }
}
