//! Lateness of packets: times of departures after they were due.

/// Quantiles of lateness, in nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lateness {
    /// Number of packets.
    pub packets: u64,
    /// Median.
    pub p50_ns: i64,
    /// Exceeded by one packet in a hundred.
    pub p99_ns: i64,
    /// Exceeded by one packet in a thousand.
    pub p999_ns: i64,
    /// Largest.
    pub max_ns: i64,
}

impl Lateness {
    /// The quantiles of these times.
    pub(crate) fn of(times: impl Iterator<Item = i64>) -> Lateness {
        let mut times: Vec<i64> = times.collect();
        times.sort_unstable();
        let at = |per_mille: usize| {
            let place = (times.len() * per_mille).div_ceil(1000).saturating_sub(1);
            times.get(place).copied().unwrap_or(0)
        };
        Lateness {
            packets: times.len() as u64,
            p50_ns: at(500),
            p99_ns: at(990),
            p999_ns: at(999),
            max_ns: at(1000),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_values_that_occurred() {
        let found = Lateness::of((1..=1000).rev());
        let expected = Lateness {
            packets: 1000,
            p50_ns: 500,
            p99_ns: 990,
            p999_ns: 999,
            max_ns: 1000,
        };
        assert_eq!(found, expected);
        assert_eq!(Lateness::of(std::iter::empty()), Lateness::default());
        assert_eq!(Lateness::of([7].into_iter()).p50_ns, 7);
    }
}
