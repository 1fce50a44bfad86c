//! Events that a sender reports on request.

use std::collections::VecDeque;
use std::ops::BitOr;

use pacesim_units::{Bytes, Span, Time};

/// The reason for a change of the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WindowReason {
    /// The connection opened.
    Opened,
    /// New data were acknowledged.
    Growth,
    /// Duplicates or SACK blocks reported a loss.
    FastRetransmit,
    /// A partial acknowledgement in NewReno's recovery.
    PartialAck,
    /// Recovery ended.
    Recovered,
    /// The retransmission timer expired.
    Timeout,
    /// Nothing was sent for a while.
    Idle,
}

/// An event in a sender.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum SenderEvent {
    /// The window or ssthresh may have changed.
    Window {
        /// Time of the event.
        at: Time,
        /// Congestion window after the event, in packets.
        cwnd: f64,
        /// Threshold at which slow start ends after the event, in packets.
        ssthresh: f64,
        /// Reason for the change.
        reason: WindowReason,
    },
    /// The retransmission timer expired with data outstanding.
    Timeout {
        /// Time at which the timer expired.
        at: Time,
        /// Number of the retransmitted packet.
        seq: u32,
        /// Time-out in force after the event.
        rto: Span,
    },
    /// A fast retransmit; for all but Tahoe, recovery begins.
    FastRetransmit {
        /// Time of the retransmission.
        at: Time,
        /// Number of the retransmitted packet.
        seq: u32,
    },
    /// Fast recovery ended by an acknowledgement.
    Recovered {
        /// Time at which recovery ended.
        at: Time,
    },
    /// A round trip was measured.
    Rtt {
        /// Time at which the round trip ended.
        at: Time,
        /// Sample of the round-trip time, to the picosecond.
        sample: Span,
        /// The smoothed round trip, in the profile's clock.
        srtt: Span,
        /// Time-out in force after the event.
        rto: Span,
    },
    /// All data of a transfer have been acknowledged.
    TransferComplete {
        /// Time of the last acknowledgement.
        at: Time,
        /// The number of the transfer in its flow, from 0.
        index: u32,
        /// The size of the transfer.
        bytes: Bytes,
        /// Time at which the application handed the data over.
        started: Time,
    },
}

/// A set of kinds of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct EventMask(u8);

impl EventMask {
    /// The empty set.
    pub const NONE: EventMask = EventMask(0);
    /// Events [`SenderEvent::Window`].
    pub const WINDOW: EventMask = EventMask(1);
    /// Events [`SenderEvent::Timeout`].
    pub const TIMEOUT: EventMask = EventMask(2);
    /// Events [`SenderEvent::FastRetransmit`] and [`SenderEvent::Recovered`].
    pub const RECOVERY: EventMask = EventMask(4);
    /// Events [`SenderEvent::Rtt`].
    pub const RTT: EventMask = EventMask(8);
    /// Events [`SenderEvent::TransferComplete`].
    pub const TRANSFER: EventMask = EventMask(16);
    /// All kinds of events.
    pub const ALL: EventMask = EventMask(31);

    fn has(self, other: EventMask) -> bool {
        self.0 & other.0 != 0
    }
}

impl BitOr for EventMask {
    type Output = EventMask;
    fn bitor(self, other: EventMask) -> EventMask {
        EventMask(self.0 | other.0)
    }
}

/// Requested events not yet polled; it allocates nothing while none are requested.
#[derive(Clone, Debug, Default)]
pub struct Log {
    wanted: Option<Box<Wanted>>,
    /// True if it holds any: usually not, and then nothing else is read.
    has_some: bool,
}

/// Usually one event at a time, stored inline: a separate allocation for each of thousands of
/// senders would miss the cache.
#[derive(Clone, Debug)]
struct Wanted {
    mask: EventMask,
    first: Option<SenderEvent>,
    /// Further events; empty while the first is absent.
    others: VecDeque<SenderEvent>,
}

impl Wanted {
    fn add(&mut self, event: SenderEvent) {
        match self.first {
            None => self.first = Some(event),
            Some(_) => self.others.push_back(event),
        }
    }
}

impl Log {
    /// Requests events of these kinds.
    pub fn want(&mut self, mask: EventMask) {
        self.has_some = false;
        self.wanted = (mask != EventMask::NONE).then(|| {
            Box::new(Wanted {
                mask,
                first: None,
                others: VecDeque::new(),
            })
        });
    }

    /// Notes an event, made only if its kind is wanted.
    // Always inlined: most calls note nothing.
    #[inline(always)]
    pub fn note(&mut self, kind: EventMask, event: impl FnOnce() -> SenderEvent) {
        if let Some(wanted) = &mut self.wanted
            && wanted.mask.has(kind)
        {
            wanted.add(event());
            self.has_some = true;
        }
    }

    /// True if `poll` has an event.
    #[inline]
    pub fn has_some(&self) -> bool {
        self.has_some
    }

    /// The next event, oldest first.
    #[inline]
    pub fn poll(&mut self) -> Option<SenderEvent> {
        if !self.has_some {
            return None;
        }
        let wanted = self.wanted.as_mut()?;
        let event = wanted.first.take();
        wanted.first = wanted.others.pop_front();
        self.has_some = wanted.first.is_some();
        event
    }
}
