//! TCP through the whole engine against ns-2 2.35, packet by packet: sender, links, queue, scripted
//! drops, receiver, and the return path. Nothing is injected: every arrival is the engine's own.
//!
//! The traces are those of `pacesim-tcp`; `PACESIM_NS2_TRACES` names a further folder.

#[allow(dead_code)]
#[path = "../../tcp/tests/ns2_trace/trace.rs"]
mod trace;

use std::fmt::Debug;
use std::io::Write;
use std::path::{Path, PathBuf};

use pacesim::World;
use pacesim::model::{Buffer, Load, Model, ScriptedDrop, Tcp, Traffic};
use pacesim::net::{Kind, Packet, Passage, Probe};
use pacesim::tcp::{Amount, SenderEvent};
use pacesim::units::{Capacity, FlowId, LinkId, Span, Time};
use serde::Deserialize;
use trace::Trace;

const FLOW: FlowId = FlowId(0);

/// Parameters of the engine beyond those of the two ends.
#[derive(Deserialize)]
struct Path3 {
    drops: Vec<(u32, u32)>,
    topology: Limits,
}

/// ns-2's `limit_` of each queue: one more than the packets that may wait.
#[derive(Deserialize)]
struct Limits {
    #[serde(rename = "qlimit_SR_pkts")]
    sender: u64,
    #[serde(rename = "qlimit_RD_pkts")]
    router: u64,
    #[serde(rename = "qlimit_reverse_pkts")]
    back: u64,
}

/// Sender, router, receiver; two links there and two back.
fn model(trace: &Trace, path: &Path3) -> Model {
    let mut model = Model::new("trace", trace.end.0 - Time::ZERO);
    let [s, r, d] = ["sender", "router", "receiver"].map(|name| model.add_node(name));
    let [(rate1, delay1), (rate2, delay2)] = trace.topology.links();
    let [(rate_back, _), _] = trace.topology.links_back();
    let limits = &path.topology;
    let hops = [
        (s, r, rate1, delay1, limits.sender),
        (r, d, rate2, delay2, limits.router),
        (d, r, rate_back, delay2, limits.back),
        (r, s, rate1, delay1, limits.back),
    ];
    for (from, to, rate, delay, limit) in hops {
        let link = model.add_link(from, to, rate, delay);
        model.link_mut(link).buffer = Buffer::waiting(Capacity::Packets(limit - 1));
    }
    let data = |&(seq, k): &(u32, u32)| ScriptedDrop::Sequence { flow: FLOW, seq, k };
    model.link_mut(LinkId(1)).extras.drops = path.drops.iter().map(data).collect();
    let ack = |&(ack, k): &(i64, u32)| ScriptedDrop::Ack {
        flow: FLOW,
        ack: ack as u32,
        k,
    };
    model.link_mut(LinkId(3)).extras.drops = trace.ack_drops.iter().map(ack).collect();
    let tcp = Tcp {
        config: trace.config(),
        load: load(trace),
        clock_phase: Some(trace.boot_time.0 - Time::ZERO),
        transport: None,
    };
    model.add_flow(s, d, Traffic::Tcp(tcp));
    model
}

/// All data at once, or more later.
fn load(trace: &Trace) -> Load {
    let first = (Span::ZERO, Amount::Packets(trace.npkts));
    let later = trace
        .more_data
        .iter()
        .map(|(at, n)| (at.0 - Time::ZERO, Amount::Packets(*n)));
    Load::Scheduled(std::iter::once(first).chain(later).collect())
}

/// Packets at the sender's port and at both ends.
#[derive(Default)]
struct Seen {
    data_tx: Vec<(Time, (u32, u8))>,
    ack_rx: Vec<(Time, i64)>,
    sink_rx: Vec<(Time, u32)>,
}

impl Probe for Seen {
    fn accepted(&mut self, now: Time, link: LinkId, packet: &Packet, _: Passage) {
        if link == LinkId(0) {
            self.data_tx
                .push((now, (packet.seq, u8::from(packet.is_again()))));
        }
    }

    fn delivered(&mut self, now: Time, packet: &Packet) {
        match packet.kind() {
            Kind::Data => self.sink_rx.push((now, packet.seq)),
            // Before the first packet ns-2 acknowledges -1.
            Kind::Ack => self.ack_rx.push((now, i64::from(packet.seq.cast_signed()))),
            Kind::Auxiliary => unreachable!("nothing stands on these routes"),
        }
    }
}

/// The sender's window and round-trip state after each event that the trace samples.
#[derive(Default)]
struct Looks {
    windows: Vec<(Time, (String, u32))>,
    round_trips: Vec<(Time, [u64; 4])>,
}

impl Looks {
    fn look(&mut self, world: &World<Seen>) {
        let sender = world.tcp_sender(FLOW).expect("the flow is TCP");
        let window = (six_digits(sender.cwnd()), sender.ssthresh() as u32);
        note(&mut self.windows, world.now(), window);
        let rtt = sender.rtt_state();
        let rtt = [rtt.last, rtt.srtt8, rtt.rttvar4, u64::from(rtt.backoff)];
        note(&mut self.round_trips, world.now(), rtt);
    }
}

