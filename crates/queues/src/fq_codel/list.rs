//! A flow, and the lists in which flows take turns.

use crate::codel::CodelControl;
use crate::store::Chain;

/// The queue of one connection, or of several that share a bucket.
#[derive(Clone, Debug)]
pub(super) struct Flow {
    pub(super) control: CodelControl,
    pub(super) deficit: i64,
    pub(super) bytes: u64,
    pub(super) packets: Chain,
    /// Place of the next flow in its list.
    behind: u32,
    pub(super) is_listed: bool,
    /// True if the flow is of a connection for one transfer.
    pub(super) is_of_call: bool,
}

/// A list of flows by their places among all flows, each linked to the next.
#[derive(Clone, Copy, Debug)]
pub(super) struct List {
    /// Place of the first flow, or `NONE`.
    pub(super) first: u32,
    last: u32,
}

/// A place that no flow uses.
const NONE: u32 = u32::MAX;

impl Flow {
    /// A flow without packets, in no list.
    pub(super) fn new(is_of_call: bool) -> Flow {
        Flow {
            control: CodelControl::new(),
            deficit: 0,
            bytes: 0,
            packets: Chain::default(),
            behind: NONE,
            is_listed: false,
            is_of_call,
        }
    }
}

impl List {
    pub(super) const EMPTY: List = List {
        first: NONE,
        last: NONE,
    };

    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.first == NONE
    }

    /// Removes the first flow, which is this one.
    #[inline]
    pub(super) fn take(&mut self, first: &mut Flow) {
        self.first = first.behind;
        first.behind = NONE;
    }

    /// Appends a flow that is in no list.
    #[inline]
    pub(super) fn push(&mut self, flows: &mut [Flow], place: u32) {
        if self.is_empty() {
            self.first = place
        } else {
            flows[self.last as usize].behind = place
        }
        self.last = place;
    }
}
