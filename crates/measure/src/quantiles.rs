//! Quantiles of integer samples: exact for few, a sketch for many.

/// Sub-bins per octave, as a power of two.
const SUB_BITS: u32 = 5;
const SUB_BINS: usize = 1 << SUB_BITS;
/// The last sample with its own bin.
const LINEAR: u64 = (2 << SUB_BITS) - 1;

/// Quantiles of integer samples.
///
/// The first samples are kept as they are and give exact quantiles; beyond that limit (by default
/// [`Quantiles::EXACT`]) they are counted in log-linear bins, 32 per octave. A sample below 64 has
/// its own bin. Any other answer is in the right bin, interpolated by rank as if the bin's samples
/// were spread evenly: the error is at most [`Quantiles::RELATIVE_ERROR`], and far smaller for a
/// smooth distribution of many samples. The least and the greatest sample stay exact.
///
/// Memory is 8 bytes per bin over the octaves between the least and the greatest sample seen, and
/// grows only when a sample lies outside them: 768 bytes for samples within three octaves, 15 KB
/// for all of 64 bits.
///
/// ```
/// let mut delays = pacesim_measure::Quantiles::new();
/// (1..=1000).for_each(|ns| delays.add(ns));
/// let p95 = delays.quantile(0.95).expect("samples") as f64;
/// assert!((p95 / 950.0 - 1.0).abs() <= pacesim_measure::Quantiles::RELATIVE_ERROR);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quantiles {
    store: Store,
    count: u64,
    min: u64,
    max: u64,
    limit: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Store {
    Exact(Vec<u64>),
    Sketch(Bins),
}

impl Quantiles {
    /// Default number of samples kept exactly.
    pub const EXACT: usize = 128;

    /// The greatest relative error of an answer: the width of a bin divided by its lower edge.
    pub const RELATIVE_ERROR: f64 = 1.0 / 32.0;

    /// No samples; exact up to [`Quantiles::EXACT`] of them.
    pub fn new() -> Quantiles {
        Quantiles::with_exact(Quantiles::EXACT)
    }

    /// No samples; exact up to `limit` of them.
    pub(crate) fn with_exact(limit: usize) -> Quantiles {
        Quantiles {
            store: Store::Exact(Vec::new()),
            count: 0,
            min: u64::MAX,
            max: 0,
            limit,
        }
    }

    /// Adds a sample: in the sketch a count of leading zeros, a shift and an addition.
    #[inline(always)]
    pub fn add(&mut self, sample: u64) {
        self.count += 1;
        if sample < self.min {
            self.min = sample;
        }
        if sample > self.max {
            self.max = sample;
        }
        match &mut self.store {
            Store::Sketch(bins) => bins.add(sample, 1),
            Store::Exact(_) => self.keep(sample),
        }
    }

    /// Keeps a sample as it is, while they are few.
    #[cold]
    fn keep(&mut self, sample: u64) {
        match &mut self.store {
            Store::Exact(samples) if samples.len() < self.limit => samples.push(sample),
            _ => self.sketch().add(sample, 1),
        }
    }

    /// Adds all samples of another. With equal limits the result equals that of adding every sample
    /// to one, in any order.
    pub fn merge(&mut self, other: &Quantiles) {
        self.count += other.count;
        self.min = self.min.min(other.min);
        self.max = self.max.max(other.max);
        let fits = self.count <= self.limit as u64;
        match (&mut self.store, &other.store) {
            (Store::Exact(samples), Store::Exact(more)) if fits => samples.extend(more),
            (_, Store::Exact(more)) => {
                let bins = self.sketch();
                more.iter().for_each(|&sample| bins.add(sample, 1));
            }
            (_, Store::Sketch(more)) => self.sketch().merge(more),
        }
    }

    /// Forgets all samples, as at the end of a warm-up.
    pub fn reset(&mut self) {
        *self = Quantiles::with_exact(self.limit);
    }

    /// The number of samples.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// True if all answers are exact.
    pub fn is_exact(&self) -> bool {
        matches!(self.store, Store::Exact(_))
    }

    /// The least sample that at least the share `q` of all samples does not exceed (the inverse of
    /// the empirical distribution); `None` without samples. A `q` outside 0 to 1 is clamped.
    pub fn quantile(&self, q: f64) -> Option<u64> {
        if self.count == 0 {
            return None;
        }
        let rank = rank(q, self.count);
        if rank == 1 {
            return Some(self.min);
        }
        if rank == self.count {
            return Some(self.max);
        }
        Some(match &self.store {
            Store::Exact(samples) => nth_least(samples, rank),
            Store::Sketch(bins) => bins.value_at(rank, self.min, self.max),
        })
    }

