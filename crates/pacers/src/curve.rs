//! Exact arithmetic on cumulative curves.
//!
//! **Slopes, and the proof that no deadline is missed.** A slope is never a number: it is the line
//! through two points, and two slopes are compared by cross-multiplication in 128 bits, which is
//! exact. The vertices of a hull are deadlines (whole picoseconds) and packet ends (whole bytes),
//! exact too. Only the place reached on the exit curve at an arrival is rounded, *down* to 2^-16
//! byte, and only when the arrival makes the first slope steeper. A release is the exact crossing
//! time rounded *up* to a picosecond. The deadline is a whole picosecond not before the exact
//! crossing, so the rounded release is not after it either: whatever the place reached, the next
//! hull starts there and still ends at the deadlines themselves.

use std::cmp::Ordering;

use pacesim_units::{Span, Time};

/// A position on a cumulative curve: 2^-16 bytes, modulo 2^64, so that runs may be of any length.
/// Differences are correct below 2^63 (140 TB).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct Work(u64);

const UNITS_PER_BYTE_LOG2: u32 = 16;

impl Work {
    pub(crate) const ZERO: Work = Work(0);

    #[inline]
    pub(crate) fn of_bytes(bytes: u64) -> Work {
        Work(bytes << UNITS_PER_BYTE_LOG2)
    }

    #[inline]
    pub(crate) fn plus(self, other: Work) -> Work {
        Work(self.0.wrapping_add(other.0))
    }

    #[inline]
    pub(crate) fn minus(self, other: Work) -> Work {
        Work(self.0.wrapping_sub(other.0))
    }

    #[inline]
    pub(crate) fn plus_bytes(self, bytes: u32) -> Work {
        self.plus(Work::of_bytes(u64::from(bytes)))
    }

    /// Number of units from `earlier` to here.
    #[inline]
    pub(crate) fn since(self, earlier: Work) -> u64 {
        self.0.wrapping_sub(earlier.0)
    }

    /// True if this is at or beyond `goal`.
    #[inline]
    pub(crate) fn has_reached(self, goal: Work) -> bool {
        self.since(goal) < 1 << 63
    }

    /// The number as signed, for differences of either sign.
    #[inline]
    pub(crate) fn signed(self) -> i64 {
        self.0.cast_signed()
    }

    /// Bytes from `earlier` to here, for display; negative if here is before it.
    pub(crate) fn bytes_since(self, earlier: Work) -> f64 {
        self.0.wrapping_sub(earlier.0).cast_signed() as f64 / f64::from(1u32 << UNITS_PER_BYTE_LOG2)
    }
}

/// A point on a cumulative curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct CurvePoint {
    pub(crate) at: Time,
    pub(crate) work: Work,
}

impl CurvePoint {
    /// The point at the end of a piece that begins here.
    #[inline]
    pub(crate) fn after(self, piece: Piece) -> CurvePoint {
        CurvePoint {
            at: self.at + Span::from_ps(piece.run),
            work: self.work.plus(piece.rise),
        }
    }
}

/// The straight line from one point to a later and higher one, by its extent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct Piece {
    /// Duration of the piece in picoseconds.
    pub(crate) run: u64,
    /// Rise of the piece in units of work.
    pub(crate) rise: Work,
}

impl Piece {
    #[inline]
    pub(crate) fn between(from: CurvePoint, to: CurvePoint) -> Piece {
        Piece {
            run: (to.at - from.at).as_ps(),
            rise: to.work.minus(from.work),
        }
    }

    /// The chord over this piece and the next.
    #[inline]
    pub(crate) fn fused_with(self, next: Piece) -> Piece {
        Piece {
            run: self.run + next.run,
            rise: self.rise.plus(next.rise),
        }
    }

    /// Compares slopes. A piece of no length is the steepest of all.
    #[inline]
    pub(crate) fn compare_slope(self, other: Piece) -> Ordering {
        product(self.rise.0, other.run).cmp(&product(other.rise.0, self.run))
    }

