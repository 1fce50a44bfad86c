//! Curves of a run shaped for figures of time and of distributions, and the names of several numbers.

use pacesim_plot::names::scaled_unit;
use pacesim_study::{NumberName, Plot, Shape};

use crate::curves::Curve;

/// The shares in bins as the wanted view of their distribution.
pub(super) fn shaped(shape: Shape, mut curve: Curve) -> Curve {
    let mut sums: Vec<f64> = Vec::new();
    for (_, shares) in &mut curve {
        sums.resize(shares.len(), 0.0);
        for (sum, share) in sums.iter_mut().zip(shares) {
            let Some(share) = share else { continue };
            *sum += *share;
            *share = match shape {
                Shape::Ccdf => (1.0 - *sum).max(0.0),
                Shape::Ecdf => sum.min(1.0),
                Shape::Histogram => *share,
            };
        }
    }
    // A run without values has no distribution.
    for (_, shares) in &mut curve {
        for (share, sum) in shares.iter_mut().zip(&sums) {
            *share = share.filter(|_| *sum > 0.0);
        }
    }
    curve
}

/// The names of a figure's numbers: as given, or else the parts in which they differ.
pub(super) fn labels(plot: &Plot) -> Vec<Option<String>> {
    let others = plot.also.iter().map(|(_, _, named)| named);
    let all: Vec<&NumberName> = std::iter::once(&plot.named).chain(others).collect();
    let is_same = |part: fn(&NumberName) -> &str| all.iter().all(|n| part(n) == part(all[0]));
    let (one_metric, one_entity) = (is_same(|n| &n.metric), is_same(|n| &n.entity));
    let label = |(place, name): (usize, &&NumberName)| match plot.keys.labels.get(place) {
        Some(label) => label.clone(),
        None if name.is_formula() => name.to_string(),
        None if one_metric => name.entity.clone(),
        None if one_entity => words(name),
        None => format!("{} of {}", words(name), name.entity),
    };
    all.iter().enumerate().map(|n| Some(label(n))).collect()
}

/// The words of a number's metric, or a formula as it was written.
pub(super) fn words(number: &NumberName) -> String {
    match number.is_formula() {
        true => number.to_string(),
        false => scaled_unit(&number.metric, 1.0).0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_distribution_adds_up_the_bins_of_each_run_by_itself() {
        let bins = vec![
            (1.0, vec![Some(0.25), Some(0.0)]),
            (2.0, vec![Some(0.0), Some(0.5)]),
            (3.0, vec![Some(0.75), Some(0.5)]),
        ];
        let second =
            |curve: Curve| -> Vec<Option<f64>> { curve.into_iter().map(|(_, ys)| ys[1]).collect() };
        let up = shaped(Shape::Ecdf, bins.clone());
        assert_eq!(up[1].1[0], Some(0.25));
        assert_eq!(second(up), [Some(0.0), Some(0.5), Some(1.0)]);
        let down = shaped(Shape::Ccdf, bins.clone());
        assert_eq!(second(down), [Some(1.0), Some(0.5), Some(0.0)]);
        assert_eq!(shaped(Shape::Histogram, bins.clone()), bins);
        let empty = vec![(1.0, vec![Some(1.0), Some(0.0)])];
        assert_eq!(shaped(Shape::Ecdf, empty), [(1.0, vec![Some(1.0), None])]);
    }
}
