//! Bandwidth in BBR's unit, packets per microsecond in 2^-24, and quantities derived from it.

use crate::clock::Micros;

const BITS: u32 = 24;
const UNIT: u64 = 1 << BITS;
/// Number of fraction bits of gains, which are in 1/256.
pub const GAIN_BITS: u32 = 8;
/// A gain of one.
pub const ONE: u64 = 1 << GAIN_BITS;
/// Percentage by which pacing stays below the bandwidth, so that queues drain: 1 %.
const MARGIN_PERCENT: u64 = 1;

/// The bandwidth of these packets per interval in microseconds.
#[inline]
pub fn of(packets: u32, interval: Micros) -> u64 {
    u64::from(packets) * UNIT / interval
}

/// The bandwidth of these packets per interval, rounded up.
#[inline]
pub fn of_rounded_up(packets: u32, interval: Micros) -> u64 {
    (u64::from(packets) * UNIT).div_ceil(interval)
}

/// Number of whole packets in an interval.
#[inline]
pub fn packets_in(bandwidth: u64, interval: Micros) -> u64 {
    ((u128::from(bandwidth) * u128::from(interval)) >> BITS) as u64
}

/// Payload bytes per second, less the margin.
#[inline]
pub fn pacing_rate(bandwidth: u64, gain: u64, payload: u32) -> u64 {
    let rate = (bandwidth * u64::from(payload) * gain) >> GAIN_BITS;
    let margined = u128::from(rate) * u128::from(1_000_000 / 100 * (100 - MARGIN_PERCENT));
    (margined >> BITS) as u64
}

/// Payload bytes per second.
pub fn bytes_per_second(bandwidth: u64, payload: u32) -> u64 {
    ((u128::from(bandwidth) * u128::from(payload) * 1_000_000) >> BITS) as u64
}

/// Number of packets that fill the path, times a gain, rounded up.
#[inline]
pub fn product(bandwidth: u64, rtt: Micros, gain: u64) -> u32 {
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
