//! The turns of flows: those that are new, then the others in a circle.

use std::collections::VecDeque;

use crate::codel::Profile;

/// Two lists of flows, by their places.
#[derive(Clone, Debug, Default)]
pub(crate) struct Turns {
    new: VecDeque<u32>,
    old: VecDeque<u32>,
}

impl Turns {
    /// Adds a new flow.
    #[inline]
    pub(crate) fn add(&mut self, place: u32) {
        self.new.push_back(place);
    }

    /// The flow whose turn it is.
    #[inline]
    pub(crate) fn next(&self) -> Option<u32> {
        self.new.front().or_else(|| self.old.front()).copied()
    }

    /// Its turn is over, and it is an old one from now on.
    #[inline]
    pub(crate) fn pass(&mut self) {
        let place = self.new.pop_front().or_else(|| self.old.pop_front());
        self.old.extend(place);
    }

    /// It has nothing to send: a new one becomes old, so that it is not new again at once; an old one is taken off.
    /// Says whether it is still here. Linux takes a new one off as well if there are no old ones.
    #[inline]
    pub(crate) fn retire(&mut self, profile: Profile) -> bool {
        let stays = !self.new.is_empty() && (profile == Profile::Rfc || !self.old.is_empty());
        match stays {
            true => self.pass(),
            false => {
                let _gone = self.new.pop_front().or_else(|| self.old.pop_front());
            }
        }
        stays
    }

    /// The number of flows.
    pub(crate) fn len(&self) -> usize {
        self.new.len() + self.old.len()
    }
}
