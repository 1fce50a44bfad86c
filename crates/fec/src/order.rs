//! The order in which the decoder passes packets on.

use std::collections::VecDeque;

use pacesim_units::{Span, Time};

use crate::symbol::{Cover, Place};

/// The order in which the decoder passes packets on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// Each packet is passed on as soon as it is available, as in the paper. Repaired packets are
    /// therefore late, behind packets that were sent after them.
    #[default]
    Late,
    /// Packets behind a missing one wait at most this long, and only while it may still be
    /// repaired.
    Hold(Span),
}

/// The packets waiting behind a missing one, by their keys. Packets arrive in the order of sending,
/// one block after another.
#[derive(Clone, Debug)]
pub(crate) struct Held<K> {
    bound: Span,
    /// Place of the packet expected next.
    next: Place,
    /// Number of missing packets so far in the block of that packet.
    missing: u16,
    /// Time at which the wait for a missing packet began.
    since: Option<Time>,
    keys: VecDeque<K>,
}

impl<K> Held<K> {
    pub(crate) fn new(bound: Span) -> Held<K> {
        Held {
            bound,
            next: Place::default(),
            missing: 0,
            since: None,
            keys: VecDeque::new(),
        }
    }

    /// Takes an arrived packet: it waits, or is released, perhaps with those that waited.
    pub(crate) fn data(&mut self, now: Time, place: Place, key: K, mut go: impl FnMut(K)) {
        let skipped = self.skipped(place);
        if skipped > 0 || place.block != self.next.block {
            self.missing = if place.block == self.next.block {
                self.missing + skipped
            } else {
                skipped
            };
            // One more packet is missing, or the block with the missing one is over.
            self.release(&mut go);
            self.since = (self.missing == 1).then_some(now);
        }
        self.next = Place {
            block: place.block,
            index: place.index + 1,
        };
        match self.since {
            Some(_) => self.keys.push_back(key),
            None => go(key),
        }
    }

    /// Number of packets of its block that should have arrived since the last that did.
    fn skipped(&self, place: Place) -> u16 {
        if place.block == self.next.block {
            place.index.saturating_sub(self.next.index)
        } else {
            place.index
        }
    }

    /// The repair packet of this block has come: packets of an earlier one, whose own was lost, go before
    /// what it repairs.
    pub(crate) fn leave_other_blocks(&mut self, block: u32, go: impl FnMut(K)) {
        if self.next.block != block {
            self.release(go);
        }
    }

    /// Takes a repair packet: packets that it can repair have been repaired, and none waits any
    /// longer.
    pub(crate) fn repair(&mut self, cover: Cover, go: impl FnMut(K)) {
        self.release(go);
        self.missing = 0;
        self.next = Place {
            block: cover.block.wrapping_add(1),
            index: 0,
        };
    }

    /// Releases packets that have waited as long as allowed.
    pub(crate) fn wake(&mut self, now: Time, go: impl FnMut(K)) {
        if self.next_wake().is_some_and(|wake| wake <= now) {
            self.release(go);
        }
    }

    pub(crate) fn next_wake(&self) -> Option<Time> {
        let ends = self.since?.saturating_add(self.bound);
        Some(ends).filter(|at| *at < Time::NEVER)
    }

    fn release(&mut self, go: impl FnMut(K)) {
        self.since = None;
        self.keys.drain(..).for_each(go);
    }
}
