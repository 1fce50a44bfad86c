//! The wire of a link: its packets, from the port on.

use super::Transit;

/// The packets of a link that are not known to have reached the other end, in their order.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Wire {
    head: u32,
    tail: u32,
    len: u32,
    /// How many of them might have gone on ahead of time, had they been due sooner.
    pub(super) late: u32,
}

impl Wire {
    /// Puts a packet behind the others. Says whether there are none.
    #[inline]
    pub(super) fn append(&mut self, transits: &mut [Transit], place: u32) -> bool {
        let is_first = self.len == 0;
        if is_first {
            self.head = place;
        } else {
            transits[self.tail as usize].next = place;
        }
        self.tail = place;
        self.len += 1;
        is_first
    }

    /// Takes off the packet that reaches the other end, which is before this place. Says whether
    /// there is one there.
    #[inline]
    pub(super) fn take(&mut self, next: u32) -> bool {
        self.head = next;
        self.len -= 1;
        self.len > 0
    }

    /// The packet that reaches the other end last.
    pub(super) fn tail<'a>(&self, transits: &'a [Transit]) -> Option<&'a Transit> {
        (self.len > 0).then(|| &transits[self.tail as usize])
    }

    /// How many packets it has.
    #[inline]
    pub(super) fn len(&self) -> u32 {
        self.len
    }
}
