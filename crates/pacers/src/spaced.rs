//! The queue of pacers that space packets: drop-tail, and its first packet leaves at a known time.

use pacesim_units::{Capacity, Time};

use crate::fifo::Fifo;
use crate::pacer::{Pending, Refused, Release, Waiting};

/// Packets in order of arrival, and the time at which the first of them leaves.
#[derive(Clone, Debug)]
pub(crate) struct Spaced {
    queue: Fifo,
    next: Release,
}

impl Spaced {
    /// A queue without packets.
    pub(crate) fn new(capacity: Capacity) -> Spaced {
        Spaced {
            queue: Fifo::new(capacity),
            next: Release::Idle,
        }
    }

    /// Takes a packet if it is within the capacity; a packet that is first leaves at the time given.
    #[inline]
    pub(crate) fn push(
        &mut self,
        packet: Pending,
        at: impl FnOnce() -> Time,
    ) -> Result<(), Refused> {
        let is_first = self.queue.is_empty();
        self.queue.push(packet)?;
        if is_first {
            self.next = Release::At(at());
        }
        Ok(())
    }

    /// The first packet, if its time has come.
    #[inline]
    pub(crate) fn due(&self, now: Time) -> Option<&Pending> {
        self.queue.front().filter(|_| self.next.is_ready(now))
    }

    /// Takes out the first packet.
    #[inline]
    pub(crate) fn pop(&mut self) -> Option<Pending> {
        self.queue.pop()
    }

    /// Lets the packet that is first now leave at a time that follows from it.
    #[inline]
    pub(crate) fn schedule(&mut self, at: impl FnOnce(&Pending) -> Time) {
        self.next = match self.queue.front() {
            None => Release::Idle,
            Some(first) => Release::At(at(first)),
        };
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.queue.is_empty()
    }

    #[inline]
    pub(crate) fn next(&self) -> Release {
        self.next
    }

    #[inline]
    pub(crate) fn waiting(&self) -> Waiting {
        self.queue.waiting()
    }
}
