//! Long-range dependent sources against theory, over replications.

use pacesim::measure::hurst::{Octaves, wavelet};
use pacesim::measure::mean_interval;
use pacesim::model::Traffic;
use pacesim::model::self_similar::{Burstiness, FractionalNoise, ParetoOnOff, Sessions};
use pacesim::source::{AnySource, Source};
use pacesim::units::{Bytes, Rate, Span};
use pacesim_core::random::Streams;

/// Packets in each bin.
fn counts(traffic: &Traffic, replication: u64, bin: Span, bins: usize) -> Vec<f64> {
    let seed = 1;
    let streams = Streams { seed, replication };
    let mut source = AnySource::new(traffic, &streams, "flow/test[0]");
    let mut counts = vec![0.0; bins];
    let mut at = 0;
    while let Some(emission) = source.next() {
        at += emission.gap.as_ps();
        match counts.get_mut((at / bin.as_ps()) as usize) {
            Some(count) => *count += 1.0,
            None => break,
        }
    }
    counts
}

/// A statement: the theoretical value, and that of each replication.
struct Statement {
    what: String,
    theory: f64,
    values: Vec<f64>,
}

/// Panics unless all hold jointly at 99.9 %.
fn hold(statements: &[Statement]) {
    let level = 1.0 - 0.001 / statements.len() as f64;
    for Statement {
        what,
        theory,
        values,
    } in statements
    {
        let interval = mean_interval(values, level).expect("several replications");
        assert!(
            interval.contains(*theory),
            "{what}: theory {theory}, found {interval:?}"
        );
    }
}

fn mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let n = values.len() as f64;
    values.sum::<f64>() / n
}

/// About the theoretical mean, to avoid bias.
fn covariance(counts: &[f64], mean_count: f64, lag: usize) -> f64 {
    let pairs = counts.iter().zip(&counts[lag..]);
    mean(pairs.map(|(a, b)| (a - mean_count) * (b - mean_count)))
}

/// The variance of block sums divided by the square of their mean.
fn beta_squared(counts: &[f64], mean_count: f64, block: usize) -> f64 {
    let expected = mean_count * block as f64;
    let sums = counts.chunks_exact(block).map(|block| block.iter().sum());
    mean(sums.map(|sum: f64| (sum / expected - 1.0) * (sum / expected - 1.0)))
}

const MILLISECOND: Span = Span::from_ms(1);

/// A hundred packets per slot of a millisecond.
fn noise(hurst: f64, beta: f64, slots: u64) -> Traffic {
    Traffic::FractionalNoise(FractionalNoise {
        rate: Rate::from_mbps(80),
        size: Bytes(100),
        hurst,
        burstiness: Burstiness {
            beta,
            over: MILLISECOND,
        },
        slot: MILLISECOND,
        lasts: Span::from_ms(slots),
    })
}

#[test]
fn noise_has_the_mean_and_the_covariances_of_fractional_gaussian_noise() {
    const SLOTS: usize = 1 << 12;
    for (hurst, covariances) in [
        (0.5, [1.0, 0.0, 0.0, 0.0]),
        (0.85, [1.0, 0.62450479, 0.29830357, 0.14945773]),
    ] {
        let traffic = noise(hurst, 0.2, SLOTS as u64);
        let runs: Vec<_> = (0..40)
            .map(|replication| counts(&traffic, replication, MILLISECOND, SLOTS))
            .collect();
        let statement = |what: String, theory, value: &dyn Fn(&[f64]) -> f64| Statement {
            what,
            theory,
            values: runs.iter().map(|run| value(run)).collect(),
        };
        let mut all = vec![statement("mean".into(), 100.0, &|run| {
            mean(run.iter().copied())
        })];
        // Slot boundaries cut packets: the variance of a count is up to 1/6 higher.
        for (lag, gamma) in [0, 1, 10, 100].into_iter().zip(covariances) {
            let theory = 400.0 * gamma;
            let what = format!("H {hurst}: covariance at lag {lag}");
            all.push(statement(what, theory, &|run| covariance(run, 100.0, lag)));
        }
        for block in [16, 128] {
            let theory = 0.04 * libm::pow(block as f64, 2.0 * hurst - 2.0);
            let what = format!("H {hurst}: variance of blocks of {block}");
            all.push(statement(what, theory, &|run| {
                beta_squared(run, 100.0, block)
            }));
        }
        hold(&all);
    }
}

