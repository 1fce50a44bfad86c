//! Coverage of intervals over a hundred small studies; `scripts/soak.sh coverage` makes a thousand.

use pacesim_soak::METHODS;

/// The probability of fewer than `least` successes in `trials`, each with probability `p`.
fn below(least: u64, trials: u64, p: f64) -> f64 {
    let mut term: f64 = (0..trials).map(|_| 1.0 - p).product();
    let mut sum = 0.0;
    for k in 0..least {
        sum += term;
        term *= (trials - k) as f64 / (k + 1) as f64 * p / (1.0 - p);
    }
    sum
}

#[test]
fn the_intervals_of_studies_hold_the_truth_about_as_often_as_said() {
    const STUDIES: u64 = 100;
    for method in METHODS {
        let folder = tempfile::tempdir().expect("a folder");
        let found = method.coverage(STUDIES, &folder.path().join("coverage"));
        let held = found.expect("it comes to its end").held;
        // A count so low that fewer than one in a million such tests would find it by chance.
        let chance = below(held + 1, STUDIES, method.promised.0);
        assert!(chance > 1e-6, "{}: {held} of {STUDIES}", method.name);
    }
}

#[test]
fn the_chance_of_few_successes_is_the_binomial_one() {
    assert!(
        (below(1, 10, 0.5) - 1.0 / 1024.0).abs() < 1e-15,
        "{:?} and {:?}",
        below(1, 10, 0.5),
        1.0 / 1024.0
    );
    assert!(
        (below(11, 10, 0.3) - 1.0).abs() < 1e-12,
        "{:?}",
        below(11, 10, 0.3)
    );
}
