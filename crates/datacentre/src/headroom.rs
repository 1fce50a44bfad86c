//! Bytes that may still arrive after a pause, and thresholds that follow from them.

use pacesim_units::{Bytes, PS_PER_SECOND, Rate, Span};

/// Bytes of a pause frame on the wire (IEEE 802.3, annex 31B).
pub const PAUSE_FRAME: Bytes = Bytes(64);

/// Bytes of a quantum, the unit of pause times and of response times: 512 bit times.
pub const QUANTUM: Bytes = Bytes(64);

/// An input that may be paused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Input {
    /// Rate of the line.
    pub line: Rate,
    /// Delay of the wire in one direction.
    pub wire: Span,
    /// Largest packet.
    pub packet: Bytes,
    /// Quanta within which the upstream must react; see [`response_quanta`].
    pub response: u64,
}

/// The response time of the standard in quanta, for lines of 10 to 100 Gbps (IEEE 802.3, 31B.3.7, as
/// cited by its secondary literature).
pub fn response_quanta(line: Rate) -> u64 {
    const QUANTA: [(Rate, u64); 3] = [
        (Rate::from_mbps(10_000), 60),
        (Rate::from_mbps(25_000), 80),
        (Rate::from_mbps(40_000), 118),
    ];
    let of_line = QUANTA.iter().find(|(most, _)| line <= *most);
    of_line.map_or(394, |(_, quanta)| *quanta)
}

impl Input {
    /// The bytes that may arrive after the decision to pause: the wire both ways, a packet just begun
    /// at the switch, behind which the pause frame waits, a packet just begun upstream, the response
    /// time, and the frame itself. `None` beyond 64 bits.
    pub fn headroom(&self) -> Option<Bytes> {
        let bits = u128::from(self.line.as_bps()) * u128::from(self.wire.as_ps());
        let both_ways = bits.checked_mul(2)?.div_ceil(8 * u128::from(PS_PER_SECOND));
        let bytes = u64::try_from(both_ways).ok()?;
        let packets = self.packet.get().checked_mul(2)?;
        let response = self.response.checked_mul(QUANTUM.get())?;
        let sum = bytes.checked_add(packets)?.checked_add(response)?;
        Some(Bytes(sum.checked_add(PAUSE_FRAME.get())?))
    }
}

/// A switch as the paper of DCQCN has it (section 4.1): `ports` inputs with eight priorities each
/// and headroom of `in_flight` for each of these.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PaperSwitch {
    /// Number of ports.
    pub ports: u32,
    /// Memory in bytes.
    pub memory: f64,
    /// Headroom t_flight of a port and priority in bytes.
    pub in_flight: f64,
}

/// Priorities of a port in the paper of DCQCN.
const PRIORITIES: f64 = 8.0;

impl PaperSwitch {
    /// The memory without headroom.
    fn shared(&self) -> f64 {
        self.memory - PRIORITIES * f64::from(self.ports) * self.in_flight
    }

    /// The largest threshold t_PFC of an input that all of them can reach: (B − 8 n t_flight) / (8 n).
    pub fn pause_threshold(&self) -> f64 {
        self.shared() / (PRIORITIES * f64::from(self.ports))
    }

    /// The threshold t_PFC = β (B − 8 n t_flight − s) / 8 while the memory holds s bytes.
    pub fn dynamic_pause_threshold(&self, beta: f64, held: f64) -> f64 {
        beta * (self.shared() - held) / PRIORITIES
    }

    /// The bound of the threshold of marks t_ECN below which marks come before pauses, even if all
    /// inputs feed one output: β (B − 8 n t_flight) / (8 n (β + 1)).
    pub fn mark_threshold(&self, beta: f64) -> f64 {
        beta * self.pause_threshold() / (beta + 1.0)
    }
}
