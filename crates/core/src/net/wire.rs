//! The wire of a link, with its packets from the port on.

use pacesim_units::Time;

use super::Transit;

/// The packets of a link that are not known to have reached the other end, in their order. The
/// calendar keeps the first, and each packet the one behind it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Wire {
    tail: u32,
    len: u32,
    /// Number of them that could have been forwarded ahead of time, had they been due sooner.
    pub(super) late: u32,
}

/// A packet on a wire.
#[derive(Clone, Copy, Debug)]
pub(super) struct Carried {
    pub(super) place: u32,
    /// Next hop of the packet's route, in the route's encoding.
    pub(super) onward: u32,
    /// Time at which the packet's last bit arrives at the other end.
    pub(super) arrive: Time,
    /// Time at which the packet's transmission started.
    pub(super) began: Time,
}

impl Wire {
    /// Puts a packet behind the others. Returns true if the wire was empty.
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

    /// Takes off the first, which reaches the other end, and returns the one behind it.
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

    /// True if all packets on the wire could have been forwarded ahead of time.
    pub(super) fn is_all_late(&self) -> bool {
        self.late == self.len
    }

    /// Number of packets on the wire.
    #[inline]
    pub(super) fn len(&self) -> u32 {
        self.len
    }
}
