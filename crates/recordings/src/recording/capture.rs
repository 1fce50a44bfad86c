//! Recordings from packet captures: pcap (the format of libpcap) or pcapng
//! (draft-ietf-opsawg-pcapng), with one packet in memory at a time.

mod conversation;
mod pcapng;

use std::io::{self, Read};

use pacesim_units::Span;

use super::{Recording, RecordingError, Rows};
use conversation::Conversations;

/// The largest packet; a larger one is considered damage.
const LARGEST: u32 = 64 << 20;

/// Times of pcap are in micro- or nanoseconds, according to the first number of the file.
const MICROSECONDS: u32 = 0xA1B2_C3D4;
const NANOSECONDS: u32 = 0xA1B2_3C4D;

const PS_PER_SECOND: u128 = 1_000_000_000_000;

/// Reads a capture of either format.
pub(super) fn read(stream: impl Read, rows: Rows<'_>) -> Result<Recording, RecordingError> {
    let mut source = ByteSource::new(stream);
    let first = source.bytes::<4>()?;
    let (little, big) = (u32::from_le_bytes(first), u32::from_be_bytes(first));
    match [little, big] {
        [pcapng::SECTION, _] => pcapng::read(source, Packets::of(rows)),
        [MICROSECONDS | NANOSECONDS, _] => pcap(source, true, little, Packets::of(rows)),
        [_, MICROSECONDS | NANOSECONDS] => pcap(source, false, big, Packets::of(rows)),
        _ => Err(RecordingError::whole(
            "this is neither a pcap nor a pcapng file: its first four bytes are those of none",
        )),
    }
}

fn pcap<R: Read>(
    mut source: ByteSource<R>,
    is_little: bool,
    magic: u32,
    mut packets: Packets<'_>,
) -> Result<Recording, RecordingError> {
    source.is_little = is_little;
    let per_second = match magic {
        MICROSECONDS => 1_000_000,
        _ => 1_000_000_000,
    };
    source.bytes::<16>()?;
    let link_type = source.u32()? & 0x0FFF_FFFF;
    while let Some(seconds) = source.next_u32()? {
        let fraction = source.u32()?;
        let [captured, size] = [source.u32()?, source.u32()?];
        let data = source.data(captured)?;
        let ticks = u128::from(seconds) * per_second + u128::from(fraction);
        packets.add(ticks * (PS_PER_SECOND / per_second), size, link_type, &data)?;
        source.packet += 1;
    }
    packets.finish()
}

/// The packets of a capture read so far.
struct Packets<'s> {
    rows: Rows<'s>,
    conversations: Conversations,
    start_ps: Option<u128>,
    count: usize,
}

impl<'s> Packets<'s> {
    fn of(rows: Rows<'s>) -> Packets<'s> {
        Packets {
            rows,
            conversations: Conversations::default(),
            start_ps: None,
            count: 0,
        }
    }

    /// Adds a packet of this many bytes on the wire; `data` is its captured part.
    fn add(
        &mut self,
        ps: u128,
        size: u32,
        link_type: u32,
        data: &[u8],
    ) -> Result<(), RecordingError> {
        self.count += 1;
        let place = |message: String| RecordingError::at("packet", self.count, message);
        let start = *self.start_ps.get_or_insert(ps);
        let since = ps.checked_sub(start).ok_or_else(|| {
            place("its time is before that of the first: sort the file, as reordercap does".into())
        })?;
        let since = u64::try_from(since)
            .map_err(|_| place("it is more than 213 days after the first".into()))?;
        let conversation = self.conversations.number(link_type, data);
        let added = self.rows.add(Span::from_ps(since), size.into(), None);
        added.map_err(place)?;
        self.rows.of_conversation(conversation).map_err(place)
    }

    fn finish(self) -> Result<Recording, RecordingError> {
        match self.count {
            0 => Err(RecordingError::whole("it is a capture without a packet")),
            _ => self.rows.finish(),
        }
    }
}

/// A stream of bytes and numbers, which reports a premature end with its place.
struct ByteSource<R> {
    stream: R,
    is_little: bool,
    /// Number of bytes read, and number of the current packet.
    at: u64,
    packet: usize,
}

impl<R: Read> ByteSource<R> {
    fn new(stream: R) -> ByteSource<R> {
        ByteSource {
            stream,
            is_little: true,
            at: 0,
            packet: 1,
        }
    }

    fn fill(&mut self, buffer: &mut [u8]) -> Result<(), RecordingError> {
        let mut filled = 0;
        while filled < buffer.len() {
            let read = match self.stream.read(&mut buffer[filled..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(RecordingError::whole(error.to_string())),
                Ok(read) => read,
            };
            if read == 0 && self.at == 0 {
                return Err(RecordingError::whole("it is empty"));
            }
            if read == 0 {
                let message = format!(
                    "the file ends at byte {} within it: it was cut; accepted are whole files",
                    self.at
                );
                return Err(RecordingError::at("packet", self.packet, message));
            }
            filled += read;
            self.at += read as u64;
        }
        Ok(())
    }

    fn bytes<const N: usize>(&mut self) -> Result<[u8; N], RecordingError> {
        let mut bytes = [0; N];
        self.fill(&mut bytes)?;
        Ok(bytes)
    }

    fn u32(&mut self) -> Result<u32, RecordingError> {
        let bytes = self.bytes()?;
        Ok(self.number(bytes))
    }

    fn number(&self, bytes: [u8; 4]) -> u32 {
        if self.is_little {
            u32::from_le_bytes(bytes)
        } else {
            u32::from_be_bytes(bytes)
        }
    }

    /// The next number, or none at the end of the file.
    fn next_u32(&mut self) -> Result<Option<u32>, RecordingError> {
        let mut first = [0; 1];
        loop {
            match self.stream.read(&mut first) {
                Ok(0) => return Ok(None),
                Ok(_) => break,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(RecordingError::whole(error.to_string())),
            }
        }
        self.at += 1;
        let [second, third, fourth] = self.bytes()?;
        Ok(Some(self.number([first[0], second, third, fourth])))
    }

    fn data(&mut self, length: u32) -> Result<Vec<u8>, RecordingError> {
        if length > LARGEST {
            let message = format!("{length} bytes were captured of it: the file is damaged");
            return Err(RecordingError::at("packet", self.packet, message));
        }
        let mut data = vec![0; length as usize];
        self.fill(&mut data)?;
        Ok(data)
    }
}

#[cfg(test)]
mod tests;
