//! Laws of switches that pause their inputs: nothing is dropped while the headroom holds what may
//! arrive after a pause, each pause ends, and classes are paused apart.

use pacesim::World;
use pacesim::measure::record::LinkRow;
use pacesim::scenario::load;
use pacesim::units::LinkId;
use pacesim_analytic::fabric::hpcc_utilisation;
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::{Config, TestRunner};

/// A sender: its leaf, that of its receiver, the bytes that it sends, and its start.
type Sender = (u32, u32, u32, u32);

/// Two switches with three leaves each, of lines of any rate, and what they send each other.
#[derive(Clone, Debug)]
struct Net {
    gbps: [u32; 2],
    trunk_gbps: u32,
    delay_ns: u32,
    packet: u32,
    /// The memory of a switch beyond reserves and headroom.
    shared: u32,
    response_ns: u32,
    senders: Vec<Sender>,
    /// Number of classes, and true if the ports upstream keep them apart.
    classes: (u32, bool),
    /// Bytes by which the headroom is below what it needs.
    less: u32,
    /// Rate and delay of the lines from switches to leaves.
    back: (u32, u32),
    /// Rate and delay that the trunk has from some time on, both ways.
    event: Option<(u32, u32, u32)>,
    /// True if the scenario leaves the headroom to the program.
    is_left_out: bool,
    /// Quanta for which a pause lasts, beyond the least, if it ends by itself.
    quanta: Option<u32>,
    seed: u64,
}

fn any_net() -> impl Strategy<Value = Net> {
    let sender = (0..6u32, 0..6u32, 1_000..200_000u32, 0..20_000u32);
    let event = (1..30_000u32, 1..200u32, 0..9_000u32);
    let lines = (
        [1..100u32, 1..100u32],
        (1..200u32, 0..5_000u32, 200..4_000u32),
        (1..100u32, 0..5_000u32),
        prop::option::of(event),
    );
    let pauses = (
        (2_000..60_000u32, 0..1_000u32),
        (1..3u32, any::<bool>()),
        any::<bool>(),
        prop::option::of(0..2_000u32),
    );
    let senders = prop::collection::vec(sender, 2..10);
    (lines, pauses, senders, any::<u64>()).prop_map(|(lines, pauses, senders, seed)| {
        let (gbps, (trunk_gbps, delay_ns, packet), back, event) = lines;
        let ((shared, response_ns), classes, is_left_out, quanta) = pauses;
        Net {
            gbps,
            trunk_gbps,
            delay_ns,
            packet,
            shared,
            response_ns,
            senders,
            classes,
            less: 0,
            back,
            event,
            is_left_out,
            quanta,
            seed,
        }
    })
}

impl Net {
    /// The same with lines and packets by which events fall on the same instants.
    fn in_step(self) -> Net {
        Net {
            gbps: [10, 10],
            trunk_gbps: 10,
            delay_ns: 1000,
            packet: 1000,
            response_ns: 0,
            back: (10, 1000),
            event: None,
            senders: self
                .senders
                .into_iter()
                .map(|(from, to, bytes, _)| (from, to, bytes, 0))
                .collect(),
            ..self
        }
    }

    /// The same with a headroom that is a packet short.
    fn short(self) -> Net {
        Net {
            less: self.packet,
            is_left_out: false,
            ..self
        }
    }

    /// The headroom that never overflows: the packet that crosses the threshold, one just begun upstream,
    /// all that is sent while the frame waits for a packet and for those of other classes, the wires, the response.
    fn needed_by(&self, gbps: u32, delay_ns: u32, back: (u32, u32)) -> u32 {
        let bytes = |ns: u32| (u64::from(gbps) * u64::from(ns)).div_ceil(8) as u32;
        let frames = 64 * self.classes.0;
        let over_back = u64::from(self.packet + frames) * u64::from(gbps);
        let over_back = over_back.div_ceil(back.0.into()) as u32;
        2 * self.packet + over_back + bytes(delay_ns + back.1) + bytes(self.response_ns)
    }

    /// The most that any input needs.
    fn needed(&self) -> u32 {
        let rates = [Some(self.trunk_gbps), self.event.map(|event| event.1)];
        let [least, most] =
            [u32::min, u32::max].map(|of| rates.into_iter().flatten().reduce(of).expect("a rate"));
        let delay = self.event.map_or(0, |event| event.2).max(self.delay_ns);
        let of_trunk = self.needed_by(most, delay, (least, delay));
        let of_leaves = self
            .gbps
            .map(|gbps| self.needed_by(gbps, self.delay_ns, self.back));
        of_leaves.into_iter().fold(of_trunk, u32::max)
    }

