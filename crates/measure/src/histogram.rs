//! Counts in linear or logarithmic bins.

/// Counts of integer samples in bins between ascending edges, each bin including its lower edge and
/// excluding its upper one. Samples outside are counted apart.
///
/// ```
/// use pacesim_measure::Histogram;
///
/// let mut bursts = Histogram::linear(1, 2, 3).expect("bins"); // 1..3, 3..5, 5..7
/// [0, 1, 2, 5, 7, 9].into_iter().for_each(|length| bursts.add(length));
/// assert_eq!((bursts.underflow(), bursts.overflow()), (1, 2));
/// assert_eq!(bursts.bins().map(|bin| bin.count).collect::<Vec<_>>(), [2, 0, 1]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Histogram {
    edges: Vec<u64>,
    /// Counts: below the first edge, in each bin, and from the last edge up.
    counts: Vec<u64>,
}

/// A bin of a [`Histogram`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bin {
    /// Least sample of the bin.
    pub from: u64,
    /// Least sample beyond the bin.
    pub to: u64,
    /// Number of samples in the bin.
    pub count: u64,
}

/// A point of a [`Histogram`]'s tail.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tail {
    /// Edge of the bins at which the tail begins.
    pub from: u64,
    /// The share of samples at or above it.
    pub share: f64,
}

impl Histogram {
    /// `bins` bins of equal width from `from` up; `None` if their number or width is zero, or the
    /// last edge overflows 64 bits.
    pub fn linear(from: u64, width: u64, bins: u32) -> Option<Histogram> {
        let edge = |i| width.checked_mul(i)?.checked_add(from);
        Histogram::new((0..=u64::from(bins)).map(edge).collect::<Option<_>>()?)
    }

    /// Bins of equal width from 0 up, as many as given, and beyond them ever wider ones, in whole
    /// widths but by no more than a 2000th of their lower edge, up to 2^48 or more. `None` if their
    /// number or width is zero, or the last edge overflows 64 bits.
    pub fn widening(width: u64, bins: u32) -> Option<Histogram> {
        const LAST: u64 = 1 << 48;
        const PER_EDGE: u64 = 2000;
        let mut histogram = Histogram::linear(0, width, bins)?;
        let mut last = *histogram.edges.last()?;
        while last < LAST {
            last = last.checked_add(width * (last / (width * PER_EDGE)).max(1))?;
            histogram.edges.push(last);
        }
        Histogram::new(histogram.edges)
    }

    /// Bins that grow by the same factor, `per_decade` of them for a factor of ten, from `from` up
    /// to the first edge at or above `to`. Edges are rounded to integers, and equal ones are
    /// merged. `None` if `from` is zero, `to` not above it, `per_decade` zero, or an edge beyond 64
    /// bits.
    pub fn logarithmic(from: u64, to: u64, per_decade: u32) -> Option<Histogram> {
        if from == 0 || to <= from || per_decade == 0 {
            return None;
        }
        let mut edges = vec![from];
        for step in 1.. {
            if edges.last().is_some_and(|&last| last >= to) {
                break;
            }
            let factor = libm::exp10(f64::from(step) / f64::from(per_decade));
            edges.push(rounded(from as f64 * factor)?);
        }
        edges.dedup();
        Histogram::new(edges)
    }

    fn new(edges: Vec<u64>) -> Option<Histogram> {
        let ascending = edges.windows(2).all(|pair| pair[0] < pair[1]);
        let counts = vec![0; edges.len() + 1];
        (edges.len() > 1 && ascending).then_some(Histogram { edges, counts })
    }

    /// Counts a sample: a binary search among the edges.
    #[inline]
    pub fn add(&mut self, sample: u64) {
        let edges_passed = self.edges.partition_point(|&edge| edge <= sample);
        self.counts[edges_passed] += 1;
    }

    /// Counts a sample `times` times, such as a level by its duration.
    #[inline]
    pub(crate) fn add_repeated(&mut self, sample: u64, times: u64) {
        let edges_passed = self.edges.partition_point(|&edge| edge <= sample);
        self.counts[edges_passed] += times;
    }

    /// Forgets all samples and keeps the bins.
    pub fn reset(&mut self) {
        self.counts.fill(0);
    }

    /// The exact share of samples at or above each edge (the complementary distribution function);
    /// empty without samples.
    pub fn tail(&self) -> Vec<Tail> {
        let whole = self.count();
        let mut above = whole;
        let mut tail = Vec::new();
        for (&from, &below) in self.edges.iter().zip(&self.counts) {
            above -= below;
            tail.push(Tail {
                from,
                share: above as f64 / whole as f64,
            });
        }
        if whole == 0 { Vec::new() } else { tail }
    }

