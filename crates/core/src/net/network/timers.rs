//! Ties, and timers that are given to one owner after another.

use pacesim_units::Time;

use super::Network;
use crate::engine::EventQueue;
use crate::net::Parts;

impl<Q: EventQueue, P: Parts> Network<Q, P> {
    /// Timers from number `first` on tie by the ranks of their owners.
    pub fn rank_timers_from(&mut self, first: u32) {
        self.calendar.rank_timers_from(first);
    }

    /// Draws by this key which of several packets comes first where they arrive at the same time and
    /// their transmissions began together; likewise for timers of the network's user.
    pub fn draw_ties(&mut self, key: u64) {
        self.calendar.draw_ties(key, self.timers);
    }

    /// Arms or moves a timer, with the rank of its owner.
    #[inline]
    pub fn set_ranked_timer(&mut self, timer: u32, at: Time, began: Time, rank: u64) {
        self.calendar.set_ranked_timer(timer, at, began, rank);
    }
}
