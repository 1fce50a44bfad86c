//! The pacing rate as a function of the queue, eq. (1) of both QLBP papers.

use pacesim_units::{Bytes, Capacity, PS_PER_SECOND, Rate, Span};

use crate::config::{Problems, holds_nothing};
use crate::pacer::Waiting;

/// mu(q) on [0, `Q_max`], exactly: `(mu_min*Q_max + (mu_max - mu_min)*q) / Q_max`.
#[derive(Clone, Debug)]
pub(crate) struct RateLaw {
    /// `mu_min` * `Q_max`, in bit/s times units of q.
    floor: u128,
    /// `mu_max` - `mu_min`, in bit/s.
    rise: u128,
    q_max: u64,
    unit: Unit,
}

/// The unit in which q is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unit {
    Packets,
    Bytes,
}

impl RateLaw {
    /// A law whose parameters [`check_law`] has checked.
    pub(crate) fn new(mu_min: Option<Rate>, mu_max: Rate, q_max: Capacity) -> RateLaw {
        let (unit, q_max) = match q_max {
            Capacity::Packets(n) => (Unit::Packets, n),
            Capacity::Bytes(Bytes(n)) => (Unit::Bytes, n),
            Capacity::Unlimited => unreachable!("check_law refuses an unlimited Q_max"),
        };
        let mu_min = mu_min.map_or(0, Rate::as_bps);
        RateLaw {
            floor: u128::from(mu_min) * u128::from(q_max),
            rise: u128::from(mu_max.as_bps() - mu_min),
            q_max,
            unit,
        }
    }

    /// The queue's length in the law's unit.
    #[inline]
    pub(crate) fn length(&self, waiting: Waiting) -> u64 {
        match self.unit {
            Unit::Packets => waiting.packets,
            Unit::Bytes => waiting.bytes.get(),
        }
    }

    #[inline]
    pub(crate) fn q_max(&self) -> u64 {
        self.q_max
    }

    /// The pause S/mu(q), rounded up, for q up to `Q_max`.
    #[inline]
    pub(crate) fn pause(&self, size: u32, q: u64) -> Span {
        let rate = self.floor + self.rise * u128::from(q);
        if size == 0 || rate == 0 {
            return Span::ZERO;
        }
        let bit_ps = u128::from(size) * u128::from(8 * PS_PER_SECOND);
        let ps = (bit_ps * u128::from(self.q_max)).div_ceil(rate);
        Span::from_ps(u64::try_from(ps).unwrap_or(u64::MAX))
    }
}

/// Checks the conditions that both forms share.
pub(crate) fn check_law(
    problems: &mut Problems,
    mu_min: Option<Rate>,
    mu_max: Rate,
    q_max: Capacity,
    q_lim: Capacity,
) {
    if let Some(mu_min) = mu_min {
        problems.require(
            mu_min <= mu_max,
            "mu_min",
            || format!("eq. (1) rises from mu_min to mu_max, but {mu_min} > {mu_max}"),
            "lower mu_min or raise mu_max",
        );
    }
    problems.require(
        !holds_nothing(q_max),
        "q_max",
        || "eq. (1) divides by Q_max, which is 0".to_owned(),
        "give a cutoff of at least one packet; to pace nothing, take the pacer \"none\"",
    );
    problems.require(
        q_max != Capacity::Unlimited,
        "q_max",
        || "eq. (1) needs a finite Q_max".to_owned(),
        "give it in packets or bytes; Q_max/mu_max is the delay bound (qlbp11 Theorem 1)",
    );
    problems.require_room(q_lim, "q_lim");
    let (same_unit, within) = compare_capacities(q_max, q_lim);
    problems.require(
        same_unit,
        "q_lim",
        || format!("Q_max is {q_max} but Q_lim {q_lim}: q is counted in one unit"),
        "write both in packets or both in bytes",
    );
    problems.require(
        within,
        "q_max",
        || format!("Q_max <= Q_lim does not hold: {q_max} > {q_lim}"),
        "raise the buffer Q_lim or lower the cutoff Q_max",
    );
}

/// First: true if the units agree; second: true if the first capacity then fits the second.
fn compare_capacities(inner: Capacity, outer: Capacity) -> (bool, bool) {
    match (inner, outer) {
        (Capacity::Packets(a), Capacity::Packets(b)) => (true, a <= b),
        (Capacity::Bytes(a), Capacity::Bytes(b)) => (true, a <= b),
        (Capacity::Unlimited, _) | (_, Capacity::Unlimited) => (true, true),
        _ => (false, true),
    }
}
