//! Distributions against theory, over replications.

use pacesim_core::random::{Distribution as _, Streams};
use pacesim_measure::mean_interval;
use pacesim_model::Distribution;

const REPLICATIONS: u64 = 20;

/// Hill's estimator over the largest of many values, which is exact for a Pareto distribution.
#[test]
fn the_tail_of_what_is_drawn_has_the_index_asked_for() {
    const LARGEST: usize = 2_000;
    let shapes = [1.2, 1.5, 2.5];
    for shape in shapes {
        let (mean, max) = (100_000.0, None);
        let sampler = Distribution::Pareto { mean, shape, max }.checked_sampler();
        let index = |replication| {
            let streams = Streams {
                seed: 1,
                replication,
            };
            let mut stream = streams.stream("flow/test[0]", "size");
            let mut values: Vec<f64> = (0..20_000).map(|_| sampler.sample(&mut stream)).collect();
            values.sort_by(|a, b| b.total_cmp(a));
            let above = values[..LARGEST].iter();
            let logs: f64 = above.map(|value| libm::log(value / values[LARGEST])).sum();
            logs / LARGEST as f64
        };
        let inverse: Vec<f64> = (0..REPLICATIONS).map(index).collect();
        let level = 1.0 - 0.001 / shapes.len() as f64;
        let interval = mean_interval(&inverse, level).expect("several replications");
        let theory = 1.0 / shape;
        assert!(
            interval.low <= theory && theory <= interval.high,
            "inverse tail index: theory {theory}, simulated {interval:?}"
        );
    }
}