#[test]
fn noise_keeps_its_mean_where_much_of_it_would_be_below_zero() {
    // Without dependence, so that the mean is known well: 21 % of the slots are empty.
    let traffic = noise(0.5, 1.25, 1 << 12);
    let run = |replication| counts(&traffic, replication, MILLISECOND, 1 << 12);
    let runs: Vec<_> = (0..40).map(run).collect();
    let empty = runs[0].iter().filter(|count| **count == 0.0).count();
    assert!(empty > 600, "{empty} of 4096 slots are empty");
    hold(&[Statement {
        what: "mean".to_owned(),
        theory: 100.0,
        values: runs.iter().map(|run| mean(run.iter().copied())).collect(),
    }]);
}

#[test]
fn clipped_noise_has_the_burstiness_that_was_asked_for_however_fine_its_slots() {
    const SLOTS: usize = 1 << 12;
    let cases = [
        (0.3, 1),
        (0.3, 16),
        (0.3, 128),
        (0.6, 1),
        (0.6, 16),
        (1.0, 3),
    ];
    let statements = cases.map(|(beta, slots)| {
        let Traffic::FractionalNoise(mut traffic) = noise(0.75, beta, SLOTS as u64) else {
            unreachable!("it is noise");
        };
        traffic.burstiness.over = MILLISECOND * slots;
        let traffic = Traffic::FractionalNoise(traffic);
        let value = |replication| {
            let counts = counts(&traffic, replication, MILLISECOND, SLOTS);
            beta_squared(&counts, 100.0, slots as usize)
        };
        Statement {
            what: format!("burstiness {beta} over {slots} slots"),
            theory: beta * beta,
            values: (0..40).map(value).collect(),
        }
    });
    hold(&statements);
}

/// Estimates of H from several runs.
fn hursts(traffic: &Traffic, runs: u64, bins: usize, first: u32) -> Vec<f64> {
    let octaves = Octaves {
        first,
        ..Octaves::default()
    };
    let estimate = |replication| {
        let counts = counts(traffic, replication, MILLISECOND, bins);
        wavelet(&counts, octaves).expect("a long series").hurst
    };
    (0..runs).map(estimate).collect()
}

#[test]
fn the_h_that_is_measured_is_the_one_asked_for() {
    const SLOTS: usize = 1 << 14;
    let estimates = |hurst: f64| Statement {
        what: format!("H {hurst}"),
        theory: hurst,
        values: hursts(&noise(hurst, 0.25, SLOTS as u64), 12, SLOTS, 4),
    };
    hold(&[0.5, 0.7, 0.85, 0.95].map(estimates));
}

#[test]
fn sessions_have_their_burstiness_at_the_scale_they_were_given_and_at_others() {
    let sessions = Sessions {
        rate: Rate::from_mbps(80),
        size: Bytes(100),
        hurst: 0.7,
        burstiness: Burstiness {
            beta: 0.2,
            over: Span::from_ms(8),
        },
        mean: Span::from_ms(5),
    };
    let (number, bins) = (sessions.mean_number(), 1 << 12);
    let traffic = Traffic::Sessions(sessions);
    let runs: Vec<_> = (0..60)
        .map(|replication| counts(&traffic, replication, MILLISECOND, bins))
        .collect();
    let mut all = vec![Statement {
        what: "mean".to_owned(),
        theory: 100.0,
        values: runs.iter().map(|run| mean(run.iter().copied())).collect(),
    }];
    for block in [1, 8, 64, 512] {
        let s = block as f64 * 1e-3;
        let theory = sessions.variance_of_one(s) / (number * s * s);
        if block == 8 {
            assert!((theory - 0.04).abs() < 1e-12, "as asked for: {theory}");
        }
        all.push(Statement {
            what: format!("variance of blocks of {block}"),
            theory,
            values: runs
                .iter()
                .map(|run| beta_squared(run, 100.0, block))
                .collect(),
        });
    }
    hold(&all);
}

#[test]
fn on_off_sources_have_their_mean_and_over_long_times_their_h() {
    let traffic = Traffic::ParetoOnOff(ParetoOnOff {
        sources: 50,
        peak: Rate::from_mbps(4),
        size: Bytes(100),
        mean_on: Span::from_ms(2),
        mean_off: Span::from_ms(3),
        hurst: 0.8,
    });
    let bins = 1 << 14;
    let run = |replication| {
        let counts = counts(&traffic, replication, MILLISECOND, bins);
        mean(counts.into_iter())
    };
    let statements = [
        Statement {
            what: "mean".to_owned(),
            theory: 100.0,
            values: (0..12).map(run).collect(),
        },
        Statement {
            what: "H beyond the length of phases".to_owned(),
            theory: 0.8,
            values: hursts(&traffic, 12, bins, 6),
        },
    ];
    hold(&statements);
}
