//! Sources against theory, over replications.

use pacesim::measure::{Divisor, autocovariances, mean_interval};
use pacesim::model::{Arrival, Distribution, FirstFrame, FrameUnit, Phase, Sizes, Traffic, Video};
use pacesim::source::{AnySource, Emission, Frames, Source};
use pacesim::units::{Bytes, PS_PER_SECOND, Rate, Span};
use pacesim_core::random::Streams;

const REPLICATIONS: u64 = 20;

fn source(traffic: &Traffic, replication: u64) -> AnySource {
    AnySource::new(
        traffic,
        &Streams {
            seed: 1,
            replication,
        },
        "flow/test[0]",
    )
}

/// The bits sent in each bin.
fn bits_per_bin(source: &mut AnySource, bin: Span, bins: usize) -> Vec<f64> {
    let mut volume = vec![0.0; bins];
    let mut at = 0;
    while let Some(Emission { gap, size }) = source.next() {
        at += gap.as_ps();
        match volume.get_mut((at / bin.as_ps()) as usize) {
            Some(bin) => *bin += f64::from(size) * 8.0,
            None => break,
        }
    }
    volume
}

/// Panics unless theory lies within the interval of the replications' mean at `level`.
fn agrees(what: &str, values: &[f64], theory: f64, level: f64) {
    let interval = mean_interval(values, level).expect("several replications");
    assert!(
        interval.low <= theory && theory <= interval.high,
        "{what}: theory {theory}, simulated {interval:?}"
    );
}

#[test]
fn on_off_has_the_mean_and_autocovariance_of_the_markov_fluid() {
    // 8 Mb/s while ON, ON 10 ms, OFF 30 ms, small packets, bins of 2 ms.
    let (peak, on, off, bin) = (8e6, 0.010, 0.030, 0.002);
    let traffic = Traffic::OnOff {
        peak: Rate::from_mbps(8),
        size: Bytes(10),
        mean_on: Span::from_ms(10),
        mean_off: Span::from_ms(30),
        phase: Phase::Random,
    };
    let lags = [1, 2, 4, 8];
    let mut means = Vec::new();
    let mut covariances = vec![Vec::new(); lags.len()];
    for replication in 0..REPLICATIONS {
        let volume = bits_per_bin(&mut source(&traffic, replication), Span::from_ms(2), 20_000);
        means.push(volume.iter().sum::<f64>() / volume.len() as f64 / bin);
        let estimates = autocovariances(&volume, &lags, Divisor::Pairs).expect("long enough");
        for (values, estimate) in covariances.iter_mut().zip(estimates) {
            values.push(estimate);
        }
    }
    // Five statements jointly at 99.9 %.
    let level = 1.0 - 0.001 / 5.0;
    let share = on / (on + off);
    agrees("mean rate", &means, peak * share, level);
    // C(t) = h^2 p (1-p) exp(-ct), c = 1/on + 1/off, averaged over two bins a lag apart.
    let c = 1.0 / on + 1.0 / off;
    let over_bins = 2.0 * (libm::cosh(c * bin) - 1.0) / (c * c);
    for (lag, values) in lags.iter().zip(&covariances) {
        let decay = libm::exp(-c * bin * *lag as f64);
        let theory = peak * peak * share * (1.0 - share) * decay * over_bins;
        agrees(
            &format!("autocovariance at lag {lag}"),
            values,
            theory,
            level,
        );
    }
}

#[test]
fn on_off_starts_in_the_phase_it_is_given() {
    let first_gap = |phase, replication| {
        let traffic = Traffic::OnOff {
            peak: Rate::from_mbps(8),
            size: Bytes(1000),
            mean_on: Span::from_secs(100),
            mean_off: Span::from_secs(100),
            phase,
        };
        source(&traffic, replication).next().expect("a packet").gap
    };
    let starts_on = |phase| {
        (0..400)
            .filter(|r| first_gap(phase, *r) == Span::from_ms(1))
            .count()
    };
    assert!(
        starts_on(Phase::On) >= 399,
        "an ON phase of 100 s rarely ends within 1 ms"
    );
    assert_eq!(starts_on(Phase::Off), 0);
    // Half of 400, within four standard deviations.
    assert!(
        starts_on(Phase::Random).abs_diff(200) <= 40,
        "{:?}",
        starts_on(Phase::Random).abs_diff(200)
    );
}

#[test]
fn poisson_gaps_have_mean_and_variance_of_the_exponential() {
    let size = Sizes::Drawn(Distribution::Uniform {
        low: 100.0,
        high: 300.0,
    });
    let traffic = Traffic::Poisson {
        rate: Rate::from_mbps(16),
        size,
    };
    // 16 Mb/s of 200 B on average: 10 000 packets per second.
    let (mut means, mut variances, mut sizes) = (Vec::new(), Vec::new(), Vec::new());
    for replication in 0..REPLICATIONS {
        let mut source = source(&traffic, replication);
        let packets: Vec<_> = (0..20_000).map_while(|_| source.next()).collect();
        let gap = |p: &Emission| p.gap.as_ps() as f64 / PS_PER_SECOND as f64;
        let mean = packets.iter().map(gap).sum::<f64>() / 20_000.0;
        means.push(mean);
        variances.push(
            packets
                .iter()
                .map(|p| (gap(p) - mean) * (gap(p) - mean))
                .sum::<f64>()
                / 19_999.0,
        );
        sizes.push(packets.iter().map(|p| f64::from(p.size)).sum::<f64>() / 20_000.0);
    }
    let level = 1.0 - 0.001 / 3.0;
    agrees("mean gap", &means, 1e-4, level);
    agrees("variance of gaps", &variances, 1e-8, level);
    agrees("mean size", &sizes, 200.0, level);
}

