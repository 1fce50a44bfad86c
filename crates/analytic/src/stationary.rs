//! A stationary distribution over the states 0, 1, ... with a tail that may lie far below the range
//! of floats.

use crate::numeric::{self, Sum};

/// Weights of a recursion as it produces them, each with its power of two, so that neither a tail
/// nor a rise leaves the float range.
#[derive(Clone, Debug, Default)]
pub(crate) struct Weights {
    values: Vec<f64>,
    segments: Vec<Segment>,
}

/// From `start` on, a weight stands for `value * 2^exponent`.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Segment {
    start: usize,
    exponent: i32,
}

impl Weights {
    /// Weights beyond 2^±BAND start a new segment: far from the float's limits,
    /// so that sums of many of them stay inside too.
    const BAND: i32 = 300;

    pub(crate) fn with_capacity(states: usize) -> Weights {
        Weights {
            values: Vec::with_capacity(states),
            segments: vec![Segment {
                start: 0,
                exponent: 0,
            }],
        }
    }

    /// Adds the next weight. `Some(factor)`: all further values of the recursion (including this
    /// weight) must be multiplied by `factor`.
    pub(crate) fn push(&mut self, weight: f64) -> Option<f64> {
        self.push_in_step(weight, weight)
    }

    /// Adds a weight that accompanies another sequence, whose size `leader` decides when to rescale
    /// both.
    pub(crate) fn push_in_step(&mut self, weight: f64, leader: f64) -> Option<f64> {
        debug_assert!(weight > 0.0 && weight.is_finite(), "weights are positive");
        self.values.push(weight);
        let (_, exponent) = libm::frexp(leader);
        if exponent.abs() <= Weights::BAND {
            return None;
        }
        let in_force = self.segments.last().expect("one from the start").exponent;
        self.segments.push(Segment {
            start: self.values.len(),
            exponent: in_force + exponent,
        });
        Some(libm::scalbn(1.0, -exponent))
    }

    /// Divides by the total.
    pub(crate) fn normalise(self) -> Stationary {
        let Weights { values, segments } = self;
        let mut stationary = Stationary {
            probabilities: Vec::new(),
            scaled: values,
            segments,
        };
        let (total, exponent) = stationary.scaled_tail(0);
        for segment in &mut stationary.segments {
            segment.exponent -= exponent;
        }
        for weight in &mut stationary.scaled {
            *weight /= total;
        }
        let mut probabilities = Vec::with_capacity(stationary.scaled.len());
        for (segment, range) in stationary.runs() {
            let true_size = |w: &f64| libm::scalbn(*w, segment.exponent);
            probabilities.extend(stationary.scaled[range].iter().map(true_size));
        }
        stationary.probabilities = probabilities;
        stationary
    }
}

/// The stationary distribution of a chain over the states `0..len()`.
///
/// Probabilities below about 1e-308 read as zero in [`probabilities`]; their
/// logarithms ([`ln_probability`]) stay exact however deep the tail.
///
/// [`probabilities`]: Stationary::probabilities
/// [`ln_probability`]: Stationary::ln_probability
#[derive(Clone, Debug)]
pub struct Stationary {
    probabilities: Vec<f64>,
    scaled: Vec<f64>,
    segments: Vec<Segment>,
}

impl Stationary {
    /// All probabilities, from state 0 on.
    pub fn probabilities(&self) -> &[f64] {
        &self.probabilities
    }

    /// The number of states.
    #[allow(clippy::len_without_is_empty)] // a distribution has at least one state
    pub fn len(&self) -> usize {
        self.probabilities.len()
    }

    /// The natural logarithm of one state's probability.
    pub fn ln_probability(&self, state: usize) -> f64 {
        let at = self.segments.partition_point(|s| s.start <= state) - 1;
        libm::log(self.scaled[state])
            + f64::from(self.segments[at].exponent) * std::f64::consts::LN_2
    }

    /// The probability of state `from` or above.
    pub fn tail(&self, from: usize) -> f64 {
        numeric::sum(self.probabilities[from..].iter().rev().copied())
    }

    /// The natural logarithm of [`tail`](Stationary::tail), exact where the tail
    /// itself is too small for a float.
    pub(crate) fn ln_tail(&self, from: usize) -> f64 {
        let (sum, exponent) = self.scaled_tail(from);
        libm::log(sum) + f64::from(exponent) * std::f64::consts::LN_2
    }

    /// The mean state.
    pub fn mean(&self) -> f64 {
        numeric::sum(
            self.probabilities
                .iter()
                .enumerate()
                .map(|(n, p)| n as f64 * p),
        )
    }

