//! The data that a transfer still has, as stated in a packet.

/// The bytes of a transfer from one of its packets on, to a two-thousandth: exact below 4 KB, and
/// rounded down beyond. Packets of the default state nothing. Two bytes, which packets have to spare.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Remaining(u16);

/// Bits of a number behind its first one.
const FRACTION: u32 = 11;
/// The largest power of two by which numbers are rounded.
const LARGEST: u32 = (1 << (16 - FRACTION)) - 2;

impl Remaining {
    /// States this number of bytes: one at least, and 4 TB for anything beyond.
    #[inline]
    pub fn of_bytes(bytes: u64) -> Remaining {
        let bytes = bytes.max(1);
        let shift = bytes.ilog2().saturating_sub(FRACTION).min(LARGEST);
        let rounded = (bytes >> shift).min((1 << (FRACTION + 1)) - 1);
        Remaining(((shift << FRACTION) + rounded as u32) as u16)
    }

    /// The bytes stated, if any are.
    #[inline]
    pub fn bytes(self) -> Option<u64> {
        let code = u64::from(self.0);
        let shift = (code >> FRACTION).saturating_sub(1);
        let bytes = (code - (shift << FRACTION)) << shift;
        (bytes > 0).then_some(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_exact_below_4_kb_and_keep_their_order() {
        let stated = |bytes| Remaining::of_bytes(bytes).bytes();
        assert_eq!(
            [0, 1, 2047, 2048, 4095].map(stated),
            [1, 1, 2047, 2048, 4095].map(Some)
        );
        let mut before = 0;
        for bytes in (0..42).flat_map(|power| [0, 1, 2, 3].map(|quarter| (4 + quarter) << power)) {
            let bytes = bytes / 4;
            let found = stated(bytes).expect("it states them");
            assert!(
                found >= before && found <= bytes.max(1),
                "{found} for {bytes}"
            );
            assert!(
                bytes - found.min(bytes) <= bytes / 2048,
                "{found} for {bytes}"
            );
            before = found;
        }
        assert_eq!(stated(u64::MAX), Some(4095 << 30));
        assert_eq!(Remaining::default().bytes(), None);
    }
}
