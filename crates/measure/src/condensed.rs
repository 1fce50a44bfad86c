//! A long series in bounded memory.

/// A series of sums over equal lengths, which double as the series grows: at most `most` sums
/// remain for a series of any length, and at least half as many once it was full. For estimators of
/// a whole series, such as [`hurst`](crate::hurst) and [`mser5`](crate::mser5).
///
/// ```
/// let mut volumes = pacesim_measure::Condensed::new(4).expect("even");
/// (1..=9).for_each(|x| volumes.add(f64::from(x)));
/// assert_eq!(volumes.length(), 4);
/// assert_eq!(volumes.sums(), [10.0, 26.0]); // 9 waits for three more
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Condensed {
    most: usize,
    length: u64,
    filled: u64,
    sum: f64,
    sums: Vec<f64>,
}

impl Condensed {
    /// No values; `None` unless `most` is even and not zero.
    pub fn new(most: usize) -> Option<Condensed> {
        (most > 0 && most.is_multiple_of(2)).then(|| Condensed {
            most,
            length: 1,
            filled: 0,
            sum: 0.0,
            sums: Vec::new(),
        })
    }

    /// Adds the next value of the series.
    #[inline]
    pub fn add(&mut self, value: f64) {
        self.sum += value;
        self.filled += 1;
        if self.filled == self.length {
            self.sums.push(self.sum);
            (self.sum, self.filled) = (0.0, 0);
            if self.sums.len() == self.most {
                self.join_pairs();
            }
        }
    }

    /// The sums that are complete, in order.
    pub fn sums(&self) -> &[f64] {
        &self.sums
    }

    /// The means of the values in each, in order.
    pub fn means(&self) -> Vec<f64> {
        let length = self.length as f64;
        self.sums.iter().map(|sum| sum / length).collect()
    }

    /// Values in a sum: a power of two.
    pub fn length(&self) -> u64 {
        self.length
    }

    fn join_pairs(&mut self) {
        let half = self.most / 2;
        for i in 0..half {
            self.sums[i] = self.sums[2 * i] + self.sums[2 * i + 1];
        }
        self.sums.truncate(half);
        self.length *= 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn odd_and_no_memory_are_refused() {
        assert_eq!(Condensed::new(0), None);
        assert_eq!(Condensed::new(7), None);
    }

    #[test]
    fn noise_has_the_hurst_parameter_of_its_whole() {
        let mut random = crate::testing::Random::new(31);
        let mut series = Condensed::new(1 << 12).expect("even");
        (0..200_000).for_each(|_| series.add(random.normal()));
        let m = crate::hurst::whittle_frequencies(series.sums().len());
        let found = crate::hurst::local_whittle(series.sums(), m).expect("long");
        let interval = found.interval(0.999).expect("a level");
        assert!(interval.contains(0.5), "{interval:?}");
    }

    proptest! {
        #[test]
        fn sums_are_of_equal_parts(
            values in prop::collection::vec(0u32..1000, 0..500),
            half in 1usize..20,
        ) {
            let mut series = Condensed::new(2 * half).expect("even");
            values.iter().for_each(|x| series.add(f64::from(*x)));
            let length = series.length() as usize;
            let parts = values.chunks_exact(length);
            let expected: Vec<f64> = parts.map(|part| f64::from(part.iter().sum::<u32>())).collect();
            prop_assert_eq!(series.sums(), &expected);
            let least = if length == 1 { 0 } else { half };
            let sums = series.sums().len();
            prop_assert!((least..2 * half).contains(&sums), "{sums} sums, half of the most is {half}");
        }
    }
}
