//! Laws of senders over random feedback: rates within the line, estimates within their range.

use pacesim_datacentre::dcqcn::{Config, Dcqcn, Recovery, Variant};
use pacesim_datacentre::dctcp_rate::{DctcpRate, DctcpRateConfig};
use pacesim_datacentre::hpcc::{
    Hop, HpccRate, HpccRateConfig, HpccWindow, HpccWindowConfig, IntFormat,
};
use pacesim_datacentre::swift::{Swift, SwiftConfig, SwiftHtsim, SwiftHtsimConfig};
use pacesim_datacentre::timely::{self, Timely};
use pacesim_units::{Bytes, Rate, Span, Time};
use proptest::prelude::*;

const VARIANTS: [Variant; 4] = [
    Variant::Paper,
    Variant::Authors,
    Variant::Hpcc,
    Variant::ConnectX,
];

/// A variant with steps of rates and times that random inputs reach.
fn dcqcns() -> impl Strategy<Value = Config> {
    let variant = prop::sample::select(&VARIANTS[..]);
    (variant, 1u64..400, 1u64..100, 0u64..5000, 1u32..6).prop_map(
        |(variant, gbps, us, mbps, fast_steps)| {
            let config = variant.config(Rate::from_mbps(gbps * 1000));
            Config {
                alpha_period: Span::from_us(us),
                increase_period: Span::from_us(us),
                byte_counter: Some(Bytes(us * 1000)),
                additive_bps: mbps * 1_000_000,
                hyper_bps: mbps * 5_000_000,
                minimum_bps: config.minimum_bps.min(500_000_000),
                fast_steps,
                ..config
            }
        },
    )
}

