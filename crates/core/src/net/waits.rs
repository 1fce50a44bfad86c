//! The memory of the packets that wait at all ports.

use pacesim_units::Time;

/// A packet that waits at a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Waiting {
    /// Start of its transmission, which is the departure of the one before it.
    pub(super) start: Time,
    pub(super) size: u32,
    /// One more than the place of the next one at its port or in the free list, or zero.
    next: u32,
}

/// A list of waiting packets, by its first and last place.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct WaitList {
    first: u32,
    last: u32,
}

/// All waiting packets. Memory grows to the most waiting at once; freed places are reused, the last
/// freed first. The owner of a list knows its length.
#[derive(Debug, Default)]
pub(super) struct Waits {
    places: Vec<Waiting>,
    /// One more than the first free place, or zero.
    free: u32,
}

impl Waits {
    /// Appends a packet to a list, which may be empty.
    #[inline]
    pub(super) fn push(&mut self, list: &mut WaitList, is_empty: bool, start: Time, size: u32) {
        let next = 0;
        let waiting = Waiting { start, size, next };
        let place = match self.free.checked_sub(1) {
            Some(place) => {
                self.free = self.places[place as usize].next;
                self.places[place as usize] = waiting;
                place
            }
            None => {
                self.places.push(waiting);
                u32::try_from(self.places.len() - 1).expect("less than 4e9 packets wait")
            }
        };
        if is_empty {
            list.first = place;
        } else {
            self.places[list.last as usize].next = place + 1;
        }
        list.last = place;
    }

    /// Takes the first packet of a non-empty list.
    #[inline]
    pub(super) fn pop(&mut self, list: &mut WaitList) -> Waiting {
        let place = list.first;
        let slot = &mut self.places[place as usize];
        let first = *slot;
        slot.next = self.free;
        self.free = place + 1;
        list.first = first.next.wrapping_sub(1);
        first
    }

    /// The first packet of a non-empty list.
    #[inline]
    pub(super) fn first(&self, list: &WaitList) -> &Waiting {
        &self.places[list.first as usize]
    }

    /// Frees a non-empty list, all at once.
    pub(super) fn clear(&mut self, list: &WaitList) {
        self.places[list.last as usize].next = self.free;
        self.free = list.first + 1;
    }

    /// The first `count` of a list.
    pub(super) fn iter(
        &self,
        list: &WaitList,
        count: u32,
    ) -> impl Iterator<Item = Waiting> + Clone {
        let mut place = list.first;
        (0..count).map(move |_| {
            let waiting = self.places[place as usize];
            place = waiting.next.wrapping_sub(1);
            waiting
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes_in(waits: &Waits, list: WaitList) -> Vec<u32> {
        waits.iter(&list, 4).map(|waiting| waiting.size).collect()
    }

    #[test]
    fn lists_keep_apart_and_leave_their_places_to_others() {
        let mut waits = Waits::default();
        let mut lists = [WaitList::default(); 3];
        for round in 0..5 {
            for (i, list) in (0..12).map(|i| (i, i as usize % 3)) {
                let start = Time::from_ps(100 * round + i);
                waits.push(&mut lists[list], i < 3, start, i as u32);
            }
            assert_eq!(sizes_in(&waits, lists[1]), [1, 4, 7, 10], "round {round}");
            waits.clear(&lists[1]);
            for size in [2, 5, 8, 11] {
                assert_eq!(waits.first(&lists[2]).size, size);
                assert_eq!(waits.pop(&mut lists[2]).size, size);
            }
            assert_eq!(sizes_in(&waits, lists[0]), [0, 3, 6, 9]);
            waits.clear(&lists[0]);
        }
        assert_eq!(waits.places.len(), 12, "memory is what waited at once");
    }
}
