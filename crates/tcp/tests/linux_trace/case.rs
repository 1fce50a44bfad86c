//! A recorded case: its scenario, every packet at the path's entry, and the sender's state.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

use pacesim_units::{Span, Time};

/// Offset of recorded times in microseconds, a whole number of ticks, so that none is negative.
const SHIFT: i64 = 100_000_000;

/// The part of the scenario that concerns a sender.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scenario {
    pub(crate) control: String,
    /// The far end is a script of its ACKs and of the application's writes.
    pub(crate) peer: bool,
    pub(crate) sack: bool,
    pub(crate) ecn: bool,
    pub(crate) ecn_low: bool,
    /// The receiver's congestion control, if stated.
    pub(crate) peer_control: Option<String>,
    pub(crate) hystart: bool,
    pub(crate) offset_us: u64,
    /// Packets to send in total; the size and period of writes.
    pub(crate) segments: Option<u32>,
    pub(crate) chunk: Option<(u32, u64)>,
    pub(crate) max_pace_bps: Option<u64>,
    pub(crate) fq: bool,
    pub(crate) gso: bool,
    pub(crate) flows: usize,
    /// Bytes of the receiver's buffer as requested by its application; the kernel doubles them.
    pub(crate) receive_buffer: Option<u64>,
    /// The script, in its order.
    pub(crate) script: Vec<Step>,
}

/// A step of a script: bytes written, or acknowledged, with the window that the ACK names.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub(crate) write: Option<u64>,
    pub(crate) window: Option<u64>,
}

/// A packet at the path's entry.
#[derive(Clone, Debug)]
pub(crate) struct Packet {
    pub(crate) at: Time,
    pub(crate) is_ack: bool,
    pub(crate) seq: i64,
    pub(crate) len: u64,
    pub(crate) ack: i64,
    pub(crate) flags: u8,
    pub(crate) ecn: u8,
    pub(crate) again: bool,
    pub(crate) sacks: Vec<(i64, i64)>,
    pub(crate) delivered: bool,
    pub(crate) fate_marked: bool,
    /// Time of arrival at the other end.
    pub(crate) out: Time,
    /// The window field and the echoed timestamp, if recorded.
    pub(crate) window: Option<u64>,
    pub(crate) echo: Option<u64>,
}

/// The sender's state after an ACK (A), a timer's packet (T), a write (W), or at intervals (P).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Info {
    pub(crate) at: Time,
    pub(crate) why: char,
    /// Its place among the records.
    pub(crate) order: usize,
    pub(crate) state: [i64; 7],
    /// Packets retransmitted in total, and delivered.
    pub(crate) resent: i64,
    pub(crate) delivered: i64,
    /// The rate of delivery, in bytes per second; lower bounds are not marked as such.
    pub(crate) rate: i64,
    pub(crate) app_limited: bool,
    /// The control's model and the pacing rate, by the names of [`MODEL`], where present.
    pub(crate) model: [Option<i64>; MODEL.len()],
}

#[derive(Debug)]
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) scenario: Scenario,
    pub(crate) packets: Vec<Packet>,
    pub(crate) infos: Vec<Info>,
}

/// The names of the values in [`Info::state`].
pub(crate) const STATE: [&str; 7] = [
    "state", "cwnd", "ssthresh", "unacked", "sacked", "lost", "retrans",
];

/// The names of the values in [`Info::model`]; in version 1 of BBR only the first ones.
pub(crate) const MODEL: [&str; 11] = [
    "bbr_bw",
    "bbr_min_rtt",
    "bbr_pgain",
    "bbr_cgain",
    "pacing_Bps",
    "bbr_phase",
    "bbr_bw_hi",
    "bbr_bw_lo",
    "bbr_inflight_lo",
    "bbr_inflight_hi",
    "bbr_extra_acked",
];
pub(crate) const MODEL_1: usize = 5;

impl Info {
    /// True if the window has room.
    pub(crate) fn may_send(&self) -> bool {
        let [_, cwnd, _, unacked, sacked, lost, retrans] = self.state;
        unacked - sacked - lost + retrans < cwnd
    }
}

impl Case {
    /// Reads a case from a folder; none if its packets were not kept.
    pub(crate) fn read(folder: &Path, name: &str) -> Option<Case> {
        let mut scenario = Scenario::read(&folder.join("scenarios").join(format!("{name}.txt")));
        let trace = |kind: &str| text(&folder.join("traces").join(format!("{name}.vm.{kind}.csv")));
        let (packets, infos) = (trace("pkt")?, trace("info")?);
        // On a kernel with version 3 the control is still called bbr.
        if scenario.control == "bbr"
            && infos
                .lines()
                .next()
                .is_some_and(|h| h.contains("bbr_phase"))
        {
            "bbr3".clone_into(&mut scenario.control);
        }
        let names = match scenario.control.as_str() {
            "bbr" => &MODEL[..MODEL_1],
            "bbr3" => &MODEL[..],
            _ => &[],
        };
        Some(Case {
            name: name.to_owned(),
            scenario,
            packets: rows(&packets).map(|row| packet(&row)).collect(),
            infos: rows(&infos)
                .enumerate()
                .map(|(order, row)| info(&row, order, names))
                .collect(),
        })
    }

    /// Bytes of user data in a full packet.
    pub(crate) fn payload(&self) -> u64 {
        let data = self.packets.iter().filter(|p| !p.is_ack);
        data.map(|p| p.len).max().unwrap_or(1).max(1)
    }
}

impl Scenario {
    fn read(path: &Path) -> Scenario {
        let all =
            std::fs::read_to_string(path).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
        let mut scenario = Scenario {
            sack: true,
            hystart: true,
            ..Scenario::default()
        };
        for line in all.lines() {
            let words: Vec<&str> = line.split_whitespace().collect();
            scenario.take(&words);
        }
        scenario
    }

