//! Telemetry that switches add to packets on their way (INT).

use crate::{Rate, Time};

/// The most hops that a packet has telemetry of.
pub const MOST_HOPS: usize = 8;

/// The record of a port, from the start of the packet's transmission.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HopRecord {
    /// The time.
    pub at: Time,
    /// Bytes that the port has sent, this packet excluded.
    pub sent: u64,
    /// Bytes that wait at the port, this packet excluded.
    pub queued: u64,
    /// Rate of its line.
    pub rate: Rate,
}

/// The records of the switches that a packet has passed, in their order; of more than
/// [`MOST_HOPS`] the first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Telemetry {
    hops: [Option<HopRecord>; MOST_HOPS],
    len: usize,
    /// True once it travels back, when switches add nothing.
    is_echo: bool,
}

impl Telemetry {
    /// Adds the record of the next hop.
    pub fn add(&mut self, hop: HopRecord) {
        if !self.is_echo && self.len < MOST_HOPS {
            self.hops[self.len] = Some(hop);
            self.len += 1;
        }
    }

    /// The records.
    pub fn hops(&self) -> impl ExactSizeIterator<Item = HopRecord> + '_ {
        let hops = self.hops[..self.len].iter();
        hops.map(|hop| hop.expect("filled up to its length"))
    }

    /// Lets it travel back without change.
    pub fn echo(&mut self) {
        self.is_echo = true;
    }

    /// Removes all records, for the next packet.
    pub fn clear(&mut self) {
        (self.len, self.is_echo) = (0, false);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_hops_are_kept_and_an_echo_gets_none() {
        let hop = |sent| HopRecord {
            at: Time::ZERO,
            sent,
            queued: 0,
            rate: Rate::from_mbps(1),
        };
        let mut telemetry = Telemetry::default();
        (0..10).for_each(|sent| telemetry.add(hop(sent)));
        let sent: Vec<u64> = telemetry.hops().map(|hop| hop.sent).collect();
        assert_eq!(sent, [0, 1, 2, 3, 4, 5, 6, 7]);
        telemetry.clear();
        telemetry.echo();
        telemetry.add(hop(1));
        assert_eq!(telemetry.hops().len(), 0);
    }
}
