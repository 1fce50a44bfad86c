//! Single and consecutive transfers against ns-2 2.35, to a nanosecond: completion at both ends,
//! packets sent, and the sender's state before and after. `ns2/transfers.csv` and
//! `ns2/consecutive.csv` were printed by ns-2.

use std::collections::BTreeMap;
use std::sync::Arc;

use pacesim::World;
use pacesim::model::{Load, Model, Pause, ScriptedDrop, Tcp, Traffic, TransferSizes, Transfers};
use pacesim::net::{Kind, Packet, Passage, Probe};
use pacesim::tcp::{AfterIdle, Amount, Config, Variant};
use pacesim::units::{Bytes, FlowId, LinkId, Rate, Span, Time};

const FLOW: FlowId = FlowId(0);

/// A line of a table, by column name.
type Line = BTreeMap<&'static str, &'static str>;

fn lines(table: &'static str) -> Vec<Line> {
    let mut lines = table.lines();
    let names: Vec<&str> = lines.next().expect("a header").split(',').collect();
    let line = |line: &'static str| names.iter().copied().zip(line.split(',')).collect();
    lines.map(line).collect()
}

fn number<T: std::str::FromStr>(line: &Line, name: &str) -> T {
    let value = line[name].parse();
    value.unwrap_or_else(|_| panic!("{name} is {}", line[name]))
}

fn time(line: &Line, name: &str) -> Time {
    Time::ZERO + Span::from_secs_f64(number(line, name)).expect("a time")
}

/// ns-2 prints times to a nanosecond.
fn assert_same(what: &str, line: &Line, ours: Time, ns2: Time) {
    let apart = ours.max(ns2) - ours.min(ns2);
    assert!(
        apart <= Span::from_ns(1),
        "{what}: ns-2 {ns2}, we {ours}: {line:?}"
    );
}

/// First arrivals at the receiver, and departures.
#[derive(Default)]
struct Seen {
    arrived: BTreeMap<u32, Time>,
    left: BTreeMap<u32, Time>,
    sent: u32,
    again: u32,
}

impl Probe for Seen {
    fn accepted(&mut self, now: Time, link: LinkId, packet: &Packet, _: Passage) {
        if link == LinkId(0) && packet.seq > 0 {
            self.left.entry(packet.seq).or_insert(now);
            self.sent += 1;
            self.again += u32::from(packet.is_again());
        }
    }

    fn delivered(&mut self, now: Time, packet: &Packet) {
        if packet.kind() == Kind::Data {
            self.arrived.entry(packet.seq).or_insert(now);
        }
    }
}

fn config(line: &Line) -> Config {
    let variant = match line["variant"] {
        "Reno" => Variant::Reno,
        "Newreno" => Variant::NewReno,
        "Sack1" => Variant::Sack,
        other => panic!("{other}"),
    };
    let mut config = Config::ns2(variant);
    config.window_cap = 64.0;
    config.header = Bytes(0);
    config
}

/// 100 Mbps and 1 ms, then 10 Mbps and 49 ms, without limits; drops before the second link.
fn world(config: Config, load: Load, line: &Line, drops: &[(u32, u32)]) -> World<Seen> {
    let mut model = Model::new("transfers", Span::from_secs(60));
    let [s, r, d] = ["S", "R", "D"].map(|name| model.add_node(name));
    let first = (Rate::from_mbps(100), Span::from_ms(1));
    let second = (Rate::from_mbps(10), Span::from_ms(49));
    for (from, to, (rate, delay)) in [(s, r, first), (r, d, second), (d, r, second), (r, s, first)]
    {
        model.add_link(from, to, rate, delay);
    }
    let drop = |&(seq, k): &(u32, u32)| ScriptedDrop::Sequence { flow: FLOW, seq, k };
    model.link_mut(LinkId(1)).extras.drops = drops.iter().map(drop).collect();
    let tcp = Tcp {
        config: Arc::new(config),
        load,
        clock_phase: Some(time(line, "boot_time") - Time::ZERO),
        transport: None,
    };
    model.add_flow(s, d, Traffic::Tcp(tcp));
    World::watched(model, Seen::default()).expect("a sound model")
}

fn six_digits(x: f64) -> String {
    format!("{x:.5e}")
}

fn assert_state(world: &World<Seen>, line: &Line, columns: [&str; 5]) {
    let sender = world.tcp_sender(FLOW).expect("TCP");
    let rtt = sender.rtt_state();
    let ns2 = columns.map(|name| number::<f64>(line, name));
    let ours = [
        sender.cwnd(),
        sender.ssthresh(),
        rtt.srtt8 as f64,
        rtt.rttvar4 as f64,
        f64::from(rtt.backoff),
    ];
    assert_eq!(
        ours.map(six_digits),
        ns2.map(six_digits),
        "{columns:?}: {line:?}"
    );
}

