//! The wire of a link: its packets, from the port on.

use pacesim_units::Time;

use super::Transit;

/// The packets of a link that are not known to have reached the other end, in their order. The first is
/// known to the calendar, and each to the one before it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Wire {
    tail: u32,
    len: u32,
    /// How many of them might have gone on ahead of time, had they been due sooner.
    pub(super) late: u32,
}

/// A packet on a wire.
#[derive(Clone, Copy, Debug)]
pub(super) struct Carried {
    pub(super) place: u32,
    /// What is next on its route, as the route has it.
    pub(super) onward: u32,
    /// When its last bit reaches the other end.
    pub(super) arrive: Time,
    /// When its transmission began.
    pub(super) began: Time,
}

impl Wire {
    /// Puts a packet behind the others. Says whether there are none.
    #[inline]
    pub(super) fn append(&mut self, transits: &mut [Transit], packet: Carried) -> bool {
        let is_first = self.len == 0;
        if !is_first {
            let last = &mut transits[self.tail as usize];
            last.times = [packet.arrive, packet.began];
            (last.next, last.next_onward) = (packet.place, packet.onward);
        }
        self.tail = packet.place;
        self.len += 1;
        is_first
    }

    /// Takes off the first, which reaches the other end. Says which is behind it.
    #[inline]
    pub(super) fn take(&mut self, first: &Transit) -> Option<Carried> {
        self.len -= 1;
        let [arrive, began] = first.times;
        (self.len > 0).then_some(Carried {
            place: first.next,
            onward: first.next_onward,
            arrive,
            began,
        })
    }

    /// How many packets it has.
    #[inline]
    pub(super) fn len(&self) -> u32 {
        self.len
    }
}
