//! IPv4, TCP and UDP headers of recorded packets.

/// The recorded fields of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Segment {
    /// Addresses of source and destination.
    pub(super) addresses: [u32; 2],
    /// Ports of source and destination.
    pub(super) ports: [u16; 2],
    /// Bytes with headers, as recorded.
    pub(super) size: u32,
    /// TCP's numbers; a UDP datagram has none.
    pub(super) tcp: Option<SegmentNumbers>,
    /// The packet's number, as the IP identification.
    pub(super) id: u16,
    /// ECN field in the lowest two bits, then TCP's CWR and ECE, as recorded.
    pub(super) ecn: u8,
}

/// Numbers of a TCP segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SegmentNumbers {
    pub(super) seq: u32,
    pub(super) ack: u32,
    /// True for a segment that opens a connection.
    pub(super) syn: bool,
    pub(super) sacks: Sacks,
    /// Bytes of other options.
    pub(super) options: usize,
    /// TSval and TSecr, if these options are timestamps (RFC 7323).
    pub(super) stamps: Option<[u32; 2]>,
}

/// Up to three SACK blocks (RFC 2018), the latest first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Sacks {
    pub(super) blocks: [(u32, u32); 3],
    pub(super) count: usize,
}

impl Sacks {
    /// Bytes of the option, aligned.
    pub(super) fn length(&self) -> usize {
        match self.count {
            0 => 0,
            count => 4 + 8 * count,
        }
    }
}

impl SegmentNumbers {
    /// Bytes of all options; TCP has room for 40.
    fn length_of_options(&self) -> usize {
        (self.options + self.sacks.length()).min(OPTIONS)
    }
}

const IP: usize = 20;
const TCP: usize = 20;
const UDP: usize = 8;
/// The most options of TCP.
const OPTIONS: usize = 40;
const ALL: usize = IP + TCP + OPTIONS;

/// Headers as on the wire; their length is a multiple of four.
pub(super) struct Headers {
    /// They are followed by zeros.
    pub(super) bytes: [u8; ALL],
    pub(super) length: usize,
    /// The length of the whole packet.
    pub(super) total: u32,
}

/// The headers, with correct checksums for a payload of zeros. A packet recorded as smaller than
/// its headers gets their length, and a SACK option that exceeds the recorded size extends an
/// acknowledgement.
pub(super) fn write(segment: &Segment) -> Headers {
    let mut bytes = [0; ALL];
    let (protocol, upper) = match &segment.tcp {
        Some(numbers) => (6, TCP + numbers.length_of_options()),
        None => (17, UDP),
    };
    let length = IP + upper;
    let total = (segment.size as usize).clamp(length, usize::from(u16::MAX));
    let below = (total - IP) as u16;
    put(&mut bytes, 0, ip(segment, total as u16, protocol));
    match &segment.tcp {
        Some(numbers) => {
            put(&mut bytes, IP, tcp(segment, numbers));
            options(numbers, &mut bytes[IP + TCP..length]);
        }
        None => put(&mut bytes, IP, udp(segment, below)),
    }
    let checksum = upper_checksum(segment, protocol, below, &bytes[IP..length]);
    match protocol {
        6 => put(&mut bytes, IP + 16, checksum.to_be_bytes()),
        // Zero means "no checksum" in UDP (RFC 768).
        _ if checksum == 0 => put(&mut bytes, IP + 6, [u8::MAX; 2]),
        _ => put(&mut bytes, IP + 6, checksum.to_be_bytes()),
    }
    Headers {
        bytes,
        length,
        total: total as u32,
    }
}

/// Writes a field.
fn put<const N: usize>(to: &mut [u8], at: usize, field: [u8; N]) {
    to[at..at + N].copy_from_slice(&field);
}

