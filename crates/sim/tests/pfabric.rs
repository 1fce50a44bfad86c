//! pFabric's queue on one link, against M/G/1 with the shortest remaining customer first.

use std::f64::consts::LN_2;

use pacesim::World;
use pacesim::measure::{Moments, mean_interval};
use pacesim::scenario::load;
use pacesim_analytic::srpt::{self, Delay, Sizes};

/// Transfers at a load of 0.8, each of which joins the queue at its arrival as a whole: mean size
/// 100 KB, in packets of 1000 B, over 1 Gbps.
fn scenario(size: &str, discipline: &str) -> String {
    format!(
        r#"
run = {{ duration = "12s", warmup = "1s" }}
[[node]]
name = "a"
[[node]]
name = "b"
[[link]]
name = "core"
from = "a"
to = "b"
rate = "1Gbps"
discipline = {{ kind = "{discipline}" }}
[[flow]]
name = "f"
from = "a"
to = "b"
count = 1
[flow.traffic]
kind = "tcp"
profile = "rfc"
payload = "1000B"
header = "0B"
syn = false
initial_window = "9000pkts"
delayed_ack = false
min_rto = "60s"
initial_rto = "60s"
[flow.traffic.transfers]
size = {size}
connection = "new"
arrivals = {{ kind = "poisson", load = 0.8, of = "core" }}
"#
    )
}

/// The mean service time: 100 KB at 1 Gbps.
const SERVICE_PS: f64 = 8e8;

/// Bounds of sizes, in mean sizes, that divide exponential ones into four equal parts.
const CLASSES: [(f64, f64); 5] = [
    (0.0, 0.2877),
    (0.2877, LN_2),
    (LN_2, 2.0 * LN_2),
    (2.0 * LN_2, f64::INFINITY),
    (0.0, f64::INFINITY),
];

/// Mean delays in mean service times in each class of sizes, one for each replication.
fn delays(discipline: &str) -> [Vec<f64>; 5] {
    let text = scenario(r#"{ exponential = "100KB" }"#, discipline);
    let checked = load("pfabric.toml", &text, &[], &()).expect("it is sound");
    let mut means = [const { Vec::new() }; 5];
    for replication in 0..12 {
        let mut world = World::new(checked.expand(1, replication)).expect("it can be built");
        world.run();
        let mut all = [(); 5].map(|()| Moments::new());
        for row in world
            .take_transfers()
            .iter()
            .filter(|row| !row.began_in_warmup)
        {
            let size = row.size_bytes as f64 / 1e5;
            let delay = row.end_ps.expect("it has ended") - row.start_ps;
            let of_size = CLASSES.iter().zip(&mut all);
            for (_, class) in of_size.filter(|((above, most), _)| (*above..*most).contains(&size)) {
                class.add(delay);
            }
        }
        for (means, class) in means.iter_mut().zip(&all) {
            means.push(class.mean().expect("there are some") / SERVICE_PS);
        }
    }
    means
}

/// The mean delay of this class in theory.
fn theory((above, most): (f64, f64)) -> f64 {
    let all = srpt::delays(0.8, Sizes::Exponential).expect("a load below 1");
    let part = |of: &dyn Fn(&Delay) -> f64| {
        let is_in = |delay: &Delay| (above..most).contains(&delay.size);
        srpt::mean(&all, |delay| if is_in(delay) { of(delay) } else { 0.0 })
    };
    part(&|delay| delay.mean) / part(&|_| 1.0)
}

#[test]
fn delays_by_size_are_those_of_the_shortest_remaining_first() {
    // At 99.9 % for all five together. A packet is a hundredth of a mean size: it is sent to its end.
    let packet = 0.01;
    for (class, means) in CLASSES.into_iter().zip(delays("pfabric")) {
        let theory = theory(class);
        let interval = mean_interval(&means, 0.9998).expect("twelve samples");
        let (low, high) = (interval.low - packet, interval.high + packet);
        assert!(
            (low..high).contains(&theory),
            "{class:?}: {theory} and {low} to {high}"
        );
    }
}

#[test]
fn first_come_first_served_makes_all_wait_longer() {
    let [.., all] = delays("drop_tail");
    let mean = all.iter().sum::<f64>() / all.len() as f64;
    // M/M/1: 1 / (1 - 0.8).
    assert!((mean - 5.0).abs() < 0.5, "{mean}");
}