    /// True for a control with a model of the path, which needs times to the microsecond.
    pub(crate) fn has_model(&self) -> bool {
        self.control.starts_with("bbr")
    }

    fn take(&mut self, words: &[&str]) {
        let on = || words.get(1) == Some(&"1");
        match words.first().copied() {
            Some("peer") => self.peer = on(),
            Some("peer_sack") => self.sack = on(),
            Some("hystart") => self.hystart = on(),
            Some("ecn_low") => self.ecn_low = on(),
            Some("rcc") => self.peer_control = words.get(1).map(|&name| name.to_owned()),
            Some("gso") => self.gso = on(),
            Some("sysctl") => self.ecn |= words[2..] == ["tcp_ecn", "1"],
            Some("offset_us") => self.offset_us = words[1].parse().unwrap_or(0),
            Some("qdisc") => self.fq = words[1] == "fq",
            Some("flow") => self.take_flow(&words[1..]),
            Some("ev") => self.script.push(step(&words[1..])),
            _ => {}
        }
    }

    fn take_flow(&mut self, words: &[&str]) {
        self.flows += 1;
        let mut chunk = (0, 0.0);
        for word in words {
            let (key, value) = word.split_once('=').expect("key=value");
            let number = || value.parse::<f64>().expect("a number");
            match key {
                "rcvbuf" => self.receive_buffer = Some(number() as u64).filter(|bytes| *bytes > 0),
                "cc" => value.clone_into(&mut self.control),
                "segs" => self.segments = Some(number() as u32),
                "chunk_segs" => chunk.0 = number() as u32,
                "chunk_ms" => chunk.1 = number(),
                "maxpace_bps" => self.max_pace_bps = Some(number() as u64),
                _ => {}
            }
        }
        if chunk.0 > 0 {
            self.chunk = Some((chunk.0, (chunk.1 * 1000.0) as u64));
        }
    }
}

fn step(words: &[&str]) -> Step {
    let window = words.iter().position(|word| *word == "win");
    Step {
        write: (words[1] == "write").then(|| words[2].parse().expect("bytes")),
        window: window.map(|place| words[place + 1].parse().expect("bytes")),
    }
}

/// The text of a file, plain or packed with xz.
fn text(path: &Path) -> Option<String> {
    if let Ok(plain) = std::fs::read_to_string(path) {
        return Some(plain);
    }
    let mut packed = path.as_os_str().to_owned();
    packed.push(".xz");
    let mut file = BufReader::new(File::open(&packed).ok()?);
    let mut plain = Vec::new();
    lzma_rs::xz_decompress(&mut file, &mut plain).expect("a file packed with xz");
    let mut text = String::new();
    plain.as_slice().read_to_string(&mut text).expect("UTF-8");
    Some(text)
}

/// The rows of a table, by the names of its columns.
fn rows(table: &str) -> impl Iterator<Item = Row<'_>> {
    let mut lines = table.lines();
    let names: Vec<&str> = lines.next().unwrap_or("").split(',').collect();
    lines.map(move |line| Row {
        names: names.clone(),
        values: line.split(',').collect(),
    })
}

struct Row<'t> {
    names: Vec<&'t str>,
    values: Vec<&'t str>,
}

impl<'t> Row<'t> {
    fn find(&self, name: &str) -> Option<&'t str> {
        let place = self.names.iter().position(|n| *n == name)?;
        Some(self.values[place])
    }

    fn get(&self, name: &str) -> &'t str {
        self.find(name)
            .unwrap_or_else(|| panic!("no column {name}"))
    }

    fn int(&self, name: &str) -> i64 {
        let value = self.get(name);
        value
            .parse()
            .unwrap_or_else(|_| panic!("{name} is {value:?}"))
    }

    fn time(&self, name: &str) -> Time {
        time(self.int(name))
    }
}

pub(crate) fn time(us: i64) -> Time {
    Time::ZERO + Span::from_us((us + SHIFT) as u64)
}

pub(crate) fn micros(time: Time) -> i64 {
    (time.as_ps() / 1_000_000) as i64 - SHIFT
}

fn packet(row: &Row<'_>) -> Packet {
    let sacks = row.get("sack").split(' ').filter_map(|block| {
        let (start, end) = block.split_once('-')?;
        Some((start.parse().ok()?, end.parse().ok()?))
    });
    Packet {
        at: row.time("t_us"),
        is_ack: row.get("dir") == "A",
        seq: row.int("seq"),
        len: row.int("len") as u64,
        ack: row.int("ack"),
        flags: u8::from_str_radix(row.get("flags"), 16).expect("hexadecimal flags"),
        ecn: row.int("ecn") as u8,
        again: row.int("rtx") == 1,
        sacks: sacks.collect(),
        delivered: matches!(row.int("fate"), 0 | 4),
        fate_marked: row.int("fate") == 4,
        out: row.time("out_us"),
        echo: row
            .find("tsecr")
            .map(|echo| echo.parse().expect("a number")),
        window: row
            .find("win")
            .map(|window| window.parse().expect("a number")),
    }
}

fn info(row: &Row<'_>, order: usize, names: &[&str]) -> Info {
    Info {
        at: row.time("t_us"),
        order,
        why: row.get("why").chars().next().unwrap_or('?'),
        state: [
            "ca", "cwnd", "ssthresh", "unacked", "sacked", "lost", "retrans",
        ]
        .map(|name| row.int(name)),
        resent: row.int("total_retrans"),
        delivered: row.int("delivered"),
        rate: row.int("rate_Bps"),
        app_limited: row.int("app_limited") != 0,
        model: MODEL.map(|name| names.contains(&name).then(|| row.int(name))),
    }
}
