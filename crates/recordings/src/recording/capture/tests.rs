//! Captures built here byte by byte from the formats' specifications.

use super::*;

fn read(file: &[u8]) -> Result<Recording, RecordingError> {
    super::read(file, Rows::default())
}

/// An Ethernet frame with IPv4 and UDP between these ports.
fn frame(from: u16, to: u16) -> Vec<u8> {
    let mut frame = vec![0; 12];
    frame.extend([0x08, 0x00]);
    frame.extend([0x45, 0, 0, 32, 0, 0, 0, 0, 64, 17, 0, 0]);
    frame.extend([10, 0, 0, 1, 10, 0, 0, 2]);
    frame.extend([from.to_be_bytes(), to.to_be_bytes()].concat());
    frame.extend([0; 8]);
    frame
}

/// Time in nanoseconds, bytes on the wire, and captured bytes.
type Packet = (u64, u32, Vec<u8>);

fn sample() -> Vec<Packet> {
    vec![
        (5_000_001_000, 1500, frame(1000, 80)),
        (5_000_003_000, 60, frame(80, 1000)),
        (5_000_003_000, 900, frame(1000, 80)),
        (6_000_000_000, 64, vec![1; 14]),
        (6_500_000_000, 42, frame(2000, 80)),
    ]
}

fn pcap_file(packets: &[Packet], little: bool, nanoseconds: bool) -> Vec<u8> {
    let number = |n: u32| {
        if little {
            n.to_le_bytes()
        } else {
            n.to_be_bytes()
        }
    };
    let (magic, unit) = if nanoseconds {
        (NANOSECONDS, 1)
    } else {
        (MICROSECONDS, 1000)
    };
    let mut file: Vec<u8> = [magic, 0, 0, 0, 65535, 1].map(number).concat();
    for (ns, size, data) in packets {
        let (seconds, fraction) = (ns / 1_000_000_000, ns % 1_000_000_000 / unit);
        let head = [seconds as u32, fraction as u32, data.len() as u32, *size];
        file.extend(head.map(number).concat());
        file.extend(data);
    }
    file
}

fn block(kind: u32, body: &[u8], number: &dyn Fn(u32) -> [u8; 4]) -> Vec<u8> {
    let padded = body.len().next_multiple_of(4);
    let length = number(padded as u32 + 12);
    let mut block = [number(kind), length].concat();
    block.extend(body);
    block.resize(8 + padded, 0);
    block.extend(length);
    block
}

/// A file with times in units of 2^-20 s if `binary`, otherwise in nanoseconds.
fn pcapng_file(packets: &[Packet], little: bool, binary: bool) -> Vec<u8> {
    let number = |n: u32| {
        if little {
            n.to_le_bytes()
        } else {
            n.to_be_bytes()
        }
    };
    let short = |n: u16| {
        if little {
            n.to_le_bytes()
        } else {
            n.to_be_bytes()
        }
    };
    let section = [0x1A2B_3C4D, 0x0001_0000, u32::MAX, u32::MAX].map(number);
    let mut file = block(0x0A0D_0D0A, &section.concat(), &number);
    let mut interface = [short(1), short(0)].concat();
    interface.extend(number(65535));
    // A name, then the resolution, then the end of the options.
    interface.extend([short(2), short(3)].concat());
    interface.extend(b"eth\0");
    interface.extend([short(9), short(1)].concat());
    interface.extend([if binary { 0x80 | 20 } else { 9 }, 0, 0, 0]);
    interface.extend([short(0), short(0)].concat());
    file.extend(block(1, &interface, &number));
    // Statistics, which are ignored.
    file.extend(block(5, &[0; 12], &number));
    for (ns, size, data) in packets {
        let ticks = if binary {
            ns * (1 << 20) / 1_000_000_000
        } else {
            *ns
        };
        let (high, low) = ((ticks >> 32) as u32, ticks as u32);
        let mut body = [0, high, low, data.len() as u32, *size]
            .map(number)
            .concat();
        body.extend(data);
        file.extend(block(6, &body, &number));
    }
    file
}

/// Nanoseconds from the start, sizes and conversations.
fn found(file: &[u8]) -> Vec<(u64, u64, u32)> {
    let recording = read(file).expect("a sound capture");
    let conversations = recording.conversations.expect("a capture has them");
    let arrivals = recording.arrivals.iter().zip(conversations.iter());
    let row = |(a, c): (pacesim_model::Arrival, u32)| (a.at.as_ps() / 1000, a.size.get(), c);
    arrivals.map(row).collect()
}

