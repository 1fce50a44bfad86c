//! Packets of many queues in one store, which grows to the largest number waiting at once.

/// Slots of packets; the free ones form a chain of their own.
#[derive(Clone, Debug)]
pub(crate) struct Store<T> {
    slots: Vec<Slot<T>>,
    /// The first free slot.
    free: u32,
}

/// Room for one packet.
#[derive(Clone, Copy, Debug)]
struct Slot<T> {
    held: T,
    /// The next slot in its queue, or among the free ones, unless it is the last.
    behind: u32,
}

/// A queue: the slots of its first and last packet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chain {
    first: u32,
    last: u32,
}

/// The slot of no packet, which is never used.
const NONE: u32 = u32::MAX;

impl Default for Chain {
    fn default() -> Chain {
        Chain {
            first: NONE,
            last: NONE,
        }
    }
}

impl Chain {
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.first == NONE
    }
}

impl<T: Copy + Default> Store<T> {
    /// A store without packets.
    pub(crate) const fn new() -> Store<T> {
        Store {
            slots: Vec::new(),
            free: NONE,
        }
    }

    /// Appends a packet to a queue.
    #[inline]
    pub(crate) fn push(&mut self, queue: &mut Chain, held: T) {
        if self.free == NONE {
            self.grow();
        }
        let free = self.free;
        let slot = &mut self.slots[free as usize];
        self.free = slot.behind;
        slot.held = held;
        if queue.is_empty() {
            queue.first = free
        } else {
            self.slots[queue.last as usize].behind = free
        }
        queue.last = free;
    }

    /// Adds a free slot; called if there is none.
    #[cold]
    fn grow(&mut self) {
        self.free = self.slots.len() as u32;
        self.slots.push(Slot {
            held: T::default(),
            behind: NONE,
        });
    }

    /// Removes the first packet of a queue.
    #[inline]
    pub(crate) fn pop(&mut self, queue: &mut Chain) -> Option<&T> {
        let first = queue.first;
        let slot = self.slots.get_mut(first as usize)?;
        queue.first = if first == queue.last {
            NONE
        } else {
            slot.behind
        };
        slot.behind = self.free;
        self.free = first;
        Some(&slot.held)
    }
}