#[test]
fn single_transfers_take_the_time_that_they_take_in_ns2() {
    let table = lines(include_str!("ns2/transfers.csv"));
    assert_eq!(table.len(), 138);
    for line in &table {
        let n: u32 = number(line, "n");
        let mut config = config(line);
        config.window_cap = number(line, "window");
        config.header = Bytes(40 * number::<u64>(line, "usehdr"));
        let drops = match line["loss"] {
            "none" => vec![],
            "last" => vec![(n, 1)],
            seq => vec![(seq.parse().expect("a number"), 1)],
        };
        let load = Load::Once(Amount::Packets(n));
        let mut world = world(config, load, line, &drops);
        let end = time(line, "last_ack_at_sender_s");
        world.run_until(end + Span::from_ns(1));
        let columns = [
            "cwnd_end",
            "ssthresh_end",
            "srtt8_end",
            "rttvar4_end",
            "backoff_end",
        ];
        assert_state(&world, line, columns);
        let transfers = world.take_transfers();
        let ended = transfers[0].end_ps.expect("it has ended");
        assert_same("last ACK", line, Time::from_ps(ended), end);
        let counters = *world.tcp_sender(FLOW).expect("TCP").counters();
        assert_eq!(
            counters.timeouts,
            number::<u32>(line, "timeouts"),
            "{line:?}"
        );
        let seen = world.probe();
        assert_same(
            "first data",
            line,
            seen.left[&1],
            time(line, "first_data_tx_s"),
        );
        let last = (1..=n).map(|seq| seen.arrived[&seq]).max().expect("some");
        assert_same("receiver", line, last, time(line, "complete_at_receiver_s"));
        let sent = (number(line, "data_packets_sent"), number(line, "rexmit"));
        assert_eq!((seen.sent, seen.again), sent, "{line:?}");
    }
}

/// The transfers of one connection, line by line.
fn assert_consecutive(table: &[Line]) {
    let first = &table[0];
    let mut config = config(first);
    if first["ssr"] == "false" {
        config.after_idle = AfterIdle::Keep;
    }
    let sizes: Vec<u32> = first["xfers"]
        .split(' ')
        .map(|n| n.parse().expect("a size"))
        .collect();
    let drops: Vec<(u32, u32)> = first["drops"]
        .split(' ')
        .filter_map(|drop| drop.split_once(':'))
        .map(|(seq, k)| (seq.parse().expect("a number"), k.parse().expect("a count")))
        .collect();
    let pause: f64 = number(first, "pause");
    let mut world = world(config, load(&sizes, pause, table), first, &drops);
    let mut base = 0;
    for (line, size) in table.iter().zip(&sizes) {
        let (start, end) = (time(line, "start_s"), time(line, "last_ack_at_sender_s"));
        world.run_before(start.max(Time::from_ps(1)));
        if start > Time::ZERO {
            let of = "cwnd ssthresh srtt rttvar backoff";
            assert_state(
                &world,
                line,
                columns("before", of).each_ref().map(|c| c.as_str()),
            );
        }
        let before = (world.probe().sent, world.probe().again);
        world.run_until(end + Span::from_ns(1));
        let of = "cwnd ssthresh srtt rttvar backoff";
        assert_state(
            &world,
            line,
            columns("after", of).each_ref().map(|c| c.as_str()),
        );
        let transfers = world.take_transfers();
        assert_same("start", line, Time::from_ps(transfers[0].start_ps), start);
        let ended = transfers[0].end_ps.expect("it has ended");
        assert_same("last ACK", line, Time::from_ps(ended), end);
        let seen = world.probe();
        let sent = (seen.sent - before.0, seen.again - before.1);
        assert_eq!(
            sent,
            (number(line, "sent"), number(line, "rexmit")),
            "{line:?}"
        );
        let left = seen.left[&(base + 1)];
        assert_same("first data", line, left, time(line, "first_data_tx_s"));
        let last = (base + 1..=base + size).map(|seq| seen.arrived[&seq]).max();
        let at_receiver = time(line, "complete_at_receiver_s");
        assert_same("receiver", line, last.expect("some"), at_receiver);
        base += size;
    }
}

fn columns(when: &str, names: &str) -> [String; 5] {
    let mut names = names.split(' ');
    std::array::from_fn(|_| format!("{when}_{}", names.next().expect("five names")))
}

/// Consecutive transfers, or, if their sizes differ, transfers at the times at which ns-2 began
/// them.
fn load(sizes: &[u32], pause: f64, table: &[Line]) -> Load {
    if sizes.iter().all(|size| *size == sizes[0]) {
        return Load::from(Transfers {
            pause: Pause::Constant(Span::from_secs_f64(pause).expect("a pause")),
            count: Some(sizes.len() as u32),
            ..Transfers::new(TransferSizes::Packets(sizes[0]))
        });
    }
    let starts = table.iter().map(|line| time(line, "start_s") - Time::ZERO);
    let amounts = sizes.iter().map(|size| Amount::Packets(*size));
    Load::Scheduled(starts.zip(amounts).collect())
}

#[test]
fn transfers_on_one_connection_find_what_they_find_in_ns2() {
    let table = lines(include_str!("ns2/consecutive.csv"));
    let starts: Vec<usize> = (0..table.len())
        .filter(|i| table[*i]["transfer"] == "0")
        .collect();
    assert_eq!((table.len(), starts.len()), (83, 41));
    for (i, start) in starts.iter().enumerate() {
        let end = starts.get(i + 1).copied().unwrap_or(table.len());
        assert_consecutive(&table[*start..end]);
    }
}
