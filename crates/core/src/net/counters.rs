//! What is counted at a link.

/// What has happened at a link since the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Packets and bytes that the port took.
    pub accepted: Volume,
    /// Packets and bytes that the port refused.
    pub dropped: Volume,
    /// Packets and bytes that were sent and lost on the wire: counted when they would have
    /// reached the far end.
    pub lost: Volume,
    /// Packets and bytes whose last bit has left the port.
    pub left: Volume,
    /// Billionths of a bit that the line has sent of the packet that is leaving.
    pub sending_nanobits: u128,
    /// Packets that have reached the far end, those lost on the wire included.
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
    /// The bits that the line has sent since then; of a packet that was leaving at either time only the part
    /// that it sent between them.
    pub fn sent_bits_since(&self, before: &Counters) -> f64 {
        let whole = (self.left.bytes - before.left.bytes) as f64 * 8.0;
        let parts = self.sending_nanobits as f64 - before.sending_nanobits as f64;
        whole + parts / 1e9
    }
}

/// Packets and their bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Volume {
    /// How many packets.
    pub packets: u64,
    /// How many bytes.
    pub bytes: u64,
}

impl Volume {
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
