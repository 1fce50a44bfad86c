//! Integers wider than 128 bits, as needed for exact second moments.

/// A running sum of 192 bits: up to 2^64 terms of 128 bits, never overflowing.
/// Three words, not a `u128` and one more, to keep the alignment at eight.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sum192([u64; 3]);

impl Sum192 {
    /// Adds one term.
    #[inline]
    pub(crate) fn add(&mut self, term: u128) {
        let (low, carry) = self.low().overflowing_add(term);
        self.set_low(low);
        self.0[2] += u64::from(carry);
    }

    /// Adds a term `times` times.
    #[inline]
    pub(crate) fn add_product(&mut self, term: u128, times: u64) {
        let high = (term >> 64) * u128::from(times);
        self.add(u128::from(term as u64) * u128::from(times));
        self.add(high << 64);
        self.0[2] += (high >> 64) as u64;
    }

    /// Adds another sum.
    pub(crate) fn merge(&mut self, other: &Sum192) {
        self.add(other.low());
        self.0[2] += other.0[2];
    }

    #[inline]
    fn low(&self) -> u128 {
        u128::from(self.0[0]) | u128::from(self.0[1]) << 64
    }

    #[inline]
    fn set_low(&mut self, low: u128) {
        self.0[0] = low as u64;
        self.0[1] = (low >> 64) as u64;
    }
}

/// n·Σw·x² − (Σw·x)², exactly, then rounded once: the spread of x under weights w that sum to n,
/// times n². Never negative (Cauchy-Schwarz), and it fits 256 bits.
pub(crate) fn spread(weight: u64, sum: u128, squares: &Sum192) -> f64 {
    let sum = [sum as u64, (sum >> 64) as u64];
    to_f64(minus(product(&[weight], &squares.0), product(&sum, &sum)))
}

/// The schoolbook product, lowest word first; the factors have four words together.
fn product(a: &[u64], b: &[u64]) -> [u64; 4] {
    let mut out = [0u64; 4];
    for (i, &x) in a.iter().enumerate() {
        let mut carry = 0u128;
        for (j, &y) in b.iter().enumerate() {
            let word = u128::from(x) * u128::from(y) + u128::from(out[i + j]) + carry;
            out[i + j] = word as u64;
            carry = word >> 64;
        }
        out[i + b.len()] = carry as u64;
    }
    out
}

fn minus(a: [u64; 4], b: [u64; 4]) -> [u64; 4] {
    let mut borrow = false;
    let out = std::array::from_fn(|i| {
        let (word, under) = a[i].overflowing_sub(b[i]);
        let (word, under_again) = word.overflowing_sub(u64::from(borrow));
        borrow = under || under_again;
        word
    });
    assert!(!borrow, "a square of sums above the sum of squares");
    out
}

/// The two leading words, rounded; the lower words are below 2^-64 of the value.
fn to_f64(words: [u64; 4]) -> f64 {
    const WORD: f64 = 18_446_744_073_709_551_616.0;
    let top = words
        .iter()
        .rposition(|&word| word != 0)
        .unwrap_or(0)
        .max(1);
    let leading = u128::from(words[top]) << 64 | u128::from(words[top - 1]);
    (1..top).fold(leading as f64, |value, _| value * WORD)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_spread_of_the_largest_values_is_exact() {
        let mut squares = Sum192::default();
        let x = u128::from(u64::MAX);
        squares.add_product(x * x, u64::MAX);
        assert_eq!(spread(u64::MAX, x * x, &squares), 0.0);
    }

    #[test]
    fn carries_reach_the_third_word() {
        let mut by_terms = Sum192::default();
        (0..5).for_each(|_| by_terms.add(u128::MAX));
        let mut at_once = Sum192::default();
        at_once.add_product(u128::MAX, 5);
        assert_eq!(by_terms, at_once);
        assert_eq!(by_terms.0, [u64::MAX - 4, u64::MAX, 4]);
    }

    proptest! {
        #[test]
        fn products_agree_with_128_bits(a: u64, b: u64) {
            let wide = product(&[a], &[b, 0, 0]);
            let low = u128::from(wide[1]) << 64 | u128::from(wide[0]);
            prop_assert_eq!(low, u128::from(a) * u128::from(b));
            prop_assert_eq!(product(&[a, b], &[b, a]), product(&[b, a], &[a, b]));
        }

        #[test]
        fn floats_are_within_one_rounding(a: u128) {
            let words = [0, a as u64, (a >> 64) as u64, 0];
            let expected = a as f64 * 18_446_744_073_709_551_616.0;
            let got = to_f64(words);
            prop_assert!((got - expected).abs() <= expected * f64::EPSILON, "{got}, not {expected}");
        }
    }
}
