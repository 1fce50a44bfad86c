//! Exact fractions, as far as 128 bits hold them.

use std::cmp::Ordering;

/// A fraction in lowest terms; its denominator is positive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ratio {
    above: i128,
    below: i128,
}

/// The most digits and zeros of a decimal number that is read exactly.
const MOST_DIGITS: usize = 36;

impl Ratio {
    /// The fraction; `None` for a denominator of zero.
    pub(crate) fn new(above: i128, below: i128) -> Option<Ratio> {
        if below == 0 || above == i128::MIN || below == i128::MIN {
            return None;
        }
        let common = common_divisor(above.unsigned_abs(), below.unsigned_abs());
        let common = i128::try_from(common).ok()? * below.signum();
        Some(Ratio {
            above: above / common,
            below: below / common,
        })
    }

    /// A decimal number as written: "0.25", "1e3", "1_000".
    pub(crate) fn parse(text: &str) -> Option<Ratio> {
        let text = text.replace('_', "");
        let (digits, exponent) = match text.split_once(['e', 'E']) {
            None => (text.as_str(), 0),
            Some((digits, exponent)) => (digits, exponent.parse::<i32>().ok()?),
        };
        let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
        let zeros = exponent - i32::try_from(part.len()).ok()?;
        let length = whole.len() + part.len() + zeros.unsigned_abs() as usize;
        if length > MOST_DIGITS {
            return None;
        }
        let number = format!("{whole}{part}").parse::<i128>().ok()?;
        let power = 10_i128.checked_pow(zeros.unsigned_abs())?;
        if zeros < 0 {
            Ratio::new(number, power)
        } else {
            Ratio::new(number.checked_mul(power)?, 1)
        }
    }

    pub(crate) fn plus(self, other: Ratio) -> Option<Ratio> {
        let left = self.above.checked_mul(other.below)?;
        let right = other.above.checked_mul(self.below)?;
        Ratio::new(
            left.checked_add(right)?,
            self.below.checked_mul(other.below)?,
        )
    }

    pub(crate) fn times(self, other: Ratio) -> Option<Ratio> {
        // Factors that cancel would overflow first.
        let one = Ratio::new(self.above, other.below)?;
        let two = Ratio::new(other.above, self.below)?;
        let above = one.above.checked_mul(two.above)?;
        Ratio::new(above, one.below.checked_mul(two.below)?)
    }

    pub(crate) fn over(self, other: Ratio) -> Option<Ratio> {
        self.times(Ratio::new(other.below, other.above)?)
    }

    pub(crate) fn negative(self) -> Ratio {
        Ratio {
            above: -self.above,
            ..self
        }
    }

    /// The order of two fractions, unless their products overflow.
    pub(crate) fn compare(self, other: Ratio) -> Option<Ordering> {
        let left = self.above.checked_mul(other.below)?;
        Some(left.cmp(&other.above.checked_mul(self.below)?))
    }

    /// Converts the ratio to the nearest float.
    pub(crate) fn to_f64(self) -> f64 {
        self.above as f64 / self.below as f64
    }

    /// The nearest whole number; halves are rounded away from zero.
    pub(crate) fn rounded(self) -> Option<i128> {
        let (whole, rest) = (self.above / self.below, self.above % self.below);
        let is_up = rest.checked_mul(2)?.abs() >= self.below;
        Some(whole + if is_up { rest.signum() } else { 0 })
    }
}

fn common_divisor(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_read_exactly() {
        for (text, above, below) in [
            ("0.25", 1, 4),
            ("1e3", 1000, 1),
            ("1.5E-1", 3, 20),
            ("1_000.5", 2001, 2),
            (".5", 1, 2),
        ] {
            assert_eq!(Ratio::parse(text), Ratio::new(above, below), "{text}");
        }
        for text in ["", "1e400", "x", "1e-400", "0.1.2"] {
            assert_eq!(Ratio::parse(text), None, "{text}");
        }
    }

    #[test]
    fn halves_are_rounded_away_from_zero() {
        let rounded = |above, below| Ratio::new(above, below).expect("it is one").rounded();
        assert_eq!(rounded(5, 2), Some(3));
        assert_eq!(rounded(-5, 2), Some(-3));
        assert_eq!(rounded(7, 3), Some(2));
        assert_eq!(rounded(i128::MAX, 1), Some(i128::MAX));
    }

    #[test]
    fn an_overflow_is_no_fraction() {
        let most = Ratio::new(i128::MAX, 1).expect("it is one");
        assert_eq!(most.plus(most), None);
        assert_eq!(most.times(most), None);
        assert_eq!(most.over(most), Ratio::new(1, 1));
    }
}
