//! Headers of frames: addresses and ports of IPv4, its ECN field, and marks written into it.

use pacesim::net::Ecn;

/// Length of the Ethernet's header.
pub(crate) const ETHERNET: usize = 14;

/// The parts of a frame that decide its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Header {
    /// Length of the IPv4 packet.
    pub(crate) length: u32,
    /// Its ECN field.
    pub(crate) ecn: Ecn,
    /// Address that it goes to.
    pub(crate) to: [u8; 4],
    /// Ports that it comes from and goes to, for TCP and UDP.
    pub(crate) ports: Option<[u16; 2]>,
}

/// A frame that is not carried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Foreign {
    /// IPv6, ARP, and other protocols.
    NotIpv4,
    /// A fragment of a packet.
    Fragment,
    /// A packet that belongs to no flow, such as one to an unknown address.
    NoFlow,
    /// A frame that is shorter than its headers.
    Short,
}

impl Header {
    /// Reads the headers of a frame.
    pub(crate) fn of(frame: &[u8]) -> Result<Header, Foreign> {
        let (ethernet, ip) = frame.split_at_checked(ETHERNET).ok_or(Foreign::Short)?;
        if ethernet[12..] != [8, 0] {
            return Err(Foreign::NotIpv4);
        }
        let word = |at: usize| ip.get(at..at + 2).map(|b| u16::from_be_bytes([b[0], b[1]]));
        let at = |place: usize| word(place).ok_or(Foreign::Short);
        let length = u32::from(at(2)?);
        if ip[0] >> 4 != 4 {
            return Err(Foreign::NotIpv4);
        }
        // More fragments follow, or this one has an offset.
        if at(6)? & 0x3fff != 0 {
            return Err(Foreign::Fragment);
        }
        let to = ip.get(16..20).ok_or(Foreign::Short)?;
        let ports = usize::from(ip[0] & 15) * 4;
        Ok(Header {
            length,
            ecn: Ecn::from_bits(ip[1] & 3),
            to: [to[0], to[1], to[2], to[3]],
            ports: match ip.get(9) {
                Some(6 | 17) => Some([at(ports)?, at(ports + 2)?]),
                _ => None,
            },
        })
    }
}

/// Marks an IPv4 frame as having met congestion, and amends its checksum (RFC 1624, eq. 3).
pub(crate) fn mark(frame: &mut [u8]) {
    let ip = &mut frame[ETHERNET..];
    let before = u16::from_be_bytes([ip[0], ip[1]]);
    ip[1] |= 3;
    let after = u16::from_be_bytes([ip[0], ip[1]]);
    let sum = u16::from_be_bytes([ip[10], ip[11]]);
    let sum = u32::from(!sum) + u32::from(!before) + u32::from(after);
    let sum = (sum & 0xffff) + (sum >> 16);
    let sum = (sum & 0xffff) + (sum >> 16);
    ip[10..12].copy_from_slice(&(!(sum as u16)).to_be_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A frame of UDP from port 7 to port 9, with the right checksum of its IPv4 header.
    fn frame(ecn: u8, id: u16) -> Vec<u8> {
        let mut frame = vec![0; ETHERNET + 28];
        frame[12..14].copy_from_slice(&[8, 0]);
        let ip = &mut frame[ETHERNET..];
        ip[0] = 0x45;
        ip[1] = ecn;
        ip[2..4].copy_from_slice(&28u16.to_be_bytes());
        ip[4..6].copy_from_slice(&id.to_be_bytes());
        ip[8] = 64;
        ip[9] = 17;
        ip[12..20].copy_from_slice(&[10, 77, 0, 1, 10, 77, 0, 2]);
        ip[20..24].copy_from_slice(&[0, 7, 0, 9]);
        let sum = checksum(ip);
        ip[10..12].copy_from_slice(&sum.to_be_bytes());
        frame
    }

    /// The checksum of a header whose own is left out (RFC 791).
    fn checksum(ip: &[u8]) -> u16 {
        let words = ip[..20].chunks(2).enumerate().filter(|(i, _)| *i != 5);
        let mut sum: u32 = words
            .map(|(_, w)| u32::from(u16::from_be_bytes([w[0], w[1]])))
            .sum();
        while sum > 0xffff {
            sum = (sum & 0xffff) + (sum >> 16);
        }
        !(sum as u16)
    }

    #[test]
    fn headers_are_read() {
        let header = Header::of(&frame(2, 1)).expect("it is UDP");
        assert_eq!((header.length, header.ports), (28, Some([7, 9])));
        assert_eq!(header.to, [10, 77, 0, 2]);
        assert_eq!(header.ecn, Ecn::Ect0);
    }

    #[test]
    fn a_mark_keeps_the_checksum_right_for_all_identifications() {
        for ecn in 0..4 {
            for id in 0..=u16::MAX {
                let mut frame = frame(ecn, id);
                mark(&mut frame);
                let ip = &frame[ETHERNET..];
                assert_eq!(ip[1], 3);
                let sum = u16::from_be_bytes([ip[10], ip[11]]);
                // Zero is written in two ways.
                let same = sum == checksum(ip) || (sum, checksum(ip)) == (0xffff, 0);
                assert!(same, "{ecn} {id}: {sum} and {}", checksum(ip));
            }
        }
    }

    #[test]
    fn frames_that_are_not_carried_have_a_reason() {
        let changed = |at: usize, byte: u8| {
            let mut frame = frame(0, 1);
            frame[at] = byte;
            Header::of(&frame)
        };
        assert_eq!(changed(12, 0x86), Err(Foreign::NotIpv4));
        assert_eq!(changed(ETHERNET + 6, 0x20), Err(Foreign::Fragment));
        assert_eq!(changed(ETHERNET + 7, 1), Err(Foreign::Fragment));
        let ping = changed(ETHERNET + 9, 1).expect("its way is by address");
        assert_eq!(ping.ports, None);
        let frame = frame(0, 1);
        for length in 0..frame.len() - 4 {
            assert!(Header::of(&frame[..length]).is_err(), "{length} bytes");
        }
    }
}
