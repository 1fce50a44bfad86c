//! A recorded arrival of a packet.

use pacesim_tape::Record;
use pacesim_units::{Bytes, Span};

/// One recorded arrival.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrival {
    /// Time of arrival, from the flow's start.
    pub at: Span,
    /// Size of the packet.
    pub size: Bytes,
}

impl Record for Arrival {
    const BYTES: usize = 16;

    fn write(self, bytes: &mut Vec<u8>) {
        bytes.extend(self.at.as_ps().to_le_bytes());
        bytes.extend(self.size.get().to_le_bytes());
    }

    fn read(bytes: &[u8]) -> Arrival {
        let (at, size) = bytes.split_at(8);
        let number = |bytes: &[u8]| u64::from_le_bytes(bytes.try_into().expect("eight bytes"));
        Arrival {
            at: Span::from_ps(number(at)),
            size: Bytes(number(size)),
        }
    }
}
