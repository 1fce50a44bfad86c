//! Fixed points: the fluid model of DCQCN and HPCC's utilisation against tables, and state machines
//! that stay at them.

use pacesim_datacentre::dcqcn::{Dcqcn, FluidModel, Notifier, Variant};
use pacesim_datacentre::hpcc::{Hop, HpccRate, HpccRateConfig, IntFormat, Update};
use pacesim_units::{Bytes, Rate, Span, Time};

use crate::tables::{agree, rows};

/// Bytes of a packet in the table.
const PACKET: u64 = 1000;
const PACKET_BITS: f64 = 8000.0;

fn fluid(gbps: f64, flows: f64) -> FluidModel {
    FluidModel {
        flows: flows as u32,
        line: gbps * 1e9 / PACKET_BITS,
        additive: 40e6 / PACKET_BITS,
        alpha_period: 55e-6,
        cnp_period: 50e-6,
        byte_counter: 1e4,
        increase_period: 55e-6,
        fast_steps: 5.0,
    }
}

#[test]
fn the_fluid_model_of_dcqcn_stays_where_the_table_says() {
    for row in rows(include_str!("closed/dcqcn_fixed_point.csv")) {
        let model = fluid(row[0], row[1]);
        let point = model.fixed_point();
        agree(point.marks, row[2]);
        agree(model.approximate_marks(), row[3]);
        agree(point.alpha, row[4]);
        agree(point.gap * PACKET_BITS / 1e6, row[5]);
    }
}

/// Random numbers of at least 0 and below 1 (Knuth's generator MMIX).
struct Draws(u64);

impl Draws {
    fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// The mean rate of a sender whose packets are marked with a constant probability.
fn mean_gbps(line: Rate, marks: f64, seed: u64) -> f64 {
    let mut sender = Dcqcn::new(Variant::Paper.config(line));
    let mut notifier = Notifier::default();
    let mut draws = Draws(seed);
    let mut now = Time::ZERO;
    let [warm_up, end] = [20, 220].map(|ms| Time::ZERO + Span::from_ms(ms));
    let mut bytes = 0;
    while now < end {
        let gap = sender.rate().transmission_time(Bytes(PACKET));
        now += gap.expect("less than 213 days");
        while sender.wake(now).is_some() {}
        if draws.next() < marks && notifier.marked(now) {
            sender.cnp(now);
        }
        sender.sent(Bytes(PACKET));
        bytes += if now > warm_up { PACKET } else { 0 };
    }
    bytes as f64 * 8.0 / 0.2 / 1e9
}

/// The fluid model neglects that rates vary: with its marks a sender gets a fifth more than its share.
#[test]
fn a_sender_of_dcqcn_has_a_fifth_more_than_its_share_at_the_marks_of_the_fluid_model() {
    for (gbps, flows) in [(40, 2), (40, 10), (100, 10)] {
        let marks = fluid(f64::from(gbps), f64::from(flows)).fixed_point().marks;
        let line = Rate::from_mbps(u64::from(gbps as u32) * 1000);
        let share = f64::from(gbps) / f64::from(flows);
        let mean = (1..5).map(|seed| mean_gbps(line, marks, seed)).sum::<f64>() / 4.0;
        let excess = mean / share;
        assert!(
            (1.15..1.30).contains(&excess),
            "{gbps} Gbps, {flows} flows: {excess}"
        );
    }
}

/// Senders of one hop, which update once per round trip from its utilisation.
struct Ring {
    line: Rate,
    round_trip_ns: u64,
    senders: Vec<HpccRate>,
    sent: f64,
    queued: f64,
    rounds: u64,
}

impl Ring {
    fn new(row: &[f64]) -> Ring {
        let line = Rate::from_mbps(row[0] as u64 * 1000);
        let round_trip = Span::from_ps_f64(row[1] * 1e6).expect("a span");
        let config = HpccRateConfig {
            line,
            minimum: Rate::from_mbps(1),
            window: line.bytes_in(round_trip).expect("a window"),
            round_trip,
            additive_bps: (row[3] * 1e6) as u64,
            target: row[4],
            most_stages: 0,
            reacts_fast: false,
            format: IntFormat::Exact,
        };
        Ring {
            line,
            round_trip_ns: round_trip.as_ps() / 1000,
            senders: vec![HpccRate::new(config); row[2] as usize],
            sent: 0.0,
            queued: 0.0,
            rounds: 0,
        }
    }

    /// A round trip in which only the first `active` senders send.
    fn round(&mut self, active: usize) {
        let senders = &mut self.senders[..active];
        let offered: u64 = senders.iter().map(|sender| sender.rate().as_bps()).sum();
        let bytes = |bps: f64| bps * self.round_trip_ns as f64 * 1e-9 / 8.0;
        let [arrived, most] = [offered, self.line.as_bps()].map(|bps| bytes(bps as f64));
        let left = (self.queued + arrived).min(most);
        self.queued += arrived - left;
        self.sent += left;
        self.rounds += 1;
        let hop = Hop {
            at_ns: (self.rounds * self.round_trip_ns) as i64,
            sent: self.sent as u64,
            queued: self.queued as u64,
            line_bps: self.line.as_bps(),
        };
        for sender in senders {
            let update = sender.ack(self.rounds, self.rounds, &[hop]);
            assert_eq!(update, Update::Full);
        }
    }
}

#[test]
fn hpcc_stays_at_the_target_and_the_additive_increases() {
    let table = rows(include_str!("closed/hpcc_fixed_point.csv"));
    for row in table.iter().filter(|row| row[5] < 1.0) {
        let mut ring = Ring::new(row);
        let count = ring.senders.len();
        (0..50).for_each(|_| ring.round(1));
        (0..20_000).for_each(|_| ring.round(count));
        let mut used = 0.0;
        for sender in &ring.senders {
            let gbps = sender.rate().as_bps() as f64 / 1e9;
            assert!((gbps - row[6]).abs() < 1e-3 * row[6], "{gbps}: {row:?}");
            used += gbps / row[0];
        }
        assert!((used - row[5]).abs() < 1e-4, "{used}: {row:?}");
        assert!(ring.queued < 1.0, "{}: {row:?}", ring.queued);
    }
}

#[test]
fn hpcc_keeps_a_queue_beyond_the_flows_that_its_increase_allows() {
    let table = rows(include_str!("closed/hpcc_fixed_point.csv"));
    let full = table.iter().find(|row| row[5] == 1.0).expect("a row");
    for (factor, has_queue) in [(0.9, false), (1.2, true)] {
        let mut row = full.clone();
        row[2] *= factor;
        let mut ring = Ring::new(&row);
        let count = ring.senders.len();
        (0..20_000).for_each(|_| ring.round(count));
        assert_eq!(ring.queued > 1000.0, has_queue, "{} {row:?}", ring.queued);
    }
}
