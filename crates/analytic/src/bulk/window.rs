//! The sum of the last `width` values, by additions alone.

/// A sliding sum as two stacks. Adding the new and subtracting the old would
/// cancel once the values span many orders of magnitude, as the probabilities
/// of a chain do; here every value is only ever added.
#[derive(Clone, Debug)]
pub(crate) struct SlidingSum {
    width: usize,
    /// Sums of the older values, the oldest value in the last one only.
    older: Vec<f64>,
    newer: Vec<f64>,
    newer_sum: f64,
}

impl SlidingSum {
    pub(crate) fn new(width: usize) -> SlidingSum {
        SlidingSum {
            width,
            older: Vec::new(),
            newer: Vec::new(),
            newer_sum: 0.0,
        }
    }

    /// Adds a value, drops the one that is now too old, returns the sum.
    pub(crate) fn slide(&mut self, value: f64) -> f64 {
        if self.older.len() + self.newer.len() == self.width {
            self.drop_oldest();
        }
        self.newer.push(value);
        self.newer_sum += value;
        self.newer_sum + self.older.last().copied().unwrap_or(0.0)
    }

    /// Multiplies everything inside.
    pub(crate) fn scale(&mut self, factor: f64) {
        let all = self.older.iter_mut().chain(&mut self.newer);
        all.for_each(|x| *x *= factor);
        self.newer_sum *= factor;
    }

    fn drop_oldest(&mut self) {
        if self.older.is_empty() {
            let mut sum = 0.0;
            while let Some(x) = self.newer.pop() {
                sum += x;
                self.older.push(sum);
            }
            self.newer_sum = 0.0;
        }
        self.older.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn equals_the_sum_of_the_last_values(width in 1usize..20, values in prop::collection::vec(0.0..1.0f64, 1..100)) {
            let mut window = SlidingSum::new(width);
            for (i, &v) in values.iter().enumerate() {
                let naive: f64 = values[(i + 1).saturating_sub(width)..=i].iter().sum();
                prop_assert!((window.slide(v) - naive).abs() < 1e-13);
            }
        }
    }

    #[test]
    fn a_huge_value_that_has_left_leaves_no_trace() {
        let mut window = SlidingSum::new(2);
        for v in [1e300, 1.0, 1e-10] {
            window.slide(v);
        }
        assert_eq!(window.slide(1e-10), 2e-10);
    }
}