/// Appends a value if it is new, replacing one of the same time: ns-2 prints only the last.
fn note<T: PartialEq>(list: &mut Vec<(Time, T)>, at: Time, value: T) {
    list.pop_if(|(last, _)| *last == at);
    if list.last().is_none_or(|(_, last)| *last != value) {
        list.push((at, value));
    }
}

/// The first difference between ns-2 and the engine.
fn check(file: &Path) -> Result<(), String> {
    let trace = Trace::read(file);
    let text = std::fs::read_to_string(file).expect("it was just read");
    let path: Path3 = serde_json::from_str(&text).expect("drops and limits");
    let mut world = World::watched(model(&trace, &path), Seen::default()).expect("a good model");
    world.record_tcp(FLOW);
    let mut looks = Looks::default();
    looks.look(&world);
    let mut known = (0, 0);
    while world.step().is_some() {
        let seen = (world.probe().data_tx.len(), world.probe().ack_rx.len());
        // A timer that sends nothing leaves no trace.
        if seen != known {
            looks.look(&world);
        }
        known = seen;
    }
    let timeouts: Vec<_> = world
        .take_tcp_events()
        .filter_map(|(_, event)| match event {
            SenderEvent::Timeout { at, seq, .. } => Some((at, seq)),
            _ => None,
        })
        .collect();
    compare(&trace, &world.into_probe(), &looks, &timeouts)
}

fn compare(
    trace: &Trace,
    seen: &Seen,
    looks: &Looks,
    timeouts: &[(Time, u32)],
) -> Result<(), String> {
    let events = &trace.events;
    let sent: Vec<_> = events
        .data_tx
        .iter()
        .map(|(at, seq, again)| (at.0, (*seq, *again)))
        .collect();
    let arrived: Vec<_> = events
        .sink_rx
        .iter()
        .map(|(at, seq)| (at.0, *seq))
        .collect();
    let acks: Vec<_> = events.ack_rx.iter().map(|(at, ack)| (at.0, *ack)).collect();
    let windows: Vec<_> = events
        .win
        .iter()
        .map(|(at, w, s)| (at.0, (six_digits(*w), *s)))
        .collect();
    let rtt =
        |(at, a, b, c, d): &(trace::At, u64, u64, u64, u32)| (at.0, [*a, *b, *c, u64::from(*d)]);
    let round_trips: Vec<_> = events.rtt.iter().map(rtt).collect();
    let expired: Vec<_> = events.rto.iter().map(|(at, seq)| (at.0, *seq)).collect();
    same("transmission", &sent, &seen.data_tx)?;
    same("arrival", &arrived, &seen.sink_rx)?;
    same("ACK", &acks, &seen.ack_rx)?;
    same("window", &windows, &looks.windows)?;
    same("round trip", &round_trips, &looks.round_trips)?;
    if trace.paced {
        // Go-back-N is paced: what left without an ACK need not be a timeout.
        return Ok(());
    }
    same("timeout", &expired, timeouts)
}

/// A real number as ns-2 prints it.
fn six_digits(x: f64) -> String {
    format!("{x:.5e}")
}

/// Compares two lists, with times to a nanosecond.
fn same<T: PartialEq + Debug>(
    what: &str,
    theirs: &[(Time, T)],
    ours: &[(Time, T)],
) -> Result<(), String> {
    let close = |a: Time, b: Time| a.max(b) - a.min(b) <= Span::from_ns(1);
    for (i, (x, y)) in theirs.iter().zip(ours).enumerate() {
        if !close(x.0, y.0) || x.1 != y.1 {
            return Err(format!("{what} {i}: ns-2 {x:?}, we {y:?}"));
        }
    }
    if theirs.len() != ours.len() {
        return Err(format!(
            "{what}s: ns-2 has {}, we have {}",
            theirs.len(),
            ours.len()
        ));
    }
    Ok(())
}

/// Runs all traces of a folder; returns the first difference of each that differs.
fn run_folder(folder: &Path) -> Vec<(String, String)> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.expect("a readable folder").path())
        .filter(|path| path.extension().is_some_and(|end| end == "json"))
        .collect();
    files.sort();
    assert!(!files.is_empty(), "no trace in {}", folder.display());
    let name = |file: &Path| {
        file.file_stem()
            .expect("a name")
            .to_string_lossy()
            .into_owned()
    };
    let misses: Vec<(String, String)> = files
        .iter()
        .filter_map(|file| Some((name(file), check(file).err()?)))
        .collect();
    report(files.len(), &misses).expect("a writable output");
    misses
}

/// Reports the number that agree, bypassing the test harness, which would swallow it.
fn report(all: usize, misses: &[(String, String)]) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    for (name, why) in misses {
        writeln!(out, "{name}: {why}")?;
    }
    writeln!(out, "{all} traces, {} exact", all - misses.len())
}

#[test]
fn every_shipped_trace_comes_out_exactly() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tcp/tests/ns2");
    let misses = run_folder(&folder);
    assert!(misses.is_empty(), "{misses:#?}");
}

#[test]
fn every_trace_of_the_folder_in_the_environment_comes_out_exactly() {
    let Some(folder) = std::env::var_os("PACESIM_NS2_TRACES") else {
        return;
    };
    let misses = run_folder(Path::new(&folder));
    assert!(misses.is_empty(), "{} traces differ", misses.len());
}
