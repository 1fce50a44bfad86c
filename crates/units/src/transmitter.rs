//! Exact transmission times of consecutive packets.

use crate::{Bytes, PS_PER_SECOND, Rate, Span};

/// The clock of a line that transmits packets back to back.
///
/// Each departure is the exact one rounded up to a picosecond; the excess of the rounding is
/// subtracted from the next packet, so the long-run rate is exact (15 Mb/s is 533333.33... ps per
/// byte). The remainder is kept in units of 1/rate ps, and the division is done once for
/// consecutive packets of one size.
#[derive(Clone, Debug)]
pub struct Transmitter {
    rate: u64,
    /// Rounding of the last departure, in 1/rate ps; below `rate`.
    ahead: u64,
    cached_size: u32,
    cached_remainder: u64,
    cached_whole: u64,
}

impl Transmitter {
    /// A line that has transmitted nothing yet.
    pub fn new(rate: Rate) -> Transmitter {
        let mut line = Transmitter {
            rate: rate.as_bps(),
            ahead: 0,
            cached_size: 0,
            cached_remainder: 0,
            cached_whole: 0,
        };
        line.cache(0);
        line
    }

    /// Rate of the line.
    pub fn rate(&self) -> Rate {
        Rate::from_bps(self.rate).expect("a transmitter's rate is not zero")
    }

    /// Continues at another rate. Returns the time for the remaining `left` of the last
    /// transmission, rounded up.
    pub fn change_rate(&mut self, rate: Rate, left: Span) -> Span {
        let bit_ps = u128::from(left.as_ps()) * u128::from(self.rate);
        *self = Transmitter::new(rate);
        let left = bit_ps.div_ceil(u128::from(self.rate));
        Span::from_ps(u64::try_from(left).unwrap_or(u64::MAX))
    }

    /// Forgets the remainder: the line has fallen idle.
    #[inline]
    pub fn rest(&mut self) {
        self.ahead = 0;
    }

    /// The time from the last departure (or from idleness) to this packet's. Beyond 213 days it is
    /// [`Span::MAX`].
    #[inline]
    pub fn send(&mut self, size: u32) -> Span {
        if size != self.cached_size {
            self.cache(size);
        }
        if self.cached_remainder > self.ahead {
            self.ahead += self.rate - self.cached_remainder;
            Span::from_ps(self.cached_whole + 1)
        } else {
            self.ahead -= self.cached_remainder;
            Span::from_ps(self.cached_whole)
        }
    }

    fn cache(&mut self, size: u32) {
        let bit_ps = Bytes(u64::from(size)).bits() * u128::from(PS_PER_SECOND);
        let rate = u128::from(self.rate);
        self.cached_size = size;
        // One below the end, so that adding the carried picosecond cannot wrap.
        self.cached_whole = u64::try_from(bit_ps / rate)
            .unwrap_or(u64::MAX)
            .min(u64::MAX - 1);
        self.cached_remainder = (bit_ps % rate) as u64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn thirds_of_a_picosecond_are_carried() {
        let mut line = Transmitter::new(Rate::from_mbps(15));
        let spans: Vec<u64> = (0..4).map(|_| line.send(1000).as_ps()).collect();
        assert_eq!(spans, [533_333_334, 533_333_333, 533_333_333, 533_333_334]);
    }

    #[test]
    fn rest_forgets_the_remainder() {
        let mut line = Transmitter::new(Rate::from_mbps(15));
        line.send(1000);
        line.rest();
        assert_eq!(line.send(1000).as_ps(), 533_333_334);
    }

    #[test]
    fn the_rest_of_a_transmission_takes_its_time_at_the_new_rate() {
        let mut line = Transmitter::new(Rate::from_mbps(10));
        let left = Span::from_ps(line.send(1000).as_ps() / 4);
        let left = line.change_rate(Rate::from_mbps(15), left);
        assert_eq!(left.as_ps(), 133_333_334, "250 bytes");
        assert_eq!(line.send(1000).as_ps(), 533_333_334);
        let slowest = Rate::from_bps(1).expect("one");
        assert_eq!(line.change_rate(slowest, Span::MAX), Span::MAX);
    }

    #[test]
    fn what_does_not_fit_is_the_longest_span_not_a_wrap() {
        let mut line = Transmitter::new(Rate::from_bps(1).expect("one"));
        assert_eq!(line.send(u32::MAX).as_ps(), u64::MAX - 1);
        line.send(1);
        assert!(
            line.send(u32::MAX).as_ps() >= u64::MAX - 1,
            "{:?} and {:?}",
            line.send(u32::MAX).as_ps(),
            u64::MAX - 1
        );
    }

    proptest! {
        /// Checks against the exact rational sum: each departure is its ceiling.
        #[test]
        fn every_departure_is_the_exact_one_rounded_up(
            rate in 1u64..=800_000_000_000,
            sizes in prop::collection::vec(0u32..=20_000, 1..200),
        ) {
            let mut line = Transmitter::new(Rate::from_bps(rate).expect("not zero"));
            let (mut at, mut bit_ps) = (0u128, 0u128);
            for size in sizes {
                at += u128::from(line.send(size).as_ps());
                bit_ps += u128::from(size) * 8 * u128::from(PS_PER_SECOND);
                prop_assert_eq!(at, bit_ps.div_ceil(u128::from(rate)));
            }
        }
    }
}
