//! Connections for one transfer each before every discipline: they are served by what they are, and
//! not by the flow that they are counted in.

use pacesim::World;
use pacesim::measure::record::TransferRow;
use pacesim::model::{Carrier, Load, Model, Schedule, Traffic};
use pacesim::scenario::load;
use pacesim::tcp::Amount;
use pacesim::units::{Bytes, Span};

/// Transfers of 5 MB and small ones beside them, dealt to so many flows.
fn model(flows: usize, keys: &str) -> Model {
    let text = format!(
        r#"
        run = {{ duration = "12s" }}
        node = [{{ name = "a" }}, {{ name = "b" }}, {{ name = "c" }}]
        [[link]]
        name = "core"
        from = "a"
        to = "b"
        rate = "10Mbps"
        delay = "5ms"
        {keys}
        [[link]]
        name = "wire"
        from = "b"
        to = "c"
        rate = "100Mbps"
        delay = "5ms"
        [[flow]]
        name = "f"
        from = "a"
        to = "c"
        count = {flows}
        traffic = {{ kind = "tcp", profile = "linux", ecn = true, transfers = {{ size = "1KB", connection = "new" }} }}
        "#
    );
    let checked = load("connections.toml", &text, &[], &());
    let mut model = checked
        .unwrap_or_else(|problems| panic!("{problems}"))
        .expand(1, 0);
    let all: Vec<(Span, Amount)> = (0..150_u64)
        .map(|i| {
            let size = if i % 50 == 0 { 5_000_000 } else { 10_000 };
            (Span::from_us(i * 73_331), Amount::Bytes(Bytes(size)))
        })
        .collect();
    for (place, flow) in model.flows.iter_mut().enumerate() {
        let Traffic::Tcp(tcp) = &mut flow.traffic else {
            panic!("all are TCP");
        };
        tcp.load = Load::Scheduled(Schedule {
            list: all.iter().skip(place).step_by(flows).copied().collect(),
            connection: Carrier::New,
            recording: None,
        });
    }
    model
}

/// The start, size and end of each transfer, in the order of their starts.
fn ends(model: Model) -> Vec<(u64, u64, Option<u64>)> {
    let mut world = World::new(model).expect("a sound model");
    world.run();
    let rows = world.take_transfers().into_iter();
    let rows = rows.chain(world.unfinished_transfers());
    let key = |row: TransferRow| (row.start_ps, row.size_bytes, row.end_ps);
    let mut all: Vec<_> = rows.map(key).collect();
    all.sort_unstable();
    all
}

/// Every discipline with room for its limit to matter, and what else keeps flows apart.
const PORTS: [(&str, &str); 14] = [
    (r#""200pkts""#, ""),
    (r#""200pkts""#, r#"discipline = { kind = "drop_tail" }"#),
    (
        r#""200pkts""#,
        r#"discipline = { kind = "codel", ecn = true }"#,
    ),
    (r#""200pkts""#, r#"discipline = { kind = "fq_codel" }"#),
    (
        r#""200pkts""#,
        r#"discipline = { kind = "fq_codel", profile = "linux", ecn = true }"#,
    ),
    (r#""200pkts""#, r#"discipline = { kind = "fq" }"#),
    (r#""60pkts""#, r#"discipline = { kind = "drr" }"#),
    (
        r#""200pkts""#,
        r#"discipline = { kind = "strict_priority" }"#,
    ),
    (
        r#""200pkts""#,
        r#"discipline = { kind = "red", min_th = "20pkts", max_th = "60pkts", ecn = true }"#,
    ),
    (
        r#""200pkts""#,
        r#"discipline = { kind = "pie", ecn = true }"#,
    ),
    (r#""200pkts""#, r#"discipline = { kind = "dualpi2" }"#),
    (
        r#""200pkts""#,
        r#"discipline = { kind = "tbf", rate = "9Mbps", burst = "15KB" }"#,
    ),
    (
        r#""200pkts""#,
        r#"discipline = { kind = "departure_limit", limit = "50pkts" }"#,
    ),
    (
        r#""200pkts""#,
        r#"back = { middleboxes = [{ kind = "ack_thinning", every = 4, hold = "5ms" }] }"#,
    ),
];

#[test]
fn connections_fare_alike_whatever_flows_they_are_counted_in() {
    for (buffer, port) in PORTS {
        let keys = format!("buffer = {buffer}\n        {port}");
        let of_one = ends(model(1, &keys));
        assert_eq!(of_one.len(), 150, "{port}");
        for flows in [2, 13, 150] {
            let cut = ends(model(flows, &keys));
            let apart = of_one.iter().zip(&cut).find(|(one, cut)| one != cut);
            assert_eq!(apart, None, "{port}: {flows} flows");
        }
    }
}

#[test]
fn small_transfers_pass_a_large_one_of_the_same_flow_in_every_fair_queue() {
    let mean_ms = |discipline: &str| {
        let keys = format!("buffer = \"1000pkts\"\n        {discipline}");
        let rows = ends(model(1, &keys));
        let small = rows
            .iter()
            .filter(|(_, size, end)| *size == 10_000 && end.is_some());
        let times = small.map(|(start, _, end)| (end.unwrap_or(0) - start) as f64 / 1e9);
        let times: Vec<f64> = times.collect();
        times.iter().sum::<f64>() / times.len() as f64
    };
    let behind = mean_ms("");
    let fair = [
        r#"{ kind = "fq_codel", target = "500ms", interval = "5s" }"#,
        r#"{ kind = "fq_codel", target = "500ms", interval = "5s", buckets = 1024 }"#,
        r#"{ kind = "fq_codel", profile = "linux", target = "500ms", interval = "5s" }"#,
        r#"{ kind = "drr" }"#,
    ];
    for discipline in fair {
        let ms = mean_ms(&format!("discipline = {discipline}"));
        // Two round trips of 20 ms and the line's time, beside a wait behind megabytes.
        assert!(
            ms < 70.0 && behind > 3.0 * ms,
            "{discipline}: {ms} ms, behind {behind} ms"
        );
    }
    // As in Linux, a new flow of fq waits for band 0's turn, which may be 196 KB away.
    let ms = mean_ms("discipline = { kind = \"fq\" }");
    assert!(behind > 2.0 * ms, "fq: {ms} ms, behind {behind} ms");
}
