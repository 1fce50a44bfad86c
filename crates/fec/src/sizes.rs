//! Table of block sizes by measured loss, computed once and read in integers.

/// A share of lost packets, in units of 2^-32.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct LossShare(u64);

const WHOLE: u64 = 1 << 32;

impl LossShare {
    /// The greatest share not above this number from 0 to 1.
    pub fn of(share: f64) -> LossShare {
        LossShare((share.clamp(0.0, 1.0) * WHOLE as f64) as u64)
    }

    /// The share as a number from 0 to 1.
    pub fn as_f64(self) -> f64 {
        self.0 as f64 / WHOLE as f64
    }

    /// Updates the mean of `measured` packets with `packets` more, of which `lost` were lost.
    pub(crate) fn mix(&mut self, measured: u32, packets: u32, lost: u32) {
        let all = u128::from(measured) + u128::from(packets);
        let before = u128::from(self.0) * u128::from(measured);
        let parts = before + u128::from(lost) * u128::from(WHOLE);
        self.0 = parts.checked_div(all).map_or(self.0, |mean| mean as u64);
    }
}

/// Table of block sizes by measured loss.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SizeTable {
    least: u16,
    /// For each present size from the least on, or one row for all: lower ends of loss and their
    /// sizes.
    rows: Vec<Vec<(LossShare, u16)>>,
}

impl SizeTable {
    /// For each loss the largest size with at most this residual loss, if losses are independent
    /// (zerobuf eq. 15); the least size where none qualifies.
    ///
    /// # Panics
    ///
    /// Panics without a size from `least` to `most`.
    pub fn for_residual(target: f64, least: u16, most: u16) -> SizeTable {
        assert!(0 < least && least <= most, "there are sizes to choose from");
        let sizes = (least..=most).rev();
        let falls = sizes.zip(
            std::iter::once(0.0).chain(
                // From the loss at which the next larger size leaves more.
                (least + 1..=most)
                    .rev()
                    .map(|larger| first_where(1.0, |loss| residual(loss, larger) > target)),
            ),
        );
        SizeTable {
            least,
            rows: vec![
                falls
                    .map(|(size, from)| (LossShare::of(from), size))
                    .collect(),
            ],
        }
    }

    /// The size with the least loss if all pairs that share these links used it (zerobuf eq. 11, 17
    /// to 19), on paths of this many links without buffers and of equal load. The load follows from
    /// the loss at the present size, less its repair packets. At a given loss a block of one is
    /// always the best; but if all pairs used it, their repair packets would raise load and loss
    /// until only repair packets are sent.
    ///
    /// # Panics
    ///
    /// Panics without a size from `least` to `most`.
    pub fn for_load(links: u32, least: u16, most: u16) -> SizeTable {
        assert!(0 < least && least <= most, "there are sizes to choose from");
        let left = |load: f64, size: u16| residual(loss(load * expansion(size), links), size);
        let best = |load: f64| {
            let sizes = least..=most;
            let all = sizes.map(|size| (left(load, size), size));
            all.reduce(|a, b| if b.0 <= a.0 { b } else { a })
                .map_or(least, |(_, size)| size)
        };
        // Repair packets are worth their load as long as the load is not too high: the best size
        // rises with the load, in a few steps, from 3 to the largest.
        let mut steps = vec![(0.0, best(LOW_LOAD))];
        loop {
            let size = steps[steps.len() - 1].1;
            let from = first_where(MOST_LOAD, |load| load > LOW_LOAD && best(load) > size);
            if from >= MOST_LOAD {
                break;
            }
            steps.push((from, best(from)));
        }
        let row = |present: u16| {
            let from = |load: f64| LossShare::of(loss(load * expansion(present), links));
            let step = |(load, size): &(f64, u16)| (from(*load), *size);
            steps.iter().map(step).collect()
        };
        SizeTable {
            least,
            rows: (least..=most).map(row).collect(),
        }
    }

    /// The block size for this loss, which was measured with blocks of the present size.
    pub fn size(&self, loss: LossShare, present: u16) -> u16 {
        let row = usize::from(present.saturating_sub(self.least));
        let row = &self.rows[row.min(self.rows.len() - 1)];
        let steps = row.partition_point(|(from, _)| *from <= loss);
        row[steps - 1].1
    }
}

/// A load so low that repair packets of any size do not matter.
const LOW_LOAD: f64 = 1e-3;
/// A load at which almost everything is lost.
const MOST_LOAD: f64 = 10.0;

/// Factor by which repair packets raise the load (zerobuf eq. 11).
fn expansion(size: u16) -> f64 {
    1.0 + 1.0 / f64::from(size)
}

/// Share of packets lost on a path of this many links of this load, without buffers (zerobuf eq. 17
/// and 18).
fn loss(load: f64, links: u32) -> f64 {
    // 1 - e^-x (1 + x), without cancellation where x is small.
    let one = -libm::expm1(-load) - load * libm::exp(-load);
    (one.max(0.0) * f64::from(links)).min(1.0)
}

/// Residual loss after repair with blocks of this size (zerobuf eq. 15 and 19).
fn residual(loss: f64, size: u16) -> f64 {
    match loss {
        1.0.. => 1.0,
        _ => -loss * libm::expm1(f64::from(size) * libm::log1p(-loss)),
    }
}

/// The least number up to `end` from which a predicate holds; the end if it never does.
fn first_where(end: f64, holds: impl Fn(f64) -> bool) -> f64 {
    let (mut before, mut after) = (0.0, end);
    // Enough bisections for the precision of a double.
    for _ in 0..60 {
        let middle = (before + after) / 2.0;
        if holds(middle) {
            after = middle
        } else {
            before = middle
        }
    }
    after
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_is_met_by_the_size_and_by_no_larger_one() {
        for target in [1e-4, 1e-3, 1e-2] {
            let table = SizeTable::for_residual(target, 1, 100);
            for loss in [1e-5, 1e-3, 0.01, 0.03, 0.1, 0.5, 1.0] {
                let size = table.size(LossShare::of(loss), 7);
                let is_met = |size| residual(loss, size) <= target * (1.0 + 1e-6);
                assert!(size == 1 || is_met(size), "{target} {loss} {size}");
                assert!(size == 100 || !is_met(size + 1), "{target} {loss} {size}");
            }
        }
    }

    #[test]
    fn bounds_are_kept() {
        for table in [
            SizeTable::for_residual(1e-3, 4, 9),
            SizeTable::for_load(2, 4, 9),
        ] {
            for present in 4..=9 {
                for loss in [0.0, 1e-6, 1e-3, 0.1, 1.0] {
                    let size = table.size(LossShare::of(loss), present);
                    assert!((4..=9).contains(&size), "{size} for {loss} after {present}");
                }
            }
        }
    }
}
