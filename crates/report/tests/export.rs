//! Exported files, read back by readers that share no code with the writers.

use std::collections::BTreeMap;
use std::path::Path;

use pacesim_report::export::{At, Format, Selection, export};
use pacesim_report::{Recording, TraceError};

use crate::common::{Runs, TCP, open};

const DROP: &str = r#"link.core.drops=[{ flow = "f", seq = 100 }]"#;

fn written(recording: &Recording, format: Format, selection: &Selection, to: &Path) -> Vec<u8> {
    export(recording, format, selection, to).expect("written");
    std::fs::read(to).expect("a file")
}

fn at(at: At) -> Selection {
    Selection {
        at,
        ..Selection::default()
    }
}

/// A captured packet.
struct Captured {
    interface: u32,
    ns: u64,
    length: u32,
    bytes: Vec<u8>,
    options: Vec<u8>,
}

fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes(bytes[at..at + 2].try_into().expect("two bytes"))
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"))
}

/// The number of interfaces and the packets of a capture.
fn captured(file: &[u8]) -> (usize, Vec<Captured>) {
    let (mut at, mut interfaces, mut packets) = (0, 0, Vec::new());
    while at < file.len() {
        let length = u32_at(file, at + 4) as usize;
        assert_eq!(
            u32_at(file, at + length - 4) as usize,
            length,
            "both lengths of a block"
        );
        let body = &file[at + 8..at + length - 4];
        match u32_at(file, at) {
            0x0A0D_0D0A => assert_eq!((at, u32_at(body, 0)), (0, 0x1A2B_3C4D), "one section"),
            1 => {
                assert_eq!(u16_at(body, 0), 228, "LINKTYPE_IPV4");
                interfaces += 1;
            }
            6 => {
                let taken = u32_at(body, 12) as usize;
                packets.push(Captured {
                    interface: u32_at(body, 0),
                    ns: u64::from(u32_at(body, 4)) << 32 | u64::from(u32_at(body, 8)),
                    length: u32_at(body, 16),
                    bytes: body[20..20 + taken].to_vec(),
                    options: body[20 + taken.next_multiple_of(4)..].to_vec(),
                });
            }
            other => panic!("a block of kind {other}"),
        }
        at += length;
    }
    (interfaces, packets)
}

/// The one's complement sum over 16-bit words: 0xFFFF if the checksum within is right.
fn ones_sum(bytes: impl Iterator<Item = u8>) -> u32 {
    let bytes: Vec<u8> = bytes.collect();
    let mut sum: u32 = 0;
    for pair in bytes.chunks(2) {
        sum += u32::from(pair[0]) * 256 + u32::from(*pair.get(1).unwrap_or(&0));
        sum = sum % 65_536 + sum / 65_536;
    }
    sum
}

#[test]
fn checksums_and_lengths_of_a_capture_are_right() {
    let runs = Runs::new();
    let recording = open(&runs.run("a", TCP, &[DROP]));
    let file = written(
        &recording,
        Format::Pcapng,
        &at(At::Ports),
        &runs.path("a.pcapng"),
    );
    let (interfaces, packets) = captured(&file);
    assert_eq!(
        interfaces,
        recording.links.len(),
        "an interface for each port"
    );
    let mut rows = 0;
    recording.packets(|_| rows += 1).expect("packets");
    assert_eq!(packets.len(), rows, "a packet for each passage");
    for packet in &packets {
        let bytes = &packet.bytes;
        assert_eq!(
            ones_sum(bytes[..20].iter().copied()),
            0xFFFF,
            "the IP checksum"
        );
        let total = u32::from(bytes[2]) * 256 + u32::from(bytes[3]);
        assert_eq!(packet.length, total, "IP's length is that of the packet");
        let upper = total - 20;
        let pseudo = bytes[12..20].iter().copied();
        let pseudo = pseudo.chain([0, 6, (upper >> 8) as u8, upper as u8]);
        let sum = ones_sum(pseudo.chain(bytes[20..].iter().copied()));
        assert_eq!(sum, 0xFFFF, "TCP's checksum over a payload of zeros");
        assert!(
            (packet.interface as usize) < interfaces,
            "interface {}",
            packet.interface
        );
    }
    assert!(
        packets.is_sorted_by_key(|packet| packet.ns),
        "the order of time"
    );
    let dropped = packets.iter().filter(|packet| {
        String::from_utf8_lossy(&packet.options).contains("dropped by the scenario's script")
    });
    assert_eq!(dropped.count(), 1, "one comment on one drop");
}

