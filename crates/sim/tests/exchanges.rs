//! Recorded connections whose two ends answer each other.

use pacesim::World;
use pacesim::model::{After, Exchange, Load, Model, Step, Tcp, Traffic};
use pacesim::scenario::{Checked, Problem, load};
use pacesim::tcp::{Config, Variant};
use pacesim::units::{Bytes, FlowId, Rate, Span, Time};
use std::sync::Arc;

const NETWORK: &str = r#"
run = { duration = "20s" }

[[node]]
name = "a"
count = 2

[[node]]
name = "r"

[[node]]
name = "b"

[[node]]
name = "aside"

[[link]]
name = "l"
from = "a"
to = "r"
rate = "100Mbps"

[[link]]
name = "m"
from = "r"
to = "b"
rate = "100Mbps"

[[link]]
name = "n"
from = "r"
to = "aside"
rate = "100Mbps"

[[flow]]
name = "web"
from = "a"
to = "b"
"#;

const VECTORS: &str = "SEQ 1000 1 1 1\nr 40000\nl 0 0\n> 500\nt 2000\n< 30000\nt 10\n\
    SEQ 2000 1 2 2\nr 10000\nl 0.1 0.2\n> 100000\nt 7\n< 20000\nt 10\n\
    SEQ 3000 1 3 3\nr 0\nl 0 0\n> 10\n";

/// One of many consecutive connections, a tenth of a second apart; each takes some 40 ms.
fn one_of_many(i: u32) -> String {
    let at = 100_000 * i;
    format!(
        "SEQ {at} 2 {i} {i}\nr 4000\n> 500\nt 2000\n< 30000\nt 9000\n> 100\nt 10\n< 20\nt 3000\n"
    )
}

fn files(name: &str) -> Result<String, String> {
    match name {
        "web.cvec" => Ok(VECTORS.to_owned()),
        "long.cvec" => Ok((0..100).map(one_of_many).collect()),
        "broken.cvec" => Ok("SEQ 1000 1 1 1\n\n> 5 kB\n".to_owned()),
        other => Err(format!("there is no {other}")),
    }
}

fn with(flow: &str) -> String {
    format!("{NETWORK}\n{flow}\n")
}

fn sound(flow: &str) -> Checked {
    load("test.toml", &with(flow), &[], &files).expect("a sound scenario")
}

/// The only problem of this flow.
fn refused(flow: &str) -> Problem {
    let mut all = load("test.toml", &with(flow), &[], &files)
        .expect_err("a mistake")
        .0;
    assert_eq!(all.len(), 1, "{flow}: {all:#?}");
    all.remove(0)
}

const PLAYED: &str = r#"traffic = { kind = "tcp", profile = "rfc", exchanges = { file = "web.cvec", delay_box = "r" } }"#;

#[test]
fn each_connection_is_two_flows_and_all_its_bytes_arrive() {
    let mut world = World::new(sound(PLAYED).expand(1, 0)).expect("a sound model");
    let ends = world
        .model()
        .flows
        .iter()
        .map(|flow| (flow.from.0, flow.to.0));
    let ends: Vec<_> = ends.collect();
    assert_eq!(ends, [(0, 3), (3, 0), (1, 3), (3, 1), (0, 3), (3, 0)]);
    world.run();
    assert_eq!(world.unfinished_transfers(), []);
    let done = world.take_transfers().into_iter();
    let done: Vec<_> = done.map(|row| (row.flow_id, row.size_bytes)).collect();
    assert_eq!(
        done,
        [(0, 500), (1, 30_000), (2, 100_000), (3, 20_000), (4, 10)]
    );
    let absorbed = (0..6).map(|flow| world.flow(FlowId(flow)).absorbed.packets);
    let absorbed: Vec<u64> = absorbed.collect();
    // Only packets of the second connection are lost, in the box.
    assert!(absorbed[2] > 0, "{absorbed:?}");
    assert_eq!([absorbed[0], absorbed[1], absorbed[4]], [0; 3]);
    assert_eq!(world.open_connections(), 0, "all are closed");
}

