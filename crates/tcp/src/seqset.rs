//! A set of sequence numbers within a moving window: a ring of bits.
//!
//! Memory is one bit per number between the lowest that may still come and
//! the highest member, rounded up to a power of two; an empty set that was
//! never used owns nothing. All members lie in `[base, end)`.

/// Number of bits in a word of the ring.
const WORD: u32 = u64::BITS;

/// A set of sequence numbers at or above a base that only moves up.
#[derive(Clone, Debug, Default)]
pub(crate) struct SeqSet {
    /// A power of two of words, or none; number `s` is bit `s % 64` of word `s / 64` modulo their
    /// count.
    words: Vec<u64>,
    /// Lower bound on the members.
    base: u32,
    /// One past the highest member; the base if there is none.
    end: u32,
    len: u32,
}

impl SeqSet {
    /// The number of members.
    pub(crate) fn len(&self) -> u32 {
        self.len
    }

    /// True if there is no member.
    pub(crate) fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// One past the highest member; the base if there is none.
    pub(crate) fn end(&self) -> u32 {
        self.end
    }

    /// True if `seq` is a member.
    pub(crate) fn contains(&self, seq: u32) -> bool {
        seq >= self.base && seq < self.end && self.words[self.slot(seq)] & bit(seq) != 0
    }

    /// Adds the part of `[lo, hi)` at or above the base; returns the number of new members.
    pub(crate) fn insert(&mut self, lo: u32, hi: u32) -> u32 {
        let lo = lo.max(self.base);
        if lo >= hi {
            return 0;
        }
        self.reserve(hi);
        let mut new = 0;
        for (word, mask) in pieces(lo, hi) {
            let slot = self.slot(word * WORD);
            new += (mask & !self.words[slot]).count_ones();
            self.words[slot] |= mask;
        }
        self.end = self.end.max(hi);
        self.len += new;
        new
    }

    /// Moves the base up to `base`, removing members below.
    pub(crate) fn remove_below(&mut self, base: u32) {
        if base <= self.base {
            return;
        }
        for (word, mask) in pieces(self.base, base.min(self.end)) {
            let slot = self.slot(word * WORD);
            self.len -= (mask & self.words[slot]).count_ones();
            self.words[slot] &= !mask;
        }
        self.base = base;
        self.end = self.end.max(base);
    }

    /// Removes all members and moves the base to `base`, up or down.
    pub(crate) fn clear(&mut self, base: u32) {
        self.remove_below(self.end);
        self.base = base;
        self.end = base;
    }

    /// The number of members in `[lo, hi)`.
    pub(crate) fn count(&self, lo: u32, hi: u32) -> u32 {
        pieces(lo.max(self.base), hi.min(self.end))
            .map(|(word, mask)| (mask & self.words[self.slot(word * WORD)]).count_ones())
            .sum()
    }

    /// The lowest number from `from` on that is not a member.
    pub(crate) fn next_missing(&self, from: u32) -> u32 {
        for (word, mask) in pieces(from.max(self.base), self.end) {
            let missing = mask & !self.words[self.slot(word * WORD)];
            if missing != 0 {
                return word * WORD + missing.trailing_zeros();
            }
        }
        from.max(self.end)
    }

    /// The lowest number of the unbroken run of members that ends with `seq`.
    pub(crate) fn run_start(&self, seq: u32) -> u32 {
        let mut start = seq;
        while start > self.base {
            let below = start - 1;
            let ones_down = !(self.words[self.slot(below)] << (WORD - 1 - below % WORD));
            let run = ones_down.leading_zeros().min(start - self.base);
            start -= run;
            if run == 0 || !start.is_multiple_of(WORD) {
                break;
            }
        }
        start
    }

    /// The `n`th member from the top, counting from one.
    pub(crate) fn nth_from_top(&self, n: u32) -> Option<u32> {
        if self.len < n || n == 0 {
            return None;
        }
        let mut left = n;
        let mut word = (self.end - 1) / WORD;
        loop {
            let mut bits =
                self.words[self.slot(word * WORD)] & word_mask(word, self.base, self.end);
            while bits != 0 {
                let top = WORD - 1 - bits.leading_zeros();
                left -= 1;
                if left == 0 {
                    return Some(word * WORD + top);
                }
                bits &= !(1 << top);
            }
            word = word.checked_sub(1).expect("as many members as counted");
        }
    }

    fn slot(&self, seq: u32) -> usize {
        (seq / WORD) as usize & (self.words.len() - 1)
    }

