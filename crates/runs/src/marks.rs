//! Marks of numbers over replications: reasons to read them with care.

use pacesim::measure::{TwoClusters, two_clusters};
use serde::{Serialize, Serializer};

/// The fewest values beyond a quantile for it to be one.
const BEYOND: f64 = 5.0;

/// Reasons to read a number over replications with care.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Marks {
    /// True for a quantile within runs beyond which fewer than five values lie in some run.
    pub few_values: bool,
    /// Two clusters of replications, whose mean describes neither; null without.
    #[serde(serialize_with = "as_parts")]
    pub clusters: Option<TwoClusters>,
    /// True if all replications are the same to the packet, since nothing is drawn at random: the
    /// number has no interval.
    pub identical: bool,
}

fn as_parts<S: Serializer>(clusters: &Option<TwoClusters>, to: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct Parts {
        low: f64,
        high: f64,
        below: u64,
        above: u64,
    }
    let parts = clusters.map(|of| Parts {
        low: of.low,
        high: of.high,
        below: of.below,
        above: of.above,
    });
    parts.serialize(to)
}

impl Marks {
    /// True if the number may be read without special care.
    pub fn is_none(&self) -> bool {
        *self == Marks::default()
    }

    /// The same marks, with the clusters of these values.
    pub fn with_clusters(self, values: &[f64]) -> Marks {
        Marks {
            clusters: two_clusters(values).filter(|_| !self.identical),
            ..self
        }
    }
}

/// The quantile that a metric is by its name, such as 0.99 of "delay_p99_s", 0.999 of "p999_s" and
/// 0.05 of "loss_p05_ratio".
pub fn quantile_in(metric: &str) -> Option<f64> {
    let of_word = |word: &str| {
        if word == "median" {
            return Some(0.5);
        }
        let digits = word.strip_prefix('p')?;
        let is_one = digits.len() >= 2 && digits.bytes().all(|digit| digit.is_ascii_digit());
        is_one.then(|| format!("0.{digits}").parse().ok())?
    };
    metric.split('_').find_map(of_word)
}

/// True if at least five of this number of values lie beyond the quantile, on the side with fewer.
pub fn has_enough(quantile: f64, values: f64) -> bool {
    quantile.min(1.0 - quantile) * values >= BEYOND * (1.0 - 1e-9)
}

/// The fewest values of which five lie beyond the quantile.
pub fn values_needed(quantile: f64) -> f64 {
    libm::ceil(BEYOND / quantile.min(1.0 - quantile) - 1e-6)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::{ENTITIES, declared, values_of};

    #[test]
    fn quantiles_are_told_by_their_names() {
        let known = [
            ("delay_p99_s", Some(0.99)),
            ("p999_s", Some(0.999)),
            ("p50_below_10KB_s", Some(0.5)),
            ("loss_p05_ratio", Some(0.05)),
            ("median_s", Some(0.5)),
            ("arrived_pkts", None),
            ("p_s", None),
            ("delay_mean_s", None),
        ];
        for (name, quantile) in known {
            assert_eq!(quantile_in(name), quantile, "{name}");
        }
    }

    #[test]
    fn five_values_must_lie_beyond() {
        assert!(has_enough(0.99, 500.0) && !has_enough(0.99, 499.0));
        assert!(has_enough(0.5, 10.0) && !has_enough(0.5, 9.0));
        assert!(has_enough(0.05, 100.0) && !has_enough(0.05, 99.0));
        assert_eq!(values_needed(0.99), 500.0);
        assert_eq!(values_needed(0.5), 10.0);
    }

    /// A metric that is a quantile names the one that counts its values, which is another metric of
    /// the same entity.
    #[test]
    fn every_quantile_among_the_metrics_has_the_count_of_its_values() {
        for of in ENTITIES {
            let all = declared(of);
            for metric in &all {
                let counted = values_of(of, metric.name);
                assert_eq!(
                    quantile_in(metric.name).is_some(),
                    counted.is_some(),
                    "{metric:?}"
                );
                let is_there = |count: &str| all.iter().any(|known| known.name == count);
                assert!(counted.is_none_or(is_there), "{metric:?}");
            }
        }
    }
}
