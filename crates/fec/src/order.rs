//! In which order the decoder hands packets on.

use std::collections::VecDeque;

use pacesim_units::{Span, Time};

use crate::symbol::{Cover, Place};

/// In which order the decoder hands packets on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// Each when it is there: what is repaired comes late, behind packets that were sent after
    /// it. As in the paper.
    #[default]
    Late,
    /// Those behind a missing one wait for it while it may be repaired, at most this long.
    Hold(Span),
}

/// What waits behind a missing packet, known by its keys. Packets come in the order in which
/// they were sent, one block after the other.
#[derive(Clone, Debug)]
pub(crate) struct Held<K> {
    bound: Span,
    /// What is expected next.
    next: Place,
    /// How many packets of that block are missing so far.
    missing: u16,
    /// Since when one is waited for.
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

    /// A packet came: it waits, or goes on, perhaps with those that waited.
    pub(crate) fn data(&mut self, now: Time, place: Place, key: K, mut go: impl FnMut(K)) {
        let skipped = self.skipped(place);
        if skipped > 0 || place.block != self.next.block {
            self.missing = match place.block == self.next.block {
                true => self.missing + skipped,
                false => skipped,
            };
            // One more is missing, or the block in which one was is over.
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

    /// How many packets of its block should have come since the last that did.
    fn skipped(&self, place: Place) -> u16 {
        match place.block == self.next.block {
            true => place.index.saturating_sub(self.next.index),
            false => place.index,
        }
    }

    /// A repair packet came: what it can repair has been repaired, and nobody waits any more.
    pub(crate) fn repair(&mut self, cover: Cover, go: impl FnMut(K)) {
        self.release(go);
        self.missing = 0;
        self.next = Place {
            block: cover.block.wrapping_add(1),
            index: 0,
        };
    }

    /// Lets those go that have waited as long as they may.
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