#[test]
fn a_lossless_box_delays_and_loses_nothing() {
    let lossless = PLAYED.replace("\"r\"", "\"r\", lossless = true");
    let mut world = World::new(sound(&lossless).expand(1, 0)).expect("a sound model");
    world.run();
    let absorbed = |flow| world.flow(FlowId(flow)).absorbed.packets;
    assert_eq!((0..6).map(absorbed).sum::<u64>(), 0);
    let first = &world.take_transfers()[0];
    // A handshake of one round trip, the data there, and their acknowledgement after 40 ms back.
    let took = Time::from_ps(first.end_ps.expect("done")) - Time::from_ps(first.start_ps);
    assert!(
        took > Span::from_ms(120) && took < Span::from_ms(121),
        "{took}"
    );
}

/// Two places are enough, one per direction; six if three are in progress at a time.
#[test]
fn connections_take_the_memory_of_those_in_progress() {
    for (round_trip, places) in [("r 4000", 2), ("r 40000", 6)] {
        let text = |name: &str| files(name).map(|text| text.replace("r 4000", round_trip));
        let long = PLAYED.replace("web.cvec", "long.cvec");
        let checked = load("test.toml", &with(&long), &[], &text).expect("a sound scenario");
        let mut world = World::new(checked.expand(1, 0)).expect("a sound model");
        world.run();
        assert_eq!(world.open_connections(), 0);
        let most = world.connection_places();
        assert!(most <= places, "{round_trip}: {most}");
        let rows = world.flow_rows();
        let goodput: u64 = rows.iter().map(|row| row.goodput_bytes).sum();
        assert_eq!(goodput, 100 * 30_620);
        assert_eq!(world.take_transfers().len(), 400);
    }
}

#[test]
fn a_count_takes_the_first_connections_of_the_file() {
    assert_eq!(
        sound(&format!("count = 2\n{PLAYED}"))
            .expand(1, 0)
            .flows
            .len(),
        4
    );
    let problem = refused(&format!("count = 4\n{PLAYED}"));
    assert_eq!(problem.path, "flow[0].count");
    assert!(problem.message.contains("has only 3"), "{problem}");
}

#[test]
fn what_is_written_reads_back_as_the_same() {
    let checked = sound(PLAYED);
    let text = checked.scenario().to_toml();
    let again = load("again.toml", &text, &[], &files).expect(&text);
    assert_eq!(again.scenario(), checked.scenario());
}

#[test]
fn mistakes_are_said_at_their_keys() {
    let tcp = |keys: &str| format!("traffic = {{ kind = \"tcp\", {keys} }}");
    for (keys, path, message) in [
        (
            "exchanges = { file = \"broken.cvec\" }",
            "exchanges.file",
            "line 3: \"> 5 kB\" is not understood",
        ),
        (
            "exchanges = { file = \"none.cvec\" }",
            "exchanges.file",
            "there is no none.cvec",
        ),
        (
            "transfer = \"1KB\", exchanges = { file = \"web.cvec\" }",
            "exchanges",
            "transfer and exchanges exclude",
        ),
        (
            "others = { share = 0.5 }, exchanges = { file = \"web.cvec\" }",
            "exchanges",
            "others and exchanges exclude",
        ),
        (
            "header = \"0B\", exchanges = { file = \"web.cvec\" }",
            "exchanges.closes",
            "a FIN is a packet of headers alone",
        ),
        (
            "exchanges = { file = \"web.cvec\", delay_box = \"aside\" }",
            "exchanges.delay_box",
            "aside is not on the way from a[0] to b",
        ),
        (
            "exchanges = { file = \"web.cvec\", delay_box = \"a[1]\" }",
            "exchanges.delay_box",
            "a[1] is not on the way from a[0] to b",
        ),
        (
            "exchanges = { file = \"web.cvec\", delay_box = \"a\" }",
            "exchanges.delay_box",
            "2 nodes",
        ),
        (
            "exchanges = { file = \"web.cvec\", delay_box = \"x\" }",
            "exchanges.delay_box",
            "unknown node",
        ),
    ] {
        let problem = refused(&tcp(keys));
        assert_eq!(problem.path, format!("flow[0].traffic.{path}"), "{problem}");
        assert!(problem.message.contains(message), "{problem}");
    }
    let all = refused(&format!("pair = \"all\"\n{PLAYED}"));
    assert_eq!(all.path, "flow[0].pair");
    let started = refused(&format!(
        "{PLAYED}\n[[event]]\nat = \"1s\"\nstart = [\"web\"]"
    ));
    assert_eq!(started.path, "event[0].start");
}

