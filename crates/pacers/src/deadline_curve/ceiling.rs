//! Lines above parts of the curve, which rule out parts that a tangent cannot touch. They are the
//! only floats here; with their margin they can waste work but not change an answer.

use pacesim_units::Time;

use crate::curve::{CurvePoint, Work};

/// Relative error allowed for floats: a thousand times the rounding error.
const MARGIN: f64 = 1e-12;

/// A line that all points of a part lie on or below, counted from its beginning.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ceiling {
    at: Time,
    height: f64,
    slope: f64,
}

impl Ceiling {
    pub(super) const NONE: Ceiling = Ceiling {
        at: Time::ZERO,
        height: f64::INFINITY,
        slope: 0.0,
    };

    pub(super) fn through(from: CurvePoint, to: CurvePoint) -> Ceiling {
        let run = (to.at - from.at).as_ps();
        if run == 0 {
            return Ceiling::NONE;
        }
        Ceiling {
            at: from.at,
            height: float(from.work),
            slope: float(to.work.minus(from.work)) / run as f64,
        }
    }

    #[inline]
    fn height_at(&self, t: Time) -> f64 {
        self.height + self.slope * float_since(t, self.at)
    }

    /// A line above this one from `begin` to `split` and above another from there on.
    pub(super) fn or_over(&self, later: &Ceiling, begin: Time, split: Time) -> Ceiling {
        let slope = self.slope.max(later.slope);
        let first = self.height_at(begin);
        let second = later.height_at(split) - slope * float_since(split, begin);
        let slack = MARGIN * (first.abs() + later.height_at(split).abs()) + 2.0;
        Ceiling {
            at: begin,
            height: first.max(second) + slack,
            slope,
        }
    }

    /// The line counted from a beginning that lies earlier by `work`.
    pub(super) fn raised(&self, work: Work) -> Ceiling {
        Ceiling {
            height: self.height + float(work),
            ..*self
        }
    }

    /// Moves the beginning from which it is counted forward by `work`.
    pub(super) fn forget(&mut self, work: Work) {
        self.height -= float(work);
    }

    /// Lifts the line over an inserted packet: the packet lifts the points behind it by its size,
    /// and its own point is that much above its predecessor's, or above the beginning if it has
    /// none.
    #[inline]
    pub(super) fn rise(&mut self, deadline: Time, size: u32) {
        self.heed(CurvePoint {
            at: deadline,
            work: Work::default(),
        });
        self.height += float(Work::of_bytes(u64::from(size)));
    }

    /// Gives up if a point is not certainly below.
    #[inline]
    pub(super) fn heed(&mut self, point: CurvePoint) {
        if !self.is_surely_above(point) {
            *self = Ceiling::NONE;
        }
    }

    #[inline]
    fn is_surely_above(&self, point: CurvePoint) -> bool {
        let here = self.height_at(point.at);
        let slack = MARGIN * (here.abs() + self.height.abs()) + 2.0;
        here - slack >= float(point.work)
    }
}

/// The line of sight of a search, on or slightly below the points it leads to.
#[derive(Debug)]
pub(super) struct Ray {
    from: CurvePoint,
    slope: f64,
}

impl Ray {
    pub(super) fn new(from: CurvePoint, through: CurvePoint) -> Ray {
        let run = (through.at - from.at).as_ps() as f64;
        Ray {
            from,
            slope: float(through.work.minus(from.work)) / run * (1.0 - MARGIN),
        }
    }

    /// Upper bound of the height of a point above it; negative if the point is certainly below.
    #[inline]
    pub(super) fn excess(&self, point: CurvePoint) -> f64 {
        let own = self.slope * float_since(point.at, self.from.at);
        let other = self.height_of(point.work);
        other - own + MARGIN * (own + other.abs()) + 2.0
    }

    /// Upper bound of the height of a ceiling above it, from `begin` to `end`, for a part that
    /// begins at `base`.
    #[inline]
    pub(super) fn excess_of_ceiling(
        &self,
        ceiling: &Ceiling,
        base: Work,
        begin: Time,
        end: Time,
    ) -> f64 {
        let t = if ceiling.slope <= self.slope {
            begin
        } else {
            end
        };
        if t == Time::NEVER {
            return f64::INFINITY;
        }
        let own = self.slope * float_since(t, self.from.at);
        let other = ceiling.height_at(t);
        let base = self.height_of(base);
        let slack = MARGIN * (own + base.abs() + other.abs() + ceiling.height.abs()) + 2.0;
        base + other - own + slack
    }

    /// A ceiling at this height above it, for a part that begins at `base`.
    pub(super) fn ceiling(&self, excess: f64, base: Work) -> Ceiling {
        let base = self.height_of(base);
        Ceiling {
            at: self.from.at,
            height: excess - base + MARGIN * (excess.abs() + base.abs()),
            slope: self.slope * (1.0 + 2.0 * MARGIN),
        }
    }

    #[inline]
    fn height_of(&self, work: Work) -> f64 {
        work.minus(self.from.work).signed() as f64
    }
}

#[inline]
fn float(work: Work) -> f64 {
    work.since(Work::default()) as f64
}

#[inline]
fn float_since(t: Time, earlier: Time) -> f64 {
    t.as_ps().wrapping_sub(earlier.as_ps()).cast_signed() as f64
}
