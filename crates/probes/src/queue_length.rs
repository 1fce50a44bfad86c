//! The length of a link's queue, tracked packet by packet, for an observer.

use std::collections::VecDeque;

use pacesim::model::{Counts, Model};
use pacesim::net::{DropCause, Packet, Passage, Probe};
use pacesim::units::{LinkId, Span, Time};

use crate::schema::{Measurement, Watching};
use crate::tap::{link, measured_time};

/// The volume of packets that wait in a queue.
#[derive(Clone, Copy, Default)]
pub(crate) struct Volume {
    pub(crate) packets: u64,
    pub(crate) bytes: u64,
}

impl Volume {
    fn add(&mut self, size: u32) {
        self.packets += 1;
        self.bytes += u64::from(size);
    }
}

/// An observer of a queue's length. Lengths before the end of the warm-up are forgotten at that
/// time.
pub(crate) trait Keeper {
    /// Notes that the warm-up has ended.
    fn begin(&mut self, from: Time);

    /// Notes that the queue has this length from now on.
    fn set(&mut self, now: Time, length: Volume);

    /// A packet left the queue, and this length is behind it.
    fn left(&mut self, _behind: Volume) {}

    /// A packet arrived and found the line idle or busy.
    fn arrived(&mut self, _found_idle: bool) {}

    /// Notes that the queue refused a packet because it is full.
    fn refused(&mut self) {}

    /// Notes that the line was idle for this long.
    fn rested(&mut self, _rest: Span) {}

    /// Computes the results at the end of the run.
    fn found(self, from: Time, end: Time) -> Measurement;
}

/// A link's queue with its observer.
pub(crate) struct Followed<K> {
    keeper: K,
    link: LinkId,
    counts: Counts,
    /// True if a discipline holds the packets until their turn.
    is_staged: bool,
    length: Volume,
    /// The time of the last change, until its observer knows the length from then on: at one instant
    /// only the last length counts, so that a packet that just passes never waits.
    changed: Option<Time>,
    /// The packets that joined at this time, the last one at which any did.
    joined: (Time, Volume),
    /// Departures that are known in advance, and the sizes of their packets.
    leaving: VecDeque<(Time, u32)>,
    has_begun: bool,
    from: Time,
    /// Time at which the line will have transmitted all its packets.
    free_from: Time,
}

impl<K: Keeper> Followed<K> {
    /// Tracks the queue of this link, if the link exists.
    pub(crate) fn new(model: &Model, name: &str, keeper: K) -> Option<Followed<K>> {
        let (from, _) = measured_time(model);
        let link = link(model, name)?;
        let port = &model.links[link.index()];
        Some(Followed {
            keeper,
            link,
            counts: port.buffer.counts,
            is_staged: model.stages().has_queue(link),
            length: Volume::default(),
            changed: None,
            joined: (Time::ZERO, Volume::default()),
            leaving: VecDeque::new(),
            has_begun: false,
            from,
            free_from: Time::ZERO,
        })
    }

    /// Removes packets that have left by now, and starts at the end of the warm-up.
    #[inline]
    fn come_to(&mut self, now: Time) {
        if !self.has_begun && now >= self.from {
            self.has_begun = true;
            // Departures at that instant belong to the time measured.
            self.leave(Time::from_ps(self.from.as_ps().saturating_sub(1)));
            self.tell();
            self.keeper.begin(self.from);
        }
        self.leave(now);
    }

    fn leave(&mut self, until: Time) {
        while let Some((at, size)) = self.leaving.front().copied().filter(|next| next.0 <= until) {
            self.leaving.pop_front();
            self.depart(at, size);
        }
    }

    /// Tells the observer of the last change.
    fn tell(&mut self) {
        if let Some(at) = self.changed.take() {
            self.keeper.set(at, self.length);
        }
    }

    /// Notes that the length changes now.
    fn change(&mut self, now: Time) {
        if self.changed.is_some_and(|at| at < now) {
            self.tell();
        }
        self.changed = Some(now);
    }

