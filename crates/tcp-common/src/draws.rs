//! Random choices of a congestion control: a stream seeded for it alone.

use std::collections::VecDeque;

/// A stream of choices, preceded by planned ones.
#[derive(Clone, Debug, Default)]
pub struct Draws {
    state: u64,
    /// Planned choices, which come first.
    planned: VecDeque<(u32, u32)>,
    made: u32,
}

impl Draws {
    /// Starts the stream of a seed.
    pub fn seed(&mut self, seed: u64) {
        self.state = seed;
    }

    /// Plans choices, each as a fraction, in 1/`of`, of the possible ones.
    pub fn plan(&mut self, choices: &[u32], of: u32) {
        self.planned = choices.iter().map(|choice| (*choice, of)).collect();
    }

    /// Number of choices made so far.
    pub fn made(&self) -> u32 {
        self.made
    }

    /// Draws a number below `limit`.
    pub fn below(&mut self, limit: u32) -> u32 {
        self.made += 1;
        let drawn = self.next();
        match self.planned.pop_front() {
            Some((choice, of)) => {
                let part = u64::from(choice) * u64::from(limit) / u64::from(of);
                (part as u32).min(limit - 1)
            }
            None => ((u128::from(drawn) * u128::from(limit)) >> 64) as u32,
        }
    }

    /// The next output of SplitMix64 (Steele, Lea, Flood 2014).
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.state ^ (self.state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_are_even_repeat_with_the_seed_and_follow_a_plan_first() {
        let draw = |seed: u64, plan: &[u32]| {
            let mut draws = Draws::default();
            draws.seed(seed);
            draws.plan(plan, 7);
            (0..7000).map(|_| draws.below(7)).collect::<Vec<_>>()
        };
        let first = draw(1, &[]);
        for choice in 0..7 {
            let count = first.iter().filter(|drawn| **drawn == choice).count();
            assert!((900..1100).contains(&count), "{choice} {count} times");
        }
        assert_eq!(first, draw(1, &[]));
        assert_ne!(first, draw(2, &[]));
        assert_eq!(draw(1, &[5, 9])[..3], [5, 6, first[2]]);
    }
}