#[test]
fn a_capture_at_the_sender_has_what_its_host_would_see() {
    let runs = Runs::new();
    let recording = open(&runs.run("a", TCP, &[DROP]));
    let file = written(
        &recording,
        Format::Pcapng,
        &at(At::Senders),
        &runs.path("a.pcapng"),
    );
    let (_, packets) = captured(&file);
    let numbers = |packet: &Captured| {
        let word = |at: usize| {
            packet.bytes[at..at + 4]
                .iter()
                .fold(0, |word, byte| word << 8 | u32::from(*byte))
        };
        (word(24), word(28), packet.length)
    };
    let all: Vec<_> = packets.iter().map(numbers).collect();
    let data: Vec<u32> = all
        .iter()
        .filter(|of| of.2 == 1000)
        .map(|of| of.0)
        .collect();
    // ns-2's first packet is written as a SYN and takes a number, as does the byte after it.
    assert_eq!(data[..3], [2, 962, 1922], "segments of 960 bytes");
    let again = data
        .iter()
        .enumerate()
        .filter(|(at, seq)| data[..*at].contains(seq));
    assert_eq!(again.count(), 1, "one retransmission");
    // The drop of 100 leaves 39 packets of the window behind it, each with a duplicate.
    let acks: Vec<(u32, &Captured)> = all
        .iter()
        .zip(&packets)
        .filter(|(of, _)| of.2 < 1000)
        .map(|(of, packet)| (of.1, packet))
        .collect();
    let at_the_gap: Vec<_> = acks
        .iter()
        .filter(|(ack, _)| *ack == 2 + 99 * 960)
        .collect();
    assert_eq!(at_the_gap.len(), 40, "the first one and 39 duplicates");
    assert_eq!(at_the_gap[0].1.bytes.len(), 40, "no SACK before the gap");
    let block = &at_the_gap[3].1.bytes[40..52];
    let bytes = |packet: u32| (2 + (packet - 1) * 960).to_be_bytes();
    let expected = [&[1, 1, 5, 10][..], &bytes(101), &bytes(104)].concat();
    assert_eq!(block, expected, "packets 101 to 103 in one block");
}

#[test]
fn csv_has_every_event_in_the_order_of_time() {
    let runs = Runs::new();
    let recording = open(&runs.run("a", TCP, &[DROP]));
    let file = written(&recording, Format::Csv, &at(At::Ports), &runs.path("a.csv"));
    let text = String::from_utf8(file).expect("text");
    let mut lines = text.lines();
    let columns = lines.next().expect("a header").split(',').count();
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
    assert!(
        rows.iter().all(|row| row.len() == columns),
        "{columns} columns everywhere"
    );
    let times = rows
        .iter()
        .map(|row| row[0].parse::<u64>().expect("a time"));
    assert!(times.is_sorted(), "the order of time");
    let count = |event: &str| rows.iter().filter(|row| row[1] == event).count();
    let (mut passages, mut senders) = (0, 0);
    recording.packets(|_| passages += 1).expect("packets");
    recording.senders(|_| senders += 1).expect("senders");
    assert_eq!(count("arrived"), passages);
    assert_eq!((count("dropped"), count("left")), (1, passages - 1));
    let of_senders = ["window", "timeout", "fast_retransmit", "recovered", "rtt"];
    assert_eq!(of_senders.map(count).iter().sum::<usize>(), senders);
}