    /// Adds the counts of another; `false`, and no change, if its edges differ.
    #[must_use]
    pub fn merge(&mut self, other: &Histogram) -> bool {
        let same = self.edges == other.edges;
        if same {
            let pairs = self.counts.iter_mut().zip(&other.counts);
            pairs.for_each(|(count, more)| *count += more);
        }
        same
    }

    /// All samples, including those outside the bins.
    pub fn count(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Number of samples below the first bin.
    pub fn underflow(&self) -> u64 {
        self.counts[0]
    }

    /// Number of samples beyond the last bin.
    pub fn overflow(&self) -> u64 {
        self.counts[self.edges.len()]
    }

    /// The bins in ascending order.
    pub fn bins(&self) -> impl Iterator<Item = Bin> {
        let edges = self.edges.windows(2);
        edges.zip(&self.counts[1..]).map(|(edge, &count)| Bin {
            from: edge[0],
            to: edge[1],
            count,
        })
    }
}

fn rounded(edge: f64) -> Option<u64> {
    const BEYOND: f64 = 18_446_744_073_709_551_616.0;
    let edge = edge + 0.5;
    (edge < BEYOND).then_some(edge as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn logarithmic_edges_are_powers() {
        let decades = Histogram::logarithmic(1, 1000, 1).expect("bins");
        assert_eq!(decades.edges, [1, 10, 100, 1000]);
        let fine = Histogram::logarithmic(1, 10, 10).expect("bins");
        assert_eq!(fine.edges, [1, 2, 3, 4, 5, 6, 8, 10]);
    }

    #[test]
    fn widening_bins_cover_any_sample_and_resolve_it_to_a_2000th() {
        let bins = Histogram::widening(5, 12).expect("bins");
        assert_eq!(
            bins.edges[..14],
            Histogram::linear(0, 5, 13).expect("bins").edges[..]
        );
        let widths = bins
            .edges
            .windows(2)
            .map(|edge| (edge[0], edge[1] - edge[0]));
        for (from, width) in widths {
            assert!(
                width % 5 == 0 && (width == 5 || width * 2000 <= from),
                "{width} at {from}"
            );
        }
        assert!(bins.edges.len() < 70_000 && bins.edges.last() >= Some(&(1 << 48)));
        assert_eq!(Histogram::widening(0, 5), None);
        assert_eq!(Histogram::widening(5, 0), None);
    }

    #[test]
    fn bins_that_cannot_be_are_refused() {
        assert_eq!(Histogram::linear(0, 0, 3), None);
        assert_eq!(Histogram::linear(0, 1, 0), None);
        assert_eq!(Histogram::linear(1, u64::MAX, 1), None);
        assert_eq!(Histogram::logarithmic(0, 10, 1), None);
        assert_eq!(Histogram::logarithmic(10, 10, 1), None);
        assert_eq!(Histogram::logarithmic(1, 10, 0), None);
        assert_eq!(Histogram::logarithmic(1 << 63, u64::MAX, 1), None);
    }

    #[test]
    fn only_equal_bins_merge() {
        let mut a = Histogram::linear(0, 1, 2).expect("bins");
        a.add(1);
        let other = Histogram::linear(0, 1, 3).expect("bins");
        assert_eq!((a.merge(&other), a.merge(&a.clone())), (false, true));
        assert_eq!(a.count(), 2);
    }

    proptest! {
        #[test]
        fn every_sample_is_in_the_bin_that_spans_it(
            samples in prop::collection::vec(0u64..2000, 0..100),
            logarithmic: bool,
        ) {
            let mut histogram = match logarithmic {
                true => Histogram::logarithmic(3, 900, 7),
                false => Histogram::linear(50, 13, 60),
            }.expect("bins");
            samples.iter().for_each(|&sample| histogram.add(sample));
            let within = |from, to| samples.iter().filter(|&&x| from <= x && x < to).count() as u64;
            for bin in histogram.bins() {
                prop_assert_eq!(bin.count, within(bin.from, bin.to));
            }
            prop_assert_eq!(histogram.underflow(), within(0, histogram.edges[0]));
            let last = *histogram.edges.last().expect("edges");
            prop_assert_eq!(histogram.overflow(), within(last, u64::MAX));
            prop_assert_eq!(histogram.count(), samples.len() as u64);
            for point in histogram.tail() {
                let at_least = within(point.from, u64::MAX) as f64;
                prop_assert_eq!(point.share, at_least / samples.len() as f64);
            }
        }
    }
}
