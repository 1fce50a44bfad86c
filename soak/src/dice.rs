//! Random choices that follow from the number of a case.

/// A stream of choices: splitmix64 (Steele, Lea and Flood 2014). The streams of
/// pacesim are what is tested, so these are none of them.
#[derive(Clone, Debug)]
pub(crate) struct Dice(u64);

const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

impl Dice {
    /// The choices of this case.
    pub(crate) fn new(case: u64) -> Dice {
        let mut first = Dice(case);
        Dice(first.word())
    }

    /// 64 random bits.
    pub(crate) fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(GOLDEN);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// From 0 to n - 1.
    pub(crate) fn below(&mut self, n: u64) -> u64 {
        ((u128::from(self.word()) * u128::from(n)) >> 64) as u64
    }

    /// A place in a list of this length.
    pub(crate) fn place(&mut self, length: usize) -> usize {
        self.below(length as u64) as usize
    }

    /// Yes, in this number of a hundred cases.
    pub(crate) fn percent(&mut self, chance: u64) -> bool {
        self.below(100) < chance
    }

    /// Yes, in one of this number of cases.
    pub(crate) fn one_in(&mut self, cases: u64) -> bool {
        self.below(cases) == 0
    }

    /// One of these.
    pub(crate) fn pick<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.place(of.len())]
    }

    /// From low to high inclusive, each power of two as likely as any other.
    pub(crate) fn magnitude(&mut self, low: u64, high: u64) -> u64 {
        let (least, most) = (low.max(1).ilog2(), high.max(1).ilog2());
        let power = least + self.below(u64::from(most - least) + 1) as u32;
        let number = (1 << power) + self.below(1 << power);
        number.clamp(low, high)
    }

    /// From 0 up to 1, in millionths.
    pub(crate) fn fraction(&mut self) -> f64 {
        self.below(1_000_001) as f64 / 1e6
    }
}
