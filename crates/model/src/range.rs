//! Ranges of keys' values: written values must lie within, and drawn ones are clamped, with as many
//! random numbers as for any other value.

use std::fmt;
use std::str::FromStr;

use pacesim_units::{Bytes, PS_PER_SECOND, Rate, Span};

/// A quantity that can be drawn.
pub trait Unit: Copy + Ord + FromStr + fmt::Display {
    /// The value in its smallest units.
    fn to_number(self) -> f64;
    /// The value nearest to `number` smallest units, clamped to the least and the greatest.
    fn from_number(number: f64) -> Self;
    /// `number` smallest units as a string, even below the least value.
    fn text_of(number: f64) -> String {
        Self::from_number(number).to_string()
    }
}

/// Rounds to the nearest whole number; a float's cast saturates.
fn nearest(number: f64) -> u64 {
    (number + 0.5) as u64
}

impl Unit for Rate {
    fn to_number(self) -> f64 {
        self.as_bps() as f64
    }

    fn from_number(number: f64) -> Rate {
        Rate::from_bps(nearest(number).max(1)).expect("a rate of at least 1 bps")
    }
}

impl Unit for Span {
    fn to_number(self) -> f64 {
        self.as_ps() as f64
    }

    fn from_number(number: f64) -> Span {
        Span::from_ps(nearest(number))
    }
}

impl Unit for Bytes {
    fn to_number(self) -> f64 {
        self.0 as f64
    }

    fn from_number(number: f64) -> Bytes {
        Bytes(nearest(number).max(1))
    }

    fn text_of(number: f64) -> String {
        Bytes(nearest(number)).to_string()
    }
}

/// A range of legal values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range<T> {
    /// Least legal value.
    pub least: T,
    /// Greatest legal value.
    pub most: T,
}

/// The greatest number in a result table: numbers there are signed.
pub const MOST_IN_TABLES: u64 = i64::MAX as u64;

const fn bps(rate: u64) -> Rate {
    match Rate::from_bps(rate) {
        Some(rate) => rate,
        None => panic!("a rate of zero"),
    }
}

/// Legal rates of lines.
pub const LINE_RATE: Range<Rate> = Range {
    least: bps(1),
    most: bps(MOST_IN_TABLES),
};

/// Legal delays, starts and pauses.
pub const DELAY: Range<Span> = Range {
    least: Span::ZERO,
    most: Span::from_ps(MOST_IN_TABLES),
};

/// Legal mean phases, whose exponential lengths need a mean above zero.
pub const MEAN_PHASE: Range<Span> = Range {
    least: Span::from_ps(1),
    ..DELAY
};

/// The most ON phases that a packet takes on average. Each of them is drawn, so that without a
/// limit a source could draw for hours before it sends.
const MOST_PHASES: u64 = 10_000;

/// Mean ON phases of a source with this packet time at its peak rate.
pub fn mean_on(packet_time: Span) -> Range<Span> {
    let least = Span::from_ps(packet_time.as_ps() / MOST_PHASES);
    Range {
        least: least.max(MEAN_PHASE.least),
        ..MEAN_PHASE
    }
}

/// Legal sizes of packets, and of transfers, in 32 bits.
pub const SIZE: Range<Bytes> = Range {
    least: Bytes(1),
    most: Bytes(u32::MAX as u64),
};

/// Rates of sources that send packets of this size: the gap between two packets is at least a
/// picosecond, and within the range of the clock.
pub fn source_rate(size: Bytes) -> Range<Rate> {
    let bit_ps = size.bits().max(8) * u128::from(PS_PER_SECOND);
    let clamped = |rate: u128| bps(rate.clamp(1, u128::from(MOST_IN_TABLES)) as u64);
    Range {
        least: clamped(bit_ps.div_ceil(u128::from(u64::MAX))),
        most: clamped(bit_ps),
    }
}

impl<T: Unit> Range<T> {
    /// True if a value is legal.
    pub fn contains(&self, value: T) -> bool {
        (self.least..=self.most).contains(&value)
    }

    /// The legal value nearest to `number` smallest units.
    #[inline]
    pub fn nearest(&self, number: f64) -> T {
        T::from_number(number).clamp(self.least, self.most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_beyond_an_end_becomes_that_end() {
        for (number, ps) in [
            (-5.0, 1),
            (0.2, 1),
            (0.5, 1),
            (2.4, 2),
            (1e30, i64::MAX as u64),
        ] {
            assert_eq!(MEAN_PHASE.nearest(number), Span::from_ps(ps), "{number}");
        }
        assert_eq!(MEAN_PHASE.nearest(f64::NAN), Span::from_ps(1));
        assert_eq!(SIZE.nearest(1e30), SIZE.most);
        assert!(DELAY.contains(Span::ZERO) && !MEAN_PHASE.contains(Span::ZERO));
    }

    #[test]
    fn the_gap_between_two_packets_of_a_source_fits_the_clock() {
        for size in [Bytes(1), Bytes(1500), SIZE.most] {
            let Range { least, most } = source_rate(size);
            assert!(least.transmission_time(size).is_some(), "{size}");
            assert!(
                most.transmission_time(size) >= Some(Span::from_ps(1)),
                "{size}"
            );
        }
        assert_eq!(source_rate(Bytes(1)).most.as_bps(), 8_000_000_000_000);
    }
}
