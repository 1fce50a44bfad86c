//! Memories shared by the ports of switches, and paths that flows choose, in whole runs.

use pacesim::World;
use pacesim::model::Model;
use pacesim::scenario::load;
use pacesim::units::LinkId;

/// Seven hosts send at once to another over a switch with a small memory.
const INCAST: &str = r#"
run = { duration = "20ms" }
[topology]
shape = "star"
leaves = 9
link = { rate = "10Gbps", delay = "1us" }
[[switch]]
nodes = ["hub"]
memory = "90KB"
alpha = 1.0
[[flow]]
name = "burst"
from = "leaf[1..8]"
to = "leaf[0]"
traffic = { kind = "cbr", rate = "5Gbps", size = "1500B" }
stop = "5ms"
"#;

pub(crate) fn ran(text: &str) -> World {
    let checked = load("fabric.toml", text, &[], &()).expect("it is sound");
    let mut world = World::new(checked.expand(1, 0)).expect("a world");
    world.run();
    world
}

pub(crate) fn link(model: &Model, name: &str) -> LinkId {
    let place = model.links.iter().position(|link| link.name == name);
    LinkId::from_index(place.expect("a link"))
}

/// The most bytes that wait at the port to the first leaf, and the drops there.
fn queue(world: &World) -> (u64, u64) {
    let port = link(world.model(), "spoke.back[0]");
    let queued = world.queued(port).expect("a stage");
    (queued.max_held_bytes, queued.refused.packets)
}

#[test]
fn saturated_queues_take_their_share_of_the_memory() {
    // A saturated queue has alpha*B/(1 + n*alpha): the largest number of packets with which the next
    // one was still within the threshold.
    for (alpha, length) in [(1.0, 45_000), (0.5, 30_000), (8.0, 81_000)] {
        let world = ran(&INCAST.replace("alpha = 1.0", &format!("alpha = {alpha:?}")));
        let (most, drops) = queue(&world);
        assert_eq!(most, length, "{alpha}");
        assert!(drops > 1000, "{drops}");
    }
    let second = r#"
[[flow]]
name = "other"
from = "leaf[1..8]"
to = "leaf[8]"
traffic = { kind = "cbr", rate = "5Gbps", size = "1500B" }
stop = "5ms"
"#;
    let two = ran(&(INCAST.replace(
        "10Gbps\", delay",
        "10Gbps\", back = { rate = \"5Gbps\" }, delay",
    ) + second));
    let end = link(two.model(), "spoke.back[8]");
    let memory = two.shared_memory(end).expect("a memory");
    assert_eq!((memory.size, memory.used), (90_000, 0));
    // Together they have 2B/3, to a packet.
    let most = memory.most_used;
    assert!(most.abs_diff(60_000) <= 1500, "{most}");
}

#[test]
fn rows_of_links_have_the_drops_by_cause_and_the_use_of_the_memory() {
    let world = ran(INCAST);
    let rows = world.link_rows();
    let row = &rows[link(world.model(), "spoke.back[0]").index()];
    assert_eq!(row.early_pkts, Some(row.dropped_pkts), "by its threshold");
    assert_eq!(row.full_pkts, Some(0));
    assert_eq!(row.shared_max_bytes, Some(row.queue_max_bytes));
    let mean = row.shared_mean_bytes.expect("a memory");
    assert!((mean - row.queue_mean_bytes).abs() < 1e-6, "{mean}");
    assert_eq!(rows[0].shared_max_bytes, None, "a port of a host");
    // Without thresholds the memory is full at some time.
    let full = ran(&INCAST.replace("alpha = 1.0", ""));
    let row = &full.link_rows()[link(full.model(), "spoke.back[0]").index()];
    assert_eq!(
        (row.full_pkts, row.early_pkts),
        (Some(row.dropped_pkts), Some(0))
    );
    assert_eq!(row.shared_max_bytes, Some(90_000));
}

#[test]
fn a_memory_that_all_fit_into_changes_nothing() {
    let with = ran(&INCAST.replace("90KB", "1GB"));
    let without = INCAST.replace(
        "[[switch]]\nnodes = [\"hub\"]\nmemory = \"90KB\"\nalpha = 1.0\n",
        "",
    );
    assert!(!without.contains("switch"));
    assert_eq!(with.fingerprint(), ran(&without).fingerprint());
}

