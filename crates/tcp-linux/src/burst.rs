//! Bursts by segmentation offload: several packets leave as one buffer, at one time, and wait for
//! each other.

use super::Linux;
use super::connection::{Connection, HALF_WINDOW, State};
use super::control::LinuxControl;

/// The most bytes of a buffer, without headers.
const MOST_BYTES: u64 = 65_215;
/// Bursts last a millisecond (2^-10 s), and are larger on short paths: half as large for each 2^9
/// us of the round trip.
const PACE_BITS: u32 = 10;
const RTT_BITS: u32 = 9;
/// A third of the window is enough to send without waiting for more.
const WINDOW_PART: u64 = 3;
const MS: u64 = 1_000_000;
/// Data that an application that writes ahead has written before the receiver's window is known.
const WRITTEN_BLIND: u32 = 2 << 20;

/// The next buffer of packets to leave.
pub(super) enum Burst {
    /// This number of packets leaves now.
    Now(u32),
    /// More packets are awaited; `limited` if it is the window that allows no more.
    Later { limited: bool },
}

impl Linux {
    /// Number of packets that leave together next, within `room` in the window.
    #[inline]
    pub(super) fn next_burst(&self, probe: bool) -> Burst {
        if self.conn.bursts && !self.conn.opening {
            self.burst(probe)
        } else {
            Burst::Now(1)
        }
    }

    fn burst(&self, probe: bool) -> Burst {
        let conn = &self.conn;
        let most = self.most_in_burst();
        let room = conn.window.size.saturating_sub(conn.in_flight()).max(1);
        let half = (conn.window.size / 2).max(1);
        let quota = if probe { 1 } else { room.min(half).min(most) };
        let left = conn.limit - conn.next;
        let buffer = left.min(conn.buffer_left().max(quota));
        let sent = quota.min(buffer).min(conn.peer_end() - conn.next);
        if buffer > 1 && !probe {
            let waits = conn.waits_for_more(room, most, buffer, left > buffer);
            if let Some(limited) = waits {
                return Burst::Later { limited };
            }
        }
        Burst::Now(sent)
    }

    /// Number of packets that take a millisecond, more on short paths.
    fn most_in_burst(&self) -> u32 {
        let conn = &self.conn;
        if let Some(packets) = self.control.burst(conn) {
            return packets.min(MOST_BYTES / u64::from(conn.payload)).max(1) as u32;
        }
        let short = match conn.rtt.least() >> RTT_BITS {
            halvings @ 0..32 if self.config.linux.gso_by_rtt => MOST_BYTES >> halvings,
            _ => 0,
        };
        let bytes = ((conn.pace.rate() >> PACE_BITS) + short).min(MOST_BYTES);
        let packets = bytes / u64::from(conn.payload);
        packets.max(self.control.least_burst(conn)) as u32
    }
}

impl Connection {
    /// Remaining packets of the buffer that holds the application's data. The first buffer leaves
    /// as far as the first window allows while the application still writes; the rest is filled up
    /// again, and so is the last buffer written before the receiver's window was known.
    fn buffer_left(&self) -> u32 {
        let small = (HALF_WINDOW / self.payload).max(1);
        let large = (MOST_BYTES as u32 / self.payload).max(1);
        let first = self.initial_window;
        let whole = (WRITTEN_BLIND / self.payload).saturating_sub(first) / small;
        let blind = first + whole * small;
        let place = self.next.saturating_sub(1);
        if place < first {
            small - place % small
        } else if place < blind {
            small - (place - first) % small
        } else {
            large - (place - blind) % large
        }
    }

    /// Decides whether a small burst waits for an ACK expected soon: true if the window limits it,
    /// `None` if it does not wait.
    fn waits_for_more(&self, room: u32, most: u32, buffer: u32, followed: bool) -> Option<bool> {
        let now = self.now * 1000;
        if self.state >= State::Recovery || now > self.pace.next() + MS {
            return None;
        }
        let offered = self.peer_end() - self.next;
        let limit = room.min(offered);
        let window = u64::from(self.peer_window.min(self.window.size));
        let payload = u64::from(self.payload);
        let much = u64::from(limit) * payload >= window * payload / WINDOW_PART;
        if limit >= most || much || (followed && limit >= buffer) {
            return None;
        }
        let head = self.segments.head()?;
        let rtt = self.rtt.srtt8() * 125;
        if head.at * 1000 + rtt > now + (rtt / 2).min(MS) {
            return None;
        }
        Some(room < offered && room <= buffer)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use pacesim_units::Span;

    use crate::Linux;
    use crate::config::{Config, Variant};

    #[test]
    fn bursts_are_a_millisecond_and_more_on_short_paths_since_linux_5_18() {
        let most = |by_rtt: bool, rtt: u64| {
            let mut config = Config::linux(Variant::Sack);
            config.linux.gso = true;
            config.linux.gso_by_rtt = by_rtt;
            let mut linux = Linux::new(&Arc::new(config), Span::ZERO);
            linux.conn.pace.set_rate(10_000_000);
            linux.conn.note_times(rtt, Some(rtt), false);
            linux.most_in_burst()
        };
        // 10 MB/s are 9765 B in 2^-10 s; a path of 1.2 ms adds 65,215 B / 4.
        assert_eq!(most(false, 1_200), 9765 / 1448);
        assert_eq!(most(true, 1_200), (9765 + 65_215 / 4) / 1448);
        assert_eq!(most(true, 40_000), 9765 / 1448);
    }
}
