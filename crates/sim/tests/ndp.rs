//! NDP from a scenario file to its ends: trims, pulls that flows share, lost headers, switches' memories.

use pacesim::World;
use pacesim::scenario::load;
use pacesim::units::LinkId;
use proptest::prelude::*;

/// Senders to one host over a star, whose queues cut payloads off.
struct Star {
    senders: u32,
    /// Bytes of each transfer.
    bytes: u64,
    window: u32,
    buffer: &'static str,
    /// Keys of the queues.
    queue: String,
    /// Other keys of the flows.
    more: &'static str,
}

impl Star {
    fn text(&self) -> String {
        let queue = format!(
            "buffer = \"{}\", discipline = {{ kind = \"trim\"{} }}",
            self.buffer, self.queue
        );
        format!(
            "host = \"none\"\nrun = {{ duration = \"500ms\" }}\n[topology]\nshape = \"star\"\nleaves = {}\n\
             link = {{ rate = \"10Gbps\", delay = \"1us\", back = {{ {queue} }} }}\n\
             [[flow]]\nname = \"f\"\ncount = {}\nfrom = \"leaf[1..{}]\"\nto = \"leaf[0]\"\n\
             traffic = {{ kind = \"ndp\", window = {}, transfer = \"{}B\"{} }}\n",
            self.senders + 1,
            self.senders,
            self.senders + 1,
            self.window,
            self.bytes,
            self.more
        )
    }

    fn run(&self, seed: u64) -> World {
        run(&self.text(), seed)
    }
}

fn run(text: &str, seed: u64) -> World {
    let checked = load("star.toml", text, &[], &|_: &str| Err(String::new()));
    let checked = checked.unwrap_or_else(|problems| panic!("{problems}\n{text}"));
    let mut world = World::new(checked.expand(seed, 0)).expect("a world");
    world.run();
    world
}

fn trims(world: &World) -> u64 {
    let links = world.link_rows();
    links.iter().filter_map(|row| row.trimmed_pkts).sum()
}

/// Forty packets of 9000 bytes at 10 Gbps take 288 us on the first line; the last takes another 7.2 us
/// on the second, and its answer comes back: none of them waits for a pull.
#[test]
fn one_flow_is_sent_at_the_rate_of_its_line() {
    let star = Star {
        senders: 1,
        bytes: 40 * 8936,
        window: 40,
        buffer: "8pkts",
        queue: String::new(),
        more: "",
    };
    let mut world = star.run(1);
    let row = &world.take_transfers()[0];
    // 64 bytes over two lines, and four wires of a microsecond.
    let expected = 41 * 7_200_000 + 2 * 51_200 + 4 * 1_000_000;
    assert_eq!(row.end_ps.map(|end| end - row.start_ps), Some(expected));
    assert_eq!((trims(&world), row.retransmitted_pkts), (0, 0));
}

#[test]
fn an_incast_keeps_the_line_of_its_receiver_busy_and_loses_nothing() {
    let star = Star {
        senders: 20,
        bytes: 100 * 8936,
        window: 30,
        buffer: "8pkts",
        queue: String::new(),
        more: "",
    };
    let mut world = star.run(1);
    let rows = world.take_transfers();
    let last = rows.iter().filter_map(|row| row.end_ps).max();
    let alone = 2000.0 * 7_200_000.0;
    assert_eq!(rows.len(), 20);
    let share = alone / last.expect("all have ended") as f64;
    assert!(share > 0.95, "{share}");
    let dropped: u64 = world.link_rows().iter().map(|row| row.dropped_pkts).sum();
    assert_eq!(dropped, 0);
    assert!(trims(&world) > 400, "{}", trims(&world));
    let rows = world.flow_rows();
    let goodputs = rows.iter().map(|row| row.goodput_bytes);
    assert!(goodputs.into_iter().all(|bytes| bytes == 100 * 8936));
}

