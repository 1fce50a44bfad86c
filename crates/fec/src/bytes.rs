//! Symbols made of the bytes of real packets, and the wire format of headers and repair packets.

use thiserror::Error;

use crate::symbol::{Cover, Place, Symbol};

/// The XOR of packets, headers and payloads alike. Shorter packets count as padded with zeros.
/// Lengths are XORed as well, so that a repaired packet regains its own length.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    length: u32,
    /// XOR of the bytes of packets, at least as long as the longest of them, padded with zeros.
    bytes: Vec<u8>,
}

/// The reason why received bytes are malformed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Broken {
    /// The header is cut short.
    #[error("{found} bytes, but the header alone has {needed}")]
    Short {
        /// Number of bytes present.
        found: usize,
        /// Number of bytes of the header.
        needed: usize,
    },
    /// A repaired packet is longer than all packets in the repair.
    #[error("a packet of {length} bytes cannot come out of {room}")]
    Length {
        /// Length of the repaired packet, as decoded.
        length: u32,
        /// Number of bytes present in the repair packet.
        room: usize,
    },
}

impl Frame {
    /// The frame of a single packet.
    pub fn of(packet: &[u8]) -> Frame {
        Frame {
            length: u32::try_from(packet.len()).expect("a packet has less than 4 GB"),
            bytes: packet.to_vec(),
        }
    }

    /// The packet of a frame that contains only one.
    pub fn packet(&self) -> Result<&[u8], Broken> {
        let broken = Broken::Length {
            length: self.length,
            room: self.bytes.len(),
        };
        self.bytes.get(..self.length as usize).ok_or(broken)
    }

    /// The frame as written in a repair packet: the XOR of lengths, then the XOR of bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.length.to_be_bytes().to_vec();
        bytes.extend(&self.bytes);
        bytes
    }

    /// Reads the output of [`Frame::to_bytes`]; more zeros at the end do no harm.
    pub fn from_bytes(bytes: &[u8]) -> Result<Frame, Broken> {
        let (length, bytes) = split::<4>(bytes)?;
        Ok(Frame {
            length: u32::from_be_bytes(length),
            bytes: bytes.to_vec(),
        })
    }
}

/// Frames are compared without the zeros at their ends.
impl PartialEq for Frame {
    fn eq(&self, other: &Frame) -> bool {
        let shared = self.bytes.len().min(other.bytes.len());
        let (mine, my_rest) = self.bytes.split_at(shared);
        let (theirs, their_rest) = other.bytes.split_at(shared);
        let is_padding = |rest: &[u8]| rest.iter().all(|byte| *byte == 0);
        self.length == other.length
            && mine == theirs
            && is_padding(my_rest)
            && is_padding(their_rest)
    }
}

impl Eq for Frame {}

impl Symbol for Frame {
    fn xor(&mut self, other: &Frame) {
        self.length ^= other.length;
        if self.bytes.len() < other.bytes.len() {
            self.bytes.resize(other.bytes.len(), 0);
        }
        let pairs = self.bytes.iter_mut().zip(&other.bytes);
        pairs.for_each(|(mine, theirs)| *mine ^= theirs);
    }
}

impl Place {
    /// Encodes the header of a data packet.
    pub fn to_bytes(self) -> [u8; 6] {
        header(self.block, self.index)
    }

    /// Strips the header of a data packet; the packet follows.
    pub fn from_bytes(bytes: &[u8]) -> Result<(Place, &[u8]), Broken> {
        let (block, index, rest) = read_header(bytes)?;
        Ok((Place { block, index }, rest))
    }
}

impl Cover {
    /// Encodes the header of a repair packet.
    pub fn to_bytes(self) -> [u8; 6] {
        header(self.block, self.count)
    }

    /// Strips the header of a repair packet; its [`Frame`] follows.
    pub fn from_bytes(bytes: &[u8]) -> Result<(Cover, &[u8]), Broken> {
        let (block, count, rest) = read_header(bytes)?;
        Ok((Cover { block, count }, rest))
    }
}

fn header(block: u32, number: u16) -> [u8; 6] {
    let [a, b, c, d] = block.to_be_bytes();
    let [e, f] = number.to_be_bytes();
    [a, b, c, d, e, f]
}

fn read_header(bytes: &[u8]) -> Result<(u32, u16, &[u8]), Broken> {
    let ([a, b, c, d, e, f], rest) = split::<6>(bytes)?;
    let (block, number) = ([a, b, c, d], [e, f]);
    Ok((u32::from_be_bytes(block), u16::from_be_bytes(number), rest))
}

fn split<const N: usize>(bytes: &[u8]) -> Result<([u8; N], &[u8]), Broken> {
    let found = bytes.len();
    let head = bytes.split_first_chunk::<N>();
    let (head, rest) = head.ok_or(Broken::Short { found, needed: N })?;
    Ok((*head, rest))
}
