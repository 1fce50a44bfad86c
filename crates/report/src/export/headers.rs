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
    pub(super) tcp: Option<Numbers>,
    /// The packet's number, as the IP identification.
    pub(super) id: u16,
    /// ECN field in the lowest two bits, then TCP's CWR and ECE, as recorded.
    pub(super) ecn: u8,
}

/// Numbers of a TCP segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Numbers {
    pub(super) seq: u32,
    pub(super) ack: u32,
    /// True for a segment that opens a connection.
    pub(super) syn: bool,
    pub(super) sacks: Sacks,
    /// Bytes of other options, such as timestamps, whose values are not recorded.
    pub(super) options: usize,
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

impl Numbers {
    /// Bytes of all options; TCP has room for 40.
    fn length_of_options(&self) -> usize {
        (self.options + self.sacks.length()).min(40)
    }
}

const IP: usize = 20;
const TCP: usize = 20;
const UDP: usize = 8;

/// Writes the headers, with correct checksums for a payload of zeros, and returns the length of the
/// whole packet. A packet recorded as smaller than its headers gets their length, and a SACK option
/// that exceeds the recorded size extends an acknowledgement.
pub(super) fn write(segment: &Segment, to: &mut Vec<u8>) -> u32 {
    let start = to.len();
    let options = segment.tcp.map_or(0, |tcp| tcp.length_of_options());
    let upper = match segment.tcp {
        Some(_) => TCP + options,
        None => UDP,
    };
    let total = (segment.size as usize).clamp(IP + upper, usize::from(u16::MAX));
    let protocol = if segment.tcp.is_some() { 6 } else { 17 };
    ip(segment, total as u16, protocol, to);
    match segment.tcp {
        Some(numbers) => tcp(segment, numbers, options, to),
        None => udp(segment, (total - IP) as u16, to),
    }
    let checksum = upper_checksum(segment, protocol, total - IP, &to[start + IP..]);
    let place = start + IP + if protocol == 6 { 16 } else { 6 };
    // Zero means "no checksum" in UDP (RFC 768).
    let checksum = match (protocol, checksum) {
        (17, 0) => u16::MAX,
        (_, checksum) => checksum,
    };
    to[place..place + 2].copy_from_slice(&checksum.to_be_bytes());
    total as u32
}

fn ip(segment: &Segment, total: u16, protocol: u8, to: &mut Vec<u8>) {
    let start = to.len();
    to.extend_from_slice(&[0x45, segment.ecn & 0b11]);
    to.extend_from_slice(&total.to_be_bytes());
    to.extend_from_slice(&segment.id.to_be_bytes());
    to.extend_from_slice(&[0x40, 0, 64, protocol, 0, 0]);
    to.extend_from_slice(&segment.addresses[0].to_be_bytes());
    to.extend_from_slice(&segment.addresses[1].to_be_bytes());
    let checksum = !fold(sum(&to[start..]));
    to[start + 10..start + 12].copy_from_slice(&checksum.to_be_bytes());
}

fn tcp(segment: &Segment, numbers: Numbers, options: usize, to: &mut Vec<u8>) {
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
    to.extend_from_slice(&segment.ports[0].to_be_bytes());
    to.extend_from_slice(&segment.ports[1].to_be_bytes());
    to.extend_from_slice(&numbers.seq.to_be_bytes());
    to.extend_from_slice(&numbers.ack.to_be_bytes());
    let words = ((TCP + options) / 4) as u8;
    to.extend_from_slice(&[words << 4, flags]);
    to.extend_from_slice(&u16::MAX.to_be_bytes());
    to.extend_from_slice(&[0, 0, 0, 0]);
    // "No operation" fills the place of options without values.
    let fill = options.saturating_sub(numbers.sacks.length());
    to.resize(to.len() + fill, 1);
    let count = numbers.sacks.count;
    if count > 0 {
        to.extend_from_slice(&[1, 1, 5, 2 + 8 * count as u8]);
        for (left, right) in &numbers.sacks.blocks[..count] {
            to.extend_from_slice(&left.to_be_bytes());
            to.extend_from_slice(&right.to_be_bytes());
        }
    }
}

fn udp(segment: &Segment, length: u16, to: &mut Vec<u8>) {
    to.extend_from_slice(&segment.ports[0].to_be_bytes());
    to.extend_from_slice(&segment.ports[1].to_be_bytes());
    to.extend_from_slice(&length.to_be_bytes());
    to.extend_from_slice(&[0, 0]);
}

/// The checksum over pseudo-header, header and a payload of zeros, which add nothing.
fn upper_checksum(segment: &Segment, protocol: u8, length: usize, header: &[u8]) -> u16 {
    let [from, to] = segment.addresses;
    let mut total = sum(&from.to_be_bytes()) + sum(&to.to_be_bytes());
    total += u32::from(protocol) + length as u32 + sum(header);
    !fold(total)
}

/// The sum of the 16-bit words of headers, whose length is even.
fn sum(bytes: &[u8]) -> u32 {
    let (words, _) = bytes.as_chunks();
    words
        .iter()
        .map(|word| u32::from(u16::from_be_bytes(*word)))
        .sum()
}

fn fold(sum: u32) -> u16 {
    let once = (sum & 0xFFFF) + (sum >> 16);
    ((once & 0xFFFF) + (once >> 16)) as u16
}