#[test]
fn each_class_has_a_queue_of_its_own() {
    let text = INCAST.replace("alpha = 1.0", "class_alpha = [0.25, 1.0]");
    let high = "\nclass = 1\ntraffic";
    let (low, high) = (ran(&text), ran(&text.replace("\ntraffic", high)));
    let limits = [90_000 / 5, 45_000];
    for (world, limit) in [low, high].iter().zip(limits) {
        let (most, _) = queue(world);
        assert!(most <= limit && most + 1500 > limit, "{most} of {limit}");
    }
}

#[test]
fn each_class_may_have_a_memory_of_its_own() {
    let parts = "class_alpha = [1.0, 1.0]\nclass_memory = [\"20KB\", \"70KB\"]";
    let text = INCAST.replace("alpha = 1.0", parts);
    let high = "\nclass = 1\ntraffic";
    let (low, high) = (ran(&text), ran(&text.replace("\ntraffic", high)));
    // A saturated queue alone has half of what it shares, in whole packets.
    for (world, limit) in [low, high].iter().zip([10_500, 34_500]) {
        let (most, _) = queue(world);
        assert!(most <= limit && most + 1500 > limit, "{most} of {limit}");
    }
}

#[test]
fn small_transfers_pass_large_ones_where_a_port_sorts_by_size() {
    let text = r#"
run = { duration = "200ms" }
[topology]
shape = "star"
leaves = 3
link = { rate = "1Gbps", delay = "5us", back = { buffer = "200pkts", discipline = { kind = "strict_priority", sizes = ["20KB"] } } }
[[flow]]
name = "large"
from = "leaf[1]"
to = "leaf[0]"
traffic = { kind = "tcp", profile = "linux", transfers = { size = "2MB" } }
[[flow]]
name = "small"
from = "leaf[2]"
to = "leaf[0]"
traffic = { kind = "tcp", profile = "linux", transfers = { size = "10KB", connection = "new", pause = "1ms" } }
"#;
    let slowdowns = |text: &str| {
        let rows = ran(text).take_transfers();
        let small = rows.iter().filter(|row| row.group == "small");
        let slowdowns: Vec<f64> = small
            .filter_map(|row| Some((row.end_ps? - row.start_ps) as f64 / 1e12 / row.ideal_s))
            .collect();
        slowdowns.iter().sum::<f64>() / slowdowns.len() as f64
    };
    let (sorted, not) = (
        slowdowns(text),
        slowdowns(&text.replace("[\"20KB\"]", "[]")),
    );
    // They wait for a large packet in transmission at most, but for the queue without sizes.
    assert!(sorted < 1.5, "{sorted}");
    assert!(not > 5.0, "{not}");
}

#[test]
fn marks_begin_beyond_the_least_and_are_certain_beyond_the_most() {
    let marked = |mark: &str| {
        let text = INCAST.replace("alpha = 1.0", &format!("alpha = 1.0\nmark = {mark}"));
        let text = text.replace("\ntraffic", "\necn = \"ect0\"\ntraffic");
        let world = ran(&text);
        world.link_rows()[link(world.model(), "spoke.back[0]").index()].clone()
    };
    // Packets that find more than nine others waiting; the line is never idle in between.
    let step = marked("{ min = \"13500B\" }");
    assert_eq!(step.threshold_marked_pkts, Some(step.marked_pkts));
    let unmarked = step.left_pkts - step.marked_pkts;
    assert!((11..40).contains(&unmarked), "{unmarked}");
    let none = marked("{ min = \"45KB\" }");
    assert_eq!(none.marked_pkts, 0);
    let half = marked("{ min = \"0B\", max = \"84KB\", at = \"departure\" }");
    assert_eq!(half.probability_marked_pkts, Some(half.marked_pkts));
    let share = half.marked_pkts as f64 / half.left_pkts as f64;
    // The queue stays near 43.5 KB.
    assert!((share - 43.5 / 84.0).abs() < 0.03, "{share}");
    let forced = marked("{ min = \"0B\", max = \"20KB\" }");
    assert!(forced.forced_marked_pkts.expect("marks") > 2000);
}