#[test]
fn qlog_has_a_record_a_line_and_the_losses() {
    let runs = Runs::new();
    let recording = open(&runs.run("a", TCP, &[DROP]));
    let file = written(
        &recording,
        Format::Qlog,
        &at(At::Ports),
        &runs.path("a.sqlog"),
    );
    let text = String::from_utf8(file).expect("text");
    let record = |line: &str| -> serde_json::Value {
        let line = line.strip_prefix('\u{1e}').expect("RFC 7464's separator");
        serde_json::from_str(line).expect("JSON")
    };
    let records: Vec<_> = text.lines().map(record).collect();
    assert_eq!(
        records[0]["serialization_format"],
        "application/qlog+json-seq"
    );
    let named = |name: &'static str| records.iter().filter(move |record| record["name"] == name);
    assert_eq!(named("quic:packet_lost").count(), 1);
    let lost = named("quic:packet_lost").next().expect("one");
    assert_eq!(lost["data"]["header"]["packet_number"], 100);
    let into_recovery = named("quic:congestion_state_updated");
    let into_recovery = into_recovery.filter(|record| record["data"]["new"] == "recovery");
    assert_eq!(into_recovery.count(), 1, "one loss, one recovery");
    let times = records[1..]
        .iter()
        .map(|record| record["time"].as_f64().expect("a time"));
    assert!(times.is_sorted(), "the order of time");
}

/// The fields of a protobuf message: numbers, or bytes.
fn fields(mut bytes: &[u8]) -> Vec<(u64, u64, &[u8])> {
    fn varint(bytes: &mut &[u8]) -> u64 {
        let end = bytes
            .iter()
            .position(|byte| byte & 0x80 == 0)
            .expect("an end");
        let digits = bytes[..=end].iter().rev();
        let value = digits.fold(0, |value, byte| value << 7 | u64::from(byte & 0x7F));
        *bytes = &bytes[end + 1..];
        value
    }
    let mut found = Vec::new();
    while !bytes.is_empty() {
        let tag = varint(&mut bytes);
        let (number, length) = match tag & 7 {
            0 => (varint(&mut bytes), 0),
            1 => (0, 8),
            2 => (0, varint(&mut bytes) as usize),
            other => panic!("wire type {other}"),
        };
        let (value, rest) = bytes.split_at(length);
        found.push((tag >> 3, number, value));
        bytes = rest;
    }
    found
}

#[test]
fn perfetto_has_tracks_and_balanced_slices() {
    let runs = Runs::new();
    let recording = open(&runs.run("a", TCP, &[DROP]));
    let file = written(
        &recording,
        Format::Perfetto,
        &at(At::Ports),
        &runs.path("a.pftrace"),
    );
    let mut types: BTreeMap<u64, usize> = BTreeMap::new();
    let mut tracks = Vec::new();
    for (number, _, packet) in fields(&file) {
        assert_eq!(number, 1, "a trace is packets");
        for (number, _, message) in fields(packet) {
            let of = |field: u64| fields(message).into_iter().find(|of| of.0 == field);
            match number {
                60 => tracks.push(of(1).expect("a uuid").1),
                11 => {
                    let track = of(11).expect("a track").1;
                    assert!(tracks.contains(&track), "track {track} was described");
                    *types.entry(of(9).expect("a type").1).or_default() += 1;
                }
                _ => (),
            }
        }
    }
    assert_eq!(
        tracks.len(),
        3 * (recording.links.len() + recording.flows.len())
    );
    let mut sent = 0;
    recording
        .packets(|row| sent += usize::from(row.departure_ps.is_some()))
        .expect("packets");
    assert_eq!(
        (types[&1], types[&2]),
        (sent, sent),
        "a slice for each transmission"
    );
    // The drop, and the sender's fast retransmit and end of recovery.
    assert_eq!(types[&3], 3, "{types:?}");
}

