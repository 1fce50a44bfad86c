//! Telemetry of a hop, and its rounding on the wire.

/// The most hops that a packet has telemetry of.
pub const MOST_HOPS: usize = 8;

/// The record that a switch adds to a packet when its transmission starts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hop {
    /// Time at the switch in nanoseconds.
    pub at_ns: i64,
    /// Bytes that the port has sent, this packet excluded.
    pub sent: u64,
    /// Bytes that wait at the port, this packet excluded.
    pub queued: u64,
    /// Rate of the port in bit/s.
    pub line_bps: u64,
}

/// The numbers that packets carry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntFormat {
    /// Exact ones.
    Exact,
    /// Those of the simulator of HPCC's authors (`int-header.h` at 9f4be2a): 24 bits of
    /// nanoseconds, 20 bits of sent bytes in units of 128 B, 17 bits of waiting bytes in units of
    /// 80 B, all units times `multiple`. Fewer bits than the counters have wrap around.
    Artifact {
        /// Rate of the line over 25 Gbps, in their scripts.
        multiple: u64,
    },
}

const TIME_WRAP_NS: i64 = 1 << 24;
const SENT_UNIT: u64 = 128;
const SENT_WRAP: u64 = 1 << 20;
const QUEUED_UNIT: u64 = 80;
const QUEUED_WRAP: u64 = 1 << 17;

impl IntFormat {
    /// The record as a packet carries it.
    pub fn carried(self, hop: Hop) -> Hop {
        let IntFormat::Artifact { multiple } = self else {
            return hop;
        };
        let rounded = |bytes: u64, unit: u64, wrap: u64| bytes / unit % wrap * unit;
        Hop {
            at_ns: hop.at_ns.rem_euclid(TIME_WRAP_NS),
            sent: rounded(hop.sent, SENT_UNIT * multiple, SENT_WRAP),
            queued: rounded(hop.queued, QUEUED_UNIT * multiple, QUEUED_WRAP),
            line_bps: hop.line_bps,
        }
    }

    /// The nanoseconds and the sent bytes between two records of a hop as they were carried.
    pub(super) fn between(self, earlier: &Hop, later: &Hop) -> (i64, u64) {
        let time = later.at_ns - earlier.at_ns;
        match self {
            IntFormat::Exact => (time, later.sent - earlier.sent),
            IntFormat::Artifact { multiple } => {
                let has_wrapped = later.sent < earlier.sent;
                let wraps = u64::from(has_wrapped) * SENT_WRAP * SENT_UNIT * multiple;
                let sent = later.sent + wraps - earlier.sent;
                (time.rem_euclid(TIME_WRAP_NS), sent)
            }
        }
    }
}

/// The last record of each hop.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Path {
    hops: [Hop; MOST_HOPS],
    len: usize,
}

impl Path {
    /// Stores the records of a path.
    pub(super) fn store(&mut self, hops: &[Hop]) {
        let len = hops.len().min(MOST_HOPS);
        self.hops[..len].copy_from_slice(&hops[..len]);
        self.len = len;
    }

    /// The stored records; none if the path has another number of hops now, since its records are
    /// then of other switches.
    pub(super) fn before(&self, hops: &[Hop]) -> &[Hop] {
        let len = hops.len().min(MOST_HOPS);
        if len == self.len {
            &self.hops[..len]
        } else {
            &[]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_rounded_down_and_wrap() {
        let format = IntFormat::Artifact { multiple: 4 };
        let hop = |at_ns, sent, queued| Hop {
            at_ns,
            sent,
            queued,
            line_bps: 1,
        };
        assert_eq!(
            format.carried(hop(1, 1023, 959)),
            hop(1, 512, 640),
            "units of 512 and 320 bytes"
        );
        let wrap = 512 << 20;
        let [early, late] = [
            hop(16_777_000, wrap - 1024, 0),
            hop(16_777_316, wrap + 512, 0),
        ]
        .map(|hop| format.carried(hop));
        assert!(late.sent < early.sent && late.at_ns < early.at_ns);
        assert_eq!(format.between(&early, &late), (316, 1536));
    }

    #[test]
    fn a_path_of_another_length_has_no_past() {
        let mut path = Path::default();
        path.store(&[Hop::default(); 3]);
        assert_eq!(path.before(&[Hop::default(); 3]).len(), 3);
        assert!(path.before(&[Hop::default(); 2]).is_empty());
    }
}
