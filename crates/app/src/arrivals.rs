//! Numbers of packets that have arrived, for ends that number each packet once.

/// The numbers that are remembered one by one: the greatest, and those below it.
const WINDOW: u32 = 1024;

/// Packets that have arrived, numbered from 1 by their sender. It saves an end of one's own the
/// memory of single numbers: duplicates are known, and so is the count of those missing.
#[derive(Clone, Debug)]
pub struct Arrivals {
    /// One bit for each number of the window, by its remainder.
    seen: [u64; (WINDOW / 64) as usize],
    greatest: u32,
    count: u32,
}

impl Default for Arrivals {
    fn default() -> Arrivals {
        Arrivals {
            seen: [0; (WINDOW / 64) as usize],
            greatest: 0,
            count: 0,
        }
    }
}

impl Arrivals {
    /// A packet has arrived; false if it had arrived before. A packet more than a thousand numbers
    /// behind the greatest counts as one that had.
    pub fn add(&mut self, number: u32) -> bool {
        if number > self.greatest {
            let skipped = self.greatest.max(number.saturating_sub(WINDOW)) + 1;
            (skipped..=number).for_each(|later| self.clear(later));
            self.greatest = number;
        }
        let is_known = number == 0 || self.greatest - number >= WINDOW;
        let (word, bit) = place(number);
        if is_known || self.seen[word] & bit != 0 {
            return false;
        }
        self.seen[word] |= bit;
        self.count += 1;
        true
    }

    /// The greatest number that has arrived; 0 before the first.
    pub fn greatest(&self) -> u32 {
        self.greatest
    }

    /// The number of packets that have arrived.
    pub fn count(&self) -> u64 {
        u64::from(self.count)
    }

    /// The number of packets before the greatest that have not arrived, and may be under way.
    pub fn missing(&self) -> u64 {
        u64::from(self.greatest - self.count)
    }

    fn clear(&mut self, number: u32) {
        let (word, bit) = place(number);
        self.seen[word] &= !bit;
    }
}

fn place(number: u32) -> (usize, u64) {
    let place = number % WINDOW;
    ((place / 64) as usize, 1 << (place % 64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_number_counts_once_and_gaps_are_missing() {
        let mut arrivals = Arrivals::default();
        let new: Vec<bool> = [1, 2, 2, 5, 4, 5, 1, 0].map(|n| arrivals.add(n)).to_vec();
        assert_eq!(new, [true, true, false, true, true, false, false, false]);
        assert_eq!((arrivals.count(), arrivals.missing()), (4, 1));
        assert_eq!(arrivals.greatest(), 5);
        assert!(arrivals.add(5 + 2 * WINDOW), "a gap beyond the window");
        assert!(
            !arrivals.add(5 + WINDOW),
            "too old to be told from a duplicate"
        );
        assert!(arrivals.add(6 + WINDOW), "the oldest of the window");
        assert!(!arrivals.add(6 + WINDOW));
    }

    /// Numbers in any order, against a set.
    #[test]
    fn it_agrees_with_a_set_of_all_numbers() {
        let (mut arrivals, mut all) = (Arrivals::default(), std::collections::BTreeSet::new());
        let mut state = 1_u32;
        for step in 0..20_000 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let number = step / 3 + 1 + (state >> 24);
            let greatest = all.last().copied().unwrap_or(0).max(number);
            let is_new = all.insert(number);
            assert!(greatest - number < WINDOW, "the trial stays in the window");
            assert_eq!(arrivals.add(number), is_new, "{number}");
        }
        assert_eq!(arrivals.count(), all.len() as u64);
        let greatest = *all.last().expect("some");
        assert_eq!(arrivals.greatest(), greatest);
        assert_eq!(arrivals.missing(), u64::from(greatest) - all.len() as u64);
    }
}