#[test]
fn a_selection_keeps_its_flow_and_link_only() {
    let runs = Runs::new();
    let two = TCP.replace("name = \"f\"", "name = \"f\"\ncount = 2");
    let recording = open(&runs.run("a", &two, &[]));
    let selection = Selection {
        flows: vec!["f[1]".into()],
        links: vec!["core".into()],
        at: At::Ports,
    };
    let file = written(&recording, Format::Csv, &selection, &runs.path("a.csv"));
    let text = String::from_utf8(file).expect("text");
    let packets = text.lines().filter(|line| line.contains(",arrived,"));
    let of_both = packets
        .clone()
        .filter(|line| line.contains("f[1],core,"))
        .count();
    assert_eq!(of_both, packets.count());
    assert!(of_both > 100, "{of_both} packets");
}

#[test]
fn what_is_missing_torn_or_in_the_way_is_named() {
    let runs = Runs::new();
    let bare = runs.run("bare", &TCP.replace("packets = {}", ""), &[]);
    let to = runs.path("out");
    let tried = |folder: &Path| {
        let recording = Recording::open(folder)?;
        export(&recording, Format::Pcapng, &at(At::Ports), &to)
    };
    let message = |tried: Result<_, TraceError>| tried.expect_err("refused").to_string();
    assert!(message(tried(&bare)).contains("add `packets = {}` to [output]"));
    assert!(!to.exists(), "nothing is left of a refused export");
    let torn = runs.run("torn", TCP, &[]);
    let packets = torn.join("packets.parquet");
    let bytes = std::fs::read(&packets).expect("there");
    std::fs::write(&packets, &bytes[..bytes.len() / 2]).expect("written");
    assert!(message(tried(&torn)).contains("damaged"));
    let flipped = runs.run("flipped", TCP, &[]);
    for table in ["flows.parquet", "links.parquet", "packets.parquet"] {
        let path = flipped.join(table);
        let written = std::fs::read(&path).expect("it was recorded");
        let mut bytes = written.clone();
        bytes[written.len() / 3] ^= 1;
        std::fs::write(&path, bytes).expect("the folder is ours");
        let told = message(tried(&flipped));
        assert!(
            told.contains(table) && told.contains("not as it was written"),
            "{told}"
        );
        std::fs::write(&path, written).expect("the folder is ours");
    }
    assert!(message(tried(&runs.path("nothing"))).contains("not the results"));
    let whole = runs.run("whole", TCP, &[]);
    std::fs::write(&to, "mine").expect("written");
    assert!(message(tried(&whole)).contains("exists already"));
    assert_eq!(std::fs::read_to_string(&to).expect("there"), "mine");
    let below = to.join("folder/out.csv");
    let refused = export(&open(&whole), Format::Csv, &at(At::Ports), &below);
    assert!(message(refused).contains("is a file, not a folder; choose another place"));
    let nowhere = Path::new("/proc/nowhere/out.csv");
    if nowhere.ancestors().nth(2).is_some_and(Path::exists) {
        let refused = export(&open(&whole), Format::Csv, &at(At::Ports), nowhere);
        assert!(message(refused).contains("/proc/nowhere: no folder can be created there"));
    }
    let made = runs.path("new/folders/out.csv");
    export(&open(&whole), Format::Csv, &at(At::Ports), &made).expect("folders are created");
    assert!(made.is_file());
}

