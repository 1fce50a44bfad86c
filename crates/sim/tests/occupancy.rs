//! Number of transfers under way without contention: M/G/∞.

use pacesim::World;
use pacesim::measure::mean_interval;
use pacesim::model::Model;
use pacesim::scenario::load;
use pacesim::units::{Span, Time};

const REPLICATIONS: u64 = 12;

/// Transfers on separate connections, one packet per round trip over a line that is hardly used: n
/// packets take n round trips of 10.00832 ms.
const ROUND_TRIP_S: f64 = 0.010_008_32;

fn model(packets: &str, replication: u64) -> Model {
    let text = format!(
        r#"
run = {{ duration = "62s" }}
node = [{{ name = "a", count = 5 }}, {{ name = "b" }}]
[[link]]
name = "wide"
from = "a"
to = "b"
rate = "1Gbps"
delay = "5ms"
[[flow]]
name = "f"
from = "a"
to = "b"
traffic = {{ kind = "tcp", window = "1pkts", packet_size = "1000B", header = "0B", ack_size = "40B", syn = false, transfers = {{ packets = {packets}, connection = "new", arrivals = {{ kind = "poisson", every = "10ms" }} }} }}
"#
    );
    let checked = load("occupancy.toml", &text, &[], &()).expect("a sound scenario");
    checked.expand(1, replication)
}

/// Mean and variance of the number of open connections, and the probability that it is zero.
fn occupancy(packets: &str, replication: u64) -> [f64; 3] {
    let mut world = World::new(model(packets, replication)).expect("a sound model");
    let sample = |ms: u64| {
        world.run_until(Time::ZERO + Span::from_ms(ms));
        world.open_connections() as f64
    };
    let open: Vec<f64> = (2_000..62_000).step_by(100).map(sample).collect();
    let count = open.len() as f64;
    let mean = open.iter().sum::<f64>() / count;
    let squares = open.iter().map(|n| (n - mean) * (n - mean)).sum::<f64>();
    let empty = open.iter().filter(|n| **n == 0.0).count() as f64;
    [mean, squares / (count - 1.0), empty / count]
}

/// The number is Poisson for any distribution of sizes: mean and variance equal the arrival rate
/// times the mean time, and it is zero with probability exp(-mean). All jointly at 99.9 %.
#[test]
fn transfers_under_way_are_poisson_whatever_their_sizes() {
    let level = 1.0 - 0.001 / 9.0;
    for (packets, mean) in [
        (r#"{ geometric = "2pkts" }"#, 2.0),
        (r#""3pkts""#, 3.0),
        (
            r#"{ mixture = [{ weight = 0.9, value = "1pkts" }, { weight = 0.1, value = "11pkts" }] }"#,
            2.0,
        ),
    ] {
        let runs: Vec<[f64; 3]> = (0..REPLICATIONS).map(|r| occupancy(packets, r)).collect();
        let load = 100.0 * mean * ROUND_TRIP_S;
        for (place, (what, theory)) in [
            ("mean", load),
            ("variance", load),
            ("share of time empty", libm::exp(-load)),
        ]
        .into_iter()
        .enumerate()
        {
            let values: Vec<f64> = runs.iter().map(|run| run[place]).collect();
            let interval = mean_interval(&values, level).expect("replications");
            assert!(
                interval.low <= theory && theory <= interval.high,
                "{what} with {packets}: theory {theory}, {interval:?}"
            );
        }
    }
}
