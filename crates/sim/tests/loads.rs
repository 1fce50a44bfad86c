//! Loads that scenarios ask for, against those that arrive at the link.

use pacesim::World;
use pacesim::measure::mean_interval;
use pacesim::scenario::{Checked, load};

const REPLICATIONS: u64 = 20;

/// Two flows over a core of 4 Mbps whose queue holds all.
fn checked(traffic: &str, count: u32) -> Checked {
    let text = format!(
        r#"
        run = {{ duration = "120s", warmup = "20s" }}
        [topology]
        shape = "dumbbell"
        pairs = 2
        access = {{ rate = "1Gbps", delay = "1ms" }}
        bottleneck = {{ rate = "4Mbps", delay = "8ms", buffer = "unlimited" }}
        [[flow]]
        name = "f"
        count = {count}
        from = "left"
        to = "right"
        traffic = {{ {traffic} }}
        "#
    );
    let checked = load("loads.toml", &text, &[], &());
    checked.unwrap_or_else(|problems| panic!("{traffic}: {problems}"))
}

/// The part of the core's rate that arrived there in each replication, and the mean time of a
/// transfer.
fn offered(checked: &Checked) -> (Vec<f64>, f64) {
    let (mut loads, mut took_s, mut transfers) = (Vec::new(), 0.0, 0.0);
    for replication in 0..REPLICATIONS {
        let mut world = World::new(checked.expand(11, replication)).expect("a sound model");
        world.run();
        let rows = world.link_rows();
        let core = rows
            .iter()
            .find(|link| link.link == "core")
            .expect("a core");
        loads.push(core.arrived_bytes as f64 * 8.0 / 100.0 / 4e6);
        for row in world.take_transfers() {
            if let Some(end) = row.end_ps {
                took_s += (end - row.start_ps) as f64 / 1e12;
                transfers += 1.0;
            }
        }
    }
    (loads, took_s / transfers)
}

#[test]
fn the_load_of_each_kind_of_source_arrives() {
    for keys in [
        r#"kind = "cbr", size = "500B""#,
        r#"kind = "poisson", size = { uniform = ["100B", "1400B"] }"#,
        r#"kind = "bulks", size = "500B", count = 4"#,
        r#"kind = "on_off", size = "500B", mean_on = "100ms", mean_off = "300ms""#,
        r#"kind = "fractional_noise", size = "500B", hurst = 0.7, burstiness = 0.5, over = "10ms", slot = "1ms""#,
        r#"kind = "sessions", size = "500B", hurst = 0.7, burstiness = 0.5, over = "10ms", mean_session = "100ms""#,
        r#"kind = "pareto_on_off", sources = 10, size = "500B", mean_on = "50ms", mean_off = "150ms", hurst = 0.7"#,
    ] {
        for load in [0.3, 0.8] {
            let checked = checked(&format!("{keys}, load = {load}, of = \"core\""), 2);
            let (loads, _) = offered(&checked);
            // Fourteen statements, all of which hold with a probability of 99.9 %. The packets on
            // the way at both ends, and the rounding of gaps, are below 1e-4.
            let interval = mean_interval(&loads, 1.0 - 0.001 / 14.0).expect("replications");
            let (low, high) = (interval.low - 1e-4, interval.high + 1e-4);
            assert!((low..=high).contains(&load), "{keys}: {load}, {interval:?}");
            assert!(interval.half_width() < 0.12 * load, "{keys}: {interval:?}");
        }
    }
}

#[test]
fn users_offer_their_load_less_the_time_of_their_transfers() {
    for (load, count, size) in [
        (0.2, 50, r#"size = "10KB""#),
        (
            0.4,
            50,
            r#"size = { exponential = "20KB" }, connection = "new""#,
        ),
        (
            0.6,
            8,
            r#"size = { lognormal = { mean = "30KB", sigma = 0.8 } }, connection = "new""#,
        ),
    ] {
        let keys = format!(
            r#"kind = "tcp", profile = "rfc", transfers = {{ {size}, arrivals = {{ kind = "users", load = {load}, of = "core" }} }}"#
        );
        let checked = checked(&keys, count);
        let (_, words) = &checked.arrivals()[0];
        assert!(
            words.ends_with("are offered if they take no time"),
            "{words}"
        );
        let gap_s = {
            let model = checked.expand(11, 0);
            match &model.flows[0].traffic {
                pacesim::model::Traffic::Tcp(tcp) => match &tcp.load {
                    pacesim::model::Load::Transfers(transfers) => match &transfers.pause {
                        pacesim::model::Pause::Drawn(law) => {
                            law.sampler().expect("a law").mean() / 1e12
                        }
                        other => panic!("{other:?}"),
                    },
                    other => panic!("{other:?}"),
                },
                other => panic!("{other:?}"),
            }
        };
        let (loads, took_s) = offered(&checked);
        let expected = load * gap_s / (gap_s + took_s);
        let interval = mean_interval(&loads, 1.0 - 0.001 / 3.0).expect("replications");
        let (low, high) = (0.995 * interval.low, 1.005 * interval.high);
        assert!(
            (low..=high).contains(&expected),
            "{keys}: {expected}, {interval:?}"
        );
        assert!(expected < load, "{expected}");
    }
}
