//! Quantiles of the distributions that intervals and tests need.

use crate::special::incomplete_beta;

/// The quantile of the standard normal distribution; `None` unless 0 < p < 1.
///
/// ```
/// let z = pacesim_measure::normal_quantile(0.975).expect("a probability");
/// assert!((z - 1.959963984540054).abs() < 1e-12);
/// ```
pub fn normal_quantile(p: f64) -> Option<f64> {
    let upper_tail = |z: f64| 0.5 * libm::erfc(z / std::f64::consts::SQRT_2);
    symmetric_quantile(p, upper_tail)
}

/// The quantile of Student's t with `dof` degrees of freedom; `None` unless 0 < p < 1
/// and dof > 0.
///
/// ```
/// let t = pacesim_measure::student_quantile(0.975, 4.0).expect("a probability");
/// assert!((t - 2.7764451052).abs() < 1e-9);
/// ```
pub fn student_quantile(p: f64, dof: f64) -> Option<f64> {
    // A&S 26.7.1: P[T > t] = I_x(dof/2, 1/2) / 2, x = dof/(dof + t²).
    let upper_tail = |t: f64| 0.5 * incomplete_beta(dof / 2.0, 0.5, dof / (dof + t * t));
    (dof > 0.0).then(|| symmetric_quantile(p, upper_tail))?
}

fn is_probability(p: f64) -> bool {
    0.0 < p && p < 1.0
}

/// The quantile of a distribution symmetric about zero, by its decreasing upper tail.
fn symmetric_quantile(p: f64, upper_tail: impl Fn(f64) -> f64) -> Option<f64> {
    if !is_probability(p) {
        return None;
    }
    if p == 0.5 {
        return Some(0.0);
    }
    let tail = p.min(1.0 - p);
    let magnitude = crossing(|z| upper_tail(z) <= tail);
    Some(if p < 0.5 { -magnitude } else { magnitude })
}

/// The positive point at which a monotone predicate starts to hold, by bisection to the last bit:
/// slower than Newton's method, but certain to converge.
fn crossing(holds: impl Fn(f64) -> bool) -> f64 {
    let mut high = 1.0;
    while !holds(high) && high < f64::MAX / 2.0 {
        high *= 2.0;
    }
    let mut low = 0.0;
    loop {
        let middle = low + (high - low) / 2.0;
        if middle <= low || middle >= high {
            return high;
        }
        if holds(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_close(got: f64, expected: f64, relative: f64, what: &str) {
        let error = (got - expected).abs();
        assert!(
            error <= relative * expected.abs(),
            "{what}: {got} {expected}"
        );
    }

    /// Two-sided, at .9, .95, .99 and .999; computed with 30 digits elsewhere.
    #[rustfmt::skip]
    const STUDENT: [(u32, [f64; 4]); 15] = [
        (1, [6.31375151468, 12.7062047362, 63.6567411629, 636.619248769]),
        (2, [2.91998558035, 4.30265272975, 9.92484320092, 31.5990545764]),
        (3, [2.3533634348, 3.18244630528, 5.84090930973, 12.9239786367]),
        (4, [2.13184678633, 2.7764451052, 4.60409487135, 8.61030158138]),
        (5, [2.01504837333, 2.57058183564, 4.03214298356, 6.86882662588]),
        (7, [1.89457860509, 2.36462425159, 3.49948329735, 5.40788252086]),
        (10, [1.81246112281, 2.22813885199, 3.16927267262, 4.5868938587]),
        (15, [1.75305035569, 2.13144954556, 2.94671288348, 4.0727651959]),
        (20, [1.72471824292, 2.08596344727, 2.84533970979, 3.84951627493]),
        (30, [1.69726088659, 2.0422724563, 2.74999565357, 3.64595863504]),
        (50, [1.67590502516, 2.0085591121, 2.67779327094, 3.49601288181]),
        (100, [1.66023432609, 1.98397151852, 2.62589052144, 3.39049131116]),
        (120, [1.65765089936, 1.97993040508, 2.61742114511, 3.37345376856]),
        (500, [1.64790685393, 1.96471983747, 2.58569783514, 3.31009115152]),
        (1000, [1.64637881729, 1.96233908083, 2.58075469807, 3.30028264842]),
    ];

    #[test]
    fn student_quantiles_agree_with_tables() {
        for (dof, row) in STUDENT {
            for (level, expected) in [0.9, 0.95, 0.99, 0.999].into_iter().zip(row) {
                let p = 1.0 - (1.0 - level) / 2.0;
                let got = student_quantile(p, f64::from(dof)).expect("in range");
                assert_close(got, expected, 1e-10, &format!("dof {dof}, level {level}"));
            }
        }
    }

    /// 2·P[0 < T < t] for whole degrees of freedom, a finite sum (A&S 26.7.3, 26.7.4).
    fn student_within(t: f64, dof: u32) -> f64 {
        let theta = libm::atan(t / f64::from(dof).sqrt());
        let cos_squared = libm::cos(theta) * libm::cos(theta);
        let (mut term, mut sum) = (libm::sin(theta), 0.0);
        if dof % 2 == 1 {
            term *= libm::cos(theta);
        }
        for k in (2 + dof % 2..=dof).step_by(2).map(f64::from) {
            sum += term;
            term *= cos_squared * (k - 1.0) / k;
        }
        if dof.is_multiple_of(2) {
            return sum;
        }
        std::f64::consts::FRAC_2_PI * (theta + sum)
    }

    #[test]
    fn student_quantiles_invert_the_finite_sums_for_every_dof_to_a_thousand() {
        for dof in 1..=1000 {
            for level in [0.9, 0.95, 0.99, 0.999] {
                let t = student_quantile((1.0 + level) / 2.0, f64::from(dof)).expect("in range");
                let within = student_within(t, dof);
                assert!(
                    (within - level).abs() < 1e-12,
                    "dof {dof}: {within} {level}"
                );
            }
        }
    }

    #[test]
    fn student_becomes_normal_and_one_degree_is_cauchy() {
        for p in [0.01, 0.3, 0.6, 0.999] {
            let cauchy = libm::tan(std::f64::consts::PI * (p - 0.5));
            assert_close(
                student_quantile(p, 1.0).expect("ok"),
                cauchy,
                1e-11,
                "Cauchy",
            );
            let normal = normal_quantile(p).expect("ok");
            assert_close(
                student_quantile(p, 1e7).expect("ok"),
                normal,
                1e-6,
                "normal",
            );
        }
    }

    #[test]
    fn normal_quantiles_agree_with_tables() {
        for (p, expected) in [
            (0.5, 0.0),
            (0.6, 0.2533471031358),
            (0.75, 0.674489750196082),
            (0.9, 1.2815515655446),
            (0.95, 1.64485362695147),
            (0.975, 1.95996398454005),
            (0.995, 2.5758293035489),
            (0.9995, 3.29052673149189),
            (0.999999, 4.7534243088229),
            (1e-10, -6.36134090240406),
        ] {
            // 1 − p has lost digits at .999999: the error is the input's.
            let got = normal_quantile(p).expect("in range");
            assert_close(got, expected, 1e-11, &p.to_string());
        }
    }

    #[test]
    fn what_is_no_probability_has_no_quantile() {
        for p in [0.0, 1.0, -0.1, 1.1, f64::NAN] {
            assert_eq!(normal_quantile(p), None);
            assert_eq!(student_quantile(p, 3.0), None);
        }
        assert_eq!(student_quantile(0.9, 0.0), None);
        assert_eq!(student_quantile(0.9, f64::NAN), None);
    }
}
