//! DCTCP as in Linux (Alizadeh et al. 2010; RFC 8257): the window falls by the share of marked
//! packets.

use super::super::connection::{Connection, State};
use super::LinuxControl;
use super::reno::Reno;

/// The share of marks if all packets of a window were marked.
const ALL: u32 = 1024;
/// Shift that smooths the share, which moves by 1/16 of the difference per window.
const GAIN_BITS: u32 = 4;
const SHARE_BITS: u32 = 10;

#[derive(Debug)]
pub(in super::super) struct Dctcp {
    /// Share of packets marked, smoothed over windows, in 1/1024.
    alpha: u32,
    /// Totals at the start of the window that the share covers, and its end.
    delivered: u32,
    delivered_ce: u32,
    window_end: u32,
    /// Window before the last loss.
    before_loss: u32,
    /// Set if the far end echoes no marks: the control is then Reno.
    is_reno: bool,
}

impl Default for Dctcp {
    fn default() -> Dctcp {
        Dctcp {
            alpha: ALL,
            delivered: 0,
            delivered_ce: 0,
            window_end: 0,
            before_loss: 0,
            is_reno: false,
        }
    }
}

/// The smoothed share after a window in which `marked` of `delivered` packets were marked.
fn follow(alpha: u32, delivered: u32, marked: u32) -> u32 {
    let step = match alpha >> GAIN_BITS {
        0 => alpha,
        step => step,
    };
    let share = (u64::from(marked) << (SHARE_BITS - GAIN_BITS)) / u64::from(delivered.max(1));
    (alpha - step).saturating_add(share as u32).min(ALL)
}

impl Dctcp {
    fn begin_window(&mut self, conn: &Connection) {
        self.window_end = conn.next;
        self.delivered = conn.rates.delivered;
        self.delivered_ce = conn.rates.delivered_ce;
    }

    /// Halves the window after a loss, regardless of marks.
    fn halve(&mut self, conn: &mut Connection) {
        if !self.is_reno {
            self.before_loss = conn.window.size;
            conn.window.ssthresh = (conn.window.size >> 1).max(2);
        }
    }
}

impl LinuxControl for Dctcp {
    fn on_open(&mut self, conn: &mut Connection) {
        *self = Dctcp::default();
        self.is_reno = !conn.ecn.on;
        self.begin_window(conn);
    }

    fn on_ack(&mut self, conn: &Connection) {
        if conn.una < self.window_end {
            return;
        }
        let delivered = conn.rates.delivered - self.delivered;
        let marked = conn.rates.delivered_ce - self.delivered_ce;
        self.alpha = follow(self.alpha, delivered, marked);
        self.begin_window(conn);
    }

    fn new_ssthresh(&mut self, conn: &mut Connection) -> u32 {
        if self.is_reno {
            return Reno.new_ssthresh(conn);
        }
        let size = conn.window.size;
        self.before_loss = size;
        let cut = (u64::from(size) * u64::from(self.alpha)) >> (SHARE_BITS + 1);
        (size - cut as u32).max(2)
    }

    #[inline]
    fn grow(&mut self, conn: &mut Connection, acked: u32) {
        Reno.grow(conn, acked);
    }

    fn undo_window(&mut self, conn: &mut Connection) -> u32 {
        if self.is_reno {
            Reno.undo_window(conn)
        } else {
            conn.window.size.max(self.before_loss)
        }
    }

    fn on_state(&mut self, conn: &mut Connection, state: State) {
        if state == State::Recovery && conn.state != State::Recovery {
            self.halve(conn);
        }
    }

    fn on_loss_event(&mut self, conn: &mut Connection) {
        self.halve(conn);
    }

    fn marks_all(&self) -> bool {
        !self.is_reno
    }

    fn alpha(&self) -> Option<u32> {
        (!self.is_reno).then_some(self.alpha)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 8257 §3.3 with g = 1/16, in integers of 1/1024.
    #[test]
    fn alpha_follows_the_share_of_marked_packets() {
        assert_eq!(follow(1024, 10, 0), 960);
        assert_eq!(follow(0, 10, 10), 64);
        assert_eq!(follow(1024, 10, 10), 1024);
        let settled = (0..500).fold(1024, |alpha, _| follow(alpha, 100, 25));
        assert!((241..=271).contains(&settled), "{settled} of 1024 for 1/4");
        let forgotten = (0..500).fold(1024, |alpha, _| follow(alpha, 100, 0));
        assert_eq!(forgotten, 0);
    }
}
