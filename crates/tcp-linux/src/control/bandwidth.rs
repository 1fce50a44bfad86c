//! Quantities that BBR derives from bandwidth and the state of the connection.

use super::super::connection::Connection;
pub(super) use pacesim_tcp_common::bandwidth::{
    GAIN_BITS, ONE, bytes_per_second, of, of_rounded_up, pacing_rate, packets_in, product,
};

/// The limit on one burst without headers, in bytes, and in packets.
const BURST_BYTES: u64 = 65_215;
const BURST_PACKETS: u64 = 127;
/// Shift that gives the length of a burst, a millisecond (2^-10 s).
const BURST_BITS: u32 = 10;

/// Paces by the first window, before the first sample of the bandwidth; true once a round trip is known.
pub(super) fn pace_by_rtt(conn: &mut Connection, gain: u64) -> bool {
    let rtt8 = conn.rtt.srtt8();
    let rtt = if rtt8 == 0 { 1_000 } else { (rtt8 >> 3).max(1) };
    let rate = pacing_rate(of(conn.window.size, rtt), gain, conn.payload);
    conn.pace.set_rate(rate.max(1));
    rtt8 > 0
}

/// Number of packets in one burst, at least `least`.
#[inline]
pub(super) fn burst(conn: &Connection, least: u64) -> u32 {
    let bytes = (conn.pace.rate() >> BURST_BITS).min(BURST_BYTES);
    (bytes / u64::from(conn.payload))
        .max(least)
        .min(BURST_PACKETS) as u32
}

/// Packets in the network at the next departure, from `in_flight` now; `joins` leave then.
#[inline]
pub(super) fn in_network_at_departure(
    conn: &Connection,
    bandwidth: u64,
    in_flight: u32,
    joins: u32,
) -> u32 {
    let wait = conn.pace.delay(conn.now) / 1000;
    let delivered = packets_in(bandwidth, wait);
    u64::from(in_flight + joins).saturating_sub(delivered) as u32
}
