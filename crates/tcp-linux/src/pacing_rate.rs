//! The rate at which a sender paces its packets.

use super::connection::Connection;

impl Connection {
    /// Sets the rate to twice the window divided by the round trip while slow start is far from its
    /// end, otherwise to 1.2 times.
    #[inline]
    pub(super) fn update_pacing_rate(&mut self) {
        let window = &self.window;
        let percent = if window.size < window.ssthresh / 2 {
            200
        } else {
            120
        };
        let packets = u64::from(window.size.max(self.packets_out));
        let bytes = u64::from(self.payload) * 80_000 * percent * packets;
        self.pace.set_quotient(bytes, self.rtt.srtt8());
    }
}
