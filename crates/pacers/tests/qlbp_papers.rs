//! QLBP against the numbers and theorems of its papers.

use pacesim_pacers::*;
use pacesim_units::{Bytes, Capacity, FlowId, Rate, Span, Time};
use proptest::prelude::*;
use rand_chacha::{ChaCha8Rng, rand_core::Rng, rand_core::SeedableRng};

const PS: f64 = 1e12;

fn config(mu_min: u64, mu_max: u64, q_max: Capacity, line: u64) -> QlbpConfig {
    QlbpConfig {
        mu_min: Rate::from_bps(mu_min),
        mu_max: Rate::from_bps(mu_max).expect("not zero"),
        q_max,
        q_lim: Capacity::Unlimited,
        line_rate: Rate::from_bps(line).expect("not zero"),
    }
}

/// Arrival and release of each packet, in order.
fn drive(pacer: &mut impl Pacer, arrivals: &[(Time, u32)]) -> Vec<(Time, Time)> {
    let mut passed = Vec::new();
    for (i, &(at, size)) in arrivals.iter().enumerate() {
        serve(pacer, at, arrivals, &mut passed);
        pacer
            .enqueue(at, Pending::new(i as u32, FlowId(0), size))
            .expect("an unlimited buffer");
    }
    serve(pacer, Time::NEVER, arrivals, &mut passed);
    passed
}

fn serve(
    pacer: &mut impl Pacer,
    until: Time,
    arrivals: &[(Time, u32)],
    passed: &mut Vec<(Time, Time)>,
) {
    while let Release::At(at) = pacer.next_release()
        && at <= until
    {
        let packet = pacer.dequeue(at).expect("its time has come");
        passed.push((arrivals[packet.key as usize].0, at));
    }
}

/// `count` packets of 1000 B at a constant rate, in bit/s.
fn cbr(rate: u64, count: u64) -> Vec<(Time, u32)> {
    (0..count)
        .map(|i| {
            (
                Time::from_ps(
                    (u128::from(i) * 8_000 * 1_000_000_000_000 / u128::from(rate)) as u64,
                ),
                1000,
            )
        })
        .collect()
}

fn mean_delay_ms(passed: &[(Time, Time)]) -> f64 {
    let sum: f64 = passed.iter().map(|&(a, r)| (r - a).as_secs_f64()).sum();
    sum / passed.len() as f64 * 1e3
}

#[test]
fn table_2_of_qlbp11_comes_out_to_the_printed_digits() {
    let rows = [
        (1, 0, "0", 0.0),
        (2, 0, "0", 0.0),
        (4, 2, "4", 4.0),
        (6, 4, "5.33", 16.0 / 3.0),
        (8, 7, "7", 7.0),
        (10, 9, "7.2", 7.2),
        (12, 10, "6.67", 20.0 / 3.0),
        (15, 10, "5.3", 16.0 / 3.0),
    ];
    for (mbps, packets, printed, exact) in rows {
        let law = config(2_000_000, 10_000_000, Capacity::Packets(10), 15_000_000);
        let law = QlbpConfig {
            q_lim: Capacity::Packets(1000),
            ..law
        };
        let mut pacer = Qlbp::new(&law).expect("valid");
        let passed = drive(&mut pacer, &cbr(mbps * 1_000_000, 4000));
        let steady = &passed[2000..3500];
        let delay = mean_delay_ms(steady);
        // At 6 Mbps mu(5) is the input's rate, so nothing compensates for rounding each pause up to
        // a picosecond: some nanoseconds in 4000 packets.
        assert!((delay - exact).abs() < 1e-5, "{mbps} Mbps: {delay} ms");
        let digits = printed.split('.').nth(1).map_or(0, str::len);
        assert_eq!(format!("{delay:.digits$}"), printed, "{mbps} Mbps");
        // Little: the mean queue is the delay times the packet rate.
        let queue = delay * 1e-3 * mbps as f64 * 1e6 / 8000.0;
        assert!(
            (queue - f64::from(packets)).abs() < 1e-5,
            "{mbps} Mbps: {queue} pkts"
        );
    }
}

