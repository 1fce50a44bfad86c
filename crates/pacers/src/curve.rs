//! Exact arithmetic on cumulative curves.
//!
//! **How slopes are represented, and why no deadline is missed.** A slope is
//! never a number: it is the line through two points, and two slopes are
//! compared by cross-multiplication in 128 bits, which is exact. The vertices of
//! a hull are deadlines (whole picoseconds) and packet ends (whole bytes), exact
//! too. Only the place reached on the exit curve at an arrival is rounded, *down*
//! to 2^-16 byte, and only when the arrival makes the first slope steeper. A
//! release is the exact crossing time rounded *up* to a picosecond. The deadline
//! is a whole picosecond not before the exact crossing, so the rounded release is
//! not after it either: whatever the place reached, the next hull starts there
//! and still ends at the deadlines themselves.

use std::cmp::Ordering;

use pacesim_units::{Span, Time};

/// A position on a cumulative curve: 2^-16 bytes, modulo 2^64, so that a run has
/// no end. Differences are right as long as they stay below 2^63 (140 TB).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct Work(u64);

const UNITS_PER_BYTE_LOG2: u32 = 16;

impl Work {
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

    /// Units from `earlier` to here.
    #[inline]
    pub(crate) fn since(self, earlier: Work) -> u64 {
        self.0.wrapping_sub(earlier.0)
    }

    /// Whether this is at or beyond `goal`.
    #[inline]
    pub(crate) fn has_reached(self, goal: Work) -> bool {
        self.since(goal) < 1 << 63
    }

    /// As a signed number, for differences of either sign.
    #[inline]
    pub(crate) fn signed(self) -> i64 {
        self.0.cast_signed()
    }

    /// Bytes from `earlier` to here, for display; negative when before it.
    pub(crate) fn bytes_since(self, earlier: Work) -> f64 {
        self.0.wrapping_sub(earlier.0).cast_signed() as f64 / f64::from(1u32 << UNITS_PER_BYTE_LOG2)
    }
}

/// A point on a cumulative curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct Point {
    pub(crate) at: Time,
    pub(crate) work: Work,
}

/// How the slope from `a` to `b` compares with the slope from `b` to `c`, for
/// points that do not go backwards. No length at all is steeper than anything.
#[inline]
pub(crate) fn compare_slopes(a: Point, b: Point, c: Point) -> Ordering {
    let first = product(b.work.since(a.work), (c.at - b.at).as_ps());
    let second = product(c.work.since(b.work), (b.at - a.at).as_ps());
    first.cmp(&second)
}

#[inline]
fn product(a: u64, b: u64) -> u128 {
    u128::from(a) * u128::from(b)
}

/// Where the line through two points is at a time between them, rounded down.
#[inline]
pub(crate) fn work_at(from: Point, to: Point, now: Time) -> Work {
    let run = (to.at - from.at).as_ps();
    if run == 0 {
        return to.work;
    }
    let gone = (now - from.at).as_ps();
    let rise = to.work.since(from.work);
    let done = match rise.checked_mul(gone) {
        Some(p) => p / run,
        None => (product(rise, gone) / u128::from(run)) as u64,
    };
    from.work.plus(Work(done))
}

/// When the line through two points passes a goal between them, rounded up.
#[inline]
pub(crate) fn time_of(from: Point, to: Point, goal: Work) -> Time {
    let rise = to.work.since(from.work);
    let run = (to.at - from.at).as_ps();
    let left = goal.since(from.work);
    let wait = match left.checked_mul(run) {
        Some(p) => p.div_ceil(rise),
        None => product(left, run).div_ceil(u128::from(rise)) as u64,
    };
    from.at + Span::from_ps(wait)
}
