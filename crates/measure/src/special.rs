//! The incomplete beta integral and derivatives of ln Γ.

/// A term below this share of the sum is negligible.
const NEGLIGIBLE: f64 = f64::EPSILON / 2.0;
/// Replaces zero where Lentz's method would divide by it.
const TINY: f64 = 1e-300;

/// The regularised incomplete beta integral I_x(a, b), by its continued fraction
/// (Abramowitz and Stegun 26.5.8, and 26.5.2 to stay where it converges fast).
pub(crate) fn incomplete_beta(a: f64, b: f64, x: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    if x >= 1.0 {
        return 1.0;
    }
    let log_beta = libm::lgamma(a) + libm::lgamma(b) - libm::lgamma(a + b);
    let front = libm::exp(a * libm::log(x) + b * libm::log1p(-x) - log_beta);
    if x < (a + 1.0) / (a + b + 2.0) {
        front / (a * beta_fraction(a, b, x))
    } else {
        1.0 - front / (b * beta_fraction(b, a, 1.0 - x))
    }
}

fn beta_fraction(a: f64, b: f64, x: f64) -> f64 {
    lentz(
        |k| {
            let m = (k / 2) as f64;
            if k % 2 == 0 {
                (m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m)), 1.0)
            } else {
                let sum = a + m;
                (
                    -sum * (sum + b) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0)),
                    1.0,
                )
            }
        },
        1.0,
    )
}

/// The continued fraction `first` + a₁/(b₁ + a₂/(b₂ + …)) by Lentz's method as modified
/// by Thompson and Barnett; `step` gives (a_k, b_k).
fn lentz(step: impl Fn(u32) -> (f64, f64), first: f64) -> f64 {
    let nonzero = |x: f64| if x.abs() < TINY { TINY } else { x };
    let mut value = nonzero(first);
    let (mut c, mut d) = (value, 0.0);
    // Convergence takes about the root of the larger parameter.
    for k in 1..1_000_000 {
        let (a, b) = step(k);
        d = 1.0 / nonzero(b + a * d);
        c = nonzero(b + a / c);
        value *= c * d;
        if (c * d - 1.0).abs() < 8.0 * NEGLIGIBLE {
            break;
        }
    }
    value
}

/// ψ(x), the derivative of ln Γ, for x > 0: recurrence up to the point where the asymptotic series
/// (A&S 6.3.18) is exact to 1e-13.
pub(crate) fn digamma(mut x: f64) -> f64 {
    let mut below = 0.0;
    while x < 12.0 {
        below += 1.0 / x;
        x += 1.0;
    }
    let z = 1.0 / (x * x);
    let series =
        z * (1.0 / 12.0 - z * (1.0 / 120.0 - z * (1.0 / 252.0 - z * (1.0 / 240.0 - z / 132.0))));
    libm::log(x) - 0.5 / x - series - below
}

/// ψ′(x) = ζ(2, x) for x > 0, in the same way (A&S 6.4.12).
pub(crate) fn trigamma(mut x: f64) -> f64 {
    let mut below = 0.0;
    while x < 12.0 {
        below += 1.0 / (x * x);
        x += 1.0;
    }
    let z = 1.0 / (x * x);
    let series =
        z * (1.0 / 6.0 - z * (1.0 / 30.0 - z * (1.0 / 42.0 - z * (1.0 / 30.0 - z * 5.0 / 66.0))));
    below + 1.0 / x + 0.5 * z + series / x
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn digamma_and_trigamma_meet_their_constants() {
        let euler = 0.577_215_664_901_532_9;
        let pi_squared = std::f64::consts::PI * std::f64::consts::PI;
        assert!(
            (digamma(1.0) + euler).abs() < 1e-13,
            "{:?}",
            digamma(1.0) + euler
        );
        assert!(
            (digamma(0.5) + euler + 2.0 * std::f64::consts::LN_2).abs() < 1e-13,
            "{:?}",
            digamma(0.5) + euler + 2.0 * std::f64::consts::LN_2
        );
        assert!(
            (trigamma(1.0) - pi_squared / 6.0).abs() < 1e-13,
            "{:?} and {:?}",
            trigamma(1.0),
            pi_squared / 6.0
        );
        assert!(
            (trigamma(0.5) - pi_squared / 2.0).abs() < 1e-13,
            "{:?} and {:?}",
            trigamma(0.5),
            pi_squared / 2.0
        );
    }

    #[test]
    fn whole_parameters_have_finite_sums() {
        // I_x(a, n − a + 1) is the binomial tail P[Bin(n, x) ≥ a].
        let (n, x) = (9u32, 0.3);
        let choose = |k: u32| (1..=k).fold(1.0, |c, i| c * f64::from(n + 1 - i) / f64::from(i));
        for a in 1..=n {
            let tail: f64 = (a..=n)
                .map(|k| {
                    choose(k) * libm::pow(x, f64::from(k)) * libm::pow(1.0 - x, f64::from(n - k))
                })
                .sum();
            let got = incomplete_beta(f64::from(a), f64::from(n - a + 1), x);
            assert!((got - tail).abs() < 1e-13, "{a}: {got} {tail}");
        }
    }

    proptest! {
        #[test]
        fn beta_is_symmetric(a in 0.1..200.0, b in 0.1..200.0, x in 0.0..1.0) {
            let sum = incomplete_beta(a, b, x) + incomplete_beta(b, a, 1.0 - x);
            prop_assert!((sum - 1.0).abs() < 1e-11, "{}", sum);
        }
    }
}