#[test]
fn the_delay_bound_of_theorem_1_is_the_papers_example() {
    for (mu_max, ms) in [(300_000_000, 4), (600_000_000, 2)] {
        for q_max in [Capacity::Packets(100), Capacity::Bytes(Bytes(150_000))] {
            let law = config(1_000_000, mu_max, q_max, 600_000_000);
            assert_eq!(law.delay_bound(Bytes(1500)), Some(Span::from_ms(ms)));
        }
    }
}

proptest! {
    /// Theorem 1, in steady state, for any constant rate up to `mu_max`: "pacing delay" is the
    /// excess over the FIFO's delay, which is zero for rates below C.
    #[test]
    fn in_steady_state_the_delay_keeps_theorem_1(
        mu_min in 1_000u64..50_000_000,
        above in 1_000u64..100_000_000,
        q_max in 1u64..60,
        share in 0.01f64..=1.0,
    ) {
        let mu_max = mu_min + above;
        let law = config(mu_min, mu_max, Capacity::Packets(q_max), 2 * mu_max);
        let rate = ((mu_max as f64 * share) as u64).max(1000);
        let mut pacer = Qlbp::new(&law).expect("valid");
        let count = 400 + 40 * q_max;
        let passed = drive(&mut pacer, &cbr(rate, count));
        let bound = law.delay_bound(Bytes(1000)).expect("fits");
        for &(arrival, release) in &passed[passed.len() / 2..passed.len() - q_max as usize - 1] {
            prop_assert!(release - arrival <= bound, "{} over {bound}", release - arrival);
        }
    }

    /// The rule of every release: at least S/mu(q) after the last one, with q and mu after the
    /// arrivals up to then, computed here from eq. (1) in floats.
    #[test]
    fn departures_are_never_closer_than_the_law(
        steps in prop::collection::vec((0u64..3_000_000_000, 40u32..1500), 2..200),
        q_max in 1u64..40,
    ) {
        let (mu_min, mu_max, line) = (1e6, 8e6, 15e6);
        let law = config(1_000_000, 8_000_000, Capacity::Packets(q_max), 15_000_000);
        let mut pacer = Qlbp::new(&law).expect("valid");
        let mut at = Time::ZERO;
        let arrivals: Vec<(Time, u32)> = steps
            .iter()
            .map(|&(gap, size)| {
                at += Span::from_ps(gap);
                (at, size)
            })
            .collect();
        let passed = drive(&mut pacer, &arrivals);
        for (i, pair) in passed.windows(2).enumerate() {
            let (before, now) = (pair[0].1, pair[1].1);
            let came = arrivals.partition_point(|a| a.0 <= now);
            let q = (came - i - 1) as f64;
            let mu = if q <= q_max as f64 {
                mu_min + (mu_max - mu_min) * q / q_max as f64
            } else {
                line
            };
            let pause = f64::from(arrivals[i + 1].1) * 8.0 / mu * PS;
            let waited = (now - before).as_ps() as f64;
            prop_assert!(waited >= pause * (1.0 - 1e-12) - 1.0, "{waited} ps, not {pause}");
        }
    }

    /// No rate drifts: over 900 packets the delay changes by less than a spacing.
    #[test]
    fn in_steady_state_constant_traffic_keeps_its_rate(rate in 100_000u64..9_900_000) {
        let law = config(1_200_000, 10_000_000, Capacity::Packets(20), 15_000_000);
        let mut pacer = Qlbp::new(&law).expect("valid");
        let passed = drive(&mut pacer, &cbr(rate, 3000));
        let delay = |i: usize| (passed[i].1 - passed[i].0).as_ps() as i64;
        let spacing = 8_000 * 1_000_000_000_000 / rate as i64;
        let drift = delay(2900) - delay(2000);
        prop_assert!(drift.abs() < spacing, "{drift} ps at a spacing of {spacing}");
    }
}

