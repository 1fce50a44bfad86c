//! Lists of flows that take turns.

use super::flows::Flow;

/// A list of flows by their places among all flows, each of which says who is behind it.
#[derive(Clone, Copy, Debug)]
pub(super) struct List {
    /// The place of the first one, or [`NONE`].
    pub(super) first: u32,
    last: u32,
}

/// The place of no flow, which is never among the places.
pub(super) const NONE: u32 = u32::MAX;

impl List {
    pub(super) const EMPTY: List = List {
        first: NONE,
        last: NONE,
    };

    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.first == NONE
    }

    /// Takes off the first flow, which is this one.
    #[inline]
    pub(super) fn take(&mut self, first: &mut Flow) {
        self.first = first.behind;
        first.behind = NONE;
    }

    /// Puts a flow that is in no list at the end.
    #[inline]
    pub(super) fn push(&mut self, flows: &mut [Flow], place: u32) {
        match self.is_empty() {
            true => self.first = place,
            false => flows[self.last as usize].behind = place,
        }
        self.last = place;
    }
}