#[test]
fn both_formats_in_any_byte_order_and_unit_give_the_same() {
    let expected = [
        (0, 1500, 0),
        (2_000, 60, 1),
        (2_000, 900, 0),
        (999_999_000, 64, 2),
        (1_499_999_000, 42, 3),
    ];
    for little in [true, false] {
        for nanoseconds in [true, false] {
            assert_eq!(found(&pcap_file(&sample(), little, nanoseconds)), expected);
        }
        assert_eq!(found(&pcapng_file(&sample(), little, false)), expected);
        // A tick of 2^-20 s is 954 ns.
        let coarse = found(&pcapng_file(&sample(), little, true));
        for (found, expected) in coarse.iter().zip(expected) {
            assert!(
                found.0.abs_diff(expected.0) <= 954,
                "{found:?} {expected:?}"
            );
            assert_eq!((found.1, found.2), (expected.1, expected.2));
        }
    }
}

#[test]
fn a_file_that_is_cut_anywhere_within_a_packet_is_an_error_with_its_place() {
    let packets = &sample()[..2];
    for file in [
        pcap_file(packets, true, true),
        pcapng_file(packets, true, false),
    ] {
        let whole_after = |n: usize| match file[0] {
            0x0A => pcapng_file(&packets[..n], true, false).len(),
            _ => pcap_file(&packets[..n], true, true).len(),
        };
        let (first, second) = (whole_after(1), whole_after(2));
        assert_eq!(second, file.len());
        for end in first + 1..second {
            let error = read(&file[..end]).expect_err("a cut file");
            assert_eq!(error.place, "packet 2", "{end}: {error}");
            assert!(
                error.message.contains(&format!("byte {end}")),
                "{end}: {error}"
            );
            assert!(error.message.contains("cut"), "{end}: {error}");
        }
        assert!(read(&file[..first]).is_ok(), "it ends between two packets");
        assert!(read(&file[..3]).is_err());
    }
}

#[test]
fn what_is_no_capture_or_damaged_is_refused() {
    for (file, part) in [
        (b"t_s,size\n0,1\n".to_vec(), "neither a pcap nor a pcapng"),
        (pcap_file(&[], true, true), "without a packet"),
        (pcapng_file(&[], true, false), "without a packet"),
        (Vec::new(), "empty"),
        (
            pcap_file(&[(5_000, 9, vec![]), (4_000, 9, vec![])], true, true),
            "before that of the first",
        ),
        (pcap_file(&[(5_000, 0, vec![])], true, true), "0 bytes"),
    ] {
        let error = read(&file[..]).expect_err(part);
        assert!(error.to_string().contains(part), "{error}");
    }
    let mut huge = pcap_file(&sample(), true, true);
    huge[32..36].copy_from_slice(&u32::MAX.to_le_bytes());
    assert!(
        read(&huge[..])
            .expect_err("damage")
            .message
            .contains("damaged"),
        "{}",
        read(&huge[..]).expect_err("damage").message
    );
    let mut uneven = pcapng_file(&sample(), true, false);
    let end = uneven.len();
    uneven[end - 4] ^= 4;
    assert!(
        read(&uneven[..])
            .expect_err("damage")
            .message
            .contains("two lengths"),
        "{}",
        read(&uneven[..]).expect_err("damage").message
    );
}

#[test]
fn conversations_are_told_by_addresses_ports_and_protocol() {
    let mut conversations = Conversations::default();
    let tagged = [&[0; 12][..], &[0x81, 0, 0, 5], &frame(1, 2)[12..]].concat();
    let raw = frame(1, 2)[14..].to_vec();
    let mut tcp = raw.clone();
    tcp[9] = 6;
    let mut six = vec![0x60, 0, 0, 0, 0, 12, 17, 64];
    six.extend([0; 32]);
    six.extend([0, 1, 0, 2]);
    for (link_type, data, number) in [
        (1, frame(1, 2), 0),
        (1, frame(2, 1), 1),
        (1, tagged, 0),
        (101, raw, 0),
        (101, tcp, 2),
        (101, six, 3),
        (1, vec![], 4),
        (147, frame(1, 2), 4),
    ] {
        assert_eq!(conversations.number(link_type, &data), number);
    }
}
