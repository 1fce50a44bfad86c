//! Delays until delivery, and of flows, against times by hand.

use crate::measures::{Measured, world};

/// Two flows over a path of 1.8 ms, each with one packet of 1000 B at a time: its time-out is the
/// minimum, 500 ms, from its transmission. The second flow loses one packet once and another twice.
const LOSSES: &str = r#"
run = { duration = "11s", warmup = "1s" }
node = [{ name = "a", count = 2 }, { name = "b" }]
link = [{ name = "core", from = "a", to = "b", rate = "10Mbps", delay = "1ms", drops = [
  { flow = "f[1]", seq = 100 }, { flow = "f[1]", seq = 150 }, { flow = "f[1]", seq = 150, k = 2 },
] }]
flow = [{ name = "f", count = 2, from = "a", to = "b", traffic = { kind = "tcp", profile = "rfc", window = "1pkts", min_rto = "500ms", packet_size = "1000B", header = "40B" } }]

[[measure]]
name = "copies"
kind = "delays"
flows = "f[1]"
[[measure]]
name = "lossless"
kind = "delays"
flows = "f[0]"
until = "delivered"
[[measure]]
name = "data"
kind = "delays"
flows = "f[1]"
until = "delivered"
[[measure]]
name = "means"
kind = "delays"
flows = "f"
until = "delivered"
of = "flow means"
[[measure]]
name = "means_of_copies"
kind = "delays"
flows = "f"
of = "flow means"
"#;

/// Transmission and propagation.
const PATH: f64 = 1000.0 * 8.0 / 10e6 + 0.001;

#[test]
fn the_delay_of_dropped_data_includes_the_wait_for_their_retransmission() {
    let found = Measured::of(LOSSES);
    for measure in ["copies", "lossless"] {
        for number in ["mean_s", "min_s", "max_s"] {
            found.assert_near(&format!("{measure}.{number}"), PATH, 1e-12);
        }
        assert_eq!(found.get(&format!("{measure}.std_s")), 0.0);
    }
    // The second time-out of the same data is twice as long.
    found.assert_near("data.max_s", PATH + 0.5 + 1.0, 1e-12);
    let waits = 0.5 + 1.5;
    let pkts = found.get("data.pkts");
    found.assert_near("data.mean_s", PATH + waits / pkts, 1e-9);
    // Each piece of data once, and here each copy that arrives is a first.
    assert_eq!(pkts, found.get("copies.pkts"));
    assert!(pkts > 100.0 && pkts < found.get("lossless.pkts"));
}

#[test]
fn statistics_over_flows_are_of_their_means() {
    let found = Measured::of(LOSSES);
    let (least, most) = (found.get("lossless.mean_s"), found.get("data.mean_s"));
    found.assert_near("means.min_s", least, 1e-9);
    found.assert_near("means.max_s", most, 1e-9);
    found.assert_near("means.mean_s", (least + most) / 2.0, 1e-9);
    assert_eq!(found.get("means.flows"), 2.0);
    for number in ["mean_s", "min_s", "max_s"] {
        found.assert_near(&format!("means_of_copies.{number}"), PATH, 1e-12);
    }
}

#[test]
fn drops_are_divided_by_delivered_packets_apart_from_the_loss_ratio() {
    let found = Measured::of(LOSSES);
    let delivered = found.get("flows.f.delivered_pkts");
    found.assert_near("flows.f.dropped_per_delivered", 3.0 / delivered, 1e-12);
    found.assert_near("flows.f.loss_ratio", 3.0 / (delivered + 3.0), 1e-12);
}

/// Data that are sent again although they arrived count once, when they arrived first.
#[test]
fn further_copies_of_delivered_data_do_not_count() {
    let traffic = r#"{ kind = "tcp", profile = "rfc", window = "1pkts", min_rto = "500ms", packet_size = "1000B", header = "40B" }"#;
    let lost_ack = r#"back = { drops = [{ flow = "f", ack = 100 }] }"#;
    let measure = r#"
        [[measure]]
        name = "data"
        kind = "delays"
        flows = "f"
        until = "delivered"
        [[measure]]
        name = "copies"
        kind = "delays"
        flows = "f"
    "#;
    let found = Measured::of(&(world(11, lost_ack, traffic) + measure));
    found.assert_near("data.max_s", PATH, 1e-12);
    assert_eq!(found.get("data.pkts") + 1.0, found.get("copies.pkts"));
}