#[test]
fn flows_spread_over_paths_by_their_hash_and_again_after_a_failure() {
    let text = r#"
run = { duration = "4ms", multipath = "flow" }
[topology]
shape = "leaf_spine"
leaves = 2
spines = 4
hosts = 40
access = { rate = "1Gbps", delay = "1us" }
uplink = { rate = "40Gbps", delay = "1us" }
[[flow]]
name = "f"
from = "host[0..40]"
to = "host[40..80]"
traffic = { kind = "cbr", rate = "900Mbps", size = "1000B" }
[[event]]
at = "2ms"
links = ["uplink[2]", "uplink.back[2]"]
up = false
reroute = true
"#;
    let world = ran(text);
    let left = |i: u32| {
        let id = link(world.model(), &format!("uplink[{i}]"));
        world.link(id).left.packets as f64
    };
    let all: f64 = (0..4).map(left).sum();
    for i in [0, 1, 3] {
        let share = left(i) / all;
        assert!((0.1..0.5).contains(&share), "uplink[{i}]: {share}");
    }
    // A share of its first half alone; the others have the rest.
    assert!((0.03..0.25).contains(&(left(2) / all)), "{}", left(2) / all);
    let lost: u64 = world
        .flow_rows()
        .iter()
        .map(|row| row.dropped_pkts + row.lost_pkts)
        .sum();
    assert!(lost < 20, "{lost} were on the link that failed");
}

#[test]
fn a_memory_is_empty_after_all_has_left_or_was_lost_with_its_link() {
    let events = "[[event]]\nat = \"1ms\"\nlinks = [\"spoke.back[0]\"]\nup = false\n\
        [[event]]\nat = \"2ms\"\nlinks = [\"spoke.back[0]\"]\nup = true\n";
    for frees in ["start", "end"] {
        let alpha = format!("alpha = 1.0\nfrees = \"{frees}\"");
        let world = ran(&(INCAST.replace("alpha = 1.0", &alpha) + events));
        let port = link(world.model(), "spoke.back[0]");
        let memory = world.shared_memory(port).expect("a memory");
        assert_eq!(memory.used, 0, "{frees}");
        assert!(memory.most_used > 40_000, "{frees}");
        assert!(
            world.queued(port).expect("a stage").dropped.packets > 20,
            "lost with the link"
        );
    }
}

/// Two hosts of class 0 with 4 Gbps each and four of class 1 send to one, whose port has this
/// discipline.
fn classes_under(discipline: &str) -> World {
    let text = INCAST
        .replace("from = \"leaf[1..8]\"", "from = \"leaf[1..3]\"")
        .replace("5Gbps", "4Gbps")
        .replace("alpha = 1.0", "class_alpha = [1.0, 0.5]")
        .replace(
            "delay = \"1us\"",
            &format!("delay = \"1us\", back = {{ discipline = {discipline} }}"),
        );
    let others = r#"
[[flow]]
name = "others"
from = "leaf[3..7]"
to = "leaf[0]"
class = 1
traffic = { kind = "cbr", rate = "4Gbps", size = "1500B" }
stop = "5ms"
"#;
    ran(&(text + others))
}

#[test]
fn disciplines_order_the_packets_that_a_memory_admits() {
    let strict = classes_under("{ kind = \"strict_priority\" }");
    let row = &strict.link_rows()[link(strict.model(), "spoke.back[0]").index()];
    // Class 0 has the line as long as it needs it. Class 1 holds its share of the memory,
    // B·α/(1 + α) = 30 KB, and has what is left of the line: a fifth.
    let of_class = |world: &World, group: &str| -> u64 {
        let rows = world.flow_rows();
        let ours = rows.iter().filter(|row| row.group == group);
        ours.map(|row| row.delivered_bytes).sum()
    };
    let (first, second) = (of_class(&strict, "burst"), of_class(&strict, "others"));
    let ratio = first as f64 / second as f64;
    assert!((3.8..4.05).contains(&ratio), "{ratio}");
    assert!(row.early_pkts > Some(3000), "{:?}", row.early_pkts);
    assert!(
        (28_000..=34_500).contains(&row.queue_max_bytes),
        "{}",
        row.queue_max_bytes
    );
    let port = link(strict.model(), "spoke.back[0]");
    assert_eq!(strict.shared_memory(port).expect("a memory").used, 0);
    // By turns the six connections have a sixth of it each, whatever their class.
    let fair = classes_under("{ kind = \"drr\", quantum = \"1500B\" }");
    let ratio = of_class(&fair, "burst") as f64 / of_class(&fair, "others") as f64;
    assert!((0.45..0.6).contains(&ratio), "{ratio}");
}