    /// The least quanta with which a pause is renewed before it ends.
    fn least_quanta(&self) -> u32 {
        let trunk = self.event.map_or(1, |(_, gbps, _)| {
            gbps.max(self.trunk_gbps) / gbps.min(self.trunk_gbps) + 1
        });
        let leaves = self.gbps.map(|gbps| gbps / self.back.0 + 1);
        let faster = leaves.into_iter().fold(trunk, u32::max);
        2 * faster * (self.packet + 2 * 64) / 64 + 1
    }

    fn pfc(&self, headroom: u32) -> String {
        let mut keys = vec![
            format!("classes = {}", self.classes.0),
            format!("response = \"{}ns\"", self.response_ns),
        ];
        if !self.is_left_out {
            keys.push(format!("headroom = \"{headroom}B\""));
        }
        if let Some(more) = self.quanta {
            keys.push(format!(
                "quanta = {}",
                (self.least_quanta() + more).min(65_535)
            ));
        }
        keys.join(", ")
    }

    fn scenario(&self) -> String {
        let headroom = self.needed() - self.less;
        let (classes, apart) = self.classes;
        let memory = self.shared + 4 * headroom * classes;
        let discipline = match apart {
            true => "discipline = { kind = \"strict_priority\" }",
            false => "discipline = { kind = \"drop_tail\" }",
        };
        let mut text = format!(
            "host = \"none\"\nrun = {{ duration = \"1s\", ties = \"drawn\", seed = {} }}\n\
             [[node]]\nname = \"leaf\"\ncount = 6\n[[node]]\nname = \"hub\"\ncount = 2\n",
            self.seed >> 1
        );
        for leaf in 0..6 {
            text += &format!(
                "[[link]]\nname = \"l{leaf}\"\nfrom = \"leaf[{leaf}]\"\nto = \"hub[{}]\"\n\
                 rate = \"{}Gbps\"\ndelay = \"{}ns\"\n{discipline}\n\
                 back = {{ rate = \"{}Gbps\", delay = \"{}ns\", {discipline} }}\n",
                leaf / 3,
                self.gbps[leaf % 2],
                self.delay_ns,
                self.back.0,
                self.back.1,
            );
        }
        text += &format!(
            "[[link]]\nname = \"trunk\"\nfrom = \"hub[0]\"\nto = \"hub[1]\"\nrate = \"{}Gbps\"\ndelay = \"{}ns\"\n\
             {discipline}\nback = {{ {discipline} }}\n\
             [[switch]]\nnodes = [\"hub\"]\nmemory = \"{memory}B\"\nalpha = 0.5\npfc = {{ {} }}\n",
            self.trunk_gbps,
            self.delay_ns,
            self.pfc(headroom)
        );
        if let Some((at, gbps, delay)) = self.event {
            text += &format!(
                "[[event]]\nat = \"{at}ns\"\nlinks = [\"trunk\", \"trunk.back\"]\nrate = \"{gbps}Gbps\"\ndelay = \"{delay}ns\"\n"
            );
        }
        for (i, (from, to, bytes, start)) in self.senders.iter().enumerate() {
            let to = if from == to { (to + 1) % 6 } else { *to };
            text += &format!(
                "[[flow]]\nname = \"f{i}\"\nfrom = \"leaf[{from}]\"\nto = \"leaf[{to}]\"\nstart = \"{start}ns\"\nclass = {}\n\
                 traffic = {{ kind = \"rdma\", control = {{ kind = \"line\" }}, packet_size = \"{}B\", header = \"48B\", \
                 ack_size = \"64B\", transfer = \"{bytes}B\" }}\n",
                i as u32 % classes,
                self.packet
            );
        }
        text
    }

    fn run(&self) -> World {
        let text = self.scenario();
        let checked = load("net.toml", &text, &[], &());
        let checked = checked.unwrap_or_else(|problems| panic!("{problems}\n{text}"));
        let mut world = World::new(checked.expand(self.seed >> 1, 0)).expect("a world");
        world.run();
        world
    }
}

fn drops(world: &World) -> u64 {
    world.link_rows().iter().map(|row| row.dropped_pkts).sum()
}

/// Drops for want of room.
fn full(world: &World) -> u64 {
    let rows = world.link_rows();
    rows.iter().filter_map(|row| row.full_pkts).sum()
}