    /// The sketch; exact samples move into it first.
    #[cold]
    fn sketch(&mut self) -> &mut Bins {
        if let Store::Exact(samples) = &self.store {
            let mut bins = Bins::default();
            samples.iter().for_each(|&sample| bins.add(sample, 1));
            self.store = Store::Sketch(bins);
        }
        match &mut self.store {
            Store::Sketch(bins) => bins,
            Store::Exact(_) => unreachable!("it has just become a sketch"),
        }
    }
}

impl Default for Quantiles {
    fn default() -> Quantiles {
        Quantiles::new()
    }
}

/// ceil(q·n) from 1 to n; the slack makes 0.07 · 100 the seventh, not the eighth.
fn rank(q: f64, count: u64) -> u64 {
    let rank = (q * count as f64 * (1.0 - 4.0 * f64::EPSILON)).ceil();
    (rank as u64).clamp(1, count)
}

fn nth_least(samples: &[u64], rank: u64) -> u64 {
    let mut sorted = samples.to_vec();
    *sorted.select_nth_unstable(rank as usize - 1).1
}

/// Counts in log-linear bins, over whole octaves from the first one touched.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Bins {
    /// Index of the first stored bin, a multiple of an octave.
    first: usize,
    counts: Vec<u64>,
}

impl Bins {
    #[inline]
    fn add(&mut self, sample: u64, times: u64) {
        let index = bin_of(sample);
        // Below `first` it wraps to a huge offset, which is not stored either.
        match self.counts.get_mut(index.wrapping_sub(self.first)) {
            Some(count) => *count += times,
            None => {
                self.cover(index);
                self.counts[index - self.first] += times;
            }
        }
    }

    fn merge(&mut self, other: &Bins) {
        let kept = other.counts.iter().enumerate();
        for (offset, &count) in kept.filter(|&(_, &count)| count > 0) {
            self.add(edges_of(other.first + offset).0, count);
        }
    }

    #[cold]
    fn cover(&mut self, index: usize) {
        let octave = index / SUB_BINS * SUB_BINS;
        if self.counts.is_empty() {
            self.first = octave;
        }
        let before = self.first.saturating_sub(octave);
        self.counts.splice(0..0, std::iter::repeat_n(0, before));
        self.first -= before;
        let needed = (octave + SUB_BINS - self.first).max(self.counts.len());
        self.counts.reserve_exact(needed - self.counts.len());
        self.counts.resize(needed, 0);
    }

    /// The sample of this rank, if the samples of its bin are spread evenly over its part between
    /// the least and the greatest of all.
    fn value_at(&self, rank: u64, min: u64, max: u64) -> u64 {
        let mut up_to = 0;
        let holds = |(_, count): &(usize, &u64)| {
            up_to += **count;
            up_to >= rank
        };
        let found = self.counts.iter().enumerate().find(holds);
        let (offset, &count) = found.expect("a rank up to the count");
        let (first, width) = edges_of(self.first + offset);
        let (low, last) = (first.max(min), (first + (width - 1)).min(max));
        let width = u128::from(last - low) + 1;
        let halves = 2 * u128::from(rank + count - up_to) - 1;
        let inside = width * halves / (2 * u128::from(count));
        low + inside as u64
    }
}

/// Bins are samples themselves below 64; beyond, the six leading bits and the number of those that
/// follow.
#[inline]
fn bin_of(sample: u64) -> usize {
    // Samples below 64 drop no bits, like the last octave with its own bins.
    let dropped = u64::BITS - (SUB_BITS + 1) - (sample | LINEAR).leading_zeros();
    ((dropped as usize) << SUB_BITS) + (sample >> dropped) as usize
}

