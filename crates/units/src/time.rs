//! Points in time and the spans between them, in whole picoseconds.

use std::fmt;
use std::ops::{Add, AddAssign, Div, Sub};
use std::str::FromStr;

use crate::amount::{amount, debug_as_text};
use crate::parse::{ParseError, Quantity, parse_quantity, write_exact};

/// Number of picoseconds in a second.
pub const PS_PER_SECOND: u64 = 1_000_000_000_000;

/// A point in simulated time: picoseconds since the start of the run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Time(u64);

/// A length of simulated time, in picoseconds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Span(u64);

impl Time {
    /// The start of a run.
    pub const ZERO: Time = Time(0);
    /// Later than any event: the time of an event that never happens.
    pub const NEVER: Time = Time(u64::MAX);

    /// The point `ps` picoseconds after the start.
    #[inline]
    pub const fn from_ps(ps: u64) -> Time {
        Time(ps)
    }

    /// Number of picoseconds since the start.
    #[inline]
    pub const fn as_ps(self) -> u64 {
        self.0
    }

    /// Seconds since the start, for display and statistics only.
    #[inline]
    pub fn as_secs_f64(self) -> f64 {
        self.0 as f64 / PS_PER_SECOND as f64
    }

    /// This point plus a span, or `None` beyond the end of time.
    #[inline]
    pub const fn checked_add(self, span: Span) -> Option<Time> {
        match self.0.checked_add(span.0) {
            Some(ps) => Some(Time(ps)),
            None => None,
        }
    }

    /// This point plus a span; [`Time::NEVER`] beyond the end of time.
    #[inline]
    pub const fn saturating_add(self, span: Span) -> Time {
        Time(self.0.saturating_add(span.0))
    }

    /// The span since `earlier`, zero if that is later.
    #[inline]
    pub const fn saturating_since(self, earlier: Time) -> Span {
        Span(self.0.saturating_sub(earlier.0))
    }
}

impl Span {
    /// The empty span.
    pub const ZERO: Span = Span(0);
    /// The longest span.
    pub const MAX: Span = Span(u64::MAX);

    /// `n` picoseconds.
    #[inline]
    pub const fn from_ps(n: u64) -> Span {
        Span(n)
    }

    /// `n` nanoseconds. Panics if that is beyond 213 days.
    #[inline]
    pub const fn from_ns(n: u64) -> Span {
        Span::times(n, 1_000)
    }

    /// `n` microseconds. Panics if that is beyond 213 days.
    #[inline]
    pub const fn from_us(n: u64) -> Span {
        Span::times(n, 1_000_000)
    }

    /// `n` milliseconds. Panics if that is beyond 213 days.
    #[inline]
    pub const fn from_ms(n: u64) -> Span {
        Span::times(n, 1_000_000_000)
    }

    /// `n` seconds. Panics if that is beyond 213 days.
    #[inline]
    pub const fn from_secs(n: u64) -> Span {
        Span::times(n, PS_PER_SECOND)
    }

    const fn times(n: u64, unit: u64) -> Span {
        match n.checked_mul(unit) {
            Some(ps) => Span(ps),
            None => panic!("a span beyond 213 days does not fit"),
        }
    }

    /// The span nearest to this number of seconds, ties away from zero; `None` if
    /// negative, not a number, or too long.
    pub fn from_secs_f64(seconds: f64) -> Option<Span> {
        Span::from_ps_f64(seconds * PS_PER_SECOND as f64)
    }

    /// The span nearest to this number of picoseconds, ties away from zero; `None` if
    /// negative, not a number, or too long.
    #[inline]
    pub fn from_ps_f64(ps: f64) -> Option<Span> {
        // 2^63 and 2^64 as floats. The casts are exact or truncate the half; the signed one is half
        // as expensive, and covers 106 days.
        const HALF: f64 = 9_223_372_036_854_775_808.0;
        if (0.0..HALF).contains(&ps) {
            Some(Span((ps + 0.5) as i64 as u64))
        } else if (HALF..2.0 * HALF).contains(&ps) {
            Some(Span(ps as u64))
        } else {
            None
        }
    }

