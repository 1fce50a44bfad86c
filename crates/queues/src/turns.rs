//! The turns of flows: those that are new, then the others in a circle.

use crate::profile::Profile;

/// Two lists of flows, by their places.
#[derive(Clone, Debug, Default)]
pub(crate) struct Turns {
    new: List,
    old: List,
    /// The flow behind each one.
    behind: Vec<u32>,
    len: usize,
}

/// The first and the last flow of a list.
#[derive(Clone, Copy, Debug)]
struct List {
    first: u32,
    last: u32,
}

const NONE: u32 = u32::MAX;

impl Default for List {
    fn default() -> List {
        List {
            first: NONE,
            last: NONE,
        }
    }
}

impl List {
    #[inline]
    fn is_empty(&self) -> bool {
        self.first == NONE
    }

    #[inline]
    fn push(&mut self, behind: &mut [u32], place: u32) {
        match self.is_empty() {
            true => self.first = place,
            false => behind[self.last as usize] = place,
        }
        self.last = place;
        behind[place as usize] = NONE;
    }

    /// Takes the first flow out of a list that has one.
    #[inline]
    fn pop(&mut self, behind: &[u32]) -> u32 {
        let first = self.first;
        self.first = behind[first as usize];
        first
    }
}

impl Turns {
    /// Adds a new flow.
    #[inline]
    pub(crate) fn add(&mut self, place: u32) {
        if self.behind.len() <= place as usize {
            self.behind.resize(place as usize + 1, NONE);
        }
        self.new.push(&mut self.behind, place);
        self.len += 1;
    }

    /// The flow whose turn it is.
    #[inline]
    pub(crate) fn next(&self) -> Option<u32> {
        let first = if self.new.is_empty() {
            self.old.first
        } else {
            self.new.first
        };
        (first != NONE).then_some(first)
    }

    /// The turn of the flow whose turn it is ends, and it is an old one from now on.
    #[inline]
    pub(crate) fn pass(&mut self) {
        let place = self.take();
        self.old.push(&mut self.behind, place);
    }

    /// It has nothing to send: a new one becomes old, so that it is not new again at once; an old one is taken off.
    /// Says whether it is still here. Linux takes a new one off as well if there are no old ones.
    #[inline]
    pub(crate) fn retire(&mut self, profile: Profile) -> bool {
        let stays = !self.new.is_empty() && (profile == Profile::Rfc || !self.old.is_empty());
        match stays {
            true => self.pass(),
            false => {
                self.take();
                self.len -= 1;
            }
        }
        stays
    }

    #[inline]
    fn take(&mut self) -> u32 {
        let list = if self.new.is_empty() {
            &mut self.old
        } else {
            &mut self.new
        };
        list.pop(&self.behind)
    }

    /// The number of flows.
    pub(crate) fn len(&self) -> usize {
        self.len
    }
}
