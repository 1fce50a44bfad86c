//! Rates in whole bits per second.

use std::fmt;
use std::num::NonZeroU64;
use std::str::FromStr;

use crate::amount::debug_as_text;
use crate::parse::{ParseError, Quantity, Reason, parse_quantity, write_exact};
use crate::{Bytes, PS_PER_SECOND, Span};

/// A rate in bits per second, never zero.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rate(NonZeroU64);

impl Rate {
    /// A rate of `bps` bits per second; `None` for zero.
    #[inline]
    pub const fn from_bps(bps: u64) -> Option<Rate> {
        match NonZeroU64::new(bps) {
            Some(n) => Some(Rate(n)),
            None => None,
        }
    }

    /// A rate of `mbps` megabits per second. Panics on zero or beyond 64 bits.
    pub const fn from_mbps(mbps: u64) -> Rate {
        match mbps.checked_mul(1_000_000) {
            Some(bps) => match Rate::from_bps(bps) {
                Some(rate) => rate,
                None => panic!("a rate of zero"),
            },
            None => panic!("a rate beyond 64 bits"),
        }
    }

    /// The rate in bits per second.
    #[inline]
    pub const fn as_bps(self) -> u64 {
        self.0.get()
    }

    /// The time for which `size` occupies the line, rounded up to a whole picosecond; `None` beyond
    /// 213 days.
    pub fn transmission_time(self, size: Bytes) -> Option<Span> {
        let bit_ps = size.bits() * u128::from(PS_PER_SECOND);
        let ps = bit_ps.div_ceil(u128::from(self.as_bps()));
        u64::try_from(ps).ok().map(Span::from_ps)
    }

    /// The whole bytes that fit a span, rounded down; `None` beyond 64 bits.
    pub fn bytes_in(self, span: Span) -> Option<Bytes> {
        let bits_ps = u128::from(self.as_bps()) * u128::from(span.as_ps());
        let bytes = bits_ps / (8 * u128::from(PS_PER_SECOND));
        u64::try_from(bytes).ok().map(Bytes)
    }
}

impl FromStr for Rate {
    type Err = ParseError;
    fn from_str(text: &str) -> Result<Rate, ParseError> {
        let bps = parse_quantity(text, Quantity::Rate)?;
        Rate::from_bps(bps).ok_or_else(|| ParseError::new(text, Quantity::Rate, Reason::Zero))
    }
}

impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const UNITS: [(u64, &str); 5] = [
            (1_000_000_000_000, "Tbps"),
            (1_000_000_000, "Gbps"),
            (1_000_000, "Mbps"),
            (1_000, "kbps"),
            (1, "bps"),
        ];
        write_exact(f, self.as_bps(), &UNITS, "bps")
    }
}

debug_as_text!(Rate);

#[cfg(test)]
mod tests {
    use super::*;

    fn bps(n: u64) -> Rate {
        Rate::from_bps(n).expect("not zero")
    }

    #[test]
    fn transmission_times_round_up_and_span_the_range() {
        assert_eq!(bps(1).transmission_time(Bytes(1)), Some(Span::from_secs(8)));
        assert_eq!(
            bps(800_000_000_000).transmission_time(Bytes(1)),
            Some(Span::from_ps(10))
        );
        assert_eq!(
            bps(3).transmission_time(Bytes(1)),
            Some(Span::from_ps(2_666_666_666_667))
        );
        assert_eq!(
            bps(400_000_000_000).transmission_time(Bytes(0)),
            Some(Span::ZERO)
        );
        let gigabyte = Bytes(1_000_000_000);
        let ten_ms = Span::from_ms(10);
        assert_eq!(
            bps(800_000_000_000).transmission_time(gigabyte),
            Some(ten_ms)
        );
        // 8e9 seconds exceed 213 days.
        assert_eq!(bps(1).transmission_time(gigabyte), None);
    }

    #[test]
    fn bytes_in_a_span_round_down() {
        assert_eq!(
            bps(15_000_000).bytes_in(Span::from_ps(533_333_333)),
            Some(Bytes(999))
        );
        assert_eq!(
            bps(15_000_000).bytes_in(Span::from_ps(533_333_334)),
            Some(Bytes(1000))
        );
        assert_eq!(bps(u64::MAX).bytes_in(Span::MAX), None);
    }
}