/// Two of these nodes are behind s: connections between them never pass r.
#[test]
fn a_random_pair_that_may_miss_the_delay_box_is_refused_with_its_place() {
    let text = r#"
run = { duration = "2s" }
node = [{ name = "r" }, { name = "s" }, { name = "a", count = 3 }]
link = [
    { name = "core", from = "r", to = "s", rate = "8Mbps" },
    { name = "l0", from = "a[0]", to = "r", rate = "8Mbps" },
    { name = "l1", from = "a[1]", to = "s", rate = "8Mbps" },
    { name = "l2", from = "a[2]", to = "s", rate = "8Mbps" },
]
flow = [{ name = "f", from = "a", to = "a", pair = "random", traffic = { kind = "tcp", profile = "rfc", exchanges = { file = "web.cvec", delay_box = "r" } } }]
"#;
    let problems = load("test.toml", text, &[], &files)
        .expect_err("a mistake")
        .0;
    let [problem] = &problems[..] else {
        panic!("{problems:#?}");
    };
    assert_eq!(problem.path, "flow[0].traffic.exchanges.delay_box");
    assert!(problem.message.contains("r is not on the way"), "{problem}");
    let passed = text.replace("delay_box = \"r\"", "delay_box = \"s\"");
    let l0 = "{ name = \"l0\", from = \"a[0]\", to = \"r\"";
    let passed = passed.replace(l0, &l0.replace("\"r\"", "\"s\""));
    assert!(
        load("test.toml", &passed, &[], &files).is_ok(),
        "all pass s"
    );
}

#[test]
fn both_ends_send_a_fin_that_counts_as_no_data() {
    let packets = |closes: &str| {
        let lossless = format!("\"r\", lossless = true, closes = \"{closes}\"");
        let flow = PLAYED.replace("\"r\"", &lossless);
        let mut world = World::new(sound(&flow).expand(1, 0)).expect("a sound model");
        world.run();
        let rows = world.flow_rows();
        let sent: Vec<u64> = rows.iter().map(|row| row.sent_pkts).collect();
        let goodput: u64 = rows.iter().map(|row| row.goodput_bytes).sum();
        assert_eq!(goodput, 500 + 30_000 + 100_000 + 20_000 + 10);
        sent
    };
    let open = packets("never");
    let closed: Vec<u64> = open.iter().map(|sent| sent + 1).collect();
    assert_eq!(packets("fin"), closed);
    assert_eq!(packets("ns2"), closed);
}

/// Two flows that answer each other over a line of 10 ms.
fn model(others: [u32; 2]) -> Model {
    let mut model = Model::new("exchange", Span::from_secs(2));
    let [a, b] = ["a", "b"].map(|name| model.add_node(name));
    for (from, to) in [(a, b), (b, a)] {
        model.add_link(from, to, Rate::from_mbps(100), Span::from_ms(10));
    }
    let step = |after, wait_ms, size| Step {
        after,
        wait: Span::from_ms(wait_ms),
        size: Bytes(size),
    };
    let steps = [
        vec![
            step(After::OwnUnit, 0, 1000),
            step(After::Arrivals(2), 5, 300),
        ],
        vec![
            step(After::Arrivals(1), 7, 50),
            step(After::OwnUnit, 100, 60),
        ],
    ];
    for (((from, to), other), steps) in [(a, b), (b, a)].into_iter().zip(others).zip(steps) {
        let tcp = Tcp {
            config: Arc::new(Config::rfc(Variant::Sack)),
            load: Load::Exchange(Exchange {
                other: FlowId(other),
                steps: steps.into(),
                stands_when_closed: false,
            }),
            clock_phase: None,
            transport: None,
        };
        model.add_flow(from, to, Traffic::Tcp(tcp));
    }
    model
}

#[test]
fn an_end_waits_for_what_the_other_sends() {
    let mut world = World::new(model([1, 0])).expect("a sound model");
    world.run();
    let rows = world.take_transfers();
    let ms: Vec<u64> = rows
        .iter()
        .map(|row| row.start_ps / 1_000_000_000)
        .collect();
    // The first arrives 30 ms after the SYN, the answer 7 ms later and another 100 ms after that,
    // which needs no handshake: 10 ms on the line, and 5 ms of wait.
    assert_eq!(ms, [0, 152, 37, 137]);
}

#[test]
fn ends_that_are_not_each_others_are_refused() {
    for others in [[0, 0], [1, 1], [7, 0]] {
        let error = World::new(model(others))
            .err()
            .expect("refused")
            .to_string();
        assert!(error.contains("does not answer it"), "{error}");
    }
}