    /// Rise within a part of its run, rounded down; all of it if the piece is vertical.
    #[inline]
    pub(crate) fn rise_in(self, run: u64) -> Work {
        if self.run == 0 {
            return self.rise;
        }
        Work(quotient(self.rise.0, run, self.run))
    }

    /// Time to rise by this height, a part of its own rise, rounded up.
    #[inline]
    pub(crate) fn run_to(self, rise: Work) -> Span {
        Span::from_ps(quotient_up(rise.0, self.run, self.rise.0))
    }
}

/// `a * b / c` rounded down, which fits 64 bits, as the product often does too.
#[inline]
fn quotient(a: u64, b: u64, c: u64) -> u64 {
    match a.checked_mul(b) {
        Some(product) => product / c,
        None => wide_quotient(a, b, c),
    }
}

/// Computes `a * b / c`, rounded up.
#[inline]
fn quotient_up(a: u64, b: u64, c: u64) -> u64 {
    match a.checked_mul(b) {
        Some(product) => product.div_ceil(c),
        None => wide_quotient_up(a, b, c),
    }
}

/// Computes [`quotient`] for any product.
#[cold]
fn wide_quotient(a: u64, b: u64, c: u64) -> u64 {
    (product(a, b) / u128::from(c)) as u64
}

/// [`quotient_up`] for any product: one division of 128 bits, where `div_ceil` takes its remainder
/// as well.
#[cold]
fn wide_quotient_up(a: u64, b: u64, c: u64) -> u64 {
    ((product(a, b) + u128::from(c - 1)) / u128::from(c)) as u64
}

#[inline]
fn product(a: u64, b: u64) -> u128 {
    u128::from(a) * u128::from(b)
}

/// Compares the slope from `a` to `b` with the slope from `b` to `c`, for points that do not go
/// backwards.
#[inline]
pub(crate) fn compare_slopes(a: CurvePoint, b: CurvePoint, c: CurvePoint) -> Ordering {
    Piece::between(a, b).compare_slope(Piece::between(b, c))
}

/// Work on the line through two points at a time between them, rounded down.
#[inline]
pub(crate) fn work_at(from: CurvePoint, to: CurvePoint, now: Time) -> Work {
    let gone = (now - from.at).as_ps();
    from.work.plus(Piece::between(from, to).rise_in(gone))
}

/// Time at which the line through two points passes a goal between them, rounded up.
#[inline]
pub(crate) fn time_of(from: CurvePoint, to: CurvePoint, goal: Work) -> Time {
    from.at + Piece::between(from, to).run_to(goal.minus(from.work))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Numbers of every length, so that products fall on both sides of 64 bits.
    fn any_length() -> impl Strategy<Value = u64> {
        (1u64.., 0u32..64).prop_map(|(n, shift)| (n >> shift).max(1))
    }

    proptest! {
        #[test]
        fn quotients_of_short_and_long_products_are_exact(
            a in any_length(), b in any_length(), c in any_length()
        ) {
            // Parts of a whole, as on a piece, so that the quotient fits.
            let a = a.min(c);
            let (low, high) = (quotient(a, b, c), quotient_up(a, b, c));
            prop_assert_eq!(low, wide_quotient(a, b, c));
            prop_assert_eq!(high, wide_quotient_up(a, b, c));
            let exact = product(a, b);
            let (below, above) = (product(low, c), product(high, c));
            prop_assert!(below <= exact && exact < below + u128::from(c), "{below} {exact}");
            prop_assert!(exact <= above && above < exact + u128::from(c), "{above} {exact}");
        }

        #[test]
        fn slopes_compare_as_fractions_do(
            rise in any_length(), run in any_length(), factor in 1u64..1000
        ) {
            let piece = |run, rise| Piece { run, rise: Work(rise) };
            let (rise, run) = (rise / 1000 + 1, run / 1000 + 1);
            let this = piece(run, rise);
            prop_assert_eq!(this.compare_slope(piece(run * factor, rise * factor)), Ordering::Equal);
            prop_assert_eq!(this.compare_slope(piece(run * factor, rise * factor + 1)), Ordering::Less);
            prop_assert_eq!(this.compare_slope(piece(run * factor + 1, rise * factor)), Ordering::Greater);
        }
    }
}