/// Transfers that have ended.
fn ended(world: &mut World) -> usize {
    let rows = world.take_transfers();
    rows.iter().filter(|row| row.end_ps.is_some()).count()
}

fn pauses(world: &World) -> u64 {
    world.link_rows().iter().filter_map(|row| row.pauses).sum()
}

proptest! {
    #[test]
    fn with_enough_headroom_nothing_is_dropped_and_each_pause_ends(
        net in any_net(),
        is_in_step in any::<bool>(),
    ) {
        let net = if is_in_step { net.in_step() } else { net };
        let mut world = net.run();
        prop_assert_eq!(drops(&world), 0);
        prop_assert_eq!(world.in_flight(), 0);
        let links = world.model().links.len();
        let paused = (0..links).filter(|link| world.is_paused(LinkId::from_index(*link)));
        prop_assert_eq!(paused.count(), 0, "a pause that has not ended");
        let done = world.take_transfers();
        prop_assert!(done.iter().all(|row| row.end_ps.is_some()));
        prop_assert_eq!(done.len(), net.senders.len());
        let again: u64 = world.flow_rows().iter().map(|row| row.retransmitted_pkts).sum();
        prop_assert_eq!(again, 0, "nothing is sent again");
    }

    /// With a packet less some networks drop packets, and each drop is for want of room.
    #[test]
    fn drops_of_a_small_headroom_are_named(net in any_net()) {
        let world = net.short().run();
        prop_assert_eq!(full(&world), drops(&world));
    }

    #[test]
    fn a_run_is_the_same_twice(net in any_net()) {
        prop_assert_eq!(net.run().fingerprint(), net.run().fingerprint());
    }
}

/// With a packet less one random network in some hundreds drops, and all data arrive yet.
#[test]
fn a_headroom_that_is_a_packet_short_drops() {
    let mut runner = TestRunner::deterministic();
    let mut nets = (0..5000).map(|_| {
        let net = any_net().new_tree(&mut runner).expect("a network");
        net.current()
    });
    let net = nets.find(|net| drops(&net.clone().short().run()) > 0);
    let net = net.expect("a network that needs the packet");
    let enough = net.run();
    assert_eq!(drops(&enough), 0);
    assert!(pauses(&enough) > 0, "there is something to test");
    let mut short = net.short().run();
    assert_eq!(full(&short), drops(&short), "for want of room");
    let done = short.take_transfers();
    assert!(
        done.iter().all(|row| row.end_ps.is_some()),
        "lost packets are sent again"
    );
}

/// Random networks, `PACESIM_NETWORKS` of them: none with enough headroom drops, and some do with a packet
/// less.
#[test]
#[ignore = "a campaign of hours"]
fn campaign() {
    let networks = std::env::var("PACESIM_NETWORKS").map_or(1000, |n| n.parse().expect("a number"));
    let mut runner = TestRunner::new(Config::default());
    let (mut pausing, mut dropping) = (0, 0);
    for done in 1..=networks {
        let net = any_net()
            .new_tree(&mut runner)
            .expect("a network")
            .current();
        let enough = net.run();
        assert_eq!(drops(&enough), 0, "{net:?}");
        assert_eq!(enough.in_flight(), 0, "{net:?}");
        pausing += u64::from(pauses(&enough) > 0);
        let short = net.short().run();
        assert_eq!(full(&short), drops(&short));
        dropping += u64::from(drops(&short) > 0);
        if done % 1000 == 0 || done == networks {
            println!(
                "{done} networks, {pausing} with pauses: no drop; {dropping} drop with a packet less"
            );
        }
    }
}

/// The delay of a link back falls while frames are under way: none overtakes another, or an input that is to
/// be paused would be resumed.
#[test]
fn frames_keep_their_order_when_a_delay_falls() {
    let net = Net {
        gbps: [99, 48],
        trunk_gbps: 187,
        delay_ns: 4728,
        packet: 833,
        shared: 49_325,
        response_ns: 655,
        senders: vec![
            (1, 1, 108_537, 11_571),
            (0, 3, 103_823, 16_216),
            (5, 0, 134_630, 8302),
            (4, 1, 115_739, 7625),
        ],
        classes: (2, false),
        less: 0,
        back: (80, 4566),
        event: Some((27_373, 57, 436)),
        is_left_out: false,
        quanta: None,
        seed: 6_137_355_035_574_819_720,
    };
    let world = net.run();
    assert_eq!(drops(&world), 0);
    assert_eq!(world.in_flight(), 0);
}

