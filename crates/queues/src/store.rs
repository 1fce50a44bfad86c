//! Packets of many queues in one store, which grows to the largest number waiting at once.

/// The places of packets; free places form a chain of their own.
#[derive(Clone, Debug)]
pub(crate) struct Store<T> {
    places: Vec<Place<T>>,
    /// Number of the first free place.
    free: u32,
}

#[derive(Clone, Copy, Debug)]
struct Place<T> {
    held: T,
    /// The next place in its queue, or among the free ones, unless it is the last.
    behind: u32,
}

/// A queue: the places of its first and last packet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chain {
    first: u32,
    last: u32,
}

/// A place that no packet uses.
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
            places: Vec::new(),
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
        let place = &mut self.places[free as usize];
        self.free = place.behind;
        place.held = held;
        if queue.is_empty() {
            queue.first = free
        } else {
            self.places[queue.last as usize].behind = free
        }
        queue.last = free;
    }

    /// Returns a free place, creating one if there is none.
    #[cold]
    fn grow(&mut self) {
        self.free = self.places.len() as u32;
        self.places.push(Place {
            held: T::default(),
            behind: NONE,
        });
    }

    /// Removes the first packet of a queue.
    #[inline]
    pub(crate) fn pop(&mut self, queue: &mut Chain) -> Option<&T> {
        let first = queue.first;
        let place = self.places.get_mut(first as usize)?;
        queue.first = if first == queue.last {
            NONE
        } else {
            place.behind
        };
        place.behind = self.free;
        self.free = first;
        Some(&place.held)
    }
}
