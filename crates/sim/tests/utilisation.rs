//! The use of lines and of pacers' rates: a share of the measured time, for any rate, size and
//! window.

use pacesim::World;
use pacesim::model::{Model, PortPacer, Traffic};
use pacesim::pacers::{LeakyBucketConfig, Qlbp09Config, RecordedRateConfig, TokenBucketConfig};
use pacesim::units::{Bytes, Capacity, Rate, Span, Time};
use proptest::prelude::*;

/// One link that is offered this load by equal packets from time zero.
fn model(line: Rate, offered: Rate, size: Bytes, [warmup, duration]: [Span; 2]) -> Model {
    let mut model = Model::new("one port", duration);
    let (a, b) = (model.add_node("a"), model.add_node("b"));
    model.add_link(a, b, line, Span::from_ms(1));
    let rate = offered;
    model.add_flow(a, b, Traffic::Cbr { rate, size });
    model.warmup = warmup;
    model
}

fn pacers(rate: Rate, burst: Bytes) -> [PortPacer; 4] {
    let capacity = Capacity::Unlimited;
    [
        PortPacer::LeakyBucket(LeakyBucketConfig { rate, capacity }),
        PortPacer::TokenBucket(TokenBucketConfig {
            rate,
            burst,
            capacity,
        }),
        PortPacer::RecordedRate(RecordedRateConfig {
            opportunities_ms: [1, 1, 4].into(),
            capacity,
        }),
        PortPacer::Qlbp09(Qlbp09Config {
            d_max: Span::from_secs(10),
            s_max: Bytes(1),
            mu_max: rate,
            q_max: Capacity::Packets(2),
            q_lim: capacity,
            plug_in: None,
            jitter: Span::ZERO,
        }),
    ]
}

/// A rate of any magnitude.
fn rates() -> impl Strategy<Value = Rate> {
    (0u32..12, 1u64..1000).prop_map(|(magnitude, digits)| {
        let bps = 10_u64.pow(magnitude).saturating_mul(digits) / 100;
        Rate::from_bps(bps.max(1)).expect("not zero")
    })
}

/// The utilisation of the line, and of the pacer, if there is one with a rate.
fn used(model: Model) -> (f64, Option<f64>) {
    let mut world = World::new(model).expect("a sound model");
    world.run();
    let row = &world.link_rows()[0];
    (row.utilisation, row.pacer_utilisation)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn nothing_is_used_for_longer_than_the_window(
        (line, offered, own) in (rates(), rates(), rates()),
        size in 40u64..9000,
        (packets, warmup) in (1u64..400, 0.0..0.999),
        place in 0usize..5,
    ) {
        let size = Bytes(size);
        // So many packets are sent.
        let ps = u128::from(size.get()) * 8 * 1_000_000_000_000 * u128::from(packets);
        let ps = ps / u128::from(offered.as_bps());
        let duration = Span::from_ps(u64::try_from(ps).unwrap_or(u64::MAX / 4).clamp(1000, u64::MAX / 4));
        let window = [Span::from_ps((duration.as_ps() as f64 * warmup) as u64), duration];
        let mut model = model(line, offered, size, window);
        let pacer = pacers(own, Bytes(3 * size.get())).into_iter().nth(place);
        let is_steady = matches!(pacer, Some(PortPacer::LeakyBucket(_) | PortPacer::TokenBucket(_)));
        let has_pacer = pacer.is_some();
        model.links[0].extras.pacer = pacer;
        let (of_line, of_pacer) = used(model);
        prop_assert!((0.0..=1.0).contains(&of_line), "the line: {of_line}");
        prop_assert!(of_pacer.is_none_or(|share| (0.0..=1.0).contains(&share)), "{of_pacer:?}");
        let picosecond = 2.0 / (window[1] - window[0]).as_ps() as f64;
        if !has_pacer && offered.as_bps() > line.as_bps() {
            prop_assert!(of_line >= 1.0 - picosecond, "a line that never rests: {of_line}");
        }
        if is_steady && offered.as_bps() > own.as_bps() {
            let share = of_pacer.expect("it has a rate");
            prop_assert!(share >= 1.0 - picosecond, "a pacer that never rests: {share}");
        }
    }
}

#[test]
fn a_line_whose_work_lasts_beyond_the_last_time_is_just_busy() {
    let rate = |bps| Rate::from_bps(bps).expect("not zero");
    let window = [Span::ZERO, Span::from_secs(1)];
    let full = model(rate(1), Rate::from_mbps(1000), Bytes(1500), window);
    assert_eq!(used(full).0, 1.0);
    let mut late = model(rate(1), Rate::from_mbps(1000), Bytes(1500), window);
    late.flows[0].start = Time::ZERO + Span::from_ms(250);
    assert_eq!(used(late).0, 0.75);
}

#[test]
fn a_packet_that_a_pacer_still_counts_at_the_end_is_used_in_part() {
    let rate = Rate::from_bps(10_000).expect("not zero");
    let window = [Span::ZERO, Span::from_secs(1)];
    let mut one = model(Rate::from_mbps(10), Rate::from_mbps(1), Bytes(1000), window);
    let [leaky, ..] = pacers(rate, Bytes(1000));
    one.links[0].extras.pacer = Some(leaky);
    assert_eq!(used(one.clone()).1, Some(1.0));
    one.flows[0].stop = Some(Time::ZERO + Span::from_ms(1));
    // One packet of 0.8 s.
    assert_eq!(used(one).1, Some(0.8));
}