    /// Makes room for members below `hi`: no two words of the window may share a slot.
    fn reserve(&mut self, hi: u32) {
        let needed = (hi / WORD - self.base / WORD + 1) as usize;
        if needed <= self.words.len() {
            return;
        }
        let old = std::mem::take(self);
        self.words = vec![0; needed.next_power_of_two()];
        for (word, mask) in pieces(old.base, old.end) {
            let slot = self.slot(word * WORD);
            self.words[slot] |= mask & old.words[old.slot(word * WORD)];
        }
        (self.base, self.end, self.len) = (old.base, old.end, old.len);
    }
}

fn bit(seq: u32) -> u64 {
    1 << (seq % WORD)
}

/// The words that `[lo, hi)` touches, with the bits in each.
fn pieces(lo: u32, hi: u32) -> impl Iterator<Item = (u32, u64)> {
    let words = if lo < hi {
        lo / WORD..(hi - 1) / WORD + 1
    } else {
        0..0
    };
    words.map(move |word| (word, word_mask(word, lo, hi)))
}

/// The bits of `[lo, hi)` in a word that it touches.
fn word_mask(word: u32, lo: u32, hi: u32) -> u64 {
    let first = word * WORD;
    let from = lo.saturating_sub(first).min(WORD - 1);
    let to = (hi - first).min(WORD);
    (u64::MAX << from) & (u64::MAX >> (WORD - to))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    #[derive(Clone, Debug)]
    enum Op {
        Insert(u32, u32),
        RemoveBelow(u32),
        Clear(u32),
    }

    fn op() -> impl Strategy<Value = Op> {
        prop_oneof![
            8 => (0..900u32, 0..80u32).prop_map(|(lo, n)| Op::Insert(lo, lo + n)),
            3 => (0..700u32).prop_map(Op::RemoveBelow),
            1 => (0..300u32).prop_map(Op::Clear),
        ]
    }

    fn run_start(model: &BTreeSet<u32>, seq: u32) -> u32 {
        (0..=seq)
            .rev()
            .take_while(|s| model.contains(s))
            .last()
            .unwrap_or(seq)
    }

    fn agree(set: &SeqSet, model: &BTreeSet<u32>, base: u32) -> Result<(), TestCaseError> {
        prop_assert_eq!(set.len() as usize, model.len());
        prop_assert_eq!(set.is_empty(), model.is_empty());
        if let Some(top) = model.last() {
            prop_assert_eq!(set.end(), top + 1);
        }
        for n in 1..5 {
            prop_assert_eq!(
                set.nth_from_top(n),
                model.iter().rev().nth(n as usize - 1).copied()
            );
        }
        for s in (0..1000).step_by(7).chain(model.iter().copied()) {
            prop_assert_eq!(set.contains(s), model.contains(&s));
            let missing = (s.max(base)..).find(|q| !model.contains(q));
            prop_assert_eq!(Some(set.next_missing(s).max(base)), missing);
            prop_assert_eq!(
                set.count(s, s + 100) as usize,
                model.range(s..s + 100).count()
            );
            if model.contains(&s) {
                prop_assert_eq!(set.run_start(s), run_start(model, s));
            }
        }
        Ok(())
    }

    proptest! {
        #[test]
        fn it_is_a_set(ops in prop::collection::vec(op(), 1..40)) {
            let (mut set, mut model, mut base) = (SeqSet::default(), BTreeSet::new(), 0);
            for op in ops {
                match op {
                    Op::Insert(lo, hi) => {
                        let before = model.len();
                        model.extend(lo.max(base)..hi);
                        prop_assert_eq!(set.insert(lo, hi) as usize, model.len() - before);
                    }
                    Op::RemoveBelow(s) => {
                        base = base.max(s);
                        model.retain(|q| *q >= base);
                        set.remove_below(s);
                    }
                    Op::Clear(s) => {
                        base = s;
                        model.clear();
                        set.clear(s);
                    }
                }
                agree(&set, &model, base)?;
            }
        }
    }

    #[test]
    fn memory_follows_the_window_not_the_sequence_number() {
        let mut set = SeqSet::default();
        assert_eq!(set.words.capacity(), 0);
        for base in (0..1_000_000).step_by(50) {
            set.remove_below(base);
            set.insert(base + 1, base + 100);
        }
        assert!(set.words.len() <= 4, "{} words", set.words.len());
    }
}
