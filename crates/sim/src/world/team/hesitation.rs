//! Drawn waits of threads, for tests: no result may hang on who comes first.

/// Waits before each exchange, or none.
pub(super) struct Hesitation(Option<u64>);

impl Hesitation {
    pub(super) fn new(seed: Option<u64>, part: usize) -> Hesitation {
        Hesitation(seed.map(|seed| seed ^ (part as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)))
    }

    #[inline]
    pub(super) fn wait(&mut self) {
        if let Some(state) = &mut self.0 {
            // Marsaglia's xorshift.
            *state ^= *state << 13;
            *state ^= *state >> 7;
            *state ^= *state << 17;
            match *state % 64 {
                0 => (0..*state >> 8 & 127).for_each(|_| std::thread::yield_now()),
                1..8 => std::thread::yield_now(),
                spins => (0..spins * 8).for_each(|_| std::hint::spin_loop()),
            }
        }
    }
}
