//! Reader of the blocks of pcapng.

use std::io::Read;

use super::{ByteSource, PS_PER_SECOND, Packets};
use crate::recording::{Recording, RecordingError};

/// Type of the block that begins a section.
pub(super) const SECTION: u32 = 0x0A0D_0D0A;
const BYTE_ORDER: u32 = 0x1A2B_3C4D;
const INTERFACE: u32 = 1;
const SIMPLE_PACKET: u32 = 3;
const ENHANCED_PACKET: u32 = 6;
/// Option of an interface for the unit of its times.
const IF_TSRESOL: u16 = 9;

/// An interface on which packets were captured.
#[derive(Clone, Copy)]
struct Interface {
    link_type: u32,
    ticks_per_second: u128,
}

/// Reads the rest of a file whose first number begins a section.
pub(super) fn read<R: Read>(
    mut source: ByteSource<R>,
    mut packets: Packets<'_>,
) -> Result<Recording, RecordingError> {
    let mut interfaces = Vec::new();
    let mut kind = Some(SECTION);
    while let Some(block) = kind {
        if block == SECTION {
            begin_section(&mut source)?;
            interfaces.clear();
        } else {
            let body = body(&mut source)?;
            let body = Body {
                bytes: &body,
                is_little: source.is_little,
            };
            take_block(block, body, &mut interfaces, &mut packets)?;
        }
        source.packet = packets.count + 1;
        kind = source.next_u32()?;
    }
    packets.finish()
}

/// Reads the byte order, which follows the length of the block and determines its encoding.
fn begin_section<R: Read>(source: &mut ByteSource<R>) -> Result<(), RecordingError> {
    let length = source.bytes::<4>()?;
    let order = source.bytes::<4>()?;
    source.is_little = match (u32::from_le_bytes(order), u32::from_be_bytes(order)) {
        (BYTE_ORDER, _) => true,
        (_, BYTE_ORDER) => false,
        _ => return Err(damaged(source, "a section without its byte order")),
    };
    let length = source.number(length);
    let rest = length.checked_sub(12);
    let rest = rest.ok_or_else(|| damaged(source, "a section of no length"))?;
    source.data(rest)?;
    Ok(())
}

/// The body of a block, whose type has been read.
fn body<R: Read>(source: &mut ByteSource<R>) -> Result<Vec<u8>, RecordingError> {
    let length = source.u32()?;
    let inner = length.checked_sub(12).filter(|_| length % 4 == 0);
    let inner = inner.ok_or_else(|| damaged(source, "a block of an odd length"))?;
    let body = source.data(inner)?;
    if source.u32()? == length {
        Ok(body)
    } else {
        Err(damaged(source, "a block whose two lengths differ"))
    }
}

fn damaged<R: Read>(source: &ByteSource<R>, what: &str) -> RecordingError {
    let message = format!("the file is damaged: {what} before byte {}", source.at);
    RecordingError::at("packet", source.packet, message)
}

/// The body of a block, from which numbers are read.
#[derive(Clone, Copy)]
struct Body<'b> {
    bytes: &'b [u8],
    is_little: bool,
}

impl<'b> Body<'b> {
    fn u16(self, at: usize) -> Option<u16> {
        let bytes = *self.bytes.get(at..)?.first_chunk()?;
        Some(if self.is_little {
            u16::from_le_bytes(bytes)
        } else {
            u16::from_be_bytes(bytes)
        })
    }

    fn u32(self, at: usize) -> Option<u32> {
        let bytes = *self.bytes.get(at..)?.first_chunk()?;
        Some(if self.is_little {
            u32::from_le_bytes(bytes)
        } else {
            u32::from_be_bytes(bytes)
        })
    }

    /// An option that follows the fixed part of the block.
    fn option(self, mut at: usize, wanted: u16) -> Option<&'b [u8]> {
        loop {
            let (code, length) = (self.u16(at)?, usize::from(self.u16(at + 2)?));
            if code == wanted {
                return self.bytes.get(at + 4..at + 4 + length);
            }
            at += 4 + length.next_multiple_of(4);
        }
    }
}

fn take_block(
    kind: u32,
    body: Body<'_>,
    interfaces: &mut Vec<Interface>,
    packets: &mut Packets<'_>,
) -> Result<(), RecordingError> {
    let number = packets.count + 1;
    let wrong = |message: &str| RecordingError::at("packet", number, message);
    match kind {
        INTERFACE => {
            let link_type = body
                .u16(0)
                .ok_or_else(|| wrong("its interface has no type"))?;
            interfaces.push(Interface {
                link_type: link_type.into(),
                ticks_per_second: resolution(body),
            });
            Ok(())
        }
        ENHANCED_PACKET => {
            let fields = || Some([0, 4, 8, 12, 16].map(|at| body.u32(at)));
            let [
                Some(interface),
                Some(high),
                Some(low),
                Some(captured),
                Some(size),
            ] = fields().expect("five fields")
            else {
                return Err(wrong("its block is too short"));
            };
            let interface = interfaces.get(interface as usize);
            let interface = interface.ok_or_else(|| wrong("its interface is not described"))?;
            let data = body.bytes.get(20..20 + captured as usize);
            let data = data.ok_or_else(|| wrong("its block is shorter than the packet"))?;
            let ticks = u128::from(u64::from(high) << 32 | u64::from(low));
            let ps = ticks * PS_PER_SECOND / interface.ticks_per_second;
            packets.add(ps, size, interface.link_type, data)
        }
        SIMPLE_PACKET => Err(wrong(
            "it is a simple packet block, which has no time: accepted are enhanced ones",
        )),
        _ => Ok(()),
    }
}

/// Ticks per second: a power of ten, or of two if the highest bit is set; a million by default.
fn resolution(interface: Body<'_>) -> u128 {
    match interface.option(8, IF_TSRESOL) {
        Some([power, ..]) if power & 0x80 != 0 => 1 << (power & 0x7F).min(63),
        Some([power, ..]) => 10_u128.pow(u32::from(*power).min(18)),
        _ => 1_000_000,
    }
}