/// Figs. 11 and 12: 200 kbps (below `mu_min`) and 3 Mbps (above).
#[test]
fn the_papers_constant_traffic_passes_unchanged() {
    for rate in [200_000, 3_000_000] {
        let law = config(1_200_000, 200_000_000, Capacity::Packets(100), 600_000_000);
        let mut pacer = Qlbp::new(&law).expect("valid");
        let passed = drive(&mut pacer, &cbr(rate, 200));
        for w in passed[20..190].windows(2) {
            assert_eq!(w[1].1 - w[0].1, w[1].0 - w[0].0);
        }
    }
}

/// A burst is outside Theorem 1: the excess of its last packet's delay.
#[test]
fn a_burst_exceeds_theorem_1_by_the_slow_end_of_the_law() {
    let law = config(1_000_000, 10_000_000, Capacity::Packets(10), 15_000_000);
    let mut pacer = Qlbp::new(&law).expect("valid");
    let burst = vec![(Time::ZERO, 1000); 10];
    let passed = drive(&mut pacer, &burst);
    let worst = passed.iter().map(|&(a, r)| r - a).max().expect("some");
    let bound = law.delay_bound(Bytes(1000)).expect("fits");
    // Nine pauses of 8000 bit/(1 + 0.9 q) Mbit/s, q = 9 down to 1.
    let exact: f64 = (1..=9).map(|q| 8e-3 / (1.0 + 0.9 * f64::from(q))).sum();
    assert_eq!(bound, Span::from_ms(8));
    assert!((worst.as_secs_f64() - exact).abs() < 1e-9, "{worst}");
    // 16.75 ms against a bound of 8 ms: 2.1 times.
    assert!(worst > bound + bound && worst < bound * 5 / 2, "{worst}");
}

/// Fig. 6: mu(t) = l0 - (l0 - mu_min) exp(-alpha t), for small packets against a large `Q_max`,
/// where the queue is nearly a fluid.
#[test]
fn a_step_of_the_input_is_followed_as_the_closed_form_says() {
    let (l0, mu_min, mu_max) = (5e6, 1e6, 10e6);
    for q_max_packets in [1_000u64, 4_000] {
        let size = 50.0 * 8.0;
        let law = config(
            1_000_000,
            10_000_000,
            Capacity::Packets(q_max_packets),
            15_000_000,
        );
        let mut pacer = Qlbp::new(&law).expect("valid");
        let alpha = (mu_max - mu_min) / (q_max_packets as f64 * size);
        let gap = size / l0;
        let count = (4.0 / alpha / gap) as u64;
        let arrivals: Vec<(Time, u32)> = (0..count)
            .map(|i| (Time::from_ps((i as f64 * gap * PS) as u64), 50))
            .collect();
        let passed = drive(&mut pacer, &arrivals);
        for tenth in 1..30 {
            let t = f64::from(tenth) / 10.0 / alpha;
            let (t, ours) = rate_around(&passed, t, 0.02 / alpha, size);
            let exact = l0 - (l0 - mu_min) * libm::exp(-alpha * t);
            // The effect of three packets of the queue on the rate.
            let grain = 3.0 * (mu_max - mu_min) / q_max_packets as f64;
            assert!((ours - exact).abs() < grain, "t={t}: {ours} {exact}");
        }
    }
}

/// Bits released per second near t, between whole releases, and the middle of them.
fn rate_around(passed: &[(Time, Time)], t: f64, width: f64, size: f64) -> (f64, f64) {
    let after = |t: f64| passed.partition_point(|p| p.1.as_secs_f64() < t);
    let (a, b) = (after(t - width / 2.0), after(t + width / 2.0));
    let (first, last) = (passed[a].1.as_secs_f64(), passed[b].1.as_secs_f64());
    ((first + last) / 2.0, (b - a) as f64 * size / (last - first))
}