    /// Number of picoseconds in the span.
    #[inline]
    pub const fn as_ps(self) -> u64 {
        self.0
    }

    /// Number of seconds, for display and statistics only.
    #[inline]
    pub fn as_secs_f64(self) -> f64 {
        self.0 as f64 / PS_PER_SECOND as f64
    }

    /// True if the span is zero.
    #[inline]
    pub const fn is_zero(self) -> bool {
        self.0 == 0
    }

    /// The multiple, or `None` on overflow.
    #[inline]
    pub const fn checked_mul(self, n: u64) -> Option<Span> {
        match self.0.checked_mul(n) {
            Some(ps) => Some(Span(ps)),
            None => None,
        }
    }

    /// The difference, zero if `other` is longer.
    #[inline]
    pub const fn saturating_sub(self, other: Span) -> Span {
        Span(self.0.saturating_sub(other.0))
    }
}

impl Add<Span> for Time {
    type Output = Time;
    #[inline]
    fn add(self, span: Span) -> Time {
        self.checked_add(span).expect("time beyond 213 days")
    }
}

impl AddAssign<Span> for Time {
    #[inline]
    fn add_assign(&mut self, span: Span) {
        *self = *self + span;
    }
}

impl Sub<Time> for Time {
    type Output = Span;
    #[inline]
    fn sub(self, earlier: Time) -> Span {
        Span(
            self.0
                .checked_sub(earlier.0)
                .expect("the earlier time is later"),
        )
    }
}

impl Sub<Span> for Time {
    type Output = Time;
    #[inline]
    fn sub(self, span: Span) -> Time {
        Time(self.0.checked_sub(span.0).expect("time before the start"))
    }
}

amount!(Span, too_much: "a span beyond 213 days", too_little: "a negative span");
debug_as_text!(Span, Time);

impl Div<u64> for Span {
    type Output = Span;
    #[inline]
    fn div(self, n: u64) -> Span {
        Span(self.0 / n)
    }
}

impl FromStr for Span {
    type Err = ParseError;
    fn from_str(text: &str) -> Result<Span, ParseError> {
        parse_quantity(text, Quantity::Span).map(Span)
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const UNITS: [(u64, &str); 5] = [
            (PS_PER_SECOND, "s"),
            (1_000_000_000, "ms"),
            (1_000_000, "us"),
            (1_000, "ns"),
            (1, "ps"),
        ];
        write_exact(f, self.0, &UNITS, "s")
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&Span(self.0), f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_panic_where_checked_says_none() {
        assert_eq!(Time::NEVER.checked_add(Span::from_ps(1)), None);
        assert_eq!(Span::MAX.checked_mul(2), None);
        assert!(std::panic::catch_unwind(|| Time::NEVER + Span::from_ps(1)).is_err());
        assert!(std::panic::catch_unwind(|| Time::ZERO - Span::from_ps(1)).is_err());
        assert!(std::panic::catch_unwind(|| Span::from_secs(u64::MAX)).is_err());
        assert_eq!(Time::NEVER.saturating_add(Span::MAX), Time::NEVER);
    }

    #[test]
    fn seconds_as_floats_round_to_the_nearest_picosecond() {
        assert_eq!(Span::from_secs_f64(0.1), Some(Span::from_ms(100)));
        assert_eq!(Span::from_ps_f64(2.5), Some(Span::from_ps(3)));
        assert_eq!(Span::from_ps_f64(2.4), Some(Span::from_ps(2)));
        assert_eq!(Span::from_secs_f64(-1e-12), None);
        assert_eq!(Span::from_secs_f64(f64::NAN), None);
        assert_eq!(Span::from_secs_f64(2e7), None);
    }

    #[test]
    fn spans_print_in_the_unit_that_reads_best() {
        for (ps, text) in [
            (0, "0s"),
            (1, "1ps"),
            (1_500, "1.5ns"),
            (20_000_000_000, "20ms"),
            (533_333_334, "533.333334us"),
            (100 * PS_PER_SECOND, "100s"),
            (1_500_000_000_000, "1.5s"),
        ] {
            assert_eq!(Span(ps).to_string(), text);
        }
    }
}