/// Class 0 passes a port whose class 1 is paused.
#[test]
fn classes_are_paused_apart() {
    let text = |classes: u32| {
        format!(
            r#"
host = "none"
run = {{ duration = "3ms" }}
[topology]
shape = "star"
leaves = 6
link = {{ rate = "10Gbps", delay = "1us", discipline = {{ kind = "strict_priority" }} }}
[[switch]]
nodes = ["hub"]
memory = "200KB"
pfc = {{ classes = {classes} }}
[[flow]]
name = "burst"
from = "leaf[0..4]"
to = "leaf[4]"
class = 1
traffic = {{ kind = "rdma", control = {{ kind = "line" }}, transfer = "1MB" }}
[[flow]]
name = "victim"
from = "leaf[0]"
to = "leaf[5]"
start = "500us"
traffic = {{ kind = "rdma", control = {{ kind = "line" }}, transfer = "100KB" }}
"#
        )
    };
    let took_us = |classes| {
        let checked = load("classes.toml", &text(classes), &[], &());
        let checked = checked.unwrap_or_else(|problems| panic!("{problems}"));
        let mut world = World::new(checked.expand(1, 0)).expect("a world");
        world.run();
        assert_eq!(drops(&world), 0);
        let links = world.link_rows();
        let first = links.iter().find(|row| row.link == "spoke[0]");
        paused_apart(first.expect("the line of the first host"), classes == 2);
        let rows = world.take_transfers();
        let row = rows
            .iter()
            .find(|row| row.flow_id == 4)
            .expect("the victim");
        (row.end_ps.expect("an end") - row.start_ps) / 1_000_000
    };
    // 100 packets of 1048 B take 84 us on its line alone, and twice that in turns with another. The
    // burst has a quarter of its line: paused together, they share that quarter.
    let (apart, together) = (took_us(2), took_us(1));
    assert!(apart < 190, "{apart} us");
    assert!(together > apart * 2, "{together} us for {apart}");
}

/// The time for which the first host was paused, which is that of class 1, and of the others only if all
/// are paused together.
fn paused_apart(row: &LinkRow, apart: bool) {
    let of_any = row.paused_s.filter(|paused_s| *paused_s > 1e-4);
    let of_others = if apart { Some(0.0) } else { of_any };
    assert!(of_any.is_some());
    assert_eq!(row.class1_paused_s, of_any);
    let others = [
        row.class0_paused_s,
        row.class2_paused_s,
        row.class3_paused_s,
    ];
    assert_eq!(others, [of_others; 3]);
}

/// Four switches in a ring, whose hosts send to the switch after the next one, all the same way round:
/// each link of the ring waits for the next.
fn ring(way: impl Fn(u32) -> u32) -> World {
    let mut text = "host = \"none\"\nrun = { duration = \"5ms\" }\n\
         [[node]]\nname = \"host\"\ncount = 4\n[[node]]\nname = \"hub\"\ncount = 4\n\
         [[switch]]\nnodes = [\"hub\"]\nmemory = \"100KB\"\npfc = {}\n"
        .to_owned();
    for i in 0..4 {
        let link = |name: &str, from: String, to: String| {
            format!(
                "[[link]]\nname = \"{name}{i}\"\nfrom = \"{from}\"\nto = \"{to}\"\nrate = \"10Gbps\"\ndelay = \"1us\"\n"
            )
        };
        text += &link("a", format!("host[{i}]"), format!("hub[{i}]"));
        text += &link("r", format!("hub[{i}]"), format!("hub[{}]", (i + 1) % 4));
        text += &format!(
            "[[flow]]\nname = \"f{i}\"\nfrom = \"host[{i}]\"\nto = \"host[{}]\"\npath = {}\n\
             traffic = {{ kind = \"rdma\", control = {{ kind = \"line\" }} }}\n",
            (i + 2) % 4,
            way(i)
        );
    }
    let checked = load("ring.toml", &text, &[], &());
    let checked = checked.unwrap_or_else(|problems| panic!("{problems}"));
    let mut world = World::new(checked.expand(1, 0)).expect("a world");
    world.run();
    world
}