fn ip(segment: &Segment, total: u16, protocol: u8) -> [u8; IP] {
    let mut to = [0; IP];
    put(&mut to, 0, [0x45, segment.ecn & 0b11]);
    put(&mut to, 2, total.to_be_bytes());
    put(&mut to, 4, segment.id.to_be_bytes());
    put(&mut to, 6, [0x40, 0, 64, protocol]);
    put(&mut to, 12, segment.addresses[0].to_be_bytes());
    put(&mut to, 16, segment.addresses[1].to_be_bytes());
    let checksum = !fold(sum(&to));
    put(&mut to, 10, checksum.to_be_bytes());
    to
}

fn tcp(segment: &Segment, numbers: &SegmentNumbers) -> [u8; TCP] {
    const SYN: u8 = 0x02;
    const ACK: u8 = 0x10;
    const ECE: u8 = 0x40;
    const CWR: u8 = 0x80;
    // A SYN of the client acknowledges nothing yet.
    let flags = match (numbers.syn, numbers.ack) {
        (true, 0) => SYN,
        (true, _) => SYN | ACK,
        (false, _) => ACK,
    };
    let flag = |bit: u8, flag: u8| if segment.ecn & bit == 0 { 0 } else { flag };
    let flags = flags | flag(4, CWR) | flag(8, ECE);
    let words = ((TCP + numbers.length_of_options()) / 4) as u8;
    let mut to = [0; TCP];
    put(&mut to, 0, segment.ports[0].to_be_bytes());
    put(&mut to, 2, segment.ports[1].to_be_bytes());
    put(&mut to, 4, numbers.seq.to_be_bytes());
    put(&mut to, 8, numbers.ack.to_be_bytes());
    put(&mut to, 12, [words << 4, flags]);
    put(&mut to, 14, u16::MAX.to_be_bytes());
    to
}

/// Bytes of timestamps, aligned.
pub(super) const STAMPS: usize = 12;

/// Timestamps, and SACK blocks at the end; "no operation" stands for options without values.
fn options(numbers: &SegmentNumbers, to: &mut [u8]) {
    let count = numbers.sacks.count;
    let (fill, sacks) = to.split_at_mut(to.len() - numbers.sacks.length());
    fill.fill(1);
    if let Some([value, echo]) = numbers.stamps
        && fill.len() >= STAMPS
    {
        put(fill, 2, [8, 10]);
        put(fill, 4, value.to_be_bytes());
        put(fill, 8, echo.to_be_bytes());
    }
    if count > 0 {
        put(sacks, 0, [1, 1, 5, 2 + 8 * count as u8]);
        let places = sacks[4..].as_chunks_mut::<8>().0;
        for (to, (left, right)) in places.iter_mut().zip(numbers.sacks.blocks) {
            put(to, 0, left.to_be_bytes());
            put(to, 4, right.to_be_bytes());
        }
    }
}

fn udp(segment: &Segment, length: u16) -> [u8; UDP] {
    let mut to = [0; UDP];
    put(&mut to, 0, segment.ports[0].to_be_bytes());
    put(&mut to, 2, segment.ports[1].to_be_bytes());
    put(&mut to, 4, length.to_be_bytes());
    to
}

/// The checksum over pseudo-header, header and a payload of zeros, which add nothing.
fn upper_checksum(segment: &Segment, protocol: u8, length: u16, header: &[u8]) -> u16 {
    let halves = |address: u32| (address >> 16) + (address & 0xFFFF);
    let [from, to] = segment.addresses.map(halves);
    !fold(from + to + u32::from(protocol) + u32::from(length) + sum(header))
}

/// The sum of the 16-bit words of headers, whose length is a multiple of four.
fn sum(bytes: &[u8]) -> u32 {
    let (words, _) = bytes.as_chunks();
    let halves = |word: &[u8; 4]| {
        let word = u32::from_be_bytes(*word);
        (word >> 16) + (word & 0xFFFF)
    };
    words.iter().map(halves).sum()
}

fn fold(sum: u32) -> u16 {
    let once = (sum & 0xFFFF) + (sum >> 16);
    ((once & 0xFFFF) + (once >> 16)) as u16
}