/// The least sample of a bin, and the number of samples it spans.
fn edges_of(bin: usize) -> (u64, u64) {
    let dropped = (bin >> SUB_BITS).saturating_sub(1);
    let leading = (bin - (dropped << SUB_BITS)) as u64;
    (leading << dropped, 1 << dropped)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn of(samples: &[u64], limit: usize) -> Quantiles {
        let mut quantiles = Quantiles::with_exact(limit);
        samples.iter().for_each(|&sample| quantiles.add(sample));
        quantiles
    }

    fn sorted(mut samples: Vec<u64>) -> Vec<u64> {
        samples.sort_unstable();
        samples
    }

    #[test]
    fn without_samples_there_is_no_quantile() {
        assert_eq!(Quantiles::new().quantile(0.5), None);
    }

    #[test]
    fn ranks_are_the_ceiling_despite_binary_fractions() {
        assert_eq!(rank(0.07, 100), 7);
        assert_eq!(rank(0.95, 100), 95);
        assert_eq!(rank(0.951, 100), 96);
        assert_eq!(
            (rank(-1.0, 9), rank(0.0, 9), rank(1.0, 9), rank(7.0, 9)),
            (1, 1, 9, 9)
        );
    }

    #[test]
    fn bins_tile_the_whole_range_in_order() {
        for x in 0..64 {
            assert_eq!((bin_of(x), edges_of(x as usize)), (x as usize, (x, 1)));
        }
        let last = bin_of(u64::MAX);
        assert_eq!(last + 1, 1920);
        let end = |bin| edges_of(bin).0 + (edges_of(bin).1 - 1);
        for bin in 0..=last {
            assert_eq!((bin_of(edges_of(bin).0), bin_of(end(bin))), (bin, bin));
        }
        for bin in 0..last {
            assert_eq!(end(bin) + 1, edges_of(bin + 1).0, "bin {bin}");
        }
        assert_eq!(end(last), u64::MAX);
    }

    /// The samples of a bin are spread by rank: two runs that differ a little have different
    /// quantiles.
    #[test]
    fn between_the_edges_of_a_bin_the_rank_decides() {
        let mut quantiles = Quantiles::with_exact(0);
        (100_000..400_000).for_each(|sample| quantiles.add(sample));
        for permille in 1..1000 {
            let q = f64::from(permille) / 1000.0;
            let got = quantiles.quantile(q).expect("samples");
            let exact = 100_000 + 300 * u64::from(permille as u32) - 1;
            assert!(got.abs_diff(exact) <= 1, "{q}: {got} instead of {exact}");
        }
    }

    #[test]
    fn equal_samples_are_their_own_quantiles() {
        let quantiles = of(&[1_000_003; 7], 0);
        assert_eq!(quantiles.quantile(0.5), Some(1_000_003));
    }

    #[test]
    fn a_flow_whose_delays_touch_three_octaves_takes_768_bytes() {
        let mut quantiles = Quantiles::new();
        (10_000..40_000).for_each(|ns| quantiles.add(ns));
        let Store::Sketch(bins) = &quantiles.store else {
            panic!("30000 samples are not kept");
        };
        assert_eq!(bins.counts.capacity() * size_of::<u64>(), 768);
    }

    #[test]
    fn in_steady_state_nothing_is_allocated() {
        let mut quantiles = of(&[1000, 1_000_000], 0);
        let kept = |q: &Quantiles| match &q.store {
            Store::Sketch(bins) => (bins.counts.as_ptr(), bins.counts.capacity()),
            Store::Exact(_) => panic!("a sketch from the first sample"),
        };
        let before = kept(&quantiles);
        (1000..=1_000_000)
            .step_by(17)
            .for_each(|x| quantiles.add(x));
        assert_eq!(kept(&quantiles), before);
    }

    #[test]
    fn a_reset_forgets_and_is_exact_again() {
        let mut quantiles = of(&[1, 2, 3], 2);
        assert_eq!((quantiles.is_exact(), quantiles.count()), (false, 3));
        quantiles.reset();
        assert_eq!((quantiles.is_exact(), quantiles.count()), (true, 0));
    }

    /// Samples of every magnitude, with repetitions.
    fn samples() -> impl Strategy<Value = Vec<u64>> {
        let sample = (any::<u64>(), 0u32..64).prop_map(|(x, shift)| x >> shift);
        prop::collection::vec(sample, 1..300)
    }

    proptest! {
        #[test]
        fn few_samples_give_exact_quantiles(samples in samples(), q in 0.0..=1.0) {
            let quantiles = of(&samples, 300);
            let rank = rank(q, samples.len() as u64) as usize;
            prop_assert_eq!(quantiles.quantile(q), Some(sorted(samples)[rank - 1]));
        }

        #[test]
        fn the_sketch_is_within_its_stated_error(samples in samples(), q in 0.0..=1.0) {
            let got = of(&samples, 0).quantile(q).expect("samples");
            let rank = rank(q, samples.len() as u64) as usize;
            let exact = sorted(samples)[rank - 1];
            let error = got.abs_diff(exact) as f64;
            prop_assert!(error <= Quantiles::RELATIVE_ERROR * exact as f64, "{got} {exact}");
            prop_assert!(exact >= 64 || got == exact, "{got} {exact}");
        }

        #[test]
        fn merging_equals_adding_to_one(a in samples(), b in samples(), limit in 0usize..400) {
            let whole = of(&[a.clone(), b.clone()].concat(), limit);
            let mut merged = of(&a, limit);
            merged.merge(&of(&b, limit));
            for q in [0.0, 0.01, 0.25, 0.5, 0.75, 0.95, 0.99, 1.0] {
                prop_assert_eq!(merged.quantile(q), whole.quantile(q));
            }
            prop_assert_eq!(merged.is_exact(), whole.is_exact());
            prop_assert_eq!(merged.count(), whole.count());
        }
    }
}
