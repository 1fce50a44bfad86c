//! Uniform numbers on the unit interval, with all 53 bits of a double.

use rand_core::Rng;

/// 2^-53, the spacing of both grids below.
const STEP: f64 = 1.0 / (1_u64 << 53) as f64;

/// Uniform in [0, 1): a multiple of 2^-53 from 0 to 1 - 2^-53. `u < p` is true
/// with probability `p`, never for 0 and always for 1.
#[inline]
pub fn unit_below_one<R: Rng + ?Sized>(rng: &mut R) -> f64 {
    (rng.next_u64() >> 11) as f64 * STEP
}

/// Uniform in (0, 1]: a multiple of 2^-53 from 2^-53 to 1, so that its
/// logarithm is finite.
#[inline]
pub fn unit_above_zero<R: Rng + ?Sized>(rng: &mut R) -> f64 {
    ((rng.next_u64() >> 11) + 1) as f64 * STEP
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use rand_core::TryRng;

    use super::*;

    /// Always the same 64 bits.
    struct Stuck(u64);

    impl TryRng for Stuck {
        type Error = Infallible;
        fn try_next_u32(&mut self) -> Result<u32, Infallible> {
            unreachable!("units take 64 bits")
        }
        fn try_next_u64(&mut self) -> Result<u64, Infallible> {
            Ok(self.0)
        }
        fn try_fill_bytes(&mut self, _: &mut [u8]) -> Result<(), Infallible> {
            unreachable!("units take 64 bits")
        }
    }

    #[test]
    fn the_ends_are_where_the_names_say() {
        assert_eq!(unit_below_one(&mut Stuck(0)), 0.0);
        assert_eq!(unit_below_one(&mut Stuck(u64::MAX)), 1.0 - STEP);
        assert_eq!(unit_above_zero(&mut Stuck(0)), STEP);
        assert_eq!(unit_above_zero(&mut Stuck(u64::MAX)), 1.0);
    }

    #[test]
    fn the_middle_is_the_middle() {
        assert_eq!(unit_below_one(&mut Stuck(1 << 63)), 0.5);
    }
}
