//! The wire of a link: its packets, from the port on.

use pacesim_units::Time;

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
    pub(super) fn append(
        &mut self,
        transits: &mut [Transit],
        place: u32,
        began: Time,
        arrive: Time,
    ) -> bool {
        let transit = &mut transits[place as usize];
        (transit.began, transit.arrive) = (began, arrive);
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

    /// Takes off the packet that reaches the other end.
    #[inline]
    pub(super) fn take(&mut self, transits: &[Transit]) -> u32 {
        let place = self.head;
        self.head = transits[place as usize].next;
        self.len -= 1;
        place
    }

    /// The packet that reaches the other end next.
    #[inline]
    pub(super) fn head<'a>(&self, transits: &'a [Transit]) -> Option<&'a Transit> {
        (self.len > 0).then(|| &transits[self.head as usize])
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