#[test]
fn marks_and_their_echoes_are_in_the_headers() {
    let runs = Runs::new();
    let linux = "profile = \"linux\", control = \"dctcp\", ecn = true, window = \"1000pkts\"";
    let textbook = "variant = \"sack\", window = \"40pkts\", packet_size = \"1000B\"";
    let marking = "buffer = \"1000pkts\"\nmark = \"5pkts\"";
    let dctcp = TCP
        .replace(textbook, linux)
        .replace("buffer = \"1000pkts\"", marking);
    let recording = open(&runs.run("a", &dctcp, &[]));
    let core = recording.link("core").expect("a link");
    let (mut marked, mut echoes) = (0, 0);
    recording
        .packets(|row| {
            marked += usize::from(row.kind == 0 && row.ecn & 3 == 3 && row.link_id == core);
            echoes += usize::from(row.kind == 1 && row.ecn & 8 == 8);
        })
        .expect("packets");
    assert!(marked > 10, "{marked} packets were marked at the core");
    assert!(echoes > 10, "{echoes} acknowledgements had ECE");
    let file = written(
        &recording,
        Format::Pcapng,
        &at(At::Receivers),
        &runs.path("a.pcapng"),
    );
    let (_, packets) = captured(&file);
    let data = packets.iter().filter(|packet| packet.length > 1000);
    let field = |packet: &&Captured| packet.bytes[1] & 3;
    let of_ce = data.clone().filter(|packet| field(packet) == 3).count();
    assert!(
        data.clone().all(|packet| field(&packet) >= 2),
        "ECT(0) or CE"
    );
    assert!(of_ce > 10, "{of_ce} of them had the mark");
    let acks = packets.iter().filter(|packet| packet.length < 1000);
    assert!(
        acks.clone().any(|packet| packet.bytes[33] & 0x40 != 0),
        "no ECE"
    );
    let empty = acks.filter(|packet| {
        let header = u32::from(packet.bytes[32] >> 4) * 4;
        packet.length == 20 + header
    });
    assert!(empty.count() > 100, "acknowledgements have no payload");
}

#[test]
fn timestamps_are_the_times_of_sending_and_their_echoes() {
    let runs = Runs::new();
    let linux = TCP.replace(
        "variant = \"sack\", window = \"40pkts\", packet_size = \"1000B\"",
        "profile = \"linux\", window = \"40pkts\"",
    );
    let recording = open(&runs.run("a", &linux, &[DROP]));
    let of = |place: At, name: &str| {
        let file = written(&recording, Format::Pcapng, &at(place), &runs.path(name));
        captured(&file).1
    };
    let big = |bytes: &[u8], at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap());
    let stamps = |packet: &Captured| {
        assert_eq!(
            packet.bytes[40..44],
            [1, 1, 8, 10],
            "two no-operations, kind and length"
        );
        (big(&packet.bytes, 44), big(&packet.bytes, 48))
    };
    let is_data = |packet: &Captured| packet.bytes[20..22] > packet.bytes[22..24];
    let flags = |packets: &[Captured]| [packets[0].bytes[33], packets[1].bytes[33]];
    let ms = |packet: &Captured| (packet.ns / 1_000_000) as u32;
    let (mut sent, mut heard, mut echo) = (Vec::new(), 0, 0);
    let at_sender = of(At::Senders, "senders.pcapng");
    assert_eq!(flags(&at_sender), [0x02, 0x12], "SYN, and SYN with ACK");
    for packet in at_sender {
        let (value, echoed) = stamps(&packet);
        if is_data(&packet) {
            assert_eq!((value, echoed), (ms(&packet), heard));
            sent.push(value);
        } else {
            assert!(
                sent.contains(&echoed),
                "an acknowledgement echoes a packet of data"
            );
            assert!(echoed >= echo, "echoes do not go back");
            assert!(
                ms(&packet) - value >= 21,
                "21 ms from the receiver to the sender"
            );
            assert!(ms(&packet) - echoed >= 42, "a round trip of 42 ms");
            (heard, echo) = (value, echoed);
        }
    }
    assert!(sent.len() > 1000, "{} packets", sent.len());
    for packet in of(At::Receivers, "receivers.pcapng") {
        let (value, _) = stamps(&packet);
        if is_data(&packet) {
            assert!(ms(&packet) - value >= 21)
        } else {
            assert_eq!(value, ms(&packet))
        }
    }
}
