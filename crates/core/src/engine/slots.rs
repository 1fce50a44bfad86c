//! One ring of a timing wheel: lists in slots, and a map of those in use.

/// The logarithm of [`SLOTS`].
pub(super) const SLOTS_LOG2: u32 = 12;
/// Slots in a ring.
pub(super) const SLOTS: u64 = 1 << SLOTS_LOG2;
/// The end of a list.
pub(super) const NONE: u32 = u32::MAX;

/// Lists of components by bucket. Buckets count up for ever; those in use at once lie
/// within [`SLOTS`] of each other, so a bucket's slot is its number's last bits.
#[derive(Debug)]
pub(super) struct Slots {
    heads: Box<[u32; SLOTS as usize]>,
    /// A bit for each slot in use.
    used: [u64; SLOTS as usize / 64],
    /// A bit for each word of `used` that is not zero.
    words: u64,
}

impl Slots {
    pub(super) fn new() -> Slots {
        Slots {
            heads: Box::new([NONE; SLOTS as usize]),
            used: [0; SLOTS as usize / 64],
            words: 0,
        }
    }

    /// Puts a component at the head of a bucket's list; says what follows it.
    #[inline]
    pub(super) fn push(&mut self, bucket: u64, id: u32) -> u32 {
        let slot = (bucket % SLOTS) as usize;
        self.used[slot / 64] |= 1 << (slot % 64);
        self.words |= 1 << (slot / 64);
        std::mem::replace(&mut self.heads[slot], id)
    }

    /// Takes a bucket's list.
    #[inline]
    pub(super) fn take(&mut self, bucket: u64) -> u32 {
        let slot = (bucket % SLOTS) as usize;
        let word = &mut self.used[slot / 64];
        *word &= !(1 << (slot % 64));
        self.words &= !(u64::from(*word == 0) << (slot / 64));
        std::mem::replace(&mut self.heads[slot], NONE)
    }

    /// Puts a list into an empty bucket.
    pub(super) fn put(&mut self, bucket: u64, list: u32) {
        if list != NONE {
            self.push(bucket, list);
        }
    }

    /// Whether any bucket is in use.
    #[inline]
    pub(super) fn any(&self) -> bool {
        self.words != 0
    }

    /// The first bucket in use from `from` on, all around the ring.
    pub(super) fn next_around(&self, from: u64) -> Option<u64> {
        let slot = (from % SLOTS) as usize;
        let found = self.first_slot(slot).or_else(|| self.first_slot(0))?;
        Some(from + ((found as u64).wrapping_sub(from) % SLOTS))
    }

    /// The first slot in use at or behind `slot`, without going around.
    #[inline]
    pub(super) fn first_slot(&self, slot: usize) -> Option<usize> {
        let here = self.used[slot / 64] & (u64::MAX << (slot % 64));
        if here != 0 {
            return Some(slot / 64 * 64 + here.trailing_zeros() as usize);
        }
        let later = self.words & (u64::MAX - 1).checked_shl(slot as u32 / 64).unwrap_or(0);
        if later == 0 {
            return None;
        }
        let word = later.trailing_zeros() as usize;
        Some(word * 64 + self.used[word].trailing_zeros() as usize)
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
            for offset in &offsets {
                prop_assert_eq!(slots.take(from + offset), 7);
            }
            prop_assert!(!slots.any());
        }
    }
}
