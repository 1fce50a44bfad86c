//! The data that a transfer still has, as stated in a packet.

/// The data of a transfer from one of its packets on, in cells of 64 bytes rounded up. Packets of
/// the default state nothing. Three bytes, which packets have to spare.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Remaining([u8; 3]);

impl Remaining {
    /// Bytes of a cell.
    pub const CELL: u64 = 64;
    /// The most cells that are told apart, a gigabyte.
    pub const MOST: u32 = (1 << 24) - 1;

    /// States this number of bytes: one cell at least, and a gigabyte for anything beyond.
    #[inline]
    pub fn of_bytes(bytes: u64) -> Remaining {
        let cells = bytes.div_ceil(Remaining::CELL).max(1);
        let cells = u32::try_from(cells).unwrap_or(u32::MAX);
        let [low, middle, high, _] = cells.min(Remaining::MOST).to_le_bytes();
        Remaining([low, middle, high])
    }

    /// The cells stated, if any are.
    #[inline]
    pub fn cells(self) -> Option<u32> {
        let [low, middle, high] = self.0;
        let cells = u32::from_le_bytes([low, middle, high, 0]);
        (cells > 0).then_some(cells)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_round_up_to_cells_and_stop_at_a_gigabyte() {
        let cells = |bytes| Remaining::of_bytes(bytes).cells();
        assert_eq!([0, 1, 64, 65].map(cells), [1, 1, 1, 2].map(Some));
        assert_eq!(cells(1_500_000), Some(23_438));
        assert_eq!(cells(u64::MAX), Some(Remaining::MOST));
        assert_eq!(Remaining::default().cells(), None);
    }
}