/// The part that is cut off leaves the memory of the switch.
#[test]
fn a_memory_that_ports_share_is_empty_in_the_end() {
    let star = Star {
        senders: 8,
        bytes: 200_000,
        window: 30,
        buffer: "8pkts",
        queue: String::new(),
        more: "",
    };
    let memory = "[[switch]]\nnodes = [\"hub\"]\nmemory = \"1MB\"\nalpha = 8.0\n";
    let mut world = run(&format!("{}{memory}", star.text()), 1);
    assert_eq!(world.take_transfers().len(), 8);
    assert!(trims(&world) > 100);
    let memories = (0..).map(LinkId).zip(&world.model().links);
    let memories = memories.filter_map(|(link, _)| world.shared_memory(link));
    let used: Vec<(u64, bool)> = memories
        .map(|memory| (memory.used, memory.most_used > 0))
        .collect();
    assert!(
        !used.is_empty() && used.iter().all(|used| *used == (0, true)),
        "{used:?}"
    );
}

#[test]
fn plain_ports_and_answers_that_are_no_headers_are_warned_of() {
    let star = Star {
        senders: 2,
        bytes: 100_000,
        window: 10,
        buffer: "8pkts",
        queue: String::new(),
        more: ", ack_size = \"84B\"",
    };
    let kinds = |text: &str| -> Vec<String> {
        let checked = load("star.toml", text, &[], &|_: &str| Err(String::new()));
        let checked = checked.unwrap_or_else(|problems| panic!("{problems}\n{text}"));
        let found = checked.warnings();
        found.iter().map(|warning| warning.to_string()).collect()
    };
    let text = star.text();
    let small = text.replace("84B", "64B");
    assert_eq!(kinds(&small), [""; 0]);
    let found = kinds(&text);
    assert!(
        found.len() == 1 && found[0].contains("ack_size"),
        "{found:?}"
    );
    let found = kinds(&small.replace(", discipline = { kind = \"trim\" }", ""));
    assert!(
        found.len() == 1 && found[0].contains("first window"),
        "{found:?}"
    );
}

#[test]
fn sizes_and_times_that_make_no_sense_are_refused_at_their_keys() {
    let star = Star {
        senders: 2,
        bytes: 100_000,
        window: 10,
        buffer: "8pkts",
        queue: String::new(),
        more: ", packet_size = \"9000B\", timeout = \"20ms\"",
    };
    let text = star.text();
    let cells = "[[switch]]\nnodes = [\"hub\"]\nmemory = \"1MB\"\ncell = \"254B\"\nalpha = 8.0\n";
    let cases = [
        (text.replace("\"9000B\"", "\"64B\""), "packet_size"),
        (text.replace("\"20ms\"", "\"0s\""), "timeout"),
        (text.replace("window = 10", "window = 0"), "window"),
        (
            text.replace("timeout", "ack_size = \"0B\", timeout"),
            "ack_size",
        ),
        (format!("{text}{cells}"), "switch[0].cell"),
    ];
    for (text, key) in cases {
        let refused = load("star.toml", &text, &[], &|_: &str| Err(String::new()));
        let problems = refused.err().map(|problems| problems.to_string());
        let problems = problems.unwrap_or_else(|| panic!("{key} is taken"));
        assert!(problems.contains(key), "{problems}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// With little room headers are lost too, and time-outs repair that.
    #[test]
    fn all_data_arrive_once_whatever_is_cut_or_lost(
        seed in any::<u64>(),
        (senders, bytes, window) in (1u32..12, 1u64..400_000, 1u32..40),
        (buffer, headers) in (prop::sample::select(vec!["1pkt", "3pkts", "20KB"]), 0u32..40),
    ) {
        let star = Star {
            senders,
            bytes,
            window,
            buffer,
            queue: format!(", headers = \"{}pkts\"", headers + 4),
            more: ", timeout = \"200us\"",
        };
        let mut world = star.run(seed);
        let rows = world.take_transfers();
        prop_assert_eq!(rows.len(), senders as usize);
        for row in world.flow_rows() {
            prop_assert_eq!(row.goodput_bytes, bytes);
            prop_assert_eq!(row.sent_pkts, row.delivered_pkts + row.dropped_pkts);
        }
        for row in world.link_rows() {
            let trimmed = row.trimmed_bytes.unwrap_or(0);
            let gone = row.left_bytes + row.dropped_bytes + trimmed;
            prop_assert!(row.arrived_bytes >= gone);
        }
        let again = star.run(seed);
        prop_assert_eq!(world.fingerprint(), again.fingerprint());
    }
}