    /// The smallest state exceeded with a probability of at most `1 - share`.
    pub fn percentile(&self, share: f64) -> usize {
        let mut above = Sum::default();
        for (n, p) in self.probabilities.iter().enumerate().rev() {
            above.add(*p);
            if above.value() > 1.0 - share {
                return n;
            }
        }
        0
    }

    /// The segments with the states each covers.
    fn runs(&self) -> impl Iterator<Item = (Segment, std::ops::Range<usize>)> {
        self.segments.iter().enumerate().map(|(i, &segment)| {
            let end = self
                .segments
                .get(i + 1)
                .map_or(self.scaled.len(), |s| s.start);
            (segment, segment.start..end)
        })
    }

    /// The weight of `from` and above as (mantissa, power of two).
    fn scaled_tail(&self, from: usize) -> (f64, i32) {
        let runs = || self.runs().filter(|(_, r)| r.end > from && !r.is_empty());
        let top = runs().map(|(s, _)| s.exponent).max().unwrap_or(0);
        let mut total = Sum::default();
        for (segment, range) in runs() {
            let weights = &self.scaled[range.start.max(from)..range.end];
            let part = numeric::sum(weights.iter().copied());
            total.add(libm::scalbn(part, segment.exponent - top));
        }
        (total.value(), top)
    }
}

/// The last weights of a recursion, all on the current scale.
#[derive(Clone, Debug)]
pub(crate) struct Recent {
    values: Vec<f64>,
    band: usize,
}

impl Recent {
    /// Keeps at least the last `band` weights usable.
    pub(crate) fn new(states: usize, band: usize) -> Recent {
        Recent {
            values: Vec::with_capacity(states),
            band,
        }
    }

    pub(crate) fn push(&mut self, weight: f64) {
        self.values.push(weight);
    }

    /// The number of states so far.
    pub(crate) fn len(&self) -> usize {
        self.values.len()
    }

    /// One weight on the current scale; only those in the band are valid.
    pub(crate) fn get(&self, state: usize) -> f64 {
        self.values[state]
    }

    /// The weights of a range of states inside the band.
    pub(crate) fn range(&self, states: std::ops::Range<usize>) -> &[f64] {
        &self.values[states]
    }

    /// Multiplies the band. A value that overflows is so much larger than its
    /// successors that no table has a transition to them: it is dropped.
    pub(crate) fn scale(&mut self, factor: f64) {
        let from = self.values.len().saturating_sub(self.band);
        for x in &mut self.values[from..] {
            *x *= factor;
            if !x.is_finite() {
                *x = 0.0;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// p(n+1) = ratio p(n), rescaled as a recursion would.
    fn geometric(ratio: f64, states: usize) -> Stationary {
        let mut weights = Weights::with_capacity(states);
        let mut w = 1.0;
        for _ in 0..states {
            let factor = weights.push(w).unwrap_or(1.0);
            w *= factor * ratio;
        }
        weights.normalise()
    }

    #[test]
    fn a_tail_below_the_float_range_keeps_its_logarithm() {
        let d = geometric(0.01, 10_000);
        assert_eq!(d.probabilities()[9_999], 0.0);
        let expected = libm::log(0.99) + 9_999.0 * libm::log(0.01);
        assert!(
            (d.ln_probability(9_999) / expected - 1.0).abs() < 1e-12,
            "{:?} and {:?}",
            d.ln_probability(9_999),
            expected
        );
        let tail = 5_000.0 * libm::log(0.01);
        assert!(
            (d.ln_tail(5_000) / tail - 1.0).abs() < 1e-12,
            "{:?} and {:?}",
            d.ln_tail(5_000),
            tail
        );
    }

    #[test]
    fn a_rise_above_the_float_range_is_the_mirror_of_a_tail() {
        let (down, up) = (geometric(0.25, 5_000), geometric(4.0, 5_000));
        for n in 0..5_000 {
            let (a, b) = (down.probabilities()[n], up.probabilities()[4_999 - n]);
            assert!((a - b).abs() <= 1e-12 * b, "{n}");
        }
        assert!((up.tail(0) - 1.0).abs() < 1e-14, "{:?}", up.tail(0));
    }

    #[test]
    fn mean_and_percentiles_of_a_geometric_are_the_known_ones() {
        let d = geometric(0.5, 60);
        assert!((d.mean() - 1.0).abs() < 1e-12, "{:?}", d.mean());
        assert_eq!(d.percentile(0.5), 0);
        assert_eq!(d.percentile(0.9), 3); // P(N > 3) = 1/16 <= 0.1 < P(N > 2)
    }
}
