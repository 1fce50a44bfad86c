//! Views of the distributions within runs, from the shares of values in bins.

use pacesim_study::Shape;

use crate::boxes::start_of_bin;

/// Values at places along x, one for each run that has it.
pub type Curve = Vec<(f64, Vec<Option<f64>>)>;

/// The requested view of bins, each given by its upper end and each run's share of values in it. A
/// run without values has no distribution.
pub fn shaped(shape: Shape, bins: &Curve) -> Curve {
    let runs = bins.first().map_or(0, |(_, shares)| shares.len());
    let share = |bin: &(f64, Vec<Option<f64>>), run: usize| bin.1[run].unwrap_or(0.0);
    let all: Vec<f64> = (0..runs)
        .map(|run| bins.iter().map(|bin| share(bin, run)).sum())
        .collect();
    let of_each = |value: &dyn Fn(usize) -> f64| -> Vec<Option<f64>> {
        let runs = all.iter().enumerate();
        runs.map(|(run, all)| (*all > 0.0).then(|| value(run)))
            .collect()
    };
    // Sums from the end that is zero have no residue there.
    let below = |n: usize, run| bins[..n].iter().map(|bin| share(bin, run)).sum::<f64>();
    let above = |n: usize, run| {
        bins[n..]
            .iter()
            .rev()
            .map(|bin| share(bin, run))
            .sum::<f64>()
    };
    let ends = bins.first().map(|(to, _)| start_of_bin(*to)).into_iter();
    let ends = ends.chain(bins.iter().map(|(to, _)| *to)).enumerate();
    match shape {
        Shape::Ecdf => ends
            .map(|(n, x)| (x, of_each(&|run| below(n, run).min(1.0))))
            .collect(),
        Shape::Ccdf => ends
            .map(|(n, x)| (x, of_each(&|run| above(n, run).min(1.0))))
            .collect(),
        Shape::Histogram => {
            let bins = bins.iter();
            steps(bins.map(|bin| (bin.0, of_each(&|run| share(bin, run)))))
        }
    }
}

/// Each bin as a step from its lower to its upper end, and zero where there is none.
fn steps(bins: impl Iterator<Item = (f64, Vec<Option<f64>>)>) -> Curve {
    let zero = |shares: &[Option<f64>]| -> Vec<Option<f64>> {
        shares.iter().map(|share| share.map(|_| 0.0)).collect()
    };
    let mut steps = Curve::new();
    let mut last: Option<(f64, Vec<Option<f64>>)> = None;
    for (to, shares) in bins {
        let from = start_of_bin(to);
        let is_next = |end: f64| from <= end * (1.0 + 1e-6);
        match &last {
            Some((end, _)) if is_next(*end) => (),
            Some((end, before)) => steps.extend([(*end, zero(before)), (from, zero(&shares))]),
            None => steps.push((from, zero(&shares))),
        }
        steps.extend([(from, shares.clone()), (to, shares.clone())]);
        last = Some((to, shares));
    }
    steps.extend(last.map(|(end, shares)| (end, zero(&shares))));
    steps
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bins() -> Curve {
        let ratio = 1.0 / start_of_bin(1.0);
        vec![
            (1.0, vec![Some(0.25), Some(0.0)]),
            (ratio, vec![Some(0.0), Some(0.1)]),
            (3.0, vec![Some(0.75), Some(0.9)]),
        ]
    }

    fn of_run(run: usize, curve: &Curve) -> Vec<Option<f64>> {
        curve.iter().map(|(_, ys)| ys[run]).collect()
    }

    #[test]
    fn a_distribution_adds_up_the_bins_of_each_run_by_itself() {
        let up = shaped(Shape::Ecdf, &bins());
        assert_eq!(up[0].0, start_of_bin(1.0));
        let expected = [0.0, 0.25, 0.25, 1.0].map(Some);
        assert_eq!(of_run(0, &up), expected);
        assert_eq!(of_run(1, &up), [0.0, 0.0, 0.1, 1.0].map(Some));
        let empty = vec![(1.0, vec![Some(1.0), Some(0.0)])];
        let of_empty = shaped(Shape::Ecdf, &empty);
        assert_eq!(of_run(1, &of_empty), [None, None]);
    }

    #[test]
    fn nothing_lies_above_the_greatest_value_to_the_bit() {
        let thirds = [0.1, 0.2, 0.3, 0.15, 0.25].map(Some);
        let bins = thirds.iter().zip(1_u32..);
        let bins: Curve = bins.map(|(share, x)| (x.into(), vec![*share])).collect();
        let down = of_run(0, &shaped(Shape::Ccdf, &bins));
        assert!(down[0] > Some(1.0 - 1e-12) && down[0] <= Some(1.0));
        assert_eq!(down[5], Some(0.0));
        assert_eq!(down[4], Some(0.25));
    }

    #[test]
    fn a_histogram_has_steps_and_falls_to_zero_between_bins_that_are_apart() {
        let steps = shaped(Shape::Histogram, &bins());
        let first = [0.0, 0.25, 0.25, 0.0, 0.0, 0.0, 0.0, 0.75, 0.75, 0.0].map(Some);
        assert_eq!(of_run(0, &steps), first);
        let xs: Vec<f64> = steps.iter().map(|(x, _)| *x).collect();
        assert!(xs.is_sorted(), "{xs:?}");
        assert!(shaped(Shape::Histogram, &Curve::new()).is_empty());
    }
}