    fn join(&mut self, now: Time, size: u32) {
        self.change(now);
        if self.joined.0 != now {
            self.joined = (now, Volume::default());
        }
        self.joined.1.add(size);
        self.length.add(size);
    }

    fn remove(&mut self, now: Time, size: u32) {
        self.change(now);
        self.length.packets -= 1;
        self.length.bytes -= u64::from(size);
    }

    /// Removes the packet whose turn it is.
    fn depart(&mut self, now: Time, size: u32) {
        self.remove(now, size);
        self.leave_behind(now);
    }

    /// Notes the packets behind one that leaves, which precedes those that arrive at that instant.
    fn leave_behind(&mut self, now: Time) {
        if now >= self.from {
            let (at, joined) = self.joined;
            let later = if at == now { joined } else { Volume::default() };
            self.keeper.left(Volume {
                packets: self.length.packets.saturating_sub(later.packets),
                bytes: self.length.bytes.saturating_sub(later.bytes),
            });
        }
    }

    /// Notes a packet that comes to the queue.
    fn arrive(&mut self, now: Time) {
        if now >= self.from {
            // At the end of a transmission the next packet follows at once, if one waits.
            let is_next_due = self.free_from == now && self.length.packets > 0;
            self.keeper.arrived(self.free_from <= now && !is_next_due);
        }
    }

    /// Notes a transmission from `began` to `departure`.
    fn send(&mut self, began: Time, departure: Time) {
        self.keeper.rested(self.resting(began));
        self.free_from = departure;
    }

    /// Idle time of the line, up to this time, since it last became free.
    fn resting(&self, until: Time) -> Span {
        until.saturating_since(self.free_from.max(self.from))
    }
}

impl<K: Keeper> Watching for Followed<K> {
    fn found(mut self: Box<Self>, end: Time) -> Measurement {
        self.come_to(end);
        self.tell();
        self.keeper.rested(self.resting(end));
        self.keeper.found(self.from, end)
    }
}

impl<K: Keeper> Probe for Followed<K> {
    #[inline]
    fn accepted(&mut self, now: Time, link: LinkId, packet: &Packet, passage: Passage) {
        if link != self.link {
            return;
        }
        self.come_to(now);
        let began = if self.is_staged {
            now
        } else {
            self.free_from.max(now)
        };
        if !self.is_staged {
            self.arrive(now);
        }
        let leaves = match self.counts {
            Counts::Waiting => began,
            Counts::System => passage.departure,
        };
        if !self.is_staged && leaves > now {
            self.join(now, packet.size);
        }
        match (self.is_staged, leaves > now) {
            (_, true) => self.leaving.push_back((leaves, packet.size)),
            (true, false) => self.depart(now, packet.size),
            (false, false) => self.leave_behind(now),
        }
        self.send(began, passage.departure);
    }

    #[inline]
    fn queued(&mut self, now: Time, link: LinkId, packet: &Packet) {
        if link == self.link {
            self.come_to(now);
            self.arrive(now);
            self.join(now, packet.size);
        }
    }

    #[inline]
    fn trimmed(&mut self, now: Time, link: LinkId, _packet: &Packet, bytes: u32) {
        if link == self.link {
            self.come_to(now);
            self.change(now);
            self.length.bytes -= u64::from(bytes);
        }
    }

    #[inline]
    fn dropped(&mut self, now: Time, link: LinkId, packet: &Packet, cause: DropCause) {
        if link != self.link {
            return;
        }
        self.come_to(now);
        match cause {
            DropCause::Full { .. } | DropCause::Early { .. } => {
                self.arrive(now);
                let is_full = matches!(cause, DropCause::Full { .. }) && now >= self.from;
                if is_full {
                    self.keeper.refused();
                }
            }
            DropCause::PushedOut { .. } => self.remove(now, packet.size),
            DropCause::Departure { .. } => self.depart(now, packet.size),
            DropCause::Gate | DropCause::Script | DropCause::Wire => (),
        }
    }
}
