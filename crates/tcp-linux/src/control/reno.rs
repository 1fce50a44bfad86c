//! Reno as Linux implements it.

use super::super::connection::Connection;
use super::LinuxControl;

/// Halves the window on a loss, and adds one packet per round trip.
#[derive(Debug)]
pub(in super::super) struct Reno;

impl LinuxControl for Reno {
    fn new_ssthresh(&mut self, conn: &mut Connection) -> u32 {
        (conn.window.size >> 1).max(2)
    }

    #[inline]
    fn grow(&mut self, conn: &mut Connection, acked: u32) {
        if !conn.window_limits() {
            return;
        }
        let mut left = acked;
        if conn.in_slow_start() {
            left = conn.slow_start(acked);
            if left == 0 {
                return;
            }
        }
        conn.grow_by_credit(conn.window.size, left);
    }
}