#[test]
fn cbr_keeps_its_rate_to_the_picosecond() {
    let traffic = Traffic::Cbr {
        rate: Rate::from_mbps(15),
        size: Bytes(1000),
    };
    let mut source = source(&traffic, 0);
    let total: u64 = (0..30_001)
        .map_while(|_| source.next())
        .map(|p| p.gap.as_ps())
        .sum();
    // 30 000 packets of 8000 bits at 15 Mb/s take 16 s exactly.
    assert_eq!(total, 16 * PS_PER_SECOND);
}

#[test]
fn recorded_arrivals_come_when_they_were_recorded() {
    let arrivals = [(5, 100), (5, 200), (9, 300)];
    let arrival = |(ns, size): (u64, u64)| Arrival {
        at: Span::from_ns(ns),
        size: Bytes(size),
    };
    let mut source = source(&Traffic::Recorded(arrivals.map(arrival).into()), 0);
    let all: Vec<_> = std::iter::from_fn(|| source.next())
        .map(|p| (p.gap.as_ps(), p.size))
        .collect();
    assert_eq!(all, [(5000, 100), (0, 200), (4000, 300)]);
}

#[test]
fn frames_in_bits_take_as_many_bytes_as_hold_them() {
    let video = Video {
        frames: [8, 9, 0, 1601].into(),
        sizes_in: FrameUnit::Bits,
        gap: Span::from_ms(40),
        packet: Bytes(200),
        first: FirstFrame::First,
        spread: false,
    };
    assert_eq!(video.mean_bps(), 204.0 * 8.0 / 0.16);
    let mut source = Frames::new(&video, || unreachable!("nothing is drawn"));
    let mut next = || source.next().expect("it has no end").size;
    assert_eq!([next(), next(), next(), next()], [1, 2, 200, 1]);
}

#[test]
fn a_video_sends_each_frame_at_once_and_begins_again_behind_the_last() {
    let video = |first| Video {
        frames: [450, 0, 200].into(),
        sizes_in: FrameUnit::Bytes,
        gap: Span::from_ms(40),
        packet: Bytes(200),
        first,
        spread: false,
    };
    let mut source = Frames::new(&video(FirstFrame::First), || {
        unreachable!("nothing is drawn")
    });
    let mut now = Span::ZERO;
    let mut next = || {
        let emission = source.next().expect("it has no end");
        now += emission.gap;
        (now.as_ps() / 1_000_000_000, emission.size)
    };
    let packets: Vec<_> = (0..8).map(|_| next()).collect();
    let one_round = [(0, 200), (0, 200), (0, 50), (80, 200)];
    let again = one_round.map(|(at, size)| (at + 120, size));
    assert_eq!(packets, [one_round, again].concat());

    let firsts = (0..300).map(|replication| {
        let streams = Streams {
            seed: 1,
            replication,
        };
        let make = || streams.stream("flow/f[0]", "first frame");
        let first = Frames::new(&video(FirstFrame::Random), make).next();
        first.expect("it has no end").gap.as_ps() / 1_000_000_000
    });
    let waited = firsts.filter(|ms| *ms == 40).count();
    // A third of them begin with the empty frame: four standard deviations of 8.2.
    assert!(waited.abs_diff(100) < 33, "{waited} of 300");
}

#[test]
fn a_spread_video_has_each_frame_evenly_over_the_time_to_the_next() {
    let video = Video {
        frames: [450, 0, 200, 400].into(),
        sizes_in: FrameUnit::Bytes,
        gap: Span::from_ps(40_000_000_001),
        packet: Bytes(200),
        first: FirstFrame::First,
        spread: true,
    };
    let mut source = Frames::new(&video, || unreachable!("nothing is drawn"));
    let mut now = 0;
    let mut next = || {
        let emission = source.next().expect("it has no end");
        now += emission.gap.as_ps();
        (now, emission.size)
    };
    let gap: u64 = 40_000_000_001;
    // Frame, place in it and size of each packet: a third, or half, of the gap is cut to whole
    // picoseconds from the start of the frame, so that no remainder accumulates.
    let one_round = [
        (0, 0, 200),
        (0, gap / 3, 200),
        (0, gap * 2 / 3, 50),
        (2, 0, 200),
        (3, 0, 200),
        (3, gap / 2, 200),
    ];
    for round in 0..1000 {
        for (frame, offset, size) in one_round {
            assert_eq!(next(), ((4 * round + frame) * gap + offset, size));
        }
    }
}
