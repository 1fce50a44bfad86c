//! The trait of pacers: queues that decide when their head is released.

pub use pacesim_units::port::Waiting;
use pacesim_units::{Bytes, FlowId, Rate, Span, Time};
use thiserror::Error;

/// The properties of a packet that a pacer may know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pending {
    /// Handle of the packet in the world; a pacer only returns it.
    pub key: u32,
    /// Flow that the packet belongs to.
    pub flow: FlowId,
    /// Size on the wire in bytes.
    pub size: u32,
    /// Delay class of the packet, for pacers with several classes.
    pub class: u16,
    /// Latest release; [`Time::NEVER`] leaves that to its class. Only deadline-driven pacers use
    /// it.
    pub deadline: Time,
}

impl Pending {
    /// A packet of class 0 without its own deadline.
    pub const fn new(key: u32, flow: FlowId, size: u32) -> Pending {
        Pending {
            key,
            flow,
            size,
            class: 0,
            deadline: Time::NEVER,
        }
    }

    /// The same packet with this deadline.
    pub const fn due(self, deadline: Time) -> Pending {
        Pending { deadline, ..self }
    }

    /// The same packet in this delay class.
    pub const fn of_class(self, class: u16) -> Pending {
        Pending { class, ..self }
    }
}

/// The release of a pacer's head.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Release {
    /// No packet waits.
    Idle,
    /// The head leaves at this time; a time in the past means *ready now*.
    At(Time),
}

impl Release {
    /// True if a packet can be taken at `now`.
    #[inline]
    pub fn is_ready(self, now: Time) -> bool {
        matches!(self, Release::At(t) if t <= now)
    }
}

/// The reason why a pacer refuses a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Refused {
    /// The pacer's buffer has no room.
    #[error("the pacer's buffer is full")]
    Full,
    /// The packet's own deadline is in the past.
    #[error("the packet's deadline is before its arrival, so no release can meet it")]
    DeadlineBeforeArrival,
    /// The packet's class has no delay in the pacer's configuration.
    #[error("the packet's class has no delay bound; list one for each class, or give a deadline")]
    UnknownClass,
    /// The packet could never be released.
    #[error("the packet is larger than the bucket, so it could never be released")]
    LargerThanBucket,
}

/// A sender's report to a pacer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Feedback {
    /// Flow of the reporting sender.
    pub flow: FlowId,
    /// Window that the sender may have in flight.
    pub window: Bytes,
    /// Round-trip time of the sender.
    pub round_trip: Span,
}

/// The use of a pacer's own rate since time zero, in a unit of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Use {
    /// Amount that was used.
    pub used: u128,
    /// Amount that could have been used by now.
    pub possible: u128,
}

impl Use {
    /// The time for which a line was busy that has `rested` before, and is busy until then: the line
    /// of the pacer's rate to which each release hands its packet.
    pub fn of_line(now: Time, rested: Span, busy_until: Time) -> Use {
        let rests = now.saturating_since(busy_until);
        let (now, rested) = (now.as_ps(), rested.as_ps());
        Use {
            used: u128::from(now.saturating_sub(rested).saturating_sub(rests.as_ps())),
            possible: now.into(),
        }
    }

    /// The share in use since `before`; `None` if nothing was possible.
    pub fn share_since(self, before: Use) -> Option<f64> {
        let possible = self.possible - before.possible;
        (possible > 0).then(|| (self.used - before.used) as f64 / possible as f64)
    }
}

/// A queue that decides when its head is released.
///
/// The caller passes the time, which never runs backwards. It offers packets with
/// [`enqueue`](Pacer::enqueue), asks [`next_release`](Pacer::next_release) after every call that
/// may have changed it, and fetches with [`dequeue`](Pacer::dequeue) at that time. Waking up too
/// early is harmless. Fetched packets go to the port's own FIFO and leave at line rate; delays and
/// deadlines here refer to the release.
///
/// The executable laws of every pacer are in [`laws`](crate::laws).
pub trait Pacer: Send {
    /// Takes a packet, or returns the reason for a refusal and stays unchanged.
    fn enqueue(&mut self, now: Time, packet: Pending) -> Result<(), Refused>;

    /// The head, if it is due: `Some` exactly when [`next_release`](Pacer::next_release) is ready.
    fn dequeue(&mut self, now: Time) -> Option<Pending>;

    /// The release of the head. Changes only by one of the other calls.
    fn next_release(&self) -> Release;

    /// The packets and bytes that are held.
    fn waiting(&self) -> Waiting;

    /// Takes a sender's report; most pacers ignore it.
    fn on_feedback(&mut self, _now: Time, _feedback: &Feedback) {}

    /// Sets another release rate from now on; false if the pacer has no rate to set.
    fn set_rate(&mut self, _now: Time, _rate: Rate) -> bool {
        false
    }

    /// The use of its rate by now, if it has a greatest one of its own.
    fn in_use(&self, _now: Time) -> Option<Use> {
        None
    }
}

impl<P: Pacer + ?Sized> Pacer for Box<P> {
    #[inline]
    fn enqueue(&mut self, now: Time, packet: Pending) -> Result<(), Refused> {
        (**self).enqueue(now, packet)
    }
    #[inline]
    fn dequeue(&mut self, now: Time) -> Option<Pending> {
        (**self).dequeue(now)
    }
    #[inline]
    fn next_release(&self) -> Release {
        (**self).next_release()
    }
    #[inline]
    fn waiting(&self) -> Waiting {
        (**self).waiting()
    }
    #[inline]
    fn on_feedback(&mut self, now: Time, feedback: &Feedback) {
        (**self).on_feedback(now, feedback);
    }
    fn set_rate(&mut self, now: Time, rate: Rate) -> bool {
        (**self).set_rate(now, rate)
    }
    fn in_use(&self, now: Time) -> Option<Use> {
        (**self).in_use(now)
    }
}
