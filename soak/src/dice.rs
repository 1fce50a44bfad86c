//! Random choices determined by the number of a case.

use rand::SeedableRng;
use rand::rand_core::Rng;
use rand_xoshiro::SplitMix64;

/// A stream of choices. It is independent of pacesim's streams, which are under test.
#[derive(Clone, Debug)]
pub(crate) struct Dice(SplitMix64);

impl Dice {
    /// The choices of this case.
    pub(crate) fn new(case: u64) -> Dice {
        let mut first = Dice(SplitMix64::from_seed(case.to_le_bytes()));
        Dice(SplitMix64::from_seed(first.word().to_le_bytes()))
    }

    /// 64 random bits.
    pub(crate) fn word(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// From 0 to n - 1.
    pub(crate) fn below(&mut self, n: u64) -> u64 {
        ((u128::from(self.word()) * u128::from(n)) >> 64) as u64
    }

    /// An index into a list of this length.
    pub(crate) fn place(&mut self, length: usize) -> usize {
        self.below(length as u64) as usize
    }

    /// True with this probability in percent.
    pub(crate) fn percent(&mut self, chance: u64) -> bool {
        self.below(100) < chance
    }

    /// True with probability 1/`cases`.
    pub(crate) fn one_in(&mut self, cases: u64) -> bool {
        self.below(cases) == 0
    }

    /// One of these.
    pub(crate) fn pick<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.place(of.len())]
    }

    /// From low to high inclusive, log-uniform over powers of two.
    pub(crate) fn magnitude(&mut self, low: u64, high: u64) -> u64 {
        let (least, most) = (low.max(1).ilog2(), high.max(1).ilog2());
        let power = least + self.below(u64::from(most - least) + 1) as u32;
        let number = (1 << power) + self.below(1 << power);
        number.clamp(low, high)
    }

    /// From 0 to below 1, in millionths.
    pub(crate) fn fraction(&mut self) -> f64 {
        self.below(1_000_001) as f64 / 1e6
    }
}
