//! Bandwidth in BBR's unit, packets per microsecond in 2^-24, and quantities derived from it.

use super::super::clock::Micros;
use super::super::connection::Connection;

pub(super) const BITS: u32 = 24;
const UNIT: u64 = 1 << BITS;
/// Gains are in 1/256.
pub(super) const GAIN_BITS: u32 = 8;
pub(super) const ONE: u64 = 1 << GAIN_BITS;
/// Pacing is 1 % below the bandwidth, so that queues drain.
const MARGIN_PERCENT: u64 = 1;
/// The limit on one burst without headers, in bytes, and in packets.
const BURST_BYTES: u64 = 65_215;
const BURST_PACKETS: u64 = 127;
/// Bursts last a millisecond (2^-10 s).
const BURST_BITS: u32 = 10;

/// The bandwidth of these packets per interval in microseconds.
#[inline]
pub(super) fn of(packets: u32, interval: Micros) -> u64 {
    u64::from(packets) * UNIT / interval
}

/// The bandwidth of these packets per interval, rounded up.
#[inline]
pub(super) fn of_rounded_up(packets: u32, interval: Micros) -> u64 {
    (u64::from(packets) * UNIT).div_ceil(interval)
}

/// Whole packets in an interval.
#[inline]
pub(super) fn packets_in(bandwidth: u64, interval: Micros) -> u64 {
    ((u128::from(bandwidth) * u128::from(interval)) >> BITS) as u64
}

/// Payload bytes per second, less the margin.
#[inline]
pub(super) fn pacing_rate(bandwidth: u64, gain: u64, payload: u32) -> u64 {
    let rate = (bandwidth * u64::from(payload) * gain) >> GAIN_BITS;
    let margined = u128::from(rate) * u128::from(1_000_000 / 100 * (100 - MARGIN_PERCENT));
    (margined >> BITS) as u64
}

/// Paces by the first window, before the first sample of the bandwidth; true once a round trip is known.
pub(super) fn pace_by_rtt(conn: &mut Connection, gain: u64) -> bool {
    let rtt8 = conn.rtt.srtt8();
    let rtt = if rtt8 == 0 { 1_000 } else { (rtt8 >> 3).max(1) };
    let rate = pacing_rate(of(conn.window.size, rtt), gain, conn.payload);
    conn.pace.set_rate(rate.max(1));
    rtt8 > 0
}

/// Payload bytes per second.
pub(super) fn bytes_per_second(bandwidth: u64, payload: u32) -> u64 {
    ((u128::from(bandwidth) * u128::from(payload) * 1_000_000) >> BITS) as u64
}

/// Packets that fill the path, times a gain, rounded up.
#[inline]
pub(super) fn product(bandwidth: u64, rtt: Micros, gain: u64) -> u32 {
    match bandwidth
        .checked_mul(rtt)
        .and_then(|product| product.checked_mul(gain))
    {
        Some(product) => (product >> GAIN_BITS).div_ceil(UNIT) as u32,
        None => {
            let product = u128::from(bandwidth) * u128::from(rtt) * u128::from(gain);
            (product >> GAIN_BITS).div_ceil(u128::from(UNIT)) as u32
        }
    }
}

/// Packets for one burst, at least `least`.
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

#[cfg(test)]
mod tests {
    use super::*;

    /// 10 Mbit/s, 1448 of 1500 B, 40 ms: a pipe of 33.4 packets.
    #[test]
    fn the_path_is_filled_by_bandwidth_times_round_trip() {
        let bandwidth = of(100, 120_000);
        assert_eq!(product(bandwidth, 40_049, ONE), 34);
        assert_eq!(product(bandwidth, 40_049, 2 * ONE), 67);
        assert_eq!(packets_in(bandwidth, 40_049), 33);
        assert!((1_206_600..=1_206_667).contains(&bytes_per_second(bandwidth, 1448)));
        assert!((1_194_500..=1_194_600).contains(&pacing_rate(bandwidth, ONE, 1448)));
        assert!((1_493_100..=1_493_300).contains(&pacing_rate(bandwidth, 320, 1448)));
    }
}
