//! The replications that would decide an undecided claim.

use pacesim::measure::student_quantile;
use pacesim_runs::replicate::CONFIDENCE;

use crate::claims::ON_BORDER;

/// More replications than this are not made by anybody: the number is on the border.
const BORDER: f64 = 1000.0;

/// The factor of the replications if the mean stays the same: an interval shrinks with the square
/// root of their number.
pub fn times(mean: f64, (low, high): (f64, f64), bounds: impl Iterator<Item = f64>) -> f64 {
    let room = bounds.map(|bound| (mean - bound).abs());
    let part = (high - low) / 2.0 / room.fold(f64::INFINITY, f64::min);
    part * part
}

/// The replications whose Student's interval is narrower by the root of this factor: an interval of
/// few is wide also because their deviation is uncertain.
pub fn by_students(made: f64, times: f64) -> f64 {
    let square = |n: f64| student_quantile(0.5 + CONFIDENCE / 2.0, n - 1.0).map(|t| t * t);
    let Some(own) = square(made) else {
        return made * times;
    };
    let mut needed = made;
    while needed < BORDER && square(needed).is_some_and(|t| needed * own < made * times * t) {
        needed += 1.0;
    }
    // Beyond that, the quantile hardly changes.
    match (needed < BORDER, square(needed)) {
        (false, Some(last)) => (made * times * last / own).max(needed),
        _ => needed,
    }
}

/// The number of replications in words.
pub fn told(needed: f64) -> String {
    if !needed.is_finite() {
        return ON_BORDER.to_owned();
    }
    let needed = needed.ceil();
    let border = if needed > BORDER {
        format!("{ON_BORDER}: ")
    } else {
        String::new()
    };
    format!("{border}some {needed} replications would decide it")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_narrow_enough_interval_of_student_takes_so_many() {
        let half = |n: f64| student_quantile(0.975, n - 1.0).expect("a quantile") / n.sqrt();
        for (made, times) in [(2.0, 30.0), (3.0, 60.3), (5.0, 4.0), (60.0, 1.3)] {
            let needed = by_students(made, times).ceil();
            let narrow = half(made) / times.sqrt();
            assert!(
                half(needed) <= narrow * (1.0 + 1e-9),
                "{made} {times}: {needed}"
            );
            assert!(half(needed - 1.0) > narrow, "{made} {times}: {needed}");
        }
    }
}
