//! Headroom and thresholds against tables of their formulas.

use pacesim_datacentre::headroom::{Input, PaperSwitch, response_quanta};
use pacesim_units::{Bytes, Rate, Span};

use crate::tables;

#[test]
fn headroom_is_that_of_the_table() {
    for row in tables::rows(include_str!("closed/pfc_headroom.csv")) {
        let [gbps, metres, packet] = [0, 1, 2].map(|i| row[i] as u64);
        let line = Rate::from_mbps(gbps * 1000);
        let input = Input {
            line,
            wire: Span::from_ns(5 * metres),
            packet: Bytes(packet),
            response: response_quanta(line),
        };
        assert_eq!(input.response * 64, row[6] as u64, "{row:?}");
        let expected = row[7].ceil() as u64;
        assert_eq!(input.headroom(), Some(Bytes(expected)), "{row:?}");
    }
}

#[test]
fn headroom_beyond_64_bits_is_none() {
    let input = Input {
        line: Rate::from_bps(u64::MAX).expect("above zero"),
        wire: Span::MAX,
        packet: Bytes(1500),
        response: 0,
    };
    assert_eq!(input.headroom(), None);
}

#[test]
fn thresholds_are_those_of_the_paper_of_dcqcn() {
    let switch = PaperSwitch {
        ports: 32,
        memory: 12e6,
        in_flight: 22.4e3,
    };
    let table = tables::rows(include_str!("closed/pfc_thresholds_dcqcn_paper.csv"));
    let expected: Vec<f64> = table.iter().map(|row| row[row.len() - 1]).collect();
    let mut found = vec![switch.pause_threshold()];
    found.extend([1.0, 2.0, 4.0, 8.0, 16.0].map(|beta| switch.mark_threshold(beta)));
    for (found, expected) in found.iter().zip(&expected) {
        tables::agree(*found, *expected);
    }
    assert_eq!(found.len(), expected.len());
    let empty = switch.dynamic_pause_threshold(8.0, 0.0);
    let full = switch.dynamic_pause_threshold(8.0, 1e6);
    assert!(empty - full > 0.999e6 && empty > 6e6, "{empty} {full}");
}