#[test]
fn a_circle_of_pauses_is_found() {
    // The first of the two ways round the ring begins with the link of the lower number: r0 for host
    // 0, and for others that against the order of numbers.
    let same_way = |i: u32| u32::from(i > 0);
    let stuck = ring(same_way);
    let circle = stuck.paused_circle().expect("a deadlock");
    let name = |link: &LinkId| stuck.model().links[link.index()].name.to_string();
    let mut names: Vec<String> = circle.iter().map(name).collect();
    names.sort();
    assert_eq!(names, ["r0", "r1", "r2", "r3"]);
    let goodput = |world: &World| {
        world
            .flow_rows()
            .iter()
            .map(|row| row.goodput_bps)
            .sum::<f64>()
    };
    // Two each way round: no circle, and data flow.
    let free = ring(|i| u32::from(i == 2));
    assert_eq!(free.paused_circle(), None);
    assert!(goodput(&free) > 10e9, "{}", goodput(&free));
    assert!(goodput(&stuck) < 2e9, "{}", goodput(&stuck));
}

/// HPCC's senders fill a link to eta + N R_AI / C, and a queue stands only beyond (1 - eta) C / R_AI of
/// them.
#[test]
fn hpcc_has_the_utilisation_of_its_fixed_point() {
    let run = |variant: &str, flows: u32, additive: &str| {
        let text = format!(
            "host = \"none\"\nrun = {{ duration = \"6ms\", warmup = \"3ms\", ties = \"drawn\" }}\n\
             [topology]\nshape = \"star\"\nleaves = {}\nlink = {{ rate = \"100Gbps\", delay = \"1us\" }}\n\
             [[switch]]\nnodes = [\"hub\"]\nmemory = \"16MB\"\npfc = {{}}\n\
             [[flow]]\nname = \"f\"\nfrom = \"leaf[1..{}]\"\nto = \"leaf[0]\"\nstart = {{ uniform = [\"0s\", \"100us\"] }}\n\
             traffic = {{ kind = \"rdma\", control = {{ kind = \"hpcc\", {variant}, additive = \"{additive}\" }}, \
             packet_size = \"1090B\", header = \"90B\" }}\n",
            flows + 1,
            flows + 1
        );
        let checked = load("hpcc.toml", &text, &[], &());
        let checked = checked.unwrap_or_else(|problems| panic!("{problems}"));
        let mut world = World::new(checked.expand(1, 0)).expect("a world");
        world.run();
        let rows = world.link_rows();
        let busiest = rows
            .iter()
            .max_by(|a, b| a.utilisation.total_cmp(&b.utilisation));
        let busiest = busiest.expect("a link");
        (busiest.utilisation, busiest.queue_mean_pkts)
    };
    let exact = "variant = \"authors\", rounded = false, least_rate = \"10Mbps\", stages = 0";
    for variant in ["variant = \"paper\"", exact] {
        for flows in [4, 16] {
            let (found, _) = run(variant, flows, "50Mbps");
            let expected = hpcc_utilisation(0.95, f64::from(flows), 5e7, 1e11);
            assert!(
                (found / expected - 1.0).abs() < 0.02,
                "{found} for {expected}: {variant}"
            );
        }
        // At most 50 flows have no queue.
        let (few, many) = (run(variant, 16, "100Mbps").1, run(variant, 80, "100Mbps").1);
        assert!(
            few < 2.0 && many > 2.5 * few,
            "{few} and {many} packets: {variant}"
        );
    }
}

/// A link back goes down while its port is paused, and the frame that resumes it is lost: without an end
/// the pause holds for ever, with one the data arrive.
#[test]
fn a_pause_whose_resumption_is_lost_ends_by_itself() {
    let run = |pfc: &str| {
        let text = format!(
            r#"
host = "none"
run = {{ duration = "60ms" }}
node = [{{ name = "s", count = 3 }}, {{ name = "hub" }}, {{ name = "d" }}]
link = [
  {{ name = "in", from = "s", to = "hub", rate = "10Gbps", delay = "1us" }},
  {{ name = "out", from = "hub", to = "d", rate = "10Gbps", delay = "1us" }},
]
[[switch]]
nodes = ["hub"]
memory = "60KB"
pfc = {pfc}
[[flow]]
name = "f"
from = "s"
to = "d"
traffic = {{ kind = "rdma", control = {{ kind = "line" }}, timeout = "1ms", transfer = "1MB" }}
[[event]]
at = "100us"
links = ["in.back[0]"]
up = false
[[event]]
at = "5ms"
links = ["in.back[0]"]
up = true
"#
        );
        let checked = load("lost.toml", &text, &[], &());
        let checked = checked.unwrap_or_else(|problems| panic!("{problems}"));
        let mut world = World::new(checked.expand(1, 0)).expect("a world");
        world.run();
        let ended = ended(&mut world);
        let rows = world.link_rows();
        let expired = rows.iter().filter_map(|row| row.expired_pauses);
        (ended, expired.sum::<u64>(), world.is_paused(LinkId(0)))
    };
    assert_eq!(run("{}"), (2, 0, true), "held for ever");
    let (ended, expired, is_paused) = run("{ quanta = 1000 }");
    assert_eq!((ended, is_paused), (3, false));
    assert!(expired >= 1, "{expired}");
}

