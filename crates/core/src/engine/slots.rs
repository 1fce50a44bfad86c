//! One ring of a timing wheel: lists in slots, and a map of those in use.

/// Base-2 logarithm of [`SLOTS`].
pub(super) const SLOTS_LOG2: u32 = 12;
/// Number of slots in a ring.
pub(super) const SLOTS: u64 = 1 << SLOTS_LOG2;
/// Marks the end of a list.
pub(super) const NONE: u32 = u32::MAX;

const WORDS: usize = SLOTS as usize / 64;

/// Lists of components by bucket. Bucket numbers grow without end; those in use at once lie within
/// [`SLOTS`] of each other, so the low bits of a bucket's number select its slot.
#[derive(Debug)]
pub(super) struct Slots {
    heads: Box<[u32; SLOTS as usize]>,
    /// Bitmap of the slots in use.
    used: [u64; WORDS],
}

impl Slots {
    pub(super) fn new() -> Slots {
        Slots {
            heads: Box::new([NONE; SLOTS as usize]),
            used: [0; WORDS],
        }
    }

    /// Puts a component at the head of a bucket's list, and returns the former head.
    #[inline]
    pub(super) fn push(&mut self, bucket: u64, id: u32) -> u32 {
        let slot = (bucket % SLOTS) as usize;
        self.used[slot / 64] |= 1 << (slot % 64);
        std::mem::replace(&mut self.heads[slot], id)
    }

    /// Removes a bucket's list, and returns its head.
    #[inline]
    pub(super) fn take(&mut self, bucket: u64) -> u32 {
        let list = self.head(bucket);
        self.clear(bucket);
        list
    }

    /// Empties a bucket.
    #[inline]
    pub(super) fn clear(&mut self, bucket: u64) {
        let slot = (bucket % SLOTS) as usize;
        self.used[slot / 64] &= !(1 << (slot % 64));
        self.heads[slot] = NONE;
    }

    /// The head of a bucket's list.
    #[inline]
    pub(super) fn head(&self, bucket: u64) -> u32 {
        self.heads[(bucket % SLOTS) as usize]
    }

    /// Replaces a bucket's list.
    pub(super) fn replace(&mut self, bucket: u64, list: u32) {
        self.clear(bucket);
        if list != NONE {
            self.push(bucket, list);
        }
    }

    /// The first bucket in use at or after `from`, all around the ring.
    pub(super) fn next_around(&self, from: u64) -> Option<u64> {
        let next_turn = (from | (SLOTS - 1)) + 1;
        self.next_before_wrap(from)
            .or_else(|| self.next_before_wrap(next_turn))
    }

    /// The first bucket in use at or after `from`, up to the ring's last slot.
    #[inline]
    pub(super) fn next_before_wrap(&self, from: u64) -> Option<u64> {
        self.next_in_word(from)
            .or_else(|| self.next_in_later_words(from))
    }

    /// The first bucket in use at or after `from`, in the same word of the map.
    #[inline]
    pub(super) fn next_in_word(&self, from: u64) -> Option<u64> {
        let slot = (from % SLOTS) as usize;
        let here = self.used[slot / 64] >> (slot % 64);
        (here != 0).then(|| from + u64::from(here.trailing_zeros()))
    }

    /// The first two buckets in use at or after `from`, in the same word of the map.
    #[inline]
    pub(super) fn next_two_in_word(&self, from: u64) -> [Option<u64>; 2] {
        let slot = (from % SLOTS) as usize;
        let here = self.used[slot / 64] >> (slot % 64);
        let place = |map: u64| from + u64::from(map.trailing_zeros());
        // Not by `map`, which is a loop where the compiler optimises for size.
        match (here, here & here.wrapping_sub(1)) {
            (0, _) => [None, None],
            (one, 0) => [Some(place(one)), None],
            (one, behind) => [Some(place(one)), Some(place(behind))],
        }
    }

    fn next_in_later_words(&self, from: u64) -> Option<u64> {
        let word = (from % SLOTS) as usize / 64;
        let later = (word + 1..WORDS).find(|later| self.used[*later] != 0)?;
        let bit = u64::from(self.used[later].trailing_zeros());
        Some(from - from % SLOTS + later as u64 * 64 + bit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_next_bucket_in_use_is_found(
            from in 0u64..20_000,
            offsets in prop::collection::btree_set(0..SLOTS, 0..20),
        ) {
            let mut slots = Slots::new();
            for offset in &offsets {
                prop_assert_eq!(slots.push(from + offset, 7), NONE);
            }
            let expected = offsets.first().map(|o| from + o);
            prop_assert_eq!(slots.next_around(from), expected);
            let [next, second] = slots.next_two_in_word(from);
            let behind = next.map(|next| next + 1).filter(|behind| behind % 64 != 0);
            prop_assert_eq!(next, slots.next_in_word(from));
            prop_assert_eq!(second, behind.and_then(|behind| slots.next_in_word(behind)));
            for offset in &offsets {
                prop_assert_eq!(slots.take(from + offset), 7);
            }
            prop_assert_eq!(slots.next_around(from), None);
        }
    }
}
