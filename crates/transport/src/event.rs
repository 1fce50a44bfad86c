//! Events that a sender reports on request.

use std::collections::VecDeque;
use std::ops::BitOr;

use pacesim_units::{Bytes, Span, Time};

/// Why the window changed.
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
    /// The retransmission timer ran out.
    Timeout,
    /// There was nothing to send for a while.
    Idle,
}

/// Something happened in a sender.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum SenderEvent {
    /// The window or ssthresh may have changed.
    Window {
        /// When it happened.
        at: Time,
        /// The congestion window now, in packets.
        cwnd: f64,
        /// The window at which slow start now ends, in packets.
        ssthresh: f64,
        /// Why the window changed.
        reason: WindowReason,
    },
    /// The retransmission timer ran out with data outstanding.
    Timeout {
        /// When the timer ran out.
        at: Time,
        /// The packet sent again.
        seq: u32,
        /// The time-out that is in force now.
        rto: Span,
    },
    /// A fast retransmit; for all but Tahoe, recovery begins.
    FastRetransmit {
        /// When the packet was sent again.
        at: Time,
        /// The packet sent again.
        seq: u32,
    },
    /// Fast recovery ended by an acknowledgement.
    Recovered {
        /// When recovery ended.
        at: Time,
    },
    /// A round trip was measured.
    Rtt {
        /// When the round trip ended.
        at: Time,
        /// The sample, to the picosecond.
        sample: Span,
        /// The smoothed round trip, as the profile's clock has it.
        srtt: Span,
        /// The time-out now in force.
        rto: Span,
    },
    /// All data of a transfer have been acknowledged.
    TransferComplete {
        /// When the last acknowledgement came.
        at: Time,
        /// The number of the transfer in its flow, from 0.
        index: u32,
        /// The size of the transfer.
        bytes: Bytes,
        /// When the application handed the data over.
        started: Time,
    },
}

/// A set of kinds of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct EventMask(u8);

impl EventMask {
    /// No events.
    pub const NONE: EventMask = EventMask(0);
    /// [`SenderEvent::Window`].
    pub const WINDOW: EventMask = EventMask(1);
    /// [`SenderEvent::Timeout`].
    pub const TIMEOUT: EventMask = EventMask(2);
    /// [`SenderEvent::FastRetransmit`] and [`SenderEvent::Recovered`].
    pub const RECOVERY: EventMask = EventMask(4);
    /// [`SenderEvent::Rtt`].
    pub const RTT: EventMask = EventMask(8);
    /// [`SenderEvent::TransferComplete`].
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

/// Events wanted and not yet polled; nothing at all while none is wanted.
#[derive(Clone, Debug, Default)]
pub struct Log {
    wanted: Option<Box<Wanted>>,
    /// True if there is any: usually not, and then nothing else is read.
    has_some: bool,
}

/// Mostly there is one at a time, and it lies here: what each of thousands of senders keeps elsewhere is far away.
#[derive(Clone, Debug)]
struct Wanted {
    mask: EventMask,
    first: Option<SenderEvent>,
    /// None while there is no first.
    others: VecDeque<SenderEvent>,
}

impl Log {
    /// Asks for events of these kinds.
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
    #[inline(always)]
    pub fn note(&mut self, kind: EventMask, event: impl FnOnce() -> SenderEvent) {
        if self.wanted.is_some() {
            self.keep(kind, event);
        }
    }

    #[inline(never)]
    fn keep(&mut self, kind: EventMask, event: impl FnOnce() -> SenderEvent) {
        if let Some(wanted) = &mut self.wanted
            && wanted.mask.has(kind)
        {
            match wanted.first {
                None => wanted.first = Some(event()),
                Some(_) => wanted.others.push_back(event()),
            }
            self.has_some = true;
        }
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