/// While the switch keeps an input paused its frames are renewed, and no pause ends by itself.
#[test]
fn pauses_are_renewed_while_they_stand() {
    let text = r#"
host = "none"
run = { duration = "20ms" }
[topology]
shape = "star"
leaves = 5
link = { rate = "10Gbps", delay = "1us" }
[[switch]]
nodes = ["hub"]
memory = "200KB"
pfc = { quanta = 100 }
[[flow]]
name = "f"
from = "leaf[1..5]"
to = "leaf[0]"
traffic = { kind = "rdma", control = { kind = "line" }, transfer = "1MB" }
"#;
    let run = |text: &str| {
        let checked = load("renewed.toml", text, &[], &());
        let checked = checked.unwrap_or_else(|problems| panic!("{problems}"));
        let mut world = World::new(checked.expand(1, 0)).expect("a world");
        world.run();
        let ended = ended(&mut world);
        let sum = |of: fn(&pacesim::measure::record::LinkRow) -> Option<u64>| -> u64 {
            world.link_rows().iter().filter_map(of).sum()
        };
        let counts = [
            sum(|row| row.pauses),
            sum(|row| row.expired_pauses),
            sum(|row| row.pause_frames),
        ];
        (ended, drops(&world), counts)
    };
    let (ended, dropped, [pauses, expired, frames]) = run(text);
    assert_eq!((ended, dropped, expired), (4, 0, 0));
    // 100 quanta are 5.12 us, of which half is less than the pauses of three of four senders.
    assert!(frames > 3 * pauses, "{frames} frames for {pauses} pauses");
    let (_, _, [pauses, _, frames]) = run(&text.replace("quanta = 100", "quanta = 65535"));
    assert_eq!(frames, 2 * pauses, "one to pause and one to resume");
}

/// Without loss the two recoveries send the same packets; with losses of a lossy switch selective repeat
/// sends fewer again.
#[test]
fn selective_repeat_is_go_back_n_without_loss_and_cheaper_with_it() {
    let run = |recovery: &str, switch: &str| {
        let text = format!(
            r#"
host = "none"
run = {{ duration = "40ms", ties = "drawn" }}
[topology]
shape = "star"
leaves = 5
link = {{ rate = "10Gbps", delay = "1us" }}
[[switch]]
nodes = ["hub"]
{switch}
[[flow]]
name = "f"
from = "leaf[1..5]"
to = "leaf[0]"
traffic = {{ kind = "rdma", control = {{ kind = "dctcp_rate" }}, timeout = "1ms", recovery = "{recovery}", transfer = "1MB" }}
"#
        );
        let checked = load("recovery.toml", &text, &[], &());
        let checked = checked.unwrap_or_else(|problems| panic!("{problems}"));
        let mut world = World::new(checked.expand(1, 0)).expect("a world");
        world.run();
        let ended = ended(&mut world);
        let sum = |of: fn(&pacesim::measure::record::FlowRow) -> u64| -> u64 {
            world.flow_rows().iter().map(of).sum()
        };
        let nacks = world
            .flow_rows()
            .iter()
            .filter_map(|row| row.nacks)
            .sum::<u64>();
        let [again, dropped] = [
            sum(|row| row.retransmitted_pkts),
            sum(|row| row.dropped_pkts),
        ];
        (world.fingerprint(), ended, again, [dropped, nacks])
    };
    let mark = "mark = { min = \"20KB\" }";
    let lossless = format!("memory = \"4MB\"\npfc = {{}}\n{mark}");
    let [one, other] = ["go_back_n", "selective"].map(|recovery| run(recovery, &lossless));
    assert_eq!(one, other);
    assert_eq!((one.1, one.2), (4, 0));
    let lossy = format!("memory = \"60KB\"\n{mark}");
    let (_, ended, again, [dropped, nacks]) = run("selective", &lossy);
    assert_eq!(ended, 4);
    assert!(dropped > 0 && nacks > 0, "{dropped} {nacks}");
    assert!(again < 2 * dropped, "{again} again for {dropped}");
    let (_, _, going_back, _) = run("go_back_n", &lossy);
    assert!(going_back > 3 * again, "{going_back} and {again}");
}
