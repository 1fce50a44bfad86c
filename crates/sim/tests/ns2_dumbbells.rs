//! Whole dumbbells of TCP flows against ns-2: a few quick cells of the table in
//! `docs/ns2-agreement.md`, which `cargo run --release --example ns2_agreement` writes.

#[path = "ns2/cells.rs"]
mod cells;

use cells::{NAMES, agree, allowed, cells};

fn assert_agreement(set: &str, buffer: &str) {
    let all = cells();
    let mut found = all
        .iter()
        .filter(|cell| cell.set == set && cell.buffer == buffer);
    let cell = found.next().expect("a cell of the table");
    let ours = cell.figures(1..=5);
    for ((name, ns2), ours) in NAMES.iter().zip(cell.ns2).zip(ours) {
        assert!(
            agree(ns2, ours),
            "{set}, {buffer}, {name}: ns-2 {ns2:?}, ours {ours:?}, allowed {}",
            allowed(ns2, ours)
        );
    }
}

#[test]
fn d_with_one_packet_of_buffer_agrees() {
    assert_agreement("D", "1 KB");
}

#[test]
fn d_without_loss_agrees() {
    assert_agreement("D", "12500 KB");
}

#[test]
fn a_hundred_flows_with_two_packets_of_buffer_agree() {
    assert_agreement("B, 100 flows", "2 KB");
}

#[test]
fn a_with_ten_packets_of_buffer_agrees() {
    assert_agreement("A", "10 pkts");
}
