//! Counters of a link.

use pacesim_units::Span;

/// Counters of a link since the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Packets and bytes that the port took.
    pub accepted: Volume,
    /// Packets and bytes that the port refused.
    pub dropped: Volume,
    /// Packets and bytes that were transmitted and lost on the wire: counted when they would have
    /// reached the far end.
    pub lost: Volume,
    /// Packets and bytes that were marked at the port.
    pub marked: Volume,
    /// Packets and bytes whose last bit has left the port.
    pub left: Volume,
    /// The time for which the line was busy, in picoseconds: exact where a byte takes a whole
    /// number of them, otherwise to within one.
    pub busy_ps: u128,
    /// Packets that have reached the far end, including those lost on the wire.
    pub reached: u64,
    /// The integral of waiting packets over time, in packet-picoseconds.
    pub waiting_packet_ps: u128,
    /// The integral of waiting bytes over time, in byte-picoseconds.
    pub waiting_byte_ps: u128,
    /// The most packets that waited at once.
    pub max_waiting_packets: u64,
    /// The most bytes that waited at once.
    pub max_waiting_bytes: u64,
}

impl Counters {
    /// The share of `span` since `before` for which the line was busy: at most 1, although two times
    /// that are rounded may differ by a picosecond more.
    pub fn utilisation_since(&self, before: &Counters, span: Span) -> f64 {
        let busy_ps = self.busy_ps.saturating_sub(before.busy_ps);
        match span.as_ps() {
            0 => 0.0,
            ps => busy_ps.min(ps.into()) as f64 / ps as f64,
        }
    }
}

/// A number of packets and their total size.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Volume {
    /// Number of packets.
    pub packets: u64,
    /// Number of bytes.
    pub bytes: u64,
}

impl Volume {
    /// One packet of this size.
    pub(super) fn of(size: u32) -> Volume {
        Volume {
            packets: 1,
            bytes: u64::from(size),
        }
    }

    /// Counts one packet.
    #[inline]
    pub fn add(&mut self, size: u32) {
        self.packets += 1;
        self.bytes += u64::from(size);
    }
}

impl std::ops::Sub for Volume {
    type Output = Volume;
    fn sub(self, earlier: Volume) -> Volume {
        Volume {
            packets: self.packets - earlier.packets,
            bytes: self.bytes - earlier.bytes,
        }
    }
}

impl std::ops::Add for Volume {
    type Output = Volume;
    fn add(self, other: Volume) -> Volume {
        Volume {
            packets: self.packets + other.packets,
            bytes: self.bytes + other.bytes,
        }
    }
}
