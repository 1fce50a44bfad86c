//! The minimum or maximum of a sliding window, in constant memory (Nichols).

/// A value, and the time at which it was seen.
#[derive(Clone, Copy, Debug)]
struct Seen {
    at: u64,
    value: u64,
}

/// The best value of the last `length` units of time, from the best of three sub-windows: the
/// minimum, or the maximum.
#[derive(Clone, Copy, Debug)]
pub struct Windowed<const LEAST: bool> {
    best: [Seen; 3],
}

/// A filter that keeps the minimum of a window.
pub type Least = Windowed<true>;
/// A filter that keeps the maximum of a window.
pub type Greatest = Windowed<false>;

impl<const LEAST: bool> Windowed<LEAST> {
    /// A filter with an initial `value`.
    pub fn new(value: u64) -> Windowed<LEAST> {
        Windowed {
            best: [Seen { at: 0, value }; 3],
        }
    }

    /// The best value in the window.
    #[inline]
    pub fn get(&self) -> u64 {
        self.best[0].value
    }

    /// Forgets all but this value.
    #[inline]
    pub fn reset(&mut self, at: u64, value: u64) {
        self.best = [Seen { at, value }; 3];
    }

    #[inline]
    fn is_as_good(value: u64, than: u64) -> bool {
        if LEAST { value <= than } else { value >= than }
    }

    /// Adds a value, and returns the best in the window.
    #[inline]
    pub fn update(&mut self, length: u64, at: u64, value: u64) -> u64 {
        let [first, second, third] = &self.best;
        if Self::is_as_good(value, first.value) || at - third.at > length {
            self.reset(at, value);
            return value;
        }
        if Self::is_as_good(value, second.value) {
            self.best[1..].fill(Seen { at, value });
        } else if Self::is_as_good(value, third.value) {
            self.best[2] = Seen { at, value };
        }
        // No sub-window can expire before a quarter of the window has passed.
        if at - self.best[0].at > length / 4 {
            self.age(length, Seen { at, value });
        }
        self.get()
    }

    /// Removes an expired best value, and refills the others from later parts.
    fn age(&mut self, length: u64, newest: Seen) {
        let Seen { at, .. } = newest;
        let [first, second, third] = self.best;
        let age = at - first.at;
        if age > length {
            self.best = [second, third, newest];
            if at - self.best[0].at > length {
                self.best = [third, newest, newest];
            }
        } else if second.at == first.at && age > length / 4 {
            self.best[1..].fill(newest);
        } else if third.at == second.at && age > length / 2 {
            self.best[2] = newest;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_least_value_is_kept_for_the_length_of_the_window() {
        let mut least = Least::new(u64::MAX);
        assert_eq!(least.update(100, 1, 40), 40);
        assert_eq!(least.update(100, 30, 50), 40);
        assert_eq!(least.update(100, 60, 45), 40);
        assert_eq!(least.update(100, 102, 60), 45);
        assert_eq!(least.update(100, 103, 30), 30);
    }

    proptest! {
        /// Never better than the best of the window, never worse than the best of its last quarter.
        #[test]
        fn the_greatest_is_within_the_window(values in prop::collection::vec((1..40u64, 0..1000u64), 1..200)) {
            let (mut filter, mut seen, mut at) = (Greatest::new(0), Vec::new(), 0);
            for (gap, value) in values {
                at += gap;
                seen.push((at, value));
                let got = filter.update(100, at, value);
                let best = |age: u64| seen.iter().filter(|s| at - s.0 <= age).map(|s| s.1).max().unwrap_or(0);
                prop_assert!(got <= best(100), "{got} of {seen:?}");
                prop_assert!(got >= value, "{got} of {seen:?}");
            }
        }
    }
}