proptest! {
    #[test]
    fn dcqcn_stays_within_its_line(
        config in dcqcns(),
        events in prop::collection::vec((0u64..60, any::<bool>(), 0u64..200_000), 1..200),
    ) {
        let mut sender = Dcqcn::new(config);
        let mut now = Time::ZERO;
        let line = config.line.as_bps();
        for (us, is_cnp, bytes) in events {
            now += Span::from_us(us);
            let mut woken = 0;
            while sender.wake(now).is_some() {
                woken += 1;
                prop_assert!(woken < 500, "a timer that never ends");
            }
            prop_assert!(sender.next_wake().is_none_or(|at| at > now));
            if is_cnp {
                let before = sender.rate();
                sender.cnp(now);
                prop_assert!(sender.rate() <= before, "a cut");
            }
            sender.sent(Bytes(bytes));
            let rate = sender.rate().as_bps();
            prop_assert!(rate >= config.minimum_bps && rate <= line, "{rate}");
            prop_assert!((0.0..=1.0).contains(&sender.alpha()));
            let is_bounded = config.recovery != Recovery::Qcn;
            prop_assert!(!is_bounded || sender.target_bps() <= line as f64);
        }
    }

    #[test]
    fn dcqcn_returns_to_the_rate_of_its_line(config in dcqcns(), cnps in 1u64..30) {
        let config = Config {
            additive_bps: config.additive_bps.max(1_000_000),
            hyper_bps: config.hyper_bps.max(100_000_000),
            ..config
        };
        let mut sender = Dcqcn::new(config);
        let mut now = Time::ZERO;
        for _ in 0..cnps {
            now += Span::from_us(50);
            while sender.wake(now).is_some() {}
            sender.cnp(now);
        }
        let line = config.line.as_bps();
        for _ in 0..1_000_000 {
            let Some(at) = sender.next_wake() else { break };
            sender.wake(at);
            if sender.rate().as_bps() + 2 >= line {
                break;
            }
        }
        prop_assert!(sender.rate().as_bps() + 2 >= line, "{:?}", sender.rate());
    }

    #[test]
    fn hpcc_stays_within_its_line(
        acks in prop::collection::vec((0u64..30_000, 0u64..500_000, 0u64..300_000, 1usize..6), 1..200),
        most_stages in 0u32..6,
        reacts_fast in any::<bool>(),
        multiple in 1u64..9,
    ) {
        let line = Rate::from_mbps(25_000 * multiple);
        let round_trip = Span::from_us(10);
        let config = HpccRateConfig {
            line,
            minimum: Rate::from_mbps(100),
            window: line.bytes_in(round_trip).expect("a window"),
            round_trip,
            additive_bps: 50_000_000,
            target: 0.95,
            most_stages,
            reacts_fast,
            format: IntFormat::Artifact { multiple },
        };
        let mut by_rate = HpccRate::new(config);
        let mut by_window = HpccWindow::new(HpccWindowConfig {
            line,
            round_trip,
            additive: 100.0,
            target: 0.95,
            most_stages,
        });
        let (mut at_ns, mut sent) = (0, 0);
        for (i, (ns, bytes, queued, hops)) in acks.into_iter().enumerate() {
            at_ns += ns as i64;
            sent += bytes;
            let hop = Hop { at_ns, sent, queued, line_bps: line.as_bps() };
            let exact = vec![hop; hops];
            let carried: Vec<Hop> = exact.iter().map(|hop| config.format.carried(*hop)).collect();
            let acked = 1000 * (i as u64 + 1);
            by_rate.ack(acked, acked + 20_000, &carried);
            by_window.ack(acked, acked + 20_000, &exact);
            prop_assert!(by_rate.rate() >= config.minimum && by_rate.rate() <= line);
            prop_assert!(by_rate.window() <= config.window && by_rate.window() >= Bytes(1));
            prop_assert!(by_rate.utilisation() >= 0.0 && by_rate.utilisation().is_finite());
            prop_assert!(by_window.window() > 0.0 && by_window.rate() <= line);
            prop_assert!(by_window.utilisation() >= 0.0 && by_window.utilisation().is_finite());
        }
    }

    #[test]
    fn timely_stays_within_its_line(
        round_trips in prop::collection::vec(1u64..2_000_000, 1..300),
        variant in 0..3usize,
    ) {
        let all = [timely::Variant::Paper, timely::Variant::Artifact, timely::Variant::Patched];
        let variant = all[variant];
        let config = variant.config(Rate::from_mbps(25_000));
        let mut sender = Timely::new(config);
        for ns in round_trips {
            let before = sender.rate();
            sender.sample(Span::from_ns(ns));
            prop_assert!(sender.rate() >= config.minimum && sender.rate() <= config.line);
            let is_long = Span::from_ns(ns) > config.high;
            prop_assert!(!is_long || sender.rate() <= before);
            let step = sender.rate().as_bps().saturating_sub(before.as_bps());
            let is_hyper = sender.increases() > config.steps;
            prop_assert!(step <= config.additive_bps || is_hyper);
            prop_assert!(sender.rate() >= before || sender.increases() == 0);
        }
    }

    #[test]
    fn dctcp_as_a_rate_stays_within_its_line(
        acks in prop::collection::vec((1u64..500, 0u64..50_000, any::<bool>()), 1..300),
    ) {
        let config = DctcpRateConfig::new(Rate::from_mbps(10_000));
        let mut sender = DctcpRate::new(config);
        let mut acked = 0;
        for (step, ahead, is_marked) in acks {
            acked += step;
            sender.ack(acked, acked + ahead, is_marked);
            prop_assert!(sender.rate() >= config.minimum && sender.rate() <= config.line);
            prop_assert!((0.0..=1.0).contains(&sender.alpha()));
        }
    }

    #[test]
    fn swift_stays_within_its_bounds(
        acks in prop::collection::vec((1u64..100, 1u64..2000, 0u32..4, 0u32..20), 1..300),
    ) {
        let config = SwiftConfig {
            additive: 1.0,
            decrease: 0.8,
            most_decrease: 0.5,
            base: Span::from_us(25),
            hop: Span::from_us(1),
            scaling: Span::from_us(125),
            scaled_from: 0.1,
            scaled_to: 100.0,
            least: 0.001,
            most: 256.0,
            first: 10.0,
        };
        let mut paper = Swift::new(config);
        let packet = Bytes(1500);
        let mut htsim = SwiftHtsim::new(SwiftHtsimConfig::new(packet, Span::from_us(20)));
        let mut now = Time::ZERO;
        for (gap, us, acked, event) in acks {
            now += Span::from_us(gap);
            let delay = Span::from_us(us);
            let before = paper.window();
            match event {
                0 => paper.lost(now, delay),
                1 => paper.timed_out(now, delay),
                _ => paper.ack(now, delay, f64::from(acked), 3, delay),
            }
            prop_assert!((config.least..=config.most).contains(&paper.window()));
            prop_assert!(event > 1 || paper.window() <= before, "a loss");
            prop_assert_eq!(paper.window() < 1.0, paper.pacing_ps() > 0.0);
            htsim.ack(now, delay, packet * u64::from(acked), 6);
            prop_assert!(htsim.window() >= Bytes(10) && htsim.window() <= packet * 1000);
            prop_assert_eq!(htsim.window() < packet, !htsim.pacing().is_zero());
        }
    }
}

/// A round trip for each window's worth of ACKs, all above the target: each cuts to half at most.
#[test]
fn swift_cuts_once_per_round_trip_and_is_least_after_five_time_outs() {
    let us = Span::from_us;
    let at = |n: u64| Time::ZERO + us(n);
    let config = SwiftConfig {
        additive: 1.0,
        decrease: 0.8,
        most_decrease: 0.5,
        base: us(25),
        hop: us(1),
        scaling: us(125),
        scaled_from: 0.1,
        scaled_to: 100.0,
        least: 0.001,
        most: 256.0,
        first: 16.0,
    };
    let mut sender = Swift::new(config);
    for i in 0..100 {
        sender.ack(at(10 * i), us(500), 1.0, 3, us(500));
    }
    assert_eq!(sender.window(), 4.0, "at 0 and at 500 us");
    for i in 0..4 {
        sender.timed_out(at(2000 + i), us(500));
    }
    assert_eq!(sender.window(), 2.0, "one within a round trip");
    sender.timed_out(at(2004), us(500));
    assert_eq!(sender.window(), 0.001);
}
