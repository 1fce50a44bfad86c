//! Kind and single-bit properties of a packet, in two bytes.

use crate::port::Ecn;

/// The kind of a packet. The values distinguish kinds in fingerprints, from the highest bit down.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    /// Data, from a flow's source to its sink.
    #[default]
    Data = 0b0000_0000,
    /// An acknowledgement, from a flow's sink to its source.
    Ack = 0b1000_0000,
    /// Created by a middlebox for another one, such as a repair packet or a report. An end ignores
    /// it.
    Auxiliary = 0b0100_0000,
}

/// All single-bit properties of a packet. In the lower byte the two highest bits are the kind, the two
/// lowest the ECN field; between them are two bits of TCP's header: ECE of acknowledgements, which
/// is PSH of data, and CWR. The upper byte tells whether a queue may cut the payload off, and whether
/// one has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags(u16);

impl Flags {
    const KIND: u16 = 0b1100_0000;
    const AGAIN: u16 = 0b0010_0000;
    const REPAIRED: u16 = 0b0001_0000;
    const ECE: u16 = 0b0000_1000;
    const PUSH: u16 = Flags::ECE;
    const CWR: u16 = 0b0000_0100;
    const ECN: u16 = 0b0000_0011;
    const TRIMMABLE: u16 = 1 << 8;
    const TRIMMED: u16 = 1 << 9;

    /// Sets whether the packet is a retransmission.
    #[inline]
    pub const fn again(self, again: bool) -> Flags {
        Flags((self.0 & !Flags::AGAIN) | (again as u16 * Flags::AGAIN))
    }

    /// Sets whether it was lost on the way and repaired by a middlebox.
    #[inline]
    pub const fn repaired(self) -> Flags {
        Flags(self.0 | Flags::REPAIRED)
    }

    /// Sets whether the data end the application's write (PSH).
    #[inline]
    pub const fn pushing(self, pushes: bool) -> Flags {
        Flags((self.0 & !Flags::PUSH) | (pushes as u16 * Flags::PUSH))
    }

    /// Sets the ECN field.
    #[inline]
    pub const fn with_ecn(self, ecn: Ecn) -> Flags {
        Flags(self.0 & !Flags::ECN | ecn as u16)
    }

    /// Sets TCP's echo of congestion (RFC 3168, section 6.1).
    #[inline]
    pub const fn with_ece(self, ece: bool) -> Flags {
        Flags((self.0 & !Flags::ECE) | (ece as u16 * Flags::ECE))
    }

    /// Sets TCP's answer that the window was reduced (RFC 3168, section 6.1).
    #[inline]
    pub const fn with_cwr(self, cwr: bool) -> Flags {
        Flags((self.0 & !Flags::CWR) | (cwr as u16 * Flags::CWR))
    }

    /// Sets whether a queue may cut the payload off: its receiver understands headers.
    #[inline]
    pub const fn with_trimmable(self, trimmable: bool) -> Flags {
        Flags((self.0 & !Flags::TRIMMABLE) | (trimmable as u16 * Flags::TRIMMABLE))
    }

    /// Notes that a queue has cut the payload off, which none does again.
    #[inline]
    pub const fn trimmed(self) -> Flags {
        Flags((self.0 & !Flags::TRIMMABLE) | Flags::TRIMMED)
    }

    /// The ECN field.
    #[inline]
    pub const fn ecn(self) -> Ecn {
        Ecn::from_bits(self.0 as u8)
    }

    /// The kind of packet.
    #[inline]
    pub const fn kind(self) -> Kind {
        match self.0 & Flags::KIND {
            0b0000_0000 => Kind::Data,
            0b0100_0000 => Kind::Auxiliary,
            _ => Kind::Ack,
        }
    }

    /// The bits of the kind, which fingerprints read.
    #[inline]
    pub const fn kind_bits(self) -> u8 {
        (self.0 & Flags::KIND) as u8
    }

    /// True for a retransmission.
    #[inline]
    pub const fn is_again(self) -> bool {
        self.0 & Flags::AGAIN != 0
    }

    /// True if the packet was lost on the way, and a middlebox has repaired it.
    #[inline]
    pub const fn is_repaired(self) -> bool {
        self.0 & Flags::REPAIRED != 0
    }

    /// True if the data end the application's write (PSH).
    #[inline]
    pub const fn is_pushing(self) -> bool {
        self.0 & Flags::PUSH != 0
    }

    /// True with TCP's echo of congestion.
    #[inline]
    pub const fn is_ece(self) -> bool {
        self.0 & Flags::ECE != 0
    }

    /// True if the window was reduced (CWR).
    #[inline]
    pub const fn is_cwr(self) -> bool {
        self.0 & Flags::CWR != 0
    }

    /// True if a queue may cut the payload off.
    #[inline]
    pub const fn is_trimmable(self) -> bool {
        self.0 & Flags::TRIMMABLE != 0
    }

    /// True for a header whose payload a queue has cut off.
    #[inline]
    pub const fn is_trimmed(self) -> bool {
        self.0 & Flags::TRIMMED != 0
    }

    /// Sets the kind of packet.
    #[inline]
    pub const fn of(self, kind: Kind) -> Flags {
        Flags((self.0 & !Flags::KIND) | kind as u16)
    }

    /// The flags as a number.
    #[inline]
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// Flags from a number.
    #[inline]
    pub const fn from_bits(bits: u16) -> Flags {
        Flags(bits)
    }
}

impl From<Kind> for Flags {
    #[inline]
    fn from(kind: Kind) -> Flags {
        Flags(kind as u16)
    }
}