/// Theorem 2: Markov on-off input, `mu_min` = 0, `mu_max` = C, both branches.
#[test]
fn the_auto_covariance_of_the_output_is_theorem_2() {
    let h = 4e6;
    for (r1, r2, q_max) in [(5.0, 10.0, 2_000u64), (5.0, 10.0, 0)] {
        let c = 10e6;
        let size = 50.0 * 8.0;
        // Zero stands for the branch alpha = r1 + r2.
        let q_max = if q_max == 0 {
            (c / (r1 + r2) / size + 0.5) as u64
        } else {
            q_max
        };
        let alpha = c / (q_max as f64 * size);
        let law = config(0, 10_000_000, Capacity::Packets(q_max), 10_000_000);
        let mut pacer = Qlbp::new(&law).expect("valid");
        let passed = drive(&mut pacer, &on_off(h, r1, r2, size, 4_000.0));
        let step = 0.01;
        let rates = binned(&passed, step, size);
        for lag in [0usize, 2, 5, 10, 20] {
            let ours = auto_covariance(&rates, lag);
            let exact = theorem_2(h, r1, r2, alpha, lag as f64 * step);
            let input = h * h * r1 * r2 / ((r1 + r2) * (r1 + r2));
            // Sampling error of 4000 s with correlations of about 0.2 s, 3 sigma.
            assert!(
                (ours - exact).abs() < 0.03 * input,
                "{lag}: {ours:e} {exact:e}"
            );
            assert!(ours < input, "less than the input's variance");
        }
    }
}

/// Packets of an on-off source with exponential periods.
fn on_off(h: f64, r1: f64, r2: f64, size: f64, seconds: f64) -> Vec<(Time, u32)> {
    let mut random = ChaCha8Rng::seed_from_u64(11);
    let mut exponential = |rate: f64| {
        let u = (random.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
        -libm::log1p(-u) / rate
    };
    let (mut t, mut arrivals) = (0.0, Vec::new());
    // The residual of a packet at the end of an on-period continues in the next one.
    let mut filled = 0.0;
    while t < seconds {
        t += exponential(r1);
        let on = exponential(r2);
        let mut at = (size - filled) / h;
        while at <= on {
            arrivals.push((Time::from_ps(((t + at) * PS) as u64), (size / 8.0) as u32));
            at += size / h;
        }
        filled = size - (at - on) * h;
        t += on;
    }
    arrivals
}

fn binned(passed: &[(Time, Time)], step: f64, size: f64) -> Vec<f64> {
    let end = passed.last().expect("some").1.as_secs_f64();
    let mut rates = vec![0.0; (end / step) as usize + 1];
    for &(_, at) in passed {
        rates[(at.as_secs_f64() / step) as usize] += size / step;
    }
    rates
}

fn auto_covariance(x: &[f64], lag: usize) -> f64 {
    let mean = x.iter().sum::<f64>() / x.len() as f64;
    let pairs = x.iter().zip(&x[lag..]);
    pairs.map(|(a, b)| (a - mean) * (b - mean)).sum::<f64>() / (x.len() - lag) as f64
}

fn theorem_2(h: f64, r1: f64, r2: f64, alpha: f64, tau: f64) -> f64 {
    let r = r1 + r2;
    let variance = h * h * r1 * r2 / (r * r);
    if (alpha - r).abs() < 0.01 * r {
        return variance / 2.0 * (1.0 + alpha * tau) * libm::exp(-alpha * tau);
    }
    let a = variance * alpha * alpha / ((alpha + r) * (alpha - r));
    let b = -variance * alpha * r / ((alpha + r) * (alpha - r));
    a * libm::exp(-r * tau) + b * libm::exp(-alpha * tau)
}

fn plain_2009() -> Qlbp09Config {
    Qlbp09Config {
        d_max: Span::from_ms(10),
        s_max: Bytes(1500),
        mu_max: Rate::from_mbps(200),
        q_max: Capacity::Packets(100),
        q_lim: Capacity::Unlimited,
        plug_in: None,
        jitter: Span::ZERO,
    }
}

fn qlbp09(config: &Qlbp09Config) -> Qlbp09 {
    Qlbp09::new(config, Box::new(ChaCha8Rng::seed_from_u64(3))).expect("valid")
}

fn us(n: u64) -> Time {
    Time::from_ps(n * 1_000_000)
}

fn offer(pacer: &mut Qlbp09, at: Time, key: u32) {
    pacer
        .enqueue(at, Pending::new(key, FlowId(0), 1500))
        .expect("room");
}

/// S/mu(q) of eq. (1) to (3), rounded up.
fn pause(q: u128) -> Span {
    let (mu_min, mu_max) = (1_200_000u128, 200_000_000u128);
    let bit_ps = 1500 * 8 * 1_000_000_000_000u128 * 100;
    Span::from_ps(bit_ps.div_ceil(mu_min * 100 + (mu_max - mu_min) * q) as u64)
}

#[test]
fn algorithm_1_is_event_exact() {
    let mut pacer = qlbp09(&plain_2009());
    assert_eq!(plain_2009().mu_min(), Rate::from_bps(1_200_000));
    // The first packet is not delayed.
    offer(&mut pacer, us(7), 0);
    assert_eq!(pacer.next_release(), Release::At(us(7)));
    assert_eq!(pacer.dequeue(us(7)).map(|p| p.key), Some(0));
    assert_eq!(pacer.next_release(), Release::Idle);
    // Line 6: the second waits S/mu(1) from the release of the first.
    offer(&mut pacer, us(8), 1);
    let first_call_back = us(7) + pause(1);
    assert_eq!(pacer.next_release(), Release::At(first_call_back));
    // Another arrival brings t_next forward; the old call-back is still pending.
    offer(&mut pacer, us(9), 2);
    let second_call_back = us(7) + pause(2);
    assert_eq!(pacer.next_release(), Release::At(second_call_back));
    assert_eq!(pacer.dequeue(second_call_back).map(|p| p.key), Some(1));
    // Line 19: from this release, with the present queue.
    let third = second_call_back + pause(1);
    assert_eq!(pacer.next_release(), Release::At(third));
    // The old call-back is harmless: too early for the third packet.
    assert!(
        first_call_back > second_call_back && first_call_back < third,
        "{first_call_back:?}, {second_call_back:?}, {third:?}"
    );
    assert_eq!(pacer.dequeue(first_call_back), None);
    assert_eq!(pacer.next_release(), Release::At(third));
    assert_eq!(pacer.dequeue(third).map(|p| p.key), Some(2));
    // A packet long after the last one is not delayed.
    offer(&mut pacer, third + Span::from_secs(1), 3);
    assert_eq!(
        pacer.next_release(),
        Release::At(third + Span::from_secs(1))
    );
}

#[test]
fn an_arrival_that_makes_the_time_come_releases_at_once() {
    let mut pacer = qlbp09(&plain_2009());
    offer(&mut pacer, us(0), 0);
    pacer.dequeue(us(0)).expect("the first");
    for key in 1..=3 {
        offer(&mut pacer, us(0), key);
    }
    // After S/mu(4), but before S/mu(3), the fourth arrives.
    let now = us(0) + pause(4) + Span::from_us(1);
    assert_eq!(pacer.next_release(), Release::At(us(0) + pause(3)));
    offer(&mut pacer, now, 4);
    assert_eq!(pacer.next_release(), Release::At(now));
}

#[test]
fn from_the_cutoff_on_the_rate_of_2009_is_mu_max() {
    let mut pacer = qlbp09(&plain_2009());
    offer(&mut pacer, us(0), 0);
    pacer.dequeue(us(0)).expect("the first");
    for key in 1..=150 {
        offer(&mut pacer, us(0), key);
    }
    // 12000 bit at 200 Mbps.
    assert_eq!(pacer.next_release(), Release::At(us(60)));
}

#[test]
fn the_prototype_waits_for_ticks_and_not_at_all_above_the_cutoff() {
    let tick = Span::from_ms(1);
    let config = Qlbp09Config {
        plug_in: Some(PlugIn {
            alpha_percent: 500,
            tick,
            whole_ticks: false,
        }),
        ..plain_2009()
    };
    let mut pacer = qlbp09(&config);
    offer(&mut pacer, us(100), 0);
    assert_eq!(pacer.dequeue(us(100)).map(|p| p.key), Some(0));
    // Five times S/mu(1) is 18.9 ms after 0.1 ms: the tick at 19 ms.
    offer(&mut pacer, us(200), 1);
    assert_eq!(pacer.next_release(), Release::At(us(19_000)));
    for key in 2..=100 {
        offer(&mut pacer, us(200), key);
    }
    assert_eq!(pacer.next_release(), Release::At(us(1_000)));
    offer(&mut pacer, us(200), 101);
    assert_eq!(pacer.next_release(), Release::At(us(200)));
}

#[test]
fn arithmetic_in_whole_ticks_makes_a_pause_of_less_than_a_tick_none() {
    let config = Qlbp09Config {
        plug_in: Some(PlugIn {
            alpha_percent: 100,
            tick: Span::from_ms(1),
            whole_ticks: true,
        }),
        ..plain_2009()
    };
    let mut pacer = qlbp09(&config);
    offer(&mut pacer, us(1_900), 0);
    assert_eq!(pacer.dequeue(us(1_900)).map(|p| p.key), Some(0));
    // S/mu(1) is 3.76 ms: three ticks after that of the release, which counts as 1 ms.
    offer(&mut pacer, us(1_950), 1);
    assert_eq!(pacer.next_release(), Release::At(us(4_000)));
    // S/mu(6) is 0.91 ms: less than a tick, and so none.
    for key in 2..=6 {
        offer(&mut pacer, us(1_950), key);
    }
    assert_eq!(pacer.next_release(), Release::At(us(1_950)));
}

#[test]
fn jitter_lengthens_pauses_by_up_to_its_span_and_differs() {
    let jitter = Span::from_us(500);
    let arrivals: Vec<(Time, u32)> = vec![(Time::ZERO, 1500); 60];
    let plain = drive(&mut qlbp09(&plain_2009()), &arrivals);
    let shaken = drive(
        &mut qlbp09(&Qlbp09Config {
            jitter,
            ..plain_2009()
        }),
        &arrivals,
    );
    let gaps = |passed: &[(Time, Time)]| -> Vec<Span> {
        passed.windows(2).map(|w| w[1].1 - w[0].1).collect()
    };
    let extra: Vec<Span> = gaps(&shaken)
        .iter()
        .zip(gaps(&plain))
        .map(|(&a, b)| a - b)
        .collect();
    let longest = extra.iter().max();
    assert!(longest <= Some(&jitter), "{longest:?}");
    let mean: f64 = extra.iter().map(|e| e.as_secs_f64()).sum::<f64>() / extra.len() as f64;
    // Sixty uniform values: mean 250 us, its deviation 19 us.
    assert!((mean - 250e-6).abs() < 60e-6, "{mean}");
}

/// BIBO: for input of at most lambda < mu_max the fluid's queue never passes (lambda -
/// mu_min)/alpha; packets add one for the step and the burst.
#[test]
fn bounded_input_keeps_the_queue_bounded() {
    let mut random = ChaCha8Rng::seed_from_u64(5);
    let mut pacer = qlbp09(&plain_2009());
    let most = 100.0 * (150.0 - 1.2) / (200.0 - 1.2);
    let mut at = Time::ZERO;
    for key in 0..20_000 {
        // 80 us at least is 150 Mbps at most.
        at += Span::from_us(80 + random.next_u64() % 20);
        while let Release::At(due) = pacer.next_release()
            && due <= at
        {
            pacer.dequeue(due).expect("its time has come");
        }
        offer(&mut pacer, at, key);
        assert!(
            pacer.waiting().packets as f64 <= most + 1.0,
            "{:?} and {:?}",
            pacer.waiting().packets as f64,
            most + 1.0
        );
    }
}
